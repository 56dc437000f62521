"""The messages of every channel."""

from __future__ import annotations

import base64
import mimetypes
import re
import struct
from typing import TYPE_CHECKING

from aiohttp import web
from msgspec import Struct
from msgspec.structs import replace

from bot.playground.discord.message_limits import EPHEMERAL, LAYOUT, LOADING, check_emojis, check_message
from bot.playground.discord.payloads import (
    Form,
    MessageCreated,
    MessageDeleted,
    MessageUpdated,
    Path,
    Payload,
    Refusal,
    Upload,
    copied,
    json_response,
    timestamp,
    unknown_message,
    walk_components,
)

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord
    from bot.playground.discord.servers import Channel


SIZE_LIMIT_BYTES = 10 * 1024 * 1024
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Files:
    """All uploaded files."""

    def __init__(self, discord: LocalDiscord) -> None:
        self._discord = discord
        self._files: dict[int, Upload] = {}

    def keep(self, upload: Upload, channel_id: int, *, is_ephemeral: bool = False) -> Payload:
        """Store a file.

        Returns:
            The attachment as Discord sends it.

        Raises:
            Refusal: The file is larger than anybody may send.
        """
        if len(upload.content) > SIZE_LIMIT_BYTES:
            raise Refusal(
                413, 40005, "Request entity too large", f"it sent a file of {len(upload.content)} bytes"
            )
        number = self._discord.snowflakes.next()
        self._files[number] = upload
        filename = safe_filename(upload.filename)
        url = f"{self._discord.origin}/attachments/{channel_id}/{number}/{filename}"
        attachment: Payload = {
            "id": str(number),
            "filename": filename,
            "size": len(upload.content),
            "url": url,
            "proxy_url": url,
            "content_type": content_type(upload),
        }
        if upload.content.startswith(PNG_SIGNATURE) and len(upload.content) >= 24:
            attachment["width"], attachment["height"] = struct.unpack(">II", upload.content[16:24])
        if is_ephemeral:
            attachment["ephemeral"] = True
        return attachment

    def keep_emoji(self, emoji: Payload, image: str) -> None:
        """Store an emoji's picture, given as a data URI.

        Raises:
            Refusal: It is none.
        """
        head, _, encoded = image.partition(";base64,")
        try:
            content = base64.b64decode(encoded, validate=True)
        except ValueError:
            raise Refusal(
                400, 50035, "Invalid Form Body", "it uploaded an emoji that is no picture"
            ) from None
        self._files[int(emoji["id"])] = Upload(f"{emoji['name']}.png", content, head.removeprefix("data:"))

    def content(self, attachment: Payload) -> bytes:
        """The bytes of an attachment."""
        return self._files[int(attachment["id"])].content

    async def serve(self, request: web.Request) -> web.Response:
        """Serve a file."""
        upload = self._files.get(int(request.match_info["number"]))
        if upload is None:
            return json_response({"message": "404: Not Found", "code": 0}, 404)
        return web.Response(body=upload.content, headers={"Content-Type": content_type(upload)})


def safe_filename(filename: str) -> str:
    """The file name as Discord stores it: characters not allowed in a URL become underscores."""
    return re.sub(r"[^\w.-]+", "_", filename.rsplit("/", 1)[-1]) or "unknown"


def content_type(upload: Upload) -> str:
    """The content type, guessed from the name if the sender gave none."""
    if upload.content_type and upload.content_type != "application/octet-stream":
        return upload.content_type
    return mimetypes.guess_type(upload.filename, strict=False)[0] or "application/octet-stream"


KEPT_FLAGS = (1 << 2) | EPHEMERAL | LOADING | (1 << 12) | LAYOUT
MEDIA_FACTS = ("width", "height", "content_type", "description")
EDITABLE = ("content", "embeds", "components", "flags", "allowed_mentions", "poll")


class Posted(Struct):
    """A message as it was posted; an edit gives it another payload, and nobody changes one."""

    channel: Channel
    payload: Payload
    visible_to: int | None = None
    # The attachments that its embeds show; Discord does not list them with the others.
    in_embeds: list[Payload] = []
    is_deleted: bool = False

    @property
    def id(self) -> int:
        """The message's id."""
        return int(self.payload["id"])


