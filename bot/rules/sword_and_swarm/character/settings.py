"""A campaign's settings, with the lists that its GM extends."""

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, field_validator

from bot.rules.kernel import Document, subject
from bot.rules.kernel.parsing import split_at_commas
from bot.rules.sword_and_swarm.character.campaign_lists import (
    BOOK_PROFICIENCIES,
    Equipment,
    Obstacle,
    Proficiency,
    assert_distinct,
    folded,
    read_equipment,
    read_obstacle,
    read_proficiency,
)
from bot.rules.sword_and_swarm.resolution.attribute_values import HIGHEST
from bot.rules.sword_and_swarm.resolution.edges import RerollMode

MOST_ADDED = 100


def _unset(value: object) -> object:
    """Read None and "none" as an empty list."""
    return () if value in (None, ["none"]) else value


_RETRIES = {"auto": "re-rolled automatically", "ask": "the player is asked"}
_List = (BeforeValidator(_unset), BeforeValidator(split_at_commas))
_ProficiencyText = Annotated[str, AfterValidator(lambda text: str(read_proficiency(text)))]
_ObstacleText = Annotated[str, AfterValidator(lambda text: str(read_obstacle(text)))]
_EquipmentText = Annotated[str, AfterValidator(lambda text: str(read_equipment(text)))]


class SwarmSettings(Document):
    """A campaign's settings."""

    adv_attribute: RerollMode = Field(
        default=RerollMode.AUTO,
        title="Attribute tests",
        description="What happens to a failed attribute test with advantage.",
        json_schema_extra=subject("Tests", _RETRIES),
    )
    adv_proficiency: RerollMode = Field(
        default=RerollMode.ASK,
        title="Proficiency tests",
        description="What happens to a failed proficiency test with advantage.",
        json_schema_extra=subject("Tests", _RETRIES),
    )
    reroll_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        title="Seconds to re-roll",
        description="Seconds until an offered re-roll is decided: taken if it can do no harm; 0: never.",
        json_schema_extra=subject("Tests", {"0": "never"}),
    )
    confirm_when_impossible: bool = Field(
        default=False,
        title="Confirm against all odds",
        description="A natural 6 can be confirmed even when penalties make success impossible.",
        json_schema_extra=subject("Tests"),
    )
    npc_default: int = Field(
        default=3,
        ge=0,
        le=HIGHEST,
        title="Attributes of NPCs",
        description="What an NPC's attributes are until the GM sets them.",
        json_schema_extra=subject("Tests"),
    )
    proficiencies: Annotated[tuple[_ProficiencyText, ...], *_List] = Field(
        default=(),
        max_length=MOST_ADDED,
        description="Extra proficiencies, for example: Riding: Key, Locks: Key trained.",
    )
    obstacles: Annotated[tuple[_ObstacleText, ...], *_List] = Field(
        default=(),
        max_length=MOST_ADDED,
        description="Named obstacles, for example: Rope bridge: 4, Wall: 6.",
    )
    equipment: Annotated[tuple[_EquipmentText, ...], *_List] = Field(
        default=(),
        max_length=MOST_ADDED,
        description="Equipment to hand out, for example: Gloves: Key +2, Chain mail: Shield +3.",
    )

    @field_validator("proficiencies")
    @classmethod
    def _names_each_proficiency_once(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        assert_distinct(
            one.name for one in (*BOOK_PROFICIENCIES, *(read_proficiency(text) for text in texts))
        )
        return texts

    @field_validator("obstacles", "equipment")
    @classmethod
    def _names_each_once(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        assert_distinct(text.partition(":")[0] for text in texts)
        return texts

    @property
    def all_proficiencies(self) -> tuple[Proficiency, ...]:
        """The book's proficiencies, then the campaign's.

        Source: SWARM-PROF-02 (SWARM-R16).
        """
        return (*BOOK_PROFICIENCIES, *(read_proficiency(text) for text in self.proficiencies))

    @property
    def all_obstacles(self) -> tuple[Obstacle, ...]:
        """The campaign's named obstacles."""
        return tuple(read_obstacle(text) for text in self.obstacles)

    @property
    def all_equipment(self) -> tuple[Equipment, ...]:
        """The equipment on the campaign's list."""
        return tuple(read_equipment(text) for text in self.equipment)

    def find_proficiency(self, name: str) -> Proficiency | None:
        """Find a proficiency by name, or return None."""
        return next((one for one in self.all_proficiencies if folded(one.name) == folded(name)), None)

    def find_obstacle(self, name: str) -> Obstacle | None:
        """Find a named obstacle, or return None."""
        return next((one for one in self.all_obstacles if folded(one.name) == folded(name)), None)

    def find_equipment(self, name: str) -> Equipment | None:
        """Find equipment on the campaign's list, or return None."""
        return next((one for one in self.all_equipment if folded(one.name) == folded(name)), None)
