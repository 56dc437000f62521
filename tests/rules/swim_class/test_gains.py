"""What a roll does to its skill, in every case; the lists of growth; tasks; health at a glance."""

from typing import Any

import pytest

from bot.rules.kernel.module import FileProblem
from bot.rules.swim_class.gm import flaws
from bot.rules.swim_class.growth import MOST_SHOWN, Earned, coins, grow, health_of, priced
from bot.rules.swim_class.rolling import Task, progress_bar
from bot.rules.swim_class.sheet import Epic, Implement, SwimSettings
from bot.rules.swim_class.sheet_text import glance
from bot.rules.swim_class.tables import Pool, Synergy
from tests.rules.swim_class.play import id_of, lay_table, sheet, solo, words


@pytest.mark.rule("SWIM-ADV-05", "SWIM-ADV-06", "SWIM-ADV-07", "SWIM-ADV-08", "SWIM-POOL-06", "SWIM-SYN-02")
@pytest.mark.parametrize(
    ("rank", "cap", "earned", "after", "epics", "notes"),
    [
        (3, None, {"has_advanced": False}, 3, 0, ()),
        (3, None, {"has_advanced": True}, 4, 1, ("Epic success: Spot 3 → 4.",)),
        (3, 4, {"has_advanced": True}, 4, 1, ("Epic success: Spot 3 → 4.",)),
        (4, 4, {"has_advanced": True}, 4, 0, ()),
        (5, 4, {"has_advanced": True}, 5, 0, ()),
        (3, None, {"has_advanced": False, "is_strained": True}, 2, 0, ("Strain: Spot 3 → 2.",)),
        (3, None, {"has_advanced": True, "is_strained": True}, 3, 1,
         ("Epic success: Spot 3 → 4.", "Strain: Spot 4 → 3.")),
        (3, 3, {"has_advanced": True, "is_strained": True}, 2, 0, ("Strain: Spot 3 → 2.",)),
    ],
)  # fmt: skip
def test_what_a_roll_does_to_its_skill(
    rank: int, cap: int | None, earned: dict[str, Any], after: int, epics: int, notes: tuple[str, ...]
) -> None:
    table = solo({"spot": rank, "tracking": 9, "mental_defense": 9, "dark_vision": 9, "far_vision": 9})
    table.settings(rank_cap=cap)
    scene, told = grow(table.scene, id_of("Ash"), Earned(skill="spot", faces=(4, 5), against="x", **earned))

    changed = scene.character(id_of("Ash")).sheet
    assert (changed.ranks["spot"], len(changed.epics), told) == (after, epics, notes)
    for epic in changed.epics:
        assert (epic.skill, epic.before, epic.after, epic.faces) == ("spot", rank, rank + 1, (4, 5))


@pytest.mark.rule("SWIM-SYN-02", "SWIM-POOL-06", "SWIM-ADV-08")
@pytest.mark.parametrize(
    ("earned", "pulled"),
    [
        ({"has_advanced": True}, True),
        ({"has_advanced": True, "was_strained": True}, False),
        ({"has_advanced": True, "is_strained": True}, False),
        ({"has_advanced": False, "is_strained": True}, False),
    ],
)
def test_only_a_rank_that_is_really_gained_pulls_others_along(earned: dict[str, Any], pulled: bool) -> None:
    table = solo({"basic_ranged": 5, "throw": 1})
    scene, _ = grow(table.scene, id_of("Ash"), Earned(skill="basic_ranged", **earned))

    assert (scene.character(id_of("Ash")).sheet.ranks["throw"] > 1) is pulled


@pytest.mark.rule("SWIM-ADV-07")
@pytest.mark.parametrize(("count", "more"), [(0, 0), (1, 0), (15, 0), (16, 1), (20, 5)])
def test_the_latest_15_epic_successes_are_shown(count: int, more: int) -> None:
    epics = tuple(
        Epic(skill="spot", before=rank, after=rank + 1, faces=(4,), against="x", clock=0)
        for rank in range(1, count + 1)
    )
    notes = solo(epics=epics).do("Ash", "epics").notes
    latest = [f"Spot {rank} → {rank + 1}: 4 (x)" for rank in range(count, more, -1)]

    assert list(notes) == (
        [*latest, *([f"… and {more} earlier"] if more else [])] or ["No epic successes yet."]
    )
    assert len(latest) <= MOST_SHOWN


@pytest.mark.rule("SWIM-ADV-07", "SWIM-SYN-04")
def test_what_can_grow_is_shown_for_the_15_best_skills() -> None:
    ranks = {f"craft:{letter}": 20 - place for place, letter in enumerate("abcdefghijklmnopq")}
    notes = solo({**ranks, "climb": 0}).do("Ash", "growth").notes

    assert len(notes) == 16
    assert notes[0].startswith("Craft (a) 20")
    assert notes[14].startswith("Craft (o) 6")


@pytest.mark.rule("SWIM-TASK-04", "SWIM-POOL-11")
@pytest.mark.parametrize(
    ("quarters", "needed", "told"),
    [
        (0, 4, "W ◻◻◻◻◻◻◻◻◻◻ 0/4"),
        (1, 4, "W ◻◻◻◻◻◻◻◻◻◻ ¼/4"),
        (2, 4, "W ◼◻◻◻◻◻◻◻◻◻ ½/4"),
        (8, 4, "W ◼◼◼◼◼◻◻◻◻◻ 2/4"),
        (15, 4, "W ◼◼◼◼◼◼◼◼◼◻ 3¾/4"),
        (16, 4, "W ◼◼◼◼◼◼◼◼◼◼ 4/4"),
        (40, 4, "W ◼◼◼◼◼◼◼◼◼◼ 10/4"),
    ],
)
def test_the_progress_of_a_task_as_a_bar(quarters: int, needed: int, told: str) -> None:
    task = Task(name="W", owner=id_of("Ash"), skill="climb", difficulty=4, needed=needed, done=quarters)

    assert progress_bar(task) == told


