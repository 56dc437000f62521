"""Post-magic-maid: an open contest, defense and requested check, a fight and an unfinished character."""

from __future__ import annotations

from bot.playground.discord import LocalDiscord
from tests.e2e.opening import ALICES, BOBS, GAME
from tests.e2e.people import Party
from tests.releases.scenes.opening import board_shown, left_open, newcomer, opened


async def play(discord: LocalDiscord) -> list[Party]:
    """Play the scene.

    Returns:
        The parties that played.
    """
    party = await opened(discord, "The Manor House", GAME, round_seconds="10", blitz_cap="5")
    gwen, alice, bob = party.everybody
    await alice.types(f"/character create ready:{ALICES}", hears=ALICES)
    await bob.types(f"/character create ready:{BOBS}", hears=BOBS)
    await gwen.types(f"/gm set wounds character:{BOBS} level:Blunt · slight filled:1")
    await gwen.types("/gm npc name:The Butler hidden:True", hears="The Butler")
    await gwen.types(
        f"/maid-gm call character:{ALICES} first:Int second:Dex needed:10", hears="calls for a check"
    )
    await gwen.types(f"/maid-gm contest one:{ALICES} other:{BOBS}", hears="contest")
    await alice.types("/maid oppose first:Dex second:Wll")
    await left_open(party, "check:check what:Str + Dex difficulty:15", ALICES, BOBS)
    while (
        "Who goes" in (await gwen.types(f"/maid initiative starter:{ALICES} others:{BOBS} opposed:True")).text
    ):  # a Joker waits to be placed
        await gwen.types("/gm encounter end")
    attack = f"/maid attack target:{BOBS} first:Dex second:Wll track:blunt as:{ALICES}"
    while "[Let" not in (await gwen.types(attack, hears="attacks")).text:
        await gwen.types("/undo", hears="attacks")  # below tier 10 nobody is wounded
    await gwen.presses("Let ", hears="defend")
    await board_shown(party, "▶ **")
    cara = newcomer(party)
    await cara.types("/character create", hears="1 of 6")
    await cara.chooses("One attribute with a d20", "Int", hears="d12")
    await cara.chooses("One attribute with a d12", "Cha")
    await cara.chooses("Two attributes with a d8", "Dex", "Wll")
    await cara.presses("Next", hears="2 of 6")
    return [party]
