"""The commands of single servers, sent by the real client to a local Discord."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Collection
from pathlib import Path

import pytest
import structlog
from discord import app_commands
from msgspec.structs import replace

from bot.app import command_sync
from bot.app.client import HeldServers, Tablekeeper, address_discord
from bot.app.command_sync import Definition, server_definitions, shared_definitions
from bot.app.config import DiscordSettings
from bot.playground.discord import LocalDiscord, Server
from bot.rules import rulesets
from bot.rules.rpj.module.module import Pack
from bot.store.records import ALL_SHARDS, ServerId, Shards
from bot.store.sqlite import open_store
from bot.table.base.live_rows import LEFT_SERVER
from bot.table.base.table import Table
from bot.table.base.turn import StoreUnavailable
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.campaigns.campaigns import need
from bot.table.journal import journal
from bot.ui.commands.options import is_listed
from tests.databases import prepared_file
from tests.paces import QUICK
from tests.table.conftest import Clock, Interactions, Person, Secrets
from tests.test_project import sources

WEEK_HOURS = 7 * 24
MANOR = "Post-magic-maid"
OWN = ["maid", "maid-gm", "odds"]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def interactions() -> Interactions:
    return Interactions()


@pytest.fixture
def server(local: LocalDiscord) -> Server:
    return local.add_server("The Manor")


@pytest.fixture
def gm(server: Server, interactions: Interactions) -> Person:
    return Person(1, "Gwen", interactions, server=ServerId(server.id), manages_server=True)


@pytest.fixture
async def table(tmp_path: Path, clock: Clock) -> AsyncIterator[Table]:
    store = await open_store(prepared_file(tmp_path))
    yield Table(store=store, games=rulesets(), now=clock, new_secret=Secrets())
    await store.close()


@contextlib.asynccontextmanager
async def connected(local: LocalDiscord, table: Table) -> AsyncIterator[Tablekeeper]:
    """Run the bot; when it is there, it has caught up with everything."""
    settings = DiscordSettings(api_url=local.api_url, gateway_url=local.gateway_url, emojis=False)
    address_discord(settings)
    seen, everywhere = len(local.requests), f"/applications/{local.application.id}/commands"
    bot = Tablekeeper(settings, table, pace=QUICK)
    async with bot:
        running = asyncio.create_task(bot.start(local.token))
        # The commands of every server are looked at last.
        await local.until(lambda: any(one.path == everywhere for one in local.requests[seen:]))
        yield bot
        await bot.close()
        await asyncio.gather(running, return_exceptions=True)


def sent_to(local: LocalDiscord, server: Server) -> int:
    """Return how often a server was sent commands."""
    path = f"/guilds/{server.id}/commands"
    return len([one for one in local.requests if one.method == "PUT" and one.path.endswith(path)])


def lines(definitions: list[Definition]) -> list[str]:
    """Return everything that can be typed of some commands."""
    found: list[str] = []
    for one in definitions:
        below = lines([inner for inner in one.get("options", []) if inner["type"] in (1, 2)])
        found += [f"{one['name']} {line}" for line in below] or [one["name"]]
    return found


def characters(definition: Definition) -> int:
    """Return how many of Discord's 8,000 characters a command takes."""
    own = len(definition["name"]) + len(definition.get("description", ""))
    choices = sum(len(one["name"]) + len(str(one["value"])) for one in definition.get("choices") or [])
    return own + choices + sum(characters(inner) for inner in definition.get("options") or [])


def names(local: LocalDiscord, server: Server) -> list[str]:
    """Return the names of a server's own commands."""
    return sorted(one["name"] for one in local.registry.registered(server.id))


def is_sending() -> bool:
    """Whether a server is being sent its commands, or will be."""
    return any("ServerCommands._keep" in repr(task) for task in asyncio.all_tasks())


async def settled(bot: Tablekeeper) -> None:
    """Wait until nothing is left to send."""
    await bot.server_commands.catch_up()


