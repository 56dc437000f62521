"""Opposed rolls that wait for their opponents, and their end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, FollowUp, evolve
from bot.rules.swim_class.damage import Mishap, critical_buttons, critical_note
from bot.rules.swim_class.growth import Earned, Scored, advances, grow
from bot.rules.swim_class.opposition import AttackDie
from bot.rules.swim_class.plans import find_part, parts_key, with_part
from bot.rules.swim_class.pools import Counts, PoolDie, Source, SwimPoolInputs, effective_criticals, pool_dice
from bot.rules.swim_class.sheet import Scene, States
from bot.rules.swim_class.tables import Pool, SkillKey
from bot.rules.swim_class.together import pledges_key
from bot.rules.swim_class.unopposed_roll import after_criticals, buildup_key


class Effect(StrEnum):
    """The effect of dice that get through."""

    HIT = "hit"
    HOLD = "hold"
    ESCAPE = "escape"
    HIDE = "hide"
    SHIFT = "shift"
    LIFT = "lift"
    FLY = "fly"
    KNOCK_DOWN = "knock down"
    SOAK = "soak"
    STUN = "stun"
    TASK = "task"


_COUNTS = {Effect.HIT: Counts.HITS, Effect.SHIFT: Counts.SQUARES}


class ContestShare(Document):
    """One opponent of an opposed roll."""

    target: CharacterId  # the opponent
    name: str
    places: tuple[int, ...]  # indices of the dice aimed at them
    bonus: int = 0  # the bonus of each of their dice from distance or area
    is_settled: bool = False  # whether it is decided
    through: tuple[int, ...] = ()  # indices of the dice that got through
    could_fail: bool = False  # whether the attack could have failed against them


class SwimContest(Document):
    """An opposed roll."""

    attacker: CharacterId  # who rolled
    skill: SkillKey  # the rolled skill
    rank: int
    inputs: SwimPoolInputs
    faces: tuple[int, ...]  # the rolled faces, without banked dice
    factor: int = Field(default=1, ge=1)  # the hits that each die counts for
    modifier: int = 0  # the modifier of each of the skill's own dice
    effect: Effect = Effect.HIT  # the effect of dice that get through
    needed: int = Field(default=1, ge=1)  # the successes needed
    pool: Pool = Pool.PHYSICAL  # the hit points that hits cost
    counters: tuple[SkillKey, ...] = ()  # the named counters; none: the Defense skill
    is_melee: bool = False  # whether it is a melee attack
    is_magic: bool = False  # whether magic of the same or the opposite form can stop it
    is_area: bool = False  # whether all dice are aimed at everyone
    is_whole: bool = True  # whether all dice of the rank were rolled
    part: str = ""  # the id of the divided action, or empty
    was_strained: bool = False  # whether the skill was strained
    shares: tuple[ContestShare, ...]  # the opponents

    @property
    def dice(self) -> tuple[PoolDie, ...]:
        """Every die of the pool."""
        return pool_dice(self.inputs, self.faces)

    @property
    def counts_each(self) -> bool:
        """Whether each die that gets through counts, not only whether there are enough."""
        return self.counts is not Counts.SUCCESSES

    @property
    def counts(self) -> Counts:
        """What the dice that get through count for."""
        return _COUNTS.get(self.effect, Counts.SUCCESSES)

    def is_enough(self, through: Sequence[int]) -> bool:
        """Whether the dice that got through are a success."""
        return len(through) * self.factor >= self.needed

    def share(self, target: CharacterId) -> ContestShare | None:
        """An opponent's open share, or None."""
        return next((one for one in self.shares if one.target == target and not one.is_settled), None)

    def with_share(self, share: ContestShare) -> "SwimContest":
        """Return the contest with one share replaced."""
        shares = tuple(share if old.target == share.target else old for old in self.shares)
        return evolve(self, shares=shares)

    def aimed(self, share: ContestShare) -> tuple[AttackDie, ...]:
        """The dice aimed at an opponent that meet the difficulty. [SWIM-OPP-06 (SWIM-R20)]"""
        dice = [self.dice[place] for place in share.places]
        return tuple(
            AttackDie(name=die.name, source=die.source, face=die.face, value=die.value)
            for die in dice
            if die.value >= self.inputs.difficulty
        )

    def places_of(self, share: ContestShare, hits: Sequence[AttackDie]) -> tuple[int, ...]:
        """The indices of these dice in the pool."""
        left = list(hits)
        found = []
        for place in share.places:
            die = self.dice[place]
            same = next(
                (
                    hit
                    for hit in left
                    if (hit.source, hit.value, hit.name) == (die.source, die.value, die.name)
                ),
                None,
            )
            if same is not None:
                left.remove(same)
                found.append(place)
        return tuple(found)


