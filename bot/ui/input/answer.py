"""Sending replies through discord.py's own requests, and the one place that answers every failure."""

import asyncio
import contextlib
import io
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import aiohttp
import discord
import structlog
from discord import app_commands
from discord.http import MultipartParameters
from discord.webhook.async_ import async_context
from msgspec.structs import replace

from bot.app.logs import note_outcome
from bot.rules.kernel.errors import FightElsewhere, NobodyToPlay, UserError, UserErrors
from bot.table.base.access import ServerId
from bot.table.base.stored_rolls import Unsound
from bot.table.base.turn import OutcomeUnknown, StoreUnavailable
from bot.table.journal.journal import is_kept
from bot.ui.input.discord_format import (
    EPHEMERAL,
    NOTHING_ELSE,
    Json,
    blocks_of,
    form_body,
    mentions_of,
    message_body,
    pictures_of,
    plain_body,
)
from bot.ui.text.reply import Accent, Button, Form, Look, Picture, Reply, Sketch
from bot.ui.text.roll_text import escape, shorten

T = TypeVar("T")


async def in_time(
    interaction: discord.Interaction[Any],
    work: Awaitable[T],
    *,
    adds: bool = False,
    is_private: bool = True,
) -> T:
    """Wait for work; if it takes long, promise Discord the answer meanwhile.

    A form can't be opened after a promise.

    Args:
        interaction: What is to be answered.
        work: What the answer is made of.
        adds: Whether the answer is a new message; else it changes the message that was pressed.
        is_private: Whether a new message is its person's alone; so is then what goes wrong.
    """
    working = asyncio.ensure_future(work)
    try:
        pace = interaction.client.pace
        patience = pace.private_promise_seconds if is_private else pace.public_promise_seconds
        await asyncio.wait({working}, timeout=patience)
        if not working.done() and not interaction.response.is_done():
            if adds:
                await interaction.response.defer(ephemeral=is_private, thinking=True)
            else:
                await interaction.response.defer()
    except BaseException:
        working.cancel()
        raise
    return await working


TOLD = "told"  # in an interaction's extras: its result has been told
LONGEST_CUSTOM_ID = 100
Asked = discord.Interaction[Any]
Response = discord.InteractionResponseType


async def answer(interaction: Asked, reply: Reply) -> int | None:
    """Send a reply: as the first answer, or as a follow-up to an earlier answer or deferral.

    Where it may not be posted for everybody, the person who asked gets it alone.

    Returns:
        Which message it is, where Discord says so.
    """
    try:
        return await _answer(interaction, reply)
    except discord.Forbidden:
        if reply.is_private:
            raise
    return await _answer(interaction, replace(reply, is_private=True))


async def _answer(interaction: Asked, reply: Reply) -> int | None:
    body, files = await _made(reply)
    if reply.is_private:
        body["flags"] = body.get("flags", 0) | EPHEMERAL
    if not interaction.response.is_done():
        return await _respond(interaction, Response.channel_message, body, files)
    sent = await async_context.get().execute_webhook(
        interaction.application_id,
        interaction.token,
        wait=True,
        with_components=True,
        **_connection(interaction),
        **_parameters(body, files)._asdict(),
    )
    assert sent is not None  # noqa: S101  # it was waited for
    return int(sent["id"])


async def promise_change(interaction: Asked) -> None:
    """Defer the update of the message whose button was pressed."""
    if not interaction.response.is_done():
        await interaction.response.defer()


async def change(interaction: Asked, reply: Reply) -> None:
    """Replace the message whose button was pressed; whatever it showed is no longer kept up to date there."""
    async with interaction.client.sheets.leave(interaction):
        body, files = await _made(reply)
        pressed = interaction.message
        if pressed is not None and (pressed.embeds or pressed.content):
            body |= NOTHING_ELSE
        if not interaction.response.is_done():
            await _respond(interaction, Response.message_update, body, files)
            return
        await async_context.get().edit_original_interaction_response(
            interaction.application_id,
            interaction.token,
            **_connection(interaction),
            **_parameters(body, files)._asdict(),
        )


