"""Values and rolls as Markdown; user input never becomes markup."""

import dataclasses
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby

from msgspec.structs import replace

from bot.rules.kernel import Die, Odds, Roll
from bot.rules.kernel.dice import Fall, ReplayedDice, percent
from bot.rules.kernel.outcome import MINUS, shown_number
from bot.rules.shared.notation import DieRolled, Fragment, Label, ShownDie, Text, fragments, roll, shown
from bot.rules.shared.notation.roll import FREE_ROLL
from bot.table.base.typed_options import one_line
from bot.ui.text.reply import Accent, Picture, Reply

LINE_LENGTH = 42  # characters that fit beside each other on 360 pixels
REPLY_LINES = 8  # the most a public reply takes
TALLEST_REPLY = 10  # the most where its dice and what came of them need it
PAGE_LINES = 14  # the most a board, a sheet or a recap takes

# A look at the first character is enough where no markup begins.
_UNSEEN = re.compile(r"(?=[<\\*~`#-])(?:<a?:\w+:\d+>|\\(?=[^\w\s])|(?<!\\)(?:\*+|~~|`+)|^(?:-# |#+ ))")


def height(lines: Iterable[str]) -> int:
    """Return how many lines of a phone some lines of Markdown take."""
    return _lines_of([_UNSEEN.sub("", line) for text in lines for line in text.split("\n")])


def _lines_of(shown: Iterable[str]) -> int:
    return sum([max(1, math.ceil(len(line) / LINE_LENGTH)) for line in shown])


def is_short(lines: Sequence[str], most: int = REPLY_LINES) -> bool:
    """Return whether some lines are short enough for a public reply, or for so many lines."""
    written = [line for text in lines for line in text.split("\n")]
    return _lines_of(written) <= most or height(lines) <= most  # without the markup it is only shorter


def first_short(versions: Iterable[Sequence[str]], most: int = REPLY_LINES) -> Sequence[str]:
    """Return the first of ever shorter versions that is short enough, else the last."""
    lines: Sequence[str] = ()
    for lines in versions:
        if is_short(lines, most):
            break
    return lines


def as_many(least: Sequence[str], more: Sequence[str], most: int = REPLY_LINES) -> int:
    """Return how many of *more* fit beside *least*, from the first on."""
    count = 0
    while count < len(more) and height((*least, *more[: count + 1])) <= most:
        count += 1
    return count


def fitting(least: Sequence[str], more: Iterable[str]) -> list[str]:
    """Return those of *more* that fit into a public reply beside *least*, each where there is room left."""
    kept: list[str] = []
    for line in more:
        if is_short((*least, *kept, line)):
            kept.append(line)
    return kept


_MARKUP = re.compile(r"([\\*_~`|>\[\]()#<:@])")
_LIST = re.compile(r"^(?:([-+])|(\d+)(\.))(?=\s|$)")  # what begins a list at the start of a line

_BEGINNINGS = frozenset("-+0123456789")


@lru_cache(maxsize=1024)
def escape(text: str) -> str:
    """Escape user input so that it is shown exactly as typed."""
    shown = _MARKUP.sub(r"\\\1", one_line(text))
    return _LIST.sub(r"\2\\\1\3", shown) if shown[:1] in _BEGINNINGS else shown


_LIVE = re.compile(r"([\[\]<:@])")


def as_written(line: str) -> str:
    """A line of a GM's own text: its Markdown works, but no mention, link or emoji in it does."""
    return _LIVE.sub(r"\\\1", one_line(line))


def shorten(text: str, longest: int) -> str:
    """The text, cut after a word and with an ellipsis where it is longer than *longest* characters."""
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    if text[longest - 1].isalnum():
        whole = cut.rpartition(" ")[0]
        cut = whole if len(whole) > len(cut) // 2 else cut  # a word that fills most of it is cut
    return cut.rstrip("\\ ,;:·") + "…"


