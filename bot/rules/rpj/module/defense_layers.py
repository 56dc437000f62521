"""Layers of defence and their damage saves, as they are kept."""

from collections.abc import Callable
from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Document
from bot.rules.rpj.module.effects import LayerKind, SaveTarget
from bot.rules.rpj.module.scales import Scale


class Save(Document):
    """One damage save: its target number, and whether it is crossed off.

    Source: RPJ-HEALTH-01.
    """

    target: SaveTarget
    is_lost: bool = False


class Layer(Document):
    """A layer of defence.

    Attributes:
        id: What it is called in documents.
        name: What people call it.
        kind: What it is made of.
        saves: Its saves, the easiest first.
        reduction: Taken off the damage while it is the layer struck.
        scale: What its saves withstand, where damage scales are played.
        ends_at: Moment of the game clock (seconds) at which it is gone; None: with the fight, or by the GM.

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
        saves = tuple(Save(target=target) for target in sorted(targets))
        return Layer(
            id=id_, name=name, kind=kind, saves=saves, reduction=reduction, scale=scale, ends_at=ends_at
        )

    @property
    def is_broken(self) -> bool:
        """Whether all its saves are crossed off.

        Source: RPJ-HEALTH-15.
        """
        return all(save.is_lost for save in self.saves)

    @property
    def next_place(self) -> int:
        """The place of the easiest save that is left; of an unbroken layer only."""
        return next(place for place, save in enumerate(self.saves) if not save.is_lost)

    def marked(self, place: int, *, is_lost: bool) -> "Layer":
        """The same layer with one save crossed off, or restored."""
        save = self.saves[place].model_copy(update={"is_lost": is_lost})
        return self.model_copy(update={"saves": (*self.saves[:place], save, *self.saves[place + 1 :])})

    def crossed_off(self) -> "Layer":
        """The same layer with all its saves crossed off.

        Source: RPJ-SCALE-05.
        """
        lost = tuple(save.model_copy(update={"is_lost": True}) for save in self.saves)
        return self.model_copy(update={"saves": lost})

    def __str__(self) -> str:
        return "/".join(f"×{save.target}+" if save.is_lost else f"{save.target}+" for save in self.saves)


class Out(StrEnum):
    """Whether somebody is out of action, and how.

    Source: RPJ-HEALTH-16, RPJ-HEALTH-18 (R-093).
    """

    NO = "no"
    INCAPACITATED = "incapacitated"
    KNOCKED_OUT = "knocked out"
    DEAD = "dead"


class RpjHealth(Document):
    """What damage has done, and what stands between it and the body.

    Attributes:
        layers: Temporary layers from the outermost on, and worn ones that have been struck.
        lost_base: The target numbers of the base saves that are crossed off.
        out: Whether the owner is out of action.
        bleeding: Failures in a row of those who bleed.
        is_stable: Whether those who are incapacitated no longer bleed.
        wakings: Failed attempts to wake of those knocked out.
        is_weak: Whether incapacitation penalties hold.
        due: The moment of the game clock at which a roll for life, or to wake, fell due that is not made.
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
        """Whether the owner bleeds out.

        Source: RPJ-GCS-33, RPJ-GCS-34.
        """
        return self.out is Out.INCAPACITATED and not self.is_stable

    def layer(self, id_: str) -> Layer | None:
        """A layer that is kept, or None."""
        return next((layer for layer in self.layers if layer.id == id_), None)

    def with_layer(self, layer: Layer) -> "RpjHealth":
        """The same with one layer written anew where it was, or innermost of those kept."""
        if self.layer(layer.id) is None:
            return self.model_copy(update={"layers": (*self.layers, layer)})
        layers = tuple(layer if kept.id == layer.id else kept for kept in self.layers)
        return self.model_copy(update={"layers": layers})

    def without_layer(self, id_: str) -> "RpjHealth":
        """The same without a layer that is kept; a worn one is whole again."""
        return self.model_copy(update={"layers": tuple(kept for kept in self.layers if kept.id != id_)})

    def with_ability(self, layer: Layer, inside: str = "") -> "RpjHealth":
        """The same with one more temporary layer: outermost, or directly inside another one.

        Source: RPJ-HEALTH-09 (R-057).
        """
        rest = self.without_layer(layer.id).layers
        place = next((at + 1 for at, kept in enumerate(rest) if kept.id == inside), 0)
        return self.model_copy(update={"layers": (*rest[:place], layer, *rest[place:])})

    def after_fight(self) -> "RpjHealth":
        """The same without temporary layers that have no end of their own.

        Source: RPJ-HEALTH-09 (R-058).
        """
        return self._kept_where(
            lambda layer: layer.kind is not LayerKind.ABILITY or layer.ends_at is not None
        )

    def at_clock(self, clock: int) -> "RpjHealth":
        """The same at a later moment: temporary layers whose time is over are gone."""
        return self._kept_where(lambda layer: layer.ends_at is None or layer.ends_at > clock)

    def _kept_where(self, stays: Callable[[Layer], bool]) -> "RpjHealth":
        return self.model_copy(update={"layers": tuple(layer for layer in self.layers if stays(layer))})
