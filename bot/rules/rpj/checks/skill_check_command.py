"""The skill check command, and reading its typed options."""

from dataclasses import replace
from difflib import get_close_matches

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, NamedTerm, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import Misnamed, UserError
from bot.rules.rpj.character.conditions_on_sheet import assert_can, needs_of
from bot.rules.rpj.character.figure import CALM, Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.character.typed_modifiers import read_modifiers
from bot.rules.rpj.checks.pending_check import RpjAttempt
from bot.rules.rpj.checks.perform import perform
from bot.rules.rpj.checks.skill_checks import Fit, Situation, skill_check
from bot.rules.rpj.module.difficulties import difficulty_named
from bot.rules.rpj.module.effects import RollTarget, RpjCircumstances, toggles
from bot.rules.rpj.module.module import Module, RpjSkill

MOST_MEANT = 3


class HowOptions(Document):
    """The common options of checks.

    Attributes:
        difficulty: A number, a target number ("10+"), or a name of the ladder; empty for 7+.
        modifiers: Bonuses and penalties with a word: "+1 rope −2 rain".
        toggles: Trait conditions that apply, separated by commas.
        lucky_break: Whether a Lucky Break is spent beforehand.
        harder: Added to the difficulty, where a number is chosen instead of typed.
        bonus: A bonus, or a penalty below 0, where a number is chosen instead of typed.
    """

    difficulty: str = Field(default="", max_length=40)
    modifiers: str = Field(default="", max_length=200)
    toggles: str = Field(default="", max_length=200)
    lucky_break: bool = False
    harder: int = Field(default=0, ge=-3, le=12)
    bonus: int = Field(default=0, ge=-5, le=5)

    def situation(self, module: Module, *, task: str = "", fit: Fit = Fit.PERFECT) -> Situation:
        """The situation of the check.

        Source: RPJ-DICE-02, RPJ-LUCK-02.
        """
        said = said_toggles(self.toggles)
        return Situation(
            difficulty=difficulty_in(module, self.difficulty) + self.harder,
            terms=(*read_modifiers(self.modifiers), *self._chosen),
            task=task,
            fit=fit,
            now=RpjCircumstances(toggles=said) if said else CALM,
            has_extra_die=self.lucky_break,
        )

    @property
    def _chosen(self) -> tuple[NamedTerm, ...]:
        """The chosen bonus or penalty as a term."""
        if not self.bonus:
            return ()
        return (NamedTerm(label="bonus" if self.bonus > 0 else "penalty", value=self.bonus),)


class RpjCheckOptions(HowOptions):
    """The options of a skill check.

    Attributes:
        skill: Its name or id.
        specialty: The specialty the task needs; empty for the character's own.
        fit: How well the skill fits.
    """

    skill: str = Field(max_length=100)
    specialty: str = Field(default="", max_length=60)
    fit: Fit = Fit.PERFECT

    def situation_of(self, module: Module, skill: RpjSkill) -> Situation:
        """The situation of the check of a skill, including the task and the fit."""
        task = self.specialty.strip() or specialty_in(skill, self.skill)
        if task and not skill.has_specialty:
            raise UserError(f"{skill.name} has no specialties.", "Leave the specialty empty.")
        return self.situation(module, task=task, fit=self.fit)


def skill_named(module: Module, typed: str) -> RpjSkill:
    """The skill of a module a person typed, by its name or id; "Crafting (Wood)" is Crafting.

    Raises:
        UserError: If the module has no such skill.
    """
    for written in (typed, typed.partition("(")[0]):
        wanted = " ".join(written.split()).casefold()
        for skill in module.skills:
            if wanted in (skill.id, skill.name.casefold()):
                return skill
            if skill.aliases and wanted in [alias.casefold() for alias in skill.aliases]:
                return skill
    what = f"{module.name} has no skill called “{typed}”."
    if meant := skills_meant(module, typed):
        raise Misnamed(what, typed, tuple(skill.name for skill in meant))
    raise UserError(what, f"Its skills: {', '.join(skill.name for skill in module.skills)}.")


