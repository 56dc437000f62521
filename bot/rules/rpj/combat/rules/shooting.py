"""Shots in a fight: who can be shot at, the target number with its parts, and the ammunition used up."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct

from bot.rules.kernel import NamedTerm, evolve
from bot.rules.kernel.outcome import shown_number, signed
from bot.rules.rpj.character.belongings import load_on_defense
from bot.rules.rpj.character.incapacity import is_kept_from
from bot.rules.rpj.character.sheet import Stats
from bot.rules.rpj.combat.combatant import ADJACENT, CAUTIOUS, RpjCover, RpjKind, best_bonus
from bot.rules.rpj.combat.rules.combatants import Battle, FighterStats
from bot.rules.rpj.module.basics import RpjAttribute, Scale
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import AmmunitionStart, RangedDefense, RollTarget, roll_bonus
from bot.rules.rpj.module.items import LOTS, MOST_STEPS, Ammunition, Magazine, RpjWeapon, step_name
from bot.rules.rpj.module.module import Pack, RpjSkill, SkillRole
from bot.rules.rpj.resolution.check_inputs import BASE_TARGET, COVER, COWERING

RANGED_PENALTY = -2
HELPLESS = -2
AIMED = 1


class Shooting(StrEnum):
    """The kind of shot. [RPJ-FIRE-21, RPJ-FIRE-23, RPJ-FIRE-25, RPJ-FIRE-26, RPJ-FIRE-29]"""

    PLAIN = "plain"
    AIMED = "aimed"
    SUPPRESSIVE = "suppressive"
    AT_MOVER = "at a suppressed mover"
    AT_CAUTIOUS = "at a cautious mover"
    OVERWATCH = "overwatch"

    @property
    def words(self) -> str:
        """Its words in a sentence."""
        return "on overwatch" if self is Shooting.OVERWATCH else "target moved under fire"

    @property
    def ignores_cover(self) -> bool:
        """Whether it ignores cover."""
        return self not in (Shooting.PLAIN, Shooting.AIMED)


def halved(modifier: int) -> int:
    """A modifier halved, rounded down; one that is 0 or less stays as it is.

    [RPJ-FIRE-23 (FIRE-23a), RPJ-FIRE-24, RPJ-FIRE-29]
    """
    return modifier // 2 if modifier > 0 else modifier


def ranged_defense(skill: int, dexterity: int) -> int:
    """The ranged defense modifier. [RPJ-FIRE-09 (FIRE-09a)]

    Args:
        skill: Base level of the dodging or armour-using skill that was chosen.
        dexterity: Dexterity bonus.
    """
    return skill + dexterity + RANGED_PENALTY


class Posture(Struct, frozen=True, kw_only=True):
    """A combatant's situation against ranged attacks."""

    modifier: int  # their ranged defence modifier; a mook's value less 7
    covers: tuple[RpjCover, ...] = ()  # the covers of their group
    is_reoriented: bool = False  # whether they face the other way
    is_cowering: bool = False
    is_helpless: bool = False  # whether they are unconscious or cannot move
    agile: int = 0  # what traits add out of cover
    other: tuple[NamedTerm, ...] = ()  # other changes of the defence value, by name: loads, conditions
    scale: Scale = Scale.NORMAL  # the highest scale among their unbroken layers

    def bonus(self, distance: int) -> int:
        """The cover bonus against an attacker at a distance."""
        return best_bonus(
            self.covers,
            distance,
            is_reoriented=self.is_reoriented,
            is_cowering=self.is_cowering,
            scale=self.scale,
        )


def target_parts(
    posture: Posture, distance: int, *, is_suppressive: bool = False, ignores_cover: bool = False
) -> tuple[NamedTerm, ...]:
    """The parts of a ranged attack's target number besides 7.

    Args:
        posture: Whoever is shot at.
        distance: In regions; -1 for one's own group.
        is_suppressive: Whether it is Suppressive Fire, which halves the modifier and passes cover by.
        ignores_cover: Whether it passes cover by otherwise: overwatch, or a shot at somebody suppressed.

    [RPJ-FIRE-34 (FIRE-34a), RPJ-FIRE-09, RPJ-FIRE-13, RPJ-FIRE-15 (FIRE-15a)]
    """
    modifier = posture.modifier
    if posture.is_helpless and not any(cover.is_good for cover in posture.covers):
        modifier = min(modifier, HELPLESS)
    if is_suppressive:
        modifier = halved(modifier)
    covered = 0 if is_suppressive or ignores_cover else posture.bonus(distance)
    named = (
        NamedTerm(label="ranged defense", value=modifier),
        NamedTerm(label="agile", value=0 if posture.covers else posture.agile),
        *posture.other,
        NamedTerm(label=COWERING if posture.is_cowering else COVER, value=covered),
    )
    return tuple(part for part in named if part.value)


