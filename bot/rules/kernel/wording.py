"""Numbers and counted things as people read them, and names as people write them."""

from functools import lru_cache

MINUS = "−"
LONGEST_NUMBER = 9


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 point", "2 points"; the plural takes an s where left out."""
    return f"{shown_number(count)} {one if abs(count) == 1 else many or f'{one}s'}"


def amount_of(count: int, title: str) -> str:
    """An amount of something by its title: "1 Blitz Point", "2 Blitz Points", "1 Stress"."""
    is_plural = title.endswith("s") and not title.endswith("ss")
    return f"{count} {title.removesuffix('s') if count == 1 and is_plural else title}"


def with_article(noun: str) -> str:
    """Return a noun with "a" or "an" before it."""
    article = "an" if noun[:1].casefold() in "aeiou" else "a"
    return f"{article} {noun}"


def shown_number(value: int) -> str:
    """A number with a true minus: "4", "−1"."""
    return f"{MINUS}{-value}" if value < 0 else str(value)


def signed(value: int) -> str:
    """A number with its sign: "+2", "−1", "+0"."""
    return shown_number(value) if value < 0 else f"+{value}"


def whole_number(text: str, least: int, most: int) -> int | None:
    """Read a number from *least* to *most* written in digits; None for anything else."""
    digits = text.strip()
    number = int(digits) if digits.isdecimal() and len(digits) <= LONGEST_NUMBER else least - 1
    return number if least <= number <= most else None


def same_name(one: str, other: str) -> bool:
    """Whether two names mean the same thing; case and spaces do not matter."""
    return name_key(one) == name_key(other)


@lru_cache(maxsize=1024)
def name_key(name: str) -> str:
    """Return what all ways to write a name have in common, for comparing it with many."""
    return " ".join(name.casefold().split())
