"""An RPJ Core fight of four players, three NPCs and twelve mooks: five rounds and a restart."""

from __future__ import annotations

import re

import pytest

from bot.playground.discord import button_labels, read
from bot.playground.discord.payloads import Payload, walk_components
from tests.e2e.fighting import boards
from tests.e2e.opening import open_campaign
from tests.e2e.people import Actor, Party, gather
from tests.e2e.records import is_whole
from tests.e2e.table import Room, Table

SHARED = pytest.mark.asyncio(loop_scope="module")  # with the module's bot

ROUNDS = 5
MOST_PRESSES = 600
PLAYERS = ("Ilsa", "Gorm", "Thessaly", "Brand")
NAMES = ("Orc Captain", "Orc Archer", "Orc Shaman")


class Fighting:
    """A fight played through the buttons and menus of its board.

    Args:
        table: The table.
        party: The GM and two players.
        players: Every player, by the character's name.
    """

    def __init__(self, table: Table, party: Party, players: dict[str, Actor]) -> None:
        self._table = table
        self._party = party
        self._players = players
        self.presses = 0

    async def board(self) -> Payload:
        """Wait until the board shows the fight as it is now, and return it."""
        status = (await self._party.gwen.types("/encounter status")).text
        public = status.split("**Hidden from players**")[0].splitlines()
        lines = [line for line in public if line.strip() and not line.endswith(".png")]
        # A board of many says less than that about those who are not on, and its picture shows the ground.
        wanted = [line if "**" in line else line.split(" · ")[0] for line in lines if "-# " not in line]

        def stands() -> bool:
            shown = [read(one) for one in boards(self._table, self._party)]
            notes = {line for text in shown for line in text.splitlines() if line.startswith("-# ")}
            more = {line for line in notes if line.endswith("more: /encounter status")}
            needed = [line for line in wanted if "**" in line or not more]
            return len(shown) == 1 and all(line in shown[0] for line in needed) and notes - more <= set(lines)

        try:
            await self._table.discord.until(stands)
        except TimeoutError:
            shown = [read(one) for one in boards(self._table, self._party)]
            raise AssertionError(f"{status}\n is not on\n{shown}{self._party.transcript.end}") from None
        (found,) = boards(self._table, self._party)
        return found

    def actor_of(self, label: str) -> Actor:
        """Return who presses a button that begins with a name: its player, else the GM."""
        name = label.split(":")[0]
        return self._players.get(name, self._party.gwen)

    async def press(self, board: Payload, label: str, by: Actor) -> None:
        """Press a button of the board."""
        self.presses += 1
        self._party.transcript.note(f"{by.member.name}: [{label}]")
        answer = await by.member.press(board, label)
        await by.heard(answer, ())
        assert not answer.ephemeral, f"{label}{self._party.transcript.end}"

    async def choose(self, board: Payload, prompt: str, by: Actor, *likes: str) -> bool:
        """Choose an entry of one of the board's menus; return False if none is suitable.

        Args:
            board: The board.
            prompt: How the menu's prompt begins.
            by: Who chooses.
            *likes: Texts, one of which the entry must contain; without any, the first entry is chosen.
        """
        for component in walk_components(board.get("components")):
            full = component.get("placeholder") or ""
            labels = [one["label"] for one in component.get("options", ())]
            liked = [one for one in labels if not likes or any(like in one for like in likes)]
            if not full.startswith(prompt) or not liked:
                continue
            self.presses += 1
            self._party.transcript.note(f"{by.member.name}: <{full}> {liked[0]}")
            answer = await by.member.select(board, full, liked[0])
            await by.heard(answer, ())
            assert not answer.ephemeral, f"{full}{self._party.transcript.end}"
            return True
        return False

    async def step(self) -> str:
        """Do the next thing the board asks for or offers.

        Returns:
            The text of the board before that.
        """
        board = await self.board()
        labels, text = button_labels(board), read(board)
        if "Continue (GM)" in labels:
            found = [one for one in labels if ": " in one or "mooks" in one.casefold()]
            found.sort(key=lambda one: "roll all" not in one)
            asked = next(iter(found), "Continue (GM)")
            await self.press(board, asked, self.actor_of(asked))
            return text
        on = text.splitlines()[0].split(" · ")[-1]
        actor = self._players.get(on.removesuffix(" acts"), self._party.gwen)
        near = [f"join {name}" for name in self._players]
        menus = (
            ("Mooks attack", ()),
            ("Mooks move", near),
            ("Attack", ()),
            ("Move …", (*near, "join Archer")),
        )
        for prompt, likes in menus:
            if await self.choose(board, prompt, actor, *likes):
                return text
        await self.press(board, "End the turn", actor)
        return text


