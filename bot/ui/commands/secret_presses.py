"""Handlers of the GM's secrets, and of what players are shown of them."""

import discord

from bot.rules.kernel.errors import UserError
from bot.table.base.results import EntryId
from bot.table.characters.portrait_files import LARGEST_FILE, too_large
from bot.table.gm import gm, handouts, secret_things
from bot.table.gm.secret_things import Revealed, SecretKind
from bot.table.journal import journal
from bot.ui.input.answer import answer, ask_form, change, promise_change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id
from bot.ui.live.result_messages import tell
from bot.ui.replies.result_replies import undo_reply
from bot.ui.replies.secret_replies import (
    PICTURE,
    SECRETS,
    TEXT,
    TITLE,
    given_reply,
    handout_reply,
    note_form,
    roll_reply,
    secret_reply,
    secrets_reply,
    shown_alone_reply,
)

LONGEST_NUMBER = 19  # digits of a number that no column of the store holds


async def on_secrets(interaction: Interaction, press: Press) -> None:
    """Handle a press on the GM's secrets."""
    table, request = interaction.client.table, request_of(interaction)
    match press.argument(0):
        case "list":
            await answer(interaction, secrets_reply(await secret_things.secrets_page(table, request)))
        case "home":
            await _show_page(interaction, press.number(1))
        case "open":
            kind, _, id_ = _chosen(press).partition("/")
            await _show(interaction, _kind(kind), id_)
        case "look":
            view = await secret_things.open_secret(table, request, SecretKind.ROLL, press.argument(1))
            await answer(interaction, secret_reply(view))
        case "all" | "known":
            await _show_all(interaction, _kind(press.argument(1)), press.argument(2), press.argument(0))
        case "some":
            only = [int(one) for one in press.values if one.isdecimal() and len(one) < LONGEST_NUMBER]
            place = (_kind(press.argument(1)), press.argument(2))
            await _tell(interaction, await secret_things.reveal(table, request, *place, only))
        case "back":
            place = (_kind(press.argument(1)), press.argument(2))
            await _tell(interaction, await secret_things.reveal(table, request, *place, []))
        case "note" | "handout":
            await _write(interaction, press)
        case "edit":
            await _edit(interaction, press)
        case "remove":
            removed = await handouts.remove_handout(table, request, press.argument(1))
            await _show_page(interaction, 0, removed.entry)
        case "undo":
            await _undo(interaction, EntryId(press.number(1)))
        case _:
            raise OutOfDate


async def on_given(interaction: Interaction, press: Press) -> None:
    """Show a player what they were given."""
    table, request = interaction.client.table, request_of(interaction)
    match press.argument(0):
        case "list":
            found = await handouts.given(table, request)
            await answer(interaction, given_reply(found, press.number(1)))
        case "open" | "note":
            id_ = _chosen(press) if press.argument(0) == "open" else press.argument(1)
            handout = await handouts.read_handout(table, request, id_)
            await answer(interaction, handout_reply(handout, is_private=True))
        case "roll":
            result = await secret_things.read_shown(table, request, EntryId(press.number(1)))
            await answer(interaction, roll_reply(result, is_private=True))
        case _:
            raise OutOfDate


def _chosen(press: Press) -> str:
    if not press.values:
        raise OutOfDate
    return press.values[0]


def _kind(written: str) -> SecretKind:
    try:
        return SecretKind(written)
    except ValueError:
        raise OutOfDate from None


async def _show_page(interaction: Interaction, page: int, done: EntryId | None = None) -> None:
    table, request = interaction.client.table, request_of(interaction)
    await change(interaction, secrets_reply(await secret_things.secrets_page(table, request, page), done))


async def _show(interaction: Interaction, kind: SecretKind, id_: str, done: EntryId | None = None) -> None:
    table, request = interaction.client.table, request_of(interaction)
    view = await secret_things.open_secret(table, request, kind, id_)
    await change(interaction, secret_reply(view, done))


async def _show_all(interaction: Interaction, kind: SecretKind, id_: str, how: str) -> None:
    """Reveal something to everybody; the GM's page says so, and everybody is told."""
    table, request = interaction.client.table, request_of(interaction)
    if kind in {SecretKind.ROLL, SecretKind.NOTE}:
        await _tell(interaction, await secret_things.reveal(table, request, kind, id_))
        return
    is_known_only = how == "known"
    result = await secret_things.show_to_all(table, request, kind, id_, is_known_only=is_known_only)
    await _show(interaction, kind, id_, result.entry)
    await tell(interaction, result)


async def _tell(interaction: Interaction, revealed: Revealed) -> None:
    """Show the GM how a secret stands now, and people what they were shown."""
    view, by = revealed.view, request_of(interaction).person_name
    await change(interaction, secret_reply(view, revealed.result.entry))
    if view.is_out and view.roll is not None:
        await answer(interaction, roll_reply(view.roll, by, is_private=False))
    elif view.is_out and view.handout is not None:
        await answer(interaction, handout_reply(view.handout, is_private=False))
    elif revealed.names:
        await answer(interaction, shown_alone_reply(by, revealed.names, view))


async def _write(interaction: Interaction, press: Press) -> None:
    """Open the form of a new note or handout, or save what was written there."""
    await gm.require_gm(interaction.client.table, request_of(interaction))
    if TITLE not in press.fields:
        is_handout = press.argument(0) == "handout"
        await ask_form(interaction, note_form(press_id(SECRETS, *press.arguments), has_picture=is_handout))
        return
    await _save(interaction, press)


async def _edit(interaction: Interaction, press: Press) -> None:
    """Open the form of a note or handout with what is in it, or save what was written there."""
    table, request, id_ = interaction.client.table, request_of(interaction), press.argument(1)
    await gm.require_gm(table, request)
    if TITLE not in press.fields:
        before = await handouts.read_handout(table, request, id_)
        form = note_form(press_id(SECRETS, "edit", id_), has_picture=True, before=before)
        await ask_form(interaction, form)
        return
    await _save(interaction, press, id_)


async def _save(interaction: Interaction, press: Press, id_: str = "") -> None:
    table, request = interaction.client.table, request_of(interaction)
    content = await _picture(interaction, press)
    title, text = press.fields.get(TITLE, ""), press.fields.get(TEXT, "")
    which, saved = await handouts.save_handout(table, request, title, text, id_=id_, content=content)
    await _show(interaction, SecretKind.NOTE, which, saved.entry)


async def _picture(interaction: Interaction, press: Press) -> bytes:
    """The picture that came with a form; nothing if none did."""
    uploaded = press.files.get(PICTURE, ())
    if not uploaded:
        return b""
    if uploaded[0].size > LARGEST_FILE:
        raise too_large(uploaded[0].size)
    await promise_change(interaction)
    try:
        return await uploaded[0].read()
    except discord.HTTPException:
        raise UserError("I couldn't download your picture.", try_this="Upload it again.") from None


async def _undo(interaction: Interaction, entry: EntryId) -> None:
    """Undo what was done on the page; where that needs a word first, it is asked."""
    table, request = interaction.client.table, request_of(interaction)
    await gm.require_gm(table, request)
    done = await journal.undo(table, request, entry, is_sure=True)
    if isinstance(done, journal.Undone):
        await _show_page(interaction, 0)
    else:
        await answer(interaction, undo_reply(done))
