"""The line numbers of the values in a TOML or JSON file."""

import json
from bisect import bisect_right
from collections.abc import Mapping
from enum import StrEnum

Path = tuple[str | int, ...]

_QUOTES = ('"""', "'''", '"', "'")


class FileKind(StrEnum):
    """The two file formats."""

    TOML = "toml"
    JSON = "json"


def lines_of(text: str, kind: FileKind) -> Mapping[Path, int]:
    """The line (from 1) of every value in a file that parses without errors.

    Args:
        text: The file.
        kind: How it is written.
    """
    scanner = _Scanner(text)
    if kind is FileKind.JSON:
        scanner.value(())
    else:
        scanner.toml()
    return scanner.lines


def line_of(lines: Mapping[Path, int], path: Path) -> int | None:
    """The line of a value or of its nearest container; None for the whole file."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return None


class _Scanner:
    """Scans a valid file and records where its values begin."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._text = text
        self._at = 0
        self._starts = [0, *(place + 1 for place, sign in enumerate(text) if sign == "\n")]
        self._counts: dict[Path, int] = {}

    def toml(self) -> None:
        """Scan a TOML file."""
        base: Path = ()
        while self._skip():
            if self._takes("[["):
                head = self._head(self._key())
                self._counts[head] = self._counts.get(head, 0) + 1
                base = (*head, self._counts[head] - 1)
                self._note(base)
                self._takes("]]")
            elif self._takes("["):
                base = self._head(self._key())
                self._note(base)
                self._takes("]")
            else:
                self._field(base)

    def value(self, path: Path) -> None:
        """Scan one value with everything in it."""
        self._skip()
        self._note(path)
        if self._takes("{"):
            while self._skip() and not self._takes("}"):
                self._field(path)
                self._comma()
        elif self._takes("["):
            place = 0
            while self._skip() and not self._takes("]"):
                self.value((*path, place))
                place += 1
                self._comma()
        elif self._text.startswith(_QUOTES, self._at):
            self._string()
        else:
            self._bare(",]}\n#")

    def _field(self, base: Path) -> None:
        begun = self._at
        path = (*base, *self._key())
        self._note(path, begun)
        self._skip()
        self._at += 1  # the sign between name and value
        self.value(path)

    def _comma(self) -> None:
        self._skip()
        self._takes(",")

    def _head(self, parts: tuple[str, ...]) -> Path:
        """The path of a table header; in a list of tables, the last table."""
        path: Path = ()
        for number, part in enumerate(parts, start=1):
            path = (*path, part)
            if number < len(parts) and path in self._counts:
                path = (*path, self._counts[path] - 1)
        return path

    def _key(self) -> tuple[str, ...]:
        parts: list[str] = []
        while True:
            self._skip()
            quoted = self._text.startswith(_QUOTES, self._at)
            parts.append(self._string() if quoted else self._bare(" \t.=:]"))
            self._skip()
            if not self._takes("."):
                return tuple(parts)

    def _string(self) -> str:
        quote = next(quote for quote in _QUOTES if self._text.startswith(quote, self._at))
        begun = self._at
        self._at += len(quote)
        while not self._text.startswith(quote, self._at):
            self._at += 2 if quote[0] == '"' and self._text[self._at] == "\\" else 1
        self._at += len(quote)
        while len(quote) > 1 and self._text.startswith(quote[0], self._at):  # quotes right before the end
            self._at += 1
        inside = self._text[begun + len(quote) : self._at - len(quote)]
        try:
            return str(json.loads(f'"{inside}"')) if quote == '"' else inside
        except ValueError:  # an escape that only TOML knows
            return inside

    def _bare(self, ends: str) -> str:
        begun = self._at
        while self._at < len(self._text) and self._text[self._at] not in ends:
            self._at += 1
        return self._text[begun : self._at].strip()

    def _skip(self) -> bool:
        """Skip to the next significant character; False at the end of the file."""
        while self._at < len(self._text):
            if self._text[self._at] == "#":
                self._bare("\n")
            elif self._text[self._at] in " \t\r\n\ufeff":
                self._at += 1
            else:
                return True
        return False

    def _takes(self, sign: str) -> bool:
        if not self._text.startswith(sign, self._at):
            return False
        self._at += len(sign)
        return True

    def _note(self, path: Path, at: int | None = None) -> None:
        self.lines.setdefault(path, bisect_right(self._starts, self._at if at is None else at))
