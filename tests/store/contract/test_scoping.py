"""Two servers never see each other."""

from collections.abc import Callable
from itertools import count
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.store.connection import Contradiction, NameTaken
from bot.store.records import (
    BoardRecord,
    DraftRecord,
    DueTask,
    EntryId,
    EntryRecord,
    FavoriteRecord,
    FollowUpId,
    MeetingRecord,
    MessageRecord,
    OwnGameRecord,
    OwnGameVersion,
    SeedRecord,
    ServerCommandsRecord,
    ServerId,
    TickRecord,
)
from bot.store.transaction import Reader, Store, Transaction
from tests.store.contract.worlds import PEOPLE, PLACES, Step, offers, picture, steps
from tests.store.rows import a_campaign, a_character, a_countdown, a_session, an_entry

SERVERS = count(1_000)
BEYOND_SERVERS = {
    "meta",
    "open_sessions",
    "ending_sessions",
    "every_board",
    "due_tasks",
    "commands_states",
    "campaign_rulesets",
    "servers",
}  # about the bot itself; what it does by itself

A_PERSON = 10**17  # about as large as Discord's ids

Query = Callable[[Reader, ServerId, EntryRecord], Any]


def follow_up_of(entry: EntryRecord) -> FollowUpId:
    return FollowUpId(int(str(entry.told["follow_up"])))


def asking(query: Query, server: ServerId, entry: EntryRecord) -> Callable[[Reader], Any]:
    return lambda reader: query(reader, server, entry)


def number(entry: EntryRecord, name: str) -> int:
    return int(str(entry.told[name]))


QUERIES: dict[str, Query] = {
    "campaign": lambda reader, server, entry: reader.campaign(server, entry.campaign),
    "campaigns": lambda reader, server, entry: reader.campaigns(server),
    "campaign_at": lambda reader, server, entry: reader.campaign_at(server, PLACES),
    "places": lambda reader, server, entry: reader.places(server, entry.campaign),
    "gms": lambda reader, server, entry: reader.gms(server, entry.campaign),
    "character": lambda reader, server, entry: reader.character(server, number(entry, "character")),
    "characters_with": lambda reader, server, entry: reader.characters_with(
        server, [number(entry, "character")]
    ),
    "character_name": lambda reader, server, entry: reader.character_name(server, number(entry, "character")),
    "character_named": lambda reader, server, entry: reader.character_named(server, entry.campaign, "Own"),
    "characters": lambda reader, server, entry: reader.characters(server, entry.campaign, with_retired=True),
    "character_names": lambda reader, server, entry: reader.character_names(server, entry.campaign),
    "named_characters": lambda reader, server, entry: reader.named_characters(
        server, entry.campaign, [number(entry, "character")]
    ),
    "current_character": lambda reader, server, entry: reader.current_character(
        server, entry.campaign, PEOPLE[0]
    ),
    "portrait": lambda reader, server, entry: reader.portrait(server, number(entry, "character")),
    "handout_picture": lambda reader, server, entry: reader.handout_picture(server, entry.campaign, "own"),
    "document": lambda reader, server, entry: reader.document(server, entry.campaign, "own"),
    "document_text": lambda reader, server, entry: reader.document_text(server, entry.campaign, "own"),
    "document_keys": lambda reader, server, entry: reader.document_keys(server, entry.campaign),
    "timers_due": lambda reader, server, entry: reader.timers_due(server, entry.campaign, 100),
    "open_session": lambda reader, server, entry: reader.open_session(server, entry.campaign),
    "sessions": lambda reader, server, entry: reader.sessions(server, entry.campaign),
    "seed": lambda reader, server, entry: reader.seed(server, entry.campaign),
    "seeds": lambda reader, server, entry: reader.seeds(server, entry.campaign),
    "countdown": lambda reader, server, entry: reader.countdown(server, number(entry, "countdown")),
    "countdown_named": lambda reader, server, entry: reader.countdown_named(server, entry.campaign, "Own"),
    "countdowns": lambda reader, server, entry: reader.countdowns(server, entry.campaign),
    "boards": lambda reader, server, entry: reader.boards(server, entry.campaign),
    "board": lambda reader, server, entry: reader.board(server, entry.campaign, "own"),
    "entry": lambda reader, server, entry: reader.entry(server, entry.id),
    "entry_of": lambda reader, server, entry: reader.entry_of(server, entry.interaction),
    "entries": lambda reader, server, entry: reader.entries(server, entry.campaign),
    "entries_with": lambda reader, server, entry: reader.entries_with(server, entry.campaign, '"', among=9),
    "changing_entries": lambda reader, server, entry: [
        *reader.changing_entries(server, entry.campaign, among=9)
    ],
    "newest_actions": lambda reader, server, entry: reader.newest_actions(server, entry.campaign, among=9),
    "kinds_used": lambda reader, server, entry: reader.kinds_used(
        server, entry.campaign, with_secret=True, limit=9
    ),
    "entries_by": lambda reader, server, entry: reader.entries_by(server, entry.person),
    "rows_naming": lambda reader, server, entry: reader.rows_naming(server, A_PERSON + entry.server),
    "names_of": lambda reader, server, entry: reader.names_of(server, entry.person),
    "count_actions": lambda reader, server, entry: reader.count_actions(server, entry.campaign, entry.id),
    "action_at": lambda reader, server, entry: reader.action_at(server, entry.campaign, 1),
    "shown_in": lambda reader, server, entry: reader.shown_in(server, EntryId(number(entry, "first"))),
    "message": lambda reader, server, entry: reader.message(server, entry.id),
    "follow_up": lambda reader, server, entry: reader.follow_up(server, follow_up_of(entry)),
    "follow_ups": lambda reader, server, entry: reader.follow_ups(server, entry.id),
    "follow_ups_of": lambda reader, server, entry: reader.follow_ups_of(server, [entry.id]),
    "deadlines": lambda reader, server, entry: reader.deadlines(
        server, entry.campaign, before=EntryId(entry.id + 1), among=9
    ),
    "entries_owing": lambda reader, server, entry: reader.entries_owing(
        server, entry.campaign, among=99, limit=9
    ),
    "offered": lambda reader, server, entry: reader.offered(
        server, entry.campaign, (), among=9, besides=[entry.id]
    ),
    "favorites": lambda reader, server, entry: reader.favorites(server, number(entry, "character")),
    "meeting": lambda reader, server, entry: reader.meeting(server, entry.campaign),
    "meetings": lambda reader, server, entry: reader.meetings(server),
    "commands_state": lambda reader, server, entry: reader.commands_state(server).record,
    "due_task": lambda reader, server, entry: reader.due_task(server, "own", entry.id),
    "due_tasks_of": lambda reader, server, entry: reader.due_tasks_of(server, "own", 5000),
    "draft": lambda reader, server, entry: reader.draft(server, number(entry, "draft")),
    "own_game": lambda reader, server, entry: reader.own_game(server, f"own{entry.server}"),
    "own_games": lambda reader, server, entry: reader.own_games(server),
    "own_versions_used": lambda reader, server, entry: reader.own_versions_used(server, entry.campaign),
    "own_version": lambda reader, server, entry: reader.own_version(server, f"hash{entry.server}"),
    "draft_of": lambda reader, server, entry: reader.draft_of(server, entry.campaign, PEOPLE[0]),
}


