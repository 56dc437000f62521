"""Counterattacks, which a Cost allows the target of an attack."""

from collections.abc import Iterator
from dataclasses import replace

from bot.rules.compare_roll.character.catalogue import Armed, armed, weapon_in_hand
from bot.rules.compare_roll.character.fortunes import Turned
from bot.rules.compare_roll.character.sheet import (
    Character,
    Outcome,
    Scene,
    assert_can_act,
    is_standing,
)
from bot.rules.compare_roll.combat.state.encounter import cover_of
from bot.rules.compare_roll.combat.state.ranges import in_band
from bot.rules.compare_roll.combat.state.strikes import (
    ComparePendingAttack,
    damage_inputs,
    dice_words,
    strike,
)
from bot.rules.compare_roll.resolution.tables import CompareShare
from bot.rules.kernel import CharacterId, Document, FollowUp, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError


class PendingCounter(Document):
    """A counterattack that can be made.

    Attributes:
        against: Who attacked.
        by: Who can counter; only one of them does.
        feet: The distance between them, or None; if it differs, see *distances*.
        distances: The distance of each character in *by*; empty if *feet* holds for all.
    """

    against: CharacterId
    by: tuple[CharacterId, ...]
    feet: int | None = None
    distances: tuple[int | None, ...] = ()

    def feet_to(self, who: CharacterId) -> int | None:
        """The distance to a character who can counter, or None."""
        return dict(zip(self.by, self.distances, strict=False)).get(who, self.feet)


class CounterOptions(Document):
    """The weapon to counter with; empty: the one in hand."""

    weapon: str = ""


class SkipOptions(Document):
    """Options of `/compare skip`: none."""


def counter_key(scene: Scene) -> str:
    """The document key of the pending counterattack in the scene's channel."""
    return f"counter/{scene.channel}"


def find_counter(scene: Scene) -> PendingCounter | None:
    """The pending counterattack, or None."""
    found = scene.document(counter_key(scene))
    return found if isinstance(found, PendingCounter) else None


def usable(scene: Scene, character: Character, feet: int | None) -> Armed | None:
    """The first loaded weapon that reaches a distance, or None.

    Source: CMP-OUT-06 (CMP-R10).
    """
    return next(all_usable(scene, character, feet), None)


def all_usable(scene: Scene, character: Character, feet: int | None) -> Iterator[Armed]:
    """Yield every loaded weapon that reaches a distance, except those that an attack uses up.

    Source: CMP-OUT-06 (CMP-R10).
    """
    for one in armed(character.sheet, scene.settings):
        is_loaded = one.shots is None or one.shots > 0
        if is_loaded and not one.weapon.is_used_up and (feet is None or in_band(one.weapon, feet)):
            yield one


def offer_counter(scene: Scene, blow: ComparePendingAttack) -> Turned:
    """Offer the targets of an attack with a Cost a counterattack; only one of them makes it.

    Source: CMP-OUT-06 (CMP-R10), CMP-COM-11 (CMP-R35).
    """
    buttons = []
    able: list[CharacterId] = []
    for target in blow.targets:
        character = scene.character(target)
        weapon = usable(scene, character, blow.feet_to(target))
        if target == blow.attacker or not is_standing(character) or weapon is None:
            continue
        able.append(target)
        buttons.append(counter_button(character, weapon))
    if not able:
        return Turned(scene)
    distances = tuple(blow.feet_to(one) for one in able) if blow.distances else ()
    pending = PendingCounter(against=blow.attacker, by=tuple(able), feet=blow.feet, distances=distances)
    skip = skip_button(able[0])
    return Turned(
        scene.with_document(counter_key(scene), pending),
        (),
        tuple(replace(one, note="A counterattack is possible.") for one in (*buttons[:3], skip)),
    )


def skip_button(who: CharacterId) -> FollowUp:
    """The button that skips a counterattack."""
    return FollowUp(
        procedure="skip",
        options=SkipOptions(),
        label="Skip the counterattack",
        character=who,
        group="counter",
    )


def counter_button(character: Character, weapon: Armed) -> FollowUp:
    """The button that counters with a weapon."""
    dice = dice_words(damage_inputs(weapon, CompareShare.FULL))
    return FollowUp(
        procedure="counter",
        options=CounterOptions(weapon=weapon.weapon.name),
        label=f"{character.name[:30]} counters · {weapon.weapon.name[:20]} {dice}",
        character=character.id,
        group="counter",
    )


def counter(scene: Scene, options: CounterOptions, dice: Dice) -> Outcome:
    """Counter an attack that came at a Cost: it hits without a roll and cannot be countered.

    Source: CMP-OUT-06 (CMP-R10).
    """
    actor = scene.actor
    pending = _pending_for(scene, actor)
    assert_can_act(actor)
    weapon = weapon_in_hand(actor.sheet, scene.settings, options.weapon)
    feet = pending.feet_to(actor.id)
    if feet is not None and not in_band(weapon.weapon, feet):
        raise UserError(f"{weapon.weapon.name} doesn't reach {feet} ft.", "Choose another weapon.")
    scene = spend_shot(scene.with_document(counter_key(scene), None), actor.id, weapon)
    blow = ComparePendingAttack(
        attacker=actor.id,
        weapon=weapon.weapon.name,
        level=weapon.level,
        targets=(pending.against,),
        covers=(cover_of(scene, pending.against),),
        feet=feet,
    )
    struck = strike(scene, blow, CompareShare.FULL, dice)
    return Outcome(
        scene=struck.scene,
        headline=f"counters {scene.character(pending.against).name} with {weapon.weapon.name}",
        rolls=struck.rolls,
        notes=struck.notes,
        follow_ups=struck.follow_ups,
    )


declare("counter", CounterOptions, counter)


def _pending_for(scene: Scene, actor: Character) -> PendingCounter:
    pending = find_counter(scene)
    if pending is None or actor.id not in pending.by:
        raise UserError(
            f"{actor.name} has no attack to counter.",
            "An attack with a Cost allows a counterattack until the turn passes to the other side.",
        )
    return pending


def skip_counter(scene: Scene, _options: SkipOptions, _dice: Dice) -> Outcome:
    """Skip a counterattack.

    Source: CMP-OUT-06.
    """
    _pending_for(scene, scene.actor)
    return Outcome(scene=scene.with_document(counter_key(scene), None), headline="skips the counterattack")


declare("skip", SkipOptions, skip_counter)


def spend_shot(scene: Scene, who: CharacterId, weapon: Armed) -> Scene:
    """Spend a shot, or one piece of a weapon that is used up.

    Raises:
        UserError: If the weapon is empty.

    Source: CMP-WPN-08, CMP-EQ-10 (CMP-R54).
    """
    character = scene.character(who)
    sheet = character.sheet
    if weapon.weapon.is_used_up:
        return scene.with_sheet(character, sheet.with_items(weapon.weapon.name, -1))
    carried = sheet.carried(weapon.weapon.name)
    if weapon.shots is None or carried is None:
        return scene
    if not weapon.shots:
        raise UserError(f"{weapon.words} is empty.", "Reload it first.", "Use /compare reload.")
    fired = evolve(carried, shots=weapon.shots - 1)
    return scene.with_sheet(character, sheet.with_carried(fired))
