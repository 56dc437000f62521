"""Verify an exported journal: every die against its seed, every outcome against its dice."""

import gzip
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bot.rules import rulesets
from bot.rules.kernel import RollRule, Ruleset
from bot.rules.kernel.dice import FairDice, Fall, ReplayedDice, WrongDie, commitment
from bot.rules.kernel.errors import UserError
from bot.rules.own.own_ruleset import own_ruleset
from bot.store.copying import Replayed
from bot.store.records import (
    CampaignId,
    CampaignRecord,
    EntryId,
    EntryRecord,
    Json,
    JsonObject,
    SeedRecord,
    ServerId,
)
from bot.store.transaction import Reader
from bot.table.base.access import Access, Request, access_here
from bot.table.base.stored_rolls import FREE, find_rule, roll_to_json
from bot.table.base.table import OWN_PREFIX, Table, own_hash
from bot.table.journal.entries import may_read

FORMAT = "tablekeeper-journal"
VERSION = 1
PAGE = 500


async def export_lines(table: Table, request: Request, session: int | None = None) -> AsyncIterator[str]:
    """Yield the campaign's journal line by line, with one page in memory at a time.

    The GM gets everything; others get what is public and what was told to them alone.

    Args:
        session: Only entries of this session.

    Yields:
        Lines with their line ends.
    """
    head, last = await table.store.read(partial(_head, table=table, request=request, session=session))
    for line in head:
        yield _text(line)
    count, after = 0, EntryId(0)
    while after < last:
        lines, after = await table.store.read(
            partial(_page, table=table, request=request, session=session, after=after, last=last)
        )
        count += len(lines)
        for line in lines:
            yield _text(line)
    yield _text({"type": "end", "entries": count})


def _text(line: JsonObject) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _head(
    reader: Reader, table: Table, request: Request, session: int | None
) -> tuple[list[JsonObject], EntryId]:
    """Return the first lines, and the id of the latest entry."""
    access = access_here(table, reader, request)
    server, campaign = access.campaign.server, access.campaign.id
    first: JsonObject = {
        "type": "journal",
        "format": FORMAT,
        "version": VERSION,
        "campaign": access.campaign.name,
        "ruleset": access.game.key,
        "title": access.game.title,
        "exported_at": table.now(),
        "session": session,
        "is_whole": access.is_gm,
    }
    latest = reader.entries(server, campaign, limit=1)
    seeds = map(_seed_line, reader.seeds(server, campaign))
    return [first, *seeds, *_game_lines(reader, server, campaign)], latest[0].id if latest else EntryId(0)


def _game_lines(reader: Reader, server: ServerId, campaign: CampaignId) -> Iterator[JsonObject]:
    """Yield the versions of games of one's own that the campaign's rolls were made under."""
    for version in reader.own_versions_used(server, campaign):
        yield {"type": "game", "hash": version.hash, "text": version.text}


def _seed_line(seed: SeedRecord) -> JsonObject:
    return {
        "type": "seed",
        "number": seed.number,
        "commitment": seed.commitment,
        "secret": None if seed.revealed_at is None else seed.secret.hex(),
        "revealed_at": seed.revealed_at,
    }


def _page(
    reader: Reader, table: Table, request: Request, session: int | None, after: EntryId, last: EntryId
) -> tuple[list[JsonObject], EntryId]:
    """Return the next entries up to *last* that the person may read, and where the next page starts."""
    access = access_here(table, reader, request)
    server, campaign = access.campaign.server, access.campaign.id
    page = reader.entries(server, campaign, session=session, after=after, newest_first=False, limit=PAGE)
    lines = [_entry_line(access, one) for one in page if one.id <= last and may_read(access, one)]
    return lines, page[-1].id if len(page) == PAGE else last


