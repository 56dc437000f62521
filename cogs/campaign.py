"""Campaigns: `/campaign`, and the pages of their settings."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import PACKS, Choice
from bot.rules.kernel.errors import UserError
from bot.table.base.results import EntryId, Result
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.campaigns.campaign_settings import Setting, SettingsPage
from bot.table.campaigns.campaigns import CampaignLine
from bot.table.gm import gm
from bot.table.journal import journal
from bot.ui.commands.options import completed, completed_by, do
from bot.ui.commands.session_posts import made_reply
from bot.ui.input.answer import answer, ask_form, change, in_time
from bot.ui.input.presses import (
    Interaction,
    OutOfDate,
    Place,
    Press,
    number_of,
    press_id,
    request_of,
    table_and_request,
)
from bot.ui.replies.links import (
    LISTS,
    SETTINGS,
    desk_button,
)
from bot.ui.replies.result_replies import undo_reply
from bot.ui.text.reply import (
    Accent,
    Block,
    Button,
    ButtonBeside,
    Field,
    Form,
    Look,
    Reply,
    Select,
    private_page,
)
from bot.ui.text.roll_text import escape, listed, plain, shorten

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 100]
Value = app_commands.Range[str, 0, 500]
WHICH = "The campaign (default: the one played here)"


async def _open_or_archived(interaction: Interaction, typed: str) -> list[Choice]:
    table, request = table_and_request(interaction)
    archived = bool(interaction.namespace.reopen)
    return await campaigns.campaign_choices(table, request, typed, archived=archived)


async def _settings(interaction: Interaction, typed: str) -> list[Choice]:
    table, request = table_and_request(interaction)
    return await campaign_settings.setting_choices(table, request, typed, interaction.namespace.campaign)


async def _values(interaction: Interaction, typed: str) -> list[Choice]:
    table, request, chosen = *table_and_request(interaction), interaction.namespace
    return await campaign_settings.value_choices(table, request, chosen.setting or "", typed, chosen.campaign)


complete_open = completed_by(campaigns.campaign_choices, archived=False)


class Campaign(commands.GroupCog, group_name="campaign", group_description="This server's campaigns"):
    """The campaign commands."""

    @app_commands.command(name="create", description="Create a campaign (needs Manage Server)")
    @app_commands.describe(ruleset="The game", name="The campaign's name")
    @app_commands.autocomplete(ruleset=completed_by(campaigns.ruleset_choices))
    async def create(self, interaction: Interaction, ruleset: Name, name: Name) -> None:
        """Create a campaign."""
        making = campaigns.create(*table_and_request(interaction), ruleset, name)
        made = await in_time(interaction, making, adds=True, is_private=False)  # a game may be loaded first
        await answer(interaction, made_reply(made))

    @app_commands.command(name="list", description="List this server's campaigns")
    async def list(self, interaction: Interaction) -> None:
        """List the campaigns."""
        found = await campaigns.listing(*table_and_request(interaction))
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
        if setting is None or value is None:
            await show_settings(interaction, campaign, setting=setting)
        else:
            await do(interaction, campaign_settings.change_setting, setting, value, campaign)

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
        if default and (place is not None or remove):
            await gm.require_gm(*table_and_request(interaction))
            raise UserError("The default is for the whole server.", "Leave out place and remove.")
        if default:
            await do(interaction, campaigns.make_default, campaign)
        elif remove:
            await do(interaction, campaigns.unbind, *_place(interaction, place))
        else:
            await do(interaction, campaigns.bind, *_place(interaction, place), campaign)

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
        if (person is None and role is None and not remove) or (person and role):
            await do(interaction, campaigns.refuse_unclear_gms, campaign)
        elif person is not None:
            who, is_gm = person.display_name, not remove
            await do(interaction, campaigns.set_gm, person.id, who, is_gm=is_gm, name=campaign)
        elif role is None or remove:
            await do(interaction, campaigns.set_gm_role, None, "", campaign)
        else:
            await do(interaction, campaigns.set_gm_role, role.id, role.name, campaign)

    @app_commands.command(name="rename", description="Rename a campaign (GM)")
    @app_commands.describe(name="The new name", campaign=WHICH)
    @app_commands.autocomplete(campaign=complete_open)
    async def rename(self, interaction: Interaction, name: Name, campaign: Name | None = None) -> None:
        """Rename a campaign."""
        await do(interaction, campaigns.rename, name, campaign)

    @app_commands.command(name="archive", description="Archive a campaign; nothing in it is lost (GM)")
    @app_commands.describe(campaign=WHICH, reopen="Reopen it instead")
    @app_commands.autocomplete(campaign=completed(_open_or_archived))
    async def archive(
        self, interaction: Interaction, campaign: Name | None = None, reopen: bool = False
    ) -> None:
        """Archive a campaign, or reopen it."""
        await do(interaction, campaigns.unarchive if reopen else campaigns.archive, campaign)


def _place(interaction: Interaction, place: Place | None) -> tuple[int, str]:
    """The given place and its name, else the place where the command was typed."""
    if place is not None:
        return place.id, place.name
    request = request_of(interaction)
    return request.channel, getattr(interaction.channel, "name", str(request.channel))


# --- settings ------------------------------------------------------------------------------------


async def show_settings(
    interaction: Interaction, campaign: str | int | None = None, page: int = 0, setting: str | None = None
) -> None:
    """Answer with a page of a campaign's settings, to the person alone."""
    table, request = table_and_request(interaction)
    shown = await campaign_settings.open_page(table, request, campaign, page, setting=setting)
    await answer(interaction, settings_page_reply(shown))


