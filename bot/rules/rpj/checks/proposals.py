"""Proposing a skill: the GM decides how well it fits, or which skill to use instead."""

from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Choice, Document, FollowUp, TextField, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.wording import shown_number
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.pending_check import RpjAttempt
from bot.rules.rpj.checks.skill_check_command import RpjCheckOptions, skill_attempt, skill_named
from bot.rules.rpj.checks.skill_checks import Fit
from bot.rules.rpj.module.denials import denial
from bot.rules.rpj.module.module import RpjSkill
from bot.rules.rpj.module.settings import module_in

MOST_CHOICES = 25
HOW_HARD = TextField(
    key="difficulty", prompt="Difficulty: a number, 10+ or a name.", longest=40, is_required=False
)
_FITS = {Fit.PERFECT: "It fits", Fit.IMPERFECT: "Imperfect, −1", Fit.POOR: "Poor, −2"}


class RpjProposeOptions(RpjCheckOptions):
    """The options of a proposal.

    Attributes:
        how: What the player wants to do with the skill.
    """

    how: str = Field(min_length=1, max_length=150)


class FitOptions(Document):
    """The options of the GM's answer to a proposal.

    Attributes:
        character: Whose proposal it is.
        proposed: The proposal.
        difficulty: The difficulty, where the proposal has none.
    """

    character: CharacterId
    proposed: RpjCheckOptions
    difficulty: str = Field(default="", max_length=40)

    @property
    def check(self) -> RpjCheckOptions:
        """The check with the GM's difficulty."""
        return evolve(self.proposed, difficulty=self.difficulty or self.proposed.difficulty)


class InsteadOptions(FitOptions):
    """The options of another skill instead, by its id."""

    instead: str = ""


def _attempt(
    figure: Stats, who: CharacterId, skill: RpjSkill, check: RpjCheckOptions, fit: Fit
) -> RpjAttempt:
    asked = skill_named(figure.module, check.skill)
    situation = evolve(check, fit=fit).situation_of(figure.module, asked)
    return skill_attempt(who, figure, skill, situation)


def propose(scene: Scene, options: RpjProposeOptions, _dice: Dice) -> Outcome:
    """Propose a skill for a task; the GM presses how well it fits.

    Source: RPJ-SKILL-08.
    """
    who, module = scene.actor, module_in(scene.settings)
    figure = figure_in(scene, who)
    skill = skill_named(module, options.skill)
    plain = RpjCheckOptions.model_validate(options.model_dump(exclude={"how"}))
    chances = {fit: _attempt(figure, who.id, skill, plain, fit).chance for fit in _FITS}
    fits = tuple(
        FollowUp(
            procedure="fit",
            options=FitOptions(character=who.id, proposed=evolve(plain, fit=fit)),
            label=f"{label} · {chances[fit]} (GM)" if options.difficulty else f"{label} (GM)",
            audience=Audience.GM,
            character=who.id,
            blanks=() if options.difficulty else (HOW_HARD,),
            group="fit",
            is_owed=True,
        )
        for fit, label in _FITS.items()
    )
    others = sorted(
        (other for other in module.skills if other.id != skill.id),
        key=lambda other: (-figure.effective_level(other), other.name),
    )
    instead = FollowUp(
        procedure="instead",
        options=InsteadOptions(character=who.id, proposed=plain),
        label="Use another skill (GM)",
        audience=Audience.GM,
        character=who.id,
        choices=tuple(
            Choice(other.id, other.name, f"level {shown_number(figure.effective_level(other))}")
            for other in others[:MOST_CHOICES]
        ),
        chosen="instead",
        group="fit",
        is_owed=True,
    )
    return Outcome(
        scene=scene,
        headline=f"proposes {skill.name}: {options.how.strip()}",
        follow_ups=(*fits, instead) if instead.choices else fits,
    )


declare("propose", RpjProposeOptions, propose)


def _offer(scene: Scene, who: CharacterId, check: RpjCheckOptions) -> FollowUp:
    """The button that rolls the check the GM agreed to."""
    figure = figure_in(scene, scene.character(who))
    skill = skill_named(figure.module, check.skill)
    attempt = _attempt(figure, who, skill, check, check.fit)
    return FollowUp(
        procedure="check",
        options=check,
        label=f"Roll {skill.name} against {attempt.inputs.target}+ · {attempt.chance}"[:80],
        character=who,
        group="check",
    )


def say_fit(scene: Scene, options: FitOptions, _dice: Dice) -> Outcome:
    """Decide how well a proposed skill fits; its player then rolls.

    Source: RPJ-SKILL-08.
    """
    fit = options.proposed.fit
    return Outcome(
        scene=scene,
        headline=f"can check {options.proposed.skill}" + ("" if fit is Fit.PERFECT else f": {fit} fit"),
        follow_ups=(_offer(scene, options.character, options.check),),
    )


declare("fit", FitOptions, say_fit, gm_only=True)


def say_instead(scene: Scene, options: InsteadOptions, _dice: Dice) -> Outcome:
    """Reject a proposed skill and name another.

    Source: RPJ-SKILL-08, RPJ-GM-05.
    """
    skill = skill_named(module_in(scene.settings), options.instead)
    changed = {"skill": skill.name, "specialty": "", "fit": Fit.PERFECT}
    return Outcome(
        scene=scene,
        headline=f"can't use {options.proposed.skill} for that",
        notes=(denial("", f"{skill.name}."),),
        follow_ups=(_offer(scene, options.character, evolve(options.proposed, **changed)),),
    )


declare("instead", InsteadOptions, say_instead, gm_only=True)
