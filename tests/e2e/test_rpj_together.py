"""RPJ Core messages that several people press: help, opposed and group checks, flashbacks, requests."""

from __future__ import annotations

import re

from tests.e2e.opening import open_other
from tests.e2e.people import Party, gather, is_whole
from tests.e2e.table import Table
from tests.e2e.test_asking import sees

GAME = "RPJ Core"


async def test_an_evening_of_shared_checks_is_played(house: Table) -> None:
    party = gather(house.discord)
    names = await opening(party)

    await helping(party, *names)
    await opposing(party, *names)
    await house.restart()
    await a_group(party, *names)
    await the_past(party, *names)
    await asking(party, *names)

    assert is_whole(house.database)


async def opening(party: Party) -> tuple[str, str]:
    """Open two ready-made characters, an ogre, and a session that restores Lucky Breaks."""
    await open_other(party, GAME)
    ready = await party.alice.is_offered("/character create", "ready")
    await party.gwen.types("/gm npc name:Ogre", hears="**Ogre** joins the campaign")
    await party.gwen.types("/session start", hears="**Session 1 started**")
    return ready[0], ready[1]


async def helping(party: Party, alices: str, bobs: str) -> None:
    """The helper presses one of two buttons; the main check's button shows its new chance."""
    gwen, alice, bob = party.everybody
    await alice.types(
        f"/rpj-together assisted skill:Athleticism difficulty:5 helper:{bobs}",
        hears=[f"asks for help from {bobs} with Athleticism", "against 12+", f"[{bobs}: help, easy 9+ · "],
    )
    await alice.presses(f"{bobs}: help, easy", hears=f"That button is for {bobs}.")
    await bob.presses(f"{bobs}: help, easy", hears=[f"**{bobs}** · **", f"[{alices}: roll against 1"])
    await alice.presses(f"{alices}: roll against", hears=[f"**{alices}** · **", "Athleticism"])
    text = await sees(gwen, "checks Athleticism with help, against 1", f"**{alices}**", f"**{bobs}**")
    assert "help, easy" not in text


async def opposing(party: Party, alices: str, bobs: str) -> None:
    """An NPC's side is rolled at once; against a player, the GM and that player agree first."""
    gwen, alice, bob = party.everybody
    await alice.types(
        "/rpj-together opposed skill:Concealment target:Ogre deed:sneaks past",
        hears=["sneaks past", "against Ogre"],
    )
    await alice.types(
        f"/rpj-together opposed skill:Concealment target:{bobs} deed:picks a pocket",
        hears=[f"against {bobs}", "talk it through first", "Waiting for"],
    )
    await alice.presses("GM …", hears="Only a GM can do that")
    await gwen.presses("Agree", hears=f"Waiting for {bobs}'s player.")
    await bob.chooses(f"{bobs}: agree", first_choice(bob, bobs), hears="opposes with")
    await alice.presses(f"{alices}: roll against", hears=[f"**{alices}** · **", "opposes with"])

    await bob.types(f"/rpj-together opposed skill:Intimidate target:{alices}", hears="Waiting for")
    await gwen.presses("Refuse …")
    await gwen.writes({"Why not?": "", "What could they do instead?": "Talk to her."}, hears="**not agreed**")
    await bob.types(f"/rpj-together opposed skill:Intimidate target:{alices}", hears="resist · Lucky Breaks")
    await alice.presses(f"{alices}: resist", hears=["resisted\\: no effect", "Lucky Breaks"])


def first_choice(who: object, name: str) -> str:
    """Return the first skill that somebody's menu offers."""
    from bot.playground.discord.payloads import walk_components
    from tests.e2e.people import Actor

    assert isinstance(who, Actor)
    for message in reversed(who.member.sees(None)):
        for one in walk_components(message.get("components")):
            if str(one.get("placeholder", "")).startswith(f"{name}: agree"):
                return str(one["options"][0]["label"])
    raise AssertionError(f"no menu for {name}{who.transcript.end}")


async def a_group(party: Party, alices: str, bobs: str) -> None:
    """Players choose a leader, each rolls with their own button, and the message counts."""
    gwen, alice, bob = party.everybody
    await alice.types(
        f"/rpj-gm group skill:Athleticism members:{alices}",
        hears="Only a GM can do that",
    )
    await gwen.types(
        f"/rpj-gm group skill:Athleticism difficulty:2 members:{alices}, {bobs}",
        hears=["calls for a group check\\: Athleticism", "0 of 2 succeeded, 1 needed"],
    )
    await bob.chooses("Who leads the group?", alices, hears=f"{alices} leads")
    await bob.presses(f"{alices} (leads)", hears=f"That button is for {alices}.")
    await alice.presses(f"{alices} (leads): roll", hears=f"**{alices}** · **")
    await bob.presses(f"{bobs}: roll", hears=[f"**{alices}** · **", f"**{bobs}** · **"])
    text = await sees(gwen, "calls for a group check", f"**{alices}** · **", f"**{bobs}** · **")
    assert re.search("the group (succeeds|fails)|Fewer than half", text)


async def the_past(party: Party, alices: str, bobs: str) -> None:
    """The GM denies one flashback in writing, and allows another that two players pay for."""
    gwen, _alice, bob = party.everybody
    await bob.types("/rpj-together flashback words:looked for traps", hears="proposes a flashback")
    await bob.presses("GM …", hears="Only a GM can do that")
    await gwen.presses("Deny")
    await gwen.writes(
        {"Why not?": "The trap has sprung.", "What could they do instead?": ""},
        hears=["**denied**", "The trap has sprung.", "It costs nothing."],
    )
    await bob.types("/rpj-together flashback words:hid a rope", hears="proposes a flashback")
    await gwen.presses("Allow it", hears=["**allowed**", "Lucky Breaks 2 → 0"])
    await bob.types("/rpj-together flashback words:hid another", hears="That costs 2 Lucky Breaks")


async def asking(party: Party, alices: str, bobs: str) -> None:
    """The GM asks for a check; a failed roll carries its Lucky Break in the same message."""
    gwen, alice, bob = party.everybody
    assert "Moderate" in (await gwen.is_offered("/gm ask check:skill check", "difficulty", "mod"))[0]
    await gwen.types(
        f"/gm ask check:skill check what:Athleticism difficulty:9 who:{alices}",
        hears=["asks for a skill check\\: Athleticism, difficulty 9", f"[{alices}: roll · "],
    )
    rolled = await alice.presses(f"{alices}: roll", hears=f"**{alices}** · **")
    if "Lucky Break · " in rolled.text:
        await bob.presses(f"{alices}: Lucky Break", hears=f"That button is for {alices}.")
        turned = await alice.presses(f"{alices}: Lucky Break", hears=["🍀", "Lucky Breaks"])
        # A success can be tried for a better one; the better result stands.
        assert "success" in rolled.text or "~~failure" in turned.text or "**failure" in turned.text
    seen = await gwen.presses("Details", hears="check the dice with /fair")
    assert seen.ephemeral
