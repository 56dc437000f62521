"""The d20 dice notation: reading an expression, rolling it, showing it, and its exact chances."""

from bot.rules.shared.notation.dice_pools import DicePool, DieRolled, Face
from bot.rules.shared.notation.distribution import QUICK_WORK, NoDistribution, TotalOdds, Why, distribution
from bot.rules.shared.notation.parser import (
    DividedByZero,
    Endless,
    NoSides,
    Term,
    TooMuch,
    Unreadable,
    Value,
    parse,
)
from bot.rules.shared.notation.roll import Fragment, Label, Rolled, ShownDie, Text, fragments, roll, shown

__all__ = [
    "QUICK_WORK",
    "DicePool",
    "DieRolled",
    "DividedByZero",
    "Endless",
    "Face",
    "Fragment",
    "Label",
    "NoDistribution",
    "NoSides",
    "Rolled",
    "ShownDie",
    "Term",
    "Text",
    "TooMuch",
    "TotalOdds",
    "Unreadable",
    "Value",
    "Why",
    "distribution",
    "fragments",
    "parse",
    "roll",
    "shown",
]
