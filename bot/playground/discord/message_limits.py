"""What Discord demands: of a request's body, by its own API description, and of a message."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any

from jsonschema_rs import Draft202012Validator, Registry, ValidationError, ValidationErrorKind

from bot.playground.discord.payloads import Form, Path, Payload, Refusal, walk_components

_ADDRESS = "urn:discord"
_BRACES = str.maketrans({"{": "%7B", "}": "%7D"})


class Description:
    """Every operation Discord describes, with the schema of its request body."""

    def __init__(self, path: pathlib.Path) -> None:
        self._document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        self._document["components"]["schemas"]["SnowflakeType"] = {"type": "integer"}
        _take_texts_as_integers(self._document)
        self._registry = Registry([(_ADDRESS, self._document)])
        self._validators: dict[tuple[str, str], Draft202012Validator | None] = {}
        templates: list[str] = sorted(self._document["paths"], key=lambda template: template.count("{"))
        self._templates = [(_matcher(template), template) for template in templates]

    def problem(self, method: str, path: str, body: object) -> str | None:
        """What is wrong with a request, in one sentence; None if nothing is."""
        template = self._template(method, path)
        if template is None:
            return f"Discord describes no operation {method} {path}"
        validator = self._validator(method, template)
        if validator is None or body is None or validator.is_valid(body):
            return None
        error = _innermost(validator.iter_errors(body))
        place = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in error.instance_path)
        return f"{method} {template}: ${place}: {error.message[:300]}"

    def _template(self, method: str, path: str) -> str | None:
        for matcher, template in self._templates:
            if matcher.fullmatch(path) and method.lower() in self._document["paths"][template]:
                return template
        return None

    def _validator(self, method: str, template: str) -> Draft202012Validator | None:
        key = (method, template)
        if key not in self._validators:
            operation = self._document["paths"][template][method.lower()]
            content = operation.get("requestBody", {}).get("content", {})
            self._validators[key] = None
            if "application/json" in content:
                place = template.replace("~", "~0").replace("/", "~1").translate(_BRACES)
                pointer = (
                    f"{_ADDRESS}#/paths/{place}/{method.lower()}/requestBody/content/application~1json/schema"
                )
                self._validators[key] = Draft202012Validator({"$ref": pointer}, registry=self._registry)
        return self._validators[key]


def _take_texts_as_integers(schema: object) -> None:
    """Let a schema take digits for integers: ids and permission sets are described as either, and sent so."""
    if isinstance(schema, list):
        for one in schema:
            _take_texts_as_integers(one)
    elif isinstance(schema, dict):
        for one in schema.values():
            _take_texts_as_integers(one)
        types = schema.get("type")
        types = types if isinstance(types, list) else [types]
        if "integer" in types and "string" not in types:
            schema.update(type=[*types, "string"], pattern="^-?[0-9]+$")


def _innermost(errors: Iterable[ValidationError]) -> ValidationError:
    """The innermost problem; of a union, that of the variant that fits best."""
    error = max(errors, key=_depth)
    while isinstance(error.kind, ValidationErrorKind.AnyOf | ValidationErrorKind.OneOfNotValid):
        error = max((inner for variant in error.kind.context for inner in variant), key=_depth)
    return error


def _depth(error: ValidationError) -> int:
    return len(error.instance_path)


def _matcher(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{[^}]*\}", template)
    return re.compile("[^/]+".join(map(re.escape, parts)))


_JOINERS = {0x200D, 0xFE0F, 0x20E3}
_SINGLE = (
    "©®‼⁉™ℹ↩↪⌚⌛⌨⏏Ⓜ▪▫▶◀☎☑☔☕☘☝☠☢☣☦☪☮☯♀♂♟♠♣♥♦♨♻♾♿⚙⚛⚜⚠⚡⚧⚪⚫⚰⚱⚽⚾⛄⛅⛈⛎⛏⛑⛓⛔⛩⛪⛽✂✅✏✒✔✖✝✡✨✳✴❄❇❌❎❓❔❕❗❣❤"
    "➕➖➗➡➰➿⤴⤵⬅⬆⬇⬛⬜⭐⭕〰〽㊗㊙🀄🃏🅰🅱🅾🅿🆎🈁🈂🈚🈯🉐🉑🟰#*0123456789"
)
_RANGES = (
    (0x2194, 0x2199),
    (0x23E9, 0x23F3),
    (0x23F8, 0x23FA),
    (0x25FB, 0x25FE),
    (0x2600, 0x2604),
    (0x2638, 0x263A),
    (0x2648, 0x2653),
    (0x2692, 0x2697),
    (0x26F0, 0x26F5),
    (0x26F7, 0x26FA),
    (0x2708, 0x270D),
    (0x1F191, 0x1F19A),
    (0x1F1E6, 0x1F1FF),
    (0x1F232, 0x1F23A),
    (0x1F300, 0x1F64F),
    (0x1F680, 0x1F6FF),
    (0x1F7E0, 0x1F7EB),
    (0x1F90C, 0x1F9FF),
    (0x1FA70, 0x1FAFF),
    (0xE0020, 0xE007F),
)


def check_emojis(form: Form, path: Path, components: list[Payload], own: list[Payload]) -> None:
    """Check the emoji of components: real Unicode emoji, or the application's own by their ids."""
    known = {emoji["id"] for emoji in own}
    for component in walk_components(components):
        for holder in (component, *(component.get("options") or [])):
            emoji = holder.get("emoji") or {}
            if not emoji:
                continue
            number, name = emoji.get("id"), str(emoji.get("name") or "")
            if str(number) not in known if number else not is_emoji(name):
                form.add(path, "COMPONENT_INVALID_EMOJI", f"Invalid emoji: {name!r}")


