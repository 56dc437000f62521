"""Gathering, initiative and turns of fights as they are played."""

import json

import pytest
from msgspec.structs import replace
from pydantic import ValidationError

from bot.rules.kernel import (
    Character,
    CharacterHealth,
    CharacterId,
    EncounterView,
    FollowUp,
    LaterEntry,
    NoOptions,
    tracker,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.lucky_breaks import RpjClosing, closing
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.combat.combatant import MookSheet
from bot.rules.rpj.combat.commands.board import TRACKER
from bot.rules.rpj.combat.engine.attack_steps import RpjPendingAttack, Swarming
from bot.rules.rpj.combat.engine.damage_steps import Saving
from bot.rules.rpj.combat.engine.stack import LuckyStep, button_for, offer_lucky_break, outcome, thrown
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, Fight, Step
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.game_parts.sheet_text import health_of
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs
from tests.rules.rpj.combat.played.brawl import brawl, button, d6, fight, fighter, health, labels, press
from tests.rules.rpj.table import LAENIEL, UG, GameTable, breaks, rpj_table

DOWN = RpjHealth(lost_base=(7, 7, 7), out=Out.INCAPACITATED)


def board(table: GameTable) -> EncounterView:
    view = TRACKER.view(table.scene)
    assert view is not None
    return view


def choices(table: GameTable) -> list[str]:
    return [one.label for one in TRACKER.choices(table.scene)]


def gathered() -> GameTable:
    table = rpj_table()
    table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
    return table


class TestSettingUpAFight:
    def test_the_two_sides_start_at_opposite_ends_of_six_regions(self) -> None:
        table = gathered()

        assert [one.region for one in fight(table).combatants] == [1, 1, 6]
        assert board(table).notes == ("about 180 yards · a round about 1 min, an action 5–10 s",)

    def test_the_gm_can_lay_out_the_battlefield(self) -> None:
        table = gathered()
        done = table.do("GM", "fight.field", names="Gate, Yard, Hall", links="1-2, 2-3, 1/3", hidden="1-3")

        assert done.notes[1:] == ("Gate: [Laeniel, Ug]", "Hall: [Ogre]")
        field = fight(table).field
        assert (field.exits(1), field.can_shoot(1, 3)) == ((2,), False)
        ground = board(table).ground
        assert ground is not None
        assert [(region.title, region.groups) for region in ground.regions] == [
            ("Gate", (("Laeniel", "Ug"),)),
            ("Yard", ()),
            ("Hall", (("Ogre",),)),
        ]
        assert (ground.links, ground.alt) == (((0, 1), (1, 2), (0, 2)), "Gate: [Laeniel, Ug] · Hall: [Ogre]")

    def test_the_battlefield_cannot_be_changed_once_the_fight_has_started(self) -> None:
        assert brawl().refused("GM", "fight.field", regions=2).what == "The fight has already started."

    def test_players_can_choose_their_group_but_not_their_region(self) -> None:
        table = gathered()
        table.do("GM", "fight.place", who="Ug", region="3")

        assert fighter(table, "Ug").region == 3
        assert "starts in Region 3" in table.refused("Ug", "fight.place", beside="Laeniel").what
        table.do("Ug", "fight.place")
        assert "Only the GM can place others" in table.refused("Ug", "fight.place", who="Ogre").what

    def test_the_gm_can_add_several_mooks_at_once(self) -> None:
        table = gathered()
        done = table.do("GM", "fight.mooks", name="Goblin", count=8, attack=3, defense=10, damage=1)

        assert done.notes == ("Goblin ×8: attack +3, damage 1, defense 10+.",)
        assert board(table).lines[-1].name == "Goblin ×8"
        table.do("GM", "fight.remove", who="Goblin 2")
        assert board(table).lines[-1].name == "Goblin ×7"

    @pytest.mark.parametrize(("count", "named"), [(1, "Goblin"), (3, "Goblin ×3")])
    def test_hidden_mooks_stay_off_the_board_until_the_gm_reveals_them(self, count: int, named: str) -> None:
        table = brawl("Ogre")
        added = table.do("GM", "fight.mooks", name="Goblin", count=count, region="2", hidden=True)

        assert not added.is_public
        assert [line.name for line in board(table).lines] == ["Ogre", "Laeniel", "Ug"]
        assert [(line.name, line.facts[0]) for line in board(table).hidden] == [(named, "Region 2")]
        assert "Goblin" not in str(board(table).ground)
        unknown = table.refused("GM Ogre", "fight.attack", target="Goblin")
        assert unknown.what == "There is nobody called Goblin in this fight."
        for who in ("GM", "Laeniel"):
            table.do(who, "encounter.next")
        assert table.do("Ug", "encounter.next").notes[0] == "Round 2 starts."
        revealed = table.do("GM", "fight.reveal", who=named)
        assert (revealed.headline, revealed.notes) == (f"reveals {named}", ("In Region 2.",))
        assert board(table).lines[-1].name == named
        assert table.refused("GM", "fight.reveal", who="Goblin").allowed == "Nobody is hidden."

    def test_a_single_character_can_fight_a_crowd_of_mooks(self) -> None:
        table = rpj_table()
        table.do("Laeniel", "encounter.start")
        assert choices(table) == []
        assert "Nobody else has joined" in table.refused("Laeniel", "encounter.next").what
        table.do("GM", "fight.mooks", name="Goblin", count=3)
        assert choices(table) == ["Roll for initiative"]
        table.do("Laeniel", "encounter.next", d6("4 4"))

        assert table.do("GM", "encounter.next").headline == "starts round 1"
        assert board(table).notes == ()  # how long a round is was said before


class TestInitiativePlayed:
    def test_everyone_rolls_initiative_before_a_gm_starts_the_first_round(self) -> None:
        table = gathered()
        assert choices(table) == ["Roll for initiative"]
        rolled = table.do("Ug", "encounter.next", d6("4 4 3 3 6 1"))

        assert rolled.notes == ("The order: Laeniel (14), Ug (8), Ogre (8).",)
        assert choices(table) == ["Start round 1 (GM)"]
        assert (
            table.refused("Ug", "encounter.next").what == "Only a GM can start the first round."
        )  # F-OPT-22
        begun = table.do("GM", "encounter.next")
        assert (begun.notes, begun.moments) == (("It is Laeniel's turn.",), ("first turn",))

    @pytest.mark.rule("RPJ-GCS-18")
    def test_a_surprised_side_has_lower_initiative(self) -> None:
        table = gathered()
        table.do("GM", "fight.surprise", side="foes")

        assert table.do("Ug", "encounter.next", d6("4 4 3 3 6 1")).notes == (
            "The order: Laeniel (14), Ug (8), Ogre (6).",
        )
        assert table.do("GM", "fight.surprise", side="foes").notes == (
            "Foes: initiative −2 for whoever still joins; the others have rolled.",
        )

    @pytest.mark.parametrize(("left", "offered"), [(0, []), (1, ["Ug: Lucky Break · 1 left"])])
    def test_initiative_is_raised_only_by_those_with_a_lucky_break_left(
        self, left: int, offered: list[str]
    ) -> None:
        table = gathered()
        for who, count in (("Laeniel", 0), ("Ug", left), ("Ogre", 2)):
            table.scene = table.scene.with_character(table.named(who).with_resource("lucky_breaks", count))

        assert labels(table.do("Ug", "encounter.next", d6("4 4 3 3 6 1"))) == offered

    def test_a_lucky_break_can_raise_initiative_until_the_first_turn(self) -> None:
        table = gathered()
        rolled = table.do("Ug", "encounter.next", d6("4 4 3 3 6 1"))
        assert labels(rolled) == ["Laeniel: Lucky Break · 3 left", "Ug: Lucky Break · 2 left"]
        turned = press(table, "Ug", rolled, "Ug: Lucky Break", "6")

        assert turned.notes == ("The order: Laeniel (14), Ug (11), Ogre (8).",)
        assert breaks(table, "Ug") == 1
        window = button(rolled, "Ug: Lucky Break").window
        assert window is not None
        assert window.until == ("first turn",)

    @pytest.mark.rule("RPJ-GCS-16", "RPJ-GCS-19")
    @pytest.mark.parametrize("tied", [("Kit", "Ug"), ("Ug", "Kit")])
    def test_a_lucky_break_on_initiative_leaves_a_tie_of_others_as_it_was_settled(
        self, tied: tuple[str, ...]
    ) -> None:
        table = rpj_table(players={"Laeniel": LAENIEL, "Ug": UG, "Kit": UG})
        table.do("Laeniel", "encounter.start", others=("Ug", "Kit"))
        rolled = table.do("Ug", "encounter.next", d6("4 4 3 3 3 3"))
        table.do("GM", "encounter.order", characters=tied)

        turned = press(table, "Laeniel", rolled, "Laeniel: Lucky Break", "1")

        assert turned.notes == (f"The order: Laeniel (14), {tied[0]} (8), {tied[1]} (8).",)

    def test_a_roll_off_settles_a_tie_the_players_have_not_settled(self) -> None:
        table = gathered()
        rolled = table.do("Ug", "encounter.next", d6("1 1 3 3 6 1"))

        assert "Laeniel and Ug are tied" in rolled.notes[-1]
        begun = table.do("GM", "encounter.next", d6("2 5"))
        assert begun.rolls[0].verdict.title == "Ug, then Laeniel"
        assert begun.notes[-1] == "It is Ug's turn."

    @pytest.mark.rule("RPJ-GCS-17")
    def test_a_combatant_can_move_down_the_order_only_before_the_fight_starts(self) -> None:
        table = gathered()
        table.do("Ug", "encounter.next", d6("4 4 3 3 6 1"))
        done = table.do("Laeniel", "encounter.delay", after="Ogre")

        assert done.notes == ("The order: Ug (8), Ogre (8), Laeniel (14).",)
        table.do("GM", "encounter.next")
        assert "before the fight starts" in table.refused("Ug", "encounter.delay").what

    @pytest.mark.rule("RPJ-GCS-16")
    def test_a_latecomer_rolls_initiative_and_joins_the_order(self) -> None:
        table = rpj_table()
        table.do("Laeniel", "encounter.start", others=("Ogre",))
        table.do("Laeniel", "encounter.next", d6("4 4 3 3"))
        table.do("GM", "encounter.next")
        joined = table.do("Ug", "encounter.join", d6("6 5"))

        assert joined.notes[-1] == "The order: Laeniel (14), Ug (13), Ogre (7)."


class TestTurnsPlayed:
    def test_a_combatant_can_only_act_in_their_own_turn(self) -> None:
        table = brawl()

        assert table.refused("Ug", "fight.move", region="2").what == "It isn't Ug's turn."
        assert board(table).lines[0].is_on
        assert board(table).on == "Laeniel acts"

    @pytest.mark.rule("RPJ-GCS-03", "RPJ-GCS-08")
    def test_a_round_takes_a_minute(self) -> None:
        table = brawl()
        for who in ("Laeniel", "Ug", "GM"):
            done = table.do(who, "encounter.next")

        assert (table.scene.clock, done.notes[0]) == (60, "Round 2 starts.")

    @pytest.mark.rule("RPJ-GCS-33", "RPJ-GCS-32")
    def test_a_bleeding_combatant_rolls_in_their_turn_and_the_turn_ends(self) -> None:
        table = brawl(ug={"health": DOWN})
        bleeds = table.do("Laeniel", "encounter.next")

        assert bleeds.notes == ("Ug is bleeding and rolls.",)
        assert table.refused("GM", "encounter.next").what == "Something else has to be decided first."
        rolled = press(table, "Ug", bleeds, "Roll against bleeding out", "4 4")
        assert health(table, "Ug").bleeding == 1
        assert rolled.notes == ("It is Ogre's turn.",)
        turned = press(table, "Ug", rolled, "Lucky Break", "5")
        assert turned.verdict is not None
        assert turned.verdict.title == "stabilized"

    def test_a_bleeding_npc_rolls_at_once_and_their_turn_is_skipped(self) -> None:
        table = brawl("Ug", ogre={"health": RpjHealth(lost_base=(7, 7, 7, 7), out=Out.INCAPACITATED)})
        table.do("Ug", "encounter.next")
        passed = table.do("Laeniel", "encounter.next", d6("6 3"))

        assert health(table, "Ogre").is_stable
        assert passed.notes == ("Round 2 starts.", "It is Ug's turn.")

    def test_the_mooks_turn_comes_after_all_others(self) -> None:
        table = brawl("Ogre")
        table.do("GM", "fight.mooks", name="Goblin", count=2, region="1", beside="Ug")
        for who in ("GM", "Laeniel", "Ug"):
            table.do(who, "encounter.next")

        assert board(table).on == "Mooks' turn"
        assert [one.split(" …")[0] for one in choices(table)] == [
            "Mooks attack",
            "Mooks move",
            "End turn",
        ]


@pytest.mark.rule("RPJ-LUCK-03")
def test_a_new_turn_does_not_end_the_time_for_a_lucky_break() -> None:
    table = brawl("Ogre")
    hit = table.do("GM Ogre", "fight.attack", d6("5 5"), target="Ug")
    lost = press(table, "Ug", hit, "save", "4 4")
    window = button(lost, "Lucky Break").window
    passed = table.do("GM", "encounter.next")

    assert window is not None
    assert closing(window, LaterEntry(procedure="encounter.next", moments=passed.moments)) is None
    struck = table.do("Laeniel", "fight.attack", d6("1 2"), target="Ogre")
    assert closing(window, LaterEntry(procedure="fight.attack", moments=struck.moments)) is None
    again = LaterEntry(procedure="fight.attack", moments=("touches c2",))
    assert closing(window, again) is RpjClosing.PLAYED_ON


@pytest.mark.parametrize(("region", "beside", "is_offered"), [("1", "Ug", False), ("2", None, True)])
def test_closing_in_is_offered_on_foes_who_are_not_beside_one(
    region: str, beside: str | None, is_offered: bool
) -> None:
    table = brawl(together=False)
    table.do("GM", "fight.place", who="Ogre", region=region, **({"beside": beside} if beside else {}))

    assert any(label.startswith("Close in and attack Ogre") for label in choices(table)) is is_offered


@pytest.mark.rule("RPJ-GCS-10", "RPJ-GCS-11", "RPJ-GCS-43")
@pytest.mark.parametrize(
    ("region", "weapon", "faces", "headline", "reached", "left"),
    [
        (1, "club", "1 2 1 2", "closes in and attacks Ogre (Club)", 1, 0),
        (1, "bow", "", "closes in on Ogre", 1, 1),  # which Ug has not
        (2, "", "1 2 1 2", "closes in and attacks Ogre (Club)", 2, 0),
        (3, "club", "", "closes in on Ogre", 3, 0),
        (6, "club", "", "closes in on Ogre", 3, 0),
    ],
)
def test_one_who_closes_in_moves_as_far_as_it_takes_and_attacks_with_an_action_left(
    region: int, weapon: str, faces: str, headline: str, reached: int, left: int
) -> None:
    table = brawl("Ug", together=False)
    table.do("GM", "fight.place", who="Ogre", region=str(region))

    done = table.do("Ug", "fight.close_in", d6(faces) if faces else "", aim=f"Ogre|{weapon}")

    assert (done.headline, fighter(table, "Ug").region) == (headline, reached)
    assert sum(" is in Region " in note for note in done.notes) == 1  # where the way ends
    assert fighter(table, "Ug").turn.actions == left


class TestBoardOfAFight:
    def test_the_board_shows_the_state_of_every_combatant(self) -> None:
        table = brawl(ogre={"health": RpjHealth(lost_base=(7,))}, ug={"health": RpjHealth(is_weak=True)})
        lines = {line.name: line for line in board(table).lines}

        assert lines["Laeniel"].facts == ("saves 3 of 3 (7+)", "3 actions", "Region 1")
        assert lines["Ug"].facts == ("saves 1 of 1 (7+)", "weak", "Region 1")
        assert lines["Ogre"].facts == ("Region 1",)
        ogre = table.scene.character(table.ids["Ogre"])
        assert health_of(ogre, table.scene.settings) == CharacterHealth(("saves 3 of 4 (7+)",), "hurt")

    def test_the_board_offers_actions_with_costs_and_chances(self) -> None:
        offered = TRACKER.choices(brawl().scene)

        assert [one.label for one in offered] == [
            "Attack … (3 actions left)",
            "Move … (1 action)",
            "Move cautiously … (the whole turn)",
            "Grapple Ogre · 97%",
            "End turn",
        ]
        assert [one.label for one in offered[0].choices] == [
            "Ogre · Dagger · 58%",
            "Ogre · Bare hands · 58%",
        ]

    def test_a_character_with_a_mook_sheet_fights_as_a_mook(self) -> None:
        assert TRACKER.mook is not None
        table = rpj_table()
        table.change("Ogre", **TRACKER.mook().model_dump())
        table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))

        assert board(table).lines[-1].facts == ("defense 10+", "Region 6")
        assert RULESET.tracker is TRACKER
        assert labels(table.do("Ug", "encounter.next", d6("4 4 3 3")))


