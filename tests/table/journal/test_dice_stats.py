"""Dice statistics: whose dice count, for whom, and over which session. F-ALL-28."""

from dataclasses import replace
from fractions import Fraction

import pytest

from bot.rules.kernel.errors import UserError
from bot.store.records import EntryRecord, Json
from bot.table.base.access import ForGmOnly
from bot.table.base.table import Table
from bot.table.gm import gm as gm_cases
from bot.table.journal import dice_stats as stats
from bot.table.journal import journal
from bot.table.journal.dice_stats import GMS, Series, dice_stats
from bot.table.play import free_rolls, play
from bot.table.sessions import endings, sessions
from tests.table.conftest import HOME, Person


async def roll(table: Table, who: Person, expression: str, *, is_secret: bool = False) -> None:
    await free_rolls.roll(table, who.asks(), expression, None, is_secret=is_secret)


async def seen(table: Table, who: Person, person: int | None = None) -> dict[int, int]:
    """How many dice of each size somebody sees of a person."""
    found = await dice_stats(table, who.asks(), person)
    return {one.sides: one.rolls for one in found.shown.series}


async def save(table: Table, who: Person, interaction: str, *rolls: Json, session: int | None = None) -> None:
    """Save an entry with rolls as they are stored."""

    def unit(tx):  # type: ignore[no-untyped-def]
        campaign = tx.campaigns(HOME)[0].id
        tx.add_entry(
            EntryRecord(
                server=HOME,
                campaign=campaign,
                session=session,
                at=1,
                interaction=interaction,
                channel=50,
                person=who.id,
                person_name=who.name,
                kind="play.check",
                told={"who": "x", "headline": "y"},
                rolls=list(rolls),
            )
        )

    await table.store.run(unit)


def a_roll(*faces: int, sides: int = 6, roller: Json = None) -> Json:
    dice: list[Json] = [{"sides": sides, "face": face} for face in faces]
    return {"dice": dice, "roller": roller} if roller is not None else {"dice": dice}


async def test_ones_own_dice_are_counted_by_size_with_checks_and_undone_ones(
    game: Table, ada: Person, bo: Person, gm: Person
) -> None:
    await roll(game, ada, "2d6+3d8")
    await play.perform(game, ada.asks(), "check", {})
    spent = await play.perform(game, ada.asks(), "spend", {})
    await journal.undo(game, gm.asks(), spent.entry, is_sure=True)
    await roll(game, bo, "4d20")

    assert await seen(game, ada) == {6: 3, 8: 3}
    assert await seen(game, bo) == {20: 4}


async def test_a_players_dice_are_theirs_whoever_pressed_for_their_character(
    game: Table, ada: Person, gm: Person
) -> None:
    await play.perform(game, gm.asks(), "check", {}, acting="Ada")

    assert await seen(game, ada) == {6: 1}
    assert await seen(game, gm) == {}
    assert await seen(game, gm, ada.id) == {6: 1}


async def test_npcs_and_those_without_a_character_are_the_gms(game: Table, ada: Person, gm: Person) -> None:
    await gm_cases.make_npc(game, gm.asks(), "Canary", is_hidden=True)
    await play.perform(game, gm.asks(), "check", {}, acting="Canary", is_secret=True)
    await save(game, ada, "1", a_roll(1, 2, roller={"id": None, "name": "Bandits"}))
    await save(game, ada, "2", a_roll(3, roller={"id": 999, "name": "Gone"}))

    everybody = await dice_stats(game, gm.asks())
    assert {one.person: one.rolls for one in everybody.people} == {GMS: 3, ada.id: 1}
    assert await seen(game, gm, GMS) == {6: 3}
    assert await seen(game, ada) == {6: 1}
    assert (await dice_stats(game, ada.asks())).people == ()


async def test_a_secret_roll_of_the_gms_is_counted_for_gms_only(game: Table, ada: Person, gm: Person) -> None:
    await roll(game, gm, "5d10", is_secret=True)
    second = replace(gm, id=77, name="Second")

    assert await seen(game, second, gm.id) == {10: 5}
    with pytest.raises(ForGmOnly, match="Only a GM can see other people's dice"):
        await seen(game, ada, gm.id)


async def test_a_roll_for_the_gms_eyes_only_is_not_counted_for_its_player(
    game: Table, ada: Person, gm: Person
) -> None:
    await free_rolls.roll(game, ada.asks(), "3d6", None, is_blind=True)

    assert await seen(game, ada) == {}
    assert await seen(game, gm, ada.id) == {6: 3}


async def test_players_see_nobody_elses_dice(game: Table, ada: Person, bo: Person, neighbour: Person) -> None:
    await roll(game, bo, "2d6")

    for person in (bo.id, GMS):
        with pytest.raises(ForGmOnly):
            await dice_stats(game, ada.asks(), person)
    with pytest.raises(UserError, match="no campaign here"):
        await dice_stats(game, neighbour.asks(), bo.id)


async def test_somebody_who_rolled_nothing_is_no_choice_of_the_gms(
    game: Table, bo: Person, gm: Person
) -> None:
    with pytest.raises(UserError, match="rolled no dice here"):
        await dice_stats(game, gm.asks(), bo.id)


async def test_dice_of_one_size_come_by_session_latest_first(game: Table, ada: Person, gm: Person) -> None:
    await roll(game, ada, "1d6")
    for _ in range(2):
        await sessions.start(game, gm.asks())
        await roll(game, ada, "2d6+1d4")
        await endings.end(game, gm.asks())

    found = await dice_stats(game, ada.asks(), sides=6)

    assert [(one.session, one.series.rolls) for one in found.sessions] == [(2, 2), (1, 2), (None, 1)]


async def test_cards_and_other_sizes_are_no_dice(game: Table, ada: Person) -> None:
    await save(game, ada, "1", a_roll(50, 3, sides=53), "from an older version")

    assert await seen(game, ada) == {}


async def test_of_many_dice_the_newest_count(game: Table, ada: Person) -> None:
    await save(game, ada, "1", a_roll(*[1] * 300))
    await save(game, ada, "2", a_roll(*[6] * 900))

    found = await dice_stats(game, ada.asks())

    assert found.is_cut
    assert found.shown.series == (Series((100, 0, 0, 0, 0, 900)),)


async def test_a_long_journal_is_read_page_by_page(game: Table, ada: Person) -> None:
    for number in range(stats.PAGE + 1):
        await save(game, ada, f"{number}", a_roll(1 + number % 6))

    found = await dice_stats(game, ada.asks())

    assert (found.shown.rolls, found.is_cut) == (stats.PAGE + 1, False)


def test_a_series_knows_its_average_and_its_oddest_face() -> None:
    series = Series((0, 1, 1, 1, 1, 6))

    assert (series.rolls, series.total, series.average, series.expected) == (10, 50, 5.0, 3.5)
    assert series.oddest_face == 6
    assert series.chance == Fraction(349_492, 6**10)
    assert series.faces_chance == pytest.approx(0.0145, abs=0.001)
