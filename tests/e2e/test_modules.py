"""A GM exports a campaign's module as a file, edits it and imports it again."""

from __future__ import annotations

from bot.playground.discord import Upload
from tests.e2e.opening import open_campaign
from tests.e2e.people import gather, is_whole
from tests.e2e.table import Table


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
