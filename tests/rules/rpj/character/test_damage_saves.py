"""Damage: which save it meets, how the save is rolled, and what a failed one costs."""

from typing import Any

import pytest

from bot.rules.kernel import Family, Verdict
from bot.rules.kernel.dice import Chance
from bot.rules.kernel.errors import UserErrors
from bot.rules.rpj.character.damage_saves import (
    Spot,
    Strike,
    base_layer,
    damage_save,
    layers_of,
    next_save,
    reduced,
    treated,
)
from bot.rules.rpj.character.sheet import Stats
from bot.rules.rpj.combat.commands.reaction_commands import saves_verdict
from bot.rules.rpj.module.defense_layers import CombatRules, Layer, Out, RpjHealth, actions_of
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.resolution.check import check_odds
from tests.rules.rpj.people import FANTASY, figure, module_with, take_hit, with_trait
from tests.rules.rpj.throws import d6

ABILITY, SHIELD, ARMOR, BASE = LayerKind
ROCK = Layer.fresh("rock", "Rock Armor", ABILITY, (6, 5))
PEBBLE = Layer.fresh("pebble", "Pebble Armor", ABILITY, (4,))


def ug(*belongings: str, health: RpjHealth | None = None, **more: Any) -> Stats:
    """Constitution 3: three base saves of 7+."""
    return figure("CON 3", belongings=belongings, health=health or RpjHealth(), **more)


def spot_of(hero: Stats, **strike: Any) -> Spot:
    spot = next_save(hero, Strike(**strike))
    assert spot is not None
    return spot


def used_in_order(hero: Stats) -> list[int]:
    return [save.target for layer in layers_of(hero) for save in layer.saves]


@pytest.mark.rule("RPJ-HEALTH-04")
class TestBaseSaves:
    @pytest.mark.parametrize(
        ("constitution", "saves"),
        [("CON 3", (7, 7, 7)), ("CON 2", (7, 7)), ("CON 6", (7, 7, 7, 7)), ("CON -1", (7, 7))],
    )
    def test_a_character_has_two_base_saves_plus_the_constitution_bonus(
        self, constitution: str, saves: tuple[int, ...]
    ) -> None:
        assert figure(constitution).base_saves == saves

    @pytest.mark.rule("RPJ-HEALTH-05", "RPJ-HEALTH-06")
    def test_a_trait_may_add_a_base_save_without_adding_a_layer(self) -> None:
        tough = figure("CON 2", traits=["tough"])

        assert tough.base_saves == (6, 7, 7)
        assert [layer.kind for layer in layers_of(tough)] == [BASE]

    @pytest.mark.rule("RPJ-HEALTH-05")
    def test_a_module_may_change_the_base_saves(self) -> None:
        assert figure("CON 3", module_with(saves={"target": 6})).base_saves == (6, 6, 6)


@pytest.mark.rule("RPJ-HEALTH-01", "RPJ-HEALTH-06", "RPJ-HEALTH-07")
class TestSaveLayers:
    def test_each_item_of_armor_is_its_own_layer_of_saves(self) -> None:
        assert [str(layer) for layer in layers_of(ug("leather"))] == ["5+/5+", "7+/7+/7+"]

    def test_saves_are_used_in_the_order_ability_shield_armor_base(self) -> None:
        dressed = ug("leather", "shield", health=RpjHealth(layers=(ROCK,)))

        assert [layer.kind for layer in layers_of(dressed)] == [ABILITY, SHIELD, ARMOR, BASE]
        assert [layer.kind for layer in layers_of(ug("leather", health=RpjHealth(layers=(ROCK,))))] == [
            ABILITY,
            ARMOR,
            BASE,
        ]

    def test_a_module_may_change_the_order_of_save_layers(self) -> None:
        turned = module_with(saves={"layers": ["shield", "armor", "ability", "base"]})
        dressed = figure("CON 3", turned, belongings=("shield",), health=RpjHealth(layers=(ROCK,)))

        assert [layer.kind for layer in layers_of(dressed)] == [SHIELD, ABILITY, BASE]

    def test_a_module_must_list_each_kind_of_save_layer_once(self) -> None:
        with pytest.raises(UserErrors, match="saves, layers: List each of ability, shield, armor, base once"):
            module_with(saves={"layers": ["armor", "base"]})

    def test_a_trait_may_give_a_permanent_save_layer(self) -> None:
        scaly = with_trait("scales", {"type": "layer_add", "kind": "armor", "saves": [6]})
        dragon = figure("CON 3", scaly, traits=["scales"])

        assert used_in_order(dragon) == [6, 7, 7, 7]

    def test_armor_that_is_taken_off_stops_protecting_and_keeps_its_damage(self) -> None:
        struck = RpjHealth(layers=(layers_of(ug("leather"))[0].marked(0, is_lost=True),))

        assert used_in_order(ug(health=struck)) == [7, 7, 7]
        assert str(layers_of(ug("leather", health=struck))[0]) == "×5+/5+"


