"""Text as people wrote it, never as markup; free dice and odds as they are read."""

from __future__ import annotations

import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image, ImageFont

from bot.rules.kernel import Die, Family, Odds, OpposingDie, Roll, Roller, TargetNumber, Term, Verdict
from bot.rules.kernel.dice import Chance
from bot.rules.kernel.outcome import harm
from bot.rules.shared.notation.roll import FREE_ROLL, FreeRollInputs
from bot.table.base.results import ChangeLine
from bot.table.base.stored_rolls import roll_from_json, roll_to_json
from bot.table.base.typed_options import one_line
from bot.ui.replies.result_replies import result_reply
from bot.ui.text.attack_pictures import (
    CAPTION,
    DIE,
    EDGE,
    GAP,
    LINE,
    MOST_ROLLS,
    SMALL_SIZE,
    STEP,
    TEXT_SIZE,
    WORDS,
    told_chance,
)
from bot.ui.text.charts import KNOWN, SCALE, WIDTH, odds_picture, plain_letters
from bot.ui.text.reply import Button, Look, Sketch, rows_of
from bot.ui.text.roll_text import (
    as_many,
    as_written,
    duel_text,
    escape,
    first_short,
    fitting,
    free_roll_line,
    height,
    odds_reply,
    plain,
    roll_line,
    shorten,
)
from cogs.help import Described, HelpPage, help_reply
from tests.dice import ScriptedDice
from tests.ui.shown import a_result, a_roll, shown

UNESCAPED = re.compile(r"(?<!\\)(?:\\\\)*([*_~`|>\[\]()#<:@])")


class TestEscaping:
    @pytest.mark.parametrize(
        ("written", "escaped"),
        [
            ("**bold**", r"\*\*bold\*\*"),
            ("_slanted_ __under__", r"\_slanted\_ \_\_under\_\_"),
            ("~~gone~~", r"\~\~gone\~\~"),
            ("`code`", r"\`code\`"),
            ("||spoiler||", r"\|\|spoiler\|\|"),
            ("# heading", r"\# heading"),
            ("-# small", r"-\# small"),
            ("> quote", r"\> quote"),
            ("[text](https://x.y)", r"\[text\]\(https\://x.y\)"),
            ("https://x.y", r"https\://x.y"),
            ("@everyone", r"\@everyone"),
            ("<@123> <#1> <t:1:R>", r"\<\@123\> \<\#1\> \<t\:1\:R\>"),
            (":smile:", r"\:smile\:"),
            ("back\\slash", r"back\\slash"),
            ("- item", r"\- item"),
            ("+ item", r"\+ item"),
            ("12. item", r"12\. item"),
            ("-5 to 7.5", "-5 to 7.5"),
            ("Ada's (old) name", r"Ada's \(old\) name"),
        ],
    )
    def test_escaped_markdown_is_shown_literally(self, written: str, escaped: str) -> None:
        assert escape(written) == escaped

    @pytest.mark.parametrize(
        ("written", "line"),
        [
            ("two\nlines", "two lines"),
            ("  many   spaces \t", "many spaces"),
            ("right\u202eleft", "right left"),
            ("zero\u200bwidth", "zero width"),
            ("nul\x00", "nul"),
            ("half\ud800", "half"),
            ("Zoe\u0308", "Zoë"),
            ("A\u200dda", "Ada"),
            ("\u200d\ufe0f", ""),
            ("\u3164\u2800\u115f", ""),
            ("👩\u200d🚀 ❤\ufe0f", "👩\u200d🚀 ❤\ufe0f"),
            ("o" + "\u0330\u0331\u0332\u0333" * 30, "o\u0330\u0331\u0332\u0333"),
            ("เก้า นิ้ว", "เก้า นิ้ว"),
        ],
    )
    def test_escaped_text_is_one_line_without_invisible_characters(self, written: str, line: str) -> None:
        assert one_line(written) == line

    def test_a_usual_character_alone_is_cleaned_like_one_beside_unusual_characters(self) -> None:
        beside = "ก้า"  # with a mark, so that every character of the line is looked at
        usual = [chr(code) for code in range(0x3000)]
        alone = {one: one_line(f"a {one} b") for one in usual if one not in "\u200d\ufe0f"}
        assert alone == {one: one_line(f"a {one} b {beside}").removesuffix(f" {beside}") for one in alone}

    @given(st.text())
    def test_no_input_keeps_active_markup_after_escaping(self, written: str) -> None:
        assert UNESCAPED.findall(escape(written)) == []

    @given(st.text())
    def test_cleaning_a_clean_line_changes_nothing(self, written: str) -> None:
        assert one_line(one_line(written)) == one_line(written)

    @given(st.text(max_size=50), st.integers(min_value=1, max_value=20))
    def test_a_cut_line_never_ends_in_half_an_escape(self, written: str, longest: int) -> None:
        cut = shorten(escape(written), longest)

        assert len(cut) <= longest
        assert UNESCAPED.findall(cut) == []
        assert not cut.removesuffix("…").endswith("\\") or cut == escape(written)

    def test_a_cut_line_ends_after_a_word(self) -> None:
        """F-RPJ-23: no "a beginne…"."""
        assert shorten("Above what a beginner gets: Stealth 7", 19) == "Above what a…"
        assert shorten("Above what a beginner, or so", 22) == "Above what a beginner…"
        assert shorten("Donaudampfschifffahrt", 10) == "Donaudamp…"

    @given(st.text(), st.integers(min_value=1, max_value=100))
    def test_a_label_is_never_empty_and_never_too_long(self, written: str, longest: int) -> None:
        label = plain(written, longest)

        assert 1 <= len(label) <= longest
        assert label == label.strip()
        assert "\n" not in label


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("*Meet me* at the **bridge**.", "*Meet me* at the **bridge**."),
        ("# Notice", "# Notice"),
        ("@everyone, ask <@12>", r"\@everyone, ask \<\@12>"),
        ("[here](https://example.org)", r"\[here\](https\://example.org)"),
    ],
)
def test_a_gms_text_keeps_its_markdown_but_mentions_and_links_are_harmless(written: str, shown: str) -> None:
    assert as_written(written) == shown