async def change_answer(
    interaction: Asked, message: int, reply: Reply, is_wanted: Callable[[], bool]
) -> None:
    """Replace an earlier answer, within the 15 minutes that Discord allows.

    Args:
        interaction: What it answered.
        reply: What takes its place.
        is_wanted: Whether it is still to be replaced once the reply's pictures are drawn.
    """
    body, files = await _made(reply)
    if not is_wanted():
        return
    await async_context.get().edit_webhook_message(
        interaction.application_id,
        interaction.token,
        message,
        with_components=True,
        **_connection(interaction),
        **_parameters(body, files)._asdict(),
    )


async def ask_form(interaction: Asked, form: Form) -> None:
    """Open a form; its submission goes to `bot.ui.input.presses.handle_press`, also after a restart."""
    await _respond(interaction, Response.modal, form_body(form, _unique(form.id)), [])


def _unique(form_id: str) -> str:
    """The id with something random behind it: phones fill in again what was written under a known id."""
    return f"{form_id}~{secrets.token_hex(4)}"[:LONGEST_CUSTOM_ID]


async def post(channel: discord.PartialMessageable, reply: Reply) -> int:
    """Post a reply into a channel, unprompted; return the message's id.

    One that pings somebody is posted as a plain line, which a locked phone shows, and turned into its
    container by one edit, which keeps the mentions: Discord highlights them and lists them in the inbox.
    """
    body, files = (plain_body(reply), []) if reply.pings else await _made(reply)
    body["nonce"] = f"n{secrets.token_hex(8)}"
    body["enforce_nonce"] = True  # posted once, also where discord.py tries again
    try:
        async with _turn("post", channel.id):
            sent = await channel._state.http.send_message(channel.id, params=_parameters(body, files))
    except discord.Forbidden:
        if not (reply.text and reply.files):
            raise
        told = reply.unpictured or reply.text  # it may write there, but attach nothing
        return await post(channel, replace(reply, files=(), text=told))
    message = int(sent["id"])
    if reply.pings and blocks_of(reply):
        try:
            await repost(channel.get_partial_message(message), reply, keeps=reply.pings)
        except discord.HTTPException:
            with contextlib.suppress(discord.HTTPException):  # what stays is readable
                await channel.get_partial_message(message).delete()
            raise
    return message


async def repost(message: discord.PartialMessage, reply: Reply, keeps: Sequence[int] = ()) -> None:
    """Replace a message of the bot outside an interaction, whatever it was made of.

    Args:
        message: What is replaced.
        reply: What takes its place.
        keeps: Whose mentions stay, as far as the reply has them; an edit pings nobody.
    """
    body, files = await _made(reply)
    body |= NOTHING_ELSE | {"allowed_mentions": mentions_of(keeps)}
    http, channel = message._state.http, message.channel.id
    async with _turn("edit", channel):
        await http.edit_message(channel, message.id, params=_parameters(body, files))


_turns: WeakValueDictionary[tuple[str, int], asyncio.Lock] = WeakValueDictionary()


def _turn(kind: str, channel: int) -> asyncio.Lock:
    """A channel's requests of a kind come one at a time: discord.py may let one too many pass together."""
    return _turns.setdefault((kind, channel), asyncio.Lock())


async def _respond(interaction: Asked, kind: Response, body: Json, files: list[discord.File]) -> int | None:
    """Give an interaction its first answer; return the id of its message, if it is one."""
    if interaction.response.is_done():
        raise discord.InteractionResponded(interaction)
    given = await async_context.get().create_interaction_response(
        interaction.id,
        interaction.token,
        params=_parameters({"type": kind.value, "data": body}, files),
        **_connection(interaction),
    )
    interaction.response._response_type = kind
    message = given["interaction"].get("response_message_id")
    return None if message is None else int(message)


def _connection(interaction: Asked) -> dict[str, Any]:
    """What every request about an interaction goes through."""
    http = interaction.client.http
    return {"session": interaction._session, "proxy": http.proxy, "proxy_auth": http.proxy_auth}


async def _made(reply: Reply) -> tuple[Json, list[discord.File]]:
    """A reply in Discord's format, with its pictures drawn."""
    pictures = [await _drawn(one) for one in pictures_of(reply)]
    body = message_body(reply)
    body["attachments"] = [
        {"id": str(number), "filename": one.name} | ({"description": one.alt} if one.alt else {})
        for number, one in enumerate(pictures)
    ]
    return body, [discord.File(io.BytesIO(one.content), one.name) for one in pictures]


