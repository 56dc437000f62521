"""Games of one's own: `/game`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.own import game_file
from bot.table import own_drafts, own_games
from bot.ui.commands.options import completed, completed_by
from bot.ui.input.answer import answer, change, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id, table_and_request
from bot.ui.text.reply import Accent, Button, Look, Picture, Reply, private_page
from bot.ui.text.roll_text import escape, listed, shorten
from cogs.game.drafts import (
    ENTRY,
    GAME,
    OWN,
    draft_reply,
    new_reply,
    on_entry,
    on_own,
    open_draft_button,
    reserved,
)

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper
    from bot.table.own_games import GameText, Imported, OwnGameLine, Published

Name = app_commands.Range[str, 1, 100]
MOST_LINES = 10
LONGEST_HEADER = 4096  # bytes of what an export writes above a game
LONGEST = 3500
complete_game = completed_by(lambda *asked: own_games.game_choices(*asked))


async def _examples(_interaction: Interaction, typed: str) -> list[Choice]:
    return own_games.example_choices(typed)


async def _text_of(file: discord.Attachment) -> str:
    """The text of a file that somebody sent."""
    if file.size > game_file.MOST_BYTES + LONGEST_HEADER:
        raise UserError(f"This file is too large ({file.size // 1024} KiB).", "The limit is 64 KiB.")
    try:
        return (await file.read()).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise UserError("This file isn't UTF-8 text.") from None


class Game(commands.GroupCog, group_name="game", group_description="Games of this server's own"):
    """The commands for games of one's own."""

    @app_commands.command(name="new", description="Write a game of your own by forms, or change one (GM)")
    async def new(self, interaction: Interaction) -> None:
        """Offer what a game can begin with, and the games that are there."""
        await answer(interaction, new_reply(await own_drafts.drafts(*table_and_request(interaction))))

    @app_commands.command(name="import", description="Publish a game of your own from a file (GM)")
    @app_commands.describe(file="A TOML file", example="Or one of the games that come with the bot")
    @app_commands.autocomplete(example=completed(_examples))
    async def import_game(
        self, interaction: Interaction, file: discord.Attachment | None = None, example: Name | None = None
    ) -> None:
        """Publish a game, or show first what that would change."""
        table, request = table_and_request(interaction)
        await own_games.require_writer(table, request)
        if (file is None) is (example is None):
            raise UserError("Choose one: a file, or an example.")
        await interaction.response.defer(ephemeral=True)
        text = await _text_of(file) if file is not None else own_games.example(str(example))
        done = await own_games.import_(table, request, text, reserved=reserved(interaction.client))
        await answer(interaction, imported_reply(done))

    @app_commands.command(name="export", description="Get a game of this server's own as a file (GM)")
    @app_commands.describe(game="The game")
    @app_commands.autocomplete(game=complete_game)
    async def export_game(self, interaction: Interaction, game: Name) -> None:
        """Send a game as its GM wrote it."""
        await answer(interaction, file_reply(await own_games.export(*table_and_request(interaction), game)))

    @app_commands.command(name="list", description="See the games of this server's own")
    async def list_games(self, interaction: Interaction) -> None:
        """List the games."""
        await answer(interaction, games_reply(await own_games.listing(*table_and_request(interaction))))

    @app_commands.command(name="remove", description="Remove a game that no campaign plays (GM)")
    @app_commands.describe(game="The game")
    @app_commands.autocomplete(game=complete_game)
    async def remove_game(self, interaction: Interaction, game: Name) -> None:
        """Remove a game."""
        removed = await own_games.remove(*table_and_request(interaction), game)
        await answer(interaction, Reply(text=f"/{escape(removed)} is gone.", is_private=True))


async def on_game(interaction: Interaction, press: Press) -> None:
    """Handle a press under what publishing would change."""
    table, request = table_and_request(interaction)
    key = press.argument(1)
    match press.argument(0):
        case "ready":
            checking = own_games.publish_or_preview(
                table, request, key, reserved=reserved(interaction.client)
            )
            done = await in_time(interaction, checking)
            await change(interaction, draft_reply(await own_drafts.page(table, request, key)))
            await answer(interaction, imported_reply(done))
        case "publish":
            publishing = own_games.publish_draft(table, request, key, reserved=reserved(interaction.client))
            await change(interaction, published_reply(await in_time(interaction, publishing)))
        case "discard":
            await own_games.drop_draft(table, request, key)
            await change(interaction, private_page(("The draft is discarded. Nothing has changed.",)))
        case _:
            raise OutOfDate


# --- words -------------------------------------------------------------------------------------


def imported_reply(done: Imported) -> Reply:
    """What came of an import: the game is there, or what publishing it would change."""
    if done.published is not None:
        return published_reply(done.published)
    lines = [
        f"**{escape(done.title)}** would change:",
        *_shown(done.changes),
        *(["These characters would change:", *_shown(done.touched)] if done.touched else ()),
        "-# Nothing has changed yet.",
    ]
    everything = "\n".join((*done.changes, *done.touched))
    is_cut = max(len(done.changes), len(done.touched)) > MOST_LINES
    files = (Picture(name="changes.txt", content=everything.encode()),) if is_cut else ()
    buttons = (
        Button(id=press_id(GAME, "publish", done.key), label="Publish", look=Look.MAIN),
        Button(id=press_id(GAME, "discard", done.key), label="Discard"),
        open_draft_button(done.key),
    )
    return Reply(text="\n".join(lines), rows=(buttons,), files=files, is_private=True)


def published_reply(published: Published) -> Reply:
    """A game that was just published."""
    head = f"**{escape(published.title)}** is published, version {published.version}."
    after = () if published.is_played else (f"Play it: /campaign create ruleset:{escape(published.title)}",)
    moved = published.moved
    alone = f"Changed in {escape(', '.join(moved))}. /undo takes it back in one campaign alone."
    text = "\n".join([head, *_shown(published.touched), *([alone] if len(moved) > 1 else ()), *after])
    return Reply(text=text, accent=Accent.SUCCESS, is_private=True)


def _shown(found: Sequence[str]) -> list[str]:
    shown = [f"- {escape(shorten(line, 150))}" for line in found[:MOST_LINES]]
    more = len(found) - len(shown)
    return [*shown, f"- and {more} more"] if more > 0 else shown


def file_reply(file: GameText) -> Reply:
    """A game as a file."""
    text = f"/{escape(file.key)} as a file. Edit it, then load it with /game import."
    picture = Picture(name=f"{file.key}.toml", content=file.text.encode())
    return Reply(text=text, files=(picture,), is_private=True)


def games_reply(games: Sequence[OwnGameLine]) -> Reply:
    """The server's own games."""
    lines = [line for one in games for line in _game(one)]
    none = "None yet. Write one with /game new."
    text = "\n".join(["**Games of this server's own**", *(lines or [none])])
    return Reply(text=shorten(text, LONGEST), accent=Accent.BOARD, is_private=True)


def _game(one: OwnGameLine) -> list[str]:
    version = f"version {one.version}" if one.version else "not published"
    draft = "has a draft" if one.has_draft else ""
    played = f"-# played in {', '.join(map(escape, one.campaigns))}" if one.campaigns else ""
    lines = [listed([f"**{escape(one.title)}**", f"/{escape(one.key)}", version, draft]), played]
    return [line for line in lines if line]


async def setup(bot: Tablekeeper) -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add(GAME, on_game)
    bot.presses.add(OWN, on_own)
    bot.presses.add(ENTRY, on_entry)
    await bot.add_cog(Game())
