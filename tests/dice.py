"""Dice for tests."""

from bot.rules.kernel.dice import Fall, ReplayedDice


class ScriptedDice(ReplayedDice):
    """Dice that fall as told: ``ScriptedDice("d6:4 d6:1")``."""

    def __init__(self, script: str) -> None:
        entries = (entry.removeprefix("d").split(":") for entry in script.split())
        super().__init__(Fall(int(sides), int(face)) for sides, face in entries)
