"""Foes and prepared encounters in a module's file."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic import Field, ValidationError

from bot.rules.kernel import Document, FileKind, FileProblem, Form, Written, evolve, write_document
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access
from bot.table.campaigns import bestiary, prepared_encounters
from bot.table.campaigns.bestiary import MOST_BLOCKS, Bestiary, StatBlock
from bot.table.campaigns.prepared_encounters import MOST_ENCOUNTERS, PreparedEncounter, PreparedEncounters

MOOK = "mook"  # the part of a sheet that holds a mook's


class FoeTables(Document):
    """What a module's file says of foes.

    Attributes:
        npcs: The stat blocks of the bestiary.
        mooks: Those of mooks, in games that have such.
        encounters: The prepared encounters.
    """

    npcs: tuple[StatBlock, ...] = Field(default=(), max_length=MOST_BLOCKS)
    mooks: tuple[dict[str, Any], ...] = Field(default=(), max_length=MOST_BLOCKS)
    encounters: tuple[PreparedEncounter, ...] = Field(default=(), max_length=MOST_ENCOUNTERS)


def tables_of(reader: Reader, access: Access) -> FoeTables:
    """Return what a campaign's file says of foes."""
    blocks = bestiary.bestiary_of(reader, access).npcs
    has_mooks = access.game.foes is not None and access.game.foes.mook is not None
    mooks = [one for one in blocks if has_mooks and one.sheet.get(MOOK)]
    return FoeTables(
        npcs=tuple(one for one in blocks if one not in mooks),
        mooks=tuple({**one.sheet[MOOK], "name": one.name} for one in mooks),
        encounters=prepared_encounters.prepared_in(reader, access).encounters,
    )


def _mook(access: Access, row: dict[str, Any]) -> StatBlock | str:
    """Return a mook of a file as a stat block, or what is wrong with it."""
    rules = access.game.foes
    if rules is None or rules.mook is None or rules.as_mook is None:
        return f"{access.game.title} has no mooks"
    try:
        mook = rules.mook.model_validate(row)
        return bestiary.block_of(access, str(row.get("name", "")), rules.as_mook(mook))
    except ValidationError as error:
        return _first_problem(error)


def form_for(access: Access) -> Form[FoeTables]:
    """Return the form of the campaign's tables: every sheet is one of its game."""

    def flaws(tables: FoeTables, _written: Written) -> Iterator[FileProblem]:
        sheets = [("npcs", place, one.name, one.sheet) for place, one in enumerate(tables.npcs)]
        for place, encounter in enumerate(tables.encounters):
            sheets += [("encounters", place, foe.foe, foe.sheet) for foe in encounter.foes if foe.sheet]
        for place, row in enumerate(tables.mooks):
            if isinstance(found := _mook(access, row), str):
                yield FileProblem(("mooks", place), f"mooks, number {place + 1}: {found}.")
        for table, place, name, sheet in sheets:
            wrong = _wrong(access, sheet)
            if wrong:
                yield FileProblem((table, place), f"{table}, number {place + 1} ({name}), sheet: {wrong}.")

    return Form(model=FoeTables, flaws=flaws)


def _wrong(access: Access, sheet: dict[str, Any]) -> str:
    try:
        access.game.sheet.model_validate(sheet)
    except ValidationError as error:
        return _first_problem(error)
    return ""


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg'][:1].lower()}{first['msg'][1:]}"


def written(tables: FoeTables, kind: FileKind) -> str:
    """Return tables as a part of a file; empty if there are none."""
    if tables == FoeTables():
        return ""
    if kind is FileKind.JSON:
        return write_document(tables, kind)
    blocks = tables.model_dump(mode="json", exclude_defaults=True)
    for row in blocks.get("npcs", ()):
        if "null" in json.dumps(row.get("sheet", {})):  # TOML has no word for it
            row["sheet"] = json.dumps(row["sheet"])
    for encounter in blocks.get("encounters", ()):
        for foe in encounter.get("foes", ()):
            if "null" in json.dumps(foe.get("sheet", {})):
                foe["sheet"] = json.dumps(foe["sheet"])
    return write_document(_Rows(**blocks), kind)


class _Rows(Document):
    """Tables as they are written."""

    npcs: tuple[dict[str, Any], ...] = ()
    mooks: tuple[dict[str, Any], ...] = ()
    encounters: tuple[dict[str, Any], ...] = ()


def save_tables(tx: Transaction, access: Access, tables: FoeTables) -> bool:
    """Save what a file says of foes; what it doesn't name stays. Return whether anything has changed."""
    before = tables_of(tx, access)
    after = evolve(before, **{name: getattr(tables, name) for name in tables.model_fields_set})
    if after == before:
        return False
    if (after.npcs, after.mooks) != (before.npcs, before.mooks):
        mooks = (_mook(access, row) for row in after.mooks)
        blocks = (*after.npcs, *(one for one in mooks if isinstance(one, StatBlock)))
        bestiary.save_bestiary(tx, access, Bestiary(npcs=blocks))
    if after.encounters != before.encounters:
        prepared_encounters.save_encounters(tx, access, PreparedEncounters(encounters=after.encounters))
    return True


def summary(tables: FoeTables) -> tuple[str, ...]:
    """Return how many there are, in a line."""
    parts = ((len(tables.npcs) + len(tables.mooks), "foe"), (len(tables.encounters), "prepared encounter"))
    counted = [f"{n} {noun}{'' if n == 1 else 's'}" for n, noun in parts if n]
    return (", ".join(counted),) if counted else ()
