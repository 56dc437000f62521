"""The tally of a session, counted entry by entry."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from bot.rules.kernel import CharacterId, Family, Roll, Roller
from bot.store.boundary import Reader
from bot.store.records import Change, EntryRecord, Json
from bot.table.base.access import Access
from bot.table.base.luck import HALF, Luck, deviation, luck_of
from bot.table.base.results import Message, message_from_json
from bot.table.base.stored_rolls import roll_from_json
from bot.table.journal.deadlines import facts_of

PUTS_BACK = frozenset({"undo", "session.start", "session.end", "gm.reset"})  # what these change is no play


@dataclass(frozen=True, slots=True, kw_only=True)
class RollStats:
    """Somebody's rolls in a session.

    Attributes:
        name: The character, or the person where no character rolled.
        player: The person who plays it; empty for an NPC, and if unknown.
        rolls: How many, including undone ones.
        undone: How many of them were undone.
        deviation: Luck against expectation in standard deviations, or None without exact chances.
        is_gms: Whether it is the GM's: a foe, an ally, a side of a battle.
    """

    name: str
    player: str
    rolls: int
    undone: int
    deviation: float | None
    is_gms: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A player's memorable roll.

    Attributes:
        who: Who rolled.
        headline: What they did; empty if the entry's text is not about the roll.
        purpose: What they rolled for.
        verdict: Its result.
        rank: The share of outcomes that would have been worse (0 to 1).
        chance: How likely exactly this outcome was.
        is_undone: Whether it was undone.
    """

    who: str
    headline: str
    purpose: str = ""
    verdict: str
    rank: Fraction
    chance: Fraction
    is_undone: bool


@dataclass(frozen=True, slots=True)
class Flow:
    """The amounts lost and gained of something: points spent and gained, wounds healed and taken."""

    what: str
    down: int
    up: int


