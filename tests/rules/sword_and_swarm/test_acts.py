"""What the sheet offers in Sword & Swarm (issue 13, section 2)."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, cast

import icepool
import pytest
from msgspec.structs import replace

from bot.rules.kernel import ActGroup, CharacterId, Odds, Roll
from bot.rules.kernel.dice import Chance, Dice, Fall, ReplayedDice, WrongDie
from bot.rules.kernel.outcome import shown_number
from bot.rules.sword_and_swarm import RULESET
from bot.rules.sword_and_swarm.creation import CREATION
from bot.rules.sword_and_swarm.encounter import TRACKER
from bot.rules.sword_and_swarm.session import SwarmOddsQuestion, answer_odds
from bot.rules.sword_and_swarm.sheet import Benefit, BenefitKind, Scene, SwarmSettings, SwarmSheet
from bot.rules.sword_and_swarm.tests import (
    SwarmAttribute,
    attribute_odds,
    attribute_test,
    proficiency_odds,
    proficiency_test,
)
from tests.rules.offers import (
    Step,
    act_called,
    acts_of,
    check_every_act,
    check_menus,
    do_act,
    labels_of,
    only_act,
    told,
)
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import attribute_inputs, faces, gear, lay, proficiency_inputs, sheet

READY = dict(CREATION.ready_made)
ASH, BRAM = CharacterId(1), CharacterId(2)
HANDS = Benefit(name="Steady hands", kind=BenefitKind.TRAIT)


def offers(table: GameTable) -> list[str]:
    return labels_of(RULESET, table.scene, ASH)


def benefits_of(table: GameTable, who: CharacterId) -> tuple[Benefit, ...]:
    sheet = table.scene.character(who).sheet
    assert isinstance(sheet, SwarmSheet)
    return sheet.benefits


@pytest.mark.parametrize("name", READY)
def test_every_act_of_a_ready_made_character_works_in_and_out_of_a_fight(name: str) -> None:
    table = lay(READY[name])
    check_every_act(RULESET, table.scene, ASH)
    table.do("Ash", "encounter.start", others=("Bram", "Ogre"))
    table.do("GM", "encounter.next")
    for who in (1, 2, 3):
        check_every_act(RULESET, table.scene, CharacterId(who))


def test_ranked_proficiencies_come_first_then_attributes_from_the_highest() -> None:
    table = lay(sheet(proficiencies={"Architecture": 2}))
    found = offers(table)
    assert found[0].startswith("Architecture +")
    assert found[1:4] == ["Test Boots 6 (1)", "Test Runes 5", "Test Mallet 4"]
    assert not [label for label in found if label.startswith("Test Shield 0")]


def test_a_proficiency_asks_for_its_difficulty_and_takes_advantage() -> None:
    table = lay(sheet(proficiencies={"Architecture": 2}))
    act = act_called(RULESET, table.scene, ASH, "Architecture")
    assert set(act.adjusts) == {"bonus", "advantage", "disadvantage"}
    outcome = do_act(RULESET, table.scene, ASH, act, faces("6 5"), difficulty="10 difficult", bonus="-1")
    assert outcome.headline == "tests Architecture (proficiency, Runes)"
    assert outcome.rolls[0].verdict.title == "success"


def test_obstacles_of_the_campaign_come_before_plain_difficulties() -> None:
    table = lay()
    table.settings(obstacles=("Rope bridge: 4",))
    act = act_called(RULESET, table.scene, ASH, "Test an obstacle")
    plain = [f"Difficulty {number}" for number in range(11)]
    assert [one.label for one in act.do.choices] == ["Rope bridge, difficulty 4", *plain]  # F-SMALL-22
    assert act.has_chances
    outcome = do_act(RULESET, table.scene, ASH, act, faces("5"), obstacle="Rope bridge")
    assert outcome.headline == "tests Rope bridge, difficulty 4 (obstacle)"


def test_an_opponents_attribute_is_tested_foes_first() -> None:
    table = lay()
    act = act_called(RULESET, table.scene, ASH, "Test Mallet of an opponent")
    assert [one.label for one in act.do.choices] == ["Ogre", "Bram"]
    outcome = do_act(RULESET, table.scene, ASH, act, faces("6 4"), target=str(act.do.choices[0].value))
    assert outcome.headline == "tests Ogre's Mallet (opponent's attribute)"


def test_a_pending_re_roll_is_offered_first() -> None:
    table = lay(sheet(proficiencies={"Architecture": 2}))
    options = {"proficiency": "Architecture", "difficulty": "14", "advantage": True}
    table.do("Ash", "proficiency", "d6:1 d6:2", **options)
    found = offers(table)
    assert found[0].startswith("Roll again")
    assert found[1] == "Keep the serious failure (Architecture)"
    check_every_act(RULESET, table.scene, ASH)


def test_a_defeated_character_is_told_so() -> None:
    table = lay(sheet(star=0))
    found = acts_of(RULESET, table.scene, ASH)
    reasons = [act.why_not for act in found if act.group is ActGroup.CHECK]
    assert reasons == ["Ash is defeated (Star 0) and can't make tests."]
    check_every_act(RULESET, table.scene, ASH)


def test_things_can_be_used_and_put_away() -> None:
    table = lay(sheet(benefits=(gear("Gloves", key=2), gear("Boots of speed", in_use=False, boots=1))))
    found = [label for label in offers(table) if "se" in label.split()[0] or "Stop" in label]
    assert found == ["Use Boots of speed (Boots +1)", "Stop using Gloves (Key +2)"]
    act = act_called(RULESET, table.scene, ASH, "Use Boots")
    assert do_act(RULESET, table.scene, ASH, act, faces("")).headline == "uses Boots of speed"


def test_a_fight_is_started_with_a_chosen_foe() -> None:
    table = lay()
    assert SwarmSettings() == table.scene.settings
    act = act_called(RULESET, table.scene, ASH, "Start a fight with")
    outcome = do_act(RULESET, table.scene, ASH, act, faces(""), others=act.do.choices[0].value)
    assert outcome.notes[-1] == "Fighting: Ash, Ogre."


def test_equipment_is_handed_to_friends_and_traits_are_not() -> None:
    table = lay(sheet(benefits=(gear("Gloves", key=2), HANDS)))
    thing, target = act_called(RULESET, table.scene, ASH, "Hand equipment over").do.blanks
    assert [one.label for one in thing.choices] == ["Gloves"]
    assert [one.label for one in target.choices] == ["Bram"]
    assert "is a trait" in table.refused("Ash", "hand", name="Steady hands", target="Bram").what

    done = table.do("Ash", "hand", name="gloves", target="Bram")
    assert done.headline == "hands Gloves to Bram"
    assert done.notes == ("Ash: Key 5 → 3",)
    (gloves,) = benefits_of(table, BRAM)
    assert (gloves.name, gloves.in_use) == ("Gloves", False)
    (button,) = done.follow_ups  # F-SMALL-22
    assert (button.label, button.note) == ("Use Gloves", "Bram isn't using Gloves yet.")
    table.press("Bram", button)
    assert [one.in_use for one in benefits_of(table, BRAM)] == [True]
    assert [one.name for one in benefits_of(table, ASH)] == ["Steady hands"]


def test_nothing_is_handed_to_oneself_or_to_who_has_it() -> None:
    table = lay(sheet(benefits=(gear("Gloves", key=2),)))
    table.do("GM", "give", target="Bram", name="Gloves")
    assert "to yourself" in table.refused("Ash", "hand", name="Gloves", target="Ash").what
    assert "already has Gloves" in table.refused("Ash", "hand", name="Gloves", target="Bram").what


def test_somebody_without_a_sheet_is_tested_by_number() -> None:
    table = lay()
    act = act_called(RULESET, table.scene, ASH, "Test someone without a sheet")
    outcome = do_act(RULESET, table.scene, ASH, act, faces("6 4"), attribute="Boots", value="2")
    assert outcome.headline == "tests Boots (opponent's attribute)"


def test_a_combatant_can_delay_behind_those_who_act_later() -> None:
    table = lay()
    table.do("Ash", "encounter.start", others=("Bram", "Ogre"))
    table.do("GM", "encounter.next")
    act = act_called(RULESET, table.scene, ASH, "Delay")
    assert [one.label for one in act.do.choices] == ["Ogre", "Bram"]
    outcome = do_act(RULESET, table.scene, ASH, act, faces(""), after=str(act.do.choices[0].value))
    assert outcome.headline == "delays and acts later from now on"
    assert not [one for one in labels_of(RULESET, table.scene, CharacterId(3)) if one.startswith("Delay")]


@pytest.mark.parametrize("name", READY)
def test_a_gm_can_do_everything_offered_to_a_character(name: str) -> None:
    table = lay(READY[name])
    settings = SwarmSettings(equipment=("Rope", "Ladder"), proficiencies=("Riding: Key",))
    table.scene = replace(table.scene, settings=settings)
    table.do("GM", "star", target="Ash", change=-1)
    table.do("GM", "give", target="Ash", name="Rope")

    found = check_every_act(RULESET, table.scene, ASH, {"ranks": "3"}, for_gm=True)

    assert found == {"attributes", "give", "load", "ranks", "star", "take"}
    acts = acts_of(RULESET, table.scene, ASH, for_gm=True)
    (back,) = [one for one in acts if one.group is ActGroup.HEAL]
    assert [one.value for one in back.do.choices] == ["1"]


@pytest.mark.rule("SWARM-ATTR-02", "SWARM-ATTR-09", "SWARM-ATTR-11", "SWARM-ATTR-13")
class TestGmMenus:
    """Each menu of the GM's holds every value that the rules allow, except the present one."""

    @staticmethod
    def menu(table: GameTable, label: str) -> list[str]:
        found = [act for act in acts_of(RULESET, table.scene, ASH, for_gm=True) if act.do.label == label]
        return [one.label for act in found for one in act.do.choices]

    @pytest.mark.parametrize(
        ("now", "lowest", "highest"), [(4, -16, 4), (2, -18, 4), (-998, -1000, -978), (-1000, -1000, -980)]
    )
    def test_star_is_lost_without_end_and_regained_up_to_its_maximum(
        self, now: int, lowest: int, highest: int
    ) -> None:
        table, from_now = lay(sheet(star=now)), f"Star {shown_number(now)} →"
        lost = [f"{now - star}: {from_now} {shown_number(star)}" for star in range(now - 1, lowest - 1, -1)]
        regained = [f"{star - now}: {from_now} {shown_number(star)}" for star in range(now + 1, highest + 1)]

        assert self.menu(table, "Take Star …") == lost
        assert self.menu(table, "Give Star back …") == regained

    @pytest.mark.parametrize("now", [0, 2, 10])
    def test_a_load_takes_up_to_ten_from_boots(self, now: int) -> None:
        every = ["No load", *(f"Boots −{n}" for n in range(1, 11))]

        assert self.menu(lay(sheet(encumbrance=now)), f"Set the load … ({now} now)") == [
            label for n, label in enumerate(every) if n != now
        ]

    def test_attributes_go_from_zero_to_ten(self) -> None:
        assert self.menu(lay(), "Set Key … (3 now)") == [f"3 → {n}" for n in range(11) if n != 3]


