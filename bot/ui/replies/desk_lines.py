"""What the Table page of the GM's desk says, short enough for a phone."""

from collections.abc import Sequence

from bot.rules.shared.countdowns import Visibility
from bot.table.gm.awaited import AwaitedAnswer
from bot.table.gm.desk import Desk, LatestAct, PartyMember
from bot.table.play.countdowns import CountdownView
from bot.ui.text.phone import LINE_LENGTH, height
from bot.ui.text.text import escape, listed, shorten

WAIT_LINES, MEMBER_LINES, COUNT_LINES = 4, 2, 2
LONGEST_WAIT, LONGEST_ACT, LONGEST_NAME = 70, 70, 30
SEPARATOR = " · "
SEEN = {Visibility.OPEN: "", Visibility.KNOWN: "progress hidden", Visibility.GM: "hidden"}


def head_text(desk: Desk) -> str:
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


def waits_text(desk: Desk) -> str:
    """Who is awaited, what waits longest first; nothing where nobody is."""
    if not desk.waits:
        return ""
    full, brief = [_wait(one) for one in desk.waits], [_wait_in_brief(one) for one in desk.waits]
    return f"**Waiting for**\n{_within(full, brief, WAIT_LINES, 'in the menus')}"


def _wait(one: AwaitedAnswer) -> str:
    return listed([escape(shorten(one.what, LONGEST_WAIT)), f"<t:{one.since}:R>", *_marks(one)])


def _wait_in_brief(one: AwaitedAnswer) -> str:
    """What is awaited in one line, with what matters most about it; the order says what waits longest."""
    mark = "".join(_marks(one)[-1:])
    room = LINE_LENGTH - len(SEPARATOR) - len(mark) if mark else LINE_LENGTH
    return listed([escape(shorten(one.what, room)), mark])


def _marks(one: AwaitedAnswer) -> list[str]:
    marks = ["reminded" if one.was_reminded else "", "hidden" if one.is_hidden else ""]
    return [mark for mark in marks if mark]


def party_text(desk: Desk, room: int) -> str:
    """The party in at most so many lines, with two for each where there is room."""
    if not desk.party:
        return "Nobody has a character yet."
    full = [_member(one, MEMBER_LINES * LINE_LENGTH) for one in desk.party]
    brief = [_member(one, LINE_LENGTH) for one in desk.party]
    return _within(full, brief, room, "in the menu")


def _member(one: PartyMember, longest: int) -> str:
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


def countdowns_text(desk: Desk, room: int) -> str:
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


def act_words(act: LatestAct) -> str:
    """What somebody did, in small print."""
    return f"-# {escape(shorten(act.words, LONGEST_ACT))}{' (secret)' if act.is_secret else ''}"
