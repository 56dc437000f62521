"""The damage save command, and the buttons that ask for saves."""

from enum import StrEnum
from fractions import Fraction

from pydantic import Field

from bot.rules.kernel import Audience, Document, Family, FollowUp, Verdict, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.facts import down, harm
from bot.rules.kernel.odds import percent
from bot.rules.kernel.wording import shown_number
from bot.rules.rpj.character.damage_saves import (
    ARMORED,
    RpjStruck,
    Spot,
    Strike,
    after_save,
    base_layer,
    damage_save,
    next_save,
    put_out,
    unrolled,
)
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.health_changes import with_health
from bot.rules.rpj.character.lucky_breaks import with_word
from bot.rules.rpj.character.roll_deadlines import window_of
from bot.rules.rpj.character.sheet import Character, Outcome, Scene
from bot.rules.rpj.checks.lucky_break_buttons import Rescue, hopeless_note, paid_for, rescue_buttons
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.require_rules import Pack, require
from bot.rules.rpj.module.scales import Scale
from bot.rules.rpj.resolution.check import CHECK, RpjResult, check_odds, reading_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

SAVE_GROUP = "save"
SAVED = Verdict(Family.SUCCESS, "saved")


class Single(StrEnum):
    """The single base save a helpless character rolls; a failure puts them out of action.

    Source: RPJ-HEALTH-18.
    """

    NO = "no"
    BEST = "the best base save"
    WORST = "the worst base save"


class DamageOptions(Document):
    """The options of damage.

    Attributes:
        damage: Added to the target number of the save; negative makes it easier.
        reduce: Damage reduction.
        times: How many times one hit deals it.
        bypass: Kinds of layers it bypasses, separated by commas.
        nonlethal: Whether it knocks out instead of killing.
        scale: Its damage scale, where these are played.
    """

    damage: int = Field(default=0, ge=-20, le=40)
    reduce: int = Field(default=0, ge=0, le=40)
    times: int = Field(default=1, ge=1, le=10)
    bypass: str = Field(default="", max_length=60)
    nonlethal: bool = False
    scale: Scale = Scale.NORMAL

    @property
    def strike(self) -> Strike:
        """The damage for the rules.

        Raises:
            UserError: If there is no such kind of layer.
        """
        return Strike(
            damage=self.damage,
            reduced_by=self.reduce,
            bypasses=read_kinds(self.bypass),
            is_nonlethal=self.nonlethal,
            scale=self.scale,
        )

    @property
    def words(self) -> str:
        """The damage in words: "2 damage reduced by 1, nonlethal, bypassing armor"."""
        scale = "" if self.scale is Scale.NORMAL else f" {self.scale}"
        parts = [
            f"{shown_number(self.damage)}{scale} damage"
            + (f" reduced by {self.reduce}" if self.reduce else "")
        ]
        parts += ["nonlethal"] if self.nonlethal else []
        if self.bypass:
            is_all = set(read_kinds(self.bypass)) == set(ARMORED)
            parts.append("base saves only" if is_all else f"bypassing {self.bypass}")
        return ", ".join(parts)


class SaveOptions(DamageOptions):
    """The options of a damage save; those below are never typed.

    Attributes:
        times: How many times the damage is dealt, or how many ticks are due.
        single: The single base save rolled.
        rolled: A roll made before, or None.
        done: How many saves of the same hit have been rolled.
        in_combat: Whether a fight is going on.
    """

    single: Single = Single.NO
    times: int = Field(default=1, ge=1, le=100_000)
    rolled: RpjCheckInputs | None = None
    done: int = Field(default=0, ge=0, le=100_000)
    in_combat: bool = False


def read_kinds(typed: str) -> tuple[LayerKind, ...]:
    """Read typed kinds of layers: "armor, shield".

    Raises:
        UserError: If a kind is unknown or can't be bypassed.

    Source: RPJ-HEALTH-11.
    """
    words = [word.strip().casefold() for word in typed.split(",") if word.strip()]
    unknown = [word for word in words if word not in ARMORED]
    if unknown:
        raise UserError(
            f"“{unknown[0]}” isn't a layer damage can bypass.", f"It can bypass {', '.join(ARMORED)}."
        )
    return tuple(LayerKind(word) for word in words)


def spot_of(figure: Stats, options: SaveOptions) -> Spot:
    """The save that is rolled.

    Raises:
        UserError: If there is none, or the damage is too small or too large for one.

    Source: RPJ-SCALE-04, RPJ-SCALE-06.
    """
    spot = met_spot(figure, options)
    settled = unrolled(figure, spot, options.strike) if options.single is Single.NO else None
    if settled == figure.sheet.health:
        raise UserError(
            f"{options.scale.capitalize()} damage can't harm a {spot.layer.scale} layer.",
            "No save is needed.",
            "If the damage has another scale, name it in the option scale.",
        )
    if settled is not None:
        raise UserError(
            f"There is no save against {options.scale} damage: it breaks every layer of normal scale.",
            try_this="A GM applies it with /rpj-gm health harm.",
        )
    return spot


def met_spot(figure: Stats, options: SaveOptions) -> Spot:
    """The save that damage meets, rolled or not.

    Raises:
        UserError: If there is none.

    Source: RPJ-HEALTH-07, RPJ-HEALTH-08, RPJ-HEALTH-11, RPJ-HEALTH-15, RPJ-HEALTH-18.
    """
    if figure.sheet.health.out is not Out.NO:
        raise UserError(
            f"You can't roll damage saves while {figure.sheet.health.out}.",
            "See /rpj health show.",
        )
    if options.single is Single.NO:
        spot = next_save(figure, options.strike)
    else:
        base = base_layer(figure)
        intact = [place for place, save in enumerate(base.saves) if not save.is_lost]
        spot = Spot(base, intact[0 if options.single is Single.BEST else -1]) if intact else None
    if spot is None:
        raise UserError(
            "You have no damage save left against this damage.", "/rpj health show lists your layers."
        )
    return spot


