"""The combatants of a fight and its battlefield: regions with their links and distances, and cover."""

import re
from collections import deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from enum import StrEnum
from math import ceil, hypot
from typing import TypeVar

from pydantic import Field, model_validator

from bot.rules.kernel import CharacterId, Document, NamedTerm, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import shown_number
from bot.rules.rpj.module.abilities import Ability
from bot.rules.rpj.module.basics import Scale
from bot.rules.rpj.module.defense_layers import CombatRules, Out
from bot.rules.rpj.resolution.check_inputs import CheckKind, CriticalRules, RpjCheckInputs
from bot.rules.shared.encounters import AnyCombatant


class Brew(Document):
    """Long magic in progress. [RPJ-WMAG-14 (WMAG-14b)]"""

    name: str  # what it is called
    of: int = Field(ge=1)  # how many whole turns it takes
    done: int = Field(default=1, ge=1)  # how many have gone into it
    round: int  # the round of the last one
    spell: str = ""  # the id of the spell; nothing for an ability
    slot: int | None = None  # the level of its slot that was asked for, or None
    ability: Ability | None = None  # the ability; None for a spell
    targets: tuple[str, ...] = ()  # whom it concerns, by what the fight calls them
    unwilling: bool = False  # whether somebody is to be touched who would rather not be


class UnderFire(Document):
    """A combatant's Fire and Movement state. [RPJ-FIRE-17, RPJ-FIRE-18, RPJ-FIRE-24 to RPJ-FIRE-28]"""

    suppressors: tuple[str, ...] = ()  # who suppresses them, by their ids in the fight
    # The round with whose turn of theirs it ends; None while they are not suppressed.
    until_round: int | None = Field(default=None, ge=1)
    has_moved: bool = False  # whether they have moved this turn, so that no more shots are drawn by it
    overwatch: int | None = None  # the region they watch, or None
    is_reoriented: bool = False  # whether they face the other way in their cover
    reoriented_round: int = Field(default=0, ge=0)  # the round in which they last turned about, 0 for none
    is_cowering: bool = False
    is_cautious: bool = False  # whether cautious movement stands in for cover
    acted: bool = False  # whether they have moved or attacked this turn

    @property
    def is_suppressed(self) -> bool:
        """Whether they are suppressed."""
        return self.until_round is not None

    def _changed(self, **changes: object) -> "UnderFire":
        return evolve(self, **changes)

    def suppressed(self, by: str, round_: int, *, has_had_turn: bool) -> "UnderFire":
        """Suppressed until the end of their next turn. [RPJ-FIRE-23, RPJ-FIRE-24 (FIRE-24c)]

        Args:
            by: Who suppresses them.
            has_had_turn: Whether their turn of this round has begun.
        """
        suppressors = (*(one for one in self.suppressors if one != by), by)
        return self._changed(suppressors=suppressors, until_round=round_ + has_had_turn)

    def turn_began(self) -> "UnderFire":
        """At the start of their turn: effects until then end.

        [RPJ-FIRE-18, RPJ-FIRE-26 (FIRE-26a), RPJ-FIRE-28]
        """
        return self._changed(
            is_cowering=False, is_cautious=False, overwatch=None, has_moved=False, acted=False
        )

    def turn_ended(self, round_: int, *, in_cover: bool) -> "UnderFire":
        """At the end of their turn: due suppression ends; idle combatants in cover cower.

        [RPJ-FIRE-18 (FIRE-18b, FIRE-18c), RPJ-FIRE-24]
        """
        is_due = self.until_round is not None and self.until_round <= round_
        ended = self._changed(suppressors=(), until_round=None) if is_due else self
        return ended._changed(is_cowering=in_cover and not self.acted)

    def displaced(self, *, in_cover: bool) -> "UnderFire":
        """After changing place by any means. [RPJ-FIRE-12, RPJ-FIRE-18, RPJ-FIRE-26 (FIRE-26a)]"""
        return self._changed(
            overwatch=None,
            is_cowering=self.is_cowering and in_cover,
            is_reoriented=self.is_reoriented and in_cover,
        )

    def moved(self, *, leaves_cover: bool) -> "UnderFire":
        """After a move. [RPJ-FIRE-12, RPJ-FIRE-25, RPJ-FIRE-26]"""
        return self._changed(
            has_moved=True,
            acted=True,
            overwatch=None,
            is_cowering=False,
            is_reoriented=self.is_reoriented and not leaves_cover,
        )

    def attacked(self) -> "UnderFire":
        """After an attack on their own turn. [RPJ-FIRE-18]"""
        return self._changed(acted=True)

    def reoriented(self, round_: int, *, in_cover: bool) -> "UnderFire":
        """After turning around in cover, once per turn. [RPJ-FIRE-17 (FIRE-17a)]

        Raises:
            UserError: If they are in no cover, or did so this turn.
        """
        if not in_cover:
            raise UserError("There is no cover to turn around in.")
        if self.reoriented_round == round_:
            raise UserError("You can turn around once per turn.")
        return self._changed(
            is_reoriented=not self.is_reoriented, reoriented_round=round_, acted=True, is_cowering=False
        )

    def watching(self, region: int) -> "UnderFire":
        """On overwatch over a region. [RPJ-FIRE-26 (FIRE-26c)]"""
        return self._changed(overwatch=region, acted=True)

    def fired(self) -> "UnderFire":
        """After the shot of an overwatch, which ends it. [RPJ-FIRE-26, RPJ-FIRE-27]"""
        return self._changed(overwatch=None)

    def cautious(self, *, in_cover: bool) -> "UnderFire":
        """After a cautious move, which counts as a little cover in the open. [RPJ-FIRE-28]"""
        return self.moved(leaves_cover=not in_cover)._changed(is_cautious=not in_cover)

    def assert_may_move(self) -> None:
        """Refuse a move after overwatch was set. [RPJ-FIRE-26]"""
        if self.overwatch is not None:
            raise UserError(
                "You can't move while on overwatch.", "Overwatch ends at the start of your next turn."
            )

    def assert_may_aim(self) -> None:
        """Refuse Aimed Fire while suppressed. [RPJ-FIRE-21, RPJ-FIRE-24]"""
        if self.is_suppressed:
            raise UserError("You can't aim while suppressed.")


