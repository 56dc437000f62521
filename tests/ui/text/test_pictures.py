"""The picture of a sheet: small, drawn once, different when something changed."""

import io

import pytest
from PIL import Image, ImageChops

from bot.rules.kernel import Gauge, GaugeKind, Glance, Odds
from bot.rules.kernel.dice import Chance
from bot.table.base.pictures import small_picture
from bot.table.characters.character_files import LARGEST_PORTRAIT, SIDE
from bot.ui.text.charts import (
    AMBER,
    ARROW,
    BLUE,
    EDGE,
    GREEN,
    RED,
    ROW,
    SCALE,
    SOFT,
    WIDTH,
    Colour,
    odds_picture,
)
from bot.ui.text.sheet_pictures import (
    MOST_KEPT,
    SheetFace,
    StoryOfHero,
    draw,
    sheet_picture,
    story_picture,
    wrapped,
)

GLANCE = Glance(
    (Gauge.of("HP", 13, 64), Gauge("Blunt", "1/7", ((1, 4), (0, 3)), GaugeKind.HARM), Gauge("Boots", "6")),
    ("Prone", "Frightened of the dark", "Bleeding out"),
)


def opened(picture: bytes) -> Image.Image:
    return Image.open(io.BytesIO(picture)).convert("RGB")


def a_portrait(colour: Colour) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (600, 400), colour).save(file, "JPEG")
    return small_picture(file.getvalue(), SIDE, LARGEST_PORTRAIT)


def has(picture: bytes, colour: Colour, left: int) -> bool:
    """Whether a picture has a colour right of a place."""
    image = opened(picture)
    right = image.crop((left, 0, image.width, image.height))
    return any(
        all(abs(one - other) < 24 for one, other in zip(pixel, colour, strict=True))
        for _count, pixel in right.getcolors(1_000_000) or ()
        if isinstance(pixel, tuple)
    )


def test_a_sheets_picture_fits_a_phone_and_is_small() -> None:
    picture = draw(SheetFace("Ada the Bold", GLANCE, a_portrait(RED)))

    assert opened(picture).width == WIDTH * SCALE
    assert opened(picture).height < 480
    assert len(picture) < 100_000


def test_the_text_alternative_says_everything_in_the_picture() -> None:
    alone = sheet_picture(SheetFace("Ada", GLANCE))
    portrayed = sheet_picture(SheetFace("Ada", Glance(), b"x"))

    assert alone.alt == (
        "Ada. HP 13/64, Blunt 1/7 (1/4, 0/3), Boots 6, Prone, Frightened of the dark, Bleeding out."
    )
    assert portrayed.alt == "Portrait of Ada"


def test_the_same_sheet_is_drawn_once_and_a_changed_one_anew() -> None:
    face = SheetFace("Drawn once", GLANCE, a_portrait(RED))
    first = sheet_picture(face)
    content = first.draw()

    again = sheet_picture(SheetFace("Drawn once", GLANCE, a_portrait(RED)))
    hurt = SheetFace("Drawn once", Glance((Gauge.of("HP", 12, 64),)), a_portrait(RED))
    changed = SheetFace("Drawn once", GLANCE, a_portrait(BLUE))

    assert [first.drawn, again.drawn, sheet_picture(hurt).drawn, sheet_picture(changed).drawn] == [
        None,
        content,
        None,
        None,
    ]
    assert len({content, draw(hurt), draw(changed)}) == 3


def test_a_picture_is_the_same_before_and_after_it_was_drawn_and_another_with_another_portrait() -> None:
    face = SheetFace("Ada of old", Glance(), a_portrait(RED))
    first = sheet_picture(face)
    first.draw()

    assert sheet_picture(face) == first
    assert sheet_picture(SheetFace("Ada of old", Glance(), a_portrait(BLUE))) != first


def test_only_the_latest_pictures_are_kept() -> None:
    faces = [SheetFace(f"Kept {number}", Glance()) for number in range(MOST_KEPT + 1)]
    for face in faces:
        sheet_picture(face).draw()

    assert sheet_picture(faces[0]).drawn is None
    assert sheet_picture(faces[-1]).drawn is not None


def test_the_portrait_stands_at_the_left() -> None:
    picture = opened(draw(SheetFace("Ada", Glance(), a_portrait((200, 30, 30)))))
    red, green, _blue = picture.crop((40, 40, 150, 150)).resize((1, 1)).tobytes()

    assert (red > 150, green < 80) == (True, True)


@pytest.mark.parametrize(
    ("gauge", "colour"),
    [
        (Gauge.of("HP", 40, 64), GREEN),
        (Gauge.of("HP", 32, 64), AMBER),
        (Gauge.of("HP", 16, 64), RED),
        (Gauge.of("Stress", 3, 3, GaugeKind.HARM), RED),
        (Gauge.of("High", 1, 5, GaugeKind.POINTS), BLUE),
    ],
)
def test_the_colour_of_a_count_says_how_it_stands(gauge: Gauge, colour: Colour) -> None:
    picture = draw(SheetFace("Ada", Glance((gauge,))))

    assert [one for one in (GREEN, AMBER, RED, BLUE) if has(picture, one, 330)] == [colour]


@pytest.mark.parametrize("name", ["", "Владимир", "Zoë d'Été", "x" * 100, "🐉 Smok"])
def test_any_name_any_count_and_any_condition_can_be_draw(name: str) -> None:
    gauges = (Gauge.of("Ω" * 60, -3, 4), Gauge.of("None", 0, 0), Gauge.of("Many", 10_000, 1_000_000))
    glance = Glance(gauges * 9, ("勇者" * 40, "", "x" * 80) * 9)

    assert opened(draw(SheetFace(name, glance))).width == WIDTH * SCALE


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
    middles = [
        (EDGE + ROW * row + ROW // 2) * SCALE
        for row in range(sum(bool(one.ways) for _name, one in odds.chances))
    ]
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


def test_a_recap_draws_the_arrow_that_its_letters_lack() -> None:
    arrow, sign = (
        opened(story_picture("Night", "", [StoryOfHero("Ada", (change,))], []).draw())
        for change in ("HP 3 → 4", "HP 3 > 4")
    )
    difference = ImageChops.difference(arrow, sign).getbbox()

    assert arrow.size == sign.size
    assert difference is not None
    assert wrapped("HP 3 → 4", 15, 200, ARROW) == ["HP 3 → 4"]
    assert wrapped("HP 3 → 4", 15, 200) == ["HP 3 > 4"]
