"""Which commands a server should have, and how the bot finds out where that has changed."""

import sqlite3
import tracemalloc

import pytest

from bot.rules import rulesets
from bot.rules.rpj.module.module import Pack
from bot.store.records import ServerId
from bot.store.sqlite import SqliteStore
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns, registered_commands
from bot.table.campaigns.registered_commands import WEEK_SECONDS, kept
from tests.table.conftest import HOME, MORNING, Clock, Person

SERVERS = 10_000
VERSIONS = {"post_magic_maid": "v1"}
COPIES = """
WITH RECURSIVE other(id) AS (SELECT 10000 UNION ALL SELECT id + 1 FROM other WHERE id < 10000 + ? - 2)
"""


@pytest.fixture
def table(table: Table) -> Table:
    """The table with the real games."""
    return Table(store=table.store, games=rulesets(), now=table.now, new_secret=table.new_secret)


async def needs_of(table: Table) -> list[str]:
    wish = await registered_commands.wanted(table, HOME, VERSIONS)
    assert wish is not None
    return sorted(wish.needs)


class TestNeeds:
    async def test_a_server_needs_the_games_of_its_open_campaigns(self, table: Table, gm: Person) -> None:
        await campaigns.create(table, gm.asks(), "Post-magic-maid", "Manor")
        await campaigns.create(table, gm.asks(), "Compare Roll", "Docks")
        await campaigns.archive(table, gm.asks(), "Docks")

        assert await needs_of(table) == ["post_magic_maid"]

    async def test_a_server_needs_the_packs_that_are_on_in_a_campaign(self, table: Table, gm: Person) -> None:
        await campaigns.create(table, gm.asks(), "RPJ Core", "Manor")
        await campaign_settings.change_setting(table, gm.asks(), Pack.MONEY, "yes", "Manor")

        assert await needs_of(table) == ["rpj", "rpj/money"]

    def test_what_no_campaign_needs_stays_for_a_week(self) -> None:
        now = MORNING

        first = kept(frozenset({"a"}), {"a": None, "b": None}, now)
        last_second = kept(frozenset({"a"}), first, now + WEEK_SECONDS - 1)

        assert first == {"a": None, "b": now}
        assert last_second == first
        assert kept(frozenset({"a"}), first, now + WEEK_SECONDS) == {"a": None}
        assert kept(frozenset({"a", "b"}), first, now + 5) == {"a": None, "b": None}


class TestLookingForChanges:
    async def test_one_query_finds_that_nothing_changed_in_ten_thousand_servers(
        self, table: Table, gm: Person
    ) -> None:
        await self.give(table, gm)
        store = table.store
        assert isinstance(store, SqliteStore)
        copy_to_others(store.path)
        statements: list[str] = []
        await store.read(lambda reader: reader._connection.set_trace_callback(statements.append))  # type: ignore[attr-defined]

        found = await registered_commands.outdated(table, VERSIONS)

        assert len(found) == SERVERS
        assert [server for server, is_outdated in found.items() if is_outdated] == []
        assert len([one for one in statements if "SELECT" in one]) == 1

    async def test_f_perf_08_looking_at_ten_thousand_servers_takes_little_memory(
        self, table: Table, gm: Person
    ) -> None:
        await self.give(table, gm)
        assert isinstance(table.store, SqliteStore)
        copy_to_others(table.store.path)
        tracemalloc.start()
        try:
            await registered_commands.outdated(table, VERSIONS)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

        assert most < 4 * 2**20

    async def test_a_changed_campaign_and_a_new_version_are_found(self, table: Table, gm: Person) -> None:
        await self.give(table, gm)
        assert await registered_commands.outdated(table, VERSIONS) == {HOME: False}
        assert await registered_commands.outdated(table, {"post_magic_maid": "v2"}) == {HOME: True}
        assert await registered_commands.outdated(table, {**VERSIONS, "rpj": "v2"}) == {HOME: False}

        await campaigns.archive(table, gm.asks(), "Manor")

        assert await registered_commands.outdated(table, VERSIONS) == {HOME: True}

    async def test_the_end_of_the_week_is_found(self, table: Table, gm: Person, clock: Clock) -> None:
        await self.give(table, gm)
        await campaigns.archive(table, gm.asks(), "Manor")
        wish = await registered_commands.wanted(table, HOME, VERSIONS)
        assert wish is not None
        await registered_commands.note_sent(table, wish, "f", {"maid": 1})
        assert await registered_commands.outdated(table, VERSIONS) == {HOME: False}

        clock.pass_hours(7 * 24)

        assert await registered_commands.outdated(table, VERSIONS) == {HOME: True}

    async def test_a_server_without_campaigns_and_commands_is_never_looked_at(self, table: Table) -> None:
        assert await registered_commands.outdated(table, VERSIONS) == {}
        assert await registered_commands.wanted(table, ServerId(77), VERSIONS) is None

    async def give(self, table: Table, gm: Person) -> None:
        await campaigns.create(table, gm.asks(), "Post-magic-maid", "Manor")
        wish = await registered_commands.wanted(table, HOME, VERSIONS)
        assert wish is not None
        await registered_commands.note_sent(table, wish, "f", {"maid": 1})


def copy_to_others(path: object) -> None:
    """Give many other servers the same campaign and the same commands."""
    with sqlite3.connect(str(path)) as connection:
        for table, columns in (
            (
                "campaigns",
                "id, name, name_key, ruleset, settings, clock, gm_role, is_default, is_archived, created_at",
            ),
            ("server_commands", "seen, fingerprint, ids, needs"),
        ):
            connection.execute(
                f"{COPIES} INSERT INTO {table} (server_id, {columns}) "
                f"SELECT other.id, {', '.join(f'mine.{one.strip()}' for one in columns.split(','))} "
                f"FROM other, {table} AS mine WHERE mine.server_id = {HOME}",
                (SERVERS,),
            )
    connection.close()
