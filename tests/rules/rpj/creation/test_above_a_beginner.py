"""What of a sheet is above a beginner's and waits for the GM."""

import pytest

from bot.rules.rpj.creation.ways_to_join import BEGINNER
from bot.rules.rpj.module.settings import RpjSettings
from tests.rules.rpj.people import sheet


@pytest.mark.rule("RPJ-CHAR-03")
@pytest.mark.parametrize(("power", "above"), [(40, []), (41, ["Character power 41 (a beginner: 40)"])])
def test_character_power_above_a_beginners_is_reported_to_the_gm(power: int, above: list[str]) -> None:
    found = BEGINNER.excess(sheet(total_points=power), RpjSettings())

    assert [str(one) for one in found if one.what == "Character power"] == above
