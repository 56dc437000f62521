"""An evening of Sword & Swarm: the wizard, both kinds of tests, Star, undo, the session's end."""

from __future__ import annotations

import re
from pathlib import Path

from bot.playground.discord import button_labels
from tests.databases import on_both_engines
from tests.e2e.opening import open_campaign
from tests.e2e.people import Party, gather, is_whole
from tests.e2e.table import Table
from tests.e2e.test_evening import exported, verified

GAME = "Sword & Swarm"


@on_both_engines
async def test_an_evening_is_played_and_its_journal_verifies(table: Table, tmp_path: Path) -> None:
    party = gather(table.discord)

    await characters(party)
    await attribute_tests(party)
    await proficiency_tests(party)
    await table.restart()
    await the_gms_part(party)
    await second_thoughts(party)
    await the_end(party)

    assert is_whole(table.database)
    assert verified(tmp_path, await exported(table, party)).returncode == 0


async def characters(party: Party) -> None:
    """One player uses the wizard, the other takes a ready-made character, the GM makes an ogre."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, game=GAME)
    await bob.types("/character create ready:Gurrun", hears="**Gurrun** joins the campaign")

    await alice.types("/character create", hears=["**Four attributes**", "1 of 3"])
    for attribute, value in (("Mallet", "4"), ("Key", "7"), ("Runes", "5"), ("Coronet", "3")):
        await alice.chooses(f"{attribute}: ", value if value != "7" else "7 (2)")
    await alice.presses("Next", hears=["**Star and class**", "2 of 3"])
    await alice.chooses("Star: ", "4")
    await alice.presses("Write")
    await alice.writes(
        {"Class": "Mason", "Ranks, for example: Architecture 2": "Archery 2"},
        hears=r"There is no proficiency “Archery”. Choose from\: Architecture.",
    )
    await alice.presses("Write")
    await alice.writes({"Ranks, for example: Architecture 2": "Architecture 2"}, hears="**Architecture 2**")
    await alice.presses("Next", hears=["**Name**", r"Key 7 \(2\)", r"Architecture 2 \(Runes\) · 2d6 +3"])
    await alice.presses("Enter a name")
    await alice.writes("Odile", hears="**Odile**")
    await alice.presses("Finish", hears=["[Refresh]", "**Odile** joins the campaign"])
    await alice.types("/character sheet", hears=["### Odile", "Mason, level 1", r"Boots 6 \(1\)"])

    await gwen.types("/gm npc name:Ogre", hears="**Ogre** joins the campaign")
    await gwen.types(
        "/swarm-gm attributes target:Ogre mallet:7 shield:3",
        hears=["Mallet 7, Shield 3", r"Mallet 3 → 7 \(2\) · Shield 0 → 3"],
    )
    await gwen.types("/session start", hears="**Session 1 started**")


async def attribute_tests(party: Party) -> None:
    """Each test shows its kind, its target and what it takes to succeed."""
    gwen, alice, bob = party.everybody
    own = await alice.types(
        "/swarm test attribute:Mallet", hears=[r"**Odile** tests Mallet \(own attribute\)", "chance was 67%"]
    )
    assert re.search(r"[⚀-⚅] \d against Mallet 4\\: 4 or less\n", own.text)
    await alice.types(
        "/swarm versus attribute:Shield target:Ogre bonus:1 more:+2 high ground −1 dark",
        hears=r"**Odile** tests Ogre's Shield \(opponent's attribute\)",
    )
    await alice.presses(
        "Details",
        hears=[" + bonus 1 + high ground 2 − dark 1 = ", r"against Ogre's Shield 3\: 4 or more", "83%"],
    )
    await bob.types(
        "/swarm obstacle obstacle:9 advantage:True",
        hears=[r"**Gurrun** tests difficulty 9 with advantage \(obstacle\)", "11%"],
    )
    await bob.types("/swarm obstacle obstacle:wall", hears="Give a difficulty from 0 to 10.")
    await gwen.types("/swarm-gm list obstacle name:Wall difficulty:6", hears=r"adds Wall\: 6")
    assert await bob.is_offered("/swarm obstacle", "obstacle", "w") == ["Wall"]
    await bob.types(
        "/swarm obstacle obstacle:wall", hears=r"**Gurrun** tests Wall, difficulty 6 \(obstacle\)"
    )
    await gwen.types("/swarm test attribute:Mallet as:Ogre secret:True", hears="**Ogre** tests Mallet")
    await alice.types("/swarm test attribute:Key forced:True", hears="Only a GM can force a test.")
    await alice.types("/swarm versus attribute:Shield", hears="Choose either an opponent or a number.")


async def proficiency_tests(party: Party) -> None:
    """A failure with advantage offers a re-roll; the button shows its chance."""
    gwen, alice, bob = party.everybody
    assert await alice.is_offered("/swarm proficiency", "proficiency") == ["Architecture"]
    assert await alice.is_offered("/swarm proficiency", "difficulty", "16") == ["16 herculean"]
    await alice.types(
        "/swarm proficiency proficiency:Architecture difficulty:20 advantage:True",
        hears=[
            r"**Odile** tests Architecture with advantage \(proficiency, Runes\)",
            "+ Runes 1 + ranks 2",
            r"against 20 \(herculean\)",
            "Advantage allows one re-roll.",
        ],
    )
    await bob.presses("Roll again · 0%", hears="That button is for Odile.")
    rolled = await alice.presses("Roll again · 0%", hears="The second result stands.")
    thrown = re.findall(r"~~[⚀⚁⚂⚃⚄⚅]~~", rolled.text)
    assert len(thrown) >= 2, "F-SMALL-22: the dice of the first throw stay"
    await alice.types("/sheet", hears="[Check …]")
    await alice.presses("Check")
    await alice.chooses("Roll …", "Architecture +3 against …", hears="Architecture +3 against")
    await gwen.types("/swarm-gm list proficiency name:Riding attribute:Key", hears=r"adds Riding\: Key")
    await bob.types(
        "/swarm proficiency proficiency:riding difficulty:8", hears=r"tests Riding \(proficiency, Key\)"
    )
    await bob.types("/swarm lists", hears=[r"Riding \(Key\)", "16 herculean", "Wall 6"])
    await bob.types("/odds swarm test:proficiency attribute:4", hears=["success: **42%**"])
    await bob.types("/rules about:confirm", hears="Higher Attributes")


async def the_gms_part(party: Party) -> None:
    """The GM asks for a test, gives gear and takes Star."""
    gwen, alice, bob = party.everybody
    await gwen.types(
        "/swarm-gm call character:Odile attribute:Coronet",
        hears=r"asks Odile to test Coronet \(own attribute\)",
    )
    await alice.presses("Test Coronet · 50%", hears=r"**Odile** tests Coronet \(own attribute\)")
    await gwen.types(
        "/swarm-gm give target:Odile name:Gloves attribute:Key amount:2",
        hears=[r"gives Odile Gloves \(Key +2\)", r"Odile\: Key 7 \(2\) → 9 \(4\)"],
    )
    assert await alice.is_offered("/swarm use", "name") == ["Gloves"]
    await alice.types("/swarm use name:Gloves in_use:False", hears=r"Odile\: Key 9 \(4\) → 7 \(2\)")
    await bob.types(
        "/swarm-gm star target:Gurrun change:5",
        hears="Only a GM can do that",
    )
    await gwen.types(
        "/swarm-gm star target:Gurrun change:-6",
        hears=["Star 5 → −1 of 5", "Gurrun is defeated and demoralised.", "Gurrun risks death"],
    )
    await bob.types(
        "/swarm test attribute:Mallet", hears=r"Gurrun is defeated \(Star −1\) and can't make tests."
    )
    await gwen.types("/swarm test attribute:Mallet as:Gurrun forced:True", hears="**Gurrun** tests Mallet")
    await bob.types("/character sheet", hears=["Star −1 of 5", "Risks death"])


async def second_thoughts(party: Party) -> None:
    """Undo restores everything, including the GM's lists."""
    gwen, alice, bob = party.everybody
    await gwen.types("/swarm-gm star target:Gurrun change:-1", hears="Star −1 → −2 of 5")
    await gwen.types("/undo", hears="undoes")
    await bob.types("/character sheet", hears="Star −1 of 5")
    await alice.types("/swarm use name:Gloves", hears=r"Key 7 \(2\) → 9 \(4\)")
    await alice.types("/undo", hears="undoes")
    await alice.types("/character sheet", hears=[r"Key 7 \(2\)", r"Gloves \(Key +2\) · not in use"])
    await gwen.types("/swarm-gm list obstacle name:Ditch difficulty:2", hears=r"adds Ditch\: 2")
    await gwen.types("/undo", hears="undoes")
    assert await bob.is_offered("/swarm obstacle", "obstacle") == ["Wall"]
    assert await gwen.is_offered("/campaign settings", "setting", "obst") == ["obstacles = Wall: 6"]


async def the_end(party: Party) -> None:
    """The end closes an unused re-roll, names the defeated and changes nothing else."""
    gwen, alice, bob = party.everybody
    await alice.types(
        "/swarm proficiency proficiency:Architecture difficulty:20 advantage:True",
        hears="Advantage allows one re-roll.",
    )
    await gwen.types(
        "/session end",
        hears=["Odile's re-roll of Architecture", r"Gurrun is defeated and risks death \(Star −1\)."],
    )
    await gwen.presses("End the session", hears=["Session 1 has ended.", "**Session 1 ended**"])
    await alice.member.discord.until(
        lambda: not any("Roll again" in label for one in alice.member.sees() for label in button_labels(one))
    )
    await bob.types("/character sheet", hears="Star −1 of 5")