async def _drawn(one: Picture | Sketch) -> Picture:
    if isinstance(one, Picture):
        return one
    content = await asyncio.to_thread(one.draw) if one.drawn is None else one.drawn
    return Picture(one.name, content, one.alt)


def _parameters(body: Json, files: list[discord.File]) -> MultipartParameters:
    """A body with its files, as discord.py's requests take them."""
    if not files:
        return MultipartParameters(payload=body, multipart=None, files=None)
    multipart: list[Json] = [{"name": "payload_json", "value": json.dumps(body)}]
    for number, file in enumerate(files):
        kind = "application/octet-stream"
        named = {"name": f"files[{number}]", "filename": file.filename, "content_type": kind}
        multipart.append(named | {"value": file.fp})
    return MultipartParameters(payload=None, multipart=multipart, files=files)


log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_TEXT = 4000
LONGEST_PROBLEM = 200
MOST_PROBLEMS = 15  # told in the message itself where there are more than fit
UNKNOWN_INTERACTION = 10062
ALREADY_ANSWERED = 40060
EXPIRED_TOKEN = 50027
TOO_MANY = 429
INVALID_FORM = 50035
CHANGED_COMMAND = (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)


# Wherever they stand: the ready-made heroes of the campaign played there, and the making of a character.
READY_MADE = Button(id="hero:1:ready", label="Ready-made hero", look=Look.MAIN)
MAKE_CHARACTER = Button(id="hero:1:make", label="Make a character")


class WithButtons(UserError):
    """An error with buttons that lead out of it."""

    buttons: tuple[Button, ...] = ()


def mistake_reply(mistake: UserError) -> Reply:
    """The reply for a user error."""
    if isinstance(mistake, UserErrors) and len(mistake.problems) > 1:
        return _problems_reply(mistake)
    text = " ".join(escape(sentence) for sentence in mistake.sentences)
    if isinstance(mistake, FightElsewhere):
        text = f"{text} It is in <#{mistake.channel}>."
    buttons = mistake.buttons if isinstance(mistake, WithButtons) else ()
    if isinstance(mistake, NobodyToPlay) and mistake.may_join:
        buttons = (READY_MADE, MAKE_CHARACTER)
    rows = (buttons,) if buttons else ()
    return Reply(text=shorten(text, 4000), accent=Accent.FAILURE, rows=rows, is_private=True)


def _problems_reply(mistake: UserErrors) -> Reply:
    """One line per problem; all of them in a file if they don't fit one message."""
    last = [escape(mistake.try_this)] if mistake.try_this else []
    lines = [f"- {escape(problem)}" for problem in mistake.problems]
    text = "\n".join([*lines, *last])
    files: tuple[Picture, ...] = ()
    if len(text) > MOST_TEXT:
        shown = [shorten(line, LONGEST_PROBLEM) for line in lines[:MOST_PROBLEMS]]
        text = "\n".join([*shown, f"- all {len(lines)} are in problems.txt", *last])
        files = (Picture(name="problems.txt", content="\n".join(mistake.problems).encode()),)
    return Reply(text=shorten(text, MOST_TEXT), accent=Accent.FAILURE, files=files, is_private=True)


def bug_reply(id_: str, *, is_kept: bool) -> Reply:
    """The reply for a bug, depending on whether something was stored before it happened."""
    return _failed_reply("Something went wrong on my side.", id_, is_kept=is_kept)


def refused_reply(id_: str, *, is_kept: bool) -> Reply:
    """The reply in place of one that Discord refused, depending on whether something was stored before."""
    return _failed_reply("Discord didn't accept my answer.", id_, is_kept=is_kept)


def _failed_reply(what: str, id_: str, *, is_kept: bool) -> Reply:
    done = (
        "It was done and saved all the same: see /log."
        if is_kept
        else "Nothing was changed; please try again."
    )
    return Reply(text=f"{what} {done}\n-# Report {id_}", accent=Accent.FAILURE, is_private=True)


STORE_REPLY = Reply(
    text="I can't save anything right now, so nothing was changed. Please try again in a minute.",
    accent=Accent.FAILURE,
    is_private=True,
)


