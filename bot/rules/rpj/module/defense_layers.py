"""The combat numbers of a module, and layers of defense with their damage saves, as stored."""

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache

from pydantic import Field

from bot.rules.kernel import Document, evolve
from bot.rules.rpj.module.basics import Scale
from bot.rules.rpj.module.effects import LayerKind, SaveTarget


class Bleeding(StrEnum):
    """What happens to NPCs put out of action. [RPJ-GCS-33 (R-090)]"""

    ROLL = "they bleed like everybody"
    STABLE = "they live"
    DEAD = "they die"


class Maneuvers(Document):
    """The rules for maneuvers. [RPJ-MNV-01, RPJ-MNV-02 (R-125)]"""

    are_on: bool = True  # whether they are used
    cost: int = Field(default=5, ge=0, le=30)  # the cost of each as a gift, in character points
    # Dexterity level from which an action of Prepare gives two charges.
    second_charge_from: int = Field(default=4, ge=0, le=30)
    # The maximum of Prepare charges; None for no limit.
    most_charges: int | None = Field(default=None, ge=1, le=20)


class CombatRules(Document):
    """The numbers of a fight.

    [RPJ-GCS-03, RPJ-GCS-09, RPJ-GCS-18, RPJ-GCS-33 to RPJ-GCS-40, RPJ-GCS-50 to RPJ-GCS-55, RPJ-GCS-59
    (R-118), RPJ-GCS-61, RPJ-GCS-63]
    """

    is_cinematic: bool = False  # whether fights start as cinematic ones, where these rules are on
    regions: int = Field(default=6, ge=1, le=40)  # regions of a battlefield the GM did not lay out
    region_yards: int = Field(default=30, ge=1, le=100_000)  # width of a region in yards
    round_seconds: int = Field(default=60, ge=1, le=86_400)  # length of a round
    action_seconds: tuple[int, int] = (5, 10)  # length of an action, from and to
    surprise: int = Field(default=-2, ge=-20, le=20)  # added to initiative rolls of surprised combatants
    # Dexterity level from which there are three actions.
    third_action_from: int = Field(default=4, ge=0, le=30)
    fourth_action_from: int = Field(default=7, ge=0, le=30)  # dexterity level from which there are four
    mook_actions: int = Field(default=2, ge=1, le=6)
    mook_dexterity: int = Field(default=2, ge=0, le=30)  # dexterity level of a mook
    # Difficulty of a touch, besides the target's Dexterity level.
    touch_difficulty: int = Field(default=1, ge=-10, le=20)
    grapple_damage: int = Field(default=0, ge=-5, le=20)  # damage of winning a grapple check
    grapple_is_nonlethal: bool = False  # whether that damage knocks out instead of killing
    grappled_melee: int = Field(default=1, ge=-10, le=10)  # added to melee attacks on a grappled target
    grappled_ranged: int = Field(default=-1, ge=-10, le=10)  # added to ranged attacks on a grappled target
    extra_weapon: int = Field(default=-1, ge=-10, le=10)  # added to the roll of an extra weapon
    bleeding_target: int = Field(default=9, ge=2, le=20)  # target number of rolls against bleeding out
    bleeding_failures: int = Field(default=5, ge=1, le=20)  # failures in a row that kill
    npcs: Bleeding = Bleeding.ROLL  # what happens to NPCs put out of action
    waking_target: int = Field(default=12, ge=2, le=30)  # first target number to wake up
    waking_minutes: int = Field(default=5, ge=1, le=1440)  # minutes between their rolls
    # Target number of a coup de grace, besides the Constitution bonus.
    coup_target: int = Field(default=7, ge=2, le=20)
    coup_bonus: int = Field(default=2, ge=-10, le=10)  # added to free attacks against those who attempt one
    help_target: int = Field(default=9, ge=2, le=20)  # target number of a helping hand
    treat_target: int = Field(default=11, ge=2, le=20)  # target number of medical attention
    treat_hours: int = Field(default=1, ge=1, le=100)  # hours it takes
    weak_actions: int = Field(default=1, ge=0, le=6)  # actions under incapacitation penalties
    weak_attack: int = Field(default=-1, ge=-10, le=10)  # added to attacks under them
    weak_save: int = Field(default=7, ge=2, le=12)  # the one damage save under them
    weak_hours: int = Field(default=8, ge=1, le=1000)  # hours after which they end by themselves
    reduction_below_zero: bool = False  # whether armor can reduce damage below 0
    maneuvers: Maneuvers = Maneuvers()


