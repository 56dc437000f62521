"""Obstacles to an undo: whatever was built on an entry since."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.store.journalled_tables import to_text
from bot.store.records import CampaignId, CharacterRecord, EntryId, EntryRecord
from bot.store.store import Store
from bot.store.transaction import Transaction
from tests.store.rows import ANN, ELSEWHERE, HERE, Journalled, a_campaign, a_character

DUSK = CampaignId(1)


def character(might: int, wits: int) -> CharacterRecord:
    return a_character(DUSK, id=1, sheet=to_text({"might": might, "wits": wits}), resources={"luck": (3, 5)})


async def in_the_way(journalled: Journalled, entry: EntryRecord) -> list[EntryId]:
    return [one.id for one in await journalled.store.run(lambda tx: tx.obstacles(entry))]


@pytest.fixture
async def journalled(store: Store) -> Journalled:
    """The campaign Dusk."""
    beginning = Journalled(store)
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Dusk")))
    return beginning


@pytest.fixture
async def made(journalled: Journalled) -> EntryRecord:
    """The entry that made character 1."""
    return await journalled.do(lambda tx: tx.save_character(replace(character(might=2, wits=2), id=0)))


class TestObstacles:
    """Obstacles to undoing an entry."""

    async def test_later_changes_of_the_same_field_are_obstacles_latest_first(
        self, journalled: Journalled, made: EntryRecord
    ) -> None:
        first = await journalled.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        second = await journalled.do(lambda tx: tx.save_character(character(might=4, wits=2)))
        third = await journalled.do(lambda tx: tx.save_character(character(might=5, wits=2)))

        assert await in_the_way(journalled, first) == [third.id, second.id]
        assert await in_the_way(journalled, made) == [third.id, second.id, first.id]
        assert await in_the_way(journalled, third) == []

    async def test_changes_of_another_field_are_no_obstacle(
        self, journalled: Journalled, made: EntryRecord
    ) -> None:
        first = await journalled.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        await journalled.do(lambda tx: tx.save_character(character(might=3, wits=3)))

        assert await in_the_way(journalled, first) == []

    async def test_neither_an_undone_entry_nor_its_undo_is_an_obstacle(
        self, journalled: Journalled, made: EntryRecord
    ) -> None:
        first = await journalled.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        second = await journalled.do(lambda tx: tx.save_character(character(might=4, wits=2)))
        await journalled.undo(second)

        assert await in_the_way(journalled, first) == []

    async def test_an_undo_is_no_obstacle_to_what_it_undid(
        self, journalled: Journalled, made: EntryRecord
    ) -> None:
        first = await journalled.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        await journalled.undo(first)

        assert await in_the_way(journalled, first) == []

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
        self, journalled: Journalled, made: EntryRecord, build: Callable[[Transaction], object]
    ) -> None:
        built = await journalled.do(build)

        assert await in_the_way(journalled, made) == [built.id]

    async def test_naming_a_gm_blocks_the_undo_of_making_the_campaign(self, journalled: Journalled) -> None:
        dawn = await journalled.do(lambda tx: tx.save_campaign(a_campaign("Dawn")))
        named = await journalled.do(lambda tx: tx.set_gm(HERE, CampaignId(2), ANN, is_gm=True))

        assert await in_the_way(journalled, dawn) == [named.id]

    async def test_a_name_taken_meanwhile_is_an_obstacle(
        self, journalled: Journalled, made: EntryRecord
    ) -> None:
        retired = await journalled.do(lambda tx: tx.save_character(replace(character(2, 2), is_retired=True)))
        namesake = await journalled.do(lambda tx: tx.save_character(a_character(DUSK, "MIRA")))

        assert await in_the_way(journalled, retired) == [namesake.id]

    async def test_a_change_of_a_cap_is_an_obstacle_to_its_resource(
        self, journalled: Journalled, made: EntryRecord
    ) -> None:
        spent = await journalled.do(
            lambda tx: tx.save_character(replace(character(2, 2), resources={"luck": (1, 5)}))
        )
        lowered = await journalled.do(
            lambda tx: tx.save_character(replace(character(2, 2), resources={"luck": (1, 3)}))
        )

        assert await in_the_way(journalled, spent) == [lowered.id]

    async def test_a_change_in_another_server_is_no_obstacle(
        self, journalled: Journalled, made: EntryRecord
    ) -> None:
        await journalled.do(
            lambda tx: tx.save_campaign(a_campaign(server=ELSEWHERE)), server=ELSEWHERE, campaign=3
        )

        assert await in_the_way(journalled, replace(made, server=ELSEWHERE)) == []

    async def test_an_undo_of_an_earlier_entry_that_changed_the_same_is_an_obstacle(
        self, journalled: Journalled, made: EntryRecord
    ) -> None:
        spent = await journalled.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        back = await journalled.do(lambda tx: tx.save_character(character(might=2, wits=2)))
        again = await journalled.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        undo = await journalled.undo(spent)  # might is what it left, so the store allows it

        assert await in_the_way(journalled, back) == [undo.id, again.id]

    async def test_an_undo_of_several_that_reverted_only_later_changes_is_no_obstacle(
        self, journalled: Journalled, made: EntryRecord
    ) -> None:
        early = await journalled.do(lambda tx: tx.save_character(character(might=3, wits=2)))
        bystander = await journalled.do(lambda tx: tx.save_document(HERE, DUSK, "deck", {"cards": 5}))

        def both(tx: Transaction) -> None:
            tx.save_character(character(might=4, wits=2))
            tx.save_document(HERE, DUSK, "deck", {"cards": 4})

        late = await journalled.do(both)
        await journalled.undo(late, early)

        assert await in_the_way(journalled, bystander) == []
