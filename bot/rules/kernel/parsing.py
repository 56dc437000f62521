"""Safe parsing of people's TOML and JSON: the amount is checked first.

`tomllib` remembers every beginning of a dotted key, so that one key of 40 kB takes a gigabyte. What is let
through here is parsed within a second and a few megabytes, whatever it says.
"""

import json
import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

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


class TomlPlaces(Struct, frozen=True):
    """Where everything stands in a TOML file that parses without errors: first and last place of each."""

    names: Mapping[Path, int]  # where the name of each field begins
    values: Mapping[Path, tuple[int, int]]  # the value of each field, and each value within it
    headers: Mapping[Path, tuple[int, int]]  # the line of each table's header, brackets included


def places_of(text: str) -> TomlPlaces:
    """Where the names, values and headers of a TOML file stand; those of lists of tables are left out.

    Args:
        text: The file.
    """
    scanner = _Scanner(text)
    scanner.toml()
    return TomlPlaces(scanner.names, scanner.values, scanner.headers)


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
        self.names: dict[Path, int] = {}
        self.values: dict[Path, tuple[int, int]] = {}
        self.headers: dict[Path, tuple[int, int]] = {}
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
                begun = self._at - 1
                base = self._head(self._key())
                self._note(base)
                self._takes("]")
                self.headers.setdefault(base, (begun, self._at))
            else:
                self._field(base)

    def value(self, path: Path) -> None:
        """Scan one value with everything in it."""
        self._skip()
        self._note(path)
        begun = self._at
        self._value(path)
        self.values.setdefault(path, (begun, begun + len(self._text[begun : self._at].rstrip())))

    def _value(self, path: Path) -> None:
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
        self.names.setdefault(path, begun)
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


MOST_DEPTH = 16  # brackets within brackets; a module has 7
MOST_PARTS = 8  # parts of a dotted key; a module has 5
MOST_VALUES = 25_000  # the largest module that comes with the program has 3,600
LONGEST_WORD = 200  # the name of a field, or a number
LONGEST_LINE = 8192  # of TOML; JSON is often written as one line

_SIGNS = {
    FileKind.TOML: re.compile(r"\"{3}|'{3}|[\"'#\[\]{}.,=\n]|" + rf"[\w+-]{{{LONGEST_WORD + 1}}}"),
    FileKind.JSON: re.compile(r"[\"\[\]{}:,]|" + rf"[\w.+-]{{{LONGEST_WORD + 1}}}"),
}
_ENDS = {
    '"""': re.compile(r'[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+"{3,5}', re.DOTALL),
    "'''": re.compile(r"[^']*+(?:'(?!'')[^']*+)*+'{3,5}"),
    '"': re.compile(r'[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'),
    "'": re.compile(r"[^'\n]*+'"),
    "#": re.compile(r"[^\n]*+"),
}
_LONG_LINE = re.compile(rf"^[^\n]{{{LONGEST_LINE + 1}}}", re.MULTILINE)


NO_NUMBER = "this should be a number, not true or false"


class Unreadable(ValueError):
    """A text that cannot or must not be parsed; the message is a sentence without its full stop."""


def parse(text: str, kind: FileKind) -> object:
    """Parse a text that somebody wrote.

    Args:
        text: The text; how long it may be is its reader's to say.
        kind: How it is written.

    Raises:
        Unreadable: If it is not written so, or there is too much in it.
    """
    _check_measure(text, kind)
    try:
        if kind is FileKind.TOML:
            return tomllib.loads(text)
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_without_doubles)
    except json.JSONDecodeError as error:
        raise Unreadable(f"This isn't JSON: {error.msg}, line {error.lineno}, column {error.colno}") from None
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"This isn't TOML: {error}") from None


def typed_list(value: object) -> object:
    """Parse a text as JSON; an empty text is an empty list."""
    return (parse(value, FileKind.JSON) if value.strip() else []) if isinstance(value, str) else value


def typed_table(value: object) -> object:
    """Parse names with numbers ("stress 0, high 1"), or JSON; an empty text is an empty table."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith(("{", "[")):
        return parse(value, FileKind.JSON)
    if value.strip().casefold() == "none":
        return {}
    pairs = (part.rsplit(maxsplit=1) for part in value.split(",") if part.strip())
    return {pair[0].casefold(): pair[-1] for pair in pairs}


def split_at_commas(value: object) -> object:
    """Split a text at its commas; leave anything else as it is."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse a name that stands twice in a table: one of its values would be lost."""
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for at, name in enumerate(names) if name in names[:at])
        raise Unreadable(f"“{double[:40]}” stands twice in the same table")
    return table


def flags_read_as_numbers(given: object, read: object, path: Path = ()) -> Iterator[Path]:
    """Where a true or false was given and a number read: Python takes them for 1 and 0.

    Args:
        given: The values as they were given.
        read: The document made of them, as plain values.
        path: Where both stand.
    """
    if isinstance(given, bool):
        if isinstance(read, int | float) and not isinstance(read, bool):
            yield path
    elif isinstance(given, dict) and isinstance(read, dict):
        for name, value in given.items():
            yield from flags_read_as_numbers(value, read.get(name), (*path, name))
    elif isinstance(given, list | tuple) and isinstance(read, list | tuple) and len(given) == len(read):
        for at, (value, other) in enumerate(zip(given, read, strict=True)):
            yield from flags_read_as_numbers(value, other, (*path, at))


def _refuse_constant(written: str) -> float:
    """Refuse NaN and infinities: Python reads them, but they are not JSON."""
    raise Unreadable(f"This isn't JSON: {written} isn't a number")


def _check_measure(text: str, kind: FileKind) -> None:
    """Refuse a text that is too large or too deeply nested.

    What the parser would refuse is left to it: it reads no further than this has looked.
    """
    if kind is FileKind.TOML and (long := _LONG_LINE.search(text)):
        raise _too_much(text, long.start(), f"is longer than {LONGEST_LINE:,} characters")
    at = depth = dots = values = string_length = 0
    while found := _SIGNS[kind].search(text, at):
        sign, begun, at = found[0], found.start(), found.end()
        if sign in _ENDS:
            ended = _ENDS[sign].match(text, at)
            if ended is None:
                return
            at = ended.end()
            string_length = 0 if sign == "#" else at - begun - 2
            continue
        if len(sign) > LONGEST_WORD or (sign in "=.:" and string_length > LONGEST_WORD):
            raise _too_much(text, begun, f"has a name or number of more than {LONGEST_WORD} characters")
        depth += (sign in "[{") - (sign in "]}")
        dots = dots + 1 if sign == "." else 0
        values += sign in "[{,=:"
        string_length = 0
        if depth > MOST_DEPTH:
            raise _too_much(text, begun, f"has more than {MOST_DEPTH} brackets within each other")
        if dots >= MOST_PARTS:
            raise _too_much(text, begun, f"has a name of more than {MOST_PARTS} parts")
        if values > MOST_VALUES:
            raise Unreadable(f"There are more than {MOST_VALUES:,} values in it")


def _too_much(text: str, at: int, what: str) -> Unreadable:
    return Unreadable(f"Line {text.count(chr(10), 0, at) + 1} {what}")
