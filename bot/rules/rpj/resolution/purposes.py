"""What RPJ's rolls are made for."""

from enum import StrEnum


class RpjPurpose(StrEnum):
    """What a roll is made for, in the word that stands before its dice."""

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
