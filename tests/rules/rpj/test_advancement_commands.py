"""Improvement over time, as it is asked for at the table."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Audience, Narrowed
from bot.rules.kernel.errors import UserError
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.module.module_files import RpjSettings, module_in
from tests.rules.rpj.people import known, sheet, with_trait
from tests.rules.rpj.table import GameTable, labels, rpj_table


def ug_sheet(available: int = 22, total: int = 66, **more: Any) -> RpjSheet:
    """Ug of the book's example: five sessions and 16 points later."""
    return sheet(
        "STR 2 CON 2 DEX 3 CHA 3 WIL 5 INT 3 LUCK 3",
        skills=[known("alchemy", 5, linked="INT"), known("blunt_weapons", 3, linked="STR")],
        available_points=available,
        total_points=total,
        class_id="cave_mage",
        **more,
    )


def ug(available: int = 22, total: int = 66, **settings: Any) -> GameTable:
    return rpj_table(players={"Ug": ug_sheet(available, total)}, **settings)


def left(table: GameTable) -> int:
    return table.named("Ug").sheet.available_points


def changes(table: GameTable, before: RpjSheet) -> list[tuple[str, str, str]]:
    after = table.named("Ug").sheet
    return list(RULESET.sheet_changes(before, after, table.scene.settings))


@pytest.mark.rule("RPJ-CHAR-16", "RPJ-CHAR-14", "RPJ-SKILL-02")
class TestRaisingSkills:
    def test_raising_a_skill_takes_effect_at_once(self) -> None:
        table = ug()
        before = table.named("Ug").sheet

        done = table.do("Ug", "improve_skill", skill="Alchemy")

        assert done.headline == "raises Alchemy to 6"
        assert done.follow_ups == ()
        assert changes(table, before) == [
            ("Character points to spend", "22", "16"),
            ("Alchemy", "5", "6"),
        ]

    def test_a_new_skill_is_learned_together_with_its_specialty(self) -> None:
        table = ug()

        done = table.do("Ug", "improve_skill", skill="crafting", level=2, specialty="Wood")

        assert done.headline == "learns Crafting 2"
        assert table.named("Ug").sheet.own_skill("crafting") == known("crafting", 2, "Wood")
        assert left(table) == 19

    @pytest.mark.rule("RPJ-SKILL-21")
    def test_learning_a_skill_without_its_specialty_is_refused_with_an_example(self) -> None:
        """F-RPJ-14."""
        table = ug()

        refused = table.refused("Ug", "improve_skill", skill="Knowledge")
        learned = table.do("Ug", "improve_skill", skill="Knowledge (History)")

        assert "Knowledge needs a specialty, for example Knowledge (History)." in refused.what
        assert learned.headline == "learns Knowledge 1"
        assert table.named("Ug").sheet.own_skill("knowledge") == known(
            "knowledge", 1, "History", linked="INT"
        )

    @pytest.mark.rule("RPJ-SKILL-21")
    def test_typing_a_specialty_offers_those_of_the_chosen_skill(self) -> None:
        """F-RPJ-14."""
        table = ug()
        offered = RULESET.suggestions["specialty"]
        assert isinstance(offered, Narrowed)

        found = offered.names(table.named("Ug"), table.scene.settings, {"skill": "Knowledge"})
        crafts = offered.names(table.named("Ug"), table.scene.settings, {"skill": "Crafting"})

        assert list(found) == ["History", "Geography", "Law", "Nature", "Religion"]
        assert {"Wood", "Metal", "Stone"} <= set(crafts)

    def test_raising_a_skill_beyond_the_points_left_is_refused_with_the_price(self) -> None:
        refused = ug(available=8).refused("Ug", "improve_skill", skill="blunt_weapons", level=5)

        assert refused.what == "Blunt Weapons 5 costs 9 character points; 8 are left."
        assert refused.allowed == "You need 1 more."

    @pytest.mark.rule("RPJ-CHAR-06")
    def test_raising_a_skill_above_the_tier_names_the_character_power_needed(self) -> None:
        refused = ug(total=50).refused("Ug", "improve_skill", skill="Alchemy")

        assert refused.what == (
            "Alchemy 6 needs character power 60 (your highest level now: 5). "
            "It would cost 6 character points; 22 are left."
        )

    def test_a_skill_blocked_by_the_gm_cannot_be_raised_until_it_is_unblocked(self) -> None:
        table = ug()
        table.do("GM", "block_skill", skill="Survival")

        refused = table.refused("Ug", "improve_skill", skill="Survival")
        assert "the GM has blocked it" in refused.what
        table.do("GM", "block_skill", skill="Survival", is_open=True)

        assert table.do("Ug", "improve_skill", skill="Survival").headline == "learns Survival 1"

    def test_blocking_a_blocked_skill_is_refused(self) -> None:
        table = ug()
        table.do("GM", "block_skill", skill="Survival")

        assert table.refused("GM", "block_skill", skill="Survival").what == ("Survival is already blocked.")

    def test_a_campaign_may_need_the_gms_approval_for_each_skill_raise(self) -> None:
        table = ug(skill_approval="ask")

        asked = table.do("Ug", "improve_skill", skill="Alchemy")
        assert (asked.headline, left(table)) == ("wants to raise Alchemy from 5 to 6", 22)
        assert labels(asked) == ["Allow it for 6 points (GM)"]
        assert asked.follow_ups[0].audience is Audience.GM
        allowed = table.press("GM Ug", asked.follow_ups[0])

        assert (allowed.headline, left(table)) == ("raises Alchemy to 6", 16)
        cheap = table.do("Ug", "improve_skill", skill="Archery")
        assert cheap.notes == ("It would cost 1 character point: 16 → 15.",)


