"""The types of a procedure's options, as commands and the composer of a sheet need them."""

from collections.abc import Sequence
from enum import StrEnum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from bot.rules.kernel.wording import shown_number

MOST_VALUES = 25  # what a select menu holds
YES, NO = "yes", "no"


def inner_type(annotation: Any) -> Any:
    """Return the type of a field, without `None` and without annotations."""
    while True:
        origin = get_origin(annotation)
        if origin in (Union, UnionType):
            annotation = next(part for part in get_args(annotation) if part is not type(None))
        elif origin is Annotated:
            annotation = get_args(annotation)[0]
        else:
            return annotation


def bound(found: FieldInfo, what: str, otherwise: int) -> int:
    """Return a bound of a field ("ge", "le", "max_length"), or another number where it has none."""
    return next((getattr(one, what) for one in found.metadata if hasattr(one, what)), otherwise)


def values_of(found: FieldInfo, preset: Any) -> Sequence[Any]:
    """Return every value that a field can be set to in a menu; up to 25 of them.

    None comes first where the field may be left open. Of many numbers those around the preset one are there;
    a number without both bounds has no values besides it.

    Args:
        found: The field.
        preset: The value that it has.
    """
    kind = inner_type(found.annotation)
    values: list[Any]
    if kind is bool:
        values = [False, True]
    elif isinstance(kind, type) and issubclass(kind, StrEnum):
        values = list(kind)
    elif get_origin(kind) is Literal:
        values = list(get_args(kind))
    elif kind is int:
        values = _numbers(found, preset)
    else:
        values = []
    if type(None) in get_args(found.annotation):
        values = [None, *values]
    if preset not in values:
        values = [preset, *values]
    return values[:MOST_VALUES]


def _numbers(found: FieldInfo, preset: Any) -> list[int]:
    """The numbers of a menu: 23 at most, so that one for none and the preset one have room."""
    most_numbers = MOST_VALUES - 2
    least, most = bound(found, "ge", 0), bound(found, "le", -1)
    middle = preset if isinstance(preset, int) else found.default if isinstance(found.default, int) else least
    first = max(least, min(middle - most_numbers // 2, most - most_numbers + 1))
    return list(range(first, min(most, first + most_numbers - 1) + 1))


def value_words(value: Any) -> str:
    """Return a value as a menu shows it."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return YES if value else NO
    return shown_number(value) if isinstance(value, int) else str(value)
