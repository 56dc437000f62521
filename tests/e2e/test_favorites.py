"""Favorites: acts kept under a name, from the sheet and with `/favorite` (F-ALL-28)."""

from bot.playground.discord.payloads import Payload, walk_components
from tests.e2e.opening import ALICES, BOBS, open_other, open_play
from tests.e2e.people import Party

PAIR = "Str + Dex: d6 and d20 +2"
NEEDS_15 = ["**58%**", "[☆ Keep]"]


def menu(message: Payload) -> list[str]:
    """The entries of a message's first menu."""
    first = next(one for one in walk_components(message["components"]) if one.get("options"))
    return [one["label"] for one in first["options"]]


async def keep_a_set_up_check(party: Party, name: str) -> None:
    """Alice sets a check up in the composer and keeps it."""
    alice = party.alice
    await alice.types("/sheet")
    await alice.presses("Check …")
    await alice.chooses("Roll with options …", PAIR, hears="[Roll]")
    await alice.chooses("Tier needed", "Tier needed: 15", hears=NEEDS_15)
    await alice.presses("☆ Keep")
    await alice.writes(name, hears=f"[★ {name}]")


async def test_a_check_set_up_in_the_composer_becomes_a_button_on_the_sheet(party: Party) -> None:
    await open_play(party)
    alice = party.alice
    log = (await alice.types("/log")).text

    await keep_a_set_up_check(party, "Scale a wall")
    assert (await alice.types("/log")).text == log

    await alice.types("/sheet", hears="[★ Scale a wall]")
    await alice.presses("★ Scale a wall", hears=["Last: checks Str + Dex", "chance was 58%"])
    assert await party.bob.sees(f"**{ALICES}** checks Str + Dex")


async def test_a_favorite_act_stands_first_in_its_groups_menu(party: Party) -> None:
    await open_play(party)
    alice = party.alice
    await alice.types("/sheet")
    await alice.presses("Check …")
    before = menu(await alice.sees("Roll …", None))
    last = before[-1]
    await alice.chooses("Roll with options …", last, hears="[☆ Keep]")
    await alice.presses("☆ Keep")
    await alice.writes("Mine", hears="[★ Mine]")

    await alice.presses("Check …")

    assert menu(await alice.sees("Roll …", None)) == [last, *before[:-1]]


async def test_what_was_done_lately_comes_next_in_its_groups_menu(party: Party) -> None:
    await open_other(party, "RPJ Core")
    alice = party.alice
    await alice.types("/sheet")
    await alice.presses("Check …")
    before = menu(await alice.sees("Roll …", None))
    often = before[4]
    await alice.chooses("Roll …", often, hears="Last:")

    await alice.presses("Check …")

    assert menu(await alice.sees("Roll …", None))[0] == often


async def test_favorite_save_keeps_the_last_act_with_its_options(party: Party) -> None:
    await open_play(party)
    alice = party.alice
    await alice.types("/favorite save:Leap", hears="has done nothing yet that could be done again.")
    await alice.types("/maid check first:Str second:Dex needed:15")

    await alice.types("/favorite save:Leap", hears=["Saved **Leap**", "checks Str + Dex"])
    await alice.types("/favorite save:LEAP", hears="It replaces the one you had by that name.")
    await alice.types("/favorite", hears="**LEAP** · checks Str + Dex")
    assert await alice.is_offered("/favorite", "use", "le") == ["LEAP"]
    await alice.types("/favorite use:leap", hears=["checks Str + Dex", "chance was 58%", "[Again]"])

    await alice.types("/favorite remove:leap", hears="Removed **LEAP**")
    await alice.types("/favorite use:leap", hears="You have no favorite called “leap”.")


async def test_the_sheet_keeps_what_was_done_last(party: Party) -> None:
    await open_play(party)
    alice = party.alice
    await alice.types("/maid check first:Int second:Cha")
    await alice.types("/sheet", hears="[☆ Keep]")

    await alice.presses("☆ Keep")
    await alice.writes("Charm", hears="[★ Charm]")

    await alice.presses("★ Charm", hears="Last: checks Int + Cha")


