"""The GM's foes and prepared encounters, led from the desk without typing."""

from __future__ import annotations

import asyncio
import re

from bot.playground.discord import EVERYONE, Permission, read
from tests.databases import on_both_engines
from tests.e2e.fighting import board_says, keep_desk
from tests.e2e.opening import open_other, open_play
from tests.e2e.people import Actor, Party, gather
from tests.e2e.table import Table

WOLVES = ("Wolf 1", "Wolf 2")
SECRETS = ("Raider 3", "chief", "Spider", "Canary", "Night ambush", "As it is")


async def test_a_gm_makes_adds_copies_and_deletes_foes_by_pressing(house: Table, party: Party) -> None:
    """F-OPT-12: an equipped foe in a form, hidden until revealed."""
    gwen, alice, _bob = party.everybody
    await open_other(party, "Project Swim Class")
    await gwen.types("/encounter start", hears="starts a fight")
    await alice.presses("Join", hears="joins the fight")

    await gwen.types("/gm desk", hears="[Foes …]")
    opened = await gwen.presses("Foes …", hears=["Foes · ", "**Ready-made:** Orc"])
    await gwen.presses("New foe …")
    named = {"Name": "Raider", "How good it is": "Strong", "Weapons": ["Club"]}
    await gwen.writes(named, hears=["makes the foe Raider", "**Yours:** Raider"])
    await gwen.chooses("Add, copy or delete", "Raider", hears="### Raider")
    await gwen.presses("Add 2", hears="Raider 1, Raider 2")
    await board_says(house, party, "Raider 1", "Raider 2")

    await gwen.presses("Hidden", hears="only you know of them")
    await gwen.presses("Add 1", hears="hides Raider 3")
    await gwen.presses("Copy …")
    await gwen.writes({"Name": "Raider chief", "Another level (or as it is)": "Mighty"}, hears="Raider chief")
    await gwen.chooses("Add, copy or delete", "Raider chief", hears="### Raider chief")
    await gwen.presses("Delete", hears="deletes Raider chief")
    await gwen.chooses("Save an NPC", "Raider 1", hears="**Yours:** Raider, Raider 1")
    await gwen.presses("Encounters …", hears=["### Prepared encounters", "There are none yet."])
    await gwen.presses("New …")
    ambush = {
        "Name": "Ambush",
        "Foes, one kind a line": "Orc x2\nSpider hidden",
        "Countdowns, one a line": "Canary 4 hidden",
        "Text to read aloud": "The torches go out.",
    }
    await gwen.writes(ambush, hears=["prepares the encounter Ambush", "**Ambush** · Orc x2, Spider hidden"])
    await gwen.chooses("Open an encounter", "Ambush", hears=["**Foes:** Orc x2", "The torches go out."])
    await gwen.presses("Change …")
    await gwen.writes({**ambush, "Name": "Night ambush"}, hears="changes the encounter Night ambush")
    await gwen.chooses("Open an encounter", "Night ambush", hears="### Night ambush")
    await gwen.presses("Add to fight", hears="It has started.")
    await board_says(house, party, "Orc 1", "Orc 2", lacks="Spider")
    await alice.sees("The torches go out.")
    await gwen.presses("All encounters", hears="### Prepared encounters")
    await gwen.presses("Save fight …")
    await gwen.writes("As it is", hears="saves this fight as the encounter As it is")
    await gwen.chooses("Open an encounter", "As it is", hears="### As it is")
    await gwen.presses("Delete", hears="deletes the prepared encounter As it is")
    await gwen.presses("Desk", hears="### Desk")

    assert not [one for one in alice.member.sees() if any(word in str(one) for word in SECRETS)]
    refused = await alice.member.press(opened, "Foes …", unchecked=True)
    assert "Only a GM can do that" in refused.text


async def test_a_desk_in_a_hidden_channel_starts_encounters_where_the_players_are(
    house: Table, party: Party
) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    room = await keep_desk(house, party)

    opened = await gwen.member.press(await gwen.sees("Desk · The Manor", room), "Foes …")
    await gwen.heard(opened, "### Foes")
    assert opened.ephemeral
    await gwen.presses("Encounters …", hears="### Prepared encounters")
    await gwen.presses("New …")
    await gwen.writes({"Name": "Ambush", "Foes, one kind a line": "Ghoul", "Text to read aloud": "Dark."})
    await gwen.chooses("Open an encounter", "Ambush", hears="### Ambush")
    await gwen.presses("Start", hears="It has started.")

    await house.discord.until(lambda: any("sets the scene" in read(one) for one in alice.member.sees()))
    await board_says(house, party, "Ghoul")


