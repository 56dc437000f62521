"""Attacks: a check that causes a wound, and the defence against it."""

from typing import NoReturn

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.odds import percent
from bot.rules.post_magic_maid.awaiting import Awaited, drop_awaited, first_awaited, with_awaited
from bot.rules.post_magic_maid.checks import (
    Magic,
    chance_to_reach,
    magic_wounds,
)
from bot.rules.post_magic_maid.healing import treat_button
from bot.rules.post_magic_maid.pairs import Pair, PairOptions, chosen_pair, pair_choices
from bot.rules.post_magic_maid.performance import (
    Checked,
    CheckOptions,
    CheckPlan,
    make_check,
    plain_inputs,
    plan_of,
)
from bot.rules.post_magic_maid.purposes import Purpose
from bot.rules.post_magic_maid.resources import settings_of
from bot.rules.post_magic_maid.settings import DefencePolicy
from bot.rules.post_magic_maid.tiers import Tier, contested
from bot.rules.post_magic_maid.turns import turn_buttons
from bot.rules.post_magic_maid.wounding import Wounded, take_wounds
from bot.rules.post_magic_maid.wounds import (
    LEVELS,
    TOP,
    Track,
    boxes_of,
    can_act,
    is_dead,
    remove_wound,
    with_boxes,
    wound_level,
)
from bot.rules.ruleset import (
    Audience,
    Character,
    CharacterId,
    Document,
    Family,
    FollowUp,
    Outcome,
    Procedure,
    Scene,
    Verdict,
)

UNCONSCIOUS = LEVELS[Track.BLUNT][TOP].level


class PendingAttack(Document):
    """An attack that can still be defended.

    Attributes:
        attacker: Who attacks.
        target: Whom.
        track: The kind of wound.
        tier: The tier of the attack, with its assist.
        wounds: How many wounds of the same tier it causes.
        placed: The levels that its wounds have filled, where it was not to be defended at first.
    """

    attacker: CharacterId
    target: CharacterId
    track: Track
    tier: Tier
    wounds: int = Field(ge=1)
    placed: tuple[int, ...] = ()


