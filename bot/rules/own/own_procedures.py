"""What one can do in a game of one's own: roll, press a button under a result, use a thing, call an event."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    CharacterId,
    Document,
    Fact,
    FactKind,
    FollowUp,
    Odds,
    Outcome,
    Roll,
    evolve,
)
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import Misnamed, UserError
from bot.rules.kernel.outcome import same_name, shown_number
from bot.rules.own.game_parts import (
    VALUE,
    GameEffect,
    OwnCheck,
    OwnGame,
    OwnMove,
    OwnQuestion,
    QuestionKind,
)
from bot.rules.own.own_play import (
    NO_CLOCK,
    Changing,
    OwnNote,
    OwnRoll,
    answer,
    average,
    do_move,
    is_offered,
    is_open,
)
from bot.rules.own.own_rolls import (
    CheckInputs,
    EarlierThrow,
    OwnRules,
    RecordedDice,
    attempt,
    effect_rolls,
    has_character_question,
    readings_words,
    roll_check,
    worth,
)
from bot.rules.own.own_sheet import (
    OwnCharacter,
    OwnScene,
    OwnSheet,
    clocks_of,
    found_name,
    hidden_clocks,
    numbers_of,
    with_entry,
    with_numbers,
)

ROLL, ATTACK, AFTER = "roll", "attack", "after"
QUESTIONS = ("first", "second", "third", "fourth", "fifth")
"""The options that take the answers to a check's questions, in the order of the file."""
MOST_LISTED = 10


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


# --- what is rolled ----------------------------------------------------------------------------


def rollable(game: OwnGame) -> dict[str, str]:
    """Everything that one can roll or do: moves and checks by key, with their labels."""
    moves = {key: move.label for key, move in game.moves.items()}
    return moves | {key: check.label for key, check in game.checks.items() if key not in moves}


def named_among(known: Mapping[str, str], typed: str, noun: str) -> str:
    """The key of something by its key or label as somebody typed it.

    Raises:
        UserError: If there is none, or several.
    """
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
    key = named_among(rollable(game), what, "move or check")
    move = game.moves.get(key)
    return (game.checks[key], None) if move is None else (move.check, move)


def refuse_move(game: OwnGame, sheet: OwnSheet, move: OwnMove | None, numbers: Mapping[str, int]) -> None:
    """Refuse a move that a character doesn't have, or can't make now."""
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
    game: OwnGame,
    sheet: OwnSheet,
    check: OwnCheck,
    given: Mapping[str, str],
    hidden: frozenset[str] = frozenset(),
) -> tuple[dict[str, str], str]:
    """Answers as the engine takes them, keys for labels; and the entry that was named.

    Args:
        hidden: The clocks that whoever answers doesn't know.
    """
    found, entry = dict(given), ""
    for question in check.questions:
        value = found.get(question.key)
        if question.kind in (QuestionKind.NAME, QuestionKind.CLOCK) and value is not None:
            labels = {name: game.label(name) for name in question.names if name not in hidden}
            labels |= {NO_CLOCK: "No clock"} if question.kind is QuestionKind.CLOCK else {}
            found[question.key] = named_among(labels, value, question.key.replace("_", " "))
        elif question.kind is QuestionKind.ENTRY:
            entry = _entry(game, sheet, question, value)
            found[question.key] = str(sheet.entries[question.entries][entry])
        elif question.numbers and value is not None and value not in question.numbers:
            labels = {
                one: game.items[one].row.label if one in game.items else one for one in question.numbers
            }
            found[question.key] = found_name(labels, value) or value
    return found, entry


def unknown_clocks(game: OwnGame, move: OwnMove | None, is_gm: bool) -> frozenset[str]:
    """The clocks that somebody can't name in an answer; a move itself can."""
    named = () if move is None else move.given.values()
    return frozenset() if is_gm else hidden_clocks(game) - {str(one) for one in named}


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


def everything(rules: OwnRules, scene: OwnScene) -> dict[str, int]:
    """The numbers of the acting character, and the clocks."""
    return {**numbers_of(rules.game, scene.actor.sheet), **clocks_of(rules.game, scene)}


# --- rolling -----------------------------------------------------------------------------------


class ReadyRoll(Struct, frozen=True):
    """A check that can be rolled."""

    inputs: CheckInputs  # without what the other side of an opposed check comes to
    owners: Mapping[str, OwnCharacter]  # whom it aims at
    given: Mapping[str, str]  # the answers to its questions, as the engine takes them
    entry: str  # the entry that a question named