def _entry_line(access: Access, entry: EntryRecord) -> JsonObject:
    message = dict(entry.told)
    message.pop("facts", None)
    line: JsonObject = {
        "type": "entry",
        "entry": entry.id,
        "at": entry.at,
        "session": entry.session,
        "kind": entry.kind,
        "interaction": entry.interaction,
        "seed": entry.seed,
        "person": entry.person,
        "person_name": entry.person_name,
        "character": entry.character,
        "told": message,
        "rolls": entry.rolls,
        "is_secret": entry.is_secret,
        "undone_by": entry.undone_by,
        "undoes": entry.undoes,
    }
    if access.is_gm:
        line["rows"] = [
            {"table": change.table, "key": change.key, "before": change.before, "after": change.after}
            for change in entry.changes
        ]
    return line


COMPARED = ("dice", "earlier", "terms", "total", "against", "verdict", "odds", "beforehand", "fell")
LATER = frozenset({"beforehand"})  # what journals from before it was stored lack
# How a die is shown, which is no part of how it fell; what counts of it stands in the total and the result.
DIE_WORDS = frozenset({"label", "shown", "dropped", "value"})


class _Line(BaseModel):
    """A line of the file; fields not needed here are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _JournalLine(_Line):
    type: Literal["journal"]
    format: Literal["tablekeeper-journal"]
    version: int
    campaign: str
    ruleset: str


class _SeedLine(_Line):
    type: Literal["seed"]
    number: int
    commitment: str
    secret: str | None


class _GameLine(_Line):
    type: Literal["game"]
    hash: str
    text: str


class _DieKept(_Line):
    model_config = ConfigDict(frozen=True, extra="allow")

    sides: int = Field(ge=1)
    face: int = Field(ge=1)


class _RollerKept(_Line):
    name: str


class _RollKept(_Line):
    model_config = ConfigDict(frozen=True, extra="allow")

    ruleset: str
    rule: str
    inputs: dict[str, Any]
    dice: tuple[_DieKept, ...]
    purpose: str = ""
    roller: _RollerKept | None = None


class _EntryLine(_Line):
    type: Literal["entry"]
    entry: int
    interaction: str
    kind: str
    seed: int | None
    rolls: tuple[_RollKept, ...]


class _EndLine(_Line):
    type: Literal["end"]
    entries: int


_LINE: TypeAdapter[_JournalLine | _SeedLine | _GameLine | _EntryLine | _EndLine] = TypeAdapter(
    Annotated[_JournalLine | _SeedLine | _GameLine | _EntryLine | _EndLine, Field(discriminator="type")]
)


class Trouble(StrEnum):
    """The kinds of problems found in a journal."""

    FILE = "file"
    SEED = "seed"
    DICE = "dice"
    OUTCOME = "outcome"
    RULE = "rule"


class Fault(Struct, frozen=True):
    """A problem found in the file."""

    line: int  # the line number, counted from 1
    trouble: Trouble  # the kind of problem
    sentence: str  # the problem in words

    def __str__(self) -> str:
        return f"line {self.line}: {self.sentence}"


class Report(Struct):
    """The result of verifying a journal."""

    campaign: str = ""
    ruleset: str = ""  # key of its ruleset
    # Each seed's number and commitment, to be compared with what was published.
    commitments: dict[int, str] = {}
    # Numbers of the seeds that are revealed and match their commitment.
    revealed: list[int] = []
    entries: int = 0  # entries read
    rolls: int = 0  # rolls read
    passed: int = 0  # rolls whose dice and outcome are correct
    reworded: int = 0  # those of them that this version words differently; every number is the same
    not_yet: int = 0  # rolls with a correct outcome whose dice can't be checked before their seed is revealed
    dice: int = 0  # dice that match their seed
    faults: list[Fault] = []  # every problem found

    @property
    def follows(self) -> bool:
        """Whether no problem was found."""
        return not self.faults

    @property
    def sentences(self) -> list[str]:
        """Return the report line by line."""
        lines = [f"Journal of {self.campaign} ({self.ruleset}): {self.entries} entries, {self.rolls} rolls."]
        for number, published in self.commitments.items():
            state = "revealed" if number in self.revealed else "not revealed"
            lines.append(f"Seed {number}, {state}: published as {published}")
        lines += [str(fault) for fault in self.faults]
        lines.append(f"{self.passed} rolls match their seeds and the rules ({self.dice} dice).")
        if self.reworded:
            noun = "roll is" if self.reworded == 1 else "rolls are"
            lines.append(f"{self.reworded} {noun} worded differently today; the numbers are the same.")
        if self.not_yet:
            lines.append(f"{self.not_yet} rolls cannot be checked yet: their seed is not revealed.")
        if self.faults:
            lines.append(f"{len(self.faults)} things do NOT match; see above.")
        return lines


def verify(path: Path, games: Mapping[str, Ruleset] | None = None) -> Report:
    """Verify an exported journal.

    Args:
        path: The file.
        games: Every ruleset, by key; by default those of the bot.

    Raises:
        OSError: If the file cannot be read.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", errors="replace") as file:
        return verify_lines(file, games)


