"""Fights at a table: what the board says, where it stands."""

from __future__ import annotations

import re

from bot.playground.discord import Channel, read
from bot.playground.discord.payloads import Payload
from tests.e2e.people import Actor, Party
from tests.e2e.table import Table

EPHEMERAL = 64  # in a message's flags: only one person sees it


async def end_fight(gwen: Actor, hears: str) -> None:
    """Have the GM end a fight; what is still open by chance is settled."""
    told = await gwen.types("/encounter end")
    if "can’t end the encounter yet" in told.text:
        settles = re.search(r"\[(Settle (it|all \d+) and end) ", told.text)
        assert settles, told.text
        told = await gwen.presses(settles[1])
    assert hears in told.text


def boards(house: Table, party: Party, where: Channel | None = None) -> list[Payload]:
    """Every board of a fight that stands in a channel; the party's first without one."""
    channel = where or party.server.channels[0]
    found = [posted.payload for posted in house.discord.messages.in_channel(channel)]
    return [message for message in found if "[Join]" in read(message) and "[GM …]" in read(message)]


async def board_says(
    house: Table, party: Party, *fragments: str, lacks: str = "|", where: Channel | None = None
) -> Payload:
    """The one board, once it says all of that and no longer what it *lacks*."""

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


async def board_is_last(house: Table, party: Party, where: Channel | None = None) -> None:
    """Wait until the board is the newest message of its channel."""
    channel = where or party.server.channels[0]

    def is_last() -> bool:
        posted = [one.payload for one in house.discord.messages.in_channel(channel)]
        newest = [one["id"] for one in posted if not one.get("flags", 0) & EPHEMERAL][-1:]
        return newest == [board["id"] for board in boards(house, party, where)]

    await house.discord.until(is_last)
