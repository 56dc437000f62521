"""The discord.py client: its intents, its cogs and its error handling."""

import asyncio
import pkgutil
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import discord
import structlog
import yarl
from discord import app_commands
from discord.ext import commands

import cogs
from bot.app.command_sync import ServerCommands, sync_if_changed
from bot.app.traffic import Passed, Traffic, TrafficState
from bot.cluster import shard_holder
from bot.rules import covers, rulesets
from bot.rules.kernel.game_covers import Titled
from bot.table.base.table import Shards
from bot.table.base.turn import StoreUnavailable
from bot.table.campaigns import campaigns
from bot.table.campaigns.campaigns import ServerId
from bot.ui.commands.options import ODDS, add_odds_page
from bot.ui.input.answer import answer_failure
from bot.ui.input.dice_emojis import provide_emojis
from bot.ui.input.presses import Presses, handle_press
from bot.ui.live.countdown_board import COUNTDOWN_BOARD
from bot.ui.live.desk_message import DESK_MESSAGE
from bot.ui.live.fight_board import FIGHT_BOARD
from bot.ui.live.live_message import LiveKind, LiveMessage, PlaceT
from bot.ui.live.open_sheets import OpenSheets
from bot.ui.live.result_messages import MissedAnswers, PostedNotes, result_messages

if TYPE_CHECKING:
    import aiohttp

    from bot.app.config import DiscordSettings
    from bot.app.pace import Pace
    from bot.cluster.shard_holder import Locks
    from bot.table.base.table import Table

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


def intents() -> discord.Intents:
    """Return the intents: servers, scheduled events and voice channels; no privileged ones."""
    return discord.Intents(guilds=True, guild_scheduled_events=True, voice_states=True)


