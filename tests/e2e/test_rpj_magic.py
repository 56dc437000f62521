"""Magic in RPJ Core: slots, hours of concentration, abilities built by menu, fights, strain."""

from __future__ import annotations

import pytest

from tests.e2e.people import Party, gather
from tests.e2e.records import everything_of, is_whole
from tests.e2e.table import Room, Table
from tests.e2e.test_asking import sees
from tests.e2e.test_rpj_gear import HOSTILE, open_fantasy

SHARED = pytest.mark.asyncio(loop_scope="module")  # with the module's bot


async def test_an_evening_of_magic_is_played(table: Table) -> None:
    party = gather(table.discord)
    gwen, alice, _bob = party.everybody
    alices, _bobs = await open_fantasy(party, "structured_magic", "wild_magic")
    await gwen.types(f"/gm award resource:Character points amount:60 characters:{alices}", hears="60")
    for skill in ("Fire Magic", "Primitive Magic"):
        await alice.types(f"/rpj improve skill skill:{skill} level:3", hears=f"learns {skill} 3")
    await gwen.types("/gm npc name:Ogre", hears="**Ogre** joins the campaign")

    await spells(party)
    await making(table, party, alices)
    await table.restart()
    await fighting(party, alices)
    await straining(party, alices)

    assert is_whole(table.database)


@SHARED
async def test_an_interrupted_hour_of_concentration_does_not_count(room: Room) -> None:
    party = gather(room.discord)
    gwen, alice, _bob = party.everybody
    alices, _bobs = await open_fantasy(party, "structured_magic", "conditions")
    await gwen.types(f"/gm award resource:Character points amount:60 characters:{alices}", hears="60")
    await alice.types("/rpj improve skill skill:Primitive Magic level:3", hears="learns Primitive Magic 3")
    await alice.types("/rpj-magic concentrate", hears="Each full hour restores slots")
    await gwen.types(f"/rpj-gm condition add target:{alices} name:On Fire")
    await sees(gwen, "On Fire")

    passed = await gwen.types("/gm time amount:2 unit:hours", hears=f"{alices} is dead.")

    assert "has concentrated for an hour" not in passed.text
    assert "concentration" not in (await gwen.types("/gm time")).text
    assert is_whole(room.database)


async def spells(party: Party) -> None:
    """Spend a slot and get it back after an hour; a GM's own spell is known at once."""
    gwen, alice, bob = party.everybody
    await bob.types("/rpj-magic slots", hears="looks at their spells")
    await alice.types(
        f"/rpj-gm magic spell name:Hail level:1 attack:True about:{HOSTILE}",
        hears="Only a GM can do that",
    )
    await gwen.types(
        f"/rpj-gm magic spell name:Hail level:2 attack:True damage:2 range:3 about:{HOSTILE}",
        hears="adds Hail \\(level 2 spell, Primitive Magic\\)",
    )
    assert await alice.is_offered("/rpj-magic cast", "spell", "hai") == ["Hail"]
    await alice.types(
        "/rpj-magic cast spell:Hail target:Ogre",
        hears=[
            "casts Hail at Ogre · **",
            "Primitive Magic",
            "2nd-level spell slot",
            "\\@everyone \\*\\*x\\*\\*",
        ],
    )
    await alice.types("/rpj-magic cast spell:Cave-In target:Ogre", hears="You don't know Cave-In.")
    await alice.types("/rpj-magic concentrate", hears="Each full hour restores slots")
    await gwen.types("/gm time amount:1 unit:hours", hears="slots of level 2 are ready again")
    await alice.types("/rpj check skill:Athleticism", hears="concentration timer")


async def making(table: Table, party: Party, alices: str) -> None:
    """Build and save an ability: menus change its cost; a stranger's or repeated press does nothing."""
    gwen, alice, bob = party.everybody
    await alice.types("/rpj-magic ability make target:Ogre", hears=["builds an ability", "cost 0"])
    await bob.chooses("Range", "Within sight · +2", hears=f"That button is for {alices}.")
    await alice.chooses("Range", "Within sight · +2", hears="cost 2")
    await alice.presses("Save it …")
    await alice.writes(f"Ember {HOSTILE}")
    await alice.types("/rpj-magic ability list", hears="Ember \\@everyone \\*\\*x\\*\\* · cost 2")
    used = await alice.presses("Use it · cost 2")
    await sees(gwen, f"**{alices}** uses", "Stamina 7 → 5 of 7")
    before = everything_of(table.database, party.server.id)
    await table.discord.deliver_again(used)
    assert everything_of(table.database, party.server.id) == before


