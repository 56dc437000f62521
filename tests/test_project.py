"""What holds for the project as a whole."""

import ast
import configparser
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from bot.app.cli import parser
from bot.app.config import Exit, load, sections
from bot.app.pace import STANDARD
from bot.rules import rulesets
from start import PINNED
from tests.coverage_floors import problems
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
        homes = (f"bot/rules/{key}/", f"cogs/{game.command}.py", f"cogs/data/{game.command}")

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
        (commands,) = (action for action in parser()._actions if isinstance(action.choices, dict))
        assert commands.choices is not None

        assert [word for word in commands.choices if f"| `{word}" not in readme] == []

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


COMPOSE = ROOT / "compose.yaml"


POOLER = ROOT / "deploy" / "pgbouncer" / "pgbouncer.ini"


UNITS = (ROOT / "deploy" / "tablekeeper.service", ROOT / "deploy" / "tablekeeper@.service")


SETTING = (ROOT / "Dockerfile", COMPOSE, UNITS[1])


SERVICES = ("bot", "pgbouncer", "postgres")


def services() -> dict[str, str]:
    """The text of each service of compose.yaml, without its name."""
    text = COMPOSE.read_text(encoding="utf-8")
    _, _, below = text.partition("\nservices:\n")
    below = re.split(r"(?m)^\w", below)[0]
    names_and_texts = re.split(r"(?m)^  (\w+):\n", below)[1:]
    return dict(zip(names_and_texts[::2], names_and_texts[1::2], strict=True))


def environment(service: str) -> Mapping[str, str]:
    """A service's environment, as compose hands it on."""
    found = re.findall(r'(?m)^      ([A-Z_]+): "?(.*?)"?$', services()[service])
    filled = {"POSTGRES_PASSWORD:?": "hidden", "SHARD_COUNT:-4": "4"}
    return {name: re.sub(r"\$\{(.+?)\}", lambda use: filled[use[1]], value) for name, value in found}


def seconds(text: str, key: str) -> int:
    """A time of a file in seconds."""
    found = re.search(rf"{key}[:=] ?(\d+)s?$", text, re.M)
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize("file", SETTING, ids=lambda file: file.name)
def test_every_setting_that_is_set_is_one(file: Path) -> None:
    named = re.findall(r"TABLEKEEPER_([A-Z]+)__([A-Z_]+)", file.read_text(encoding="utf-8"))
    known = sections()

    assert named
    assert [
        (section, key) for section, key in named if key.lower() not in known[section.lower()].model_fields
    ] == []


def test_composed_bots_show_their_metrics_to_nobody_else() -> None:  # F-REL-18
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")

    assert "TABLEKEEPER_METRICS__HOST: 127.0.0.1" in text
    assert "0.0.0.0" not in text


class TestDockerfile:
    def test_it_asks_for_a_path_that_is_there_at_the_port_that_is_set(self) -> None:
        text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
        check = text.partition("HEALTHCHECK")[2].partition("ENTRYPOINT")[0]

        assert "os.environ['TABLEKEEPER_METRICS__PORT'] + '/live'" in check
        assert 'add_get("/live"' in (ROOT / "bot/app/monitoring.py").read_text(encoding="utf-8")

    def test_the_bot_has_no_rights_and_installs_only_what_is_pinned(self) -> None:
        text = (ROOT / "Dockerfile").read_text(encoding="utf-8")

        assert text.index("USER tablekeeper") < text.index("ENTRYPOINT")
        assert f"{' '.join(PINNED)} -r requirements.txt" in text

    @pytest.mark.parametrize("file", [".ci/run", "docs/operating.md"])
    def test_f_all_33_whoever_installs_installs_only_what_is_pinned(self, file: str) -> None:
        installing = re.findall(r"pip install.* -r .*", (ROOT / file).read_text(encoding="utf-8"))

        assert installing
        assert [line for line in installing if f"{' '.join(PINNED)} -r " not in line] == []


class TestCompose:
    def test_it_has_bots_a_pooler_and_a_database(self) -> None:
        assert tuple(services()) == SERVICES

    @pytest.mark.parametrize("name", SERVICES)
    def test_a_service_has_no_rights_and_a_read_only_file_system(self, name: str) -> None:
        text = services()[name]

        assert "    read_only: true\n" in text
        assert "    cap_drop:\n      - ALL\n" in text
        assert "    security_opt:\n      - no-new-privileges:true\n" in text

    def test_its_settings_are_right_and_leave_the_shards_to_the_processes(self) -> None:
        settings = load(environment=environment("bot"))

        assert settings.discord.shard_count == 4
        assert settings.discord.shard_ids is None
        assert settings.discord.token_file == "/run/secrets/discord_token"
        assert settings.database.url == "postgresql://tablekeeper:hidden@pgbouncer:6432/tablekeeper"
        assert settings.database.direct_url == "postgresql://tablekeeper:hidden@postgres:5432/tablekeeper"

    def test_the_bot_has_time_to_finish(self) -> None:
        assert seconds(services()["bot"], "stop_grace_period") > 2 * STANDARD.finish_commands_seconds

    def test_the_pooler_pools_transactions_of_the_database_at_its_port(self) -> None:
        pooler = configparser.ConfigParser()
        pooler.read(POOLER, encoding="utf-8")

        assert pooler["pgbouncer"]["pool_mode"] == "transaction"
        assert pooler["pgbouncer"]["listen_port"] == "6432"
        assert pooler["databases"]["tablekeeper"] == "host=postgres port=5432 dbname=tablekeeper"


class TestUnits:
    @pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
    def test_a_stopped_bot_has_time_to_finish(self, unit: Path) -> None:
        text = unit.read_text(encoding="utf-8")

        assert "KillSignal=SIGTERM\n" in text
        assert seconds(text, "TimeoutStopSec") > 2 * STANDARD.finish_commands_seconds

    @pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
    def test_a_wrong_setting_starts_nothing_again(self, unit: Path) -> None:
        assert f"RestartPreventExitStatus={Exit.CONFIG.value}\n" in unit.read_text(encoding="utf-8")

    def test_one_of_several_processes_may_do_what_a_single_one_may(self) -> None:
        single, several = (unit.read_text(encoding="utf-8") for unit in UNITS)

        assert single.partition("StateDirectory=")[2] == several.partition("StateDirectory=")[2]


@pytest.mark.parametrize(
    ("missed", "found"),
    [(5, []), (6, ["bot/rules/toy: 94.0% of 100 statements and branches run, not 95%"])],
)
def test_a_room_of_the_rules_must_be_covered_to_95_percent(missed: int, found: list[str]) -> None:
    assert list(problems({"bot/rules/toy": 100}, {"bot/rules/toy": missed})) == found


@pytest.mark.parametrize(
    ("missed", "found"), [(4, []), (5, ["cogs: 87.5% of 40 statements and branches run, not 90%"])]
)
def test_other_rooms_must_be_covered_to_90_percent(missed: int, found: list[str]) -> None:
    assert list(problems({"cogs": 40}, {"cogs": missed})) == found


def test_a_room_without_a_missed_line_is_well_covered() -> None:
    assert list(problems({"bot/rules/toy": 40}, {})) == []
