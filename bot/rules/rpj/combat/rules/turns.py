"""Rounds and turns: what starts and ends with them, and spending a turn."""

from bot.rules.kernel import evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.carrying import tier_in
from bot.rules.rpj.character.combat_traits import goes_first
from bot.rules.rpj.combat.rules.ammunition_in_fights import new_round
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.rules.initiative import first_round
from bot.rules.rpj.combat.state.combatant import RpjCombatant, RpjKind, Turn
from bot.rules.rpj.combat.state.fight import MOOKS, Fight
from bot.rules.rpj.module.loads import RpjTier, switch_actions


def slots(battle: Battle) -> tuple[str, ...]:
    """This round's turns, in order; mooks together at the end.

    Source: RPJ-GCS-08, RPJ-GCS-16, RPJ-GCS-47.
    """
    fight = battle.fight
    order = fight.order
    if fight.round <= 1:
        quick = [slot for slot in order if goes_first(battle[slot].figure)]
        order = first_round(order, quick)
    has_mooks = any(fighter.kind is RpjKind.MOOK for fighter in fight.present)
    return (*order, MOOKS) if has_mooks else order


def begun(battle: Battle) -> Battle:
    """The fight at its first turn; the order is fixed from now on.

    Raises:
        UserError: If it has begun, or nobody has an order.

    Source: RPJ-GCS-08, RPJ-GCS-17.
    """
    if battle.fight.has_begun:
        raise UserError("This fight has already started.")
    if not slots(battle):
        raise UserError("There is no initiative order yet.", try_this="Roll initiative.")
    return _turn_of(_new_round(battle), 0)


def next_turn(battle: Battle) -> Battle:
    """The battle with the next turn; characters out of action also have theirs, to roll.

    Raises:
        UserError: If the fight has not begun.

    Source: RPJ-GCS-08, RPJ-GCS-22.
    """
    if not battle.fight.has_begun:
        raise UserError("This fight hasn't started.")
    turns = slots(battle)
    sharing = [turns.index(one) for one in battle.fight.together if one in turns]
    over = _turn_over(battle)
    over = over.with_fight(evolve(over.fight, together=()))
    place = turns.index(battle.fight.turn) + 1 if battle.fight.turn in turns else len(turns)
    place = max([place, *(at + 1 for at in sharing)])
    if place < len(turns):
        return _turn_of(over, place)
    return _turn_of(_new_round(over), 0)


def acting(battle: Battle) -> tuple[RpjCombatant, ...]:
    """The combatants whose turn it is.

    Source: RPJ-GCS-08, RPJ-GCS-47.
    """
    return tuple(fighter for fighter in battle.fight.present if battle.fight.acts(fighter))


def _all_acting(battle: Battle) -> tuple[RpjCombatant, ...]:
    """The combatants whose turn it is, including hidden mooks, who can act if revealed.

    Source: RPJ-GCS-47.
    """
    hidden = (one for one in battle.fight.hiding if one.kind is RpjKind.MOOK and battle.fight.acts(one))
    return (*acting(battle), *hidden)


def _new_round(battle: Battle) -> Battle:
    """Start a round: everyone has a free attack again, and nobody has been attacked yet.

    Source: RPJ-GCS-08, RPJ-GCS-13, RPJ-GCS-42 (R-106).
    """
    fresh = {"free_attacks": 1, "was_targeted": False}
    fighters = tuple(evolve(fighter, **fresh) for fighter in battle.fight.combatants)
    round_ = battle.fight.round + 1
    changes = {"combatants": fighters, "round": round_, "order": usual_order(battle.fight), "usual": ()}
    return new_round(battle.with_fight(evolve(battle.fight, **changes)))


def usual_order(fight: Fight) -> tuple[str, ...]:
    """The order of the next round, with deferred and new turns in their usual places.

    Source: RPJ-CINE-07 (CINE-07a).
    """
    there = {one.id for one in fight.combatants}
    kept = [one for one in fight.usual if one in there]
    return (*kept, *(one for one in fight.order if one not in fight.usual))


def _turn_of(battle: Battle, place: int) -> Battle:
    battle = battle.with_fight(evolve(battle.fight, turn=slots(battle)[place]))
    for fighter in _all_acting(battle):
        battle = turn_begun(battle, fighter.id)
    return battle


def turn_begun(battle: Battle, id_: str) -> Battle:
    """Start a combatant's turn: refresh actions, end flags, charges and bans.

    Source: RPJ-GCS-09, RPJ-GCS-22, RPJ-MNV-05, RPJ-MNV-08.
    """
    actions = battle[id_].actions
    battle = battle.under_fire(id_, battle.fight.fighter(id_).under_fire.turn_began())
    return battle.changed(id_, turn=Turn(actions=actions, received=actions), charges=0, barred=())


def _turn_over(battle: Battle) -> Battle:
    """End a turn; what is left of it is lost.

    Source: RPJ-GCS-22.
    """
    fight = battle.fight
    for fighter in _all_acting(battle):
        has_fought = fighter.turn.has_attacked or fighter.turn.has_coup or fighter.turn.has_checked
        state = fighter.under_fire.attacked() if has_fought else fighter.under_fire
        ended = state.turn_ended(fight.round, in_cover=bool(fight.covers_of(fighter)))
        battle = battle.end_turn_of(fighter.id).under_fire(fighter.id, ended)
    return battle


def single_task(battle: Battle, id_: str) -> Battle:
    """Spend one action on a task of a few seconds.

    Raises:
        UserError: If it is not one's turn, or no action is left.

    Source: RPJ-GCS-12.
    """
    battle.assert_free(id_)
    return battle.spent(id_)


def full_task(battle: Battle, id_: str) -> Battle:
    """Spend the whole turn on a task of up to a minute.

    Raises:
        UserError: If part of the turn is spent, or somebody has attacked in this round.

    Source: RPJ-GCS-13 (R-075).
    """
    battle.assert_turn(id_)
    battle.assert_free(id_)
    fighter = battle.fight.fighter(id_)
    if not fighter.turn.is_untouched:
        raise UserError("That takes a whole turn; you have already used part of this one.")
    if fighter.was_targeted:
        raise UserError(
            f"{fighter.name} has been attacked this round.",
            "You can't take a whole-turn action after being attacked.",
        )
    return battle.end_turn_of(id_)


def swapped(battle: Battle, id_: str, wielded: tuple[str, ...]) -> Battle:
    """Switch items in hand: once per turn for free, then for an action; overloaded, always for two.

    Args:
        battle: The battle.
        id_: Who does it.
        wielded: What is in their hands afterwards.

    Raises:
        UserError: If it is not one's turn, or not enough actions are left.

    Source: RPJ-GCS-14, RPJ-INV-06 (INV-06a).
    """
    battle.assert_turn(id_)
    if cost := swap_cost(battle, id_):
        battle = battle.spent(id_, cost)
    return battle.turned(id_, has_swapped=True).changed(id_, wielded=wielded)


def swap_cost(battle: Battle, id_: str) -> int:
    """The actions to switch items in hand now.

    Source: RPJ-GCS-14, RPJ-INV-06 (INV-06a).
    """
    who = battle[id_]
    tier = RpjTier.FREE if who.sheeted is None else tier_in(who.figure)
    return switch_actions(tier, int(who.fighter.turn.has_swapped))
