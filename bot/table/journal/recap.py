"""The recap of a session, counted from its journal entry by entry, without the GM's secrets."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, takewhile

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import (
    AwardRule,
    Character,
    CharacterId,
    Family,
    Gauge,
    GaugeKind,
    Growth,
    ResourceRule,
    Roll,
    Roller,
    Scene,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import amount_of
from bot.rules.kernel.tracker import ENCOUNTER, encounter_key
from bot.rules.shared.encounters import Encounter, find_character
from bot.store.connection import Overtaken
from bot.store.journalled_tables import from_text, put_back, to_text
from bot.store.records import (
    CampaignId,
    Change,
    CharacterRecord,
    EntryId,
    EntryRecord,
    Json,
    JsonObject,
    SessionRecord,
)
from bot.store.transaction import Reader
from bot.table.base.access import Access, as_played
from bot.table.base.results import Message, message_from_json
from bot.table.base.stored_rolls import HALF, Luck, deviation, luck_of, roll_from_json
from bot.table.base.turn import ReadTurn, look
from bot.table.journal.entries import PLAYED, earliest_first, facts_of, is_public, latest_first
from bot.table.journal.shared_prompts import scene_to_look_at

SUCCESSES = frozenset({Family.SUCCESS, Family.PARTIAL})


class RollStats(Struct, frozen=True, kw_only=True):
    """Somebody's rolls in a session."""

    name: str  # the character, or the person where no character rolled
    player: str  # the person who plays it; empty for an NPC, and if unknown
    rolls: int  # how many, including undone ones
    undone: int  # how many of them were undone
    deviation: float | None  # Luck against expectation in standard deviations, or None without exact chances
    is_gms: bool = False  # whether it is the GM's: a foe, an ally, a side of a battle


class Moment(Struct, frozen=True, kw_only=True):
    """A player's memorable roll."""

    who: str  # who rolled
    headline: str  # what they did; empty if the entry's text is not about the roll
    purpose: str = ""  # what they rolled for
    verdict: str  # its result
    rank: Fraction  # the share of outcomes that would have been worse (0 to 1)
    chance: Fraction  # how likely exactly this outcome was
    is_undone: bool
    # The chance shown with it where it was good enough; else how likely it was to do at least as well.
    odds: Fraction = Fraction(1)


class Line(Struct, frozen=True, kw_only=True):
    """One journal entry as everybody may read it."""

    at: int
    message: Message
    rolls: tuple[Roll, ...]
    is_undone: bool


class _Hand(Struct):
    name: str
    player: str = ""
    is_gms: bool = False
    rolls: int = 0
    undone: int = 0
    lucks: list[Luck] = []


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
                    odds=_chance_beforehand(roll),
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


def _chance_beforehand(roll: Roll) -> Fraction:
    """Return the chance of what was needed, before any dice; of at least this, where nothing or less came."""
    odds = roll.told_odds
    if odds is None or roll.outcome is None:
        return Fraction(1)
    return max(odds.enough or Fraction(0), odds.at_least(roll.outcome))


OWNER = {"characters": "id", "resources": "character_id", "wounds": "character_id", "timers": "character_id"}
SHEET = "sheet#"
AWARDED = "gm.award"
AWARDS = "awards"  # in the facts of an entry
Rows = dict[tuple[object, ...], JsonObject]


class Count(Struct, frozen=True):
    """Something counted about a hero, such as hit points."""

    what: str
    before: str  # how it stood when the session began
    after: str  # how it stood when it ended
    reset: str = ""  # what the session's end made of that; empty if it left it alone

    @property
    def is_changed(self) -> bool:
        """Whether play has changed it."""
        return self.before != self.after


class Award(Struct, frozen=True):
    """What a GM has given a hero for a session, or taken away."""

    title: str
    amount: int

    def __str__(self) -> str:
        """The award in words: "awarded 3 Character points", "1 Lucky Break taken away"."""
        words = amount_of(abs(self.amount), self.title)
        return f"awarded {words}" if self.amount > 0 else f"{words} taken away"


