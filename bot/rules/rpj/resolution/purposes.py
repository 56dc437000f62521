"""The purposes of RPJ's rolls."""

from enum import StrEnum


class RpjPurpose(StrEnum):
    """The purpose of a roll, shown before its dice."""

    CHECK = "check"
    SAVE = "save"
    ATTACK = "attack"
    INITIATIVE = "initiative"
    ROLL_OFF = "roll-off"
    TOUCH = "touch"
    GRAPPLE = "grapple"
    COUP = "coup de grace"
    BLEEDING = "bleeding"
    WAKING = "waking up"
    TREATMENT = "treatment"
    STRAIN = "strain"
    ABILITY = "ability"
    RESISTANCE = "resistance"
    PURCHASE = "purchase"
    BATTLE = "battle"
    MORALE = "morale"
    RECOVERY = "recovery"
    LEVEL = "level"
    LEVELS = "attribute levels"
    CHOICE = "choice"
    TABLE = "table"
