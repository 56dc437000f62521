"""Bar charts of exact chances: one bar per verdict, with its name and percentage.

A bar's track is 100%. Where no chance comes near that (as of the totals of many dice) the bars show the
shape alone, without a track.
"""

import io
from fractions import Fraction
from functools import lru_cache

from bot.rules.kernel import Odds
from bot.rules.kernel.odds import percent
from bot.rules.kernel.wording import MINUS
from bot.ui.text.reply import Picture
from bot.ui.text.text import shorten

SCALE = 2  # drawn for sharp phones
WIDTH, ROW, EDGE = 360, 26, 12
NAMES, NUMBERS = 110, 56  # room beside the bars
TEXT_SIZE = 14
PAPER, INK, SOFT = (250, 249, 246), (38, 37, 34), (226, 222, 212)
BAR, ENOUGH = (91, 127, 199), (47, 158, 107)
LONGEST_ALT = 1000
LEAST_ON_A_TRACK = Fraction(1, 4)  # the greatest chance has to reach this


def odds_picture(odds: Odds) -> Picture | None:
    """The chances as a bar chart (PNG, a few kilobytes) with an alt text; None where there are none."""
    if not odds.chances:
        return None
    text = ", ".join(f"{name} {percent(chance)}" for name, chance in odds.chances if chance.ways)
    return Picture(name="odds.png", content=_drawn(odds), alt=shorten(f"Bar chart: {text}.", LONGEST_ALT))


@lru_cache(maxsize=64)
def _drawn(odds: Odds) -> bytes:
    from PIL import Image, ImageDraw, ImageFont  # loaded when the first picture is drawn: it costs memory

    height = (2 * EDGE + ROW * len(odds.chances)) * SCALE
    image = Image.new("RGB", (WIDTH * SCALE, height), PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(TEXT_SIZE * SCALE)
    highest = max(chance.fraction for _name, chance in odds.chances)
    whole = highest if highest < LEAST_ON_A_TRACK else Fraction(1)
    left, right = (EDGE + NAMES) * SCALE, (WIDTH - EDGE - NUMBERS) * SCALE
    is_enough = False
    for row, (name, chance) in enumerate(odds.chances):
        is_enough = is_enough or name == odds.needed
        middle = (EDGE + ROW * row + ROW // 2) * SCALE
        half = ROW * SCALE // 3
        pen.text((left - 8 * SCALE, middle), _plain(name), font=font, fill=INK, anchor="rm")
        if whole == 1:
            pen.rectangle((left, middle - half, right, middle + half), fill=SOFT)
        if chance.ways:
            end = left + max(2, round((right - left) * chance.fraction / whole))
            pen.rectangle((left, middle - half, end, middle + half), fill=ENOUGH if is_enough else BAR)
        pen.text((right + 8 * SCALE, middle), percent(chance), font=font, fill=INK, anchor="lm")
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _plain(name: str) -> str:
    """A verdict's name in the letters that the built-in font has."""
    return shorten(name.replace(MINUS, "-"), 16).replace("…", "..").encode("ascii", "replace").decode()
