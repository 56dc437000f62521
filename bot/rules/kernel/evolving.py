"""A document with some of its fields changed."""

from typing import Any, TypeVar

from pydantic import BaseModel

AnyDocument = TypeVar("AnyDocument", bound=BaseModel)


def evolve(document: AnyDocument, /, **changes: Any) -> AnyDocument:
    """Return a copy of a document in which some fields have other values.

    Args:
        document: What is copied; it stays as it is.
        **changes: The new value of each changed field. They are trusted, not validated.

    Raises:
        TypeError: The document has no such field.
    """
    if unknown := changes.keys() - type(document).__pydantic_fields__.keys():
        raise TypeError(f"{type(document).__name__} has no field {', '.join(sorted(unknown))}")
    return document.model_copy(update=changes)
