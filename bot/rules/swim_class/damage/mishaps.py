"""What critical failures do, once somebody has said that they do it."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Choice, Document, FollowUp, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.sheet import Outcome, Scene, with_states
from bot.rules.swim_class.damage.damage import take_damage
from bot.rules.swim_class.resolution.tables import Pool

LANDINGS = range(13)  # what a landing may cost, on the GM's menu


class Mishap(StrEnum):
    """What kind of roll went wrong.

    Source: SWIM-TASK-09 (SWIM-R14).
    """

    ATTACK = "attack"
    MOVE = "move"
    FALL = "fall"
    OTHER = "other"


class SwimMishapOptions(Document):
    """A critical failure that is to be suffered.

    Attributes:
        kind: What went wrong.
        severity: How many criticals count.
        pool: The hit points that an attack of one's own costs.
        attempt: Which roll it belongs to.
    """

    kind: Mishap
    severity: int = Field(ge=1, le=999)
    pool: Pool = Pool.PHYSICAL
    attempt: str = ""


class FallOptions(Document):
    """Who falls, and what the landing costs.

    Attributes:
        target: Who.
        damage: Physical damage; none for a soft landing.
    """

    target: CharacterId
    damage: int = Field(default=0, ge=0, le=100)


class WaiveOptions(Document):
    """A critical failure that the GM lets go."""

    attempt: str = ""


def critical_words(kind: Mishap, severity: int) -> str:
    """What criticals do by default, in words.

    Source: SWIM-TASK-09.
    """
    if kind is Mishap.ATTACK:
        return f"{severity} damage to oneself"
    if kind is Mishap.FALL:
        return "a fall; the GM says how deep"
    if kind is Mishap.MOVE:
        return "prone" if severity == 1 else f"prone and {severity - 1} damage"
    return "the GM says what happens"


def critical_note(ones: int, cancels: int, severity: int, kind: Mishap, *, whose: str = "") -> str:
    """How the criticals of a failed roll are counted.

    Args:
        ones: How many dice show a natural 1.
        cancels: How many criticals implements cancel.
        severity: How many count.
        kind: What they bring.
        whose: Whose dice they are, where a message tells of several people's.

    Source: SWIM-TASK-08.
    """
    cancelled = f", {min(cancels, max(0, ones - 1))} cancelled" if cancels and ones > 1 else ""
    count = counted(severity, "critical", "criticals") if severity else "no critical"
    does = f" ({critical_words(kind, severity)})" if severity else ""
    rolled = f"{f'{whose} rolled ' if whose else ''}{counted(ones, 'natural 1', 'natural 1s')}"
    return f"{rolled}: first ignored{cancelled}, {count}{does}."


def critical_buttons(
    scene: Scene, who: CharacterId, kind: Mishap, severity: int, pool: Pool
) -> tuple[FollowUp, ...]:
    """Buttons to suffer a critical failure, or for the GM to let it go."""
    if not severity or kind is Mishap.OTHER:
        return ()
    if kind is Mishap.FALL:
        return fall_buttons(scene, who)
    return (
        FollowUp(
            procedure="mishap",
            options=SwimMishapOptions(kind=kind, severity=severity, pool=pool, attempt=scene.moment),
            label=f"Suffer it: {critical_words(kind, severity)}",
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
    """What the GM may say about a fall: what the landing costs, or that there is none.

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
    """Let somebody fall: no longer in the air, prone, and hurt as much as the GM says.

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
    """Suffer a critical failure of one's own.

    Source: SWIM-TASK-09 (SWIM-R14).
    """
    actor = scene.actor
    if options.kind is Mishap.ATTACK:
        hurt = take_damage(scene, actor.id, options.pool, options.severity)
    elif options.kind is Mishap.MOVE:
        scene = with_states(scene, actor.id, is_prone=True)
        hurt = take_damage(scene, actor.id, Pool.PHYSICAL, options.severity - 1)
    else:
        raise UserError("The GM says what that does.")
    return Outcome(
        scene=hurt.scene,
        headline=f"suffers a critical failure: {critical_words(options.kind, options.severity)}",
        notes=hurt.notes,
        follow_ups=hurt.follow_ups,
    )


declare("mishap", SwimMishapOptions, suffer)


def waive(scene: Scene, _options: WaiveOptions, _dice: Dice) -> Outcome:
    """Let a critical failure go."""
    return Outcome(scene=scene, headline="waives the critical failure")


declare("waive", WaiveOptions, waive, gm_only=True, needs_actor=False)
