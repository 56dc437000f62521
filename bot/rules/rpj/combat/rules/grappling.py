"""Grappling: starting a grapple, and grapple checks."""

from bot.rules.kernel import NamedTerm, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.carrying import assert_not_crushed
from bot.rules.rpj.character.damage_saves import ARMORED, Strike
from bot.rules.rpj.checks.skill_checks import class_bonus
from bot.rules.rpj.combat.rules.combatants import Battle, FighterStats
from bot.rules.rpj.combat.state.fight import Grapple
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.effects import RollTarget, roll_bonus
from bot.rules.rpj.module.module import RpjSkill, SkillRole
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs


def assert_graspable(battle: Battle, actor: str, target: str) -> None:
    """Refuse an impossible grapple.

    Raises:
        UserError: If it was attempted in this turn, the target is not near, out, or in a grapple already; or
            if the actor carries far too much.

    Source: RPJ-GCS-50, RPJ-GCS-32, RPJ-INV-04, RPJ-SCALE-09.
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

    Source: RPJ-GCS-50, RPJ-GCS-46 (R-110).
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

    Source: RPJ-GCS-50, RPJ-GCS-13.
    """
    paid = battle.spent(actor, has_attacked=True, has_grappled=True)
    return paid.changed(target, was_targeted=True, brewing=None)


def grappled(battle: Battle, actor: str, target: str) -> Battle:
    """The battle with two combatants in a grapple.

    Source: RPJ-GCS-50.
    """
    hold = Grapple(a=actor, b=target)
    fight = evolve(battle.fight, grapples=(*battle.fight.grapples, hold))
    return battle.with_fight(fight)


def _skill(who: FighterStats) -> RpjSkill | None:
    skills = who.module.skills_for(SkillRole.GRAPPLE)
    return max(skills, key=who.figure.effective_level, default=None) if who.sheeted else None


def grapple_level(who: FighterStats) -> int:
    """A combatant's grapple level: the module's skill for it, else the Strength bonus.

    Source: RPJ-GCS-53, RPJ-GCS-46 (R-110), RPJ-GCS-63.
    """
    if who.mook is not None:
        return who.mook.attack
    skill = _skill(who)
    return who.figure.bonus(RpjAttribute.STR, who.now) if skill is None else who.figure.effective_level(skill)


def assert_may_check(battle: Battle, actor: str) -> Grapple:
    """The grapple a combatant must make a check in now.

    Raises:
        UserError: If they are in none, it is not their turn, or they have made their check.

    Source: RPJ-GCS-52, RPJ-GCS-53 (R-112, R-114).
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
    """The inputs of a grapple check, against 7 and the other's grapple level.

    Source: RPJ-GCS-53.
    """
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

    Source: RPJ-GCS-53 (R-114).
    """
    return battle.turned(actor, has_checked=True)


def lost(battle: Battle, actor: str) -> Battle:
    """The battle after a lost grapple check: the turn is over.

    Source: RPJ-GCS-53.
    """
    return battle.end_turn_of(actor)


def broken(battle: Battle, actor: str) -> Battle:
    """The battle after breaking free: at least one action is spent, at most one is left.

    Source: RPJ-GCS-54 (R-115), RPJ-GCS-56.
    """
    left = battle.fight.fighter(actor).turn.actions
    free = battle.with_fight(battle.fight.without_grapple(actor))
    return free.turned(actor, actions=1 if left >= 2 else 0)


def squeeze(battle: Battle) -> Strike:
    """The damage of a won check, which bypasses everything but base saves.

    Source: RPJ-GCS-55 (R-116).
    """
    rules = battle.rules
    return Strike(damage=rules.grapple_damage, bypasses=ARMORED, is_nonlethal=rules.grapple_is_nonlethal)


def squeezing(battle: Battle, actor: str) -> Battle:
    """The battle after using a won check for damage: all actions are spent.

    Source: RPJ-GCS-55.
    """
    return battle.end_turn_of(actor)
