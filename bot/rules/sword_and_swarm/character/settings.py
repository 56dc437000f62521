"""What a campaign may set otherwise, and what its GM adds to the lists."""

from typing import Annotated, cast

from pydantic import AfterValidator, BeforeValidator, Field, field_validator

from bot.rules.kernel import Document, Scene
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


def _split(value: object) -> object:
    """Take a text with commas for a list."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _unset(value: object) -> object:
    """Take nothing for an empty list."""
    return () if value in (None, ["none"]) else value


_List = (BeforeValidator(_unset), BeforeValidator(_split))
_ProficiencyText = Annotated[str, AfterValidator(lambda text: str(read_proficiency(text)))]
_ObstacleText = Annotated[str, AfterValidator(lambda text: str(read_obstacle(text)))]
_EquipmentText = Annotated[str, AfterValidator(lambda text: str(read_equipment(text)))]


class SwarmSettings(Document):
    """A campaign's settings."""

    adv_attribute: RerollMode = Field(
        default=RerollMode.AUTO,
        description="A failed attribute test with advantage: rolled again at once (auto), or asked (ask).",
    )
    adv_proficiency: RerollMode = Field(
        default=RerollMode.ASK,
        description="A failed proficiency test with advantage: rolled again at once (auto), or asked (ask).",
    )
    reroll_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        description="Seconds after which a re-roll nobody chooses is taken if it cannot do harm; 0: never.",
    )
    confirm_when_impossible: bool = Field(
        default=False,
        description="Whether a natural 6 may be confirmed where penalties leave no other chance.",
    )
    npc_default: int = Field(
        default=3, ge=0, le=HIGHEST, description="An attribute of a GM's character that nobody has set."
    )
    proficiencies: Annotated[tuple[_ProficiencyText, ...], *_List] = Field(
        default=(),
        max_length=MOST_ADDED,
        description="More proficiencies, as: Riding: Key, Locks: Key trained.",
    )
    obstacles: Annotated[tuple[_ObstacleText, ...], *_List] = Field(
        default=(), max_length=MOST_ADDED, description="Obstacles with a name, as: Rope bridge: 4, Wall: 6."
    )
    equipment: Annotated[tuple[_EquipmentText, ...], *_List] = Field(
        default=(),
        max_length=MOST_ADDED,
        description="Equipment to hand out, as: Gloves: Key +2, Chain mail: Shield +3.",
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
        """Those of the book, then those of the campaign.

        Source: SWARM-PROF-02 (SWARM-R16).
        """
        return (*BOOK_PROFICIENCIES, *(read_proficiency(text) for text in self.proficiencies))

    @property
    def all_obstacles(self) -> tuple[Obstacle, ...]:
        """Every obstacle that has a name."""
        return tuple(read_obstacle(text) for text in self.obstacles)

    @property
    def all_equipment(self) -> tuple[Equipment, ...]:
        """Every kind of equipment that has a name."""
        return tuple(read_equipment(text) for text in self.equipment)

    def find_proficiency(self, name: str) -> Proficiency | None:
        """The proficiency of that name, or None."""
        return next((one for one in self.all_proficiencies if folded(one.name) == folded(name)), None)

    def find_obstacle(self, name: str) -> Obstacle | None:
        """The obstacle of that name, or None."""
        return next((one for one in self.all_obstacles if folded(one.name) == folded(name)), None)

    def find_equipment(self, name: str) -> Equipment | None:
        """The kind of equipment of that name, or None."""
        return next((one for one in self.all_equipment if folded(one.name) == folded(name)), None)


def settings_of(scene: Scene) -> SwarmSettings:
    """The campaign's settings, which the table keeps by this ruleset's model."""
    return cast(SwarmSettings, scene.settings)
