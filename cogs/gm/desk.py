"""The pages of the GM's desk, and what can be done there."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import discord
from msgspec.structs import replace

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import END, ORDER, START
from bot.rules.shared.countdowns import Kind, Visibility
from bot.rules.shared.resting import CALL
from bot.table.base.access import Request
from bot.table.base.live_rows import MessagePlace
from bot.table.base.results import EntryId, Result
from bot.table.campaigns import fields
from bot.table.encounters import encounters
from bot.table.gm import desk, gm, waiting
from bot.table.journal import journal
from bot.table.play import countdown_actions, countdown_plans, play
from bot.table.play.countdown_actions import SkillWanted
from bot.table.play.countdown_plans import Plan
from bot.table.requests import gatherings
from bot.table.sessions import endings, sessions
from bot.ui.commands.at_desk import AtDesk, answer_there, post_there, tell_there, turn_to
from bot.ui.commands.session_posts import preview_reply, start_thread, started_reply, story_before
from bot.ui.commands.sheets import show_controls, turn_to_controls
from bot.ui.input.answer import answer, ask_form, change, in_time, promise_change
from bot.ui.input.presses import Interaction, OutOfDate, Press, given_by, number_of
from bot.ui.live.countdown_board import hints_reply, skill_form
from bot.ui.live.desk_message import desk_reply, put_in
from bot.ui.live.open_sheets import PrivatePage, answer_and_follow, change_and_follow
from bot.ui.replies.links import HERE, desk_id
from bot.ui.replies.result_replies import undo_reply
from bot.ui.text.reply import Reply
from bot.ui.text.roll_text import plain
from cogs.gm.countdowns import new_form
from cogs.gm.desk_words import (
    SECONDS,
    acts_reply,
    award_form,
    counts_reply,
    decide_reply,
    fight_form,
    fight_reply,
    in_new_order,
    more_reply,
    order_form,
    reminder_reply,
    rest_form,
    time_form,
)

if TYPE_CHECKING:
    from bot.table.gm.waiting import AwaitedAnswer


async def show_desk(interaction: Interaction) -> None:
    """Answer with the desk, to the GM alone."""
    await answer_and_follow(interaction, partial(_followed, _home, AtDesk(interaction)))


# --- pages -------------------------------------------------------------------------------------


async def _home(seat: AtDesk) -> Reply:
    return desk_reply(await desk.desk(seat.table, seat.request), seat.home)


async def _counts(seat: AtDesk) -> Reply:
    return counts_reply(await desk.desk(seat.table, seat.request), seat.home)


async def _acts(seat: AtDesk) -> Reply:
    return acts_reply(await desk.desk(seat.table, seat.request), seat.home)


async def _more(seat: AtDesk) -> Reply:
    view = await desk.desk(seat.table, seat.request)
    return more_reply(view, seat.home, _channels(seat.interaction))


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
    return fight_reply(await encounters.fight_at_desk(seat.table, seat.request), seat.home)


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


async def _fighting(seat: AtDesk) -> tuple[Request, int]:
    """The request as if it came from the channel of the fight, and the fight's campaign."""
    place = await encounters.place_at_desk(seat.table, seat.request)
    if place is None:
        raise UserError("Nobody is fighting now.")
    request = seat.request
    if place.channel != request.channel:
        request = replace(request, places=(place.channel, *request.places))
    return request, place.campaign


async def take_turn(seat: AtDesk, press: Press) -> None:
    """Do what the board of the fight offers."""
    request, campaign = await _fighting(seat)
    doing = encounters.take_up(seat.table, request, campaign, press.argument(2), given_by(press))
    await done_there(seat, doing, "fight", may_ask=True)


async def take_turns(seat: AtDesk, press: Press) -> None:
    """Let every foe of a kind do what the board offers them."""
    request, campaign = await _fighting(seat)
    key, given = press.argument(2), given_by(press)
    doing = encounters.take_up_with_all(seat.table, request, campaign, key, given)
    results = await in_time(seat.interaction, doing)
    await turn_page(seat, "fight")
    for result in results:
        await tell_there(seat, result)


async def start_fight(seat: AtDesk, press: Press) -> None:
    """Start a fight with whom the form says."""
    if not press.choices:
        view = await desk.desk(seat.table, seat.request)
        if not view.fighters:
            raise UserError("There is nobody here yet.", "Players join with /character create.")
        await ask_form(seat.interaction, fight_form(view, seat.home))
        return
    await gm.require_gm(seat.table, seat.request)
    given: dict[str, Any] = {"others": press.choices.get("who", ())}
    await done_there(seat, play.perform(seat.table, seat.request, START, given), "fight")


async def end_fight(seat: AtDesk, _press: Press) -> None:
    """End the fight, or ask what becomes of what is open."""
    request, _ = await _fighting(seat)
    await done_there(seat, play.perform(seat.table, request, END, {}))