@pytest.mark.rule("RPJ-CHAR-19")
class TestRaisingAttributes:
    @pytest.mark.parametrize(
        ("attribute", "cost"), [("CHA", 8), ("INT", 4), ("WIL", 6), ("DEX", 8), ("LUCK", 8)]
    )
    def test_an_attribute_raise_is_paid_when_the_gm_approves(self, attribute: str, cost: int) -> None:
        table = ug()

        asked = table.do("Ug", "improve_attribute", attribute=attribute)
        assert labels(asked) == [f"Allow it for {cost} points (GM)"]
        assert left(table) == 22
        table.press("GM Ug", asked.follow_ups[0])

        assert left(table) == 22 - cost

    def test_ug_cannot_afford_a_third_raise(self) -> None:
        table = ug()
        table.press("GM Ug", table.do("Ug", "improve_attribute", attribute="CHA").follow_ups[0])
        table.do("Ug", "improve_skill", skill="Alchemy")

        refused = table.refused("Ug", "improve_skill", skill="blunt_weapons", level=5)

        assert left(table) == 8
        assert refused.allowed == "You need 1 more."

    def test_an_attribute_raise_the_player_cannot_afford_is_refused_before_asking_the_gm(self) -> None:
        refused = ug(available=7).refused("Ug", "improve_attribute", attribute="CHA")

        assert refused.what == "Charisma 4 costs 8 character points; 7 are left."

    def test_an_approval_fails_if_the_points_were_spent_in_the_meantime(self) -> None:
        table = ug(available=8)
        asked = table.do("Ug", "improve_attribute", attribute="CHA")
        table.do("Ug", "improve_skill", skill="Alchemy")

        with pytest.raises(UserError, match="costs 8 character points; 2 are left"):
            table.press("GM Ug", asked.follow_ups[0])

    @pytest.mark.rule("RPJ-CHAR-01", "RPJ-ATTR-02", "RPJ-HEALTH-04")
    def test_raising_constitution_shows_the_new_bonus_and_base_save(self) -> None:
        table = ug()
        before = table.named("Ug").sheet

        table.press("GM Ug", table.do("Ug", "improve_attribute", attribute="CON").follow_ups[0])

        assert changes(table, before) == [
            ("Character points to spend", "22", "16"),
            ("Constitution", "2", "3"),
            ("Constitution bonus", "+0", "+1"),
            ("Base saves", "2", "3"),
        ]

    @pytest.mark.rule("RPJ-CHAR-01", "RPJ-GCS-09")
    def test_raising_dexterity_to_4_adds_an_action_but_no_bonus(self) -> None:
        table = ug()
        before = table.named("Ug").sheet

        table.press("GM Ug", table.do("Ug", "improve_attribute", attribute="DEX").follow_ups[0])

        assert changes(table, before) == [
            ("Character points to spend", "22", "14"),
            ("Dexterity", "3", "4"),
            ("Actions per turn", "2", "3"),
        ]

    @pytest.mark.rule("RPJ-TRAIT-06")
    @pytest.mark.rule("RPJ-APPX-17")
    @pytest.mark.parametrize("value", [1, 5])
    def test_a_trait_that_brings_wealth_brings_it_once_when_it_is_taken(self, value: int) -> None:
        module = with_trait("heir", {"type": "wealth", "value": value})
        settings = RpjSettings(module="own", money=True).with_module(module)
        table = rpj_table(settings)
        before = table.named("Ug").left("wealth")

        table.do("GM Ug", "improve_trait", trait="heir", is_award=True)
        assert table.named("Ug").left("wealth") == before + value
        table.do("GM Ug", "improve_trait", trait="alert", is_award=True)
        assert table.named("Ug").left("wealth") == before + value

    def test_a_trait_may_permit_one_attribute_raise_without_the_gm(self) -> None:
        permit = {"type": "attribute_raise_permit", "attribute": "CHA", "count": 1}
        hero = ug_sheet(traits=["talented"])
        table = rpj_table(players={"Ug": hero})
        module = with_trait("talented", permit)
        settings = table.scene.settings.model_copy(update={"module": "own"}).with_module(module)
        table.scene = replace(table.scene, settings=settings)
        assert module_in(settings).trait("talented") is not None

        first = table.do("Ug", "improve_attribute", attribute="CHA")
        second = table.do("Ug", "improve_attribute", attribute="CHA")

        assert first.headline == "raises Charisma to 4"
        assert labels(second) == ["Allow it for 10 points (GM)"]


