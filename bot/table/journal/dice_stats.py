"""Everybody's dice against what fair dice would show."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from bot.rules.kernel.errors import UserError
from bot.store.records import EntryId, EntryRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access, ForGmOnly, Request, access_here
from bot.table.base.stored_rolls import average_chance, faces_chance
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, look
from bot.table.journal.entries import may_read


class SeedState(Struct, frozen=True, kw_only=True):
    """One seed of a campaign."""

    number: int  # counted from 1
    commitment: str  # its SHA-256, published before its first use
    secret: str | None  # the seed in hexadecimal once it is revealed, or None
    in_use_since: int  # when it came into use: with the campaign, or at the reveal of the seed before
    revealed_at: int | None  # when it was revealed, or None


class Fairness(Struct, frozen=True, kw_only=True):
    """The public facts about a campaign's seeds."""

    campaign: str  # its name
    in_use: SeedState  # the seed that dice come from now
    revealed: tuple[SeedState, ...]  # the past seeds, latest first
    session: int | None  # number of the session that is running, or None


@look()
def fairness(at: ReadTurn) -> Fairness:
    """Return the public facts about the campaign's seeds."""
    server, campaign = at.server, at.campaign.id
    states: list[SeedState] = []
    since = at.campaign.created_at
    for seed in at.reader.seeds(server, campaign):
        states.append(
            SeedState(
                number=seed.number,
                commitment=seed.commitment,
                secret=None if seed.revealed_at is None else seed.secret.hex(),
                in_use_since=since,
                revealed_at=seed.revealed_at,
            )
        )
        since = seed.revealed_at or since
    running = at.reader.open_session(server, campaign)
    return Fairness(
        campaign=at.campaign.name,
        in_use=states[-1],
        revealed=tuple(reversed(states[:-1])),
        session=None if running is None else running.number,
    )


SIZES = frozenset({2, 3, 4, 6, 8, 10, 12, 20, 100})  # of dice that lie on tables; cards are other sizes
GMS = 0  # stands for the GM: foes, allies, and what rolls by itself
PAGE = 500
MOST_ENTRIES = 20_000
MOST_DICE = 1000  # of one size, for which exact chances are quick; the newest count


class Series(Struct, frozen=True):
    """Dice of one size."""

    counts: tuple[int, ...]  # how often each face came, from 1 up

    @property
    def sides(self) -> int:
        """The size of the dice."""
        return len(self.counts)

    @property
    def rolls(self) -> int:
        """How many dice there are."""
        return sum(self.counts)

    @property
    def total(self) -> int:
        """The sum of all of them."""
        return sum(face * count for face, count in enumerate(self.counts, start=1))

    @property
    def average(self) -> float:
        """What they show on average."""
        return self.total / self.rolls

    @property
    def expected(self) -> float:
        """What fair dice show on average."""
        return (self.sides + 1) / 2

    @property
    def chance(self) -> Fraction:
        """The chance that fair dice are on average at least as far off."""
        return average_chance(self.sides, self.rolls, self.total)

    @property
    def oddest_face(self) -> int:
        """The face whose count is furthest from its share."""
        off = [abs(count * self.sides - self.rolls) for count in self.counts]
        return off.index(max(off)) + 1

    @property
    def faces_chance(self) -> float:
        """The chance that some face of fair dice is at least as far off as that one."""
        return faces_chance(self.counts)


class SessionSeries(Struct, frozen=True):
    """Dice of one size in a session; in none where the number is None."""

    session: int | None
    series: Series


class PersonDice(Struct, frozen=True):
    """The dice of a person, or of the GM's characters together."""

    person: int  # who it is; `GMS` for the GM's characters
    name: str  # their name, as last noted; empty for the GM's characters
    series: tuple[Series, ...]  # their dice by size, the most frequent first

    @property
    def rolls(self) -> int:
        """How many dice there are."""
        return sum(one.rolls for one in self.series)


class DiceStats(Struct, frozen=True, kw_only=True):
    """What a person may see about dice in a campaign."""

    campaign: str  # its name
    is_gm: bool  # whether they may see everybody's
    is_own: bool
    shown: PersonDice  # whose dice are shown
    # Those of one size, by session, latest first; empty unless a size was asked for.
    sessions: tuple[SessionSeries, ...] = ()
    people: tuple[PersonDice, ...] = ()  # everybody with dice, most dice first; empty for players
    is_cut: bool = False  # whether there are older dice that are not counted