def plain(text: str, longest: int) -> str:
    """Text for places without Markdown (buttons, menus, forms): one line, cut, never empty."""
    line = one_line(text) or "–"
    return line if len(line) <= longest else shorten(line, longest)


def listed(parts: Iterable[str], separator: str = " · ") -> str:
    """Join the non-empty parts into one line."""
    return separator.join([part for part in parts if part])


LONGEST_LINE = 1500
SINGLE_DIE = re.compile(r"1d\S+")
D6 = "⚀⚁⚂⚃⚄⚅"


def is_pips(die: Die) -> bool:
    """Whether a die is a plain d6, drawn by its face alone."""
    return die.sides == len(D6) and not (die.label or die.shown or die.is_borrowed)


def die_text(die: Die) -> str:
    """One die: its label, its kind, its face; struck through where it does not count."""
    if die.shown:
        face = escape(die.shown)
    elif is_pips(die):
        face = D6[die.face - 1]
    else:
        name = f"*{escape(die.label or 'borrowed')}*" if die.is_borrowed else escape(die.label)
        face = f"d{die.sides} **{die.face}**"
        if not die.is_kept and die.sides == len(D6):  # of these there is a struck picture
            return f"{name} ~~{face}~~".strip()
        face = f"{name} {face}".strip()
    return face if die.is_kept else f"~~{face}~~"


def duel_text(roll: Roll) -> str:
    """The dice that got through, then the stopped ones struck through beside what stopped them."""
    through = " ".join(f"**{die_text(one.die)}**" for one in roll.facing if one.stopped_by is None)
    stopped = " · ".join(
        f"~~{die_text(one.die)}~~ {die_text(one.stopped_by)}"
        for one in roll.facing
        if one.stopped_by is not None
    )
    spare = " ".join(die_text(dataclasses.replace(die, is_kept=True)) for die in spare_dice(roll))
    word = "unused" if stopped else "Unused"
    lines = [
        through and f"Through: {through}",
        listed((stopped and f"Stopped: {stopped}", spare and f"{word}: {spare}")),
    ]
    return "\n".join(line for line in lines if line)


def spare_dice(roll: Roll) -> tuple[Die, ...]:
    """The dice of a roll that do not count, such as those that stopped nothing."""
    return tuple(die for die in roll.dice if not die.is_kept)


def free_roll_line(stored: Roll) -> str:
    """The expression with its dice, computed from the stored faces."""
    expression = str(stored.inputs.model_dump()["expression"])
    again = ReplayedDice(Fall(die.sides, die.face) for die in stored.dice)
    rolled = roll(expression, again)
    line, value = "".join(_written(piece) for piece in fragments(rolled)), shown(rolled.value)
    die = line.removesuffix(rf" \({value}\)")
    if die != line and SINGLE_DIE.fullmatch(die):  # its face is the result
        line = die
    return f"{shorten(line, LONGEST_LINE)} = **{value}**"


def _written(piece: Fragment) -> str:
    match piece:
        case ShownDie():
            text = _die(piece.rolled)
        case Label():
            text = f"*{escape(piece.text)}*"
        case Text():
            text = _signs(piece.text)
    return text if piece.kept else f"~~{text}~~"


def _signs(text: str) -> str:
    """The bot's own text in an expression, with its spaces."""
    return "".join(f"\\{sign}" if sign in "*_~`|>[]()#<" else sign for sign in text)


def _die(die: DieRolled) -> str:
    """A die's faces: re-rolled ones struck through, changed ones with what they count as."""
    *before, last = die.faces
    gone = "".join(f"~~{face.shown}~~ " for face in before)
    counted = "" if last.counts_as == last.shown else f"→{last.counts_as}"
    return f"{gone}{last.shown}{counted}{'!' if last.exploded else ''}"