class TestFollowingTheGame:
    async def test_a_campaign_brings_its_games_commands_and_nothing_else_does(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person
    ) -> None:
        other = local.add_server("Elsewhere")
        async with connected(local, table) as bot:
            assert not {*OWN} & {one["name"] for one in local.commands}

            await campaigns.create(table, gm.asks(), MANOR, "Manor")
            await local.until(lambda: names(local, server) == OWN)
            await campaigns.rename(table, gm.asks(), "House", "Manor")
            await campaigns.create(table, gm.asks(), MANOR, "Garden")
            await settled(bot)

        odds = [line for line in lines(local.registry.registered(server.id)) if line.startswith("odds")]
        assert odds == ["odds dice", "odds maid"]
        assert (sent_to(local, server), sent_to(local, other)) == (1, 0)
        assert names(local, other) == []

    async def test_a_game_is_loaded_when_its_first_campaign_is_made_and_at_every_later_start(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person
    ) -> None:
        async with connected(local, table) as bot:
            assert bot.loaded_games == set()

            await campaigns.create(table, gm.asks(), MANOR, "Manor")
            await settled(bot)

            assert bot.loaded_games == {"post_magic_maid"}
        async with connected(local, table) as bot:
            assert bot.loaded_games == {"post_magic_maid"}
        assert sent_to(local, server) == 1

    async def test_every_game_is_loaded_when_the_campaigns_cannot_be_read(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fail(table: Table) -> frozenset[str]:
            raise StoreUnavailable("locked")

        monkeypatch.setattr(campaigns, "every_game", fail)
        bot = Tablekeeper(DiscordSettings(), table, pace=QUICK)
        async with bot:
            await bot.load_cogs()
            await bot.load_played_games()

        assert bot.loaded_games == set(table.games)

    async def test_a_game_goes_a_week_after_its_last_campaign(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person, clock: Clock
    ) -> None:
        async with connected(local, table) as bot:
            await campaigns.create(table, gm.asks(), MANOR, "Manor")
            await settled(bot)
            await campaigns.archive(table, gm.asks(), "Manor")
            await settled(bot)
            clock.pass_hours(WEEK_HOURS - 1)
            await settled(bot)
            assert names(local, server) == OWN

            clock.pass_hours(1)
            await settled(bot)

            assert names(local, server) == []
            assert await bot.server_commands.ids(ServerId(server.id)) != {}
            assert "maid" not in await bot.server_commands.ids(ServerId(server.id))
        assert sent_to(local, server) == 2

    async def test_a_restored_campaign_keeps_its_commands_without_sending_them(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person, clock: Clock
    ) -> None:
        async with connected(local, table) as bot:
            await campaigns.create(table, gm.asks(), MANOR, "Manor")
            await settled(bot)
            await campaigns.archive(table, gm.asks(), "Manor")
            await settled(bot)
            clock.pass_hours(WEEK_HOURS - 1)
            await campaigns.unarchive(table, gm.asks(), "Manor")
            await settled(bot)
            clock.pass_hours(WEEK_HOURS)
            await settled(bot)

        assert (names(local, server), sent_to(local, server)) == (OWN, 1)

    async def test_a_pack_brings_its_commands_and_an_undo_removes_them_a_week_later(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person, clock: Clock
    ) -> None:
        async with connected(local, table) as bot:
            await campaigns.create(table, gm.asks(), "RPJ Core", "Manor")
            await settled(bot)
            assert "rpj-mass" not in names(local, server)
            await campaign_settings.change_setting(table, gm.asks(), Pack.MASS_COMBAT, "yes", "Manor")
            await local.until(lambda: "rpj-mass" in names(local, server))

            await journal.undo(table, gm.asks())
            await settled(bot)
            assert "rpj-mass" in names(local, server)
            clock.pass_hours(WEEK_HOURS)
            await settled(bot)

            assert "rpj-mass" not in names(local, server)
            assert "rpj" in names(local, server)


class TestStarting:
    async def test_a_start_sends_nothing_where_nothing_changed(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person
    ) -> None:
        async with connected(local, table) as bot:
            await campaigns.create(table, gm.asks(), MANOR, "Manor")
            await settled(bot)
        before = [one for one in local.requests if one.method == "PUT"]

        async with connected(local, table) as bot:
            await settled(bot)

        assert [one for one in local.requests if one.method == "PUT"] == before

    async def test_a_server_gets_its_own_commands_before_those_of_every_server_become_fewer(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person
    ) -> None:
        await campaigns.create(table, gm.asks(), MANOR, "Manor")

        async with connected(local, table):
            await local.until(lambda: local.commands)

        sent = [one.path for one in local.requests if one.method == "PUT"]
        assert [path.rpartition("900000000000000001")[2] for path in sent] == [
            f"/guilds/{server.id}/commands",
            "/commands",
        ]

    async def test_commands_of_a_server_that_the_bot_left_are_forgotten(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person
    ) -> None:
        with structlog.testing.capture_logs() as told:
            async with connected(local, table) as bot:
                await campaigns.create(table, gm.asks(), MANOR, "Manor")
                await settled(bot)
                local.servers.remove(server)
                await local.dispatch("GUILD_DELETE", {"id": str(server.id)}, server)
                await local.until(lambda: "server commands forgotten" in [one["event"] for one in told])
                assert "maid" not in await bot.server_commands.ids(ServerId(server.id))

        async with connected(local, table) as bot:
            await settled(bot)

        assert sent_to(local, server) == 1


async def noted(table: Table, count: int) -> None:
    """Wait until so many servers are noted as having removed the bot."""
    for _ in range(3000):
        if (
            len(await table.store.read(lambda reader: reader.due_tasks(LEFT_SERVER, table.now(), ALL_SHARDS)))
            == count
        ):
            return
        await asyncio.sleep(0.01)
    raise TimeoutError


class TestLeaving:
    async def test_a_removal_starts_the_wait_and_a_return_ends_it(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person
    ) -> None:
        """F-ALL-28: the data of a left server goes after a while; an outage is no removal."""
        await campaigns.create(table, gm.asks(), MANOR, "Manor")
        async with connected(local, table):
            await local.dispatch("GUILD_DELETE", {"id": str(server.id), "unavailable": True}, server)
            local.servers.remove(server)
            await noted(table, 0)
            await local.dispatch("GUILD_DELETE", {"id": str(server.id)}, server)
            await noted(table, 1)

        local.servers.append(server)
        async with connected(local, table):
            await noted(table, 0)

    async def test_a_server_that_left_while_the_bot_was_offline_is_deleted_after_30_days(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person, clock: Clock
    ) -> None:
        await campaigns.create(table, gm.asks(), MANOR, "Manor")
        local.servers.remove(server)
        local.add_server("Elsewhere")
        async with connected(local, table):
            await noted(table, 1)

        clock.pass_hours(30 * 24)
        async with connected(local, table):
            await noted(table, 0)

        assert await table.store.read(lambda reader: reader.servers(ALL_SHARDS)) == []


class TestShards:
    async def test_a_process_looks_after_the_shards_of_its_settings(self, table: Table) -> None:
        assert table.shards == ALL_SHARDS

        Tablekeeper(DiscordSettings(shard_count=4, shard_ids=(1, 3)), table, pace=QUICK)

        assert table.shards == Shards(4, frozenset({1, 3}))

    async def test_a_server_that_is_given_away_is_left_alone_until_it_is_taken_over(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person
    ) -> None:
        async with connected(local, table) as bot:
            table.shards = Shards(1, frozenset())
            await bot.held_servers.let_go(ALL_SHARDS)

            await campaigns.create(table, gm.asks(), MANOR, "Manor")
            await settled(bot)
            assert names(local, server) == []

            table.shards = ALL_SHARDS
            await bot.held_servers.catch_up()
            await settled(bot)
            assert names(local, server) == OWN

    async def test_commands_are_not_tried_again_in_a_server_that_was_given_away(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person
    ) -> None:
        async with connected(local, table) as bot:
            local.fail_next("PUT .*/guilds/.*", 503, times=1000)
            await campaigns.create(table, gm.asks(), MANOR, "Manor")
            await local.until(lambda: sent_to(local, server) > 1)

            table.shards = Shards(1, frozenset())
            await bot.held_servers.let_go(ALL_SHARDS)
            tries = sent_to(local, server)
            await local.until(
                lambda: not any("ServerCommands._keep" in repr(task) for task in asyncio.all_tasks())
            )

            assert sent_to(local, server) == tries

    async def test_what_is_shown_in_a_server_is_not_waited_for_long_when_that_is_given_away(
        self, local: LocalDiscord, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        let_go: list[Shards] = []

        async def hang(_shards: Shards) -> None:
            await asyncio.Event().wait()

        async with connected(local, table) as bot:
            with monkeypatch.context() as patched:
                patched.setattr(bot.messages, "changes_ended", hang)
                patched.setattr(bot.messages, "let_go", let_go.append)
                patched.setattr(bot, "pace", replace(QUICK, finish_messages_seconds=0.01))
                await HeldServers(bot, [bot.messages]).let_go(ALL_SHARDS)

        assert let_go == [ALL_SHARDS]

    async def test_what_the_database_refuses_when_catching_up_is_tried_again(
        self, local: LocalDiscord, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        refusals, refreshed = [StoreUnavailable("The database is busy.")], []

        async def refresh_all() -> None:
            if refusals:
                raise refusals.pop()
            refreshed.append("results")

        async with connected(local, table) as bot:
            monkeypatch.setattr(bot.messages, "refresh_all", refresh_all)
            with structlog.testing.capture_logs() as told:
                await HeldServers(bot, [bot.messages]).catch_up()

        assert refreshed == ["results"]
        assert [one["reason"] for one in told if one["event"] == "not caught up"] == ["The database is busy."]


class TestManyServers:
    async def test_servers_that_play_the_same_share_what_is_made_for_them(
        self,
        local: LocalDiscord,
        table: Table,
        interactions: Interactions,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        made: list[list[Definition]] = []

        def counted(bot: Tablekeeper, needs: Collection[str]) -> list[Definition]:
            made.append(server_definitions(bot, needs))
            return made[-1]

        monkeypatch.setattr(command_sync, "server_definitions", counted)
        async with connected(local, table) as bot:
            servers = [local.add_server(f"Table {number}") for number in range(3)]
            await local.until(lambda: all(bot.get_guild(one.id) for one in servers))
            for one in servers:
                gm = Person(1, "Gwen", interactions, server=ServerId(one.id), manages_server=True)
                await campaigns.create(table, gm.asks(), MANOR, "Manor")
            await local.until(lambda: all(names(local, one) == OWN for one in servers))

        assert len(list(filter(None, made))) == 1  # nothing is made where the game is not loaded yet


class TestFailures:
    @pytest.mark.parametrize(
        ("status", "code"),
        [(503, 0), (403, 50001), (400, 30034)],
        ids=["outage", "missing scope", "too many"],
    )
    async def test_a_refusal_is_logged_once_and_tried_again(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person, status: int, code: int
    ) -> None:
        local.fail_next(r"PUT .*/guilds/", status, {"message": "no", "code": code}, times=3)
        with structlog.testing.capture_logs() as told:
            async with connected(local, table) as bot:
                await campaigns.create(table, gm.asks(), MANOR, "Manor")
                await local.until(lambda: names(local, server) == OWN)
                await settled(bot)

        assert len([line for line in told if line["event"] == "server commands not sent"]) == 1
        assert sent_to(local, server) == 4

    async def test_one_server_that_refuses_does_not_keep_others_from_their_commands(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person
    ) -> None:
        await campaigns.create(table, gm.asks(), MANOR, "Manor")
        local.fail_next(rf"PUT .*/guilds/{server.id}/", 403, {"message": "no", "code": 50001}, times=10**6)

        async with connected(local, table):
            await local.until(lambda: [one["name"] for one in local.commands])

    async def test_too_many_requests_are_waited_for(
        self, local: LocalDiscord, server: Server, table: Table, gm: Person
    ) -> None:
        local.fail_next(r"PUT .*/guilds/", 429, retry_after=0.01, times=1)
        async with connected(local, table):
            await campaigns.create(table, gm.asks(), MANOR, "Manor")
            await local.until(lambda: names(local, server) == OWN)


class TestSizes:
    """Measured on all commands of the bot (Discord: 100 commands, 8,000 characters each)."""

    @pytest.fixture
    async def bot(self, table: Table) -> AsyncIterator[Tablekeeper]:
        bot = Tablekeeper(DiscordSettings(all_commands=True), table, pace=QUICK)
        async with bot:
            await bot.load_cogs()
            await bot.load_games(table.games)
            yield bot

    async def test_every_server_has_at_most_18_commands_of_no_game(self, bot: Tablekeeper) -> None:
        slash = [one for one in shared_definitions(bot) if one.get("type", 1) == 1]

        assert len(slash) <= 18
        assert slash != []

    async def test_a_post_magic_maid_server_has_at_most_20_commands_and_115_subcommands(
        self, bot: Tablekeeper
    ) -> None:
        here = shared_definitions(bot) + server_definitions(bot, ["post_magic_maid"])

        assert len([one for one in here if one.get("type", 1) == 1]) <= 18 + 2
        assert len(lines([one for one in here if one.get("type", 1) == 1])) <= 115

    async def test_an_rpj_server_with_all_packs_has_at_most_215_subcommands(self, bot: Tablekeeper) -> None:
        needs = [need("rpj"), *(need("rpj", pack) for pack in Pack)]
        here = shared_definitions(bot) + server_definitions(bot, needs)

        assert len(lines([one for one in here if one.get("type", 1) == 1])) <= 215

    async def test_an_rpj_server_with_no_packs_has_at_most_135_subcommands(self, bot: Tablekeeper) -> None:
        here = shared_definitions(bot) + server_definitions(bot, [need("rpj")])

        assert len(lines([one for one in here if one.get("type", 1) == 1])) <= 135

    async def test_the_largest_command_has_at_most_6400_characters(self, bot: Tablekeeper) -> None:
        sizes = {one.name: characters(dict(one.to_dict(bot.tree))) for one in bot.tree.get_commands()}

        assert {name: size for name, size in sizes.items() if size > 6400} == {}
        assert max(sizes.values()) > 1000

    async def test_every_command_of_a_game_is_offered_somewhere(self, bot: Tablekeeper) -> None:
        everything = [need(game.key, pack) for game in bot.table.games.values() for pack in ("", *Pack)]
        definitions = shared_definitions(bot) + server_definitions(bot, everything)
        offered = lines([one for one in definitions if one.get("type", 1) == 1])

        walked = [one for one in bot.tree.walk_commands() if isinstance(one, app_commands.Command)]
        assert sorted(offered) == sorted(one.qualified_name for one in walked)


class TestFewCommands:
    """What a player sees who types a slash: what sheets and boards do by presses is not there twice."""

    @pytest.fixture
    async def bot(self, table: Table) -> AsyncIterator[Tablekeeper]:
        bot = Tablekeeper(DiscordSettings(), replace(table, games=rulesets()), pace=QUICK)
        async with bot:
            await bot.load_cogs()
            await bot.load_games(bot.table.games)
            yield bot

    @pytest.mark.parametrize("game", list(rulesets()))
    async def test_a_player_of_one_game_sees_at_most_45(self, bot: Tablekeeper, game: str) -> None:
        here = shared_definitions(bot) + server_definitions(bot, [need(game)])

        seen = [one for one in here if one.get("type", 1) == 1 and not one["default_member_permissions"]]
        assert len(lines([one for one in seen if "gm" not in one["name"].split("-")])) <= 45

    async def test_campaigns_are_shown_to_who_manages_the_server(self, bot: Tablekeeper) -> None:
        limited = {one["name"] for one in shared_definitions(bot) if one["default_member_permissions"]}

        assert limited == {"campaign", "game"}

    async def test_no_sentence_and_no_scene_names_what_nobody_can_type(self, bot: Tablekeeper) -> None:
        walked = [one for one in bot.tree.walk_commands() if isinstance(one, app_commands.Command)]
        pressed = [one.qualified_name for one in walked if not is_listed(one)]
        either = "|".join(pressed)
        named = re.compile(rf"(?<![\w/.])/({either})\b|^command = \"({either})\"", re.MULTILINE)
        texts = sources("bot", "cogs", "docs", suffixes=(".py", ".toml", ".md"))

        found = [f"{path}: {one[0]}" for path, text in texts for one in named.finditer(text)]

        assert len(pressed) > 50
        assert found == []
