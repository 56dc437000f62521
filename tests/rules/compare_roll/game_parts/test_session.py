"""The end of a session, the texts, the settings."""

from typing import Any, cast

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.sheet import CompareSettings, Scene
from bot.rules.kernel import HookResult
from tests.rules.compare_roll.play import (
    GameTable,
    fight,
    foe,
    id_of,
    lay_table,
    sheet,
)


def dying(luck: int = 7, stress: int = 0, high: int = 0) -> GameTable:
    """Ash at 0 HP by the Ogre's hand."""
    table = lay_table(Ash=sheet({"LCK": luck, "AGI": 1}, ft_lost=40), Ogre=foe(hp=60, ft_max=4))
    table.set("Ash", hp=1, stress=stress, high=high)
    table.settings(opponent_attack="auto_hit")
    table.do("GM Ogre", "attack", "d4:2", targets=("Ash",))
    return table


def knock(table: GameTable, *faces: tuple[int, int]) -> Any:
    """Roll at Death's Door."""
    done = None
    for a, b in faces:
        done = table.do("Ash", "deathsdoor", f"d6:{a} d6:{b}")
    return done


@pytest.mark.rule("CMP-SES-01", "CMP-STRESS-05")
class TestSessionEnd:
    def end(self, table: GameTable, *who: str) -> HookResult:
        turning = RULESET.end_session(table.scene, [id_of(name) for name in who], list(table.scene.documents))
        table.scene = cast(Scene, turning.scene)
        return turning

    def test_a_session_end_refreshes_nothing_by_default(self, table: GameTable) -> None:
        table.set("Ash", hp=12, stress=2, high=3, ammunition=2)
        table.change("Ash", ft_lost=5, weapons=[{"name": "Pistol", "shots": 3}])
        turning = self.end(table, "Ash", "Ogre")

        assert turning.notes == ("Ash: HP 12/32 · FT 9/14 · Stress 2/3 · High 3/5",)
        assert (table.hp("Ash"), table.points("Ash", "ammunition")) == (12, 2)
        assert table.sheet("Ash").weapons[0].shots == 3

    def test_the_campaign_may_reset_resources_at_the_end_of_a_session(self, table: GameTable) -> None:
        table.settings(session_reset='{"stress": 0, "hp": 99, "high": 9, "assets": 7}')
        table.set("Ash", hp=12, stress=2)
        self.end(table, "Ash")

        assert (table.hp("Ash"), table.points("Ash", "stress")) == (32, 0)
        assert (table.points("Ash", "high"), table.points("Ash", "assets")) == (5, 7)

    def test_a_session_end_keeps_unfinished_fights_and_clears_finished_ones(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre", "Wolf")
        for _ in range(6):
            table.do("GM", "encounter.next")
        self.end(table, "Ash")
        assert table.encounter().round == 4
        table.retire("Wolf")
        table.change("Ogre", foe=foe(hp=0, hp_max=9).foe)
        assert self.end(table, "Ash").put_back == ()
        assert table.scene.document("encounter/7") is None


class TestRuleTextsAndSettings:
    def test_every_rule_has_its_own_text_and_unique_ids(self) -> None:
        ids = [id_ for rule in RULESET.glossary for id_ in rule.ids]

        assert len(ids) == len(set(ids)) == 106
        assert all(rule.title and len(rule.text) <= 300 for rule in RULESET.glossary)

    def test_every_setting_has_a_default_and_a_description(self) -> None:
        for info in RULESET.settings.model_fields.values():
            assert not info.is_required()
            assert info.description
            assert len(info.description) <= 100

    @pytest.mark.parametrize("typed", ["", '{"stress": 1}', {"stress": 1}])
    def test_a_session_reset_may_be_typed(self, typed: object) -> None:
        made = CompareSettings.model_validate({"session_reset": typed})
        assert made.session_reset in ({}, {"stress": 1})

    def test_a_session_reset_that_cannot_be_read_is_refused(self) -> None:
        with pytest.raises(ValueError, match="session_reset"):
            CompareSettings.model_validate({"session_reset": "nonsense"})
