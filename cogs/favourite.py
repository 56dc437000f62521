"""Favourites: `/favourite`."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel.errors import UserError
from bot.table.characters import controls, favourites
from bot.table.characters.favourites import OwnFavourites, Saved
from bot.table.play.play import Given
from bot.ui.commands.play import completed_by
from bot.ui.commands.sheets import controls_reply, ready, take
from bot.ui.input.answer import answer
from bot.ui.input.asked import table_and_request
from bot.ui.input.presses import Interaction
from bot.ui.live.result_messages import tell
from bot.ui.text.reply import Accent, Reply
from bot.ui.text.text import escape

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 40]


complete_favourite = completed_by(favourites.names)


class FavouriteCommand(commands.Cog):
    """The command of favourites."""

    @app_commands.command(name="favourite", description="Do a favourite, or save what you did last as one")
    @app_commands.describe(
        use="Do this favourite",
        save="Save what you did last, with its options, under this name",
        remove="Remove this favourite",
    )
    @app_commands.autocomplete(use=complete_favourite, remove=complete_favourite)
    async def favourite(
        self,
        interaction: Interaction,
        use: Name | None = None,
        save: Name | None = None,
        remove: Name | None = None,
    ) -> None:
        """Do, save or remove a favourite; without a name, list them."""
        table, request = table_and_request(interaction)
        if sum(one is not None for one in (use, save, remove)) > 1:
            raise UserError("Choose one: use, save or remove.")
        if use is not None:
            await use_favourite(interaction, use)
        elif save is not None:
            await answer(interaction, saved_reply(await favourites.save_last(table, request, save)))
        elif remove is not None:
            await answer(interaction, removed_reply(await favourites.remove(table, request, remove)))
        else:
            await answer(interaction, favourites_reply(await favourites.own_favourites(table, request)))


async def use_favourite(interaction: Interaction, name: str) -> None:
    """Do a favourite of the person's character; where something is to be chosen, show its menu to them."""
    shown = await controls.open_favourite(*table_and_request(interaction), None, name)
    act, chosen = ready(shown, shown.now)
    if chosen is None:
        await answer(interaction, controls_reply(shown))
        return
    result = await take(interaction, act, Given(chosen or None))
    if result is not None:
        await tell(interaction, result)


# --- words ---------------------------------------------------------------------------------------


def favourites_reply(found: OwnFavourites) -> Reply:
    """A character's favourites, to its player alone."""
    lines = [f"**{escape(one.name)}** · {escape(one.what)}" for one in found.all]
    if not lines:
        lines = ["None yet. Press ☆ Keep on your sheet, or use /favourite after an act."]
    text = "\n".join([f"### {escape(found.who)} · favourites", *lines])
    return Reply(text=text, accent=Accent.BOARD, is_private=True)


def saved_reply(saved: Saved) -> Reply:
    """What was saved as a favourite."""
    name, what = escape(saved.favourite.name), escape(saved.favourite.what)
    replaced = "" if saved.is_new else " It replaces the one you had by that name."
    return Reply(
        text=f"Saved **{name}** for {escape(saved.who)}: {what}.{replaced}\n-# It is on your sheet now.",
        is_private=True,
    )


def removed_reply(removed: Saved) -> Reply:
    """What was removed from the favourites."""
    return Reply(
        text=f"Removed **{escape(removed.favourite.name)}** from {escape(removed.who)}'s favourites.",
        is_private=True,
    )


async def setup(bot: "Tablekeeper") -> None:
    """Add the command to the bot."""
    await bot.add_cog(FavouriteCommand())
