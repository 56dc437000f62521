"""The combat numbers a module can change."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Document


class Bleeding(StrEnum):
    """What happens to NPCs put out of action.

    Source: RPJ-GCS-33 (R-090).
    """

    ROLL = "they bleed like everybody"
    STABLE = "they live"
    DEAD = "they die"


class Maneuvers(Document):
    """The rules for maneuvers.

    Attributes:
        are_on: Whether they are used.
        cost: The cost of each as a gift, in character points.
        second_charge_from: Dexterity level from which an action of Prepare gives two charges.
        most_charges: The maximum of Prepare charges; None for no limit.

    Source: RPJ-MNV-01, RPJ-MNV-02 (R-125).
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

    Source: RPJ-GCS-03, RPJ-GCS-09, RPJ-GCS-18, RPJ-GCS-33 to RPJ-GCS-40, RPJ-GCS-50 to RPJ-GCS-55,
    RPJ-GCS-59 (R-118), RPJ-GCS-61, RPJ-GCS-63.
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
    """Actions of a Dexterity level.

    Source: RPJ-GCS-09.
    """
    return 2 + (dexterity >= rules.third_action_from) + (dexterity >= rules.fourth_action_from)
