"""What one can do in a game of one's own: roll, press a button under a result, use a thing, call an event."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    Fact,
    FactKind,
    FollowUp,
    HookResult,
    NoOptions,
    Outcome,
    Procedure,
    Roll,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import Misnamed, UserError
from bot.rules.kernel.odds import percent
from bot.rules.kernel.outcome import same_name
from bot.rules.own.expressions import Applied, DiceSum, Expression
from bot.rules.own.game_parts import (
    CHANGEABLE,
    GameEffect,
    OwnCheck,
    OwnGame,
    OwnMove,
    OwnQuestion,
    PartKind,
    QuestionKind,
)
from bot.rules.own.own_play import (
    Answers,
    Changing,
    OwnRoll,
    answer,
    changes_between,
    do_move,
    happen,
    is_offered,
    is_open,
    within_span,
)
from bot.rules.own.own_rolls import (
    CheckInputs,
    EarlierThrow,
    FallenAgain,
    OwnRules,
    RecordedDice,
    attempt,
    has_character_question,
    played,
    readings_words,
    roll_check,
    worth,
)
from bot.rules.own.own_sheet import (
    OwnCharacter,
    OwnScene,
    OwnSheet,
    amount_words,
    clock_words,
    clocks_of,
    found_name,
    numbers_of,
    slots_of,
    with_entry,
    with_numbers,
)

ROLL, AFTER, USE, TAKE, DROP, NOTE_ENTRY = "roll", "after", "use", "take", "drop", "entry"
CHANGE, SET, EVENT, CLOCKS_SHOWN = "change", "set", "event", "clocks"
QUESTIONS = ("first", "second", "third", "fourth", "fifth")
"""The options that take the answers to a check's questions, in the order of the file."""
LONGEST_ENTRY, MOST_LISTED = 60, 10
SESSION_START, SESSION_END = "session start", "session end"


class RollOptions(Document):
    """What is rolled, and the answers to its questions."""

    what: str = Field(max_length=100)  # a move or check, by its key or label
    first: str = Field(default="", max_length=100)
    second: str = Field(default="", max_length=100)
    third: str = Field(default="", max_length=100)
    fourth: str = Field(default="", max_length=100)
    fifth: str = Field(default="", max_length=100)
    answers: str = Field(default="", max_length=300)  # answers as they are typed: "bonus=1, edge=advantage"
    at: CharacterId | None = None  # whom it aims at
    theirs: int | None = Field(default=None, ge=-1000, le=1000)  # what an opposed check has to beat


class AfterOptions(Document):
    """A button under a result."""

    version: str  # the hash of the version that the roll was made under
    roll: CheckInputs  # the roll, with the dice that lie there
    press: str  # the button
    at: CharacterId | None = None  # whom it aims at
    entry: str = ""  # the entry that a question named


class CarriedOptions(Document):
    """A thing that is carried."""

    item: str = Field(max_length=100)


class HandOutOptions(Document):
    """A thing that somebody is given."""

    item: str = Field(max_length=100)
    target: CharacterId


class EntryOptions(Document):
    """An entry that its player names."""

    kind: str = Field(max_length=100)
    name: str = Field(max_length=LONGEST_ENTRY)
    value: str = Field(default="", max_length=10)  # its number or die; "none" removes it


class ChangeOptions(Document):
    """A number that a GM changes."""

    what: str = Field(max_length=100)
    by: int = Field(ge=-1000, le=1000)
    target: CharacterId | None = None  # whose it is; nobody's for a clock


class SetOptions(Document):
    """A number that a GM sets."""

    what: str = Field(max_length=100)
    value: str = Field(max_length=10)
    target: CharacterId | None = None  # whose it is; nobody's for a clock


class EventOptions(Document):
    """An event for everybody who plays."""

    event: str = Field(max_length=100)
    only_dice: bool = False  # whether the rest of it has been done


# --- what is rolled ----------------------------------------------------------------------------


def rollable(game: OwnGame) -> dict[str, str]:
    """Everything that one can roll or do: moves and checks by key, with their labels."""
    moves = {key: move.label for key, move in game.moves.items()}
    return moves | {key: check.label for key, check in game.checks.items() if key not in moves}


