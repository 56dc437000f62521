"""Desks that stand in channels: only where no player can see them, and never long in one message."""

import hashlib
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import discord
from msgspec.structs import replace

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Visibility
from bot.table.base.access import CannotPost, Request
from bot.table.base.live_rows import DESK_ROWS, DeskPlace
from bot.table.base.table import Table
from bot.table.gm import desk, waiting
from bot.table.play.countdowns import CountdownView
from bot.ui.input.presses import press_id
from bot.ui.live.live_message import Live, LiveKind, LiveMessage
from bot.ui.replies.links import (
    HERE,
    desk_id,
    foes_button,
    open_secrets,
    open_settings,
    secret_id,
    strip_menu,
)
from bot.ui.text.reply import (
    IN_MENU,
    Block,
    Button,
    ButtonBeside,
    Divider,
    Reply,
    Select,
    private_page,
    rows_of,
)
from bot.ui.text.reply import Look as Prominence
from bot.ui.text.roll_text import LINE_LENGTH, PAGE_LINES, as_many, escape, height, listed, plain, shorten

if TYPE_CHECKING:
    from bot.table.gm.desk import Desk, Insiders, LatestAct, PartyMember
    from bot.table.gm.waiting import AwaitedAnswer

LAYOUT = 2  # counts up when desks come to look different, so that those standing are drawn anew
OLDEST_SECONDS = 50 * 60  # Discord takes few changes of a message that is older than an hour


async def _load(table: Table, place: DeskPlace) -> Live | None:
    found = await desk.standing_desk(table, place)
    if found is None:
        return None
    reply = standing_reply(found.desk, place.home)
    return Live(
        server=place.server,
        channel=found.row.channel,
        message=found.row.message,
        shown=found.row.shown,
        mark=hashlib.sha256(repr((LAYOUT, found.desk)).encode()).hexdigest()[:32],
        draw=lambda _pings: reply,
    )


async def _may_stand(client: discord.Client, table: Table, place: DeskPlace, channel: int) -> bool | None:
    server = client.get_guild(place.server)
    if server is None or server.unavailable:  # Discord has not said yet what is in it
        return None
    there = server.get_channel(channel)
    if there is None:
        return False
    among = await desk.insiders(table, place.server, place.campaign)
    return not await seen_by(there, among)


DESK_MESSAGE = LiveKind(
    name="desk",
    rows=DESK_ROWS,
    load=_load,
    oldest_seconds=OLDEST_SECONDS,
    may_stand=_may_stand,
)


class SeenByPlayers(UserError):
    """Players can see the channel in which a desk is to stand.

    Args:
        channel: The channel's name.
        who: A role or person that can see it.
    """

    def __init__(self, channel: str, who: str) -> None:
        super().__init__(
            f"{who} can see #{channel}, so the desk can't stand there.",
            "Hide the channel from them, or choose another one.",
        )


async def put_in(
    live: "LiveMessage[DeskPlace]", table: Table, request: Request, channel: discord.abc.GuildChannel
) -> None:
    """Post the desk that leads the request's channel into a channel that no player can see.

    Raises:
        UserError: If a player can see it, or the bot may not post there; then nothing has changed.
    """
    campaign = await desk.campaign_of(table, request)
    who = await seen_by(channel, await desk.insiders(table, request.server, campaign))
    if who:
        raise SeenByPlayers(channel.name, who)
    place, before = await desk.place_desk(table, request, channel.id)
    try:
        await live.show_now(place)
    except Exception as error:
        await desk.put_back(table, place, before)
        if isinstance(error, discord.Forbidden):
            raise CannotPost(("a permission",)) from None
        raise
    if before is not None and before.message is not None:
        await live.remove(place.server, before.channel, before.message)


async def seen_by(channel: discord.abc.GuildChannel, among: "Insiders") -> str:
    """The name of a role or person that can see a channel without being a GM; nothing if there is none."""
    for role in channel.guild.roles:
        if _is_players(role, among) and channel.permissions_for(role).view_channel:
            return role.name
    async for name in _people_who_see(channel, among):
        return name
    return ""


def _is_players(role: discord.Role, among: "Insiders") -> bool:
    held = role.permissions
    return not (role.managed or role.id == among.role or held.administrator or held.manage_guild)


async def _people_who_see(channel: discord.abc.GuildChannel, among: "Insiders") -> AsyncIterator[str]:
    """Those whom the channel shows itself by name, without their being GMs."""
    me, owner = channel.guild.me.id, channel.guild.owner_id
    for person in _shown_by_name(channel):
        if person in among.people or person in {me, owner}:
            continue
        try:
            member = await channel.guild.fetch_member(person)
        except discord.NotFound:
            continue
        except discord.HTTPException:
            yield "Somebody"
            continue
        held = member.guild_permissions
        if not (held.administrator or held.manage_guild or among.role in {role.id for role in member.roles}):
            yield member.display_name


