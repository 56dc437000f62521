"""Hidden combatants: moving unnoticed, and coming out of hiding."""

from collections.abc import Sequence
from dataclasses import replace

from bot.rules.kernel import evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.concentration import broken
from bot.rules.rpj.character.sheet import Outcome
from bot.rules.rpj.combat.engine.move_steps import where
from bot.rules.rpj.combat.engine.stack import outcome
from bot.rules.rpj.combat.rules.joining import new_combatant
from bot.rules.rpj.combat.rules.moves import Goal, RpjStep, moved, step_to
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.rules.turns import turn_begun
from bot.rules.rpj.combat.state.combatant import RpjCombatant
from bot.rules.rpj.combat.state.crowds import counted


def come_out(stage: Stage, hidden: Sequence[RpjCombatant]) -> Stage:
    """The stage with hidden combatants revealed where they are, with their cover.

    Source: RPJ-GCS-46, RPJ-GM-04.
    """
    for one in hidden:
        stage = stage.with_battle(stage.battle.with_fight(stage.fight.revealed(one.id)))
        character = stage.character(one.id)
        if character is not None:
            stage = stage.in_scene(stage.scene.with_character(replace(character, is_hidden=False)))
            lost = new_combatant(stage.scene, character).saves_lost
            stage = stage.with_battle(stage.battle.changed(one.id, saves_lost=lost))
    return stage


def strike_from_hiding(stage: Stage, hidden: RpjCombatant) -> Stage:
    """The stage with a hidden combatant revealed to attack, sharing the current turn.

    From the next round on they have their turns behind whoever is on, or last of all before the mooks.

    Raises:
        UserError: If that is a mook.

    Source: RPJ-GCS-19, RPJ-SMAG-16.
    """
    if hidden.mook is not None:
        raise UserError(f"{hidden.name} is a mook.", try_this="Use /rpj-gm-fight mook-attack.")
    stage = come_out(stage, (hidden,))
    if hidden.character is not None:
        stage = stage.in_scene(broken(stage.scene, hidden.character))
    fight = stage.fight
    order = fight.usual or fight.order
    place = order.index(fight.turn) + 1 if fight.turn in order else len(order)
    changes = {
        "together": (*(fight.together or (fight.turn,)), hidden.id),
        "usual": (*order[:place], hidden.id, *order[place:]),
    }
    battle = stage.battle.with_fight(evolve(fight, **changes))
    initiative = fight.fighter(order[place - 1]).initiative if place else 0
    battle = turn_begun(battle.changed(hidden.id, initiative=initiative), hidden.id)
    words = f"{hidden.name} comes out of hiding in {fight.field.name(hidden.region)} and acts now."
    return stage.with_battle(battle).noted(words)


def slip(stage: Stage, movers: Sequence[RpjCombatant], goal: Goal) -> Outcome:
    """Move hidden mooks together; unnoticed, they draw no free attacks.

    Source: RPJ-GCS-10, RPJ-GM-04.
    """
    step = step_to(stage.battle, movers[0].id, goal)
    group = stage.fight.new_group if step.group is None else step.group
    for mook in movers:
        stride = RpjStep(step.region, group, leaves=False)
        stage = stage.with_battle(moved(stage.battle.spent(mook.id), mook.id, stride))
    words = (where(stage, movers[0].id), "The players don't see this.")
    there = stage.fight.field.name(step.region)
    return outcome(stage.noted(*words), f"moves {counted(movers)[0]} to {there}", *movers)
