"""Taking back: what one did oneself, what the GM takes back, and what was built on it."""

import asyncio

import pytest
from msgspec.structs import replace

from bot.rules.kernel.errors import UserError
from bot.store.records import CampaignId
from bot.table.base.access import ForGmOnly
from bot.table.base.results import ChangeLine, EntryId, Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.journal import journal
from bot.table.journal.journal import UndoAsks, UndoBlocked, Undone, UndoNeedsGm
from bot.table.play import countdown_actions, play
from tests.databases import on_both_engines
from tests.table.conftest import Person
from tests.table.counting import a_plan, begin, everything, state
from tests.table.play.test_play import do, luck
from tests.table.test_presses import button, failed_check, labels, press

pytestmark = on_both_engines


async def undo(
    table: Table,
    who: Person,
    entry: EntryId | None = None,
    *,
    together: bool = False,
    is_sure: bool = False,
) -> Undone:
    done = await journal.undo(table, who.asks(), entry, together=together, is_sure=is_sure)
    assert isinstance(done, Undone)
    return done


async def refused(table: Table, who: Person, entry: EntryId | None = None) -> UserError:
    before = everything(table)
    with pytest.raises(UserError) as told:
        await journal.undo(table, who.asks(), entry)
    assert everything(table) == before
    return told.value


async def created(table: Table, who: Person, name: str) -> EntryId:
    """The entry that made a character."""
    found = await table.store.read(lambda reader: reader.entries(who.server, CampaignId(1)))
    return next(one.id for one in found if one.kind == "character.create" and name in str(one.changes))