def ready_roll(
    rules: OwnRules, scene: OwnScene, options: RollOptions, check: OwnCheck, move: OwnMove | None
) -> ReadyRoll:
    """Whatever a check needs but the dice.

    Raises:
        UserError: If it can't be rolled.
    """
    game, sheet = rules.game, scene.actor.sheet
    owners, numbers = _whom(rules, scene, options, check, move)
    typed = typed_answers(check, move, options)
    given, entry = readable_answers(game, sheet, check, typed, unknown_clocks(game, move, scene.is_gm))
    chosen = {one.entries: sheet.entries[one.entries][entry] for one in check.questions if one.entries}
    answers = answer(game, check, given, {**numbers, **chosen})
    inputs = CheckInputs(
        check=check.key,
        move="" if move is None else move.key,
        answers=dict(answers.numbers),
        names=dict(answers.names),
        numbers={**numbers, **chosen},
        parts_jokers=True,
    )
    return ReadyRoll(inputs, owners, given, entry)


def _whom(
    rules: OwnRules, scene: OwnScene, options: RollOptions, check: OwnCheck | None, move: OwnMove | None
) -> tuple[dict[str, OwnCharacter], dict[str, int]]:
    """Whom something aims at, and the numbers of everybody in it."""
    owner = (has_character_question(check) if check is not None else "") or "at"
    owners, aimed = _aimed(rules, scene, options.at, owner)
    numbers = {**everything(rules, scene), **aimed}
    refuse_move(rules.game, scene.actor.sheet, move, numbers)
    if options.at is None and check is not None and check.is_opposed and options.theirs is not None:
        typical = average(rules.game)  # a number stands for somebody, of whom no more is known
        numbers |= {f"{owner}.{name}": number for name, number in typical.items()}
    elif options.at is None and needs_target(rules.game, check, move):
        raise UserError(
            f"{check.label if move is None and check else move.label if move else ''} needs a target.",
            "Say whom it is aimed at.",
        )
    return owners, numbers


def do_roll(rules: OwnRules, scene: OwnScene, options: RollOptions, dice: Dice) -> Outcome:
    """Roll a check or move, or do a move that rolls nothing."""
    check, move = check_of(rules.game, options.what)
    if check is None:
        owners, numbers = _whom(rules, scene, options, check, move)
        return (
            _only_effects(rules, scene, move, numbers, owners, dice)
            if move is not None
            else Outcome(scene=scene, headline="")
        )
    ready = ready_roll(rules, scene, options, check, move)
    before: tuple[Roll, ...] = ()
    theirs = options.theirs if check.is_opposed else None
    if check.is_opposed and theirs is None:
        target = opponent(scene, check, options)
        roll, theirs = their_roll(rules, scene, check, target, ready.given, dice)
        before = (roll,)
    inputs = ready.inputs if theirs is None else evolve(ready.inputs, theirs=theirs)
    return _rolled(rules, scene, inputs, ready.owners, ready.entry, dice, before=before)


def needs_target(game: OwnGame, check: OwnCheck | None, move: OwnMove | None) -> bool:
    """Whether somebody has to be aimed at."""
    if move is not None and game.file.moves[move.key].at is not None:
        return True
    return check is not None and bool(has_character_question(check))


def opponent(scene: OwnScene, check: OwnCheck, options: RollOptions) -> OwnCharacter:
    """The other side of an opposed check.

    Raises:
        UserError: If nobody was named.
    """
    if options.at is None:
        raise UserError(f"{check.label} is opposed.", "Say against whom, or the number to beat.")
    return scene.character(options.at)


def their_inputs(
    rules: OwnRules, scene: OwnScene, check: OwnCheck, target: OwnCharacter, given: Mapping[str, str]
) -> CheckInputs:
    """All that decides what the other side of an opposed check rolls, besides the dice.

    Args:
        given: The answers to its questions.
    """
    numbers = {**numbers_of(rules.game, target.sheet), **clocks_of(rules.game, scene)}
    readable, _ = readable_answers(rules.game, target.sheet, check, given)
    answers = answer(rules.game, check, readable, numbers)
    return CheckInputs(
        check=check.key, answers=dict(answers.numbers), names=dict(answers.names), numbers=numbers, theirs=0
    )


