"""What the card of a result says: who, what, outcome; the dice; what changed; the chance it had.

A public card is short enough for a phone. What doesn't fit is under its *Details*; see `ranked_lines`.
"""

from collections import Counter
from dataclasses import replace

from bot.rules.kernel import Roll, Verdict
from bot.table.base.results import Message, Result
from bot.ui.replies.ranked_lines import DiceForm, Rank, RankedLine, fact_line, rank_of, shortened, texts_of
from bot.ui.text.roll_text import (
    message_chances,
    message_dice_lines,
    short_dice_lines,
    term_dice_lines,
)
from bot.ui.text.text import as_many, escape, listed

_DICE_LINES = {
    DiceForm.WHOLE: message_dice_lines,
    DiceForm.TERMS: term_dice_lines,
    DiceForm.SHORT: short_dice_lines,
}


def card_lines(result: Result) -> tuple[list[str], bool]:
    """Return the lines of a result's card, and whether they leave anything to its details."""
    if not result.message.is_public:
        return texts_of(_lines(result, DiceForm.WHOLE, DiceForm.WHOLE)), False
    return shortened(lambda before, latest: _lines(result, before, latest))


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


def _lines(result: Result, before: DiceForm, latest: DiceForm) -> list[RankedLine]:
    *parts, last = result.all_of_it
    lines: list[RankedLine] = []
    faced = Counter(facing.die for roll in shown_rolls(last) for facing in roll.facing)
    for one in parts:
        dice = Counter(die for roll in shown_rolls(one) for die in roll.dice)
        rank = Rank.HEADING if dice and dice <= faced else Rank.STAYS
        before_lines = part_lines(one, before, is_below=one is not result, is_earlier=True, of_dice=rank)
        lines += [replace(line, is_earlier=True) for line in before_lines]
    latest_lines = part_lines(last, latest, is_below=last is not result)
    if _is_said_above(last, result):
        latest_lines[0] = replace(latest_lines[0], rank=Rank.HEADING)
    return [*lines, *latest_lines]


def _is_said_above(last: Result, result: Result) -> bool:
    """Whether the first line tells already who did the latest, and what came of it."""
    is_verdict = result.message.verdict is not None and last.message.verdict is None
    is_theirs = last.message.who == result.message.who
    return last is not result and is_verdict and is_theirs and bool(shown_rolls(last))


def part_lines(
    result: Result,
    form: DiceForm,
    *,
    is_below: bool = True,
    is_earlier: bool = False,
    of_dice: Rank = Rank.STAYS,
) -> list[RankedLine]:
    """Return a result as a part of a card: its outcome, dice, changes, what else happened, and chances.

    Args:
        result: The result.
        form: How much to say of its dice.
        is_below: Whether it came of a press in the message; without dice its change stands in its headline.
        is_earlier: Whether something later stands in the message.
        of_dice: The rank of its dice; lower where a later roll shows the dice that it faces.
    """
    message, rolls = result.message, shown_rolls(result)
    changes = change_facts(message, is_earlier=is_earlier)
    top = RankedLine(headline(message, result.was))
    if is_below and is_earlier and not rolls and message.verdict is None:
        top = replace(top, rank=max([Rank.HEADING, *(line.rank for line in changes if not line.whose)]))
    if is_below and not rolls and len({line.whose for line in changes}) == 1:
        rank = max(top.rank, *(line.rank for line in changes))
        top, changes = RankedLine(listed((top.text, *texts_of(changes))), rank), []
    chances = message_chances(rolls, message.who) if form is DiceForm.WHOLE else ()
    return [
        top,
        *(RankedLine(line, of_dice) for line in _DICE_LINES[form](rolls, message.who)),
        *changes,
        *(fact_line(note, is_earlier=is_earlier) for note in message.notes),
        *(RankedLine(escape(note)) for note in _waits(result)),
        *(RankedLine(f"-# {chance}") for chance in chances),
    ]


def _waits(result: Result) -> list[str]:
    """What waits for somebody to press."""
    return list(dict.fromkeys(one.follow_up.note for one in result.follow_ups if one.follow_up.note))


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
    return texts_of(change_facts(message))


def change_facts(message: Message, *, is_earlier: bool = False) -> list[RankedLine]:
    """The changes as lines of the character whose they are: first the actor's, without a name."""
    return [
        RankedLine(
            f"{escape(line.what)} {escape(line.before)} → {escape(line.after)}",
            rank_of(line.what, is_earlier=is_earlier, usual=Rank.CHANGE),
            "" if line.who == message.who else f"{escape(line.who)}:",
            is_fact=True,
        )
        for line in sorted(message.changes, key=lambda line: line.who != message.who)
    ]
