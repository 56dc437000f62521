"""Interactions: a person's actions as the bot receives them, how long they last, and what the person sees."""

from __future__ import annotations

import asyncio
import secrets
from enum import IntEnum
from itertools import takewhile
from typing import TYPE_CHECKING

from msgspec import Struct, field

from bot.playground.discord.commands import (
    CHAT_COMMAND,
    GROUP,
    MAX_CHOICES,
    MESSAGE_COMMAND,
    SUBCOMMAND,
    USER_COMMAND,
    check_choices,
    shown_name,
)
from bot.playground.discord.message_limits import EPHEMERAL, LOADING, ComponentType, check_modal, embed_texts
from bot.playground.discord.messages import SIZE_LIMIT_BYTES, Posted, number_components
from bot.playground.discord.payloads import (
    Form,
    InteractionFailed,
    ModalOpened,
    Payload,
    Refusal,
    Upload,
    copied,
    unknown_message,
    walk_components,
)

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord
    from bot.playground.discord.servers import Channel, Member


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


class Interaction(Struct, eq=False):
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
    followups: list[Posted] = []
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
        self._discord.gateway.tell("INTERACTION_CREATE", interaction.payload, interaction.member.server)

    def lapse(self) -> None:
        """Stop waiting for unanswered interactions, as when the bot is known to be gone."""
        for interaction in tuple(self._by_id.values()):
            self._deadline(interaction)

    def _forget_expired(self) -> None:
        if len(self._by_id) < KEPT_INTERACTIONS:
            return
        oldest = self._discord.clock() - TOKEN_LIFETIME_SECONDS
        # They are in the order in which they were made.
        expired = takewhile(lambda one: one.made_at < oldest, self._by_id.values())
        for interaction in tuple(expired):
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
            payload["message"] = interaction.source.payload
        return payload


