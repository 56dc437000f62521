"""Attacks, damage, being down, recovering, turns."""

import pytest

from tests.rules.swim_class.play import GameTable, faced, id_of, lay_table, sheet, solo, words


def duel(attacker: dict[str, int], defender: dict[str, int], **items: list[str]) -> GameTable:
    return lay_table(
        Ash=sheet(attacker, items=items.get("ash", [])), Orc=sheet(defender, items=items.get("orc", []))
    )


def strike(table: GameTable, faces: str, against: str, skill: str = "physical defense") -> str:
    table.do("Ash", "attack", faces, skill="basic melee", targets=("Orc",))
    return words(table.do("GM Orc", "defend", against, skill=skill))


@pytest.mark.rule("SWIM-COMB-01")
class TestAttack:
    def test_the_orc_of_the_books_example_attacks_harro_with_a_club(self) -> None:
        table = duel({"basic_melee": 2}, {"basic_melee": 3}, ash=["Club"], orc=["Great Sword"])
        struck = table.do("Ash", "attack", "5 1", skill="basic melee", targets=("Orc",))
        done = table.do("GM Orc", "defend", "5 4 3", skill="basic melee")

        assert [die.shown for die in struck.rolls[0].dice] == ["⚄→7", "⚀→3"]
        assert [die.shown for die in done.rolls[0].dice] == ["⚄→6", "⚃→5", "⚂→4"]
        assert words(done) == "1 hit"

    def test_harro_of_the_books_example_strikes_back_with_2_hits(self) -> None:
        table = duel({"basic_melee": 3}, {"physical_defense": 3}, ash=["Great Sword"])

        assert strike(table, "5 2 1", "6 2 1") == "2 hits"

    @pytest.mark.parametrize(
        ("rank", "faces", "squares", "against", "hits"),
        [(3, "5 4 4", 2, "2 2 2", "3 hits"), (4, "6 3 3 2", 6, "5 3 2", "no hit")],
    )
    def test_aerolis_of_the_books_example_hits_near_and_misses_far(
        self, rank: int, faces: str, squares: int, against: str, hits: str
    ) -> None:
        table = duel({"basic_ranged": rank}, {"physical_defense": 3}, ash=["Common Bow", "Arrow"])
        table.do("Ash", "attack", faces, skill="basic ranged", targets=("Orc",), distance=squares)

        assert words(table.do("GM Orc", "defend", against)) == hits

    def test_circumstance_modifiers_count_for_attack_and_defense(self) -> None:
        table = duel({"basic_melee": 1}, {"physical_defense": 1})
        table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",), modifier=1)

        assert words(table.do("GM Orc", "defend", "4", skill="physical defense", modifier=1)) == "no hit"

    def test_a_fighter_cannot_attack_themselves_or_the_dead(self) -> None:
        table = lay_table(Orc=sheet(is_dead=True))
        assert table.refused("Ash", "attack", skill="basic melee", targets=("Ash",)) == (
            "You can't target yourself."
        )
        assert table.refused("Ash", "attack", skill="basic melee", targets=("Orc",)) == "Orc is dead."