@pytest.mark.rule("RPJ-HEALTH-08")
class TestOrderInsideALayer:
    @pytest.mark.parametrize(("targets", "shown"), [((5, 6), "5+/6+"), ((7, 4, 6, 5), "4+/5+/6+/7+")])
    def test_the_easiest_save_of_a_layer_is_used_first(self, targets: tuple[int, ...], shown: str) -> None:
        assert str(Layer.fresh("x", "X", ABILITY, targets)) == shown


@pytest.mark.rule("RPJ-HEALTH-09")
class TestAbilityLayers:
    def test_a_player_can_put_a_new_ability_layer_inside_another(self) -> None:
        health = RpjHealth().with_ability(ROCK).with_ability(PEBBLE, inside="rock")

        assert used_in_order(ug("leather", health=health)) == [5, 6, 4, 5, 5, 7, 7, 7]

    def test_a_new_ability_layer_goes_outermost_by_default(self) -> None:
        health = RpjHealth().with_ability(ROCK).with_ability(PEBBLE)

        assert used_in_order(ug(health=health)) == [4, 5, 6, 7, 7, 7]

    def test_the_same_ability_gives_only_one_layer(self) -> None:
        assert RpjHealth().with_ability(ROCK).with_ability(ROCK).layers == (ROCK,)

    def test_the_gm_can_remove_an_ability_layer_outside_a_fight(self) -> None:
        assert RpjHealth(layers=(ROCK, PEBBLE)).without_layer("rock").layers == (PEBBLE,)


@pytest.mark.rule("RPJ-HEALTH-11")
class TestBypassingLayers:
    def test_damage_may_bypass_save_layers(self) -> None:
        spot = spot_of(figure("CON 2", belongings=("leather",)), damage=2, bypasses=(ARMOR,))
        asked = damage_save(figure("CON 2"), spot, Strike(damage=2))

        assert (spot.layer.kind, asked.target) == (BASE, 9)


@pytest.mark.rule("RPJ-HEALTH-02", "RPJ-HEALTH-03")
class TestDamageOfAHit:
    @pytest.mark.parametrize(
        ("save", "damage", "final"), [(5, 2, 7), (7, 4, 11), (7, 0, 7), (5, -2, 3), (7, -5, 2)]
    )
    def test_damage_is_added_to_the_target_number_of_the_save(
        self, save: int, damage: int, final: int
    ) -> None:
        layer = Layer.fresh("x", "X", ABILITY, (save,))
        hero = ug(health=RpjHealth(layers=(layer,)))

        assert damage_save(hero, spot_of(hero), Strike(damage=damage)).target == final

    @pytest.mark.parametrize(("damage", "by", "left"), [(2, 2, 0), (1, 2, 0), (3, 1, 2), (-2, 2, -2)])
    def test_damage_cannot_be_reduced_below_0(self, damage: int, by: int, left: int) -> None:
        assert reduced(damage, by) == left

    def test_armor_reduces_damage_only_while_its_layer_is_hit(self) -> None:
        plate = Layer.fresh("plate", "Plate", ARMOR, (5,), reduction=1)
        hero = ug(health=RpjHealth(layers=(plate,)))

        assert damage_save(hero, spot_of(hero), Strike(damage=3)).target == 7
        assert damage_save(hero, spot_of(hero, bypasses=(ARMOR,)), Strike(damage=3)).target == 10

    def test_double_ones_fail_a_damage_save_even_against_2(self) -> None:
        told = take_hit(ug(), Strike(damage=-5), d6(1, 1))

        assert told[0].roll.against == "2+"
        assert told[0].lost is not None

    def test_a_trait_may_add_to_damage_saves(self) -> None:
        stout = with_trait("stout", {"type": "roll_bonus", "on": "damage save", "value": 1})
        hero = figure("CON 3", stout, traits=["stout"])

        assert damage_save(hero, spot_of(hero), Strike()).modifier == 1