class HeroStory(Struct, frozen=True, kw_only=True):
    """What became of a player's character in a session."""

    name: str  # the character
    id: int = 0
    portrait: bytes = b""  # its portrait, where it is asked for
    growth: tuple[Growth, ...] = ()  # what grew
    counts: tuple[Count, ...] = ()  # what changed, and the wounds that are left
    falls: int = 0  # how often it went down
    states: tuple[str, ...] = ()  # its conditions at the end
    is_dead: bool = False  # whether it died in the session
    is_new: bool = False  # whether it joined in the session
    awards: tuple[Award, ...] = ()  # what it was awarded for the session, also after its end

    @property
    def is_quiet(self) -> bool:
        """Whether nothing happened to the hero."""
        has_changed = any(one.is_changed for one in self.counts)
        return not (self.growth or has_changed or self.falls or self.is_dead or self.is_new or self.awards)


class _Hero(Struct):
    """A hero on the way back through the journal."""

    record: CharacterRecord
    rows: Rows
    after: Character | None = None
    before: Character | None = None
    reset: Character | None = None
    awards: dict[int, dict[str, int]] = {}  # by the session's number and the title
    was_down: list[bool] = []  # the latest first
    is_new: bool = False


def hero_stories(
    reader: Reader, access: Access, sessions: Sequence[SessionRecord]
) -> dict[int, tuple[HeroStory, ...]]:
    """Return what became of every player's character in some sessions, by the session's number.

    The journal is followed back from the present, once. What happened between a session's start and
    its end counts; what these two reset is no play.
    """
    heroes = _heroes(reader, access)
    found: dict[int, tuple[HeroStory, ...]] = {one.number: () for one in sessions}
    inside = next((one.number for one in sessions if one.ended_at is None), None)
    if inside is not None:
        _note_after(access, heroes)
    first = min((one.started_at for one in sessions), default=0)
    entries = latest_first(reader, access.campaign.server, access.campaign.id)
    for entry in takewhile(lambda one: one.at >= first, entries) if heroes else ():
        number = entry.session
        if entry.kind == "session.start" and number == inside and number is not None:
            stories = (_story(access, hero, number) for hero in heroes.values())
            found[number] = tuple(one for one in stories if one is not None and not one.is_quiet)
            inside = None
        elif inside is not None and entry.undone_by is None and entry.undoes is None:
            _note_down(access, heroes, entry)
        is_end = entry.kind == "session.end" and entry.undone_by is None and number in found
        for hero in heroes.values() if is_end else ():
            hero.reset = None if hero.is_new else _played(access, hero)
        if entry.undone_by is None and entry.session is not None:
            _note_awards(heroes, entry, entry.session, tuple(_awards_in(access, entry)))
        _take_back(access, heroes, entry)
        if is_end:
            _note_after(access, heroes)
            inside = number
    return found


def _note_awards(heroes: dict[int, _Hero], entry: EntryRecord, session: int, awards: Sequence[Award]) -> None:
    """Note what an entry awarded the heroes that it changed, or took from them, for its session."""
    changed = (_hero_of(heroes, change) for change in entry.changes) if awards else ()
    for hero in {id(one): one for one in changed if one is not None}.values():
        given = hero.awards.setdefault(session, {})
        for award in awards:
            given[award.title] = given.get(award.title, 0) + award.amount


def _awards_in(access: Access, entry: EntryRecord) -> Iterator[Award]:
    """Yield what an entry awarded, of older releases too."""
    facts = entry.told.get("facts")
    if not isinstance(facts, dict):
        return
    told, key, amount = facts.get(AWARDS), facts.get("awarded"), facts.get("amount")
    for one in told if isinstance(told, list) else ():
        if isinstance(one, dict):
            yield Award(str(one["title"]), int(str(one["amount"])))
    if told is None and isinstance(amount, int):
        rules: list[AwardRule | ResourceRule] = [*access.game.awards, *access.game.counted(access.settings)]
        yield from (Award(rule.title, amount) for rule in rules if rule.key == key)


def _heroes(reader: Reader, access: Access) -> dict[int, _Hero]:
    found = reader.characters(
        access.campaign.server, access.campaign.id, with_hidden=False, with_retired=True
    )
    return {one.id: _Hero(one, _rows(one)) for one in found if one.owner is not None}


# --- heroes as they were -----------------------------------------------------------------------


