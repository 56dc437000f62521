"""Lists of a game as people write them in a form: one thing a line.

What is shown of a thing is read back in the same way as what is typed, and only the difference changes the
game: what a line can't say stays as it is in the file.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from bot.rules.own.expressions import excerpt
from bot.rules.own.game_file import MOST_LABEL
from bot.rules.own.game_forms import creation_of, fight_of, put_creation, put_fight
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
    key_named,
    label_of,
    merged,
    new_key,
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
    ENTRIES = "entries"
    ITEMS = "lists"
    PLAYBOOKS = "playbooks"
    FOES = "npcs"
    HEROES = "heroes"


_PEOPLE = (ListPart.PLAYBOOKS, ListPart.FOES, ListPart.HEROES)
_GROUPED = {ListPart.STATS: "group", ListPart.ITEMS: "list"}
"""The field that says below which line with a colon a thing stands; of an item, the line itself."""


def _rows(values: Values, part: ListPart) -> dict[str, Values]:
    """The entries of a list, by key; items of all lists together."""
    if part is ListPart.PLAYBOOKS:
        return rows_of(table_of(values.get("create")), part)
    if part is not ListPart.ITEMS:
        return rows_of(values, part)
    return {
        key: {**row, "list": _list_line(list_, name)}
        for name, list_ in rows_of(values, part).items()
        for key, row in rows_of(list_, "items").items()
    }


def _list_line(row: Values, key: str) -> str:
    slots = f", {words_of(row['slots'])} slots" if "slots" in row else ""
    return f"{label_of(row, key)}{slots}"


def _with_rows(values: Values, part: ListPart, rows: dict[str, Values], code: NameReader) -> Values:
    """The game with other entries in a list."""
    wanted, name = dict(values), str(part)
    if part is ListPart.PLAYBOOKS:
        create = {**table_of(values.get("create")), name: rows}
        wanted["create"] = create if rows else {key: one for key, one in create.items() if key != name}
        if not wanted["create"]:
            del wanted["create"]
        return wanted
    wanted[name] = rows if part is not ListPart.ITEMS else _lists(values, rows, code)
    if not wanted[name]:
        del wanted[name]
    return wanted


def _lists(values: Values, rows: Mapping[str, Values], code: NameReader) -> Values:
    """Items below their lists; a list stays as it was but for its slots, and goes with its last item."""
    old = rows_of(values, ListPart.ITEMS)
    keys = {label_of(row, key): key for key, row in old.items()}
    found: dict[str, Values] = {}
    for key, row in rows.items():
        label, _, slots = words_of(row.get("list")).removesuffix(" slots").partition(", ")
        label = label or "Gear"
        name = keys.setdefault(label, new_key(label, [*all_keys(values), *keys.values()]))
        before = old.get(name, {"label": label})
        items = table_of(found.get(name, {}).get("items"))
        items[key] = {field: one for field, one in row.items() if field != "list"}
        found[name] = {field: one for field, one in before.items() if field not in ("slots", "items")}
        found[name] |= {"slots": _amount(slots, code)} if slots else {}
        found[name]["items"] = items
    empty = {name: row for name, row in old.items() if not table_of(row.get("items"))}
    return {name: {**empty, **found}[name] for name in [*old, *found] if name in empty or name in found}


def lines_of_part(text: str, part: ListPart) -> str:
    """A list as a form shows it.

    Raises:
        NotByForm: If it is longer than a form takes.
    """
    values = values_of(text)
    rows, code = _rows(values, part), NameReader(values)
    if part not in _GROUPED:
        return fitting("\n".join(_said(part, row, key, code) for key, row in rows.items()))
    lines: list[str] = []
    field = _GROUPED[part]
    groups = list(dict.fromkeys(words_of(row.get(field)) for row in rows.values()))
    for group in sorted(groups, key=bool):  # those of no group first
        lines += [f"{group}:"] if group else []
        lines += [
            _said(part, row, key, code) for key, row in rows.items() if words_of(row.get(field)) == group
        ]
    derived = values.get("derived") if part is ListPart.STATS else None
    named = derived.items() if isinstance(derived, dict) else ()
    return fitting("\n".join([*lines, *(f"{name} = {words_of(code)}" for name, code in named)]))


def beside_of(text: str, part: ListPart) -> str:
    """What the form of a list shows besides: of stats how characters are made, of foes how a fight goes."""
    return creation_of(text) if part is ListPart.STATS else fight_of(text) if part is ListPart.FOES else ""


def with_lines(
    text: str, part: ListPart, typed: str, *, beside: str | None = None, is_published: bool = False
) -> Edited:
    """Change a list to what was typed.

    Args:
        typed: One thing a line.
        beside: What the form shows besides, one thing a line; None leaves it as it is.
        is_published: Whether characters may have what is in it: then a new label changes no key.
    """
    values = values_of(text)
    rows = _rows(values, part)
    labels = {label_of(row, key): key for key, row in rows.items()}
    known = NameReader(values)
    as_shown = dict(_unreadable(part, rows, known))
    first, _ = _read_lines(part, typed, known, as_shown)
    names = [one.label for one in first if "code" not in one.fields]
    renamed = _renamed_labels(labels, names)
    keys, taken = {**labels, **renamed}, {*all_keys(values), *rows}
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
    ordered = {key: table_of(made[key]) for key in [*rows, *made] if key in made}
    wanted = _with_rows(values, part, ordered, NameReader(values, keys))
    if part is ListPart.STATS:
        _put_derived(wanted, derived, is_whole=not refused)
        if beside is not None:
            refused += put_creation(wanted, creation_of(text), beside, NameReader(values, keys))
    elif part is ListPart.FOES and beside is not None and beside != fight_of(text):
        refused += put_fight(wanted, beside, known)
    if not is_published:
        for label, key in renamed.items():
            wanted = with_key_renamed(wanted, key, new_key(label, taken))
    removed = tuple(_said(part, row, key, known) for key, row in rows.items() if key not in made)
    return Edited(rewritten(text, wanted), tuple(refused[:MOST_REFUSED]), removed)


class _ReadLine(Struct, frozen=True):
    label: str
    fields: Values


def _unreadable(part: ListPart, rows: Mapping[str, Values], code: NameReader) -> Iterator[tuple[str, str]]:
    """The lines of what a line can't say: they stay as they are shown, each with its label."""
    for key, row in rows.items():
        line = _said(part, row, key, code)
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
            if part in _GROUPED and line.endswith(":"):
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
            found[one.label] = _ReadLine(one.label, one.fields | ({_GROUPED[part]: group} if group else {}))
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
    ListPart.ENTRIES: "Bonds 1..3; most 5",
    ListPart.ITEMS: "Torch; uses 3; do storm - 1",
    ListPart.PLAYBOOKS: "Scout: Keen 2, Rope",
    ListPart.FOES: "Raider: Bold 1, Harm 2",
    ListPart.HEROES: "Ada (Scout): Keen 2, Rope",
}


