"""`/swim roll`: any skill against a difficulty, with every option a roll can have."""

from pydantic import Field

from bot.rules.kernel import Document, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.character.resources import COMPOSURE
from bot.rules.swim_class.character.sheet import Outcome, Scene, book
from bot.rules.swim_class.checks.buildups import released
from bot.rules.swim_class.checks.helping import take_helpers
from bot.rules.swim_class.checks.plans import PoolPlan, parsed_skills
from bot.rules.swim_class.checks.reach import warned
from bot.rules.swim_class.checks.unopposed_roll import Performed, perform
from bot.rules.swim_class.damage.mishaps import Mishap
from bot.rules.swim_class.resolution.tables import SkillKey

HARDEST = 24


class PoolOptions(Document):
    """What one chooses for any roll of a pool.

    Attributes:
        push: Times it is pushed.
        focus: Points by which it is focused.
        strain: Whether the skill is strained.
        half: Whether it is half an action.
        dice: Dice of it that are used now; all without it.
        modifier: What circumstances give each die.
        implement: The one piece of equipment used.
        exactly: Whether a specialisation is rolled although its parent is better.
        consented: Whether the GM has allowed the strain.
        anyway: Whether it is rolled although it cannot succeed.
    """

    push: int = Field(default=1, ge=1, le=12)
    focus: int = Field(default=0, ge=0, le=2)
    strain: bool = False
    half: bool = False
    dice: int | None = Field(default=None, ge=1, le=200)
    modifier: int = Field(default=0, ge=-20, le=20)
    implement: str = Field(default="", max_length=60)
    exactly: bool = False
    consented: bool = False
    anyway: bool = False


class SwimRollOptions(PoolOptions):
    """What is rolled, and against what.

    Attributes:
        skill: Which skill, by name.
        difficulty: What a die must reach.
        progress: The progress needed, or None.
        once: Whether this roll alone must bring it; else what it brings counts towards it.
        add: Skills combined with it, separated by commas.
        windup: Times it is combined with itself.
        call: Whether dice are rolled although all would score.
    """

    skill: str = Field(min_length=1, max_length=100)
    difficulty: int = Field(default=1, ge=1, le=HARDEST)
    progress: int | None = Field(default=None, ge=1, le=1000)
    once: bool = True
    add: str = Field(default="", max_length=200)
    windup: int = Field(default=1, ge=1, le=10)
    call: bool = False


def plan_of(options: PoolOptions, skill: SkillKey, difficulty: int) -> PoolPlan:
    """A plan from what was chosen."""
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
    """The options applied, in the order in which they count.

    Source: SWIM-TASK-12.
    """
    parts = (
        "strained" if options.strain else "",
        "half action" if options.half else "",
        f"{options.dice} dice of it" if options.dice is not None else "",
        f"pushed ×{options.push}" if options.push > 1 else "",
        f"focused −{options.focus}" if options.focus else "",
    )
    return ", ".join(part for part in parts if part)


def headline(verb: str, words: str) -> str:
    """What is done, with the options in brackets."""
    return f"{verb} ({words})" if words else verb


def assert_rollable(skill: SkillKey) -> None:
    """Raise a `UserError` for Composure, which only takes damage.

    Source: SWIM-SKILL-07.
    """
    if skill == COMPOSURE:
        raise UserError("Composure is not rolled.", "It takes damage, and comes back with a brief rest.")


def roll(scene: Scene, options: SwimRollOptions, dice: Dice) -> Outcome:
    """Roll any skill.

    Source: SWIM-TASK-01 to SWIM-TASK-12, SWIM-POOL-01, SWIM-POOL-05.
    """
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
    warning = warned(before, "roll", options, plan, f"would roll {skills.title(key)}")
    if warning is not None:
        return warning
    done = perform(scene, scene.actor.id, plan, dice, mishap=mishap_of(key))
    more = [f"with {', '.join(map(skills.title, adds))}" if adds else ""]
    more += [f"wound up ×{options.windup}" if options.windup > 1 else "", option_words(options)]
    words = ", ".join(part for part in more if part)
    return told(done, headline(f"rolls {skills.title(done.planned.skill)} {done.planned.rank}", words))


declare("roll", SwimRollOptions, roll)


MOVES = frozenset({"walk", "swim", "jump"})
FALLS = frozenset({"climb", "flight"})


def mishap_of(skill: SkillKey) -> Mishap:
    """What kind of mishap a failed roll of a skill is.

    Source: SWIM-TASK-09.
    """
    return Mishap.MOVE if skill in MOVES else Mishap.FALL if skill in FALLS else Mishap.OTHER


def told(done: Performed, words: str) -> Outcome:
    """What an unopposed roll comes to, as it is told."""
    return Outcome(
        scene=done.scene,
        headline=words,
        verdict=done.verdict,
        rolls=done.rolls,
        notes=done.notes,
        follow_ups=done.follow_ups,
    )
