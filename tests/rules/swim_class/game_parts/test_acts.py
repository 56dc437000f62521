"""What a character of Project Swim Class can do now, as the sheet offers it, done through the procedures."""

from typing import Any, cast

import pytest

from bot.rules.kernel import Scene
from bot.rules.kernel.acts import ActGroup
from bot.rules.swim_class import RULESET
from bot.rules.swim_class.character.resources import PURSE, wounds_key
from bot.rules.swim_class.character.settings import SwimSettings
from bot.rules.swim_class.character.sheet import States, SwimSheet
from bot.rules.swim_class.resolution.tables import Pool
from tests.rules.acting import CyclingDice, acting, do_everything, done, known, labelled, labels
from tests.rules.swim_class.play import NAMES, GameTable, id_of, lay_table, sheet

WRITTEN = {
    "name": "Raft",
    "skill": "Craft",
    "progress": "5",
    "difficulty": "4",
    "trigger": "the door opens",
    "tag": "rafts",
}
READY = {
    name: SwimSheet.model_validate(made.model_dump())
    for name, made in RULESET.creation.offered(SwimSettings()).items()
}
MAGE = sheet(
    {
        "physical_defense": 3,
        "fire": 3,
        "wind": 3,
        "earth": 2,
        "water": 3,
        "life": 4,
        "death": 3,
        "basic_ranged": 3,
        "grapple": 2,
        "stealth": 2,
        "flight": 2,
        "craft": 3,
        "jump": 3,
        "brawn": 3,
    },
    items=("Arrow", "Knife", "Piton"),
)


def seen(table: GameTable, who: str) -> Scene[Any, Any]:
    """The scene as somebody's sheet has it: everybody of the campaign is known."""
    return known(acting(table.scene, table.named(who)), *(id_of(name) for name in NAMES))


def begun(table: GameTable, *others: str) -> None:
    """Let Ash fight others: the first round begins, and it is Ash's turn."""
    table.do("Ash", "encounter.start", others=others)
    procedure = RULESET.procedures["encounter.next"]
    outcome = procedure.run(seen(table, "Ash"), procedure.options(), CyclingDice())
    table.scene = cast("Scene[SwimSheet, SwimSettings]", outcome.scene)
    while table.fight().on != "Ash acts":
        table.do("GM", "encounter.next")


@pytest.mark.parametrize("ash", [*READY.values(), MAGE], ids=[*READY, "a mage"])
def test_everything_offered_to_a_character_can_be_done(ash: SwimSheet) -> None:
    table = lay_table(Ash=ash, Bram=sheet({"brawn": 2}), Cleo=sheet())

    for name in ("Ash", "Bram", "Orc"):
        do_everything(RULESET, seen(table, name), WRITTEN)

    begun(table, "Bram", "Cleo", "Orc")
    for name in ("Ash", "Bram", "Orc"):
        do_everything(RULESET, seen(table, name), WRITTEN)


def test_everything_offered_in_the_middle_of_an_adventure_can_be_done() -> None:
    table = lay_table(Ash=MAGE, Bram=sheet({"physical_defense": 3, "brawn": 2, "composure": 2}))
    for name in ("Ash", "Bram", "Cleo"):
        table.set(name, wounds_key(Pool.PHYSICAL), 1)
    table.give("Ash", states=States(is_prone=True, light=4), lying=MAGE.items[1:2])
    table.give("Orc", is_dead=True)
    table.give("Beast", raised_by=id_of("Ash"), ranks={"physical_defense": 2, "death": 2})
    table.give("Cleo", states=States(held_by=id_of("Ash")))
    table.do("Ash", "open_task", name="Bridge", skill="craft", progress=6)
    table.do("Bram", "start_craft", item="Knife")
    table.do("Bram", "aid", target="Ash", skill="brawn")

    offered = {act.do.procedure for act in do_everything(RULESET, seen(table, "Ash"), WRITTEN)}
    do_everything(RULESET, seen(table, "Bram"), WRITTEN)

    assert offered >= {
        "aid",
        "attack",
        "cast",
        "craft",
        "dismiss",
        "pick_up",
        "refuse_help",
        "release",
        "soak",
        "stand",
        "stop",
        "undead_attack",
        "undead_move",
        "undead_roll",
        "work",
    }
    begun(table, "Bram")
    for name in ("Ash", "Bram"):
        do_everything(RULESET, seen(table, name), WRITTEN)


