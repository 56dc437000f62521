"""What a hit does: damage dice, outcome, cover, Fortitude, HP and burning."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.compare_roll.amounts import AMOUNT, DAMAGE, AmountInputs, DamageInputs, dealt_by, shared
from bot.rules.compare_roll.catalogue import Armed, armed, find_weapon, weapon_in_hand
from bot.rules.compare_roll.encounter import CompareCover, cover_of, find_fighter, in_band, with_fighter
from bot.rules.compare_roll.fortunes import Turned, ft_now, joined_buttons, joined_notes, lose_hp
from bot.rules.compare_roll.sheet import Character, Outcome, Scene, assert_can_act, is_standing
from bot.rules.compare_roll.tables import DAMAGE_SIDES, ComparePurpose, CompareShare
from bot.rules.kernel import NOBODY, CharacterId, Document, FollowUp, Roll, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import Fact, FactKind, counted, harm, label_with
from bot.rules.shared.encounters import find_character


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
