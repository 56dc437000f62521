"""Fairness: the published facts about a campaign's secret seeds."""

from dataclasses import dataclass

from bot.store.transaction import Reader
from bot.table.base.access import access_here
from bot.table.base.request import Request
from bot.table.base.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedState:
    """One seed of a campaign.

    Attributes:
        number: Counted from 1.
        commitment: Its SHA-256, published before its first use.
        secret: The seed in hexadecimal once it is revealed, or None.
        in_use_since: When it came into use: with the campaign, or at the reveal of the seed before.
        revealed_at: When it was revealed, or None.
    """

    number: int
    commitment: str
    secret: str | None
    in_use_since: int
    revealed_at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fairness:
    """The public facts about a campaign's seeds.

    Attributes:
        campaign: Its name.
        in_use: The seed that dice come from now.
        revealed: The past seeds, latest first.
        session: Number of the session that is running, or None.
    """

    campaign: str
    in_use: SeedState
    revealed: tuple[SeedState, ...]
    session: int | None


async def fairness(table: Table, request: Request) -> Fairness:
    """Return the public facts about the campaign's seeds."""

    def query(reader: Reader) -> Fairness:
        access = access_here(table, reader, request)
        server, campaign = access.campaign.server, access.campaign.id
        states: list[SeedState] = []
        since = access.campaign.created_at
        for seed in reader.seeds(server, campaign):
            states.append(
                SeedState(
                    number=seed.number,
                    commitment=seed.commitment,
                    secret=None if seed.revealed_at is None else seed.secret.hex(),
                    in_use_since=since,
                    revealed_at=seed.revealed_at,
                )
            )
            since = seed.revealed_at or since
        running = reader.open_session(server, campaign)
        return Fairness(
            campaign=access.campaign.name,
            in_use=states[-1],
            revealed=tuple(reversed(states[:-1])),
            session=None if running is None else running.number,
        )

    return await table.store.read(query)
