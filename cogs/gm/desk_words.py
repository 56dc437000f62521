"""The pages of the desk but its first, which may stand in a channel, and its forms."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bot.rules.kernel import Choice, FighterLine
from bot.rules.kernel.outcome import MINUS
from bot.rules.kernel.tracker import JOIN
from bot.table.encounters.encounters import Look
from bot.table.gm import desk as desks
from bot.table.play.countdowns import CountdownView
from bot.table.play.owed_answers import Offer
from bot.ui.live.desk_message import act_block, countdown_line
from bot.ui.live.fight_board import fight_blocks, gm_blocks
from bot.ui.replies.links import HERE, all_dice_button, ask_plan_button, desk_button, desk_id
from bot.ui.replies.recaps import chronicle_button
from bot.ui.text.reply import (
    IN_MENU,
    Block,
    Button,
    Field,
    Form,
    MenuField,
    Reply,
    Select,
    private_page,
    rows_of,
)
from bot.ui.text.reply import Look as Prominence
from bot.ui.text.roll_text import escape, plain, shorten

if TYPE_CHECKING:
    from bot.table.gm.desk import Desk
    from bot.table.gm.waiting import AwaitedAnswer

ACTS_ON_PAGE, COUNTS_ON_PAGE = 8, 6
SHORT = 10  # a name that fits into two buttons beside each other
MOST_SELECTS, MOST_BUTTONS = 4, 12  # of a fight


def decide_reply(wait: "AwaitedAnswer", home: int) -> Reply:
    """The page on which the GM answers in place of somebody."""
    return private_page(_deciding(wait, home))


def _deciding(wait: "AwaitedAnswer", home: int) -> Iterator[Block]:
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


def _answer_id(wait: "AwaitedAnswer", one: Offer, home: int) -> str:
    if wait.prompt is not None:
        return desk_id("join", home, wait.prompt, one.key)
    return desk_id("pick" if wait.under is None else "owed", home, wait.key, one.key)


def reminder_reply(wait: "AwaitedAnswer") -> Reply:
    """The message that reminds people of what they have to answer."""
    people = " ".join(f"<@{person}>" for person in wait.people)
    return Reply(plain=f"{people}, still waiting: {escape(wait.what)}", pings=wait.people)


# --- countdowns, acts and the rest -------------------------------------------------------------


def counts_reply(desk: "Desk", home: int = HERE) -> Reply:
    """Every running countdown with its buttons."""
    return private_page(_counts(desk, home))


def _counts(desk: "Desk", home: int) -> Iterator[Block]:
    yield f"### Countdowns · {escape(desk.name)}"
    for one in desk.countdowns[:COUNTS_ON_PAGE]:
        yield f"{countdown_line(one)}{_note(one)}"
        name = f" {plain(one.name, SHORT)}" if len(one.name) <= SHORT else "1"  # its line stands above
        yield (
            Button(id=desk_id("count", home, one.id, "up"), label=f"+{name}"),
            Button(id=desk_id("count", home, one.id, "down"), label=f"{MINUS}{name}"),
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


def acts_reply(desk: "Desk", home: int = HERE) -> Reply:
    """The last acts, each with a button that undoes it."""
    return private_page(_acts(desk, home))


def _acts(desk: "Desk", home: int) -> Iterator[Block]:
    yield f"### Last acts · {escape(desk.name)}"
    for act in desk.acts[:ACTS_ON_PAGE]:
        yield act_block(act, home, "acts")
    if not desk.acts:
        yield "Nothing has been done that can be undone."
    yield (Button(id=desk_id("home", home), label="Back"),)


def more_reply(desk: "Desk", home: int = HERE, channels: Sequence[Choice] = ()) -> Reply:
    """What is needed once an evening: what to watch, and where a desk stands.

    Args:
        home: The channel that it leads.
        channels: The channels in which a desk might stand.
    """
    return private_page(_more(desk, home, channels))


def _more(desk: "Desk", home: int, channels: Sequence[Choice]) -> Iterator[Block]:
    yield f"### Desk · {escape(desk.name)}"
    if desk.watchable:
        yield f"Choose up to {desks.MOST_WATCHED} numbers to see first about each character:"
        titles = dict.fromkeys((*desk.watched, *desk.watchable))
        yield Select(
            id=desk_id("watch", home),
            prompt="Watch …",
            choices=tuple(Choice(title, plain(title, 100)) for title in titles if len(title) <= 100),
            least=0,
            most=desks.MOST_WATCHED,
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


# --- forms ---------------------------------------------------------------------------------------

LAST = "-"  # where somebody acts who acts after everybody else
UNITS = ("minutes", "hours", "days", "seconds")
SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}


def time_form(home: int) -> Form:
    """How much game time passes."""
    choices = tuple(Choice(unit, unit.capitalize()) for unit in UNITS)
    amount = Field(key="amount", label="How much", value="10", longest=6)
    unit = MenuField(key="unit", label="Unit", choices=choices, chosen=("minutes",), is_open=True)
    return Form(id=desk_id("time", home), title="Let time pass", fields=(amount, unit))


def rest_form(desk: "Desk", home: int) -> Form:
    """How long who rests."""
    hours = Field(key="hours", label="How many hours", value="8", longest=4)
    everybody = tuple(Choice(one.name, plain(one.name, 100)) for one in desk.party[:IN_MENU])
    fields: list[Field | MenuField] = [hours]
    if everybody:
        chosen = tuple(one.value for one in everybody)
        fields.append(
            MenuField(key="who", label="Who", choices=everybody, least=0, most=len(everybody), chosen=chosen)
        )
    when = (Choice("now", "Rest at once"), Choice("ask", "Let others join first"))
    fields.append(MenuField(key="when", label="When", choices=when, chosen=("now",), is_open=True))
    return Form(id=desk_id("rest", home), title="Call for a rest", fields=tuple(fields))


def fight_form(desk: "Desk", home: int) -> Form:
    """Who fights."""
    choices = tuple(Choice(name, plain(name, 100)) for name in desk.fighters[:IN_MENU])
    people = {one.name for one in desk.party}
    chosen = tuple(one.value for one in choices if one.value in people)
    who = MenuField(key="who", label="Who fights", choices=choices, most=len(choices), chosen=chosen)
    return Form(id=desk_id("battle", home), title="Start a fight", fields=(who,))


def award_form(desk: "Desk", resources: Sequence[Choice], home: int) -> Form:
    """What is awarded to whom."""
    everybody = tuple(Choice(one.name, plain(one.name, 100)) for one in desk.party[:IN_MENU])
    chosen = tuple(one.value for one in everybody)
    return Form(
        id=desk_id("award", home),
        title="Award",
        fields=(
            MenuField(key="resource", label="What", choices=tuple(resources[:IN_MENU])),
            Field(key="amount", label="How much", note="Less than 0 takes away", value="1", longest=6),
            MenuField(key="who", label="Who", choices=everybody, most=len(everybody), chosen=chosen),
        ),
    )


def order_form(lines: Sequence[FighterLine], home: int) -> Form:
    """Who acts at another time in a fight, and before whom."""
    everybody = tuple(Choice(str(one.character), plain(one.name, 100)) for one in lines)
    who = MenuField(key="who", label="Who acts at another time", choices=everybody[:IN_MENU])
    places = (*everybody[: IN_MENU - 1], Choice(LAST, "Nobody: last of all"))
    before = MenuField(key="before", label="Before whom", choices=places)
    return Form(id=desk_id("order", home), title="Change the order", fields=(who, before))


def in_new_order(lines: Sequence[FighterLine], who: str, before: str) -> list[str]:
    """The names of a fight in the order that such a form asks for; none if it can't be had."""
    names = {str(one.character): one.name for one in lines}
    if who == before or who not in names or before not in {*names, LAST}:
        return []
    rest = [one for one in names if one != who]
    at = len(rest) if before == LAST else rest.index(before)
    return [names[one] for one in (*rest[:at], who, *rest[at:])]
