"""An RPJ Core shootout with Fire and Movement and damage scales, and a restart in the middle."""

from __future__ import annotations

import pytest

from tests.e2e.fighting import board_says
from tests.e2e.opening import open_campaign, switch_briefly
from tests.e2e.people import Party, gather
from tests.e2e.records import is_whole
from tests.e2e.table import Room, Table

SHARED = pytest.mark.asyncio(loop_scope="module")  # with the module's bot

RULES = ("module value:science_fiction", "fire_and_movement value:yes", "damage_scales value:yes")


async def drawn(table: Room) -> Party:
    """Open a fight: Juno, who acts, and Rex with pistols behind a car; two drones two regions away."""
    party = gather(table.discord)
    gwen, alice, bob = party.everybody
    await open_campaign(party, "The Dock", "RPJ Core")
    for setting in RULES:
        await gwen.types(f"/campaign settings setting:{setting}")
    await alice.types("/character create ready:Juno Achterberg name:Juno", hears="Juno")
    await bob.types("/character create ready:Juno Achterberg name:Rex", hears="Rex")
    await gwen.types("/session start", hears="started")
    await alice.types("/encounter start", hears="starts an encounter")
    await bob.types("/encounter join", hears="joins the encounter")
    await gwen.types("/rpj-gm-fight field regions:3 names:Gate, Yard, Hall", hears="about 90 yards")
    await gwen.types(
        "/rpj-gm-fight mooks name:Drone count:2 attack:0 defense:2 range:2 damage_scale:mega",
        hears="Drone ×2",
    )
    await gwen.types("/rpj-gm-fight fire cover what:car behind:Juno", hears="car +3/1f in Gate")
    await gwen.types("/gm encounter order characters:Juno, Rex", hears="sets the initiative order")
    await gwen.types("/encounter next", hears="It is Juno's turn.")
    return party


async def test_a_shootout_is_played_through_a_restart(table: Table) -> None:
    party = await drawn(table)
    gwen, alice, bob = party.everybody
    await board_says(table, party, "behind car +3", "loaded 3/3", "Fire …")
    sights = await alice.types("/rpj-fire targets", hears=["Drone 1 at 2", "you need 2+"])
    assert sights.ephemeral
    await alice.types("/rpj-fire hint", hears=["In cover", "Suppress Drone ×2 · Pistol"])

    await alice.types(
        "/rpj-fire suppress target:Drone weapon:Pistol",
        hears=["suppresses the group of Drone 1", "Drone 2", "loaded 1/3"],
    )
    await board_says(table, party, "loaded 1/3")
    await alice.chooses("Fire …", "Reload Pistol: loaded 1 → 3 (1 action)", hears="reloads")
    await table.restart()
    await alice.types("/encounter status", hears=["behind car +3", "loaded 3/3"])

    await gwen.types("/encounter next", hears="It is Rex's turn.")
    refused = await alice.types("/rpj-fire reload")
    assert refused.ephemeral
    await bob.types("/rpj-fire overwatch region:Yard", hears="watches Yard")
    await gwen.types("/encounter next", hears="mooks' turn")
    moved = await gwen.types("/rpj-gm-fight mook-move who:Drone 1 region:Yard", hears="moves Drone")
    if "Juno: skip" in moved.text:  # a double one suppresses nobody
        await alice.presses("Juno: skip", hears="skips the free attack")
    await bob.presses("Rex: shoot", hears="on overwatch")
    await gwen.types("/gm encounter end", hears=["Juno's Pistol", "Lots → Some"])
    await alice.types("/rpj-fire ammo", hears="loaded 3/3 · Some")
    assert is_whole(table.database)


@SHARED
async def test_fire_and_movement_commands_are_refused_when_the_pack_is_off(room: Room) -> None:
    party = gather(room.discord)
    await open_campaign(party, "The Dock", "RPJ Core")
    await party.alice.types("/character create ready:Marit Vance", hears="Marit Vance")
    await switch_briefly(party, "fire_and_movement", "rpj-fire ammo")
    refused = await party.alice.types(
        "/rpj-fire ammo", hears=["doesn't use Fire and Movement", "The GM can switch it on"]
    )
    assert refused.ephemeral
