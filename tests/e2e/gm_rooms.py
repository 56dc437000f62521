"""A desk that stands in a channel for all GMs."""

from __future__ import annotations

from bot.playground.discord import Channel, Permission
from bot.playground.discord.members import Overwrite
from tests.e2e.people import Party
from tests.e2e.table import Room


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
