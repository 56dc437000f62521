"""Spells and slots: how many there are, what they take, how they come back."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.casters import hourly_recovery, most_magic, recovered
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
from bot.rules.rpj.module.spells import (
    Casting,
    Formula,
    InnateGrant,
    Mage,
    MagicSkill,
    Preparation,
    RpjSpell,
    Slot,
    fitted,
    governing,
    innate_slots,
    list_size,
    put_in_slot,
    put_on_list,
    slot_counts,
    slot_word,
    slots_of,
    usable_slots,
    why_not,
    with_innate,
)

HOUR = 3600
SPELLS = {
    name: RpjSpell(id=name, name=name.title(), level=level, magic_skill=skill, tags=tags)
    for name, level, skill, tags in (
        ("light", 0, "primitive", ()),
        ("mask", 1, "refined", ("minor illusion",)),
        ("dart", 1, "primitive", ()),
        ("web", 2, "primitive", ()),
        ("veil", 2, "refined", ()),
        ("storm", 4, "primitive", ()),
    )
}


def mage(base: int, bonus: int = 1, how: str = "none", skill: str = "primitive", **more: Any) -> Mage:
    """A magic skill as somebody has it."""
    rules = MagicSkill(skill=skill, preparation=Preparation(how), **more)
    return Mage(rules=rules, name=skill.title(), base=base, bonus=bonus)


def casting(*levels: int, known: Sequence[str] = tuple(SPELLS), **more: Any) -> Casting:
    """A caster with slots of these levels, who knows every spell."""
    return Casting(slots=tuple(Slot(level=level) for level in levels), known=tuple(known), **more)


def spent(casting: Casting) -> list[int]:
    """The levels of the slots that are spent."""
    return [slot.level for slot in casting.slots if slot.is_spent]


@pytest.mark.rule("RPJ-SMAG-01")
class TestSpells:
    @pytest.mark.parametrize("level", [7, -1])
    def test_a_spells_level_must_be_from_0_to_6(self, level: int) -> None:
        with pytest.raises(ValidationError):
            RpjSpell(id="odd", name="Odd", level=level, magic_skill="primitive")

    def test_spells_and_their_slots_can_have_other_names(self) -> None:
        assert slot_word(3, "ability") == "3rd-level ability slot"
        assert [slot_word(level) for level in (0, 1, 2)] == [
            "0th-level spell slot",
            "1st-level spell slot",
            "2nd-level spell slot",
        ]


@pytest.mark.rule("RPJ-SMAG-02", "RPJ-SMAG-08")
class TestSlotsGained:
    @pytest.mark.parametrize(
        ("base", "most", "expected"),
        [
            (5, 2, (2, 2, 2, 2, 2, 1, 0)),
            (6, 2, (2, 2, 2, 2, 2, 2, 1)),
            (1, 1, (1, 1, 0, 0, 0, 0, 0)),
            (1, 2, (2, 1, 0, 0, 0, 0, 0)),
            (3, 3, (3, 3, 2, 1, 0, 0, 0)),
            (6, 3, (3, 3, 3, 3, 3, 2, 1)),
            (5, 3, (3, 3, 3, 3, 2, 1, 0)),
            (4, 1, (1, 1, 1, 1, 1, 0, 0)),
            (0, 3, (0, 0, 0, 0, 0, 0, 0)),
        ],
    )
    def test_the_number_of_slots_follows_base_level_and_linked_bonus(
        self, base: int, most: int, expected: tuple[int, ...]
    ) -> None:
        assert slot_counts(base, most - 1) == expected

    def test_a_trait_raises_the_maximum_of_slots_at_each_level(self) -> None:
        assert slot_counts(6, 1, more=1) == slot_counts(6, 2)

    def test_a_negative_bonus_still_leaves_one_slot_per_level(self) -> None:
        assert slot_counts(4, -2) == (1, 1, 1, 1, 1, 0, 0)

    @given(base=st.integers(0, 6), bonus=st.integers(-2, 4), more=st.integers(0, 2))
    def test_no_level_ever_has_more_slots_than_the_formula_gives(
        self, base: int, bonus: int, more: int
    ) -> None:
        counts = slot_counts(base, bonus, more)
        assert len(counts) == 7
        assert all(count <= max(bonus + 1 + more, 1) for count in counts)
        assert all(count == 0 for count in counts[base + 1 :])

    def test_a_change_of_slots_keeps_as_many_spent_as_possible(self) -> None:
        before = (Slot(level=1), Slot(level=1, is_spent=True), Slot(level=1), Slot(level=2, is_spent=True))
        after = fitted(before, (1, 2, 0, 0, 0, 0, 0))
        assert [(slot.level, slot.is_spent) for slot in after] == [(0, False), (1, True), (1, False)]


@pytest.mark.rule("RPJ-SMAG-05")
def test_a_magic_skill_with_its_own_slot_table_uses_the_table() -> None:
    table = ((0,) * 7, (3, 2, 1, 0, 0, 0, 0))
    assert slots_of(mage(1, slot_table=table)) == (3, 2, 1, 0, 0, 0, 0)
    assert slots_of(mage(5, slot_table=table)) == (3, 2, 1, 0, 0, 0, 0)


@pytest.mark.rule("RPJ-SMAG-03")
class TestActionsOfASpell:
    def test_casting_a_spell_takes_one_action_by_default(self) -> None:
        assert SPELLS["web"].actions == 1


@pytest.mark.rule("RPJ-SMAG-04")
class TestAtWill:
    def test_a_spell_in_a_slot_of_level_0_is_cast_at_will(self) -> None:
        held = put_in_slot(casting(0, 1), 0, SPELLS["light"], mage(1))
        assert usable_slots(held, SPELLS["light"], mage(1))[0] == 0

    def test_a_prepared_list_leaves_only_slots_of_level_0_to_fill(self) -> None:
        listing = mage(4, how="list", list_size=Formula(flat=1))

        assert put_in_slot(casting(0, 1), 0, SPELLS["light"], listing).slots[0].spell == "light"
        with pytest.raises(UserError, match="prepares spells on a list, not in slots"):
            put_in_slot(casting(0, 1), 1, SPELLS["dart"], listing)

    def test_a_spell_of_level_0_without_a_slot_of_its_own_takes_a_higher_slot(self) -> None:
        assert usable_slots(casting(0, 1), SPELLS["light"], mage(1)) == (1,)
        assert usable_slots(casting(0), SPELLS["light"], mage(1)) == ()


@pytest.mark.rule("RPJ-SMAG-09")
class TestInnateSlots:
    GLAMOUR = InnateGrant(count=2, level=1, allowed=("minor illusion",), stands_in=RpjAttribute.CHA)

    def test_a_trait_brings_innate_slots_for_the_spells_it_names(self) -> None:
        elf = with_innate(casting(1), [("elfish_glamour", self.GLAMOUR)])
        assert [slot.origin for slot in elf.slots] == ["", "elfish_glamour", "elfish_glamour"]
        assert innate_slots(elf, "elfish_glamour", self.GLAMOUR, SPELLS["mask"]) == (1, 2)
        assert innate_slots(elf, "elfish_glamour", self.GLAMOUR, SPELLS["dart"]) == ()

    def test_innate_slots_leave_with_their_trait_and_stay_spent_with_it(self) -> None:
        elf = with_innate(casting(), [("elfish_glamour", self.GLAMOUR)])
        used = elf.with_slot(0, elf.slots[0].model_copy(update={"is_spent": True}))
        assert spent(with_innate(used, [("elfish_glamour", self.GLAMOUR)])) == [1]
        assert with_innate(used, []).slots == ()

    def test_innate_magic_uses_an_attributes_level_and_bonus(self) -> None:
        stand_in = Mage(rules=MagicSkill(skill="refined"), name="Refined", base=4, bonus=1, is_innate=True)
        assert (stand_in.base, stand_in.effective) == (4, 1)
        assert hourly_recovery(stand_in.effective) == 3
        assert hourly_recovery(0) == 2
        assert [hourly_recovery(effective) for effective in (-1, -2, -3)] == [1, 0, 0]


@pytest.mark.rule("RPJ-SMAG-11")
class TestSlotPreparation:
    SKILL = mage(4, how="slot")

    def test_a_low_level_spell_fits_a_higher_slot_but_not_the_reverse(self) -> None:
        assert put_in_slot(casting(3), 0, SPELLS["dart"], self.SKILL).slots[0].spell == "dart"
        with pytest.raises(UserError, match="doesn't fit into a 2nd-level spell slot"):
            put_in_slot(casting(2), 0, SPELLS["storm"], self.SKILL)

    def test_a_prepared_slot_casts_only_the_spell_in_it(self) -> None:
        ready = put_in_slot(casting(2), 0, SPELLS["dart"], self.SKILL)
        assert (
            why_not(ready, SPELLS["web"], self.SKILL)
            == "It is not prepared in any slot (Primitive prepares slot by slot)."
        )


@pytest.mark.rule("RPJ-SMAG-12")
class TestListPreparation:
    SKILL = mage(4, how="list", list_size=Formula(flat=-1, base=1))

    def test_each_magic_skill_sets_the_size_of_its_prepared_list(self) -> None:
        assert list_size(self.SKILL, 0, 0) == 3
        assert list_size(self.SKILL, 4, -1) == 6
        assert list_size(mage(4, how="list", list_size=Formula(flat=-4, base=1)), 0, 0) == 0
        assert list_size(mage(4, 2, how="list", list_size=Formula(flat=1, effective=2)), 0, 0) == 13
        chosen = [SPELLS[name] for name in ("light", "dart", "web", "storm")]
        with pytest.raises(UserError, match="You can prepare 3 spells of Primitive, not 4"):
            put_on_list(casting(), chosen, self.SKILL, 3)
        assert put_on_list(casting(), chosen[:3], self.SKILL, 3).prepared == ("light", "dart", "web")

    def test_a_spell_on_the_prepared_list_can_use_any_slot_repeatedly(self) -> None:
        ready = put_on_list(casting(2, 3), [SPELLS["web"]], self.SKILL, 3)
        assert usable_slots(ready, SPELLS["web"], self.SKILL) == (0, 1)

    def test_a_spell_not_on_the_prepared_list_is_refused(self) -> None:
        assert (
            why_not(casting(2), SPELLS["web"], self.SKILL)
            == "It is not on your list of prepared Primitive spells."
        )

    def test_preparing_one_skills_list_keeps_the_lists_of_other_skills(self) -> None:
        ready = put_on_list(casting(), [SPELLS["web"]], self.SKILL, 3, others=("veil",))
        assert ready.prepared == ("veil", "web")


@pytest.mark.rule("RPJ-SMAG-13")
def test_without_preparation_every_known_spell_can_be_cast() -> None:
    assert usable_slots(casting(4), SPELLS["storm"], mage(4)) == (0,)
    with pytest.raises(UserError, match="needs no preparation"):
        put_in_slot(casting(4), 0, SPELLS["storm"], mage(4))


@pytest.mark.rule("RPJ-SMAG-14")
class TestFillingSlotsOfLevel0:
    def test_without_preparation_the_spell_in_a_slot_of_level_0_is_permanent(self) -> None:
        chosen = put_in_slot(casting(0), 0, SPELLS["light"], mage(1))
        with pytest.raises(UserError, match="The spell in this slot can't be changed"):
            put_in_slot(chosen, 0, SPELLS["light"], mage(1))

    def test_with_preparation_the_spell_in_a_slot_of_level_0_can_be_changed(self) -> None:
        skill = mage(1, how="slot")
        chosen = put_in_slot(casting(0), 0, SPELLS["light"], skill)
        assert put_in_slot(chosen, 0, SPELLS["light"], skill).slots[0].spell == "light"


@pytest.mark.rule("RPJ-SMAG-15")
class TestRecoveringSlots:
    def test_an_hour_restores_slot_levels_equal_to_2_plus_the_effective_level(self) -> None:
        assert hourly_recovery(mage(5, 1).effective) == 8
        assert hourly_recovery(1) == 3

    def test_the_highest_spent_slots_that_fit_are_restored_first(self) -> None:
        slots: tuple[Slot, ...] = tuple(
            Slot(level=level, is_spent=True) for level in (5, 4, 4, 3, 3, 2, 2, 1, 1)
        )
        hours = []
        while any(slot.is_spent for slot in slots):
            after = recovered(slots, 8)
            hours.append(
                [
                    old.level
                    for old, new in zip(slots, after, strict=True)
                    if old.is_spent and not new.is_spent
                ]
            )
            slots = after
        assert hours == [[5, 3], [4, 4], [3, 2, 2, 1], [1]]


@pytest.mark.rule("RPJ-SMAG-19")
class TestGoverningSkill:
    def test_the_magic_skill_with_the_highest_effective_level_governs(self) -> None:
        found = governing([mage(1, 1, "slot", "refined"), mage(6, 1)], 0)
        assert found is not None
        assert (found.name, slots_of(found)) == ("Primitive", slot_counts(6, 1))

    def test_of_equal_magic_skills_the_one_with_the_higher_base_governs(self) -> None:
        found = governing([mage(3, 2, "slot", "refined"), mage(4, 1)], 0)
        assert found is not None
        assert found.name == "Primitive"

    def test_an_untrained_magic_skill_never_governs(self) -> None:
        assert governing([mage(0, 3)], 0) is None


@pytest.mark.rule("RPJ-SMAG-20")
class TestMixedPreparation:
    PRIMITIVE, REFINED = mage(6), mage(1, how="slot", skill="refined")

    def test_a_prepared_slot_can_also_cast_spells_that_need_no_preparation(self) -> None:
        ready = put_in_slot(casting(1), 0, SPELLS["mask"], self.REFINED)
        assert usable_slots(ready, SPELLS["mask"], self.REFINED) == (0,)
        assert usable_slots(ready, SPELLS["dart"], self.PRIMITIVE) == (0,)

    def test_an_empty_slot_is_used_before_a_prepared_slot(self) -> None:
        ready = put_in_slot(casting(1, 1), 0, SPELLS["mask"], self.REFINED)
        assert usable_slots(ready, SPELLS["dart"], self.PRIMITIVE) == (1, 0)


@pytest.mark.rule("RPJ-SMAG-21")
def test_a_high_slot_cannot_lift_a_spell_above_its_own_skill() -> None:
    refined = mage(1, how="slot", skill="refined")
    with pytest.raises(UserError, match="Veil needs Refined 2; yours is 1"):
        put_in_slot(casting(4), 0, SPELLS["veil"], refined)
    assert put_in_slot(casting(4), 0, SPELLS["mask"], refined).slots[0].spell == "mask"


@pytest.mark.rule("RPJ-SMAG-23")
def test_the_sum_of_magic_skill_levels_is_capped_by_character_power() -> None:
    assert [most_magic(points) for points in (50, 69, 70)] == [5, 6, 7]


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
