"""The numbers of a fight that a module may state otherwise."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Document


class Bleeding(StrEnum):
    """What becomes of the GM's characters when they are put out.

    Source: RPJ-GCS-33 (R-090).
    """

    ROLL = "they bleed like everybody"
    STABLE = "they live"
    DEAD = "they die"


class Maneuvers(Document):
    """The variant with maneuvers.

    Attributes:
        are_on: Whether there are any.
        cost: What each costs as a gift, in character points.
        second_charge_from: Dexterity level from which an action of Prepare brings two charges.
        most_charges: The most Prepare charges that one can have; None for no limit.

    Source: RPJ-MNV-01, RPJ-MNV-02 (R-125).
    """

    are_on: bool = True
    cost: int = Field(default=5, ge=0, le=30)
    second_charge_from: int = Field(default=4, ge=0, le=30)
    most_charges: int | None = Field(default=None, ge=1, le=20)


class CombatRules(Document):
    """How a game fights.

    Attributes:
        regions: Regions of a battlefield that the GM says nothing about.
        region_yards: How far a region is across.
        round_seconds: How long a round is.
        action_seconds: How long an action is, from and to.
        surprise: Added to initiative rolls of those caught unawares.
        third_action_from: Dexterity level from which there are three actions.
        fourth_action_from: Dexterity level from which there are four.
        mook_actions: Actions of a mook.
        mook_dexterity: Dexterity level of a mook.
        touch_difficulty: Difficulty of touching somebody, besides their Dexterity level.
        grapple_damage: What winning a grapple check does.
        grapple_is_nonlethal: Whether that puts out instead of killing.
        grappled_melee: Added to melee attacks on the grappled.
        grappled_ranged: Added to ranged attacks on the grappled.
        extra_weapon: Added to the roll of an extra weapon.
        bleeding_target: Target number of those who bleed.
        bleeding_failures: Failures in a row that kill.
        npcs: What becomes of the GM's characters.
        waking_target: First target number of those knocked out.
        waking_minutes: Minutes between their rolls.
        coup_target: Target number of a coup de grace, besides the Constitution bonus.
        coup_bonus: Added to free attacks against those who attempt one.
        help_target: Target number of a helping hand.
        treat_target: Target number of medical attention.
        treat_hours: Hours that it takes.
        weak_actions: Actions under incapacitation penalties.
        weak_attack: Added to attacks under them.
        weak_save: The one damage save under them.
        weak_hours: Hours after which they go by themselves.
        reduction_below_zero: Whether armour can take damage below 0.
        is_cinematic: Whether fights begin as cinematic ones, where these rules are on.
        maneuvers: The variant with maneuvers.

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
