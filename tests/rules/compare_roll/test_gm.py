"""What a GM decides and what a campaign lists."""

from typing import Any

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.catalogue import own_skills, weapon_named
from bot.rules.compare_roll.compare_gm import FOES, RECORDS, read_tags
from bot.rules.compare_roll.sheet import CompareSettings, CompareStatus
from bot.rules.compare_roll.sheet_text import SUGGESTION_LISTS
from bot.rules.kernel import evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel
from tests.rules.compare_roll.play import (
    FAILURE,
    SUCCESS,
    GameTable,
    fall,
    foe,
    lay_table,
    sheet,
)


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
        assert done.verdict.title == "Success (set by the GM)"
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
        assert "is a player's" in table.why("GM", "foe", target="Ash")

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
        assert "no weapon" in table.why("GM", "give", target="Ash", thing="Moon")
        assert "other than 0" in table.why("GM", "give", target="Ash", thing="Stim", count=0)

    @pytest.mark.rule("CMP-EQ-08", "CMP-WPN-09")
    @pytest.mark.parametrize(
        ("had", "thing", "count", "told", "has"),
        [
            (0, "Stim", 1, "gives Stim to Ash", 1),
            (0, "Stim", 3, "gives 3 × Stim to Ash", 3),
            (3, "Stim", -1, "takes Stim from Ash", 2),
            (3, "Stim", -2, "takes 2 × Stim from Ash", 1),
            (2, "Stim", -5, "takes 2 × Stim from Ash", 0),
            (0, "Ammunition", 1, "gives Ammunition to Ash", 4),
            (1, "Ammunition", 2, "gives 2 × Ammunition to Ash", 9),
            (5, "Ammunition", -1, "takes Ammunition from Ash", 1),
            (4, "Ammunition", -1, "takes Ammunition from Ash", 0),
            (3, "Ammunition", -1, "takes the last Ammunition from Ash", 0),
            (9, "Ammunition", -2, "takes 2 × Ammunition from Ash", 1),
            (1, "Ammunition", -1, "takes the last Ammunition from Ash", 0),
            (1, "Ammunition", -9, "takes the last Ammunition from Ash", 0),
        ],
    )
    def test_what_is_given_and_taken_is_counted(
        self, had: int, thing: str, count: int, told: str, has: int
    ) -> None:
        table = lay_table(
            Ash=sheet(items=[{"name": "Stim", "count": had}] if thing == "Stim" and had else [])
        )
        table.set("Ash", ammunition=had)

        assert table.do("GM", "give", target="Ash", thing=thing, count=count).headline == told
        left = table.sheet("Ash").belonging("Stim")
        stims = left.count if left else 0
        assert (stims if thing == "Stim" else table.points("Ash", "ammunition")) == has

    @pytest.mark.parametrize("thing", ["Stim", "Ammunition", "Pistol"])
    def test_nothing_is_taken_from_who_has_none(self, table: GameTable, thing: str) -> None:
        assert table.why("GM", "give", target="Ash", thing=thing, count=-1) == f"Ash has no {thing}."

    @pytest.mark.parametrize(("kept", "armour"), [(2, "Light Armor"), (1, "")])
    def test_only_the_last_armour_taken_is_taken_off(self, kept: int, armour: str) -> None:
        items = [{"name": "Light Armor", "count": kept}, {"name": "Stim", "count": 1}]
        table = lay_table(Ash=sheet(items=items, armour="Light Armor"))
        table.do("GM", "give", target="Ash", thing="Stim", count=-1)
        table.do("GM", "give", target="Ash", thing="Light Armor", count=-1)
        assert table.sheet("Ash").armour == armour

    @pytest.mark.parametrize(("armour", "left"), [(1, ""), (2, "Light Armor")])
    def test_only_the_last_armour_handed_over_is_taken_off(self, armour: int, left: str) -> None:
        items = [{"name": "Light Armor", "count": armour}, {"name": "Stim", "count": 1}]
        table = lay_table(Ash=sheet(items=items, armour="Light Armor"))
        table.do("Ash", "hand", thing="Stim", target="Bram")
        assert table.sheet("Ash").armour == "Light Armor"
        table.do("Ash", "hand", thing="light armor", target="Bram")
        assert table.sheet("Ash").armour == left

    @pytest.mark.rule("CMP-CHAR-05")
    @pytest.mark.parametrize(
        ("amount", "told", "has"),
        [(1, "earns 1 Assets", 51), (-1, "spends 1 Assets", 49), (-50, "spends 50 Assets", 0)],
    )
    def test_assets_are_earned_and_spent_down_to_0(self, amount: int, told: str, has: int) -> None:
        table = lay_table()
        table.set("Ash", assets=50)
        assert table.do("Ash", "money", amount=amount).headline == told
        assert table.points("Ash", "assets") == has
        assert "only" in table.why("Ash", "money", amount=-has - 1)

    @pytest.mark.rule("CMP-CHAR-05")
    def test_what_is_counted_moves_from_one_to_the_other(self, table: GameTable) -> None:
        table.set("Ash", assets=50, ammunition=3)
        table.set("Bram", assets=7)
        table.do("Ash", "hand", thing="Assets", target="Bram", count=20)
        assert (
            table.do("Ash", "hand", thing="Ammunition", target="Bram").headline
            == "hands 1 Ammunition to Bram"
        )
        assert [table.points(who, "assets") for who in ("Ash", "Bram")] == [30, 27]
        assert [table.points(who, "ammunition") for who in ("Ash", "Bram")] == [2, 1]

    @pytest.mark.rule("CMP-SKILL-08")
    def test_awards_say_what_is_left_to_spend(self, table: GameTable) -> None:
        done = table.do("GM", "award", target="Ash", skill_points=1, stat_points=2)
        assert done.notes == ("Now 1 skill point and 2 stat points to spend.",)
        assert done.awards == (("Skill points", 1), ("Stat points", 2))
        assert table.do("GM", "award", target="Ash", skill_points=1).awards == (("Skill points", 1),)
        assert "Give skill points" in table.why("GM", "award", target="Ash")

    @pytest.mark.rule("CMP-SKILL-08")
    @pytest.mark.parametrize("rule", RULESET.awards, ids=lambda rule: rule.key)
    def test_awarded_points_are_taken_back_down_to_0(self, rule: Any) -> None:
        made = sheet(skill_points=2, stat_points=2)
        left = [getattr(rule.give(made, points), rule.key) for points in (3, -1, -2)]
        assert left == [5, 1, 0]
        with pytest.raises(UserError, match="more points than are left"):
            rule.give(made, -3)

    @pytest.mark.rule("CMP-GM-01", "CMP-DEATH-03")
    def test_the_gm_revives_only_the_dead(self) -> None:
        table = lay_table(Ash=sheet(status="dead"))
        table.set("Ash", hp=0)
        assert "at least one option" in table.why("GM", "fate", target="Ash")
        assert "isn't dead" in table.why("GM", "fate", target="Bram", revive=True)
        revived = table.do("GM", "fate", target="Ash", revive=True)
        assert revived.headline == "revives Ash"
        assert table.sheet("Ash").status is CompareStatus.STABLE
        table.do("GM", "fate", target="Ash", hp=1)
        assert (table.sheet("Ash").status, table.hp("Ash")) == (CompareStatus.ACTIVE, 1)

    @pytest.mark.rule("CMP-COM-12")
    def test_a_record_keeps_what_is_not_set_and_gets_each_weapon_once(self) -> None:
        table = lay_table(Ogre=foe(hp=20, rating=3, attack=2))
        table.do("GM", "foe", target="Ogre", weapon="Pistol")
        table.do("GM", "foe", target="Ogre", weapon="Revolver")
        table.do("GM", "foe", target="Ogre", fortitude=2, weapon="Pistol")
        record = table.sheet("Ogre").foe
        assert record is not None
        assert (record.hp, record.rating, record.attack, record.ft_max) == (20, 3, 2, 2)
        assert [one.name for one in table.sheet("Ogre").weapons] == ["Pistol", "Revolver"]

    @pytest.mark.rule("CMP-COM-12", "CMP-ROLL-02")
    def test_a_better_foe_is_hardier_and_better_armed(self) -> None:
        settings = CompareSettings()
        made = [FOES.make(level, settings) for level in FoeLevel]
        armed = [
            FOES.give(one, level, ["Pistol"], settings) for one, level in zip(made, FoeLevel, strict=True)
        ]

        assert [one.foe for one in made] == list(RECORDS.values())
        assert [(one.hp, one.hp_max, one.ft_max, one.rating, one.attack) for one in RECORDS.values()] == [
            (6, 6, 0, 0, -1),
            (12, 12, 1, 2, 0),
            (20, 20, 2, 4, 2),
            (35, 35, 4, 6, 4),
        ]
        assert [one.weapons[0].level for one in armed] == [1, 2, 3, 4]
        hurt = made[2].changed(foe=evolve(RECORDS[FoeLevel.STRONG], hp=1), ft_lost=2)
        assert FOES.fresh(hurt) == made[2]


