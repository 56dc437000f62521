"""Ammunition, remedies, armour, Comms, money."""

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.carried_gear import things_of
from bot.rules.compare_roll.catalogue import find_item, weapon_named
from bot.rules.compare_roll.sheet import CompareSettings, CompareSheet
from bot.rules.compare_roll.sheet_text import armours
from tests.rules.compare_roll.play import (
    FAILURE,
    GameTable,
    fight,
    foe,
    id_of,
    lay_table,
    sheet,
)
from tests.rules.offers import acts_of

PISTOL = {"name": "Pistol", "shots": 10}
SETTINGS = CompareSettings()


@pytest.mark.rule("CMP-WPN-08", "CMP-EQ-08")
class TestReloading:
    def test_reloading_takes_the_whole_turn_and_one_charge(self) -> None:
        table = lay_table(Ash=sheet(weapons=[{"name": "Shotgun", "shots": 0}]))
        table.set("Ash", ammunition=4)
        fight(table, "Ash", "Ogre")
        table.do("Ash", "reload")

        assert (table.sheet("Ash").weapons[0].shots, table.points("Ash", "ammunition")) == (2, 3)
        assert "0 spaces left" in table.why("Ash", "move", spaces=1)
        assert "already used this turn's attack" in table.why("Ash", "attack", targets=("Ogre",))

    def test_a_fighter_who_has_moved_cannot_reload(self) -> None:
        table = lay_table(Ash=sheet(weapons=[{"name": "Pistol", "shots": 9}]))
        table.set("Ash", ammunition=1)
        fight(table, "Ash", "Ogre")
        table.do("Ash", "move", spaces=1)
        assert "has already moved" in table.why("Ash", "reload")
        table.settings(reload_cost="attack")
        table.do("Ash", "reload")
        assert (table.fighter("Ash").moved, table.points("Ash", "ammunition")) == (1, 0)

    @pytest.mark.rule("CMP-EQ-07")
    def test_a_flame_thrower_fires_every_other_round(self) -> None:
        table = lay_table(
            Ash=sheet(None, {"Technical/Mechanics": 3}, weapons=[{"name": "Flame Thrower", "shots": 1}])
        )
        table.set("Ash", ammunition=4)
        attacks = 0
        while True:
            table.set("Ash", stress=0)
            table.do("Ash", "attack", FAILURE, targets=("Ogre",))
            attacks += 1
            if not table.points("Ash", "ammunition"):
                break
            table.do("Ash", "reload", weapon="Flame Thrower")
        assert attacks == 5

    def test_a_weapon_that_needs_no_reloading_refuses_a_reload(self) -> None:
        table = lay_table(Ash=sheet(weapons=[PISTOL]))
        assert "is already full" in table.why("Ash", "reload", weapon="Pistol")
        assert "doesn't need reloading" in table.why("Ash", "reload", weapon="Unarmed")
        table.change("Ash", weapons=(table.sheet("Ash").weapons[0].model_copy(update={"shots": 3}),))
        assert "no Ammunition" in table.why("Ash", "reload")

    def test_an_opponent_reloads_without_ammunition(self) -> None:
        armed = foe(hp=5).changed(weapons=sheet(weapons=[{"name": "Pistol"}]).weapons)
        table = lay_table(Ogre=armed)
        table.do("GM Ogre", "reload")
        assert table.sheet("Ogre").weapons[0].shots == 10


