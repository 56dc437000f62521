"""Tasks that take several rolls: each has a name, and progress adds up."""

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
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import label_with
from bot.rules.swim_class.damage import Mishap
from bot.rules.swim_class.plans import PoolPlan
from bot.rules.swim_class.pools import WHOLE, quarter_words
from bot.rules.swim_class.rolling import (
    HARDEST,
    PoolOptions,
    headline,
    mishap_of,
    option_words,
    plan_of,
    warned,
)
from bot.rules.swim_class.sheet import Outcome, Scene, SwimItem, book, folded
from bot.rules.swim_class.tables import SkillKey
from bot.rules.swim_class.together import take_helpers
from bot.rules.swim_class.unopposed_roll import Performed, perform

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
