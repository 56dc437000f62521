"""Damage saves: which save damage meets, how it is rolled, and what a failure costs."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import Document, NamedTerm, Roll, evolve
from bot.rules.kernel.outcome import MINUS, short_name
from bot.rules.rpj.character.sheet import Stats
from bot.rules.rpj.module.basics import CRUSHING, DOWNWARD, HARMLESS, STEP_DAMAGE, Scale, gap, highest
from bot.rules.rpj.module.defense_layers import Layer, Out, RpjHealth
from bot.rules.rpj.module.effects import LayerAdd, LayerKind, RollTarget, RpjCircumstances, roll_bonus
from bot.rules.rpj.module.items import Armor
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.resolution.check import RpjResult, reading_of
from bot.rules.rpj.resolution.check_inputs import BASE_TARGET, CheckKind, RpjCheckInputs

BASE = "base"
STAND_IN = "stand_in"
LASTING = "lasting "
HOURS_PER_SAVE = 2


class Strike(Document):
    """Damage dealt to a character."""

    # Added to the target number of the save; below zero it makes it easier.
    damage: int = Field(default=0, ge=-20, le=40)
    reduced_by: int = Field(default=0, ge=0, le=40)  # damage reduction
    hits: int = Field(default=1, ge=1, le=10)  # how many times it is dealt
    bypasses: tuple[LayerKind, ...] = ()
    is_nonlethal: bool = False  # whether it knocks out instead of killing
    scale: Scale = Scale.NORMAL  # its damage scale, where these are played


class Spot(Struct, frozen=True):
    """The save that damage meets: a layer and the position of the save in it."""

    layer: Layer
    place: int

    @property
    def target(self) -> int:
        """The target number of the save itself."""
        return self.layer.saves[self.place].target


def base_layer(figure: Stats) -> Layer:
    """The base saves, with those crossed off; under incapacitation penalties one save replaces them all.

    [RPJ-HEALTH-04, RPJ-HEALTH-05, RPJ-GCS-38 (R-099)]
    """
    if figure.sheet.health.is_weak:
        return Layer.fresh(STAND_IN, "Stand-in", LayerKind.BASE, (figure.module.combat.weak_save,))
    layer = Layer.fresh(BASE, "Base", LayerKind.BASE, figure.base_saves, scale=figure.sheet.scale)
    if not figure.sheet.health.lost_base:
        return layer
    lost = Counter(figure.sheet.health.lost_base)
    for place, save in enumerate(layer.saves):
        if lost[save.target] > 0:
            lost[save.target] -= 1
            layer = layer.marked(place, is_lost=True)
    return layer


def _worn_layers(figure: Stats) -> list[Layer]:
    """The layers of armor and shields in use and of lasting effects, undamaged. [RPJ-GCS-59]"""
    worn = [
        Layer.fresh(
            armor.id, armor.name, armor.kind, armor.saves, reduction=armor.reduction, scale=armor.scale
        )
        for armor in figure.armor
    ]
    lasting = [effect for effect in figure.effects if isinstance(effect, LayerAdd)]
    return worn + [
        Layer.fresh(f"{LASTING}{number}", "Protection", effect.kind, effect.saves, scale=effect.scale)
        for number, effect in enumerate(lasting, 1)
    ]


def layers_of(figure: Stats) -> tuple[Layer, ...]:
    """All layers, from the outermost to the base. [RPJ-HEALTH-06, RPJ-HEALTH-07, RPJ-HEALTH-09]"""
    health, worn = figure.sheet.health, _worn_layers(figure)
    put_away = {armor.id for armor in figure.module.armor}
    temporary = [
        layer for layer in health.layers if layer.id not in put_away and not layer.id.startswith(LASTING)
    ]
    stored = [health.layer(layer.id) or layer for layer in worn]
    order = figure.module.saves.layers
    everything = [*temporary, *stored, base_layer(figure)]
    return tuple(sorted(everything, key=lambda layer: order.index(layer.kind)))


def looks_of(layers: Sequence[Layer]) -> str:
    """How hurt a character of these layers looks to people who don't know their saves; nothing if unhurt.

    [RPJ-HEALTH-10]
    """
    if all(layer.is_broken for layer in layers if layer.kind is not LayerKind.BASE) and len(layers) > 1:
        return "armor broken"
    return "hurt" if any(save.is_lost for layer in layers for save in layer.saves) else ""


def saves_of(figure: Stats, layers: Sequence[Layer]) -> str:
    """The saves of each of a character's layers, for those who know them."""
    named = ((layer, "saves" if layer.kind is LayerKind.BASE else layer.name) for layer in layers)
    return " · ".join(f"{name} {layer.words}{tag_of(figure, layer)}" for layer, name in named)


