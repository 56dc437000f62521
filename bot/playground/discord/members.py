"""People: their identity, what they see, and their actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntFlag
from typing import TYPE_CHECKING

from msgspec import Struct

from bot.playground.discord.payloads import Payload

if TYPE_CHECKING:
    from bot.playground.discord.interactions import Answer, Interaction
    from bot.playground.discord.local import LocalDiscord
    from bot.playground.discord.servers import Channel, Role, Server


class Permission(IntFlag):
    """The permissions that matter to a bot like ours, by Discord's bits."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_SERVER = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    SPEAK = 1 << 21
    CHANGE_NICKNAME = 1 << 26
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_EVENTS = 1 << 33
    CREATE_PUBLIC_THREADS = 1 << 35
    SEND_MESSAGES_IN_THREADS = 1 << 38
    CREATE_EVENTS = 1 << 44


NOTHING = Permission(0)
ALL = Permission((1 << 53) - 1)

EVERYONE = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.ADD_REACTIONS
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CONNECT
    | Permission.SPEAK
    | Permission.CHANGE_NICKNAME
)
"""What anybody may do in a new server."""


class Overwrite(Struct, frozen=True):
    """What a channel grants or denies to one role or person."""

    allow: Permission = NOTHING
    deny: Permission = NOTHING

    def over(self, base: Permission) -> Permission:
        """The permissions after this overwrite."""
        return (base & ~self.deny) | self.allow


def in_channel(
    base: Permission,
    overwrites: Mapping[int, Overwrite],
    everyone_id: int,
    role_ids: Iterable[int],
    user_id: int,
) -> Permission:
    """A person's permissions in one channel: @everyone's overwrite, then the roles', then their own."""
    if base & Permission.ADMINISTRATOR:
        return ALL
    result = overwrites.get(everyone_id, Overwrite()).over(base)
    roles = [overwrites[role_id] for role_id in role_ids if role_id in overwrites]
    allow, deny = NOTHING, NOTHING
    for overwrite in roles:
        allow, deny = allow | overwrite.allow, deny | overwrite.deny
    result = Overwrite(allow, deny).over(result)
    result = overwrites.get(user_id, Overwrite()).over(result)
    return result if result & Permission.VIEW_CHANNEL else NOTHING


