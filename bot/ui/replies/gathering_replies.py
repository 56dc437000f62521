"""Shared prompts as a card: who rolled what, who is missing and how it ended."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.rules.kernel import Audience, FollowUp, Part, View
from bot.table.base.results import Answered, EntryId, Gathered, Result
from bot.table.requests.gatherings import mark_of_deal
from bot.ui.input.presses import press_id
from bot.ui.replies.result_replies import ACCENTS, details_reply, result_reply
from bot.ui.replies.result_text import Brevity, below_lines, change_lines, headline, verdict_text
from bot.ui.text.phone import LINE_LENGTH, REPLY_LINES, first_short, is_short
from bot.ui.text.reply import IN_MENU, IN_ROW, Accent, Button, Look, Reply, Row, Select, rows_of
from bot.ui.text.roll_text import (
    bare_dice_lines,
    message_dice_lines,
    roll_lines,
    short_dice,
    short_dice_lines,
)
from bot.ui.text.text import escape, listed, plain, shorten

LONGEST = 4000
MOST_ROWS = 5
_IN_BRACKETS = re.compile(r" \\\([^)]*\)$")  # how a number came about


def reply_of(result: Result) -> Reply:
    """The reply for a result, with or without a shared prompt."""
    return result_reply(result) if result.gathering is None else gathering_reply(result, result.gathering)


def mark_of(reply: Reply) -> str:
    """A fingerprint of what a message shows, to detect changes."""
    return hashlib.sha256(repr(reply).encode()).hexdigest()[:32]


def gathering_reply(result: Result, gathering: Gathered) -> Reply:
    """The public card of a shared prompt, with its buttons."""
    view = gathering.view
    lines, has_more = _card_lines(result, gathering)
    return Reply(
        text=shorten("\n".join(lines), LONGEST),
        accent=Accent.BOARD if view.verdict is None else ACCENTS[view.verdict.family],
        rows=_rows(result, gathering, has_more=has_more),
        is_private=not result.message.is_public,
    )


def _card_lines(result: Result, gathering: Gathered) -> tuple[list[str], bool]:
    """The lines of a card, and whether they leave anything to its details."""
    whole = _lines(result, gathering, Brevity.WHOLE)
    if not result.message.is_public:
        return whole, False
    shown = list(first_short(_versions(result, gathering)))
    return shown, shown != whole


def _versions(result: Result, gathering: Gathered) -> Iterator[list[str]]:
    for brevity in (Brevity.WHOLE, Brevity.SHORT_DICE, Brevity.BARE_DICE, Brevity.OUTCOME):
        yield _lines(result, gathering, brevity)  # a line or more for each answer
    top, end = _first_line(result, gathering), _last_lines(gathering)
    answers = [_part_lines(part, answer, Brevity.OUTCOME)[0] for part, answer in gathering.parts]
    dice = bare_dice_lines(result.rolls, result.message.who)
    if not is_short([top, *dice, *answers, *end]):
        end = [_IN_BRACKETS.sub("", line) for line in end]
    for shown in (dice, []):
        for count in range(len(answers), -1, -1):
            left = f"{len(answers) - count} more under Details" if count < len(answers) else ""
            answered = listed((*answers[:count], left), "; ")
            yield [top, *shown, *([answered] if answered else []), *end]
    yield [top, *(shorten(line, LINE_LENGTH) for line in end[: REPLY_LINES // 2])]


def _first_line(result: Result, gathering: Gathered) -> str:
    verdict = gathering.view.verdict
    return listed((headline(result.message), f"· **{escape(verdict.title)}**" if verdict else ""), " ")


def _last_lines(gathering: Gathered) -> list[str]:
    return [f"-# {escape(line)}" for line in gathering.view.lines]


def _lines(result: Result, gathering: Gathered, brevity: Brevity) -> list[str]:
    """The headline, a line or two for each answer, and further notes."""
    dice = message_dice_lines if brevity is Brevity.WHOLE else short_dice_lines
    lines = [_first_line(result, gathering), *dice(result.rolls, result.message.who)]
    lines += map(escape, result.message.notes)
    for part, answer in gathering.parts:
        lines += _part_lines(part, answer, brevity)
    return [*lines, *_last_lines(gathering)]


def _part_lines(part: Part, answer: Answered | None, brevity: Brevity) -> list[str]:
    """Who answered, the outcome, the dice with their chance, and the changes."""
    verdict = verdict_text(part.verdict, None if answer is None else answer.result.was)
    first = listed((f"**{escape(part.who)}**", verdict))
    rolled = [roll.as_rolled for roll in part.rolls]
    if brevity is Brevity.WHOLE:
        lines = roll_lines(rolled, part.who)
    else:
        lines = [short_dice(roll, with_dice=brevity <= Brevity.SHORT_DICE) for roll in rolled]
    rolls = [listed((line, roll.chance)) for line, roll in zip(lines, part.rolls, strict=True)]
    if brevity is Brevity.OUTCOME and part.verdict:
        rolls = []
    if len(rolls) == 1 and not part.verdict:
        first, rolls = f"{first} {rolls[0]}", []
    if brevity is not Brevity.WHOLE and rolls:
        first, rolls = listed((first, *rolls)), []
    lines = [first, *rolls, *(f"-# {escape(note)}" for note in part.notes if brevity < Brevity.BARE_DICE)]
    if answer is None:
        return lines
    top, *below = answer.result.all_of_it
    lines += change_lines(top.message)
    for one in below:
        # What stands as the answer now has its dice and its verdict above.
        if one.entry == answer.entry:
            one = replace(one, rolls=(), message=replace(one.message, verdict=None))
        lines += below_lines(one, brevity)
    return lines


def _rows(result: Result, gathering: Gathered, *, has_more: bool) -> tuple[Row, ...]:
    """Button rows: next steps, follow-ups of the answers, then Details and Undo."""
    entry, view = result.entry, gathering.view
    menus = [_menu(entry, one) for one in view.follow_ups if one.choices][: MOST_ROWS - 1]
    buttons = [_button(entry, one) for one in view.follow_ups if not one.choices]
    buttons += _beside_buttons(entry, gathering)
    room = (MOST_ROWS - len(menus)) * IN_ROW - 1 - bool(result.rolls and result.can_undo)
    buttons = buttons[:room]
    if has_more or result.rolls or any(part.rolls or not part.moment for part in view.parts):
        buttons.append(Button(id=press_id("parts", entry), label="Details"))
    if result.rolls and result.can_undo:
        buttons.append(Button(id=press_id("undo", result.entry), label="Undo"))
    rows: list[Row] = [*menus]
    return (*rows, *rows_of(buttons, IN_ROW))


def _beside_buttons(entry: EntryId, gathering: Gathered) -> list[Button]:
    """The follow-up buttons of each answer, labelled with who gave it."""
    return [
        Button(
            id=press_id("part", entry, one.open.id),
            label=plain(f"{one.who}: {one.open.follow_up.label}", 80),
            look=_look(one.open.follow_up),
        )
        for one in gathering.beside
        if not one.open.follow_up.choices
    ]


def _join_id(entry: EntryId, one: FollowUp) -> str:
    """The press id of a follow-up, with the mark of its deal if it has one."""
    mark = mark_of_deal(one)
    return press_id("join", entry, one.group, *([mark] if mark else []))


def _button(entry: EntryId, one: FollowUp) -> Button:
    return Button(id=_join_id(entry, one), label=plain(one.label, 80), look=_look(one))


def _look(one: FollowUp) -> Look:
    return Look.PLAIN if one.audience is Audience.GM else Look.MAIN


def _menu(entry: EntryId, one: FollowUp) -> Select:
    return Select(id=_join_id(entry, one), prompt=plain(one.label, 150), choices=one.choices[:IN_MENU])


def closing_reply(result: Result, view: View) -> Reply:
    """The message to everybody when a shared prompt ends."""
    verdict = f"· **{escape(view.verdict.title)}**" if view.verdict else ""
    lines = [listed((headline(result.message), verdict), " "), *(escape(line) for line in view.closing)]
    accent = Accent.NEWS if view.verdict is None else ACCENTS[view.verdict.family]
    return Reply(text=shorten("\n".join(lines), LONGEST), accent=accent)


def closer_reply(found: Iterable[Result]) -> Reply:
    """Every detail of a shared prompt's dice, limited to what the reader may know.

    Those that opened it come first.
    """
    whole, *answers = found
    if whole.gathering is None:
        return details_reply(whole)
    gathering = whole.gathering
    opening = (whole,) if whole.rolls else ()
    details = [details_reply(one).text for one in (*opening, *answers)]
    if not details or _card_lines(whole, gathering)[1]:
        details = [*_lines(whole, gathering, Brevity.WHOLE), *details]
    buttons = _beside_buttons(whole.entry, gathering)[: MOST_ROWS * IN_ROW]
    rows = tuple(rows_of(buttons, IN_ROW))
    return Reply(text=shorten("\n".join(details), LONGEST), rows=rows, is_private=True)
