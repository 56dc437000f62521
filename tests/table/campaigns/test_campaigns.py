"""Campaigns: making, binding, naming GMs, archiving, and which commands their server should have."""

import hashlib
import sqlite3
import tracemalloc
from threading import current_thread

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Ruleset
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.module import Pack
from bot.store.records import ServerId
from bot.store.sqlite import SqliteStore
from bot.table.base.access import ForGmOnly, NoCampaign, access_here
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.campaigns.campaigns import WEEK_SECONDS, NoSuchCampaign, NoSuchRuleset, kept
from bot.table.characters import characters
from bot.table.journal import journal
from bot.table.journal.dice_stats import fairness
from bot.table.sessions import sessions
from tests.table.conftest import CATEGORY, CHANNEL, HOME, MORNING, Clock, Person
from tests.table.toy import TOY

SERVERS = 10_000
VERSIONS = {"post_magic_maid": "v1"}
COPIES = """
WITH RECURSIVE other(id) AS (SELECT 10000 UNION ALL SELECT id + 1 FROM other WHERE id < 10000 + ? - 2)
"""


class TestMaking:
    async def test_the_first_campaign_of_a_server_is_its_default(self, table: Table, gm: Person) -> None:
        first = await campaigns.create(table, gm.asks(), "Toy Game", "The Long Road")
        second = await campaigns.create(table, gm.asks(), " game", "Another")  # a part of its title

        assert (first.is_default, second.is_default) == (True, False)
        assert (first.title, second.title) == ("Toy Game", "Toy Game")
        assert [line.name for line in await campaigns.listing(table, gm.asks())] == [
            "The Long Road",
            "Another",
        ]

    async def test_a_new_campaign_has_a_seed_and_tells_only_its_fingerprint(
        self, table: Table, gm: Person
    ) -> None:
        made = await campaigns.create(table, gm.asks(), "toy", "The Long Road")

        secret = hashlib.sha256(b"secret 1").digest()
        published = (await fairness(table, gm.asks())).in_use
        assert published.commitment == hashlib.sha256(secret).hexdigest()
        assert secret.hex() not in repr(made)

    async def test_the_same_interaction_twice_makes_one_campaign(self, table: Table, gm: Person) -> None:
        first = await campaigns.create(table, gm.asks("77"), "toy", "The Long Road")
        second = await campaigns.create(table, gm.asks("77"), "toy", "The Long Road")

        assert first == second
        assert len(await campaigns.listing(table, gm.asks())) == 1

    async def test_a_game_is_loaded_before_the_unit_that_others_would_wait_for(
        self, table: Table, gm: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        threads: list[str] = []

        class Watched(dict[str, Ruleset]):
            def __getitem__(self, key: str) -> Ruleset:
                threads.append(current_thread().name)
                return super().__getitem__(key)

        monkeypatch.setattr(table, "games", Watched(table.games))
        await campaigns.create(table, gm.asks(), "toy", "The Long Road")

        assert threads[0].startswith("asyncio_")
        assert not any(one.startswith("asyncio_") for one in threads[1:])

    async def test_only_a_server_manager_makes_a_campaign(self, table: Table, ada: Person) -> None:
        with pytest.raises(UserError, match="manages the server"):
            await campaigns.create(table, ada.asks(), "toy", "Mine")
        assert await campaigns.listing(table, ada.asks()) == ()

    async def test_a_campaigns_maker_stays_gm_without_managing_the_server(
        self, game: Table, gm: Person
    ) -> None:
        gm.manages_server = False

        await campaigns.rename(game, gm.asks(), "The Short Road")

        assert (await campaigns.listing(game, gm.asks()))[0].name == "The Short Road"

    async def test_a_second_campaign_of_the_same_name_is_refused_whatever_its_case(
        self, game: Table, gm: Person
    ) -> None:
        with pytest.raises(UserError, match="already"):
            await campaigns.create(game, gm.asks(), "toy", "  THE long  road ")

    async def test_an_unknown_ruleset_is_refused_with_a_list_of_the_known_ones(
        self, table: Table, gm: Person
    ) -> None:
        with pytest.raises(NoSuchRuleset) as told:
            await campaigns.create(table, gm.asks(), "chess", "Knights")
        assert told.value.sentences == ("There is no game called “chess”.", "Games: Toy Game.")

    @pytest.mark.parametrize("typed", ["", "swim"])
    async def test_a_part_of_no_title_or_of_several_names_no_ruleset(
        self, table: Table, gm: Person, typed: str
    ) -> None:
        swim = {key: replace(TOY, key=key, title=f"Swim {key}") for key in ("one", "two")}
        table = replace(table, games=swim)

        with pytest.raises(NoSuchRuleset):
            await campaigns.create(table, gm.asks(), typed, "Knights")

    @pytest.mark.parametrize("name", ["", " \n ", "x" * 41])
    async def test_a_campaigns_name_has_1_to_40_characters(self, table: Table, gm: Person, name: str) -> None:
        with pytest.raises(UserError, match="1 to 40"):
            await campaigns.create(table, gm.asks(), "toy", name)

    async def test_making_a_campaign_cannot_be_undone(self, game: Table, gm: Person) -> None:
        with pytest.raises(UserError, match="can't be undone"):
            await journal.undo(game, gm.asks())

    async def test_two_servers_see_only_their_own_campaigns(
        self, game: Table, gm: Person, neighbour: Person
    ) -> None:
        await campaigns.create(game, neighbour.asks(), "toy", "The Long Road")

        assert [line.gms for line in await campaigns.listing(game, gm.asks())] == [(1,)]
        assert [line.gms for line in await campaigns.listing(game, neighbour.asks())] == [(4,)]


class TestBinding:
    async def test_a_bound_channel_plays_its_campaign_and_others_the_default(
        self, game: Table, gm: Person
    ) -> None:
        await campaigns.create(game, gm.asks(place=61), "toy", "Another")
        await campaigns.bind(game, gm.asks(), 60, "#other", "Another")

        assert await _played_in(game, gm, 60) == "Another"
        assert await _played_in(game, gm, CHANNEL) == "The Long Road"
        await campaigns.unbind(game, gm.asks(), 60, "#other")
        assert await _played_in(game, gm, 60) == "The Long Road"
        with pytest.raises(UserError, match="No campaign is bound to #other"):
            await campaigns.unbind(game, gm.asks(), 60, "#other")

    async def test_a_later_campaign_is_bound_to_the_place_where_it_is_made(
        self, game: Table, gm: Person
    ) -> None:
        made = await campaigns.create(game, gm.asks(), "toy", "Another")

        assert not made.is_default
        assert await _played_in(game, gm, CHANNEL) == "Another"
        assert await _played_in(game, gm, 61) == "The Long Road"

    async def test_the_nearest_bound_place_decides_the_campaign(self, game: Table, gm: Person) -> None:
        await campaigns.create(game, gm.asks(), "toy", "Another")
        await campaigns.bind(game, gm.asks(), CATEGORY, "Games", "Another")
        await campaigns.bind(game, gm.asks(), CHANNEL, "#table", "The Long Road")

        assert await _played_in(game, gm, CHANNEL) == "The Long Road"
        assert await _played_in(game, gm, 61) == "Another"

    async def test_a_channel_of_another_gms_campaign_cannot_be_bound(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await campaigns.create(game, gm.asks(), "toy", "Another")
        await campaigns.bind(game, gm.asks(), CHANNEL, "#table", "The Long Road")
        await campaigns.set_gm(game, gm.asks(), ada.id, "Alice", is_gm=True, name="Another")

        with pytest.raises(ForGmOnly, match="The Long Road is played in #table"):
            await campaigns.bind(game, ada.asks(), CHANNEL, "#table", "Another")
        assert await _played_in(game, gm, CHANNEL) == "The Long Road"


class TestGms:
    async def test_a_named_gm_may_do_what_the_gm_may_until_named_no_longer(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await campaigns.set_gm(game, gm.asks(), ada.id, "Alice", is_gm=True)

        await campaigns.rename(game, ada.asks(), "Alice's Road")

        assert (await campaigns.listing(game, gm.asks()))[0].gms == (1, 2)
        await campaigns.set_gm(game, gm.asks(), ada.id, "Alice", is_gm=False)
        with pytest.raises(ForGmOnly):
            await campaigns.rename(game, ada.asks(), "My Road")

    async def test_the_gm_role_makes_gms_of_its_members(self, game: Table, gm: Person, ada: Person) -> None:
        await campaigns.set_gm_role(game, gm.asks(), 555, "Storytellers")
        ada.roles = frozenset({555})

        await campaigns.rename(game, ada.asks(), "Alice's Road")

        assert (await campaigns.listing(game, gm.asks()))[0].gm_role == 555


class TestArchiving:
    async def test_an_archived_campaign_is_not_played_and_keeps_its_characters(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await campaigns.archive(game, gm.asks())

        with pytest.raises(NoCampaign):
            await characters.listing(game, ada.asks())
        await campaigns.unarchive(game, gm.asks(), "The Long Road")
        assert [one.name for one in await characters.listing(game, ada.asks())] == ["Ada", "Bo"]

    async def test_archiving_a_campaign_unbinds_its_channels(self, game: Table, gm: Person) -> None:
        await campaigns.bind(game, gm.asks(), CHANNEL, "#table", None)

        archived = await campaigns.archive(game, gm.asks())

        assert archived.message.notes[0] == "1 bound places are free."
        assert (await campaigns.listing(game, gm.asks()))[0].places == ()

    async def test_a_campaign_with_a_running_session_cannot_be_archived(
        self, game: Table, gm: Person
    ) -> None:
        await sessions.start(game, gm.asks())

        with pytest.raises(UserError, match="Session 1 is still running"):
            await campaigns.archive(game, gm.asks())

    async def test_an_archived_campaign_cannot_be_changed_until_that_is_undone(
        self, game: Table, gm: Person
    ) -> None:
        archived = await campaigns.archive(game, gm.asks())
        with pytest.raises(UserError, match="archived"):
            await campaigns.rename(game, gm.asks(), "New", "The Long Road")

        await journal.undo(game, gm.asks(), archived.entry)

        assert await _played_in(game, gm, CHANNEL) == "The Long Road"


class TestDefault:
    async def test_another_campaign_can_be_made_the_default(self, game: Table, gm: Person) -> None:
        await campaigns.create(game, gm.asks(), "toy", "Another")

        await campaigns.make_default(game, gm.asks(), "Another")

        assert await _played_in(game, gm, CHANNEL) == "Another"

    async def test_only_a_gm_of_the_present_default_can_replace_it(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await campaigns.create(game, gm.asks(), "toy", "Another")
        await campaigns.set_gm(game, gm.asks(), ada.id, "Alice", is_gm=True, name="Another")

        with pytest.raises(ForGmOnly, match="is the default campaign"):
            await campaigns.make_default(game, ada.asks(), "Another")

    async def test_an_unknown_campaign_is_refused(self, game: Table, gm: Person) -> None:
        with pytest.raises(NoSuchCampaign):
            await campaigns.make_default(game, gm.asks(), "Nowhere")


class TestStrangers:
    async def test_a_player_may_change_nothing_about_a_campaign(self, game: Table, ada: Person) -> None:
        before = await campaigns.listing(game, ada.asks())

        for asked in (
            campaigns.rename(game, ada.asks(), "Mine"),
            campaigns.bind(game, ada.asks(), 60, "#other", None),
            campaigns.set_gm(game, ada.asks(), ada.id, "Alice", is_gm=True),
            campaigns.set_gm_role(game, ada.asks(), 555, "Everybody"),
            campaigns.archive(game, ada.asks()),
            campaigns.make_default(game, ada.asks(), "The Long Road"),
        ):
            with pytest.raises(ForGmOnly):
                await asked

        assert await campaigns.listing(game, ada.asks()) == before


class TestSuggestions:
    async def test_campaigns_are_suggested_by_the_typed_text(self, game: Table, gm: Person) -> None:
        await campaigns.create(game, gm.asks(), "toy", "Another")

        offered = await campaigns.campaign_choices(game, gm.asks(), "an")

        assert [choice.value for choice in offered] == ["Another"]

    async def test_rulesets_are_suggested_by_title(self, table: Table, gm: Person) -> None:
        offered = await campaigns.ruleset_choices(table, gm.asks(), "")

        assert [(one.value, one.label) for one in offered] == [("toy", "Toy Game")]


async def _played_in(table: Table, person: Person, place: int) -> str:
    return await table.store.read(
        lambda reader: access_here(table, reader, person.asks(place=place)).campaign.name
    )


async def needs_of(whole: Table) -> list[str]:
    wish = await campaigns.wanted(whole, HOME, VERSIONS)
    assert wish is not None
    return sorted(wish.needs)


class TestNeeds:
    async def test_a_server_needs_the_games_of_its_open_campaigns(self, whole: Table, gm: Person) -> None:
        await campaigns.create(whole, gm.asks(), "Post-magic-maid", "Manor")
        await campaigns.create(whole, gm.asks(), "Compare Roll", "Docks")
        await campaigns.archive(whole, gm.asks(), "Docks")

        assert await needs_of(whole) == ["post_magic_maid"]

    async def test_a_server_needs_the_packs_that_are_on_in_a_campaign(self, whole: Table, gm: Person) -> None:
        await campaigns.create(whole, gm.asks(), "RPJ Core", "Manor")
        await campaign_settings.change_setting(whole, gm.asks(), Pack.MONEY, "yes", "Manor")

        assert await needs_of(whole) == ["rpj", "rpj/money"]

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
        self, whole: Table, gm: Person
    ) -> None:
        await self.give(whole, gm)
        store = whole.store
        assert isinstance(store, SqliteStore)
        copy_to_others(store.path)
        statements: list[str] = []
        await store.read(lambda reader: reader._connection.set_trace_callback(statements.append))  # type: ignore[attr-defined]

        found = await campaigns.outdated(whole, VERSIONS)

        assert len(found) == SERVERS
        assert [server for server, is_outdated in found.items() if is_outdated] == []
        assert len([one for one in statements if "SELECT" in one]) == 1

    async def test_f_perf_08_looking_at_ten_thousand_servers_takes_little_memory(
        self, whole: Table, gm: Person
    ) -> None:
        await self.give(whole, gm)
        assert isinstance(whole.store, SqliteStore)
        copy_to_others(whole.store.path)
        tracemalloc.start()
        try:
            await campaigns.outdated(whole, VERSIONS)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

        assert most < 4 * 2**20

    async def test_a_changed_campaign_and_a_new_version_are_found(self, whole: Table, gm: Person) -> None:
        await self.give(whole, gm)
        assert await campaigns.outdated(whole, VERSIONS) == {HOME: False}
        assert await campaigns.outdated(whole, {"post_magic_maid": "v2"}) == {HOME: True}
        assert await campaigns.outdated(whole, {**VERSIONS, "rpj": "v2"}) == {HOME: False}

        await campaigns.archive(whole, gm.asks(), "Manor")

        assert await campaigns.outdated(whole, VERSIONS) == {HOME: True}

    async def test_the_end_of_the_week_is_found(self, whole: Table, gm: Person, clock: Clock) -> None:
        await self.give(whole, gm)
        await campaigns.archive(whole, gm.asks(), "Manor")
        wish = await campaigns.wanted(whole, HOME, VERSIONS)
        assert wish is not None
        await campaigns.note_sent(whole, wish, "f", {"maid": 1})
        assert await campaigns.outdated(whole, VERSIONS) == {HOME: False}

        clock.pass_hours(7 * 24)

        assert await campaigns.outdated(whole, VERSIONS) == {HOME: True}

    async def test_a_server_without_campaigns_and_commands_is_never_looked_at(self, whole: Table) -> None:
        assert await campaigns.outdated(whole, VERSIONS) == {}
        assert await campaigns.wanted(whole, ServerId(77), VERSIONS) is None

    async def give(self, whole: Table, gm: Person) -> None:
        await campaigns.create(whole, gm.asks(), "Post-magic-maid", "Manor")
        wish = await campaigns.wanted(whole, HOME, VERSIONS)
        assert wish is not None
        await campaigns.note_sent(whole, wish, "f", {"maid": 1})


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
