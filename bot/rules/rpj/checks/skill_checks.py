"""Skill, attribute and Luck checks: their inputs, typed options and commands."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import CharacterId, Document, NamedTerm, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import Misnamed, UserError
from bot.rules.rpj.character.belongings import assert_not_crushed, load_term
from bot.rules.rpj.character.incapacity import assert_can, needs_of
from bot.rules.rpj.character.sheet import CALM, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.checks.attempts import RpjAttempt, perform
from bot.rules.rpj.module.basics import RpjAttribute, difficulty_named
from bot.rules.rpj.module.effects import RollTarget, RpjCircumstances, roll_bonus, toggles
from bot.rules.rpj.module.module import Module, RpjSkill
from bot.rules.rpj.resolution.check_inputs import CheckKind, RpjCheckInputs

LUCK_DETAIL_DIFFICULTY = 1


class Fit(StrEnum):
    """How well a skill fits a task; the GM decides. [RPJ-SKILL-08]"""

    PERFECT = "perfect"
    IMPERFECT = "imperfect"
    POOR = "poor"
    IMPOSSIBLE = "impossible"


_FIT_PENALTIES = {Fit.PERFECT: 0, Fit.IMPERFECT: -1, Fit.POOR: -2}


class Situation(Struct, frozen=True, kw_only=True):
    """The circumstances of a check."""

    difficulty: int = 0  # added to 7
    terms: tuple[NamedTerm, ...] = ()  # bonuses and penalties by name, added to the roll
    opposition: tuple[NamedTerm, ...] = ()  # what the other side adds to the target number, by name
    task: str = ""  # the specialty the task needs; empty for the character's own
    fit: Fit = Fit.PERFECT  # how well the skill fits
    suggestion: str = ""  # the skill the GM suggests instead of an impossible one
    now: RpjCircumstances = field(default_factory=RpjCircumstances)  # the circumstances traits depend on
    has_extra_die: bool = False  # whether a Lucky Break is spent beforehand


PLAIN = Situation()


def skill_check(figure: Stats, skill: RpjSkill, situation: Situation = PLAIN) -> RpjCheckInputs:
    """The inputs of a skill check.

    Raises:
        UserError: If the skill cannot be used untrained or outside its specialty, or does not fit at all.

    [RPJ-SKILL-03, RPJ-SKILL-07, RPJ-SKILL-08, RPJ-SKILL-22, RPJ-SKILL-23, RPJ-CHAR-09, RPJ-INV-03]
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
        *(
            (bonus.word, bonus.value)
            for bonus in roll_bonus(figure.effects, RollTarget.SKILL, now, of=skill.id)
        ),
    ]
    return _inputs(figure, CheckKind.SKILL, terms, situation)


def assert_usable(figure: Stats, skill: RpjSkill) -> None:
    """Refuse an untrained skill that needs training. [RPJ-SKILL-03]

    Raises:
        UserError: If its base level is 0 and it needs training.
    """
    if not skill.usable_at_zero and figure.base_level(skill) == 0:
        raise UserError(f"You can't use {skill.name} untrained.", "It needs a base level of at least 1.")


def class_bonus(figure: Stats, skill: RpjSkill, task: str = "") -> int:
    """The class bonus to a skill roll. [RPJ-CHAR-09]

    Args:
        figure: Who rolls.
        task: The specialty the task needs; empty for the character's own.
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
        situation: The circumstances of the check.
        kind: An attribute check, an attribute bonus check, a saving throw or a Luck check.

    [RPJ-ATTR-03 to RPJ-ATTR-06, RPJ-SKILL-20]
    """
    assert_not_crushed(figure, attribute)
    is_bonus = kind is CheckKind.ATTRIBUTE_BONUS
    value = (figure.bonus if is_bonus else figure.level)(attribute, situation.now)
    label = f"{attribute.word} bonus" if is_bonus else attribute.word
    bonuses = roll_bonus(figure.effects, _ATTRIBUTE_TARGETS[kind], situation.now, of=attribute)
    terms = [(label, value), *((bonus.word, bonus.value) for bonus in bonuses)]
    return _inputs(figure, kind, terms, situation)


def luck_detail(figure: Stats) -> RpjCheckInputs:
    """The inputs of a Luck bonus check for an open detail of the scene, against 8+. [RPJ-ATTR-07]"""
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


LARGEST = 20
_SIGN = "[+\\-−]"
_FIRST = re.compile(rf"(?P<sign>{_SIGN})\s*(?P<size>\d{{1,6}})(?P<label>.*)", re.DOTALL)
_LAST = re.compile(rf"(?P<label>.*?\D)\s*(?P<sign>{_SIGN})\s*(?P<size>\d{{1,6}})", re.DOTALL)
_BEFORE_SIGN = re.compile(rf"(?:^|[\s,;]+)(?={_SIGN}\s*\d)")
_AFTER_SIZE = re.compile(r"(?<=\d)\s+(?=[^\s\d])")


