"""The first events of a connection, and which events its intents let through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.playground.discord.payloads import Payload
from bot.playground.discord.servers import ChannelType

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord
    from bot.playground.discord.servers import Server

SERVERS, MEMBERS, VOICE, MESSAGES, DIRECT_MESSAGES = 1 << 0, 1 << 1, 1 << 7, 1 << 9, 1 << 12
SCHEDULED_EVENTS = 1 << 16

INTENT_BY_PREFIX = {
    "GUILD_SCHEDULED_EVENT_": SCHEDULED_EVENTS,
    "GUILD_MEMBER_": MEMBERS,
    "GUILD_MEMBERS_CHUNK": SERVERS,
    "VOICE_STATE_": VOICE,
    "MESSAGE_": MESSAGES | DIRECT_MESSAGES,
    "GUILD_": SERVERS,
    "CHANNEL_": SERVERS,
    "THREAD_": SERVERS,
}


def is_for_shard(server_id: int, shard: tuple[int, int]) -> bool:
    """Whether a shard, as (number, count), covers a server."""
    number, count = shard
    return (server_id >> 22) % count == number


def is_wanted(event_name: str, intents: int) -> bool:
    """Whether a bot with these intents is sent this event."""
    for prefix, intent in INTENT_BY_PREFIX.items():
        if event_name.startswith(prefix):
            return bool(intents & intent)
    return True


def without_unwanted(event_name: str, data: Payload, intents: int, discord: LocalDiscord) -> Payload:
    """The event with what the intents do not cover left blank: other people's message contents."""
    if not event_name.startswith("MESSAGE_") or "author" not in data:
        return data
    if data["author"]["id"] == str(discord.application.user_id):
        return data
    return data | {"content": "", "embeds": [], "attachments": [], "components": []}


def ready(discord: LocalDiscord, session_id: str, shard: tuple[int, int], servers: list[Server]) -> Payload:
    """The first event of a session."""
    return {
        "v": 10,
        "user": discord.application.own_user_payload(),
        "session_id": session_id,
        "session_type": "normal",
        "resume_gateway_url": discord.gateway_url,
        "shard": list(shard),
        "guilds": [{"id": str(server.id), "unavailable": True} for server in servers],
        "application": {"id": str(discord.application.id), "flags": 0},
        "private_channels": [],
        "relationships": [],
        "presences": [],
        "user_settings": {},
        "_trace": ["local"],
    }


def server_create(server: Server, intents: int) -> Payload:
    """A server with everything in it that the intents cover."""
    threads = [channel.payload() for channel in server.channels if channel.type is ChannelType.THREAD]
    channels = [channel.payload() for channel in server.channels if channel.type is not ChannelType.THREAD]
    hears_voice, sees_events = bool(intents & VOICE), bool(intents & SCHEDULED_EVENTS)
    own = server.discord.application.member_payload(server.bot_role.id)
    present = [member.payload() for member in server.members if intents & MEMBERS or member in server.voice]
    return server_payload(server) | {
        "joined_at": "2024-01-01T00:00:00+00:00",
        "large": False,
        "unavailable": False,
        "member_count": len(server.members) + 1,
        "channels": channels,
        "threads": threads,
        "members": [own, *present],
        "voice_states": [server.voice_state(member) for member in server.voice] if hears_voice else [],
        "guild_scheduled_events": (
            [event.payload() for event in server.events if not event.is_over] if sees_events else []
        ),
        "presences": [],
        "stage_instances": [],
        "soundboard_sounds": [],
    }


def server_payload(server: Server) -> Payload:
    """A server as REST gives it."""
    return {
        "id": str(server.id),
        "name": server.name,
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "owner_id": str(server.owner.id),
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "roles": [role.payload() for role in server.roles],
        "emojis": [],
        "stickers": [],
        "features": [],
        "mfa_level": 0,
        "application_id": None,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "safety_alerts_channel_id": None,
        "vanity_url_code": None,
        "description": None,
        "banner": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": "en-US",
        "nsfw_level": 0,
        "approximate_member_count": len(server.members) + 1,
    }