@pytest.mark.parametrize(
    ("procedure", "options"),
    [
        ("fight.move", {"region": "2"}),
        ("fight.attack", {"target": "Ogre"}),
        ("fight.defense", {"defense": "best"}),
        ("fight.grapple", {"target": "Ogre"}),
        ("fight.prepare", {}),
        ("fight.task", {"what": "shout"}),
    ],
)
def test_only_those_in_the_fight_take_part_in_it(procedure: str, options: dict[str, str]) -> None:
    table = brawl()
    table.do("Laeniel", "encounter.leave")

    assert table.refused("Laeniel", procedure, **options).what == "Laeniel isn't in the fight."


@pytest.mark.rule("RPJ-GCS-08")
def test_two_rounds_pass_where_nobody_can_act() -> None:
    out = {"health": RpjHealth(out=Out.KNOCKED_OUT)}

    table = brawl(laeniel=out, ug=out, ogre=out)

    assert (fight(table).round, fight(table).turn) == (3, fighter(table, "Ug").id)


@pytest.mark.parametrize("mook", [None, MookSheet(name="Ogre", attack=3, defense=7)])
def test_a_character_who_leaves_the_campaign_leaves_the_fight(mook: MookSheet | None) -> None:
    table = brawl(ogre={"mook": mook})
    table.do("Laeniel", "fight.move", region="2")

    rest = {id_: who for id_, who in table.scene.characters.items() if id_ != table.ids["Ogre"]}

    def find(id_: CharacterId) -> Character[RpjSheet]:
        if id_ not in rest:
            raise UserError("There is no such character.")
        return rest[id_]

    table.scene = replace(table.scene, characters=rest, find_character=find)

    assert [line.name for line in board(table).lines] == ["Laeniel", "Ug"]
    assert choices(table) == ["Continue (GM)"]
    assert table.do("GM", "fight.go_on").notes == ("Laeniel is in Region 2, alone.",)