def _shown_by_name(channel: discord.abc.GuildChannel) -> Iterable[int]:
    roles = {role.id for role in channel.guild.roles}
    for whom, overwrite in channel.overwrites.items():
        if whom.id not in roles and overwrite.view_channel:
            yield whom.id


# --- the first page in words ---------------------------------------------------------------------

WAIT_LINES, MEMBER_LINES, COUNT_LINES = 4, 2, 2
LONGEST_WAIT, LONGEST_ACT, LONGEST_NAME = 70, 70, 30
SEPARATOR = " · "
SEEN = {Visibility.OPEN: "", Visibility.KNOWN: "progress hidden", Visibility.GM: "hidden"}


def head_text(desk: "Desk") -> str:
    """The campaign, the session and the game time."""
    session = "No session" if desk.session is None else f"Session {desk.session}"
    name = shorten(desk.name, LINE_LENGTH - len("Desk · "))
    return f"### Desk · {escape(name)}\n-# {shorten(f'{session} · {desk.moment}', LINE_LENGTH)}"


def _within(full: Sequence[str], brief: Sequence[str], room: int, more: str) -> str:
    """Return lines in full if they fit into the room, else each in one line, the last of many left out."""
    lines = full if height(full) <= room else brief
    if height(lines) > room:
        shown = max(1, room - 1)
        lines = [*brief[:shown], f"-# and {len(brief) - shown} more {more}"]
    return "\n".join(lines)


def waits_text(desk: "Desk") -> str:
    """Who is awaited, what waits longest first; nothing where nobody is."""
    if not desk.waits:
        return ""
    full, brief = [_wait(one) for one in desk.waits], [_wait_in_brief(one) for one in desk.waits]
    return f"**Waiting for**\n{_within(full, brief, WAIT_LINES, 'in the menus')}"


def _wait(one: "AwaitedAnswer") -> str:
    return listed([escape(shorten(one.what, LONGEST_WAIT)), f"<t:{one.since}:R>", *_marks(one)])


def _wait_in_brief(one: "AwaitedAnswer") -> str:
    """What is awaited in one line, with what matters most about it; the order says what waits longest."""
    mark = "".join(_marks(one)[-1:])
    room = LINE_LENGTH - len(SEPARATOR) - len(mark) if mark else LINE_LENGTH
    return listed([escape(shorten(one.what, room)), mark])


def _marks(one: "AwaitedAnswer") -> list[str]:
    marks = ["reminded" if one.was_reminded else "", "hidden" if one.is_hidden else ""]
    return [mark for mark in marks if mark]


def party_text(desk: "Desk", room: int) -> str:
    """The party in at most so many lines, with two for each where there is room."""
    if not desk.party:
        return "Nobody has a character yet."
    full = [_member(one, MEMBER_LINES * LINE_LENGTH) for one in desk.party]
    brief = [_member(one, LINE_LENGTH) for one in desk.party]
    return _within(full, brief, room, "in the menu")


