"""Implements and artifacts: what they do for a roll, and what they are worth."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.swim_class.acts_rolls import RollableSkill, composing, implements
from bot.rules.swim_class.plans import SwimGear, gear_for
from bot.rules.swim_class.sheet import (
    CATALOGUE,
    Implement,
    Mod,
    SwimItem,
    SwimRole,
    item_of,
)
from tests.rules.swim_class.play import id_of, lay_table, sheet, solo, words


@pytest.mark.rule("SWIM-IMPL-02", "SWIM-ITEM-04")
@pytest.mark.parametrize(
    ("more", "skill", "cancelled"),
    [
        ({}, "climb", 2),
        ({}, "climb:ice", 2),
        ({}, "swim", 0),
        ({"cancel_skills": ()}, "swim", 2),
        ({"is_anchored": True}, "climb", 2),
        ({"must_be_anchored": True}, "climb", 0),
        ({"must_be_anchored": True, "is_anchored": True}, "climb", 2),
        ({"must_be_anchored": True, "is_anchored": True}, "swim", 0),
    ],
)
def test_an_item_cancels_criticals_of_its_skills_alone(
    more: dict[str, Any], skill: str, cancelled: int
) -> None:
    item = SwimItem.model_validate({"name": "x", "cancels": 2, "cancel_skills": ("climb",), **more})

    assert item.cancels_for(skill) == cancelled


@pytest.mark.rule("SWIM-IMPL-03")
@pytest.mark.parametrize(("dice", "is_artifact"), [(0, False), (1, True), (2, True)])
def test_an_item_that_adds_dice_is_an_artifact(dice: int, is_artifact: bool) -> None:
    item = SwimItem(name="x", bonus_dice=dice, dice_skill="water")

    assert item.is_artifact is is_artifact
    assert [item.dice_for(skill) for skill in ("water", "water:ice", "fire")] == [dice, dice, 0]


@pytest.mark.rule("SWIM-IMPL-01")
class TestImplements:
    def test_the_modifier_of_an_implement_applies_to_every_die_of_a_matching_roll(self) -> None:
        table = lay_table(
            Ash=sheet({"basic_melee": 3, "throw": 1}, items=["Great Sword"]), Orc=sheet({"basic_melee": 3})
        )
        struck = table.do("Ash", "attack", "5 2 1", skill="basic melee", targets=("Orc",))
        table.do("GM Orc", "attack", "1 1 1", skill="basic melee", targets=("Ash",))
        parried = table.do("Ash", "defend", "5 4 3", skill="basic melee")
        thrown = table.do("Ash", "attack", "4", skill="throw", targets=("Orc",), distance=1)

        assert [die.shown for die in struck.rolls[0].dice] == ["⚄→7", "⚁→4", "⚀→3"]
        assert [die.shown for die in parried.rolls[0].dice] == ["⚄→6", "⚃→5", "⚂→4"]
        assert [die.shown for die in thrown.rolls[0].dice] == ["⚃"]

    @pytest.mark.parametrize(
        ("role", "skill", "bonus"),
        [
            (SwimRole.TASK, "craft", 2),
            (SwimRole.TASK, "craft:bows", 2),  # a specialization counts as its parent
            (SwimRole.TASK, "climb", 0),
            (SwimRole.DEFENCE, "craft", 0),
            (SwimRole.DEFENCE, "climb", 3),
            (SwimRole.ATTACK, "craft", 0),
        ],
    )
    def test_a_bonus_is_for_its_role_and_its_skills_alone(
        self, role: SwimRole, skill: str, bonus: int
    ) -> None:
        mods = (
            Mod(role=SwimRole.TASK, skills=("craft",), bonus=2),
            Mod(role=SwimRole.TASK, skills=("craft",), bonus=1),
            Mod(role=SwimRole.DEFENCE, skills=("climb", "swim"), bonus=3),
        )
        assert Implement(name="x", mods=mods).bonus(role, skill) == bonus

    @pytest.mark.rule("SWIM-COMB-04")
    @pytest.mark.parametrize(
        ("tool", "skills"),
        [
            (Implement(name="x", mods=(Mod(role=SwimRole.ATTACK, skills=("throw",), bonus=1),)), ["throw"]),
            (Implement(name="x", mods=(Mod(role=SwimRole.TASK, skills=("throw",), bonus=1),)), []),
            (Implement(name="x", weapon_for=("craft",)), ["craft", "craft:bows"]),
            (Implement(name="x"), []),
        ],
    )
    def test_a_weapon_is_for_the_skills_it_helps_or_names(self, tool: Implement, skills: list[str]) -> None:
        assert [one for one in ("throw", "craft", "craft:bows") if tool.is_weapon_for(one)] == skills
        assert tool.is_weapon == (skills != [])


@pytest.mark.rule("SWIM-IMPL-02", "SWIM-ITEM-04")
class TestCancelledCriticals:
    @pytest.mark.parametrize(
        ("faces", "anchored", "note"),
        [
            ("1 1 1 2 2", True, "3 natural 1s: first ignored, 2 canceled, no critical."),
            (
                "1 1 1 1 1",
                True,
                "5 natural 1s: first ignored, 2 canceled, 2 criticals (a fall; the GM decides the damage).",
            ),
            ("1 2 2 2 2", True, "1 natural 1: first ignored, no critical."),
            (
                "1 1 1 2 2",
                False,
                "3 natural 1s: first ignored, 2 criticals (a fall; the GM decides the damage).",
            ),
        ],
    )
    def test_an_anchored_piton_cancels_two_natural_1s(self, faces: str, *, anchored: bool, note: str) -> None:
        table = solo({"climb": 5}, items=["Piton"])
        table.do("Ash", "equip", item="piton", anchored=anchored)
        done = table.do("Ash", "move", faces, how="climb", difficulty=6)

        assert done.notes == (note,)

    def test_a_shield_cannot_be_anchored(self) -> None:
        table = solo(items=["Medium Shield"])

        assert table.why("Ash", "equip", item="Medium Shield", anchored=True) == (
            "You can't anchor Medium Shield."
        )


@pytest.mark.rule("SWIM-IMPL-03", "SWIM-IMPL-04", "SWIM-IMPL-05", "SWIM-IMPL-06")
class TestArtifacts:
    def test_the_dice_of_an_artifact_count_for_progress(self) -> None:
        table = solo({"earth": 3}, items=["Flawless crystal of the Ancients"])

        assert words(table.do("Ash", "cast", "5 2 3 4", spell="shift")) == "4 cubic feet"

    def test_an_artifact_in_use_opens_a_locked_skill(self) -> None:
        table = solo(items=["Amulet of Life"])
        table.set("Ash", "physical_wounds", 0)
        assert words(table.do("Ash", "roll", "3", skill="life", difficulty=3)) == "1 progress"
        table.do("Ash", "equip", item="amulet of life", equipped=False)

        assert table.why("Ash", "roll", skill="life").startswith("Life is at rank 0")

    @pytest.mark.parametrize(("faces", "after"), [("5 4 1", 3), ("5 3 6", 2)])
    def test_the_dice_of_an_artifact_do_not_affect_the_advance_of_a_known_skill(
        self, faces: str, after: int
    ) -> None:
        table = solo({"wind": 2}, items=["Stave of Hermes"])
        table.do("Ash", "roll", faces, skill="wind", difficulty=4)

        assert table.rank("Ash", "wind") == after

    def test_a_skill_at_rank_0_advances_by_the_dice_of_an_artifact(self) -> None:
        table = solo(items=["Eternal Torch"])
        table.do("Ash", "roll", "3", skill="fire", difficulty=4)
        table.do("Ash", "cast", spell="light")
        assert table.rank("Ash", "fire") == 0
        table.do("Ash", "roll", "5", skill="fire", difficulty=4)
        assert table.rank("Ash", "fire") == 1

        assert len(table.do("Ash", "roll", "1 2", skill="fire", difficulty=4).rolls[0].dice) == 2


class TestValue:
    @pytest.mark.rule("SWIM-IMPL-07")
    def test_the_value_of_an_implement_counts_bonuses_criticals_and_bonus_dice(self) -> None:
        named = {name: CATALOGUE[name].value for name in ("Great Sword", "Common Bow", "Masterpiece Bow")}
        assert named == {"Great Sword": 3, "Common Bow": 1, "Masterpiece Bow": 2}
        assert [CATALOGUE[name].value for name in ("Quarterstaff", "Medium Shield", "Piton", "Hammer")] == [
            1,
            2,
            2,
            2,
        ]
        whole = Implement(name="x", mods=(Mod(role=SwimRole.TASK, bonus=1),), cancels=2, bonus_dice=1)
        assert whole.value == 7

    @pytest.mark.rule("SWIM-IMPL-08")
    def test_an_implement_of_value_above_3_is_rare(self) -> None:
        assert not CATALOGUE["Great Sword"].is_rare
        assert Implement(name="x", cancels=4).is_rare
        assert all(item.is_rare for item in CATALOGUE.values() if item.is_artifact)

    @pytest.mark.rule("SWIM-IMPL-09")
    def test_only_the_best_implement_of_a_kind_counts_unless_the_campaign_adds_them_up(self) -> None:
        table = lay_table(Ash=sheet({"physical_defense": 1}, items=["Great Sword", "Medium Shield"]))
        for stack, face in ((False, "⚂→5"), (True, "⚂→6")):
            table.settings(stack_implements=stack)
            table.do("GM Orc", "attack", "2", skill="basic melee", targets=("Ash",))
            assert table.do("Ash", "defend", "3", skill="physical defense").rolls[0].dice[0].shown == face


@pytest.mark.rule("SWIM-IMPL-03", "SWIM-POOL-07")
@pytest.mark.parametrize(
    ("dice", "half", "rolled"), [(1, False, 1), (1, True, 0), (2, True, 1), (3, True, 1), (4, True, 2)]
)
def test_half_an_action_uses_half_of_an_artifacts_dice(dice: int, half: bool, rolled: int) -> None:
    stave = item_of(CATALOGUE["Stave of Hermes"]).model_copy(update={"bonus_dice": dice})
    table = solo({"wind": 4}, items=[stave])
    own = 2 if half else 4
    faces = " ".join("1" * (own + rolled))
    roll = table.do("Ash", "roll", faces, skill="wind", difficulty=6, half=half).rolls[0]

    assert sum(die.is_borrowed for die in roll.dice) == rolled


@pytest.mark.rule("SWIM-IMPL-01", "SWIM-IMPL-02")
@pytest.mark.parametrize(
    ("item", "skill", "role", "helps"),
    [
        ("Knife", "basic_melee", SwimRole.ATTACK, True),
        ("Knife", "throw", SwimRole.ATTACK, True),
        ("Knife", "climb", SwimRole.TASK, False),
        ("Quarterstaff", "basic_melee", SwimRole.DEFENCE, True),
        ("Hammer", "climb", SwimRole.TASK, True),
        ("Arrow", "climb", SwimRole.TASK, False),
    ],
)
def test_what_helps_a_roll_can_be_named_for_it(item: str, skill: str, role: SwimRole, helps: bool) -> None:
    scene = replace(solo(items=[item]).scene, actor_id=id_of("Ash"))

    assert ([one.value for one in implements(scene, skill, role)] == ["", item]) is helps


def thing(name: str, bonus: int = 0, *, cancels: int = 0, dice: int = 0, **more: Any) -> SwimItem:
    """An item that helps to climb."""
    mods = (Mod(role=SwimRole.TASK, skills=("climb",), bonus=bonus),) if bonus else ()
    return SwimItem(
        name=name,
        mods=mods,
        cancels=cancels,
        cancel_skills=("climb",),
        bonus_dice=dice,
        dice_skill="climb" if dice else "",
        **more,
    )


@pytest.mark.rule("SWIM-IMPL-01", "SWIM-IMPL-02", "SWIM-IMPL-03", "SWIM-IMPL-09", "SWIM-ITEM-05")
@pytest.mark.parametrize(
    ("items", "named", "stacks", "gear"),
    [
        ([], "", False, SwimGear(0, 0, 0, "", ())),
        ([thing("Plain")], "", False, SwimGear(0, 0, 0, "", ())),
        ([thing("Plain")], "", True, SwimGear(0, 0, 0, "", ())),
        ([thing("Hook", 1)], "", False, SwimGear(1, 0, 0, "", ("Hook",))),
        ([thing("Axe", 3), thing("Zip", 1)], "", False, SwimGear(3, 0, 0, "", ("Axe",))),
        ([thing("Axe", 1), thing("Zip", 3)], "", False, SwimGear(3, 0, 0, "", ("Zip",))),
        ([thing("Axe", 1), thing("Zip", 3)], "", True, SwimGear(4, 0, 0, "", ("Axe", "Zip"))),
        ([thing("Axe", 1), thing("Zip", 3)], "axe", False, SwimGear(1, 0, 0, "", ("Axe",))),
        ([thing("Peg", cancels=1)], "", False, SwimGear(0, 1, 0, "", ("Peg",))),
        ([thing("Peg", cancels=1), thing("Axe", 1)], "axe", False, SwimGear(1, 0, 0, "", ("Axe",))),
        ([thing("Peg", cancels=1), thing("Axe", 1)], "", False, SwimGear(1, 1, 0, "", ("Axe", "Peg"))),
        ([thing("Orb", dice=2)], "", False, SwimGear(0, 0, 2, "Orb", ("Orb",))),
        ([thing("Orb", dice=2), thing("Axe", 1)], "axe", False, SwimGear(1, 0, 2, "Orb", ("Axe", "Orb"))),
        ([thing("Orb", 1, dice=2), thing("Gem", dice=1)], "", False, SwimGear(1, 0, 2, "Orb", ("Orb",))),
        ([thing("Axe", 2, is_equipped=False)], "", False, SwimGear(0, 0, 0, "", ())),
        ([thing("Axe", 2, is_equipped=False)], "axe", False, SwimGear(2, 0, 0, "", ("Axe",))),
        ([thing("Axe", 2, is_by_choice=True)], "", False, SwimGear(0, 0, 0, "", ())),
        ([thing("Axe", 2, is_by_choice=True)], "axe", False, SwimGear(2, 0, 0, "", ("Axe",))),
        ([thing("Peg", cancels=2), thing("Axe", cancels=1, is_by_choice=True)], "axe", False,
         SwimGear(0, 2, 0, "", ("Peg",))),
        ([thing("Peg", cancels=1), thing("Axe", cancels=2, is_by_choice=True)], "axe", False,
         SwimGear(0, 2, 0, "", ("Axe",))),
    ],
)  # fmt: skip
def test_the_best_of_each_kind_in_use_counts_or_what_is_named(
    items: list[SwimItem], named: str, stacks: bool, gear: SwimGear
) -> None:
    table = solo(items=items)
    table.settings(stack_implements=stacks)

    assert gear_for(table.scene, table.sheet("Ash"), SwimRole.TASK, "climb", named) == gear


@pytest.mark.rule("SWIM-IMPL-01", "SWIM-IMPL-02")
@pytest.mark.parametrize(
    ("item", "helps"), [(thing("Axe", 1), True), (thing("Peg", cancels=1), True), (thing("Plain"), False)]
)
def test_a_bonus_or_a_cancelled_critical_of_1_is_enough_to_be_named(item: SwimItem, helps: bool) -> None:
    scene = replace(solo(items=[item]).scene, actor_id=id_of("Ash"))

    assert bool(implements(scene, "climb")) is helps


def test_menus_of_what_goes_with_a_roll_hold_25_entries() -> None:
    table = solo(items=[thing(f"Axe {number}", 1) for number in range(30)])
    scene = replace(table.scene, actor_id=id_of("Ash"))
    pools = [RollableSkill(f"craft:{number}", f"Craft ({number})", 2) for number in range(30)]
    found = composing(scene, RollableSkill("climb", "Climb", 2), adds=pools).values

    assert [len(found["implement"]), found["implement"][-1].label] == [25, "Axe 23"]
    assert [len(found["add"]), found["add"][-1].value] == [25, "craft:23"]


@pytest.mark.rule("SWIM-POOL-01")
@pytest.mark.parametrize(("rank", "added"), [(1, []), (2, ["Walk / Run 2"])])
def test_only_a_skill_that_adds_dice_is_offered_to_be_combined(rank: int, added: list[str]) -> None:
    scene = replace(solo().scene, actor_id=id_of("Ash"))
    pool = RollableSkill("walk", "Walk / Run", rank)
    climb = RollableSkill("climb", "Climb", 3)

    found = composing(scene, climb, adds=[climb, pool]).values.get("add", ())
    assert [one.label for one in found[1:]] == added
