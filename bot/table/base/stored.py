"""Load stored documents as models of the rules: repair them, or refuse them with a way out."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import ValidationError

from bot.rules.kernel import Document, Whole
from bot.rules.kernel.errors import UserError
from bot.store.documents import from_text, to_text
from bot.store.records import JsonObject

Stored = TypeVar("Stored", bound=Document)
MOST_READ = 128  # documents and sheets of which it is remembered how they were read


class Unsound(UserError):
    """Something stored can't be read any more.

    Args:
        what: What it is, as a sentence begins with it.
    """

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} is stored in a form I can't read.",
            "A GM can try to undo the latest entries with /undo; /log lists them.",
        )


def load(model: type[Stored], body: Mapping[str, Any], what: str) -> Stored:
    """Load something stored.

    Args:
        model: What it is.
        body: What is stored of it.
        what: What to call it where it cannot be read.

    Raises:
        Unsound: If it is not allowed, and can't be repaired.
    """
    try:
        return model.model_validate(body)
    except ValidationError:
        mended = model.mended(body) if issubclass(model, Whole) else body
    try:
        return model.model_validate(mended)
    except ValidationError as error:
        raise Unsound(what) from error


def load_text(model: type[Stored], text: str, what: str) -> Stored:
    """Load a document from its stored text; one that has just been read is not read again."""
    try:
        read: Stored = _as_stored(model, text)
    except ValidationError:
        return load(model, from_text(text), what)
    return read


@lru_cache(maxsize=MOST_READ)
def _as_stored(model: type[Stored], text: str) -> Stored:
    return model.model_validate(from_text(text))


def load_settings(model: type[Stored], body: JsonObject) -> Stored:
    """Load settings; values no longer allowed fall back to their defaults."""
    read: Stored = _settings(model, to_text(body))
    return read


@lru_cache(maxsize=MOST_READ)
def _settings(model: type[Stored], text: str) -> Stored:
    body = from_text(text)
    try:
        return model.model_validate(body)
    except ValidationError as error:
        wrong = {detail["loc"][0] for detail in error.errors() if detail["loc"]}
    return model.model_validate({key: value for key, value in body.items() if key not in wrong})