BALANCE = RpjCheckInputs(difficulty=2)


class Stumble(Step, kind="stumble"):
    """Somebody has lost their footing, and rolls to keep it: a step that the bot does not have."""

    who: str

    @property
    def whose(self) -> tuple[str, ...]:
        return (self.who,)

    def waits(self, stage: Stage) -> bool:
        return True

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        roll = thrown(BALANCE, dice, rolled)
        before, stage = stage, stage.rolled(self.who, roll, verdict=roll.verdict)
        return offer_lucky_break(stage, before, self, roll, against=self.who)

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        return (button_for(stage, self.who, "fight.go_on", NoOptions(), "keep your footing"),)

    def words(self, stage: Stage) -> str:
        return f"{stage.fight.fighter(self.who).name}'s footing"

    def waiting_words(self, stage: Stage) -> str:
        return f"{stage.fight.fighter(self.who).name} stumbles"


def stumbling() -> GameTable:
    """Ug has lost their footing, and the fight is stored and read again."""
    table = brawl("Ug")
    own = f"c{table.ids['Ug']}"
    scene = outcome(Stage.of(table.scene).pushed(Stumble(who=own)), "stumbles").scene
    stored = json.loads(FIGHTS_KEPT.the(scene).model_dump_json())
    table.scene = FIGHTS_KEPT.keep(scene, Fight.model_validate(stored))
    return table