def fill(tx: Transaction, server: ServerId, play: list[Step]) -> EntryRecord:
    """Fill a server with one of everything, and with whatever *play* adds."""
    campaign = tx.save_campaign(a_campaign("Own", server=server, is_default=True))
    tx.bind(server, PLACES[0], campaign)
    tx.set_gm(server, campaign, PEOPLE[0], is_gm=True)
    character = tx.save_character(a_character(campaign, "Own", server=server, timers={"own": 1}))
    tx.set_current_character(server, campaign, PEOPLE[0], character)
    tx.save_portrait(server, character, b"own")
    tx.save_document(server, campaign, "own", {})
    tx.save_document(server, campaign, "notes", {"by": A_PERSON + server})
    tx.save_handout_picture(server, campaign, "own", b"own")
    tx.save_session(a_session(campaign, 99, server=server))
    tx.save_seed(SeedRecord(server=server, campaign=campaign, number=1, secret=b"s" * 32, commitment="c"))
    draft = DraftRecord(server=server, campaign=campaign, person=PEOPLE[0], step="name", answers={})
    tick = TickRecord(steps=1, character=character)
    countdown = tx.save_countdown(a_countdown(campaign, "Own", server=server, value=1, ticks=(tick,)))
    tx.save_board(BoardRecord(server=server, campaign=campaign, kind="own", channel=PLACES[0]))
    told = {"character": character, "countdown": countdown, "draft": tx.save_draft(draft), "follow_up": 0}
    first = tx.add_entry(an_entry(campaign, f"first {server}", server=server))
    tx.set_revealed(first, PEOPLE[:1])
    kept = tx.add_follow_ups(offers(server, campaign, first.id))
    told["follow_up"], told["first"] = kept[0], first.id
    for step in play:
        try:
            step.take(tx, server)
        except (NameTaken, Contradiction):
            continue
    last = tx.add_entry(
        an_entry(
            campaign,
            f"last {server}",
            server=server,
            person=server,
            told=dict(told),
            shown_in=first.id,
            rolls=[f"hash{server}"],
        )
    )
    tx.add_follow_ups(offers(server, campaign, last.id))
    tx.save_message(MessageRecord(server=server, entry=last.id, channel=PLACES[0], message=7))
    tx.save_favorite(FavoriteRecord(server=server, character=character, name="Own", body={}))
    tx.save_meeting(MeetingRecord(server=server, campaign=campaign, body={"name": "own"}))
    tx.save_own_game(OwnGameRecord(server=server, key=f"own{server}", hash=f"hash{server}", version=1))
    tx.save_own_version(OwnGameVersion(server=server, hash=f"hash{server}", text="own"))
    tx.save_due_task(DueTask(server=server, kind="own", id=last.id, due=5000))
    tx.save_server_commands(
        ServerCommandsRecord(server=server, seen="s", fingerprint="f", ids={"own": 1}, needs={"toy": None})
    )
    return last


