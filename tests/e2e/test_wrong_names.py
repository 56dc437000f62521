"""An unknown name: the reply has a button for each name that may have been meant."""

from __future__ import annotations

from tests.e2e.opening import open_campaign
from tests.e2e.people import Party, everything_of
from tests.e2e.table import Table

ILSA = "Ilsa Roan"


async def test_a_suggested_name_can_be_pressed_and_runs_once(house: Table, party: Party) -> None:
    """F-RPJ-15."""
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await party.gwen.types("/campaign settings setting:module value:fantasy")
    await party.alice.types(f"/character create ready:{ILSA}", hears=ILSA)
    before = everything_of(house.database, party.server.id)

    refused = await party.alice.types(
        "/rpj check skill:Stealth difficulty:8",
        hears="This campaign has no skill “Stealth”. Did you mean Concealment?",
    )

    assert refused.ephemeral
    assert refused.buttons == ["Concealment"]
    assert everything_of(house.database, party.server.id) == before
    pressed = await party.alice.member.press(refused, "Concealment")  # a sheet may come below it
    await party.alice.heard(pressed, f"**{ILSA}** checks Concealment, Legendary")
    assert (await party.gwen.types("/log")).text.count("checks Concealment") == 1


async def test_each_of_two_suggested_names_has_a_button(party: Party) -> None:
    """F-RPJ-15."""
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await party.gwen.types("/campaign settings setting:module value:fantasy")
    await party.alice.types(f"/character create ready:{ILSA}", hears=ILSA)

    refused = await party.alice.types(
        "/rpj check skill:blade modifiers:+1 rope", hears="Did you mean Large Blades or Small Blades?"
    )

    assert refused.buttons == ["Large Blades", "Small Blades"]
    pressed = await party.alice.member.press(refused, "Small Blades")
    await party.alice.heard(pressed, ["checks Small Blades", "rope 1"])
