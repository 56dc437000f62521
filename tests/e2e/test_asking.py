"""Checks the GM asks for, and questions that only a GM answers."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from bot.playground.discord import read
from tests.e2e.opening import open_campaign, open_other
from tests.e2e.people import Actor, Party, everything_of, gather
from tests.e2e.table import Room, Table

ASKED = {
    "Post-magic-maid": "/gm ask check:check what:Str + Dex difficulty:15",
    "Sword & Swarm": "/gm ask check:attribute test what:Mallet",
    "Compare Roll": "/gm ask check:Luck check difficulty:Normal",
    "Project Swim Class": "/gm ask check:roll what:Stealth difficulty:2",
}
SWARM = "Sword & Swarm"
BLIND = "Results for the GM alone"
SILENT = "Silent: only the GM knows of the rolls"
ILSA = "Ilsa Roan"
NETTLE, OVERDUE = "Nettle Quickwater", "heavy wound, not treated in time"


async def sees(who: Actor, *fragments: str, without: str = "\0") -> str:
    """Wait until somebody sees a message with all of this, and return its text."""

    def found() -> list[str]:
        texts = [read(message) for message in who.member.sees(None)]
        return [one for one in texts if all(part in one for part in fragments) and without not in one]

    with contextlib.suppress(TimeoutError):  # reported below
        await who.member.discord.until(lambda: bool(found()))
    assert found(), f"{who.member.name} does not see {fragments}{who.transcript.end}"
    return found()[-1]


async def open_with(party: Party, game: str) -> tuple[str, str]:
    """Have both players take a ready-made character; return the names."""
    await open_other(party, game)
    first, second = (await party.alice.is_offered("/character create", "ready"))[:2]
    return first, second


class TestEveryGame:
    @pytest.mark.parametrize("game", ASKED)
    async def test_everybody_rolls_on_one_message(self, party: Party, game: str) -> None:
        gwen, alice, bob = party.everybody
        alices, bobs = await open_with(party, game)

        await gwen.types(ASKED[game], hears=["**Gwen** asks for a", "Still to roll"])
        await bob.presses(f"{alices}: roll", hears=f"That button is for {alices}.")
        await alice.presses(f"{alices}: roll", hears=[f"**{alices}**", f"Still to roll\\: {bobs}"])
        await bob.presses(f"{bobs}: roll", hears=[f"**{alices}**", f"**{bobs}**"])

        text = await sees(gwen, "asks for a", f"**{alices}**", f"**{bobs}**", without="Still to roll")
        assert "[GM …]" not in text
        await alice.presses("Details", hears="check the dice with /fair")


async def test_the_message_follows_undos_and_restarts(house: Table) -> None:
    party = gather(house.discord)
    gwen, alice, bob = party.everybody
    alices, bobs = await open_with(party, SWARM)
    assert await gwen.is_offered("/gm ask", "check", "t") == [
        "attribute test",
        "obstacle test",
        "proficiency test",
    ]
    assert "Mallet" in await gwen.is_offered("/gm ask check:attribute test", "what")

    await gwen.types("/gm ask check:attribute test what:Mallet note:the fallen tree", hears="the fallen tree")
    await alice.presses(f"{alices}: roll", hears=f"Still to roll\\: {bobs}")
    await house.restart()
    await gwen.types("/gm undo entry:" + await latest(gwen, alices), hears="undoes")
    await sees(gwen, "asks for", "Still to roll", without=f"**{alices}**")
    await asyncio.gather(alice.presses(f"{alices}: roll"), bob.presses(f"{bobs}: roll"))
    await sees(gwen, "asks for", f"**{alices}**", f"**{bobs}**", " succeed", without="Still")

    await gwen.types(f"/gm ask check:obstacle test what:8 who:{bobs}", hears="asks for")
    await alice.presses("GM …", hears="Only a GM can do that")
    await gwen.presses("Close", hears=["**nobody rolled**", f"Did not roll\\: {bobs}"])
    await gwen.types("/undo", hears="undoes")
    await sees(bob, "asks for an obstacle test", f"Still to roll\\: {bobs}", without="nobody")
    await bob.types(
        "/gm ask check:obstacle test what:8",
        hears="Only a GM can do that",
    )


async def test_only_the_gm_sees_a_hidden_difficulty_and_its_result(room: Room) -> None:
    party = gather(room.discord)
    gwen, alice, _bob = party.everybody
    alices, _bobs = await open_with(party, SWARM)

    await gwen.types(f"/gm ask check:attribute test what:Mallet who:{alices} hidden:True", hears="asks for")
    answer = await alice.presses(f"{alices}: roll", hears=["rolled; the GM knows", f"**{alices}**"])

    assert not any(word in answer.text for word in ("against", "success", "failure", "%"))
    await alice.types("/log")
    assert alice.answer is not None
    assert f"**{alices}** tests" not in alice.answer.text
    seen = await gwen.presses("Details", hears=[f"**{alices}**", "against Mallet"])
    assert seen.ephemeral


async def latest(gwen: Actor, name: str) -> str:
    """Return the number of the newest journal entry of somebody's test."""
    offered = await gwen.is_offered("/gm undo", "entry")
    command = gwen.member.discord.hands
    choices = await command.autocomplete(gwen.member, "gm undo", "entry", "", {}, None)
    assert offered
    return str(next(one["value"] for one in choices if name in one["name"] and "tests" in one["name"]))


