"""What monitoring needs to know of the bot."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from bot.app.traffic import Traffic


class MonitoredBot(Protocol):
    """A bot that can be monitored."""

    traffic: "Traffic"

    @property
    def guilds(self) -> Any:
        """The servers."""

    @property
    def latencies(self) -> list[tuple[int, float]]:
        """The seconds between a heartbeat and its answer, by shard."""

    @property
    def connected_shards(self) -> Collection[int]:
        """The shards that are connected to Discord."""

    @property
    def held_shards(self) -> Collection[int]:
        """The shards that this process runs."""

    @property
    def wanted_shards(self) -> int:
        """How many shards this process is to run."""

    def is_ready(self) -> bool:
        """Whether the servers are known."""

    def edits_waiting(self) -> Mapping[str, int]:
        """Return how many messages wait for an edit, by kind."""
