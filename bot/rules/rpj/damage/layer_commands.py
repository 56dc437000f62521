"""The layer commands: showing, adding, ending and repairing layers of defense."""

import re
from typing import Literal

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, FollowUp, NoOptions, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.rules.rpj.character.damage_saves import Strike, damage_save, health_lines, layers_of, next_save
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.health_changes import with_health
from bot.rules.rpj.character.roll_deadlines import window_of
from bot.rules.rpj.character.sheet import Character, Outcome, Scene
from bot.rules.rpj.damage.damage_save_commands import assert_scale_played
from bot.rules.rpj.module.defense_layers import Layer, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.scales import Scale
from bot.rules.rpj.resolution.check import check_odds

MINUTE = 60
SHOWN_DAMAGE = range(5)
LEAST_TARGET, MOST_TARGET, MOST_SAVES = 2, 12, 10


class LayerOptions(Document):
    """The options of a temporary layer of defense.

    Attributes:
        name: Its name.
        saves: Its target numbers: "5 6".
        kind: Its kind.
        inside: The layer directly outside it; empty makes it the outermost.
        reduction: Damage reduction while it is the layer struck.
        scale: The damage scale it withstands, where these are played.
        minutes: How long it lasts; None: until the fight ends, or until the GM ends it.
    """

    name: str = Field(min_length=1, max_length=40)
    saves: str = Field(min_length=1, max_length=60)
    kind: Literal["ability", "shield", "armor"] = "ability"
    inside: str = Field(default="", max_length=40)
    reduction: int = Field(default=0, ge=0, le=10)
    minutes: int | None = Field(default=None, ge=1, le=100_000)
    scale: Scale = Scale.NORMAL


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
    wanted = " ".join(typed.split()).casefold()
    layers = layers_of(figure)
    for layer in layers:
        if wanted in (layer.name.casefold(), layer.id):
            return layer
    raise UserError(
        f"There is no layer called “{typed}”.", f"The layers: {', '.join(layer.name for layer in layers)}."
    )


def show_health(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the layers of defense, the base first, with a mark at the next save, and its chances.

    Source: RPJ-HEALTH-01, RPJ-HEALTH-10, RPJ-HEALTH-19.
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


declare("health", NoOptions, show_health)


def add_layer(scene: Scene, options: LayerOptions, _dice: Dice) -> Outcome:
    """Add a temporary layer: outermost, or directly inside another one; it can't be moved later.

    Raises:
        UserError: If there is a layer of that name; the GM repairs a broken one.

    Source: RPJ-HEALTH-06, RPJ-HEALTH-08, RPJ-HEALTH-09 (R-057, R-058).
    """
    actor = scene.actor
    assert_scale_played(scene, options.scale)
    figure, health = figure_in(scene, actor), actor.sheet.health
    _assert_free(figure, options.name)
    ends_at = None if options.minutes is None else scene.clock + options.minutes * MINUTE
    layer = Layer.fresh(
        _id_of(options.name),
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


declare("layer", LayerOptions, add_layer)


def _assert_free(figure: Stats, name: str) -> None:
    wanted = " ".join(name.split()).casefold()
    layer = next((one for one in layers_of(figure) if wanted in (one.name.casefold(), one.id)), None)
    if layer is not None:
        raise UserError(
            f"There is already a layer called {layer.name}: {layer}.",
            "Choose another name. A GM repairs armor with /rpj-gm health repair and ends a temporary layer "
            "with /rpj-gm health end.",
        )


def _id_of(name: str) -> str:
    return f"own {' '.join(name.split()).casefold()}"


def _kept(scene: Scene, character: Character, health: RpjHealth) -> Scene:
    return with_health(scene, character, health)


def _places(actor: Character, health: RpjHealth, layer: Layer, options: LayerOptions) -> tuple[FollowUp, ...]:
    """Buttons for other places of the layer, as long as nothing has happened since.

    Source: RPJ-HEALTH-09 (R-057).
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


def end_layer(scene: Scene, options: OneLayerOptions, _dice: Dice) -> Outcome:
    """End a temporary layer.

    Raises:
        UserError: If it is not temporary.

    Source: RPJ-HEALTH-09 (R-058).
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


declare("end_layer", OneLayerOptions, end_layer, gm_only=True, needs_actor=False)


def repair(scene: Scene, options: OneLayerOptions, _dice: Dice) -> Outcome:
    """Repair armor or a shield: all its saves are restored. Rest does not do that.

    Raises:
        UserError: If it is no armor, or undamaged.

    Source: RPJ-HEALTH-20, RPJ-HEALTH-15.
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


declare("repair", OneLayerOptions, repair, gm_only=True, needs_actor=False)
