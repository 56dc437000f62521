"""Initiative, order, ties, surprise."""

from typing import Any

import pytest

from bot.rules.kernel import Roll, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.lucky_breaks import with_extra_die
from bot.rules.rpj.combat.rules.turns import (
    INITIATIVE,
    ROLL_OFF,
    RollOffInputs,
    by_fiat,
    combat_order,
    demoted,
    first_round,
    initiative_check,
    joined,
    settled,
    ties,
)
from bot.rules.rpj.combat.state.combatant import RpjCombatant, RpjKind, Side
from bot.rules.rpj.module.module import Module
from tests.rules.rpj.combat.battles import battle, combat, person
from tests.rules.rpj.people import FANTASY, known, with_skill
from tests.rules.rpj.table import GameTable, rpj_table
from tests.rules.rpj.throws import d6

ALERT = with_skill(FANTASY, "survival", roles=["initiative"], linked=["DEX"])


def rolled(attributes: str, *faces: int, module: Module = FANTASY, surprise: int = 0, **more: Any) -> Roll:
    who = battle(person("ug", attributes, module=module, **more), module=module)["ug"]
    return INITIATIVE.resolve(initiative_check(who, surprise), d6(*faces))


def named(id_: str, initiative: int, *, npc: bool = False, **more: Any) -> RpjCombatant:
    kind = RpjKind.NPC if npc else RpjKind.PLAYER
    return RpjCombatant(id=id_, name=id_, kind=kind, side=Side.FOES, initiative=initiative, **more)


@pytest.mark.rule("RPJ-GCS-15")
class TestInitiativeRoll:
    def test_initiative_rolls_the_modules_initiative_skill(self) -> None:
        skilled = rolled("DEX 6", 4, 4, module=ALERT, skills=[known("survival", 4)])

        assert skilled.total == 14
        assert skilled.verdict.title == "initiative 14"

    def test_a_lower_initiative_skill_gives_a_lower_initiative(self) -> None:
        assert rolled("DEX 3", 3, 4, module=ALERT, skills=[known("survival", 2)]).total == 10

    def test_initiative_rolls_dexterity_in_a_module_without_an_initiative_skill(self) -> None:
        assert rolled("DEX 6", 4, 4).total == 14

    def test_traits_and_class_skills_add_to_initiative(self) -> None:
        assert rolled("DEX 2", 4, 4, traits=["alert"]).total == 11
        assert rolled("DEX 0", 4, 4, module=ALERT, class_skills=["survival"]).total == 9

    @pytest.mark.rule("RPJ-LUCK-02")
    def test_a_lucky_break_adds_a_die_to_initiative(self) -> None:
        before = rolled("DEX 2", 1, 2)
        after = INITIATIVE.resolve(with_extra_die(before), d6(6))

        assert (before.total, after.total) == (5, 10)
        assert [(die.face, die.is_kept) for die in (*after.earlier, *after.dice)] == [
            (1, False),
            (2, True),
            (6, True),
        ]


@pytest.mark.rule("RPJ-GCS-18")
class TestSurprise:
    def test_surprise_lowers_initiative_by_2(self) -> None:
        surprise = FANTASY.combat.surprise

        assert rolled("DEX 3", 4, 4, surprise=surprise).total == 9
        assert rolled("DEX 3", 4, 4).total == 11

    def test_the_gm_can_set_a_larger_surprise_penalty(self) -> None:
        assert rolled("DEX 3", 4, 4, surprise=-4).total == 7

    def test_a_module_can_change_the_surprise_penalty(self) -> None:
        assert combat(surprise=-3).combat.surprise == -3


