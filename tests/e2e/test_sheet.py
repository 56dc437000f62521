"""The sheet as controller: playing by pressing, a GM's corrections, portraits, and a restart."""

import asyncio
import io

import pytest
from PIL import Image

from bot.playground.discord import read
from bot.playground.discord.payloads import Upload
from bot.rules import rulesets
from tests.databases import on_both_engines
from tests.e2e.opening import ALICES, open_other, open_play
from tests.e2e.people import Party, alt_texts, gather
from tests.e2e.table import Room, Table

PAIR = "Str + Dex: d6 and d20 +2"
STANDS = "Blitz Points 3, Blunt 0/11 (0/4, 0/3, 0/3, 0/1), Rending 0/7 (0/3, 0/2, 0/1, 0/1)."


async def test_a_check_takes_two_presses_from_the_sheet_and_everybody_sees_it(party: Party) -> None:
    await open_play(party)
    alice, bob = party.alice, party.bob

    await alice.types("/sheet", hears=[ALICES, "[Check …]"])
    await alice.presses("Check …", hears="[Roll …]")
    await alice.chooses("Roll …", PAIR, hears=["Last: checks Str + Dex", f"**{ALICES}** checks"])

    assert await bob.sees(f"**{ALICES}** checks Str + Dex")


async def test_again_under_a_result_rolls_the_same_check_once_more(party: Party) -> None:
    await open_play(party)
    alice, bob = party.alice, party.bob
    await alice.types("/maid check first:Str second:Dex needed:15", hears=["chance was 58%", "[Again]"])
    first = await bob.sees("checks Str + Dex")

    refused = await bob.member.press(first, "Again")
    assert f"That button is for {ALICES}." in refused.text

    await alice.presses("Again", hears=[f"**{ALICES}** checks Str + Dex", "chance was 58%", "[Again]"])

    rolls = [read(one) for one in bob.member.sees() if "chance was 58%" in read(one)]
    assert ["[Again]" in one for one in rolls] == [False, True]


async def test_the_composer_shows_the_exact_chance_and_writes_nothing(party: Party) -> None:
    await open_play(party)
    alice = party.alice
    log = (await alice.types("/log")).text
    await alice.types("/sheet")
    await alice.presses("Check …")

    await alice.chooses("Roll with options …", PAIR, hears="[Roll]")
    await alice.chooses("Tier needed", "Tier needed: 15", hears=["Chance: **58%**", "[Roll · 58%]"])
    await alice.chooses("Tier needed", "Tier needed: 20", hears=["Chance: **32%**", "[Roll · 32%]"])
    assert (await alice.types("/log")).text == log

    await alice.presses("Roll · 32%", hears=["Last: checks Str + Dex", "chance was 32%"])


async def test_a_roll_that_was_set_up_is_refused_once_the_character_has_done_something_else(
    party: Party,
) -> None:
    await open_play(party)
    alice = party.alice
    await alice.types("/sheet")
    await alice.presses("Check …")
    await alice.chooses("Roll with options …", PAIR, hears="[Roll]")
    old = await alice.sees("[Roll]", None)
    await alice.types("/maid check first:Int second:Cha")

    answer = await alice.member.press(old, "Roll")

    assert f"{ALICES} has done something else since." in answer.text


async def test_an_open_sheet_shows_by_itself_what_others_and_commands_change(party: Party) -> None:
    await open_play(party)
    alice = party.alice
    opened = await alice.types("/sheet", hears=["[Check …]", "Blunt 0/11"])

    await party.gwen.types(f"/gm set wounds character:{ALICES} level:Blunt · slight filled:1", hears="0 → 1")
    await alice.heard(opened, "Blunt 1/11")

    await alice.types("/maid check first:Int second:Cha", hears="[Again]")
    await alice.heard(opened, "Last: checks Int + Cha")
    await alice.presses("Check …", hears="[Roll …]")
    await alice.chooses("Roll …", PAIR, hears=f"**{ALICES}** checks Str + Dex")


async def test_nobody_can_use_the_controls_of_somebody_elses_character(party: Party) -> None:
    await open_play(party)
    alice, bob = party.alice, party.bob
    await bob.types(f"/sheet name:{ALICES}", hears=f"{ALICES} isn't your character.")
    await alice.types("/sheet")
    await alice.presses("Check …")
    message = await alice.sees("Roll …", None)

    answer = await bob.member.select(message, "Roll …", PAIR, unchecked=True)

    assert f"{ALICES} isn't your character." in answer.text


async def test_a_gm_plays_an_npc_from_its_sheet(party: Party) -> None:
    await open_play(party)
    gwen = party.gwen
    await gwen.types("/gm npc name:The Butler", hears="The Butler")
    await gwen.types("/sheet name:The Butler", hears="The Butler")
    await gwen.presses("Check …", hears="[Roll …]")


