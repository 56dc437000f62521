"""Rounds, turns, what a turn holds; gear; money; rests."""

import pytest

from bot.rules.compare_roll.encounter import spaces
from tests.rules.compare_roll.play import (
    FAILURE,
    SUCCESS,
    GameTable,
    button,
    fall,
    fight,
    foe,
    labels,
    lay_table,
    sheet,
)

PISTOL = {"name": "Pistol", "shots": 10}


@pytest.mark.rule("CMP-COM-01")
@pytest.mark.parametrize(("feet", "number"), [(30, 6), (20, 4), (7, 2)])
def test_a_space_is_five_feet(feet: int, number: int) -> None:
    assert spaces(feet) == number


@pytest.mark.rule("CMP-COM-03")
class TestRounds:
    def test_players_come_first_and_the_opponents_close_the_round(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        assert (table.encounter().round, table.encounter().side) == (1, "players")
        table.do("GM", "next")
        assert (table.encounter().round, table.encounter().side) == (1, "opponents")
        done = table.do("GM", "next")
        assert (table.encounter().round, table.encounter().side) == (2, "players")
        assert done.headline == "passes the turn on: round 2, the players’ turn"
        assert labels(done) == ["On to the opponents’ turn"]

    def test_one_is_on_at_a_time(self, table: GameTable) -> None:
        assert "no encounter" in table.refused("GM", "next")
        assert "Nobody takes part" in table.refused("GM", "start")
        table.do("Ash", "start", others=("Ogre",))
        assert "is on" in table.refused("GM", "start", others=("Ash",))
        assert "takes part already" in table.refused("Ash", "join")
        table.do("Bram", "join")
        table.do("GM", "join", character="Wolf")
        assert [one.side for one in table.encounter().fighters] == [
            "players",
            "opponents",
            "players",
            "opponents",
        ]

    def test_the_other_side_waits(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        assert "players’ turn" in table.refused("GM Ogre", "attack", targets=("Ash",))
        table.do("GM Ogre", "attack", "d4:1", targets=("Ash",), force=True)


@pytest.mark.rule("CMP-COM-04")
class TestOrder:
    def test_players_act_in_any_order_once(self, table: GameTable) -> None:
        fight(table, "Ash", "Bram", "Cleo", "Ogre")
        assert table.do("Cleo", "done").notes == ("Still to act: Ash, Bram.",)
        assert "turn is over" in table.refused("Cleo", "move", spaces=1)
        table.do("Ash", "done")
        done = table.do("Bram", "done")
        assert done.headline == "ends the turn: round 1, the opponents’ turn"

    def test_the_gm_goes_on_without_the_absent(self, table: GameTable) -> None:
        fight(table, "Ash", "Bram", "Ogre")
        table.do("Ash", "done")
        table.do("GM", "next")
        assert table.encounter().side == "opponents"

    def test_who_takes_no_part_has_no_turn(self, table: GameTable) -> None:
        fight(table, "Ash", "Bram", "Ogre")
        table.retire("Bram")
        for procedure, options in (("done", {}), ("move", {"spaces": 1}), ("cover", {"cover": "half"})):
            assert "takes no part" in table.refused("Cleo", procedure, **options)
        assert "opponents" in table.do("Ash", "done").headline

    @pytest.mark.rule("CMP-COM-05", "CMP-COM-06")
    def test_the_order_shows_what_is_left(self, table: GameTable) -> None:
        fight(table, "Ash", "Bram", "Cleo", "Ogre")
        table.do("Ash", "move", spaces=3)
        table.do("Ash", "cover", cover="half")
        table.do("Bram", "done")
        table.set("Cleo", hp=0)

        assert table.do("Ash", "order").notes == (
            "Round 1, the players’ turn · square spaces of 5 ft",
            "Ash · moved 3/6, attack available · half cover",
            "Bram · done",
            "Cleo · down · moved 0/6, attack available",
            "Ogre · unhurt",
        )


@pytest.mark.rule("CMP-COM-05", "CMP-COM-02")
class TestTurn:
    def test_movement_may_be_split_around_the_attack(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        table.do("Ash", "move", spaces=3)
        done = table.do("Ash", "attack", FAILURE, targets=("Ogre",))
        assert labels(done) == ["End my turn"]
        assert table.do("Ash", "move", spaces=3).notes == ("moved 6/6, attack used",)
        assert "0 spaces left" in table.refused("Ash", "move", spaces=1)
        assert "used the attack" in table.refused("Ash", "attack", targets=("Ogre",))
        assert "used the attack" in table.refused("Ash", "luck", acts=True)
        table.do("Ash", "luck", FAILURE)
        table.press("Ash", done.follow_ups[0])

    def test_moving_more_than_there_is_is_refused(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        assert "has 6 spaces left, not 7" in table.refused("Ash", "move", spaces=7)

    def test_an_item_takes_the_attack_and_high_does_not(self) -> None:
        table = lay_table(Ash=sheet(items=[{"name": "Stim"}]))
        fight(table, "Ash", "Ogre")
        table.set("Ash", high=1, stress=1)
        table.do("Ash", "calm")
        table.do("Ash", "use", "d6:3")
        assert "used the attack" in table.refused("Ash", "attack", targets=("Ogre",))

    def test_an_opponent_has_one_attack_too_and_no_button(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        table.do("GM", "next")
        table.do("GM Ogre", "attack", "d4:1", targets=("Ash",))
        assert "used the attack" in table.refused("GM Ogre", "attack", targets=("Ash",))
        table.do("GM Ogre", "luck", FAILURE)


@pytest.mark.rule("CMP-WPN-08", "CMP-EQ-08")
class TestReload:
    def test_it_takes_the_whole_turn_and_a_charge(self) -> None:
        table = lay_table(Ash=sheet(weapons=[{"name": "Shotgun", "shots": 0}]))
        table.set("Ash", ammunition=4)
        fight(table, "Ash", "Ogre")
        table.do("Ash", "reload")

        assert (table.sheet("Ash").weapons[0].shots, table.points("Ash", "ammunition")) == (2, 3)
        assert "0 spaces left" in table.refused("Ash", "move", spaces=1)
        assert "used the attack" in table.refused("Ash", "attack", targets=("Ogre",))

    def test_not_after_moving(self) -> None:
        table = lay_table(Ash=sheet(weapons=[{"name": "Pistol", "shots": 9}]))
        table.set("Ash", ammunition=1)
        fight(table, "Ash", "Ogre")
        table.do("Ash", "move", spaces=1)
        assert "has moved 1" in table.refused("Ash", "reload")
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

    def test_what_needs_none_is_refused(self) -> None:
        table = lay_table(Ash=sheet(weapons=[PISTOL]))
        assert "it is full" in table.refused("Ash", "reload", weapon="Pistol")
        assert "is not reloaded" in table.refused("Ash", "reload", weapon="Unarmed")
        table.change("Ash", weapons=(table.sheet("Ash").weapons[0].model_copy(update={"shots": 3}),))
        assert "no Ammunition" in table.refused("Ash", "reload")

    def test_an_opponent_needs_no_charges(self) -> None:
        armed = foe(hp=5).changed(weapons=sheet(weapons=[{"name": "Pistol"}]).weapons)
        table = lay_table(Ogre=armed)
        table.do("GM Ogre", "reload")
        assert table.sheet("Ogre").weapons[0].shots == 10


@pytest.mark.rule("CMP-EQ-09", "CMP-STRESS-01")
class TestStim:
    @pytest.mark.parametrize(
        ("hp", "stress", "die", "after"), [(10, 1, 4, (14, 2)), (10, 3, 4, (13, 3)), (31, 3, 6, (31, 3))]
    )
    def test_it_heals_first_and_stresses_then(
        self, hp: int, stress: int, die: int, after: tuple[int, int]
    ) -> None:
        table = lay_table(Ash=sheet(items=[{"name": "Stim"}]))
        table.set("Ash", hp=hp, stress=stress)
        table.do("Ash", "use", f"d6:{die}")

        assert (table.hp("Ash"), table.points("Ash", "stress")) == after
        assert "no Stim left" in table.refused("Ash", "use")

    def test_the_stress_is_the_patients(self) -> None:
        table = lay_table(Ash=sheet(items=[{"name": "Stim", "count": 3}]))
        table.set("Bram", hp=3)
        assert table.do("Ash", "use", "d6:3", target="Bram").headline == "uses Stim on Bram"
        assert (table.points("Bram", "stress"), table.points("Ash", "stress")) == (1, 0)
        table.do("Ash", "use", "d6:3", target="Ogre")
        table.change("Bram", status="dead")
        assert "is dead" in table.refused("Ash", "use", target="Bram")

    def test_what_is_no_remedy_is_refused(self, table: GameTable) -> None:
        assert "nothing for that" in table.refused("Ash", "use", item="Comms")
        assert "nothing for that" in table.refused("Ash", "use", item="Rope")

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
            ("Medium Armor", "FT 14/14 → 18/18 · movement 6 → 6", "15/18"),
            ("Heavy Armor", "FT 14/14 → 20/20 · movement 6 → 4", "17/20"),
        ],
    )
    def test_a_suit_changes_the_most_and_wear_stays(self, suit: str, told: str, worn: str) -> None:
        table = self.table()
        assert table.do("Ash", "equip", armour=suit).notes == (told,)
        table.change("Ash", ft_lost=3)
        assert table.ft("Ash") == worn
        table.do("Ash", "equip")
        assert table.ft("Ash") == "11/14"

    def test_suits_replace_each_other(self) -> None:
        table = self.table()
        table.do("Ash", "equip", armour="light armor")
        done = table.do("Ash", "equip", armour="Heavy Armor")
        assert done.notes == ("FT 16/16 → 20/20 · movement 7 → 4",)
        assert "already" in table.refused("Ash", "equip", armour="Heavy Armor")

    def test_wear_beyond_the_most_is_dropped_by_the_first_hour_of_rest(self) -> None:
        table = self.table()
        table.change("Ash", ft_lost=20, armour="Heavy Armor")
        assert table.ft("Ash") == "0/20"
        table.do("Ash", "equip")
        assert table.ft("Ash") == "0/14"
        table.do("Ash", "rest", "d6:5")
        assert table.ft("Ash") == "1/14"


@pytest.mark.rule("CMP-EQ-14")
class TestComms:
    def test_talk_carries_twenty_feet_or_over_one_channel(self) -> None:
        comms = sheet(items=[{"name": "Comms"}, {"name": "Stim"}])
        table = lay_table(Ash=comms, Bram=comms)
        near = table.do("Ash", "talk", target="Bram", distance=20)
        far = table.do("Ash", "talk", target="Bram", distance=25)
        table.do("Ash", "tune", channel="red")
        table.do("Bram", "tune", channel="blue")
        apart = table.do("Ash", "talk", target="Bram", distance=200)
        table.do("Bram", "tune", channel="red")
        linked = table.do("Ash", "talk", target="Bram", distance=200)

        assert near.notes == ("Within earshot.",)
        assert (
            far.notes == apart.notes == ("Out of earshot: without Comms talk carries 20 ft. The GM decides.",)
        )
        assert linked.notes == ("Linked on red.",)
        assert "has no Comms" in table.refused("Cleo", "tune", channel="red")


@pytest.mark.rule("CMP-CHAR-05")
class TestMoney:
    @pytest.mark.parametrize(
        ("have", "amount", "left"), [(1400, -300, 1100), (0, 250, 250), (100, -100, 0), (100, -50, 50)]
    )
    def test_the_sum_is_kept(self, table: GameTable, have: int, amount: int, left: int) -> None:
        table.set("Ash", assets=have)
        table.do("Ash", "money", amount=amount, reason="a rope")
        assert table.points("Ash", "assets") == left

    def test_there_is_no_debt(self, table: GameTable) -> None:
        table.set("Ash", assets=100)
        assert table.refused("Ash", "money", amount=-300) == "Ash has 100 Assets, not 300."
        assert "changes nothing" in table.refused("Ash", "money", amount=0)


@pytest.mark.rule("CMP-REST-01", "CMP-REST-02", "CMP-FT-03")
class TestShortRest:
    def test_it_goes_on_until_it_is_interrupted(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 12}, ft_lost=10))
        table.set("Ash", hp=1)
        done = table.do("Ash", "rest", "d6:5 d6:6 d6:2", hours=4)

        assert (table.hp("Ash"), table.ft("Ash")) == (17, "12/19")
        assert done.headline == "rests for 3 of 4 hours"
        assert "Ash: interrupted in hour 3; the GM says by what." in done.notes
        assert table.scene.clock == 3 * 3600
        assert done.follow_ups == ()

    def test_bad_luck_heals_nothing_and_hp_end_at_the_most(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 3}))
        table.set("Ash", hp=5)
        table.do("Ash", "rest", "d6:1")
        assert table.hp("Ash") == 5
        table.set("Bram", hp=31)
        done = table.do("Bram", "rest", "d6:5")
        assert table.hp("Bram") == 32
        assert labels(done) == ["Rest one hour more"]

    @pytest.mark.parametrize(("luck", "stops"), [(7, (1, 2, 3, 4)), (20, (1,)), (3, (1, 2, 3, 4, 5))])
    def test_four_or_less_stops_it(self, luck: int, stops: tuple[int, ...]) -> None:
        for face in range(1, 7):
            table = lay_table(Ash=sheet({"LCK": luck}))
            done = table.do("Ash", "rest", f"d6:{face}")
            assert (done.follow_ups == ()) is (face in stops)

    @pytest.mark.parametrize(
        ("mode", "lost", "agility", "dice", "after"),
        [
            ("hourly_capped", 12, 8, "d6:5 d6:5 d6:5 d6:5", "7/15"),
            ("hourly_capped", 5, 1, "d6:6 d6:6 d6:6 d6:6", "2/5"),
            ("hourly_capped", 1, 8, "d6:5 d6:5 d6:5", "15/15"),
            ("hourly", 5, 1, "d6:6 d6:6 d6:6 d6:6", "4/5"),
            ("half_at_once", 12, 8, "d6:5 d6:5", "10/15"),
        ],
    )
    def test_fortitude_comes_back(self, mode: str, lost: int, agility: int, dice: str, after: str) -> None:
        luck = 4 if agility == 1 else 7
        table = lay_table(Ash=sheet({"AGI": agility, "LCK": luck}, ft_lost=lost))
        table.settings(short_rest_ft=mode)
        table.do("Ash", "rest", dice, hours=len(dice.split()))
        assert table.ft("Ash") == after

    @pytest.mark.parametrize(
        ("mode", "dice", "hours"), [("self", "d6:3 d6:6 d6:2", 2), ("party", "d6:3 d6:6", 1)]
    )
    def test_an_interruption_ends_ones_own_rest_or_everybodys(self, mode: str, dice: str, hours: int) -> None:
        table = lay_table()
        table.settings(rest_interrupts=mode)
        done = table.do("Ash", "rest", dice, hours=3, others=("Bram",))
        assert done.headline == f"rests for {hours} of 3 hours"

    @pytest.mark.rule("CMP-STRESS-02", "CMP-HIGH-02")
    def test_stress_and_high_count_where_the_campaign_says_so(self, table: GameTable) -> None:
        table.set("Ash", stress=2, high=1)
        assert "High does not count" in table.refused("Ash", "rest", burn=1)
        table.settings(stress_applies_to="checks_death_rest")
        done = table.do("Ash", "rest", "d6:6", burn=1)
        assert [(one.label, one.value) for one in done.rolls[0].terms] == [("Stress", -2), ("High", 1)]

    def test_not_in_a_fight_and_not_dying(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        assert "is in a fight" in table.refused("Ash", "rest")
        table.set("Bram", hp=0)
        assert "cannot rest" in table.refused("Bram", "rest")


@pytest.mark.rule("CMP-REST-03", "CMP-STRESS-05")
class TestLongRest:
    def test_all_comes_back(self, table: GameTable) -> None:
        table.set("Ash", hp=3, stress=3, high=2)
        table.change("Ash", ft_lost=14)
        table.do("GM", "long_rest", targets=("Ash", "Ogre"))

        assert (table.hp("Ash"), table.ft("Ash"), table.points("Ash", "stress")) == (32, "14/14", 3)
        assert table.scene.clock == 24 * 3600

    def test_broken_off_it_gives_nothing_and_it_needs_a_safe_place(self, table: GameTable) -> None:
        table.set("Ash", hp=3)
        table.do("GM", "long_rest", targets=("Ash",), broken=True)
        assert (table.hp("Ash"), table.scene.clock) == (3, 0)
        assert "safe place" in table.refused("GM", "long_rest", targets=("Ash",), safe=False)


@pytest.mark.rule("CMP-COM-03", "CMP-HIGH-02")
def test_the_end_of_a_fight_lets_open_rolls_count() -> None:
    table = lay_table(Ash=sheet(weapons=[PISTOL]))
    fight(table, "Ash", "Bram", "Ogre")
    table.set("Ash", high=5)
    opened = table.do("Ash", "attack", fall((3, 5), (1, 10)), targets=("Ogre",))
    assert button(opened, "Burn")
    done = table.do("GM", "end", "d6:4")

    assert "Ash attacks Ogre with Pistol: Cost." in done.notes
    assert table.hp("Ogre") == 28
    assert table.scene.document("open/1") is None
    assert table.scene.document("counter/7") is None
    assert SUCCESS
