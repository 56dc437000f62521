"""Campaigns, places, GMs, documents and notes in every store."""

from functools import partial

import pytest
from msgspec.structs import replace

from bot.store.connection import Contradiction, NameTaken
from bot.store.records import CampaignId, MeetingRecord, OwnGameRecord, OwnGameVersion, ServerId
from bot.store.transaction import Store, Transaction
from tests.store.rows import ANN, BEN, ELSEWHERE, HERE, Journalled, a_campaign, an_entry, saving

DUSK, DAWN = CampaignId(1), CampaignId(2)
THREAD, CHANNEL, CATEGORY = 41, 31, 21


def purge(tx: Transaction, server: ServerId, by: str) -> None:
    tx.purge_server(server, by)


@pytest.fixture
async def journalled(store: Store) -> Journalled:
    """The campaigns Dusk (the default) and Dawn."""
    beginning = Journalled(store)
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Dusk", is_default=True)))
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Dawn")))
    return beginning


class TestCampaign:
    async def test_a_campaign_is_read_back_as_it_was_saved(self, store: Store) -> None:
        settings = {"tone": {"grim": True, "numbers": [1, 1.5, None]}}
        campaign = a_campaign("Düsk", settings=settings, clock=7200, gm_role=77, is_default=True)

        await Journalled(store).do(lambda tx: tx.save_campaign(campaign))

        kept = await store.read(lambda reader: reader.campaign(HERE, DUSK))
        assert kept == replace(campaign, id=DUSK)

    @pytest.mark.parametrize("name", ["dusk", " DUSK ", "Dusk"])
    async def test_a_campaigns_name_is_unique_in_its_server_whatever_its_case(
        self, journalled: Journalled, name: str
    ) -> None:
        with pytest.raises(NameTaken):
            await journalled.do(lambda tx: tx.save_campaign(a_campaign(name)))
        with pytest.raises(NameTaken):
            await journalled.do(lambda tx: tx.save_campaign(a_campaign(name, id=DAWN)))

        await journalled.do(lambda tx: tx.save_campaign(a_campaign(name, server=ELSEWHERE)), server=ELSEWHERE)

    @pytest.mark.parametrize(
        ("name", "same"), [("Straße", "STRASSE"), ("ÉLAN", "élan"), ("\ufb01re", "Fire"), ("ЁЖ", "ёж")]
    )
    async def test_a_campaigns_name_ignores_case_in_every_script(
        self, journalled: Journalled, name: str, same: str
    ) -> None:
        await journalled.do(lambda tx: tx.save_campaign(a_campaign(name)))

        with pytest.raises(NameTaken):
            await journalled.do(lambda tx: tx.save_campaign(a_campaign(same)))

    async def test_a_refused_name_changes_nothing_even_if_the_unit_goes_on(
        self, journalled: Journalled
    ) -> None:
        def take_the_name_and_the_default(tx: Transaction) -> None:
            with pytest.raises(NameTaken):
                tx.save_campaign(a_campaign("Dusk", id=DAWN, is_default=True))

        entry = await journalled.do(take_the_name_and_the_default)

        assert entry.changes == ()

    async def test_a_new_default_campaign_replaces_the_old_default(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_campaign(a_campaign("Dawn", id=DAWN, is_default=True)))

        campaigns = await journalled.store.read(lambda reader: reader.campaigns(HERE))
        assert [(one.name, one.is_default) for one in campaigns] == [("Dawn", True), ("Dusk", False)]

    async def test_an_archived_campaign_is_no_default_and_has_no_places(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.bind(HERE, CHANNEL, DUSK))
        archived = a_campaign("Dusk", id=DUSK, is_default=True, is_archived=True)

        entry = await journalled.do(lambda tx: tx.save_campaign(archived))

        assert await journalled.store.read(lambda reader: reader.campaign_at(HERE, [CHANNEL])) is None
        await journalled.undo(entry)
        again = await journalled.store.read(lambda reader: reader.campaign_at(HERE, [CHANNEL]))
        assert again == a_campaign("Dusk", id=DUSK, is_default=True)

    async def test_the_default_campaign_is_listed_first_and_archived_ones_last(
        self, journalled: Journalled
    ) -> None:
        for name, is_archived in (("Zenith", False), ("Ash", True), ("bright", False)):
            campaign = a_campaign(name, is_archived=is_archived)
            await journalled.do(saving(campaign))

        campaigns = await journalled.store.read(lambda reader: reader.campaigns(HERE))

        assert [one.name for one in campaigns] == ["Dusk", "bright", "Dawn", "Zenith", "Ash"]

    async def test_changing_an_unknown_campaign_is_refused(self, journalled: Journalled) -> None:
        with pytest.raises(Contradiction):
            await journalled.do(lambda tx: tx.save_campaign(a_campaign("Noon", id=CampaignId(9))))


