"""The gateways follow the locks, as the real client does it with a local Discord."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.app.client import Tablekeeper, address_discord
from bot.app.config import DiscordSettings
from bot.app.monitoring import connection_problem
from bot.playground.discord import LocalDiscord, Server
from bot.rules import rulesets
from bot.store.sqlite import open_store
from bot.table.base.table import Shards, Table
from bot.table.base.turn import StoreUnavailable
from tests.app.conftest import discord_addresses as discord_addresses
from tests.databases import prepared_file
from tests.paces import QUICK
from tests.table.conftest import Clock, Secrets

SHARDS = 4


class GrantedTurn:
    """A turn to identify that has come."""

    def __init__(self, ended: Callable[[], None]) -> None:
        self.end = ended

    async def granted(self) -> None:
        pass


class ToldLocks:
    """Locks that are held as the test says."""

    def __init__(self) -> None:
        self.count = SHARDS
        self.held: frozenset[int] = frozenset()
        self.kept: frozenset[int] = frozenset()
        self.wanted = 0
        self.is_settled = False
        self.at_once = 0
        self.connected: frozenset[int] = frozenset()
        self.changed = asyncio.Event()
        self.buckets: list[int] = []
        self.turns_ended = 0
        self.failure: Exception | None = None
        self.looks = 0
        self.closes_before_giving: Callable[[int], None] = lambda shard: None

    def hold(self, *shards: int) -> None:
        """Hold these shards, and no others."""
        self.held = self.kept = frozenset(shards)
        self.wanted, self.is_settled = len(shards), True
        self.changed.set()

    def lose(self) -> None:
        """Lose all of them; they may come back."""
        self.held, self.wanted, self.is_settled = frozenset(), 0, False
        self.changed.set()

    def lose_for_good(self) -> None:
        """Lose all of them."""
        self.kept = frozenset()
        self.lose()

    def want(self, number: int) -> None:
        """Be due fewer shards."""
        self.wanted = number
        self.changed.set()

    def see_free_shards_taken(self) -> None:
        """See that another process has taken what was given back."""
        self.is_settled = True
        self.changed.set()

    def require_working(self) -> None:
        self.looks += 1
        if self.failure is not None:
            raise self.failure

    async def give_back(self, shard: int) -> None:
        self.closes_before_giving(shard)
        self.held = self.kept = self.held - {shard}
        self.is_settled = len(self.held) == self.wanted
        self.changed.set()

    def turn(self, bucket: int) -> GrantedTurn:
        self.buckets.append(bucket)

        def end() -> None:
            self.turns_ended += 1

        return GrantedTurn(end)


@pytest.fixture
async def local() -> AsyncIterator[LocalDiscord]:
    async with LocalDiscord(deadline_seconds=60, patience_seconds=60, command_seconds=60) as discord_:
        yield discord_
        assert discord_.breaches == []


@pytest.fixture
def servers(local: LocalDiscord) -> dict[int, Server]:
    """A server in each shard."""
    found: dict[int, Server] = {}
    while len(found) < SHARDS:
        server = local.add_server(f"Table {len(local.servers)}")
        found.setdefault((server.id >> 22) % SHARDS, server)
    return found


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    store = await open_store(prepared_file(tmp_path))
    yield Table(store=store, games=rulesets(), now=Clock(), new_secret=Secrets())
    await store.close()


@pytest.fixture
def locks() -> ToldLocks:
    return ToldLocks()


@pytest.fixture
async def bot(
    local: LocalDiscord, servers: dict[int, Server], table: Table, locks: ToldLocks
) -> AsyncIterator[Tablekeeper]:
    """A bot that holds no shard yet, and has commands."""
    settings = DiscordSettings(
        api_url=local.api_url, gateway_url=local.gateway_url, emojis=False, shard_count=SHARDS
    )
    address_discord(settings)
    tablekeeper = Tablekeeper(settings, table, pace=QUICK, locks=locks)
    async with tablekeeper:
        starting = asyncio.create_task(tablekeeper.start(local.token))
        holding = asyncio.create_task(tablekeeper.hold_shards())
        await local.until(lambda: locks.at_once)
        yield tablekeeper
        holding.cancel()
        await asyncio.wait({holding})
        assert local.gateway.live_shards == set()
        assert table.shards == Shards(SHARDS, frozenset())
        await tablekeeper.close()
        await asyncio.gather(starting, return_exceptions=True)


async def connected(local: LocalDiscord, *shards: int) -> None:
    """Wait until exactly these shards are connected."""
    await local.until(lambda: local.gateway.live_shards == {(shard, SHARDS) for shard in shards})


async def rolls(local: LocalDiscord, server: Server) -> str:
    """What the owner of a server is answered."""
    await local.offered("roll", server)
    return (await server.owner.slash("roll", expression="2d6")).text


async def test_a_bot_without_a_shard_connects_none(
    bot: Tablekeeper, local: LocalDiscord, locks: ToldLocks, table: Table
) -> None:
    assert not bot.is_ready()
    locks.hold()
    await until(bot.is_ready)

    assert connection_problem(bot) is None
    assert local.gateway.identifies == 0
    assert table.shards == Shards(SHARDS, frozenset())


async def test_a_bot_that_discord_has_not_let_in_says_so(table: Table, locks: ToldLocks) -> None:
    bot = Tablekeeper(DiscordSettings(shard_count=SHARDS), table, pace=QUICK, locks=locks)
    locks.want(2)

    assert connection_problem(bot) == "The bot is connecting to Discord."


async def test_the_held_shards_are_connected_each_in_the_turn_of_its_bucket(
    bot: Tablekeeper, local: LocalDiscord, servers: dict[int, Server], locks: ToldLocks, table: Table
) -> None:
    locks.hold(0, 2)
    await connected(local, 0, 2)
    await local.until(lambda: locks.connected == {0, 2} and local.commands)

    assert sorted(locks.buckets) == [0, 2]
    assert locks.turns_ended == 2
    assert table.shards == Shards(SHARDS, frozenset({0, 2}))
    assert sorted(bot.shards) == [0, 2]
    assert "rolls" in await rolls(local, servers[2])


async def test_shards_lost_for_a_moment_stay_connected_and_people_are_answered(
    bot: Tablekeeper, local: LocalDiscord, servers: dict[int, Server], locks: ToldLocks, table: Table
) -> None:
    locks.hold(0)
    await local.until(lambda: local.commands)
    locks.lose()
    await until(lambda: not table.shards.held)

    assert "rolls" in await rolls(local, servers[0])
    assert not table.shards.held
    locks.hold(0)

    assert "rolls" in await rolls(local, servers[0])
    assert local.gateway.identifies == 1


async def test_shards_lost_for_good_are_disconnected_and_their_servers_forgotten(
    bot: Tablekeeper, local: LocalDiscord, locks: ToldLocks
) -> None:
    locks.hold(0, 1)
    await connected(local, 0, 1)
    locks.lose_for_good()
    await connected(local)

    await until(lambda: not list(bot.guilds))
    locks.hold(1)
    await connected(local, 1)
    await until(lambda: {server.shard_id for server in bot.guilds} == {1})


async def test_a_gateway_that_closes_slowly_is_closed_all_the_same(
    bot: Tablekeeper, local: LocalDiscord, locks: ToldLocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = discord.ShardInfo.disconnect

    async def slow(gateway: discord.ShardInfo) -> None:
        await looked(locks)
        await quick(gateway)

    monkeypatch.setattr(discord.ShardInfo, "disconnect", slow)
    locks.hold(0)
    await connected(local, 0)
    locks.lose_for_good()
    await connected(local)

    await until(lambda: not list(bot.guilds))


async def test_what_is_too_much_is_given_back_once_it_is_disconnected(
    bot: Tablekeeper, local: LocalDiscord, locks: ToldLocks
) -> None:
    def closes(shard: int) -> None:
        gateway = bot.get_shard(shard)
        assert gateway is not None
        assert gateway.is_closed()

    locks.hold(0, 1)
    await connected(local, 0, 1)
    locks.closes_before_giving = closes
    locks.want(1)

    await until(lambda: len(locks.held) == 1)
    await connected(local, *locks.held)


async def test_one_shard_is_given_back_after_the_other_has_been_taken(
    bot: Tablekeeper, local: LocalDiscord, locks: ToldLocks
) -> None:
    locks.hold(0, 1, 2)
    await connected(local, 0, 1, 2)
    await until(bot.is_ready)
    locks.want(1)
    await until(lambda: len(locks.held) == 2)
    await looked(locks)
    assert len(locks.held) == 2
    assert bot.is_ready()

    locks.see_free_shards_taken()

    await until(lambda: len(locks.held) == 1)


async def test_people_are_answered_until_their_shard_is_given_back(
    bot: Tablekeeper, local: LocalDiscord, servers: dict[int, Server], locks: ToldLocks
) -> None:
    holder, answered = bot.shard_holder, dict[int, bool]()
    assert holder is not None

    def note(shard: int) -> None:
        answered[shard] = holder.serves(servers[shard].id)

    locks.hold(0, 1)
    await connected(local, 0, 1)
    locks.closes_before_giving = note
    locks.want(1)
    await until(lambda: len(locks.held) == 1)

    ((given, was_answered),) = answered.items()
    assert was_answered
    assert not holder.serves(servers[given].id)


async def test_nothing_is_remembered_of_servers_that_others_may_have_had(
    bot: Tablekeeper, local: LocalDiscord, locks: ToldLocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go: list[Shards] = []

    async def note(lost: Shards) -> None:
        let_go.append(lost)

    monkeypatch.setattr(bot.held_servers, "let_go", note)
    locks.hold(0, 1, 2)
    await connected(local, 0, 1, 2)
    locks.want(2)
    await until(lambda: len(locks.held) == 2)
    given = frozenset({0, 1, 2}) - locks.held
    kept = locks.held
    locks.lose()
    await until(lambda: len(let_go) == 2)

    assert let_go == [Shards(SHARDS, given), Shards(SHARDS, kept)]


async def test_people_are_answered_while_the_locks_may_come_back(
    bot: Tablekeeper, local: LocalDiscord, servers: dict[int, Server], locks: ToldLocks
) -> None:
    def answered() -> set[int]:
        assert bot.shard_holder is not None
        return {shard for shard, server in servers.items() if bot.shard_holder.serves(server.id)}

    locks.hold(0, 1)
    await connected(local, 0, 1)
    assert answered() == {0, 1}

    locks.lose()
    await until(lambda: not bot.table.shards.held)
    assert answered() == {0, 1}

    locks.lose_for_good()
    assert answered() == set()


async def test_a_shard_that_has_to_identify_again_waits_for_its_turn(
    bot: Tablekeeper, local: LocalDiscord, locks: ToldLocks
) -> None:
    locks.hold(3)
    await connected(local, 3)
    await until(lambda: locks.turns_ended == 1)
    await local.drop_connections(resumable=False)
    await local.until(lambda: local.gateway.identifies == 2)

    assert locks.buckets == [3, 3]
    await until(lambda: locks.turns_ended == 2)


async def test_a_shard_that_cannot_be_connected_leaves_its_turn_and_asks_again(
    bot: Tablekeeper, local: LocalDiscord, locks: ToldLocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch, tries = bot.launch_shard, 0

    async def second_time(*args: Any, **options: Any) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise TimeoutError
        await launch(*args, **options)

    monkeypatch.setattr(bot, "launch_shard", second_time)
    locks.hold(2)
    await connected(local, 2)

    assert locks.buckets == [2, 2]
    await until(lambda: locks.turns_ended == 2)


async def test_a_shard_lost_before_discord_greets_it_leaves_its_turn(
    bot: Tablekeeper, locks: ToldLocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else no process could identify a shard of that bucket any more."""
    has_launched = asyncio.Event()

    async def without_greeting(*_: Any, **__: Any) -> None:
        has_launched.set()

    monkeypatch.setattr(bot, "launch_shard", without_greeting)
    locks.hold(1)
    await has_launched.wait()
    locks.lose_for_good()

    await until(lambda: locks.turns_ended == 1)


async def test_a_bug_while_shards_are_given_back_ends_the_process(
    bot: Tablekeeper, local: LocalDiscord, locks: ToldLocks
) -> None:
    def fail(shard: int) -> None:
        raise LookupError(shard)

    assert bot.shard_holder is not None
    locks.hold(0, 1)
    await connected(local, 0, 1)
    locks.closes_before_giving = fail
    locks.want(1)

    with pytest.raises(LookupError):
        await bot.shard_holder.run()


async def test_a_shard_that_is_held_no_more_does_not_identify_again(bot: Tablekeeper) -> None:
    with pytest.raises(asyncio.CancelledError):
        await bot.before_identify_hook(3)


async def test_a_process_that_may_hold_no_shards_any_more_ends(bot: Tablekeeper, locks: ToldLocks) -> None:
    assert bot.shard_holder is not None
    locks.failure = StoreUnavailable("Other processes count the shards otherwise.")

    with pytest.raises(StoreUnavailable, match="otherwise"):
        await bot.shard_holder.run()


async def looked(locks: ToldLocks) -> None:
    """Wait until the holder has looked at the locks three times."""
    before = locks.looks
    await until(lambda: locks.looks >= before + 3)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110  # nothing tells of it
            await asyncio.sleep(0.01)
