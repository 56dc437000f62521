"""Levels for people whom nobody has written a sheet for."""

import pytest

from bot.rules.rpj.checks.tables import (
    Closeness,
    NpcAbility,
    RpjStanding,
    improvised_attribute,
    improvised_levels,
    level_choice,
)
from bot.rules.rpj.module.basics import attribute_bonus
from bot.rules.rpj.module.decision_tables import CHOICE
from tests.dice import ScriptedDice


@pytest.mark.rule("RPJ-GM-01")
class TestNpcSkills:
    @pytest.mark.parametrize(
        ("ability", "closeness", "levels"),
        [
            (NpcAbility.MASTERFUL, Closeness.IN, (6, 7)),
            (NpcAbility.COMPETENT, Closeness.IN, (4, 5)),
            (NpcAbility.GREEN, Closeness.IN, (2, 3)),
            (NpcAbility.MASTERFUL, Closeness.ADJACENT, (3,)),
            (NpcAbility.COMPETENT, Closeness.ADJACENT, (2,)),
            (NpcAbility.GREEN, Closeness.ADJACENT, (1,)),
            (NpcAbility.MASTERFUL, Closeness.OUTSIDE, (0, 1)),
            (NpcAbility.GREEN, Closeness.OUTSIDE, (0, 1)),
        ],
    )
    def test_two_words_give_an_npc_one_skill_level_or_two_to_choose_from(
        self, ability: NpcAbility, closeness: Closeness, levels: tuple[int, ...]
    ) -> None:
        assert improvised_levels(ability, closeness) == levels

    def test_a_die_may_choose_between_two_npc_skill_levels(self) -> None:
        choice = level_choice(improvised_levels(NpcAbility.MASTERFUL, Closeness.IN))

        assert CHOICE.resolve(choice, ScriptedDice("d2:2")).outcome == "7"


@pytest.mark.rule("RPJ-GM-02")
class TestNpcAttributes:
    @pytest.mark.parametrize(
        ("standing", "level", "bonus"),
        [(RpjStanding.UNREMARKABLE, 2, 0), (RpjStanding.AVERAGE, 3, 1), (RpjStanding.ABOVE_AVERAGE, 4, 1)],
    )
    def test_a_word_gives_an_npc_an_attribute_level_and_bonus(
        self, standing: RpjStanding, level: int, bonus: int
    ) -> None:
        assert improvised_attribute(standing) == level
        assert attribute_bonus(improvised_attribute(standing)) == bonus
