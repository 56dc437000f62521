"""Shots out of turn: at suppressed movers, and from overwatch."""

from contextlib import suppress

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.rules.ammunition_in_fights import shots_spent
from bot.rules.rpj.combat.rules.arms import Arm, arms_of
from bot.rules.rpj.combat.rules.attacks import RpjAim, assert_target
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.rules.targets import Shooting


def shot_arm(battle: Battle, by: str, target: str) -> Arm | None:
    """The weapon for a shot now: the best loaded ranged one in hand that reaches.

    Source: RPJ-FIRE-25 (FIRE-25a, FIRE-25b).
    """
    ready = [arm for arm in arms_of(battle[by]) if arm.is_ranged and can_shoot(battle, by, target, arm)]
    distance = battle.fight.distance(battle.fight.fighter(by), battle.fight.fighter(target))
    return max(ready, key=lambda arm: arm.modifier + arm.weapon + arm.at(distance), default=None)


def can_shoot(battle: Battle, by: str, target: str, arm: Arm) -> bool:
    """Whether a weapon reaches a target and has ammunition.

    Source: RPJ-FIRE-02, RPJ-FIRE-08.
    """
    with suppress(UserError):
        assert_target(battle, RpjAim(attacker=by, target=target, arm=arm))
        shots_spent(battle, by, (arm.id,))
        return True
    return False


def shoots_out_of_turn(battle: Battle, by: str, mover: str, shot: Shooting) -> bool:
    """Whether a combatant can shoot now at a mover.

    Args:
        battle: The battle.
        by: Who shoots.
        mover: Who moves.
        shot: On overwatch, or at somebody suppressed, which takes the free attack of the round.

    Source: RPJ-FIRE-25, RPJ-FIRE-26, RPJ-FIRE-27, RPJ-FIRE-29.
    """
    who, whom = battle.fight.fighter(by), battle.fight.fighter(mover)
    if shot is Shooting.OVERWATCH:
        is_open = who.under_fire.overwatch == whom.region
    else:
        is_open = who.free_attacks > 0 and by in whom.under_fire.suppressors
    return is_open and shot_arm(battle, by, mover) is not None


def at_mover(battle: Battle, by: str, mover: str, shot: Shooting) -> RpjAim | None:
    """A combatant's shot out of turn, or None without a usable weapon."""
    arm = shot_arm(battle, by, mover)
    return None if arm is None else RpjAim(attacker=by, target=mover, arm=arm, shot=shot)
