"""Changing a game's file in place: only what changes is written anew, so that notes, order and layout stay.

A file is parsed, changed as plain values, and compared with what it was; the differences become edits of the
text. The result is parsed again, so that an unusual layout is refused and never written wrong.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from bot.rules.kernel import FileKind, Unreadable, parse
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.parsing import Path, places_of
from bot.rules.own.expressions import RESERVED
from bot.rules.own.game_check import plain_text
from bot.rules.own.game_file import MOST_BYTES, GameFile
from bot.rules.own.game_parts import CONSTANTS, THEIRS, VALUE

Values = dict[str, object]

LONGEST_FIELD = 4000  # what a form's field takes
MOST_LINES = 100
MOST_REFUSED = 5

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WITH_HEADERS = ("lists", "checks", "moves", "npcs", "heroes")  # each entry is a table with a header
_ORDER = tuple(GameFile.model_fields)


class NotByForm(UserError):
    """A file is written in a way that forms can't change."""

    def __init__(
        self, what: str = "This part of the file is laid out in a way that forms can't change."
    ) -> None:
        super().__init__(what, try_this="Export the game, change the file, and import it again.")


def values_of(text: str) -> Values:
    """What stands in a game's file, as plain values.

    Raises:
        NotByForm: If it is no TOML.
    """
    try:
        found = parse(plain_text(text), FileKind.TOML)
    except (Unreadable, RecursionError) as error:
        raise NotByForm(f"{error}.") from None
    return found if isinstance(found, dict) else {}


def rewritten(text: str, wanted: Mapping[str, object]) -> str:
    """Write a file so that other values stand in it.

    Args:
        wanted: All that is to stand in it.

    Raises:
        UserError: If the file becomes too large, or forms can't change it.
    """
    plain = plain_text(text)
    editor = _Editor(plain)
    editor.table((), values_of(plain), wanted)
    written = editor.text()
    if (size := len(written.encode("utf-8", "replace"))) > MOST_BYTES:
        raise UserError(
            f"The game would have {size:,} bytes; {MOST_BYTES:,} is the most.", "Shorten some texts first."
        )
    try:
        is_right = values_of(written) == wanted
    except NotByForm:
        is_right = False
    if not is_right:
        raise NotByForm
    return written


class Edited(Struct, frozen=True):
    """A game after a form."""

    text: str
    refused: tuple[str, ...] = ()  # the lines that were not understood, each with what to write
    removed: tuple[str, ...] = ()  # the lines of what is gone


class NotRead(ValueError):
    """A line that is not understood; the message says what to write."""


HEADER = "#: "  # how the lines begin that an export writes above a game
_ORIGIN = re.compile(r"#: from ([0-9]{1,20} [0-9a-f]{8,64})\b")


def with_header(text: str, server: int, hash_: str, version: int) -> str:
    """A game as it is given away: its own text, and above it what it is, whose, and where it comes from.

    Args:
        server: The server that it is given away from.
        hash_: The hash of its text.
        version: How often it was published there.
    """
    try:
        values = values_of(text)
    except NotByForm:
        values = {}
    state = f"version {version}" if version else "not published"
    by = [words_of(values.get("credit")), words_of(values.get("licence"))]
    lines = [
        f"{words_of(values.get('name'))}, {state}",
        f"from {server} {hash_}",
        " · ".join(one for one in by if one),
    ]
    above = "".join(f"{HEADER}{' '.join(line.split())}\n" for line in lines if line)
    return above + without_header(text)


def without_header(text: str) -> str:
    """A game without what an export wrote above it."""
    return re.sub(rf"\A(?:{HEADER}[^\n]*\n)+", "", plain_text(text))


def as_copy(text: str, server: int) -> str:
    """A game that somebody brings to a server: without the header; one of another server names its origin."""
    own = without_header(text)
    found = _ORIGIN.search(plain_text(text)[: -len(own) or None])
    if found is None or found[1].split()[0] == str(server):
        return own
    try:
        return rewritten(own, {**values_of(own), "origin": found[1]})
    except UserError:  # its check says why
        return own


