"""Damage: Composure first, then hit points; being down, dying and dead."""

from enum import StrEnum

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Choice, Document, FollowUp, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, down, harm, holds
from bot.rules.shared.encounters import find_character
from bot.rules.swim_class.encounter import is_in_combat
from bot.rules.swim_class.growth import COMPOSURE, SCRATCHES, wounds_key
from bot.rules.swim_class.sheet import Character, Outcome, Scene, SoakPolicy, rank_of, with_states
from bot.rules.swim_class.tables import Pool

MOST_DAMAGE = 999


def hit_points(scene: Scene, character: Character, pool: Pool) -> int:
    """A pool's hit points: the rank of its Defense skill − its wounds; can be below zero.

    [SWIM-COMB-05 (SWIM-R44), SWIM-SHEET-04]
    """
    return rank_of(scene, character, pool.defence) - character.left(wounds_key(pool))


def composure_left(scene: Scene, character: Character) -> int:
    """The damage that Composure can still absorb. [SWIM-COMB-06, SWIM-SKILL-07]"""
    return max(0, rank_of(scene, character, COMPOSURE) - character.left(SCRATCHES))


def is_down(scene: Scene, character: Character, pool: Pool = Pool.PHYSICAL) -> bool:
    """Whether a pool is at 0 or below. [SWIM-COMB-08]"""
    return hit_points(scene, character, pool) <= 0


def is_dying(scene: Scene, character: Character, pool: Pool) -> bool:
    """Whether a pool is below zero and not stabilized. [SWIM-COMB-09]"""
    sheet = character.sheet
    is_lost = sheet.is_dead or pool in sheet.broken or pool in sheet.stable
    return hit_points(scene, character, pool) < 0 and not is_lost


def assert_can_act(scene: Scene, character: Character) -> None:
    """Raise a `UserError` if a character cannot act.

    The raised dead act in their raiser's place, so the raiser must be able to act.

    [SWIM-COMB-08 (SWIM-R47), SWIM-MAGIC-18 (SWIM-R106), SWIM-MAGIC-19 (SWIM-R107)]
    """
    raiser = character.sheet.raised_by
    for one in (character, None if raiser is None else find_character(scene, raiser)):
        if one is not None:
            _assert_able(scene, one)


def _assert_able(scene: Scene, character: Character) -> None:
    sheet = character.sheet
    if sheet.is_dead:
        raise UserError(f"{character.name} is dead.")
    if is_down(scene, character):
        raise UserError(f"{character.name} is down.", "At 0 Physical hit points you can't act.")
    if sheet.states.stunned_by is not None:
        stunner = scene.character(sheet.states.stunned_by).name
        raise UserError(f"{character.name} is stunned.", f"This lasts until {stunner}'s next turn.")


class Hurt(Struct, frozen=True, kw_only=True):
    """The effects of damage: the scene, notes and follow-ups."""

    scene: Scene
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()


class SoakOptions(Document):
    """How much dealt damage Composure soaks."""

    pool: Pool = Pool.PHYSICAL  # the wounded pool
    points: int = Field(default=1, ge=1, le=MOST_DAMAGE)  # how many wounds


class StabilizeOptions(Document):
    """The pool to stabilize."""

    pool: Pool = Pool.PHYSICAL


def stabilize_button(who: Character, pool: Pool) -> FollowUp:
    """The button that lets a dying character roll to stabilize."""
    return FollowUp(
        procedure="stabilise",
        options=StabilizeOptions(pool=pool),
        label=f"Stabilize {who.name} ({pool.value})",
        character=who.id,
        group=f"stabilise/{pool.value}",
    )


def take_damage(scene: Scene, who: CharacterId, pool: Pool, damage: int) -> Hurt:
    """Deal damage to a character, following their Composure policy.

    [SWIM-COMB-06, SWIM-COMB-07 (SWIM-R45), SWIM-COMB-09]
    """
    character = scene.character(who)
    if damage <= 0:
        return Hurt(scene=scene)
    policy = character.sheet.soak
    able = 0 if is_down(scene, character) else composure_left(scene, character)
    soaked = min(damage, able) if policy is SoakPolicy.COMPOSURE_FIRST else 0
    before = hit_points(scene, character, pool)
    scene = add_wounds(scene, who, pool, damage - soaked, soaked)
    character = scene.character(who)
    soaks = (
        "" if not soaked else ": Composure soaks it" if soaked == damage else f": Composure soaks {soaked}"
    )
    note = f"{character.name} takes {damage} damage{soaks}."
    buttons: tuple[FollowUp, ...] = ()
    if policy is SoakPolicy.ASK and able:
        points = min(able, damage)
        buttons = (
            FollowUp(
                procedure="soak",
                options=SoakOptions(pool=pool, points=points),
                label=f"{character.name} soaks {points} with Composure",
                character=who,
                group=f"soak/{who}",
                is_owed=True,
            ),
        )
    is_a_players = character.owner is not None  # a GM stabilizes a foe from its sheet, if at all
    if is_a_players and is_dying(scene, character, pool) and not is_in_combat(scene, who):
        buttons = (*buttons, stabilize_button(character, pool))
    return Hurt(scene=scene, notes=(note, *_state_notes(scene, character, pool, before)), follow_ups=buttons)


