"""What an attack does once it has hit: dice, outcome, cover, Fortitude, HP, fire."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.rules.compare_roll.character.catalogue import Armed, find_weapon
from bot.rules.compare_roll.character.fortunes import (
    Turned,
    ft_now,
    joined_buttons,
    joined_notes,
    lose_hp,
    with_sheet,
)
from bot.rules.compare_roll.character.sheet import Scene
from bot.rules.compare_roll.combat.state.encounter import CompareCover, find_fighter, with_fighter
from bot.rules.compare_roll.resolution.amounts import (
    AMOUNT,
    DAMAGE,
    AmountInputs,
    DamageInputs,
    dealt_by,
    shared,
)
from bot.rules.compare_roll.resolution.purposes import ComparePurpose
from bot.rules.compare_roll.resolution.tables import DAMAGE_SIDES, CompareShare
from bot.rules.kernel import NOBODY, CharacterId, Document, FollowUp, Roll
from bot.rules.kernel.dice import Dice
from bot.rules.shared.encounters import find_character


class ComparePendingAttack(Document):
    """An attack on its way, as it is kept while a roll about it is open.

    Attributes:
        attacker: Who attacks.
        weapon: With what.
        level: Its level in that hand.
        targets: Whom it may hit.
        covers: What hides each of them from there.
        feet: How far the first one named is, or the point of an explosion; None where nobody said.
        distances: How far each of them is; nothing where that is the same, or nobody said.
    """

    attacker: CharacterId
    weapon: str
    level: int
    targets: tuple[CharacterId, ...]
    covers: tuple[CompareCover, ...]
    feet: int | None = None
    distances: tuple[int, ...] = ()

    def feet_to(self, target: CharacterId) -> int | None:
        """How far a target is, or None."""
        each = dict(zip(self.targets, self.distances, strict=False))
        return each.get(target, self.feet)


@dataclass(frozen=True, slots=True)
class CompareStruck:
    """What a blow did: the scene, the dice, what is told, what can follow, what is over by it."""

    scene: Scene
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    moments: tuple[str, ...] = ()

    def then(self, other: "Turned | CompareStruck") -> "CompareStruck":
        """What came of it and of what followed."""
        more = other if isinstance(other, CompareStruck) else CompareStruck(other.scene)
        return CompareStruck(
            other.scene,
            (*self.rolls, *more.rolls),
            joined_notes(self.notes, other.notes),
            joined_buttons(self.follow_ups, other.follow_ups),
            (*self.moments, *more.moments),
        )


def damage_inputs(armed: Armed, share: CompareShare, suffix: int = 0) -> DamageInputs:
    """How the damage of a weapon is rolled: its level in dice of its tag, and its extra dice.

    Source: CMP-WPN-01 to CMP-WPN-05, CMP-WPN-13 (CMP-R40).
    """
    weapon = armed.weapon
    return DamageInputs(
        count=armed.level,
        sides=DAMAGE_SIDES[weapon.damage],
        extra_dice=weapon.extra_dice,
        extra_sides=weapon.extra_sides,
        share=share,
        suffix=suffix,
    )


def dice_words(inputs: DamageInputs) -> str:
    """Damage dice in a few characters: "1d4+1d6 ÷ 2"."""
    extra = f"+{inputs.extra_dice}d{inputs.extra_sides}" if inputs.extra_dice else ""
    factor = {CompareShare.HALF: " ÷ 2", CompareShare.DOUBLE: " × 2"}.get(inputs.share, "")
    return f"{inputs.count}d{inputs.sides}{extra}{factor}"


def armed_for(scene: Scene, blow: ComparePendingAttack) -> Armed | None:
    """The weapon of a blow, or None where it is no longer known."""
    weapon = find_weapon(scene.settings, blow.weapon)
    return None if weapon is None else Armed(weapon, blow.level, None)


def strike(
    scene: Scene, blow: ComparePendingAttack, share: CompareShare, dice: Dice, *, suffix: int = 0
) -> CompareStruck:
    """Roll the damage of a blow once and let it fall on everybody it hits.

    Source: CMP-COM-09 (CMP-R33), CMP-COM-11 (CMP-R35), CMP-WPN-14 (CMP-R41).
    """
    armed = armed_for(scene, blow)
    if armed is None or share is CompareShare.NONE:
        return CompareStruck(scene, notes=("No damage.",))
    attacker = scene.character(blow.attacker)
    roll = DAMAGE.resolve(damage_inputs(armed, share, suffix), dice).by(attacker)
    is_plain = (
        share is CompareShare.FULL and len(blow.targets) == 1
    )  # then the line of the target says it all
    struck = CompareStruck(scene, (roll,), () if is_plain else (f"{roll.verdict.title}.",))
    for target, cover in zip(blow.targets, blow.covers, strict=True):
        struck = struck.then(take_hit(struck.scene, target, dealt_by(roll), cover, blow.attacker))
    if armed.weapon.burn_sides is None:
        return struck
    for target, cover in zip(blow.targets, blow.covers, strict=True):
        if cover is not CompareCover.FULL:
            struck = ignite(struck, target, armed.weapon.burn_sides, attacker.id, dice)
    return struck


def take_hit(
    scene: Scene, target: CharacterId, dealt: int, cover: CompareCover, by: CharacterId | None
) -> Turned:
    """Let damage through cover and Fortitude to HP; Fortitude that stops all of it wears by 1.

    Source: CMP-COM-06, CMP-COM-07 (CMP-R31), CMP-COM-09, CMP-FT-01, CMP-FT-02 (CMP-R43).
    """
    character = scene.character(target)
    sheet, settings = character.sheet, scene.settings
    incoming = {
        CompareCover.NONE: dealt,
        CompareCover.HALF: shared(dealt, CompareShare.HALF),
        CompareCover.FULL: 0,
    }[cover]
    fortitude = ft_now(sheet, settings)
    lost = max(0, incoming - fortitude)
    steps = [f"{character.name}: {dealt} damage"]
    if cover is not CompareCover.NONE:
        steps.append(f"{cover} cover {incoming}")
    if incoming and fortitude and sheet.foe is None:
        steps.append(f"− FT {fortitude} = {lost}" if lost else f"blocked, FT {fortitude} → {fortitude - 1}")
    elif incoming and not lost:
        steps.append("blocked")
    if incoming and not lost:
        scene = with_sheet(scene, character, sheet.changed(ft_lost=sheet.ft_lost + 1))
    return Turned(scene, (" · ".join(steps),)).then(lose_hp(scene, target, lost, by))


def ignite(
    struck: CompareStruck, target: CharacterId, sides: int, by: CharacterId, dice: Dice
) -> CompareStruck:
    """Set a target on fire for as many rounds as a die says; the longer fire counts.

    Source: CMP-WPN-14 (CMP-R41).
    """
    character = struck.scene.character(target)
    inputs = AmountInputs(what="burns", count=1, sides=sides)
    roll = AMOUNT.resolve(inputs, dice).by(find_character(struck.scene, by) or NOBODY, ComparePurpose.BURNING)
    rounds = roll.total or 0
    fighter = find_fighter(struck.scene, target)
    scene = struck.scene
    if fighter is None:
        told = f"{character.name} burns for {rounds} rounds; outside a fight the GM counts them."
    else:
        rounds = max(rounds, fighter.burn)
        scene = with_fighter(scene, fighter.changed(burn=rounds))
        told = f"{character.name} burns: 1 HP at the end of {rounds} rounds."
    return struck.then(CompareStruck(scene, (roll,), (told,)))


def names_of(scene: Scene, ids: Sequence[CharacterId]) -> str:
    """Characters by name, in one phrase."""
    return ", ".join(scene.character(id_).name for id_ in ids)
