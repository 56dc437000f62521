"""The seven attributes: what changes them, and what they mean at nought and below."""

from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel import Document, Term, settle_all
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.sword_and_swarm import RULESET
from bot.rules.sword_and_swarm.sheet import SwarmSettings, SwarmSheet, actual
from bot.rules.sword_and_swarm.tests import Modifier, SwarmAttribute, net, read_modifiers, with_confirm
from tests.dice import ScriptedDice
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import fell, gear, lay, rolled_attribute, sheet, vectors

GLOVES, MAIL = gear("Gloves", key=2), gear("Chain mail", shield=3)


def value(table: GameTable, name: str, attribute: str) -> int:
    found, settings = table.named(name).sheet, table.scene.settings
    assert isinstance(found, SwarmSheet)
    assert isinstance(settings, SwarmSettings)
    return actual(found, SwarmAttribute(attribute), settings)


def lines(table: GameTable, name: str, title: str) -> tuple[str, ...]:
    sections = RULESET.describe(table.named(name), table.scene.settings)
    return next((section.lines for section in sections if section.title == title), ())


@pytest.mark.rule("SWARM-ATTR-01")
class TestTheSeven:
    def test_every_character_has_all_seven_attributes(self) -> None:
        assert list(SwarmAttribute) == ["Mallet", "Key", "Runes", "Coronet", "Star", "Shield", "Boots"]
        with pytest.raises(ValidationError):
            SwarmSheet.model_validate({"base": {"Mallet": 3}})

    def test_shield_and_boots_start_fixed_and_the_others_must_be_chosen(self) -> None:
        starts = {
            str(attribute): attribute.start for attribute in SwarmAttribute if attribute.start is not None
        }
        problems = RULESET.creation.problems_of({}, SwarmSettings())

        assert starts == {"Shield": 0, "Boots": 6}
        assert [problem.sentence for problem in problems] == [
            f"Choose {name} from 0 to 10." for name in ("Mallet", "Key", "Runes", "Coronet", "Star")
        ]

    def test_an_unknown_attribute_is_refused(self) -> None:
        model = RULESET.procedures["test"].options

        with pytest.raises(ValidationError):
            model.model_validate({"attribute": "Sword"})

    def test_the_gm_sets_attributes(self, table: GameTable) -> None:
        done = table.do("GM", "attributes", target="Ogre", coronet=1, shield=2)

        assert done.headline == "sets Ogre's attributes: Coronet 1, Shield 2"
        assert done.notes == ("Ogre: Coronet 3 → 1 · Shield 0 → 2",)
        assert table.refused("GM", "attributes", target="Ogre").what == "Give at least one attribute."


@pytest.mark.rule("SWARM-ATTR-02")
class TestRange:
    @pytest.mark.parametrize("base", [{"Mallet": 10}, {"Mallet": 0}])
    def test_an_attribute_goes_from_zero_to_ten(self, base: dict[str, int]) -> None:
        assert SwarmSheet.model_validate({"base": {**sheet().base, **base}})

    @pytest.mark.parametrize("base", [{"Mallet": 11}, {"Mallet": -1}])
    def test_an_attribute_outside_zero_to_ten_is_refused(self, base: dict[str, int]) -> None:
        with pytest.raises(ValidationError):
            SwarmSheet.model_validate({"base": {**sheet().base, **base}})

    def test_only_star_can_be_below_zero_and_it_is_tested_as_zero(self) -> None:
        table = lay(sheet(star=-1))

        assert value(table, "Ash", "Star") == -1
        done = table.do("Bram", "versus", "d6:1", attribute="Star", target="Ash")
        assert done.rolls[0].against == "Ash's Star 0: 1 or more"


