"""Optional rules: switched on by a campaign or its module, and refused with a way to switch them on."""

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.module import Module, Pack
from bot.rules.rpj.module.settings import PackIsOff, RpjSettings, Shipped, is_on, module_in, require
from tests.rules.rpj.table import rpj_table

WITH_MONEY = RpjSettings(module="own").with_module(
    Module(id="small", name="Small", optional_rules=(Pack.MONEY,))
)


@pytest.mark.rule("RPJ-GM-06")
class TestOptionalRules:
    @pytest.mark.parametrize("pack", Pack)
    def test_every_optional_rule_is_off_by_default(self, pack: Pack) -> None:
        assert not is_on(RpjSettings(), pack)
        assert is_on(RpjSettings.model_validate({pack.value: True}), pack)

    def test_a_module_can_switch_on_its_own_optional_rules(self) -> None:
        assert is_on(WITH_MONEY, Pack.MONEY)
        assert not is_on(WITH_MONEY, Pack.INVENTORY)

    def test_a_campaign_can_override_a_modules_optional_rules(self) -> None:
        assert not is_on(WITH_MONEY.model_copy(update={"money": False}), Pack.MONEY)
        assert is_on(WITH_MONEY.model_copy(update={"money": None}), Pack.MONEY)

    def test_a_rule_that_is_off_is_refused_with_the_way_to_switch_it_on(self) -> None:
        with pytest.raises(PackIsOff) as refused:
            require(rpj_table().scene, Pack.FIRE_AND_MOVEMENT)

        assert isinstance(refused.value, UserError)
        assert refused.value.sentences == (
            "This campaign doesn't use Fire and Movement.",
            "The GM can switch it on: /campaign settings setting:fire_and_movement value:yes",
        )

    def test_a_rule_that_is_on_is_allowed(self) -> None:
        require(rpj_table(fire_and_movement=True).scene, Pack.FIRE_AND_MOVEMENT)


@pytest.mark.rule("RPJ-GM-06", "RPJ-MNV-01")
@pytest.mark.parametrize(("said", "are_on"), [(None, True), (True, True), (False, False)])
def test_a_campaign_can_switch_maneuvers_off(said: bool | None, are_on: bool) -> None:
    settings = RpjSettings(module=Shipped.FANTASY, maneuvers=said)

    assert module_in(settings).combat.maneuvers.are_on is are_on
