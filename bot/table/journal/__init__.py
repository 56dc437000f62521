"""The journal: write, read, undo, export and verify entries, and make recaps."""

from typing import TYPE_CHECKING

from bot import late

if not TYPE_CHECKING:  # for mypy they are modules like others
    __getattr__ = late(__name__, "dice_stats", "log", "recap", "verify")
