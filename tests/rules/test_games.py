"""Rulesets: found by their packages, and loaded when they are first asked for."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from bot.rules import Games, covers, rpj, rulesets
from tests.table.toy import TOY


def run(program: str) -> str:
    """Run a program in a fresh interpreter, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=Path(__file__).parents[2],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def test_titles_and_rules_are_known_before_a_game_is_loaded() -> None:
    printed = run("""
        import sys
        from bot.rules import rulesets
        games = rulesets()
        assert all(cover.glossary for cover in games.covers) and "rpj" in games and "chess" not in games
        print(*(name for name in sys.modules if name.startswith("bot.rules.") and name.endswith(".game")))
    """)

    assert printed == "bot.rules.kernel.game"


def test_asking_for_a_game_loads_no_other_one() -> None:
    printed = run("""
        import sys
        from bot.rules import rulesets
        rulesets()["sword_and_swarm"]
        print(*(name for name in sys.modules if name.startswith("bot.rules.") and name.endswith(".game")))
    """)

    assert sorted(printed.split()) == ["bot.rules.kernel.game", "bot.rules.sword_and_swarm.game"]


def test_threads_that_ask_for_a_game_at_once_all_get_it_whole() -> None:
    printed = run("""
        from concurrent.futures import ThreadPoolExecutor
        from bot.rules import rulesets
        games = rulesets()
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda number: games[sorted(games)[number % 5]], range(40)))
        print(len({id(game) for game in found}), all(game.procedures for game in found))
    """)

    assert printed == "5 True"


def test_a_game_says_what_its_cover_says() -> None:
    for cover in rulesets().covers:
        game = rulesets()[cover.key]

        assert (game.key, game.title, game.command) == (cover.key, cover.title, cover.command)
        assert (game.credit, game.glossary) == (cover.credit, cover.glossary)


def test_games_are_in_the_order_of_their_titles() -> None:
    titles = [cover.title for cover in rulesets().covers]

    assert titles == sorted(titles)
    assert [game.title for game in rulesets().values()] == titles


def test_a_whole_ruleset_is_its_own_cover() -> None:
    assert covers({"toy": TOY}) == (TOY,)
    assert covers(rulesets()) == rulesets().covers
    assert isinstance(rulesets(), Games)


def test_a_games_package_loads_nothing_but_its_ruleset() -> None:
    with pytest.raises(AttributeError, match=r"bot\.rules\.rpj' has no attribute 'RULESETS'"):
        getattr(rpj, "RULESETS")  # noqa: B009  # the name is not there to be typed
