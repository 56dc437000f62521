"""Joining a fight, initiative, and passing turns on."""

import dataclasses
from collections.abc import Sequence

from msgspec.structs import replace

from bot.rules.kernel import NOBODY, CharacterId, Family, FollowUp, Roll, Verdict, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import to_do
from bot.rules.rpj.character.casters import broken
from bot.rules.rpj.character.damage_saves import Strike
from bot.rules.rpj.character.incapacity import (
    after_bleeding,
    bleeding_check,
    suffered_by,
    with_health,
    with_suffered,
)
from bot.rules.rpj.character.lucky_breaks import FIRST_TURN
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.combat.combatant import RpjCombatant, RpjKind, fighter_id, line
from bot.rules.rpj.combat.commands.cinematic_commands import sharing_button
from bot.rules.rpj.combat.engine.damage_steps import Saving, is_players
from bot.rules.rpj.combat.engine.stack import (
    BleedOptions,
    button_for,
    first,
    go_on,
    initiative_button,
    offer_lucky_break,
    outcome,
    thrown,
)
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, MOOKS, Fight, Step
from bot.rules.rpj.combat.rules.turns import (
    INITIATIVE,
    LAST,
    ROLL_OFF,
    RollOffInputs,
    Stage,
    acting,
    begun,
    by_fiat,
    cannot_roll,
    combat_order,
    demoted,
    initiative_check,
    joined,
    new_combatant,
    next_turn,
    settled,
    slots,
    ties,
)
from bot.rules.rpj.conditions import RepeatedDamage, damage_note, fallen, save_buttons, time_passes
from bot.rules.rpj.mass_rounds import offered_beside
from bot.rules.rpj.module.condition_kinds import MINUTE_SECONDS
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import assert_can_fight, is_on, module_in
from bot.rules.rpj.resolution.check import chance_words
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs
from bot.rules.shared.encounters import StartOptions


def turns_suffered(stage: Stage, fighters: Sequence[RpjCombatant], dice: Dice) -> Stage:
    """The stage after turns have ended and conditions have applied a minute's effects.

    [RPJ-COND-03 (COND-03b)]
    """
    for fighter in fighters:
        if fighter.character is not None and fighter.mook is None:
            stage = _turn_suffered(stage, fighter.character, dice)
    return stage


def _turn_suffered(stage: Stage, who: CharacterId, dice: Dice) -> Stage:
    character, id_ = stage.scene.character(who), fighter_id(who)
    has_any = bool(suffered_by(character)) and stage.battle[id_].figure.plays(Pack.CONDITIONS)
    if not has_any:
        return stage
    health = stage.battle[id_].health
    now = replace(character, sheet=evolve(character.sheet, health=health))
    until = {
        one.condition.name: one.told_until + MINUTE_SECONDS
        for one in suffered_by(character)
        if not one.is_fresh
    }
    passed = time_passes(now, until)
    settled = tuple(evolve(one, is_fresh=False) for one in passed.suffered)
    stage = stage.in_scene(with_suffered(stage.scene, who, settled)).noted(*passed.notes)
    if passed.out is not None:
        stage = stage.with_health(id_, fallen(health, passed.out))
    return _struck(stage, who, passed.blows, dice)


def _struck(stage: Stage, who: CharacterId, blows: Sequence[RepeatedDamage], dice: Dice) -> Stage:
    """NPCs roll their saves at once; players get a button."""
    character, id_ = stage.scene.character(who), fighter_id(who)
    stage = stage.noted(*(damage_note(blow, character.name) for blow in blows))
    if character.owner is not None:
        buttons = save_buttons(stage.scene, who, blows, in_combat=True)
        return replace(stage, buttons=(*stage.buttons, *buttons))
    for blow in blows:
        strike = Strike(damage=blow.tick.added, scale=blow.tick.scale, bypasses=blow.tick.bypasses)
        stage = Saving(target=id_, strikes=(strike,) * blow.times).run(stage, dice)
    return stage


