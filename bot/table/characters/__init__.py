"""Characters: make, show, export and admit them."""

from typing import TYPE_CHECKING

from bot import late

if not TYPE_CHECKING:  # for mypy they are modules like others
    __getattr__ = late(__name__, "character_files", "creation_pages", "personal_data")
