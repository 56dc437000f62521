"""What a player proposes and the GM allows: a skill for a task, or a detail that Luck decides."""

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Document,
    FollowUp,
    TextField,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import label_with, shown_number
from bot.rules.rpj.character.lucky_breaks import denial
from bot.rules.rpj.character.sheet import Character, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.checks.attempts import RpjAttempt, assert_can_check, perform
from bot.rules.rpj.checks.skill_checks import (
    Fit,
    RpjCheckOptions,
    luck_detail,
    skill_attempt,
    skill_named,
)
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.effects import RollTarget
from bot.rules.rpj.module.module import RpjSkill
from bot.rules.rpj.module.module_files import module_in

MOST_CHOICES = 25
HOW_HARD = TextField(
    key="difficulty", prompt="Difficulty: a number, 10+ or a name.", longest=40, is_required=False
)
_FITS = {Fit.PERFECT: "It fits", Fit.IMPERFECT: "Imperfect, −1", Fit.POOR: "Poor, −2"}


class RpjProposeOptions(RpjCheckOptions):
    """The options of a proposal."""

    how: str = Field(min_length=1, max_length=150)  # what the player wants to do with the skill


class FitOptions(Document):
    """The options of the GM's answer to a proposal."""

    character: CharacterId  # whose proposal it is
    proposed: RpjCheckOptions  # the proposal
    difficulty: str = Field(default="", max_length=40)  # the difficulty, where the proposal has none

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


@procedure("propose")
def propose(scene: Scene, options: RpjProposeOptions, _dice: Dice) -> Outcome:
    """Propose a skill for a task; the GM presses how well it fits. [RPJ-SKILL-08]"""
    who, module = scene.actor, module_in(scene.settings)
    assert_can_check(scene, who)
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


def _offer(scene: Scene, who: CharacterId, check: RpjCheckOptions) -> FollowUp:
    """The button that rolls the check the GM agreed to."""
    figure = figure_in(scene, scene.character(who))
    skill = skill_named(figure.module, check.skill)
    attempt = _attempt(figure, who, skill, check, check.fit)
    return FollowUp(
        procedure="check",
        options=check,
        label=label_with(skill.name, f" against {attempt.inputs.target}+ · {attempt.chance}", before="Roll "),
        character=who,
        group="check",
    )


@procedure("fit", gm_only=True)
def say_fit(scene: Scene, options: FitOptions, _dice: Dice) -> Outcome:
    """Decide how well a proposed skill fits; its player then rolls. [RPJ-SKILL-08]"""
    fit = options.proposed.fit
    return Outcome(
        scene=scene,
        headline=f"can check {options.proposed.skill}" + ("" if fit is Fit.PERFECT else f": {fit} fit"),
        follow_ups=(_offer(scene, options.character, options.check),),
    )


@procedure("instead", gm_only=True)
def say_instead(scene: Scene, options: InsteadOptions, _dice: Dice) -> Outcome:
    """Reject a proposed skill and name another. [RPJ-SKILL-08, RPJ-GM-05]"""
    skill = skill_named(module_in(scene.settings), options.instead)
    changed = {"skill": skill.name, "specialty": "", "fit": Fit.PERFECT}
    return Outcome(
        scene=scene,
        headline=f"can't use {options.proposed.skill} for that",
        notes=(denial("", f"{skill.name}."),),
        follow_ups=(_offer(scene, options.character, evolve(options.proposed, **changed)),),
    )


DETAIL = "detail"
TALLY = "luck_details"
TALLY_KEY = f"{TALLY}/session"
CHECKLIST = (
    "It must be open: nobody has said anything about it yet.",
    "It must not add anything new to the scene.",
    "It must not contradict anything done, said or described.",
)


class Details(Document):
    """How often Luck has decided a detail this session. [RPJ-ATTR-07]"""

    count: int = Field(default=0, ge=0)


class DetailOptions(Document):
    """The options of asking about a detail."""

    question: str = Field(min_length=1, max_length=150)
    target: CharacterId | None = None  # who rolls, if the GM asks; else the person asking


class RpjAskedOptions(Document):
    """The options of a question that was asked, and who rolls."""

    question: str
    character: CharacterId


