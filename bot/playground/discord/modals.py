"""Filling in a form, with the checks of Discord's client."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bot.playground.discord import definitions
from bot.playground.discord.component_limits import SELECTS, ComponentType
from bot.playground.discord.payloads import Payload
from bot.playground.discord.refusals import CannotSend
from bot.playground.discord.selects import chosen, option_value

if TYPE_CHECKING:
    from bot.playground.discord.slash_options import Picker


def filled_modal(modal: Payload, values: Mapping[str, object], picker: Picker, *, unchecked: bool) -> Payload:
    """The data of a submitted form.

    Args:
        modal: The form as the bot sent it.
        values: What the person entered, by label (also as_a_name) or custom id; the rest stays as it was.
        picker: Finds what was picked.
        unchecked: Whether to send what the client would not let anybody send.

    Raises:
        CannotSend: What the client says about a value that does not fit.
    """
    left = dict(values)
    components = []
    for top in modal["components"]:
        if top["type"] == ComponentType.TEXT_DISPLAY:
            components.append({"type": top["type"], "id": top["id"]})
            continue
        is_label = top["type"] == ComponentType.LABEL
        field = top["component"] if is_label else top["components"][0]
        label = (top if is_label else field).get("label") or ""
        given = _take(left, label, field["custom_id"])
        sent = {"type": field["type"], "id": field["id"], "custom_id": field["custom_id"]}
        sent |= _entered(field, label, given, picker, unchecked=unchecked)
        holder = {"component": sent} if is_label else {"components": [sent]}
        components.append({"type": top["type"], "id": top["id"], **holder})
    if left:
        raise CannotSend(f"The form has no field {next(iter(left))!r}")
    data: Payload = {"custom_id": modal["custom_id"], "components": components}
    return data | {"resolved": picker.resolved} if picker.resolved else data


def _as_name(label: str) -> str:
    return re.sub(r"\W+", "_", label.lower()).strip("_")


def _take(left: dict[str, object], label: str, custom_id: str) -> object:
    for key in (custom_id, label):
        if key in left:
            return left.pop(key)
    named = next((key for key in left if _as_name(key) in (_as_name(label), _as_name(custom_id))), None)
    return left.pop(named) if named is not None else None


def _entered(field: Payload, label: str, given: object, picker: Picker, *, unchecked: bool) -> Payload:
    kind = field["type"]
    if kind == ComponentType.TEXT_INPUT:
        return {"value": _text(field, label, given, unchecked=unchecked)}
    if kind == ComponentType.CHECKBOX:
        return {"value": bool(field.get("default") if given is None else given)}
    if kind == ComponentType.RADIO_GROUP:
        if given is None:
            given = next((option["value"] for option in field["options"] if option.get("default")), None)
        if given is None and field.get("required", True) and not unchecked:
            raise CannotSend(f"{label}: This field is required")
        return {"value": None if given is None else option_value(field, given, unchecked=unchecked)}
    return {"values": _several(field, label, given, picker, unchecked=unchecked)}


def _text(field: Payload, label: str, given: object, *, unchecked: bool) -> str:
    text = str(field.get("value") or "" if given is None else given)
    if unchecked:
        return text
    if not text.strip():
        if field.get("required", True):
            raise CannotSend(f"{label}: This field is required")
        return text
    if len(text) < (field.get("min_length") or 0):
        raise CannotSend(f"{label}: Must be {field['min_length']} or more in length.")
    if len(text) > (field.get("max_length") or 4000):
        raise CannotSend(f"{label}: Must be {field.get('max_length') or 4000} or fewer in length.")
    if field.get("style") == 1 and "\n" in text:
        raise CannotSend(f"{label}: This field takes one line")
    return text


def _several(field: Payload, label: str, given: object, picker: Picker, *, unchecked: bool) -> list[str]:
    options = field.get("options") or []
    if given is None:
        given = [option["value"] for option in options if option.get("default")]
    values: Sequence[object] = given if isinstance(given, list | tuple) else [given]
    is_required = field.get("required", True)
    if not values and not is_required:
        return []
    if not values and not unchecked:
        raise CannotSend(f"{label}: This field is required")
    if not unchecked:
        _check_count(field, label, values)
    if field["type"] in SELECTS:
        return chosen(field, values, picker, unchecked=unchecked)
    if field["type"] == ComponentType.FILE_UPLOAD:
        return [picker.pick(definitions.ATTACHMENT, value) for value in values]
    return [option_value(field, value, unchecked=unchecked) for value in values]


def _check_count(field: Payload, label: str, values: Sequence[object]) -> None:
    """Refuse more or fewer values than the field takes; a checkbox group takes all if it does not say."""
    options = field.get("options") or []
    lowest, highest = field.get("min_values"), field.get("max_values")
    if highest is None:
        highest = len(options) if field["type"] == ComponentType.CHECKBOX_GROUP else 1
    lowest = 1 if lowest is None else lowest
    if not lowest <= len(values) <= highest:
        raise CannotSend(f"{label}: Choose {lowest} to {highest}, not {len(values)}")