def odds_reply(title: str, odds: Odds, line: str = "", plot: Picture | None = None) -> Reply:
    """Exact chances, in a plot or as a table."""
    rows = [
        f"{escape(name)} **{percent(chance)}** · {chance.ways} of {chance.of}"
        for name, chance in odds.chances
        if chance.ways
    ]
    needed = escape(str(odds.needed))
    is_best = bool(odds.chances) and odds.chances[-1][0] == odds.needed
    least = needed if is_best else f"{needed} or better"
    enough = [] if odds.enough is None else [f"{least}: **{percent(odds.enough)}**"]
    about = [*enough, *([f"-# {escape(line)}"] if line else [])]
    short, whole = ("\n".join([f"**{escape(title)}**", *part, *about]) for part in ([], rows))
    return Reply(
        text=shorten(whole if plot is None else short, 4000),
        unpictured="" if plot is None else shorten(whole, 4000),
        accent=Accent.BOARD,
        files=() if plot is None else (plot,),
        is_private=True,
    )


MOST_LINES = 4  # of dice in a message, which has eight in all
MOST_DICE = 12  # of a roll in few words; more are counted by face
MOST_SUMS = 6  # rolls of one kind with their sums; more show their dice alone
LONGEST_FREE_ROLL = 120


def message_dice_lines(rolls: Sequence[Roll], who: str) -> list[str]:
    """The dice of a message: one line per roll or, with many rolls, per run of similar ones."""
    if len(rolls) <= MOST_LINES:
        return roll_lines(rolls, who)
    return [_run_line(run) for run in _runs(rolls)]


def message_chances(rolls: Sequence[Roll], who: str) -> list[str]:
    """The chances below a message; with many rolls they only appear under Details."""
    return chance_lines(rolls, who) if len(rolls) <= MOST_LINES else []


def term_dice_lines(rolls: Sequence[Roll], who: str) -> list[str]:
    """The dice of a message with all their terms, and the chance of what came behind them."""
    if len(rolls) > MOST_LINES:
        return [_run_line(run) for run in _runs(rolls)]
    return [_name(roll, rolls, who) + listed((roll_line(roll), chance_of_outcome(roll))) for roll in rolls]


def short_dice_lines(rolls: Sequence[Roll], who: str) -> list[str]:
    """The dice of a message without the terms of their sums, rolls of one kind in one line."""
    if all(_roller(roll) in {"", who} for roll in rolls):  # then only what for is to be said
        rolls = [replace(roll, roller=None) for roll in rolls]
    return [
        _name(run[0], rolls, who) + listed((short_dice(run[0]), chance_of_outcome(run[0])))
        if len(run) == 1
        else _run_line(run)
        for run in _runs(rolls)
    ]


def short_dice(roll: Roll, *, with_target: bool = True) -> str:
    """The dice, their sum and what it was against, without the terms."""
    with_target = with_target and not roll.facing  # the dice that it faces stand there
    against = f" against {escape(roll.against)}" if roll.against and with_target else ""
    return f"{_short(roll)}{against}"


def chance_of_outcome(roll: Roll) -> str:
    """The chance of what was needed or, where nothing was, of what came; nothing if that was certain."""
    odds = roll.told_odds
    if odds is None:
        return ""
    if odds.enough is not None:
        return percent(odds.enough)
    came = roll.outcome or ""
    chance = dict(odds.chances).get(came)
    if chance is None or chance.ways == chance.of:
        return ""
    return f"{escape(came)}{':' if came[-1:].isdigit() else ''} {percent(chance)}"  # not "20 25%"


def _roller(roll: Roll) -> str:
    return roll.roller.name if roll.roller else ""


def _runs(rolls: Sequence[Roll]) -> list[list[Roll]]:
    """Similar rolls that follow each other."""
    rollers = Counter(_roller(roll) for roll in rolls)
    kinds = [(one.purpose, one.against, _roller(one) if rollers[_roller(one)] > 1 else "") for one in rolls]
    runs = groupby(zip(kinds, rolls, strict=True), key=lambda one: one[0])
    return [[roll for _, roll in run] for _, run in runs]


