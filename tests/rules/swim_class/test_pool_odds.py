"""How pools are told, and their exact chances."""

from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.swim_class.pools import (
    BankedDie,
    DiceGroup,
    Source,
    SwimPoolInputs,
    SwimSide,
    attack_odds,
    attack_sides,
    best_progress,
    effort,
    hit_ways,
    judge,
    pool_odds,
    pool_verdict,
    progress_words,
    roll_pool,
    scoring_ways,
)
from tests.dice import ScriptedDice
from tests.rules.swim_class.play import lay_table, pool, script, sheet, solo, words


@pytest.mark.rule("SWIM-TASK-10")
class TestDiceDisplay:
    def test_artifact_dice_are_marked_apart_from_skill_dice(self) -> None:
        table = solo({"wind": 2}, items=["Stave of Hermes"])
        roll = table.do("Ash", "roll", "5 4 6", skill="air", difficulty=4).rolls[0]

        assert [(die.shown, die.label) for die in roll.dice] == [
            ("⚄", "Wind"),
            ("⚃", "Wind"),
            ("✦⚅", "Stave of Hermes"),
        ]

    def test_dice_of_an_added_skill_are_marked(self) -> None:
        roll = (
            solo({"jump": 2, "walk": 2}).do("Ash", "roll", "5 4 6", skill="jump", add="walk", push=2).rolls[0]
        )

        assert [die.shown for die in roll.dice] == ["⚄", "⚃", "＋⚅"]


@pytest.mark.rule("SWIM-TASK-11")
class TestSecretRoll:
    def test_a_roll_the_gm_makes_for_a_player_still_advances_the_skill(self) -> None:
        table = solo({"spot": 2})
        done = table.do("GM Ash", "roll", "6 3", skill="spot", difficulty=6)

        assert words(done) == "1 progress"
        table.do("GM Ash", "roll", "6 6", skill="spot", difficulty=6)
        assert table.rank("Ash", "spot") == 3


@pytest.mark.rule("SWIM-TASK-12")
class TestCombinedOptions:
    def test_half_a_pool_of_5_pushed_twice_makes_4_progress(self) -> None:
        done = solo({"walk": 5}).do("Ash", "roll", "5 2", skill="walk", half=True, push=2)

        assert words(done) == "4 progress"
        assert done.headline == "rolls Walk / Run 5 (half action, pushed ×2)"
        assert done.rolls[0].against == "2+ a die"

    def test_a_strained_half_action_rolls_half_of_the_doubled_dice(self) -> None:
        table = solo({"walk": 4})
        done = table.do("Ash", "roll", "5 2 1 1", skill="walk", half=True, strain=True, push=2)

        assert len(done.rolls[0].dice) == 4
        assert table.rank("Ash", "walk") == 3

    @pytest.mark.parametrize(
        ("options", "what"),
        [
            ({"strain": True, "windup": 2}, "You can't combine or wind up a strained skill."),
            ({"push": 2, "focus": 1}, "You can push or focus a roll, not both."),
        ],
    )
    def test_options_that_exclude_each_other_are_refused(self, options: dict[str, Any], what: str) -> None:
        assert solo({"walk": 4}).why("Ash", "roll", skill="walk", difficulty=3, **options) == what