class TestPlace:
    async def test_the_nearest_bound_place_decides_and_the_default_otherwise(
        self, journalled: Journalled
    ) -> None:
        await journalled.do(lambda tx: tx.bind(HERE, CATEGORY, DAWN))

        async def meant(*places: int) -> str | None:
            campaign = await journalled.store.read(lambda reader: reader.campaign_at(HERE, places))
            return None if campaign is None else campaign.name

        assert await meant(THREAD, CHANNEL, CATEGORY) == "Dawn"
        assert await meant(THREAD, CHANNEL) == "Dusk"
        await journalled.do(lambda tx: tx.bind(HERE, CHANNEL, DUSK))
        assert await meant(THREAD, CHANNEL, CATEGORY) == "Dusk"
        await journalled.do(lambda tx: tx.bind(HERE, CHANNEL, None))
        assert await meant(THREAD, CHANNEL, CATEGORY) == "Dawn"

    async def test_a_place_has_one_campaign(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.bind(HERE, CHANNEL, DUSK))
        await journalled.do(lambda tx: tx.bind(HERE, CHANNEL, DAWN))

        assert await journalled.store.read(lambda reader: reader.places(HERE, DUSK)) == []
        assert await journalled.store.read(lambda reader: reader.places(HERE, DAWN)) == [CHANNEL]

    async def test_a_place_cannot_be_bound_to_a_campaign_of_another_server(
        self, journalled: Journalled
    ) -> None:
        with pytest.raises(Contradiction):
            await journalled.do(lambda tx: tx.bind(ELSEWHERE, CHANNEL, DUSK), server=ELSEWHERE)


class TestGm:
    async def test_people_are_named_gm_and_removed(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.set_gm(HERE, DUSK, BEN, is_gm=True))
        await journalled.do(lambda tx: tx.set_gm(HERE, DUSK, ANN, is_gm=True))
        again = await journalled.do(lambda tx: tx.set_gm(HERE, DUSK, ANN, is_gm=True))
        assert again.changes == ()
        assert await journalled.store.read(lambda reader: reader.gms(HERE, DUSK)) == [ANN, BEN]

        await journalled.do(lambda tx: tx.set_gm(HERE, DUSK, BEN, is_gm=False))
        assert await journalled.store.read(lambda reader: reader.gms(HERE, DUSK)) == [ANN]


def _keep_empty(key: str, tx: Transaction) -> None:
    tx.save_document(HERE, DUSK, key, {})


class TestDocument:
    async def test_a_document_is_saved_changed_and_removed(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_document(HERE, DUSK, "deck", {"cards": [1, 2]}))
        await journalled.do(lambda tx: tx.save_document(HERE, DUSK, "deck", {"cards": [2]}))
        await journalled.do(lambda tx: tx.save_document(HERE, DUSK, "board", {}))

        assert await journalled.store.read(lambda reader: reader.document_keys(HERE, DUSK)) == [
            "board",
            "deck",
        ]
        assert await journalled.store.read(lambda reader: reader.document(HERE, DUSK, "deck")) == {
            "cards": [2]
        }
        await journalled.do(lambda tx: tx.save_document(HERE, DUSK, "deck", None))
        assert await journalled.store.read(lambda reader: reader.document(HERE, DUSK, "deck")) is None

    async def test_document_keys_are_found_by_their_prefix(self, journalled: Journalled) -> None:
        for key in ("deck", "deck/1", "deck/12", "deck2", "dec"):
            await journalled.do(partial(_keep_empty, key))

        found = await journalled.store.read(lambda reader: reader.document_keys(HERE, DUSK, "deck/"))

        assert found == ["deck/1", "deck/12"]

    async def test_hostile_text_is_read_back_unchanged(self, journalled: Journalled) -> None:
        hostile = {"\u0000\ud800'; DROP TABLE meta; --": "\u202e`*_~|@everyone\n" * 300}

        await journalled.do(lambda tx: tx.save_document(HERE, DUSK, "deck", dict(hostile)))

        assert await journalled.store.read(lambda reader: reader.document(HERE, DUSK, "deck")) == hostile


class TestNote:
    async def test_the_bot_keeps_notes_about_itself_without_a_journal_entry(self, store: Store) -> None:
        assert await store.read(lambda reader: reader.meta("commands")) is None
        await store.run(lambda tx: tx.set_meta("commands", "abc"))
        await store.run(lambda tx: tx.set_meta("commands", "def"))

        assert await store.read(lambda reader: reader.meta("commands")) == "def"


