"""The pages of the GM's desk, shown to whoever sits at it, and telling what was done there."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial

import discord

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.encounters import encounters
from bot.table.gm import desk
from bot.ui.input.answer import TOLD, answer, change, post
from bot.ui.input.asked import request_in
from bot.ui.input.in_time import in_time
from bot.ui.input.presses import Interaction
from bot.ui.live.open_sheets import PrivatePage, answer_and_follow, change_and_follow
from bot.ui.live.result_messages import post_result, tell
from bot.ui.replies import desk_replies
from bot.ui.replies.desk_ids import HERE
from bot.ui.text.reply import Reply
from bot.ui.text.text import plain


class NotPosted(UserError):
    """What a GM did at the desk is kept, but could not be told in its channel."""

    def __init__(self) -> None:
        super().__init__("I couldn't post that in its channel.", "What you did has been kept.")


async def show_desk(interaction: Interaction) -> None:
    """Answer with the desk, to the GM alone."""
    await answer_and_follow(interaction, partial(_followed, _home, AtDesk(interaction)))


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


# --- pages -------------------------------------------------------------------------------------


async def _home(seat: AtDesk) -> Reply:
    return desk_replies.desk_reply(await desk.desk(seat.table, seat.request), seat.home)


async def _counts(seat: AtDesk) -> Reply:
    return desk_replies.counts_reply(await desk.desk(seat.table, seat.request), seat.home)


async def _acts(seat: AtDesk) -> Reply:
    return desk_replies.acts_reply(await desk.desk(seat.table, seat.request), seat.home)


async def _more(seat: AtDesk) -> Reply:
    view = await desk.desk(seat.table, seat.request)
    return desk_replies.more_reply(view, seat.home, _channels(seat.interaction))


def _channels(interaction: Interaction) -> list[Choice]:
    """The channels in which a desk might stand: those that the person sees, the hidden ones first."""
    server, person = interaction.guild, interaction.user
    if server is None or not isinstance(person, discord.Member):
        return []
    everyone = server.default_role
    seen = [one for one in server.text_channels if one.permissions_for(person).view_channel]
    hidden_first = sorted(seen, key=lambda one: one.permissions_for(everyone).view_channel)
    return [Choice(str(one.id), plain(f"#{one.name}", 100)) for one in hidden_first]


async def _fight(seat: AtDesk) -> Reply:
    return desk_replies.fight_reply(await _fight_of(seat), seat.home)


async def _fight_of(seat: AtDesk) -> encounters.Look | None:
    request = await request_in_fight(seat)
    if request is None:
        return None
    campaign = await desk.led_campaign(seat.table, seat.request)
    return await encounters.gm_look(seat.table, request, campaign)


async def request_in_fight(seat: AtDesk) -> Request | None:
    """The request as if it came from the channel of the fight that the desk shows."""
    channel = await desk.fight_channel(seat.table, seat.request)
    request = seat.request
    if channel in {None, request.channel}:
        return None if channel is None else request
    assert channel is not None  # noqa: S101  # for the type checker
    return replace(request, places=(channel, *request.places))


async def _followed(drawn: Callable[[AtDesk], Awaitable[Reply]], seat: AtDesk) -> PrivatePage:
    """A page of the desk that is kept up to date."""
    return PrivatePage(await drawn(seat))


PAGES: dict[str, Callable[[AtDesk], Awaitable[Reply]]] = {
    "home": _home,
    "counts": _counts,
    "acts": _acts,
    "more": _more,
    "fight": _fight,
}


async def turn_page(seat: AtDesk, page: str = "home") -> None:
    """Show a page after something was done; a desk in a channel has only its first one."""
    if seat.is_shared:
        await change(seat.interaction, await in_time(seat.interaction, _home(seat)))
    else:
        await open_page(seat, page)


async def open_page(seat: AtDesk, page: str) -> None:
    """Change the message that was pressed to a page, or answer a desk in a channel with one."""
    show = answer_and_follow if seat.is_shared else change_and_follow
    await show(seat.interaction, partial(_followed, PAGES[page], seat))


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


async def done_there(
    seat: AtDesk, doing: Awaitable[Result], page: str = "home", *, may_ask: bool = False
) -> None:
    """Do something, show the page as it is afterwards, and tell the result.

    Args:
        seat: Who does it.
        doing: What is done.
        page: Which page is shown.
        may_ask: Whether a form may come first; after a promise Discord opens none.
    """
    result = await (doing if may_ask else in_time(seat.interaction, doing))
    await turn_page(seat, page)
    await tell_there(seat, result)


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
