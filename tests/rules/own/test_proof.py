"""The proof of a game at import: every roll has a tier, and each tier can happen."""

import json
import re
import tomllib
from pathlib import Path

import jsonschema_rs
import pytest

from bot.rules.own.game_report import Asked, checked_game, overview
from bot.rules.own.own_play import average, do_move, happen
from tests.dice import ScriptedDice
from tests.readme import SCHEMA, game_schema
from tests.rules.own.games import made, problems_of

STATS = "[attributes]\nbold = { label = 'Bold', min = -2, max = 3 }\n"
TWO = "[checks.do]\nask = { stat = 'attribute', bonus = '-2..2' }\ndice = { two = '2d6' }\n"
SUM = "read = { sum = 'total two' }\nvalue = 'sum + stat + bonus'\n"


def tiers(*rows: str) -> str:
    return f"tiers = [{', '.join(f'{{ {row} }}' for row in rows)}]"


class TestValues:
    @pytest.mark.parametrize(
        ("rows", "uncovered"),
        [
            (
                ("name = 'Hit', is = '10-12'", "name = 'Cost', is = '7-9'", "name = 'Miss', is = '6-'"),
                "13 and more",
            ),
            (
                ("name = 'Hit', is = '10+'", "name = 'Cost', is = '7-9'", "name = 'Miss', is = '3-6'"),
                "2 and less",
            ),
            (("name = 'Hit', is = '10+'", "name = 'Miss', is = '6-'"), "7 to 9"),
            (("name = 'Hit', is = '10+'", "name = 'Cost', is = '8-9'", "name = 'Miss', is = '6-'"), "7"),
            (("name = 'Hit', is = '10+'",), "9 and less"),
        ],
    )
    def test_what_has_no_tier_is_told(self, rows: tuple[str, ...], uncovered: str) -> None:
        found = problems_of(STATS + TWO + SUM + tiers(*rows))

        assert found == [f"line 11, [checks.do] tiers: nothing covers {uncovered}."]

    def test_the_extremes_of_questions_and_sheet_count(self) -> None:
        rows = ("name = 'Much', is = '17'", "name = 'Little', is = '-2'", "name = 'Else'")

        made(STATS + TWO + SUM + tiers(*rows))

    @pytest.mark.parametrize("value", ["18+", "-3"])
    def test_a_tier_beyond_the_extremes_can_never_happen(self, value: str) -> None:
        found = problems_of(STATS + TWO + SUM + tiers(f"name = 'Critical', is = '{value}'", "name = 'Else'"))

        assert found == ["line 11, [checks.do] tiers 1: Critical can never happen."]

    def test_a_tier_behind_another_that_takes_all_of_it_can_never_happen(self) -> None:
        found = problems_of(
            STATS
            + TWO
            + SUM
            + tiers("name = 'Hit', is = '7+'", "name = 'Critical', is = '12+'", "name = 'Miss'")
        )

        assert found == ["line 11, [checks.do] tiers 2: Critical can never happen."]


class TestConditions:
    READ = "read = { best = 'highest two', ones = 'count two = 1' }\n"

    def test_a_roll_without_a_tier_is_shown(self) -> None:
        rows = ("name = 'Good', when = 'best >= 3'", "name = 'Bad', when = 'ones = 2'")

        assert problems_of(STATS + TWO + self.READ + tiers(*rows)) == [
            "line 10, [checks.do] tiers: nothing covers best = 2, ones = 0."
        ]

    def test_a_condition_that_never_holds_is_told(self) -> None:
        rows = ("name = 'Strange', when = 'best = 6 and ones = 2'", "name = 'Else'")

        assert problems_of(STATS + TWO + self.READ + tiers(*rows)) == [
            "line 10, [checks.do] tiers 1: Strange can never happen."
        ]

    def test_a_question_that_matters_besides_its_attribute_is_gone_through_by_name(self) -> None:
        # stat and bold are the same here, so the two can never differ.
        rows = ("name = 'Apart', when = 'stat != bold and best > 0'", "name = 'Else'")

        assert problems_of(STATS + TWO + self.READ + tiers(*rows)) == [
            "line 10, [checks.do] tiers 1: Apart can never happen."
        ]


class TestAmounts:
    def test_a_division_by_zero_at_an_extreme_is_told(self) -> None:
        text = STATS + TWO + "read = { sum = 'total two' }\nvalue = 'sum / bold'\n" + tiers("name = 'All'")

        assert problems_of(text) == ["line 6, [checks.do] something in this check divides by zero."]

    def test_what_is_never_reckoned_may_divide_by_zero(self) -> None:
        value = "value = '(sum / bold) if bold > 0 else sum'\n"

        made(STATS + TWO + "read = { sum = 'total two' }\n" + value + tiers("name = 'All', is = '0+'"))

    def test_too_many_dice_at_an_extreme_are_told(self) -> None:
        text = "[attributes]\nbold = { label = 'Bold', max = 30 }\n[checks.do]\ndice = { two = '{bold}d6' }\n"

        assert problems_of(text + "read = { sum = 'total two' }\n" + tiers("name = 'All'")) == [
            "line 7, [checks.do] dice: “two” has up to 30 dice; 20 is the most."
        ]


