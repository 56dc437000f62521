"""What a character of a game of one's own can do now, and a GM to it; and what a GM may ask for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from bot.rules.kernel import (
    Act,
    ActGroup,
    ActPart,
    Audience,
    Character,
    Choice,
    InChannel,
    Narrowed,
    NoOptions,
    RequestableCheck,
    TextField,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import evolve, signed
from bot.rules.own.game_parts import OwnCheck, OwnGame, OwnMove, OwnQuestion, PartKind, QuestionKind
from bot.rules.own.own_events import (
    CHANGE,
    CLOCKS_SHOWN,
    DROP,
    EVENT,
    LONGEST_ENTRY,
    NOTE_ENTRY,
    TAKE,
    USE,
    CarriedOptions,
    ChangeOptions,
    EntryOptions,
    EventOptions,
    HandOutOptions,
    events_of,
    has_room,
)
from bot.rules.own.own_play import NO_CLOCK
from bot.rules.own.own_procedures import (
    QUESTIONS,
    ROLL,
    RollOptions,
    check_of,
    needs_target,
    open_questions,
    price_words,
    refuse_move,
    rollable,
)
from bot.rules.own.own_rolls import OwnRules
from bot.rules.own.own_sheet import (
    OwnScene,
    OwnSheet,
    amount_words,
    clock_words,
    clocks_of,
    hidden_clocks,
    item_words,
    numbers_of,
    part_words,
)
from bot.rules.shared.offering import act_of, choice_of, foes_first, friends_first, numbers

MOST_SHOWN = 25
Suggestion: TypeAlias = Callable[[Character[OwnSheet] | None, Any], Sequence[str]]
STEPS = (-1, -2, -3, 1, 2, 3)
MOST_SPAN = 24  # numbers of a question that are offered


def acts(rules: OwnRules, scene: OwnScene) -> tuple[ActPart, ...]:
    """What the acting character can do now: moves first, then bare checks."""
    game = rules.game
    return (
        ActPart(partial(check_acts, rules, scene), ActGroup.CHECK, is_certain=bool(game.checks)),
        ActPart(partial(_uses, rules, scene), ActGroup.USE),
        ActPart(partial(_entries, rules, scene), ActGroup.GROW, is_certain=bool(game.file.entries)),
    )


def check_acts(rules: OwnRules, scene: OwnScene) -> Iterator[Act]:
    """What the acting character can roll: moves first, then bare checks."""
    game = rules.game
    for move in game.moves.values():
        if move.check is not None and _has(game, scene.actor.sheet, move):
            yield _roll_act(rules, scene, move.check, move)
    for check in game.checks.values():
        yield _roll_act(rules, scene, check, None)


def _has(game: OwnGame, sheet: OwnSheet, move: OwnMove) -> bool:
    owners = [key for key, row in game.file.create.playbooks.items() if move.key in row.moves]
    return not owners or sheet.playbook in owners


def _roll_act(rules: OwnRules, scene: OwnScene, check: OwnCheck, move: OwnMove | None) -> Act:
    """The act of a check or move: a menu for the one thing that is missing, the rest to be set."""
    game, sheet = rules.game, scene.actor.sheet
    key, label = (check.key, check.label) if move is None else (move.key, move.label)
    questions = open_questions(check, move)
    answers = {
        option: answer_choices(game, sheet, one, is_gm=scene.is_gm)
        for option, one in zip(QUESTIONS, questions, strict=False)
    }
    presets = {option: choices[0].value for option, choices in answers.items() if choices}
    options = RollOptions.model_validate({"what": key, **presets})
    why_not = why_not_now(rules, scene, move)
    missing = [
        one for one in questions if one.kind is QuestionKind.ENTRY and not sheet.entries.get(one.entries)
    ]
    if missing:
        why_not = f"You have no {game.file.entries[missing[0].entries].label} yet."
    menu: tuple[Choice, ...] = ()
    chosen = ""
    if needs_target(game, check, move) or check.is_opposed:
        menu, chosen = targets(game, scene, move), "at"
        why_not = why_not or ("" if menu else "Nobody else is here.")
        if menu:
            options = evolve(options, at=int(menu[0].value))
    else:
        asked = next(
            (
                option
                for option, one in zip(QUESTIONS, questions, strict=False)
                if one.kind is QuestionKind.NAME or one.entries
            ),
            None,
        )
        if asked is not None:
            menu, chosen = answers.pop(asked), asked
    titles = {
        option: one.key.replace("_", " ").capitalize()
        for option, one in zip(QUESTIONS, questions, strict=False)
    }
    cost = (
        price_words(game, (*check.cost, *(move.cost if move is not None else ())))
        if not check.cost or not questions
        else ""
    )
    shown = f"{label}{' …' if menu else ''}{f' · {cost}' if cost else ''}"
    return Act(
        group=ActGroup.CHECK,
        do=act_of(scene, ROLL, options, shown, choices=menu, chosen=chosen),
        adjusts={option: titles[option][:40] for option, choices in answers.items() if len(choices) > 1},
        values={option: choices for option, choices in answers.items() if len(choices) > 1},
        has_chances=bool(menu),
        why_not=why_not,
    )


def why_not_now(rules: OwnRules, scene: OwnScene, move: OwnMove | None) -> str:
    """Why a move can't be made now, as a short sentence; nothing where it can."""
    known = {**numbers_of(rules.game, scene.actor.sheet), **clocks_of(rules.game, scene)}
    try:
        refuse_move(rules.game, scene.actor.sheet, move, known)
    except UserError as error:
        return error.what
    return ""


