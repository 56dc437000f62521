"""How health is shown, and how saves come back."""

import pytest

from bot.rules.rpj.character.damage_saves import defense_modifiers, health_lines, layers_of, rested
from bot.rules.rpj.module.defense_layers import Layer, Out, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.items import Armor
from tests.rules.rpj.people import figure

ROCK = Layer.fresh("rock", "Rock Armor", LayerKind.ABILITY, (5, 6))
PEBBLE = Layer.fresh("pebble", "Pebble Armor", LayerKind.ABILITY, (4,))


@pytest.mark.rule("RPJ-HEALTH-10")
class TestDisplay:
    def test_the_base_comes_first_and_the_next_save_last(self) -> None:
        hero = figure("CON 3", belongings=("leather",), health=RpjHealth(layers=(ROCK, PEBBLE)))

        assert health_lines(hero) == (
            "7+/7+/7+ Base",
            "5+/5+ Leather armor",
            "4+ Pebble Armor",
            "▸5+/6+ Rock Armor",
        )

    def test_lost_saves_are_struck_and_broken_layers_named(self) -> None:
        broken = PEBBLE.marked(0, is_lost=True)
        hero = figure("CON 3", health=RpjHealth(layers=(broken,), lost_base=(7,)))

        assert health_lines(hero) == ("×7+/▸7+/7+ Base", "×4+ Pebble Armor (broken)")

    def test_who_is_out_is_said_to_be(self) -> None:
        hero = figure("CON 2", health=RpjHealth(lost_base=(7, 7), out=Out.KNOCKED_OUT))

        assert health_lines(hero) == ("×7+/×7+ Base (broken)", "knocked out")


@pytest.mark.rule("RPJ-HEALTH-20")
class TestRecovery:
    @pytest.mark.parametrize(
        ("hours", "lost"), [(4, (7,)), (1, (7, 7, 7)), (2, (7, 7)), (3, (7, 7)), (48, ())]
    )
    def test_two_hours_of_rest_give_one_base_save_back(self, hours: int, lost: tuple[int, ...]) -> None:
        assert rested(RpjHealth(lost_base=(7, 7, 7)), hours).lost_base == lost

    def test_the_easiest_comes_back_first(self) -> None:
        assert rested(RpjHealth(lost_base=(7, 6)), 2).lost_base == (7,)

    def test_its_owner_chooses_another_that_comes_back_first(self) -> None:
        assert rested(RpjHealth(lost_base=(6, 7, 7)), 2, first=7).lost_base == (6, 7)
        assert rested(RpjHealth(lost_base=(6, 7)), 4, first=7).lost_base == ()
        assert rested(RpjHealth(lost_base=(6, 7)), 2, first=9).lost_base == (7,)

    def test_broken_leather_stays_broken_until_it_is_repaired(self) -> None:
        leather = Layer.fresh("leather", "Leather armor", LayerKind.ARMOR, (5, 5))
        broken = leather.marked(0, is_lost=True).marked(1, is_lost=True)
        slept = rested(RpjHealth(layers=(broken,)), 8)

        assert slept.layers == (broken,)
        hero = figure("CON 3", belongings=("leather",), health=slept.without_layer("leather"))
        assert str(layers_of(hero)[0]) == "5+/5+"

    def test_who_is_out_does_not_recover_by_rest(self) -> None:
        out = RpjHealth(lost_base=(7, 7), out=Out.INCAPACITATED)

        assert rested(out, 8) == out


@pytest.mark.rule("RPJ-HEALTH-15")
class TestBrokenArmor:
    @pytest.mark.parametrize(("is_broken", "modifiers"), [(False, (-2, 1)), (True, (-2, 0))])
    def test_its_advantages_are_gone_and_its_weight_stays(
        self, is_broken: bool, modifiers: tuple[int, int]
    ) -> None:
        plate = Armor(id="plate", name="Plate", saves=(5,), dodge=-2, absorb=1, reduction=1)
        layer = Layer.fresh("plate", "Plate", LayerKind.ARMOR, (5,), reduction=1)
        hero = figure("CON 3", health=RpjHealth(layers=(layer.marked(0, is_lost=is_broken),)))

        assert defense_modifiers(hero, plate) == modifiers

    def test_armor_never_struck_has_both(self) -> None:
        plate = Armor(id="plate", name="Plate", saves=(5,), dodge=-2, absorb=1)

        assert defense_modifiers(figure("CON 3"), plate) == (-2, 1)
