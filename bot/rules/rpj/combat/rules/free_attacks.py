"""Free attacks: who can make one, on which trigger, and what it costs."""

from dataclasses import dataclass
from enum import StrEnum

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.combat_traits import offered_strike
from bot.rules.rpj.character.conditions_on_sheet import is_kept_from
from bot.rules.rpj.combat.rules.attacks import is_open
from bot.rules.rpj.combat.rules.chances import shoots_out_of_turn
from bot.rules.rpj.combat.rules.combatants import Battle, FighterStats
from bot.rules.rpj.combat.rules.maneuvers import Maneuver, knows
from bot.rules.rpj.combat.rules.targets import Shooting
from bot.rules.rpj.combat.state.combatant import Side
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.effects import FreeAttackTrigger


class Trigger(StrEnum):
    """What triggers a free attack.

    Source: RPJ-GCS-43, RPJ-GCS-44, RPJ-MNV-04, RPJ-MNV-06, RPJ-MNV-08, RPJ-TRAIT-07.
    """

    LEAVING = "leaves the group"
    CAUTIOUS = "leaves the group cautiously"
    SHOOTING = "shoots"
    COUP = "attempts a coup de grace"
    ARRIVING = "joins the group"
    MISSED = "misses"
    UNDER_FIRE = "moves under suppressive fire"
    UNDER_FIRE_CAUTIOUS = "moves cautiously under suppressive fire"
    WATCHED = "enters a watched region"


SHOTS = {
    Trigger.UNDER_FIRE: Shooting.AT_MOVER,
    Trigger.UNDER_FIRE_CAUTIOUS: Shooting.AT_CAUTIOUS,
    Trigger.WATCHED: Shooting.OVERWATCH,
}


class Payment(StrEnum):
    """What pays for a free attack.

    Source: RPJ-GCS-42, RPJ-MNV-03, RPJ-MNV-04.
    """

    ROUND = "the free attack of the round"
    CHARGE = "a Prepare charge"
    ALL_CHARGES = "all Prepare charges"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class RpjChance:
    """A possible free attack.

    Attributes:
        by: Who may make it.
        payment: What pays for it.
        maneuvers: The maneuvers that it may be; none for a plain one.
    """

    by: str
    payment: Payment
    maneuvers: tuple[Maneuver, ...] = ()


def chance_of(battle: Battle, reactor: str, provoker: str, trigger: Trigger) -> RpjChance | None:
    """A combatant's free attack on another's action, or None.

    Source: RPJ-GCS-42 to RPJ-GCS-44 (R-087, R-113), RPJ-MNV-03, RPJ-MNV-04, RPJ-MNV-06 to RPJ-MNV-08
    (R-126 to R-128).
    """
    who = battle[reactor]
    is_busy = battle.fight.grapple(reactor) is not None or battle.fight.acts(who.fighter)
    if reactor == provoker or not who.is_able or is_busy or is_open(who):
        return None
    if who.sheeted is not None and is_kept_from(who.sheeted, Need.ATTACK):
        return None
    if trigger in SHOTS:
        return _shot(battle, reactor, provoker, trigger)
    if not battle.fight.are_adjacent(who.fighter, battle.fight.fighter(provoker)):
        return None
    if trigger is Trigger.CAUTIOUS:
        return RpjChance(reactor, Payment.ALL_CHARGES, _holding(who)) if who.fighter.charges else None
    if trigger is Trigger.MISSED:
        return _riposte(who)
    payment = _payment(who)
    if payment is None:
        return None
    if trigger is Trigger.ARRIVING:
        striking = tuple(one for one in (Maneuver.WATCHFUL, Maneuver.GUARDING) if knows(who, one))
        return RpjChance(reactor, payment, striking) if striking else None
    return RpjChance(reactor, payment, _holding(who) if trigger is Trigger.LEAVING else ())


def _shot(battle: Battle, reactor: str, provoker: str, trigger: Trigger) -> RpjChance | None:
    """A shot out of turn; on overwatch it costs nothing else.

    Source: RPJ-FIRE-25 to RPJ-FIRE-27.
    """
    if not shoots_out_of_turn(battle, reactor, provoker, SHOTS[trigger]):
        return None
    return RpjChance(reactor, Payment.NOTHING if trigger is Trigger.WATCHED else Payment.ROUND)


def _holding(who: FighterStats) -> tuple[Maneuver, ...]:
    return (Maneuver.HOLDING,) if knows(who, Maneuver.HOLDING) else ()


def _payment(who: FighterStats) -> Payment | None:
    """The cost of an ordinary free attack: the round's, else a charge."""
    if who.fighter.free_attacks:
        return Payment.ROUND
    return Payment.CHARGE if who.fighter.charges else None


def _riposte(who: FighterStats) -> RpjChance | None:
    """A trait's free attack after a melee miss.

    Source: RPJ-TRAIT-07 (R-054).
    """
    if who.sheeted is None:
        return None
    free = who.fighter.free_attacks
    offered = offered_strike(who.sheeted, FreeAttackTrigger.MELEE_MISS, free)
    if offered is not None:
        return RpjChance(who.fighter.id, Payment.ROUND if offered.left < free else Payment.NOTHING)
    charged = offered_strike(who.sheeted, FreeAttackTrigger.MELEE_MISS, who.fighter.charges)
    return RpjChance(who.fighter.id, Payment.CHARGE) if charged is not None else None


def chances(
    battle: Battle, provoker: str, trigger: Trigger, only: str | None = None, *, allies: bool = False
) -> tuple[RpjChance, ...]:
    """Everyone's free attacks on an action, without the same side.

    Args:
        battle: The battle.
        provoker: Who does it.
        trigger: What is done.
        only: The one whom it concerns, for a miss.
        allies: Whether those of the same side are offered theirs too.

    Source: RPJ-GCS-43 (R-109), RPJ-GCS-44.
    """
    side: Side = battle.fight.fighter(provoker).side
    near = battle.fight.group(battle.fight.fighter(provoker))
    found = (
        chance_of(battle, one.id, provoker, trigger)
        for one in near
        if (allies or one.side is not side) and only in (None, one.id)
    )
    return tuple(chance for chance in found if chance is not None)


def paid(battle: Battle, chance: RpjChance) -> Battle:
    """The battle after a free attack is paid for.

    Raises:
        UserError: If there is nothing left to pay with.

    Source: RPJ-GCS-42, RPJ-MNV-03, RPJ-MNV-04 (R-127).
    """
    fighter = battle.fight.fighter(chance.by)
    left, charges = fighter.free_attacks, fighter.charges
    match chance.payment:
        case Payment.ROUND:
            left -= 1
        case Payment.CHARGE:
            charges -= 1
        case Payment.ALL_CHARGES:
            charges = 0 if charges else -1
    if left < 0 or charges < 0:
        raise UserError(f"{fighter.name} has no free attack left this round.")
    return battle.changed(chance.by, free_attacks=left, charges=charges)


def bonus_for(trigger: Trigger, coup_bonus: int) -> int:
    """The bonus of a free attack for its trigger.

    Source: RPJ-GCS-44.
    """
    return coup_bonus if trigger is Trigger.COUP else 0
