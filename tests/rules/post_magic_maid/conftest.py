"""What the rules tests of Post-magic-maid share."""

import pytest

from tests.rules.post_magic_maid.play import GameTable, lay_table


@pytest.fixture
def table() -> GameTable:
    """Four players and an ogre."""
    return lay_table()
