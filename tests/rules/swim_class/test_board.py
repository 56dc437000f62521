"""Turns, initiative, what is held in reserve, ranges and areas."""

from typing import Any, cast

import pytest

from bot.rules.kernel import evolve, settle_all, waive_all
from bot.rules.swim_class import RULESET
from bot.rules.swim_class.acts import choices
from bot.rules.swim_class.attacks import range_bonus
from bot.rules.swim_class.damage import hit_points
from bot.rules.swim_class.encounter import (
    ALL_INITIATIVE,
    Contestant,
    InitiativeInputs,
    order_of,
    the_encounter,
)
from bot.rules.swim_class.movement import squares_between, squares_of_feet, squares_of_metres
from bot.rules.swim_class.plans import PoolPlan
from bot.rules.swim_class.powers import line_bonus
from bot.rules.swim_class.sheet import Scene, States, with_states
from bot.rules.swim_class.tables import Pool
from bot.rules.swim_class.unopposed_roll import prepare
from tests.dice import ScriptedDice
from tests.rules.gathering import leaves
from tests.rules.swim_class.play import GameTable, faced, id_of, lay_table, script, sheet, solo, words


def hp(table: GameTable, name: str, pool: Pool = Pool.PHYSICAL) -> int:
    return hit_points(table.scene, table.named(name), pool)


@pytest.mark.rule("SWIM-COMB-13")
class TestDefenseReserve:
    def test_a_reserved_skill_adds_all_its_dice_but_one_to_one_defense(self) -> None:
        table = lay_table(Ash=sheet({"physical_defense": 2, "basic_melee": 3}), Orc=sheet({"basic_melee": 4}))
        said = table.do("Ash", "reserve", skill="basic melee")
        assert said.notes == ("+2 dice on one defense.",)
        for dice in ("3 3 3 3", "3 3"):
            table.do("GM Orc", "attack", "2 2 2 2", skill="basic melee", targets=("Ash",))
            done = table.do("Ash", "defend", dice, skill="physical defense")
            assert len(done.rolls[0].dice) == len(dice.split())

    def test_a_skill_that_cannot_defend_cannot_be_reserved_for_a_defense(self, table: GameTable) -> None:
        assert table.why("Ash", "reserve", skill="throw") == "Throw can't defend."

    def test_an_unused_reserve_is_lost_when_the_next_turn_begins(self, table: GameTable) -> None:
        table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
        table.do("Ash", "reserve", skill="brawn")
        table.do("Ash", "encounter.next")
        done = table.do("GM", "encounter.next")

        assert "The reserve is lost." in done.notes
        assert table.sheet("Ash").states.reserve is None


@pytest.mark.rule("SWIM-COMB-14")
class TestPreparedAction:
    def test_a_prepared_action_is_carried_out_when_triggered(self) -> None:
        table = solo({"spot": 2})
        said = table.do("Ash", "reserve", skill="spot", kind="action", trigger="the door opens")
        assert said.headline == "holds Spot in reserve: the door opens"

        assert words(table.press("Ash", said.follow_ups[0])) == "2 progress, automatic"
        assert table.why("Ash", "trigger") == "Ash has no prepared action."

    @pytest.mark.parametrize(("is_action", "is_used"), [(True, True), (False, False)])
    def test_only_a_roll_that_takes_an_action_uses_the_prepared_one(
        self, is_action: bool, is_used: bool
    ) -> None:
        table = solo({"spot": 2})
        table.do("Ash", "reserve", skill="spot", kind="action", trigger="the door opens")

        prepared = prepare(table.scene, table.named("Ash"), PoolPlan(skill="spot"), is_action=is_action)

        assert bool(prepared.notes) is is_used
        assert (prepared.scene.character(id_of("Ash")).sheet.states.reserve is None) is is_used

    def test_a_prepared_action_needs_a_trigger(self, table: GameTable) -> None:
        assert table.why("Ash", "reserve", skill="spot", kind="action") == (
            "A prepared action needs a trigger."
        )