class TestOwnEntries:
    async def test_each_undo_reverts_the_persons_last_change(self, game: Table, ada: Person) -> None:
        before = state(game)
        await do(game, ada, "spend")
        await do(game, ada, "train")

        assert (await undo(game, ada)).result.message.headline == "undoes: Ada trains"
        done = await undo(game, ada)

        assert state(game) == before
        assert done.result.message.headline == "undoes: Ada spends Luck"
        assert done.result.message.who == "Alice"
        assert done.result.message.changes == (ChangeLine("Ada", "Luck", "1", "2"),)
        assert done.target.is_undone

    async def test_an_undo_leaves_other_peoples_changes_alone(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        await do(game, ada, "spend")
        await do(game, bo, "spend")

        await undo(game, ada)

        assert (await luck(game, "Ada"), await luck(game, "Bo")) == (2, 1)

    async def test_f_all_36_nothing_older_than_the_last_roll_is_undone_unasked(
        self, game: Table, ada: Person
    ) -> None:
        """F-ALL-03, F-ALL-36: nor is it offered."""
        spent = await do(game, ada, "spend")
        await do(game, ada, "check")
        before = everything(game)

        assert (await refused(game, ada)).sentences == (
            "Your last roll changed nothing: Ada checks Brawn.",
            "To undo something older, press Undo under it.",
        )

        assert everything(game) == before
        done = await undo(game, ada, spent.entry)
        assert done.result.message.headline == "undoes: Ada spends Luck"

    async def test_f_all_36_an_undo_that_needs_the_gm_says_so_beforehand(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await do(game, ada, "spend")
        await play.perform(game, gm.asks(), "hurt", {"target": "Ada"})
        own = await journal.undo(game, ada.asks())
        assert isinstance(own, journal.Undone)

        made = await created(game, ada, "Ada")
        blocked = await journal.undo(game, ada.asks(), made)

        assert isinstance(blocked, journal.UndoBlocked)
        assert blocked.needs_gm
        asked_by_gm = await journal.undo(game, gm.asks(), made)
        assert isinstance(asked_by_gm, journal.UndoBlocked)
        assert not asked_by_gm.needs_gm

    async def test_undoing_a_whole_character_always_asks_first(self, game: Table, ada: Person) -> None:
        """F-ALL-03."""
        made = await created(game, ada, "Ada")
        before = everything(game)

        for entry in (None, made):
            asked = await journal.undo(game, ada.asks(), entry)

            assert isinstance(asked, UndoAsks)
            assert asked.entry == made
        assert everything(game) == before

        await undo(game, ada, made, is_sure=True)
        assert [one.name for one in await characters.listing(game, ada.asks())] == ["Bo"]

    async def test_an_undo_with_nothing_to_undo_says_so(self, game: Table, gm: Person) -> None:
        assert (await refused(game, gm)).sentences == (
            "Your last action can't be undone: Gwen creates the campaign The Long Road (Toy Game).",
            "To undo something older, press Undo under it.",
        )
        stranger = replace(gm, id=77)
        assert (await refused(game, stranger)).sentences == (
            "You have nothing to undo here.",
            "See what was done with /log.",
        )

    async def test_the_same_interaction_twice_undoes_once(self, game: Table, ada: Person) -> None:
        await do(game, ada, "spend")
        await do(game, ada, "spend")
        request = ada.asks()

        first = await journal.undo(game, request)
        kept = everything(game)

        assert await journal.undo(game, request) == first
        assert everything(game) == kept
        assert await luck(game, "Ada") == 1

    async def test_two_undos_at_once_undo_an_entry_once(self, game: Table, ada: Person) -> None:
        spent = await do(game, ada, "spend")

        answers = await asyncio.gather(
            *(journal.undo(game, ada.asks(), spent.entry) for _ in range(2)), return_exceptions=True
        )

        assert sorted(type(answer).__name__ for answer in answers) == ["Undone", "UserError"]
        assert await luck(game, "Ada") == 2


class TestDice:
    async def test_undoing_an_entry_with_dice_needs_a_gm_and_its_roll_stays_in_the_journal(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        check = await failed_check(game, ada)
        pushed = (await press(game, ada, button(check, "Push · 1 Luck"))).result
        before = everything(game)

        asked = await journal.undo(game, ada.asks(), pushed.entry)

        assert isinstance(asked, UndoNeedsGm)
        assert (asked.entry, asked.together, asked.asked_by) == (pushed.entry, False, "Alice")
        assert everything(game) == before

        await undo(game, gm, pushed.entry)
        assert await luck(game, "Ada") == 2
        kept = await journal.entry_result(game, ada.asks(), pushed.entry)
        assert kept.is_undone
        assert kept.rolls == pushed.rolls

    async def test_a_roll_that_changed_nothing_cannot_be_undone(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        check = await do(game, ada, "check")

        assert (await refused(game, gm, check.entry)).sentences == (
            "That changed nothing, so there is nothing to undo.",
            "Rolls can't be undone.",
        )


class TestWhoMay:
    async def test_only_a_gm_undoes_somebody_elses_change_and_nobody_twice(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        spent = await do(game, ada, "spend")

        assert isinstance(await journal.undo(game, bo.asks(), spent.entry), UndoNeedsGm)
        assert await luck(game, "Ada") == 1
        await undo(game, gm, spent.entry)
        assert await luck(game, "Ada") == 2
        assert (await refused(game, gm, spent.entry)).what == "That has already been undone."

    async def test_a_private_entry_cannot_be_undone_by_others(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        whispered = await do(game, ada, "whisper")

        theirs = await refused(game, bo, whispered.entry)
        nothing = await refused(game, bo, EntryId(999))

        assert theirs.sentences == nothing.sentences
        assert isinstance(await journal.undo(game, ada.asks(), whispered.entry), UndoNeedsGm)
        assert not (await undo(game, gm, whispered.entry)).result.message.is_public

    async def test_another_servers_entry_cannot_be_undone(
        self, game: Table, ada: Person, neighbour: Person
    ) -> None:
        spent = await do(game, ada, "spend")
        await campaigns.create(game, neighbour.asks(), "toy", "Elsewhere")

        theirs = await refused(game, neighbour, spent.entry)
        nothing = await refused(game, neighbour, EntryId(999))

        assert theirs.sentences == nothing.sentences


class TestObstacles:
    async def test_a_blocked_undo_lists_its_obstacles_and_can_take_them_along(
        self, game: Table, ada: Person
    ) -> None:
        at_first = state(game)
        first = await do(game, ada, "spend")
        second = await do(game, ada, "spend")
        before = everything(game)

        blocked = await journal.undo(game, ada.asks(), first.entry)

        assert isinstance(blocked, UndoBlocked)
        assert blocked.entry == first.entry
        assert [(one.entry, one.message.headline) for one in blocked.in_the_way] == [
            (second.entry, "spends Luck")
        ]
        assert everything(game) == before
        done = await undo(game, ada, first.entry, together=True)
        assert state(game) == at_first
        assert done.result.message.notes == ("Also undone: Ada spends Luck.",)
        assert done.result.message.changes == (ChangeLine("Ada", "Luck", "0", "2"),)

    async def test_a_press_blocks_the_undo_of_the_result_that_offered_it(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await do(game, gm, "poison", target="Bo")
        waited = await do(game, gm, "wait", seconds=600)
        await press(game, gm, button(waited, "Treat Bo"))

        blocked = await journal.undo(game, gm.asks(), waited.entry)

        assert isinstance(blocked, UndoBlocked)
        assert [one.message.headline for one in blocked.in_the_way] == ["treats a wound"]

    async def test_a_press_that_changed_nothing_blocks_no_undo(self, game: Table, ada: Person) -> None:
        before = state(game)
        trained = await do(game, ada, "train")
        await press(game, ada, button(trained, "Eat well"))

        done = await undo(game, ada, trained.entry)

        assert state(game) == before
        assert done.result.message.notes == ()

    async def test_an_undo_together_with_others_entries_needs_a_gm(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        first = await do(game, ada, "spend")
        await play.perform(game, gm.asks(), "spend", {}, acting="Ada")

        asked = await journal.undo(game, ada.asks(), first.entry, together=True)

        assert isinstance(asked, UndoNeedsGm)
        assert asked.together

    async def test_secret_obstacles_are_not_listed_to_players(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        first = await do(game, ada, "spend")
        await play.perform(game, gm.asks(), "spend", {}, acting="Ada", is_secret=True)

        blocked = await journal.undo(game, ada.asks(), first.entry)

        assert isinstance(blocked, UndoBlocked)
        assert [one.message.headline for one in blocked.in_the_way] == ["Something only the GM knows about"]
        assert (await undo(game, gm, first.entry, together=True)).result.message.notes == ()

    async def test_a_name_taken_since_blocks_the_undo_that_would_restore_it(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        retired = await characters.retire(game, ada.asks(), "Ada")
        await characters.rename(game, bo.asks(), "Bo", "ADA")

        blocked = await journal.undo(game, ada.asks(), retired.entry)

        assert isinstance(blocked, UndoBlocked)
        assert [one.message.headline for one in blocked.in_the_way] == ["is now called ADA"]


class TestUndoOfAnUndo:
    async def test_only_a_gm_can_undo_an_undo(self, game: Table, gm: Person, ada: Person) -> None:
        await do(game, ada, "spend")
        undone = await undo(game, ada)

        assert isinstance(await refused(game, ada, undone.result.entry), ForGmOnly)

        await undo(game, gm, undone.result.entry)
        assert await luck(game, "Ada") == 1

    async def test_undoing_an_undo_restores_the_entry_with_its_buttons(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await do(game, gm, "poison", target="Bo")
        waited = await do(game, gm, "wait", seconds=600)
        undone = await undo(game, gm, waited.entry)
        await undo(game, gm, undone.result.entry)

        again = await journal.entry_result(game, gm.asks(), waited.entry)

        assert not again.is_undone
        assert labels(again) == ["Treat Bo"]

    async def test_undoing_an_undo_restores_everything_undone_together(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        first = await do(game, ada, "spend")
        await do(game, ada, "spend")
        before = state(game)
        undone = await undo(game, ada, first.entry, together=True)

        await undo(game, gm, undone.result.entry)

        assert state(game) == before
        assert (await undo(game, ada)).target.entry != first.entry

    async def test_repeated_undos_of_undos_alternate(self, game: Table, ada: Person, gm: Person) -> None:
        spent = await do(game, ada, "spend")
        away = await undo(game, ada)
        back = await undo(game, gm, away.result.entry)
        again_away = await undo(game, gm, back.result.entry)

        assert await luck(game, "Ada") == 2
        assert (await refused(game, gm, spent.entry)).sentences == ("That has already been undone.",)

        await undo(game, gm, again_away.result.entry)

        assert await luck(game, "Ada") == 1
        await undo(game, gm, spent.entry)
        assert await luck(game, "Ada") == 2

    async def test_what_was_undone_by_itself_stays_apart_from_undos_of_undos(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        first, second = await do(game, ada, "spend"), await do(game, ada, "spend")
        alone = await undo(game, gm, second.entry)
        last = await undo(game, gm, first.entry)
        for expected in (1, 2, 1):  # stands again, undone again, stands again
            last = await undo(game, gm, last.result.entry)
            assert await luck(game, "Ada") == expected

        await undo(game, gm, alone.result.entry)

        assert await luck(game, "Ada") == 0

    async def test_an_action_is_restored_only_together_with_its_character(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan())
        moved = await countdown_actions.press(game, ada.asks(), 1)
        assert isinstance(moved, Result)
        stands = state(game)
        still = await undo(game, gm, moved.entry)
        await undo(game, gm, await created(game, gm, "Ada"), is_sure=True)

        blocked = await journal.undo(game, gm.asks(), still.result.entry)
        assert isinstance(blocked, UndoBlocked)
        await undo(game, gm, still.result.entry, together=True)

        assert state(game) == stands
