"""The playground's scenes as a visitor plays them, with the real bot and a real database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from bot.playground.shipped_scenes import shipped_scenes
from bot.playground.start_play import PlayOptions, play
from tests.browser.conftest import DESKTOP, PHONE, Look

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def address(tmp_path: Path) -> AsyncIterator[str]:
    """Start a playground as `tablekeeper play` does; yield its page's address."""
    said: asyncio.Queue[str] = asyncio.Queue()
    everything: list[str] = []

    def say(line: str) -> None:
        everything.append(line)
        said.put_nowait(line)

    stopping = asyncio.Event()
    options = PlayOptions(port=0, database_url=f"sqlite:///{tmp_path / 'playground.db'}")
    playing = asyncio.create_task(play(options, say, stopping))
    try:
        announced = await said.get()
        assert await said.get() == "The bot is connected."
        yield announced.removeprefix("The playground: ").split()[0].rstrip("/")
    finally:
        stopping.set()
        await playing
    assert everything[2:] == ["The playground has ended."]


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
async def test_every_shipped_scene_plays_click_by_click(
    look: Look, address: str, size: tuple[int, int]
) -> None:
    visit = await look(address, size)
    scenes = shipped_scenes()
    await visit.page.locator("#say").fill("/campaign create")
    await visit.page.get_by_role("option", name="/campaign create").wait_for()
    await visit.page.locator("#say").fill("")

    for scene in scenes:
        if len(scenes) > 1:
            await visit.page.get_by_label("Which scene").select_option(scene.title)
        steps = visit.page.locator(".step")
        await expect(steps).to_have_count(len(scene.steps))
        for number in range(len(scene.steps)):
            await expect(steps.nth(number)).to_have_attribute("aria-current", "step")
            await steps.nth(number).click()
        await expect(visit.page.locator(".step.done")).to_have_count(len(scene.steps))
        await expect(visit.page.locator(".failure:visible")).to_have_count(0)
    await visit.shows("Session 1")
    await visit.shows("used /session end")


async def test_f_all_06_a_scene_can_be_replayed_and_stops_at_a_refusal(look: Look, address: str) -> None:
    visit = await look(address, PHONE)
    scene = shipped_scenes()[0]
    name = str(scene.steps[0].options["name"])
    steps = visit.page.locator(".step")
    await visit.page.locator("#open-side").click()
    await visit.page.get_by_role("button", name="side-quest").click()
    await visit.page.get_by_label("Which scene").select_option(scene.title)

    for called in (name, f"{name} 2"):
        for number in range(len(scene.steps)):
            await expect(steps.nth(number)).to_have_attribute("aria-current", "step")
            await steps.nth(number).click()
        await expect(visit.page.locator(".played")).to_have_text("The scene is over.")
        await visit.shows(f"creates the campaign {called} (")
        await expect(visit.page.locator("#channel-name")).to_have_text("side-quest")
        await visit.page.get_by_role("button", name="From the start").click()

    for number in (0, 1):
        await expect(steps.nth(number)).to_have_attribute("aria-current", "step")
        await steps.nth(number).click()
    await expect(steps.nth(2)).to_have_attribute("aria-current", "step")
    await steps.nth(1).click()
    await expect(visit.page.locator("#problem-place")).to_contain_text("The scene stops here. The name")
    await expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    await expect(visit.page.locator(".step.done")).to_have_count(1)