def _said(part: ListPart, row: Values, key: str, code: NameReader) -> str:
    """The line of one thing; its bare name where a line can't say what it has."""
    label = label_of(row, key)
    match part:
        case ListPart.PLAYBOOKS | ListPart.FOES | ListPart.HEROES:
            return _said_person(row, label, code)
        case ListPart.ITEMS:
            return _said_item(row, label)
        case ListPart.ENTRIES:
            return _said_entries(row, label)
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
    field = _GROUPED.get(part, "")
    group = {field: row[field]} if row.get(field) else {}
    try:
        return _read_line(part, _said(part, row, key, code), code).fields | group
    except NotRead:
        return group


def _read_line(part: ListPart, line: str, code: "NameReader") -> _ReadLine:
    if part in _PEOPLE:
        return _read_person(part, line.replace("−", "-"), code)
    if part is ListPart.ITEMS:
        return _read_item(line.replace("−", "-"), code)
    head, *more = (one.strip() for one in line.replace("−", "-").split(";"))
    if part is ListPart.ENTRIES:
        return _read_entries(head, more)
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


# --- gear, people and entries ----------------------------------------------------------------------


def _said_item(row: Values, label: str) -> str:
    line = label + (f" = {words_of(row['value'])}" if row.get("value") else "")
    line += "".join(f"; {name} {words_of(row[name])}" for name in ("uses", "slots") if name in row)
    line += _events("; reset", row.get("reset"))
    for name in ("cost", "do"):
        effects = row.get(name)
        line += (
            f"; {name} {', '.join(map(words_of, effects))}" if isinstance(effects, list) and effects else ""
        )
    return _with_text(line, row)


def _with_text(line: str, row: Values) -> str:
    return (line + (f" | {words_of(row['text'])}" if row.get("text") else "")).replace("\n", " ")


def _read_item(line: str, code: NameReader) -> _ReadLine:
    said, bar, text = (one.strip() for one in line.partition("|"))
    head, *more = (one.strip() for one in said.split(";"))
    label, equals, value = (one.strip() for one in head.partition("="))
    fields: Values = {"text": text} if bar else {}
    if not label or ":" in label or (equals and not re.fullmatch(_NUMBER, value)):
        raise NotRead(f"write it like {_EXAMPLES[ListPart.ITEMS]}")
    fields |= {"value": int(value)} if equals else {}
    for one in more:
        name, _, written = (each.strip() for each in one.partition(" "))
        if name in ("uses", "slots") and re.fullmatch("[0-9]{1,4}", written):
            fields[name] = int(written)
        elif name == "reset" and written:
            fields[name] = _read_events(written)
        elif name in ("cost", "do") and written:
            fields[name] = code.effects(written)
        else:
            raise NotRead("behind ; stands uses 3, slots 2, reset rest, cost or do and what changes.")
    return _ReadLine(label, fields)


