"""Undo: all that an entry changed is as it was before, unless something has been built on it since."""

import json
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.store.connection import Contradiction, NameTaken, Overtaken
from bot.store.journalled_tables import from_text, to_text
from bot.store.records import CampaignId, CharacterRecord, EntryId, EntryRecord, JsonObject, ServerId
from bot.store.transaction import Reader, Store, Transaction
from tests.store.contract.worlds import Step, documents, offers, picture, steps
from tests.store.rows import ANN, ELSEWHERE, HERE, Journalled, a_campaign, a_character, a_session, an_entry

CAMPAIGN = CampaignId(1)
SERVERS = count(1_000)  # a server of its own for each example, so that one database serves them all

of_random_play = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


BEGINNING = [
    Step(kind=kind, one=0, other=other, number=1, document={"a": {"b": 1}, "c/d": []})
    for kind, other in (("make campaign", 0), ("make character", 3), ("make character", 5))
]


async def play(store: Store, server: ServerId, unit: list[Step]) -> EntryRecord | None:
    """Run a unit's steps; return None if it was refused and nothing has changed."""

    def run(tx: Transaction) -> EntryRecord:
        for step in unit:
            step.take(tx, server)
        return tx.add_entry(an_entry(CampaignId(1), f"{next(SERVERS)}", server=server))

    try:
        return await store.run(run)
    except (NameTaken, Contradiction):
        return None


class TestRandomPlay:
    @of_random_play
    @given(units=st.lists(st.lists(steps, min_size=1, max_size=3), max_size=8))
    async def test_undoing_entries_in_reverse_order_restores_each_earlier_state(
        self, store: Store, units: list[list[Step]]
    ) -> None:
        server = ServerId(next(SERVERS))
        await play(store, server, BEGINNING)
        journalled = Journalled(store)

        def look(reader: Reader) -> dict[str, Any]:
            return picture(reader, server)

        pictures: list[dict[str, Any]] = []
        entries: list[EntryRecord] = []
        for unit in units:
            before = await store.read(look)
            entry = await play(store, server, unit)
            if entry is None:
                assert await store.read(look) == before
            else:
                pictures.append(before)
                entries.append(entry)
        undos = []
        after = [*pictures[1:], await store.read(look)]
        for entry, before in zip(reversed(entries), reversed(pictures), strict=True):
            undos.append(await journalled.undo(entry))
            assert await store.read(look) == before
        for undo, again in zip(reversed(undos), after, strict=True) if undos else ():
            await journalled.undo(undo)
            assert await store.read(look) == again

    @of_random_play
    @given(
        units=st.lists(st.lists(steps, min_size=1, max_size=2), min_size=1, max_size=8),
        which=st.integers(0, 7),
    )
    async def test_any_entry_can_be_undone_together_with_its_obstacles(
        self, store: Store, units: list[list[Step]], which: int
    ) -> None:
        server = ServerId(next(SERVERS))
        await play(store, server, BEGINNING)
        entries = [entry for unit in units if (entry := await play(store, server, unit)) is not None]
        assume(entries)
        entry = entries[which % len(entries)]

        obstacles = await store.run(lambda tx: everything_built_on(tx, entry))
        undo = await Journalled(store).undo(*obstacles, entry)

        assert undo.changes or not entry.changes

    @of_random_play
    @given(
        units=st.lists(
            st.tuples(st.lists(steps, min_size=1, max_size=3), st.booleans()), min_size=1, max_size=8
        )
    )
    async def test_a_unit_sees_what_earlier_ones_stored_and_nothing_of_those_that_failed(
        self, store: Store, units: list[tuple[list[Step], bool]]
    ) -> None:
        server = ServerId(next(SERVERS))
        await play(store, server, BEGINNING)

        def look(reader: Reader) -> dict[str, Any]:
            return picture(reader, server)

        def fail(tx: Transaction) -> None:
            for step in unit:
                step.take(tx, server)
            look(tx)
            raise ZeroDivisionError

        for unit, succeeds in units:
            if succeeds:
                await play(store, server, unit)
            else:
                with suppress(ZeroDivisionError, NameTaken, Contradiction):
                    await store.run(fail)
            assert await store.run(look) == await store.read(look)