def shots_at_mover(mover: UnderFire) -> tuple[str, ...]:
    """Who can spend a free attack on a suppressed mover's first move this turn. [RPJ-FIRE-25, RPJ-FIRE-29]"""
    return mover.suppressors if mover.is_suppressed and not mover.has_moved else ()


def is_triggered(watcher: UnderFire, from_region: int, to_region: int, *, is_cautious: bool) -> bool:
    """Whether a combatant on overwatch can shoot at a mover. [RPJ-FIRE-26, RPJ-FIRE-30]"""
    return watcher.overwatch == to_region != from_region and not is_cautious


class RpjKind(StrEnum):
    """The kind of combatant. [RPJ-GCS-04]"""

    PLAYER = "player"
    NPC = "npc"
    MOOK = "mook"


class Side(StrEnum):
    """A side of a fight."""

    PLAYERS = "players"
    FOES = "foes"


class MookSheet(Document):
    """The stat block of a mook. [RPJ-GCS-46, RPJ-GCS-67 (R-137), RPJ-SCALE-01 (SCALE-01b)]"""

    name: str = Field(min_length=1, max_length=60)  # what it is called
    attack: int = Field(ge=-10, le=20)  # added to its attack rolls
    damage: int = Field(default=0, ge=-5, le=20)  # what a hit of it does
    defense: int = Field(ge=2, le=30)  # what must be rolled to hit it
    # Shortest distance it shoots at; None for its own group.
    least_range: int | None = Field(default=None, ge=0, le=20)
    # Longest distance it shoots at; None: it only strikes.
    greatest_range: int | None = Field(default=None, ge=0, le=20)
    is_nonlethal: bool = False  # whether it puts out instead of killing
    scale: Scale = Scale.NORMAL  # what it withstands, where damage scales are played
    damage_scale: Scale = Scale.NORMAL  # how great its damage is


