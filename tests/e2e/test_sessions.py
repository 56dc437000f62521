"""Campaigns, sessions and GM commands with the running bot."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import aiohttp

from bot.playground.discord import EVERYONE, Answer, Member, Permission, read
from tests.e2e.opening import GAME
from tests.e2e.table import PATIENCE_SECONDS, REPOSITORY, Room, Table


def seen(member: Member) -> str:
    """Return everything a person sees in the first channel."""
    return json.dumps(member.sees(), ensure_ascii=False)


def seen_texts(member: Member) -> list[str]:
    """Return the texts of the messages in the first channel, oldest first."""
    return [read(message) for message in member.sees()]


async def begin(table: Room) -> Answer:
    """Start a session of a campaign in which Alice plays Mina."""
    await table.gm.slash("campaign create", ruleset=GAME, name="The Manor")
    ready = (await table.alice.autocomplete("character create", "ready"))[0]["value"]
    await table.alice.slash("character create", ready=ready, name="Mina")
    return await table.gm.slash("session start")


class TestAdding:
    async def test_a_server_that_adds_the_bot_chooses_its_game_there(self, table: Table) -> None:
        server = table.discord.add_server("Later")
        gwen = server.add_member("Gwen", Permission.MANAGE_SERVER)
        await table.discord.until(lambda: "Choose a game" in seen(gwen))
        await table.restart()
        assert seen(gwen).count("I keep the table") == 1
        (welcome,) = gwen.sees()

        made = await gwen.select(welcome, "Choose a game …", GAME)

        assert "GM: " in made.text
        assert "I keep the table" not in seen(gwen)


class TestCampaigns:
    async def test_a_new_campaign_shows_the_hash_of_its_seed_to_who_asks(self, room: Room) -> None:
        ruleset = (await room.gm.autocomplete("campaign create", "ruleset"))[0]["value"]

        made = await room.gm.slash("campaign create", ruleset=ruleset, name="The Manor")

        assert "**The Manor** · " in made.text
        assert not made.ephemeral
        proof = await room.bob.press(made, "Proof")
        assert re.search(r"`[0-9a-f]{64}`", proof.text)
        assert proof.ephemeral

    async def test_a_player_cannot_create_a_campaign(self, room: Room) -> None:
        answer = await room.alice.slash("campaign create", ruleset="x", name="Mine")

        assert answer.ephemeral
        assert "Manage Server" in answer.text

    async def test_a_gm_can_change_and_read_settings(self, room: Room) -> None:
        await begin(room)
        offered = await room.gm.autocomplete("campaign settings", "setting", "idle")
        assert offered[0]["value"] == "idle_hours"

        changed = await room.gm.slash("campaign settings", setting="idle_hours", value="4")
        shown = await room.alice.slash("campaign settings")

        assert "Hours until a session ends default \\(bot\\) → 4" in changed.text
        assert "**Hours until a session ends:** 4" in shown.text

    async def test_a_bound_channel_plays_its_own_campaign(self, room: Room) -> None:
        await begin(room)
        ruleset = (await room.gm.autocomplete("campaign create", "ruleset"))[0]["value"]
        other, cellar = room.server.add_channel("other"), room.server.add_channel("cellar")

        made = await room.gm.slash("campaign create", ruleset=ruleset, name="Another", channel=other)
        bound = await room.gm.slash("campaign bind", campaign="Another", place=cellar)

        assert "Played in this channel." in made.text
        assert "binds cellar to Another" in bound.text
        for channel in (other, cellar):
            assert "Mina" not in (await room.alice.slash("character list", channel=channel)).text
        assert "Mina" in (await room.alice.slash("character list")).text

    async def test_a_gm_makes_another_campaign_the_servers_default(self, room: Room) -> None:
        await begin(room)
        ruleset = (await room.gm.autocomplete("campaign create", "ruleset"))[0]["value"]
        await room.gm.slash("campaign create", ruleset=ruleset, name="Another")

        refused = await room.gm.slash("campaign bind", campaign="Another", default=True, remove=True)
        done = await room.gm.slash("campaign bind", campaign="Another", default=True)

        assert "The default is for the whole server." in refused.text
        assert "makes Another the server's default campaign" in done.text
        assert "Mina" not in (await room.alice.slash("character list")).text


class TestSessions:
    async def test_the_start_shows_the_characters_and_the_ways_on(self, room: Room) -> None:
        started = await begin(room)

        assert "**Session 1 started**" in started.text
        assert f"**Mina** (<@{room.alice.id}>)" in started.text
        assert started.buttons == ["My sheet", "Desk", "Proof"]

    async def test_the_end_is_previewed_to_the_gm_and_announced_to_everybody(self, room: Room) -> None:
        started = await begin(room)
        proof = await room.bob.press(started, "Proof")
        commitment = re.search(r"`([0-9a-f]{64})`", proof.text)
        assert commitment is not None
        await room.alice.slash("roll", expression="2d6")

        preview = await room.gm.slash("session end")
        assert preview.ephemeral
        assert preview.buttons == ["1 level-up", "2 level-ups", "Award …", "End the session", "Not yet"]
        ended = await room.gm.press(preview, "End the session")

        await room.discord.until(lambda: "**Session 1 ended**" in seen(room.bob))
        assert "Session 1 has ended." in ended.text
        assert "**Session 1 ended**" in seen_texts(room.bob)[-1]
        assert "1 roll" in seen_texts(room.bob)[-1]
        fair = await room.bob.slash("fair")
        secrets = re.findall(r"`([0-9a-f]{64})`", fair.text)
        assert hashlib.sha256(bytes.fromhex(secrets[1])).hexdigest() == commitment[1]

    async def test_not_yet_continues_the_session(self, room: Room) -> None:
        await begin(room)
        preview = await room.gm.slash("session end")

        stayed = await room.gm.press(preview, "Not yet")

        assert "Session 1 continues." in stayed.text
        assert "session 1" in (await room.alice.slash("session status")).text

    async def test_two_presses_end_the_session_and_post_the_recap_once(self, table: Table) -> None:
        await begin(table)
        one, other = await table.gm.slash("session end"), await table.gm.slash("session end")

        await asyncio.gather(table.gm.press(one, "End the session"), table.gm.press(other, "End the session"))

        await table.discord.until(lambda: "**Session 1 ended**" in seen(table.bob))
        await table.stop()
        assert sum("**Session 1 ended**" in text for text in seen_texts(table.bob)) == 1

    async def test_the_undo_button_reopens_the_session_after_a_restart(self, table: Table) -> None:
        await begin(table)
        await table.gm.press(await table.gm.slash("session end"), "End the session")
        await table.discord.until(lambda: "Undo the reset" in seen(table.gm))
        await table.restart()

        await table.gm.press(table.gm.sees()[-1], "Undo the reset")

        assert "session 1" in (await table.alice.slash("session status")).text

    async def test_the_recap_can_be_downloaded(self, room: Room) -> None:
        await begin(room)
        await room.alice.slash("roll", expression="1d20", label="the rope")
        recap = await room.alice.slash("session recap")

        file = await room.alice.press(recap, "Download recap")

        assert "so far" in recap.text
        assert "session-1.md" in file.text
        assert "session.webp" not in recap.text
        assert "session.webp" in (await room.alice.slash("session recap", picture=True)).text


class TestChronicle:
    async def test_the_next_session_tells_what_happened_before_and_all_sessions_can_be_read(
        self, room: Room
    ) -> None:
        await begin(room)
        ready = (await room.bob.autocomplete("character create", "ready"))[0]["value"]
        await room.bob.slash("character create", ready=ready, name="Rolf")
        await room.gm.press(await room.gm.slash("session end"), "End the session")
        await room.discord.until(lambda: "**Session 1 ended**" in seen(room.bob))

        started = await room.gm.slash("session start")
        assert "joined" not in started.text
        before = await room.bob.press(started, "Previously on …")
        assert before.ephemeral
        assert "**Rolf**: joined" in before.text

        recap = await room.bob.slash("session recap")
        chronicle = await room.bob.press(recap, "All sessions")
        assert chronicle.ephemeral
        assert "2 sessions, the latest first" in chronicle.text
        file = await room.bob.press(chronicle, "Download all")
        assert "chronicle.md" in file.text


class TestThreads:
    async def test_a_session_gets_a_thread_and_its_recap_is_the_last_post(self, table: Table) -> None:
        await table.gm.slash("campaign create", ruleset=GAME, name="The Manor")
        await table.gm.slash("campaign settings", setting="session_threads", value="true")
        await table.gm.slash("session start")
        await table.discord.until(lambda: any(one.name == "Session 1" for one in table.server.channels))
        thread = next(one for one in table.server.channels if one.name == "Session 1")
        rolled = await table.alice.slash("roll", expression="1d6", channel=thread)
        assert not rolled.ephemeral
        await table.restart()

        await table.gm.press(await table.gm.slash("session end"), "End the session")

        await table.discord.until(lambda: "**Session 1**, recap" in json.dumps(table.bob.sees(thread)))
        assert "1 roll" in read(table.bob.sees(thread)[-1])
        assert "**Session 1 ended**" in seen(table.bob)

    async def test_without_the_permission_the_gm_is_told_and_the_session_starts(self, room: Room) -> None:
        await room.gm.slash("campaign create", ruleset=GAME, name="The Manor")
        await room.gm.slash("campaign settings", setting="session_threads", value="true")
        bot = room.discord.application.user_id
        room.server.channels[0].deny(bot, Permission.CREATE_PUBLIC_THREADS)

        started = await room.gm.slash("session start")

        assert "**Session 1 started**" in started.text
        await room.discord.until(lambda: "missing Create Public Threads" in seen(room.gm))
        assert "missing Create Public Threads" not in seen(room.bob)


class TestAwards:
    async def test_f_rpj_12_a_gm_awards_everybody_present_with_one_press(self, room: Room) -> None:
        await begin(room)
        preview, other = await room.gm.slash("session end"), await room.gm.slash("session end")
        assert "Present: Mina" in preview.text

        after = await room.gm.press(preview, "2 level-ups")

        await room.discord.until(lambda: "awards 2 Level-ups" in seen(room.bob))
        assert "2 level-ups to Mina" in after.text
        assert after.buttons == ["Award …", "End the session", "Not yet"]
        again = await room.gm.press(other, "1 level-up")
        assert "Level-ups were already awarded for session 1" in again.text

    async def test_awards_can_be_given_after_the_end_and_a_restart_by_a_gm_only(self, table: Table) -> None:
        await begin(table)
        await table.gm.press(await table.gm.slash("session end"), "End the session")
        await table.discord.until(lambda: "Award …" in seen(table.gm))
        await table.restart()
        ended = table.gm.sees()[-1]
        refused = await table.alice.press(ended, "Award …")
        assert refused.ephemeral
        assert "Only a GM can do that" in refused.text

        page = await table.gm.press(ended, "Award …")
        assert page.ephemeral
        form = await table.gm.press(page, "Award …")
        await table.gm.submit(form, amount="3")

        await table.discord.until(lambda: "awards 3 Level-ups" in seen(table.bob))
        page = await table.gm.press(ended, "Award …")
        assert "3 level-ups to Mina" in page.text
        assert page.buttons == ["Award …", "Desk"]


class TestEndingByItself:
    async def test_a_session_that_ran_out_while_the_bot_was_stopped_ends_once(self, table: Table) -> None:
        await begin(table)
        await table.stop()
        table.settings["SESSION__IDLE_HOURS"] = "0.0001"

        await table.start()
        await table.discord.until(lambda: "**Session 1 ended**" in seen(table.bob))
        await table.restart()

        assert sum("**Session 1 ended**" in text for text in seen_texts(table.bob)) == 1
        assert "It ended automatically: nothing had happened" in seen_texts(table.bob)[-1]

    async def test_a_session_ends_with_its_linked_event(self, room: Room) -> None:
        voice = room.server.add_channel("Table talk", "voice")
        event = room.server.schedule_event("Evening at the Manor", channel=voice)
        await begin(room)
        offered = await room.gm.autocomplete("session link", "event", "evening")
        await room.gm.slash("session link", event=offered[0]["value"])

        room.server.start_event(event)
        room.server.end_event(event)

        await room.discord.until(lambda: "the linked event is over" in seen(room.bob))

    async def test_a_session_ends_when_its_voice_channel_was_empty(self, table: Table) -> None:
        voice = table.server.add_channel("Table talk", "voice")
        table.server.join_voice(table.alice, voice)
        await begin(table)
        await table.gm.slash("session link", voice=voice)
        table.server.leave_voice(table.alice)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while "has been empty since" not in (await table.alice.slash("session status")).text:
                pass
        await table.stop()
        table.settings["SESSION__VOICE_EMPTY_MINUTES"] = "0.001"

        await table.start()

        await table.discord.until(lambda: "voice channel was empty" in seen(table.bob))


class TestCalendar:
    async def test_a_scheduled_session_ends_with_its_event(self, room: Room) -> None:
        await begin(room)
        event = room.server.schedule_event("Second evening")

        answer = await room.gm.slash("session schedule", event="Second evening")
        await room.gm.press(await room.gm.slash("session end"), "End the session")
        begun = await room.gm.slash("session start")
        room.server.start_event(event)
        room.server.end_event(event)

        assert "**Next session: Second evening**" in answer.text
        assert "it ends with its event" in answer.text
        assert "Session 2" in begun.text
        await room.discord.until(lambda: "the linked event is over" in seen(room.bob))

    async def test_an_unknown_event_is_refused(self, room: Room) -> None:
        await begin(room)

        answer = await room.gm.slash("session schedule", event="Doomsday")

        assert "There is no upcoming event “Doomsday”" in answer.text

    async def test_a_player_cannot_schedule_a_session(self, room: Room) -> None:
        await begin(room)
        room.server.schedule_event("Second evening")

        assert "GM" in (await room.alice.slash("session schedule", event="Second evening")).text

    async def test_a_gm_plans_a_session_in_a_form_and_players_answer_on_its_card(self, table: Table) -> None:
        await begin(table)
        form = await table.gm.slash("session schedule")
        card = await table.gm.submit(
            form, name="The <@1> ball", when="2099-11-27 19:30", zone="+1", hours="3,5"
        )
        (event,) = table.server.events
        assert (event.name, event.ends_at) == ("The <@1> ball", event.starts_at + 3.5 * 3600)
        assert "**Next session: The" in card.text

        await table.alice.press(card, "Coming")
        await table.alice.press(card, "Remind me")
        await table.bob.press(card, "A day before")
        await table.restart()
        answered = await table.bob.press(card, "Can't come")

        assert "Coming: Alice" in answered.text
        assert "Can't come: Bob" in answered.text
        assert "Reminder an hour before: Alice\n-# A day before: Bob" in answered.text
        for button in ("Change …", "Call off"):
            refused = await table.bob.press(card, button)
            assert "Only a GM can do that" in refused.text
        off = await table.gm.press(card, "Call off")
        assert "called this session off" in off.text
        await table.discord.until(lambda: not table.server.events)

    async def test_a_session_is_planned_from_the_desk_which_stays(self, room: Room) -> None:
        await begin(room)
        desk = await room.gm.slash("gm desk")
        more = await room.gm.press(desk, "More …")
        for _ in range(2):
            form = await room.gm.press(more, "Plan session …")
            await room.gm.submit(form, name="The ball", when="2099-11-27 19:30", zone="0", hours="4")

        await room.discord.until(lambda: seen(room.bob).count("**Next session: The ball**") == 2)
        await room.discord.until(lambda: len(room.server.events) == 1)
        chronicle = await room.gm.press(more, "All sessions")
        assert "1 session, the latest first" in chronicle.text

    async def test_a_reminder_pings_only_those_who_asked_even_after_a_restart(self, table: Table) -> None:
        await begin(table)
        event = table.server.schedule_event("Tonight", starts_at=table.discord.clock() + 600)
        card = await table.gm.slash("session schedule", event="Tonight")
        await table.alice.press(card, "Remind me")
        await table.bob.press(card, "Coming")

        await table.restart()

        await table.discord.until(lambda: "begins <t:" in seen(table.bob))
        reminder = table.bob.sees()[-1]
        assert [one["id"] for one in reminder["mentions"]] == [str(table.alice.id)]
        assert event.name in json.dumps(reminder)

    async def test_without_the_permission_a_session_is_planned_but_not_in_the_calendar(
        self, table: Table
    ) -> None:
        await begin(table)
        table.server.bot_role.permissions &= ~Permission.CREATE_EVENTS
        await table.restart()
        form = await table.gm.slash("session schedule")

        card = await table.gm.submit(form, name="The ball", when="2099-11-27 19:30", zone="0", hours="4")

        assert "**Next session: The ball**" in card.text
        assert table.server.events == []
        await table.discord.until(lambda: "missing Create Events" in seen(table.gm))
        assert "missing Create Events" not in seen(table.alice)

    async def test_nonsense_in_the_form_is_refused_and_a_new_date_replaces_the_old(self, room: Room) -> None:
        await begin(room)
        good: dict[str, Any] = {"name": "The ball", "when": "2099-11-27 19:30", "zone": "0", "hours": "4"}
        for field, wrong in (
            ("when", "soon"),
            ("zone", "Mars"),
            ("hours", "many"),
            ("when", "2020-01-01 9:00"),
        ):
            form = await room.gm.slash("session schedule")
            refused = await room.gm.submit(form, **{**good, field: wrong})
            assert refused.ephemeral
            assert wrong.split(":")[0] in refused.text
        card = await room.gm.submit(await room.gm.slash("session schedule"), **good)

        form = await room.gm.press(card, "Change …")
        moved = await room.gm.submit(form, **{**good, "when": "2099-11-28 20:00"})

        assert "Planned anew" in moved.text
        await room.discord.until(lambda: len(room.server.events) == 1)
        await room.discord.until(lambda: "**Next session: The ball**" in seen(room.bob))


class TestTwoServers:
    async def test_two_servers_cannot_see_or_change_each_others_sessions(self, room: Room) -> None:
        await begin(room)
        chief = room.elsewhere.add_member("Chief", Permission.MANAGE_SERVER | EVERYONE)
        ruleset = (await chief.autocomplete("campaign create", "ruleset"))[0]["value"]
        await chief.slash("campaign create", ruleset=ruleset, name="The Cellar")

        assert "The Manor" not in (await chief.slash("campaign list")).text
        assert "No session is running" in (await chief.slash("session end")).text
        assert "Mina" not in (await chief.slash("log")).text
        assert (await chief.autocomplete("gm set resource", "character")) == []
        await chief.press(await chief.slash("gm purge"), "Delete everything")

        assert "The Manor" in (await room.gm.slash("campaign list")).text


class TestGm:
    async def test_a_gm_can_set_fields_resources_and_time_by_hand(self, room: Room) -> None:
        await begin(room)
        resource = (await room.gm.autocomplete("gm award", "resource"))[0]["value"]
        awarded = await room.gm.slash("gm award", resource=resource, amount=1, characters="Mina")
        level = (await room.gm.autocomplete("gm set wounds", "level"))[0]["value"]
        wounded = await room.gm.slash("gm set wounds", character="Mina", level=level, filled=1)
        field = (await room.gm.autocomplete("gm set field", "field", character="Mina"))[0]["value"]
        passed = await room.gm.slash("gm time", amount=2, unit="hours")

        assert "3 → 4" in awarded.text
        assert "0 → 1" in wounded.text
        assert field
        assert "lets 2 h pass" in passed.text

    async def test_a_player_can_use_no_gm_command(self, room: Room) -> None:
        await begin(room)

        refused: dict[str, dict[str, object]] = {
            "gm award": {"resource": "x", "amount": 1, "characters": "Mina"},
            "gm set resource": {"resource": "x", "value": 1, "character": "Mina"},
            "gm set wounds": {"level": "x", "filled": 1, "character": "Mina"},
            "gm set timer": {"timer": "x", "character": "Mina"},
            "gm set field": {"field": "x", "value": "1", "character": "Mina"},
            "gm time": {"amount": 1},
            "gm npc": {"name": "Orc"},
            "gm hide": {"character": "Mina"},
            "gm reset": {},
            "gm undo": {"entry": "1"},
            "gm export": {},
            "gm purge": {},
            "session start": {},
            "session end": {},
            "session link": {},
            "campaign bind": {},
            "campaign rename": {"name": "Mine"},
            "campaign archive": {},
            "campaign gm": {"person": room.alice},
            "campaign settings": {"setting": "idle_hours", "value": "1"},
        }
        for line, options in refused.items():
            answer = await room.alice.send_command(line, options)
            assert answer.ephemeral, line
            assert "GM" in answer.text or "manages the server" in answer.text or "bound" in answer.text, (
                answer.text
            )
        assert await room.alice.autocomplete("gm award", "resource") == []
        assert await room.alice.autocomplete("gm undo", "entry") == []

    async def test_a_purge_needs_the_button(self, room: Room) -> None:
        await begin(room)
        asked = await room.gm.slash("gm purge")
        assert "1 campaign, 1 character" in asked.text

        done = await room.gm.press(asked, "Delete everything")

        assert "has been deleted" in done.text
        assert "None yet" in (await room.gm.slash("campaign list")).text


class TestJournal:
    async def test_tablekeeper_verify_accepts_the_exported_journal(self, room: Room, tmp_path: Path) -> None:
        await begin(room)
        await room.alice.slash("roll", expression="4d6kh3")
        await room.gm.press(await room.gm.slash("session end"), "End the session")

        given = await room.gm.slash("gm export")

        assert given.message is not None
        url = given.message["attachments"][0]["url"]
        async with aiohttp.ClientSession() as web, web.get(url) as response:
            journal = tmp_path / "journal.jsonl"
            journal.write_bytes(await response.read())
        verifying = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            "verify",
            str(journal),
            cwd=REPOSITORY,
            stdout=asyncio.subprocess.PIPE,
        )
        said, _ = await verifying.communicate()
        assert verifying.returncode == 0, said.decode()
        assert b"1 rolls match their seeds and the rules (4 dice)." in said

    async def test_the_log_pages_and_shows_no_secrets(self, room: Room) -> None:
        await begin(room)
        for number in range(12):
            await room.alice.slash("roll", expression="1d6", label=f"number {number}")
        await room.gm.slash("roll", expression="1d100", label="the ambush", secret=True)

        page = await room.alice.slash("log")
        latest = page.text
        older = (await room.alice.press(page, "Older")).text

        assert "number 11" in latest
        assert "ambush" not in latest
        assert "number 1 " in older
        assert "number 11" not in older
        assert "ambush" in (await room.gm.slash("log")).text
