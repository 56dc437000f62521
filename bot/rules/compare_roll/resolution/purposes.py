"""What Compare Roll's rolls are made for."""

from enum import StrEnum


class ComparePurpose(StrEnum):
    """What a roll is made for, in the word that stands before its dice; stored with rolls that lie open."""

    CHECK = "check"
    ATTACK = "attack"
    DEFENCE = "defence"
    DAMAGE = "damage"
    BURNING = "burning"
    HEALING = "healing"
    REST = "rest"
    DOOR = "Death’s Door"
    STAT = "stat"
    ASSETS = "Assets"
