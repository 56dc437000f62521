"""F-ALL-38: words and buttons at the place where they are needed."""

from bot.playground.discord import read
from tests.e2e.opening import open_play
from tests.e2e.people import Party
from tests.e2e.table import Table


async def test_f_all_38_a_gm_shows_a_secret_roll_right_away(house: Table, party: Party) -> None:
    await open_play(party)
    secret = await party.gwen.types("/roll expression:4d6 label:a trap secret:True", hears="a trap")
    assert secret.ephemeral
    assert not any("a trap" in read(one) for one in party.bob.member.sees())

    await party.gwen.presses("Show to all")

    await house.discord.until(
        lambda: any("trap" in read(one).replace("\\", "") for one in party.bob.member.sees())
    )
    assert "Show to all" not in (await party.alice.types("/roll expression:1d6 secret:True")).buttons


async def test_f_all_38_a_gms_help_names_the_context_menus(party: Party) -> None:
    await open_play(party)

    await party.gwen.types("/help", hears=["*Ask for a check*", "*Undo this*"])
    assert "Undo this" not in (await party.alice.types("/help")).text