def verify_lines(lines: Iterable[str], games: Mapping[str, Ruleset] | None = None) -> Report:
    """Verify the lines of an exported journal.

    Args:
        games: Every ruleset, by key; by default those of the bot.
    """
    checker = _Checker(rulesets() if games is None else games)
    for number, text in enumerate(lines, start=1):
        if text.strip():
            checker.read(number, text)
        if checker.is_hopeless:
            break
    checker.finish()
    return checker.report


class _Checker:
    """The verifier's state while it reads a journal line by line."""

    def __init__(self, games: Mapping[str, Ruleset]) -> None:
        self.report = Report()
        self.is_hopeless = False
        self._games = games
        self._own_rules: dict[str, RollRule[Any]] = {}  # those of games of one's own, by version
        self._line = 0
        self._secrets: dict[int, bytes | None] = {}
        self._interactions: set[str] = set()
        self._last_entry = 0
        self._said: int | None = None
        self._is_begun = False

    def read(self, number: int, text: str) -> None:
        self._line = number
        try:
            line = _LINE.validate_json(text)
        except ValidationError as error:
            self._cannot_read(error)
            return
        if not self._is_begun and not isinstance(line, _JournalLine):
            self._give_up("this is not an exported journal: its first line does not say so")
        elif self._said is not None:
            self._fault(Trouble.FILE, "there is something after the last line")
        elif isinstance(line, _JournalLine):
            self._begin(line)
        elif isinstance(line, _SeedLine):
            self._seed(line)
        elif isinstance(line, _GameLine):
            self._game(line)
        elif isinstance(line, _EntryLine):
            self._entry(line)
        else:
            self._said = line.entries

    def finish(self) -> None:
        if self.is_hopeless:
            return
        if not self._is_begun:
            self._fault(Trouble.FILE, "the file is empty")
        elif self._said is None:
            self._fault(Trouble.FILE, "the file is incomplete: its last line is missing")
        elif self._said != self.report.entries:
            self._fault(
                Trouble.FILE, f"the last line speaks of {self._said} entries, there are {self.report.entries}"
            )

    def _fault(self, trouble: Trouble, sentence: str) -> None:
        self.report.faults.append(Fault(self._line, trouble, sentence))

    def _give_up(self, sentence: str) -> None:
        self._fault(Trouble.FILE, sentence)
        self.is_hopeless = True

    def _cannot_read(self, error: ValidationError) -> None:
        if not self._is_begun:
            self._give_up("this is not an exported journal: its first line does not say so")
            return
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        self._fault(Trouble.FILE, f"it cannot be read: {where + ': ' if where else ''}{first['msg']}")

    def _begin(self, line: _JournalLine) -> None:
        if self._is_begun:
            self._fault(Trouble.FILE, "a second journal starts here")
            return
        self._is_begun = True
        if line.version != VERSION:
            self._give_up(f"this is {FORMAT} version {line.version}; I read version {VERSION}")
        self.report.campaign, self.report.ruleset = line.campaign, line.ruleset

    def _game(self, line: _GameLine) -> None:
        game = own_ruleset(line.text, line.hash)
        if own_hash(line.text) != line.hash or game is None:
            self._fault(Trouble.RULE, f"the game {line.hash} is not what its hash says")
            return
        self._own_rules |= game.rolls

    def _seed(self, line: _SeedLine) -> None:
        if line.number in self._secrets:
            self._fault(Trouble.SEED, f"seed {line.number} comes twice")
            return
        self.report.commitments[line.number] = line.commitment
        self._secrets[line.number] = None
        if line.secret is None:
            return
        try:
            secret = bytes.fromhex(line.secret)
        except ValueError:
            self._fault(Trouble.SEED, f"seed {line.number} is not written in hexadecimal")
            return
        self._secrets[line.number] = secret
        if commitment(secret) == line.commitment:
            self.report.revealed.append(line.number)
        else:
            self._fault(Trouble.SEED, f"seed {line.number} is not the one that was committed to")

    def _entry(self, line: _EntryLine) -> None:
        self.report.entries += 1
        self.report.rolls += len(line.rolls)
        if line.interaction in self._interactions:
            self._fault(Trouble.FILE, f"interaction {line.interaction} comes twice")
        self._interactions.add(line.interaction)
        if line.entry <= self._last_entry:
            self._fault(Trouble.FILE, f"entry {line.entry} is out of order")
        self._last_entry = max(self._last_entry, line.entry)
        fall = self._dice_follow(line)
        for place, roll in enumerate(line.rolls, start=1):
            wrong = list(self._outcome(roll))
            for trouble, sentence in wrong:
                self._fault(trouble, f"{self._roll_name(line, place)}: {sentence}")
            if not wrong and fall is None:
                self.report.not_yet += 1
            elif not wrong and fall:
                self.report.passed += 1

    def _roll_name(self, line: _EntryLine, place: int) -> str:
        roll = line.rolls[place - 1]
        whose = ", ".join(part for part in (roll.roller.name if roll.roller else "", roll.purpose) if part)
        which = f", roll {place}{f': {whose}' if whose else ''}" if len(line.rolls) > 1 else ""
        return f"entry {line.entry} ({line.kind}, interaction {line.interaction}{which})"

    def _dice_follow(self, line: _EntryLine) -> bool | None:
        """Return whether an entry's dice match its seed; None before the seed is revealed."""
        thrown = [(place, die) for place, roll in enumerate(line.rolls, start=1) for die in roll.dice]
        if not thrown:
            return True
        if line.seed is None or line.seed not in self._secrets:
            which = "no seed" if line.seed is None else f"seed {line.seed}, which the file does not hold"
            self._fault(Trouble.SEED, f"entry {line.entry} has dice and names {which}")
            return False
        secret = self._secrets[line.seed]
        if secret is None:
            return None
        dice = FairDice(secret, line.interaction)
        for count, (place, die) in enumerate(thrown, start=1):
            face = dice.roll(die.sides)
            if face != die.face:
                self._fault(
                    Trouble.DICE,
                    f"{self._roll_name(line, place)}: die {count} is a d{die.sides} showing {die.face}; "
                    f"its seed says {face}",
                )
                return False
        self.report.dice += len(thrown)
        return True

    def _outcome(self, stored: _RollKept) -> Iterator[tuple[Trouble, str]]:
        """Return what is wrong with a roll, given its inputs and dice."""
        is_own = stored.ruleset.startswith(OWN_PREFIX)
        rule = (
            self._own_rules.get(stored.rule)
            if is_own
            else find_rule(self._games, stored.ruleset, stored.rule)
        )
        if rule is None:
            yield Trouble.RULE, f"I know no rule {stored.rule!r} of {stored.ruleset!r}"
            return
        dice = ReplayedDice(Fall(die.sides, die.face) for die in stored.dice)
        try:
            again = rule.resolve(rule.inputs.model_validate(stored.inputs), dice)
            dice.assert_all_rolled()
        except ValidationError as error:
            yield Trouble.OUTCOME, f"its inputs are not allowed: {error.errors()[0]['msg']}"
            return
        except (WrongDie, UserError) as error:
            yield Trouble.OUTCOME, f"the rules roll otherwise: {error}"
            return
        written: dict[str, Json] = stored.model_dump(mode="json")
        due: dict[str, Json] = json.loads(json.dumps(roll_to_json(stored.ruleset, again)))
        compared = [part for part in COMPARED if part in written or part not in LATER]
        if stored.ruleset == FREE and None in (written["odds"], due["odds"]):
            compared.remove("odds")  # some versions count chances that others leave out
        if is_own and written["odds"] is None:  # the other side of an opposed check has none
            compared = [part for part in compared if part not in ("odds", "fell")]
        differing = [part for part in compared if written.get(part) != due.get(part)]
        wrong = [part for part in differing if _number(written, part) != _number(due, part)]
        self.report.reworded += bool(differing) and not wrong
        for part in wrong:
            said, right = _short(written.get(part)), _short(due.get(part))
            yield Trouble.OUTCOME, f"{part} is {said}; the rules say {right}"


