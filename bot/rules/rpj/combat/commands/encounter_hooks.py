"""Joining, initiative and turns, as the encounter commands call them."""

from collections.abc import Sequence
from dataclasses import replace

from bot.rules.kernel import NOBODY, CharacterId, Roll, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.concentration import broken
from bot.rules.rpj.character.health_changes import with_health
from bot.rules.rpj.character.roll_deadlines import FIRST_TURN
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.combat.commands.turn_passing import passed_on, with_turn
from bot.rules.rpj.combat.engine.luck_in_fights import initiative_button
from bot.rules.rpj.combat.engine.stack import outcome
from bot.rules.rpj.combat.rules.bindings import assert_can_fight
from bot.rules.rpj.combat.rules.initiative import (
    INITIATIVE,
    LAST,
    ROLL_OFF,
    RollOffInputs,
    by_fiat,
    cannot_roll,
    combat_order,
    demoted,
    initiative_check,
    joined,
    settled,
    ties,
)
from bot.rules.rpj.combat.rules.joining import new_combatant
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.rules.turns import begun
from bot.rules.rpj.combat.state.battlefield import line
from bot.rules.rpj.combat.state.combatant import RpjCombatant, RpjKind, fighter_id
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT, MOOKS, Fight
from bot.rules.rpj.module.require_rules import Pack, is_on
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.resolution.inputs import RpjCheckInputs
from bot.rules.shared.encounters import StartOptions


def opened(scene: Scene, _options: StartOptions) -> Fight:
    """A new fight without combatants.

    Raises:
        UserError: If the module lacks what fights need.

    Source: RPJ-GCS-02, RPJ-GCS-63, RPJ-CINE-01.
    """
    module = module_in(scene.settings)
    assert_can_fight(module)
    rules = module.combat
    is_cinematic = rules.is_cinematic and is_on(scene.settings, Pack.CINEMATIC_COMBAT)
    return Fight(field=line(rules.regions), is_cinematic=is_cinematic)


# --- initiative --------------------------------------------------------------------------------


def unrolled(fight: Fight) -> tuple[RpjCombatant, ...]:
    """The combatants who still have to roll initiative."""
    return tuple(one for one in fight.present if one.kind is not RpjKind.MOOK and one.initiative is None)


def with_initiative(stage: Stage, id_: str, inputs: RpjCheckInputs, dice: Dice) -> Stage:
    """The stage with a combatant's initiative roll.

    Source: RPJ-GCS-15.
    """
    roll = INITIATIVE.resolve(inputs, dice)
    changes = {"initiative": roll.total, "modifier": inputs.modifier, "toss": 0}
    fighter = evolve(stage.fight.fighter(id_), **changes)
    stage = stage.with_battle(stage.battle.with_fighter(fighter)).rolled(id_, roll)
    return initiative_button(stage, id_, roll)


def rolled_initiative(stage: Stage, id_: str, dice: Dice) -> Stage:
    """The stage with a combatant's first initiative roll.

    Source: RPJ-GCS-15, RPJ-GCS-18, RPJ-INV-04 (INV-04a).
    """
    who = stage.battle[id_]
    if cannot_roll(who.figure):
        stage = stage.with_battle(stage.battle.changed(id_, initiative=LAST))
        return stage.noted(f"{who.name} carries too much to roll initiative and acts last.")
    surprise = stage.fight.surprise.get(stage.fight.fighter(id_).side, 0)
    return with_initiative(stage, id_, initiative_check(stage.battle[id_], surprise), dice)


def in_order(stage: Stage) -> Stage:
    """The stage with the rolled order.

    Source: RPJ-GCS-16.
    """
    order = combat_order(stage.fight.combatants)
    return stage.with_battle(stage.battle.with_fight(evolve(stage.fight, order=order)))


def tossed(stage: Stage, kind: RpjKind, dice: Dice) -> Stage:
    """The stage with the ties of one kind settled by dice.

    Source: RPJ-GCS-16 (R-078).
    """
    for tied in tuple(ties(stage.fight.combatants, kind)):
        roll: Roll = ROLL_OFF.resolve(RollOffInputs(names=tuple(one.id for one in tied)), dice)
        places = roll.verdict.title.split(", then ")
        for fighter in settled(tied, places):
            stage = stage.with_battle(stage.battle.with_fighter(fighter))
        stage = replace(stage, rolls=(*stage.rolls, _named(stage, roll, tied).by(NOBODY)))
    return in_order(stage)


def _named(stage: Stage, roll: Roll, tied: Sequence[RpjCombatant]) -> Roll:
    """A roll-off with names instead of ids."""
    names = {one.id: one.name for one in tied}
    places = ", then ".join(names[id_] for id_ in roll.verdict.title.split(", then "))
    return replace(
        roll,
        inputs=RollOffInputs(names=tuple(one.name for one in tied)),
        dice=tuple(replace(die, label=names[die.label]) for die in roll.dice),
        verdict=replace(roll.verdict, title=places),
    )


def order_words(stage: Stage) -> str:
    """The order with initiative values, as a sentence."""
    people = [stage.fight.fighter(id_) for id_ in stage.fight.order]
    names = [f"{one.name} ({one.initiative})" if (one.initiative or 0) > 0 else one.name for one in people]
    has_mooks = any(one.kind is RpjKind.MOOK for one in stage.fight.present)
    return f"The order: {', '.join([*names, *(['mooks'] if has_mooks else [])])}."


