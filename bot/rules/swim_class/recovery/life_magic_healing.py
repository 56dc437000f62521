"""Healing with Life magic: how often, how much, and stabilising."""

from dataclasses import replace

from bot.rules.kernel import CharacterId, Document, Family, Verdict, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.character.sheet import Character, Outcome, Scene
from bot.rules.swim_class.checks.plans import PoolPlan
from bot.rules.swim_class.checks.rolling import outcome_of
from bot.rules.swim_class.checks.unopposed_roll import perform
from bot.rules.swim_class.combat.state.encounter import Healed, find_encounter, is_in_combat, with_encounter
from bot.rules.swim_class.damage.damage import heal_wounds, hit_points, is_dying, with_stable
from bot.rules.swim_class.resolution.tables import Pool

SECONDS_AN_HOUR = 3600


class LastHealing(Document):
    """When a caster last rolled Healing on a target, on the game clock."""

    clock: int


def is_undead(character: Character) -> bool:
    """Whether a character is undead, and so harmed by Life."""
    return "undead" in character.sheet.tags


def treat(scene: Scene, target: CharacterId, plan: PoolPlan) -> tuple[Scene, PoolPlan]:
    """Prepare to heal a living character: record the roll and set its difficulty.

    Raises:
        UserError: If they are dead, or it is too early for another roll.

    Source: SWIM-MAGIC-14 (SWIM-R102), SWIM-MAGIC-16 (SWIM-R104).
    """
    patient = scene.character(target)
    if patient.sheet.is_dead:
        raise UserError(f"{patient.name} is dead.")
    if is_dying(scene, patient, Pool.PHYSICAL):
        below = -hit_points(scene, patient, Pool.PHYSICAL)
        plan = replace(plan, difficulty=max(plan.difficulty, below))
    return _counted(scene, target), plan


def heal(scene: Scene, target: CharacterId, plan: PoolPlan, words: str, dice: Dice) -> Outcome:
    """Heal a character, and stabilise them if they are dying.

    Source: SWIM-MAGIC-14 (SWIM-R102), SWIM-MAGIC-16 (SWIM-R104).
    """
    was_dying = is_dying(scene, scene.character(target), Pool.PHYSICAL)
    done = perform(scene, scene.actor.id, plan, dice)
    progress = done.judged.progress
    scene = done.scene
    if was_dying and progress:
        scene = with_stable(scene, target, Pool.PHYSICAL, is_stable=True)
    scene, healed = heal_wounds(scene, target, Pool.PHYSICAL, progress)
    title = f"{healed} healed" + (", stable" if was_dying and progress else "")
    family = Family.SUCCESS if progress else Family.FAILURE
    return replace(outcome_of(done, words), scene=scene, verdict=Verdict(family, title))


def _counted(scene: Scene, target: CharacterId) -> Scene:
    """Record a Healing roll: one per round in combat, otherwise one per hour.

    Raises:
        UserError: If it is too early for another one.

    Source: SWIM-MAGIC-14 (SWIM-R102).
    """
    caster, name = scene.actor.id, scene.character(target).name
    encounter = find_encounter(scene)
    if encounter is not None and is_in_combat(scene, caster):
        healed = Healed(caster=caster, target=target)
        if healed in encounter.healed:
            raise UserError(
                f"You have already healed {name} this round.", "One Healing roll per target and round."
            )
        return with_encounter(scene, evolve(encounter, healed=(*encounter.healed, healed)))
    key = f"healing/{caster}-{target}"
    last = scene.document(key)
    if isinstance(last, LastHealing) and scene.clock - last.clock < SECONDS_AN_HOUR:
        raise UserError(
            f"You have already healed {name} within the last hour.",
            "Out of combat, one Healing roll per target and hour.",
            "A GM advances the time with /swim-gm clock.",
        )
    return scene.with_document(key, LastHealing(clock=scene.clock))
