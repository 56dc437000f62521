"""Helpers for fights: what the board says and where it is."""

from __future__ import annotations

import re

from bot.playground.discord import Channel, Permission, read
from bot.playground.discord.members import Overwrite
from bot.playground.discord.payloads import Payload
from tests.e2e.people import Actor, Party
from tests.e2e.table import Room

EPHEMERAL = 64  # in a message's flags: only one person sees it


async def end_fight(gwen: Actor, hears: str) -> None:
    """Have the GM end a fight and settle what may still be open."""
    answer = await gwen.types("/gm encounter end")
    if "can't end the encounter yet" in answer.text:
        settles = re.search(r"\[(Settle (it|all \d+) and end) ", answer.text)
        assert settles, answer.text
        answer = await gwen.presses(settles[1])
    assert hears in answer.text


def boards(house: Room, party: Party, where: Channel | None = None) -> list[Payload]:
    """Return every fight board of a channel, by default the party's first."""
    channel = where or party.server.channels[0]
    found = [posted.payload for posted in house.discord.messages.in_channel(channel)]
    return [message for message in found if "[Join]" in read(message) and "[GM …]" in read(message)]


async def board_says(
    house: Room, party: Party, *fragments: str, lacks: str = "|", where: Channel | None = None
) -> Payload:
    """Wait until the only board has all *fragments* and no longer *lacks*, and return it."""

    def says() -> bool:
        texts = [read(board) for board in boards(house, party, where)]
        return len(texts) == 1 and all(one in texts[0] for one in fragments) and lacks not in texts[0]

    try:
        await house.discord.until(says)
    except TimeoutError:
        shown = [read(board) for board in boards(house, party, where)]
        raise AssertionError(f"{fragments} not in {shown}{party.transcript.end}") from None
    (board,) = boards(house, party, where)
    return board


async def board_is_last(house: Room, party: Party, where: Channel | None = None) -> None:
    """Wait until the board is the newest message of its channel."""
    channel = where or party.server.channels[0]

    def is_last() -> bool:
        posted = [one.payload for one in house.discord.messages.in_channel(channel)]
        newest = [one["id"] for one in posted if not one.get("flags", 0) & EPHEMERAL][-1:]
        return newest == [board["id"] for board in boards(house, party, where)]

    await house.discord.until(is_last)


def gm_room(table: Room, party: Party) -> Channel:
    """Make a channel that only Gwen and the bot see."""
    room = party.server.add_channel("gm-room")
    for one in (party.gwen.member.id, table.discord.application.user_id):
        room.overwrites[one] = Overwrite(allow=Permission.VIEW_CHANNEL)
    room.deny(party.server.everyone, Permission.VIEW_CHANNEL)
    return room


async def keep_desk(table: Room, party: Party) -> Channel:
    """Let Gwen keep the desk in a channel that only she and the bot see."""
    room, gwen = gm_room(table, party), party.gwen
    await gwen.types("/gm desk", hears="Desk · The Manor")
    await gwen.presses("More …", hears="Keep a desk in …")
    await gwen.chooses("Keep a desk", "#gm-room", hears=f"stands in <#{room.id}>")
    return room
