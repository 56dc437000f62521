"""Those of whom only the GM knows: how they move unnoticed, and how they come out."""

from collections.abc import Sequence
from dataclasses import replace

from bot.rules.rpj.combat.asking import outcome
from bot.rules.rpj.combat.fight import counted
from bot.rules.rpj.combat.fighters import Fighter
from bot.rules.rpj.combat.moves import Goal, Step, moved, step_to
from bot.rules.rpj.combat.resolving import where
from bot.rules.rpj.combat.seating import seat
from bot.rules.rpj.combat.stage import Stage
from bot.rules.ruleset import Outcome


def come_out(stage: Stage, hidden: Sequence[Fighter]) -> Stage:
    """The stage in which hidden mooks have come out where they are, with their cover.

    Source: RPJ-GCS-46, RPJ-GM-04.
    """
    for mook in hidden:
        stage = stage.with_battle(stage.battle.with_fight(stage.fight.revealed(mook.id)))
        character = stage.character(mook.id)
        if character is not None:
            stage = stage.in_scene(stage.scene.with_character(replace(character, is_hidden=False)))
            encounter = stage.encounter.without_lurking((character.id,))
            seats = (*encounter.seats, seat(stage.scene, character))
            stage = replace(stage, encounter=encounter.changed(seats=seats))
    return stage


def slip(stage: Stage, movers: Sequence[Fighter], goal: Goal) -> Outcome:
    """Have hidden mooks move together: nobody notices, so nobody strikes or shoots at them.

    Source: RPJ-GCS-10, RPJ-GM-04.
    """
    step = step_to(stage.battle, movers[0].id, goal)
    group = stage.fight.new_group if step.group is None else step.group
    for mook in movers:
        stride = Step(step.region, group, leaves=False)
        stage = stage.with_battle(moved(stage.battle.spent(mook.id), mook.id, stride))
    words = (where(stage, movers[0].id), "Nobody notices.")
    return outcome(stage.told(*words), f"moves {counted(movers)[0]}", *movers)