async def test_every_wolf_attacks_at_one_press_on_the_desk(house: Table, party: Party) -> None:
    gwen, alice, _bob = party.everybody
    await open_other(party, "Compare Roll")
    await gwen.types("/encounter start", hears="starts a fight")
    await alice.presses("Join", hears="joins the fight")
    await gwen.types("/gm encounter add name:Wolf count:2", hears="adds Wolf 1, Wolf 2")
    await gwen.types("/encounter next")
    await gwen.types("/encounter next")
    board = await board_says(house, party, "### The opponents' turn", "▶ **Wolf 2**")

    await gwen.types("/gm desk", hears="[Fight]")
    await gwen.presses("Fight", hears="Every Wolf attacks …")
    target = re.search(r"▶?.*?(\S+ \S+) · HP", read(board))
    assert target is not None
    await gwen.chooses("Every Wolf attacks", target[1], hears=["Wolf 1", "Wolf 2"])

    await house.discord.until(
        lambda: all(any(f"**{wolf}** attacks" in read(one) for one in alice.member.sees()) for wolf in WOLVES)
    )


@on_both_engines
async def test_two_gms_prepare_start_undo_and_delete_with_restarts_between(table: Table) -> None:
    """Each press counts once, and old pages go on after a restart."""
    party = gather(table.discord)
    await open_other(party, "Project Swim Class")
    gwen = party.gwen
    second = Actor(party.server.add_member("Greta", EVERYONE | Permission.MANAGE_SERVER), party.transcript)
    for one in (gwen, second):
        await one.types("/gm desk", hears="[Foes …]")
        await one.presses("Foes …", hears="### Foes")
        await one.presses("Encounters …", hears="### Prepared encounters")
    await gwen.presses("New …")
    await gwen.writes({"Name": "Ambush", "Foes, one kind a line": "Orc x2"}, hears="**Ambush** · Orc x2")
    await second.presses("New …")
    await second.writes({"Name": "Ambush"}, hears="There is already a prepared encounter called Ambush.")
    await second.presses("Desk", hears="### Desk")
    await second.presses("Foes …", hears="### Foes")
    await second.presses("Encounters …", hears="**Ambush** · Orc x2")

    await table.restart()
    for one in (gwen, second):
        await one.chooses("Open an encounter", "Ambush", hears="### Ambush")
    pages = [(one, await one.sees("### Ambush")) for one in (gwen, second)]
    starts = await asyncio.gather(*(one.member.press(page, "Start") for one, page in pages))
    await table.discord.until(lambda: all("[Add to fight]" in one.text for one in starts))
    assert ["It has started." in one.text for one in starts].count(True) == 1
    assert ["Somebody has started a fight here meanwhile." in one.text for one in starts].count(True) == 1
    await board_says(table, party, "Orc 1", "Orc 2")
    quicker = gwen if "It has started." in starts[0].text else second
    started = await quicker.sees("It has started.")

    await table.restart()
    presses = (quicker.member.press(started, "Undo start") for _ in range(2))
    answers = await asyncio.gather(*presses)
    await table.discord.until(lambda: all(one.text for one in answers))
    assert ["already been undone" in one.text for one in answers].count(True) == 1
    await second.types("/gm desk", hears="### Desk")
    await second.presses("Fight", hears="### No fight")
    for one in (gwen, second):
        await one.types("/gm desk", hears="[Foes …]")
        await one.presses("Foes …", hears="### Foes")
        await one.presses("Encounters …", hears="### Prepared encounters")
        await one.chooses("Open an encounter", "Ambush", hears="### Ambush")
    pages = [(one, await one.sees("### Ambush")) for one in (gwen, second)]
    answers = await asyncio.gather(*(one.member.press(page, "Delete") for one, page in pages))
    await table.discord.until(lambda: all(one.text for one in answers))
    texts = "".join(one.text for one in answers)
    assert texts.count("deletes the prepared encounter Ambush") == 1
    assert "any more" in texts
