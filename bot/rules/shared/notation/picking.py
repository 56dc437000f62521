"""Which values of a pool a selector picks."""

from collections.abc import Callable, Iterator, Sequence

from bot.rules.shared.notation.tree import Operation, Pick, Selector, Value

_GREEDIEST: dict[Pick, Callable[[list[int]], int]] = {
    Pick.HIGHEST: max,
    Pick.LOWEST: max,
    Pick.ABOVE: min,
    Pick.BELOW: max,
}


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
    places = {place for selector in _greediest(operation) for place in picked(selector, values, kept)}
    exactly = {selector.number for selector in operation.selectors if selector.pick is Pick.EQUAL}
    places.update(place for place in kept if values[place] in exactly)
    return sorted(places)


def _greediest(operation: Operation) -> Iterator[Selector]:
    """The selectors that pick all that others of their kind do; those of one value are left out."""
    for pick, greediest in _GREEDIEST.items():
        numbers = [selector.number for selector in operation.selectors if selector.pick is pick]
        if numbers:
            yield Selector(pick, greediest(numbers))


def first_picked(operation: Operation, values: Sequence[Value], kept: Sequence[int]) -> int | None:
    """The one place the first selector that picks anything picks first."""
    for selector in operation.selectors:
        if places := picked(selector, values, kept):
            return places[0]
    return None
