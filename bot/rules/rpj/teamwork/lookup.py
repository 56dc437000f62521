"""Finding the characters and documents of a shared prompt, even if some have left."""

from typing import TypeVar

from bot.rules.kernel import CharacterId, Document
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Character, Scene

Kept = TypeVar("Kept", bound=Document)


def found(scene: Scene, id_: CharacterId) -> Character | None:
    """A character the reader may see; None once it has left the campaign or is hidden."""
    try:
        character = scene.character(id_)
    except UserError:
        return None
    return character if scene.is_gm or not character.is_hidden else None


def name_of(scene: Scene, id_: CharacterId) -> str:
    """A character's name, or "someone" where it may not be shown."""
    character = found(scene, id_)
    return "someone" if character is None else character.name


def kept_at(scene: Scene, key: str, model: type[Kept]) -> Kept:
    """The document of a shared prompt.

    Raises:
        UserError: If it no longer exists.
    """
    document = scene.document(key)
    if not isinstance(document, model):
        raise UserError("This is over.", try_this="Start again with the command.")
    return document


def assert_known(*characters: Character) -> None:
    """Refuse a public check that involves a hidden character.

    Raises:
        UserError: If one of them is hidden.
    """
    hidden = [character.name for character in characters if character.is_hidden]
    if hidden:
        raise UserError(
            f"The players don't know about {', '.join(hidden)} yet.",
            "Roll in secret, or reveal them with /gm hide.",
        )
