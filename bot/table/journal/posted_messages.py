"""Posted messages: a result and everything that came of the presses in it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.rules.kernel import Roll, Ruleset, Verdict
from bot.store.records import EntryId, EntryRecord, FollowUpId, MessageRecord, ServerId
from bot.store.transaction import Reader, Transaction
from bot.table.base.request import Request
from bot.table.base.results import ChangeLine, Result, message_from_json, result_of
from bot.table.base.stored_rolls import roll_from_json
from bot.table.base.table import Table
from bot.table.journal.deadlines import facts_of, without_expired


@dataclass(frozen=True, slots=True)
class MessagePlace:
    """A message, named by the entry it was posted for."""

    server: ServerId
    entry: EntryId


def note_pressed(tx: Transaction, request: Request, entry: EntryRecord) -> None:
    """Save where the pressed message is, to update it later."""
    if request.message is not None and not entry.is_secret:
        place = MessagePlace(entry.server, opening_of(tx, entry).id)
        pressed = _record(place, request.channel, request.message)
        if tx.message(place.server, place.entry) != pressed:
            tx.save_message(pressed)


async def note_posted(table: Table, posted: Mapping[MessagePlace, tuple[int, int]]) -> None:
    """Save in which channel and message something has been posted."""

    def unit(tx: Transaction) -> None:
        for place, (channel, message) in posted.items():
            tx.save_message(_record(place, channel, message))

    await table.store.run(unit)


def _record(place: MessagePlace, channel: int, message: int) -> MessageRecord:
    return MessageRecord(server=place.server, entry=place.entry, channel=channel, message=message)


async def place_of(table: Table, server: ServerId, follow_up: FollowUpId) -> MessagePlace | None:
    """Return the message that offers a follow-up, or None."""

    def query(reader: Reader) -> MessagePlace | None:
        record = reader.follow_up(server, follow_up)
        entry = None if record is None else reader.entry(server, record.entry)
        return None if entry is None else MessagePlace(server, opening_of(reader, entry).id)

    return await table.store.read(query)


def place_with(reader: Reader, place: MessagePlace) -> MessagePlace:
    """Return the message that shows an entry."""
    entry = reader.entry(place.server, place.entry)
    return place if entry is None else MessagePlace(place.server, opening_of(reader, entry).id)


def opening_of(reader: Reader, entry: EntryRecord) -> EntryRecord:
    """Return the entry whose message shows the given entry."""
    found = None if entry.shown_in is None else reader.entry(entry.server, entry.shown_in)
    return found or entry


@dataclass(slots=True)
class _Line:
    """One result in a message.

    Attributes:
        entry: The entry shown there now.
        verdicts: Every verdict that it has had.
        rolls: Its rolls, updated if a later entry changed their modifiers.
        replaced: The entries shown there before.
    """

    entry: EntryRecord
    verdicts: list[Verdict]
    rolls: list[Roll]
    replaced: list[EntryRecord] = field(default_factory=list)

    @classmethod
    def of(cls, entry: EntryRecord) -> "_Line":
        """Return the line of an entry on its own."""
        verdict = message_from_json(entry.told).verdict
        return cls(entry, [] if verdict is None else [verdict], [roll_from_json(one) for one in entry.rolls])

    def take_over(self, later: "_Line") -> None:
        """Return this line with a later result's verdict, and its reading of the same dice."""
        self.verdicts += later.verdicts
        later.verdicts = []
        for roll in list(later.rolls):
            at = next((at for at, one in enumerate(self.rolls) if _are_same_dice(one, roll)), None)
            if at is not None:
                later.rolls.remove(roll)
                was = self.rolls[at]
                self.rolls[at] = replace(roll, odds=was.odds, outcome=was.outcome, purpose=was.purpose)


def _are_same_dice(roll: Roll, later: Roll) -> bool:
    """Return whether a later roll re-reads the dice of an earlier one."""
    return bool(later.earlier) and not later.dice and later.earlier == (*roll.earlier, *roll.dice)


def shown_with(reader: Reader, game: Ruleset, entry: EntryRecord) -> Result:
    """Return the message that shows an entry, as it stands now.

    Undone presses are gone from it, as if they had never happened.
    """
    opening = opening_of(reader, entry)
    if opening.undone_by is not None:
        return without_expired(reader, game, opening)
    pressed = (one for one in reader.shown_in(entry.server, opening.id) if one.undone_by is None)
    first, *below = (_shown(reader, game, line) for line in _lines(opening, pressed))
    return replace(first, below=tuple(below))


def _lines(opening: EntryRecord, pressed: Iterable[EntryRecord]) -> list[_Line]:
    """Return a line for each result; a replacement takes the line of what it replaced."""
    lines = [_Line.of(opening)]
    of_entry = {opening.id: lines[0]}
    for one in pressed:
        facts, line = facts_of(one), _Line.of(one)
        above = lines[0] if facts.under is None else of_entry.get(facts.under, lines[0])
        if facts.stands_for:
            above.replaced.append(above.entry)
            above.entry, above.rolls = one, line.rolls
            above.verdicts += line.verdicts
            of_entry[one.id] = above
            continue
        if facts.is_verdict:
            above.take_over(line)
        lines.append(line)
        of_entry[one.id] = line
    return lines


def _standing(changes: Sequence[Sequence[ChangeLine]]) -> tuple[ChangeLine, ...]:
    """Return the changes of successive results that no later one has overridden."""
    last = {(one.who, one.what): at for at, lines in enumerate(changes) for one in lines}
    return tuple(one for at, lines in enumerate(changes) for one in lines if last[one.who, one.what] == at)


def _shown(reader: Reader, game: Ruleset, line: _Line) -> Result:
    result = without_expired(reader, game, line.entry)
    verdict = line.verdicts[-1] if line.verdicts else None
    before = [one for one in line.verdicts if one != verdict]
    replaced = [message_from_json(one.told).changes for one in line.replaced]
    message = replace(result.message, verdict=verdict, changes=_standing([*replaced, result.message.changes]))
    return replace(
        result,
        message=message,
        rolls=tuple(line.rolls),
        was=before[-1] if before else None,
        replaced=tuple(result_of(one, ()) for one in line.replaced),
    )