def _found(known: Mapping[str, str], typed: str, noun: str) -> str:
    found = found_name(known, typed)
    if found is not None:
        return found
    wanted = typed.strip().casefold()
    near = tuple(label for label in known.values() if wanted[:3] and wanted[:3] in label.casefold())[:3]
    if near:
        raise Misnamed(f"There is no {noun} called “{typed}”.", typed, near)
    names = ", ".join([*known.values()][:MOST_LISTED])
    raise UserError(f"There is no {noun} called “{typed}”.", f"There are: {names}." if names else "")


def check_of(game: OwnGame, what: str) -> tuple[OwnCheck | None, OwnMove | None]:
    """The check and the move that a key or label stands for."""
    key = _found(rollable(game), what, "move or check")
    move = game.moves.get(key)
    return (game.checks[key], None) if move is None else (move.check, move)


def refuse_move(game: OwnGame, sheet: OwnSheet, move: OwnMove | None, numbers: Mapping[str, int]) -> None:
    """Refuse a move that a character doesn't have, or can't make now.

    Raises:
        UserError: If that is so.
    """
    if move is None:
        return
    playbooks = game.file.create.playbooks
    owners = [key for key, row in playbooks.items() if move.key in row.moves]
    if owners and sheet.playbook not in owners:
        names = " or ".join(playbooks[key].label for key in owners)
        raise UserError(f"{move.label} is a move of {names}.")
    if not is_open(game, move, numbers):
        raise UserError(f"{move.label} can't be done now.", "Its condition isn't met.")


def open_questions(check: OwnCheck, move: OwnMove | None) -> tuple[OwnQuestion, ...]:
    """The questions that a move leaves open, those about characters apart."""
    given = {} if move is None else move.given
    return tuple(
        one for one in check.questions if one.key not in given and one.kind is not QuestionKind.CHARACTER
    )