def _state_notes(scene: Scene, character: Character, pool: Pool, before: int) -> tuple[str, ...]:
    """A note if the character goes down or is dying."""
    now = hit_points(scene, character, pool)
    if now > 0 or now == before:
        return ()
    arena = "" if pool is Pool.PHYSICAL else f" ({pool.value})"
    if now == 0:
        return (down(f"{character.name} is down{arena}."),)
    if character.owner is None:
        return (down(f"{character.name} is down{arena} and dying."),)
    return (down(f"{character.name} is down{arena} and dying: roll to stabilize against {-now}."),)


def add_wounds(scene: Scene, who: CharacterId, pool: Pool, wounds: int, scratches: int = 0) -> Scene:
    """Mark wounds and scratches; new wounds below zero end a stable state. [SWIM-COMB-09, SWIM-SHEET-04]"""
    character = scene.character(who)
    key = wounds_key(pool)
    character = character.with_resource(key, character.left(key) + wounds)
    character = character.with_resource(SCRATCHES, character.left(SCRATCHES) + scratches)
    scene = scene.with_character(character)
    if wounds > 0 and pool in character.sheet.stable:
        return with_stable(scene, who, pool, is_stable=False)
    return scene


def with_stable(scene: Scene, who: CharacterId, pool: Pool, *, is_stable: bool) -> Scene:
    """Return the scene with a pool stabilized or not, and its tally reset. [SWIM-COMB-09]"""
    character = scene.character(who)
    sheet = character.sheet
    rest = tuple(one for one in sheet.stable if one is not pool)
    tallies = {one: count for one, count in sheet.tallies.items() if one is not pool}
    changed = {"stable": (*rest, pool) if is_stable else rest, "tallies": tallies}
    return scene.with_sheet(character, evolve(sheet, **changed))


def heal_wounds(scene: Scene, who: CharacterId, pool: Pool, points: int) -> tuple[Scene, int]:
    """Heal wounds, at most as many as there are. [SWIM-COMB-11, SWIM-MAGIC-14]

    Returns:
        The new scene, and how many wounds were healed.
    """
    character = scene.character(who)
    had = character.left(wounds_key(pool))
    healed = min(had, points)
    scene = scene.with_character(character.with_resource(wounds_key(pool), had - healed))
    if hit_points(scene, scene.character(who), pool) >= 0 and pool in character.sheet.stable:
        scene = with_stable(scene, who, pool, is_stable=False)
    return scene, healed


@procedure("soak")
def soak(scene: Scene, options: SoakOptions, _dice: Dice) -> Outcome:
    """Let Composure soak wounds that have just been dealt. [SWIM-COMB-06, SWIM-COMB-07]"""
    actor = scene.actor
    wounds = actor.left(wounds_key(options.pool))
    points = min(options.points, wounds, composure_left(scene, actor))
    if not wounds:
        raise UserError(f"{actor.name} has no wound to soak.")
    if points <= 0:
        raise UserError(f"{actor.name} has no Composure left.", "A brief rest restores it.")
    scene = add_wounds(scene, actor.id, options.pool, -points, points)
    return Outcome(scene=scene, headline=f"soaks {points} with Composure")


class PolicyOptions(Document):
    """When Composure soaks damage: first, when asked, or never."""

    policy: SoakPolicy


@procedure("policy", sets=True)
def set_policy(scene: Scene, options: PolicyOptions, _dice: Dice) -> Outcome:
    """Choose when Composure soaks damage. [SWIM-COMB-07 (SWIM-R45)]"""
    actor = scene.actor
    sheet = evolve(actor.sheet, soak=options.policy)
    words = {
        SoakPolicy.COMPOSURE_FIRST: "lets Composure soak damage first",
        SoakPolicy.ASK: "is asked before Composure soaks damage",
        SoakPolicy.NEVER: "never soaks damage with Composure",
    }
    return Outcome(scene=scene.with_sheet(actor, sheet), headline=words[options.policy])


LANDINGS = range(13)  # the damage of a landing, on the GM's menu


class Mishap(StrEnum):
    """The kind of roll that failed critically. [SWIM-TASK-09 (SWIM-R14)]"""

    ATTACK = "attack"
    MOVE = "move"
    FALL = "fall"
    CRAFT = "craft"
    OTHER = "other"


class SwimMishapOptions(Document):
    """A critical failure to apply."""

    kind: Mishap  # what went wrong
    severity: int = Field(ge=1, le=999)  # how many criticals count
    pool: Pool = Pool.PHYSICAL  # the hit points that an attack's mishap costs
    attempt: str = ""  # the roll it belongs to


class FallOptions(Document):
    """Who falls, and the damage of the landing."""

    target: CharacterId
    damage: int = Field(default=0, ge=0, le=100)  # physical damage; none for a soft landing


class WaiveOptions(Document):
    """A critical failure that the GM waives."""

    attempt: str = ""


