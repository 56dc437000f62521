"""What is known of a ruleset without loading it."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from typing import Protocol, TypeVar

from msgspec import Struct

from bot.rules.kernel.creation import Draft
from bot.rules.kernel.game import Ruleset, RuleText
from bot.rules.kernel.module import subject
from bot.rules.kernel.outcome import Document

RowModel = TypeVar("RowModel", bound=Document)


class TableRow(Document):
    """One row of a table."""

    source: str  # the ledger ids it rests on


class _RuleRow(TableRow):
    """One rule: its title and its text."""

    title: str
    text: str


class DataFiles(Struct, frozen=True):
    """The files in a ruleset's folder `data`; each is named without its ending."""

    package: str  # the ruleset's package

    def text(self, file: str) -> str:
        """Read a file's text."""
        return files(self.package).joinpath("data", f"{file}.toml").read_text("utf-8")

    def rows(self, file: str, table: str, model: type[RowModel]) -> tuple[RowModel, ...]:
        """Read one table of a file, in its order.

        Args:
            file: Name of the file.
            table: Name of the table.
        """
        rows: Sequence[object] = tomllib.loads(self.text(file))[table]
        return tuple(model.model_validate(row) for row in rows)

    def glossary(self, *names: str) -> tuple[RuleText, ...]:
        """Read the texts of `/rules` from files; the first has the names of the chapters too."""
        known: Mapping[str, str] = tomllib.loads(self.text(names[0]))["chapters"]
        return tuple(
            RuleText(ids=ids, title=row.title, text=row.text, chapters=_chapters(ids, known))
            for name in names
            for row in self.rows(name, "rule", _RuleRow)
            for ids in [tuple(row.source.split(", "))]
        )

    def worded(self, settings: type[RowModel]) -> type[RowModel]:
        """Give settings their words from the file ``settings``: a table a page, a setting by its key."""
        for page, words in tomllib.loads(self.text("settings")).items():
            for key, said in words.items():
                info = settings.model_fields[key]
                info.title, info.description = said["title"], said["about"]
                info.json_schema_extra = subject(page, said.get("words"))
        return settings

    def ready_made(self) -> Mapping[str, Draft]:
        """Read the ready-made characters: the answers of the wizard, by the character's name."""
        return {
            row["name"]: {key: tuple(answer) for key, answer in row.items() if key not in {"name", "source"}}
            for row in tomllib.loads(self.text("characters"))["character"]
        }


def _chapters(ids: Sequence[str], known: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(known[id_.rpartition("-")[0]] for id_ in ids))


class Titled(Protocol):
    """What people choose a game by and look up in it; a `GameCover` has it, and so has a whole `Ruleset`."""

    @property
    def key(self) -> str:
        """Its name in the store."""

    @property
    def title(self) -> str:
        """Its name as people write it."""

    @property
    def command(self) -> str:
        """The slash command that plays it, without the slash."""

    @property
    def credit(self) -> str:
        """Who wrote the game."""

    @property
    def glossary(self) -> Sequence[RuleText]:
        """Its rules in our own words."""


class GameCover(Struct, frozen=True, kw_only=True):
    """A ruleset's names and texts, which cost nothing to have at hand."""

    package: str  # the ruleset's package
    key: str  # its name in the store and in the journal; never changes once used
    title: str  # its name as people write it
    command: str  # the slash command that plays it, without the slash
    credit: str  # who wrote the game
    rules: tuple[str, ...] = ("rules",)  # the files in its folder `data` with the texts of `/rules`

    @property
    def glossary(self) -> tuple[RuleText, ...]:
        """Its rules in our own words; read once."""
        return _glossary(self)


@lru_cache(maxsize=16)
def _glossary(cover: GameCover) -> tuple[RuleText, ...]:
    return DataFiles(cover.package).glossary(*cover.rules)


def loads_late(package: str) -> Callable[[str], Ruleset]:
    """Return the `__getattr__` of a ruleset's package: its `RULESET` is loaded when first asked for.

    Args:
        package: The package's name; the ruleset is in its module `game`.
    """

    def load(name: str) -> Ruleset:
        if name != "RULESET":
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        ruleset: Ruleset = import_module(f"{package}.game").RULESET
        return ruleset

    return load
