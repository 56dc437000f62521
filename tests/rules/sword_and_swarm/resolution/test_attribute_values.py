"""The seven attributes: what changes them, and what they mean at nought and below."""

import pytest
from pydantic import ValidationError

from bot.rules.kernel import Document
from bot.rules.sword_and_swarm import RULESET
from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.character.sheet import SwarmSheet, actual
from bot.rules.sword_and_swarm.resolution.attribute_values import SwarmAttribute, with_confirm
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import fell, gear, lay, sheet

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
    def test_every_character_has_them_all(self) -> None:
        assert list(SwarmAttribute) == ["Mallet", "Key", "Runes", "Coronet", "Star", "Shield", "Boots"]
        with pytest.raises(ValidationError):
            SwarmSheet.model_validate({"base": {"Mallet": 3}})

    def test_shield_and_boots_have_a_start_and_the_others_must_be_set(self) -> None:
        starts = {
            str(attribute): attribute.start for attribute in SwarmAttribute if attribute.start is not None
        }
        problems = RULESET.creation.problems({}, SwarmSettings())

        assert starts == {"Shield": 0, "Boots": 6}
        assert [problem.sentence for problem in problems] == [
            f"Choose {name} from 0 to 10." for name in ("Mallet", "Key", "Runes", "Coronet", "Star")
        ]

    def test_there_is_no_other(self) -> None:
        model = RULESET.procedures["test"].options

        with pytest.raises(ValidationError):
            model.model_validate({"attribute": "Sword"})

    def test_the_gm_sets_them(self, table: GameTable) -> None:
        done = table.do("GM", "attributes", target="Ogre", coronet=1, shield=2)

        assert done.headline == "sets Ogre’s attributes: Coronet 1, Shield 2"
        assert done.notes == ("Ogre: Coronet 3 → 1 · Shield 0 → 2",)
        assert table.refused("GM", "attributes", target="Ogre").what == "No attribute is given."


@pytest.mark.rule("SWARM-ATTR-02")
class TestRange:
    @pytest.mark.parametrize("base", [{"Mallet": 10}, {"Mallet": 0}])
    def test_nought_to_ten(self, base: dict[str, int]) -> None:
        assert SwarmSheet.model_validate({"base": {**sheet().base, **base}})

    @pytest.mark.parametrize("base", [{"Mallet": 11}, {"Mallet": -1}])
    def test_nothing_else(self, base: dict[str, int]) -> None:
        with pytest.raises(ValidationError):
            SwarmSheet.model_validate({"base": {**sheet().base, **base}})

    def test_star_alone_may_be_below_nought_and_is_tested_as_nought(self) -> None:
        table = lay(sheet(star=-1))

        assert value(table, "Ash", "Star") == -1
        done = table.do("Bram", "versus", "d6:1", attribute="Star", target="Ash")
        assert done.rolls[0].against == "Ash’s Star 0: 1 or more"