@pytest.mark.rule("CMP-EQ-09", "CMP-STRESS-01")
class TestRemedies:
    @pytest.mark.parametrize(
        ("hp", "stress", "die", "after"), [(10, 1, 4, (14, 2)), (10, 3, 4, (13, 3)), (31, 3, 6, (31, 3))]
    )
    def test_a_stim_heals_before_it_adds_stress(
        self, hp: int, stress: int, die: int, after: tuple[int, int]
    ) -> None:
        table = lay_table(Ash=sheet(items=[{"name": "Stim"}]))
        table.set("Ash", hp=hp, stress=stress)
        table.do("Ash", "use", f"d6:{die}")

        assert (table.hp("Ash"), table.points("Ash", "stress")) == after
        assert "no Stim left" in table.why("Ash", "use")

    def test_a_stim_adds_stress_to_the_patient_and_not_to_the_user(self) -> None:
        table = lay_table(Ash=sheet(items=[{"name": "Stim", "count": 3}]))
        table.set("Bram", hp=3)
        assert table.do("Ash", "use", "d6:3", target="Bram").headline == "uses Stim on Bram"
        assert (table.points("Bram", "stress"), table.points("Ash", "stress")) == (1, 0)
        table.do("Ash", "use", "d6:3", target="Ogre")
        table.change("Bram", status="dead")
        assert "is dead" in table.why("Ash", "use", target="Bram")

    def test_only_a_remedy_can_be_used_for_healing(self, table: GameTable) -> None:
        assert "no remedy called “Comms”" in table.why("Ash", "use", item="Comms")
        assert "no remedy called “Rope”" in table.why("Ash", "use", item="Rope")

    def test_a_remedy_may_heal_nothing(self) -> None:
        table = lay_table(Ash=sheet(items=[{"name": "Coffee"}]))
        table.settings(items=[{"name": "Coffee", "kind": "remedy"}])
        table.do("Ash", "use", item="coffee")
        assert table.sheet("Ash").items == ()


@pytest.mark.rule("CMP-EQ-11", "CMP-EQ-12", "CMP-EQ-13", "CMP-FT-04", "CMP-COM-02")
class TestArmour:
    def table(self) -> GameTable:
        names = ("Light Armor", "Medium Armor", "Heavy Armor")
        return lay_table(Ash=sheet(items=[{"name": name} for name in names]))

    @pytest.mark.parametrize(
        ("suit", "told", "worn"),
        [
            ("Light Armor", "FT 14/14 → 16/16 · movement 6 → 7", "13/16"),
            ("Medium Armor", "FT 14/14 → 18/18", "15/18"),
            ("Heavy Armor", "FT 14/14 → 20/20 · movement 6 → 4", "17/20"),
        ],
    )
    def test_armour_changes_maximum_fortitude_and_keeps_lost_fortitude(
        self, suit: str, told: str, worn: str
    ) -> None:
        table = self.table()
        assert table.do("Ash", "equip", armour=suit).notes == (told,)
        table.change("Ash", ft_lost=3)
        assert table.ft("Ash") == worn
        table.do("Ash", "equip")
        assert table.ft("Ash") == "11/14"

    def test_putting_on_armour_replaces_the_armour_worn_before(self) -> None:
        table = self.table()
        table.do("Ash", "equip", armour="light armor")
        done = table.do("Ash", "equip", armour="Heavy Armor")
        assert done.notes == ("FT 16/16 → 20/20 · movement 7 → 4",)
        assert "already" in table.why("Ash", "equip", armour="Heavy Armor")

    @pytest.mark.parametrize("typed", ["none", " None ", "", "  "])
    def test_equipping_none_takes_off_the_armour_f_small_05(self, typed: str) -> None:
        table = self.table()
        table.do("Ash", "equip", armour="Heavy Armor")

        done = table.do("Ash", "equip", armour=typed)

        assert (done.headline, table.ft("Ash")) == ("takes off Heavy Armor", "14/14")
        assert table.why("Ash", "equip", armour=typed) == "Ash isn't wearing armor."

    def test_an_unknown_armour_is_refused_f_small_05(self) -> None:
        said = self.table().why("Ash", "equip", armour="a kilt")

        assert said == "There is no armor called “a kilt”."

    def test_none_is_suggested_only_to_a_character_in_armour_f_small_05(self) -> None:
        table = self.table()
        bare = armours(table.named("Ash"), SETTINGS)
        table.do("Ash", "equip", armour="Light Armor")

        assert bare == ["Light Armor", "Medium Armor", "Heavy Armor"]
        assert armours(table.named("Ash"), SETTINGS) == [*bare, "none"]

    def test_the_first_hour_of_rest_drops_fortitude_loss_above_the_maximum(self) -> None:
        table = self.table()
        table.change("Ash", ft_lost=20, armour="Heavy Armor")
        assert table.ft("Ash") == "0/20"
        table.do("Ash", "equip")
        assert table.ft("Ash") == "0/14"
        table.do("Ash", "rest", "d6:5", now=True)
        assert table.ft("Ash") == "1/14"


