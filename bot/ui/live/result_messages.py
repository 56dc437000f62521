"""The messages of results and shared prompts: posting a result and keeping its message up to date."""

import asyncio
import hashlib
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import structlog
from msgspec.structs import replace

from bot.table import watch
from bot.table.base import live_rows
from bot.table.base.access import ServerId
from bot.table.base.live_rows import MessagePlace, note_posted
from bot.table.base.results import Result
from bot.table.base.table import Shards, Table
from bot.table.base.turn import StoreUnavailable
from bot.table.requests import gatherings
from bot.table.watch import Missed, Waiting
from bot.ui.input.answer import TOLD, answer, log_failures, post
from bot.ui.input.presses import Interaction, request_of
from bot.ui.live.live_message import Live, LiveKind
from bot.ui.replies.gathering_replies import gathering_reply
from bot.ui.replies.result_replies import LONGEST, result_reply
from bot.ui.text.reply import Button, Reply
from bot.ui.text.roll_text import shorten

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

REFUSALS = (discord.HTTPException, aiohttp.ClientError, OSError)


def reply_of(result: Result) -> Reply:
    """The reply for a result, with or without a shared prompt."""
    return result_reply(result) if result.gathering is None else gathering_reply(result, result.gathering)


def mark_of(reply: Reply) -> str:
    """A fingerprint of what a message shows, to detect changes."""
    return hashlib.sha256(repr(reply).encode()).hexdigest()[:32]


def missed_reply(missed: Missed) -> Reply:
    """A result that Discord took no answer about, told to its person alone, with its buttons."""
    what = "Your roll" if missed.has_rolls else "What you did"
    said = f"{what} at <t:{missed.at}:t> was saved, but Discord didn't take my answer"
    if missed.result is None:
        return Reply(text=f"{said}. Only the GM sees the result.", is_private=True)
    shown = reply_of(missed.result)
    return replace(shown, text=shorten(f"{said}:\n{shown.text}", LONGEST), is_private=True)


class MissedAnswers:
    """Tells results that nobody was told; what is to be told is stored, and survives a restart.

    Args:
        bot: The bot.
    """

    def __init__(self, bot: "Tablekeeper") -> None:
        self._bot = bot
        self._waiting: set[Waiting] = set()

    async def load(self) -> None:
        """Find out who is still to be told something from before a restart."""
        try:
            self._wait_for(await watch.waiting(self._bot.table))
        except StoreUnavailable as error:
            log.warning("missed answers not read", reason=error.reason)

    def forget(self, shards: Shards) -> None:
        """Leave the people in the servers of some shards to another process."""
        self._waiting = {place for place in self._waiting if not shards.has(place[0])}

    async def note(self, interaction: "discord.Interaction[Any]") -> None:
        """Note that Discord took no answer to an interaction; post its result if everybody may see it."""
        if interaction.extras.get(TOLD):
            return
        with log_failures("missed answer not noted"):
            missed = await watch.note(
                self._bot.table, ServerId(interaction.guild_id or 0), str(interaction.id)
            )
            if missed is None:
                return
            log.info("result not told", entry=missed.task.id)
            if await self._is_posted(missed):
                await live_rows.note_done(self._bot.table, missed.task)
            else:
                self._wait_for({(missed.task.server, interaction.user.id)})

    async def tell(self, interaction: "discord.Interaction[Tablekeeper]") -> None:
        """Tell whoever has just been answered what they got no answer to before."""
        place = (interaction.guild_id or 0, interaction.user.id)
        if place not in self._waiting or not _can_follow(interaction):
            return
        self._waiting.discard(place)  # what is missed meanwhile is noted again
        table = self._bot.table
        try:
            request = request_of(interaction)
            for missed in await watch.claim(table, request):
                await answer(interaction, missed_reply(missed))
                await live_rows.note_done(table, missed.task)
            is_told = not await watch.is_waiting(table, request)
        except REFUSALS as error:
            is_told = False
            log.warning("missed answer not told yet", reason=str(error))
        except StoreUnavailable as error:
            is_told = False
            log.warning("missed answer not told yet", reason=error.reason)
        if not is_told:
            self._waiting.add(place)

    async def _is_posted(self, missed: Missed) -> bool:
        """Show a public result in its message or in a new one of the channel; return whether it worked."""
        if missed.result is None or not missed.is_public:
            return False
        try:
            if await self._bot.messages.show_now(missed.place):
                return True
            channel = self._bot.get_partial_messageable(missed.channel, guild_id=missed.task.server)
            message = await post(channel, reply_of(missed.result))
        except REFUSALS as error:
            log.warning("result not posted", reason=str(error))
            return False
        await note_posted(self._bot.table, {missed.place: (missed.channel, message)})
        return True

    def _wait_for(self, people: set[Waiting]) -> None:
        """Wait for the next commands of people; commands cost nothing more while there is nobody."""
        if people and not self._waiting:
            self._bot.remove_listener(self._on_command, "on_app_command_completion")
            self._bot.add_listener(self._on_command, "on_app_command_completion")
        self._waiting |= people

    async def _on_command(self, interaction: "discord.Interaction[Tablekeeper]", _command: object) -> None:
        await self.tell(interaction)


