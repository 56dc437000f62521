"""What combatants attack with: weapons, bare hands, a mook's own; and what fits in their hands."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import listed
from bot.rules.rpj.character.belongings import tier_in
from bot.rules.rpj.character.sheet import Stats, fists
from bot.rules.rpj.checks.skill_checks import assert_usable, class_bonus
from bot.rules.rpj.combat.battlefield import ADJACENT, out_of_reach
from bot.rules.rpj.combat.rules.combatants import FighterStats
from bot.rules.rpj.module.basics import RpjAttribute, Scale
from bot.rules.rpj.module.effects import LayerKind, RpjHands
from bot.rules.rpj.module.items import RpjWeapon
from bot.rules.rpj.module.module import SkillRole
from bot.rules.rpj.module.possessions import skill_penalty

UNARMED = "unarmed"
MOOK_ARM = "mook"
SPELL_ARM = "spell/"
HANDS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """A means of attack in a combatant's hands."""

    id: str  # the weapon's id; fists and what mooks carry have ids of their own
    name: str  # what people call it
    base: tuple[NamedTerm, ...]  # base attack modifier: skill and attribute, by name
    weapon: int = 0  # what the weapon itself adds
    addends: tuple[NamedTerm, ...] = ()  # what the owner adds to the roll besides: a class skill
    damage: int = 0  # what a hit does
    hits: int = 1  # how many times a hit does its damage
    bypasses: tuple[LayerKind, ...] = ()  # kinds of layers that it passes by
    is_nonlethal: bool = False  # whether it puts out instead of killing
    may_choose: bool = False  # whether the owner says which of the two
    hands: int = 1  # how many hands it takes
    least: int = ADJACENT  # shortest distance
    greatest: int = ADJACENT  # longest distance; for striking only the own group
    range_modifiers: dict[int, int] = field(default_factory=dict)  # what distances add
    skill: str = ""  # the skill it is used with; nothing for a mook
    attributes: tuple[RpjAttribute, ...] = ()  # what an attack with it hangs on; none for a mook
    scale: Scale = Scale.NORMAL  # how great its damage is, where damage scales are played
    is_harmless: bool = False  # whether a hit does something else than damage

    @property
    def is_ranged(self) -> bool:
        """Whether it is a ranged attack. [RPJ-GCS-11, RPJ-GCS-43]"""
        return self.greatest > ADJACENT

    @property
    def modifier(self) -> int:
        """The base attack modifier. [RPJ-GCS-27]"""
        return sum(term.value for term in self.base)

    def at(self, distance: int) -> int:
        """The range modifier at a distance. [RPJ-GCS-07, RPJ-GCS-11, RPJ-GCS-29]

        Raises:
            UserError: If it cannot be used at that distance.
        """
        if not self.least <= distance <= self.greatest:
            if not self.is_ranged:
                raise UserError(
                    f"{self.name} only reaches targets in the same group.", try_this="Move there first."
                )
            raise out_of_reach(f"{self.name} can't be used", distance, self.least, self.greatest)
        return self.range_modifiers.get(distance, 0)


def arm_of(figure: Stats, weapon: RpjWeapon) -> Arm:
    """A weapon in a combatant's hands. [RPJ-GCS-27, RPJ-GCS-07, RPJ-CHAR-09]

    Raises:
        UserError: If its skill cannot be used untrained.
    """
    skill = figure.known_skill(weapon.skill)
    assert_usable(figure, skill)
    attributes = (weapon.attribute, figure.linked(skill))
    return Arm(
        id=weapon.id,
        name=weapon.name,
        base=(
            NamedTerm(label=skill.name, value=figure.base_level(skill)),
            NamedTerm(label=f"{weapon.attribute.word} bonus", value=figure.bonus(weapon.attribute)),
        ),
        weapon=weapon.attack_modifier,
        addends=(
            NamedTerm(label="class skill", value=class_bonus(figure, skill)),
            _load(figure, *attributes),
        ),
        damage=weapon.damage,
        hits=weapon.hits,
        bypasses=weapon.bypasses,
        is_nonlethal=weapon.is_nonlethal,
        hands=weapon.hands,
        least=ADJACENT if weapon.least_range is None else weapon.least_range,
        greatest=ADJACENT if weapon.greatest_range is None else weapon.greatest_range,
        range_modifiers=weapon.range_modifiers,
        skill=skill.id,
        attributes=attributes,
        scale=weapon.scale,
    )