def _said_entries(row: Values, label: str) -> str:
    value = "" if row.get("value", "words") == "words" else f" {words_of(row['value'])}"
    return (
        label
        + value
        + "".join(f"; {name} {words_of(row[name])}" for name in ("most", "start") if name in row)
    )


_VALUE = rf"(?:{_NUMBER}|d[0-9]{{1,3}})"
_ENTRIES = re.compile(rf"(?P<label>[^:=|<>]+?)(?:\s+(?P<value>{_VALUE}\.\.{_VALUE}))?")


def _read_entries(head: str, more: Sequence[str]) -> _ReadLine:
    found = _ENTRIES.fullmatch(head)
    if found is None or re.search(r"\.\.", found["label"]):
        raise NotRead(f"write it like {_EXAMPLES[ListPart.ENTRIES]}")
    fields: Values = {"value": found["value"]} if found["value"] else {}
    for one in more:
        name, _, written = one.partition(" ")
        if name not in ("most", "start") or not re.fullmatch(_VALUE, written):
            raise NotRead("behind ; stands most and how many, or start and a value.")
        fields[name] = int(written) if not written.startswith("d") else written
    return _ReadLine(found["label"], fields)


_NUMBERED = ("attributes", "resources", "tracks")
_PERSON = re.compile(r"(?P<label>[^:(|]+?)\s*(?:\((?P<playbook>[^)]+)\))?\s*(?::\s*(?P<has>.*))?")


def _said_person(row: Values, label: str, code: NameReader) -> str:
    """Whoever has what: “Ada (Scout): Keen 2, Rope”."""
    playbook = words_of(row.get("playbook"))
    has = [
        f"{label_of(rows_of(code.values, section).get(key, {}), key)} {words_of(number)}"
        for section in _NUMBERED
        for key, number in table_of(row.get(section)).items()
    ]
    for section, rows in (
        ("moves", rows_of(code.values, "moves")),
        ("items", _rows(code.values, ListPart.ITEMS)),
    ):
        keys = row.get(section)
        has += [label_of(rows.get(one, {}), one) for one in keys] if isinstance(keys, list) else []
    named = label_of(_rows(code.values, ListPart.PLAYBOOKS).get(playbook, {}), playbook)
    line = label + (f" ({named})" if playbook else "") + (f": {', '.join(has)}" if has else "")
    return _with_text(line, row)


def _read_person(part: ListPart, line: str, code: NameReader) -> _ReadLine:
    said, bar, text = (one.strip() for one in line.partition("|"))
    found = _PERSON.fullmatch(said)
    if found is None or (found["playbook"] and part is not ListPart.HEROES):
        raise NotRead(f"write it like {_EXAMPLES[part]}")
    fields: Values = {"text": text} if bar else {}
    if found["playbook"]:
        playbooks = _rows(code.values, ListPart.PLAYBOOKS)
        fields["playbook"] = key_named(playbooks, found["playbook"]) or found["playbook"]
    for one in filter(None, map(str.strip, (found["has"] or "").split(","))):
        section, key, number = _had(part, one, code)
        if number is None:
            listed = fields.setdefault(section, [])
            assert isinstance(listed, list)  # noqa: S101  # made here
            listed.append(key)
        else:
            fields[section] = {**table_of(fields.get(section)), key: number}
    return _ReadLine(found["label"], fields)


def _had(part: ListPart, written: str, code: NameReader) -> tuple[str, str, object]:
    """What somebody has: in which field, its key, and its number or die; None for a thing or a move."""
    things = {"items": _rows(code.values, ListPart.ITEMS)} if part is not ListPart.FOES else {}
    if part is ListPart.PLAYBOOKS:
        things["moves"] = rows_of(code.values, "moves")
    for section, rows in things.items():
        if key := key_named(rows, written):
            return section, key, None
    name, _, number = written.rpartition(" ")
    for section in _NUMBERED if part is ListPart.FOES else _NUMBERED[:2]:
        key = key_named(rows_of(code.values, section), name.strip())
        if key is not None and re.fullmatch(_VALUE, number):
            return section, key, number if number.startswith("d") else int(number)
    raise NotRead(f"“{excerpt(written)}” is nothing that can stand there; {_EXAMPLES[part]} is an example")