def _rows(record: CharacterRecord) -> Rows:
    """Return a character's stored rows, as the journal names them."""
    rows: Rows = {("characters",): {"sheet": from_text(record.sheet), "sheet_version": record.sheet_version}}
    for key, (value, cap) in record.resources.items():
        rows["resources", key] = {"value": value, "cap": cap}
    for track, levels in record.wounds.items():
        for level, (filled, capacity) in enumerate(levels):
            rows["wounds", track, level] = {"filled": filled, "capacity": capacity}
    for key, due in record.timers.items():
        rows["timers", key] = {"due": due}
    return rows


def _played(access: Access, hero: _Hero) -> Character | None:
    """Return a hero as its rows have it, or None if the game can no longer read its sheet."""
    own = hero.rows["characters",]
    sheet, version = own["sheet"], own["sheet_version"]
    if not isinstance(sheet, dict) or not isinstance(version, int):
        return None
    try:
        played = as_played(access.game, replace(hero.record, sheet=to_text(sheet), sheet_version=version))
    except UserError:
        return None
    wounds: dict[str, tuple[int, ...]] = {}
    for (track, _level), filled in sorted(_numbers(hero, "wounds", "filled")):
        wounds[track] = (*wounds.get(track, ()), filled)
    resources = {key: value for (key, _), value in _numbers(hero, "resources", "value")}
    timers = {key: due for (key, _), due in _numbers(hero, "timers", "due")}
    return replace(played, resources=resources, wounds=wounds, timers=timers)


def _numbers(hero: _Hero, table: str, column: str) -> Iterator[tuple[tuple[str, int], int]]:
    """Yield a column of a hero's rows in a table, each with its key and level."""
    for (name, *key), row in hero.rows.items():
        number = row.get(column)
        if name == table and isinstance(number, int):
            yield (str(key[0]), int(str(key[1])) if len(key) > 1 else 0), number


def _take_back(access: Access, heroes: dict[int, _Hero], entry: EntryRecord) -> None:
    """Take an entry's changes of heroes back; one that it made begins as it was made."""
    for change in entry.changes:
        if change.table == "characters" and change.before is None:
            hero = _hero_of(heroes, change)
            if hero is not None:
                hero.before, hero.is_new = _played(access, hero), True
    for change in reversed(entry.changes):
        hero = _hero_of(heroes, change)
        if hero is None:
            continue
        try:
            _restore(hero.rows, change)
        except Overtaken:  # the journal and the sheet have come apart: nobody can say how it was
            hero.is_new, hero.before, hero.after = True, None, None


def _hero_of(heroes: dict[int, _Hero], change: Change) -> _Hero | None:
    """Return the hero whose row a change changed, unless it had not been made yet."""
    column = OWNER.get(change.table)
    found = None if column is None else change.key[column]
    hero = heroes.get(found) if isinstance(found, int) else None
    return None if hero is None or hero.is_new else hero


def _note_after(access: Access, heroes: dict[int, _Hero]) -> None:
    """Note how every hero stands at the end of the session."""
    for hero in heroes.values():
        hero.after = None if hero.is_new else _played(access, hero)
        hero.was_down = []


def _note_down(access: Access, heroes: dict[int, _Hero], entry: EntryRecord) -> None:
    """Note which of the heroes that an entry changed were down after it."""
    changed = {id(hero): hero for change in entry.changes if (hero := _hero_of(heroes, change)) is not None}
    for hero in changed.values():
        played = _played(access, hero)
        if played is not None:
            hero.was_down.append(access.game.is_down(played, access.settings))


def _restore(rows: Rows, change: Change) -> None:
    """Return a row to what it was before a change."""
    place = (change.table, *(value for column, value in change.key.items() if column != OWNER[change.table]))
    if change.before is None:
        rows.pop(place, None)
        return
    row = rows.setdefault(place, {})
    row.update((column, value) for column, value in change.before.items() if "#" not in column)
    sheet = row.get("sheet")
    if isinstance(sheet, dict):
        put_back(sheet, _leaves(change.before), _leaves(change.after or {}))


def _leaves(cells: JsonObject) -> JsonObject:
    return {name.removeprefix(SHEET): value for name, value in cells.items() if name.startswith(SHEET)}


# --- the story -----------------------------------------------------------------------------------


