"""Check whether the bot may post in a channel, before a change that needs it."""

from bot.rules.kernel.errors import UserError
from bot.table.base.request import Request

WHERE_TO_ALLOW = "Anyone who manages this channel can allow it under Edit Channel > Permissions > my role."


class CannotPost(UserError):
    """The bot may not post in the channel.

    Args:
        lacks: The permissions that it lacks there.
    """

    def __init__(self, lacks: tuple[str, ...]) -> None:
        super().__init__(
            f"I can't post in this channel: I'm missing {', '.join(lacks)}.",
            WHERE_TO_ALLOW,
            "Then try again, or use another channel.",
        )


def require_posting(request: Request) -> None:
    """Raise `CannotPost` if the bot may not post."""
    if request.lacks:
        raise CannotPost(request.lacks)


def posting_notes(request: Request, what: str) -> tuple[str, ...]:
    """Return a note if something can't be posted; empty if it can."""
    if not request.lacks:
        return ()
    return (f"{what} I'm missing {', '.join(request.lacks)} in this channel. {WHERE_TO_ALLOW}",)
