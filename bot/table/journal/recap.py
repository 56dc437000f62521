"""The recap of a session: facts from its journal, without the GM's secrets."""

from dataclasses import dataclass

from bot.rules.kernel.errors import UserError
from bot.store.records import CampaignId, SessionRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access, access_here, access_in
from bot.table.base.request import Request
from bot.table.base.results import message_from_json
from bot.table.base.table import Table
from bot.table.journal.entry_pages import earliest_first, is_public
from bot.table.journal.fight_stories import FightStory, running_fights
from bot.table.journal.tally import HeroStory, Line, Moment, RollStats, Tally, hero_stories


@dataclass(frozen=True, slots=True, kw_only=True)
class Recap:
    """What happened in a session.

    Attributes:
        campaign: Its campaign.
        title: The ruleset.
        number: The session's number.
        started_at: When it began.
        ended_at: When it ended; the present while it runs.
        is_running: Whether it still runs.
        players: How many people did something.
        rolls: How many public rolls there were.
        undone_rolls: How many of them were undone.
        rollers: Who rolled, most rolls first: the players' characters, then the GM's.
        gms_deviation: The luck of all the GM's characters together, or None without exact chances.
        luckiest: The player's roll that beat the largest share of outcomes, if it was better than
            average.
        unluckiest: The one that beat the smallest share, if it was worse than average.
        hardest: The least likely success of a player that was kept: the hardest turn.
        turned: How many failures were turned into something else.
        heroes: What became of each player's character.
        fights: What became of each fight.
        present: The names of the people who did something.
        lines: Every entry in order; only in a full recap.
    """

    campaign: str
    title: str
    number: int
    started_at: int
    ended_at: int
    is_running: bool
    players: int
    rolls: int
    undone_rolls: int
    rollers: tuple[RollStats, ...]
    gms_deviation: float | None = None
    luckiest: Moment | None
    unluckiest: Moment | None
    hardest: Moment | None
    turned: int = 0
    heroes: tuple[HeroStory, ...] = ()
    fights: tuple[FightStory, ...] = ()
    present: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()


async def recap(
    table: Table,
    request: Request,
    number: int | None = None,
    *,
    campaign: CampaignId | None = None,
    whole: bool = False,
) -> Recap:
    """What happened in a session.

    Args:
        table: The table.
        request: Who asks.
        number: The session; by default the running one, else the latest.
        campaign: The campaign; by default that of the place.
        whole: Whether to list every entry too.

    Raises:
        UserError: If there is no such session.
    """

    def query(reader: Reader) -> Recap:
        access = _access(table, reader, request, campaign)
        session = find_session(reader, access, number)
        tally = _tally(reader, access, session, with_lines=whole)
        heroes = hero_stories(reader, access, [session])[session.number]
        return _recap(table, reader, access, session, tally, heroes)

    return await table.store.read(query)


async def chronicle(table: Table, request: Request) -> tuple[Recap, ...]:
    """What happened in every session of the campaign, the latest first.

    Raises:
        UserError: If there has been none.
    """

    def query(reader: Reader) -> tuple[Recap, ...]:
        access = access_here(table, reader, request)
        sessions = reader.sessions(access.campaign.server, access.campaign.id)
        if not sessions:
            find_session(reader, access, None)
        heroes = hero_stories(reader, access, sessions)
        return tuple(
            _recap(
                table, reader, access, one, _tally(reader, access, one, with_lines=False), heroes[one.number]
            )
            for one in sessions
        )

    return await table.store.read(query)


def _tally(reader: Reader, access: Access, session: SessionRecord, *, with_lines: bool) -> Tally:
    """Count a session's public entries."""
    tally = Tally(reader, access, with_lines=with_lines)
    entries = earliest_first(
        reader, session.server, session.campaign, session=session.number, with_secret=False
    )
    for entry in entries:
        if is_public(entry):
            tally.add(entry, message_from_json(entry.told))
    return tally


def _access(table: Table, reader: Reader, request: Request, campaign: CampaignId | None) -> Access:
    found = None if campaign is None else reader.campaign(request.server, campaign)
    return access_here(table, reader, request) if found is None else access_in(table, reader, request, found)


def find_session(reader: Reader, access: Access, number: int | None) -> SessionRecord:
    """Return a session of the campaign by its number; by default the running one, else the latest.

    Raises:
        UserError: If there is none.
    """
    sessions = reader.sessions(access.campaign.server, access.campaign.id)
    for session in sessions:
        if number in {None, session.number}:
            return session
    if not sessions:
        raise UserError("There has been no session yet.", try_this="Start one with /session start.")
    raise UserError(f"There is no session {number}.", f"Sessions: 1 to {sessions[0].number}.")


def _recap(
    table: Table,
    reader: Reader,
    access: Access,
    session: SessionRecord,
    tally: Tally,
    heroes: tuple[HeroStory, ...],
) -> Recap:
    running = running_fights(reader, access) if session.ended_at is None else ()
    return Recap(
        campaign=access.campaign.name,
        title=access.game.title,
        number=session.number,
        started_at=session.started_at,
        ended_at=session.ended_at or table.now(),
        is_running=session.ended_at is None,
        players=len(tally.people),
        rolls=sum(hand.rolls for hand in tally.hands.values()),
        undone_rolls=sum(hand.undone for hand in tally.hands.values()),
        rollers=tuple(tally.rollers()),
        gms_deviation=tally.gms_deviation(),
        luckiest=tally.luckiest,
        unluckiest=tally.unluckiest,
        hardest=tally.hardest,
        turned=tally.turned,
        heroes=heroes,
        fights=(*tally.fights, *running),
        present=tuple(tally.people.values()),
        lines=tuple(tally.lines),
    )
