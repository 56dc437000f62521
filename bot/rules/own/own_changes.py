"""What a new version of a game changes: in the game, and on the sheets of those who play it."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from bot.rules.kernel.outcome import evolve, shown_number
from bot.rules.own.game_file import ClockRow, ResourceRow, StatRow, TrackRow
from bot.rules.own.game_parts import OwnGame, PartKind
from bot.rules.own.own_effects import within_span
from bot.rules.own.own_sheet import OWN_PARTS, OwnClocks, OwnSheet, amount_words, numbers_of

SECTIONS: Mapping[str, str] = {
    "attributes": "attribute",
    "derived": "derived number",
    "resources": "counter",
    "tracks": "track",
    "clocks": "clock",
    "entries": "kind of entry",
    "lists": "list",
    "checks": "check",
    "moves": "move",
    "resets": "event",
    "npcs": "NPC",
    "heroes": "ready-made hero",
    "rules": "rule",
}
"""The parts of a file with rows by name, and what one of them is called."""

_SMALL_SECTIONS = frozenset({"npcs", "heroes", "rules", "create"})
_WORDS = frozenset({"label", "text", "credit", "licence", "origin", "name", "version", "group", "was"})
_HEAD = ("name", "text", "credit", "licence", "fight", "create")


class GameChange(Struct, frozen=True):
    """One thing that a new version changes."""

    words: str
    is_small: bool  # whether it may be published while a session runs: a label, or something new


def game_changes(before: OwnGame, after: OwnGame) -> tuple[GameChange, ...]:
    """Everything that a new version changes about a game, what is gone or changed first."""
    old, new = (one.file.model_dump(mode="json", by_alias=True) for one in (before, after))
    found = [*_sections(before, after, old, new), *_head(old, new)]
    return tuple(sorted(found, key=lambda one: one.is_small))


def _head(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[GameChange]:
    for key in _HEAD:
        if old[key] != new[key]:
            noun = {"fight": "How fights go", "create": "How characters are made"}.get(
                key, f"The game's {key}"
            )
            yield GameChange(f"{noun} changes.", key != "fight")


def _sections(
    before: OwnGame, after: OwnGame, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[GameChange]:
    renamed = renames(before, after)
    for section, noun in SECTIONS.items():
        had, has = old[section], new[section]
        for name in dict.fromkeys((*had, *has)):
            if name in has and name in renamed.values() and name not in had:
                was = next(one for one, now in renamed.items() if now == name)
                old_label, label = before.label(was), after.label(name)
                becomes = f"becomes {label}" if label != old_label else f"becomes “{name}” in the file"
                yield GameChange(f"{old_label} {becomes} (renamed {noun}).", False)
            elif name not in has:
                if name not in renamed:
                    sleeps = " Its values sleep." if name in before.spans and section != "clocks" else ""
                    yield GameChange(f"{_title(had, name)} goes ({noun}).{sleeps}", False)
            elif name not in had:
                yield GameChange(f"{_title(has, name)} is new ({noun}).", True)
            elif had[name] != has[name]:
                small = section in _SMALL_SECTIONS or _is_small(had[name], has[name])
                yield GameChange(
                    f"{_title(has, name)} changes ({noun}{_fields(had[name], has[name])}).", small
                )


def _title(rows: Mapping[str, Any], name: str) -> str:
    row = rows[name]
    return str(row.get("label") or name) if isinstance(row, dict) else name.replace("_", " ").capitalize()


def _fields(had: object, has: object) -> str:
    """Which fields of a row change."""
    if not isinstance(had, dict) or not isinstance(has, dict):
        return ""
    names = [name for name in dict.fromkeys((*had, *has)) if had.get(name) != has.get(name)]
    return f": {', '.join(names[:4])}{', …' if len(names) > 4 else ''}" if names else ""


def _is_small(had: object, has: object) -> bool:
    """Whether only words differ, or something was added to a list of things."""
    if not isinstance(had, dict) or not isinstance(has, dict):
        return False
    for name in dict.fromkeys((*had, *has)):
        old, new = had.get(name), has.get(name)
        if old == new or name in _WORDS or (name in ("full", "empty") and isinstance(new, str)):
            continue
        if not isinstance(old, dict) or not isinstance(new, dict) or name != "items":
            return False
        if not all(key in new and (new[key] == row or _is_small(row, new[key])) for key, row in old.items()):
            return False
    return True


def renames(before: OwnGame, after: OwnGame) -> dict[str, str]:
    """What was renamed: the old name and the new one."""
    files = after.file
    rows: dict[str, StatRow | ResourceRow | TrackRow | ClockRow] = {**files.attributes, **files.resources}
    rows |= {**files.tracks, **files.clocks}
    return {
        row.was: name
        for name, row in rows.items()
        if row.was is not None
        and row.was in before.kinds
        and row.was not in after.kinds
        and name not in before.kinds
        and before.kinds[row.was] is after.kinds[name]
    }


def moved_sheet(
    before: OwnGame, after: OwnGame, sheet: OwnSheet
) -> tuple[OwnSheet, tuple[tuple[str, str, str], ...]]:
    """A sheet under a new version, and what of it changed: what, before, after.

    Renamed numbers move, those beyond a new end are brought back to it, and those that are gone sleep.
    """
    names = renames(before, after)
    old = numbers_of(before, sheet)
    kept = {names.get(name, name): number for name, number in {**sheet.numbers, **old}.items()}
    boxes = {names.get(name, name): number for name, number in sheet.boxes.items()}
    moved = evolve(sheet, numbers=kept, boxes=boxes)
    new = numbers_of(after, moved)
    was = {names.get(name, name): (name, number) for name, number in old.items()}
    lines = []
    for name, number in new.items():
        shown = amount_words(after, name, number)
        if name in was:
            former, before_number = was[name]
            if amount_words(before, former, before_number) != shown:
                lines.append((after.label(name), amount_words(before, former, before_number), shown))
        elif name in sheet.numbers:
            lines.append((after.label(name), "asleep", shown))
    for name, number in old.items():
        if name not in names and after.kinds.get(name) not in OWN_PARTS:
            lines.append((before.label(name), amount_words(before, name, number), "asleep"))
    return evolve(moved, numbers={**kept, **new}), tuple(lines)


def moved_clocks(
    before: OwnGame, after: OwnGame, clocks: OwnClocks
) -> tuple[OwnClocks, tuple[tuple[str, str, str], ...]]:
    """The table's clocks under a new version, and what of them changed."""
    names = renames(before, after)
    kept = {names.get(name, name): number for name, number in clocks.numbers.items()}
    lines = []
    for name in after.of_kind(PartKind.CLOCK):
        if name in kept and (nearest := within_span(after, name, kept[name])) != kept[name]:
            lines.append((after.label(name), shown_number(kept[name]), shown_number(nearest)))
            kept[name] = nearest
    return evolve(clocks, numbers=kept), tuple(lines)
