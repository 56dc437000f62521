"""The playground's scenes as a visitor plays them, with the real bot and a real database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import FilePayload, expect

from bot.playground import start_play
from bot.playground.discord import LocalDiscord
from bot.playground.page import shipped_scenes
from bot.playground.start_play import PlayOptions, play
from tests.browser.conftest import DESKTOP, PHONE, Look, Open

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """Start a playground as `tablekeeper play` does, but patient; yield its page's address.

    A test asks for it before `look`, so that the pages are closed before it ends.
    """
    patient = partial(LocalDiscord, deadline_seconds=60, patience_seconds=60)
    monkeypatch.setattr(start_play, "LocalDiscord", patient)
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
    address: str, look: Look, size: tuple[int, int]
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


async def test_f_all_06_a_scene_can_be_replayed_and_stops_at_a_refusal(address: str, look: Look) -> None:
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
        await visit.shows(f"{called} · ")
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


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
async def test_a_form_with_every_kind_of_field_is_filled_and_sent(visit: Open, size: tuple[int, int]) -> None:
    alice = await visit(size)
    await alice.send("/join")
    await alice.page.keyboard.press("Enter")
    form = alice.page.get_by_role("dialog", name="Join the party")
    await expect(form.get_by_role("radio", name="Cook")).to_be_focused()
    await alice.page.keyboard.press("ArrowUp")
    await expect(form.get_by_role("radio", name="Porter")).to_be_checked()

    for thing in ("Rope", "Lamp", "Bread"):
        await form.get_by_role("checkbox", name=thing).check()
    await form.get_by_role("button", name="Submit").click()
    await expect(form.locator(".invalid + .problem")).to_have_text(["Choose at most 2.", "Choose a file."])

    await form.get_by_role("checkbox", name="Rope").uncheck()
    await form.get_by_role("button", name="Friend").click()
    await alice.page.get_by_role("option", name="Bob").click()
    await form.get_by_role("button", name="Done").click()
    await form.get_by_text("I follow the rules").click()
    picture: FilePayload = {"name": "alice.png", "mimeType": "image/png", "buffer": b"picture"}
    await form.get_by_label("Portrait").set_input_files([picture])
    wide = await alice.page.evaluate(
        "[...document.querySelectorAll('.modal *')]"
        ".filter((e) => e.getBoundingClientRect().right > innerWidth).length"
    )
    await form.get_by_role("button", name="Submit").click()

    await alice.shows("Joined: porter, ['lamp', 'bread'], ['Bob'], True, alice.png (7 bytes)")
    await expect(form).to_have_count(0)
    assert wide == 0


MORE = "Commands for this message"


async def test_a_command_is_used_on_a_message_by_keyboard(visit: Open) -> None:
    alice = await visit()
    await alice.send("Good evening")
    message = await alice.shows("Good evening")

    more = message.get_by_role("button", name=MORE)
    await more.focus()
    await expect(more).to_have_css("opacity", "1")
    await alice.page.keyboard.press("Enter")
    await expect(alice.page.get_by_role("listbox", name=MORE)).to_be_focused()
    await alice.page.keyboard.press("Enter")

    answer = await alice.shows("Aloud: Good evening")
    await expect(answer.locator(".above")).to_have_text("AAlice used Read aloud")
    await expect(alice.page.locator(".message.pending")).to_have_count(0)


async def test_a_thumb_finds_the_commands_on_messages_and_people(visit: Open) -> None:
    alice = await visit(PHONE)
    await alice.send("Good evening")
    message = await alice.shows("Good evening")

    await message.get_by_role("button", name=MORE).click()
    await alice.page.get_by_role("option", name="Read aloud").click()
    await alice.shows("Aloud: Good evening")
    await alice.page.locator("#open-side").click()
    await alice.page.locator("#members").get_by_role("button", name="Bob").click()
    await alice.page.get_by_role("option", name="Sheet").click()

    await alice.shows("The sheet of Bob")
    await expect(alice.page.locator("#side")).to_be_hidden()


async def test_a_right_click_offers_the_commands_on_a_name_and_on_a_message(visit: Open) -> None:
    bob = await visit(person="Bob")
    await bob.send("Good evening")
    message = await bob.shows("Good evening")

    await message.locator(".author").click(button="right")
    await bob.page.get_by_role("option", name="Sheet").click()
    await bob.shows("The sheet of Bob")
    await message.locator(".content").click(button="right")
    await bob.page.get_by_role("option", name="Read aloud").click()

    await bob.shows("Aloud: Good evening")


async def test_a_private_message_offers_no_commands(visit: Open) -> None:
    alice = await visit()
    await alice.send("/roll dice:3 secret:True")
    message = await alice.shows("Only you can see this")

    await expect(message.get_by_role("button", name=MORE)).to_have_count(0)
