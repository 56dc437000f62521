"""Reading a game's file: every problem at once, each with its line, its place and the name that was meant."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot.rules.kernel import FileKind, Unreadable, parse
from bot.rules.kernel.parsing import Path, line_of, lines_of
from bot.rules.own.dice_groups import Reading, WrittenGroup, dice_group, reading
from bot.rules.own.expressions import (
    RESERVED,
    ZERO,
    BadExpression,
    Expression,
    Name,
    Number,
    excerpt,
    expression,
    in_order,
    names_in,
)
from bot.rules.own.game_file import (
    KEY,
    MOST_BYTES,
    MOST_GROUPS,
    READINGS_A_GROUP,
    AfterRow,
    CheckRow,
    EntriesRow,
    GameFile,
    MoveRow,
    ResourceRow,
    ResultRow,
    StatRow,
    TrackRow,
)
from bot.rules.own.game_parts import (
    CHANGEABLE,
    CONSTANTS,
    DIE_STEPS,
    EDGES,
    EVENTS,
    NONE,
    THEIRS,
    VALUE,
    YES_NO,
    AfterRoll,
    GameEffect,
    GameTier,
    Let,
    Linked,
    OwnCheck,
    OwnGame,
    OwnMove,
    OwnQuestion,
    PartKind,
    QuestionKind,
    Span,
    Stage,
    die_of,
    span_of,
)

MOST_PROBLEMS = 1000
MOST_NEAREST = 100  # looking for the name that was meant takes longer than finding that one is wrong
MOST_DERIVED_DEPTH = 8
MOST_RANGE = 1000
T = TypeVar("T")

# Where the second part of a path is somebody's name for a table, and not a field.
_SECTIONS = (
    "attributes",
    "resources",
    "tracks",
    "clocks",
    "entries",
    "lists",
    "checks",
    "moves",
    "npcs",
    "heroes",
)


@dataclass(frozen=True, slots=True)
class GameProblem:
    """What is wrong at one place of a file.

    Attributes:
        line: The line, from 1; None for the whole file.
        where: The table, such as ``moves.listen``; empty at the top.
        text: The field and a sentence.
    """

    line: int | None
    where: str
    text: str

    def __str__(self) -> str:
        """What people read."""
        line = f"line {self.line}, " if self.line is not None else ""
        return f"{line}[{self.where}] {self.text}" if self.where else f"{line}{self.text}"


@dataclass(slots=True)
class Problems:
    """What has been found so far: places and sentences."""

    found: list[tuple[Path, str]] = field(default_factory=list)
    _looked_for: int = 0

    def add(self, path: Path, sentence: str) -> None:
        """Note a problem, unless there are far too many."""
        if len(self.found) < MOST_PROBLEMS:
            self.found.append((path, sentence))

    def unknown(self, path: Path, name: str, what: str, known: Iterable[str]) -> None:
        """Note a name that nothing has, with the one that was probably meant."""
        self._looked_for += 1
        near: list[str] = []
        if self._looked_for <= MOST_NEAREST:
            near = get_close_matches(name[:40], sorted(known), n=1)
        meant = f" Did you mean “{near[0]}”?" if near else ""
        is_itself = bool(path) and path[-1] == name  # the place names it already
        self.add(path, f"this is {what}.{meant}" if is_itself else f"“{excerpt(name)}” is {what}.{meant}")

    def read(self, path: Path, reader: Callable[[str], T], text: str) -> T | None:
        """Read a text, or note why that can't be done."""
        try:
            return reader(text)
        except BadExpression as error:
            self.add(path, str(error))
            return None

    def placed(self, lines: Mapping[Path, int]) -> tuple[GameProblem, ...]:
        """All of them with their lines, from the top of the file to its end."""
        placed = [_placed(path, sentence, lines) for path, sentence in dict.fromkeys(self.found)]
        return tuple(sorted(placed, key=lambda one: one.line or 0))


def _placed(path: Path, sentence: str, lines: Mapping[Path, int]) -> GameProblem:
    steps = 2 if path and path[0] in _SECTIONS else 1 if len(path) > 1 else 0
    words = ""
    for step in path[steps:]:
        words += f" {step + 1}" if isinstance(step, int) else f"{', ' if words else ''}{step}"
    where = ".".join(excerpt(str(step)) for step in path[:steps])
    return GameProblem(
        line_of(lines, path), where, f"{excerpt_words(words)}: {sentence}" if words else sentence
    )


def excerpt_words(words: str) -> str:
    """The field of a problem, which somebody may have written at length."""
    return words if len(words) <= 60 and words.isprintable() else excerpt(words)


def read_game(text: str | bytes) -> tuple[OwnGame | None, tuple[GameProblem, ...]]:
    """Read a game's file.

    Args:
        text: The file.

    Returns:
        The game, or None where too much is wrong with it, and all its problems. Only a game without any is
        whole.
    """
    if (
        len(text) > MOST_BYTES
        or len(text if isinstance(text, bytes) else text.encode("utf-8", "replace")) > MOST_BYTES
    ):
        return None, (GameProblem(None, "", f"The file has more than {MOST_BYTES:,} bytes."),)
    try:
        plain = plain_text(text)
        parsed = parse(plain, FileKind.TOML)
        written = parsed if isinstance(parsed, dict) else {}
    except UnicodeDecodeError as error:
        return None, (GameProblem(None, "", f"The file isn't UTF-8 (byte {error.start + 1})."),)
    except (Unreadable, RecursionError) as error:
        said = re.search(r"(?:at line |^Line )([0-9]+)", str(error))
        last = plain.count("\n") + 1 if "at end of document" in str(error) else None
        return None, (GameProblem(int(said[1]) if said else last, "", f"{error}."),)
    problems = Problems()
    file = _validated(written, problems)
    game = _Linker(file, written, problems).game() if file is not None else None
    return game, problems.placed(lines_of(plain, FileKind.TOML)) if problems.found else ()


def plain_text(text: str | bytes) -> str:
    """A file's text, without what only says how it was saved."""
    plain = text.decode("utf-8") if isinstance(text, bytes) else text
    return plain.removeprefix("\ufeff").replace("\r\n", "\n")


# --- the models' own problems --------------------------------------------------------------------


