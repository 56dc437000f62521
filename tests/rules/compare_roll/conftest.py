"""What the rules tests of Compare Roll share."""

import pytest

from tests.rules.compare_roll.play import GameTable, lay_table


@pytest.fixture
def table() -> GameTable:
    """Three players and two foes."""
    return lay_table()
