"""What all pictures share: their size, their colours and the letters they can write."""

import unicodedata

from bot.rules.kernel.outcome import MINUS
from bot.ui.text.text import shorten

SCALE = 2  # drawn for sharp phones
WIDTH = 280  # as wide as a phone of 360 shows a picture, so that its letters are as large as those around it
LONGEST_ALT = 1000
Colour = tuple[int, int, int]
PAPER, INK = (30, 31, 34), (238, 237, 232)  # dark, for both of Discord's themes
DIM, SOFT = (176, 179, 187), (58, 60, 66)
GOOD, HALF, BAD = (98, 196, 148), (240, 180, 76), (242, 128, 121)
GREEN, AMBER, RED, BLUE, PURPLE = (
    (47, 158, 107),
    (201, 138, 27),
    (194, 69, 63),
    (91, 127, 199),
    (138, 99, 184),
)
PLACES = {  # of a die's pips, in a grid of three by three
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}

UNKNOWN = "?"  # in place of a letter that the built-in font lacks
KNOWN = "·"  # what it has besides ASCII
ARROW = "→"  # which the font lacks; the recap draws it
PLAIN = str.maketrans({MINUS: "-", "–": "-", "’": "'", "“": '"', "”": '"', "×": "x", ARROW: ">", "⁄": "/"})


def plain_letters(text: str, longest: int, drawn: str = "") -> str:
    """A text in the letters that the built-in font has, shortened; others become question marks.

    Args:
        drawn: Letters that stay, as the picture draws them itself.
    """
    shown = shorten(text, longest).replace("…", "..")
    letters = unicodedata.normalize("NFKD", shown)
    letters = "".join(one if one in drawn else one.translate(PLAIN) for one in letters)
    plain = (one for one in letters if not unicodedata.combining(one))
    return "".join(one if one.isascii() or one in KNOWN or one in drawn else UNKNOWN for one in plain)
