"""Interactions: a person's actions as the bot receives them, and how long they can be answered."""

from __future__ import annotations

import asyncio
import copy
import secrets
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from bot.playground.discord.commands import shown_name
from bot.playground.discord.events import InteractionFailed
from bot.playground.discord.files import SIZE_LIMIT_BYTES
from bot.playground.discord.payloads import Payload
from bot.playground.discord.refusals import Refusal

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord
    from bot.playground.discord.members import Member
    from bot.playground.discord.messages import Posted
    from bot.playground.discord.servers import Channel

TOKEN_LIFETIME_SECONDS = 15 * 60
KEPT_INTERACTIONS = 5000


class Kind(IntEnum):
    """What a person did."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


FAILURES = {
    Kind.COMMAND: "The application did not respond",
    Kind.COMPONENT: "This interaction failed",
    Kind.AUTOCOMPLETE: "Loading options failed",
    Kind.MODAL: "Something went wrong. Try again.",
}


@dataclass(slots=True, eq=False)
class Interaction:
    """One action of one person, and everything the bot answered."""

    id: int
    token: str
    kind: Kind
    member: Member
    channel: Channel
    payload: Payload
    born_at: float
    made_at: float
    source: Posted | None
    callback_type: int | None = None
    latency_seconds: float | None = None
    original: Posted | None = None
    is_original_ours: bool = False
    followups: list[Posted] = field(default_factory=list)
    modal: Payload | None = None
    choices: list[Payload] | None = None
    failed: str | None = None
    redeliveries: int = 0
    refused_twins: int = 0
    settled: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_acknowledged(self) -> bool:
        """Whether the bot has answered at all."""
        return self.callback_type is not None

    @property
    def is_waited_for(self) -> bool:
        """Whether the person still sees that the bot is thinking."""
        return not self.settled.is_set()


class Interactions:
    """Every interaction by its token."""

    def __init__(self, discord: LocalDiscord) -> None:
        self._discord = discord
        self._by_token: dict[str, Interaction] = {}
        self._by_id: dict[int, Interaction] = {}

    def start(
        self, kind: Kind, member: Member, channel: Channel, data: Payload, source: Posted | None = None
    ) -> Interaction:
        """Send a person's action to the bot, which has three seconds to answer."""
        now = asyncio.get_running_loop().time()
        interaction = Interaction(
            id=self._discord.snowflakes.next(),
            token=secrets.token_urlsafe(120),
            kind=kind,
            member=member,
            channel=channel,
            payload={},
            born_at=now,
            made_at=self._discord.clock(),
            source=source,
        )
        interaction.payload = self._payload(interaction, data)
        self._forget_expired()
        self._by_token[interaction.token] = interaction
        self._by_id[interaction.id] = interaction
        self._discord.gateway.tell("INTERACTION_CREATE", interaction.payload, member.server)
        asyncio.get_running_loop().call_later(self._discord.deadline_seconds, self._deadline, interaction)
        return interaction

    def of(self, member: Member) -> list[Interaction]:
        """Everything a person sent that is still known, oldest first."""
        return [one for one in self._by_id.values() if one.member is member]

    def by_callback(self, interaction_id: int, token: str) -> Interaction:
        """The interaction of a callback, if it may still be acknowledged.

        Raises:
            Refusal: It is unknown or too old (10062), or acknowledged already (40060).
        """
        interaction = self._by_id.get(interaction_id)
        if interaction is None or not secrets.compare_digest(interaction.token, token):
            raise Refusal(404, 10062, "Unknown interaction", "it answered an interaction that never was")
        if interaction.is_acknowledged:
            interaction.refused_twins += 1
            self._discord.bulletin.stir()
            sentence = f"it acknowledged {self.named(interaction)} twice"
            message = "Interaction has already been acknowledged."
            raise Refusal(
                400, 40060, message, sentence, is_breach=interaction.refused_twins > interaction.redeliveries
            )
        if interaction.failed:
            waited = asyncio.get_running_loop().time() - interaction.born_at
            sentence = f"it answered {self.named(interaction)} after {waited:.1f} seconds"
            raise Refusal(404, 10062, "Unknown interaction", sentence)
        return interaction

    def by_token(self, token: str) -> Interaction:
        """The interaction of a follow-up or edit.

        Raises:
            Refusal: The token is unknown, older than fifteen minutes, or nothing was answered yet.
        """
        interaction = self._by_token.get(token)
        if interaction is None:
            raise Refusal(401, 50027, "Invalid Webhook Token", "it used an interaction token that never was")
        if self._discord.clock() - interaction.made_at > TOKEN_LIFETIME_SECONDS:
            sentence = f"it used the token of {self.named(interaction)} after fifteen minutes"
            raise Refusal(401, 50027, "Invalid Webhook Token", sentence)
        if not interaction.is_acknowledged:
            sentence = f"it followed {self.named(interaction)} up before it answered"
            raise Refusal(404, 10015, "Unknown Webhook", sentence)
        return interaction

    def deliver_again(self, interaction: Interaction) -> None:
        """Deliver the same interaction to the bot again."""
        interaction.redeliveries += 1
        self._discord.gateway.tell(
            "INTERACTION_CREATE", copy.deepcopy(interaction.payload), interaction.member.server
        )

    def lapse(self) -> None:
        """Stop waiting for unanswered interactions, as when the bot is known to be gone."""
        for interaction in tuple(self._by_id.values()):
            self._deadline(interaction)

    def _forget_expired(self) -> None:
        if len(self._by_id) < KEPT_INTERACTIONS:
            return
        oldest = self._discord.clock() - TOKEN_LIFETIME_SECONDS
        for interaction in [known for known in self._by_id.values() if known.made_at < oldest]:
            del self._by_id[interaction.id], self._by_token[interaction.token]

    @staticmethod
    def named(interaction: Interaction) -> str:
        """A description of the interaction."""
        data = interaction.payload["data"]
        if interaction.kind in (Kind.COMMAND, Kind.AUTOCOMPLETE):
            what = "an autocomplete of " if interaction.kind is Kind.AUTOCOMPLETE else ""
            return f"{what}{shown_name(data)}"
        return f"{'the modal' if interaction.kind is Kind.MODAL else 'the component'} {data['custom_id']!r}"

    def _deadline(self, interaction: Interaction) -> None:
        if interaction.is_acknowledged or interaction.failed:
            return
        interaction.failed = FAILURES[interaction.kind]
        interaction.settled.set()
        session = self._discord.gateway.session_for(interaction.member.server)
        if session is not None and session.connection is not None:
            limit = self._discord.deadline_seconds
            self._discord.note_breach(f"it did not answer {self.named(interaction)} within {limit:g} seconds")
        event = InteractionFailed(interaction.member, interaction.failed, interaction)
        self._discord.bulletin.publish(event)

    def _payload(self, interaction: Interaction, data: Payload) -> Payload:
        member, channel, server = interaction.member, interaction.channel, interaction.member.server
        permissions = str(int(member.permissions_in(channel)))
        payload: Payload = {
            "id": str(interaction.id),
            "application_id": str(self._discord.application.id),
            "type": int(interaction.kind),
            "token": interaction.token,
            "version": 1,
            "data": data,
            "guild_id": str(server.id),
            "guild": server.partial_payload(),
            "guild_locale": "en-US",
            "channel_id": str(channel.id),
            "channel": channel.payload() | {"permissions": permissions},
            "member": member.payload(channel),
            "app_permissions": str(int(server.bot_permissions(channel))),
            "locale": member.locale,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "authorizing_integration_owners": {"0": str(server.id)},
            "context": 0,
            "attachment_size_limit": SIZE_LIMIT_BYTES,
        }
        if interaction.source is not None:
            payload["message"] = copy.deepcopy(interaction.source.payload)
        return payload
