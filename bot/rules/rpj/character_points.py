"""Character points: the prices of skills and attributes, awards, and spending."""

from collections.abc import Iterable, Iterator
from math import ceil

from bot.rules.kernel import evolve
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import counted
from bot.rules.rpj.character.casters import most_magic
from bot.rules.rpj.character.sheet import OwnSkill, OwnTrait, RpjSheet, Stats, TraitSource
from bot.rules.rpj.module.basics import (
    POINTS_A_TIER,
    RpjAttribute,
    category_of,
    character_points,
    left_words,
    raise_cost,
)
from bot.rules.rpj.module.effects import AttributeRaisePermit
from bot.rules.rpj.module.module import CharacterClass, ClassSkill, Module, Pack, RpjSkill


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
    """The sheet after paying; a cost below zero is a refund.

    Raises:
        UserError: If there are fewer.
    """
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
        figure: The character's stats.
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
        figure: The character's stats.
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
        figure: The character's stats.
        trait_id: The trait's id.
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

    Args:
        figure: The character's stats.
        trait_id: The trait's id.

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
