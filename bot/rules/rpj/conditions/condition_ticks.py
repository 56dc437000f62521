"""What conditions do as time passes by the clock of the game."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.rules.kernel import CharacterId, DueTimer, FollowUp, evolve
from bot.rules.kernel.facts import down
from bot.rules.rpj.character.incapacity import CONDITION, suffered_by, with_health, with_suffered
from bot.rules.rpj.character.sheet import Character, HookResult, Scene, figure_in
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT
from bot.rules.rpj.damage.saves import SaveOptions, save_button
from bot.rules.rpj.module.condition_kinds import MINUTE_SECONDS, RpjTick, Suffered, ticks_due
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.module import Pack


@dataclass(frozen=True, slots=True)
class RepeatedDamage:
    """The same damage of one condition, a number of times."""

    name: str
    tick: RpjTick
    times: int = 1


@dataclass(frozen=True, slots=True)
class TimePassed:
    """What a span of time has done to somebody."""

    suffered: tuple[Suffered, ...]  # their conditions afterwards
    out: Out | None  # how they are out of action; None where unchanged
    blows: tuple[RepeatedDamage, ...]  # damage to save against
    notes: tuple[str, ...]  # what has happened, in words


def time_passes(character: Character, until: dict[str, int]) -> TimePassed:
    """Apply conditions up to a moment for each. [RPJ-COND-03 (COND-03a, COND-03b)]"""
    health, suffered = character.sheet.health, suffered_by(character)
    due = sorted(
        (
            (moment, place, tick)
            for place, one in enumerate(suffered)
            for moment, tick in ticks_due(one, until.get(one.condition.name, one.told_until))
        ),
        key=lambda found: found[:2],
    )
    out, blows, notes = health.out, dict[tuple[int, RpjTick], RepeatedDamage](), []
    for _moment, place, tick in due:
        name = suffered[place].condition.name
        if tick.outcome is not None and _is_worse(tick.outcome, out):
            out = tick.outcome
            notes.append(down(f"{name}: {character.name} is {out}."))
        elif tick.outcome is None and out is Out.NO:
            found = blows.get((place, tick), RepeatedDamage(name, tick, 0))
            blows[place, tick] = replace(found, times=found.times + 1)
    after = tuple(evolve(one, told_until=until.get(one.condition.name, one.told_until)) for one in suffered)
    is_out = out is not health.out
    return TimePassed(after, out if is_out else None, () if is_out else tuple(blows.values()), tuple(notes))


def _is_worse(new: Out, old: Out) -> bool:
    return new is not old and (old is Out.NO or new is Out.DEAD)


def fallen(health: RpjHealth, out: Out) -> RpjHealth:
    """Health of a character put out of action by a condition; no save is crossed off.

    [RPJ-COND-03, RPJ-HEALTH-16 (R-133)]
    """
    if out is Out.DEAD:
        return evolve(health, out=out)
    return RpjHealth(layers=health.layers, lost_base=health.lost_base, out=out)


def save_buttons(
    scene: Scene, who: CharacterId, blows: Sequence[RepeatedDamage], *, in_combat: bool
) -> tuple[FollowUp, ...]:
    """The buttons to save against damage from conditions."""
    character = scene.character(who)
    figure = figure_in(scene, character)
    found = []
    for blow in blows:
        options = SaveOptions(
            damage=blow.tick.damage or 0,
            times=blow.times,
            bypass=", ".join(blow.tick.bypasses),
            scale=blow.tick.scale,
            in_combat=in_combat,
        )
        button = save_button(character, figure, options)
        found.append(replace(button, group=f"{button.group} {blow.name}"))
    return tuple(found)


def damage_note(blow: RepeatedDamage, name: str) -> str:
    """Return the line that a condition does damage to somebody."""
    times = f", {blow.times} times" if blow.times > 1 else ""
    return f"{blow.name} deals {blow.tick.damage} damage to {name}{times}."


def conditions_pass(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """Apply conditions due by the clock; in a fight they apply at the end of turns.

    [RPJ-COND-03, RPJ-GM-07]
    """
    notes: list[str] = []
    buttons: list[FollowUp] = []
    for timer in due:
        character = scene.character(timer.character)
        if not figure_in(scene, character).plays(Pack.CONDITIONS):
            scene = scene.with_character(character.with_timer(CONDITION, None))
        elif _is_fighting(scene, character.id):
            later = character.with_timer(CONDITION, scene.clock + MINUTE_SECONDS)
            scene = scene.with_character(later)
        else:
            until = {one.condition.name: scene.clock for one in suffered_by(character)}
            passed = time_passes(character, until)
            scene = with_suffered(scene, character.id, passed.suffered)
            if passed.out is not None:
                health = fallen(character.sheet.health, passed.out)
                scene = with_health(scene, scene.character(character.id), health)
            notes += [*passed.notes, *(damage_note(blow, character.name) for blow in passed.blows)]
            buttons += save_buttons(scene, character.id, passed.blows, in_combat=False)
    return HookResult(scene=scene, notes=tuple(notes), follow_ups=tuple(buttons))


def _is_fighting(scene: Scene, who: CharacterId) -> bool:
    fight = FIGHTS_KEPT.find(scene)
    return fight is not None and fight.has_begun and fight.combatant(who) is not None
