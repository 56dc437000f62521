"""Project Swim Class: `/swim`, `/swim-fight`, `/swim-gear`, `/swim-magic`, `/swim-gm`.

Types, bounds and choices come from the procedures, the texts from a table for each command.
"""

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from bot.rules.swim_class import RULESET
from bot.ui.commands.options import CommandGroup, CommandSpec, ruleset_setup


class Command(BaseModel):
    """One row of a table, for one slash command; see `CommandSpec` for its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    group: str = ""  # its group, or nothing
    name: str
    about: str
    procedure: str = ""
    has_actor: bool | None = None
    can_be_secret: bool = False
    can_count: bool = False
    also: Sequence[str] = ()  # further options, whose texts many rows share
    options: Mapping[str, str] = {}
    completes: Mapping[str, str] = {}


class Table(BaseModel):
    """A table: the descriptions of the command and its groups, shared texts, and rows in order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    about: str = ""
    groups: Mapping[str, str] = {}
    words: Mapping[str, str] = {}
    command: Sequence[Command]

    def lines(self, group: str = "") -> tuple[CommandSpec, ...]:
        """The commands of a group, or those directly below the command."""
        return tuple(self._line(row) for row in self.command if row.group == group)

    def grouped(self) -> Mapping[str, tuple[str, tuple[CommandSpec, ...]]]:
        """Each group's description and commands."""
        return {group: (about, self.lines(group)) for group, about in self.groups.items()}

    def _line(self, row: Command) -> CommandSpec:
        shared = {key: self.words[key] for key in row.also}
        plain = row.model_dump(exclude={"group", "also", "options"})
        return CommandSpec(options={**row.options, **shared}, **plain)


def _table(name: str) -> Table:
    return Table.model_validate(tomllib.loads(files("cogs").joinpath(f"data/{name}.toml").read_text("utf-8")))


def _further(name: str) -> CommandGroup:
    table = _table(f"swim-{name}")
    return CommandGroup(name=name, about=table.about, lines=table.lines(), groups=table.grouped())


MAIN = _table("swim")
FURTHER = tuple(_further(name) for name in ("fight", "gear", "magic", "gm"))

TYPED = (
    *(
        "roll",
        "attack",
        "defend",
        "jump",
        "rest",
        "stabilize",
        "distance",
        "-fight abandon",
        "-fight trigger",
    ),
    *("-gear list", "-gear shop", "-gear item", "-gear pick", "-magic cast", "-magic wheel"),
)

setup = ruleset_setup(RULESET, MAIN.lines(), MAIN.grouped(), FURTHER, TYPED)