def skills_meant(module: Module, typed: str) -> tuple[RpjSkill, ...]:
    """The skills a mistyped name may mean, the likeliest first."""
    wanted = " ".join(typed.partition("(")[0].split()).casefold()
    if not wanted:
        return ()
    found = [skill for skill in module.skills if wanted in (word.casefold() for word in skill.near)]
    found += [skill for skill in module.skills if len(wanted) > 2 and wanted in skill.name.casefold()]
    called = {word.casefold(): skill for skill in module.skills for word in (skill.name, *skill.aliases)}
    found += [called[word] for word in get_close_matches(wanted, called, MOST_MEANT, cutoff=0.7)]
    return tuple({skill.id: skill for skill in found}.values())[:MOST_MEANT]


def specialty_in(skill: RpjSkill, typed: str) -> str:
    """The specialty typed after a skill: Wood of "Crafting (Wood)"."""
    return "" if "(" in skill.name else typed.partition("(")[2].rstrip(") ").strip()


def difficulty_in(module: Module, typed: str) -> int:
    """Read a typed difficulty with a module's ladder; 0 for an empty text.

    Raises:
        UserError: If it cannot be read.
    """
    return difficulty_named(typed.split(" · ")[0], module.ladder) if typed.strip() else 0


def said_toggles(typed: str) -> tuple[str, ...]:
    """The claimed trait conditions of a typed list."""
    return tuple(part.strip() for part in typed.split(",") if part.strip())


def skill_toggles(figure: Stats, skill: RpjSkill) -> tuple[str, ...]:
    """The trait conditions a player may claim for a skill check."""
    return toggles(
        figure.effects, RollTarget.SKILL, of=skill.id, attribute=figure.linked(skill), tags=skill.tags
    )


def with_toggles(situation: Situation, offered: tuple[str, ...], what: str) -> Situation:
    """The situation with its claimed trait conditions spelled as the effects have them.

    Args:
        situation: The situation of a roll.
        offered: The trait conditions that may be claimed for it.
        what: What is rolled.

    Raises:
        UserError: If one was claimed that does nothing for this roll.

    Source: RPJ-TRAIT-02, RPJ-TRAIT-06.
    """
    said = situation.now.toggles
    if not said:
        return situation
    known = {word.casefold(): word for word in offered}
    idle = [word for word in said if word.casefold() not in known]
    if idle:
        hint = f"You can use: {', '.join(offered)}." if offered else "Leave it empty: none of your traits do."
        raise UserError(f"“{idle[0]}” doesn't affect {what}.", hint)
    now = evolve(situation.now, toggles=tuple(known[word.casefold()] for word in said))
    return replace(situation, now=now)


def skill_attempt(who: CharacterId, figure: Stats, skill: RpjSkill, situation: Situation) -> RpjAttempt:
    """A skill check, ready to be rolled.

    Raises:
        UserError: If the skill cannot be used that way, or a condition prevents it.

    Source: RPJ-SKILL-07, RPJ-SKILL-21, RPJ-SKILL-22, RPJ-COND-02.
    """
    assert_can(figure, *needs_of(skill.tags))
    situation = with_toggles(situation, skill_toggles(figure, skill), skill.name)
    own = figure.sheet.own_skill(skill.id)
    return RpjAttempt(
        character=who,
        words=skill.with_specialty(situation.task or (own.specialty if own else "")),
        inputs=skill_check(figure, skill, situation),
        skill=skill.name,
        of=skill.id,
    )


def roll_skill(scene: Scene, options: RpjCheckOptions, dice: Dice) -> Outcome:
    """Roll a skill check.

    Source: RPJ-SKILL-07, RPJ-DICE-01, RPJ-DICE-02.
    """
    actor = scene.actor
    figure = figure_in(scene, actor)
    skill = skill_named(figure.module, options.skill)
    situation = options.situation_of(figure.module, skill)
    return perform(scene, skill_attempt(actor.id, figure, skill, situation), dice, figure=figure)


declare("check", RpjCheckOptions, roll_skill, is_check=True, can_repeat=True)