class DeniedOptions(RpjAskedOptions):
    """The options of denying a detail."""

    reason: str = Field(default="", max_length=300)


WHY_NOT = TextField(key="reason", prompt="What is there instead, or why not?", longest=300, is_long=True)


def _detail_attempt(scene: Scene, who: Character, question: str) -> RpjAttempt:
    return RpjAttempt(
        character=who.id,
        words=f"Luck ({question})",
        verb="trusts to",
        inputs=luck_detail(figure_in(scene, who)),
        skill="Luck",
        is_once=True,
        on=RollTarget.ATTRIBUTE_BONUS,
        of=RpjAttribute.LUCK,
    )


def _for_gm(who: Character, procedure: str, options: RpjAskedOptions, label: str) -> FollowUp:
    return FollowUp(
        procedure=procedure,
        options=options,
        label=f"{label} (GM)",
        audience=Audience.GM,
        character=who.id,
        group="detail",
        is_owed=True,
    )


@procedure(DETAIL, needs_actor=False)
def ask_detail(scene: Scene, options: DetailOptions, _dice: Dice) -> Outcome:
    """Ask whether Luck decides a detail: the GM allows it, then one player rolls. [RPJ-ATTR-07]

    Raises:
        UserError: If a player names who rolls.
    """
    question = options.question.strip()
    if options.target is None:
        who = scene.actor
    elif scene.is_gm:
        who = scene.character(options.target)
    else:
        raise UserError("Only the GM can choose who rolls.", "Leave out target to ask for yourself.")
    asked = RpjAskedOptions(question=question, character=who.id)
    denied = DeniedOptions(question=question, character=who.id)
    buttons = (
        _for_gm(who, "allow_detail", asked, "Let Luck decide"),
        replace(_for_gm(who, "deny_detail", denied, "Luck does not decide"), blanks=(WHY_NOT,)),
    )
    for_whom = "" if who.id == scene.actor_id else f" for {who.name}"
    return Outcome(
        scene=scene,
        headline=f"asks Luck about a detail{for_whom}: {question}",
        notes=CHECKLIST,
        follow_ups=buttons,
    )


@procedure("allow_detail", gm_only=True)
def allow_detail(scene: Scene, options: RpjAskedOptions, _dice: Dice) -> Outcome:
    """Let one player roll for a detail; it is counted, because it should be rare. [RPJ-ATTR-07]"""
    who = scene.character(options.character)
    attempt = _detail_attempt(scene, who, options.question)
    found = scene.stored(Details, TALLY_KEY)
    count = 1 if found is None else found.count + 1
    button = FollowUp(
        procedure="roll_detail",
        options=options,
        label=f"Roll the Luck bonus against {attempt.inputs.target}+ · {attempt.chance}",
        character=who.id,
        group="detail",
    )
    times = "the first detail" if count == 1 else f"detail number {count}"
    return Outcome(
        scene=scene.with_document(TALLY_KEY, Details(count=count)),
        headline=f"can roll Luck: {options.question}",
        notes=(f"It is {times} Luck decides this session.",),
        follow_ups=(button,),
    )


@procedure("deny_detail", gm_only=True)
def deny_detail(scene: Scene, options: DeniedOptions, _dice: Dice) -> Outcome:
    """Deny that Luck decides a detail, with the reason. [RPJ-ATTR-07, RPJ-GM-05]

    Raises:
        UserError: If there is none.
    """
    return Outcome(
        scene=scene,
        headline=f"can't leave it to Luck: {options.question}",
        notes=(denial(options.reason),),
    )


@procedure("roll_detail")
def roll_detail(scene: Scene, options: RpjAskedOptions, dice: Dice) -> Outcome:
    """Roll for a detail: a success decides it in the player's favor. [RPJ-ATTR-07]"""
    who = scene.character(options.character)
    return perform(scene, _detail_attempt(scene, who, options.question), dice)


def close_details(scene: Scene) -> tuple[Scene, tuple[str, ...]]:
    """Reset the count at the end of a session, and report it. [RPJ-ATTR-07]"""
    found = scene.stored(Details, TALLY_KEY)
    if found is None:
        return scene, ()
    times = "once" if found.count == 1 else f"{found.count} times"
    return scene.with_document(TALLY_KEY, None), (f"Luck decided a detail {times}.",)
