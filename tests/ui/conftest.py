"""The desk that the commands are tested at, for what people press and are answered."""

from tests.cogs.conftest import desk
from tests.table.conftest import ada, bo, clock, game, gm, interactions, neighbour, table

__all__ = ["ada", "bo", "clock", "desk", "game", "gm", "interactions", "neighbour", "table"]
