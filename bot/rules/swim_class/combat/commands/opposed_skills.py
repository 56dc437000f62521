"""Any skill against any other: races, arm-wrestling, tracking, lies."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import CharacterId, declare
from bot.rules.kernel.dice import Dice
from bot.rules.swim_class.character.sheet import Outcome, Scene, book
from bot.rules.swim_class.character.skills import Skillbook, parent_of
from bot.rules.swim_class.checks.helping import take_helpers
from bot.rules.swim_class.checks.plans import parsed_skills
from bot.rules.swim_class.checks.rolling import (
    HARDEST,
    PoolOptions,
    assert_rollable,
    headline,
    option_words,
    plan_of,
)
from bot.rules.swim_class.checks.waiting_rolls import Effect
from bot.rules.swim_class.combat.commands.attacks import assert_may_surprise
from bot.rules.swim_class.opposed.launching import Launch, SwimAim, launch
from bot.rules.swim_class.resolution.tables import SkillKey, SwimAttack


class SwimOpposeOptions(PoolOptions):
    """Options of an opposed roll.

    Attributes:
        skill: The skill to roll.
        targets: The opponents, all against one roll.
        against: The skills they can oppose with, separated by commas; empty: the skill's own counters.
        progress: The dice that must get through.
        difficulty: The number each die must also reach.
        unaware: Whether they are unaware and cannot defend.
    """

    skill: str = Field(min_length=1, max_length=100)
    targets: tuple[CharacterId, ...] = Field(min_length=1, max_length=5)
    against: str = Field(default="", max_length=200)
    progress: int = Field(default=1, ge=1, le=1000)
    difficulty: int = Field(default=1, ge=1, le=HARDEST)
    unaware: bool = False


def counters_of(skills: Skillbook, skill: SkillKey) -> tuple[SkillKey, ...]:
    """The default counters of a skill: its named counters, a Defense skill, or the same skill.

    Source: SWIM-OPP-01, SWIM-COMB-03, SWIM-CHAR-07.
    """
    definition = skills.definition(skill)
    if definition.opposed_by:
        return definition.opposed_by
    return (parent_of(skill),) if definition.attack is SwimAttack.NONE else (definition.pool.defence,)


def oppose(scene: Scene, options: SwimOpposeOptions, dice: Dice) -> Outcome:
    """Set a skill against other characters' skills: each die that is not stopped is a success.

    Source: SWIM-OPP-01, SWIM-OPP-06, SWIM-SKILL-18, SWIM-CHAR-07.
    """
    skills, actor = book(scene), scene.actor
    skill = skills.find(options.skill)
    assert_rollable(skill)
    assert_may_surprise(scene, unaware=options.unaware)
    counters = parsed_skills(scene, options.against) or counters_of(skills, skill)
    for counter in counters:
        skills.definition(counter)
    names = ", ".join(scene.character(target).name for target in options.targets)
    scene, helpers = take_helpers(scene, actor.id, skill)
    plan = replace(plan_of(options, skill, options.difficulty), needed=options.progress, helpers=helpers)
    words = f"sets {skills.title(skill)} against {names}'s {' or '.join(map(skills.title, counters))}"
    launched = Launch(
        plan=plan,
        aims=tuple(SwimAim(target=target, is_unaware=options.unaware) for target in options.targets),
        words=headline(words, option_words(options)),
        effect=Effect.TASK,
        counters=counters,
        is_area=True,
    )
    return launch(scene, actor.id, launched, dice).outcome


declare("oppose", SwimOpposeOptions, oppose)