def address_discord(settings: "DiscordSettings") -> None:
    """Point discord.py to the addresses of the settings, and silence its warning about voice."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    discord.http.Route.BASE = settings.api_url
    if settings.gateway_url is not None:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway_url)


# Names that commands and options had before, with what they are called now: a client may still know the old.
OLD_NAMES = {
    "favourite": "favorite",
    "stabilise": "stabilize",
    "specialise": "specialize",
    "armour": "armor",
    "defence": "defense",
    "defence_modifier": "defense_modifier",
}


def _respelled(data: Any, among: Any) -> Any:
    """Return what was typed with today's names of commands and options, where only the old ones are there.

    Args:
        data: The command that was typed, or a part of it, as Discord sends it.
        among: The tree or the group that has it; for an option None.
    """
    name = data["name"]
    known = among.get_command(name) if among is not None else None
    if known is None:
        name = OLD_NAMES.get(name, name)
        known = among.get_command(name) if among is not None else None
    group = known if isinstance(known, app_commands.Group) else None
    parts = data.get("options")
    changed = {"name": name}
    return {**data, **changed, **({"options": [_respelled(one, group) for one in parts]} if parts else {})}


class Tree(app_commands.CommandTree["Tablekeeper"]):
    """The command tree, which answers every failure, and the commands of games of one's own."""

    def _get_app_command_options(self, data: Any) -> tuple[Any, Any]:
        """Return the command that was typed, with its options.

        All games of one's own share one command under their names, and its page of `/odds`, so that none has
        to be added to the tree.
        """
        data = _respelled(data, self)
        own, options = self.client.own_command, data.get("options") or ()
        there, is_odds = self.get_command(data["name"]), data["name"] == ODDS
        has_page = not (is_odds and options and isinstance(there, app_commands.Group)) or (
            there.get_command(options[0]["name"]) is not None
        )
        if own is None or not options or (there is not None and has_page):
            return super()._get_app_command_options(data)
        command = own.get_command(ODDS if is_odds else options[0]["name"])
        if command is None:
            raise app_commands.CommandNotFound(options[0]["name"], [data["name"]])
        return command, options[0].get("options", [])

    async def on_error(
        self, interaction: "discord.Interaction[Tablekeeper]", error: app_commands.AppCommandError, /
    ) -> None:
        """Tell the person what went wrong, and log bugs."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await answer_failure(interaction, cause)
        await interaction.client.missed.tell(interaction)


class HeldServers:
    """Stops what is shown in servers that are given away, and catches up in those that are looked after.

    Args:
        live: What it keeps up to date.
    """

    def __init__(self, bot: "Tablekeeper", live: Sequence[LiveMessage[Any]]) -> None:
        self._bot = bot
        self._live = live

    async def let_go(self, lost: Shards) -> None:
        """Let what is being shown in the servers of some shards arrive, but not for long; forget it all.

        Then another process may look after them: it may change every message, so that nothing that is
        remembered counts if they come back. Everything that counts is stored.

        Args:
            lost: Those shards; the table's are others already, so that nothing new is begun.
        """
        bot = self._bot
        bot.server_commands.let_go(lost)
        bot.sheets.forget_servers(lost)
        bot.missed.forget(lost)
        await bot.posted.store()
        with suppress(TimeoutError):
            async with asyncio.timeout(bot.pace.finish_messages_seconds):
                for one in self._live:
                    await one.changes_ended(lost)
        for one in self._live:
            one.let_go(lost)

    async def catch_up(self) -> None:
        """Show what has changed in the servers looked after while nobody did, or while nobody heard of it."""
        while not self._bot.is_closed():
            try:
                await self._bot.missed.load()
                for one in self._live:
                    await one.refresh_all()
                self._bot.sheets.refresh_all()
            except StoreUnavailable as error:
                retry_seconds = self._bot.pace.retry_seconds
                log.warning("not caught up", reason=error.reason, retry_seconds=retry_seconds)
                await asyncio.sleep(retry_seconds)
            else:
                return


class Tablekeeper(commands.AutoShardedBot):
    """The bot: the cogs' commands on one connection to Discord.

    A game is loaded when there is a campaign of it, so that nobody waits or pays for games nobody plays.

    Args:
        table: What the commands play on.
        on_passed: Called with each interaction that is over.
        http_trace: Hears of the requests to Discord.
        locks: The locks of the shards, where processes divide these among themselves.
    """

    def __init__(
        self,
        settings: "DiscordSettings",
        table: "Table",
        *,
        pace: "Pace",
        on_passed: Callable[[Passed], None] | None = None,
        http_trace: "aiohttp.TraceConfig | None" = None,
        locks: "Locks | None" = None,
    ) -> None:
        self.traffic = Traffic(on_passed)
        self.settings = settings
        self.table = table
        self.pace = pace
        self.presses = Presses()
        self.boards = self._live_message(COUNTDOWN_BOARD)
        self.fights = self._live_message(FIGHT_BOARD, settle_seconds=pace.fight_settle_seconds)
        self.posted = PostedNotes(table, wait_seconds=pace.note_seconds)
        self.messages = self._live_message(result_messages(self.posted))
        self.desks = self._live_message(
            DESK_MESSAGE, settle_seconds=pace.desk_settle_seconds, edit_seconds=pace.desk_edit_seconds
        )
        self.server_commands = ServerCommands(self)
        self.sheets = OpenSheets(
            table,
            pace_seconds=settings.edit_seconds,
            settle_seconds=pace.sheet_settle_seconds,
            retry_seconds=pace.retry_seconds,
        )
        self.missed = MissedAnswers(self)
        self._live = (self.messages, self.boards, self.fights, self.desks)
        self.held_servers = HeldServers(self, self._live)
        self.loaded_games: set[str] = set()
        self.own_command: app_commands.Group | None = None  # what is typed in games of one's own
        self._loading_games = asyncio.Lock()
        self._connected: set[int] = set()
        self._syncing: asyncio.Task[None] | None = None
        self._gained = asyncio.Event()
        self.shard_holder = None if locks is None else shard_holder.ShardHolder(self, locks)
        super().__init__(
            command_prefix=(),
            help_command=None,
            tree_cls=Tree,
            intents=intents(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
            shard_count=settings.shard_count,
            guild_ready_timeout=pace.unlisted_server_seconds,
        )
        self.http.http_trace = http_trace
        if settings.shard_ids is not None:
            self.shard_ids = list(settings.shard_ids)
            table.shards = Shards(settings.shard_count or 1, frozenset(settings.shard_ids))

    def _live_message(
        self, kind: LiveKind[PlaceT], *, settle_seconds: float = 0, edit_seconds: float = 0
    ) -> LiveMessage[PlaceT]:
        """Return what keeps the messages of a kind up to date, at the bot's pace."""
        return LiveMessage(
            self,
            self.table,
            kind,
            settle_seconds=settle_seconds,
            pace_seconds=max(edit_seconds, self.settings.edit_seconds),
            move_seconds=self.pace.move_seconds,
            retry_seconds=self.pace.retry_seconds,
        )

    def _get_state(self, **options: Any) -> TrafficState:
        """Return the connection state whose interactions are tracked."""
        state = TrafficState(
            dispatch=self.dispatch, handlers=self._handlers, hooks=self._hooks, http=self.http, **options
        )
        state.traffic = self.traffic
        state.answer_press = answer_press
        if self.shard_holder is not None:
            state.serves = self.shard_holder.serves
        return state

    async def setup_hook(self) -> None:
        """Load the cogs and sync changed commands, once the token has been accepted."""
        await self.load_cogs()
        await self.load_played_games()
        await self.missed.load()
        self.server_commands.listen()
        self.sheets.listen()
        for one in self._live:
            one.listen()
        if self.settings.gateway_url is not None and self.shard_count is None:
            # Given a count, discord.py connects to the address of the settings and not to the one it is told.
            self.shard_count, _, _ = await self.http.get_bot_gateway()
        self._syncing = asyncio.create_task(self._keep_syncing())

    async def load_cogs(self) -> None:
        """Add the commands of no game, and the handlers of all buttons."""
        of_games = {_cog_of(game) for game in rulesets().covers}
        for name in cog_modules():
            if name not in of_games:
                await self._load_cog(name)

    async def _load_cog(self, name: str) -> None:
        """Add a cog; `load_extension` would execute its module again for every bot of the process."""
        await import_module(name).setup(self)

    async def load_games(self, keys: Iterable[str]) -> None:
        """Load games that are not loaded yet, in a thread, and add their commands."""
        async with self._loading_games:
            wanted = set(keys) - self.loaded_games
            for game in covers(self.table.games):
                if game.key in wanted:
                    loaded = await asyncio.to_thread(self.table.games.__getitem__, game.key)
                    if _cog_of(game) in cog_modules():
                        await self._load_cog(_cog_of(game))
                    add_odds_page(self.tree, loaded)
                    self.loaded_games.add(game.key)

    async def load_played_games(self) -> None:
        """Load every game of which there is a campaign."""
        try:
            await self.load_games(await campaigns.every_game(self.table))
        except StoreUnavailable as error:
            log.warning("played games not read", reason=error.reason)
            await self.load_games(self.table.games)

    async def close(self) -> None:
        """Close the connection to Discord."""
        if self._syncing is not None:
            self._syncing.cancel()
        self.server_commands.close()
        self.sheets.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.pace.finish_messages_seconds):
                for one in self._live:
                    await one.finish()
        for one in self._live:
            one.close()
        await self.posted.close()
        await super().close()

    # --- shards -----------------------------------------------------------------------------------

    @property
    def connected_shards(self) -> frozenset[int]:
        """The shards that are connected, so that Discord has listed their servers."""
        return frozenset(self._connected)

    @property
    def held_shards(self) -> frozenset[int]:
        """The shards that this process runs."""
        return frozenset(self.shards) if self.shard_holder is None else self.shard_holder.held

    @property
    def wanted_shards(self) -> int:
        """How many shards this process is to run."""
        return len(self.shards) if self.shard_holder is None else self.shard_holder.wanted

    def edits_waiting(self) -> dict[str, int]:
        """Return how many messages wait for an edit, by kind."""
        return {one.name: one.edits_waiting for one in self._live} | {"sheet": self.sheets.edits_waiting}

    @property
    def shards(self) -> dict[int, discord.ShardInfo]:
        """The shards of this process by their numbers; not those that it has given back."""
        known = super().shards
        held = known.keys() if self.shard_holder is None else self.shard_holder.held
        return {number: shard for number, shard in known.items() if number in held}

    def is_ready(self) -> bool:
        """Return whether the servers are known: those of all shards that this process should have."""
        return super().is_ready() if self.shard_holder is None else self.shard_holder.is_ready

    async def launch_shards(self) -> None:
        """Connect all shards, or leave it to the holder which ones and when."""
        if self.shard_holder is None:
            await super().launch_shards()
        else:
            self._connection.shard_count = self.shard_count
            self._connection.shard_ids = []  # discord.py then never says itself that all are ready
            self.shard_holder.begin((await self.fetch_session_start_limits()).max_concurrency)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may identify."""
        if self.shard_holder is None or shard_id is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self.shard_holder.before_identify(shard_id)

    async def hold_shards(self) -> None:
        """Follow the locks of the shards, if there are any, until cancelled; then disconnect everything."""
        if self.shard_holder is None:
            await asyncio.Event().wait()
        else:
            await self.shard_holder.run()

    def tell_ready(self) -> None:
        """Catch up with shards that this process has gained."""
        self._connection.call_handlers("ready")
        self.dispatch("ready")
        self._gained.set()

    def forget_shard(self, shard: int) -> None:
        """Forget what was known of the servers of a shard; Discord tells it anew at the next connection."""
        self._connected.discard(shard)
        for server in list(self.guilds):
            if server.shard_id == shard:
                self._connection._remove_guild(server)

    async def _keep_syncing(self) -> None:
        """Sync the commands, and try again while Discord or the database fails.

        The servers' own commands come first, so that none is missing where all were for every server.
        """
        await self.wait_until_ready()
        had_first, has_emojis = False, not self.settings.emojis
        while True:
            self._gained.clear()
            await self._sync(self.server_commands.catch_up)
            has_first = 0 in self.table.shards.held
            if has_first and not had_first:
                await self._sync(self._sync_shared)
            if self.settings.emojis and (not has_emojis or (has_first and not had_first)):
                await self._sync(self._provide_emojis)
            had_first, has_emojis = has_first, True
            with suppress(TimeoutError):
                async with asyncio.timeout(self.pace.unneeded_commands_seconds):
                    await self._gained.wait()

    async def _sync_shared(self) -> None:
        assert self.application_id is not None  # noqa: S101  # known from the login on
        await sync_if_changed(self, self.application_id)

    async def _provide_emojis(self) -> None:
        await provide_emojis(self, uploads=0 in self.table.shards.held)

    async def _sync(self, doing: Callable[[], Awaitable[None]]) -> None:
        """Do something until it succeeds."""
        while True:
            try:
                await doing()
            except (discord.HTTPException, StoreUnavailable, OSError, TimeoutError) as error:
                retry_seconds = self.pace.sync_retry_seconds
                log.warning("not synced with Discord", reason=str(error), retry_seconds=retry_seconds)
                await asyncio.sleep(retry_seconds)
            else:
                return

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Give a new server the commands of campaigns it had before."""
        await self.server_commands.join(ServerId(guild.id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Forget the commands of a server that removed the bot."""
        await self.server_commands.leave(ServerId(guild.id))

    async def on_ready(self) -> None:
        """Log that the bot is ready, and catch up on missed changes."""
        log.info("ready", servers=len(self.guilds), shards=len(self.shards))
        await self.held_servers.catch_up()

    async def on_shard_connect(self, shard_id: int) -> None:
        """Log that a shard has connected."""
        self._connected.add(shard_id)
        log.info("connected", shard=shard_id)
        if self.shard_holder is not None:
            await self.shard_holder.connected(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Note that a shard's servers are known."""
        if self.shard_holder is not None:
            self.shard_holder.ready(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Log once that a shard lost its connection, however often it retries."""
        if shard_id in self._connected:
            self._connected.remove(shard_id)
            log.warning("disconnected", shard=shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Log that a shard has resumed."""
        self._connected.add(shard_id)
        log.info("resumed", shard=shard_id)
        if self.shard_holder is not None:
            await self.shard_holder.connected(shard_id)


def _cog_of(game: Titled) -> str:
    """Return the module with a game's commands."""
    return f"{cogs.__name__}.{game.command}"


def cog_modules() -> list[str]:
    """Return the modules of the package `cogs`, in alphabetical order; each has a ``setup(bot)``."""
    return sorted(f"{cogs.__name__}.{module.name}" for module in pkgutil.iter_modules(cogs.__path__))


async def answer_press(interaction: "discord.Interaction[Tablekeeper]") -> None:
    """Answer a pressed button, a choice in a menu or a submitted form."""
    await handle_press(interaction.client.presses, interaction)