class RpjTurn(Document):
    """The state of a combatant's turn. [RPJ-GCS-22]"""

    actions: int = Field(default=0, ge=0)  # actions that are left
    received: int = Field(default=0, ge=0)  # actions that it began with
    has_attacked: bool = False  # whether an Attack action has been spent
    has_swapped: bool = False  # whether the free change of equipment is used
    has_grappled: bool = False  # whether a grapple was attempted
    has_checked: bool = False  # whether the grapple check is made
    has_coup: bool = False  # whether a coup de grace was attempted
    has_helped: bool = False  # whether a helping hand was lent
    is_held: bool = False  # whether moving is over for this turn

    @property
    def is_untouched(self) -> bool:
        """Whether none of it has been spent."""
        return self == RpjTurn(actions=self.received, received=self.received, has_swapped=self.has_swapped)


def fighter_id(character: CharacterId) -> str:
    """What a character is called in the document of a fight."""
    return f"c{character}"


class RpjCombatant(AnyCombatant):
    """A combatant. [RPJ-GCS-04, RPJ-GCS-05, RPJ-GCS-13, RPJ-GCS-42, RPJ-MNV-02, RPJ-MNV-08]"""

    id: str  # what it is called in the fight's document
    kind: RpjKind
    side: Side  # whose side it is on
    mook: MookSheet | None = None
    out: Out = Out.NO  # what has become of a mook; characters keep it on their sheet
    region: int = 1  # where it is
    group: int = 0  # which group it belongs to; groups are numbered through the whole fight
    wielded: tuple[str, ...] = ()  # the weapons in its hands, by id
    initiative: int | None = None  # what it rolled
    modifier: int = 0  # what was added to that roll; settles ties of NPCs
    toss: int = 0  # a d6 that settles what is left of ties; 0 where none was needed
    turn: RpjTurn = RpjTurn()  # what has become of its turn
    free_attacks: int = Field(default=1, ge=0)  # free attacks of this round that are left
    was_targeted: bool = False  # whether somebody has attacked it in this round
    charges: int = Field(default=0, ge=0)  # prepare charges
    barred: tuple[str, ...] = ()  # whose groups it cannot join until its next turn
    # Magic of minutes that it concentrates on, or None; whoever attacks it spoils that.
    brewing: Brew | None = None
    under_fire: UnderFire = UnderFire()  # what Fire and Movement keeps of it
    saves_lost: int = Field(default=0, ge=0)  # how many saves were crossed off when it joined

    @property
    def is_foe(self) -> bool:
        """Whether it is on the foes' side."""
        return self.side is Side.FOES

    @property
    def has_a_minute(self) -> bool:
        """Whether a whole turn is free for a task: nothing spent, and not attacked this round.

        [RPJ-GCS-13 (R-075)]
        """
        return self.turn.is_untouched and not self.was_targeted


def counted(fighters: Iterable[RpjCombatant]) -> tuple[str, ...]:
    """Names, with identical mooks counted ("Goblin ×3"). [RPJ-GCS-67]"""
    names: dict[str, int] = {}
    for fighter in fighters:
        name = fighter.mook.name if fighter.mook else fighter.name
        names[name] = names.get(name, 0) + 1
    return tuple(f"{name} ×{count}" if count > 1 else name for name, count in names.items())


def stacks(fighters: Iterable[RpjCombatant]) -> Iterator[tuple[RpjCombatant, ...]]:
    """Stacks of mooks of one kind that stand together. [RPJ-GCS-67]"""
    mooks = [one for one in fighters if one.mook is not None]
    keys = dict.fromkeys((one.mook, one.side, one.group) for one in mooks)
    for mook, side, group in keys:
        yield tuple(one for one in mooks if (one.mook, one.side, one.group) == (mook, side, group))


def hidden_stacks(fighters: Iterable[RpjCombatant]) -> Iterator[tuple[RpjCombatant, ...]]:
    """Stacks of hidden mooks, by kind and place."""
    mooks = [one for one in fighters if one.character is None]
    for kind in dict.fromkeys((one.mook, one.region, one.group) for one in mooks):
        yield tuple(one for one in mooks if (one.mook, one.region, one.group) == kind)


