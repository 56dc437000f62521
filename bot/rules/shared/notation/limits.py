"""How much one expression may ask for.

The bounds keep a roll readable and its cost small, whatever is typed.
"""

MAX_CHARACTERS = 200
"""Characters of an expression."""

MAX_DICE = 200
"""Dice written in one expression, added up."""

MAX_THROWS = 500
"""Dice thrown for one expression, re-rolls and explosions included."""

MAX_SIDES = 1000
"""Sides of a die."""

MAX_NUMBER = 1_000_000
"""The largest number that may be written."""

MAX_DECIMALS = 6
"""Digits after the decimal point of a written number."""

MAX_DEPTH = 20
"""Parentheses and signs inside each other."""

MAX_RESULT = 1_000_000_000_000
"""The largest result, also on the way, above or below zero."""
