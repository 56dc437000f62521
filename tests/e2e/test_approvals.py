"""A GM's approval button does what it says, at the price it showed, or nothing."""

from __future__ import annotations

from tests.e2e.opening import open_campaign
from tests.e2e.people import Party, everything_of
from tests.e2e.table import Table
from tests.e2e.test_asking import sees

ILSA = "Ilsa Roan"


async def test_the_gm_can_grant_a_wish_shown_in_two_messages_only_once(house: Table, party: Party) -> None:
    """F-RPJ-01."""
    gwen, alice, _bob = party.everybody
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await gwen.types("/campaign settings setting:module value:fantasy")
    await alice.types(f"/character create ready:{ILSA}", hears=ILSA)
    await gwen.types(f"/gm award resource:Character points amount:30 characters:{ILSA}")
    wish = "/rpj improve attribute attribute:STR"
    older = await alice.types(wish, hears="35 → 29.")
    await alice.types(wish, hears="wants to raise Strength from 2 to 3")

    await gwen.presses("Allow it for 6 points", hears=["raises Strength to 3", "35 → 29"])
    before = everything_of(house.database, party.server.id)
    page = await gwen.member.press(older, "GM …")
    refused = await gwen.member.press(page, "Allow it for 6 points")

    await house.discord.until(lambda: "This button is outdated." in refused.text)
    assert "Strength 2 → 3 for 6 character points" in refused.text
    assert everything_of(house.database, party.server.id) == before


async def test_the_gm_can_allow_a_flashback_without_the_character_who_cannot_pay(
    house: Table, party: Party
) -> None:
    """F-RPJ-08."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await gwen.types("/campaign settings setting:module value:fantasy")
    await alice.types(f"/character create ready:{ILSA}", hears=ILSA)
    await bob.types("/character create ready:Gorm Halvard", hears="Gorm Halvard")
    await gwen.types("/session start")
    await alice.types("/rpj-together flashback words:hid a rope", hears="proposes a flashback")
    await bob.presses("Join", hears=["With Gorm Halvard.", "costs you 2 Lucky Breaks"])
    await gwen.presses("GM …", hears="Allow it · 2 Lucky Breaks each")
    await gwen.types("/gm set resource resource:Lucky Breaks character:Gorm Halvard value:1")

    await sees(gwen, "Gorm Halvard can't pay", "1 of 2 Lucky Breaks left")
    await gwen.presses("Allow it without Gorm Halvard", hears="**allowed**")
    await sees(gwen, "proposes a flashback", f"{ILSA}\\: Lucky Breaks 4 → 2")

    await gwen.types("/undo", hears="undoes")
    await alice.types("/character sheet", hears="Lucky Breaks 4/4")