@pytest.mark.rule("RPJ-CHAR-18", "RPJ-TRAIT-01")
class TestBuyingTraits:
    @pytest.mark.parametrize(("available", "after"), [(5, 1)])
    def test_a_new_trait_is_paid_when_the_gm_approves(self, available: int, after: int) -> None:
        table = ug(available=available)

        asked = table.do("Ug", "improve_trait", trait="Riposte")
        table.press("GM Ug", asked.follow_ups[0])

        assert (asked.headline, left(table)) == ("wants to take the gift Riposte", after)

    def test_a_trait_the_player_cannot_afford_is_refused(self) -> None:
        refused = ug(available=3).refused("Ug", "improve_trait", trait="riposte")

        assert refused.what == "Riposte costs 4 character points; 3 are left."

    def test_an_unknown_trait_is_refused_with_a_list_of_traits(self) -> None:
        assert "Lucky" in ug().refused("Ug", "improve_trait", trait="Wings").allowed

    def test_the_gm_may_give_a_trait_for_free(self) -> None:
        table = ug(available=0)

        table.do("GM Ug", "improve_trait", trait="Riposte", is_award=True)

        assert left(table) == 0
        assert [own.trait for own in table.named("Ug").sheet.traits] == ["riposte"]

    def test_players_cannot_give_traits_for_free(self) -> None:
        refused = ug().refused("Ug", "improve_trait", trait="Riposte", is_award=True)

        assert refused.what == "Only the GM can give traits for free."

    def test_dropping_a_fault_costs_what_its_refund_was(self) -> None:
        table = rpj_table(players={"Ug": ug_sheet(available=5, traits=["totally_mute"])})

        asked = table.do("Ug", "drop_trait", trait="Totally Mute")
        table.press("GM Ug", asked.follow_ups[0])

        assert (labels(asked), left(table)) == (["Allow it for 4 points (GM)"], 1)
        assert table.named("Ug").sheet.traits == ()

    def test_dropping_a_gift_refunds_nothing(self) -> None:
        table = rpj_table(players={"Ug": ug_sheet(available=5, traits=["riposte"])})

        table.press("GM Ug", table.do("Ug", "drop_trait", trait="riposte").follow_ups[0])

        assert left(table) == 5


@pytest.mark.rule("RPJ-CHAR-15", "RPJ-CHAR-02")
class TestAwardingPoints:
    def test_an_award_raises_the_points_to_spend_and_character_power(self) -> None:
        (points,) = RULESET.awards
        before = ug_sheet(available=6, total=50)

        after = points.give(before, 16)

        assert list(RULESET.sheet_changes(before, after, rpj_table().scene.settings)) == [
            ("Character points to spend", "6", "22"),
            ("Character power", "50", "66"),
        ]

    def test_an_award_cannot_take_back_more_points_than_are_left(self) -> None:
        (points,) = RULESET.awards

        with pytest.raises(UserError, match="6 are left to spend"):
            points.give(ug_sheet(available=6, total=50), -7)


