"""Help: `/help` and `/rules`, with what they say."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from discord import app_commands
from discord.ext import commands
from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Choice
from bot.table.base.table import OWN_PREFIX
from bot.table.campaigns import campaigns, rulebook
from bot.table.campaigns.campaigns import Asking, asking
from bot.table.campaigns.rulebook import Found, relevance
from bot.ui.commands import options
from bot.ui.commands.options import MANAGING, completed_by, is_listed, is_of_games, is_offered
from bot.ui.input.answer import answer, change
from bot.ui.input.presses import Interaction, Press, press_id, request_of, table_and_request
from bot.ui.replies.links import controls_button, games_menu
from bot.ui.text.reply import Accent, Button, Reply, Row, Select
from bot.ui.text.roll_text import escape, listed, shorten

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


class Described(Struct, frozen=True):
    """A command's full name and its description."""

    line: str  # its full name
    about: str  # what it does
    id: int = 0  # discord's id of it, or 0 where that is unknown
    used: int = 0  # how often it was used lately
    needs: str = ""  # the options it can't do without, as one types them

    @property
    def root(self) -> str:
        """The first word of the command."""
        return self.line.split(" ", 1)[0]

    @property
    def mention(self) -> str:
        """The command as one presses it; as text where its id is unknown."""
        return f"</{self.line}:{self.id}>" if self.id else f"`/{self.line}`"


class HelpPage(Struct, frozen=True):
    """Which page of the help is shown."""

    root: str = ""  # of the commands that begin with this word; of all of them where empty
    number: int = 0  # counted from 0


Command = app_commands.Command[Any, ..., Any]
GMS = ("(GM)", "(needs Manage Server)")  # how the description of a command ends that is not for players


def described(
    tree: "app_commands.CommandTree[Tablekeeper]", who: Asking, ids: Mapping[str, int]
) -> Iterator[Described]:
    """Every command that somebody can use in a place, the game's own first."""
    walked = (one for one in tree.walk_commands() if isinstance(one, app_commands.Command))
    has_all = tree.client.settings.all_commands
    there = (one for one in walked if (has_all or is_listed(one)) and is_offered(one, who.needs))
    found = [(one, _described(one)) for one in there]
    for one, (told, is_for_gms) in sorted(found, key=_games_own_first):
        top = one.root_parent or one
        is_for_gms = is_for_gms or (top.name in MANAGING and not has_all)
        if (is_for_gms and not who.is_gm) or (not who.needs and is_of_games(top)):
            continue
        used = who.used.get(f"play.{one.extras.get(options.PROCEDURE)}", 0)
        yield Described(told.line, told.about, ids.get(told.root, 0), used, told.needs)


@lru_cache(maxsize=1024)
def _described(command: Command) -> tuple[Described, bool]:
    """A command by itself, and whether it is for GMs only; nothing of it changes while the bot runs."""
    told = Described(command.qualified_name, command.description, needs=_needs(command))
    return told, "gm" in told.root.split("-") or told.about.endswith(GMS)


def _games_own_first(one: tuple[Command, tuple[Described, bool]]) -> tuple[bool, str]:
    command, (told, _) = one
    return options.GAME not in command.extras, told.line


def _needs(command: Command) -> str:
    """The options a command can't do without, as one types them."""
    needed = [one for one in command.parameters if one.required]
    return " ".join(f"{one.display_name}:{one.choices[0].name if one.choices else '…'}" for one in needed)


def steps(who: Asking) -> tuple[str, ...]:
    """What somebody does first in a place."""
    if not who.needs:
        return FIRST_STEPS
    missing = [] if who.has_character or who.is_gm else ["Make a character: {character create}"]
    if who.is_gm and not who.has_session:
        missing.append("Start a session: {session start}")
    return (NOW, *missing, *((GM_MENUS,) if who.is_gm else ()))


async def _reply(interaction: Interaction, page: HelpPage) -> Reply:
    table, request = table_and_request(interaction)
    who = await asking(table, request)
    found = help_reply(await _commands(interaction, who), steps(who), page)
    if who.needs or not who.is_gm:
        return found
    games = await campaigns.ruleset_choices(table, request, "")
    return replace(found, rows=(games_menu(games), *found.rows))


async def _commands(interaction: Interaction, who: Asking) -> "list[Described]":
    """Every command that somebody can use in a place."""
    bot = interaction.client
    ids = await bot.server_commands.ids(request_of(interaction).server)
    return [*own_described(bot.own_command, who, ids), *described(bot.tree, who, ids)]


def own_described(
    group: app_commands.Group | None, who: Asking, ids: Mapping[str, int]
) -> "Iterator[Described]":
    """The commands of the game of one's own that is played in a place."""
    for game in sorted(need.removeprefix(OWN_PREFIX) for need in who.needs if need.startswith(OWN_PREFIX)):
        for one in group.commands if group is not None else ():
            if isinstance(one, app_commands.Command) and (who.is_gm or not one.description.endswith(GMS)):
                used = who.used.get(f"play.{one.name}", 0)
                line = f"{game} {one.name}"
                yield Described(line, one.description, ids.get(game, 0), used, _needs(one))


class Help(commands.Cog):
    """The help commands."""

    @app_commands.command(name="help", description="See what you can do now, and every command")
    async def help(self, interaction: Interaction) -> None:
        """Show what one can do now."""
        await answer(interaction, await _reply(interaction, HelpPage()))

    @app_commands.command(name="rules", description="Look up a rule")
    @app_commands.describe(about="A title or a word")
    @app_commands.autocomplete(about=completed_by(rulebook.titles))
    async def rules(self, interaction: Interaction, about: app_commands.Range[str, 1, 100]) -> None:
        """Show a rule."""
        table, request = table_and_request(interaction)
        found = await rulebook.look_up(table, request, about)
        commands = await _commands(interaction, await asking(table, request))
        await answer(interaction, rule_reply(found, commands))


