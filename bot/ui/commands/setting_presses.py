"""Handlers of the pages of settings."""

from bot.rules.kernel import PACKS
from bot.table.base.results import EntryId, Result
from bot.table.campaigns import campaign_settings, settings_pages
from bot.table.journal import journal
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, OutOfDate, Press, number_of
from bot.ui.replies.result_replies import undo_reply
from bot.ui.replies.setting_replies import setting_form, settings_page_reply


async def show_settings(
    interaction: Interaction, campaign: str | int | None = None, page: int = 0, setting: str | None = None
) -> None:
    """Answer with a page of a campaign's settings, to the person alone."""
    table, request = interaction.client.table, request_of(interaction)
    shown = await settings_pages.open_page(table, request, campaign, page, setting=setting)
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
    table, request = interaction.client.table, request_of(interaction)
    shown = await settings_pages.open_page(table, request, campaign, page)
    await change(interaction, settings_page_reply(shown, changed))


async def _set(interaction: Interaction, campaign: int, page: int, key: str, text: str) -> None:
    """Set a setting, and show the page with it."""
    table, request = interaction.client.table, request_of(interaction)
    changed = await campaign_settings.set_quietly(table, request, campaign, key, text)
    await _show(interaction, campaign, page, changed)


async def _write(interaction: Interaction, campaign: int, page: int, key: str) -> None:
    """Open the form of a setting."""
    table, request = interaction.client.table, request_of(interaction)
    one = await settings_pages.setting_to_change(table, request, campaign, key)
    await ask_form(interaction, setting_form(campaign, page, one))


async def _undo(interaction: Interaction, campaign: int, page: int, entry: int) -> None:
    """Undo what was changed last, and show the page as it was."""
    done = await journal.undo(interaction.client.table, request_of(interaction), EntryId(entry))
    if isinstance(done, journal.Undone):
        await _show(interaction, campaign, page)
    else:
        await answer(interaction, undo_reply(done))
