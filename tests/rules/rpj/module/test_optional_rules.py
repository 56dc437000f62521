"""Optional rules: what a campaign plays with."""

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.module.module import ADDS, Pack, typed_packs
from bot.rules.rpj.module.settings import PackIsOff, RpjSettings, Shipped, is_on, module_in, require
from tests.rules.rpj.module.test_modules import WITH_MONEY
from tests.rules.rpj.people import module_with
from tests.rules.rpj.table import rpj_table


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


@pytest.mark.parametrize("pack", Pack)
def test_each_switch_says_what_its_optional_rule_adds(pack: Pack) -> None:
    field = RpjSettings.model_fields[pack.value]
    adds = ADDS.get(pack, "maneuvers that characters learn and use in fights")

    assert field.title is not None
    assert field.title.casefold() == pack.in_words.casefold()
    assert field.description == f"{adds[0].upper()}{adds[1:]}."


@pytest.mark.parametrize(
    ("typed", "on"),
    [
        ("", []),
        (None, []),
        ("none", []),
        ([], []),
        ("money", [Pack.MONEY]),
        (" Fire and Movement , money", [Pack.FIRE_AND_MOVEMENT, Pack.MONEY]),
        (["money", "inventory"], [Pack.MONEY, Pack.INVENTORY]),
    ],
)
def test_all_optional_rules_are_switched_at_once(typed: object, on: list[Pack]) -> None:
    settings = RpjSettings.model_validate({"packs": typed})

    assert [pack for pack in Pack if settings.switch(pack)] == [pack for pack in Pack if pack in on]
    assert None not in settings.switches().values()


@pytest.mark.parametrize("typed", ["default", " Module "])
def test_by_default_the_module_decides(typed: str) -> None:
    settings = RpjSettings.model_validate({"packs": typed, "criticals": "wide"})

    assert set(settings.switches().values()) == {None}
    assert settings.criticals == "wide"


def test_an_unknown_optional_rule_is_named() -> None:
    with pytest.raises(ValueError, match="There is no optional rule “magick”"):
        typed_packs("money, magick")


def test_the_setting_for_all_rules_shows_those_in_use_and_those_of_the_module() -> None:
    (plain,) = RpjSettings().together()
    (changed,) = RpjSettings(money=True, inventory=True).together()

    assert (plain.value, plain.default) == ("none", "none")
    assert (changed.value, changed.default) == ("money, inventory", "none")
    own = RpjSettings(module="own").with_module(module_with(optional_rules=["money"]))
    (of_module,) = own.together()
    assert of_module.value == "money"


@pytest.mark.rule("RPJ-COIN-01", "RPJ-COIN-08")
@pytest.mark.parametrize(
    ("is_on", "flips", "with_coins"),
    [(True, True, True), (True, False, False), (False, True, False), (False, False, False)],
)
def test_coins_are_flipped_by_those_who_chose_them_where_they_are_played(
    is_on: bool, flips: bool, with_coins: bool
) -> None:
    table = rpj_table(coin_flips=is_on)
    table.change("Ug", flips_coins=flips)

    assert figure_in(table.scene, table.named("Ug")).module.criticals.with_coins is with_coins
