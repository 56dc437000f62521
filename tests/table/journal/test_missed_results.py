"""Saved results that are still to be told: each to its person, once."""

import asyncio
from dataclasses import replace

from bot.table.base import timed
from bot.table.base.results import EntryId
from bot.table.base.table import Table
from bot.table.journal import journal, missed_results
from bot.table.play import free_rolls, play
from bot.table.sessions import endings, sessions
from bot.ui.replies.gathering_replies import missed_reply
from tests.table.conftest import HOME, Clock, Person


async def miss(table: Table, who: Person) -> str:
    """Do something whose answer is not taken; return its interaction."""
    request = who.asks()
    await play.perform(table, request, "check", {})
    missed = await missed_results.note(table, HOME, request.interaction)
    assert missed is not None
    assert (missed.is_public, missed.has_rolls, missed.channel) == (True, True, 50)
    return request.interaction


async def test_only_its_person_claims_a_result_and_only_in_its_server(
    game: Table, ada: Person, bo: Person, neighbour: Person
) -> None:
    await miss(game, ada)

    assert await missed_results.waiting(game) == {(HOME, ada.id)}
    assert [await missed_results.is_waiting(game, one.asks()) for one in (ada, bo)] == [True, False]
    assert await missed_results.claim(game, bo.asks()) == []
    assert await missed_results.claim(game, replace(ada, server=neighbour.server).asks()) == []
    (missed,) = await missed_results.claim(game, ada.asks())
    assert missed.result is not None
    assert missed.result.message.who == "Ada"


async def test_several_results_are_claimed_by_one_of_two_at_once_oldest_first(
    game: Table, ada: Person, clock: Clock
) -> None:
    await miss(game, ada)
    clock.seconds += 1
    await miss(game, ada)

    claims = await asyncio.gather(*(missed_results.claim(game, ada.asks()) for _ in range(2)))

    assert sorted(len(one) for one in claims) == [0, 2]
    (claimed,) = (one for one in claims if one)
    assert [one.at for one in claimed] == [clock.seconds - 1, clock.seconds]


async def test_a_result_that_was_claimed_and_not_told_comes_again(
    game: Table, ada: Person, clock: Clock
) -> None:
    await miss(game, ada)
    await missed_results.claim(game, ada.asks())

    assert await missed_results.waiting(game) == {(HOME, ada.id)}
    clock.seconds += timed.CLAIM_SECONDS
    (missed,) = await missed_results.claim(game, ada.asks())
    await timed.note_done(game, missed.task)
    clock.seconds += timed.CLAIM_SECONDS

    assert await missed_results.claim(game, ada.asks()) == []
    assert await missed_results.waiting(game) == set()


async def test_what_was_undone_since_is_told_as_undone(game: Table, ada: Person, gm: Person) -> None:
    request = ada.asks()
    await play.perform(game, request, "spend", {})
    missed = await missed_results.note(game, HOME, request.interaction)
    assert missed is not None
    await journal.undo(game, gm.asks(), EntryId(missed.task.id), is_sure=True)

    (told,) = await missed_results.claim(game, ada.asks())

    assert told.result is not None
    assert told.result.is_undone


async def test_a_roll_for_the_gms_eyes_only_is_told_without_its_result(game: Table, ada: Person) -> None:
    request = ada.asks()
    await free_rolls.roll(game, request, "3d6", None, is_blind=True)
    missed = await missed_results.note(game, HOME, request.interaction)
    assert missed is not None
    assert not missed.is_public

    (told,) = await missed_results.claim(game, ada.asks())

    assert (told.result, told.has_rolls) == (None, True)
    assert missed_reply(told).text.endswith("Only the GM sees the result.")


async def test_an_interaction_that_saved_nothing_is_not_noted(game: Table) -> None:
    assert await missed_results.note(game, HOME, "no such thing") is None
    assert await missed_results.waiting(game) == set()


async def test_the_recap_of_an_end_that_was_not_answered_is_posted_by_itself(game: Table, gm: Person) -> None:
    await sessions.start(game, gm.asks())
    request = gm.asks()
    ended = await endings.end(game, request)

    assert await missed_results.note(game, HOME, request.interaction) is None

    assert await missed_results.waiting(game) == set()
    assert [task.id for task in await timed.due(game, timed.RECAP)] == [ended.result.entry]
