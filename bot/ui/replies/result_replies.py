"""A result as a card: who, what, outcome; the dice and the sum; what changed; the chance it had."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from bot.rules.kernel import Audience, Family
from bot.table.base.results import OpenFollowUp, Result
from bot.table.journal.journal import UndoAsks, UndoBlocked, Undone, UndoNeedsGm
from bot.table.play.owed_answers import key_of
from bot.ui.input.presses import press_id
from bot.ui.replies.result_text import card_lines, change_lines, headline, shown_rolls, undone_lines
from bot.ui.text.duel_text import duel_pictures
from bot.ui.text.reply import IN_MENU, IN_ROW, Accent, Button, Look, Reply, Row, Select, Sketch, rows_of
from bot.ui.text.roll_text import odds_table, roll_lines
from bot.ui.text.text import escape, plain, shorten

ACCENTS = {
    Family.SUCCESS: Accent.SUCCESS,
    Family.PARTIAL: Accent.PARTIAL,
    Family.FAILURE: Accent.FAILURE,
    Family.NEWS: Accent.NEWS,
}
MOST_ROWS = 5
LONGEST = 4000
LONGEST_LABEL = 80


def result_reply(result: Result) -> Reply:
    """The reply for a result, public or private, including what its buttons led to."""
    message = result.message
    lines, has_more = undone_lines(result) if result.is_undone else card_lines(result)
    return Reply(
        text=shorten("\n".join(lines), LONGEST),
        accent=_accent(result),
        rows=() if result.is_undone else _rows(result, has_more=has_more),
        files=() if result.is_undone else _pictures(result),
        is_private=not message.is_public,
    )


def _accent(result: Result) -> Accent:
    """Return the edge's colour: of its own verdict; without one, of the latest that was pressed in it."""
    below = [one.message.verdict for one in result.all_of_it[:0:-1]]
    verdict = next((one for one in (result.message.verdict, *below) if one is not None), None)
    return Accent.NEWS if verdict is None or result.is_undone else ACCENTS[verdict.for_heroes]


def _pictures(result: Result) -> tuple[Sketch, ...]:
    return duel_pictures([roll for one in result.all_of_it for roll in shown_rolls(one)])


def _rows(result: Result, *, has_more: bool) -> tuple[Row, ...]:
    """Button rows: follow-ups (the latest action's first), then Details, and Undo and Again of the latest."""
    latest_first = result.all_of_it[::-1]
    follow_ups = _each_once([one for part in latest_first for one in part.follow_ups])
    selects = [_select(one) for one in follow_ups if one.follow_up.choices][: MOST_ROWS - 1]
    buttons = [_button(one) for one in follow_ups if not one.follow_up.choices]
    if result.waiting is not None and not result.below:  # else it has joined
        admit = press_id("admit", result.waiting, result.entry)
        buttons.append(Button(id=admit, label="Approve (GM)", look=Look.MAIN))
        buttons.append(Button(id=press_id("waiting", result.waiting), label="Show sheet"))
    if result.is_blind:
        buttons.append(Button(id=press_id("secrets", "look", 0, result.entry), label="Look (GM)"))
    if has_more or any(one.rolls for one in latest_first):
        buttons.append(Button(id=press_id("details", result.entry), label="Details"))
    undos = [Button(id=press_id("undo", one.entry), label="Undo") for one in latest_first if one.can_undo]
    agains = [
        Button(id=press_id("do", one.again.id), label=one.again.follow_up.label)
        for one in latest_first
        if one.again
    ]
    buttons += [*undos[:1], *agains[:1]]
    rows: list[Row] = [*selects]
    rows += rows_of(buttons, IN_ROW)
    return tuple(rows[:MOST_ROWS])


def _each_once(follow_ups: Sequence[OpenFollowUp]) -> list[OpenFollowUp]:
    """Follow-ups without those that say and do the same as an earlier one, such as another "End the turn"."""
    labels = [one.follow_up.label for one in follow_ups]
    found: dict[tuple[str, str], OpenFollowUp] = {}
    for one in follow_ups:
        label = one.follow_up.label
        # What rewinds does so to its own result alone.
        is_own = one.follow_up.rewinds or labels.count(label) == 1
        # The same for another deal is out of date: the latest, which comes first, stands for all.
        key = str(one.id) if is_own else key_of(replace(one.follow_up, deal=""))
        found.setdefault((label, key), one)
    return list(found.values())


