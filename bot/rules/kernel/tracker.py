"""What the table shows of a fight and of a character's health."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

from bot.rules.kernel.outcome import CharacterId, Document, ForTypes
from bot.rules.kernel.play import FollowUp
from bot.rules.kernel.scene import SceneT_contra
from bot.rules.kernel.wording import shown_number


class GaugeKind(StrEnum):
    """What a count says about a character."""

    POINTS = "points"
    HEALTH = "health"
    HARM = "harm"


@dataclass(frozen=True, slots=True)
class Gauge:
    """Something counted, as pips, boxes or a bar.

    Attributes:
        title: What is counted.
        shown: The count in words, such as "2/5".
        parts: How many of how many, in each group that is drawn by itself; none where there is no limit.
        kind: Points to spend, health left, or harm taken.
    """

    title: str
    shown: str
    parts: tuple[tuple[int, int], ...] = ()
    kind: GaugeKind = GaugeKind.HEALTH

    @staticmethod
    def of(title: str, left: int, most: int, kind: GaugeKind = GaugeKind.HEALTH) -> "Gauge":
        """A gauge of one group; what is beyond its ends is only in its words."""
        parts = ((max(0, min(left, most)), most),) if most > 0 else ()
        return Gauge(title, f"{shown_number(left)}/{most}", parts, kind)


@dataclass(frozen=True, slots=True)
class Glance:
    """How a character stands, at a glance.

    Attributes:
        gauges: Resources and wounds.
        states: Conditions in a word or two each.
    """

    gauges: tuple[Gauge, ...] = ()
    states: tuple[str, ...] = ()

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


@dataclass(frozen=True, slots=True)
class CharacterHealth:
    """How hurt a character is.

    Attributes:
        numbers: What is left, each a few words.
        looks: How hurt it looks; empty if it is unhurt. One that is out of action looks as its state says.
    """

    numbers: tuple[str, ...] = ()
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterLine:
    """One combatant's line on the board.

    Attributes:
        character: Who.
        name: As everybody reads it.
        is_on: Whether they may act now.
        has_acted: Whether they are done for this round.
        facts: What everybody sees, each a few words: conditions, actions left, position, and the health of
            players' characters; that of NPCs is added as far as the campaign lets people see it.
        secrets: What only the GM sees besides.
    """

    character: CharacterId
    name: str
    is_on: bool = False
    has_acted: bool = False
    facts: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the map: its name and who stands together in it.

    Attributes:
        title: As everybody reads it.
        groups: Names of those who stand together.
    """

    title: str
    groups: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """The map of a fight, for drawing.

    Attributes:
        regions: Its parts, in order.
        links: Which of them lie beside each other, by their places in *regions*.
        alt: The same in words.
    """

    regions: tuple[Region, ...]
    links: tuple[tuple[int, int], ...]
    alt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounterView:
    """The current state of a fight, for display.

    Attributes:
        title: The progress of the fight ("Round 2").
        turn: A key that is different for every turn.
        on: Whose turn it is, without a full stop ("Mina acts").
        lines: The combatants in turn order.
        notes: Further lines that everyone sees.
        hidden: Combatants that only the GM can see.
        secrets: Further lines that only the GM sees.
        ground: Where everyone stands, or None if the ruleset doesn't track positions.
        has_begun: Whether the first turn has started.
    """

    title: str
    turn: str
    on: str
    lines: tuple[FighterLine, ...]
    notes: tuple[str, ...] = ()
    hidden: tuple[FighterLine, ...] = ()
    secrets: tuple[str, ...] = ()
    ground: Ground | None = None
    has_begun: bool = True


def _nothing(_scene: object) -> tuple[FollowUp, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerRules(ForTypes, Generic[SceneT_contra]):
    """A ruleset's functions for the board; its procedures have the keys above.

    Attributes:
        view: The fight of the scene's channel, or None without one.
        choices: What whoever is on can do now, with the cost of each in the label; nothing without a fight.
            A press looks again whether a choice that does the same for the same one is still there.
        ground: The fields of its stored fight that hold the ground and what stands on it.
        mook: A sheet for one of a crowd, where the ruleset has such; else None.
        takes_order: Whether a GM may set the order of turns by hand.
        unshown: What boards of earlier releases show: it can still be pressed, but is shown no more.
        turn_ends: Those of `choices` that end a turn, made without the others: a press of one is then fast.
    """

    view: Callable[[SceneT_contra], EncounterView | None]
    choices: Callable[[SceneT_contra], tuple[FollowUp, ...]]
    ground: tuple[str, ...] = ()
    mook: Callable[[], Document] | None = None
    takes_order: bool = False
    unshown: Callable[[SceneT_contra], tuple[FollowUp, ...]] = _nothing
    turn_ends: Callable[[SceneT_contra], tuple[FollowUp, ...]] = _nothing
