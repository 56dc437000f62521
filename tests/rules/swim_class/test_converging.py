"""Several together: what each contributes to one roll, and the help that friends pledge."""

from typing import Any

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.pools import BankedDie, Source
from bot.rules.swim_class.sheet import SwimRole
from bot.rules.swim_class.together import (
    BuildUp,
    Pledge,
    Pledges,
    SwimPart,
    contribution,
    find_buildup,
    pledges_key,
    take_helpers,
)
from tests.rules.swim_class.play import GameTable, id_of, lay_table, sheet, solo, words
from tests.rules.swim_class.test_pool_sizes import fighting

SKILL, ADDED = Source.SKILL, Source.ADDED
DIE = BankedDie(name="x", source=SKILL, face=4)


def built(*parts: tuple[str, str]) -> BuildUp:
    """Ash's build-up of a throw, with the parts that people contributed with skills."""
    done = tuple(
        SwimPart(character=id_of(who), skill=skill, round=number, dice=(DIE,) * 2)
        for number, (who, skill) in enumerate(parts, start=1)
    )
    return BuildUp(owner=id_of("Ash"), base="throw", role=SwimRole.TASK, parts=done)


@pytest.mark.rule("SWIM-POOL-02", "SWIM-POOL-04", "SWIM-POOL-05")
@pytest.mark.parametrize(
    ("parts", "who", "skill", "dice"),
    [
        ((), "Ash", "throw", (3, SKILL)),
        ((("Ash", "throw"),), "Ash", "throw", (2, SKILL)),
        ((("Ash", "walk"),), "Ash", "throw", (3, SKILL)),
        ((("Bram", "throw"),), "Ash", "throw", (3, SKILL)),
        ((), "Ash", "walk", (1, ADDED)),
        ((("Ash", "throw"),), "Ash", "walk", (1, ADDED)),
        ((), "Bram", "throw", (3, ADDED)),
        ((("Ash", "throw"),), "Bram", "throw", (3, ADDED)),
        ((), "Ash", "jump", None),
    ],
)
def test_the_base_gives_all_its_dice_once_and_everything_else_one_less(
    parts: tuple[tuple[str, str], ...], who: str, skill: str, dice: tuple[int, Source] | None
) -> None:
    table = lay_table(Ash=sheet({"throw": 3, "walk": 2, "jump": 1}), Bram=sheet({"throw": 4}))
    if dice is None:
        with pytest.raises(UserError, match="adds no dice"):
            contribution(table.scene, id_of(who), built(*parts), skill)
        return
    (group,) = contribution(table.scene, id_of(who), built(*parts), skill).groups

    assert (group.count, group.source) == dice


@pytest.mark.rule("SWIM-POOL-05", "SWIM-IMPL-03")
@pytest.mark.parametrize(
    ("parts", "groups"),
    [((), [("Wind", 2), ("Stave of Hermes", 1)]), ((("Ash", "wind"),), [("Wind", 1)])],
)
def test_the_dice_of_an_artifact_join_only_the_base(
    parts: tuple[tuple[str, str], ...], groups: list[tuple[str, int]]
) -> None:
    table = solo({"wind": 2}, items=["Stave of Hermes"])
    begun = built(*parts).model_copy(update={"base": "wind"})

    found = contribution(table.scene, id_of("Ash"), begun, "wind").groups
    assert [(group.name, group.count) for group in found] == groups


@pytest.mark.rule("SWIM-POOL-02")
def test_all_parts_of_a_build_up_are_banked_and_released_by_its_base_only() -> None:
    table = solo({"throw": 2, "walk": 3, "climb": 2})
    table.do("Ash", "buildup", "5 2", skill="walk", base="throw")
    assert words(table.do("Ash", "buildup", "4 3", skill="walk", base="throw")) == "4 dice banked"
    buildup = find_buildup(table.scene, id_of("Ash"))
    assert buildup is not None
    assert [(die.face, die.source, die.name) for die in buildup.banked] == [
        (5, ADDED, "Walk / Run"),
        (2, ADDED, "Walk / Run"),
        (4, ADDED, "Walk / Run"),
        (3, ADDED, "Walk / Run"),
    ]

    assert words(table.do("Ash", "roll", "6 1", skill="climb", difficulty=4)) == "1 progress"
    assert find_buildup(table.scene, id_of("Ash")) == buildup
    assert words(table.do("Ash", "roll", "6 1", skill="throw", difficulty=4)) == "3 progress"
    assert find_buildup(table.scene, id_of("Ash")) is None
    assert find_buildup(table.scene, id_of("Bram")) is None


@pytest.mark.rule("SWIM-POOL-02", "SWIM-POOL-04")
def test_one_contribution_a_round_is_counted_by_the_round_of_the_fight() -> None:
    table = fighting("Ash", "Orc", Ash={"throw": 2, "walk": 3})
    table.do("Ash", "buildup", "5 2", skill="walk", base="throw")
    refused = "Only one contribution per round."
    assert table.why("Ash", "buildup", skill="walk", base="throw") == refused
    assert table.why("Ash", "roll", skill="throw", difficulty=4) == refused
    table.do("Ash", "encounter.next")
    table.do("GM", "encounter.next")

    assert words(table.do("Ash", "buildup", "4 3", skill="walk", base="throw")) == "4 dice banked"
    buildup = find_buildup(table.scene, id_of("Ash"))
    assert buildup is not None
    assert [part.round for part in buildup.parts] == [1, 2]


