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
    """The rules for maneuvers. [RPJ-MNV-01, RPJ-MNV-02 (R-125)]

    Attributes:
        are_on: Whether they are used.
        cost: The cost of each as a gift, in character points.
        second_charge_from: Dexterity level from which an action of Prepare gives two charges.
        most_charges: The maximum of Prepare charges; None for no limit.
    """

    are_on: bool = True
    cost: int = Field(default=5, ge=0, le=30)
    second_charge_from: int = Field(default=4, ge=0, le=30)
    most_charges: int | None = Field(default=None, ge=1, le=20)


class CombatRules(Document):
    """The numbers of a fight.

    Attributes:
        regions: Regions of a battlefield the GM did not lay out.
        region_yards: Width of a region in yards.
        round_seconds: Length of a round.
        action_seconds: Length of an action, from and to.
        surprise: Added to initiative rolls of surprised combatants.
        third_action_from: Dexterity level from which there are three actions.
        fourth_action_from: Dexterity level from which there are four.
        mook_actions: Actions of a mook.
        mook_dexterity: Dexterity level of a mook.
        touch_difficulty: Difficulty of a touch, besides the target's Dexterity level.
        grapple_damage: Damage of winning a grapple check.
        grapple_is_nonlethal: Whether that damage knocks out instead of killing.
        grappled_melee: Added to melee attacks on a grappled target.
        grappled_ranged: Added to ranged attacks on a grappled target.
        extra_weapon: Added to the roll of an extra weapon.
        bleeding_target: Target number of rolls against bleeding out.
        bleeding_failures: Failures in a row that kill.
        npcs: What happens to NPCs put out of action.
        waking_target: First target number to wake up.
        waking_minutes: Minutes between their rolls.
        coup_target: Target number of a coup de grace, besides the Constitution bonus.
        coup_bonus: Added to free attacks against those who attempt one.
        help_target: Target number of a helping hand.
        treat_target: Target number of medical attention.
        treat_hours: Hours it takes.
        weak_actions: Actions under incapacitation penalties.
        weak_attack: Added to attacks under them.
        weak_save: The one damage save under them.
        weak_hours: Hours after which they end by themselves.
        reduction_below_zero: Whether armor can reduce damage below 0.
        is_cinematic: Whether fights start as cinematic ones, where these rules are on.
        maneuvers: The rules for maneuvers.

    [RPJ-GCS-03, RPJ-GCS-09, RPJ-GCS-18, RPJ-GCS-33 to RPJ-GCS-40, RPJ-GCS-50 to RPJ-GCS-55, RPJ-GCS-59
    (R-118), RPJ-GCS-61, RPJ-GCS-63]
    """

    is_cinematic: bool = False
    regions: int = Field(default=6, ge=1, le=40)
    region_yards: int = Field(default=30, ge=1, le=100_000)
    round_seconds: int = Field(default=60, ge=1, le=86_400)
    action_seconds: tuple[int, int] = (5, 10)
    surprise: int = Field(default=-2, ge=-20, le=20)
    third_action_from: int = Field(default=4, ge=0, le=30)
    fourth_action_from: int = Field(default=7, ge=0, le=30)
    mook_actions: int = Field(default=2, ge=1, le=6)
    mook_dexterity: int = Field(default=2, ge=0, le=30)
    touch_difficulty: int = Field(default=1, ge=-10, le=20)
    grapple_damage: int = Field(default=0, ge=-5, le=20)
    grapple_is_nonlethal: bool = False
    grappled_melee: int = Field(default=1, ge=-10, le=10)
    grappled_ranged: int = Field(default=-1, ge=-10, le=10)
    extra_weapon: int = Field(default=-1, ge=-10, le=10)
    bleeding_target: int = Field(default=9, ge=2, le=20)
    bleeding_failures: int = Field(default=5, ge=1, le=20)
    npcs: Bleeding = Bleeding.ROLL
    waking_target: int = Field(default=12, ge=2, le=30)
    waking_minutes: int = Field(default=5, ge=1, le=1440)
    coup_target: int = Field(default=7, ge=2, le=20)
    coup_bonus: int = Field(default=2, ge=-10, le=10)
    help_target: int = Field(default=9, ge=2, le=20)
    treat_target: int = Field(default=11, ge=2, le=20)
    treat_hours: int = Field(default=1, ge=1, le=100)
    weak_actions: int = Field(default=1, ge=0, le=6)
    weak_attack: int = Field(default=-1, ge=-10, le=10)
    weak_save: int = Field(default=7, ge=2, le=12)
    weak_hours: int = Field(default=8, ge=1, le=1000)
    reduction_below_zero: bool = False
    maneuvers: Maneuvers = Maneuvers()


def actions_of(dexterity: int, rules: CombatRules) -> int:
    """Actions of a Dexterity level. [RPJ-GCS-09]"""
    return 2 + (dexterity >= rules.third_action_from) + (dexterity >= rules.fourth_action_from)


class Save(Document):
    """One damage save: its target number, and whether it is crossed off. [RPJ-HEALTH-01]"""

    target: SaveTarget
    is_lost: bool = False


class Layer(Document):
    """A layer of defense. [RPJ-HEALTH-06, RPJ-HEALTH-08]

    Attributes:
        id: Its id.
        name: Its name.
        kind: Its kind.
        saves: Its saves, the easiest first.
        reduction: Damage reduction while it is the layer struck.
        scale: The damage scale its saves withstand, where these are played.
        ends_at: Moment on the game clock (seconds) when it ends; None: with the fight, or by the GM.
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
        """Whether the character is bleeding out. [RPJ-GCS-33, RPJ-GCS-34]"""
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
