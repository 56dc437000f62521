"""The GM's desk as it stands: the party, countdowns, fights and the last acts."""

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Character, Document, Gauge, Glance
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Visibility
from bot.store.records import ServerId
from bot.table.base.live_rows import DeskPlace
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.encounters import encounters
from bot.table.gm import desk
from bot.table.gm import desk as desk_places
from bot.table.gm import gm as gms
from bot.table.gm.desk import Insiders
from bot.table.journal import journal
from bot.table.sessions import sessions
from tests.table.conftest import CHANNEL, HOME, Person
from tests.table.counting import a_plan, begin


def glance(character: Character, _settings: Document) -> Glance:
    light, grave = character.wounds.get("body", (0, 0))
    return Glance((Gauge.of("Body", 3 - light - grave, 3),), ("hurt",) if light else ())


@pytest.fixture
def seen(game: Table) -> Table:
    return replace(game, games={"toy": replace(game.games["toy"], glance=glance)})


async def test_the_party_is_every_players_character_with_points_wounds_and_conditions(
    seen: Table, gm: Person
) -> None:
    await gms.make_npc(seen, gm.asks(), "Orc", is_hidden=True)
    await gms.set_wounds(seen, gm.asks(), "body", "light", 1, "Ada")

    found = await desk.desk(seen, gm.asks())

    assert [(one.name, one.counts, one.states) for one in found.party] == [
        ("Ada", ("Body 2/3",), ("hurt",)),
        ("Bo", ("Body 3/3",), ()),
    ]
    assert [one.label for one in found.npcs] == ["Orc"]


async def test_the_gm_chooses_which_numbers_stand_first(seen: Table, gm: Person) -> None:
    assert (await desk.desk(seen, gm.asks())).watchable == ("Body", "Luck")

    request = gm.asks()
    chosen = await desk.watch(seen, request, ("Luck",))
    assert await desk.watch(seen, request, ("Luck",)) == chosen  # delivered twice

    found = await desk.desk(seen, gm.asks())
    assert (found.watched, found.party[0].watched, found.party[0].counts) == (
        ("Luck",),
        ("Luck 2",),
        ("Body 3/3",),
    )
    await desk.watch(seen, gm.asks(), ())
    assert (await desk.desk(seen, gm.asks())).watched == ()


@pytest.mark.parametrize("titles", [("Gold",), ("Body", "Luck", "Luck")])
async def test_what_nobody_has_cannot_be_watched(seen: Table, gm: Person, titles: tuple[str, ...]) -> None:
    with pytest.raises(UserError, match="can't choose that"):
        await desk.watch(seen, gm.asks(), titles)


async def test_without_a_fight_the_desk_shows_none(seen: Table, gm: Person) -> None:
    assert await encounters.place_at_desk(seen, gm.asks()) is None
    assert await encounters.fight_at_desk(seen, gm.asks()) is None


async def test_the_desk_shows_hidden_countdowns_and_the_session(game: Table, gm: Person) -> None:
    await begin(game, gm, replace(a_plan("Raven Plot"), visibility=Visibility.GM))
    await sessions.start(game, gm.asks())

    found = await desk.desk(game, gm.asks())

    assert (found.session, [one.name for one in found.countdowns]) == (1, ["Raven Plot"])


async def test_the_last_acts_are_those_that_can_be_undone_latest_first(game: Table, gm: Person) -> None:
    await gms.award(game, gm.asks(), "luck", 1, ("Ada",))
    await gms.make_npc(game, gm.asks(), "Orc", is_hidden=True)
    done = await gms.award(game, gm.asks(), "luck", -1, ("Ada",))
    await sessions.start(game, gm.asks())

    first, second, *_ = (await desk.desk(game, gm.asks())).acts
    assert (first.words, first.is_secret) == ("Gwen takes 1 Luck", False)
    assert (second.words, second.is_secret) == ("Orc joins the campaign", True)

    await journal.undo(game, gm.asks(), done.entry)
    assert done.entry not in {one.entry for one in (await desk.desk(game, gm.asks())).acts}


async def test_what_was_undone_is_redone_and_can_be_undone_again(game: Table, gm: Person) -> None:
    done = await gms.award(game, gm.asks(), "luck", 1, ("Ada",))
    await journal.undo(game, gm.asks(), done.entry)
    undo, *_ = (await desk.desk(game, gm.asks())).acts
    assert (undo.words, undo.is_undo) == ("Gwen undoes: Gwen awards 1 Luck", True)

    redone = await journal.undo(game, gm.asks(), undo.entry)

    assert isinstance(redone, journal.Undone)
    assert redone.result.message.headline == "redoes: Gwen awards 1 Luck"
    act, *_ = (await desk.desk(game, gm.asks())).acts
    assert (act.entry, act.is_undo) == (done.entry, False)


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