async def test_an_attack_kept_from_its_menu_asks_for_the_target_of_now(party: Party) -> None:
    await open_play(party)
    alice, gwen = party.alice, party.gwen
    for name in ("The Butler", "The Cook"):
        await gwen.types(f"/gm npc name:{name}", hears=name)
    await alice.types("/sheet")
    await alice.presses("Fight …")
    attack = next(
        one for one in menu(await alice.sees("Choose an action …", None)) if one.startswith("Attack")
    )
    await alice.chooses("Choose an action …", attack, hears="[☆ Keep]")
    await alice.presses("☆ Keep")
    await alice.writes("Stab", hears="[★ Stab]")
    await gwen.types("/gm npc name:The Gardener", hears="The Gardener")

    await alice.presses("★ Stab")
    await alice.chooses("Attack", "The Gardener", hears=["Last: attacks The Gardener"])
    await alice.types("/favorite use:Stab", hears="Attack")
    await alice.chooses("Attack", "The Cook", hears=["Last: attacks The Cook"])


async def test_an_attack_kept_with_its_target_says_why_it_is_impossible_later(party: Party) -> None:
    await open_play(party)
    alice, gwen = party.alice, party.gwen
    await gwen.types("/gm npc name:The Butler", hears="The Butler")
    await alice.types("/maid attack target:The Butler first:Str second:Dex track:blunt")
    await alice.types("/favorite save:Stab him", hears="Saved **Stab him**")
    await alice.types("/favorite use:Stab him", hears="attacks The Butler")
    await gwen.types("/character retire name:The Butler")

    await alice.types("/favorite use:Stab him", hears="“Stab him” isn't possible now. There is no")


async def test_nobody_sees_or_uses_somebody_elses_favorites(party: Party) -> None:
    await open_play(party)
    alice, bob = party.alice, party.bob
    await keep_a_set_up_check(party, "Secret plan")
    sheet = await alice.sees("★ Secret plan", None)

    pressed = await bob.member.press(sheet, "★ Secret plan", unchecked=True)
    assert f"{ALICES} isn't your character." in pressed.text
    assert await bob.is_offered("/favorite", "use") == []
    await bob.types("/favorite use:Secret plan", hears="You have no favorite called “Secret plan”.")
    await bob.types("/favorite remove:Secret plan", hears="You have no favorite called")
    await bob.types("/favorite", hears=[BOBS, "None yet."])


async def test_a_favorite_pressed_twice_or_on_a_second_device_acts_once(party: Party) -> None:
    await open_play(party)
    alice = party.alice
    await keep_a_set_up_check(party, "Twice")
    phone = await alice.sees("★ Twice", None)
    await alice.types("/sheet", hears="[★ Twice]")
    await alice.presses("★ Twice", hears="Last: checks Str + Dex")

    late = await alice.member.press(phone, "★ Twice")

    assert f"{ALICES} has done something else since." in late.text


async def test_the_sixth_favorite_goes_into_a_menu(party: Party) -> None:
    await open_play(party)
    alice = party.alice
    await alice.types("/maid check first:Int second:Cha")
    for number in range(1, 7):
        await alice.types(f"/favorite save:Number {number}")

    sheet = await alice.types("/sheet", hears="[More favorites …]")
    stars = [label for label in sheet.buttons if label.startswith("★")]
    assert stars == [f"★ Number {number}" for number in range(1, 6)]
    await alice.chooses("More favorites", "Number 6", hears="Last: checks Int + Cha")


async def test_favorites_stay_with_a_renamed_character_and_rest_with_a_retired_one(party: Party) -> None:
    await open_play(party)
    alice = party.alice
    await keep_a_set_up_check(party, "Mine")
    sheet = await alice.sees("★ Mine", None)
    await alice.types(f"/character rename name:{ALICES} to:Nettle the Bold")
    await alice.types("/favorite use:Mine", hears="**Nettle the Bold** checks Str + Dex")

    await alice.types("/character retire name:Nettle the Bold")

    assert "There is no such character here." in (await alice.member.press(sheet, "★ Mine")).text
    await alice.types("/favorite", hears="character")
