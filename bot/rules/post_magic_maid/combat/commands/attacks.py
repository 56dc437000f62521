"""Attacks: a check that causes a wound."""

from dataclasses import replace

from bot.rules.kernel import CharacterId, Verdict, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.facts import harm
from bot.rules.post_magic_maid.character.scene import Character, Outcome, Scene
from bot.rules.post_magic_maid.character.settings import DefencePolicy
from bot.rules.post_magic_maid.character.wounds import (
    Track,
    can_act,
    is_dead,
)
from bot.rules.post_magic_maid.checks.performance import (
    Checked,
    MaidCheckOptions,
    make_check,
    plan_of,
)
from bot.rules.post_magic_maid.checks.tier_check import (
    Magic,
    magic_wounds,
)
from bot.rules.post_magic_maid.combat.commands.defenses import pended, with_a_way_back
from bot.rules.post_magic_maid.combat.turns.turns import turn_buttons
from bot.rules.post_magic_maid.health.hits import MaidPendingAttack, hit_verdict, struck
from bot.rules.post_magic_maid.health.wounding import Wounded
from bot.rules.post_magic_maid.resolution.purposes import MaidPurpose
from bot.rules.post_magic_maid.resolution.tiers import MaidTier


class MaidAttackOptions(MaidCheckOptions):
    """Options for an attack.

    Attributes:
        target: Whom.
        track: Blunt or rending, by the weapon; else the GM says.
        magic: Whether a magic d6 is thrown in.
        defended: Whether the GM lets the target defend.
    """

    target: CharacterId
    track: Track
    magic: bool = False
    defended: bool = False


def attack(scene: Scene, options: MaidAttackOptions, dice: Dice) -> Outcome:
    """Attack somebody: it causes a wound of the tier reached, at once or after a defense.

    Source: PMM-ATK-01 to PMM-ATK-03 (PMM-R35, PMM-R36, PMM-R37), PMM-MAG-02.
    """
    actor, target = scene.actor, scene.character(options.target)
    if actor.id == target.id:
        raise UserError("You can't attack yourself.", try_this="Choose another target.")
    if is_dead(target):
        raise UserError(f"{target.name} is dead.", try_this="Choose another target.")
    is_defended = _is_defended(scene, options, target)
    plan = plan_of(options, magic=Magic.ATTACK if options.magic else Magic.NONE)
    checked = make_check(scene, actor.id, plan, dice, MaidPurpose.ATTACK)
    headline = f"attacks {target.name}, {options.track}"
    if checked.tier is MaidTier.BELOW_10:
        return _attack_outcome(checked, headline, checked.roll.verdict, Wounded(scene=checked.scene), actor)
    pending = MaidPendingAttack(
        attacker=actor.id,
        target=target.id,
        track=options.track,
        tier=checked.tier,
        wounds=1 + magic_wounds(checked.roll),
    )
    key = f"attack/{scene.moment}"
    if is_defended:
        waits = pended(checked.scene, key, pending)
        return _attack_outcome(checked, headline, checked.roll.verdict, waits, actor)
    notes = (f"{target.name} can't defend.",) if options.defended and not can_act(target) else ()
    wounded = struck(checked.scene, pending, pending.tier, pending.wounds)
    if scene.settings.defence is DefencePolicy.GM and can_act(target):
        wounded = with_a_way_back(wounded, key, pending)
    verdict = hit_verdict(pending.track, pending.tier, checked.gms_mark)
    outcome = _attack_outcome(checked, headline, verdict, wounded, actor)
    return replace(outcome, notes=(*notes, *outcome.notes))


declare("attack", MaidAttackOptions, attack, can_repeat=True)


def _is_defended(scene: Scene, options: MaidAttackOptions, target: Character) -> bool:
    """Whether the target may defend; those who can't act may not.

    Source: PMM-ATK-03 (PMM-R37).
    """
    policy = scene.settings.defence
    if policy is DefencePolicy.NEVER and options.defended:
        raise UserError("There are no defences in this campaign.", "The campaign setting defence sets this.")
    return can_act(target) and (policy is DefencePolicy.ALWAYS or options.defended)


def _attack_outcome(
    checked: Checked, headline: str, verdict: Verdict, wounded: Wounded, actor: Character
) -> Outcome:
    return Outcome(
        scene=wounded.scene,
        headline=headline,
        verdict=verdict,
        rolls=(checked.roll,),
        notes=(*checked.notes, *_magic_note(checked), *wounded.notes),
        follow_ups=(*wounded.follow_ups, *turn_buttons(wounded.scene, actor.id)),
    )


def _magic_note(checked: Checked) -> tuple[str, ...]:
    if not magic_wounds(checked.roll):
        return ()
    return (
        "Magic 1: no effect on a miss." if checked.tier is MaidTier.BELOW_10 else harm("Magic 1: +1 wound."),
    )
