"""Results in words: the message of a result, its details, and what an undo answers."""

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Audience, Die, FactKind, Family, FollowUp, Place, Roll, Verdict, kind_of
from bot.rules.kernel.outcome import IN_LINE
from bot.rules.kernel.tracker import NEXT
from bot.table.base.results import ChangeLine, EntryId, Message, OpenFollowUp, Result
from bot.table.journal.journal import UndoAsks, UndoBlocked, Undone, UndoNeedsGm
from bot.table.play.owed_answers import is_for_gm, key_of
from bot.ui.input.presses import press_id
from bot.ui.replies.ranked_lines import DiceForm, Rank, RankedLine, fact_line, rank_of, shortened, texts_of
from bot.ui.text import attack_pictures
from bot.ui.text.reply import (
    IN_MENU,
    IN_ROW,
    Accent,
    Button,
    Look,
    Reply,
    Row,
    Select,
    Sketch,
    private_page,
    rows_of,
)
from bot.ui.text.roll_text import (
    as_many,
    escape,
    listed,
    message_chances,
    message_dice_lines,
    odds_table,
    plain,
    roll_lines,
    short_dice_lines,
    shorten,
    term_dice_lines,
)

ACCENTS = {
    Family.SUCCESS: Accent.SUCCESS,
    Family.PARTIAL: Accent.PARTIAL,
    Family.FAILURE: Accent.FAILURE,
    Family.NEWS: Accent.NEWS,
}
MOST_ROWS = 2  # of menus and buttons on a phone; what is beyond is behind "More …"
LONGEST = 4000
LONGEST_LABEL = 80
GM_MARK = " (GM)"  # at the end of labels; behind "GM …" it says nothing new
GMS, REST = "gm", "more"  # the private pages on which the rest of a result's buttons stand


def result_reply(result: Result) -> Reply:
    """The reply for a result, public or private, including what its buttons led to."""
    message = result.message
    parts = [] if result.is_undone else pictured_parts(result)
    pictures = _pictures(result, parts) if parts else ()
    lines, has_more = undone_lines(result) if result.is_undone else card_lines(result, parts)
    return Reply(
        text=shorten("\n".join(lines), LONGEST),
        unpictured=shorten("\n".join(card_lines(result)[0]), LONGEST) if pictures else "",
        accent=_accent(result),
        rows=() if result.is_undone else result_controls(result, has_more=has_more).rows,
        files=pictures,
        is_private=not message.is_public,
    )


def _accent(result: Result) -> Accent:
    """Return the edge's colour: of its own verdict; without one, of the latest that was pressed in it."""
    below = [one.message.verdict for one in result.all_of_it[:0:-1]]
    verdict = next((one for one in (result.message.verdict, *below) if one is not None), None)
    return Accent.NEWS if verdict is None or result.is_undone else ACCENTS[verdict.for_heroes]


def _pictures(result: Result, parts: Sequence[Result]) -> tuple[Sketch, ...]:
    picture = attack_pictures.attack_picture([_exchange(one, _faced(parts), result) for one in parts])
    return () if picture is None else (picture,)


def pictured_parts(result: Result) -> list[Result]:
    """The parts of a message that its picture of an attack shows: the latest, as many as fit."""
    if not any(map(_is_opposed, result.all_of_it)):
        return []
    found: list[Result] = []
    for one in reversed(result.all_of_it):
        parts = [one, *found]
        rolls = [roll for part in parts for roll in _rows(part, _faced(parts))]
        if shown_rolls(one) and attack_pictures.is_drawable(rolls):
            found = parts
    return found if any(map(_is_opposed, found)) else []


def _is_opposed(part: Result) -> bool:
    """Whether a part shows an attack, or what defends against one."""
    return any(roll.facing or roll.targets for roll in shown_rolls(part))


def _faced(parts: Iterable[Result]) -> Counter[Die]:
    """The dice that a roll faces, which stand beside it and need no row of their own."""
    return Counter(one.die for part in parts for roll in shown_rolls(part) for one in roll.facing)


def _rows(part: Result, faced: Counter[Die]) -> list[Roll]:
    """The rolls of a part that have a row in the picture."""
    return [roll for roll in shown_rolls(part) if roll.facing or not _is_faced(roll, faced)]