class _Editor:
    """Collects the edits of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        places = places_of(text)
        self._names, self._values, self._headers = places.names, places.values, places.headers
        self._edits: list[tuple[int, int, str]] = []
        # The fields with lines of their own, and the headers, under each beginning of their paths.
        self._under: dict[Path, list[tuple[int, int]]] = {}
        fields = {
            name: (at, self._values[name][1])
            for name, at in self._names.items()
            if not self._is_under_other(name)
        }
        for name, place in (*fields.items(), *self._headers.items()):
            for length in range(1, len(name) + 1):
                self._under.setdefault(name[:length], []).append(place)

    def text(self) -> str:
        """The text with all edits."""
        written, at = [], 0
        for begin, end, new in sorted(self._edits, key=lambda one: one[:2]):
            if begin < at:
                raise NotByForm
            written += [self._text[at:begin], new]
            at = end
        whole = "".join([*written, self._text[at:]])
        return re.sub(r"\n{3,}", "\n\n", whole) if '"""' not in whole and "'''" not in whole else whole

    def table(self, path: Path, old: Mapping[str, object], new: Mapping[str, object]) -> None:
        """Change a table whose fields stand on lines of their own."""
        for key in old:
            if key not in new:
                self._remove((*path, key))
        for key, value in new.items():
            if key not in old:
                self._add(path, key, value)
            elif old[key] != value:
                self._change((*path, key), old[key], value)

    def _change(self, path: Path, old: object, new: object) -> None:
        if path in self._values:
            self._inside(path, old, new)
        elif isinstance(old, dict) and isinstance(new, dict):
            self.table(path, old, new)
        else:
            self._remove(path)
            self._add(path[:-1], str(path[-1]), new)

    def _inside(self, path: Path, old: object, new: object) -> None:
        """Change a value that stands behind its name, as little of it as can be."""
        if isinstance(old, dict) and isinstance(new, dict) and list(old) == list(new):
            for key, value in new.items():
                if old[key] != value and (*path, key) in self._values:
                    self._inside((*path, key), old[key], value)
                elif old[key] != value:
                    self._replace(path, new)
                    return
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            for at, value in enumerate(new):
                if old[at] != value:
                    self._inside((*path, at), old[at], value)
        else:
            self._replace(path, new)

    def _replace(self, path: Path, value: object) -> None:
        begin, end = self._values[path]
        self._edits.append((begin, end, _written(value)))

    def _remove(self, path: Path) -> None:
        """Remove a field with its line, or a table with everything under it."""
        if path not in self._under:
            raise NotByForm
        for begin, end in self._under[path]:
            self._cut(begin, end)

    def _cut(self, begin: int, end: int) -> None:
        begin = self._text.rfind("\n", 0, begin) + 1
        self._edits.append((begin, self._line_end(end), ""))

    def _add(self, path: Path, key: str, value: object) -> None:
        if isinstance(value, dict) and (not path or (path[0] in _WITH_HEADERS and len(path) == 1)):
            self._add_tables((*path, key), value)
            return
        fields = [name for name in self._names if name[:-1] == path and not self._is_under_other(name)]
        if fields:
            last = max(fields, key=lambda name: self._names[name])
            begin = self._names[last]
            width = self._text.find("=", begin) - begin  # the signs = stay below each other
            at = self._line_end(self._values[last][1])
            line = f"{_key(key).ljust(width - 1)} = {_written(value)}\n"
        elif path in self._headers:
            at, line = self._line_end(self._headers[path][1]), f"{_key(key)} = {_written(value)}\n"
        elif path:
            self._add_tables(path, {key: value})
            return
        else:
            at, line = 0, f"{_key(key)} = {_written(value)}\n"
        self._insert(at, line)

    def _is_under_other(self, name: Path) -> bool:
        """Whether a field was written with dots, or within braces, and so does not stand in its table."""
        return any(name[:length] in self._values for length in range(1, len(name)))

    def _add_tables(self, path: Path, value: Mapping[str, object]) -> None:
        """Write a table under a header, at its place among the others."""
        section, at = str(path[0]), len(self._text)
        rank = _ORDER.index(section) if section in _ORDER else len(_ORDER)
        before = [
            table for table in self._headers if table[0] in _ORDER and _ORDER.index(str(table[0])) <= rank
        ]
        if before and not (len(path) == 1 and any(table[0] == section for table in before)):
            at = max(self._end_of(table) for table in before)
        elif self._headers:
            later = [table for table in self._headers if not before or table[0] == section]
            at = min(self._headers[table][0] for table in later)
            self._insert(at, _tables(path, value) + "\n")
            return
        self._insert(at, "\n" + _tables(path, value))

    def _end_of(self, table: Path) -> int:
        """Where a table's last line ends."""
        begin, end = self._headers[table]
        later = min((one for one, _ in self._headers.values() if one > begin), default=len(self._text))
        ends = [self._values[name][1] for name, at in self._names.items() if begin < at < later]
        return self._line_end(max([end, *ends]))

    def _line_end(self, at: int) -> int:
        found = self._text.find("\n", at)
        return len(self._text) if found < 0 else found + 1

    def _insert(self, at: int, line: str) -> None:
        is_open = at == len(self._text) and at > 0 and not self._text.endswith("\n")
        self._edits.append((at, at, ("\n" if is_open else "") + line))