def _can_follow(interaction: "discord.Interaction[Any]") -> bool:
    """Whether an interaction has an answer that another private message can follow."""
    is_form = interaction.response.type is discord.InteractionResponseType.modal
    return interaction.response.is_done() and not is_form


class PostedNotes:
    """Notes of where results have been posted: stored a moment later, many in one transaction.

    A result whose note is lost, with the process or with the database, keeps its buttons: whoever presses
    one says which message it is in.

    Args:
        table: The table.
        wait_seconds: How long a note waits for others.
    """

    def __init__(self, table: Table, *, wait_seconds: float) -> None:
        self._table = table
        self._wait_seconds = wait_seconds
        self._waiting: dict[MessagePlace, tuple[int, int]] = {}
        self._storing = asyncio.Lock()
        self._later: asyncio.Task[None] | None = None

    def add(self, place: MessagePlace, channel: int, message: int) -> None:
        """Note in which channel and message a result has been posted."""
        self._waiting[place] = (channel, message)
        if self._later is None or self._later.done():
            self._later = asyncio.create_task(self._store_later())

    async def store(self) -> None:
        """Store every note now, and wait for those that are being stored."""
        async with self._storing:
            notes, self._waiting = self._waiting, {}
            if not notes:
                return
            try:
                await note_posted(self._table, notes)
            except StoreUnavailable as error:
                log.warning("not noted where results are", reason=error.reason)

    async def close(self) -> None:
        """Store what is left."""
        await self.store()
        if self._later is not None:
            self._later.cancel()

    async def _store_later(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._wait_seconds)
            await self.store()


def result_messages(notes: PostedNotes) -> LiveKind[MessagePlace]:
    """The messages of results: posted as answers; what somebody has deleted is not posted again.

    Args:
        notes: Where they have been posted.
    """

    async def load(table: Table, place: MessagePlace) -> Live | None:
        await notes.store()
        return await _load(table, place)

    return LiveKind(name="result", rows=gatherings.ROWS, load=load, posts=False)


async def _load(table: Table, place: MessagePlace) -> Live | None:
    standing = await gatherings.standing(table, place)
    if standing is None:
        return None
    reply = reply_of(standing.whole)
    return Live(
        server=place.server,
        channel=standing.channel,
        message=standing.message,
        shown=standing.shown,
        mark=mark_of(reply),
        draw=lambda _pings: reply,
    )


async def tell(interaction: Interaction, result: Result, *more: Button) -> None:
    """Answer with a result (and more buttons) and store where its message is, so that it can be updated."""
    reply = reply_of(result)
    if more:
        reply = replace(reply, rows=(*reply.rows, more))
    message = await answer(interaction, reply)
    interaction.extras[TOLD] = True
    if reply.is_private or result.is_blind or message is None or interaction.guild_id is None:
        return
    place = MessagePlace(ServerId(interaction.guild_id), result.entry)
    await _note(interaction.client, place, interaction.channel_id or 0, message, result, reply)


async def post_result(client: "Tablekeeper", server: ServerId, channel: int, result: Result) -> None:
    """Post a result into another channel than the one it was asked for in, and keep it up to date there.

    Raises:
        discord.HTTPException: If Discord does not take it.
    """
    reply = reply_of(result)
    message = await post(client.get_partial_messageable(channel, guild_id=server), reply)
    await _note(client, MessagePlace(server, result.entry), channel, message, result, reply)


async def _note(
    client: "Tablekeeper", place: MessagePlace, channel: int, message: int, result: Result, reply: Reply
) -> None:
    """Note where a result's message is, so that it can be updated."""
    client.fights.note_newest(channel, message)
    if reply.rows:
        client.posted.add(place, channel, message)
    is_stored = result.gathering is not None
    await client.messages.note_posted(place, channel, message, mark_of(reply), is_stored=is_stored)