def _story(access: Access, hero: _Hero, number: int) -> HeroStory | None:
    game, settings, after = access.game, access.settings, hero.after
    before = hero.before if hero.is_new else _played(access, hero)
    if before is None or after is None:
        return None
    was_down = [game.is_down(before, settings), *reversed(hero.was_down)]
    stands = game.glance(after, settings)
    reset = stands if hero.reset is None else game.glance(hero.reset, settings)
    given = hero.awards.get(number, {}).items()
    return HeroStory(
        name=hero.record.name,
        id=hero.record.id,
        growth=tuple(game.growth(before.sheet, after.sheet, settings)),
        counts=tuple(_counts(game.glance(before, settings).gauges, stands.gauges, reset.gauges)),
        falls=sum(now and not then for then, now in pairwise(was_down)),
        states=stands.states,
        is_dead=game.is_dead(after) and not game.is_dead(before),
        is_new=hero.is_new,
        awards=tuple(Award(title, amount) for title, amount in given if amount),
    )


def _counts(before: Iterable[Gauge], after: Iterable[Gauge], reset: Iterable[Gauge]) -> Iterator[Count]:
    """Return the counts that changed, and the health that is still missing, with what the end reset."""
    were = {gauge.title: gauge.shown for gauge in before}
    resets = {gauge.title: gauge.shown for gauge in reset}
    for now in after:
        was, then = were.get(now.title, now.shown), resets.get(now.title, now.shown)
        if was != now.shown or _is_hurt(now):
            yield Count(now.title, was, now.shown, then if then != now.shown else "")


def _is_hurt(gauge: Gauge) -> bool:
    if gauge.kind is GaugeKind.HARM:
        return any(filled for filled, _most in gauge.parts)
    return gauge.kind is GaugeKind.HEALTH and any(left < most for left, most in gauge.parts)


FIGHTS = "fights"  # in the facts of an entry


class FightStory(Struct, frozen=True, kw_only=True):
    """What became of a fight."""

    channel: int  # where it was
    round: int  # the round it came to; 0 if it had not begun
    goes_on: bool = False  # whether it had not ended
    down: tuple[str, ...] = ()  # the names of those who were down, as everybody knows them

    @property
    def as_json(self) -> JsonObject:
        """The story as an entry's facts hold it."""
        down: list[Json] = list(self.down)
        return {"channel": self.channel, "round": self.round, "goes_on": self.goes_on, "down": down}


def running_fights(reader: Reader, access: Access) -> tuple[FightStory, ...]:
    """Return the campaign's fights that run now."""
    keys = reader.document_keys(access.campaign.server, access.campaign.id, f"{ENCOUNTER}/")
    return tuple(_stories(access, scene_to_look_at(reader, access, for_gm=False), keys, goes_on=True))


def fights_ended(access: Access, before: Scene, after: Scene) -> tuple[FightStory, ...]:
    """Return the fights that are in one scene and no longer in another."""
    gone = [
        key
        for key, document in after.documents.items()
        if key.startswith(encounter_key("")) and document is None
    ]
    return tuple(_stories(access, before, gone, goes_on=False))


def _stories(access: Access, scene: Scene, keys: Iterable[str], *, goes_on: bool) -> Iterator[FightStory]:
    for key in keys:
        fight = scene.document(key)
        if isinstance(fight, Encounter):
            yield FightStory(
                channel=int(key.partition("/")[2]),
                round=fight.round,
                goes_on=goes_on,
                down=tuple(_down(access, scene, fight)),
            )


def _down(access: Access, scene: Scene, fight: Encounter) -> Iterator[str]:  # type: ignore[type-arg]
    """Yield the names of the visible combatants who are down."""
    for one in fight.shown:
        who = find_character(scene, one.character)
        if who is not None and not who.is_hidden and access.game.is_down(who, access.settings):
            yield one.name


def fights_told(entry: EntryRecord) -> Iterator[FightStory]:
    """Yield what an entry tells of fights that ended with it or were left running."""
    facts = entry.told.get("facts")
    told = facts.get(FIGHTS) if isinstance(facts, dict) else None
    for one in told if isinstance(told, list) else ():
        if isinstance(one, dict):
            down = one.get("down")
            yield FightStory(
                channel=int(str(one["channel"])),
                round=int(str(one["round"])),
                goes_on=one.get("goes_on") is True,
                down=tuple(map(str, down)) if isinstance(down, list) else (),
            )


