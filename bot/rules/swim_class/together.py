"""Several together: convergence, and build-ups over several rounds."""

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import CharacterId, Document, Family, FollowUp, Verdict, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.swim_class.damage import Mishap, assert_can_act, critical_note
from bot.rules.swim_class.encounter import FULL_ACTION, find_encounter, is_in_combat, spend
from bot.rules.swim_class.plans import Helper, PoolPlan, gear_for, plan_pool, trait_modifier
from bot.rules.swim_class.pools import (
    BankedDie,
    DiceGroup,
    Source,
    SwimPoolInputs,
    SwimPurpose,
    effective_criticals,
    roll_pool,
)
from bot.rules.swim_class.sheet import Outcome, Scene, SwimRole, book, parent_of, rank_of
from bot.rules.swim_class.tables import SkillKey
from bot.rules.swim_class.unopposed_roll import buildup_key

REFUSE = "refuse_help"


class Pledge(Document):
    """A helper's pledge: skill, dice, and the roll it is for (empty: any)."""

    character: CharacterId
    name: str
    skill: SkillKey
    dice: int = Field(ge=0)
    modifier: int
    roll: SkillKey = ""


class Pledges(Document):
    """Everything pledged to a character's next roll."""

    pledges: tuple[Pledge, ...]


class AidOptions(Document):
    """Whom to help, with which skill, and for which roll of theirs; empty: the same skill."""

    target: CharacterId
    skill: str = Field(min_length=1, max_length=100)
    roll: str = Field(default="", max_length=100)


class SwimRefuseOptions(Document):
    """Whose help to refuse; None: everyone's."""

    helper: CharacterId | None = None


def pledges_key(who: CharacterId) -> str:
    """The document key of the help pledged to a character."""
    return f"pledges/{who}"


@procedure("aid")
def aid(scene: Scene, options: AidOptions, _dice: Dice) -> Outcome:
    """Pledge a skill to someone's next roll: one die less than its rank. [SWIM-POOL-04 (SWIM-R36)]"""
    actor, target = scene.actor, scene.character(options.target)
    assert_can_act(scene, actor)
    if actor.id == target.id:
        raise UserError("You can't help yourself.", "To combine your own skills, use the option “add”.")
    if is_in_combat(scene, actor.id):
        raise UserError(
            "In combat, helpers contribute over several rounds.",
            try_this=f"Add to the build-up of {target.name} with Fight … on your sheet.",
        )
    skills = book(scene)
    skill = skills.find(options.skill)
    wanted = skills.find(options.roll) if options.roll else skill
    title, rank = skills.title(skill), rank_of(scene, actor, skill)
    dice = rank - 1
    if dice < 1:
        raise UserError(f"{title} {rank} gives no dice.", "Help is one die less than the skill's rank.")
    sheet = actor.sheet
    modifier = gear_for(scene, sheet, SwimRole.TASK, skill).bonus + trait_modifier(sheet, skill)
    modifier += skills.die_bonus(skill)
    pledge = Pledge(
        character=actor.id, name=actor.name, skill=skill, dice=dice, modifier=modifier, roll=wanted
    )
    others = [one for one in _pledges(scene, target.id) if one.character != actor.id]
    scene = scene.with_document(pledges_key(target.id), Pledges(pledges=(*others, pledge)))
    refuse = FollowUp(
        procedure=REFUSE,
        options=SwimRefuseOptions(helper=actor.id),
        label=f"{target.name} refuses the help",
        character=target.id,
        group=REFUSE,
    )
    up_to = counted(dice, "die", "dice")
    return Outcome(
        scene=scene,
        headline=f"helps {target.name} with {title}",
        notes=(f"Up to {up_to} for {target.name}'s next {skills.title(wanted)} roll.",),
        follow_ups=(refuse,),
    )


