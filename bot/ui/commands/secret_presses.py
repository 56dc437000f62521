"""Handlers of the GM's secrets, and of what players are shown of them."""

from bot.table.base.results import EntryId
from bot.table.gm import gm, gm_secrets
from bot.table.gm import gm_secrets as handouts
from bot.table.gm.gm_secrets import Revealed, SecretKind
from bot.table.journal import journal
from bot.table.play import free_rolls
from bot.ui.commands.desk import AtDesk, answer_there, show_page, tell_there
from bot.ui.input.answer import answer, ask_form, in_time
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id, uploaded_picture
from bot.ui.replies.result_replies import undo_reply
from bot.ui.replies.secret_replies import (
    ABOUT,
    DICE,
    SECRETS,
    TEXT,
    TITLE,
    given_reply,
    handout_reply,
    note_form,
    roll_form,
    roll_reply,
    secret_reply,
    secrets_reply,
    shown_alone_reply,
)

LONGEST_NUMBER = 19  # digits of a number that no column of the store holds


async def on_secrets(interaction: Interaction, press: Press) -> None:
    """Handle a press on the GM's secrets, in the channel that their desk leads."""
    seat = AtDesk(interaction, press.number(1))
    table, request = seat.table, seat.request
    match press.argument(0):
        case "list":
            page = await gm_secrets.secrets_page(table, request)
            await answer(interaction, secrets_reply(page, home=seat.home))
        case "home":
            await _show_page(seat, press.number(2))
        case "open":
            kind, _, id_ = press.chosen().partition("/")
            await _show(seat, _kind(kind), id_)
        case "look":
            view = await gm_secrets.open_secret(table, request, SecretKind.ROLL, press.argument(2))
            await answer(interaction, secret_reply(view, home=seat.home))
        case "all" | "known":
            await _show_all(seat, _kind(press.argument(2)), press.argument(3), press.argument(0))
        case "some" | "quiet" as how:
            only = [int(one) for one in press.values if one.isdecimal() and len(one) < LONGEST_NUMBER]
            place = (_kind(press.argument(2)), press.argument(3))
            revealed = await gm_secrets.reveal(table, request, *place, only)
            await _tell(seat, revealed, is_quiet=how == "quiet")
        case "back":
            place = (_kind(press.argument(2)), press.argument(3))
            await _tell(seat, await gm_secrets.reveal(table, request, *place, []))
        case "note" | "handout":
            await _write(seat, press)
        case "roll":
            await _roll(seat, press)
        case "edit":
            await _edit(seat, press)
        case "remove":
            removed = await handouts.remove_handout(table, request, press.argument(2))
            await _show_page(seat, 0, removed.entry)
        case "undo":
            await _undo(seat, EntryId(press.number(2)))
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
            id_ = press.chosen() if press.argument(0) == "open" else press.argument(1)
            handout = await handouts.read_handout(table, request, id_)
            await answer(interaction, handout_reply(handout, is_private=True))
        case "roll":
            result = await gm_secrets.read_shown(table, request, EntryId(press.number(1)))
            await answer(interaction, roll_reply(result, is_private=True))
        case _:
            raise OutOfDate


def _kind(written: str) -> SecretKind:
    try:
        return SecretKind(written)
    except ValueError:
        raise OutOfDate from None


async def _show_page(seat: AtDesk, page: int, done: EntryId | None = None) -> None:
    found = await in_time(seat.interaction, gm_secrets.secrets_page(seat.table, seat.request, page))
    await show_page(seat, secrets_reply(found, done, seat.home))


async def _show(seat: AtDesk, kind: SecretKind, id_: str, done: EntryId | None = None) -> None:
    view = await in_time(seat.interaction, gm_secrets.open_secret(seat.table, seat.request, kind, id_))
    await show_page(seat, secret_reply(view, done, seat.home))


async def _show_all(seat: AtDesk, kind: SecretKind, id_: str, how: str) -> None:
    """Reveal something to everybody; the GM's page says so, and everybody is told."""
    table, request = seat.table, seat.request
    if kind in {SecretKind.ROLL, SecretKind.NOTE}:
        await _tell(seat, await gm_secrets.reveal(table, request, kind, id_))
        return
    is_known_only = how == "known"
    result = await gm_secrets.show_to_all(table, request, kind, id_, is_known_only=is_known_only)
    await _show(seat, kind, id_, result.entry)
    await tell_there(seat, result)


async def _tell(seat: AtDesk, revealed: Revealed, *, is_quiet: bool = False) -> None:
    """Show the GM how a secret stands now, and people what they were shown; or nobody, quietly."""
    view, by = revealed.view, seat.request.person_name
    quietly = revealed.names if is_quiet else ()
    await show_page(seat, secret_reply(view, revealed.result.entry, seat.home, quietly))
    if quietly:
        return
    if view.is_out and view.roll is not None:
        await answer_there(seat, roll_reply(view.roll, by, is_private=False))
    elif view.is_out and view.handout is not None:
        await answer_there(seat, handout_reply(view.handout, is_private=False))
    elif revealed.names:
        await answer_there(seat, shown_alone_reply(by, revealed.names, view))


async def _roll(seat: AtDesk, press: Press) -> None:
    """Open the form of a secret roll, or roll and show what players would see."""
    await gm.require_gm(seat.table, seat.request)
    if DICE not in press.fields:
        await ask_form(seat.interaction, roll_form(seat.home))
        return
    about = press.fields.get(ABOUT, "")
    rolling = free_rolls.roll(seat.table, seat.request, press.fields[DICE], about, is_secret=True)
    rolled = await in_time(seat.interaction, rolling)
    await _show(seat, SecretKind.ROLL, str(rolled.entry))


async def _write(seat: AtDesk, press: Press) -> None:
    """Open the form of a new note or handout, or save what was written there."""
    await gm.require_gm(seat.table, seat.request)
    if TITLE not in press.fields:
        is_handout = press.argument(0) == "handout"
        form = note_form(press_id(SECRETS, *press.arguments), has_picture=is_handout)
        await ask_form(seat.interaction, form)
        return
    await _save(seat, press)


async def _edit(seat: AtDesk, press: Press) -> None:
    """Open the form of a note or handout with what is in it, or save what was written there."""
    id_ = press.argument(2)
    await gm.require_gm(seat.table, seat.request)
    if TITLE not in press.fields:
        before = await handouts.read_handout(seat.table, seat.request, id_)
        form = note_form(press_id(SECRETS, *press.arguments), has_picture=True, before=before)
        await ask_form(seat.interaction, form)
        return
    await _save(seat, press, id_)


async def _save(seat: AtDesk, press: Press, id_: str = "") -> None:
    title, text = press.fields.get(TITLE, ""), press.fields.get(TEXT, "")
    async with uploaded_picture(seat.interaction, press) as content:
        which, saved = await handouts.save_handout(
            seat.table, seat.request, title, text, id_=id_, content=content
        )
    await _show(seat, SecretKind.NOTE, which, saved.entry)


async def _undo(seat: AtDesk, entry: EntryId) -> None:
    """Undo what was done on the page; where something stands in the way, say so."""
    await gm.require_gm(seat.table, seat.request)
    done = await journal.undo(seat.table, seat.request, entry, is_sure=True)
    if isinstance(done, journal.Undone):
        await _show_page(seat, 0)
    else:
        await answer(seat.interaction, undo_reply(done))
