"""Pending decisions: attacks to defend against, counterattacks, and open rolls."""

from collections.abc import Iterator
from dataclasses import replace

from bot.rules.compare_roll.character.catalogue import numbered
from bot.rules.compare_roll.character.sheet import Character, Outcome, Scene, Unsettled
from bot.rules.compare_roll.checks.opening import OpenRoll, open_buttons, open_key, settle_open
from bot.rules.compare_roll.combat.commands.defenses import (
    CompareAttack,
    CompareDefendOptions,
    defend,
    defend_buttons,
    incoming,
    without_attack,
)
from bot.rules.compare_roll.combat.state.counters import PendingCounter, counter_key
from bot.rules.compare_roll.combat.state.encounter import ENCOUNTERS
from bot.rules.compare_roll.creation.making import approval_buttons
from bot.rules.compare_roll.resolution.purposes import ComparePurpose
from bot.rules.kernel import CharacterId, for_gm, settled_as
from bot.rules.kernel.dice import Dice
from bot.rules.shared.encounters import find_character

WITH_DAMAGE = (ComparePurpose.ATTACK, ComparePurpose.DEFENCE)


def unsettled(scene: Scene) -> tuple[Unsettled, ...]:
    """Every pending decision of the campaign.

    Source: CMP-COM-10 (CMP-R34), CMP-OUT-06, CMP-HIGH-02.
    """
    return (
        *_attacks(scene),
        *_counters(scene, scene.keys("counter")),
        *_rolls(scene, ComparePurpose.CHECK, *WITH_DAMAGE),
        *_proposals(scene),
    )


def unsettled_here(scene: Scene) -> tuple[Unsettled, ...]:
    """The pending decisions of the channel's fight; open checks are accepted when it ends."""
    own = ENCOUNTERS.concerned(scene, (*_attacks(scene), *_rolls(scene, *WITH_DAMAGE)))
    return (*own, *_counters(scene, (counter_key(scene),)))


def _attacks(scene: Scene) -> tuple[Unsettled, ...]:
    targets = (_owner(scene, key) for key in scene.keys("incoming"))
    return tuple(
        _attack(scene, target, attack)
        for target in targets
        if target is not None
        for attack in incoming(scene, target.id)
    )


def _owner(scene: Scene, key: str) -> Character | None:
    """The character whose id ends a document key, or None."""
    return find_character(scene, CharacterId(int(key.partition("/")[2])))


def _name(scene: Scene, who: CharacterId) -> str:
    found = find_character(scene, who)
    return "someone" if found is None else found.name


def _attack(scene: Scene, target: Character, attack: CompareAttack) -> Unsettled:
    who, attacker = target.id, _name(scene, attack.blow.attacker)
    options = CompareDefendOptions(attack=attack.moment)

    def settle(now: Scene, dice: Dice) -> Outcome:
        done = defend(now, options, dice)
        counted = settle_open(done.scene, who, dice)
        return replace(
            done,
            scene=counted.scene,
            rolls=(*done.rolls, *counted.rolls),
            notes=(*done.notes, *counted.notes),
            follow_ups=counted.follow_ups,
            moments=(*done.moments, *counted.moments),
        )

    against = numbered(scene.settings, attack.difficulty)
    return Unsettled(
        what=f"{target.name}'s defense against {attacker}, {attack.damage} damage",
        concerns=(who,),
        answers=defend_buttons(scene, target, against, attack.moment),
        settle=settled_as(target, settle),
        waive=lambda now: without_attack(now, who, attack.moment),
    )


def _counters(scene: Scene, keys: tuple[str, ...]) -> tuple[Unsettled, ...]:
    return tuple(
        _counter(scene, key, pending)
        for key in keys
        if isinstance(pending := scene.document(key), PendingCounter)
    )


def _counter(scene: Scene, key: str, pending: PendingCounter) -> Unsettled:
    names = " or ".join(_name(scene, who) for who in pending.by)

    def passes(now: Scene, _dice: Dice) -> Outcome:
        return Outcome(scene=now.with_document(key, None), headline="skips the counterattack")

    return Unsettled(
        what=f"Counterattack by {names} against {_name(scene, pending.against)}",
        concerns=pending.by if len(pending.by) == 1 else (),
        channel=key.partition("/")[2],
        settle=passes,
        waive=lambda now: now.with_document(key, None),
    )


def _rolls(scene: Scene, *purposes: ComparePurpose) -> tuple[Unsettled, ...]:
    found = ((key, scene.document(key)) for key in scene.keys("open"))
    return tuple(
        _roll(scene, roller, laid)
        for key, laid in found
        if isinstance(laid, OpenRoll)
        and laid.purpose in purposes
        and (roller := _owner(scene, key)) is not None
    )


def _proposals(scene: Scene) -> Iterator[Unsettled]:
    """Custom skills that wait for the GM's approval.

    Source: CMP-SKILL-05 (CMP-R21).
    """
    ids = dict.fromkeys((*scene.find_everybody(), *scene.characters))
    everybody = [who for id_ in ids if (who := find_character(scene, id_)) is not None]
    for who in everybody:
        proposed = [one for one in who.sheet.customs if not one.is_approved and who.owner is not None]
        for skill in proposed:
            what = f"{who.name}'s own skill: {skill.name} ({skill.category})"
            yield for_gm(what, (who.id,), approval_buttons(who.id, skill))


def _roll(scene: Scene, roller: Character, laid: OpenRoll) -> Unsettled:
    who, name = roller.id, roller.name

    def counts(now: Scene, dice: Dice) -> Outcome:
        done = settle_open(now, who, dice)
        return Outcome(
            scene=done.scene,
            headline="accepts the roll",
            rolls=done.rolls,
            notes=done.notes,
            follow_ups=done.follow_ups,
            moments=done.moments,
        )

    return Unsettled(
        what=f"{name}'s roll ({laid.words}), which High can still change",
        concerns=(who,),
        lapses=True,
        answers=open_buttons(scene, who, laid),
        settle=settled_as(roller, counts),
        waive=lambda now: now.with_document(open_key(who), None),
    )