RANGED = "ranged"


def plays_fire(battle: Battle) -> bool:
    """Whether Fire and Movement is played. [RPJ-FIRE-01]"""
    return Pack.FIRE_AND_MOVEMENT in battle.module.optional_rules


def is_shot(battle: Battle, greatest: int) -> bool:
    """Whether an attack meets the ranged defense. [RPJ-FIRE-01]"""
    return plays_fire(battle) and greatest > ADJACENT


def may_be_shot(whom: FighterStats) -> bool:
    """Whether a combatant can be shot at: also helpless, but not dead. [RPJ-FIRE-15 (FIRE-15b)]"""
    return whom.health.out is not Out.DEAD


def ranged_skill(figure: Stats) -> RpjSkill | None:
    """The skill of the ranged defense: the better of dodge and the armor's, unless armor forces its own.

    [RPJ-FIRE-09 (FIRE-09c)]
    """
    worn = figure.armor
    skills = [figure.known_skill(armor.skill) for armor in worn if armor.skill]
    if not (skills and any(armor.must_absorb for armor in worn)):
        skills += figure.module.skills_for(SkillRole.DODGE)
    return max(skills, key=figure.base_level, default=None)


def defense_modifier(figure: Stats) -> int:
    """The ranged defense modifier of a character with a sheet. [RPJ-FIRE-09 (FIRE-09a)]"""
    skill = ranged_skill(figure)
    return ranged_defense(figure.base_level(skill) if skill else 0, figure.bonus(RpjAttribute.DEX))


def defense_line(figure: Stats) -> str:
    """The ranged defense on the sheet: "ranged defense 10+ (Dodge 4, DEX +1, −2)".

    [RPJ-FIRE-09, RPJ-INV-03 (INV-03b)]
    """
    skill, load = ranged_skill(figure), load_on_defense(figure)
    own = f"{skill.name} {figure.base_level(skill)}" if skill else "no skill"
    value = BASE_TARGET + defense_modifier(figure) + load
    heavy = f", overloaded {shown_number(load)}" if load else ""
    return f"ranged defense {value}+ ({own}, DEX {signed(figure.bonus(RpjAttribute.DEX))}, −2{heavy})"


def posture_of(battle: Battle, id_: str) -> Posture:
    """A combatant's posture against shots.

    [RPJ-FIRE-09 (FIRE-09d), RPJ-FIRE-12, RPJ-FIRE-14, RPJ-FIRE-15, RPJ-FIRE-28 (FIRE-28a), RPJ-FIRE-34]
    """
    whom = battle[id_]
    state = whom.fighter.under_fire
    covers = tuple(one.cover for one in battle.fight.covers_of(whom.fighter))
    if state.is_cautious and not covers:
        covers = (CAUTIOUS,)
    figure = whom.sheeted
    return Posture(
        modifier=(
            whom.mook.defense - BASE_TARGET if whom.mook is not None else defense_modifier(whom.figure)
        ),
        covers=covers,
        is_reoriented=state.is_reoriented,
        is_cowering=state.is_cowering,
        is_helpless=not whom.is_able or (figure is not None and is_kept_from(figure, Need.MOVE)),
        agile=_trait_defense(figure, in_the_open=True) if figure else 0,
        other=_others(figure, whom) if figure else (),
        scale=whom.scale,
    )


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

    [RPJ-FIRE-11, RPJ-FIRE-16, RPJ-FIRE-23, RPJ-FIRE-25, RPJ-FIRE-26, RPJ-FIRE-29, RPJ-FIRE-34]
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
        attacker: Who attacks, with any weapon.
        base: Their base attack modifier.
        shot: How they shoot.

    [RPJ-FIRE-10 (FIRE-10a), RPJ-FIRE-21 (FIRE-21a), RPJ-FIRE-24 (FIRE-24b, FIRE-24c), RPJ-FIRE-29]
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


def magazine_of(figure: Stats, weapon: str) -> Magazine | None:
    """A weapon's magazine; None if it needs no ammunition, or Fire and Movement is not played.

    [RPJ-FIRE-01, RPJ-FIRE-02 (FIRE-02c)]
    """
    if not figure.plays(Pack.FIRE_AND_MOVEMENT):
        return None
    return next((one.ammunition for one in figure.module.weapons if one.id == weapon), None)


def ammunition_of(figure: Stats, weapon: str, magazine: Magazine) -> Ammunition:
    """A weapon's ammunition; by default a full magazine and Lots. [RPJ-FIRE-04, RPJ-FIRE-07]"""
    more = sum(effect.steps for effect in figure.effects if isinstance(effect, AmmunitionStart))
    fresh = Ammunition(loaded=magazine.capacity, step=min(max(LOTS + more, 0), MOST_STEPS))
    return figure.sheet.ammunition.get(weapon, fresh)


