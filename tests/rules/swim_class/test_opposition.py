"""Opposed rolls: pairing, defenses, their chances and what may fail."""

from fractions import Fraction
from itertools import permutations, product
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.swim_class.opposition import (
    AttackDie,
    DefenceDie,
    DefenceInputs,
    could_fail_attacking,
    could_fail_defending,
    defence_odds,
    judge_defence,
    pair_off,
    roll_defence,
)
from bot.rules.swim_class.pools import (
    DiceGroup,
    PoolDie,
    Source,
    SwimPoolInputs,
    SwimSide,
    attack_odds,
    hit_ways,
    roll_pool,
)
from bot.rules.swim_class.session import ODDS, SwimOddsQuestion, advance_chance, answer_odds
from tests.dice import ScriptedDice
from tests.rules.swim_class.play import GameTable, faced, lay_table, script, sheet, solo, words


def attack_dice(values: list[int]) -> list[AttackDie]:
    return [AttackDie(name="Melee", face=min(6, max(1, value)), value=value) for value in values]


def rolled(value: int) -> DefenceDie:
    return DefenceDie(value, PoolDie("Defence", Source.SKILL, min(6, max(1, value)), 0))


def paired(attack: list[int], defence: list[int]) -> tuple[list[tuple[int, int]], list[int]]:
    found = pair_off(attack_dice(attack), [rolled(value) for value in defence])
    return [(die.value, stopper.value) for die, stopper in found.pairs], [die.value for die in found.hits]


def defence(attack: list[int], count: int, modifier: int = 0, **more: Any) -> DefenceInputs:
    return DefenceInputs(
        skill="Defence",
        attack=tuple(attack_dice(attack)),
        aimed=more.pop("aimed", len(attack)),
        groups=(DiceGroup(name="Defence", count=count, modifier=modifier),) if count else (),
        implicit_modifier=modifier,
        **more,
    )


def fight(attack: int, defence_: int, **more: Any) -> GameTable:
    return lay_table(Ash=sheet({"basic_melee": attack}), Orc=sheet({"physical_defense": defence_}), **more)


@pytest.mark.rule("SWIM-OPP-01")
class TestOpposedTask:
    @pytest.mark.parametrize(
        ("attack", "against", "verdict"), [("5 4 1", "5 5 2 2", "no hit"), ("6 2", "3", "1 hit")]
    )
    def test_attack_dice_that_are_not_stopped_are_hits(self, attack: str, against: str, verdict: str) -> None:
        table = fight(len(attack.split()), len(against.split()))
        struck = table.do("Ash", "attack", attack, skill="basic melee", targets=("Orc",))

        assert words(struck) == f"{len(attack.split())} dice to stop"
        assert words(table.do("GM Orc", "defend", against, skill="physical defense")) == verdict

    def test_the_defense_buttons_belong_to_the_one_who_is_attacked(self) -> None:
        table = fight(2, 2)
        struck = table.do("Ash", "attack", "6 2", skill="basic melee", targets=("Orc",))

        assert [button.label for button in struck.follow_ups] == [
            "Orc: Physical Defense · ≈ 0.8 hits",
            "Orc: don't oppose",
            "Orc defends with …",
        ]
        done = table.press("GM Orc", struck.follow_ups[2], "5", choose="basic_melee")
        assert done.headline == "defends against Ash with Basic Melee"
        assert faced(done) == "5 stops 2 · through: 6"

    def test_a_character_who_was_not_attacked_has_nothing_to_oppose(self, table: GameTable) -> None:
        assert table.why("Ash", "defend") == "There is nothing for Ash to oppose."
        table.do("GM Orc", "attack", "6", skill="basic melee", targets=("Bram",))
        (key,) = table.scene.keys("contest")
        assert table.why("Ash", "defend", contest=key) == "There is nothing for Ash to oppose."


@pytest.mark.rule("SWIM-OPP-02")
class TestStopping:
    @pytest.mark.parametrize(
        ("attack", "against", "hits"),
        [([5], [5], []), ([5], [4], [5]), ([7], [6, 5, 4], [7]), ([1], [1], [])],
    )
    def test_a_defense_die_stops_one_attack_die_of_its_value_or_less(
        self, attack: list[int], against: list[int], hits: list[int]
    ) -> None:
        assert paired(attack, against)[1] == hits


