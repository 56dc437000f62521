"""Lists of a game as people write them in a form: one thing a line.

What is shown of a thing is read back in the same way as what is typed, and only the difference changes the
game: what a line can't say stays as it is in the file.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.rules.own.expressions import excerpt
from bot.rules.own.game_file import MOST_LABEL
from bot.rules.own.game_text import (
    MOST_LINES,
    MOST_REFUSED,
    Edited,
    NameReader,
    NotRead,
    Values,
    all_keys,
    fitting,
    key_from,
    label_of,
    merged,
    new_key,
    numbered,
    rewritten,
    rows_of,
    table_of,
    values_of,
    with_key_renamed,
    words_of,
)

_NUMBER = r"[+-]?[0-9]{1,7}"


class ListPart(StrEnum):
    """What is written as a list, one thing a line."""

    STATS = "attributes"
    COUNTERS = "resources"
    WOUNDS = "tracks"
    CLOCKS = "clocks"


def lines_of_part(text: str, part: ListPart) -> str:
    """A list as a form shows it.

    Raises:
        NotByForm: If it is longer than a form takes.
    """
    values = values_of(text)
    rows = rows_of(values, part)
    if part is not ListPart.STATS:
        return fitting("\n".join(_said(part, row, key) for key, row in rows.items()))
    lines: list[str] = []
    groups = list(dict.fromkeys(words_of(row.get("group")) for row in rows.values()))
    for group in sorted(groups, key=bool):  # those of no group first
        lines += [f"{group}:"] if group else []
        lines += [_said(part, row, key) for key, row in rows.items() if words_of(row.get("group")) == group]
    derived = values.get("derived")
    named = derived.items() if isinstance(derived, dict) else ()
    return fitting("\n".join([*lines, *(f"{name} = {words_of(code)}" for name, code in named)]))


def creation_of(text: str) -> str:
    """How a character is made, as a form shows it: one thing a line."""
    create = table_of(values_of(text).get("create"))
    spread, points = create.get("spread"), table_of(create.get("points"))
    lines = [", ".join(map(str, spread))] if isinstance(spread, list) and spread else []
    if points:
        each = f", {points['each']} each" if "each" in points else ""
        group = f", {points['group']}" if "group" in points else ""
        lines.append(f"{words_of(points.get('total'))} points{each}{group}")
    lines += [f"{name} = {words_of(code)}" for name, code in table_of(create.get("roll")).items()]
    lines += [words_of(question) for question in table_of(create.get("ask")).values()]
    return fitting("\n".join(lines))


def with_lines(
    text: str, part: ListPart, typed: str, *, creation: str | None = None, is_published: bool = False
) -> Edited:
    """Change a list to what was typed.

    Args:
        text: The game.
        part: Which list.
        typed: One thing a line.
        creation: How a character is made, one thing a line; None leaves it as it is.
        is_published: Whether characters may have what is in it: then a new label changes no key.
    """
    values = values_of(text)
    rows = rows_of(values, part)
    labels = {label_of(row, key): key for key, row in rows.items()}
    known = NameReader(values)
    as_shown = dict(_unreadable(part, rows, known))
    first, _ = _read_lines(part, typed, known, as_shown)
    names = [one.label for one in first if "code" not in one.fields]
    renamed = _renamed_labels(labels, names)
    keys, taken = {**labels, **renamed}, set(all_keys(values))
    for name in names:
        if name not in keys:
            keys[name] = new_key(name, taken)
            taken.add(keys[name])
    lines, refused = _read_lines(part, typed, NameReader(values, keys), as_shown)  # they may name each other
    derived = {one.label: one.fields["code"] for one in lines if "code" in one.fields}
    made: Values = {}
    for one in lines:
        if "code" in one.fields:
            continue
        key = keys[one.label]
        said = _fields_said(part, rows[key], key, known) if key in rows else {}
        row = merged(rows.get(key, {"label": one.label}), said, one.fields)
        made[key] = row if label_of(row, key) == one.label else {**row, "label": one.label}
    if refused:  # what was meant by them may be there already: nothing is removed
        made = {**rows, **made}
    wanted = {**values, str(part): {key: made[key] for key in [*rows, *made] if key in made}}
    if not made:
        wanted.pop(str(part), None)
    if part is ListPart.STATS:
        _put_derived(wanted, derived, is_whole=not refused)
    if creation is not None:
        refused += _put_creation(wanted, creation_of(text), creation, NameReader(values, keys))
    if not is_published:
        for label, key in renamed.items():
            wanted = with_key_renamed(wanted, key, new_key(label, taken))
    removed = tuple(_said(part, row, key) for key, row in rows.items() if key not in made)
    return Edited(rewritten(text, wanted), tuple(refused[:MOST_REFUSED]), removed)


@dataclass(frozen=True, slots=True)
class _ReadLine:
    label: str
    fields: Values


def _unreadable(part: ListPart, rows: Mapping[str, Values], code: NameReader) -> Iterator[tuple[str, str]]:
    """The lines of what a line can't say: they stay as they are shown, each with its label."""
    for key, row in rows.items():
        line = _said(part, row, key)
        try:
            _read_line(part, line, code)
        except NotRead:
            yield line, label_of(row, key)


