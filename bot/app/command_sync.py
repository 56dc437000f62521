"""What Discord is told of the slash commands: those of every server, and those of single ones."""

import asyncio
import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import discord
import structlog
from discord import app_commands

from bot.table.base.table import OWN_PREFIX, Shards
from bot.table.base.turn import StoreUnavailable
from bot.table.campaigns import campaigns
from bot.table.campaigns.campaigns import ServerId
from bot.ui.commands.options import GAME, MANAGING, ODDS, AnyCommand, Leaf, is_listed, is_of_games, is_offered

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper
    from bot.store.transaction import Store, Transaction


log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

Definition = dict[str, Any]


def shared_definitions(bot: "Tablekeeper") -> list[Definition]:
    """Return the commands of every server: those without anything of a game."""
    shared = [one for one in bot.tree.get_commands() if not is_of_games(one)]
    found = [_definition(bot, one, lambda _leaf: True) for one in shared]
    return sorted((_limited(bot, one) for one in found if one), key=_identity)


def _limited(bot: "Tablekeeper", definition: Definition) -> Definition:
    """Return a command's definition, shown to managers alone where it is for them."""
    if bot.settings.all_commands or definition["name"] not in MANAGING:
        return definition
    return {**definition, "default_member_permissions": discord.Permissions(manage_guild=True).value}


def server_definitions(bot: "Tablekeeper", needs: Collection[str]) -> list[Definition]:
    """Return the commands of the games and packs given."""
    own = [one.removeprefix(OWN_PREFIX) for one in needs if one.startswith(OWN_PREFIX)]
    shared = _definitions(bot, lambda one: is_offered(one, needs)) if needs else []
    pages = [own_odds(bot, one) for one in own]
    shared = [{**one, "options": [*one["options"], *pages]} if one["name"] == ODDS else one for one in shared]
    return sorted((*shared, *(own_definition(bot, one) for one in own)), key=_identity)


def own_odds(bot: "Tablekeeper", name: str = "own") -> Definition:
    """Return the page of `/odds` of a game of one's own: what its own command calls so, under its name."""
    page = None if bot.own_command is None else bot.own_command.get_command(ODDS)
    return {} if page is None else {**page.to_dict(bot.tree), "name": name}


def own_definition(bot: "Tablekeeper", name: str = "own") -> Definition:
    """Return the command of a game of one's own: that of every other under its name."""
    return {} if bot.own_command is None else {**bot.own_command.to_dict(bot.tree), "name": name}


def _definitions(bot: "Tablekeeper", is_in: Callable[[Leaf], bool]) -> list[Definition]:
    """Return as much of the games' commands as is in a choice."""
    found = [_definition(bot, one, is_in) for one in bot.tree.get_commands() if is_of_games(one)]
    return sorted((one for one in found if one), key=_identity)


def _definition(bot: "Tablekeeper", command: AnyCommand, is_in: Callable[[Leaf], bool]) -> Definition | None:
    """Return a command with as much below it as is in a choice; None if nothing is."""
    if not isinstance(command, app_commands.Group):
        is_sent = is_in(command) and (bot.settings.all_commands or is_listed(command))
        return dict(command.to_dict(bot.tree)) if is_sent else None
    below = [_definition(bot, one, is_in) for one in command.commands]
    options = [one for one in below if one]
    return {**command.to_dict(bot.tree), "options": options} if options else None


def digest(definitions: Sequence[Definition]) -> str:
    """Return the SHA-256 of definitions."""
    return hashlib.sha256(json.dumps(definitions, sort_keys=True).encode()).hexdigest()


def version(bot: "Tablekeeper", game: str) -> str:
    """Return a digest of a game's commands, whatever order they were added in."""
    return digest(_definitions(bot, lambda one: one.extras.get(GAME) in (None, game)))


def _identity(command: Definition) -> tuple[str, int]:
    return str(command["name"]), int(command.get("type", 1))


async def sync_if_changed(bot: "Tablekeeper", application_id: int) -> bool:
    """Send the commands of every server if their definitions changed or Discord has other ones.

    Args:
        bot: The bot with its command tree.

    Returns:
        Whether they were sent.
    """
    store, definitions = bot.table.store, shared_definitions(bot)
    key, now = f"commands:{application_id}", digest(definitions)
    known: Sequence[Any] = await bot.http.get_global_commands(application_id)
    is_sent = await _recalled(store, key) != now or not _are(known, definitions)
    if is_sent:
        known = await bot.http.bulk_upsert_global_commands(application_id, payload=definitions)
    log.info("commands synced" if is_sent else "commands unchanged", commands=len(definitions))
    ids = json.dumps(ids_of(known), sort_keys=True)
    if is_sent or await _recalled(store, _ids_key(application_id)) != ids:

        def note(tx: "Transaction") -> None:
            tx.set_meta(key, now)
            tx.set_meta(_ids_key(application_id), ids)

        with suppress(StoreUnavailable):  # then the next start sends them once more
            await store.run(note)
    return is_sent