@pytest.mark.rule("CMP-GM-02")
class TestCampaignLists:
    @staticmethod
    def completed(key: str, row: dict[str, Any], before: dict[str, Any] | None = None) -> dict[str, Any]:
        settings = CompareSettings.model_validate({"skills": [{"category": "Technical", "name": "Hacking"}]})
        (edited,) = [one for one in RULESET.lists if one.key == key]
        return dict(edited.complete(settings, before, row))

    @pytest.mark.parametrize(
        ("row", "before", "is_new"),
        [
            ({"category": "Technical", "name": "hacking"}, None, False),
            ({"category": "Social", "name": "Hacking"}, None, True),
            ({"category": "Physical", "name": "Balance"}, None, False),
            ({"category": "Social", "name": "Balance"}, None, True),
            (
                {"category": "Technical", "name": "hacking"},
                {"category": "Technical", "name": "Hacking"},
                True,
            ),
            ({"category": "Technical", "name": "Hacking"}, {"category": "Social", "name": "Hacking"}, False),
            ({"category": "Technical"}, None, True),
        ],
    )
    def test_a_category_has_each_skill_once(
        self, row: dict[str, Any], before: dict[str, Any] | None, is_new: bool
    ) -> None:
        if is_new:
            assert self.completed("skills", row, before) == row
        else:
            with pytest.raises(UserError, match="already has"):
                self.completed("skills", row, before)

    @pytest.mark.parametrize(
        ("field", "kind"), [("charges", "ammunition"), ("heals_sides", "remedy"), ("fortitude", "armour")]
    )
    def test_an_item_has_the_numbers_of_its_kind_only(self, field: str, kind: str) -> None:
        for other in ("ammunition", "remedy", "armour", "comms"):
            for nothing in (None, 0, "0"):
                self.completed("items", {"kind": other, field: nothing})
            if other == kind:
                assert self.completed("items", {"kind": other, field: 1})[field] == 1
                continue
            for value in (1, "1", 6):
                with pytest.raises(UserError):
                    self.completed("items", {"kind": other, field: value})

    def test_new_ammunition_holds_four_reloads_unless_said_otherwise(self) -> None:
        assert self.completed("items", {"kind": "ammunition"})["charges"] == 4
        assert self.completed("items", {"kind": "ammunition", "charges": 6})["charges"] == 6
        assert "charges" not in self.completed("items", {"kind": "comms"})

    @pytest.mark.rule("CMP-WPN-13")
    @pytest.mark.parametrize(
        ("extra", "dice"),
        [("1d6", (1, 6)), ("+2d8", (2, 8)), ("20d20", (20, 20)), ("1d2", (1, 2)), ("", (0, 6))],
    )
    def test_extra_dice_are_a_number_and_their_faces(
        self, table: GameTable, extra: str, dice: tuple[int, int]
    ) -> None:
        table.do("GM", "add_weapon", name="Thing", tags="Light Far", extra=extra)
        weapon = weapon_named(table.scene.settings, "Thing")
        assert (weapon.extra_dice, weapon.extra_sides) == dice

    @pytest.mark.parametrize("extra", ["0d6", "21d6", "1d1", "1d21", "d6"])
    def test_extra_dice_out_of_range_are_refused(self, table: GameTable, extra: str) -> None:
        told = table.why("GM", "add_weapon", name="Thing", tags="Light Far", extra=extra)
        assert told == f"“{extra}” can't be read as dice."

    @pytest.mark.rule("CMP-WPN-11")
    @pytest.mark.parametrize(("level", "is_one"), [(0, False), (1, True), (5, True), (6, False)])
    def test_a_weapon_requires_a_level_that_a_skill_can_have(
        self, table: GameTable, level: int, is_one: bool
    ) -> None:
        options = {"name": "Thing", "tags": "Light Far", "requires": f"Mechanics {level}"}
        if is_one:
            table.do("GM", "add_weapon", **options)
            weapon = weapon_named(table.scene.settings, "Thing")
            assert (weapon.requires and weapon.requires.level) == level
        else:
            assert "isn't a requirement" in table.why("GM", "add_weapon", **options)

    def test_skills_of_one_name_belong_to_their_categories(self, table: GameTable) -> None:
        for category in ("Social", "Technical"):
            table.do("GM", "add_skill", category=category, name="Haggling")
        found = own_skills(table.sheet("Ash"), table.scene.settings, named="haggling")
        assert [one.category for one in found] == ["Technical", "Social"]

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
        assert table.why("GM", "add_weapon", name="Thing", **options) == told

    def test_weapon_tags_may_stand_in_any_order(self) -> None:
        assert read_tags("arc room TECH") == ("Tech", "Room", "Arc")
        with pytest.raises(UserError, match="no tag"):
            read_tags("")

    def test_a_skill_added_for_everybody_uses_no_custom_skill_slot(self, table: GameTable) -> None:
        table.do("GM", "add_skill", category="technical", name="Hacking")
        assert "already" in table.why("GM", "add_skill", category="Technical", name="hacking")
        assert "Technical/Hacking" in SUGGESTION_LISTS["skill"](None, table.scene.settings)
        table.do("Ash", "check", FAILURE, skill="Hacking")

    def test_the_gm_adds_a_difficulty_and_an_item(self, table: GameTable) -> None:
        table.do("GM", "add_difficulty", name="Brutal", number=10)
        assert "Brutal (+10)" in table.do("Ash", "luck", FAILURE, difficulty="brutal").headline
        table.do("GM", "add_difficulty", name="Dire", number=14)
        table.do("GM", "add_difficulty", name="brutal", number=11)
        added = [(one.name, one.number) for one in table.scene.settings.difficulties]
        assert added[-2:] == [("brutal", 11), ("Dire", 14)]
        assert "Brutal" not in dict(added)
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