@pytest.mark.rule("SWIM-TASK-13")
class TestOdds:
    @pytest.mark.parametrize(
        ("count", "difficulty", "modifier", "needed", "chance"),
        [
            (3, 4, 0, 1, "7/8"),
            (3, 4, 0, 2, "1/2"),
            (2, 6, 0, 1, "11/36"),
            (2, 6, 1, 1, "5/9"),
        ],
    )
    def test_the_chance_of_scoring_with_enough_dice_is_exact(
        self, count: int, difficulty: int, modifier: int, needed: int, chance: str
    ) -> None:
        odds = pool_odds(pool(count, difficulty, modifier, needed=needed, at_once=True))

        assert odds.enough == Fraction(chance)

    def test_the_chance_of_a_pushed_jump_is_exact(self) -> None:
        odds = pool_odds(pool(3, 2, needed=5, at_once=True, quarters=8))

        assert odds.enough == Fraction(125, 216)

    @pytest.mark.parametrize("difficulty", [2, 4, 6])
    @pytest.mark.parametrize("quarters", [1, 2, 4, 8])
    @pytest.mark.parametrize("more", [{}, {"needed": 2, "at_once": True}, {"needed": 3, "done": 5}])
    def test_counting_every_face_gives_the_odds_of_a_pool(
        self, difficulty: int, quarters: int, more: dict[str, Any]
    ) -> None:
        inputs = SwimPoolInputs(
            skill="x",
            groups=(DiceGroup(name="x", count=2), DiceGroup(name="y", count=1, modifier=1)),
            difficulty=difficulty,
            quarters=quarters,
            **more,
        )
        found: dict[str, int] = {}
        for fell in product(range(1, 7), repeat=3):
            roll = roll_pool(inputs, ScriptedDice(script(" ".join(map(str, fell)))))
            assert roll.outcome is not None
            found[roll.outcome] = found.get(roll.outcome, 0) + 1

        assert {name: chance.ways for name, chance in pool_odds(inputs).chances if chance.ways} == found

    @pytest.mark.parametrize("modifier", [-2, 0, 3])
    def test_the_odds_of_a_pool_agree_with_icepool(self, modifier: int) -> None:
        die = (icepool.d6 + modifier) >= 5
        counts = icepool.Die({0: die.quantity(False), 1: die.quantity(True)})

        expected = [int((7 @ counts).quantity(n)) for n in range(8)]

        total = sum(expected)
        assert [Fraction(ways, 6**7) for ways in scoring_ways([(7, modifier)], 5)] == [
            Fraction(ways, total) for ways in expected
        ]

    @given(st.lists(st.integers(1, 6), min_size=1, max_size=12), st.integers(1, 8), st.integers(-3, 4))
    def test_progress_lies_between_0_and_the_number_of_dice(
        self, fell: list[int], difficulty: int, modifier: int
    ) -> None:
        judged = judge(pool(len(fell), difficulty, modifier), fell)

        assert 0 <= judged.progress <= len(fell)
        assert judged.criticals <= max(0, fell.count(1) - 1)
        assert not (judged.has_succeeded and judged.criticals)


def test_quarters_of_progress_are_shown_as_fractions() -> None:
    assert [progress_words(quarters) for quarters in (0, 1, 2, 7)] == [
        "0 progress",
        "¼ progress",
        "½ progress",
        "1¾ progress",
    ]


BANKED = tuple(BankedDie(name="Climb", source=Source.SKILL, face=face, modifier=1) for face in (2, 3, 6))


@pytest.mark.rule("SWIM-TASK-02", "SWIM-TASK-06", "SWIM-POOL-02")
@pytest.mark.parametrize(("difficulty", "scoring"), [(3, 3), (4, 2), (5, 1), (7, 1), (8, 0)])
def test_banked_dice_score_as_they_fell_and_automatic_ones_always(difficulty: int, scoring: int) -> None:
    inputs = pool(2, difficulty, banked=BANKED, is_automatic=True)

    assert judge(inputs, ()).quarters == 4 * (2 + scoring)
    assert best_progress(inputs) == 4 * (2 + scoring)
    rolled = pool(1, difficulty, banked=BANKED)
    assert judge(rolled, [6]).quarters == 4 * (scoring + (difficulty <= 6))
    assert best_progress(rolled) == 4 * (scoring + (difficulty <= 6))
    assert pool_odds(rolled).chances[0][0] == {0: "0 dice score", 1: "1 die scores"}.get(
        scoring, f"{scoring} dice score"
    )


@pytest.mark.rule("SWIM-OPP-03")
@pytest.mark.parametrize(
    ("difficulty", "foe_dice", "fixed", "implicit"),
    [(4, 1, (4, 7), 4), (7, 4, (7,), 1), (8, 5, (), 0), (4, 6, (4, 7), 0), (4, None, (4, 7), 5)],
)
def test_each_attack_die_meets_a_defense_die_or_an_implicit_1(
    difficulty: int, foe_dice: int | None, fixed: tuple[int, ...], implicit: int
) -> None:
    """Three of the five attack dice were banked, and came to 3, 4 and 7."""
    attack, defense = attack_sides(pool(2, difficulty, banked=BANKED, foe_dice=foe_dice, foe_modifier=2))

    assert (attack.groups, attack.fixed) == (((2, 0),), fixed)
    assert defense.groups == (((foe_dice, 2),) if foe_dice else ())
    assert defense.fixed == (3,) * implicit


