"""What a process remembers of servers on PostgreSQL: never anything but what is stored."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from msgspec.structs import replace

from bot.store.postgres.server_turns import UNKNOWN, ServerMemories
from bot.store.records import (
    CampaignId,
    EntryId,
    EntryRecord,
    FollowUpId,
    FollowUpRecord,
    MessageRecord,
    ServerId,
)
from bot.store.rows import MOST_ANSWERS, MOST_ENTRIES, MOST_REMEMBERED, Memory
from bot.store.transaction import Reader, Store, Transaction, open_store
from tests.paces import PATIENT
from tests.store.postgres_server import prepared_database
from tests.store.rows import (
    ANN,
    BEN,
    ELSEWHERE,
    HERE,
    Journalled,
    a_campaign,
    a_character,
    a_countdown,
    a_session,
    an_entry,
)

DUSK = CampaignId(1)
MADE = EntryId(1)


@pytest.fixture
def url(postgres: Path) -> str:
    """The address of a new, empty database."""
    return prepared_database(postgres)


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """A store that remembers a campaign, a character and what belongs to them."""
    opened = await open_store(url, PATIENT)
    await opened.run(make_table)
    await opened.run(known)
    yield opened
    await opened.close()


@pytest.fixture
async def other(store: Store, url: str) -> AsyncIterator[Store]:
    """The store of another process, which remembers the same."""
    opened = await open_store(url, PATIENT)
    await opened.run(known)
    yield opened
    await opened.close()


def make_table(tx: Transaction) -> EntryRecord:
    tx.save_campaign(a_campaign(is_default=True))
    tx.save_character(a_character(DUSK, resources={"luck": (3, 5)}, wounds={"body": ((0, 2), (0, 2))}))
    tx.save_document(HERE, DUSK, "deck", {"cards": 54})
    tx.save_countdown(a_countdown(DUSK))
    tx.save_session(a_session(DUSK))
    entry = tx.add_entry(an_entry(DUSK, "made", is_secret=True))
    tx.add_follow_ups([an_offer("once"), an_offer("again")])
    return entry


def an_offer(group: str) -> FollowUpRecord:
    return FollowUpRecord(server=HERE, campaign=DUSK, entry=MADE, body={"x": group}, group=group)


def change(tx: Transaction, interaction: str = "changed") -> EntryRecord:
    """Change everything that is known, and offer something."""
    tx.set_gm(HERE, DUSK, ANN, is_gm=True)
    tx.save_campaign(a_campaign("Dawn", id=DUSK, is_default=True))
    counted: dict[str, Any] = {"resources": {"grit": (1, 1), "luck": (1, 5)}, "wounds": {"body": ((1, 2),)}}
    tx.save_character(a_character(DUSK, id=1, timers={"rest": 9}, **counted))
    tx.save_document(HERE, DUSK, "deck", {"cards": 53})
    tx.save_countdown(a_countdown(DUSK, id=1, value=2))
    tx.save_message(MessageRecord(server=HERE, entry=MADE, channel=31, message=len(interaction)))
    entry = tx.add_entry(an_entry(DUSK, interaction, at=2500, shown_in=MADE))
    tx.close_follow_ups(HERE, MADE, "once", entry.id)
    tx.add_follow_ups([an_offer("more")])
    return entry


def set_ben(tx: Transaction, *, is_gm: bool) -> None:
    tx.set_gm(HERE, DUSK, BEN, is_gm=is_gm)


def known(reader: Reader) -> list[object]:
    """Everything, from what is remembered by its key and what by its question."""
    return [
        reader.campaign_at(HERE, [31]),
        reader.campaigns(HERE),
        reader.gms(HERE, DUSK),
        reader.character(HERE, 1),
        reader.characters_with(HERE, [1, 2]),
        reader.characters(HERE, DUSK),
        reader.document(HERE, DUSK, "deck"),
        reader.document_keys(HERE, DUSK),
        reader.character_named(HERE, DUSK, "Mira"),
        reader.character_named(HERE, DUSK, "Nell"),
        reader.character_names(HERE, DUSK),
        reader.character_names(HERE, DUSK, owner=ANN),
        reader.countdowns(HERE, DUSK),
        reader.open_session(HERE, DUSK),
        reader.entries(HERE, DUSK),
        reader.entry_of(HERE, "changed"),
        reader.entry(HERE, MADE),
        reader.message(HERE, MADE),
        reader.shown_in(HERE, MADE),
        reader.follow_ups(HERE, MADE),
        reader.follow_up(HERE, FollowUpId(1)),
        reader.follow_up(HERE, FollowUpId(2)),
    ]


async def seen_anew(url: str) -> list[object]:
    """What a process sees that remembers nothing."""
    fresh = await open_store(url, PATIENT)
    try:
        return await fresh.read(known)
    finally:
        await fresh.close()


@pytest.mark.parametrize("is_asked_before", [True, False])
async def test_a_process_sees_what_it_has_changed(store: Store, url: str, is_asked_before: bool) -> None:
    def unit(tx: Transaction) -> list[object]:
        if is_asked_before:
            known(tx)
        change(tx)
        return known(tx)

    within = await store.run(unit)

    assert within == await store.run(known) == await store.read(known) == await seen_anew(url)


async def test_a_process_sees_what_another_has_changed(store: Store, other: Store, url: str) -> None:
    before = await store.read(known)

    await other.run(change)

    now = await seen_anew(url)
    assert now != before
    assert await store.read(known) == now
    assert await store.run(known) == now


async def test_processes_that_take_turns_see_the_same(store: Store, other: Store, url: str) -> None:
    for turn in range(3):
        await store.run(partial(change, interaction=f"one {turn}"))
        await Journalled(other).do(partial(set_ben, is_gm=turn % 2 == 0), interaction=f"other {turn}")

        assert await store.run(known) == await other.run(known) == await seen_anew(url)


async def test_nothing_stays_of_a_unit_that_failed(store: Store) -> None:
    before = await store.read(known)

    def fail(tx: Transaction) -> None:
        change(tx)
        assert known(tx) != before
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.run(fail)

    assert await store.run(known) == before
    assert await store.read(known) == before


async def test_an_undone_and_a_revealed_entry_are_seen_as_they_are(store: Store, url: str) -> None:
    changed = await store.run(change)
    await store.run(known)

    def undo(tx: Transaction) -> None:
        tx.revert(changed)
        tx.mark_undone(changed, tx.add_entry(an_entry(DUSK, "undone", undoes=changed.id)).id)

    def reveal(tx: Transaction) -> None:
        made = tx.entry(HERE, MADE)
        assert made is not None
        tx.set_revealed(made, [ANN])
        tx.add_entry(an_entry(DUSK, "revealed"))

    for unit in (undo, reveal):
        await store.run(unit)
        assert await store.run(known) == await store.read(known) == await seen_anew(url)


async def test_renamed_and_retired_characters_are_found_by_their_names_only(store: Store, url: str) -> None:
    for name, is_retired in (("Nell", False), ("Nell", True)):
        await Journalled(store).do(
            partial(rename, name=name, is_retired=is_retired), interaction=f"{name} {is_retired}"
        )

        assert await store.run(known) == await store.read(known) == await seen_anew(url)


def rename(tx: Transaction, *, name: str, is_retired: bool) -> None:
    tx.save_character(a_character(DUSK, name, id=1, is_retired=is_retired))


async def test_many_entries_with_their_offers_are_seen_as_they_are(store: Store, url: str) -> None:
    def many(tx: Transaction) -> None:
        for number in range(MOST_ENTRIES):
            entry = tx.add_entry(an_entry(DUSK, f"entry {number}"))
            tx.add_follow_ups([replace(an_offer("once"), entry=entry.id)])

    await store.run(many)

    assert await store.run(known) == await store.read(known) == await seen_anew(url)


async def test_a_purged_server_is_forgotten(store: Store) -> None:
    await store.run(lambda tx: tx.purge_server(HERE))

    assert await store.run(lambda tx: tx.campaigns(HERE)) == []
    assert await store.read(lambda reader: reader.character(HERE, 1)) is None


async def test_what_is_written_by_hand_is_seen_once_the_version_is_0(store: Store, url: str) -> None:
    with psycopg.connect(url) as link:
        link.execute("UPDATE resources SET value = 0")
        link.execute("UPDATE servers SET version = 0")

    assert await store.run(known) == await store.read(known) == await seen_anew(url)


async def test_a_write_that_concerns_no_server_is_refused(store: Store) -> None:
    def unit(tx: Transaction) -> None:
        tx._run("DELETE FROM boards")

    with pytest.raises(PermissionError, match="boards"):
        await store.run(unit)


async def test_a_picture_and_a_long_list_are_read_each_time(store: Store, other: Store) -> None:
    def note(tx: Transaction) -> None:
        tx.save_portrait(HERE, 1, b"picture")
        for number in range(99):
            tx.add_entry(an_entry(DUSK, f"entry {number}"))

    await store.run(note)

    def both(reader: Reader) -> tuple[bytes, int]:
        return reader.portrait(HERE, 1), len(reader.entries(HERE, DUSK))

    assert await store.read(both) == await store.run(both) == await other.run(both) == (b"picture", 100)


async def test_few_answers_to_whatever_people_type_are_remembered(store: Store) -> None:
    def look(tx: Transaction) -> list[int]:
        for number in range(MOST_ANSWERS):
            tx.character_named(HERE, DUSK, f"nobody {number}")
            tx.character_names(HERE, DUSK, contains=f"nobody {number}")
        memory = tx._changes._memories.of(HERE)
        return [len(answers) for answers in (*memory.answers.values(), *memory.asked.values())]

    assert max(await store.run(look)) <= MOST_ANSWERS
    assert await store.run(known) == await store.read(known)


def a_memory(version: int) -> Memory:
    memory = Memory()
    memory.version = version
    return memory


def test_a_server_is_remembered_in_its_version_only() -> None:
    memories = ServerMemories()
    memories.keep(HERE, a_memory(7))
    memories.at(HERE, 7).single["gms", HERE, (1, ANN)] = ()

    assert memories.version(HERE) == 7
    assert memories.at(HERE, 7).single == {}
    kept = memories.at(HERE, 7)
    kept.single["gms", HERE, (1, ANN)] = ()
    memories.keep(HERE, kept)
    assert memories.at(HERE, 7).single == {("gms", HERE, (1, ANN)): ()}
    assert memories.at(HERE, 8).single == {}


def test_a_reader_puts_nothing_in_the_place_of_what_a_writer_knows() -> None:
    memories = ServerMemories()
    memories.keep(HERE, a_memory(7))
    memories.keep(HERE, a_memory(8))

    memories.keep(HERE, a_memory(7), instead_of=7)

    assert memories.version(HERE) == 8


def test_nothing_is_remembered_of_an_unknown_version() -> None:
    memories = ServerMemories()
    memories.keep(HERE, a_memory(UNKNOWN))
    unknown = memories.at(HERE, UNKNOWN)
    unknown.single["gms", HERE, (1, ANN)] = ()

    assert memories.version(HERE) == UNKNOWN
    assert memories.at(HERE, UNKNOWN).single == {}


def test_the_servers_used_last_are_remembered_and_none_with_very_much() -> None:
    memories = ServerMemories(most=2)
    for number in (1, 2, 1, 3):
        memories.keep(ServerId(number), a_memory(number))
    many_rows, many_answers = a_memory(9), a_memory(9)
    many_rows.single.update((("gms", ELSEWHERE, (1, person)), ()) for person in range(MOST_REMEMBERED + 1))
    many_answers.asked[frozenset({"gms"})] = {("asked", one): [] for one in range(MOST_REMEMBERED + 1)}
    for much in (many_rows, many_answers):
        memories.keep(ELSEWHERE, much)

    assert [memories.version(ServerId(number)) for number in (1, 2, 3, ELSEWHERE)] == [1, 0, 3, 0]