def read_modifiers(typed: str) -> tuple[NamedTerm, ...]:
    """Read typed bonuses and penalties: "+2 high ground −1 dark", or "rope +1, rain -2". [RPJ-DICE-02]

    Raises:
        UserError: If the text cannot be read, or a number is too large.
    """
    text = typed.strip()
    if not text:
        return ()
    parts = [text] if _FIRST.match(text) else [part.strip() for part in re.split("[,;]", text)]
    return tuple(term for part in parts if part for term in _terms(part))


def _terms(part: str) -> Iterator[NamedTerm]:
    """The terms of a text in which each begins with its sign, or each ends with its number."""
    is_sign_first = _FIRST.match(part) is not None
    for one in (_BEFORE_SIGN if is_sign_first else _AFTER_SIZE).split(part):
        if one:
            yield _read((_FIRST if is_sign_first else _LAST).fullmatch(one), part)


def _read(found: re.Match[str] | None, part: str) -> NamedTerm:
    if found is None:
        raise UserError(
            f"I can't read “{part}”.", try_this="Write modifiers like this: +2 high ground −1 dark"
        )
    is_bonus = found["sign"] == "+"
    value = int(found["size"]) if is_bonus else -int(found["size"])
    if abs(value) > LARGEST:
        raise UserError(f"“{part}” is too large.", f"A bonus or penalty can be at most {LARGEST}.")
    word = " ".join(found["label"].split())[:60] or ("bonus" if is_bonus else "penalty")
    return NamedTerm(label=word, value=value)


MOST_MEANT = 3


EASIEST, HARDEST = -3, 12  # a difficulty chosen instead of typed


class HowOptions(Document):
    """The common options of checks."""

    # A number, a target number ("10+"), or a name of the ladder; empty for 7+.
    difficulty: str = Field(default="", max_length=40)
    modifiers: str = Field(default="", max_length=200)  # bonuses and penalties with a word: "+1 rope −2 rain"
    toggles: str = Field(default="", max_length=200)  # trait conditions that apply, separated by commas
    lucky_break: bool = False  # whether a Lucky Break is spent beforehand
    # Added to the difficulty, where a number is chosen instead of typed.
    harder: int = Field(default=0, ge=EASIEST, le=HARDEST)
    # A bonus, or a penalty below 0, where a number is chosen instead of typed.
    bonus: int = Field(default=0, ge=-5, le=5)

    def situation(self, module: Module, *, task: str = "", fit: Fit = Fit.PERFECT) -> Situation:
        """The situation of the check. [RPJ-DICE-02, RPJ-LUCK-02]"""
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
        if self.bonus > 0:
            return (NamedTerm(label="bonus", value=self.bonus),)
        return (NamedTerm(label="penalty", value=self.bonus),) if self.bonus else ()