def _run_line(run: Sequence[Roll]) -> str:
    """Rolls for one purpose in a line: who and what for, then each roll's dice with its result."""
    names = [_roller(roll) for roll in run]
    is_ones, purpose = len(set(names)) == 1, escape(run[0].purpose)
    name = escape(names[0]) if is_ones else ""
    head = listed((name, purpose if name else purpose[:1].upper() + purpose[1:]), ", ")
    chances = [chance_of_outcome(roll) for roll in run]
    is_same_chance = len(set(chances)) == 1
    if all(roll.rule != FREE_ROLL.key and not roll.facing and roll.total is not None for roll in run):
        head += f" against {escape(run[0].against)}" if run[0].against else ""
        head += f" ({chances[0]})" if is_same_chance and chances[0] else ""
    if len(run) > MOST_SUMS and is_same_chance and is_ones and all(map(_is_pair_of_pips, run)):
        return f"{head}: {' · '.join(''.join(map(die_text, roll.dice)) for roll in run)}"
    parts = []
    for own, each, chance in zip(names, run, chances, strict=True):
        behind = f"({chance})" if chance and not is_same_chance else ""
        parts.append(listed(("" if is_ones else escape(own), _short(each), behind), " "))
    return f"{head}: {' · '.join(parts)}" if head else " · ".join(parts)


def _is_pair_of_pips(roll: Roll) -> bool:
    """Whether a roll is two plain dice, whose sum anybody sees."""
    return len(roll.dice) == 2 and not roll.earlier and not roll.word and all(map(is_pips, roll.dice))


def _short(roll: Roll) -> str:
    """The dice, the result and what came of it in a word; the terms by name are under Details."""
    total = "" if roll.total is None else f"**{shown_number(roll.total)}**"
    if roll.rule == FREE_ROLL.key:
        line = roll_line(roll)
        return line if len(line) <= LONGEST_FREE_ROLL else f"{_tally(roll.dice)} = {total}"
    dice = _facing(roll) if roll.facing else _tally((*roll.earlier, *roll.dice))
    total = "" if total and dice.endswith(total) else total  # a single die says it already
    if total and dice.endswith("**"):  # not "Str d20 **7** **9**"
        added = (roll.total or 0) - sum(die.face for die in roll.dice if die.is_kept)
        is_terms = added != 0 and added == sum(term.value for term in roll.terms)
        total = f"{MINUS if added < 0 else '+'} {abs(added)} = {total}" if is_terms else f"= {total}"
    return listed((dice, total, escape(roll.word)), " ") or f"**{escape(roll.verdict.title)}**"


def _facing(roll: Roll) -> str:
    """Opposed dice, or how often each face came where there are many."""
    if len(roll.facing) + len(roll.dice) <= MOST_DICE:
        return duel_text(roll).replace("\n", " · ")
    through = sum(one.stopped_by is None for one in roll.facing)
    attack, defense = _tally([one.die for one in roll.facing]), _tally((*roll.earlier, *roll.dice))
    stopped = f"{through} through, {len(roll.facing) - through} stopped"
    return f"{attack} against {defense}: {stopped}" if defense else f"{attack}: {stopped}"


def _tally(dice: Sequence[Die]) -> str:
    """Every die, or how often each face came where there are many."""
    faces = [die_text(die) for die in dice]
    if len(faces) <= MOST_DICE:
        return " ".join(faces)
    return " ".join(f"{face}×{count}" for face, count in sorted(Counter(faces).items()))


def roll_lines(rolls: Sequence[Roll], who: str) -> list[str]:
    """The dice of each roll, with who and what for where that is not obvious, and the chance.

    Args:
        rolls: The rolls of a message.
        who: Under whose name it is told; a single roll of theirs needs no name.
    """
    return [f"{_name(roll, rolls, who)}{roll_line(roll)}{_chance_behind(roll, rolls)}" for roll in rolls]


