"""A character's wild magic: ability skills, ability power, stamina."""

from bot.rules.kernel import CharacterId, NamedTerm, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.character.stamina import Wild, most_stamina, regained
from bot.rules.rpj.checks.skill_checks import Situation, skill_check
from bot.rules.rpj.module.abilities import Ability, ability_check
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.module import RpjSkill
from bot.rules.rpj.module.pack_effects import AbilityPower
from bot.rules.rpj.resolution.inputs import RpjCheckInputs


def ability_skills(figure: Stats) -> tuple[RpjSkill, ...]:
    """The ability skills a character has learned, the best first.

    Source: RPJ-WMAG-01.
    """
    ids = [sphere.skill for sphere in figure.module.spheres]
    learned = [skill for skill in figure.module.skills if skill.id in ids and figure.base_level(skill) > 0]
    return tuple(sorted(learned, key=lambda skill: -figure.effective_level(skill)))


def ability_skill(figure: Stats, typed: str) -> RpjSkill:
    """The ability skill a person typed, or their best one.

    Raises:
        UserError: If they have learned none, or not that one.

    Source: RPJ-WMAG-01 (WMAG-01a).
    """
    learned = ability_skills(figure)
    if not learned:
        raise UserError("You haven't learned any ability skill.", "You need one at base level 1 or higher.")
    wanted = " ".join(typed.split()).casefold()
    found = next((skill for skill in learned if wanted in ("", skill.name.casefold(), skill.id)), None)
    if found is None:
        names = ", ".join(skill.name for skill in learned)
        raise UserError(f"You have no ability skill called “{typed}”.", f"Your ability skills: {names}.")
    return found


def stamina_of(figure: Stats) -> tuple[int, int]:
    """Ability stamina: what is left (may be negative), and the maximum.

    Source: RPJ-WMAG-06, RPJ-WMAG-07.
    """
    skills = (
        (figure.base_level(skill), figure.bonus(figure.linked(skill))) for skill in ability_skills(figure)
    )
    most = most_stamina(skills, figure.bonus(RpjAttribute.CON))
    return most - figure.sheet.wild.spent, most


def ability_inputs(figure: Stats, skill: RpjSkill, cost: int) -> RpjCheckInputs:
    """The inputs of an ability check: the skill with its modifiers, and additions to ability power.

    Raises:
        UserError: If the skill was never learned.

    Source: RPJ-WMAG-02, RPJ-APPX-15.
    """
    sphere = next((found for found in figure.module.spheres if found.skill == skill.id), None)
    more = sum(
        effect.value
        for effect in figure.effects
        if isinstance(effect, AbilityPower) and effect.skill in ("", skill.id)
    )
    terms = (
        *skill_check(figure, skill, Situation()).terms,
        NamedTerm(label="sphere", value=sphere.power if sphere else 0),
        NamedTerm(label="power", value=more),
    )
    nonzero = tuple(term for term in terms if term.value)
    return ability_check(nonzero, cost, figure.module.criticals, figure.base_level(skill))


def abilities_of(figure: Stats) -> tuple[Ability, ...]:
    """Saved abilities, then the module's for learned skills.

    Source: RPJ-WMAG-20.
    """
    learned = {skill.id for skill in ability_skills(figure)}
    own = tuple(one for one in figure.sheet.wild.abilities if one.skill in learned)
    taken = {one.name.casefold() for one in own}
    return own + tuple(
        Ability(name=one.name, skill=one.skill, recipe=one.recipe, is_premade=True)
        for one in figure.module.abilities
        if one.skill in learned and one.name.casefold() not in taken
    )


def ability_named(figure: Stats, typed: str) -> Ability:
    """The ability a person typed.

    Raises:
        UserError: If they have none of that name.
    """
    wanted = " ".join(typed.split()).casefold()
    found = next((one for one in abilities_of(figure) if one.name.casefold() == wanted), None)
    if found is None:
        names = ", ".join(one.name for one in abilities_of(figure))
        hint = f"Your abilities: {names}." if names else "Build one with /rpj-magic ability make."
        raise UserError(f"You have no ability called “{typed}”.", hint)
    return found


def with_wild(scene: Scene, who: CharacterId, wild: Wild) -> Scene:
    """The scene with a character's wild magic changed."""
    character = scene.character(who)
    sheet = evolve(character.sheet, wild=wild)
    return scene.with_sheet(character, sheet)


def rested_hours(figure: Stats, hours: int) -> Wild:
    """A character's wild magic after full hours of rest.

    Source: RPJ-WMAG-09.
    """
    left, most = stamina_of(figure)
    after = regained(left, most, hours)
    return evolve(figure.sheet.wild, spent=max(most - after, 0))