def stack_name(stack: Sequence[RpjCombatant], fighters: Iterable[RpjCombatant]) -> str:
    """A stack of mooks as its line names it: a single one by its number where there are others like it."""
    alike = [one for one in fighters if one.mook == stack[0].mook]
    return stack[0].name if len(stack) == 1 < len(alike) else counted(stack)[0]


ADJACENT = -1
MOST_REGIONS = 40
_LINK = re.compile(r"(\d+)\s*([-/])\s*(\d+)")


def shown_distance(distance: int) -> str:
    """A distance in the book's notation: regions, and a star for the same group. [RPJ-GCS-06, RPJ-GCS-07]"""
    return "*" if distance == ADJACENT else str(distance)


def out_of_reach(what: str, distance: int, least: int, greatest: int) -> UserError:
    """Why something can't be used at a distance: the star of the book is put in words.

    Args:
        what: What can't be done: "Longbow can't be used".
        distance: How far the target is.
        least: The shortest distance it reaches.
        greatest: The longest.

    [RPJ-GCS-06, RPJ-GCS-07]
    """
    what = f"{what[:1].upper()}{what[1:]}"
    if distance == ADJACENT:
        return UserError(
            f"{what} against someone in your own group.",
            f"It reaches distance {least} to {greatest}.",
            "Move away from them first, or choose another way.",
        )
    reach = "your own group" if least == ADJACENT else f"distance {least} to {greatest}"
    reach += f" and up to distance {greatest}" if least == ADJACENT < greatest else ""
    return UserError(f"{what} at distance {distance}.", f"It reaches {reach}.")


class Link(Document):
    """Two regions that touch."""

    a: int = Field(ge=1, le=MOST_REGIONS)
    b: int = Field(ge=1, le=MOST_REGIONS)  # the other one
    is_blocked: bool = False  # whether nobody can walk from one to the other

    def joins(self, a: int, b: int) -> bool:
        """Whether it links these two."""
        return (self.a, self.b) in ((a, b), (b, a))


class Battlefield(Document):
    """The battlefield of a fight. [RPJ-GCS-01, RPJ-GCS-02]"""

    # How many regions there are; they are numbered from 1.
    regions: int = Field(default=6, ge=1, le=MOST_REGIONS)
    links: tuple[Link, ...] = ()  # which of them touch
    hidden: tuple[tuple[int, int], ...] = ()  # pairs of regions between which nobody can shoot
    names: dict[int, str] = Field(default_factory=dict)  # what regions are called, by number

    @model_validator(mode="after")
    def _links_what_is_there(self) -> "Battlefield":
        named = {end for link in self.links for end in (link.a, link.b)}
        named |= {end for pair in self.hidden for end in pair}
        if named and not named <= set(self.numbers):
            raise ValueError(f"Regions are numbered from 1 to {self.regions}.")
        return self

    @property
    def numbers(self) -> range:
        """The numbers of its regions."""
        return range(1, self.regions + 1)

    def name(self, region: int) -> str:
        """A region's name."""
        return self.names.get(region, f"Region {region}")

    def link(self, a: int, b: int) -> Link | None:
        """The link of two regions, or None where they do not touch. [RPJ-GCS-02]"""
        return next((link for link in self.links if link.joins(a, b)), None)

    def exits(self, region: int) -> tuple[int, ...]:
        """The regions reachable from a region with one move. [RPJ-GCS-01, RPJ-GCS-02, RPJ-GCS-10]"""
        links = sorted(self._links_of(region).items(), key=lambda one: one[0])
        return tuple(number for number, link in links if not link.is_blocked)

    def _links_of(self, region: int) -> dict[int, Link]:
        """The link of a region with each region that touches it."""
        found: dict[int, Link] = {}
        for link in self.links:
            if region in (link.a, link.b):
                found.setdefault(link.b if link.a == region else link.a, link)
        return found

    def steps(self, start: int, end: int) -> int | None:
        """The number of regions entered on the shortest way, or None without a way. [RPJ-GCS-06]"""
        ways: dict[int, list[int]] = {}
        for link in self.links:
            ways.setdefault(link.a, []).append(link.b)
            ways.setdefault(link.b, []).append(link.a)
        found, waiting = {start: 0}, deque([start])
        while waiting:
            here = waiting.popleft()
            for there in ways.get(here, ()):
                if there not in found:
                    found[there] = found[here] + 1
                    waiting.append(there)
        return found.get(end)

    def can_shoot(self, start: int, end: int) -> bool:
        """Whether there is a line of fire between two regions. [RPJ-GCS-02]"""
        return not any({start, end} == set(pair) for pair in self.hidden)

    def assert_region(self, region: int) -> None:
        """Refuse a region that does not exist."""
        if region not in self.numbers:
            raise UserError(f"There is no region {region}.", f"Regions are numbered 1 to {self.regions}.")


