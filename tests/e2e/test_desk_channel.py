"""A desk that stands in a channel for all GMs: only where no player can see it."""

from __future__ import annotations

import pytest

from bot.playground.discord import Channel, Permission, read
from bot.playground.discord.members import Overwrite
from tests.e2e.fighting import EPHEMERAL
from tests.e2e.gm_rooms import gm_room, keep_desk
from tests.e2e.opening import ALICES, open_play
from tests.e2e.people import Party
from tests.e2e.table import Table

pytestmark = pytest.mark.asyncio(loop_scope="module")


def texts(house: Table, channel: Channel) -> list[str]:
    """What everybody who sees a channel reads there."""
    found = [one.payload for one in house.discord.messages.in_channel(channel)]
    return [read(one) for one in found if not one.get("flags", 0) & EPHEMERAL]


async def test_a_desk_in_a_hidden_channel_follows_and_tells_the_players_in_theirs(
    house: Table, party: Party
) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    room = await keep_desk(house, party)
    (first,) = texts(house, room)
    assert ALICES in first

    await gwen.types(f"/gm set wounds character:{ALICES} level:Blunt · slight filled:1", hears="0 → 1")
    await house.discord.until(lambda: "Blunt 1/11" in texts(house, room)[-1])

    standing = gwen.sees("Desk · The Manor", room)
    pressed = await gwen.member.press(standing, "Undo")
    await gwen.heard(pressed, "Blunt 0/11")
    await house.discord.until(lambda: "Blunt 0/11" in texts(house, room)[-1])
    await house.discord.until(
        lambda: any("~~**Gwen** sets Blunt~~" in read(one) for one in alice.member.sees())
    )
    private = await gwen.member.press(standing, "More …")
    await gwen.heard(private, "[Take away]")
    assert private.ephemeral
    await gwen.presses("Take away", hears="[Back]")
    await house.discord.until(lambda: not any("Desk ·" in one for one in texts(house, room)))
    assert not any("Desk ·" in read(one) for one in alice.member.sees())


async def test_a_check_asked_for_at_a_desk_in_another_channel_is_asked_of_the_players_in_theirs(
    house: Table, party: Party
) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    room = await keep_desk(house, party)

    page = await gwen.member.press(gwen.sees("Desk · The Manor", room), "Ask …")
    await gwen.heard(page, ["Ask for a check", "[Ask (open)]"])
    assert page.ephemeral
    await gwen.chooses("The scene's difficulty", "Scene's difficulty: 15", hears="[Ask (open)]")
    await gwen.presses("Ask (open)")
    await gwen.writes({"What to ask for": "Str + Dex", "Who": [ALICES]}, hears=f"[Str + Dex · {ALICES}]")

    await house.discord.until(lambda: any("asks for a check" in read(one) for one in alice.member.sees()))
    await alice.presses(f"{ALICES}: roll", hears=[f"**{ALICES}**", "against 15+"])
    asked = [one for one in texts(house, room) if "asks for a check" in one]
    assert [one for one in asked if not one.startswith("### Desk")] == []  # which names the last acts


async def test_a_desk_is_refused_where_a_role_or_a_player_sees_it(house: Table, party: Party) -> None:
    await open_play(party)
    gwen = party.gwen
    room = gm_room(house, party)
    watchers = party.server.add_role("Watchers")
    room.overwrites[watchers.id] = Overwrite(allow=Permission.VIEW_CHANNEL)
    room.deny(watchers, Permission.SEND_MESSAGES)
    await gwen.types("/gm desk", hears="Desk · The Manor")
    await gwen.presses("More …", hears="Keep a desk in …")

    await gwen.chooses("Keep a desk", "#gm-room", hears="Watchers can see \\#gm-room")
    del room.overwrites[watchers.id]
    room.overwrites[party.bob.member.id] = Overwrite(allow=Permission.VIEW_CHANNEL)
    room.deny(watchers, Permission.SEND_MESSAGES)
    await gwen.chooses("Keep a desk", "#gm-room", hears="Bob can see \\#gm-room")
    await gwen.chooses("Keep a desk", f"#{party.server.channels[0].name}", hears="@everyone can see")

    assert texts(house, room) == []


async def test_a_desk_whose_channel_is_opened_to_players_is_taken_away(house: Table, party: Party) -> None:
    await open_play(party)
    gwen = party.gwen
    room = await keep_desk(house, party)

    room.overwrites[party.bob.member.id] = Overwrite(allow=Permission.VIEW_CHANNEL)
    room.deny(party.server.everyone, Permission.SEND_MESSAGES)
    await gwen.types("/gm npc name:Canary hidden:True", hears="Canary")

    await house.discord.until(lambda: texts(house, room) == [])
    assert not any("Canary" in read(one) for one in party.bob.member.sees(room))


async def test_sessions_are_planned_looked_up_and_ended_from_a_desk_in_another_channel(
    house: Table, party: Party
) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    await gwen.types("/session start", hears="**Session 1 started**")
    room = await keep_desk(house, party)
    await gwen.member.press(gwen.sees("Desk · The Manor", room), "More …")
    await house.discord.until(lambda: "[Plan session …]" in read(gwen.sees("### Desk", room)))

    await gwen.presses("Plan session …", hears="(form)")
    plan = {"name": "The ball", "when": "2099-11-27 19:30", "zone": "0", "hours": "4"}
    await gwen.writes(plan)
    await house.discord.until(
        lambda: any("**Next session: The ball**" in read(one) for one in alice.member.sees())
    )
    await gwen.presses("All sessions", hears=["**The Manor** · 1 session", "[Desk]"])
    await gwen.presses("Desk", hears="Desk · The Manor")
    await gwen.presses("More …", hears="[End session]")
    await gwen.presses("End session", hears="**Ending session 1**")
    await gwen.presses("End the session", hears="Session 1 has ended.")

    await house.discord.until(lambda: any("**Session 1 ended**" in read(one) for one in alice.member.sees()))
    assert not any("Next session" in one or "Session 1 ended" in one for one in texts(house, room))
