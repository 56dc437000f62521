"""Grapples, their steps and commands; the commands for coups de grace and helping hands."""

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Document, Family, FollowUp, NamedTerm, NoOptions, Verdict, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, down
from bot.rules.rpj.character.belongings import assert_not_crushed
from bot.rules.rpj.character.damage_saves import ARMORED, Strike
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.skill_checks import class_bonus
from bot.rules.rpj.combat.commands.turn_commands import actor_of, begun_stage, someone
from bot.rules.rpj.combat.engine.damage_steps import (
    Ending,
    HelpingHand,
    Saving,
    assert_may_attack,
    coup_begun,
    hand_lent,
)
from bot.rules.rpj.combat.engine.moves import Trigger, provoked
from bot.rules.rpj.combat.engine.stack import (
    WonOptions,
    button_for,
    first,
    go_on,
    offer_lucky_break,
    outcome,
    thrown,
)
from bot.rules.rpj.combat.fight import Grapple, PairStep, Step
from bot.rules.rpj.combat.rules.attacks import mook_felled
from bot.rules.rpj.combat.rules.combatants import Battle, FighterStats
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.effects import RollTarget, roll_bonus
from bot.rules.rpj.module.module import RpjSkill, SkillRole
from bot.rules.rpj.resolution.check import reading_of
from bot.rules.rpj.resolution.check_inputs import CheckKind, RpjCheckInputs


def assert_graspable(battle: Battle, actor: str, target: str) -> None:
    """Refuse an impossible grapple. [RPJ-GCS-50, RPJ-GCS-32, RPJ-INV-04, RPJ-SCALE-09]

    Raises:
        UserError: If it was attempted in this turn, the target is not near, out, or in a grapple already; or
            if the actor carries far too much.
    """
    battle.assert_turn(actor)
    battle.assert_free(actor)
    who, whom = battle[actor], battle[target]
    if who.sheeted is not None:
        assert_not_crushed(who.figure, RpjAttribute.DEX)
    if who.fighter.turn.has_grappled:
        raise UserError("You can only try to grapple once per turn.", "You can still take other actions.")
    if actor == target or not battle.fight.are_adjacent(who.fighter, whom.fighter):
        raise UserError(f"{whom.name} isn't in {who.name}'s group.", try_this="Move there first.")
    if not whom.is_able:
        raise UserError(f"{whom.name} is {whom.health.out}.", "You can only grapple someone in action.")
    if who.scale is not whom.scale:
        raise UserError(
            f"{who.name} is of {who.scale} scale, {whom.name} of {whom.scale} scale.",
            "Only combatants of the same scale can grapple each other.",
        )
    if battle.fight.grapple(target) is not None:
        raise UserError(f"{whom.name} is already in a grapple.", "A grapple is between two combatants.")


def touch_check(battle: Battle, actor: str, target: str) -> RpjCheckInputs:
    """The inputs of the touch roll: Dexterity level against 8 and the target's.

    [RPJ-GCS-50, RPJ-GCS-46 (R-110)]
    """
    who, whom = battle[actor], battle[target]
    terms = (NamedTerm(label=RpjAttribute.DEX.word, value=who.dexterity),)
    against = (NamedTerm(label=RpjAttribute.DEX.word, value=whom.dexterity),)
    return RpjCheckInputs(
        kind=CheckKind.TOUCH,
        terms=tuple(term for term in terms if term.value),
        difficulty=battle.rules.touch_difficulty,
        opposition=tuple(term for term in against if term.value),
        criticals=who.criticals,
    )


def attempted(battle: Battle, actor: str, target: str) -> Battle:
    """The battle after paying for a grapple attempt: an Attack action, once per turn.

    [RPJ-GCS-50, RPJ-GCS-13]
    """
    paid = battle.spent(actor, has_attacked=True, has_grappled=True)
    return paid.changed(target, was_targeted=True, brewing=None)


def grappled(battle: Battle, actor: str, target: str) -> Battle:
    """The battle with two combatants in a grapple. [RPJ-GCS-50]"""
    hold = Grapple(a=actor, b=target)
    fight = evolve(battle.fight, grapples=(*battle.fight.grapples, hold))
    return battle.with_fight(fight)


