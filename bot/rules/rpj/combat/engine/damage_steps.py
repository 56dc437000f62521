"""Steps: damage saves, defeated mooks, critical hits, giga damage."""

from dataclasses import replace

from bot.rules.kernel import Family, FollowUp, Verdict, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.outcome import down, harm, holds, label_with, shown_number
from bot.rules.rpj.character.damage_saves import (
    Spot,
    Strike,
    after_save,
    damage_save,
    is_unlimited,
    next_save,
    save_reason,
    unrolled,
)
from bot.rules.rpj.character.incapacity import as_npcs_go
from bot.rules.rpj.character.lucky_breaks import lucky_breaks_left
from bot.rules.rpj.combat.engine.stack import (
    DoomOptions,
    SaveStepOptions,
    button_for,
    gm_button,
    offer_lucky_break,
    thrown,
)
from bot.rules.rpj.combat.rules.attacks import Hit, critical_loss, met, mook_felled
from bot.rules.rpj.combat.rules.combatants import FighterStats
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.step import Step
from bot.rules.rpj.gm_damage import crushed_notes, survive_buttons
from bot.rules.rpj.module.basics import UPWARD, gap
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.resolution.check import chance_words
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs


class Saving(Step, kind="saves"):
    """Damage saves to roll, one for each hit."""

    target: str
    strikes: tuple[Strike, ...]

    @property
    def whose(self) -> tuple[str, ...]:
        """The combatant who saves."""
        return (self.target,)

    def waits(self, stage: Stage) -> bool:
        """Whether a player rolls it."""
        return is_players(stage, self.target) and is_saved_against(stage, self.target, self.strikes[0])

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll the first save; the others wait. [RPJ-GCS-31, RPJ-HEALTH-12, RPJ-HEALTH-17]"""
        whom, strike, rest = stage.battle[self.target], self.strikes[0], self.strikes[1:]
        spot = next_save(whom.figure, strike) if whom.is_able else None
        if spot is None:
            return stage
        if rest:
            stage = stage.pushed(evolve(self, strikes=rest))
        settled = unsaved(stage, self.target, strike, spot)
        if settled is not None:
            return settled
        before = stage
        inputs = damage_save(whom.figure, spot, strike)
        roll = met(thrown(inputs, dice, rolled), save_reason(spot, inputs))
        struck = after_save(whom.figure, spot, strike, roll)
        saved = Verdict(Family.SUCCESS, "saved")
        lost = Verdict(Family.FAILURE, "all saves lost" if struck.is_whole else f"{spot.target}+ save lost")
        spared = Verdict(Family.FAILURE, "save failed")
        verdict = spared if struck.is_spared else lost if struck.lost else saved
        word = "lost" if struck.lost else "failed" if struck.is_spared else "saved"
        stage = stage.rolled(self.target, roll, verdict=verdict, word=word)
        stage = stage.concerning(self.target)
        alone = evolve(self, strikes=(strike,))
        stage = offer_lucky_break(stage, before, alone, roll, against=self.target)
        if struck.is_spared:
            note = harm(f"{whom.name} fails the save; a legendary foe loses none.")
            return stage if note in stage.notes else stage.noted(note)
        if struck.lost is None:
            note = holds(f"{whom.name}'s {spot.layer.name} holds.")
            return stage if note in stage.notes else stage.noted(note)
        if not is_players(stage, self.target):
            stage = stage.noted(harm(f"{whom.name} loses a save."))
        if struck.breaks and spot.layer.kind is not LayerKind.BASE:
            stage = stage.noted(harm(f"{whom.name}'s {spot.layer.name} is broken."))
        return hurt(stage, self.target, struck.health)

    def inputs(self, stage: Stage) -> tuple[Spot, RpjCheckInputs] | None:
        """The next save with the inputs of its roll, or None."""
        figure, strike = stage.battle[self.target].figure, self.strikes[0]
        spot = next_save(figure, strike)
        return None if spot is None else (spot, damage_save(figure, spot, strike))

    def lucky_inputs(self, stage: Stage) -> RpjCheckInputs | None:
        """The inputs of the same roll with a third die."""
        found = self.inputs(stage)
        return None if found is None else evolve(found[1], has_extra_die=True)

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """One save, all of them, or one with a Lucky Break."""
        found = self.inputs(stage)
        if found is None:
            return ()
        _spot, inputs = found
        many = len(self.strikes)
        own = SaveStepOptions(target=self.target)
        words = f"save {inputs.target}+ · {chance_words(inputs)}"
        buttons = [button_for(stage, self.target, "fight.save", own, words)]
        character = stage.character(self.target)
        has_luck = character is not None and lucky_breaks_left(character) > 0
        if many > 1:
            every = evolve(own, all=True)
            costs = ", Lucky Break last" if has_luck else ""
            words = f"roll all {many} saves{costs}"
            buttons.append(button_for(stage, self.target, "fight.save", every, words))
        if has_luck:
            lucky = evolve(own, lucky=True)
            odds = chance_words(evolve(inputs, has_extra_die=True))
            words = f"Lucky Break · {odds}"
            buttons.append(button_for(stage, self.target, "fight.save", lucky, words))
        return tuple(buttons)

    def words(self, stage: Stage) -> str:
        """The saves and the damage, as a phrase."""
        damage = f"{shown_number(self.strikes[0].damage)} damage"
        saves = "save" if len(self.strikes) == 1 else f"{len(self.strikes)} saves"
        return f"{stage.fight.fighter(self.target).name}'s {saves} against {damage}"

    def waiting_words(self, stage: Stage) -> str:
        """Who saves and how often, as the start of a sentence."""
        count = f", {len(self.strikes)} left" if len(self.strikes) > 1 else ""
        return f"{stage.fight.fighter(self.target).name} is hit and must save{count}"

    def pushed_words(self, stage: Stage) -> str:
        """What the GM does by continuing: roll the save."""
        return "rolls a damage save"


class UnsavedDamage(Step, kind="doom"):
    """Damage without a save, which the GM confirms."""

    target: str
    strike: Strike

    @property
    def whose(self) -> tuple[str, ...]:
        """The target."""
        return (self.target,)

    def waits(self, stage: Stage) -> bool:
        """Whether the GM decides: for player characters and helpless targets."""
        return is_players(stage, self.target) or not stage.battle[self.target].is_able

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Apply giga damage, or a shot at a helpless target. [RPJ-SCALE-06, RPJ-FIRE-15 (FIRE-15b)]"""
        whom = stage.battle[self.target]
        if not whom.is_able:
            dead = evolve(whom.health, out=Out.DEAD)
            verdict = Verdict(Family.FAILURE, f"{whom.name} dies")
            return replace(stage.with_health(self.target, dead), verdict=stage.verdict or verdict)
        return crushed(stage, self.target, self.strike)

    def pushed_on(self, stage: Stage, dice: Dice) -> Stage:
        """Strike targets who stand and spare helpless ones."""
        is_able = stage.battle[self.target].is_able
        return self.run(stage.popped(), dice) if is_able else stage.popped()

    def deal(self, stage: Stage) -> str:
        """The damage the GM confirms or cancels."""
        is_able = stage.battle[self.target].is_able
        return "apply damage, no save" if is_able else "shot while helpless: dies"

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """The GM's buttons: confirm or spare. [RPJ-SCALE-06]"""
        name, deal = stage.fight.fighter(self.target).name, self.deal(stage)
        home, spared = DoomOptions(target=self.target), DoomOptions(target=self.target, strikes=False)
        buttons = (
            gm_button("fight.doom", home, label_with(name, f": {deal} (GM)")),
            gm_button("fight.doom", spared, f"Spare {name} (GM)"),
        )
        return tuple(replace(one, deal=deal) for one in buttons)

    def words(self, stage: Stage) -> str:
        """The target the GM decides about, as a phrase."""
        return f"The GM's decision about damage without a save to {stage.fight.fighter(self.target).name}"

    def waiting_words(self, stage: Stage) -> str:
        """The target and the reason, as the start of a sentence."""
        how = "struck by giga damage" if stage.battle[self.target].is_able else "shot while helpless"
        return f"{stage.fight.fighter(self.target).name} is {how}: the GM decides"

    def pushed_words(self, stage: Stage) -> str:
        """What the GM does by continuing: strike or spare."""
        name, is_able = stage.fight.fighter(self.target).name, stage.battle[self.target].is_able
        return self.struck_words(stage) if is_able else f"spares {name}"

    def struck_words(self, stage: Stage) -> str:
        """What the GM does by confirming, as a headline."""
        what = "giga damage" if stage.battle[self.target].is_able else "the shot"
        return f"applies {what} to {stage.fight.fighter(self.target).name}"


