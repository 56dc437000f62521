"""Slash commands built from option models and tables, so that options always match the rules.

A procedure's (or an odds page's) options model says types, bounds and defaults; a cog adds the words, or a
table of them: one file a command. See `CommandSpec`.
"""

import asyncio
import inspect
import tomllib
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, Literal, get_args, get_origin

import discord
from discord import app_commands
from discord.ext import commands
from msgspec import Struct
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from bot.rules.kernel import CharacterId, Document, Odds, Ruleset
from bot.rules.kernel.errors import UserErrors
from bot.table.base.typed_options import bound, inner_type, problem_sentence
from bot.table.campaigns import campaign_settings
from bot.table.campaigns.registered_commands import need
from bot.ui.commands.ruleset_commands import (
    ACTOR,
    COUNTDOWN,
    GAME,
    PACKS,
    PROCEDURE,
    SECRET,
    complete_character,
    complete_countdown,
    complete_names,
    complete_own_character,
    complete_participant,
    complete_thing,
    play,
)
from bot.ui.input.answer import answer, in_time
from bot.ui.input.requests import table_and_request
from bot.ui.text.plots import odds_picture
from bot.ui.text.roll_text import odds_reply

Leaf = app_commands.Command[Any, ..., Any] | app_commands.ContextMenu
AnyCommand = Leaf | app_commands.Group
MANAGING = frozenset({"campaign", "game"})  # commands for what is done once, by who manages the server
PRESSED = "pressed"  # in the extras of a command for what sheets and boards do by presses
OF_GAMES = "of games"  # in the extras of a group that every game adds to


def is_of_games(command: AnyCommand) -> bool:
    """Return whether a command has anything of a game, so that only servers that play it have it."""
    if isinstance(command, app_commands.Group):
        return OF_GAMES in command.extras or any(map(is_of_games, command.commands))
    return GAME in command.extras


def is_listed(command: AnyCommand) -> bool:
    """Return whether a command, but for what is below it, is one that people type."""
    return PRESSED not in command.extras


def is_offered(command: AnyCommand, needs: Collection[str]) -> bool:
    """Return whether a command, but for what is above it, is of no game or of the games and packs given."""
    game, packs = command.extras.get(GAME), command.extras.get(PACKS) or ("",)
    return game is None or (need(game) in needs and any(need(game, pack) in needs for pack in packs))


ACTOR_SHOWN = "as"
PARTICIPANT = "participant"  # in the fight of the channel, whatever the ruleset
LONGEST_NAME, LONGEST_NAMES = 100, 500
LEAST, MOST = -1000, 1000
Callback = Callable[..., Coroutine[Any, Any, None]]
Command = app_commands.Command[Any, ..., None]


def is_several(kind: Any) -> bool:
    """Whether a field holds several characters."""
    return get_origin(kind) is tuple and CharacterId in get_args(kind)


def option_type(found: FieldInfo) -> Any:
    """The option type for a field: a bounded integer, a boolean, a choice or a text."""
    kind = inner_type(found.annotation)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return Literal[tuple(member.value for member in kind)]
    if kind is bool or get_origin(kind) is Literal:
        return kind
    if kind is int:
        return app_commands.Range[int, bound(found, "ge", LEAST), bound(found, "le", MOST)]
    if is_several(kind):
        return app_commands.Range[str, 1, LONGEST_NAMES]
    return app_commands.Range[str, 1, bound(found, "max_length", LONGEST_NAME)]


def parameters_of(model: type[Document], shown: Iterable[str]) -> list[inspect.Parameter]:
    """The callback parameters for some fields of a model, required ones first."""
    fields = {key: model.model_fields[key] for key in shown}
    return [
        parameter(key, option_type(found), is_required=found.is_required())
        for key, found in sorted(fields.items(), key=lambda one: not one[1].is_required())
    ]


