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
class TestHealthDisplay:
    def test_health_lists_the_base_first_and_the_next_layer_to_save_last(self) -> None:
        hero = figure("CON 3", belongings=("leather",), health=RpjHealth(layers=(ROCK, PEBBLE)))

        assert health_lines(hero) == (
            "Base: 3 of 3 (7+)",
            "Leather armor: 2 of 2 (5+)",
            "Pebble Armor: 1 of 1 (4+)",
            "▸ Rock Armor: 2 of 2 (5+, 6+)",
        )

    def test_health_marks_lost_saves_and_broken_layers(self) -> None:
        broken = PEBBLE.marked(0, is_lost=True)
        hero = figure("CON 3", health=RpjHealth(layers=(broken,), lost_base=(7,)))

        assert health_lines(hero) == ("▸ Base: 2 of 3 (7+)", "Pebble Armor: 0 of 1, broken")

    def test_health_says_that_a_character_is_knocked_out(self) -> None:
        hero = figure("CON 2", health=RpjHealth(lost_base=(7, 7), out=Out.KNOCKED_OUT))

        assert health_lines(hero) == ("Base: 0 of 2, broken", "knocked out")


@pytest.mark.rule("RPJ-HEALTH-20")
class TestRecoveryByRest:
    @pytest.mark.parametrize(
        ("hours", "lost"), [(4, (7,)), (1, (7, 7, 7)), (2, (7, 7)), (3, (7, 7)), (48, ())]
    )
    def test_two_hours_of_rest_restore_one_base_save(self, hours: int, lost: tuple[int, ...]) -> None:
        assert rested(RpjHealth(lost_base=(7, 7, 7)), hours).lost_base == lost

    def test_rest_restores_the_easiest_base_save_first(self) -> None:
        assert rested(RpjHealth(lost_base=(7, 6)), 2).lost_base == (7,)

    def test_a_player_can_choose_which_base_save_rest_restores_first(self) -> None:
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

    def test_an_incapacitated_character_does_not_recover_by_rest(self) -> None:
        out = RpjHealth(lost_base=(7, 7), out=Out.INCAPACITATED)

        assert rested(out, 8) == out


@pytest.mark.rule("RPJ-HEALTH-15")
class TestBrokenArmor:
    @pytest.mark.parametrize(("is_broken", "modifiers"), [(False, (-2, 1)), (True, (-2, 0))])
    def test_broken_armor_loses_its_bonus_and_keeps_its_penalty(
        self, is_broken: bool, modifiers: tuple[int, int]
    ) -> None:
        plate = Armor(id="plate", name="Plate", saves=(5,), dodge=-2, absorb=1, reduction=1)
        layer = Layer.fresh("plate", "Plate", LayerKind.ARMOR, (5,), reduction=1)
        hero = figure("CON 3", health=RpjHealth(layers=(layer.marked(0, is_lost=is_broken),)))

        assert defense_modifiers(hero, plate) == modifiers

    def test_armor_that_was_never_hit_has_its_bonus_and_its_penalty(self) -> None:
        plate = Armor(id="plate", name="Plate", saves=(5,), dodge=-2, absorb=1)

        assert defense_modifiers(figure("CON 3"), plate) == (-2, 1)
