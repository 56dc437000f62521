"""One hit after another, without a table."""

from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.damage_saves import (
    RpjStruck,
    Strike,
    after_save,
    damage_save,
    next_save,
    with_health,
)
from bot.rules.rpj.character.sheet import Stats
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.resolution.check import CHECK


def take_hit(figure: Stats, strike: Strike, dice: Dice) -> tuple[RpjStruck, ...]:
    """Roll the saves of one hit, as often as it does its damage; each meets what is left."""
    told: list[RpjStruck] = []
    for _ in range(strike.hits):
        spot = next_save(figure, strike)
        if spot is None or figure.sheet.health.out is not Out.NO:
            break
        struck = after_save(figure, spot, strike, CHECK.resolve(damage_save(figure, spot, strike), dice))
        told.append(struck)
        figure = with_health(figure, struck.health)
    return tuple(told)