def _validated(written: dict[str, object], problems: Problems) -> GameFile | None:
    """The file as far as it is sound; what is wrong is left out and noted."""
    rest = written
    for _ in range(3):  # what is left out may be missing elsewhere
        try:
            return GameFile.model_validate(rest)
        except ValidationError as error:
            details = error.errors(include_url=False, include_input=False)
        if rest is written:
            for detail in details[:MOST_PROBLEMS]:
                _note(detail, written, problems)
        rest = _without(rest, [detail["loc"] for detail in details])
    return None


_BLANKS: Mapping[str, object] = {"format": 1, "name": "Nameless", "command": "nameless"}


def _without(written: Mapping[str, object], places: Sequence[tuple[int | str, ...]]) -> dict[str, object]:
    """A file without its wrong entries."""
    kept: dict[str, object] = {**_BLANKS, **written}
    for place in places:
        name = str(place[0])
        table = kept.get(name)
        if len(place) > 1 and isinstance(table, dict) and name != "create":
            kept[name] = {key: value for key, value in table.items() if key != place[1]}
        else:
            kept.pop(name, None)
    return {**_BLANKS, **kept}


def _note(detail: ErrorDetails, written: object, problems: Problems) -> None:
    path: list[str | int] = []
    found: object = written
    for step in detail["loc"]:
        inside = _inside(found, step)
        if inside is _ABSENT:
            path += [step] if detail["type"] == "missing" else []
            break
        found = inside
        path.append(step)
    if detail["type"] == "extra_forbidden":
        problems.unknown(tuple(path), str(path[-1]), "no field here", _fields_at(path))
        return
    problems.add(tuple(path), _sentence(detail, path, found))


_ABSENT = object()


def _inside(found: object, step: str | int) -> object:
    """What stands under a name or a place; `_ABSENT` if there is nothing."""
    if isinstance(found, dict):
        return found.get(step, _ABSENT)
    is_there = isinstance(found, list) and isinstance(step, int) and step < len(found)
    return found[int(step)] if isinstance(found, list) and is_there else _ABSENT


def _fields_at(path: Sequence[str | int]) -> Iterable[str]:
    """The fields that can stand beside the last one of a path."""
    model: object = GameFile
    for step in path[:-1]:
        fields = getattr(model, "model_fields", None)
        if fields is not None:
            named = {info.alias or name: info for name, info in fields.items()}
            model = _model_in(named[str(step)].annotation) if step in named else model
    fields = getattr(model, "model_fields", {})
    return [info.alias or name for name, info in fields.items()]


def _model_in(annotation: object) -> object:
    """The model in an annotation such as ``dict[Key, StatRow]``."""
    if hasattr(annotation, "model_fields"):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        if (found := _model_in(part)) is not None:
            return found
    return None


_KEY_SENTENCE = "a name is a small letter, then small letters, digits and _, up to 32 of them."


def _sentence(detail: ErrorDetails, path: Sequence[str | int], found: object) -> str:
    allowed = detail.get("ctx", {})
    match detail["type"]:
        case "value_error":
            return detail["msg"].removeprefix("Value error, ")
        case "missing":
            return "this is missing."
        case "string_pattern_mismatch":
            return f"“{excerpt(str(path[-1] if detail['loc'][-1] == '[key]' else found))}”: {_KEY_SENTENCE}"
        case "string_too_long":
            return f"this has {len(str(found)):,} characters; {allowed['max_length']} is the most."
        case "too_long":
            number = len(found) if isinstance(found, dict | list) else 0
            return f"there are {number:,} of these; {allowed['max_length']} is the most."
        case "too_short" | "string_too_short":
            return "this is empty."
        case "string_type":
            return "this should be a text in quotes."
        case "int_type" | "int_from_float" | "finite_number":
            return "this should be a whole number."
        case "bool_type":
            return "this should be true or false."
        case "tuple_type":
            return "this should be a list."
        case "dict_type" | "model_type":
            return "this should be a table."
        case "greater_than_equal":
            return f"this should be {allowed['ge']:,} or more."
        case "less_than_equal":
            return f"this should be {allowed['le']:,} or less."
        case "literal_error":
            return f"this should be {allowed['expected']}."
    return detail["msg"][:200]


# --- what everything means ---------------------------------------------------------------------


@dataclass(slots=True)
class _Scope:
    """The names that an expression may use, and those whose meaning is unknown because they are wrong."""

    names: set[str]
    excused: frozenset[str] = frozenset()


