"""Characters for tests, in a line, and one hit on them after another, without a table."""

from collections.abc import Iterable, Mapping
from typing import Any

from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.damage_saves import (
    RpjStruck,
    Strike,
    after_save,
    damage_save,
    next_save,
    with_health,
)
from bot.rules.rpj.character.sheet import OwnSkill, OwnTrait, RpjSheet, Stats
from bot.rules.rpj.module.basics import Category, RpjAttribute
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.module import ClassSkill, Module, RpjSkill
from bot.rules.rpj.module.module_files import MODULES, module_of
from bot.rules.rpj.resolution.check import CHECK

FANTASY = MODULES["fantasy"]


def levels(text: str) -> dict[RpjAttribute, int]:
    """ "STR 2 CON 3" as levels; those not named are 0."""
    words = text.split()
    named = {RpjAttribute(name): int(level) for name, level in zip(words[::2], words[1::2], strict=True)}
    return {attribute: named.get(attribute, 0) for attribute in RpjAttribute}


def known(skill: str, base: int, specialty: str = "", linked: str = "DEX") -> OwnSkill:
    """A skill on a sheet."""
    return OwnSkill(skill=skill, base=base, specialty=specialty, linked=RpjAttribute(linked))


def sheet(
    attributes: str = "",
    *,
    skills: Iterable[OwnSkill] = (),
    traits: Iterable[str] = (),
    class_skills: Iterable[str] = (),
    primary: str = "Brainy",
    **more: Any,
) -> RpjSheet:
    """A sheet; a class skill may be written "crafting/Wood"."""
    return RpjSheet(
        attributes=levels(attributes),
        skills=tuple(skills),
        traits=tuple(OwnTrait(trait=trait) for trait in traits),
        class_skills=tuple(
            ClassSkill(skill=pick.split("/")[0], specialty=pick.partition("/")[2]) for pick in class_skills
        ),
        primary=Category(primary),
        **more,
    )


def figure(attributes: str = "", module: Module = FANTASY, **more: Any) -> Stats:
    """A character of a module."""
    return Stats(sheet(attributes, **more), module)


def skill(id_: str, module: Module = FANTASY) -> RpjSkill:
    """A skill of a module."""
    found = module.skill(id_)
    assert found is not None
    return found


def module_with(base: Module = FANTASY, **changes: Any) -> Module:
    """A module with some of its fields written anew."""
    written: Mapping[str, Any] = base.model_dump(mode="json")
    return module_of({**written, **changes})


def with_skill(base: Module, id_: str, **changes: Any) -> Module:
    """A module with one of its skills changed."""
    rows = [{**row, **changes} if row["id"] == id_ else row for row in base.model_dump(mode="json")["skills"]]
    return module_with(base, skills=rows)


def with_trait(id_: str, *effects: Mapping[str, Any], base: Module = FANTASY, **more: Any) -> Module:
    """A module with one more gift."""
    trait = {"id": id_, "name": id_.capitalize(), "kind": "gift", "cost": 3, "effects": effects, **more}
    return module_with(base, traits=[*base.model_dump(mode="json")["traits"], trait])


def take_hit(figure: Stats, strike: Strike, dice: Dice) -> tuple[RpjStruck, ...]:
    """Roll the saves of one hit, as often as it does its damage; each meets what is left."""
    told: list[RpjStruck] = []
    for _ in range(strike.hits):
        spot = next_save(figure, strike)
        if spot is None or figure.sheet.health.out is not Out.NO:
            break
        struck = after_save(figure, spot, strike, CHECK.resolve(damage_save(figure, spot, strike), dice))
        told.append(struck)
        figure = with_health(figure, struck.health)
    return tuple(told)
