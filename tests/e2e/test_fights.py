"""A fight of three against three in four rulesets, from the board, with a restart in the middle."""

from __future__ import annotations

import asyncio
import re

import pytest

from bot.playground.discord import button_labels, read
from bot.playground.discord.payloads import Event, MessageCreated, Payload
from bot.rules import rulesets
from tests.e2e.fighting import EPHEMERAL, board_is_last, board_says, boards, choose_on, press_on
from tests.e2e.opening import open_other
from tests.e2e.people import Actor, Party, everything_of, is_whole
from tests.e2e.sweeping import everything_in
from tests.e2e.table import Table

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
        await party.gwen.types("/encounter start", hears="starts a fight")
        for player in self.players.values():
            await player.presses("Join", hears="joins the fight")
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
        await choose_on(board, ("Attack", "Test Shield"), hand, foe)
        board = await self.board("▶")
        await press_on(board, end, hand)
        return await self.board("▶", lacks=f"▶ **{on}**")

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


@pytest.fixture
def fight(house: Table, party: Party) -> Fight:
    return Fight(house, party)


async def test_a_post_magic_maid_fight_runs_from_its_board(fight: Fight) -> None:
    await fight.gathers("Post-magic-maid")
    await fight.party.gwen.types("/campaign settings setting:defense_seconds value:0", hears="60 → never")
    await fight.board("Waiting to start", *FOES, "[Draw cards]")
    await fight.party.alice.presses("Draw cards", hears="deals the cards for initiative")
    board = await fight.board("Round 1", "▶")
    for number in range(TURNS):
        if number == 4:
            await fight.survives_a_restart()
        board = await fight.takes_a_turn(board, "End turn")

    assert "-# Round 1 " not in read(board)
    assert is_whole(fight.house.database)


async def test_a_project_swim_class_fight_runs_from_its_board(fight: Fight) -> None:
    await fight.gathers("Project Swim Class")
    await fight.party.gwen.types("/campaign settings setting:defense_seconds value:0", hears="60 → never")
    await fight.board("Waiting to start", *FOES, "[Roll for initiative]")
    await fight.party.bob.presses("Roll for initiative", hears="starts a fight")
    board = await fight.board("Round 1", "▶")
    for number in range(TURNS):
        if number == 4:
            await fight.survives_a_restart()
        board = await fight.takes_a_turn(board, "End turn")

    assert "-# Round 1 " not in read(board)
    assert is_whole(fight.house.database)


async def test_a_sword_and_swarm_fight_runs_from_its_board(fight: Fight) -> None:
    await fight.gathers("Sword & Swarm")
    await fight.board("Waiting to start", *FOES, "The table agrees on the turn order.")
    await fight.party.gwen.types("/gm encounter order characters:Raider 2, Raider 1", hears="sets the order")
    await fight.party.bob.presses("Start round 1", hears="**Raider 2 acts**")
    board = await fight.board("### Raider 2 acts", "Round 1")
    for number in range(TURNS):
        if number == 4:
            await fight.survives_a_restart()
        board = await fight.takes_a_turn(board, "End turn")

    assert "-# Round 1 " not in read(board)
    assert is_whole(fight.house.database)


async def test_a_compare_roll_fight_runs_from_its_board(fight: Fight) -> None:
    gwen = fight.party.gwen
    await fight.gathers(
        "Compare Roll", described="/compare-gm foe target:Raider hp:20 rating:1 weapon:Baseball Bat"
    )
    await fight.board("Waiting to start", "Raider 3")
    await gwen.presses("Start round 1", hears="the players' turn")
    await fight.board("### The players' turn", "Round 1", "[End turn]")
    for name, hand in fight.players.items():
        await hand.chooses("Move", "2 spaces (10 ft)", hears=f"**{name}** moves 2 spaces")
        if hand is fight.party.bob:
            await fight.survives_a_restart()
        await hand.presses("End turn", hears=f"**{name}** ends the turn")
    board = await fight.board("The opponents' turn")
    assert await choose_on(board, "Raider 2 attacks", gwen, next(iter(fight.players)))
    await gwen.presses("Start round 2", hears="round 2, the players' turn")
    await fight.board("### The players' turn", "-# Round 2", "**First:** ")

    refused = await fight.party.alice.presses("GM …", hears="Only a GM can do that")
    assert refused.ephemeral
    assert is_whole(fight.house.database)


async def test_32_actions_at_once_are_all_answered(fight: Fight) -> None:
    await fight.gathers("Sword & Swarm")
    await fight.party.gwen.types("/encounter next", hears="starts round 1")
    board = await fight.board("Round 1")
    hands = (fight.party.gwen, *fight.players.values())
    doing = [
        one
        for number in range(8)
        for one in (
            hands[number % 4].member.slash("encounter status"),
            hands[number % 4].member.slash("roll", expression="2d6"),
            hands[(number + 1) % 4].member.press(board, "End turn"),
            fight.party.gwen.member.slash("gm encounter add", name=f"Wolf {number}"),
        )
    ]
    answers = await asyncio.gather(*doing)

    assert len(answers) == 32
    assert [answer.failed for answer in answers if answer.failed] == []
    ended = [answer for answer in answers if "ends the turn" in answer.text]
    assert len(ended) == 1  # the others came too late, or it was not their turn
    await fight.party.gwen.types("/encounter status", hears=[f"Wolf {number}" for number in range(8)])
    board = await fight.board("behind More …", lacks="▶ **" + ON.findall(read(board))[0])
    assert "End turn" in button_labels(board)


