"""Handlers of the GM's desk."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import discord

from bot.rules.kernel.errors import UserError
from bot.rules.shared.resting import CALL
from bot.table.base.request import Request
from bot.table.base.results import EntryId, Result
from bot.table.base.table import Table
from bot.table.campaigns import gm_offers
from bot.table.countdowns import countdown_actions
from bot.table.countdowns.countdown_actions import SkillWanted
from bot.table.encounters import encounters
from bot.table.gm import awaited, desk, game_clock, gm
from bot.table.gm.awaited import AwaitedAnswer
from bot.table.journal import journal
from bot.table.journal.posted_messages import MessagePlace
from bot.table.play import play
from bot.table.requests import gatherings
from bot.table.sessions import endings, sessions
from bot.ui.commands.sheet_presses import turn_to_controls
from bot.ui.input.answer import answer, ask_form, change, post, promise_change
from bot.ui.input.asked import request_of
from bot.ui.input.in_time import in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, given_by
from bot.ui.live.open_sheets import Draw
from bot.ui.live.result_messages import tell
from bot.ui.replies import desk_replies
from bot.ui.replies.desk_replies import HERE, desk_id
from bot.ui.replies.gathering_replies import closing_reply
from bot.ui.replies.result_replies import undo_reply
from bot.ui.replies.session_replies import preview_reply, started_reply
from bot.ui.text.reply import Field, Form, Reply
from bot.ui.text.text import plain

SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}


async def show_desk(interaction: Interaction) -> None:
    """Answer with the desk, to the GM alone."""
    await _answer(interaction, partial(_home, _AtDesk(interaction)))


@dataclass(frozen=True, slots=True)
class _AtDesk:
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
        return request_of(self.interaction)


# --- pages -------------------------------------------------------------------------------------


async def _home(seat: _AtDesk) -> Reply:
    return desk_replies.desk_reply(await desk.desk(seat.table, seat.request), seat.home)


async def _counts(seat: _AtDesk) -> Reply:
    return desk_replies.counts_reply(await desk.desk(seat.table, seat.request), seat.home)


async def _acts(seat: _AtDesk) -> Reply:
    return desk_replies.acts_reply(await desk.desk(seat.table, seat.request), seat.home)


async def _more(seat: _AtDesk) -> Reply:
    return desk_replies.more_reply(await desk.desk(seat.table, seat.request), seat.home)


async def _fight(seat: _AtDesk) -> Reply:
    return desk_replies.fight_reply(await _fight_of(seat), seat.home)


async def _fight_of(seat: _AtDesk) -> encounters.Look | None:
    request = await _request_in_fight(seat)
    if request is None:
        return None
    campaign = (await desk.desk(seat.table, seat.request)).campaign
    return await encounters.gm_look(seat.table, request, campaign)


async def _request_in_fight(seat: _AtDesk) -> Request | None:
    """The request as if it came from the channel of the fight that the desk shows."""
    channel = await desk.fight_channel(seat.table, seat.request)
    request = seat.request
    if channel in {None, request.channel}:
        return None if channel is None else request
    assert channel is not None  # noqa: S101  # for the type checker
    return replace(request, places=(channel, *request.places))


PAGES: dict[str, Callable[[_AtDesk], Awaitable[Reply]]] = {
    "home": _home,
    "counts": _counts,
    "acts": _acts,
    "more": _more,
    "fight": _fight,
}


async def _answer(interaction: Interaction, draw: Draw) -> None:
    shown = await in_time(interaction, draw(), adds=True)
    message = await answer(interaction, shown)
    if message is not None:
        interaction.client.sheets.keep(interaction, message, draw, shown)


async def _turn(seat: _AtDesk, page: str = "home") -> None:
    """Change the message that was pressed to a page, and keep that up to date."""
    interaction, draw = seat.interaction, partial(PAGES[page], seat)
    shown = await in_time(interaction, draw())
    await change(interaction, shown)
    if interaction.message is not None:
        interaction.client.sheets.keep(interaction, interaction.message.id, draw, shown)


# --- presses -----------------------------------------------------------------------------------


async def on_desk(interaction: Interaction, press: Press) -> None:
    """Handle a press on a desk: turn to a page of it, or do something."""
    what = press.argument(0)
    seat = _AtDesk(interaction, press.number(1) if len(press.arguments) > 1 else HERE)
    if what in PAGES:
        await _turn(seat, what)
        return
    act = ACTS.get(what)
    if act is None:
        raise OutOfDate
    interaction.client.sheets.forget(interaction)
    await act(seat, press)


def _chosen(press: Press) -> str:
    if not press.values:
        raise OutOfDate
    return press.values[0]


async def _done(seat: _AtDesk, doing: Awaitable[Result], page: str = "home") -> None:
    """Do something, show the page as it is afterwards, and tell the result."""
    result = await in_time(seat.interaction, doing)
    await _turn(seat, page)
    await tell(seat.interaction, result)


async def _open_sheet(seat: _AtDesk, press: Press) -> None:
    chosen = _chosen(press)
    if not chosen.isdecimal():
        raise OutOfDate
    await gm.require_gm(seat.table, seat.request)
    await turn_to_controls(seat.interaction, int(chosen))


async def _remind(seat: _AtDesk, press: Press) -> None:
    """Post one message that mentions whoever has to answer."""
    wait = await in_time(seat.interaction, awaited.remind(seat.table, seat.request, _chosen(press)))
    await _turn(seat)
    channel = seat.interaction.client.get_partial_messageable(
        wait.channel, guild_id=seat.interaction.guild_id
    )
    try:
        await post(channel, desk_replies.reminder_reply(wait))
    except (discord.Forbidden, discord.NotFound):
        raise UserError(
            f"I couldn't post the reminder in <#{wait.channel}>.", "Remind them yourself, or decide for them."
        ) from None


async def _decide(seat: _AtDesk, press: Press) -> None:
    wait = await in_time(seat.interaction, awaited.wait_of(seat.table, seat.request, _chosen(press)))
    await change(seat.interaction, desk_replies.decide_reply(wait, seat.home))


async def _pick(seat: _AtDesk, press: Press) -> None:
    """Answer something of the game in place of whoever has to."""
    doing = awaited.decide(seat.table, seat.request, press.argument(2), press.argument(3), given_by(press))
    await _done(seat, doing)


async def _join(seat: _AtDesk, press: Press) -> None:
    """Press what a message asks somebody to press, such as their requested check."""
    await gm.require_gm(seat.table, seat.request)
    await _press_prompt(seat, seat.request, EntryId(press.number(2)), press.argument(3), given_by(press))
    await _turn(seat)


async def _press_prompt(
    seat: _AtDesk, request: Request, entry: EntryId, name: str, given: play.Given = play.NOTHING_GIVEN
) -> None:
    interaction = seat.interaction
    joined = await in_time(interaction, gatherings.join(seat.table, request, entry, name, given))
    interaction.client.messages.refresh(MessagePlace(request.server, entry))
    await promise_change(interaction)
    if joined.own is not None:
        await tell(interaction, joined.own)
    view = None if joined.whole.gathering is None else joined.whole.gathering.view
    if joined.is_over and view is not None and view.closing:
        await answer(interaction, closing_reply(joined.whole, view))


async def _settle(seat: _AtDesk, press: Press) -> None:
    results = await in_time(seat.interaction, awaited.settle(seat.table, seat.request, press.argument(2)))
    await _turn(seat)
    for one in results:
        await tell(seat.interaction, one)


async def _roll_npcs(seat: _AtDesk, _press: Press) -> None:
    """Roll whatever NPCs have to answer: in the game, then in messages."""
    found = awaited.of_npcs((await desk.desk(seat.table, seat.request)).waits)
    if not found:
        raise UserError("No NPC has to roll now.", "Nothing was changed.")
    results = await in_time(seat.interaction, awaited.settle_npcs(seat.table, seat.request))
    for number, one in enumerate(wait for wait in found if wait.prompt is not None):
        await _roll_prompt(seat, one, number)
    await _turn(seat)
    for result in results:
        await tell(seat.interaction, result)


async def _roll_prompt(seat: _AtDesk, wait: AwaitedAnswer, number: int) -> None:
    if wait.prompt is None:
        return
    request = replace(seat.request, interaction=f"{seat.request.interaction}:{number}")
    await _press_prompt(seat, request, wait.prompt, wait.answers[0].key)


async def _undo(seat: _AtDesk, press: Press) -> None:
    page, entry = press.argument(2), EntryId(press.number(3))
    await gm.require_gm(seat.table, seat.request)
    done = await in_time(seat.interaction, journal.undo(seat.table, seat.request, entry))
    await _turn(seat, page if page in PAGES else "home")
    await answer(seat.interaction, undo_reply(done))


async def _count(seat: _AtDesk, press: Press) -> None:
    """Move a countdown by a step; where it matters which skill was used, ask for that first."""
    id_, is_back = press.number(2), press.argument(3) == "down"
    skill = press.fields.get("skill")
    doing = countdown_actions.press(seat.table, seat.request, id_, skill=skill, is_back=is_back, for_gm=True)
    done = await doing
    if isinstance(done, SkillWanted):
        field = Field(key="skill", label="Which skill was used?", longest=80)
        form = Form(
            id=desk_id("count", seat.home, id_, "up"), title=plain(f"+ {done.name}", 45), fields=(field,)
        )
        await ask_form(seat.interaction, form)
        return
    await _turn(seat, "counts")
    if done.message.is_public:
        await tell(seat.interaction, done)


async def _take_turn(seat: _AtDesk, press: Press) -> None:
    """Do what the board of the fight offers."""
    view = await desk.desk(seat.table, seat.request)
    request = await _request_in_fight(seat)
    if request is None:
        raise UserError("Nobody is fighting now.")
    doing = encounters.take_up(seat.table, request, view.campaign, press.argument(2), given_by(press))
    await _done(seat, doing, "fight")


async def _time(seat: _AtDesk, press: Press) -> None:
    await gm.require_gm(seat.table, seat.request)
    if not press.fields:
        await ask_form(seat.interaction, desk_replies.time_form(seat.home))
        return
    unit = next(iter(press.choices.get("unit", ())), "minutes")
    if unit not in SECONDS:
        raise OutOfDate
    seconds = _number(press, "amount", least=1) * SECONDS[unit]
    await _done(seat, game_clock.pass_time(seat.table, seat.request, seconds))


async def _rest(seat: _AtDesk, press: Press) -> None:
    if not press.fields:
        view = await desk.desk(seat.table, seat.request)
        await ask_form(seat.interaction, desk_replies.rest_form(view, seat.home))
        return
    given: dict[str, Any] = {
        "hours": _number(press, "hours", least=1),
        "who": press.choices.get("who", ()),
        "now": "now" in press.choices.get("when", ()),
    }
    await _done(seat, play.perform(seat.table, seat.request, CALL, given))


async def _award(seat: _AtDesk, press: Press) -> None:
    table, request = seat.table, seat.request
    if not press.fields:
        view, resources = await desk.desk(table, request), await gm_offers.award_choices(table, request, "")
        if not view.party or not resources:
            raise UserError("There is nobody to award anything to.")
        await ask_form(seat.interaction, desk_replies.award_form(view, resources, seat.home))
        return
    resource = next(iter(press.choices.get("resource", ())), "")
    who = press.choices.get("who", ())
    await _done(seat, gm.award(table, request, resource, _number(press, "amount"), who))


def _number(press: Press, key: str, least: int | None = None) -> int:
    """A whole number from a form."""
    written = press.fields.get(key, "").strip().replace("−", "-").removeprefix("+")
    digits = written.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 6):
        raise UserError(f"“{plain(written, 20)}” isn't a whole number.", "Nothing was changed.")
    number = int(written)
    if least is not None and number < least:
        raise UserError(f"Enter at least {least}.", "Nothing was changed.")
    return number


async def _start(seat: _AtDesk, _press: Press) -> None:
    started = await in_time(seat.interaction, sessions.start(seat.table, seat.request))
    await _turn(seat)
    await answer(seat.interaction, started_reply(started))


async def _end(seat: _AtDesk, _press: Press) -> None:
    """Show what the end of the session resets; a button there ends it."""
    preview = await in_time(seat.interaction, endings.end_preview(seat.table, seat.request), adds=True)
    await answer(seat.interaction, preview_reply(preview))


async def _watch(seat: _AtDesk, press: Press) -> None:
    await in_time(seat.interaction, desk.watch(seat.table, seat.request, press.values))
    await _turn(seat)


ACTS: dict[str, Callable[[_AtDesk, Press], Awaitable[None]]] = {
    "sheet": _open_sheet,
    "remind": _remind,
    "decide": _decide,
    "pick": _pick,
    "join": _join,
    "settle": _settle,
    "npcs": _roll_npcs,
    "undo": _undo,
    "count": _count,
    "turn": _take_turn,
    "time": _time,
    "rest": _rest,
    "award": _award,
    "start": _start,
    "end": _end,
    "watch": _watch,
}
