"""Campaigns, their settings and modules."""

from typing import TYPE_CHECKING

from bot import late

if not TYPE_CHECKING:  # for mypy they are modules like others
    __getattr__ = late(__name__, "bestiary", "modules", "prepared_encounters")
