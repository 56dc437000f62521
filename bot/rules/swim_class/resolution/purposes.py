"""What Swim Class's rolls are made for."""

from enum import StrEnum


class SwimPurpose(StrEnum):
    """What a roll is made for, in the word that stands before its dice."""

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
