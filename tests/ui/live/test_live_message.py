"""One class keeps every live message: it posts, edits, moves down, and survives whatever becomes of it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from discord import Client, Intents
from msgspec.structs import replace
from structlog.testing import capture_logs

from bot.playground.discord import Channel, LocalDiscord, Permission, Server, read
from bot.playground.discord.payloads import Event, MessageCreated, Payload
from bot.store.connection import StoreUnavailable
from bot.store.records import BoardRecord, CampaignId, ServerId
from bot.store.transaction import Transaction, open_store
from bot.table.base.live_rows import LiveRows
from bot.table.base.table import Table
from bot.ui.input.answer import post
from bot.ui.live.live_message import MOST_TRIES, Following, Live, LiveKind, LiveMessage
from bot.ui.text.reply import Reply
from tests.databases import prepared_file
from tests.paces import PATIENT
from tests.playground.conftest import running
from tests.playground.sample import ReadyClient
from tests.store.rows import a_campaign, an_entry

KIND, CAMPAIGN = "note", CampaignId(1)
LACKS = (
    "I'm missing Send Messages, Attach Files in this channel. "
    "Anyone who manages this channel can allow it under Edit Channel > Permissions > my role."
)


@dataclass(frozen=True, slots=True)
class Place:
    """The note of a server."""

    server: ServerId


ROWS = LiveRows(
    kind=KIND,
    tables=frozenset({"documents"}),
    place_of=lambda row: Place(row.server),
    key_of=lambda _reader, place: (place.server, CAMPAIGN, KIND),
)


async def load(table: Table, place: Place) -> Live | None:
    """The note: what its document says, pinging whoever that names."""
    row = await table.store.read(lambda reader: ROWS.row(reader, place))
    said = await table.store.read(lambda reader: reader.document(place.server, CAMPAIGN, KIND))
    if row is None or said is None:
        return None
    text, turn, pings = str(said["text"]), str(said["turn"]), said["pings"]
    return Live(
        server=place.server,
        channel=row.channel,
        message=row.message,
        shown=row.shown,
        mark=hashlib.sha256(text.encode()).hexdigest(),
        draw=lambda pinged: Reply(blocks=(*(f"<@{one}>" for one in pinged), text), pings=pinged),
        turn=turn,
        pings=(pings,) if isinstance(pings, int) else (),
        is_over=text == "over",
    )


NOTE = LiveKind(name="note", rows=ROWS, load=load)


@dataclass
class Stage:
    """A server with a note in its first channel, and the bot on its connection.

    Attributes:
        discord: The local Discord.
        server: The server.
        client: The bot's connection.
        table: What is stored.
    """

    discord: LocalDiscord
    server: Server
    client: Client
    table: Table
    _said: int = 0
    _all: list[LiveMessage[Place]] = field(default_factory=list)

    @property
    def place(self) -> Place:
        return Place(ServerId(self.server.id))

    @property
    def channel(self) -> Channel:
        return self.server.channels[0]

    def live(self, kind: LiveKind[Place] = NOTE, **seconds: float) -> LiveMessage[Place]:
        """What keeps the note from now on, as after a start of the bot."""
        self.stop()
        given = {"pace_seconds": 0.0, "move_seconds": 0.0, "retry_seconds": 0.0} | seconds
        self._all.append(LiveMessage(self.client, self.table, kind, **given))
        self._all[-1].listen()
        return self._all[-1]

    def stop(self) -> None:
        """Let nobody keep the note."""
        for one in self._all:
            one.close()

    async def stands(self, channel: Channel | None = None) -> None:
        """Say where the note stands; it is not posted yet."""
        where = channel or self.channel
        row = BoardRecord(server=self.place.server, campaign=CAMPAIGN, kind=KIND, channel=where.id)
        await self.table.store.run(lambda tx: tx.save_board(row))

    async def says(self, text: str, turn: str = "", pings: int | None = None) -> None:
        """Change what the note says."""
        self._said += 1
        entry = an_entry(CAMPAIGN, f"says {self._said}", server=self.place.server)

        def unit(tx: Transaction) -> None:
            body: dict[str, Any] = {"text": text, "turn": turn, "pings": pings, "number": self._said}
            tx.save_document(self.place.server, CAMPAIGN, KIND, body)
            tx.add_entry(entry)

        await self.table.store.run(unit)
        await asyncio.sleep(0)

    async def shows(self, text: str, turn: str = "", pings: int | None = None) -> None:
        """Change what the note says, and wait until that is shown."""
        await self.says(text, turn, pings)
        await self._all[-1].settled()

    async def row(self) -> BoardRecord | None:
        return await self.table.store.read(lambda reader: ROWS.row(reader, self.place))

    def notes(self, channel: Channel | None = None) -> list[Payload]:
        """The messages of a channel."""
        return [posted.payload for posted in self.discord.messages.in_channel(channel or self.channel)]

    def texts(self, channel: Channel | None = None) -> list[str]:
        return [read(one).strip() for one in self.notes(channel)]

    def sent(self, method: str) -> list[float]:
        """When messages were sent so."""
        return [
            one.at for one in self.discord.rest.requests if one.method == method and "/messages" in one.path
        ]


@contextlib.asynccontextmanager
async def set_up(url: str) -> AsyncIterator[Stage]:
    store = await open_store(url, PATIENT)
    began = time.time() - time.monotonic()  # nobody sets this clock while a test runs
    discord = LocalDiscord(deadline_seconds=60, patience_seconds=60, clock=lambda: began + time.monotonic())
    async with discord as local:
        server = local.add_server("Table")
        client = ReadyClient(intents=Intents(guilds=True))
        table = Table(store=store, games={}, now=lambda: 1000, new_secret=lambda: b"s" * 32)

        def begin(tx: Transaction) -> None:
            campaign = tx.save_campaign(a_campaign(server=ServerId(server.id)))
            tx.add_entry(an_entry(campaign, "begin", server=ServerId(server.id)))

        await store.run(begin)
        async with running(client, local):
            stage = Stage(local, server, client, table)
            await stage.stands()
            yield stage
            stage.stop()
    await store.close()


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with set_up(prepared_file(tmp_path)) as made:
        yield made


class TestFollowing:
    async def test_a_live_message_is_posted_once_and_edited_after_each_change(self, stage: Stage) -> None:
        stage.live()
        await stage.shows("one")
        (first,) = stage.notes()

        await stage.shows("two")

        assert stage.texts() == ["two"]
        assert [one["id"] for one in stage.notes()] == [first["id"]]

    async def test_an_unchanged_message_is_not_sent_again(self, stage: Stage) -> None:
        live = stage.live()
        await stage.says("one")
        await stage.says("one")
        live.refresh(stage.place)
        await live.settled()

        assert (len(stage.sent("POST")), stage.sent("PATCH")) == (1, [])

    async def test_edits_are_paced_and_the_last_change_is_shown(self, stage: Stage) -> None:
        live = stage.live(pace_seconds=0.2)
        for number in range(12):
            await stage.says(str(number))
        await live.settled()

        moments = sorted(stage.sent("POST") + stage.sent("PATCH"))
        assert stage.texts() == ["11"]
        assert all(later - earlier >= 0.19 for earlier, later in itertools.pairwise(moments))

    async def test_a_restart_shows_missed_changes_in_the_same_message(self, stage: Stage) -> None:
        stage.live()
        await stage.shows("one")
        (first,) = stage.notes()
        stage.stop()
        await stage.says("two")

        again = stage.live()
        await again.refresh_all()
        await again.settled()

        assert [(one["id"], read(one).strip()) for one in stage.notes()] == [(first["id"], "two")]

    async def test_the_end_is_shown_and_the_message_is_forgotten(self, stage: Stage) -> None:
        stage.live()
        await stage.shows("one")
        await stage.shows("over")

        await stage.shows("two")

        assert stage.texts() == ["over"]
        assert await stage.row() is None

    async def test_a_change_is_shown_later_when_the_store_is_unavailable(self, stage: Stage) -> None:
        failures = [StoreUnavailable("The disk is full.")]

        async def fails_once(table: Table, place: Place) -> Live | None:
            if failures:
                raise failures.pop()
            return await load(table, place)

        stage.live(replace(NOTE, load=fails_once))
        await stage.shows("one")

        assert stage.texts() == ["one"]


class TestPlace:
    async def test_a_live_message_that_moves_down_becomes_the_newest_message(self, stage: Stage) -> None:
        stage.live(replace(NOTE, moves_down=True))
        await stage.shows("one")
        other = await stage.client.get_partial_messageable(stage.channel.id).send("a result")

        await stage.shows("one")

        assert stage.texts() == ["a result", "one"]
        assert other.id == int(stage.notes()[0]["id"])

    async def test_a_live_message_that_can_not_move_down_yet_is_edited_without_looking_below_it(
        self, stage: Stage
    ) -> None:
        stage.live(replace(NOTE, moves_down=True), move_seconds=60)
        await stage.shows("one")
        await stage.shows("two")

        assert stage.texts() == ["two"]
        asked = [one.path for one in stage.discord.rest.requests if one.method == "GET"]
        assert not [path for path in asked if path.endswith(f"/channels/{stage.channel.id}")]

    async def test_a_message_of_the_bot_is_moved_below_without_looking_however_late_it_comes(
        self, stage: Stage
    ) -> None:
        live = stage.live(replace(NOTE, moves_down=True))
        await stage.shows("one")
        await live.settled()

        other = await stage.client.get_partial_messageable(stage.channel.id).send("a result")
        live.note_newest(stage.channel.id, other.id)

        await stage.discord.until(lambda: stage.texts() == ["a result", "one"])
        asked = [one.path for one in stage.discord.rest.requests if one.method == "GET"]
        assert not [path for path in asked if path.endswith(f"/channels/{stage.channel.id}")]

    async def test_the_second_look_at_an_unchanged_message_loads_nothing(self, stage: Stage) -> None:
        loaded: list[str] = []

        async def counted(table: Table, place: Place) -> Live | None:
            live = await load(table, place)
            loaded.append("" if live is None else live.mark)
            return live

        live = stage.live(replace(NOTE, moves_down=True, load=counted), move_seconds=1.5)
        await stage.shows("one")
        await stage.client.get_partial_messageable(stage.channel.id).send("a result")
        seen = len(loaded)
        await stage.discord.until(lambda: stage.texts() == ["a result", "one"])
        await live.settled()

        assert len(loaded) == seen

    async def test_a_live_message_that_does_not_move_down_stays_in_place(self, stage: Stage) -> None:
        stage.live()
        await stage.shows("one")
        await stage.client.get_partial_messageable(stage.channel.id).send("a result")

        await stage.shows("two")

        assert stage.texts() == ["two", "a result"]

    async def test_a_new_turn_pings_once_in_a_new_message(self, stage: Stage) -> None:
        alice = stage.server.add_member("Alice")
        stage.live(replace(NOTE, moves_down=True))
        posted: list[tuple[str, list[str]]] = []

        def note(event: Event) -> None:
            if isinstance(event, MessageCreated):
                mentioned = [one["id"] for one in event.message["mentions"]]
                posted.append((event.message["content"], mentioned))

        stage.discord.listen(note)
        await stage.shows("one", "nobody's")
        await stage.shows("two", "Alice's", alice.id)
        (pinged,) = stage.notes()
        await stage.shows("three", "Alice's", alice.id)

        (now,) = stage.notes()
        # A locked phone shows the plain line; the container takes its place.
        assert posted == [("", []), (f"<@{alice.id}>", [str(alice.id)])]
        assert pinged["content"] == ""
        assert "two" in read(pinged)
        assert [one["id"] for one in pinged["mentions"]] == [str(alice.id)]
        assert (now["id"], read(now).strip()) == (pinged["id"], "three")

    async def test_moving_a_live_message_elsewhere_leaves_no_second_message(self, stage: Stage) -> None:
        other = stage.server.add_channel("other")

        async def moves_meanwhile(table: Table, place: Place) -> Live | None:
            live = await load(table, place)
            await stage.stands(other)
            return live

        await stage.says("one")

        await stage.live(replace(NOTE, load=moves_meanwhile)).show_now(stage.place)

        assert (stage.texts(), stage.texts(other)) == ([], [])
        await stage.live().show_now(stage.place)
        assert stage.texts(other) == ["one"]


class TestAnswers:
    @pytest.mark.parametrize(("now", "edits"), [("two", 1), ("one", 0)])
    async def test_what_changes_while_an_answer_is_posted_is_shown_there_once_it_is_known_where(
        self, stage: Stage, now: str, edits: int
    ) -> None:
        live = stage.live(replace(NOTE, posts=False))
        posted = await post(stage.client.get_partial_messageable(stage.channel.id), Reply(blocks=("one",)))
        await stage.shows(now)

        mark = hashlib.sha256(b"one").hexdigest()
        await live.note_posted(stage.place, stage.channel.id, posted, mark, is_stored=True)
        await live.settled()

        assert stage.texts() == [now]
        assert len([one for one in stage.discord.rest.requests if one.method == "PATCH"]) == edits


class TestGone:
    async def test_a_deleted_live_message_is_posted_again(self, stage: Stage) -> None:
        stage.live()
        await stage.shows("one")
        stage.discord.messages.delete(stage.discord.messages.in_channel(stage.channel)[0])

        await stage.shows("two")

        assert stage.texts() == ["two"]

    async def test_a_deleted_answer_is_forgotten(self, stage: Stage) -> None:
        answer = replace(NOTE, posts=False)
        posted = await stage.client.get_partial_messageable(stage.channel.id).send("one")
        live = stage.live(answer)
        await stage.says("one")
        mark = hashlib.sha256(b"one").hexdigest()
        await live.note_posted(stage.place, stage.channel.id, posted.id, mark, is_stored=True)
        stage.discord.messages.delete(stage.discord.messages.in_channel(stage.channel)[0])

        await stage.shows("two")

        assert stage.texts() == []
        assert await stage.row() is None

    async def test_a_live_message_in_a_deleted_channel_is_forgotten(self, stage: Stage) -> None:
        stage.live()
        other = stage.server.add_channel("other")
        await stage.stands(other)
        await stage.shows("one")
        stage.server.remove_channel(other)

        with capture_logs() as logs:
            await stage.shows("two")

        assert await stage.row() is None
        assert [one["log_level"] for one in logs] == ["info", "info"]
        asked = len(stage.discord.rest.requests)
        await stage.stands(other)  # as a fight does that is still on
        await stage.shows("three")
        assert len(stage.discord.rest.requests) == asked

    async def test_a_missing_permission_is_logged_once_until_the_message_is_shown_again(
        self, stage: Stage
    ) -> None:
        stage.live()
        lacking = stage.server.add_channel("lacking")
        me = stage.discord.application.user_id
        lacking.deny(me, Permission.SEND_MESSAGES)
        await stage.client.wait_for("guild_channel_update")
        await stage.stands(lacking)

        with capture_logs() as logs:
            await stage.shows("one")
            await stage.shows("two")
        lacking.overwrites.clear()
        await stage.shows("three")

        told = [one for one in logs if one["event"] == "message not shown"]
        assert [(one["kind"], one["channel"], one["reason"]) for one in told] == [("note", lacking.id, LACKS)]
        assert stage.texts(lacking) == ["three"]
        stage.discord.messages.delete(stage.discord.messages.in_channel(lacking)[0])
        lacking.deny(me, Permission.SEND_MESSAGES)
        with capture_logs() as logs:
            await stage.shows("four")
        assert [one["event"] for one in logs if one["log_level"] == "warning"] == ["message not shown"]


class TestTooOld:
    async def test_a_message_too_old_to_be_changed_is_posted_anew(self, stage: Stage) -> None:
        stage.live(replace(NOTE, oldest_seconds=-1.0))
        await stage.shows("one")
        (first,) = stage.notes()

        await stage.shows("two")

        assert stage.texts() == ["two"]
        assert stage.notes()[0]["id"] != first["id"]

    async def test_a_young_message_is_changed(self, stage: Stage) -> None:
        stage.live(replace(NOTE, oldest_seconds=3000.0))
        await stage.shows("one")
        (first,) = stage.notes()

        await stage.shows("two")

        assert [(one["id"], read(one).strip()) for one in stage.notes()] == [(first["id"], "two")]

    async def test_a_message_that_discord_lets_nobody_change_any_more_is_posted_anew(
        self, stage: Stage
    ) -> None:
        stage.live()
        await stage.shows("one")
        (first,) = stage.notes()
        stage.discord.fail_next("PATCH .*/messages/", 400, {"message": "too many edits", "code": 30046})

        await stage.shows("two")

        assert stage.texts() == ["two"]
        assert stage.notes()[0]["id"] != first["id"]


async def test_a_message_that_may_no_longer_stand_is_taken_away(stage: Stage) -> None:
    allowed: list[bool | None] = [True, None, False]

    async def may_stand(_client: Client, _table: Table, _place: Place, _channel: int) -> bool | None:
        return allowed.pop(0)

    stage.live(replace(NOTE, may_stand=may_stand))
    await stage.shows("one")
    await stage.shows("not known yet")
    assert stage.texts() == ["one"]

    await stage.shows("two")

    assert stage.texts() == []
    assert await stage.row() is None


async def test_a_change_just_as_a_refresh_task_ends_is_shown() -> None:
    shown: list[str] = []

    async def show(place: str) -> float:
        shown.append(place)
        if len(shown) == 1:  # two turns of the loop on, the following has ended, and nobody has heard of it
            loop.call_soon(lambda: loop.call_soon(following.refresh, place))
        return 0

    loop = asyncio.get_running_loop()
    following = Following(show, settle_seconds=0, retry_seconds=0)
    following.refresh("board")
    await following.settled()

    assert shown == ["board", "board"]


async def test_a_change_while_a_refresh_fails_for_good_is_shown() -> None:
    shown: list[str] = []

    async def show(place: str) -> float:
        shown.append(place)
        if len(shown) == 1:
            following.refresh(place)
            raise LookupError(place)
        return 0

    following = Following(show, settle_seconds=0, retry_seconds=0)
    following.refresh("board")
    await following.settled()

    assert shown == ["board", "board"]


async def test_a_change_is_shown_after_an_outage_however_long() -> None:
    tries = 0

    async def show(place: str) -> float:
        nonlocal tries
        tries += 1
        if tries <= 3 * MOST_TRIES:
            raise StoreUnavailable("The database cannot be reached.")
        return 0

    following = Following(show, settle_seconds=0, retry_seconds=0)
    following.refresh("board")
    await following.settled()

    assert tries == 3 * MOST_TRIES + 1


async def test_what_discord_does_not_take_is_given_up() -> None:
    tries = 0

    async def show(place: str) -> float:
        nonlocal tries
        tries += 1
        raise TimeoutError

    following = Following(show, settle_seconds=0, retry_seconds=0)
    following.refresh("board")
    await following.settled()

    assert tries == MOST_TRIES
