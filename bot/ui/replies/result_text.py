"""What the card of a result says: who, what, outcome; the dice; what changed; the chance it had.

A public card is short enough for a phone. What doesn't fit is under its *Details*.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import groupby

from bot.rules.kernel import Roll, Verdict
from bot.table.base.results import ChangeLine, Message, Result
from bot.ui.text.phone import as_many, first_short, fitting, height, is_short
from bot.ui.text.roll_text import (
    bare_dice_lines,
    chances_of_success,
    message_chances,
    message_dice_lines,
    short_dice_lines,
)
from bot.ui.text.text import escape, listed, shorten

LONGEST_HEADLINE = 100
LONGEST_NOTE = 160
MORE = "-# The rest is under Details."


class Brevity(IntEnum):
    """How much a part of a card leaves to its details."""

    WHOLE = 0
    WITHOUT_TABLES = 1  # of every possible outcome
    SHORT_DICE = 2  # dice and sums without their terms
    BARE_DICE = 3  # sums
    OUTCOME = 4  # who, what and outcome


def card_lines(result: Result) -> tuple[list[str], bool]:
    """Return the lines of a result's card, and whether they leave anything to its details."""
    whole = _lines(result, Brevity.WHOLE, Brevity.WHOLE)
    if not result.message.is_public or is_short(whole):
        return whole, False
    return list(first_short(_versions(result))), True


def undone_lines(result: Result) -> tuple[list[str], bool]:
    """Return the lines of an undone result's card, and whether they leave anything to its details."""
    top = headline(result.message)
    if not result.stays:
        return [f"~~{top}~~", "-# Undone."], False
    changes = [f"~~{line}~~" for line in change_lines(result.message)]
    end = "-# Its changes are undone."
    if not result.message.is_public:
        return [top, *changes, end], False
    return [top, *changes[: as_many([top, end], changes)], end], False


def _versions(result: Result) -> Iterator[list[str]]:
    """Ever shorter versions of a card: what came of the latest press stays longest."""
    for earlier, latest in (
        (Brevity.WITHOUT_TABLES, Brevity.WITHOUT_TABLES),
        (Brevity.SHORT_DICE, Brevity.SHORT_DICE),
        (Brevity.BARE_DICE, Brevity.SHORT_DICE),
        (Brevity.OUTCOME, Brevity.SHORT_DICE),
        (Brevity.OUTCOME, Brevity.BARE_DICE),
    ):
        yield _lines(result, earlier, latest)
    yield _cut(result)


def _lines(result: Result, earlier: Brevity, latest: Brevity) -> list[str]:
    *before, last = result.all_of_it
    return [line for one in before for line in _part(one, result, earlier)] + _part(last, result, latest)


def _part(one: Result, result: Result, brevity: Brevity) -> list[str]:
    """A result as part of a card: what a press led to may need one line only."""
    return (whole_lines if one is result else below_lines)(one, brevity)


def _cut(result: Result) -> list[str]:
    """What is left where even the outcomes are too much: the latest headline and as much else as fits."""
    *before, last = result.all_of_it
    heads = [headline(one.message, one.was) for one in before]
    notes, changes = (
        [escape(shorten(one, LONGEST_NOTE)) for one in last.message.notes],
        change_lines(last.message),
    )
    dice = bare_dice_lines(shown_rolls(last), last.message.who)
    waits = [escape(shorten(one, LONGEST_NOTE)) for part in result.all_of_it for one in _waits(part)][-2:]
    message = replace(last.message, headline=shorten(last.message.headline, LONGEST_HEADLINE))
    top = headline(message, last.was)
    news = sorted([*changes, *notes], key=lambda line: height([line]))  # so that as much as possible fits
    kept = Counter([top, *fitting([top, *waits, MORE], [*heads[-1:], *news, *heads[:-1], *dice])])
    shown = []
    for line in (*heads, top, *dice, *changes, *notes):
        if kept[line]:  # dice of two ties may read the same
            kept[line] -= 1
            shown.append(line)
    return [*shown, *waits, MORE]


def whole_lines(result: Result, brevity: Brevity = Brevity.WHOLE) -> list[str]:
    """A result: who, what, outcome; the dice; what changed; what else; the chances."""
    message, rolls = result.message, shown_rolls(result)
    top = headline(message, result.was)
    if brevity is Brevity.OUTCOME:
        changes = change_lines(message)
        return [listed((top, *changes)) if len(changes) == 1 else top, *map(escape, _waits(result))]
    lines = [top, *_dice(rolls, message.who, brevity), *change_lines(message), *_notes(result)]
    return [*lines, *(f"-# {line}" for line in _chances(rolls, message.who, brevity))]


def _dice(rolls: Sequence[Roll], who: str, brevity: Brevity) -> list[str]:
    if brevity <= Brevity.WITHOUT_TABLES:
        return message_dice_lines(rolls, who)
    return (short_dice_lines if brevity is Brevity.SHORT_DICE else bare_dice_lines)(rolls, who)


def _chances(rolls: Sequence[Roll], who: str, brevity: Brevity) -> list[str]:
    if brevity is Brevity.WHOLE:
        return message_chances(rolls, who)
    return chances_of_success(rolls) if brevity is Brevity.WITHOUT_TABLES else []


def _notes(result: Result) -> list[str]:
    """What else happened, and what waits for somebody to press."""
    return [escape(note) for note in (*result.message.notes, *_waits(result))]


def _waits(result: Result) -> list[str]:
    return list(dict.fromkeys(one.follow_up.note for one in result.follow_ups if one.follow_up.note))


def below_lines(result: Result, brevity: Brevity = Brevity.WHOLE) -> list[str]:
    """The lines for the result of a press; without dice the changes stand in its headline."""
    changes = change_lines(result.message)
    if result.rolls or len(changes) != 1:
        return whole_lines(result, brevity)
    line = listed((headline(result.message, result.was), *changes))
    return [line, *(map(escape, _waits(result)) if brevity is Brevity.OUTCOME else _notes(result))]


def shown_rolls(result: Result) -> tuple[Roll, ...]:
    """The rolls to show, without those that only appear under Details."""
    return () if result.message.is_brief else result.rolls


def headline(message: Message, was: Verdict | None = None) -> str:
    """The headline: who, what and outcome."""
    who = f"**{escape(message.who)}**" if message.who else ""
    verdict = f"· {verdict_text(message.verdict, was)}" if message.verdict else ""
    return listed((who, escape(message.headline), verdict), " ")


def verdict_text(verdict: Verdict | None, was: Verdict | None = None) -> str:
    """The outcome; a replaced one is struck through."""
    if verdict is None:
        return ""
    is_new = was is not None and not verdict.title.startswith(was.title)  # and not only told more exactly
    before = f"~~{escape(was.title)}~~ " if was is not None and is_new else ""
    return f"{before}**{escape(verdict.title)}**"


def change_lines(message: Message) -> list[str]:
    """The changes, one line per character: first the actor's, without a name."""
    lines = sorted(message.changes, key=lambda line: line.who != message.who)
    return [
        listed(["" if who == message.who else f"{escape(who)}:", _changed(whose)], " ")
        for who, whose in groupby(lines, key=lambda line: line.who)
    ]


def _changed(lines: Iterable[ChangeLine]) -> str:
    return listed(f"{escape(line.what)} {escape(line.before)} → {escape(line.after)}" for line in lines)
