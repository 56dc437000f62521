"""Whole plays of anything in any order, parts of it taken back: what is always so."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.kernel import Audience, FollowUp
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.plans import find_parts
from bot.rules.swim_class.pools import SwimPoolInputs
from bot.rules.swim_class.rolling import Task, find_task
from bot.rules.swim_class.settling import SwimContest, awaiting
from tests.rules.swim_class.play import NAMES, GameTable, id_of, lay_table, sheet

SKILLS = ("spot", "climb", "walk", "jump", "basic melee", "throw", "fire", "earth", "craft: wood")
WHO = st.sampled_from(NAMES)
SKILL = st.sampled_from(SKILLS)
Step = tuple[str, str, dict[str, Any]]


def fallen(seed: int) -> FairDice:
    """Dice that fall anyhow, and the same way for the same seed."""
    return FairDice(b"a whole play", str(seed))


def a_step(procedure: str, **options: st.SearchStrategy[Any]) -> st.SearchStrategy[Step]:
    return st.tuples(WHO, st.just(procedure), st.fixed_dictionaries(options))


HOW: dict[str, st.SearchStrategy[Any]] = {
    "push": st.sampled_from([1, 1, 1, 2, 3]),
    "half": st.sampled_from([False, False, True]),
    "strain": st.sampled_from([False, False, False, True]),
    "dice": st.sampled_from([None, None, None, 1, 2]),
    "modifier": st.integers(-2, 2),
}
TARGETS = st.sampled_from([("Orc",), ("Bram",), ("Ash",), ("Beast",)])
STEPS = st.one_of(
    a_step("roll", skill=SKILL, difficulty=st.integers(1, 6), add=st.sampled_from(["", "", "walk"]), **HOW),
    a_step(
        "attack",
        skill=st.sampled_from(["basic melee", "throw"]),
        targets=TARGETS,
        distance=st.sampled_from([None, None, 1, 4]),
        **HOW,
    ),
    a_step("oppose", skill=SKILL, targets=TARGETS, progress=st.integers(1, 2), **HOW),
    a_step("attack", skill=st.just("basic melee"), targets=st.just(("Orc", "Beast")), shares=st.just("1,1")),
    a_step("defend", strain=st.booleans()),
    a_step("decline"),
    a_step("grapple", target=WHO),
    a_step("escape"),
    a_step("stealth", observers=TARGETS),
    a_step(
        "move", how=st.sampled_from(["walk", "swim", "climb", "flight"]), terrain=st.integers(0, 2), **HOW
    ),
    a_step("jump", gap=st.integers(1, 12), **HOW),
    a_step("aid", target=WHO, skill=SKILL),
    a_step("reserve", skill=SKILL, kind=st.sampled_from(["defence", "action"]), trigger=st.just("it")),
    a_step("trigger", difficulty=st.integers(1, 6), targets=st.one_of(st.just(()), TARGETS)),
    a_step("buildup", skill=SKILL, attack=st.booleans()),
    a_step("stabilise"),
    a_step("rest", hours=st.integers(0, 3)),
    a_step("open_task", name=st.just("wall"), skill=SKILL, progress=st.integers(1, 9)),
    a_step("work", name=st.just("wall"), focus=st.integers(0, 2), **HOW),
    a_step("stop", name=st.just("wall"), keep=st.booleans()),
    a_step("buy", item=st.sampled_from(["Great Sword", "Knife", "Rope (10 ft)"])),
    a_step("sell", item=st.just("Knife")),
    a_step("pick_up", item=st.just("Knife")),
    a_step("start_craft", item=st.sampled_from(["Knife", "Medium Shield"]), limited=st.booleans()),
    a_step("craft", item=st.sampled_from(["Knife", "Medium Shield"])),
    a_step("cast", spell=st.sampled_from(["light", "shift", "fly", "breathe", "heal"])),
    a_step("cast", spell=st.sampled_from(["heal", "fly", "breathe"]), targets=TARGETS),
    a_step(
        "cast",
        spell=st.sampled_from(["stun", "death"]),
        targets=TARGETS,
        distance=st.sampled_from([None, 1, 3]),
    ),
    a_step(
        "cast", spell=st.sampled_from(["blow", "quake", "spray"]), targets=TARGETS, area=st.integers(1, 2)
    ),
    a_step("cast", spell=st.just("blaze"), targets=TARGETS, line=st.integers(1, 3)),
    a_step("cast", spell=st.just("raise"), corpse=st.just("Orc")),
    a_step("undead_move", undead=st.just("Orc")),
    a_step("encounter.start", others=TARGETS, at_once=st.booleans()),
    a_step("encounter.next"),
    a_step("encounter.end"),
    a_step("harm", target=WHO, points=st.integers(1, 4)),
    a_step("mend", target=WHO, points=st.integers(1, 4)),
    a_step("fall", target=WHO, damage=st.integers(0, 2)),
    a_step("set_state", target=WHO, state=st.sampled_from(["dead", "hovering", "undead"]), on=st.booleans()),
    a_step("round_passes"),
    a_step("press"),
    a_step("press"),
    a_step("answer", strain=st.booleans()),
    a_step("answer", strain=st.booleans()),
    a_step("work", name=st.just("wall"), focus=st.integers(0, 2), **HOW),
)


def do(table: GameTable, step: Step, seed: int) -> None:
    """Do one thing as the GM, who may have anybody do anything."""
    who, procedure, options = step
    if options.get("strain"):
        options = {**options, "consented": True}
    if procedure == "press":
        press(table, seed)
    elif procedure == "answer":
        answer(table, options, seed)
    else:
        table.play(f"GM {who}", procedure, options, fallen(seed))


def answer(table: GameTable, options: dict[str, Any], seed: int) -> None:
    """Stand against whatever waits for somebody to oppose it, or let it through."""
    waiting = [name for name in NAMES if awaiting(table.scene, id_of(name))]
    if waiting:
        how, given = ("defend", options) if seed % 4 else ("decline", {})
        table.play(f"GM {waiting[0]}", how, given, fallen(seed))


def press(table: GameTable, seed: int) -> None:
    """Press one of the buttons under the last result."""
    offered = table.last.follow_ups if table.last else ()
    if not offered:
        return
    button: FollowUp = offered[seed % len(offered)]
    options = button.options.model_dump()
    if button.choices:
        options[button.chosen] = button.choices[seed % len(button.choices)].value
        if button.chosen == "targets":
            options[button.chosen] = (options[button.chosen],)
    name = next((name for name in NAMES if id_of(name) == button.character), "Ash")
    who = "GM" if button.audience is Audience.GM and button.character is None else f"GM {name}"
    table.play(who, button.procedure, options, fallen(seed))


def assert_all_is_well(table: GameTable) -> None:
    for name in NAMES:
        held = table.sheet(name)
        assert all(rank >= 0 for rank in held.ranks.values())
        assert table.points(name, "scratches") <= table.rank(name, "composure")
        assert all(item.quantity > 0 for item in held.items)
        for epic in held.epics:
            assert epic.after == epic.before + 1
            assert all(face >= 4 for face in epic.faces)
        for part in find_parts(table.scene, id_of(name)):
            assert not part.is_over
        for key in awaiting(table.scene, id_of(name)):
            contest = table.scene.document(key)
            assert isinstance(contest, SwimContest)
            assert contest.share(id_of(name)) is not None
    for key, document in table.scene.documents.items():
        if isinstance(document, Task):
            assert 0 <= document.done < document.needed * 4, key


def progress_of(table: GameTable) -> int | None:
    document = table.scene.document("task/wall")
    return document.done if isinstance(document, Task) else None


def assert_progress_adds_up(table: GameTable, before: int | None, step: Step) -> None:
    """A roll for a task brings what its dice scored, in quarters, and nothing else moves a task."""
    after = progress_of(table)
    if before is None or after is None:
        return
    if step[1] != "work":
        assert after == before or step[1] == "press"
        return
    assert table.last is not None
    rolls = [roll for roll in table.last.rolls if isinstance(roll.inputs, SwimPoolInputs)]
    if rolls:
        inputs = rolls[0].inputs
        assert isinstance(inputs, SwimPoolInputs)
        assert after - before == inputs.quarters * sum(die.is_kept for die in rolls[0].dice)
    else:
        assert after >= before


def laid() -> GameTable:
    table = lay_table(
        Ash=sheet({"basic_melee": 3, "climb": 2, "fire": 2, "earth": 2, "life": 2}, items=["Knife", "Piton"]),
        Bram=sheet({"walk": 3, "physical_defense": 2, "craft:wood": 2}, items=["Great Sword"]),
        Cleo=sheet({"death": 3, "wind": 2, "water": 2, "jump": 2}, items=["Stave of Hermes"]),
        Orc=sheet({"basic_melee": 2, "physical_defense": 3}, is_dead=True),
        Beast=sheet({"flight": 2}, traits={"large": 1}),
    )
    table.do("Ash", "open_task", name="wall", skill="climb", difficulty=3, progress=20)
    table.do("Cleo", "cast", "5 4 1", spell="raise", corpse="Orc")
    assert_all_is_well(table)
    return table


PLAYED = st.tuples(STEPS, st.integers(0, 10_000), st.sampled_from([False, False, True]))


@settings(max_examples=100, deadline=None)
@given(st.lists(PLAYED, min_size=20, max_size=40))
def test_any_play_and_any_undo_leave_the_campaign_consistent(steps: list[tuple[Step, int, bool]]) -> None:
    table = laid()
    for step, seed, is_taken_back in steps:
        before, last, progress = table.scene, table.last, progress_of(table)
        try:
            do(table, step, seed)
        except UserError:
            assert table.scene is before
            continue
        assert_all_is_well(table)
        assert_progress_adds_up(table, progress, step)
        if is_taken_back:
            table.scene, table.last = before, last


def test_the_property_test_plays_tasks_button_presses_and_attacks() -> None:
    table = laid()
    do(table, ("Ash", "work", {"name": "wall"}), 3)
    do(table, ("Bram", "press", {}), 5)
    assert find_task(table.scene, "wall").rolls == 2
    do(table, ("Ash", "attack", {"skill": "basic melee", "targets": ("Bram",)}), 1)
    do(table, ("Ash", "answer", {"strain": False}), 1)
    assert awaiting(table.scene, id_of("Bram")) == ()
