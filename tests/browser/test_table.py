"""The people, the composer and the channel in a real browser."""

from __future__ import annotations

import asyncio
import re
from importlib.resources import files
from typing import Literal

import pytest
from playwright.async_api import APIResponse, FilePayload, Route, WebSocketRoute, expect

from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.playground.running import Playground
from tests.playground.scripted_bot import COMMANDS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


class TestPeople:
    async def test_members_see_the_talk_and_a_stranger_sees_nothing(self, visit: Open) -> None:
        alice, bob, mallory = await visit(), await visit(person="Bob"), await visit(person="Mallory")

        await alice.send("Is anybody **there**?")

        await expect(await bob.shows("Is anybody there?")).to_contain_text("Alice")
        await mallory.send("Only me.")
        await mallory.shows("Only me.")
        await expect(mallory.messages).to_have_count(1)
        await expect(mallory.page.locator("#server-name")).to_have_text("Elsewhere")

    async def test_a_private_answer_is_marked_and_its_reader_can_dismiss_it(self, visit: Open) -> None:
        alice = await visit()
        await alice.send("/roll dice:3 secret:True")
        private = await alice.shows("dice=3")
        await expect(private).to_contain_text("Only you can see this")

        await alice.be("Bob")
        await expect(alice.messages).to_have_count(0)
        await alice.be("Alice")
        await (await alice.shows("dice=3")).get_by_role("button", name="Dismiss message").click()
        await expect(alice.messages).to_have_count(0)

    async def test_the_arrow_keys_switch_between_people(self, visit: Open) -> None:
        alice = await visit()
        await alice.page.get_by_role("radio", name="Alice").focus()

        await alice.page.keyboard.press("ArrowRight")

        bob = alice.page.get_by_role("radio", name="Bob")
        await expect(bob).to_have_attribute("aria-checked", "true")
        await expect(bob).to_be_focused()

    async def test_the_chosen_person_survives_a_reload(self, visit: Open) -> None:
        bob = await visit(person="Bob")

        await bob.page.reload()

        await expect(bob.page.get_by_role("radio", name="Bob")).to_have_attribute("aria-checked", "true")

    async def test_a_person_chosen_while_messages_are_read_is_announced_once_they_are_there(
        self, visit: Open
    ) -> None:
        gm = await visit(person="GM")
        read, connected = asyncio.Event(), asyncio.Event()

        async def hold(route: Route) -> None:
            await read.wait()
            await route.continue_()

        async def hold_alice(route: WebSocketRoute) -> None:
            if "person=" in route.url and not route.url.endswith(str(me)):
                await connected.wait()
            route.connect_to_server()

        me = await gm.page.locator(".chip[aria-checked=true]").get_attribute("data-person")
        await gm.page.route_web_socket("**/live*", hold_alice)
        await gm.page.route("**/api/messages*", hold)
        await gm.page.reload()
        await expect(gm.page.get_by_role("radio", name="GM")).to_have_attribute("aria-checked", "true")

        await gm.page.get_by_role("radio", name="Alice").click()
        async with gm.page.expect_response("**/api/messages*"):
            read.set()
        connected.set()

        await expect(gm.page.locator("#announcer")).to_have_text("You are now Alice.")

    async def test_no_message_is_lost_while_one_channel_is_read_after_another(
        self, visit: Open, running: Playground
    ) -> None:
        alice = await visit()
        bob = running.cast.people[2]
        held: list[tuple[Route, APIResponse]] = []
        is_read = asyncio.Semaphore(0)

        async def hold(route: Route) -> None:
            held.append((route, await route.fetch()))
            is_read.release()

        await alice.page.route("**/api/messages*", hold)
        for channel in ("side-quest", "talk"):
            await alice.page.get_by_role("button", name=channel).click()
            await is_read.acquire()
        (first, before), (second, after) = held
        await first.fulfill(response=before)
        bob.say("Over here.", bob.server.channels[2])
        running.cast.servers[0].schedule_event("Next evening")
        await expect(alice.page.locator("#events")).to_contain_text("Next evening")
        await second.fulfill(response=after)

        await alice.shows("Over here.")
        await expect(alice.messages).to_have_count(1)

    async def test_another_channel_is_marked_as_unread(self, visit: Open, running: Playground) -> None:
        alice = await visit()
        bob = running.cast.people[2]

        bob.say("Over here.", bob.server.channels[1])
        await alice.page.get_by_role("button", name="side-quest (new messages)").click()

        await alice.shows("Over here.")
        await expect(alice.page.locator("#channel-name")).to_have_text("side-quest")


