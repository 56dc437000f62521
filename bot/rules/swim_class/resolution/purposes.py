"""The purposes of Swim Class's rolls."""

from enum import StrEnum


class SwimPurpose(StrEnum):
    """The purpose of a roll, shown in front of its dice."""

    CHECK = "check"
    ATTACK = "attack"
    CONTEST = "contest"
    DEFENSE = "defense"
    INITIATIVE = "initiative"
    TIE = "tie-break"
    GEAR = "gear"
    CARRYING = "carrying"
    MOVEMENT = "movement"
    SPELL = "spell"
    BUILD_UP = "build-up"
    STABILIZING = "stabilizing"
    COMPOSURE = "Composure"
    PHYSICAL = "physical recovery"
    MENTAL = "mental recovery"
    SOCIAL = "social recovery"
