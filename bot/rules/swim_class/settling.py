"""The effects of attack dice that got through, and the end of an opponent's share."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import CharacterId, Document, Family, FollowUp, Verdict, evolve
from bot.rules.kernel.outcome import counted
from bot.rules.swim_class.damage import Mishap, critical_buttons, critical_note, fall_buttons, take_damage
from bot.rules.swim_class.encounter import without_distances
from bot.rules.swim_class.growth import Earned, Scored, advances, grow
from bot.rules.swim_class.opposition import (
    AttackDie,
    DefenceDie,
    DefenceInputs,
    Pairing,
    could_fail_attacking,
    pair_off,
    paired_words,
)
from bot.rules.swim_class.plans import find_part, parts_key, with_part
from bot.rules.swim_class.pools import (
    IMPLICIT,
    Counts,
    PoolDie,
    Source,
    SwimPoolInputs,
    effective_criticals,
    pool_dice,
)
from bot.rules.swim_class.sheet import Scene, States, with_states
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
    found = scene.stored(SwimAwaiting, _awaiting_key(who))
    return () if found is None else found.contests


def with_awaiting(scene: Scene, who: CharacterId, contests: tuple[str, ...]) -> Scene:
    """Return the scene with a character's waiting contests replaced."""
    return scene.with_document(_awaiting_key(who), SwimAwaiting(contests=contests) if contests else None)


class Ended(Struct, frozen=True):
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
            scene = scene.without_document(key)
    return scene


STAYS_DOWN = "does not rise"


class SwimStruck(Struct, frozen=True, kw_only=True):
    """The result of an effect."""

    scene: Scene
    verdict: Verdict
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()


def strike(scene: Scene, contest: SwimContest, share: ContestShare) -> SwimStruck:
    """Apply the dice that got through to one opponent. [SWIM-COMB-01, SWIM-MAGIC-05 (SWIM-R118)]"""
    hits = len(share.through) * contest.factor
    if contest.effect is Effect.HIT:
        hurt = take_damage(scene, share.target, contest.pool, hits)
        verdict = _verdict(hits, counted(hits, "hit", "hits"), "no hit")
        return SwimStruck(scene=hurt.scene, verdict=verdict, notes=hurt.notes, follow_ups=hurt.follow_ups)
    if contest.effect in {Effect.LIFT, Effect.FLY}:
        return _lifted(scene, contest, share, hits)
    if contest.effect is Effect.HOLD:
        return _held(scene, contest, share, hits)
    if contest.effect is Effect.TASK:
        return SwimStruck(scene=scene, verdict=_task_verdict(contest, share, hits))
    return _marked(scene, contest, share, hits)


def _verdict(hits: int, done: str, otherwise: str) -> Verdict:
    return Verdict(Family.SUCCESS, done) if hits else Verdict(Family.FAILURE, otherwise)


def _task_verdict(contest: SwimContest, share: ContestShare, hits: int) -> Verdict:
    """The verdict of an opposed task against one opponent. [SWIM-OPP-01]"""
    of = f" of {contest.needed}" if contest.needed > 1 else ""
    against = f" against {share.name}" if len(contest.shares) > 1 else ""
    words = f"{hits}{of} progress{against}"
    if contest.is_enough(share.through):
        return Verdict(Family.SUCCESS, f"success, {words}")
    return Verdict(Family.FAILURE, f"fails, {words}" if contest.needed > 1 else f"fails{against}")


