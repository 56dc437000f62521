"""Every message that a whole channel saw, and whether it fits a phone."""

from __future__ import annotations

import re

from bot.playground.discord import LocalDiscord
from bot.playground.discord.events import Event, MessageCreated, MessageUpdated
from bot.playground.discord.message_limits import LAYOUT, embed_texts
from bot.playground.discord.payloads import Payload, walk_components
from bot.ui.text.text import PAGE_LINES, TALLEST_REPLY, height

RECAP = r"\W*Session \d+ ended"  # read after the evening, so it may be as long as a page

_NAMED = (
    (r"</([^:>]+):\d+>", r"/\1"),
    (r"<(?:@[!&]?|#)\d+>", "@somebody"),
    (r"<t:\d+(?::\w)?>", "22 November"),
)


def shown_text(message: Payload) -> str:
    """Return the text of a message as people see it, without its buttons."""
    texts = [message.get("content") or ""]
    for embed in message.get("embeds") or []:
        texts += embed_texts(embed)
    texts += [component.get("content") or "" for component in walk_components(message.get("components"))]
    text = "\n".join(text for text in texts if text)
    for pattern, shown in _NAMED:
        text = re.sub(pattern, shown, text)
    return text


def most_lines(message: Payload) -> int:
    """Return how many lines a message may take."""
    is_page = message["flags"] & LAYOUT or re.match(RECAP, shown_text(message))
    return PAGE_LINES if is_page else TALLEST_REPLY


class PublicMessages:
    """Reads along with everything the bot shows to whole channels.

    Attributes:
        too_tall: The texts that take more lines than they may.
    """

    def __init__(self, discord: LocalDiscord) -> None:
        self.too_tall: list[str] = []
        discord.listen(self._read)

    def _read(self, event: Event) -> None:
        if not isinstance(event, MessageCreated | MessageUpdated) or event.visible_to is not None:
            return
        message, text = event.message, shown_text(event.message)
        if message["author"].get("bot") and height([text]) > most_lines(message):
            self.too_tall.append(f"{height([text])} lines: {text}")
