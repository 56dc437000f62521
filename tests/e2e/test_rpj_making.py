"""Creating an RPJ Core character: dice, a restart, two devices, strangers, spending points."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from bot.playground.discord import read
from tests.e2e.opening import open_campaign, switch_briefly
from tests.e2e.people import Actor, Party, everything_of, gather, is_whole
from tests.e2e.table import Table
from tests.e2e.test_asking import sees
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
    return levels_in(read(await alice.sees("new character")))


def levels_in(text: str) -> list[str]:
    """Return the rolled levels shown on a page."""
    found = re.search(r"levels ((?:\d, ){5}\d)", text)
    assert found is not None, text
    return found[1].split(", ")


async def give(alice: Actor, levels: list[str]) -> None:
    """Assign the levels to the attributes, and choose a primary category if several are equal."""
    await alice.presses("Next", hears="2 of 7")
    for attribute, level in zip(ATTRIBUTES, levels, strict=True):
        choice = next(one for one in await choices_of(alice, attribute) if one.startswith(f"{level} "))
        await alice.chooses(attribute, choice, hears=attribute)
    if "choose your primary category" in read(await alice.sees("new character")):
        await alice.chooses("Primary category", (await choices_of(alice, "Primary category"))[0])


async def choices_of(alice: Actor, menu: str) -> list[str]:
    """Return what a menu of the open page offers."""
    for row in _rows(await alice.sees("new character")):
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


async def test_a_character_is_created_across_a_restart_and_improved(house: Table, tmp_path: Path) -> None:
    party = gather(house.discord)
    await open_rpj(party)
    alice, gwen = party.alice, party.gwen

    levels = await roll(alice)
    await house.restart()
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
    await gwen.presses("Allow it for 4 points", hears=["gains Riposte", "41 → 37"])
    await gwen.types("/session end")
    await gwen.presses("End the session", hears="ended")

    assert is_whole(house.database)
    assert verified(tmp_path, await exported(house, party)).returncode == 0


class TestDice:
    async def test_discarding_a_character_does_not_allow_a_new_roll(self, party: Party) -> None:
        await open_rpj(party)
        alice = party.alice
        levels = await roll(alice)

        await alice.presses("Discard", hears="discarded")
        await alice.types("/character create", hears="Already rolled, so this can't change.")

        assert levels_in(read(await alice.sees("new character"))) == levels
        assert "Roll seven pairs" not in read(await alice.sees("new character"))

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
        assert "Finish" in read(await alice.sees("new character"))

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

        assert "Dodge 1" not in read(await alice.sees("skills −40"))


async def _luck_rolls(party: Party) -> int:
    log = await party.gwen.types("/log")
    return log.text.count("rolls for Luck")


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
        await party.alice.types("/character sheet", hears="Lucky Breaks 1/4")
        await gwen.types("/gm reset", hears="Lucky Breaks 1 → 4")


HOSTILE = "@everyone **x**"


async def open_fantasy(party: Party, *packs: str) -> tuple[str, str]:
    """Open a fantasy campaign with optional rules on and two ready-made characters."""
    await open_campaign(party, game="RPJ Core")
    await party.gwen.types("/campaign settings setting:module value:fantasy", hears="fantasy")
    for pack in packs:
        await party.gwen.types(f"/campaign settings setting:{pack} value:yes", hears="yes")
    ready = await party.alice.is_offered("/character create", "ready")
    for player, name in zip((party.alice, party.bob), ready, strict=False):
        await player.types(f"/character create ready:{name}", hears=name)
    return ready[0], ready[1]


async def test_an_evening_at_the_market_is_played(house: Table) -> None:
    party = gather(house.discord)
    gwen, alice, _bob = party.everybody
    alices, bobs = await open_fantasy(party)
    await switch_briefly(party, "money", "rpj-gear purse")
    await alice.types("/rpj-gear purse", hears=["doesn't use Money", "value\\:yes"])
    assert await alice.is_offered("/rpj-gear buy", "item", "long") == []
    for pack in ("money", "inventory", "coin_flips"):
        await gwen.types(f"/campaign settings setting:{pack} value:yes", hears="yes")
    await gwen.types(f"/gm award resource:Coin amount:12 characters:{alices}", hears="0 → 12")
    await gwen.types(f"/gm award resource:Wealth amount:9 characters:{alices}", hears="0 → 9")

    await buying(house, party, alices)
    await house.restart()
    await giving(house, party, alices, bobs)
    await a_month(party, alices, bobs)
    await carrying(party, alices, bobs)
    await flipping(party)

    assert is_whole(house.database)


async def buying(table: Table, party: Party, alices: str) -> None:
    """Buy at a price shown with its parts, and haggle once; a stranger's or repeated press does nothing."""
    gwen, alice, bob = party.everybody
    await gwen.types("/rpj-gm gear market item:Longsword shift:1", hears="Longsword +1 Coin")
    await alice.types(
        "/rpj-gear buy item:Longsword better:damage",
        hears=["Longsword \\(damage +1\\)", "common 6 · quality 8 · market 9", "[Haggle with Trade"],
    )
    await bob.presses("Haggle with", hears=f"That button is for {alices}.")
    await alice.presses("Haggle with")
    await sees(gwen, "haggles", "[Buy for ")
    bought = await alice.presses("Buy for ")
    await sees(gwen, f"**{alices}** buys Longsword", "Coin 12 → ")
    before = everything_of(table.database, party.server.id)
    await table.discord.deliver_again(bought)
    assert everything_of(table.database, party.server.id) == before
    await alice.types("/rpj-gear buy item:Moon", hears="There is no item “Moon”")