def _tables(path: Path, value: Mapping[str, object]) -> str:
    """A table with its header; in sections of large entries, each entry with one of its own."""
    if len(path) == 1 and path[0] in _WITH_HEADERS:
        return "\n".join(_tables((*path, key), row) for key, row in value.items() if isinstance(row, dict))
    width = max((len(_key(key)) for key in value), default=0)
    lines = [f"{_key(key).ljust(width)} = {_written(one)}\n" for key, one in value.items()]
    return "".join([f"[{'.'.join(_key(str(step)) for step in path)}]\n", *lines])


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _written(name)


def _written(value: object) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(str(name))} = {_written(one)}" for name, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, Sequence):
        if any(isinstance(one, Mapping) for one in value) and len(value) > 1:
            return "".join(["[\n", *(f"  {_written(one)},\n" for one in value), "]"])
        return f"[{', '.join(_written(one) for one in value)}]"
    return str(value)


# --- what all forms use --------------------------------------------------------------------------


class NameReader:
    """Reads what people write about a game's names: a label counts as its key.

    Args:
        keys: The keys of labels that are not in it yet.
    """

    def __init__(self, values: Values, keys: Mapping[str, str] | None = None) -> None:
        self.values = values
        self._keys = {label.casefold(): key for label, key in (keys or {}).items()}
        for section in ("attributes", "resources", "tracks", "clocks", "entries", "lists"):
            for key, row in rows_of(values, section).items():
                self._keys.setdefault(label_of(row, key).casefold(), key)
        labels = sorted((one for one in self._keys if self._keys[one] != one), key=len, reverse=True)
        pattern = "|".join(map(re.escape, labels))
        self._labels = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE) if labels else None
        self._cased = {key: key for key in self._keys.values()}

    def read(self, written: str) -> str:
        """An expression, with keys for labels."""
        plain = " ".join(written.replace("−", "-").replace("×", "*").split())
        if self._labels is not None:
            plain = self._labels.sub(lambda found: self._keys[found[0].casefold()], plain)
        return re.sub(r"[A-Za-z]\w*", lambda found: self._cased.get(found[0].lower(), found[0]), plain)

    def effects(self, written: str) -> list[str]:
        """Several effects with commas between them; those within parentheses part nothing."""
        parts, depth = [""], 0
        for sign in self.read(written):
            depth += (sign == "(") - (sign == ")")
            if sign == "," and depth <= 0:
                parts.append("")
            else:
                parts[-1] += sign
        return [one.strip() for one in parts if one.strip()]

    def key_of(self, written: str) -> str:
        """The key of a label, or what was written."""
        return self._keys.get(written.casefold(), written)


def merged(row: Values, said: Values, typed: Values) -> Values:
    """Change in a table what is typed otherwise than it was said; the rest stays."""
    changed = {key: value for key, value in row.items() if key not in said or key in typed}
    for key, value in typed.items():
        old, before = changed.get(key), said.get(key)
        if isinstance(value, dict) and isinstance(before, dict) and isinstance(old, dict):
            changed[key] = merged(old, before, value)
        elif key not in said or before != value:
            changed[key] = value
    return changed


def merged_rows(old: object, said: object, typed: object) -> list[Values]:
    """The same for the rows of a list: a row is the one of its name, else the one at its place."""
    rows, before, now = listed_rows(old), listed_rows(said), listed_rows(typed)
    names = [words_of(one.get("name", one.get("label"))) for one in before]
    changed = []
    for place, row in enumerate(now):
        name = words_of(row.get("name", row.get("label")))
        at = names.index(name) if name in names else place if len(before) == len(now) else len(rows)
        is_there = at < len(rows) and at < len(before)
        changed.append(merged(rows[at], before[at], row) if is_there else row)
    return changed


def with_missing(typed: Values, said: Values) -> Values:
    """What was typed, with what was there before where nothing is said of it now."""
    whole = {**said, **typed}
    for key, value in typed.items():
        before = said.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            whole[key] = {**before, **value}
        elif isinstance(value, list) and isinstance(before, list):
            named = {str(one.get("name", one.get("label"))) for one in listed_rows(value)}
            missing = [
                one for one in listed_rows(before) if str(one.get("name", one.get("label"))) not in named
            ]
            whole[key] = [*value, *missing]
    return whole