@procedure(REFUSE)
def refuse_help(scene: Scene, options: SwimRefuseOptions, _dice: Dice) -> Outcome:
    """Refuse pledged help. [SWIM-POOL-04]"""
    actor = scene.actor
    pledges = _pledges(scene, actor.id)
    refused = [one for one in pledges if options.helper in {None, one.character}]
    if not refused:
        raise UserError(f"{_who(scene, options)} {actor.name} right now.")
    names = ", ".join(one.name for one in refused)
    rest = tuple(one for one in pledges if one not in refused)
    return Outcome(scene=_with_pledges(scene, actor.id, rest), headline=f"refuses the help of {names}")


def _who(scene: Scene, options: SwimRefuseOptions) -> str:
    if options.helper is None:
        return "No one is helping"
    return f"{scene.character(options.helper).name} isn't helping"


def _pledges(scene: Scene, who: CharacterId) -> tuple[Pledge, ...]:
    found = scene.stored(Pledges, pledges_key(who))
    return () if found is None else found.pledges


def _with_pledges(scene: Scene, who: CharacterId, pledges: tuple[Pledge, ...]) -> Scene:
    return scene.with_document(pledges_key(who), Pledges(pledges=pledges) if pledges else None)


def take_helpers(scene: Scene, who: CharacterId, skill: SkillKey) -> tuple[Scene, tuple[Helper, ...]]:
    """Take the help pledged to a roll of a skill, and use it up."""
    pledges = _pledges(scene, who)
    meant = [one for one in pledges if not one.roll or parent_of(one.roll) == parent_of(skill)]
    if not meant:
        return scene, ()
    helpers = tuple(Helper(name=one.name, dice=one.dice, modifier=one.modifier) for one in meant)
    return _with_pledges(scene, who, tuple(one for one in pledges if one not in meant)), helpers


class SwimPart(Document):
    """One contribution to a build-up: character, skill, round and dice."""

    character: CharacterId
    skill: SkillKey
    round: int
    dice: tuple[BankedDie, ...]


class BuildUp(Document):
    """A build-up towards one roll."""

    owner: CharacterId  # who releases it
    base: SkillKey  # the skill to be released
    role: SwimRole  # the kind of roll
    parts: tuple[SwimPart, ...] = ()  # contributions so far

    @property
    def banked(self) -> tuple[BankedDie, ...]:
        """All its dice."""
        return tuple(die for part in self.parts for die in part.dice)


class BuildUpOptions(Document):
    """A contribution to a build-up."""

    skill: str = Field(min_length=1, max_length=100)  # the skill rolled this round
    base: str = Field(default="", max_length=100)  # the skill to be released; empty: this one
    owner: CharacterId | None = None  # who releases it; None: the actor
    attack: bool = False


class AbandonOptions(Document):
    """Nothing to choose."""


def find_buildup(scene: Scene, owner: CharacterId) -> BuildUp | None:
    """A character's build-up, or None."""
    return scene.stored(BuildUp, buildup_key(owner))


@procedure("buildup", can_repeat=True)
def contribute(scene: Scene, options: BuildUpOptions, dice: Dice) -> Outcome:
    """Roll a contribution and bank its dice: all of the base, one less than the rank of other skills.

    [SWIM-POOL-02 to SWIM-POOL-05 (SWIM-R34 to SWIM-R36)]
    """
    actor = scene.actor
    assert_can_act(scene, actor)
    owner = options.owner or actor.id
    skill = book(scene).find(options.skill)
    role = SwimRole.ATTACK if options.attack else SwimRole.TASK
    base = book(scene).find(options.base) if options.base else skill
    buildup = find_buildup(scene, owner) or BuildUp(owner=owner, base=base, role=role)
    encounter = find_encounter(scene)
    now = encounter.round if encounter else 0
    _assert_one_a_round(scene, buildup, now)
    scene = spend(scene, actor, FULL_ACTION)
    inputs = contribution(scene, actor.id, buildup, skill)
    roll = roll_pool(inputs, dice).by(actor, SwimPurpose.BUILD_UP)
    faces = [die.face for die in roll.dice]
    ones = faces.count(1)
    criticals = effective_criticals(ones, inputs.cancels)
    title = book(scene).title(skill)
    name = scene.character(owner).name
    words = f"builds up {title}" if owner == actor.id else f"builds up {title} for {name}"
    if criticals:
        return Outcome(
            scene=scene.with_document(buildup_key(owner), None),
            headline=words,
            verdict=Verdict(Family.FAILURE, "broken"),
            rolls=(roll,),
            notes=(
                critical_note(ones, inputs.cancels, criticals, Mishap.OTHER),
                "All banked dice are lost.",
            ),
        )
    part = SwimPart(character=actor.id, skill=skill, round=now, dice=_kept(inputs, faces))
    buildup = evolve(buildup, parts=(*buildup.parts, part))
    return Outcome(
        scene=scene.with_document(buildup_key(owner), buildup),
        headline=words,
        verdict=Verdict(Family.NEWS, f"{counted(len(buildup.banked), 'die', 'dice')} banked"),
        rolls=(roll,),
        notes=(f"{name} releases them with their next {book(scene).title(buildup.base)} roll.",),
    )