@pytest.mark.rule("SWARM-TEST-03", "SWARM-ATTR-04")
class TestBoard:
    @staticmethod
    def begun(star: int | None = None) -> GameTable:
        table = lay(sheet(star=star))
        table.do("Ash", "encounter.start", others=("Bram", "Ogre"))
        table.do("GM", "encounter.next")
        return table

    @staticmethod
    def buttons(table: GameTable) -> dict[str, list[str]]:
        found = TRACKER.choices(cast(Scene, table.scene))
        return {one.procedure: [choice.label for choice in one.choices] for one in found}

    def test_the_one_whose_turn_it_is_tests_others_and_its_own_attributes_above_zero(self) -> None:
        table = self.begun()

        assert self.buttons(table) == {
            "versus": ["Ogre", "Bram"],
            "test": ["Mallet 4", "Key 3", "Runes 5", "Coronet 2", "Star 4", "Boots 6 (1)"],
            "encounter.next": [],
        }
        versus = TRACKER.choices(cast(Scene, table.scene))[0]
        assert versus.options.model_dump()["target"] == table.ids["Bram"]  # as boards of old know it

    def test_an_attribute_of_one_can_be_tested(self) -> None:
        table = self.begun()
        table.change("Ash", base={**sheet().base, SwarmAttribute.KEY: 1, SwarmAttribute.MALLET: 0})

        assert self.buttons(table)["test"] == ["Key 1", "Runes 5", "Coronet 2", "Star 4", "Boots 6 (1)"]

    def test_a_defeated_combatant_only_ends_its_turn(self) -> None:
        assert set(self.buttons(self.begun(star=0))) == {"encounter.next"}