@pytest.mark.rule("SWARM-ATTR-03")
class TestEquipmentAndTraits:
    def test_they_change_the_actual_attribute_with_its_confirm_and_modifier(self) -> None:
        table = lay(sheet(key=4, benefits=[GLOVES]))
        table.do("GM", "add_proficiency", name="Locks", attribute="Key")

        assert with_confirm(value(table, "Ash", "Key")) == "6 (1)"
        assert lines(table, "Ash", "Attributes")[1] == "Key 4 (+2 Gloves) = 6 (1) · proficiencies +2"
        done = table.do("Ash", "proficiency", "d6:3 d6:3", proficiency="Locks", difficulty="8")
        assert done.rolls[0].total == 8

    def test_only_while_they_are_in_use(self) -> None:
        table = lay(sheet(key=4, benefits=[GLOVES]))

        off = table.do("Ash", "use", name="gloves", in_use=False)
        assert (off.headline, off.notes) == ("no longer uses Gloves", ("Ash: Key 6 (1) → 4",))
        assert value(table, "Ash", "Key") == 4
        assert table.refused("Ash", "use", name="Gloves", in_use=False).what == "Gloves is not in use."

        on = table.do("Ash", "use", name="Gloves")
        assert (on.headline, on.notes) == ("uses Gloves", ("Ash: Key 4 → 6 (1)",))
        assert table.refused("Ash", "use", name="Gloves").what == "Gloves is in use already."

    def test_what_is_not_there_cannot_be_used(self, table: GameTable) -> None:
        mistake = table.refused("Ash", "use", name="Wings")

        assert mistake.sentences == ("There is no 'Wings' on the sheet.", "It has nothing.")

    def test_ten_is_the_end(self) -> None:
        assert value(lay(sheet(key=9, benefits=[gear("Claws", key=3)])), "Ash", "Key") == 10

    def test_the_gm_gives_and_takes_them(self, table: GameTable) -> None:
        given = table.do("GM", "give", target="Ash", name="Gloves", attribute="Key", amount=2)
        assert given.headline == "gives Ash Gloves (Key +2) (equipment)"
        assert given.notes == ("Ash: Key 3 → 5",)

        more = table.do("GM", "give", target="Ash", name="gloves", attribute="Mallet", amount=1, text="Red.")
        assert more.headline == "gives Ash Gloves (Key +2, Mallet +1) (equipment)"
        assert lines(table, "Ash", "Equipment") == ("Gloves (Key +2, Mallet +1) · Red.",)

        again = table.do("GM", "give", target="Ash", name="Gloves", attribute="Key", amount=1)
        assert again.headline == "gives Ash Gloves (Mallet +1, Key +1) (equipment)"
        assert table.refused("GM", "give", target="Ash", name="Gloves").what == "Ash has Gloves already."

        taken = table.do("GM", "take", target="Ash", name="GLOVES")
        assert (taken.headline, taken.notes) == (
            "takes Gloves from Ash",
            ("Ash: Mallet 5 → 4 · Key 4 → 3",),
        )

    def test_an_increase_takes_both_of_its_halves(self, table: GameTable) -> None:
        mistake = table.refused("GM", "give", target="Ash", name="Gloves", attribute="Key")

        assert mistake.what == "An increase takes an attribute and an amount."

    def test_the_campaigns_list_says_what_equipment_raises(self, table: GameTable) -> None:
        table.do("GM", "add_equipment", name="Chain mail", attribute="Shield", amount=3)

        table.do("GM", "give", target="Ash", name="chain mail")
        table.do("GM", "give", target="Bram", name="Chain mail", kind="trait")

        assert value(table, "Ash", "Shield") == 3
        assert value(table, "Bram", "Shield") == 0

    def test_a_sheet_has_room_for_fifty(self) -> None:
        table = lay(sheet(benefits=[gear(f"Pebble {number}") for number in range(50)]))

        mistake = table.refused("GM", "give", target="Ash", name="Another pebble")

        assert mistake.what == "A sheet has room for 50 pieces of equipment and traits."


@pytest.mark.rule("SWARM-ATTR-04")
class TestAttributeNought:
    def test_nothing_that_takes_it_can_be_done(self) -> None:
        table = lay(sheet(runes=0))

        own = table.refused("Ash", "test", attribute="Runes")
        proficiency = table.refused("Ash", "proficiency", proficiency="Architecture", difficulty="6")

        assert own.what == proficiency.what == "Ash has Runes 0 and cannot do anything that takes Runes."

    def test_unless_the_gm_forces_it(self) -> None:
        table = lay(sheet(runes=0))

        done = table.do(
            "GM Ash", "proficiency", "d6:6 d6:5", proficiency="Architecture", difficulty="8", forced=True
        )

        assert (done.rolls[0].total, fell(done)) == (8, "success")

    def test_a_player_forces_nothing(self, table: GameTable) -> None:
        assert table.refused("Ash", "test", attribute="Key", forced=True).what == "Only the GM forces a test."

    def test_others_may_test_against_it(self, table: GameTable) -> None:
        hit = table.do("Ash", "versus", "d6:1", attribute="Shield", target="Ogre")
        missed = table.do("Ash", "versus", "d6:2", attribute="Shield", target="Ogre", bonus=-2)

        assert (fell(hit), fell(missed)) == ("success", "failure")

    def test_a_penalty_down_to_nought_is_rolled_and_fails(self, table: GameTable) -> None:
        assert fell(table.do("Ash", "test", "d6:1", attribute="Key", bonus=-3)) == "failure"


