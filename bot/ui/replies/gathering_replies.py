"""Shared prompts as a card: who rolled what, who is missing and how it ended."""

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from bot.rules.kernel import Family, FollowUp, Part
from bot.table.base.results import Answered, Beside, EntryId, Gathered, Result
from bot.table.requests.gatherings import mark_of_deal
from bot.ui.input.presses import press_id
from bot.ui.replies.ranked_lines import (
    MORE,
    DiceForm,
    Rank,
    RankedLine,
    fact_line,
    rank_of,
    shortened,
    texts_of,
)
from bot.ui.replies.result_replies import (
    ACCENTS,
    GM_MARK,
    GMS,
    DividedControls,
    card_lines,
    change_facts,
    details_reply,
    divided,
    gms_wait,
    headline,
    is_gms,
    look_of,
    part_lines,
    rest_reply,
    result_controls,
    verdict_text,
)
from bot.ui.text.reply import IN_MENU, IN_ROW, Accent, Button, Reply, Row, Select, rows_of
from bot.ui.text.roll_text import (
    TALLEST_REPLY,
    escape,
    height,
    listed,
    message_dice_lines,
    plain,
    roll_lines,
    short_dice,
    short_dice_lines,
    shorten,
)

LONGEST = 4000
MOST_BESIDE = 25  # buttons under the details of a shared prompt
_IN_BRACKETS = re.compile(r" \\\([^)]*\)$")  # how a number came about


def gathering_reply(result: Result, gathering: Gathered) -> Reply:
    """The public card of a shared prompt, with its buttons."""
    view = gathering.view
    lines, has_more = _card_lines(result, gathering)
    return Reply(
        text=shorten("\n".join(lines), LONGEST),
        accent=Accent.BOARD if view.verdict is None else ACCENTS[view.verdict.for_heroes],
        rows=gathering_controls(result, gathering, has_more=has_more).rows,
        is_private=not result.message.is_public,
    )


def _card_lines(result: Result, gathering: Gathered) -> tuple[list[str], bool]:
    """The lines of a card, and whether they leave anything to its details."""
    whole = texts_of(_lines(result, gathering, DiceForm.WHOLE))
    if not result.message.is_public:
        return whole, False
    shown, _is_cut = shortened(lambda _before, latest: _lines(result, gathering, latest), drops=False)
    if height(shown) > TALLEST_REPLY:
        joined = _lines(result, gathering, DiceForm.SHORT, is_joined=True)
        shown = [*texts_of(joined), MORE]
        if height(shown) > TALLEST_REPLY:
            shown, _is_cut = shortened(lambda _before, _latest: joined)
    return shown, shown != whole


def _lines(
    result: Result, gathering: Gathered, form: DiceForm, *, is_joined: bool = False
) -> list[RankedLine]:
    """The headline, a line or two for each answer, and further notes.

    Args:
        result: What opened the prompt.
        gathering: The prompt as it stands.
        form: How much to say of its dice.
        is_joined: Whether all answers stand in one line, without what else came of them.
    """
    top = _first_line(result, gathering)
    target = "" if form is DiceForm.WHOLE else _target_in(result, gathering)
    chance = ""
    if is_joined:
        common, chance = _common(gathering)
        against = f"against {common}" if common and not target else ""
        target = common
    dice = message_dice_lines if form is DiceForm.WHOLE else short_dice_lines
    answers = [_part_lines(part, answer, form, target, chance) for part, answer in gathering.parts]
    if is_joined and answers:
        each = listed((lines[0].text for lines in answers), "; ")
        answers = [[RankedLine(listed((each, escape(against), chance)))]]
    said = [*gathering.view.lines, *gms_wait(gathering.view.follow_ups)]
    end = [RankedLine(f"-# {escape(one)}", rank_of(one, usual=Rank.STAYS)) for one in said]
    if is_joined:
        end = [replace(line, text=_IN_BRACKETS.sub("", line.text)) for line in end]
    return [
        RankedLine(top),
        *map(RankedLine, dice(result.rolls, result.message.who)),
        *map(fact_line, result.message.notes),
        *(line for lines in answers for line in lines),
        *end,
    ]