async def test_the_message_shows_six_rolls_pressed_at_the_same_moment(room: Room) -> None:
    party = gather(room.discord)
    gwen = party.gwen
    await open_campaign(party, game=SWARM)
    players = [Actor(party.server.add_member(f"Player {n}"), party.transcript) for n in range(6)]
    ready = await players[0].is_offered("/character create", "ready")
    names = [f"Knight {n}" for n in range(6)]
    for player, name in zip(players, names, strict=True):
        await player.types(f"/character create ready:{ready[0]} name:{name}", hears=name)

    await gwen.types("/gm ask check:attribute test what:Key", hears=[f"[{name}: roll" for name in names])
    await asyncio.gather(
        *(player.presses(f"{name}: roll") for player, name in zip(players, names, strict=True)),
        *(player.presses(f"{name}: roll") for player, name in zip(players, names, strict=True)),
    )

    text = await sees(gwen, "of 6 succeed", *(f"**{name}** · **" for name in names), without="Still")
    assert "[GM …]" not in text
    told = [read(one) for one in gwen.member.sees(None) if "of 6 succeed" in read(one)]
    assert len(told) == 1


class TestFromThePage:
    async def test_a_gm_presets_a_difficulty_and_asks_again_with_one_press(self, party: Party) -> None:
        gwen, alice, _bob = party.everybody
        alices, _bobs = await open_with(party, "Compare Roll")
        await gwen.types("/gm desk", hears="[Ask …]")
        await gwen.presses("Ask …", hears=["Ask for a check", "[Ask (open)]", "[Desk]"])

        await gwen.chooses("The scene's difficulty", "Scene's difficulty: Hard", hears="[Ask (open)]")
        await gwen.presses("Ask (open)")
        asked = "asks for a Luck check, difficulty Hard"
        await gwen.writes({"What to ask for": "Luck", "Who": [alices]}, hears=asked)
        await alice.presses(f"{alices}: roll", hears=f"**{alices}**")
        again = f"Luck check · {alices}"
        await gwen.presses(again, hears=[asked, f"[{again}]"])
        await alice.presses(f"{alices}: roll", hears=f"**{alices}**")

    async def test_a_blind_result_is_the_gms_and_a_silent_check_is_noticed_by_nobody(
        self, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        alices, bobs = await open_with(party, "Compare Roll")
        await gwen.uses("Ask for a check", on=gwen, hears="[Ask (open)]")
        await gwen.chooses("Who sees the results", BLIND, hears="[Ask (blind)]")
        await gwen.presses("Ask (blind)")
        await gwen.writes({"What to ask for": "luck"}, hears="Only the GM sees the results, in Details.")

        await alice.presses(f"{alices}: roll", hears=f"**{alices}** · **rolled**")
        hidden = (await alice.presses("Details", hears="asks for a Luck check")).text
        assert "d12" not in hidden
        await gwen.presses("Details", hears=f"**{alices}** checks Luck")

        await gwen.chooses("Who sees the results", SILENT, hears="[Ask (silent)]")
        seen = len(alice.member.sees(None))
        told = await gwen.presses(
            "Luck check · all", hears=[f"**{alices}** checks Luck", f"**{bobs}** checks"]
        )
        assert told.ephemeral
        assert len(alice.member.sees(None)) == seen

    async def test_a_player_cannot_use_the_page(self, party: Party) -> None:
        gwen, alice, _bob = party.everybody
        await open_with(party, "Compare Roll")
        await alice.uses("Ask for a check", on=alice, hears="Only a GM can do that")
        await gwen.uses("Ask for a check", on=gwen, hears="[Ask (open)]")
        page = await gwen.sees("[Ask (open)]")

        for label in ("Ask (open)", "Refresh"):
            answer = await alice.member.press(page, label, unchecked=True)
            assert "Only a GM can do that" in answer.text
        menu = "Who sees the results"
        answer = await alice.member.select(page, menu, BLIND, unchecked=True)
        assert "Only a GM can do that" in answer.text


async def test_the_gm_can_grant_a_wish_shown_in_two_messages_only_once(house: Table, party: Party) -> None:
    """F-RPJ-01."""
    gwen, alice, _bob = party.everybody
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await gwen.types("/campaign settings setting:module value:fantasy")
    await alice.types(f"/character create ready:{ILSA}", hears=ILSA)
    await gwen.types(f"/gm award resource:Character points amount:30 characters:{ILSA}")
    wish = "/rpj improve attribute attribute:STR"
    older = await alice.types(wish, hears="35 → 29.")
    await alice.types(wish, hears="wants to raise Strength from 2 to 3")

    await gwen.presses("Allow it for 6 points", hears=["raises Strength to 3", "35 → 29"])
    before = everything_of(house.database, party.server.id)
    page = await gwen.member.press(older, "GM …")
    refused = await gwen.member.press(page, "Allow it for 6 points")

    await house.discord.until(lambda: "This button is outdated." in refused.text)
    assert "Strength 2 → 3 for 6 character points" in refused.text
    assert everything_of(house.database, party.server.id) == before


async def test_the_gm_can_allow_a_flashback_without_the_character_who_cannot_pay(
    house: Table, party: Party
) -> None:
    """F-RPJ-08."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await gwen.types("/campaign settings setting:module value:fantasy")
    await alice.types(f"/character create ready:{ILSA}", hears=ILSA)
    await bob.types("/character create ready:Gorm Halvard", hears="Gorm Halvard")
    await gwen.types("/session start")
    await alice.types("/rpj-together flashback words:hid a rope", hears="proposes a flashback")
    await bob.presses("Join", hears=["With Gorm Halvard.", "costs you 2 Lucky Breaks"])
    await gwen.presses("GM …", hears="Allow it · 2 Lucky Breaks each")
    await gwen.types("/gm set resource resource:Lucky Breaks character:Gorm Halvard value:1")

    await sees(gwen, "Gorm Halvard can't pay", "1 of 2 Lucky Breaks left")
    await gwen.presses("Allow it without Gorm Halvard", hears="**allowed**")
    await sees(gwen, "proposes a flashback", f"{ILSA}\\: Lucky Breaks 4 → 2")

    await gwen.types("/undo", hears="undoes")
    await alice.types("/character sheet", hears="Lucky Breaks 4/4")


async def test_f_small_21_an_overdue_wound_waits_for_the_gm_wherever_it_is_looked_for(house: Table) -> None:
    gwen, alice, _bob = (party := gather(house.discord)).everybody
    await open_campaign(party, game="Post-magic-maid")
    await alice.types(f"/character create ready:{NETTLE}", hears=NETTLE)
    await gwen.types("/session start", hears="started")
    await gwen.types(f"/maid-gm wound target:{NETTLE} track:rending tier:20 count:1", hears=NETTLE)
    await gwen.types("/maid-gm clock hours:9", hears="was not treated in time")

    await house.restart()
    await gwen.types("/gm desk", hears=["**Waiting for**", OVERDUE])
    await alice.types("/character sheet", hears=["**Waiting for**", OVERDUE])
    preview = await gwen.types("/session end", hears=["1 thing is open", OVERDUE, "the GM decides"])
    assert "Settle it first" not in preview.text
    await gwen.presses("Not yet")
    await gwen.presses(f"{NETTLE} survives", hears=f"rules that {NETTLE} survives")

    assert OVERDUE not in (await gwen.types("/gm desk", hears="Gwen")).text
    assert OVERDUE not in (await alice.types("/character sheet", hears=NETTLE)).text


async def test_f_small_21_an_own_skill_waits_on_the_desk_and_says_what_became_of_it(house: Table) -> None:
    gwen, alice, _bob = (party := gather(house.discord)).everybody
    await open_campaign(party, game="Compare Roll")
    await alice.types("/character create ready:Juno Marsh", hears="Juno Marsh")
    propose = "/compare create own category:Technical name:Robotics"
    await alice.types(propose, hears="proposes the skill Robotics")

    await gwen.types("/gm desk", hears=["**Waiting for**", "Juno Marsh's own skill\\: Robotics"])
    await gwen.presses("Refuse")

    await sees(alice, "proposes the skill Robotics \\(Technical\\) · **refused**")
    assert "own skill\\: Robotics" not in (await gwen.types("/gm desk", hears="Gwen")).text


async def test_f_small_21_a_proposed_skill_waits_for_how_well_it_fits(house: Table) -> None:
    gwen, alice, _bob = (party := gather(house.discord)).everybody
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await gwen.types("/campaign settings setting:module value:fantasy", hears="fantasy")
    await alice.types("/character create ready:Ilsa Roan name:Ilsa", hears="Ilsa")
    await gwen.types("/session start", hears="started")
    await alice.types(
        "/rpj propose skill:Athleticism how:climb the wall difficulty:10", hears="climb the wall"
    )

    await gwen.types("/gm desk", hears=["**Waiting for**", "Ilsa proposes", "climb the wall"])
    await alice.types("/character sheet", hears=["**Waiting for**", "climb the wall"])
    await gwen.types("/session end", hears=["1 thing is open", "climb the wall", "the GM decides"])
    await gwen.presses("Not yet")
    await gwen.presses("It fits", hears="Roll ")
    assert "climb the wall" not in (await gwen.types("/gm desk", hears="Gwen")).text
