"""The settings: their keys, allowed values, one clear line for each problem, and the exit codes for those."""

import difflib
import json
import math
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Struct
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError


class Exit(IntEnum):
    """Exit codes; the higher ones are those of ``sysexits.h``."""

    OK = 0
    FOUND_WRONG = 1
    USAGE = 2
    UNAVAILABLE = 69
    INTERNAL = 70
    CONFIG = 78


MEANINGS = {
    Exit.OK: "all is well",
    Exit.FOUND_WRONG: "a check found something wrong, or a backup or copy was refused",
    Exit.USAGE: "the command line was not understood",
    Exit.UNAVAILABLE: "Discord or the database cannot be used",
    Exit.INTERNAL: "a bug in the program",
    Exit.CONFIG: "a setting is wrong or missing",
}


class Unavailable(Exception):
    """Something the program needs can't be used, and trying again would not help."""


class ConfigError(Exception):
    """The settings can't be used; one line for each problem.

    Args:
        lines: What is wrong, each naming its key.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)


class MustBe(Struct, frozen=True):
    """What a setting's value must be, in words."""

    words: str


class EnvironmentText(str):
    """A value from the environment, where everything is text."""

    __slots__ = ()


def whole_number(value: object) -> object:
    """Read digits from the environment; from a file, accept only an integer."""
    if isinstance(value, EnvironmentText) and re.fullmatch(r"-?[0-9]{1,12}", value):
        return int(value)
    if type(value) is not int:
        raise PydanticCustomError("not_whole", "not a whole number")
    return value


def number(value: object) -> object:
    """Read a decimal number from the environment; from a file, accept only a number."""
    if isinstance(value, EnvironmentText) and re.fullmatch(r"-?[0-9]{1,12}(\.[0-9]{1,9})?", value):
        return float(value)
    if type(value) not in (int, float) or not math.isfinite(float(str(value))):
        raise PydanticCustomError("not_number", "not a number")
    return value


def yes_or_no(value: object) -> object:
    """Read true or false from the environment; from a file, accept only a boolean."""
    if isinstance(value, EnvironmentText) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if type(value) is not bool:
        raise PydanticCustomError("not_boolean", "not true or false")
    return value


def comma_list(value: object) -> object:
    """Split ``0,1`` from the environment; a file gives an array."""
    if isinstance(value, EnvironmentText):
        return [EnvironmentText(part.strip()) for part in value.split(",")]
    return value


def text(value: object) -> object:
    """Accept text that is not blank and holds no control characters."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise PydanticCustomError("not_text", "not a text")
    return str(value)


def web_address(*schemes: str) -> Callable[[object], object]:
    """Return a check that accepts an address with one of the schemes and no query."""
    pattern = re.compile(rf"(?:{'|'.join(schemes)})://[^\s/?#]+(?:/[^\s?#]*)?")

    def check(value: object) -> object:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise PydanticCustomError("not_address", "not an address")
        return value.rstrip("/")

    return check


def sqlite_url(value: object) -> object:
    """Accept the address of an SQLite file."""
    if (
        not isinstance(value, str)
        or not re.fullmatch(r"sqlite:///[^?#]*[^/?#]", value)
        or not value.isprintable()
    ):
        raise PydanticCustomError("not_database", "not a database")
    return str(value)


def postgres_url(value: object) -> object:
    """Accept the address of a PostgreSQL database."""
    if not isinstance(value, str) or not re.fullmatch(r"postgres(ql)?://\S+", value):
        raise PydanticCustomError("not_database", "not a database")
    return str(value)


def database_url(value: object) -> object:
    """Accept the address of an SQLite file, or of a PostgreSQL database."""
    return postgres_url(value) if isinstance(value, str) and is_postgres(value) else sqlite_url(value)


def is_postgres(url: str) -> bool:
    """Return whether an address is meant for PostgreSQL."""
    return url.startswith("postgres")


def without_secrets(url: str) -> str:
    """Return an address without its user and password, and of PostgreSQL's without its parameters."""
    without_user = re.sub(r"(?<=://)[^@/]*@", "", url)
    return without_user.partition("?")[0] if is_postgres(url) else without_user


