"""Shared rest: several characters rest, and the clock moves once."""

from __future__ import annotations

import asyncio

from bot.playground.discord import read
from tests.e2e.fighting import EPHEMERAL
from tests.e2e.opening import ALICES, BOBS, open_campaign, open_other, open_play
from tests.e2e.people import Actor, Party, is_whole
from tests.e2e.table import Table

SABLE, ONDRA = "Sable Thornwick", "Ondra Kestrel"


async def open_swim(party: Party) -> None:
    """Open Project Swim Class with two wounded heroes and an hourly countdown."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, game="Project Swim Class")
    await alice.types(f"/character create ready:{SABLE}", hears=SABLE)
    await bob.types(f"/character create ready:{ONDRA}", hears=ONDRA)
    for name in (SABLE, ONDRA):
        await gwen.types(f"/swim-gm rank target:{name} skill:Physical Defense rank:9")
        await gwen.types(f"/swim-gm harm target:{name} points:4", hears="Physical 9/9 → 6/9")
    await dawn(gwen)


async def dawn(gwen: Actor) -> None:
    """Start a countdown that moves every hour of game time."""
    await gwen.types(
        "/gm countdown create name:Dawn kind:success difficulty:12 every:1 unit:hours", hears="Dawn"
    )


async def newest_saying(who: Actor, fragment: str) -> str:
    """Wait for a message for everybody with this text, and return what the newest one says."""

    def found() -> list[str]:  # an open sheet may say it before
        seen = who.member.sees()
        return [text for one in seen if not one["flags"] & EPHEMERAL and fragment in (text := read(one))]

    await who.member.discord.until(found)
    return found()[-1]


async def clock(gwen: Actor) -> str:
    return (await gwen.types("/gm time")).text


async def test_f_swim_04_a_shared_rest_moves_the_clock_once(house: Table, party: Party) -> None:
    gwen, alice, bob = party.everybody
    await open_swim(party)
    await alice.types("/swim rest hours:2", hears=["is about to rest for 2 hours", "[Rest too]"])
    await house.restart()
    await bob.presses("Rest too", hears=f"Resting\\: {SABLE}, {ONDRA}")
    done = await alice.presses("Rest now: 2 hours pass", hears=f"Rested\\: {SABLE}, {ONDRA}")
    assert done.failed is None
    text = await newest_saying(alice, f"rests for 2 hours with {ONDRA}")
    assert "Dawn 0 → 2" in text
    assert "Composure 0/1 → " in text
    assert "chance was" not in text
    assert "[Details]" in text
    assert "02:00" in await clock(gwen)
    await alice.presses("Details", hears="physical recovery")
    assert is_whole(house.database)


async def test_f_swim_04_a_second_rest_can_share_the_same_hours(house: Table, party: Party) -> None:
    gwen, alice, bob = party.everybody
    await open_swim(party)
    await alice.types("/swim rest hours:2 now:True", hears=["rests for 2 hours", "Dawn 0 → 2"])
    await bob.types(
        "/swim rest hours:2", hears=["which hours", f"Just now {SABLE} rested for 2 hours", "[2 hours more]"]
    )
    await bob.presses("The same 2 hours", hears=f"rested for 2 hours with {SABLE}")
    assert "02:00" in await clock(gwen)
    await bob.presses("I rested with them", hears=f"{ONDRA} has already rested with them.")
    await bob.presses("Undo", hears="asks the GM to undo")
    await gwen.presses("Undo it (GM)")
    await bob.presses("I rested with them", hears=f"rested for 2 hours with {SABLE}")
    await gwen.types("/gm time amount:1 unit:minutes")
    await bob.types("/swim rest hours:1", hears="is about to rest for 1 hour")
    assert is_whole(house.database)


async def test_f_swim_04_undoing_a_rest_undoes_all_of_it(party: Party) -> None:
    gwen, alice, _bob = party.everybody
    await open_swim(party)
    await alice.types("/swim rest hours:2 now:True", hears="Dawn 0 → 2")
    await alice.presses("Undo", hears="asks the GM to undo")
    await gwen.presses("Undo it (GM)", hears="Dawn 2 of 12")
    assert "00:00" in await clock(gwen)
    await gwen.types(f"/swim-gm mend target:{SABLE} points:1", hears="Physical 6/9 → 7/9")


async def test_f_swim_04_several_presses_at_once_pass_the_hours_once(house: Table, party: Party) -> None:
    gwen, alice, bob = party.everybody
    await open_swim(party)
    await alice.types("/swim rest hours:3", hears="is about to rest for 3 hours")
    await bob.presses("Rest too", hears=ONDRA)
    message = await alice.sees("[Rest now: 3 hours pass]")
    await asyncio.gather(
        *(one.member.press(message, "Rest now: 3 hours pass") for one in (alice, bob, gwen, alice))
    )
    assert "03:00" in await clock(gwen)
    await gwen.types("/countdown show name:Dawn", hears="3 of 12")
    public = [one for one in bob.member.sees() if not one["flags"] & EPHEMERAL]  # not what open sheets say
    told = [text for one in public if "rests for 3 hours with" in (text := read(one))]
    assert len(told) == 1, "\n\n".join(told)
    assert is_whole(house.database)


async def test_a_player_who_does_not_rest_can_neither_start_nor_cancel_the_rest(party: Party) -> None:
    gwen, alice, bob = party.everybody
    await open_swim(party)
    await alice.types("/swim rest hours:3", hears="is about to rest for 3 hours")
    await bob.presses("Rest now", hears="Only someone resting or a GM can start it.")
    refused = await bob.member.press(await alice.sees("[Stay awake]"), "GM …")
    await bob.heard(refused, "Only a GM can do that")
    assert refused.ephemeral
    await gwen.presses("Rest too", hears="You have no character here.")
    await gwen.presses("Call it off", hears="called off")
    assert "00:00" in await clock(gwen)


async def test_the_gm_can_start_a_rest_for_the_party(party: Party) -> None:
    gwen, alice, bob = party.everybody
    await open_swim(party)
    await alice.types("/gm rest hours:8", hears="Only a GM can do that")
    await gwen.types(
        f"/gm rest hours:8 who:{SABLE}", hears=["calls for a rest of 8 hours", f"Resting\\: {SABLE}"]
    )
    await bob.types("/swim rest hours:8", hears=f"joins the rest of {SABLE}, for 8 hours")
    await gwen.presses("Rest now: 8 hours pass", hears="rested for 8 hours")
    await newest_saying(gwen, f"lets {SABLE}, {ONDRA} rest for 8 hours")
    assert "08:00" in await clock(gwen)
    await gwen.types("/session start")
    await alice.types("/swim rest hours:1", hears="is about to rest for 1 hour")
    await gwen.types("/session end")
    await gwen.presses("End the session", hears="has ended")
    await alice.types("/swim rest hours:1", hears="is about to rest for 1 hour")


async def test_post_magic_maid_shares_hours_of_rest(house: Table, party: Party) -> None:
    gwen, alice, bob = party.everybody
    await open_play(party)
    await dawn(gwen)
    for name in (ALICES, BOBS):
        await gwen.types(f"/gm set wounds character:{name} level:Blunt · slight filled:2")
    await alice.types("/maid rest hours:2", hears="is about to rest for 2 hours")
    await bob.presses("Rest too", hears=f"Resting\\: {ALICES}, {BOBS}")
    await bob.presses("Rest now: 2 hours pass", hears="rested for 2 hours")
    text = await newest_saying(bob, f"rests for 2 hours with {ALICES}")
    assert "Dawn 0 → 2" in text
    assert f"{ALICES}\\: 2 wounds healed." in text
    assert f"{BOBS}\\: 2 wounds healed." in text
    assert is_whole(house.database)


async def test_compare_roll_shares_hours_and_days_of_rest(party: Party) -> None:
    gwen, alice, bob = party.everybody
    await open_other(party, "Compare Roll")
    one, other = sorted(await gwen.is_offered("/gm rest", "who"))[:2]
    await dawn(gwen)
    await alice.types("/compare rest hours:1", hears="is about to rest for 1 hour")
    await bob.presses("Rest too", hears="Resting")
    await alice.presses("Rest now: 1 hour passes", hears="rested for 1 hour")
    await newest_saying(alice, "rests for 1 hour with")
    await gwen.types("/countdown show name:Dawn", hears="1 of 12")
    await gwen.types("/gm time amount:1 unit:minutes")
    await gwen.types(f"/compare-gm longrest targets:{one}", hears=[f"lets {one} rest for 24 hours"])
    await gwen.types(f"/compare-gm longrest targets:{other}", hears="which hours")
    await gwen.heard(await gwen.member.press(await gwen.sees("which hours"), "GM …"), "[Rest another day]")
    await gwen.presses("The same 24 hours", hears=f"says that {other} rested for 24 hours with {one}")


async def test_rpj_shares_hours_of_rest(party: Party) -> None:
    gwen, alice, bob = party.everybody
    await open_other(party, "RPJ Core")
    one, other = sorted(await gwen.is_offered("/gm rest", "who"))[:2]
    await dawn(gwen)
    await gwen.types(
        f"/rpj-gm health rest hours:4 who:{one}", hears=[f"lets {one} rest for 4 hours", "Dawn 0 → 4"]
    )
    await gwen.types(f"/rpj-gm health rest hours:4 who:{other}", hears="which hours")
    await gwen.heard(await gwen.member.press(await gwen.sees("which hours"), "GM …"), "[4 hours more]")
    await gwen.presses("The same 4 hours", hears=f"says that {other} rested for 4 hours with {one}")
    assert "04:00" in await clock(gwen)
    await gwen.types("/gm rest hours:8", hears="calls for a rest of 8 hours")
    await alice.presses("Rest too", hears="Resting")
    await bob.presses("Rest too", hears="Resting")
    await gwen.presses("Rest now: 8 hours pass", hears="rested for 8 hours")
    assert "12:00" in await clock(gwen)


async def test_a_game_without_rests_says_so(party: Party) -> None:
    gwen = party.gwen
    await open_campaign(party, game="Sword & Swarm")
    await gwen.types("/gm rest hours:8", hears="doesn't have that")
