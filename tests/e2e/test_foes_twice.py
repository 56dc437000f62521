"""Foes and prepared encounters with two GMs at once, and after a restart: issue 14."""

from __future__ import annotations

import asyncio

from bot.playground.discord import EVERYONE, Permission
from tests.databases import on_both_engines
from tests.e2e.fighting import board_says
from tests.e2e.opening import open_other
from tests.e2e.people import Actor, gather
from tests.e2e.table import Table


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