def line(regions: int) -> Battlefield:
    """Regions in a row. [RPJ-GCS-01]"""
    links = tuple(Link(a=number, b=number + 1) for number in range(1, regions))
    return Battlefield(regions=regions, links=links)


def drawn(links: str, hidden: str = "", regions: int | None = None) -> Battlefield:
    """Read a typed battlefield: "1-2, 2-3, 2/5" (a slash can't be walked). [RPJ-GCS-02]

    Args:
        links: Which regions touch.
        hidden: Pairs between which nobody can shoot ("1-4").
        regions: How many there are; as many as are named without it.

    Raises:
        UserError: If it cannot be read.
    """
    joined = [Link(a=min(a, b), b=max(a, b), is_blocked=mark == "/") for a, mark, b in _pairs("links", links)]
    blind = [(a, b) for a, _mark, b in _pairs("hidden", hidden)]
    named = [end for link in joined for end in (link.a, link.b)] + [end for pair in blind for end in pair]
    count = regions or max(named, default=1)
    if max(named, default=1) > min(count, MOST_REGIONS) or min(named, default=1) < 1:
        raise UserError(f"There are {count} regions, numbered from 1.", f"At most {MOST_REGIONS} in all.")
    return Battlefield(regions=count, links=tuple(joined), hidden=tuple(blind))


def _pairs(what: str, text: str) -> Iterable[tuple[int, str, int]]:
    for part in filter(None, (word.strip() for word in text.split(","))):
        found = _LINK.fullmatch(part)
        if found is None or found[1] == found[3]:
            raise UserError(
                f"“{part}” isn't a pair of regions.",
                "Pairs look like 1-2.",
                f"Type {what} like 1-2, 2-3, 2-5.",
            )
        yield int(found[1]), found[2], int(found[3])


def scale(field: Battlefield, rules: CombatRules) -> str:
    """The size of a battlefield and the length of its rounds, in a line. [RPJ-GCS-03]"""
    yards = field.regions * rules.region_yards
    least, most = rules.action_seconds
    return f"about {yards} yards · a round {told_span(rules.round_seconds)}, an action {least}–{most} s"


def told_span(seconds: int) -> str:
    """A span of a fight in words: minutes, or seconds if not a whole minute. [RPJ-GCS-03]"""
    return f"about {seconds // 60} min" if seconds % 60 == 0 else f"about {seconds} s"


GOOD_QUALITY = 3
USUAL_QUALITIES = range(1, 7)
GIGA_TARGET, MEGA_TARGET = 6, 10
_NOTATION = re.compile(r"\s*\+?(?P<quality>\d{1,2})\s*/\s*(?P<flank>\d{1,2}|\*)\s*f?\s*", re.IGNORECASE)


