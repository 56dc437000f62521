"""What a character of Project Swim Class can do now, as the sheet offers it, done through the procedures."""

from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from bot.rules.kernel.procedures import Act, ActGroup
from bot.rules.kernel.tracker import NEXT
from bot.rules.swim_class import RULESET
from bot.rules.swim_class.acts import choices
from bot.rules.swim_class.growth import PURSE, wounds_key
from bot.rules.swim_class.sheet import (
    CATALOGUE,
    HeldTrait,
    Outcome,
    Reserve,
    ReserveKind,
    States,
    SwimSettings,
    SwimSheet,
    item_of,
)
from bot.rules.swim_class.tables import TRAITS, Pool
from bot.table.play.owed_answers import key_of
from tests.rules.offers import (
    SteadyDice,
    Step,
    acts_of,
    check_every_act,
    check_menus,
    do_act,
    labels_in,
    only_act,
)
from tests.rules.playing import stepping
from tests.rules.swim_class.play import GameTable, id_of, lay_table, sheet

GM_WRITES = {"skill": "Craft", "rank": "4"}
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


def offered(table: GameTable, who: str) -> tuple[Act, ...]:
    """What somebody's sheet offers."""
    return acts_of(RULESET, table.scene, id_of(who))


def do(table: GameTable, who: str, act: Act, choose: str = "", **options: Any) -> Outcome:
    """What comes of an act, with something chosen or set."""
    chosen = {act.do.chosen: choose} if choose else {}
    return cast("Outcome", do_act(RULESET, table.scene, id_of(who), act, SteadyDice(1), **chosen, **options))


class FallingDice:
    """Dice that fall 2, 3, 4 and so on, round and round, so that nobody ties for ever."""

    def __init__(self) -> None:
        self._rolled = 0

    def roll(self, sides: int) -> int:
        """The next face."""
        self._rolled += 1
        return self._rolled % sides + 1


def begun(table: GameTable, *others: str) -> None:
    """Let Ash fight others: the first round begins, and it is Ash's turn."""
    table.do("Ash", "encounter.start", others=others)
    table.play("GM", "encounter.next", {}, FallingDice())
    while table.fight().on != "Ash acts":
        table.do("GM", "encounter.next")


@pytest.mark.parametrize("ash", [*READY.values(), MAGE], ids=[*READY, "a mage"])
def test_everything_offered_to_a_character_can_be_done(ash: SwimSheet) -> None:
    table = lay_table(Ash=ash, Bram=sheet({"brawn": 2}), Cleo=sheet())

    for name in ("Ash", "Bram", "Orc"):
        check_every_act(RULESET, table.scene, id_of(name), WRITTEN)

    begun(table, "Bram", "Cleo", "Orc")
    for name in ("Ash", "Bram", "Orc"):
        check_every_act(RULESET, table.scene, id_of(name), WRITTEN)


