"""Settings: their sources, their values, and the lines about wrong ones."""

import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest

from bot.app.client import address_discord
from bot.app.config import ConfigError, DiscordSettings, Settings, discord_token, load, without_secrets
from bot.playground.discord import LocalDiscord
from bot.ui.input.dice_emojis import blocks_with_emojis, provide_emojis, set_emojis

SECRET = "MTIzNDU2.secret.part"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


def problems(file: Path, text: str = "", **environment: str) -> list[str]:
    """Return the problem lines for a file and an environment, without the file's folder."""
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(file, {f"TABLEKEEPER_{name}": value for name, value in environment.items()})
    return [line.replace(str(file), file.name) for line in caught.value.lines]


def settings(file: Path, text: str = "", **environment: str) -> Settings:
    file.write_text(text, encoding="utf-8")
    return load(file, {f"TABLEKEEPER_{name}": value for name, value in environment.items()})


class TestSources:
    def test_unset_settings_have_their_defaults(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)

        default = load(environment={})

        assert default.discord.api_url == "https://discord.com/api/v10"
        assert default.discord.gateway_url is None
        assert default.database.url == "sqlite:///tablekeeper.db"
        assert default.session.idle_hours == 6
        assert default.session.voice_empty_minutes == 10
        assert default.metrics.port is None
        assert default.log.format == "text"
        assert default.playground.port == 8377
        assert default.playground.database == "sqlite:///playground.db"

    def test_config_toml_in_the_working_folder_is_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("config.toml").write_text("[session]\nidle_hours = 2.5\n", encoding="utf-8")

        assert load(environment={}).session.idle_hours == 2.5

    def test_the_environment_overrides_single_keys_of_the_file(self, file: Path) -> None:
        both = settings(
            file, '[log]\nlevel = "debug"\nformat = "json"\n', LOG__LEVEL="error", DISCORD__SHARD_COUNT="4"
        )

        assert (both.log.level, both.log.format, both.discord.shard_count) == ("error", "json", 4)

    def test_shard_ids_are_an_array_in_the_file_and_a_comma_list_in_the_environment(self, file: Path) -> None:
        text = "[discord]\nshard_count = 4\nshard_ids = [1, 2]\n"

        assert settings(file, text).discord.shard_ids == (1, 2)
        assert settings(file, text, DISCORD__SHARD_IDS="0, 3").discord.shard_ids == (0, 3)

    def test_an_empty_variable_counts_as_not_set(self, file: Path) -> None:
        assert settings(file, "", DISCORD__TOKEN="", DISCORD__SHARD_COUNT="").discord.token is None

    def test_variables_of_other_programs_are_left_alone(self, file: Path) -> None:
        file.touch()

        assert load(file, {**os.environ, "TABLE_DISCORD__TOKEN": "x"}).discord.token is None