class Callback(IntEnum):
    """The ways to answer first."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


SLASH_MESSAGE, CONTEXT_MENU_MESSAGE = 20, 23
IN_PLACE = (Callback.DEFERRED_UPDATE, Callback.UPDATE)


class Callbacks:
    """Processes a bot's answers."""

    def __init__(self, discord: LocalDiscord) -> None:
        self._discord = discord

    def answer(self, interaction: Interaction, body: Payload, files: list[Upload]) -> Payload:
        """Process the first answer.

        Returns:
            What Discord says about it when asked ``with_response``.

        Raises:
            Refusal: This kind of answer does not fit the interaction, or it breaks a limit.
        """
        callback = self._checked_type(interaction, body)
        data = body.get("data") or {}
        posted = self._act(interaction, callback, data, files)
        interaction.callback_type = callback
        interaction.latency_seconds = asyncio.get_running_loop().time() - interaction.born_at
        if callback is not Callback.DEFERRED_MESSAGE and callback is not Callback.DEFERRED_UPDATE:
            interaction.settled.set()
        if callback is Callback.MODAL and interaction.modal is not None:
            opened = ModalOpened(interaction.member, interaction.modal, interaction)
            self._discord.bulletin.publish(opened)
        self._discord.bulletin.stir()
        return self._response(interaction, callback, posted)

    def follow_up(self, interaction: Interaction, body: Payload, files: list[Upload]) -> Posted:
        """Process a follow-up; the first one after a deferral becomes the answer itself.

        Raises:
            Refusal: It breaks a limit.
        """
        original = interaction.original
        is_thinking = original is not None and not original.is_deleted and original.payload["flags"] & LOADING
        if original is not None and is_thinking:
            return self.edit(interaction, original, body, files)
        flags = (body.get("flags") or 0) & EPHEMERAL
        posted = self._post(interaction, body, files, flags)
        interaction.followups.append(posted)
        interaction.settled.set()
        self._discord.bulletin.stir()
        return posted

    def edit(self, interaction: Interaction, posted: Posted, body: Payload, files: list[Upload]) -> Posted:
        """Change the answer or a follow-up.

        Raises:
            Refusal: The message as it would stand breaks a limit.
        """
        self._discord.messages.edit(posted, body, files)
        if posted is interaction.source:
            interaction.original = posted
        interaction.settled.set()
        self._discord.bulletin.stir()
        return posted

    def delete(self, interaction: Interaction, posted: Posted) -> None:
        """Delete the answer or a follow-up."""
        self._discord.messages.delete(posted)
        interaction.settled.set()
        self._discord.bulletin.stir()

    def message(self, interaction: Interaction, name: str) -> Posted:
        """The message called ``@original``, or a follow-up by its id.

        Raises:
            Refusal: There is none.
        """
        if name == "@original":
            posted = interaction.original
            if posted is None and interaction.callback_type in IN_PLACE:
                posted = interaction.source
            candidates = [posted] if posted else []
        else:
            known = [interaction.original, interaction.source, *interaction.followups]
            candidates = [posted for posted in known if posted is not None and str(posted.id) == name]
        if not candidates:
            raise unknown_message()
        if candidates[0].is_deleted:
            raise unknown_message(once_existed=True)
        return candidates[0]

    @staticmethod
    def _checked_type(interaction: Interaction, body: Payload) -> Callback:
        fitting: tuple[Callback, ...] = (Callback.MESSAGE, Callback.DEFERRED_MESSAGE)
        if interaction.kind is Kind.AUTOCOMPLETE:
            fitting = (Callback.CHOICES,)
        else:
            if interaction.source is not None:
                fitting += IN_PLACE
            if interaction.kind is not Kind.MODAL:
                fitting += (Callback.MODAL,)
        form = Form()
        form.one_of(("type",), body.get("type"), tuple(map(int, fitting)))
        form.raise_problems()
        return Callback(body["type"])

    def _act(
        self, interaction: Interaction, callback: Callback, data: Payload, files: list[Upload]
    ) -> Posted | None:
        if callback is Callback.CHOICES:
            interaction.choices = self._checked_choices(interaction, data.get("choices") or [])
            return None
        if callback is Callback.MODAL:
            interaction.modal = self._checked_modal(data)
            return None
        if callback is Callback.DEFERRED_UPDATE:
            return interaction.source
        if callback is Callback.UPDATE and interaction.source is not None:
            if interaction.source.is_deleted:
                raise unknown_message(once_existed=True)
            interaction.original = self._discord.messages.edit(interaction.source, data, files, ("data",))
            return interaction.original
        flags = (data.get("flags") or 0) & EPHEMERAL
        if callback is Callback.DEFERRED_MESSAGE:
            data, files, flags = {}, [], flags | LOADING
        interaction.original = self._post(interaction, data, files, flags, ("data",))
        return interaction.original

    def _post(
        self,
        interaction: Interaction,
        body: Payload,
        files: list[Upload],
        flags: int,
        path: tuple[str, ...] = (),
    ) -> Posted:
        member = interaction.member
        metadata: Payload = {
            "id": str(interaction.id),
            "type": int(interaction.kind),
            "user": member.user_payload(),
            "authorizing_integration_owners": {"0": str(member.server.id)},
        }
        extra: Payload = {
            "application_id": str(self._discord.application.id),
            "interaction_metadata": metadata,
        }
        extra["webhook_id"] = extra["application_id"]
        if interaction.kind is Kind.COMMAND:
            data = interaction.payload["data"]
            extra["type"] = SLASH_MESSAGE if data["type"] == CHAT_COMMAND else CONTEXT_MENU_MESSAGE
            if data["type"] == USER_COMMAND:
                metadata["target_user"] = data["resolved"]["users"][data["target_id"]]
            elif data["type"] == MESSAGE_COMMAND:
                metadata["target_message_id"] = data["target_id"]
            named = {"id": metadata["id"], "type": 2, "name": _command_line(data)}
            extra["interaction"] = named | {"user": metadata["user"]}
        visible_to = member.id if flags & EPHEMERAL else None
        return self._discord.messages.post(
            interaction.channel, body, files, flags=flags, visible_to=visible_to, extra=extra, path=path
        )

    @staticmethod
    def _checked_choices(interaction: Interaction, choices: list[Payload]) -> list[Payload]:
        form = Form()
        form.count(("data", "choices"), choices, 0, MAX_CHOICES)
        check_choices(
            form,
            ("data", "choices"),
            choices,
            _focused_type(interaction.payload["data"].get("options") or []),
        )
        form.raise_problems()
        return choices

    @staticmethod
    def _checked_modal(data: Payload) -> Payload:
        form = Form()
        check_modal(form, ("data",), data)
        form.raise_problems()
        modal = copied(data)
        number_components(modal["components"])
        return modal

    @staticmethod
    def _response(interaction: Interaction, callback: Callback, posted: Posted | None) -> Payload:
        about: Payload = {"id": str(interaction.id), "type": int(interaction.kind)}
        response: Payload = {"interaction": about}
        if callback in (Callback.MESSAGE, Callback.DEFERRED_MESSAGE, *IN_PLACE) and posted is not None:
            about["response_message_id"] = posted.payload["id"]
            about["response_message_loading"] = callback is Callback.DEFERRED_MESSAGE
            about["response_message_ephemeral"] = bool(posted.payload["flags"] & EPHEMERAL)
            response["resource"] = {"type": int(callback), "message": posted.payload}
        elif callback is Callback.MODAL:
            response["resource"] = {"type": int(callback)}
        return response