def _read_lines(
    part: ListPart, typed: str, code: "NameReader", as_shown: Mapping[str, str]
) -> tuple[list[_ReadLine], list[str]]:
    found: dict[str, _ReadLine] = {}
    refused: list[str] = []
    group = ""
    for number, line in enumerate(typed.splitlines(), start=1):
        line = line.strip()
        try:
            if not line:
                continue
            if number > MOST_LINES:
                raise NotRead(f"{MOST_LINES} lines are the most.")
            if part is ListPart.STATS and line.endswith(":"):
                group = line[:-1].strip()
                continue
            if part is ListPart.STATS and "=" in line:
                name, _, written = line.partition("=")
                found[name] = _ReadLine(key_from(name), {"code": code.read(written)})
                continue
            is_shown = line in as_shown
            one = _ReadLine(as_shown[line], {}) if is_shown else _read_line(part, line, code)
            if len(one.label) > MOST_LABEL:
                raise NotRead(f"its name has {len(one.label)} characters; {MOST_LABEL} is the most.")
            if one.label in found:
                raise NotRead("this name is there already.")
            found[one.label] = _ReadLine(one.label, one.fields | ({"group": group} if group else {}))
        except NotRead as error:
            refused.append(f"line {number}, “{excerpt(line)}”: {error}")
    return list(found.values()), refused


def _renamed_labels(labels: Mapping[str, str], typed: Sequence[str]) -> dict[str, str]:
    """Which key has a new label: as many lines as before, and another name at the same place."""
    if len(labels) != len(typed):
        return {}
    gone = set(labels) - set(typed)
    return {
        new: labels[old] for old, new in zip(labels, typed, strict=True) if old in gone and new not in labels
    }


def _put_derived(wanted: Values, derived: Values, *, is_whole: bool) -> None:
    old = wanted.get("derived")
    before = old if isinstance(old, dict) else {}
    new = derived if is_whole else {**before, **derived}
    ordered = {name: new[name] for name in [*before, *new] if name in new}
    wanted.pop("derived", None) if not ordered else wanted.update(derived=ordered)


def _put_creation(wanted: Values, said: str, typed: str, code: NameReader) -> list[str]:
    refused: list[str] = []
    old = table_of(wanted.get("create"))
    asked = {words_of(question): key for key, question in table_of(old.get("ask")).items()}
    shown, now = _read_creation(said, code, asked, []), _read_creation(typed, code, asked, refused)
    if refused:  # nothing is removed for a line that was not understood
        now = {**shown, **now}
    create = merged(old, shown, now)
    wanted.pop("create", None) if not create else wanted.update(create=create)
    return refused


