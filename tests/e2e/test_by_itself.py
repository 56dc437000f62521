"""What nobody chooses in time happens automatically, also after a restart."""

from __future__ import annotations

from bot.playground.discord import read
from tests.e2e.opening import ALICES, open_campaign, open_play
from tests.e2e.people import gather, is_whole
from tests.e2e.table import Table


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
