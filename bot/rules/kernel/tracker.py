"""What the table shows of a fight, and the functions a ruleset provides for it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from bot.rules.kernel.outcome import CharacterId, Document, ForTypes
from bot.rules.kernel.play import FollowUp
from bot.rules.kernel.scene import SceneT_contra

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
