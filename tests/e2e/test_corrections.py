"""F-ALL-35: what a GM corrects comes first, in every game."""

import pytest

from bot.playground.discord import read
from bot.rules import rulesets
from tests.e2e.opening import open_other
from tests.e2e.people import Party
from tests.e2e.table import Table


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
