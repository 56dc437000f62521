"""The scene: the state that a procedure reads and returns changed."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Generic, NewType, Self

from msgspec import Struct
from msgspec.structs import replace
from typing_extensions import TypeVar

from bot.rules.kernel.errors import WAYS_TO_JOIN, NobodyToPlay, UserError
from bot.rules.kernel.outcome import (
    CharacterId,
    Document,
    ForTypes,
    SettingsT,
    SettingsT_co,
    SheetT,
    SheetT_co,
)

PersonId = NewType("PersonId", int)
DocumentT = TypeVar("DocumentT", bound=Document)


class Character(Struct, ForTypes, Generic[SheetT_co], frozen=True, kw_only=True):
    """A character in the rules."""

    id: CharacterId
    name: str  # as its player wrote it
    owner: PersonId | None  # whose it is; None for one of the GM's
    sheet: SheetT_co  # the ruleset's own document
    # Key of each `ResourceRule` to what is left of it, never below 0.
    resources: Mapping[str, int] = {}
    # Key of each `WoundTrack` to the boxes filled at each of its levels.
    wounds: Mapping[str, tuple[int, ...]] = {}
    # Key to the moment on the game clock (seconds) at which it runs out.
    timers: Mapping[str, int] = {}
    # Whether only the GM knows of it; it takes part in nothing that everybody watches.
    is_hidden: bool = False

    def left(self, key: str) -> int:
        """What is left of a resource."""
        return self.resources.get(key, 0)

    def with_resource(self, key: str, value: int) -> Self:
        """The same character with one resource set."""
        return replace(self, resources={**self.resources, key: value})

    def with_wounds(self, track: str, boxes: tuple[int, ...]) -> Self:
        """The same character with one wound track set."""
        return replace(self, wounds={**self.wounds, track: boxes})

    def with_timer(self, key: str, due: int | None) -> Self:
        """The same character with a timer set or removed."""
        rest = {name: moment for name, moment in self.timers.items() if name != key}
        return replace(self, timers=rest if due is None else {**rest, key: due})


class Scene(Struct, ForTypes, Generic[SheetT_co, SettingsT_co], frozen=True, kw_only=True):
    """The state that a procedure may read and return changed."""

    settings: SettingsT_co  # the campaign's settings, the ruleset's model; returned changed, they are kept so
    clock: int = 0  # game time in seconds since the campaign began
    channel: str = "0"  # the channel it happens in; documents that belong to a channel carry it in their key
    moment: str = "0"  # a text that no other interaction shares; for keys of new documents
    is_gm: bool = False  # whether the person acting is a GM of the campaign
    person: PersonId = PersonId(0)  # the person acting
    actor_id: CharacterId | None = None  # the character acting; None where the GM acts as no character
    # Looks a character of the campaign up; raises `UserError` if it is not there.
    find_character: Callable[[CharacterId], Character[SheetT_co]]
    # Looks a document of the campaign up by key, or None.
    find_document: Callable[[str], Document | None] = lambda _key: None
    # The keys of the campaign's documents of a kind, as they were before anything was changed.
    find_keys: Callable[[str], Sequence[str]] = lambda _kind: ()
    # The campaign's characters that everybody may know of, the players' first.
    find_everybody: Callable[[], Sequence[CharacterId]] = tuple
    # Looks up the names of those of some characters who are in the campaign, without their sheets; None where
    # they are looked up one by one.
    find_names: Callable[[Collection[CharacterId]], Mapping[CharacterId, str]] | None = None
    # Characters changed so far.
    characters: Mapping[CharacterId, Character[SheetT_co]] = {}
    # Documents changed so far; None for one that is to go.
    documents: Mapping[str, Document | None] = {}

    def character(self, id_: CharacterId) -> Character[SheetT_co]:
        """The current state of a character of the campaign.

        Raises:
            UserError: If the campaign has no such character.
        """
        return self.characters.get(id_) or self.find_character(id_)

    def known(self, id_: CharacterId) -> Character[SheetT_co] | None:
        """The current state of a character, or None once the campaign has no such character."""
        try:
            return self.character(id_)
        except UserError:
            return None

    def names(self, ids: Collection[CharacterId]) -> Mapping[CharacterId, str]:
        """The names of those of some characters who are in the campaign, to read only."""
        if self.find_names is not None:
            return self.find_names(ids)
        return {id_: found.name for id_ in ids if (found := self.known(id_)) is not None}

    @property
    def actor(self) -> Character[SheetT_co]:
        """The acting character.

        Raises:
            UserError: If nobody in particular acts.
        """
        if self.actor_id is None and self.is_gm:
            raise NobodyToPlay("You have no character here.", try_this="Name the NPC that acts.")
        if self.actor_id is None:
            raise NobodyToPlay("You have no character here.", try_this=WAYS_TO_JOIN)
        return self.character(self.actor_id)

    def document(self, key: str) -> Document | None:
        """The current state of a campaign document, or None."""
        return self.documents[key] if key in self.documents else self.find_document(key)

    def stored(self, model: type[DocumentT], key: str) -> DocumentT | None:
        """The current state of a campaign document of a model, or None."""
        found = self.documents[key] if key in self.documents else self.find_document(key)
        return found if isinstance(found, model) else None

    def every(self, model: type[DocumentT], kind: str) -> Iterator[tuple[str, DocumentT]]:
        """The current state of the campaign's documents of a kind, each with its key."""
        for key in self.keys(kind):
            if (found := self.stored(model, key)) is not None:
                yield key, found

    def keys(self, kind: str) -> tuple[str, ...]:
        """The current keys of the campaign's documents of a kind."""
        changed = [key for key in self.documents if key.partition("/")[0] == kind]
        known = dict.fromkeys((*self.find_keys(kind), *changed))
        return tuple(key for key in known if self.document(key) is not None)

    def with_character(
        self: "Scene[SheetT, SettingsT]", character: Character[SheetT]
    ) -> "Scene[SheetT, SettingsT]":
        """The same scene with one character changed."""
        return replace(self, characters={**self.characters, character.id: character})

    def with_sheet(
        self: "Scene[SheetT, SettingsT]", character: Character[SheetT], sheet: SheetT
    ) -> "Scene[SheetT, SettingsT]":
        """The same scene with a character's sheet replaced."""
        return self.with_character(replace(character, sheet=sheet))

    def with_document(self, key: str, document: Document | None) -> Self:
        """The same scene with one document written, or removed."""
        return replace(self, documents={**self.documents, key: document})

    def without_document(self, key: str) -> Self:
        """The same scene with one document removed, if there is one."""
        return self if self.document(key) is None else self.with_document(key, None)

    def at_clock(self, clock: int) -> Self:
        """The same scene at another game time."""
        return replace(self, clock=clock)


SceneT = TypeVar("SceneT", bound=Scene, default=Scene)
SceneT_co = TypeVar("SceneT_co", bound=Scene, default=Scene, covariant=True)
SceneT_contra = TypeVar("SceneT_contra", bound=Scene, default=Scene, contravariant=True)