def parameter(key: str, kind: Any, *, is_required: bool) -> inspect.Parameter:
    """One parameter of a callback."""
    return inspect.Parameter(
        key,
        inspect.Parameter.KEYWORD_ONLY,
        annotation=kind if is_required else kind | None,
        default=inspect.Parameter.empty if is_required else None,
    )


# Options and choices that are read and typed in another spelling than what is stored.
SHOWN_AS = {
    ACTOR: ACTOR_SHOWN,
    "armour": "armor",
    "defence": "defense",
    "defence_modifier": "defense_modifier",
}


def command(
    name: str,
    about: str,
    callback: Callback,
    parameters: Iterable[inspect.Parameter],
    texts: Mapping[str, str],
) -> Command:
    """A slash command whose options are built at run time."""
    interaction = inspect.Parameter(
        "interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction[Any]
    )
    callback.__signature__ = inspect.Signature([interaction, *parameters])  # type: ignore[attr-defined]  # as discord.py reads it
    described = app_commands.describe(**texts)(callback)
    shown = {key: name for key, name in SHOWN_AS.items() if key in texts}
    renamed = app_commands.rename(**shown)(described) if shown else described
    made: Command = app_commands.Command(name=name, description=about, callback=renamed)
    for one in made.parameters:
        for choice in one.choices:
            choice.name = SHOWN_AS.get(choice.name, choice.name)
    return made


# --- a ruleset's own commands ------------------------------------------------------------------


class CommandSpec(Struct, frozen=True, kw_only=True):
    """One slash command that does one procedure."""

    name: str  # what is typed
    about: str  # what it does; up to 100 characters
    packs: tuple[str, ...] = ()  # the packs it is of; it is there only while one of them is on
    procedure: str = ""  # key of the procedure; the name where left out
    # The fields of its options that are asked for, each with a text of up to 100 characters.
    options: Mapping[str, str] = {}
    # Which of the ruleset's suggestions an option offers, or `PARTICIPANT`.
    completes: Mapping[str, str] = {}
    whose: str = ACTOR_SHOWN  # the option that names whose things are completed; who acts where left out
    # Whether one may say who acts; where left out, if the procedure needs somebody.
    has_actor: bool | None = None
    can_be_secret: bool = False  # whether the GM may do it so that only they see it
    can_count: bool = False  # whether one may name a countdown that the result moves


ACTOR_TEXT = "Who acts (default: your character)"
COUNTDOWN_TEXT = "A countdown this moves"
SECRET_TEXT = "Show the result to the GM alone"  # noqa: S105  # says what the option does


def line_command(game: Ruleset, line: CommandSpec) -> Command:
    """Build the slash command for a spec."""
    procedure = game.procedures[line.procedure or line.name]
    several = {key for key in line.options if is_several(inner_type(_kind(procedure.options, key)))}
    has_actor = procedure.needs_actor if line.has_actor is None else line.has_actor

    async def do(interaction: discord.Interaction[Any], **given: Any) -> None:
        acting, secret, countdown = (given.pop(key, None) for key in (ACTOR, SECRET, COUNTDOWN))
        options = {key: names(value) if key in several else value for key, value in given.items()}
        await play(
            interaction,
            procedure.key,
            game=game.key,
            acting=acting,
            secret=bool(secret),
            countdown=countdown,
            **options,
        )

    parameters = parameters_of(procedure.options, line.options)
    texts = dict(line.options)
    if has_actor:
        parameters.append(parameter(ACTOR, app_commands.Range[str, 1, LONGEST_NAME], is_required=False))
        texts[ACTOR] = ACTOR_TEXT
    if line.can_be_secret:
        parameters.append(parameter(SECRET, bool, is_required=False))
        texts[SECRET] = SECRET_TEXT
    if line.can_count:
        kind = app_commands.Range[str, 1, LONGEST_NAME]
        parameters.append(parameter(COUNTDOWN, kind, is_required=False))
        texts[COUNTDOWN] = COUNTDOWN_TEXT
    made = command(line.name, line.about, do, parameters, texts)
    made.extras.update({GAME: game.key, PACKS: line.packs, PROCEDURE: procedure.key})
    _complete(made, procedure.options, line, several)
    if has_actor:
        made.autocomplete(ACTOR)(complete_own_character)
    return made


