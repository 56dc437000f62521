"""Mooks that only the GM knows of, until they come out."""

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.rpj.combat.asking import outcome
from bot.rules.rpj.combat.commanding import WhoOptions
from bot.rules.rpj.combat.fight import counted
from bot.rules.rpj.combat.stage import Stage
from bot.rules.ruleset import Outcome, Procedure, Scene


def reveal(scene: Scene, options: WhoOptions, _dice: Dice) -> Outcome:
    """Let hidden mooks of a kind come out; they have their turns from now on.

    Raises:
        Mistake: If none of them hides.

    Source: RPJ-GCS-46, RPJ-GM-04.
    """
    stage = Stage.of(scene)
    wanted = options.who.partition("×")[0].strip().casefold()
    hidden = [one for one in stage.fight.fighters if one.is_hidden and one.mook is not None]
    found = [
        one
        for one in hidden
        if one.mook is not None and wanted in (one.name.casefold(), one.mook.name.casefold())
    ]
    if not found:
        names = ", ".join(counted(hidden))
        raise Mistake(f"No {options.who} hides here.", f"Hidden are {names}." if names else "Nobody hides.")
    for mook in found:
        stage = stage.with_battle(stage.battle.changed(mook.id, is_hidden=False))
    places = {stage.fight.field.name(one.region) for one in found}
    return outcome(stage.told(f"In {', '.join(sorted(places))}."), f"reveals {counted(found)[0]}")


HIDING_PROCEDURES = (
    Procedure(key="fight.reveal", options=WhoOptions, run=reveal, gm_only=True, needs_actor=False),
)
