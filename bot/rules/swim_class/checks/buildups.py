"""Build-ups: skills combined over several rounds of combat, one contribution per round."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, Family, Verdict, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.implements import SwimRole
from bot.rules.swim_class.character.sheet import Outcome, Scene, book
from bot.rules.swim_class.checks.plans import PoolPlan, plan_pool
from bot.rules.swim_class.checks.unopposed_roll import buildup_key
from bot.rules.swim_class.combat.state.encounter import FULL_ACTION, find_encounter, spend
from bot.rules.swim_class.damage.damage import assert_can_act
from bot.rules.swim_class.damage.mishaps import Mishap, critical_note
from bot.rules.swim_class.resolution.pools import (
    BankedDie,
    DiceGroup,
    Source,
    SwimPoolInputs,
    effective_criticals,
    roll_pool,
)
from bot.rules.swim_class.resolution.purposes import SwimPurpose
from bot.rules.swim_class.resolution.tables import SkillKey


class SwimPart(Document):
    """One contribution to a build-up: character, skill, round and dice."""

    character: CharacterId
    skill: SkillKey
    round: int
    dice: tuple[BankedDie, ...]


class BuildUp(Document):
    """A build-up towards one roll.

    Attributes:
        owner: Who releases it.
        base: The skill to be released.
        role: The kind of roll.
        parts: Contributions so far.
    """

    owner: CharacterId
    base: SkillKey
    role: SwimRole
    parts: tuple[SwimPart, ...] = ()

    @property
    def banked(self) -> tuple[BankedDie, ...]:
        """All its dice."""
        return tuple(die for part in self.parts for die in part.dice)


class BuildUpOptions(Document):
    """A contribution to a build-up.

    Attributes:
        skill: The skill rolled this round.
        base: The skill to be released; empty: this one.
        owner: Who releases it; None: the actor.
        attack: Whether it is an attack.
    """

    skill: str = Field(min_length=1, max_length=100)
    base: str = Field(default="", max_length=100)
    owner: CharacterId | None = None
    attack: bool = False


class AbandonOptions(Document):
    """Nothing to choose."""


def find_buildup(scene: Scene, owner: CharacterId) -> BuildUp | None:
    """A character's build-up, or None."""
    found = scene.document(buildup_key(owner))
    return found if isinstance(found, BuildUp) else None


def contribute(scene: Scene, options: BuildUpOptions, dice: Dice) -> Outcome:
    """Roll a contribution and bank its dice: all of the base, one less than the rank of other skills.

    Source: SWIM-POOL-02 to SWIM-POOL-05 (SWIM-R34 to SWIM-R36).
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


declare("buildup", BuildUpOptions, contribute, can_repeat=True)


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

    Source: SWIM-POOL-02, SWIM-POOL-05.
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


def abandon(scene: Scene, _options: AbandonOptions, _dice: Dice) -> Outcome:
    """Abandon the actor's build-up.

    Source: SWIM-POOL-02.
    """
    actor = scene.actor
    if find_buildup(scene, actor.id) is None:
        raise UserError(f"{actor.name} has no build-up.")
    return Outcome(scene=scene.with_document(buildup_key(actor.id), None), headline="abandons the build-up")


declare("abandon", AbandonOptions, abandon)


def released(scene: Scene, who: CharacterId, plan: PoolPlan) -> tuple[Scene, PoolPlan]:
    """Release a character's build-up with a roll of its base.

    The last contribution is rolled with the release: the first added skill, or the base, which
    counts as wound up if it was rolled before.

    Returns:
        The scene without the build-up, and the plan with its dice; both unchanged without a build-up.

    Source: SWIM-POOL-02, SWIM-POOL-03.
    """
    buildup = find_buildup(scene, who)
    if buildup is None or buildup.base != plan.skill:
        return scene, plan
    encounter = find_encounter(scene)
    _assert_one_a_round(scene, buildup, encounter.round if encounter else 0)
    last = contribution(scene, who, buildup, next(iter(plan.adds), plan.skill))
    scene = scene.with_document(buildup_key(who), None)
    return scene, replace(plan, banked=buildup.banked, last=last.groups, adds=())
