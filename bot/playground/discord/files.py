"""Attachments: kept in memory, served back under an address on loopback."""

from __future__ import annotations

import base64
import mimetypes
import re
import struct
from typing import TYPE_CHECKING

from aiohttp import web

from bot.playground.discord.payloads import Payload, Upload, json_response
from bot.playground.discord.refusals import Refusal

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord

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