@pytest.mark.rule("SWIM-OPP-03")
class TestPairing:
    @pytest.mark.parametrize(
        ("attack", "against", "pairs", "hits"),
        [
            ([7, 3], [6, 5, 4], [(3, 4)], [7]),
            ([7, 4, 3], [6, 2, 1], [(4, 6)], [7, 3]),
            ([7, 4, 4, 3], [8, 6, 5, 4], [(7, 8), (4, 4), (4, 5), (3, 6)], []),
            ([5, 4, 1], [5, 5, 2, 2], [(5, 5), (4, 5), (1, 2)], []),
            ([6, 5, 5], [3, 3, 3], [], [6, 5, 5]),
        ],
    )
    def test_defense_dice_are_paired_in_the_defenders_favour(
        self, attack: list[int], against: list[int], pairs: list[tuple[int, int]], hits: list[int]
    ) -> None:
        assert paired(attack, against) == (pairs, hits)

    @given(st.lists(st.integers(1, 8), max_size=4), st.lists(st.integers(1, 8), max_size=4))
    def test_no_other_pairing_stops_more_attack_dice(self, attack: list[int], against: list[int]) -> None:
        padded = [*against, *[0] * len(attack)]
        best = max(
            sum(stop >= die for die, stop in zip(attack, chosen, strict=False))
            for chosen in permutations(padded, len(attack))
        )

        assert len(paired(attack, against)[0]) == best

    def test_an_artifacts_die_is_stopped_before_an_equal_skill_die(self) -> None:
        skill, artifact = attack_dice([5])[0], AttackDie(name="x", source=Source.ARTIFACT, face=5, value=5)

        assert pair_off([skill, artifact], [rolled(5)]).hits == (skill,)


@pytest.mark.rule("SWIM-OPP-04")
class TestImplicitOnes:
    def test_implicit_1s_make_up_for_missing_defense_dice(self) -> None:
        inputs = defence([7, 4, 4, 3], 3, 3)
        roll = roll_defence(inputs, ScriptedDice(script("5 3 2")))

        assert (inputs.padding, roll.outcome) == (1, "all stopped")

    def test_implicit_1s_fill_up_a_smaller_defense(self) -> None:
        table = fight(3, 1)
        table.do("Ash", "attack", "6 3 1", skill="basic melee", targets=("Orc",))
        done = table.do("GM Orc", "defend", "4", skill="physical defense")

        assert faced(done) == "4 stops 3, (1) stops 1 · through: 6"

    def test_a_defender_without_dice_has_only_implicit_1s(self) -> None:
        table = lay_table(Ash=sheet({"basic_ranged": 2}, items=["Arrow"]), Orc=sheet({"physical_defense": 0}))
        done = table.do("Ash", "attack", "2 1", skill="basic ranged", targets=("Orc",), distance=4)

        assert words(done) == "no hit"


@pytest.mark.rule("SWIM-OPP-05")
class TestNotOpposing:
    def test_every_die_gets_through_when_the_target_does_not_oppose(self) -> None:
        table = fight(2, 3)
        struck = table.do("Ash", "attack", "1 1", skill="basic melee", targets=("Orc",))
        done = table.press("GM Orc", struck.follow_ups[1])

        assert done.headline == "doesn't oppose Ash"
        assert words(done) == "2 hits"

    def test_an_unaware_target_defends_with_implicit_1s_and_bonuses(self) -> None:
        table = lay_table(Ash=sheet({"basic_ranged": 2}, items=["Arrow"]))
        assert (
            table.why("Ash", "attack", skill="basic ranged", targets=("Orc",), unaware=True)
            == "Only a GM can make targets unaware."
        )
        done = table.do(
            "GM Ash", "attack", "5 2", skill="basic ranged", targets=("Orc",), distance=2, unaware=True
        )

        assert words(done) == "1 hit"
        assert "Orc can't defend: (2) stops 2 · 1 die gets through" in done.notes


