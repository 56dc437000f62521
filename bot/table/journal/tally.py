"""The tally of a session, counted entry by entry."""

from dataclasses import dataclass, field
from fractions import Fraction

from bot.rules.kernel import CharacterId, Family, Roll, Roller
from bot.store.records import EntryId, EntryRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access
from bot.table.base.luck import HALF, Luck, deviation, luck_of
from bot.table.base.results import Message, message_from_json
from bot.table.base.stored_rolls import roll_from_json
from bot.table.journal.deadlines import PLAYED, facts_of
from bot.table.journal.fight_stories import FightStory, fights_told

SUCCESSES = frozenset({Family.SUCCESS, Family.PARTIAL})


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
        odds: How likely it was to do at least as well.
    """

    who: str
    headline: str
    purpose: str = ""
    verdict: str
    rank: Fraction
    chance: Fraction
    is_undone: bool
    odds: Fraction = Fraction(1)


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
        self._owners: dict[int, int | None] = {}
        self._first: dict[int, Family] = {}  # of each result that may be replaced: what it was first
        self._kept: dict[int, Family] = {}  # and what is kept
        self._roots: dict[int, int] = {}  # what each replacement stands for
        self.people: dict[int, str] = {}
        self.hands: dict[tuple[str, int | str], _Hand] = {}
        self.luckiest: Moment | None = None
        self.unluckiest: Moment | None = None
        self.hardest: Moment | None = None
        self.fights: list[FightStory] = []
        self.lines: list[Line] = []

    def add(self, entry: EntryRecord, message: Message) -> None:
        """Count one public entry."""
        rolls = tuple(roll_from_json(stored) for stored in entry.rolls)
        is_undone = entry.undone_by is not None
        if entry.person:
            self.people[entry.person] = entry.person_name
        fallen = [roll for roll in rolls if roll.dice]  # dice that lie there are counted where they fell
        for roll in fallen:
            is_alone = roll is fallen[0] and sum(one.rule == roll.rule for one in fallen) == 1
            self._count_roll(entry, message, roll, is_alone=is_alone)
        if not is_undone:
            self._note_result(entry, message)
            self.fights += fights_told(entry)
        if self._with_lines:
            self.lines.append(Line(at=entry.at, message=message, rolls=rolls, is_undone=is_undone))

    def _note_result(self, entry: EntryRecord, message: Message) -> None:
        """Note an entry's result, or that it replaces an earlier one."""
        if message.verdict is None:
            return
        facts, family = facts_of(entry), message.verdict.family
        if not facts.stands_for or facts.under is None:
            self._first[entry.id] = family
            return
        root = self._roots[entry.id] = self._roots.get(facts.under, facts.under)
        if root not in self._first:
            before = self._reader.entry(entry.server, EntryId(root))
            was = None if before is None else message_from_json(before.told).verdict
            if was is None:
                return
            self._first[root] = was.family
        procedure = self._access.game.procedures.get(entry.kind.removeprefix(PLAYED))
        is_given = procedure is not None and procedure.gm_only  # the GM's leave is nobody's rescue
        self._kept[root] = self._first[root] if is_given else family

    @property
    def turned(self) -> int:
        """How many failures were turned into something else that was kept."""
        kept = [family for root, family in self._kept.items() if self._first[root] is Family.FAILURE]
        return sum(family is not Family.FAILURE for family in kept)

    def _count_roll(self, entry: EntryRecord, message: Message, roll: Roll, *, is_alone: bool) -> None:
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
                    headline=message.headline if is_alone and hand.name == message.who else "",
                    purpose=roll.purpose,
                    verdict=roll.verdict.title,
                    rank=luck.rank,
                    chance=luck.chance,
                    is_undone=is_undone,
                    odds=1 - luck.rank + luck.chance / 2,
                ),
                is_success=roll.verdict.family in SUCCESSES and not is_undone,
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

    def _compare(self, moment: Moment, *, is_success: bool) -> None:
        if moment.rank > (HALF if self.luckiest is None else self.luckiest.rank):
            self.luckiest = moment
        if moment.rank < (HALF if self.unluckiest is None else self.unluckiest.rank):
            self.unluckiest = moment
        if is_success and moment.odds <= HALF and (self.hardest is None or moment.odds < self.hardest.odds):
            self.hardest = moment

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
