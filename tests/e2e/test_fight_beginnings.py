"""How a fight begins: with its board and one message that grows (F-ALL-22)."""

import pytest

from bot.playground.discord import read
from bot.rules import rulesets
from tests.e2e.fighting import EPHEMERAL, board_says
from tests.e2e.opening import open_other
from tests.e2e.people import Party
from tests.e2e.table import Table

pytestmark = pytest.mark.asyncio(loop_scope="module")


def public(house: Table, party: Party) -> dict[str, str]:
    """Return the text of everything that the whole channel sees."""
    posted = house.discord.messages.in_channel(party.server.channels[0])
    shown = [one.payload for one in posted if not one.payload.get("flags", 0) & EPHEMERAL]
    return {one["id"]: read(one) for one in shown}


@pytest.mark.parametrize("game", [one.title for one in rulesets().values()])
async def test_f_all_22_a_fight_of_two_begins_with_two_messages_at_most(
    house: Table, party: Party, game: str
) -> None:
    await open_other(party, game)
    before = public(house, party)
    await party.alice.types("/encounter start", hears="starts an encounter")
    await party.bob.presses("Join", hears="joins the encounter")
    await board_says(house, party)

    begun = {id_: text for id_, text in public(house, party).items() if id_ not in before}
    assert len(begun) <= 2, "\n\n".join(begun.values())
    await party.gwen.types("/encounter next")
