"""Whoever sits at a GM's desk, what is shown to them, and where what they do is told."""

from collections.abc import Awaitable
from dataclasses import dataclass

import discord

from bot.rules.kernel.errors import UserError
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.ui.input.answer import TOLD, answer, change, in_time, post
from bot.ui.input.asked import request_in
from bot.ui.input.presses import Interaction
from bot.ui.live.result_messages import post_result, tell
from bot.ui.replies.links import HERE
from bot.ui.text.reply import Reply


class NotPosted(UserError):
    """What a GM did at the desk is kept, but could not be told in its channel."""

    def __init__(self) -> None:
        super().__init__("I couldn't post that in its channel.", "What you did has been kept.")


@dataclass(frozen=True, slots=True)
class AtDesk:
    """Whoever sits at a desk."""

    interaction: Interaction
    home: int = HERE

    @property
    def table(self) -> Table:
        """The table."""
        return self.interaction.client.table

    @property
    def request(self) -> Request:
        """What they ask, in the channel that the desk leads."""
        return request_in(self.interaction, self.home)

    @property
    def is_shared(self) -> bool:
        """Whether the desk stands in a channel, for all GMs; it follows by itself."""
        message = self.interaction.message
        return message is not None and not message.flags.ephemeral


async def turn_to(seat: AtDesk, drawing: Awaitable[Reply]) -> None:
    """Show a page that belongs to the desk."""
    await show_page(seat, await in_time(seat.interaction, drawing, adds=_adds(seat)))


async def show_page(seat: AtDesk, page: Reply) -> None:
    """Change the private message that was pressed; answer a desk in a channel, or a command, with one."""
    await (answer if _adds(seat) else change)(seat.interaction, page)


def _adds(seat: AtDesk) -> bool:
    return seat.is_shared or seat.interaction.message is None


def news_of(done: Result | None) -> str:
    """What was just done on a page, for the page to say."""
    return "" if done is None else f"{done.message.sentence}."


async def tell_there(seat: AtDesk, result: Result) -> None:
    """Tell a result where the desk leads, or to the GM alone."""
    interaction, request = seat.interaction, seat.request
    if request.channel == interaction.channel_id or not result.message.is_public:
        await tell(interaction, result)
        return
    try:
        await post_result(interaction.client, request.server, request.channel, result)
    except (discord.Forbidden, discord.NotFound):
        raise NotPosted from None
    interaction.extras[TOLD] = True


async def answer_there(seat: AtDesk, reply: Reply) -> int | None:
    """Answer everybody in the channel that the desk leads; return which message it is, if known."""
    channel = seat.request.channel
    if channel == seat.interaction.channel_id:
        return await answer(seat.interaction, reply)
    return await post_there(seat, channel, reply)


async def post_there(seat: AtDesk, channel: int, reply: Reply) -> int:
    """Post a message into a channel, with its mentions; return its id."""
    there = seat.interaction.client.get_partial_messageable(channel, guild_id=seat.interaction.guild_id)
    try:
        return await post(there, reply)
    except (discord.Forbidden, discord.NotFound):
        raise NotPosted from None