PORT_WORDS = "a whole number from 1 to 65535"
Port = Annotated[int, BeforeValidator(whole_number), Field(ge=1, le=65535), MustBe(PORT_WORDS)]
Text = Annotated[str, BeforeValidator(text), MustBe("a text that is not empty")]
SQLITE_WORDS = '"sqlite:///" and the path of a file ("sqlite:////data/tablekeeper.db" from the root)'
SqliteUrl = Annotated[str, BeforeValidator(sqlite_url), MustBe(SQLITE_WORDS)]
POSTGRES_WORDS = '"postgresql://user:password@host/name"'
PostgresUrl = Annotated[str, BeforeValidator(postgres_url), MustBe(POSTGRES_WORDS)]
DatabaseUrl = Annotated[str, BeforeValidator(database_url), MustBe(f"{SQLITE_WORDS}, or {POSTGRES_WORDS}")]
Switch = Annotated[bool, BeforeValidator(yes_or_no), MustBe("true or false")]
Duration = Annotated[
    float, BeforeValidator(number), Field(gt=0, le=8760), MustBe("a number above 0, at most 8760")
]


DEFAULT_FILE = Path("config.toml")
ENVIRONMENT_PREFIX = "TABLEKEEPER_"
DISCORD_API = "https://discord.com/api/v10"
SHARD_IDS = (
    "Which shards this process runs. If not set, all of them; on PostgreSQL with `shard_count`, its part of "
    "those that all processes divide among themselves."
)


SECTION = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class DiscordSettings(BaseModel):
    """How to reach Discord, and as which bot."""

    model_config = SECTION

    token: Annotated[
        SecretStr | None, BeforeValidator(text), MustBe("the bot's token, a text that is not empty")
    ] = Field(None, description="The bot's token. Keep it out of files that others can read.")
    token_file: Annotated[Text | None, MustBe("the path of a file")] = Field(
        None, description="A file that holds the token and nothing else; used when `token` is not set."
    )
    api_url: Annotated[
        str, BeforeValidator(web_address("https", "http")), MustBe("an address with http:// or https://")
    ] = Field(DISCORD_API, description="The HTTP API; change it only for a proxy.")
    gateway_url: Annotated[
        str | None, BeforeValidator(web_address("wss", "ws")), MustBe("an address with ws:// or wss://")
    ] = Field(None, description="The gateway; change it only for a proxy. If not set, Discord names its own.")
    shard_count: Annotated[
        int | None, BeforeValidator(whole_number), Field(ge=1), MustBe("a whole number of 1 or more")
    ] = Field(None, description="Total number of shards. If not set, Discord recommends a number.")
    shard_ids: Annotated[
        tuple[Annotated[int, BeforeValidator(whole_number), Field(ge=0)], ...] | None,
        BeforeValidator(comma_list),
        MustBe("a list of whole numbers of 0 or more"),
    ] = Field(None, description=SHARD_IDS)

    edit_seconds: Duration = Field(
        1.25, description="Minimum seconds between two edits of a board; Discord allows five in five seconds."
    )
    all_commands: Switch = Field(
        False, description="Whether what is pressed on sheets and boards can be typed, too, by every command."
    )
    emojis: Switch = Field(
        True, description="Whether dice are emojis of the bot's own, which it uploads once; otherwise text."
    )

    @field_validator("shard_ids")
    @classmethod
    def _shards_exist(cls, shard_ids: tuple[int, ...] | None, info: ValidationInfo) -> tuple[int, ...] | None:
        if shard_ids is None or "shard_count" not in info.data:
            return shard_ids
        count = info.data["shard_count"]
        if count is None:
            raise PydanticCustomError("setting", "needs discord.shard_count beside it")
        if not shard_ids or len(set(shard_ids)) < len(shard_ids) or max(shard_ids) >= count:
            raise PydanticCustomError(
                "setting", "must name each shard once, from 0 to {last}", {"last": count - 1}
            )
        return shard_ids


