"""The journal, its follow-ups and drafts in every store."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from bot.store.connection import AlreadyDone, Unjournalled
from bot.store.records import Change, DraftRecord, EntryId, EntryRecord
from bot.store.transaction import Reader, Store, Transaction
from tests.store.contract.test_campaigns import DAWN, DUSK
from tests.store.contract.worlds import offers
from tests.store.rows import (
    ANN,
    BEN,
    ELSEWHERE,
    HERE,
    Journalled,
    a_campaign,
    a_session,
    an_entry,
)


@pytest.fixture
async def journalled(store: Store) -> Journalled:
    """The campaigns Dusk and Dawn."""
    beginning = Journalled(store)
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Dusk")))
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Dawn")))
    return beginning


def name_gm(tx: Transaction) -> None:
    tx.set_gm(HERE, DUSK, ANN, is_gm=True)


def add(entry: EntryRecord, tx: Transaction) -> EntryRecord:
    return tx.add_entry(entry)


def change_gm(person: int) -> Callable[[Transaction], None]:
    return lambda tx: tx.set_gm(HERE, DUSK, person, is_gm=True)


def add_offers(entry: EntryId, tx: Transaction) -> None:
    tx.add_follow_ups(offers(HERE, DUSK, entry))


class TestEntry:
    async def test_an_entry_is_read_back_whole_with_its_changes(self, journalled: Journalled) -> None:
        entry = an_entry(
            DUSK,
            "once",
            session=7,
            character=5,
            told={"headline": "rolls"},
            rolls=[{"dice": [6, 1], "chance": "5/12"}],
            seed=2,
            is_secret=True,
            undoes=EntryId(1),
        )

        def unit(tx: Transaction) -> EntryRecord:
            name_gm(tx)
            return tx.add_entry(entry)

        kept = await journalled.store.run(unit)

        made = Change("gms", {"campaign_id": 1, "person": ANN}, None, {})
        assert kept == replace(entry, id=EntryId(3), changes=(made,))
        assert await journalled.store.read(lambda reader: reader.entry(HERE, EntryId(3))) == kept
        assert await journalled.store.read(lambda reader: reader.entry_of(HERE, "once")) == kept

    async def test_an_interaction_has_one_entry_and_acts_once(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: None, interaction="once")

        with pytest.raises(AlreadyDone):
            await journalled.do(name_gm, interaction="once")

        assert await journalled.store.read(lambda reader: reader.gms(HERE, DUSK)) == []
        await journalled.do(lambda tx: None, interaction="once", server=ELSEWHERE)

    async def test_a_change_without_an_entry_is_refused(self, journalled: Journalled) -> None:
        with pytest.raises(Unjournalled):
            await journalled.store.run(name_gm)

        assert await journalled.store.read(lambda reader: reader.gms(HERE, DUSK)) == []

    async def test_each_of_two_entries_of_a_unit_has_the_changes_before_it(
        self, journalled: Journalled
    ) -> None:
        def unit(tx: Transaction) -> tuple[EntryRecord, EntryRecord]:
            name_gm(tx)
            first = tx.add_entry(an_entry(DUSK, "first"))
            tx.bind(HERE, 31, DUSK)
            return first, tx.add_entry(an_entry(DUSK, "second"))

        entries = await journalled.store.run(unit)

        assert [[change.table for change in one.changes] for one in entries] == [["gms"], ["places"]]

    async def test_an_entry_belongs_to_the_running_session_and_counts_as_activity(
        self, journalled: Journalled
    ) -> None:
        before = await journalled.do(lambda tx: None)
        started = await journalled.do(lambda tx: tx.save_session(a_session(DUSK, 4)), at=2500)
        during = await journalled.do(lambda tx: None, at=2700)
        late = await journalled.do(lambda tx: None, at=2600)
        away = await journalled.do(lambda tx: None, at=9999, campaign=DAWN)

        assert [one.session for one in (before, started, during, late, away)] == [None, 4, 4, 4, None]
        session = await journalled.store.read(lambda reader: reader.open_session(HERE, DUSK))
        assert session == a_session(DUSK, 4, active_at=2700)

    async def test_an_undone_entry_names_its_undo(self, journalled: Journalled) -> None:
        entry = await journalled.do(name_gm)

        undo = await journalled.undo(entry)
        kept = await journalled.store.read(lambda reader: reader.entry(HERE, entry.id))
        assert kept == replace(entry, undone_by=undo.id)

        await journalled.store.run(lambda tx: tx.mark_undone(entry, None))
        assert await journalled.store.read(lambda reader: reader.entry(HERE, entry.id)) == entry


class TestFilters:
    @pytest.mark.parametrize(
        ("wanted", "interactions"),
        [
            ({}, ["e", "d", "c", "b", "a"]),
            ({"newest_first": False}, ["a", "b", "c", "d", "e"]),
            ({"limit": 2}, ["e", "d"]),
            ({"session": 1}, ["c", "b"]),
            ({"person": BEN}, ["d", "b"]),
            ({"character": 5}, ["c"]),
            ({"with_secret": False}, ["e", "c", "b", "a"]),
            ({"after": EntryId(5)}, ["e", "d"]),
            ({"before": EntryId(5)}, ["b", "a"]),
            ({"after": EntryId(3), "before": EntryId(6)}, ["c", "b"]),
            ({"session": 1, "person": BEN}, ["b"]),
            ({"session": 2}, []),
        ],
    )
    async def test_entries_are_filtered_and_ordered(
        self, journalled: Journalled, wanted: dict[str, Any], interactions: list[str]
    ) -> None:
        for entry in (
            an_entry(DAWN, "a"),
            an_entry(DAWN, "b", session=1, person=BEN),
            an_entry(DAWN, "c", session=1, character=5),
            an_entry(DAWN, "d", person=BEN, is_secret=True),
            an_entry(DAWN, "e"),
            an_entry(DUSK, "f", session=1),
        ):
            await journalled.store.run(partial(add, entry))

        found = await journalled.store.read(lambda reader: reader.entries(HERE, DAWN, **wanted))

        assert [one.interaction for one in found] == interactions

    @pytest.mark.parametrize(("with_secret", "kinds"), [(True, ["c", "b", "a"]), (False, ["c", "a"])])
    async def test_f_perf_13_the_newest_kinds_are_found_without_their_entries(
        self, journalled: Journalled, with_secret: bool, kinds: list[str]
    ) -> None:
        for kind in "xabc":
            entry = replace(an_entry(DAWN, kind, is_secret=kind == "b"), kind=kind)
            await journalled.store.run(partial(add, entry))
        await journalled.store.run(partial(add, an_entry(DUSK, "f")))
        limit = len(kinds)

        found = await journalled.store.read(
            lambda reader: reader.kinds_used(HERE, DAWN, with_secret=with_secret, limit=limit)
        )

        assert found == kinds

    async def test_the_newest_entries_that_changed_something_and_stand_are_found_without_their_rolls(
        self, journalled: Journalled
    ) -> None:
        old = await journalled.do(name_gm)
        undone, first, second = [await journalled.do(change_gm(person)) for person in (BEN, 7, 8)]

        def unit(tx: Transaction) -> EntryRecord:
            change_gm(9)(tx)
            return tx.add_entry(an_entry(DUSK, "both", rolls=[{"dice": [6]}]))

        both = await journalled.store.run(unit)
        rolled = await journalled.store.run(partial(add, an_entry(DUSK, "rolls", rolls=[{"dice": [6]}])))
        await journalled.store.run(partial(add, an_entry(DUSK, "looks")))
        await journalled.store.run(lambda tx: tx.mark_undone(undone, rolled.id))

        def query(reader: Reader) -> tuple[list[EntryRecord], list[EntryId], list[EntryId]]:
            return (
                list(reader.changing_entries(HERE, DUSK, among=6)),
                reader.newest_actions(HERE, DUSK, among=6),
                reader.newest_actions(HERE, DUSK, among=9),
            )

        changed, six, all_ = await journalled.store.read(query)
        assert changed == [replace(both, rolls=[]), second, first]
        assert six == [rolled.id, both.id, second.id, first.id, undone.id]
        assert all_[: len(six) + 1] == [*six, old.id]

    async def test_brief_entries_have_neither_rolls_nor_changes(self, journalled: Journalled) -> None:
        def unit(tx: Transaction) -> EntryRecord:
            name_gm(tx)
            return tx.add_entry(an_entry(DUSK, "a", told={"headline": "rolls"}, rolls=[{"dice": [6]}]))

        entry = await journalled.store.run(unit)
        assert entry.changes

        (brief,) = await journalled.store.read(
            lambda reader: reader.entries(HERE, DUSK, is_brief=True, limit=1)
        )

        assert brief == replace(entry, rolls=[], changes=())

    async def test_the_newest_entries_with_a_part_in_their_text_are_found(
        self, journalled: Journalled
    ) -> None:
        for number, about in enumerate((7, 7, 8, 71, 7)):
            entry = replace(an_entry(DAWN, f"{number}"), told={"facts": {"about": about}})
            await journalled.store.run(partial(add, entry))
        await journalled.store.run(partial(add, an_entry(DUSK, "f", told={"facts": {"about": 7}})))

        found = await journalled.store.read(
            lambda reader: [
                entry.interaction
                for id_ in reader.entries_with(HERE, DAWN, '"about":7', among=4)
                if (entry := reader.entry(HERE, id_)) is not None
            ]
        )

        assert found == ["4", "3", "1"]


class TestFollowUps:
    async def test_follow_ups_are_found_in_order_and_close_by_group(self, journalled: Journalled) -> None:
        entry = await journalled.do(name_gm)
        ids = await journalled.store.run(lambda tx: tx.add_follow_ups(offers(HERE, DUSK, entry.id)))
        assert ids == [1, 2, 3]
        kept = await journalled.store.read(lambda reader: reader.follow_ups(HERE, entry.id))
        assert [one.id for one in kept] == ids
        assert [one.body["label"] for one in kept] == ["first", "second", "third"]

        await journalled.store.run(lambda tx: tx.close_follow_ups(HERE, entry.id, "a", EntryId(8)))
        await journalled.store.run(lambda tx: tx.close_follow_ups(HERE, entry.id, "a", EntryId(9)))

        closed = await journalled.store.read(lambda reader: reader.follow_ups(HERE, entry.id))
        assert [one.closed_by for one in closed] == [8, 8, None]
        assert await journalled.store.read(lambda reader: reader.follow_up(HERE, kept[0].id)) == closed[0]

    async def test_follow_ups_of_several_entries_are_found_in_order(self, journalled: Journalled) -> None:
        first, second, third = [await journalled.do(name_gm) for _ in range(3)]
        for one in (first, second, third):
            await journalled.store.run(partial(add_offers, one.id))

        found = await journalled.store.read(lambda reader: reader.follow_ups_of(HERE, [third.id, first.id]))
        assert [one.entry for one in found] == [first.id] * 3 + [third.id] * 3
        assert await journalled.store.read(lambda reader: reader.follow_ups_of(HERE, [])) == []

    async def test_open_deadlines_are_found_in_order_among_the_newest_entries(
        self, journalled: Journalled
    ) -> None:
        first, second, third, last = [await journalled.do(name_gm) for _ in range(4)]
        for one in (first, second, third):
            await journalled.store.run(partial(add_offers, one.id))
        await journalled.store.run(lambda tx: tx.close_follow_ups(HERE, second.id, "b", last.id))

        async def found(among: int) -> list[tuple[EntryId, EntryId, object]]:
            deadlines = await journalled.store.read(
                lambda reader: reader.deadlines(HERE, first.campaign, before=last.id, among=among)
            )
            return [(one.id, one.message, one.body["label"]) for one in deadlines]

        assert await found(among=9) == [(first.id, first.id, "third"), (third.id, third.id, "third")]
        assert await found(among=2) == [(third.id, third.id, "third")]

    async def test_entries_that_wait_for_an_answer_still_are_found_the_newest_first(
        self, journalled: Journalled
    ) -> None:
        first, second, third = [await journalled.do(name_gm) for _ in range(3)]
        for one in (first, second, third):
            await journalled.store.run(partial(add_offers, one.id))
        await journalled.store.run(lambda tx: tx.close_follow_ups(HERE, second.id, "a", third.id))

        async def owing(among: int, limit: int) -> list[EntryId]:
            return await journalled.store.read(
                lambda reader: reader.entries_owing(HERE, first.campaign, among=among, limit=limit)
            )

        assert await owing(among=99, limit=9) == [third.id, first.id]
        assert await owing(among=99, limit=1) == [third.id]
        assert await owing(among=2, limit=2) == [third.id]  # the second is answered
        assert await owing(among=2, limit=3) == [third.id, first.id]  # so many of the campaign's in any case
        await journalled.store.run(lambda tx: tx.close_follow_ups(HERE, third.id, "a", third.id))
        assert await owing(among=2, limit=1) == []
        assert await owing(among=3, limit=1) == [first.id]

    async def test_what_was_offered_lately_is_found_by_its_values_with_when_that_was(
        self, journalled: Journalled
    ) -> None:
        first, second, third = [await journalled.do(name_gm) for _ in range(3)]
        for one in (first, second, third):
            await journalled.store.run(partial(add_offers, one.id))
        await journalled.store.run(lambda tx: tx.close_follow_ups(HERE, second.id, "b", third.id))

        async def found(*values: str, among: int, besides: Sequence[EntryId] = ()) -> list[object]:
            offered = await journalled.store.read(
                lambda reader: reader.offered(HERE, first.campaign, values, among=among, besides=besides)
            )
            return [(at, body["label"]) for at, body in offered]

        assert await found("third", among=2) == [(second.at, "third"), (third.at, "third")]
        assert await found("third", among=1, besides=[first.id, third.id]) == [
            (first.at, "third"),
            (third.at, "third"),
        ]
        assert await found("thir", among=9) == []
        assert await found("third", "first", among=9) == []


class TestDraft:
    async def test_a_person_has_one_draft_in_a_campaign_and_the_newest_counts(
        self, journalled: Journalled
    ) -> None:
        draft = DraftRecord(server=HERE, campaign=DUSK, person=ANN, step="name", answers={"name": "Mira"})
        first = await journalled.store.run(lambda tx: tx.save_draft(draft))
        other = await journalled.store.run(lambda tx: tx.save_draft(replace(draft, person=BEN)))
        second = await journalled.store.run(lambda tx: tx.save_draft(replace(draft, step="might")))

        assert len({first, second, other}) == 3
        assert await journalled.store.read(lambda reader: reader.draft(HERE, first)) is None
        kept = await journalled.store.read(lambda reader: reader.draft_of(HERE, DUSK, ANN))
        assert kept == replace(draft, id=second, step="might")

    async def test_a_draft_keeps_its_id_and_can_be_discarded(self, journalled: Journalled) -> None:
        draft = DraftRecord(server=HERE, campaign=DUSK, person=ANN, step="name", answers={})
        id_ = await journalled.store.run(lambda tx: tx.save_draft(draft))

        later = replace(draft, id=id_, step="might", answers={"name": "Mira"})
        assert await journalled.store.run(lambda tx: tx.save_draft(later)) == id_
        assert await journalled.store.read(lambda reader: reader.draft(HERE, id_)) == later

        await journalled.store.run(lambda tx: tx.drop_draft(HERE, id_))
        assert await journalled.store.read(lambda reader: reader.draft_of(HERE, DUSK, ANN)) is None