def begin(scene: Scene, dice: Dice) -> Outcome:
    """Roll initiative, or start the first round if that is done.

    Source: RPJ-GCS-08, RPJ-GCS-15 to RPJ-GCS-17.
    """
    stage = Stage.of(scene)
    waiting = unrolled(stage.fight)
    if not waiting and stage.fight.order:
        return _first_round(tossed(stage, RpjKind.PLAYER, dice) if _are_tied(stage) else stage, dice)
    stage = _disturbed(stage, *(one.character for one in stage.fight.present))
    for fighter in waiting:
        stage = rolled_initiative(stage, fighter.id, dice)
    stage = tossed(in_order(stage), RpjKind.NPC, dice)
    tied = [" and ".join(one.name for one in group) for group in ties(stage.fight.combatants, RpjKind.PLAYER)]
    notes = [f"{names} are tied: they choose, or dice decide when round 1 starts." for names in tied]
    return outcome(stage.noted(order_words(stage), *notes), "rolls initiative")


def _disturbed(stage: Stage, *characters: CharacterId | None) -> Stage:
    """The stage after the fight has broken everyone's concentration.

    Source: RPJ-SMAG-16.
    """
    for who in characters:
        if who is not None:
            stage = stage.in_scene(broken(stage.scene, who))
    return stage


def _are_tied(stage: Stage) -> bool:
    """Whether players are tied and have not chosen their order."""
    return any(True for _group in ties(stage.fight.combatants, RpjKind.PLAYER))


def off_the_clock(stage: Stage, *ids: str) -> Stage:
    """The stage with bleeding characters rolling in their turns, no longer by the minute.

    Source: RPJ-GCS-33 (R-088).
    """
    for id_ in ids:
        character = stage.character(id_)
        health = stage.battle[id_].health
        if character is None or not health.is_bleeding:
            continue
        health = evolve(health, due=None)
        scene = with_health(stage.scene, character, health, in_combat=True)
        stage = stage.in_scene(scene).with_health(id_, health)
    return stage


def _first_round(stage: Stage, dice: Dice) -> Outcome:
    stage = off_the_clock(stage, *(one.id for one in stage.fight.present))
    stage = with_turn(stage.with_battle(begun(stage.battle)), dice)
    done = outcome(stage, "starts round 1")
    return replace(done, moments=(*done.moments, FIRST_TURN))


def enter(scene: Scene, ids: Sequence[CharacterId], dice: Dice) -> Outcome:
    """Add newcomers to a running fight, in the places their rolls give.

    Source: RPJ-GCS-16 (R-134).
    """
    encounter = FIGHTS_KEPT.the(scene)
    seats = [new_combatant(scene, scene.character(who)) for who in ids]
    stage = _disturbed(Stage.of(FIGHTS_KEPT.keep(scene, encounter.with_newcomers(seats))), *ids)
    for who in ids:
        fighter = stage.fight.fighter(fighter_id(who))
        if fighter.kind is RpjKind.MOOK:
            continue
        stage = rolled_initiative(stage, fighter.id, dice)
        stage = off_the_clock(stage, fighter.id)
        newcomer = stage.fight.fighter(fighter.id)
        order = joined(stage.fight.order, stage.fight.combatants, newcomer)
        usual = joined(stage.fight.usual, stage.fight.combatants, newcomer) if stage.fight.usual else ()
        fight = evolve(stage.fight, order=order, usual=usual)
        stage = stage.with_battle(stage.battle.with_fight(fight))
    return outcome(stage.noted(order_words(stage)), "joins the encounter")


# --- turns -------------------------------------------------------------------------------------


def advance(scene: Scene, dice: Dice) -> Outcome:
    """End the current turn.

    Source: RPJ-GCS-08, RPJ-GCS-22.
    """
    stage = Stage.of(scene)
    stage.assert_quiet()
    return outcome(passed_on(stage, dice), "ends the turn")


# --- order by hand ----------------------------------------------------------------


def delay(scene: Scene, who: CharacterId, after: CharacterId | None) -> Outcome:
    """Move down the order, before the fight starts.

    Source: RPJ-GCS-17.
    """
    stage = Stage.of(scene)
    order = stage.fight.order
    if stage.fight.has_begun:
        raise UserError(
            "You can only move down the order before the fight starts.",
            "The order is fixed for the rest of the fight.",
        )
    own = fighter_id(who)
    if own not in order:
        raise UserError("There is no initiative order yet.", try_this="Roll initiative first.")
    place = order.index(own) + 1
    last = order[place] if place < len(order) else MOOKS
    changed = demoted(order, own, fighter_id(after) if after is not None else last)
    stage = _set_order(stage, changed)
    return outcome(stage.noted(order_words(stage)), "moves down the initiative order")


def _set_order(stage: Stage, order: Sequence[str]) -> Stage:
    """The stage with a chosen order, ties included."""
    fighters = tuple(
        one
        if one.id not in order
        else evolve(one, toss=len(order) - order.index(one.id), initiative=one.initiative or 0)
        for one in stage.fight.combatants
    )
    fight = evolve(stage.fight, order=tuple(order), combatants=fighters, usual=())
    return stage.with_battle(stage.battle.with_fight(fight))


def reorder(scene: Scene, ids: Sequence[CharacterId]) -> Outcome:
    """Set the order; those not named follow as before.

    Source: RPJ-GCS-19.
    """
    stage = Stage.of(scene)
    everybody = [one.id for one in stage.fight.present if one.kind is not RpjKind.MOOK]
    standing = [*stage.fight.order, *(id_ for id_ in everybody if id_ not in stage.fight.order)]
    named = [fighter_id(who) for who in ids if fighter_id(who) in standing]
    order = by_fiat(standing, [*named, *(id_ for id_ in standing if id_ not in named)])
    stage = _set_order(stage, order)
    return outcome(stage.noted(order_words(stage)), "sets the initiative order")