async def on_setting(interaction: Interaction, press: Press) -> None:
    """Handle a press on a page of settings: turn to another, or change something."""
    campaign, what, page = press.number(), press.argument(1), press.number(2)
    match what:
        case "start":
            await show_settings(interaction, campaign, page)
        case "rules":
            await show_settings(interaction, campaign, setting=PACKS)
        case "open":
            await _show(interaction, campaign, page)
        case "page":
            await _show(interaction, campaign, number_of(press.chosen()))
        case "to":
            await _set(interaction, campaign, page, press.argument(3), press.argument(4))
        case "pick":
            await _set(interaction, campaign, page, press.argument(3), press.chosen())
        case "reset":
            await _set(interaction, campaign, page, press.chosen(), campaign_settings.DEFAULT)
        case "write":
            await _write(interaction, campaign, page, press.argument(3))
        case "wrote":
            text = press.fields.get("value", "").strip()
            await _set(interaction, campaign, page, press.argument(3), text or campaign_settings.DEFAULT)
        case "undo":
            await _undo(interaction, campaign, page, press.number(3))
        case _:
            raise OutOfDate


async def _show(interaction: Interaction, campaign: int, page: int, changed: Result | None = None) -> None:
    table, request = table_and_request(interaction)
    shown = await campaign_settings.open_page(table, request, campaign, page)
    await change(interaction, settings_page_reply(shown, changed))


async def _set(interaction: Interaction, campaign: int, page: int, key: str, text: str) -> None:
    """Set a setting, and show the page with it."""
    table, request = table_and_request(interaction)
    changed = await campaign_settings.set_quietly(table, request, campaign, key, text)
    await _show(interaction, campaign, page, changed)


async def _write(interaction: Interaction, campaign: int, page: int, key: str) -> None:
    """Open the form of a setting."""
    table, request = table_and_request(interaction)
    one = await campaign_settings.setting_to_change(table, request, campaign, key)
    await ask_form(interaction, setting_form(campaign, page, one))


async def _undo(interaction: Interaction, campaign: int, page: int, entry: int) -> None:
    """Undo what was changed last, and show the page as it was."""
    done = await journal.undo(*table_and_request(interaction), EntryId(entry))
    if isinstance(done, journal.Undone):
        await _show(interaction, campaign, page)
    else:
        await answer(interaction, undo_reply(done))


CHANGED = "◆"
LONGEST_VALUE, LONGEST_TYPED = 80, 500
UNSET = "none"


def settings_page_reply(shown: SettingsPage, changed: Result | None = None) -> Reply:
    """A page of settings: to be changed by a GM, to be read by anybody else.

    Args:
        changed: What has just been changed, to be told and undone.
    """
    return private_page(_blocks(shown, changed))


def setting_id(shown: SettingsPage, what: str, *arguments: object) -> str:
    """The id of a control of a page."""
    return press_id(SETTINGS, shown.campaign, what, shown.page, *arguments)


def _blocks(shown: SettingsPage, changed: Result | None) -> Iterator[Block]:
    marked = f" · {CHANGED} changed here" if any(one.is_changed for one in shown.settings) else ""
    yield f"### {shown.subjects[shown.page]}\n-# Settings of {escape(shown.campaign_name)}{marked}"
    if changed is not None:
        yield from _change(shown, changed)
    for one in shown.settings:
        yield from _setting(shown, one)
    if shown.may_change and (reset := [one for one in shown.settings if one.is_changed]):
        choices = tuple(Choice(one.key, plain(one.name, 100)) for one in reset)
        yield Select(id=setting_id(shown, "reset"), prompt="Back to the default …", choices=choices)
    if len(shown.subjects) > 1:
        yield _menu_of_pages(shown)
    if shown.may_change:
        lists = Button(id=press_id(LISTS, shown.campaign, "home"), label="Lists")
        yield (lists, desk_button()) if shown.has_lists else (desk_button(),)


