"""New characters wait for the GM where the campaign wants it so."""

from dataclasses import replace

import pytest

from bot.rules.rpj import RULESET
from bot.rules.rpj.people import sheet_of
from bot.rules.rpj.settings import RpjSettings, Shipped
from tests.rules.playing import GameTable
from tests.rules.rpj.table import d6, rpj_table


def with_newcomer() -> GameTable:
    """Ug has just been made, in a campaign whose GM agrees to characters."""
    table = rpj_table(approve_characters=True)
    ug = table.named("Ug")
    waiting = sheet_of(ug).model_copy(update={"is_held": True})
    table.scene = table.scene.with_character(replace(ug, sheet=waiting))
    return table


@pytest.mark.rule("RPJ-CHAR-12")
class TestAgreeing:
    @pytest.mark.parametrize("approve", [True, False])
    def test_a_new_character_waits_only_where_the_campaign_wants_it_so(self, approve: bool) -> None:
        settings = RpjSettings(module=Shipped.FANTASY, approve_characters=approve)
        ready = RULESET.creation.offered(settings)["Ilsa Roan"].model_dump()

        assert ready["is_held"] is approve

    def test_it_is_not_rolled_for_before_the_gm_has_agreed(self) -> None:
        table = with_newcomer()
        refused = table.refused("Ug", "check", skill="Games")
        assert (refused.what, refused.try_this) == (
            "Ug is played when the GM has agreed.",
            "The GM: /rpj gm agree.",
        )

        agreed = table.do("GM", "agree", target="Ug")

        assert agreed.headline == "agrees to Ug"
        assert table.do("Ug", "check", d6("4 3"), skill="Games").rolls
        assert table.refused("GM", "agree", target="Ug").what == "Ug waits for nothing."

    def test_the_start_of_a_session_and_an_arrival_in_it_ask_the_gm(self) -> None:
        table = with_newcomer()

        begun = RULESET.start_session(table.scene, list(table.ids.values()))
        come = RULESET.arrive(table.scene, table.ids["Laeniel"])

        assert begun.notes == ("Ug is played when the GM has agreed.",)
        assert [one.label for one in begun.follow_ups] == ["Agree to Ug (GM)"]
        assert [one.label for one in come.follow_ups] == ["Agree to Laeniel (GM)"]
        assert table.press("GM", begun.follow_ups[0]).headline == "agrees to Ug"

    def test_characters_of_the_gms_wait_for_nobody(self) -> None:
        table = with_newcomer()

        come = RULESET.arrive(table.scene, table.ids["Ogre"])

        assert come.follow_ups == ()

    def test_nobody_waits_any_more_once_the_campaign_stops_asking(self) -> None:
        table = with_newcomer()
        table.settings(approve_characters=False)

        assert table.do("Ug", "check", d6("4 3"), skill="Games").rolls
