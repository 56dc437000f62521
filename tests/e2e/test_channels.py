"""Channels where the bot may not post, or no longer finds its messages (F-ALL-02)."""

from __future__ import annotations

from dataclasses import dataclass

from bot.app.config import load
from bot.app.doctor import findings
from bot.playground.discord import Channel, Permission, read
from bot.playground.discord.payloads import Payload
from tests.e2e.opening import ALICES, open_campaign, open_other, open_play
from tests.e2e.people import Party, gather
from tests.e2e.table import Table
from tests.e2e.test_asking import latest

LACKS = "I'm missing Send Messages"
WHERE = "Anyone who manages this channel can allow it under Edit Channel"
GAME = "Sword & Swarm"
BOARD, FIGHT, PROMPT = "countdown board", "fight", "result"
SIGNS = {
    BOARD: "**Alarm**",
    FIGHT: " · Star ",
    PROMPT: "asks for an attribute test",
}
LACKS_ALL = (
    "I'm missing View Channel, Send Messages, Attach Files in this channel. "
    "Anyone who manages this channel can allow it under Edit Channel > Permissions > my role."
)


def posted_in(house: Table, channel: Channel) -> list[Payload]:
    return [posted.payload for posted in house.discord.messages.in_channel(channel)]


def silence(house: Table, channel: Channel) -> None:
    """Deny the bot the permission to send messages in a channel."""
    channel.deny(house.discord.application.user_id, Permission.SEND_MESSAGES)


async def test_f_all_02_a_board_that_cannot_be_posted_elsewhere_stays_where_it_is(
    house: Table, party: Party
) -> None:
    await open_play(party)
    gwen, table = party.gwen, party.server.channels[0]
    await gwen.types(
        "/gm countdown create name:Alarm kind:failure difficulty:3", hears="starts a countdown\\: Alarm"
    )
    await house.discord.until(lambda: any("**Alarm**" in read(one) for one in posted_in(house, table)))
    closed = party.server.add_channel("closed")
    silence(house, closed)

    await gwen.types("/gm countdown board", where=closed, hears=[LACKS, WHERE])

    assert not [one for one in posted_in(house, closed) if "**Alarm**" in read(one)]
    (board,) = [one for one in posted_in(house, table) if "**Alarm**" in read(one) and "[GM …]" in read(one)]
    await gwen.types("/countdown advance name:Alarm", where=closed, hears="Alarm")
    await house.discord.until(
        lambda: any(one["id"] == board["id"] and "1 of 3" in read(one) for one in posted_in(house, table))
    )


async def test_f_all_02_the_bot_says_that_a_board_is_posted_once_it_is(house: Table, party: Party) -> None:
    await open_play(party)
    gwen, table = party.gwen, party.server.channels[0]
    await gwen.types(
        "/gm countdown create name:Alarm kind:failure difficulty:3", hears="starts a countdown\\: Alarm"
    )
    await house.discord.until(lambda: any("**Alarm**" in read(one) for one in posted_in(house, table)))
    other = party.server.add_channel("other")

    await gwen.types("/gm countdown board", where=other, hears="Board posted. It updates itself.")

    assert len([one for one in posted_in(house, other) if "**Alarm**" in read(one)]) == 1
    assert not [one for one in posted_in(house, table) if "[GM …]" in read(one)]


async def test_f_all_02_a_refused_post_leaves_the_old_board_in_place(house: Table, party: Party) -> None:
    await open_play(party)
    gwen, table = party.gwen, party.server.channels[0]
    await gwen.types(
        "/gm countdown create name:Alarm kind:failure difficulty:3", hears="starts a countdown\\: Alarm"
    )
    await house.discord.until(lambda: any("**Alarm**" in read(one) for one in posted_in(house, table)))
    other = party.server.add_channel("other")
    house.discord.fail_next(f"POST /channels/{other.id}/messages", 403)

    await gwen.types("/gm countdown board", where=other, hears="I can't post in this channel")

    assert [one for one in posted_in(house, table) if "[GM …]" in read(one)]
    await gwen.types("/gm countdown board", where=other, hears="Board posted")


async def test_f_all_02_a_fight_does_not_start_where_its_board_cannot_be_posted(
    house: Table, party: Party
) -> None:
    await open_play(party)
    gwen, table = party.gwen, party.server.channels[0]
    silence(house, table)

    said = [LACKS, WHERE, "Then try again, or use another channel."]
    await gwen.types(f"/encounter start others:{ALICES}", hears=said)
    await gwen.types("/encounter status", hears="There is no fight in this channel")


async def test_f_all_02_the_gm_gets_a_recap_that_cannot_be_posted(house: Table, party: Party) -> None:
    await open_play(party)
    gwen, alice, _bob = party.everybody
    table = party.server.channels[0]
    silence(house, table)

    await gwen.types("/session start", hears=["its recap won't be posted", LACKS, WHERE])
    await alice.types("/maid check first:Int second:Dex")
    await gwen.types("/session end", hears=["The recap will be sent only to you", LACKS])
    answer = await gwen.presses("End the session", hears="**Session 1 ended**")

    assert [one["flags"] & 64 for one in answer.followups] == [64]


async def test_f_all_02_the_gm_gets_the_recap_when_discord_refuses_a_public_one(table: Table) -> None:
    party = gather(table.discord)
    await open_campaign(party)  # nobody joins: after an answer, their sheets would still be sent
    await party.gwen.types("/session start", hears="Session 1")
    await party.gwen.types("/session end", hears="Ending session 1")
    table.discord.fail_next("POST /webhooks/.*", 403)

    answer = await party.gwen.presses("End the session", hears="**Session 1 ended**")

    assert [one["flags"] & 64 for one in answer.followups] == [64]


async def test_f_all_02_the_first_countdown_says_that_there_is_no_board(house: Table, party: Party) -> None:
    await open_play(party)
    silence(house, party.server.channels[0])

    await party.gwen.types(
        "/gm countdown create name:Alarm kind:failure difficulty:3",
        hears=[
            "starts a countdown\\: Alarm",
            "There is no board yet; post one with /gm countdown board",
            LACKS,
        ],
    )
    other = party.server.add_channel("other")
    await party.gwen.types("/gm countdown board", where=other, hears="Board posted")


async def test_f_all_02_the_doctor_names_channels_and_their_missing_permissions(
    house: Table, party: Party
) -> None:
    await open_play(party)
    table = party.server.channels[0]
    await party.gwen.types("/session start", hears="Session 1")
    table.deny(house.discord.application.user_id, Permission.SEND_MESSAGES | Permission.ATTACH_FILES)
    settings = load(
        environment={
            "TABLEKEEPER_DATABASE__URL": house.database,
            "TABLEKEEPER_DISCORD__TOKEN": house.discord.token,
            "TABLEKEEPER_DISCORD__API_URL": house.discord.api_url,
        }
    )

    found = [str(finding) async for finding in findings(settings, None)]

    assert (
        f"problem: channels: {party.server.name}, #{table.name}: it lacks Send Messages, "
        "Attach Files; allow that there under Edit Channel, Permissions, the bot's role"
    ) in found


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
    assert scene.log("message not shown") == [(BOARD, LACKS_ALL), (FIGHT, LACKS_ALL), (PROMPT, LACKS_ALL)]


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