class RpjCover(Document):
    """Something to hide behind. [RPJ-FIRE-12, RPJ-FIRE-13]"""

    name: str = Field(default="cover", max_length=60)
    quality: int = Field(ge=1, le=20)  # added to ranged defence; usually from 1, for concealment only, to 6
    flank: int = Field(default=0, ge=ADJACENT, le=20)  # the flanking distance in regions; -1 for ``*``
    conceals: bool = False  # whether it hides the helpless completely
    destructible: bool = True  # whether it can be shot away

    def __str__(self) -> str:
        return f"+{self.quality}/{'*' if self.flank == ADJACENT else self.flank}f"

    @property
    def words(self) -> str:
        """Its bonus and where it counts, for people who don't know the notation."""
        halved = {ADJACENT: "in the same group", 0: "in the same region", 1: "1 region away"}
        at = halved.get(self.flank, f"{self.flank} regions away")
        nearer = "" if self.flank == ADJACENT else ", none nearer"
        return f"+{self.quality} against shots, half {at}{nearer}"

    def bonus(self, distance: int, *, is_reoriented: bool = False, is_cowering: bool = False) -> int:
        """Its bonus against an attacker at a distance.

        Args:
            distance: In regions; -1 for one's own group.
            is_reoriented: Whether whoever is in it faces the other way.

        [RPJ-FIRE-16 (FIRE-16a), RPJ-FIRE-17, RPJ-FIRE-18 (FIRE-18a)]
        """
        quality = self.quality * (2 if is_cowering else 1)
        if distance == self.flank:
            return quality // 2
        return quality if (distance > self.flank) is not is_reoriented else 0

    @property
    def is_good(self) -> bool:
        """Whether it protects helpless combatants fully. [RPJ-FIRE-15]"""
        return self.quality >= GOOD_QUALITY or self.conceals


def written_cover(text: str, name: str = "cover") -> RpjCover:
    """Read cover in its notation: ``+3/1f``, or ``+3/*f``. [RPJ-FIRE-12]

    Raises:
        UserError: If it is not written so.
    """
    found = _NOTATION.fullmatch(text)
    if found is None or not int(found["quality"]):
        raise UserError(
            f"“{text}” isn't valid cover.", "Type quality and flanking distance, such as +3/1f or +3/*f."
        )
    flank = ADJACENT if found["flank"] == "*" else int(found["flank"])
    return RpjCover(name=name, quality=int(found["quality"]), flank=flank)


def best_bonus(
    covers: tuple[RpjCover, ...],
    distance: int,
    *,
    is_reoriented: bool = False,
    is_cowering: bool = False,
    scale: Scale = Scale.NORMAL,
) -> int:
    """The bonus of the best of several covers, never their sum; 0 for targets too big for cover.

    Args:
        covers: Those of one's group.
        distance: To the attacker, in regions; -1 for one's own group.
        is_reoriented: Whether whoever is in them faces the other way.
        scale: The highest scale among their unbroken layers, where scales are on.

    [RPJ-FIRE-12 (FIRE-12a), RPJ-FIRE-14 (FIRE-14a)]
    """
    if scale is not Scale.NORMAL:
        return 0
    bonuses = (
        cover.bonus(distance, is_reoriented=is_reoriented, is_cowering=is_cowering) for cover in covers
    )
    return max(bonuses, default=0)


CAUTIOUS = RpjCover(name="cautious", quality=1, flank=0)


def assert_destructible(cover: RpjCover, scale: Scale) -> None:
    """Refuse to shoot at cover this weapon can't damage. [RPJ-FIRE-19, RPJ-FIRE-20, RPJ-SCALE-10]"""
    if scale is Scale.NORMAL:
        raise UserError("Only mega and giga weapons can destroy cover.")
    if not cover.destructible:
        raise UserError(f"Nothing can destroy the {cover.name}.")


def giga_shot(criticals: CriticalRules) -> RpjCheckInputs:
    """The inputs of a giga weapon's bare roll against cover. [RPJ-FIRE-19 (FIRE-19a)]"""
    return RpjCheckInputs(kind=CheckKind.ATTACK, difficulty=GIGA_TARGET - 7, criticals=criticals)


def mega_shot(terms: tuple[NamedTerm, ...], criticals: CriticalRules) -> RpjCheckInputs:
    """The inputs of a mega weapon's attack on cover. [RPJ-FIRE-20]

    Args:
        terms: The attack modifier, by its parts.
        criticals: How the campaign treats criticals.
    """
    return RpjCheckInputs(kind=CheckKind.ATTACK, terms=terms, difficulty=MEGA_TARGET - 7, criticals=criticals)


