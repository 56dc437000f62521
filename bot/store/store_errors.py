"""What the store refuses, and what keeps it from working."""


class NameTaken(Exception):
    """Another of the same kind has that name."""


class OutOfBounds(Exception):
    """A counted thing would fall below nothing or rise over its cap."""


class Overtaken(Exception):
    """What was to be put back has been changed since."""


class AlreadyDone(Exception):
    """The interaction has its entry in the journal already."""


class Unjournalled(Exception):
    """A unit of work changed something and put no entry into the journal: a fault of the unit."""


class Contradiction(Exception):
    """What is to be kept contradicts what is kept already: a fault of the unit of work."""


class StoreUnavailable(Exception):
    """The database cannot be used just now.

    Args:
        reason: One line for the operator: what is wrong and what to do.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BackupRefused(StoreUnavailable):
    """A backup or restore was not begun, because something would be lost, or the backup is no good."""
