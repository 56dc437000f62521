"""What holds for the project as a whole."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.app.cli import app
from bot.app.config import sections
from bot.rules import rulesets
from tests.readme import README, leaves, top_commands, written
from tests.texts import files, stated, texts

ROOT = Path(__file__).parent.parent
EVERYTHING_WRITTEN = (".py", ".toml", ".js", ".html", ".css", ".sql")
OURS = ("bot", "cogs", "tests")


def sources(*folders: str, suffixes: tuple[str, ...] = (".py",)) -> Iterator[tuple[str, str]]:
    """Every source file below the folders: its path from the root, and its text."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


class TestSizes:
    def test_no_cog_is_longer_than_500_lines(self) -> None:
        assert [path for path, text in sources("cogs") if len(text.splitlines()) > 500] == []


class TestPlaces:
    def test_embeds_are_made_in_ui_only(self) -> None:
        making = [path for path, text in sources("bot", "cogs") if re.search(r"\bEmbed\(", text)]

        assert [path for path in making if not path.startswith("bot/ui/")] == []

    @pytest.mark.parametrize("key", sorted(rulesets()))
    def test_a_ruleset_is_named_in_its_own_package_and_cog_only(self, key: str) -> None:
        game = rulesets()[key]
        named = re.compile(
            rf"\b{re.escape(game.title)}\b|['\"]{re.escape(key)}['\"]|/{re.escape(game.command)}\b", re.I
        )
        homes = (f"bot/rules/{key}/", f"cogs/{game.command}.py", f"cogs/{game.command}/")

        naming = [
            path
            for path, text in sources(
                "bot", "cogs", suffixes=(".py", ".toml", ".js", ".html", ".css", ".sql")
            )
            if not path.startswith(homes) and (named.search(text) or key in path)
        ]

        assert naming == []


@pytest.fixture(scope="module")
def seen() -> list[str]:
    """Every text that people can see, without what is filled in."""
    whole = [path.read_text(encoding="utf-8") for path in files("bot", "cogs") if path.suffix == ".py"]
    data = [path.read_text(encoding="utf-8") for path in files("bot", "cogs") if path.suffix == ".toml"]
    told = [text for one in whole for _line, text in texts(ast.parse(one))]
    told += [text.partition(": ")[2] for one in data for text in stated(tomllib.loads(one))]
    return [re.sub(r"\{[^{}]*\}", "{}", text) for text in told]


class TestTexts:
    @pytest.mark.parametrize(
        ("gone", "instead"),
        [
            (r"isn't right yet", "Choose an array first."),
            (r"isn't answered yet", "Answer “…” first."),
            (r"\broll once, in public", "These dice are rolled once; everybody sees them."),
            (r"of an award how many", "Amount or new value"),
            (r"^\{\} now …$|Set it up first", "Roll … · Roll with options …"),
            (r"Difficulty above", "Difficulty: Easy (7+)"),
            (r"has no (skill|trait|class|spell) called", "This campaign has no skill “…”."),
            (r"the group left behind can strike", "a foe left behind can strike"),
            (r"save\S* on \{\}\+", "save 9+ (7 + 2 damage)"),
            (r"\{\} beforehand", "chance was 58%"),
            (r"Hardest turn", "Against the odds: …"),
            (r"σ", "a little unlucky"),
            (r"accepts the roll|\(automatic\)", "lets the roll stand … (time ran out)"),
            (r"does not lift it", "The assist was too low to help."),
            (r", set by the GM", "Failure (set by the GM)"),
            (
                r" .*(?<!\.)\b(armour|defences?|stabilis\w+|specialis\w+|colours?|centre)\b(?! sets)"
                r"|\b(Armour|Defences?|Stabilis\w+|Specialis\w+|Colours?)\b",
                "armor, defense, stabilize",
            ),
        ],
    )
    def test_a_text_that_was_reworded_is_gone(self, seen: list[str], gone: str, instead: str) -> None:
        assert [text for text in seen if re.search(gone, text)] == [], f"say: {instead}"


class TestCommands:
    async def test_every_command_and_option_is_described(self) -> None:
        for command in await top_commands():
            assert command.description not in ("", "…"), command.name
            for leaf in leaves(command):
                assert leaf.description not in ("", "…"), leaf.qualified_name
                for option in leaf.parameters:
                    assert option.description not in ("", "…"), f"{leaf.qualified_name} {option.name}"

    async def test_every_command_that_is_named_in_a_sentence_is_there(self) -> None:
        tops = await top_commands()
        names = {leaf.qualified_name for command in tops for leaf in leaves(command)}
        groups = {name.rsplit(" ", at)[0] for name in names for at in (1, 2) if name.count(" ") >= at}
        named = re.compile(r"(?<![\w/.])/([a-z]+(?:-[a-z]+)*(?: [a-z_-]+)*)")
        wrong = []
        for path, text in sources("bot", "cogs", suffixes=(".py", ".toml")):
            for words in (match.split() for match in named.findall(text)):
                at = words.pop(0)
                while at in groups and words:
                    at = f"{at} {words.pop(0)}"
                if at.split()[0] in groups | names and at not in groups | names:
                    wrong.append(f"{path}: /{at}")

        assert wrong == []

    async def test_no_command_is_limited_to_administrators(self) -> None:
        limits = {command.name: command.default_permissions for command in await top_commands()}

        assert [name for name, limit in limits.items() if limit is not None and limit.administrator] == []


