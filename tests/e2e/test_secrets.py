"""The GM's secrets: pressed from one private page, revealed to all or one, read again after a restart."""

from __future__ import annotations

import io

from PIL import Image

from bot.playground.discord.payloads import Payload, Upload, walk_components
from tests.databases import rows_of
from tests.e2e.fighting import keep_desk
from tests.e2e.opening import ALICES, open_campaign, open_play
from tests.e2e.people import Party, everything_of, gather, is_whole
from tests.e2e.table import Room, Table

CANARY = "zzyzx"


def a_map() -> Upload:
    file = io.BytesIO()
    Image.new("RGB", (900, 600), (20, 90, 20)).save(file, "PNG")
    return Upload("map.png", file.getvalue(), "image/png")


def labels_of(message: Payload) -> list[str]:
    """Return what can be chosen in a message's menus."""
    found = walk_components(message["components"])
    return [choice["label"] for one in found for choice in one.get("options", ())]


def overhears(party: Party) -> str:
    """Return everything that Bob can see."""
    return "\n".join(str(message) for message in party.bob.member.sees(None))


async def test_a_gm_writes_gives_and_takes_back_a_handout_without_typing(house: Table) -> None:
    party = gather(house.discord)
    await open_play(party)
    gwen, alice, bob = party.everybody
    await gwen.types("/log")
    await gwen.presses("Secrets", hears=["Secrets · The Manor", "Nothing is secret here."])

    await gwen.presses("New handout", hears="(form) New handout")
    map_ = {"Title": f"{CANARY} map", "Text": "The cellar.", "Picture": a_map()}
    await gwen.writes(map_, hears=["Known to nobody but you.", f"{CANARY} map", "handout.webp"])
    await gwen.presses("Secrets", hears=f"Handout · {CANARY} map")
    await gwen.presses("New note", hears="(form) New note")
    await gwen.writes({"Title": f"{CANARY} oath", "Text": "Trust nobody."}, hears="Trust nobody.")
    assert CANARY not in overhears(party)

    await gwen.chooses("Show only to", ALICES, hears=[f"Known to {ALICES}.", f"shows **{ALICES}**"])
    await bob.sees(f"shows **{ALICES}** something")
    assert CANARY not in overhears(party)
    await bob.presses("Read", hears="You don't have this note.")
    await alice.presses("Read", hears="Trust nobody.")
    await gwen.presses("Secrets", hears=f"Note · {CANARY} oath · known to")
    await gwen.chooses("Look at", f"Handout: {CANARY} map", hears="Known to nobody but you.")
    await gwen.presses("Show to all", hears=["Everybody has seen this:", "handout.webp\n**zzyzx map**"])
    await bob.sees(f"{CANARY} map")

    await house.restart()
    await bob.types("/log", hears=[f"hands out “{CANARY} map”", "secret"])
    await bob.presses("Handouts", hears=f"{CANARY} map")
    await bob.chooses("Read", f"{CANARY} map", hears=["The cellar.", "handout.webp"])
    await gwen.types("/log")
    await gwen.presses("Secrets", hears=f"{CANARY} map")
    await gwen.chooses("Look at", f"Handout: {CANARY} map", hears="Everybody has seen this:")
    await gwen.presses("Take back", hears="Known to nobody but you.")
    await bob.types("/log")
    await bob.presses("Handouts", hears="You were given no notes")


async def test_a_note_is_given_to_one_person_without_a_public_word(room: Room) -> None:
    party = gather(room.discord)
    await open_play(party)
    gwen, alice, bob = party.everybody
    await gwen.types("/log")
    await gwen.presses("Secrets", hears="Nothing is secret here.")
    await gwen.presses("New note", hears="(form) New note")
    await gwen.writes({"Title": f"{CANARY} oath", "Text": "Trust nobody."}, hears="Trust nobody.")

    await gwen.chooses("Show quietly to", ALICES, hears=[f"Known to {ALICES}.", "Nobody was told"])

    assert CANARY not in overhears(party)
    assert "something" not in overhears(party)
    await alice.types("/log")
    await alice.presses("Handouts", hears=f"{CANARY} oath")
    await alice.chooses("Read", f"{CANARY} oath", hears="Trust nobody.")
    await bob.types("/log")
    await bob.presses("Handouts", hears="You were given no notes")


