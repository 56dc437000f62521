"""Countdowns, boards and news of journal entries in every store."""

import asyncio
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from bot.store.connection import Contradiction, NameTaken, OutOfBounds
from bot.store.records import ALL_SHARDS, BoardRecord, CampaignId, CountdownRecord, Kept, TickRecord
from bot.store.transaction import Store, Transaction
from tests.store.rows import ELSEWHERE, HERE, Journalled, a_campaign, a_character, a_countdown

DUSK, DAWN = CampaignId(1), CampaignId(2)
MIRA = 1

EVIDENCE = a_countdown(
    DUSK,
    "Evidence Planted",
    term="long",
    value=2,
    per_skill=True,
    distinct_skills=2,
    every_seconds=3600,
    since=60,
    is_shared=True,
    links=("check", "assist"),
    consequence="The world knows.",
    note="Not for long.",
    ticks=(TickRecord(steps=1, character=MIRA, skill="Hacking", day=3), TickRecord(steps=1)),
)


@pytest.fixture
async def journalled(store: Store) -> Journalled:
    """The campaigns Dusk, where Mira plays, and Dawn."""
    beginning = Journalled(store)
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Dusk")))
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Dawn")))
    await beginning.do(lambda tx: tx.save_character(a_character(DUSK, "Mira")))
    return beginning


def counting(record: CountdownRecord) -> Callable[[Transaction], object]:
    return lambda tx: tx.save_countdown(record)


def showing(board: BoardRecord) -> Callable[[Transaction], object]:
    return lambda tx: tx.save_board(board)


async def kept(journalled: Journalled, id_: int = 1) -> CountdownRecord | None:
    return await journalled.store.read(lambda reader: reader.countdown(HERE, id_))


class TestCountdown:
    async def test_a_countdown_is_read_back_with_every_tick(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_countdown(EVIDENCE))

        assert await kept(journalled) == replace(EVIDENCE, id=1)

    async def test_a_tick_changes_the_value_and_adds_a_row_and_an_undo_reverts_both(
        self, journalled: Journalled
    ) -> None:
        await journalled.do(lambda tx: tx.save_countdown(EVIDENCE))
        ticks = (*EVIDENCE.ticks, TickRecord(steps=1, skill="Guile"))

        entry = await journalled.do(
            lambda tx: tx.save_countdown(replace(EVIDENCE, id=1, value=3, ticks=ticks))
        )
        ticked = await kept(journalled)
        await journalled.undo(entry)

        assert ticked == replace(EVIDENCE, id=1, value=3, ticks=ticks)
        assert [(one.table, one.before, one.after) for one in entry.changes] == [
            ("countdowns", {"value": 2}, {"value": 3}),
            ("countdown_ticks", None, {"steps": 1, "character_id": None, "skill": "Guile", "day": 0}),
        ]
        assert await kept(journalled) == replace(EVIDENCE, id=1)

    async def test_a_change_of_a_countdowns_links_can_be_undone(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_countdown(EVIDENCE))

        entry = await journalled.do(lambda tx: tx.save_countdown(replace(EVIDENCE, id=1, links=())))
        unlinked = await kept(journalled)
        await journalled.undo(entry)

        assert unlinked == replace(EVIDENCE, id=1, links=())
        assert await kept(journalled) == replace(EVIDENCE, id=1)

    @pytest.mark.parametrize("value", [-1, 5])
    async def test_a_countdowns_value_never_leaves_its_bounds(
        self, journalled: Journalled, value: int
    ) -> None:
        with pytest.raises(OutOfBounds):
            await journalled.do(lambda tx: tx.save_countdown(a_countdown(DUSK, value=value)))

    async def test_changing_an_unknown_countdown_is_refused(self, journalled: Journalled) -> None:
        with pytest.raises(Contradiction):
            await journalled.do(lambda tx: tx.save_countdown(a_countdown(DUSK, id=9)))

    async def test_running_countdowns_of_a_campaign_have_different_names(
        self, journalled: Journalled
    ) -> None:
        await journalled.do(lambda tx: tx.save_countdown(a_countdown(DUSK, "Alarm")))

        with pytest.raises(NameTaken):
            await journalled.do(lambda tx: tx.save_countdown(a_countdown(DUSK, "ALARM ")))
        await journalled.do(lambda tx: tx.save_countdown(a_countdown(DAWN, "Alarm")))
        await journalled.do(lambda tx: tx.save_countdown(a_countdown(DUSK, "Alarm", id=1, status="closed")))
        await journalled.do(lambda tx: tx.save_countdown(a_countdown(DUSK, "Alarm")))

    async def test_a_name_finds_the_running_countdown_else_the_latest(self, journalled: Journalled) -> None:
        async def found() -> int:
            one = await journalled.store.read(lambda reader: reader.countdown_named(HERE, DUSK, "alarm"))
            return 0 if one is None else one.id

        assert await found() == 0
        await journalled.do(lambda tx: tx.save_countdown(a_countdown(DUSK, "Alarm", status="closed")))
        await journalled.do(lambda tx: tx.save_countdown(a_countdown(DUSK, "Alarm")))
        await journalled.do(lambda tx: tx.save_countdown(a_countdown(DUSK, "Alarm", status="resolved")))
        assert await found() == 2

        await journalled.do(lambda tx: tx.drop_countdown(HERE, 2))
        assert await found() == 3

    async def test_running_countdowns_are_listed_oldest_first_and_others_latest_first(
        self, journalled: Journalled
    ) -> None:
        for name, status in (("A", "running"), ("B", "closed"), ("C", "running"), ("D", "resolved")):
            await journalled.do(counting(a_countdown(DUSK, name, status=status)))

        running = await journalled.store.read(lambda reader: reader.countdowns(HERE, DUSK))
        over = await journalled.store.read(lambda reader: reader.countdowns(HERE, DUSK, are_over=True))
        latest = await journalled.store.read(
            lambda reader: reader.countdowns(HERE, DUSK, are_over=True, limit=1)
        )

        assert [[one.name for one in found] for found in (running, over, latest)] == [
            ["A", "C"],
            ["D", "B"],
            ["D"],
        ]

    async def test_removing_one_countdown_of_a_duel_can_be_undone(self, journalled: Journalled) -> None:
        def duel(tx: Transaction) -> None:
            first = tx.save_countdown(EVIDENCE)
            second = tx.save_countdown(a_countdown(DUSK, "Alarm", rival=first))
            tx.save_countdown(replace(EVIDENCE, id=first, rival=second))

        await journalled.do(duel)
        before = [await kept(journalled, id_) for id_ in (1, 2)]

        entry = await journalled.do(lambda tx: tx.drop_countdown(HERE, 1))

        alone = await kept(journalled, 2)
        assert alone is not None
        assert alone.rival is None
        assert await kept(journalled) is None
        await journalled.undo(entry)
        assert [await kept(journalled, id_) for id_ in (1, 2)] == before

    async def test_making_a_character_that_ticked_a_countdown_cannot_be_undone_alone(
        self, journalled: Journalled
    ) -> None:
        made = await journalled.do(lambda tx: tx.save_character(a_character(DUSK, "Bram")))
        tick = TickRecord(steps=1, character=2)
        ticked = await journalled.do(lambda tx: tx.save_countdown(a_countdown(DUSK, ticks=(tick,), value=1)))

        obstacles = await journalled.store.run(lambda tx: tx.obstacles(made))

        assert [one.id for one in obstacles] == [ticked.id]