class TestPlaces:
    async def test_one_button_joins_and_leaves_voice(self, visit: Open) -> None:
        alice, bob = await visit(), await visit(person="Bob")

        await alice.page.get_by_role("button", name="voice").click()
        for person in (alice, bob):
            await expect(person.page.locator(".inside li")).to_have_text(["AAlicePlayer"])
        await alice.page.get_by_role("button", name="voice").click()

        await expect(bob.page.locator(".inside li")).to_have_count(0)

    async def test_only_a_manager_can_start_and_end_an_event(self, visit: Open, running: Playground) -> None:
        gm, alice = await visit(person="GM"), await visit()
        running.cast.servers[0].schedule_event("Next evening")
        await expect(alice.page.locator("#events")).to_contain_text("Next evening")
        await expect(alice.page.locator("#events button")).to_have_count(0)

        await gm.page.get_by_role("button", name="Start: Next evening").click()
        await expect(alice.page.locator("#events")).to_contain_text("On now")
        await gm.page.get_by_role("button", name="End: Next evening").click()

        await expect(alice.page.locator("#events li")).to_have_count(0)


class TestCommands:
    async def test_a_command_is_found_filled_in_and_sent_by_keyboard(
        self, visit: Open, running: Playground
    ) -> None:
        alice = await visit()
        keys = alice.page.keyboard
        await alice.page.locator("#say").focus()

        await keys.type("/cam")
        await expect(alice.page.get_by_role("option")).to_have_count(2)
        await keys.press("ArrowDown")
        await keys.press("ArrowUp")
        await keys.press("Tab")
        await expect(alice.page.locator(".path")).to_have_text("/campaign create")
        await expect(alice.page.locator(".pill label")).to_contain_text(["ruleset", "name"])

        await keys.type("ap")
        await expect(alice.page.get_by_role("option")).to_have_text(["Apple", "Apricot"])
        await keys.press("ArrowDown")
        await keys.press("Enter")
        await expect(alice.page.get_by_label("name")).to_be_focused()
        await keys.type("The Long Corridor")
        await keys.press("Enter")

        message = await alice.shows("ruleset=apricot name=The Long Corridor")
        await expect(message.locator(".above")).to_have_text("AAlice used /campaign create")

    async def test_the_marked_choice_stays_marked_when_newer_choices_arrive(self, visit: Open) -> None:
        alice = await visit()
        arrived = asyncio.Event()

        async def hold(route: Route) -> None:
            await arrived.wait()
            await route.continue_()

        await alice.page.locator("#say").fill("/campaign create")
        await alice.page.keyboard.press("Enter")
        await expect(alice.page.get_by_role("option")).to_have_count(4)
        await alice.page.route("**/api/autocomplete", hold)
        await alice.page.keyboard.type("ap")
        await alice.page.keyboard.press("ArrowDown")
        arrived.set()
        await expect(alice.page.get_by_role("option")).to_have_text(["Apple", "Apricot"])
        await alice.page.keyboard.press("Enter")

        await expect(alice.page.get_by_label("ruleset")).to_have_value("Apricot")

    async def test_an_empty_required_option_is_reported_inline(self, visit: Open) -> None:
        alice = await visit()
        await alice.page.locator("#say").fill("/roll")
        await alice.page.keyboard.press("Enter")
        await alice.page.keyboard.press("Enter")

        await expect(alice.page.get_by_role("alert").filter(has_text="dice is required.")).to_be_visible()
        await expect(alice.page.get_by_label("dice")).to_have_attribute("aria-invalid", "true")

    async def test_a_number_out_of_range_is_reported_inline_and_can_be_corrected(self, visit: Open) -> None:
        alice = await visit()
        await alice.page.locator("#say").fill("/roll")
        await alice.page.keyboard.press("Enter")
        await alice.page.keyboard.type("21")
        await alice.page.keyboard.press("Enter")
        await expect(
            alice.page.get_by_role("alert").filter(has_text="dice must be 20 or less.")
        ).to_be_visible()

        await alice.page.keyboard.press("Backspace")
        await alice.page.keyboard.press("Enter")

        await alice.shows("dice=2")

    async def test_optional_options_can_be_added_and_removed(self, visit: Open) -> None:
        alice = await visit()
        keys = alice.page.keyboard
        await alice.page.locator("#say").fill("/roll")
        await keys.press("Enter")
        await keys.type("2")
        await keys.press("Tab")
        await keys.press("ArrowDown")
        await keys.press("Enter")
        await expect(alice.page.get_by_label("edge")).to_be_focused()
        await keys.press("Backspace")
        await expect(alice.page.locator(".pill")).to_have_count(1)

        await alice.page.locator(".more").click()
        await alice.page.get_by_role("option", name="against").click()
        await keys.type("bob")
        await keys.press("Enter")
        await keys.press("Enter")

        await alice.shows("dice=2 against=")

    async def test_a_file_is_sent_with_a_command(self, visit: Open, running: Playground) -> None:
        alice = await visit()
        await alice.page.locator("#say").fill("/roll")
        await alice.page.keyboard.press("Enter")
        await alice.page.keyboard.type("4")
        await alice.page.locator(".more").click()
        await alice.page.get_by_role("option", name="picture").click()
        picture = FilePayload(name="table.png", mimeType="image/png", buffer=b"\x89PNG")
        await alice.page.locator(".pill input[type=file]").set_input_files(picture)
        await alice.page.locator("#send").click()

        await alice.shows("dice=4 picture=")
        (sent,) = running.bot.heard[-1]["resolved"]["attachments"].values()
        assert (sent["filename"], sent["size"]) == ("table.png", 4)

    async def test_escape_cancels_the_command(self, visit: Open) -> None:
        alice = await visit()
        await alice.page.locator("#say").fill("/roll")
        await alice.page.keyboard.press("Enter")

        await alice.page.keyboard.press("Escape")

        await expect(alice.page.locator("#say")).to_be_focused()
        await expect(alice.page.locator(".command-line")).to_be_hidden()

    async def test_players_are_not_offered_manager_commands(self, visit: Open) -> None:
        alice, gm = await visit(), await visit(person="GM")

        for person, count in ((alice, 0), (gm, 1)):
            await person.page.locator("#say").fill("/gm")
            await expect(person.page.get_by_role("option", name="/gm")).to_have_count(count)

    async def test_an_unknown_command_is_not_posted_as_talk(self, visit: Open) -> None:
        alice = await visit()
        await alice.send("/nonsense")

        await expect(
            alice.page.get_by_role("alert").filter(has_text="There is no such command.")
        ).to_be_visible()
        await expect(alice.page.locator(".message")).to_have_count(0)


