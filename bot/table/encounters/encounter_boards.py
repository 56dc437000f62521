"""The boards of fights: which channels have one, what it shows, and its message."""

from dataclasses import dataclass

from bot.rules.kernel.tracker import ENCOUNTER, encounter_key
from bot.store.records import CampaignId, ServerId
from bot.store.transaction import Reader
from bot.table.base.access import Access, game_settings
from bot.table.base.live_rows import LiveRows, News
from bot.table.base.request import of_nobody
from bot.table.base.table import Table
from bot.table.campaigns.campaign_settings import shared_settings
from bot.table.encounters.encounters import Look, look_from


@dataclass(frozen=True, slots=True)
class FightPlace:
    """The channel a fight is or was in."""

    server: ServerId
    campaign: CampaignId
    channel: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FightBoard:
    """A board as everybody should see it.

    Attributes:
        place: The channel of the fight.
        look: The fight as everybody sees it, or None once it is over.
        message: Its message; None before it is posted.
        shown: The fingerprint of what it showed last.
        pings: Whether the campaign pings players when their turn comes.
    """

    place: FightPlace
    look: Look | None
    message: int | None
    shown: str
    pings: bool


async def board(table: Table, place: FightPlace) -> FightBoard | None:
    """Return a board as it should look now; None if there is and was no fight."""

    def query(reader: Reader) -> FightBoard | None:
        campaign = reader.campaign(place.server, place.campaign)
        game = None if campaign is None else table.games.get(campaign.ruleset)
        stored = reader.board(place.server, place.campaign, encounter_key(place.channel))
        if campaign is None or game is None:
            return None
        nobody = of_nobody(place.server, place.channel)
        access = Access(nobody, campaign, game, game_settings(table, reader, game, campaign), is_gm=False)
        found = look_from(reader, access)
        if found is None and stored is None:
            return None
        return FightBoard(
            place=place,
            look=found,
            message=None if stored is None else stored.message,
            shown="" if stored is None else stored.shown,
            pings=shared_settings(campaign).ping_turns,
        )

    return await table.store.read(query)


def _fights_of(reader: Reader, news: News) -> list[FightPlace]:
    """Return the fights running in a campaign."""
    keys = reader.document_keys(news.server, news.campaign, f"{ENCOUNTER}/")
    return [FightPlace(news.server, news.campaign, int(key.removeprefix(f"{ENCOUNTER}/"))) for key in keys]


ROWS = LiveRows(
    kind=ENCOUNTER,
    tables=frozenset({"documents"}),
    place_of=lambda row: FightPlace(row.server, row.campaign, row.channel),
    key_of=lambda _reader, place: (place.server, place.campaign, encounter_key(place.channel)),
    more=_fights_of,
    are_made_when_posted=True,
)