class Recap(Struct, frozen=True, kw_only=True):
    """What happened in a session."""

    campaign: str
    title: str  # the ruleset
    number: int  # the session's number
    started_at: int  # when it began
    ended_at: int  # when it ended; the present while it runs
    is_running: bool  # whether it still runs
    players: int  # how many people did something
    rolls: int  # how many public rolls there were
    undone_rolls: int  # how many of them were undone
    rollers: tuple[RollStats, ...]  # who rolled, most rolls first: the players' characters, then the GM's
    # The luck of all the GM's characters together, or None without exact chances.
    gms_deviation: float | None = None
    # The player's roll that beat the largest share of outcomes, if it was better than average.
    luckiest: Moment | None
    unluckiest: Moment | None  # the one that beat the smallest share, if it was worse than average
    hardest: Moment | None  # the least likely success of a player that was kept: the hardest turn
    turned: int = 0  # how many failures were turned into something else
    heroes: tuple[HeroStory, ...] = ()  # what became of each player's character
    fights: tuple[FightStory, ...] = ()  # what became of each fight
    present: tuple[str, ...] = ()  # the names of the people who did something
    lines: tuple[Line, ...] = ()  # every entry in order; only in a full recap


@look()
def recap(
    at: ReadTurn,
    number: int | None = None,
    *,
    campaign: CampaignId | None = None,
    whole: bool = False,
) -> Recap:
    """What happened in a session.

    Args:
        number: The session; by default the running one, else the latest.
        campaign: The campaign; by default that of the place.
        whole: Whether to list every entry too.

    Raises:
        UserError: If there is no such session.
    """
    at = at.in_campaign(campaign)
    session = find_session(at.reader, at.access, number)
    tally = _tally(at.reader, at.access, session, with_lines=whole)
    heroes = hero_stories(at.reader, at.access, [session])[session.number]
    heroes = tuple(replace(one, portrait=at.reader.portrait(at.server, one.id)) for one in heroes)
    return _recap(at, session, tally, heroes)


@look()
def chronicle(at: ReadTurn) -> tuple[Recap, ...]:
    """What happened in every session of the campaign, the latest first.

    Raises:
        UserError: If there has been none.
    """
    sessions = at.reader.sessions(at.server, at.campaign.id)
    if not sessions:
        find_session(at.reader, at.access, None)
    heroes = hero_stories(at.reader, at.access, sessions)
    return tuple(
        _recap(at, one, _tally(at.reader, at.access, one, with_lines=False), heroes[one.number])
        for one in sessions
    )


def _tally(reader: Reader, access: Access, session: SessionRecord, *, with_lines: bool) -> Tally:
    """Count a session's public entries."""
    tally = Tally(reader, access, with_lines=with_lines)
    entries = earliest_first(
        reader, session.server, session.campaign, session=session.number, with_secret=False
    )
    for entry in entries:
        if is_public(entry):
            tally.add(entry, message_from_json(entry.told))
    return tally


def find_session(reader: Reader, access: Access, number: int | None) -> SessionRecord:
    """Return a session of the campaign by its number; by default the running one, else the latest.

    Raises:
        UserError: If there is none.
    """
    sessions = reader.sessions(access.campaign.server, access.campaign.id)
    for session in sessions:
        if number in {None, session.number}:
            return session
    if not sessions:
        raise UserError("There has been no session yet.", try_this="Start one with /session start.")
    raise UserError(f"There is no session {number}.", f"Sessions: 1 to {sessions[0].number}.")


def _recap(at: ReadTurn, session: SessionRecord, tally: Tally, heroes: tuple[HeroStory, ...]) -> Recap:
    running = running_fights(at.reader, at.access) if session.ended_at is None else ()
    return Recap(
        campaign=at.campaign.name,
        title=at.game.title,
        number=session.number,
        started_at=session.started_at,
        ended_at=session.ended_at or at.table.now(),
        is_running=session.ended_at is None,
        players=len(tally.people),
        rolls=sum(hand.rolls for hand in tally.hands.values()),
        undone_rolls=sum(hand.undone for hand in tally.hands.values()),
        rollers=tuple(tally.rollers()),
        gms_deviation=tally.gms_deviation(),
        luckiest=tally.luckiest,
        unluckiest=tally.unluckiest,
        hardest=tally.hardest,
        turned=tally.turned,
        heroes=heroes,
        fights=(*tally.fights, *running),
        present=tuple(tally.people.values()),
        lines=tuple(tally.lines),
    )