def put(values: Values, section: str, key: str, row: Values) -> Values:
    """Put an entry into a section."""
    return {**values, section: {**table_of(values.get(section)), key: row}}


def without(text: str, values: Values, section: str, key: str) -> Edited:
    """Remove an entry of a section; one that is not there yet was not named."""
    if not key:
        return Edited(text, ("It has no name, so nothing was added.",))
    rows = {name: row for name, row in table_of(values.get(section)).items() if name != key}
    wanted = {**values, section: rows}
    if not rows:
        del wanted[section]
    return Edited(rewritten(text, wanted))


_TEXTS = ("label", "text", "full", "empty", "name", "group", "credit", "licence", "rules", "words", "command")


def with_key_renamed(values: Values, old: str, new: str) -> Values:
    """Call something by another key wherever the game names it; texts stay."""
    pattern = re.compile(rf"(?<![\w]){re.escape(old)}(?!\w)")

    def renamed(value: object, *, is_text: bool) -> object:
        if isinstance(value, dict):
            return {
                (new if key == old and not is_text else key): renamed(one, is_text=is_text or key in _TEXTS)
                for key, one in value.items()
            }
        if isinstance(value, list):
            return [renamed(one, is_text=is_text) for one in value]
        return pattern.sub(new, value) if isinstance(value, str) and not is_text else value

    return {key: renamed(value, is_text=key in (*_TEXTS, "format")) for key, value in values.items()}


def numbered(typed: str) -> Iterator[tuple[int, str]]:
    """The lines of a form that say something, each with its number."""
    lines = typed.splitlines()[:MOST_LINES]
    return ((number, line.strip()) for number, line in enumerate(lines, start=1) if line.strip())


def key_from(label: str) -> str:
    """The name in the file of something with a label: “The storm” is storm."""
    bare = re.sub(r"^(the|a|an)\s+", "", label.strip().casefold())
    plain = re.sub(r"[^a-z0-9]+", "_", bare).strip("_")
    return (plain if plain[:1].isalpha() else f"x_{plain}").strip("_")[:28]


def new_key(label: str, taken: Iterable[str]) -> str:
    """The same for something new, where some names are taken."""
    key, others, number = key_from(label), set(taken) | _RESERVED, 1
    made = key
    while made in others or re.fullmatch("d[0-9]*", made):
        number += 1
        made = f"{key}_{number}"
    return made


_RESERVED = RESERVED | set(CONSTANTS) | {VALUE, THEIRS, "up", "down"}


def all_keys(values: Values) -> list[str]:
    """The keys of everything that expressions can name, and of checks and moves."""
    return [
        key
        for section in (
            "attributes",
            "derived",
            "resources",
            "tracks",
            "clocks",
            "entries",
            "lists",
            "checks",
            "moves",
        )
        for key in table_of(values.get(section))
    ]


def rows_of(values: Values, section: str) -> dict[str, Values]:
    """The entries of a section, by key."""
    return {key: row for key, row in table_of(values.get(section)).items() if isinstance(row, dict)}


def row_of(text: str, section: str, key: str) -> Values:
    """An entry of a section.

    Raises:
        UserError: If it is gone.
    """
    row = rows_of(values_of(text), section).get(key)
    if row is None:
        raise UserError("That is no longer in the game.", "Open the game again.")
    return row


def table_of(value: object) -> Values:
    """A table; an empty one where there is something else."""
    return value if isinstance(value, dict) else {}


def listed_rows(value: object) -> list[Values]:
    """The tables of a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def label_of(row: Values, key: str) -> str:
    """What people read for an entry."""
    return words_of(row.get("label")) or key


def key_named(rows: Mapping[str, Values], name: str) -> str | None:
    """The key of an entry by its key or label, or None."""
    known = {label_of(row, key).casefold(): key for key, row in rows.items()}
    return name if name in rows else known.get(name.casefold())


def words_of(value: object) -> str:
    """A value as it is typed; nothing for None."""
    return "" if value is None else str(value)


def fitting(said: str) -> str:
    """A text for a field of a form.

    Raises:
        NotByForm: If it is longer than a form takes.
    """
    if len(said) > LONGEST_FIELD:
        raise NotByForm("This list is longer than a form takes.")
    return said
