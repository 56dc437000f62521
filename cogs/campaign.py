"""Campaigns: `/campaign`."""

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.gm import gm
from bot.ui.commands.desk_settings import on_list, on_setting, show_settings
from bot.ui.commands.play import completed
from bot.ui.input.answer import answer, in_time
from bot.ui.input.asked import Place, request_of
from bot.ui.input.presses import Interaction
from bot.ui.live.result_messages import tell
from bot.ui.replies.campaign_replies import KIND, LISTS, campaigns_reply, made_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 100]
Value = app_commands.Range[str, 0, 500]
WHICH = "The campaign (default: the one played here)"


async def _rulesets(interaction: Interaction, typed: str) -> list[Choice]:
    return campaigns.ruleset_choices(interaction.client.table, typed)


async def _open(interaction: Interaction, typed: str) -> list[Choice]:
    table, request = interaction.client.table, request_of(interaction)
    return await campaigns.campaign_choices(table, request, typed, archived=False)


async def _open_or_archived(interaction: Interaction, typed: str) -> list[Choice]:
    table, request = interaction.client.table, request_of(interaction)
    archived = bool(interaction.namespace.reopen)
    return await campaigns.campaign_choices(table, request, typed, archived=archived)


async def _settings(interaction: Interaction, typed: str) -> list[Choice]:
    table, request = interaction.client.table, request_of(interaction)
    return await campaign_settings.setting_choices(table, request, typed, interaction.namespace.campaign)


async def _values(interaction: Interaction, typed: str) -> list[Choice]:
    table, request, chosen = interaction.client.table, request_of(interaction), interaction.namespace
    return await campaign_settings.value_choices(table, request, chosen.setting or "", typed, chosen.campaign)


complete_open = completed(_open)


class Campaign(commands.GroupCog, group_name="campaign", group_description="This server's campaigns"):
    """The campaign commands."""

    @app_commands.command(name="create", description="Create a campaign (needs Manage Server)")
    @app_commands.describe(ruleset="The game", name="The campaign's name")
    @app_commands.autocomplete(ruleset=completed(_rulesets))
    async def create(self, interaction: Interaction, ruleset: Name, name: Name) -> None:
        """Create a campaign."""
        making = campaigns.create(interaction.client.table, request_of(interaction), ruleset, name)
        made = await in_time(interaction, making, adds=True, is_private=False)  # a game may be loaded first
        await answer(interaction, made_reply(made))

    @app_commands.command(name="list", description="List this server's campaigns")
    async def list(self, interaction: Interaction) -> None:
        """List the campaigns."""
        found = await campaigns.listing(interaction.client.table, request_of(interaction))
        await answer(interaction, campaigns_reply(found))

    @app_commands.command(name="settings", description="See a campaign's settings, or change one (GM)")
    @app_commands.describe(setting="The setting", value="The new value; default resets it", campaign=WHICH)
    @app_commands.autocomplete(setting=completed(_settings), value=completed(_values), campaign=complete_open)
    async def settings(
        self,
        interaction: Interaction,
        setting: Name | None = None,
        value: Value | None = None,
        campaign: Name | None = None,
    ) -> None:
        """Show the settings, or change one."""
        table, request = interaction.client.table, request_of(interaction)
        if setting is None or value is None:
            await show_settings(interaction, campaign, setting=setting)
        else:
            result = await campaign_settings.change_setting(table, request, setting, value, campaign)
            await tell(interaction, result)

    @app_commands.command(name="bind", description="Play a campaign in a channel, category or thread (GM)")
    @app_commands.describe(
        place="Where (default: here)",
        campaign=WHICH,
        remove="Go back to the server's default campaign there",
        default="Play it wherever no other campaign is bound",
    )
    @app_commands.autocomplete(campaign=complete_open)
    async def bind(
        self,
        interaction: Interaction,
        place: Place | None = None,
        campaign: Name | None = None,
        remove: bool = False,
        default: bool = False,
    ) -> None:
        """Bind a place to a campaign, unbind it, or make a campaign the server's default."""
        table, request = interaction.client.table, request_of(interaction)
        if default and (place is not None or remove):
            await gm.require_gm(table, request)
            raise UserError("The default is for the whole server.", "Leave out place and remove.")
        if default:
            await tell(interaction, await campaigns.make_default(table, request, campaign))
            return
        where, name = _place(interaction, place)
        if remove:
            result = await campaigns.unbind(table, request, where, name)
        else:
            result = await campaigns.bind(table, request, where, name, campaign)
        await tell(interaction, result)

    @app_commands.command(name="gm", description="Add or remove a GM of a campaign, or its GM role (GM)")
    @app_commands.describe(
        person="The person",
        role="Everyone with this role, instead of one person",
        remove="Remove them as GM, or the role if you name nobody",
        campaign=WHICH,
    )
    @app_commands.autocomplete(campaign=complete_open)
    async def gm(
        self,
        interaction: Interaction,
        person: discord.Member | None = None,
        role: discord.Role | None = None,
        remove: bool = False,
        campaign: Name | None = None,
    ) -> None:
        """Add or remove a GM, or set or remove the GM role."""
        table, request = interaction.client.table, request_of(interaction)
        if (person is None and role is None and not remove) or (person and role):
            result = await campaigns.refuse_unclear_gms(table, request, campaign)
        elif person is not None:
            who = person.display_name
            result = await campaigns.set_gm(table, request, person.id, who, is_gm=not remove, name=campaign)
        elif role is None or remove:
            result = await campaigns.set_gm_role(table, request, None, "", campaign)
        else:
            result = await campaigns.set_gm_role(table, request, role.id, role.name, campaign)
        await tell(interaction, result)

    @app_commands.command(name="rename", description="Rename a campaign (GM)")
    @app_commands.describe(name="The new name", campaign=WHICH)
    @app_commands.autocomplete(campaign=complete_open)
    async def rename(self, interaction: Interaction, name: Name, campaign: Name | None = None) -> None:
        """Rename a campaign."""
        result = await campaigns.rename(interaction.client.table, request_of(interaction), name, campaign)
        await tell(interaction, result)

    @app_commands.command(name="archive", description="Archive a campaign; nothing in it is lost (GM)")
    @app_commands.describe(campaign=WHICH, reopen="Reopen it instead")
    @app_commands.autocomplete(campaign=completed(_open_or_archived))
    async def archive(
        self, interaction: Interaction, campaign: Name | None = None, reopen: bool = False
    ) -> None:
        """Archive a campaign, or reopen it."""
        table, request = interaction.client.table, request_of(interaction)
        if reopen:
            result = await campaigns.unarchive(table, request, campaign)
        else:
            result = await campaigns.archive(table, request, campaign)
        await tell(interaction, result)


def _place(interaction: Interaction, place: Place | None) -> tuple[int, str]:
    """The given place and its name, else the place where the command was typed."""
    if place is not None:
        return place.id, place.name
    request = request_of(interaction)
    return request.channel, getattr(interaction.channel, "name", str(request.channel))


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add(KIND, on_setting)
    bot.presses.add(LISTS, on_list)
    await bot.add_cog(Campaign())
