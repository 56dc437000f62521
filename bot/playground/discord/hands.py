"""Discord's client: allows exactly what the real client would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bot.playground.discord.answers import Answer
from bot.playground.discord.commands import may_use, shown_name
from bot.playground.discord.component_limits import SELECTS, ComponentType
from bot.playground.discord.context_menus import command_on, target_data
from bot.playground.discord.interactions import Interaction, Kind
from bot.playground.discord.members import Member
from bot.playground.discord.modals import filled_modal
from bot.playground.discord.payloads import Payload, walk_components
from bot.playground.discord.permissions import Permission
from bot.playground.discord.refusals import CannotSend
from bot.playground.discord.selects import chosen
from bot.playground.discord.slash_options import Picker, fill, fill_unfinished, nest

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord
    from bot.playground.discord.messages import Posted
    from bot.playground.discord.servers import Channel


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