def _kind(model: type[Document], key: str) -> Any:
    return model.model_fields[key].annotation


def names(typed: str | None) -> tuple[str, ...] | None:
    """Split names separated by commas."""
    return None if typed is None else tuple(name.strip() for name in typed.split(",") if name.strip())


def _complete(made: Command, model: type[Document], line: CommandSpec, several: set[str]) -> None:
    """Add autocompletion to every option that takes a name."""
    for key in line.options:
        if key in several:
            made.autocomplete(key)(complete_names)
        elif inner_type(_kind(model, key)) is CharacterId:
            made.autocomplete(key)(complete_character)
    for key, kind in line.completes.items():
        is_fight = kind == PARTICIPANT
        made.autocomplete(key)(complete_participant if is_fight else complete_thing(kind, line.whose))
    if line.can_count:
        made.autocomplete(COUNTDOWN)(complete_countdown)


Groups = Mapping[str, tuple[str, Iterable[CommandSpec]]]
AnyBot = commands.Bot | commands.AutoShardedBot


class CommandGroup(Struct, frozen=True, kw_only=True):
    """An additional slash command of a ruleset that has too many commands for one."""

    name: str  # what follows the ruleset's command and a hyphen: "gear" beside ``/coin`` makes ``/coin-gear``
    about: str  # what it is for; up to 100 characters
    lines: Iterable[CommandSpec] = ()  # the commands right below it
    groups: Groups = {}  # groups of commands below it: their text and lines, by name


def ruleset_setup(game: Ruleset, lines: Iterable[CommandSpec]) -> Callable[[AnyBot], Awaitable[None]]:
    """The `setup` of the cog of a ruleset with one slash command and no groups; see `ruleset_commands`."""

    async def setup(bot: AnyBot) -> None:
        await bot.add_cog(RulesetCog(bot, game, ruleset_commands(game, lines, {})))

    return setup


class RulesetCog(commands.Cog):
    """The cog of one ruleset, with its slash commands.

    Args:
        bot: Where the commands go.
        slash_commands: Its commands, each with everything below it; several bots may have the same.
    """

    def __init__(self, bot: AnyBot, game: Ruleset, slash_commands: Iterable[app_commands.Group]) -> None:
        self.bot = bot
        self.__cog_name__ = game.title
        self.slash_commands = slash_commands

    async def cog_load(self) -> None:
        """Add the commands to the bot."""
        for command in self.slash_commands:
            self.bot.tree.add_command(command)

    async def cog_unload(self) -> None:
        """Remove the commands."""
        for command in self.slash_commands:
            self.bot.tree.remove_command(command.name)


def ruleset_commands(
    game: Ruleset,
    lines: Iterable[CommandSpec],
    groups: Groups,
    further: Iterable[CommandGroup] = (),
    typed: Collection[str] | None = None,
) -> tuple[app_commands.Group, ...]:
    """Make the slash commands of a ruleset.

    Args:
        lines: The commands right below the ruleset's own command.
        groups: Groups of commands below it: their text and lines, by name.
        further: More commands beside it; Discord allows 8,000 characters to each.
        typed: Those for players that are typed, by what follows the game's name ("roll", "-gear list"); the
            others are for what is pressed. Those of packs and of the GM always are; all are where left out.
    """
    made = [_command_group(game, game.command, f"Play {game.title}"[:100], lines, groups)]
    for one in further:
        made.append(_command_group(game, f"{game.command}-{one.name}", one.about, one.lines, one.groups))
    for command in made:
        if typed is not None and "gm" not in command.name.split("-"):
            _mark_pressed(game, command, typed)
    return tuple(made)