def _change(shown: SettingsPage, changed: Result) -> Iterator[Block]:
    lines = [
        f"{escape(one.what)}: {escape(shorten(one.before, LONGEST_VALUE))} → "
        f"**{escape(shorten(one.after, LONGEST_VALUE))}**"
        for one in changed.message.changes
    ]
    undo = Button(id=setting_id(shown, "undo", changed.entry), label="Undo")
    yield ButtonBeside("\n".join(lines) or "Changed.", undo)


def _menu_of_pages(shown: SettingsPage) -> Select:
    choices = tuple(
        Choice(str(at), plain(title, 100), f"{changed} changed here" if changed else "")
        for at, (title, changed) in enumerate(zip(shown.subjects, shown.changed, strict=True))
    )
    return Select(
        id=setting_id(shown, "page"), prompt="Other settings …", choices=choices, chosen=(str(shown.page),)
    )


def _setting(shown: SettingsPage, one: Setting) -> Iterator[Block]:
    text = setting_text(one)
    if not shown.may_change:
        yield text
    elif one.is_switch:
        is_on = one.in_force == "on"
        yield ButtonBeside(
            text,
            Button(
                id=setting_id(shown, "to", one.key, "no" if is_on else "yes"),
                label="Turn off" if is_on else "Turn on",
                look=Look.PLAIN if is_on else Look.MAIN,
            ),
        )
    elif choices := [choice for choice in one.choices if choice != UNSET or one.default != UNSET]:
        yield text
        yield Select(
            id=setting_id(shown, "pick", one.key),
            prompt=plain(one.name, 150),
            choices=tuple(
                Choice(choice, plain(one.words.get(choice, choice).capitalize(), 100)) for choice in choices
            ),
            chosen=(one.in_force,),
        )
    else:
        yield ButtonBeside(text, Button(id=setting_id(shown, "write", one.key), label="Change …"))


def setting_text(one: Setting) -> str:
    """A setting with its value in force, where that comes from, and what it does."""
    mark = f"{CHANGED} " if one.is_changed else ""
    value = escape(shorten(one.in_words, LONGEST_VALUE))
    return f"{mark}**{escape(one.name)}:** {value}\n-# {listed((one.description, one.source))}"


def setting_form(campaign: int, page: int, one: Setting) -> Form:
    """The form that takes a setting's text or number."""
    typed = "" if one.value == UNSET else one.value
    entered = Field(
        key="value",
        label=plain(one.name, 45),
        note=plain(one.description, 85)
        + (" Empty: default." if one.default == UNSET and "Empty" not in one.description else ""),
        value=typed,
        longest=LONGEST_TYPED,
        is_required=False,
        is_long=len(typed) > LONGEST_VALUE,
    )
    return Form(
        id=press_id(SETTINGS, campaign, "wrote", page, one.key), title="Change a setting", fields=(entered,)
    )


# --- words ---------------------------------------------------------------------------------------

LONGEST = 4000


def campaigns_reply(campaigns: Sequence[CampaignLine]) -> Reply:
    """The list of the server's campaigns."""
    lines = [line for one in campaigns for line in _campaign(one)]
    text = "\n".join(["**Campaigns**", *(lines or ["None yet. Create one with /campaign create."])])
    return Reply(text=shorten(text, LONGEST), accent=Accent.BOARD, is_private=True)


def _campaign(one: CampaignLine) -> list[str]:
    marks = [
        "in this channel" if one.is_here else "",
        "default" if one.is_default else "",
        "archived" if one.is_archived else "",
        f"session {one.session} running" if one.session else "",
    ]
    gms = [f"<@{person}>" for person in one.gms] + ([f"<@&{one.gm_role}>"] if one.gm_role else [])
    about = listed(
        [
            f"in {', '.join(f'<#{place}>' for place in one.places)}" if one.places else "",
            f"GM {', '.join(gms)}" if gms else "",
        ]
    )
    lines = [listed([f"**{escape(one.name)}**", escape(one.title), *marks])]
    return [*lines, f"-# {about}"] if about else lines


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add(SETTINGS, on_setting)
    await bot.add_cog(Campaign())