class TestCounts:
    """F-SWIM-33: details of what hits nobody counted hits."""

    @pytest.mark.parametrize(
        ("procedure", "options", "attacked", "defended"),
        [
            ("attack", {"skill": "basic melee", "targets": ("Orc",)}, "1 hit", "2 hits"),
            ("stealth", {"observers": ("Orc",)}, "1 success", "2 successes get through"),
            ("grapple", {"target": "Orc"}, "1 success", "2 successes get through"),
        ],
    )
    def test_chances_count_what_gets_through_by_what_it_does(
        self, procedure: str, options: dict[str, Any], attacked: str, defended: str
    ) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2, "stealth": 2, "grapple": 2}))
        done = table.do("Ash", procedure, "6 5", **options)
        against = table.do("GM Orc", "defend", "2")

        for roll, needed in ((done.rolls[0], attacked), (against.rolls[0], "all stopped")):
            assert roll.odds is not None
            assert roll.odds.needed == needed
        assert against.rolls[0].verdict.title == defended
        assert against.rolls[0].outcome == defended


@pytest.mark.rule("SWIM-OPP-06")
class TestDifficultyAndOpposition:
    def test_dice_that_miss_the_difficulty_still_count_for_implicit_1s(self) -> None:
        inputs = defence([5, 2], 1, aimed=3)
        roll = roll_defence(inputs, ScriptedDice(script("3")))

        assert (inputs.padding, roll.outcome) == (2, "1 hit")

    def test_dice_below_the_difficulty_of_an_opposed_roll_are_struck_out(self) -> None:
        inputs = SwimPoolInputs(
            skill="Flight", groups=(DiceGroup(name="Flight", count=3),), difficulty=2, is_opposed=True
        )
        roll = roll_pool(inputs, ScriptedDice(script("5 2 1")))

        assert [die.is_kept for die in roll.dice] == [True, True, False]
        assert (roll.verdict.title, roll.against) == ("2 dice to stop", "2+ a die")


