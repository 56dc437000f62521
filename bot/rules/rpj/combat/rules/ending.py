"""The end of a fight: what ends, and what stays on the sheets."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bot.rules.rpj.character.damage_saves import layers_of
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.state.combatant import RpjKind
from bot.rules.rpj.module.defense_layers import Out, RpjHealth

NOTHING_LOST: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The aftermath of a fight.

    Attributes:
        rounds: How many rounds it took.
        healths: Everybody's health afterwards, by the ids of fighters; mooks are gone.
        lost: How many saves each player's character lost, with its name ("Kit 2").
        bleeding: Names of those who still bleed, from now on by the minute.
        out: Names of everybody who is out.
        mooks: How many mooks went down.
    """

    rounds: int
    healths: Mapping[str, RpjHealth]
    lost: tuple[str, ...]
    bleeding: tuple[str, ...]
    out: tuple[str, ...]
    mooks: int


def saves_lost(figure: Stats) -> int:
    """The number of crossed-off saves in all layers."""
    return sum(save.is_lost for layer in layers_of(figure) for save in layer.saves)


def ended(battle: Battle, before: Mapping[str, int] = NOTHING_LOST) -> Aftermath:
    """End a fight: saves and wounds stay; order, places, grapples, charges and mooks are gone.

    Args:
        battle: The battle as it stands.
        before: How many saves were lost before it, by the ids of fighters.

    Source: RPJ-GCS-66 (R-123), RPJ-HEALTH-09 (R-058).
    """
    people = [one for one in battle.everybody() if one.fighter.kind is not RpjKind.MOOK]
    players = [one for one in people if one.fighter.kind is RpjKind.PLAYER]
    losses = {one.name: saves_lost(one.figure) - before.get(one.fighter.id, 0) for one in players}
    return Aftermath(
        rounds=battle.fight.round,
        healths={one.fighter.id: one.health.after_fight() for one in people},
        lost=tuple(f"{name} {count}" for name, count in losses.items() if count > 0),
        bleeding=tuple(one.name for one in people if one.health.is_bleeding),
        out=tuple(one.name for one in people if not one.is_able),
        mooks=sum(fighter.out is not Out.NO for fighter in battle.fight.combatants),
    )