@pytest.mark.parametrize(
    ("star", "looks"), [(2, "hurt"), (1, "badly hurt"), (0, "defeated"), (-1, "risks death")]
)
@pytest.mark.rule("SWARM-ATTR-10", "SWARM-ATTR-11")
def test_star_shows_how_a_character_is(star: int, looks: str) -> None:
    table = lay(sheet(star=star))
    health = RULESET.health(table.named("Ash"), table.scene.settings)

    assert health.numbers == (f"Star {shown_number(star)}/4",)
    assert health.looks == looks


def test_a_crowded_sheet_still_fits_into_its_menus() -> None:
    table = lay(sheet(benefits=[gear(f"Thing {number}") for number in range(40)]))

    check_every_act(RULESET, table.scene, ASH)
    things = " · ".join(f"Thing {number}" for number in range(25))
    assert told(act_called(RULESET, table.scene, ASH, "Hand equipment")).startswith(
        f"Hand equipment over | What (1 of): {things} | "
    )


EDGES = ("none", "advantage", "disadvantage")
MODIFIERS = (-4, -1, 0, 2)


def rolls(roll: Callable[[Dice], Roll], faces: tuple[int, ...] = ()) -> Iterator[tuple[Roll, int]]:
    """Every way a test can fall, with how many dice were rolled: each die in turn takes every face."""
    dice = ReplayedDice(Fall(6, face) for face in faces)
    try:
        yield roll(dice), len(faces)
    except WrongDie:
        for face in range(1, 7):
            yield from rolls(roll, (*faces, face))


