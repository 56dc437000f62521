"""Channels where the bot may not post: it says so before it changes anything (F-ALL-02)."""

from __future__ import annotations

from bot.app.config import load
from bot.app.doctor import findings
from bot.playground.discord import Channel, Permission, read
from bot.playground.discord.payloads import Payload
from tests.e2e.opening import ALICES, open_campaign, open_play
from tests.e2e.people import Party, gather
from tests.e2e.table import Table

LACKS = "I'm missing Send Messages"
WHERE = "Anyone who manages this channel can allow it under Edit Channel"


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
