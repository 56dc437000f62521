"""Finding whom and what a gathering is about, whoever has left meanwhile."""

from typing import TypeVar

from bot.rules.kernel import CharacterId, Document
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Character, Scene

Kept = TypeVar("Kept", bound=Document)


def found(scene: Scene, id_: CharacterId) -> Character | None:
    """A character that the reader may know of; None once it has left the campaign or is hidden."""
    try:
        character = scene.character(id_)
    except UserError:
        return None
    return character if scene.is_gm or not character.is_hidden else None


def name_of(scene: Scene, id_: CharacterId) -> str:
    """What a character is called; "somebody" once it is not to be known of."""
    character = found(scene, id_)
    return "somebody" if character is None else character.name


def kept_at(scene: Scene, key: str, model: type[Kept]) -> Kept:
    """The document of a gathering.

    Raises:
        UserError: If it is there no more.
    """
    document = scene.document(key)
    if not isinstance(document, model):
        raise UserError("That is over.", try_this="Begin it again with the command.")
    return document


def assert_known(*characters: Character) -> None:
    """Refuse to do before everybody what concerns somebody whom nobody knows of.

    Raises:
        UserError: If one of them is hidden.
    """
    hidden = [character.name for character in characters if character.is_hidden]
    if hidden:
        raise UserError(
            f"Nobody knows of {', '.join(hidden)} yet.", "Roll in secret, or show them with /gm hide."
        )