def test_everything_offered_in_the_middle_of_an_adventure_can_be_done() -> None:
    table = lay_table(Ash=MAGE, Bram=sheet({"physical_defense": 3, "brawn": 2, "composure": 2}))
    for name in ("Ash", "Bram", "Cleo"):
        table.set(name, wounds_key(Pool.PHYSICAL), 1)
    table.change("Ash", states=States(is_prone=True, light=4), lying=MAGE.items[1:2])
    table.change("Orc", is_dead=True)
    table.change("Beast", raised_by=id_of("Ash"), ranks={"physical_defense": 2, "death": 2})
    table.change("Cleo", states=States(held_by=id_of("Ash")))
    table.do("Ash", "open_task", name="Bridge", skill="craft", progress=6)
    table.do("Bram", "start_craft", item="Knife")
    table.do("Bram", "aid", target="Ash", skill="brawn")

    found = check_every_act(RULESET, table.scene, id_of("Ash"), WRITTEN)
    check_every_act(RULESET, table.scene, id_of("Bram"), WRITTEN)

    assert found >= {
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
        check_every_act(RULESET, table.scene, id_of(name), WRITTEN)


class TestRolls:
    def test_the_best_skill_is_offered_first_with_its_dice(self) -> None:
        table = lay_table(Ash=sheet({"climb": 4, "brawn": 3}))
        found = labels_in(offered(table, "Ash"), ActGroup.CHECK)

        assert found[:2] == ["Climb 4", "Brawn 3"]

    def test_the_options_of_a_roll_can_be_set_before_it(self) -> None:
        table = lay_table(Ash=sheet({"climb": 4}))
        climb = only_act(offered(table, "Ash"), "Climb 4")
        roll = do(table, "Ash", climb, difficulty=5, focus=1, progress=1).rolls[0]

        assert set(climb.adjusts) == {
            "difficulty",
            "progress",
            "push",
            "focus",
            "strain",
            "dice",
            "modifier",
            "windup",
            "once",
            "call",
        }
        assert len(roll.dice) == 4
        assert roll.inputs.model_dump()["difficulty"] == 4

    def test_whoever_can_roll_nothing_in_this_turn_is_told_why(self) -> None:
        table = lay_table(Ash=sheet({"agility": 3}), Bram=sheet({"climb": 4}))
        begun(table, "Bram")

        checks = [
            one
            for one in offered(table, "Bram")
            if one.group is ActGroup.CHECK and one.do.procedure == "roll"
        ]
        assert [(one.do.label, one.why_not) for one in checks] == [
            ("Climb 4", "It is Ash's turn, not Bram's.")
        ]

    def test_an_open_task_can_be_worked_on_by_everybody_and_given_up_by_its_owner(self) -> None:
        table = lay_table(Ash=sheet({"craft": 3}), Bram=sheet({"craft": 2}))
        table.do("Ash", "open_task", name="Raft", skill="craft", progress=6)
        own, others = (labels_in(offered(table, who), ActGroup.CHECK) for who in ("Ash", "Bram"))

        assert "Work on Raft (Craft)" in own
        assert "Work on Raft (Craft)" in others
        assert "Give a task up …" in own
        assert "Give a task up …" not in others

    def test_whoever_is_held_can_only_struggle_not_move(self, table: GameTable) -> None:
        table.change("Ash", states=States(held_by=id_of("Orc")))
        found = labels_in(offered(table, "Ash"), ActGroup.CHECK)

        assert any(label.startswith("Break free") for label in found)
        assert not any(label.startswith("Move") for label in found)


class TestFights:
    def test_an_attack_without_an_encounter_asks_for_a_target_foes_first(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 3}))
        attack = only_act(offered(table, "Ash"), "Attack: Basic Melee 3 …")
        after = do(table, "Ash", attack, str(id_of("Orc")))

        assert [choice.label for choice in attack.do.choices][:2] == ["Orc", "Beast"]
        assert after.headline == "attacks Orc (Basic Melee 3)"

    def test_a_bow_without_arrows_says_so(self) -> None:
        table = lay_table(Ash=sheet({"basic_ranged": 3}))
        bow = only_act(offered(table, "Ash"), "Attack: Basic Ranged 3")

        assert bow.why_not == "You have no ammunition left."

    def test_the_board_offers_the_best_of_what_the_sheet_offers(self) -> None:
        """F-SWIM-09: a caster's powers and grapples stand on the board, too."""
        table = lay_table(Ash=sheet({"agility": 3, "basic_melee": 2, "grapple": 2, "earth": 3}))
        begun(table, "Orc")
        own = {key_of(act.do) for act in offered(table, "Ash")}
        board = [one for one in choices(table.scene) if one.character == id_of("Ash")]

        assert [one.label for one in board if one.choices] == [
            "Quake: Earth 3 · 1 action …",
            "Attack: Basic Melee 2 · 1 action …",
            "Grapple 2 · 1 action …",
            "Attack: Throw 1 · 1 action …",
        ]
        assert {key_of(one) for one in board if one.procedure != NEXT} <= own

    def test_an_attack_can_be_divided_among_several(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 3}))
        attack = only_act(offered(table, "Ash"), "Attack several: Basic Melee 3 …")
        done = table.do("Ash", "attack", "6 5 4", skill="basic_melee", targets=("Orc", "Beast"))

        assert [one.prompt for one in attack.do.blanks] == [
            "Whom you attack",
            "Dice for each (empty: as even as can be)",
        ]
        assert {"Orc can oppose.", "Beast can oppose."} <= {one.note for one in done.follow_ups}

    @pytest.mark.parametrize(
        ("hidden", "is_offered"), [(("Bram", "Orc"), True), (("Bram", "Orc", "Beast"), False)]
    )
    def test_an_attack_is_divided_only_among_two_or_more(
        self, hidden: tuple[str, ...], is_offered: bool
    ) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2}))
        for name in hidden:
            table.scene = table.scene.with_character(replace(table.named(name), is_hidden=True))

        found = [act for act in offered(table, "Ash") if act.do.label.startswith("Attack several")]

        assert bool(found) is is_offered

    def test_what_waits_for_a_defense_is_offered_first(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2}), Bram=sheet({"brawn": 2}))
        table.do("Ash", "attack", "6 6", skill="basic_melee", targets=("Bram",), distance=1)
        first = next(act for act in offered(table, "Bram") if act.group is ActGroup.FIGHT)

        assert first.do.procedure == "defend"
        assert do(table, "Bram", first).rolls

    def test_a_prepared_action_is_offered_by_its_trigger(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2, "agility": 3}))
        begun(table, "Orc")
        wait = only_act(offered(table, "Ash"), "Prepare an action")
        table.scene = do(table, "Ash", wait, trigger="the door opens").scene

        assert only_act(offered(table, "Ash"), "Now: the door opens").do.procedure == "trigger"