@pytest.mark.rule("CMP-EQ-14")
class TestComms:
    def test_talk_carries_20_feet_or_over_a_shared_comms_channel(self) -> None:
        comms = sheet(items=[{"name": "Comms"}, {"name": "Stim"}])
        table = lay_table(Ash=comms, Bram=comms)
        near = table.do("Ash", "talk", target="Bram", distance=20)
        far = table.do("Ash", "talk", target="Bram", distance=25)
        table.do("Ash", "tune", label="red")
        table.do("Bram", "tune", label="blue")
        apart = table.do("Ash", "talk", target="Bram", distance=200)
        table.do("Bram", "tune", label="red")
        linked = table.do("Ash", "talk", target="Bram", distance=200)

        assert near.notes == ("Within earshot.",)
        assert (
            far.notes
            == apart.notes
            == ("Out of earshot: without Comms, a voice carries 20 ft. The GM decides.",)
        )
        assert linked.notes == ("Linked over Comms: red.",)
        assert "has no Comms" in table.why("Cleo", "tune", label="red")


@pytest.mark.rule("CMP-CHAR-05")
class TestMoney:
    @pytest.mark.parametrize(
        ("have", "amount", "left"), [(1400, -300, 1100), (0, 250, 250), (100, -100, 0), (100, -50, 50)]
    )
    def test_money_gained_and_spent_changes_the_assets(
        self, table: GameTable, have: int, amount: int, left: int
    ) -> None:
        table.set("Ash", assets=have)
        table.do("Ash", "money", amount=amount, reason="a rope")
        assert table.points("Ash", "assets") == left

    def test_a_character_cannot_spend_more_assets_than_they_have(self, table: GameTable) -> None:
        table.set("Ash", assets=100)
        assert table.why("Ash", "money", amount=-300) == "Ash has only 100 Assets."
        assert "other than 0" in table.why("Ash", "money", amount=0)


ARMED = sheet(
    weapons=({"name": "Pistol", "level": 2, "shots": 7},),
    items=({"name": "Stim", "count": 3}, {"name": "Light Armor", "count": 1}),
    armour="Light Armor",
)


def table_of(bram: CompareSheet | None = None) -> GameTable:
    table = lay_table(Ash=ARMED, Bram=bram or sheet())
    table.set("Ash", assets=100, ammunition=4)
    return table


