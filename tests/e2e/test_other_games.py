"""F-ALL-01: another game's command is refused, with a button for the right one."""

from __future__ import annotations

from tests.e2e.opening import open_campaign, open_other
from tests.e2e.people import Party, everything_of
from tests.e2e.table import Table


async def test_a_button_runs_the_right_games_command_once(house: Table, party: Party) -> None:
    await open_campaign(party, "The Docks", "Compare Roll")
    await open_other(party, "Post-magic-maid")
    before = everything_of(house.database, party.server.id)

    refused = await party.alice.types(
        "/compare rest hours:2", hears=["This campaign plays Post-magic-maid.", "Use /maid rest."]
    )

    assert refused.ephemeral
    assert everything_of(house.database, party.server.id) == before
    await party.alice.presses("/maid rest hours:2", hears="is about to rest for 2 hours")
    log = (await party.gwen.types("/log")).text
    assert log.count("is about to rest for 2 hours") == 1


async def test_a_command_with_different_options_is_named_without_a_button(house: Table, party: Party) -> None:
    await open_campaign(party, "The Palace", "Post-magic-maid")
    await open_other(party, "Compare Roll")
    before = everything_of(house.database, party.server.id)

    refused = await party.alice.types(
        "/maid check first:Int second:Dex", hears="This campaign plays Compare Roll. Use /compare"
    )

    assert "[" not in refused.text
    assert everything_of(house.database, party.server.id) == before


async def test_a_command_of_the_same_name_is_suggested(house: Table, party: Party) -> None:
    await open_campaign(party, "The Academy", "Project Swim Class")
    await open_other(party, "RPJ Core")

    await party.alice.types(
        "/swim attack skill:Basic Melee targets:Nobody",
        hears="This campaign plays RPJ Core. Use /rpj-fight attack.",
    )
    await party.alice.types("/swim jump gap:4", hears="Its commands start with /rpj.")