async def dice_stats(
    table: Table, request: Request, person: int | None = None, sides: int | None = None
) -> DiceStats:
    """Return somebody's dice in the campaign of the place; undone rolls count, they were rolled.

    Args:
        request: Who asks: players see their own dice, a GM everybody's.
        person: Whose dice; their own by default.
        sides: The size that is wanted by session.

    Raises:
        UserError: If they may not see them.
    """
    count = _DiceCount()
    before: EntryId | None = None
    while True:
        read = _CountedPage(table, request, count, person, before)
        access, before = await table.store.read(read)
        if before is None or count.entries >= MOST_ENTRIES:
            break
    count.is_cut |= before is not None
    return _stats(access, request, count, person, sides)


class _DiceHeld(Struct):
    """Somebody's dice while they are counted, newest first."""

    name: str = ""
    sizes: dict[int, list[int]] = {}
    sessions: dict[int | None, dict[int, list[int]]] = {}

    def add(self, session: int | None, sides: int, face: int) -> bool:
        """Count a die; return whether there was room for it."""
        is_counted = True
        for counts in (self.sizes, self.sessions.setdefault(session, {})):
            faces = counts.setdefault(sides, [0] * sides)
            if sum(faces) < MOST_DICE:
                faces[face - 1] += 1
            else:
                is_counted = False
        return is_counted

    def series(self) -> tuple[Series, ...]:
        found = [Series(tuple(faces)) for faces in self.sizes.values()]
        return tuple(sorted(found, key=lambda one: (-one.rolls, one.sides)))


class _DiceCount(Struct):
    """Everybody's dice while they are counted."""

    hands: dict[int, _DiceHeld] = {}
    owners: dict[int, int | None] = {}
    entries: int = 0
    is_cut: bool = False


class _CountedPage(Struct, frozen=True):
    """A query that counts one page of the journal."""

    table: Table
    request: Request
    count: _DiceCount
    person: int | None
    before: EntryId | None

    def __call__(self, reader: Reader) -> tuple[Access, EntryId | None]:
        """Count the page; return where the next one begins."""
        access = access_here(self.table, reader, self.request)
        if not access.is_gm and self.person not in (None, self.request.person):
            raise ForGmOnly("Only a GM can see other people's dice.")
        server, campaign = access.campaign.server, access.campaign.id
        page = reader.entries(server, campaign, before=self.before, limit=PAGE)
        for entry in page:
            if entry.rolls and may_read(access, entry):
                self._add(reader, access, entry)
        self.count.entries += len(page)
        return access, page[-1].id if len(page) == PAGE else None

    def _add(self, reader: Reader, access: Access, entry: EntryRecord) -> None:
        for roll in entry.rolls:
            if not isinstance(roll, dict):
                continue
            who = self._roller(reader, entry, roll)
            if not access.is_gm and who != self.request.person:
                continue
            hand = self.count.hands.setdefault(who, _DiceHeld())
            if who == entry.person and not hand.name:
                hand.name = entry.person_name
            dice: Any = roll.get("dice") or ()
            for die in dice:
                if die["sides"] in SIZES and not hand.add(entry.session, die["sides"], die["face"]):
                    self.count.is_cut = True

    def _roller(self, reader: Reader, entry: EntryRecord, roll: Mapping[str, Any]) -> int:
        """Return whose dice a roll's are: the player's of its character, else of whoever asked for it."""
        roller = roll.get("roller") or {"id": entry.character, "name": ""}
        if roller["id"] is not None:
            owner = self._owner(reader, roller["id"], entry)
            return GMS if owner is None else owner
        return GMS if roller["name"] else entry.person

    def _owner(self, reader: Reader, character: int, entry: EntryRecord) -> int | None:
        owners = self.count.owners
        if character not in owners:
            record = reader.character(entry.server, character)
            owners[character] = entry.person if record is None else record.owner
        return owners[character]


def _stats(
    access: Access, request: Request, count: _DiceCount, person: int | None, sides: int | None
) -> DiceStats:
    who = request.person if person is None else person
    hand = count.hands.get(who, _DiceHeld())
    if person is not None and who != request.person and who not in count.hands:
        raise UserError("That person has rolled no dice here.", try_this="Open /stats again.")
    people = [PersonDice(one, found.name, found.series()) for one, found in count.hands.items()]
    found = [] if sides is None else [(one, sizes.get(sides)) for one, sizes in hand.sessions.items()]
    in_order = sorted(found, key=lambda one: -1 if one[0] is None else one[0], reverse=True)
    return DiceStats(
        campaign=access.campaign.name,
        is_gm=access.is_gm,
        is_own=who == request.person,
        shown=PersonDice(who, hand.name, hand.series()),
        sessions=tuple(
            [SessionSeries(session, Series(tuple(faces))) for session, faces in in_order if faces]
        ),
        people=tuple(sorted(people, key=lambda one: -one.rolls)) if access.is_gm else (),
        is_cut=count.is_cut,
    )
