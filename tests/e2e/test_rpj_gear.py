"""Money, loads and coins in RPJ Core: prices, gifts, months, bags, coin flips."""

from __future__ import annotations

from tests.e2e.opening import open_campaign, switch_briefly
from tests.e2e.people import Party, gather
from tests.e2e.records import everything_of, is_whole
from tests.e2e.table import Table
from tests.e2e.test_asking import sees

HOSTILE = "@everyone **x**"


async def open_fantasy(party: Party, *packs: str) -> tuple[str, str]:
    """Open a fantasy campaign with optional rules on and two ready-made characters."""
    await open_campaign(party, game="RPJ Core")
    await party.gwen.types("/campaign settings setting:module value:fantasy", hears="fantasy")
    for pack in packs:
        await party.gwen.types(f"/campaign settings setting:{pack} value:yes", hears="yes")
    ready = await party.alice.is_offered("/character create", "ready")
    for player, name in zip((party.alice, party.bob), ready, strict=False):
        await player.types(f"/character create ready:{name}", hears=name)
    return ready[0], ready[1]


async def test_an_evening_at_the_market_is_played(table: Table) -> None:
    party = gather(table.discord)
    gwen, alice, _bob = party.everybody
    alices, bobs = await open_fantasy(party)
    await switch_briefly(party, "money", "rpj-gear purse")
    await alice.types("/rpj-gear purse", hears=["doesn't use Money", "value\\:yes"])
    assert await alice.is_offered("/rpj-gear buy", "item", "long") == []
    for pack in ("money", "inventory", "coin_flips"):
        await gwen.types(f"/campaign settings setting:{pack} value:yes", hears="yes")
    await gwen.types(f"/gm award resource:Coin amount:12 characters:{alices}", hears="0 → 12")
    await gwen.types(f"/gm award resource:Wealth amount:9 characters:{alices}", hears="0 → 9")

    await buying(table, party, alices)
    await table.restart()
    await giving(table, party, alices, bobs)
    await a_month(party, alices, bobs)
    await carrying(party, alices, bobs)
    await flipping(party)

    assert is_whole(table.database)


async def buying(table: Table, party: Party, alices: str) -> None:
    """Buy at a price shown with its parts, and haggle once; a stranger's or repeated press does nothing."""
    gwen, alice, bob = party.everybody
    await gwen.types("/rpj-gm gear market item:Longsword shift:1", hears="Longsword +1 Coin")
    await alice.types(
        "/rpj-gear buy item:Longsword better:damage",
        hears=["Longsword \\(damage +1\\)", "common 6 · quality 8 · market 9", "[Haggle with Trade"],
    )
    await bob.presses("Haggle with", hears=f"That button is for {alices}.")
    await alice.presses("Haggle with")
    await sees(gwen, "haggles", "[Buy for ")
    bought = await alice.presses("Buy for ")
    await sees(gwen, f"**{alices}** buys Longsword", "Coin 12 → ")
    before = everything_of(table.database, party.server.id)
    await table.discord.deliver_again(bought)
    assert everything_of(table.database, party.server.id) == before
    await alice.types("/rpj-gear buy item:Moon", hears="There is no item “Moon”")


async def giving(table: Table, party: Party, alices: str, bobs: str) -> None:
    """A gift changes both purses once, when its receiver presses."""
    _gwen, alice, bob = party.everybody
    await alice.types(f"/rpj-gear give target:{bobs} coin:999", hears="Coin")
    await alice.types(f"/rpj-gear give target:{bobs} wealth:2", hears=f"offers {bobs} 2 Wealth")
    await alice.presses("Accept 2 Wealth", hears=f"That button is for {bobs}.")
    taken = await bob.presses("Accept 2 Wealth")
    await sees(alice, f"**{bobs}** accepts 2 Wealth", "Wealth 9 → 7", "Wealth 0 → 2")
    before = everything_of(table.database, party.server.id)
    await table.discord.deliver_again(taken)
    assert everything_of(table.database, party.server.id) == before


async def a_month(party: Party, alices: str, bobs: str) -> None:
    """The clock ends the month: Wealth pays Coin, then wages are due, and earmarked Wealth takes effect."""
    gwen, alice, _bob = party.everybody
    await alice.types(
        f"/rpj-gear wealth earmark name:{HOSTILE} amount:2",
        hears="sets 2 Wealth aside for \\@everyone \\*\\*x\\*\\*",
    )
    await alice.types(
        f"/rpj-gm gear income target:{alices} amount:3",
        hears="Only a GM can do that",
    )
    await gwen.types(
        f"/rpj-gm gear income target:{bobs} amount:3", hears=f"gives {bobs} 3 Coin at the month's end"
    )
    await gwen.types("/session start", hears="**Session 1 started**")
    await gwen.types(
        "/gm time amount:30 unit:days", hears=[f"{bobs}: Coin 0 → 4", f"{alices}\\: 2 Wealth set aside."]
    )
    await gwen.types("/undo", hears="undoes")
    await gwen.types("/gm time amount:30 unit:days", hears=f"{bobs}: Coin 0 → 4")
    await alice.types("/rpj-gear purse", hears=["Coin ", "Set aside\\: \\@everyone \\*\\*x\\*\\* 2"])


async def carrying(party: Party, alices: str, bobs: str) -> None:
    """Fill bags; too much load makes a check harder; an item changes hands."""
    _gwen, alice, bob = party.everybody
    await alice.types("/rpj-gear pick item:Pack", hears="Load ")
    await alice.types("/rpj-gear put item:Pack to:worn", hears="puts on Pack")
    await alice.types("/rpj-gear pick item:Club count:7", hears="overloaded")
    await alice.types("/rpj check skill:Athleticism", hears="overloaded 1")
    await alice.types("/rpj-gear put item:Club to:large container count:6", hears="Club ×6 into the large")
    await alice.types("/rpj-gear bags", hears=["Load ", "Large container\\: Club ×6"])
    await alice.types(f"/rpj-gear hand target:{bobs} item:Club", hears=f"offers {bobs} Club")
    await bob.presses("Take Club")
    await sees(alice, f"**{bobs}** takes Club from {alices}")


async def flipping(party: Party) -> None:
    """Flip coins instead of dice (F-OPT-19), and read coins flipped by hand."""
    alice = party.alice
    await alice.types("/rpj-gear coins read coins:HHT HT", hears="8")
    await alice.types("/rpj-gear coins read coins:HHT H", hears="isn't five coins")
    await alice.types("/odds rpj level:4 target:11", hears="of 36")
    await alice.types("/odds rpj level:4 target:11 coins:True", hears="of 32")
    rolled = await alice.types("/rpj check skill:Trade difficulty:9+", hears="Trade")
    assert "coins" not in rolled.text
    await alice.types("/rpj-gear coins throw thrown:coins", hears="flips coins from now on")
    await alice.types("/rpj check skill:Trade difficulty:9+", hears="coins")