async def on_help(interaction: Interaction, press: Press) -> None:
    """Show the commands that begin with the chosen word, or another page."""
    page = HelpPage(press.values[0] if press.values else "")
    if press.argument(0) == "page":
        page = HelpPage(press.argument(1), press.number(2))
    await change(interaction, await _reply(interaction, page))


# --- words ---------------------------------------------------------------------------------------

FIRST_STEPS = (
    "**Getting started**",
    "1. GM: choose the game with {campaign create}.",
    "2. Everyone: make a character with {character create}, step by step or ready-made.",
    "3. GM: {session start}. Play with the game's own command; the buttons show what you can do next.",
    "4. {session end} resets per-session points, posts a recap and reveals the dice seed.",
    "-# {undo} undoes your last change · {log} shows everything · {fair} proves the dice are fair",
)
NOW = "**What you can do now**"
GM_MENUS = (
    "-# Right-click (or hold) a member or a message, then *Apps*: "
    "*Sheet* and *Ask for a check*, *Undo this* and *Details*."
)
LINES_A_PAGE = 12
MOST_STEPS = 4  # above commands on one page
MOST_ROOTS = 25
MOST_DOING = 2  # commands under a rule


def help_reply(commands: Sequence[Described], steps: Sequence[str], page: HelpPage) -> Reply:
    """What one can do now and every command, the most used first, in pages.

    Args:
        commands: The commands that this person can use here.
        steps: What comes first here, each with commands in braces.
    """
    listed_ = [one for one in commands if page.root in ("", one.root)]
    listed_.sort(key=lambda one: -one.used)
    pages = [listed_[at : at + LINES_A_PAGE] for at in range(0, len(listed_), LINES_A_PAGE)]
    if not pages or (len(steps) > MOST_STEPS and not page.root):
        pages.insert(0, [])  # many steps have a page of their own
    number = min(page.number, len(pages) - 1)
    lines = [f"{one.mention} {escape(one.about)}" for one in pages[number]]
    if not page.root and not number:
        mentions = {one.line: one.mention for one in commands}
        lines = [*(_with_mentions(step, mentions) for step in steps), *([""] if lines else []), *lines]
    if len(pages) > 1:
        lines.append(f"-# Page {number + 1} of {len(pages)}")
    rows: tuple[Row, ...] = (*_menu(commands, page.root), *_turning(page.root, number, len(pages)))
    return Reply(text="\n".join(lines), accent=Accent.NEWS, rows=rows, is_private=True)


def _with_mentions(step: str, mentions: Mapping[str, str]) -> str:
    return re.sub(r"\{([^}]+)\}", lambda found: mentions.get(found[1], f"`/{found[1]}`"), step)


def _menu(commands: Sequence[Described], chosen: str) -> Iterator[Select]:
    of_root: dict[str, list[Described]] = {}
    for command in commands:
        of_root.setdefault(command.root, []).append(command)
    roots = sorted(of_root.items())[:MOST_ROOTS]
    choices = tuple(Choice(root, f"/{root}", _about(inner)) for root, inner in roots)
    if choices:
        menu = press_id("help", "menu")
        yield Select(id=menu, prompt="Commands", choices=choices, chosen=(chosen,) if chosen else ())


def _turning(root: str, number: int, count: int) -> Iterator[tuple[Button, ...]]:
    if count > 1:
        back = Button(
            id=press_id("help", "page", root, max(0, number - 1)), label="Previous", is_off=not number
        )
        on = Button(id=press_id("help", "page", root, number + 1), label="Next", is_off=number + 1 == count)
        yield back, on


def _about(commands: Iterable[Described]) -> str:
    return shorten(listed(one.line.partition(" ")[2] or one.about for one in commands), 100)


def rule_reply(found: Found, commands: Sequence[Described] = ()) -> Reply:
    """A rule's text, with the commands that do it and credit to the game's author.

    Args:
        found: The rule.
        commands: The commands that this person can use here.
    """
    whose = "" if found.is_here else f"{found.game.title}: "
    text = shorten(f"**{escape(f'{whose}{found.rule.title}')}**\n{escape(found.rule.text)}", 3200)
    source = escape(listed((found.game.title, *found.rule.chapters)))
    doing = _doing(found, commands) if found.is_here else []
    return Reply(
        text="\n".join([text, *doing, f"-# {source}", f"-# {escape(found.game.credit)}"]),
        rows=((controls_button(),),) if doing else (),
        accent=Accent.BOARD,
        is_private=True,
    )


def _doing(found: Found, commands: Sequence[Described]) -> list[str]:
    """The commands that have most to do with a rule, each with an example."""
    own = [one for one in commands if one.root.split("-")[0] == found.game.command]
    scored = [(relevance(found.rule, one.line, one.about), one) for one in own]
    best = sorted((one for one in scored if one[0]), key=lambda one: -one[0])[:MOST_DOING]
    lines = [f"▸ {one.mention} {escape(one.about)}" for _score, one in best]
    if best:
        _score, first = best[0]
        lines.append(f"-# For example: `/{first.line}{f' {first.needs}' if first.needs else ''}`")
    return lines


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handler to the bot."""
    bot.presses.add("help", on_help)
    bot.presses.add(options.KIND, options.do_instead)
    await bot.add_cog(Help())
