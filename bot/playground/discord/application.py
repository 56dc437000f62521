"""The application that the bot logs in as."""

from __future__ import annotations

from dataclasses import dataclass

from bot.playground.discord.payloads import Payload

LOCAL_TOKEN = "OTAwMDAwMDAwMDAwMDAwMDAx.LOCAL0.the-local-discord-knows-no-secrets"  # noqa: S105 no secret: loopback


@dataclass(frozen=True, slots=True)
class Application:
    """Who the bot is."""

    id: int = 900000000000000001
    name: str = "Tablekeeper"
    token: str = LOCAL_TOKEN

    @property
    def user_id(self) -> int:
        """The bot user's id, the same number as the application's."""
        return self.id

    def user_payload(self) -> Payload:
        """The bot user as others see it."""
        return {
            "id": str(self.user_id),
            "username": self.name.lower(),
            "global_name": None,
            "discriminator": "0001",
            "avatar": None,
            "bot": True,
            "public_flags": 0,
            "flags": 0,
        }

    def own_user_payload(self) -> Payload:
        """The bot user as it sees itself."""
        return self.user_payload() | {"mfa_enabled": True, "verified": True, "email": None, "locale": "en-US"}

    def member_payload(self, role_id: int) -> Payload:
        """The bot as a member of a server."""
        return {
            "user": self.user_payload(),
            "nick": None,
            "avatar": None,
            "roles": [str(role_id)],
            "joined_at": "2024-01-01T00:00:00+00:00",
            "premium_since": None,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "pending": False,
        }

    def payload(self) -> Payload:
        """The application as its own bot sees it."""
        return {
            "id": str(self.id),
            "name": self.name,
            "icon": None,
            "description": "",
            "bot_public": False,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "team": None,
            "flags": 0,
            "owner": {"id": "1", "username": "operator", "discriminator": "0", "avatar": None},
            "summary": "",
            "rpc_origins": [],
            "redirect_uris": [],
            "interactions_endpoint_url": None,
            "approximate_guild_count": 1,
            "bot": self.user_payload(),
        }