class Messages:
    """Every message, by channel and in order."""

    def __init__(self, discord: LocalDiscord) -> None:
        self._discord = discord
        self._by_channel: dict[int, dict[int, Posted]] = {}
        self._gone: set[int] = set()

    def in_channel(self, channel: Channel) -> list[Posted]:
        """A channel's messages, oldest first."""
        return list(self._by_channel.get(channel.id, {}).values())

    def find(self, channel: Channel, message_id: int) -> Posted:
        """A message by its id.

        Raises:
            Refusal: There is none; it is a breach only if there never was one.
        """
        posted = self._by_channel.get(channel.id, {}).get(message_id)
        if posted is None:
            raise unknown_message(once_existed=message_id in self._gone)
        return posted

    def post(
        self,
        channel: Channel,
        body: Payload,
        files: list[Upload],
        *,
        author: Payload | None = None,
        flags: int = 0,
        visible_to: int | None = None,
        extra: Payload | None = None,
        path: Path = (),
    ) -> Posted:
        """Post a message into a channel, as the bot unless an *author* is given.

        Raises:
            Refusal: It breaks one of Discord's limits.
        """
        kept_flags = ((body.get("flags") or 0) | flags) & KEPT_FLAGS
        if not kept_flags & LOADING:
            check_message({**body, "attachments": [], "flags": kept_flags}, len(files), path)
            self._check_emojis(body, path)
        message_id = self._discord.snowflakes.next()
        payload = self._blank(message_id, channel, author or self._discord.application.user_payload())
        payload |= {"flags": kept_flags, **(extra or {})}
        posted = Posted(channel, payload, visible_to)
        self._write(posted, body, files, path)
        self._by_channel.setdefault(channel.id, {})[message_id] = posted
        if visible_to is None:  # what only one person sees is none of the channel's messages
            channel.last_message_id = message_id
        server = channel.server
        self._discord.bulletin.publish(MessageCreated(server, channel, payload, visible_to))
        self._tell("MESSAGE_CREATE", posted)
        return posted

    def put_back(self, channel: Channel, payload: Payload, *, visible_to: int | None = None) -> None:
        """Restore a deleted message with its id, without an event."""
        posted = Posted(channel, copied(payload), visible_to)
        self._by_channel.setdefault(channel.id, {})[posted.id] = posted
        if visible_to is None:
            channel.last_message_id = posted.id

    def edit(self, posted: Posted, body: Payload, files: list[Upload], path: Path = ()) -> Posted:
        """Change the parts of a message that *body* names.

        Raises:
            Refusal: The message as it would stand breaks one of Discord's limits.
        """
        before = posted.payload
        flags = (before["flags"] & ~LOADING) | ((body.get("flags") or 0) & (LAYOUT | (1 << 2)))
        changed = {key: body[key] for key in EDITABLE if key in body}
        kept = self._kept_attachments(posted, body, path)
        stands = {**before, **changed, "flags": flags, "attachments": kept}
        check_message(stands, len(files), path)
        self._check_emojis(changed, path)
        draft = replace(posted, payload=copied(before))
        draft.payload |= {
            "flags": flags,
            "attachments": kept,
            "edited_timestamp": timestamp(self._discord.clock()),
        }
        self._write(draft, changed | {"attachments": body.get("attachments")}, files, path)
        posted.payload, posted.in_embeds = draft.payload, draft.in_embeds
        event = MessageUpdated(posted.channel.server, posted.channel, posted.payload, posted.visible_to)
        self._discord.bulletin.publish(event)
        self._tell("MESSAGE_UPDATE", posted)
        return posted

    def delete(self, posted: Posted) -> None:
        """Delete a message."""
        posted.is_deleted = True
        self._gone.add(posted.id)
        self._by_channel.get(posted.channel.id, {}).pop(posted.id, None)
        event = MessageDeleted(posted.channel.server, posted.channel, posted.payload, posted.visible_to)
        self._discord.bulletin.publish(event)
        self._tell("MESSAGE_DELETE", posted)

    def forget(self, channel: Channel) -> None:
        """Forget a deleted channel's messages."""
        self._gone |= set(self._by_channel.pop(channel.id, {}))

    def _blank(self, message_id: int, channel: Channel, author: Payload) -> Payload:
        return {
            "id": str(message_id),
            "channel_id": str(channel.id),
            "author": author,
            "content": "",
            "timestamp": timestamp(self._discord.clock()),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": [],
            "pinned": False,
            "type": 0,
        }

    def _write(self, posted: Posted, body: Payload, files: list[Upload], path: Path) -> None:
        payload = posted.payload
        for key in ("content", "embeds", "components"):
            if key in body:
                payload[key] = copied(body[key]) if body[key] else ("" if key == "content" else [])
        payload["content"] = payload["content"].strip()
        described = {str(entry["id"]): entry for entry in body.get("attachments") or []}
        for index, upload in enumerate(files):
            is_ephemeral = posted.visible_to is not None
            attachment = self._discord.files.keep(upload, posted.channel.id, is_ephemeral=is_ephemeral)
            if description := described.get(str(index), {}).get("description"):
                attachment["description"] = description
            payload["attachments"] = [*payload["attachments"], attachment]
        self._resolve_media(posted, path)
        number_components(payload["components"])
        for embed in payload["embeds"]:
            embed.setdefault("type", "rich")
        self._note_mentions(posted, body)

    def _kept_attachments(self, posted: Posted, body: Payload, path: Path) -> list[Payload]:
        before: list[Payload] = posted.payload["attachments"]
        if body.get("attachments") is None:
            return before
        known = {attachment["id"]: attachment for attachment in before}
        form = Form()
        for index, entry in enumerate(body["attachments"]):
            if str(entry.get("id")) not in known and "filename" not in entry:
                place = (*path, "attachments", index, "id")
                form.add(place, "ATTACHMENT_NOT_FOUND", f"Attachment {entry.get('id')} not found")
        form.raise_problems()
        return [known[str(entry["id"])] for entry in body["attachments"] if str(entry["id"]) in known]

    @staticmethod
    def _resolve_media(posted: Posted, path: Path) -> None:
        payload = posted.payload
        known = [*posted.in_embeds, *payload["attachments"]]
        by_name = {attachment["filename"]: attachment for attachment in known}
        form = Form()
        for holder in _media_holders(payload):
            for key in ("url", "icon_url"):
                link = str(holder.get(key) or "")
                filename = link.removeprefix("attachment://")
                if filename == link:
                    continue
                if filename in by_name:
                    holder[key] = by_name[filename]["url"]
                    holder |= {
                        fact: by_name[filename][fact] for fact in MEDIA_FACTS if fact in by_name[filename]
                    }
                else:
                    message = f"Referenced attachment {filename!r} not found"
                    form.add(path, "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", message)
        form.raise_problems()
        shown = {part.get(key) for part in _embed_parts(payload) for key in ("url", "icon_url")}
        posted.in_embeds = [attachment for attachment in known if attachment["url"] in shown]
        payload["attachments"] = [item for item in payload["attachments"] if item["url"] not in shown]

    def _check_emojis(self, body: Payload, path: Path) -> None:
        form = Form()
        check_emojis(form, (*path, "components"), body.get("components") or [], self._discord.emojis)
        form.raise_problems()

    def _note_mentions(self, posted: Posted, body: Payload) -> None:
        if "content" not in body and "components" not in body:
            return
        payload, server = posted.payload, posted.channel.server
        texts = [component.get("content") or "" for component in walk_components(payload["components"])]
        text = "\n".join([payload["content"], *texts])
        allowed = body.get("allowed_mentions")
        parsed = ["users", "roles", "everyone"] if allowed is None else allowed.get("parse") or []
        named = allowed or {}
        users = [
            member.user_payload()
            for member in (server.members if server else [])
            if re.search(rf"<@!?{member.id}>", text)
            and ("users" in parsed or str(member.id) in map(str, named.get("users") or []))
        ]
        roles = [
            str(role.id)
            for role in (server.roles if server else [])
            if f"<@&{role.id}>" in text
            and ("roles" in parsed or str(role.id) in map(str, named.get("roles") or []))
        ]
        everyone = "everyone" in parsed and bool(re.search(r"@(everyone|here)\b", text))
        payload |= {"mentions": users, "mention_roles": roles, "mention_everyone": everyone}

    def _tell(self, event_name: str, posted: Posted) -> None:
        server = posted.channel.server
        if posted.visible_to is not None or server is None:
            return
        data: Payload = {"id": posted.payload["id"], "channel_id": posted.payload["channel_id"]}
        if event_name != "MESSAGE_DELETE":
            data = posted.payload
        self._discord.gateway.tell(event_name, data | {"guild_id": str(server.id)}, server)


def edit_of_another(posted: Posted, user_id: int) -> Refusal | None:
    """The refusal if the message is not the bot's own."""
    if posted.payload["author"]["id"] == str(user_id):
        return None
    message = "Cannot edit a message authored by another user"
    return Refusal(403, 50005, message, "it edited somebody else's message")


def _embed_parts(payload: Payload) -> list[Payload]:
    parts = ("image", "thumbnail", "footer", "author")
    return [embed[part] for embed in payload["embeds"] for part in parts if embed.get(part)]


def _media_holders(payload: Payload) -> list[Payload]:
    """Everything in a message that shows a picture or file."""
    media: list[Payload | None] = []
    for component in walk_components(payload["components"]):
        media += [component.get("media"), component.get("file")]
        media += [item.get("media") for item in component.get("items") or []]
    return [*_embed_parts(payload), *(medium for medium in media if medium)]


def number_components(components: list[Payload]) -> None:
    """Give every component without a number the next free one, as Discord does."""
    taken = {component["id"] for component in walk_components(components) if component.get("id")}
    number = 0
    for component in walk_components(components):
        if not component.get("id"):
            number = next(free for free in range(number + 1, number + 200) if free not in taken)
            component["id"] = number