class Member:
    """A person in a server, with their actions."""

    def __init__(self, discord: LocalDiscord, server: Server, id: int, name: str, roles: list[Role]) -> None:
        self.discord = discord
        self.server = server
        self.id = id
        self.name = name
        self.roles = roles
        self.locale = "en-US"

    def __repr__(self) -> str:
        return f"<Member {self.name} in {self.server.name}>"

    @property
    def mention(self) -> str:
        """The person's mention."""
        return f"<@{self.id}>"

    @property
    def permissions(self) -> Permission:
        """This person's permissions in the whole server."""
        if self is self.server.owner:
            return ALL
        held = self.server.everyone.permissions
        for role in self.roles:
            held |= role.permissions
        return ALL if held & Permission.ADMINISTRATOR else held

    def permissions_in(self, channel: Channel) -> Permission:
        """This person's permissions in one channel."""
        home = channel.parent if channel.is_thread and channel.parent else channel
        role_ids = [role.id for role in self.roles]
        return in_channel(self.permissions, home.overwrites, self.server.everyone.id, role_ids, self.id)

    def user_payload(self) -> Payload:
        """The person as Discord sends users."""
        return {
            "id": str(self.id),
            "username": self.name.lower().replace(" ", "_"),
            "global_name": self.name,
            "discriminator": "0",
            "avatar": None,
            "bot": False,
            "public_flags": 0,
        }

    def payload(self, channel: Channel | None = None) -> Payload:
        """The person as a member, with the permissions in *channel* if one is given."""
        payload: Payload = {
            "user": self.user_payload(),
            "nick": None,
            "avatar": None,
            "roles": [str(role.id) for role in self.roles],
            "joined_at": "2024-01-01T00:00:00+00:00",
            "premium_since": None,
            "communication_disabled_until": None,
            "deaf": False,
            "mute": False,
            "pending": False,
            "flags": 0,
        }
        if channel is not None:
            payload["permissions"] = str(int(self.permissions_in(channel)))
        return payload

    def sees(self, channel: Channel | None = None) -> list[Payload]:
        """The messages this person sees in a channel (the server's first, unless said), oldest first."""
        where = channel or self.server.channels[0]
        if where.server is self.server and not self.permissions_in(where) & Permission.VIEW_CHANNEL:
            return []
        posted = self.discord.messages.in_channel(where)
        return [message.payload for message in posted if message.visible_to in (None, self.id)]

    async def slash(
        self,
        line: str,
        *,
        channel: Channel | None = None,
        where: Channel | None = None,
        unchecked: bool = False,
        **options: object,
    ) -> Answer:
        """Type a slash command, such as ``slash("campaign create", name="Maids")``.

        *channel* is where it is typed, unless the command has an option of that name: then it is the option,
        and *where* says where.

        Raises:
            CannotSend: The client does not let this be sent; *unchecked* sends it nevertheless.
        """
        typed = await self.discord.offered(line, self.server, unchecked=unchecked)
        takes_channel = any(option["name"] == "channel" for option in typed.options)
        if channel is not None and takes_channel:
            options["channel"] = channel
        elif channel is not None:
            where = channel
        return await self.send_command(line, options, channel=where, unchecked=unchecked)

    async def send_command(
        self,
        line: str,
        options: Mapping[str, object],
        *,
        channel: Channel | None = None,
        unchecked: bool = False,
    ) -> Answer:
        """Type a slash command with its options by their exact names.

        Raises:
            CannotSend: The client does not let this be sent; *unchecked* sends it nevertheless.
        """
        return await self.discord.hands.command(self, line, options, channel, unchecked=unchecked)

    async def autocomplete(
        self, line: str, option: str, text: str = "", *, where: Channel | None = None, **others: object
    ) -> list[Payload]:
        """Type *text* into an option and see what is offered.

        Raises:
            CannotSend: The option does not autocomplete.
        """
        return await self.discord.hands.autocomplete(self, line, option, text, others, where)

    async def use(
        self,
        name: str,
        on: Member | Payload | Answer,
        *,
        channel: Channel | None = None,
        unchecked: bool = False,
    ) -> Answer:
        """Use a command from the context menu of a person (in *channel*) or of a message.

        Raises:
            CannotSend: There is none of this name, or this person is not offered it.
        """
        return await self.discord.hands.use(self, name, on, channel, unchecked=unchecked)

    async def press(
        self, message: Payload | Answer, label_or_custom_id: str, *, unchecked: bool = False
    ) -> Answer:
        """Press a button.

        Raises:
            CannotSend: There is none, it is disabled, or this person does not see it.
        """
        return await self.discord.hands.press(self, message, label_or_custom_id, unchecked=unchecked)

    async def select(
        self,
        message: Payload | Answer,
        placeholder_or_custom_id: str,
        *values: object,
        unchecked: bool = False,
    ) -> Answer:
        """Choose in a select menu, by labels or values, or the people, roles and channels to pick.

        Raises:
            CannotSend: There is no such menu or option, or this is too many or too few.
        """
        return await self.discord.hands.select(
            self, message, placeholder_or_custom_id, values, unchecked=unchecked
        )

    async def submit(
        self, answer: Answer | Interaction, *, unchecked: bool = False, **values_by_label_or_custom_id: object
    ) -> Answer:
        """Fill in and send the form that an answer opened.

        Raises:
            CannotSend: A value is missing, too long, or there is no such field.
        """
        return await self.discord.hands.submit(
            self, answer, values_by_label_or_custom_id, unchecked=unchecked
        )

    def say(self, content: str, channel: Channel | None = None) -> Payload:
        """Write an ordinary message.

        Raises:
            Refusal: It is empty or too long.
        """
        where = channel or self.server.channels[0]
        author = self.user_payload()
        return self.discord.messages.post(where, {"content": content}, [], author=author).payload