@pytest.mark.rule("CMP-CHAR-05", "CMP-EQ-08")
class TestHanding:
    def test_a_weapon_goes_over_with_its_level_and_its_shots(self) -> None:
        table = table_of()
        assert table.do("Ash", "hand", thing="pistol", target="Bram").headline == "hands Pistol to Bram"
        (pistol,) = table.sheet("Bram").weapons

        assert (pistol.name, pistol.level, pistol.shots) == ("Pistol", 2, 7)
        assert table.sheet("Ash").weapons == ()

    def test_items_go_over_one_by_one_or_several_at_once(self) -> None:
        table = table_of()
        done = table.do("Ash", "hand", thing="Stim", target="Bram", count=2)

        assert done.headline == "hands 2 Stim to Bram"
        assert [(one.name, one.count) for one in table.sheet("Bram").items] == [("Stim", 2)]
        assert ("Stim", 1) in [(one.name, one.count) for one in table.sheet("Ash").items]

    def test_a_suit_handed_over_is_taken_off(self) -> None:
        table = table_of()
        table.do("Ash", "hand", thing="Light Armor", target="Bram")

        assert (table.sheet("Ash").armour, table.sheet("Bram").armour) == ("", "")

    def test_assets_and_ammunition_are_counted(self) -> None:
        table = table_of()
        assert table.do("Ash", "hand", thing="Assets", target="Bram", count=60).headline == (
            "hands 60 Assets to Bram"
        )
        table.do("Ash", "hand", thing="Ammunition", target="Bram", count=1)

        assert (table.points("Ash", "assets"), table.points("Bram", "assets")) == (40, 60)
        assert (table.points("Ash", "ammunition"), table.points("Bram", "ammunition")) == (3, 1)

    def test_nobody_hands_over_what_they_do_not_carry(self) -> None:
        table = table_of(bram=ARMED)
        assert "doesn't carry “Grenade”" in table.why("Ash", "hand", thing="Grenade", target="Bram")
        assert "has only 3 Stim" in table.why("Ash", "hand", thing="Stim", target="Bram", count=4)
        assert "to yourself" in table.why("Ash", "hand", thing="Stim", target="Ash")
        assert "already carries Pistol" in table.why("Ash", "hand", thing="Pistol", target="Bram")

    def test_an_opponent_keeps_no_count_of_assets(self) -> None:
        table = table_of(bram=foe())
        assert "keeps no count of Assets" in table.why("Ash", "hand", thing="Assets", target="Bram")