class TestMagicAndRest:
    @pytest.mark.parametrize(("hurt", "buttons"), [("Orc", []), ("Bram", ["stabilise"])])
    def test_a_wounded_foe_is_not_offered_for_treatment(self, hurt: str, buttons: list[str]) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 3}))
        table.do("Ash", "attack", "6 6 6", skill="basic_melee", targets=(hurt,), distance=1)
        struck = table.do("GM Orc" if hurt == "Orc" else hurt, "decline")

        assert [one.procedure for one in struck.follow_ups] == buttons

    def test_healing_is_for_the_wounded_of_ones_own_side(self) -> None:
        table = lay_table(Ash=sheet({"life": 4}))
        assert not [label for label in labels_in(offered(table, "Ash"), ActGroup.REST) if "Healing" in label]

        for name in ("Bram", "Orc"):
            table.set(name, wounds_key(Pool.PHYSICAL), 1)
        heal = only_act(offered(table, "Ash"), "Healing")
        after = do(table, "Ash", heal, str(id_of("Bram"))).scene

        assert [(choice.label, choice.note) for choice in heal.do.choices] == [("Bram", "1 wound")]
        assert after.character(id_of("Bram")).resources[wounds_key(Pool.PHYSICAL)] == 0

    def test_only_a_form_with_dice_has_powers(self) -> None:
        table = lay_table(Ash=sheet({"fire": 2}))
        cast = [act.do.label for act in offered(table, "Ash") if act.do.procedure == "cast"]

        assert cast == ["Blaze: Fire 2 …", "Blaze at several: Fire 2 …", "Light: Fire 2"]

    def test_nobody_rests_in_a_fight(self) -> None:
        table = lay_table(Ash=sheet({"agility": 3}))
        assert labels_in(offered(table, "Ash"), ActGroup.REST) == [
            "Brief rest: Composure comes back",
            "Rest for 8 hours: each can heal",
        ]
        begun(table, "Orc")

        assert labels_in(offered(table, "Ash"), ActGroup.REST) == []

    def test_the_shop_sells_what_the_purse_pays(self, table: GameTable) -> None:
        table.set("Ash", PURSE, 200)
        buy = only_act(offered(table, "Ash"), "Buy …")
        dearest = buy.do.choices[-1]
        after = do(table, "Ash", buy, dearest.value).scene.character(id_of("Ash"))

        assert after.resources[PURSE] < 200
        assert after.sheet.find_item(dearest.value) is not None


class TestGmActs:
    def test_a_gm_can_do_everything_offered_to_a_hurt_character_and_a_foe(self) -> None:
        table = lay_table(Ash=sheet({"brawn": 2}))
        states = States(is_prone=True, is_soaked=True, held_by=id_of("Bram"), hidden_from=(id_of("Orc"),))
        traits = (HeldTrait(key=next(iter(TRAITS)), degree=1),)
        table.change("Ash", states=states, traits=traits)
        table.set("Ash", wounds_key(Pool.MENTAL), 2)

        for name in ("Ash", "Orc"):
            found = check_every_act(RULESET, table.scene, id_of(name), GM_WRITES, for_gm=True)
            assert {"fall", "give", "harm", "set_rank", "set_state", "set_trait"} <= found
            assert ("preset" in found) is (name == "Orc")

        acts = acts_of(RULESET, table.scene, id_of("Ash"), for_gm=True)
        assert labels_in(acts, ActGroup.HEAL) == ["Heal mental wounds … (2 now)"]
        ended = only_act(acts, "End a state").do.choices
        assert [one.label for one in ended] == ["Prone", "Soaked", "Held", "Hidden"]
        assert only_act(acts, "Take a trait away").do.choices

    def test_a_dead_character_is_still_the_gms_to_change(self, table: GameTable) -> None:
        table.change("Ash", is_dead=True)

        acts = acts_of(RULESET, table.scene, id_of("Ash"), for_gm=True)
        assert [one.label for one in only_act(acts, "End a state").do.choices] == ["Dead"]


