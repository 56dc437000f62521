"""Traits that a GM makes up: they are of the campaign from then on, and act like any other."""

import pytest

from bot.rules.kernel import Audience
from bot.rules.rpj.module.settings import RpjSettings, module_in
from tests.rules.rpj.table import d6, rpj_table


@pytest.mark.rule("RPJ-TRAIT-01")
class TestMadeUpTraits:
    def test_a_trait_made_up_by_the_gm_affects_rolls(self) -> None:
        table = rpj_table()
        given = table.do(
            "GM", "give_trait", target="Ug", name="Bookworm", kind="gift", value=1, of="Knowledge", cost=0
        )

        assert given.headline == "gives Ug a gift: Bookworm"
        assert [own.trait for own in table.named("Ug").sheet.traits] == ["haggler", "bookworm"]
        rolled = table.do("Ug", "check", d6("4 3"), skill="Knowledge")
        assert [(term.label, term.value) for term in rolled.rolls[0].terms] == [("Bookworm", 1)]

    def test_the_gm_cannot_make_up_a_trait_whose_name_exists(self) -> None:
        table = rpj_table()

        refused = table.refused("GM", "give_trait", target="Ug", name="Lucky", kind="gift")

        assert refused.what == "This campaign already has a trait called Lucky."

    @pytest.mark.rule("RPJ-TRAIT-03")
    def test_a_made_up_fault_lowers_rolls_and_refunds_points(self) -> None:
        table = rpj_table()
        table.do(
            "GM",
            "give_trait",
            target="Ug",
            name="Near-sighted",
            kind="fault",
            value=-2,
            of="perception",
            cost=-3,
        )

        sheet = table.named("Ug").sheet
        assert (sheet.available_points, sheet.total_points) == (3, 60)
        rolled = table.do("Ug", "check", d6("4 3"), skill="Perception")
        assert [(term.label, term.value) for term in rolled.rolls[0].terms] == [
            ("Perception", 1),
            ("Near-sighted", -2),
        ]

    @pytest.mark.rule("RPJ-TRAIT-04")
    def test_a_made_up_quirk_may_have_no_effect(self) -> None:
        table = rpj_table()
        given = table.do("GM", "give_trait", target="Ug", name="Hums", about="Always the same tune.")

        assert given.notes == ("Always the same tune.",)
        assert isinstance(table.scene.settings, RpjSettings)
        trait = module_in(table.scene.settings).trait("hums")
        assert trait is not None
        assert trait.effects == ()

    def test_a_made_up_trait_may_apply_only_when_the_player_says_so(self) -> None:
        table = rpj_table()
        table.do(
            "GM",
            "give_trait",
            target="Ug",
            name="Night eyes",
            value=2,
            on="saving throw",
            of="Dexterity",
            when="in the dark",
        )

        plain = table.do("Ug", "attribute", d6("4 3"), attribute="DEX", rolled="saving throw")
        dark = table.do(
            "Ug", "attribute", d6("4 3"), attribute="DEX", rolled="saving throw", toggles="in the dark"
        )

        assert (plain.rolls[0].total, dark.rolls[0].total) == (9, 11)

    def test_a_made_up_trait_must_name_something_it_can_affect(self) -> None:
        table = rpj_table()

        wrong = table.refused("GM", "give_trait", target="Ug", name="Odd", value=1, on="initiative", of="DEX")
        unknown = table.refused("GM", "give_trait", target="Ug", name="Odd", value=1, of="Hacking")
        unnamed = table.refused("GM", "give_trait", target="Ug", name=" ")

        assert wrong.what == "A bonus to initiative can't be for “DEX”."
        assert unknown.what == "This campaign has no skill “Hacking”."
        assert unnamed.what == "A trait's name needs at least one visible character."


@pytest.mark.rule("RPJ-TRAIT-03")
@pytest.mark.rule("RPJ-TRAIT-06")
class TestFaultsThatDoNotAlwaysHold:
    def test_a_success_has_a_button_for_a_situational_fault_that_would_make_it_fail(self) -> None:
        table = rpj_table()
        table.do(
            "GM",
            "give_trait",
            target="Ug",
            name="Dazzled",
            kind="fault",
            value=-2,
            of="Perception",
            when="in bright light",
            cost=-3,
        )
        seen = table.do("Ug", "check", d6("4 3"), skill="Perception", difficulty="1")
        button = next(one for one in seen.follow_ups if one.procedure == "toggle")
        assert (button.label, button.audience) == ("−2 in bright light (GM)", Audience.GM)

        dazzled = table.press("GM Ug", button)

        assert (dazzled.rolls[0].total, dazzled.passed) == (6, False)

    def test_a_situational_fault_that_would_change_nothing_has_no_button(self) -> None:
        table = rpj_table()
        fault = {
            "name": "Dazzled",
            "kind": "fault",
            "value": -1,
            "of": "Perception",
            "when": "in bright light",
        }
        table.do("GM", "give_trait", target="Ug", **fault)

        well = table.do("Ug", "check", d6("6 5"), skill="Perception")

        assert [one.label for one in well.follow_ups if one.procedure == "toggle"] == []
