"""Prepared encounters: foes as they start, countdowns, the ground, and a text to read aloud."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from pydantic import Field, ValidationError

from bot.rules.kernel import Document, FileKind, FileProblem, Form, Written, evolve, write_document
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, same_name
from bot.rules.kernel.parsing import NO_NUMBER, flags_read_as_numbers
from bot.store.records import CharacterRecord, JsonObject
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, as_played
from bot.table.base.results import Result
from bot.table.base.turn import ReadTurn, Turn, act, look
from bot.table.base.typed_options import assert_unlike, one_line
from bot.table.campaigns import bestiary
from bot.table.campaigns.bestiary import MOST_BLOCKS, Bestiary, SheetBody, StatBlock

DOCUMENT = "bestiary/encounters"  # the key of the document that they are stored in
MOST_ENCOUNTERS = 50
MOST_FOES = 20
MOST_COUNTDOWNS = 5
LONGEST_NAME = 60
LONGEST_TEXT = 1500
HIDDEN = "hidden"
FOE_LINE = re.compile(
    r"(?P<name>.+?)(?:\s+[x×*]\s*(?P<count>[0-9]{1,2}))?(?P<now>\s+as now)?(?P<hidden>\s+hidden)?",
    re.IGNORECASE,
)
COUNTDOWN_LINE = re.compile(r"(?P<name>.+?)\s+(?P<steps>[0-9]{1,2})(?P<hidden>\s+hidden)?", re.IGNORECASE)


class PreparedFoe(Document):
    """Foes of one kind as they start."""

    # The name of a foe of the bestiary; or a name of their own.
    foe: str = Field(min_length=1, max_length=LONGEST_NAME)
    count: int = Field(default=1, ge=1, le=MOST_FOES)  # how many
    hidden: bool = False  # whether they start hidden
    sheet: SheetBody = Field(default_factory=dict)  # their sheet, where they were saved out of a fight
    version: int = Field(default=0, ge=0)  # the version of its model; 0: today's
    resources: dict[str, int] = Field(default_factory=dict)  # what they have left of what is counted then
    wounds: dict[str, tuple[int, ...]] = Field(default_factory=dict)  # their wounds then


def as_now(
    access: Access, stored: CharacterRecord, *, count: int = 1, is_hidden: bool = False
) -> PreparedFoe:
    """Return foes that start as an NPC is now, with its wounds and conditions."""
    played = as_played(access.game, stored)
    return PreparedFoe(
        foe=stored.name[:LONGEST_NAME],
        count=count,
        hidden=is_hidden,
        sheet=played.sheet.model_dump(mode="json", exclude_defaults=True),
        version=access.game.sheet_version,
        resources=dict(played.resources),
        wounds=dict(played.wounds),
    )


class PreparedCountdown(Document):
    """A countdown that starts with an encounter."""

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    steps: int = Field(ge=2, le=20)
    hidden: bool = False


class PreparedEncounter(Document):
    """An encounter that starts with one press."""

    name: str = Field(min_length=1, max_length=LONGEST_NAME)  # what the GM calls it
    text: str = Field(default="", max_length=LONGEST_TEXT)  # what is read aloud
    foes: tuple[PreparedFoe, ...] = Field(default=(), max_length=MOST_FOES)  # who takes part
    # What runs beside it.
    countdowns: tuple[PreparedCountdown, ...] = Field(default=(), max_length=MOST_COUNTDOWNS)
    # The ground and cover of the fight, where the game has such.
    ground: dict[str, Any] = Field(default_factory=dict)

    @property
    def foe_lines(self) -> str:
        """Its foes, a line each, as a GM writes them."""
        return "\n".join(
            f"{one.foe}{f' x{one.count}' if one.count > 1 else ''}{' hidden' if one.hidden else ''}"
            for one in self.foes
        )

    @property
    def countdown_lines(self) -> str:
        """Its countdowns, a line each, as a GM writes them."""
        return "\n".join(
            f"{one.name} {one.steps}{' hidden' if one.hidden else ''}" for one in self.countdowns
        )


class PreparedEncounters(Document):
    """All of a campaign's."""

    encounters: tuple[PreparedEncounter, ...] = Field(default=(), max_length=MOST_ENCOUNTERS)

    def find(self, name: str) -> PreparedEncounter | None:
        """Return the encounter of a name, or None."""
        return next((one for one in self.encounters if same_name(one.name, name)), None)

    def without(self, name: str) -> "PreparedEncounters":
        """Return them without one."""
        rest = (one for one in self.encounters if not same_name(one.name, name))
        return evolve(self, encounters=tuple(rest))

    def assert_unlike_others(self, name: str) -> None:
        """Refuse a new name that reads like another's."""
        assert_unlike(name, (one.name for one in self.encounters))

    def with_one(self, one: PreparedEncounter) -> "PreparedEncounters":
        """Return them with one added, or put in the place of one of its name."""
        rest = self.without(one.name).encounters
        if len(rest) == MOST_ENCOUNTERS:
            raise UserError(f"There is room for {MOST_ENCOUNTERS} encounters.", "Delete one first.")
        return evolve(self, encounters=(*rest, one))


