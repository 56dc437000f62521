"""Requested checks, and shared prompts that several people press."""

from typing import TYPE_CHECKING

from bot import late

if not TYPE_CHECKING:  # for mypy they are modules like others
    __getattr__ = late(__name__, "asking_page", "requested_checks")