class TestReadme:
    def test_its_tables_say_what_the_program_says(self) -> None:
        readme = README.read_text(encoding="utf-8")

        assert written(readme) == readme, "run: python -m tests.readme"

    def test_it_names_every_word_of_the_program(self) -> None:
        readme = README.read_text(encoding="utf-8")
        words = [
            command.name or command.callback.__name__
            for command in app.registered_commands
            if command.callback
        ]

        assert [word for word in words if f"| `{word}" not in readme] == []

    @pytest.mark.parametrize("word", ["play", "test"])
    def test_its_two_commands_are_those_of_start_py(self, word: str) -> None:
        shown = subprocess.run(
            [sys.executable, "start.py", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
        )

        assert f"\n    python3 start.py {word}\n" in README.read_text(encoding="utf-8")
        assert f"python3 start.py {word} " in shown.stdout

    def test_its_links_within_the_project_lead_somewhere(self) -> None:
        text = README.read_text(encoding="utf-8")
        targets = re.findall(r"\]\(([^)#:]+)\)", text)

        assert [target for target in targets if not (ROOT / target).exists()] == []


class TestStart:
    def test_a_python_too_old_can_still_read_start_py_and_say_so(self) -> None:
        ast.parse((ROOT / "start.py").read_text(encoding="utf-8"), feature_version=(3, 8))

    def test_start_py_needs_nothing_that_must_be_installed(self) -> None:
        tree = ast.parse((ROOT / "start.py").read_text(encoding="utf-8"))
        imported = {
            name.split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else _names(node))
        }

        assert imported <= sys.stdlib_module_names


def _names(node: ast.Import) -> list[str]:
    return [alias.name for alias in node.names]


class TestExampleSettings:
    def uncommented(self) -> dict[str, dict[str, object]]:
        text = (ROOT / "config.example.toml").read_text(encoding="utf-8")
        return tomllib.loads(re.sub(r"(?m)^# (\w+ = )", r"\1", text))

    def test_config_example_toml_changes_nothing_as_it_is(self) -> None:
        example = tomllib.loads((ROOT / "config.example.toml").read_text(encoding="utf-8"))

        assert [keys for keys in example.values() if keys] == []

    def test_it_lists_every_key_with_its_default(self) -> None:
        example = self.uncommented()

        assert {name: set(keys) for name, keys in example.items()} == {
            name: set(model.model_fields) for name, model in sections().items()
        }
        for section, model in sections().items():
            for key, field in model.model_fields.items():
                if field.default is not None:
                    assert example[section][key] == field.default, f"{section}.{key}"


class TestContainer:
    def test_what_the_dockerfile_copies_is_there_and_not_ignored(self) -> None:
        dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
        let_in = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        lines = re.findall(r"(?m)^COPY (?!--from)(.+)$", dockerfile)
        copied = [name for line in lines for name in line.split()[:-1]]

        assert copied == ["requirements.txt", "LICENSE", "README.md", "bot", "cogs"]
        for name in copied:
            assert (ROOT / name).exists(), name
            assert f"!{name}" in let_in

    def test_the_requirements_are_pins_with_hashes_and_name_no_address(self) -> None:
        for name in ("requirements.txt", "requirements-dev.txt", "requirements-browser.txt"):
            text = (ROOT / name).read_text(encoding="utf-8")
            pins = re.findall(r"(?m)^[a-z0-9][\w.-]*==", text)

            assert len(re.findall(r"(?m)^[a-z0-9]", text)) == len(pins), name
            assert text.count("--hash=sha256:") >= len(pins), name
            assert "://" not in text, name


class TestHooks:
    def test_they_download_nothing_and_check_what_ci_checks(self) -> None:
        hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
        checked = (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace("$python", ".venv/bin/python")
        entries = re.findall(r"(?m)^ +entry: (.+)$", hooks)

        assert re.findall(r"repo: (\S+)", hooks) == ["local"]
        assert len(entries) == 5
        assert [entry for entry in entries if entry not in checked and "pytest" not in entry] == []