class TestBoard:
    BOARD = BoardRecord(server=HERE, campaign=DUSK, kind="countdowns", channel=31)

    async def test_a_board_is_saved_changed_and_forgotten_without_an_entry(
        self, journalled: Journalled
    ) -> None:
        posted = replace(self.BOARD, message=77, shown="abc")
        away = replace(self.BOARD, server=ELSEWHERE)
        store = journalled.store

        for board in (self.BOARD, away, posted):
            await store.run(showing(board))
        assert await store.read(lambda reader: reader.board(HERE, DUSK, "countdowns")) == posted
        assert await store.read(lambda reader: reader.every_board("countdowns", ALL_SHARDS)) == [posted, away]
        await store.run(lambda tx: tx.drop_board(HERE, DUSK, "countdowns"))

        assert await store.read(lambda reader: reader.board(HERE, DUSK, "countdowns")) is None
        assert await store.read(lambda reader: reader.every_board("countdowns", ALL_SHARDS)) == [away]
        assert await store.read(lambda reader: reader.every_board("orders", ALL_SHARDS)) == []

    async def test_a_campaigns_boards_are_listed_with_the_kinds_below_a_kind(
        self, journalled: Journalled
    ) -> None:
        below = replace(self.BOARD, kind="orders/12")
        away = replace(below, server=ELSEWHERE)
        beside = replace(self.BOARD, kind="orderly")
        store = journalled.store

        for board in (self.BOARD, below, away, beside):
            await store.run(showing(board))

        assert await store.read(lambda reader: reader.boards(HERE, DUSK)) == [self.BOARD, beside, below]
        assert await store.read(lambda reader: reader.every_board("orders", ALL_SHARDS)) == [below, away]


class TestNews:
    async def test_listeners_are_told_after_the_commit_what_an_entry_changed(
        self, journalled: Journalled
    ) -> None:
        told: list[Kept] = []
        journalled.store.listen(told.append)

        await journalled.do(lambda tx: tx.save_countdown(EVIDENCE))
        await asyncio.sleep(0)

        assert told == [Kept(HERE, DUSK, frozenset({"countdowns", "countdown_ticks"}))]

    async def test_a_stopped_listener_is_told_no_more(self, journalled: Journalled) -> None:
        told: list[Kept] = []
        end = journalled.store.listen(told.append)

        end()
        await journalled.do(lambda tx: tx.save_countdown(EVIDENCE))
        await asyncio.sleep(0)

        assert told == []

    async def test_listeners_are_not_told_of_a_refused_unit(self, journalled: Journalled) -> None:
        told: list[Kept] = []
        journalled.store.listen(told.append)

        with pytest.raises(OutOfBounds):
            await journalled.do(lambda tx: tx.save_countdown(a_countdown(DUSK, value=9)))
        await asyncio.sleep(0)

        assert told == []