@pytest.mark.rule("SWARM-ATTR-03")
class TestEquipmentAndTraits:
    def test_equipment_changes_the_actual_attribute_its_confirm_and_its_modifier(self) -> None:
        table = lay(sheet(key=4, benefits=[GLOVES]))
        table.do("GM", "add_proficiency", name="Locks", attribute="Key")

        assert with_confirm(value(table, "Ash", "Key")) == "6 (1)"
        assert lines(table, "Ash", "Attributes · proficiencies")[1] == "Key 4 (+2 Gloves) = 6 (1) · +2"
        done = table.do("Ash", "proficiency", "d6:3 d6:3", proficiency="Locks", difficulty="8")
        assert done.rolls[0].total == 8

    def test_equipment_counts_only_while_in_use(self) -> None:
        table = lay(sheet(key=4, benefits=[GLOVES]))

        off = table.do("Ash", "use", name="gloves", in_use=False)
        assert (off.headline, off.notes) == ("no longer uses Gloves", ("Ash: Key 6 (1) → 4",))
        assert value(table, "Ash", "Key") == 4
        assert table.refused("Ash", "use", name="Gloves", in_use=False).what == "Gloves is not in use."

        on = table.do("Ash", "use", name="Gloves")
        assert (on.headline, on.notes) == ("uses Gloves", ("Ash: Key 4 → 6 (1)",))
        assert table.refused("Ash", "use", name="Gloves").what == "Gloves is already in use."

    def test_a_character_cannot_use_what_is_not_on_the_sheet(self, table: GameTable) -> None:
        mistake = table.refused("Ash", "use", name="Wings")

        assert mistake.sentences == ("“Wings” isn't on the sheet.",)

    def test_an_attribute_cannot_be_raised_above_ten(self) -> None:
        assert value(lay(sheet(key=9, benefits=[gear("Claws", key=3)])), "Ash", "Key") == 10

    def test_the_gm_gives_and_takes_equipment(self, table: GameTable) -> None:
        given = table.do("GM", "give", target="Ash", name="Gloves", attribute="Key", amount=2)
        assert given.headline == "gives Ash Gloves (Key +2) (equipment)"
        assert given.notes == ("Ash: Key 3 → 5",)

        more = table.do("GM", "give", target="Ash", name="gloves", attribute="Mallet", amount=1, text="Red.")
        assert more.headline == "gives Ash Gloves (Key +2, Mallet +1) (equipment)"
        assert lines(table, "Ash", "Equipment") == ("Gloves (Key +2, Mallet +1) · Red.",)

        again = table.do("GM", "give", target="Ash", name="Gloves", attribute="Key", amount=1)
        assert again.headline == "gives Ash Gloves (Mallet +1, Key +1) (equipment)"
        assert table.refused("GM", "give", target="Ash", name="Gloves").what == "Ash already has Gloves."

        taken = table.do("GM", "take", target="Ash", name="GLOVES")
        assert (taken.headline, taken.notes) == (
            "takes Gloves from Ash",
            ("Ash: Mallet 5 → 4 · Key 4 → 3",),
        )

    def test_an_increase_needs_an_attribute_and_an_amount(self, table: GameTable) -> None:
        mistake = table.refused("GM", "give", target="Ash", name="Gloves", attribute="Key")

        assert mistake.what == "An increase needs both an attribute and an amount."

    def test_listed_equipment_comes_with_its_increases(self, table: GameTable) -> None:
        table.do("GM", "add_equipment", name="Chain mail", attribute="Shield", amount=3)

        table.do("GM", "give", target="Ash", name="chain mail")
        table.do("GM", "give", target="Bram", name="chain Mail", kind="trait")

        assert value(table, "Ash", "Shield") == 3
        assert value(table, "Bram", "Shield") == 0
        bram = table.named("Bram").sheet
        assert isinstance(bram, SwarmSheet)
        assert [one.name for one in bram.benefits] == ["chain Mail"]

    def test_a_sheet_has_room_for_fifty_entries(self) -> None:
        table = lay(sheet(benefits=[gear(f"Pebble {number}") for number in range(50)]))

        mistake = table.refused("GM", "give", target="Ash", name="Another pebble")

        assert mistake.what == "A sheet has room for 50 entries of equipment and traits."