_SPREAD = re.compile(rf"(?:{_NUMBER}|d[0-9]{{1,3}})(?:[,;\s]+(?:{_NUMBER}|d[0-9]{{1,3}}))*")
_POINTS = re.compile(r"([0-9]{1,6}) points?(?:,\s*([0-9]{1,6}) each)?(?:,\s*(\w.*))?", re.IGNORECASE)


def _read_creation(typed: str, code: NameReader, asked: Mapping[str, str], refused: list[str]) -> Values:
    found: Values = {}
    rolls: Values = {}
    questions: Values = {}
    for number, line in numbered(typed):
        plain = line.replace("−", "-")
        if points := _POINTS.fullmatch(plain):
            each: Values = {"each": int(points[2])} if points[2] else {}
            group: Values = {"group": points[3]} if points[3] else {}
            found["points"] = {"total": int(points[1]), **each, **group}
        elif _SPREAD.fullmatch(plain):
            words = re.split(r"[,;\s]+", plain)
            found["spread"] = [one if one.startswith("d") else int(one) for one in words]
        elif line.endswith("?") or line in asked:
            questions[asked.get(line) or new_key(" ".join(line.split()[-3:]), questions)] = line
        elif "=" in line:
            name, _, written = plain.partition("=")
            rolls[code.key_of(name.strip())] = code.read(written)
        else:
            what = f"New characters, line {number}, “{excerpt(line)}”"
            refused.append(f"{what}: write it like 2, 1, 0 or 5 points, 2 each or What do you fear?")
    return found | ({"roll": rolls} if rolls else {}) | ({"ask": questions} if questions else {})


# --- what a line says, and how it is read ----------------------------------------------------------

_END = rf"{_NUMBER}|d[0-9]{{1,3}}|\(.+?\)"
_HEAD = re.compile(
    rf"(?P<label>.+?)(?:\s+(?:(?P<low>{_NUMBER}|d[0-9]{{1,3}})\s*(?:\.\.|–)\s*(?P<high>{_END})"
    rf"|(?P<begin>{_NUMBER})\s*/\s*(?P<cap>{_NUMBER})|(?P<die>d[0-9]{{1,3}})))?"
    r"(?:\s+start\s+(?P<start>.+?))?(?:\s+reset\s+(?P<reset>.+?))?"
)
_CLOCK = re.compile(r"(?P<label>.+?)\s+(?P<size>[0-9]{1,4})(?P<hidden>\s+hidden)?")
_TRACK = re.compile(r"(?P<label>[^:]+?)(?::\s*(?P<names>.+)|\s+(?P<number>[0-9]{1,4}))")
_EXAMPLES = {
    ListPart.STATS: "Bold -2..3",
    ListPart.COUNTERS: "Stress 0..9 reset session end",
    ListPart.WOUNDS: "Harm: Bruised, Bleeding, Dying",
    ListPart.CLOCKS: "The storm 6",
}


def _said(part: ListPart, row: Values, key: str) -> str:
    """The line of one thing; its bare name where a line can't say what it has."""
    label = label_of(row, key)
    match part:
        case ListPart.CLOCKS:
            line = f"{label} {words_of(row.get('size'))}{' hidden' if row.get('seen') == 'gm' else ''}"
        case ListPart.WOUNDS:
            boxes = row.get("boxes")
            named = (
                f": {', '.join(map(words_of, boxes))}" if isinstance(boxes, list) else f" {words_of(boxes)}"
            )
            line = label + named + _events("; heal", row.get("heal"))
        case _:
            line = label + _said_range(part, row) + _events(" reset", row.get("reset"))
    for name in ("full", "empty"):
        text, do = words_of(row.get(name)), row.get(f"{name}_do")
        done = f" -> {', '.join(map(words_of, do))}" if isinstance(do, list) and do else ""
        line += f"; {name}: {text}{done}" if text or done else ""
    return line.replace("\n", " ")


