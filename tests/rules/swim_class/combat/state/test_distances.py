"""How far away somebody is: as it was said, as the fight remembers it, or asked."""

import pytest

from bot.rules.kernel import FollowUp
from bot.rules.swim_class.acts import choices
from tests.rules.swim_class.play import GameTable, faced, lay_table, sheet, words


def shooting(**ranks: int) -> GameTable:
    """Ash with a bow against the Orc, in a fight, Ash first."""
    table = lay_table(
        Ash=sheet({"finesse": 3, "basic_ranged": 2, **ranks}, items=["Common Bow", "Knife"]),
        Orc=sheet({"physical_defense": 2}),
    )
    table.do("GM", "give", target="Ash", item="Arrow", quantity=20)
    table.do("Ash", "encounter.start", others=("Orc",))
    table.do("GM", "encounter.next", "6 6 6 1")
    return table


def next_round(table: GameTable) -> None:
    table.do("GM", "encounter.next")
    table.do("GM", "encounter.next")


def board_attack(table: GameTable, skill: str) -> FollowUp:
    return next(one for one in choices(table.scene) if one.label.startswith(f"Attack: {skill}"))


@pytest.mark.rule("SWIM-AREA-03", "SWIM-SKILL-13")
class TestDistance:
    """F-SWIM-05"""

    def test_a_ranged_attack_from_the_board_asks_for_the_distance(self) -> None:
        table = shooting()
        asked = table.press("Ash", board_attack(table, "Basic Ranged"), choose="4")

        assert asked.headline == "aims at Orc (Basic Ranged): how far away?"
        assert (asked.rolls, table.sheet("Ash").items[2].quantity) == ((), 20)
        menu = asked.follow_ups[0]
        assert menu.label == "How far away is Orc?"
        assert [(one.value, one.label, one.note) for one in menu.choices[:6]] == [
            ("1", "1 square", "+0 to each defense die · 77%"),
            ("2", "2 squares", "+1 to each defense die · 55%"),
            ("3", "3 squares", "+1 to each defense die · 55%"),
            ("4", "4 squares", "+2 to each defense die · 35%"),
            ("5", "5 squares", "+2 to each defense die · 35%"),
            ("6", "6 squares", "+3 to each defense die · 18%"),
        ]

    def test_the_distance_given_for_an_attack_counts_and_is_shown(self) -> None:
        table = shooting()
        asked = table.press("Ash", board_attack(table, "Basic Ranged"), choose="4")
        done = table.press("Ash", asked.follow_ups[0], "6 4", choose="6")

        assert done.headline == "attacks Orc at 6 squares (Basic Ranged 2)"
        assert faced(table.do("GM Orc", "defend", "3 1")) == "6 stops 5 · through: 7"
        assert table.sheet("Ash").items[2].quantity == 19

    def test_the_fight_remembers_a_distance_and_the_board_shows_the_distance(self) -> None:
        table = shooting()
        table.do("Ash", "attack", "6 4", skill="basic ranged", targets=("Orc",), distance=6)
        next_round(table)

        menu = board_attack(table, "Throw")
        assert [one.note for one in menu.choices] == ["6 squares away"]
        done = table.press("Ash", menu, "6", choose="4")
        assert done.headline == "attacks Orc at 6 squares (Throw 1)"

    def test_a_remembered_distance_holds_in_both_directions(self) -> None:
        table = shooting()
        table.do("Ash", "attack", "6 4", skill="basic ranged", targets=("Orc",), distance=6)

        assert table.refused("GM Orc", "attack", skill="basic melee", targets=("Ash",)) == (
            "Ash is 6 squares away."
        )

    def test_a_remembered_distance_is_forgotten_when_a_fighter_moves(self) -> None:
        table = shooting(walk=2)
        table.do("Ash", "attack", "6", skill="basic ranged", targets=("Orc",), distance=6, half=True)
        table.do("Ash", "move", half=True)
        next_round(table)

        asked = table.do("Ash", "attack", skill="throw", targets=("Orc",))
        assert asked.headline == "aims at Orc (Throw): how far away?"

    def test_a_melee_attack_sets_the_distance_to_1_square(self) -> None:
        table = shooting()
        table.do("Ash", "attack", "3", skill="basic melee", targets=("Orc",))
        next_round(table)

        done = table.do("Ash", "attack", "3", skill="throw", targets=("Orc",))
        assert done.headline == "attacks Orc at 1 square (Throw 1)"

    def test_an_attack_on_several_targets_needs_the_distance_of_each_target(self) -> None:
        table = shooting()
        table.do("GM", "encounter.add", "2", characters=("Beast",))
        table.do("Ash", "attack", "6 4", skill="basic ranged", targets=("Orc",), distance=6)
        shot = {"skill": "basic ranged", "targets": ("Orc", "Beast"), "shares": "1,1"}
        table.do("GM", "encounter.next")
        next_round(table)
        assert table.refused("Ash", "attack", **shot) == "How far away are they: Beast?"

        table.do("Ash", "attack", "6 4", skill="basic ranged", targets=("Beast",), distance=2)
        table.do("GM", "encounter.next")
        next_round(table)
        done = table.do("Ash", "attack", "6 4", **shot)
        assert done.headline == "attacks Orc at 6 squares, Beast at 2 squares (Basic Ranged 2)"

    def test_an_attack_that_is_not_allowed_is_refused_before_the_distance_is_asked(self) -> None:
        table = shooting()
        table.do("GM", "encounter.next")

        assert table.refused("Ash", "attack", skill="basic ranged", targets=("Orc",)) == (
            "It is Orc's turn, not Ash's."
        )


