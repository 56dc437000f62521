"""Discord's servers: channels, roles, voice, scheduled events, and their people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum, IntFlag, StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from bot.playground.discord.payloads import Payload, ServerChanged, timestamp

if TYPE_CHECKING:
    from bot.playground.discord.interactions import Answer, Interaction
    from bot.playground.discord.local import LocalDiscord


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


HOUR_SECONDS = 3600.0
BOT_PERMISSIONS = EVERYONE | Permission.MANAGE_MESSAGES | Permission.CREATE_EVENTS | Permission.MANAGE_EVENTS


class ChannelType(StrEnum):
    """The channel types a table needs."""

    TEXT = "text"
    VOICE = "voice"
    CATEGORY = "category"
    THREAD = "thread"
    DIRECT = "direct"

    @property
    def number(self) -> int:
        """Discord's number for it."""
        return {"text": 0, "direct": 1, "voice": 2, "category": 4, "thread": 11}[self.value]


class EventStatus(IntEnum):
    """The status of a scheduled event."""

    SCHEDULED = 1
    ACTIVE = 2
    COMPLETED = 3
    CANCELLED = 4


class Role(Struct):
    """A role and its permissions."""

    id: int
    name: str
    permissions: Permission
    position: int

    def payload(self) -> Payload:
        """The role as Discord sends it."""
        return {
            "id": str(self.id),
            "name": self.name,
            "permissions": str(int(self.permissions)),
            "position": self.position,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "icon": None,
            "unicode_emoji": None,
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }


class Channel(Struct):
    """A channel, thread or direct conversation."""

    id: int
    name: str
    type: ChannelType
    server: Server | None
    parent: Channel | None = None
    overwrites: dict[int, Overwrite] = {}
    last_message_id: int | None = None

    @property
    def is_thread(self) -> bool:
        """Whether this is a thread of another channel."""
        return self.type is ChannelType.THREAD

    def deny(self, whom: Role | Member | int, denied: Permission) -> None:
        """Take permissions away in this channel, from a role, a person or the bot (by its user id)."""
        key = whom if isinstance(whom, int) else whom.id
        before = self.overwrites.get(key, Overwrite())
        self.overwrites[key] = Overwrite(before.allow & ~denied, before.deny | denied)
        if self.server is not None:
            self.server.discord.gateway.tell("CHANNEL_UPDATE", self.payload(), self.server)

    def payload(self) -> Payload:
        """The channel as Discord sends it."""
        common: Payload = {
            "id": str(self.id),
            "name": self.name,
            "type": self.type.number,
            "last_message_id": str(self.last_message_id) if self.last_message_id else None,
            "flags": 0,
        }
        if self.server is None:
            return common
        common |= {"guild_id": str(self.server.id), "parent_id": str(self.parent.id) if self.parent else None}
        common |= {"rate_limit_per_user": 0, "nsfw": False, "topic": None}
        if self.is_thread:
            return common | self._thread_part(self.server)
        if self.type is ChannelType.VOICE:
            common |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
        return common | {
            "position": list(self.server.channels).index(self) if self in self.server.channels else 0,
            "permission_overwrites": [
                {
                    "id": str(whom),
                    "type": 0 if whom in self.server.role_ids else 1,
                    "allow": str(int(overwrite.allow)),
                    "deny": str(int(overwrite.deny)),
                }
                for whom, overwrite in self.overwrites.items()
            ],
        }

    @staticmethod
    def _thread_part(server: Server) -> Payload:
        made = timestamp(server.discord.clock())
        return {
            "owner_id": str(server.owner.id),
            "message_count": 0,
            "member_count": 1,
            "total_message_sent": 0,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 1440,
                "archive_timestamp": made,
                "locked": False,
                "create_timestamp": made,
            },
        }


class ScheduledEvent(Struct):
    """A date in a server's calendar."""

    id: int
    name: str
    server: Server
    creator: Payload
    starts_at: float
    ends_at: float | None
    channel: Channel | None
    description: str | None
    status: EventStatus = EventStatus.SCHEDULED

    @property
    def is_over(self) -> bool:
        """Whether it has ended or was called off."""
        return self.status in (EventStatus.COMPLETED, EventStatus.CANCELLED)

    def payload(self) -> Payload:
        """The event as Discord sends it."""
        return {
            "id": str(self.id),
            "guild_id": str(self.server.id),
            "channel_id": str(self.channel.id) if self.channel else None,
            "creator_id": str(self.creator["id"]),
            "creator": self.creator,
            "name": self.name,
            "description": self.description,
            "scheduled_start_time": timestamp(self.starts_at),
            "scheduled_end_time": timestamp(self.ends_at) if self.ends_at is not None else None,
            "privacy_level": 2,
            "status": int(self.status),
            "entity_type": 2 if self.channel else 3,
            "entity_id": None,
            "entity_metadata": None if self.channel else {"location": "The table"},
            "user_count": 1,
            "image": None,
            "recurrence_rule": None,
        }


