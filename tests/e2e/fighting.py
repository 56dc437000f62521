"""Helpers for fights: what the board says and where it is."""

from __future__ import annotations

from bot.playground.discord import Channel, Permission, button_labels, read
from bot.playground.discord.payloads import Payload, walk_components
from bot.playground.discord.servers import Overwrite
from tests.e2e.people import Actor, Party
from tests.e2e.table import Room

EPHEMERAL = 64  # in a message's flags: only one person sees it


async def end_fight(gwen: Actor, hears: str) -> None:
    """Have the GM end a fight and settle what may still be open."""
    answer = await gwen.types("/gm encounter end")
    if "can't end the fight yet" in answer.text:
        page = await gwen.heard(await gwen.member.press(answer, "GM …"), "Settle")
        settle = next(one for one in button_labels(page.message or {}) if one.startswith("Settle"))
        answer = await gwen.heard(await gwen.member.press(page, settle), hears)
    assert hears in answer.text


def boards(house: Room, party: Party, where: Channel | None = None) -> list[Payload]:
    """Return every fight board of a channel, by default the party's first."""
    channel = where or party.server.channels[0]
    found = [posted.payload for posted in house.discord.messages.in_channel(channel)]
    return [one for one in found if not one.get("flags", 0) & EPHEMERAL and _has_doors(one)]


def _has_doors(message: Payload) -> bool:
    """Whether a message has the button to everything that a fight offers its GM."""
    components = walk_components(message.get("components"))
    return any(str(one.get("custom_id", "")).startswith("fightgm:") for one in components)


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


async def look_behind(board: Payload, by: Actor) -> Payload:
    """Return the private page behind "GM …" or "More …" of a board, as it is now."""
    door = "GM …" if Permission.MANAGE_SERVER in by.member.permissions else "More …"
    opened = await by.member.press(_standing(board, by), door)
    await by.member.discord.until(lambda: opened.message is not None or opened.failed)
    assert opened.message is not None, f"{door}: {opened.failed}"
    return opened.message


def _standing(board: Payload, by: Actor) -> Payload:
    """Return the board that stands now, as it may have moved down."""
    seen = [one for one in by.member.sees() if not one.get("flags", 0) & EPHEMERAL and _has_doors(one)]
    return seen[-1] if seen else board


async def press_on(board: Payload, label: str, by: Actor, hears: str = "") -> None:
    """Press a button of a board, or of the page behind its door; what it does is seen by everybody."""
    where = _standing(board, by)
    if not any(one.startswith(label) for one in button_labels(where)):
        where = await look_behind(board, by)
    found = [one for one in button_labels(where) if one.startswith(label)]
    assert found, f"{by.member.name} sees no {label!r}: {read(where)}{by.transcript.end}"
    by.transcript.note(f"{by.member.name}: [{found[0]}]")
    await by.heard(await by.member.press(where, found[0]), ())
    await by.member.discord.until(lambda: any(hears in read(one) for one in by.member.sees()))


async def choose_on(board: Payload, prompt: str | tuple[str, ...], by: Actor, *likes: str) -> bool:
    """Choose in a menu of a board or of the page behind its door; return False if nothing is suitable.

    Args:
        board: The board.
        prompt: How the menu's prompt begins, in one of these ways.
        by: Who chooses.
        *likes: Texts, one of which the entry must contain; without any, the first entry is chosen.
    """
    where = await look_behind(board, by)
    for component in walk_components(where.get("components")):
        full = component.get("placeholder") or ""
        labels = [one["label"] for one in component.get("options", ())]
        liked = [one for one in labels if not likes or any(like in one for like in likes)]
        if full.startswith(prompt) and liked:
            by.transcript.note(f"{by.member.name}: <{full}> {liked[0]}")
            await by.heard(await by.member.select(where, full, liked[0]), ())
            return True
    return False