@pytest.mark.rule("RPJ-CHAR-08", "RPJ-CHAR-11")
class TestChangingClass:
    def test_the_gm_can_change_a_characters_class_skills(self) -> None:
        table = ug()

        done = table.do(
            "GM", "change_class", target="Ug", skills="Blunt Weapons, survival, Alchemy, Intimidate"
        )

        assert done.headline == "changes Ug's class to Cave-Mage"
        assert [pick.skill for pick in table.named("Ug").sheet.class_skills] == [
            "blunt_weapons",
            "survival",
            "alchemy",
            "intimidate",
        ]

    def test_class_quirks_are_replaced_when_the_class_changes(self) -> None:
        table = ug()
        table.do("GM", "change_class", target="Ug", skills="Blunt Weapons, Survival, Alchemy, Intimidate")
        assert [own.trait for own in table.named("Ug").sheet.traits] == ["speaks_in_grunts"]

        table.do(
            "GM",
            "change_class",
            target="Ug",
            class_name="knight",
            skills="Command, Intimidate, Horsemanship, Large Blades",
        )

        changed = table.named("Ug").sheet
        assert (changed.class_id, changed.traits, changed.available_points) == ("knight", (), 22)

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({"skills": "Survival"}, "Choose 4 class skills of Cave-Mage; you have 1."),
            ({"skills": "Trade"}, "Trade isn't a class skill of Cave-Mage."),
            ({"class_name": "Pilot"}, "This campaign has no class “Pilot”."),
        ],
    )
    def test_a_class_change_with_wrong_class_skills_is_refused(
        self, options: dict[str, str], told: str
    ) -> None:
        assert told in ug().refused("GM", "change_class", target="Ug", **options).what


class TestPricesAndForecast:
    @pytest.mark.rule("RPJ-CHAR-03")
    def test_the_price_list_is_shown_to_the_player_alone(self) -> None:
        told = ug().do("Ug", "prices")

        assert not told.is_public
        assert told.headline == "has 22 character points to spend"
        assert told.notes[0] == "Skills, up to 6: Blunt Weapons 4 for 4 · Alchemy 6 for 6."
        assert "Intelligence 4 for 4" in told.notes[2]
        assert "Charisma 4 for 8" in told.notes[2]

    @pytest.mark.rule("RPJ-CHAR-20")
    @pytest.mark.parametrize(("total", "each", "sessions"), [(50, 4, 25), (50, 2, 50), (40, 4, 28)])
    def test_a_forecast_tells_how_many_sessions_a_character_power_takes(
        self, total: int, each: int, sessions: int
    ) -> None:
        told = ug(total=total).do("Ug", "prices", target=150, each=each)

        assert told.headline == f"reaches a character power of 150 in {sessions} sessions"