def critical_words(kind: Mishap, severity: int) -> str:
    """The default effect of criticals, in words. [SWIM-TASK-09]"""
    if kind is Mishap.ATTACK:
        return f"{severity} damage to yourself"
    if kind is Mishap.FALL:
        return "a fall; the GM decides the damage"
    if kind is Mishap.MOVE:
        return "prone" if severity == 1 else f"prone and {severity - 1} damage"
    if kind is Mishap.CRAFT:
        return "ruined material"
    return "the GM decides what happens"


def suffered_words(kind: Mishap, severity: int) -> str:
    """What a character has suffered, for everyone to read."""
    return f"{severity} damage" if kind is Mishap.ATTACK else critical_words(kind, severity)


def critical_note(ones: int, cancels: int, severity: int, kind: Mishap, *, whose: str = "") -> str:
    """A note that counts the criticals of a failed roll. [SWIM-TASK-08]

    Args:
        ones: How many dice show a natural 1.
        cancels: How many criticals implements cancel.
        severity: How many count.
        whose: Whose dice they are, if a message is about several people.
    """
    cancelled = f", {min(cancels, max(0, ones - 1))} canceled" if cancels and ones > 1 else ""
    count = counted(severity, "critical", "criticals") if severity else "no critical"
    does = f" ({suffered_words(kind, severity)})" if severity else ""
    rolled = f"{f'{whose} rolled ' if whose else ''}{counted(ones, 'natural 1', 'natural 1s')}"
    note = f"{rolled}: first ignored{cancelled}, {count}{does}."
    return harm(note) if severity else holds(note)


def critical_buttons(
    scene: Scene, who: CharacterId, kind: Mishap, severity: int, pool: Pool
) -> tuple[FollowUp, ...]:
    """The buttons to take a critical failure, or for the GM to waive it."""
    if not severity or kind in {Mishap.CRAFT, Mishap.OTHER}:
        return ()
    if kind is Mishap.FALL:
        return fall_buttons(scene, who)
    return (
        FollowUp(
            procedure="mishap",
            options=SwimMishapOptions(kind=kind, severity=severity, pool=pool, attempt=scene.moment),
            label=f"Take it: {critical_words(kind, severity)}",
            character=who,
            group="mishap",
        ),
        FollowUp(
            procedure="waive",
            options=WaiveOptions(attempt=scene.moment),
            label="Waive it",
            audience=Audience.GM,
            group="mishap",
        ),
    )


def fall_buttons(scene: Scene, who: CharacterId) -> tuple[FollowUp, ...]:
    """The GM's buttons for a fall: the damage of the landing, or no fall. [SWIM-TASK-09 (SWIM-R14)]"""
    name = scene.character(who).name
    choices = tuple(
        Choice(str(damage), f"{damage} damage" if damage else "prone, no damage") for damage in LANDINGS
    )
    return (
        FollowUp(
            procedure="fall",
            options=FallOptions(target=who),
            label=f"{name} falls and lands …",
            audience=Audience.GM,
            choices=choices,
            chosen="damage",
            group="mishap",
        ),
        FollowUp(
            procedure="waive",
            options=WaiveOptions(attempt=scene.moment),
            label="Waive it",
            audience=Audience.GM,
            group="mishap",
        ),
    )


@procedure("fall", gm_only=True, needs_actor=False)
def fall(scene: Scene, options: FallOptions, _dice: Dice) -> Outcome:
    """Make a character fall: prone, no longer in the air, and damaged as the GM says.

    [SWIM-TASK-09 (SWIM-R14), SWIM-RACE-05, SWIM-MAGIC-09]
    """
    scene = with_states(scene, options.target, is_prone=True, is_hovering=False)
    hurt = take_damage(scene, options.target, Pool.PHYSICAL, options.damage)
    name = scene.character(options.target).name
    return Outcome(
        scene=hurt.scene,
        headline=f"lets {name} fall",
        notes=(f"{name} lies prone.", *hurt.notes),
        follow_ups=hurt.follow_ups,
    )


@procedure("mishap")
def suffer(scene: Scene, options: SwimMishapOptions, _dice: Dice) -> Outcome:
    """Take the effects of a critical failure. [SWIM-TASK-09 (SWIM-R14)]"""
    actor = scene.actor
    if options.kind is Mishap.ATTACK:
        hurt = take_damage(scene, actor.id, options.pool, options.severity)
    elif options.kind is Mishap.MOVE:
        scene = with_states(scene, actor.id, is_prone=True)
        hurt = take_damage(scene, actor.id, Pool.PHYSICAL, options.severity - 1)
    else:
        raise UserError("The GM decides what that does.")
    return Outcome(
        scene=hurt.scene,
        headline=f"suffers a critical failure: {suffered_words(options.kind, options.severity)}",
        notes=hurt.notes,
        follow_ups=hurt.follow_ups,
    )


@procedure("waive", gm_only=True, needs_actor=False)
def waive(scene: Scene, _options: WaiveOptions, _dice: Dice) -> Outcome:
    """Waive a critical failure."""
    return Outcome(scene=scene, headline="waives the critical failure")
