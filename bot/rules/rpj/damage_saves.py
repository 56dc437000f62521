"""Damage: which save it meets, how the save is rolled, and what a failed one costs."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from pydantic import Field

from bot.rules.rpj.check_inputs import BASE_TARGET, CheckInputs, CheckKind, NamedTerm
from bot.rules.rpj.checks import Result, reading_of
from bot.rules.rpj.effects import Circumstances, LayerAdd, LayerKind, RollTarget, roll_bonus
from bot.rules.rpj.figure import Figure
from bot.rules.rpj.health import Health, Layer, Out
from bot.rules.rpj.items import Armor
from bot.rules.ruleset import Document, Roll

BASE = "base"
STAND_IN = "stand_in"
LASTING = "lasting "
HOURS_PER_SAVE = 2


class Strike(Document):
    """Damage that somebody takes.

    Attributes:
        damage: Added to the target number of the save; below zero it makes it easier.
        reduced_by: What is taken off the damage first.
        hits: How many times it is done.
        bypasses: Kinds of layers that it passes by.
        is_nonlethal: Whether it puts out instead of killing.
    """

    damage: int = Field(default=0, ge=-20, le=40)
    reduced_by: int = Field(default=0, ge=0, le=40)
    hits: int = Field(default=1, ge=1, le=10)
    bypasses: tuple[LayerKind, ...] = ()
    is_nonlethal: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """The save that damage meets: a layer and the place of the save in it."""

    layer: Layer
    place: int

    @property
    def target(self) -> int:
        """The target number of the save itself."""
        return self.layer.saves[self.place].target


def base_layer(figure: Figure) -> Layer:
    """The base saves, with those that are crossed off; under incapacitation penalties one stands in for all.

    Source: RPJ-HEALTH-04, RPJ-HEALTH-05, RPJ-GCS-38 (R-099).
    """
    if figure.sheet.health.is_weak:
        return Layer.fresh(STAND_IN, "Stand-in", LayerKind.BASE, (figure.module.combat.weak_save,))
    layer = Layer.fresh(BASE, "Base", LayerKind.BASE, figure.base_saves)
    lost = Counter(figure.sheet.health.lost_base)
    for place, save in enumerate(layer.saves):
        if lost[save.target] > 0:
            lost[save.target] -= 1
            layer = layer.marked(place, is_lost=True)
    return layer


def _worn_layers(figure: Figure) -> list[Layer]:
    """The layers of armour, shields and lasting effects, whole."""
    worn = [
        Layer.fresh(armor.id, armor.name, armor.kind, armor.saves, reduction=armor.reduction)
        for armor in figure.module.armor
        if armor.id in figure.sheet.belongings
    ]
    lasting = [effect for effect in figure.effects if isinstance(effect, LayerAdd)]
    return worn + [
        Layer.fresh(f"{LASTING}{number}", "Protection", effect.kind, effect.saves)
        for number, effect in enumerate(lasting, 1)
    ]


def layers_of(figure: Figure) -> tuple[Layer, ...]:
    """All layers, from the outermost to the base.

    Source: RPJ-HEALTH-06, RPJ-HEALTH-07, RPJ-HEALTH-09.
    """
    health, worn = figure.sheet.health, _worn_layers(figure)
    put_away = {armor.id for armor in figure.module.armor}
    temporary = [
        layer for layer in health.layers if layer.id not in put_away and not layer.id.startswith(LASTING)
    ]
    kept = [health.layer(layer.id) or layer for layer in worn]
    order = figure.module.saves.layers
    everything = [*temporary, *kept, base_layer(figure)]
    return tuple(sorted(everything, key=lambda layer: order.index(layer.kind)))


def next_save(figure: Figure, strike: Strike) -> Spot | None:
    """The save that damage meets: the easiest of the outermost unbroken layer it does not pass by.

    Source: RPJ-HEALTH-07, RPJ-HEALTH-08, RPJ-HEALTH-11, RPJ-HEALTH-15.
    """
    for layer in layers_of(figure):
        if not layer.is_broken and layer.kind not in strike.bypasses:
            return Spot(layer, layer.next_place)
    return None


def reduced(damage: int, by: int, *, below_zero: bool = False) -> int:
    """Damage after a reduction, which takes it to 0 at most; negative damage stays as it is.

    Args:
        damage: The damage.
        by: What is taken off it.
        below_zero: Whether the module lets it fall below 0.

    Source: RPJ-HEALTH-03, RPJ-GCS-59 (R-118).
    """
    return damage - by if below_zero else max(damage - by, min(damage, 0))


def damage_save(figure: Figure, spot: Spot, strike: Strike) -> CheckInputs:
    """The roll of a damage save.

    Source: RPJ-HEALTH-02, RPJ-HEALTH-03, RPJ-HEALTH-12, RPJ-HEALTH-13.
    """
    by, below_zero = strike.reduced_by + spot.layer.reduction, figure.module.combat.reduction_below_zero
    damage = reduced(strike.damage, by, below_zero=below_zero)
    bonuses = roll_bonus(figure.effects, RollTarget.DAMAGE_SAVE, Circumstances())
    return CheckInputs(
        kind=CheckKind.DAMAGE_SAVE,
        terms=tuple(NamedTerm(label="traits", value=bonus.value) for bonus in bonuses),
        difficulty=spot.target - BASE_TARGET,
        opposition=(NamedTerm(label="damage", value=damage),) if damage else (),
        criticals=figure.module.criticals,
    )


@dataclass(frozen=True, slots=True)
class Struck:
    """What one damage save came to.

    Attributes:
        health: What is left.
        roll: The roll.
        lost: The save that is crossed off, or None.
        breaks: Whether its layer is broken by that.
    """

    health: Health
    roll: Roll
    lost: Spot | None
    breaks: bool


def after_save(figure: Figure, spot: Spot, strike: Strike, roll: Roll) -> Struck:
    """What a damage save leaves: all, or one save less; without base saves one is out of action.

    Source: RPJ-HEALTH-12 to RPJ-HEALTH-16 (R-093).
    """
    result = reading_of(roll).result
    if result.is_success or result is Result.UNDECIDED:
        return Struck(figure.sheet.health, roll, None, breaks=False)
    health, breaks = without_save(figure, spot, strike)
    return Struck(health, roll, spot, breaks)


def without_save(figure: Figure, spot: Spot, strike: Strike) -> tuple[Health, bool]:
    """Health once a save is crossed off, and whether its layer is broken by that.

    Source: RPJ-HEALTH-14 to RPJ-HEALTH-16, RPJ-GCS-30, RPJ-GCS-38 (R-101).
    """
    health = figure.sheet.health
    layer = spot.layer.marked(spot.place, is_lost=True)
    if layer.kind is not LayerKind.BASE:
        health = health.with_layer(layer)
    elif layer.id == BASE:
        health = health.model_copy(update={"lost_base": (*health.lost_base, spot.target)})
    if layer.kind is LayerKind.BASE and layer.is_broken:
        health = put_out(health, strike)
    return health, layer.is_broken


def put_out(health: Health, strike: Strike) -> Health:
    """Out of action by this damage; base saves that are left stay as they are.

    Source: RPJ-HEALTH-16 (R-133), RPJ-HEALTH-18, RPJ-GCS-38 (R-101).
    """
    out = Out.KNOCKED_OUT if strike.is_nonlethal else Out.INCAPACITATED
    return Health(layers=health.layers, lost_base=health.lost_base, out=out)


def with_health(figure: Figure, health: Health) -> Figure:
    """The same figure with other health."""
    return Figure(figure.sheet.model_copy(update={"health": health}), figure.module)


class Ambush(StrEnum):
    """How the GM has damage done to the helpless and the unaware.

    Source: RPJ-HEALTH-18.
    """

    BASE = "base saves only"
    ONE_BEST = "one base save, the best"
    ONE_WORST = "one base save, the worst"
    OUT = "out of action at once"
    DEAD = "dead at once"


ARMORED = tuple(kind for kind in LayerKind if kind is not LayerKind.BASE)


def _without_lost(health: Health, target: int) -> Health:
    left = list(health.lost_base)
    left.remove(target)
    return health.model_copy(update={"lost_base": tuple(left)})


def treated(health: Health) -> Health:
    """Back in action after treatment, with one base save more than were left.

    Source: RPJ-HEALTH-16 (R-133), RPJ-GCS-39 (R-103).
    """
    awake = Health(layers=health.layers, lost_base=health.lost_base)
    return _without_lost(awake, min(awake.lost_base)) if awake.lost_base else awake


def rested(health: Health, hours: int) -> Health:
    """Hours of rest: one base save for every two of them, the easiest first; worn layers stay as they are.

    Source: RPJ-HEALTH-20, RPJ-GCS-40 (R-104), RPJ-GCS-41 (R-105).
    """
    if health.out is not Out.NO or health.is_weak:
        return health
    for _ in range(min(hours // HOURS_PER_SAVE, len(health.lost_base))):
        health = _without_lost(health, min(health.lost_base))
    return health


def defense_modifiers(figure: Figure, armor: Armor) -> tuple[int, int]:
    """What armour adds to dodging and to absorbing; once it is broken only what it takes off.

    Source: RPJ-HEALTH-15 (R-060).
    """
    kept = figure.sheet.health.layer(armor.id)
    if kept is not None and kept.is_broken:
        return min(armor.dodge, 0), min(armor.absorb, 0)
    return armor.dodge, armor.absorb


def health_lines(figure: Figure) -> tuple[str, ...]:
    """A line a layer, the base first and the outermost last, with a mark at the save that is next.

    Source: RPJ-HEALTH-10.
    """
    following = next_save(figure, Strike())
    lines = []
    for layer in reversed(layers_of(figure)):
        saves = str(layer).split("/")
        if following is not None and following.layer.id == layer.id:
            saves[following.place] = f"▸{saves[following.place]}"
        lines.append(f"{'/'.join(saves)} {layer.name}" + (" (broken)" if layer.is_broken else ""))
    if figure.sheet.health.out is not Out.NO:
        lines.append(figure.sheet.health.out)
    return tuple(lines)
