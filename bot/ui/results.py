"""A result as a card: who, what, outcome; the dice and the sum; what changed; the chance it had."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from bot.rules.notation.rule import FREE_ROLL
from bot.rules.odds import percent
from bot.rules.ruleset import Audience, Die, Family, Odds, Roll
from bot.table.journal import UndoBlocked, Undone, UndoNeedsGm
from bot.table.results import ChangeLine, OpenFollowUp, Result, Told
from bot.ui.dice import die_text, is_pips
from bot.ui.duels import duel_pictures, duel_text
from bot.ui.free_rolls import free_roll_line
from bot.ui.presses import press_id
from bot.ui.reply import Accent, Button, Look, Reply, Row, Select
from bot.ui.text import MINUS, escape, listed, number, plain, shorten

ACCENTS = {
    Family.SUCCESS: Accent.SUCCESS,
    Family.PARTIAL: Accent.PARTIAL,
    Family.FAILURE: Accent.FAILURE,
    Family.NEWS: Accent.NEWS,
}
BUTTONS_IN_ROW = 5
MOST_ROWS = 5
LONGEST = 4000
LONGEST_LABEL = 80


def result_reply(result: Result) -> Reply:
    """What everybody (or the person alone) is told about a result."""
    told = result.told
    if result.is_undone and result.stays:
        lines = [headline(told), *(f"~~{line}~~" for line in _changes(told)), "-# What it set is taken back."]
    elif result.is_undone:
        lines = [f"~~{headline(told)}~~", "-# Taken back."]
    else:
        lines = [headline(told), *(roll_line(roll) for roll in result.rolls), *_changes(told)]
        lines += [escape(note) for note in told.notes]
        lines += [f"-# {line}" for line in _chances(result.rolls)]
    return Reply(
        text=shorten("\n".join(lines), LONGEST),
        accent=Accent.NEWS if told.verdict is None or result.is_undone else ACCENTS[told.verdict.family],
        rows=() if result.is_undone else _rows(result),
        files=() if result.is_undone else duel_pictures(result.rolls),
        is_private=not told.is_public,
    )


def headline(told: Told) -> str:
    """Who, what, outcome."""
    who = f"**{escape(told.who)}**" if told.who else ""
    verdict = f"· **{escape(told.verdict.title)}**" if told.verdict else ""
    return listed((who, escape(told.headline), verdict), " ")


def roll_line(roll: Roll) -> str:
    """Every die, the other terms, and the sum."""
    if roll.rule == FREE_ROLL.key:
        return free_roll_line(roll)
    if roll.facing:
        return f"{duel_text(roll)}{_terms(roll)}"
    dice = _dice((*roll.earlier, *roll.dice))
    total = "" if roll.total is None else f" = **{number(roll.total)}**"
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
    """The dice as they fell: those that count are a sum, cards and those that do not stand beside it.

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


def _changes(told: Told) -> list[str]:
    """What changed, a line for everyone it concerns."""
    return [
        listed(["" if who == told.who else f"{escape(who)}:", _changed(lines)], " ")
        for who, lines in groupby(told.changes, key=lambda line: line.who)
    ]


def _changed(lines: Iterable[ChangeLine]) -> str:
    return listed(f"{escape(line.what)} {escape(line.before)} → {escape(line.after)}" for line in lines)


def _chances(rolls: Sequence[Roll]) -> list[str]:
    """The chance each roll had."""
    lines = (_chance_of(roll, roll.odds) for roll in rolls if roll.odds is not None)
    return [line for line in lines if line]


def _chance_of(roll: Roll, odds: Odds) -> str:
    if roll.rule == FREE_ROLL.key and odds.enough is not None and roll.total is not None:
        return f"{percent(odds.enough)} for {number(roll.total)} or more"
    return chance_line(odds)


def chance_line(odds: Odds) -> str:
    """The chance of what was needed, else of everything that could come; nothing where one thing had to."""
    if odds.enough is not None:
        return f"{percent(odds.enough)} beforehand"
    possible = [(name, chance) for name, chance in odds.chances if chance.ways]
    if len(possible) == 1:  # what was certain needs no telling
        return ""
    return listed(f"{escape(name)}: {percent(chance)}" for name, chance in possible)


