"""A character of a game of one's own: one sheet of numbers by name, and what it says.

A number that the game no longer has sleeps on the sheet, and is there again when its name returns.
"""

from collections.abc import Iterator, Mapping
from math import floor
from typing import TypeAlias

from pydantic import Field

from bot.rules.kernel import (
    Character,
    CharacterHealth,
    Document,
    Gauge,
    GaugeKind,
    Glance,
    Scene,
    Section,
    evolve,
    looks_for,
)
from bot.rules.kernel.outcome import harm, name_key, shown_number
from bot.rules.own.expressions import NoAmount, Number, amount_of
from bot.rules.own.game_parts import OwnGame, PartKind
from bot.rules.own.own_play import high_of, known_of, known_so_far, within_span

CLOCKS = "clocks"
"""The key of the document with the table's clocks."""

OWN_PARTS = (PartKind.ATTRIBUTE, PartKind.RESOURCE, PartKind.TRACK)
MOST_PIPS = 12


class OwnSheet(Document):
    """What a character has."""

    playbook: str = ""  # key of its playbook, or nothing
    numbers: dict[str, int] = Field(default_factory=dict)  # attributes, counters and tracks by name
    words: dict[str, str] = Field(default_factory=dict)  # answers to the questions of creation
    # The entries that its player named: by kind and name their number or die.
    entries: dict[str, dict[str, int]] = Field(default_factory=dict)
    items: dict[str, int] = Field(default_factory=dict)  # what it carries, with the uses that are spent
    boxes: dict[str, int] = Field(default_factory=dict)  # tracks that are shorter than the game's


class OwnClocks(Document):
    """The clocks of the table."""

    numbers: dict[str, int] = Field(default_factory=dict)  # filled segments by name


OwnCharacter: TypeAlias = Character[OwnSheet]
OwnScene: TypeAlias = Scene[OwnSheet, Document]


def numbers_of(game: OwnGame, sheet: OwnSheet) -> dict[str, int]:
    """Every number of a sheet: as it stands there, or else its start; nothing is beyond its ends."""
    numbers: dict[str, int] = {}
    for name, start in game.starts.items():
        if game.kinds[name] not in OWN_PARTS:
            continue
        found = sheet.numbers.get(name)
        if found is None and isinstance(start, Number):
            found = start.value + missing_boxes(game, sheet, name)
        known = {} if game.spans[name].is_fixed and found is not None else known_so_far(game, numbers)
        if found is None:
            found = floor(amount_of(start, known)) + missing_boxes(game, sheet, name)
        numbers[name] = within_span(game, name, found, known)
    return numbers


def missing_boxes(game: OwnGame, sheet: OwnSheet, name: str) -> int:
    """How many boxes of a track a character does not have; they count as ticked."""
    boxes = sheet.boxes.get(name)
    high = game.spans[name].high if name in game.spans else None
    if boxes is None or high is None:
        return 0
    return max(0, floor(amount_of(high, {})) - boxes)


def clocks_of(game: OwnGame, scene: OwnScene) -> dict[str, int]:
    """The clocks of the table."""
    stored = (scene.stored(OwnClocks, CLOCKS) or OwnClocks()).numbers
    return {name: within_span(game, name, stored.get(name, 0)) for name in game.file.clocks}


def hidden_clocks(game: OwnGame) -> frozenset[str]:
    """The clocks that a GM alone sees."""
    return frozenset(name for name, row in game.file.clocks.items() if row.seen == "gm")


def with_numbers(
    game: OwnGame,
    scene: OwnScene,
    owners: Mapping[str, OwnCharacter],
    before: Mapping[str, int],
    after: Mapping[str, int],
) -> OwnScene:
    """The scene with changed numbers.

    Args:
        owners: Whose the numbers are, by what stands before the dot; the actor's under nothing.
        before: The numbers before they changed.
    """
    if after == before:
        return scene
    clocks = clocks_of(game, scene)
    moved = {name: after[name] for name in clocks if after.get(name, 0) != before.get(name, 0)}
    if moved:
        slept = (scene.stored(OwnClocks, CLOCKS) or OwnClocks()).numbers
        scene = scene.with_document(CLOCKS, OwnClocks(numbers={**slept, **clocks, **moved}))
    for owner, whom in owners.items():
        character = scene.character(whom.id)
        start = f"{owner}." if owner else ""
        now = numbers_of(game, character.sheet)
        changed = {}
        for name, number in now.items():
            was, is_now = before.get(f"{start}{name}", number), after.get(f"{start}{name}", number)
            if is_now != was:  # who aims at themselves changes what they paid with as well
                found = is_now if number == was else within_span(game, name, number + is_now - was, now)
                changed[name] = max(found, missing_boxes(game, character.sheet, name))
        if changed:
            numbers = {**character.sheet.numbers, **changed}
            scene = scene.with_sheet(character, evolve(character.sheet, numbers=numbers))
    return scene


# --- in words ----------------------------------------------------------------------------------