def test_a_line_of_43_characters_takes_two_lines() -> None:
    assert height(["a" * 42]) == 1
    assert height(["a" * 43]) == 2
    assert height(["a\n\nb", ""]) == 4


def test_marks_and_custom_emojis_take_no_room() -> None:
    assert height([f"-# **{'a' * 20}** ~~{'b' * 20}~~<:d6_4:123456789012345678>"]) == 1
    assert height([r"\*" * 42]) == 1


def test_the_first_version_of_eight_lines_is_shown_else_the_last() -> None:
    assert first_short([["a"] * 9, ["b"] * 8, ["c"]]) == ["b"] * 8
    assert first_short([["a"] * 10, ["b"] * 9]) == ["b"] * 9
    assert first_short([[r"\*" * 42] * 8, ["b"]]) == [r"\*" * 42] * 8


def test_as_many_stops_where_fitting_takes_the_next_shorter_line() -> None:
    more = ["a", "b" * 200, "c"]

    assert as_many(["top"] * 5, more) == 1
    assert fitting(["top"] * 5, more) == ["a", "c"]


def test_buttons_stand_in_rows_that_a_phone_does_not_break() -> None:
    labels = (
        "Ask …",
        "Rest …",
        "Time …",
        "Award …",
        "Countdowns",
        "Last acts",
        "Check: Heavy Armor Use +6",
        "A",
    )

    rows = rows_of([Button(id=label, label=label) for label in labels])

    assert [[one.label for one in row] for row in rows] == [
        ["Ask …", "Rest …", "Time …"],
        ["Award …", "Countdowns"],
        ["Last acts"],
        ["Check: Heavy Armor Use +6"],
        ["A"],
    ]
    assert [len(row) for row in rows_of([Button(id="a", label="Long label")] * 7, 5)] == [5, 2]


