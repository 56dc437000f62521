"""Asking for checks: the page and the forms from which a GM asks, and what their presses do."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.rules.kernel import Choice
from bot.rules.kernel.dice import percent
from bot.rules.kernel.errors import UserError
from bot.rules.shared.asking import MOST_ASKED, RollSight
from bot.table.base.results import Result
from bot.table.requests import asking_page, requested_checks
from bot.ui.commands.at_desk import AtDesk, tell_there, turn_to
from bot.ui.input.answer import answer, ask_form, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, number_of, press_id
from bot.ui.replies.links import HERE, desk_button
from bot.ui.replies.result_replies import card_lines
from bot.ui.text.reply import (
    IN_MENU,
    Block,
    Button,
    Field,
    Form,
    Look,
    MenuField,
    Reply,
    Select,
    private_page,
)
from bot.ui.text.roll_text import escape, listed, plain, shorten

if TYPE_CHECKING:
    from bot.table.requests.asking_page import AskingPage, BestAt, CheckOffer, OfferedCheck
    from bot.table.requests.requested_checks import SilentRolls, Wanted


async def on_asks(interaction: Interaction, press: Press) -> None:
    """Handle a press on the page, or its form."""
    seat = AtDesk(interaction, press.number(1))
    match press.argument(0):
        case "open":
            await _open(seat)
        case "home":
            await turn_to(seat, _page(seat))
        case "form":
            offer = await asking_page.checks_for_all(seat.table, seat.request)
            await ask_form(interaction, check_form(offer, asks_id("ask", seat.home)))
        case "ask":
            await _told(seat, await in_time(interaction, _asked(seat, press)))
        case "seek":
            offer = await asking_page.checks_for_all(seat.table, seat.request)
            await ask_form(interaction, best_form(offer, asks_id("best", seat.home)))
        case "best":
            await turn_to(seat, _page(seat, await _wanted(seat, press)))
        case "again":
            again = asking_page.ask_again(seat.table, seat.request, press.number(2), press.number(3))
            await _told(seat, await in_time(interaction, again))
        case "hard":
            chosen = press.chosen()
            difficulty = "" if chosen == NO_DIFFICULTY else chosen
            setting = asking_page.set_scene(seat.table, seat.request, difficulty=difficulty)
            await in_time(interaction, setting)
            await turn_to(seat, _page(seat))
        case "sight":
            setting = asking_page.set_scene(seat.table, seat.request, sight=_sight(press))
            await in_time(interaction, setting)
            await turn_to(seat, _page(seat))
        case _:
            raise OutOfDate


async def open_asks(interaction: Interaction) -> None:
    """Answer with the page, to the GM alone."""
    await _open(AtDesk(interaction))


async def call_for(interaction: Interaction, wanted: "Wanted") -> None:
    """Call for a check, as a command says."""
    seat = AtDesk(interaction)
    await _tell(seat, await requested_checks.ask(seat.table, seat.request, wanted))


async def call_by_form(interaction: Interaction, press: Press) -> None:
    """Call for the check that a GM chose in the form of one character."""
    seat = AtDesk(interaction)
    await _tell(seat, await _asked(seat, press))


async def _wanted(seat: AtDesk, press: Press) -> "Wanted":
    if WHAT not in press.fields:
        return wanted_by(press)
    return wanted_by(press, await asking_page.check_called(seat.table, seat.request, press.fields[WHAT]))


async def _asked(seat: AtDesk, press: Press) -> "Result | SilentRolls":
    return await requested_checks.ask(seat.table, seat.request, await _wanted(seat, press))


async def _page(seat: AtDesk, sought: "Wanted | None" = None) -> Reply:
    """The page as it is now, with who is best at something if a GM asks for that."""
    best = None if sought is None else await asking_page.best_at(seat.table, seat.request, sought)
    return ask_page_reply(await asking_page.asking_page(seat.table, seat.request), seat.home, best)


async def _open(seat: AtDesk) -> None:
    await answer(seat.interaction, await in_time(seat.interaction, _page(seat), adds=True))


async def _told(seat: AtDesk, asked: "Result | SilentRolls") -> None:
    """Show the page as it is now, then what was asked."""
    await turn_to(seat, _page(seat))
    await _tell(seat, asked)


async def _tell(seat: AtDesk, asked: "Result | SilentRolls") -> None:
    if isinstance(asked, requested_checks.SilentRolls):
        await answer(seat.interaction, silent_reply(asked))
    else:
        await tell_there(seat, asked)


def _sight(press: Press) -> RollSight:
    try:
        return RollSight(press.chosen())
    except ValueError:
        raise OutOfDate from None


# --- the page ------------------------------------------------------------------------------------

ASKS = "asks"
NO_DIFFICULTY = "-"
LONGEST_LABEL = 34  # of the only button in its row
MOST_DIFFICULTIES = 24  # besides the one for none
LONGEST = 4000


def asks_id(what: str, home: int, *arguments: object) -> str:
    """The id of a button, menu or form of the page that asks in a channel; 0 for the one it stands in."""
    return press_id(ASKS, what, home, *arguments)


def ask_page_reply(page: "AskingPage", home: int = HERE, best: "BestAt | None" = None) -> Reply:
    """The page: the last requests, one press each; the scene's difficulty; who sees the results.

    Args:
        home: The channel that the desk leads.
        best: Who is best at a check that the GM has just looked up, or None.
    """
    return private_page(_blocks(page, home, best))


def _blocks(page: "AskingPage", home: int, best: "BestAt | None") -> Iterator[Block]:
    yield f"### Ask for a check\n-# {escape(page.campaign)}"
    if best is not None:
        yield best_text(best)
    if page.difficulties:
        yield Select(
            id=asks_id("hard", home),
            prompt="The scene's difficulty",
            choices=tuple(_difficulties(page)),
            chosen=(page.difficulty or NO_DIFFICULTY,),
        )
    yield Select(
        id=asks_id("sight", home),
        prompt="Who sees the results",
        choices=tuple(Choice(sight.value, words) for sight, words in asking_page.SEEN.items()),
        chosen=(page.sight.value,),
    )
    yield (
        Button(id=asks_id("form", home), label=f"Ask ({page.sight})", look=Look.MAIN),
        Button(id=asks_id("seek", home), label="Best at …"),
    )
    yield (Button(id=asks_id("home", home), label="Refresh"), desk_button(home))
    if page.recent:
        yield "Ask again:"
    for one in page.recent:
        id_ = asks_id("again", home, one.entry, page.latest)
        yield (Button(id=id_, label=plain(one.label, LONGEST_LABEL)),)


def best_text(best: "BestAt") -> str:
    """The three who are best at a check, in a line."""
    what = f"{best.what[:1].upper()}{best.what[1:]}{f', {best.difficulty}' if best.difficulty else ''}"
    if not best.best:
        return f"{escape(what)}: nobody has a chance to compare. Set a difficulty, or choose another check."
    people = listed((f"**{escape(one.name)}** {percent(one.chance)}" for one in best.best), ", ")
    return f"Best at {escape(what)}: {people}"


def _difficulties(page: "AskingPage") -> Iterator[Choice]:
    yield Choice(NO_DIFFICULTY, "Scene's difficulty: none")
    names = page.difficulties[:MOST_DIFFICULTIES]
    if page.difficulty and page.difficulty not in names:
        names = (*names[:-1], page.difficulty)
    yield from (Choice(name, plain(f"Scene's difficulty: {name}", 100)) for name in names)


def silent_reply(rolled: "SilentRolls") -> Reply:
    """What came of silent checks, for the GM alone."""
    lines = [line for one in rolled.results for line in card_lines(one)[0]]
    lines.append("-# Nobody else was told, and nothing else comes of these rolls.")
    return Reply(text=shorten("\n".join(lines), LONGEST), is_private=True)


# --- the form ------------------------------------------------------------------------------------

ASK_FOR = "askfor"
LONGEST_CHOICE = 100  # of a choice's value and label
BETWEEN = "|"
WHAT, DIFFICULTY, WHO, NOTE = "what", "difficulty", "who", "note"
MOST_FIELDS = 5


def check_form(offer: "CheckOffer", id_: str = "") -> Form:
    """The form for one character, or for those whom the GM chooses in it.

    Args:
        offer: What can be asked for.
        id_: The id of the form; by default that of one character's.
    """
    fields = _check_fields(offer, "What to ask for")
    if offer.who:
        label, most = "Who (nobody: all players)", min(len(offer.who), MOST_ASKED)
        fields.append(MenuField(key=WHO, label=label, choices=offer.who, least=0, most=most))
    if len(fields) < MOST_FIELDS:
        fields.append(Field(key=NOTE, label="What it is about", longest=200, is_required=False))
    seen = "" if offer.sight is RollSight.OPEN else f" ({offer.sight})"
    asked = f"Ask {plain(offer.name, 16)}" if offer.name else "Ask"
    return Form(
        id=id_ or press_id(ASK_FOR, offer.character or 0),
        title=f"{asked} for a check{seen}",
        fields=tuple(fields),
    )


def best_form(offer: "CheckOffer", id_: str) -> Form:
    """The form in which a GM chooses at what the best are shown."""
    return Form(id=id_, title="Who is best at …", fields=tuple(_check_fields(offer, "At what")))


def _check_fields(offer: "CheckOffer", label: str) -> list[Field | MenuField]:
    """The check and its difficulty."""
    choices = _choices(offer.checks)
    fields: list[Field | MenuField] = []
    if len(choices) <= IN_MENU:
        fields.append(MenuField(key=WHAT, label=label, choices=tuple(choices)))
    else:  # two menus of one question would be one too many
        such = listed((offer.checks[0].what or choices[0].label, choices[-1].label), ", ")
        note = shorten(f"How its name begins: {such} …", LONGEST_CHOICE)
        fields.append(Field(key=WHAT, label=label, note=note))
    if offer.difficulties:
        fields.append(_difficulty(offer))
    return fields


def _choices(checks: "tuple[OfferedCheck, ...]") -> list[Choice]:
    has_several = len({one.check for one in checks}) > 1
    labels = {f"{one.check}{BETWEEN}{one.what}": _label(one, has_several=has_several) for one in checks}
    return [Choice(value, label) for value, label in labels.items() if len(value) <= LONGEST_CHOICE]


def _label(one: "OfferedCheck", *, has_several: bool) -> str:
    title = one.title if has_several else one.what or one.check
    return plain(title[:1].upper() + title[1:], LONGEST_CHOICE)


def _difficulty(offer: "CheckOffer") -> Field | MenuField:
    label = "Difficulty"
    if offer.difficulty:
        label = plain(f"Difficulty (else {offer.difficulty})", 45)
    if len(offer.difficulties) > IN_MENU:
        return Field(key=DIFFICULTY, label=label, is_required=False)
    choices = tuple(Choice(name, name) for name in offer.difficulties)
    return MenuField(key=DIFFICULTY, label=label, choices=choices, least=0)


def wanted_by(press: Press, written: "OfferedCheck | None" = None) -> "Wanted":
    """What a GM chose or wrote in the form, and of whom: those chosen there, or the form's one character.

    Raises:
        UserError: If that is no check, or more than one.
    """
    check, what = _chosen_check(press) if written is None else (written.check, written.what)
    difficulty = press.choice(DIFFICULTY) or press.fields.get(DIFFICULTY, "")
    return requested_checks.Wanted(
        check=check,
        what=what,
        difficulty=difficulty,
        who=(press.number(),) if press.kind == ASK_FOR else tuple(map(number_of, press.choices.get(WHO, ()))),
        note=press.fields.get(NOTE, ""),
    )


def _chosen_check(press: Press) -> tuple[str, str]:
    """The check that is chosen in a menu; forms of earlier releases have up to three, "what1" to "what3"."""
    chosen = [one for key, values in press.choices.items() if key.startswith(WHAT) for one in values]
    if len(chosen) != 1:
        raise UserError("Choose one thing to ask for.", try_this="Open the form again, or use /gm ask.")
    check, _, what = chosen[0].partition(BETWEEN)
    return check, what
