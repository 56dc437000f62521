"""Numbers with their words, in singular and plural."""

from bot.rules.kernel.wording import counted, shown_number


def character_points(count: int) -> str:
    """A number of character points."""
    return counted(count, "character point")


def lucky_breaks(count: int) -> str:
    """A number of Lucky Breaks."""
    return counted(count, "Lucky Break")


def left_words(left: int) -> str:
    """How much is left: "1 is left", "5 are left"."""
    return f"{shown_number(left)} {'is' if left == 1 else 'are'} left"
