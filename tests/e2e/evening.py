"""A whole evening as it is played, from creating the campaign to the next session.

The dice are random; every expected text holds for any result.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from tests.e2e.opening import ALICES, BOBS, open_campaign
from tests.e2e.people import Party

Interlude = Callable[[], Awaitable[None]]


async def play_evening(party: Party, interlude: Interlude) -> None:
    """Play the whole evening.

    Args:
        party: Who plays.
        interlude: Awaited between scenes and in the middle of the wizard, for example to restart the bot.
    """
    await prologue(party, interlude)
    await interlude()
    await first_scene(party)
    await second_thoughts(party)
    await interlude()
    await encounter(party)
    await behind_the_screen(party)
    await interlude()
    await curtain(party)


async def prologue(party: Party, interlude: Interlude) -> None:
    """Create the campaign and two characters: one step by step, the other ready-made."""
    gwen, alice, bob, _ = party.gwen, party.alice, party.bob, party.server
    await gwen.types("/help", hears=["/campaign create", "/session start"])
    await open_campaign(party)
    await bob.presses("Proof", hears="Seed 1, in use since")
    await bob.types(f"/character create ready:{BOBS}", hears=f"**{BOBS}** joins the campaign")

    await alice.types("/character create", hears=["**Dice**", "1 of 6"])
    await alice.chooses("One attribute with a d20", "Int", hears="Choose one attribute for the d12.")
    await alice.chooses("One attribute with a d12", "Int", hears="Int has two dice; choose one.")
    await alice.chooses("One attribute with a d12", "Cha")
    await alice.chooses("Two attributes with a d8", "Dex", "Wll")
    await alice.presses("Next", hears=["**First bonuses**", "2 of 6"])
    await alice.presses("Back", hears="1 of 6")
    await alice.presses("Next", hears="2 of 6")
    await alice.chooses("Two attributes", "Int", "Cha")
    await alice.presses("Next", hears=["**Third bonus**", "3 of 6"])
    await interlude()
    await alice.chooses("One attribute", "Int")
    await alice.presses("Next", hears=["**Ability bonus one**", "4 of 6"])
    await alice.chooses("Kind of bonus", "Single", hears="Name the ability.")
    await alice.presses("Name the ability")
    await interlude()
    await alice.writes("Housekeeping", hears="The ability **Housekeeping**")
    await alice.presses("Next", hears=["**Ability bonus two**", "5 of 6"])
    await alice.chooses("Kind of bonus", "Passive")
    await alice.presses("Name the ability")
    await alice.writes(
        {"The passive ability": "Unseen", "What it does": "Nobody notices her."}, hears="Nobody notices her."
    )
    await alice.presses("Next", hears=["**Name**", "6 of 6", "Int d20 +2", "Enter a name."])
    await alice.presses("Enter a name")
    await alice.writes("Mina", hears="**Mina**")
    await alice.presses("Finish", hears=["[Refresh]", "**Mina** joins the campaign"])
    await alice.types("/character sheet", hears=["### Mina", "Housekeeping +5", "Blitz Points 3"])
    await bob.types("/character list", hears=["Mina", BOBS])


async def first_scene(party: Party) -> None:
    """Start the session and use checks, odds and rules."""
    gwen, alice, bob = party.everybody
    await gwen.types("/session start", hears=["**Session 1 started**", "**Mina**", f"**{BOBS}**"])
    await gwen.types("/session start", hears="Session 1 is already running.")
    await bob.types("/odds maid first:d20 second:d12 needed:15", hears="15 or better: **62%**")
    await bob.types("/odds dice expression:2d6", hears="7.00 on average")
    await bob.types("/rules about:blitz", hears=["**Blitz**", "Post-magic-maid · Blitz"])

    await alice.types(
        "/maid check first:Int second:Cha needed:15", hears=["**Mina** checks Int + Cha", "77%"]
    )
    await alice.presses("Details", hears=["below 10", "Journal entry"])
    await gwen.types("/maid-gm call character:Mina first:Int second:Dex needed:10", hears="calls for a check")
    await alice.presses("Roll Int + Dex", hears="**Mina** checks Int + Dex")
    await bob.types("/roll expression:4d6kh3 label:the cellar stairs", hears=["4d6kh3", "the cellar stairs"])
    await bob.types("/roll expression:4d6kh", hears="4d6kh")


async def second_thoughts(party: Party) -> None:
    """Undo your own changes, those of others, and one with dice in it."""
    gwen, alice, bob = party.everybody
    await bob.types(f"/character rename name:{BOBS} to:Bram the Elder", hears="Bram the Elder")
    await bob.types("/undo", hears="undoes")
    await bob.types("/character list", hears=BOBS)

    await gwen.types("/gm award resource:Blitz Points amount:1 characters:Mina", hears="Mina: Blitz Points")
    await gwen.types("/undo", hears="undoes")
    await gwen.types("/maid-gm call character:Mina first:Wll second:Dex")
    await alice.presses("Roll Wll + Dex")
    await alice.types("/undo", hears="asks the GM to undo")
    await bob.presses("Undo it (GM)", hears="Only a GM can press that button.")
    await gwen.presses("Undo it (GM)", hears="undoes")
    await alice.types("/log", hears="undone")
    await alice.types("/maid answer", hears="**Mina** checks Wll + Dex")


async def encounter(party: Party) -> None:
    """Deal initiative cards, burn Blitz Points and attack."""
    gwen, alice, bob = party.everybody
    start = f"/maid initiative starter:Mina others:{BOBS} opposed:True"
    for _ in range(20):
        order = await gwen.types(start)
        if "Who goes" not in order.text:  # otherwise a Joker waits to be placed
            break
        await gwen.types("/gm encounter end")
    first, second = (alice, bob) if "Mina goes first" in order.text else (bob, alice)
    names = {alice: "Mina", bob: BOBS}
    await second.types("/maid blitz", hears="You can only burn a Blitz Point on your own turn.")
    await first.types("/maid blitz", hears=f"**{names[first]}** burns a Blitz Point")
    # Checks may have gained some; jokers and aces may have left the change to the details.
    assert re.search(r"Blitz Points (\d) → (\d)", (await first.presses("Details")).text)
    await first.types("/maid blitz", hears="")
    await first.types(
        f"/maid attack target:{names[second]} first:Dex second:Wll track:blunt", hears=names[second]
    )
    await gwen.types("/gm encounter end", hears="ends the fight")
    await gwen.types(f"/gm set wounds character:{BOBS} level:Blunt · slight filled:1")
    await gwen.types("/gm time amount:10 unit:minutes", hears="lets 10 min pass")


async def behind_the_screen(party: Party) -> None:
    """Make a hidden NPC and secret rolls; players see neither."""
    gwen, alice, bob = party.everybody
    made = await gwen.types("/gm npc name:The Butler hidden:True", hears="**The Butler** joins the campaign")
    rolled = await gwen.types("/maid check first:Dex second:Lck as:The Butler secret:True")
    ambush = await gwen.types("/roll expression:1d100 label:the ambush secret:True", hears="the ambush")

    assert made.ephemeral
    assert rolled.ephemeral
    assert ambush.ephemeral
    assert await bob.is_offered("/character sheet", "name", "but") == []
    assert await gwen.is_offered("/character sheet", "name", "but") == ["The Butler · GM"]
    await bob.types(
        "/character sheet name:The Butler", hears="There is no character called “The Butler” here."
    )
    log = await alice.types("/log")
    assert "Butler" not in log.text
    assert "ambush" not in log.text
    await gwen.types("/log", hears=["Butler", "ambush"])


async def curtain(party: Party) -> None:
    """End the session with its resets, recap and seed, and start the next one."""
    gwen, alice, bob = party.everybody
    await bob.types("/session end", hears="Only a GM can do that")
    await gwen.types("/gm set resource character:Mina resource:Blitz Points value:1")
    await gwen.types("/session end", hears=["**Ending session 1** resets", "Blitz Points"])
    await gwen.presses("Not yet", hears="Session 1 continues.")
    await gwen.types("/session end")
    await gwen.presses("End the session", hears=["Session 1 has ended.", "**Session 1 ended**"])

    await bob.types("/session recap", hears=["**Session 1**, recap", "**Mina**"])
    await bob.presses("Download recap", hears="session-1.md")
    await bob.types("/fair", hears=["Seed 1, revealed", "fingerprint published before"])
    await bob.presses("Download journal", hears="journal.jsonl")
    await alice.types("/character sheet", hears="Blitz Points 3")
    await gwen.types("/session start", hears="**Session 2 started**")
    assert ALICES in await bob.is_offered("/character create", "ready")
