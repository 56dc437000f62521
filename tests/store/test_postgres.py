"""What only PostgreSQL does: locks, lost connections, and a schema that can be distributed by server."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import psycopg
import pytest

from bot.store.connection import AlreadyDone, NameTaken, StoreUnavailable
from bot.store.postgres.impatient_link import outage
from bot.store.postgres.patience import Patience
from bot.store.postgres.postgres_connection import PostgresWriting, for_postgres
from bot.store.postgres.postgres_migrations import postgres_steps
from bot.store.postgres.postgres_store import CONNECTIONS, PostgresStore, committed
from bot.store.postgres.server_turns import ServerTurns, UnitTurn
from bot.store.records import EntryRecord, FollowUpRecord, ServerId
from bot.store.transaction import Store, StoreObserver, StoreWork, Transaction, open_store
from tests.faults.spending import DUSK, make_mira, spend, spent
from tests.paces import IMPATIENT, PATIENT
from tests.store.postgres_server import END_BOTS, new_database, restart, stopped, url_of
from tests.store.rows import ELSEWHERE, HERE, Heard, a_countdown, an_entry


@pytest.fixture
def url(postgres: Path) -> str:
    """The address of a new, empty database."""
    return new_database(postgres)


@pytest.fixture
def patience() -> Patience:
    """How long units wait: so long that no machine is too slow."""
    return PATIENT


@pytest.fixture
async def store(url: str, patience: Patience) -> AsyncIterator[Store]:
    """A store with Mira, character 1 of Dusk."""
    opened = await open_store(url, patience)
    await opened.run(make_mira)
    yield opened
    await opened.close()


@pytest.fixture
async def other(store: Store, url: str, patience: Patience) -> AsyncIterator[Store]:
    """The store of another process on the same database."""
    opened = await open_store(url, patience)
    yield opened
    await opened.close()


@pytest.fixture
def link(store: Store, url: str) -> Iterator["psycopg.Connection[tuple[Any, ...]]"]:
    """A connection of an operator."""
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


def an_offer(entry: EntryRecord) -> FollowUpRecord:
    return FollowUpRecord(server=HERE, campaign=DUSK, entry=entry.id, body={}, group="again")


async def round_trips(store: Store, unit: Callable[[Transaction], None], folder: Path) -> int:
    """How often a unit waits for the server."""
    assert isinstance(store, PostgresStore)
    trace = folder / "trace"
    with store._pool.connection() as link, trace.open("w") as file:
        link.pgconn.trace(file.fileno())
        turn = UnitTurn(ServerTurns())
        committed(PostgresWriting(link, store._memories, turn, StoreObserver()), unit)
        link.pgconn.untrace()
    return trace.read_text().count("ReadyForQuery")


class TestSeveralProcesses:
    async def test_units_of_one_server_run_one_after_the_other(self, store: Store, other: Store) -> None:
        entries = await asyncio.gather(
            *(store.run(partial(spend, interaction=f"spend {one}")) for one in range(10)),
            *(other.run(partial(spend, interaction=f"other {one}")) for one in range(10)),
        )

        assert await spent(store) == 20
        assert len({entry.id for entry in entries}) == 20

    async def test_waiting_for_a_turn_and_for_a_row_is_reported(self, store: Store) -> None:
        is_over = Event()

        class Releasing(Heard):
            def during(self, work: StoreWork) -> AbstractContextManager[None]:
                if work == "turn":
                    is_over.set()
                return super().during(work)

        store.observer = heard = Releasing()

        def busy(tx: Transaction) -> bool:
            tx.campaigns(HERE)
            return is_over.wait(60)

        assert await asyncio.gather(*(store.run(busy) for _ in range(2))) == [True, True]
        assert sorted(heard.works) == ["row", "row", "turn", "write", "write"]

    async def test_an_interaction_handled_by_both_counts_once(self, store: Store, other: Store) -> None:
        once = partial(spend, interaction="once")

        first, second = await asyncio.gather(store.run(once), other.run(once))

        assert first.id == second.id
        assert await spent(store) == 1

    async def test_units_of_two_servers_run_side_by_side(self, store: Store) -> None:
        both = Barrier(2, timeout=60)

        def unit(tx: Transaction, server: ServerId) -> int:
            tx.campaigns(server)
            return both.wait()  # each holds its server's row, and waits for the other

        arrived = await asyncio.gather(
            store.run(lambda tx: unit(tx, HERE)), store.run(lambda tx: unit(tx, ELSEWHERE))
        )

        assert sorted(arrived) == [0, 1]

    async def test_a_busy_server_leaves_threads_and_connections_to_others(self, store: Store) -> None:
        is_over = Event()

        def busy(tx: Transaction) -> bool:
            tx.campaigns(HERE)
            return is_over.wait(60)

        many = [asyncio.create_task(store.run(busy)) for _ in range(CONNECTIONS + 2)]
        await asyncio.sleep(0)

        assert await asyncio.wait_for(store.run(lambda tx: tx.campaigns(ELSEWHERE)), 30) == []
        assert not any(one.done() for one in many)
        is_over.set()
        assert await asyncio.gather(*many) == [True] * len(many)

    async def test_cancelled_units_leave_the_turn_to_the_next(self, store: Store) -> None:
        for steps in range(60):
            tasks = [
                asyncio.create_task(store.run(partial(spend, interaction=f"{steps} {one}")))
                for one in range(3)
            ]
            await asyncio.sleep(steps / 10_000)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

        await asyncio.wait_for(store.run(lambda tx: tx.campaigns(HERE)), 60)

    async def test_two_that_open_a_new_database_at_once_prepare_it_once(self, url: str) -> None:
        stores = await asyncio.gather(*(open_store(url, PATIENT) for _ in range(3)))

        with psycopg.connect(url) as link:
            taken = link.execute("SELECT number, name FROM migrations ORDER BY number").fetchall()
        assert taken == [(number, name) for number, name, _sql in postgres_steps()]
        for one in stores:
            await one.close()


class TestLostConnections:
    async def test_a_unit_whose_connection_is_ended_is_repeated_and_counts_once(
        self, store: Store, link: "psycopg.Connection[tuple[Any, ...]]"
    ) -> None:
        tries = 0

        def unit(tx: Transaction) -> EntryRecord:
            nonlocal tries
            tries += 1
            entry = spend(tx, "ended")
            if tries == 1:
                link.execute(END_BOTS)
            return entry

        store.observer = heard = Heard()
        await store.run(unit)

        assert tries == 2
        assert heard.retries == 1
        assert await spent(store) == 1

    async def test_units_that_wait_for_each_other_are_both_done(self, store: Store) -> None:
        both, waited = Barrier(2, timeout=60), set[ServerId]()

        def unit(tx: Transaction, first: ServerId, then: ServerId) -> None:
            tx.campaigns(first)
            if first not in waited:  # the first time
                waited.add(first)
                both.wait()
            tx.campaigns(then)

        await asyncio.gather(
            store.run(lambda tx: unit(tx, HERE, ELSEWHERE)), store.run(lambda tx: unit(tx, ELSEWHERE, HERE))
        )

    async def test_the_store_goes_on_after_a_restart_of_the_server(
        self, store: Store, postgres: Path
    ) -> None:
        await asyncio.gather(*(store.run(lambda tx: tx.campaigns(HERE)) for _ in range(8)))

        restart(postgres)

        await store.run(lambda tx: spend(tx, "after"))
        assert await spent(store) == 1


class TestPatience:
    @pytest.fixture
    def patience(self) -> Patience:
        """As long as the product waits, whose end is what these are about."""
        return IMPATIENT

    async def test_a_stopped_server_is_said_and_the_store_recovers(
        self, store: Store, postgres: Path
    ) -> None:
        with stopped(postgres):
            with pytest.raises(StoreUnavailable, match="cannot be reached"):
                await store.run(lambda tx: spend(tx, "lost"))
            with pytest.raises(StoreUnavailable, match="cannot be reached"):
                await spent(store)

        await store.run(lambda tx: spend(tx, "after"))
        assert await spent(store) == 1

    async def test_a_server_locked_for_long_is_said(
        self, store: Store, link: "psycopg.Connection[tuple[Any, ...]]"
    ) -> None:
        with link.transaction():
            link.execute("SELECT * FROM servers WHERE server_id = %s FOR UPDATE", (HERE,))
            began = time.monotonic()
            ends = await asyncio.gather(
                *(store.run(partial(spend, interaction=f"locked {one}")) for one in range(8)),
                return_exceptions=True,
            )
            assert time.monotonic() - began < 10  # they wait together, each for 1.8
        for error in ends:
            assert isinstance(error, StoreUnavailable)
            assert re.search(r"keeps the database .* locked", error.reason)

        await store.run(lambda tx: spend(tx, "after"))
        assert await spent(store) == 1


class TestRoundTrips:
    async def test_a_unit_locks_with_its_first_question_and_writes_with_the_commit(
        self, other: Store, tmp_path: Path
    ) -> None:
        def check(tx: Transaction, interaction: str) -> None:
            assert tx.entry_of(HERE, interaction) is None  # with the beginning and the lock: 1
            tx.campaign(HERE, DUSK)  # 2
            tx.gms(HERE, DUSK)  # 3
            spend(tx, interaction)  # the character, with three more tables: 7; the session: 8
            entry = tx.add_entry(an_entry(DUSK, f"{interaction} again"))
            tx.add_follow_ups([an_offer(entry), an_offer(entry)])

        assert await round_trips(other, partial(check, interaction="first"), tmp_path) == 9
        assert await round_trips(other, partial(check, interaction="second"), tmp_path) == 2

    async def test_a_unit_that_asks_nothing_costs_nothing(self, store: Store, tmp_path: Path) -> None:
        assert await round_trips(store, lambda _: None, tmp_path) == 0

    async def test_a_unit_reads_what_it_has_just_written(self, store: Store) -> None:
        def unit(tx: Transaction) -> tuple[EntryRecord | None, list[FollowUpRecord]]:
            entry = tx.add_entry(an_entry(DUSK, "read"))
            tx.add_follow_ups([an_offer(entry)])
            return tx.entry_of(HERE, "read"), tx.follow_ups(HERE, entry.id)

        entry, offers = await store.run(unit)

        assert entry is not None
        assert [one.entry for one in offers] == [entry.id]

    async def test_a_write_that_waits_and_is_refused_ends_the_unit(self, store: Store) -> None:
        def unit(tx: Transaction, *, and_reads: bool) -> None:
            spend(tx, "first")
            tx.add_entry(an_entry(DUSK, "first"))
            if and_reads:
                tx.campaigns(HERE)

        for and_reads in (True, False):
            with pytest.raises(AlreadyDone):
                await store.run(partial(unit, and_reads=and_reads))

        assert await spent(store) == 0

    async def test_statements_stay_prepared_through_refusals(self, store: Store) -> None:
        def taken(tx: Transaction, number: int) -> None:
            spend(tx, f"{number} first")
            with pytest.raises(NameTaken):
                tx.save_countdown(a_countdown(DUSK))
            spend(tx, f"{number} second")

        await store.run(
            lambda tx: (tx.save_countdown(a_countdown(DUSK)), tx.add_entry(an_entry(DUSK, "new")))
        )
        for number in range(9):
            await store.run(partial(taken, number=number))
            with pytest.raises(AlreadyDone):
                await store.run(lambda tx: [tx.add_entry(an_entry(DUSK, "new")) for _ in range(3)])

        assert await spent(store) == 18


class TestOpening:
    async def test_a_missing_database_is_said_without_the_password(self, postgres: Path) -> None:
        address = f"postgresql://postgres:hidden@/missing?host={postgres}"

        with pytest.raises(StoreUnavailable) as refused:
            await open_store(address)

        assert 'database "missing" does not exist' in refused.value.reason
        assert "hidden" not in refused.value.reason

    async def test_a_server_that_is_not_there_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(StoreUnavailable, match=f"The database table at {tmp_path} cannot be reached"):
            await open_store(url_of(tmp_path, "table"))

    async def test_an_address_with_a_mistake_is_said_without_repeating_it(self) -> None:
        with pytest.raises(StoreUnavailable) as refused:
            await open_store("postgresql://me:hidden@host/table?no_such_word=1")

        assert refused.value.reason == (
            "A PostgreSQL database has an address like postgresql://user:password@host/name."
        )

    async def test_another_programs_database_is_refused_and_left_alone(self, url: str) -> None:
        with psycopg.connect(url, autocommit=True) as link:
            link.execute("CREATE TABLE theirs (id INTEGER)")

            with pytest.raises(StoreUnavailable, match="is a database of another program"):
                await open_store(url, IMPATIENT)

            assert link.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (
                1,
            )

    async def test_a_newer_database_is_refused(self, store: Store, url: str) -> None:
        with psycopg.connect(url, autocommit=True) as link:
            link.execute("INSERT INTO migrations (number, name, at) VALUES (9999, 'later', 0)")

        with pytest.raises(StoreUnavailable, match="has schema 9999, but this program knows only up to"):
            await open_store(url, IMPATIENT)


class TestOutages:
    @pytest.mark.parametrize(
        ("state", "said"),
        [
            ("08006", r"cannot be reached \(why\): check that it runs and has a connection left, and"),
            ("25P04", r"takes too long \(why\): look for what slows its server down"),
            ("28P01", r"refuses the bot \(why\): mend the user or the password in its address"),
            ("XX000", r"failed \(why\): see its server's log"),
            ("XX001", r"is damaged \(why\): stop the bot and restore a backup"),
        ],
    )
    def test_an_error_of_the_server_is_said_with_what_to_do(self, state: str, said: str) -> None:
        meaning = outage(psycopg.errors.lookup(state)("why"), "table at host")

        assert meaning is not None
        assert re.search(f"The database table at host {said}", meaning.reason)

    def test_a_mistake_of_ours_is_no_outage(self) -> None:
        assert outage(psycopg.errors.UndefinedColumn("why"), "table at host") is None


class TestSchema:
    def test_every_text_is_compared_byte_by_byte(self, store: Store, link: Any) -> None:
        found = link.execute("""
            SELECT table_name, column_name FROM information_schema.columns
            WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
        """)

        assert [row for row in found if row[0] != "migrations"] == []


class TestStatements:
    @pytest.mark.parametrize(
        ("statement", "text", "server_at"),
        [
            ("SELECT 1 FROM gms WHERE server_id = ?", b"SELECT 1 FROM gms WHERE server_id = %s", 0),
            ("UPDATE a SET b = ? WHERE server_id = ?", b"UPDATE a SET b = %s WHERE server_id = %s", 1),
            (
                "INSERT INTO a (b, server_id) VALUES (?, ?)",
                b"INSERT INTO a (b, server_id) VALUES (%s, %s)",
                1,
            ),
            ("INSERT INTO meta (key) VALUES (?)", b"INSERT INTO meta (key) VALUES (%s)", None),
            ("SELECT a WHERE b LIKE ? || '/%'", b"SELECT a WHERE b ILIKE %s || '/%%'", None),
            ("SELECT a WHERE instr(b, ?) > 0", b"SELECT a WHERE strpos(b, %s) > 0", None),
            (
                "SELECT group_concat(a.b) FROM a",
                b"SELECT string_agg(CAST(a.b AS TEXT), ',' ORDER BY a.b) FROM a",
                None,
            ),
        ],
    )
    def test_a_statement_is_put_into_postgresqls_words_and_tells_its_server(
        self, statement: str, text: bytes, server_at: int | None
    ) -> None:
        put = for_postgres(statement)

        assert (put.text, put.server_at) == (text, server_at)

    @pytest.mark.parametrize(
        ("statement", "tables", "can_wait"),
        [
            ("SELECT a FROM b JOIN c ON b.d = c.d WHERE e IN (SELECT e FROM f)", {"b", "c", "f"}, False),
            ("INSERT INTO entries (id) VALUES (?)", {"entries"}, True),
            ("INSERT INTO boards (id) VALUES (?) ON CONFLICT (id) DO UPDATE SET a = 1", {"boards"}, True),
            ("DELETE FROM due_tasks WHERE id = ? RETURNING id", {"due_tasks"}, False),
            ("UPDATE characters SET sheet = ? WHERE id = ?", {"characters"}, True),
            ("UPDATE characters SET name = ?, sheet = ? WHERE id = ?", {"characters"}, False),
            (
                "DELETE FROM follow_ups WHERE id IN (SELECT id FROM campaigns)",
                {"follow_ups", "campaigns"},
                False,
            ),
        ],
    )
    def test_a_statement_tells_its_tables_and_whether_it_can_wait(
        self, statement: str, tables: set[str], can_wait: bool
    ) -> None:
        put = for_postgres(statement)

        assert (set(put.tables), put.can_wait) == (tables, can_wait)

    async def test_a_query_cannot_write(self, store: Store) -> None:
        with pytest.raises(StoreUnavailable, match="takes no changes"):
            await store.read(lambda reader: reader._one("DELETE FROM meta RETURNING key"))
