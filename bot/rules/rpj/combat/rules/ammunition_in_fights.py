"""Ammunition in fights: the cost of shots, and what a fight has used up."""

from collections.abc import Iterable, Iterator

from bot.rules.kernel import evolve
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.state.combatant import RpjKind
from bot.rules.rpj.module.ammunition import LOTS, MOST_STEPS, Ammunition, Magazine, step_name
from bot.rules.rpj.module.items import RpjWeapon
from bot.rules.rpj.module.optional_rules import Pack
from bot.rules.rpj.module.pack_effects import AmmunitionStart


def magazine_of(figure: Stats, weapon: str) -> Magazine | None:
    """A weapon's magazine; None if it needs no ammunition, or Fire and Movement is not played.

    Source: RPJ-FIRE-01, RPJ-FIRE-02 (FIRE-02c).
    """
    if not figure.plays(Pack.FIRE_AND_MOVEMENT):
        return None
    return next((one.ammunition for one in figure.module.weapons if one.id == weapon), None)


def ammunition_of(figure: Stats, weapon: str, magazine: Magazine) -> Ammunition:
    """A weapon's ammunition; by default a full magazine and Lots.

    Source: RPJ-FIRE-04, RPJ-FIRE-07.
    """
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

    Source: RPJ-FIRE-02, RPJ-FIRE-08, RPJ-FIRE-22, RPJ-FIRE-25 (FIRE-25a), RPJ-FIRE-31, RPJ-FIRE-32.
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
    """The battle with a weapon reloaded; its actions are paid before.

    Source: RPJ-FIRE-03.
    """
    figure = battle[who].figure
    full = ammunition_of(figure, weapon, magazine).reloaded(magazine.capacity)
    return battle.with_figure(who, with_ammunition(figure, weapon, full))


def loaded_words(figure: Stats, weapon: str) -> str:
    """A weapon's load ("loaded 2/3"); empty if it needs no ammunition.

    Source: RPJ-FIRE-02.
    """
    magazine = magazine_of(figure, weapon)
    if magazine is None:
        return ""
    return f"loaded {ammunition_of(figure, weapon, magazine).loaded}/{magazine.capacity}"


def loaded_left(battle: Battle, who: str, weapons: Iterable[str]) -> tuple[str, ...]:
    """The load of the weapons used, in words.

    Source: RPJ-FIRE-02, RPJ-FIRE-22.
    """
    figure = battle.figures.get(who)
    if figure is None:
        return ()
    names = {one.id: one.name for one in figure.module.weapons}
    loads = ((names.get(weapon, ""), loaded_words(figure, weapon)) for weapon in weapons)
    return tuple(f"{name}: {words}." for name, words in loads if words)


def new_round(battle: Battle) -> Battle:
    """Start a round: the first use of each weapon costs ammunition again.

    Source: RPJ-FIRE-02.
    """
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
        figure: Who it is.
        is_tracked: Whether what they carry is told apart from what is loaded, as of players' characters.

    Source: RPJ-FIRE-04 (FIRE-04a), RPJ-FIRE-05 (FIRE-05b).
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
