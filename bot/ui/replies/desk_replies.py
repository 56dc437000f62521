"""The pages of the GM's desk."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.rules.kernel import Choice
from bot.rules.kernel.tracker import JOIN
from bot.rules.kernel.wording import MINUS
from bot.rules.shared.countdowns import Visibility
from bot.table.encounters.encounters import Look
from bot.table.gm.awaited import AwaitedAnswer, of_npcs
from bot.table.gm.desk import MOST_WATCHED, Desk, LatestAct, PartyMember
from bot.table.play.countdowns import CountdownView
from bot.table.play.owed_answers import Offer
from bot.ui.input.presses import press_id
from bot.ui.replies.campaign_replies import open_settings
from bot.ui.replies.desk_ids import HERE, desk_button, desk_id
from bot.ui.replies.encounter_replies import fight_blocks, gm_blocks
from bot.ui.replies.fairness_replies import all_dice_button
from bot.ui.replies.foe_replies import foes_button
from bot.ui.replies.meeting_replies import ask_plan_button
from bot.ui.replies.recaps import chronicle_button
from bot.ui.replies.secret_replies import open_secrets, secret_id
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
from bot.ui.text.text import LINE_LENGTH, PAGE_LINES, as_many, escape, height, listed, plain, shorten

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


LONGEST_LABEL = 14
ACTS_ON_TABLE, ACTS_ON_PAGE, COUNTS_ON_PAGE = 2, 8, 6
MOST_SELECTS, MOST_BUTTONS = 4, 12  # of a fight


def desk_reply(desk: Desk, home: int = HERE) -> Reply:
    """The Table page."""
    return private_page(_table(desk, home))


def standing_reply(desk: Desk, home: int) -> Reply:
    """The Table page of a desk in a channel."""
    return replace(desk_reply(desk, home), is_private=False)


def _table(desk: Desk, home: int) -> Iterator[Block]:
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
    if desk.countdowns:
        told.append(countdowns_text(desk, PAGE_LINES - height(told)))
        yield told[-1]
    acts = desk.acts[: 1 if desk.waits else ACTS_ON_TABLE]
    for act in acts[: as_many(told, list(map(act_words, acts)), PAGE_LINES)]:
        yield _act(act, home, "home")
    yield Divider()
    buttons = [
        Button(id=press_id("asks", "home", home), label="Ask …", look=Prominence.MAIN),
        Button(id=desk_id("time", home), label="Time …"),
        Button(id=desk_id("award", home), label="Award …"),
    ]
    if desk.can_rest:
        buttons.insert(1, Button(id=desk_id("rest", home), label="Rest …"))
    if of_npcs(desk.waits):
        buttons.insert(0, Button(id=desk_id("npcs", home), label="Roll NPCs", look=Prominence.MAIN))
    buttons.append(Button(id=desk_id("counts", home), label="Countdowns"))
    if desk.acts:
        buttons.append(Button(id=desk_id("acts", home), label="Last acts"))
    if desk.session is None:
        start = Button(id=desk_id("start", home), label="Start session", look=Prominence.GOOD)
        buttons.append(start)
    yield from rows_of(buttons)
    yield from rows_of(_links(desk, home))


def _links(desk: Desk, home: int) -> list[Button]:
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
    ]


# --- the party ---------------------------------------------------------------------------------


def _sheets(desk: Desk, home: int) -> Iterator[Select]:
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


def _stand(one: PartyMember) -> str:
    return listed((*one.watched, *one.states, *one.counts)) or "–"


# --- who is awaited ----------------------------------------------------------------------------


def _wait_menus(desk: Desk, home: int) -> Iterator[Select]:
    remindable = [one for one in desk.waits if one.can_remind and not one.was_reminded]
    if remindable:
        yield _waits_menu(desk_id("remind", home), "Remind …", remindable)
    yield _waits_menu(desk_id("decide", home), "Decide …", desk.waits)


def _waits_menu(id_: str, prompt: str, found: Sequence[AwaitedAnswer]) -> Select:
    choices = tuple(Choice(one.key, plain(one.what, 100)) for one in found[:IN_MENU])
    return Select(id=id_, prompt=prompt, choices=choices)


def decide_reply(wait: AwaitedAnswer, home: int) -> Reply:
    """The page on which the GM answers in place of somebody."""
    return private_page(_deciding(wait, home))


def _deciding(wait: AwaitedAnswer, home: int) -> Iterator[Block]:
    yield f"### Decide\n{escape(wait.what)}\n-# since <t:{wait.since}:R> in <#{wait.channel}>"
    menus = [one for one in wait.answers if one.follow_up.choices]
    for one in menus[:MOST_SELECTS]:
        yield Select(
            id=_answer_id(wait, one, home),
            prompt=plain(one.follow_up.label, 150),
            choices=one.follow_up.choices[:IN_MENU],
        )
    buttons = [
        Button(id=_answer_id(wait, one, home), label=plain(one.follow_up.label, 80), look=Prominence.MAIN)
        for one in wait.answers
        if not one.follow_up.choices
    ]
    yield from rows_of(buttons[:MOST_BUTTONS])
    end = [Button(id=desk_id("home", home), label="Back")]
    if wait.can_settle:
        end.insert(0, Button(id=desk_id("settle", home, wait.key), label="Settle it"))
    yield tuple(end)
    if wait.can_settle:
        yield "-# *Settle it* rolls what is owed and skips what is optional."


def _answer_id(wait: AwaitedAnswer, one: Offer, home: int) -> str:
    if wait.prompt is not None:
        return desk_id("join", home, wait.prompt, one.key)
    return desk_id("pick" if wait.under is None else "owed", home, wait.key, one.key)


def reminder_reply(wait: AwaitedAnswer) -> Reply:
    """The message that reminds people of what they have to answer."""
    people = " ".join(f"<@{person}>" for person in wait.people)
    return Reply(text=f"{people}, still waiting: {escape(wait.what)}", pings=wait.people)


# --- countdowns, acts and the rest -------------------------------------------------------------


def counts_reply(desk: Desk, home: int = HERE) -> Reply:
    """Every running countdown with its buttons."""
    return private_page(_counts(desk, home))


def _counts(desk: Desk, home: int) -> Iterator[Block]:
    yield f"### Countdowns · {escape(desk.name)}"
    for one in desk.countdowns[:COUNTS_ON_PAGE]:
        yield f"{countdown_line(one)}{_note(one)}"
        yield (
            Button(id=desk_id("count", home, one.id, "up"), label=f"+ {plain(one.name, 10)}"),
            Button(id=desk_id("count", home, one.id, "down"), label=f"{MINUS} {plain(one.name, 10)}"),
        )
    more = len(desk.countdowns) - COUNTS_ON_PAGE
    if more > 0:
        yield f"-# and {more} more: /countdown show"
    if not desk.countdowns:
        yield "No countdowns are running."
    new = Button(id=desk_id("new", home), label="New …", look=Prominence.GOOD)
    yield (new, Button(id=desk_id("home", home), label="Back"))


def _note(one: CountdownView) -> str:
    return f"\n-# {escape(shorten(one.note, 80))}" if one.note else ""


def acts_reply(desk: Desk, home: int = HERE) -> Reply:
    """The last acts, each with a button that undoes it."""
    return private_page(_acts(desk, home))


def _acts(desk: Desk, home: int) -> Iterator[Block]:
    yield f"### Last acts · {escape(desk.name)}"
    for act in desk.acts[:ACTS_ON_PAGE]:
        yield _act(act, home, "acts")
    if not desk.acts:
        yield "Nothing has been done that can be undone."
    yield (Button(id=desk_id("home", home), label="Back"),)


def _act(act: LatestAct, home: int, page: str) -> ButtonBeside:
    label = "Redo" if act.is_undo else "Undo"
    return ButtonBeside(act_words(act), Button(id=desk_id("undo", home, page, act.entry), label=label))


def more_reply(desk: Desk, home: int = HERE, channels: Sequence[Choice] = ()) -> Reply:
    """What is needed once an evening: what to watch, where a desk stands, and the end of the session.

    Args:
        desk: The desk.
        home: The channel that it leads.
        channels: The channels in which a desk might stand.
    """
    return private_page(_more(desk, home, channels))


def _more(desk: Desk, home: int, channels: Sequence[Choice]) -> Iterator[Block]:
    yield f"### Desk · {escape(desk.name)}"
    if desk.watchable:
        yield f"Choose up to {MOST_WATCHED} numbers to see first about each character:"
        titles = dict.fromkeys((*desk.watched, *desk.watchable))
        yield Select(
            id=desk_id("watch", home),
            prompt="Watch …",
            choices=tuple(Choice(title, plain(title, 100)) for title in titles if len(title) <= 100),
            least=0,
            most=MOST_WATCHED,
            chosen=desk.watched,
        )
    if desk.stands_in is not None:
        yield f"A desk for all GMs stands in <#{desk.stands_in}>."
    if channels:
        prompt = "Keep a desk in …"
        yield Select(id=desk_id("place", home), prompt=prompt, choices=tuple(channels[:IN_MENU]))
    yield (ask_plan_button(home), chronicle_button(home))
    buttons = [Button(id=desk_id("home", home), label="Back")]
    if desk.stands_in is not None:
        buttons.insert(0, Button(id=desk_id("away", home), label="Take away"))
    if desk.fights:
        buttons.insert(0, Button(id=desk_id("peace", home), label="End fight"))
    if desk.session is not None:
        buttons.insert(0, Button(id=desk_id("end", home), label="End session"))
    if home == HERE:
        buttons.insert(0, all_dice_button())
    yield from rows_of(buttons)


# --- the fight ---------------------------------------------------------------------------------


def fight_reply(look: Look | None, home: int = HERE) -> Reply:
    """The Fight page: the fight with everything hidden, and its board's buttons."""
    return private_page(_fight(look, home))