def is_emoji(text: str) -> bool:
    """Whether the text consists of emoji characters and joiners only."""
    codes = [ord(character) for character in text if ord(character) not in _JOINERS]
    return bool(codes) and all(chr(code) in _SINGLE or _is_in_range(code) for code in codes)


def _is_in_range(code: int) -> bool:
    return any(first <= code <= last for first, last in _RANGES)


class ComponentType(IntEnum):
    """Discord's numbers for its components."""

    ROW = 1
    BUTTON = 2
    SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


T = ComponentType
SELECTS = (T.SELECT, T.USER_SELECT, T.ROLE_SELECT, T.MENTIONABLE_SELECT, T.CHANNEL_SELECT)
LAYOUT_TOP = (T.ROW, T.SECTION, T.TEXT_DISPLAY, T.GALLERY, T.FILE, T.SEPARATOR, T.CONTAINER)
IN_LABEL = (T.TEXT_INPUT, *SELECTS, T.FILE_UPLOAD, T.RADIO_GROUP, T.CHECKBOX_GROUP, T.CHECKBOX)
LINK_STYLE, PREMIUM_STYLE = 5, 6
MAX_ROWS, MAX_IN_ROW, MAX_LAYOUT_COMPONENTS, MAX_LAYOUT_CHARACTERS = 5, 5, 40, 4000


def check_rows(form: Form, path: Path, components: list[Payload]) -> None:
    """Check the classic components: up to five rows of buttons, or of one select each."""
    form.count(path, components, 0, MAX_ROWS)
    for index, row in enumerate(components):
        if form.one_of((*path, index, "type"), row.get("type"), (T.ROW,)):
            _check_row(form, (*path, index), row)
    _check_identity(form, path, components)


def check_layout(form: Form, path: Path, components: list[Payload]) -> None:
    """Check Components V2."""
    for index, component in enumerate(components):
        _check_layout_component(form, (*path, index), component, LAYOUT_TOP)
    everything = list(walk_components(components))
    if len(everything) > MAX_LAYOUT_COMPONENTS:
        message = f"A message has at most {MAX_LAYOUT_COMPONENTS} components, this has {len(everything)}"
        form.add(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message)
    if (size := sum(len(component.get("content") or "") for component in everything)) > MAX_LAYOUT_CHARACTERS:
        message = f"The text of all components is at most {MAX_LAYOUT_CHARACTERS} characters, this is {size}"
        form.add(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)
    _check_identity(form, path, components)


def check_modal(form: Form, path: Path, modal: Payload) -> None:
    """Check a modal."""
    form.text((*path, "title"), modal.get("title"), 1, 45)
    form.text((*path, "custom_id"), modal.get("custom_id"), 1, 100)
    components = modal.get("components") or []
    path = (*path, "components")
    form.count(path, components, 1, 5)
    for index, component in enumerate(components):
        place = (*path, index)
        if not form.one_of((*place, "type"), component.get("type"), (T.ROW, T.LABEL, T.TEXT_DISPLAY)):
            continue
        if component["type"] == T.TEXT_DISPLAY:
            form.text((*place, "content"), component.get("content"), 1, 4000)
        elif component["type"] == T.LABEL:
            _check_label(form, place, component)
        else:
            inner = component.get("components") or []
            if form.count((*place, "components"), inner, 1, 1):
                _check_text_input(form, (*place, "components", 0), inner[0], labelled=True)
    _check_identity(form, path, components)


def _check_identity(form: Form, path: Path, components: list[Payload]) -> None:
    everything = list(walk_components(components))
    custom_ids = [component["custom_id"] for component in everything if component.get("custom_id")]
    form.unique(
        path, custom_ids, "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
    )
    numbers = [component["id"] for component in everything if component.get("id")]
    form.unique(path, numbers, "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")