@pytest.mark.rule("SWARM-ATTR-04")
class TestAttributeNought:
    def test_an_attribute_of_zero_prevents_tests_that_need_it(self) -> None:
        table = lay(sheet(runes=0))

        own = table.refused("Ash", "test", attribute="Runes")
        proficiency = table.refused("Ash", "proficiency", proficiency="Architecture", difficulty="6")

        assert own.what == proficiency.what == "Ash has Runes 0 and can't do anything that needs Runes."

    def test_the_gm_can_force_a_test_of_an_attribute_of_zero(self) -> None:
        table = lay(sheet(runes=0))

        done = table.do(
            "GM Ash", "proficiency", "d6:6 d6:5", proficiency="Architecture", difficulty="8", forced=True
        )

        assert (done.rolls[0].total, fell(done)) == (8, "success")

    def test_a_player_cannot_force_a_test(self, table: GameTable) -> None:
        assert (
            table.refused("Ash", "test", attribute="Key", forced=True).what == "Only a GM can force a test."
        )

    def test_others_can_test_against_an_attribute_of_zero(self, table: GameTable) -> None:
        hit = table.do("Ash", "versus", "d6:1", attribute="Shield", target="Ogre")
        missed = table.do("Ash", "versus", "d6:2", attribute="Shield", target="Ogre", bonus=-2)

        assert (fell(hit), fell(missed)) == ("success", "failure")

    def test_a_penalty_down_to_zero_is_rolled_and_fails(self, table: GameTable) -> None:
        assert fell(table.do("Ash", "test", "d6:1", attribute="Key", bonus=-3)) == "failure"


@pytest.mark.rule("SWARM-ATTR-05")
class TestMallet:
    def test_mallet_is_strength_and_a_mallet_of_zero_prevents_it(self) -> None:
        assert SwarmAttribute.MALLET.meaning == "strength, athletics, endurance"
        assert lay(sheet(mallet=0)).refused("Ash", "test", attribute="Mallet")


@pytest.mark.rule("SWARM-ATTR-06")
class TestKey:
    def test_key_is_dexterity(self, table: GameTable) -> None:
        assert SwarmAttribute.KEY.meaning == "dexterity, precision, reflexes"
        assert fell(table.do("Ash", "test", "d6:3", attribute="Key")) == "success"


@pytest.mark.rule("SWARM-ATTR-07")
class TestRunes:
    def test_runes_are_spirit_and_knowledge_and_govern_architecture(self) -> None:
        table = lay(sheet(runes=5, proficiencies={"Architecture": 0}))

        assert SwarmAttribute.RUNES.meaning == "spirit and knowledge"
        assert lines(table, "Ash", "Proficiencies") == ("Architecture 0 (Runes) · 2d6 +1",)


@pytest.mark.rule("SWARM-ATTR-08")
class TestCoronet:
    def test_coronet_is_leadership_and_shows_its_confirm(self) -> None:
        assert SwarmAttribute.CORONET.meaning == "leadership, respect, authority"
        assert lines(lay(sheet(coronet=7)), "Ash", "Attributes · proficiencies")[3] == "Coronet 7 (2) · +2"


