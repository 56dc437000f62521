"""Discord's permission bits, and how a person's permissions in a channel are computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntFlag


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


@dataclass(frozen=True, slots=True)
class Overwrite:
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
