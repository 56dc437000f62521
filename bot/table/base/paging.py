"""Long lists a page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ListPage(Generic[T]):
    """A page of a list."""

    shown: tuple[T, ...]
    number: int  # which page it is, from 0
    pages: int  # how many there are; an empty list has one

    @property
    def following(self) -> int:
        """The page after it; the first one after the last."""
        return (self.number + 1) % self.pages


def page_of(things: Sequence[T], number: int, size: int) -> ListPage[T]:
    """Return a page of a list; the last one if there are fewer."""
    pages = max(1, -(-len(things) // size))
    number = max(0, min(number, pages - 1))
    return ListPage(tuple(things[number * size : (number + 1) * size]), number, pages)