class AttackOptions(CheckOptions):
    """Whom one attacks, and how.

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


class DefendOptions(PairOptions):
    """How one defends.

    Attributes:
        attack: Against which attack; the oldest without it.
        magic: Whether a magic d6 is thrown in.
        tier: The tier it is to be; only a GM says so.
    """

    attack: str = ""
    magic: bool = False
    tier: Tier | None = None


class HitOptions(Document):
    """Which attack it is about; the oldest against the character acting without it."""

    attack: str = ""


def attack(scene: Scene, options: AttackOptions, dice: Dice) -> Outcome:
    """Attack somebody: a wound of the tier reached, at once or after a defence.

    Source: PMM-ATK-01 to PMM-ATK-03 (PMM-R35, PMM-R36, PMM-R37), PMM-MAG-02.
    """
    actor, target = scene.actor, scene.character(options.target)
    if actor.id == target.id:
        raise Mistake("One cannot attack oneself.", try_this="Choose another target.")
    if is_dead(target):
        raise Mistake(f"{target.name} is dead.", try_this="Choose another target.")
    is_defended = _is_defended(scene, options, target)
    plan = plan_of(options, magic=Magic.ATTACK if options.magic else Magic.NONE)
    checked = make_check(scene, actor.id, plan, dice, Purpose.ATTACK)
    headline = f"attacks {target.name}, {options.track}"
    if checked.tier is Tier.BELOW_10:
        return _attack_told(checked, headline, checked.roll.verdict, Wounded(scene=checked.scene), actor)
    pending = PendingAttack(
        attacker=actor.id,
        target=target.id,
        track=options.track,
        tier=checked.tier,
        wounds=1 + magic_wounds(checked.roll),
    )
    key = f"attack/{scene.moment}"
    if is_defended:
        waits = _pended(checked.scene, key, pending)
        return _attack_told(checked, headline, checked.roll.verdict, waits, actor)
    wounded = _struck(checked.scene, pending, pending.tier, pending.wounds)
    if settings_of(scene).defence is DefencePolicy.GM and can_act(target):
        wounded = _with_a_way_back(wounded, key, pending)
    return _attack_told(checked, headline, hit_verdict(pending.track, pending.tier), wounded, actor)


def _is_defended(scene: Scene, options: AttackOptions, target: Character) -> bool:
    """Whether the target gets to defend; who cannot act does not.

    Source: PMM-ATK-03 (PMM-R37).
    """
    policy = settings_of(scene).defence
    if policy is DefencePolicy.NEVER and options.defended:
        raise Mistake("In this campaign attacks are not defended.", "The campaign's setting defence says so.")
    return can_act(target) and (policy is DefencePolicy.ALWAYS or options.defended)


def hit_verdict(track: Track, tier: Tier) -> Verdict:
    """What an attack of a tier from 10 comes to, in words."""
    level = LEVELS[track][tier.level - 1].level
    return Verdict(Family.SUCCESS, f"{tier.words}, {level if level == UNCONSCIOUS else f'{level} wound'}")


def _attack_told(
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
    return ("Magic 1: no effect on a miss." if checked.tier is Tier.BELOW_10 else "Magic 1: +1 wound.",)


def _struck(scene: Scene, pending: PendingAttack, tier: Tier | None, wounds: int) -> Wounded:
    """Give the target its wounds, and offer treatment where it is urgent."""
    level = None if tier is None else wound_level(tier)
    if level is None or wounds <= 0:
        return Wounded(scene=scene)
    wounded = take_wounds(scene, pending.target, pending.track, level, wounds)
    gravest = max(wounded.levels, default=0)
    row = LEVELS[pending.track][gravest]
    is_urgent = bool(wounded.levels) and (row.seconds_to_live is not None or row.level == UNCONSCIOUS)
    button = (treat_button(scene.character(pending.target)),) if is_urgent else ()
    return Wounded(
        scene=wounded.scene,
        levels=wounded.levels,
        notes=wounded.notes,
        follow_ups=(*wounded.follow_ups, *button),
    )


def _with_a_way_back(wounded: Wounded, key: str, pending: PendingAttack) -> Wounded:
    """Let the GM allow a defence after all."""
    pending = pending.model_copy(update={"placed": wounded.levels})
    target = wounded.scene.character(pending.target)
    button = FollowUp(
        procedure="allow_defence",
        options=HitOptions(attack=key),
        label=f"Let {target.name[:40]} defend",
        audience=Audience.GM,
        group="allow",
    )
    return Wounded(
        scene=wounded.scene.with_document(key, pending),
        levels=wounded.levels,
        notes=wounded.notes,
        follow_ups=(*wounded.follow_ups, button),
    )


def _pended(scene: Scene, key: str, pending: PendingAttack) -> Wounded:
    """Keep an attack until its target has defended or taken the wound."""
    scene = with_awaited(scene.with_document(key, pending), pending.target, Awaited.ATTACKS, key)
    target = scene.character(pending.target)
    menu = FollowUp(
        procedure="defend",
        options=DefendOptions(attack=key),
        label=f"Defend against {pending.tier} …",
        character=target.id,
        choices=pair_choices(target, lambda pair: _chance_words(target, pair, pending.tier)),
        chosen="pair",
        group="defence",
    )
    take = FollowUp(
        procedure="take_hit",
        options=HitOptions(attack=key),
        label="Take the wound",
        character=target.id,
        group="defence",
    )
    return Wounded(scene=scene, notes=(f"{target.name} may defend.",), follow_ups=(menu, take))


def _chance_words(target: Character, pair: Pair, attack_tier: Tier) -> str:
    """How likely a plain roll of two attributes stops an attack whole."""
    inputs = plain_inputs(target, CheckPlan(first=pair[0], second=pair[1]))
    return f"stops it {percent(chance_to_reach(inputs, attack_tier))}"


def allow_defence(scene: Scene, options: HitOptions, _dice: Dice) -> Outcome:
    """Take the wounds of an attack back and let its target defend.

    Source: PMM-ATK-03 (PMM-R37: the GM may allow a defence).
    """
    pending = scene.document(options.attack) if options.attack else None
    if not isinstance(pending, PendingAttack):
        _no_attack("That attack is settled.")
    for level in pending.placed:
        target = scene.character(pending.target)
        boxes = boxes_of(target, pending.track)
        if not boxes[level]:
            _no_attack(f"{target.name}’s wound has been healed meanwhile.")
        scene = with_boxes(scene, target, pending.track, remove_wound(boxes, level))
    waits = _pended(scene, options.attack, pending.model_copy(update={"placed": ()}))
    name = scene.character(pending.target).name
    return Outcome(
        scene=waits.scene, headline=f"lets {name} defend", notes=waits.notes, follow_ups=waits.follow_ups
    )


def _no_attack(what: str) -> NoReturn:
    raise Mistake(what)


def _waiting_attack(scene: Scene, key: str) -> tuple[str, PendingAttack]:
    """The attack that waits for the character acting."""
    key = key or first_awaited(scene, scene.actor.id, Awaited.ATTACKS)
    pending = scene.document(key) if key else None
    if not isinstance(pending, PendingAttack) or pending.target != scene.actor.id or pending.placed:
        _no_attack(f"No attack waits for {scene.actor.name}.")
    return key, pending


def defend(scene: Scene, options: DefendOptions, dice: Dice) -> Outcome:
    """Roll against an attack: what it is ahead by is the wound, if it is ahead at all.

    Defending is no action and has no penalty.

    Source: PMM-ATK-03 (PMM-R47), PMM-MAG-01, PMM-MAG-02.
    """
    actor = scene.actor
    key, pending = _waiting_attack(scene, options.attack)
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
    checked = make_check(scene, actor.id, plan, dice, Purpose.DEFENSE)
    success = contested(pending.tier, checked.tier)
    spared = magic_wounds(checked.roll)
    settled = drop_awaited(checked.scene, actor.id, Awaited.ATTACKS, key)
    wounded = _struck(settled, pending, success, pending.wounds - spared)
    magic = ("Magic 1: −1 wound.",) if spared and success is not None else ()
    return Outcome(
        scene=wounded.scene,
        headline=f"defends against {scene.character(pending.attacker).name}",
        verdict=_defence_verdict(pending, success, spared),
        rolls=(checked.roll,),
        notes=(*checked.notes, *magic, *wounded.notes),
        follow_ups=(*wounded.follow_ups, *turn_buttons(wounded.scene, pending.attacker)),
    )


def _defence_verdict(pending: PendingAttack, success: Tier | None, spared: int) -> Verdict:
    if success is None:
        return Verdict(Family.SUCCESS, "no wound")
    if pending.wounds <= spared:
        return Verdict(Family.SUCCESS, "no wound, by magic")
    return Verdict(Family.FAILURE, hit_verdict(pending.track, success).title)


def take_hit(scene: Scene, options: HitOptions, _dice: Dice) -> Outcome:
    """Take the wound of an attack without a defence.

    Source: PMM-ATK-01, PMM-ATK-03.
    """
    actor = scene.actor
    key, pending = _waiting_attack(scene, options.attack)
    settled = drop_awaited(scene, actor.id, Awaited.ATTACKS, key)
    wounded = _struck(settled, pending, pending.tier, pending.wounds)
    return Outcome(
        scene=wounded.scene,
        headline=f"takes the hit of {scene.character(pending.attacker).name}",
        verdict=Verdict(Family.FAILURE, hit_verdict(pending.track, pending.tier).title),
        notes=wounded.notes,
        follow_ups=(*wounded.follow_ups, *turn_buttons(wounded.scene, pending.attacker)),
    )


ATTACK_PROCEDURES = (
    Procedure(key="attack", options=AttackOptions, run=attack),
    Procedure(key="defend", options=DefendOptions, run=defend),
    Procedure(key="take_hit", options=HitOptions, run=take_hit),
    Procedure(key="allow_defence", options=HitOptions, run=allow_defence, gm_only=True, needs_actor=False),
)
