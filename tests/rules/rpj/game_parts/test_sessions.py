"""Sessions: what their start brings, and who comes late."""

from typing import cast

import pytest

from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.module.settings import RpjSettings, Shipped
from tests.rules.rpj.people import sheet
from tests.rules.rpj.table import GameTable, breaks, rpj_table


def started(table: GameTable) -> tuple[str, ...]:
    turning = RULESET.start_session(table.scene, list(table.ids.values()))
    table.scene = cast(Scene, turning.scene)
    return turning.notes


@pytest.mark.rule("RPJ-LUCK-01")
class TestStartOfASession:
    @pytest.mark.parametrize(
        ("luck", "lost", "most"), [(3, 0, 2), (4, 0, 3), (6, 0, 3), (4, 1, 2), (2, 2, 0)]
    )
    def test_a_session_starts_with_the_maximum_of_lucky_breaks(self, luck: int, lost: int, most: int) -> None:
        table = rpj_table(players={"Ug": sheet(f"LUCK {luck}", lucky_breaks_lost=lost)})
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 0))

        started(table)

        assert breaks(table, "Ug") == most

    def test_lucky_breaks_left_over_are_not_added_at_the_next_session(self) -> None:
        table = rpj_table()
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 1))

        started(table)

        assert breaks(table, "Ug") == 2

    def test_a_session_start_gives_npcs_no_lucky_breaks(self) -> None:
        table = rpj_table()

        started(table)

        assert breaks(table, "Ogre") == 0

    def test_a_player_who_comes_late_gets_all_their_lucky_breaks(self) -> None:
        table = rpj_table()
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 0))

        table.scene = cast(Scene, RULESET.arrive(table.scene, table.ids["Ug"]).scene)

        assert (breaks(table, "Ug"), breaks(table, "Laeniel")) == (2, 3)


@pytest.mark.rule("RPJ-CHAR-16")
def test_the_session_start_lists_the_skills_blocked_by_the_gm() -> None:
    table = rpj_table(RpjSettings(module=Shipped.FANTASY, blocked_skills=("survival", "alchemy")))

    assert started(table) == ("Can't be learned for now: Survival, Alchemy.",)


@pytest.mark.rule("RPJ-CHAR-12")
@pytest.mark.parametrize("wanted", [True, False])
def test_a_campaign_may_need_the_gms_approval_for_new_characters(wanted: bool) -> None:
    assert RULESET.creation.needs_leave(RpjSettings(approve_characters=wanted)) is wanted
