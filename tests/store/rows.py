"""Short ways to make records for tests."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from typing import Any, TypeVar

import psycopg

from bot.store.database_files import path_of
from bot.store.records import (
    CampaignId,
    CampaignRecord,
    CharacterRecord,
    CountdownRecord,
    EntryRecord,
    ServerId,
    SessionRecord,
)
from bot.store.transaction import Store, StoreObserver, StoreWork, Transaction
from tests.databases import columns_of, is_postgres, reading

T = TypeVar("T")

HERE = ServerId(100)
ELSEWHERE = ServerId(200)
ANN, BEN = 11, 12
CHANNEL = 31


def a_campaign(name: str = "Dusk", **other: Any) -> CampaignRecord:
    given: dict[str, Any] = {"server": HERE, "ruleset": "any", "created_at": 1000}
    return CampaignRecord(name=name, **(given | other))


def a_character(campaign: CampaignId, name: str = "Mira", **other: Any) -> CharacterRecord:
    given: dict[str, Any] = {"server": HERE, "owner": ANN, "sheet_version": 1, "sheet": "{}"}
    return CharacterRecord(campaign=campaign, name=name, **(given | other))


def a_session(campaign: CampaignId, number: int = 1, **other: Any) -> SessionRecord:
    given: dict[str, Any] = {"server": HERE, "channel": CHANNEL, "started_at": 2000, "active_at": 2000}
    return SessionRecord(campaign=campaign, number=number, **(given | other))


def a_countdown(campaign: CampaignId, name: str = "Treachery?", **other: Any) -> CountdownRecord:
    given: dict[str, Any] = {"server": HERE, "kind": "success", "side": "players", "difficulty": 4}
    given |= {"visibility": "open", "term": "short"}
    return CountdownRecord(campaign=campaign, name=name, **(given | other))


def an_entry(campaign: CampaignId, interaction: str, **other: Any) -> EntryRecord:
    given: dict[str, Any] = {
        "server": HERE,
        "at": 3000,
        "channel": CHANNEL,
        "person": ANN,
        "person_name": "Ann",
        "kind": "test",
        "told": {},
    }
    return EntryRecord(campaign=campaign, interaction=interaction, **(given | other))


def saving(record: CampaignRecord | CharacterRecord) -> Callable[[Transaction], object]:
    """Return a unit that saves a record."""

    def unit(tx: Transaction) -> object:
        return tx.save_campaign(record) if isinstance(record, CampaignRecord) else tx.save_character(record)

    return unit


class Heard(StoreObserver):
    """Remembers what a store reported of its work.

    Attributes:
        works: What has begun, in order.
        retries: How often a transaction was run again.
    """

    def __init__(self) -> None:
        self.works: list[StoreWork] = []
        self.retries = 0

    def during(self, work: StoreWork) -> AbstractContextManager[None]:
        """Remember a piece of work."""
        self.works.append(work)
        return super().during(work)

    def retried(self) -> None:
        """Count a transaction that is run again."""
        self.retries += 1


class Journalled:
    """Runs units on a store, each with its journal entry."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._done = 0

    async def do(self, change: Callable[[Transaction], object], **about: Any) -> EntryRecord:
        """Run a change and journal it; the entry is in campaign 1 unless *about* says otherwise."""
        self._done += 1
        campaign = CampaignId(about.pop("campaign", 1))
        entry = an_entry(campaign, about.pop("interaction", f"test {self._done}"), **about)

        def unit(tx: Transaction) -> EntryRecord:
            change(tx)
            return tx.add_entry(entry)

        return await self.store.run(unit)

    async def undo(self, *entries: EntryRecord) -> EntryRecord:
        """Undo entries in the given order, with one entry."""
        self._done += 1
        last = entries[-1]
        entry = an_entry(last.campaign, f"test {self._done}", server=last.server, kind="undo", undoes=last.id)

        def unit(tx: Transaction) -> EntryRecord:
            for one in entries:
                tx.revert(one)
            kept = tx.add_entry(entry)
            for one in entries:
                tx.mark_undone(one, kept.id)
            return kept

        return await self.store.run(unit)


NamedRow = tuple[tuple[str, object], ...]

OF_THE_ENGINE = frozenset({"migrations", "sqlite_sequence"})


def every_row(url: str) -> dict[str, list[NamedRow]]:
    """Return the rows of every table, in one order for both engines."""
    tables = {table: sorted(columns) for table, columns in columns_of(url).items()}
    with reading(url) as query:
        return {
            table: sorted(
                (
                    tuple(zip(columns, row, strict=True))
                    for row in query(f"SELECT {', '.join(columns)} FROM {table}")
                ),
                key=repr,
            )
            for table, columns in tables.items()
            if table not in OF_THE_ENGINE
        }


def change(url: str, statement: str) -> None:
    """Run a statement on a database, as an operator might."""
    if is_postgres(url):
        with psycopg.connect(url) as link:
            link.execute(statement.encode())
        return
    with closing(sqlite3.connect(path_of(url))) as connection, connection:
        connection.execute(statement)
