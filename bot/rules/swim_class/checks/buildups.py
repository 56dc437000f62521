"""Build-ups: skills combined over several rounds of combat, a contribution a round."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, Family, Verdict, declare
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
    """One contribution: whose, with what, in which round, and its dice."""

    character: CharacterId
    skill: SkillKey
    round: int
    dice: tuple[BankedDie, ...]


class BuildUp(Document):
    """What has been built up towards one roll.

    Attributes:
        owner: Who releases it.
        base: The skill that is released.
        role: What it is for.
        parts: Contributions so far.
    """

    owner: CharacterId
    base: SkillKey
    role: SwimRole
    parts: tuple[SwimPart, ...] = ()

    @property
    def banked(self) -> tuple[BankedDie, ...]:
        """Every die of it."""
        return tuple(die for part in self.parts for die in part.dice)


class BuildUpOptions(Document):
    """What one contributes, and to what.

    Attributes:
        skill: What is rolled this round.
        base: The skill that is released in the end; this one without it.
        owner: Who releases it; the character acting without it.
        attack: Whether it is to be an attack.
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
    """Roll a contribution and keep its dice: the base all, every further one less than its rank.

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
    said = f"builds up {title}" if owner == actor.id else f"builds up {title} for {name}"
    if criticals:
        return Outcome(
            scene=scene.with_document(buildup_key(owner), None),
            headline=said,
            verdict=Verdict(Family.FAILURE, "broken"),
            rolls=(roll,),
            notes=(
                critical_note(ones, inputs.cancels, criticals, Mishap.OTHER),
                "All dice kept so far are lost.",
            ),
        )
    part = SwimPart(character=actor.id, skill=skill, round=now, dice=_kept(inputs, faces))
    buildup = buildup.model_copy(update={"parts": (*buildup.parts, part)})
    return Outcome(
        scene=scene.with_document(buildup_key(owner), buildup),
        headline=said,
        verdict=Verdict(Family.NEWS, f"{counted(len(buildup.banked), 'die', 'dice')} kept"),
        rolls=(roll,),
        notes=(f"{name} releases them with the next roll of {book(scene).title(buildup.base)}.",),
    )


declare("buildup", BuildUpOptions, contribute)


def _assert_one_a_round(scene: Scene, buildup: BuildUp, now: int) -> None:
    is_taken = now and any(part.round == now for part in buildup.parts)
    if is_taken and not scene.settings.convergence_parallel:
        raise UserError(
            "One contribution a round.", "The setting convergence_parallel lets all help at once."
        )


def _kept(inputs: SwimPoolInputs, faces: list[int]) -> tuple[BankedDie, ...]:
    groups = [group for group in inputs.groups for _ in range(group.count)]
    return tuple(
        BankedDie(name=group.name, source=group.source, face=face, modifier=group.modifier)
        for group, face in zip(groups, faces, strict=True)
    )


def contribution(scene: Scene, who: CharacterId, buildup: BuildUp, skill: SkillKey) -> SwimPoolInputs:
    """The dice of one contribution: all of the base once, one less than its rank for everything else.

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
        raise UserError("A skill of rank 1 adds no die.", "An added skill gives up one die.")
    return inputs.model_copy(update={"groups": tuple(groups)})


def _has_base(buildup: BuildUp) -> bool:
    return any(part.character == buildup.owner and part.skill == buildup.base for part in buildup.parts)


def _one_less(group: DiceGroup, source: Source) -> DiceGroup:
    return group.model_copy(update={"count": group.count - 1, "source": source})


def abandon(scene: Scene, _options: AbandonOptions, _dice: Dice) -> Outcome:
    """Give up what has been built up.

    Source: SWIM-POOL-02.
    """
    actor = scene.actor
    if find_buildup(scene, actor.id) is None:
        raise UserError(f"{actor.name} has built nothing up.")
    return Outcome(scene=scene.with_document(buildup_key(actor.id), None), headline="abandons the build-up")


declare("abandon", AbandonOptions, abandon)


def released(scene: Scene, who: CharacterId, plan: PoolPlan) -> tuple[Scene, PoolPlan]:
    """Release what a character has built up with a roll of its base.

    The last contribution is rolled with the release: the first of the skills added, else the base, which
    counts as wound up where it was rolled before.

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
