"""Damage scales: what a gap between damage and the layer it strikes makes of a blow."""

from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel import Die, Family, Verdict
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.damage_saves import (
    RpjStruck,
    Strike,
    after_save,
    damage_save,
    gap_of,
    health_lines,
    layers_of,
    next_save,
    scale_of,
    unrolled,
)
from bot.rules.rpj.character.sheet import Stats
from bot.rules.rpj.combat.commands.grappling import assert_graspable
from bot.rules.rpj.combat.rules.attacks import critical_loss, strike_of
from bot.rules.rpj.combat.rules.combatants import SPELL_ARM, spell_arm
from bot.rules.rpj.module.basics import Scale, gap
from bot.rules.rpj.module.decision_tables import (
    DECISION,
    DECK,
    DecisionRow,
    DecisionTable,
    TableInputs,
    divided,
    ordinal,
)
from bot.rules.rpj.module.defense_layers import Layer, Out, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.resolution.check import CHECK
from tests.dice import ScriptedDice
from tests.rules.rpj.combat.battles import battle, person
from tests.rules.rpj.people import FANTASY, figure, module_with
from tests.rules.rpj.throws import d6

SCALED = module_with(FANTASY, optional_rules=["damage_scales", "cinematic_combat"])
N, M, G = Scale


def shell(*saves: int, scale: Scale = M, kind: LayerKind = LayerKind.ARMOR, reduction: int = 0) -> Layer:
    """A layer of some scale."""
    return Layer.fresh(f"own {kind}", kind.capitalize(), kind, saves, reduction=reduction, scale=scale)


def body(*layers: Layer, module: Module = SCALED, con: int = 3, scale: Scale = N, **more: Any) -> Stats:
    """Constitution 3, three base saves of 7+, with layers around them."""
    return figure(f"CON {con}", module, health=RpjHealth(layers=layers), scale=scale, **more)


def needed(hero: Stats, **strike: Any) -> int:
    """The target number of the save."""
    spot = next_save(hero, Strike(**strike))
    assert spot is not None
    return damage_save(hero, spot, Strike(**strike)).target


def saving(hero: Stats, faces: str, **strike: Any) -> RpjStruck:
    """A save that is rolled."""
    spot, blow = next_save(hero, Strike(**strike)), Strike(**strike)
    assert spot is not None
    return after_save(
        hero, spot, blow, CHECK.resolve(damage_save(hero, spot, blow), d6(*map(int, faces.split())))
    )


def at_once(hero: Stats, **strike: Any) -> RpjHealth | None:
    """What damage does without a roll."""
    spot = next_save(hero, Strike(**strike))
    assert spot is not None
    return unrolled(hero, spot, Strike(**strike))


def left(health: RpjHealth) -> list[str]:
    """The layers that are kept, as they are written."""
    return [str(layer) for layer in health.layers]


@pytest.mark.rule("RPJ-SCALE-01")
class TestScales:
    @pytest.mark.parametrize(
        ("attack", "layer", "expected"),
        [
            (N, N, 0),
            (N, M, -1),
            (N, G, -2),
            (M, N, 1),
            (M, M, 0),
            (M, G, -1),
            (G, N, 2),
            (G, M, 1),
            (G, G, 0),
        ],
    )
    def test_the_scale_gap_is_counted_from_the_layer_to_the_damage(
        self, attack: Scale, layer: Scale, expected: int
    ) -> None:
        hero = body(shell(5, scale=layer))
        assert gap(attack, layer) == expected
        assert gap_of(hero, layers_of(hero)[0], Strike(scale=attack)) == expected

    def test_layers_are_shown_with_their_scale(self) -> None:
        assert health_lines(body(shell(5, 6), shell(4, scale=G, kind=LayerKind.SHIELD))) == (
            "Base: 3 of 3 (7+)",
            "Armor: 2 of 2 (5+, 6+) M",
            "▸ Shield: 1 of 1 (4+) G",
        )

    def test_every_layer_has_normal_scale_without_the_scales_rule(self) -> None:
        plain = body(shell(5), module=FANTASY)
        assert needed(plain, damage=2) == 7
        assert health_lines(plain)[1] == "▸ Armor: 1 of 1 (5+)"


@pytest.mark.rule("RPJ-SCALE-02")
class TestSameScale:
    def test_mega_damage_on_a_mega_layer_works_as_usual(self) -> None:
        assert needed(body(shell(5)), damage=2, scale=M) == 7
        struck = saving(body(shell(5)), "3 3", damage=2, scale=M)
        assert struck.lost is not None
        assert left(struck.health) == ["×5+"]

    def test_giga_damage_on_a_giga_layer_works_as_usual(self) -> None:
        assert needed(body(shell(6, scale=G)), damage=0, scale=G) == 6


