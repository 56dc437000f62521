"""Bar charts: of exact chances, one bar per verdict with its name and percentage; of how often faces came.

The track of a chance is 100%. Where no chance comes near that (as of the totals of many dice) the bars show
the shape alone, without a track. A line across the bars of faces is what fair dice show on average.
"""

import io
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, partial

from bot.rules.kernel import Odds
from bot.rules.kernel.odds import percent
from bot.ui.text.paper import AMBER, BLUE, GREEN, INK, LONGEST_ALT, PAPER, SCALE, SOFT, WIDTH, plain_letters
from bot.ui.text.reply import Picture, Sketch
from bot.ui.text.text import shorten

ROW, EDGE = 26, 8
NAMES, NUMBERS = 128, 46  # room beside the bars
TEXT_SIZE = 14
LONGEST_NAME = 18
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

    shown = [one for one in odds.chances if one[1].ways]
    height = (2 * EDGE + ROW * len(shown)) * SCALE
    image = Image.new("RGB", (WIDTH * SCALE, height), PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(TEXT_SIZE * SCALE)
    highest = max(chance.fraction for _name, chance in odds.chances)
    whole = highest if highest < LEAST_ON_A_TRACK else Fraction(1)
    left, right = (EDGE + NAMES) * SCALE, (WIDTH - EDGE - NUMBERS) * SCALE
    names = [name for name, _chance in odds.chances]
    enough = names[names.index(odds.needed) :] if odds.needed in names else []
    for row, (name, chance) in enumerate(shown):
        middle = (EDGE + ROW * row + ROW // 2) * SCALE
        half = ROW * SCALE // 3
        pen.text(
            (left - 8 * SCALE, middle), plain_letters(name, LONGEST_NAME), font=font, fill=INK, anchor="rm"
        )
        if whole == 1:
            pen.rectangle((left, middle - half, right, middle + half), fill=SOFT)
        end = left + max(2, round((right - left) * chance.fraction / whole)) - 1
        pen.rectangle((left, middle - half, end, middle + half), fill=GREEN if name in enough else BLUE)
        pen.text((right + 8 * SCALE, middle), percent(chance), font=font, fill=INK, anchor="lm")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


MOST_BARS = 20  # faces with a bar each; more faces share bars


def faces_picture(counts: Sequence[int]) -> Sketch:
    """How often each face of a die came, as a bar chart with the number that fair dice show on average."""
    bars = _bars(counts)
    text = ", ".join(f"{name}: {count}" for name, count in bars)
    share = sum(counts) / len(bars)
    alt = f"Bar chart of the faces of a d{len(counts)}: {text}. Fair share of each: {share:.1f}."
    return Sketch(name="dice.png", alt=shorten(alt, LONGEST_ALT), draw=partial(_drawn_faces, bars))


def _bars(counts: Sequence[int]) -> tuple[tuple[str, int], ...]:
    width = -(-len(counts) // MOST_BARS)
    starts = range(0, len(counts), width)
    return tuple(
        (str(at + 1) if width == 1 else f"{at + 1} to {at + width}", sum(counts[at : at + width]))
        for at in starts
    )


@lru_cache(maxsize=64)
def _drawn_faces(bars: tuple[tuple[str, int], ...]) -> bytes:
    from PIL import Image, ImageDraw, ImageFont  # loaded when the first picture is drawn: it costs memory

    image = Image.new("RGB", (WIDTH * SCALE, (2 * EDGE + ROW * len(bars)) * SCALE), PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(TEXT_SIZE * SCALE)
    left, right = (EDGE + NAMES) * SCALE, (WIDTH - EDGE - NUMBERS) * SCALE
    share = sum(count for _name, count in bars) / len(bars)
    whole = max(*(count for _name, count in bars), 1)
    for row, (name, count) in enumerate(bars):
        middle = (EDGE + ROW * row + ROW // 2) * SCALE
        half = ROW * SCALE // 3
        pen.text((left - 8 * SCALE, middle), name, font=font, fill=INK, anchor="rm")
        pen.rectangle((left, middle - half, right, middle + half), fill=SOFT)
        if count:
            end = left + max(2, round((right - left) * count / whole))
            pen.rectangle((left, middle - half, end, middle + half), fill=BLUE)
        pen.text((right + 8 * SCALE, middle), str(count), font=font, fill=INK, anchor="lm")
    mark = left + round((right - left) * share / whole)
    pen.rectangle((mark - SCALE, EDGE * SCALE, mark + SCALE, image.height - EDGE * SCALE), fill=AMBER)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