def next_save(figure: Stats, strike: Strike) -> Spot | None:
    """The save that damage meets: the easiest of the outermost unbroken layer it does not bypass.

    [RPJ-HEALTH-07, RPJ-HEALTH-08, RPJ-HEALTH-11, RPJ-HEALTH-15]
    """
    for layer in layers_of(figure):
        if not layer.is_broken and layer.kind not in strike.bypasses:
            return Spot(layer, layer.next_place)
    return None


def gap_of(figure: Stats, layer: Layer, strike: Strike) -> int:
    """How many scales damage is above the layer it strikes; 0 where scales are not played.

    [RPJ-SCALE-01, RPJ-SCALE-10]
    """
    return gap(strike.scale, layer.scale) if figure.plays(Pack.DAMAGE_SCALES) else 0


def scale_of(figure: Stats) -> Scale:
    """The highest scale among the unbroken layers; normal where scales are not played.

    [RPJ-SCALE-09 (SCALE-09a), RPJ-FIRE-14 (FIRE-14a)]
    """
    if not figure.plays(Pack.DAMAGE_SCALES):
        return Scale.NORMAL
    return highest(layer.scale for layer in layers_of(figure) if not layer.is_broken)


def tag_of(figure: Stats, layer: Layer) -> str:
    """The tag of a layer's scale (" M"); empty for the normal scale, or where scales are not played.

    [RPJ-SCALE-01]
    """
    return f" {layer.scale.tag}" if figure.plays(Pack.DAMAGE_SCALES) and layer.scale.tag else ""


def reduced(damage: int, by: int, *, below_zero: bool = False) -> int:
    """Damage after a reduction, which lowers it to 0 at most; negative damage stays as it is.

    Args:
        by: The reduction.
        below_zero: Whether the module lets it fall below 0.

    [RPJ-HEALTH-03, RPJ-GCS-59 (R-118)]
    """
    return damage - by if below_zero else max(damage - by, min(damage, 0))


def damage_save(figure: Stats, spot: Spot, strike: Strike) -> RpjCheckInputs:
    """The roll of a damage save.

    [RPJ-HEALTH-02, RPJ-HEALTH-03, RPJ-HEALTH-12, RPJ-HEALTH-13, RPJ-SCALE-02, RPJ-SCALE-03 (SCALE-03c), RPJ-
    SCALE-05]
    """
    by, below_zero = strike.reduced_by + spot.layer.reduction, figure.module.combat.reduction_below_zero
    damage = reduced(strike.damage, by, below_zero=below_zero)
    against = (
        NamedTerm(label="damage", value=damage),
        NamedTerm(label="scale", value=STEP_DAMAGE * gap_of(figure, spot.layer, strike)),
    )
    bonuses = roll_bonus(figure.effects, RollTarget.DAMAGE_SAVE, RpjCircumstances())
    return RpjCheckInputs(
        kind=CheckKind.DAMAGE_SAVE,
        terms=tuple(NamedTerm(label=bonus.word, value=bonus.value) for bonus in bonuses),
        difficulty=spot.target - BASE_TARGET,
        opposition=tuple(term for term in against if term.value),
        criticals=figure.module.criticals,
    )