class TestWaiting:
    async def test_a_deferred_answer_shows_thinking_first(self, visit: Open, running: Playground) -> None:
        alice = await visit()
        await alice.send("/slow")
        await alice.page.keyboard.press("Enter")
        await alice.shows("Tablekeeper is thinking…")
        await expect(alice.page.locator(".pending")).to_have_count(0)

        running.bot.thought.set()

        await alice.shows("It took a while.")
        await expect(alice.messages).to_have_count(1)

    async def test_a_command_without_an_answer_says_so_privately(
        self, visit: Open, running: Playground
    ) -> None:
        running.lose_patience()
        alice, bob = await visit(), await visit(person="Bob")
        await alice.send("/never")
        await alice.page.keyboard.press("Enter")

        failed = await alice.shows("The application did not respond")
        await expect(failed).to_contain_text("Alice used /never")
        await expect(failed).to_contain_text("Only you can see this")
        await expect(bob.messages).to_have_count(0)
        await failed.get_by_role("button", name="Dismiss message").click()
        await expect(failed).to_have_count(0)

    async def test_the_page_reconnects_after_its_connection_broke(
        self, visit: Open, running: Playground
    ) -> None:
        alice = await visit()
        broken: list[WebSocketRoute] = []

        def pass_on(route: WebSocketRoute) -> None:
            route.connect_to_server()
            broken.append(route)

        await alice.page.route_web_socket("**/live*", pass_on)
        await alice.page.reload()
        await expect(alice.page.get_by_role("radio", name="Alice")).to_have_attribute("aria-checked", "true")
        await broken[0].close()
        running.cast.people[2].say("While you were away.")

        await alice.shows("While you were away.")
        await expect(alice.page.locator("#bot-state")).to_be_hidden()

    async def test_the_page_says_when_the_bot_is_gone(self, visit: Open, running: Playground) -> None:
        alice = await visit()

        await running.discord.drop_connections(resumable=False)

        await expect(alice.page.locator("#bot-state")).to_contain_text("The bot is not connected.")


