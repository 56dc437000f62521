"""Takes README's screenshots of the playground: ``python -m tests.browser.screenshots``."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

from bot.playground.start_play import PlayOptions, play
from tests.browser.conftest import ARGUMENTS

DOCS = Path(__file__).parents[2] / "docs"


async def main() -> None:
    """Play a scene, then take a screenshot on a desktop and one on a phone."""
    said: asyncio.Queue[str] = asyncio.Queue()
    stopping = asyncio.Event()
    with tempfile.TemporaryDirectory() as folder:
        options = PlayOptions(port=0, database_url=f"sqlite:///{folder}/playground.db")
        playing = asyncio.create_task(play(options, said.put_nowait, stopping))
        address = (await said.get()).removeprefix("The playground: ").split()[0]
        await said.get()
        async with async_playwright() as driver:
            browser = await driver.chromium.launch(
                executable_path=shutil.which("chromium"), args=list(ARGUMENTS)
            )
            await take(browser, address)
            await browser.close()
        stopping.set()
        await playing


async def take(browser: Browser, address: str) -> None:
    """Play on the desktop and open the same table on a phone."""
    desktop = await browser.new_page(
        viewport={"width": 1180, "height": 760}, color_scheme="light", reduced_motion="reduce"
    )
    await desktop.goto(address)
    await until_offered(desktop, "session end")
    for number in range(await desktop.locator(".step").count()):
        await desktop.locator(".step.next").and_(desktop.locator(".step").nth(number)).click()
    await desktop.get_by_text("The scene is over.").wait_for()
    await desktop.get_by_text("Download recap").wait_for()
    await desktop.screenshot(path=DOCS / "playground.png")
    phone = await browser.new_page(
        viewport={"width": 360, "height": 740},
        color_scheme="dark",
        device_scale_factor=2,
        reduced_motion="reduce",
    )
    await phone.goto(address)
    await phone.locator(".message").last.wait_for()
    await phone.screenshot(path=DOCS / "playground-phone.png")


async def until_offered(page: Page, command: str) -> None:
    """Wait until the bot has registered its commands."""
    await page.locator("#say").fill(f"/{command}")
    await page.get_by_role("option", name=f"/{command}").wait_for()
    await page.locator("#say").fill("")


if __name__ == "__main__":
    asyncio.run(main())
