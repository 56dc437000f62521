"""What grew about a character, for the recap of a session."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Growth:
    """Something that grew about a character.

    Attributes:
        what: What it is: a skill, an attribute, a trait.
        before: What it was; empty for something new.
        after: What it is.
        is_pulled: Whether it rose because something else did.
    """

    what: str
    before: str
    after: str
    is_pulled: bool = False


def grown(what: str, before: int, after: int, *, is_pulled: bool = False) -> tuple[Growth, ...]:
    """A number that grew; nothing if it did not."""
    return (Growth(what, str(before), str(after), is_pulled),) if after > before else ()
