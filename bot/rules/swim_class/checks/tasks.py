"""Tasks that take several rolls: each has a name, and its progress adds up."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Document, Family, FollowUp, Place, Verdict, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.character.implements import SwimItem
from bot.rules.swim_class.character.sheet import Outcome, Scene, book
from bot.rules.swim_class.character.skills import folded
from bot.rules.swim_class.checks.helping import take_helpers
from bot.rules.swim_class.checks.plans import PoolPlan
from bot.rules.swim_class.checks.reach import warned
from bot.rules.swim_class.checks.rolling import (
    HARDEST,
    PoolOptions,
    headline,
    mishap_of,
    option_words,
    plan_of,
)
from bot.rules.swim_class.checks.unopposed_roll import Performed, perform
from bot.rules.swim_class.resolution.number_words import WHOLE, quarter_words
from bot.rules.swim_class.resolution.tables import SkillKey

BAR = 10


class Material(Document):
    """What a crafting task has cost.

    Attributes:
        item: What is made.
        cost_sp: Price of the whole material.
        ruined_sp: What of it has been ruined, and must be bought again first.
    """

    item: SwimItem
    cost_sp: int = Field(ge=0)
    ruined_sp: int = Field(default=0, ge=0)


class Task(Document):
    """Something that takes several rolls.

    Attributes:
        name: What it is called.
        owner: Who began it.
        skill: What is rolled for it; anybody may.
        difficulty: What a die must reach.
        needed: The progress needed.
        done: Quarters of a progress made.
        rolls: How many rolls were made.
        is_open: Whether it goes on.
        is_long: Whether it lasts longer than the scene.
        material: For a crafting task, what it is made of.
    """

    name: str
    owner: CharacterId
    skill: SkillKey
    difficulty: int
    needed: int
    done: int = Field(default=0, ge=0)
    rolls: int = Field(default=0, ge=0)
    is_open: bool = True
    is_long: bool = False
    material: Material | None = None


class OpenTaskOptions(Document):
    """What a task is called and what it takes."""

    name: str = Field(min_length=1, max_length=60)
    skill: str = Field(min_length=1, max_length=100)
    difficulty: int = Field(default=4, ge=1, le=HARDEST)
    progress: int = Field(ge=1, le=1000)
    long: bool = False


class WorkOptions(PoolOptions):
    """Which task one works on."""

    name: str = Field(min_length=1, max_length=60)


class StopOptions(Document):
    """Which task stops, and whether its progress is kept."""

    name: str = Field(min_length=1, max_length=60)
    keep: bool = False


class SwimTaskOptions(Document):
    """Which task it is about."""

    name: str = Field(min_length=1, max_length=60)


def task_key(name: str) -> str:
    """Key of a task by its name."""
    return f"task/{folded(name)}"


def find_task(scene: Scene, name: str) -> Task:
    """A task by name.

    Raises:
        UserError: If there is none.
    """
    found = scene.document(task_key(name))
    if not isinstance(found, Task):
        raise UserError(
            f"There is no task “{name.strip()}”.",
            try_this="Begin one with /swim task open or /swim-gear craft.",
        )
    return found


def with_task(scene: Scene, task: Task | None, name: str) -> Scene:
    """The same scene with a task changed or gone."""
    return scene.with_document(task_key(name), task)


def progress_bar(task: Task) -> str:
    """A task's progress, drawn and in numbers.

    Source: SWIM-TASK-04.
    """
    filled = min(BAR, task.done * BAR // (task.needed * WHOLE))
    return f"{task.name} {'◼' * filled}{'◻' * (BAR - filled)} {quarter_words(task.done)}/{task.needed}"


def work_button(task: Task, title: str) -> FollowUp:
    """A button with which anybody works on a task."""
    return FollowUp(
        procedure="work",
        options=WorkOptions(name=task.name),
        label=f"Work on {task.name[:40]} ({title})"[:80],
        audience=Audience.ANYONE,
        stays=True,
        place=Place.APART,
    )


def open_task(scene: Scene, options: OpenTaskOptions, _dice: Dice) -> Outcome:
    """Begin a task that takes several rolls.

    Source: SWIM-TASK-04.
    """
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


declare("open_task", OpenTaskOptions, open_task)


def begin(scene: Scene, task: Task) -> Outcome:
    """Begin a task.

    Raises:
        UserError: If one of that name is on.
    """
    if isinstance(scene.document(task_key(task.name)), Task):
        raise UserError(f"There is a task “{task.name}” already.", try_this="Choose another name.")
    title = book(scene).title(task.skill)
    return Outcome(
        scene=with_task(scene, task, task.name),
        headline=f"begins {task.name}: {title}, difficulty {task.difficulty}, progress {task.needed}",
        notes=(progress_bar(task),),
        follow_ups=(work_button(task, title),),
    )


def work(scene: Scene, options: WorkOptions, dice: Dice) -> Outcome:
    """Roll for a task; what is scored adds up.

    Source: SWIM-TASK-04, SWIM-POOL-11 (SWIM-R41).
    """
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


declare("work", WorkOptions, work)


def work_plan(scene: Scene, task: Task, options: PoolOptions) -> tuple[Scene, PoolPlan]:
    """A roll for a task that is on, and the scene without the help that it takes.

    Raises:
        UserError: If it is paused.
    """
    if not task.is_open:
        raise UserError(f"{task.name} is paused.", try_this="A GM takes it up with /swim task resume.")
    scene, helpers = take_helpers(scene, scene.actor.id, task.skill)
    bare = plan_of(options, task.skill, task.difficulty)
    return scene, replace(bare, needed=task.needed, done=task.done, helpers=helpers)


def work_on(scene: Scene, task: Task, options: PoolOptions, dice: Dice) -> tuple[Performed, Task]:
    """Roll for a task that is on."""
    scene, plan = work_plan(scene, task, options)
    done = perform(scene, scene.actor.id, plan, dice, mishap=mishap_of(task.skill))
    total = min(task.needed * WHOLE, task.done + done.judged.quarters)
    changed = {"done": total, "rolls": task.rolls + 1, "is_open": not done.judged.is_done}
    return done, task.model_copy(update=changed)


def stop(scene: Scene, options: StopOptions, _dice: Dice) -> Outcome:
    """Stop a task before it is done: its progress is lost, unless the GM keeps it.

    Source: SWIM-TASK-05 (SWIM-R08).
    """
    task = find_task(scene, options.name)
    if options.keep and not scene.is_gm:
        raise UserError("Only a GM lets progress be kept.", "Without that it is lost.")
    shown = f"{quarter_words(task.done)}/{task.needed}"
    if options.keep:
        paused = task.model_copy(update={"is_open": False})
        return Outcome(
            scene=with_task(scene, paused, task.name),
            headline=f"stops {task.name}",
            verdict=Verdict(Family.NEWS, f"paused at {shown}"),
        )
    return Outcome(
        scene=with_task(scene, None, task.name),
        headline=f"stops {task.name}",
        verdict=Verdict(Family.FAILURE, f"failed at {shown}, 0 kept"),
    )


declare("stop", StopOptions, stop, needs_actor=False)


def resume(scene: Scene, options: SwimTaskOptions, _dice: Dice) -> Outcome:
    """Take a paused task up again.

    Source: SWIM-TASK-05 (SWIM-R08).
    """
    task = find_task(scene, options.name)
    title = book(scene).title(task.skill)
    opened = task.model_copy(update={"is_open": True})
    return Outcome(
        scene=with_task(scene, opened, task.name),
        headline=f"takes up {task.name} again",
        notes=(progress_bar(task),),
        follow_ups=(work_button(task, title),),
    )


declare("resume", SwimTaskOptions, resume, gm_only=True, needs_actor=False)
