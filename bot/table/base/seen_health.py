"""How much of a foe's health the players of a campaign see."""

from bot.rules.kernel import FoeHealth
from bot.store.records import CampaignRecord

SETTING = "foe_health"


def seen_health(campaign: CampaignRecord) -> FoeHealth:
    """Return what a campaign has set: words, if nothing."""
    return FoeHealth(str(campaign.settings.get(SETTING, FoeHealth.WORDS)))