@pytest.mark.rule("SWIM-TASK-13")
class TestOpposedOdds:
    @pytest.mark.parametrize(
        ("question", "chances"),
        [
            ({"dice": 1, "defence": 1}, {"0 hits": "7/12", "1 hit": "5/12"}),
            ({"dice": 1, "defence": 1, "modifier": 1}, {"0 hits": "5/12", "1 hit": "7/12"}),
            ({"dice": 2, "defence": 1}, {"0 hits": "1/6", "1 hit": "125/216", "2 hits": "55/216"}),
            ({"dice": 1, "defence_modifier": 2}, {"0 hits": "1/2", "1 hit": "1/2"}),
            ({"dice": 1, "defence": 2}, {"0 hits": "161/216", "1 hit": "55/216"}),
            ({"dice": 2, "defence": 2}, {"0 hits": "581/1296", "1 hit": "35/81", "2 hits": "155/1296"}),
        ],
    )
    def test_the_chances_of_hits_are_exact(self, question: dict[str, int], chances: dict[str, str]) -> None:
        odds = answer_odds(SwimOddsQuestion.model_validate({"about": "hits", **question}))

        assert {name: chance.fraction for name, chance in odds.chances} == {
            name: Fraction(text) for name, text in chances.items()
        }

    @pytest.mark.parametrize(
        ("question", "chance"),
        [
            ({"dice": 2, "difficulty": 4}, "1/4"),
            ({"dice": 2, "difficulty": 2}, "1/4"),
            ({"dice": 2, "difficulty": 5}, "1/9"),
            ({"dice": 3, "difficulty": 6, "modifier": 1}, "1/27"),
            ({"dice": 3}, "0"),
            ({"dice": 2, "defence": 2}, "59/648"),
            ({"dice": 1, "defence": 1, "modifier": 9}, "0"),
            ({"dice": 1, "defence": 1, "defence_modifier": 9}, "0"),
            ({"dice": 1, "defence": 1, "difficulty": 5}, "1/4"),
            ({"dice": 1, "defence": 1, "push": 2}, "25/108"),
            ({"dice": 2, "artifact": 2, "difficulty": 4}, "1/4"),
            ({"dice": 1, "difficulty": 3, "push": 2}, "1/6"),
            ({"dice": 1, "difficulty": 6, "focus": 2}, "1/2"),
            ({"dice": 1, "difficulty": 1, "focus": 1}, "0"),
        ],
    )
    def test_the_chance_of_advancing_a_skill_is_exact(self, question: dict[str, int], chance: str) -> None:
        asked = SwimOddsQuestion.model_validate({"about": "advancement", **question})

        assert advance_chance(asked).fraction == Fraction(chance)
        assert answer_odds(asked).enough == Fraction(chance)

    def test_the_chance_of_enough_progress_is_exact(self) -> None:
        odds = ODDS.answer(SwimOddsQuestion(dice=3, difficulty=4, needed=2))

        assert odds.enough == Fraction(1, 2)
        assert ODDS.answer(SwimOddsQuestion(dice=4, difficulty=6, focus=2, needed=9)).enough is None

    def test_no_chance_is_given_for_more_hits_than_dice(self) -> None:
        assert answer_odds(SwimOddsQuestion(dice=1, defence=1, about="hits", needed=2)).enough is None

    @pytest.mark.parametrize(("attack", "against"), [(1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (2, 3)])
    @pytest.mark.parametrize("modifier", [-1, 0, 2])
    def test_counting_every_face_gives_the_odds_of_an_opposed_roll(
        self, attack: int, against: int, modifier: int
    ) -> None:
        padding = max(0, attack - against)
        found = dict.fromkeys(range(attack + 1), 0)
        for fell in product(range(1, 7), repeat=attack + against):
            stoppers = [*(face for face in fell[attack:]), *[1] * padding]
            found[len(paired([face + modifier for face in fell[:attack]], stoppers)[1])] += 1

        ways = hit_ways(SwimSide(((attack, modifier),)), SwimSide(((against, 0),), (1,) * padding))

        assert dict(ways.ways) == {hits: cases for hits, cases in found.items() if cases}

    @pytest.mark.parametrize("size", [3, 5])
    def test_the_odds_of_an_opposed_roll_agree_with_icepool(self, size: int) -> None:
        left = icepool.d6.pool(size).max_pair_drop("<=", icepool.d6.pool(size)).size()

        ways = hit_ways(SwimSide(((size, 0),)), SwimSide(((size, 0),)))

        assert {hits: ways.of and Fraction(cases, ways.of) for hits, cases in ways.ways.items()} == {
            hits: Fraction(int(left.quantity(hits)), int(left.denominator())) for hits in left.outcomes()
        }

    def test_the_chances_of_12_dice_against_12_add_up_to_1(self) -> None:
        odds = answer_odds(SwimOddsQuestion(dice=12, defence=12, about="hits"))

        assert sum(chance.fraction for _, chance in odds.chances) == 1

    def test_a_defense_shows_its_chance_against_the_attack_dice_as_rolled(self) -> None:
        odds = defence_odds(defence([6, 2], 1))

        assert {name: chance.fraction for name, chance in odds.chances} == {
            "2 hits": Fraction(1, 6),
            "1 hit": Fraction(5, 6),
            "all stopped": Fraction(0),
        }

    def test_an_attack_shows_its_chance_against_the_targets_defense(self) -> None:
        struck = fight(1, 1).do("Ash", "attack", "6", skill="basic melee", targets=("Orc",))

        odds = struck.rolls[0].odds
        assert odds is not None
        assert odds.enough == Fraction(5, 12)

    def test_no_chance_is_shown_where_several_may_oppose(self) -> None:
        inputs = SwimPoolInputs(skill="x", groups=(DiceGroup(name="x", count=2),), is_opposed=True)

        assert attack_odds(inputs).chances == ()


@pytest.mark.rule("SWIM-POOL-10")
class TestPushedOpposition:
    def test_a_pushed_attack_doubles_the_opposing_dice_and_the_hits(self) -> None:
        table = fight(3, 2)
        table.do("Ash", "attack", "6 5 3", skill="basic melee", targets=("Orc",), push=2)
        done = table.do("GM Orc", "defend", "5 4 2 1", skill="physical defense")

        assert words(done) == "2 hits"
        assert faced(done) == "5 stops 5, 4 stops 3 · through: 6"

    def test_implicit_1s_against_a_pushed_attack_are_counted_after_doubling(self) -> None:
        table = fight(3, 1)
        table.do("Ash", "attack", "6 5 3", skill="basic melee", targets=("Orc",), push=2)
        done = table.do("GM Orc", "defend", "5 4", skill="physical defense")

        assert words(done) == "2 hits"

    def test_an_attack_pushed_three_times_triples_the_opposing_dice_and_the_hits(self) -> None:
        table = fight(1, 2)
        struck = table.do("Ash", "attack", "6", skill="basic melee", targets=("Orc",), push=3)

        assert struck.follow_ups[2].choices[0].label == "Physical Defense, 6 dice"
        assert words(table.do("GM Orc", "defend", "5 4 2 1 1 1", skill="physical defense")) == "3 hits"


def test_hits_between_known_dice_are_counted_and_climb_cannot_attack(table: GameTable) -> None:
    assert dict(hit_ways(SwimSide(fixed=(5, 3)), SwimSide(fixed=(4,))).ways) == {1: 1}
    assert solo().why("Ash", "attack", skill="climb", targets=("Orc",)) == ("You can't attack with Climb.")


@pytest.mark.rule("SWIM-OPP-03", "SWIM-OPP-06", "SWIM-TASK-13")
@pytest.mark.parametrize("modifier", [-7, -3, 4])
@pytest.mark.parametrize("against", [-6, -2, 0, 3])
@pytest.mark.parametrize("difficulty", [None, 1, 3])
@pytest.mark.parametrize(("known", "stoppers"), [((), ()), ((5, -4), (2,))])
def test_far_modifiers_and_difficulties_are_counted_face_by_face(
    modifier: int, against: int, difficulty: int | None, known: tuple[int, ...], stoppers: tuple[int, ...]
) -> None:
    found: dict[int, int] = {}
    for one, two, three in product(range(1, 7), repeat=3):
        values = [*(value for value in (one + modifier, two + modifier)), *known]
        aimed = [value for value in values if difficulty is None or value >= difficulty]
        hits = len(paired(aimed, [three + against, *stoppers])[1])
        found[hits] = found.get(hits, 0) + 1
    reached = tuple(value for value in known if difficulty is None or value >= difficulty)

    ways = hit_ways(SwimSide(((2, modifier),), reached), SwimSide(((1, against),), stoppers), difficulty)
    assert dict(ways.ways) == dict(sorted(found.items()))


@pytest.mark.rule("SWIM-TASK-08", "SWIM-OPP-01")
@pytest.mark.parametrize(
    ("attack", "faces", "cancels", "criticals", "hits"),
    [
        ([6, 6], [1, 1, 1], 0, 2, 2),
        ([6, 6], [1, 1, 1], 1, 1, 2),
        ([6, 6], [1, 1, 1], 5, 0, 2),
        ([6, 6], [2, 3, 1], 0, 0, 2),
        ([6, 1], [1, 1, 1], 0, 0, 1),
        ([], [1, 1, 1], 0, 0, 0),
    ],
)
def test_only_a_defense_that_stops_nothing_has_criticals(
    attack: list[int], faces: list[int], cancels: int, criticals: int, hits: int
) -> None:
    stopped = judge_defence(defence(attack, 3, cancels=cancels, factor=2), faces)

    assert (stopped.criticals, stopped.hits) == (criticals, 2 * hits)


def test_a_defense_against_dice_that_all_missed_opposes_nothing() -> None:
    done = roll_defence(defence([], 1, aimed=2), ScriptedDice("d6:1"))

    assert (done.against, done.outcome) == ("nothing", "all stopped")
    assert roll_defence(defence([3, 5], 1), ScriptedDice("d6:1")).against == "5 · 3"


@pytest.mark.rule("SWIM-ADV-02")
@pytest.mark.parametrize(
    ("attack", "against", "has_dice", "difficulty", "attacker", "defender"),
    [
        (0, 0, True, 1, True, True),
        (5, 0, True, 1, True, True),
        (6, 0, True, 1, False, True),
        (0, 0, False, 1, True, True),
        (1, 0, False, 1, False, True),
        (1, 1, False, 1, True, True),
        (4, 0, False, 6, True, True),
        (4, 0, False, 5, False, True),
        (0, 4, True, 1, True, True),
        (0, 5, True, 1, True, False),
        (-1, 4, True, 1, True, False),
    ],
)
def test_an_advance_needs_a_roll_that_could_have_failed(
    attack: int, against: int, has_dice: bool, difficulty: int, attacker: bool, defender: bool
) -> None:
    could = could_fail_attacking(
        attack_modifier=attack, defence_modifier=against, has_dice=has_dice, difficulty=difficulty
    )

    assert could is attacker
    assert could_fail_defending(attack_modifier=attack, defence_modifier=against) is defender
