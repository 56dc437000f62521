"""Steps: damage saves, defeated mooks, critical hits, giga damage; and what is done to the helpless."""

from msgspec.structs import replace

from bot.rules.kernel import Family, FollowUp, NamedTerm, NoOptions, Verdict, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import down, harm, holds, label_with, short_name, shown_number
from bot.rules.rpj.character.damage_saves import (
    Spot,
    Strike,
    after_save,
    damage_save,
    is_unlimited,
    next_save,
    save_reason,
    treated,
    unrolled,
)
from bot.rules.rpj.character.incapacity import as_npcs_go, helped
from bot.rules.rpj.character.lucky_breaks import lucky_breaks_left
from bot.rules.rpj.character.sheet import Stats
from bot.rules.rpj.checks.skill_checks import Situation, skill_check
from bot.rules.rpj.combat.engine.stack import (
    DoomOptions,
    SaveStepOptions,
    button_for,
    gm_button,
    offer_lucky_break,
    thrown,
)
from bot.rules.rpj.combat.fight import PairStep, Step
from bot.rules.rpj.combat.rules.attacks import Hit, critical_loss, met, mook_felled
from bot.rules.rpj.combat.rules.combatants import Battle, FighterStats
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.gm_commands import crushed_notes, survive_buttons
from bot.rules.rpj.module.basics import UPWARD, RpjAttribute, gap
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.items import RpjGear
from bot.rules.rpj.module.module import Module, Pack, RpjSkill, SkillRole
from bot.rules.rpj.resolution.check import chance_words, reading_of
from bot.rules.rpj.resolution.check_inputs import BASE_TARGET, CheckKind, RpjCheckInputs


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


def _assert_instead(battle: Battle, actor: str, target: str) -> None:
    """Refuse an action that replaces a turn's attacks, where it is not possible."""
    battle.assert_turn(actor)
    battle.assert_free(actor)
    who, whom = battle[actor], battle[target]
    if who.fighter.turn.has_attacked:
        raise UserError(f"{who.name} has already attacked this turn.", "This replaces your attacks.")
    if not battle.fight.are_adjacent(who.fighter, whom.fighter):
        raise UserError(f"{whom.name} isn't in {who.name}'s group.", try_this="Move there first.")
    if whom.health.out not in (Out.INCAPACITATED, Out.KNOCKED_OUT):
        raise UserError(f"{whom.name} isn't incapacitated.", "Choose someone who is.")


def coup_begun(battle: Battle, actor: str, target: str) -> Battle:
    """The battle after paying for a coup de grace: one action, once per turn, instead of attacks.

    Raises:
        UserError: If it cannot be attempted.

    [RPJ-GCS-36]
    """
    _assert_instead(battle, actor, target)
    if battle.fight.fighter(actor).turn.has_coup:
        raise UserError("You can only attempt one coup de grace per turn.")
    return battle.spent(actor, has_coup=True).changed(target, was_targeted=True)


def assert_may_attack(battle: Battle, actor: str) -> None:
    """Refuse Attack actions in a grapple, under a condition, or after an action that replaces them.

    [RPJ-GCS-36, RPJ-GCS-37, RPJ-GCS-52, RPJ-COND-02]
    """
    battle.assert_turn(actor)
    battle.assert_free(actor)
    battle[actor].assert_can(Need.ATTACK)
    turn = battle.fight.fighter(actor).turn
    if turn.has_coup or turn.has_helped:
        done = "A coup de grace" if turn.has_coup else "A helping hand"
        raise UserError(f"{done} replaces this turn's attacks.")


def coup_check(battle: Battle, actor: str, target: str) -> RpjCheckInputs:
    """The inputs of a coup de grace: two dice against 7 and the Constitution bonus. [RPJ-GCS-36 (R-095)]"""
    whom = battle[target]
    bonus = whom.sheeted.bonus(RpjAttribute.CON, whom.now) if whom.sheeted else 0
    against = NamedTerm(label=f"{RpjAttribute.CON.word} bonus", value=bonus)
    return RpjCheckInputs(
        kind=CheckKind.COUP,
        difficulty=battle.rules.coup_target - BASE_TARGET,
        opposition=(against,) if bonus else (),
        criticals=battle[actor].criticals,
    )


def killed(health: RpjHealth) -> RpjHealth:
    """The health of a dead character. [RPJ-GCS-36]"""
    return evolve(health, out=Out.DEAD)


def medical_skill(module: Module) -> RpjSkill:
    """The module's medical skill. [RPJ-GCS-37, RPJ-GCS-63]

    Raises:
        UserError: If it has none.
    """
    skills = module.skills_for(SkillRole.MEDICAL)
    if not skills:
        raise UserError("This module has no medical skill.", "Without one, nobody can be helped or treated.")
    return skills[0]


def _medical_check(figure: Stats, target: int) -> RpjCheckInputs:
    """The inputs of a medical check, easier with equipment."""
    medical_skill(figure.module)
    skill = max(figure.module.skills_for(SkillRole.MEDICAL), key=figure.effective_level)
    kit = min((gear.medical_modifier for gear in _kits(figure)), default=0)
    situation = Situation(difficulty=target - BASE_TARGET + kit)
    return evolve(skill_check(figure, skill, situation), kind=CheckKind.MEDICAL)


def _kits(figure: Stats) -> tuple[RpjGear, ...]:
    own = figure.sheet.belongings
    return tuple(gear for gear in figure.module.gear if gear.is_medical and gear.id in own)


