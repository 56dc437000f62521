"""What always holds, whatever is played."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.amounts import door_word, survival
from bot.rules.compare_roll.creation import creation_problems
from bot.rules.compare_roll.sheet import CompareSettings, CompareSheet, CostSuffix, OpponentAttack
from bot.rules.compare_roll.tables import Stat
from bot.rules.compare_roll.two_d12s import (
    CompareInputs,
    CompareOutcome,
    Lying,
    boosts,
    chances,
    compare_odds,
    read,
)
from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError
from tests.rules.compare_roll.play import NAMES, GameTable, foe, lay_table, sheet

WEAPONS = (
    {"name": "Pistol", "shots": 2},
    {"name": "Flame Thrower", "shots": 1},
    {"name": "Shotgun", "shots": 2},
)
ITEMS = ({"name": "Stim", "count": 3}, {"name": "Grenade", "count": 2}, {"name": "Heavy Armor"})
SKILLS = {"Technical/Mechanics": 3, "Acrobatics/Dodging": 2}
EVERYBODY = (*NAMES, "Ogre")
MOVES: st.SearchStrategy[tuple[str, dict[str, Any]]] = st.sampled_from(
    [
        ("check", {"skill": "Stealth"}),
        ("luck", {"burn": 1}),
        ("burn", {"count": 1}),
        ("burn", {"count": 3}),
        ("take", {}),
        ("calm", {"count": 1}),
        *(
            ("attack", {"targets": (target,), "weapon": weapon})
            for target in EVERYBODY
            for weapon in ("", "Pistol", "Flame Thrower", "Grenade")
        ),
        ("defend", {}),
        ("counter", {}),
        ("skip", {}),
        ("reload", {}),
        ("move", {"spaces": 2}),
        ("cover", {"cover": "half"}),
        ("done", {}),
        ("use", {}),
        ("equip", {"armour": "Heavy Armor"}),
        ("equip", {}),
        ("rest", {"hours": 2}),
        ("deathsdoor", {}),
        ("blaze", {}),
    ]
)
GM_MOVES: st.SearchStrategy[tuple[str, dict[str, Any]]] = st.sampled_from(
    [
        ("encounter.start", {"others": EVERYBODY}),
        ("encounter.next", {}),
        ("encounter.end", {}),
        ("fate", {"target": "Ash", "stress": 2}),
        ("fate", {"target": "Ash", "high": 2}),
        ("set_stat", {"target": "Ash", "stat": "AGI", "score": 3}),
    ]
)


class DrawnDice:
    """Dice whose faces Hypothesis chooses."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def roll(self, sides: int) -> int:
        return self._data.draw(st.integers(1, sides))


def laid(data: st.DataObject) -> GameTable:
    """A table at which much can happen at once."""
    armed = foe(hp=9).changed(weapons=sheet(weapons=WEAPONS).weapons)
    table = lay_table(
        **{name: sheet(None, SKILLS, weapons=WEAPONS, items=ITEMS, ft_lost=9) for name in NAMES}, Ogre=armed
    )
    for name in NAMES:
        table.set(name, hp=6, high=3, stress=1, ammunition=1)
    table.settings(
        opponent_attack=data.draw(st.sampled_from(OpponentAttack)),
        cost_suffix=data.draw(st.sampled_from(CostSuffix)),
    )
    return table


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_whatever_is_played_every_number_stays_within_its_limits(data: st.DataObject) -> None:
    table, dice = laid(data), DrawnDice(data)
    for _ in range(data.draw(st.integers(0, 25))):
        is_gms = data.draw(st.integers(0, 3)) == 0
        procedure, options = data.draw(GM_MOVES if is_gms else MOVES)
        name = data.draw(st.sampled_from(EVERYBODY))
        who = "GM" if is_gms else f"GM {name}" if name == "Ogre" else name
        before = table.scene
        try:
            table.play(who, procedure, options, dice)
        except UserError:
            assert table.scene is before
    RULESET.end_session(table.scene, list(table.scene.characters), list(table.scene.documents))


