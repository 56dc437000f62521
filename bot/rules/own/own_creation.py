"""How a character of a game of one's own is made: a playbook, a spread, points, dice, questions in words."""

from collections.abc import Iterator, Mapping
from functools import partial
from math import floor

from bot.rules.kernel import (
    Choice,
    Creation,
    CreationRoll,
    Die,
    Document,
    Draft,
    Excess,
    Family,
    Problem,
    Question,
    Roll,
    RollRule,
    Step,
    TextField,
    Verdict,
    answer_to,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.outcome import counted, shown_number, signed, whole_number
from bot.rules.own.expressions import DiceSum, Number, amount_of
from bot.rules.own.game_file import HeroRow, NpcRow, PlaybookRow
from bot.rules.own.game_parts import OwnGame, PartKind, die_of
from bot.rules.own.own_play import known_of, within_span
from bot.rules.own.own_rolls import FallenAgain, OwnRules, RecordedDice
from bot.rules.own.own_sheet import OwnSheet, amount_words, numbers_of

PLAYBOOK, SPREAD, POINTS, THROW, WORDS = "playbook", "spread", "points", "dice", "words"
PICKS_A_PAGE, FIELDS_A_PAGE = 6, 5
MOST_POINTS = 24  # points that one attribute can be given from a menu
LONGEST_WORDS = 200


class CreationInputs(Document):
    """What is rolled for a new character."""

    playbook: str = ""


def creation_rule(rules: OwnRules) -> RollRule[CreationInputs]:
    """The rule by which attributes of a new character are rolled."""
    return RollRule(f"creation@{rules.hash}", CreationInputs, partial(_throw, rules))


def rolled_numbers(game: OwnGame, inputs: CreationInputs, dice: Dice) -> dict[str, int]:
    """What the dice give a new character."""
    numbers = numbers_of(game, _with_playbook(game, OwnSheet(), inputs.playbook))
    found: dict[str, int] = {}

    def roll(one: DiceSum) -> int:
        return sum(dice.roll(one.sides) for _ in range(one.number))

    for name, amount in game.rolled.items():
        known = known_of(game, {**numbers, **found})
        found[name] = within_span(game, name, floor(amount_of(amount, known, roll)), known)
    return found


def _throw(rules: OwnRules, inputs: CreationInputs, dice: Dice) -> Roll:
    recorded = RecordedDice(dice)
    found = rolled_numbers(rules.game, inputs, recorded)
    words = ", ".join(f"{rules.game.label(name)} {shown_number(number)}" for name, number in found.items())
    return Roll(
        rule=f"creation@{rules.hash}",
        inputs=inputs,
        dice=tuple(Die(sides=sides, face=face) for sides, face in recorded.fallen),
        verdict=Verdict(Family.NEWS, words or "nothing"),
    )


def own_creation(rules: OwnRules) -> Creation[OwnSheet, Document]:
    """The creation of characters of a game."""
    game = rules.game
    return Creation(
        steps=lambda draft, _settings: tuple(_steps(rules, draft)),
        problems=lambda draft, _settings: tuple(_problems(game, draft)),
        build=lambda draft, _settings: build(game, draft),
        npc=OwnSheet,
        ready_made={row.label: hero_sheet(game, row) for row in game.file.heroes.values()},
        unspent=lambda draft, _settings, step: _unspent(game, draft, step),
        spend=lambda draft, _settings, step: spend(game, draft, step),
    )


def _steps(rules: OwnRules, draft: Draft) -> Iterator[Step]:
    game = rules.game
    create = game.file.create
    if create.playbooks:
        choices = tuple(Choice(key, row.label, row.text[:100]) for key, row in create.playbooks.items())
        yield Step(
            key=PLAYBOOK,
            title="Playbook",
            text="Who are you?",
            picks=(Question(key=PLAYBOOK, prompt="Choose a playbook", choices=choices),),
        )
    if create.roll:
        labels = ", ".join(game.label(name) for name in create.roll)
        throw = CreationRoll(
            key=THROW,
            prompt="rolls for a new character",
            label="Roll the dice",
            rule=f"creation@{rules.hash}",
            inputs=CreationInputs(playbook=answer_to(draft, PLAYBOOK)),
            answer=partial(_answers, game),
            settles=(PLAYBOOK,) if create.playbooks else (),
        )
        yield Step(
            key=THROW,
            title="Dice",
            text=f"Your dice decide: {labels}.",
            throws=(throw,),
        )
    if create.spread:
        shown = ", ".join(one if isinstance(one, str) else signed(one) for one in create.spread)
        yield from _pages(
            SPREAD,
            "Attributes",
            f"Give each attribute one of {shown}; each is there as often as it stands here.",
            [_spread_question(game, name) for name in spread_names(game)],
        )
    if create.points is not None:
        each = "" if create.points.each is None else f", {create.points.each} at most for one"
        yield from _pages(
            POINTS,
            create.points.group or "Points",
            f"You have {create.points.total} points{each}.",
            [_points_question(game, draft, name) for name in points_names(game)],
        )
    asked = tuple(
        TextField(key=f"{WORDS}.{key}", prompt=question[:45], longest=LONGEST_WORDS, is_required=False)
        for key, question in create.ask.items()
    )
    fields = asked + tuple(
        TextField(
            key=f"entries.{key}",
            prompt=f"{row.label}{'' if row.value == 'words' else ' (name value, …)'}"[:45],
            longest=300,
            is_required=False,
        )
        for key, row in game.file.entries.items()
    )
    for start in range(0, len(fields), FIELDS_A_PAGE):
        yield Step(
            key=f"{WORDS}{start or ''}",
            title="In words" if not start else f"In words ({start // FIELDS_A_PAGE + 1})",
            text="Answer what you like; you can leave the rest.",
            blanks=fields[start : start + FIELDS_A_PAGE],
        )
    if not (create.playbooks or create.roll or create.spread or create.points or fields):
        yield Step(key="start", title="Start", text="Every character of this game begins the same.")


def _answers(game: OwnGame, roll: Roll) -> tuple[str, ...]:
    inputs = roll.inputs if isinstance(roll.inputs, CreationInputs) else CreationInputs()
    found = rolled_numbers(game, inputs, FallenAgain(roll))
    return tuple(f"{name}={number}" for name, number in found.items())


def _pages(key: str, title: str, text: str, picks: list[Question]) -> Iterator[Step]:
    for start in range(0, len(picks), PICKS_A_PAGE):
        number = start // PICKS_A_PAGE + 1
        yield Step(
            key=f"{key}{number if start else ''}",
            title=title if not start else f"{title} ({number})",
            text=text,
            picks=tuple(picks[start : start + PICKS_A_PAGE]),
        )


def spread_names(game: OwnGame) -> tuple[str, ...]:
    """The attributes that a spread is for."""
    names = [name for name in game.of_kind(PartKind.ATTRIBUTE) if name not in game.rolled]
    return tuple(names)


def _spread_question(game: OwnGame, name: str) -> Question:
    row = game.file.attributes[name]
    numbers = list(dict.fromkeys(game.file.create.spread))
    choices = tuple(Choice(str(one), one if isinstance(one, str) else signed(one)) for one in numbers)
    least = 1 if len(game.file.create.spread) >= len(spread_names(game)) else 0
    about = f"{row.label}: {row.text}" if row.text else row.label
    return Question(key=f"{SPREAD}.{name}", prompt=about[:100], choices=choices, least=least)


def points_names(game: OwnGame) -> tuple[str, ...]:
    """The attributes that points are spent on."""
    points = game.file.create.points
    return tuple(
        name
        for name in game.of_kind(PartKind.ATTRIBUTE)
        if points is not None
        and points.group in (None, game.file.attributes[name].group)
        and not game.span(name).steps
    )


def _points_question(game: OwnGame, draft: Draft, name: str) -> Question:
    most, step = _steps_of_points(game)
    given = _points(draft, name)
    offered = {*range(0, most + 1, step), given, min(most, given + max(0, _points_left(game, draft)))}
    choices = tuple(Choice(str(one), f"+{one}") for one in sorted(offered) if one <= most)
    return Question(key=f"{POINTS}.{name}", prompt=game.label(name)[:100], choices=choices, least=0)


def _steps_of_points(game: OwnGame) -> tuple[int, int]:
    """The most points that one attribute gets, and in which steps a menu offers them."""
    points = game.file.create.points
    most = 0 if points is None else points.total if points.each is None else points.each
    step = max(1, -(-most // MOST_POINTS))
    return most, 5 if 1 < step <= 5 else step


def _points_left(game: OwnGame, draft: Draft) -> int:
    """How many points are not spent; below 0 where too many are."""
    points = game.file.create.points
    spent = sum(_points(draft, name) for name in points_names(game))
    return 0 if points is None else points.total - spent


def _spread_left(game: OwnGame, draft: Draft) -> list[str]:
    """What of a spread is not given out, as it is written."""
    left = [str(one) for one in game.file.create.spread]
    for one in (answer_to(draft, f"{SPREAD}.{name}") for name in spread_names(game)):
        if one in left:
            left.remove(one)
    unset = [name for name in spread_names(game) if not answer_to(draft, f"{SPREAD}.{name}")]
    return left if unset else []


def _unspent(game: OwnGame, draft: Draft, step: str | None) -> str:
    """What is left to spend on a page, or in all, in words."""
    left = _points_left(game, draft)
    if left > 0 and (step is None or step.startswith(POINTS)):
        return counted(left, "point")
    return ", ".join(map(_shown, _spread_left(game, draft))) if (step or "").startswith(SPREAD) else ""


def spend(game: OwnGame, draft: Draft, step: str) -> Draft:
    """Spend what is left of a page: a spread from its highest on, points evenly; what was chosen stays."""
    if step.startswith(POINTS):
        return _with_points(game, draft)
    return _with_spread(game, draft) if step.startswith(SPREAD) else draft


def _with_spread(game: OwnGame, draft: Draft) -> Draft:
    unset = [name for name in spread_names(game) if not answer_to(draft, f"{SPREAD}.{name}")]
    best_first = sorted(_spread_left(game, draft), key=lambda one: -(die_of(one) or _number(one)))
    return {**draft, **{f"{SPREAD}.{name}": (one,) for name, one in zip(unset, best_first, strict=False)}}


def _number(written: str) -> int:
    return 0 if die_of(written) is not None else int(written)


def _with_points(game: OwnGame, draft: Draft) -> Draft:
    """The draft with the points left, on the attribute with the fewest each time, chosen ones last."""
    (most, step), start = _steps_of_points(game), _before_points(game, draft)
    known = known_of(game, start)
    room = {
        name: min(most, within_span(game, name, start[name] + most, known) - start[name])
        for name in points_names(game)
    }
    given, left = {name: _points(draft, name) for name in room}, _points_left(game, draft)
    for names in ([name for name in room if not given[name]], [*room]):
        while left > 0 and (able := [name for name in names if given[name] < room[name]]):
            fewest = min(able, key=lambda name: given[name])
            more = min(step, left, room[fewest] - given[fewest])
            given[fewest], left = given[fewest] + more, left - more
    return {**draft, **{f"{POINTS}.{name}": (str(number),) for name, number in given.items() if number}}


def _problems(game: OwnGame, draft: Draft) -> Iterator[Problem]:
    create = game.file.create
    if create.playbooks and answer_to(draft, PLAYBOOK) not in create.playbooks:
        yield Problem(PLAYBOOK, "Choose a playbook.")
    if create.roll and not draft.get(THROW):
        yield Problem(THROW, "Roll the dice.")
    if create.spread:
        left = [str(one) for one in create.spread]
        chosen = [answer_to(draft, f"{SPREAD}.{name}") for name in spread_names(game)]
        for one in filter(None, chosen):
            if one not in left:
                yield Problem(SPREAD, f"{_shown(one)} is given too often.")
            else:
                left.remove(one)
        if left and len([one for one in chosen if one]) < min(len(create.spread), len(chosen)):
            yield Problem(SPREAD, f"Give out the rest: {', '.join(map(_shown, left))}.")
    if create.points is not None:
        unspent, total = _points_left(game, draft), create.points.total
        if unspent < 0:
            yield Problem(POINTS, f"You spent {total - unspent} of {total} points.")
        elif unspent > 0:
            yield Problem(POINTS, f"Spend the rest: {unspent} of {total} points.")
        sheet = build(game, draft)
        for name in points_names(game):
            start = _before_points(game, draft)[name]
            if start + _points(draft, name) > numbers_of(game, sheet)[name]:
                yield Problem(
                    POINTS, f"{game.label(name)} can't be more than {numbers_of(game, sheet)[name]}."
                )
    for kind, row in game.file.entries.items():
        yield from _entry_problems(game, kind, row.label, answer_to(draft, f"entries.{kind}"))


def _shown(written: str) -> str:
    number = whole_number(written.removeprefix("-"), 0, 10**6)
    return written if number is None else signed(-number if written.startswith("-") else number)


def _points(draft: Draft, name: str) -> int:
    return whole_number(answer_to(draft, f"{POINTS}.{name}"), 0, 10**6) or 0


def _entry_problems(game: OwnGame, kind: str, label: str, typed: str) -> Iterator[Problem]:
    parts = [part.strip() for part in typed.split(",") if part.strip()]
    if len(parts) > game.file.entries[kind].most:
        yield Problem(WORDS, f"{label}: {game.file.entries[kind].most} is the most.")
    for part in parts:
        if _entry(game, kind, part) is None:
            known = ", ".join(amount_words(game, kind, one) for one in game.entry_numbers(kind)[:25])
            yield Problem(WORDS, f"{label}: “{part}” should be a name and a value ({known}).")


def _entry(game: OwnGame, kind: str, part: str) -> tuple[str, int] | None:
    """The name and number of an entry as it is typed: "Pirate 4"; a mere name has its start."""
    row, numbers = game.file.entries[kind], game.entry_numbers(kind)
    if row.value == "words":
        return part[:60], numbers[0]
    name, _, last = part.rpartition(" ")
    digits = last.casefold().removeprefix("d").lstrip("+")
    if name and digits.isdecimal():
        number = int(digits[:6])
        return (name[:60], number) if number in numbers else None
    start = die_of(row.start) if isinstance(row.start, str) else row.start
    return part[:60], start if isinstance(start, int) else numbers[0]


def build(game: OwnGame, draft: Draft) -> OwnSheet:
    """The sheet of a draft."""
    numbers = _before_points(game, draft)
    points = {name: numbers[name] + _points(draft, name) for name in points_names(game)}
    entries = {
        kind: dict(
            found
            for part in answer_to(draft, f"entries.{kind}").split(",")
            if part.strip() and (found := _entry(game, kind, part.strip())) is not None
        )
        for kind in game.file.entries
    }
    playbook = game.file.create.playbooks.get(answer_to(draft, PLAYBOOK))
    sheet = OwnSheet(
        playbook=answer_to(draft, PLAYBOOK) if playbook is not None else "",
        numbers={**_settled(game, draft), **points},
        words={key: text for key in game.file.create.ask if (text := answer_to(draft, f"{WORDS}.{key}"))},
        entries={kind: had for kind, had in entries.items() if had},
        items=dict.fromkeys(playbook.items, 0) if playbook is not None else {},
    )
    return OwnSheet(**{**sheet.model_dump(), "numbers": numbers_of(game, sheet)})


def _before_points(game: OwnGame, draft: Draft) -> dict[str, int]:
    return numbers_of(game, OwnSheet(numbers=_settled(game, draft)))


def _settled(game: OwnGame, draft: Draft) -> dict[str, int]:
    """The numbers that a draft says, but for points: of its playbook, its dice and its spread."""
    sheet = _with_playbook(game, OwnSheet(), answer_to(draft, PLAYBOOK))
    found = dict(sheet.numbers)
    for one in draft.get(THROW, ()):
        name, _, number = one.partition("=")
        if name in game.spans:
            found[name] = int(number)
    for name in spread_names(game):
        if written := answer_to(draft, f"{SPREAD}.{name}"):
            sides = die_of(written)
            found[name] = sides if sides is not None else int(written)
    return found


def _with_playbook(game: OwnGame, sheet: OwnSheet, key: str) -> OwnSheet:
    row = game.file.create.playbooks.get(key)
    if row is None:
        return sheet
    return OwnSheet(playbook=key, numbers=_given(row), items=dict.fromkeys(row.items, 0))


def _given(row: PlaybookRow | HeroRow | NpcRow) -> dict[str, int]:
    """The numbers that a row of the file gives; a die is its sides."""
    written: Mapping[str, int | str] = {**row.attributes, **row.resources}
    found = {name: one if isinstance(one, int) else die_of(one) for name, one in written.items()}
    return {name: number for name, number in found.items() if number is not None}


def hero_sheet(game: OwnGame, row: HeroRow) -> OwnSheet:
    """The sheet of a ready-made character."""
    playbook = game.file.create.playbooks.get(row.playbook or "")
    items = (*(playbook.items if playbook is not None else ()), *row.items)
    entries = {
        kind: {name: (die_of(one) or 0) if isinstance(one, str) else one for name, one in had.items()}
        for kind, had in row.entries.items()
    }
    sheet = OwnSheet(
        playbook=row.playbook or "",
        numbers={**(_given(playbook) if playbook is not None else {}), **_given(row)},
        words=dict(row.words),
        entries=entries,
        items=dict.fromkeys(items, 0),
    )
    return OwnSheet(**{**sheet.model_dump(), "numbers": numbers_of(game, sheet)})


def npc_sheet(game: OwnGame, row: NpcRow) -> OwnSheet:
    """The sheet of somebody whom the GM plays."""
    sheet = OwnSheet(numbers=_given(row), boxes=dict(row.tracks))
    return OwnSheet(**{**sheet.model_dump(), "numbers": numbers_of(game, sheet)})


# --- what is allowed ---------------------------------------------------------------------------


def most_of_a_beginner(game: OwnGame, name: str) -> int | None:
    """The highest number that creation, a playbook or a ready-made hero gives; None where there is no end."""
    create = game.file.create
    rows: tuple[PlaybookRow | HeroRow, ...] = (*create.playbooks.values(), *game.file.heroes.values())
    given = [number for row in rows if (number := _given(row).get(name)) is not None]
    found = [numbers_of(game, OwnSheet())[name], *given]
    if name in game.rolled:
        found.append(
            floor(amount_of(game.rolled[name], known_of(game, numbers_of(game, OwnSheet())), _highest))
        )
    if name in spread_names(game):
        found += [one if isinstance(one, int) else die_of(one) or 0 for one in create.spread]
    if create.points is not None and name in points_names(game):
        return max(found) + (create.points.total if create.points.each is None else create.points.each)
    return max(found)


def _highest(dice: DiceSum) -> int:
    return dice.number * dice.sides


def excess(game: OwnGame, sheet: OwnSheet, _settings: object) -> Iterator[Excess]:
    """What of a new sheet is more than creation gives; a number that follows from others may be any."""
    free = {name for name, start in game.starts.items() if not isinstance(start, Number)}
    for name, number in numbers_of(game, sheet).items():
        most = None if name in free else most_of_a_beginner(game, name)
        if most is not None and number > most and game.kinds[name] is not PartKind.TRACK:
            yield Excess(game.label(name), amount_words(game, name, number), amount_words(game, name, most))
    playbook = game.file.create.playbooks.get(sheet.playbook)
    allowed = {*(playbook.items if playbook is not None else ())}
    for item in sheet.items:
        if item in game.items and item not in allowed:
            yield Excess(game.items[item].row.label, "carried", "none")


def sheet_problems(game: OwnGame, sheet: OwnSheet) -> tuple[Problem, ...]:
    """Numbers of a sheet that are beyond their ends."""
    numbers = numbers_of(game, sheet)
    return tuple(
        Problem(
            name,
            f"{game.label(name)} can't be {amount_words(game, name, number)}; "
            f"the nearest is {amount_words(game, name, numbers[name])}.",
        )
        for name, number in sheet.numbers.items()
        if name in numbers and numbers[name] != number
    )
