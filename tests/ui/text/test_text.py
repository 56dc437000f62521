"""What people write is shown as they wrote it and never becomes markup."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont

from bot.table.base.names import one_line
from bot.ui.text.paper import KNOWN, plain_letters
from bot.ui.text.reply import Button, Look, rows_of
from bot.ui.text.text import as_many, as_written, escape, first_short, fitting, height, plain, shorten

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
