"""Boards, fights and prompts survive a lost permission, a deleted message and a deleted channel."""

from __future__ import annotations

from dataclasses import dataclass

from bot.playground.discord import Channel, Permission, read
from bot.playground.discord.payloads import Payload
from tests.e2e.opening import open_other
from tests.e2e.people import Party
from tests.e2e.table import Table
from tests.e2e.test_asking import latest

GAME = "Sword & Swarm"
BOARD, FIGHT, PROMPT = "countdown board", "fight", "result"
SIGNS = {
    BOARD: "**Alarm**",
    FIGHT: " · Star ",
    PROMPT: "asks for an attribute test",
}
LACKS = (
    "I'm missing View Channel, Send Messages, Attach Files in this channel. "
    "Anyone who manages this channel can allow it under Edit Channel > Permissions > my role."
)


@dataclass
class Scene:
    """A board, a fight and a prompt in one channel; people type in another.

    Attributes:
        house: The local Discord and the bot.
        party: The people.
        stage: The channel with all three messages.
        alices: The name of Alice's character, whose roll the prompt shows.
    """

    house: Table
    party: Party
    stage: Channel
    alices: str

    def find(self, kind: str) -> list[Payload]:
        """Return the messages of a kind in the channel."""
        posted = [one.payload for one in self.house.discord.messages.in_channel(self.stage)]
        has_controls = [one for one in posted if "[GM …]" in read(one) or kind == PROMPT]
        return [one for one in has_controls if SIGNS[kind] in read(one)]

    async def says(self, kind: str, *fragments: str) -> Payload:
        """Wait until the only message of a kind says all of that."""

        def found() -> bool:
            these = [read(one) for one in self.find(kind)]
            return len(these) == 1 and all(part in these[0] for part in fragments)

        try:
            await self.house.discord.until(found)
        except TimeoutError:
            texts = [read(one) for one in self.find(kind)]
            raise AssertionError(f"{kind}: {fragments} not in {texts}{self.party.transcript.end}") from None
        (message,) = self.find(kind)
        return message

    async def change(self) -> None:
        """Change what the board and the fight show."""
        await self.party.gwen.types("/countdown advance name:Alarm", hears="Alarm")
        await self.party.gwen.types("/encounter next", where=self.stage, hears="acts")

    async def take_back(self) -> None:
        """Undo the roll that the prompt shows."""
        gwen = self.party.gwen
        await gwen.types("/gm undo entry:" + await latest(gwen, self.alices), hears=self.alices)

    async def is_logged(self, event: str, *kinds: str) -> None:
        """Wait until the log has an event for each of these kinds of message."""
        try:
            await self.house.discord.until(lambda: {kind for kind, _ in self.log(event)} >= set(kinds))
        except TimeoutError:
            raise AssertionError(f"{event}: {self.log(event)}{self.party.transcript.end}") from None

    def log(self, event: str) -> list[tuple[str, str]]:
        """Return the kinds of message that the log has for an event, with the reasons."""
        lines = [line for line in self.house.log if line["event"] == event]
        return sorted(
            (line["kind"], line.get("reason", "")) for line in lines if line["server"] == self.party.server.id
        )


async def set_up(house: Table, party: Party) -> Scene:
    """Post all three messages in one channel."""
    await open_other(party, GAME)
    alices, bobs = (await party.alice.is_offered("/character create", "ready"))[:2]
    stage = party.server.add_channel("stage")
    scene = Scene(house, party, stage, alices)
    gwen, alice, _bob = party.everybody
    await gwen.types("/gm countdown create name:Alarm kind:failure difficulty:9", where=stage, hears="Alarm")
    await gwen.types("/gm ask check:attribute test what:Mallet", where=stage, hears="asks for")
    await alice.types("/roll expression:1d6", where=stage)
    await alice.presses(f"{alices}: roll", hears=f"**{alices}**")
    await gwen.types(f"/encounter start others:{alices}, {bobs}", where=stage, hears="starts a fight")
    await scene.says(BOARD, "0 of 9")
    await scene.says(FIGHT, "Before round 1")
    return scene


async def test_a_lost_permission_is_logged_once_and_messages_recover_when_it_returns(
    house: Table, party: Party
) -> None:
    house.expect_breach("a channel that it may not see")
    scene = await set_up(house, party)
    scene.stage.deny(house.discord.application.user_id, Permission.VIEW_CHANNEL)

    await scene.take_back()
    await scene.change()
    await scene.is_logged("message not shown", BOARD, FIGHT, PROMPT)
    await scene.change()
    scene.stage.overwrites.clear()
    await scene.change()

    await scene.says(BOARD, "3 of 9")
    await scene.says(FIGHT, "Round 2")
    await scene.says(PROMPT, f"[{scene.alices}: roll")
    assert scene.log("message not shown") == [(BOARD, LACKS), (FIGHT, LACKS), (PROMPT, LACKS)]


async def test_a_deleted_board_is_posted_again_but_an_answer_is_not(house: Table, party: Party) -> None:
    scene = await set_up(house, party)
    for kind in (BOARD, FIGHT, PROMPT):
        (gone,) = scene.find(kind)
        house.discord.messages.delete(house.discord.messages.find(scene.stage, int(gone["id"])))

    await scene.take_back()
    await scene.change()

    await scene.says(BOARD, "1 of 9")
    await scene.says(FIGHT, "Round 1")
    await scene.is_logged("message was deleted", PROMPT)
    assert scene.find(PROMPT) == []


async def test_the_board_can_be_posted_elsewhere_after_its_channel_is_deleted(
    house: Table, party: Party
) -> None:
    house.expect_breach("a channel that does not exist")
    scene = await set_up(house, party)
    party.server.remove_channel(scene.stage)

    await scene.take_back()
    await party.gwen.types("/countdown advance name:Alarm", hears="Alarm")

    await scene.is_logged("channel is gone", BOARD)
    await party.gwen.types("/gm countdown board", hears="Board posted")
    scene.stage = party.server.channels[0]
    await party.gwen.types("/countdown advance name:Alarm", hears="Alarm")
    await scene.says(BOARD, "2 of 9")
    assert scene.log("message not shown") == []