class TestRolls:
    def test_the_best_skill_is_offered_first_with_its_dice(self) -> None:
        table = lay_table(Ash=sheet({"climb": 4, "brawn": 3}))
        offered = labels(RULESET.acts(seen(table, "Ash")), ActGroup.CHECK)

        assert offered[:2] == ["Climb 4", "Brawn 3"]

    def test_the_options_of_a_roll_can_be_set_before_it(self) -> None:
        table = lay_table(Ash=sheet({"climb": 4}))
        scene = seen(table, "Ash")
        climb = labelled(RULESET.acts(scene), "Climb 4")
        roll = done(RULESET, scene, climb, difficulty="5", focus="1", progress="1").rolls[0]

        assert set(climb.adjusts) == {
            "difficulty",
            "progress",
            "push",
            "focus",
            "strain",
            "dice",
            "modifier",
            "windup",
        }
        assert len(roll.dice) == 4
        assert roll.inputs.model_dump()["difficulty"] == 4

    def test_whoever_can_do_nothing_in_this_turn_rolls_nothing(self) -> None:
        table = lay_table(Ash=sheet({"agility": 3}), Bram=sheet({"climb": 4}))
        begun(table, "Bram")

        assert "Climb 4" not in labels(RULESET.acts(seen(table, "Bram")), ActGroup.CHECK)

    def test_an_open_task_can_be_worked_on_by_everybody_and_given_up_by_its_owner(self) -> None:
        table = lay_table(Ash=sheet({"craft": 3}), Bram=sheet({"craft": 2}))
        table.do("Ash", "open_task", name="Raft", skill="craft", progress=6)
        own, others = (labels(RULESET.acts(seen(table, who)), ActGroup.CHECK) for who in ("Ash", "Bram"))

        assert "Work on Raft (Craft)" in own
        assert "Work on Raft (Craft)" in others
        assert "Give a task up …" in own
        assert "Give a task up …" not in others

    def test_whoever_is_held_can_only_struggle_not_move(self) -> None:
        table = lay_table()
        table.give("Ash", states=States(held_by=id_of("Orc")))
        offered = labels(RULESET.acts(seen(table, "Ash")), ActGroup.CHECK)

        assert any(label.startswith("Break free") for label in offered)
        assert not any(label.startswith("Move") for label in offered)


class TestFights:
    def test_an_attack_without_an_encounter_asks_for_a_target_foes_first(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 3}))
        scene = seen(table, "Ash")
        attack = labelled(RULESET.acts(scene), "Attack: Basic Melee 3 …")
        after = done(RULESET, scene, attack, str(id_of("Orc")))

        assert [choice.label for choice in attack.do.choices][:2] == ["Beast", "Orc"]
        assert after.headline == "attacks Orc (Basic Melee 3)"

    def test_a_bow_without_arrows_says_so(self) -> None:
        table = lay_table(Ash=sheet({"basic_ranged": 3}))
        bow = labelled(RULESET.acts(seen(table, "Ash")), "Attack: Basic Ranged 3")

        assert bow.why_not == "You have no ammunition left."

    def test_the_turns_own_attacks_stand_on_the_board_alone(self) -> None:
        table = lay_table(Ash=sheet({"agility": 3, "basic_melee": 2, "grapple": 2}))
        begun(table, "Orc")
        offered = labels(RULESET.acts(seen(table, "Ash")), ActGroup.FIGHT)

        assert not any(label.startswith("Attack: Basic Melee") for label in offered)
        assert "Grapple 2 …" in offered

    def test_what_waits_for_a_defense_is_offered_first(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2}), Bram=sheet({"brawn": 2}))
        table.do("Ash", "attack", "6 6", skill="basic_melee", targets=("Bram",), distance=1)
        scene = seen(table, "Bram")
        first = next(act for act in RULESET.acts(scene) if act.group is ActGroup.FIGHT)

        assert first.do.procedure == "defend"
        assert done(RULESET, scene, first).rolls

    def test_a_prepared_action_is_offered_by_its_trigger(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2, "agility": 3}))
        begun(table, "Orc")
        scene = seen(table, "Ash")
        wait = labelled(RULESET.acts(scene), "Prepare Basic Melee 2")
        table.scene = done(RULESET, scene, wait, trigger="the door opens").scene

        assert labelled(RULESET.acts(seen(table, "Ash")), "Now: the door opens").do.procedure == "trigger"


class TestMagicAndRest:
    def test_healing_is_for_the_wounded_of_ones_own_side(self) -> None:
        table = lay_table(Ash=sheet({"life": 4}))
        assert not [
            label for label in labels(RULESET.acts(seen(table, "Ash")), ActGroup.REST) if "Healing" in label
        ]

        for name in ("Bram", "Orc"):
            table.set(name, wounds_key(Pool.PHYSICAL), 1)
        scene = seen(table, "Ash")
        heal = labelled(RULESET.acts(scene), "Healing")
        after = done(RULESET, scene, heal, str(id_of("Bram"))).scene

        assert [(choice.label, choice.note) for choice in heal.do.choices] == [("Bram", "1 wound")]
        assert after.character(id_of("Bram")).resources[wounds_key(Pool.PHYSICAL)] == 0

    def test_only_a_form_with_dice_has_powers(self) -> None:
        table = lay_table(Ash=sheet({"fire": 2}))
        cast = [act.do.label for act in RULESET.acts(seen(table, "Ash")) if act.do.procedure == "cast"]

        assert cast == ["Blaze: Fire 2 at …", "Light: Fire 2"]

    def test_nobody_rests_in_a_fight(self) -> None:
        table = lay_table(Ash=sheet({"agility": 3}))
        assert labels(RULESET.acts(seen(table, "Ash")), ActGroup.REST) == [
            "Brief rest: Composure comes back",
            "Rest for 8 hours: each can heal",
        ]
        begun(table, "Orc")

        assert labels(RULESET.acts(seen(table, "Ash")), ActGroup.REST) == []

    def test_the_shop_sells_what_the_purse_pays(self) -> None:
        table = lay_table()
        table.set("Ash", PURSE, 200)
        scene = seen(table, "Ash")
        buy = labelled(RULESET.acts(scene), "Buy …")
        dearest = buy.do.choices[-1]
        after = done(RULESET, scene, buy, dearest.value).scene.character(id_of("Ash"))

        assert after.resources[PURSE] < 200
        assert after.sheet.find_item(dearest.value) is not None