def with_ammunition(figure: Stats, weapon: str, ammunition: Ammunition) -> Stats:
    """The stats with a weapon's ammunition changed."""
    kept = {**figure.sheet.ammunition, weapon: ammunition}
    return Stats(evolve(figure.sheet, ammunition=kept), figure.module)


def supplied(figure: Stats) -> Iterator[tuple[RpjWeapon, Magazine, Ammunition]]:
    """The carried weapons that need ammunition."""
    for weapon in figure.module.weapons:
        magazine = magazine_of(figure, weapon.id)
        if magazine is not None and weapon.id in figure.sheet.belongings:
            yield weapon, magazine, ammunition_of(figure, weapon.id, magazine)


def shots_spent(battle: Battle, who: str, weapons: Iterable[str], *, suppressive: bool = False) -> Battle:
    """The battle after an attack's ammunition is spent; mooks are not tracked.

    Raises:
        UserError: If nothing is loaded, or nothing is carried.

    [RPJ-FIRE-02, RPJ-FIRE-08, RPJ-FIRE-22, RPJ-FIRE-25 (FIRE-25a), RPJ-FIRE-31, RPJ-FIRE-32]
    """
    for weapon in weapons:
        figure = battle.figures.get(who)
        magazine = magazine_of(figure, weapon) if figure is not None else None
        if figure is None or magazine is None or battle.fight.fighter(who).kind is RpjKind.MOOK:
            continue
        name = next(one.name for one in figure.module.weapons if one.id == weapon)
        had = ammunition_of(figure, weapon, magazine)
        left = had.suppressed(name) if suppressive else had.shot(name)
        battle = battle.with_figure(who, with_ammunition(figure, weapon, left))
    return battle


def reloaded(battle: Battle, who: str, weapon: str, magazine: Magazine) -> Battle:
    """The battle with a weapon reloaded; its actions are paid before. [RPJ-FIRE-03]"""
    figure = battle[who].figure
    full = ammunition_of(figure, weapon, magazine).reloaded(magazine.capacity)
    return battle.with_figure(who, with_ammunition(figure, weapon, full))


def loaded_words(figure: Stats, weapon: str) -> str:
    """A weapon's load ("loaded 2/3"); empty if it needs no ammunition. [RPJ-FIRE-02]"""
    magazine = magazine_of(figure, weapon)
    if magazine is None:
        return ""
    return f"loaded {ammunition_of(figure, weapon, magazine).loaded}/{magazine.capacity}"


def loaded_left(battle: Battle, who: str, weapons: Iterable[str]) -> tuple[str, ...]:
    """The load of the weapons used, in words. [RPJ-FIRE-02, RPJ-FIRE-22]"""
    figure = battle.figures.get(who)
    if figure is None:
        return ()
    names = {one.id: one.name for one in figure.module.weapons}
    loads = ((names.get(weapon, ""), loaded_words(figure, weapon)) for weapon in weapons)
    return tuple(f"{name}: {words}." for name, words in loads if words)


def new_round(battle: Battle) -> Battle:
    """Start a round: the first use of each weapon costs ammunition again. [RPJ-FIRE-02]"""
    for who, figure in battle.figures.items():
        kept = figure.sheet.ammunition
        if any(one.is_used for one in kept.values()):
            fresh = {weapon: one.new_round() for weapon, one in kept.items()}
            sheet = evolve(figure.sheet, ammunition=fresh)
            battle = battle.with_figure(who, Stats(sheet, figure.module))
    return battle


def after_fight(figure: Stats, *, is_tracked: bool) -> tuple[Stats, tuple[str, ...]]:
    """A combatant's ammunition after a fight, and the losses in words.

    Args:
        is_tracked: Whether what they carry is told apart from what is loaded, as of players' characters.

    [RPJ-FIRE-04 (FIRE-04a), RPJ-FIRE-05 (FIRE-05b)]
    """
    lines: list[str] = []
    for weapon, magazine, had in tuple(supplied(figure)):
        if weapon.id not in figure.sheet.ammunition:
            continue
        left = had.after_fight(magazine.capacity)
        if not is_tracked:
            left = Ammunition(loaded=magazine.capacity, step=had.step)
        if left.step != had.step:
            uses = f"{had.uses} uses"
            lines.append(f"{weapon.name}: {step_name(had.step)} → {step_name(left.step)} ({uses})")
        figure = with_ammunition(figure, weapon.id, left)
    return figure, tuple(lines)