def _rows(result: Result) -> tuple[Row, ...]:
    """Follow-ups first, then Details and Undo."""
    selects = [_select(one) for one in result.follow_ups if one.follow_up.choices][: MOST_ROWS - 1]
    buttons = [_button(one) for one in result.follow_ups if not one.follow_up.choices]
    if result.waiting is not None:
        admit = press_id("admit", result.waiting, result.entry)
        buttons.append(Button(id=admit, label="Let it join (GM)", look=Look.MAIN))
        buttons.append(Button(id=press_id("waiting", result.waiting), label="Read the sheet"))
    if result.rolls:
        buttons.append(Button(id=press_id("details", result.entry), label="Details"))
    if result.can_undo:
        buttons.append(Button(id=press_id("undo", result.entry), label="Undo"))
    rows: list[Row] = [*selects]
    rows += [tuple(buttons[at : at + BUTTONS_IN_ROW]) for at in range(0, len(buttons), BUTTONS_IN_ROW)]
    return tuple(rows[:MOST_ROWS])


def _button(one: OpenFollowUp) -> Button:
    look = Look.PLAIN if one.follow_up.audience is Audience.GM else Look.MAIN
    seconds = one.follow_up.after_seconds
    note = f" (automatic in {seconds} s)" if seconds else ""
    label = plain(one.follow_up.label, LONGEST_LABEL - len(note)) + note
    return Button(id=press_id("do", one.id), label=label, look=look)


def _select(one: OpenFollowUp) -> Select:
    return Select(
        id=press_id("do", one.id), prompt=plain(one.follow_up.label, 150), choices=one.follow_up.choices[:25]
    )


def details_reply(result: Result) -> Reply:
    """Everything about a result's dice, for whoever wants to know."""
    lines: list[str] = [headline(result.told)]
    for roll in result.rolls:
        lines += [roll_line(roll), *_odds_table(roll)]
    lines.append(f"-# Journal entry {result.entry} · every die can be checked: /fair")
    return Reply(text=shorten("\n".join(lines), LONGEST), is_private=True)


def _odds_table(roll: Roll) -> list[str]:
    if roll.odds is None:
        return []
    return [
        f"{'▸' if name == roll.fell else '·'} {escape(name)} {percent(chance)} ({chance.ways} of {chance.of})"
        for name, chance in roll.odds.chances
    ]


# --- taking back -------------------------------------------------------------------------------


def undo_reply(done: Undone | UndoBlocked | UndoNeedsGm) -> Reply:
    """What came of wanting to take something back."""
    match done:
        case Undone():
            return result_reply(done.result)
        case UndoNeedsGm():
            return _asking_reply(done)
        case UndoBlocked():
            return _blocked_reply(done)


def _asking_reply(done: UndoNeedsGm) -> Reply:
    """The GM is asked, before everybody; what was told to one person alone is not told again."""
    what = headline(done.told) if done.told.is_public else "something only they and the GM know of"
    whole = ", with all that was built on it" if done.together else ""
    button = Button(
        id=press_id("undogm", done.entry, int(done.together)), label="Take it back (GM)", look=Look.GRAVE
    )
    return Reply(
        text=f"**{escape(done.asked_by)}** asks the GM to take back{whole}: {what}\n"
        "-# Dice have fallen, or it is somebody else's. A roll stays in the journal.",
        rows=((button,),),
    )


def _blocked_reply(done: UndoBlocked) -> Reply:
    shown = done.in_the_way[:8]
    more = len(done.in_the_way) - len(shown)
    lines = [f"Not taken back: {headline(done.told)}", "Later changes were built on it:"]
    lines += [f"- {headline(one.told)}" for one in shown]
    lines += [f"- and {more} more"] if more else []
    button = Button(
        id=press_id("undoall", done.entry),
        label=f"Take back all {len(done.in_the_way) + 1} together",
        look=Look.GRAVE,
    )
    return Reply(
        text=shorten("\n".join(lines), LONGEST), accent=Accent.FAILURE, rows=((button,),), is_private=True
    )
