"""Checks as people ask for them: by the name of a skill, with a difficulty by number or by name."""

from dataclasses import replace

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.rpj.attempts import Attempt
from bot.rules.rpj.conditions.keeping import assert_can, needs_of
from bot.rules.rpj.describing import skill_name
from bot.rules.rpj.difficulties import difficulty_named
from bot.rules.rpj.effects import Circumstances
from bot.rules.rpj.figure import Figure
from bot.rules.rpj.modifiers import read_modifiers
from bot.rules.rpj.module import Module, Skill
from bot.rules.rpj.people import figure_in
from bot.rules.rpj.performing import perform
from bot.rules.rpj.skill_checks import Fit, Situation, skill_check
from bot.rules.ruleset import CharacterId, Document, Outcome, Procedure, Scene


class HowOptions(Document):
    """How a check is made.

    Attributes:
        difficulty: A number, a target number ("10+"), or a name of the ladder; nothing for 7+.
        modifiers: Bonuses and penalties with a word: "+1 rope −2 rain".
        toggles: What holds of one's traits, with commas between.
        lucky_break: Whether a Lucky Break throws in a third die beforehand.
    """

    difficulty: str = Field(default="", max_length=40)
    modifiers: str = Field(default="", max_length=200)
    toggles: str = Field(default="", max_length=200)
    lucky_break: bool = False

    def situation(self, module: Module) -> Situation:
        """What surrounds the check.

        Source: RPJ-DICE-02, RPJ-LUCK-02.
        """
        return Situation(
            difficulty=difficulty_in(module, self.difficulty),
            terms=read_modifiers(self.modifiers),
            now=Circumstances(toggles=said_toggles(self.toggles)),
            has_extra_die=self.lucky_break,
        )


class CheckOptions(HowOptions):
    """A check of a skill.

    Attributes:
        skill: Its name or id.
        specialty: The specialty that the task falls under; nothing for one's own.
        fit: How well the skill suits.
    """

    skill: str = Field(max_length=100)
    specialty: str = Field(default="", max_length=60)
    fit: Fit = Fit.PERFECT

    def situation_of(self, module: Module) -> Situation:
        """What surrounds the check, the task and the fit included."""
        name = skill_named(module, self.skill).name
        written = "" if "(" in name else self.skill.partition("(")[2].rstrip(") ").strip()
        return replace(self.situation(module), task=self.specialty.strip() or written, fit=self.fit)


def skill_named(module: Module, typed: str) -> Skill:
    """The skill of a module that somebody has typed, by its name or id; "Crafting (Wood)" is Crafting.

    Raises:
        Mistake: If the module has no such skill.
    """
    for written in (typed, typed.partition("(")[0]):
        wanted = " ".join(written.split()).casefold()
        for skill in module.skills:
            if wanted in (skill.name.casefold(), skill.id, *(alias.casefold() for alias in skill.aliases)):
                return skill
    names = ", ".join(skill.name for skill in module.skills)
    raise Mistake(f"{module.name} has no skill “{typed}”.", f"Its skills: {names}.")


def difficulty_in(module: Module, typed: str) -> int:
    """The difficulty that somebody has typed under a module's ladder; 0 where nothing is said.

    Raises:
        Mistake: If it is none.
    """
    return difficulty_named(typed.split(" · ")[0], module.ladder) if typed.strip() else 0


def said_toggles(typed: str) -> tuple[str, ...]:
    """What somebody says to hold."""
    return tuple(part.strip() for part in typed.split(",") if part.strip())


def skill_attempt(who: CharacterId, figure: Figure, skill: Skill, situation: Situation) -> Attempt:
    """A check of a skill, ready to be rolled.

    Raises:
        Mistake: If the skill cannot be used so, or a condition forbids it.

    Source: RPJ-SKILL-07, RPJ-SKILL-21, RPJ-SKILL-22, RPJ-COND-02.
    """
    assert_can(figure, *needs_of(skill.tags))
    own = figure.sheet.own_skill(skill.id)
    return Attempt(
        character=who,
        words=skill_name(skill, situation.task or (own.specialty if own else "")),
        inputs=skill_check(figure, skill, situation),
        skill=skill.name,
        of=skill.id,
    )


def roll_skill(scene: Scene, options: CheckOptions, dice: Dice) -> Outcome:
    """Check a skill.

    Source: RPJ-SKILL-07, RPJ-DICE-01, RPJ-DICE-02.
    """
    actor = scene.actor
    figure = figure_in(scene, actor)
    skill = skill_named(figure.module, options.skill)
    situation = options.situation_of(figure.module)
    return perform(scene, skill_attempt(actor.id, figure, skill, situation), dice)


ROLLING_PROCEDURES = (Procedure(key="check", options=CheckOptions, run=roll_skill, is_check=True),)
