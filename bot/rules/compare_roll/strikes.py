"""A fight's state, and what a hit does in it: damage dice, outcome, cover, Fortitude, HP and burning."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.compare_roll.catalogue import Armed, armed, find_weapon, weapon_in_hand
from bot.rules.compare_roll.fortunes import Turned, ft_now, joined_buttons, joined_notes, lose_hp, movement
from bot.rules.compare_roll.sheet import Character, Outcome, Scene, assert_can_act, is_standing
from bot.rules.compare_roll.tables import (
    DAMAGE_SIDES,
    HITS_SEVERAL,
    REACHES,
    ComparePurpose,
    CompareShare,
    CompareWeapon,
    Shape,
)
from bot.rules.compare_roll.two_d12s import AMOUNT, DAMAGE, AmountInputs, DamageInputs, dealt_by, shared
from bot.rules.kernel import NOBODY, CharacterId, Document, FollowUp, Roll, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import Fact, FactKind, counted, harm, label_with
from bot.rules.shared.encounters import Combatant, FightPlace, find_character
from bot.rules.shared.encounters import Encounter as Fight

FEET_A_SPACE = 5


class CompareSide(StrEnum):
    """The two sides of a fight; the players always act first. [CMP-COM-03 (CMP-R28)]"""

    PLAYERS = "players"
    OPPONENTS = "opponents"


class CompareCover(StrEnum):
    """How much cover a combatant has. [CMP-COM-06, CMP-COM-07]"""

    NONE = "none"
    HALF = "half"
    FULL = "full"


class CompareCombatant(Combatant):
    """One combatant."""

    side: CompareSide = CompareSide.OPPONENTS  # the side on whose turn they act
    moved: int = Field(default=0, ge=0)  # spaces moved this turn
    has_attacked: bool = False  # whether this turn's attack is used
    is_done: bool = False  # whether they have ended their turn
    cover: CompareCover = CompareCover.NONE
    burn: int = Field(default=0, ge=0)  # rounds they will still burn

    @property
    def is_foe(self) -> bool:
        """Whether they act on the opponents' turn."""
        return self.side is CompareSide.OPPONENTS

    def fresh(self) -> "CompareCombatant":
        """Return the combatant at the start of their side's turn."""
        return self.changed(moved=0, has_attacked=False, is_done=False)

    def changed(self, **changes: object) -> "CompareCombatant":
        """Return the combatant with some fields changed."""
        return evolve(self, **changes)


class CompareEncounter(Fight[CompareCombatant]):
    """A fight in a channel, and whose turn it is; the members of a side act in any order.

    [CMP-COM-03, CMP-COM-04]
    """

    side: CompareSide = CompareSide.PLAYERS

    @property
    def turn_key(self) -> str:
        """A text that differs from turn to turn."""
        return f"{self.round}/{self.side}"

    def is_on(self, character: CharacterId) -> bool:
        """Whether a combatant can act now."""
        fighter = self.combatant(character) if self.has_begun else None
        return fighter is not None and fighter.side is self.side and not fighter.is_done

    def waiting(self) -> Iterable[CompareCombatant]:
        """The combatants who have not ended their turn."""
        return (one for one in self.shown if self.is_on(one.character))


ENCOUNTERS = FightPlace(CompareEncounter)
find_encounter = ENCOUNTERS.find
the_encounter = ENCOUNTERS.the
with_encounter = ENCOUNTERS.keep
find_fighter = ENCOUNTERS.combatant


def with_fighter(scene: Scene, fighter: CompareCombatant) -> Scene:
    """Return the scene with one combatant replaced."""
    return with_encounter(scene, the_encounter(scene).with_combatant(fighter))


def cover_of(scene: Scene, who: CharacterId) -> CompareCover:
    """A character's cover in the channel's fight."""
    fighter = find_fighter(scene, who)
    return fighter.cover if fighter else CompareCover.NONE


