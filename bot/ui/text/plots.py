"""Bar charts of exact chances: one bar per verdict, with its name and percentage.

A bar's track is 100%. Where no chance comes near that (as of the totals of many dice) the bars show the
shape alone, without a track.
"""

import io
from fractions import Fraction
from functools import lru_cache

from bot.rules.kernel import Odds
from bot.rules.kernel.odds import percent
from bot.ui.text.paper import BLUE, GREEN, INK, LONGEST_ALT, PAPER, SCALE, SOFT, WIDTH, plain_letters
from bot.ui.text.reply import Picture
from bot.ui.text.text import shorten

ROW, EDGE = 26, 12
NAMES, NUMBERS = 110, 56  # room beside the bars
TEXT_SIZE = 14
LONGEST_NAME = 16
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
        pen.text(
            (left - 8 * SCALE, middle), plain_letters(name, LONGEST_NAME), font=font, fill=INK, anchor="rm"
        )
        if whole == 1:
            pen.rectangle((left, middle - half, right, middle + half), fill=SOFT)
        if chance.ways:
            end = left + max(2, round((right - left) * chance.fraction / whole))
            pen.rectangle((left, middle - half, end, middle + half), fill=GREEN if is_enough else BLUE)
        pen.text((right + 8 * SCALE, middle), percent(chance), font=font, fill=INK, anchor="lm")
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
