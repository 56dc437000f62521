"""Sessions and seeds in every store."""

import pytest
from msgspec.structs import replace

from bot.store.connection import Contradiction
from bot.store.records import ALL_SHARDS, CampaignId, IdleRule, SeedRecord
from bot.store.transaction import Store, Transaction
from tests.store.rows import ELSEWHERE, HERE, Journalled, a_campaign, a_session

DUSK, DAWN = CampaignId(1), CampaignId(2)


@pytest.fixture
async def journalled(store: Store) -> Journalled:
    """The campaigns Dusk and Dawn, and Noon in another server."""
    beginning = Journalled(store)
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Dusk")))
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Dawn")))
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Noon", server=ELSEWHERE)), server=ELSEWHERE)
    return beginning


@pytest.fixture
async def noon(journalled: Journalled) -> CampaignId:
    """The campaign in another server."""
    (found,) = await journalled.store.read(lambda reader: reader.campaigns(ELSEWHERE))
    return found.id


class TestSession:
    async def test_a_session_runs_until_it_is_ended(self, journalled: Journalled) -> None:
        running = a_session(DUSK, event=51, voice=61, empty_since=2500)
        await journalled.do(lambda tx: tx.save_session(running), at=2000)
        assert await journalled.store.read(lambda reader: reader.open_session(HERE, DUSK)) == running

        ended = replace(running, ended_at=9000)
        await journalled.do(lambda tx: tx.save_session(ended))

        assert await journalled.store.read(lambda reader: reader.open_session(HERE, DUSK)) is None
        assert await journalled.store.read(lambda reader: reader.sessions(HERE, DUSK)) == [ended]

    async def test_a_campaign_has_one_running_session_at_a_time(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_session(a_session(DUSK)))

        with pytest.raises(Contradiction):
            await journalled.do(lambda tx: tx.save_session(a_session(DUSK, 2)))
        await journalled.do(lambda tx: tx.save_session(a_session(DAWN)))

    async def test_the_latest_session_is_listed_first(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_session(a_session(DUSK, 1, ended_at=2001)))
        await journalled.do(lambda tx: tx.save_session(a_session(DUSK, 2)))

        sessions = await journalled.store.read(lambda reader: reader.sessions(HERE, DUSK))

        assert [one.number for one in sessions] == [2, 1]

    async def test_every_running_session_of_every_server_is_found(
        self, journalled: Journalled, noon: CampaignId
    ) -> None:
        away = a_session(noon, server=ELSEWHERE)
        await journalled.do(lambda tx: tx.save_session(a_session(DUSK, 1, ended_at=2001)))
        await journalled.do(lambda tx: tx.save_session(a_session(DUSK, 2)), at=1)
        await journalled.do(lambda tx: tx.save_session(a_session(DAWN)), at=1)
        await journalled.do(lambda tx: tx.save_session(away), server=ELSEWHERE, campaign=noon, at=1)

        running = await journalled.store.read(lambda reader: reader.open_sessions(ALL_SHARDS))

        assert [(one.server, one.campaign) for one in running] == [(HERE, 1), (HERE, 2), (ELSEWHERE, noon)]
        there = await journalled.store.read(lambda reader: reader.open_sessions(ELSEWHERE))
        assert [one.campaign for one in there] == [noon]

    async def test_sessions_that_nothing_can_be_about_to_end_are_left_out(
        self, journalled: Journalled, noon: CampaignId
    ) -> None:
        away = a_session(noon, server=ELSEWHERE, active_at=4000)
        await journalled.do(lambda tx: tx.save_session(a_session(DUSK, event=7, active_at=9000)), at=1)
        await journalled.do(lambda tx: tx.save_session(a_session(DAWN, voice=8, active_at=9000)), at=1)
        await journalled.do(lambda tx: tx.save_session(away), server=ELSEWHERE, campaign=noon, at=1)

        rule = IdleRule(now=4000 + 7200, setting="rest", usual_hours=2, least_hours=1)
        at_once = await journalled.store.read(lambda reader: reader.ending_sessions(rule, ALL_SHARDS))
        before = await journalled.store.read(
            lambda reader: reader.ending_sessions(replace(rule, now=rule.now - 1), ALL_SHARDS)
        )

        assert [one.campaign for one in at_once] == [1, 2, noon]
        assert [one.campaign for one in before] == [1, 2]

    @pytest.mark.parametrize(("hours", "is_found"), [(1, True), (3, False), (None, True)])
    async def test_a_campaign_may_say_when_its_session_counts_as_idle(
        self, journalled: Journalled, hours: int | None, is_found: bool
    ) -> None:
        rule = IdleRule(now=9000 + 7200, setting="rest", usual_hours=2, least_hours=1)
        dusk = replace(a_campaign("Dusk"), id=DUSK, settings={} if hours is None else {"rest": hours})
        await journalled.do(lambda tx: tx.save_campaign(dusk), at=1)
        await journalled.do(lambda tx: tx.save_session(a_session(DUSK, active_at=9000)), at=1)

        found = await journalled.store.read(lambda reader: reader.ending_sessions(rule, ALL_SHARDS))

        assert bool(found) is is_found

    async def test_a_sessions_activity_and_empty_channel_need_no_entry(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_session(a_session(DUSK)))
        later = a_session(DUSK, active_at=7000, empty_since=6000)

        await journalled.store.run(lambda tx: tx.save_session(later))

        assert await journalled.store.read(lambda reader: reader.open_session(HERE, DUSK)) == later


class TestSeed:
    async def test_the_highest_seed_is_in_use_and_none_is_ever_lost(self, journalled: Journalled) -> None:
        first = SeedRecord(server=HERE, campaign=DUSK, number=1, secret=b"a" * 32, commitment="c1")
        second = replace(first, number=2, secret=b"b" * 32, commitment="c2")
        await journalled.store.run(lambda tx: tx.save_seed(first))
        await journalled.store.run(lambda tx: tx.save_seed(second))
        await journalled.store.run(lambda tx: tx.save_seed(replace(first, revealed_at=5000)))

        assert await journalled.store.read(lambda reader: reader.seed(HERE, DUSK)) == second
        revealed = await journalled.store.read(lambda reader: reader.seed(HERE, DUSK, 1))
        assert revealed == replace(first, revealed_at=5000)
        seeds = await journalled.store.read(lambda reader: reader.seeds(HERE, DUSK))
        assert [one.number for one in seeds] == [1, 2]

    async def test_a_seeds_secret_can_never_change(self, journalled: Journalled) -> None:
        seed = SeedRecord(server=HERE, campaign=DUSK, number=1, secret=b"a" * 32, commitment="c1")
        await journalled.store.run(lambda tx: tx.save_seed(seed))

        with pytest.raises(Contradiction):
            await journalled.store.run(lambda tx: tx.save_seed(replace(seed, secret=b"b" * 32)))

    async def test_an_undo_does_not_change_a_seed(self, journalled: Journalled) -> None:
        seed = SeedRecord(server=HERE, campaign=CampaignId(4), number=1, secret=b"a" * 32, commitment="c1")

        def make(tx: Transaction) -> None:
            tx.save_campaign(a_campaign("Noon"))
            tx.save_seed(seed)

        await journalled.undo(await journalled.do(make, campaign=4))

        assert await journalled.store.read(lambda reader: reader.campaign(HERE, CampaignId(4))) is None
        assert await journalled.store.read(lambda reader: reader.seed(HERE, CampaignId(4))) == seed