def _is_faced(roll: Roll, faced: Counter[Die]) -> bool:
    return bool(roll.dice) and Counter(roll.dice) <= faced


def _exchange(part: Result, faced: Counter[Die], whole: Result) -> "attack_pictures.Exchange":
    rolls = tuple((roll, _for_heroes(roll, part, whole)) for roll in _rows(part, faced))
    wounds = tuple(_wound(line) for line in part.message.changes if _is_pictured(line))
    return attack_pictures.Exchange(rolls, wounds)


def _for_heroes(roll: Roll, part: Result, whole: Result) -> Family:
    """How good or bad a roll is for the heroes; that of whoever is attacked speaks of the other side."""
    verdict = part.message.verdict or whole.message.verdict or roll.verdict
    if roll.facing or roll.roller is None or roll.roller.name == part.message.who:
        return verdict.for_heroes
    if verdict.is_foes is None:
        return Family.NEWS
    return dataclasses.replace(roll.verdict, is_foes=not verdict.is_foes).for_heroes


def _wound(line: ChangeLine) -> "attack_pictures.Wound":
    return attack_pictures.Wound(line.who, line.what, line.before, line.after)


def _is_pictured(line: ChangeLine) -> bool:
    """Whether the picture of an attack shows a change: a wound, in letters that it has."""
    return kind_of(line.what).stays and attack_pictures.can_write(_wound(line))


class DividedControls(Struct, frozen=True):
    """The menus and buttons of a message, divided among it and its two private pages."""

    rows: tuple[Row, ...]  # under the message
    rest: tuple[Row, ...]  # behind "More …"
    gms: tuple[Row | Button, ...]  # behind "GM …", not in rows yet


def divided(
    entry: EntryId,
    own: Sequence[Row | Button],
    gms: Sequence[Row | Button],
    tail: Sequence[Button],
    *,
    is_owed: bool,
) -> DividedControls:
    """Divide controls so that a message has two rows of them, a menu being one of these.

    Args:
        entry: The message's result.
        own: What players can press, the most important first.
        gms: What only a GM can press.
        tail: What stands behind that, the last of it to go first.
        is_owed: Whether the game waits for a GM.
    """
    menus = [one for one in own if isinstance(one, Select)]
    buttons = [one for one in own if isinstance(one, Button)]
    gm_look = Look.MAIN if is_owed else Look.PLAIN
    gm = [Button(id=press_id("row", entry, GMS), label="GM …", look=gm_look)] if gms else []
    room = IN_ROW * (MOST_ROWS - min(1, len(menus))) - len(gm)
    left: list[Row] = [*menus[1:]]
    if left or len(buttons) + len(tail) > room:
        more = Button(id=press_id("row", entry, REST), label="More …")
        kept = tail[:2]
        fitting = max(0, room - 1 - len(kept))
        left += rows_of([*buttons[fitting:], *tail[2:]], IN_ROW)
        shown = [*buttons[:fitting], *kept, more, *gm]
    else:
        shown = [*buttons, *tail, *gm]
    return DividedControls((*menus[:1], *rows_of(shown, IN_ROW)), tuple(left), tuple(gms))


def as_rows(controls: Sequence[Row | Button]) -> tuple[Row, ...]:
    """Menus, then buttons in rows."""
    menus = [one for one in controls if isinstance(one, Select)]
    return (*menus, *rows_of([one for one in controls if isinstance(one, Button)]))


def result_controls(result: Result, *, has_more: bool = False) -> DividedControls:
    """The follow-ups (the latest action's first), then Details, and Undo and Again of the latest."""
    latest_first = sorted(result.all_of_it, key=lambda one: one.entry, reverse=True)
    follow_ups = _each_once([one for part in latest_first for one in part.follow_ups])
    below = {one.id: part for part in latest_first for one in part.follow_ups}
    gms = [one for one in follow_ups if is_gms(one.follow_up, result)]
    own: list[Row | Button] = [
        _control(one, _family(below[one.id], result)) for one in follow_ups if one not in gms
    ]
    if result.waiting is not None and not result.below:  # else it has joined
        admit = press_id("admit", result.waiting, result.entry)
        own.append(Button(id=admit, label="Approve (GM)", look=Look.MAIN))
        own.append(Button(id=press_id("waiting", result.waiting), label="Show sheet"))
    if result.is_blind:
        own.append(Button(id=press_id("secrets", "look", 0, result.entry), label="Look (GM)"))
    tail = []
    if has_more or any(one.rolls for one in latest_first):
        tail.append(Button(id=press_id("details", result.entry), label="Details"))
    undos = [Button(id=press_id("undo", one.entry), label="Undo") for one in latest_first if one.can_undo]
    agains = [
        Button(id=press_id("do", one.again.id), label=one.again.follow_up.label)
        for one in latest_first
        if one.again
    ]
    tail += [*undos[:1], *agains[:1]]
    is_owed = any(one.follow_up.is_owed or one.follow_up.after_seconds for one in gms)
    return divided(result.entry, own, [_control(one, Family.NEWS, GMS) for one in gms], tail, is_owed=is_owed)


