"""Commands on messages and people, as they are found on the page."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import PHONE, Open

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
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