def test_no_short_button_stands_alone_below_a_full_row() -> None:
    def counts(*labels: str) -> list[int]:
        return [len(row) for row in rows_of([Button(id=label, label=label) for label in labels])]

    assert counts("Page 2", "Refresh", "☆ Keep", "Desk") == [2, 2]
    assert counts("Light Armor Use 97%", "☆ Keep") == [1, 1]  # a star is wide
    assert counts("1", "2", "3", "4", "5", "6") == [3, 3]
    assert counts("1", "2", "3", "4", "5", "6", "7") == [3, 2, 2]
    assert counts("1", "2", "3", "A name that fills a phone's row") == [3, 1]


def test_a_bright_button_stands_alone_rather_than_a_plain_one_left_over() -> None:
    doors = [Button(id=label, label=label) for label in ("More …", "GM …")]
    start = Button(id="start", label="Start round 1", look=Look.MAIN)

    assert rows_of([start, *doors]) == [(start,), tuple(doors)]
    assert [len(row) for row in rows_of([replace(start, look=Look.PLAIN), *doors])] == [2, 1]


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("3 min · 2 people", "3 min · 2 people"),
        ("Brawn 3 → 4", "Brawn 3 > 4"),
        ("“Élan”, half of it: −½", '"Elan", half of it: -1/2'),
        ("骰子", "??"),
    ],
)
def test_a_text_is_drawn_in_letters_that_the_font_has(text: str, drawn: str) -> None:
    assert plain_letters(text, 40) == drawn


@pytest.mark.parametrize("letter", KNOWN)
def test_the_font_has_the_letters_beyond_ascii_that_are_drawn(letter: str) -> None:
    font = ImageFont.load_default(26)
    assert bytes(font.getmask(letter)) != bytes(font.getmask("\uffff"))


@pytest.mark.parametrize(
    ("expression", "fall", "line"),
    [
        ("d6", "d6:4", "1d6 = **4**"),
        ("2 + d6", "d6:4", r"2 + 1d6 \(4\) = **6**"),
        ("0 * d6 + 4", "d6:4", r"0 × 1d6 \(4\) + 4 = **4**"),
        ("4d6kh3", "d6:4 d6:1 d6:6 d6:2", r"4d6kh3 \(4, ~~1~~, 6, 2\) = **12**"),
        ("1d6 - 4", "d6:1", r"1d6 \(1\) − 4 = **−3**"),
        ("1d6rr1", "d6:1 d6:5", r"1d6rr1 \(~~1~~ 5\) = **5**"),
    ],
)
def test_every_die_is_shown_in_its_place_in_the_expression(expression: str, fall: str, line: str) -> None:
    roll = FREE_ROLL.resolve(FreeRollInputs(expression=expression), ScriptedDice(fall))

    assert free_roll_line(roll) == line


def test_a_single_die_without_a_modifier_says_its_result_once() -> None:
    die = Die(sides=100, face=93)

    assert roll_line(a_roll(die, total=93)) == "d100 **93**"
    assert roll_line(a_roll(die, total=93, against="50")) == "d100 **93** against 50"
    assert roll_line(a_roll(die, total=95, terms=(Term("Luck", 2),))) == ("d100 **93** + Luck 2 = **95**")


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

    def test_a_plot_says_the_chances_instead_of_the_text(self) -> None:
        odds = Odds((("failure", Chance(4, 6)), ("success", Chance(2, 6))), needed="success")
        reply = odds_reply("Toy", odds, "2 to 3", odds_picture(odds))

        assert reply.text == "**Toy**\nsuccess: **33%**\n-# 2 to 3"
        assert reply.unpictured == odds_reply("Toy", odds, "2 to 3").text
        assert reply.files[0].alt == "Bar chart: failure 67%, success 33%."

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
BAD = Verdict(Family.FAILURE, "bad")
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


