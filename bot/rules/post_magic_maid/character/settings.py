"""Post-magic-maid's campaign settings."""

from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator

from bot.rules.kernel import Document
from bot.rules.kernel.parsing import split_at_commas
from bot.rules.post_magic_maid.character.sheet import LARGEST_DIE, AbilityName
from bot.rules.post_magic_maid.resolution.tables import DIE_TRACK, STARTING_DICE


def _unset(value: object) -> object:
    """Read an empty text and the word "none" as None."""
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
        description="Blitz Points when a session ends: raise to 3 (top_up), keep (none), or set to 3 (set).",
    )
    blitz_cap: Annotated[int | None, BeforeValidator(_unset)] = Field(
        default=None, ge=0, le=999, description="Most Blitz Points a character can have; empty: no limit."
    )
    die_track: Annotated[tuple[int, ...], BeforeValidator(split_at_commas)] = Field(
        default=DIE_TRACK,
        max_length=20,
        description="Die sizes that attributes grow through, smallest first.",
    )
    tie_break: TieBreak = Field(
        default=TieBreak.SUIT,
        description="Equal ranks in initiative: by suit (spades first), or a new draw for the tied (redraw).",
    )
    defence: DefencePolicy = Field(
        default=DefencePolicy.GM,
        description="Whether the target of an attack can defend: if the GM allows it (gm), always, or never.",
    )
    defense_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        description="Seconds until an undefended target rolls its best two dice automatically; 0: never.",
    )
    round_seconds: Annotated[int | None, BeforeValidator(_unset)] = Field(
        default=None, ge=1, le=3600, description="Game time per round, in seconds; empty: none."
    )
    suggestions: Annotated[tuple[AbilityName, ...], BeforeValidator(split_at_commas)] = Field(
        default=(), max_length=100, description="More ability names to suggest, separated by commas."
    )

    @field_validator("die_track")
    @classmethod
    def _grows_and_holds_the_starting_dice(cls, track: tuple[int, ...]) -> tuple[int, ...]:
        if list(track) != sorted(set(track)) or not all(2 <= sides <= LARGEST_DIE for sides in track):
            raise ValueError(f"Each size must be larger than the one before, up to {LARGEST_DIE}.")
        if missing := [row.sides for row in STARTING_DICE if row.sides not in track]:
            raise ValueError(f"The track must include d{missing[0]}: characters start with it.")
        return track
