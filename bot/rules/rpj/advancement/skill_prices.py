"""The cost of skills, and the rules for skills on a sheet."""

from collections.abc import Iterable, Iterator
from math import ceil

from bot.rules.kernel.wording import counted
from bot.rules.rpj.character.recovery import most_magic
from bot.rules.rpj.character.sheet import OwnSkill
from bot.rules.rpj.module.costs import POINTS_A_TIER, raise_cost
from bot.rules.rpj.module.module import CharacterClass, ClassSkill, Module, RpjSkill
from bot.rules.rpj.module.optional_rules import Pack


def skill_price(own: OwnSkill, now: int, module: Module, class_id: str) -> int:
    """The character points to raise a skill.

    Args:
        own: The skill at its new level.
        now: Its base level before.
        module: The module.
        class_id: The class of the character, which may have another cost.

    Source: RPJ-SKILL-02, RPJ-CHAR-07 (R-064), RPJ-SMAG-22.
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
    """The problem with magic skills together, where magic builds slowly.

    Args:
        skills: All skills at their new levels.
        module: The module.
        total_points: The character power.

    Source: RPJ-SMAG-23.
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
    """The problems with a skill.

    Args:
        own: The skill.
        module: The module.
        cap: The highest base level allowed by the character tier.

    Source: RPJ-SKILL-01, RPJ-SKILL-21, RPJ-CHAR-06.
    """
    skill = module.skill(own.skill)
    if skill is None:
        yield f"{module.name} has no skill called “{own.skill}”."
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
    """The problems with the chosen class skills.

    Source: RPJ-CHAR-08 (R-065), RPJ-CHAR-10.
    """
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
