"""Project Swim Class: `/swim`. Types, bounds and choices come from the procedures, the words from a table."""

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from bot.rules.swim_class import RULESET
from bot.ui.options import Line, RulesetCog

if TYPE_CHECKING:
    from bot.client import Tablekeeper


class Command(BaseModel):
    """A row of the table: one slash command; see `Line` for its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    group: str = ""
    name: str
    about: str
    procedure: str = ""
    has_actor: bool = True
    can_be_secret: bool = False
    options: Mapping[str, str] = {}
    completes: Mapping[str, str] = {}


class Table(BaseModel):
    """The table: what each group of commands is about, and the commands in their order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    groups: Mapping[str, str]
    command: Sequence[Command]

    def lines(self, group: str) -> tuple[Line, ...]:
        """The commands of a group; those right below the command without one."""
        return tuple(Line(**row.model_dump(exclude={"group"})) for row in self.command if row.group == group)


TABLE = Table.model_validate(tomllib.loads(files("cogs").joinpath("data/swim.toml").read_text("utf-8")))
LINES = TABLE.lines("")
GROUPS = {group: (about, TABLE.lines(group)) for group, about in TABLE.groups.items()}


class Swim(RulesetCog):
    """Everything one does in Project Swim Class."""


async def setup(bot: "Tablekeeper") -> None:
    """Adds the commands to the bot."""
    await bot.add_cog(Swim(bot, RULESET, LINES, GROUPS))