def actions_of(dexterity: int, rules: CombatRules) -> int:
    """Actions of a Dexterity level. [RPJ-GCS-09]"""
    return 2 + (dexterity >= rules.third_action_from) + (dexterity >= rules.fourth_action_from)


class Save(Document):
    """One damage save: its target number, and whether it is crossed off. [RPJ-HEALTH-01]"""

    target: SaveTarget
    is_lost: bool = False


class Layer(Document):
    """A layer of defense. [RPJ-HEALTH-06, RPJ-HEALTH-08]"""

    id: str
    name: str
    kind: LayerKind
    saves: tuple[Save, ...]  # its saves, the easiest first
    reduction: int = Field(default=0, ge=0)  # damage reduction while it is the layer struck
    scale: Scale = Scale.NORMAL  # the damage scale its saves withstand, where these are played
    # Moment on the game clock (seconds) when it ends; None: with the fight, or by the GM.
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
        """Whether all its saves are crossed off. [RPJ-HEALTH-15]"""
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
        """The layer with all its saves crossed off. [RPJ-SCALE-05]"""
        lost = tuple(evolve(save, is_lost=True) for save in self.saves)
        return evolve(self, saves=lost)

    def __str__(self) -> str:
        return "/".join(f"×{save.target}+" if save.is_lost else f"{save.target}+" for save in self.saves)

    @property
    def words(self) -> str:
        """The saves left, and their target numbers: "2 of 3 (7+)"."""
        left = [save.target for save in self.saves if not save.is_lost]
        targets = ", ".join(f"{target}+" for target in dict.fromkeys(left))
        return f"{len(left)} of {len(self.saves)}" + (f" ({targets})" if left else "")


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
    """Whether a character is out of action, and how. [RPJ-HEALTH-16, RPJ-HEALTH-18 (R-093)]"""

    NO = "no"
    INCAPACITATED = "incapacitated"
    KNOCKED_OUT = "knocked out"
    DEAD = "dead"


class RpjHealth(Document):
    """A character's health."""

    layers: tuple[Layer, ...] = ()  # temporary layers from the outermost on, and worn ones that were struck
    lost_base: tuple[int, ...] = ()  # the target numbers of crossed-off base saves
    out: Out = Out.NO  # whether the character is out of action
    bleeding: int = Field(default=0, ge=0, le=20)  # failed rolls in a row against bleeding out
    is_stable: bool = False  # whether an incapacitated character no longer bleeds
    wakings: int = Field(default=0, ge=0, le=100)  # failed attempts to wake up
    is_weak: bool = False  # whether incapacitation penalties apply
    # The moment on the game clock when a roll against bleeding or to wake up became due, or None.
    due: int | None = None

    @property
    def is_bleeding(self) -> bool:
        """Whether the character is bleeding out. [RPJ-GCS-33, RPJ-GCS-34]"""
        return self.out is Out.INCAPACITATED and not self.is_stable

    @property
    def state(self) -> str:
        """What the character can still do, in words: "in action", "bleeding out, 2 failed"."""
        if self.out is Out.NO:
            return "weakened" if self.is_weak else "in action"
        if self.is_bleeding:
            return f"bleeding out, {self.bleeding} failed" if self.bleeding else "bleeding out"
        return "stable, unconscious" if self.out is Out.INCAPACITATED else self.out.value

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

        [RPJ-HEALTH-09 (R-057)]
        """
        rest = self.without_layer(layer.id).layers
        place = next((at + 1 for at, old in enumerate(rest) if old.id == inside), 0)
        return evolve(self, layers=(*rest[:place], layer, *rest[place:]))

    def after_fight(self) -> "RpjHealth":
        """The health after a fight, without temporary layers that have no time limit.

        [RPJ-HEALTH-09 (R-058)]
        """
        return self._filtered(lambda layer: layer.kind is not LayerKind.ABILITY or layer.ends_at is not None)

    def at_clock(self, clock: int) -> "RpjHealth":
        """The health at a later moment, without expired layers."""
        return self._filtered(lambda layer: layer.ends_at is None or layer.ends_at > clock)

    def _filtered(self, stays: Callable[[Layer], bool]) -> "RpjHealth":
        return evolve(self, layers=tuple(layer for layer in self.layers if stays(layer)))
