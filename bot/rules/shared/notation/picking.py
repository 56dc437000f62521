"""Which values of a pool a selector picks."""

from collections.abc import Sequence

from bot.rules.shared.notation.tree import Operation, Pick, Selector, Value


def picked(selector: Selector, values: Sequence[Value], kept: Sequence[int]) -> list[int]:
    """The places in *values* one selector picks.

    Of equal values the earlier one is picked first, as highest and as lowest.

    Args:
        selector: What is picked.
        values: Every value of the pool, dropped ones too.
        kept: The places of those still kept, in order; only they can be picked.
    """
    if selector.pick is Pick.HIGHEST:
        return sorted(kept, key=values.__getitem__, reverse=True)[: selector.number]
    if selector.pick is Pick.LOWEST:
        return sorted(kept, key=values.__getitem__)[: selector.number]
    return [place for place in kept if selector.matches(values[place])]


def all_picked(operation: Operation, values: Sequence[Value], kept: Sequence[int]) -> list[int]:
    """The places any selector of *operation* picks, in the order of the pool."""
    if len(operation.selectors) == 1:
        return sorted(picked(operation.selectors[0], values, kept))
    union = {place for selector in operation.selectors for place in picked(selector, values, kept)}
    return sorted(union)


def first_picked(operation: Operation, values: Sequence[Value], kept: Sequence[int]) -> int | None:
    """The one place the first selector that picks anything picks first."""
    for selector in operation.selectors:
        if places := picked(selector, values, kept):
            return places[0]
    return None
