"""What of a sheet is above a beginner's and waits for the GM."""

import pytest

from bot.rules.rpj.creation.beginners import BEGINNER
from bot.rules.rpj.module.settings import RpjSettings
from tests.rules.rpj.people import sheet


@pytest.mark.rule("RPJ-CHAR-03")
@pytest.mark.parametrize(("power", "above"), [(40, []), (41, ["Character power 41 (a beginner: 40)"])])
def test_one_point_of_power_more_than_a_beginner_has_is_named(power: int, above: list[str]) -> None:
    found = BEGINNER.excess(sheet(total_points=power), RpjSettings())

    assert [str(one) for one in found if one.what == "Character power"] == above
