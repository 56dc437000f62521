"""Values of settings: parse the environment's text, check a file's typed value."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError


@dataclass(frozen=True, slots=True)
class MustBe:
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
