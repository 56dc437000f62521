"""How messages look and work in a real browser."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import PHONE, Open
from tests.playground.running import Playground

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


class TestWords:
    async def test_markdown_is_rendered_as_in_the_client(self, visit: Open) -> None:
        alice = await visit()
        await alice.send("/show what:markdown")
        message = (await alice.shows("The Watch Wakes")).locator(".markdown")

        await expect(message.locator(".heading")).to_have_text(
            ["The Watch Wakes", "Evening", "In the cellar"]
        )
        await expect(message.locator("strong").first).to_have_text("bold")
        await expect(message.locator("em").first).to_have_text("italic")
        await expect(message.locator("u")).to_have_text("under")
        await expect(message.locator("s")).to_have_text("⚁")
        await expect(message.locator("p code").first).to_have_text("⚃ + 2")
        await expect(message.locator("ul ul li")).to_have_text("rain −1")
        await expect(message.locator("ol li")).to_have_text(["first", "second"])
        await expect(message.locator("blockquote")).to_contain_text("He looks away.")
        await expect(message.locator("small.subtext")).to_contain_text("58% beforehand")
        await expect(message.locator("pre")).to_contain_text("  13    42%")
        await expect(message.locator(".mention")).to_have_text(["#table", "@Alice", "@Players"])
        await expect(message.locator("p").last).to_contain_text("8 * 3 * 2 stays")
        await expect(message.locator("time[data-seconds]")).to_contain_text("ago")

    async def test_a_spoiler_is_covered_until_it_is_pressed(self, visit: Open) -> None:
        alice = await visit()
        await alice.send("/show what:markdown")
        spoiler = (await alice.shows("The Watch Wakes")).locator(".spoiler")

        await expect(spoiler.locator(".covered")).to_be_hidden()
        await spoiler.press("Enter")
        await expect(spoiler.locator(".covered")).to_be_visible()

    async def test_hostile_text_stays_text(self, visit: Open) -> None:
        alice = await visit()
        await alice.send("/show what:hostile")
        message = await alice.shows("<script>document.title='broken in'</script>")

        await expect(message).to_contain_text("<img src=x onerror=")
        await expect(message).to_contain_text("[click](javascript:alert(1))")
        await expect(message.get_by_role("button", name="<b onclick=alert(1)>press</b>")).to_be_visible()
        await expect(message.locator("script, iframe, img, a, b, svg svg")).to_have_count(
            1
        )  # who used it, in bold
        await expect(alice.page).to_have_title("Tablekeeper playground")

    async def test_six_thousand_characters_of_markup_do_not_freeze_the_page(
        self, visit: Open, running: Playground
    ) -> None:
        alice = await visit()
        person = running.cast.people[1]
        for sign in ("*", "_", "|", "`", "[", "<@", "> ", "**_~~||"):
            person.say((sign * 2000)[:2000])
        person.say("Still here.")

        await alice.shows("Still here.")

    async def test_a_picture_from_another_host_is_shown_as_a_link(self, visit: Open) -> None:
        alice = await visit()
        await alice.send("/show what:elsewhere")
        message = await alice.shows("A picture of another machine")

        await expect(message.locator("img")).to_have_count(0)
        await expect(message.get_by_role("link")).to_have_attribute(
            "href", "https://pictures.example.org/one.png"
        )


class TestCards:
    async def test_an_embed_shows_its_colour_fields_and_picture(self, visit: Open) -> None:
        alice = await visit()
        await alice.send("/show what:embed")
        embed = (await alice.shows("Session 7 ended")).locator(".embed")

        await expect(embed).to_have_css("border-left-color", "rgb(31, 111, 92)")
        await expect(embed.locator("dt")).to_have_text(["Luckiest", "Hardest turn", "Refreshed"])
        await expect(embed.get_by_role("img", name="Evidence Planted: 3 of 4")).to_be_visible()
        await expect(embed.locator(".embed-footer")).to_have_text("Seed revealed: 9f3c…")

    async def test_a_picture_opens_large_and_closes_with_escape(self, visit: Open) -> None:
        alice = await visit()
        await alice.send("/show what:embed")
        picture = (await alice.shows("Session 7 ended")).locator("button.frame")

        await picture.click()
        await expect(alice.page.locator("dialog.lightbox")).to_be_visible()
        await alice.page.keyboard.press("Escape")
        await expect(alice.page.locator("dialog")).to_have_count(0)
        await expect(picture).to_be_focused()

    async def test_a_board_shows_sections_pictures_files_and_buttons(self, visit: Open) -> None:
        alice = await visit()
        await alice.send("/show what:board")
        board = (await alice.shows("Countdowns")).locator(".container")

        await expect(board).to_have_css("border-left-color", "rgb(31, 111, 92)")
        await expect(board.locator(".section")).to_have_count(3)
        await expect(board.locator(".section").first.get_by_role("button")).to_have_text("+ Evidence")
        await expect(board.get_by_role("img", name="A clock, one of four")).to_be_visible()
        await expect(board.get_by_role("img", name="The countdowns as clocks")).to_be_visible()
        await expect(board.get_by_role("link", name="journal.jsonl")).to_have_attribute(
            "download", "journal.jsonl"
        )
        await expect(board.get_by_role("link", name="Rules")).to_have_attribute("target", "_blank")
        await expect(board.locator("hr")).to_have_count(2)


class TestButtons:
    async def test_a_press_replaces_the_message(self, visit: Open, running: Playground) -> None:
        alice, bob = await visit(), await visit(person="Bob")
        await alice.send("/show what:check failed")
        message = await bob.shows("fails by 2")
        await expect(message.get_by_role("button", name="Undo")).to_be_disabled()

        await message.get_by_role("button", name="Lucky Break").click()

        await expect(bob.last).to_contain_text("Bob pressed: Lucky Breaks 2 → 1")
        await expect(alice.last).to_contain_text("Bob pressed: Lucky Breaks 2 → 1")
        await expect(alice.messages).to_have_count(1)

    async def test_a_press_without_an_answer_says_so_under_its_message(
        self, visit: Open, running: Playground
    ) -> None:
        alice = await visit()
        await alice.send("/show what:check failed")
        message = await alice.shows("fails by 2")

        running.lose_patience()
        await message.get_by_role("button", name="Defend").click()

        await expect(message.locator(".failure")).to_have_text("This interaction failed")

    async def test_several_menu_entries_are_chosen_with_the_keyboard(
        self, visit: Open, running: Playground
    ) -> None:
        alice = await visit()
        await alice.send("/show what:selects")
        message = await alice.shows("Who takes which part?")

        await message.get_by_role("button", name="Pick up to two parts").press("Enter")
        for key in ("Enter", "ArrowDown", "ArrowDown", "Enter", "Tab", "Enter"):
            await alice.page.keyboard.press(key)

        await alice.shows("Alice: part:1:1 ['scout', 'porter']")

    async def test_typing_finds_a_person_in_a_menu(self, visit: Open, running: Playground) -> None:
        alice = await visit()
        await alice.send("/show what:selects")
        message = await alice.shows("Who takes which part?")

        await message.get_by_role("button", name="Whom do you heal?").click()
        await alice.page.keyboard.type("bo")
        await alice.page.keyboard.press("Enter")

        await alice.shows(f"Alice: who:1:1 ['{running.cast.people[2].id}']")
        await expect(message.locator(".select").nth(4)).to_be_disabled()

    async def test_escape_closes_a_menu_without_choosing(self, visit: Open, running: Playground) -> None:
        alice = await visit()
        await alice.send("/show what:selects")
        role = (await alice.shows("Who takes which part?")).get_by_role("button", name="Which role?")

        await role.click()
        await alice.page.keyboard.press("Escape")

        await expect(role).to_be_focused()
        assert [data.get("custom_id") for data in running.bot.heard] == [None]


class TestForms:
    async def test_a_form_is_filled_in_checked_and_sent(self, visit: Open) -> None:
        alice = await visit()
        await alice.send("/note")
        await alice.page.keyboard.press("Enter")
        form = alice.page.get_by_role("dialog", name="A note")
        await expect(form.get_by_label("Title")).to_be_focused()

        await form.get_by_label("Title").fill("No")
        await form.get_by_role("button", name="Submit").click()
        await expect(form.get_by_text("At least 3 characters, please.")).to_be_visible()
        await expect(form.get_by_text("Choose at least 1.")).to_be_visible()

        await form.get_by_label("Title").fill("Rope")
        await form.get_by_role("button", name="Mood").click()
        await alice.page.keyboard.press("ArrowDown")
        await alice.page.keyboard.press("Enter")
        await form.get_by_role("button", name="Submit").click()

        message = await alice.shows("Noted: Rope (wild)")
        await expect(message).to_contain_text("Only you can see this")
        await expect(form).to_have_count(0)

    async def test_a_form_keeps_the_focus_and_escape_closes_it(self, visit: Open) -> None:
        alice = await visit()
        await alice.send("/note")
        await alice.page.keyboard.press("Enter")
        form = alice.page.get_by_role("dialog", name="A note")
        await form.wait_for()

        for _ in range(12):
            await alice.page.keyboard.press("Tab")
            outside = "!!document.activeElement.closest('main')"
            assert not await alice.page.evaluate(outside)
        await alice.page.keyboard.press("Escape")

        await expect(form).to_have_count(0)

    async def test_a_form_fits_a_phone(self, visit: Open) -> None:
        alice = await visit(PHONE)
        await alice.send("/note")
        await alice.page.keyboard.press("Enter")
        form = alice.page.get_by_role("dialog", name="A note")
        await form.wait_for()

        box = await form.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["y"] + box["height"] <= 740