@pytest.mark.rule("RPJ-HEALTH-12")
class TestMakingASave:
    def test_a_successful_damage_save_costs_nothing(self) -> None:
        hero = ug("leather")

        (struck,) = take_hit(hero, Strike(damage=2), d6(4, 4))

        assert (struck.roll.against, struck.roll.verdict.title) == ("7+", "success, 1 degree")
        assert (struck.health, struck.lost) == (hero.sheet.health, None)

    @pytest.mark.rule("RPJ-DICE-11")
    def test_a_damage_save_is_two_dice_with_nothing_added(self) -> None:
        (struck,) = take_hit(ug("leather"), Strike(damage=2), d6(4, 4))

        assert (len(struck.roll.dice), struck.roll.terms) == (2, ())


@pytest.mark.rule("RPJ-HEALTH-13")
class TestCriticalsInDamageSaves:
    @pytest.mark.parametrize(
        ("damage", "faces", "is_saved"), [(8, (6, 6), True), (8, (6, 5), False), (-4, (1, 1), False)]
    )
    def test_double_sixes_always_make_a_damage_save_and_double_ones_never_do(
        self, damage: int, faces: tuple[int, int], is_saved: bool
    ) -> None:
        (struck,) = take_hit(ug(), Strike(damage=damage), d6(*faces))

        assert (struck.lost is None) is is_saved

    def test_a_gm_who_wants_to_decide_criticals_decides_before_a_save_is_crossed_off(self) -> None:
        hero = figure("CON 3", module_with(criticals={"combat": "ask"}))

        (struck,) = take_hit(hero, Strike(damage=8), d6(6, 6))

        assert (struck.roll.outcome, struck.lost) == ("for the GM to decide", None)


@pytest.mark.rule("RPJ-HEALTH-14", "RPJ-HEALTH-15")
class TestFailingASave:
    def test_a_failed_damage_save_is_crossed_off(self) -> None:
        (struck,) = take_hit(ug(), Strike(damage=4), d6(4, 5))

        assert struck.roll.against == "11+"
        assert str(base_layer(ug(health=struck.health))) == "×7+/7+/7+"

    def test_two_terrible_hits_break_leather_armor_and_cost_no_base_save(self) -> None:
        (first,) = take_hit(ug("leather"), Strike(damage=10), d6(6, 5))
        (second,) = take_hit(ug("leather", health=first.health), Strike(damage=10), d6(6, 5))
        after = ug("leather", health=second.health)

        assert (first.breaks, second.breaks) == (False, True)
        assert [str(layer) for layer in layers_of(after)] == ["×5+/×5+", "7+/7+/7+"]
        assert spot_of(after).layer.kind is BASE


@pytest.mark.rule("RPJ-HEALTH-16")
class TestIncapacitation:
    lone = module_with(saves={"count": 1, "target": 6})

    @pytest.mark.parametrize(
        ("faces", "nonlethal", "out"),
        [((3, 4), False, Out.INCAPACITATED), ((4, 4), False, Out.NO), ((3, 4), True, Out.KNOCKED_OUT)],
    )
    def test_a_character_who_loses_the_last_base_save_is_out(
        self, faces: tuple[int, int], nonlethal: bool, out: Out
    ) -> None:
        (struck,) = take_hit(figure("", self.lone), Strike(damage=2, is_nonlethal=nonlethal), d6(*faces))

        assert struck.roll.against == "8+"
        assert struck.health.out is out

    def test_bypassed_armor_does_not_prevent_incapacitation(self) -> None:
        dressed = figure("", self.lone, belongings=("leather",))

        (struck,) = take_hit(dressed, Strike(damage=2, bypasses=(ARMOR,)), d6(3, 4))

        assert struck.health.out is Out.INCAPACITATED
        assert not layers_of(dressed)[0].is_broken

    @pytest.mark.parametrize(
        ("lost", "left"), [((), "7+/7+/7+"), ((7, 7), "×7+/7+/7+"), ((7, 7, 7), "×7+/×7+/7+")]
    )
    def test_treatment_restores_the_saves_left_before_plus_one(
        self, lost: tuple[int, ...], left: str
    ) -> None:
        health = treated(RpjHealth(lost_base=lost, out=Out.INCAPACITATED))

        assert health.out is Out.NO
        assert str(base_layer(ug(health=health))) == left

    def test_a_character_who_is_out_makes_no_more_damage_saves(self) -> None:
        assert take_hit(ug(health=RpjHealth(out=Out.INCAPACITATED)), Strike(), d6()) == ()


