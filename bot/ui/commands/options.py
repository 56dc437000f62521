"""Slash commands built from option models and tables, run as procedures, with their suggestions."""

import asyncio
import inspect
import tomllib
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, Concatenate, Literal, ParamSpec, get_args, get_origin
from urllib.parse import parse_qsl, urlencode

import discord
import structlog
from discord import app_commands
from discord.ext import commands
from msgspec import Struct
from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from bot.app.logs import note_outcome
from bot.rules.kernel import CharacterId, Choice, Document, Odds, Ruleset
from bot.rules.kernel.errors import Misnamed, UserError, UserErrors
from bot.table.base.access import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.base.turn import StoreUnavailable
from bot.table.base.typed_options import bound, inner_type, problem_sentence
from bot.table.campaigns import campaign_settings
from bot.table.campaigns.campaigns import need
from bot.table.encounters import encounters
from bot.table.journal import suggest
from bot.table.journal.journal import is_kept
from bot.table.play import countdown_plans
from bot.table.play import play as playing
from bot.table.play.play import OtherGame
from bot.ui.input.answer import WithButtons, answer, change, in_time
from bot.ui.input.presses import LONGEST_ID, Interaction, Press, press_id, request_of, table_and_request
from bot.ui.live.result_messages import tell
from bot.ui.text.charts import odds_picture
from bot.ui.text.reply import Button, Look, Reply
from bot.ui.text.roll_text import escape, odds_reply, plain

ACTOR, SECRET, COUNTDOWN = "acting", "secret", "countdown"
GAME, PACKS, PROCEDURE = "game", "packs", "procedure"  # in a command's extras
KIND = "instead"
ProcedureCommand = app_commands.Command[Any, ..., Any]


def refused(interaction: Interaction, other: OtherGame, given: Mapping[str, Any]) -> UserError:
    """The error with the right command, and a button for it if everything typed fits into one.

    Args:
        interaction: Where the other game's command was typed.
        other: Which game is played here, and what was asked for.
        given: What was typed, by the name of the option.
    """
    found = _command(interaction, other)
    if found is None:
        return other
    line = f"/{found.qualified_name}"
    mistake = WithButtons(other.what, try_this=f"Use {line}.")
    if other.fits and found.extras[PROCEDURE] == other.procedure:
        mistake.buttons = _buttons(interaction, found, given)
    return mistake


def guessed(interaction: Interaction, misnamed: Misnamed, given: Mapping[str, Any]) -> UserError:
    """The error for an unknown name, with a button for each likely match.

    Args:
        interaction: Where it was typed.
        misnamed: What was typed, and what may have been meant.
        given: What was typed, by the name of the option.
    """
    command = interaction.command
    if not isinstance(command, app_commands.Command) or PROCEDURE not in command.extras:
        return misnamed
    named = [key for key, value in given.items() if value == misnamed.typed]
    mistake = WithButtons(misnamed.what, misnamed.allowed)
    for name in misnamed.meant:
        rightly = {**given, **dict.fromkeys(named, name)}
        mistake.buttons += _buttons(interaction, command, rightly, label=name)
    return mistake if named else misnamed


def _command(interaction: Interaction, other: OtherGame) -> ProcedureCommand | None:
    """The equivalent command of this campaign's game, else one with the same name."""
    own = [one for one in _commands(interaction) if one.extras.get(GAME) == other.game]
    typed = interaction.command.name if interaction.command else ""
    same = (one for one in own if one.extras.get(PROCEDURE) == other.procedure)
    return next(same, None) or next((one for one in own if one.name == typed), None)


def _commands(interaction: Interaction) -> Iterator[ProcedureCommand]:
    tree, server = interaction.client.tree, interaction.guild
    for one in (*tree.walk_commands(), *(tree.walk_commands(guild=server) if server else ())):
        if isinstance(one, app_commands.Command) and PROCEDURE in one.extras:
            yield one


def _buttons(
    interaction: Interaction, found: ProcedureCommand, given: Mapping[str, Any], label: str = ""
) -> tuple[Button, ...]:
    """A button that runs the command, or none if the input is too long for a button id."""
    typed = {key: value for key, value in given.items() if value is not None}
    words = " ".join([f"/{found.qualified_name}", *(f"{key}:{value}" for key, value in typed.items())])
    if any(isinstance(value, tuple) for value in typed.values()):
        return ()
    arguments = (interaction.id, found.extras[GAME], found.extras[PROCEDURE], urlencode(typed))
    if len(":".join((KIND, "1", *map(str, arguments)))) > LONGEST_ID:
        return ()
    return (Button(id=press_id(KIND, *arguments), label=plain(label or words, 80), look=Look.MAIN),)