SWARM = "Sword & Swarm"


async def open_fight(house: Table, party: Party) -> tuple[str, str]:
    """Start a fight against three goblins that everybody joins by button; return who acts first."""
    await open_other(party, SWARM)
    await party.gwen.types("/encounter start", hears="starts a fight")
    await party.alice.presses("Join", hears="joins the fight")
    await party.bob.presses("Join", hears="joins the fight")
    await party.gwen.types("/gm encounter add name:Goblin count:3", hears="adds Goblin 1, Goblin 2, Goblin 3")
    await board_says(house, party, "Goblin 3", "[Start round 1]")
    return await names_of(party)


async def names_of(party: Party) -> tuple[str, str]:
    listed = await party.gwen.types("/encounter status")
    lines = [line.split(" · ")[0] for line in listed.text.splitlines()]
    found = [line for line in lines if line and not line.startswith(("#", "-", "Goblin", "**", "Nothing"))]
    return found[0], found[1]


class TestBoard:
    async def test_the_board_is_posted_at_the_start_and_says_whose_turn_it_is(
        self, house: Table, party: Party
    ) -> None:
        first, second = await open_fight(house, party)
        await board_says(house, party, "Before round 1", "Waiting to start", first, "Goblin 3")
        await party.alice.presses("Start round 1", hears=f"**{first} acts**")

        board = await board_says(
            house, party, f"### {first} acts", "-# Round 1", f"▶ **{first}**", second, "[End turn]"
        )
        assert f"[Attack {second}" not in read(board)  # but a goblin
        assert "[Attack Goblin 1" in read(board)
        assert not board["mentions"]

    async def test_the_board_moves_below_newer_messages(self, house: Table, party: Party) -> None:
        await open_fight(house, party)
        await party.bob.types("/roll expression:1d6")
        await party.bob.types("/roll expression:1d6")

        await board_is_last(house, party)

    async def test_the_board_closes_when_the_fight_ends(self, house: Table, party: Party) -> None:
        await open_fight(house, party)
        await board_says(house, party, "Goblin 3")
        await party.gwen.types("/gm encounter end", hears="ends the fight before the first round")

        await house.discord.until(lambda: not boards(house, party))
        await party.gwen.sees("The fight is over")

    async def test_a_deleted_board_is_posted_again(self, house: Table, party: Party) -> None:
        first, _second = await open_fight(house, party)
        await board_is_last(house, party)
        (board,) = boards(house, party)
        channel = party.server.channels[0]
        house.discord.messages.delete(house.discord.messages.find(channel, int(board["id"])))
        await party.gwen.types("/encounter next", hears=f"**{first} acts**")

        assert (await board_says(house, party, f"▶ **{first}**"))["id"] != board["id"]

    async def test_undoing_the_end_of_a_fight_brings_the_board_back(self, house: Table, party: Party) -> None:
        await open_fight(house, party)
        await party.gwen.types("/gm encounter end", hears="ends the fight")
        await house.discord.until(lambda: not boards(house, party))
        await party.gwen.types("/undo", hears="undoes")

        await board_says(house, party, "Before round 1", "Goblin 3")

    async def test_the_end_of_the_session_closes_the_board_and_reveals_nobody_hidden(
        self, house: Table, party: Party
    ) -> None:
        await open_fight(house, party)
        await party.gwen.types("/session start")
        await party.gwen.types(
            "/gm encounter add name:Wraith count:2 hidden:True", hears="hides Wraith 1, Wraith 2"
        )
        await party.gwen.types("/session end")
        await party.gwen.presses("End both", hears="Session 1 has ended.")

        await house.discord.until(lambda: not boards(house, party))
        assert "Wraith" not in everything_in(await party.alice.types("/session recap"))
        assert not [read(one) for one in party.alice.member.sees() if "Wraith" in read(one)]

    async def test_a_turn_pings_its_player_if_the_campaign_says_so(self, house: Table, party: Party) -> None:
        posted: list[tuple[str, list[str]]] = []

        def note(event: Event) -> None:
            if isinstance(event, MessageCreated) and event.message["mentions"]:
                posted.append((read(event.message), [one["id"] for one in event.message["mentions"]]))

        first, second = await open_fight(house, party)
        house.discord.listen(note)
        await party.gwen.types("/campaign settings setting:ping_turns value:yes", hears="no → yes")
        await party.alice.presses("Start round 1", hears=f"**{first} acts**")
        alice, bob = party.alice.member.id, party.bob.member.id
        board = await board_says(house, party, f"▶ **{first}**", f"<@{alice}>")
        assert [one["id"] for one in board["mentions"]] == [str(alice)]
        await party.alice.presses("End turn", hears=f"**{second} acts**")

        board = await board_says(house, party, f"▶ **{second}**", f"<@{bob}>")
        assert [one["id"] for one in board["mentions"]] == [str(bob)]
        # A locked phone shows what was posted first: a plain line without a container.
        assert posted == [
            (f"{first} acts · <@{alice}>, your turn", [str(alice)]),
            (f"{second} acts · <@{bob}>, your turn", [str(bob)]),
        ]


