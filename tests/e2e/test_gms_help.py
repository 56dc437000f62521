"""The GM's tools in RPJ Core: an NPC from one word, a check that becomes a countdown, the clock."""

from __future__ import annotations

from tests.e2e.opening import open_campaign
from tests.e2e.people import gather
from tests.e2e.records import is_whole
from tests.e2e.table import Table


async def test_the_gm_can_improvise_an_npc_a_countdown_and_game_time(table: Table) -> None:
    party = gather(table.discord)
    gwen, alice, bob = party.everybody
    await open_campaign(party, game="RPJ Core")
    await gwen.types("/gm module use module:fantasy")
    await alice.types("/character create ready:Ilsa Roan")
    await gwen.types("/session start")

    level = await gwen.types("/rpj-gm npc how:masterful what:Pickpocket", hears="Effective level")
    assert level.ephemeral
    await gwen.types(
        "/rpj-gm npc how:average what:Strength difficulty:Moderate",
        hears=["improvises an average NPC", "against 9+"],
    )
    await bob.types("/rpj-gm npc how:green", hears="Only a GM can do that")

    await alice.types("/rpj check skill:Concealment difficulty:Moderate", hears="checks Concealment")
    await bob.presses("Countdown (GM)", hears="Only a GM can press that button.")
    await gwen.presses("Countdown (GM)", hears=["one roll is not enough", "this check counts"])
    await gwen.presses("Details", hears="complication")
    board = gwen.sees("complication")
    assert "of 4" in str(board)
    await alice.types("/rpj check skill:Concealment countdown:Concealment", hears="Concealment")
    await gwen.types("/gm time amount:2 unit:days", hears="it is day 3")
    await gwen.types(
        "/gm set field character:Ilsa Roan field:available_points value:3 reason:for the map",
        hears=["for the map", "Character points to spend"],
    )

    assert is_whole(table.database)
