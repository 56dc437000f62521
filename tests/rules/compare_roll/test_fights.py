"""Rounds, turns, what a turn holds; gear; money; rests."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.catalogue import find_item
from bot.rules.compare_roll.fortunes import ft_max
from bot.rules.compare_roll.sheet import Belonging, CompareSettings, DoorRoll
from bot.rules.compare_roll.strikes import CompareStruck, ignite, read_feet, spaces, with_fighter
from bot.rules.compare_roll.tables import CompareShare, stat_bonus
from bot.rules.compare_roll.turns import TRACKER, choices
from bot.rules.compare_roll.two_d12s import (
    CompareInputs,
    CompareLuckInputs,
    DoorInputs,
    Lying,
    compare,
    rest_odds,
    roll_door,
    shared,
)
from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError
from tests.dice import ScriptedDice
from tests.rules.compare_roll.play import (
    COST,
    FAILURE,
    SUCCESS,
    GameTable,
    button,
    fall,
    fight,
    foe,
    id_of,
    labels,
    lay_table,
    sheet,
)
from tests.rules.offers import acts_of

PISTOL = {"name": "Pistol", "shots": 10}


@pytest.mark.rule("CMP-COM-01")
@pytest.mark.parametrize(("feet", "number"), [(30, 6), (20, 4), (7, 2)])
def test_a_space_is_5_feet(feet: int, number: int) -> None:
    assert spaces(feet) == number


@pytest.mark.rule("CMP-COM-03")
class TestRounds:
    def test_players_act_first_and_the_opponents_close_the_round(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        assert (table.encounter().round, table.encounter().side) == (1, "players")
        table.do("GM", "encounter.next")
        assert (table.encounter().round, table.encounter().side) == (1, "opponents")
        done = table.do("GM", "encounter.next")
        assert (table.encounter().round, table.encounter().side) == (2, "players")
        assert done.headline == "passes the turn: round 2, the players' turn"
        assert labels(done) == ["Start the opponents' turn"]

    def test_a_channel_has_only_one_encounter_at_a_time(self, table: GameTable) -> None:
        assert "no fight" in table.why("GM", "encounter.next")
        table.do("Ash", "encounter.start", others=("Ogre",), at_once=True)
        assert "There is already a fight" in table.why("GM", "encounter.start", others=("Ash",))
        assert "is already in the fight" in table.why("Ash", "encounter.join")
        table.do("Bram", "encounter.join")
        table.do("GM", "encounter.join", character="Wolf")
        assert [one.side for one in table.encounter().shown] == [
            "players",
            "opponents",
            "players",
            "opponents",
        ]

    def test_a_hidden_character_cannot_start_in_an_encounter(self, table: GameTable) -> None:
        table.scene = table.scene.with_character(replace(table.named("Ogre"), is_hidden=True))
        assert "is hidden" in table.why("GM", "encounter.start", others=("Ash", "Ogre"))

    def test_opponents_wait_during_the_players_turn(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        assert "players' turn" in table.why("GM Ogre", "attack", targets=("Ash",))
        table.do("GM Ogre", "attack", "d4:1", targets=("Ash",), force=True)


@pytest.mark.rule("CMP-COM-04")
class TestTurnOrder:
    def test_players_act_once_each_in_any_order(self, table: GameTable) -> None:
        fight(table, "Ash", "Bram", "Cleo", "Ogre")
        assert table.do("Cleo", "done").notes == ("Still to act: Ash, Bram.",)
        assert "turn is over" in table.why("Cleo", "move", spaces=1)
        table.do("Ash", "done")
        done = table.do("Bram", "done")
        assert done.headline == "ends the turn: round 1, the opponents' turn"

    def test_the_gm_may_start_the_opponents_turn_before_every_player_is_done(self, table: GameTable) -> None:
        fight(table, "Ash", "Bram", "Ogre")
        table.do("Ash", "done")
        table.do("GM", "encounter.next")
        assert table.encounter().side == "opponents"

    def test_a_character_outside_the_encounter_has_no_turn(self, table: GameTable) -> None:
        fight(table, "Ash", "Bram", "Ogre")
        table.retire("Bram")
        for procedure, options in (("done", {}), ("move", {"spaces": 1}), ("cover", {"cover": "half"})):
            assert "isn't in this fight" in table.why("Cleo", procedure, **options)
        assert "opponents" in table.do("Ash", "done").headline

    @pytest.mark.rule("CMP-COM-05", "CMP-COM-06")
    def test_the_board_shows_what_each_fighter_has_left(self, table: GameTable) -> None:
        fight(table, "Ash", "Bram", "Cleo", "Ogre")
        table.do("Ash", "move", spaces=3)
        table.do("Ash", "cover", cover="half")
        table.do("Bram", "done")
        table.set("Cleo", hp=0)
        table.set("Ash", high=2)

        board = table.board()
        assert (board.title, board.on) == ("Round 1", "The players' turn")
        assert board.notes == ()
        assert [(line.name, line.is_on, line.has_acted) for line in board.lines] == [
            ("Ash", True, False),
            ("Bram", False, True),
            ("Cleo", False, False),  # who is down can't act
            ("Ogre", False, False),
        ]
        assert [line.facts for line in board.lines] == [
            ("HP 32/32 · FT 14/14", "High 2", "moved 3/6", "half cover"),
            ("HP 32/32 · FT 14/14",),
            ("HP 0/32 · FT 14/14", "down"),
            (),
        ]
        assert [line.secrets for line in board.lines] == [(), (), (), ()]


@pytest.mark.rule("CMP-COM-04", "CMP-COM-05")
class TestBoardButtons:
    def offered(self, table: GameTable) -> list[str]:
        return [one.label for one in choices(table.scene)]

    def test_an_encounter_waits_until_round_1_is_started(self, table: GameTable) -> None:
        assert choices(table.scene) == ()
        table.do("Ash", "encounter.start", others=("Ogre",))
        assert self.offered(table) == ["Start round 1"]
        assert "hasn't started" in table.why("Ash", "move", spaces=1)
        table.do("GM Ogre", "attack", "d4:1", targets=("Ash",))

    def test_players_are_offered_attack_move_and_end_of_turn(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        assert self.offered(table) == [
            "Ash attacks: Unarmed · 1d4 …",
            "Move up to 6 spaces (30 ft) …",
            "End turn",
            "Start the opponents' turn",
        ]
        table.do("Ash", "attack", FAILURE, targets=("Ogre",))
        table.do("Ash", "move", spaces=6)
        assert self.offered(table) == ["End turn", "Start the opponents' turn"]

    def test_a_few_characters_attack_with_the_first_weapon_they_can_use(self, table: GameTable) -> None:
        table.change("Ash", weapons=({"name": "Shotgun", "shots": 0}, {"name": "Pistol", "shots": 9}))
        fight(table, "Ash", "Bram", "Ogre")
        assert self.offered(table)[:2] == [
            "Ash attacks: Pistol 9/10 · 1d6 …",
            "Bram attacks: Unarmed · 1d4 …",
        ]
        (pistol, *_) = choices(table.scene)
        assert [one.label for one in pistol.choices] == ["Ogre"]

    def test_the_gm_is_offered_an_attack_for_each_opponent(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre", "Wolf")
        table.do("Ash", "done")
        assert self.offered(table) == ["Ogre attacks …", "Wolf attacks …", "Start round 2"]
        table.do("GM Ogre", "attack", "d4:1", targets=("Ash",))

        assert self.offered(table) == ["Wolf attacks …", "Start round 2"]

    def test_turns_cannot_be_delayed_or_set_in_order(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        assert "any order" in table.why("Ash", "encounter.delay")
        assert "any order" in table.why("GM", "encounter.order", characters=("Ogre",))

    def test_fires_can_be_put_out_while_somebody_burns(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        table.scene = with_fighter(table.scene, table.fighter("Ash").changed(burn=2))
        assert self.offered(table)[-1] == "Put out the fires"
        table.do("GM", "put_out")

        assert self.offered(table)[-1] == "Start the opponents' turn"


@pytest.mark.rule("CMP-COM-05", "CMP-COM-02")
class TestTurn:
    def test_movement_may_be_split_around_the_attack(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        table.do("Ash", "move", spaces=3)
        done = table.do("Ash", "attack", FAILURE, targets=("Ogre",))
        assert labels(done) == ["End turn"]
        assert table.do("Ash", "move", spaces=3).notes == ("moved 6/6, attack used",)
        assert "0 spaces left" in table.why("Ash", "move", spaces=1)
        assert "already used this turn's attack" in table.why("Ash", "attack", targets=("Ogre",))
        assert "already used this turn's attack" in table.why("Ash", "luck", acts=True)
        table.do("Ash", "luck", FAILURE)
        table.press("Ash", done.follow_ups[0])

    def test_a_fighter_cannot_move_more_spaces_than_are_left(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        assert "has only 6 spaces left" in table.why("Ash", "move", spaces=7)

    def test_using_an_item_takes_the_attack_but_burning_high_does_not(self) -> None:
        table = lay_table(Ash=sheet(items=[{"name": "Stim"}]))
        fight(table, "Ash", "Ogre")
        table.set("Ash", high=1, stress=1)
        table.do("Ash", "calm")
        table.do("Ash", "use", "d6:3")
        assert "already used this turn's attack" in table.why("Ash", "attack", targets=("Ogre",))

    def test_an_opponent_has_only_one_attack_a_turn(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        table.do("GM", "encounter.next")
        table.do("GM Ogre", "attack", "d4:1", targets=("Ash",))
        assert "already used this turn's attack" in table.why("GM Ogre", "attack", targets=("Ash",))
        table.do("GM Ogre", "luck", FAILURE)


@pytest.mark.rule("CMP-COM-03", "CMP-HIGH-02")
def test_open_rolls_count_when_the_encounter_ends() -> None:
    table = lay_table(Ash=sheet(weapons=[PISTOL]))
    fight(table, "Ash", "Bram", "Ogre")
    table.set("Ash", high=5)
    table.set("Bram", high=1)
    opened = table.do("Ash", "attack", fall((3, 5), (1, 10)), targets=("Ogre",))
    assert button(opened, "Burn")
    table.do("Bram", "luck", fall((3, 4), (5, 1)))
    asked = table.do("GM", "encounter.end")
    done = table.press("GM", button(asked, "Settle"), "d6:4")

    assert "Ash attacks Ogre with Pistol: Cost." in done.notes
    assert table.scene.document("open/2") is None
    assert table.hp("Ogre") == 28
    assert table.scene.document("open/1") is None
    assert table.scene.document("counter/7") is None
    assert SUCCESS


@pytest.mark.rule("CMP-COM-02", "CMP-COM-03", "CMP-COM-05")
class TestBoard:
    @pytest.mark.parametrize(("spaces", "told"), [(1, "moves 1 space (5 ft)"), (2, "moves 2 spaces (10 ft)")])
    def test_a_move_is_told_in_spaces_and_feet(self, table: GameTable, spaces: int, told: str) -> None:
        fight(table, "Ash", "Ogre")
        assert table.do("Ash", "move", spaces=spaces).headline == told

    def test_the_next_button_says_whose_turn_begins(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        begun = [one.label for one in choices(table.scene)][-1]
        table.do("GM", "encounter.next")
        assert [begun, [one.label for one in choices(table.scene)][-1]] == [
            "Start the opponents' turn",
            "Start round 2",
        ]
        assert TRACKER.turn_ends(table.scene)[0].label == "Start round 2"

    def test_when_nobody_can_act_only_the_next_turn_is_left(self, table: GameTable) -> None:
        fight(table, "Ash", "Bram", "Ogre")
        for who in ("Ash", "Bram"):
            table.set(who, hp=0)
        assert [one.label for one in choices(table.scene)] == ["Start the opponents' turn"]

    def test_who_is_down_or_gone_is_offered_nothing(self, table: GameTable) -> None:
        fight(table, "Ash", "Bram", "Ogre")
        table.set("Ash", hp=0)
        found = [one.label for one in choices(table.scene)]
        assert [label for label in found if "attacks" in label] == ["Bram attacks: Unarmed · 1d4 …"]
        table.retire("Bram")
        assert not [one for one in choices(table.scene) if "attacks" in one.label]

    def test_up_to_three_characters_have_an_attack_each(self, table: GameTable) -> None:
        fight(table, "Ash", "Bram", "Cleo", "Ogre")
        found = [one.label for one in choices(table.scene)]
        assert [label.partition(" ")[0] for label in found if "attacks:" in label] == ["Ash", "Bram", "Cleo"]

    @pytest.mark.rule("CMP-OUT-06")
    @pytest.mark.parametrize(("foes", "concerned"), [(("Ogre",), ("Ogre",)), (("Ogre", "Wolf"), ())])
    def test_a_counterattack_that_several_can_make_concerns_nobody_alone(
        self, foes: tuple[str, ...], concerned: tuple[str, ...]
    ) -> None:
        table = lay_table(Ash=sheet(items=[{"name": "Grenade", "count": 1}]))
        fight(table, "Ash", *foes)
        table.do("Ash", "attack", f"{COST} d4:1", weapon="Grenade", targets=foes)
        (waiting,) = RULESET.unsettled(table.scene)

        assert waiting.what == f"Counterattack by {' or '.join(foes)} against Ash"
        assert waiting.concerns == tuple(id_of(one) for one in concerned)

    @pytest.mark.rule("CMP-HIGH-02")
    @pytest.mark.parametrize(("seconds", "waits"), [(0, None), (45, 45)])
    def test_an_open_roll_is_accepted_after_the_campaigns_time(self, seconds: int, waits: int | None) -> None:
        table = lay_table()
        table.settings(settle_seconds=seconds)
        table.set("Ash", high=5)
        asked = table.do("Ash", "luck", fall((3, 5), (1, 10)))

        assert [one.after_seconds for one in asked.follow_ups if one.procedure == "take"] == [waits]
        assert {one.after_seconds for one in asked.follow_ups if one.procedure != "take"} == {None}

    @pytest.mark.rule("CMP-COM-06")
    @pytest.mark.parametrize(
        ("taken", "said", "is_fair"),
        [("half", "full", True), ("half", "half", True), ("half", "none", False), ("full", "half", False)],
    )
    def test_a_player_cannot_claim_less_cover_for_a_target(
        self, taken: str, said: str, is_fair: bool
    ) -> None:
        table = lay_table()
        fight(table, "Ash", "Bram", "Ogre")
        table.do("Bram", "cover", cover=taken)
        options = {"targets": ("Bram",), "weapon": "Unarmed", "cover": said}
        if is_fair:
            table.do("Ash", "attack", FAILURE, **options)
        else:
            assert table.why("Ash", "attack", **options) == f"Bram has {taken} cover."
            table.do("GM Ash", "attack", FAILURE, **options)

    @pytest.mark.rule("CMP-COM-10")
    @pytest.mark.parametrize(
        ("mode", "option", "is_used"),
        [
            (mode, option, used)
            for mode, used_options in (
                ("defence_roll", {"difficulty"}),
                ("auto_hit", set()),
                ("gm_rolls_2d6", {"difficulty", "modifier", "outcome"}),
            )
            for option in ("burn", "skill", "modifier", "difficulty")
            for used in [option in used_options]
        ],
    )
    def test_an_opponents_attack_takes_only_what_its_way_uses(
        self, mode: str, option: str, is_used: bool
    ) -> None:
        table = lay_table(Ogre=foe(hp=20))
        table.settings(opponent_attack=mode)
        value = {"burn": 1, "skill": "Dodging", "modifier": 2, "difficulty": "Hard"}[option]
        options = {"targets": ("Ash",), option: value}
        if is_used:
            dice = "d4:1" if mode == "defence_roll" else FAILURE
            table.do("GM Ogre", "attack", dice, **options)
        else:
            told = table.why("GM Ogre", "attack", **options)
            assert told == f"You can't use {option} with an opponent's attack."

    @pytest.mark.rule("CMP-OUT-06")
    def test_up_to_three_targets_are_offered_a_counterattack(self) -> None:
        table = lay_table(Ash=sheet(items=[{"name": "Grenade", "count": 1}]))
        fight(table, "Ash", "Bram", "Cleo", "Ogre", "Wolf")
        everybody = ("Bram", "Cleo", "Ogre", "Wolf")
        done = table.do("Ash", "attack", f"{COST} d4:1", weapon="Grenade", targets=everybody)

        assert [one.procedure for one in done.follow_ups][:4] == [*["counter"] * 3, "skip"]

    @pytest.mark.rule("CMP-WPN-14")
    @pytest.mark.parametrize(
        ("rounds", "in_fight", "told"),
        [
            (1, True, "Ogre burns: 1 HP at the end of this round."),
            (3, True, "Ogre burns: 1 HP at the end of each of the next 3 rounds."),
            (1, False, "Ogre burns for 1 round; outside a fight the GM counts them."),
            (2, False, "Ogre burns for 2 rounds; outside a fight the GM counts them."),
        ],
    )
    def test_a_fire_says_how_long_it_burns(self, rounds: int, in_fight: bool, told: str) -> None:
        table = lay_table()
        if in_fight:
            fight(table, "Ash", "Ogre")
        dice = ScriptedDice(f"d6:{rounds}")
        done = ignite(CompareStruck(table.scene), id_of("Ogre"), 6, id_of("Ash"), dice)

        assert done.notes == (told,)
        assert done.rolls[0].roller is not None
        assert done.rolls[0].roller.name == "Ash"

    @pytest.mark.rule("CMP-DEATH-02")
    def test_a_roll_at_deaths_door_adds_high_and_is_shown_again_only_as_dice(self) -> None:
        assert DoorRoll(faces=(3, 4), modifier=1, high=2).total == 10
        for shown, earlier in ((True, 2), (False, 0)):
            told = roll_door(DoorInputs(terms=(), lying=(3, 4), are_shown=shown), ScriptedDice(""))
            assert (len(told.earlier), told.dice) == (earlier, ())
        assert len(roll_door(DoorInputs(terms=()), ScriptedDice("d6:3 d6:4")).dice) == 2

    @pytest.mark.rule("CMP-OUT-01", "CMP-OUT-02", "CMP-OUT-04", "CMP-OUT-05")
    @pytest.mark.parametrize(("share", "dealt"), [("none", 0), ("half", 2), ("full", 5), ("double", 10)])
    def test_a_share_of_damage_is_none_half_all_or_double(self, share: str, dealt: int) -> None:
        assert shared(5, CompareShare(share)) == dealt

    @pytest.mark.rule("CMP-RNG-01")
    @pytest.mark.parametrize(
        ("typed", "feet"),
        [
            ("15", (15,)),
            ("5, 20 ft", (5, 20)),
            ("5000", (5000,)),
            ("5001", None),
            ("far", None),
            ("-5", None),
        ],
    )
    def test_distances_are_whole_feet_up_to_5000(self, typed: str, feet: tuple[int, ...] | None) -> None:
        if feet is None:
            with pytest.raises(UserError, match="isn't a distance"):
                read_feet(typed)
        else:
            assert read_feet(typed) == feet

    @pytest.mark.rule("CMP-GM-01")
    def test_only_a_forced_roll_keeps_the_chances_before_it(self, table: GameTable) -> None:
        assert table.do("Ash", "luck", FAILURE).rolls[0].beforehand is None
        assert table.do("GM Ash", "luck", FAILURE, outcome="Crit").rolls[0].beforehand is not None

    @pytest.mark.rule("CMP-COM-10", "CMP-OUT-02")
    def test_half_of_1_damage_is_none_in_defense(self, table: GameTable) -> None:
        table.do("GM Ogre", "attack", "d4:1", targets=("Ash",))
        done = table.do("Ash", "defend", COST)
        assert "Ash: 0 damage" in done.notes
        assert (table.hp("Ash"), table.ft("Ash")) == (32, "14/14")

    @pytest.mark.rule("CMP-REST-01")
    @pytest.mark.parametrize(
        ("modifier", "chance"), [(-1, "5/6"), (0, "2/3"), (3, "1/6"), (9, "0"), (-9, "1")]
    )
    def test_the_chance_of_an_interruption_counts_luck(self, modifier: int, chance: str) -> None:
        inputs = CompareLuckInputs(terms=(NamedTerm(label="Luck", value=modifier),))
        assert dict(rest_odds(inputs).chances)["interrupted"].fraction == Fraction(chance)

    @pytest.mark.rule("CMP-COM-10")
    @pytest.mark.parametrize(("seconds", "waits"), [(0, None), (45, 45)])
    def test_a_defense_is_rolled_after_the_campaigns_time(self, seconds: int, waits: int | None) -> None:
        table = lay_table()
        table.settings(defense_seconds=seconds)
        asked = table.do("GM Ogre", "attack", "d4:1", targets=("Ash",))
        assert asked.follow_ups[0].after_seconds == waits

    @pytest.mark.rule("CMP-HP-01")
    @pytest.mark.parametrize(("hp", "entries"), [(24, 24), (25, 25), (26, 25)])
    def test_a_menu_holds_each_hp_as_long_as_it_can(self, hp: int, entries: int) -> None:
        table = lay_table(Ogre=foe(hp=hp))
        acts = acts_of(RULESET, table.scene, id_of("Ogre"), for_gm=True)
        (taken,) = [act for act in acts if act.do.label.startswith("Take HP")]
        assert len(taken.do.choices) == entries
        assert taken.do.choices[-1].label == f"{hp} damage: HP {hp} → 0"
        assert taken.do.choices[23].label == f"24 damage: HP {hp} → {hp - 24}"

    @pytest.mark.rule("CMP-COM-12", "CMP-FT-01")
    def test_armour_adds_to_an_opponents_fortitude(self) -> None:
        made = foe(hp=5, ft_max=2)
        armoured = made.changed(armour="Light Armor", items=(Belonging(name="Light Armor"),))
        plain, more = (ft_max(one, CompareSettings()) for one in (made, armoured))
        armor = find_item(CompareSettings(), "Light Armor")
        assert armor is not None
        assert (plain, more - plain) == (2, armor.fortitude)

    @pytest.mark.rule("CMP-SKILL-03")
    @pytest.mark.parametrize(("luck", "told"), [(1, False), (2, True)])
    def test_a_novice_is_told_when_luck_was_better(self, luck: int, told: bool) -> None:
        score = next(score for score in range(1, 21) if stat_bonus(score) == luck)
        table = lay_table(Ash=sheet({"LCK": score}, skill_points=1))
        notes = table.do("Ash", "spend", skill="Balance").notes
        assert any("As a Novice" in note for note in notes) is told

    @pytest.mark.rule("CMP-COM-02")
    @pytest.mark.parametrize(("moved", "told"), [(5, "1 space left"), (4, "2 spaces left")])
    def test_spaces_left_are_told(self, table: GameTable, moved: int, told: str) -> None:
        fight(table, "Ash", "Ogre")
        table.do("Ash", "move", spaces=moved)
        assert table.why("Ash", "move", spaces=6) == f"Ash has only {told}."

    @pytest.mark.rule("CMP-ROLL-01", "CMP-HIGH-02")
    @pytest.mark.parametrize(("shown", "earlier", "terms"), [(True, 4, 0), (False, 0, 1)])
    def test_dice_that_lie_are_shown_again_or_told_as_their_sum(
        self, shown: bool, earlier: int, terms: int
    ) -> None:
        lying = Lying(d6=(3, 4), d12=(5, 6), are_shown=shown)
        again = compare(CompareInputs(terms=(), difficulty=2, lying=lying), ScriptedDice(""))
        first = compare(CompareInputs(terms=(), difficulty=2), ScriptedDice(fall((3, 4), (5, 6))))

        assert (len(again.earlier), len(again.terms), again.dice) == (earlier, terms, ())
        assert (again.total, again.verdict) == (first.total, first.verdict)
        assert (len(first.dice), first.earlier) == (4, ())

    @pytest.mark.rule("CMP-DEATH-02")
    def test_the_verdict_at_deaths_door_needs_three_rolls(self) -> None:
        for rolls, is_over in ((2, False), (3, True)):
            door = tuple(DoorRoll(faces=(6, 6), modifier=0) for _ in range(rolls))
            table = lay_table(Ash=sheet(status="dying", door=door))
            table.set("Ash", hp=0)
            if is_over:
                assert table.do("Ash", "take").headline == "hears the verdict of Death's Door"
            else:
                assert table.why("Ash", "take") == "You have no open roll."

    @pytest.mark.rule("CMP-GM-01", "CMP-DEATH-03")
    def test_the_dead_are_revived_with_up_to_their_maximum(self) -> None:
        table = lay_table(Ash=sheet({"STR": 1, "AGI": 1}, status="dead"))
        table.set("Ash", hp=0)
        (revived,) = [
            act
            for act in acts_of(RULESET, table.scene, id_of("Ash"), for_gm=True)
            if act.do.label.startswith("Revive")
        ]
        assert [one.label for one in revived.do.choices] == [f"With {hp} HP" for hp in range(1, 9)]
        assert RULESET.is_down(table.named("Ash"), table.scene.settings)
        assert not RULESET.is_down(table.named("Bram"), table.scene.settings)

    @pytest.mark.rule("CMP-WPN-14")
    def test_a_fire_says_how_many_rounds_are_left(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        table.scene = with_fighter(table.scene, table.fighter("Ogre").changed(burn=3))
        told = []
        for _ in range(3):
            table.do("GM", "encounter.next")
            told += [one for one in table.do("GM", "encounter.next").notes if "burns" in one]
        assert told == [
            "Ogre burns: −1 HP, 2 rounds left.",
            "Ogre burns: −1 HP, 1 round left.",
            "Ogre burns: −1 HP, the fire is out.",
        ]

    def test_a_fight_ends_without_those_who_are_gone(self, table: GameTable) -> None:
        fight(table, "Ash", "Bram", "Ogre")
        table.retire("Bram")
        assert table.do("GM", "encounter.end").headline.startswith("ends the fight")