class TestTheScene:
    async def test_a_scene_plays_click_by_click_as_its_people(self, visit: Open) -> None:
        gm = await visit(person="GM")
        steps = gm.page.locator(".step")
        await expect(steps).to_have_count(3)

        await steps.nth(0).click()
        await gm.shows("ruleset=apple name=Long Corridor")
        await expect(steps.nth(1)).to_have_attribute("aria-current", "step")
        await steps.nth(1).click()
        await expect(await gm.shows("dice=3 edge=up")).to_contain_text("Alice used")
        await expect(steps.nth(2)).to_have_attribute("aria-current", "step")
        await steps.nth(2).click()
        await gm.shows("Bob pressed: Lucky Breaks 2 → 1")

        await expect(gm.page.locator("#scene")).to_contain_text("The scene is over.")

    async def test_a_step_waits_for_a_command_that_is_just_being_registered(
        self, visit: Open, running: Playground
    ) -> None:
        gm = await visit(person="GM")
        registry = running.discord.registry
        registry.overwrite([command for command in COMMANDS if command["name"] != "roll"], None)
        steps = gm.page.locator(".step")

        await steps.nth(0).click()
        await expect(steps.nth(1)).to_have_attribute("aria-current", "step")
        await steps.nth(1).click()
        await expect(steps.nth(1)).to_have_attribute("aria-busy", "true")
        registry.overwrite(COMMANDS, None)

        await gm.shows("roll dice=3")
        await expect(gm.page.locator(".step.done")).to_have_count(2)


class TestAPhone:
    async def test_nothing_is_wider_than_a_phones_screen(self, visit: Open, running: Playground) -> None:
        alice = await visit(PHONE)
        for what in ("markdown", "embed", "check failed", "selects", "board", "hostile"):
            await alice.send(f"/show what:{what}")
        await expect(alice.messages).to_have_count(6)

        wide = await alice.page.evaluate(
            "[...document.querySelectorAll('#messages *, main, #bottom')].filter((e) => !e.closest('pre'))"
            ".filter((e) => e.getBoundingClientRect().right > 361).map((e) => e.className)"
        )
        assert wide == []
        assert await alice.page.evaluate("document.documentElement.scrollWidth") == 360

    async def test_f_all_26_messages_take_up_most_of_a_phones_screen(self, visit: Open) -> None:
        gm = await visit(PHONE, person="GM")
        fold = gm.page.get_by_role("button", name="Try this")
        heights = (
            "document.querySelector('#top').offsetHeight + document.querySelector('#bottom').offsetHeight"
        )
        await expect(gm.page.locator(".step.next")).to_be_visible()

        shown = await gm.page.evaluate(heights)
        await fold.click()
        await expect(gm.page.locator(".step")).to_have_count(0)
        folded = await gm.page.evaluate(heights)
        await gm.page.reload()
        await expect(fold).to_have_attribute("aria-expanded", "false")
        await fold.click()

        assert shown <= 740 * 0.3
        assert folded <= 740 * 0.22
        await expect(gm.page.locator(".step.next")).to_be_visible()
        await expect(gm.page.locator(".chip[aria-checked=true]")).to_contain_text("GM")

    async def test_every_control_is_big_enough_for_a_thumb(self, visit: Open) -> None:
        alice = await visit(PHONE)
        await alice.send("/show what:check failed")
        await alice.shows("fails by 2")

        await alice.page.get_by_role("button", name="Servers and channels").click()
        await expect(alice.page.locator("#side")).to_be_visible()

        small = await alice.page.evaluate(
            "[...document.querySelectorAll('button, select, textarea')].filter((e) => e.checkVisibility())"
            ".filter((e) => e.offsetHeight < 44 || e.offsetWidth < 44).map((e) => e.className || e.id)"
        )

        assert small == []

    async def test_a_phone_shows_the_channels_in_a_drawer(self, visit: Open) -> None:
        alice = await visit(PHONE)
        side = alice.page.locator("#side")
        await expect(side).to_be_hidden()

        await alice.page.get_by_role("button", name="Servers and channels").click()
        await expect(side).to_be_visible()
        await alice.page.keyboard.press("Escape")
        await expect(side).to_be_hidden()
        await alice.page.get_by_role("button", name="Servers and channels").click()
        await alice.page.get_by_role("button", name="talk").click()

        await expect(side).to_be_hidden()
        await expect(alice.page.locator("#channel-name")).to_have_text("talk")