class Bleed(Step, kind="bleed"):
    """A pending roll against bleeding out in a turn, which then ends."""

    who: str

    @property
    def whose(self) -> tuple[str, ...]:
        """Whoever bleeds."""
        return (self.who,)

    def waits(self, stage: Stage) -> bool:
        """Whether a player rolls it."""
        return is_players(stage, self.who)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll for somebody who bleeds. [RPJ-GCS-33, RPJ-GCS-34]"""
        whom = stage.battle[self.who]
        if not whom.health.is_bleeding:
            return stage
        before = stage
        roll = thrown(bleeding_check(whom.figure.module), dice, rolled)
        health = after_bleeding(whom.health, roll, stage.battle.rules)
        failed = "dies" if health.out is Out.DEAD else f"bleeds, {health.bleeding} of "
        if health.out is not Out.DEAD:
            failed += str(stage.battle.rules.bleeding_failures)
        verdict = (
            Verdict(Family.SUCCESS, "stabilized") if health.is_stable else Verdict(Family.FAILURE, failed)
        )
        stage = stage.rolled(self.who, roll, verdict=verdict).with_health(self.who, health)
        return offer_lucky_break(stage, before, self, roll, against=self.who)

    def pushed_on(self, stage: Stage, dice: Dice) -> Stage:
        """Roll, and end the turn."""
        return self.run(passed_on(stage.popped(), dice), dice)

    def settled(self, stage: Stage, dice: Dice) -> Stage:
        """Roll only: no turn is passed on when the fight ends."""
        return self.run(stage.popped(), dice)

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """The roll."""
        inputs = bleeding_check(stage.battle[self.who].figure.module)
        label = f"Roll against bleeding out: {inputs.target}+ · {chance_words(inputs)}"
        return (button_for(stage, self.who, "fight.bleed", BleedOptions(who=self.who), label),)

    def words(self, stage: Stage) -> str:
        """Whose roll."""
        return f"{stage.fight.fighter(self.who).name}'s roll against bleeding out"

    def waiting_words(self, stage: Stage) -> str:
        """Who bleeds."""
        return f"{stage.fight.fighter(self.who).name} is bleeding out"

    def pushed_words(self, stage: Stage) -> str:
        """The roll is made."""
        return "rolls against bleeding out"


@procedure("fight.bleed", needs_actor=False)
def bleed(scene: Scene, options: BleedOptions, dice: Dice) -> Outcome:
    """Roll against bleeding out in a turn, which then ends. [RPJ-GCS-33]"""
    stage = Stage.of(scene)
    step = first(stage, Bleed, who=options.who)
    return outcome(step.pushed_on(stage, dice), step.pushed_words(stage))


def passed_on(stage: Stage, dice: Dice) -> Stage:
    """The stage with the next turn; a new round advances the game clock.

    [RPJ-GCS-03, RPJ-GCS-08, RPJ-GCS-22]
    """
    passed = with_turn(_passed_over(stage, dice), dice)
    if passed.fight.round == stage.fight.round:
        return passed
    return replace(passed, buttons=(*passed.buttons, *offered_beside(passed.scene)))


def with_turn(stage: Stage, dice: Dice) -> Stage:
    """The stage at the start of a turn: bleeding characters roll, helpless ones are skipped.

    [RPJ-COND-04, RPJ-GCS-08, RPJ-GCS-32, RPJ-GCS-33 (R-088)]
    """
    for _ in range(2 * len(slots(stage.battle)) + 1):
        whose = stage.fight.turn
        if whose == MOOKS or (stage.battle[whose].is_able and stage.battle[whose].is_awake):
            break
        bleeds = stage.battle[whose].health.is_bleeding
        stage = go_on(stage.pushed(Bleed(who=whose)), dice) if bleeds else stage
        if stage.steps:
            return stage.noted(to_do(f"{stage.battle[whose].name} is bleeding and rolls."))
        stage = _passed_over(stage, dice)
    whose = "the mooks'" if stage.fight.turn == MOOKS else f"{stage.battle[stage.fight.turn].name}'s"
    stage = stage.noted(to_do(f"It is {whose} turn."))
    return replace(stage, buttons=(*stage.buttons, *sharing_button(stage)))


def _passed_over(stage: Stage, dice: Dice) -> Stage:
    before = stage.fight.round
    stage = turns_suffered(stage, acting(stage.battle), dice)
    stage = stage.with_battle(next_turn(stage.battle))
    if stage.fight.round == before:
        return stage
    clock = stage.scene.clock + stage.battle.rules.round_seconds
    return replace(stage, scene=stage.scene.at_clock(clock)).noted(f"Round {stage.fight.round} starts.")


def opened(scene: Scene, _options: StartOptions) -> Fight:
    """A new fight without combatants. [RPJ-GCS-02, RPJ-GCS-63, RPJ-CINE-01]

    Raises:
        UserError: If the module lacks what fights need.
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
    """The stage with a combatant's initiative roll. [RPJ-GCS-15]"""
    roll = INITIATIVE.resolve(inputs, dice)
    changes = {"initiative": roll.total, "modifier": inputs.modifier, "toss": 0}
    fighter = evolve(stage.fight.fighter(id_), **changes)
    stage = stage.with_battle(stage.battle.with_fighter(fighter)).rolled(id_, roll)
    return initiative_button(stage, id_, roll)