@pytest.mark.rule("RPJ-HEALTH-17")
class TestAttacksThatHitSeveralTimes:
    plate = Layer.fresh("plate", "Plate", ARMOR, (5,))

    def test_each_hit_of_an_attack_meets_the_next_save_left(self) -> None:
        hero = figure("CON 2", health=RpjHealth(layers=(self.plate,)))

        first, second = take_hit(hero, Strike(damage=3, hits=2), d6(3, 4, 3, 4))

        assert (first.lost, first.breaks) == (Spot(self.plate, 0), True)
        assert second.health.lost_base == (7,)

    def test_a_multiple_hit_ends_with_the_last_base_save(self) -> None:
        told = take_hit(figure("CON 2"), Strike(damage=3, hits=5), d6(3, 4, 3, 4))

        assert [struck.health.out for struck in told] == [Out.NO, Out.INCAPACITATED]

    def test_damage_that_bypasses_every_layer_has_no_effect(self) -> None:
        assert take_hit(ug(), Strike(bypasses=tuple(LayerKind)), d6()) == ()


@pytest.mark.rule("RPJ-HEALTH-19")
class TestOddsOfADamageSave:
    @pytest.mark.parametrize(
        ("save", "damage", "ways"),
        [
            (4, 0, 33),
            (5, 0, 30),
            (6, 0, 26),
            (7, 0, 21),
            (7, 1, 15),
            (7, 2, 10),
            (7, 3, 6),
            (7, 4, 3),
            (5, 8, 1),
        ],
    )
    def test_the_odds_of_a_damage_save_are_those_of_two_dice_and_never_below_1_in_36(
        self, save: int, damage: int, ways: int
    ) -> None:
        hero = ug(health=RpjHealth(layers=(Layer.fresh("x", "X", ABILITY, (save,)),)))
        odds = check_odds(damage_save(hero, spot_of(hero), Strike(damage=damage)))

        assert odds.enough == Chance(ways, 36).fraction


class TestTheBooksExample:
    def test_the_modules_leather_armor_matches_the_books_example(self) -> None:
        leather = next(armor for armor in FANTASY.armor if armor.id == "leather")

        assert leather.saves == (5, 5)


@pytest.mark.rule("RPJ-HEALTH-06", "RPJ-HEALTH-09", "RPJ-GCS-59")
class TestStoredLayers:
    """Damage stays with armor that is put away and with effects that are gone, but neither protects."""

    TORN = Layer.fresh("leather", "Leather armor", ARMOR, (5, 5)).marked(0, is_lost=True)

    @pytest.mark.parametrize(
        ("belongings", "stored", "shown"),
        [
            ((), (TORN,), []),
            (("leather",), (TORN,), ["×5+/5+"]),
            (("leather",), (), ["5+/5+"]),
            ((), (ROCK,), [str(ROCK)]),
            (("leather",), (TORN, ROCK), [str(ROCK), "×5+/5+"]),
            ((), (Layer.fresh("lasting 9", "Protection", ABILITY, (5,)),), []),
        ],
    )
    def test_only_what_is_worn_or_lasts_protects(
        self, belongings: tuple[str, ...], stored: tuple[Layer, ...], shown: list[str]
    ) -> None:
        layers = layers_of(figure("CON 2", belongings=belongings, health=RpjHealth(layers=stored)))

        assert [str(layer) for layer in layers] == [*shown, "7+/7+"]

    def test_lasting_effects_are_numbered_from_1_and_keep_their_damage(self) -> None:
        effect = {"type": "layer_add", "kind": "ability", "saves": [5]}
        module = with_trait("warded", effect, effect)
        first, second, _base = layers_of(figure("CON 2", module, traits=["warded"]))

        assert (first.id[-1], second.id[-1]) == ("1", "2")
        hurt = RpjHealth(layers=(second.marked(0, is_lost=True),))
        shown = layers_of(figure("CON 2", module, traits=["warded"], health=hurt))
        assert [str(layer) for layer in shown[:2]] == ["5+", "×5+"]

    @pytest.mark.rule("RPJ-HEALTH-04", "RPJ-HEALTH-05")
    @pytest.mark.parametrize(
        ("lost", "shown"),
        [
            ((), "6+/7+/7+"),
            ((7,), "6+/×7+/7+"),
            ((6,), "×6+/7+/7+"),
            ((7, 7), "6+/×7+/×7+"),
            ((6, 7), "×6+/×7+/7+"),
            ((5,), "6+/7+/7+"),
        ],
    )
    def test_lost_base_saves_are_crossed_off_by_their_target(self, lost: tuple[int, ...], shown: str) -> None:
        assert (
            str(layers_of(figure("CON 2", traits=["tough"], health=RpjHealth(lost_base=lost)))[-1]) == shown
        )


