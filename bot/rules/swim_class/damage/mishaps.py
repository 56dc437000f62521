"""The effects of critical failures, applied or waived by button."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Choice, Document, FollowUp, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.facts import harm, holds
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.sheet import Outcome, Scene, with_states
from bot.rules.swim_class.damage.damage import take_damage
from bot.rules.swim_class.resolution.tables import Pool

LANDINGS = range(13)  # the damage of a landing, on the GM's menu


class Mishap(StrEnum):
    """The kind of roll that failed critically.

    Source: SWIM-TASK-09 (SWIM-R14).
    """

    ATTACK = "attack"
    MOVE = "move"
    FALL = "fall"
    CRAFT = "craft"
    OTHER = "other"


class SwimMishapOptions(Document):
    """A critical failure to apply.

    Attributes:
        kind: What went wrong.
        severity: How many criticals count.
        pool: The hit points that an attack's mishap costs.
        attempt: The roll it belongs to.
    """

    kind: Mishap
    severity: int = Field(ge=1, le=999)
    pool: Pool = Pool.PHYSICAL
    attempt: str = ""


class FallOptions(Document):
    """Who falls, and the damage of the landing.

    Attributes:
        target: Who.
        damage: Physical damage; none for a soft landing.
    """

    target: CharacterId
    damage: int = Field(default=0, ge=0, le=100)


class WaiveOptions(Document):
    """A critical failure that the GM waives."""

    attempt: str = ""


def critical_words(kind: Mishap, severity: int) -> str:
    """The default effect of criticals, in words.

    Source: SWIM-TASK-09.
    """
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
    """A note that counts the criticals of a failed roll.

    Args:
        ones: How many dice show a natural 1.
        cancels: How many criticals implements cancel.
        severity: How many count.
        kind: The kind of mishap.
        whose: Whose dice they are, if a message is about several people.

    Source: SWIM-TASK-08.
    """
    cancelled = f", {min(cancels, max(0, ones - 1))} cancelled" if cancels and ones > 1 else ""
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
    """The GM's buttons for a fall: the damage of the landing, or no fall.

    Source: SWIM-TASK-09 (SWIM-R14).
    """
    name = scene.character(who).name[:40]
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


def fall(scene: Scene, options: FallOptions, _dice: Dice) -> Outcome:
    """Make a character fall: prone, no longer in the air, and damaged as the GM says.

    Source: SWIM-TASK-09 (SWIM-R14), SWIM-RACE-05, SWIM-MAGIC-09.
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


declare("fall", FallOptions, fall, gm_only=True, needs_actor=False)


def suffer(scene: Scene, options: SwimMishapOptions, _dice: Dice) -> Outcome:
    """Take the effects of a critical failure.

    Source: SWIM-TASK-09 (SWIM-R14).
    """
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


declare("mishap", SwimMishapOptions, suffer)


def waive(scene: Scene, _options: WaiveOptions, _dice: Dice) -> Outcome:
    """Waive a critical failure."""
    return Outcome(scene=scene, headline="waives the critical failure")


declare("waive", WaiveOptions, waive, gm_only=True, needs_actor=False)