def grapple_squares(hits: int) -> int:
    """How far a grappler can move together with the held character. [SWIM-SKILL-03 (SWIM-R69)]"""
    return max(0, (hits - 1) // 2)


def _held(scene: Scene, contest: SwimContest, share: ContestShare, hits: int) -> SwimStruck:
    if not hits:
        return SwimStruck(scene=scene, verdict=Verdict(Family.FAILURE, "not held"))
    scene = with_states(scene, share.target, held_by=contest.attacker)
    squares = grapple_squares(hits)
    moves = f"; both can move {counted(squares, 'square', 'squares')}" if squares else ""
    return SwimStruck(scene=scene, verdict=Verdict(Family.SUCCESS, f"held{moves}"))


def hover_words(successes: int) -> str:
    """The result of flying: the first success hovers, each further one moves a square.

    [SWIM-RACE-05, SWIM-MAGIC-09]
    """
    if not successes:
        return "falls"
    return f"hovers, {counted(successes - 1, 'square', 'squares')}" if successes > 1 else "hovers"


def is_airborne(scene: Scene, who: CharacterId) -> bool:
    """Whether a character is in the air and can fall."""
    return scene.character(who).sheet.states.is_hovering


def _lifted(scene: Scene, contest: SwimContest, share: ContestShare, hits: int) -> SwimStruck:
    who = contest.attacker if contest.effect is Effect.FLY else share.target
    must_fall = not hits and (contest.effect is Effect.FLY or is_airborne(scene, who))
    scene = with_states(scene, who, is_hovering=hits > 0)
    verdict = _verdict(hits, hover_words(hits), "falls" if must_fall else STAYS_DOWN)
    return SwimStruck(scene=scene, verdict=verdict, follow_ups=fall_buttons(scene, who) if must_fall else ())


def _marked(scene: Scene, contest: SwimContest, share: ContestShare, hits: int) -> SwimStruck:
    """Apply an effect that sets a state."""
    target, name = share.target, share.name
    states = scene.character(target).sheet.states
    match contest.effect:
        case Effect.ESCAPE:
            scene = with_states(scene, contest.attacker, held_by=None) if hits else scene
            return SwimStruck(scene=scene, verdict=_verdict(hits, "breaks free", "still held"))
        case Effect.HIDE:
            own = scene.character(contest.attacker).sheet.states.hidden_from
            rest = tuple(one for one in own if one != target)
            scene = with_states(scene, contest.attacker, hidden_from=(*rest, target) if hits else rest)
            return SwimStruck(
                scene=scene, verdict=_verdict(hits, f"unnoticed by {name}", f"noticed by {name}")
            )
        case Effect.SHIFT:
            scene = without_distances(scene, target) if hits else scene
            squares = counted(hits, "square", "squares")
            return SwimStruck(
                scene=scene, verdict=_verdict(hits, f"{name} is pushed {squares}", "not pushed")
            )
        case Effect.KNOCK_DOWN:
            scene = with_states(scene, target, is_prone=states.is_prone or hits > 0)
            return SwimStruck(
                scene=scene, verdict=_verdict(hits, f"{name} is knocked down", "not knocked down")
            )
        case Effect.SOAK:
            scene = with_states(scene, target, is_soaked=states.is_soaked or hits > 0)
            return SwimStruck(scene=scene, verdict=_verdict(hits, f"{name} is soaked", "not soaked"))
        case _:
            if hits:
                scene = with_states(scene, target, stunned_by=contest.attacker, reserve=None)
            return SwimStruck(scene=scene, verdict=_verdict(hits, f"{name} is stunned", "not stunned"))


def settled(
    contest: SwimContest, share: ContestShare, inputs: DefenceInputs, pairing: Pairing
) -> ContestShare:
    """An opponent's share after a defense."""
    could_fail = could_fail_attacking(
        attack_modifier=contest.modifier,
        defence_modifier=inputs.implicit_modifier,
        has_dice=inputs.size > 0,
        difficulty=contest.inputs.difficulty,
    )
    through = contest.places_of(share, pairing.hits)
    return evolve(share, is_settled=True, through=through, could_fail=could_fail)


def undefended(contest: SwimContest, share: ContestShare) -> ContestShare:
    """An opponent's share without a defense. [SWIM-OPP-05]"""
    through = contest.places_of(share, contest.aimed(share))
    return evolve(share, is_settled=True, through=through)


def settle_helpless(scene: Scene, key: str, contest: SwimContest, share: ContestShare) -> SwimStruck:
    """Settle the share of a target that can't roll: only implicit 1s defend.

    [SWIM-OPP-04, SWIM-COMB-08 (SWIM-R48)]
    """
    inputs = DefenceInputs(
        skill="",
        attack=contest.aimed(share),
        aimed=len(share.places),
        implicit_modifier=share.bonus,
        factor=contest.factor,
    )
    implicit = [DefenceDie(IMPLICIT + share.bonus)] * inputs.padding
    pairing = pair_off(inputs.attack, implicit)
    struck = settle(scene, key, contest, settled(contest, share, inputs, pairing))
    note = f"{share.name} can't defend: {paired_words(pairing, contest.factor)}"
    return SwimStruck(
        scene=struck.scene,
        verdict=struck.verdict,
        notes=(note, *struck.notes),
        follow_ups=struck.follow_ups,
    )


def settle(scene: Scene, key: str, contest: SwimContest, share: ContestShare) -> SwimStruck:
    """Apply one opponent's share, and end the contest if it was the last."""
    contest = contest.with_share(share)
    rest = tuple(one for one in awaiting(scene, share.target) if one != key)
    scene = with_awaiting(scene, share.target, rest)
    struck = strike(scene, contest, share)
    ended = finish(struck.scene, key, contest)
    return SwimStruck(
        scene=ended.scene,
        verdict=struck.verdict,
        notes=(*struck.notes, *ended.notes),
        follow_ups=(*struck.follow_ups, *ended.follow_ups),
    )