class Server:
    """A server the bot is in, with a text channel ``table`` and an owner to begin with."""

    def __init__(self, discord: LocalDiscord, name: str) -> None:
        self.discord = discord
        self.name = name
        self.id = discord.snowflakes.next(apart=True)
        self.everyone = Role(self.id, "@everyone", EVERYONE, 0)
        self.bot_role = Role(discord.snowflakes.next(), "Tablekeeper", BOT_PERMISSIONS, 1)
        self.roles: list[Role] = [self.everyone, self.bot_role]
        self.members: list[Member] = []
        self.channels: list[Channel] = []
        self.events: list[ScheduledEvent] = []
        self.voice: dict[Member, Channel] = {}
        self.owner = self.add_member("Owner")
        self.add_channel("table")

    @property
    def role_ids(self) -> set[int]:
        """The ids of all roles."""
        return {role.id for role in self.roles}

    def add_role(self, name: str, permissions: Permission | int = EVERYONE) -> Role:
        """Make a role."""
        role = Role(self.discord.snowflakes.next(), name, Permission(int(permissions)), len(self.roles))
        self.roles.append(role)
        self._tell("GUILD_ROLE_CREATE", {"guild_id": str(self.id), "role": role.payload()})
        return role

    def add_member(
        self, name: str, permissions: Permission | int = EVERYONE, roles: tuple[Role, ...] = ()
    ) -> Member:
        """Add a member; permissions beyond @everyone's come with a role of their own."""
        held = list(roles)
        extra = Permission(int(permissions)) & ~self.everyone.permissions
        if extra:
            held.append(self.add_role(f"{name}'s permissions", extra))
        member = Member(self.discord, self, self.discord.snowflakes.next(), name, held)
        self.members.append(member)
        self._tell("GUILD_MEMBER_ADD", {**member.payload(), "guild_id": str(self.id)})
        return member

    def add_channel(
        self,
        name: str,
        type: ChannelType | str = ChannelType.TEXT,
        parent: Channel | None = None,
        *,
        id: int | None = None,
    ) -> Channel:
        """Make a channel, or a thread or a category's channel with *parent*."""
        kind = ChannelType(type)
        channel = Channel(self.discord.snowflakes.next() if id is None else id, name, kind, self, parent)
        self.channels.append(channel)
        self._tell("THREAD_CREATE" if channel.is_thread else "CHANNEL_CREATE", channel.payload())
        return channel

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel with everything in it."""
        self.channels.remove(channel)
        self.discord.messages.forget(channel)
        self._tell("THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", channel.payload())

    def member(self, user_id: int) -> Member | None:
        """The member with this id, if any."""
        return next((member for member in self.members if member.id == user_id), None)

    def schedule_event(
        self,
        name: str,
        *,
        starts_at: float | None = None,
        ends_at: float | None = None,
        channel: Channel | None = None,
        creator: Payload | None = None,
        description: str | None = None,
    ) -> ScheduledEvent:
        """Schedule an event, in an hour unless said otherwise (seconds since 1970)."""
        begins = self.discord.clock() + HOUR_SECONDS if starts_at is None else starts_at
        ends = begins + HOUR_SECONDS if ends_at is None and channel is None else ends_at
        event = ScheduledEvent(
            self.discord.snowflakes.next(),
            name,
            self,
            creator or self.owner.user_payload(),
            begins,
            ends,
            channel,
            description,
        )
        self.events.append(event)
        self._tell("GUILD_SCHEDULED_EVENT_CREATE", event.payload())
        return event

    def start_event(self, event: ScheduledEvent) -> None:
        """Start an event."""
        self.set_event_status(event, EventStatus.ACTIVE)

    def end_event(self, event: ScheduledEvent) -> None:
        """End an event."""
        self.set_event_status(event, EventStatus.COMPLETED)

    def cancel_event(self, event: ScheduledEvent) -> None:
        """Cancel an event."""
        self.set_event_status(event, EventStatus.CANCELLED)

    def set_event_status(self, event: ScheduledEvent, status: EventStatus) -> None:
        """Set an event's status."""
        event.status = status
        self._tell("GUILD_SCHEDULED_EVENT_UPDATE", event.payload())

    def remove_event(self, event: ScheduledEvent) -> None:
        """Delete an event."""
        self.events.remove(event)
        self._tell("GUILD_SCHEDULED_EVENT_DELETE", event.payload())

    def join_voice(self, member: Member, channel: Channel) -> None:
        """Put a member into a voice channel."""
        self.voice[member] = channel
        self._tell("VOICE_STATE_UPDATE", self.voice_state(member))

    def leave_voice(self, member: Member) -> None:
        """Take a member out of voice."""
        self.voice.pop(member, None)
        self._tell("VOICE_STATE_UPDATE", self.voice_state(member))

    def voice_state(self, member: Member) -> Payload:
        """A member's voice state as Discord sends it."""
        channel = self.voice.get(member)
        return {
            "guild_id": str(self.id),
            "channel_id": str(channel.id) if channel else None,
            "user_id": str(member.id),
            "member": member.payload(),
            "session_id": f"voice-{member.id}",
            "deaf": False,
            "mute": False,
            "self_deaf": False,
            "self_mute": False,
            "self_video": False,
            "suppress": False,
            "request_to_speak_timestamp": None,
        }

    def bot_permissions(self, channel: Channel) -> Permission:
        """What the bot may do in a channel."""
        base = self.everyone.permissions | self.bot_role.permissions
        return in_channel(
            base,
            (channel.parent if channel.is_thread and channel.parent else channel).overwrites,
            self.everyone.id,
            [self.bot_role.id],
            self.discord.application.user_id,
        )

    def partial_payload(self) -> Payload:
        """The server as an interaction carries it."""
        return {"id": str(self.id), "locale": "en-US", "features": []}

    def _tell(self, event_name: str, data: Payload) -> None:
        if self in self.discord.servers:
            self.discord.gateway.tell(event_name, data, self)
            self.discord.bulletin.publish(ServerChanged(self))
