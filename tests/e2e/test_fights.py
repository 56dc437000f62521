"""A fight of three against three in four rulesets, from the board, with a restart in the middle."""

from __future__ import annotations

import asyncio
import re

import pytest

from bot.playground.discord import button_labels, read
from bot.playground.discord.payloads import Payload, walk_components
from tests.e2e.fighting import board_is_last, board_says
from tests.e2e.people import Actor, Party
from tests.e2e.records import everything_of, is_whole
from tests.e2e.table import Table

pytestmark = pytest.mark.asyncio(loop_scope="module")

FOES = ("Raider 1", "Raider 2", "Raider 3")
ON = re.compile(r"▶ \*\*(.+?)\*\*")
TURNS = 9  # more than a round, so that everybody acts and a new round begins


class Fight:
    """A fight of three players against three of the GM's raiders, with its board."""

    def __init__(self, house: Table, party: Party) -> None:
        self.house, self.party = house, party
        self.cara = Actor(party.server.add_member("Cara"), party.transcript)
        self.players: dict[str, Actor] = {}

    async def gathers(self, game: str, *, described: str = "") -> None:
        """Have everybody join by button and add three numbered raiders."""
        party = self.party
        await party.gwen.types(f"/campaign create ruleset:{game} name:The Manor", hears="The Manor")
        ready = await party.alice.is_offered("/character create", "ready")
        for player, name in zip((party.alice, party.bob, self.cara), ready, strict=False):
            await player.types(f"/character create ready:{name}", hears=name)
            self.players[name] = player
        if described:
            await party.gwen.types("/gm npc name:Raider", hears="Raider")
            await party.gwen.types(described, hears="Raider")
        await party.gwen.types("/encounter start", hears="starts an encounter")
        for player in self.players.values():
            await player.presses("Join", hears="joins the encounter")
        await party.gwen.types("/gm encounter add name:Raider count:3", hears=FOES)

    async def board(self, *fragments: str, lacks: str = "|") -> Payload:
        """Wait until the board says something, and return it."""
        return await board_says(self.house, self.party, *fragments, lacks=lacks)

    def hand(self, name: str) -> Actor:
        """Return who plays a character."""
        return self.players.get(name, self.party.gwen)

    async def takes_a_turn(self, board: Payload, end: str) -> Payload:
        """Have the acting combatant attack from the board's menu, if it has one, and end the turn."""
        text = read(board)
        on = ON.findall(text)[0]
        hand = self.hand(on)
        foe = FOES[0] if on in self.players else next(iter(self.players))
        menu = next((one for one in _menus(board) if "ttack" in one["placeholder"]), None)
        if menu is not None and foe in [option["label"] for option in menu["options"]]:
            await hand.chooses(menu["placeholder"], foe, hears=on)
        await hand.presses(end)
        return await self.board("▶", lacks=f"{text.splitlines()[0]}\n")

    async def survives_a_restart(self) -> None:
        """Assert that a restart in the middle of a turn changes nothing stored and nothing seen."""
        await board_is_last(self.house, self.party)
        before = self._stored(), await self._seen()
        await self.house.restart()

        assert (self._stored(), await self._seen()) == before

    def _stored(self) -> object:
        return {**everything_of(self.house.database, self.party.server.id), "boards": ()}

    async def _seen(self) -> list[str]:
        hands = (self.party.gwen, *self.players.values())
        return [(await hand.types("/encounter status")).text for hand in hands]


def _menus(board: Payload) -> list[Payload]:
    return [one for one in walk_components(board["components"]) if one.get("placeholder")]


@pytest.fixture
def fight(house: Table, party: Party) -> Fight:
    return Fight(house, party)


async def test_a_post_magic_maid_fight_runs_from_its_board(fight: Fight) -> None:
    await fight.gathers("Post-magic-maid")
    await fight.board("Waiting to start", *FOES, "[Draw cards]")
    await fight.party.alice.presses("Draw cards", hears="deals the cards for initiative")
    board = await fight.board("### Round 1", "▶", "[End the turn]", "1 action left")
    for number in range(TURNS):
        if number == 4:
            await fight.survives_a_restart()
        board = await fight.takes_a_turn(board, "End the turn")

    assert "### Round 1 " not in read(board)
    assert is_whole(fight.house.database)


