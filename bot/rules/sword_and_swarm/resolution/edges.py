"""Advantage and disadvantage: one optional or forced re-roll of a whole test."""

from collections.abc import Callable, Hashable
from enum import StrEnum
from typing import TypeVar

from bot.rules.kernel.odds import Distribution

Attempt = TypeVar("Attempt")
Result = TypeVar("Result", bound=Hashable)


class Edge(StrEnum):
    """Whether a test has advantage, disadvantage or neither."""

    NONE = "none"
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"


class RerollMode(StrEnum):
    """Whether a failure with advantage is re-rolled automatically, or the player is asked.

    Source: SWARM-TEST-07 (SWARM-R04), SWARM-PROF-08 (SWARM-R21).
    """

    AUTO = "auto"
    ASK = "ask"


def edge_of(*, advantages: int, disadvantages: int) -> Edge:
    """Combine advantages and disadvantages from any number of sources.

    Source: SWARM-TEST-09 (SWARM-R05: both cancel completely, several of one kind are one).
    """
    if bool(advantages) == bool(disadvantages):
        return Edge.NONE
    return Edge.ADVANTAGE if advantages else Edge.DISADVANTAGE


def is_rerolled(edge: Edge, *, succeeded: bool) -> bool:
    """Whether a first roll with this result is re-rolled.

    Source: SWARM-TEST-07, SWARM-TEST-08.
    """
    return edge is (Edge.DISADVANTAGE if succeeded else Edge.ADVANTAGE)


def attempts(
    edge: Edge, attempt: Callable[[], Attempt], succeeded: Callable[[Attempt], bool]
) -> tuple[Attempt, ...]:
    """The one or two rolls of a test; the last one counts."""
    first = attempt()
    return (first, attempt()) if is_rerolled(edge, succeeded=succeeded(first)) else (first,)


def with_edge(
    single: Distribution[Result], edge: Edge, succeeded: Callable[[Result], bool]
) -> Distribution[Result]:
    """The distribution of results when the re-roll is always taken.

    Args:
        single: The distribution of one roll.
        edge: Advantage, disadvantage or neither.
        succeeded: Whether a result is a success.
    """
    if edge is Edge.NONE:
        return single
    return single.with_(
        single,
        lambda first, second: second if is_rerolled(edge, succeeded=succeeded(first)) else first,
    )