SHOWN = ("markdown", "embed", "check failed", "selects", "board", "hostile")
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
FAULTS = """async () => (await axe.run()).violations.flatMap(
  (fault) => fault.nodes.map((node) => `${fault.id}: ${node.target}`))"""
HIDDEN_FOCUS = """() => [...document.querySelectorAll('button, a[href], input, select, textarea')]
  .filter((e) => e.checkVisibility() && !e.disabled)
  .filter((e) => {
    e.focus({ focusVisible: true });
    const style = getComputedStyle(e), around = getComputedStyle(e.closest('#composer') ?? e);
    const plain = getComputedStyle(document.body).borderColor;
    return style.outlineStyle === 'none' && around.borderColor === plain;
  }).map((e) => e.className || e.id)"""


class TestAccess:
    @pytest.mark.parametrize("scheme", ["dark", "light"])
    @pytest.mark.parametrize("size", [DESKTOP, PHONE])
    async def test_axe_finds_no_fault_in_messages_forms_and_the_drawer(
        self, visit: Open, size: tuple[int, int], scheme: Literal["dark", "light"]
    ) -> None:
        alice = await visit(size)
        await alice.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        await alice.page.evaluate(AXE)
        for what in SHOWN:
            await alice.send(f"/show what:{what}")
        await expect(alice.messages).to_have_count(len(SHOWN))
        held: list[Route] = []
        await alice.page.route("**/api/slash", lambda route: held.append(route))
        await alice.send("/roll dice:3")
        await expect(alice.page.locator(".pending")).to_have_text(re.compile("Sending command…"))

        found = await alice.page.evaluate(FAULTS)
        await held[0].continue_()
        await alice.shows("dice=3")
        await alice.page.unroute("**/api/slash")
        await alice.send("/note")
        await alice.page.keyboard.press("Enter")
        await alice.page.get_by_role("dialog", name="A note").wait_for()
        found += await alice.page.evaluate(FAULTS)
        await alice.page.keyboard.press("Escape")
        if size == PHONE:
            await alice.page.get_by_role("button", name="Servers and channels").click()
            await expect(alice.page.locator("#side")).to_be_visible()
            found += await alice.page.evaluate(FAULTS)

        assert found == []

    async def test_the_focus_is_always_seen(self, visit: Open) -> None:
        alice = await visit()
        await alice.send("/show what:board")
        await alice.shows("Countdowns")

        assert await alice.page.evaluate(HIDDEN_FOCUS) == []

    async def test_a_new_message_is_announced(self, visit: Open, running: Playground) -> None:
        alice = await visit()
        running.cast.people[2].say("The bridge is out.")

        await expect(alice.page.locator("#announcer")).to_contain_text("Bob: The bridge is out.")