def _first_line(result: Result, gathering: Gathered) -> str:
    verdict = gathering.view.verdict
    message = replace(result.message, headline=gathering.view.headline or result.message.headline)
    return listed((headline(message), f"· **{escape(verdict.title)}**" if verdict else ""), " ")


def _common(gathering: Gathered) -> tuple[str, str]:
    """The target and the chance of every roll, each nothing where they differ."""
    rolls = [roll for part, _answer in gathering.parts for roll in part.rolls]
    targets, chances = {roll.against for roll in rolls}, {roll.chance for roll in rolls}
    return (targets.pop() if len(targets) == 1 else "", chances.pop() if len(chances) == 1 else "")


def _target_in(result: Result, gathering: Gathered) -> str:
    """What every answer was rolled against, where the first line says it already."""
    targets = {roll.against for part, _answer in gathering.parts for roll in part.rolls}
    target = targets.pop() if len(targets) == 1 else ""
    return target if target and result.message.headline.endswith(f"against {target}") else ""


def _part_lines(
    part: Part, answer: Answered | None, form: DiceForm, target: str, chance: str = ""
) -> list[RankedLine]:
    """Who answered, the outcome, the dice with their chance, and the changes.

    Args:
        part: The answer as it is shown.
        answer: Its entry, if that may be shown.
        form: How much to say of its dice.
        target: What all answers were rolled against, where that stands elsewhere.
        chance: The chance that all of them had, where that stands elsewhere.
    """
    verdict = verdict_text(part.verdict, None if answer is None else answer.result.was)
    first = listed((f"**{escape(part.who)}**", verdict))
    rolled = [roll.as_rolled for roll in part.rolls]
    if form is DiceForm.SHORT:
        dice = [short_dice(roll, with_target=roll.against != target) for roll in rolled]
    else:
        dice = roll_lines([replace(roll, against="") if target else roll for roll in rolled], part.who)
    rolls = [
        listed((line, roll.chance if roll.chance != chance else ""))
        for line, roll in zip(dice, part.rolls, strict=True)
    ]
    if len(rolls) == 1 and not part.verdict:
        first, rolls = f"{first} {rolls[0]}", []
    if form is not DiceForm.WHOLE and rolls:
        first, rolls = listed((first, *rolls)), []
    notes = (RankedLine(f"-# {escape(note)}", rank_of(note)) for note in part.notes)
    lines = [RankedLine(first), *map(RankedLine, rolls), *notes]
    if answer is None:
        return lines
    top, *below = answer.result.all_of_it
    lines += change_facts(top.message)
    for one in below:
        # What stands as the answer now has its dice and its verdict above.
        if one.entry == answer.entry:
            one = replace(one, rolls=(), message=replace(one.message, verdict=None))
        lines += part_lines(one, form)
    return lines


def gathering_controls(result: Result, gathering: Gathered, *, has_more: bool) -> DividedControls:
    """Next steps, follow-ups of the answers, then Details and Undo."""
    entry, view = result.entry, gathering.view
    own: list[Row | Button] = []
    gms: list[Row | Button] = []
    for one in view.follow_ups:
        is_for_gm = is_gms(one, result)
        (gms if is_for_gm else own).append(_control(entry, one, GMS if is_for_gm else ""))
    for beside in gathering.beside:
        if not beside.open.follow_up.choices:
            is_for_gm = is_gms(beside.open.follow_up, result)
            (gms if is_for_gm else own).append(_beside_button(entry, beside, GMS if is_for_gm else ""))
    tail = []
    if has_more or result.rolls or any(part.rolls or not part.moment for part in view.parts):
        tail.append(Button(id=press_id("parts", entry), label="Details"))
    tail += [Button(id=press_id("undo", one.entry), label="Undo") for one in _to_undo(result, gathering)]
    is_owed = any(one.is_owed for one in view.follow_ups if is_gms(one, result))
    return divided(entry, own, gms, tail, is_owed=is_owed)


