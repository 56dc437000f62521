"""Rolls as text: who rolled and what for, the dice, the sum and the chance."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from bot.rules.kernel import Die, Odds, Roll
from bot.rules.kernel.odds import percent
from bot.rules.kernel.wording import MINUS, shown_number
from bot.rules.shared.notation.rule import FREE_ROLL
from bot.ui.text.die_text import die_text, is_pips
from bot.ui.text.duel_text import duel_text
from bot.ui.text.free_roll_text import free_roll_line
from bot.ui.text.text import escape, listed

MOST_LINES = 4  # of dice in a message, which has eight in all


def message_dice_lines(rolls: Sequence[Roll], who: str) -> list[str]:
    """The dice of a message: one line per roll or, with many rolls, per run of similar ones."""
    if len(rolls) <= MOST_LINES:
        return roll_lines(rolls, who)
    rollers = Counter(_roller(roll) for roll in rolls)
    kinds = [(one.purpose, one.against, _roller(one) if rollers[_roller(one)] > 1 else "") for one in rolls]
    runs = groupby(zip(kinds, rolls, strict=True), key=lambda one: one[0])
    return [_run_line([roll for _, roll in run]) for _, run in runs]


def message_chances(rolls: Sequence[Roll], who: str) -> list[str]:
    """The chances below a message; with many rolls they only appear under Details."""
    return chance_lines(rolls, who) if len(rolls) <= MOST_LINES else []


def _roller(roll: Roll) -> str:
    return roll.roller.name if roll.roller else ""


def _run_line(run: Sequence[Roll]) -> str:
    """Rolls for one purpose in a line: who and what for, then each die with its result."""
    names = [_roller(roll) for roll in run]
    is_ones, purpose = len(set(names)) == 1, escape(run[0].purpose)
    name = escape(names[0]) if is_ones else ""
    head = listed((name, purpose if name else purpose[:1].upper() + purpose[1:]), ", ")
    chances = {roll.told_odds.enough for roll in run if roll.told_odds is not None}
    if all(_is_sum(roll) for roll in run):
        head += f" against {escape(run[0].against)}" if run[0].against else ""
        enough = chances.pop() if len(chances) == 1 else None
        head += "" if enough is None else f" ({percent(enough)})"
    parts = [
        _short(roll) if is_ones else f"{escape(own)} {_short(roll)}".strip()
        for own, roll in zip(names, run, strict=True)
    ]
    return f"{head}: {' · '.join(parts)}" if head else " · ".join(parts)


def _is_sum(roll: Roll) -> bool:
    """Whether a roll is shown as dice and their sum."""
    return roll.rule != FREE_ROLL.key and not roll.facing and roll.total is not None


def _short(roll: Roll) -> str:
    """Every die and the result, without the terms, which are under Details."""
    if not _is_sum(roll) or roll.total is None:
        return roll_line(roll)
    return f"{' '.join(die_text(die) for die in (*roll.earlier, *roll.dice))} **{shown_number(roll.total)}**"


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


def chance_line(odds: Odds) -> str:
    """The chance of what was needed, else of every outcome; nothing if only one was possible."""
    if odds.enough is not None:
        return f"{percent(odds.enough)} beforehand"
    possible = [(name, chance) for name, chance in odds.chances if chance.ways]
    if len(possible) == 1:  # what was certain needs no telling
        return ""
    return listed(f"{escape(name)}: {percent(chance)}" for name, chance in possible)


def odds_table(roll: Roll) -> list[str]:
    """Every possible outcome of a roll, with the actual one marked."""
    if roll.told_odds is None:
        return []
    came = roll.outcome
    return [
        f"{'▸' if name == came else '·'} {escape(name)} {percent(chance)} ({chance.ways} of {chance.of})"
        for name, chance in roll.told_odds.chances
    ]