def _focused_type(options: list[Payload]) -> int:
    for option in options:
        if option.get("focused"):
            return int(option["type"])
        if found := _focused_type(option.get("options") or []):
            return found
    return 0


def _command_line(data: Payload) -> str:
    """The command's name with its group and sub-command, as messages name what was used."""
    words = [data["name"]]
    options: list[Payload] = data.get("options") or []
    while options and options[0]["type"] in (SUBCOMMAND, GROUP):
        words.append(options[0]["name"])
        options = options[0].get("options") or []
    return " ".join(words)


STILL_THINKING = "The application is thinking..."


def read(message: Payload) -> str:
    """All texts of a message from top to bottom, one per line."""
    lines = [message.get("content") or ""]
    for embed in message.get("embeds") or []:
        lines += embed_texts(embed)
    for component in walk_components(message.get("components")):
        lines.append(component.get("content") or "")
        if component.get("label"):
            lines.append(f"[{component['label']}]")
        if component.get("placeholder"):
            lines.append(f"[{component['placeholder']}]")
    lines += [attachment["filename"] for attachment in message.get("attachments") or []]
    return "\n".join(line for line in lines if line)


def button_labels(message: Payload) -> list[str]:
    """The labels of a message's buttons, in order; an emoji where there is no label."""
    buttons = (
        item for item in walk_components(message.get("components")) if item["type"] == ComponentType.BUTTON
    )
    return [button.get("label") or (button.get("emoji") or {}).get("name") or "" for button in buttons]


class Answer:
    """The bot's answer to one action, kept up to date while the bot works."""

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self._waited_in_vain = False

    def __repr__(self) -> str:
        return f"<Answer {self.failed or self.text!r}>"

    @property
    def message(self) -> Payload | None:
        """The message the bot answered with, or changed; None if it did neither, or it is deleted."""
        posted = self.interaction.original
        if posted is None or posted.is_deleted:
            return None
        return posted.payload

    @property
    def followups(self) -> list[Payload]:
        """The further messages the bot sent, in order."""
        return [posted.payload for posted in self.interaction.followups if not posted.is_deleted]

    @property
    def text(self) -> str:
        """Everything the answer and its follow-ups say."""
        shown = [self.message] if self.message else []
        return "\n".join(filter(None, map(read, [*shown, *self.followups])))

    @property
    def ephemeral(self) -> bool:
        """Whether only the person who acted sees the answer."""
        shown = self.message or next(iter(self.followups), None)
        return bool(shown and shown["flags"] & EPHEMERAL)

    @property
    def modal(self) -> Payload | None:
        """The form that opened."""
        return self.interaction.modal

    @property
    def choices(self) -> list[Payload]:
        """What an autocomplete offers."""
        return self.interaction.choices or []

    @property
    def latency_seconds(self) -> float | None:
        """How long the bot took to acknowledge."""
        return self.interaction.latency_seconds

    @property
    def failed(self) -> str | None:
        """What Discord's client says when the bot did not answer; None if it did."""
        if self._waited_in_vain and self.interaction.is_waited_for:
            return STILL_THINKING
        return self.interaction.failed

    @property
    def buttons(self) -> list[str]:
        """The labels of the answer's buttons."""
        return button_labels(self.message) if self.message else []

    async def settled(self, timeout_seconds: float) -> Answer:
        """Wait until the person sees more than "thinking".

        A deferral that never ends is told as the client shows it.
        """
        try:
            async with asyncio.timeout(timeout_seconds):
                await self.interaction.settled.wait()
        except TimeoutError:
            self._waited_in_vain = True
        return self
