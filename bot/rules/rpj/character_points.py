"""Character points: the prices of skills and attributes, awards, and the commands that spend them."""

from collections.abc import Iterable, Iterator
from math import ceil

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Audience, Document, FollowUp, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import counted
from bot.rules.rpj.character.belongings import WEALTH, wealth_granted
from bot.rules.rpj.character.casters import most_magic
from bot.rules.rpj.character.sheet import (
    Outcome,
    OwnSkill,
    OwnTrait,
    RpjSheet,
    Scene,
    Stats,
    TraitSource,
    figure_in,
)
from bot.rules.rpj.checks.skill_checks import skill_named, specialty_in
from bot.rules.rpj.known_spells import empty_slots, filling
from bot.rules.rpj.module.basics import (
    POINTS_A_TIER,
    RpjAttribute,
    category_of,
    character_points,
    left_words,
    named,
    raise_cost,
    sessions_to,
)
from bot.rules.rpj.module.effects import AttributeRaisePermit
from bot.rules.rpj.module.module import CharacterClass, ClassSkill, Module, Pack, RpjSkill, RpjTrait
from bot.rules.rpj.module.module_files import SkillApproval, module_in


def skill_price(own: OwnSkill, now: int, module: Module, class_id: str) -> int:
    """The character points to raise a skill. [RPJ-SKILL-02, RPJ-CHAR-07 (R-064), RPJ-SMAG-22]

    Args:
        own: The skill at its new level.
        now: Its base level before.
        class_id: The class of the character, which may have another cost.
    """
    return level_price(own.skill, now, own.base, module, class_id)


def level_price(skill_id: str, now: int, level: int, module: Module, class_id: str) -> int:
    """The character points to raise a skill from one base level to another; see `skill_price`."""
    skill = module.skill(skill_id)
    costs = skill.class_costs if skill else ()
    percent = next((cost.percent for cost in costs if cost.class_id == class_id), 100)
    magic = module.magic.of(skill_id)
    times = magic.cost_multiplier if magic else 1
    return ceil(raise_cost(now, level) * times * percent / 100)


def slow_build_problems(skills: Iterable[OwnSkill], module: Module, total_points: int) -> Iterator[str]:
    """The problem with magic skills together, where magic builds slowly. [RPJ-SMAG-23]

    Args:
        skills: All skills at their new levels.
        total_points: The character power.
    """
    if Pack.SLOW_BUILD_MAGIC not in module.optional_rules:
        return
    levels = sum(own.base for own in skills if module.magic.of(own.skill) is not None)
    most = most_magic(total_points)
    if levels > most:
        yield f"Your magic skills can total {most} levels now, not {levels}."


def specialty_example(skill: RpjSkill) -> str:
    """An example of a specialty, for an error message; empty where none is known."""
    named = next(iter((*skill.specialties, *skill.examples)), "")
    return f", for example {skill.name} ({named})" if named else ""


def skill_problems(own: OwnSkill, module: Module, cap: int) -> Iterator[str]:
    """The problems with a skill. [RPJ-SKILL-01, RPJ-SKILL-21, RPJ-CHAR-06]

    Args:
        cap: The highest base level allowed by the character tier.
    """
    skill = module.skill(own.skill)
    if skill is None:
        yield f"This campaign has no skill “{own.skill}”."
        return
    highest = module.characters.highest_skill
    if own.base > highest:
        yield f"{skill.name} can be {highest} at most."
    elif own.base > cap:
        needed = own.base * POINTS_A_TIER
        yield f"{skill.name} {own.base} needs character power {needed} (your highest level now: {cap})."
    if own.linked not in skill.linked:
        allowed = ", ".join(attribute.word for attribute in skill.linked)
        yield f"{skill.name} is linked to {allowed}, not {own.linked.word}."
    if skill.has_specialty and not own.specialty:
        yield f"{skill.name} needs a specialty{specialty_example(skill)}."
    elif own.specialty and not skill.has_specialty:
        yield f"{skill.name} has no specialties."
    elif skill.specialties and own.specialty not in skill.specialties:
        yield f"{skill.name} needs one of these specialties: {', '.join(skill.specialties)}."


