"""The purposes of Post-magic-maid's rolls and draws."""

from enum import StrEnum


class MaidPurpose(StrEnum):
    """The purpose of a roll or draw, in the word shown before it."""

    CHECK = "check"
    ATTACK = "attack"
    DEFENSE = "defense"
    HELPER = "helper"
    CONTEST = "contest"
    HEALING = "healing"
    PASSIVE = "passive"
    INITIATIVE = "initiative"
    TIE = "tie-break"
    BLITZ = "blitz"