async def test_a_secret_and_a_blind_roll_are_revealed_once_the_gm_says_so(room: Room) -> None:
    """F-ALL-19."""
    party = gather(room.discord)
    await open_play(party)
    gwen, alice, bob = party.everybody
    await gwen.types(f"/roll expression:1d20 label:{CANARY} ambush secret:True")
    await alice.types("/maid check first:Int second:Dex secret:True", hears="rolls for the GM's eyes only")
    blind = await bob.sees("rolls for the GM's eyes only")
    assert "Int + Dex" not in str(blind)
    await alice.presses("Look (GM)", hears="Only a GM can do that")
    await alice.types("/log", hears="secret")

    await gwen.presses("Look (GM)", hears=["Known to nobody but you.", "Int + Dex"])
    await gwen.presses("Show to all", hears=["Everybody has seen this:", "Revealed by Gwen"])
    await bob.sees("Revealed by Gwen")
    await gwen.presses("Undo", hears=f"{CANARY} ambush")
    await alice.types("/log", hears="undone")
    await gwen.presses("Refresh", hears="Roll · ")
    assert f"{CANARY} ambush" not in overhears(party)
    before = everything_of(room.database, party.server.id)
    pressed = await bob.member.press(await gwen.sees("Secrets · The Manor"), "Refresh", unchecked=True)
    assert "Only a GM can do that" in pressed.text
    assert everything_of(room.database, party.server.id) == before


async def test_hidden_npcs_and_countdowns_are_revealed_from_the_page(room: Room) -> None:
    party = gather(room.discord)
    await open_play(party)
    gwen, bob = party.gwen, party.bob
    await gwen.types(f"/gm npc name:The {CANARY} hidden:True")
    await gwen.types(f"/gm countdown create name:{CANARY} doom kind:success difficulty:4 visibility:gm")
    await gwen.types("/gm desk", hears="[Secrets]")
    await gwen.presses("Secrets", hears=[f"NPC · The {CANARY}", f"Countdown · {CANARY} doom"])
    await gwen.presses("Desk", hears="Desk · The Manor")
    await gwen.presses("Secrets", hears=f"NPC · The {CANARY}")

    await gwen.chooses("Look at", f"NPC: The {CANARY}", hears=f"The {CANARY} appears")
    assert CANARY not in overhears(party)
    await gwen.presses("Reveal", hears=["Everybody has seen this:", f"**The {CANARY}** appears"])
    await bob.sees(f"The {CANARY}")
    await gwen.presses("Secrets", hears=f"Countdown · {CANARY} doom")
    await gwen.chooses("Look at", f"Countdown: {CANARY} doom", hears="0 of 4")
    await gwen.presses("Only its name", hears="everyone, without its progress")
    await gwen.presses("Reveal", hears="Everybody has seen this:")


async def test_the_log_is_limited_by_its_menu(room: Room) -> None:
    """F-ALL-24."""
    party = gather(room.discord)
    await open_play(party)
    await party.gwen.types(f"/gm award resource:Blitz Points amount:1 characters:{ALICES}", hears="3 → 4")
    await party.bob.types("/log kind:changes", hears=["changes without dice", "Blitz Points 3 → 4"])

    await party.bob.chooses("Show only", ALICES, hears=[ALICES, "joins the campaign"])
    await party.bob.chooses("Show only", "Undone", hears="Nothing like that.")
    await party.bob.chooses("Show only", "Everything", hears="Blitz Points 3 → 4")


async def test_a_desk_in_a_hidden_channel_reveals_where_the_players_are(room: Room) -> None:
    party = gather(room.discord)
    await open_play(party)
    gwen, bob = party.gwen, party.bob
    await gwen.types(f"/roll expression:1d20 label:{CANARY} ambush secret:True")
    hidden = await keep_desk(room, party)

    private = await gwen.member.press(await gwen.sees("Desk · The Manor", hidden), "Secrets")
    await gwen.heard(private, f"{CANARY} ambush")
    assert private.ephemeral
    page = await gwen.sees("Secrets · The Manor", hidden)
    roll = next(label for label in labels_of(page) if CANARY in label)
    await gwen.chooses("Look at", roll, hears="Known to nobody but you.")
    await gwen.presses("Show to all", hears="Everybody has seen this:")

    await room.discord.until(lambda: "Revealed by Gwen" in overhears(party))
    assert "Desk · The Manor" in str(await gwen.sees("Desk · The Manor", hidden))
    await bob.sees(f"rolls {CANARY} ambush")


