"""Sword & Swarm: a failed test open for a re-roll, a requested test, the GM's lists, a fight."""

from __future__ import annotations

from bot.playground.discord import LocalDiscord
from tests.e2e.people import Party
from tests.releases.scenes.opening import board_shown, left_open, newcomer, opened


async def play(discord: LocalDiscord) -> list[Party]:
    """Play the scene.

    Returns:
        The parties that played.
    """
    party = await opened(discord, "The Hive", "Sword & Swarm", ping_turns="yes")
    gwen, alice, bob = party.everybody
    first, second = (await alice.is_offered("/character create", "ready"))[:2]
    await alice.types(f"/character create ready:{first} name:Odile", hears="Odile")
    await bob.types(f"/character create ready:{second} name:Gurrun", hears="Gurrun")
    await gwen.types("/gm npc name:Ogre", hears="Ogre")
    await gwen.types("/swarm-gm attributes target:Ogre mallet:7 shield:3", hears="Mallet")
    await gwen.types("/swarm-gm list obstacle name:Wall difficulty:6", hears="adds Wall")
    await gwen.types("/swarm-gm list proficiency name:Riding attribute:Key", hears="adds Riding")
    await gwen.types("/swarm-gm give target:Odile name:Gloves attribute:Key amount:2", hears="Gloves")
    await gwen.types("/swarm-gm star target:Gurrun change:-1", hears="Star")
    await left_open(party, "check:attribute test what:Mallet", "Odile", "Gurrun")
    await gwen.types("/swarm-gm call character:Odile attribute:Coronet", hears="asks Odile to test Coronet")
    await alice.types(
        "/swarm proficiency proficiency:Riding difficulty:20 advantage:True", hears="Roll again"
    )
    await gwen.types("/encounter start others:Odile, Gurrun, Ogre", hears="starts a fight")
    await gwen.types("/gm encounter add name:Wraith hidden:True", hears="hides Wraith")
    await gwen.types("/encounter next", hears="acts")
    await board_shown(party, "▶ **Odile**")
    cara = newcomer(party)
    await cara.types("/character create", hears="1 of 3")
    for attribute, value in (("Mallet", "4"), ("Key", "7 (2)"), ("Runes", "5"), ("Coronet", "3")):
        await cara.chooses(f"{attribute}: ", value)
    await cara.presses("Next", hears="2 of 3")
    return [party]
