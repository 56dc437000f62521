"""Answers that Discord did not take: their results are posted, or told to the person at the next occasion."""

from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import structlog

from bot.table.base import timed
from bot.table.base.request import ServerId
from bot.table.base.table import Shards
from bot.table.base.use_case_errors import StoreUnavailable
from bot.table.journal import missed_results, posted_messages
from bot.table.journal.missed_results import Missed, Waiting
from bot.ui.input.answer import TOLD, answer, post
from bot.ui.input.asked import request_of
from bot.ui.input.failures import log_failures
from bot.ui.replies.gathering_replies import reply_of
from bot.ui.replies.missed_replies import missed_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

REFUSALS = (discord.HTTPException, aiohttp.ClientError, OSError)


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
            self._wait_for(await missed_results.waiting(self._bot.table))
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
            missed = await missed_results.note(
                self._bot.table, ServerId(interaction.guild_id or 0), str(interaction.id)
            )
            if missed is None:
                return
            log.info("result not told", entry=missed.task.id)
            if await self._is_posted(missed):
                await timed.note_done(self._bot.table, missed.task)
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
            for missed in await missed_results.claim(table, request):
                await answer(interaction, missed_reply(missed))
                await timed.note_done(table, missed.task)
            is_told = not await missed_results.is_waiting(table, request)
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
        await posted_messages.note_posted(self._bot.table, {missed.place: (missed.channel, message)})
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
