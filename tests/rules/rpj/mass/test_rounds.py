"""Rounds of a battle at the table: rolls, morale, exits, the wounded, and a fight beside it."""

import pytest

from bot.rules.rpj.mass.battle import RpjStatus
from tests.rules.rpj.mass.battles import button, field, kept, labels_of, markers, modifiers, seen, title
from tests.rules.rpj.table import d6, labels, others, rpj_table


class TestBattleRounds:
    @pytest.mark.rule("RPJ-MASS-12", "RPJ-MASS-13", "RPJ-MASS-04", "RPJ-MASS-05")
    def test_degrees_cost_markers_and_the_next_round_starts_without_modifiers(self) -> None:
        table = field(60, 60)
        rolled = table.do("GM", "mass.round", d6("5 4 1 2 4 4"))
        assert rolled.notes == ("Markers: Heroes 10 → 10; Rebels 10 → 8, morale holds.",)
        assert [
            (roll.roller.name, roll.purpose, roll.total, roll.against) for roll in rolled.rolls if roll.roller
        ] == [
            ("Heroes", "battle", 9, "7+"),
            ("Rebels", "battle", 3, "7+"),
            ("Rebels", "morale", 8, "5+"),
        ]
        assert (title(rolled), rolled.gathering) == ("round 2 starts", kept(table).key)
        assert modifiers(table) == [2, -2]

    @pytest.mark.rule("RPJ-MASS-12")
    def test_criticals_in_battle_rolls_count_whatever_the_modifier(self) -> None:
        table = field(7, 60)
        rolled = table.do("GM", "mass.round", d6("6 6 1 1 5 5"))
        assert rolled.notes == ("Markers: Heroes 2 → 2; Rebels 10 → 9, morale holds.",)

    @pytest.mark.rule("RPJ-MASS-13", "RPJ-MASS-15", "RPJ-MASS-16")
    def test_a_side_that_fails_morale_is_routed_and_loses_one_more_marker(self) -> None:
        table = field()
        ended = table.do("GM", "mass.round", d6("6 5 1 1 1 2"))
        assert ended.notes == ("Markers: Heroes 7 → 7, victorious; Rebels 10 → 8, morale fails, routed.",)
        assert [side.status for side in kept(table).battle.sides] == [RpjStatus.VICTORIOUS, RpjStatus.ROUTED]
        assert (title(ended), others(ended)) == ("victory for Heroes", ["Roll for the wounded (GM)"])

    @pytest.mark.rule("RPJ-MASS-14")
    def test_a_retreating_side_takes_its_losses_and_leaves_without_morale(self) -> None:
        table = field(60, 60)
        table.do("GM", "mass.retreat", side="Heroes")
        assert "retreats at the end" in seen(table).lines[0]
        ended = table.do("GM", "mass.round", d6("6 4"))
        assert ended.notes == ("Markers: Heroes 10 → 7, retreated; Rebels 10 → 10, victorious.",)

    @pytest.mark.rule("RPJ-MASS-14", "RPJ-MASS-16")
    def test_nobody_rolls_or_wins_when_both_sides_retreat(self) -> None:
        table = field()
        for side in ("Heroes", "Rebels"):
            table.do("GM", "mass.retreat", side=side)
        ended = table.do("GM", "mass.round")
        assert (ended.rolls, title(ended)) == ((), "nobody wins")

    @pytest.mark.rule("RPJ-MASS-14")
    def test_a_retreat_can_be_called_off(self) -> None:
        table = field()
        table.do("GM", "mass.retreat", side="Heroes")
        assert table.do("GM", "mass.retreat", side="Heroes").headline == "orders Heroes to stay"

    @pytest.mark.rule("RPJ-MASS-16")
    def test_both_sides_lose_when_both_are_wiped_out(self) -> None:
        table = field(60, 60)
        for side in ("Heroes", "Rebels"):
            table.do("GM", "mass.kills", side=side, count=54)
        ended = table.do("GM", "mass.round", d6("6 4 6 4"))
        assert title(ended) == "both lose"

    @pytest.mark.rule("RPJ-MASS-04")
    def test_a_battle_round_is_rolled_only_once(self) -> None:
        table = field(60, 60)
        first = button(seen(table), "Roll round 1")
        table.press("GM", first, d6("1 2 1 2"))
        refused = table.refused("GM", first.procedure, **first.options.model_dump())
        assert refused.what == "That round is already over."

    @pytest.mark.rule("RPJ-MASS-04")
    def test_the_battle_board_has_buttons_for_what_is_left_to_do(self) -> None:
        table = field()
        assert labels_of(seen(table)) == [
            "Command Heroes with …",
            "Fight for Heroes with …",
            "Roll round 1 (GM)",
        ]
        table.do("Ug", "mass.command", d6("4 3"), skill="Command")
        view = seen(table)
        assert [part.who for part in view.parts] == ["Ug"]
        assert labels_of(view) == ["Fight for Heroes with …", "Roll round 1 (GM)"]