@dataclass(frozen=True, slots=True)
class Advance:
    """An advance of a character, in its original wording."""

    who: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One journal entry as everybody may read it."""

    at: int
    message: Message
    rolls: tuple[Roll, ...]
    is_undone: bool


@dataclass(slots=True)
class _Hand:
    name: str
    player: str = ""
    is_gms: bool = False
    rolls: int = 0
    undone: int = 0
    lucks: list[Luck] = field(default_factory=list)


class Tally:
    """The running counts of a session.

    Args:
        reader: Where characters' names are looked up.
        access: In which campaign.
        with_lines: Whether to collect every entry too.
    """

    def __init__(self, reader: Reader, access: Access, *, with_lines: bool) -> None:
        self._reader = reader
        self._access = access
        self._with_lines = with_lines
        self._names: dict[int, str | None] = {}
        self._owners: dict[int, int | None] = {}
        self._flows: dict[tuple[str, str], list[int]] = {}
        self.people: set[int] = set()
        self.hands: dict[tuple[str, int | str], _Hand] = {}
        self.luckiest: Moment | None = None
        self.unluckiest: Moment | None = None
        self.hardest: Moment | None = None
        self.turned = 0
        self.advances: list[Advance] = []
        self.lines: list[Line] = []

    def add(self, entry: EntryRecord, message: Message) -> None:
        """Count one public entry."""
        rolls = tuple(roll_from_json(stored) for stored in entry.rolls)
        is_undone = entry.undone_by is not None
        if entry.person:
            self.people.add(entry.person)
        fallen = [roll for roll in rolls if roll.dice]  # dice that lie there are counted where they fell
        for roll in fallen:
            self._count_roll(entry, message, roll, is_first=roll is fallen[0])
        self.turned += not is_undone and self._is_turned(entry, message)
        if not is_undone and entry.kind not in PUTS_BACK:
            for change in entry.changes:
                self._count_change(change)
            if any(self._is_advance(change) for change in entry.changes):
                self.advances.append(Advance(message.who, message.headline))
        if self._with_lines:
            self.lines.append(Line(at=entry.at, message=message, rolls=rolls, is_undone=is_undone))

    def _is_turned(self, entry: EntryRecord, message: Message) -> bool:
        """Return whether an entry turned a failure into something else."""
        facts = facts_of(entry)
        if not facts.stands_for or facts.under is None or message.verdict is None:
            return False
        before = self._reader.entry(entry.server, facts.under)
        was = None if before is None else message_from_json(before.told).verdict
        is_failure = message.verdict.family is Family.FAILURE
        return was is not None and was.family is Family.FAILURE and not is_failure

    def _count_roll(self, entry: EntryRecord, message: Message, roll: Roll, *, is_first: bool) -> None:
        is_undone = entry.undone_by is not None
        hand = self._hand(entry, message, roll)
        hand.rolls += 1
        hand.undone += is_undone
        luck = luck_of(roll)
        if luck is None:
            return
        hand.lucks.append(luck)
        if luck.chance <= HALF and not hand.is_gms:  # what comes more often than not is not worth remembering
            self._compare(
                Moment(
                    who=hand.name,
                    headline=message.headline if is_first and hand.name == message.who else "",
                    purpose=roll.purpose,
                    verdict=roll.verdict.title,
                    rank=luck.rank,
                    chance=luck.chance,
                    is_undone=is_undone,
                )
            )

    def _hand(self, entry: EntryRecord, message: Message, roll: Roll) -> _Hand:
        """Return the stats a roll counts for: its roller's, or the actor's in older journals."""
        roller = roll.roller or Roller(None if entry.character is None else CharacterId(entry.character))
        name = roller.name or message.who
        if roller.id is not None:
            fresh = _Hand(name, is_gms=self._owner(roller.id) is None)
            hand = self.hands.setdefault(("character", roller.id), fresh)
            if roller.id == entry.character and entry.person == self._owner(roller.id):
                hand.player = entry.person_name
            return hand
        if roller.name:  # a side of a battle, somebody improvised
            return self.hands.setdefault(("name", roller.name), _Hand(name, is_gms=True))
        return self.hands.setdefault(("person", entry.person), _Hand(name, entry.person_name))

    def _owner(self, character: int) -> int | None:
        """Return who plays a character; None for an NPC, 0 for a removed one."""
        if character not in self._owners:
            record = self._reader.character(self._access.campaign.server, character)
            self._owners[character] = 0 if record is None else record.owner
        return self._owners[character]

    def _compare(self, moment: Moment) -> None:
        if moment.rank > (HALF if self.luckiest is None else self.luckiest.rank):
            self.luckiest = moment
        if moment.rank < (HALF if self.unluckiest is None else self.unluckiest.rank):
            self.unluckiest = moment
        if self.hardest is None or moment.chance < self.hardest.chance:
            self.hardest = moment

    def _count_change(self, change: Change) -> None:
        if change.before is None or change.after is None:  # made or removed: nothing was spent
            return
        if change.table == "resources":
            self._count_flow(change, change.before.get("value"), change.after.get("value"), "key")
        elif change.table == "wounds":
            self._count_flow(change, change.before.get("filled"), change.after.get("filled"), "track")

    def _is_advance(self, change: Change) -> bool:
        """Return whether a change is a visible character's advance."""
        if change.table != "characters" or change.before is None or change.after is None:
            return False
        before, after = change.before, change.after
        parts = tuple(f"sheet#{part}" for part in self._access.game.grown)
        grown = [name for name in before | after if name.startswith(parts)]
        has_grown = any(not _has_fallen(before.get(name), after.get(name)) for name in grown)
        return has_grown and bool(self._name(change.key["id"]))

    def _count_flow(self, change: Change, before: Json, after: Json, key: str) -> None:
        if isinstance(before, int) and isinstance(after, int) and self._name(change.key["character_id"]):
            flow = self._flows.setdefault((change.table, str(change.key[key])), [0, 0])
            flow[after > before] += abs(after - before)

    def _name(self, character: Json) -> str | None:
        """Return the name of a character that is not hidden."""
        if not isinstance(character, int):
            return None
        if character not in self._names:
            record = self._reader.character(self._access.campaign.server, character)
            self._names[character] = None if record is None or record.is_hidden else record.name
        return self._names[character]

    def rollers(self) -> list[RollStats]:
        """Return who rolled, most rolls first: the players' characters, then the GM's."""
        found = [
            RollStats(
                name=hand.name,
                player=hand.player,
                rolls=hand.rolls,
                undone=hand.undone,
                deviation=deviation(hand.lucks),
                is_gms=hand.is_gms,
            )
            for hand in self.hands.values()
        ]
        return sorted(found, key=lambda roller: (roller.is_gms, -roller.rolls))

    def gms_deviation(self) -> float | None:
        """Return the luck of all the GM's characters together."""
        return deviation([luck for hand in self.hands.values() if hand.is_gms for luck in hand.lucks])

    def points(self) -> Iterator[Flow]:
        """Return the amounts spent and gained of each resource that changed."""
        for rule in self._access.game.resources:
            down, up = self._flows.get(("resources", rule.key), (0, 0))
            if down or up:
                yield Flow(rule.title, down, up)

    def wounds(self) -> Iterator[Flow]:
        """Return the wounds healed and taken on each track that changed."""
        for track in self._access.game.wounds:
            down, up = self._flows.get(("wounds", track.key), (0, 0))
            if down or up:
                yield Flow(track.title, down, up)


def _has_fallen(before: Json, after: Json) -> bool:
    """Return whether a number fell, which is no advance."""
    return isinstance(before, int | float) and isinstance(after, int | float) and after < before
