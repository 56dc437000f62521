"""Open decisions, and fights at the end of a session: settled, waived, left open or automatic."""

from __future__ import annotations

import pytest

from bot.playground.discord import read
from bot.rules import rulesets
from tests.e2e.fighting import board_says, boards
from tests.e2e.opening import ALICES, open_campaign, open_other, open_play
from tests.e2e.people import Party, gather, is_whole
from tests.e2e.table import Room, Table

ENDED = "ends the fight in round 1"
GAMES = [one.title for one in rulesets().values()]


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


async def fight(house: Table, party: Party, game: str) -> None:
    """Open a campaign with a session in which two heroes begin a fight."""
    await open_other(party, game)
    await party.gwen.types("/session start", hears="**Session 1 started**")
    await party.alice.types("/encounter start", hears="starts a fight")
    await party.bob.presses("Join", hears="joins the fight")
    await board_says(house, party)
    await party.gwen.types("/encounter next")


async def recap(house: Table, party: Party) -> str:
    """Wait for the recap that the channel sees, and return it."""

    def shown() -> list[str]:
        posted = house.discord.messages.in_channel(party.server.channels[0])
        return [text for one in posted if "**Session 1 ended**" in (text := read(one.payload))]

    await house.discord.until(lambda: bool(shown()))
    return shown()[-1]


@pytest.mark.parametrize("game", GAMES)
async def test_f_all_34_a_gm_keeps_a_fight_beyond_the_session(house: Table, party: Party, game: str) -> None:
    await fight(house, party, game)

    preview = await party.gwen.types("/session end", hears="**A fight is running** in <#")
    assert {"End both", "Keep the fight"} <= set(preview.buttons)
    assert "End the session" not in preview.buttons
    await party.gwen.presses("Keep the fight", hears="Session 1 has ended.")

    told = await recap(house, party)
    assert "A fight goes on" in told
    assert "Fight:" not in told
    await board_says(house, party)
    await party.gwen.types("/gm encounter end", hears="ends the fight")


@pytest.mark.parametrize("game", GAMES)
async def test_f_all_34_a_gm_ends_a_fight_together_with_the_session(
    house: Table, party: Party, game: str
) -> None:
    await fight(house, party, game)
    await party.gwen.types("/session end", hears="**A fight is running** in <#")

    await party.gwen.presses("End both", hears="Session 1 has ended.")

    assert "The fight ended" in await recap(house, party)
    await house.discord.until(lambda: not boards(house, party))
    await party.gwen.types("/gm encounter end", hears="There is no fight in this channel.")
    await party.gwen.types("/session recap", hears="The fight ended")
    await party.gwen.presses("Undo the reset")
    await board_says(house, party)


async def test_f_all_34_a_fight_that_began_after_the_preview_is_asked_about(
    house: Table, party: Party
) -> None:
    await open_other(party, GAMES[0])
    await party.gwen.types("/session start", hears="**Session 1 started**")
    await party.gwen.types("/session end", hears="Ending session 1")
    await party.alice.types("/encounter start", hears="starts a fight")

    asked = await party.gwen.presses("End the session")

    assert "**A fight is running** in <#" in asked.text
    await party.gwen.types("/session status", hears="session 1")


async def test_the_better_defense_is_chosen_automatically_after_a_restart(house: Table) -> None:
    party = gather(house.discord)
    gwen, alice, bob = party.everybody
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await gwen.types("/campaign settings setting:module value:fantasy", hears="fantasy")
    await gwen.types("/campaign settings setting:defense_seconds value:4", hears="60 → 4")
    await alice.types("/character create ready:Ilsa Roan", hears="Ilsa Roan")
    await bob.types("/character create ready:Gorm Halvard", hears="Gorm Halvard")
    await alice.types("/encounter start", hears="starts a fight")
    await bob.types("/encounter join", hears="joins the fight")
    await bob.types("/rpj-fight defense defense:ask", hears="chooses each defense from now on")
    await gwen.types(
        "/gm encounter order characters:Ilsa Roan, Gorm Halvard", hears="sets the initiative order"
    )
    await gwen.types("/encounter next", hears="It is Ilsa Roan's turn.")
    await alice.types("/rpj-fight attack target:Gorm Halvard weapon:unarmed", hears="· auto 4 s")
    await house.restart()

    def texts() -> list[str]:
        posted = house.discord.messages.in_channel(party.server.channels[0])
        return [read(one.payload) for one in posted]

    def is_done() -> bool:
        decided = [text for text in texts() if "chooses for Gorm Halvard" in text]
        return len(decided) == 1 and not any("automatic in 4 s" in text for text in texts())

    await house.discord.until(is_done)
    assert is_whole(house.database)


async def test_an_attack_without_a_defense_resolves_after_a_restart(house: Table) -> None:
    party = gather(house.discord)
    gwen = party.gwen
    await open_play(party)
    await gwen.types("/campaign settings setting:defense_seconds value:4", hears="60 → 4")
    await gwen.types("/gm npc name:Goblin", hears="**Goblin** joins the campaign")
    await gwen.types(
        f"/maid attack as:Goblin target:{ALICES} first:Str second:Dex track:blunt tier:20 defended:True",
        hears="· 4 s",
    )
    await house.restart()

    def texts() -> list[str]:
        posted = house.discord.messages.in_channel(party.server.channels[0])
        return [read(one.payload) for one in posted]

    def is_done() -> bool:
        met = [one for one in texts() if f"**{ALICES}** defends" in one or "is hit by Goblin" in one]
        return len(met) == 1 and not any("automatic in 4 s" in one for one in texts())

    await house.discord.until(is_done)
    assert is_whole(house.database)