def _skill(who: FighterStats) -> RpjSkill | None:
    skills = who.module.skills_for(SkillRole.GRAPPLE)
    return max(skills, key=who.figure.effective_level, default=None) if who.sheeted else None


def grapple_level(who: FighterStats) -> int:
    """A combatant's grapple level: the module's skill for it, else the Strength bonus.

    [RPJ-GCS-53, RPJ-GCS-46 (R-110), RPJ-GCS-63]
    """
    if who.mook is not None:
        return who.mook.attack
    skill = _skill(who)
    return who.figure.bonus(RpjAttribute.STR, who.now) if skill is None else who.figure.effective_level(skill)


def assert_may_check(battle: Battle, actor: str) -> Grapple:
    """The grapple a combatant must make a check in now. [RPJ-GCS-52, RPJ-GCS-53 (R-112, R-114)]

    Raises:
        UserError: If they are in none, it is not their turn, or they have made their check.
    """
    battle.assert_turn(actor)
    who = battle[actor]
    hold = battle.fight.grapple(actor)
    if hold is None:
        raise UserError(f"{who.name} isn't in a grapple.")
    if who.fighter.turn.has_checked:
        raise UserError("You have already made this turn's grapple check.", try_this="End the turn.")
    if who.sheeted is not None:
        skill = _skill(who)
        assert_not_crushed(who.figure, who.figure.linked(skill) if skill else RpjAttribute.STR)
    return hold


def grapple_check(battle: Battle, actor: str, other: str) -> RpjCheckInputs:
    """The inputs of a grapple check, against 7 and the other's grapple level. [RPJ-GCS-53]"""
    who, whom = battle[actor], battle[other]
    skill = _skill(who)
    label = skill.name if skill else "attack" if who.mook else f"{RpjAttribute.STR.word} bonus"
    terms = [NamedTerm(label=label, value=grapple_level(who))]
    if skill is not None:
        now = evolve(who.now, skill_tags=skill.tags)
        bonuses = roll_bonus(who.figure.effects, RollTarget.SKILL, now, of=skill.id)
        terms.append(NamedTerm(label="class skill", value=class_bonus(who.figure, skill)))
        terms += [NamedTerm(label=one.word, value=one.value) for one in bonuses]
    against = NamedTerm(label=whom.name, value=grapple_level(whom))
    return RpjCheckInputs(
        kind=CheckKind.GRAPPLE,
        terms=tuple(term for term in terms if term.value),
        opposition=(against,) if against.value else (),
        criticals=who.criticals,
    )


def checked(battle: Battle, actor: str) -> Battle:
    """The battle with the turn's grapple check marked as made; its cost depends on the result.

    [RPJ-GCS-53 (R-114)]
    """
    return battle.turned(actor, has_checked=True)


def lost(battle: Battle, actor: str) -> Battle:
    """The battle after a lost grapple check: the turn is over. [RPJ-GCS-53]"""
    return battle.end_turn_of(actor)


def broken(battle: Battle, actor: str) -> Battle:
    """The battle after breaking free: at least one action is spent, at most one is left.

    [RPJ-GCS-54 (R-115), RPJ-GCS-56]
    """
    left = battle.fight.fighter(actor).turn.actions
    free = battle.with_fight(battle.fight.without_grapple(actor))
    return free.turned(actor, actions=1 if left >= 2 else 0)


def squeeze(battle: Battle) -> Strike:
    """The damage of a won check, which bypasses everything but base saves. [RPJ-GCS-55 (R-116)]"""
    rules = battle.rules
    return Strike(damage=rules.grapple_damage, bypasses=ARMORED, is_nonlethal=rules.grapple_is_nonlethal)


def squeezing(battle: Battle, actor: str) -> Battle:
    """The battle after using a won check for damage: all actions are spent. [RPJ-GCS-55]"""
    return battle.end_turn_of(actor)


