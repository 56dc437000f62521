"""Portraits: uploaded in a form from the sheet, refused readably, shown again after a restart."""

import io

from PIL import Image

from bot.playground.discord.payloads import Upload
from tests.e2e.opening import ALICES, open_play
from tests.e2e.people import alt_texts, gather
from tests.e2e.table import Room, Table

STANDS = "Blitz Points 3, Blunt 0/11 (0/4, 0/3, 0/3, 0/1), Rending 0/7 (0/3, 0/2, 0/1, 0/1)."


def a_picture(size: tuple[int, int] = (1200, 900)) -> Upload:
    file = io.BytesIO()
    Image.new("RGB", size, (200, 30, 30)).save(file, "PNG")
    return Upload("me.png", file.getvalue(), "image/png")


async def test_a_player_uploads_a_portrait_and_it_is_there_after_a_restart(house: Table) -> None:
    party = gather(house.discord)
    await open_play(party)
    alice = party.alice
    await alice.types("/sheet", hears=ALICES)

    await alice.presses("Grow …", hears="[Portrait …]")
    await alice.presses("Portrait", hears="(form) Portrait")
    stands = f"Portrait of {ALICES}. {STANDS}"
    await alice.writes({"Picture": a_picture()}, hears=[ALICES, "sheet.webp", stands])

    await house.restart()
    await alice.types("/sheet", hears=stands)
    await alice.presses("Grow …", hears="[Portrait …]")

    await alice.presses("Portrait", hears="(form) Portrait")
    answer = await alice.writes({"Or": ["Remove the portrait"]}, hears=ALICES)
    assert alt_texts(answer.message) == [f"{ALICES}. {STANDS}"]


async def test_what_is_no_picture_and_what_is_not_theirs_is_refused(room: Room) -> None:
    party = gather(room.discord)
    await open_play(party)
    alice, bob = party.alice, party.bob
    await alice.types("/sheet", hears=ALICES)
    sheet = await alice.presses("Grow …", hears="[Portrait …]")

    await alice.presses("Portrait", hears="(form) Portrait")
    await alice.writes(
        {"Picture": Upload("me.png", b"no picture", "image/png")}, hears="I can't read this picture."
    )
    form = await alice.presses("Portrait", hears="(form) Portrait")
    await alice.writes({"Picture": a_picture((5000, 5000))}, hears="too many pixels")

    pressed = await bob.member.press(sheet, "Portrait …", unchecked=True)
    assert f"{ALICES} isn't your character." in pressed.text
    sent = await room.discord.hands.submit(bob.member, form, {"picture": a_picture()}, unchecked=True)
    assert f"{ALICES} isn't your character." in sent.text
    assert alt_texts((await alice.types("/sheet")).message) == [f"{ALICES}. {STANDS}"]
