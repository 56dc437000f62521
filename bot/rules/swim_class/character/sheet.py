"""A character sheet: ranks, equipment, traits and states."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import Field

from bot.rules import kernel
from bot.rules.kernel import CharacterId, Choice, Document, SheetField, evolve
from bot.rules.swim_class.character.implements import SwimItem
from bot.rules.swim_class.character.settings import SwimSettings
from bot.rules.swim_class.character.skills import Skillbook, book_of, folded
from bot.rules.swim_class.resolution.tables import KINDS, TRAITS, Pool, SkillKey, SwimTrait

Rank = Annotated[int, Field(ge=0, le=1000)]
Ranks = Mapping[SkillKey, Rank]


class SoakPolicy(StrEnum):
    """When Composure takes damage.

    Source: SWIM-COMB-07 (SWIM-R45).
    """

    COMPOSURE_FIRST = "composure_first"
    ASK = "ask"
    NEVER = "never"


class ReserveKind(StrEnum):
    """Whether a reserve is for a defense or for a prepared action."""

    DEFENCE = "defence"
    ACTION = "action"


class Reserve(Document):
    """A skill held in reserve until the character's next turn.

    Source: SWIM-COMB-13, SWIM-COMB-14.
    """

    skill: SkillKey
    kind: ReserveKind
    trigger: str = Field(default="", max_length=200)
    spell: str = Field(default="", max_length=60)


class Epic(Document):
    """The roll that earned a rank.

    Source: SWIM-ADV-07.
    """

    skill: SkillKey
    before: int
    after: int
    faces: tuple[int, ...]
    against: str
    clock: int


class HeldTrait(Document):
    """A trait and its degree; *penalty* replaces the degree as penalty if set."""

    key: str
    degree: int = Field(ge=0, le=10)
    penalty: int | None = Field(default=None, ge=0, le=10)


class States(Document):
    """Temporary states, most of which end with the scene.

    Attributes:
        is_prone: Knocked down.
        is_soaked: Hit by a spray.
        is_hovering: In the air.
        held_by: Who holds them, or None.
        stunned_by: Who stunned them until their own next turn, or None.
        hidden_from: Who has not noticed them.
        light: Squares lit by their magic.
        reserve: The skill held in reserve, or None.
    """

    is_prone: bool = False
    is_soaked: bool = False
    is_hovering: bool = False
    held_by: CharacterId | None = None
    stunned_by: CharacterId | None = None
    hidden_from: tuple[CharacterId, ...] = ()
    light: int = Field(default=0, ge=0)
    reserve: Reserve | None = None


class SwimSheet(Document):
    """A character sheet; wounds, scratches and the purse are resources stored beside it.

    Attributes:
        kind: The character's kind, or nothing.
        ranks: Ranks other than the default; specialisations as "parent:tag".
        traits: Traits of the kind.
        items: Equipment.
        tags: Words about the character ("undead").
        states: Temporary states.
        stable: Stabilised pools below zero.
        tallies: Criticals on rolls to stabilise, by pool.
        broken: Pools lost for good.
        is_dead: Whether they have died.
        epics: The rolls that earned ranks, oldest first.
        soak: When Composure takes damage.
        tracks_advancement: Whether an NPC learns.
        raised_by: Who raised them, or None.
        lying: Thrown items lying around.
    """

    kind: str = Field(default="", max_length=60)
    ranks: Ranks = Field(default={}, max_length=300)
    traits: tuple[HeldTrait, ...] = Field(default=(), max_length=20)
    items: tuple[SwimItem, ...] = Field(default=(), max_length=200)
    tags: tuple[str, ...] = Field(default=(), max_length=20)
    states: States = States()
    stable: tuple[Pool, ...] = ()
    tallies: Mapping[Pool, int] = {}
    broken: tuple[Pool, ...] = ()
    is_dead: bool = False
    epics: tuple[Epic, ...] = Field(default=(), max_length=2000)
    soak: SoakPolicy = SoakPolicy.COMPOSURE_FIRST
    tracks_advancement: bool = False
    raised_by: CharacterId | None = None
    lying: tuple[SwimItem, ...] = Field(default=(), max_length=200)

    def with_states(self, **changes: object) -> "SwimSheet":
        """Return the sheet with some states changed."""
        return evolve(self, states=evolve(self.states, **changes))

    @property
    def known_traits(self) -> tuple[tuple[SwimTrait, HeldTrait], ...]:
        """The traits that the game knows; an old sheet may hold others."""
        return tuple((TRAITS[held.key], held) for held in self.traits if held.key in TRAITS)

    def find_item(self, name: str) -> SwimItem | None:
        """Find an item by name, or return None."""
        return next((item for item in self.items if folded(item.name) == folded(name)), None)

    def with_item(self, item: SwimItem) -> "SwimSheet":
        """Return the sheet with an item added or replaced; a quantity of 0 removes it."""
        if self.find_item(item.name) is None:
            return evolve(self, items=(*self.items, item))
        items = (item if folded(old.name) == folded(item.name) else old for old in self.items)
        return evolve(self, items=tuple(one for one in items if one.quantity))


# What the rules of this game see and return.
Character: TypeAlias = kernel.Character[SwimSheet]
Scene: TypeAlias = kernel.Scene[SwimSheet, SwimSettings]
Outcome: TypeAlias = kernel.Outcome[Scene]
HookResult: TypeAlias = kernel.HookResult[Scene]
Unsettled: TypeAlias = kernel.Unsettled[Scene]


def book(scene: Scene) -> Skillbook:
    """The skills of the scene's campaign."""
    return book_of(scene.settings)


def rank_of(scene: Scene, character: Character, skill: SkillKey) -> int:
    """A character's rank in a skill."""
    return book(scene).rank(character.sheet.ranks, skill)


def with_states(scene: Scene, who: CharacterId, **changes: object) -> Scene:
    """Return the scene with some of a character's states changed."""
    character = scene.character(who)
    return scene.with_sheet(character, character.sheet.with_states(**changes))


FIELDS = (
    SheetField("ranks/*", "{}, rank"),
    SheetField("kind", "Kind", lambda _settings: tuple(Choice(one.key, one.name) for one in KINDS.values())),
    SheetField("items/*/quantity", "{}, how many"),
    SheetField("items/*/is_equipped", "{}, equipped"),
    SheetField("items/*/note", "{}, note"),
    SheetField("states/is_prone", "Prone"),
    SheetField("states/is_soaked", "Soaked"),
    SheetField("states/is_hovering", "Hovering"),
    SheetField("soak", "When Composure takes damage"),
    SheetField("tracks_advancement", "Learns from rolls"),
    SheetField("is_dead", "Dead"),
)