@pytest.mark.rule("RPJ-GCS-31", "RPJ-HEALTH-12")
@pytest.mark.parametrize(
    ("came", "family", "title"),
    [
        ((True, True), Family.SUCCESS, "2 saved"),
        ((True, False), Family.PARTIAL, "1 saved, 1 lost"),
        ((False, False, False), Family.FAILURE, "3 lost"),
        ((False, True, True), Family.PARTIAL, "2 saved, 1 lost"),
    ],
)
def test_several_saves_are_told_together(came: tuple[bool, ...], family: Family, title: str) -> None:
    verdicts = [Verdict(Family.SUCCESS if one else Family.FAILURE, "x") for one in came]

    assert saves_verdict(verdicts) == Verdict(family, title)


@pytest.mark.rule("RPJ-HEALTH-08", "RPJ-HEALTH-09")
class TestKeepingLayers:
    def health(self, *layers: Layer) -> RpjHealth:
        return RpjHealth(layers=layers)

    @pytest.mark.parametrize(
        ("inside", "names"),
        [
            ("", ["New", "Rock Armor", "Pebble Armor"]),
            ("rock", ["Rock Armor", "New", "Pebble Armor"]),
            ("pebble", ["Rock Armor", "Pebble Armor", "New"]),
            ("unheard of", ["New", "Rock Armor", "Pebble Armor"]),
        ],
    )
    def test_a_new_layer_lies_outermost_or_directly_inside_another(
        self, inside: str, names: list[str]
    ) -> None:
        new = Layer.fresh("new", "New", ABILITY, (5,))

        assert [layer.name for layer in self.health(ROCK, PEBBLE).with_ability(new, inside).layers] == names

    def test_a_layer_is_replaced_where_it_lies(self) -> None:
        torn = ROCK.marked(0, is_lost=True)

        assert self.health(ROCK, PEBBLE).with_layer(torn).layers == (torn, PEBBLE)
        assert self.health(PEBBLE).with_layer(torn).layers == (PEBBLE, torn)
        assert self.health(ROCK, PEBBLE).without_layer("rock").layers == (PEBBLE,)

    @pytest.mark.parametrize(
        ("kind", "ends_at", "after_fight", "at_100"),
        [
            (ABILITY, None, False, True),
            (ABILITY, 100, True, False),
            (ABILITY, 101, True, True),
            (SHIELD, None, True, True),
            (SHIELD, 99, True, False),
            (ARMOR, None, True, True),
        ],
    )
    def test_abilities_without_a_time_end_with_the_fight_and_others_by_the_clock(
        self, kind: LayerKind, ends_at: int | None, after_fight: bool, at_100: bool
    ) -> None:
        health = self.health(Layer.fresh("x", "X", kind, (5,), ends_at=ends_at))

        assert bool(health.after_fight().layers) is after_fight
        assert bool(health.at_clock(100).layers) is at_100

    def test_the_easiest_save_is_used_first_and_all_lost_ones_break_a_layer(self) -> None:
        layer = Layer.fresh("x", "X", ABILITY, (7, 5, 6))

        assert [str(layer), layer.next_place] == ["5+/6+/7+", 0]
        torn = layer.marked(0, is_lost=True)
        assert (str(torn), torn.next_place, torn.is_broken) == ("×5+/6+/7+", 1, False)
        assert str(torn.marked(2, is_lost=True)) == "×5+/6+/×7+"
        assert torn.crossed_off().is_broken
        assert torn.marked(0, is_lost=False) == layer


@pytest.mark.rule("RPJ-GCS-09")
@pytest.mark.parametrize(("dexterity", "actions"), [(-2, 2), (0, 2), (3, 2), (4, 3), (6, 3), (7, 4), (9, 4)])
def test_dexterity_gives_more_actions(dexterity: int, actions: int) -> None:
    assert actions_of(dexterity, CombatRules()) == actions
