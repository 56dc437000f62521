"""Project Swim Class: an open attack, a build-up, a prepared action, tasks, an earthquake."""

from __future__ import annotations

from bot.playground.discord import LocalDiscord
from tests.e2e.people import Party
from tests.releases.scenes.opening import board_shown, left_open, newcomer, opened

SABLE, MARIS = "Sable Thornwick", "Maris Fen"


async def play(discord: LocalDiscord) -> list[Party]:
    """Play the scene.

    Returns:
        The parties that played.
    """
    party = await opened(discord, "The Harbour", "Project Swim Class", sp_per_gp="20", rank_cap="30")
    gwen, alice, bob = party.everybody
    await alice.types(f"/character create ready:{SABLE}", hears=SABLE)
    await bob.types(f"/character create ready:{MARIS}", hears=MARIS)
    await gwen.types("/swim-gm skill name:Hacking synergies:Finesse: 2", hears="adds the skill Hacking")
    await gwen.types("/gm npc name:Grishnak", hears="Grishnak")
    await gwen.types("/swim-gm preset target:Grishnak preset:Orc", hears="Orc")
    await gwen.types("/gm npc name:Shade hidden:True", hears="Shade")
    await alice.types("/swim task open name:The wall skill:Climb progress:9", hears="0/9")
    await bob.presses("Work on The wall", hears="works on The wall")
    await alice.types("/swim-gear craft item:Quarterstaff", hears="Quarterstaff")
    await left_open(party, "check:roll what:Stealth difficulty:2", SABLE, MARIS)
    await alice.types("/swim roll skill:Brawn difficulty:6 strain:True", hears="wants to strain Brawn")
    await bob.types(f"/swim stealth observers:{SABLE}", hears=MARIS)
    await gwen.types(f"/encounter start others:{SABLE}, {MARIS}, Grishnak", hears="starts a fight")
    await gwen.types("/encounter next", hears="s a fight")
    await a_round(party)
    await board_shown(party, "▶ **", "[GM …]")
    await cara_begins(party)
    return [party]


async def a_round(party: Party) -> None:
    """Have one prepare an action, one build up and one attack, which the foe may oppose."""
    gwen = party.gwen
    names = (SABLE, MARIS, "Grishnak")
    deeds = (
        "/swim-fight reserve skill:Basic Melee kind:action trigger:somebody runs",
        "/swim-fight buildup skill:Basic Melee",
        "/swim attack skill:Basic Melee targets:{foe}",
    )
    for deed in deeds:
        order = (await gwen.types("/encounter status")).text
        on = next(name for name in names if f"▶ **{name}" in order or f"{name} acts" in order)
        foe = next(name for name in (MARIS, SABLE) if name != on)
        await gwen.types(f"{deed.format(foe=foe)} as:{on}", hears=on)
        if deed != deeds[-1]:
            await gwen.types("/encounter next", hears="turn")


async def cara_begins(party: Party) -> None:
    """Leave a new player on the second page of the wizard."""
    cara = newcomer(party)
    await cara.types("/character create", hears="**Kind**")
    await cara.chooses("Kind", "None in particular")
    await cara.presses("Next", hears="**Two skills**")
    await cara.chooses("Skills everyone has", "Basic Melee", "Climb")
