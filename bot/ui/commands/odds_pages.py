"""A game's page of `/odds`, built from its question model."""

import asyncio
from typing import Any

import discord
from discord import app_commands
from pydantic import ValidationError

from bot.rules.kernel import Document, Odds, Ruleset
from bot.rules.kernel.errors import UserErrors
from bot.table.base.typed_options import problem_sentence
from bot.table.campaigns import campaign_settings
from bot.ui.commands.options import command, parameters_of
from bot.ui.commands.other_games import GAME
from bot.ui.input.answer import answer
from bot.ui.input.asked import request_of
from bot.ui.input.in_time import in_time
from bot.ui.text.free_roll_text import odds_reply
from bot.ui.text.plots import odds_picture

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
        played = await campaign_settings.played_here(interaction.client.table, request_of(interaction), game)
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