@pytest.mark.rule("SWARM-ATTR-09")
class TestStar:
    def test_star_is_morale_and_goes_down_and_up(self, table: GameTable) -> None:
        assert SwarmAttribute.STAR.meaning == "morale and vigour"

        lost = table.do("GM", "star", target="Ash", change=-2)
        assert lost.headline == "takes 2 Star from Ash"
        assert lost.notes == ("Star 4 → 2 of 4",)
        assert lines(table, "Ash", "Attributes · proficiencies")[4] == "Star 2 of 4 · −2"

        back = table.do("GM", "star", target="Ash", change=1)
        assert (back.headline, back.notes) == ("gives Ash 1 Star back", ("Star 2 → 3 of 4",))

    def test_tests_use_the_current_star(self) -> None:
        done = lay(sheet(star=6, Star=8)).do("Ash", "test", "d6:6 d6:1", attribute="Star")

        assert done.rolls[0].against == "Star 6 (1): a 6 is confirmed by 1 or less"

    def test_star_cannot_rise_above_its_maximum(self) -> None:
        table = lay(sheet(star=3))

        done = table.do("GM", "star", target="Ash", change=5)

        assert done.notes == ("Star 3 → 4 of 4", "Ash can't have more than 4.")
        assert table.refused("GM", "star", target="Ash", change=1).what == "Ash already has full Star (4)."
        assert table.refused("GM", "star", target="Ash", change=0).what == "Give a change other than 0."

    def test_the_gm_sets_the_maximum_of_star(self) -> None:
        table = lay(sheet(star=3))

        table.do("GM", "attributes", target="Ash", star=6)
        assert value(table, "Ash", "Star") == 3
        table.do("GM", "attributes", target="Ash", star=2)
        assert value(table, "Ash", "Star") == 2
        table.do("GM", "attributes", target="Bram", star=6)
        assert value(table, "Bram", "Star") == 6

    def test_star_has_a_lowest_number(self) -> None:
        table = lay(sheet(star=-995))

        assert table.do("GM", "star", target="Ash", change=-20).notes[0] == "Star −995 → −1000 of 4"
        assert "the lowest Star there can be" in table.refused("GM", "star", target="Ash", change=-1).what

    def test_a_trait_can_raise_star(self) -> None:
        table = lay(sheet(star=1, benefits=[gear("Banner", star=1)]))

        assert value(table, "Ash", "Star") == 2
        assert lines(table, "Ash", "Attributes · proficiencies")[4] == "Star 1 of 4 (+1 Banner) = 2 · −2"


@pytest.mark.rule("SWARM-ATTR-10")
class TestStarAtNought:
    def test_a_character_at_zero_star_is_defeated_until_it_rises(self) -> None:
        table = lay(sheet(star=1))

        down = table.do("GM", "star", target="Ash", change=-1)
        assert down.notes == ("Star 1 → 0 of 4", "Ash is defeated and demoralised.")
        assert lines(table, "Ash", "State") == ("Defeated and demoralised: no tests",)
        assert lines(table, "Ash", "Attributes · proficiencies")[4] == "Star 0 of 4 · too low to use"

        up = table.do("GM", "star", target="Ash", change=1)
        assert up.notes == ("Star 0 → 1 of 4", "Ash is no longer defeated.")
        assert lines(table, "Ash", "State") == ()

    @pytest.mark.parametrize(
        ("procedure", "options"),
        [
            ("test", {"attribute": "Mallet"}),
            ("versus", {"attribute": "Shield", "value": 1}),
            ("obstacle", {"obstacle": "1"}),
            ("proficiency", {"proficiency": "Architecture", "difficulty": "6"}),
        ],
    )
    def test_defeated_characters_cannot_make_tests(self, procedure: str, options: dict[str, object]) -> None:
        mistake = lay(sheet(star=0)).refused("Ash", procedure, **options)

        assert mistake.what == "Ash is defeated (Star 0) and can't make tests."

    def test_the_gm_can_force_a_defeated_character_and_others_can_test_against_it(self) -> None:
        table = lay(sheet(star=0))

        assert fell(table.do("GM Ash", "test", "d6:1", attribute="Mallet", forced=True)) == "success"
        assert fell(table.do("Bram", "versus", "d6:5", attribute="Mallet", target="Ash")) == "success"

    def test_putting_away_what_raised_star_can_defeat_a_character(self) -> None:
        table = lay(sheet(star=0, benefits=[gear("Banner", star=1)]))

        dropped = table.do("Ash", "use", name="Banner", in_use=False)

        assert dropped.notes == ("Ash: Star 1 → 0", "Ash is defeated and demoralised.")


@pytest.mark.rule("SWARM-ATTR-11")
class TestStarBelowNought:
    def test_star_below_zero_tells_the_gm_of_the_risk_of_death(self) -> None:
        table = lay(sheet(star=0))

        worse = table.do("GM", "star", target="Ash", change=-1)
        assert worse.notes == (
            "Star 0 → −1 of 4",
            "Star is below 0: Ash risks death. GM: you decide what happens.",
        )
        assert lines(table, "Ash", "State") == ("Defeated and demoralised: no tests", "Risks death")
        assert lines(table, "Ash", "Attributes · proficiencies")[4] == "Star −1 of 4 · too low to use"

        better = table.do("GM", "star", target="Ash", change=1)
        assert better.notes == ("Star −1 → 0 of 4", "Ash no longer risks death.")

    def test_a_fall_from_above_zero_reports_defeat_and_risk_of_death(self) -> None:
        done = lay(sheet(star=1)).do("GM", "star", target="Ash", change=-2)

        assert len(done.notes) == 3


