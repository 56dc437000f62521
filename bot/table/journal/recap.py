"""The recap of a session: facts from its journal, without the GM's secrets."""

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel.errors import UserError
from bot.store.records import CampaignId, SessionRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access
from bot.table.base.results import message_from_json
from bot.table.base.turn import ReadTurn, look
from bot.table.journal.entry_pages import earliest_first, is_public
from bot.table.journal.tally import (
    FightStory,
    HeroStory,
    Line,
    Moment,
    RollStats,
    Tally,
    hero_stories,
    running_fights,
)


class Recap(Struct, frozen=True, kw_only=True):
    """What happened in a session."""

    campaign: str
    title: str  # the ruleset
    number: int  # the session's number
    started_at: int  # when it began
    ended_at: int  # when it ended; the present while it runs
    is_running: bool  # whether it still runs
    players: int  # how many people did something
    rolls: int  # how many public rolls there were
    undone_rolls: int  # how many of them were undone
    rollers: tuple[RollStats, ...]  # who rolled, most rolls first: the players' characters, then the GM's
    # The luck of all the GM's characters together, or None without exact chances.
    gms_deviation: float | None = None
    # The player's roll that beat the largest share of outcomes, if it was better than average.
    luckiest: Moment | None
    unluckiest: Moment | None  # the one that beat the smallest share, if it was worse than average
    hardest: Moment | None  # the least likely success of a player that was kept: the hardest turn
    turned: int = 0  # how many failures were turned into something else
    heroes: tuple[HeroStory, ...] = ()  # what became of each player's character
    fights: tuple[FightStory, ...] = ()  # what became of each fight
    present: tuple[str, ...] = ()  # the names of the people who did something
    lines: tuple[Line, ...] = ()  # every entry in order; only in a full recap


@look()
def recap(
    at: ReadTurn,
    number: int | None = None,
    *,
    campaign: CampaignId | None = None,
    whole: bool = False,
) -> Recap:
    """What happened in a session.

    Args:
        number: The session; by default the running one, else the latest.
        campaign: The campaign; by default that of the place.
        whole: Whether to list every entry too.

    Raises:
        UserError: If there is no such session.
    """
    at = at.in_campaign(campaign)
    session = find_session(at.reader, at.access, number)
    tally = _tally(at.reader, at.access, session, with_lines=whole)
    heroes = hero_stories(at.reader, at.access, [session])[session.number]
    heroes = tuple(replace(one, portrait=at.reader.portrait(at.server, one.id)) for one in heroes)
    return _recap(at, session, tally, heroes)


@look()
def chronicle(at: ReadTurn) -> tuple[Recap, ...]:
    """What happened in every session of the campaign, the latest first.

    Raises:
        UserError: If there has been none.
    """
    sessions = at.reader.sessions(at.server, at.campaign.id)
    if not sessions:
        find_session(at.reader, at.access, None)
    heroes = hero_stories(at.reader, at.access, sessions)
    return tuple(
        _recap(at, one, _tally(at.reader, at.access, one, with_lines=False), heroes[one.number])
        for one in sessions
    )


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


def _recap(at: ReadTurn, session: SessionRecord, tally: Tally, heroes: tuple[HeroStory, ...]) -> Recap:
    running = running_fights(at.reader, at.access) if session.ended_at is None else ()
    return Recap(
        campaign=at.campaign.name,
        title=at.game.title,
        number=session.number,
        started_at=session.started_at,
        ended_at=session.ended_at or at.table.now(),
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