async def gathered(table: Table) -> tuple[Party, Fighting]:
    """Start a fight of four ready-made characters, three NPCs and twelve mooks on three regions."""
    party = gather(table.discord)
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await party.gwen.types("/campaign settings setting:module value:fantasy", hears="fantasy")
    others = [Actor(party.server.add_member(name), party.transcript) for name in ("Cleo", "Dan")]
    players = dict(zip(PLAYERS, (party.alice, party.bob, *others), strict=True))
    for (name, player), ready in zip(players.items(), ("Ilsa Roan", "Gorm Halvard") * 2, strict=True):
        await player.types(f"/character create ready:{ready} name:{name}", hears=name)
    await party.gwen.types("/session start", hears="started")
    await party.gwen.types("/encounter start", hears="starts an encounter")
    for player in players.values():
        await player.types("/encounter join", hears="joins the encounter")
    for name in NAMES:
        await party.gwen.types(f"/gm encounter add name:{name}", hears=name)
    await party.gwen.types(
        "/rpj-gm-fight field regions:3 names:Gate, Yard, Hall",
        hears=["about 90 yards", "Ilsa, Gorm, Thessaly, Brand"],
    )
    await party.gwen.types(
        "/rpj-gm-fight mooks name:Goblin count:6 attack:2 defense:9 damage:0 region:Gate", hears="Goblin ×6"
    )
    await party.gwen.types(
        "/rpj-gm-fight mooks name:Archer count:6 attack:2 defense:8 damage:0 range:2 region:Yard",
        hears="Archer ×6",
    )
    return party, Fighting(table, party, players)


async def test_a_fight_of_four_against_three_and_twelve_mooks_lasts_five_rounds(table: Table) -> None:
    party, fight = await gathered(table)
    gwen = party.gwen
    rolled = await gwen.types("/encounter next", hears="rolls initiative")
    assert "mooks." in rolled.text or "The rest is under Details." in rolled.text  # then the order is there
    begun = await gwen.types("/encounter next", hears="starts round 1")
    assert "turn." in begun.text

    restarted = False
    text = ""
    while fight.presses < MOST_PRESSES:
        text = await fight.step()
        if f"Round {ROUNDS + 1}" in text:
            break
        if not restarted and "Round 2" in text and "Continue (GM)" in text:
            restarted = True
            before = (await gwen.types("/encounter status")).text
            await table.restart()
            assert (await gwen.types("/encounter status")).text == before
    assert f"Round {ROUNDS + 1}" in text, party.transcript.end
    assert restarted

    await gwen.types("/gm encounter end", hears=["ends the encounter in round", "Mooks down"])
    assert is_whole(table.database)


@SHARED
async def test_a_lucky_break_rerolls_a_miss_and_stays_spent(room: Room) -> None:
    party = gather(room.discord)
    gwen, alice, bob = party.everybody
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await gwen.types("/campaign settings setting:module value:fantasy", hears="fantasy")
    await alice.types("/character create ready:Ilsa Roan", hears="Ilsa Roan")
    await bob.types("/character create ready:Gorm Halvard", hears="Gorm Halvard")
    await gwen.types("/session start", hears="started")
    await alice.types("/encounter start", hears="starts an encounter")
    await bob.types("/encounter join", hears="joins the encounter")
    await gwen.types("/rpj-gm-fight mooks name:Golem count:9 defense:18 region:2", hears="adds Golem ×9")
    await gwen.types(
        "/gm encounter order characters:Ilsa Roan, Gorm Halvard", hears="sets the initiative order"
    )
    await gwen.types("/encounter next", hears="It is Ilsa Roan's turn.")

    assert await alice.is_offered("/rpj-fight attack", "target", "gol") == ["Golem ×9"]
    assert await alice.is_offered("/rpj-fight attack", "weapon") == ["Bow", "unarmed"]
    attacks = 0
    shot = await alice.types("/rpj-fight attack target:Golem ×9 weapon:Bow", hears="shoots at Golem")
    while "[Lucky Break" not in shot.text:
        attacks += 1
        assert attacks < 60, "no shot of 60 could be saved by a Lucky Break"
        if attacks % 3 == 0:
            for _ in range(3):
                await gwen.types("/encounter next", hears="ends the turn")
        shot = await alice.types("/rpj-fight attack target:Golem weapon:Bow", hears="shoots at Golem")
    refused = await bob.presses("Lucky Break", hears="That button is for Ilsa Roan.")
    assert refused.ephemeral
    before = (await alice.types("/encounter status")).text
    turned = await alice.presses("Lucky Break", hears=["spends a Lucky Break", "Lucky Breaks 4 → 3"])

    if "miss" in re.sub("~~.*?~~", "", turned.text):  # without the struck-out first result
        assert (await alice.types("/encounter status")).text == before
    assert is_whole(room.database)