@pytest.mark.rule("RPJ-CHAR-14", "RPJ-CHAR-16", "RPJ-CHAR-18", "RPJ-CHAR-19", "RPJ-TRAIT-02", "RPJ-TRAIT-03")
class TestWhatAnImprovementCosts:
    """Laeniel has 30 character points to spend, and a Shifty attribute costs half."""

    @pytest.mark.parametrize(
        ("who", "command", "options", "told", "note", "deal"),
        [
            (
                "Laeniel",
                "skill",
                {"skill": "Archery"},
                "raises Archery to 5",
                "",
                "Archery 4 → 5 for 5 character points",
            ),
            (
                "Laeniel",
                "skill",
                {"skill": "Archery", "level": 6},
                "raises Archery to 6",
                "",
                "Archery 4 → 6 for 11 character points",
            ),
            (
                "Laeniel",
                "skill",
                {"skill": "Alchemy"},
                "learns Alchemy 1",
                "",
                "Alchemy 0 → 1 for 1 character point",
            ),
            (
                "Laeniel",
                "attribute",
                {"attribute": "CHA"},
                "wants to raise Charisma from 4 to 5",
                "It would cost 5 character points: 30 → 25.",
                "",
            ),
            (
                "GM Laeniel",
                "attribute",
                {"attribute": "CHA"},
                "raises Charisma to 5",
                "",
                "Charisma 4 → 5 for 5 character points",
            ),
            (
                "Laeniel",
                "attribute",
                {"attribute": "INT"},
                "wants to raise Intelligence from 3 to 4",
                "It would cost 8 character points: 30 → 22.",
                "",
            ),
            (
                "Laeniel",
                "trait",
                {"trait": "haggler"},
                "wants to take the gift Haggler",
                "It would cost 3 character points: 30 → 27.",
                "",
            ),
            (
                "Laeniel",
                "trait",
                {"trait": "slow_to_react"},
                "wants to take the fault Slow to React",
                "It gives 3 character points: 30 → 33.",
                "",
            ),
            (
                "Laeniel",
                "trait",
                {"trait": "speaks_in_grunts"},
                "wants to take the quirk Speaks in Grunts",
                "It costs nothing.",
                "",
            ),
            (
                "GM Laeniel",
                "trait",
                {"trait": "haggler"},
                "gains Haggler",
                "",
                "gaining Haggler for 3 character points",
            ),
            (
                "GM Laeniel",
                "trait",
                {"trait": "haggler", "is_award": True},
                "gains Haggler",
                "",
                "gaining Haggler for 0 character points",
            ),
            (
                "GM Laeniel",
                "trait",
                {"trait": "slow_to_react"},
                "gains Slow to React",
                "",
                "gaining Slow to React, which gives 3 character points",
            ),
        ],
    )
    def test_an_improvement_tells_its_price(
        self, who: str, command: str, options: dict[str, Any], told: str, note: str, deal: str
    ) -> None:
        done = learner().do(who, f"improve_{command}", **options)

        assert (done.headline, " ".join(done.notes), done.deal) == (told, note, deal)

    @pytest.mark.parametrize(
        ("command", "options", "button"),
        [
            ("attribute", {"attribute": "CHA"}, "Allow it for 5 points (GM)"),
            ("trait", {"trait": "haggler"}, "Allow it for 3 points (GM)"),
            ("trait", {"trait": "slow_to_react"}, "Allow it: +3 points (GM)"),
            ("trait", {"trait": "speaks_in_grunts"}, "Allow it for 0 points (GM)"),
        ],
    )
    def test_the_gm_is_asked_with_the_price_on_the_button(
        self, command: str, options: dict[str, Any], button: str
    ) -> None:
        assert labels(learner().do("Laeniel", f"improve_{command}", **options)) == [button]

    @pytest.mark.parametrize(
        ("trait", "note", "deal", "points"),
        [
            (
                "slow_to_react",
                "It would cost 3 character points: 30 → 27.",
                "dropping Slow to React for 3 character points",
                27,
            ),
            ("haggler", "It costs nothing.", "dropping Haggler for 0 character points", 30),
        ],
    )
    def test_a_dropped_trait_tells_what_it_costs(self, trait: str, note: str, deal: str, points: int) -> None:
        table = learner()
        table.change("Laeniel", traits=[{"trait": trait}])

        asked = table.do("Laeniel", "drop_trait", trait=trait)
        done = table.press("GM Laeniel", asked.follow_ups[0])

        assert (asked.notes, done.deal) == ((note,), deal)
        assert (table.named("Laeniel").sheet.available_points, table.named("Laeniel").sheet.traits) == (
            points,
            (),
        )

    @pytest.mark.rule("RPJ-SKILL-02", "RPJ-ATTR-13")
    def test_the_price_list_names_what_can_still_rise_the_cheapest_first(self) -> None:
        listed = learner().do("Laeniel", "prices")

        assert listed.headline == "has 30 character points to spend"
        assert listed.notes[:3] == (
            "Skills, up to 6: Crafting 3 for 3 · Archery 5 for 5 · Concealment 5 for 5.",
            "A new skill costs 1 for level 1, 3 for 2, 6 for 3, 10 for 4, 15 for 5, 21 for 6.",
            "With the GM's approval: Strength 3 for 6 · Constitution 4 for 8 · Charisma 5 for 5"
            " · Willpower 3 for 6 · Intelligence 4 for 8 · Luck 5 for 10.",
        )
        assert listed.notes[3].startswith("Traits, also with approval: Alert for 4 · ")
        assert listed.notes[3].endswith(" and 2 more.")
        assert listed.notes[3].count(" for ") == 12

    @pytest.mark.rule("RPJ-CHAR-06")
    def test_a_skill_at_its_cap_and_a_blocked_one_are_not_on_the_list(self) -> None:
        table = learner(blocked_skills=("crafting",))
        table.change("Laeniel", total_points=45)

        assert table.do("Laeniel", "prices").notes[0] == "Skills, up to 4: none of yours can be raised now."


def learner(**more: Any) -> GameTable:
    table = rpj_table(**more)
    table.change("Laeniel", available_points=30)
    return table