def targets(game: OwnGame, scene: OwnScene, move: OwnMove | None) -> tuple[Choice, ...]:
    """Whom something can be aimed at, the likeliest first."""
    at = None if move is None else game.file.moves[move.key].at
    if at == "ally":
        found = (*(one for one in friends_first(scene)), scene.actor)
    elif at == "anyone":
        found = (*foes_first(scene), scene.actor)
    else:
        found = foes_first(scene)
    return tuple(choice_of(one) for one in found)[:MOST_SHOWN]


def answer_choices(
    game: OwnGame, sheet: OwnSheet | None, question: OwnQuestion, *, is_gm: bool = False
) -> tuple[Choice, ...]:
    """The answers to a question, the one that is usual first.

    Args:
        is_gm: Whether clocks that players don't see are among them.
    """
    known = {} if sheet is None else numbers_of(game, sheet)
    if question.kind in (QuestionKind.NAME, QuestionKind.CLOCK):
        hidden = frozenset[str]() if is_gm else hidden_clocks(game)
        found = [
            Choice(
                name,
                f"{game.label(name)} {amount_words(game, name, known[name])}"
                if name in known and name in game.spans
                else game.label(name),
            )
            for name in question.names
            if name not in hidden
        ]
        none = [Choice(NO_CLOCK, "No clock")] if question.kind is QuestionKind.CLOCK else []
        return (*found[: MOST_SHOWN - len(none)], *none)
    if question.kind is QuestionKind.ENTRY:
        entries = {} if sheet is None else sheet.entries.get(question.entries, {})
        is_words = game.file.entries[question.entries].value == "words"
        return tuple(
            Choice(name, name if is_words else f"{name} {amount_words(game, question.entries, number)}")
            for name, number in entries.items()
        )
    if question.span is not None:
        low, high = question.span
        usual = max(low, min(0, high))
        around = range(max(low, usual - MOST_SPAN // 2), min(high, usual + MOST_SPAN // 2) + 1)
        ordered = [usual, *(one for one in around if one != usual)]
        return tuple(Choice(str(one), signed(one) if low < 0 else str(one)) for one in ordered)
    carried = [one for one in question.numbers if sheet is not None and one in sheet.items]
    names = carried or list(question.numbers)
    names.sort(key=lambda one: question.numbers[one] != 0 if 0 in question.numbers.values() else False)
    return tuple(Choice(one, game.items[one].row.label if one in game.items else one) for one in names)[
        :MOST_SHOWN
    ]


def _uses(rules: OwnRules, scene: OwnScene) -> Iterator[Act]:
    game, sheet = rules.game, scene.actor.sheet
    for move in game.moves.values():
        if move.check is None and _has(game, sheet, move):
            aims = game.file.moves[move.key].at is not None
            menu = targets(game, scene, move) if aims else ()
            options = RollOptions(what=move.key, at=int(menu[0].value) if menu else None)
            cost = price_words(game, move.cost)
            do = act_of(
                scene,
                ROLL,
                options,
                f"{move.label}{f' · {cost}' if cost else ''}",
                choices=menu,
                chosen="at" if menu else "",
            )
            yield Act(group=ActGroup.USE, do=do, why_not=why_not_now(rules, scene, move))
    carried = [item for item in sheet.items if item in game.items]
    for item in carried[:MOST_SHOWN]:
        row = game.items[item].row
        if row.uses is not None or game.items[item].effects or game.items[item].cost:
            is_spent = row.uses is not None and sheet.items[item] >= row.uses
            do = act_of(
                scene,
                USE,
                CarriedOptions(item=item),
                f"Use {item_words(game, sheet, item).partition(':')[0]}",
            )
            yield Act(group=ActGroup.USE, do=do, why_not=f"{row.label} is used up." if is_spent else "")
    if carried:
        menu = tuple(Choice(item, game.items[item].row.label) for item in carried)
        do = act_of(scene, DROP, CarriedOptions(item=carried[0]), "Drop …", choices=menu, chosen="item")
        yield Act(group=ActGroup.USE, do=do)
    if any(row.seen == "all" for row in game.file.clocks.values()):
        yield Act(group=ActGroup.USE, do=act_of(scene, CLOCKS_SHOWN, NoOptions(), "Look at the clocks"))


def _entries(rules: OwnRules, scene: OwnScene) -> Iterator[Act]:
    for kind, row in rules.game.file.entries.items():
        blanks = (
            TextField(key="name", prompt=f"{row.label}: its name"[:45], longest=LONGEST_ENTRY),
            *(
                (TextField(key="value", prompt="Its value (none removes it)", longest=10, is_required=False),)
                if row.value != "words"
                else ()
            ),
        )
        options = EntryOptions(kind=kind, name="?")
        do = act_of(scene, NOTE_ENTRY, options, f"Write under {row.label} …", blanks=blanks)
        yield Act(group=ActGroup.GROW, do=do)
        if had := scene.actor.sheet.entries.get(kind):
            menu = tuple(Choice(name, name) for name in had)
            gone = EntryOptions(kind=kind, name=menu[0].value, value="none")
            do = act_of(scene, NOTE_ENTRY, gone, f"Remove from {row.label} …", choices=menu, chosen="name")
            yield Act(group=ActGroup.GROW, do=do)


# --- the GM ------------------------------------------------------------------------------------


def gm_acts(rules: OwnRules, scene: OwnScene) -> tuple[Act, ...]:
    """What a GM does to the acting character: harm, healing, points, things, events."""
    return tuple(_gm_acts(rules, scene))


def _gm_acts(rules: OwnRules, scene: OwnScene) -> Iterator[Act]:
    game, sheet = rules.game, scene.actor.sheet
    now = numbers_of(game, sheet)
    for name in game.of_kind(PartKind.TRACK, PartKind.RESOURCE, PartKind.ATTRIBUTE):
        words = part_words(game, sheet, name, now[name])
        if game.kinds[name] is PartKind.ATTRIBUTE:
            yield _change(scene, ActGroup.GM, name, f"Change {words} …", STEPS)
        elif name == game.file.fight.out or game.kinds[name] is PartKind.TRACK:
            worse = (1, 2, 3, 4) if game.fills(name) else (-1, -2, -3, -4)
            yield _change(scene, ActGroup.DAMAGE, name, f"Worsen {words} …", worse)
            yield _change(scene, ActGroup.HEAL, name, f"Mend {words} …", tuple(-one for one in worse))
        else:
            yield _change(scene, ActGroup.GIVE, name, f"Change {words} …", STEPS)
    for name, number in clocks_of(game, scene).items():
        yield _change(scene, ActGroup.GM, name, f"Move {clock_words(game, name, number)} …", STEPS)
    able = [key for key in game.items if key not in sheet.items and has_room(game, sheet, key)]
    for start in range(0, len(able), MOST_SHOWN):
        page = able[start : start + MOST_SHOWN]
        menu = tuple(Choice(key, game.items[key].row.label) for key in page)
        options = HandOutOptions(item=page[0], target=scene.actor.id)
        do = act_of(scene, TAKE, options, "Give a thing …", choices=menu, chosen="item", audience=Audience.GM)
        yield Act(group=ActGroup.GIVE, do=do)
    if found := events_of(game):
        menu = tuple(Choice(one, one) for one in found)
        do = act_of(
            scene,
            EVENT,
            EventOptions(event=found[0]),
            "Call an event for all …",
            choices=menu,
            chosen="event",
            audience=Audience.GM,
        )
        yield Act(group=ActGroup.GM, do=do)


def _change(scene: OwnScene, group: ActGroup, name: str, label: str, steps: tuple[int, ...]) -> Act:
    options = ChangeOptions(what=name, by=steps[0], target=scene.actor.id)
    do = act_of(
        scene, CHANGE, options, label, choices=numbers(steps, signed), chosen="by", audience=Audience.GM
    )
    return Act(group=group, do=do)


# --- asking and typing -------------------------------------------------------------------------


def asks(rules: OwnRules) -> tuple[RequestableCheck, ...]:
    """What a GM may ask for: a move, and each check with its first question."""
    game = rules.game
    moves = {
        move.label: key
        for key, move in game.moves.items()
        if move.check is not None and not needs_target(game, move.check, move)
    }
    found = []
    if moves:
        found.append(
            RequestableCheck(
                procedure=ROLL, title="move", what="what", names=lambda _who, _settings: tuple(moves)
            )
        )
    for key, check in game.checks.items():
        if needs_target(game, check, None) or check.is_opposed:
            continue
        question = next(iter(open_questions(check, None)), None)
        names = (
            ()
            if question is None or question.kind is QuestionKind.ENTRY
            else answer_choices(game, None, question)
        )
        found.append(
            RequestableCheck(
                procedure=ROLL,
                title=check.label[:1].lower() + check.label[1:],
                what=QUESTIONS[0] if names else "",
                always={"what": key},
                names=partial(_labels, tuple(one.label for one in names)),
            )
        )
    return tuple(found)


def _labels(labels: tuple[str, ...], _who: object, _settings: object) -> tuple[str, ...]:
    return labels


def suggestions(rules: OwnRules) -> Mapping[str, Suggestion]:
    """The names that an option of the game's command offers."""
    game = rules.game

    def rolls(character: Character | None, _settings: object) -> tuple[str, ...]:
        sheet = (
            character.sheet if character is not None and isinstance(character.sheet, OwnSheet) else OwnSheet()
        )
        own = [
            label
            for key, label in rollable(game).items()
            if key not in game.moves or _has(game, sheet, game.moves[key])
        ]
        return tuple(dict.fromkeys(own))

    def answers(character: Character | None, _settings: object, said: Mapping[str, str]) -> tuple[str, ...]:
        try:
            check, move = check_of(game, said.get("what", ""))
        except UserError:
            return ()
        if check is None:
            return ()
        sheet = character.sheet if character is not None and isinstance(character.sheet, OwnSheet) else None
        typed = said.get("answers", "")
        before = typed.rpartition(",")[0]
        lead = f"{before}, " if before else ""
        return tuple(
            f"{lead}{one.key}={game.label(choice.value) if choice.value in one.names else choice.value}"
            for one in open_questions(check, move)
            if f"{one.key}=" not in before
            for choice in answer_choices(game, sheet, one)
        )

    return {
        "roll": rolls,
        "answers": Narrowed(answers),
        "part": InChannel(
            lambda scene: tuple(
                game.label(name)
                for name, kind in game.kinds.items()
                if kind is not PartKind.DERIVED and (scene.is_gm or name not in hidden_clocks(game))
            )
        ),
        "event": lambda _who, _settings: events_of(game),
        "item": lambda _who, _settings: tuple(item.row.label for item in game.items.values()),
        "carried": lambda who, _settings: tuple(
            item.row.label for key, item in game.items.items() if who is not None and key in who.sheet.items
        ),
    }