def is_players(stage: Stage, id_: str) -> bool:
    """Whether a combatant is a player character."""
    who = stage.character(id_)
    return who is not None and who.owner is not None


def hurt(stage: Stage, target: str, health: RpjHealth) -> Stage:
    """Apply damage to a combatant's health; NPCs out of action may die at once.

    [RPJ-GCS-32, RPJ-GCS-33 (R-090), RPJ-GCS-35]
    """
    whom = stage.battle[target]
    if not is_players(stage, target):
        health = as_npcs_go(health, stage.battle.rules)
    stage = stage.with_health(target, health)
    if health.out is not Out.NO and whom.is_able:
        bleeding = " and bleeding" if health.is_bleeding else ""
        stage = stage.noted(down(f"{whom.name} is {health.out}{bleeding}."))
    return stage


def landed(stage: Stage, target: str, *struck: Hit, spare: bool = False) -> Stage:
    """Apply hits: mooks go down, critical hits cost a save, others allow a save.

    [RPJ-GCS-30, RPJ-GCS-31, RPJ-GCS-48, RPJ-HEALTH-17]
    """
    if stage.battle[target].mook is not None:
        return mook_struck(stage, target, *struck, spare=spare)
    if not stage.battle[target].is_able:
        strike = next(hit.strike for hit in struck if hit.strike is not None)
        return stage.pushed(UnsavedDamage(target=target, strike=strike))
    strikes: list[Strike] = []
    for hit in struck:
        if hit.strike is not None and hit.is_critical:
            stage = without_roll(stage, target, hit.strike)
        elif hit.strike is not None:
            strikes += [evolve(hit.strike, hits=1)] * hit.strike.hits
    return stage.pushed(Saving(target=target, strikes=tuple(strikes))) if strikes else stage


