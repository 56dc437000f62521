"""An evening of Project Swim Class: the wizard, attack and defense dice, straining, magic."""

from __future__ import annotations

from pathlib import Path

from bot.playground.discord import Answer, Upload
from bot.playground.discord.payloads import Payload
from tests.databases import on_both_engines
from tests.e2e.opening import open_campaign
from tests.e2e.people import Party, gather, is_whole
from tests.e2e.table import Table
from tests.e2e.test_evening import exported, verified
from tests.e2e.test_twice import happens_no_more

GAME = "Project Swim Class"
SABLE, MARIS = "Sable Thornwick", "Maris Fen"


@on_both_engines
async def test_an_evening_is_played_and_its_journal_verifies(table: Table, tmp_path: Path) -> None:
    party = gather(table.discord)

    await characters(party)
    await an_attack(party, table)
    await a_strain(party)
    await things_that_take_several_rolls(party)
    await magic(party)
    await the_end(party)

    assert is_whole(table.database)
    assert verified(tmp_path, await exported(table, party)).returncode == 0


async def characters(party: Party) -> None:
    """One player uses the wizard with the campaign's silver; the other takes a ready-made character."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, game=GAME)
    await gwen.types("/campaign settings setting:sp_per_gp value:20", hears="20")
    await alice.types("/character create", hears=["**Kind**", "1 of "])
    await alice.chooses("Kind", "None in particular")
    await alice.presses("Next", hears="**Two skills**")
    await alice.chooses("Skills everyone has", "Basic Melee", "Climb")
    await alice.presses("Next", hears="**Gear**")
    await alice.chooses("Gear", "Great Sword", "Knife")
    await alice.presses("Next", hears="**Name**")
    await alice.presses("Enter a name")
    await alice.writes("Ash", hears="**Ash**")
    await alice.presses("Finish", hears="**Ash** joins the campaign")
    await alice.types("/swim-gear list", hears=["Great Sword", "Purse 70 GP"])
    await bob.types(f"/character create ready:{MARIS}", hears=f"**{MARIS}** joins the campaign")
    await alice.types("/character sheet", hears=["●●●○○○○○○○ Basic Melee", "●●●○○○○○○○ Climb"])
    await gwen.types("/session start", hears="**Session 1 started**")
    assert "Composure" not in await alice.is_offered("/swim roll", "skill", "compo")
    assert await bob.is_offered("/swim roll", "skill", "wat") == ["Water"]


async def an_attack(party: Party, table: Table) -> None:
    """Attack and defend across a restart; a picture shows which hits got through."""
    gwen, alice, bob = party.everybody
    await alice.types(
        f"/swim attack skill:Basic Melee targets:{MARIS}", hears=[f"{MARIS} can oppose", "to stop"]
    )
    await alice.presses(f"{MARIS}: Physical Defense", hears=f"That button is for {MARIS}.")
    await table.restart()
    await bob.types("/swim defend skill:Throw", hears="Throw can't defend.")
    answer = await bob.presses(
        f"{MARIS}: Physical Defense", hears=[f"**{MARIS}** defends", "with Physical Defense"]
    )
    await happens_no_more(table, party, answer)
    picture = await picture_of(table, answer)
    assert picture["description"].startswith(f"{MARIS}, defense: ")
    await bob.types("/swim decline", hears=f"There is nothing for {MARIS} to oppose.")
    await gwen.types(f"/swim-gm mend target:{MARIS} points:9")
    await alice.types(
        f"/swim attack skill:Basic Melee targets:{MARIS} as:{MARIS}", hears="isn't your character"
    )
    await alice.types(
        f"/swim attack skill:Basic Melee targets:{MARIS} unaware:True",
        hears="Only a GM can make targets unaware.",
    )


async def a_strain(party: Party) -> None:
    """A player asks to strain a skill; the GM allows it."""
    gwen, alice, bob = party.everybody
    await alice.types(
        "/swim roll skill:Climb difficulty:6 strain:True",
        hears=["wants to strain Climb", "6 dice, then Climb 3 → 2, for good."],
    )
    await alice.presses("GM …", hears="Only a GM can do that")
    await bob.presses("Roll without", hears="That button is for Ash.")
    await gwen.presses("Allow: 6 dice, then Climb 3 → 2", hears="Climb 3 → 2")
    await bob.types("/swim roll skill:Spot strain:True", hears="Spot 1 can't be strained.")


async def things_that_take_several_rolls(party: Party) -> None:
    """A shared task, crafting, and a roll that only the GM sees."""
    gwen, alice, bob = party.everybody
    await alice.types("/swim task open name:The wall skill:Climb progress:9", hears="◻◻◻◻◻◻◻◻◻◻ 0/9")
    await bob.presses("Work on The wall", hears=f"**{MARIS}** works on The wall with Climb 1")
    await alice.presses("Work on The wall", hears="**Ash** works on The wall with Climb")
    assert await bob.is_offered("/swim task stop", "name", "wa") == ["The wall"]
    await bob.types("/swim task stop name:The wall keep:True", hears="Only a GM can keep the progress.")
    await alice.types("/swim-gear craft item:Quarterstaff", hears=["67 GP 10 SP", "0/1"])
    assert await alice.is_offered("/swim-gear work", "item") == ["Quarterstaff"]
    await alice.types("/swim-gear work item:Quarterstaff focus:1", hears="crafts Quarterstaff with Craft 1")
    await gwen.types("/gm npc name:Shade hidden:True")
    await gwen.types("/swim task open name:The ambush skill:Stealth progress:3 as:Shade")
    assert await gwen.is_offered("/swim task work", "name", "amb") == ["The ambush"]
    assert await alice.is_offered("/swim task work", "name", "amb") == []
    before = len(alice.member.sees())
    await gwen.types("/swim roll skill:Spot difficulty:6 secret:True as:Ash", hears="**Ash** rolls Spot 1")
    assert len(alice.member.sees()) == before
    await alice.types("/swim roll skill:Spot secret:True", hears="GM")
    await alice.types("/swim distance feet:30", hears="6 squares")


async def magic(party: Party) -> None:
    """Cast an earthquake outside a fight, fall, and play a raised corpse."""
    gwen, alice, bob = party.everybody
    await gwen.types(f"/swim-gm rank target:{MARIS} skill:Earth rank:3")
    await gwen.types(f"/swim-gm rank target:{MARIS} skill:Death rank:9", hears="Unlocked Fire 7")
    await bob.types("/swim-magic cast spell:quake targets:Ash area:1", hears="Rough ground, round by round")
    await alice.presses("GM …", hears="Only a GM can do that")
    await alice.presses("Ash: don't oppose", hears="Ash is knocked down")
    await gwen.types("/swim-gm terrain level:2", hears="makes the ground rough")
    await gwen.types("/swim-gm round", hears="The ground is back to normal.")
    await gwen.types("/swim-gm round", hears="Nothing here changes with the rounds")
    await gwen.types("/swim-gm fall target:Ash damage:1", hears="Ash lies prone.")
    await alice.types("/swim-fight stand", hears="stands up")
    await gwen.types("/gm npc name:Grishnak")
    await gwen.types(
        "/swim-gm preset target:Grishnak preset:Orc", hears="gives Grishnak the stats of the book's Orc"
    )
    await gwen.types("/swim-gm state target:Grishnak state:dead")
    await bob.types("/swim-magic cast spell:raise corpse:Grishnak", hears="Raise Undead on Grishnak")
    await gwen.types("/swim-gm state target:Grishnak state:dead on:False")
    await alice.types("/swim-magic undead move undead:Grishnak", hears="Ash hasn't raised Grishnak.")


async def the_end(party: Party) -> None:
    """A campaign's own skill is exported with its module; the recap shows grown skills."""
    gwen, alice, _bob = party.everybody
    await gwen.types("/swim-gm skill name:Hacking synergies:Finesse: 2", hears="adds the skill Hacking")
    await alice.types("/swim roll skill:Hacking", hears="1 progress, automatic")
    answer = await gwen.types("/gm module export", hears="The campaign's own")
    assert answer.message is not None
    content = party.server.discord.files.content(answer.message["attachments"][0])
    assert b'key = "hacking"' in content
    await gwen.types("/gm module use module:As in the book", hears="switches to the module")
    await alice.types("/swim roll skill:Hacking", hears="There is no skill “Hacking” in this campaign.")
    named = content + b'\n[[skills]]\nkey = "surf"\nname = "Surf"\n'
    broken = named + b'requires = [{ skill = "none", rank = 1 }]\n'
    await gwen.types("/gm module import", file=Upload("m.toml", broken), hears="there is no skill none.")
    await gwen.types("/gm module import", file=Upload("m.toml", named), hears="Hacking, Surf")
    await alice.types("/swim roll skill:surf", hears="1 progress, automatic")
    await gwen.types("/session end")
    await gwen.presses("End the session", hears="has ended")


async def test_a_player_without_a_character_and_a_player_who_is_no_gm_are_refused(table: Table) -> None:
    party = gather(table.discord)
    await open_campaign(party, game=GAME)

    await party.alice.types("/swim roll skill:Spot", hears="You have no character here.")
    await party.alice.types("/swim-gm rank target:Ash skill:Spot rank:9", hears="GM")


async def picture_of(table: Table, answer: Answer) -> Payload:
    """Return the picture of an answer, once it is drawn."""

    def pictures() -> list[Payload]:
        return list((answer.message or {}).get("attachments", ()))

    await table.discord.until(pictures)
    return pictures()[0]
