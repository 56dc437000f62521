"""Which defense is the best, what its button says, and that it is taken where nobody chooses."""

from fractions import Fraction

import pytest

from bot.rules.kernel import FollowUp, Outcome
from bot.rules.swim_class.opposition import chance_of_hits, expected_hits
from bot.rules.swim_class.pools import DiceGroup, attack_ways
from bot.rules.swim_class.sheet import Reserve, ReserveKind, States
from tests.rules.swim_class.play import GameTable, faced, lay_table, sheet
from tests.rules.swim_class.resolution.test_opposition import defence


def struck(faces: str, ranks: dict[str, int], **more: object) -> tuple[GameTable, Outcome]:
    """Ash attacks the Orc with a Great Sword, which adds 2 to each face."""
    table = lay_table(Ash=sheet({"basic_melee": 4}, items=["Great Sword"]), Orc=sheet(ranks))
    return table, table.do("Ash", "attack", faces, skill="basic melee", targets=("Orc",), **more)


def first(outcome: Outcome) -> FollowUp:
    return outcome.follow_ups[0]


@pytest.mark.rule("SWIM-OPP-05", "SWIM-COMB-03")
class TestBestDefense:
    """F-SWIM-02"""

    @pytest.mark.parametrize(
        ("faces", "rank", "label"),
        [
            ("6 1 1 6", 5, "Orc: Basic Melee · 2.0 hits expected"),  # 8 3 3 8
            ("6 3 4 2", 4, "Orc: Basic Melee · 2.2 hits expected"),  # 8 5 6 4
            ("5 4 3 1", 4, "Orc: Basic Melee · 2.0 hits expected"),  # 7 6 5 3
        ],
    )
    def test_the_best_defense_lets_the_fewest_hits_through_even_if_none_stops_all(
        self, faces: str, rank: int, label: str
    ) -> None:
        table, done = struck(faces, {"physical_defense": 1, "basic_melee": rank})

        assert first(done).label == label
        defended = table.do("GM Orc", "defend", "1 " * rank)
        assert defended.headline == "defends against Ash with Basic Melee"

    def test_the_defense_menu_shows_the_hits_expected_of_each_skill(self) -> None:
        _, done = struck("6 1 1 6", {"physical_defense": 1, "basic_melee": 5})

        menu = next(one for one in done.follow_ups if one.choices)
        assert [(one.label, one.note) for one in menu.choices] == [
            ("Basic Melee, 5 dice", "2.0 hits expected · stops all 0%"),
            ("Physical Defense, 1 die", "3.3 hits expected · stops all 0%"),
        ]

    def test_the_number_of_hits_expected_is_exact(self) -> None:
        assert expected_hits(defence([4], 1)) == Fraction(1, 2)
        assert expected_hits(defence([4], 1, factor=2)) == 1
        assert chance_of_hits(defence([4, 4], 2), 2) == Fraction(1, 4)

    def test_against_hiding_the_skill_most_likely_to_notice_is_the_best_defense(self) -> None:
        table = lay_table(
            Ash=sheet({"stealth": 3}), Orc=sheet({"spot": 3, "mental_defense": 1}), Bram=sheet({"spot": 1})
        )
        done = table.do("Ash", "stealth", "5 5 5", observers=("Orc",))

        assert first(done).label == "Orc: Spot · stops it 4%"

    def test_a_strained_defense_uses_the_best_skill_that_can_be_strained(self) -> None:
        table, _ = struck("1 1 1 1", {"physical_defense": 1, "basic_melee": 2})

        done = table.do("GM Orc", "defend", "6 6 6 6", strain=True)
        assert done.headline == "defends against Ash with Basic Melee"
        assert table.rank("Orc", "basic_melee") == 1

    def test_straining_a_defense_is_refused_where_no_skill_can_be_strained(self) -> None:
        table, _ = struck("1 1 1 1", {"physical_defense": 1})

        assert table.refused("GM Orc", "defend", strain=True) == "None of these skills can be strained."

    def test_the_best_defense_takes_circumstances_into_account(self) -> None:
        table, _ = struck("6 1 1 6", {"physical_defense": 4, "basic_melee": 4})

        done = table.do("GM Orc", "defend", "1 1 1 1", modifier=9)
        assert done.headline == "defends against Ash with Physical Defense"
        assert faced(done) == "10 stops 8, 10 stops 8, 10 stops 3, 10 stops 3"