class EncounterDraft(Struct, frozen=True):
    """What a GM writes of an encounter: its name, foes and countdowns by line, and the text."""

    name: str
    foes: str = ""
    countdowns: str = ""
    text: str = ""


def prepared_in(reader: Reader, access: Access) -> PreparedEncounters:
    """Return a campaign's prepared encounters."""
    body = reader.document(access.campaign.server, access.campaign.id, DOCUMENT)
    return PreparedEncounters() if body is None else PreparedEncounters.model_validate(body)


def save_encounters(tx: Transaction, access: Access, prepared: PreparedEncounters) -> None:
    """Save a campaign's prepared encounters."""
    body: JsonObject = prepared.model_dump(mode="json", exclude_defaults=True)
    tx.save_document(access.campaign.server, access.campaign.id, DOCUMENT, body)


@look(gm=True)
def listing(at: ReadTurn) -> tuple[PreparedEncounter, ...]:
    """Return the prepared encounters by name; only for a GM."""
    found = prepared_in(at.reader, at.access).encounters
    return tuple(sorted(found, key=lambda one: one.name.casefold()))


def name_of(written: str) -> str:
    """Return an encounter's name as stored.

    Raises:
        UserError: If it is empty or too long.
    """
    name = one_line(written)
    if not 0 < len(name) <= LONGEST_NAME:
        raise UserError(f"An encounter's name has 1 to {LONGEST_NAME} characters.")
    return name


def read_foes(
    written: str, find: Callable[[str, int, bool], PreparedFoe], before: Iterable[PreparedFoe] = ()
) -> tuple[PreparedFoe, ...]:
    """Read foes from lines such as "Wolf x3 hidden"; those saved out of a fight stay as they were.

    Args:
        written: The lines.
        find: Returns so many foes, hidden or not, that start as the NPC of a name is now ("Ogre as now").
        before: The foes that the encounter had.

    Raises:
        UserError: If a line can't be read.
    """
    kept = {one.foe.casefold(): one for one in before}
    found = []
    for line in _lines(written, MOST_FOES, "foes"):
        hit = FOE_LINE.fullmatch(line)
        count = int((hit and hit["count"]) or 1)
        if hit is None or not 1 <= count <= MOST_FOES or len(hit["name"]) > LONGEST_NAME:
            raise UserError(f"I can't read “{line[:80]}”.", f"Write a foe a line, such as Wolf x3 {HIDDEN}.")
        is_hidden = hit["hidden"] is not None
        if hit["now"] is not None:
            found.append(find(hit["name"], count, is_hidden))
            continue
        same = kept.get(hit["name"].casefold(), PreparedFoe(foe=hit["name"]))
        found.append(evolve(same, count=count, hidden=is_hidden))
    return tuple(found)


def read_countdowns(written: str) -> tuple[PreparedCountdown, ...]:
    """Read countdowns from lines such as "Alarm 4 hidden".

    Raises:
        UserError: If a line can't be read.
    """
    found = []
    for line in _lines(written, MOST_COUNTDOWNS, "countdowns"):
        hit = COUNTDOWN_LINE.fullmatch(line)
        if hit is None or not 2 <= int(hit["steps"]) <= 20 or len(hit["name"]) > LONGEST_NAME:
            raise UserError(
                f"I can't read “{line[:80]}”.", "Write a name and 2 to 20 steps a line, such as Alarm 4."
            )
        is_hidden = hit["hidden"] is not None
        found.append(PreparedCountdown(name=hit["name"], steps=int(hit["steps"]), hidden=is_hidden))
    return tuple(found)


def _lines(written: str, most: int, what: str) -> list[str]:
    lines = [line for one in written.splitlines() if (line := one_line(one))]
    if len(lines) > most:
        raise UserError(f"An encounter has up to {most} lines of {what}.")
    return lines


def keep_encounters(at: Turn, prepared: PreparedEncounters, words: str) -> Result:
    """Save the prepared encounters, and tell the GM alone."""
    save_encounters(at.tx, at.access, prepared)
    return at.log("gm.prepare", words, secret=True)


