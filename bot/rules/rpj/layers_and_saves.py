"""Damage saves and layers of defense outside attacks: rolling saves, showing, adding and repairing layers."""

import re
from enum import StrEnum
from typing import Literal

from pydantic import Field

from bot.rules.kernel import (
    CharacterId,
    Document,
    Family,
    FollowUp,
    NoOptions,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import down, harm, label_with, shown_number
from bot.rules.rpj.character.damage_saves import (
    ARMORED,
    RpjStruck,
    Spot,
    Strike,
    after_save,
    base_layer,
    damage_save,
    health_lines,
    layers_of,
    next_save,
    put_out,
    unrolled,
)
from bot.rules.rpj.character.incapacity import with_health
from bot.rules.rpj.character.lucky_breaks import (
    Rescue,
    hopeless_note,
    paid_for,
    rescue_buttons,
    window_of,
)
from bot.rules.rpj.character.sheet import Character, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.checks.after_a_check import word_buttons
from bot.rules.rpj.combat.fight import is_fighting
from bot.rules.rpj.module.basics import Scale, named
from bot.rules.rpj.module.defense_layers import Layer, Out, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import require
from bot.rules.rpj.resolution.check import CHECK, RpjResult, chance_words, check_odds, reading_of
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs

SAVE_GROUP = "save"
SAVED = Verdict(Family.SUCCESS, "saved")


class Single(StrEnum):
    """The single base save a helpless character rolls; a failure puts them out of action. [RPJ-HEALTH-18]"""

    NO = "no"
    BEST = "the best base save"
    WORST = "the worst base save"


class DamageOptions(Document):
    """The options of damage."""

    # Added to the target number of the save; negative makes it easier.
    damage: int = Field(default=0, ge=-20, le=40)
    reduce: int = Field(default=0, ge=0, le=40)  # damage reduction
    times: int = Field(default=1, ge=1, le=10)  # how many times one hit deals it
    bypass: str = Field(default="", max_length=60)  # kinds of layers it bypasses, separated by commas
    nonlethal: bool = False  # whether it knocks out instead of killing
    scale: Scale = Scale.NORMAL  # its damage scale, where these are played

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
    """The options of a damage save; those below are never typed."""

    single: Single = Single.NO  # the single base save rolled
    # How many times the damage is dealt, or how many ticks are due.
    times: int = Field(default=1, ge=1, le=100_000)
    rolled: RpjCheckInputs | None = None  # a roll made before, or None
    done: int = Field(default=0, ge=0, le=100_000)  # how many saves of the same hit have been rolled
    in_combat: bool = False  # whether a fight is going on


def read_kinds(typed: str) -> tuple[LayerKind, ...]:
    """Read typed kinds of layers: "armor, shield". [RPJ-HEALTH-11]

    Raises:
        UserError: If a kind is unknown or can't be bypassed.
    """
    words = [word.strip().casefold() for word in typed.split(",") if word.strip()]
    unknown = [word for word in words if word not in ARMORED]
    if unknown:
        raise UserError(
            f"“{unknown[0]}” isn't a layer damage can bypass.", f"It can bypass {', '.join(ARMORED)}."
        )
    return tuple(LayerKind(word) for word in words)


def spot_of(figure: Stats, options: SaveOptions) -> Spot:
    """The save that is rolled. [RPJ-SCALE-04, RPJ-SCALE-06]

    Raises:
        UserError: If there is none, or the damage is too small or too large for one.
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

    [RPJ-HEALTH-07, RPJ-HEALTH-08, RPJ-HEALTH-11, RPJ-HEALTH-15, RPJ-HEALTH-18]
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
    """The button to roll a damage save, with its target number and its chance. [RPJ-HEALTH-12, RPJ-GCS-31]

    Args:
        target: Who saves.
        options: The damage.

    Raises:
        UserError: If there is nothing to save with.
    """
    spot = spot_of(figure, options)
    inputs = damage_save(figure, spot, options.strike)
    words = f" {inputs.target}+ · {chance_words(inputs)}"
    which = f" {options.done + 1} of {options.done + options.times}," if options.done else ""
    return FollowUp(
        procedure="save",
        options=options,
        label=label_with(target.name, f": save{which}{words}"),
        character=target.id,
        group=f"{SAVE_GROUP} {target.id}",
        is_owed=True,
    )


def assert_scale_played(scene: Scene, scale: Scale) -> None:
    """Refuse damage of another scale where scales are not played. [RPJ-SCALE-10]

    Raises:
        PackIsOff: If they are not played.
    """
    if scale is not Scale.NORMAL:
        require(scene, Pack.DAMAGE_SCALES)


@procedure("save", is_check=True)
def save(scene: Scene, options: SaveOptions, dice: Dice) -> Outcome:
    """Roll the damage save that the damage meets; a failed save is crossed off.

    [RPJ-HEALTH-12 to RPJ-HEALTH-17, RPJ-LUCK-02, RPJ-LUCK-03]
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
    roller, rescue = paid.character(actor.id), _rescue(actor, options)
    in_combat = options.in_combat or is_fighting(scene, actor.id)
    return Outcome(
        scene=with_health(paid, roller, health, in_combat=in_combat),
        paid=paid,
        headline=f"{_rolls(spot)} against {options.words}",
        verdict=_verdict(struck),
        rolls=(roll,),
        notes=(*_notes(struck, health), *hopeless_note(roller, roll)),
        follow_ups=(
            *rescue_buttons(roller, roll, rescue),
            *word_buttons(rescue, actor.id, roll),
            *_next_buttons(actor, figure, options, health),
        ),
        passed=None if _is_undecided(struck) else struck.lost is None,
        skill="damage save",
    )


def _rolls(spot: Spot) -> str:
    return "rolls a save" if spot.layer.kind is LayerKind.BASE else f"rolls a {spot.layer.name} save"


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


def _next_buttons(
    actor: Character, figure: Stats, options: SaveOptions, health: RpjHealth
) -> tuple[FollowUp, ...]:
    """The button for the next save of a hit that deals its damage several times. [RPJ-HEALTH-17]"""
    if options.times < 2 or health.out is not Out.NO:
        return ()
    after = Stats(evolve(figure.sheet, health=health), figure.module)
    update = {"times": options.times - 1, "done": options.done + 1, "rolled": None}
    return (save_button(actor, after, evolve(options, **update)),)


MINUTE = 60
SHOWN_DAMAGE = range(5)
LEAST_TARGET, MOST_TARGET, MOST_SAVES = 2, 12, 10


class LayerOptions(Document):
    """The options of a temporary layer of defense."""

    name: str = Field(min_length=1, max_length=40)
    saves: str = Field(min_length=1, max_length=60)  # its target numbers: "5 6"
    kind: Literal["ability", "shield", "armor"] = "ability"
    # The layer directly outside it; empty makes it the outermost.
    inside: str = Field(default="", max_length=40)
    reduction: int = Field(default=0, ge=0, le=10)  # damage reduction while it is the layer struck
    # How long it lasts; None: until the fight ends, or until the GM ends it.
    minutes: int | None = Field(default=None, ge=1, le=100_000)
    scale: Scale = Scale.NORMAL  # the damage scale it withstands, where these are played


class OneLayerOptions(Document):
    """The options of a command about one layer."""

    target: CharacterId
    layer: str = Field(min_length=1, max_length=60)


def read_saves(typed: str) -> tuple[int, ...]:
    """Read typed target numbers: "5 6", "5+/6+".

    Raises:
        UserError: If they cannot be read, or there are too many.
    """
    words = [word for word in re.split(r"[\s,;/]+", typed) if word]
    targets = tuple(int(word.rstrip("+")) for word in words if re.fullmatch(r"\d{1,3}\+?", word))
    fits = 1 <= len(targets) <= MOST_SAVES and all(LEAST_TARGET <= one <= MOST_TARGET for one in targets)
    if len(targets) < len(words) or not fits:
        raise UserError(
            f"I can't read “{typed}” as damage saves.",
            f"Type 1 to {MOST_SAVES} target numbers from {LEAST_TARGET} to {MOST_TARGET}: 5 6",
        )
    return targets


def layer_named(figure: Stats, typed: str) -> Layer:
    """A character's layer, by name or id.

    Raises:
        UserError: If there is none.
    """
    layers = layers_of(figure)
    if layer := named(layers, typed):
        return layer
    raise UserError(
        f"There is no layer called “{typed}”.", f"The layers: {', '.join(layer.name for layer in layers)}."
    )


@procedure("health")
def show_health(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the layers of defense, the base first, with a mark at the next save, and its chances.

    [RPJ-HEALTH-01, RPJ-HEALTH-10, RPJ-HEALTH-19]
    """
    figure = figure_in(scene, scene.actor)
    spot = next_save(figure, Strike())
    notes = health_lines(figure)
    if spot is not None:
        chances = " · ".join(
            f"{damage}: {percent(odds.enough)}"
            for damage in SHOWN_DAMAGE
            if (odds := check_odds(damage_save(figure, spot, Strike(damage=damage)))).enough is not None
        )
        notes = (*notes, f"Next save: {spot.layer.name} {spot.target}+. Chance by damage: {chances}.")
    return Outcome(scene=scene, headline="looks at their layers of defense", notes=notes, is_public=False)


@procedure("layer")
def add_layer(scene: Scene, options: LayerOptions, _dice: Dice) -> Outcome:
    """Add a temporary layer: outermost, or directly inside another one; it can't be moved later.

    Raises:
        UserError: If there is a layer of that name; the GM repairs a broken one.

    [RPJ-HEALTH-06, RPJ-HEALTH-08, RPJ-HEALTH-09 (R-057, R-058)]
    """
    actor = scene.actor
    assert_scale_played(scene, options.scale)
    figure, health = figure_in(scene, actor), actor.sheet.health
    _assert_free(figure, options.name)
    ends_at = None if options.minutes is None else scene.clock + options.minutes * MINUTE
    layer = Layer.fresh(
        f"own {' '.join(options.name.split()).casefold()}",
        " ".join(options.name.split()),
        LayerKind(options.kind),
        read_saves(options.saves),
        reduction=options.reduction,
        scale=options.scale,
        ends_at=ends_at,
    )
    inside = layer_named(figure, options.inside) if options.inside else None
    after = health.with_ability(layer, "" if inside is None else inside.id)
    changed = _kept(scene, actor, after)
    timed = changed.character(actor.id).with_timer(layer.id, ends_at)
    where = "outermost" if inside is None else f"inside {inside.name}"
    return Outcome(
        scene=changed.with_character(timed),
        headline=f"is protected by {layer.name}, {where}",
        follow_ups=_places(actor, health, layer, options),
    )


def _assert_free(figure: Stats, name: str) -> None:
    if layer := named(layers_of(figure), name):
        raise UserError(
            f"There is already a layer called {layer.name}: {layer.words}.",
            "Choose another name. A GM repairs armor with /rpj-gm health repair and ends a temporary layer "
            "with /rpj-gm health end.",
        )


def _kept(scene: Scene, character: Character, health: RpjHealth) -> Scene:
    return with_health(scene, character, health)


def _places(actor: Character, health: RpjHealth, layer: Layer, options: LayerOptions) -> tuple[FollowUp, ...]:
    """Buttons for other places of the layer, as long as nothing has happened since.

    [RPJ-HEALTH-09 (R-057)]
    """
    if layer.kind is not LayerKind.ABILITY:
        return ()
    others = [old.name for old in health.layers if old.kind is LayerKind.ABILITY and old.id != layer.id]
    places = [name for name in ("", *others) if name.casefold() != options.inside.casefold()]
    return tuple(
        FollowUp(
            procedure="layer",
            options=evolve(options, inside=name),
            label=f"Inside {name}" if name else "Outermost",
            character=actor.id,
            group="place",
            window=window_of(actor.id),
            rewinds=True,
        )
        for name in places[:5]
    )


@procedure("end_layer", gm_only=True, needs_actor=False)
def end_layer(scene: Scene, options: OneLayerOptions, _dice: Dice) -> Outcome:
    """End a temporary layer. [RPJ-HEALTH-09 (R-058)]

    Raises:
        UserError: If it is not temporary.
    """
    target = scene.character(options.target)
    layer = layer_named(figure_in(scene, target), options.layer)
    if not layer.id.startswith("own "):
        raise UserError(
            f"{layer.name} isn't temporary.", "Take off worn armor instead; base saves can't be ended."
        )
    after = _kept(scene, target, target.sheet.health.without_layer(layer.id))
    ended = after.character(target.id).with_timer(layer.id, None)
    return Outcome(scene=after.with_character(ended), headline=f"ends {target.name}'s {layer.name}")


@procedure("repair", gm_only=True, needs_actor=False)
def repair(scene: Scene, options: OneLayerOptions, _dice: Dice) -> Outcome:
    """Repair armor or a shield: all its saves are restored. Rest does not do that.

    Raises:
        UserError: If it is no armor, or undamaged.

    [RPJ-HEALTH-20, RPJ-HEALTH-15]
    """
    target = scene.character(options.target)
    layer = layer_named(figure_in(scene, target), options.layer)
    health = target.sheet.health
    if layer.kind not in (LayerKind.ARMOR, LayerKind.SHIELD):
        raise UserError(
            f"You can't repair {layer.name}.", "You can repair armor and shields; base saves need rest."
        )
    if not any(save.is_lost for save in layer.saves):
        raise UserError(f"{layer.name} isn't damaged.")
    whole = layer
    for place in range(len(layer.saves)):
        whole = whole.marked(place, is_lost=False)
    is_own = layer.id.startswith("own ")
    after = health.with_layer(whole) if is_own else health.without_layer(layer.id)
    return Outcome(scene=_kept(scene, target, after), headline=f"repairs {target.name}'s {layer.name}")