class Grasp(PairStep, kind="grasp"):
    """An attempt to grab a target, to roll."""

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll to grab the target; a grapple check follows at once. [RPJ-GCS-50 (R-112)]"""
        before = stage
        roll = thrown(touch_check(stage.battle, self.actor, self.target), dice, rolled)
        holds = reading_of(roll).result.is_success
        stage = stage.rolled(self.actor, roll).concerning(self.target)
        stage = offer_lucky_break(stage, before, self, roll, against=self.target)
        if not holds:
            return replace(stage, verdict=Verdict(Family.FAILURE, "no grapple"))
        stage = stage.with_battle(checked(grappled(stage.battle, self.actor, self.target), self.actor))
        return stage.noted(down("They are in a grapple.")).pushed(Wrestle(actor=self.actor))

    def words(self, stage: Stage) -> str:
        """The grapple, as a phrase."""
        return f"{stage.fight.fighter(self.actor).name}'s grapple"


class Wrestle(Step, kind="wrestle"):
    """A grapple check to roll."""

    actor: str

    @property
    def whose(self) -> tuple[str, ...]:
        """The combatant who rolls."""
        return (self.actor,)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll a grapple check: the winner chooses, the loser's turn is spent. [RPJ-GCS-53]"""
        hold = stage.fight.grapple(self.actor)
        if hold is None:
            return stage
        before, other = stage, hold.other(self.actor)
        roll = thrown(grapple_check(stage.battle, self.actor, other), dice, rolled)
        wins = reading_of(roll).result.is_success
        verdict = Verdict(Family.SUCCESS, "wins") if wins else Verdict(Family.FAILURE, "loses")
        stage = stage.rolled(self.actor, roll, verdict=verdict).concerning(self.actor, other)
        stage = offer_lucky_break(stage, before, self, roll, against=other)
        if wins:
            return stage.pushed(Won(winner=self.actor))
        stage = stage.noted(f"{stage.battle[self.actor].name} has no actions left this turn.")
        return stage.with_battle(lost(stage.battle, self.actor))

    def words(self, stage: Stage) -> str:
        """The grapple, as a phrase."""
        return f"{stage.fight.fighter(self.actor).name}'s grapple"


class Won(Step, kind="won"):
    """The choice of a grapple check's winner: break free or deal damage."""

    winner: str

    @property
    def whose(self) -> tuple[str, ...]:
        """The winner."""
        return (self.winner,)

    def waits(self, stage: Stage) -> bool:
        """Always true: it is the winner's choice."""
        return True

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """Break free, or deal damage. [RPJ-GCS-54, RPJ-GCS-55]"""
        kept = 1 if stage.fight.fighter(self.winner).turn.actions >= 2 else 0
        out, hurt = WonOptions(winner=self.winner), WonOptions(winner=self.winner, damage=True)
        damage = stage.battle.rules.grapple_damage
        return (
            button_for(stage, self.winner, "fight.won", out, f"break free (keeps {kept})"),
            button_for(stage, self.winner, "fight.won", hurt, f"do {damage} damage (all actions)"),
        )

    def words(self, stage: Stage) -> str:
        """What the winner does."""
        return f"What {stage.fight.fighter(self.winner).name} does with the grapple check won"

    def waiting_words(self, stage: Stage) -> str:
        """The winner, as the start of a sentence."""
        return f"{stage.fight.fighter(self.winner).name} has won the grapple check and must choose"


class TargetOptions(Document):
    """The options of a command with a target."""

    target: str


@procedure("fight.grapple", can_repeat=True)
def grasp(scene: Scene, options: TargetOptions, dice: Dice) -> Outcome:
    """Grapple someone; a grapple check follows at once. [RPJ-GCS-50 (R-112), RPJ-GCS-53]"""
    stage = begun_stage(scene)
    actor, target = actor_of(stage), someone(stage, options.target)
    assert_may_attack(stage.battle, actor.id)
    assert_graspable(stage.battle, actor.id, target.id)
    stage = stage.with_battle(attempted(stage.battle, actor.id, target.id))
    stage = stage.pushed(Grasp(actor=actor.id, target=target.id))
    return outcome(go_on(stage, dice), f"grapples {target.name}")


class WrestleOptions(Document):
    """The options of a grapple check; a mook for the GM."""

    mook: str = Field(default="", max_length=100)


@procedure("fight.wrestle", needs_actor=False)
def wrestle(scene: Scene, options: WrestleOptions, dice: Dice) -> Outcome:
    """Roll the turn's grapple check, or a mook's as the GM. [RPJ-GCS-52, RPJ-GCS-53]"""
    stage = begun_stage(scene)
    actor = someone(stage, options.mook) if options.mook and scene.is_gm else actor_of(stage)
    other = assert_may_check(stage.battle, actor.id).other(actor.id)
    stage = stage.with_battle(checked(stage.battle, actor.id)).pushed(Wrestle(actor=actor.id))
    name = stage.fight.fighter(other).name
    return outcome(go_on(stage, dice), f"rolls a grapple check against {name}")


