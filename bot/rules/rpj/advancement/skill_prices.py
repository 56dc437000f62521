"""What a skill costs whom, and what a skill on a sheet must be like."""

from collections.abc import Iterable, Iterator
from math import ceil

from bot.rules.rpj.character.recovery import most_magic
from bot.rules.rpj.character.sheet import OwnSkill
from bot.rules.rpj.module.costs import POINTS_A_TIER, raise_cost
from bot.rules.rpj.module.module import CharacterClass, ClassSkill, Module, RpjSkill
from bot.rules.rpj.module.optional_rules import Pack


def skill_price(own: OwnSkill, now: int, module: Module, class_id: str) -> int:
    """The character points that raise a skill to the level it is to have.

    Args:
        own: The skill as it is to be.
        now: Its base level before.
        module: The game.
        class_id: The class of the character; the module may have it pay otherwise.

    Source: RPJ-SKILL-02, RPJ-CHAR-07 (R-064), RPJ-SMAG-22.
    """
    skill = module.skill(own.skill)
    costs = skill.class_costs if skill else ()
    percent = next((cost.percent for cost in costs if cost.class_id == class_id), 100)
    magic = module.magic.of(own.skill)
    times = magic.cost_multiplier if magic else 1
    return ceil(raise_cost(now, own.base) * times * percent / 100)


def slow_build_problems(skills: Iterable[OwnSkill], module: Module, total_points: int) -> Iterator[str]:
    """What is not allowed about magic skills together, where magic builds slowly.

    Args:
        skills: Every skill as it is to be.
        module: The game.
        total_points: The character power.

    Source: RPJ-SMAG-23.
    """
    if Pack.SLOW_BUILD_MAGIC not in module.optional_rules:
        return
    levels = sum(own.base for own in skills if module.magic.of(own.skill) is not None)
    most = most_magic(total_points)
    if levels > most:
        yield f"Magic skills come to {most} levels at most now, not {levels}."


def specialty_example(skill: RpjSkill) -> str:
    """How a specialty is written, for somebody who has to name one; nothing where none is known."""
    named = next(iter((*skill.specialties, *skill.examples)), "")
    return f", for example {skill.name} ({named})" if named else ""


def skill_problems(own: OwnSkill, module: Module, cap: int) -> Iterator[str]:
    """What is not allowed about a skill.

    Args:
        own: The skill.
        module: The game.
        cap: The highest base level allowed by the character tier.

    Source: RPJ-SKILL-01, RPJ-SKILL-21, RPJ-CHAR-06.
    """
    skill = module.skill(own.skill)
    if skill is None:
        yield f"{module.name} has no skill “{own.skill}”."
        return
    highest = module.characters.highest_skill
    if own.base > highest:
        yield f"{skill.name} goes up to {highest}."
    elif own.base > cap:
        needed = own.base * POINTS_A_TIER
        yield f"{skill.name} {own.base} takes a character power of {needed}; {cap} is the most now."
    if own.linked not in skill.linked:
        allowed = ", ".join(attribute.word for attribute in skill.linked)
        yield f"{skill.name} is linked to {allowed}, not to {own.linked.word}."
    if skill.has_specialty and not own.specialty:
        yield f"{skill.name} needs a specialty{specialty_example(skill)}."
    elif own.specialty and not skill.has_specialty:
        yield f"{skill.name} takes no specialty."
    elif skill.specialties and own.specialty not in skill.specialties:
        yield f"{skill.name} takes one of these specialties: {', '.join(skill.specialties)}."


def class_skill_problems(
    class_: CharacterClass, picks: tuple[ClassSkill, ...], module: Module
) -> Iterator[str]:
    """What is wrong with the class skills that were picked.

    Source: RPJ-CHAR-08 (R-065), RPJ-CHAR-10.
    """
    slots = min(module.characters.class_slots, len(class_.skills))
    if len(picks) != slots:
        yield f"{class_.name} has {slots} class skills; {len(picks)} are picked."
    if len({pick.skill for pick in picks}) < len(picks):
        yield "The class skills must be different skills."
    for pick in picks:
        if pick not in class_.skills:
            named = f"{pick.skill} ({pick.specialty})" if pick.specialty else pick.skill
            yield f"{named} is not on the list of {class_.name}."