def save_button(target: Character, figure: Stats, options: SaveOptions) -> FollowUp:
    """The button to roll a damage save, with its target number and its chance.

    Args:
        target: Who saves.
        figure: Their stats.
        options: The damage.

    Raises:
        UserError: If there is nothing to save with.

    Source: RPJ-HEALTH-12, RPJ-GCS-31.
    """
    spot = spot_of(figure, options)
    inputs = damage_save(figure, spot, options.strike)
    chance = percent(check_odds(inputs).enough or Fraction(0))
    who = f"{target.name[:40]}: save on"
    if options.done:
        who = f"Save {options.done + 1} of {options.done + options.times}:"
    return FollowUp(
        procedure="save",
        options=options,
        label=f"{who} {inputs.target}+ ({spot.layer.name[:20]}) · {chance}",
        character=target.id,
        group=f"{SAVE_GROUP} {target.id}",
        is_owed=True,
    )


def assert_scale_played(scene: Scene, scale: Scale) -> None:
    """Refuse damage of another scale where scales are not played.

    Raises:
        PackIsOff: If they are not played.

    Source: RPJ-SCALE-10.
    """
    if scale is not Scale.NORMAL:
        require(scene, Pack.DAMAGE_SCALES)


def save(scene: Scene, options: SaveOptions, dice: Dice) -> Outcome:
    """Roll the damage save that the damage meets; a failed save is crossed off.

    Source: RPJ-HEALTH-12 to RPJ-HEALTH-17, RPJ-LUCK-02, RPJ-LUCK-03.
    """
    actor = scene.actor
    assert_scale_played(scene, options.scale)
    figure, strike = figure_in(scene, actor), options.strike
    spot = spot_of(figure, options)
    inputs = options.rolled or damage_save(figure, spot, strike)
    paid = paid_for(scene, actor.id, inputs)
    roll = CHECK.resolve(inputs, dice)
    struck = after_save(figure, spot, strike, roll)
    health = struck.health
    if struck.lost is not None and options.single is not Single.NO:
        health = put_out(health, strike)
    roller = paid.character(actor.id)
    return Outcome(
        scene=with_health(paid, roller, health, in_combat=options.in_combat),
        paid=paid,
        headline=f"rolls a {spot.layer.name} save ({spot.target}+) against {options.words}",
        verdict=_verdict(struck),
        rolls=(roll,),
        notes=(*_notes(struck, health), *hopeless_note(roller, roll)),
        follow_ups=(
            *rescue_buttons(roller, figure.lucky_breaks, roll, _rescue(actor, options)),
            *_word_buttons(actor, options, struck),
            *_next_buttons(actor, figure, options, health),
        ),
        passed=None if _is_undecided(struck) else struck.lost is None,
        skill="damage save",
    )


declare("save", SaveOptions, save, is_check=True)


def _is_undecided(struck: RpjStruck) -> bool:
    return reading_of(struck.roll).result is RpjResult.UNDECIDED


def _verdict(struck: RpjStruck) -> Verdict:
    if _is_undecided(struck):
        return struck.roll.verdict
    if struck.is_spared:
        return Verdict(Family.FAILURE, "failed: a legendary foe loses no save")
    if struck.lost is None:
        return SAVED
    if struck.is_whole:
        return Verdict(Family.FAILURE, f"failed: all {struck.lost.layer.name} saves lost")
    words = f"one {struck.lost.target}+ save lost"
    if reading_of(struck.roll).result.is_success:
        return Verdict(Family.PARTIAL, f"saved, but {words}")
    return Verdict(Family.FAILURE, f"failed: {words}")


def _notes(struck: RpjStruck, health: RpjHealth) -> tuple[str, ...]:
    notes = []
    if struck.lost is not None and struck.breaks and struck.lost.layer.kind is not LayerKind.BASE:
        notes.append(harm(f"{struck.lost.layer.name} is broken."))
    if health.is_bleeding:
        notes.append(down("No base save left: bleeding out."))
    return tuple(notes)


def _rescue(actor: Character, options: SaveOptions) -> Rescue:
    return Rescue(
        procedure="save",
        options=lambda inputs: evolve(options, rolled=inputs),
        window=window_of(actor.id),
    )


def _word_buttons(actor: Character, options: SaveOptions, struck: RpjStruck) -> tuple[FollowUp, ...]:
    """The GM's buttons for an undecided critical.

    Source: RPJ-DICE-03 (R-002), RPJ-HEALTH-13.
    """
    words = ("accepted", "overruled") if _is_undecided(struck) else ()
    return tuple(
        FollowUp(
            procedure="save",
            options=evolve(options, rolled=with_word(struck.roll, word)),
            label=f"{'Accept' if word == 'accepted' else 'Overrule'} the critical (GM)",
            audience=Audience.GM,
            character=actor.id,
            group="word",
            rewinds=True,
        )
        for word in words
    )


def _next_buttons(
    actor: Character, figure: Stats, options: SaveOptions, health: RpjHealth
) -> tuple[FollowUp, ...]:
    """The button for the next save of a hit that deals its damage several times.

    Source: RPJ-HEALTH-17.
    """
    if options.times < 2 or health.out is not Out.NO:
        return ()
    after = Stats(evolve(figure.sheet, health=health), figure.module)
    update = {"times": options.times - 1, "done": options.done + 1, "rolled": None}
    return (save_button(actor, after, evolve(options, **update)),)
