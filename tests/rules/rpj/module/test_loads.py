"""Loads: what weighs how much, what can be carried, and what too much does."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.rpj.module.basics import RpjAttribute, attribute_bonus
from bot.rules.rpj.module.items import Container, RpjGear
from bot.rules.rpj.module.module import LoadRules
from bot.rules.rpj.module.possessions import (
    Possession,
    RpjPlace,
    RpjTier,
    capacity,
    defense_penalty,
    forbids,
    is_hit_by_everything,
    load_limit,
    load_of,
    load_problems,
    skill_penalty,
    switch_actions,
    tier_of_load,
)

RULES = LoadRules()
ITEMS = {
    "pen": RpjGear(id="pen", name="Pen", load=0),
    "pistol": RpjGear(id="pistol", name="Pistol", load=1),
    "rifle": RpjGear(id="rifle", name="Rifle", load=2),
    "armor": RpjGear(id="armor", name="Armor", load=3, load_worn=0),
    "plate": RpjGear(id="plate", name="Plate", load=5, load_worn=2),
    "satchel": RpjGear(id="satchel", name="Satchel", container=Container.HANDY),
    "pack": RpjGear(id="pack", name="Pack", container=Container.LARGE, load=2),
}


def owned(text: str) -> tuple[Possession, ...]:
    """ "3 pistol carried, pack worn" as possessions."""
    things = []
    for part in text.split(","):
        words = part.split()
        count = int(words.pop(0)) if words[0].isdigit() else 1
        things.append(Possession(item=words[0], count=count, place=RpjPlace(" ".join(words[1:]))))
    return tuple(things)


def load(text: str) -> int:
    """The load of possessions."""
    return load_of(owned(text), ITEMS)


def limit(strength: int, extra: int = 0) -> int:
    """The load limit of a Strength level."""
    return load_limit(RULES, attribute_bonus(strength), extra)


@pytest.mark.rule("RPJ-INV-01")
class TestItemLoad:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("pen carried", 0),
            ("pistol held", 1),
            ("rifle held", 2),
            ("armor worn", 0),
            ("armor carried", 3),
            ("plate worn", 2),
            ("pistol held, rifle carried, armor carried", 6),
            ("3 rifle carried", 6),
            ("rifle left behind", 0),
        ],
    )
    def test_a_characters_load_is_the_sum_of_the_items_carried(self, text: str, expected: int) -> None:
        assert load(text) == expected

    def test_an_item_the_module_no_longer_has_weighs_nothing(self) -> None:
        assert load("anvil carried") == 0


@pytest.mark.rule("RPJ-INV-02")
class TestLoadLimit:
    @pytest.mark.parametrize(("strength", "extra", "expected"), [(2, 0, 6), (3, 0, 7), (6, 0, 8), (6, 2, 10)])
    def test_the_load_limit_is_6_plus_the_strength_bonus_and_traits(
        self, strength: int, extra: int, expected: int
    ) -> None:
        assert limit(strength, extra) == expected

    def test_a_load_at_the_limit_has_no_penalty(self) -> None:
        assert tier_of_load(7, 7) is RpjTier.FREE


@pytest.mark.rule("RPJ-INV-03")
class TestOverloaded:
    def test_a_character_is_overloaded_up_to_twice_the_limit(self) -> None:
        assert [load for load in range(40) if tier_of_load(load, 6) is RpjTier.OVERLOADED] == [*range(7, 13)]
        assert [load for load in range(40) if tier_of_load(load, 7) is RpjTier.OVERLOADED] == [*range(8, 15)]

    def test_being_overloaded_lowers_every_defense_by_1(self) -> None:
        assert 12 + defense_penalty(RpjTier.OVERLOADED) == 11
        assert 10 + defense_penalty(RpjTier.OVERLOADED) == 9
        assert defense_penalty(RpjTier.FREE) == 0

    def test_being_overloaded_lowers_skills_of_strength_dexterity_and_constitution_by_1(self) -> None:
        penalties = {attribute: skill_penalty(RpjTier.OVERLOADED, attribute) for attribute in RpjAttribute}
        assert penalties == {"STR": -1, "CON": -1, "DEX": -1, "CHA": 0, "WIL": 0, "INT": 0, "LUCK": 0}
        assert skill_penalty(RpjTier.FREE, RpjAttribute.DEX) == 0

    def test_being_overloaded_forbids_no_rolls(self) -> None:
        assert not any(forbids(RpjTier.OVERLOADED, attribute) for attribute in RpjAttribute)
        assert not is_hit_by_everything(RpjTier.OVERLOADED)


@pytest.mark.rule("RPJ-INV-04")
class TestFarOverloaded:
    def test_a_character_is_far_overloaded_up_to_three_times_the_limit(self) -> None:
        assert [load for load in range(40) if tier_of_load(load, 6) is RpjTier.HELPLESS] == [*range(13, 19)]

    def test_a_far_overloaded_character_cannot_roll_strength_dexterity_or_constitution(self) -> None:
        barred = {attribute.value for attribute in RpjAttribute if forbids(RpjTier.HELPLESS, attribute)}
        assert barred == {"STR", "DEX", "CON"}

    def test_every_attack_hits_a_far_overloaded_character(self) -> None:
        assert is_hit_by_everything(RpjTier.HELPLESS)


@pytest.mark.rule("RPJ-INV-05")
def test_more_than_three_times_the_limit_cannot_be_carried() -> None:
    assert load_problems(owned("9 rifle carried"), ITEMS, 6, RULES) == ()
    told = load_problems(owned("9 rifle carried, pistol carried"), ITEMS, 6, RULES)
    assert told == ("That is 1 more than you can carry at all (18).",)
    assert (tier_of_load(18, 6), tier_of_load(19, 6)) == (RpjTier.HELPLESS, RpjTier.TOO_MUCH)


@pytest.mark.rule("RPJ-INV-06")
def test_switching_hands_is_free_once_per_turn_unless_overloaded() -> None:
    assert [switch_actions(RpjTier.FREE, before) for before in (0, 1, 2)] == [0, 1, 1]
    assert [switch_actions(RpjTier.OVERLOADED, before) for before in (0, 1)] == [2, 2]


@pytest.mark.rule("RPJ-INV-07")
class TestHandyContainers:
    def test_a_handy_container_holds_half_of_the_load_limit_rounded_up(self) -> None:
        assert [capacity(Container.HANDY, most) for most in (6, 7, 8)] == [3, 4, 4]

    def test_items_in_a_worn_handy_container_weigh_nothing(self) -> None:
        text = "satchel worn, 3 pistol handy container, 3 rifle carried"
        assert load(text) == 6
        assert load_problems(owned(text), ITEMS, 6, RULES) == ()

    def test_a_handy_container_cannot_hold_more_than_its_capacity(self) -> None:
        told = load_problems(owned("satchel worn, 4 pistol handy container"), ITEMS, 6, RULES)
        assert told == ("Your handy container holds 3, not 4.",)

    def test_nothing_can_be_put_into_a_container_the_character_does_not_have(self) -> None:
        told = load_problems(owned("pistol handy container"), ITEMS, 6, RULES)
        assert told == ("You have no handy container.",)

    def test_only_one_container_of_a_kind_can_be_worn(self) -> None:
        told = load_problems(owned("2 satchel worn"), ITEMS, 6, RULES)
        assert told == ("You can wear 1 handy container at most, not 2.",)
        assert load_problems(owned("2 satchel worn"), ITEMS, 6, LoadRules(most_handy=2)) == ()

    def test_a_container_that_is_carried_counts_with_its_contents(self) -> None:
        assert load("satchel carried, 3 pistol handy container") == 4


@pytest.mark.rule("RPJ-INV-08")
class TestLargeContainers:
    def test_a_large_container_holds_the_load_limit(self) -> None:
        assert capacity(Container.LARGE, 7) == 7

    def test_a_full_pack_satchel_and_hands_bring_no_penalty(self) -> None:
        text = "pack worn, satchel worn, 3 rifle large container, 3 pistol handy container, 3 rifle carried"
        assert load(text) == 6
        assert load_problems(owned(text), ITEMS, 6, RULES) == ()
        assert tier_of_load(load(text), 6) is RpjTier.FREE


@given(counts=st.lists(st.integers(1, 5), min_size=3, max_size=3), places=st.permutations(list(RpjPlace)))
def test_moving_items_never_changes_what_a_character_owns(counts: list[int], places: list[RpjPlace]) -> None:
    things = [
        Possession(item=item, count=count, place=place)
        for item, count, place in zip(("pistol", "rifle", "pen"), counts, places, strict=False)
    ]
    carried_all = [thing.model_copy(update={"place": RpjPlace.CARRIED}) for thing in things]
    assert load_of(carried_all, ITEMS) == counts[0] + 2 * counts[1]
    assert load_of(things, ITEMS) <= load_of(carried_all, ITEMS)


def test_only_wearable_items_can_be_worn() -> None:
    assert load_problems(owned("rifle worn"), ITEMS, 6, RULES) == ("Rifle can't be worn.",)


def test_every_item_has_a_load_in_every_place() -> None:
    for item, place in product(ITEMS, RpjPlace):
        assert load_of([Possession(item=item, place=place)], ITEMS) >= 0
