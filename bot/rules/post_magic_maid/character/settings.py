"""Post-magic-maid's campaign settings."""

from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator

from bot.rules.kernel import Document, subject
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
        title="Blitz Points at a session's end",
        description="What the end of a session does with Blitz Points.",
        json_schema_extra=subject("Characters", {"top_up": "raised to 3", "none": "kept", "set": "set to 3"}),
    )
    blitz_cap: Annotated[int | None, BeforeValidator(_unset)] = Field(
        default=None,
        ge=0,
        le=999,
        title="Most Blitz Points",
        description="Most Blitz Points a character can have; empty: no limit.",
        json_schema_extra=subject("Characters", {"none": "no limit"}),
    )
    die_track: Annotated[tuple[int, ...], BeforeValidator(split_at_commas)] = Field(
        default=DIE_TRACK,
        max_length=20,
        title="Dice of attributes",
        description="Die sizes that attributes grow through, smallest first.",
        json_schema_extra=subject("Characters"),
    )
    tie_break: TieBreak = Field(
        default=TieBreak.SUIT,
        title="Equal ranks in initiative",
        description="What decides between equal ranks in initiative.",
        json_schema_extra=subject("Fights", {"suit": "the suit, spades first", "redraw": "a new draw"}),
    )
    defence: DefencePolicy = Field(
        default=DefencePolicy.GM,
        title="Defending",
        description="Whether the target of an attack can defend.",
        json_schema_extra=subject(
            "Fights", {"gm": "if the GM allows it", "always": "always", "never": "never"}
        ),
    )
    defense_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        title="Seconds to defend",
        description="Seconds until a target rolls its best two dice automatically; 0: never.",
        json_schema_extra=subject("Fights", {"0": "never"}),
    )
    round_seconds: Annotated[int | None, BeforeValidator(_unset)] = Field(
        default=None,
        ge=1,
        le=3600,
        title="Seconds in a round",
        description="Game time that a round takes; empty: none.",
        json_schema_extra=subject("Fights", {"none": "no time passes"}),
    )
    suggestions: Annotated[tuple[AbilityName, ...], BeforeValidator(split_at_commas)] = Field(
        default=(),
        max_length=100,
        title="Ability names",
        description="More ability names to suggest, separated by commas.",
        json_schema_extra=subject("Characters", {"none": "only the book's"}),
    )

    @field_validator("die_track")
    @classmethod
    def _grows_and_holds_the_starting_dice(cls, track: tuple[int, ...]) -> tuple[int, ...]:
        if list(track) != sorted(set(track)) or not all(2 <= sides <= LARGEST_DIE for sides in track):
            raise ValueError(f"Each size must be larger than the one before, up to {LARGEST_DIE}.")
        if missing := [row.sides for row in STARTING_DICE if row.sides not in track]:
            raise ValueError(f"The track must include d{missing[0]}: characters start with it.")
        return track