def most_of(game: OwnGame, sheet: OwnSheet, name: str) -> int | None:
    """The highest number that something of a character can be; None where there is no end."""
    span = game.span(name)
    if span.steps:
        return span.steps[-1]
    if isinstance(span.high, Number):
        return span.high.value
    return None if span.high is None else high_of(game, name, known_of(game, numbers_of(game, sheet)))


def amount_words(game: OwnGame, name: str, number: int) -> str:
    """A number as people read it; a die as a die."""
    if game.span(name).steps:
        return f"d{number}" if number else "none"
    return shown_number(number)


def counted_words(game: OwnGame, sheet: OwnSheet, name: str, number: int) -> str:
    """A number with its cap: "1/3"."""
    shown = amount_words(game, name, number)
    most = most_of(game, sheet, name)
    if game.span(name).steps or game.kinds[name] is PartKind.ATTRIBUTE or most is None:
        return shown
    away = missing_boxes(game, sheet, name)
    return f"{shown_number(number - away)}/{most - away}"


def box_name(game: OwnGame, name: str, number: int) -> str:
    """The name of the last ticked box of a track, or nothing."""
    boxes = game.file.tracks[name].boxes if name in game.file.tracks else 0
    return boxes[number - 1] if isinstance(boxes, list) and 0 < number <= len(boxes) else ""


def part_words(game: OwnGame, sheet: OwnSheet, name: str, number: int) -> str:
    """A part of a sheet as people read it: "Hold 1/3", "Harm 2/4: Bleeding"."""
    box = _box(game, sheet, name, number)
    return f"{game.label(name)} {counted_words(game, sheet, name, number)}{f': {box}' if box else ''}"


def _box(game: OwnGame, sheet: OwnSheet, name: str, number: int) -> str:
    """The name of a track's last filled box; empty where it has none."""
    return box_name(game, name, number) if number > missing_boxes(game, sheet, name) else ""


def clock_words(game: OwnGame, name: str, number: int) -> str:
    """A clock as people read it: "The storm 2 of 6"."""
    return f"{game.label(name)} {number} of {game.file.clocks[name].size}"


def describe(game: OwnGame, character: OwnCharacter, _settings: object) -> tuple[Section, ...]:
    """A character's sheet."""
    sheet, numbers = character.sheet, numbers_of(game, character.sheet)
    counters = _counters(game, sheet, numbers)
    pictured = (words for name, words in counters.items() if not _box(game, sheet, name, numbers[name]))
    sections = (
        *_playbook(game, sheet),
        *_attributes(game, numbers),
        Section("Counters", tuple(counters.values()), pictured=tuple(pictured)),
        Section("Follows from these", tuple(_derived(game, numbers))),
        *(
            Section(row.label, _entries(game, kind, sheet.entries.get(kind, {})))
            for kind, row in game.file.entries.items()
        ),
        *(
            Section(row.label, tuple(_items(game, key, sheet, numbers)))
            for key, row in game.file.lists.items()
        ),
        Section("In words", tuple(_words(game, sheet))),
    )
    return tuple(one for one in sections if one.lines)


def _playbook(game: OwnGame, sheet: OwnSheet) -> Iterator[Section]:
    row = game.file.create.playbooks.get(sheet.playbook)
    if row is not None:
        yield Section("Playbook", (f"{row.label}. {row.text}".rstrip(". ") + ".",))


def _attributes(game: OwnGame, numbers: Mapping[str, int]) -> Iterator[Section]:
    groups: dict[str, list[str]] = {}
    for name in game.of_kind(PartKind.ATTRIBUTE):
        group = game.file.attributes[name].group or "Attributes"
        groups.setdefault(group, []).append(f"{game.label(name)} {amount_words(game, name, numbers[name])}")
    for group, parts in groups.items():
        yield Section(group, (" · ".join(parts),))


def _counters(game: OwnGame, sheet: OwnSheet, numbers: Mapping[str, int]) -> dict[str, str]:
    names = game.of_kind(PartKind.RESOURCE, PartKind.TRACK)
    return {name: part_words(game, sheet, name, numbers[name]) for name in names}


def _derived(game: OwnGame, numbers: Mapping[str, int]) -> Iterator[str]:
    known = known_of(game, numbers)
    parts = [
        f"{game.label(name)} {shown_number(floor(found))}"
        for name in game.derived
        if not isinstance(found := known[name], NoAmount)
    ]
    if parts:
        yield " · ".join(parts)


def _entries(game: OwnGame, kind: str, entries: Mapping[str, int]) -> tuple[str, ...]:
    is_words = game.file.entries[kind].value == "words"
    return tuple(
        name if is_words else f"{name} {amount_words(game, kind, number)}" for name, number in entries.items()
    )


def _items(game: OwnGame, key: str, sheet: OwnSheet, numbers: Mapping[str, int]) -> Iterator[str]:
    carried = [item for item in sheet.items if item in game.items and game.items[item].list == key]
    slots = slots_of(game, key, numbers)
    if carried and slots is not None:
        yield f"{sum(game.items[one].row.slots for one in carried)} of {slots} slots"
    yield from (item_words(game, sheet, item) for item in carried)