def rolled_initiative(stage: Stage, id_: str, dice: Dice) -> Stage:
    """The stage with a combatant's first initiative roll. [RPJ-GCS-15, RPJ-GCS-18, RPJ-INV-04 (INV-04a)]"""
    who = stage.battle[id_]
    if cannot_roll(who.figure):
        stage = stage.with_battle(stage.battle.changed(id_, initiative=LAST))
        return stage.noted(f"{who.name} carries too much to roll initiative and acts last.")
    surprise = stage.fight.surprise.get(stage.fight.fighter(id_).side, 0)
    return with_initiative(stage, id_, initiative_check(stage.battle[id_], surprise), dice)


def in_order(stage: Stage) -> Stage:
    """The stage with the rolled order. [RPJ-GCS-16]"""
    order = combat_order(stage.fight.combatants)
    return stage.with_battle(stage.battle.with_fight(evolve(stage.fight, order=order)))


def tossed(stage: Stage, kind: RpjKind, dice: Dice) -> Stage:
    """The stage with the ties of one kind settled by dice. [RPJ-GCS-16 (R-078)]"""
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
        dice=tuple(dataclasses.replace(die, label=names[die.label]) for die in roll.dice),
        verdict=dataclasses.replace(roll.verdict, title=places),
    )


def order_words(stage: Stage) -> str:
    """The order with initiative values, as a sentence."""
    people = [stage.fight.fighter(id_) for id_ in stage.fight.order]
    names = [f"{one.name} ({one.initiative})" if (one.initiative or 0) > 0 else one.name for one in people]
    has_mooks = any(one.kind is RpjKind.MOOK for one in stage.fight.present)
    return f"The order: {', '.join([*names, *(['mooks'] if has_mooks else [])])}."


def begin(scene: Scene, dice: Dice) -> Outcome:
    """Roll initiative, or start the first round if that is done. [RPJ-GCS-08, RPJ-GCS-15 to RPJ-GCS-17]"""
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
    """The stage after the fight has broken everyone's concentration. [RPJ-SMAG-16]"""
    for who in characters:
        if who is not None:
            stage = stage.in_scene(broken(stage.scene, who))
    return stage


def _are_tied(stage: Stage) -> bool:
    """Whether players are tied and have not chosen their order."""
    return any(True for _group in ties(stage.fight.combatants, RpjKind.PLAYER))


def off_the_clock(stage: Stage, *ids: str) -> Stage:
    """The stage with bleeding characters rolling in their turns, no longer by the minute.

    [RPJ-GCS-33 (R-088)]
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
    """Add newcomers to a running fight, in the places their rolls give. [RPJ-GCS-16 (R-134)]"""
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
    return outcome(stage.noted(order_words(stage)), "joins the fight")


# --- turns -------------------------------------------------------------------------------------


def advance(scene: Scene, dice: Dice) -> Outcome:
    """End the current turn. [RPJ-GCS-08, RPJ-GCS-22]"""
    stage = Stage.of(scene)
    stage.assert_quiet()
    return outcome(passed_on(stage, dice), "ends the turn")


# --- order by hand ----------------------------------------------------------------


def delay(scene: Scene, who: CharacterId, after: CharacterId | None) -> Outcome:
    """Move down the order, before the fight starts. [RPJ-GCS-17]"""
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
    """Set the order; those not named follow as before. [RPJ-GCS-19]"""
    stage = Stage.of(scene)
    everybody = [one.id for one in stage.fight.present if one.kind is not RpjKind.MOOK]
    standing = [*stage.fight.order, *(id_ for id_ in everybody if id_ not in stage.fight.order)]
    named = [fighter_id(who) for who in ids if fighter_id(who) in standing]
    order = by_fiat(standing, [*named, *(id_ for id_ in standing if id_ not in named)])
    stage = _set_order(stage, order)
    return outcome(stage.noted(order_words(stage)), "sets the initiative order")