@act(gm=True)
def write(at: Turn, draft: EncounterDraft, *, was: str = "") -> Result:
    """Prepare an encounter, or change one.

    Args:
        draft: What the GM wrote.
        was: The name of the encounter that is changed, if any.

    Raises:
        UserError: If something can't be read, or the encounter is gone.
    """

    def found(called: str, count: int, is_hidden: bool) -> PreparedFoe:
        npc = at.character(called)
        if npc.owner is not None:
            raise UserError(f"{npc.name} is a player's character.", "Only NPCs can be foes.")
        return as_now(at.access, npc, count=count, is_hidden=is_hidden)

    prepared = prepared_in(at.tx, at.access)
    old = prepared.find(was) if was else None
    if was and old is None:
        raise UserError(f"There is no prepared encounter called “{was}” any more.")
    name = name_of(draft.name)
    if (old is None or not same_name(old.name, name)) and prepared.find(name) is not None:
        raise UserError(f"There is already a prepared encounter called {name}.", "Choose another name.")
    rest = prepared if old is None else prepared.without(old.name)
    if old is None or old.name != name:
        rest.assert_unlike_others(name)
    one = PreparedEncounter(
        name=name,
        text=draft.text.strip()[:LONGEST_TEXT],
        foes=read_foes(draft.foes, found, () if old is None else old.foes),
        countdowns=read_countdowns(draft.countdowns),
        ground={} if old is None else old.ground,
    )
    done = "prepares" if old is None else "changes"
    return keep_encounters(at, rest.with_one(one), f"{done} the encounter {name}")


@act(gm=True)
def delete(at: Turn, name: str) -> Result:
    """Delete a prepared encounter; it can be undone.

    Raises:
        UserError: If there is none of that name.
    """
    prepared = prepared_in(at.tx, at.access)
    old = prepared.find(name)
    if old is None:
        raise UserError(f"There is no prepared encounter called “{name}” any more.")
    return keep_encounters(at, prepared.without(old.name), f"deletes the prepared encounter {old.name}")


MOOK = "mook"  # the part of a sheet that holds a mook's


class FoeTables(Document):
    """What a module's file says of foes."""

    npcs: tuple[StatBlock, ...] = Field(default=(), max_length=MOST_BLOCKS)  # the stat blocks of the bestiary
    # Those of mooks, in games that have such.
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
        encounters=prepared_in(reader, access).encounters,
    )


def _mook(access: Access, row: dict[str, Any]) -> StatBlock | str:
    """Return a mook of a file as a stat block, or what is wrong with it."""
    rules = access.game.foes
    if rules is None or rules.mook is None or rules.as_mook is None:
        return f"{access.game.title} has no mooks"
    try:
        mook = rules.mook.model_validate(row)
        wrong = _flag_for_number(row, mook)
        if wrong:
            return wrong
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
        return _flag_for_number(sheet, access.game.sheet.model_validate(sheet))
    except ValidationError as error:
        return _first_problem(error)


def _flag_for_number(written: dict[str, Any], read: Document) -> str:
    """Return where true or false stands for a number; empty if nowhere."""
    paths = list(flags_read_as_numbers(written, read.model_dump()))
    return f"{'.'.join(map(str, paths[0]))}: {NO_NUMBER}" if paths else ""


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
    """Save what a file says of foes; what it doesn't name stays. Return whether anything has changed.

    Raises:
        UserError: If a new name reads like another.
    """
    before = tables_of(tx, access)
    after = evolve(before, **{name: getattr(tables, name) for name in tables.model_fields_set})
    if after == before:
        return False
    foes = [one.name for one in after.npcs] + [str(row.get("name", "")) for row in after.mooks]
    _assert_unlike(foes, [one.name for one in bestiary.foes_in(tx, access)])
    _assert_unlike([one.name for one in after.encounters], [one.name for one in before.encounters])
    if (after.npcs, after.mooks) != (before.npcs, before.mooks):
        mooks = (_mook(access, row) for row in after.mooks)
        blocks = (*after.npcs, *(one for one in mooks if isinstance(one, StatBlock)))
        bestiary.save_bestiary(tx, access, Bestiary(npcs=blocks))
    if after.encounters != before.encounters:
        save_encounters(tx, access, PreparedEncounters(encounters=after.encounters))
    return True


def _assert_unlike(names: Sequence[str], known: Sequence[str]) -> None:
    """Refuse those of a file's names that aren't known yet and read like a known one, or like another."""
    for name in names:
        if not any(same_name(name, one) for one in known):
            assert_unlike(name, (*known, *names))


def summary(tables: FoeTables) -> tuple[str, ...]:
    """Return how many there are, in a line."""
    parts = ((len(tables.npcs) + len(tables.mooks), "foe"), (len(tables.encounters), "prepared encounter"))
    found = [counted(n, noun) for n, noun in parts if n]
    return (", ".join(found),) if found else ()
