"""The three games that come with the program, and the pages about the format."""

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

    assert known.notes == ["Ask the GM one question; the answer is true."]
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