def _check_row(form: Form, path: Path, row: Payload) -> None:
    inner = row.get("components") or []
    path = (*path, "components")
    if not form.count(path, inner, 1, MAX_IN_ROW):
        return
    for index, component in enumerate(inner):
        kind = component.get("type")
        if not form.one_of((*path, index, "type"), kind, (T.BUTTON, *SELECTS)):
            continue
        if kind == T.BUTTON:
            _check_button(form, (*path, index), component)
        else:
            check_select(form, (*path, index), component)
    if len(inner) > 1 and any(component.get("type") in SELECTS for component in inner):
        form.add(path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")


def _check_button(form: Form, path: Path, button: Payload) -> None:
    style = button.get("style")
    if not form.text((*path, "label"), button.get("label"), 0, 80):
        return
    if not form.one_of((*path, "style"), style, range(1, PREMIUM_STYLE + 1)):
        return
    if style == PREMIUM_STYLE:
        return
    if not (button.get("label") or "").strip() and not button.get("emoji"):
        form.add(path, "BUTTON_COMPONENT_MUST_HAVE_LABEL_OR_EMOJI", "A button must have a label or an emoji")
    if style == LINK_STYLE:
        form.text((*path, "url"), button.get("url"), 1, 512)
        if button.get("custom_id"):
            message = "A custom id and url cannot both be specified"
            form.add((*path, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message)
        return
    form.text((*path, "custom_id"), button.get("custom_id"), 1, 100)
    if button.get("url"):
        message = "A custom id and url cannot both be specified"
        form.add((*path, "url"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message)


def check_select(form: Form, path: Path, select: Payload) -> None:
    """Check a select menu, in a message or a modal."""
    form.text((*path, "custom_id"), select.get("custom_id"), 1, 100)
    form.text((*path, "placeholder"), select.get("placeholder"), 0, 150)
    if not _check_bounds(form, path, select, 25):
        return
    lowest, highest = select.get("min_values"), select.get("max_values")
    if select["type"] != T.SELECT:
        form.count((*path, "default_values"), select.get("default_values") or [], 0, 25)
        return
    options = select.get("options") or []
    if not form.count((*path, "options"), options, 1, 25):
        return
    for name, value in (("min_values", lowest), ("max_values", highest)):
        if value is not None and value > len(options):
            form.add((*path, name), "SELECT_COMPONENT_MAX_VALUES", f"{name} is above the number of options")
    _check_options(form, (*path, "options"), options)
    if sum(bool(option.get("default")) for option in options) > (highest or 1):
        message = "More options are chosen beforehand than may be chosen"
        form.add((*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", message)


def _check_bounds(form: Form, path: Path, component: Payload, ceiling: int) -> bool:
    """Check how many values may be chosen: a checkbox group takes all of its options if it does not say."""
    lowest, highest = component.get("min_values"), component.get("max_values")
    fits = form.number((*path, "min_values"), lowest, 0, ceiling)
    if not form.number((*path, "max_values"), highest, 1, ceiling) or not fits:
        return False
    if highest is None:
        highest = ceiling if component["type"] == T.CHECKBOX_GROUP else 1
    if (1 if lowest is None else lowest) > highest:
        form.add((*path, "min_values"), "SELECT_COMPONENT_MIN_VALUES", "min_values is above max_values")
    return True


def _check_options(form: Form, path: Path, options: list[Payload]) -> None:
    for index, option in enumerate(options):
        form.text((*path, index, "label"), option.get("label"), 1, 100)
        form.text((*path, index, "value"), option.get("value"), 1, 100)
        form.text((*path, index, "description"), option.get("description"), 0, 100)
    values = [option.get("value") for option in options]
    message = "The specified option value is already used"
    form.unique(path, values, "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message)


def _check_layout_component(form: Form, path: Path, component: Payload, allowed: tuple[int, ...]) -> None:
    kind = component.get("type")
    if not form.one_of((*path, "type"), kind, allowed):
        return
    if kind == T.ROW:
        _check_row(form, path, component)
    elif kind == T.TEXT_DISPLAY:
        form.text((*path, "content"), component.get("content"), 1, MAX_LAYOUT_CHARACTERS)
    elif kind == T.SECTION:
        _check_section(form, path, component)
    elif kind == T.GALLERY:
        items = component.get("items") or []
        form.count((*path, "items"), items, 1, 10)
        for index, item in enumerate(items):
            _check_media(form, (*path, "items", index), item, "media")
    elif kind == T.FILE:
        _check_media(form, path, component, "file", attachment_only=True)
    elif kind == T.SEPARATOR:
        form.number((*path, "spacing"), component.get("spacing"), 1, 2)
    elif kind == T.CONTAINER:
        inner = component.get("components") or []
        form.count((*path, "components"), inner, 1, MAX_LAYOUT_COMPONENTS)
        form.number((*path, "accent_color"), component.get("accent_color"), 0, 0xFFFFFF)
        nested = tuple(kind for kind in LAYOUT_TOP if kind != T.CONTAINER)
        for index, child in enumerate(inner):
            _check_layout_component(form, (*path, "components", index), child, nested)


def _check_section(form: Form, path: Path, section: Payload) -> None:
    texts = section.get("components") or []
    form.count((*path, "components"), texts, 1, 3)
    for index, text in enumerate(texts):
        _check_layout_component(form, (*path, "components", index), text, (T.TEXT_DISPLAY,))
    accessory = section.get("accessory")
    if not isinstance(accessory, dict):
        form.add((*path, "accessory"), "BASE_TYPE_REQUIRED", "This field is required")
    elif form.one_of((*path, "accessory", "type"), accessory.get("type"), (T.BUTTON, T.THUMBNAIL)):
        if accessory["type"] == T.BUTTON:
            _check_button(form, (*path, "accessory"), accessory)
        else:
            _check_media(form, (*path, "accessory"), accessory, "media")


def _check_media(form: Form, path: Path, holder: Payload, key: str, *, attachment_only: bool = False) -> None:
    url = (holder.get(key) or {}).get("url")
    schemes = ("attachment://",) if attachment_only else ("attachment://", "http://", "https://")
    if form.text((*path, key, "url"), url, 1, 2048) and not str(url).startswith(schemes):
        form.add(
            (*path, key, "url"), "URL_TYPE_INVALID_SCHEME", f'Scheme of "{url}" must be one of {schemes}.'
        )
    form.text((*path, "description"), holder.get("description"), 0, 1024)


def _check_label(form: Form, path: Path, label: Payload) -> None:
    form.text((*path, "label"), label.get("label"), 1, 45)
    form.text((*path, "description"), label.get("description"), 0, 100)
    inner = label.get("component")
    path = (*path, "component")
    if not isinstance(inner, dict):
        form.add(path, "BASE_TYPE_REQUIRED", "This field is required")
        return
    if not form.one_of((*path, "type"), inner.get("type"), IN_LABEL):
        return
    kind = inner["type"]
    if kind == T.TEXT_INPUT:
        _check_text_input(form, path, inner, labelled=False)
    elif kind in SELECTS:
        check_select(form, path, inner)
        if inner.get("disabled"):
            form.add((*path, "disabled"), "COMPONENT_INVALID", "A select in a modal cannot be disabled")
    else:
        form.text((*path, "custom_id"), inner.get("custom_id"), 1, 100)
        if kind == T.RADIO_GROUP:
            _check_group(form, path, inner, least=2, most_chosen=1)
        elif kind == T.CHECKBOX_GROUP:
            _check_bounds(form, path, inner, 10)
            _check_group(form, path, inner, least=1, most_chosen=inner.get("max_values") or 10)
            if inner.get("min_values") == 0 and inner.get("required", True):
                message = "A checkbox group that takes no choice cannot be required"
                form.add((*path, "required"), "COMPONENT_INVALID", message)
        elif kind == T.FILE_UPLOAD:
            _check_bounds(form, path, inner, 10)


def _check_group(form: Form, path: Path, group: Payload, *, least: int, most_chosen: int) -> None:
    options = group.get("options") or []
    if not form.count((*path, "options"), options, least, 10):
        return
    _check_options(form, (*path, "options"), options)
    for name in ("min_values", "max_values"):
        if (group.get(name) or 0) > len(options):
            form.add((*path, name), "SELECT_COMPONENT_MAX_VALUES", f"{name} is above the number of options")
    if sum(bool(option.get("default")) for option in options) > most_chosen:
        message = "More options are chosen beforehand than may be chosen"
        form.add((*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", message)


def _check_text_input(form: Form, path: Path, text_input: Payload, *, labelled: bool) -> None:
    if not form.one_of((*path, "type"), text_input.get("type"), (T.TEXT_INPUT,)):
        return
    form.text((*path, "custom_id"), text_input.get("custom_id"), 1, 100)
    form.text((*path, "label"), text_input.get("label"), 1 if labelled else 0, 45)
    form.one_of((*path, "style"), text_input.get("style"), (1, 2))
    form.text((*path, "placeholder"), text_input.get("placeholder"), 0, 100)
    lowest, highest = text_input.get("min_length"), text_input.get("max_length")
    fits = form.number((*path, "min_length"), lowest, 0, 4000)
    if not form.number((*path, "max_length"), highest, 1, 4000) or not fits:
        return
    if lowest is not None and highest is not None and lowest > highest:
        form.add((*path, "min_length"), "TEXT_INPUT_COMPONENT_MIN_LENGTH", "min_length is above max_length")
    value = text_input.get("value")
    if value:
        form.text((*path, "value"), value, lowest or 0, highest or 4000)


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
