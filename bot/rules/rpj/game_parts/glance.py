"""What the picture of a sheet shows."""

from bot.rules.kernel import CharacterHealth, Gauge, GaugeKind, Glance
from bot.rules.rpj.character.damage_saves import layers_of, looks_of, saves_of
from bot.rules.rpj.character.figures import figure_of
from bot.rules.rpj.character.lucky_breaks import lucky_breaks_left
from bot.rules.rpj.character.sheet import Character
from bot.rules.rpj.module.defense_layers import Layer, Out
from bot.rules.rpj.module.settings import RpjSettings


def glance(character: Character, settings: RpjSettings) -> Glance:
    """Lucky Breaks and the damage saves left in each layer, the base first.

    Source: RPJ-LUCK-05, RPJ-HEALTH-10.
    """
    figure = figure_of(character, settings)
    sheet, gauges = character.sheet, []
    if character.owner is not None:
        gauges.append(
            Gauge.of("Lucky Breaks", lucky_breaks_left(character), figure.lucky_breaks, GaugeKind.POINTS)
        )
    gauges += [_layer(one) for one in reversed(layers_of(figure))]
    out = (str(sheet.health.out).capitalize(),) if sheet.health.out is not Out.NO else ()
    return Glance(tuple(gauges), (*out, *(one.condition.name for one in sheet.conditions)))


def health_of(character: Character, settings: RpjSettings) -> CharacterHealth:
    """The damage saves left; others see how hurt a character looks.

    Source: RPJ-HEALTH-10.
    """
    if character.sheet.mook is not None:  # a mook has no saves
        return CharacterHealth()
    figure = figure_of(character, settings)
    layers = layers_of(figure)
    return CharacterHealth((saves_of(figure, layers),), looks_of(layers))


def _layer(layer: Layer) -> Gauge:
    left = sum(not save.is_lost for save in layer.saves)
    return Gauge.of(f"{layer.name} saves", left, len(layer.saves))