def spaces(feet: int) -> int:
    """Feet as spaces of 5, rounded up. [CMP-COM-01]"""
    return -(-feet // FEET_A_SPACE)


def on_turn(scene: Scene, character: Character, *, force: bool = False) -> CompareCombatant | None:
    """A character's combatant, if it can act now; None where turns do not count. [CMP-COM-03, CMP-COM-04]

    Args:
        force: Whether the GM lets them act anyway.

    Raises:
        UserError: If it is the other side's turn, or theirs has ended.
    """
    encounter = find_encounter(scene)
    fighter = encounter.combatant(character.id) if encounter else None
    if encounter is None or fighter is None or force or not encounter.has_begun:
        return None
    if fighter.side is not encounter.side:
        raise UserError(
            f"It is the {encounter.side}' turn.",
            "Out of turn you can defend, counter, talk and burn High.",
            "A GM passes the turn with /encounter next.",
        )
    if fighter.is_done:
        raise UserError(f"{fighter.name}'s turn is over.", "Everyone acts once per round.")
    return fighter


def spend_attack(scene: Scene, character: Character, *, force: bool = False) -> Scene:
    """Use the one major action of a turn. [CMP-COM-05 (CMP-R29)]

    Raises:
        UserError: If it is already used, or it is not their turn.
    """
    fighter = on_turn(scene, character, force=force)
    if fighter is None:
        return scene
    if fighter.has_attacked:
        raise UserError(
            f"{fighter.name} has already used this turn's attack.",
            "One major action per turn: an attack, item, armor change, or check that affects the fight.",
            "End the turn with its button.",
        )
    return with_fighter(scene, fighter.changed(has_attacked=True))


def spaces_left(scene: Scene, fighter: CompareCombatant) -> int:
    """Spaces that a combatant can still move."""
    character = scene.character(fighter.character)
    return max(0, movement(character.sheet, scene.settings) - fighter.moved)


def can_act(scene: Scene, fighter: CompareCombatant) -> bool:
    """Whether a combatant can act: standing, and still a character of the campaign."""
    character = scene.known(fighter.character)
    return character is not None and is_standing(character)


def turn_line(scene: Scene, fighter: CompareCombatant) -> str:
    """What a combatant has done in its turn: "moved 3/6, attack used"; nothing yet: nothing. [CMP-COM-05]"""
    allowance = movement(scene.character(fighter.character).sheet, scene.settings)
    moved = f"moved {fighter.moved}/{allowance}" if fighter.moved else ""
    return ", ".join(filter(None, (moved, "attack used" if fighter.has_attacked else "")))


MOST_FEET = 5000


def rounded(feet: int) -> int:
    """Feet rounded up to the next 5. [CMP-RNG-06 (CMP-R42)]"""
    return spaces(feet) * FEET_A_SPACE


def in_band(weapon: CompareWeapon, feet: int) -> bool:
    """Whether a distance is within a weapon's range, both ends included.

    [CMP-RNG-01 to CMP-RNG-06 (CMP-R42)]
    """
    reach = REACHES[weapon.distance]
    return reach.nearest <= rounded(feet) <= reach.farthest


def band(weapon: CompareWeapon) -> str:
    """A weapon's range in words: "Room is 10–20 ft"."""
    reach = REACHES[weapon.distance]
    within = f"{reach.nearest}–{reach.farthest} ft" if reach.nearest else f"up to {reach.farthest} ft"
    return f"{weapon.distance} is {within}"


def radius(level: int) -> int:
    """The radius of an explosion in spaces. [CMP-WPN-07 (CMP-R37)]"""
    return 2 * level


def read_feet(text: str) -> tuple[int, ...]:
    """Read distances, separated by commas.

    Raises:
        UserError: If they are not whole numbers of feet.
    """
    parts = [part.strip().removesuffix("ft").strip() for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() and int(part) <= MOST_FEET for part in parts):
        raise UserError(
            f"“{text.strip()}” isn't a distance.", "Write feet as whole numbers, for example 15, or 5, 20."
        )
    return tuple(int(part) for part in parts)


class CompareAim(Struct, frozen=True):
    """The targets of an attack and their distances."""

    targets: tuple[CharacterId, ...]
    names: tuple[str, ...]
    # Distances: one for all, or one for each; for an explosion first that of its centre, then how far each
    # target is from the centre.
    feet: tuple[int, ...]


def reached(
    weapon: CompareWeapon, level: int, aim: CompareAim
) -> tuple[tuple[CharacterId, ...], tuple[str, ...]]:
    """The targets an attack reaches, and a note about each of the others.

    Raises:
        UserError: If it has too many targets, or reaches none.

    [CMP-WPN-07, CMP-WPN-09 to CMP-WPN-12 (CMP-R39), CMP-RNG-06 (CMP-R42), CMP-EQ-10]
    """
    assert_countable(weapon, aim)
    if not aim.feet:
        return aim.targets, ()
    if weapon.shape is Shape.EXPLOSIVE:
        return _blasted(weapon, level, aim)
    each = aim.feet if len(aim.feet) > 1 else aim.feet * len(aim.targets)
    is_from_here = weapon.shape in {Shape.PIERCING, Shape.ARC}
    farthest = REACHES[weapon.distance].farthest
    kept, notes = [], []
    for target, name, feet in zip(aim.targets, aim.names, each, strict=True):
        if rounded(feet) <= farthest if is_from_here else in_band(weapon, feet):
            kept.append(target)
        else:
            notes.append(f"{name} at {feet} ft is out of range: {band(weapon)}.")
    if not kept:
        raise UserError(" ".join(notes), "Both ends of the range count.", "A GM can force the attack.")
    return tuple(kept), tuple(notes)


def assert_countable(weapon: CompareWeapon, aim: CompareAim) -> None:
    """Raise `UserError` if a weapon cannot hit so many, or distances and targets do not match.

    [CMP-WPN-12]
    """
    if not aim.targets:
        raise UserError("Choose at least one target.", try_this="Separate several with commas.")
    if len(aim.targets) > 1 and not HITS_SEVERAL.get(weapon.shape, False):
        raise UserError(
            f"{weapon.name} hits only one target.", "Piercing, Arc and Explosive weapons hit several."
        )
    wanted = len(aim.targets) + (weapon.shape is Shape.EXPLOSIVE)
    if len(aim.feet) not in {0, 1, wanted}:
        raise UserError(
            f"Distances ({len(aim.feet)}) and targets ({len(aim.targets)}) don't match.",
            "Give one distance for all, or one each; for an explosion, start with its center.",
        )


def _blasted(
    weapon: CompareWeapon, level: int, aim: CompareAim
) -> tuple[tuple[CharacterId, ...], tuple[str, ...]]:
    """The targets of an explosion: its centre is within range, the targets within its radius."""
    point, *away = aim.feet
    if not in_band(weapon, point):
        raise UserError(f"{point} ft is out of range: {band(weapon)}.", try_this="A GM can force the attack.")
    if not away:
        return aim.targets, ()
    kept, notes = [], []
    for target, name, feet in zip(aim.targets, aim.names, away, strict=True):
        if spaces(feet) <= radius(level):
            kept.append(target)
        else:
            notes.append(
                f"{name} is {feet} ft from the explosion: its radius is {radius(level) * FEET_A_SPACE} ft."
            )
    if not kept:
        raise UserError(" ".join(notes))
    return tuple(kept), tuple(notes)


class ComparePendingAttack(Document):
    """An attack, stored while its roll or defense is open."""

    attacker: CharacterId
    weapon: str
    level: int  # the weapon's level
    targets: tuple[CharacterId, ...]  # whom it can hit
    covers: tuple[CompareCover, ...]  # the cover of each target
    # The distance of the first target, or of an explosion's centre; None if not given.
    feet: int | None = None
    distances: tuple[int, ...] = ()  # the distance of each target; empty if they share one, or none was given

    def feet_to(self, target: CharacterId) -> int | None:
        """A target's distance, or None."""
        each = dict(zip(self.targets, self.distances, strict=False))
        return each.get(target, self.feet)


class CompareStruck(Struct, frozen=True):
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

    [CMP-WPN-01 to CMP-WPN-05, CMP-WPN-13 (CMP-R40)]
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

    [CMP-COM-09 (CMP-R33), CMP-COM-11 (CMP-R35), CMP-WPN-14 (CMP-R41)]
    """
    armed = armed_for(scene, blow)
    if armed is None or share is CompareShare.NONE:
        return CompareStruck(scene, notes=(harm("No damage."),))
    attacker = scene.character(blow.attacker)
    roll = DAMAGE.resolve(damage_inputs(armed, share, suffix), dice).by(attacker)
    is_plain = share is CompareShare.FULL and len(blow.targets) == 1  # then the target's line says it all
    struck = CompareStruck(scene, (roll,), () if is_plain else (f"{roll.verdict.title}.",))
    for target, cover in zip(blow.targets, blow.covers, strict=True):
        is_alone = len(blow.targets) == 1
        hit = take_hit(struck.scene, target, dealt_by(roll), cover, blow.attacker, is_alone=is_alone)
        struck = struck.then(hit)
    if armed.weapon.burn_sides is None:
        return struck
    for target, cover in zip(blow.targets, blow.covers, strict=True):
        if cover is not CompareCover.FULL:
            struck = ignite(struck, target, armed.weapon.burn_sides, attacker.id, dice)
    return struck


def take_hit(
    scene: Scene,
    target: CharacterId,
    dealt: int,
    cover: CompareCover,
    by: CharacterId | None,
    *,
    is_alone: bool = False,
) -> Turned:
    """Apply damage through cover and Fortitude to HP; Fortitude that blocks all of it drops by 1.

    Args:
        is_alone: Whether the damage was just rolled for this target alone.

    [CMP-COM-06, CMP-COM-07 (CMP-R31), CMP-COM-09, CMP-FT-01, CMP-FT-02 (CMP-R43)]
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
    kind = FactKind.SUM if is_alone and lost == dealt else FactKind.HARM
    return Turned(scene, (Fact(line, kind),)).then(lose_hp(scene, target, lost, by))


def ignite(
    struck: CompareStruck, target: CharacterId, sides: int, by: CharacterId, dice: Dice
) -> CompareStruck:
    """Set a target on fire for a rolled number of rounds; the longer of two fires counts.

    [CMP-WPN-14 (CMP-R41)]
    """
    character = struck.scene.character(target)
    inputs = AmountInputs(what="burns", count=1, sides=sides)
    roll = AMOUNT.resolve(inputs, dice).by(find_character(struck.scene, by) or NOBODY, ComparePurpose.BURNING)
    rounds = roll.sum
    fighter = find_fighter(struck.scene, target)
    scene = struck.scene
    if fighter is None:
        how_long = counted(rounds, "round")
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


class PendingCounter(Document):
    """A counterattack that can be made."""

    against: CharacterId  # who attacked
    by: tuple[CharacterId, ...]  # who can counter; only one of them does
    feet: int | None = None  # the distance between them, or None; if it differs, see *distances*
    # The distance of each character in *by*; empty if *feet* holds for all.
    distances: tuple[int | None, ...] = ()

    def feet_to(self, who: CharacterId) -> int | None:
        """The distance to a character who can counter, or None."""
        return dict(zip(self.by, self.distances, strict=False)).get(who, self.feet)


class CounterOptions(Document):
    """The weapon to counter with; empty: the one in hand."""

    weapon: str = ""


class SkipOptions(Document):
    """Options of skipping a counterattack: none."""


def counter_key(scene: Scene) -> str:
    """The document key of the pending counterattack in the scene's channel."""
    return f"counter/{scene.channel}"


def find_counter(scene: Scene) -> PendingCounter | None:
    """The pending counterattack, or None."""
    return scene.stored(PendingCounter, counter_key(scene))


def usable(scene: Scene, character: Character, feet: int | None) -> Armed | None:
    """The first loaded weapon that reaches a distance, or None. [CMP-OUT-06 (CMP-R10)]"""
    return next(all_usable(scene, character, feet), None)


def all_usable(scene: Scene, character: Character, feet: int | None) -> Iterator[Armed]:
    """Yield every loaded weapon that reaches a distance, except those that an attack uses up.

    [CMP-OUT-06 (CMP-R10)]
    """
    for one in armed(character.sheet, scene.settings):
        is_loaded = one.shots is None or one.shots > 0
        if is_loaded and not one.weapon.is_used_up and (feet is None or in_band(one.weapon, feet)):
            yield one


def offer_counter(scene: Scene, blow: ComparePendingAttack) -> Turned:
    """Offer the targets of an attack with a Cost a counterattack; only one of them makes it.

    [CMP-OUT-06 (CMP-R10), CMP-COM-11 (CMP-R35)]
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
        label=label_with(character.name, f" counters · {weapon.weapon.name} {dice}"),
        character=character.id,
        group="counter",
    )


@procedure("counter")
def counter(scene: Scene, options: CounterOptions, dice: Dice) -> Outcome:
    """Counter an attack that came at a Cost: it hits without a roll and cannot be countered.

    [CMP-OUT-06 (CMP-R10)]
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


def _pending_for(scene: Scene, actor: Character) -> PendingCounter:
    pending = find_counter(scene)
    if pending is None or actor.id not in pending.by:
        raise UserError(
            f"{actor.name} has no attack to counter.",
            "An attack with a Cost allows a counterattack until the turn passes to the other side.",
        )
    return pending


@procedure("skip")
def skip_counter(scene: Scene, _options: SkipOptions, _dice: Dice) -> Outcome:
    """Skip a counterattack. [CMP-OUT-06]"""
    _pending_for(scene, scene.actor)
    return Outcome(scene=scene.with_document(counter_key(scene), None), headline="skips the counterattack")


def spend_shot(scene: Scene, who: CharacterId, weapon: Armed) -> Scene:
    """Spend a shot, or one piece of a weapon that is used up. [CMP-WPN-08, CMP-EQ-10 (CMP-R54)]

    Raises:
        UserError: If the weapon is empty.
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