async def test_a_gm_rolls_in_secret_from_the_page_and_reveals_it(room: Room) -> None:
    party = gather(room.discord)
    await open_play(party)
    gwen, bob = party.gwen, party.bob
    await gwen.types("/gm desk", hears="Desk · The Manor")
    await gwen.presses("Secrets", hears="[Secret roll …]")
    page = await gwen.sees("Secrets · The Manor")
    refused = await bob.member.press(page, "Secret roll …", unchecked=True)
    await bob.heard(refused, "Only a GM")

    await gwen.presses("Secret roll …", hears="(form)")
    await gwen.writes({"dice": "1d6+200", "about": CANARY}, hears=[CANARY, "[Show to all]"])
    assert CANARY not in overhears(party)
    await gwen.presses("Show to all", hears="Everybody has seen this")
    await bob.member.discord.until(lambda: CANARY in overhears(party))


WORDS = "Alyssa Kanarie"


async def test_a_players_data_is_deleted_and_the_others_play_on(house: Table) -> None:
    party = gather(house.discord)
    gwen, alice, bob = party.everybody
    alice.member.name = WORDS
    await open_play(party)
    await gwen.types("/session start")
    await alice.types("/roll expression:2d6", hears=f"**{WORDS}** rolls")
    told = await alice.types("/privacy", hears=["What I store about you", ALICES, "my-data.json"])
    assert told.ephemeral
    (file,) = attached(told.message)
    assert WORDS.encode() in house.discord.files.content(file)
    await alice.presses("Delete my data", hears="You can't undo this.")

    await house.restart()
    await alice.presses("Delete it", hears=["is deleted", "1 character retired."])
    await alice.types("/privacy", hears="I store nothing about you on this server.")

    stored = repr(rows_of(house.database))
    assert is_whole(house.database)
    assert WORDS not in stored
    assert str(alice.member.id) not in stored
    await bob.types("/roll expression:2d6", hears="**Bob** rolls")
    await gwen.types("/session end")
    await gwen.types("/log", hears="A former player")


def attached(message: Payload | None) -> list[Payload]:
    """The files under a message."""
    assert message is not None
    return list(message["attachments"])


async def test_the_gm_can_improvise_an_npc_a_countdown_and_game_time(house: Table) -> None:
    party = gather(house.discord)
    gwen, alice, bob = party.everybody
    await open_campaign(party, game="RPJ Core")
    await gwen.types("/gm module use module:fantasy")
    await alice.types("/character create ready:Ilsa Roan")
    await gwen.types("/session start")

    level = await gwen.types("/rpj-gm npc how:masterful what:Pickpocket", hears="Effective level")
    assert level.ephemeral
    await gwen.types(
        "/rpj-gm npc how:average what:Strength difficulty:Moderate",
        hears=["improvises an average NPC", "against 9+"],
    )
    await bob.types("/rpj-gm npc how:green", hears="Only a GM can do that")

    await alice.types("/rpj check skill:Concealment difficulty:Moderate", hears="checks Concealment")
    await bob.presses("GM …", hears="Only a GM can do that")
    await gwen.presses("Countdown", hears=["one roll is not enough", "this check counts"])
    await gwen.presses("Details", hears="complication")
    board = await gwen.sees("complication")
    assert "of 4" in str(board)
    await alice.types("/rpj check skill:Concealment countdown:Concealment", hears="Concealment")
    await gwen.types("/gm time amount:2 unit:days", hears="it is day 3")
    await gwen.types(
        "/gm set field character:Ilsa Roan field:available_points value:3 reason:for the map",
        hears=["for the map", "Character points to spend"],
    )

    assert is_whole(house.database)
