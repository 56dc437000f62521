"""Fire and Movement on the board, and the menu of actions with chances."""

from collections.abc import Iterator

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import signed
from bot.rules.rpj.combat.commands.fire_commands import (
    AimOptions,
    SuppressOptions,
    aiming,
    razing,
    reloading,
    suppressing,
    turning_about,
    watching,
)
from bot.rules.rpj.combat.engine.answers import attack_chance, chance
from bot.rules.rpj.combat.engine.fire_steps import Razing, Suppressing, razing_check, suppressing_check
from bot.rules.rpj.combat.rules.ammunition_in_fights import loaded_words
from bot.rules.rpj.combat.rules.arms import arms_of
from bot.rules.rpj.combat.rules.attacks import RpjAim, is_open
from bot.rules.rpj.combat.rules.combatants import FighterStats
from bot.rules.rpj.combat.rules.shooting import against_shot, plays_fire
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.rules.targets import Shooting
from bot.rules.rpj.combat.state.battlefield import shown_distance
from bot.rules.rpj.combat.state.combatant import RpjCombatant
from bot.rules.rpj.combat.state.cover import CAUTIOUS
from bot.rules.rpj.combat.state.crowds import counted
from bot.rules.rpj.resolution.inputs import BASE_TARGET
from bot.rules.shared.offering import is_allowed


def fire_facts(stage: Stage, who: FighterStats) -> Iterator[str]:
    """A combatant's states under fire, in a word or two each; empty without these rules.

    Source: RPJ-FIRE-02, RPJ-FIRE-12, RPJ-FIRE-17, RPJ-FIRE-18, RPJ-FIRE-24, RPJ-FIRE-26, RPJ-FIRE-28.
    """
    if not plays_fire(stage.battle):
        return
    state = who.fighter.under_fire
    yield from cover_facts(stage, who.fighter)
    if state.is_suppressed:
        names = [one.name for one in stage.fight.combatants if one.id in state.suppressors]
        yield f"suppressed by {', '.join(names)}" if names else "suppressed"
    if state.overwatch is not None:
        yield f"watches {stage.fight.field.name(state.overwatch)}"
    if who.sheeted is not None:
        yield from (words for one in who.fighter.wielded if (words := loaded_words(who.sheeted, one)))


def cover_facts(stage: Stage, fighter: RpjCombatant) -> Iterator[str]:
    """A combatant's cover, in words.

    Source: RPJ-FIRE-12, RPJ-FIRE-17, RPJ-FIRE-18, RPJ-FIRE-28.
    """
    if not plays_fire(stage.battle):
        return
    state, covers = fighter.under_fire, stage.fight.covers_of(fighter)
    for placed in covers:
        yield f"behind {placed.cover.name} +{placed.cover.quality}"
    if state.is_cautious and not covers:
        yield f"{CAUTIOUS} (cautious)"
    if state.is_cowering and covers:
        yield f"cowering (+{max(2 * one.cover.quality for one in covers)})"
    if state.is_reoriented:
        yield "turned around"


def cover_notes(stage: Stage) -> Iterator[str]:
    """The cover on the battlefield, in a line.

    Source: RPJ-FIRE-12.
    """
    if plays_fire(stage.battle) and (known := stage.fight.known_covers):
        field = stage.fight.field
        covers = (f"{one.cover.name} in {field.name(one.region)}, {one.cover.words}" for one in known)
        yield f"Cover: {' · '.join(covers)}"


# --- what can be done --------------------------------------------------------------------------


def fire_choices(stage: Stage, fighter: RpjCombatant) -> Iterator[Choice]:
    """The fire actions of whoever's turn it is, with cost and chance.

    Source: RPJ-FIRE-03, RPJ-FIRE-17, RPJ-FIRE-19 to RPJ-FIRE-23, RPJ-FIRE-33.
    """
    if not plays_fire(stage.battle) or not fighter.turn.actions:
        return
    yield from _reloads(stage, fighter)
    if is_allowed(lambda: turning_about(stage, fighter.id)):
        yield Choice("reorient", "Turn around in cover (1 action)")
    yield from _shots(stage, fighter)
    yield from _razings(stage, fighter)


def watch_choices(stage: Stage, fighter: RpjCombatant) -> Iterator[Choice]:
    """The regions that whoever's turn it is can watch.

    Source: RPJ-FIRE-26.
    """
    if not plays_fire(stage.battle) or not fighter.turn.actions or stage.fight.is_cinematic:
        return
    for region in stage.fight.field.numbers:
        if is_allowed(lambda region=region: watching(stage, fighter.id, region)):  # type: ignore[misc]
            yield Choice(str(region), stage.fight.field.name(region)[:100])