def everything_built_on(tx: Transaction, entry: EntryRecord) -> list[EntryRecord]:
    """Return an entry's obstacles, direct and indirect, latest first."""
    found: dict[int, EntryRecord] = {}
    waiting = [entry]
    while waiting:
        later = [one for one in tx.obstacles(waiting.pop()) if one.id not in found]
        found.update((one.id, one) for one in later)
        waiting += later
    return sorted(found.values(), key=lambda one: one.id, reverse=True)


@pytest.fixture
async def journalled(store: Store) -> Journalled:
    """Campaign 1 with character 1, Mira, whose sheet and resources the tests change."""
    beginning = Journalled(store)
    await beginning.do(lambda tx: tx.save_campaign(a_campaign()))
    mira = a_character(CAMPAIGN, sheet=to_text({"might": 2, "gear": {"rope": 1}}), resources={"luck": (3, 5)})
    await beginning.do(lambda tx: tx.save_character(mira))
    return beginning


async def mira(journalled: Journalled) -> CharacterRecord | None:
    return await journalled.store.read(lambda reader: reader.character(HERE, 1))


def with_sheet(sheet: JsonObject) -> Callable[[Transaction], object]:
    return lambda tx: tx.save_character(
        a_character(CAMPAIGN, id=1, sheet=to_text(sheet), resources={"luck": (3, 5)})
    )


def with_luck(luck: int) -> Callable[[Transaction], object]:
    def change(tx: Transaction) -> None:
        character = tx.character(HERE, 1)
        assert character is not None
        tx.save_character(replace(character, resources={"luck": (luck, 5)}))

    return change


class TestPartOfAnEntry:
    async def test_part_of_an_entry_can_be_reverted_and_the_rest_stays(self, journalled: Journalled) -> None:
        paid: list[int] = []

        def pay_and_suffer(tx: Transaction) -> None:
            with_luck(1)(tx)
            paid.append(tx.changes_so_far())
            character = tx.character(HERE, 1)
            assert character is not None
            tx.save_character(replace(character, sheet=to_text({"might": 1})))

        entry = await journalled.do(pay_and_suffer)
        await journalled.do(lambda tx: tx.take_back(HERE, entry.changes[paid[0] :]))

        character = await mira(journalled)
        assert character is not None
        assert from_text(character.sheet) == {"might": 2, "gear": {"rope": 1}}
        assert character.resources == {"luck": (1, 5)}

    async def test_part_of_an_entry_changed_since_cannot_be_reverted(self, journalled: Journalled) -> None:
        entry = await journalled.do(with_luck(1))
        await journalled.do(with_luck(4))

        with pytest.raises(Overtaken):
            await journalled.do(lambda tx: tx.take_back(HERE, entry.changes))


class TestOneField:
    async def test_an_undo_of_one_field_of_a_sheet_leaves_the_others_as_they_are_now(
        self, journalled: Journalled
    ) -> None:
        stronger = await journalled.do(with_sheet({"might": 3, "gear": {"rope": 1}}))
        await journalled.do(with_sheet({"might": 3, "gear": {"rope": 1, "lamp": 2}}))

        await journalled.undo(stronger)

        character = await mira(journalled)
        assert character is not None
        assert from_text(character.sheet) == {"might": 2, "gear": {"rope": 1, "lamp": 2}}

    async def test_a_list_is_one_field(self, journalled: Journalled) -> None:
        entry = await journalled.do(with_sheet({"might": 2, "gear": {"rope": 1}, "notes": ["a", "b"]}))
        await journalled.do(with_sheet({"might": 2, "gear": {"rope": 1}, "notes": ["a", "b", "c"]}))

        with pytest.raises(Overtaken):
            await journalled.undo(entry)

    @of_random_play
    @given(before=documents, after=documents)
    async def test_any_document_comes_back_exactly(
        self, store: Store, before: JsonObject, after: JsonObject
    ) -> None:
        server = ServerId(next(SERVERS))
        journalled = Journalled(store)
        made = await journalled.do(
            lambda tx: tx.save_campaign(a_campaign(server=server)), server=server, interaction="made"
        )
        campaign = CampaignId(int(str(made.changes[0].key["id"])))

        async def keep(body: JsonObject, interaction: str) -> EntryRecord:
            return await journalled.do(
                lambda tx: tx.save_document(server, campaign, "deck", body),
                server=server,
                interaction=interaction,
            )

        async def kept() -> str:
            body = await store.read(lambda reader: reader.document(server, campaign, "deck"))
            return json.dumps(body, sort_keys=True)

        await keep(before, "first")
        as_kept_first = await kept()
        entry = await keep(after, "second")
        await journalled.undo(entry)

        assert await kept() == as_kept_first