def damaged(cover: RpjCover, scale: Scale) -> RpjCover | None:
    """Cover after a hit; None if it is destroyed. [RPJ-FIRE-19, RPJ-FIRE-20 (FIRE-20b)]"""
    if scale is Scale.GIGA or cover.quality <= 1:
        return None
    return evolve(cover, quality=cover.quality - 1)


YARDS_AN_ACTION = 30
ADJACENT_YARDS = 2
STAGES = 3
LEAST_TOGETHER = 2
Actor = TypeVar("Actor", bound=Hashable)


class Position(Document):
    """A place on the map, in yards."""

    x: int = Field(ge=-100_000, le=100_000)
    y: int = Field(ge=-100_000, le=100_000)

    def __str__(self) -> str:
        return f"({shown_number(self.x)}, {shown_number(self.y)})"


def yards_between(one: Position, other: Position) -> int:
    """The distance between two places, in whole yards. [RPJ-CINE-03]"""
    return round(hypot(one.x - other.x, one.y - other.y))


def regions_of(yards: int, region_yards: int = YARDS_AN_ACTION) -> int | None:
    """A distance in regions, for weapon ranges; None for beside each other. [RPJ-CINE-03 (CINE-03a)]"""
    return None if yards <= ADJACENT_YARDS else yards // region_yards


def move_actions(yards: int, left: int) -> int:
    """The actions for a move of some yards. [RPJ-CINE-08]

    Args:
        yards: How far, 1 or more.
        left: Actions left.

    Raises:
        UserError: If that is more than is left.
    """
    actions = ceil(yards / YARDS_AN_ACTION)
    if actions > left:
        raise UserError(
            f"{yards} yards take {actions} actions; you have {left} left.",
            f"An action covers {YARDS_AN_ACTION} yards.",
        )
    return actions


def put_off(order: Sequence[Actor], who: Actor, after: Actor) -> tuple[Actor, ...]:
    """This round's order after a turn is deferred; the next round is unchanged. [RPJ-CINE-07 (CINE-07a)]

    Args:
        order: The order of this round.
        who: Who waits.
        after: Whom they act after.

    Raises:
        UserError: If that would be earlier.
    """
    if order.index(after) <= order.index(who):
        raise UserError("You can only defer your turn to later.", "Choose someone who acts later.")
    rest = [one for one in order if one != who]
    place = rest.index(after) + 1
    return (*rest[:place], who, *rest[place:])


def shared_turns(order: Sequence[Actor], players: Collection[Actor]) -> tuple[tuple[Actor, ...], ...]:
    """The player characters with consecutive turns, who can act together. [RPJ-CINE-10]"""
    groups: list[list[Actor]] = [[]]
    for who in order:
        if who in players:
            groups[-1].append(who)
        elif groups[-1]:
            groups.append([])
    return tuple(tuple(group) for group in groups if len(group) >= LEAST_TOGETHER)


class Legend(Document):
    """The stages of a legendary foe. [RPJ-CINE-06 (CINE-06a)]"""

    stages: int = Field(default=STAGES, ge=1, le=20)  # how many it takes
    reached: int = Field(default=0, ge=0)  # how many are done

    @property
    def can_be_finished(self) -> bool:
        """Whether it can be defeated now."""
        return self.reached >= self.stages

    def advanced(self) -> "Legend":
        """The foe one stage weaker.

        Raises:
            UserError: If it can be finished already.
        """
        if self.can_be_finished:
            raise UserError("It can't be weakened any further.", "You can defeat it now.")
        return evolve(self, reached=self.reached + 1)

    def assert_can_be_finished(self) -> None:
        """Refuse to defeat it too early."""
        if not self.can_be_finished:
            left = self.stages - self.reached
            raise UserError(
                f"It isn't weak enough yet: {left} of {self.stages} stages left.",
                try_this="Weaken it with /rpj-gm-fight cinema weaken.",
            )
