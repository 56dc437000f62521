"""The one order of shortening: what a message that is too tall for a phone leaves to its details first."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import FactKind, kind_of
from bot.ui.text.roll_text import REPLY_LINES, TALLEST_REPLY, escape, is_short, listed, shorten

LONGEST_NOTE = 160
MORE = "-# The rest is under Details."


class Rank(IntEnum):
    """What a line is, from what goes first to what always stays."""

    NOTHING = 0
    ADVICE = 1  # chances of what was not done
    HEADING = 2  # what a later line says again
    TIMER = 3
    HOLDS = 4  # what stays as it is
    EARLIER = 5  # what else came of what others did before
    NEWS = 6  # what else came of the latest
    CHANGE = 7  # what is counted but harms nobody
    STAYS = 8  # dice, outcomes, damage, who is hit
    LAST = 9  # who is down, what must happen next


class DiceForm(IntEnum):
    """How much is said of dice; the dice themselves always stand there or in the picture."""

    WHOLE = 0  # with every term and every possible outcome
    TERMS = 1  # with every term, and the chance of what came
    SHORT = 2  # with their sum; rolls of one kind in one line
    DRAWN = 3  # nothing: they are in the picture


class RankedLine(Struct, frozen=True):
    """A line of a message with its rank."""

    text: str  # what it says
    rank: Rank = Rank.STAYS
    # Lines after each other that say this of the same stand in one line behind it; None for a line of its
    # own.
    whose: str | None = None
    is_fact: bool = False  # whether it may stand behind another fact where every line counts
    is_earlier: bool = False  # whether it is of what was done before the latest


Whole = Callable[[DiceForm, DiceForm], Sequence[RankedLine]]

_NAME = re.compile(r"\*\*(?:\\.|[^*\\])+\*\*(?= \S)")  # who did it, at the beginning of a headline
_OF_KINDS = {
    FactKind.ADVICE: Rank.ADVICE,
    FactKind.TIMER: Rank.TIMER,
    FactKind.HOLDS: Rank.HOLDS,
    FactKind.EARLIER: Rank.EARLIER,
    FactKind.NEWS: Rank.NEWS,
    FactKind.DOWN: Rank.LAST,
    FactKind.NEXT: Rank.LAST,
}
# Where all of it is too tall, each step shortens dice (of what came before the latest, and of the latest) or
# leaves lines of a rank out.
_STEPS = (
    (DiceForm.TERMS, DiceForm.TERMS, Rank.NOTHING),
    (DiceForm.TERMS, DiceForm.TERMS, Rank.ADVICE),
    (DiceForm.TERMS, DiceForm.TERMS, Rank.HEADING),
    (DiceForm.SHORT, DiceForm.TERMS, Rank.HEADING),
    *((DiceForm.SHORT, DiceForm.SHORT, rank) for rank in Rank if Rank.HEADING <= rank < Rank.STAYS),
)


def rank_of(fact: str, *, is_earlier: bool = False, usual: Rank = Rank.NEWS) -> Rank:
    """Return the rank of a fact.

    Args:
        is_earlier: Whether it came of what was done before the latest.
        usual: The rank of news.
    """
    rank = _OF_KINDS.get(kind_of(fact), Rank.STAYS)
    rank = usual if rank is Rank.NEWS else rank
    return Rank.EARLIER if is_earlier and Rank.EARLIER < rank < Rank.STAYS else rank


def fact_line(fact: str, *, is_earlier: bool = False, usual: Rank = Rank.NEWS) -> RankedLine:
    """Return a fact as a line."""
    return RankedLine(escape(fact), rank_of(fact, is_earlier=is_earlier, usual=usual), is_fact=True)


def shortened(whole: Whole, *, drops: bool = True) -> tuple[list[str], bool]:
    """Return the lines of a message as far as they fit, and whether any is left to its details.

    Args:
        whole: Makes its lines.
        drops: Whether what should stay is left out where even that does not fit.
    """
    forms, lines = None, whole(DiceForm.WHOLE, DiceForm.WHOLE)
    if is_short(texts := texts_of(lines)):
        return texts, False
    for before, latest, rank in _STEPS:
        if forms != (before, latest):  # most steps differ in what they leave out alone
            forms, lines = (before, latest), whole(before, latest)
        left = [line for line in lines if line.rank > rank]
        if _is_short(left, len(left) < len(lines)):
            return _refilled(lines, rank)
    is_cut = len(left) < len(lines)
    for packed, is_less in _ever_shorter(left, drops=drops):
        is_cut = is_cut or is_less
        if _is_short(packed, is_cut, TALLEST_REPLY):
            break
    return _texts(packed, is_cut=is_cut), is_cut


def _refilled(lines: Sequence[RankedLine], rank: Rank) -> tuple[list[str], bool]:
    """Lines without those of a rank or below, but with as many of that rank as there is room for."""
    kept = {at: line for at, line in enumerate(lines) if line.rank > rank}
    for at, line in enumerate(lines):
        if line.rank is not rank or rank is Rank.NOTHING:
            continue
        for one in (line, replace(line, text=shorten(line.text, LONGEST_NOTE))):
            more = {**kept, at: one}
            if _is_short([more[place] for place in sorted(more)], len(more) < len(lines) or one is not line):
                kept = more
                break
    is_cut = any(kept.get(at) is not line for at, line in enumerate(lines))
    return _texts([kept[place] for place in sorted(kept)], is_cut=is_cut), is_cut


def _is_short(lines: Iterable[RankedLine], is_cut: bool, most: int = REPLY_LINES) -> bool:
    return is_short(_texts(lines, is_cut=is_cut), most)


def _texts(lines: Iterable[RankedLine], *, is_cut: bool) -> list[str]:
    return [*texts_of(lines), *([MORE] if is_cut else [])]


def _ever_shorter(left: list[RankedLine], *, drops: bool) -> Iterator[tuple[list[RankedLine], bool]]:
    """What has to stay, in ever fewer lines; at last without what was done before, the oldest first.

    What still does not fit then leaves out its last facts, then dice, and who is down at the very last.

    Yields:
        The lines, and whether any was left out.
    """
    yield left, False
    yield list(_packed(left)), False
    yield from ((joined, False) for joined in _ever_more_joined(left))
    going = [at for at, line in enumerate(left) if line.is_earlier and at]
    going += [at for at in reversed(range(1, len(left))) if left[at].is_fact and at not in going]
    going += [at for at in reversed(range(1, len(left))) if at not in going]
    going.sort(key=lambda at: left[at].rank is Rank.LAST)
    for count in range(1, len(going) + 1 if drops else 1):
        yield _run_on(list(_without(left, going[:count]))), True


def _without(left: Sequence[RankedLine], gone: Collection[int]) -> Iterator[RankedLine]:
    """The lines that stay; what belongs to a headline that goes begins with the name in it."""
    name = ""
    for at, line in enumerate(left):
        if headline := _NAME.match(line.text):
            name = f"{headline[0]} " if at in gone else ""
        if at not in gone:
            is_named = name and not line.text.startswith("-# ")
            yield replace(line, text=f"{name}{line.text}") if is_named else line
            name = "" if is_named else name


def _ever_more_joined(lines: Sequence[RankedLine]) -> Iterator[list[RankedLine]]:
    """The lines with ever more of what each person did, and what came of it, in one: the last first."""
    texts = texts_of(lines)
    for at in reversed(range(2, len(texts))):
        if not texts[at].startswith("**"):
            texts[at - 1 : at + 1] = [listed((texts[at - 1], texts[at].removeprefix("-# ")))]
            yield [RankedLine(text) for text in texts]


def _run_on(lines: Sequence[RankedLine]) -> list[RankedLine]:
    """What each person did, and what came of it, in one line."""
    return [list(lines), *_ever_more_joined(lines)][-1]


def _packed(lines: Iterable[RankedLine]) -> Iterator[RankedLine]:
    """The lines, facts that follow each other in one."""
    for is_fact, run in groupby(lines, key=lambda line: line.is_fact):
        if is_fact:
            yield RankedLine(listed(texts_of(run)))
        else:
            yield from run


def texts_of(lines: Iterable[RankedLine]) -> list[str]:
    """Return the lines as texts, those that say something of the same one joined."""
    texts = []
    for whose, run in groupby(lines, key=lambda line: line.whose):
        said = [line.text for line in run]
        texts += said if whose is None else [listed((whose, listed(said)), " ")]
    return texts