class TestWrongValues:
    @pytest.mark.parametrize(
        ("name", "value", "line"),
        [
            (
                "DISCORD__SHARD_COUNT",
                "x",
                'config: discord.shard_count must be a whole number of 1 or more (got "x",'
                " from TABLEKEEPER_DISCORD__SHARD_COUNT)",
            ),
            (
                "DISCORD__SHARD_COUNT",
                "2.0",
                'config: discord.shard_count must be a whole number of 1 or more (got "2.0",'
                " from TABLEKEEPER_DISCORD__SHARD_COUNT)",
            ),
            (
                "DISCORD__SHARD_COUNT",
                "0",
                'config: discord.shard_count must be a whole number of 1 or more (got "0",'
                " from TABLEKEEPER_DISCORD__SHARD_COUNT)",
            ),
            (
                "METRICS__PORT",
                "70000",
                'config: metrics.port must be a whole number from 1 to 65535 (got "70000",'
                " from TABLEKEEPER_METRICS__PORT)",
            ),
            (
                "SESSION__IDLE_HOURS",
                "-1",
                'config: session.idle_hours must be a number above 0, at most 8760 (got "-1",'
                " from TABLEKEEPER_SESSION__IDLE_HOURS)",
            ),
            (
                "LOG__FORMAT",
                "yaml",
                'config: log.format must be "text" or "json" (got "yaml", from TABLEKEEPER_LOG__FORMAT)',
            ),
            (
                "DISCORD__API_URL",
                "discord.com",
                'config: discord.api_url must be an address with http:// or https:// (got "discord.com",'
                " from TABLEKEEPER_DISCORD__API_URL)",
            ),
            (
                "DISCORD__GATEWAY_URL",
                "http://127.0.0.1",
                'config: discord.gateway_url must be an address with ws:// or wss:// (got "http://127.0.0.1",'
                " from TABLEKEEPER_DISCORD__GATEWAY_URL)",
            ),
            (
                "DATABASE__URL",
                "mysql://x",
                'config: database.url must be "sqlite:///" and the path of a file'
                ' ("sqlite:////data/tablekeeper.db" from the root), or "postgresql://user:password@host/name"'
                ' (got "mysql://x",'
                " from TABLEKEEPER_DATABASE__URL)",
            ),
        ],
    )
    def test_a_problem_line_names_the_key_the_expected_value_and_its_place(
        self, file: Path, name: str, value: str, line: str
    ) -> None:
        assert problems(file, **{name: value}) == [line]

    @pytest.mark.parametrize("value", ['"5"', "true", "5.0", "[5]"])
    def test_a_shard_count_in_the_file_must_be_a_whole_number(self, file: Path, value: str) -> None:
        (line,) = problems(file, f"[discord]\nshard_count = {value}\n")

        assert line.startswith("config: discord.shard_count must be a whole number of 1 or more (got ")
        assert line.endswith("from table.toml)")

    @pytest.mark.parametrize("value", ["true", "nan", "inf", '"6"'])
    def test_hours_must_be_a_finite_number(self, file: Path, value: str) -> None:
        (line,) = problems(file, f"[session]\nidle_hours = {value}\n")

        assert line.startswith("config: session.idle_hours must be a number above 0")

    def test_a_section_cannot_be_a_single_value(self, file: Path) -> None:
        assert problems(file, 'discord = "x"') == [
            "config: discord must be a section with keys of its own (from table.toml)"
        ]

    def test_shard_ids_need_a_shard_count(self, file: Path) -> None:
        assert problems(file, "[discord]\nshard_ids = [0]\n") == [
            "config: discord.shard_ids needs discord.shard_count beside it (got [0], from table.toml)"
        ]

    def test_shard_ids_must_be_below_the_shard_count(self, file: Path) -> None:
        assert problems(file, DISCORD__SHARD_COUNT="2", DISCORD__SHARD_IDS="0,2") == [
            'config: discord.shard_ids must name each shard once, from 0 to 1 (got "0,2",'
            " from TABLEKEEPER_DISCORD__SHARD_IDS)"
        ]

    def test_all_problems_are_reported_at_once(self, file: Path) -> None:
        text = '[log]\nformat = "yaml"\n[metrics]\nport = 0\n'

        lines = problems(file, text, DISCORD__SHARD_COUNT="no")

        assert [line.split()[1] for line in lines] == ["discord.shard_count", "log.format", "metrics.port"]