def picture_of(*rolls: Roll) -> Sketch:
    """The one picture under a result with these rolls."""
    (sketch,) = result_reply(a_result(rolls=rolls)).files
    assert isinstance(sketch, Sketch)
    return sketch


def size_of(sketch: Sketch) -> tuple[int, int]:
    """Width and height of a picture as it is drawn."""
    drawn = sketch.draw()
    assert len(drawn) < 60_000
    return Image.open(io.BytesIO(drawn)).size


def test_dice_against_dice_are_in_the_picture_and_its_alt_text_and_not_in_the_text_too() -> None:
    reply = result_reply(a_result(rolls=(ROLL,)))

    assert "Stopped" not in reply.text
    assert "Stopped: ~~⚃~~ ⚅" in reply.unpictured
    assert [(one.name, one.alt) for one in reply.files] == [
        ("dice.png", "7 got through; 6 stops 4, 3 stops 3; 2 unused.")
    ]
    assert result_reply(a_result(rolls=(a_roll(SIX),))).files == ()
    assert result_reply(a_result(rolls=(ROLL,), is_undone=True)).files == ()


DODGE = TargetNumber("dodge", 9, is_met=True)
ATTACK = a_roll(
    SIX,
    FOUR,
    terms=(Term("Blades", 2),),
    total=12,
    purpose="attack",
    roller=Roller(name="Ash"),
    targets=(DODGE, TargetNumber("referee", 14, is_met=False, die=Die(sides=12, face=12, label="referee"))),
)


def test_an_attack_shows_its_sum_what_it_meets_and_the_wound_once() -> None:
    saved = a_roll(
        FOUR, purpose="save", roller=Roller(name="Orc"), word="lost", verdict=BAD, targets=(DODGE,)
    )
    hit = a_result(
        "attacks Orc",
        changes=(ChangeLine("Orc", harm("HP"), "7", "3"), ChangeLine("Ash", "Arrows", "5", "4")),
        rolls=(ATTACK, saved),
        verdict=Verdict(Family.SUCCESS, "hit", is_foes=False),
    )
    reply = result_reply(hit)

    assert [one.alt for one in reply.files] == [
        "Ash, attack: 6 + 4 + Blades 2 = 12 against dodge 9 (met), referee 14 (not met). "
        "Orc, save: 4 against dodge 9 (met); lost. Orc: HP 7 → 3."
    ]
    assert "12" not in reply.text
    assert "HP" not in reply.text
    assert "Arrows 5 → 4" in reply.text
    assert "Orc: HP 7 → 3" in reply.unpictured


def test_a_card_or_too_many_rolls_are_told_in_text_alone() -> None:
    card = a_roll(Die(sides=54, face=1, shown="A♠"), targets=(DODGE,))
    assert result_reply(a_result(rolls=(card,))).files == ()

    many = result_reply(a_result(rolls=(ATTACK,) * (MOST_ROLLS + 1)))
    assert many.files == ()
    assert "⚅⚃" in many.text


def test_a_name_in_other_letters_keeps_its_wound_in_the_text() -> None:
    change = ChangeLine("Ворон", harm("HP"), "7", "3")
    longer = ChangeLine("Orc", harm("HP"), "7", "3, and a word about it that no line has the room for")
    reply = result_reply(a_result("attacks", changes=(change, longer), rolls=(ATTACK,)))

    assert "Ворон: HP 7 → 3" in reply.text
    assert "Orc: HP 7 → 3, and" in reply.text
    assert "HP" not in reply.files[0].alt


def test_terms_in_two_lines_keep_away_from_the_heading_above_them() -> None:
    terms = (Term("Blunt Weapons", 3), Term("Strength bonus", 1))
    image = Image.open(io.BytesIO(picture_of(replace(ATTACK, terms=terms)).draw())).convert("L")
    left, top = EDGE + 2 * STEP, EDGE + LINE  # beside the dice, under a heading of one line

    beside = image.crop((left * SCALE, 0, (WIDTH - 60) * SCALE, image.height)).point(lambda one: one > 220)
    bright = beside.getbbox()

    assert bright is not None
    assert bright[1] >= (top + 4) * SCALE