class RpjCheckOptions(HowOptions):
    """The options of a skill check."""

    skill: str = Field(max_length=100)  # its name or id
    # The specialty the task needs; empty for the character's own.
    specialty: str = Field(default="", max_length=60)
    fit: Fit = Fit.PERFECT  # how well the skill fits

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
    what = f"This campaign has no skill “{typed}”."
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
        situation: The situation of a roll for which some were claimed.
        offered: The trait conditions that may be claimed for it.
        what: What is rolled.

    Raises:
        UserError: If one was claimed that does nothing for this roll.

    [RPJ-TRAIT-02, RPJ-TRAIT-06]
    """
    said = situation.now.toggles
    known = {word.casefold(): word for word in offered}
    idle = [word for word in said if word.casefold() not in known]
    if idle:
        hint = f"You can use: {', '.join(offered)}." if offered else "Leave it empty: none of your traits do."
        raise UserError(f"“{idle[0]}” doesn't affect {what}.", hint)
    now = evolve(situation.now, toggles=tuple(known[word.casefold()] for word in said))
    return replace(situation, now=now)


def skill_attempt(who: CharacterId, figure: Stats, skill: RpjSkill, situation: Situation) -> RpjAttempt:
    """A skill check, ready to be rolled. [RPJ-SKILL-07, RPJ-SKILL-21, RPJ-SKILL-22, RPJ-COND-02]

    Raises:
        UserError: If the skill cannot be used that way, or a condition prevents it.
    """
    assert_can(figure, *needs_of(skill.tags))
    if situation.now.toggles:
        situation = with_toggles(situation, skill_toggles(figure, skill), skill.name)
    own = figure.sheet.own_skill(skill.id)
    return RpjAttempt(
        character=who,
        words=skill.with_specialty(situation.task or (own.specialty if own else "")),
        inputs=skill_check(figure, skill, situation),
        skill=skill.name,
        of=skill.id,
    )


@procedure("check", is_check=True, can_repeat=True)
def roll_skill(scene: Scene, options: RpjCheckOptions, dice: Dice) -> Outcome:
    """Roll a skill check. [RPJ-SKILL-07, RPJ-DICE-01, RPJ-DICE-02]"""
    actor = scene.actor
    figure = figure_in(scene, actor)
    skill = skill_named(figure.module, options.skill)
    situation = options.situation_of(figure.module, skill)
    return perform(scene, skill_attempt(actor.id, figure, skill, situation), dice, figure=figure)


class RpjRolled(StrEnum):
    """What is added to the roll: an attribute's level, its bonus, or its level as a saving throw.

    [RPJ-ATTR-03 to RPJ-ATTR-05]
    """

    LEVEL = "level"
    BONUS = "bonus"
    SAVE = "saving throw"


KINDS = {
    RpjRolled.LEVEL: CheckKind.ATTRIBUTE,
    RpjRolled.BONUS: CheckKind.ATTRIBUTE_BONUS,
    RpjRolled.SAVE: CheckKind.SAVING_THROW,
}
_TARGETS = {
    CheckKind.ATTRIBUTE: RollTarget.ATTRIBUTE,
    CheckKind.ATTRIBUTE_BONUS: RollTarget.ATTRIBUTE_BONUS,
    CheckKind.SAVING_THROW: RollTarget.SAVING_THROW,
    CheckKind.LUCK: RollTarget.LUCK,
}
_WORDS = {
    CheckKind.ATTRIBUTE: "{}",
    CheckKind.ATTRIBUTE_BONUS: "{} bonus",
    CheckKind.SAVING_THROW: "{} saving throw",
    CheckKind.LUCK: "{}",
}


class AttributeOptions(HowOptions):
    """The options of an attribute check."""

    attribute: RpjAttribute
    rolled: RpjRolled = RpjRolled.LEVEL  # its level, its bonus, or its level as a saving throw


class RpjLuckOptions(HowOptions):
    """The options of a Luck check."""

    stake: str = Field(default="", max_length=120)


def attribute_toggles(figure: Stats, attribute: RpjAttribute, kind: CheckKind) -> tuple[str, ...]:
    """The trait conditions a player may claim for an attribute roll."""
    return toggles(figure.effects, _TARGETS[kind], of=attribute, attribute=attribute)


def attribute_attempt(
    who: CharacterId, figure: Stats, attribute: RpjAttribute, kind: CheckKind, situation: Situation
) -> RpjAttempt:
    """An attribute check, ready to be rolled. [RPJ-ATTR-03 to RPJ-ATTR-06]"""
    words = _WORDS[kind].format(attribute.word)
    if situation.now.toggles:
        situation = with_toggles(situation, attribute_toggles(figure, attribute, kind), words)
    return RpjAttempt(
        character=who,
        words=words,
        verb="makes a" if kind is CheckKind.SAVING_THROW else "checks",
        inputs=attribute_check(figure, attribute, situation, kind),
        skill=words,
        on=_TARGETS[kind],
        of=attribute,
    )


@procedure("attribute", is_check=True, can_repeat=True)
def roll_attribute(scene: Scene, options: AttributeOptions, dice: Dice) -> Outcome:
    """Roll an attribute check, an attribute bonus check or a saving throw.

    [RPJ-ATTR-03, RPJ-ATTR-04, RPJ-ATTR-05, RPJ-SKILL-20]
    """
    figure = figure_in(scene, scene.actor)
    kind = KINDS[options.rolled]
    situation = options.situation(figure.module)
    return perform(scene, attribute_attempt(scene.actor.id, figure, options.attribute, kind, situation), dice)


@procedure("luck", is_check=True, can_repeat=True)
def roll_luck(scene: Scene, options: RpjLuckOptions, dice: Dice) -> Outcome:
    """Roll a Luck check for how a catastrophe turns out. [RPJ-ATTR-06, RPJ-SKILL-20]"""
    figure = figure_in(scene, scene.actor)
    situation = options.situation(figure.module)
    attempt = attribute_attempt(scene.actor.id, figure, RpjAttribute.LUCK, CheckKind.LUCK, situation)
    stake = options.stake.strip()
    if stake:
        attempt = evolve(attempt, words=f"Luck ({stake})", verb="trusts to")
    return perform(scene, attempt, dice)
