"""The purposes of Compare Roll's rolls."""

from enum import StrEnum


class ComparePurpose(StrEnum):
    """The purpose of a roll, shown in front of its dice; stored with open rolls."""

    CHECK = "check"
    ATTACK = "attack"
    DEFENCE = "defence"
    DAMAGE = "damage"
    BURNING = "burning"
    HEALING = "healing"
    REST = "rest"
    DOOR = "Death's Door"
    STAT = "stat"
    ASSETS = "Assets"
