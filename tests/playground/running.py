"""A playground with the scripted bot, served on a free port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO

from aiohttp import web
from PIL import Image, ImageDraw

from bot.playground.discord.local import LocalDiscord
from bot.playground.page import Cast, Page, Scene, gather
from tests.playground.scripted_bot import ScriptedBot

SCENE = Scene.model_validate(
    {
        "title": "An evening",
        "steps": [
            {
                "person": "GM",
                "command": "campaign create",
                "options": {"ruleset": "app", "name": "Long Corridor"},
                "caption": "The GM opens a campaign",
            },
            {
                "person": "Alice",
                "command": "roll",
                "options": {"dice": 3, "edge": "Better"},
                "caption": "Alice rolls",
            },
            {
                "person": "Bob",
                "command": "show",
                "options": {"what": "check failed"},
                "caption": "Bob fails and is lucky",
                "press": ["Lucky Break · 50% · 2 left"],
            },
        ],
    }
)


@dataclass(frozen=True, slots=True)
class Playground:
    """What runs."""

    discord: LocalDiscord
    cast: Cast
    bot: ScriptedBot
    page: Page
    address: str

    def lose_patience(self) -> None:
        """Let Discord's three seconds be a moment, for what is never answered."""
        self.discord.deadline_seconds = 0.1


def clock_picture() -> bytes:
    """A picture as the bot draws them: a clock with three of four parts full."""
    picture = Image.new("RGBA", (480, 240), (0, 0, 0, 0))
    pen = ImageDraw.Draw(picture)
    for left, filled in ((20, 3), (260, 1)):
        for part in range(4):
            colour = "#1f6f5c" if part < filled else "#9aa39f"
            pen.pieslice(
                (left, 20, left + 200, 220), part * 90 - 90, part * 90, fill=colour, outline="white", width=4
            )
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


@asynccontextmanager
async def playground(port: int = 0) -> AsyncIterator[Playground]:
    """Run a playground until left."""
    pictures = {"clock.png": clock_picture(), "journal.jsonl": b'{"roll": 1}\n'}
    async with LocalDiscord(deadline_seconds=60, patience_seconds=60) as discord:
        cast = gather(discord)
        page = Page(discord, cast, (SCENE,))
        runner = web.AppRunner(page.app, access_log=None, shutdown_timeout=0.5)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        try:
            async with ScriptedBot(discord, pictures) as bot:
                yield Playground(discord, cast, bot, page, f"http://127.0.0.1:{runner.addresses[0][1]}")
        finally:
            await runner.cleanup()