def ids_of(known: Sequence[Any]) -> dict[str, int]:
    """Return the ids of slash commands as Discord lists them, by name."""
    return {one["name"]: int(one["id"]) for one in known if one.get("type", 1) == 1}


async def shared_ids(store: "Store", application_id: int) -> dict[str, int]:
    """Return Discord's ids of the commands of every server, by name, as far as they are known."""
    ids: dict[str, int] = json.loads(await _recalled(store, _ids_key(application_id)) or "{}")
    return ids


def _ids_key(application_id: int) -> str:
    return f"command ids:{application_id}"


async def _recalled(store: "Store", key: str) -> str | None:
    try:
        return await store.read(lambda reader: reader.meta(key))
    except StoreUnavailable:
        return None


def _are(known: Sequence[Any], definitions: Sequence[Definition]) -> bool:
    """Return whether Discord has commands of these names; somebody may have removed them."""
    return {_identity(one) for one in known} == {_identity(one) for one in definitions}


AT_ONCE = 4  # servers; Discord allows 50 requests a second for everything the bot does
MOST_MADE = 32  # choices of games and packs whose commands are remembered
PATIENT_TRIES = 5  # for which the commands of every server wait
PASSING = (discord.HTTPException, StoreUnavailable, OSError, TimeoutError)


class ServerCommands:
    """Sends a server its commands whenever its campaigns need others.

    What was sent is stored, so that nothing is sent twice. What fails is tried again, after longer and
    longer pauses.
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
        self._end = campaigns.listen(self._bot.table, self.refresh)

    async def catch_up(self) -> None:
        """Bring every server of this process up to date, with one query where nothing has changed.

        Returns when each was served, refused for good, or tried several times.
        """
        found = await campaigns.outdated(self._bot.table, self._known_versions())
        for server, is_outdated in found.items():
            if self.has_left(server):
                await campaigns.forget(self._bot.table, server)
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
            await campaigns.forget(self._bot.table, server)
            log.info("server commands forgotten", server=server)

    def let_go(self, shards: Shards) -> None:
        """Send the servers of some shards nothing more; another process looks after them."""
        for server in [server for server in self._keeping if shards.has(server)]:
            self._keeping[server].cancel()

    async def ids(self, server: ServerId) -> Mapping[str, int]:
        """Return Discord's ids of all commands of a server by name, as far as they are known."""
        store, application_id = self._bot.table.store, self._bot.application_id or 0
        own = await campaigns.ids(self._bot.table, server)
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
        await bot.load_games(await campaigns.games(bot.table, server))
        wish = await campaigns.wanted(bot.table, server, self._known_versions())
        if wish is None:
            return
        games = bot.table.games.keys() & {need.partition("/")[0] for need in wish.needs}
        if not games <= bot.loaded_games:  # a campaign was made meanwhile
            self._outdated.add(server)
            await bot.load_games(games)
            return
        (definitions, fingerprint), ids = self._definitions(wish.needs), wish.ids
        if fingerprint != wish.fingerprint:
            assert bot.application_id is not None  # noqa: S101  # known from the login on
            sent = await bot.http.bulk_upsert_guild_commands(bot.application_id, server, payload=definitions)
            ids = ids_of(sent)
            log.info("server commands sent", server=server, commands=len(definitions))
        await campaigns.note_sent(bot.table, wish, fingerprint, ids)

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
        self._versions.setdefault(OWN_PREFIX, digest([own_definition(self._bot), own_odds(self._bot)]))
        return dict(self._versions)

    def has_left(self, server: ServerId) -> bool:
        """Return whether a server that this process looks after removed the bot; an outage is no removal.

        Discord lists a shard's servers when that connects; until then nothing is known of them.
        """
        bot = self._bot
        shard = (server >> 22) % (bot.shard_count or 1)
        is_listed = shard in bot.connected_shards and bot.table.shards.has(server)
        return is_listed and bot.get_guild(server) is None