@pytest.mark.rule("SWIM-TASK-04")
def test_a_task_remembers_its_rolls_and_no_more_progress_than_it_needs() -> None:
    table = solo({"climb": 3})
    table.do("Ash", "open_task", name="W", skill="climb", difficulty=4, progress=3)
    for faces, done, rolls in (("4 4 1", 8, 1), ("1 2 3", 8, 2)):
        table.do("Ash", "work", faces, name="W")
        task = table.scene.document("task/w")
        assert isinstance(task, Task)
        assert (task.done, task.rolls, task.is_open) == (done, rolls, True)
    done_ = table.do("Ash", "work", "4 4 1", name="W")

    assert words(done_) == "done, 3 of 3"
    assert done_.notes[0] == "W ◼◼◼◼◼◼◼◼◼◼ 3/3"
    assert table.scene.document("task/w") is None


@pytest.mark.rule("SWIM-COMB-05", "SWIM-COMB-08")
@pytest.mark.parametrize(
    ("wounds", "more", "numbers", "looks"),
    [
        ((0, 0, 0), {}, ("Physical 4/4",), ""),
        ((4, 0, 0), {}, ("Physical 0/4",), "down"),
        ((5, 0, 0), {}, ("Physical −1/4",), "dying"),
        ((5, 0, 0), {"stable": (Pool.PHYSICAL,)}, ("Physical −1/4",), "down"),
        ((5, 0, 0), {"broken": (Pool.PHYSICAL,)}, ("Physical −1/4",), "down"),
        ((5, 0, 0), {"is_dead": True}, ("Physical −1/4",), "dead"),
        ((0, 1, 0), {}, ("Physical 4/4", "Mental 1/2"), None),
        ((0, 2, 0), {}, ("Physical 4/4", "Mental 0/2"), "down"),
        ((0, 0, 3), {}, ("Physical 4/4", "Social −1/2"), "dying"),
    ],
)
def test_health_is_told_by_pool_and_looks_by_the_worst(
    wounds: tuple[int, ...], more: dict[str, Any], numbers: tuple[str, ...], looks: str | None
) -> None:
    table = solo({"physical_defense": 4, "mental_defense": 2, "social_defense": 2}, **more)
    for pool, count in zip(("physical", "mental", "social"), wounds, strict=True):
        table.set("Ash", f"{pool}_wounds", count)
    health = health_of(table.named("Ash"), SwimSettings())

    assert health.numbers == numbers
    assert health.looks == looks or looks is None
    states = [one.partition(" ")[0].lower() for one in glance(table.named("Ash"), SwimSettings()).states]
    assert states == [*([looks] if looks else []), *(["broken"] if "broken" in more else [])]


@pytest.mark.rule("SWIM-COMB-05")
def test_whoever_is_worse_hurt_in_one_pool_looks_so() -> None:
    looks = []
    for wounds in (0, 1, 2, 3):
        table = solo({"physical_defense": 4, "mental_defense": 4})
        table.set("Ash", "physical_wounds", 1)
        table.set("Ash", "mental_wounds", wounds)
        looks.append(health_of(table.named("Ash"), SwimSettings()).looks)

    assert looks[0] == looks[1]
    assert len({looks[1], looks[2], looks[3]}) >= 2


@pytest.mark.rule("SWIM-CHAR-03", "SWIM-ITEM-01")
@pytest.mark.parametrize(
    ("silver", "rate", "told"),
    [(0, 10, "0 SP"), (9, 10, "9 SP"), (10, 10, "1 GP"), (25, 10, "2 GP 5 SP"), (25, 20, "1 GP 5 SP")],
)
def test_money_in_words_at_the_campaigns_rate(silver: int, rate: int, told: str) -> None:
    settings = SwimSettings(sp_per_gp=rate)

    assert coins(silver, settings) == told
    assert priced(Implement(name="x", price_sp=25), settings) == 2 * rate + 5


@pytest.mark.rule("SWIM-CHAR-07")
@pytest.mark.parametrize(
    "rows", [["climb"], [{"key": 5}], [{"name": "x"}], [None, {"key": "hacking"}], "hacking", None]
)
def test_a_file_of_rules_may_hold_anything_where_its_skills_belong(rows: Any) -> None:
    settings = SwimSettings(synergies=(Synergy(one="climb", other="hacking", degree=2),))
    found = list(flaws(settings, {"skills": rows}))
    knows = isinstance(rows, list) and {"key": "hacking"} in rows

    assert found == ([] if knows else [FileProblem(("synergies", 0, "other"), "There is no skill hacking.")])


@pytest.mark.rule("SWIM-TASK-04")
def test_a_new_task_is_told_with_its_skill_difficulty_and_progress() -> None:
    table = lay_table(Ash=sheet({"climb": 3}))
    begun = table.do("Ash", "open_task", name=" Wall ", skill="climb", progress=1000, difficulty=6)

    assert begun.headline == "starts Wall: Climb, difficulty 6, progress 1000"
    assert begun.follow_ups[0].label == "Work on Wall (Climb)"