def _command_group(
    game: Ruleset, name: str, about: str, lines: Iterable[CommandSpec], groups: Groups
) -> app_commands.Group:
    """A slash command with the commands and groups below it."""
    made = app_commands.Group(name=name, description=about)
    for line in lines:
        made.add_command(line_command(game, line))
    for key, (what, inside) in groups.items():
        group = app_commands.Group(name=key, description=what, parent=made)
        for line in inside:
            group.add_command(line_command(game, line))
    return made


def _mark_pressed(game: Ruleset, command: app_commands.Group, typed: Collection[str]) -> None:
    """Mark the commands for what is pressed: neither those that are typed nor those of packs."""
    for leaf in command.walk_commands():
        called = leaf.qualified_name.removeprefix(game.command).strip()
        if isinstance(leaf, app_commands.Command) and not leaf.extras[PACKS] and called not in typed:
            leaf.extras[PRESSED] = True


ODDS = "odds"  # the command


def _answer(game: Ruleset, question: Document, played: Document) -> tuple[Odds, str]:
    """The chances under a campaign's settings, with further advice."""
    form = game.odds
    odds = form.answer(question) if form.answer_under is None else form.answer_under(question, played)
    return odds, " · ".join(form.worth(question, played))


def odds_command(game: Ruleset) -> app_commands.Command[Any, ..., None]:
    """Build a ruleset's page of `/odds` from its question model."""
    model = game.odds.question

    async def answer_odds(interaction: discord.Interaction[Any], **given: Any) -> None:
        asked = {key: value for key, value in given.items() if value is not None}
        try:
            question = model.model_validate(asked)
        except ValidationError as error:
            raise UserErrors(tuple(problem_sentence(problem) for problem in error.errors())) from None
        played = await campaign_settings.played_here(*table_and_request(interaction), game)
        computing = interaction.client.table.computing.run(lambda: _answer(game, question, played))
        odds, worth = await in_time(interaction, computing, adds=True)
        plot = await asyncio.to_thread(odds_picture, odds)
        await answer(interaction, odds_reply(f"{game.title}: chances", odds, worth, plot))

    texts = {key: (found.description or key)[:100] for key, found in model.model_fields.items()}
    about = f"Exact chances in {game.title}"[:100]
    made = command(game.command, about, answer_odds, parameters_of(model, texts), texts)
    made.extras[GAME] = game.key
    return made


def add_odds_page(tree: app_commands.CommandTree[Any], game: Ruleset) -> None:
    """Add a game's page to `/odds`, if the bot has that command."""
    group = tree.get_command(ODDS)
    if isinstance(group, app_commands.Group):
        group.add_command(odds_command(game))


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

    typed: tuple[str, ...] | None = None  # of a game's first table alone; see `ruleset_commands`
    words: Mapping[str, str] = {}  # texts of options that several commands share, by the option
    groups: Mapping[str, GroupTable] = {}

    def grouped(self) -> Mapping[str, tuple[str, tuple[CommandSpec, ...]]]:
        """Each group's description and commands."""
        return {name: (group.about, group.lines(self.words)) for name, group in self.groups.items()}


def tables_setup(folder: Traversable, game: Ruleset, *further: str) -> Callable[[AnyBot], Awaitable[None]]:
    """The `setup` of a ruleset's cog whose commands stand in tables.

    Args:
        folder: Where the tables are; each is named after its command.
        further: Its commands besides the first, by what follows the game's name and a hyphen.
    """

    def table(name: str) -> CommandTable:
        return CommandTable.model_validate(tomllib.loads(folder.joinpath(f"{name}.toml").read_text("utf-8")))

    def group(name: str) -> CommandGroup:
        one = table(f"{game.command}-{name}")
        return CommandGroup(name=name, about=one.about, lines=one.lines(one.words), groups=one.grouped())

    @cache  # bots of one process share them
    def slash_commands() -> tuple[app_commands.Group, ...]:
        main, others = table(game.command), tuple(map(group, further))
        return ruleset_commands(game, main.lines(main.words), main.grouped(), others, main.typed)

    async def setup(bot: AnyBot) -> None:
        await bot.add_cog(RulesetCog(bot, game, slash_commands()))

    return setup
