"""Keep the commands of single servers up to date: those of the games and packs played there."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import discord
import structlog

from bot.app.command_sync import Definition, digest, ids_of, server_definitions, shared_ids, version
from bot.table.base.table import Shards
from bot.table.base.use_case_errors import StoreUnavailable
from bot.table.campaigns import registered_commands
from bot.table.campaigns.registered_commands import ServerId

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

AT_ONCE = 4  # servers; Discord allows 50 requests a second for everything the bot does
MOST_MADE = 32  # choices of games and packs whose commands are remembered
PATIENT_TRIES = 5  # for which the commands of every server wait
PASSING = (discord.HTTPException, StoreUnavailable, OSError, TimeoutError)


class ServerCommands:
    """Sends a server its commands whenever its campaigns need others.

    What was sent is stored, so that nothing is sent twice. What fails is tried again, after longer and
    longer pauses.

    Args:
        bot: The bot.
    """

    def __init__(self, bot: "Tablekeeper") -> None:
        self._bot = bot
        self._versions: dict[str, str] = {}
        self._made: dict[tuple[frozenset[str], ...], tuple[list[Definition], str]] = {}
        self._places = asyncio.Semaphore(AT_ONCE)
        self._outdated: set[ServerId] = set()
        self._keeping: dict[ServerId, asyncio.Task[None]] = {}
        self._tried: dict[ServerId, asyncio.Event] = {}
        self._end: Callable[[], None] | None = None

    def listen(self) -> None:
        """Start following changes of campaigns."""
        self._end = registered_commands.listen(self._bot.table, self.refresh)

    async def catch_up(self) -> None:
        """Bring every server of this process up to date, with one query where nothing has changed.

        Returns when each was served, refused for good, or tried several times.
        """
        found = await registered_commands.outdated(self._bot.table, self._known_versions())
        for server, is_outdated in found.items():
            if self.has_left(server):
                await registered_commands.forget(self._bot.table, server)
            elif is_outdated:
                self.refresh(server)
        for tried in list(self._tried.values()):
            await tried.wait()

    def refresh(self, server: ServerId) -> None:
        """Bring a server up to date as soon as possible."""
        self._outdated.add(server)
        if server not in self._keeping:
            self._tried[server] = asyncio.Event()
            self._keeping[server] = asyncio.create_task(self._keep(server))

    async def join(self, server: ServerId) -> None:
        """Give a server that the bot has joined the commands of the campaigns it had there before."""
        await self.leave(server)
        self.refresh(server)

    async def leave(self, server: ServerId) -> None:
        """Forget the commands of a server that the bot has left; Discord has removed them."""
        if server in self._keeping:
            self._keeping[server].cancel()
        with suppress(StoreUnavailable):  # then the next start forgets them
            await registered_commands.forget(self._bot.table, server)
            log.info("server commands forgotten", server=server)

    def let_go(self, shards: Shards) -> None:
        """Send the servers of some shards nothing more; another process looks after them."""
        for server in [server for server in self._keeping if shards.has(server)]:
            self._keeping[server].cancel()

    async def ids(self, server: ServerId) -> Mapping[str, int]:
        """Return Discord's ids of all commands of a server by name, as far as they are known."""
        store, application_id = self._bot.table.store, self._bot.application_id or 0
        own = await registered_commands.ids(self._bot.table, server)
        return {**await shared_ids(store, application_id), **own}

    def close(self) -> None:
        """Cancel everything; the next start catches up."""
        if self._end is not None:
            self._end()
            self._end = None
        for task in list(self._keeping.values()):
            task.cancel()

    async def _keep(self, server: ServerId) -> None:
        """Send a server its commands, and try again until Discord has taken them."""
        tries = 0
        try:
            while server in self._outdated and self._bot.table.shards.has(server):
                self._outdated.discard(server)
                try:
                    async with self._places:
                        await self._send(server)
                except PASSING as error:
                    tries += 1
                    self._note_failure(server, error, tries)
                    self._outdated.add(server)
                    pace = self._bot.pace
                    pause_seconds = pace.command_retry_seconds * 2 ** min(tries - 1, 10)
                    await asyncio.sleep(min(pause_seconds, pace.longest_command_retry_seconds))
        finally:
            self._outdated.discard(server)
            self._keeping.pop(server, None)
            self._tried.pop(server).set()

    def _note_failure(self, server: ServerId, error: Exception, tries: int) -> None:
        if tries == 1:
            log.warning("server commands not sent", server=server, reason=str(error))
        if tries >= PATIENT_TRIES or isinstance(error, discord.Forbidden | discord.NotFound):
            self._tried[server].set()

    async def _send(self, server: ServerId) -> None:
        """Send a server its commands if they are others than Discord has."""
        bot = self._bot
        await bot.load_games(await registered_commands.games(bot.table, server))
        wish = await registered_commands.wanted(bot.table, server, self._known_versions())
        if wish is None:
            return
        (definitions, fingerprint), ids = self._definitions(wish.needs), wish.ids
        if fingerprint != wish.fingerprint:
            assert bot.application_id is not None  # noqa: S101  # known from the login on
            sent = await bot.http.bulk_upsert_guild_commands(bot.application_id, server, payload=definitions)
            ids = ids_of(sent)
            log.info("server commands sent", server=server, commands=len(definitions))
        await registered_commands.note_sent(bot.table, wish, fingerprint, ids)

    def _definitions(self, needs: Collection[str]) -> tuple[list[Definition], str]:
        """Return the commands of the games and packs given, and their digest; most servers play the same."""
        key = frozenset(needs), frozenset(self._bot.loaded_games)
        if key not in self._made:
            definitions = server_definitions(self._bot, needs)
            if len(self._made) == MOST_MADE:
                del self._made[next(iter(self._made))]
            self._made[key] = definitions, digest(definitions)
        return self._made[key]

    def _known_versions(self) -> Mapping[str, str]:
        for game in self._bot.loaded_games - self._versions.keys():
            self._versions[game] = version(self._bot, game)
        return dict(self._versions)

    def has_left(self, server: ServerId) -> bool:
        """Return whether a server that this process looks after removed the bot; an outage is no removal.

        Discord lists a shard's servers when that connects; until then nothing is known of them.
        """
        bot = self._bot
        shard = (server >> 22) % (bot.shard_count or 1)
        is_listed = shard in bot.connected_shards and bot.table.shards.has(server)
        return is_listed and bot.get_guild(server) is None
