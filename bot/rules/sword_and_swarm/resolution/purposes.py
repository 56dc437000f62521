"""The purposes of Sword & Swarm's rolls."""

from enum import StrEnum


class SwarmPurpose(StrEnum):
    """The purpose of a roll, shown in front of its dice."""

    TEST = "test"
    RETRY = "second roll"
