"""How processes divide the shards among themselves: each one alone, from what all of them can see."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Holders:
    """Which processes are alive and who holds what, at one moment.

    Attributes:
        count: How many shards there are.
        me: The process that asks.
        alive: Every process that is alive.
        by_shard: The holder of each shard that is held.
    """

    count: int
    me: int
    alive: frozenset[int]
    by_shard: Mapping[int, int]

    @property
    def mine(self) -> frozenset[int]:
        """The shards of the process that asks."""
        return frozenset(shard for shard, holder in self.by_shard.items() if holder == self.me)

    @property
    def free(self) -> frozenset[int]:
        """The shards that nobody holds."""
        return frozenset(range(self.count)) - self.by_shard.keys()

    @property
    def share(self) -> int:
        """How many shards the process that asks should hold.

        Where they cannot be divided evenly, whoever holds most already keeps one more, so that none moves
        without need.
        """
        held = Counter(self.by_shard.values())
        order = sorted(self.alive | {self.me}, key=lambda one: (-held[one], one))
        fewest, left = divmod(self.count, len(order))
        return fewest + (order.index(self.me) < left)

    def after_taking(self, shards: Iterable[int]) -> "Holders":
        """Return the same with some shards taken by the process that asks."""
        return replace(self, by_shard={**self.by_shard, **dict.fromkeys(shards, self.me)})


def to_take(holders: Holders, *, ripe: Collection[int], lost: Collection[int], room: int) -> list[int]:
    """Return which shards to take now.

    Args:
        holders: Who holds what.
        ripe: Shards that were free a moment ago as well: nobody is about to take them back.
        lost: Shards that the process held until its connection was lost a moment ago.
        room: How many new ones it can connect at once.
    """
    back = sorted(holders.free.intersection(lost))
    new = sorted(holders.free.intersection(ripe).difference(lost))
    lacking = holders.share - len(holders.mine) - len(back)
    start = holders.me % len(new) if new else 0  # so that two that look at once seldom want the same ones
    return back + (new[start:] + new[:start])[: max(0, min(lacking, room))]