class TestOvertaken:
    async def test_an_entry_changed_since_is_not_reverted_at_all(self, journalled: Journalled) -> None:
        def spend(tx: Transaction) -> None:
            with_luck(2)(tx)
            tx.save_document(HERE, CAMPAIGN, "deck", {"cards": 53})

        spent = await journalled.do(spend)
        await journalled.do(with_luck(1))

        with pytest.raises(Overtaken):
            await journalled.undo(spent)

        character = await mira(journalled)
        assert character is not None
        assert character.resources == {"luck": (1, 5)}
        assert await journalled.store.read(lambda reader: reader.document(HERE, CAMPAIGN, "deck")) == {
            "cards": 53
        }

    async def test_an_entry_can_be_undone_once_the_later_one_is_undone(self, journalled: Journalled) -> None:
        spent = await journalled.do(with_luck(2))
        again = await journalled.do(with_luck(1))

        await journalled.undo(again)
        await journalled.undo(spent)

        character = await mira(journalled)
        assert character is not None
        assert character.resources == {"luck": (3, 5)}

    async def test_a_name_that_another_has_taken_meanwhile_cannot_come_back(
        self, journalled: Journalled
    ) -> None:
        renamed = await journalled.do(
            lambda tx: tx.save_character(a_character(CAMPAIGN, "Nell", id=1, resources={"luck": (3, 5)}))
        )
        await journalled.do(lambda tx: tx.save_character(a_character(CAMPAIGN, "MIRA")))

        with pytest.raises(Overtaken):
            await journalled.undo(renamed)

    async def test_making_a_character_that_somebody_plays_now_cannot_be_undone(
        self, journalled: Journalled
    ) -> None:
        made = await journalled.do(lambda tx: tx.save_character(a_character(CAMPAIGN, "Nell")))
        await journalled.do(lambda tx: tx.set_current_character(HERE, CAMPAIGN, ANN, 2))

        with pytest.raises(Overtaken):
            await journalled.undo(made)


class TestFollowUps:
    async def test_follow_ups_go_with_their_undone_entry_and_return_with_it(
        self, journalled: Journalled
    ) -> None:
        entry = await journalled.do(with_luck(2))
        await journalled.store.run(lambda tx: tx.add_follow_ups(offers(HERE, CAMPAIGN, entry.id)))
        kept = await journalled.store.read(lambda reader: reader.follow_ups(HERE, entry.id))

        undo = await journalled.undo(entry)
        assert await journalled.store.read(lambda reader: reader.follow_ups(HERE, entry.id)) == []

        await journalled.undo(undo)
        assert await journalled.store.read(lambda reader: reader.follow_ups(HERE, entry.id)) == kept

    async def test_undoing_a_press_opens_its_follow_up_again(self, journalled: Journalled) -> None:
        entry = await journalled.do(with_luck(2))
        await journalled.store.run(lambda tx: tx.add_follow_ups(offers(HERE, CAMPAIGN, entry.id)))
        kept = await journalled.store.read(lambda reader: reader.follow_ups(HERE, entry.id))
        pressed = await self.press(journalled, entry)

        undo = await journalled.undo(pressed)
        assert await journalled.store.read(lambda reader: reader.follow_ups(HERE, entry.id)) == kept

        await journalled.undo(undo)
        closed = await journalled.store.read(lambda reader: reader.follow_ups(HERE, entry.id))
        assert [one.closed_by for one in closed] == [pressed.id, pressed.id, None]

    async def test_an_entry_with_a_pressed_follow_up_cannot_be_undone_alone(
        self, journalled: Journalled
    ) -> None:
        entry = await journalled.do(with_luck(2))
        await journalled.store.run(lambda tx: tx.add_follow_ups(offers(HERE, CAMPAIGN, entry.id)))
        pressed = await self.press(journalled, entry)

        assert await journalled.store.run(lambda tx: tx.obstacles(entry)) == [pressed]
        with pytest.raises(Overtaken):
            await journalled.undo(entry)
        await journalled.undo(pressed, entry)

        character = await mira(journalled)
        assert character is not None
        assert character.resources == {"luck": (3, 5)}

    async def test_pressing_again_after_an_undo_blocks_the_undo_of_that_undo(
        self, journalled: Journalled
    ) -> None:
        entry = await journalled.do(with_luck(2))
        await journalled.store.run(lambda tx: tx.add_follow_ups(offers(HERE, CAMPAIGN, entry.id)))
        undo = await journalled.undo(await self.press(journalled, entry))
        pressed_again = await self.press(journalled, entry)

        assert await journalled.store.run(lambda tx: tx.obstacles(undo)) == [pressed_again]
        with pytest.raises(Overtaken):
            await journalled.undo(undo)

    async def press(self, journalled: Journalled, entry: EntryRecord) -> EntryRecord:
        """Press the first group of an entry's follow-ups, which only closes it."""
        done = await journalled.do(lambda tx: None, kind="pressed")
        await journalled.store.run(lambda tx: tx.close_follow_ups(HERE, entry.id, "a", done.id))
        return done


