"""What Discord demands of a message: its text, its embeds, its flags."""

from __future__ import annotations

from collections.abc import Iterator

from bot.playground.discord.component_limits import check_layout, check_rows
from bot.playground.discord.payloads import Payload
from bot.playground.discord.refusals import Form, Path, Refusal

EPHEMERAL, LOADING, LAYOUT = 1 << 6, 1 << 7, 1 << 15
MAX_CONTENT, MAX_EMBEDS, MAX_EMBED_CHARACTERS, MAX_FILES = 2000, 10, 6000, 10
EMBED_TEXTS = {"title": 256, "description": 4096}
EMBED_PARTS = {"footer": ("text", 2048), "author": ("name", 256)}
WEB = ("http://", "https://")
EMBED_LINKS = {
    ("url",): WEB,
    ("author", "url"): WEB,
    ("author", "icon_url"): (*WEB, "attachment://"),
    ("footer", "icon_url"): (*WEB, "attachment://"),
    ("image", "url"): (*WEB, "attachment://"),
    ("thumbnail", "url"): (*WEB, "attachment://"),
}


def check_message(message: Payload, file_count: int, path: Path = ()) -> None:
    """Check a message as it would be after the request.

    Args:
        message: ``content``, ``embeds``, ``components``, ``attachments`` (those kept), ``flags``.
        file_count: How many files come with the request.
        path: Where the message stands in the request body.

    Raises:
        Refusal: 50006 for an empty message, 50035 with every problem otherwise.
    """
    form = Form()
    form.text((*path, "content"), message.get("content"), 0, MAX_CONTENT)
    embeds = message.get("embeds") or []
    _check_embeds(form, (*path, "embeds"), embeds)
    form.count(
        (*path, "attachments"), range(file_count + len(message.get("attachments") or [])), 0, MAX_FILES
    )
    _check_allowed_mentions(form, (*path, "allowed_mentions"), message.get("allowed_mentions") or {})
    components = message.get("components") or []
    if (message.get("flags") or 0) & LAYOUT:
        for key in ("content", "embeds", "poll"):
            if message.get(key):
                text = f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
                form.add((*path, key), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", text)
        check_layout(form, (*path, "components"), components)
    else:
        check_rows(form, (*path, "components"), components)
    form.raise_problems()
    has_text = bool((message.get("content") or "").strip())
    says_something = has_text or any(not _is_blank(embed) for embed in embeds)
    if not (says_something or components or file_count or message.get("attachments") or message.get("poll")):
        raise Refusal(400, 50006, "Cannot send an empty message", "it sent an empty message")


def embed_characters(embeds: list[Payload]) -> int:
    """The characters that count towards the limit for all embeds of a message together."""
    return sum(len(text) for embed in embeds for text in embed_texts(embed))


def embed_texts(embed: Payload) -> Iterator[str]:
    """Everything written on an embed, from top to bottom."""
    yield (embed.get("author") or {}).get("name") or ""
    yield embed.get("title") or ""
    yield embed.get("description") or ""
    for field in embed.get("fields") or []:
        yield field.get("name") or ""
        yield field.get("value") or ""
    yield (embed.get("footer") or {}).get("text") or ""


def _is_blank(embed: Payload) -> bool:
    has_picture = any((embed.get(key) or {}).get("url") for key in ("image", "thumbnail"))
    return not has_picture and not any(text.strip() for text in embed_texts(embed))


def _check_embeds(form: Form, path: Path, embeds: list[Payload]) -> None:
    form.count(path, embeds, 0, MAX_EMBEDS)
    for index, embed in enumerate(embeds):
        place = (*path, index)
        for key, most in EMBED_TEXTS.items():
            form.text((*place, key), embed.get(key), 0, most)
        for part, (key, most) in EMBED_PARTS.items():
            if embed.get(part):
                form.text((*place, part, key), embed[part].get(key), 1, most)
        form.number((*place, "color"), embed.get("color"), 0, 0xFFFFFF)
        _check_urls(form, place, embed)
        fields = embed.get("fields") or []
        form.count((*place, "fields"), fields, 0, 25)
        for number, field in enumerate(fields):
            form.text((*place, "fields", number, "name"), field.get("name"), 1, 256)
            form.text((*place, "fields", number, "value"), field.get("value"), 1, 1024)
    if (size := embed_characters(embeds)) > MAX_EMBED_CHARACTERS:
        message = f"Embed size exceeds maximum size of {MAX_EMBED_CHARACTERS}: it is {size}"
        form.add(path, "MAX_EMBED_SIZE_EXCEEDED", message)


def _check_urls(form: Form, place: Path, embed: Payload) -> None:
    for keys, schemes in EMBED_LINKS.items():
        holder = embed if len(keys) == 1 else embed.get(keys[0]) or {}
        link = holder.get(keys[-1])
        if link and not str(link).startswith(schemes):
            form.add(
                (*place, *keys), "URL_TYPE_INVALID_SCHEME", f'Scheme of "{link}" must be one of {schemes}.'
            )


def _check_allowed_mentions(form: Form, path: Path, allowed: Payload) -> None:
    parsed = allowed.get("parse") or []
    for index, kind in enumerate(parsed):
        form.one_of((*path, "parse", index), kind, ("users", "roles", "everyone"))
    for kind in ("users", "roles"):
        form.count((*path, kind), allowed.get(kind) or [], 0, 100)
        for index, named in enumerate(allowed.get(kind) or []):
            if not isinstance(named, str):
                message = f"{named} is not an id written as text."
                form.add((*path, kind, index), "BASE_TYPE_BAD_STRING", message)
        if kind in parsed and allowed.get(kind):
            message = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            form.add(path, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)
