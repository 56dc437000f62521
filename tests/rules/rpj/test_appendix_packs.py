"""The appendix's traits that belong to optional rules."""

import pytest

from bot.rules.rpj.character.belongings import WEALTH, burden_of
from bot.rules.rpj.game_parts.rpj_resources import RESOURCES
from bot.rules.rpj.module.items import Container
from bot.rules.rpj.module.module import MoneyRules
from bot.rules.rpj.module.possessions import capacity, income_of
from bot.rules.rpj.module.settings import RpjSettings
from tests.rules.rpj.people import FANTASY, figure, sheet


@pytest.mark.rule("RPJ-APPX-17")
class TestRich:
    @pytest.mark.parametrize(("stated", "wealth"), [(4, 9), (0, 5)])
    def test_the_rich_trait_brings_5_wealth(self, stated: int, wealth: int) -> None:
        module = FANTASY.model_copy(update={"money": MoneyRules(wealth=stated)})
        settings = RpjSettings(module="own", money=True).with_module(module)
        rule = next(rule for rule in RESOURCES if rule.key == WEALTH)

        assert rule.sheet_start is not None
        assert rule.sheet_start(sheet(traits=["rich"]), settings) == wealth
        assert rule.sheet_start(sheet(), settings) == stated

    def test_a_month_of_the_rich_trait_brings_1_coin(self) -> None:
        assert (income_of(0, 0), income_of(0, 5)) == (0, 1)


@pytest.mark.rule("RPJ-APPX-18")
def test_strong_characters_and_their_containers_carry_2_more() -> None:
    plain, strong = burden_of(figure("STR 3")), burden_of(figure("STR 3", traits=["strong"]))

    assert (plain.limit, strong.limit) == (7, 9)
    assert (capacity(Container.HANDY, strong.limit), capacity(Container.LARGE, strong.limit)) == (5, 9)
