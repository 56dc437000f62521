"""A real Chromium on a playground; every visit's console and requests are checked at the end."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Locator, Page, Request, async_playwright, expect

from tests.playground.running import Playground, playground

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
DESKTOP, PHONE = (1280, 860), (360, 740)


@dataclass(slots=True)
class Visit:
    """One open page and what it did behind the scenes."""

    page: Page
    address: str
    trouble: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Note every console error or warning and every request to another server."""

        def console(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                self.trouble.append(f"console: {message.text}")

        def requested(request: Request) -> None:
            own = (self.address, self.address.replace("http:", "ws:"), "data:")
            if not request.url.startswith(own):
                self.trouble.append(f"request: {request.url}")

        self.page.on("console", console)
        self.page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        self.page.on("request", requested)

    async def be(self, name: str) -> None:
        """Switch to a person, until what they see is read."""
        await self.page.get_by_role("radio", name=name).click()
        await self.page.locator(f'.chip[aria-checked="true"]:has-text("{name}")').wait_for()
        await self.page.locator('#messages[aria-busy="false"]').wait_for()

    async def send(self, line: str) -> None:
        """Type a whole line and send it."""
        await self.page.locator("#say").fill(line)
        await self.page.locator("#say").press("Enter")

    @property
    def messages(self) -> Locator:
        """The messages of the channel, without commands still on their way."""
        return self.page.locator(".message:not(.pending)")

    @property
    def last(self) -> Locator:
        """The last message of the channel."""
        return self.messages.last

    async def shows(self, words: str) -> Locator:
        """Wait for a message with these words."""
        message = self.messages.filter(has_text=words).last
        await message.wait_for()
        return message


Look = Callable[..., Awaitable[Visit]]
PATIENCE_MILLISECONDS = 60_000  # a busy machine is slow, not wrong
expect.set_options(timeout=PATIENCE_MILLISECONDS)

Open = Callable[..., Awaitable[Visit]]


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as driver:
        found = shutil.which("chromium")
        browser = await driver.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def running() -> AsyncIterator[Playground]:
    async with playground() as started:
        yield started


@pytest_asyncio.fixture(loop_scope="session")
async def look(chromium: Browser) -> AsyncIterator[Look]:
    visits: list[Visit] = []

    async def open_page(address: str, size: tuple[int, int] = DESKTOP) -> Visit:
        context = await chromium.new_context(viewport={"width": size[0], "height": size[1]})
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        visit = Visit(await context.new_page(), address)
        visit.watch()
        visits.append(visit)
        await visit.page.goto(address)
        await visit.page.locator(".chip").first.wait_for()
        return visit

    yield open_page
    for visit in visits:
        await visit.page.context.close()
    assert [line for visit in visits for line in visit.trouble] == []


@pytest_asyncio.fixture(loop_scope="session")
async def visit(look: Look, running: Playground) -> AsyncIterator[Open]:
    """Pages of the running playground, closed before it ends."""
    visits: list[Visit] = []

    async def open_page(size: tuple[int, int] = DESKTOP, person: str = "Alice") -> Visit:
        visit = await look(running.address, size)
        visits.append(visit)
        await visit.be(person)
        return visit

    yield open_page
    for visit in visits:
        await visit.page.context.close()
