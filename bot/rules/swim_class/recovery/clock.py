"""The GM's game clock."""

from pydantic import Field

from bot.rules.kernel import Document, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.sheet import Outcome, Scene


class SwimClockOptions(Document):
    """How much game time passes."""

    hours: int = Field(default=0, ge=0, le=1000)
    minutes: int = Field(default=0, ge=0, le=1000)


def pass_time(scene: Scene, options: SwimClockOptions, _dice: Dice) -> Outcome:
    """Let game time pass."""
    seconds = options.hours * 3600 + options.minutes * 60
    if not seconds:
        raise UserError("Give hours or minutes.")
    return Outcome(
        scene=scene.at_clock(scene.clock + seconds), headline=f"advances the clock by {_time(options)}"
    )


declare("clock", SwimClockOptions, pass_time, gm_only=True, needs_actor=False)


def _time(options: SwimClockOptions) -> str:
    parts = [counted(options.hours, "hour", "hours")] if options.hours else []
    parts += [counted(options.minutes, "minute", "minutes")] if options.minutes else []
    return " and ".join(parts)