class TestReading:
    def test_every_query_is_covered_by_these_tests(self) -> None:
        offered = {name for name in dir(Reader) if not name.startswith("_")}

        assert offered - BEYOND_SERVERS == set(QUERIES)

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(play=st.lists(steps, max_size=6))
    async def test_no_query_finds_another_servers_rows(self, store: Store, play: list[Step]) -> None:
        full, empty = ServerId(next(SERVERS)), ServerId(next(SERVERS))
        entry = await store.run(lambda tx: fill(tx, full, []))
        elsewhere = ServerId(next(SERVERS))
        await store.run(lambda tx: fill(tx, elsewhere, []))
        await store.run(lambda tx: tx.purge_server(elsewhere))
        other = await store.run(lambda tx: fill(tx, elsewhere, play))  # its ids are higher than those of full

        found = {name: await store.read(asking(query, full, entry)) for name, query in QUERIES.items()}
        in_the_empty = {
            name: await store.read(asking(query, empty, entry)) for name, query in QUERIES.items()
        }
        of_the_other = {name: await store.read(asking(query, full, other)) for name, query in QUERIES.items()}

        assert [name for name, one in found.items() if not one and name != "document"] == []
        assert [name for name, one in in_the_empty.items() if one] == []
        assert {name for name, one in of_the_other.items() if one} <= {
            "campaigns",
            "campaign_at",
            "commands_state",
            "due_tasks_of",
            "meetings",
            "own_games",
        }


class TestWriting:
    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(play=st.lists(steps, max_size=6))
    async def test_play_in_one_server_changes_nothing_in_another(
        self, store: Store, play: list[Step]
    ) -> None:
        here, there = ServerId(next(SERVERS)), ServerId(next(SERVERS))
        await store.run(lambda tx: fill(tx, here, []))
        before = await store.read(lambda reader: picture(reader, here))

        entry = await store.run(lambda tx: fill(tx, there, play))
        await store.run(lambda tx: take_everything_back(tx, entry))
        await store.run(lambda tx: tx.purge_server(there))

        assert await store.read(lambda reader: picture(reader, here)) == before

    async def test_a_write_cannot_change_another_servers_rows(self, store: Store) -> None:
        here, there = ServerId(next(SERVERS)), ServerId(next(SERVERS))
        entry = await store.run(lambda tx: fill(tx, here, []))
        before = await store.read(lambda reader: picture(reader, here))

        def write(tx: Transaction) -> None:
            tx.set_gm(there, entry.campaign, PEOPLE[0], is_gm=False)
            tx.bind(there, PLACES[0], None)
            tx.set_current_character(there, entry.campaign, PEOPLE[0], None)
            tx.save_portrait(there, number(entry, "character"), b"")
            tx.save_document(there, entry.campaign, "own", None)
            tx.drop_countdown(there, number(entry, "countdown"))
            tx.drop_board(there, entry.campaign, "own")
            tx.close_follow_ups(there, entry.id, "a", entry.id)
            tx.mark_undone(replace(entry, server=there), entry.id)
            tx.drop_draft(there, number(entry, "draft"))

        await store.run(write)

        assert await store.read(lambda reader: picture(reader, here)) == before
        assert await store.read(lambda reader: reader.entry(here, entry.id)) == entry
        follow_ups = await store.read(lambda reader: reader.follow_ups(here, entry.id))
        assert [one.closed_by for one in follow_ups] == [None, None, None]
        assert await store.read(lambda reader: reader.draft(here, number(entry, "draft"))) is not None
        assert await store.read(lambda reader: reader.portrait(here, number(entry, "character"))) == b"own"


def take_everything_back(tx: Transaction, entry: EntryRecord) -> None:
    tx.revert(entry)
    tx.add_entry(an_entry(entry.campaign, "undo", server=entry.server))