def chance_lines(rolls: Sequence[Roll], who: str) -> list[str]:
    """The chance of a single roll, and every possible outcome of rolls without a target."""
    lines = ((roll, _chance_of(roll)) for roll in rolls if not _chance_behind(roll, rolls))
    return [f"{_name(roll, rolls, who)}{line}" for roll, line in lines if line]


def _name(roll: Roll, rolls: Sequence[Roll], who: str) -> str:
    """Who rolled and what for, as a prefix of the line."""
    name = _roller(roll)
    if len(rolls) == 1 and name in {"", who}:
        return ""
    purpose = escape(roll.purpose)
    words = listed((escape(name), purpose if name else purpose[:1].upper() + purpose[1:]), ", ")
    return f"{words}: " if words else ""


def _chance_behind(roll: Roll, rolls: Sequence[Roll]) -> str:
    """The chance of one of several rolls."""
    odds = roll.told_odds
    return "" if len(rolls) == 1 or odds is None or odds.enough is None else f" ({percent(odds.enough)})"


def roll_line(roll: Roll) -> str:
    """Every die, the other terms, and the sum."""
    if roll.rule == FREE_ROLL.key:
        return free_roll_line(roll)
    if roll.facing:
        return f"{duel_text(roll)}{_terms(roll)}"
    dice = _dice((*roll.earlier, *roll.dice))
    total = "" if roll.total is None else f" = **{shown_number(roll.total)}**"
    if not roll.terms and dice.endswith(f" {roll.total}"):  # the pips alone say the sum already
        dice, total = dice.removesuffix(str(roll.total)), f"**{roll.total}**"
    elif not roll.terms and dice.endswith(f"**{roll.total}**"):  # and so does a single die
        total = ""
    against = f" against {escape(roll.against)}" if roll.against else ""
    line = f"{dice}{_terms(roll)}{total}{against}".strip().removeprefix("+ ").removeprefix("= ")
    return line or f"**{escape(roll.verdict.title)}**"


def _terms(roll: Roll) -> str:
    return "".join(
        f" {MINUS if term.value < 0 else '+'} {escape(term.label)} {abs(term.value)}" for term in roll.terms
    )


def _dice(dice: Sequence[Die]) -> str:
    """The dice: those that count as a sum, cards and dropped dice beside it.

    Plain d6 beside each other are drawn, with what they come to behind them.
    """
    line, is_sum = "", False
    for are_pips, run in groupby(dice, key=is_pips):
        together = list(run)
        for part in [together] if are_pips else [[die] for die in together]:
            adds = any(die.is_kept and not die.shown for die in part)
            text = " ".join(die_text(die) for die in part)
            if are_pips and adds:
                text += f" {sum(die.face for die in part if die.is_kept)}"
            line += f"{' + ' if adds and is_sum else ' '}{text}"
            is_sum = is_sum or adds
    return line.strip()


def _chance_of(roll: Roll) -> str:
    odds = roll.told_odds
    if odds is None:
        return ""
    if roll.rule == FREE_ROLL.key and odds.enough is not None and roll.total is not None:
        return f"{percent(odds.enough)} for {shown_number(roll.total)} or more"
    return chance_line(odds)


@lru_cache(maxsize=256)
def chance_line(odds: Odds) -> str:
    """The chance of what was needed, else of every outcome; nothing if only one was possible."""
    enough = odds.enough
    if enough is not None:
        return f"chance was {percent(enough)}"
    possible = odds.possible
    if len(possible) == 1:  # what was certain needs no telling
        return ""
    return listed(f"{escape(name)}: {percent(chance)}" for name, chance in possible)


def odds_table(rolls: Sequence[Roll]) -> list[str]:
    """Every possible outcome of rolls with the same odds, with those that came marked."""
    odds = rolls[0].told_odds
    if odds is None:
        return []
    came = {roll.outcome for roll in rolls}
    return [
        f"{'▸' if name in came else '·'} {escape(name)}: {percent(chance)} ({chance.ways} of {chance.of})"
        for name, chance in odds.chances
    ]