def enumerated(roll: Callable[[Dice], Roll]) -> dict[str, Fraction]:
    chances: defaultdict[str, Fraction] = defaultdict(Fraction)
    for fallen, dice in rolls(roll):
        chances[str(fallen.outcome)] += Fraction(1, 6**dice)
    return dict(chances)


def told_odds(odds: Odds) -> dict[str, Fraction]:
    assert sum(chance.fraction for _name, chance in odds.chances) == 1
    return {name: chance.fraction for name, chance in odds.chances if chance.ways}


class TestAttributeTests:
    @pytest.mark.parametrize("edge", EDGES)
    @pytest.mark.parametrize("impossible", [False, True])
    @pytest.mark.parametrize("kind", ["own", "opponent", "obstacle"])
    def test_the_attribute_odds_match_the_test_over_all_faces(
        self, kind: str, impossible: bool, edge: str
    ) -> None:
        for value, modifier in product(range(11), MODIFIERS):
            row = {"kind": kind, "value": value, "modifier": modifier, "edge": edge}
            inputs = attribute_inputs({**row, "confirm_when_impossible": impossible})

            assert enumerated(partial(attribute_test, inputs)) == told_odds(attribute_odds(inputs))

    @pytest.mark.parametrize("modifier", range(-4, 5))
    @pytest.mark.parametrize("value", range(11))
    def test_the_attribute_odds_match_another_library(self, value: int, modifier: int) -> None:
        d6 = icepool.d6

        def own(face: int) -> icepool.Die[bool]:
            effective = min(10, max(0, value + modifier))
            if face == 6 and effective > 5:
                return d6 <= effective - 5
            return icepool.Die([face <= effective])

        def opponent(face: int) -> icepool.Die[bool]:
            if face == 6 and value > 5 and 6 + modifier <= value:
                return d6 + modifier > value - 5
            return icepool.Die([face + modifier > value])

        for kind, judge in (("own", own), ("opponent", opponent)):
            once = d6.map(judge)
            again = {"none": once, "advantage": once | once, "disadvantage": once & once}
            for edge in EDGES:
                row = {"kind": kind, "value": value, "modifier": modifier, "edge": edge}

                odds = dict(attribute_odds(attribute_inputs(row)).chances)

                assert odds["success"].fraction == again[edge].mean()