@pytest.mark.rule("SWIM-TASK-03", "SWIM-TASK-04", "SWIM-TASK-08", "SWIM-IMPL-02")
@pytest.mark.parametrize(
    ("faces", "more", "quarters", "succeeded", "done", "criticals"),
    [
        ([1, 1, 3], {}, 0, False, False, 1),
        ([1, 1, 4], {}, 4, True, False, 0),
        ([1, 1, 1], {"first_counts": True}, 0, False, False, 3),
        ([1, 1, 1], {"cancels": 1}, 0, False, False, 1),
        ([1, 1, 1], {"cancels": 9}, 0, False, False, 0),
        ([1, 1, 4], {"needed": 2, "at_once": True}, 4, False, False, 1),
        ([1, 4, 4], {"needed": 2, "at_once": True}, 8, True, True, 0),
        ([1, 1, 4], {"needed": 3}, 4, True, False, 0),
        ([1, 1, 4], {"needed": 3, "unfinished_fails": True}, 4, False, False, 1),
        ([1, 1, 4], {"needed": 3, "unfinished_fails": True, "done": 8}, 4, True, True, 0),
        ([4, 4, 4], {"needed": 2, "quarters": 2}, 6, True, False, 0),
        ([4, 4, 4], {"needed": 2, "quarters": 2, "done": 2}, 6, True, True, 0),
        ([4, 4, 4], {"needed": 2, "quarters": 2, "done": 9, "at_once": True}, 6, False, False, 0),
    ],
)
def test_a_pool_is_judged_by_what_it_scores(
    faces: list[int], more: dict[str, Any], quarters: int, succeeded: bool, done: bool, criticals: int
) -> None:
    judged = judge(pool(3, 4, **more), faces)

    assert (judged.quarters, judged.has_succeeded, judged.is_done) == (quarters, succeeded, done)
    assert judged.criticals == criticals
    assert judged.ones == faces.count(1)


@pytest.mark.rule("SWIM-SYN-05", "SWIM-SYN-06")
@pytest.mark.parametrize(
    ("parent", "special", "difficulty", "modifier", "rolled"),
    [
        (3, 2, 6, 0, "Craft (wood)"),
        (3, 2, 6, 2, "Craft"),
        (3, 2, 4, 0, "Craft"),
        (3, 2, 9, 2, "Craft (wood)"),
        (4, 3, 5, 0, "Craft (wood)"),
        (4, 2, 6, 0, "Craft (wood)"),
        (5, 2, 6, 0, "Craft"),
        (2, 0, 6, 0, "Craft"),
    ],
)
def test_whichever_scores_more_on_average_is_rolled(
    parent: int, special: int, difficulty: int, modifier: int, rolled: str
) -> None:
    table = solo({"craft": parent, "craft:wood": special})
    options = {"difficulty": difficulty, "modifier": modifier, "anyway": True}
    dice = special if rolled.endswith(")") else parent
    done = table.do("Ash", "roll", " ".join("1" * dice), skill="craft:wood", **options)

    assert done.headline == f"rolls {rolled} {dice}"


@pytest.mark.rule("SWIM-POOL-01", "SWIM-POOL-04", "SWIM-RACE-03", "SWIM-RACE-06")
@pytest.mark.parametrize(
    ("skill", "bram", "each"),
    [
        ("swim", {"ranks": {"swim": 3}}, 0),
        ("swim", {"ranks": {"swim": 3}, "traits": {"fins": 2}}, 2),
        ("walk", {"ranks": {"walk": 3}, "traits": {"fins": 2}}, -2),
        ("dark_vision", {"ranks": {"dark_vision": 3}}, 1),
        ("basic_melee", {"ranks": {"basic_melee": 3}, "items": ("Great Sword",)}, 0),
        ("craft", {"ranks": {"craft": 3}, "items": ("Hammer",)}, 0),
    ],
)
def test_each_lent_die_keeps_its_owners_modifier(skill: str, bram: dict[str, Any], each: int) -> None:
    table = lay_table(
        Ash=sheet({skill: 3}), Bram=sheet(bram["ranks"], **{k: v for k, v in bram.items() if k != "ranks"})
    )
    table.do("Bram", "aid", target="Ash", skill=skill)
    roll = table.do("Ash", "roll", "1 1 1 1 1", skill=skill, difficulty=9, anyway=True).rolls[0]
    own, lent = roll.inputs.model_dump()["groups"]

    assert (lent["count"], lent["modifier"]) == (2, each)
    assert (own["count"], own["modifier"]) == (3, 1 if skill == "dark_vision" else 0)