def hand_lent(battle: Battle, actor: str, target: str) -> Battle:
    """The battle after paying for a helping hand: one action, once per turn, instead of attacks.

    Raises:
        UserError: If it cannot be lent; mooks never can.

    [RPJ-GCS-37 (R-096), RPJ-GCS-47]
    """
    if battle[actor].mook is not None:
        raise UserError("Mooks can't give a helping hand.")
    if battle[target].mook is not None:
        raise UserError("A mook who is down stays down.")
    medical_skill(battle.module)
    _assert_instead(battle, actor, target)
    if battle.fight.fighter(actor).turn.has_helped:
        raise UserError("You can only give one helping hand per turn.")
    return battle.spent(actor, has_helped=True)


def helping_check(figure: Stats) -> RpjCheckInputs:
    """The roll of a helping hand. [RPJ-GCS-37]

    Raises:
        UserError: If the module has no medical skill.
    """
    return _medical_check(figure, figure.module.combat.help_target)


def assert_treatable(figure: Stats, health: RpjHealth, *, in_combat: bool) -> None:
    """Refuse medical attention that cannot be given. [RPJ-GCS-39 (R-102)]

    Args:
        figure: Who treats.
        health: That of the one who is treated.
        in_combat: Whether a fight goes on.

    Raises:
        UserError: If there is a fight, no equipment at hand, or nothing that medical attention could mend.
    """
    medical_skill(figure.module)
    if in_combat:
        raise UserError(
            "Medical attention takes an hour outside a fight.", "In a fight you can only give a helping hand."
        )
    if any(gear.is_medical for gear in figure.module.gear) and not _kits(figure):
        kits = ", ".join(gear.name for gear in figure.module.gear if gear.is_medical)
        raise UserError("Medical attention needs equipment.", f"You need one of these: {kits}.")
    if health.is_bleeding:
        raise UserError(
            "A bleeding character must be stabilized first.", "Give them a helping hand, or let them roll."
        )
    if health.out is Out.DEAD:
        raise UserError("The dead can't be treated.")
    if health.out is Out.NO and not health.is_weak:
        raise UserError("Medical attention wouldn't help here.", "Rest restores saves.")


def treating_check(figure: Stats) -> RpjCheckInputs:
    """The roll of medical attention. [RPJ-GCS-39]

    Raises:
        UserError: If the module has no medical skill.
    """
    return _medical_check(figure, figure.module.combat.treat_target)


def after_treatment(health: RpjHealth) -> RpjHealth:
    """Health after treatment: conscious, without penalties, with one more base save.

    [RPJ-GCS-39 (R-103, R-133)]
    """
    return treated(health)


NO_EFFECT = Verdict(Family.FAILURE, "no effect")


class Ending(PairStep, kind="coup"):
    """A coup de grace to roll."""

    def waits(self, stage: Stage) -> bool:
        """Whether someone could still react; then it gets a message of its own."""
        return True

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll a coup de grace. [RPJ-GCS-36]"""
        actor, target = stage.battle[self.actor], stage.battle[self.target]
        if not actor.is_able or target.is_able:
            return stage.noted(f"{actor.name}'s coup de grace has no effect.")
        before = stage
        roll = thrown(coup_check(stage.battle, self.actor, self.target), dice, rolled)
        kills = reading_of(roll).result.is_success
        verdict = Verdict(Family.SUCCESS, f"{target.name} dies") if kills else NO_EFFECT
        stage = stage.rolled(self.actor, roll, verdict=verdict).concerning(self.target)
        stage = offer_lucky_break(stage, before, self, roll, against=self.target)
        return stage.with_health(self.target, killed(target.health)) if kills else stage

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """The button to continue."""
        odds = chance_words(coup_check(stage.battle, self.actor, self.target))
        label = f"coup de grace on {short_name(stage.fight.fighter(self.target).name, 24)} · {odds}"
        return (button_for(stage, self.actor, "fight.finish_coup", NoOptions(), label),)

    def words(self, stage: Stage) -> str:
        """The coup de grace and its target, as a phrase."""
        name = stage.fight.fighter
        return f"{name(self.actor).name}'s coup de grace on {name(self.target).name}"

    def waiting_words(self, stage: Stage) -> str:
        """Who continues, as the start of a sentence."""
        name = stage.fight.fighter
        return f"{name(self.actor).name} can continue the coup de grace on {name(self.target).name}"


class HelpingHand(PairStep, kind="help"):
    """A helping hand to roll."""

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll for a helping hand. [RPJ-GCS-37, RPJ-GCS-38]"""
        before, target = stage, stage.battle[self.target]
        roll = thrown(helping_check(stage.battle[self.actor].figure), dice, rolled)
        works = reading_of(roll).result.is_success
        verdict = Verdict(Family.SUCCESS, "back up") if works else Verdict(Family.FAILURE, "no change")
        stage = stage.rolled(self.actor, roll, verdict=verdict).concerning(self.target)
        stage = offer_lucky_break(stage, before, self, roll, against=self.target)
        if not works:
            return stage
        stage = stage.with_health(self.target, helped(target.health))
        return stage.noted(down(f"{target.name} is back up, weakened: 1 action, attacks at −1, one 7+ save."))

    def words(self, stage: Stage) -> str:
        """The helper and who is helped, as a phrase."""
        name = stage.fight.fighter
        return f"{name(self.actor).name}'s helping hand for {name(self.target).name}"
