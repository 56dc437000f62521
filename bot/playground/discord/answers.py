"""What a person sees after an action."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot.playground.discord.message_limits import EPHEMERAL, ComponentType, embed_texts
from bot.playground.discord.payloads import Payload, walk_components

if TYPE_CHECKING:
    from bot.playground.discord.interactions import Interaction


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
