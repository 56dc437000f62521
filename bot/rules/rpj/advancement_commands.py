"""The commands that spend character points, at once or after the GM's approval."""

from dataclasses import dataclass, replace

from pydantic import Field

from bot.rules.kernel import Audience, Document, FollowUp, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.rpj.character.belongings import WEALTH, wealth_granted
from bot.rules.rpj.character.sheet import Outcome, OwnSkill, RpjSheet, Scene, Stats, TraitSource, figure_in
from bot.rules.rpj.character_points import (
    attribute_price,
    level_price,
    lose_trait,
    raise_attribute,
    raise_skill,
    take_trait,
)
from bot.rules.rpj.checks.skill_checks import skill_named, specialty_in
from bot.rules.rpj.known_spells import empty_slots, filling
from bot.rules.rpj.module.basics import RpjAttribute, character_points, sessions_to
from bot.rules.rpj.module.module import Module, RpjSkill, RpjTrait
from bot.rules.rpj.module.settings import SkillApproval, module_in

LEAVE_GROUP = "leave"
MOST_LISTED = 12


class RpjSkillOptions(Document):
    """The options of raising or learning a skill."""

    skill: str = Field(max_length=100)  # its name or id
    level: int | None = Field(default=None, ge=1, le=20)  # the level wanted; one higher by default
    specialty: str = Field(default="", max_length=60)  # the specialty of a new skill that needs one
    attribute: RpjAttribute | None = None  # the attribute of a new skill that gives a choice


class RaiseAttributeOptions(Document):
    """The options of raising an attribute."""

    attribute: RpjAttribute


class TraitOptions(Document):
    """The options of taking or dropping a trait."""

    trait: str = Field(max_length=100)  # its name or id
    is_award: bool = False  # whether the GM gives it for free


class PricesOptions(Document):
    """The options of prices."""

    # The character power to forecast, or None for the prices.
    target: int | None = Field(default=None, ge=1, le=1000)
    each: int = Field(default=3, ge=1, le=50)  # character points per session