def test_a_sheet_without_end_is_tried_and_nothing_said_of_tiers_that_were_not_seen() -> None:
    made(
        "[resources]\ngold = { label = 'Gold' }\n[checks.do]\ndice = { d = 'd6' }\nread = { n = 'total d' }\n"
        + tiers("name = 'Rich', when = 'gold = 4567'", "name = 'Poor'")
    )


def test_derived_numbers_and_those_aimed_at_are_gone_through() -> None:
    text = """
[attributes]
body = { label = "Body", max = 40 }
[derived]
soak = "floor(body / 20)"
[checks.hit]
ask = { at = "character" }
dice = { d = "d4" }
read = { n = "total d" }
value = "n - at.soak"
tiers = [{ name = "Hurt", is = "1+" }, { name = "Nothing", is = "0" }, { name = "Less", is = "-1" }]
"""
    made(text)
    assert problems_of(text.replace("max = 40", "max = 39")) == [
        "line 14, [checks.hit] tiers 3: Less can never happen."
    ]


ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs" / "own-games"
GAMES = sorted((ROOT / "bot" / "rules" / "own" / "data").glob("*.toml"))
SKETCHES = sorted((Path(__file__).parent / "sketches").glob("*.toml"))


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
class TestAGame:
    def test_has_no_problems_and_ready_made_heroes(self, file: Path) -> None:
        game, problems = checked_game(file.read_bytes())

        assert problems == ()
        assert game is not None
        assert len(game.file.heroes) == 2
        assert len(list(overview(game, Asked()))) > 10

    def test_stands_whole_on_its_page(self, file: Path) -> None:
        page = (DOCS / f"{file.stem}.md").read_text("utf-8")

        assert f"```toml\n{file.read_text('utf-8')}```" in page


def test_there_are_three_games() -> None:
    assert [file.stem for file in GAMES] == ["ash", "lamp", "salt"]


def test_an_evening_of_salt_and_signal() -> None:
    game, _ = checked_game((ROOT / "bot/rules/own/data/salt.toml").read_bytes())
    assert game is not None
    start = {**average(game), "hold": 2, "storm": 3, "harm": 1}

    known = do_move(game, game.moves["know"], start, ScriptedDice(""))
    over = happen(game, "session end", known.numbers, ScriptedDice(""))

    assert known.texts == ("Ask the GM one question; the answer is true.",)
    assert (known.numbers["hold"], over.numbers["hold"], over.numbers["storm"]) == (1, 0, 2)


class TestThePages:
    def test_the_game_of_the_twenty_minutes_is_one(self) -> None:
        page = (DOCS / "README.md").read_text("utf-8")
        text = "".join(re.findall(r"```toml\n(.*?)```", page, re.DOTALL))
        game, problems = checked_game(text)

        assert problems == ()
        assert game is not None

    def test_the_mistake_that_they_show_is_told_so(self) -> None:
        page = (DOCS / "README.md").read_text("utf-8")
        text = "".join(re.findall(r"```toml\n(.*?)```", page, re.DOTALL))
        problem = str(checked_game(text.replace('stat = "wise"', 'stat = "wize"'))[1][0])

        assert problem.partition(", ")[2] in page

    def test_the_parts_of_the_reference_are_toml(self) -> None:
        page = (DOCS / "reference.md").read_text("utf-8")
        blocks = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)

        assert [list(tomllib.loads(block)) for block in blocks] == [
            ["attributes", "derived", "resources", "tracks", "clocks"],
            ["entries", "lists"],
            ["after"],
            ["moves"],
            ["create", "resets", "fight", "npcs", "heroes"],
        ]


class TestTheSchema:
    def test_is_that_of_the_models(self) -> None:
        assert SCHEMA.read_text("utf-8") == game_schema()

    @pytest.mark.parametrize("file", [*GAMES, *SKETCHES], ids=lambda file: f"{file.parent.name} {file.stem}")
    def test_lets_every_game_through(self, file: Path) -> None:
        jsonschema_rs.validate(json.loads(game_schema()), tomllib.loads(file.read_text("utf-8")))

    @pytest.mark.parametrize(
        "wrong",
        [
            "",
            "format = 2\nname = 'A'\ncommand = 'a'",
            "format = 1\nname = 'A'\ncommand = 'a'\n[attributs]",
            "format = 1\nname = 'A'\ncommand = 'a'\n[checks.do]\ndice = { d = 'd6' }",
        ],
    )
    def test_stops_what_is_none(self, wrong: str) -> None:
        assert not jsonschema_rs.is_valid(json.loads(game_schema()), tomllib.loads(wrong))
