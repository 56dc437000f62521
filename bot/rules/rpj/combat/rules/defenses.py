"""Defenses against attacks: dodging or absorbing."""

from dataclasses import dataclass
from enum import StrEnum

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.carrying import load_on_defense
from bot.rules.rpj.character.damage_saves import defense_modifiers
from bot.rules.rpj.character.figure import CALM, Stats
from bot.rules.rpj.combat.rules.combatants import FighterStats
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.effects import RollTarget, RpjCircumstances, roll_bonus
from bot.rules.rpj.module.module import RpjSkill, SkillRole
from bot.rules.rpj.resolution.inputs import BASE_TARGET


class Way(StrEnum):
    """The kind of defense.

    Source: RPJ-GCS-23, RPJ-GCS-24, RPJ-GCS-46.
    """

    DODGE = "dodge"
    ABSORB = "absorb"
    MOOK = "defense"


@dataclass(frozen=True, slots=True)
class Defense:
    """A defense with its numbers.

    Attributes:
        way: How the attack is met.
        terms: What is added to 7.
    """

    way: Way
    terms: tuple[NamedTerm, ...]

    @property
    def value(self) -> int:
        """The target number of the attack.

        Source: RPJ-GCS-23, RPJ-GCS-24.
        """
        return BASE_TARGET + sum(term.value for term in self.terms)


def defenses(figure: Stats, now: RpjCircumstances = CALM) -> tuple[Defense, ...]:
    """The available defenses; armor may allow only one.

    Source: RPJ-GCS-23 to RPJ-GCS-25 (R-079, R-082), RPJ-HEALTH-15 (R-060), RPJ-INV-03.
    """
    must_absorb = any(armor.must_absorb for armor in figure.armor)
    absorb = _defense(figure, Way.ABSORB, now)
    return (absorb,) if must_absorb else (_defense(figure, Way.DODGE, now), absorb)


def _defense(figure: Stats, way: Way, now: RpjCircumstances) -> Defense:
    attribute = RpjAttribute.DEX if way is Way.DODGE else RpjAttribute.CON
    skill = defense_skill(figure, way)
    worn = figure.armor
    modifiers = [defense_modifiers(figure, armor)[0 if way is Way.DODGE else 1] for armor in worn]
    bonuses = roll_bonus(figure.effects, RollTarget.DEFENSE, now, of=way.value)
    terms = [
        NamedTerm(label=skill.name if skill else "no skill", value=figure.base_level(skill) if skill else 0),
        NamedTerm(label=f"{attribute.word} bonus", value=figure.bonus(attribute, now)),
        *(NamedTerm(label=armor.name, value=value) for armor, value in zip(worn, modifiers, strict=True)),
        *(NamedTerm(label=bonus.word, value=bonus.value) for bonus in bonuses),
        NamedTerm(label="overloaded", value=load_on_defense(figure)),
    ]
    return Defense(way, tuple(term for term in terms if term.value))


def defense_skill(figure: Stats, way: Way) -> RpjSkill | None:
    """The defense skill: that of the armor, else the best of the module's.

    Source: RPJ-GCS-23 to RPJ-GCS-25, RPJ-GCS-63.
    """
    module = figure.module
    for armor in figure.armor:
        if armor.skill:
            return figure.known_skill(armor.skill)
    roles = (SkillRole.DODGE, SkillRole.ABSORB) if way is Way.DODGE else (SkillRole.ABSORB, SkillRole.DODGE)
    skills = module.skills_for(roles[0]) or module.skills_for(roles[1])
    return max(skills, key=figure.base_level, default=None)


def defenses_of(who: FighterStats) -> tuple[Defense, ...]:
    """A combatant's defenses; a mook has one fixed value.

    Source: RPJ-GCS-26, RPJ-GCS-46, RPJ-GCS-67 (R-136).
    """
    if who.mook is not None:
        value = NamedTerm(label="defense", value=who.mook.defense - BASE_TARGET)
        return (Defense(Way.MOOK, (value,)),)
    return defenses(who.figure, who.now)


def best_defense(who: FighterStats) -> Defense:
    """The better defense, the first of equals.

    Source: RPJ-GCS-26 (R-081).
    """
    return max(defenses_of(who), key=lambda defense: defense.value)


def stated(defense: Defense, number: int) -> Defense:
    """The GM's target number in place of a defense.

    Source: RPJ-CINE-09.
    """
    return Defense(defense.way, (NamedTerm(label="set by the GM", value=number - BASE_TARGET),))


def chosen_defense(who: FighterStats, way: Way | None) -> Defense:
    """The chosen defense; by default the better one.

    Raises:
        UserError: If they cannot defend like that.

    Source: RPJ-GCS-25, RPJ-GCS-26 (R-081).
    """
    if way is None or who.mook is not None:
        return best_defense(who)
    found = next((defense for defense in defenses_of(who) if defense.way is way), None)
    if found is None:
        armor = next((armor.name for armor in who.figure.armor if armor.must_absorb), "")
        raise UserError(f"{who.name} can't {way}.", f"{armor} only allows absorbing." if armor else "")
    return found