@pytest.mark.rule("SWIM-COMB-02")
class TestDividedAttack:
    def test_each_share_of_a_divided_attack_is_opposed_separately(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 3}))
        table.do("Ash", "attack", "6 2 5", skill="basic melee", targets=("Orc", "Beast"), shares="2, 1")

        first = table.do("GM Orc", "defend", "4", skill="physical defense")
        second = table.do("GM Beast", "defend", "5", skill="physical defense")
        assert (words(first), words(second)) == ("1 hit", "no hit")
        assert faced(first) == "4 stops 2 · through: 6"

    def test_a_divided_attack_cannot_use_more_dice_than_the_attacker_has(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 3}))
        two = {"skill": "basic melee", "targets": ("Orc", "Beast")}
        assert table.refused("Ash", "attack", **two, shares="2,2") == "You have 3 dice to divide."
        assert table.refused("Ash", "attack", **two, shares="2") == "Divide your dice among the targets."
        assert table.refused("Ash", "attack", **two, shares="x,1") == "“x” isn't a number of dice."
        assert table.refused("Ash", "attack", skill="basic melee", targets=("Orc", "Orc"), shares="1,1") == (
            "Choose each target only once."
        )

    def test_a_share_of_0_dice_attacks_nobody(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2}))
        done = table.do("Ash", "attack", "6 2", skill="basic melee", targets=("Orc", "Beast"), shares="2,0")

        assert "Beast can oppose." not in done.notes

    def test_natural_1s_of_the_shares_that_failed_are_added_up(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 4}))
        table.do("Ash", "attack", "1 2 1 3", skill="basic melee", targets=("Orc", "Beast"), shares="2,2")
        table.do("GM Orc", "defend", "6", skill="physical defense")
        done = table.do("GM Beast", "defend", "6", skill="physical defense")

        assert words(done) == "no hit"
        assert "Ash rolled 2 natural 1s: first ignored, 1 critical (1 damage)." in done.notes


@pytest.mark.rule("SWIM-COMB-03")
class TestDefenses:
    def test_a_melee_attack_offers_dodging_and_parrying(self) -> None:
        table = duel({}, {"basic_melee:axe": 2}, orc=["Great Sword"])
        done = table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))

        menu = next(button for button in done.follow_ups if button.choices)
        assert {choice.value for choice in menu.choices} == {
            "physical_defense",
            "basic_melee",
            "basic_melee:axe",
        }

    def test_the_defender_may_choose_the_implement_to_parry_with(self) -> None:
        table = duel({}, {}, orc=["Great Sword", "Medium Shield"])
        table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))
        done = table.do("GM Orc", "defend", "2", skill="basic melee", implement="great sword")

        assert done.rolls[0].dice[0].shown == "⚁→3"

    def test_throw_cannot_defend(self) -> None:
        table = duel({}, {})
        table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))

        assert table.refused("GM Orc", "defend", skill="throw") == "Throw can't defend."

    def test_the_counter_skills_of_a_grapple_replace_the_defense_skill(self) -> None:
        table = duel({}, {})
        done = table.do("Ash", "grapple", "4", target="Orc")

        menu = next(button for button in done.follow_ups if button.choices)
        assert {choice.value for choice in menu.choices} == {"brawn", "grapple"}

    def test_the_gm_may_let_any_fitting_skill_defend(self) -> None:
        table = lay_table(Ash=sheet({"wind": 2}), Bram=sheet({"swim": 2}))
        table.do("Ash", "cast", "4 2", spell="blow", targets=("Bram",), area=1)
        assert table.refused("Bram", "defend", skill="swim") == "Swim can't defend against this."
        done = table.do("GM Bram", "defend", "3 2", skill="swim")

        assert words(done) == "not pushed"

    def test_a_fighter_defends_as_often_as_attacked(self) -> None:
        table = duel({"basic_melee": 1}, {"physical_defense": 2})
        assert [strike(table, "2", "3 3"), strike(table, "2", "3 3")] == ["no hit", "no hit"]


@pytest.mark.rule("SWIM-COMB-04")
class TestWeaponClasses:
    def test_each_class_of_weapon_is_used_with_its_own_skill(self) -> None:
        table = solo({"throw": 1}, items=["Knife", "Common Bow", "Arrow"])
        for skill in ("basic melee", "throw"):
            table.do("Ash", "attack", "4", skill=skill, targets=("Orc",), distance=1, implement="Knife")
            table.give("Ash", items=sheet(items=["Knife", "Common Bow", "Arrow"]).items)

        assert (
            table.refused("Ash", "attack", skill="basic melee", targets=("Orc",), implement="common bow")
            == "You can't use Common Bow with Basic Melee."
        )
        assert table.refused("Ash", "attack", skill="basic melee", targets=("Orc",), implement="axe") == (
            "You have no “axe”."
        )


def test_character_ids_at_the_test_table_follow_the_names() -> None:
    assert id_of("Orc") == 4