def _assert_one_a_round(scene: Scene, buildup: BuildUp, now: int) -> None:
    is_taken = now and any(part.round == now for part in buildup.parts)
    if is_taken and not scene.settings.convergence_parallel:
        raise UserError(
            "Only one contribution per round.",
            "A GM can allow more: /campaign settings setting:convergence_parallel value:yes",
        )


def _kept(inputs: SwimPoolInputs, faces: list[int]) -> tuple[BankedDie, ...]:
    groups = [group for group in inputs.groups for _ in range(group.count)]
    return tuple(
        BankedDie(name=group.name, source=group.source, face=face, modifier=group.modifier)
        for group, face in zip(groups, faces, strict=True)
    )


def contribution(scene: Scene, who: CharacterId, buildup: BuildUp, skill: SkillKey) -> SwimPoolInputs:
    """The dice of a contribution: all of the base once, one less than the rank of other skills.

    [SWIM-POOL-02, SWIM-POOL-05]
    """
    character = scene.character(who)
    plan = PoolPlan(skill=skill, role=buildup.role, is_opposed=True, exactly=True)
    inputs = plan_pool(scene, character, plan).inputs
    is_base = who == buildup.owner and skill == buildup.base and not _has_base(buildup)
    if is_base:
        return inputs
    source = Source.SKILL if who == buildup.owner and skill == buildup.base else Source.ADDED
    groups = [_one_less(group, source) for group in inputs.groups if group.source is Source.SKILL]
    if not any(group.count for group in groups):
        raise UserError("A skill of rank 1 adds no dice.", "An added skill gives one die less than its rank.")
    return evolve(inputs, groups=tuple(groups))


def _has_base(buildup: BuildUp) -> bool:
    return any(part.character == buildup.owner and part.skill == buildup.base for part in buildup.parts)


def _one_less(group: DiceGroup, source: Source) -> DiceGroup:
    return evolve(group, count=group.count - 1, source=source)


@procedure("abandon")
def abandon(scene: Scene, _options: AbandonOptions, _dice: Dice) -> Outcome:
    """Abandon the actor's build-up. [SWIM-POOL-02]"""
    actor = scene.actor
    if find_buildup(scene, actor.id) is None:
        raise UserError(f"{actor.name} has no build-up.")
    return Outcome(scene=scene.with_document(buildup_key(actor.id), None), headline="abandons the build-up")


def released(scene: Scene, who: CharacterId, plan: PoolPlan) -> tuple[Scene, PoolPlan]:
    """Release a character's build-up with a roll of its base. [SWIM-POOL-02, SWIM-POOL-03]

    The last contribution is rolled with the release: the first added skill, or the base, which
    counts as wound up if it was rolled before.

    Returns:
        The scene without the build-up, and the plan with its dice; both unchanged without a build-up.
    """
    buildup = find_buildup(scene, who)
    if buildup is None or buildup.base != plan.skill:
        return scene, plan
    encounter = find_encounter(scene)
    _assert_one_a_round(scene, buildup, encounter.round if encounter else 0)
    last = contribution(scene, who, buildup, next(iter(plan.adds), plan.skill))
    scene = scene.with_document(buildup_key(who), None)
    return scene, replace(plan, banked=buildup.banked, last=last.groups, adds=())
