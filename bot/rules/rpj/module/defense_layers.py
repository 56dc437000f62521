"""Layers of defense and their damage saves, as stored."""

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache

from pydantic import Field

from bot.rules.kernel import Document, evolve
from bot.rules.rpj.module.effects import LayerKind, SaveTarget
from bot.rules.rpj.module.scales import Scale


class Save(Document):
    """One damage save: its target number, and whether it is crossed off.

    Source: RPJ-HEALTH-01.
    """

    target: SaveTarget
    is_lost: bool = False


class Layer(Document):
    """A layer of defense.

    Attributes:
        id: Its id.
        name: Its name.
        kind: Its kind.
        saves: Its saves, the easiest first.
        reduction: Damage reduction while it is the layer struck.
        scale: The damage scale its saves withstand, where these are played.
        ends_at: Moment on the game clock (seconds) when it ends; None: with the fight, or by the GM.

    Source: RPJ-HEALTH-06, RPJ-HEALTH-08.
    """

    id: str
    name: str
    kind: LayerKind
    saves: tuple[Save, ...]
    reduction: int = Field(default=0, ge=0)
    scale: Scale = Scale.NORMAL
    ends_at: int | None = None

    @staticmethod
    def fresh(
        id_: str,
        name: str,
        kind: LayerKind,
        targets: tuple[int, ...],
        *,
        reduction: int = 0,
        scale: Scale = Scale.NORMAL,
        ends_at: int | None = None,
    ) -> "Layer":
        """A layer with all its saves."""
        return _fresh(id_, name, kind, targets, reduction, scale, ends_at)

    @property
    def is_broken(self) -> bool:
        """Whether all its saves are crossed off.

        Source: RPJ-HEALTH-15.
        """
        return all(save.is_lost for save in self.saves)

    @property
    def next_place(self) -> int:
        """The place of the easiest save left; only for an unbroken layer."""
        return next(place for place, save in enumerate(self.saves) if not save.is_lost)

    def marked(self, place: int, *, is_lost: bool) -> "Layer":
        """The layer with one save crossed off, or restored."""
        save = evolve(self.saves[place], is_lost=is_lost)
        return evolve(self, saves=(*self.saves[:place], save, *self.saves[place + 1 :]))

    def crossed_off(self) -> "Layer":
        """The layer with all its saves crossed off.

        Source: RPJ-SCALE-05.
        """
        lost = tuple(evolve(save, is_lost=True) for save in self.saves)
        return evolve(self, saves=lost)

    def __str__(self) -> str:
        return "/".join(f"×{save.target}+" if save.is_lost else f"{save.target}+" for save in self.saves)


@lru_cache(maxsize=512)
def _fresh(
    id_: str,
    name: str,
    kind: LayerKind,
    targets: tuple[int, ...],
    reduction: int,
    scale: Scale,
    ends_at: int | None,
) -> Layer:
    saves = tuple(Save(target=target) for target in sorted(targets))
    return Layer(id=id_, name=name, kind=kind, saves=saves, reduction=reduction, scale=scale, ends_at=ends_at)


class Out(StrEnum):
    """Whether a character is out of action, and how.

    Source: RPJ-HEALTH-16, RPJ-HEALTH-18 (R-093).
    """

    NO = "no"
    INCAPACITATED = "incapacitated"
    KNOCKED_OUT = "knocked out"
    DEAD = "dead"


class RpjHealth(Document):
    """A character's health.

    Attributes:
        layers: Temporary layers from the outermost on, and worn ones that were struck.
        lost_base: The target numbers of crossed-off base saves.
        out: Whether the character is out of action.
        bleeding: Failed rolls in a row against bleeding out.
        is_stable: Whether an incapacitated character no longer bleeds.
        wakings: Failed attempts to wake up.
        is_weak: Whether incapacitation penalties apply.
        due: The moment on the game clock when a roll against bleeding or to wake up became due, or None.
    """

    layers: tuple[Layer, ...] = ()
    lost_base: tuple[int, ...] = ()
    out: Out = Out.NO
    bleeding: int = Field(default=0, ge=0, le=20)
    is_stable: bool = False
    wakings: int = Field(default=0, ge=0, le=100)
    is_weak: bool = False
    due: int | None = None

    @property
    def is_bleeding(self) -> bool:
        """Whether the character is bleeding out.

        Source: RPJ-GCS-33, RPJ-GCS-34.
        """
        return self.out is Out.INCAPACITATED and not self.is_stable

    def layer(self, id_: str) -> Layer | None:
        """A stored layer, or None."""
        return next((layer for layer in self.layers if layer.id == id_), None)

    def with_layer(self, layer: Layer) -> "RpjHealth":
        """The health with one layer replaced, or added as the innermost stored one."""
        if self.layer(layer.id) is None:
            return evolve(self, layers=(*self.layers, layer))
        layers = tuple(layer if old.id == layer.id else old for old in self.layers)
        return evolve(self, layers=layers)

    def without_layer(self, id_: str) -> "RpjHealth":
        """The health without a stored layer; a worn one is undamaged again."""
        return evolve(self, layers=tuple(old for old in self.layers if old.id != id_))

    def with_ability(self, layer: Layer, inside: str = "") -> "RpjHealth":
        """The health with one more temporary layer: outermost, or directly inside another one.

        Source: RPJ-HEALTH-09 (R-057).
        """
        rest = self.without_layer(layer.id).layers
        place = next((at + 1 for at, old in enumerate(rest) if old.id == inside), 0)
        return evolve(self, layers=(*rest[:place], layer, *rest[place:]))

    def after_fight(self) -> "RpjHealth":
        """The health after a fight, without temporary layers that have no time limit.

        Source: RPJ-HEALTH-09 (R-058).
        """
        return self._filtered(lambda layer: layer.kind is not LayerKind.ABILITY or layer.ends_at is not None)

    def at_clock(self, clock: int) -> "RpjHealth":
        """The health at a later moment, without expired layers."""
        return self._filtered(lambda layer: layer.ends_at is None or layer.ends_at > clock)

    def _filtered(self, stays: Callable[[Layer], bool]) -> "RpjHealth":
        return evolve(self, layers=tuple(layer for layer in self.layers if stays(layer)))