def mook_struck(stage: Stage, target: str, *struck: Hit, spare: bool) -> Stage:
    """Apply a hit to a mook: it goes down unless its scale is too large.

    [RPJ-GCS-48, RPJ-SCALE-01 (SCALE-01b)]
    """
    whom = stage.battle[target]
    felling = [hit for hit in struck if _fells(whom, hit)]
    if not felling:
        return stage.noted(harm(f"That can't harm {whom.name} ({whom.scale} scale)."))
    spared = spare or all(hit.strike is not None and hit.strike.is_nonlethal for hit in felling)
    stage = stage.with_battle(mook_felled(stage.battle, target, spared=spared))
    return stage.noted(down(f"{whom.name} is {'knocked out' if spared else 'dead'}."))


def _fells(whom: FighterStats, hit: Hit) -> bool:
    """Whether a hit kills a mook; one scale up takes a critical hit. [RPJ-SCALE-01 (SCALE-01b)]"""
    if hit.strike is None or Pack.DAMAGE_SCALES not in whom.module.optional_rules:
        return True
    above = gap(hit.strike.scale, whom.scale)
    return above > UPWARD or (above == UPWARD and hit.is_critical)


def without_roll(stage: Stage, target: str, strike: Strike) -> Stage:
    """Apply what a critical hit costs without a roll. [RPJ-GCS-30, RPJ-SCALE-07]"""
    whom = stage.battle[target]
    if not whom.is_able:
        return stage
    spot = next_save(whom.figure, strike)
    settled = unsaved(stage, target, strike, spot) if spot is not None else None
    if settled is not None:
        return settled
    health, losses = critical_loss(whom.figure, strike)
    for loss in losses:
        lost = "all saves" if loss.is_whole else f"{loss.spot.target}+"
        what = f"{lost} of {loss.spot.layer.name}" if is_players(stage, target) else "a save"
        stage = stage.noted(harm(f"{whom.name} loses {what} without a roll."))
    return hurt(stage, target, health)


def is_saved_against(stage: Stage, target: str, strike: Strike) -> bool:
    """Whether a combatant rolls a save against damage. [RPJ-SCALE-04, RPJ-SCALE-06]"""
    whom = stage.battle[target]
    spot = next_save(whom.figure, strike) if whom.is_able else None
    return spot is not None and unrolled(whom.figure, spot, strike) is None


def unsaved(stage: Stage, target: str, strike: Strike, spot: Spot) -> Stage | None:
    """Apply damage that allows no save; None if a save is rolled. [RPJ-SCALE-04, RPJ-SCALE-06]"""
    whom = stage.battle[target]
    after = unrolled(whom.figure, spot, strike)
    if after is None:
        return None
    if after == whom.health and is_unlimited(whom.figure):
        return stage.noted(holds(f"{whom.name} loses no save from that."))
    if after == whom.health:
        scale = spot.layer.scale
        return stage.noted(harm(f"{strike.scale.capitalize()} damage can't harm a {scale} layer."))
    return stage.pushed(UnsavedDamage(target=target, strike=strike))


def crushed(stage: Stage, target: str, strike: Strike) -> Stage:
    """Apply giga damage to a target of normal scale; player characters may survive it at a price.

    [RPJ-SCALE-06, RPJ-SCALE-08]
    """
    whom = stage.battle[target]
    spot = next_save(whom.figure, strike) if whom.is_able else None
    after = unrolled(whom.figure, spot, strike) if spot is not None else None
    if after is None:
        return stage
    stage = hurt(stage.noted(*crushed_notes(whom.name, after)), target, after)
    character = stage.character(target)
    buttons = survive_buttons(stage.scene, character, after) if character is not None else ()
    return replace(stage, buttons=(*stage.buttons, *buttons))
