"""Choosing in a select menu of a message or modal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.playground.discord import definitions
from bot.playground.discord.component_limits import ComponentType
from bot.playground.discord.payloads import Payload
from bot.playground.discord.refusals import CannotSend

if TYPE_CHECKING:
    from bot.playground.discord.slash_options import Picker

PICKED_KIND = {
    ComponentType.USER_SELECT: definitions.USER,
    ComponentType.ROLE_SELECT: definitions.ROLE,
    ComponentType.MENTIONABLE_SELECT: definitions.MENTIONABLE,
    ComponentType.CHANNEL_SELECT: definitions.CHANNEL,
}


def chosen(menu: Payload, values: Sequence[object], picker: Picker, *, unchecked: bool) -> list[str]:
    """The values to send for what a person chose.

    Raises:
        CannotSend: One of them is not offered, or they are too many or too few.
    """
    lowest, highest = menu.get("min_values", 1), menu.get("max_values", 1)
    lowest, highest = 1 if lowest is None else lowest, 1 if highest is None else highest
    if not unchecked and not lowest <= len(values) <= highest:
        raise CannotSend(f"Choose {lowest} to {highest}, not {len(values)}")
    kind = PICKED_KIND.get(ComponentType(menu["type"]))
    if kind is not None:
        return [picker.pick(kind, value) for value in values]
    return [option_value(menu, value, unchecked=unchecked) for value in values]


def option_value(menu: Payload, wanted: object, *, unchecked: bool) -> str:
    """The value of the option with this label or value.

    Raises:
        CannotSend: There is no such option.
    """
    options = menu.get("options") or []
    for key in ("value", "label"):
        for option in options:
            if option[key] == wanted:
                return str(option["value"])
    if unchecked:
        return str(wanted)
    raise CannotSend(f"There is no option {wanted!r}; there are {[option['label'] for option in options]}")
