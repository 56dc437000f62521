"""Fights in Project Swim Class: distances, prepared actions, undead, best defenses."""

from __future__ import annotations

from bot.playground.discord import read
from bot.playground.discord.payloads import walk_components
from tests.e2e.fighting import board_says
from tests.e2e.opening import open_campaign
from tests.e2e.people import Actor, Party, is_whole
from tests.e2e.table import Table

SABLE, MARIS, OGRE = "Sable Thornwick", "Maris Fen", "Ogre"
ALWAYS_FIRST = 100  # ranks of Finesse: with so many dice one of them is a 6, and the second too


async def open_table(party: Party) -> None:
    """Open a campaign with a hero for each player, and an ogre."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, game="Project Swim Class")
    await alice.types(f"/character create ready:{SABLE}", hears=SABLE)
    await bob.types(f"/character create ready:{MARIS}", hears=MARIS)
    await gwen.types(f"/gm npc name:{OGRE}")


async def open_fight(party: Party) -> None:
    """Start a fight between Sable and the ogre, on Sable's turn."""
    gwen, alice, _bob = party.everybody
    await open_table(party)
    await gwen.types(f"/swim-gm rank target:{SABLE} skill:Finesse rank:{ALWAYS_FIRST}")
    await alice.types("/encounter start", hears="starts a fight")
    await gwen.types(f"/gm encounter add name:{OGRE}", hears=OGRE)
    await gwen.types("/encounter next", hears=f"**{SABLE} acts**")


def offered(who: Actor, prompt: str) -> list[str]:
    """Return the entries of the newest visible menu with this prompt, each with its note."""
    for message in reversed(who.member.sees()):
        for menu in walk_components(message.get("components")):
            if (menu.get("placeholder") or "").startswith(prompt):
                return [f"{one['label']}: {one.get('description', '')}" for one in menu["options"]]
    raise AssertionError(f"no {prompt!r}")


