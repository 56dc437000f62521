"""Open decisions at the end of a fight or a session: named, settled, waived or left open."""

from __future__ import annotations

from bot.playground.discord import read
from tests.e2e.opening import open_campaign
from tests.e2e.people import Party, gather
from tests.e2e.table import Room, Table

ENDED = "ends the fight in round 1"


async def hit(table: Room) -> Party:
    """Open a fight in which a giant has hit Ilsa and her damage save is open."""
    party = gather(table.discord)
    gwen, alice, _bob = party.everybody
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await gwen.types("/campaign settings setting:module value:fantasy", hears="fantasy")
    await alice.types("/character create ready:Ilsa Roan name:Ilsa", hears="Ilsa")
    await gwen.types("/session start", hears="started")
    await alice.types("/encounter start", hears="starts a fight")
    giants = "name:Giant count:9 attack:20 damage:9 beside:Ilsa region:1"
    await gwen.types(f"/rpj-gm-fight mooks {giants}", hears="Giant ×9")
    await alice.types("/rpj-fight defense defense:best", hears="better defense")
    await gwen.types("/encounter next", hears="rolls initiative")
    await gwen.types("/encounter next", hears="starts round 1")
    await gwen.types("/encounter next", hears="the mooks' turn")
    attack = "/rpj-gm-fight mook-attack who:Giant target:Ilsa count:1"
    for _ in range(20):  # two ones in a hundred miss
        if "save" in (await gwen.types(attack, hears="attacks Ilsa")).text:
            return party
    raise AssertionError("no attack of 20 hits Ilsa")


async def test_f_opt_04_the_gm_sees_what_is_open_and_can_settle_it_after_a_restart(house: Table) -> None:
    party = await hit(house)
    gwen, alice, bob = party.everybody

    asked = await gwen.types("/gm encounter end", hears=["can't end the fight yet", "1 thing is open"])
    assert "Ilsa's save against 9 damage." in asked.text
    await house.restart()
    refused = await bob.presses("GM …", hears="Only a GM can do that")
    assert refused.ephemeral
    ended = await gwen.presses("Settle it and end", hears=ENDED)
    assert ("save lost" in ended.text) != ("⚅ ⚅" in ended.text)  # one save in 36 succeeds

    again = await gwen.types("/gm encounter end")
    assert "There is no fight in this channel." in again.text
    await house.discord.until(lambda: ENDED in asked.text)  # so that its buttons are gone
    late = await alice.presses("Ilsa: save", hears="There is no fight in this channel.")
    assert late.ephemeral


async def test_f_opt_04_the_player_can_roll_the_save_the_gm_is_asked_about(room: Room) -> None:
    party = await hit(room)
    gwen, alice, bob = party.everybody
    await gwen.types("/gm encounter end", hears="can't end the fight yet")

    assert (await bob.presses("Ilsa: save", hears="Ilsa")).ephemeral
    await alice.presses("Ilsa: save", hears="rolls a damage save")

    await gwen.types("/gm encounter end", hears=ENDED)


async def test_f_opt_04_a_character_with_an_open_save_cannot_leave(room: Room) -> None:
    party = await hit(room)

    await party.alice.types(
        "/encounter leave", hears=["Ilsa can't leave yet.", "Ilsa's save against 9 damage"]
    )


async def test_f_opt_04_the_gm_can_waive_what_is_open_when_the_session_ends(room: Room) -> None:
    party = await hit(room)
    gwen = party.gwen

    preview = await gwen.types(
        "/session end", hears=["1 thing is open", "Ilsa's save against 9 damage in <#"]
    )
    assert "stays open" in preview.text
    await gwen.presses("Waive it", hears="Ending session 1")
    await room.discord.until(lambda: _is_shown(party, "waives what was open"))
    await gwen.presses("Keep the fight", hears="has ended")

    await room.discord.until(lambda: _is_shown(party, "**Session 1 ended**"))
    assert not _is_shown(party, "Still open")


async def test_f_opt_04_a_session_that_ends_automatically_leaves_it_open_and_says_so(table: Table) -> None:
    party = await hit(table)
    await table.stop()
    table.settings["SESSION__IDLE_HOURS"] = "0.0001"

    await table.start()
    await table.discord.until(lambda: bool(party.bob.member.sees()) and _is_shown(party, "Session 1 ended"))

    assert _is_shown(party, "Still open for next time: Ilsa's save against 9 damage")
    table.settings["SESSION__IDLE_HOURS"] = "6"
    await table.restart()
    await party.gwen.types(
        "/session start", hears=["Still open from before", "Ilsa's save against 9 damage."]
    )
    await party.alice.presses("Ilsa: save", hears="rolls a damage save")


def _is_shown(party: Party, text: str) -> bool:
    """Whether a visible message says something."""
    return any(text in read(one) for one in party.bob.member.sees())