def _load(figure: Stats, *attributes: RpjAttribute) -> NamedTerm:
    """The load penalty to an attack, once, for any linked attribute.

    [RPJ-INV-03 (INV-03b), RPJ-INV-04 (INV-04c)]
    """
    tier = tier_in(figure)
    value = min((skill_penalty(tier, attribute) for attribute in attributes), default=0)
    return NamedTerm(label="overloaded", value=value)


def unarmed(figure: Stats) -> Arm:
    """Bare hands: damage 0, nonlethal. [RPJ-GCS-57, RPJ-GCS-63, RPJ-TRAIT-07]

    Raises:
        UserError: If the module has no skill for it.
    """
    skills = figure.module.skills_for(SkillRole.UNARMED)
    if not skills:
        raise UserError(
            "This module has no skill for unarmed combat.", "Without one, nobody can attack unarmed."
        )
    skill = max(skills, key=figure.effective_level)
    linked, own = figure.linked(skill), fists(figure)
    return Arm(
        id=UNARMED,
        name="Bare hands",
        base=(
            NamedTerm(label=skill.name, value=figure.base_level(skill)),
            NamedTerm(label=f"{linked.word} bonus", value=figure.bonus(linked)),
        ),
        addends=(NamedTerm(label="class skill", value=class_bonus(figure, skill)), _load(figure, linked)),
        damage=own.damage,
        is_nonlethal=True,
        may_choose=own.may_kill,
        hands=0,
        skill=skill.id,
        attributes=(linked,),
    )


def mook_arm(who: FighterStats) -> Arm:
    """A mook's means of attack. [RPJ-GCS-67 (R-136, R-137)]

    Raises:
        UserError: If it isn't a mook.
    """
    if who.mook is None:
        raise UserError(f"{who.name} isn't a mook.")
    sheet = who.mook
    return Arm(
        id=MOOK_ARM,
        name="its weapon",
        base=(NamedTerm(label="attack", value=sheet.attack),),
        damage=sheet.damage,
        is_nonlethal=sheet.is_nonlethal,
        least=ADJACENT if sheet.least_range is None else sheet.least_range,
        greatest=ADJACENT if sheet.greatest_range is None else sheet.greatest_range,
        scale=sheet.damage_scale,
    )


def spell_arm(figure: Stats, id_: str) -> Arm:
    """A spell attack, as a weapon of the same range; its id ends with its attack value.

    Raises:
        UserError: If the module has no such spell.

    [RPJ-SMAG-06 (SMAG-06a)]
    """
    name, _slash, effective = id_.removeprefix(SPELL_ARM).rpartition("/")
    spell = figure.module.spell(name)
    if spell is None:
        raise UserError("This campaign has no such spell.")
    skill = figure.known_skill(spell.magic_skill)
    linked = figure.linked(skill)
    return Arm(
        id=id_,
        name=spell.name,
        base=(NamedTerm(label=skill.name, value=int(effective)),),
        addends=(_load(figure, linked),),
        damage=spell.damage or 0,
        is_nonlethal=spell.is_nonlethal,
        hands=0,
        least=ADJACENT if spell.least_range is None else spell.least_range,
        greatest=ADJACENT if spell.greatest_range is None else spell.greatest_range,
        skill=skill.id,
        attributes=(linked,),
        scale=spell.scale,
        is_harmless=spell.damage is None,
    )


def weapons_of(figure: Stats) -> tuple[RpjWeapon, ...]:
    """A character's weapons, in the order of their belongings."""
    own = figure.sheet.belongings
    carried = [weapon for weapon in figure.module.weapons if weapon.id in own]
    return tuple(sorted(carried, key=lambda weapon: own.index(weapon.id)))


def arms_of(who: FighterStats) -> tuple[Arm, ...]:
    """What a combatant can attack with now: weapons in hand, and bare hands if the module allows.

    [RPJ-GCS-57, RPJ-GCS-60, RPJ-GCS-67]
    """
    if who.mook is not None:
        return (mook_arm(who),)
    figure = who.figure
    wielded = [weapon for weapon in weapons_of(figure) if weapon.id in who.fighter.wielded]
    arms = [arm_of(figure, weapon) for weapon in wielded]
    if figure.module.skills_for(SkillRole.UNARMED):
        arms.append(unarmed(figure))
    return tuple(arms)