@pytest.mark.rule("RPJ-GCS-16")
class TestInitiativeOrder:
    def test_the_highest_initiative_goes_first(self) -> None:
        assert combat_order([named("ug", 10), named("laeniel", 14), named("orc", 12, npc=True)]) == (
            "laeniel",
            "orc",
            "ug",
        )

    def test_players_go_before_npcs_with_the_same_initiative(self) -> None:
        everybody = [named("orc", 10, npc=True), named("ug", 10), named("laeniel", 10)]

        assert combat_order(everybody) == ("ug", "laeniel", "orc")
        assert [[one.id for one in tied] for tied in ties(everybody, RpjKind.PLAYER)] == [["ug", "laeniel"]]

    def test_tied_players_choose_their_order(self) -> None:
        tied = (named("ug", 10), named("laeniel", 10))

        assert combat_order(settled(tied, ["laeniel", "ug"])) == ("laeniel", "ug")
        assert list(ties(settled(tied, ["laeniel", "ug"]), RpjKind.PLAYER)) == []
        with pytest.raises(UserError, match="Name each tied combatant once"):
            settled(tied, ["laeniel"])

    def test_tied_npcs_go_by_their_modifier_and_then_by_a_die(self) -> None:
        orcs = [named("orc", 9, npc=True, modifier=2), named("captain", 9, npc=True, modifier=4)]

        assert combat_order(orcs) == ("captain", "orc")
        assert list(ties(orcs, RpjKind.NPC)) == []
        assert list(ties([named("ug", 9), named("a", 9, npc=True)], RpjKind.NPC)) == []
        unrolled = [evolve(named(id_, 0), initiative=None) for id_ in ("x", "y")]
        assert list(ties(unrolled, RpjKind.PLAYER)) == []
        alike = [named("a", 9, npc=True), named("b", 9, npc=True)]
        assert [[one.id for one in tied] for tied in ties(alike, RpjKind.NPC)] == [["a", "b"]]

    def test_a_roll_off_repeats_until_every_tie_is_broken(self) -> None:
        roll = ROLL_OFF.resolve(RollOffInputs(names=("Ug", "Laeniel", "Orc")), d6(3, 5, 3, 2, 2, 1, 4))

        assert roll.verdict.title == "Laeniel, then Orc, then Ug"
        assert [die.label for die in roll.dice] == ["Ug", "Laeniel", "Orc", "Ug", "Orc", "Ug", "Orc"]

    def test_a_newcomer_takes_the_place_their_initiative_gives(self) -> None:
        fighting = [named("laeniel", 14), named("ug", 8)]

        assert joined(("laeniel", "ug"), fighting, named("elf", 11)) == ("laeniel", "elf", "ug")
        assert joined(("laeniel", "ug"), fighting, named("elf", 3)) == ("laeniel", "ug", "elf")


@pytest.mark.rule("RPJ-GCS-17")
class TestMovingDownTheOrder:
    def test_a_combatant_can_move_down_the_order(self) -> None:
        assert demoted(("a", "b", "c"), "a", "c") == ("b", "c", "a")
        assert demoted(("a", "b", "c", "d"), "a", "b") == ("b", "a", "c", "d")
        assert demoted(("a", "b", "c", "d"), "b", "c") == ("a", "c", "b", "d")

    def test_no_combatant_can_move_up_the_order(self) -> None:
        with pytest.raises(UserError, match="That isn't later in the order"):
            demoted(("b", "a"), "a", "b")

    def test_no_combatant_can_move_behind_themselves(self) -> None:
        with pytest.raises(UserError, match="That isn't later in the order"):
            demoted(("a", "b"), "a", "a")

    def test_no_combatant_can_move_behind_the_mooks(self) -> None:
        with pytest.raises(UserError, match="You can't act after the mooks"):
            demoted(("a", "b"), "a", "mooks")


@pytest.mark.rule("RPJ-GCS-19")
class TestOrderSetByTheGm:
    def test_the_gm_can_set_the_initiative_order(self) -> None:
        assert by_fiat(("laeniel", "orcs", "ug"), ["orcs", "laeniel", "ug"]) == ("orcs", "laeniel", "ug")

    def test_an_order_set_by_the_gm_names_everyone_once(self) -> None:
        with pytest.raises(UserError, match="Name everyone in the order once"):
            by_fiat(("a", "b"), ["a", "a"])


@pytest.mark.rule("RPJ-TRAIT-07")
def test_quick_combatants_go_first_in_the_first_round() -> None:
    assert first_round(("a", "b", "c"), ["c"]) == ("c", "a", "b")


@pytest.mark.rule("RPJ-GCS-17", "RPJ-GCS-19")
class TestOrderAtTheTable:
    def waiting(self) -> GameTable:
        table = rpj_table()
        table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
        return table

    def test_nobody_moves_down_an_order_that_is_not_there(self) -> None:
        assert self.waiting().refused("Ug", "encounter.delay").what == "There is no initiative order yet."

    @pytest.mark.parametrize(
        ("named", "order"),
        [
            (("Ogre", "Ug", "Laeniel"), "Ogre, Ug, Laeniel"),
            (("Ogre",), "Ogre, Laeniel, Ug"),
            (("Ug", "Laeniel"), "Ug, Laeniel, Ogre"),
        ],
    )
    def test_the_gm_sets_the_order_and_the_rest_follows_as_before(
        self, named: tuple[str, ...], order: str
    ) -> None:
        done = self.waiting().do("GM", "encounter.order", characters=named)

        assert done.notes[-1] == f"The order: {order}."

    @pytest.mark.parametrize(
        ("after", "order"), [({}, "Ug, Ogre, Laeniel"), ({"after": "Laeniel"}, "Ug, Laeniel, Ogre")]
    )
    def test_one_lets_the_next_or_more_go_first(self, after: dict[str, str], order: str) -> None:
        table = self.waiting()
        table.do("GM", "encounter.order", characters=("Ogre", "Ug", "Laeniel"))

        assert table.do("GM Ogre", "encounter.delay", **after).notes[-1] == f"The order: {order}."
        last = order.split(", ")[-1]
        who = last if last != "Ogre" else "GM Ogre"
        assert table.refused(who, "encounter.delay").what == "You can't act after the mooks."
        table.do("GM", "encounter.next")
        assert table.refused("Ug", "encounter.delay").what.startswith("You can only move down the order")
