"""Sending replies: through discord.py's own requests, with its rate limits, retries and errors.

Nothing is made of the message that Discord sends back but its id; discord.py's methods for answers would make
objects of all its components.
"""

import asyncio
import contextlib
import io
import json
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import discord
from discord.http import MultipartParameters
from discord.webhook.async_ import async_context
from msgspec.structs import replace

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
from bot.ui.text.reply import Form, Picture, Reply, Sketch

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
