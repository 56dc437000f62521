"""Short rests, hour by hour, and long ones."""

from dataclasses import dataclass

from pydantic import Field

from bot.rules.compare_roll.amounts import INTERRUPTED_AT, REST, LuckInputs
from bot.rules.compare_roll.encounter import find_fighter
from bot.rules.compare_roll.fortunes import (
    REST_ROLLS,
    Turned,
    ft_max,
    ft_now,
    heal,
    hp_now,
    luck_terms,
    regain_ft,
    with_sheet,
)
from bot.rules.compare_roll.opening import spend_high
from bot.rules.compare_roll.rolls import NamedTerm
from bot.rules.compare_roll.settings import RestInterrupts, ShortRestFortitude
from bot.rules.compare_roll.sheet import Status, hp_max, settings_of, sheet_of, status_of
from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import CharacterId, Document, FollowUp, Outcome, Procedure, Roll, Scene

HOUR_SECONDS = 3600
LONG_REST_HOURS = 24


class ShortRestOptions(Document):
    """How long one rests.

    Attributes:
        hours: How many hours at most.
        others: Who else rests.
        burn: High burned on the first hour, where the campaign lets it count in rests.
    """

    hours: int = Field(default=1, ge=1, le=12)
    others: tuple[CharacterId, ...] = Field(default=(), max_length=9)
    burn: int = Field(default=0, ge=0, le=5)


class LongRestOptions(Document):
    """A long rest.

    Attributes:
        targets: Who rests.
        safe: Whether the place is safe.
        broken: Whether it was broken off, and gives nothing.
    """

    targets: tuple[CharacterId, ...] = Field(max_length=40)
    safe: bool = True
    broken: bool = False


@dataclass(frozen=True, slots=True)
class _Rest:
    """A rest so far: the scene, who still rests, Fortitude regained, dice and notes."""

    scene: Scene
    resting: tuple[CharacterId, ...]
    regained: dict[CharacterId, int]
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()


def assert_can_rest(scene: Scene, who: CharacterId) -> None:
    """Raise `Mistake` if somebody is dead, dying, or in a fight."""
    character = scene.character(who)
    if status_of(character) in {Status.DEAD, Status.DYING}:
        raise Mistake(f"{character.name} cannot rest now.", "At 0 HP the choice of death comes first.")
    if find_fighter(scene, who) is not None:
        raise Mistake(f"{character.name} is in a fight.", "One rests after it.")


def short_rest(scene: Scene, options: ShortRestOptions, dice: Dice) -> Outcome:
    """Rest hour by hour: each heals 1d6 + Luck HP and 1 Fortitude, and 4 or less ends the rest.

    Source: CMP-REST-01 (CMP-R47, CMP-R48), CMP-REST-02 (CMP-R60), CMP-FT-03 (CMP-R44).
    """
    actor = scene.actor
    who = tuple(dict.fromkeys((actor.id, *options.others)))
    for one in who:
        assert_can_rest(scene, one)
    if options.burn:
        if settings_of(scene).stress_applies_to not in REST_ROLLS:
            raise Mistake(
                "High does not count in rests.", "The setting stress_applies_to says where it does."
            )
        scene = spend_high(scene, actor.id, options.burn)
    rest = _Rest(scene, who, dict.fromkeys(who, 0))
    slept = 0
    for hour in range(1, options.hours + 1):
        if rest.resting:
            rest = _hour(rest, hour, options.burn if hour == 1 else 0, dice)
            slept = hour
    gained = tuple(_gained(scene, rest.scene, one) for one in who)
    return Outcome(
        scene=rest.scene.at_clock(rest.scene.clock + slept * HOUR_SECONDS),
        headline=f"rests for {slept} of {options.hours} hours",
        rolls=rest.rolls,
        notes=(*rest.notes, *gained),
        follow_ups=(_again(actor.id),) if actor.id in rest.resting else (),
    )


def _again(who: CharacterId) -> FollowUp:
    return FollowUp(
        procedure="rest", options=ShortRestOptions(), label="Rest one hour more", character=who, group="rest"
    )