def their_roll(
    rules: OwnRules,
    scene: OwnScene,
    check: OwnCheck,
    target: OwnCharacter,
    given: Mapping[str, str],
    dice: Dice,
) -> tuple[Roll, int]:
    """What the other side of an opposed check rolls, and what it comes to.

    Args:
        given: The answers to its questions.
    """
    roll, rolled = roll_check(rules, their_inputs(rules, scene, check, target, given), dice)
    return replace(roll, odds=None, outcome=None).by(target), int(rolled.amounts.get(VALUE, 0))


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
    roll, rolled = roll_check(rules, inputs, dice)
    roll = roll.by(scene.actor)
    everybody = {"": scene.actor, **owners}
    paid_scene = _with(rules, scene, everybody, entry, inputs.now, rolled.before)
    after = _with(rules, paid_scene, everybody, entry, rolled.before, rolled.after)
    lying = EarlierThrow(
        press=inputs.press,
        dice=tuple((die.sides, die.face) for die in roll.dice),
        paid={name: number for name, number in inputs.now.items() if number != inputs.numbers[name]},
    )
    paid = {name: number for name, number in rolled.before.items() if number != inputs.numbers[name]}
    next_inputs = evolve(inputs, earlier=(*inputs.earlier, lying), press="", paid=paid)
    words = readings_words(game, inputs, rolled, roll)
    check = rolled.check
    move = game.moves.get(inputs.move)
    what = f"{check.label if move is None else move.label}{_in_brackets(game, inputs, entry)}"
    target = next(iter(owners.values()), None)
    return Outcome(
        scene=after,
        headline=(f"presses {inputs.press}" if inputs.press else f"rolls {what}")
        + target_words(game, move, target),
        verdict=roll.verdict,
        rolls=(*before, roll),
        notes=(
            *((Fact(f"Read: {words}.", FactKind.OUTCOME),) if words else ()),
            *own_facts(rolled.notes, owners),
            *clock_notes(game, scene, after),
        ),
        follow_ups=tuple(_buttons(rules, scene, next_inputs, rolled, target, entry, roll.odds)),
        skill=check.label if move is None else move.label,
        paid=paid_scene if paid_scene is not scene else None,
    )


def own_facts(notes: Sequence[OwnNote], owners: Mapping[str, OwnCharacter]) -> Iterator[str]:
    """What changes say, with the name of whoever else is changed; a foe's numbers aren't told.

    Args:
        owners: Who else is changed, by what stands before the dot.
    """
    for note in notes:
        if not note.owner:
            yield Fact(note.text, FactKind.OUTCOME)
        elif (whose := owners.get(note.owner)) is not None and (whose.owner or not note.is_overflow):
            kind = FactKind.NEWS if note.is_overflow else FactKind.OUTCOME
            yield Fact(f"{whose.name}: {note.text}", kind)


def target_words(game: OwnGame, move: OwnMove | None, target: OwnCharacter | None) -> str:
    """Whom something is aimed at, as it follows what is done."""
    if target is None:
        return ""
    is_friendly = move is not None and game.file.moves[move.key].at == "ally"
    return f", {'for' if is_friendly else 'against'} {target.name}"


def _in_brackets(game: OwnGame, inputs: CheckInputs, entry: str) -> str:
    """What was answered and the sum doesn't say: the attribute, the entry, what is to be beaten."""
    names = [entry] if entry else []
    names += [f"against {shown_number(inputs.theirs)}"] if inputs.theirs is not None else []
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
    before: Mapping[str, int],
    numbers: Mapping[str, int],
) -> OwnScene:
    """The scene with changed numbers, those of a named entry included."""
    scene = with_numbers(rules.game, scene, owners, before, numbers)
    kinds = [kind for kind in rules.game.entry_spans if entry and kind in before]
    for kind in kinds:
        actor = scene.character(owners[""].id)
        if numbers[kind] != actor.sheet.entries.get(kind, {}).get(entry, numbers[kind]):
            scene = scene.with_sheet(actor, with_entry(actor.sheet, kind, entry, numbers[kind]))
    return scene


def clock_notes(game: OwnGame, before: OwnScene, after: OwnScene) -> Iterator[str]:
    """What happened to the clocks that everybody sees."""
    if after is before:
        return
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
    odds: Odds | None,
) -> Iterator[FollowUp]:
    """The buttons under a result that can be paid for now, each with its price and what it is worth."""
    roller = attempt(rules, inputs)
    for button in rolled.check.after:
        if not is_offered(roller, rolled, button):
            continue
        try:
            Changing(rules.game, dict(rolled.before), roller.answers, rolled.amounts, MiddleDice()).pay(
                button.cost
            )
        except UserError:
            continue
        chance = worth(roller, rolled, button, odds)
        if chance == 0:
            continue  # the result is the best there is
        better = "" if chance is None else f"{percent(chance)} better"
        label = " · ".join(filter(None, (button.label, better, price_words(rules.game, button.cost))))
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


class MiddleDice:
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
    now = {**options.roll.numbers, **everything(rules, scene), **aimed, **entries}
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
    recorded = RecordedDice(dice)
    changing = do_move(rules.game, move, numbers, recorded)
    after = with_numbers(rules.game, scene, {"": scene.actor, **owners}, numbers, changing.numbers)
    target = next(iter(owners.values()), None)
    return Outcome(
        scene=after,
        headline=f"makes a move: {move.label}{target_words(rules.game, move, target)}",
        rolls=effect_rolls(rules, move.label, recorded),
        notes=(*own_facts(changing.notes, owners), *clock_notes(rules.game, scene, after)),
        skill=move.label,
    )