async def set_order(seat: AtDesk, press: Press) -> None:
    """Let somebody act before somebody else, as the form says."""
    request, campaign = await _fighting(seat)
    lines = (await encounters.gm_look(seat.table, request, campaign)).view.lines
    if not press.choices:
        await ask_form(seat.interaction, order_form(lines, seat.home))
        return
    names = in_new_order(lines, press.choice("who"), press.choice("before"))
    if not names:
        raise UserError("Nobody can act before themselves.", "Choose two combatants of this fight.")
    await done_there(seat, play.perform(seat.table, request, ORDER, {"characters": tuple(names)}), "fight")


# --- presses -----------------------------------------------------------------------------------


async def on_desk(interaction: Interaction, press: Press) -> None:
    """Handle a press on a desk: turn to a page of it, or do something."""
    what = press.argument(0)
    seat = AtDesk(interaction, press.number_or(1, HERE))
    if what in PAGES:
        await open_page(seat, what)
        return
    act = ACTS.get(what)
    if act is None:
        raise OutOfDate
    await act(seat, press)


async def _open_sheet(seat: AtDesk, press: Press) -> None:
    who = number_of(press.chosen())
    await gm.require_gm(seat.table, seat.request)
    await (show_controls if seat.is_shared else turn_to_controls)(seat.interaction, who)


async def _remind(seat: AtDesk, press: Press) -> None:
    """Post one message that mentions whoever has to answer."""
    wait = await in_time(seat.interaction, waiting.remind(seat.table, seat.request, press.chosen()))
    await turn_page(seat)
    await post_there(seat, wait.channel, reminder_reply(wait))


async def _decide(seat: AtDesk, press: Press) -> None:
    await turn_to(seat, _deciding(seat, press.chosen()))


async def _deciding(seat: AtDesk, key: str) -> Reply:
    return decide_reply(await waiting.wait_of(seat.table, seat.request, key), seat.home)


async def _pick(seat: AtDesk, press: Press) -> None:
    """Answer something of the game in place of whoever has to."""
    doing = waiting.decide(seat.table, seat.request, press.argument(2), press.argument(3), given_by(press))
    await done_there(seat, doing, may_ask=True)


async def _press_owed(seat: AtDesk, press: Press) -> None:
    """Press what stands under a result for somebody, such as their save; its message shows the rest."""
    key, answer_key, given = press.argument(2), press.argument(3), given_by(press)
    pressed = await waiting.press_owed(seat.table, seat.request, key, answer_key, given)
    seat.interaction.client.messages.refresh(pressed.place)
    await turn_page(seat)
    if pressed.is_apart:
        await tell_there(seat, pressed.result)


async def _join(seat: AtDesk, press: Press) -> None:
    """Press what a message asks somebody to press, such as their requested check."""
    await gm.require_gm(seat.table, seat.request)
    await _press_prompt(seat, seat.request, EntryId(press.number(2)), press.argument(3), given_by(press))
    await turn_page(seat)


async def _press_prompt(
    seat: AtDesk, request: Request, entry: EntryId, name: str, given: play.Given = play.NOTHING_GIVEN
) -> None:
    interaction = seat.interaction
    joined = await in_time(interaction, gatherings.join(seat.table, request, entry, name, given))
    interaction.client.messages.refresh(MessagePlace(request.server, entry))
    await promise_change(interaction)
    if joined.own is not None:
        await tell_there(seat, joined.own)


async def _settle(seat: AtDesk, press: Press) -> None:
    results = await in_time(seat.interaction, waiting.settle(seat.table, seat.request, press.argument(2)))
    await turn_page(seat)
    for one in results:
        await tell_there(seat, one)


async def _roll_npcs(seat: AtDesk, _press: Press) -> None:
    """Roll whatever NPCs have to answer: in the game, then in messages."""
    found = waiting.of_npcs((await desk.desk(seat.table, seat.request)).waits)
    if not found:
        raise UserError("No NPC has to roll now.", "Nothing was changed.")
    results = await in_time(seat.interaction, waiting.settle_npcs(seat.table, seat.request))
    for number, one in enumerate(wait for wait in found if wait.prompt is not None):
        await _roll_prompt(seat, one, number)
    await turn_page(seat)
    for result in results:
        await tell_there(seat, result)


async def _roll_prompt(seat: AtDesk, wait: "AwaitedAnswer", number: int) -> None:
    if wait.prompt is None:
        return
    request = replace(seat.request, interaction=f"{seat.request.interaction}:{number}")
    await _press_prompt(seat, request, wait.prompt, wait.answers[0].key)


async def _undo(seat: AtDesk, press: Press) -> None:
    page, entry = press.argument(2), EntryId(press.number(3))
    await gm.require_gm(seat.table, seat.request)
    done = await in_time(seat.interaction, journal.undo(seat.table, seat.request, entry))
    await turn_page(seat, page if page in PAGES else "home")
    if isinstance(done, journal.Undone):
        await tell_there(seat, done.result)
    else:
        await answer(seat.interaction, replace(undo_reply(done), is_private=True))


