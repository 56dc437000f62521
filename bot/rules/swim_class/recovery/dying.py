"""Below zero: rolls to stabilise, and death."""

from dataclasses import replace

from bot.rules.kernel import Audience, CharacterId, Document, Family, FollowUp, Verdict, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.sheet import (
    Character,
    Outcome,
    Scene,
    rank_of,
)
from bot.rules.swim_class.checks.plans import PoolPlan
from bot.rules.swim_class.checks.unopposed_roll import Performed, perform
from bot.rules.swim_class.combat.state.encounter import find_encounter, is_in_combat
from bot.rules.swim_class.damage.damage import (
    StabiliseOptions,
    add_wounds,
    hit_points,
    is_dying,
    stabilise_button,
    with_stable,
)
from bot.rules.swim_class.recovery.clock import SwimClockOptions
from bot.rules.swim_class.resolution.purposes import SwimPurpose
from bot.rules.swim_class.resolution.tables import Pool

MINUTE = 60


class LastTry(Document):
    """When a character last rolled to stabilise a pool: game clock, and turn of a fight."""

    clock: int
    turn: str = ""


def stabilise(scene: Scene, options: StabiliseOptions, dice: Dice) -> Outcome:
    """Roll the Defense skill against the damage below zero; one success stabilises.

    Source: SWIM-COMB-09 (SWIM-R49, SWIM-R50), SWIM-COMB-10.
    """
    actor, pool = scene.actor, options.pool
    if not is_dying(scene, actor, pool):
        raise UserError(f"{actor.name} isn't dying ({pool.value}).")
    scene = _counted(scene, actor, pool)
    below = -hit_points(scene, actor, pool)
    plan = PoolPlan(skill=pool.defence, difficulty=below, first_counts=scene.settings.stabilise_counts_first)
    done = perform(scene, actor.id, plan, dice, purpose=SwimPurpose.STABILIZING, is_action=False)
    words = f"tries to stabilise (difficulty {below})"
    if done.judged.has_succeeded:
        return Outcome(
            scene=with_stable(done.scene, actor.id, pool, is_stable=True),
            headline=words,
            verdict=Verdict(Family.SUCCESS, "stable"),
            rolls=done.rolls,
            notes=done.notes,
        )
    worse = _worse(done, actor, pool, words)
    still = is_dying(worse.scene, worse.scene.character(actor.id), pool)
    return replace(worse, follow_ups=_later(worse.scene, actor, pool)) if still else worse


declare("stabilise", StabiliseOptions, stabilise, can_repeat=True)


def tries_key(who: CharacterId, pool: Pool) -> str:
    """The document key of a character's last try to stabilise a pool."""
    return f"tries/{who}-{pool.value}"


def _counted(scene: Scene, actor: Character, pool: Pool) -> Scene:
    """Record a roll to stabilise: one per own turn of a fight, otherwise one per minute.

    Raises:
        UserError: If it is too early for another one.

    Source: SWIM-COMB-09 (SWIM-R50).
    """
    key = tries_key(actor.id, pool)
    last, encounter = scene.document(key), find_encounter(scene)
    if encounter is None or not encounter.has_begun or encounter.combatant(actor.id) is None:
        if isinstance(last, LastTry) and scene.clock - last.clock < MINUTE:
            raise UserError(
                f"{actor.name} has already tried to stabilise this minute.",
                "Outside a fight, you roll once per minute.",
                "A GM advances the time with the button or with /gm time.",
            )
        return scene.with_document(key, LastTry(clock=scene.clock))
    if not encounter.is_on(actor.id) and not scene.is_gm:
        raise UserError(f"It is {encounter.acting.name}'s turn.", "You roll to stabilise on your own turn.")
    turn = f"{scene.channel}/{encounter.turn_key}"
    if isinstance(last, LastTry) and last.turn == turn:
        raise UserError(
            f"{actor.name} has already tried to stabilise this turn.", "You roll once on each of your turns."
        )
    return scene.with_document(key, LastTry(clock=scene.clock, turn=turn))


def without_turns(scene: Scene, who: CharacterId) -> Scene:
    """Forget the turns of tries to stabilise after a fight."""
    for pool in Pool:
        last = scene.document(tries_key(who, pool))
        if isinstance(last, LastTry) and last.turn:
            scene = scene.with_document(tries_key(who, pool), LastTry(clock=last.clock))
    return scene


def _later(scene: Scene, actor: Character, pool: Pool) -> tuple[FollowUp, ...]:
    """The buttons after a failed try outside a fight: pass a minute, and roll again."""
    if is_in_combat(scene, actor.id):
        return ()
    return (
        FollowUp(
            procedure="clock",
            options=SwimClockOptions(minutes=1),
            label="Pass a minute (GM)",
            audience=Audience.GM,
            group="minute",
        ),
        stabilise_button(actor, pool),
    )


def _worse(done: Performed, actor: Character, pool: Pool, words: str) -> Outcome:
    """Apply criticals, which can kill.

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
    sheet, rank = character.sheet, rank_of(scene, character, pool.defence)
    tally = sheet.tallies.get(pool, 0) + criticals
    changed: dict[str, object] = {"tallies": {**sheet.tallies, pool: tally}}
    verdict = Verdict(Family.FAILURE, "still dying")
    if tally > rank:
        is_physical = pool is Pool.PHYSICAL
        changed |= {"is_dead": True} if is_physical else {"broken": (*sheet.broken, pool)}
        verdict = Verdict(Family.FAILURE, "dead" if is_physical else "broken")
    scene = scene.with_sheet(character, evolve(sheet, **changed))
    note = f"{counted(criticals, 'critical', 'criticals')}, tally {tally} of {rank}."
    notes = (*(line for line in done.notes if "natural 1" not in line), note)
    return Outcome(scene=scene, headline=words, verdict=verdict, rolls=done.rolls, notes=notes)