@pytest.mark.rule("SWIM-POOL-01", "SWIM-RACE-06")
def test_each_added_skill_has_its_own_trait_and_the_roll_its_circumstances() -> None:
    table = solo({"jump": 3, "walk": 3, "swim": 3, "dark_vision": 3}, traits={"fins": 2})
    options = {"skill": "jump", "modifier": 1, "difficulty": 9, "anyway": True}
    found = {
        add: table.do("Ash", "roll", "1 1 1 1 1", add=add, **options).rolls[0].inputs.model_dump()["groups"]
        for add in ("walk", "swim", "dark vision")
    }

    assert {add: [one["modifier"] for one in groups] for add, groups in found.items()} == {
        "walk": [1, -1],
        "swim": [1, 3],
        "dark vision": [1, 2],
    }


@pytest.mark.rule("SWIM-POOL-09", "SWIM-POOL-11", "SWIM-TASK-03")
def test_a_roll_out_of_reach_shows_what_pushing_and_focusing_are_worth() -> None:
    asked = solo({"jump": 1}).do("Ash", "roll", skill="jump", difficulty=7, progress=1, once=True)

    assert [one.label for one in asked.follow_ups] == ["Roll anyway"]
    asked = solo({"jump": 1}).do("Ash", "roll", skill="jump", difficulty=2, progress=2, once=True)
    assert [one.label for one in asked.follow_ups] == ["Push ×2 · 50%", "Push ×3 · 17%", "Roll anyway"]


@pytest.mark.rule("SWIM-ADV-07", "SWIM-SYN-01", "SWIM-SYN-04")
def test_growth_lists_the_skills_on_the_sheet_and_what_their_next_rank_pulls() -> None:
    table = solo({"spot": 3, "swim": 1, "tracking": 0})
    table.do("Ash", "roll", "6 6 6", skill="spot", difficulty=6)

    assert table.do("Ash", "growth").notes[:-1] == (
        "Spot 4 · earned 1 rank · the next rank pulls Mental Defense 2 → 3, Tracking 2 → 3",
        "Mental Defense 2",
        "Tracking 2",
        "Swim 1",
    )


@pytest.mark.parametrize(
    ("attack", "defence", "told"),
    [
        ((), ((2, 0),), 0),
        (((1, 0),), (), 2),
        (((3, 0),), (), 12),
        (((3, 0),), ((2, 0),), 36),
        (((2, 0), (1, 1)), ((1, 0), (4, 2)), 180),
    ],
)
def test_the_effort_of_a_chance_grows_with_the_dice_of_both_sides(
    attack: tuple[tuple[int, int], ...], defence: tuple[tuple[int, int], ...], told: int
) -> None:
    assert effort(SwimSide(attack), SwimSide(defence)) == told


@pytest.mark.rule("SWIM-TASK-13")
def test_no_dice_at_all_let_nothing_through() -> None:
    assert dict(hit_ways(SwimSide(), SwimSide()).ways) == {0: 1}
    assert dict(hit_ways(SwimSide(), SwimSide(((1, 0),), (1,))).ways) == {0: 6}
    assert dict(hit_ways(SwimSide(fixed=(3,)), SwimSide()).ways) == {1: 1}
    assert dict(hit_ways(SwimSide(fixed=(3,)), SwimSide(), 4).ways) == {0: 1}


@pytest.mark.rule("SWIM-TASK-13")
@pytest.mark.parametrize(("dice", "is_told"), [(16, True), (17, False)])
def test_the_chance_of_an_attack_is_told_where_it_is_counted_in_time(dice: int, is_told: bool) -> None:
    table = lay_table(Ash=sheet({"basic_melee": dice}), Orc=sheet({"physical_defense": dice}))
    done = table.do("Ash", "attack", " ".join("5" * dice), skill="basic melee", targets=("Orc",))

    assert (done.rolls[0].odds is not None) is is_told


