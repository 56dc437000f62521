"""`/swim roll`: any skill against a difficulty, with every option a roll can have."""

from pydantic import Field

from bot.rules.kernel import Document, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.resources import COMPOSURE
from bot.rules.swim_class.character.sheet import Outcome, Scene, book
from bot.rules.swim_class.checks.buildups import released
from bot.rules.swim_class.checks.helping import take_helpers
from bot.rules.swim_class.checks.plans import PoolPlan, parsed_skills
from bot.rules.swim_class.checks.reach import warned
from bot.rules.swim_class.checks.unopposed_roll import Performed, perform_prepared, prepare
from bot.rules.swim_class.damage.mishaps import Mishap
from bot.rules.swim_class.resolution.tables import SkillKey

HARDEST = 24


class PoolOptions(Document):
    """Options of every pool roll.

    Attributes:
        push: The push factor.
        focus: The focus in points.
        strain: Whether the skill is strained.
        half: Whether it is a half action.
        dice: Dice used now; None: all.
        modifier: The circumstance modifier of each die.
        implement: The equipment used; empty: the best.
        exactly: Whether to roll a specialisation even if its parent is better.
        consented: Whether the GM has allowed the strain.
        anyway: Whether to roll although it cannot succeed.
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
    """Options of `/swim roll`.

    Attributes:
        skill: The skill's name.
        difficulty: The number a die must reach.
        progress: The progress needed, or None.
        once: Whether this roll must reach it alone; otherwise progress adds up.
        add: Skills combined with it, separated by commas.
        windup: Times it is combined with itself.
        call: Whether to roll even if all dice would score.
    """

    skill: str = Field(min_length=1, max_length=100)
    difficulty: int = Field(default=1, ge=1, le=HARDEST)
    progress: int | None = Field(default=None, ge=1, le=1000)
    once: bool = True
    add: str = Field(default="", max_length=200)
    windup: int = Field(default=1, ge=1, le=10)
    call: bool = False


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
    """The options in words, in the order in which they apply.

    Source: SWIM-TASK-12.
    """
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
    """Raise a `UserError` for Composure, which only takes damage.

    Source: SWIM-SKILL-07.
    """
    if skill == COMPOSURE:
        raise UserError("You can't roll Composure.", "It absorbs damage, and a brief rest restores it.")


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
    prepared = prepare(scene, scene.actor, plan)
    warning = warned(before, "roll", options, plan, f"would roll {skills.title(key)}", prepared)
    if warning is not None:
        return warning
    done = perform_prepared(prepared, scene.actor.id, dice, mishap=mishap_of(key))
    more = [f"with {', '.join(map(skills.title, adds))}" if adds else ""]
    more += [f"wound up ×{options.windup}" if options.windup > 1 else "", option_words(options)]
    words = ", ".join(part for part in more if part)
    return outcome_of(done, headline(f"rolls {skills.title(done.planned.skill)} {done.planned.rank}", words))


declare("roll", SwimRollOptions, roll, can_repeat=True)


MOVES = frozenset({"walk", "swim", "jump"})
FALLS = frozenset({"climb", "flight"})


def mishap_of(skill: SkillKey) -> Mishap:
    """The kind of mishap after a failed roll of a skill.

    Source: SWIM-TASK-09.
    """
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