def trait_named(module: Module, typed: str) -> RpjTrait:
    """The trait of a module a person typed, by its name or id.

    Raises:
        UserError: If the module has no such trait.
    """
    wanted = " ".join(typed.split()).casefold()
    for trait in module.traits:
        if wanted in (trait.name.casefold(), trait.id):
            return trait
    names = ", ".join(trait.name for trait in module.traits)
    raise UserError(f"This campaign has no trait “{typed}”.", f"Its traits: {names}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """An improvement: its texts when done, when asked for and as a deal, its cost and its sheet."""

    words: str
    asked: str
    deal: str
    cost: int
    sheet: RpjSheet

    @property
    def priced(self) -> str:
        """The improvement with its price, as the GM is asked to allow it."""
        if self.cost < 0:
            return f"{self.deal}, which gives {character_points(-self.cost)}"
        return f"{self.deal} for {character_points(self.cost)}"


def _done(scene: Scene, plan: _Plan) -> Outcome:
    module = module_in(scene.settings)
    more = wealth_granted(Stats(plan.sheet, module)) - wealth_granted(figure_in(scene, scene.actor))
    after = replace(scene.actor, sheet=plan.sheet)
    if more > 0:
        after = after.with_resource(WEALTH, after.left(WEALTH) + more)
    done = scene.with_character(after)
    figure, before = figure_in(done, after), figure_in(scene, scene.actor)
    gained = filling(figure, after.id) if empty_slots(figure) > empty_slots(before) else ()
    return Outcome(scene=done, headline=plan.words, deal=plan.priced, follow_ups=gained)


def _asked(scene: Scene, plan: _Plan, procedure: str, options: Document) -> Outcome:
    """Ask the GM; nothing changes until the button is pressed, at the price shown here."""
    left = figure_in(scene, scene.actor).sheet.available_points
    button = FollowUp(
        procedure=procedure,
        options=options,
        label=f"Allow it for {counted(plan.cost, 'point')} (GM)"
        if plan.cost >= 0
        else f"Allow it: +{counted(-plan.cost, 'point')} (GM)",
        audience=Audience.GM,
        character=scene.actor.id,
        group=LEAVE_GROUP,
        deal=plan.priced,
        is_owed=True,
    )
    does = f"would cost {character_points(plan.cost)}" if plan.cost > 0 else "costs nothing"
    does = f"gives {character_points(-plan.cost)}" if plan.cost < 0 else does
    note = f"It {does}: {left} → {left - plan.cost}." if plan.cost else f"It {does}."
    return Outcome(scene=scene, headline=plan.asked, notes=(note,), follow_ups=(button,))


# --- skills ------------------------------------------------------------------------------------


@procedure("improve_skill")
def improve_skill(scene: Scene, options: RpjSkillOptions, _dice: Dice) -> Outcome:
    """Raise or learn a skill, at once or after the GM's approval, as the campaign has it.

    Raises:
        UserError: If it is not allowed or can't be paid for; it names the cost and what is left.

    [RPJ-CHAR-14, RPJ-CHAR-16, RPJ-CHAR-06, RPJ-SKILL-02]
    """
    figure, settings = figure_in(scene, scene.actor), scene.settings
    skill = skill_named(figure.module, options.skill)
    now = figure.base_level(skill)
    level = now + 1 if options.level is None else options.level
    sheet = raise_skill(
        figure,
        skill,
        level,
        specialty=options.specialty.strip() or specialty_in(skill, options.skill),
        linked=options.attribute,
        blocked=settings.blocked_skills,
    )
    plan = _Plan(
        words=f"raises {skill.name} to {level}" if now else f"learns {skill.name} {level}",
        asked=f"wants to raise {skill.name} from {now} to {level}",
        deal=f"{skill.name} {now} → {level}",
        cost=figure.sheet.available_points - sheet.available_points,
        sheet=sheet,
    )
    if settings.skill_approval is SkillApproval.AUTO or scene.is_gm:
        return _done(scene, plan)
    return _asked(scene, plan, "improve_skill", evolve(options, level=level))


# --- attributes --------------------------------------------------------------------------------


@procedure("improve_attribute")
def improve_attribute(scene: Scene, options: RaiseAttributeOptions, _dice: Dice) -> Outcome:
    """Raise an attribute by one, with the GM's approval or a trait's permission.

    Raises:
        UserError: If it is not allowed or can't be paid for; it names the cost and what is left.

    [RPJ-CHAR-19 (R-071, R-072), RPJ-TRAIT-06]
    """
    figure, attribute = figure_in(scene, scene.actor), options.attribute
    level = figure.sheet.attributes[attribute] + 1
    plan = _Plan(
        words=f"raises {attribute.word} to {level}",
        asked=f"wants to raise {attribute.word} from {level - 1} to {level}",
        deal=f"{attribute.word} {level - 1} → {level}",
        cost=attribute_price(figure, attribute),
        sheet=raise_attribute(figure, attribute, has_leave=True),
    )
    if scene.is_gm:
        return _done(scene, plan)
    try:
        permitted = raise_attribute(figure, attribute, has_leave=False)
    except UserError:  # no trait permits it: ask the GM
        return _asked(scene, plan, "improve_attribute", options)
    return _done(scene, replace(plan, sheet=permitted))


# --- traits ------------------------------------------------------------------------------------


@procedure("improve_trait")
def improve_trait(scene: Scene, options: TraitOptions, _dice: Dice) -> Outcome:
    """Take a trait after creation, with the GM's approval; the GM may give it for free.

    Raises:
        UserError: If it is not allowed or can't be paid for; it names the cost and what is left.

    [RPJ-CHAR-18, RPJ-TRAIT-01 to RPJ-TRAIT-04]
    """
    figure = figure_in(scene, scene.actor)
    trait = trait_named(figure.module, options.trait)
    if options.is_award and not scene.is_gm:
        raise UserError(
            "Only the GM can give traits for free.", f"{trait.name} costs {character_points(trait.cost)}."
        )
    source = TraitSource.AWARDED if options.is_award else TraitSource.BOUGHT
    sheet = take_trait(figure, trait.id, has_leave=True, source=source)
    plan = _Plan(
        words=f"gains {trait.name}",
        asked=f"wants to take the {trait.kind} {trait.name}",
        deal=f"gaining {trait.name}",
        cost=figure.sheet.available_points - sheet.available_points,
        sheet=sheet,
    )
    return _done(scene, plan) if scene.is_gm else _asked(scene, plan, "improve_trait", options)


@procedure("drop_trait")
def drop_trait(scene: Scene, options: TraitOptions, _dice: Dice) -> Outcome:
    """Drop a trait with the GM's approval; a fault costs what it gave.

    Raises:
        UserError: If the character does not have it, or it can't be paid for.
    """
    figure = figure_in(scene, scene.actor)
    trait = trait_named(figure.module, options.trait)
    sheet = lose_trait(figure, trait.id)
    plan = _Plan(
        words=f"drops {trait.name}",
        asked=f"wants to drop {trait.name}",
        deal=f"dropping {trait.name}",
        cost=figure.sheet.available_points - sheet.available_points,
        sheet=sheet,
    )
    return _done(scene, plan) if scene.is_gm else _asked(scene, plan, "drop_trait", options)


# --- prices ------------------------------------------------------------------------------------


@procedure("prices")
def show_prices(scene: Scene, options: PricesOptions, _dice: Dice) -> Outcome:
    """Show what the next levels cost and what is left to spend, or when a character power is reached.

    [RPJ-CHAR-03, RPJ-CHAR-06, RPJ-CHAR-16, RPJ-CHAR-18, RPJ-CHAR-19, RPJ-CHAR-20, RPJ-SKILL-02]
    """
    if options.target is not None:
        return _forecast(scene, options.target, options.each)
    figure = figure_in(scene, scene.actor)
    blocked = scene.settings.blocked_skills
    lines = [
        f"Skills, up to {figure.skill_cap}: {_listed(_skill_prices(figure, blocked))}.",
        "A new skill costs 1 for level 1, 3 for 2, 6 for 3, 10 for 4, 15 for 5, 21 for 6.",
        f"With the GM's approval: {_listed(_attribute_prices(figure))}.",
    ]
    traits = _listed([f"{trait.name} for {trait.cost}" for trait in traits_for_sale(figure)])
    lines += [f"Traits, also with approval: {traits}."] if traits else []
    return Outcome(
        scene=scene,
        headline=f"has {character_points(figure.sheet.available_points)} to spend",
        notes=tuple(lines),
        is_public=False,
    )


def _listed(parts: list[str]) -> str:
    more = f" and {len(parts) - MOST_LISTED} more" if len(parts) > MOST_LISTED else ""
    return " · ".join(parts[:MOST_LISTED]) + more


def skills_for_sale(figure: Stats, blocked: tuple[str, ...]) -> list[tuple[RpjSkill, int, int]]:
    """The character's skills that can still rise, each with its next level and its price, cheapest first."""
    cap = figure.skill_cap
    found = [
        (skill, own.base + 1, _next_price(figure, own))
        for own in figure.sheet.skills
        if own.base < cap and own.skill not in blocked and (skill := figure.module.skill(own.skill))
    ]
    return sorted(found, key=lambda one: (one[2], one[0].name))


def _skill_prices(figure: Stats, blocked: tuple[str, ...]) -> list[str]:
    priced = skills_for_sale(figure, blocked)
    return [f"{skill.name} {level} for {price}" for skill, level, price in priced] or [
        "none of yours can be raised now"
    ]


def _next_price(figure: Stats, own: OwnSkill) -> int:
    return level_price(own.skill, own.base, own.base + 1, figure.module, figure.sheet.class_id)


def attributes_for_sale(figure: Stats) -> tuple[RpjAttribute, ...]:
    """The attributes that can still rise."""
    levels, highest = figure.sheet.attributes, figure.module.attributes.highest
    return tuple(one for one in RpjAttribute if levels.get(one, 0) < highest)


def _attribute_prices(figure: Stats) -> list[str]:
    levels = figure.sheet.attributes
    return [
        f"{attribute.word} {levels[attribute] + 1} for {attribute_price(figure, attribute)}"
        for attribute in attributes_for_sale(figure)
    ]


def traits_for_sale(figure: Stats) -> tuple[RpjTrait, ...]:
    """The traits that cost something and that the character does not have."""
    have = {own.trait for own in figure.sheet.traits}
    return tuple(
        one
        for one in figure.module.traits
        if one.cost > 0 and one.id not in have and not one.comes_with_class
    )


def _forecast(scene: Scene, target: int, each: int) -> Outcome:
    """How many sessions it takes to reach a character power. [RPJ-CHAR-20]"""
    total = figure_in(scene, scene.actor).sheet.total_points
    sessions = sessions_to(target, total, each)
    when = f"in {counted(sessions, 'session')}" if sessions else "already"
    return Outcome(
        scene=scene,
        headline=f"reaches a character power of {target} {when}",
        notes=(f"Now: {total}; {character_points(each)} per session.",),
        is_public=False,
    )