def _gained(before: Scene, after: Scene, who: CharacterId) -> str:
    """Fortitude that came back, as a sentence."""
    settings = settings_of(before)
    was, now = (sheet_of(scene.character(who)) for scene in (before, after))
    name = before.character(who).name
    return f"{name}: FT {ft_now(was, settings)} → {ft_now(now, settings)}/{ft_max(now, settings)}."


def _hour(rest: _Rest, hour: int, high: int, dice: Dice) -> _Rest:
    """One hour of everybody who still rests."""
    stopped: list[CharacterId] = []
    scene, rolls, notes = rest.scene, list(rest.rolls), list(rest.notes)
    regained = dict(rest.regained)
    for at, who in enumerate(rest.resting):
        character = scene.character(who)
        terms = luck_terms(scene, character, REST_ROLLS)
        if high and at == 0:
            terms = (*terms, NamedTerm(label="High", value=high))
        roll = REST.resolve(LuckInputs(terms=terms), dice).by(character)
        rolls.append(roll)
        healed = heal(scene, who, roll.total or 0)
        scene, points = _regain(healed.scene, who, hour, regained[who])
        regained[who] += points
        notes += healed.notes
        if (roll.total or 0) <= INTERRUPTED_AT:
            stopped.append(who)
            notes.append(f"{character.name}: interrupted in hour {hour}; the GM says by what.")
    left = tuple(who for who in rest.resting if who not in stopped)
    if stopped and settings_of(scene).rest_interrupts is RestInterrupts.PARTY:
        left = ()
    return _Rest(scene, left, regained, tuple(rolls), tuple(notes))


def _regain(scene: Scene, who: CharacterId, hour: int, so_far: int) -> tuple[Scene, int]:
    """The Fortitude of one hour: 1, up to half of the most in one rest, or as the campaign has it.

    Source: CMP-FT-03 (CMP-R44).
    """
    character, settings = scene.character(who), settings_of(scene)
    sheet = sheet_of(character)
    half = ft_max(sheet, settings) // 2
    match settings.short_rest_ft:
        case ShortRestFortitude.HALF_AT_ONCE:
            points = half if hour == 1 else 0
        case ShortRestFortitude.HOURLY:
            points = 1
        case _:
            points = min(1, half - so_far)
    return with_sheet(scene, character, regain_ft(sheet, settings, points)), points


def long_rest(scene: Scene, options: LongRestOptions, _dice: Dice) -> Outcome:
    """Rest for a day in a safe place: all HP and all Fortitude.

    Source: CMP-REST-03 (CMP-R49), CMP-STRESS-05 (CMP-R26).
    """
    if not options.safe:
        raise Mistake(
            "A long rest needs a safe place, such as a town.",
            "Elsewhere one rests for hours.",
            "Type /compare rest.",
        )
    turned = Turned(scene)
    for who in dict.fromkeys(options.targets):
        assert_can_rest(scene, who)
        if not options.broken:
            turned = turned.then(_restored(turned.scene, who))
    names = ", ".join(scene.character(who).name for who in dict.fromkeys(options.targets))
    after = (
        turned.scene
        if options.broken
        else turned.scene.at_clock(scene.clock + LONG_REST_HOURS * HOUR_SECONDS)
    )
    told = "Broken off: nothing is regained. Its hours may count as a short rest." if options.broken else ""
    return Outcome(
        scene=after,
        headline=f"lets {names} have a long rest",
        notes=(*((told,) if told else ()), *turned.notes),
    )


def _restored(scene: Scene, who: CharacterId) -> Turned:
    character = scene.character(who)
    healed = heal(scene, who, hp_max(sheet_of(character)) - hp_now(character))
    rested = healed.scene.character(who)
    whole = with_sheet(healed.scene, rested, sheet_of(rested).changed(ft_lost=0))
    return healed.then(Turned(whole))


REST_PROCEDURES = (
    Procedure(key="rest", options=ShortRestOptions, run=short_rest),
    Procedure(key="long_rest", options=LongRestOptions, run=long_rest, gm_only=True, needs_actor=False),
)
