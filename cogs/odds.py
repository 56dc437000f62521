"""Exact chances without rolling: one page for free dice, and one that each ruleset describes itself."""

import inspect
from collections.abc import Callable, Coroutine
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import discord
from discord import app_commands
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from bot.client import Tablekeeper
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import Ruleset
from bot.table import free_rolls
from bot.ui.answer import answer
from bot.ui.failures import answer_failures
from bot.ui.free_rolls import odds_reply

Answer = Callable[..., Coroutine[Any, Any, None]]


async def dice_odds(
    interaction: discord.Interaction[Any], expression: app_commands.Range[str, 1, 200]
) -> None:
    """Tell the chances of free dice."""
    odds, line = free_rolls.odds(expression)
    await answer(interaction, odds_reply(expression, odds, line))


def option_type(field: FieldInfo) -> Any:
    """The kind of option that asks for a field: a bounded whole number, yes or no, or one of a few words."""
    kind = field.annotation
    if get_origin(kind) in (Union, UnionType):
        kind = next(part for part in get_args(kind) if part is not type(None))
    if get_origin(kind) is Literal or kind is bool:
        return kind
    if kind is int:
        least = next((one.ge for one in field.metadata if getattr(one, "ge", None) is not None), -1000)
        most = next((one.le for one in field.metadata if getattr(one, "le", None) is not None), 1000)
        return app_commands.Range[int, least, most]
    return app_commands.Range[str, 1, 100]


def odds_command(game: Ruleset) -> app_commands.Command[Any, ..., None]:
    """The ruleset's own page of `/odds`, its options read off its question."""
    fields = game.odds.question.model_fields

    async def answer_odds(interaction: discord.Interaction[Any], **given: Any) -> None:
        async with answer_failures(interaction):
            asked = {key: value for key, value in given.items() if value is not None}
            try:
                question = game.odds.question.model_validate(asked)
            except ValidationError as error:
                raise Mistake(error.errors()[0]["msg"]) from None
            await answer(interaction, odds_reply(f"{game.title}: the chances", game.odds.answer(question)))

    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter(
            "interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction[Any]
        )
    ]
    for key, field in sorted(fields.items(), key=lambda one: not one[1].is_required()):
        default = inspect.Parameter.empty if field.is_required() else None
        kind = option_type(field)
        annotation = kind if field.is_required() else kind | None
        parameters.append(inspect.Parameter(key, keyword, annotation=annotation, default=default))
    answer_odds.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # read by discord.py
    described = app_commands.describe(
        **{key: (field.description or key)[:100] for key, field in fields.items()}
    )
    return app_commands.Command(
        name=game.command, description=f"Exact chances in {game.title}"[:100], callback=described(answer_odds)
    )


async def setup(bot: Tablekeeper) -> None:
    """Adds a page for free dice and one for each ruleset."""
    group = app_commands.Group(name="odds", description="Exact chances, without rolling")
    about = app_commands.describe(expression="Dice such as 2d6+3 or 4d6kh3")
    group.add_command(
        app_commands.Command(name="dice", description="Exact chances of any dice", callback=about(dice_odds))
    )
    for game in bot.table.games.values():
        group.add_command(odds_command(game))
    bot.tree.add_command(group)
