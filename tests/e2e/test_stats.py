"""Dice against expectation, also after a restart (F-ALL-28)."""

from __future__ import annotations

from tests.e2e.opening import open_play
from tests.e2e.people import gather
from tests.e2e.table import Table


async def test_players_see_their_own_dice_and_the_gm_everyones(house: Table) -> None:
    party = gather(house.discord)
    gwen, alice, bob = party.everybody
    await open_play(party)
    await gwen.types("/session start")
    await alice.types("/roll expression:20d6")
    await gwen.types("/roll expression:9d20 secret:True label:kanarie")
    told = await alice.types("/stats", hears=["**Your dice** in The Manor", "20 d6 averaged ", "dice.png"])
    assert told.ephemeral
    await gwen.types("/stats", hears="9 d20 averaged ")

    await house.restart()
    await alice.chooses("One size, by session", "d6", hears=["**Your d6s**", "Session 1: 20 dice, "])
    await alice.presses("Check the dice", hears="dice anyone can check")
    await gwen.presses("Everyone", hears=["Alice · 20 dice · d6", "Gwen · 9 dice · d20"])
    await gwen.chooses("Look at somebody's dice", "Alice", hears="**Alice's dice**")
    await bob.types("/stats", hears="You have rolled no dice in The Manor yet.")
    assert all("kanarie" not in str(one) for one in (*alice.member.sees(), *bob.member.sees()))