class TestPurge:
    async def test_a_purge_removes_all_of_its_server_and_nothing_of_another(
        self, journalled: Journalled
    ) -> None:
        away = a_campaign("Dusk", server=ELSEWHERE)
        kept = await journalled.do(lambda tx: tx.save_campaign(away), server=ELSEWHERE)

        await journalled.store.run(lambda tx: tx.purge_server(HERE))

        assert await journalled.store.read(lambda reader: reader.campaigns(HERE)) == []
        assert await journalled.store.read(lambda reader: reader.entries(HERE, DUSK)) == []
        campaigns = await journalled.store.read(lambda reader: reader.campaigns(ELSEWHERE))
        assert [one.name for one in campaigns] == ["Dusk"]
        assert await journalled.store.read(lambda reader: reader.entry(ELSEWHERE, kept.id)) == kept

    async def test_no_id_is_used_twice_after_a_purge(self, journalled: Journalled) -> None:
        await journalled.store.run(lambda tx: tx.purge_server(HERE))

        made = await journalled.do(lambda tx: tx.save_campaign(a_campaign("Dusk")))

        assert made.changes[0].key == {"id": 3}
        assert made.id == 3

    async def test_an_interaction_purges_once_whatever_others_purge_meanwhile(
        self, journalled: Journalled
    ) -> None:
        for server, interaction in ((HERE, "one"), (ELSEWHERE, "two")):
            await journalled.store.run(partial(purge, server=server, by=interaction))
        await journalled.do(lambda tx: tx.save_campaign(a_campaign("Dawn")))

        await journalled.store.run(partial(purge, server=HERE, by="one"))
        assert len(await journalled.store.read(lambda reader: reader.campaigns(HERE))) == 1

        await journalled.store.run(partial(purge, server=HERE, by="three"))
        assert await journalled.store.read(lambda reader: reader.campaigns(HERE)) == []

    async def test_ids_are_counted_for_each_server(self, journalled: Journalled) -> None:
        away = a_campaign("Dusk", server=ELSEWHERE)

        made = await journalled.do(lambda tx: tx.save_campaign(away), server=ELSEWHERE)

        assert made.changes[0].key == {"id": 1}
        assert made.id == 1

    async def test_a_unit_may_make_new_rows_after_a_purge(self, journalled: Journalled) -> None:
        def purge(tx: Transaction) -> None:
            tx.set_gm(HERE, DUSK, ANN, is_gm=True)
            tx.purge_server(HERE)

        entry = await journalled.do(purge)

        assert entry.changes == ()
        entries = await journalled.store.read(lambda reader: reader.entries(HERE, CampaignId(1)))
        assert entries == [an_entry(CampaignId(1), entry.interaction, id=entry.id)]


FIRST, SECOND = CampaignId(1), CampaignId(2)


def a_meeting(name: str, campaign: CampaignId = FIRST, server: ServerId = HERE) -> MeetingRecord:
    return MeetingRecord(server=server, campaign=campaign, body={"name": name})


async def test_a_campaign_has_one_planned_session_and_another_servers_is_another(store: Store) -> None:
    for one in (
        a_meeting("Old"),
        a_meeting("New"),
        a_meeting("Other", SECOND),
        a_meeting("Far", FIRST, ELSEWHERE),
    ):
        await store.run(lambda tx, one=one: tx.save_meeting(one))  # type: ignore[misc]

    assert await store.read(lambda reader: reader.meeting(HERE, FIRST)) == {"name": "New"}
    assert await store.read(lambda reader: reader.meetings(HERE)) == [
        a_meeting("New"),
        a_meeting("Other", SECOND),
    ]


async def test_a_forgotten_planned_session_is_gone_and_others_stay(store: Store) -> None:
    for one in (a_meeting("Own"), a_meeting("Far", FIRST, ELSEWHERE)):
        await store.run(lambda tx, one=one: tx.save_meeting(one))  # type: ignore[misc]

    await store.run(lambda tx: tx.drop_meeting(HERE, FIRST))

    assert await store.read(lambda reader: reader.meeting(HERE, FIRST)) is None
    assert await store.read(lambda reader: reader.meetings(ELSEWHERE)) == [a_meeting("Far", FIRST, ELSEWHERE)]


class TestOwnGames:
    async def test_a_version_stays_as_long_as_anything_refers_to_it(self, store: Store) -> None:
        def play(tx: Transaction) -> None:
            campaign = tx.save_campaign(a_campaign("Own", settings={"own_game": "played"}))
            tx.add_entry(an_entry(campaign, "rolled", rolls=[{"rule": "check@rolled"}]))
            tx.save_own_game(OwnGameRecord(server=HERE, key="own", hash="newest", version=3))
            for hash_ in ("played", "rolled", "newest", "unused"):
                tx.save_own_version(OwnGameVersion(server=HERE, hash=hash_, text=f"text of {hash_}"))
            tx.drop_unused_versions(HERE)

        await store.run(play)

        hashes = ("played", "rolled", "newest", "unused")
        found = await store.read(lambda reader: [reader.own_version(HERE, hash_) for hash_ in hashes])
        texts = [None if one is None else one.text for one in found]
        assert texts == ["text of played", "text of rolled", "text of newest", None]

    async def test_a_draft_is_replaced_and_a_game_is_removed(self, store: Store) -> None:
        await store.run(lambda tx: tx.save_own_game(OwnGameRecord(server=HERE, key="salt", draft="one")))
        await store.run(lambda tx: tx.save_own_game(OwnGameRecord(server=HERE, key="salt", draft="two")))
        stored = await store.read(lambda reader: reader.own_game(HERE, "salt"))
        await store.run(lambda tx: tx.drop_own_game(HERE, "salt"))

        assert stored == OwnGameRecord(server=HERE, key="salt", draft="two")
        assert await store.read(lambda reader: reader.own_games(HERE)) == []