def is_gms(follow_up: FollowUp, result: Result) -> bool:
    """Whether a follow-up stands behind "GM …": in a message for everybody it is a GM's alone."""
    is_theirs = follow_up.audience is Audience.GM or follow_up.is_npcs
    return is_theirs and result.message.is_public


def _family(part: Result, result: Result) -> Family:
    """How good or bad the outcome is under which something is offered."""
    verdict = part.message.verdict or result.message.verdict
    return Family.NEWS if verdict is None else verdict.family


def rest_reply(lines: Sequence[str], found: DividedControls, which: str) -> Reply:
    """A private page with the text of a message as it is now, and some of its controls."""
    return private_page(
        (shorten("\n".join(lines), LONGEST), *(as_rows(found.gms) if which == GMS else found.rest))
    )


def _each_once(follow_ups: Sequence[OpenFollowUp]) -> list[OpenFollowUp]:
    """Follow-ups without those that say and do the same as an earlier one, such as another "End turn"."""
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


def _control(one: OpenFollowUp, family: Family, page: str = "") -> Select | Button:
    """A follow-up as a button or a menu.

    Args:
        one: The follow-up.
        family: How good or bad what it stands under is.
        page: The private page that it stands on, if any.
    """
    id_ = press_id("do", one.id, *([page] if page else []))
    label, seconds = one.follow_up.label, one.follow_up.after_seconds
    if page == GMS:
        label = label.removesuffix(GM_MARK)
    if one.follow_up.choices:
        return Select(id=id_, prompt=plain(label, 150), choices=one.follow_up.choices[:IN_MENU])
    if seconds:
        plain_note, note = f" · {seconds} s", f" · auto {seconds} s"
        if len(label + plain_note) <= IN_LINE < len(label + note):
            note = plain_note
        label = shorten(label, LONGEST_LABEL - len(note)) + note
    return Button(id=id_, label=label, look=look_of(one.follow_up, family, page))


def look_of(follow_up: FollowUp, family: Family, page: str = "") -> Look:
    """How bright a follow-up's button is: a rescue is so after a failure, and quiet after a success.

    What ends a turn is quiet until something was rolled in it: the board has a brighter button.
    """
    if follow_up.procedure == NEXT and family is Family.NEWS and not page:
        return Look.PLAIN
    is_rescue = follow_up.rewinds or follow_up.place is Place.VERDICT
    if (is_rescue and family is Family.SUCCESS) or (follow_up.audience is Audience.GM and not page):
        return Look.PLAIN
    return Look.MAIN


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
        text=f"**{escape(done.asked_by)}** asks the GM to undo{whole}: {what}\n-# {_why_the_gm(done)}",
        rows=((button,),),
    )


def _why_the_gm(done: UndoNeedsGm) -> str:
    """Why a GM has to allow an undo; of what others can't see, nothing is said."""
    reasons = listed(("has a roll in it" * done.has_dice, "isn't theirs" * done.is_others), " and ")
    if not reasons or not done.message.is_public:
        return "The GM decides."
    because = f"{'Some of it' if done.together else 'It'} {reasons}, so the GM decides."
    return f"{because} Rolls stay in the journal." if done.has_dice else because


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


# --- texts ---------------------------------------------------------------------------------------

_DICE_LINES = {
    DiceForm.WHOLE: message_dice_lines,
    DiceForm.TERMS: term_dice_lines,
    DiceForm.SHORT: short_dice_lines,
}