@pytest.mark.rule("SWIM-COMB-15")
class TestInitiative:
    @pytest.mark.parametrize(
        ("ranks", "faces", "order"),
        [
            ([2, 3], "6 3 6 5 2", [1, 0]),
            ([1, 2], "6 6 1", [1, 0]),
            ([3, 1], "5 5 5 6", [1, 0]),
            ([2, 2], "4 2 4 2 1 1 6 1", [1, 0]),
        ],
    )
    def test_initiative_dice_are_compared_from_the_highest_down(
        self, ranks: list[int], faces: str, order: list[int]
    ) -> None:
        contestants = tuple(Contestant(name=str(place), dice=dice) for place, dice in enumerate(ranks))

        places, rolled = order_of(contestants, ScriptedDice(script(faces)))

        assert [one.contestant for one in places] == order
        assert [str(die.face) for one in rolled for die in one.roll.dice] == faces.split()

    def test_a_journal_with_one_initiative_roll_for_everybody_can_still_be_replayed(self) -> None:
        inputs = InitiativeInputs(contestants=(Contestant(name="0", dice=2), Contestant(name="1", dice=2)))

        roll = ALL_INITIATIVE.resolve(inputs, ScriptedDice(script("4 2 4 2 1 1 6 1")))

        assert roll.verdict.title == "1, 0"
        assert [die.shown for die in roll.dice] == ["⚃", "⚁", "⚃", "⚁", "⚀", "⚀", "⚅", "⚀"]

    def test_each_fighter_rolls_for_initiative_and_tied_fighters_roll_again(self) -> None:
        """F-ALL-04, F-ALL-09: a roll knows who made it and what for."""
        table = solo({"finesse": 2})

        begun = table.do("GM Bram", "encounter.start", "3 3 2 6", others=("Orc",), at_once=True)

        assert [(roll.roller and roll.roller.name, roll.purpose) for roll in begun.rolls] == [
            ("Bram", "initiative"),
            ("Orc", "initiative"),
            ("Bram", "tie-break"),
            ("Orc", "tie-break"),
        ]

    def test_a_fighter_who_joins_late_gets_a_place_in_the_turn_order(self) -> None:
        table = solo({"finesse": 2})
        begun = table.do("GM Bram", "encounter.start", "3 5", others=("Orc",), at_once=True)
        assert begun.notes == ("Turn order: Orc, Bram.",)
        assert table.why("GM Bram", "encounter.start") == "There is already a fight in this channel."
        joined = table.do("Ash", "encounter.join", "4 2")

        assert joined.notes == ("Turn order: Orc, Ash, Bram.",)
        assert table.why("Ash", "encounter.join") == "Ash is already in the fight."
        assert table.fight().on == "Orc acts"

    def test_initiative_is_rolled_for_everybody_who_joined_before_the_fight_starts(self) -> None:
        table = lay_table()
        table.do("GM", "encounter.start")
        for name in ("Ash", "Bram"):
            table.do(name, "encounter.join")
        assert table.fight().on == "Waiting to start"
        begun = table.do("Bram", "encounter.next", "2 6")

        assert begun.notes == ("Turn order: Bram, Ash.",)


@pytest.mark.rule("SWIM-COMB-16")
class TestTurns:
    def table(self) -> GameTable:
        table = lay_table(Ash=sheet({"basic_melee": 2, "walk": 2}))
        table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
        return table

    def test_a_turn_can_be_split_into_two_half_actions(self) -> None:
        table = self.table()
        table.do("Ash", "attack", "5", skill="basic melee", targets=("Orc",), half=True)
        assert table.why("Ash", "roll", skill="walk") == "Ash has half an action left this turn."
        table.do("Ash", "roll", "3", skill="walk", half=True, push=2)

        assert table.why("Ash", "roll", skill="walk") == "Ash has no action left this turn."

    def test_a_full_attack_leaves_no_action_for_moving(self) -> None:
        table = self.table()
        table.do("Ash", "attack", "5 5", skill="basic melee", targets=("Orc",))

        assert table.why("Ash", "move") == "Ash has no action left this turn."

    def test_only_the_gm_may_act_out_of_turn(self) -> None:
        table = self.table()
        table.do("Ash", "encounter.next")

        assert table.why("Ash", "move") == "It is Orc's turn, not Ash's."
        assert table.why("Ash", "encounter.next") == "It is Orc's turn."
        table.do("GM Ash", "move")

    def test_a_round_ends_when_the_last_fighters_turn_ends(self) -> None:
        table = self.table()
        table.do("GM", "terrain", level=2, rounds=2)
        table.do("Ash", "encounter.next")
        done = table.do("GM", "encounter.next")

        assert done.notes == ("Round 2 starts.",)
        assert the_encounter(table.scene).terrain == (2,)
        assert table.fight().notes == ("Rough ground: level 2 this round.",)
        table.do("GM", "encounter.end")
        assert table.why("GM", "encounter.next") == "There is no fight in this channel."

    def test_stabilizing_a_dying_fighter_is_offered_when_their_turn_begins(self) -> None:
        table = self.table()
        table.set("Orc", "physical_wounds", 3)
        done = table.do("Ash", "encounter.next")

        assert [button.label for button in done.follow_ups][:1] == ["Stabilize Orc (physical)"]