@pytest.mark.rule("SWARM-ATTR-12")
class TestShield:
    def test_shield_starts_at_zero_and_any_roll_beats_it(self, table: GameTable) -> None:
        assert SwarmAttribute.SHIELD.meaning == "protection from harm"
        assert fell(table.do("Ash", "versus", "d6:1", attribute="Shield", target="Bram")) == "success"

    def test_armour_raises_shield(self) -> None:
        table = lay(sheet(benefits=[MAIL]))

        done = table.do("Bram", "versus", "d6:3", attribute="Shield", target="Ash")

        assert done.rolls[0].against == "Ash's Shield 3: 4 or more"
        assert fell(done) == "failure"


@pytest.mark.rule("SWARM-ATTR-13")
class TestBoots:
    def test_boots_start_at_six(self, table: GameTable) -> None:
        assert SwarmAttribute.BOOTS.meaning == "movement on the table"
        assert lines(table, "Ash", "Attributes · proficiencies")[6] == "Boots 6 (1) · +2"

    def test_a_load_reduces_boots(self, table: GameTable) -> None:
        done = table.do("GM", "load", target="Ash", reduction=2)

        assert done.headline == "sets Ash's load to 2"
        assert done.notes == ("Ash: Boots 6 (1) → 4",)
        assert lines(table, "Ash", "Attributes · proficiencies")[6] == "Boots 6 (−2 load) = 4 · +0"

    def test_a_heavy_load_stops_all_movement(self, table: GameTable) -> None:
        table.do("GM", "load", target="Ash", reduction=7)

        assert value(table, "Ash", "Boots") == 0
        assert table.refused("Ash", "test", attribute="Boots")


def test_every_row_of_the_tables_has_its_source() -> None:
    assert all(rule.ids for rule in RULESET.glossary)
    assert isinstance(RULESET.creation.npc(), Document)


@pytest.mark.rule("SWARM-MOD-01")
class TestOnOnesOwnAttribute:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-MOD-01"))
    def test_modifiers_change_an_own_attribute_within_zero_and_ten(self, row: dict[str, Any]) -> None:
        roll = rolled_attribute(row)

        assert roll.outcome == row["result"]
        assert (roll.terms, roll.total) == ((), None)

    def test_the_changed_attribute_is_shown(self, table: GameTable) -> None:
        done = table.do("Ash", "test", "d6:5", attribute="Key", bonus=2)

        assert done.rolls[0].against == "Key 3 + 2 = 5: 5 or less"
        assert done.notes == ()

    def test_a_bonus_can_create_a_confirm_attribute(self, table: GameTable) -> None:
        done = table.do("Ash", "test", "d6:6 d6:1", attribute="Runes", bonus=1)

        assert done.rolls[0].against == "Runes 5 + 1 = 6 (1): a 6 is confirmed by 1 or less"
        assert done.notes == ("A natural 6, confirmed: 1 is at or below 1.",)


@pytest.mark.rule("SWARM-MOD-02")
class TestAgainstAnOpponentOrObstacle:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-MOD-02"))
    def test_modifiers_change_the_die_against_an_opponent(self, row: dict[str, Any]) -> None:
        roll = rolled_attribute(row)

        assert (roll.outcome, roll.total) == (row["result"], row["total"])

    def test_the_sum_against_an_opponent_is_shown(self, table: GameTable) -> None:
        done = table.do("Ash", "versus", "d6:5", attribute="Shield", value=6, more="+2 high ground")

        assert done.rolls[0].terms == (Term("high ground", 2),)
        assert done.notes == ()


