"""Shots in a fight: who can be shot at, and the target number."""

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.wording import shown_number, signed
from bot.rules.rpj.character.carrying import load_on_defense
from bot.rules.rpj.character.conditions_on_sheet import is_kept_from
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.combat.rules.combatants import Battle, FighterStats
from bot.rules.rpj.combat.rules.targets import AIMED, Posture, Shooting, halved, ranged_defense, target_parts
from bot.rules.rpj.combat.state.battlefield import ADJACENT
from bot.rules.rpj.combat.state.cover import CAUTIOUS
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import RollTarget, roll_bonus
from bot.rules.rpj.module.module import RpjSkill, SkillRole
from bot.rules.rpj.module.optional_rules import Pack
from bot.rules.rpj.module.pack_effects import RangedDefense
from bot.rules.rpj.resolution.inputs import BASE_TARGET

RANGED = "ranged"


def plays_fire(battle: Battle) -> bool:
    """Whether Fire and Movement is played.

    Source: RPJ-FIRE-01.
    """
    return Pack.FIRE_AND_MOVEMENT in battle.module.optional_rules


def is_shot(battle: Battle, greatest: int) -> bool:
    """Whether an attack meets the ranged defense.

    Source: RPJ-FIRE-01.
    """
    return plays_fire(battle) and greatest > ADJACENT


def may_be_shot(whom: FighterStats) -> bool:
    """Whether a combatant can be shot at: also helpless, but not dead.

    Source: RPJ-FIRE-15 (FIRE-15b).
    """
    return whom.health.out is not Out.DEAD


def ranged_skill(figure: Stats) -> RpjSkill | None:
    """The skill of the ranged defense: the better of dodge and the armor's, unless armor forces its own.

    Source: RPJ-FIRE-09 (FIRE-09c).
    """
    worn = figure.armor
    skills = [figure.known_skill(armor.skill) for armor in worn if armor.skill]
    if not (skills and any(armor.must_absorb for armor in worn)):
        skills += figure.module.skills_for(SkillRole.DODGE)
    return max(skills, key=figure.base_level, default=None)


def defense_modifier(figure: Stats) -> int:
    """The ranged defense modifier of a character with a sheet.

    Source: RPJ-FIRE-09 (FIRE-09a).
    """
    skill = ranged_skill(figure)
    return ranged_defense(figure.base_level(skill) if skill else 0, figure.bonus(RpjAttribute.DEX))


def defense_line(figure: Stats) -> str:
    """The ranged defense on the sheet: "ranged defense 10+ (Dodge 4, DEX +1, −2)".

    Source: RPJ-FIRE-09, RPJ-INV-03 (INV-03b).
    """
    skill, load = ranged_skill(figure), load_on_defense(figure)
    own = f"{skill.name} {figure.base_level(skill)}" if skill else "no skill"
    value = BASE_TARGET + defense_modifier(figure) + load
    heavy = f", overloaded {shown_number(load)}" if load else ""
    return f"ranged defense {value}+ ({own}, DEX {signed(figure.bonus(RpjAttribute.DEX))}, −2{heavy})"


def posture_of(battle: Battle, id_: str) -> Posture:
    """A combatant's posture against shots.

    Source: RPJ-FIRE-09 (FIRE-09d), RPJ-FIRE-12, RPJ-FIRE-14, RPJ-FIRE-15, RPJ-FIRE-28 (FIRE-28a),
    RPJ-FIRE-34.
    """
    whom = battle[id_]
    state = whom.fighter.under_fire
    covers = tuple(one.cover for one in battle.fight.covers_of(whom.fighter))
    if state.is_cautious and not covers:
        covers = (CAUTIOUS,)
    figure = whom.sheeted
    return Posture(
        modifier=_modifier(whom),
        covers=covers,
        is_reoriented=state.is_reoriented,
        is_cowering=state.is_cowering,
        is_helpless=not whom.is_able or (figure is not None and is_kept_from(figure, Need.MOVE)),
        agile=_trait_defense(figure, in_the_open=True) if figure else 0,
        other=_others(figure, whom) if figure else (),
        scale=whom.scale,
    )


def _modifier(whom: FighterStats) -> int:
    return whom.mook.defense - BASE_TARGET if whom.mook is not None else defense_modifier(whom.figure)


def _trait_defense(figure: Stats, *, in_the_open: bool) -> int:
    effects = (effect for effect in figure.effects if isinstance(effect, RangedDefense))
    return sum(effect.value for effect in effects if effect.only_in_the_open is in_the_open)


def _others(figure: Stats, whom: FighterStats) -> tuple[NamedTerm, ...]:
    bonuses = roll_bonus(figure.effects, RollTarget.DEFENSE, whom.now, of=RANGED)
    return (
        NamedTerm(label="traits", value=_trait_defense(figure, in_the_open=False)),
        *(NamedTerm(label=bonus.word, value=bonus.value) for bonus in bonuses),
        NamedTerm(label="overloaded", value=load_on_defense(figure)),
    )


def against_shot(
    battle: Battle, attacker: str, target: str, shot: Shooting = Shooting.PLAIN
) -> tuple[NamedTerm, ...]:
    """The parts of a shot's target number besides 7.

    Source: RPJ-FIRE-11, RPJ-FIRE-16, RPJ-FIRE-23, RPJ-FIRE-25, RPJ-FIRE-26, RPJ-FIRE-29, RPJ-FIRE-34.
    """
    fight = battle.fight
    return target_parts(
        posture_of(battle, target),
        fight.distance(fight.fighter(attacker), fight.fighter(target)),
        is_suppressive=shot is Shooting.SUPPRESSIVE,
        ignores_cover=shot.ignores_cover,
    )


def fire_terms(battle: Battle, attacker: str, base: int, shot: Shooting) -> tuple[NamedTerm, ...]:
    """Modifiers from suppression and the kind of shot: a suppressed attacker has half the base.

    Args:
        battle: The battle.
        attacker: Who attacks, with any weapon.
        base: Their base attack modifier.
        shot: How they shoot.

    Source: RPJ-FIRE-10 (FIRE-10a), RPJ-FIRE-21 (FIRE-21a), RPJ-FIRE-24 (FIRE-24b, FIRE-24c), RPJ-FIRE-29.
    """
    if not plays_fire(battle):
        return ()
    is_suppressed = battle.fight.fighter(attacker).under_fire.is_suppressed
    is_halved = is_suppressed or shot is Shooting.AT_CAUTIOUS
    label = "suppressed" if is_suppressed else "cautious mover"
    return (
        NamedTerm(label=label, value=halved(base) - base if is_halved else 0),
        NamedTerm(label="aimed", value=AIMED if shot is Shooting.AIMED else 0),
    )