def class_skill_problems(
    class_: CharacterClass, picks: tuple[ClassSkill, ...], module: Module
) -> Iterator[str]:
    """The problems with the chosen class skills. [RPJ-CHAR-08 (R-065), RPJ-CHAR-10]"""
    slots = min(module.characters.class_slots, len(class_.skills))
    if len(picks) != slots:
        yield f"Choose {counted(slots, 'class skill')} of {class_.name}; you have {len(picks)}."
    if len({pick.skill for pick in picks}) < len(picks):
        yield "Choose different class skills."
    for pick in picks:
        if pick not in class_.skills:
            skill = module.skill(pick.skill)
            name = pick.skill if skill is None else skill.name
            named = f"{name} ({pick.specialty})" if pick.specialty else name
            yield f"{named} isn't a class skill of {class_.name}."


def award(sheet: RpjSheet, points: int) -> RpjSheet:
    """Award character points, which also raise character power, or take some back.

    Raises:
        UserError: If more are taken than are left to spend.

    [RPJ-CHAR-02, RPJ-CHAR-15, RPJ-CHAR-17]
    """
    if sheet.available_points + points < 0 or sheet.total_points + points < 0:
        raise UserError(
            f"You can't take {character_points(-points)}; only {left_words(sheet.available_points)} to spend."
        )
    return evolve(
        sheet, total_points=sheet.total_points + points, available_points=sheet.available_points + points
    )


def _would_cost(cost: int, sheet: RpjSheet) -> str:
    left = sheet.available_points
    would = f"It would cost {character_points(cost)}" if cost >= 0 else f"It gives {character_points(-cost)}"
    return f"{would}; {left_words(left)}."


def _paid(sheet: RpjSheet, cost: int, what: str) -> RpjSheet:
    """The sheet after paying; a cost below zero is a refund."""
    left = sheet.available_points
    if cost > left:
        raise UserError(
            f"{what} costs {character_points(cost)}; {left_words(left)}.",
            f"You need {cost - left} more.",
        )
    return evolve(sheet, available_points=left - cost)


def raise_skill(
    figure: Stats,
    skill: RpjSkill,
    level: int,
    *,
    specialty: str = "",
    linked: RpjAttribute | None = None,
    blocked: tuple[str, ...] = (),
) -> RpjSheet:
    """Raise or learn a skill. [RPJ-SKILL-02, RPJ-SKILL-21, RPJ-CHAR-06, RPJ-CHAR-14, RPJ-CHAR-16]

    Args:
        level: The base level wanted, above the current one.
        specialty: The specialty of a new skill that needs one.
        linked: The attribute of a new skill that gives a choice; by default its first.
        blocked: Skills blocked by the GM.

    Raises:
        UserError: If it is not allowed or can't be paid for.
    """
    before = figure.sheet.own_skill(skill.id)
    now = before.base if before else 0
    if level <= now:
        raise UserError(f"{skill.name} is already at {now}.", "You can only raise skills.")
    if before and specialty not in ("", before.specialty):
        raise UserError(
            f"You already have {skill.name} ({before.specialty}).",
            "A skill can have one specialty only.",
        )
    fresh = OwnSkill(skill=skill.id, specialty=specialty, linked=linked or skill.linked[0])
    wanted = evolve((before or fresh), base=level)
    cost = skill_price(wanted, now, figure.module, figure.sheet.class_id)
    rest = (own for own in figure.sheet.skills if own.skill != skill.id)
    problems = (
        *skill_problems(wanted, figure.module, figure.skill_cap),
        *slow_build_problems((*rest, wanted), figure.module, figure.sheet.total_points),
    )
    if skill.id in blocked:
        problems += (f"{skill.name} can't be learned for now; the GM has blocked it.",)
    if problems:
        raise UserErrors((*problems, _would_cost(cost, figure.sheet)))
    return _paid(figure.sheet, cost, f"{skill.name} {level}").with_skill(wanted)


def attribute_price(figure: Stats, attribute: RpjAttribute) -> int:
    """The character points to raise an attribute by one: its new level, doubled outside the primary category.

    [RPJ-CHAR-19 (R-072)]
    """
    level = figure.sheet.attributes[attribute] + 1
    is_primary = category_of(attribute) is not None and category_of(attribute) is figure.sheet.primary
    return level if is_primary else 2 * level