@pytest.mark.rule("SWIM-COMB-17")
class TestPresets:
    def test_the_orc_preset_sets_the_orcs_skills_and_hit_points(self, table: GameTable) -> None:
        table.do("GM", "preset", target="Orc", preset="orc")

        assert [
            table.rank("Orc", skill) for skill in ("basic_melee", "physical_defense", "composure", "swim")
        ] == [
            2,
            3,
            1,
            1,
        ]
        assert hp(table, "Orc") == 3

    def test_the_aerolis_preset_brings_a_bow_and_20_arrows(self, table: GameTable) -> None:
        table.do("GM", "preset", target="Beast", preset="Aerolis")

        assert [(item.name, item.quantity) for item in table.sheet("Beast").items] == [
            ("Common Bow", 1),
            ("Arrow", 20),
        ]

    def test_presets_for_player_characters_and_unknown_presets_are_refused(self, table: GameTable) -> None:
        assert table.why("GM", "preset", target="Ash", preset="Orc") == "Ash belongs to a player."
        assert table.why("GM", "preset", target="Orc", preset="Dragon") == "There is no preset “Dragon”."


class TestRangesAndAreas:
    @pytest.mark.rule("SWIM-AREA-01")
    def test_feet_and_metres_are_converted_to_squares(self) -> None:
        assert (squares_of_feet(30), squares_between(3, -2), squares_of_metres(12)) == (6, 3, 8)
        assert words(lay_table().do("Ash", "distance", feet=30)) == "6 squares"

    @pytest.mark.rule("SWIM-AREA-02")
    def test_a_melee_attack_reaches_only_adjacent_squares(self, table: GameTable) -> None:
        for near in (0, 1):
            table.do("Ash", "attack", "3", skill="basic melee", targets=("Orc",), distance=near)

        assert table.why("Ash", "attack", skill="basic melee", targets=("Orc",), distance=2) == (
            "Orc is 2 squares away."
        )

    @pytest.mark.rule("SWIM-AREA-03")
    @pytest.mark.parametrize(
        ("squares", "increment", "bonus"), [(2, 2, 1), (6, 2, 3), (1, 2, 0), (5, 2, 2), (4, 1, 4), (9, 0, 0)]
    )
    def test_distance_gives_the_defender_a_bonus(self, squares: int, increment: int, bonus: int) -> None:
        assert range_bonus(squares, increment) == bonus

    @pytest.mark.rule("SWIM-AREA-05")
    def test_the_length_of_a_line_gives_the_defender_a_bonus(self) -> None:
        assert [line_bonus(length) for length in range(1, 7)] == [0, 1, 2, 2, 3, 4]

    @pytest.mark.rule("SWIM-AREA-04")
    def test_the_side_of_an_area_gives_defenders_a_bonus_and_the_caster_is_spared(self) -> None:
        table = lay_table(Ash=sheet({"wind": 3}), Orc=sheet({"walk": 1}))
        for side, shown in ((3, "⚄→8"), (1, "⚄→6")):
            table.do("Ash", "cast", "6 4 2", spell="blow", targets=("Orc",), area=side)
            assert table.do("GM Orc", "defend", "5", skill="walk").rolls[0].dice[0].shown == shown
        assert table.why("Ash", "cast", spell="blow", targets=("Ash",), area=3) == (
            "You can't target yourself."
        )

    @pytest.mark.rule("SWIM-AREA-06")
    def test_everybody_in_an_area_opposes_the_whole_roll(self) -> None:
        table = lay_table(Ash=sheet({"fire": 2}), Beast=sheet({"physical_defense": 2}))
        cast = table.do("Ash", "cast", "5 3", spell="blaze", targets=("Orc", "Beast"), line=3)

        assert cast.rolls[0].odds is None
        assert words(table.do("GM Orc", "defend", "2", skill="physical defense")) == "1 hit"
        assert words(table.do("GM Beast", "defend", "4 1", skill="physical defense")) == "no hit"

    def test_each_of_many_targets_has_two_buttons_and_no_menu(self) -> None:
        table = lay_table(Ash=sheet({"wind": 2}))
        everybody = ("Bram", "Cleo", "Orc", "Beast")
        done = table.do("Ash", "cast", "5 3", spell="blow", targets=everybody, area=3)

        assert [bool(button.choices) for button in done.follow_ups] == [False] * 8
        assert [button.label[:4] for button in done.follow_ups[::2]] == ["Bram", "Cleo", "Orc:", "Beas"]
        again = table.do("Ash", "cast", "5 3", spell="blow", targets=everybody[:3], area=3)
        assert [bool(button.choices) for button in again.follow_ups].count(True) == 3

    def test_a_power_that_hits_one_of_its_targets_has_no_critical_failure(self) -> None:
        table = lay_table(Ash=sheet({"fire": 3}))
        table.do("Ash", "cast", "5 1 1", spell="blaze", targets=("Orc", "Beast"), line=1)
        table.do("GM Orc", "defend", "1")
        done = table.do("GM Beast", "defend", "6")

        assert not any("natural" in note for note in done.notes)