class _Linker:
    """Makes a game of a file, noting what is wrong."""

    def __init__(self, file: GameFile, written: Mapping[str, object], problems: Problems) -> None:
        self.file = file
        self.written = written
        self.problems = problems
        self.kinds: dict[str, PartKind] = {}
        self.excused = self._excused()
        self.dice: dict[str, tuple[int, ...]] = {}

    def _excused(self) -> frozenset[str]:
        """Names that stand in the file but were left out: that they are wrong has been said."""
        found = set[str]()
        for section in ("attributes", "derived", "resources", "tracks", "clocks", "entries", "lists"):
            table = self.written.get(section)
            if isinstance(table, dict):
                found |= set(table)
        return frozenset(found)

    def game(self) -> OwnGame:
        """The whole game."""
        file = self.file
        self._name_everything()
        spans = self._spans()
        starts = self._starts()
        derived = self._derived()
        self._check_creation()
        checks = {key: self._check(key, row) for key, row in file.checks.items()}
        moves = {key: self._move(key, row, checks) for key, row in file.moves.items()}
        full = {
            name: self._effects((section, name, "full_do"), row.full_do, self._sheet())
            for section, rows in (
                ("resources", file.resources),
                ("tracks", file.tracks),
                ("clocks", file.clocks),
            )
            for name, row in rows.items()
        }
        empty = {
            name: self._effects(("resources", name, "empty_do"), row.empty_do, self._sheet())
            for name, row in file.resources.items()
        }
        resets = {
            event: self._effects(("resets", event), effects, self._sheet())
            for event, effects in file.resets.items()
        }
        self._check_events()
        self._check_overflow()
        self._check_lists()
        self._check_people()
        self._check_fight()
        rolled = {
            name: found
            for name, code in file.create.roll.items()
            if (found := self._expression(("create", "roll", name), code, self._sheet(), with_dice=True))
        }
        return OwnGame(
            file=file,
            kinds=self.kinds,
            spans=spans,
            starts=starts,
            derived=derived,
            checks={key: check for key, check in checks.items() if check is not None},
            moves={key: move for key, move in moves.items() if move is not None},
            full=full,
            empty=empty,
            resets=resets,
            rolled=rolled,
            entry_spans={name: entries_span(row) or (1, 1) for name, row in file.entries.items()},
        )

    # --- names -------------------------------------------------------------------------------

    def _name_everything(self) -> None:
        file = self.file
        sections: tuple[tuple[str, Iterable[str], PartKind | None], ...] = (
            ("attributes", file.attributes, PartKind.ATTRIBUTE),
            ("derived", file.derived, PartKind.DERIVED),
            ("resources", file.resources, PartKind.RESOURCE),
            ("tracks", file.tracks, PartKind.TRACK),
            ("clocks", file.clocks, PartKind.CLOCK),
            ("entries", file.entries, None),
            ("lists", file.lists, None),
        )
        taken: dict[str, str] = {}
        was: dict[str, str] = {}
        for section, names, kind in sections:
            for name in names:
                self._check_name((section, name), name)
                if name in taken:
                    self.problems.add((section, name), f"“{name}” stands under [{taken[name]}] already.")
                    continue
                taken[name] = section
                if kind is not None:
                    self.kinds[name] = kind
                row = getattr(file, section)[name]
                old = getattr(row, "was", None)
                if old is not None and old in was:
                    self.problems.add((section, name, "was"), f"“{was[old]}” was “{old}” already.")
                elif old is not None:
                    was[old] = name
        for name, old in ((new, old) for old, new in was.items()):
            if old in taken:
                self.problems.add((taken[name], name, "was"), f"“{old}” is still there under [{taken[old]}].")

    def _check_name(self, path: Path, name: str) -> None:
        is_word = name in RESERVED | set(CONSTANTS) | {VALUE, THEIRS, "up", "down"}
        if is_word or re.fullmatch(r"d[0-9]*", name):
            self.problems.add(path, f"“{name}” has a meaning in expressions already. Choose another name.")

    def _sheet(self) -> _Scope:
        return _Scope({*self.kinds, *CONSTANTS}, self.excused)

    def _expression(
        self, path: Path, code: str, scope: _Scope, *, with_dice: bool = False
    ) -> Expression | None:
        """Read an expression and look its names up."""
        found = self.problems.read(path, lambda text: expression(text, with_dice=with_dice), code)
        return found if found is not None and self._are_known(path, found, scope) else None

    def _are_known(self, path: Path, found: Expression, scope: _Scope) -> bool:
        wrong = {name for name in names_in(found) if name not in scope.names}
        for name in sorted(wrong):
            if name.partition(".")[2] not in scope.excused and name not in scope.excused:
                self.problems.unknown(path, name, "no name I know here", scope.names)
        return not wrong

    # --- the sheet ---------------------------------------------------------------------------

    def _steps(self, path: Path, row: StatRow | ResourceRow) -> tuple[int, ...]:
        """The dice that an attribute or a usage die can be; none where it is a number."""
        named = {"start": row.start, "min": row.min, "max": row.max}
        dice = {name: sides for name, written in named.items() if (sides := die_of(written)) is not None}
        for name, sides in dice.items():
            if sides not in DIE_STEPS:
                steps = ", ".join(f"d{one}" for one in DIE_STEPS)
                self.problems.add((*path, name), f"d{sides} has no place among the steps: {steps}.")
        if not dice:
            return ()
        for name, written in named.items():
            if name not in dice and written not in (None, 0):
                self.problems.add((*path, name), "this should be a die too, such as “d6”.")
        lowest, highest = dice.get("min", DIE_STEPS[0]), dice.get("max", 12)
        found = tuple(one for one in DIE_STEPS if lowest <= one <= highest)
        start = dice.get("start", lowest)
        if start not in found and start in DIE_STEPS:
            self.problems.add((*path, "start"), f"d{start} is not between d{lowest} and d{highest}.")
        return found if isinstance(row, StatRow) else (0, *found)

    def _spans(self) -> dict[str, Span]:
        spans: dict[str, Span] = {}
        for name, row in self.file.attributes.items():
            path = ("attributes", name)
            if steps := self._steps(path, row):
                self.dice[name] = steps
                spans[name] = Span(steps[0], Number(steps[-1]), steps)
                continue
            for end in ("min", "max"):
                if isinstance(getattr(row, end), str):
                    self.problems.add((*path, end), "this should be a whole number or a die.")
            low = row.min if isinstance(row.min, int) else 0
            high = row.max if isinstance(row.max, int) else None
            if high is not None and high < low:
                self.problems.add((*path, "max"), f"{high} is below the least, {low}.")
            spans[name] = Span(low, Number(high) if high is not None else None)
        for name, counter in self.file.resources.items():
            path = ("resources", name)
            if steps := self._steps(path, counter):
                self.dice[name] = steps
                spans[name] = Span(steps[0], Number(steps[-1]), steps)
                continue
            top = self._amount((*path, "max"), counter.max)
            spans[name] = Span(counter.min, top)
            if isinstance(counter.max, int) and counter.max < counter.min:
                self.problems.add((*path, "max"), f"{counter.max} is below the least, {counter.min}.")
        for name, track in self.file.tracks.items():
            boxes = track.boxes if isinstance(track.boxes, int) else len(track.boxes)
            spans[name] = Span(0, Number(boxes))
        for name, clock in self.file.clocks.items():
            spans[name] = Span(0, Number(clock.size))
        return spans

    def _amount(self, path: Path, written: int | str | None) -> Expression | None:
        if written is None:
            return None
        if isinstance(written, int):
            return Number(written)
        return self._expression(path, written, self._sheet())

    def _starts(self) -> dict[str, Expression]:
        """What each part of a sheet begins with, in an order in which that can be reckoned."""
        found: dict[str, Expression] = {}
        paths: dict[str, Path] = {}
        for section, rows in (("attributes", self.file.attributes), ("resources", self.file.resources)):
            for name, row in rows.items():
                paths[name] = (section, name, "start")
                if name in self.dice:
                    sides = die_of(row.start)
                    found[name] = Number(self.dice[name][0] if sides is None else sides)
                    continue
                start = self._amount(paths[name], row.start)
                low = row.min if isinstance(row.min, int) else 0
                found[name] = start if start is not None else Number(max(low, 0))
                self._check_start(paths[name], row, start)
        for name in (*self.file.tracks, *self.file.clocks):
            found[name] = ZERO
        derived = {name: set(self._names_of_derived(name, set())) for name in self.file.derived}
        needs = {
            name: {inner for one in names_in(start) for inner in derived.get(one, {one}) if inner in found}
            for name, start in found.items()
        }
        order, circle = in_order(needs)
        for name in circle:
            self.problems.add(paths.get(name, ()), f"“{name}” begins with what depends on itself.")
        return {name: found[name] for name in (*order, *circle)}

    def _names_of_derived(self, name: str, seen: set[str]) -> Iterable[str]:
        """The parts of a sheet that a derived number rests on."""
        if name not in self.file.derived:
            yield name
        elif name not in seen:
            seen.add(name)
            try:
                read = expression(self.file.derived[name])
            except BadExpression:  # noted where it stands
                return
            for one in names_in(read):
                yield from self._names_of_derived(one, seen)

    def _check_start(self, path: Path, row: StatRow | ResourceRow, start: Expression | None) -> None:
        if not isinstance(start, Number):
            return
        low = row.min if isinstance(row.min, int) else start.value
        high = row.max if isinstance(row.max, int) else start.value
        if not low <= start.value <= high:
            self.problems.add(path, f"{start.value} is not between {low} and {high}.")

    def _derived(self) -> dict[str, Expression]:
        found: dict[str, Expression] = {}
        for name, code in self.file.derived.items():
            read = self._expression(("derived", name), code, self._sheet())
            if read is not None:
                found[name] = read
        needs = {name: set(names_in(amount)) & set(found) for name, amount in found.items()}
        order, circle = in_order(needs)
        for name in circle:
            self.problems.add(("derived", name), f"“{name}” depends on itself.")
        depths: dict[str, int] = {}
        for name in order:
            depths[name] = 1 + max((depths[one] for one in needs[name]), default=0)
            if depths[name] == MOST_DERIVED_DEPTH + 1:
                self.problems.add(
                    ("derived", name),
                    f"this rests on {depths[name]} numbers; {MOST_DERIVED_DEPTH} is the most.",
                )
        return {name: found[name] for name in order}

    # --- effects -----------------------------------------------------------------------------

    def _effects(
        self,
        path: Path,
        codes: Sequence[str],
        scope: _Scope,
        questions: Mapping[str, OwnQuestion] | None = None,
        owners: Iterable[str] = (),
    ) -> tuple[GameEffect, ...]:
        found = [self._effect(path, code, scope, questions or {}, tuple(owners)) for code in codes]
        return tuple(one for one in found if one is not None)

    def _effect(
        self,
        path: Path,
        code: str,
        scope: _Scope,
        questions: Mapping[str, OwnQuestion],
        owners: tuple[str, ...],
    ) -> GameEffect | None:
        read = _EFFECT.fullmatch(code.strip().replace("−", "-").replace("–", "-"))
        if read is None:
            self.problems.add(
                path,
                f"I can't read the effect “{excerpt(code)}”. Write “name + 1”, “name - 1” or “name = 1”.",
            )
            return None
        target, sign, amount = read[1], read[2], read[3]
        changeable = {name for name, kind in self.kinds.items() if kind in CHANGEABLE}
        changeable |= {f"{owner}.{name}" for owner in owners for name in changeable}
        changeable |= {key for key, question in questions.items() if question.refers}
        if target not in changeable:
            if target.rpartition(".")[2] not in self.excused or target in self.kinds or target in questions:
                self.problems.unknown(path, target, "nothing that an effect can change", changeable)
            elif target in self.file.entries or target in self.file.lists:
                self.problems.add(path, f"ask for one of “{target}” first, and change the answer.")
            return None
        if self._are_dice(target, questions) and sign in "+-":
            word = "up" if sign == "+" else "down"
            self.problems.add(path, f"“{target}” is a die and steps: “{target} {word}”.")
            return None
        if sign in ("up", "down") and not self._are_dice(target, questions):
            self.problems.add(path, f"“{target}” is no die. Write “{target} {'+-'[sign == 'down']} 1”.")
            return None
        if not amount and sign in "+-=":
            self.problems.add(path, f"an amount is missing after “{excerpt(code.strip())}”.")
            return None
        read_amount = self._expression(path, amount or "1", scope, with_dice=True)
        return GameEffect(target, sign, read_amount) if read_amount is not None else None

    def _are_dice(self, target: str, questions: Mapping[str, OwnQuestion]) -> bool:
        question = questions.get(target)
        if question is None:
            return target.rpartition(".")[2] in self.dice
        if question.kind is QuestionKind.ENTRY:
            return _has_dice(self.file.entries[question.entries])
        return any(name in self.dice for name in question.names)

    # --- checks ------------------------------------------------------------------------------

    def _check(self, key: str, row: CheckRow) -> OwnCheck | None:
        before = len(self.problems.found)
        path: Path = ("checks", key)
        questions = {
            name: question
            for name, ask in row.ask.items()
            if (question := self._question((*path, "ask", name), name, ask)) is not None
        }
        owners = tuple(name for name, one in questions.items() if one.kind is QuestionKind.CHARACTER)
        scope = self._sheet()
        scope.excused |= frozenset(row.ask)
        scope.names |= {name for name in questions if name not in owners}
        scope.names |= {f"{owner}.{name}" for owner in owners for name in self.kinds}
        cost = self._effects((*path, "cost"), row.cost, scope, questions, owners)
        for kind, names in (("ask", row.ask), ("read", row.read), ("let", row.let)):
            for name in names:
                self._check_own_name((*path, kind, name), name, row, kind)
        lets = self._lets(path, row, scope)
        fixed, dice_names = _parted(lets, set(row.read))
        groups = self._groups(path, row, _Scope(scope.names | set(fixed), scope.excused), dice_names)
        inner = _Scope(scope.names | set(row.read) | set(row.let), scope.excused)
        readings = self._readings(path, row, inner, groups)
        edged = self._edged(path, row, groups)
        edge = self._edge(path, row, questions)
        stages = self._stages(path, readings, {name: lets[name] for name in lets if name in dice_names})
        value = self._expression((*path, "value"), row.value, inner) if row.value is not None else None
        if row.value is None and len(row.read) == 1:
            value = Name(next(iter(row.read)))
        last = _Scope(
            inner.names | ({VALUE} if value is not None else set()) | ({THEIRS} if row.opposed else set()),
            inner.excused | ({VALUE} if row.value is not None else frozenset()),
        )
        if row.opposed and value is None and row.value is None:
            self.problems.add((*path, "opposed"), "say with “value” what the two sides compare.")
        tiers = [
            self._tier((*path, "tiers", at), one, last, value, questions, owners)
            for at, one in enumerate(row.tiers)
        ]
        self._check_tier_order(path, row)
        after = [
            self._after((*path, "after", at), one, last, row, questions, owners)
            for at, one in enumerate(row.after)
        ]
        if len(self.problems.found) > before:
            return None
        return OwnCheck(
            key=key,
            label=row.label or key.replace("_", " ").capitalize(),
            questions=tuple(questions.values()),
            cost=cost,
            groups=groups,
            edged=edged,
            edge=edge,
            fixed=tuple(fixed.items()),
            stages=stages,
            value=value,
            is_opposed=row.opposed,
            tiers=tuple(one for one in tiers if one is not None),
            after=tuple(one for one in after if one is not None),
        )

    def _check_own_name(self, path: Path, name: str, row: CheckRow, kind: str) -> None:
        self._check_name(path, name)
        if name in self.kinds:
            self.problems.add(path, f"“{name}” has a meaning on the sheet already.")
        earlier = {"ask": (), "read": (row.ask,), "let": (row.ask, row.read)}[kind]
        if any(name in names for names in earlier):
            self.problems.add(path, f"“{name}” stands twice in this check.")

    def _question(self, path: Path, key: str, ask: str | list[str] | dict[str, int]) -> OwnQuestion | None:
        if isinstance(ask, dict):
            return OwnQuestion(key, QuestionKind.NUMBER, ask)
        if isinstance(ask, list):
            return self._listed_question(path, key, ask)
        if ask == "yes/no":
            return OwnQuestion(key, QuestionKind.NUMBER, YES_NO)
        if ask == "edge":
            return OwnQuestion(key, QuestionKind.NUMBER, EDGES)
        if ask == "character":
            return OwnQuestion(key, QuestionKind.CHARACTER)
        if ask == "clock":
            if not self.file.clocks:
                self.problems.add(path, "there are no clocks to choose from.")
            return OwnQuestion(key, QuestionKind.CLOCK, names=tuple(self.file.clocks))
        if ask in self.file.entries:
            return OwnQuestion(key, QuestionKind.ENTRY, entries=ask)
        if ask in self.file.lists:
            items = {item: row.value for item, row in self.file.lists[ask].items.items()}
            return OwnQuestion(key, QuestionKind.NUMBER, items)
        if ask == "attribute" or ask.startswith("attribute of "):
            return self._attribute_question(path, key, ask.removeprefix("attribute").removeprefix(" of "))
        if _RANGE.fullmatch(ask.strip()) is not None:
            return self._range_question(path, key, ask)
        if ask not in self.excused:
            known = (
                "attribute",
                "yes/no",
                "edge",
                "clock",
                "character",
                *self.file.entries,
                *self.file.lists,
            )
            self.problems.unknown(path, ask, "no kind of question", known)
        return None

    def _attribute_question(self, path: Path, key: str, group: str) -> OwnQuestion | None:
        names = tuple(name for name, row in self.file.attributes.items() if not group or row.group == group)
        if names:
            return OwnQuestion(key, QuestionKind.NAME, names=names)
        groups = {row.group for row in self.file.attributes.values() if row.group}
        if group:
            self.problems.unknown(path, group, "no group of attributes", groups)
        elif not self.excused:
            self.problems.add(path, "there are no attributes to choose from.")
        return None

    def _range_question(self, path: Path, key: str, ask: str) -> OwnQuestion | None:
        low, _, high = ask.replace("−", "-").partition("..")
        span = int(low), int(high)
        if not 0 <= span[1] - span[0] <= MOST_RANGE:
            self.problems.add(path, f"a range goes up, and by {MOST_RANGE:,} at most.")
            return None
        return OwnQuestion(key, QuestionKind.NUMBER, span=span)

    def _listed_question(self, path: Path, key: str, ask: list[str]) -> OwnQuestion | None:
        if not ask or len(set(ask)) < len(ask):
            self.problems.add(path, "every choice should be there once, and one at least.")
            return None
        named = [one for one in ask if one in self.kinds]
        if named and (len(named) == len(ask) or all(re.fullmatch(KEY, one) for one in ask)):
            for one in ask:
                if one not in self.kinds and one not in self.excused:
                    self.problems.unknown(path, one, "no name I know here", self.kinds)
            return OwnQuestion(key, QuestionKind.NAME, names=tuple(named))
        numbers = [re.fullmatch(r"[+-]?[0-9]{1,7}", one.replace("−", "-")) for one in ask]
        if all(numbers):
            return OwnQuestion(key, QuestionKind.NUMBER, {one: int(one.replace("−", "-")) for one in ask})
        return OwnQuestion(key, QuestionKind.NUMBER, {one: at for at, one in enumerate(ask, start=1)})

    def _lets(self, path: Path, row: CheckRow, scope: _Scope) -> dict[str, Expression]:
        inner = _Scope(scope.names | set(row.read) | set(row.let), scope.excused)
        found: dict[str, Expression] = {}
        for name, code in row.let.items():
            read = self._expression((*path, "let", name), code, inner)
            if read is not None:
                found[name] = read
        order, circle = in_order({name: set(names_in(amount)) & set(found) for name, amount in found.items()})
        for name in circle:
            self.problems.add((*path, "let", name), f"“{name}” depends on itself.")
        return {name: found[name] for name in order}

    def _groups(
        self, path: Path, row: CheckRow, scope: _Scope, dice_names: frozenset[str]
    ) -> dict[str, WrittenGroup]:
        number = len([name for name in row.dice if name != NONE])
        if number > MOST_GROUPS:
            self.problems.add(
                (*path, "dice"), f"there are {number} groups of dice; {MOST_GROUPS} is the most."
            )
        if NONE in row.dice and number == 0:
            self.problems.add((*path, "dice", NONE), "“none” stands in for another group, which is missing.")
        found: dict[str, WrittenGroup] = {}
        for name, code in row.dice.items():
            place = (*path, "dice", name)
            group = self.problems.read(place, dice_group, code)
            if group is None:
                continue
            for part in (group.count, group.sides, group.kept):
                if dice_names.intersection(names_in(part)):
                    self.problems.add(place, "how many dice are rolled can't depend on what they show.")
                else:
                    self._are_known(place, part, scope)
            found[name] = group
        return found

    def _readings(
        self, path: Path, row: CheckRow, scope: _Scope, groups: Mapping[str, WrittenGroup]
    ) -> dict[str, Reading]:
        found: dict[str, Reading] = {}
        times: dict[str, int] = {}
        for name, code in row.read.items():
            place = (*path, "read", name)
            read = self.problems.read(place, reading, code)
            if read is None:
                continue
            for group in read.groups:
                times[group] = times.get(group, 0) + 1
                if group not in row.dice or group == NONE:
                    self.problems.unknown(place, group, "no group of dice", set(row.dice) - {NONE})
                elif times[group] == READINGS_A_GROUP + 1:
                    number = sum(bool(re.search(rf"\b{group}\b", one)) for one in row.read.values())
                    self.problems.add(
                        place,
                        f"“{group}” is read {number} times; {READINGS_A_GROUP} is the most for a group.",
                    )
            is_suited = read.kind == "suit" or read.sign == "suit"
            if is_suited and any(
                group in groups and groups[group].source != "cards" for group in read.groups
            ):
                self.problems.add(place, "only cards have suits.")
            for part in read.against:
                self._are_known(place, part, scope)
            found[name] = read
        return found

    def _edged(
        self, path: Path, row: CheckRow, groups: Mapping[str, WrittenGroup]
    ) -> tuple[str, bool] | None:
        if row.edge is None:
            return None
        read = re.fullmatch(r"(lowest|highest)\s+([a-z]\w*)", row.edge.strip())
        if read is None:
            self.problems.add((*path, "edge"), "this should be “lowest” or “highest” and a group of dice.")
            return None
        if read[2] not in groups:
            self.problems.unknown((*path, "edge"), read[2], "no group of dice", groups)
            return None
        return read[2], read[1] == "highest"

    def _edge(self, path: Path, row: CheckRow, questions: Mapping[str, OwnQuestion]) -> Expression:
        edges = [name for name, ask in row.ask.items() if ask == "edge" and name in questions]
        if row.edge is not None and not edges:
            self.problems.add((*path, "edge"), 'ask for it too: ask = { edge = "edge" }.')
        return Name(edges[0]) if edges else ZERO

    def _stages(
        self, path: Path, readings: Mapping[str, Reading], lets: Mapping[str, Expression]
    ) -> tuple[Stage, ...]:
        """Readings and lets in an order in which each can be reckoned; groups read together stay together."""
        linked: list[set[str]] = []
        for read in readings.values():
            joined = set(read.groups).union(*(one for one in linked if one.intersection(read.groups)))
            linked = [one for one in linked if one.isdisjoint(joined)] + [joined]
        stages: dict[str, Stage] = {}
        made_by: dict[str, str] = {}
        for groups in linked:
            mine = tuple((name, read) for name, read in readings.items() if groups.issuperset(read.groups))
            stage = f"dice {mine[0][0]}"
            stages[stage] = Linked(tuple(sorted(groups)), mine)
            made_by |= {name: stage for name, _ in mine}
        for name, amount in lets.items():
            stages[name] = Let(name, amount)
            made_by[name] = name
        needs = {
            key: {made_by[name] for part in _parts_of(stage) for name in names_in(part) if name in made_by}
            for key, stage in stages.items()
        }
        order, circle = in_order(needs)
        for key in circle:
            found = stages[key]
            name = found.name if isinstance(found, Let) else found.readings[0][0]
            kind = "let" if isinstance(found, Let) else "read"
            self.problems.add((*path, kind, name), f"“{name}” depends on itself.")
        return tuple(stages[key] for key in order)

    def _tier(
        self,
        path: Path,
        row: ResultRow,
        scope: _Scope,
        value: Expression | None,
        questions: Mapping[str, OwnQuestion],
        owners: tuple[str, ...],
    ) -> GameTier | None:
        span: tuple[int | None, int | None] | None = (None, None)
        if row.fits is not None:
            span = span_of(row.fits)
            if span is None:
                self.problems.add((*path, "is"), "this should be “10+”, “7-9”, “6-” or “7”.")
            if value is None and VALUE not in scope.excused:
                self.problems.add((*path, "is"), "say with “value” what is compared, or use “when”.")
        when = self._expression((*path, "when"), row.when, scope) if row.when is not None else None
        words: list[str | Expression] = []
        for at, piece in enumerate(re.split(r"\{([^{}]*)\}", row.name)):
            if at % 2 == 0:
                words += [piece] if piece else []
            elif (read := self._expression((*path, "name"), piece, scope)) is not None:
                words.append(read)
        effects = self._effects((*path, "do"), row.do, scope, questions, owners)
        if span is None:
            return None
        return GameTier(row.name, tuple(words), span[0], span[1], when, effects, row.text)

    def _check_tier_order(self, path: Path, row: CheckRow) -> None:
        names = [tier.name for tier in row.tiers]
        for at, tier in enumerate(row.tiers):
            if tier.name in names[:at]:
                self.problems.add((*path, "tiers", at, "name"), f"“{tier.name}” is there twice.")
            if tier.fits is None and tier.when is None and at + 1 < len(names):
                self.problems.add(
                    (*path, "tiers", at),
                    f"“{tier.name}” takes all that is left, so nothing after it can happen.",
                )

    def _after(
        self,
        path: Path,
        row: AfterRow,
        scope: _Scope,
        check: CheckRow,
        questions: Mapping[str, OwnQuestion],
        owners: tuple[str, ...],
    ) -> AfterRoll | None:
        groups = [name for name in check.dice if name != NONE]
        when = self._expression((*path, "when"), row.when, scope) if row.when is not None else None
        cost = self._effects((*path, "cost"), row.cost, scope, questions, owners)
        given = [row.reroll, row.add, row.step, row.take]
        if len([one for one in given if one is not None]) != 1:
            self.problems.add(path, "say one thing that it does: “reroll”, “add”, “step” or “take”.")
            return None
        reroll = self._reroll((*path, "reroll"), row.reroll, groups) if row.reroll else {}
        if row.add is not None and row.add not in groups:
            self.problems.unknown((*path, "add"), row.add, "no group of dice", groups)
        step = take = None
        if row.step is not None:
            read = re.fullmatch(r"([a-z]\w*)\s+(up|down)", row.step.strip())
            if read is None:
                self.problems.add((*path, "step"), "this should be a group of dice, and “up” or “down”.")
            elif read[1] not in groups:
                self.problems.unknown((*path, "step"), read[1], "no group of dice", groups)
            else:
                step = (read[1], 1 if read[2] == "up" else -1)
        if row.take is not None:
            read = re.fullmatch(r"([a-z]\w*)\s*=\s*([a-z]\w*)", row.take.strip())
            if read is None:
                self.problems.add((*path, "take"), "this should be two readings: “n = other”.")
            for name in read.groups() if read is not None else ():
                if name not in check.read:
                    self.problems.unknown((*path, "take"), name, "no reading", check.read)
            take = (read[1], read[2]) if read is not None else None
        return AfterRoll(row.label, when, cost, reroll, row.add or "", step, take, row.often == "once")

    def _reroll(self, path: Path, code: str, groups: Sequence[str]) -> dict[str, tuple[int, int]]:
        everything = (-MOST_RANGE, MOST_RANGE)
        if code.strip() == "all":
            return dict.fromkeys(groups, everything)
        found: dict[str, tuple[int, int]] = {}
        for part in code.split(","):
            read = re.fullmatch(r"\s*([a-z]\w*)(?:\s+([0-9]{1,4})(?:\.\.([0-9]{1,4}))?)?\s*", part)
            if read is None:
                self.problems.add(
                    path, "this should be “all”, a group of dice, or faces of one: “base 2..5”."
                )
            elif read[1] not in groups:
                self.problems.unknown(path, read[1], "no group of dice", ["all", *groups])
            else:
                low = int(read[2]) if read[2] else everything[0]
                high = int(read[3]) if read[3] else low if read[2] else everything[1]
                found[read[1]] = (low, high)
        return found

    # --- everything else ---------------------------------------------------------------------

    def _move(self, key: str, row: MoveRow, checks: Mapping[str, OwnCheck | None]) -> OwnMove | None:
        before = len(self.problems.found)
        path: Path = ("moves", key)
        check = checks.get(row.check) if row.check is not None else None
        if row.check is not None and row.check not in checks:
            if row.check not in _keys(self.written.get("checks")):
                self.problems.unknown((*path, "check"), row.check, "no check", checks)
            return None
        if row.check is not None and check is None:
            return None
        questions = {one.key: one for one in check.questions} if check is not None else {}
        owners = tuple(name for name, one in questions.items() if one.kind is QuestionKind.CHARACTER)
        owners = (*owners, "at") if row.at is not None else owners
        scope = self._sheet()
        sheet = _Scope(
            scope.names | {f"{owner}.{name}" for owner in owners for name in self.kinds}, scope.excused
        )
        if check is not None:
            sheet.names |= {name for name in questions if name not in owners}
        whole = _Scope(set(sheet.names), scope.excused)
        if check is not None:
            whole.names |= check.open_names | {name for name, _ in check.fixed}
            whole.names |= {VALUE} if check.value is not None else set()
        for name, given in row.given.items():
            self._check_given((*path, "with"), name, given, questions, row.check)
        when = self._expression((*path, "when"), row.when, self._sheet()) if row.when is not None else None
        cost = self._effects((*path, "cost"), row.cost, sheet, questions, owners)
        tiers = [tier.name for tier in check.tiers] if check is not None else []
        effects: dict[str, tuple[GameEffect, ...]] = {}
        rows = row.do if isinstance(row.do, dict) else {"": row.do}
        for tier, codes in rows.items():
            self._check_tier_name((*path, "do"), tier, tiers)
            effects[tier] = self._effects((*path, "do"), codes, whole, questions, owners)
        texts = row.text if isinstance(row.text, dict) else {"": row.text}
        for tier in texts:
            self._check_tier_name((*path, "text"), tier, tiers)
        if len(self.problems.found) > before:
            return None
        return OwnMove(key, row.label, check, row.given, when, cost, effects, texts)

    def _check_tier_name(self, path: Path, tier: str, tiers: Sequence[str]) -> None:
        if tier and not tiers:
            self.problems.add(path, "a move without a check has no tiers; give one list for all.")
        elif tier and tier not in tiers:
            self.problems.unknown(path, tier, "no tier of this check", tiers)

    def _check_given(
        self,
        path: Path,
        name: str,
        given: int | str,
        questions: Mapping[str, OwnQuestion],
        check: str | None,
    ) -> None:
        question = questions.get(name)
        if question is None:
            what = f"no question of “{check}”" if check else "no question: this move has no check"
            self.problems.unknown(path, name, what, questions)
        elif question.kind is QuestionKind.CHARACTER or (
            question.kind is QuestionKind.ENTRY and not isinstance(given, int)
        ):
            self.problems.add(path, f"“{name}” is answered at the table.")
        elif question.kind in (QuestionKind.NAME, QuestionKind.CLOCK):
            if str(given) not in question.names and str(given) not in self.excused - set(self.kinds):
                all_attributes = all(self.kinds.get(one) is PartKind.ATTRIBUTE for one in question.names)
                kind = (
                    "clock"
                    if question.kind is QuestionKind.CLOCK
                    else "attribute"
                    if all_attributes
                    else "choice"
                )
                self.problems.unknown(path, str(given), f"no {kind}", question.names)
        elif question.span is not None:
            if not isinstance(given, int) or not question.span[0] <= given <= question.span[1]:
                low, high = question.span
                self.problems.add(path, f"“{name}” should be a number from {low} to {high}.")
        elif question.kind is QuestionKind.NUMBER and (
            str(given) not in question.numbers and given not in question.numbers.values()
        ):
            self.problems.unknown(path, str(given), f"no choice of “{name}”", question.numbers)

    def _check_events(self) -> None:
        known = {*EVENTS, *self.file.resets}
        places: list[tuple[Path, tuple[str, ...]]] = []
        places += [(("resources", name, "reset"), row.reset) for name, row in self.file.resources.items()]
        places += [(("tracks", name, "heal"), row.heal) for name, row in self.file.tracks.items()]
        places += [
            (("lists", name, "items", item, "reset"), row.reset)
            for name, rows in self.file.lists.items()
            for item, row in rows.items.items()
        ]
        for path, events in places:
            for event in events:
                if event not in known:
                    self.problems.unknown(path, event, "no event; name yours under [resets]", known)

    def _check_overflow(self) -> None:
        rows: dict[str, ResourceRow | TrackRow] = {**self.file.resources, **self.file.tracks}
        sections = {
            **dict.fromkeys(self.file.resources, "resources"),
            **dict.fromkeys(self.file.tracks, "tracks"),
        }
        targets = {name for name, kind in self.kinds.items() if kind in CHANGEABLE} - set(self.dice)
        for name, row in rows.items():
            for other in row.overflow:
                if other not in targets and other not in self.excused - set(self.kinds):
                    path = (sections[name], name, "overflow")
                    self.problems.unknown(path, other, "nothing that can take it", targets - {name})
        needs = {name: {one for one in row.overflow if one in rows} for name, row in rows.items()}
        for name in in_order(needs)[1]:
            self.problems.add((sections[name], name, "overflow"), "this leads into a circle.")

    def _check_lists(self) -> None:
        for name, rows in self.file.lists.items():
            self._amount(("lists", name, "slots"), rows.slots)
            for item, row in rows.items.items():
                path: Path = ("lists", name, "items", item)
                self._effects((*path, "cost"), row.cost, self._sheet())
                self._effects((*path, "do"), row.do, self._sheet())
        for name, entries in self.file.entries.items():
            if entries_span(entries) is None and entries.value != "words":
                self.problems.add(("entries", name, "value"), "this should be “1..6”, “d4..d12” or “words”.")

    def _check_creation(self) -> None:
        create, attributes = self.file.create, self.file.attributes
        groups = {row.group for row in attributes.values() if row.group}
        if len(create.spread) > len(attributes):
            self.problems.add(
                ("create", "spread"),
                f"there are {len(create.spread)} numbers for {len(attributes)} attributes.",
            )
        if (
            create.points is not None
            and create.points.group is not None
            and create.points.group not in groups
        ):
            self.problems.unknown(
                ("create", "points", "group"), create.points.group, "no group of attributes", groups
            )
        for name in create.roll:
            if name not in attributes and name not in self.file.resources and name not in self.excused:
                self.problems.unknown(("create", "roll"), name, "no attribute", attributes)
        for key, playbook in create.playbooks.items():
            path: Path = ("create", "playbooks", key)
            self._check_given_numbers(path, "attributes", playbook.attributes, self.file.attributes)
            self._check_given_numbers(path, "resources", playbook.resources, self.file.resources)
            for move in playbook.moves:
                if move not in _keys(self.written.get("moves")):
                    self.problems.unknown((*path, "moves"), move, "no move", self.file.moves)
            self._check_items(path, playbook.items)

    def _check_people(self) -> None:
        for key, hero in self.file.heroes.items():
            path: Path = ("heroes", key)
            self._check_given_numbers(path, "attributes", hero.attributes, self.file.attributes)
            self._check_given_numbers(path, "resources", hero.resources, self.file.resources)
            self._check_items(path, hero.items)
            if hero.playbook is not None and hero.playbook not in self.file.create.playbooks:
                known = self.file.create.playbooks
                self.problems.unknown((*path, "playbook"), hero.playbook, "no playbook", known)
            for name in hero.words:
                if name not in self.file.create.ask:
                    self.problems.unknown(
                        (*path, "words"), name, "no question of creation", self.file.create.ask
                    )
            for name in hero.entries:
                if name not in self.file.entries and name not in self.excused:
                    self.problems.unknown((*path, "entries"), name, "no kind of entries", self.file.entries)
        for key, npc in self.file.npcs.items():
            path = ("npcs", key)
            self._check_given_numbers(path, "attributes", npc.attributes, self.file.attributes)
            self._check_given_numbers(path, "resources", npc.resources, self.file.resources)
            self._check_given_numbers(path, "tracks", npc.tracks, self.file.tracks)

    def _check_given_numbers(
        self, path: Path, section: str, given: Mapping[str, int | str], known: Iterable[str]
    ) -> None:
        for name, written in given.items():
            if name not in known:
                if name not in self.excused - set(self.kinds):
                    self.problems.unknown((*path, section), name, f"no {section.removesuffix('s')}", known)
            elif name in self.dice and die_of(written) not in self.dice[name]:
                steps = ", ".join(f"d{one}" for one in self.dice[name] if one)
                self.problems.add((*path, section, name), f"this should be one of {steps}.")
            elif name not in self.dice and not isinstance(written, int):
                self.problems.add((*path, section, name), "this should be a whole number.")

    def _check_items(self, path: Path, items: Iterable[str]) -> None:
        known = {item for rows in self.file.lists.values() for item in rows.items}
        for item in items:
            if item not in known:
                self.problems.unknown((*path, "items"), item, "in no list", known)

    def _check_fight(self) -> None:
        fight = self.file.fight
        if fight.by is not None:
            self._expression(("fight", "by"), fight.by, self._sheet(), with_dice=True)
        if fight.check is not None and fight.check not in _keys(self.written.get("checks")):
            self.problems.unknown(("fight", "check"), fight.check, "no check", self.file.checks)
        if fight.order == "roll" and fight.by is None and fight.check is None:
            self.problems.add(("fight", "order"), 'say what is rolled: by = "d20 + quick", or a check.')
        places = {**self.file.tracks, **self.file.resources}
        if fight.out is not None and fight.out not in places and fight.out not in self.excused:
            self.problems.unknown(("fight", "out"), fight.out, "no track or resource", places)