class TestKindsOfSteps:
    def test_a_step_is_stored_and_read_back_as_its_kind(self) -> None:
        table = stumbling()
        assert fight(table).steps == (Stumble(who=f"c{table.ids['Ug']}"),)
        assert fight(table).model_dump(mode="json")["steps"] == [
            {"type": "stumble", "who": f"c{table.ids['Ug']}"}
        ]

    def test_the_board_says_what_the_fight_is_waiting_for(self) -> None:
        assert "Ug stumbles" in board(stumbling()).waits

    def test_the_turn_cannot_end_before_an_open_step_is_done(self) -> None:
        refused = stumbling().refused("GM", tracker.NEXT)
        assert refused.what == "Something else has to be decided first."

    def test_an_open_step_is_rolled_when_the_gm_continues(self) -> None:
        table = stumbling()
        done = table.do("GM", "fight.go_on", d6("2 3"))
        assert done.headline == "continues the fight"
        assert [die.face for roll in done.rolls for die in roll.dice] == [2, 3]
        assert fight(table).steps == ()

    def test_a_lucky_break_can_rescue_the_roll_of_a_step(self) -> None:
        table = stumbling()
        done = table.do("GM", "fight.go_on", d6("4 4"))
        lucky = button(done, "Lucky Break")
        kept = json.loads(json.dumps(lucky.options.model_dump(mode="json", exclude_defaults=True)))
        assert kept["step"] == {"type": "stumble", "who": f"c{table.ids['Ug']}"}
        assert set(kept) == {"step", "rolled"}
        again = replace(lucky, options=LuckyStep.model_validate(kept))
        assert done.paid is not None
        table.scene = done.paid
        turned = table.press("Ug", again, d6("6"))
        assert turned.headline == "spends a Lucky Break"
        assert [die.face for roll in turned.rolls for die in roll.dice] == [6]
        assert "fallen" in kept["rolled"]

    def test_ending_a_fight_asks_to_settle_an_open_step_first(self) -> None:
        table = stumbling()
        asked = table.do("GM", tracker.END)
        assert asked.notes == ("Ug's footing.",)
        assert "Ug: keep your footing" in labels(asked)
        ended = press(table, "GM", asked, "Settle it", "1 3")
        assert ended.headline == "ends the fight in round 1"

    def test_a_step_is_dropped_when_its_combatant_leaves(self) -> None:
        table = stumbling()
        table.do("GM", tracker.LEAVE, character=table.ids["Ug"])
        assert fight(table).steps == ()

    def test_two_kinds_of_steps_cannot_be_stored_under_the_same_word(self) -> None:
        with pytest.raises(ValueError, match="Two kinds of steps are stored as stumble"):
            type("Other", (Step,), {}, kind="stumble")

    def test_a_stored_step_of_an_unknown_kind_is_refused(self) -> None:
        with pytest.raises(ValidationError, match="There is no step dance"):
            Fight.model_validate({"steps": [{"type": "dance"}]})


