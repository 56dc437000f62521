"""Plots of exact chances."""

import io

from PIL import Image

from bot.rules.kernel import Odds
from bot.rules.kernel.odds import Chance
from bot.ui.text.paper import BLUE, GREEN, SCALE, SOFT, WIDTH
from bot.ui.text.plots import EDGE, ROW, odds_picture

ODDS = Odds(
    (("fails", Chance(1, 4)), ("never", Chance(0, 4)), ("Cost (−1)", Chance(3, 4))), needed="Cost (−1)"
)


def colours(content: bytes) -> set[tuple[int, ...]]:
    image = Image.open(io.BytesIO(content)).convert("RGB")
    return {colour for _count, colour in image.getcolors(1_000_000) or () if isinstance(colour, tuple)}


class TestAPlot:
    def test_a_plots_alt_text_lists_its_chances(self) -> None:
        picture = odds_picture(ODDS)

        assert picture is not None
        assert picture.alt == "Bar chart: fails 25%, Cost (−1) 75%."

    def test_a_plot_is_sharp_and_small(self) -> None:
        picture = odds_picture(ODDS)

        assert picture is not None
        assert Image.open(io.BytesIO(picture.content)).size[0] == WIDTH * SCALE
        assert len(picture.content) < 100_000

    def test_sufficient_verdicts_have_their_own_colour_in_a_plot(self) -> None:
        picture = odds_picture(ODDS)
        without = odds_picture(Odds(ODDS.chances))

        assert picture is not None
        assert without is not None
        assert {BLUE, GREEN} <= colours(picture.content)
        assert GREEN not in colours(without.content)

    def test_odds_without_chances_have_no_plot(self) -> None:
        assert odds_picture(Odds(())) is None


def lengths(odds: Odds, colour: tuple[int, int, int]) -> list[int]:
    """How long the bars are, in the order of the chances."""
    picture = odds_picture(odds)
    assert picture is not None
    image = Image.open(io.BytesIO(picture.content)).convert("RGB")
    middles = [(EDGE + ROW * row + ROW // 2) * SCALE for row in range(len(odds.chances))]
    return [sum(image.getpixel((x, y)) == colour for x in range(image.width)) for y in middles]


class TestATrack:
    """F-SWIM-21: 45% and 88% both looked like 100%."""

    def test_a_bars_track_stands_for_100_percent(self) -> None:
        likely = Odds((("fails", Chance(12, 100)), ("succeeds", Chance(88, 100))))
        even = Odds((("fails", Chance(50, 100)), ("succeeds", Chance(50, 100))))
        sure = Odds((("succeeds", Chance(1, 1)),))
        (whole,) = lengths(sure, BLUE)

        assert [round(100 * one / whole) for one in lengths(likely, BLUE)] == [12, 88]
        assert [round(100 * one / whole) for one in lengths(even, BLUE)] == [50, 50]

    def test_plots_of_dice_totals_have_no_track(self) -> None:
        totals = Odds(tuple((str(n), Chance(n, 55)) for n in range(1, 11)))
        picture = odds_picture(totals)

        assert picture is not None
        assert SOFT not in colours(picture.content)
        assert lengths(totals, BLUE)[-1] == lengths(Odds((("sure", Chance(1, 1)),)), BLUE)[0]