class TestDatabase:
    @pytest.mark.parametrize(
        "url", ["postgresql://me:hidden@db:5433/table?sslmode=require", "postgres:///table"]
    )
    def test_it_can_be_postgresqls(self, file: Path, url: str) -> None:
        assert settings(file, DATABASE__URL=url).database.url == url

    def test_postgresqls_has_a_direct_address_beside_a_poolers(self, file: Path) -> None:
        text = '[database]\nurl = "postgresql://pooler:6432/table"\ndirect_url = "postgresql://db/table"\n'

        assert settings(file, text).database.direct_url == "postgresql://db/table"
        assert settings(file).database.direct_url is None

    def test_a_file_has_no_direct_address(self, file: Path) -> None:
        assert problems(file, DATABASE__DIRECT_URL="postgresql://me:hidden@db/table") == [
            "config: database.direct_url needs a PostgreSQL database in database.url"
            ' (got "postgresql://db/table", from TABLEKEEPER_DATABASE__DIRECT_URL)'
        ]

    @pytest.mark.parametrize("url", ["sqlite:///table.db", "mysql://me:hidden@db/table", "postgresql://a b"])
    def test_the_direct_address_is_postgresqls(self, file: Path, url: str) -> None:
        (line,) = problems(file, DATABASE__URL="postgresql://me:hidden@db/table", DATABASE__DIRECT_URL=url)

        assert line.startswith('config: database.direct_url must be "postgresql://user:password@host/name"')
        assert "hidden" not in line

    def test_the_playgrounds_is_a_file(self, file: Path) -> None:
        (line,) = problems(file, PLAYGROUND__DATABASE="postgresql:///table")

        assert line.startswith('config: playground.database must be "sqlite:///" and the path of a file')

    @pytest.mark.parametrize(
        ("url", "shown"),
        [
            ("postgresql://me:hidden@db:5433/table?password=hidden", "postgresql://db:5433/table"),
            ("sqlite:////data/a@b?.db", "sqlite:////data/a@b?.db"),
            ("mysql://me:hidden@db/table", "mysql://db/table"),
        ],
    )
    def test_an_address_is_logged_without_its_secrets(self, url: str, shown: str) -> None:
        assert without_secrets(url) == shown


class TestUnknownKeys:
    def test_an_unknown_key_is_named_with_the_one_that_was_meant(self, file: Path) -> None:
        assert problems(file, '[discord]\ntokn = "x"\n') == [
            "config: discord.tokn is not a setting; did you mean discord.token?"
        ]

    def test_an_unknown_section_is_named(self, file: Path) -> None:
        assert problems(file, "[weather]\nrain = 1\n") == [
            "config: weather is not a setting (config.example.toml lists them all)"
        ]

    def test_an_unknown_variable_is_named_as_it_stands_in_the_environment(self, file: Path) -> None:
        assert problems(file, TOKEN=SECRET) == [
            "config: TABLEKEEPER_TOKEN is not a setting; did you mean TABLEKEEPER_DISCORD__TOKEN?"
        ]


class TestFile:
    def test_a_named_settings_file_must_exist(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError) as caught:
            load(tmp_path / "none.toml", {})

        assert caught.value.lines == (
            f"config: {tmp_path / 'none.toml'} cannot be read: No such file or directory",
        )

    def test_a_toml_error_is_reported_with_its_place(self, file: Path) -> None:
        assert problems(file, "[discord]\ntoken =\n") == [
            "config: table.toml is not valid TOML: Invalid value (at line 2, column 8)"
        ]


class TestToken:
    def test_the_token_comes_from_the_setting(self, file: Path) -> None:
        assert discord_token(settings(file, DISCORD__TOKEN=f" {SECRET} ")).get_secret_value() == SECRET

    def test_the_token_comes_from_its_file_without_the_line_break(self, file: Path, tmp_path: Path) -> None:
        (tmp_path / "token").write_text(f"{SECRET}\n", encoding="utf-8")

        token = discord_token(settings(file, DISCORD__TOKEN_FILE=str(tmp_path / "token")))

        assert token.get_secret_value() == SECRET

    @pytest.mark.parametrize(
        ("environment", "line"),
        [
            (
                {},
                "config: discord.token is missing: set TABLEKEEPER_DISCORD__TOKEN (or discord.token_file)",
            ),
            (
                {"DISCORD__TOKEN_FILE": "/nowhere/token"},
                "config: discord.token_file cannot be read: No such file or directory",
            ),
            (
                {"DISCORD__TOKEN": f"Bot {SECRET}"},
                "config: discord.token must hold the token and nothing else, without blanks or line breaks",
            ),
        ],
    )
    def test_a_missing_token_is_reported_with_what_to_set(
        self, file: Path, environment: dict[str, str], line: str
    ) -> None:
        with pytest.raises(ConfigError) as caught:
            discord_token(settings(file, **environment))

        assert caught.value.lines == (line,)

    def test_the_token_appears_in_no_repr_and_no_problem(self, file: Path) -> None:
        assert SECRET not in repr(settings(file, DISCORD__TOKEN=SECRET))
        assert SECRET not in "".join(problems(file, DISCORD__TOKEN=f"{SECRET}\n", DISCORD__SHARD_COUNT="x"))