def _reloads(stage: Stage, fighter: RpjCombatant) -> Iterator[Choice]:
    for weapon in fighter.wielded:
        try:
            _stage, words = reloading(stage, fighter.id, weapon)
        except UserError:
            continue
        yield Choice(f"reload|{weapon}", f"Reload {words}"[:100])


def _shots(stage: Stage, fighter: RpjCombatant) -> Iterator[Choice]:
    """Aimed Fire at each target and Suppressive Fire at each group, with each ranged weapon in hand."""
    battle, seen = stage.battle, set()
    foes = [one for one in stage.fight.present if one.side is not fighter.side and not one.is_hidden]
    arms = [arm for arm in arms_of(battle.of(fighter)) if arm.is_ranged]
    for foe in foes:
        for arm in arms:
            aimed = AimOptions(target=foe.id, weapon=arm.id)
            kind = (foe.mook, foe.group, arm.id) if foe.mook is not None else (foe.id, arm.id)
            if kind not in seen and is_allowed(lambda aimed=aimed: aiming(stage, fighter.id, aimed)):  # type: ignore[misc]
                odds = attack_chance(
                    battle, RpjAim(attacker=fighter.id, target=foe.id, arm=arm, shot=Shooting.AIMED)
                )
                yield Choice(
                    f"aim|{foe.id}|{arm.id}", f"Aim at {foe.name} · {arm.name} · {odds} (2 actions)"[:100]
                )
            seen.add(kind)
    for group in dict.fromkeys(foe.group for foe in foes):
        there = [foe for foe in foes if foe.group == group]
        for arm in arms:
            given = SuppressOptions(target=there[0].id, weapon=arm.id)
            if not is_allowed(lambda given=given: suppressing(stage, fighter.id, given)):  # type: ignore[misc]
                continue
            step = Suppressing(attacker=fighter.id, group=group, weapon=arm.id)
            checks = [suppressing_check(battle, step, foe.id) for foe in there]
            odds = chance(min(checks, key=lambda check: check.target))
            names = ", ".join(counted(there))
            label = f"Suppress {names[:40]} · {arm.name} · {odds} (2 actions)"
            yield Choice(f"suppress|{there[0].id}|{arm.id}", label[:100])


def _razings(stage: Stage, fighter: RpjCombatant) -> Iterator[Choice]:
    for placed in stage.fight.known_covers:
        for arm in arms_of(stage.battle.of(fighter)):
            named = f"cover {placed.id}"
            if not is_allowed(lambda named=named, arm=arm: razing(stage, fighter.id, named, arm.id)):  # type: ignore[misc]
                continue
            step = Razing(attacker=fighter.id, cover=placed.id, weapon=arm.id)
            odds = chance(razing_check(stage, step, placed))
            label = f"Shoot at {placed.cover.name} · {arm.name} · {odds} (1 action)"
            yield Choice(f"raze|{named}|{arm.id}", label[:100])


def target_lines(stage: Stage, fighter: RpjCombatant) -> Iterator[str]:
    """What the character needs to hit each foe, and what each foe needs in return, part by part.

    Source: RPJ-FIRE-16, RPJ-FIRE-34, RPJ-INV-04 (INV-04b).
    """
    seen: set[object] = set()
    for foe in stage.fight.present:
        kind = foe.id if foe.mook is None else (foe.mook, foe.group)
        if foe.side is fighter.side or foe.is_hidden or kind in seen:
            continue
        seen.add(kind)
        try:
            distance = shown_distance(stage.fight.distance(fighter, foe))
        except UserError:
            continue
        there, back = (_needed(stage, a, b) for a, b in ((fighter, foe), (foe, fighter)))
        yield f"{foe.name} at {distance}: you need {there}; against you {back}"


def _needed(stage: Stage, attacker: RpjCombatant, target: RpjCombatant) -> str:
    if is_open(stage.battle.of(target)):
        return "no roll: overloaded, so every attack hits"
    parts = against_shot(stage.battle, attacker.id, target.id)
    terms = ", ".join(f"{part.label} {signed(part.value)}" for part in parts)
    return f"{BASE_TARGET + sum(part.value for part in parts)}+" + (f" ({terms})" if terms else "")
