"""Items of unusual quality: which of their numbers can change, and the changed items."""

from collections.abc import Mapping
from typing import TypeVar

from bot.rules.kernel import evolve
from bot.rules.kernel.wording import signed
from bot.rules.rpj.module.items import Armor, Direction, RpjItem, RpjWeapon
from bot.rules.rpj.module.module import Module

HARDEST, EASIEST = 2, 12
SAVES = "saves"
_USUAL: dict[type[RpjItem], dict[str, Direction]] = {
    RpjWeapon: {"damage": Direction.HIGHER, "attack_modifier": Direction.HIGHER},
    Armor: {
        SAVES: Direction.LOWER,
        "dodge": Direction.HIGHER,
        "absorb": Direction.HIGHER,
        "reduction": Direction.HIGHER,
    },
}
Thing = TypeVar("Thing", bound=RpjItem)


def features_of(item: RpjItem) -> Mapping[str, Direction]:
    """The features quality can change about an item, and which direction is better.

    What the module says comes first; without it, weapons change in damage and attack, armor in its saves
    and defense modifiers, and everything in its load.

    Source: RPJ-MONEY-07.
    """
    usual = next((found for kind, found in _USUAL.items() if isinstance(item, kind)), {})
    return dict(item.features) or {**usual, "load": Direction.LOWER}


def of_quality(item: Thing, changes: Mapping[str, int]) -> Thing:
    """An item with some of its features changed.

    Args:
        item: The item of the module.
        changes: Steps better for each feature; negative is worse.

    Source: RPJ-MONEY-07, RPJ-MONEY-08.
    """
    features = features_of(item)
    update: dict[str, object] = {}
    for name, steps in changes.items():
        signed = steps if features.get(name) is Direction.HIGHER else -steps
        if name == SAVES and isinstance(item, Armor):
            update[name] = tuple(min(max(save + signed, HARDEST), EASIEST) for save in item.saves)
        elif isinstance(now := getattr(item, name, None), int):
            update[name] = max(now + signed, 0) if name in ("load", "reduction") else now + signed
    return evolve(item, **update) if update else item


def with_qualities(module: Module, qualities: Mapping[str, Mapping[str, int]]) -> Module:
    """The module with some items of another quality.

    Args:
        module: The module.
        qualities: The changes of each item, by its id.

    Source: RPJ-MONEY-07, RPJ-MONEY-08.
    """
    return evolve(
        module,
        weapons=tuple(of_quality(item, qualities.get(item.id, {})) for item in module.weapons),
        armor=tuple(of_quality(item, qualities.get(item.id, {})) for item in module.armor),
        gear=tuple(of_quality(item, qualities.get(item.id, {})) for item in module.gear),
    )


def quality_words(changes: Mapping[str, int]) -> str:
    """An item's changes in words: "damage +1, load −1"; empty for the usual quality."""
    return ", ".join(f"{name} {signed(steps)}" for name, steps in sorted(changes.items()))
