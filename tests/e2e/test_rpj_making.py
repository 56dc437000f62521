"""Creating an RPJ Core character: dice, a restart, two devices, strangers, spending points."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from bot.playground.discord import read
from tests.e2e.opening import open_campaign
from tests.e2e.people import Actor, Party, gather
from tests.e2e.records import everything_of, is_whole
from tests.e2e.table import Table
from tests.e2e.test_evening import exported, verified

ATTRIBUTES = ("Strength", "Constitution", "Dexterity", "Charisma", "Willpower", "Intelligence")


async def open_rpj(party: Party) -> None:
    """Open a campaign of the fantasy module."""
    await open_campaign(party, game="RPJ Core")
    await party.gwen.types("/campaign settings setting:module value:fantasy", hears="fantasy")


async def roll(alice: Actor) -> list[str]:
    """Choose the rolled method, roll, and return the levels."""
    await alice.types("/character create", hears=["**Attributes**", "1 of 7"])
    await alice.chooses("Method", "Roll two dice seven times", hears="Roll the levels first.")
    await alice.presses("Roll seven pairs", hears="rolls seven pairs for attributes")
    return levels_in(read(alice.sees("new character")))


def levels_in(text: str) -> list[str]:
    """Return the rolled levels shown on a page."""
    found = re.search(r"levels ((?:\d, ){5}\d)", text)
    assert found is not None, text
    return found[1].split(", ")


async def give(alice: Actor, levels: list[str]) -> None:
    """Assign the levels to the attributes, and choose a primary category if several are equal."""
    await alice.presses("Next", hears="2 of 7")
    for attribute, level in zip(ATTRIBUTES, levels, strict=True):
        choice = next(one for one in choices_of(alice, attribute) if one.startswith(f"{level} "))
        await alice.chooses(attribute, choice, hears=attribute)
    if "choose your primary category" in read(alice.sees("new character")):
        await alice.chooses("Primary category", choices_of(alice, "Primary category")[0])


def choices_of(alice: Actor, menu: str) -> list[str]:
    """Return what a menu of the open page offers."""
    for row in _rows(alice.sees("new character")):
        if str(row.get("placeholder", "")).startswith(menu):
            return [option["label"] for option in row["options"]]
    raise AssertionError(f"no menu {menu}")


def _rows(payload: Any) -> list[dict[str, Any]]:  # every component, however deep
    found: list[dict[str, Any]] = []
    if isinstance(payload, dict):
        found.append(payload)
        for value in payload.values():
            found += _rows(value)
    elif isinstance(payload, list):
        for value in payload:
            found += _rows(value)
    return found


async def test_a_character_is_created_across_a_restart_and_improved(table: Table, tmp_path: Path) -> None:
    party = gather(table.discord)
    await open_rpj(party)
    alice, gwen = party.alice, party.gwen

    levels = await roll(alice)
    await table.restart()
    await alice.presses("Roll for Luck", hears="rolls for Luck")
    await give(alice, levels)
    await alice.presses("Next", hears="3 of 7")
    await alice.chooses("Which class?", "Ranger", hears="Bow, Light armor.")
    await alice.chooses("4 class skills", "Archery", "Survival", "Perception", "Concealment")
    await alice.presses("Next", hears="4 of 7")
    await alice.chooses("Gifts, faults", "Lucky", "Slow to React", hears="gifts −7 · faults +3")
    await alice.presses("Next", hears="5 of 7")
    await alice.chooses("Which skill?", "Archery")
    await alice.chooses("Archery: which level?", "5 · costs 15", hears="skills −15 · 41 left")
    await alice.chooses("Which skill?", "Crafting")
    await alice.chooses("Crafting: which level?", "2 · costs 3", hears="Crafting needs a specialty")
    await alice.presses("Write")
    await alice.writes("Wood", hears="Wood")
    await alice.presses("Next", hears="6 of 7")
    await alice.presses("Next", hears="7 of 7")
    await alice.presses("Enter a name")
    await alice.writes("Laeniel", hears="Laeniel")
    await gwen.types("/session start")
    await alice.presses("Finish", hears="**Laeniel** joins the campaign")

    await alice.types("/character sheet", hears=["38 of 60 character points to spend", "Bow +"])
    await alice.presses("Skills", hears="Archery")
    await gwen.types("/gm award resource:Character points amount:3 characters:Laeniel", hears="38 → 41")
    await alice.types("/rpj improve skill skill:Archery", hears=["raises Archery to 6", "41 → 35"])
    await alice.presses("Undo", hears="Undone")
    await alice.types("/rpj improve trait trait:Riposte", hears="wants to take the gift Riposte")
    await gwen.presses("Allow it for 4 points (GM)", hears=["gains Riposte", "41 → 37"])
    await gwen.types("/session end")
    await gwen.presses("End the session", hears="ended")

    assert is_whole(table.database)
    assert verified(tmp_path, await exported(table, party)).returncode == 0


@pytest.mark.asyncio(loop_scope="module")
class TestDice:
    async def test_discarding_a_character_does_not_allow_a_new_roll(self, party: Party) -> None:
        await open_rpj(party)
        alice = party.alice
        levels = await roll(alice)

        await alice.presses("Discard", hears="discarded")
        await alice.types("/character create", hears="Already rolled, so this can't change.")

        assert levels_in(read(alice.sees("new character"))) == levels
        assert "Roll seven pairs" not in read(alice.sees("new character"))

    async def test_two_devices_roll_the_dice_once(self, party: Party) -> None:
        await open_rpj(party)
        alice = party.alice
        one = await alice.types("/character create", hears="1 of 7")
        await alice.chooses("Method", "Roll two dice seven times", hears="Roll the levels first.")
        two = await alice.types("/character create", hears="1 of 7")

        await asyncio.gather(
            *(alice.member.press(device, "Roll for Luck") for device in (one, two, two, one))
        )

        assert await _luck_rolls(party) == 1

    async def test_a_stranger_cannot_roll_for_the_character(self, house: Table, party: Party) -> None:
        await open_rpj(party)
        page = await party.alice.types("/character create", hears="1 of 7")
        before = everything_of(house.database, party.server.id)

        answer = await party.bob.member.press(page, "Roll for Luck", unchecked=True)

        assert "was discarded" in answer.text
        assert everything_of(house.database, party.server.id) == before

    async def test_the_gm_can_allow_a_new_roll(self, party: Party) -> None:
        await open_rpj(party)
        alice = party.alice
        await roll(alice)

        await alice.presses("Undo", hears="asks the GM to undo")
        await party.gwen.presses("Undo it (GM)", hears="undoes")
        await alice.types("/character create", hears="Roll the levels first.")

        await alice.presses("Roll seven pairs", hears="rolls seven pairs for attributes")


@pytest.mark.asyncio(loop_scope="module")
class TestApproval:
    async def test_the_gm_can_read_and_approve_a_character(self, party: Party) -> None:
        await open_rpj(party)
        await party.gwen.types("/campaign settings setting:approve_characters value:yes", hears="yes")
        await party.alice.types("/character create ready:Ilsa Roan", hears="asks to join the campaign")

        await party.bob.presses("Approve (GM)", hears="Only a GM can do that")
        await party.bob.presses("Show sheet", hears="Only a GM and its player")
        await party.gwen.presses("Show sheet", hears="Ranger")
        await party.gwen.presses("Approve (GM)", hears="**Ilsa Roan** joins the campaign")

        await party.alice.types("/character sheet", hears="### Ilsa Roan")

    async def test_the_gm_can_send_a_character_back_for_changes(self, party: Party) -> None:
        await open_rpj(party)
        await party.gwen.types("/campaign settings setting:approve_characters value:yes", hears="yes")
        alice = party.alice
        levels = await roll(alice)
        await alice.presses("Roll for Luck", hears="rolls for Luck")
        await give(alice, levels)
        await alice.presses("Next", hears="3 of 7")
        await alice.chooses("Which class?", "Knight", hears="Heavy armor")
        await alice.chooses("4 class skills", "Large Blades", "Blunt Weapons", "Command", "Intimidate")
        for page in range(4, 8):
            await alice.presses("Next", hears=f"{page} of 7")
        await alice.presses("Enter a name")
        await alice.writes("Godric", hears="Godric")
        await alice.presses("Finish", hears="**Godric** asks to join the campaign")

        await party.gwen.presses("Undo", hears="This removes the whole character.")
        await party.gwen.presses("Undo it", hears="undoes")

        await alice.types("/character create", hears="Already rolled, so this can't change.")
        await alice.presses("Next", hears="2 of 7")
        await alice.presses("Next", hears="Knight")


@pytest.mark.asyncio(loop_scope="module")
class TestSpending:
    @pytest.mark.parametrize("name", ["", "x" * 101, "@everyone"])
    async def test_a_nonsense_name_is_refused_or_shown_literally(self, party: Party, name: str) -> None:
        await open_rpj(party)
        alice = party.alice
        await alice.types("/character create", hears="1 of 7")
        for page in range(2, 8):
            await alice.presses("Next", hears=f"{page} of 7")
        answer = await alice.presses("Enter a name")

        assert answer.modal is not None
        sent = await alice.member.submit(answer, unchecked=True, name=name)

        assert not sent.failed
        assert "Finish" in read(alice.sees("new character"))

    async def test_a_skill_you_cannot_afford_shows_its_cost(self, party: Party) -> None:
        await open_rpj(party)
        alice = party.alice
        await party.gwen.types("/campaign settings setting:start_points value:40", hears="40")
        await alice.types("/character create", hears="1 of 7")
        for page in range(2, 6):
            await alice.presses("Next", hears=f"{page} of 7")
        for skill in ("Alchemy", "Archery", "Command", "Concealment"):
            await alice.chooses("Which skill?", skill)
            await alice.chooses(f"{skill}: which level?", "4 · costs 10", hears=f"{skill} 4")
        await alice.chooses("Which skill?", "Dodge")

        await alice.chooses(
            "Dodge: which level?",
            "1 · costs 1",
            hears="Dodge 1 would cost 1 character point; 0 are left for it.",
        )

        assert "Dodge 1" not in read(alice.sees("skills −40"))


async def _luck_rolls(party: Party) -> int:
    log = await party.gwen.types("/log")
    return log.text.count("rolls for Luck")


@pytest.mark.asyncio(loop_scope="module")
class TestSessions:
    async def test_a_session_start_restores_lucky_breaks_and_can_be_undone(self, party: Party) -> None:
        await open_rpj(party)
        gwen = party.gwen
        await party.alice.types("/character create ready:Ilsa Roan", hears="**Ilsa Roan** joins")
        await gwen.types(
            "/gm set resource character:Ilsa Roan resource:Lucky Breaks value:1", hears="Lucky Breaks 4 → 1"
        )

        await gwen.types("/session start", hears=["**Session 1 started**", "Ilsa Roan 1 → 4"])
        await gwen.presses("Undo the reset", hears=["starts session 1", "Its changes are undone"])
        await gwen.types("/session status", hears="session 1")
        await party.alice.types("/character sheet", hears="Lucky Breaks 1 of 4")
        await gwen.types("/gm reset", hears="Lucky Breaks 1 → 4")
