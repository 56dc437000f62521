"""The boards of fights: which channels have one, what it shows, and which message it is."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.rules.kernel.tracker import ENCOUNTER, encounter_key
from bot.store.boundary import Reader, Transaction
from bot.store.records import BoardRecord, CampaignId, Kept, ServerId
from bot.table.base.request import Request
from bot.table.base.seats import Access, game_settings
from bot.table.base.table import Table
from bot.table.campaigns.campaign_settings import shared_settings
from bot.table.encounters.encounters import Look, for_everybody, look_from

NOBODY = 0


@dataclass(frozen=True, slots=True)
class FightPlace:
    """Where a fight is, or was."""

    server: ServerId
    campaign: CampaignId
    channel: int


@dataclass(frozen=True, slots=True)
class Played:
    """A campaign in which something was done."""

    server: ServerId
    campaign: CampaignId


@dataclass(frozen=True, slots=True, kw_only=True)
class FightBoard:
    """A board as it should be shown to everybody.

    Attributes:
        place: Where it stands.
        look: The fight as everybody sees it, or None once it is over.
        message: Which message it is; None before it is posted.
        shown: The mark of what it showed last.
        pings: Whether the campaign wants those pinged whose turn it is.
    """

    place: FightPlace
    look: Look | None
    message: int | None
    shown: str
    pings: bool


async def board(table: Table, place: FightPlace) -> FightBoard | None:
    """A board as it should be shown now; None where there neither is a fight nor was one."""

    def query(reader: Reader) -> FightBoard | None:
        campaign = reader.campaign(place.server, place.campaign)
        game = None if campaign is None else table.games.get(campaign.ruleset)
        kept = reader.board(place.server, place.campaign, encounter_key(place.channel))
        if campaign is None or game is None:
            return None
        nobody = Request(
            server=place.server, places=(place.channel,), person=NOBODY, person_name="", interaction=""
        )
        seat = Access(nobody, campaign, game, game_settings(table, reader, game, campaign), is_gm=False)
        found = look_from(reader, seat)
        if found is None and kept is None:
            return None
        return FightBoard(
            place=place,
            look=None if found is None else replace(found, view=for_everybody(found.view)),
            message=None if kept is None else kept.message,
            shown="" if kept is None else kept.shown,
            pings=shared_settings(campaign).ping_turns,
        )

    return await table.store.read(query)


async def note_shown(table: Table, shown: FightBoard, message: int, mark: str) -> bool:
    """Keep which message a board is and what it shows; False where another one has been posted meanwhile."""

    def unit(tx: Transaction) -> bool:
        place, kind = shown.place, encounter_key(shown.place.channel)
        kept = tx.board(place.server, place.campaign, kind)
        if (None if kept is None else kept.message) != shown.message:
            return False
        tx.save_board(
            BoardRecord(
                server=place.server,
                campaign=place.campaign,
                kind=kind,
                channel=place.channel,
                message=message,
                shown=mark,
            )
        )
        return True

    return await table.store.run(unit)


async def close(table: Table, place: FightPlace) -> None:
    """Forget the board of a fight that is over."""
    kind = encounter_key(place.channel)
    await table.store.run(lambda tx: tx.drop_board(place.server, place.campaign, kind))


async def every_fight(table: Table) -> list[FightPlace]:
    """Every fight that has a board."""
    kept = await table.store.read(lambda reader: reader.every_board(ENCOUNTER))
    return [FightPlace(one.server, one.campaign, one.channel) for one in kept]


async def fights_of(table: Table, played: Played) -> list[FightPlace]:
    """The fights that are on in a campaign."""

    def query(reader: Reader) -> list[FightPlace]:
        keys = reader.document_keys(played.server, played.campaign)
        channels = [key.removeprefix(f"{ENCOUNTER}/") for key in keys if key.startswith(f"{ENCOUNTER}/")]
        return [FightPlace(played.server, played.campaign, int(channel)) for channel in channels]

    return await table.store.read(query)


def listen(table: Table, tell: Callable[[Played, frozenset[str]], None]) -> Callable[[], None]:
    """Have somebody told, after each commit, in which campaign something was done, and to which tables.

    Returns:
        What ends it.
    """

    def hear(kept: Kept) -> None:
        tell(Played(kept.server, kept.campaign), kept.tables)

    return table.store.listen(hear)
