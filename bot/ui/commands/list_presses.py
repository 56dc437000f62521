"""Handlers of the pages on which a GM edits the module's lists."""

from collections.abc import Mapping, Sequence

from bot.table.base.results import EntryId, Result
from bot.table.campaigns import module_lists
from bot.table.campaigns.module_lists import ListsPage
from bot.table.journal import journal
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, OutOfDate, Press
from bot.ui.replies.list_replies import NO_ENTRY, entry_form_of, lists_reply
from bot.ui.replies.result_replies import undo_reply


async def on_list(interaction: Interaction, press: Press) -> None:
    """Handle a press on the lists: open one, or add, change or remove an entry."""
    table, request = interaction.client.table, request_of(interaction)
    campaign, what = press.number(), press.argument(1)
    match what:
        case "home":
            await _home(interaction, campaign)
        case "list":
            await _open(interaction, campaign, press.chosen())
        case "open":
            await _open(interaction, campaign, press.argument(2), press.number(3))
        case "entry":
            await _open(interaction, campaign, press.argument(2), press.number(3), press.chosen())
        case "add" | "change":
            key, page = press.argument(2), press.number(3)
            mark = press.argument(4) if what == "change" else None
            asked = await module_lists.entry_form(table, request, campaign, key, mark)
            await ask_form(interaction, entry_form_of(campaign, key, page, mark, asked))
        case "put":
            key, page, mark = press.argument(2), press.number(3), press.argument(4)
            entry = None if mark == NO_ENTRY else mark
            done = await module_lists.put_entry(table, request, campaign, key, entry, _typed(press))
            await _open(interaction, campaign, key, page, changed=done)
        case "remove":
            key, page = press.argument(2), press.number(3)
            done = await module_lists.remove_entry(table, request, campaign, key, press.argument(4))
            await _open(interaction, campaign, key, page, changed=done)
        case "undo":
            undone = await journal.undo(table, request, EntryId(press.number(4)))
            if isinstance(undone, journal.Undone):
                await _open(interaction, campaign, press.argument(2), press.number(3))
            else:
                await answer(interaction, undo_reply(undone))
        case _:
            raise OutOfDate


def _typed(press: Press) -> Mapping[str, Sequence[str]]:
    """What was typed and chosen in a form, by field."""
    return {**{key: (text,) for key, text in press.fields.items()}, **press.choices}


async def _home(interaction: Interaction, campaign: int) -> None:
    table, request = interaction.client.table, request_of(interaction)
    await change(interaction, lists_reply(await module_lists.open_lists(table, request, campaign)))


async def _open(
    interaction: Interaction,
    campaign: int,
    key: str,
    page: int = 0,
    mark: str | None = None,
    changed: Result | None = None,
) -> None:
    """Show a list or one of its entries, after a change with what was changed."""
    table, request = interaction.client.table, request_of(interaction)
    shown: ListsPage = await module_lists.open_list(table, request, campaign, key, page, mark)
    await change(interaction, lists_reply(shown, changed))
