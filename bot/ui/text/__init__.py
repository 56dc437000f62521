"""Values as text and pictures, without any Discord code."""

from typing import TYPE_CHECKING

from bot import late

if not TYPE_CHECKING:  # for mypy they are modules like others
    __getattr__ = late(__name__, "attack_pictures")