@pytest.mark.rule("SWIM-POOL-03", "SWIM-IMPL-02")
@pytest.mark.parametrize(
    ("faces", "items", "told", "note"),
    [
        ("1 4 5", (), "3 dice banked", ""),
        ("1 1 5", (), "broken", "2 natural 1s: first ignored, 1 critical (the GM decides what happens)."),
        ("1 1 5", ("Piton",), "3 dice banked", ""),
        ("1 1 1", ("Piton",), "3 dice banked", ""),
    ],
)
def test_a_critical_breaks_a_build_up_unless_an_implement_cancels_it(
    faces: str, items: tuple[str, ...], told: str, note: str
) -> None:
    table = solo({"climb": 3}, items=items)
    if items:
        table.do("Ash", "equip", item="piton", anchored=True)
    done = table.do("Ash", "buildup", faces, skill="climb")

    assert words(done) == told
    assert (find_buildup(table.scene, id_of("Ash")) is None) is bool(note)
    assert list(done.notes) == (
        [note, "All banked dice are lost."] if note else ["Ash releases them with their next Climb roll."]
    )


def pledged(table: GameTable) -> list[tuple[str, str, int]]:
    """The help that Ash has been promised: by whom, for which roll, with how many dice."""
    found = table.scene.document(pledges_key(id_of("Ash")))
    return [(one.name, one.roll, one.dice) for one in found.pledges] if isinstance(found, Pledges) else []


@pytest.mark.rule("SWIM-POOL-04")
class TestPledges:
    def helped(self) -> GameTable:
        """Bram helps with a climb, Cleo with a throw."""
        table = lay_table(
            Ash=sheet({"climb": 4, "throw": 4}),
            Bram=sheet({"climb": 2}),
            Cleo=sheet({"climb": 3, "throw": 3}),
        )
        done = table.do("Bram", "aid", target="Ash", skill="climb")
        assert done.notes == ("Up to 1 die for Ash's next Climb roll.",)
        done = table.do("Cleo", "aid", target="Ash", skill="climb", roll="throw")
        assert done.notes == ("Up to 2 dice for Ash's next Throw roll.",)
        return table

    def test_each_helper_pledges_once_and_a_new_pledge_takes_the_olds_place(self) -> None:
        table = self.helped()
        assert pledged(table) == [("Bram", "climb", 1), ("Cleo", "throw", 2)]
        table.do("Bram", "aid", target="Ash", skill="climb", roll="throw")

        assert pledged(table) == [("Cleo", "throw", 2), ("Bram", "throw", 1)]

    def test_a_skill_of_rank_1_helps_nobody(self) -> None:
        table = lay_table(Bram=sheet({"climb": 1}))

        assert table.why("Bram", "aid", target="Ash", skill="climb") == "Climb 1 gives no dice."

    @pytest.mark.parametrize(
        ("helper", "left", "headline"),
        [
            (None, [], "refuses the help of Bram, Cleo"),
            ("Bram", [("Cleo", "throw", 2)], "refuses the help of Bram"),
            ("Cleo", [("Bram", "climb", 1)], "refuses the help of Cleo"),
        ],
    )
    def test_help_is_refused_from_one_or_from_all(
        self, helper: str | None, left: list[Any], headline: str
    ) -> None:
        table = self.helped()

        assert table.do("Ash", "refuse_help", helper=helper).headline == headline
        assert pledged(table) == left
        what = (
            "No one is helping Ash right now." if helper is None else f"{helper} isn't helping Ash right now."
        )
        assert table.why("Ash", "refuse_help", helper=helper) == what

    @pytest.mark.parametrize(
        ("skill", "dice", "left"),
        [
            ("climb", "4 4 4 4 2", [("Cleo", "throw", 2)]),
            ("throw", "4 4 4 4 2 2", [("Bram", "climb", 1)]),
            ("brawn", "4", [("Bram", "climb", 1), ("Cleo", "throw", 2)]),
        ],
    )
    def test_help_is_used_up_by_the_roll_it_is_for(self, skill: str, dice: str, left: list[Any]) -> None:
        table = self.helped()
        done = table.do("Ash", "roll", dice, skill=skill, difficulty=4)

        assert pledged(table) == left
        assert [note for note in done.notes if "helps" in note] == [
            f"{name} helps (＋)." for name in ("Bram", "Cleo") if name not in [who for who, *_rest in left]
        ]

    def test_help_for_any_roll_or_for_a_specialization_counts_for_its_parent(self) -> None:
        def pledge(name: str, roll: str) -> Pledge:
            return Pledge(character=id_of(name), name=name, skill="craft", dice=1, modifier=2, roll=roll)

        scene = lay_table().scene.with_document(
            pledges_key(id_of("Ash")), Pledges(pledges=(pledge("Bram", ""), pledge("Cleo", "craft:wood")))
        )

        assert [one.name for one in take_helpers(scene, id_of("Ash"), "craft")[1]] == ["Bram", "Cleo"]
        assert [one.name for one in take_helpers(scene, id_of("Ash"), "climb")[1]] == ["Bram"]
        assert [one.modifier for one in take_helpers(scene, id_of("Ash"), "climb")[1]] == [2]