class TestProficiencyTests:
    @pytest.mark.parametrize("edge", EDGES)
    @pytest.mark.parametrize("difficulty", [1, 7, 12, 20])
    def test_the_proficiency_odds_match_the_test_over_all_faces(self, difficulty: int, edge: str) -> None:
        for value, ranks, modifier in ((-1, 0, -4), (4, 0, 0), (8, 3, 2)):
            row = {"value": value, "ranks": ranks, "modifier": modifier, "difficulty": difficulty}
            inputs = proficiency_inputs({**row, "edge": edge})

            assert enumerated(partial(proficiency_test, inputs)) == told_odds(proficiency_odds(inputs))

    @pytest.mark.parametrize("edge", EDGES)
    @pytest.mark.parametrize("difficulty", range(2, 19))
    def test_the_proficiency_odds_match_another_library(self, difficulty: int, edge: str) -> None:
        def judge(first: int, second: int) -> str:
            if first == second == 1:
                return "disastrous failure"
            if first + second + 3 >= difficulty:
                return "success"
            return "serious failure" if 1 in (first, second) else "failure"

        def rerolled(first: str, second: str) -> str:
            return second if (first == "success") == (edge == "disadvantage") else first

        once = icepool.map(judge, icepool.d6, icepool.d6)
        results = once if edge == "none" else icepool.map(rerolled, once, once)
        row = {"value": 5, "ranks": 2, "difficulty": difficulty, "edge": edge}

        odds = proficiency_odds(proficiency_inputs(row))

        assert told_odds(odds) == {name: results.probability(name) for name in results}


@pytest.mark.rule("SWARM-TEST-06", "SWARM-CONF-06", "SWARM-PROF-06")
class TestOddsPage:
    @pytest.mark.parametrize(
        ("asked", "success"),
        [
            ({}, Chance(18, 36)),
            ({"attribute": 7, "bonus": -1}, Chance(31, 36)),
            ({"test": "opponent", "attribute": 6, "bonus": 2}, Chance(12, 36)),
            ({"test": "obstacle", "attribute": 4}, Chance(12, 36)),
            ({"test": "opponent", "attribute": 5, "edge": "advantage"}, Chance(396, 1296)),
            ({"test": "proficiency", "attribute": 4}, Chance(15, 36)),
            (
                {"test": "proficiency", "attribute": 5, "ranks": 2, "difficulty": 10, "bonus": 1},
                Chance(26, 36),
            ),
        ],
    )
    def test_the_odds_page_gives_the_chance_of_any_test(self, asked: dict[str, Any], success: Chance) -> None:
        odds = answer_odds(SwarmOddsQuestion.model_validate(asked))

        assert odds.chances[-1] == ("success", success)

    def test_the_odds_page_belongs_to_the_ruleset(self) -> None:
        assert RULESET.odds.answer(SwarmOddsQuestion(test="proficiency")).chances[0] == (
            "disastrous failure",
            Chance(1, 36),
        )


MENUS = Path(__file__).with_name("menus.toml")


def evening() -> dict[str, Step]:
    """An evening, step by step: what the file of menus follows."""
    ash = sheet(
        proficiencies={"Architecture": 2, "Sailing": 1},
        benefits=(gear("Gloves", key=2), gear("Boots of speed", in_use=False, boots=1), HANDS),
        encumbrance=1,
    )
    table = lay(ash)

    def seen(who: int, *steps: Callable[[], object]) -> Step:
        def step() -> tuple[Any, CharacterId]:
            for one in steps:
                one()
            return table.scene, CharacterId(who)

        return step

    def changed(**changes: Any) -> None:
        one = table.scene.character(ASH)
        assert isinstance(one.sheet, SwarmSheet)
        table.scene = table.scene.with_character(replace(one, sheet=one.sheet.model_copy(update=changes)))

    def kept() -> None:
        keep = only_act(acts_of(RULESET, table.scene, ASH), "Keep")
        table.scene = do_act(RULESET, table.scene, ASH, keep, faces("")).scene

    asked = {"proficiency": "Architecture", "difficulty": "14", "advantage": True}
    return {
        "at first": seen(1),
        "with obstacles of the campaign": seen(
            1, lambda: table.settings(obstacles=("Rope bridge: 4", "Wall: 7"))
        ),
        "with a second roll to decide": seen(1, lambda: table.do("Ash", "proficiency", "d6:1 d6:2", **asked)),
        "before a fight begins": seen(
            1,
            kept,
            lambda: table.do("Ash", "encounter.start", others=("Bram", "Ogre")),
        ),
        "in a fight, on the own turn": seen(1, lambda: table.do("GM", "encounter.next")),
        "in the turn of somebody else": seen(1, lambda: table.do("GM", "encounter.next")),
        "short of morale, with a light load": seen(1, lambda: changed(star=1, encumbrance=3)),
        "defeated": seen(1, lambda: changed(star=0)),
        "a foe": seen(3),
    }


def test_the_menus_of_an_evening_are_as_approved() -> None:
    check_menus(MENUS, RULESET, evening())