@pytest.mark.rule("SWARM-ATTR-05")
class TestMallet:
    def test_it_is_strength_and_without_it_there_is_no_act_of_strength(self) -> None:
        assert SwarmAttribute.MALLET.meaning == "strength, athletics, endurance"
        assert lay(sheet(mallet=0)).refused("Ash", "test", attribute="Mallet")


@pytest.mark.rule("SWARM-ATTR-06")
class TestKey:
    def test_it_is_dexterity(self, table: GameTable) -> None:
        assert SwarmAttribute.KEY.meaning == "dexterity, precision, reflexes"
        assert fell(table.do("Ash", "test", "d6:3", attribute="Key")) == "success"


@pytest.mark.rule("SWARM-ATTR-07")
class TestRunes:
    def test_it_is_spirit_and_knowledge_and_governs_architecture(self) -> None:
        table = lay(sheet(runes=5, proficiencies={"Architecture": 0}))

        assert SwarmAttribute.RUNES.meaning == "spirit and knowledge"
        assert lines(table, "Ash", "Proficiencies") == ("Architecture 0 (Runes) · 2d6 +1",)


@pytest.mark.rule("SWARM-ATTR-08")
class TestCoronet:
    def test_it_is_leadership_and_shows_its_confirm(self) -> None:
        assert SwarmAttribute.CORONET.meaning == "leadership, respect, authority"
        assert lines(lay(sheet(coronet=7)), "Ash", "Attributes")[3] == "Coronet 7 (2) · proficiencies +2"


@pytest.mark.rule("SWARM-ATTR-09")
class TestStar:
    def test_it_is_morale_and_goes_down_and_up(self, table: GameTable) -> None:
        assert SwarmAttribute.STAR.meaning == "morale and vigour"

        lost = table.do("GM", "star", target="Ash", change=-2)
        assert lost.headline == "says that Ash loses 2 Star"
        assert lost.notes == ("Star 4 → 2 of 4",)
        assert lines(table, "Ash", "Attributes")[4] == "Star 2 of 4 · proficiencies −2"

        back = table.do("GM", "star", target="Ash", change=1)
        assert (back.headline, back.notes) == ("says that Ash regains 1 Star", ("Star 2 → 3 of 4",))

    def test_what_is_left_of_it_is_tested(self) -> None:
        done = lay(sheet(star=6, Star=8)).do("Ash", "test", "d6:6 d6:1", attribute="Star")

        assert done.rolls[0].against == "Star 6 (1): a 6 is confirmed by 1 or less"

    def test_nobody_gains_more_than_they_can_have(self) -> None:
        table = lay(sheet(star=3))

        done = table.do("GM", "star", target="Ash", change=5)

        assert done.notes == ("Star 3 → 4 of 4", "4 is the most that Ash can have.")
        assert (
            table.refused("GM", "star", target="Ash", change=1).what == "Ash has all of the 4 Star already."
        )
        assert table.refused("GM", "star", target="Ash", change=0).what == "A change of 0 changes nothing."

    def test_the_most_of_it_is_the_gms_to_set(self) -> None:
        table = lay(sheet(star=3))

        table.do("GM", "attributes", target="Ash", star=6)
        assert value(table, "Ash", "Star") == 3
        table.do("GM", "attributes", target="Ash", star=2)
        assert value(table, "Ash", "Star") == 2
        table.do("GM", "attributes", target="Bram", star=6)
        assert value(table, "Bram", "Star") == 6

    def test_numbers_end_somewhere(self) -> None:
        table = lay(sheet(star=-995))

        assert table.do("GM", "star", target="Ash", change=-20).notes[0] == "Star −995 → −1000 of 4"
        assert "as little Star as there can be" in table.refused("GM", "star", target="Ash", change=-1).what

    def test_a_trait_raises_it_too(self) -> None:
        table = lay(sheet(star=1, benefits=[gear("Banner", star=1)]))

        assert value(table, "Ash", "Star") == 2
        assert lines(table, "Ash", "Attributes")[4] == "Star 1 of 4 (+1 Banner) = 2 · proficiencies −2"