@pytest.mark.rule("SWIM-AREA-07")
class TestTerrain:
    @pytest.mark.parametrize(
        ("options", "faces", "verdict"),
        [
            ({"terrain": 2}, "5 5 2", "2 squares"),
            ({"terrain": 0}, "", "3 squares, automatic"),
            ({"terrain": 2, "push": 2}, "6 5 2", "2 squares"),
        ],
    )
    def test_rough_ground_adds_its_level_to_the_difficulty(
        self, options: dict[str, int], faces: str, verdict: str
    ) -> None:
        assert words(solo({"walk": 3}).do("Ash", "move", faces, **options)) == verdict

    def test_movement_over_ground_of_level_3_cannot_be_pushed(self, table: GameTable) -> None:
        assert table.why("Ash", "move", terrain=3, push=2) == "You can't push a difficulty of 4."


class TestBoard:
    def table(self) -> GameTable:
        table = lay_table(Ash=sheet({"basic_melee": 2, "walk": 2, "physical_defense": 3}))
        table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
        return table

    def test_the_board_shows_hit_points_conditions_and_actions_left(self) -> None:
        table = self.table()
        table.set("Ash", "physical_wounds", 1)
        assert [line.facts for line in table.fight().lines] == [
            ("Physical 2/3", "1 action"),
            (),
        ]
        table.do("Ash", "move", half=True)
        table.set("Orc", "physical_wounds", 2)

        assert [line.facts for line in table.fight().lines] == [
            ("Physical 2/3", "half an action"),
            ("dying",),
        ]

    @pytest.mark.parametrize(
        ("wounds", "changes", "states"),
        [
            (0, {}, ()),
            (1, {}, ("down",)),
            (2, {}, ("dying",)),
            (2, {"stable": (Pool.PHYSICAL,)}, ("down",)),
            (2, {"is_dead": True}, ("dead",)),
            (0, {"states": States(is_prone=True)}, ("prone",)),
        ],
    )
    def test_the_board_names_the_states_of_a_fighter(
        self, wounds: int, changes: dict[str, Any], states: tuple[str, ...]
    ) -> None:
        table = self.table()
        table.change("Orc", **changes)
        table.set("Orc", "physical_wounds", wounds)

        assert table.fight().lines[1].facts == states

    def test_the_board_offers_the_acting_fighter_the_actions_left_this_turn(self) -> None:
        table = self.table()
        assert [one.label for one in choices(table.scene)] == [
            "Attack: Basic Melee 2 · 1 action …",
            "Attack: Throw 1 · 1 action …",
            "Grapple 1 · 1 action …",
            "Move: Walk / Run 2 · 1 action",
            "End turn",
        ]
        table.do("Ash", "move", half=True)
        assert [one.label for one in choices(table.scene)] == [
            "Attack: Basic Melee 2 · half an action …",
            "Move: Walk / Run 2 · half an action",
            "End turn",
        ]
        table.do("Ash", "move", half=True)

        assert [one.label for one in choices(table.scene)] == ["End turn"]

    def test_an_attack_on_the_board_lets_the_player_choose_the_target(self) -> None:
        table = self.table()
        attack = choices(table.scene)[0]
        done = table.do("Ash", attack.procedure, "5 4", skill="basic_melee", targets=("Orc",))

        assert [choice.label for choice in attack.choices] == ["Orc"]
        assert done.follow_ups

    def test_only_the_turns_end_is_offered_for_one_who_left_the_campaign(self) -> None:
        table = self.table()
        table.retire("Ash")
        assert [one.label for one in choices(table.scene)] == ["End turn"]

    def test_the_board_offers_standing_up_when_prone_and_stabilizing_when_dying(self) -> None:
        table = self.table()
        table.scene = with_states(table.scene, table.named("Ash").id, is_prone=True)
        assert "Stand up (half an action)" in [one.label for one in choices(table.scene)]
        table.set("Ash", "physical_wounds", 4)

        assert [one.label for one in choices(table.scene)] == ["Stabilize Ash (physical)", "End turn"]

    def test_the_board_offers_an_initiative_roll_before_the_fight_starts(self, table: GameTable) -> None:
        assert choices(table.scene) == ()
        table.do("Ash", "encounter.start")
        assert choices(table.scene) == ()
        table.do("Bram", "encounter.join")

        assert [one.label for one in choices(table.scene)] == ["Roll for initiative"]
        assert table.why("Ash", "encounter.delay").startswith("You can't delay in this game")