@settings(deadline=None)
@given(st.integers(-30, 30), st.integers(0, 20), st.one_of(st.none(), st.sampled_from(CompareOutcome)))
def test_the_chances_of_every_roll_add_up_to_1(
    modifier: int, difficulty: int, forced: CompareOutcome | None
) -> None:
    terms = (NamedTerm(label="all", value=modifier),)
    odds = compare_odds(CompareInputs(terms=terms, difficulty=difficulty, forced=forced))

    assert sum(chance.fraction for _, chance in odds.chances) == 1
    assert [name for name, _ in odds.chances] == list(CompareOutcome)


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 21), min_size=6, max_size=6),
    st.lists(st.sampled_from(("Balance", "Reflexes", "Stamina", "Endurance")), max_size=4, unique=True),
    st.lists(st.integers(0, 6), min_size=4, max_size=4),
    st.sampled_from(("points", "rolled")),
    st.sampled_from(("", "Physical: Juggling 2", "Physical: balance 1", "nonsense")),
)
def test_a_draft_without_problems_makes_a_legal_sheet(
    scores: list[int], names: list[str], levels: list[int], method: str, own: str
) -> None:
    draft: dict[str, Any] = {"method": (method,), "in_Physical": tuple(names), "own_1": (own,)}
    draft |= {stat.value: (str(score),) for stat, score in zip(Stat, scores, strict=True)}
    draft |= {f"Physical/{name}": (str(level),) for name, level in zip(names, levels, strict=False)}

    if not creation_problems(draft, CompareSettings()):
        made = RULESET.creation.build(draft, CompareSettings())
        assert isinstance(made, CompareSheet)
        assert RULESET.sheet_problems(made) == ()
        assert made.skill_points + sum(one.level for one in (*made.skills, *made.customs)) == 16


@pytest.mark.rule("CMP-ROLL-01", "CMP-ROLL-03")
@pytest.mark.parametrize(
    ("modifier", "difficulty"), [(-20, 2), (-3, 0), (0, 0), (0, 2), (5, 4), (3, 20), (20, 0), (30, 2)]
)
def test_the_chances_count_every_way_in_which_four_dice_fall(modifier: int, difficulty: int) -> None:
    found = dict.fromkeys(CompareOutcome, 0)
    for one, other in product(range(1, 7), repeat=2):
        for low, high in product(range(1, 13), repeat=2):
            found[read(Lying(d6=(one, other), d12=(low, high)), modifier, difficulty).outcome] += 1

    assert chances(modifier, difficulty) == found


@pytest.mark.rule("CMP-HIGH-02")
@pytest.mark.parametrize("d6", list(product(range(1, 7), repeat=2)), ids=str)
def test_high_raises_dice_to_each_better_outcome_with_the_fewest_points(d6: tuple[int, int]) -> None:
    inputs = CompareInputs(terms=(), difficulty=2)
    lying = Lying(d6=d6, d12=(4, 9))
    found = dict(boosts(inputs, lying, 5))

    reached = {points: read(lying, points, 2).outcome for points in range(6)}
    better = {
        points: outcome
        for points, outcome in reached.items()
        if d6 != (1, 1) and all(reached[fewer].rank < outcome.rank for fewer in range(points))
    }
    assert found == {points: outcome for points, outcome in better.items() if points}
    assert boosts(inputs, lying, 0) == ()


@pytest.mark.rule("CMP-DEATH-02")
@pytest.mark.parametrize("modifier", [-3, 0, 2])
def test_the_chance_of_survival_counts_the_hits_and_misses_so_far(modifier: int) -> None:
    worth = {"hit": 1, "neither": 0, "miss": -1}
    faces = [worth[door_word(sum(pair) + modifier)] for pair in product(range(1, 7), repeat=2)]
    for left, ahead in ((0, -1), (0, 0), (1, -1), (1, 0), (2, -2), (2, 1)):
        rolls = list(product(faces, repeat=left))
        good = sum(sum(one) + ahead >= 0 for one in rolls)
        assert survival(modifier, left, ahead).fraction == Fraction(good, len(rolls))