def raise_attribute(figure: Stats, attribute: RpjAttribute, *, has_leave: bool) -> RpjSheet:
    """Raise an attribute by one. [RPJ-CHAR-19 (R-071), RPJ-TRAIT-06]

    Args:
        has_leave: Whether the GM approves; otherwise a trait's one-time permission is used up.

    Raises:
        UserError: If it is not allowed or can't be paid for.
    """
    sheet, highest = figure.sheet, figure.module.attributes.highest
    level = sheet.attributes[attribute] + 1
    cost = attribute_price(figure, attribute)
    if level > highest:
        raise UserError(f"{attribute.word} can be {highest} at most.", _would_cost(cost, sheet))
    if not has_leave:
        sheet = _with_permit_used(figure, attribute, cost)
    paid = _paid(sheet, cost, f"{attribute.word} {level}")
    return evolve(paid, attributes={**sheet.attributes, attribute: level})


def _with_permit_used(figure: Stats, attribute: RpjAttribute, cost: int) -> RpjSheet:
    sheet = figure.sheet
    for place, own in enumerate(sheet.traits):
        trait = figure.module.trait(own.trait)
        permits = (
            [effect for effect in trait.effects if isinstance(effect, AttributeRaisePermit)] if trait else []
        )
        if any(permit.attribute in (None, attribute) and own.used < permit.count for permit in permits):
            used = evolve(own, used=own.used + 1)
            return evolve(sheet, traits=(*sheet.traits[:place], used, *sheet.traits[place + 1 :]))
    raise UserError(
        f"Raising {attribute.word} needs the GM's approval.",
        _would_cost(cost, sheet),
    )


def take_trait(
    figure: Stats, trait_id: str, *, has_leave: bool, source: TraitSource = TraitSource.BOUGHT
) -> RpjSheet:
    """Take a trait after creation; an awarded one is free.

    Args:
        has_leave: Whether the GM approves.
        source: Bought or awarded.

    Raises:
        UserError: If it is not allowed or can't be paid for.

    [RPJ-TRAIT-01, RPJ-TRAIT-03, RPJ-TRAIT-04, RPJ-CHAR-18]
    """
    sheet, trait = figure.sheet, figure.module.trait(trait_id)
    if trait is None:
        names = ", ".join(trait.name for trait in figure.module.traits)
        raise UserError(f"This campaign has no trait “{trait_id}”.", f"Its traits: {names}.")
    if not has_leave:
        raise UserError(
            f"After creation, {trait.name} needs the GM's approval.", _would_cost(trait.cost, sheet)
        )
    have = [own.trait for own in sheet.traits]
    if trait_id in have or any(other in have for other in trait.excludes):
        raise UserError(
            f"You already have {trait.name}, or a trait that excludes it.", _would_cost(trait.cost, sheet)
        )
    cost = 0 if source is TraitSource.AWARDED else trait.cost
    paid = _paid(sheet, cost, trait.name)
    return evolve(paid, traits=(*sheet.traits, OwnTrait(trait=trait_id, source=source)))


def lose_trait(figure: Stats, trait_id: str) -> RpjSheet:
    """Drop a trait with the GM's approval: a fault costs what it gave, others give nothing back.

    The book has no rule for it; this undoes the original deal.

    Raises:
        UserError: If the character does not have it, or it can't be paid for.
    """
    sheet, trait = figure.sheet, figure.module.trait(trait_id)
    own = next((own for own in sheet.traits if own.trait == trait_id), None)
    if own is None:
        raise UserError(
            f"You don't have the trait “{trait.name if trait else trait_id}”.",
            try_this="See yours with /character sheet.",
        )
    refunded = -trait.cost if trait and own.source is TraitSource.BOUGHT else 0
    paid = _paid(sheet, max(refunded, 0), f"Dropping {trait.name if trait else trait_id}")
    return evolve(paid, traits=tuple(other for other in sheet.traits if other is not own))


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
    if trait := named(module.traits, typed):
        return trait
    names = ", ".join(trait.name for trait in module.traits)
    raise UserError(f"This campaign has no trait “{typed}”.", f"Its traits: {names}.")


class _Plan(Struct, frozen=True, kw_only=True):
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