async def _count(seat: AtDesk, press: Press) -> None:
    """Move a countdown by a step; where it matters which skill was used, ask for that first."""
    id_, is_back = press.number(2), press.argument(3) == "down"
    skill = press.fields.get("skill")
    doing = countdown_actions.press(seat.table, seat.request, id_, skill=skill, is_back=is_back, for_gm=True)
    done = await doing
    if isinstance(done, SkillWanted):
        await ask_form(seat.interaction, skill_form(desk_id("count", seat.home, id_, "up"), done))
        return
    await turn_page(seat, "counts")
    if done.message.is_public:
        await tell_there(seat, done)


async def _begin_count(seat: AtDesk, press: Press) -> None:
    """Start a countdown, as the form says."""
    await gm.require_gm(seat.table, seat.request)
    if not press.fields:
        await ask_form(seat.interaction, new_form(desk_id("new", seat.home)))
        return
    kind, steps, sight = (press.choice(key) for key in ("kind", "steps", "sight"))
    if kind not in set(Kind) or sight not in set(Visibility):
        raise OutOfDate
    name = press.fields.get("name", "")
    plan = Plan(name=name, kind=Kind(kind), difficulty=number_of(steps), visibility=Visibility(sight))
    done = await in_time(seat.interaction, countdown_plans.begin(seat.table, seat.request, plan))
    await turn_page(seat, "counts")
    if done.result.message.is_public:
        await tell_there(seat, done.result)
    if done.hints:
        await answer(seat.interaction, hints_reply(done.hints))


async def _time(seat: AtDesk, press: Press) -> None:
    await gm.require_gm(seat.table, seat.request)
    if not press.fields:
        await ask_form(seat.interaction, time_form(seat.home))
        return
    unit = press.choice("unit") or "minutes"
    if unit not in SECONDS:
        raise OutOfDate
    seconds = _number(press, "amount", least=1) * SECONDS[unit]
    await done_there(seat, gm.pass_time(seat.table, seat.request, seconds))


async def _rest(seat: AtDesk, press: Press) -> None:
    if not press.fields:
        view = await desk.desk(seat.table, seat.request)
        await ask_form(seat.interaction, rest_form(view, seat.home))
        return
    given: dict[str, Any] = {
        "hours": _number(press, "hours", least=1),
        "who": press.choices.get("who", ()),
        "now": "now" in press.choices.get("when", ()),
    }
    await done_there(seat, play.perform(seat.table, seat.request, CALL, given))


async def _award(seat: AtDesk, press: Press) -> None:
    table, request = seat.table, seat.request
    if not press.fields:
        view, resources = await desk.desk(table, request), await fields.award_choices(table, request, "")
        if not view.party or not resources:
            raise UserError("There is nobody to award anything to.")
        await ask_form(seat.interaction, award_form(view, resources, seat.home))
        return
    resource = press.choice("resource")
    who = press.choices.get("who", ())
    await done_there(seat, gm.award(table, request, resource, _number(press, "amount"), who))


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


async def _start(seat: AtDesk, _press: Press) -> None:
    started = await in_time(seat.interaction, sessions.start(seat.table, seat.request))
    await turn_page(seat)
    before = await story_before(seat.table, seat.request, started.number)
    message = await answer_there(seat, started_reply(started, before))
    await start_thread(seat.interaction, seat.request, started.number, message)


async def _end(seat: AtDesk, _press: Press) -> None:
    """Show what the end of the session resets; a button there ends it."""
    preview = await in_time(seat.interaction, endings.end_preview(seat.table, seat.request), adds=True)
    await answer(seat.interaction, preview_reply(preview, home=seat.home))


async def _watch(seat: AtDesk, press: Press) -> None:
    await in_time(seat.interaction, desk.watch(seat.table, seat.request, press.values))
    await turn_page(seat)


async def _place(seat: AtDesk, press: Press) -> None:
    """Keep a desk for all GMs in a channel that no player can see."""
    interaction, server = seat.interaction, seat.interaction.guild
    channel = None if server is None else server.get_channel(number_of(press.chosen()))
    if not isinstance(channel, discord.TextChannel):
        raise UserError("That channel is gone.", "Nothing was changed.")
    putting = put_in(interaction.client.desks, seat.table, seat.request, channel)
    await in_time(interaction, putting)
    await turn_page(seat, "more")


async def _take_away(seat: AtDesk, _press: Press) -> None:
    before = await in_time(seat.interaction, desk.take_away(seat.table, seat.request))
    if before is not None and before.message is not None:
        await seat.interaction.client.desks.remove(before.server, before.channel, before.message)
    await turn_page(seat, "more")


ACTS: dict[str, Callable[[AtDesk, Press], Awaitable[None]]] = {
    "sheet": _open_sheet,
    "remind": _remind,
    "decide": _decide,
    "pick": _pick,
    "owed": _press_owed,
    "join": _join,
    "settle": _settle,
    "npcs": _roll_npcs,
    "undo": _undo,
    "count": _count,
    "new": _begin_count,
    "turn": take_turn,
    "kin": take_turns,
    "order": set_order,
    "battle": start_fight,
    "peace": end_fight,
    "time": _time,
    "rest": _rest,
    "award": _award,
    "start": _start,
    "end": _end,
    "watch": _watch,
    "place": _place,
    "away": _take_away,
}