class TestPresses:
    async def test_only_the_acting_player_or_the_gm_can_end_the_turn(
        self, house: Table, party: Party
    ) -> None:
        first, _second = await open_fight(house, party)
        await party.alice.presses("Start round 1")
        await board_says(house, party, f"▶ **{first}**")

        refused = await party.bob.presses("End turn", hears=f"That button is for {first}.")
        assert refused.ephemeral
        await party.gwen.presses("End turn", hears="ends the turn")

    async def test_the_gm_can_go_back_a_turn(self, house: Table, party: Party) -> None:
        first, second = await open_fight(house, party)
        await party.alice.presses("Start round 1")
        await board_says(house, party, f"▶ **{first}**")
        await party.alice.presses("End turn", hears=f"**{second} acts**")
        await board_says(house, party, f"▶ **{second}**")

        await party.gwen.types("/encounter back", hears="undoes")
        await board_says(house, party, f"▶ **{first}**")

    async def test_a_turn_continues_after_a_restart(self, house: Table, party: Party) -> None:
        first, second = await open_fight(house, party)
        await party.alice.presses("Start round 1")
        await board_says(house, party, f"▶ **{first}**")
        await party.alice.presses("End turn", hears=f"**{second} acts**")
        before = await board_says(house, party, f"▶ **{second}**")
        status = await party.bob.types("/encounter status")
        await board_is_last(house, party)

        await house.restart()

        assert (await party.bob.types("/encounter status")).text == status.text
        await party.bob.presses("End turn", hears="**Goblin 1 acts**")
        await board_says(house, party, "▶ **Goblin 1**")
        assert read(before)

    async def test_fights_in_two_channels_are_independent(self, house: Table, party: Party) -> None:
        first, _second = await open_fight(house, party)
        attic = party.server.add_channel("attic")
        await party.gwen.types(f"/encounter start others:{first}", where=attic, hears="It is in <#")
        await party.gwen.types("/encounter start", where=attic, hears="starts a fight")
        await party.gwen.types("/gm encounter add name:Ghoul", where=attic)
        await board_says(house, party, "Ghoul", lacks="Goblin", where=attic)
        await party.gwen.types("/gm encounter end", where=attic, hears="ends the fight")

        await board_says(house, party, "Goblin 1", first)


class TestHidden:
    async def test_only_the_gm_learns_of_a_hidden_combatant(self, house: Table, party: Party) -> None:
        first, _second = await open_fight(house, party)
        added = await party.gwen.types("/gm encounter add name:Wraith hidden:True", hears="hides Wraith")
        assert added.ephemeral
        status = await party.gwen.types("/encounter status", hears="Wraith, hidden")
        assert status.ephemeral
        await party.alice.presses("Start round 1", hears=f"**{first} acts**")
        await board_says(house, party, f"▶ **{first}**")

        texts = [
            (await party.alice.types("/encounter status")).text,
            (await party.alice.types("/log")).text,
            *await party.alice.is_offered("/gm encounter reveal", "character"),
            *await party.alice.is_offered("/encounter delay", "after"),
            *await party.alice.is_offered("/encounter leave", "character"),
            *[read(posted) for posted in party.alice.member.sees()],
        ]
        assert not [text for text in texts if "Wraith" in text]
        assert await party.gwen.is_offered("/gm encounter reveal", "character") == ["Wraith"]

        await party.gwen.types("/gm encounter reveal character:Wraith", hears="reveals Wraith")
        await board_says(house, party, "Wraith")
        assert everything_in(await party.alice.types("/encounter status"))


def public(house: Table, party: Party) -> dict[str, str]:
    """Return the text of everything that the whole channel sees."""
    posted = house.discord.messages.in_channel(party.server.channels[0])
    shown = [one.payload for one in posted if not one.payload.get("flags", 0) & EPHEMERAL]
    return {one["id"]: read(one) for one in shown}


@pytest.mark.parametrize("game", [one.title for one in rulesets().values()])
async def test_f_all_22_a_fight_of_two_begins_with_two_messages_at_most(
    house: Table, party: Party, game: str
) -> None:
    await open_other(party, game)
    before = public(house, party)
    started = await party.alice.types("/encounter start", hears="starts a fight")
    await party.bob.heard(await party.bob.member.press(started, "Join"), "joins the fight")
    await board_says(house, party)

    begun = {id_: text for id_, text in public(house, party).items() if id_ not in before}
    assert len(begun) <= 2, "\n\n".join(begun.values())
    await party.gwen.types("/encounter next")