class DatabaseSettings(BaseModel):
    """Where everything is stored."""

    model_config = SECTION

    url: DatabaseUrl = Field(
        "sqlite:///tablekeeper.db",
        description="The database: a file, created if missing; or a PostgreSQL database.",
    )
    direct_url: Annotated[PostgresUrl | None, MustBe(POSTGRES_WORDS)] = Field(
        None,
        description="The same PostgreSQL database without the pooler in between (PgBouncer), if `url` leads "
        "through one; one connection for what a pooler can't do. If not set, `url`.",
    )

    @field_validator("direct_url")
    @classmethod
    def _has_a_pooler(cls, direct_url: str | None, info: ValidationInfo) -> str | None:
        if direct_url is not None and not is_postgres(info.data.get("url", direct_url)):
            raise PydanticCustomError("setting", "needs a PostgreSQL database in database.url")
        return direct_url


class SessionSettings(BaseModel):
    """When a session ends by itself."""

    model_config = SECTION

    idle_hours: Duration = Field(6, description="Hours without a command until a session ends automatically.")
    voice_empty_minutes: Duration = Field(
        10, description="Minutes the linked voice channel must be empty before the session ends."
    )


class PrivacySettings(BaseModel):
    """How long data is stored."""

    model_config = SECTION

    left_server_days: Annotated[
        float, BeforeValidator(number), Field(gt=0, le=30), MustBe("a number above 0, at most 30")
    ] = Field(
        30, description="Days after which the data of a server that removed the bot is deleted; at most 30."
    )


class MetricsSettings(BaseModel):
    """Numbers for the operator's monitoring."""

    model_config = SECTION

    port: Annotated[Port | None, MustBe(PORT_WORDS)] = Field(
        None, description="Port for `/metrics` (Prometheus), `/health` and `/live`; off if not set."
    )
    host: Text = Field("127.0.0.1", description="The address this port listens on.")


class LogSettings(BaseModel):
    """What is logged to standard error."""

    model_config = SECTION

    level: Annotated[
        Literal["debug", "info", "warning", "error"], MustBe('"debug", "info", "warning" or "error"')
    ] = Field("info", description="The least important lines to write.")
    format: Annotated[Literal["text", "json"], MustBe('"text" or "json"')] = Field(
        "text", description="Lines for people (`text`) or for machines (`json`)."
    )


class PlaygroundSettings(BaseModel):
    """The page of `tablekeeper play`."""

    model_config = SECTION

    port: Port = Field(8377, description="Port of the page; if it is in use, a free one is used.")
    database: SqliteUrl = Field("sqlite:///playground.db", description="The playground's own database file.")


class Settings(BaseModel):
    """All settings, by section."""

    model_config = SECTION

    discord: DiscordSettings = DiscordSettings()
    database: DatabaseSettings = DatabaseSettings()
    session: SessionSettings = SessionSettings()
    privacy: PrivacySettings = PrivacySettings()
    metrics: MetricsSettings = MetricsSettings()
    log: LogSettings = LogSettings()
    playground: PlaygroundSettings = PlaygroundSettings()


