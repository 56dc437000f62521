"""What a campaign may set otherwise."""

from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator

from bot.rules.kernel import Document
from bot.rules.post_magic_maid.character.sheet import LARGEST_DIE, AbilityName
from bot.rules.post_magic_maid.resolution.tables import DIE_TRACK, STARTING_DICE


def _split(value: object) -> object:
    """Take a text with commas for a list."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _unset(value: object) -> object:
    """Take an empty text, and the word none, for nothing."""
    return None if isinstance(value, str) and value.strip().casefold() in {"", "none"} else value


class SessionPolicy(StrEnum):
    """What the end of a session does with Blitz Points.

    Source: PMM-BLZ-12.
    """

    TOP_UP = "top_up"
    NONE = "none"
    SET = "set"


class TieBreak(StrEnum):
    """What decides between equal ranks in initiative.

    Source: PMM-INI-05.
    """

    SUIT = "suit"
    REDRAW = "redraw"


class DefencePolicy(StrEnum):
    """When the target of an attack may defend.

    Source: PMM-ATK-03.
    """

    GM = "gm"
    ALWAYS = "always"
    NEVER = "never"


class MaidSettings(Document):
    """A campaign's settings."""

    blitz_session_policy: SessionPolicy = Field(
        default=SessionPolicy.TOP_UP,
        description="Blitz Points when a session ends: raise to 3 (top_up), leave (none), always 3 (set).",
    )
    blitz_cap: Annotated[int | None, BeforeValidator(_unset)] = Field(
        default=None, ge=0, le=999, description="Most Blitz Points one can have; empty for no limit."
    )
    die_track: Annotated[tuple[int, ...], BeforeValidator(_split)] = Field(
        default=DIE_TRACK,
        max_length=20,
        description="Sizes through which attribute dice grow, smallest first.",
    )
    tie_break: TieBreak = Field(
        default=TieBreak.SUIT,
        description="Equal ranks in initiative: by suit (spades first), or the tied draw again (redraw).",
    )
    defence: DefencePolicy = Field(
        default=DefencePolicy.GM,
        description="May the target of an attack defend? If the GM says so (gm), always, or never.",
    )
    defense_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        description="Seconds after which a target that nobody defends rolls its best two dice; 0: never.",
    )
    round_seconds: Annotated[int | None, BeforeValidator(_unset)] = Field(
        default=None, ge=1, le=3600, description="Game time that a round takes, in seconds; empty for none."
    )
    suggestions: Annotated[tuple[AbilityName, ...], BeforeValidator(_split)] = Field(
        default=(), max_length=100, description="More ability names to offer, with commas between them."
    )

    @field_validator("die_track")
    @classmethod
    def _grows_and_holds_the_starting_dice(cls, track: tuple[int, ...]) -> tuple[int, ...]:
        if list(track) != sorted(set(track)) or not all(2 <= sides <= LARGEST_DIE for sides in track):
            raise ValueError(f"Each size must be larger than the one before, up to {LARGEST_DIE}.")
        if missing := [row.sides for row in STARTING_DICE if row.sides not in track]:
            raise ValueError(f"The track must hold d{missing[0]}, a die that characters start with.")
        return track