@pytest.mark.rule("SWARM-ATTR-10")
class TestStarAtNought:
    def test_one_is_defeated_and_no_longer_so(self) -> None:
        table = lay(sheet(star=1))

        down = table.do("GM", "star", target="Ash", change=-1)
        assert down.notes == ("Star 1 → 0 of 4", "Ash is defeated and demoralised.")
        assert lines(table, "Ash", "State") == ("Defeated and demoralised: no tests",)
        assert lines(table, "Ash", "Attributes")[4] == "Star 0 of 4 · cannot act with it"

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
    def test_the_defeated_make_no_tests(self, procedure: str, options: dict[str, object]) -> None:
        mistake = lay(sheet(star=0)).refused("Ash", procedure, **options)

        assert mistake.what == "Ash is defeated (Star 0) and makes no tests."

    def test_the_gm_may_force_one_and_others_may_test_against_them(self) -> None:
        table = lay(sheet(star=0))

        assert fell(table.do("GM Ash", "test", "d6:1", attribute="Mallet", forced=True)) == "success"
        assert fell(table.do("Bram", "versus", "d6:5", attribute="Mallet", target="Ash")) == "success"

    def test_losing_what_raised_it_counts(self) -> None:
        table = lay(sheet(star=0, benefits=[gear("Banner", star=1)]))

        dropped = table.do("Ash", "use", name="Banner", in_use=False)

        assert dropped.notes == ("Ash: Star 1 → 0", "Ash is defeated and demoralised.")


@pytest.mark.rule("SWARM-ATTR-11")
class TestStarBelowNought:
    def test_death_is_near_and_the_gm_is_told(self) -> None:
        table = lay(sheet(star=0))

        worse = table.do("GM", "star", target="Ash", change=-1)
        assert worse.notes == (
            "Star 0 → −1 of 4",
            "Star is below 0: Ash risks death. GM, what comes of it is your word.",
        )
        assert lines(table, "Ash", "State") == ("Defeated and demoralised: no tests", "Risks death")
        assert lines(table, "Ash", "Attributes")[4] == "Star −1 of 4 · cannot act with it"

        better = table.do("GM", "star", target="Ash", change=1)
        assert better.notes == ("Star −1 → 0 of 4", "Ash no longer risks death.")

    def test_from_above_both_are_told(self) -> None:
        done = lay(sheet(star=1)).do("GM", "star", target="Ash", change=-2)

        assert len(done.notes) == 3


@pytest.mark.rule("SWARM-ATTR-12")
class TestShield:
    def test_it_starts_at_nought_and_nothing_is_needed_to_get_through(self, table: GameTable) -> None:
        assert SwarmAttribute.SHIELD.meaning == "protection from harm"
        assert fell(table.do("Ash", "versus", "d6:1", attribute="Shield", target="Bram")) == "success"

    def test_armour_raises_it(self) -> None:
        table = lay(sheet(benefits=[MAIL]))

        done = table.do("Bram", "versus", "d6:3", attribute="Shield", target="Ash")

        assert done.rolls[0].against == "Ash’s Shield 3: 4 or more"
        assert fell(done) == "failure"


@pytest.mark.rule("SWARM-ATTR-13")
class TestBoots:
    def test_it_starts_at_six(self, table: GameTable) -> None:
        assert SwarmAttribute.BOOTS.meaning == "movement on the table"
        assert lines(table, "Ash", "Attributes")[6] == "Boots 6 (1) · proficiencies +2"

    def test_a_load_takes_from_it(self, table: GameTable) -> None:
        done = table.do("GM", "load", target="Ash", reduction=2)

        assert done.headline == "says that Ash’s load takes 2 off Boots"
        assert done.notes == ("Ash: Boots 6 (1) → 4",)
        assert lines(table, "Ash", "Attributes")[6] == "Boots 6 (−2 load) = 4 · proficiencies +0"

    def test_too_much_of_it_and_one_cannot_move(self, table: GameTable) -> None:
        table.do("GM", "load", target="Ash", reduction=7)

        assert value(table, "Ash", "Boots") == 0
        assert table.refused("Ash", "test", attribute="Boots")


def test_every_row_of_the_tables_has_its_source() -> None:
    assert all(rule.ids for rule in RULESET.glossary)
    assert isinstance(RULESET.creation.npc(), Document)
