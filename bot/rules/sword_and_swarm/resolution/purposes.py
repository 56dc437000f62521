"""What Sword & Swarm's rolls are made for."""

from enum import StrEnum


class SwarmPurpose(StrEnum):
    """What a roll is made for, in the word that stands before its dice."""

    TEST = "test"
    RETRY = "second roll"