def save_reason(spot: Spot, inputs: RpjCheckInputs) -> str:
    """What the number of a save is made of: "7 + 2 damage", "Leather armor 5 + 2 damage"; or nothing."""
    terms = "".join(
        f" {MINUS if one.value < 0 else '+'} {abs(one.value)} {one.label}" for one in inputs.opposition
    )
    name = "" if spot.layer.kind is LayerKind.BASE else short_name(spot.layer.name, 24)
    return " ".join(filter(None, (name, f"{spot.target}{terms}" if terms else "")))


class RpjStruck(Struct, frozen=True):
    """The result of one damage save."""

    health: RpjHealth  # health afterwards
    roll: Roll
    lost: Spot | None  # the save that is crossed off, or None
    breaks: bool  # whether that breaks its layer
    is_whole: bool = False  # whether all saves of the layer are crossed off
    is_spared: bool = False  # whether it failed, but a legendary foe loses no save


def after_save(figure: Stats, spot: Spot, strike: Strike, roll: Roll) -> RpjStruck:
    """Health after a damage save: unchanged, or one save less, or out of action without base saves.

    Damage of a greater scale costs the save that is made, and all of its layer where it is failed.

    [RPJ-HEALTH-12 to RPJ-HEALTH-16 (R-093), RPJ-SCALE-03 (SCALE-03b), RPJ-SCALE-05, RPJ-CINE-06]
    """
    result = reading_of(roll).result
    is_saved = result.is_success and gap_of(figure, spot.layer, strike) < DOWNWARD
    if is_saved or result is RpjResult.UNDECIDED or is_unlimited(figure):
        is_spared = not is_saved and result is not RpjResult.UNDECIDED
        return RpjStruck(figure.sheet.health, roll, None, breaks=False, is_spared=is_spared)
    is_whole = not result.is_success and gap_of(figure, spot.layer, strike) >= DOWNWARD
    health, breaks = without_save(figure, spot, strike, is_whole=is_whole)
    return RpjStruck(health, roll, spot, breaks, is_whole)


def is_unlimited(figure: Stats) -> bool:
    """Whether no damage save is ever crossed off, as with legendary foes. [RPJ-CINE-06]"""
    return figure.sheet.has_unlimited_saves and figure.plays(Pack.CINEMATIC_COMBAT)


def unrolled(figure: Stats, spot: Spot, strike: Strike) -> RpjHealth | None:
    """Health after damage that needs no roll, for scales far apart; None where a save is rolled.

    Giga damage that strikes a normal layer breaks every normal one, wherever it lies.

    [RPJ-SCALE-04, RPJ-SCALE-06 (SCALE-06a)]
    """
    difference = gap_of(figure, spot.layer, strike)
    if difference == HARMLESS or (difference == CRUSHING and is_unlimited(figure)):
        return figure.sheet.health
    return _crushed(figure, strike) if difference == CRUSHING else None


def _crushed(figure: Stats, strike: Strike) -> RpjHealth:
    health, has_body = figure.sheet.health, True
    for layer in layers_of(figure):
        if layer.scale is not Scale.NORMAL or layer.is_broken:
            continue
        if layer.kind is LayerKind.BASE:
            has_body = False
        else:
            health = health.with_layer(layer.crossed_off())
    if has_body:
        return health
    lost = health.lost_base if health.is_weak else tuple(sorted(figure.base_saves))
    return put_out(evolve(health, lost_base=lost), strike)


def without_save(
    figure: Stats, spot: Spot, strike: Strike, *, is_whole: bool = False
) -> tuple[RpjHealth, bool]:
    """Health once a save is crossed off, or all of its layer, and whether that breaks the layer.

    [RPJ-HEALTH-14 to RPJ-HEALTH-16, RPJ-GCS-30, RPJ-GCS-38 (R-101), RPJ-SCALE-05 (SCALE-05a)]
    """
    health = figure.sheet.health
    layer = spot.layer.crossed_off() if is_whole else spot.layer.marked(spot.place, is_lost=True)
    if layer.kind is not LayerKind.BASE:
        health = health.with_layer(layer)
    elif layer.id == BASE:
        lost = tuple(sorted(figure.base_saves)) if is_whole else (*health.lost_base, spot.target)
        health = evolve(health, lost_base=lost)
    if layer.kind is LayerKind.BASE and layer.is_broken:
        health = put_out(health, strike)
    return health, layer.is_broken