OUTCOME_REPLY = Reply(
    text="I lost my database while saving, so I can't tell whether this was done. "
    "Look at /log in a minute before you try again.",
    accent=Accent.FAILURE,
    is_private=True,
)


UNKNOWN_VALUE = "I can't find one of your options in this server."


CHANGED_REPLY = Reply(
    text="This command has just changed, so nothing was done. Type it again in a minute.",
    accent=Accent.FAILURE,
    is_private=True,
)


@asynccontextmanager
async def answer_failures(interaction: "discord.Interaction[Any]") -> AsyncIterator[None]:
    """Context manager that answers any failure inside it."""
    try:
        yield
    except Exception as error:  # the last line of defence: nothing may go unanswered
        await answer_failure(interaction, error)


@contextmanager
def log_failures(what: str) -> Iterator[None]:
    """Context manager that logs any failure of work that nobody waits for, and that must go on.

    Args:
        what: What the log says did not happen, where the store could not be used.
    """
    try:
        yield
    except StoreUnavailable as error:
        log.warning(what, reason=error.reason)
    except Exception as error:  # a bug in one round must not end the next
        log.error("bug", exc_info=error)


async def answer_failure(interaction: "discord.Interaction[Any]", error: BaseException) -> None:
    """Answer a failure; the module docstring lists the order."""
    if isinstance(error, UserError):
        note_outcome("mistake")
        if isinstance(error, Unsound):
            log.error("stored document unsound", exc_info=error.__cause__)
        await _say(interaction, mistake_reply(error))
    elif isinstance(error, StoreUnavailable):
        note_outcome("store unavailable")
        log.error("store unavailable", reason=error.reason)
        await _say(interaction, OUTCOME_REPLY if isinstance(error, OutcomeUnknown) else STORE_REPLY)
    elif isinstance(error, app_commands.TransformerError):
        note_outcome("mistake")
        await _say(interaction, mistake_reply(UserError(UNKNOWN_VALUE, try_this="Choose one from the list.")))
    elif isinstance(error, CHANGED_COMMAND):
        note_outcome("changed command")
        await _say(interaction, CHANGED_REPLY)
    elif isinstance(error, aiohttp.ClientError | ConnectionError):
        note_outcome("not taken")
        log.warning("answer not taken", reason=str(error))
        await interaction.client.missed.note(interaction)
    elif isinstance(error, discord.HTTPException) and _is_refusal(error):
        note_outcome("not taken")
        log.warning("answer not taken", reason=error.text, status=error.status, code=error.code)
        if error.code != ALREADY_ANSWERED:  # an earlier try got through
            await interaction.client.missed.note(interaction)
    elif isinstance(error, discord.HTTPException) and error.code == INVALID_FORM:
        note_outcome("refused")
        log.error("answer refused", id=str(interaction.id), reason=" ".join(error.text.split()))
        is_stored = await _is_kept(interaction)
        await _say(interaction, refused_reply(str(interaction.id), is_kept=is_stored))
    else:
        note_outcome("bug")
        log.error("bug", exc_info=error)
        is_stored = await _is_kept(interaction)
        await _say(interaction, bug_reply(str(interaction.id), is_kept=is_stored))


def _is_refusal(error: discord.HTTPException) -> bool:
    """Whether Discord refused an answer for a reason outside the answer itself.

    The interaction has expired or is answered, what it belongs to is gone, a permission is missing, or
    Discord is not well.
    """
    return (
        isinstance(error, discord.NotFound | discord.Forbidden | discord.DiscordServerError)
        or error.status == TOO_MANY
        or error.code in (UNKNOWN_INTERACTION, ALREADY_ANSWERED, EXPIRED_TOKEN)
    )


async def _is_kept(interaction: "discord.Interaction[Any]") -> bool:
    """Whether the action was stored before the failure, as when only the answer was refused."""
    try:
        return await is_kept(
            interaction.client.table, ServerId(interaction.guild_id or 0), str(interaction.id)
        )
    except Exception as error:  # nothing may keep the person from an answer
        log.error("journal not read", exc_info=error)
        return False


async def _say(interaction: "discord.Interaction[Any]", reply: Reply) -> None:
    try:
        await answer(interaction, reply)
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        log.warning("answer not taken", reason=str(error))