def _member(one: "PartyMember", longest: int) -> str:
    """A line about somebody: what the GM watches stands first, in bold."""
    name = shorten(one.name, longest // 2)
    parts = [f"**{escape(name)}**"]
    room = longest - len(name)
    values = ["sheet can't be read"] if one.problem else [*one.watched, *one.states, *one.counts]
    for number, value in enumerate(values):
        room -= len(SEPARATOR) + len(value)
        if room < len(SEPARATOR) + 1 and (room < 0 or number + 1 < len(values)):
            parts.append("…")
            break
        parts.append(f"**{escape(value)}**" if value in one.watched else escape(value))
    return listed(parts, SEPARATOR)


def countdowns_text(desk: "Desk", room: int) -> str:
    """Some countdowns, each in a line of its own or all in one."""
    full = [countdown_line(one) for one in desk.countdowns[:COUNT_LINES]]
    more = len(desk.countdowns) - len(full)
    full += [f"-# and {more} more" for _ in range(min(1, more))]
    if height(full) <= min(room, COUNT_LINES + 1):
        return "\n".join(full)
    short = [f"{shorten(one.name, 12)} {one.value} of {one.difficulty}" for one in desk.countdowns]
    return escape(shorten(listed(short), LINE_LENGTH))


def countdown_line(one: CountdownView) -> str:
    """A countdown with its boxes, and whether players see it."""
    value = f"{one.boxes} {one.value} of {one.difficulty}"
    return listed([f"**{escape(shorten(one.name, LONGEST_NAME))}**", value, SEEN[one.visibility]])


def act_words(act: "LatestAct") -> str:
    """What somebody did, in small print."""
    return f"-# {escape(shorten(act.words, LONGEST_ACT))}{' (secret)' if act.is_secret else ''}"


ACTS_ON_TABLE = 2


def desk_reply(desk: "Desk", home: int = HERE) -> Reply:
    """The Table page."""
    return private_page(_table(desk, home))


def standing_reply(desk: "Desk", home: int) -> Reply:
    """The Table page of a desk in a channel."""
    return replace(desk_reply(desk, home), is_private=False)


def _table(desk: "Desk", home: int) -> Iterator[Block]:
    """Who is awaited, then the party, then countdowns and the last acts as far as there is room."""
    told = [head_text(desk)]
    yield told[0]
    if desk.waits:
        told.append(waits_text(desk))
        yield told[-1]
        yield from _wait_menus(desk, home)
    below = 1 if desk.countdowns else 0
    told.append(party_text(desk, PAGE_LINES - height(told) - below))
    yield told[-1]
    yield from _sheets(desk, home)
    yield from strip_menu(desk.people, home)
    if desk.countdowns:
        told.append(countdowns_text(desk, PAGE_LINES - height(told)))
        yield told[-1]
    acts = desk.acts[: 1 if desk.waits else ACTS_ON_TABLE]
    for act in acts[: as_many(told, list(map(act_words, acts)), PAGE_LINES)]:
        yield act_block(act, home, "home")
    yield Divider()
    buttons = [
        Button(id=press_id("asks", "home", home), label="Ask …", look=Prominence.MAIN),
        Button(id=desk_id("time", home), label="Time …"),
        Button(id=desk_id("award", home), label="Award …"),
    ]
    if desk.can_rest:
        buttons.insert(1, Button(id=desk_id("rest", home), label="Rest …"))
    if waiting.of_npcs(desk.waits):
        buttons.insert(0, Button(id=desk_id("npcs", home), label="Roll NPCs", look=Prominence.MAIN))
    buttons.append(Button(id=desk_id("counts", home), label="Countdowns"))
    if desk.acts:
        buttons.append(Button(id=desk_id("acts", home), label="Last acts"))
    if desk.session is None:
        start = Button(id=desk_id("start", home), label="Start session", look=Prominence.GOOD)
        buttons.append(start)
    yield from rows_of([*buttons, *_links(desk, home)])


def _links(desk: "Desk", home: int) -> list[Button]:
    """The buttons to the other pages; those of a desk in a channel open a page for whoever presses."""
    return [
        Button(
            id=desk_id("fight", home),
            label="Fight",
            look=Prominence.MAIN if desk.fights else Prominence.PLAIN,
        ),
        foes_button(home),
        open_secrets(home),
        open_settings(desk.campaign),
        Button(id=desk_id("more", home), label="More …"),
        Button(id=desk_id("home", home), label="Refresh"),
        *(Button(id=desk_id("end", home), label="End session …") for _ in range(1 if desk.session else 0)),
    ]


# --- the party ---------------------------------------------------------------------------------


def _sheets(desk: "Desk", home: int) -> Iterator[Select]:
    people = [Choice(str(one.id), plain(one.name, 100), plain(_stand(one), 100)) for one in desk.party]
    npcs = [Choice(one.value, plain(one.label, 100), one.note) for one in desk.npcs]
    together = len(people) + len(npcs) <= IN_MENU
    choices = (*people, *npcs) if together else tuple(people)
    if choices:
        yield Select(id=desk_id("sheet", home), prompt="Open a sheet …", choices=choices[:IN_MENU])
    if not together:
        menu = desk_id("sheet", home, "npc")  # no two menus of a message have one id
        yield Select(id=menu, prompt="An NPC acts …", choices=tuple(npcs[:IN_MENU]))
    if desk.hidden:
        hidden = tuple(Choice(one.value, plain(one.label, 100)) for one in desk.hidden[:IN_MENU])
        yield Select(id=secret_id("open", home), prompt="Reveal …", choices=hidden)


def _stand(one: "PartyMember") -> str:
    return listed((*one.watched, *one.states, *one.counts)) or "–"


# --- who is awaited ----------------------------------------------------------------------------


def _wait_menus(desk: "Desk", home: int) -> Iterator[Select]:
    remindable = [one for one in desk.waits if one.can_remind and not one.was_reminded]
    if remindable:
        yield _waits_menu(desk_id("remind", home), "Remind …", remindable)
    yield _waits_menu(desk_id("decide", home), "Decide …", desk.waits)


def _waits_menu(id_: str, prompt: str, found: "Sequence[AwaitedAnswer]") -> Select:
    choices = tuple(Choice(one.key, plain(one.what, 100)) for one in found[:IN_MENU])
    return Select(id=id_, prompt=prompt, choices=choices)


def act_block(act: "LatestAct", home: int, page: str) -> ButtonBeside:
    """A line about an act, with the button that undoes it."""
    label = "Redo" if act.is_undo else "Undo"
    return ButtonBeside(act_words(act), Button(id=desk_id("undo", home, page, act.entry), label=label))
