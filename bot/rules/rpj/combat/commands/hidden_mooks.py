"""Revealing hidden mooks, and removing mooks."""

from pydantic import Field

from bot.rules.kernel import Document, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.combat.commands.coming_out import come_out
from bot.rules.rpj.combat.commands.gm_commands import alike
from bot.rules.rpj.combat.engine.stack import outcome
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.crowds import counted


class WhoOptions(Document):
    """The options of a command about mooks."""

    who: str = Field(max_length=100)


def reveal(scene: Scene, options: WhoOptions, _dice: Dice) -> Outcome:
    """Reveal hidden mooks of a kind; they have turns from now on.

    Raises:
        UserError: If none of them hides.

    Source: RPJ-GCS-46, RPJ-GM-04.
    """
    stage = Stage.of(scene)
    wanted = options.who.partition("×")[0].strip().casefold()
    hidden = [one for one in stage.fight.hiding if one.mook is not None]
    found = [
        one
        for one in hidden
        if one.mook is not None and wanted in (one.name.casefold(), one.mook.name.casefold())
    ]
    if not found:
        if any(one.name.casefold() == wanted for one in stage.fight.hiding):
            raise UserError(f"{options.who} isn't a mook.", "Use /gm encounter reveal for them.")
        names = ", ".join(counted(hidden))
        raise UserError(
            f"Nobody called “{options.who}” is hidden here.",
            f"Hidden: {names}." if names else "Nobody is hidden.",
        )
    stage = come_out(stage, found)
    places = {stage.fight.field.name(one.region) for one in found}
    return outcome(stage.noted(f"In {', '.join(sorted(places))}."), f"reveals {counted(found)[0]}")


declare("fight.reveal", WhoOptions, reveal, gm_only=True, needs_actor=False)


def remove(scene: Scene, options: WhoOptions, _dice: Dice) -> Outcome:
    """Remove mooks from the fight: they fled, or were never there.

    Source: RPJ-GM-04.
    """
    stage = Stage.of(scene)
    gone = alike(stage, options.who)
    fight = stage.fight
    for mook in gone:
        fight = fight.without_fighter(mook.id)
    stage = stage.with_battle(stage.battle.with_fight(fight))
    return outcome(stage, f"removes {counted(gone)[0]} from the fight", *gone)


declare("fight.remove", WhoOptions, remove, gm_only=True, needs_actor=False)
