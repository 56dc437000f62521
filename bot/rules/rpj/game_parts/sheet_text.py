"""The character sheet as text, short enough for a phone."""

from fractions import Fraction

from bot.rules.kernel import Section
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import shown_number, signed
from bot.rules.rpj.character.damage_saves import Spot, Strike, base_layer, damage_save, health_lines
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.checks.odds import expected_hits, hits_words
from bot.rules.rpj.checks.skill_checks import skill_check
from bot.rules.rpj.combat.rules.combat_sheet import combat_lines
from bot.rules.rpj.module.attributes import Category, RpjAttribute
from bot.rules.rpj.module.costs import grade, power_word
from bot.rules.rpj.module.module import RpjSkill

AVERAGE_DAMAGE = 2


def describe(figure: Stats, lucky_breaks_left: int | None) -> tuple[Section, ...]:
    """Points, attributes, damage saves, fighting, skills, traits and belongings in short lines.

    Args:
        figure: The character.
        lucky_breaks_left: Its Lucky Breaks left this session; None for an NPC.

    Source: RPJ-CHAR-01, RPJ-CHAR-04, RPJ-ATTR-01, RPJ-ATTR-02, RPJ-SKILL-04 to RPJ-SKILL-06, RPJ-LUCK-05,
    RPJ-GCS-65.
    """
    sections = (
        Section("Character", _character_lines(figure, lucky_breaks_left)),
        Section("Attributes", _attribute_lines(figure)),
        Section("Damage saves", (*health_lines(figure), *_endurance_lines(figure))),
        Section("Fighting", combat_lines(figure)),
        Section("Skills", _skill_lines(figure)),
        Section("Traits", _trait_lines(figure)),
        Section("Belongings", _belonging_lines(figure)),
        Section("About", _about_lines(figure)),
    )
    return tuple(section for section in sections if section.lines)


def _character_lines(figure: Stats, left: int | None) -> tuple[str, ...]:
    sheet = figure.sheet
    class_ = figure.module.character_class(sheet.class_id)
    power = power_word(sheet.total_points)
    left_to_spend = f"{sheet.available_points} of {sheet.total_points} character points to spend"
    parts = (left_to_spend if sheet.total_points else "", f"tier {figure.tier}", power)
    points = " · ".join(filter(None, parts))
    lost = f" ({sheet.lucky_breaks_lost} lost permanently)" if sheet.lucky_breaks_lost else ""
    breaks = "" if left is None else f"Lucky Breaks {left} of {figure.lucky_breaks}{lost}"
    return tuple(line for line in (class_.name if class_ else "", points, breaks) if line)


def _endurance_lines(figure: Stats) -> tuple[str, ...]:
    """The average number of hits of a common weapon the remaining base saves last.

    Source: RPJ-GCS-65 (R-122).
    """
    base, strike = base_layer(figure), Strike(damage=AVERAGE_DAMAGE)
    left = [Spot(base, place) for place, save in enumerate(base.saves) if not save.is_lost]
    hits = [expected_hits(damage_save(figure, spot, strike)) for spot in left]
    known = [one for one in hits if one is not None]
    if not known or len(known) < len(hits):
        return ()
    total = hits_words(sum(known, start=Fraction(0)))
    return (f"Against damage {AVERAGE_DAMAGE}, the base saves last {total} on average",)


def _attribute(figure: Stats, attribute: RpjAttribute) -> str:
    return f"{attribute} {shown_number(figure.level(attribute))}/{signed(figure.bonus(attribute))}"


def _attribute_lines(figure: Stats) -> tuple[str, ...]:
    lines = [
        f"{category}{' ★' if category is figure.sheet.primary else ''}: "
        + " · ".join(_attribute(figure, attribute) for attribute in category.members)
        for category in Category
    ]
    return (*lines, _attribute(figure, RpjAttribute.LUCK))


def _skill_lines(figure: Stats) -> tuple[str, ...]:
    """Bought skills and class skills, the highest effective level first."""
    picked = [pick.skill for pick in figure.sheet.class_skills]
    ids = [own.skill for own in figure.sheet.skills] + picked
    skills = [skill for skill in figure.module.skills if skill.id in ids]
    skills.sort(key=lambda skill: (-figure.effective_level(skill), skill.name))
    return tuple(_skill_line(figure, skill, is_class_skill=skill.id in picked) for skill in skills)


def _skill_line(figure: Stats, skill: RpjSkill, *, is_class_skill: bool) -> str:
    own = figure.sheet.own_skill(skill.id)
    level = figure.effective_level(skill)
    parts = [
        f"{skill.with_specialty(own.specialty if own else '')} {shown_number(level)} {grade(level)}"
        f"{_rolled_words(figure, skill)}",
        f"{figure.base_level(skill)}{signed(figure.bonus(figure.linked(skill)))} {figure.linked(skill)}",
    ]
    if is_class_skill:
        parts.append(f"class {signed(figure.module.characters.class_bonus)}")
    if skill.has_passive_level:
        parts.append(f"passive {shown_number(figure.passive_level(skill))}")
    return " · ".join(parts)


def _rolled_words(figure: Stats, skill: RpjSkill) -> str:
    """What a plain check adds, where that is not the level; nothing where the skill can't be rolled."""
    try:
        modifier = skill_check(figure, skill).modifier
    except UserError:
        return ""
    return "" if modifier == figure.effective_level(skill) else f" (rolls {signed(modifier)})"


def _trait_lines(figure: Stats) -> tuple[str, ...]:
    found = (figure.module.trait(own.trait) for own in figure.sheet.traits)
    return tuple(f"{trait.name}: {trait.description}".rstrip(": ") for trait in found if trait is not None)


def _belonging_lines(figure: Stats) -> tuple[str, ...]:
    module = figure.module
    carried = (*module.weapons, *module.armor, *module.gear)
    return tuple(part.name for part in carried if part.id in figure.sheet.belongings)


def _about_lines(figure: Stats) -> tuple[str, ...]:
    sheet = figure.sheet
    short = " · ".join(part for part in (sheet.species, sheet.gender) if part)
    return tuple(line for line in (short, sheet.biography) if line)
