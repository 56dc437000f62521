"""A campaign's secret seeds: make the next one, find the one in use."""

from bot.rules.kernel.dice import commitment
from bot.store.records import CampaignId, SeedRecord, ServerId
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access
from bot.table.base.table import Table


def add_seed(table: Table, tx: Transaction, server: ServerId, campaign: CampaignId) -> SeedRecord:
    """Add a campaign's next secret seed; it is in use from now on."""
    latest = tx.seed(server, campaign)
    secret = table.new_secret()
    seed = SeedRecord(
        server=server,
        campaign=campaign,
        number=1 if latest is None else latest.number + 1,
        secret=secret,
        commitment=commitment(secret),
    )
    tx.save_seed(seed)
    return seed


def seed_in_use(tx: Reader, access: Access, number: int | None = None) -> SeedRecord:
    """Return a seed of the campaign by number; by default the one in use."""
    seed = tx.seed(access.campaign.server, access.campaign.id, number)
    if seed is None:  # a campaign is made together with its first seed
        raise LookupError(f"campaign {access.campaign.id} has no seed {number}")
    return seed