async def test_a_project_swim_class_fight_runs_from_its_board(fight: Fight) -> None:
    await fight.gathers("Project Swim Class")
    await fight.board("Waiting to start", *FOES, "[Roll for initiative]")
    await fight.party.bob.presses("Roll for initiative", hears="starts a fight")
    board = await fight.board("### Round 1", "▶", "[End the turn]", "1 action left")
    for number in range(TURNS):
        if number == 4:
            await fight.survives_a_restart()
        board = await fight.takes_a_turn(board, "End the turn")

    assert "### Round 1 " not in read(board)
    assert is_whole(fight.house.database)


async def test_a_sword_and_swarm_fight_runs_from_its_board(fight: Fight) -> None:
    await fight.gathers("Sword & Swarm")
    await fight.board("Waiting to start", *FOES, "The table agrees on the turn order.")
    await fight.party.gwen.types("/gm encounter order characters:Raider 2, Raider 1", hears="sets the order")
    await fight.party.bob.presses("Start round 1", hears="**Raider 2 acts**")
    board = await fight.board("### Round 1 · Raider 2 acts", "[End the turn]")
    for number in range(TURNS):
        if number == 4:
            await fight.survives_a_restart()
        board = await fight.takes_a_turn(board, "End the turn")

    assert "### Round 1 " not in read(board)
    assert is_whole(fight.house.database)


async def test_a_compare_roll_fight_runs_from_its_board(fight: Fight) -> None:
    gwen = fight.party.gwen
    await fight.gathers(
        "Compare Roll", described="/compare-gm foe target:Raider hp:20 rating:1 weapon:Baseball Bat"
    )
    await fight.board("Waiting to start", "Raider 3")
    await gwen.presses("Start round 1", hears="the players' turn")
    await fight.board("### Round 1 · The players' turn", "[End my turn]", "[Start the opponents' turn]")
    for name, hand in fight.players.items():
        await hand.chooses("Move", "2 spaces (10 ft)", hears=f"**{name}** moves 2 spaces")
        if hand is fight.party.bob:
            await fight.survives_a_restart()
        await hand.presses("End my turn", hears=f"**{name}** ends the turn")
    board = await fight.board("The opponents' turn", "[Start round 2]")
    assert "Raider 2 attacks" in read(board)
    await gwen.chooses("Raider 2 attacks", next(iter(fight.players)), hears="**Raider 2** attacks")
    await gwen.presses("Start round 2", hears="round 2, the players' turn")
    await fight.board("### Round 2 · The players' turn")

    refused = await fight.party.alice.presses(
        "Start the opponents' turn", hears="Only a GM can press that button."
    )
    assert refused.ephemeral
    assert is_whole(fight.house.database)


async def test_32_actions_at_once_are_all_answered(fight: Fight) -> None:
    await fight.gathers("Sword & Swarm")
    await fight.party.gwen.types("/encounter next", hears="starts round 1")
    board = await fight.board("### Round 1", "[End the turn]")
    hands = (fight.party.gwen, *fight.players.values())
    doing = [
        one
        for number in range(8)
        for one in (
            hands[number % 4].member.slash("encounter status"),
            hands[number % 4].member.slash("roll", expression="2d6"),
            hands[(number + 1) % 4].member.press(board, "End the turn"),
            fight.party.gwen.member.slash("gm encounter add", name=f"Wolf {number}"),
        )
    ]
    answers = await asyncio.gather(*doing)

    assert len(answers) == 32
    assert [answer.failed for answer in answers if answer.failed] == []
    ended = [answer for answer in answers if "ends the turn" in answer.text]
    assert len(ended) == 1  # the others came too late, or it was not their turn
    await fight.party.gwen.types("/encounter status", hears=[f"Wolf {number}" for number in range(8)])
    board = await fight.board("more: /encounter status", lacks="▶ **" + ON.findall(read(board))[0])
    assert "End the turn" in button_labels(board)