class TestSession:
    async def test_undoing_an_end_lets_the_session_run_with_its_old_activity(
        self, journalled: Journalled
    ) -> None:
        await journalled.do(lambda tx: tx.save_session(a_session(CAMPAIGN)), at=2000)
        ended = await journalled.do(
            lambda tx: tx.save_session(a_session(CAMPAIGN, ended_at=9000, active_at=8000))
        )

        await journalled.undo(ended)

        session = await journalled.store.read(lambda reader: reader.open_session(HERE, CAMPAIGN))
        assert session == a_session(CAMPAIGN, active_at=8000)

    async def test_an_end_cannot_be_undone_while_the_next_session_runs(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_session(a_session(CAMPAIGN)))
        ended = await journalled.do(lambda tx: tx.save_session(a_session(CAMPAIGN, ended_at=9000)))
        started = await journalled.do(lambda tx: tx.save_session(a_session(CAMPAIGN, 2)))

        assert await journalled.store.run(lambda tx: tx.obstacles(ended)) == [started]
        with pytest.raises(Overtaken):
            await journalled.undo(ended)


DUSK = CampaignId(1)


def character(might: int, wits: int) -> CharacterRecord:
    return a_character(DUSK, id=1, sheet=to_text({"might": might, "wits": wits}), resources={"luck": (3, 5)})


async def in_the_way(dusk: Journalled, entry: EntryRecord) -> list[EntryId]:
    return [one.id for one in await dusk.store.run(lambda tx: tx.obstacles(entry))]


@pytest.fixture
async def dusk(store: Store) -> Journalled:
    """The campaign Dusk."""
    beginning = Journalled(store)
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Dusk")))
    return beginning


@pytest.fixture
async def made(dusk: Journalled) -> EntryRecord:
    """The entry that made character 1."""
    return await dusk.do(lambda tx: tx.save_character(replace(character(might=2, wits=2), id=0)))


