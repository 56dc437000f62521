"""Helpless characters: coups de grace, helping hands, medical attention."""

from bot.rules.kernel import Family, FollowUp, NamedTerm, NoOptions, Verdict, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import down, short_name
from bot.rules.rpj.character.damage_saves import treated
from bot.rules.rpj.character.incapacity import helped
from bot.rules.rpj.character.sheet import Stats
from bot.rules.rpj.checks.skill_checks import Situation, skill_check
from bot.rules.rpj.combat.engine.stack import button_for, offer_lucky_break, thrown
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.step import PairStep
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.items import RpjGear
from bot.rules.rpj.module.module import Module, RpjSkill, SkillRole
from bot.rules.rpj.resolution.check import chance_words, reading_of
from bot.rules.rpj.resolution.check_inputs import BASE_TARGET, CheckKind, RpjCheckInputs


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

    Raises:
        UserError: If they may not attack in this turn.

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
