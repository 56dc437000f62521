"""What waits for a character's answer: calls for a check, contests, attacks."""

from enum import StrEnum

from bot.rules.kernel import CharacterId, Document
from bot.rules.post_magic_maid.character.scene import Scene


class Awaited(StrEnum):
    """Kinds of things that wait for an answer."""

    CALLS = "calls"
    CONTESTS = "contests"
    ATTACKS = "attacks"


class MaidAwaiting(Document):
    """Keys of the documents that wait for a character, the oldest first."""

    calls: tuple[str, ...] = ()
    contests: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()

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
    """Everything that waits for a character."""
    found = scene.document(_key(character))
    return found if isinstance(found, MaidAwaiting) else MaidAwaiting()


def _with(scene: Scene, character: CharacterId, waiting: MaidAwaiting) -> Scene:
    return scene.with_document(_key(character), None if waiting == MaidAwaiting() else waiting)


def first_awaited(scene: Scene, character: CharacterId, kind: Awaited) -> str:
    """Key of the oldest thing of a kind that waits for a character, or nothing."""
    return next(iter(awaiting(scene, character).of(kind)), "")


def with_awaited(scene: Scene, character: CharacterId, kind: Awaited, key: str) -> Scene:
    """The same scene with one more thing that waits for a character."""
    waiting = awaiting(scene, character)
    return _with(scene, character, waiting.with_keys(kind, (*waiting.of(kind), key)))


def answered(scene: Scene, character: CharacterId, kind: Awaited, key: str) -> Scene:
    """The same scene with one thing less that waits for a character."""
    waiting = awaiting(scene, character)
    return _with(scene, character, waiting.with_keys(kind, tuple(k for k in waiting.of(kind) if k != key)))


def drop_awaited(scene: Scene, character: CharacterId, kind: Awaited, key: str) -> Scene:
    """The same scene without a document that waited for one character alone."""
    return answered(scene, character, kind, key).with_document(key, None)
