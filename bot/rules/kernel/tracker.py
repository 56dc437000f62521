"""What the table shows of a fight and of a character's health."""

from collections.abc import Callable
from enum import StrEnum
from typing import Generic

from msgspec import Struct

from bot.rules.kernel.outcome import CharacterId, Document, ForTypes, shown_number
from bot.rules.kernel.procedures import FollowUp
from bot.rules.kernel.scene import SceneT_contra


class GaugeKind(StrEnum):
    """What a count says about a character."""

    POINTS = "points"
    HEALTH = "health"
    HARM = "harm"


class Gauge(Struct, frozen=True):
    """Something counted, as pips, boxes or a bar."""

    title: str  # what is counted
    shown: str  # the count in words, such as "2/5"
    # How many of how many, in each group that is drawn by itself; none where there is no limit.
    parts: tuple[tuple[int, int], ...] = ()
    kind: GaugeKind = GaugeKind.HEALTH  # points to spend, health left, or harm taken

    @staticmethod
    def of(title: str, left: int, most: int, kind: GaugeKind = GaugeKind.HEALTH) -> "Gauge":
        """A gauge of one group; what is beyond its ends is only in its words."""
        parts = ((max(0, min(left, most)), most),) if most > 0 else ()
        return Gauge(title, f"{shown_number(left)}/{most}", parts, kind)


class Glance(Struct, frozen=True):
    """How a character stands, at a glance."""

    gauges: tuple[Gauge, ...] = ()  # resources and wounds
    states: tuple[str, ...] = ()  # conditions in a word or two each

    @property
    def words(self) -> str:
        """All of it in words."""
        counted = [f"{one.title} {one.shown}" for one in self.gauges]
        return ", ".join([*counted, *self.states])


def nothing_to_see(_character: object, _settings: object) -> Glance:
    """The glance of a game that has none."""
    return Glance()


FINE = "unhurt"
DOWN = "down"
HURT_WORDS = ("scratched", "hurt", "badly hurt", "about to fall")  # by how much is gone, in quarters


class FoeHealth(StrEnum):
    """How much players see of the health of the GM's characters."""

    NUMBERS = "numbers"
    WORDS = "words"
    NOTHING = "nothing"


class CharacterHealth(Struct, frozen=True):
    """How hurt a character is."""

    numbers: tuple[str, ...] = ()  # what is left, each a few words
    # How hurt it looks; empty if it is unhurt. One that is out of action looks as its state says.
    looks: str = ""

    def seen(self, as_: FoeHealth) -> tuple[str, ...]:
        """What people see who get it in numbers, in words or not at all."""
        looks = (self.looks,) if self.looks else ()
        return {FoeHealth.NUMBERS: self.numbers, FoeHealth.WORDS: looks, FoeHealth.NOTHING: ()}[as_]


def looks_for(left: int, most: int) -> str:
    """How hurt somebody looks who has so much left: nothing at full, then four steps, then "down"."""
    if left <= 0:
        return DOWN
    if left >= most:
        return ""
    quarters = -((left - most) * len(HURT_WORDS) // most)
    return HURT_WORDS[quarters - 1]


def unknown_health(_character: object, _settings: object) -> CharacterHealth:
    """The health of characters in a game that counts none."""
    return CharacterHealth()


ENCOUNTER = "encounter"  # the kind of its document; the channel follows behind a slash

# The procedures of every ruleset with a tracker.
START = "encounter.start"
JOIN = "encounter.join"
ADD = "encounter.add"
NEXT = "encounter.next"
DELAY = "encounter.delay"
LEAVE = "encounter.leave"
REVEAL = "encounter.reveal"
ORDER = "encounter.order"
END = "encounter.end"


def encounter_key(channel: object) -> str:
    """The document key of a channel's encounter."""
    return f"{ENCOUNTER}/{channel}"


class FighterLine(Struct, frozen=True, kw_only=True):
    """One combatant's line on the board."""

    character: CharacterId
    name: str  # as everybody reads it
    is_on: bool = False  # whether they may act now
    has_acted: bool = False  # whether they are done for this round
    # What everybody sees, each a few words: conditions, actions left, position, and the health of players'
    # characters; that of NPCs is added as far as the campaign lets people see it.
    facts: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()  # what only the GM sees besides


class Region(Struct, frozen=True):
    """A region of the map: its name and who stands together in it."""

    title: str  # as everybody reads it
    groups: tuple[tuple[str, ...], ...] = ()  # names of those who stand together


class Ground(Struct, frozen=True, kw_only=True):
    """The map of a fight, for drawing."""

    regions: tuple[Region, ...]  # its parts, in order
    links: tuple[tuple[int, int], ...]  # which of them lie beside each other, by their places in *regions*
    alt: str  # the same in words


class EncounterView(Struct, frozen=True, kw_only=True):
    """The current state of a fight, for display."""

    title: str  # the progress of the fight ("Round 2")
    turn: str  # a key that is different for every turn
    on: str  # whose turn it is, without a full stop ("Mina acts")
    lines: tuple[FighterLine, ...]  # the combatants in turn order
    notes: tuple[str, ...] = ()  # further lines that everyone sees
    hidden: tuple[FighterLine, ...] = ()  # combatants that only the GM can see
    secrets: tuple[str, ...] = ()  # further lines that only the GM sees
    ground: Ground | None = None  # where everyone stands, or None if the ruleset doesn't track positions
    has_begun: bool = True  # whether the first turn has started
    # What it waits for, in words; where this is left out, what is unsettled says so.
    waits: tuple[str, ...] = ()


def _nothing(_scene: object) -> tuple[FollowUp, ...]:
    return ()


class TrackerRules(Struct, ForTypes, Generic[SceneT_contra], frozen=True, kw_only=True):
    """A ruleset's functions for the board; its procedures have the keys above."""

    # The fight of the scene's channel, or None without one.
    view: Callable[[SceneT_contra], EncounterView | None]
    # What whoever is on can do now, with the cost of each in the label; nothing without a fight. A press
    # looks again whether a choice that does the same for the same one is still there.
    choices: Callable[[SceneT_contra], tuple[FollowUp, ...]]
    # The procedures of attacks: the first target of the first that can be made is the board's bright button.
    attacks: tuple[str, ...] = ()
    # Whether their labels say the chance by themselves; otherwise each is tried on a copy of the scene.
    tells_chances: bool = False
    # The least result that their roll needs to do anything, where the roll itself names none.
    hits: str | None = None
    ends: tuple[str, ...] = (NEXT,)  # the procedures of buttons that end a turn; they stand beside it
    in_turn: tuple[str, ...] = ()  # the procedures of other buttons under results that go with their turn
    ground: tuple[str, ...] = ()  # the fields of its stored fight that hold the ground and what stands on it
    # A sheet for one of a crowd, where the ruleset has such; else None.
    mook: Callable[[], Document] | None = None
    takes_order: bool = False  # whether a GM may set the order of turns by hand
    # What boards of earlier releases show: it can still be pressed, but is shown no more.
    unshown: Callable[[SceneT_contra], tuple[FollowUp, ...]] = _nothing
    # Those of `choices` that end a turn, made without the others: a press of one is then fast.
    turn_ends: Callable[[SceneT_contra], tuple[FollowUp, ...]] = _nothing
    # Those of `choices` that the board itself shows while nothing waits for an answer, made without the
    # others: the first attack of whoever is on, and what ends the turn. None where they cost no less.
    on_board: Callable[[SceneT_contra], tuple[FollowUp, ...]] | None = None