class SwimAwaiting(Document):
    """Keys of the contests that wait for a character, oldest first."""

    contests: tuple[str, ...] = ()


def _awaiting_key(who: CharacterId) -> str:
    return f"awaiting/{who}"


def awaiting(scene: Scene, who: CharacterId) -> tuple[str, ...]:
    """Keys of the contests that wait for a character."""
    found = scene.document(_awaiting_key(who))
    return found.contests if isinstance(found, SwimAwaiting) else ()


def with_awaiting(scene: Scene, who: CharacterId, contests: tuple[str, ...]) -> Scene:
    """Return the scene with a character's waiting contests replaced."""
    return scene.with_document(_awaiting_key(who), SwimAwaiting(contests=contests) if contests else None)


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a contest: the scene, notes and follow-ups."""

    scene: Scene
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()


def finish(scene: Scene, key: str, contest: SwimContest) -> Ended:
    """End a contest once every share is settled: the attacker can advance, and 1s can count.

    [SWIM-ADV-01, SWIM-ADV-04, SWIM-TASK-08 (SWIM-R114)]
    """
    if not all(share.is_settled for share in contest.shares):
        return Ended(scene.with_document(key, contest))
    scene = scene.with_document(key, None)
    scene, grown = _grown(scene, contest)
    ones, criticals = failed_ones(contest)
    if not ones:
        return Ended(scene, grown)
    mishap = Mishap.ATTACK if contest.effect is Effect.HIT else Mishap.OTHER
    mishap = Mishap.FALL if contest.effect is Effect.FLY else mishap
    attacker = scene.character(contest.attacker).name
    note = critical_note(ones, contest.inputs.cancels, criticals, mishap, whose=attacker)
    buttons = critical_buttons(scene, contest.attacker, mishap, criticals, contest.pool)
    scene, broken = after_criticals(scene, contest.attacker, criticals)
    return Ended(scene, (*grown, note, *broken), buttons)


def failed_ones(contest: SwimContest) -> tuple[int, int]:
    """Natural 1s of the shares that failed, and how many of them count. [SWIM-TASK-08 (SWIM-R114)]"""
    if contest.is_area and any(contest.is_enough(share.through) for share in contest.shares):
        return 0, 0
    failed = {
        place for share in contest.shares if not contest.is_enough(share.through) for place in share.places
    }
    ones = sum(contest.dice[place].face == 1 for place in failed)
    return ones, effective_criticals(ones, contest.inputs.cancels)


def _grown(scene: Scene, contest: SwimContest) -> tuple[Scene, tuple[str, ...]]:
    """Let the skill advance by the dice that stand against everyone they were aimed at.

    [SWIM-ADV-01 (SWIM-R119)]
    """
    stopped = {place for share in contest.shares for place in share.places if place not in share.through}
    aimed = {place for share in contest.shares for place in share.places}
    wanted = Source.SKILL if contest.rank else Source.ARTIFACT
    dice = [
        Scored(face=die.face, has_scored=place in aimed - stopped)
        for place, die in enumerate(contest.dice)
        if die.source is wanted
    ]
    could_fail = any(share.could_fail for share in contest.shares)
    has_advanced = advances(dice, is_whole=contest.is_whole, could_fail=could_fail)
    faces = tuple(die.face for die in dice)
    part = find_part(scene, contest.attacker, contest.part) if contest.part else None
    if part is not None:
        part = evolve(part, pending=part.pending - 1).judged(dice, could_fail=could_fail)
        scene = with_part(scene, contest.attacker, part)
        has_advanced, faces = part.has_advanced, part.faces
    earned = Earned(
        skill=contest.skill,
        has_advanced=has_advanced,
        was_strained=contest.was_strained,
        faces=faces,
        against=", ".join(share.name for share in contest.shares),
    )
    return grow(scene, contest.attacker, earned)


def end_scene(scene: Scene, characters: Iterable[CharacterId]) -> Scene:
    """Clear everything about some characters that ends with the scene. [SWIM-REST-01, SWIM-REST-02]"""
    for who in characters:
        character = scene.character(who)
        sheet = character.sheet
        if sheet.states != States():
            scene = scene.with_sheet(character, evolve(sheet, states=States()))
        for key in (buildup_key(who), parts_key(who), pledges_key(who)):
            if scene.document(key) is not None:
                scene = scene.with_document(key, None)
    return scene
