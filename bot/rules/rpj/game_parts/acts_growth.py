"""What a character can buy with character points."""

from collections.abc import Iterator

from bot.rules.kernel import Choice
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted
from bot.rules.rpj.advancement.advancement_commands import (
    RaiseAttributeOptions,
    RpjSkillOptions,
    TraitOptions,
    attributes_for_sale,
    skills_for_sale,
    traits_for_sale,
)
from bot.rules.rpj.advancement.spending_points import (
    attribute_price,
    lose_trait,
    raise_attribute,
    raise_skill,
    take_trait,
)
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import RpjSheet, Scene
from bot.rules.rpj.magic.ability_commands import NamedOptions
from bot.rules.rpj.magic.ability_users import abilities_of
from bot.rules.rpj.module.module import RpjSkill
from bot.rules.rpj.module.require_rules import Pack
from bot.rules.rpj.module.settings import SkillApproval
from bot.rules.shared.offering import Offering, is_allowed

MOST_REASONS = 2


def growth_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Skills, attributes and traits for sale with their prices; the cheapest that lacks points says so.

    Source: RPJ-CHAR-14, RPJ-CHAR-16, RPJ-CHAR-18, RPJ-CHAR-19.
    """
    figure = figure_in(scene, scene.actor)
    needs_gm = scene.settings.skill_approval is SkillApproval.ASK and not scene.is_gm
    yield from _own_skills(scene, figure, offering, " (GM)" if needs_gm else "")
    yield from _new_skills(scene, figure, offering, " (GM)" if needs_gm else "")
    yield from _attributes(scene, figure, offering)
    yield from _traits(scene, figure, offering)
    if figure.plays(Pack.PRACTICED_IMPROVISATION):
        practiced = (
            (Choice(one.name, one.name), NamedOptions(ability=one.name)) for one in abilities_of(figure)
        )
        label = "Practice an ability: a month …"
        yield from offering.menu(ActGroup.GROW, "practice", label, "ability", practiced)


def _points(cost: int) -> str:
    return counted(cost, "point")


def _own_skills(scene: Scene, figure: Stats, offering: Offering, asks: str) -> Iterator[Act]:
    blocked, left = scene.settings.blocked_skills, figure.sheet.available_points
    reasons = 0
    for skill, level, price in skills_for_sale(figure, blocked):
        label = f"{skill.name} {level - 1} → {level} · {_points(price)}{asks}"
        options = RpjSkillOptions(skill=skill.id, level=level)
        if is_allowed(lambda skill=skill, level=level: raise_skill(figure, skill, level, blocked=blocked)):  # type: ignore[misc]
            yield offering.act(ActGroup.GROW, "improve_skill", options, label)
        elif price > left and reasons < MOST_REASONS:
            reasons += 1
            why_not = f"You have {_points(left)} to spend."
            yield offering.act(ActGroup.GROW, "improve_skill", options, label, why_not=why_not)


def _new_skills(scene: Scene, figure: Stats, offering: Offering, asks: str) -> Iterator[Act]:
    """Skills never learned, at level 1; each specialty that the module names is an entry."""
    left = figure.sheet.available_points
    found = [
        (choice, RpjSkillOptions(skill=choice.value, level=1))
        for skill in figure.module.skills
        if figure.sheet.own_skill(skill.id) is None
        for choice in _first_levels(scene, figure, skill, left)
    ]
    label = f"Learn a skill, level 1{asks} …"
    yield from offering.menu(ActGroup.GROW, "improve_skill", label, "skill", found, is_tried=False)


def _first_levels(scene: Scene, figure: Stats, skill: RpjSkill, left: int) -> Iterator[Choice]:
    names = (*skill.specialties, *skill.examples) if skill.has_specialty else ("",)
    for name in dict.fromkeys(names):
        learned = _learned(scene, figure, skill, name)
        if learned is not None:
            words = skill.with_specialty(name)
            yield Choice(words[:100], f"{words[:80]} · {_points(left - learned.available_points)}")


def _learned(scene: Scene, figure: Stats, skill: RpjSkill, specialty: str) -> RpjSheet | None:
    try:
        return raise_skill(figure, skill, 1, specialty=specialty, blocked=scene.settings.blocked_skills)
    except UserError:
        return None


def _attributes(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    for attribute in attributes_for_sale(figure):
        level = figure.sheet.attributes.get(attribute, 0)
        if not is_allowed(lambda one=attribute: raise_attribute(figure, one, has_leave=True)):  # type: ignore[misc]
            continue
        is_free = is_allowed(lambda one=attribute: raise_attribute(figure, one, has_leave=False))  # type: ignore[misc]
        asks = "" if scene.is_gm or is_free else " (GM)"
        price = _points(attribute_price(figure, attribute))
        label = f"{attribute.word} {level} → {level + 1} · {price}{asks}"
        options = RaiseAttributeOptions(attribute=attribute)
        yield offering.act(ActGroup.GROW, "improve_attribute", options, label)


def _traits(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    asks = "" if scene.is_gm else " (GM)"
    found = (
        (Choice(trait.id, f"{trait.name[:80]} · {_points(trait.cost)}"), TraitOptions(trait=trait.id))
        for trait in traits_for_sale(figure)
        if is_allowed(lambda trait=trait: take_trait(figure, trait.id, has_leave=True))  # type: ignore[misc]
    )
    label = f"Take a trait{asks} …"
    yield from offering.menu(ActGroup.GROW, "improve_trait", label, "trait", found, is_tried=False)
    own = (
        (Choice(trait.id, trait.name[:100]), TraitOptions(trait=trait.id))
        for trait in (figure.module.trait(one.trait) for one in figure.sheet.traits)
        if trait is not None and is_allowed(lambda trait=trait: lose_trait(figure, trait.id))  # type: ignore[misc]
    )
    label = f"Drop a trait{asks} …"
    yield from offering.menu(ActGroup.GROW, "drop_trait", label, "trait", own, is_tried=False)