@pytest.mark.rule("SWARM-MOD-03")
class TestOne:
    @pytest.mark.parametrize("value", [1, 4, -4])
    def test_a_modifier_is_worth_one_to_four(self, value: int) -> None:
        assert read_modifiers(value, "") == (Modifier(value=value),)

    @pytest.mark.parametrize("value", [5, -5])
    def test_a_larger_modifier_is_rejected(self, value: int) -> None:
        with pytest.raises(ValidationError):
            Modifier(value=value)

    @pytest.mark.parametrize("typed", ["+5", "-5 mud", "−17"])
    def test_a_larger_typed_modifier_is_rejected(self, typed: str) -> None:
        with pytest.raises(UserErrors, match="a penalty −1 to −4"):
            read_modifiers(0, typed)

    def test_every_modifier_out_of_range_is_reported(self) -> None:
        with pytest.raises(UserErrors) as told:
            read_modifiers(0, "+5 rope +1 cover -9 mud")

        assert [sentence.split()[0] for sentence in told.value.problems] == ["+5", "−9"]

    def test_a_modifier_of_zero_is_ignored(self) -> None:
        assert read_modifiers(0, "+0 nothing") == ()

    @pytest.mark.parametrize(
        ("typed", "found"),
        [
            ("+2 high ground −1 dark", [(2, "high ground"), (-1, "dark")]),
            ("+1, -2", [(1, ""), (-2, "")]),
            ("+ 3 half-cover", [(3, "half-cover")]),
            ("+4 aim −4 dark", [(4, "aim"), (-4, "dark")]),
            ("  ", []),
        ],
    )
    def test_several_modifiers_are_typed_with_their_sources(
        self, typed: str, found: list[tuple[int, str]]
    ) -> None:
        assert [(one.value, one.label) for one in read_modifiers(0, typed)] == found

    @pytest.mark.parametrize("typed", ["cover", "2 cover", "cover +2", "++2"])
    def test_an_unreadable_modifier_is_refused(self, typed: str) -> None:
        with pytest.raises(UserError, match="isn't a bonus or a penalty"):
            read_modifiers(0, typed)


@pytest.mark.rule("SWARM-MOD-04")
class TestTogether:
    @pytest.mark.parametrize("row", vectors("net", "SWARM-MOD-04"))
    def test_the_sum_of_modifiers_is_limited_to_four(self, row: dict[str, Any]) -> None:
        assert net(Modifier(value=value) for value in row["sources"]) == row["net"]

    def test_a_limited_sum_is_reported(self, table: GameTable) -> None:
        done = table.do("Ash", "versus", "d6:1", attribute="Shield", value=4, bonus=3, more="+3 aim")

        assert done.rolls[0].terms == (Term("modifiers", 4),)
        assert done.notes == ("Bonuses and penalties add up to +6; the limit is +4.",)

    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-MOD-04"))
    def test_equipment_is_outside_the_limit(self, row: dict[str, Any]) -> None:
        table = lay(sheet(key=3, benefits=[gear("Gloves", key=2)]))
        script = " ".join(f"d6:{face}" for face in row["dice"].split())

        done = table.do("Ash", "test", script, attribute="Key", bonus=4)

        assert fell(done) == row["result"]
        assert done.rolls[0].against == "Key 5 + 4 = 9 (4): a 6 is confirmed by 4 or less"


_ARCHITECTURE = {"proficiency": "Architecture", "difficulty": "10"}


@pytest.fixture
def failed() -> GameTable:
    """Ash has failed with advantage in a fight, and may roll again."""
    table = lay()
    table.settings(adv_attribute="ask")
    table.do("GM", keys.START, others=("Ash", "Bram"))
    table.do("Ash", "test", "d6:5", attribute="Key", advantage=True)
    return table


