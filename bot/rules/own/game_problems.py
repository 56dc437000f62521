"""Problems of a file, each with line, place and the name that was meant: of its models and of its names."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeVar

from msgspec import Struct
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot.rules.kernel.parsing import Path, line_of
from bot.rules.own.expressions import (
    RESERVED,
    BadExpression,
    Expression,
    Number,
    excerpt,
    expression,
    names_in,
)
from bot.rules.own.game_file import KEY, GameFile
from bot.rules.own.game_parts import (
    CHANGEABLE,
    CONSTANTS,
    THEIRS,
    VALUE,
    GameEffect,
    OwnQuestion,
    PartKind,
    QuestionKind,
    Span,
)

MOST_PROBLEMS = 1000
MOST_NEAREST = 100  # looking for the name that was meant takes longer than finding that one is wrong
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


class GameProblem(Struct, frozen=True):
    """What is wrong at one place of a file."""

    line: int | None  # the line, from 1; None for the whole file
    where: str  # the table, such as ``moves.listen``; empty at the top
    text: str  # the field and a sentence

    def __str__(self) -> str:
        """What people read."""
        line = f"line {self.line}, " if self.line is not None else ""
        return f"{line}[{self.where}] {self.text}" if self.where else f"{line}{self.text}"


class Problems(Struct):
    """What has been found so far: places and sentences."""

    found: list[tuple[Path, str]] = []
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


def validated(written: dict[str, object], problems: Problems) -> GameFile | None:
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


# --- names ------------------------------------------------------------------------------------------


class Scope(Struct):
    """The names that an expression may use, and those whose meaning is unknown because they are wrong."""

    names: set[str]
    excused: frozenset[str] = frozenset()


class GameNames:
    """The names of a file, some of which may be wrong.

    Attributes:
        file: The file as far as it is sound.
        written: All of it.
        problems: Where what is wrong is noted.
        kinds: What each name stands for.
        excused: Names that stand in the file but were left out: that they are wrong has been said.
        dice: The dice that a part of a sheet can be, where it is a die.
        entries: What entries can be, by their kind.
    """

    def __init__(self, file: GameFile, written: Mapping[str, object], problems: Problems) -> None:
        self.file = file
        self.written = written
        self.problems = problems
        self.kinds: dict[str, PartKind] = {}
        self.excused = self._excused()
        self.dice: dict[str, tuple[int, ...]] = {}
        self.entries: dict[str, Span] = {}

    def _excused(self) -> frozenset[str]:
        """All names of the file."""
        found = set[str]()
        for section in ("attributes", "derived", "resources", "tracks", "clocks", "entries", "lists"):
            found.update(self.written_in(section))
        return frozenset(found)

    def name_everything(self) -> None:
        """Note what each name stands for, and names that stand twice."""
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
                self.check_name((section, name), name)
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

    def check_name(self, path: Path, name: str) -> None:
        """Refuse a name that means something in expressions."""
        is_word = name in RESERVED | set(CONSTANTS) | {VALUE, THEIRS, "up", "down"}
        if is_word or re.fullmatch(r"d[0-9]*", name):
            self.problems.add(path, f"“{name}” has a meaning in expressions already. Choose another name.")

    def written_in(self, section: str) -> Iterable[str]:
        """The names that stand in a section of the file, whether sound or not."""
        table = self.written.get(section)
        return table if isinstance(table, dict) else ()

    def sheet(self) -> Scope:
        """The names of a sheet."""
        return Scope({*self.kinds, *CONSTANTS}, self.excused)

    def expression(
        self, path: Path, code: str, scope: Scope, *, with_dice: bool = False
    ) -> Expression | None:
        """Read an expression and look its names up."""
        found = self.problems.read(path, lambda text: expression(text, with_dice=with_dice), code)
        return found if found is not None and self.are_known(path, found, scope) else None

    def are_known(self, path: Path, found: Expression, scope: Scope) -> bool:
        """Whether an expression has only known names; note those that are not."""
        wrong = {name for name in names_in(found) if name not in scope.names}
        for name in sorted(wrong):
            if name.partition(".")[2] not in scope.excused and name not in scope.excused:
                self.problems.unknown(path, name, "no name I know here", scope.names)
        return not wrong

    def amount(self, path: Path, written: int | str | None) -> Expression | None:
        """Read a number or an expression."""
        if written is None:
            return None
        if isinstance(written, int):
            return Number(written)
        return self.expression(path, written, self.sheet())

    def effects(
        self,
        path: Path,
        codes: Sequence[str],
        scope: Scope,
        questions: Mapping[str, OwnQuestion] | None = None,
        owners: Iterable[str] = (),
    ) -> tuple[GameEffect, ...]:
        """Read effects: what they change, how, and by how much."""
        found = [self._effect(path, code, scope, questions or {}, tuple(owners)) for code in codes]
        return tuple(one for one in found if one is not None)

    def _effect(
        self,
        path: Path,
        code: str,
        scope: Scope,
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
            owner, _, own = target.rpartition(".")
            is_excused = own in self.excused and owner in ("", *owners)
            if not is_excused or target in self.kinds or target in questions:
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
        read_amount = self.expression(path, amount or "1", scope, with_dice=True)
        return GameEffect(target, sign, read_amount) if read_amount is not None else None

    def _are_dice(self, target: str, questions: Mapping[str, OwnQuestion]) -> bool:
        question = questions.get(target)
        if question is None:
            return target.rpartition(".")[2] in self.dice
        if question.kind is QuestionKind.ENTRY:
            return bool(self.entries[question.entries].steps)
        return any(name in self.dice for name in question.names)


_EFFECT = re.compile(rf"({KEY}(?:\.{KEY})?)\s*((?:(?<=\s)(?:up|down)\b)|[+=-])\s*(.*)", re.DOTALL)