def each_once(arms: Sequence[Arm]) -> tuple[Arm, ...]:
    """Leave out bare hands beside a weapon that is nothing but them, such as fists."""
    own = next((arm for arm in arms if arm.id == UNARMED), None)
    if own is None or not any(_numbers(arm) == _numbers(own) for arm in arms if arm is not own):
        return tuple(arms)
    return tuple(arm for arm in arms if arm is not own)


def _numbers(arm: Arm) -> tuple[object, ...]:
    total = arm.modifier + arm.weapon + sum(term.value for term in arm.addends)
    reach = (arm.least, arm.greatest)
    attributes = frozenset(arm.attributes)
    return total, arm.damage, arm.hits, arm.is_nonlethal, arm.may_choose, reach, arm.skill, attributes


def chosen_arm(who: FighterStats, id_: str = "", *, near: bool = False) -> Arm:
    """The chosen arm, or the first one. [RPJ-GCS-14, RPJ-GCS-60, RPJ-SMAG-06 (SMAG-06a)]

    Args:
        who: Who attacks.
        id_: Which one; the first without it.
        near: Whether it must reach those in one's own group.

    Raises:
        UserError: If there is none, or that is not in their hands.
    """
    if id_.startswith(SPELL_ARM):
        return spell_arm(who.figure, id_)
    arms = tuple(arm for arm in arms_of(who) if not near or arm.least == ADJACENT)
    if not arms:
        raise UserError(f"{who.name} has nothing to fight with.")
    found = next((arm for arm in arms if id_ in ("", arm.id)), None)
    if found is None:
        names = ", ".join(arm.name for arm in arms)
        raise UserError(f"{who.name} isn't holding that.", f"In hand: {names}.", "Switch weapons first.")
    return found


def hands_of(figure: Stats) -> int:
    """A character's number of hands. [RPJ-GCS-58, RPJ-GCS-62]"""
    return max((effect.count for effect in figure.effects if isinstance(effect, RpjHands)), default=HANDS)


def assert_wieldable(weapons: Sequence[RpjWeapon], off_hand: int = 0, hands: int = HANDS) -> None:
    """Refuse weapons that don't fit in a character's hands. [RPJ-GCS-58]

    Args:
        off_hand: How many other things, shields for instance.
        hands: How many hands there are.

    Raises:
        UserError: If it does not fit.
    """
    main = next((weapon for weapon in weapons if weapon.is_main_hand), None)
    if main is not None and len(weapons) > 1:
        raise UserError(
            f"{main.name} can't be combined with a second weapon.",
            "You can use a shield or the like with it.",
        )
    needed = sum(weapon.hands for weapon in weapons) + off_hand
    if needed > hands:
        raise UserError(f"That needs {needed} hands; you have {hands}.")


def shields_of(figure: Stats) -> int:
    """The hands shields need."""
    own = figure.sheet.belongings
    return sum(armor.kind is LayerKind.SHIELD and armor.id in own for armor in figure.module.armor)


def first_in_hand(figure: Stats) -> tuple[str, ...]:
    """What a character holds when a fight starts: the first weapon that fits in their hands. [RPJ-GCS-58]"""
    free = hands_of(figure) - shields_of(figure)
    return tuple(weapon.id for weapon in weapons_of(figure) if weapon.hands <= free)[:1]


def wielding(figure: Stats, ids: Sequence[str]) -> tuple[str, ...]:
    """The typed weapons, if the character has them and they fit in their hands.

    Raises:
        UserError: If they do not carry it, or it does not fit.

    [RPJ-GCS-14, RPJ-GCS-58, RPJ-GCS-62]
    """
    carried = {weapon.id: weapon for weapon in weapons_of(figure)}
    missing = next((id_ for id_ in ids if id_ not in carried), None)
    if missing is not None:
        at_hand = listed(weapon.name for weapon in carried.values())
        raise UserError("You don't have that weapon at hand.", f"At hand: {at_hand}.")
    assert_wieldable([carried[id_] for id_ in ids], shields_of(figure), hands_of(figure))
    return tuple(ids)