@pytest.mark.rule("SWIM-TASK-13")
class TestChanceOfAnAttack:
    """F-SWIM-02: the chance beforehand is the one against the best defense."""

    def test_the_chance_of_an_attack_is_that_against_the_best_defense(self) -> None:
        _, done = struck("6 1 1 6", {"physical_defense": 1, "basic_melee": 5})

        inputs = done.rolls[0].inputs
        assert inputs.model_dump(include={"foe_dice", "foe_modifier"}) == {"foe_dice": 5, "foe_modifier": 0}

    def test_the_chance_of_an_attack_counts_reserve_dice_with_their_own_modifier(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 1}), Orc=sheet({"physical_defense": 3, "brawn": 2}))
        table.give("Orc", states=States(reserve=Reserve(skill="brawn", kind=ReserveKind.DEFENCE)))
        table.give("Orc", traits=sheet(traits={"large": 1}).traits)
        done = table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))

        groups = done.rolls[0].inputs.foe_groups  # type: ignore[attr-defined]
        assert groups == (
            DiceGroup(name="Physical Defense", count=3, modifier=-1),
            DiceGroup(name="Brawn", source="added", count=1, modifier=1),
        )

    def test_the_chance_of_a_pushed_attack_counts_each_die_as_often_as_pushed(self) -> None:
        _, done = struck("6 1 1 6", {"physical_defense": 2, "basic_melee": 0}, push=2)

        assert [name for name, _ in done.rolls[0].odds.chances] == [  # type: ignore[union-attr]
            "0 hits",
            "2 hits",
            "4 hits",
            "6 hits",
            "8 hits",
        ]

    def test_no_chance_of_an_attack_is_shown_where_counting_takes_too_long(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 40}), Orc=sheet({"physical_defense": 40}))
        done = table.do("Ash", "attack", "3 " * 40, skill="basic melee", targets=("Orc",))

        assert done.rolls[0].odds is None

    def test_the_chance_of_an_attack_counts_dice_of_the_same_modifier_together(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2}), Orc=sheet({"physical_defense": 2}))
        done = table.do("Ash", "attack", "4 4", skill="basic melee", targets=("Orc",))

        assert attack_ways(done.rolls[0].inputs).ways == {0: 581, 1: 560, 2: 155}


@pytest.mark.rule("SWIM-COMB-13")
class TestReserve:
    def test_a_reserve_is_kept_when_it_adds_nothing_to_the_defense(self) -> None:
        table, _ = struck("1 1 1 1", {"physical_defense": 2, "basic_melee": 2})
        table.give("Orc", states=States(reserve=Reserve(skill="basic_melee", kind=ReserveKind.DEFENCE)))
        table.do("GM Orc", "defend", "6 6", skill="basic melee")

        assert table.sheet("Orc").states.reserve is not None

    def test_a_reserved_specialisation_brings_its_bonus(self) -> None:
        table = lay_table(Orc=sheet({"physical_defense": 1, "basic_melee": 2, "basic_melee:club": 2}))
        table.give("Orc", states=States(reserve=Reserve(skill="basic_melee:club", kind=ReserveKind.DEFENCE)))
        table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))
        done = table.do("GM Orc", "defend", "1 4", skill="physical defense")

        assert [die.shown for die in done.rolls[0].dice] == ["⚀", "＋⚃→5"]


@pytest.mark.rule("SWIM-OPP-05")
class TestUnansweredDefense:
    """F-SWIM-10"""

    def test_the_best_defense_is_used_after_the_campaigns_waiting_time(self) -> None:
        _, done = struck("6 1 1 6", {"physical_defense": 1, "basic_melee": 5})

        assert [one.after_seconds for one in done.follow_ups] == [60, None, None]
        assert done.follow_ups[0].window is not None  # it is pressed although play goes on

    def test_the_campaign_may_wait_for_a_defense_without_limit(self) -> None:
        table = lay_table()
        table.settings(defense_seconds=0)
        done = table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))

        assert first(done).after_seconds is None