def attacked() -> GameTable:
    """In a fight the Orc has attacked Ash, who has not defended yet."""
    table = lay_table(Ash=sheet({"physical_defense": 2}), Orc=sheet({"basic_melee": 2}))
    table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
    table.do("GM Orc", "attack", "6 6", skill="basic melee", targets=("Ash",))
    return table


class TestEndOfAFight:
    def test_f_opt_04_ending_an_encounter_lists_the_defenses_still_owed(self) -> None:
        table = attacked()

        asked = table.do("GM", "encounter.end")

        assert asked.headline == "can't end the fight yet: 1 thing is open"
        assert asked.notes == ("Ash's defense against Orc's Basic Melee.",)
        labels = [one.label for one in asked.follow_ups]
        assert labels[0].startswith("Ash: Physical Defense")
        assert labels[1] == "Ash: don't oppose"
        assert labels[-2:] == ["Settle it and end (GM)", "Waive it and end (GM)"]

    def test_f_opt_04_settling_a_defense_rolls_the_best_defense(self) -> None:
        table = attacked()
        asked = table.do("GM", "encounter.end")

        ended = table.press("GM", asked.follow_ups[-2], "1 1")

        assert ended.notes[0] == "Ash's defense against Orc's Basic Melee: 2 hits."
        assert "Ash takes 2 damage: Composure soaks 1." in ended.notes
        assert table.scene.document("encounter/7") is None

    def test_f_opt_04_waiving_a_defense_drops_the_attack(self) -> None:
        table = attacked()
        asked = table.do("GM", "encounter.end")

        ended = table.press("GM", asked.follow_ups[-1])

        assert ended.notes == ("Waived: Ash's defense against Orc's Basic Melee.",)
        assert table.why("Ash", "defend") == "There is nothing for Ash to oppose."
        assert [key for key in table.scene.documents if table.scene.document(key)] == []

    @pytest.mark.parametrize(("who", "is_offered"), [("Bram", True), ("Orc", False), ("Ash", False)])
    def test_a_defense_is_offered_while_the_attacker_is_there_and_the_target_can(
        self, who: str, is_offered: bool
    ) -> None:
        table = attacked()
        if who == "Ash":
            table.scene = table.scene.with_sheet(table.named(who), evolve(table.sheet(who), is_dead=True))
        else:
            leaves(table, who)

        (waiting,) = RULESET.unsettled(table.scene)

        assert bool(waiting.answers) is is_offered

    def test_f_opt_04_nobody_leaves_an_encounter_before_defending(self) -> None:
        assert attacked().why("Ash", "encounter.leave") == "Ash can't leave yet."