ALL = 66
UPLOADS = r"POST /applications/\d+/emojis"


@pytest.fixture
async def local() -> AsyncIterator[LocalDiscord]:
    async with LocalDiscord(deadline_seconds=60, patience_seconds=60) as opened:
        yield opened
    set_emojis({})


@contextlib.asynccontextmanager
async def logged_in(local: LocalDiscord) -> AsyncIterator[discord.Client]:
    """A client that has only logged in, as after a start; it knows of no emojis."""
    set_emojis({})
    address_discord(DiscordSettings(api_url=local.api_url, gateway_url=local.gateway_url))
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login(local.token)
        yield client


def uploads(local: LocalDiscord) -> int:
    return len([one for one in local.requests if one.method == "POST" and one.path.endswith("/emojis")])


async def test_f_all_29_emojis_are_uploaded_once_over_two_starts(local: LocalDiscord) -> None:
    async with logged_in(local) as client:
        await provide_emojis(client, uploads=True)
        assert str(blocks_with_emojis(["⚂"], 100)[0]).startswith("<:tk_d6_3:")
    async with logged_in(local) as client:
        assert blocks_with_emojis(["⚂"], 100) == ["⚂"]
        await provide_emojis(client, uploads=True)
        assert str(blocks_with_emojis(["⚂"], 100)[0]).startswith("<:tk_d6_3:")

    assert uploads(local) == len({one["name"] for one in local.emojis}) == ALL
    assert local.breaches == []


async def test_only_what_is_missing_is_uploaded_after_a_failure(local: LocalDiscord) -> None:
    async with logged_in(local) as client:
        await provide_emojis(client, uploads=True)
        del local.emojis[10:]
        local.fail_next(UPLOADS, 503)
        with pytest.raises(discord.DiscordServerError):
            await provide_emojis(client, uploads=True)
        assert str(blocks_with_emojis(["⚂"], 100)[0]).startswith("<:tk_d6_3:")

        await provide_emojis(client, uploads=True)

    assert len(local.emojis) == ALL
    assert uploads(local) == ALL + 1 + ALL - 10


async def test_uploads_wait_where_discord_asks_to(local: LocalDiscord) -> None:
    local.fail_next(UPLOADS, 429, retry_after=0.05)

    async with logged_in(local) as client:
        await provide_emojis(client, uploads=True)

    assert len(local.emojis) == ALL


@pytest.mark.parametrize("status", [400, 403])
async def test_where_discord_refuses_uploads_dice_stay_text(local: LocalDiscord, status: int) -> None:
    local.fail_next(UPLOADS, status)

    async with logged_in(local) as client:
        await provide_emojis(client, uploads=True)

    assert uploads(local) == 1
    assert blocks_with_emojis(["⚂"], 100) == ["⚂"]


async def test_a_process_that_does_not_upload_uses_what_is_there(local: LocalDiscord) -> None:
    async with logged_in(local) as client:
        await provide_emojis(client, uploads=True)
    async with logged_in(local) as client:
        del local.emojis[1:]
        await provide_emojis(client, uploads=False)

    assert str(blocks_with_emojis(["⚀⚂"], 100)[0]).endswith(">⚂")
    assert len(local.emojis) == 1


async def test_emojis_of_others_are_left_alone(local: LocalDiscord) -> None:
    async with logged_in(local) as client:
        await client.create_application_emoji(name="mop", image=b"\x89PNG\r\n\x1a\n")
        await provide_emojis(client, uploads=True)

    assert len(local.emojis) == ALL + 1