_EFFECT = re.compile(rf"({KEY}(?:\.{KEY})?)\s*((?:(?<=\s)(?:up|down)\b)|[+=-])\s*(.*)", re.DOTALL)
_RANGE = re.compile(r"[+−-]?[0-9]{1,7}\s*\.\.\s*[+−-]?[0-9]{1,7}")
_ENTRIES = re.compile(r"(d?)([0-9]{1,4})\s*\.\.\s*\1([0-9]{1,4})")


def entries_span(row: EntriesRow) -> tuple[int, int] | None:
    """The lowest and highest number or die of entries; None where they are only words."""
    found = _ENTRIES.fullmatch(row.value.strip())
    if found is None or int(found[2]) > int(found[3]):
        return None
    return int(found[2]), int(found[3])


def _has_dice(row: EntriesRow) -> bool:
    return row.value.strip().startswith("d")


def _keys(table: object) -> Iterable[str]:
    return table if isinstance(table, dict) else ()


def _parts_of(stage: Stage) -> tuple[Expression, ...]:
    if isinstance(stage, Let):
        return (stage.amount,)
    return tuple(part for _, read in stage.readings for part in read.against)


def _parted(
    lets: Mapping[str, Expression], readings: set[str]
) -> tuple[dict[str, Expression], frozenset[str]]:
    """Those lets that no die decides, and the names of all that dice decide."""
    open_names = set(readings)
    fixed: dict[str, Expression] = {}
    for name, amount in lets.items():
        if open_names.isdisjoint(names_in(amount)):
            fixed[name] = amount
        else:
            open_names.add(name)
    return fixed, frozenset(open_names)