def slots_of(game: OwnGame, key: str, numbers: Mapping[str, int]) -> int | None:
    """How many slots a character has for a list; None without a limit."""
    slots = game.slots.get(key)
    return None if slots is None else floor(amount_of(slots, known_of(game, numbers)))


def item_words(game: OwnGame, sheet: OwnSheet, item: str) -> str:
    """A carried thing with the uses that are left: "Bandages (2 of 3 left): stop bleeding"."""
    row = game.items[item].row
    left = "" if row.uses is None else f" ({max(0, row.uses - sheet.items.get(item, 0))} of {row.uses} left)"
    return f"{row.label}{left}{f': {row.text}' if row.text else ''}"


def _words(game: OwnGame, sheet: OwnSheet) -> Iterator[str]:
    for key, question in game.file.create.ask.items():
        if sheet.words.get(key):
            yield f"{question} {sheet.words[key]}"


def glance(game: OwnGame, character: OwnCharacter, _settings: object) -> Glance:
    """Counters and tracks at a glance."""
    sheet, numbers = character.sheet, numbers_of(game, character.sheet)
    gauges = []
    for name in game.of_kind(PartKind.TRACK, PartKind.RESOURCE):
        most, away = most_of(game, sheet, name), missing_boxes(game, sheet, name)
        kind = GaugeKind.HARM if game.kinds[name] is PartKind.TRACK else GaugeKind.POINTS
        if game.span(name).steps or most is None or most - away > MOST_PIPS:
            gauges.append(Gauge(game.label(name), counted_words(game, sheet, name, numbers[name]), kind=kind))
        else:
            gauges.append(Gauge.of(game.label(name), numbers[name] - away, most - away, kind))
    return Glance(tuple(gauges))


def health(game: OwnGame, character: OwnCharacter, _settings: object) -> CharacterHealth:
    """How hurt a character is, by what takes it out of a fight."""
    left = _left(game, character.sheet)
    name = game.file.fight.out
    if left is None or name is None:
        return CharacterHealth()
    numbers = numbers_of(game, character.sheet)
    return CharacterHealth((part_words(game, character.sheet, name, numbers[name]),), looks_for(*left))


def _left(game: OwnGame, sheet: OwnSheet) -> tuple[int, int] | None:
    """How much is left of what takes a character out of a fight, and the most there can be."""
    name = game.file.fight.out
    if name is None or game.span(name).steps:
        return None
    most = most_of(game, sheet, name)
    if most is None:
        return None
    number, low = numbers_of(game, sheet)[name], max(game.span(name).low, missing_boxes(game, sheet, name))
    return (most - number, most - low) if game.fills(name) else (number - low, most - low)


def is_down(game: OwnGame, character: OwnCharacter, _settings: object) -> bool:
    """Whether a character is out of action."""
    left = _left(game, character.sheet)
    return left is not None and left[0] <= 0


def sheet_changes(
    game: OwnGame, before: OwnSheet, after: OwnSheet, _settings: object
) -> Iterator[tuple[str, str, str]]:
    """What changed about a sheet: what, before, after."""
    old, new = numbers_of(game, before), numbers_of(game, after)
    for name, number in new.items():
        if old[name] != number:
            yield (
                harm(game.label(name)) if game.is_health(name) else game.label(name),
                counted_words(game, before, name, old[name]),
                counted_words(game, after, name, number),
            )
    for kind, row in game.file.entries.items():
        had, has = before.entries.get(kind, {}), after.entries.get(kind, {})
        for name in dict.fromkeys((*had, *has)):
            if had.get(name) != has.get(name):
                shown = [amount_words(game, kind, one[name]) if name in one else "none" for one in (had, has)]
                is_words = row.value == "words"
                yield (
                    name,
                    "none" if name not in had else "there" if is_words else shown[0],
                    ("none" if name not in has else "there" if is_words else shown[1]),
                )
    for item in dict.fromkeys((*before.items, *after.items)):
        if item in game.items and before.items.get(item) != after.items.get(item):
            yield game.items[item].row.label, _carried(game, before, item), _carried(game, after, item)


def _carried(game: OwnGame, sheet: OwnSheet, item: str) -> str:
    if item not in sheet.items:
        return "none"
    uses = game.items[item].row.uses
    return "carried" if uses is None else f"{max(0, uses - sheet.items[item])}/{uses}"


def found_name(known: Mapping[str, str], typed: str) -> str | None:
    """The key of something by its key or label as somebody typed it; None if there is none."""
    if typed in known:
        return typed
    wanted = name_key(typed)
    exact = [key for key, label in known.items() if name_key(label) == wanted]
    partly = exact or [key for key, label in known.items() if wanted and name_key(label).startswith(wanted)]
    return partly[0] if len(partly) == 1 or exact else None


def with_entry(sheet: OwnSheet, kind: str, name: str, number: int | None) -> OwnSheet:
    """The sheet with an entry set, or removed."""
    rest = {one: had for one, had in sheet.entries.get(kind, {}).items() if one != name or number is not None}
    entries = rest if number is None else {**rest, name: number}
    return evolve(sheet, entries={**sheet.entries, kind: entries})
