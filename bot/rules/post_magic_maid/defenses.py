"""Defenses: offered, rolled, skipped, or allowed afterwards."""

import dataclasses
from fractions import Fraction
from typing import NoReturn

from msgspec.structs import replace

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Deadline,
    Document,
    Family,
    FollowUp,
    Place,
    TargetNumber,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import harm, label_with, line_label
from bot.rules.post_magic_maid.cards import MaidPurpose
from bot.rules.post_magic_maid.healing import MaidPendingAttack, Wounded, hit_verdict, struck
from bot.rules.post_magic_maid.performance import (
    Awaited,
    Checked,
    CheckPlan,
    MaidCheckOptions,
    drop_awaited,
    first_awaited,
    inputs_of,
    make_check,
    plan_of,
    with_awaited,
)
from bot.rules.post_magic_maid.sheet import Character, DefencePolicy, Outcome, Scene
from bot.rules.post_magic_maid.tier_check import (
    Magic,
    MaidCheckInputs,
    chance_to_reach,
    check_odds,
    magic_wounds,
)
from bot.rules.post_magic_maid.tiers import MaidTier, contested
from bot.rules.post_magic_maid.turns import turn_buttons
from bot.rules.post_magic_maid.wounds import (
    LEVELS,
    PAIRS,
    MaidPairOptions,
    Pair,
    Track,
    boxes_of,
    can_act,
    chosen_pair,
    is_dead,
    pair_choices,
    pair_words,
    remove_wound,
    with_boxes,
)


class MaidDefendOptions(MaidPairOptions):
    """Options for a defense."""

    attack: str = ""  # against which attack; the oldest without it
    magic: bool = False  # whether a magic d6 is thrown in
    tier: MaidTier | None = None  # the tier it is to be; only a GM says so


class HitOptions(Document):
    """Options naming an attack, by default the oldest one against the acting character."""

    attack: str = ""


def with_a_way_back(wounded: Wounded, key: str, pending: MaidPendingAttack) -> Wounded:
    """Add the GM's button that allows a defense after all."""
    pending = evolve(pending, placed=wounded.levels)
    target = wounded.scene.character(pending.target)
    button = FollowUp(
        procedure="allow_defence",
        options=HitOptions(attack=key),
        label=f"Let {target.name} defend",
        audience=Audience.GM,
        group="allow",
    )
    return Wounded(
        scene=wounded.scene.with_document(key, pending),
        levels=wounded.levels,
        notes=wounded.notes,
        follow_ups=(*wounded.follow_ups, button),
    )


def pended(scene: Scene, key: str, pending: MaidPendingAttack) -> Wounded:
    """Store an attack until its target has defended or taken the wound; after a time the best dice defend.

    [PMM-ATK-03 (PMM-R37, PMM-R47)]
    """
    scene = with_awaited(scene.with_document(key, pending), pending.target, Awaited.ATTACKS, key)
    target = scene.character(pending.target)
    note = f"{target.name} can defend."
    buttons = defence_buttons(scene, target, key, pending.tier)
    return Wounded(scene=scene, follow_ups=tuple(replace(one, note=note) for one in buttons))


def best_pair(scene: Scene, target: Character, attack: MaidTier) -> Pair:
    """A combatant's best attributes for defense."""
    return max(PAIRS, key=lambda one: _worth(_plain_defence(scene, target, one), attack))


def defence_buttons(scene: Scene, target: Character, key: str, attack: MaidTier) -> tuple[FollowUp, ...]:
    """The buttons under an attack: the best defense (automatic after a time), others, or take the wound.

    Args:
        target: Who defends.
        key: Of the document of the attack.
    """

    def chance(pair: Pair) -> str:
        return percent(chance_to_reach(_plain_defence(scene, target, pair), attack))

    def words(pair: Pair) -> str:
        return f"stops it {chance(pair)}"

    pair = best_pair(scene, target, attack)
    best = FollowUp(
        procedure="defend",
        options=MaidDefendOptions(attack=key, pair=pair_words(pair)),
        label=line_label(target.name, f": {pair_words(pair)} {chance(pair)}", is_timed=True),
        character=target.id,
        group="defence",
        place=Place.VERDICT,
        window=Deadline(until=(key,)),
        after_seconds=scene.settings.defense_seconds or None,
    )
    menu = FollowUp(
        procedure="defend",
        options=MaidDefendOptions(attack=key),
        label=label_with(target.name, f" defends against {attack.words} with …"),
        character=target.id,
        choices=pair_choices(target, words),
        chosen="pair",
        group="defence",
        place=Place.VERDICT,
        window=Deadline(until=(key,)),
    )
    take = FollowUp(
        procedure="take_hit",
        options=HitOptions(attack=key),
        label="Take the wound",
        character=target.id,
        group="defence",
        place=Place.VERDICT,
        window=Deadline(until=(key,)),
    )
    return best, menu, take