HELD = Reserve(skill="climb", kind=ReserveKind.ACTION, trigger="the door opens " * 10)
MENUS = Path(__file__).with_name("menus.toml")


def evening() -> dict[str, Step]:
    """An evening, step by step: what the file of menus follows."""
    ash = sheet(
        {"climb": 3, "brawn": 2, "basic_melee": 3, "basic_ranged": 2, "stealth": 2, "grapple": 2, "walk": 2,
         "life": 4, "death": 3, "fire": 2, "earth": 2, "composure": 2, "craft:wood": 2,
         "physical_defense": 2},
        items=("Knife", "Arrow", "Piton", "Medium Shield", "Bottomless Amphora"),
        traits={"large": 1},
    )  # fmt: skip
    table = lay_table(
        Ash=ash, Bram=sheet({"agility": 3, "walk": 2, "physical_defense": 3}), Orc=sheet({"basic_melee": 2})
    )

    seen = stepping(table, id_of)

    def hurt() -> None:
        table.set("Ash", wounds_key(Pool.PHYSICAL), 1)
        table.set("Bram", wounds_key(Pool.PHYSICAL), 2)
        table.set("Ash", PURSE, 60)

    def changed() -> None:
        table.change("Ash", states=States(is_prone=True, light=4, held_by=id_of("Orc")))
        table.change("Beast", raised_by=id_of("Ash"), ranks={"physical_defense": 2, "death": 2, "walk": 2})
        table.change("Cleo", states=States(held_by=id_of("Ash")))

    def waiting() -> None:
        table.do("Ash", "open_task", name="Bridge", skill="craft", progress=6)
        table.do("Ash", "start_craft", item="Knife")
        table.do("Bram", "aid", target="Ash", skill="walk")
        table.do("GM Orc", "attack", "6 5", skill="basic_melee", targets=("Ash",), distance=1)

    def named_at_length() -> None:
        table.do("GM", "encounter.end")
        for name in ("Orc", "Beast", "Bram"):
            long = replace(table.named(name), name=f"{name} {'of the Deep ' * 6}"[:70])
            table.scene = table.scene.with_character(long)
        table.change("Orc", is_dead=False)
        table.change("Bram", states=States(held_by=id_of("Ash")))
        table.change("Ash", states=States(reserve=HELD), items=(item_of(CATALOGUE["Arrow"], 3),))
        table.do("Ash", "open_task", name="A raft " * 8, skill="craft:wood", progress=6)
        table.do("Ash", "start_craft", item="A mast " * 8, skill="craft", material="wood " * 7)
        table.do("GM Orc", "attack", "6 5", skill="basic_melee", targets=("Ash",), distance=1)

    return {
        "at first": seen("Ash"),
        "hurt, and poorer": seen("Ash", hurt),
        "held, prone, with a light, an undead and a captive": seen("Ash", changed),
        "with tasks, help and an attack to answer": seen("Ash", waiting),
        "free again, in a fight, on the own turn": seen(
            "Ash",
            lambda: table.change("Ash", states=States()),
            lambda: table.play("Ash", "defend", {}, SteadyDice(1)),
            lambda: begun(table, "Bram", "Orc", "Beast"),
        ),
        "with half an action left": seen("Ash", lambda: table.do("Ash", "move", how="walk", half=True)),
        "in the turn of somebody else": seen("Ash", lambda: table.do("GM", "encounter.next")),
        "dying": seen("Bram", lambda: table.set("Bram", wounds_key(Pool.PHYSICAL), 4)),
        "a foe": seen("Orc"),
        "dead": seen("Orc", lambda: table.change("Orc", is_dead=True)),
        "a raiser of the dead": seen("Ash"),
        "among long names, with something prepared": seen("Ash", named_at_length),
    }


def test_the_menus_of_an_evening_are_as_approved() -> None:
    check_menus(MENUS, RULESET, evening())
