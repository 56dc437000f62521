"""Numbers with their words, in singular and plural."""


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its word: "1 point", "2 points"; the plural adds an s by default."""
    return f"{count} {one if abs(count) == 1 else many or f'{one}s'}".replace("-", "−")


def character_points(count: int) -> str:
    """A number of character points."""
    return counted(count, "character point")


def lucky_breaks(count: int) -> str:
    """A number of Lucky Breaks."""
    return counted(count, "Lucky Break")


def left_words(left: int) -> str:
    """How much is left: "1 is left", "5 are left"."""
    return f"{left} {'is' if left == 1 else 'are'} left".replace("-", "−")