class TestAftermath:
    @pytest.mark.rule("RPJ-MASS-17", "RPJ-MASS-18")
    def test_the_books_example_of_an_aftermath_comes_out_right(self) -> None:
        table = field(60, 60)
        table.do("GM", "mass.kills", side="Rebels", count=6)
        ended = table.do("GM", "mass.round", d6("1 2 1 2 1 2"))
        assert ended.notes == ("Markers: Heroes 10 → 10, victorious; Rebels 9 → 8, morale fails, routed.",)
        counted = table.press("GM", ended.follow_ups[0], d6("3 2 6 5"))
        assert counted.notes[1] == (
            "Rebels, routed: 2 markers lost, 1 for good; 6 dead, lost or captured, 6 wounded."
        )
        assert (
            table.refused("GM", "mass.aftermath").what
            == "The wounded of this battle have already been rolled."
        )

    @pytest.mark.rule("RPJ-MASS-17")
    def test_a_battle_still_going_on_has_no_aftermath(self) -> None:
        assert field().refused("GM", "mass.aftermath").what == "The battle isn't over yet."

    @pytest.mark.rule("RPJ-MASS-16")
    def test_the_gm_can_end_a_battle_by_command(self) -> None:
        table = field()
        table.do("GM", "mass.end")
        assert "There is no battle" in table.refused("GM", "mass.show").what


class TestBattleBesideAFight:
    @pytest.mark.rule("RPJ-MASS-08")
    def test_single_kills_add_up_to_a_lost_marker(self) -> None:
        table = field(60, 40)
        told = [table.do("GM", "mass.kills", side="Rebels", count=count).notes for count in (5, 1, 5, 6)]
        assert told == [
            (),
            ("Rebels: markers 7 → 6.",),
            ("Rebels: markers 6 → 5.",),
            ("Rebels: markers 5 → 4.",),
        ]

    @pytest.mark.rule("RPJ-MASS-19", "RPJ-MASS-08")
    def test_a_battle_round_is_offered_after_the_fights_round_and_counts_its_fallen(self) -> None:
        table = rpj_table(mass_combat=True)
        table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
        table.do("GM", "fight.mooks", name="Goblin", count=6, attack=3, defense=7, damage=1)
        sides = {"own": "Us", "own_people": 60, "enemy": "Them", "enemy_people": 60}
        table.do("GM", "mass.start", **sides, mode="integrated", officers=True, playable=True)
        order = tuple(table.ids[name] for name in ("Laeniel", "Ug", "Ogre"))
        table.do("GM", "encounter.order", characters=order)
        table.do("GM", "encounter.next")
        refused = table.refused("Laeniel", "mass.contribute", skill="Archery")
        assert refused.what == "You take turns in the fight, so you can't contribute to the battle too."
        for who in ("Laeniel", "Ug", "GM"):
            table.do(who, "encounter.next")
        after = table.do("GM", "encounter.next")
        assert "Roll round 1, after the fight's (GM)" in labels(after)

    @pytest.mark.rule("RPJ-MASS-08", "RPJ-MASS-19")
    def test_mooks_that_fall_in_the_fight_count_once_in_the_battle(self) -> None:
        table = rpj_table(mass_combat=True)
        table.change("Laeniel", belongings=("bow",))
        table.do("Laeniel", "encounter.start", others=("Ogre",))
        table.do("GM", "fight.mooks", name="Goblin", count=2, attack=3, defense=7, damage=1, region="2")
        sides = {"own": "Us", "own_people": 60, "enemy": "Them", "enemy_people": 60}
        table.do("GM", "mass.start", **sides, mode="integrated", officers=True, playable=True)
        order = tuple(table.ids[name] for name in ("Laeniel", "Ogre"))
        table.do("GM", "encounter.order", characters=order)
        table.do("GM", "encounter.next")
        for _ in range(2):
            table.do("Laeniel", "fight.attack", d6("5 5"), target="Goblin")
        assert markers(table) == [10, 10]
        table.do("GM", "mass.round", d6("1 2 1 2"))
        assert (kept(table).felled, kept(table).battle.sides[1].kills) == ((0, 2), 2)
        table.do("GM", "mass.round", d6("1 2 1 2"))
        assert kept(table).battle.sides[1].kills == 2