def _number(roll: dict[str, Any], part: str) -> Any:
    """Return a part of a roll without its wording, which may change between versions."""
    value = roll.get(part)
    try:
        match part:
            case "dice" | "earlier":
                return _plain_dice(value)
            case "terms":
                return [number for _label, number in value or ()]
            case "against":
                return None
            case "verdict":
                return value and value[0]
            case "odds" | "beforehand":
                return value and [_chances(value), _place(value, value["needed"])]
            case "fell":
                return _place(roll.get("odds"), value)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):  # it has another form
        return value
    return value


def _chances(odds: dict[str, Any]) -> list[list[int]]:
    return [[ways, of] for _name, ways, of in odds["chances"]]


def _place(odds: dict[str, Any] | None, name: str | None) -> Any:
    """Return the index of the named chance; the name itself if there are none."""
    names = [one[0] for one in (odds or {"chances": ()})["chances"]]
    return names.index(name) if name in names else name


def _plain_dice(dice: list[dict[str, Json]] | None) -> list[dict[str, Json]]:
    """Return dice without their labels."""
    return [{key: value for key, value in die.items() if key not in DIE_WORDS} for die in dice or ()]


def _short(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else text[:119] + "…"


def replay_journals(reader: Reader, servers: Sequence[ServerId]) -> Replayed:
    """Replay the journals of some servers."""
    return sum(
        (_replayed(reader, campaign) for server in servers for campaign in reader.campaigns(server)),
        start=Replayed(),
    )


def _replayed(reader: Reader, campaign: CampaignRecord) -> Replayed:
    report = verify_lines(_lines(reader, campaign))
    faults = tuple(f"{campaign.name} in server {campaign.server}: {fault}" for fault in report.faults)
    return Replayed(1, report.entries, report.rolls, report.passed, len(faults), faults)


def _lines(reader: Reader, campaign: CampaignRecord) -> Iterator[str]:
    """Yield a campaign's journal as `bot.table.journal.export` does, with every secret."""
    yield _entry_text(
        {
            "type": "journal",
            "format": FORMAT,
            "version": VERSION,
            "campaign": campaign.name,
            "ruleset": campaign.ruleset,
        }
    )
    for seed in reader.seeds(campaign.server, campaign.id):
        yield _entry_text(
            {
                "type": "seed",
                "number": seed.number,
                "commitment": seed.commitment,
                "secret": seed.secret.hex(),
            }
        )
    yield from map(_entry_text, _game_lines(reader, campaign.server, campaign.id))
    count, after = 0, EntryId(0)
    while page := reader.entries(campaign.server, campaign.id, after=after, newest_first=False, limit=PAGE):
        for entry in page:
            yield _entry_text(
                {
                    "type": "entry",
                    "entry": entry.id,
                    "interaction": entry.interaction,
                    "kind": entry.kind,
                    "seed": entry.seed,
                    "rolls": entry.rolls,
                }
            )
        count, after = count + len(page), page[-1].id
    yield _entry_text({"type": "end", "entries": count})


def _entry_text(line: JsonObject) -> str:
    return json.dumps(line, ensure_ascii=False)
