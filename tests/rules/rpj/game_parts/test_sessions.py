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
class TestTheStartOfASession:
    @pytest.mark.parametrize(
        ("luck", "lost", "most"), [(3, 0, 2), (4, 0, 3), (6, 0, 3), (4, 1, 2), (2, 2, 0)]
    )
    def test_everybody_begins_with_their_maximum(self, luck: int, lost: int, most: int) -> None:
        table = rpj_table(players={"Ug": sheet(f"LUCK {luck}", lucky_breaks_lost=lost)})
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 0))

        started(table)

        assert breaks(table, "Ug") == most

    def test_what_was_not_spent_is_not_added(self) -> None:
        table = rpj_table()
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 1))

        started(table)

        assert breaks(table, "Ug") == 2

    def test_the_gms_have_none(self) -> None:
        table = rpj_table()

        started(table)

        assert breaks(table, "Ogre") == 0

    def test_who_comes_late_has_all_of_them(self) -> None:
        table = rpj_table()
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 0))

        table.scene = cast(Scene, RULESET.arrive(table.scene, table.ids["Ug"]).scene)

        assert (breaks(table, "Ug"), breaks(table, "Laeniel")) == (2, 3)


@pytest.mark.rule("RPJ-CHAR-16")
def test_what_nobody_learns_now_is_told_at_the_start() -> None:
    table = rpj_table(RpjSettings(module=Shipped.FANTASY, blocked_skills=("survival", "alchemy")))

    assert started(table) == ("Can't be learned for now: Survival, Alchemy.",)


@pytest.mark.rule("RPJ-CHAR-12")
@pytest.mark.parametrize("wanted", [True, False])
def test_a_campaign_may_have_the_gm_agree_to_new_characters(wanted: bool) -> None:
    assert RULESET.creation.needs_leave(RpjSettings(approve_characters=wanted)) is wanted