def _said_range(part: ListPart, row: Values) -> str:
    low, high, start = row.get("min"), row.get("max"), row.get("start")
    said = ""
    if high is not None or (low is not None and low != 0):
        shown = f"({high})" if isinstance(high, str) and not re.fullmatch(_END, high) else words_of(high)
        said = f" {words_of(low if low is not None else 0)}..{shown}"
    elif isinstance(start, str) and re.fullmatch("d[0-9]+", start):
        return f" {start}"
    is_usual = start is None or (part is ListPart.COUNTERS and start == 0)
    return said if is_usual else f"{said} start {words_of(start)}"


def _events(word: str, written: object) -> str:
    events = [written] if isinstance(written, str) else written if isinstance(written, list) else []
    return f"{word} {', '.join(map(words_of, events))}" if events else ""


def _fields_said(part: ListPart, row: Values, key: str, code: "NameReader") -> Values:
    """What the line of a thing says, as it is read."""
    group = {"group": row["group"]} if part is ListPart.STATS and row.get("group") else {}
    try:
        return _read_line(part, _said(part, row, key), code).fields | group
    except NotRead:
        return group


def _read_line(part: ListPart, line: str, code: "NameReader") -> _ReadLine:
    head, *more = (one.strip() for one in line.replace("−", "-").split(";"))
    try:
        match part:
            case ListPart.CLOCKS:
                label, fields = _read_clock(head)
            case ListPart.WOUNDS:
                label, fields = _read_track(head)
            case _:
                label, fields = _read_head(part, head, code)
    except NotRead:
        raise NotRead(f"write it like {_EXAMPLES[part]}") from None
    for one in more:
        name, colon, text = (each.strip() for each in one.partition(":"))
        said, arrow, do = (each.strip() for each in text.partition("->"))
        if name in ("full", "empty") and colon and part is not ListPart.STATS:
            fields |= {name: said} if said else {}
            fields |= {f"{name}_do": code.effects(do)} if arrow else {}
        elif one.startswith(("heal ", "reset ")) and part in (ListPart.WOUNDS, ListPart.COUNTERS):
            fields["heal" if part is ListPart.WOUNDS else "reset"] = _read_events(one.split(" ", 1)[1])
        elif one:
            raise NotRead("behind ; stands full: and a text, or heal and when.")
    return _ReadLine(label, fields)


def _read_clock(head: str) -> tuple[str, Values]:
    found = _CLOCK.fullmatch(head)
    if found is None:
        raise NotRead
    return found["label"], {"size": int(found["size"])} | ({"seen": "gm"} if found["hidden"] else {})


def _read_track(head: str) -> tuple[str, Values]:
    found = _TRACK.fullmatch(head)
    if found is None:
        raise NotRead
    names = [one.strip() for one in (found["names"] or "").split(",") if one.strip()]
    return found["label"], {"boxes": names or int(found["number"] or 0)}


def _read_head(part: ListPart, head: str, code: "NameReader") -> tuple[str, Values]:
    found = _HEAD.fullmatch(head)
    if found is None or re.search(r"\.\.|[=:|<>]|\s[+-]?[0-9]+$", found["label"]):
        raise NotRead
    fields: Values = {}
    if found["low"] is not None:
        low, high = _amount(found["low"], code), _amount(found["high"], code)
        fields = {"min": low} if low != 0 else {}
        fields["max"] = high
    elif found["begin"] is not None:
        fields = {"start": int(found["begin"]), "max": int(found["cap"])}
    elif found["die"] is not None:
        fields = {"start": found["die"]}
    if found["start"] is not None:
        fields["start"] = _amount(found["start"], code)
    if found["reset"] is not None:
        if part is ListPart.STATS:
            raise NotRead
        fields["reset"] = _read_events(found["reset"])
    return found["label"], fields


def _read_events(written: str) -> object:
    events = [one.strip() for one in written.split(",") if one.strip()]
    return events[0] if len(events) == 1 else events


def _amount(written: str, code: "NameReader") -> object:
    if re.fullmatch(_NUMBER, written):
        return int(written)
    bare = written[1:-1] if written.startswith("(") and written.endswith(")") else written
    return code.read(bare)
