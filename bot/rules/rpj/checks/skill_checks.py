"""The inputs of a check: level, class, specialty, traits, and the situation."""

from dataclasses import dataclass, field
from enum import StrEnum

from bot.rules.kernel import NamedTerm, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.carrying import assert_not_crushed, load_term
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.effects import RollBonus, RollTarget, RpjCircumstances, roll_bonus
from bot.rules.rpj.module.module import RpjSkill
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs

LUCK_DETAIL_DIFFICULTY = 1


class Fit(StrEnum):
    """How well a skill fits a task; the GM decides.

    Source: RPJ-SKILL-08.
    """

    PERFECT = "perfect"
    IMPERFECT = "imperfect"
    POOR = "poor"
    IMPOSSIBLE = "impossible"


_FIT_PENALTIES = {Fit.PERFECT: 0, Fit.IMPERFECT: -1, Fit.POOR: -2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The circumstances of a check.

    Attributes:
        difficulty: Added to 7.
        terms: Bonuses and penalties by name, added to the roll.
        opposition: What the other side adds to the target number, by name.
        task: The specialty the task needs; empty for the character's own.
        fit: How well the skill fits.
        suggestion: The skill the GM suggests instead of an impossible one.
        now: The circumstances traits depend on.
        has_extra_die: Whether a Lucky Break is spent beforehand.
    """

    difficulty: int = 0
    terms: tuple[NamedTerm, ...] = ()
    opposition: tuple[NamedTerm, ...] = ()
    task: str = ""
    fit: Fit = Fit.PERFECT
    suggestion: str = ""
    now: RpjCircumstances = field(default_factory=RpjCircumstances)
    has_extra_die: bool = False


PLAIN = Situation()


def skill_check(figure: Stats, skill: RpjSkill, situation: Situation = PLAIN) -> RpjCheckInputs:
    """The inputs of a skill check.

    Raises:
        UserError: If the skill cannot be used untrained or outside its specialty, or does not fit at all.

    Source: RPJ-SKILL-03, RPJ-SKILL-07, RPJ-SKILL-08, RPJ-SKILL-22, RPJ-SKILL-23, RPJ-CHAR-09, RPJ-INV-03.
    """
    assert_usable(figure, skill)
    now = situation.now
    if skill.tags != now.skill_tags:
        now = evolve(now, skill_tags=skill.tags)
    terms = [
        (skill.name, figure.effective_level(skill, now)),
        ("class skill", class_bonus(figure, skill, situation.task)),
        (f"specialty {situation.task}".strip(), _specialty_modifier(figure, skill, situation.task)),
        (f"{situation.fit} fit", _fit_penalty(skill, situation)),
        ("overloaded", load_term(figure, figure.linked(skill))),
        *((bonus.word, bonus.value) for bonus in _skill_bonuses(figure, skill, now)),
    ]
    return _inputs(figure, CheckKind.SKILL, terms, situation)


def assert_usable(figure: Stats, skill: RpjSkill) -> None:
    """Refuse an untrained skill that needs training.

    Raises:
        UserError: If its base level is 0 and it needs training.

    Source: RPJ-SKILL-03.
    """
    if not skill.usable_at_zero and figure.base_level(skill) == 0:
        raise UserError(f"You can't use {skill.name} untrained.", "It needs a base level of at least 1.")


def _skill_bonuses(figure: Stats, skill: RpjSkill, now: RpjCircumstances) -> tuple[RollBonus, ...]:
    return roll_bonus(figure.effects, RollTarget.SKILL, now, of=skill.id)


def class_bonus(figure: Stats, skill: RpjSkill, task: str = "") -> int:
    """The class bonus to a skill roll.

    Args:
        figure: Who rolls.
        skill: The skill.
        task: The specialty the task needs; empty for the character's own.

    Source: RPJ-CHAR-09.
    """
    own = figure.sheet.own_skill(skill.id)
    doing = task or (own.specialty if own else "")
    picks = (pick for pick in figure.sheet.class_skills if pick.skill == skill.id)
    is_class_skill = any(pick.specialty in ("", doing) for pick in picks)
    return figure.module.characters.class_bonus if is_class_skill else 0


def _specialty_modifier(figure: Stats, skill: RpjSkill, task: str) -> int:
    own = figure.sheet.own_skill(skill.id)
    specialty = own.specialty if own else ""
    if specialty and task in ("", specialty):
        return skill.inside
    if skill.has_specialty and skill.is_barred_outside:
        raise UserError(
            f"You can't use {skill.name} outside your specialty.", f"Your specialty: {specialty or 'none'}."
        )
    return skill.outside if specialty else 0


def _fit_penalty(skill: RpjSkill, situation: Situation) -> int:
    if situation.fit is Fit.IMPOSSIBLE:
        instead = f"Try {situation.suggestion}." if situation.suggestion else "Try another skill."
        raise UserError(f"{skill.name} doesn't help with that.", try_this=instead)
    return _FIT_PENALTIES[situation.fit]


_ATTRIBUTE_TARGETS = {
    CheckKind.ATTRIBUTE: RollTarget.ATTRIBUTE,
    CheckKind.ATTRIBUTE_BONUS: RollTarget.ATTRIBUTE_BONUS,
    CheckKind.SAVING_THROW: RollTarget.SAVING_THROW,
    CheckKind.LUCK: RollTarget.LUCK,
}


def attribute_check(
    figure: Stats,
    attribute: RpjAttribute,
    situation: Situation = PLAIN,
    kind: CheckKind = CheckKind.ATTRIBUTE,
) -> RpjCheckInputs:
    """The inputs of an attribute check, with its level or its bonus.

    Args:
        figure: Who rolls.
        attribute: The attribute.
        situation: The circumstances of the check.
        kind: An attribute check, an attribute bonus check, a saving throw or a Luck check.

    Source: RPJ-ATTR-03 to RPJ-ATTR-06, RPJ-SKILL-20.
    """
    assert_not_crushed(figure, attribute)
    is_bonus = kind is CheckKind.ATTRIBUTE_BONUS
    value = (figure.bonus if is_bonus else figure.level)(attribute, situation.now)
    label = f"{attribute.word} bonus" if is_bonus else attribute.word
    bonuses = roll_bonus(figure.effects, _ATTRIBUTE_TARGETS[kind], situation.now, of=attribute)
    terms = [(label, value), *((bonus.word, bonus.value) for bonus in bonuses)]
    return _inputs(figure, kind, terms, situation)


def luck_detail(figure: Stats) -> RpjCheckInputs:
    """The inputs of a Luck bonus check for an open detail of the scene, against 8+.

    Source: RPJ-ATTR-07.
    """
    situation = Situation(difficulty=LUCK_DETAIL_DIFFICULTY)
    return attribute_check(figure, RpjAttribute.LUCK, situation, CheckKind.ATTRIBUTE_BONUS)


def _inputs(
    figure: Stats, kind: CheckKind, terms: list[tuple[str, int]], situation: Situation
) -> RpjCheckInputs:
    named = (NamedTerm(label=label, value=value) for label, value in terms if value)
    return RpjCheckInputs(
        kind=kind,
        terms=(*named, *(term for term in situation.terms if term.value)),
        difficulty=situation.difficulty,
        opposition=situation.opposition,
        criticals=figure.module.criticals,
        has_extra_die=situation.has_extra_die,
    )