async def do_instead(interaction: Interaction, press: Press) -> None:
    """Run what was typed with a wrong command or name, once, under the campaign's rules."""
    table, request = table_and_request(interaction)
    request = replace(request, interaction=press.argument(0))  # however often it is pressed, it is one
    if await is_kept(table, request.server, request.interaction):
        raise UserError("That has already been done.")
    game, procedure, given = press.argument(1), press.argument(2), dict(parse_qsl(press.argument(3)))
    acting, countdown = given.pop(ACTOR, None), given.pop(COUNTDOWN, None)
    is_secret = given.pop(SECRET, "") == str(True)
    result = await playing.perform(
        table, request, procedure, given, game=game, acting=acting, is_secret=is_secret, countdown=countdown
    )
    await change(interaction, Reply(text=escape(f"Done: {result.message.headline}.")))
    await tell(interaction, result)


log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

GivenP = ParamSpec("GivenP")
Choices = list[app_commands.Choice[str]]
Complete = Callable[[discord.Interaction[Any], str], Coroutine[Any, Any, Choices]]
Offer = Callable[[Interaction, str], Awaitable[list[Choice]]]
UseCase = Callable[..., Awaitable[list[Choice]]]


async def play(
    interaction: Interaction,
    procedure: str,
    *,
    game: str | None = None,
    acting: str | None = None,
    secret: bool = False,
    countdown: str | None = None,
    **given: Any,
) -> None:
    """Run a procedure of the campaign's ruleset and answer with its result.

    Args:
        interaction: Who asked.
        procedure: Its key.
        game: The ruleset whose command it is, by key; None for a command of every game.
        acting: The character to act with, by name; else the one the person plays.
        secret: Told to the GM alone.
        countdown: A countdown that the result moves, by name.
        **given: The procedure's options as typed; None means not given.
    """
    typed = {**given, ACTOR: acting, SECRET: secret or None, COUNTDOWN: countdown}
    try:
        result = await playing.perform(
            interaction.client.table,
            request_of(interaction),
            procedure,
            given,
            game=game,
            acting=acting,
            is_secret=secret,
            countdown=countdown,
        )
    except OtherGame as other:
        raise refused(interaction, other, typed) from None
    except Misnamed as misnamed:
        raise guessed(interaction, misnamed, typed) from None
    await tell(interaction, result)


async def do(
    interaction: Interaction,
    use_case: Callable[Concatenate[Table, Request, GivenP], Awaitable[Result]],
    *given: GivenP.args,
    **named: GivenP.kwargs,
) -> None:
    """Have a use case do something for whoever asks, and tell its result."""
    await tell(interaction, await use_case(*table_and_request(interaction), *given, **named))


def completed(offer: Offer) -> Complete:
    """Wrap an autocompletion so that it offers nothing when it fails."""

    async def complete(interaction: discord.Interaction[Any], typed: str) -> Choices:
        try:
            found = await offer(interaction, typed)
        except UserError:
            return []
        except StoreUnavailable as error:
            note_outcome("store unavailable")
            log.warning("nothing suggested", reason=error.reason)
            return []
        except Exception as error:
            log.error("autocompletion failed", exc_info=error)
            return []
        return [app_commands.Choice(name=one.label[:100], value=one.value[:100]) for one in found[:25]]

    return complete


def completed_by(use_case: UseCase, *options: str, **fixed: Any) -> Complete:
    """An autocompletion by a use case.

    Args:
        use_case: What finds the choices for what has been typed; where its module is loaded late, a lambda.
        options: The command's options whose values it takes too, as far as they have been typed.
        fixed: Its other arguments.
    """

    async def offer(interaction: Interaction, typed: str) -> list[Choice]:
        given = (getattr(interaction.namespace, one) or "" for one in options)
        return await use_case(*table_and_request(interaction), typed, *given, **fixed)

    return completed(offer)


def several_completed_by(use_case: UseCase) -> Complete:
    """An autocompletion of the last of several names separated by commas, by a use case."""

    async def offer(interaction: Interaction, typed: str) -> list[Choice]:
        before, comma, last = typed.rpartition(",")
        found = await use_case(*table_and_request(interaction), last)
        lead = f"{before}{comma} " if comma else ""
        return [Choice(lead + one.value, lead + one.value) for one in found if one.value not in before]

    return completed(offer)


complete_character = completed_by(suggest.characters)
complete_countdown = completed_by(countdown_plans.choices)
complete_names = several_completed_by(suggest.characters)
complete_own_character = completed_by(suggest.characters, only_own=True)


def complete_thing(kind: str, acting_option: str = "character") -> Complete:
    """An autocompletion for one of the ruleset's kinds of things.

    Args:
        kind: A key of the ruleset's `suggestions`.
        acting_option: The command's option that names the acting character, where it has one.
    """

    async def offer(interaction: Interaction, typed: str) -> list[Choice]:
        acting = getattr(interaction.namespace, acting_option, None)
        said = {name: str(value) for name, value in interaction.namespace if value is not None}
        request = request_of(interaction)
        return await suggest.things(interaction.client.table, request, kind, typed, acting=acting, said=said)

    return completed(offer)


complete_participant = completed_by(encounters.participants)


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