class TestObstacles:
    """Obstacles to undoing an entry."""

    async def test_later_changes_of_the_same_field_are_obstacles_latest_first(
        self, dusk: Journalled, made: EntryRecord
    ) -> None:
        first = await dusk.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        second = await dusk.do(lambda tx: tx.save_character(character(might=4, wits=2)))
        third = await dusk.do(lambda tx: tx.save_character(character(might=5, wits=2)))

        assert await in_the_way(dusk, first) == [third.id, second.id]
        assert await in_the_way(dusk, made) == [third.id, second.id, first.id]
        assert await in_the_way(dusk, third) == []

    async def test_changes_of_another_field_are_no_obstacle(
        self, dusk: Journalled, made: EntryRecord
    ) -> None:
        first = await dusk.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        await dusk.do(lambda tx: tx.save_character(character(might=3, wits=3)))

        assert await in_the_way(dusk, first) == []

    async def test_neither_an_undone_entry_nor_its_undo_is_an_obstacle(
        self, dusk: Journalled, made: EntryRecord
    ) -> None:
        first = await dusk.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        second = await dusk.do(lambda tx: tx.save_character(character(might=4, wits=2)))
        await dusk.undo(second)

        assert await in_the_way(dusk, first) == []

    async def test_an_undo_is_no_obstacle_to_what_it_undid(self, dusk: Journalled, made: EntryRecord) -> None:
        first = await dusk.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        await dusk.undo(first)

        assert await in_the_way(dusk, first) == []

    @pytest.mark.parametrize(
        "build",
        [
            lambda tx: tx.save_character(replace(character(2, 2), timers={"poison": 60})),
            lambda tx: tx.set_current_character(HERE, DUSK, ANN, 1),
            lambda tx: tx.save_character(replace(character(2, 2), is_retired=True)),
        ],
        ids=["a timer", "being played", "retiring"],
    )
    async def test_entries_that_refer_to_a_thing_block_the_undo_of_making_it(
        self, dusk: Journalled, made: EntryRecord, build: Callable[[Transaction], object]
    ) -> None:
        built = await dusk.do(build)

        assert await in_the_way(dusk, made) == [built.id]

    async def test_naming_a_gm_blocks_the_undo_of_making_the_campaign(self, dusk: Journalled) -> None:
        dawn = await dusk.do(lambda tx: tx.save_campaign(a_campaign("Dawn")))
        named = await dusk.do(lambda tx: tx.set_gm(HERE, CampaignId(2), ANN, is_gm=True))

        assert await in_the_way(dusk, dawn) == [named.id]

    async def test_a_name_taken_meanwhile_is_an_obstacle(self, dusk: Journalled, made: EntryRecord) -> None:
        retired = await dusk.do(lambda tx: tx.save_character(replace(character(2, 2), is_retired=True)))
        namesake = await dusk.do(lambda tx: tx.save_character(a_character(DUSK, "MIRA")))

        assert await in_the_way(dusk, retired) == [namesake.id]

    async def test_a_change_of_a_cap_is_an_obstacle_to_its_resource(
        self, dusk: Journalled, made: EntryRecord
    ) -> None:
        spent = await dusk.do(
            lambda tx: tx.save_character(replace(character(2, 2), resources={"luck": (1, 5)}))
        )
        lowered = await dusk.do(
            lambda tx: tx.save_character(replace(character(2, 2), resources={"luck": (1, 3)}))
        )

        assert await in_the_way(dusk, spent) == [lowered.id]

    async def test_a_change_in_another_server_is_no_obstacle(
        self, dusk: Journalled, made: EntryRecord
    ) -> None:
        await dusk.do(lambda tx: tx.save_campaign(a_campaign(server=ELSEWHERE)), server=ELSEWHERE, campaign=3)

        assert await in_the_way(dusk, replace(made, server=ELSEWHERE)) == []

    async def test_an_undo_of_an_earlier_entry_that_changed_the_same_is_an_obstacle(
        self, dusk: Journalled, made: EntryRecord
    ) -> None:
        spent = await dusk.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        back = await dusk.do(lambda tx: tx.save_character(character(might=2, wits=2)))
        again = await dusk.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        undo = await dusk.undo(spent)  # might is what it left, so the store allows it

        assert await in_the_way(dusk, back) == [undo.id, again.id]

    async def test_an_undo_of_several_that_reverted_only_later_changes_is_no_obstacle(
        self, dusk: Journalled, made: EntryRecord
    ) -> None:
        early = await dusk.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        bystander = await dusk.do(lambda tx: tx.save_document(HERE, DUSK, "deck", {"cards": 5}))

        def both(tx: Transaction) -> None:
            tx.save_character(character(might=4, wits=2))
            tx.save_document(HERE, DUSK, "deck", {"cards": 4})

        late = await dusk.do(both)
        await dusk.undo(late, early)

        assert await in_the_way(dusk, bystander) == []
