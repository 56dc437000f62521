"""What the rules tests of Sword & Swarm share."""

import pytest

from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import lay


@pytest.fixture
def table() -> GameTable:
    """Two players' characters, Ash and Bram, and an Ogre of the GM's."""
    return lay()