class TestPreparedAction:
    async def test_f_swim_01_a_prepared_attack_is_made_when_triggered(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        await open_fight(party)
        await alice.types(
            "/swim-fight reserve skill:Basic Melee kind:action trigger:the ogre comes at us",
            hears="holds Basic Melee in reserve",
        )
        await gwen.types("/encounter next", hears=f"**{OGRE} acts**")
        await house.restart()
        await alice.chooses(
            "Trigger Basic Melee",
            OGRE,
            hears=[f"attacks {OGRE} \\(Basic Melee", r"Prepared action\: the ogre comes at us"],
        )
        await gwen.presses(f"{OGRE}: don't oppose", hears=["**3 hits**", f"{OGRE} is down and dying"])
        await alice.types("/swim-fight trigger", hears=f"{SABLE} has no prepared action.")
        assert is_whole(house.database)


class TestDistance:
    async def test_f_swim_05_the_board_asks_for_a_distance_and_the_reply_shows_it(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        await open_fight(party)
        await board_says(house, party, f"▶ **{SABLE}**")
        await alice.chooses("Attack: Throw", OGRE, hears=f"aims at {OGRE} \\(Throw\\)")
        assert offered(alice, f"How far away is {OGRE}?")[5].startswith(
            "6 squares: +6 to each defense die · "
        )
        await alice.chooses(
            f"How far away is {OGRE}?", "6 squares", hears=f"attacks {OGRE} at 6 squares \\(Throw 1\\)"
        )
        await gwen.presses(f"{OGRE}: don't oppose", hears="1 hit")
        await gwen.types("/encounter next", hears=f"**{OGRE} acts**")
        await gwen.types(
            f"/swim attack skill:Basic Melee targets:{SABLE} as:{OGRE}", hears=f"{SABLE} is 6 squares away."
        )
        await gwen.types("/encounter next", hears=f"**{SABLE} acts**")
        await board_says(house, party, f"▶ **{SABLE}**")
        await alice.chooses("Attack: Throw", OGRE, hears=f"attacks {OGRE} at 6 squares \\(Throw 1\\)")


class TestBestDefense:
    async def test_f_swim_10_an_unanswered_attack_resolves_automatically_while_play_goes_on(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        await open_fight(party)
        await gwen.types("/campaign settings setting:defense_seconds value:4", hears="60 → 4")
        await gwen.types(f"/swim-gm rank target:{SABLE} skill:Basic Melee rank:12")
        await gwen.types(f"/swim-gm rank target:{OGRE} skill:Basic Melee rank:30")
        await alice.types(
            f"/swim attack skill:Basic Melee targets:{OGRE}",
            hears=f"{OGRE} can oppose.",
        )
        await gwen.types("/encounter next", hears=f"**{OGRE} acts**")
        await house.restart()

        def texts() -> list[str]:
            posted = house.discord.messages.in_channel(party.server.channels[0])
            return [read(one.payload) for one in posted]

        def is_done() -> bool:
            return any(f"**{OGRE}** defends" in text and "with Basic Melee" in text for text in texts())

        await house.discord.until(is_done)
        await gwen.types(f"/swim defend as:{OGRE}", hears=f"There is nothing for {OGRE} to oppose.")
        assert is_whole(house.database)


class TestUndead:
    async def test_f_swim_06_whoever_raises_an_undead_plays_it(self, party: Party) -> None:
        gwen, alice, bob = party.everybody
        await open_table(party)
        await gwen.types(f"/swim-gm rank target:{MARIS} skill:Death rank:30")
        await gwen.types(f"/swim-gm state target:{OGRE} state:dead")
        await bob.types(f"/swim-magic cast spell:raise corpse:{OGRE}", hears="**raised**")
        assert f"{OGRE} · GM" in await bob.is_offered("/swim defend", "as", "og")
        assert await alice.is_offered("/swim defend", "as", "og") == []
        await alice.types(f"/swim attack skill:Basic Melee targets:{OGRE}", hears=f"{OGRE} can oppose")
        await alice.types(f"/swim defend as:{OGRE}", hears=f"{OGRE} isn't your character.")
        await alice.presses(f"{OGRE}: Physical Defense", hears=f"That button is for {OGRE}.")
        await bob.presses(f"{OGRE}: Physical Defense", hears=[f"**{OGRE}** defends", "with Physical Defense"])
        await bob.types(f"/swim roll skill:Spot as:{OGRE}", hears=f"**{OGRE}** rolls Spot 1")
        await bob.types(f"/swim-magic dismiss undead:{OGRE}", hears=f"dismisses {OGRE}")
        await bob.types(f"/swim roll skill:Spot as:{OGRE}", hears=f"{OGRE} isn't your character.")


class TestOpposedTask:
    async def test_f_swim_08_any_skill_can_oppose_any_other(self, house: Table, party: Party) -> None:
        gwen, alice, bob = party.everybody
        await open_table(party)
        await alice.types(
            f"/swim oppose skill:Tracking targets:{MARIS}",
            hears=[f"sets Tracking against {MARIS}'s Stealth \\(Tracking 1\\)", f"{MARIS} can oppose"],
        )
        await bob.presses(f"{MARIS}: Stealth", hears=[f"**{MARIS}** defends", "with Stealth"])
        await gwen.types("/swim-gm skill name:Trickery attack:stealth opposed:Mental Defense")
        await alice.types(
            f"/swim oppose skill:Trickery targets:{MARIS}", hears=f"against {MARIS}'s Mental Defense"
        )
        await bob.presses(f"{MARIS}: don't oppose", hears=f"**{SABLE}\\: success, 1 progress**")
        await alice.types(
            f"/swim stealth skill:Trickery observers:{MARIS}", hears=f"hides from {MARIS} \\(Trickery 1\\)"
        )
        await bob.presses(f"{MARIS}: don't oppose", hears=f"unnoticed by {MARIS}")
        assert await alice.is_offered("/swim stealth", "skill") == ["Stealth", "Trickery"]
        assert is_whole(house.database)
