"""Exits: the exit codes, and the errors that lead to them."""

from collections.abc import Sequence
from enum import IntEnum


class Exit(IntEnum):
    """Exit codes; the higher ones are those of ``sysexits.h``."""

    OK = 0
    FOUND_WRONG = 1
    USAGE = 2
    UNAVAILABLE = 69
    INTERNAL = 70
    CONFIG = 78


MEANINGS = {
    Exit.OK: "all is well",
    Exit.FOUND_WRONG: "a check found something wrong, or a backup or copy was refused",
    Exit.USAGE: "the command line was not understood",
    Exit.UNAVAILABLE: "Discord or the database cannot be used",
    Exit.INTERNAL: "a bug in the program",
    Exit.CONFIG: "a setting is wrong or missing",
}


class Unavailable(Exception):
    """Something the program needs can't be used, and trying again would not help."""


class ConfigError(Exception):
    """The settings can't be used; one line for each problem.

    Args:
        lines: What is wrong, each naming its key.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)