@pytest.mark.rule("RPJ-SCALE-03")
class TestLayerOneScaleUp:
    @pytest.mark.parametrize(
        ("save", "damage", "reduction", "expected"), [(5, 2, 0, 3), (7, 6, 0, 9), (4, 0, 0, 0), (5, 3, 1, 3)]
    )
    def test_damage_against_a_layer_one_scale_up_is_4_lower(
        self, save: int, damage: int, reduction: int, expected: int
    ) -> None:
        assert needed(body(shell(save, reduction=reduction)), damage=damage) == expected

    def test_a_failed_save_one_scale_up_costs_only_that_save(self) -> None:
        hero = body(shell(5, 6))
        assert saving(hero, "3 3", damage=2).lost is None
        assert left(saving(hero, "1 1", damage=2).health) == ["×5+/6+"]

    def test_double_ones_fail_a_save_one_scale_up_even_against_0(self) -> None:
        hero = body(shell(4))
        assert saving(hero, "1 2", damage=0).lost is None
        assert left(saving(hero, "1 1", damage=0).health) == ["×4+"]

    def test_mega_damage_on_a_giga_layer_is_one_scale_up(self) -> None:
        assert needed(body(shell(5, scale=G)), damage=2, scale=M) == 3


@pytest.mark.rule("RPJ-SCALE-04")
class TestLayerTwoScalesUp:
    def test_normal_damage_does_nothing_to_giga_saves(self) -> None:
        hero = body(shell(4, scale=G))
        assert at_once(hero, damage=10) == hero.sheet.health

    def test_a_normal_critical_hit_does_nothing_to_giga_saves(self) -> None:
        hero = body(shell(4, scale=G))
        assert critical_loss(hero, Strike(damage=10)) == (hero.sheet.health, ())


@pytest.mark.rule("RPJ-SCALE-05")
class TestLayerOneScaleDown:
    def test_a_failed_save_one_scale_down_costs_the_whole_layer(self) -> None:
        hero = body(shell(4, 4, scale=N))
        assert needed(hero, damage=4, scale=M) == 12
        struck = saving(hero, "4 4", damage=4, scale=M)
        assert left(struck.health) == ["×4+/×4+"]
        assert (struck.is_whole, struck.breaks, struck.health.out) == (True, True, Out.NO)

    def test_a_successful_save_one_scale_down_still_costs_that_save(self) -> None:
        hero = body(shell(3, 4, scale=N))
        assert needed(hero, damage=4, scale=M) == 11
        assert left(saving(hero, "5 6", damage=4, scale=M).health) == ["×3+/4+"]

    def test_base_saves_count_as_one_layer_one_scale_down(self) -> None:
        assert needed(body(), damage=0, scale=M) == 11
        struck = saving(body(), "2 3", damage=0, scale=M)
        assert struck.health.lost_base == (7, 7, 7)
        assert struck.health.out is Out.INCAPACITATED

    def test_a_layer_of_one_save_breaks_in_any_case_one_scale_down(self) -> None:
        assert saving(body(shell(3, scale=N)), "5 6", damage=0, scale=M).breaks

    def test_only_double_sixes_make_a_save_against_17(self) -> None:
        hero = body(con=0)
        assert needed(hero, damage=6, scale=M) == 17
        assert saving(hero, "6 6", damage=6, scale=M).health.lost_base == (7,)
        assert saving(hero, "5 6", damage=6, scale=M).health.lost_base == (7, 7)

    def test_giga_damage_on_a_mega_layer_is_one_scale_down_and_stops_there(self) -> None:
        hero = body(shell(5, 6))
        assert needed(hero, damage=3, scale=G) == 12
        struck = saving(hero, "5 6", damage=3, scale=G)
        assert left(struck.health) == ["×5+/×6+"]
        assert struck.health.lost_base == ()


SHIELD, ARMOR = LayerKind.SHIELD, LayerKind.ARMOR


@pytest.mark.rule("RPJ-SCALE-06")
class TestGigaOnNormal:
    def test_giga_damage_breaks_every_normal_layer_and_incapacitates(self) -> None:
        hero = body(shell(4, 4, scale=N, kind=SHIELD), shell(3, 5, scale=N))
        after = at_once(hero, scale=G)
        assert after is not None
        assert left(after) == ["×4+/×4+", "×3+/×5+"]
        assert (after.lost_base, after.out) == ((7, 7, 7), Out.INCAPACITATED)

    def test_a_mega_layer_outside_takes_the_giga_damage_instead(self) -> None:
        hero = body(shell(5, 6))
        assert at_once(hero, damage=3, scale=G) is None

    def test_giga_damage_on_a_normal_shield_incapacitates_despite_mega_armor(self) -> None:
        hero = body(shell(4, 4, scale=N, kind=SHIELD), shell(5, 6))
        after = at_once(hero, scale=G)
        assert after is not None
        assert after.layer("own armor") == shell(5, 6)
        assert after.out is Out.INCAPACITATED

    def test_giga_damage_hits_mega_armor_once_the_shield_is_broken(self) -> None:
        hero = body(shell(4, 4, scale=N, kind=SHIELD).crossed_off(), shell(5, 6))
        assert at_once(hero, scale=G) is None
        assert needed(hero, damage=0, scale=G) == 9

    def test_a_giga_body_survives_giga_damage(self) -> None:
        after = at_once(body(shell(4, scale=N), scale=G), scale=G)
        assert after is not None
        assert (left(after), after.out) == (["×4+"], Out.NO)


