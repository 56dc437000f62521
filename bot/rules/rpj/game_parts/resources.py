"""Resources (Lucky Breaks, Coin, Wealth), and the award of character points."""

from bot.rules.kernel import AwardRule, ResourceRule
from bot.rules.rpj.advancement.spending_points import award
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.lucky_breaks import LUCKY_BREAKS
from bot.rules.rpj.character.pockets import COIN, WEALTH
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.module.pack_effects import WealthGrant
from bot.rules.rpj.module.require_rules import Pack, is_on
from bot.rules.rpj.module.settings import RpjSettings, module_in

MORE_THAN_ANYBODY_HAS = 100


def _most(sheet: RpjSheet, settings: RpjSettings) -> int:
    return Stats(sheet, module_in(settings)).lucky_breaks


def _plays_with_money(settings: RpjSettings) -> bool:
    return is_on(settings, Pack.MONEY)


def _first_coin(_sheet: RpjSheet, settings: RpjSettings) -> int:
    return module_in(settings).money.coin


def _first_wealth(sheet: RpjSheet, settings: RpjSettings) -> int:
    """The module's starting Wealth plus what traits grant.

    Source: RPJ-APPX-17.
    """
    figure = Stats(sheet, module_in(settings))
    granted = sum(effect.value for effect in figure.effects if isinstance(effect, WealthGrant))
    return figure.module.money.wealth + granted


# A new character has all of them at once, whenever it joins (RPJ-LUCK-01, R-131); NPCs have none.
RESOURCES = (
    ResourceRule(key=LUCKY_BREAKS, title="Lucky Breaks", start=MORE_THAN_ANYBODY_HAS, npc_start=0, cap=_most),
    ResourceRule(key=COIN, title="Coin", sheet_start=_first_coin, is_on=_plays_with_money),
    ResourceRule(key=WEALTH, title="Wealth", sheet_start=_first_wealth, is_on=_plays_with_money),
)

AWARDS = (
    AwardRule(
        key="points",
        title="Character points",
        give=award,
        usual=(2, 3, 4),
        unit="point",
    ),
)
