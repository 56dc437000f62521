"""What the container, compose.yaml and the systemd units say of the program."""

import configparser
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.app.config import load, sections
from bot.app.exits import Exit
from bot.app.pace import STANDARD
from start import PINNED

ROOT = Path(__file__).parent.parent
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