@pytest.mark.rule("RPJ-SCALE-07")
class TestCriticalHitsAndScales:
    def test_a_critical_hit_one_scale_up_takes_the_best_save(self) -> None:
        health, (loss,) = critical_loss(body(shell(5, 6)), Strike())
        assert (left(health), loss.spot.target, loss.is_whole) == (["×5+/6+"], 5, False)

    def test_a_critical_hit_one_scale_down_takes_the_whole_layer(self) -> None:
        health, (loss,) = critical_loss(body(shell(4, 4, 6, scale=N)), Strike(scale=M))
        assert (left(health), loss.is_whole) == (["×4+/×4+/×6+"], True)

    def test_a_critical_hit_two_scales_up_takes_nothing(self) -> None:
        assert critical_loss(body(shell(5, scale=G)), Strike())[1] == ()


@pytest.mark.rule("RPJ-SCALE-09")
class TestGrapplingAcrossScales:
    def grasp(self, *ogre: Layer) -> None:
        """Ug reaches for the ogre."""
        people = (
            person("ug", "CON 3", module=SCALED),
            person("ogre", "CON 3", module=SCALED, foe=True, health=RpjHealth(layers=ogre)),
        )
        assert_graspable(battle(*people, module=SCALED), "ug", "ogre")

    def test_a_human_cannot_grapple_a_working_suit(self) -> None:
        with pytest.raises(UserError, match="Ug is of normal scale, Ogre of mega scale"):
            self.grasp(shell(5, 6))

    def test_a_broken_suit_counts_as_normal_scale(self) -> None:
        self.grasp(shell(5, 6).crossed_off())
        assert scale_of(body(shell(5).crossed_off())) is N

    def test_two_suits_can_grapple_each_other(self) -> None:
        suits = (
            person("ug", "CON 3", module=SCALED, health=RpjHealth(layers=(shell(5),))),
            person("ogre", "CON 3", module=SCALED, foe=True, health=RpjHealth(layers=(shell(5),))),
        )
        assert_graspable(battle(*suits, module=SCALED), "ug", "ogre")


@pytest.mark.rule("RPJ-CINE-06")
def test_a_legendary_foe_loses_no_save_to_any_scale() -> None:
    foe = body(shell(5), has_unlimited_saves=True)
    assert saving(foe, "1 1", damage=5).lost is None
    assert critical_loss(foe, Strike(scale=M))[1] == ()
    assert at_once(body(has_unlimited_saves=True), scale=G) == RpjHealth()


@pytest.mark.rule("RPJ-SCALE-01")
def test_a_spell_can_have_a_damage_scale() -> None:
    rows = [{**row, "scale": "mega"} for row in FANTASY.model_dump(mode="json")["spells"]]
    module = module_with(SCALED, spells=rows)
    spell = next(one for one in module.spells if one.is_attack)
    arm = spell_arm(figure("WIL 3", module), f"{SPELL_ARM}{spell.id}/4")
    assert strike_of(arm).scale is M


def table(*rows: tuple[str, str], **more: Any) -> DecisionTable:
    return DecisionTable.model_validate(
        {
            "id": "encounters",
            "name": "Encounters",
            "rows": [{"first": first, "last": last, "text": f"{first}-{last}"} for first, last in rows],
            **more,
        }
    )