def _fight(look: Look | None, home: int) -> Iterator[Block]:
    end = [desk_button(home), Button(id=desk_id("fight", home), label="Refresh")]
    if look is None:
        yield "### No fight\nNobody is fighting now."
        start = Button(id=desk_id("battle", home), label="Start fight …", look=Prominence.GOOD)
        yield (start, *end)
        return
    yield from fight_blocks(look)
    yield from gm_blocks(look.view)
    offers = [one for one in look.offers if one.follow_up.procedure != JOIN]  # GMs fight with NPCs
    for one in [one for one in offers if one.follow_up.choices][:MOST_SELECTS]:
        yield Select(
            id=desk_id("turn", home, one.key),
            prompt=plain(one.follow_up.label, 150),
            choices=one.follow_up.choices[:IN_MENU],
        )
    for joint in look.same_kind[:1]:
        label, choices = plain(joint.follow_up.label, 150), joint.follow_up.choices[:IN_MENU]
        yield Select(id=desk_id("kin", home, joint.key), prompt=label, choices=choices)
    buttons = [
        Button(
            id=desk_id("turn", home, one.key),
            label=plain(one.follow_up.label, 80),
            look=Prominence.PLAIN if one.follow_up.character is None else Prominence.MAIN,
        )
        for one in offers
        if not one.follow_up.choices
    ]
    yield from rows_of(buttons[:MOST_BUTTONS])
    if look.takes_order and len(look.view.lines) > 1:
        end.append(Button(id=desk_id("order", home), label="Order …"))
    yield tuple(end)
