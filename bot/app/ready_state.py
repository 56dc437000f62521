"""When the bot is ready: as soon as Discord has sent every server that it announced.

discord.py alone does not count them: it waits until none has come for two seconds.
"""

import asyncio
from typing import Any

import discord
from discord.state import AutoShardedConnectionState


class AnnouncedServers(asyncio.Queue[discord.Guild]):
    """A shard's servers as Discord sends them; once all it announced are there, nobody waits for more."""

    def __init__(self, announced: set[int]) -> None:
        super().__init__()
        self.announced = announced

    async def get(self) -> discord.Guild:
        """Return the next server.

        Raises:
            TimeoutError: If there is none to come; discord.py otherwise learns that only by waiting.
        """
        if self.empty() and not self.announced:
            raise TimeoutError
        server = await super().get()
        self.announced.discard(server.id)
        return server


class ReadyState(AutoShardedConnectionState[Any]):
    """discord.py's connection state, which counts the servers."""

    def parse_ready(self, data: Any) -> None:
        """Note which servers a shard has, so that the bot is ready as soon as Discord has sent them."""
        shard, announced = data["shard"][0], {int(server["id"]) for server in data["guilds"]}
        waiting = self._ready_states.get(shard)
        if isinstance(waiting, AnnouncedServers):
            waiting.announced = announced
        else:
            self._ready_states[shard] = AnnouncedServers(announced)
        super().parse_ready(data)
