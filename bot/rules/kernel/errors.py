"""Errors for what the rules or the table do not allow."""

WAYS_TO_JOIN = "Take a ready-made hero or make your own with /character create."


class UserError(Exception):
    """The person asked for something that is not allowed; nothing changed.

    Args:
        what: What was wrong, one sentence.
        allowed: What is allowed instead, one sentence or nothing.
        try_this: What to type or press next, or nothing.
    """

    def __init__(self, what: str, allowed: str = "", try_this: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.allowed = allowed
        self.try_this = try_this

    @property
    def sentences(self) -> tuple[str, ...]:
        """Every sentence of the error, in order."""
        return tuple(part for part in (self.what, self.allowed, self.try_this) if part)


class NobodyToPlay(UserError):
    """The person has no character to act with."""

    may_join = True  # whether a new character is a way out


class UserErrors(UserError):
    """Several user errors at once.

    Args:
        problems: One sentence a problem, at least one.
        try_this: What to type or press next, or nothing.
    """

    def __init__(self, problems: tuple[str, ...], try_this: str = "") -> None:
        super().__init__(" ".join(problems), try_this=try_this)
        self.problems = problems


class Misnamed(UserError):
    """An unknown name was typed, but similar names exist.

    Args:
        what: What was wrong, one sentence.
        typed: The name as it was typed.
        meant: The names that may have been meant, the likeliest first.
    """

    def __init__(self, what: str, typed: str, meant: tuple[str, ...]) -> None:
        super().__init__(what, f"Did you mean {' or '.join(meant)}?")
        self.typed = typed
        self.meant = meant


class FightElsewhere(UserError):
    """A character already fights in another channel.

    Args:
        name: The character's name.
        channel: The channel of that fight.
    """

    def __init__(self, name: str, channel: str) -> None:
        super().__init__(
            f"{name} is already in a fight in another channel.",
            "Leave that one first on your sheet there, or ask a GM to end it.",
        )
        self.channel = channel