def _button(one: OpenFollowUp) -> Button:
    look = Look.PLAIN if one.follow_up.audience is Audience.GM else Look.MAIN
    label, seconds = one.follow_up.label, one.follow_up.after_seconds
    if seconds:
        note = f" (automatic in {seconds} s)"
        label = shorten(label, LONGEST_LABEL - len(note)) + note
    return Button(id=press_id("do", one.id), label=label, look=look)


def _select(one: OpenFollowUp) -> Select:
    return Select(
        id=press_id("do", one.id),
        prompt=plain(one.follow_up.label, 150),
        choices=one.follow_up.choices[:IN_MENU],
    )


def details_reply(result: Result) -> Reply:
    """Everything about a result: every die with its chances, what changed and what else happened."""
    lines: list[str] = []
    shown = [
        one
        for message in result.all_of_it
        for one in (*(before for before in message.replaced if not _is_question(before)), message)
    ]
    for one in shown:
        lines.append(headline(one.message, one.was))
        told = zip(one.rolls, roll_lines(one.rolls, one.message.who), strict=True)
        for _odds, alike in groupby(told, key=lambda pair: pair[0].told_odds):
            rolls, dice = zip(*alike, strict=True)
            lines += [*dice, *odds_table(rolls)]
        lines += [*change_lines(one.message), *map(escape, one.message.notes)]
    number = result.number or result.entry
    in_file = f" ({result.entry} in its file)" if number != result.entry else ""
    lines.append(f"-# Journal entry {number}{in_file} · check the dice with /fair")
    return Reply(text=shorten("\n".join(lines), LONGEST), is_private=True)


def _is_question(replaced: Result) -> bool:
    """Whether a replaced result only asked something first: it says what was not done yet."""
    return not replaced.rolls and not replaced.message.changes


# --- taking back -------------------------------------------------------------------------------


def undo_reply(done: Undone | UndoBlocked | UndoNeedsGm | UndoAsks) -> Reply:
    """The reply to an undo."""
    match done:
        case Undone():
            return result_reply(done.result)
        case UndoNeedsGm():
            return _asking_reply(done)
        case UndoBlocked():
            return _blocked_reply(done)
        case UndoAsks():
            return _sure_reply(done)


def _sure_reply(done: UndoAsks) -> Reply:
    """The private question before an undo."""
    lines = [f"{headline(done.message)}. Undo that?", "-# This removes the whole character."]
    label = "Ask the GM to undo it" if done.needs_gm else "Undo it"
    button = Button(id=press_id("undosure", done.entry), label=label, look=Look.GRAVE)
    return Reply(text=shorten("\n".join(lines), LONGEST), rows=((button,),), is_private=True)


def _asking_reply(done: UndoNeedsGm) -> Reply:
    """The public request for the GM's approval of an undo; private results stay private."""
    what = headline(done.message) if done.message.is_public else "something only they and the GM can see"
    whole = ", with everything that depends on it" if done.together else ""
    button = Button(
        id=press_id("undogm", done.entry, int(done.together)), label="Undo it (GM)", look=Look.GRAVE
    )
    return Reply(
        text=f"**{escape(done.asked_by)}** asks the GM to undo{whole}: {what}\n"
        "-# It has a roll in it or isn't theirs, so the GM decides. Rolls stay in the journal.",
        rows=((button,),),
    )


def _blocked_reply(done: UndoBlocked) -> Reply:
    shown = done.in_the_way[:8]
    more = len(done.in_the_way) - len(shown)
    lines = [f"Not undone: {headline(done.message)}", "Later changes depend on it:"]
    lines += [f"- {headline(one.message)}" for one in shown]
    lines += [f"- and {more} more"] if more else []
    everything = f"all {len(done.in_the_way) + 1}"
    button = Button(
        id=press_id("undoall", done.entry),
        label=f"Ask the GM to undo {everything}" if done.needs_gm else f"Undo {everything}",
        look=Look.PLAIN if done.needs_gm else Look.GRAVE,
    )
    return Reply(
        text=shorten("\n".join(lines), LONGEST), accent=Accent.FAILURE, rows=((button,),), is_private=True
    )
