"""GM decisions, opponents' records, gear handed out, and new rows of the lists."""

from typing import Any

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.catalogue import read_tags
from bot.rules.compare_roll.sheet import CompareSettings
from bot.rules.compare_roll.suggesting import SUGGESTION_LISTS
from bot.rules.kernel.errors import UserError
from tests.rules.compare_roll.play import (
    FAILURE,
    SUCCESS,
    GameTable,
    fall,
    foe,
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


@pytest.mark.rule("CMP-GM-01")
class TestGmDecisions:
    def test_the_gm_sets_numbers_within_their_limits(self, table: GameTable) -> None:
        done = table.do("GM", "fate", target="Ash", hp=50)
        assert done.notes == ("Ash can't have more than 32 HP.",)
        table.do("GM", "fate", target="Ash", hp=5, high=9 - 5)
        assert (table.hp("Ash"), table.points("Ash", "high")) == (5, 4)
        assert table.do("GM", "fate", target="Ash", high=3).notes == (
            "High is capped at 5; 2 points are lost.",
        )

    def test_the_gm_may_force_an_outcome(self, table: GameTable) -> None:
        done = table.do("GM Ash", "luck", FAILURE, outcome="Success")
        assert done.verdict is not None
        assert done.verdict.title == "Success, set by the GM"
        assert table.points("Ash", "stress") == 0

    @pytest.mark.rule("CMP-COM-12")
    def test_only_the_gm_sees_a_foes_record(self, table: GameTable) -> None:
        done = table.do(
            "GM",
            "foe",
            target="Ogre",
            hp=12,
            fortitude=3,
            rating=4,
            attack=2,
            movement=5,
            weapon="Baseball Bat",
        )
        assert done.notes == ("HP 12/12 · FT 3/3", "Rating: +4 · attack +2 · movement 5 · Baseball Bat")
        assert not done.is_public
        table.do("GM", "foe", target="Wolf")
        assert (
            table.do("GM", "look", target="Wolf").notes[1]
            == "Rating: the campaign's default · attack +0 · movement 6 · Unarmed"
        )
        assert table.do("GM", "look", target="Ash").notes == ("HP 32/32 · FT 14/14",)
        assert "is a player's" in table.refused("GM", "foe", target="Ash")

    def test_a_hyphen_in_a_foes_weapon_is_no_minus(self, table: GameTable) -> None:
        table.settings(weapons=[{"name": "Nine-Ring Blade", "damage": "Light", "distance": "Room"}])

        done = table.do("GM", "foe", target="Ogre", attack=-2, movement=5, weapon="Nine-Ring Blade")

        assert done.notes[1] == "Rating: the campaign's default · attack −2 · movement 5 · Nine-Ring Blade"

    @pytest.mark.rule("CMP-COM-12", "CMP-FT-02")
    def test_a_foes_fortitude_wears_down_like_a_players(self) -> None:
        table = lay_table(Ash=sheet({"STR": 20}), Ogre=foe(hp=10, ft_max=2))
        table.do("Ash", "attack", f"{SUCCESS} d4:2", targets=("Ogre",))
        assert (table.hp("Ogre"), table.ft("Ogre")) == (10, "1/2")
        table.do("Ash", "attack", f"{SUCCESS} d4:4", targets=("Ogre",))
        assert (table.hp("Ogre"), table.ft("Ogre")) == (7, "1/2")

    @pytest.mark.rule("CMP-EQ-08", "CMP-CHAR-01")
    def test_the_gm_hands_out_and_takes_gear(self, table: GameTable) -> None:
        table.do("GM", "give", target="Ash", thing="ammunition", count=2)
        assert table.points("Ash", "ammunition") == 8
        table.do("GM", "give", target="Ash", thing="Ammunition", count=-5)
        assert table.points("Ash", "ammunition") == 0
        table.do("GM", "give", target="Ash", thing="Pistol", level=2)
        assert table.sheet("Ash").weapons[0].shots == 10
        table.do("GM", "give", target="Ash", thing="Pistol", level=3)
        table.do("GM", "give", target="Ash", thing="Revolver")
        assert [one.level for one in table.sheet("Ash").weapons] == [3, 1]
        table.do("GM", "give", target="Ash", thing="pistol", count=-1)
        table.do("GM", "give", target="Ash", thing="Grenade", count=3)
        table.do("GM", "give", target="Ash", thing="Light Armor")
        table.do("Ash", "equip", armour="Light Armor")
        assert table.do("GM", "give", target="Ash", thing="Light Armor", count=-1).headline == (
            "takes Light Armor from Ash"
        )
        assert (table.sheet("Ash").armour, len(table.sheet("Ash").weapons)) == ("", 1)
        assert "no weapon" in table.refused("GM", "give", target="Ash", thing="Moon")
        assert "other than 0" in table.refused("GM", "give", target="Ash", thing="Stim", count=0)


@pytest.mark.rule("CMP-GM-02")
class TestCampaignLists:
    def test_the_gm_adds_a_weapon_by_its_tags(self, table: GameTable) -> None:
        table.do("GM", "add_weapon", name="Rail Gun", tags="Tech, Piercing, Far", level=2)
        table.do("GM", "give", target="Ash", thing="rail gun")
        table.do(
            "Ash",
            "attack",
            f"{fall((6, 5), (1, 1))} d10:3 d10:4",
            targets=("Ogre", "Wolf"),
            distance="100, 300",
        )
        assert (table.hp("Ogre"), table.hp("Wolf")) == (23, 23)
        table.do(
            "GM",
            "add_weapon",
            name="rail gun",
            tags="heavy far",
            extra="+1d6",
            requires="Mechanics 2",
            burn=6,
            reload=3,
        )
        assert len(RULESET.settings.model_validate(table.scene.settings.model_dump()).weapons) == 1  # type: ignore[attr-defined]  # our settings

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({"tags": "Magic, Far"}, "There is no tag “Magic”."),
            ({"tags": "Light"}, "A weapon needs a damage tag and a distance tag."),
            ({"tags": "Light Far", "extra": "many"}, "“many” can't be read as dice."),
            ({"tags": "Light Far", "extra": "0d6"}, "“0d6” can't be read as dice."),
            ({"tags": "Light Far", "requires": "Mechanics"}, "“Mechanics” isn't a requirement."),
        ],
    )
    def test_weapon_tags_that_cannot_be_read_are_refused(
        self, table: GameTable, options: dict[str, Any], told: str
    ) -> None:
        assert table.refused("GM", "add_weapon", name="Thing", **options) == told

    def test_weapon_tags_may_stand_in_any_order(self) -> None:
        assert read_tags("arc room TECH") == ("Tech", "Room", "Arc")
        with pytest.raises(UserError, match="no tag"):
            read_tags("")

    def test_a_skill_added_for_everybody_uses_no_custom_skill_slot(self, table: GameTable) -> None:
        table.do("GM", "add_skill", category="technical", name="Hacking")
        assert "already" in table.refused("GM", "add_skill", category="Technical", name="hacking")
        assert "Technical/Hacking" in SUGGESTION_LISTS["skill"](None, table.scene.settings)
        table.do("Ash", "check", FAILURE, skill="Hacking")

    def test_the_gm_adds_a_difficulty_and_an_item(self, table: GameTable) -> None:
        table.do("GM", "add_difficulty", name="Brutal", number=10)
        assert "Brutal (+10)" in table.do("Ash", "luck", FAILURE, difficulty="brutal").headline
        table.do("GM", "add_difficulty", name="brutal", number=11)
        table.do("GM", "add_item", name="Quiver", kind="ammunition", charges=6)
        table.do("GM", "add_item", name="Plate", kind="armour", fortitude=8, movement=-3)
        table.do("GM", "give", target="Ash", thing="Quiver")
        table.do("GM", "give", target="Ash", thing="Plate")
        table.do("Ash", "equip", armour="plate")
        assert (table.points("Ash", "ammunition"), table.ft("Ash")) == (6, "22/22")

    def test_option_fields_suggest_names_from_the_lists(self) -> None:
        made = sheet(
            None, {"Social/Etiquette": 1}, items=[{"name": "Stim"}, {"name": "Light Armor"}, {"name": "Moon"}]
        )
        ash, settings = lay_table(Ash=made).named("Ash"), CompareSettings()
        offered = {kind: list(offer(ash, settings)) for kind, offer in SUGGESTION_LISTS.items()}

        assert offered["skill"][0] == "Social/Etiquette"
        assert (offered["remedy"], offered["armour"], offered["weapon"]) == (
            ["Stim"],
            ["Light Armor"],
            ["Unarmed"],
        )
        assert offered["category"][0] == "Physical"
        assert offered["difficulty"][-1] == "Impossible"
        assert {"Pistol", "Stim"} <= set(offered["thing"])
        assert "Stim" not in offered["any_weapon"]
        assert [list(SUGGESTION_LISTS[kind](None, settings)) for kind in ("remedy", "weapon")] == [[], []]
