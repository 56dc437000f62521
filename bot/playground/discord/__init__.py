"""A local Discord: REST v10 and gateway on loopback, as strict as the real one.

The real bot connects to it unchanged; the playground's page and the end-to-end tests act as people in it.
"""

from bot.playground.discord.interactions import Answer, button_labels, read
from bot.playground.discord.local import LocalDiscord
from bot.playground.discord.payloads import (
    CannotSend,
    CommandsChanged,
    ConnectionChanged,
    Event,
    InteractionFailed,
    MessageCreated,
    MessageDeleted,
    MessageUpdated,
    ModalOpened,
    Upload,
)
from bot.playground.discord.rest import Request
from bot.playground.discord.servers import (
    EVERYONE,
    Channel,
    ChannelType,
    Member,
    Permission,
    Role,
    ScheduledEvent,
    Server,
)

__all__ = [
    "EVERYONE",
    "Answer",
    "CannotSend",
    "Channel",
    "ChannelType",
    "CommandsChanged",
    "ConnectionChanged",
    "Event",
    "InteractionFailed",
    "LocalDiscord",
    "Member",
    "MessageCreated",
    "MessageDeleted",
    "MessageUpdated",
    "ModalOpened",
    "Permission",
    "Request",
    "Role",
    "ScheduledEvent",
    "Server",
    "Upload",
    "button_labels",
    "read",
]
