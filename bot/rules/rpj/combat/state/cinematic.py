"""Cinematic combat: yards instead of regions, deferred or shared turns, and legendary foes."""

from collections.abc import Collection, Hashable, Sequence
from math import ceil, hypot
from typing import TypeVar

from pydantic import Field

from bot.rules.kernel import Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import shown_number

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
        """Refuse to defeat it too early.

        Raises:
            UserError: If stages are left.
        """
        if not self.can_be_finished:
            left = self.stages - self.reached
            raise UserError(
                f"It isn't weak enough yet: {left} of {self.stages} stages left.",
                try_this="Weaken it with /rpj-gm-fight cinema weaken.",
            )
