"""What a hit does: damage dice, outcome, cover, Fortitude, HP and burning."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.rules.compare_roll.character.catalogue import Armed, find_weapon
from bot.rules.compare_roll.character.fortunes import (
    Turned,
    ft_now,
    joined_buttons,
    joined_notes,
    lose_hp,
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
from bot.rules.kernel.facts import harm
from bot.rules.shared.encounters import find_character


class ComparePendingAttack(Document):
    """An attack, stored while its roll or defense is open.

    Attributes:
        attacker: Who attacks.
        weapon: The weapon.
        level: The weapon's level.
        targets: Whom it can hit.
        covers: The cover of each target.
        feet: The distance of the first target, or of an explosion's centre; None if not given.
        distances: The distance of each target; empty if they share one, or none was given.
    """

    attacker: CharacterId
    weapon: str
    level: int
    targets: tuple[CharacterId, ...]
    covers: tuple[CompareCover, ...]
    feet: int | None = None
    distances: tuple[int, ...] = ()

    def feet_to(self, target: CharacterId) -> int | None:
        """A target's distance, or None."""
        each = dict(zip(self.targets, self.distances, strict=False))
        return each.get(target, self.feet)


@dataclass(frozen=True, slots=True)
class CompareStruck:
    """The effects of an attack: the scene, dice, notes, follow-ups, and the deadlines it ended."""

    scene: Scene
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    moments: tuple[str, ...] = ()

    def then(self, other: "Turned | CompareStruck") -> "CompareStruck":
        """Add the effects that followed."""
        more = other if isinstance(other, CompareStruck) else CompareStruck(other.scene)
        return CompareStruck(
            other.scene,
            (*self.rolls, *more.rolls),
            joined_notes(self.notes, other.notes),
            joined_buttons(self.follow_ups, other.follow_ups),
            (*self.moments, *more.moments),
        )


def damage_inputs(armed: Armed, share: CompareShare, suffix: int = 0) -> DamageInputs:
    """The damage dice of a weapon: one of its tag's dice per level, and its extra dice.

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
    """Damage dice as text: "1d4+1d6 ÷ 2"."""
    extra = f"+{inputs.extra_dice}d{inputs.extra_sides}" if inputs.extra_dice else ""
    factor = {CompareShare.HALF: " ÷ 2", CompareShare.DOUBLE: " × 2"}.get(inputs.share, "")
    return f"{inputs.count}d{inputs.sides}{extra}{factor}"


def armed_for(scene: Scene, blow: ComparePendingAttack) -> Armed | None:
    """The weapon of an attack, or None if it no longer exists."""
    weapon = find_weapon(scene.settings, blow.weapon)
    return None if weapon is None else Armed(weapon, blow.level, None)


def strike(
    scene: Scene, blow: ComparePendingAttack, share: CompareShare, dice: Dice, *, suffix: int = 0
) -> CompareStruck:
    """Roll the damage of an attack once and apply it to every target.

    Source: CMP-COM-09 (CMP-R33), CMP-COM-11 (CMP-R35), CMP-WPN-14 (CMP-R41).
    """
    armed = armed_for(scene, blow)
    if armed is None or share is CompareShare.NONE:
        return CompareStruck(scene, notes=(harm("No damage."),))
    attacker = scene.character(blow.attacker)
    roll = DAMAGE.resolve(damage_inputs(armed, share, suffix), dice).by(attacker)
    is_plain = share is CompareShare.FULL and len(blow.targets) == 1  # then the target's line says it all
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
    """Apply damage through cover and Fortitude to HP; Fortitude that blocks all of it drops by 1.

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
    line = f"{character.name}: {dealt} damage"
    if cover is not CompareCover.NONE:
        line += f" · {cover} cover: {incoming}"
    if incoming and not lost:
        line += " · blocked" + (f", Fortitude {fortitude} → {fortitude - 1}" if sheet.foe is None else "")
    elif incoming and fortitude and sheet.foe is None:
        line += f" − {fortitude} Fortitude = {lost} HP lost"
    if incoming and not lost:
        scene = scene.with_sheet(character, sheet.changed(ft_lost=sheet.ft_lost + 1))
    return Turned(scene, (harm(line),)).then(lose_hp(scene, target, lost, by))


def ignite(
    struck: CompareStruck, target: CharacterId, sides: int, by: CharacterId, dice: Dice
) -> CompareStruck:
    """Set a target on fire for a rolled number of rounds; the longer of two fires counts.

    Source: CMP-WPN-14 (CMP-R41).
    """
    character = struck.scene.character(target)
    inputs = AmountInputs(what="burns", count=1, sides=sides)
    roll = AMOUNT.resolve(inputs, dice).by(find_character(struck.scene, by) or NOBODY, ComparePurpose.BURNING)
    rounds = roll.total or 0
    fighter = find_fighter(struck.scene, target)
    scene = struck.scene
    if fighter is None:
        how_long = "1 round" if rounds == 1 else f"{rounds} rounds"
        note = harm(f"{character.name} burns for {how_long}; outside a fight the GM counts them.")
    else:
        rounds = max(rounds, fighter.burn)
        scene = with_fighter(scene, fighter.changed(burn=rounds))
        when = "this round" if rounds == 1 else f"each of the next {rounds} rounds"
        note = harm(f"{character.name} burns: 1 HP at the end of {when}.")
    return struck.then(CompareStruck(scene, (roll,), (note,)))


def names_of(scene: Scene, ids: Sequence[CharacterId]) -> str:
    """The names of characters, separated by commas."""
    return ", ".join(scene.character(id_).name for id_ in ids)
