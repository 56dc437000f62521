"""Free dice and odds as they are read."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.rules.kernel import Die, Odds, OpposingDie
from bot.rules.kernel.odds import Chance
from bot.rules.shared.notation.roll import FREE_ROLL, FreeRollInputs
from bot.table.base.stored_rolls import roll_from_json, roll_to_json
from bot.ui.replies.result_replies import result_reply
from bot.ui.text.duel_text import DIE, EDGE, ROW, WORDS, duel_picture, duel_text
from bot.ui.text.paper import SCALE
from bot.ui.text.roll_text import free_roll_line, odds_reply
from cogs.help import Described, HelpPage, help_reply
from tests.dice import ScriptedDice
from tests.ui.shown import a_result, a_roll, shown


@pytest.mark.parametrize(
    ("expression", "fall", "line"),
    [
        ("1d6", "d6:4", r"1d6 \(4\) = **4**"),
        ("4d6kh3", "d6:4 d6:1 d6:6 d6:2", r"4d6kh3 \(4, ~~1~~, 6, 2\) = **12**"),
        ("1d6 - 4", "d6:1", r"1d6 \(1\) − 4 = **−3**"),
        ("1d6rr1", "d6:1 d6:5", r"1d6rr1 \(~~1~~ 5\) = **5**"),
    ],
)
def test_every_die_is_shown_in_its_place_in_the_expression(expression: str, fall: str, line: str) -> None:
    roll = FREE_ROLL.resolve(FreeRollInputs(expression=expression), ScriptedDice(fall))

    assert free_roll_line(roll) == line


class TestOdds:
    def test_odds_are_shown_as_a_table(self) -> None:
        odds = Odds((("failure", Chance(4, 6)), ("success", Chance(2, 6))), needed="success")

        assert shown(odds_reply("Toy", odds, "2 to 3")) == (
            "private, board\n"
            "**Toy**\n"
            "failure **67%** · 4 of 6\n"
            "success **33%** · 2 of 6\n"
            "success: **33%**\n"
            "-# 2 to 3"
        )

    def test_impossible_results_have_no_line_in_the_table(self) -> None:
        odds = Odds((("never", Chance(0, 6)), ("always", Chance(6, 6))))

        assert odds_reply("Toy", odds).text == "**Toy**\nalways **100%** · 6 of 6"

    def test_odds_without_chances_show_only_the_expression(self) -> None:
        assert odds_reply("3d6e6", Odds(()), "There is none.").text == "**3d6e6**\n-# There is none."

    @given(names=st.lists(st.text(max_size=300), max_size=40), title=st.text(max_size=300))
    def test_odds_with_long_names_fit_into_a_card(self, names: list[str], title: str) -> None:
        odds = Odds(tuple((name, Chance(1, len(names))) for name in names))

        assert len(odds_reply(title, odds).text) <= 4000


def test_help_offers_every_first_word_and_shows_the_commands_of_one() -> None:
    commands = [
        Described("campaign create", "Make a campaign"),
        Described("roll", "Roll any dice, such as 4d6kh3+2"),
    ]

    assert shown(help_reply(commands, (), HelpPage("campaign"))) == (
        "private, news\n"
        "`/campaign create` Make a campaign\n"
        "<Commands 1..1: */campaign (create) / /roll (Roll any dice, such as 4d6kh3+2)>"
    )


def test_help_shows_what_is_used_most_first_and_cuts_nothing() -> None:
    commands = [Described(f"toy act{number:02}", "x" * 100, id=7, used=number == 29) for number in range(30)]

    pages = [help_reply(commands, ("**Now**",), HelpPage(number=number)) for number in range(3)]

    lines = [line for page in pages for line in page.text.splitlines() if line.startswith("</")]
    assert lines[:2] == [f"</toy act29:7> {'x' * 100}", f"</toy act00:7> {'x' * 100}"]
    assert len(set(lines)) == 30
    assert pages[0].text.startswith("**Now**")
    assert [page.text.splitlines()[-1] for page in pages] == [
        f"-# Page {number} of 3" for number in (1, 2, 3)
    ]
    assert max(len(page.text) for page in pages) <= 4000


FIVE = Die(sides=6, face=5, shown="⚄→7")
FOUR, SIX = Die(sides=6, face=4), Die(sides=6, face=6)
SPARE = Die(sides=6, face=2, is_kept=False)
IMPLICIT = Die(sides=1, face=1, shown="(3)")
ROLL = a_roll(
    SIX,
    SPARE,
    facing=(
        OpposingDie(FIVE, 7),
        OpposingDie(FOUR, 4, SIX, 6),
        OpposingDie(Die(sides=6, face=3), 3, IMPLICIT, 3),
    ),
)


def test_dice_that_got_through_come_first_and_stopped_ones_are_struck_through_beside_their_stopper() -> None:
    assert duel_text(ROLL) == ("Through: **⚄→7**\n" + r"Stopped: ~~⚃~~ ⚅ · ~~⚂~~ \(3\) · unused: ⚁")


def test_a_fully_stopped_attack_mentions_no_dice_that_got_through() -> None:
    assert duel_text(a_roll(SIX, facing=(OpposingDie(FOUR, 4, SIX, 6),))) == "Stopped: ~~⚃~~ ⚅"
    assert duel_text(a_roll(facing=(OpposingDie(FOUR, 4),))) == "Through: **⚃**"


def test_a_duel_has_a_text_and_a_picture_with_an_alt_text() -> None:
    reply = result_reply(a_result(rolls=(ROLL,)))

    assert "Stopped: ~~⚃~~ ⚅" in reply.text
    assert [(one.name, one.alt) for one in reply.files] == [
        (
            "dice.png",
            "Attack dice above, defense dice below: 7 got through; 6 stops 4, 3 stops 3; 2 unused.",
        )
    ]
    assert result_reply(a_result(rolls=(a_roll(SIX),))).files == ()
    two = result_reply(a_result(rolls=(ROLL, ROLL))).files
    assert [one.name for one in two] == ["dice.png", "dice-2.png"]
    assert result_reply(a_result(rolls=(ROLL,), is_undone=True)).files == ()


def test_the_picture_fits_a_phone_and_is_small() -> None:
    many = a_roll(facing=tuple(OpposingDie(FOUR, 4, SIX, 6) for _ in range(12)))
    sketch = duel_picture(many)
    assert sketch is not None
    drawn = sketch.draw()

    assert Image.open(io.BytesIO(drawn)).width <= 2 * 370
    assert len(drawn) < 20_000
    assert duel_picture(a_roll(facing=many.facing * 4)) is None


def test_opposed_dice_are_stored_in_the_journal_and_read_back() -> None:
    kept = json.loads(json.dumps(roll_to_json("toy", ROLL)))

    assert roll_from_json(kept).facing == ROLL.facing
    assert "facing" not in roll_to_json("toy", a_roll(SIX))


class TestUnusedDice:
    """F-SWIM-22: an unused defence die shows what it came to, and no row repeats an empty attack."""

    BETTER = Die(sides=6, face=5, shown="⚄→8", value=8, is_kept=False)

    def test_the_counted_value_of_an_unused_die_is_drawn_and_written(self) -> None:
        plain = Die(sides=6, face=5, is_kept=False)
        better, bare = (
            duel_picture(a_roll(SIX, die, facing=(OpposingDie(FOUR, 4, SIX, 6),)))
            for die in (self.BETTER, plain)
        )

        assert better is not None
        assert bare is not None
        assert (better.alt[-9:], bare.alt[-9:]) == ("8 unused.", "5 unused.")
        assert better.draw() != bare.draw()

    def test_a_row_without_attack_dice_does_not_mention_them(self) -> None:
        sketch = duel_picture(a_roll(*[self.BETTER] * 9, facing=(OpposingDie(FOUR, 4, SIX, 6),)))
        assert sketch is not None
        image = Image.open(io.BytesIO(sketch.draw())).convert("RGB")

        first, second = (
            image.crop((0, top * SCALE, (EDGE + WORDS - 4) * SCALE, (top + 14 + DIE) * SCALE))
            for top in (EDGE, EDGE + ROW)
        )

        assert len(first.getcolors(1000) or ()) > 1
        assert len(second.getcolors(1000) or ()) == 1

    def test_the_value_survives_the_journal(self) -> None:
        kept = json.loads(json.dumps(roll_to_json("toy", a_roll(self.BETTER))))

        assert roll_from_json(kept).dice == (self.BETTER,)