async def giving(table: Table, party: Party, alices: str, bobs: str) -> None:
    """A gift changes both purses once, when its receiver presses."""
    _gwen, alice, bob = party.everybody
    await alice.types(f"/rpj-gear give target:{bobs} coin:999", hears="Coin")
    await alice.types(f"/rpj-gear give target:{bobs} wealth:2", hears=f"offers {bobs} 2 Wealth")
    await alice.presses("Accept 2 Wealth", hears=f"That button is for {bobs}.")
    taken = await bob.presses("Accept 2 Wealth")
    await sees(alice, f"**{bobs}** accepts 2 Wealth", "Wealth 9 → 7", "Wealth 0 → 2")
    before = everything_of(table.database, party.server.id)
    await table.discord.deliver_again(taken)
    assert everything_of(table.database, party.server.id) == before


async def a_month(party: Party, alices: str, bobs: str) -> None:
    """The clock ends the month: Wealth pays Coin, then wages are due, and earmarked Wealth takes effect."""
    gwen, alice, _bob = party.everybody
    await alice.types(
        f"/rpj-gear wealth earmark name:{HOSTILE} amount:2",
        hears="sets 2 Wealth aside for \\@everyone \\*\\*x\\*\\*",
    )
    await alice.types(
        f"/rpj-gm gear income target:{alices} amount:3",
        hears="Only a GM can do that",
    )
    await gwen.types(
        f"/rpj-gm gear income target:{bobs} amount:3", hears=f"gives {bobs} 3 Coin at the month's end"
    )
    await gwen.types("/session start", hears="**Session 1 started**")
    await gwen.types(
        "/gm time amount:30 unit:days", hears=[f"{bobs}: Coin 0 → 4", f"{alices}\\: 2 Wealth set aside."]
    )
    await gwen.types("/undo", hears="undoes")
    await gwen.types("/gm time amount:30 unit:days", hears=f"{bobs}: Coin 0 → 4")
    await alice.types("/rpj-gear purse", hears=["Coin ", "Set aside\\: \\@everyone \\*\\*x\\*\\* 2"])


async def carrying(party: Party, alices: str, bobs: str) -> None:
    """Fill bags; too much load makes a check harder; an item changes hands."""
    _gwen, alice, bob = party.everybody
    await alice.types("/rpj-gear pick item:Pack", hears="Load ")
    await alice.types("/rpj-gear put item:Pack to:worn", hears="puts on Pack")
    await alice.types("/rpj-gear pick item:Club count:7", hears="overloaded")
    await alice.types("/rpj check skill:Athleticism", hears="overloaded 1")
    await alice.types("/rpj-gear put item:Club to:large container count:6", hears="Club ×6 into the large")
    await alice.types("/rpj-gear bags", hears=["Load ", "Large container\\: Club ×6"])
    await alice.types(f"/rpj-gear hand target:{bobs} item:Club", hears=f"offers {bobs} Club")
    await bob.presses("Take Club")
    await sees(alice, f"**{bobs}** takes Club from {alices}")


async def flipping(party: Party) -> None:
    """Flip coins instead of dice (F-OPT-19), and read coins flipped by hand."""
    alice = party.alice
    await alice.types("/rpj-gear coins read coins:HHT HT", hears="8")
    await alice.types("/rpj-gear coins read coins:HHT H", hears="isn't five coins")
    await alice.types("/odds rpj level:4 target:11", hears="exact success or better: **58%**")
    await alice.types(
        "/odds rpj level:4 target:11 coins:True",
        hears=["the coins must total 7+", "exact success or better: **53%**"],
    )
    rolled = await alice.types("/rpj check skill:Trade difficulty:9+", hears="Trade")
    assert "coins" not in rolled.text
    await alice.types("/rpj-gear coins throw thrown:coins", hears="flips coins from now on")
    await alice.types("/rpj check skill:Trade difficulty:9+", hears="coins")
