"""Pending answers of a character: requested checks, contests and attacks."""

from enum import StrEnum

from bot.rules.kernel import CharacterId, Document
from bot.rules.post_magic_maid.character.scene import Scene


class Awaited(StrEnum):
    """The kinds of pending answers."""

    CALLS = "calls"
    CONTESTS = "contests"
    ATTACKS = "attacks"


class MaidAwaiting(Document):
    """The keys of the documents waiting for a character, oldest first.

    Attributes:
        calls: Of requested checks.
        contests: Of contests.
        attacks: Of attacks.
        overdue: The levels of wounds not treated in time, about which the GM has to decide.
    """

    calls: tuple[str, ...] = ()
    contests: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()
    overdue: tuple[str, ...] = ()

    def of(self, kind: Awaited) -> tuple[str, ...]:
        """The keys of one kind."""
        return {
            Awaited.CALLS: self.calls,
            Awaited.CONTESTS: self.contests,
            Awaited.ATTACKS: self.attacks,
        }[kind]

    def with_keys(self, kind: Awaited, keys: tuple[str, ...]) -> "MaidAwaiting":
        """The same with the keys of one kind changed."""
        return self.model_copy(update={kind.value: keys})


def _key(character: CharacterId) -> str:
    return f"awaiting/{character}"


def awaiting(scene: Scene, character: CharacterId) -> MaidAwaiting:
    """The pending answers of a character."""
    found = scene.document(_key(character))
    return found if isinstance(found, MaidAwaiting) else MaidAwaiting()


def _with(scene: Scene, character: CharacterId, waiting: MaidAwaiting) -> Scene:
    return scene.with_document(_key(character), None if waiting == MaidAwaiting() else waiting)


def with_overdue(scene: Scene, character: CharacterId, levels: tuple[str, ...]) -> Scene:
    """The same scene with these wounds of a character waiting for the GM's verdict."""
    return _with(scene, character, awaiting(scene, character).model_copy(update={"overdue": levels}))


def first_awaited(scene: Scene, character: CharacterId, kind: Awaited) -> str:
    """The key of the oldest pending answer of a kind, or an empty text."""
    return next(iter(awaiting(scene, character).of(kind)), "")


def with_awaited(scene: Scene, character: CharacterId, kind: Awaited, key: str) -> Scene:
    """The same scene with one more document waiting for a character."""
    waiting = awaiting(scene, character)
    return _with(scene, character, waiting.with_keys(kind, (*waiting.of(kind), key)))


def answered(scene: Scene, character: CharacterId, kind: Awaited, key: str) -> Scene:
    """The same scene with one document less waiting for a character."""
    waiting = awaiting(scene, character)
    return _with(scene, character, waiting.with_keys(kind, tuple(k for k in waiting.of(kind) if k != key)))


def drop_awaited(scene: Scene, character: CharacterId, kind: Awaited, key: str) -> Scene:
    """The same scene without a document that waited for a single character."""
    return answered(scene, character, kind, key).with_document(key, None)
