"""The end of a fight: what goes with it, and what stays on the sheets."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.rules.rpj.combat.combatants import Battle
from bot.rules.rpj.combat.fighters import Kind
from bot.rules.rpj.health import Health, Out


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What is left of a fight.

    Attributes:
        rounds: How many rounds it took.
        healths: Everybody's health afterwards, by the ids of fighters; mooks are gone.
        bleeding: Names of those who still bleed, from now on by the minute.
        out: Names of everybody who is out.
        mooks: How many mooks went down.
    """

    rounds: int
    healths: Mapping[str, Health]
    bleeding: tuple[str, ...]
    out: tuple[str, ...]
    mooks: int


def ended(battle: Battle) -> Aftermath:
    """A fight is over: saves and wounds stay; order, places, grapples, charges and mooks are gone.

    Source: RPJ-GCS-66 (R-123), RPJ-HEALTH-09 (R-058).
    """
    people = [one for one in battle.everybody() if one.fighter.kind is not Kind.MOOK]
    return Aftermath(
        rounds=battle.fight.round,
        healths={one.fighter.id: one.health.after_fight() for one in people},
        bleeding=tuple(one.name for one in people if one.health.is_bleeding),
        out=tuple(one.name for one in people if not one.is_able),
        mooks=sum(fighter.out is not Out.NO for fighter in battle.fight.fighters),
    )
