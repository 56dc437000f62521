"""Questions that only a GM answers: they stand on the desk, on the sheet and in the session's preview."""

from __future__ import annotations

from tests.e2e.opening import open_campaign
from tests.e2e.people import gather
from tests.e2e.table import Table
from tests.e2e.test_asking import sees

NETTLE, OVERDUE = "Nettle Quickwater", "heavy wound, not treated in time"


async def test_f_small_21_an_overdue_wound_waits_for_the_gm_wherever_it_is_looked_for(house: Table) -> None:
    gwen, alice, _bob = (party := gather(house.discord)).everybody
    await open_campaign(party, game="Post-magic-maid")
    await alice.types(f"/character create ready:{NETTLE}", hears=NETTLE)
    await gwen.types("/session start", hears="started")
    await gwen.types(f"/maid-gm wound target:{NETTLE} track:rending tier:20 count:1", hears=NETTLE)
    await gwen.types("/maid-gm clock hours:9", hears="was not treated in time")

    await house.restart()
    await gwen.types("/gm desk", hears=["**Waiting for**", OVERDUE])
    await alice.types("/character sheet", hears=["**Waiting for**", OVERDUE])
    preview = await gwen.types("/session end", hears=["1 thing is open", OVERDUE, "the GM decides"])
    assert "Settle it first" not in preview.text
    await gwen.presses("Not yet")
    await gwen.presses(f"{NETTLE} survives", hears=f"rules that {NETTLE} survives")

    assert OVERDUE not in (await gwen.types("/gm desk", hears="Gwen")).text
    assert OVERDUE not in (await alice.types("/character sheet", hears=NETTLE)).text


async def test_f_small_21_an_own_skill_waits_on_the_desk_and_says_what_became_of_it(house: Table) -> None:
    gwen, alice, _bob = (party := gather(house.discord)).everybody
    await open_campaign(party, game="Compare Roll")
    await alice.types("/character create ready:Juno Marsh", hears="Juno Marsh")
    propose = "/compare create own category:Technical name:Robotics"
    await alice.types(propose, hears="proposes the skill Robotics")

    await gwen.types("/gm desk", hears=["**Waiting for**", "Juno Marsh's own skill\\: Robotics"])
    await gwen.presses("Refuse")

    await sees(alice, "proposes the skill Robotics \\(Technical\\) · **refused**")
    assert "own skill\\: Robotics" not in (await gwen.types("/gm desk", hears="Gwen")).text


async def test_f_small_21_a_proposed_skill_waits_for_how_well_it_fits(house: Table) -> None:
    gwen, alice, _bob = (party := gather(house.discord)).everybody
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await gwen.types("/campaign settings setting:module value:fantasy", hears="fantasy")
    await alice.types("/character create ready:Ilsa Roan name:Ilsa", hears="Ilsa")
    await gwen.types("/session start", hears="started")
    await alice.types(
        "/rpj propose skill:Athleticism how:climb the wall difficulty:10", hears="climb the wall"
    )

    await gwen.types("/gm desk", hears=["**Waiting for**", "Ilsa proposes", "climb the wall"])
    await alice.types("/character sheet", hears=["**Waiting for**", "climb the wall"])
    await gwen.types("/session end", hears=["1 thing is open", "climb the wall", "the GM decides"])
    await gwen.presses("Not yet")
    await gwen.presses("It fits", hears="Roll ")
    assert "climb the wall" not in (await gwen.types("/gm desk", hears="Gwen")).text