def put_out(health: RpjHealth, strike: Strike) -> RpjHealth:
    """Health of a character put out of action by this damage; remaining base saves stay as they are.

    [RPJ-HEALTH-16 (R-133), RPJ-HEALTH-18, RPJ-GCS-38 (R-101)]
    """
    out = Out.KNOCKED_OUT if strike.is_nonlethal else Out.INCAPACITATED
    return RpjHealth(layers=health.layers, lost_base=health.lost_base, out=out)


def with_health(figure: Stats, health: RpjHealth) -> Stats:
    """The stats with other health."""
    return Stats(evolve(figure.sheet, health=health), figure.module)


class Ambush(StrEnum):
    """How the GM resolves damage to a helpless or unaware character. [RPJ-HEALTH-18]"""

    BASE = "base saves only"
    ONE_BEST = "one base save, the best"
    ONE_WORST = "one base save, the worst"
    OUT = "out of action at once"
    DEAD = "dead at once"


ARMORED = tuple(kind for kind in LayerKind if kind is not LayerKind.BASE)


def _without_lost(health: RpjHealth, target: int) -> RpjHealth:
    left = list(health.lost_base)
    left.remove(target)
    return evolve(health, lost_base=tuple(left))


def treated(health: RpjHealth) -> RpjHealth:
    """Health after treatment: back in action, with one base save more than were left.

    [RPJ-HEALTH-16 (R-133), RPJ-GCS-39 (R-103)]
    """
    awake = RpjHealth(layers=health.layers, lost_base=health.lost_base)
    return _without_lost(awake, min(awake.lost_base)) if awake.lost_base else awake


def still_lost(lost: tuple[int, ...], count: int, first: int | None = None) -> tuple[int, ...]:
    """The base saves that stay lost when some are restored, the easiest first. [RPJ-GCS-41 (R-105)]

    Args:
        lost: The target numbers of those that are lost.
        count: How many are restored.
        first: The target number of those restored before the others, if their owner chooses one.
    """
    return tuple(sorted(sorted(lost, key=lambda target: (target != first, target))[count:]))


def rested(health: RpjHealth, hours: int, first: int | None = None) -> RpjHealth:
    """Health after hours of rest: one base save for every two of them; worn layers stay as they are.

    Args:
        health: Before the rest.
        hours: How many were slept through.
        first: The target number of the saves restored first; the easiest without it.

    [RPJ-HEALTH-20, RPJ-GCS-40 (R-104), RPJ-GCS-41 (R-105)]
    """
    if health.out is not Out.NO or health.is_weak or not health.lost_base:
        return health
    left = still_lost(health.lost_base, hours // HOURS_PER_SAVE, first)
    return evolve(health, lost_base=left)


def defense_modifiers(figure: Stats, armor: Armor) -> tuple[int, int]:
    """What armor adds to dodging and to absorbing; once it is broken, only its penalties.

    [RPJ-HEALTH-15 (R-060)]
    """
    layer = figure.sheet.health.layer(armor.id)
    if layer is not None and layer.is_broken:
        return min(armor.dodge, 0), min(armor.absorb, 0)
    return armor.dodge, armor.absorb


def health_lines(figure: Stats) -> tuple[str, ...]:
    """One line per layer, the base first and the outermost last, with a mark at the next one to save.

    [RPJ-HEALTH-10]
    """
    following = next_save(figure, Strike())
    lines = []
    for layer in reversed(layers_of(figure)):
        mark = "▸ " if following is not None and following.layer.id == layer.id else ""
        broken = ", broken" if layer.is_broken else ""
        lines.append(f"{mark}{layer.name}: {layer.words}{tag_of(figure, layer)}{broken}")
    if figure.sheet.health.out is not Out.NO:
        lines.append(figure.sheet.health.state)
    return tuple(lines)
