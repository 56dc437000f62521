"""Discord's client: allows exactly what the real client would."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bot.playground.discord import commands
from bot.playground.discord.commands import TypedCommand, command_on, may_use, shown_name, target_data
from bot.playground.discord.interactions import Answer, Interaction, Kind
from bot.playground.discord.message_limits import SELECTS, ComponentType
from bot.playground.discord.messages import SIZE_LIMIT_BYTES
from bot.playground.discord.payloads import CannotSend, Payload, Upload, walk_components
from bot.playground.discord.servers import Channel, Member, Permission, Role, Server

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord
    from bot.playground.discord.messages import Posted


PICKED_KIND = {
    ComponentType.USER_SELECT: commands.USER,
    ComponentType.ROLE_SELECT: commands.ROLE,
    ComponentType.MENTIONABLE_SELECT: commands.MENTIONABLE,
    ComponentType.CHANNEL_SELECT: commands.CHANNEL,
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
        return [picker.pick(commands.ATTACHMENT, value) for value in values]
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


LIMIT_WORDS = f"{SIZE_LIMIT_BYTES // 1024**2} MB"
PICKED = (commands.USER, commands.CHANNEL, commands.ROLE, commands.MENTIONABLE)


class Picker:
    """Turns what a person picked into ids, and collects what those ids stand for."""

    def __init__(self, discord: LocalDiscord, server: Server, channel: Channel) -> None:
        self._discord = discord
        self._server = server
        self._channel = channel
        self.resolved: Payload = {}

    def pick(self, kind: int, value: object) -> str:
        """The id of a picked user, channel, role or file.

        Raises:
            CannotSend: There is no such thing to pick here.
        """
        if kind == commands.ATTACHMENT:
            if not isinstance(value, Upload):
                raise CannotSend("This option takes a file")
            if len(value.content) > SIZE_LIMIT_BYTES:
                raise CannotSend(f"{value.filename} is too large: a file has at most {LIMIT_WORDS}.")
            attachment = self._discord.files.keep(value, self._channel.id, is_ephemeral=True)
            self._note("attachments", attachment["id"], attachment)
            return str(attachment["id"])
        picked = self._found(kind, value)
        if picked is None:
            raise CannotSend(f"{value!r} is nothing that can be picked here")
        if isinstance(picked, Member):
            self._note("users", picked.id, picked.user_payload())
            self._note("members", picked.id, self._member_part(picked))
        elif isinstance(picked, Role):
            self._note("roles", picked.id, picked.payload())
        else:
            self._note("channels", picked.id, picked.payload() | {"permissions": "0"})
        return str(picked.id)

    def _note(self, what: str, number: object, payload: Payload) -> None:
        self.resolved.setdefault(what, {})[str(number)] = payload

    def _member_part(self, member: Member) -> Payload:
        payload = member.payload(self._channel)
        return {key: payload[key] for key in payload if key not in ("user", "deaf", "mute")}

    def _found(self, kind: int, value: object) -> Member | Role | Channel | None:
        members: list[Member | Role | Channel] = [*self._server.members]
        roles: list[Member | Role | Channel] = [*self._server.roles]
        channels: list[Member | Role | Channel] = [*self._server.channels]
        among = {
            commands.USER: members,
            commands.ROLE: roles,
            commands.CHANNEL: channels,
            commands.MENTIONABLE: members + roles,
        }[kind]
        return next((thing for thing in among if thing is value or str(thing.id) == str(value)), None)


def fill(
    typed: TypedCommand, given: Mapping[str, object], picker: Picker, *, unchecked: bool
) -> list[Payload]:
    """The options to send, in the definition's order.

    Args:
        given: What the person entered, by option name.
        picker: Finds what was picked.
        unchecked: Whether to send what the client would not let anybody send.

    Raises:
        CannotSend: What the client says about an option that does not fit.
    """
    for name in given:
        typed.option(name)
    filled: list[Payload] = []
    for option in typed.options:
        value = given.get(option["name"])
        if value is None:
            if option.get("required") and not unchecked:
                raise CannotSend(f"{option['name']}: This option is required. Specify a value.")
            continue
        filled.append(
            {
                "name": option["name"],
                "type": option["type"],
                "value": _value(option, value, picker, unchecked=unchecked),
            }
        )
    return filled


def fill_unfinished(
    typed: TypedCommand, focused: str, text: str, given: Mapping[str, object], picker: Picker
) -> list[Payload]:
    """The options that an autocomplete sends: those filled in so far, and the one being typed.

    Raises:
        CannotSend: The option does not autocomplete.
    """
    if not typed.option(focused).get("autocomplete"):
        raise CannotSend(f"{focused} does not autocomplete")
    filled: list[Payload] = []
    for option in typed.options:
        name = option["name"]
        if name == focused:
            filled.append({"name": name, "type": option["type"], "value": text, "focused": True})
        elif given.get(name) is not None:
            value = _value(option, given[name], picker, unchecked=True)
            filled.append({"name": name, "type": option["type"], "value": value})
    return filled


def nest(typed: TypedCommand, filled: list[Payload]) -> list[Payload]:
    """The options inside their sub-command and group, as the payload has them."""
    nested = filled
    for part in reversed(typed.path):
        nested = [{"name": part["name"], "type": part["type"], "options": nested}]
    return nested


def _value(option: Payload, value: object, picker: Picker, *, unchecked: bool) -> object:
    kind = option["type"]
    if kind in PICKED or kind == commands.ATTACHMENT:
        if kind == commands.CHANNEL and not unchecked:
            allowed = option.get("channel_types")
            if allowed and isinstance(value, Channel) and value.type.number not in allowed:
                raise CannotSend(f"{option['name']}: This kind of channel cannot be picked.")
        return picker.pick(kind, value)
    if kind == commands.BOOLEAN:
        if not isinstance(value, bool) and not unchecked:
            raise CannotSend(f"{option['name']}: Must be true or false.")
        return value
    for choice in option.get("choices") or []:
        if value in (choice["name"], choice["value"]):
            return choice["value"]
    if unchecked:
        return value
    if option.get("choices"):
        raise CannotSend(f"{option['name']}: This is not one of the choices.")
    return _option_text(option, value) if kind == commands.STRING else _number(option, value)


def _option_text(option: Payload, value: object) -> str:
    if not isinstance(value, str):
        raise CannotSend(f"{option['name']}: Enter a text.")
    text = value.strip()
    lowest, highest = option.get("min_length"), option.get("max_length") or commands.MAX_STRING_LENGTH
    if not text and option.get("required"):
        raise CannotSend(f"{option['name']}: This option is required. Specify a value.")
    if lowest is not None and len(text) < lowest:
        raise CannotSend(f"{option['name']}: Must be {lowest} characters or more.")
    if len(text) > highest:
        raise CannotSend(f"{option['name']}: Must be {highest} characters or fewer.")
    return text


def _number(option: Payload, value: object) -> int | float:
    is_whole = option["type"] == commands.INTEGER
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError(value)
        number = int(str(value)) if is_whole else float(value)
    except ValueError:
        what = "a valid integer" if is_whole else "a valid number"
        raise CannotSend(f"{option['name']}: Input {what}.") from None
    lowest = option.get("min_value", -commands.SAFE_INTEGER)
    highest = option.get("max_value", commands.SAFE_INTEGER)
    if number < lowest:
        raise CannotSend(f"{option['name']}: Must be {lowest} or more.")
    if number > highest:
        raise CannotSend(f"{option['name']}: Must be {highest} or less.")
    return number


class Hands:
    """The actions of a member."""

    def __init__(self, discord: LocalDiscord) -> None:
        self._discord = discord

    async def command(
        self,
        member: Member,
        line: str,
        given: Mapping[str, object],
        channel: Channel | None,
        *,
        unchecked: bool,
    ) -> Answer:
        """Send a slash command."""
        where = channel or member.server.channels[0]
        typed = await self._discord.offered(line, member.server, unchecked=unchecked)
        if not unchecked:
            self._check_may_type(member, typed.command, where)
        picker = Picker(self._discord, member.server, where)
        filled = fill(typed, given, picker, unchecked=unchecked)
        data = self._command_data(typed.command, nest(typed, filled), picker)
        return await self._answer(self._discord.interactions.start(Kind.COMMAND, member, where, data))

    async def autocomplete(
        self,
        member: Member,
        line: str,
        option: str,
        text: str,
        others: Mapping[str, object],
        channel: Channel | None,
        *,
        unchecked: bool = False,
    ) -> list[Payload]:
        """Ask what an option offers."""
        where = channel or member.server.channels[0]
        typed = await self._discord.offered(line, member.server, unchecked=unchecked)
        picker = Picker(self._discord, member.server, where)
        filled = fill_unfinished(typed, option, text, others, picker)
        data = self._command_data(typed.command, nest(typed, filled), picker)
        answer = await self._answer(self._discord.interactions.start(Kind.AUTOCOMPLETE, member, where, data))
        return answer.choices

    async def use(
        self,
        member: Member,
        name: str,
        on: Member | Payload | Answer,
        channel: Channel | None,
        *,
        unchecked: bool,
    ) -> Answer:
        """Use a command from the context menu of a person or message."""
        where = channel or member.server.channels[0]
        target = on if isinstance(on, Member) else self._seen(member, on, unchecked=unchecked)
        if not isinstance(target, Member):
            where = target.channel
        command = command_on(self._discord.registry.offered(member.server), name, target)
        if not unchecked:
            self._check_may_type(member, command, where)
        picker = Picker(self._discord, member.server, where)
        data = target_data(target, picker) | self._command_data(command, [], picker)
        return await self._answer(self._discord.interactions.start(Kind.COMMAND, member, where, data))

    async def press(self, member: Member, message: Payload | Answer, name: str, *, unchecked: bool) -> Answer:
        """Press a button."""
        posted = self._seen(member, message, unchecked=unchecked)
        buttons = [
            item
            for item in walk_components(posted.payload["components"])
            if item["type"] == ComponentType.BUTTON
        ]
        button = _named(buttons, name, ("custom_id", "label"))
        if (
            button is None
            and len(matching := [b for b in buttons if (b.get("emoji") or {}).get("name") == name]) == 1
        ):
            button = matching[0]
        if button is None:
            raise CannotSend(f"There is no button {name!r}; there are {[b.get('label') for b in buttons]}")
        if not button.get("custom_id"):
            raise CannotSend(f"The button {name!r} only opens a link")
        if button.get("disabled") and not unchecked:
            raise CannotSend(f"The button {name!r} is disabled")
        data: Payload = {
            "custom_id": button["custom_id"],
            "component_type": button["type"],
            "id": button["id"],
        }
        return await self._component(member, posted, data)

    async def select(
        self,
        member: Member,
        message: Payload | Answer,
        name: str,
        values: Sequence[object],
        *,
        unchecked: bool,
    ) -> Answer:
        """Choose in a select menu."""
        posted = self._seen(member, message, unchecked=unchecked)
        menus = [item for item in walk_components(posted.payload["components"]) if item["type"] in SELECTS]
        menu = _named(menus, name, ("custom_id", "placeholder"))
        if menu is None:
            raise CannotSend(f"There is no menu {name!r}; there are {[m.get('placeholder') for m in menus]}")
        if menu.get("disabled") and not unchecked:
            raise CannotSend(f"The menu {name!r} is disabled")
        picker = Picker(self._discord, member.server, posted.channel)
        picked = chosen(menu, values, picker, unchecked=unchecked)
        data: Payload = {"custom_id": menu["custom_id"], "component_type": menu["type"], "id": menu["id"]}
        data["values"] = picked
        if menu["type"] != ComponentType.SELECT:
            data["resolved"] = picker.resolved
        return await self._component(member, posted, data)

    async def submit(
        self, member: Member, opened: Answer | Interaction, values: Mapping[str, object], *, unchecked: bool
    ) -> Answer:
        """Send a filled form."""
        interaction = opened.interaction if isinstance(opened, Answer) else opened
        if interaction.modal is None:
            raise CannotSend("No form is open")
        picker = Picker(self._discord, member.server, interaction.channel)
        data = filled_modal(interaction.modal, values, picker, unchecked=unchecked)
        started = self._discord.interactions.start(
            Kind.MODAL, member, interaction.channel, data, source=interaction.source
        )
        return await self._answer(started)

    async def _component(self, member: Member, posted: Posted, data: Payload) -> Answer:
        started = self._discord.interactions.start(
            Kind.COMPONENT, member, posted.channel, data, source=posted
        )
        return await self._answer(started)

    async def _answer(self, interaction: Interaction) -> Answer:
        return await Answer(interaction).settled(self._discord.patience_seconds)

    @staticmethod
    def _check_may_type(member: Member, command: Payload, where: Channel) -> None:
        if where.server is not member.server:
            raise CannotSend(f"{member.name} is not in the server of #{where.name}")
        permissions = member.permissions_in(where)
        if not permissions & Permission.VIEW_CHANNEL:
            raise CannotSend(f"{member.name} does not see #{where.name}")
        if not permissions & Permission.USE_APPLICATION_COMMANDS:
            raise CannotSend(f"{member.name} may not use commands in #{where.name}")
        if not may_use(command, permissions):
            raise CannotSend(
                f"{shown_name(command)} is not shown to {member.name}, who lacks the permissions it needs"
            )

    def _command_data(self, command: Payload, options: list[Payload], picker: Picker) -> Payload:
        data: Payload = {
            "id": command["id"],
            "name": command["name"],
            "type": command["type"],
        }
        if options:
            data["options"] = options
        if picker.resolved:
            data["resolved"] = picker.resolved
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        return data

    def _seen(self, member: Member, message: Payload | Answer, *, unchecked: bool) -> Posted:
        payload = message.message if isinstance(message, Answer) else message
        if payload is None:
            raise CannotSend("There is no message to act on")
        posted = self._discord.posted(int(payload["channel_id"]), int(payload["id"]))
        if posted is None:
            raise CannotSend("The message is gone")
        if posted.channel.server is not member.server and posted.channel.server is not None:
            raise CannotSend(f"{member.name} is not in the server of this message")
        may_view = bool(member.permissions_in(posted.channel) & Permission.VIEW_CHANNEL)
        is_shown = may_view and posted.visible_to in (None, member.id)
        if not unchecked and not is_shown:
            raise CannotSend(f"{member.name} does not see this message")
        return posted


def _named(components: list[Payload], name: str, keys: tuple[str, ...]) -> Payload | None:
    """The component that has this name under one of the keys, the earlier key first."""
    for key in keys:
        for component in components:
            if component.get(key) == name:
                return component
    return None
