"""The errors of the store: what it refuses, and why it is unavailable."""


class NameTaken(Exception):
    """Another thing of the same kind has that name."""


class OutOfBounds(Exception):
    """A counted value would fall below 0 or rise above its cap."""


class Overtaken(Exception):
    """What was to be reverted has been changed since."""


class AlreadyDone(Exception):
    """The interaction already has a journal entry."""


class Unjournalled(Exception):
    """A unit of work changed something without a journal entry: a fault of the unit."""


class Contradiction(Exception):
    """The new data contradicts what is stored: a fault of the unit of work."""


class StoreUnavailable(Exception):
    """The database can't be used just now.

    Args:
        reason: One line for the operator: what is wrong and what to do.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class OutcomeUnknown(StoreUnavailable):
    """The database stopped answering while it was told to commit: the unit may have been done, or not."""


class BackupRefused(StoreUnavailable):
    """A backup or restore was refused, because data would be lost or the backup is not valid."""


class CopyRefused(StoreUnavailable):
    """A copy was refused, because data would be lost, or it is not the same as what it was made of."""
