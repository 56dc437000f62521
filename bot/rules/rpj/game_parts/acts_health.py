"""What a character can do about wounds and conditions, their own and those of friends."""

from collections.abc import Iterator

from bot.rules.kernel import Choice
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.incapacity import Wait
from bot.rules.rpj.character.sheet import Character, Scene
from bot.rules.rpj.combat.commands.bleeding_and_waking import RpjFateOptions
from bot.rules.rpj.combat.commands.condition_exits import RecoverOptions, RpjEscapeOptions
from bot.rules.rpj.combat.commands.medical_commands import HELP, TREAT, TendOptions
from bot.rules.rpj.combat.state.combatant import fighter_id
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.require_rules import Pack
from bot.rules.shared.offering import Offering, choice_of, others_of


def health_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Rolls of those who are out, help and treatment for friends, and ends of conditions.

    Source: RPJ-GCS-33, RPJ-GCS-35, RPJ-GCS-37, RPJ-GCS-39, RPJ-COND-06, RPJ-COND-07.
    """
    figure = figure_in(scene, scene.actor)
    health, fate = figure.sheet.health, RpjFateOptions()
    if health.is_bleeding:
        label = "Roll to stop bleeding out"
        yield from offering.if_possible(ActGroup.REST, Wait.BLEEDING.value, fate, label)
    if health.out is Out.KNOCKED_OUT:
        yield from offering.if_possible(ActGroup.REST, Wait.WAKING.value, fate, "Roll to wake up")
    if health.out is Out.NO:
        yield from _tending(scene, offering)
    if figure.plays(Pack.CONDITIONS):
        yield from _conditions(scene, offering)


def _tending(scene: Scene, offering: Offering) -> Iterator[Act]:
    friends = [one for one in others_of(scene) if _is_friend(scene, one) and _is_hurt(one)]
    helped = ((_patient(one), TendOptions(target=one.id)) for one in friends)
    yield from offering.menu(ActGroup.REST, HELP, "Help up … (1 minute)", "target", helped)
    treated = ((_patient(one), TendOptions(target=one.id)) for one in friends)
    hours = figure_in(scene, scene.actor).module.combat.treat_hours
    time = "1 hour" if hours == 1 else f"{hours} hours"
    yield from offering.menu(ActGroup.REST, TREAT, f"Treat … ({time})", "target", treated)


def _is_hurt(one: Character) -> bool:
    return one.sheet.health.out is not Out.NO or one.sheet.health.is_weak


def _is_friend(scene: Scene, one: Character) -> bool:
    """Whether somebody is on the acting character's side: of the fight, else of the same kind of player."""
    fight = FIGHTS_KEPT.find(scene)
    sides = {} if fight is None else {combatant.id: combatant.side for combatant in fight.combatants}
    own, other = fighter_id(scene.actor.id), fighter_id(one.id)
    if own in sides and other in sides:
        return sides[own] is sides[other]
    return (one.owner is None) is (scene.actor.owner is None)


def _patient(one: Character) -> Choice:
    health = one.sheet.health
    return choice_of(one, "weak" if health.out is Out.NO else str(health.out))


def _conditions(scene: Scene, offering: Offering) -> Iterator[Act]:
    for one in scene.actor.sheet.conditions:
        name = one.condition.name
        label = f"Recover from {name}"
        yield from offering.if_possible(ActGroup.REST, "condition.recover", RecoverOptions(name=name), label)
        way = one.condition.escape
        cost = f" ({way.actions} action{'s' * (way.actions != 1)} in a fight)" if way else ""
        escape = RpjEscapeOptions(name=name)
        label = f"Escape {name}{cost}"
        yield from offering.if_possible(ActGroup.REST, "condition.escape", escape, label)