class TestEndOfASession:
    def test_f_opt_04_an_owed_defense_stays_open_after_the_session_and_can_be_settled(self) -> None:
        table = attacked()
        turning = RULESET.end_session(table.scene, [id_of("Ash"), id_of("Orc")], list(table.scene.documents))
        table.scene = cast(Scene, turning.scene)

        assert [one.what for one in RULESET.unsettled(table.scene)] == [
            "Ash's defense against Orc's Basic Melee"
        ]
        table.do("Ash", "defend", "1 1", skill="physical defense")
        assert RULESET.unsettled(table.scene) == ()

    def test_f_opt_04_several_owed_defenses_are_settled_one_after_the_other(self) -> None:
        table = attacked()
        table.do("GM Beast", "attack", "6", skill="basic melee", targets=("Bram",))
        assert len(RULESET.unsettled(table.scene)) == 2

        done = settle_all(table.scene, RULESET.unsettled, ScriptedDice(script("1 1 1")))

        assert done.headline == "settles what was open"
        assert RULESET.unsettled(done.scene) == ()
        assert RULESET.unsettled(waive_all(table.scene, RULESET.unsettled).scene) == ()


def trickery(table: GameTable, **more: object) -> None:
    table.do("GM", "add_skill", name="Trickery", opposed="Mental Defense", **more)


@pytest.mark.rule("SWIM-OPP-01", "SWIM-SKILL-18", "SWIM-CHAR-07")
class TestOpposing:
    """F-SWIM-08"""

    def test_tracking_is_opposed_by_the_quarrys_stealth(self) -> None:
        table = lay_table(Ash=sheet({"tracking": 2}), Orc=sheet({"stealth": 1}))
        done = table.do("Ash", "oppose", "6 2", skill="tracking", targets=("Orc",))

        assert done.headline == "sets Tracking against Orc's Stealth (Tracking 2)"
        assert [one.label for one in done.follow_ups] == [
            "Orc: Stealth · stops it 0%",
            "Orc: don't oppose",
        ]
        against = table.do("GM Orc", "defend", "3")
        assert (faced(against), words(against)) == (
            "3 stops 2 · through: 6",
            "Ash: success, 1 progress",
        )
        assert (table.points("Orc", "scratches"), table.points("Orc", "physical_wounds")) == (0, 0)

    def test_arm_wrestling_is_brawn_against_brawn(self) -> None:
        table = lay_table(Ash=sheet({"brawn": 2}), Orc=sheet({"brawn": 2}))
        table.do("Ash", "oppose", "3 2", skill="brawn", targets=("Orc",))

        assert words(table.do("GM Orc", "defend", "3 2")) == "Ash: fails"  # F-SWIM-33

    def test_the_opposing_skill_can_be_chosen(self) -> None:
        table = lay_table(Ash=sheet({"finesse": 2}), Orc=sheet({"spot": 1, "dark_vision": 2}))
        done = table.do("Ash", "oppose", "5 5", skill="finesse", targets=("Orc",), against="spot")

        menu = next(one for one in done.follow_ups if one.choices)
        assert [one.value for one in menu.choices] == ["dark_vision", "spot"]

    def test_several_characters_can_oppose_one_roll(self) -> None:
        table = lay_table(Ash=sheet({"walk": 2}))
        done = table.do("Ash", "oppose", "6 6", skill="walk", targets=("Bram", "Orc"))
        waits = list(dict.fromkeys(one.note for one in done.follow_ups))
        assert waits == ["Bram can oppose: stops it 0%.", "Orc can oppose."]

        assert words(table.do("Bram", "defend", "6")) == "Ash: success, 1 progress against Bram"
        assert words(table.do("GM Orc", "defend", "1")) == "Ash: success, 2 progress against Orc"

    def test_an_opposed_roll_may_need_a_set_amount_of_progress(self) -> None:
        table = lay_table(Ash=sheet({"finesse": 2}), Orc=sheet({"finesse": 1}))
        done = table.do("Ash", "oppose", "6 6", skill="finesse", targets=("Orc",), progress=2)

        assert done.rolls[0].odds.needed == "2 successes"  # type: ignore[union-attr]
        assert words(table.do("GM Orc", "defend", "6")) == "Ash: fails, 1 of 2 progress"

    def test_an_opposed_roll_short_of_the_needed_progress_fails_with_critical_failures(self) -> None:
        table = lay_table(Ash=sheet({"finesse": 3}), Orc=sheet({"finesse": 1}))
        table.do("Ash", "oppose", "6 1 1", skill="finesse", targets=("Orc",), progress=2)

        done = table.do("GM Orc", "defend", "2")
        assert any("1 critical" in note for note in done.notes)

    def test_an_opposed_roll_may_also_have_a_difficulty(self) -> None:
        table = lay_table(Ash=sheet({"finesse": 2}), Orc=sheet({"finesse": 1}))
        table.do("Ash", "oppose", "6 3", skill="finesse", targets=("Orc",), difficulty=4)

        assert words(table.do("GM Orc", "decline")) == "Ash: success, 1 progress"

    def test_helpers_lend_dice_to_an_opposed_roll(self) -> None:
        table = lay_table(Ash=sheet({"brawn": 2}), Bram=sheet({"brawn": 2}))
        table.do("Bram", "aid", target="Ash", skill="brawn")

        assert len(table.do("Ash", "oppose", "6 3 2", skill="brawn", targets=("Orc",)).rolls[0].dice) == 3

    def test_only_a_gm_says_that_an_opponent_is_unaware(self) -> None:
        table = lay_table(Ash=sheet({"finesse": 2}))
        opposed = {"skill": "finesse", "targets": ("Orc",), "unaware": True}

        assert table.why("Ash", "oppose", **opposed) == "Only a GM can make targets unaware."
        assert words(table.do("GM Ash", "oppose", "6 3", **opposed)) == "success, 2 progress"

    def test_composure_cannot_be_rolled_against_an_opponent(self) -> None:
        assert lay_table().why("Ash", "oppose", skill="composure", targets=("Orc",)) == (
            "You can't roll Composure."
        )

    def test_an_unknown_opposing_skill_is_refused(self) -> None:
        assert lay_table().why("Ash", "oppose", skill="spot", targets=("Orc",), against="surfing") == (
            "There is no skill “surfing” in this campaign."
        )