def load(file: Path | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings from the file and then from the environment.

    Args:
        file: The TOML file; by default ``config.toml``, if there is one.
        environment: The environment variables; by default the process's own.

    Raises:
        ConfigError: The file can't be read, or a key, type or value is wrong; lists all problems.
    """
    path = file or DEFAULT_FILE
    from_file = _read_file(path) if file or path.exists() else {}
    from_environment, sources = _read_environment(os.environ if environment is None else environment)

    try:
        return Settings.model_validate(_overridden(from_file, from_environment))
    except ValidationError as error:
        lines = [_line(problem, sources, path) for problem in error.errors(include_url=False)]
        raise ConfigError(sorted(dict.fromkeys(lines))) from None


def discord_token(settings: Settings) -> SecretStr:
    """Return the bot's token, from the setting or from its file.

    Raises:
        ConfigError: There is none, or its file can't be read.
    """
    if settings.discord.token is not None:
        token = settings.discord.token.get_secret_value().strip()
        key = "discord.token"
    elif settings.discord.token_file is not None:
        key = "discord.token_file"
        try:
            token = Path(settings.discord.token_file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError([f"config: {key} cannot be read: {_reason(error)}"]) from None
    else:
        raise ConfigError(
            ["config: discord.token is missing: set TABLEKEEPER_DISCORD__TOKEN (or discord.token_file)"]
        )
    if not re.fullmatch(r"[!-~]+", token):
        raise ConfigError(
            [f"config: {key} must hold the token and nothing else, without blanks or line breaks"]
        )
    return SecretStr(token)


def _read_file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([f"config: {path} is not valid TOML: {error}"]) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError([f"config: {path} cannot be read: {_reason(error)}"]) from None


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8 text"


def _overridden(settings: dict[str, object], by: dict[str, object]) -> dict[str, object]:
    """Return settings with single keys overridden."""
    merged = {**settings, **by}
    for section, keys in by.items():
        below = settings.get(section)
        if isinstance(below, dict) and isinstance(keys, dict):
            merged[section] = {**below, **keys}
    return merged


def _read_environment(environment: Mapping[str, str]) -> tuple[dict[str, object], dict[str, str]]:
    """Sort the project's variables into sections; an empty one counts as not set."""
    sections: dict[str, object] = {}
    names: dict[str, str] = {}
    for name, setting in sorted(environment.items()):
        if not name.startswith(ENVIRONMENT_PREFIX) or not setting:
            continue
        section, _, key = name.removeprefix(ENVIRONMENT_PREFIX).lower().partition("__")
        value = EnvironmentText(setting)
        names[f"{section}.{key}" if key else section] = name
        inner = sections.setdefault(section, {} if key else value)
        if key and isinstance(inner, dict):
            inner[key] = value
    return sections, names


def _line(problem: ErrorDetails, names: Mapping[str, str], path: Path) -> str:
    """Word one problem, naming the key and where its value stands, and never a secret."""
    parts = [str(part) for part in problem["loc"][:2]]
    key = ".".join(parts)
    inside = (variable for name, variable in names.items() if name.startswith(f"{key}."))
    variable = names.get(key) or next(inside, None)
    place = variable or str(path)
    if problem["type"] == "extra_forbidden":
        return f"config: {variable or key} is not a setting{_nearest(key, variable)}"
    if len(parts) == 1:
        return f"config: {key} must be a section with keys of its own (from {place})"
    must_be, is_secret = _expectation(*parts)
    demand = problem["msg"] if problem["type"] == "setting" else f"must be {must_be}"
    got = "" if is_secret else f"got {_shown(problem['input'])}, "
    return f"config: {key} {demand} ({got}from {place})"


def _nearest(key: str, variable: str | None) -> str:
    """Return the setting that was probably meant."""
    known = [f"{section}.{name}" for section, model in sections().items() for name in model.model_fields]
    same_key = [name for name in known if name.endswith(f".{key}")]
    guess = [*same_key, *difflib.get_close_matches(key, [*known, *sections()], n=1)]
    if not guess:
        return " (config.example.toml lists them all)"
    meant = ENVIRONMENT_PREFIX + guess[0].replace(".", "__").upper() if variable else guess[0]
    return f"; did you mean {meant}?"


def sections() -> dict[str, type[BaseModel]]:
    """Return the sections in order, each with the model of its keys."""
    return {
        name: field.annotation
        for name, field in Settings.model_fields.items()
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)
    }


def must_be(field: FieldInfo) -> str:
    """Return what a setting's value must be, in words."""
    return next(item.words for item in field.metadata if isinstance(item, MustBe))


def _expectation(section: str, key: str) -> tuple[str, bool]:
    field = sections()[section].model_fields[key]
    return must_be(field), "SecretStr" in repr(field.annotation)


def _shown(value: object) -> str:
    if isinstance(value, str):
        value = without_secrets(value)
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return shown if len(shown) <= 60 else shown[:57] + "..."
