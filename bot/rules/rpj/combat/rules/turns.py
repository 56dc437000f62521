"""Rounds and turns: what begins and ends with them, and what a turn can be spent on."""

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
    """Who has turns in this round, in order; mooks together at the end.

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
    """A fight whose first turn begins; from now on the order stays.

    Raises:
        UserError: If it has begun, or nobody has an order.

    Source: RPJ-GCS-08, RPJ-GCS-17.
    """
    if battle.fight.has_begun:
        raise UserError("This fight has begun already.")
    if not slots(battle):
        raise UserError("Nobody is in the order yet.", try_this="Let everybody roll for initiative.")
    return _turn_of(_new_round(battle), 0)


def next_turn(battle: Battle) -> Battle:
    """The next turn: whoever is out has theirs too, to see whether they live.

    Raises:
        UserError: If the fight has not begun.

    Source: RPJ-GCS-08, RPJ-GCS-22.
    """
    if not battle.fight.has_begun:
        raise UserError("This fight has not begun.")
    turns = slots(battle)
    sharing = [turns.index(one) for one in battle.fight.together if one in turns]
    over = _turn_over(battle)
    over = over.with_fight(over.fight.model_copy(update={"together": ()}))
    place = turns.index(battle.fight.turn) + 1 if battle.fight.turn in turns else len(turns)
    place = max([place, *(at + 1 for at in sharing)])
    if place < len(turns):
        return _turn_of(over, place)
    return _turn_of(_new_round(over), 0)


def acting(battle: Battle) -> tuple[RpjCombatant, ...]:
    """Those whose turn it is.

    Source: RPJ-GCS-08, RPJ-GCS-47.
    """
    return tuple(fighter for fighter in battle.fight.present if battle.fight.acts(fighter))


def _all_acting(battle: Battle) -> tuple[RpjCombatant, ...]:
    """Those whose turn it is, with hidden mooks: they have actions, too, if they come out in it.

    Source: RPJ-GCS-47.
    """
    lurking = (one for one in battle.fight.hiding if one.kind is RpjKind.MOOK and battle.fight.acts(one))
    return (*acting(battle), *lurking)


def _new_round(battle: Battle) -> Battle:
    """A round begins: everybody has a free attack again, and nobody has been attacked in it.

    Source: RPJ-GCS-08, RPJ-GCS-13, RPJ-GCS-42 (R-106).
    """
    fresh = {"free_attacks": 1, "was_targeted": False}
    fighters = tuple(fighter.model_copy(update=fresh) for fighter in battle.fight.combatants)
    round_ = battle.fight.round + 1
    changes = {"combatants": fighters, "round": round_, "order": usual_order(battle.fight), "usual": ()}
    return new_round(battle.with_fight(battle.fight.model_copy(update=changes)))


def usual_order(fight: Fight) -> tuple[str, ...]:
    """The order of the next round: turns that were put off, or not in the order yet, are where they belong.

    Source: RPJ-CINE-07 (CINE-07a).
    """
    there = {one.id for one in fight.combatants}
    kept = [one for one in fight.usual if one in there]
    return (*kept, *(one for one in fight.order if one not in fight.usual))


def _turn_of(battle: Battle, place: int) -> Battle:
    battle = battle.with_fight(battle.fight.model_copy(update={"turn": slots(battle)[place]}))
    for fighter in _all_acting(battle):
        battle = turn_begun(battle, fighter.id)
    return battle


def turn_begun(battle: Battle, id_: str) -> Battle:
    """Somebody's turn begins: actions come, flags, charges and bans go.

    Source: RPJ-GCS-09, RPJ-GCS-22, RPJ-MNV-05, RPJ-MNV-08.
    """
    actions = battle[id_].actions
    battle = battle.under_fire(id_, battle.fight.fighter(id_).under_fire.turn_began())
    return battle.changed(id_, turn=Turn(actions=actions, received=actions), charges=0, barred=())


def _turn_over(battle: Battle) -> Battle:
    """A turn ends; what is left of it is lost.

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
    """Spend one action on anything else that takes a few seconds.

    Raises:
        UserError: If it is not one's turn, or no action is left.

    Source: RPJ-GCS-12.
    """
    battle.assert_free(id_)
    return battle.spent(id_)


def full_task(battle: Battle, id_: str) -> Battle:
    """Spend the whole turn on a task of up to a minute; it is done at the end of the turn.

    Raises:
        UserError: If part of the turn is spent, or somebody has attacked in this round.

    Source: RPJ-GCS-13 (R-075).
    """
    battle.assert_turn(id_)
    battle.assert_free(id_)
    fighter = battle.fight.fighter(id_)
    if not fighter.turn.is_untouched:
        raise UserError("That takes a whole turn, and part of this one is spent.")
    if fighter.was_targeted:
        raise UserError(f"{fighter.name} has been attacked in this round.", "That leaves no minute in peace.")
    return battle.end_turn_of(id_)


def swapped(battle: Battle, id_: str, wielded: tuple[str, ...]) -> Battle:
    """Take other things in hand: once a turn for nothing, then for an action; overloaded, always for two.

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
    """Actions that it takes somebody to change what is in their hands now.

    Source: RPJ-GCS-14, RPJ-INV-06 (INV-06a).
    """
    who = battle[id_]
    tier = RpjTier.FREE if who.sheeted is None else tier_in(who.figure)
    return switch_actions(tier, int(who.fighter.turn.has_swapped))
