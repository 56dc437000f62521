"""What characters carry, how much of it they can, and what too much does to them."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from math import ceil

from pydantic import Field

from bot.rules.kernel import Document
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.items import Container, RpjItem
from bot.rules.rpj.module.module import LoadRules

HEAVY_ATTRIBUTES = (RpjAttribute.STR, RpjAttribute.DEX, RpjAttribute.CON)
OVERLOADED_PENALTY = -1
FREE_SWITCH, SWITCH, LOADED_SWITCH = 0, 1, 2


class RpjPlace(StrEnum):
    """Where a thing is."""

    HELD = "held"
    WORN = "worn"
    CARRIED = "carried"
    HANDY = "handy container"
    LARGE = "large container"
    AWAY = "left behind"

    @property
    def container(self) -> Container | None:
        """The kind of container that it is in, or None."""
        return {RpjPlace.HANDY: Container.HANDY, RpjPlace.LARGE: Container.LARGE}.get(self)


class Possession(Document):
    """A thing, or several of a kind, that somebody owns.

    Attributes:
        item: Its id in the module.
        count: How many, in one place.
        place: Where.
        changes: What its quality changes: steps better of each feature, worse below 0.
    """

    item: str
    count: int = Field(default=1, ge=1, le=1_000_000)
    place: RpjPlace = RpjPlace.CARRIED
    changes: dict[str, int] = Field(default_factory=dict)

    def is_like(self, other: "Possession") -> bool:
        """Whether the two can be counted together."""
        return (self.item, self.place, self.changes) == (other.item, other.place, other.changes)


class RpjTier(StrEnum):
    """How heavily somebody is laden.

    Source: RPJ-INV-02 to RPJ-INV-05.
    """

    FREE = "unburdened"
    OVERLOADED = "overloaded"
    HELPLESS = "far overloaded"
    TOO_MUCH = "more than can be carried"


def load_limit(rules: LoadRules, bonus: int, extra: int = 0) -> int:
    """How much can be carried without a penalty.

    Args:
        rules: How the module counts.
        bonus: Bonus of the attribute it names.
        extra: What traits add.

    Source: RPJ-INV-02.
    """
    return max(rules.base + bonus + extra, 0)


def tier_of_load(load: int, limit: int) -> RpjTier:
    """How heavily a load weighs.

    Source: RPJ-INV-03, RPJ-INV-04, RPJ-INV-05 (INV-05a).
    """
    for times, tier in ((1, RpjTier.FREE), (2, RpjTier.OVERLOADED), (3, RpjTier.HELPLESS)):
        if load <= times * limit:
            return tier
    return RpjTier.TOO_MUCH


def skill_penalty(tier: RpjTier, linked: RpjAttribute) -> int:
    """What a load takes off a roll of a skill, checks and attacks alike.

    Source: RPJ-INV-03 (INV-03a, INV-03b).
    """
    return OVERLOADED_PENALTY if tier is not RpjTier.FREE and linked in HEAVY_ATTRIBUTES else 0


def defense_penalty(tier: RpjTier) -> int:
    """What a load takes off every defence value, whatever it is made of.

    Source: RPJ-INV-03 (INV-03b).
    """
    return 0 if tier is RpjTier.FREE else OVERLOADED_PENALTY


def forbids(tier: RpjTier, attribute: RpjAttribute) -> bool:
    """Whether nothing that hangs on an attribute can be rolled: no checks, no saving throws, no attacks.

    Saving throws count as failed; initiative is not rolled, its owner acts after all who did.

    Source: RPJ-INV-04 (INV-04a, INV-04c).
    """
    return tier in (RpjTier.HELPLESS, RpjTier.TOO_MUCH) and attribute in HEAVY_ATTRIBUTES


def is_hit_by_everything(tier: RpjTier) -> bool:
    """Whether every attack hits without a roll, and so without criticals.

    Source: RPJ-INV-04 (INV-04b).
    """
    return tier in (RpjTier.HELPLESS, RpjTier.TOO_MUCH)


def switch_actions(tier: RpjTier, switched_before: int) -> int:
    """What it costs to take something else into one's hands.

    Args:
        tier: How heavily one is laden.
        switched_before: How often one has done so this turn.

    Source: RPJ-INV-06 (INV-06a).
    """
    if tier is not RpjTier.FREE:
        return LOADED_SWITCH
    return SWITCH if switched_before else FREE_SWITCH


# --- what weighs how much ------------------------------------------------------------------------


def capacity(kind: Container, limit: int) -> int:
    """How much load a container holds.

    Source: RPJ-INV-07, RPJ-INV-08.
    """
    return ceil(limit / 2) if kind is Container.HANDY else limit


def load_of(things: Iterable[Possession], items: Mapping[str, RpjItem]) -> int:
    """The load of everything that is carried.

    Args:
        things: What somebody owns.
        items: The module's items by id; what it does not know weighs nothing.

    Source: RPJ-INV-01, RPJ-INV-07 (INV-07b), RPJ-INV-08.
    """
    owned = tuple(things)
    return sum(_weighs(thing, owned, items) for thing in owned)


def _weighs(thing: Possession, owned: tuple[Possession, ...], items: Mapping[str, RpjItem]) -> int:
    item = items.get(thing.item)
    if item is None or thing.place is RpjPlace.AWAY:
        return 0
    if thing.place is RpjPlace.WORN:
        worn = 0 if item.container else item.load_worn
        return thing.count * (item.load if worn is None else worn)
    inside = thing.place.container
    if inside is not None and _containers(owned, items, inside, RpjPlace.WORN):
        return 0
    return thing.count * item.load


def _containers(
    owned: Iterable[Possession], items: Mapping[str, RpjItem], kind: Container, *places: RpjPlace
) -> int:
    """How many containers of a kind are in these places."""
    return sum(
        thing.count
        for thing in owned
        if thing.place in places and thing.item in items and items[thing.item].container is kind
    )


def inside_of(things: Iterable[Possession], items: Mapping[str, RpjItem], kind: Container) -> int:
    """The load of what is in the containers of a kind."""
    return sum(
        thing.count * items[thing.item].load
        for thing in things
        if thing.place.container is kind and thing.item in items
    )


def load_problems(
    things: Iterable[Possession], items: Mapping[str, RpjItem], limit: int, rules: LoadRules
) -> tuple[str, ...]:
    """Everything about what somebody carries that cannot be.

    Source: RPJ-INV-05, RPJ-INV-07 (INV-07a), RPJ-INV-08.
    """
    owned = tuple(things)
    told = [
        f"{items[thing.item].name} cannot be worn."
        for thing in owned
        if thing.place is RpjPlace.WORN and thing.item in items and not items[thing.item].is_wearable
    ]
    for kind, most in ((Container.HANDY, rules.most_handy), (Container.LARGE, rules.most_large)):
        worn = _containers(owned, items, kind, RpjPlace.WORN)
        if worn > most:
            told.append(f"{most} {kind} container is worn at most, not {worn}.")
        there = worn or _containers(owned, items, kind, RpjPlace.HELD, RpjPlace.CARRIED)
        holds = there * capacity(kind, limit)
        inside = inside_of(owned, items, kind)
        if inside > holds:
            told.append(
                f"The {kind} container holds {holds}, not {inside}."
                if there
                else f"There is no {kind} container."
            )
    over = load_of(owned, items) - 3 * limit
    if over > 0:
        told.append(f"That is {over} more than can be carried at all ({3 * limit}).")
    return tuple(told)