@pytest.mark.rule("SWIM-CHAR-07")
class TestAddedSkills:
    """F-SWIM-08"""

    def test_an_added_skill_is_opposed_by_the_counter_it_names(self) -> None:
        table = lay_table(Orc=sheet({"mental_defense": 2}))
        trickery(table)
        done = table.do("Ash", "oppose", "6", skill="trickery", targets=("Orc",))

        assert done.headline == "sets Trickery against Orc's Mental Defense (Trickery 1)"

    def test_an_added_stealth_skill_can_be_used_to_hide(self, table: GameTable) -> None:
        trickery(table, attack="stealth")
        table.do("Ash", "stealth", "6", skill="trickery", observers=("Orc",))

        assert words(table.do("GM Orc", "defend", "2")) == "unnoticed by Orc"
        assert table.why("Ash", "stealth", skill="spot", observers=("Orc",)) == ("You can't hide with Spot.")

    def test_an_added_stealth_skill_without_a_counter_is_opposed_by_its_defense(self) -> None:
        table = lay_table()
        table.do("GM", "add_skill", name="Mask", attack="stealth", pool="social")
        done = table.do("Ash", "stealth", "6", skill="mask", observers=("Orc",))

        assert done.follow_ups[0].label == "Orc: Social Defense · stops it 17%"

    def test_an_added_magic_skill_attacks_against_its_defense(self, table: GameTable) -> None:
        table.do("GM", "add_skill", name="Psionics", attack="magic", pool="mental")
        table.do("Ash", "attack", "6", skill="psionics", targets=("Orc",))

        assert words(table.do("GM Orc", "defend", "2")) == "1 hit"

    def test_an_added_attack_skill_without_a_counter_is_opposed_by_its_defense(self) -> None:
        table = lay_table()
        table.do("GM", "add_skill", name="Persuasion", attack="ranged", pool="social")
        done = table.do("Ash", "oppose", "6", skill="persuasion", targets=("Orc",))

        assert done.headline == "sets Persuasion against Orc's Social Defense (Persuasion 1)"
        assert words(table.do("GM Orc", "defend", "2")) == "Ash: success, 1 progress"
        assert (table.points("Orc", "scratches"), table.points("Orc", "social_wounds")) == (0, 0)