class TestStepsStoredBefore:
    def test_an_old_lucky_break_button_that_names_its_save_by_a_field_is_read(self) -> None:
        rolled = {"fallen": [3, 4], "has_extra_die": True}
        older = {
            "by": "c3",
            "rolled": rolled,
            "earlier": "1 saved",
            "saves": {"target": "c3", "strikes": [{"damage": 2}]},
        }
        options = LuckyStep.model_validate(older)
        assert options.step == Saving.model_validate({"target": "c3", "strikes": [{"damage": 2}]})
        assert options.by == "c3"
        assert options.earlier == "1 saved"
        assert options.rolled.has_extra_die

    def test_an_old_lucky_break_button_that_names_its_attack_by_a_field_is_read(self) -> None:
        older = {
            "by": "c1",
            "rolled": {"difficulty": 2},
            "blow": {"attacker": "c1", "target": "m2", "weapon": "club"},
        }
        options = LuckyStep.model_validate(older)
        assert options.step == RpjPendingAttack(attacker="c1", target="m2", weapon="club")
        assert options.by == "c1"


class TestMooksThatLeave:
    def test_the_remaining_mooks_of_a_swarm_attack_when_some_leave(self) -> None:
        swarm = Swarming(attackers=("m1", "m2"), target="c1", rolls=2)
        assert swarm.among({"m2", "c1"}) == Swarming(attackers=("m2",), target="c1", rolls=2)
        assert swarm.among({"c1"}) is None
        assert swarm.among({"m1", "m2"}) is None


BLEEDING = RpjHealth(lost_base=(7, 7, 7), out=Out.INCAPACITATED)


def hit() -> GameTable:
    """The ogre has hit Ug, whose save is open."""
    table = brawl("Ogre")
    table.do("GM Ogre", "fight.attack", d6("5 5"), target="Ug")
    return table