async def straining(party: Party, alices: str) -> None:
    """Without stamina, a strain roll comes before anything else."""
    gwen, alice, bob = party.everybody
    await alice.types("/rpj-magic ability list", hears=["Stamina 5 of 7", "Ember"])
    await alice.types(
        "/rpj-magic ability use ability:Fireball target:Ogre",
        hears=["Stamina 5 → −2 of 7", "[Strain: roll 8+"],
    )
    await alice.types(
        "/rpj-magic ability use ability:Warm hands", hears="You must roll against strain first."
    )
    await bob.presses("Strain: roll", hears=f"That button is for {alices}.")
    await alice.presses("Strain: roll")
    await sees(gwen, f"**{alices}** rolls against strain")


async def fighting(party: Party, alices: str) -> None:
    """Cast in a fight: magic takes actions, and the menu shows the cost."""
    gwen, alice, _bob = party.everybody
    await gwen.types(f"/encounter start others:{alices}, Ogre", hears="Fighting")
    await gwen.types("/encounter next", hears="rolls initiative")
    await gwen.types(f"/gm encounter order characters:{alices}, Ogre", hears="The order")
    await gwen.types("/encounter next", hears=f"It is {alices}'s turn.")
    await gwen.types("/rpj-gm-fight mooks name:Goblin region:2 count:2", hears="Goblin ×2")
    await alice.types("/rpj-magic cast spell:Pelt at:Ogre", hears="can't be used at distance")
    await alice.types("/rpj-magic cast spell:Pelt at:Goblin", hears=["casts Pelt at Goblin", "1st-level"])
    await gwen.types("/encounter status", hears="2 actions")
    await gwen.types("/gm encounter end", hears="ends the encounter")


@SHARED
async def test_f_opt_14_a_level_0_spell_asks_before_it_uses_up_a_slot(room: Room) -> None:
    party = gather(room.discord)
    gwen, alice, bob = party.everybody
    alices, _bobs = await open_fantasy(party, "structured_magic")
    await gwen.types(f"/gm award resource:Character points amount:60 characters:{alices}", hears="60")
    await alice.types(
        "/rpj improve skill skill:Primitive Magic level:1",
        hears=["learns Primitive Magic 1", "[Prepare in the 0th-level spell slot …]"],
    )
    await alice.types("/rpj-magic slots", hears=["1 empty \\(fill with /rpj-magic prepare\\)", "1\\: ●"])

    asked = await alice.types(
        "/rpj-magic cast spell:Glow",
        hears=[
            "wants to cast Glow",
            "would use up a 1st-level spell slot",
            "The empty 0th-level spell slot can hold it permanently; then it is free.",
            "[Cast with a 1st-level spell slot]",
        ],
    )
    assert "casts Glow" not in asked.text
    await alice.types("/rpj-magic slots", hears="1\\: ●")
    await bob.presses("Prepare Glow in the 0th-level spell slot", hears=f"That button is for {alices}.")
    await alice.presses(
        "Prepare Glow in the 0th-level spell slot", hears="prepares Glow in a 0th-level spell slot"
    )

    await alice.types("/rpj-magic cast spell:Glow", hears=["casts Glow", "0th-level spells are free"])
    await alice.types("/rpj-magic slots", hears=["0\\: ● · Glow", "1\\: ●"])


@SHARED
async def test_f_opt_14_a_player_can_use_up_a_slot_or_fill_a_new_one(room: Room) -> None:
    party = gather(room.discord)
    gwen, alice, bob = party.everybody
    alices, bobs = await open_fantasy(party, "structured_magic")
    await gwen.types(f"/gm award resource:Character points amount:60 characters:{alices}, {bobs}", hears="60")
    await alice.types("/rpj improve skill skill:Primitive Magic level:1")
    await alice.types("/rpj-magic cast spell:Glow", hears="wants to cast Glow")
    await alice.presses("Cast with a 1st-level spell slot", hears=["casts Glow", "1st-level spell slot"])
    await alice.types("/rpj-magic slots", hears="1\\: ○")

    await bob.types("/rpj improve skill skill:Primitive Magic level:1")
    await bob.chooses(
        "Prepare in the 0th-level spell slot …", "Glow", hears="prepares Glow in a 0th-level spell slot"
    )
    await bob.types("/rpj-magic cast spell:Glow", hears=["casts Glow", "0th-level spells are free"])