@pytest.mark.rule("SWIM-TASK-13", "SWIM-AREA-01")
@pytest.mark.parametrize(
    ("dice", "told"), [(5, "+1 to each defense die · 37%"), (6, "+1 to each defense die")]
)
def test_the_chances_of_a_whole_menu_are_told_for_fewer_dice(dice: int, told: str) -> None:
    table = lay_table(Ash=sheet({"death": dice}), Orc=sheet({"physical_defense": dice}))
    asked = table.do("Ash", "cast", spell="stun", targets=("Orc",))

    assert asked.follow_ups[0].choices[0].note == told


@pytest.mark.rule("SWIM-TASK-02", "SWIM-TASK-03", "SWIM-TASK-04", "SWIM-TASK-06", "SWIM-POOL-11")
@pytest.mark.parametrize(
    ("inputs", "faces", "told"),
    [
        ({}, [3, 3], "0 progress"),
        ({}, [4, 3], "1 progress"),
        ({"quarters": 2}, [4, 3], "½ progress"),
        ({"quarters": 2}, [4, 4], "1 progress"),
        ({"needed": 1, "at_once": True}, [3, 3], "fails, 0 progress of 1"),
        ({"needed": 1, "at_once": True, "quarters": 2}, [4, 3], "fails, ½ progress of 1"),
        ({"needed": 1, "at_once": True, "quarters": 2}, [4, 4], "success, 1 progress of 1"),
        ({"needed": 2, "at_once": True}, [4, 3], "fails, 1 progress of 2"),
        ({"needed": 2, "at_once": True}, [4, 4], "success, 2 progress of 2"),
        ({"needed": 3}, [3, 3], "0 of 3"),
        ({"needed": 3, "done": 4}, [3, 3], "1 of 3"),
        ({"needed": 3, "done": 4}, [4, 3], "2 of 3"),
        ({"needed": 3, "done": 4}, [4, 4], "done, 3 of 3"),
        ({"needed": 3, "done": 10, "quarters": 1}, [4, 3], "2¾ of 3"),
        ({"needed": 3, "done": 11, "quarters": 1}, [4, 3], "done, 3 of 3"),
    ],
)
def test_a_pool_says_what_it_scored_and_what_is_needed(
    inputs: dict[str, Any], faces: list[int], told: str
) -> None:
    made = pool(2, 4, **inputs)

    assert pool_verdict(made, judge(made, faces)).title == told


@pytest.mark.rule("SWIM-TASK-13", "SWIM-POOL-10")
@pytest.mark.parametrize(
    ("inputs", "told", "enough"),
    [
        ({"foe_dice": None}, [], None),
        ({"foe_dice": 0}, ["0 hits", "1 hit"], "1 hit"),
        ({"foe_dice": 0, "die_hits": 2}, ["0 hits", "2 hits"], "2 hits"),
        ({"foe_dice": 1, "counts": "squares"}, ["0 squares", "1 square"], "1 square"),
        ({"foe_dice": 1, "needed": 1}, ["0 hits", "1 hit"], "1 hit"),
        ({"foe_dice": 1, "needed": 2}, ["0 hits", "1 hit"], None),
        ({"foe_dice": 1, "needed": 2, "foe_groups": (DiceGroup(name="D", count=1),)},
         ["0 hits", "1 hit", "2 hits"], "2 hits"),
        ({"foe_dice": 1, "foe_modifier": 9, "foe_groups": (DiceGroup(name="D", count=1, modifier=9),)},
         ["0 hits", "1 hit"], "1 hit"),
    ],
)  # fmt: skip
def test_what_the_chances_of_an_attack_name(
    inputs: dict[str, Any], told: list[str], enough: str | None
) -> None:
    odds = attack_odds(pool(1, 1, is_opposed=True, **inputs))

    assert ([name for name, _chance in odds.chances], odds.needed) == (told, enough)


@pytest.mark.rule("SWIM-OPP-06", "SWIM-TASK-07")
@pytest.mark.parametrize(
    ("opposed", "difficulty", "kept", "against"),
    [
        (True, 1, [True, True], ""),
        (True, 2, [True, False], "2+ a die"),
        (False, 1, [True, True], "1+ a die"),
        (False, 4, [False, False], "4+ a die"),
    ],
)
def test_which_dice_of_a_pool_are_struck_out(
    opposed: bool, difficulty: int, kept: list[bool], against: str
) -> None:
    roll = roll_pool(pool(2, difficulty, is_opposed=opposed), ScriptedDice(script("3 1")))

    assert ([die.is_kept for die in roll.dice], roll.against) == (kept, against)