def _plain_defence(scene: Scene, target: Character, pair: Pair) -> MaidCheckInputs:
    """A defense with two attributes only; the first roll after an ace is 25."""
    plan = CheckPlan(first=pair[0], second=pair[1], is_action=False, can_be_helped=False)
    return inputs_of(scene, target, plan)


def _worth(inputs: MaidCheckInputs, attack: MaidTier) -> tuple[Fraction, Fraction]:
    """A defense's value: its chance to stop the attack, then how much it softens it otherwise."""
    chances = check_odds(inputs).chances
    tiers = sum(
        (min(MaidTier(name).level, attack.level) * chance.fraction for name, chance in chances), Fraction(0)
    )
    return chance_to_reach(inputs, attack), tiers


@procedure("allow_defence", gm_only=True, needs_actor=False)
def allow_defence(scene: Scene, options: HitOptions, _dice: Dice) -> Outcome:
    """Revert an attack's wounds and let its target defend.

    [PMM-ATK-03 (PMM-R37: the GM may allow a defence)]
    """
    pending = scene.stored(MaidPendingAttack, options.attack) if options.attack else None
    if pending is None:
        _no_attack("That attack has already been resolved.")
    for level in pending.placed:
        target = scene.character(pending.target)
        boxes = boxes_of(target, pending.track)
        if not boxes[level]:
            _no_attack(f"{target.name}'s wound has been healed in the meantime.")
        scene = with_boxes(scene, target, pending.track, remove_wound(boxes, level))
    waits = pended(scene, options.attack, evolve(pending, placed=()))
    name = scene.character(pending.target).name
    return Outcome(
        scene=waits.scene, headline=f"lets {name} defend", notes=waits.notes, follow_ups=waits.follow_ups
    )


def _no_attack(what: str) -> NoReturn:
    raise UserError(what)


def _waiting_attack(scene: Scene, key: str) -> tuple[str, MaidPendingAttack]:
    """The pending attack on the acting character."""
    key = key or first_awaited(scene, scene.actor.id, Awaited.ATTACKS)
    pending = scene.stored(MaidPendingAttack, key) if key else None
    if pending is None or pending.target != scene.actor.id or pending.placed:
        raise UserError(
            f"There is no attack for {scene.actor.name} to defend against.",
            "A GM can let them defend against one that was not to be defended, with the button under it.",
        )
    return key, pending


@procedure("defend")
def defend(scene: Scene, options: MaidDefendOptions, dice: Dice) -> Outcome:
    """Roll against an attack; the wound is the tier by which the attack is still ahead, if any.

    Defending is no action and has no penalty.

    [PMM-ATK-03 (PMM-R47), PMM-MAG-01, PMM-MAG-02]
    """
    actor = scene.actor
    key, pending = _waiting_attack(scene, options.attack)
    if not can_act(actor):
        return take_hit(scene, HitOptions(attack=key), dice)
    first, second = chosen_pair(options)
    plan = CheckPlan(
        first=first,
        second=second,
        ability=options.ability,
        bonus_dice=options.bonus_dice,
        magic=Magic.DEFENCE if options.magic else Magic.NONE,
        needed=pending.tier,
        forced=options.tier,
        is_action=False,
        can_be_helped=False,
    )
    checked = make_check(scene, actor.id, plan, dice, MaidPurpose.DEFENSE)
    success = contested(pending.tier, checked.tier)
    spared = magic_wounds(checked.roll)
    settled = drop_awaited(checked.scene, actor.id, Awaited.ATTACKS, key)
    wounded = struck(settled, pending, success, pending.wounds - spared)
    magic = (harm("Magic 1: −1 wound."),) if spared and success is not None else ()
    verdict = _defence_verdict(pending, success, spared)
    words = "is hit by" if verdict.family is Family.FAILURE else "defends against"
    return Outcome(
        scene=wounded.scene,
        headline=f"{words} {scene.character(pending.attacker).name}",
        verdict=dataclasses.replace(verdict, title=f"{verdict.title}{checked.gms_mark}"),
        rolls=(checked.roll.compared_with(TargetNumber("attack", int(pending.tier), success is None)),),
        notes=(*checked.notes, *magic, *wounded.notes),
        follow_ups=(*wounded.follow_ups, *turn_buttons(wounded.scene, pending.attacker)),
        moments=(key,),
    )