@pytest.mark.rule("CMP-REST-01", "CMP-REST-02", "CMP-FT-03")
class TestShortRest:
    def test_a_short_rest_goes_on_until_an_interruption(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 12}, ft_lost=10))
        table.set("Ash", hp=1)
        done = table.do("Ash", "rest", "d6:5 d6:6 d6:2", hours=4, now=True)

        assert (table.hp("Ash"), table.ft("Ash")) == (17, "12/19")
        assert done.headline == "rests for 3 of 4 hours"
        assert "Ash is interrupted in hour 3; the GM says by what." in done.notes
        assert table.scene.clock == 3 * 3600

    def test_a_rest_hour_never_heals_below_0_or_above_maximum_hp(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 3}))
        table.set("Ash", hp=5)
        table.do("Ash", "rest", "d6:1", now=True)
        assert table.hp("Ash") == 5
        table.set("Bram", hp=31)
        table.do("Bram", "rest", "d6:5", now=True, apart=True)
        assert table.hp("Bram") == 32

    @pytest.mark.parametrize(("luck", "stops"), [(7, (1, 2, 3, 4)), (20, (1,)), (3, (1, 2, 3, 4, 5))])
    def test_a_rest_roll_of_4_or_less_with_luck_interrupts_the_rest(
        self, luck: int, stops: tuple[int, ...]
    ) -> None:
        for face in range(1, 7):
            table = lay_table(Ash=sheet({"LCK": luck}))
            done = table.do("Ash", "rest", f"d6:{face}", now=True)
            assert ("Ash is interrupted in hour 1; the GM says by what." in done.notes) is (face in stops)

    @pytest.mark.parametrize(
        ("mode", "lost", "agility", "dice", "after"),
        [
            ("hourly_capped", 12, 8, "d6:5 d6:5 d6:5 d6:5", "7/15"),
            ("hourly_capped", 5, 1, "d6:6 d6:6 d6:6 d6:6", "2/5"),
            ("hourly_capped", 1, 8, "d6:5 d6:5 d6:5", "15/15"),
            ("hourly", 5, 1, "d6:6 d6:6 d6:6 d6:6", "4/5"),
            ("half_at_once", 12, 8, "d6:5 d6:5", "10/15"),
            ("half_at_once", 12, 8, "d6:5", "10/15"),
        ],
    )
    def test_a_short_rest_restores_fortitude_as_the_campaign_sets_it(
        self, mode: str, lost: int, agility: int, dice: str, after: str
    ) -> None:
        luck = 4 if agility == 1 else 7
        table = lay_table(Ash=sheet({"AGI": agility, "LCK": luck}, ft_lost=lost))
        table.settings(short_rest_ft=mode)
        table.do("Ash", "rest", dice, hours=len(dice.split()), now=True)
        assert table.ft("Ash") == after

    @pytest.mark.parametrize(
        ("mode", "dice", "hours"), [("self", "d6:3 d6:6 d6:2", 2), ("party", "d6:3 d6:6", 1)]
    )
    def test_an_interruption_ends_one_rest_or_the_whole_partys_rest(
        self, mode: str, dice: str, hours: int
    ) -> None:
        table = lay_table()
        table.settings(rest_interrupts=mode)
        done = table.do("GM", "rest.call", dice, hours=3, who=("Ash", "Bram"), now=True)
        assert done.headline == f"lets Ash, Bram rest for {hours} of 3 hours"

    @pytest.mark.rule("CMP-STRESS-02", "CMP-HIGH-02")
    def test_stress_and_high_affect_rest_rolls_only_where_the_campaign_says_so(
        self, table: GameTable
    ) -> None:
        table.set("Ash", stress=2, high=1)
        assert "can't burn High" in table.why("Ash", "rest", burn=1)
        table.settings(stress_applies_to="checks_death_rest")
        done = table.do("Ash", "rest", "d6:6", burn=1, now=True)
        assert [(one.label, one.value) for one in done.rolls[0].terms] == [("Stress", -2), ("High", 1)]

    def test_fighting_or_dying_characters_cannot_rest(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        assert "is in a fight" in table.why("Ash", "rest")
        table.set("Bram", hp=0)
        assert "can't rest" in table.why("Bram", "rest")


@pytest.mark.rule("CMP-REST-03", "CMP-STRESS-05")
class TestLongRest:
    def test_a_long_rest_restores_hp_and_fortitude_but_not_stress(self, table: GameTable) -> None:
        table.set("Ash", hp=3, stress=3, high=2)
        table.change("Ash", ft_lost=14)
        table.do("GM", "long_rest", targets=("Ash", "Ogre"))

        assert (table.hp("Ash"), table.ft("Ash"), table.points("Ash", "stress")) == (32, "14/14", 3)
        assert table.scene.clock == 24 * 3600

    def test_a_long_rest_needs_a_safe_place_and_gives_nothing_when_interrupted(
        self, table: GameTable
    ) -> None:
        table.set("Ash", hp=3)
        table.do("GM", "long_rest", targets=("Ash",), broken=True)
        assert (table.hp("Ash"), table.scene.clock) == (3, 0)
        assert "safe place" in table.why("GM", "long_rest", targets=("Ash",), safe=False)


class TestWeaponsAtHand:
    @pytest.mark.rule("CMP-WPN-09")
    def test_at_most_two_empty_weapons_say_why_they_cannot_be_used(self) -> None:
        names = ("Pistol", "Revolver", "Shotgun", "Assault Rifle")
        table = lay_table(Ash=sheet(weapons=[{"name": name, "shots": 0} for name in names]))
        found = acts_of(RULESET, table.scene, id_of("Ash"))

        assert [act.why_not for act in found if act.do.procedure == "attack" and act.why_not] == [
            "Pistol 0/10 is empty: reload it first.",
            "Revolver 0/6 is empty: reload it first.",
        ]
        assert [act.why_not for act in found if act.do.procedure == "reload"] == ["No Ammunition left."] * 2

    @pytest.mark.rule("CMP-GM-02")
    @pytest.mark.parametrize(
        ("option", "kind", "told"),
        [
            ("charges", "armour", "Only ammunition has reloads."),
            ("heals", "armour", "Only remedies heal."),
            ("fortitude", "remedy", "Only armor adds Fortitude."),
        ],
    )
    def test_a_number_of_another_kind_of_item_is_refused(self, option: str, kind: str, told: str) -> None:
        assert lay_table().why("GM", "add_item", name="Thing", kind=kind, **{option: 2}) == told

    @pytest.mark.rule("CMP-EQ-08")
    def test_a_weapon_is_given_once_and_taken_alone(self) -> None:
        names = ("Pistol", "Revolver", "Shotgun")
        table = lay_table(Ash=sheet(weapons=[{"name": name, "shots": 1} for name in names]))
        table.do("GM", "give", target="Ash", thing="Revolver", count=-1)
        assert [one.name for one in table.sheet("Ash").weapons] == ["Pistol", "Shotgun"]
        for count in (2, -2):
            told = table.why("GM", "give", target="Ash", thing="Pistol", count=count)
            assert told == "A character can carry each weapon only once."

    @pytest.mark.parametrize("name", sorted(RULESET.creation.ready_made))
    def test_ready_made_weapons_are_fully_loaded(self, name: str) -> None:
        made = RULESET.creation.ready_made[name]
        assert isinstance(made, CompareSheet)
        for one in made.weapons:
            assert one.shots == (weapon_named(CompareSettings(), one.name).reload or 0)

    @pytest.mark.rule("CMP-EQ-14", "CMP-GM-02")
    def test_only_comms_are_tuned_and_only_ammunition_holds_reloads(self) -> None:
        table = lay_table(Ash=sheet(items=[{"name": "Towel"}, {"name": "Comms"}, {"name": "Stim"}]))
        table.do("Ash", "tune", label="9")
        assert [(one.name, one.channel) for one in table.sheet("Ash").items] == [
            ("Towel", ""),
            ("Comms", "9"),
            ("Stim", ""),
        ]
        table.do("GM", "add_item", name="Salve", kind="remedy", heals=6)
        salve = find_item(table.scene.settings, "Salve")
        assert salve is not None
        assert (salve.charges, salve.heals_sides) == (0, 6)

    @pytest.mark.rule("CMP-EQ-08", "CMP-WPN-09")
    def test_a_weapon_is_given_fully_loaded(self, table: GameTable) -> None:
        for name, shots in (("Baseball Bat", 0), ("Pistol", 10)):
            table.do("GM", "give", target="Ash", thing=name)
            carried = table.sheet("Ash").carried(name)
            assert carried is not None
            assert carried.shots == shots


@pytest.mark.rule("CMP-WPN-08", "CMP-EQ-08")
@pytest.mark.parametrize(
    ("shots", "charges", "named", "told"),
    [
        ((9, 1), 1, "", "reloads Pistol: 10/10"),
        ((10, 1), 1, "", "reloads Shotgun: 2/2"),
        ((10, 2), 1, "", "Pistol 10/10 is already full."),
        ((9, 1), 1, "shotgun", "reloads Shotgun: 2/2"),
        ((9, 1), 0, "", "Ash has no Ammunition left."),
        ((0, 0), 3, "", "reloads Pistol: 10/10"),
    ],
)
def test_the_first_weapon_that_is_not_full_is_reloaded_for_one_charge(
    shots: tuple[int, int], charges: int, named: str, told: str
) -> None:
    table = lay_table(
        Ash=sheet(weapons=[{"name": "Pistol", "shots": shots[0]}, {"name": "Shotgun", "shots": shots[1]}])
    )
    table.set("Ash", ammunition=charges)
    if told.endswith("."):
        assert table.why("Ash", "reload", weapon=named) == told
        return

    assert table.do("Ash", "reload", weapon=named).headline == told
    assert table.points("Ash", "ammunition") == charges - 1
    assert [one.shots for one in table.sheet("Ash").weapons if one.name in told] in ([10], [2])


@pytest.mark.rule("CMP-CHAR-05")
@pytest.mark.parametrize(
    ("have", "amount", "reason", "told"),
    [
        (0, 1, "", "earns 1 Assets"),
        (5, -1, "", "spends 1 Assets"),
        (5, -5, " a rope ", "spends 5 Assets: a rope"),
        (5, -6, "", "Ash has only 5 Assets."),
        (5, 0, "", "Give an amount other than 0."),
    ],
)
def test_money_is_earned_and_spent_down_to_nothing(have: int, amount: int, reason: str, told: str) -> None:
    table = lay_table()
    table.set("Ash", assets=have)
    if told.endswith("."):
        assert table.why("Ash", "money", amount=amount, reason=reason) == told
        return

    assert table.do("Ash", "money", amount=amount, reason=reason).headline == told
    assert table.points("Ash", "assets") == have + amount


@pytest.mark.rule("CMP-CHAR-05", "CMP-EQ-08", "CMP-CHAR-01")
@pytest.mark.parametrize(
    ("thing", "count", "told", "mine", "theirs"),
    [
        ("stim", 1, "hands Stim to Bram", 2, 2),
        ("stim", 2, "hands 2 Stim to Bram", 1, 3),
        ("stim", 3, "hands 3 Stim to Bram", 0, 4),
        ("assets", 1, "hands 1 Assets to Bram", 99, 8),
        ("assets", 100, "hands 100 Assets to Bram", 0, 107),
        ("assets", 101, "Ash has only 100 Assets.", 0, 0),
        ("ammunition", 4, "hands 4 Ammunition to Bram", 0, 4),
        ("pistol", 2, "Ash has only 1 Pistol.", 0, 0),
    ],
)
def test_what_is_handed_over_is_missing_here_and_joins_what_is_there(
    thing: str, count: int, told: str, mine: int, theirs: int
) -> None:
    table = table_of(bram=sheet(items=({"name": "Stim", "count": 1},)))
    table.set("Bram", assets=7)
    if told.endswith("."):
        assert table.why("Ash", "hand", thing=thing, target="Bram", count=count) == told
        return

    assert table.do("Ash", "hand", thing=thing, target="Bram", count=count).headline == told
    found = [
        table.points(name, thing)
        if thing in {"assets", "ammunition"}
        else next((one.count for one in table.sheet(name).items if one.name == "Stim"), 0)
        for name in ("Ash", "Bram")
    ]
    assert found == [mine, theirs]


@pytest.mark.rule("CMP-CHAR-05")
def test_what_there_is_none_of_is_not_handed_over() -> None:
    table = table_of()
    table.set("Ash", assets=0)

    assert table.why("Ash", "hand", thing="Assets", target="Bram") == "Ash doesn't carry “Assets”."
    assert things_of(table.named("Ash")) == (
        ("Stim", 3), ("Light Armor", 1), ("Pistol", 1), ("Ammunition", 4),
    )  # fmt: skip
    table.change("Bram", status="dead")
    assert table.why("Ash", "hand", thing="Stim", target="Bram") == "Bram is dead."


@pytest.mark.rule("CMP-EQ-11", "CMP-EQ-12", "CMP-EQ-13")
def test_a_change_of_armour_says_what_it_changes() -> None:
    table = lay_table(Ash=sheet(items=[{"name": "Light Armor"}, {"name": "Heavy Armor"}]))
    light = table.do("Ash", "equip", armour="light armor")
    heavy = table.do("Ash", "equip", armour="Heavy Armor")
    off = table.do("Ash", "equip")

    assert [one.headline for one in (light, heavy, off)] == [
        "puts on Light Armor",
        "puts on Heavy Armor",
        "takes off Heavy Armor",
    ]
    assert [one.notes for one in (light, heavy, off)] == [
        ("FT 14/14 → 16/16 · movement 6 → 7",),
        ("FT 16/16 → 20/20 · movement 7 → 4",),
        ("FT 20/20 → 14/14 · movement 4 → 6",),
    ]
    assert table.why("Ash", "equip") == "Ash isn't wearing armor."
