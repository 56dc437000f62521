"""What the rules tests of Project Swim Class share."""

import pytest

from tests.rules.swim_class.play import GameTable, lay_table


@pytest.fixture
def table() -> GameTable:
    """Three players' characters, an orc and a beast, all at their defaults."""
    return lay_table()
