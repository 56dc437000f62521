"""Use cases that only a GM may use."""

from typing import TYPE_CHECKING

from bot import late

if not TYPE_CHECKING:  # for mypy they are modules like others
    __getattr__ = late(__name__, "desk", "gm_secrets", "waiting")
