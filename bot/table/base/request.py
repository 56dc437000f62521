"""A request: who asks, where, and by which interaction."""

from dataclasses import dataclass

from bot.store.records import ServerId

__all__ = ["Request", "ServerId"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Everything a use case needs to know about the person in front of it.

    Attributes:
        server: The server it comes from.
        places: Thread, channel and category, nearest first; at least one.
        person: Who asks.
        person_name: Their name as shown in the server.
        roles: The Discord roles they have.
        manages_server: Whether they own the server or may manage it.
        interaction: Id of the interaction; the same id twice is one request.
        lacks: The permissions that the bot lacks to post in the channel, as Discord calls them.
        message: The pressed message, if it is public; else None.
    """

    server: ServerId
    places: tuple[int, ...]
    person: int
    person_name: str
    roles: frozenset[int] = frozenset()
    manages_server: bool = False
    interaction: str
    lacks: tuple[str, ...] = ()
    message: int | None = None

    @property
    def channel(self) -> int:
        """The channel of the request and of its answer."""
        return self.places[0]
