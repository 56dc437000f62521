"""Below zero: rolls to stabilise, and death."""

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import Character, Document, Family, Outcome, Procedure, Scene, Verdict
from bot.rules.swim_class.damage import add_wounds, hit_points, is_dying, with_stable
from bot.rules.swim_class.performance import Performed, perform
from bot.rules.swim_class.plans import PoolPlan
from bot.rules.swim_class.purposes import Purpose
from bot.rules.swim_class.sheet import rank_of, settings_of, sheet_of, with_sheet
from bot.rules.swim_class.tables import Pool
from bot.rules.swim_class.wording import counted


class StabiliseOptions(Document):
    """Which pool one stabilises."""

    pool: Pool = Pool.PHYSICAL


def stabilise(scene: Scene, options: StabiliseOptions, dice: Dice) -> Outcome:
    """Roll the Defense skill against the damage beyond zero; one success stabilises.

    Source: SWIM-COMB-09 (SWIM-R49, SWIM-R50), SWIM-COMB-10.
    """
    actor, pool = scene.actor, options.pool
    if not is_dying(scene, actor, pool):
        raise Mistake(f"{actor.name} is not dying ({pool.value}).")
    below = -hit_points(scene, actor, pool)
    plan = PoolPlan(
        skill=pool.defence, difficulty=below, first_counts=settings_of(scene).stabilise_counts_first
    )
    done = perform(scene, actor.id, plan, dice, purpose=Purpose.STABILIZING, is_action=False)
    words = f"tries to stabilise against {below}"
    if done.judged.has_succeeded:
        return Outcome(
            scene=with_stable(done.scene, actor.id, pool, is_stable=True),
            headline=words,
            verdict=Verdict(Family.SUCCESS, "stable"),
            rolls=done.rolls,
            notes=done.notes,
        )
    return _worse(done, actor, pool, words)


def _worse(done: Performed, actor: Character, pool: Pool, words: str) -> Outcome:
    """Let criticals hurt, and kill where there are too many.

    Source: SWIM-COMB-10 (SWIM-R51, SWIM-R52), SWIM-COMB-08 (SWIM-R47).
    """
    scene, criticals = done.scene, done.judged.criticals
    if not criticals:
        return Outcome(
            scene=scene,
            headline=words,
            verdict=Verdict(Family.FAILURE, "still dying"),
            rolls=done.rolls,
            notes=done.notes,
        )
    scene = add_wounds(scene, actor.id, pool, criticals)
    character = scene.character(actor.id)
    sheet, rank = sheet_of(character), rank_of(scene, character, pool.defence)
    tally = sheet.tallies.get(pool, 0) + criticals
    changed: dict[str, object] = {"tallies": {**sheet.tallies, pool: tally}}
    verdict = Verdict(Family.FAILURE, "still dying")
    if tally > rank:
        is_physical = pool is Pool.PHYSICAL
        changed |= {"is_dead": True} if is_physical else {"broken": (*sheet.broken, pool)}
        verdict = Verdict(Family.FAILURE, "dead" if is_physical else "broken")
    scene = with_sheet(scene, character, sheet.model_copy(update=changed))
    note = f"{counted(criticals, 'critical', 'criticals')}, tally {tally} of {rank}."
    notes = (*(line for line in done.notes if "natural 1" not in line), note)
    return Outcome(scene=scene, headline=words, verdict=verdict, rolls=done.rolls, notes=notes)


DYING_PROCEDURES = (Procedure(key="stabilise", options=StabiliseOptions, run=stabilise),)
