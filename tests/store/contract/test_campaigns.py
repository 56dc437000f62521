"""Campaigns, places, GMs and documents, as every store keeps them."""

from dataclasses import replace

from bot.store.boundary import Store
from bot.store.records import CampaignId
from tests.store.rows import HERE, Journalled, a_campaign


class TestCampaign:
    async def test_it_comes_back_as_it_was_kept(self, store: Store) -> None:
        settings = {"tone": {"grim": True, "numbers": [1, 1.5, None]}}
        campaign = a_campaign("Düsk", settings=settings, clock=7200, gm_role=77, is_default=True)

        await Journalled(store).do(lambda tx: tx.save_campaign(campaign))

        kept = await store.read(lambda reader: reader.campaign(HERE, CampaignId(1)))
        assert kept == replace(campaign, id=CampaignId(1))
