"""Loads: what items weigh, how much a character can carry, and the effects of too much."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from math import ceil

from pydantic import Field

from bot.rules.kernel import Document
from bot.rules.kernel.wording import counted
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.items import Container, RpjItem
from bot.rules.rpj.module.module import LoadRules

HEAVY_ATTRIBUTES = (RpjAttribute.STR, RpjAttribute.DEX, RpjAttribute.CON)
OVERLOADED_PENALTY = -1
FREE_SWITCH, SWITCH, LOADED_SWITCH = 0, 1, 2


class RpjPlace(StrEnum):
    """Where an item is."""

    HELD = "held"
    WORN = "worn"
    CARRIED = "carried"
    HANDY = "handy container"
    LARGE = "large container"
    AWAY = "left behind"

    @property
    def container(self) -> Container | None:
        """The kind of container it is in, or None."""
        return {RpjPlace.HANDY: Container.HANDY, RpjPlace.LARGE: Container.LARGE}.get(self)


class Possession(Document):
    """An item a character owns, or several of a kind.

    Attributes:
        item: Its id in the module.
        count: How many, in one place.
        place: Where.
        changes: Changes of its quality: steps better for each feature; negative is worse.
    """

    item: str
    count: int = Field(default=1, ge=1, le=1_000_000)
    place: RpjPlace = RpjPlace.CARRIED
    changes: dict[str, int] = Field(default_factory=dict)

    def is_like(self, other: "Possession") -> bool:
        """Whether the two can be counted together."""
        return (self.item, self.place, self.changes) == (other.item, other.place, other.changes)


class RpjTier(StrEnum):
    """How heavy a character's load is.

    Source: RPJ-INV-02 to RPJ-INV-05.
    """

    FREE = "unburdened"
    OVERLOADED = "overloaded"
    HELPLESS = "far overloaded"
    TOO_MUCH = "more than can be carried"


def load_limit(rules: LoadRules, bonus: int, extra: int = 0) -> int:
    """The load that can be carried without a penalty.

    Args:
        rules: The module's load rules.
        bonus: Bonus of the attribute they name.
        extra: What traits add.

    Source: RPJ-INV-02.
    """
    return max(rules.base + bonus + extra, 0)


def tier_of_load(load: int, limit: int) -> RpjTier:
    """The tier of a load.

    Source: RPJ-INV-03, RPJ-INV-04, RPJ-INV-05 (INV-05a).
    """
    for times, tier in ((1, RpjTier.FREE), (2, RpjTier.OVERLOADED), (3, RpjTier.HELPLESS)):
        if load <= times * limit:
            return tier
    return RpjTier.TOO_MUCH


def skill_penalty(tier: RpjTier, linked: RpjAttribute) -> int:
    """The penalty of a load to a skill roll, checks and attacks alike.

    Source: RPJ-INV-03 (INV-03a, INV-03b).
    """
    return OVERLOADED_PENALTY if tier is not RpjTier.FREE and linked in HEAVY_ATTRIBUTES else 0


def defense_penalty(tier: RpjTier) -> int:
    """The penalty of a load to every defense value.

    Source: RPJ-INV-03 (INV-03b).
    """
    return 0 if tier is RpjTier.FREE else OVERLOADED_PENALTY


def forbids(tier: RpjTier, attribute: RpjAttribute) -> bool:
    """Whether nothing linked to an attribute can be rolled: no checks, no saving throws, no attacks.

    Saving throws count as failed; without an initiative roll, the character acts last.

    Source: RPJ-INV-04 (INV-04a, INV-04c).
    """
    return tier in (RpjTier.HELPLESS, RpjTier.TOO_MUCH) and attribute in HEAVY_ATTRIBUTES


def is_hit_by_everything(tier: RpjTier) -> bool:
    """Whether every attack hits without a roll, and so without criticals.

    Source: RPJ-INV-04 (INV-04b).
    """
    return tier in (RpjTier.HELPLESS, RpjTier.TOO_MUCH)


def switch_actions(tier: RpjTier, switched_before: int) -> int:
    """The actions to take something else in hand.

    Args:
        tier: The load tier.
        switched_before: How often the character has switched this turn.

    Source: RPJ-INV-06 (INV-06a).
    """
    if tier is not RpjTier.FREE:
        return LOADED_SWITCH
    return SWITCH if switched_before else FREE_SWITCH


# --- what weighs how much ------------------------------------------------------------------------


def capacity(kind: Container, limit: int) -> int:
    """The load a container holds.

    Source: RPJ-INV-07, RPJ-INV-08.
    """
    return ceil(limit / 2) if kind is Container.HANDY else limit


def load_of(things: Iterable[Possession], items: Mapping[str, RpjItem]) -> int:
    """The load of everything carried.

    Args:
        things: The possessions.
        items: The module's items by id; unknown ones weigh nothing.

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
    """The number of containers of a kind in these places."""
    return sum(
        thing.count
        for thing in owned
        if thing.place in places and thing.item in items and items[thing.item].container is kind
    )


def inside_of(things: Iterable[Possession], items: Mapping[str, RpjItem], kind: Container) -> int:
    """The load inside the containers of a kind."""
    return sum(
        thing.count * items[thing.item].load
        for thing in things
        if thing.place.container is kind and thing.item in items
    )


def load_problems(
    things: Iterable[Possession], items: Mapping[str, RpjItem], limit: int, rules: LoadRules
) -> tuple[str, ...]:
    """All problems with what a character carries.

    Source: RPJ-INV-05, RPJ-INV-07 (INV-07a), RPJ-INV-08.
    """
    owned = tuple(things)
    problems = [
        f"{items[thing.item].name} can't be worn."
        for thing in owned
        if thing.place is RpjPlace.WORN and thing.item in items and not items[thing.item].is_wearable
    ]
    for kind, most in ((Container.HANDY, rules.most_handy), (Container.LARGE, rules.most_large)):
        worn = _containers(owned, items, kind, RpjPlace.WORN)
        if worn > most:
            problems.append(f"You can wear {counted(most, f'{kind} container')} at most, not {worn}.")
        there = worn or _containers(owned, items, kind, RpjPlace.HELD, RpjPlace.CARRIED)
        holds = there * capacity(kind, limit)
        inside = inside_of(owned, items, kind)
        if inside > holds:
            problems.append(
                f"Your {kind} container holds {holds}, not {inside}."
                if there
                else f"You have no {kind} container."
            )
    over = load_of(owned, items) - 3 * limit
    if over > 0:
        problems.append(f"That is {over} more than you can carry at all ({3 * limit}).")
    return tuple(problems)