async def test_a_gm_wounds_a_character_from_its_sheet_and_its_player_cannot(party: Party) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    await gwen.types(f"/sheet name:{ALICES}", hears="[As the GM …]")

    await gwen.chooses("As the GM", "Damage …", hears="[Deal damage …]")
    await gwen.chooses("Deal damage …", "Give a blunt wound …", hears="[Give a blunt wound …]")
    wound = f"**Gwen** wounds {ALICES}, blunt, tier 10"
    await gwen.chooses("Give a blunt wound", "Tier 10", hears=["Last: Gwen wounds", wound])

    assert await alice.sees(wound)
    menu = "As the GM …"
    answer = await alice.member.select(await gwen.sees(menu, None), menu, "Damage …", unchecked=True)
    assert "Only a GM can do these things." in answer.text
    own = await alice.types("/sheet", hears="Blunt 1/11")
    assert "As the GM" not in own.text


async def test_a_gm_sets_a_number_of_a_character_from_its_sheet(party: Party) -> None:
    await open_play(party)
    gwen = party.gwen
    await gwen.types(f"/sheet name:{ALICES}", hears="[As the GM")

    await gwen.chooses("As the GM", "Award or set a number …")
    form = {"What": "Level-ups: 0 now", "Amount or new value": "two"}
    await gwen.writes(form, hears="“two” isn't a whole number.")
    await gwen.chooses("As the GM", "Award or set a number …")
    form = {"What": "Level-ups: 0 now", "Amount or new value": "2"}
    await gwen.writes(form, hears=["**Gwen** sets Level-ups", "0 → 2"])


@pytest.mark.parametrize("game", [one.title for one in rulesets().values()])
async def test_the_sheet_opens_after_joining_in_every_game(party: Party, game: str) -> None:
    await open_other(party, game)

    for group in ("Check …", "Fight …"):
        await party.alice.presses(group, hears="[Back]")
        await party.alice.presses("Back", hears=group)


async def test_a_roll_set_up_on_two_devices_and_pressed_at_once_is_made_once(party: Party) -> None:
    await open_play(party)
    alice = party.alice
    composers = []
    for _device in range(2):
        await alice.types("/sheet", hears="[Check …]")
        await alice.presses("Check …", hears="[Roll with options …]")
        set_up = await alice.chooses("Roll with options …", PAIR, hears="[Roll]")
        assert set_up.message is not None
        composers.append(set_up.message)

    pressed = await asyncio.gather(*(alice.member.press(one, "Roll") for one in composers))

    def rolls() -> int:
        return sum(f"**{ALICES}** checks Str + Dex" in read(one) for one in party.bob.member.sees())

    def refusals() -> int:
        return sum(f"{ALICES} has done something else since." in one.text for one in pressed)

    await alice.member.discord.until(lambda: rolls() and refusals())
    assert (rolls(), refusals()) == (1, 1)


async def test_an_open_sheet_does_nothing_once_its_character_is_retired(party: Party) -> None:
    await open_play(party)
    alice = party.alice
    await alice.types("/sheet")
    await alice.presses("Check …")
    await alice.chooses("Roll with options …", PAIR, hears="[Roll]")
    message = await alice.sees("[Roll]", None)
    await alice.types(f"/character retire name:{ALICES}", hears="retire")

    for label in ("Roll", "Back"):
        answer = await alice.member.press(message, label)
        await alice.heard(answer, "There is no such character here.")


@on_both_engines
async def test_the_controls_of_a_sheet_and_again_work_after_a_restart(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    alice = party.alice
    await alice.types("/sheet")
    await alice.presses("Check …")

    await table.restart()

    await alice.chooses("Roll …", "Str + Dex: d6 and d20 +2", hears=["Last: checks Str + Dex", "[Again]"])

    await table.restart()

    await alice.presses("Again", hears=f"**{ALICES}** checks Str + Dex")


async def test_a_favorite_and_its_button_are_there_after_a_restart(house: Table) -> None:
    party = gather(house.discord)
    await open_play(party)
    alice = party.alice
    await alice.types("/maid check first:Str second:Dex needed:15")
    await alice.types("/favorite save:Leap", hears="Saved **Leap**")
    await alice.types("/sheet", hears="[★ Leap]")

    await house.restart()

    await alice.presses("★ Leap", hears=["Last: checks Str + Dex", "chance was 58%"])
    await alice.types("/favorite use:Leap", hears="chance was 58%")


@pytest.mark.parametrize("game", [one.title for one in rulesets().values()])
async def test_f_all_35_a_gms_corrections_begin_with_what_they_correct(
    house: Table, party: Party, game: str
) -> None:
    await open_other(party, game)
    name = (await party.gwen.is_offered("/sheet", "name"))[0]
    await party.gwen.types(f"/sheet name:{name}")

    page = await party.gwen.chooses("As the GM …", "Correct or rule …")

    assert page.buttons[:2] == ["Set a number …", "Set a field …"]
    assert "isn't a class skill" not in page.text
    assert "isn\\'t a class skill" not in page.text


async def test_f_all_35_a_gm_sets_a_field_and_undoes_it_from_the_sheet(house: Table, party: Party) -> None:
    await open_other(party, "RPJ Core")
    name = (await party.gwen.is_offered("/sheet", "name"))[0]
    await party.gwen.types(f"/sheet name:{name}")
    await party.gwen.chooses("As the GM …", "Correct or rule …")
    await party.gwen.presses("Set a field …")

    await party.gwen.writes({"field": "available_points", "text": "3", "reason": "a slip"})
    await house.discord.until(lambda: any("a slip" in read(one) for one in party.alice.member.sees()))


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
