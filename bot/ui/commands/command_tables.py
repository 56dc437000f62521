"""A game's slash commands from tables: one file a command, with its names and texts.

Types, bounds and choices come from the procedures; see `CommandSpec`.
"""

import tomllib
from collections.abc import Awaitable, Callable, Mapping
from importlib.resources.abc import Traversable

from pydantic import BaseModel, ConfigDict

from bot.rules.kernel import Ruleset
from bot.ui.commands.options import ACTOR_SHOWN, AnyBot, CommandGroup, CommandSpec, RulesetCog


class CommandRow(BaseModel):
    """What a table says of one slash command; see `CommandSpec` for its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    about: str
    packs: tuple[str, ...] = ()
    procedure: str = ""
    has_actor: bool | None = None
    can_be_secret: bool = False
    can_count: bool = False
    options: Mapping[str, str] = {}  # an empty text is the table's word for it
    also: tuple[str, ...] = ()  # the options after those, whose texts are the table's words
    completes: Mapping[str, str] = {}
    whose: str = ACTOR_SHOWN


class GroupTable(BaseModel):
    """A group of commands: its description, and what is below it by name, in order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    about: str = ""
    packs: tuple[str, ...] = ()  # the packs of those commands that name none of their own
    commands: Mapping[str, CommandRow] = {}

    def lines(self, words: Mapping[str, str]) -> tuple[CommandSpec, ...]:
        """The commands, with the texts that several of them share."""
        return tuple(self._line(name, row, words) for name, row in self.commands.items())

    def _line(self, name: str, row: CommandRow, words: Mapping[str, str]) -> CommandSpec:
        texts = {**row.options, **dict.fromkeys(row.also, "")}
        options = {key: text or words[key] for key, text in texts.items()}
        plain = row.model_dump(exclude={"also", "options", "packs"})
        return CommandSpec(name=name, options=options, packs=row.packs or self.packs, **plain)


class CommandTable(GroupTable):
    """A table: a command with its groups."""

    typed: tuple[str, ...] | None = None  # of a game's first table alone; see `RulesetCog`
    words: Mapping[str, str] = {}  # texts of options that several commands share, by the option
    groups: Mapping[str, GroupTable] = {}

    def grouped(self) -> Mapping[str, tuple[str, tuple[CommandSpec, ...]]]:
        """Each group's description and commands."""
        return {name: (group.about, group.lines(self.words)) for name, group in self.groups.items()}


def tables_setup(folder: Traversable, game: Ruleset, *further: str) -> Callable[[AnyBot], Awaitable[None]]:
    """The `setup` of a ruleset's cog whose commands stand in tables.

    Args:
        folder: Where the tables are; each is named after its command.
        game: The ruleset.
        further: Its commands besides the first, by what follows the game's name and a hyphen.
    """

    def table(name: str) -> CommandTable:
        return CommandTable.model_validate(tomllib.loads(folder.joinpath(f"{name}.toml").read_text("utf-8")))

    def group(name: str) -> CommandGroup:
        one = table(f"{game.command}-{name}")
        return CommandGroup(name=name, about=one.about, lines=one.lines(one.words), groups=one.grouped())

    async def setup(bot: AnyBot) -> None:
        main, others = table(game.command), tuple(map(group, further))
        await bot.add_cog(RulesetCog(bot, game, main.lines(main.words), main.grouped(), others, main.typed))

    return setup