def _to_undo(result: Result, gathering: Gathered) -> list[Result]:
    """What *Undo* takes back: the latest roll once the prompt has ended, until then what opened it."""
    ended = gathering.answers if gathering.view.verdict is not None else ()
    done = [result, *(one for answer in ended if answer is not None for one in answer.result.all_of_it)]
    return sorted((one for one in done if one.rolls and one.can_undo), key=lambda one: -one.entry)[:1]


def page_reply(result: Result, which: str) -> Reply:
    """A private page with the buttons for which the message of a result has no room, or with a GM's."""
    if result.gathering is None:
        lines, has_more = card_lines(result)
        return rest_reply(lines, result_controls(result, has_more=has_more), which)
    lines, has_more = _card_lines(result, result.gathering)
    return rest_reply(lines, gathering_controls(result, result.gathering, has_more=has_more), which)


def _beside_button(entry: EntryId, one: Beside, page: str = "") -> Button:
    label = one.open.follow_up.label
    return Button(
        id=press_id("part", entry, one.open.id, *([page] if page else [])),
        label=plain(f"{one.who}: {label.removesuffix(GM_MARK) if page else label}", 80),
        look=look_of(one.open.follow_up, Family.NEWS, page),
    )


def _join_id(entry: EntryId, one: FollowUp) -> str:
    """The press id of a follow-up, with the mark of its deal if it has one."""
    mark = mark_of_deal(one)
    return press_id("join", entry, one.group, *([mark] if mark else []))


def _control(entry: EntryId, one: FollowUp, page: str = "") -> Select | Button:
    """A next step as a button or a menu; on a private page its id says so behind the mark of its deal."""
    id_, label = _join_id(entry, one), one.label
    if page:
        id_ = press_id("join", entry, one.group, mark_of_deal(one), page)
        label = label.removesuffix(GM_MARK)
    if one.choices:
        return Select(id=id_, prompt=plain(label, 150), choices=one.choices[:IN_MENU])
    return Button(id=id_, label=plain(label, 80), look=look_of(one, Family.NEWS, page))


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
    if not details:
        details = texts_of(_lines(whole, gathering, DiceForm.WHOLE))
    elif _card_lines(whole, gathering)[1]:
        details = [*texts_of(_besides(whole, gathering, answers)), *details]
    buttons = [
        _beside_button(whole.entry, one) for one in gathering.beside if not one.open.follow_up.choices
    ][:MOST_BESIDE]
    rows = tuple(rows_of(buttons, IN_ROW))
    return Reply(text=shorten("\n".join(details), LONGEST), rows=rows, is_private=True)


def _besides(whole: Result, gathering: Gathered, answers: Sequence[Result]) -> list[RankedLine]:
    """What a card says beside the details of what opened it, if that was a roll, and of its answers."""
    told = {one.entry: one.message.verdict for one in answers}
    lines: list[RankedLine] = []
    for part, answer in gathering.parts:
        if answer is None or answer.entry not in told:
            lines += _part_lines(part, answer, DiceForm.WHOLE, "")
            continue
        if part.verdict != told[answer.entry]:
            lines.append(RankedLine(listed((f"**{escape(part.who)}**", verdict_text(part.verdict)))))
            lines += [RankedLine(f"-# {escape(note)}") for note in part.notes]
        below = [one for one in answer.result.below if one.entry not in told]
        lines += [line for one in below for line in part_lines(one, DiceForm.WHOLE)]
    if not whole.rolls and (lines or len(gathering.parts) > 1):
        lines = [RankedLine(_first_line(whole, gathering)), *map(fact_line, whole.message.notes), *lines]
    return [*lines, *(RankedLine(f"-# {escape(line)}") for line in gathering.view.lines)]
