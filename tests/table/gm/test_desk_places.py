"""Desks that stand in channels: who puts them there, and what they show."""

import pytest

from bot.rules.kernel.errors import UserError
from bot.store.records import ServerId
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.gm import desk
from bot.table.gm import desk as desk_places
from bot.table.gm import gm as gms
from bot.table.gm.desk import DeskPlace, Insiders
from tests.table.conftest import CHANNEL, HOME, Person

ROOM, OTHER_ROOM = 60, 61


async def test_a_desk_stands_where_a_gm_puts_it_and_shows_hidden_npcs(game: Table, gm: Person) -> None:
    await gms.make_npc(game, gm.asks(), "Orc", is_hidden=True)

    place, before = await desk_places.place_desk(game, gm.asks(), ROOM)

    assert (place.home, before) == (CHANNEL, None)
    found = await desk_places.standing_desk(game, place)
    assert found is not None
    assert (found.row.channel, [one.label for one in found.desk.npcs]) == (ROOM, ["Orc"])
    assert (await desk.desk(game, gm.asks())).stands_in == ROOM


async def test_a_desk_that_could_not_be_posted_elsewhere_stands_where_it_stood(
    game: Table, gm: Person
) -> None:
    place, nowhere = await desk_places.place_desk(game, gm.asks(), ROOM)
    _, before = await desk_places.place_desk(game, gm.asks(), OTHER_ROOM)
    await desk_places.put_back(game, place, before)

    assert (await desk.desk(game, gm.asks())).stands_in == ROOM
    await desk_places.put_back(game, place, nowhere)
    assert await desk_places.standing_desk(game, place) is None


async def test_a_desk_is_taken_away_once(game: Table, gm: Person) -> None:
    await desk_places.place_desk(game, gm.asks(), ROOM)

    before = await desk_places.take_away(game, gm.asks())

    assert before is not None
    assert before.channel == ROOM
    assert await desk_places.take_away(game, gm.asks()) is None


async def test_a_desk_does_not_stand_in_another_campaigns_channel(game: Table, gm: Person) -> None:
    await campaigns.create(game, gm.asks(place=OTHER_ROOM), "toy", "The Short Road")

    with pytest.raises(UserError, match="doesn't belong to The Long Road"):
        await desk_places.place_desk(game, gm.asks(), OTHER_ROOM)


async def test_gms_may_see_a_desk_and_another_server_has_none(game: Table, gm: Person) -> None:
    campaign = await desk_places.campaign_of(game, gm.asks())
    assert await desk_places.insiders(game, HOME, campaign) == Insiders(frozenset({gm.id}), None)
    gone = DeskPlace(ServerId(1), campaign, CHANNEL)
    assert await desk_places.standing_desk(game, gone) is None