@pytest.mark.rule("SWARM-TEST-07")
class TestRerolls:
    def test_f_opt_04_the_end_of_a_fight_lists_an_open_re_roll(self, failed: GameTable) -> None:
        asked = failed.do("GM", keys.END)

        assert asked.notes == ("Ash's re-roll of Key.",)
        assert [one.label for one in asked.follow_ups] == [
            "Roll again · 50%",
            "Keep the failure",
            "Settle it and end (GM)",
            "Waive it and end (GM)",
        ]

    def test_f_opt_04_settling_takes_the_re_roll(self, failed: GameTable) -> None:
        asked = failed.do("GM", keys.END)

        ended = failed.press("GM", asked.follow_ups[-2], "d6:2")

        assert ended.notes[0] == "Ash's re-roll of Key: success."
        assert ended.headline == "ends the fight before the first round"

    def test_f_opt_04_the_end_of_a_session_takes_a_harmless_re_roll(self, failed: GameTable) -> None:
        assert [one.lapses for one in RULESET.unsettled(failed.scene)] == [True]

        done = settle_all(failed.scene, RULESET.unsettled, ScriptedDice("d6:2"))

        assert done.notes == (
            "Ash's re-roll of Key: success.",
            "The second result stands.",
        )
        assert RULESET.unsettled(done.scene) == ()


@pytest.mark.rule("SWARM-TEST-07", "SWARM-PROF-08", "SWARM-CONF-05")
class TestWaiting:
    """Left alone, a re-roll does what can't harm: SWARM-R04 and SWARM-R21."""

    @pytest.mark.parametrize(
        ("procedure", "dice", "automatic"),
        [
            ("test", "d6:5", "reroll"),
            ("proficiency", "d6:1 d6:1", "reroll"),
            ("proficiency", "d6:1 d6:2", "keep"),
            ("proficiency", "d6:2 d6:2", "keep"),
        ],
    )
    def test_what_cannot_become_worse_is_rolled_again_and_all_else_kept(
        self, procedure: str, dice: str, automatic: str
    ) -> None:
        table = lay()
        table.settings(adv_attribute="ask", adv_proficiency="ask", reroll_seconds=40)
        tested = {"attribute": "Key"} if procedure == "test" else _ARCHITECTURE
        asked = table.do("Ash", procedure, dice, advantage=True, **tested)

        assert {one.procedure: one.after_seconds for one in asked.follow_ups} == {
            "reroll": None,
            "keep": None,
            automatic: 40,
        }

    def test_without_a_time_limit_a_re_roll_waits_for_its_player(self) -> None:
        table = lay()
        table.settings(adv_attribute="ask", reroll_seconds=0)
        asked = table.do("Ash", "test", "d6:5", attribute="Key", advantage=True)

        assert [one.after_seconds for one in asked.follow_ups] == [None, None]

    def test_a_failed_confirm_is_rolled_again_whole_and_shown(self) -> None:
        table = lay()
        table.settings(adv_attribute="ask")
        asked = table.do("Ash", "test", "d6:6 d6:2", attribute="Boots", advantage=True)
        again = table.press("Ash", asked.follow_ups[0], "d6:3")

        assert [die.face for die in again.rolls[0].earlier] == [6, 2]
        assert str(again.rolls[0].outcome) == "success"

    @pytest.mark.parametrize(
        ("edge", "dice", "said"),
        [
            ("advantage", "d6:5 d6:2", True),
            ("advantage", "d6:2", False),
            ("disadvantage", "d6:2 d6:5", True),
            ("disadvantage", "d6:5", False),
        ],
    )
    def test_a_second_roll_is_explained(self, edge: str, dice: str, said: bool) -> None:
        done = lay().do("Ash", "test", dice, attribute="Key", **{edge: True})
        notes = [one for one in done.notes if one.startswith(f"{edge.capitalize()} re-rolled")]

        assert bool(notes) is said


def test_a_new_round_starts_after_the_last_turn() -> None:
    table = lay()
    table.do("GM", keys.START, others=("Ash", "Bram"))
    begun = table.do("GM", keys.NEXT)
    first, second = table.do("GM", keys.NEXT), table.do("GM", keys.NEXT)

    assert begun.verdict is not None
    assert begun.verdict.title == "Ash acts"
    assert [one.notes[:1] == ("Round 2 starts.",) for one in (first, second)] == [False, True]