def card_lines(result: Result, in_picture: Iterable[Result] = ()) -> tuple[list[str], bool]:
    """Return the lines of a result's card, and whether they leave anything to its details.

    Args:
        result: The result.
        in_picture: Its parts that a picture beside it shows, which is not said again.
    """
    pictured = frozenset(one.entry for one in in_picture)
    if not result.message.is_public:
        return texts_of(_lines(result, DiceForm.WHOLE, DiceForm.WHOLE, pictured)), False
    return shortened(lambda before, latest: _lines(result, before, latest, pictured))


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


def _lines(
    result: Result, before: DiceForm, latest: DiceForm, pictured: Collection[EntryId]
) -> list[RankedLine]:
    *parts, last = (result, *(_under(result.message, one) for one in result.below))
    lines: list[RankedLine] = []
    faced = Counter(facing.die for roll in shown_rolls(last) for facing in roll.facing)
    for one in parts:
        dice = Counter(die for roll in shown_rolls(one) for die in roll.dice)
        rank = Rank.HEADING if dice and dice <= faced else Rank.STAYS
        form = DiceForm.DRAWN if one.entry in pictured else before
        before_lines = part_lines(one, form, is_below=one is not result, is_earlier=True, of_dice=rank)
        lines += [replace(line, is_earlier=True) for line in before_lines]
    form = DiceForm.DRAWN if last.entry in pictured else latest
    latest_lines = part_lines(last, form, is_below=last is not result)
    if _is_said_above(last, result):
        latest_lines[0] = replace(latest_lines[0], rank=Rank.HEADING)
    return [*lines, *latest_lines]


def _under(opening: Message, answer: Result) -> Result:
    """An answer as it reads below what it answers: against whom stands there already."""
    said = answer.message.headline.replace(f" against {opening.who}", "", 1)
    return replace(answer, message=replace(answer.message, headline=said))


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
        form: How much to say of its dice.
        is_below: Whether it came of a press in the message; without dice its change stands in its
            headline.
        is_earlier: Whether something later stands in the message.
        of_dice: The rank of its dice; lower where a later roll shows the dice that it faces.
    """
    message, rolls = result.message, shown_rolls(result)
    drawn = [line for line in message.changes if form is DiceForm.DRAWN and _is_pictured(line)]
    changes = change_facts(message, is_earlier=is_earlier, without=drawn)
    top = RankedLine(headline(message, result.was))
    if is_below and is_earlier and not rolls and message.verdict is None:
        top = replace(top, rank=max([Rank.HEADING, *(line.rank for line in changes if not line.whose)]))
    if is_below and not rolls and len({line.whose for line in changes}) == 1:
        rank = max(top.rank, *(line.rank for line in changes))
        top, changes = RankedLine(listed((top.text, *texts_of(changes))), rank), []
    chances = message_chances(rolls, message.who) if form is DiceForm.WHOLE else ()
    dice = () if form is DiceForm.DRAWN else _DICE_LINES[form](rolls, message.who)
    return [
        top,
        *(RankedLine(line, of_dice) for line in dice),
        *changes,
        *(
            fact_line(note, is_earlier=is_earlier)
            for note in message.notes
            if form is not DiceForm.DRAWN or kind_of(note) is not FactKind.SUM
        ),
        *(RankedLine(escape(note)) for note in _waits(result)),
        *(RankedLine(f"-# {chance}") for chance in chances),
    ]


def _waits(result: Result) -> list[str]:
    """What waits for somebody to press."""
    open_ = [one.follow_up for one in result.follow_ups]
    return list(dict.fromkeys([*(one.note for one in open_ if one.note), *gms_wait(open_)]))


def gms_wait(follow_ups: Iterable[FollowUp]) -> list[str]:
    """The line that says so where a GM still has to press one of them."""
    return ["Waiting for the GM."] if any(map(is_for_gm, follow_ups)) else []


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


def change_facts(
    message: Message, *, is_earlier: bool = False, without: Collection[ChangeLine] = ()
) -> list[RankedLine]:
    """The changes as lines of the character whose they are: first the actor's, without a name."""
    return [
        RankedLine(
            f"{escape(line.what)} {escape(line.before)} → {escape(line.after)}",
            rank_of(line.what, is_earlier=is_earlier, usual=Rank.CHANGE),
            "" if line.who == message.who else f"{escape(line.who)}:",
            is_fact=True,
        )
        for line in sorted(message.changes, key=lambda line: line.who != message.who)
        if line not in without
    ]
