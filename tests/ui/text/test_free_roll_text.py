"""Free dice and odds as they are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.kernel import Odds
from bot.rules.kernel.odds import Chance
from bot.rules.shared.notation.roll import FREE_ROLL, FreeRollInputs
from bot.ui.text.roll_text import free_roll_line, odds_reply
from cogs.help import Described, HelpPage, help_reply
from tests.dice import ScriptedDice
from tests.ui.shown import shown


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
