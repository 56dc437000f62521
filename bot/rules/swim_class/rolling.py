"""`/swim roll`: any skill against a difficulty, with every option a roll can have; tasks of several rolls."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    Family,
    FollowUp,
    Place,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, label_with
from bot.rules.swim_class.damage import Mishap
from bot.rules.swim_class.growth import COMPOSURE
from bot.rules.swim_class.plans import PUSH_LIMIT, PoolPlan, parsed_skills
from bot.rules.swim_class.pools import (
    NOTHING,
    WHOLE,
    SwimPoolInputs,
    best_progress,
    pool_odds,
    progress_words,
    quarter_words,
)
from bot.rules.swim_class.sheet import Outcome, Scene, SwimItem, book, folded
from bot.rules.swim_class.tables import SkillKey
from bot.rules.swim_class.together import released, take_helpers
from bot.rules.swim_class.unopposed_roll import Performed, Prepared, perform, perform_prepared, prepare

MOST_PUSH, MOST_FOCUS, MOST_OFFERED = 6, 2, 3

OptionsT = TypeVar("OptionsT", bound="PoolOptions")
_Way = tuple[OptionsT, Fraction, str]  # the options of another version, its chance, and words


def is_beyond(inputs: SwimPoolInputs) -> bool:
    """Whether a pool cannot reach the needed progress, or any at all."""
    most = best_progress(inputs)
    if inputs.needed is not None and inputs.at_once:
        return most // WHOLE < inputs.needed
    return not most


def warned(
    scene: Scene,
    procedure: str,
    options: OptionsT,
    plan: PoolPlan,
    words: str,
    prepared: Prepared | None = None,
) -> Outcome | None:
    """The warning instead of a roll that cannot succeed, with alternatives; None for other rolls.

    Args:
        scene: The scene before the roll.
        procedure: The procedure's key.
        plan: The roll.
        words: The action, as it follows the character's name.
        prepared: The roll with its pool, where the caller goes on with it; else it is prepared here.

    Raises:
        UserError: If the roll would not be allowed anyway.

    [SWIM-TASK-03]
    """
    if options.anyway:
        return None
    inputs = (prepared or prepare(scene, scene.actor, plan)).planned.inputs
    if not is_beyond(inputs):
        return None
    return _asking(scene, procedure, options, words, inputs, _others(scene, options, plan))


def warned_before(
    scene: Scene, procedure: str, options: OptionsT, plan: PoolPlan, field: str, words: str
) -> Outcome | None:
    """The warning instead of what needs a pushed roll first that cannot succeed; None where it can.

    Args:
        scene: The scene before it.
        procedure: The procedure's key.
        plan: The roll that it needs first, which takes no action.
        field: The option with that roll's push factor.
        words: The action, as it follows the character's name.

    [SWIM-TASK-03, SWIM-SKILL-19]
    """
    inputs = prepare(scene, scene.actor, plan, is_action=False).planned.inputs
    if options.anyway or not is_beyond(inputs):
        return None
    tried = [
        (field, times, replace(plan, push=times), f"Push {inputs.skill} ×{times}")
        for times in range(2, MOST_PUSH + 1)
    ]
    others = _reaching(scene, options, tried, is_action=False)
    return _asking(scene, procedure, options, words, inputs, others)


def _asking(
    scene: Scene,
    procedure: str,
    options: OptionsT,
    words: str,
    inputs: SwimPoolInputs,
    others: "list[_Way[OptionsT]]",
) -> Outcome:
    """The question before a roll that cannot succeed, with the best of the alternatives."""
    other = sorted(others, key=lambda one: -one[1])[:MOST_OFFERED]
    ways = [(chosen, f"{label} · {percent(chance)}") for chosen, chance, label in other]
    ways.append((evolve(options, anyway=True), "Roll anyway"))
    buttons = tuple(
        FollowUp(procedure=procedure, options=chosen, label=label, character=scene.actor_id, rewinds=True)
        for chosen, label in ways
    )
    return Outcome(scene=scene, headline=f"{words}: out of reach", notes=(_why(inputs),), follow_ups=buttons)


def _why(inputs: SwimPoolInputs) -> str:
    most = best_progress(inputs)
    if not most:
        return f"No die can reach {inputs.difficulty}. Nothing was rolled."
    best = progress_words(most)
    return f"These dice can make at most {best}, and you need {inputs.needed}. Nothing was rolled."


def _others(scene: Scene, options: OptionsT, plan: PoolPlan) -> "list[_Way[OptionsT]]":
    """The pushed or focused versions of a roll that could succeed."""
    if plan.push > 1 or plan.focus:
        return []
    pushes = range(2, MOST_PUSH + 1) if plan.difficulty <= PUSH_LIMIT else ()
    tried = [("push", times, replace(plan, push=times), f"Push ×{times}") for times in pushes]
    for points in range(1, MOST_FOCUS + 1):
        tried.append(("focus", points, replace(plan, focus=points), f"Focus −{points}"))
    return _reaching(scene, options, tried)


def _reaching(
    scene: Scene,
    options: OptionsT,
    tried: Sequence[tuple[str, int, PoolPlan, str]],
    *,
    is_action: bool = True,
) -> "list[_Way[OptionsT]]":
    """Those versions of a roll that could succeed, of options, their values, plans and words."""
    found = []
    for field, number, changed, words in tried:
        try:
            inputs = prepare(scene, scene.actor, changed, is_action=is_action).planned.inputs
        except UserError:  # that is not allowed
            continue
        if not is_beyond(inputs):
            found.append((options.model_copy(update={field: number}), _chance(inputs), words))
    return found


def _chance(inputs: SwimPoolInputs) -> Fraction:
    """The chance of the needed progress, or of any progress for a task that adds up."""
    if inputs.is_automatic:
        return Fraction(1)
    odds = pool_odds(inputs)
    if odds.enough is not None:
        return odds.enough
    return 1 - sum((chance.fraction for name, chance in odds.chances if name == NOTHING), start=Fraction(0))


HARDEST = 24


class PoolOptions(Document):
    """Options of every pool roll."""

    push: int = Field(default=1, ge=1, le=12)  # the push factor
    focus: int = Field(default=0, ge=0, le=2)  # the focus in points
    strain: bool = False  # whether the skill is strained
    half: bool = False  # whether it is a half action
    dice: int | None = Field(default=None, ge=1, le=200)  # dice used now; None: all
    modifier: int = Field(default=0, ge=-20, le=20)  # the circumstance modifier of each die
    implement: str = Field(default="", max_length=60)  # the equipment used; empty: the best
    exactly: bool = False  # whether to roll a specialization even if its parent is better
    consented: bool = False  # whether the GM has allowed the strain
    anyway: bool = False  # whether to roll although it cannot succeed


class SwimRollOptions(PoolOptions):
    """Options of `/swim roll`."""

    skill: str = Field(min_length=1, max_length=100)  # the skill's name
    difficulty: int = Field(default=1, ge=1, le=HARDEST)  # the number a die must reach
    progress: int | None = Field(default=None, ge=1, le=1000)  # the progress needed, or None
    once: bool = True  # whether this roll must reach it alone; otherwise progress adds up
    add: str = Field(default="", max_length=200)  # skills combined with it, separated by commas
    windup: int = Field(default=1, ge=1, le=10)  # times it is combined with itself
    call: bool = False  # whether to roll even if all dice would score


def plan_of(options: PoolOptions, skill: SkillKey, difficulty: int) -> PoolPlan:
    """The plan of a roll with these options."""
    return PoolPlan(
        skill=skill,
        difficulty=difficulty,
        push=options.push,
        focus=options.focus,
        is_strained=options.strain,
        is_half=options.half,
        part=options.dice,
        modifier=options.modifier,
        implement=options.implement,
        exactly=options.exactly,
    )


def option_words(options: PoolOptions) -> str:
    """The options in words, in the order in which they apply. [SWIM-TASK-12]"""
    parts = (
        "strained" if options.strain else "",
        "half action" if options.half else "",
        counted(options.dice, "die", "dice") if options.dice is not None else "",
        f"pushed ×{options.push}" if options.push > 1 else "",
        f"focused −{options.focus}" if options.focus else "",
    )
    return ", ".join(part for part in parts if part)


def headline(verb: str, words: str) -> str:
    """A headline with the options in brackets."""
    return f"{verb} ({words})" if words else verb


def assert_rollable(skill: SkillKey) -> None:
    """Raise a `UserError` for Composure, which only takes damage. [SWIM-SKILL-07]"""
    if skill == COMPOSURE:
        raise UserError("You can't roll Composure.", "It absorbs damage, and a brief rest restores it.")


@procedure("roll", can_repeat=True)
def roll(scene: Scene, options: SwimRollOptions, dice: Dice) -> Outcome:
    """Roll any skill. [SWIM-TASK-01 to SWIM-TASK-12, SWIM-POOL-01, SWIM-POOL-05]"""
    skills = book(scene)
    key = skills.find(options.skill)
    assert_rollable(key)
    adds = parsed_skills(scene, options.add)
    before = scene
    scene, helpers = take_helpers(scene, scene.actor.id, key)
    plan = PoolPlan(
        skill=key,
        difficulty=options.difficulty,
        push=options.push,
        focus=options.focus,
        is_strained=options.strain,
        is_half=options.half,
        part=options.dice,
        adds=adds,
        windup=options.windup,
        helpers=helpers,
        modifier=options.modifier,
        needed=options.progress,
        at_once=options.once and options.progress is not None,
        implement=options.implement,
        exactly=options.exactly,
        must_roll=options.call,
    )
    scene, plan = released(scene, scene.actor.id, plan)
    prepared = prepare(scene, scene.actor, plan)
    warning = warned(before, "roll", options, plan, f"would roll {skills.title(key)}", prepared)
    if warning is not None:
        return warning
    done = perform_prepared(prepared, scene.actor.id, dice, mishap=mishap_of(key))
    more = [f"with {', '.join(map(skills.title, adds))}" if adds else ""]
    more += [f"wound up ×{options.windup}" if options.windup > 1 else "", option_words(options)]
    words = ", ".join(part for part in more if part)
    return outcome_of(done, headline(f"rolls {skills.title(done.planned.skill)} {done.planned.rank}", words))


MOVES = frozenset({"walk", "swim", "jump"})
FALLS = frozenset({"climb", "flight"})


def mishap_of(skill: SkillKey) -> Mishap:
    """The kind of mishap after a failed roll of a skill. [SWIM-TASK-09]"""
    return Mishap.MOVE if skill in MOVES else Mishap.FALL if skill in FALLS else Mishap.OTHER


def outcome_of(done: Performed, words: str) -> Outcome:
    """The outcome of an unopposed roll, with a headline."""
    return Outcome(
        scene=done.scene,
        headline=words,
        verdict=done.verdict,
        rolls=done.rolls,
        notes=done.notes,
        follow_ups=done.follow_ups,
    )


BAR = 10


class Material(Document):
    """The material of a crafting task."""

    item: SwimItem  # the item being made
    cost_sp: int = Field(ge=0)  # price of all the material
    ruined_sp: int = Field(default=0, ge=0)  # price of ruined material, to be bought again first


class Task(Document):
    """A task that takes several rolls."""

    name: str
    owner: CharacterId  # who started it
    skill: SkillKey  # the skill to roll; anyone can work on it
    difficulty: int  # the number a die must reach
    needed: int  # the progress needed
    done: int = Field(default=0, ge=0)  # quarters of progress made
    rolls: int = Field(default=0, ge=0)  # how many rolls were made
    is_open: bool = True  # whether it is in progress
    is_long: bool = False  # whether it outlasts the session
    material: Material | None = None  # the material of a crafting task, or None


class OpenTaskOptions(Document):
    """A new task."""

    name: str = Field(min_length=1, max_length=60)
    skill: str = Field(min_length=1, max_length=100)
    difficulty: int = Field(default=4, ge=1, le=HARDEST)
    progress: int = Field(ge=1, le=1000)
    long: bool = False


class WorkOptions(PoolOptions):
    """The task to work on, with the options of the roll."""

    name: str = Field(min_length=1, max_length=60)


class StopOptions(Document):
    """The task to stop, and whether to keep its progress."""

    name: str = Field(min_length=1, max_length=60)
    keep: bool = False


class SwimTaskOptions(Document):
    """The task to resume."""

    name: str = Field(min_length=1, max_length=60)


def task_key(name: str) -> str:
    """The document key of a task."""
    return f"task/{folded(name)}"


def find_task(scene: Scene, name: str) -> Task:
    """Find a task by name.

    Raises:
        UserError: If there is none.
    """
    found = scene.stored(Task, task_key(name))
    if found is None:
        raise UserError(
            f"There is no task “{name.strip()}”.",
            try_this="Start one with Check … on your sheet.",
        )
    return found


def with_task(scene: Scene, task: Task | None, name: str) -> Scene:
    """Return the scene with a task replaced or removed."""
    return scene.with_document(task_key(name), task)


def progress_bar(task: Task) -> str:
    """A task's progress as a bar and in numbers. [SWIM-TASK-04]"""
    filled = min(BAR, task.done * BAR // (task.needed * WHOLE))
    return f"{task.name} {'◼' * filled}{'◻' * (BAR - filled)} {quarter_words(task.done)}/{task.needed}"


def work_button(task: Task, title: str) -> FollowUp:
    """A button that lets anyone work on a task."""
    return FollowUp(
        procedure="work",
        options=WorkOptions(name=task.name),
        label=label_with(task.name, f" ({title})", before="Work on "),
        audience=Audience.ANYONE,
        stays=True,
        place=Place.APART,
    )


@procedure("open_task")
def open_task(scene: Scene, options: OpenTaskOptions, _dice: Dice) -> Outcome:
    """Start a task that takes several rolls. [SWIM-TASK-04]"""
    skill = book(scene).find(options.skill)
    return begin(
        scene,
        Task(
            name=options.name.strip(),
            owner=scene.actor.id,
            skill=skill,
            difficulty=options.difficulty,
            needed=options.progress,
            is_long=options.long,
        ),
    )


def begin(scene: Scene, task: Task) -> Outcome:
    """Start a task.

    Raises:
        UserError: If there is already one of that name.
    """
    if scene.stored(Task, task_key(task.name)) is not None:
        raise UserError(f"There is already a task “{task.name}”.", try_this="Choose another name.")
    title = book(scene).title(task.skill)
    return Outcome(
        scene=with_task(scene, task, task.name),
        headline=f"starts {task.name}: {title}, difficulty {task.difficulty}, progress {task.needed}",
        notes=(progress_bar(task),),
        follow_ups=(work_button(task, title),),
    )


@procedure("work", can_repeat=True)
def work(scene: Scene, options: WorkOptions, dice: Dice) -> Outcome:
    """Roll for a task; its progress adds up. [SWIM-TASK-04, SWIM-POOL-11 (SWIM-R41)]"""
    task = find_task(scene, options.name)
    warning = warned(scene, "work", options, work_plan(scene, task, options)[1], f"would work on {task.name}")
    if warning is not None:
        return warning
    performed, task = work_on(scene, task, options, dice)
    scene = performed.scene.with_document(task_key(task.name), task if task.is_open else None)
    title = book(scene).title(performed.planned.skill)
    return Outcome(
        scene=scene,
        headline=headline(
            f"works on {task.name} with {title} {performed.planned.rank}", option_words(options)
        ),
        verdict=performed.verdict,
        rolls=performed.rolls,
        notes=(progress_bar(task), *performed.notes),
        follow_ups=(*performed.follow_ups, *((work_button(task, title),) if task.is_open else ())),
    )


def work_plan(scene: Scene, task: Task, options: PoolOptions) -> tuple[Scene, PoolPlan]:
    """The plan of a roll for an open task, and the scene without the help it uses.

    Raises:
        UserError: If it is paused.
    """
    if not task.is_open:
        raise UserError(f"{task.name} is paused.", try_this="A GM can resume it with /swim-gm resume.")
    scene, helpers = take_helpers(scene, scene.actor.id, task.skill)
    bare = plan_of(options, task.skill, task.difficulty)
    return scene, replace(bare, needed=task.needed, done=task.done, helpers=helpers)


def work_on(scene: Scene, task: Task, options: PoolOptions, dice: Dice) -> tuple[Performed, Task]:
    """Roll for an open task."""
    scene, plan = work_plan(scene, task, options)
    mishap = mishap_of(task.skill) if task.material is None else Mishap.CRAFT
    done = perform(scene, scene.actor.id, plan, dice, mishap=mishap)
    total = min(task.needed * WHOLE, task.done + done.judged.quarters)
    changed = {"done": total, "rolls": task.rolls + 1, "is_open": not done.judged.is_done}
    return done, evolve(task, **changed)


@procedure("stop", needs_actor=False)
def stop(scene: Scene, options: StopOptions, _dice: Dice) -> Outcome:
    """Stop a task before it is done: its progress is lost unless a GM keeps it. [SWIM-TASK-05 (SWIM-R08)]"""
    task = find_task(scene, options.name)
    if options.keep and not scene.is_gm:
        raise UserError("Only a GM can keep the progress.", "Otherwise it is lost.")
    shown = f"{quarter_words(task.done)}/{task.needed}"
    if options.keep:
        paused = evolve(task, is_open=False)
        return Outcome(
            scene=with_task(scene, paused, task.name),
            headline=f"stops {task.name}",
            verdict=Verdict(Family.NEWS, f"paused at {shown}"),
        )
    return Outcome(
        scene=with_task(scene, None, task.name),
        headline=f"stops {task.name}",
        verdict=Verdict(Family.FAILURE, f"abandoned at {shown}, progress lost"),
    )


@procedure("resume", gm_only=True, needs_actor=False)
def resume(scene: Scene, options: SwimTaskOptions, _dice: Dice) -> Outcome:
    """Resume a paused task. [SWIM-TASK-05 (SWIM-R08)]"""
    task = find_task(scene, options.name)
    title = book(scene).title(task.skill)
    opened = evolve(task, is_open=True)
    return Outcome(
        scene=with_task(scene, opened, task.name),
        headline=f"resumes {task.name}",
        notes=(progress_bar(task),),
        follow_ups=(work_button(task, title),),
    )
