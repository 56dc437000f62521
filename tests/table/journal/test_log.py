"""Reading the journal in pages."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.errors import WAYS_TO_JOIN, UserError
from bot.table import watch
from bot.table.base import live_rows
from bot.table.base.access import NoCampaign, NoCharacter
from bot.table.base.results import EntryId
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters, controls
from bot.table.encounters import prepared_fights
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal, log, suggest
from bot.table.journal.log import HiddenLines, LogFilter, LogLine
from bot.table.play import play
from bot.table.sessions import endings, sessions
from bot.ui.live.result_messages import missed_reply
from tests.table.conftest import HOME, Clock, Person


def read(page: log.LogPage) -> list[LogLine]:
    """Return the lines that somebody may read."""
    return [line for line in page.lines if isinstance(line, LogLine)]


def numbers_of(line: LogLine | HiddenLines) -> int:
    assert isinstance(line, LogLine)
    return line.number


class TestPages:
    async def test_the_log_lists_ten_entries_a_page_latest_first(self, game: Table, ada: Person) -> None:
        for _ in range(12):
            await play.perform(game, ada.asks(), "check", {})

        first = await log.page(game, ada.asks())
        second = await log.page(game, ada.asks(), before=first.older_than)

        assert [line.message.headline for line in read(first)] == ["checks Brawn"] * 10
        assert [line.number for line in read(first)] == [15, 14, 13, 12, 11, 10, 9, 8, 7, 6]
        assert [line.message.headline for line in read(second)] == [
            "checks Brawn",
            "checks Brawn",
            "joins the campaign",
            "joins the campaign",
            "creates the campaign The Long Road (Toy Game)",
        ]
        assert (first.is_latest, second.is_latest, second.older_than) == (True, False, None)

    async def test_look_ups_leave_no_entry_in_the_log(self, game: Table, ada: Person) -> None:
        await play.perform(game, ada.asks(), "spend", {})
        await play.perform(game, ada.asks(), "aim", {})

        assert read(await log.page(game, ada.asks()))[0].message.headline == "spends Luck"

    async def test_the_log_shows_the_results_of_free_rolls(self, game: Table, ada: Person) -> None:
        await play.roll(game, ada.asks(), "2 + 3")

        assert read(await log.page(game, ada.asks()))[0].outcome == "5"

    async def test_the_log_can_be_filtered_by_character(self, game: Table, ada: Person, bo: Person) -> None:
        await play.perform(game, ada.asks(), "check", {})
        await play.perform(game, bo.asks(), "check", {})

        page = await log.page(game, ada.asks(), LogFilter(character="Bo"))

        assert {line.message.who for line in read(page)} == {"Bo"}

    async def test_only_the_gm_reads_secret_entries_in_the_log(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)
        await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)

        assert "Shade" not in repr(await log.page(game, ada.asks()))
        assert [line.is_secret for line in read(await log.page(game, gm.asks()))[:2]] == [True, True]

    async def test_entries_a_player_may_not_read_are_counted_as_secret(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        """F-ALL-19."""
        await play.perform(game, ada.asks(), "check", {})
        await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)
        await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)
        await play.perform(game, ada.asks(), "check", {})

        shown = (await log.page(game, ada.asks())).lines
        of_ada = (await log.page(game, ada.asks(), LogFilter(character="Ada"))).lines

        assert (numbers_of(shown[0]), shown[1], numbers_of(shown[2])) == (7, HiddenLines(5, 6), 4)
        assert HiddenLines not in {type(line) for line in of_ada}

    async def test_the_log_can_be_filtered_by_person_kind_and_session(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await play.perform(game, ada.asks(), "spend", {})
        await play.perform(game, bo.asks(), "check", {})
        await journal.undo(game, ada.asks())
        await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)

        async def headlines(who: Person, **only: Any) -> list[str]:
            return [
                line.message.headline for line in read(await log.page(game, who.asks(), LogFilter(**only)))
            ]

        assert await headlines(ada, person=bo.id) == ["checks Brawn", "joins the campaign"]
        assert await headlines(ada, kind="rolls") == ["checks Brawn"]
        assert await headlines(gm, kind="secret") == ["checks Brawn"]
        assert await headlines(ada, kind="secret") == []
        assert await headlines(ada, kind="undone") == ["spends Luck"]
        assert "checks Brawn" not in await headlines(ada, kind="changes")
        assert await headlines(ada, session=1) == []
        with pytest.raises(UserError, match="no entries of that kind"):
            await headlines(ada, kind="zzyzx")

    async def test_the_menu_of_the_log_names_no_hidden_character(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)

        seen, by_gm = await log.page(game, ada.asks()), await log.page(game, gm.asks())

        assert [one.label for one in seen.filters][-2:] == ["Ada", "Bo"]
        assert "The Shade" in [one.label for one in by_gm.filters]

    async def test_a_page_of_the_log_is_full_even_with_secret_entries_between(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        for number in range(240):
            await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=number % 20 != 0)

        first = await log.page(game, ada.asks())

        assert len(first.lines) == 10
        assert first.lines[:4] == (
            HiddenLines(225, 243),
            first.lines[1],
            HiddenLines(205, 223),
            first.lines[3],
        )

    async def test_an_undone_entry_is_marked_in_the_log(self, game: Table, ada: Person) -> None:
        await play.perform(game, ada.asks(), "spend", {})
        await journal.undo(game, ada.asks())

        assert [line.is_undone for line in read(await log.page(game, ada.asks()))[:2]] == [False, True]

    async def test_another_server_cannot_read_the_log(self, game: Table, neighbour: Person) -> None:
        with pytest.raises(NoCampaign):
            await log.page(game, neighbour.asks())


class TestOffersToUndo:
    async def test_a_gm_is_offered_entries_that_changed_something_to_undo(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await play.perform(game, ada.asks(), "check", {})
        await play.perform(game, ada.asks(), "spend", {})

        offered = await log.undo_choices(game, gm.asks(), "spends")

        assert [one.label.split(" · ", 1)[1] for one in offered] == ["Ada spends Luck"]


TEST = {"attribute": "Mallet"}


@pytest.fixture
async def fight(table: Table, gm: Person, ada: Person) -> Table:
    """Sword & Swarm: Alice plays Odalys; then come an Ogre and a hidden Spider. Odalys is on."""
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), "sword_and_swarm", "The Manor")
    await characters.take_ready_made(game, ada.asks(), "Odalys Thorne", "Odalys")
    await play.perform(game, gm.asks(), keys.START, {"others": ("Odalys",)})
    await prepared_fights.add(game, gm.asks(), "Ogre")
    await prepared_fights.add(game, gm.asks(), "Spider", is_hidden=True)
    await play.perform(game, gm.asks(), keys.NEXT, {})
    return game


async def test_a_gm_acts_as_the_foe_whose_turn_it_is(fight: Table, gm: Person) -> None:
    """F-ALL-17"""
    await play.perform(fight, gm.asks(), keys.NEXT, {})

    done = await play.perform(fight, gm.asks(), "test", TEST)

    assert done.message.who == "Ogre"


async def test_on_somebody_elses_turn_the_refusal_names_as(fight: Table, gm: Person) -> None:
    """F-ALL-17"""
    with pytest.raises(NoCharacter) as refused:
        await play.perform(fight, gm.asks(), "test", TEST)

    assert refused.value.sentences == (
        "You have no character here.",
        "Name the NPC that acts with as:, or make a character with /character create.",
    )


async def test_a_player_never_acts_as_the_foe_on_turn(fight: Table, gm: Person, ada: Person) -> None:
    await play.perform(fight, gm.asks(), keys.NEXT, {})
    stranger = replace(ada, id=77, name="Mallory")

    assert (await play.perform(fight, ada.asks(), "test", TEST)).message.who == "Odalys"
    with pytest.raises(NoCharacter) as refused:
        await play.perform(fight, stranger.asks(), "test", TEST)
    assert refused.value.sentences == ("You have no character here.", WAYS_TO_JOIN)


async def test_elsewhere_the_fight_of_another_channel_does_not_count(fight: Table, gm: Person) -> None:
    await play.perform(fight, gm.asks(), keys.NEXT, {})

    with pytest.raises(NoCharacter):
        await play.perform(fight, gm.asks(place=51), "test", TEST)


async def test_a_gm_who_plays_keeps_acting_with_their_own_character(fight: Table, gm: Person) -> None:
    await characters.take_ready_made(fight, gm.asks(), "Corvin Asher", "Corvin")
    await play.perform(fight, gm.asks(), keys.NEXT, {})

    assert (await play.perform(fight, gm.asks(), "test", TEST)).message.who == "Corvin"


async def test_a_gm_with_several_characters_acts_as_the_foe_or_is_asked_to_choose(
    fight: Table, gm: Person
) -> None:
    for name in ("Cora", "Coral", "Corvin"):
        await characters.take_ready_made(fight, gm.asks(), "Corvin Asher", name)
    await characters.retire(fight, gm.asks(), "Corvin")

    with pytest.raises(NoCharacter, match="more than one character"):
        await play.perform(fight, gm.asks(), "test", TEST)

    await play.perform(fight, gm.asks(), keys.NEXT, {})
    assert (await play.perform(fight, gm.asks(), "test", TEST)).message.who == "Ogre"


async def test_the_sheet_of_the_foe_on_turn_opens_by_itself(fight: Table, gm: Person) -> None:
    await play.perform(fight, gm.asks(), keys.NEXT, {})

    shown = await controls.open_controls(fight, gm.asks(), None)

    assert shown.sheet.name == "Ogre"


async def test_the_gm_command_is_still_told_in_the_gms_name(fight: Table, gm: Person) -> None:
    await play.perform(fight, gm.asks(), keys.NEXT, {})

    done = await play.perform(fight, gm.asks(), "attributes", {"target": "Ogre", "mallet": 4})

    assert done.message.who == "Gwen"


async def test_several_foes_on_at_once_are_named(table: Table, gm: Person, ada: Person) -> None:
    """F-ALL-17: in Compare Roll a whole side acts at once."""
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), "compare_roll", "The Yard")
    await characters.take_ready_made(game, ada.asks(), "Juno Marsh", "Ash")
    await play.perform(game, gm.asks(), keys.START, {"others": ("Ash",)})
    await prepared_fights.add(game, gm.asks(), "Wolf", count=2)
    for _ in range(2):
        await play.perform(game, gm.asks(), keys.NEXT, {})

    with pytest.raises(UserError, match="It is the turn of") as refused:
        await play.perform(game, gm.asks(), "attack", {"targets": ("Ash",)})

    assert refused.value.sentences == (
        "It is the turn of Wolf 1, Wolf 2.",
        "Say who acts, such as as:Wolf 1.",
    )


async def test_a_foes_things_are_suggested_on_its_turn(fight: Table, gm: Person) -> None:
    await play.perform(fight, gm.asks(), keys.NEXT, {})

    assert await suggest.things(fight, gm.asks(), "benefit", "") == []


async def miss(table: Table, who: Person) -> str:
    """Do something whose answer is not taken; return its interaction."""
    request = who.asks()
    await play.perform(table, request, "check", {})
    missed = await watch.note(table, HOME, request.interaction)
    assert missed is not None
    assert (missed.is_public, missed.has_rolls, missed.channel) == (True, True, 50)
    return request.interaction


async def test_only_its_person_claims_a_result_and_only_in_its_server(
    game: Table, ada: Person, bo: Person, neighbour: Person
) -> None:
    await miss(game, ada)

    assert await watch.waiting(game) == {(HOME, ada.id)}
    assert [await watch.is_waiting(game, one.asks()) for one in (ada, bo)] == [True, False]
    assert await watch.claim(game, bo.asks()) == []
    assert await watch.claim(game, replace(ada, server=neighbour.server).asks()) == []
    (missed,) = await watch.claim(game, ada.asks())
    assert missed.result is not None
    assert missed.result.message.who == "Ada"


async def test_several_results_are_claimed_by_one_of_two_at_once_oldest_first(
    game: Table, ada: Person, clock: Clock
) -> None:
    await miss(game, ada)
    clock.seconds += 1
    await miss(game, ada)

    claims = await asyncio.gather(*(watch.claim(game, ada.asks()) for _ in range(2)))

    assert sorted(len(one) for one in claims) == [0, 2]
    (claimed,) = (one for one in claims if one)
    assert [one.at for one in claimed] == [clock.seconds - 1, clock.seconds]


async def test_a_result_that_was_claimed_and_not_told_comes_again(
    game: Table, ada: Person, clock: Clock
) -> None:
    await miss(game, ada)
    await watch.claim(game, ada.asks())

    assert await watch.waiting(game) == {(HOME, ada.id)}
    clock.seconds += live_rows.CLAIM_SECONDS
    (missed,) = await watch.claim(game, ada.asks())
    await live_rows.note_done(game, missed.task)
    clock.seconds += live_rows.CLAIM_SECONDS

    assert await watch.claim(game, ada.asks()) == []
    assert await watch.waiting(game) == set()


async def test_what_was_undone_since_is_told_as_undone(game: Table, ada: Person, gm: Person) -> None:
    request = ada.asks()
    await play.perform(game, request, "spend", {})
    missed = await watch.note(game, HOME, request.interaction)
    assert missed is not None
    await journal.undo(game, gm.asks(), EntryId(missed.task.id), is_sure=True)

    (told,) = await watch.claim(game, ada.asks())

    assert told.result is not None
    assert told.result.is_undone


async def test_a_roll_for_the_gms_eyes_only_is_told_without_its_result(game: Table, ada: Person) -> None:
    request = ada.asks()
    await play.roll(game, request, "3d6", None, is_blind=True)
    missed = await watch.note(game, HOME, request.interaction)
    assert missed is not None
    assert not missed.is_public

    (told,) = await watch.claim(game, ada.asks())

    assert (told.result, told.has_rolls) == (None, True)
    assert missed_reply(told).text.endswith("Only the GM sees the result.")


async def test_an_interaction_that_saved_nothing_is_not_noted(game: Table) -> None:
    assert await watch.note(game, HOME, "no such thing") is None
    assert await watch.waiting(game) == set()


async def test_the_recap_of_an_end_that_was_not_answered_is_posted_by_itself(game: Table, gm: Person) -> None:
    await sessions.start(game, gm.asks())
    request = gm.asks()
    ended = await endings.end(game, request)

    assert await watch.note(game, HOME, request.interaction) is None

    assert await watch.waiting(game) == set()
    assert [task.id for task in await live_rows.due(game, live_rows.RECAP)] == [ended.result.entry]
