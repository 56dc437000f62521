"""The d20 dice notation: reading an expression, rolling it, showing it, and its exact chances."""

from bot.rules.shared.notation.dice_pools import DicePool, DieRolled, Face
from bot.rules.shared.notation.distribution import QUICK_WORK, NoDistribution, TotalOdds, Why, distribution
from bot.rules.shared.notation.notation_errors import DividedByZero, Endless, NoSides, TooMuch, Unreadable
from bot.rules.shared.notation.parser import parse
from bot.rules.shared.notation.roll import roll
from bot.rules.shared.notation.rolled import Rolled
from bot.rules.shared.notation.show import Fragment, Label, ShownDie, Text, fragments, shown
from bot.rules.shared.notation.tree import Term, Value

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
