"""Forms with menus, radio buttons, checkboxes and files."""

from __future__ import annotations

import pytest
from playwright.async_api import FilePayload, expect

from tests.browser.conftest import DESKTOP, PHONE, Open

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


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