def test_the_picture_fits_a_phone_and_is_small() -> None:
    many = a_roll(facing=tuple(OpposingDie(FOUR, 4, SIX, 6) for _ in range(12)))
    d20 = Die(sides=20, face=17, label="Dex", is_borrowed=True)
    long = a_roll(
        *(d20, SPARE, FOUR, Die(sides=4, face=2)),
        terms=tuple(Term(f"a rather long name {number}", number) for number in range(1, 9)),
        total=99,
        targets=(DODGE,) * 4,
    )

    for sketch in (picture_of(many), picture_of(long), picture_of(ATTACK, ROLL, ATTACK)):
        assert size_of(sketch)[0] == 2 * WIDTH
    assert TEXT_SIZE * 270 / WIDTH >= 15  # what a phone shows of 360 pixels, and its text's size
    assert SMALL_SIZE * 270 / WIDTH >= 13
    assert size_of(picture_of(ATTACK))[1] < size_of(picture_of(ATTACK, ATTACK))[1]
    assert result_reply(a_result(rolls=(a_roll(facing=many.facing * 4),))).files == ()


def test_opposed_dice_are_stored_in_the_journal_and_read_back() -> None:
    kept = json.loads(json.dumps(roll_to_json("toy", ROLL)))

    assert roll_from_json(kept).facing == ROLL.facing
    assert roll_from_json(json.loads(json.dumps(roll_to_json("toy", ATTACK)))).targets == ATTACK.targets
    assert {"facing", "targets"}.isdisjoint(roll_to_json("toy", a_roll(SIX)))


class TestUnusedDice:
    """F-SWIM-22: an unused defence die shows what it came to, and no row repeats an empty attack."""

    BETTER = Die(sides=6, face=5, shown="⚄→8", value=8, is_kept=False)

    def test_the_counted_value_of_an_unused_die_is_drawn_and_written(self) -> None:
        plain = Die(sides=6, face=5, is_kept=False)
        better, bare = (
            picture_of(a_roll(SIX, die, facing=(OpposingDie(FOUR, 4, SIX, 6),)))
            for die in (self.BETTER, plain)
        )

        assert (better.alt[-9:], bare.alt[-9:]) == ("8 unused.", "5 unused.")
        assert better.draw() != bare.draw()

    def test_a_row_without_attack_dice_does_not_mention_them(self) -> None:
        sketch = picture_of(a_roll(*[self.BETTER] * 9, facing=(OpposingDie(FOUR, 4, SIX, 6),)))
        image = Image.open(io.BytesIO(sketch.draw())).convert("RGB")
        block = 2 * (DIE + CAPTION) + GAP

        first, second = (
            image.crop((0, top * SCALE, (EDGE + WORDS - 4) * SCALE, (top + CAPTION + DIE) * SCALE))
            for top in (EDGE, EDGE + block)
        )

        assert len(first.getcolors(1000) or ()) > 1
        assert len(second.getcolors(1000) or ()) == 1

    def test_the_value_survives_the_journal(self) -> None:
        kept = json.loads(json.dumps(roll_to_json("toy", a_roll(self.BETTER))))

        assert roll_from_json(kept).dice == (self.BETTER,)


def test_the_picture_of_an_attack_says_whose_chance_it_shows_where_nothing_was_needed() -> None:
    chances = (("Cost", Chance(1, 4)), ("Success", Chance(3, 4)))

    assert told_chance(a_roll(odds=Odds(chances), outcome="Success")) == "Success: chance was 75%"
    assert told_chance(a_roll(odds=Odds(chances, "Cost"), outcome="Success")) == "chance was 100%"
