"""What the written pages say about the program."""

import re
from pathlib import Path

import pytest

from bot.rules import rulesets
from tests.pages import (
    ROOT,
    game_pages,
    pages,
    paths_named,
    settings_named,
    spoken_lines,
    typed_lines,
)
from tests.readme import leaves, top_commands

PATHS_OF_THE_METRICS_PORT = {"metrics", "health", "live"}
FOLDERS = {"data", "etc", "opt", "var"}  # of a machine
EXAMPLES = {"coin toss"}  # of the sixth ruleset, which is not there
FUTURE = {"bot/rules/coin_toss/__init__.py", "cogs/coin.py"}  # where its files would go
SOURCES = ("bot", "cogs", "tests")
CLASS = re.compile(r"`([A-Z][a-z]\w*)(?:\.([a-z_]+))?[`(]")
FROM_LIBRARIES = {("Fraction", ""), ("GroupCog", "")}
OPTION = re.compile(r"(?:^| )([a-z_]+):")


def name_of(page: Path) -> str:
    """The page's path from the root."""
    return page.relative_to(ROOT).as_posix()


class TestCommands:
    async def test_every_command_and_option_that_a_page_shows_is_there(self) -> None:
        commands = {
            leaf.qualified_name: {option.display_name for option in leaf.parameters}
            for command in await top_commands()
            for leaf in leaves(command)
        }
        groups = {name.rsplit(" ", at)[0] for name in commands for at in (1, 2) if name.count(" ") >= at}
        wrong = []
        for page in pages():
            for line in typed_lines(page.read_text(encoding="utf-8")):
                name = OPTION.split(line)[0].strip()
                unknown = set(OPTION.findall(line)) - commands.get(name, set())
                if name in groups | EXAMPLES or name.split("/")[0] in PATHS_OF_THE_METRICS_PORT | FOLDERS:
                    continue
                if name not in commands or unknown:
                    wrong.append(f"{name_of(page)}: /{line} {sorted(unknown)}")

        assert wrong == []


class TestLinks:
    @pytest.mark.parametrize("page", pages(), ids=name_of)
    def test_links_within_the_project_lead_somewhere(self, page: Path) -> None:
        links = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
        targets = [link.partition("#")[0] for link in links if "://" not in link]

        assert [target for target in targets if not (page.parent / target).exists()] == []


class TestCode:
    @pytest.mark.parametrize("page", pages(), ids=name_of)
    def test_every_file_and_folder_that_a_page_names_is_there(self, page: Path) -> None:
        named = set(paths_named(page.read_text(encoding="utf-8")))

        assert sorted(path for path in named - FUTURE if not (ROOT / path).exists()) == []

    def test_every_class_that_the_pages_for_engineers_name_is_there_with_its_member(self) -> None:
        sources = [path.read_text(encoding="utf-8") for top in SOURCES for path in (ROOT / top).rglob("*.py")]
        engineers = [page for page in pages() if "games" not in page.parts]
        named = {name for page in engineers for name in CLASS.findall(page.read_text(encoding="utf-8"))}

        def is_there(name: str, member: str) -> bool:
            return any(
                re.search(rf"^ *class {name}\b", text, re.M) and re.search(rf"\b{member}\b", text)
                for text in sources
            )

        assert named
        assert sorted(one for one in named - FROM_LIBRARIES if not is_there(*one)) == []

    def test_the_sixth_ruleset_of_contributing_has_fewer_than_100_lines(self) -> None:
        files = ("coin_toss.py", "scene.toml", "coin.py")
        texts = [(ROOT / "tests/e2e/sixth" / name).read_text(encoding="utf-8") for name in files]

        assert sum(len(text.splitlines()) for text in texts) < 100


class TestGamePages:
    def test_every_ruleset_has_one_page_that_opens_a_campaign_of_it(self) -> None:
        opened = {
            line.partition("ruleset:")[2].partition(" name:")[0]
            for page in game_pages()
            for _, line in spoken_lines(page.read_text(encoding="utf-8"))
            if line.startswith("/campaign create")
        }

        assert opened == {game.title for game in rulesets().values()}
        assert len(game_pages()) == len(rulesets())

    @pytest.mark.parametrize("page", game_pages(), ids=name_of)
    def test_a_page_names_settings_and_sets_a_campaign_up_in_five_commands(self, page: Path) -> None:
        text = page.read_text(encoding="utf-8")
        _, _, set_up = text.partition("## Set up")

        assert len(spoken_lines(set_up.partition("\n## ")[0])) == 5
        assert len(settings_named(text)) > 4
