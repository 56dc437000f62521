"""Whoever sits at a GM's desk, where what they do is told, and the strip with which they do it to anybody."""

from collections.abc import Awaitable, Iterator
from typing import TYPE_CHECKING

import discord
from msgspec import Struct

from bot.rules.kernel import ActGroup, Choice
from bot.rules.kernel.errors import UserError
from bot.table.base.access import Request
from bot.table.base.live_rows import MessagePlace
from bot.table.base.results import EntryId, Result
from bot.table.base.table import Table
from bot.table.characters import controls
from bot.table.characters.controls import Controls
from bot.table.gm import desk
from bot.table.play.play import Given
from bot.table.requests import gatherings
from bot.ui.commands.sheets import GROUP_LABELS
from bot.ui.input.answer import TOLD, answer, change, in_time, post
from bot.ui.input.presses import (
    Interaction,
    OutOfDate,
    Press,
    number_of,
    press_id,
    request_in,
    table_and_request,
)
from bot.ui.live.result_messages import post_result, tell
from bot.ui.replies.gathering_replies import page_reply
from bot.ui.replies.links import FOES, HERE, SHEET, STRIP, desk_button, desk_id, key_of_name, strip_menu
from bot.ui.replies.result_replies import GMS
from bot.ui.text.reply import IN_MENU, Block, Button, Divider, Look, Reply, Select, private_page, rows_of
from bot.ui.text.roll_text import escape, listed, plain

if TYPE_CHECKING:
    from bot.table.gm.desk import Strip


class NotPosted(UserError):
    """What a GM did at the desk is kept, but could not be told in its channel."""

    def __init__(self) -> None:
        super().__init__("I couldn't post that in its channel.", "What you did has been kept.")


class AtDesk(Struct, frozen=True):
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


# --- the strip -----------------------------------------------------------------------------------

GROUPS = (ActGroup.DAMAGE, ActGroup.HEAL, ActGroup.CONDITION, ActGroup.GM)


async def with_strip(interaction: Interaction, page: Reply) -> Reply:
    """A GM's private page with the strip below."""
    table, request = table_and_request(interaction)
    found = await desk.strip(table, request)
    return private_page((*page.blocks, Divider(), *strip_menu(found.people), *_foes(found), _ends(found)))


def _foes(found: "Strip") -> Iterator[Block]:
    if found.foes:
        choices = tuple(
            Choice(key_of_name(one.name), plain(one.name, 100), one.note) for one in found.foes[:IN_MENU]
        )
        yield Select(id=press_id(FOES, "pick", HERE), prompt="Add a foe …", choices=choices)


def _ends(found: "Strip") -> tuple[Button, ...]:
    start = Button(id=desk_id("battle", HERE), label="Start fight …", look=Look.GOOD)
    return (*(() if found.is_fighting else (start,)), desk_button())


# --- somebody's strip ------------------------------------------------------------------------


async def on_strip(interaction: Interaction, press: Press) -> None:
    """Show somebody's strip, or deal the damage of one of its buttons.

    The channel that it leads stands last in an id; in older ones nothing, which is the channel they are in.
    """
    match press.argument(0):
        case "pick":
            seat = AtDesk(interaction, press.number_or(1, HERE))
            await turn_to(seat, _strip_of(seat, number_of(press.chosen())))
        case "hit":
            await _hit(AtDesk(interaction, press.number_or(5, HERE)), press)
        case _:
            raise OutOfDate


async def _hit(seat: AtDesk, press: Press) -> None:
    who, now, key, value = press.number(1), press.number(2), press.argument(3), press.argument(4)
    doing = controls.take(seat.table, seat.request, who, key, now, given=Given(value))
    result = await in_time(seat.interaction, doing)
    await change(seat.interaction, await _strip_of(seat, who))
    await tell_there(seat, result)


async def _strip_of(seat: AtDesk, who: int) -> Reply:
    table, request = seat.table, seat.request
    await desk.led_campaign(table, request)
    of_them = await controls.open_controls(table, request, who)
    harm = await controls.open_group(table, request, who, ActGroup.DAMAGE)
    return private_page(_of_one(of_them, harm, seat.home))


def _of_one(of_them: Controls, harm: Controls, home: int) -> Iterator[Block]:
    """Somebody's state, −1 −2 −3, and everything else that a GM does to them."""
    sheet, glance = of_them.sheet, of_them.sheet.glance
    state = listed(([f"{one.title} {one.shown}" for one in glance.gauges] + [*glance.states])[:4])
    yield f"### {escape(sheet.name)}\n-# {escape(state) or 'as ever'}"
    hits = [
        Button(
            id=press_id(STRIP, "hit", sheet.id, of_them.now, control.key, one.value, home),
            label=one.label,
            look=Look.GRAVE,
        )
        for control in [one for one in harm.controls if one.act.quick][:1]
        for one in control.act.quick
    ]
    if hits:
        yield tuple(hits)
    buttons = [
        Button(
            id=press_id(SHEET, sheet.id, of_them.now, "group", group.name.lower(), 0),
            label=GROUP_LABELS[group],
            look=Look.MAIN,
        )
        for group in GROUPS
        if group in of_them.groups or group is ActGroup.GM
    ]
    yield from rows_of([*buttons, desk_button(home)])


# --- private pages of results ----------------------------------------------------------------


async def show_rest(interaction: Interaction, entry: EntryId, page: str) -> None:
    """Show a person the buttons for which the message of a result has no room, or a GM theirs."""
    await answer(interaction, await _page(interaction, entry, page))


async def show_rest_anew(interaction: Interaction, place: MessagePlace, page: str) -> None:
    """Update such a page after a press on it, and the message whose buttons it shows."""
    interaction.client.messages.refresh(place)
    await change(interaction, await _page(interaction, place.entry, page))


async def _page(interaction: Interaction, entry: EntryId, page: str) -> Reply:
    table, request = table_and_request(interaction)
    is_gms = page == GMS
    reply = page_reply(await gatherings.with_controls(table, request, entry, for_gm=is_gms), page)
    return await with_strip(interaction, reply) if is_gms else reply
