"""The names of a game: what each stands for, and expressions and effects looked up among them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.rules.kernel.parsing import Path
from bot.rules.own.expressions import RESERVED, Expression, Number, excerpt, expression, names_in
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
from bot.rules.own.game_problems import Problems


@dataclass(slots=True)
class Scope:
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
