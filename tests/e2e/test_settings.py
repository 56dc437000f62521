"""A GM sets up a campaign: settings by subject, the module's lists, and the module as a file."""

from __future__ import annotations

from collections.abc import Sequence

from bot.playground.discord import Answer, Upload
from bot.playground.discord.payloads import walk_components
from tests.e2e.opening import open_campaign
from tests.e2e.people import Actor, Party, gather, is_whole
from tests.e2e.table import Table


def control(answer: Answer, *ends: str) -> str:
    """The id of a control of a page of settings by what it ends with."""
    assert answer.message is not None
    wanted = ":".join(ends)
    ids = [str(one.get("custom_id", "")) for one in walk_components(answer.message["components"])]
    found = [one for one in ids if one.endswith(wanted)]
    assert found, f"{wanted} is not among {ids}"
    return found[0]


async def presses(person: Actor, answer: Answer, *ends: str, hears: str | Sequence[str] = ()) -> Answer:
    """Press the button beside a setting."""
    return await person.heard(await person.member.press(answer, control(answer, *ends)), hears)


async def test_f_all_14_a_gm_sets_up_a_campaign_by_pressing(house: Table, party: Party) -> None:
    gwen, alice, _bob = party.everybody
    await open_campaign(party, game="RPJ Core")
    await gwen.presses("Set up …", hears="Hide the GM's commands")
    opened = await gwen.presses("Optional rules", hears="### Optional rules: fights")
    assert "**Mass combat:** off\n-# Mass battles. · default (module)" in opened.text

    await presses(gwen, opened, "mass_combat", "yes", hears=["Mass combat: off → **on**", "changed here"])
    again = await presses(gwen, opened, "mass_combat", "no", hears="Mass combat: on → **off**")
    assert "◆" not in again.text
    await gwen.presses("Undo", hears="**Mass combat:** on")
    await gwen.chooses("Back to the default", "Mass combat", hears="**Mass combat:** off")

    page = await gwen.chooses("Other settings", "Characters", hears="**Module:** generic")
    await gwen.chooses("Module", "Fantasy", hears="Module: generic → **fantasy**")
    await presses(gwen, page, "start_points")
    await gwen.writes("many", hears="must be a whole number")
    await presses(gwen, page, "start_points")
    await gwen.writes("75", hears="**Character points:** 75")

    read = await alice.types("/campaign settings setting:start_points", hears=["75", "changed here"])
    assert "Change" not in read.text
    refused = await alice.member.press(page, control(page, "start_points"), unchecked=True)
    assert "Only a GM can do that" in refused.text
    assert "off → " not in (await alice.types("/campaign settings")).text
    await house.restart()
    await gwen.chooses("Other settings", "Optional rules: world", hears="**Money:** off")
    await gwen.presses("Desk", hears="### Desk")


async def test_a_gm_edits_the_modules_lists_by_forms(house: Table, party: Party) -> None:
    gwen, alice, _bob = party.everybody
    await open_campaign(party, game="RPJ Core")
    await gwen.types("/campaign settings", hears="[Lists]")
    await gwen.presses("Lists", hears="[Open a list …]")
    await gwen.chooses("Open a list", "Skills", hears="15 in this list")
    skill = {
        "Name": "Sailing",
        "Linked attributes": ["Dexterity"],
        "Can be rolled at level 0": "Yes",
        "Specialties": "",
        "What it does": "Boats.",
    }
    await gwen.presses("Add …")
    await gwen.writes(skill, hears=["Added Sailing", "16 in this list"])
    entry = await gwen.chooses("Open one", "Sailing", hears="**What it does:** Boats.")
    stolen = await alice.member.press(entry, "Remove", unchecked=True)
    assert "Only a GM can do that" in stolen.text
    await house.restart()
    await gwen.presses("Change …")
    await gwen.writes({**skill, "What it does": "Ships."}, hears="What it does: Boats. → **Ships.**")
    await gwen.types("/gm module show", hears="Generic \\(changed\\)")
    await gwen.chooses("Open one", "Sailing", hears="Ships.")
    await gwen.presses("Remove", hears=["Removed Sailing", "15 in this list"])
    await gwen.presses("Undo", hears="16 in this list")


async def test_a_gm_can_export_edit_and_import_a_module(house: Table) -> None:
    party = gather(house.discord)
    gwen, alice, bob = party.everybody
    await open_campaign(party, game="RPJ Core")
    await gwen.types("/gm module use module:fantasy", hears="switches to the module Fantasy")
    await alice.types("/character create ready:Ilsa Roan", hears="joins the campaign")

    given = await gwen.types("/gm module export", hears="The module **Fantasy**")
    assert given.message is not None
    text = house.discord.files.content(given.message["attachments"][0]).decode()
    assert given.message["attachments"][0]["filename"] == "rpj-module.toml"
    wrong = text.replace('linked = ["DEX"]', 'linked = ["AIR"]', 1)
    await gwen.types(
        "/gm module import", file=Upload("mine.toml", wrong.encode()), hears=["Line ", "STR", "LUCK"]
    )
    mine = text.replace('name = "Fantasy"', 'name = "Saltmarsh"', 1).replace(
        'name = "Survival"', 'name = "Marsh Lore"'
    )
    await gwen.types(
        "/gm module import",
        file=Upload("mine.toml", mine.encode()),
        hears=["now uses the module in this file", "**Saltmarsh**", "module Fantasy → Saltmarsh"],
    )

    await alice.types("/rpj check skill:Marsh Lore", hears="checks Marsh Lore")
    await bob.types("/gm module show", hears="Only a GM can do that")
    await house.restart()
    await gwen.types("/gm module show", hears=["**Saltmarsh**", "Only 24 of the 27 skills"])
    await gwen.types("/gm module use module:science_fiction", hears="switches to the module Science Fiction")
    await gwen.types("/gm module show", hears=["5 abilities", "The module has no skill archery"])
    await gwen.types("/gm module use module:own", hears="switches to the module Saltmarsh")
    await gwen.types("/gm time", hears="It is **day 1, 00:00**")

    assert is_whole(house.database)