@pytest.mark.rule("RPJ-DICE-06")
class TestDiceTables:
    @pytest.mark.parametrize(
        ("faces", "key", "number"),
        [
            ((3, 1, 5), "315", 77),
            ((6, 1, 4), "614", 184),
            ((1, 1, 1), "111", 1),
            ((3, 6, 6), "366", 108),
            ((6, 6, 6), "666", 216),
            ((2, 4), "24", 10),
        ],
    )
    def test_the_dice_of_a_table_are_read_from_left_to_right(
        self, faces: tuple[int, ...], key: str, number: int
    ) -> None:
        roll = DECISION.resolve(TableInputs(dice=len(faces)), d6(*faces))

        assert roll.outcome == key
        assert ordinal(faces) == number
        assert roll.verdict == Verdict(Family.NEWS, f"{key}, number {number}")
        assert [(die.sides, die.face) for die in roll.dice] == [(6, face) for face in faces]

    @pytest.mark.parametrize(("dice", "size"), [(1, 6), (2, 36), (3, 216)])
    def test_a_table_has_a_row_for_every_roll_of_its_dice(self, dice: int, size: int) -> None:
        last = "6" * dice
        whole = table(("1" * dice, last), dice=dice)

        assert len(whole.keys) == size
        assert (whole.keys[0], whole.keys[-1]) == ("1" * dice, last)

    def test_a_table_row_stands_for_a_range_or_a_single_key(self) -> None:
        encounters = table(("11", "25"), ("26", ""), ("31", "66"), dice=2)

        assert encounters.row("24").text == "11-25"
        assert encounters.row("26") == DecisionRow(first="26", text="26-")
        assert encounters.row("31").text == "31-66"

    def test_a_table_must_cover_every_key_exactly_once(self) -> None:
        with pytest.raises(ValidationError) as refused:
            table(("1", "3"), ("3", "4"), ("6", "7"), dice=1)

        assert "“7” isn't a valid key; keys go from 1 to 6. 3 has more than one row. 5 has no row." in str(
            refused.value
        )


@pytest.mark.rule("RPJ-DICE-07")
class TestDividedTables:
    @pytest.mark.parametrize(
        ("number", "divisor", "row"),
        [
            (77, 2, 39),
            (77, 4, 20),
            (77, 8, 10),
            (184, 2, 92),
            (184, 4, 46),
            (184, 8, 23),
            (216, 2, 108),
            (216, 4, 54),
            (216, 8, 27),
            (1, 2, 1),
            (1, 4, 1),
            (1, 8, 1),
            (112, 8, 14),
            (113, 8, 15),
        ],
    )
    def test_a_row_of_a_divided_table_covers_as_many_rolls_as_the_divisor(
        self, number: int, divisor: int, row: int
    ) -> None:
        assert divided(number, divisor) == row

    def test_a_roll_on_a_divided_table_names_its_row(self) -> None:
        encounters = table(("1", "14"), ("15", "27"), divisor=8)

        roll = DECISION.resolve(TableInputs.of(encounters), d6(3, 1, 5))

        assert roll.verdict.title == "315, number 77, row 10"
        assert roll.outcome == "10"
        assert encounters.row("10").text == "1-14"

    @pytest.mark.parametrize(("divisor", "size"), [(2, 108), (4, 54), (8, 27)])
    def test_tables_divided_by_2_4_and_8_have_108_54_and_27_rows(self, divisor: int, size: int) -> None:
        assert len(table(("1", str(size)), divisor=divisor).keys) == size

    @pytest.mark.parametrize(
        "more", [{"divisor": 3}, {"divisor": 2, "dice": 2}, {"divisor": 2, "index": "cards"}]
    )
    def test_only_a_table_of_three_dice_can_be_divided(self, more: dict[str, Any]) -> None:
        with pytest.raises(
            ValidationError, match="Only a table of three dice can have a divisor: 1, 2, 4 or 8"
        ):
            table(("1", "108"), **more)


@pytest.mark.rule("RPJ-DICE-08")
class TestCardTables:
    fates = table(("AS", "KS"), ("AH", "JH"), ("QH", ""), ("KH", "KC"), index="cards", keeps_discards=True)

    def test_a_card_points_at_the_row_with_its_name(self) -> None:
        roll = DECISION.resolve(TableInputs.of(self.fates), ScriptedDice("d52:25"))

        assert roll.outcome == "QH"
        assert roll.verdict.title == "Q♥"
        assert roll.dice == (Die(sides=52, face=25, shown="Q♥"),)
        assert self.fates.row("QH").text == "QH-"

    def test_the_deck_has_52_cards_and_no_jokers(self) -> None:
        assert len(DECK) == 52
        assert self.fates.keys == DECK

    def test_a_player_may_name_a_place_in_the_deck(self) -> None:
        roll = DECISION.resolve(TableInputs.of(self.fates, picked=7), ScriptedDice("d52:1"))

        assert roll.verdict.title == "A♠, card 7 of the deck"

    def test_the_deck_is_reshuffled_before_every_draw(self) -> None:
        shuffled = table(("AS", "KC"), index="cards")

        assert TableInputs.of(shuffled, gone=("AS",)).gone == ()

    def test_a_table_may_leave_drawn_cards_out_until_the_deck_is_used_up(self) -> None:
        inputs = TableInputs.of(self.fates, gone=("AS", "2S"))

        assert DECISION.resolve(inputs, ScriptedDice("d50:1")).outcome == "3S"
        assert TableInputs.of(self.fates, gone=DECK).gone == ()