def typed_answers(check: OwnCheck, move: OwnMove | None, options: RollOptions) -> dict[str, str]:
    """The answers of somebody's options, by the key of the question.

    Raises:
        UserError: If they answer something that isn't asked.
    """
    given = {} if move is None else {key: str(value) for key, value in move.given.items()}
    questions = open_questions(check, move)
    for question, option in zip(questions, QUESTIONS, strict=False):
        if value := getattr(options, option).strip():
            given[question.key] = value
    for part in filter(str.strip, options.answers.split(",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        key = found_name({one.key: one.key.replace("_", " ") for one in questions}, name)
        if not equals and len(questions) == 1:
            key, value = questions[0].key, name
        if key is None or not value:
            asked = ", ".join(one.key for one in questions)
            raise UserError(
                f"“{part.strip()}” answers nothing that {check.label} asks.",
                f"It asks: {asked}. Type it like this: {questions[0].key}=…" if asked else "It asks nothing.",
            )
        given[key] = value
    return given


def readable_answers(
    game: OwnGame, sheet: OwnSheet, check: OwnCheck, given: Mapping[str, str]
) -> tuple[dict[str, str], str]:
    """Answers as the engine takes them, keys for labels; and the entry that was named."""
    found, entry = dict(given), ""
    for question in check.questions:
        value = found.get(question.key)
        if question.kind in (QuestionKind.NAME, QuestionKind.CLOCK) and value is not None:
            labels = {name: game.label(name) for name in question.names}
            found[question.key] = _found(labels, value, question.key.replace("_", " "))
        elif question.kind is QuestionKind.ENTRY:
            entry = _entry(game, sheet, question, value)
            found[question.key] = str(sheet.entries[question.entries][entry])
        elif question.numbers and value is not None and value not in question.numbers:
            labels = {
                one: game.items[one].row.label if one in game.items else one for one in question.numbers
            }
            found[question.key] = found_name(labels, value) or value
    return found, entry


def _entry(game: OwnGame, sheet: OwnSheet, question: OwnQuestion, typed: str | None) -> str:
    """The entry of a sheet that answers a question; its first where nothing is said."""
    entries = sheet.entries.get(question.entries, {})
    title = game.file.entries[question.entries].label
    if not entries:
        raise UserError(f"You have no {title} yet.", try_this="Add one from your sheet.")
    if typed is None:
        return next(iter(entries))
    named = next((name for name in entries if same_name(name, typed)), None)
    if named is None:
        raise UserError(f"You have no {title} called “{typed}”.", f"There are: {', '.join(entries)}.")
    return named


def _aimed(
    rules: OwnRules, scene: OwnScene, at: CharacterId | None, owner: str
) -> tuple[dict[str, OwnCharacter], dict[str, int]]:
    """Whom something aims at, and their numbers."""
    if at is None:
        return {}, {}
    target = scene.character(at)
    if target.is_hidden and not scene.is_gm:
        raise UserError("There is no such character here.")
    theirs = numbers_of(rules.game, target.sheet)
    return {owner: target}, {f"{owner}.{name}": number for name, number in theirs.items()}


def _everything(rules: OwnRules, scene: OwnScene) -> dict[str, int]:
    return {**numbers_of(rules.game, scene.actor.sheet), **clocks_of(rules.game, scene)}


# --- rolling -----------------------------------------------------------------------------------


def do_roll(rules: OwnRules, scene: OwnScene, options: RollOptions, dice: Dice) -> Outcome:
    """Roll a check or move, or do a move that rolls nothing."""
    game, sheet = rules.game, scene.actor.sheet
    check, move = check_of(game, options.what)
    owner = (has_character_question(check) if check is not None else "") or "at"
    owners, aimed = _aimed(rules, scene, options.at, owner)
    numbers = {**_everything(rules, scene), **aimed}
    refuse_move(game, sheet, move, numbers)
    if options.at is None and needs_target(game, check, move):
        raise UserError(
            f"{check.label if move is None and check else move.label if move else ''} needs a target.",
            "Say whom it is aimed at.",
        )
    if check is None:
        return (
            _only_effects(rules, scene, move, numbers, owners, dice)
            if move is not None
            else Outcome(scene=scene, headline="")
        )
    given, entry = readable_answers(game, sheet, check, typed_answers(check, move, options))
    chosen = {one.entries: sheet.entries[one.entries][entry] for one in check.questions if one.entries}
    recorded = RecordedDice(dice)
    theirs_roll, theirs = _opposing(rules, scene, check, options, given, owners, recorded)
    answers = answer(game, check, given, {**numbers, **chosen})
    inputs = CheckInputs(
        check=check.key,
        move="" if move is None else move.key,
        answers=dict(answers.numbers),
        names=dict(answers.names),
        numbers={**numbers, **chosen},
        theirs=theirs,
    )
    return _rolled(rules, scene, inputs, owners, entry, dice, before=theirs_roll)


def needs_target(game: OwnGame, check: OwnCheck | None, move: OwnMove | None) -> bool:
    """Whether somebody has to be aimed at."""
    if move is not None and game.file.moves[move.key].at is not None:
        return True
    return check is not None and bool(has_character_question(check))


def _opposing(
    rules: OwnRules,
    scene: OwnScene,
    check: OwnCheck,
    options: RollOptions,
    given: Mapping[str, str],
    owners: Mapping[str, OwnCharacter],
    dice: Dice,
) -> tuple[tuple[Roll, ...], int | None]:
    """What the other side of an opposed check comes to: the number that was said, or what they roll."""
    if not check.is_opposed:
        return (), None
    if options.theirs is not None:
        return (), options.theirs
    target = next(iter(owners.values()), None)
    if target is None and options.at is not None:
        target = scene.character(options.at)
    if target is None:
        raise UserError(f"{check.label} is opposed.", "Say against whom, or the number to beat.")
    numbers = {**numbers_of(rules.game, target.sheet), **clocks_of(rules.game, scene)}
    readable, _ = readable_answers(rules.game, target.sheet, check, given)
    answers = answer(rules.game, check, readable, numbers)
    inputs = CheckInputs(
        check=check.key, answers=dict(answers.numbers), names=dict(answers.names), numbers=numbers, theirs=0
    )
    roll = roll_check(rules, inputs, dice)
    rolled, _ = played(rules, inputs, FallenAgain(roll))
    value = rolled.amounts.get("value", 0)
    return (replace(roll, odds=None, outcome=None).by(target),), int(value)


def _rolled(
    rules: OwnRules,
    scene: OwnScene,
    inputs: CheckInputs,
    owners: Mapping[str, OwnCharacter],
    entry: str,
    dice: Dice,
    *,
    before: Sequence[Roll] = (),
) -> Outcome:
    """Roll by inputs, and do what comes of it."""
    game = rules.game
    recorded = RecordedDice(dice)
    roll = roll_check(rules, inputs, recorded).by(scene.actor)
    rolled, _ = played(rules, inputs, FallenAgain(roll))
    everybody = {"": scene.actor, **owners}
    paid_scene = _with(rules, scene, everybody, entry, inputs, rolled.before)
    after = _with(rules, paid_scene, everybody, entry, inputs, rolled.after)
    lying = EarlierThrow(
        press=inputs.press,
        dice=tuple((die.sides, die.face) for die in roll.dice),
        paid={name: number for name, number in inputs.now.items() if number != inputs.numbers[name]},
    )
    paid = {name: number for name, number in rolled.before.items() if number != inputs.numbers[name]}
    next_inputs = evolve(inputs, earlier=(*inputs.earlier, lying), press="", paid=paid)
    words = readings_words(game, rolled) if roll.total is None and roll.terms == () else ""
    check = rolled.check
    move = game.moves.get(inputs.move)
    what = f"{check.label if move is None else move.label}{_in_brackets(game, inputs, entry)}"
    target = next(iter(owners.values()), None)
    return Outcome(
        scene=after,
        headline=(f"presses {inputs.press}" if inputs.press else f"rolls {what}")
        + ("" if target is None else f", at {target.name}"),
        verdict=roll.verdict,
        rolls=(*before, roll),
        notes=(
            *((Fact(f"Read: {words}.", FactKind.OUTCOME),) if words else ()),
            *(Fact(note, FactKind.OUTCOME) for note in rolled.notes),
            *_clock_notes(game, scene, after),
        ),
        follow_ups=tuple(_buttons(rules, scene, next_inputs, rolled, target, entry)),
        skill=check.label if move is None else move.label,
        paid=paid_scene if paid_scene is not scene else None,
    )


def _in_brackets(game: OwnGame, inputs: CheckInputs, entry: str) -> str:
    """What was answered, as far as the sum doesn't say it: the attribute, the entry."""
    names = [entry] if entry else []
    move = game.moves.get(inputs.move)
    given = {} if move is None else move.given
    names += [
        game.label(name) for key, name in inputs.names.items() if name in game.kinds and key not in given
    ]
    return f" ({', '.join(names)})" if names else ""


def _with(
    rules: OwnRules,
    scene: OwnScene,
    owners: Mapping[str, OwnCharacter],
    entry: str,
    inputs: CheckInputs,
    numbers: Mapping[str, int],
) -> OwnScene:
    """The scene with numbers, those of a named entry included."""
    scene = with_numbers(rules.game, scene, owners, numbers)
    kinds = [kind for kind in rules.game.entry_spans if entry and kind in inputs.numbers]
    for kind in kinds:
        actor = scene.character(owners[""].id)
        if numbers[kind] != actor.sheet.entries.get(kind, {}).get(entry, numbers[kind]):
            scene = scene.with_sheet(actor, with_entry(actor.sheet, kind, entry, numbers[kind]))
    return scene


def _clock_notes(game: OwnGame, before: OwnScene, after: OwnScene) -> Iterator[str]:
    """What happened to the clocks that everybody sees."""
    old = clocks_of(game, before)
    for name, number in clocks_of(game, after).items():
        if number != old[name] and game.file.clocks[name].seen == "all":
            yield Fact(
                f"{game.label(name)} {old[name]} → {number} of {game.file.clocks[name].size}",
                FactKind.OUTCOME,
            )


def _buttons(
    rules: OwnRules,
    scene: OwnScene,
    inputs: CheckInputs,
    rolled: OwnRoll,
    target: OwnCharacter | None,
    entry: str,
) -> Iterator[FollowUp]:
    """The buttons under a result that can be paid for now, each with its price and what it is worth."""
    roller = attempt(rules, inputs)
    lying = replace(rolled, before=inputs.now)
    for button in rolled.check.after:
        if not is_offered(roller, lying, button):
            continue
        try:
            Changing(rules.game, dict(inputs.now), roller.answers, rolled.amounts, _NoDice()).pay(button.cost)
        except UserError:
            continue
        chance = worth(rules, inputs, lying, button)
        if chance == 0:
            continue  # the result is the best there is
        label = " · ".join(
            part
            for part in (
                button.label,
                price_words(rules.game, button.cost),
                "" if chance is None else f"{percent(chance)} better",
            )
            if part
        )
        yield FollowUp(
            procedure=AFTER,
            options=AfterOptions(
                version=rules.hash,
                roll=inputs,
                press=button.label,
                at=None if target is None else target.id,
                entry=entry,
            ),
            label=label[:80],
            character=scene.actor.id,
            rewinds=True,
        )


class _NoDice:
    """Dice for trying whether something can be paid for."""

    def roll(self, sides: int) -> int:
        """The middle face."""
        return (sides + 1) // 2


def price_words(game: OwnGame, cost: Sequence[GameEffect]) -> str:
    """What something costs: "1 Luck", "1 step of Oil"."""
    parts = []
    for one in cost:
        label = game.label(one.target.rpartition(".")[2])
        amount = str(one.amount.value) if hasattr(one.amount, "value") else ""
        if one.sign == "down":
            parts.append(f"{label} a step")
        else:
            parts.append(f"{'+' if one.sign == '+' else ''}{amount} {label}".strip())
    return ", ".join(parts)


def do_after(rules: OwnRules, scene: OwnScene, options: AfterOptions, dice: Dice) -> Outcome:
    """Press a button under a result; the scene is as it was once the roll was paid for."""
    check, _ = rules.named(options.roll.check, options.roll.move)
    owners, aimed = _aimed(rules, scene, options.at, has_character_question(check) or "at")
    entries = {
        kind: scene.actor.sheet.entries.get(kind, {}).get(options.entry, number)
        for kind, number in options.roll.numbers.items()
        if kind in rules.game.entry_spans
    }
    now = {**options.roll.numbers, **_everything(rules, scene), **aimed, **entries}
    paid = {name: now[name] for name, number in options.roll.numbers.items() if now[name] != number}
    inputs = evolve(options.roll, press=options.press, paid=paid)
    return _rolled(rules, scene, inputs, owners, options.entry, dice)


def _only_effects(
    rules: OwnRules,
    scene: OwnScene,
    move: OwnMove,
    numbers: Mapping[str, int],
    owners: Mapping[str, OwnCharacter],
    dice: Dice,
) -> Outcome:
    """Do a move that rolls nothing."""
    changing = do_move(rules.game, move, numbers, dice)
    after = with_numbers(rules.game, scene, {"": scene.actor, **owners}, changing.numbers)
    target = next(iter(owners.values()), None)
    return Outcome(
        scene=after,
        headline=f"makes a move: {move.label}" + ("" if target is None else f", at {target.name}"),
        notes=(*changing.notes, *_clock_notes(rules.game, scene, after)),
        skill=move.label,
    )


# --- things and entries ------------------------------------------------------------------------


def _item(rules: OwnRules, sheet: OwnSheet, typed: str) -> str:
    carried = {item: rules.game.items[item].row.label for item in sheet.items if item in rules.game.items}
    return _found(carried, typed, "thing you carry")


def do_use(rules: OwnRules, scene: OwnScene, options: CarriedOptions, dice: Dice) -> Outcome:
    """Use a thing that one carries."""
    game, actor = rules.game, scene.actor
    item = game.items[_item(rules, actor.sheet, options.item)]
    uses, spent = item.row.uses, actor.sheet.items[item.key]
    if uses is not None and spent >= uses:
        raise UserError(f"{item.row.label} is used up.", _returns(item.row.reset))
    changing = Changing(game, _everything(rules, scene), Answers(), {}, dice)
    changing.pay(item.cost)
    changing.apply(item.effects)
    after = with_numbers(game, scene, {"": actor}, changing.numbers)
    if uses is not None:
        sheet = after.character(actor.id).sheet
        after = after.with_sheet(
            after.character(actor.id), evolve(sheet, items={**sheet.items, item.key: spent + 1})
        )
    words = (item.row.text,) if item.row.text else ()
    return Outcome(
        scene=after,
        headline=f"uses {item.row.label}",
        notes=(*words, *changing.notes, *_clock_notes(game, scene, after)),
    )


def _returns(events: Sequence[str]) -> str:
    return f"It returns at: {', '.join(events)}." if events else ""


def do_take(rules: OwnRules, scene: OwnScene, options: HandOutOptions, _dice: Dice) -> Outcome:
    """Give somebody a thing of a list."""
    game, target = rules.game, scene.character(options.target)
    key = _found(
        {key: item.row.label for key, item in game.items.items()}, options.item, "thing on the lists"
    )
    item, sheet = game.items[key], target.sheet
    if key in sheet.items:
        raise UserError(f"{target.name} already has {item.row.label}.")
    slots = slots_of(game, item.list, numbers_of(game, sheet))
    taken = sum(
        game.items[one].row.slots
        for one in sheet.items
        if one in game.items and game.items[one].list == item.list
    )
    if slots is not None and taken + item.row.slots > slots:
        raise UserError(
            f"{target.name} has no room for {item.row.label}: {taken} of {slots} slots are taken."
        )
    after = scene.with_sheet(target, evolve(sheet, items={**sheet.items, key: 0}))
    return Outcome(scene=after, headline=f"gives {target.name} {item.row.label}")


def do_drop(rules: OwnRules, scene: OwnScene, options: CarriedOptions, _dice: Dice) -> Outcome:
    """Put away a thing for good."""
    actor = scene.actor
    key = _item(rules, actor.sheet, options.item)
    items = {item: spent for item, spent in actor.sheet.items.items() if item != key}
    after = scene.with_sheet(actor, evolve(actor.sheet, items=items))
    return Outcome(scene=after, headline=f"drops {rules.game.items[key].row.label}")


def do_entry(rules: OwnRules, scene: OwnScene, options: EntryOptions, _dice: Dice) -> Outcome:
    """Add, change or remove an entry that a player names."""
    game, actor = rules.game, scene.actor
    kind = _found({key: row.label for key, row in game.file.entries.items()}, options.kind, "kind of entry")
    row, had = game.file.entries[kind], actor.sheet.entries.get(kind, {})
    name = " ".join(options.name.split())
    named = next((one for one in had if same_name(one, name)), name)
    if not name:
        raise UserError(f"{row.label}: give it a name.")
    if options.value.strip().casefold() == "none":
        if named not in had:
            raise UserError(f"You have no {row.label} called “{name}”.")
        return Outcome(
            scene=scene.with_sheet(actor, with_entry(actor.sheet, kind, named, None)),
            headline=f"removes {named} from {row.label}",
        )
    if named not in had and len(had) >= row.most:
        raise UserError(f"You can have {row.most} of {row.label}.", "Remove one first.")
    number = entry_number(game, kind, options.value)
    return Outcome(
        scene=scene.with_sheet(actor, with_entry(actor.sheet, kind, named, number)),
        headline=f"notes {named} under {row.label}",
    )


def entry_number(game: OwnGame, kind: str, typed: str) -> int:
    """The number or die of an entry as it is typed; its start for nothing.

    Raises:
        UserError: If it can't have that.
    """
    row, numbers = game.file.entries[kind], game.entry_numbers(kind)
    text = typed.strip() or ("" if row.start is None else str(row.start))
    digits = text.casefold().removeprefix("d").replace("−", "-")
    if not digits:
        return numbers[0]
    if not digits.removeprefix("-").isdecimal() or len(digits) > 6 or int(digits) not in numbers:
        known = ", ".join(amount_words(game, kind, one) for one in numbers[:25])
        raise UserError(f"“{typed}” can't be a value of {row.label}.", f"It is one of {known}.")
    return int(digits)


# --- the GM ------------------------------------------------------------------------------------


def _part(game: OwnGame, typed: str) -> str:
    names = {name: game.label(name) for name, kind in game.kinds.items() if kind in CHANGEABLE}
    return _found(names, typed, "attribute, counter, track or clock")


def do_change(rules: OwnRules, scene: OwnScene, options: ChangeOptions, dice: Dice) -> Outcome:
    """Change a number by hand, as an effect would; a die by as many steps."""
    name = _part(rules.game, options.what)
    if not options.by:
        raise UserError("A change by 0 changes nothing.")
    is_die = bool(rules.game.span(name).steps)
    sign = ("up" if options.by > 0 else "down") if is_die else ("+" if options.by > 0 else "-")
    return _by_hand(
        rules,
        scene,
        name,
        options.target,
        dice,
        lambda changing: changing.change(name, sign, abs(options.by)),
    )


def do_set(rules: OwnRules, scene: OwnScene, options: SetOptions, dice: Dice) -> Outcome:
    """Set a number by hand."""
    name = _part(rules.game, options.what)
    digits = options.value.strip().casefold().removeprefix("d").replace("−", "-")
    if not digits.removeprefix("-").isdecimal():
        raise UserError(f"“{options.value}” is no number for {rules.game.label(name)}.")
    number = int(digits)

    def change(changing: Changing) -> None:
        nearest = within_span(rules.game, name, number, changing.known())
        if nearest != number:
            raise UserError(
                f"{rules.game.label(name)} can't be {amount_words(rules.game, name, number)}.",
                f"The nearest is {amount_words(rules.game, name, nearest)}.",
            )
        changing.change(name, "=", number)

    return _by_hand(rules, scene, name, options.target, dice, change)


def _by_hand(
    rules: OwnRules,
    scene: OwnScene,
    name: str,
    target: CharacterId | None,
    dice: Dice,
    change: Callable[[Changing], None],
) -> Outcome:
    game = rules.game
    is_clock = game.kinds[name] is PartKind.CLOCK
    if not is_clock and target is None:
        raise UserError(f"Say whose {game.label(name)} it is.")
    character = None if target is None or is_clock else scene.character(target)
    numbers = clocks_of(game, scene)
    numbers |= (
        dict.fromkeys(game.spans, 0) | numbers if character is None else numbers_of(game, character.sheet)
    )
    before = dict(numbers)
    changing = Changing(game, numbers, Answers(), {}, dice)
    change(changing)
    if not changes_between(before, changing.numbers):
        raise UserError(f"{game.label(name)} stays as it is.", "It is at its end already.")
    after = with_numbers(game, scene, {} if character is None else {"": character}, changing.numbers)
    shown = amount_words(game, name, changing.numbers[name])
    whose = "" if character is None else f" of {character.name}"
    return Outcome(
        scene=after,
        headline=f"sets {game.label(name)}{whose} to {shown}",
        notes=(*changing.notes, *_clock_notes(game, scene, after)),
        is_public=not (is_clock and game.file.clocks[name].seen == "gm"),
    )


def do_clocks(rules: OwnRules, scene: OwnScene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the clocks of the table; a GM sees all of them."""
    game = rules.game
    shown = {
        name: number
        for name, number in clocks_of(game, scene).items()
        if scene.is_gm or game.file.clocks[name].seen == "all"
    }
    if not shown:
        raise UserError("This game has no clocks that you can see.")
    return Outcome(
        scene=scene,
        headline="looks at the clocks",
        notes=tuple(
            Fact(clock_words(game, name, number), FactKind.OUTCOME) for name, number in shown.items()
        ),
        is_public=not scene.is_gm,
    )


# --- events ------------------------------------------------------------------------------------


def events_of(game: OwnGame) -> tuple[str, ...]:
    """The events at which something happens, those of the sessions apart."""
    named = dict.fromkeys(game.file.resets)
    for row in game.file.resources.values():
        named |= dict.fromkeys(row.reset)
    for track in game.file.tracks.values():
        named |= dict.fromkeys(track.heal)
    for item in game.items.values():
        named |= dict.fromkeys(item.row.reset)
    return tuple(one for one in named if one not in (SESSION_START, SESSION_END))


def _has_dice(found: Expression) -> bool:
    if isinstance(found, Applied):
        return any(map(_has_dice, found.parts))
    return isinstance(found, DiceSum)


def _parted_game(game: OwnGame, event: str, *, dice: bool) -> OwnGame:
    """The game with only those effects of an event that roll dice, or don't."""
    effects = tuple(one for one in game.resets.get(event, ()) if _has_dice(one.amount) is dice)
    return replace(game, resets={**game.resets, event: effects})


def event_hook(rules: OwnRules, event: str, scene: OwnScene, characters: Sequence[CharacterId]) -> HookResult:
    """What an event of the session does; what takes dice is offered as a button."""
    game = _parted_game(rules.game, event, dice=False)
    after, notes = _happened(replace(rules, game=game), scene, event, characters, _NoDice())
    rolls = _parted_game(rules.game, event, dice=True).resets.get(event, ())
    button = FollowUp(
        procedure=EVENT,
        options=EventOptions(event=event, only_dice=True),
        label=f"Roll for “{event}”",
        audience=Audience.GM,
    )
    return HookResult(scene=after, notes=tuple(notes), follow_ups=(button,) if rolls and characters else ())


def do_event(rules: OwnRules, scene: OwnScene, options: EventOptions, dice: Dice) -> Outcome:
    """Make an event happen to everybody who plays."""
    known = {one: one for one in (*events_of(rules.game), SESSION_START, SESSION_END)}
    event = _found(known, options.event, "event")
    if event in (SESSION_START, SESSION_END) and not options.only_dice:
        raise UserError("Sessions start and end with /session.")
    used = replace(rules, game=_parted_game(rules.game, event, dice=True)) if options.only_dice else rules
    players = [id_ for id_ in scene.find_everybody() if scene.character(id_).owner is not None]
    after, notes = _happened(used, scene, event, players, dice, only_dice=options.only_dice)
    return Outcome(scene=after, headline=f"calls “{event}”", notes=tuple(notes))


def _happened(
    rules: OwnRules,
    scene: OwnScene,
    event: str,
    characters: Sequence[CharacterId],
    dice: Dice,
    *,
    only_dice: bool = False,
) -> tuple[OwnScene, list[str]]:
    """What an event does to characters; what it does to clocks is done once."""
    game, notes = rules.game, list[str]()
    clocks = clocks_of(game, scene)
    for place, id_ in enumerate(characters or (None,)):
        character = None if id_ is None else scene.character(id_)
        own = dict.fromkeys(game.spans, 0) if character is None else numbers_of(game, character.sheet)
        before = {**own, **clocks}
        if only_dice:
            changing = Changing(game, dict(before), Answers(), {}, dice)
            changing.apply(game.resets.get(event, ()))
        else:
            changing = happen(game, event, before, dice)
        numbers = changing.numbers if place == 0 else {**changing.numbers, **clocks_of(game, scene)}
        owners = {} if character is None else {"": character}
        if character is not None:
            notes += [f"{character.name}: {note}" for note in changing.notes]
        moved = with_numbers(game, scene, owners, numbers)
        notes += _clock_notes(game, scene, moved)
        scene = moved
        if character is not None and not only_dice:
            scene = _items_back(game, scene, scene.character(character.id), event)
    return scene, notes


def _items_back(game: OwnGame, scene: OwnScene, character: OwnCharacter, event: str) -> OwnScene:
    items = {
        item: 0 if item in game.items and event in game.items[item].row.reset else spent
        for item, spent in character.sheet.items.items()
    }
    if items == character.sheet.items:
        return scene
    return scene.with_sheet(character, evolve(character.sheet, items=items))


def own_procedures(rules: OwnRules) -> dict[str, Procedure]:
    """Everything that one can do, by key."""

    def made(key: str, options: type[Document], run: Callable[..., Outcome], **more: Any) -> Procedure:
        return Procedure(key=key, options=options, run=partial(run, rules), **more)

    found = (
        made(ROLL, RollOptions, do_roll, is_check=True, can_repeat=True),
        made(AFTER, AfterOptions, do_after),
        made(USE, CarriedOptions, do_use),
        made(DROP, CarriedOptions, do_drop),
        made(NOTE_ENTRY, EntryOptions, do_entry),
        made(TAKE, HandOutOptions, do_take, gm_only=True, needs_actor=False),
        made(CHANGE, ChangeOptions, do_change, gm_only=True, needs_actor=False),
        made(SET, SetOptions, do_set, gm_only=True, needs_actor=False),
        made(EVENT, EventOptions, do_event, gm_only=True, needs_actor=False),
        made(CLOCKS_SHOWN, NoOptions, do_clocks, needs_actor=False),
    )
    return {one.key: one for one in found}
