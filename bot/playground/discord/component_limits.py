"""What Discord demands of the buttons, selects and layouts of a message, and of a modal's fields."""

from __future__ import annotations

from enum import IntEnum

from bot.playground.discord.payloads import Payload, walk_components
from bot.playground.discord.refusals import Form, Path


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