def _wounds_to_cause(track: Track, tier: MaidTier) -> tuple[TargetNumber, ...]:
    """The wounds that an attack can cause, each with the tier that it needs. [PMM-ATK-01, PMM-ATK-02]"""
    return tuple(
        TargetNumber(row.level, int(row.tier), tier.level >= MaidTier(row.tier).level)
        for row in LEVELS[track]
    )


def _defence_verdict(pending: MaidPendingAttack, success: MaidTier | None, spared: int) -> Verdict:
    if success is None:
        return Verdict(Family.SUCCESS, "no wound")
    if pending.wounds <= spared:
        return Verdict(Family.SUCCESS, "no wound, by magic")
    return Verdict(Family.FAILURE, hit_verdict(pending.track, success).title)


@procedure("take_hit")
def take_hit(scene: Scene, options: HitOptions, _dice: Dice) -> Outcome:
    """Take the wound of an attack without a defense. [PMM-ATK-01, PMM-ATK-03, PMM-WND-05]"""
    actor = scene.actor
    key, pending = _waiting_attack(scene, options.attack)
    settled = drop_awaited(scene, actor.id, Awaited.ATTACKS, key)
    wounded = struck(settled, pending, pending.tier, pending.wounds)
    return Outcome(
        scene=wounded.scene,
        headline=f"is hit by {scene.character(pending.attacker).name}",
        verdict=Verdict(Family.FAILURE, hit_verdict(pending.track, pending.tier).title),
        notes=(*(() if can_act(actor) else (harm(f"{actor.name} can't defend."),)), *wounded.notes),
        follow_ups=(*wounded.follow_ups, *turn_buttons(wounded.scene, pending.attacker)),
        moments=(key,),
    )


class MaidAttackOptions(MaidCheckOptions):
    """Options for an attack."""

    target: CharacterId  # whom
    track: Track  # blunt or rending, by the weapon; else the GM says
    magic: bool = False  # whether a magic d6 is thrown in
    defended: bool = False  # whether the GM lets the target defend


@procedure("attack", can_repeat=True)
def attack(scene: Scene, options: MaidAttackOptions, dice: Dice) -> Outcome:
    """Attack somebody: it causes a wound of the tier reached, at once or after a defense.

    [PMM-ATK-01 to PMM-ATK-03 (PMM-R35, PMM-R36, PMM-R37), PMM-MAG-02]
    """
    actor, target = scene.actor, scene.character(options.target)
    if actor.id == target.id:
        raise UserError("You can't attack yourself.", try_this="Choose another target.")
    if is_dead(target):
        raise UserError(f"{target.name} is dead.", try_this="Choose another target.")
    is_defended = _is_defended(scene, options, target)
    plan = plan_of(options, magic=Magic.ATTACK if options.magic else Magic.NONE)
    checked = make_check(scene, actor.id, plan, dice, MaidPurpose.ATTACK)
    checked = replace(
        checked, roll=checked.roll.compared_with(*_wounds_to_cause(options.track, checked.tier))
    )
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


def _is_defended(scene: Scene, options: MaidAttackOptions, target: Character) -> bool:
    """Whether the target may defend; those who can't act may not. [PMM-ATK-03 (PMM-R37)]"""
    policy = scene.settings.defence
    if policy is DefencePolicy.NEVER and options.defended:
        raise UserError(
            "There are no defenses in this campaign.", "The campaign setting “Defending” decides that."
        )
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
