"""A request: who asks, where, and by which interaction."""

from msgspec import Struct

from bot.rules.kernel.errors import UserError
from bot.store.records import ServerId

__all__ = ["BY_ITSELF", "Request", "ServerId", "by_itself", "of_nobody"]

BY_ITSELF = "Tablekeeper"  # in whose name the bot does what nobody presses
NOBODY = 0


class Request(Struct, frozen=True, kw_only=True):
    """Everything a use case needs to know about the person in front of it."""

    server: ServerId  # the server it comes from
    places: tuple[int, ...]  # thread, channel and category, nearest first; at least one
    person: int  # who asks
    person_name: str  # their name as shown in the server
    roles: frozenset[int] = frozenset()  # the Discord roles they have
    manages_server: bool = False  # whether they own the server or may manage it
    interaction: str  # id of the interaction; the same id twice is one request
    # The permissions that the bot lacks to post in the channel, as Discord calls them.
    lacks: tuple[str, ...] = ()
    message: int | None = None  # the pressed message, if it is public; else None

    @property
    def channel(self) -> int:
        """The channel of the request and of its answer."""
        return self.places[0]

    @property
    def is_by_itself(self) -> bool:
        """Whether the bot does it by itself, in nobody's name."""
        return self.person == NOBODY


def by_itself(server: ServerId, channel: int, interaction: str) -> Request:
    """Return a request for something that the bot does by itself, with a GM's rights."""
    return Request(
        server=server,
        places=(channel,),
        person=NOBODY,
        person_name=BY_ITSELF,
        manages_server=True,
        interaction=interaction,
    )


def of_nobody(server: ServerId, channel: int = 0) -> Request:
    """Return a request in nobody's name, to read what a message shows that updates itself."""
    return Request(server=server, places=(channel,), person=NOBODY, person_name="", interaction="")


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
