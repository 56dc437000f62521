"""What Post-magic-maid's rolls and draws are made for."""

from enum import StrEnum


class MaidPurpose(StrEnum):
    """What a roll or a draw is made for, in the word that stands before it."""

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