@pytest.mark.rule("SWIM-MAGIC-05", "SWIM-MAGIC-14", "SWIM-MAGIC-18")
class TestDistanceOfPowers:
    """F-SWIM-05: powers are cast from the distance that is known as well."""

    def test_a_power_asks_for_the_distance_and_shows_the_distance(self) -> None:
        table = lay_table(Ash=sheet({"death": 2}), Orc=sheet({"physical_defense": 1}))
        asked = table.do("Ash", "cast", spell="stun", targets=("Orc",))
        assert asked.headline == "aims at Orc (Stun): how far away?"

        done = table.press("Ash", asked.follow_ups[0], "6 5", choose="3")
        assert done.headline == "casts Stun at Orc at 3 squares (Death 2)"

    def test_healing_in_a_fight_shows_the_chance_at_each_distance(self) -> None:
        table = lay_table(Ash=sheet({"finesse": 2, "life": 2}))
        table.set("Bram", "physical_wounds", 1)
        table.do("Ash", "encounter.start", others=("Bram",))
        table.do("GM", "encounter.next", "6 6 1")
        asked = table.do("Ash", "cast", spell="heal", targets=("Bram",))

        assert [one.note for one in asked.follow_ups[0].choices[:3]] == [
            "difficulty 4 · 75%",
            "difficulty 5 · 56%",
            "difficulty 6 · 31%",
        ]
        done = table.press("Ash", asked.follow_ups[0], "4 1", choose="1")
        assert done.headline == "casts Healing on Bram at 1 square"
        assert words(done) == "1 healed"

    def test_healing_outside_a_fight_is_cast_at_1_square(self) -> None:
        table = lay_table(Ash=sheet({"life": 2}))
        table.set("Bram", "physical_wounds", 1)

        assert table.do("Ash", "cast", "4 1", spell="heal", targets=("Bram",)).headline == (
            "casts Healing on Bram at 1 square"
        )

    @pytest.mark.parametrize(
        ("options", "what"),
        [
            ({"spell": "stun", "targets": ("Orc",), "area": 2}, "Stun has no option “area”."),
            ({"spell": "blaze", "line": 2, "distance": 3}, "Blaze has no option “distance”."),
            ({"spell": "light", "targets": ("Orc",)}, "Light has no option “targets”."),
            ({"spell": "heal", "targets": ("Orc", "Bram")}, "Healing has only one target."),
            ({"spell": "fly", "targets": ("Orc", "Bram")}, "Flight has only one target."),
        ],
    )
    def test_an_option_the_power_does_not_have_is_refused(
        self, options: dict[str, object], what: str
    ) -> None:
        table = lay_table(Ash=sheet({"death": 2, "fire": 2, "life": 2, "wind": 2}))

        assert table.refused("Ash", "cast", **options) == what