@procedure("fight.won", needs_actor=False)
def use_win(scene: Scene, options: WonOptions, dice: Dice) -> Outcome:
    """Use a won grapple check to break free or to deal damage. [RPJ-GCS-54, RPJ-GCS-55]"""
    stage = Stage.of(scene)
    top = first(stage, Won, winner=options.winner)
    stage, hold = stage.popped(), stage.fight.grapple(top.winner)
    if hold is None:
        return outcome(go_on(stage, dice), "is already free")
    other = hold.other(top.winner)
    name = stage.fight.fighter(other).name
    if not options.damage:
        stage = stage.with_battle(broken(stage.battle, top.winner))
        left = stage.fight.fighter(top.winner).turn.actions
        note = f"{counted(left, 'action')} left." if left else "No actions left."
        return outcome(go_on(stage.noted(note), dice), f"breaks free of {name}")
    stage = stage.with_battle(squeezing(stage.battle, top.winner)).concerning(other)
    if stage.battle[other].mook is not None:
        stage = felled(stage, other)
    else:
        stage = stage.pushed(Saving(target=other, strikes=(squeeze(stage.battle),)))
    return outcome(go_on(stage, dice), f"crushes {name}")


def felled(stage: Stage, mook: str) -> Stage:
    """The stage with a mook taken out by grapple damage. [RPJ-GCS-46 (R-110), RPJ-GCS-48]"""
    spared = stage.battle.rules.grapple_is_nonlethal
    name = stage.battle[mook].name
    stage = stage.with_battle(mook_felled(stage.battle, mook, spared=spared))
    return stage.noted(down(f"{name} is {'knocked out' if spared else 'dead'}."))


@procedure("fight.coup", can_repeat=True)
def coup(scene: Scene, options: TargetOptions, dice: Dice) -> Outcome:
    """Attempt a coup de grace; combatants nearby may make free attacks first. [RPJ-GCS-36, RPJ-GCS-44]"""
    stage = begun_stage(scene)
    actor, target = actor_of(stage), someone(stage, options.target)
    stage.battle[actor.id].assert_can(Need.HANDS)
    stage = stage.with_battle(coup_begun(stage.battle, actor.id, target.id))
    stage = stage.pushed(Ending(actor=actor.id, target=target.id))
    stage = go_on(provoked(stage, actor.id, Trigger.COUP), dice)
    return outcome(finished(stage, dice), f"attempts a coup de grace on {target.name}")


def finished(stage: Stage, dice: Dice) -> Stage:
    """The stage after the pending coup de grace is rolled."""
    top = stage.steps[-1] if stage.steps else None
    return go_on(top.run(stage.popped(), dice), dice) if isinstance(top, Ending) else stage


@procedure("fight.finish_coup", needs_actor=False)
def finish_coup(scene: Scene, _options: NoOptions, dice: Dice) -> Outcome:
    """Continue a coup de grace after the free attacks against it. [RPJ-GCS-36, RPJ-GCS-44]"""
    stage = Stage.of(scene)
    top = first(stage, Ending)
    actor, target = stage.battle[top.actor], stage.battle[top.target]
    whose = "the" if scene.actor_id == actor.fighter.character else f"{actor.name}'s"
    return outcome(finished(stage, dice), f"continues {whose} coup de grace on {target.name}")


@procedure("fight.help", can_repeat=True)
def lend_a_hand(scene: Scene, options: TargetOptions, dice: Dice) -> Outcome:
    """Help someone who is down. [RPJ-GCS-37]"""
    stage = begun_stage(scene)
    actor, target = actor_of(stage), someone(stage, options.target)
    stage.battle[actor.id].assert_can(Need.HANDS)
    stage = stage.with_battle(hand_lent(stage.battle, actor.id, target.id))
    stage = stage.pushed(HelpingHand(actor=actor.id, target=target.id))
    return outcome(go_on(stage, dice), f"gives {target.name} a helping hand")
