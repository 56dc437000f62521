"""The GM's desk: how the party stands, who has to answer what, countdowns and the last acts."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import ENCOUNTER, encounter_key
from bot.rules.shared.countdowns import Visibility
from bot.rules.shared.resting import CALL
from bot.store.records import (
    BoardRecord,
    CampaignId,
    CampaignRecord,
    CharacterRecord,
    EntryId,
    EntryRecord,
    JsonObject,
    ServerId,
)
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, access_in, as_played, game_of, of_nobody
from bot.table.base.live_rows import DeskPlace, desk_key
from bot.table.base.results import STAYS, UNDO, Result, can_undo, message_from_json
from bot.table.base.stored_rolls import Unsound
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, act, look, unit
from bot.table.campaigns import bestiary
from bot.table.gm.gm import moment_in_words
from bot.table.gm.gm_secrets import SecretKind
from bot.table.gm.waiting import AwaitedAnswer, waits
from bot.table.play.countdown_plans import beside
from bot.table.play.countdowns import CountdownView, view

if TYPE_CHECKING:
    from bot.table.campaigns.bestiary import FoeEntry

WATCHED = "watched"  # in a campaign's settings: what the GM chose to see of each character
MOST_WATCHED = 2
LATEST_ACTS = 10
LOOKED_THROUGH = 60  # entries in which the latest acts are looked for


class PartyMember(Struct, frozen=True, kw_only=True):
    """A character of the party, as the GM sees it at a glance."""

    id: int  # the character
    name: str
    owner: int  # who plays it
    watched: tuple[str, ...] = ()  # what the GM chose to watch, each with its value
    counts: tuple[str, ...] = ()  # points, health and wounds besides, each with its value
    states: tuple[str, ...] = ()  # conditions in a word or two each
    problem: str = ""  # why its sheet can't be read, or nothing


class LatestAct(Struct, frozen=True, kw_only=True):
    """Something done lately that can be undone."""

    entry: EntryId  # its journal entry
    words: str  # who did what, and what came of it
    is_secret: bool  # whether only the GM knows of it
    is_undo: bool = False  # whether it undid something, which can be redone


class Desk(Struct, frozen=True, kw_only=True):
    """Everything on the Table page of a GM's desk."""

    campaign: CampaignId
    name: str
    session: int | None  # the running session, or None
    moment: str  # the game time in words
    party: tuple[PartyMember, ...] = ()  # the players' characters
    waits: tuple[AwaitedAnswer, ...] = ()
    countdowns: tuple[CountdownView, ...] = ()  # the running ones, hidden ones too
    acts: tuple[LatestAct, ...] = ()  # the latest acts, latest first
    watched: tuple[str, ...] = ()  # what the GM chose to see of each character
    watchable: tuple[str, ...] = ()  # what can be chosen for that
    fights: tuple[int, ...] = ()  # the channels with a fight
    people: tuple[Choice, ...] = ()  # whom the GM can do something to at once; see `Strip`
    npcs: tuple[Choice, ...] = ()  # the NPCs, to open their sheets
    hidden: tuple[Choice, ...] = ()  # NPCs and countdowns that can be revealed, each by its kind and id
    fighters: tuple[str, ...] = ()  # the names of everybody whom a fight can begin with
    can_rest: bool = False  # whether the game has rests that a GM calls for
    # The channel in which the desk that leads this one stands for all GMs, or None.
    stands_in: int | None = None


@look(gm=True)
def desk(at: ReadTurn) -> Desk:
    """Return the desk of the campaign of the place."""
    return desk_from(at.reader, at.access)


def desk_from(reader: Reader, access: Access) -> Desk:
    """Return the desk as it stands; only for a GM."""
    campaign = access.campaign
    running = reader.open_session(campaign.server, campaign.id)
    known = reader.characters(campaign.server, campaign.id)
    watched = watched_in(campaign)
    row = reader.board(*desk_key(DeskPlace(campaign.server, campaign.id, access.request.channel)))
    party = _party(access, known)
    fights = fights_of(reader, access)
    bodies = (reader.document(campaign.server, campaign.id, encounter_key(one)) for one in fights)
    fighting = {id_ for body in bodies for id_ in _ids_in(body or {})}
    running_counts = tuple(
        view(reader, one, is_gm=True) for one in beside(reader.countdowns(campaign.server, campaign.id))
    )
    return Desk(
        campaign=campaign.id,
        name=campaign.name,
        session=None if running is None else running.number,
        moment=moment_in_words(campaign.clock),
        party=tuple(one.member(watched) for one in party),
        waits=waits(reader, access),
        countdowns=running_counts,
        acts=tuple(_acts(reader, access)),
        watched=watched,
        watchable=_watchable(party),
        fights=fights,
        people=_foes_first(known, fighting),
        npcs=tuple(_npc(one) for one in known if one.owner is None),
        hidden=tuple(_hidden(known, running_counts)),
        fighters=tuple(
            one.name for one in sorted(known, key=lambda one: one.owner is None) if not one.is_hidden
        ),
        can_rest=CALL in access.game.procedures,
        stands_in=None if row is None else row.channel,
    )


def _npc(one: CharacterRecord) -> Choice:
    return Choice(str(one.id), one.name, "NPC, hidden" if one.is_hidden else "NPC")


def _hidden(known: Sequence[CharacterRecord], countdowns: Sequence[CountdownView]) -> Iterator[Choice]:
    for one in known:
        if one.is_hidden:
            yield Choice(f"{SecretKind.NPC}/{one.id}", f"NPC: {one.name}")
    for count in countdowns:
        if count.visibility != Visibility.OPEN:
            yield Choice(f"{SecretKind.COUNTDOWN}/{count.id}", f"Countdown: {count.name}")


def fights_of(reader: Reader, access: Access) -> tuple[int, ...]:
    """Return the channels in which the campaign has a fight, that of the request first."""
    keys = reader.document_keys(access.campaign.server, access.campaign.id, f"{ENCOUNTER}/")
    channels = [int(key.partition("/")[2]) for key in keys]
    return tuple(sorted(channels, key=lambda one: (one != access.request.channel, one)))


class Strip(Struct, frozen=True, kw_only=True):
    """Whom a GM can do something to at once, and what else can be begun."""

    people: tuple[Choice, ...]  # foes first, those in the channel's fight before others
    is_fighting: bool  # whether there is a fight in the channel
    foes: tuple["FoeEntry", ...] = ()  # the foes that can be added, where the game makes any


@look(gm=True)
def strip(at: ReadTurn) -> Strip:
    """Return whom a GM can do something to from wherever they are."""
    known = at.reader.characters(at.server, at.campaign.id)
    body = at.reader.document(at.server, at.campaign.id, encounter_key(at.request.channel))
    people = _foes_first(known, _ids_in(body or {}))
    foes = () if at.access.game.foes is None else bestiary.foes_in(at.reader, at.access)
    return Strip(people=people, is_fighting=body is not None, foes=foes)


def _foes_first(known: Sequence[CharacterRecord], fighting: Collection[int]) -> tuple[Choice, ...]:
    """Characters to choose from, foes first, those in a fight before others."""

    def place(one: CharacterRecord) -> tuple[bool, bool, str]:
        return one.id not in fighting, one.owner is not None, one.name

    return tuple(
        Choice(str(one.id), one.name, "in the fight" if one.id in fighting else "")
        for one in sorted(known, key=place)
    )


def _ids_in(fight: JsonObject) -> set[int]:
    """The characters of a stored fight."""
    rows = fight.get("combatants")
    found = [one.get("character") for one in rows if isinstance(one, dict)] if isinstance(rows, list) else []
    return {one for one in found if isinstance(one, int)}


@look(gm=True)
def led_campaign(at: ReadTurn) -> CampaignId:
    """Return the campaign that a GM leads in the place."""
    return at.access.campaign.id


def watched_in(campaign: CampaignRecord) -> tuple[str, ...]:
    """Return what the campaign's GMs chose to see of each character."""
    stored = campaign.settings.get(WATCHED)
    return tuple(str(one) for one in stored) if isinstance(stored, list) else ()


@act(gm=True)
def watch(at: Turn, titles: Sequence[str]) -> Result:
    """Choose what is shown first of each character; nothing for the usual.

    Raises:
        UserError: If nobody has such a thing.
    """
    known = at.tx.characters(at.server, at.campaign.id)
    watchable = set(_watchable(_party(at.access, known)))
    if len(titles) > MOST_WATCHED or not watchable.issuperset(titles):
        raise UserError("You can't choose that here.", "Choose again from the menu.")
    settings: JsonObject = {**at.campaign.settings, WATCHED: [*titles]}
    at.tx.save_campaign(replace(at.campaign, settings=settings))
    what = " and ".join(titles) or "nothing in particular"
    return at.log("gm.watch", f"watches {what}", secret=True)


# --- the party ---------------------------------------------------------------------------------


class _PartyCount(Struct, frozen=True, kw_only=True):
    """A character of the party, read once: everything that is counted of it, by title, as shown."""

    stored: CharacterRecord
    owner: int  # who plays it
    gauges: Mapping[str, str] = {}  # points, health and wounds
    resources: Mapping[str, str] = {}  # what else is counted
    states: tuple[str, ...] = ()  # conditions in a word or two each
    problem: str = ""  # why its sheet can't be read, or nothing

    def member(self, watched: Sequence[str]) -> PartyMember:
        """Return it as a desk shows it on which something is watched."""
        values = {**self.gauges, **self.resources}
        return PartyMember(
            id=self.stored.id,
            name=self.stored.name,
            owner=self.owner,
            watched=tuple(f"{title} {values[title]}" for title in watched if title in values),
            counts=tuple(f"{title} {value}" for title, value in self.gauges.items() if title not in watched),
            states=self.states,
            problem=self.problem,
        )


def _party(access: Access, known: Sequence[CharacterRecord]) -> tuple[_PartyCount, ...]:
    return tuple(_counted(access, one, one.owner) for one in known if one.owner is not None)


def _counted(access: Access, stored: CharacterRecord, owner: int) -> _PartyCount:
    try:
        played = as_played(access.game, stored)
        glance = access.game.glance(played, access.settings)
    except Unsound as error:
        return _PartyCount(stored=stored, owner=owner, problem=str(error))
    gauges = {one.title: one.shown for one in glance.gauges}
    resources = {
        rule.title: str(played.left(rule.key))
        for rule in access.game.counted(access.settings)
        if rule.title not in gauges
    }
    return _PartyCount(stored=stored, owner=owner, gauges=gauges, resources=resources, states=glance.states)


def _watchable(party: Sequence[_PartyCount]) -> tuple[str, ...]:
    """What can be watched: everything that is counted of somebody in the party."""
    return tuple(dict.fromkeys(title for one in party for title in (*one.gauges, *one.resources)))


# --- the last acts -----------------------------------------------------------------------------


def _acts(reader: Reader, access: Access) -> Iterator[LatestAct]:
    place = access.campaign.server, access.campaign.id
    entries = reader.changing_entries(*place, among=LOOKED_THROUGH)
    found = (one for one in entries if _can_undo(reader, one))
    for entry in islice(found, LATEST_ACTS):
        message = message_from_json(entry.told)
        verdict = "" if message.verdict is None else f" · {message.verdict.title}"
        words = f"{message.sentence}{verdict}".strip()
        yield LatestAct(entry=entry.id, words=words, is_secret=entry.is_secret, is_undo=entry.kind == UNDO)


def _can_undo(reader: Reader, entry: EntryRecord) -> bool:
    """Return whether an act can be undone here, or, if it undid another act, that can be redone."""
    if not can_undo(entry, with_hidden=True) or entry.kind in STAYS:
        return False
    undone = None if entry.undoes is None else reader.entry(entry.server, entry.undoes)
    return undone is None or undone.kind != UNDO


class StandingDesk(Struct, frozen=True):
    """A desk in a channel as it should look now."""

    desk: Desk  # what it shows
    row: BoardRecord  # where it is


class Insiders(Struct, frozen=True):
    """Who may see a desk in a channel: the people who are GMs, and the role that makes somebody one."""

    people: frozenset[int]
    role: int | None


async def insiders(table: Table, server: ServerId, campaign: CampaignId) -> Insiders:
    """Return who may see a campaign's desk, besides those who manage the server."""

    def query(reader: Reader) -> Insiders:
        found = reader.campaign(server, campaign)
        return Insiders(frozenset(reader.gms(server, campaign)), None if found is None else found.gm_role)

    return await table.store.read(query)


@look(gm=True)
def campaign_of(at: ReadTurn) -> CampaignId:
    """Return the campaign whose desk a person asks for."""
    return at.campaign.id


@unit(gm=True)
def place_desk(at: Turn, channel: int) -> tuple[DeskPlace, BoardRecord | None]:
    """Put the desk that leads the request's channel into another channel.

    Returns:
        The desk, and where it stood before.

    Raises:
        UserError: If the channel belongs to another campaign.
    """
    there = at.tx.campaign_at(at.server, (channel, *at.request.places[1:]))
    if there is None or there.id != at.campaign.id:
        raise UserError(
            f"That channel doesn't belong to {at.campaign.name}.", "Add it with /campaign bind first."
        )
    place = DeskPlace(at.server, at.campaign.id, at.request.channel)
    before = at.tx.board(*desk_key(place))
    server, campaign, kind = desk_key(place)
    at.tx.save_board(BoardRecord(server=server, campaign=campaign, kind=kind, channel=channel))
    return place, before


async def put_back(table: Table, place: DeskPlace, before: BoardRecord | None) -> None:
    """Restore where a desk stood, such as after it could not be posted elsewhere."""

    def unit(tx: Transaction) -> None:
        if before is None:
            tx.drop_board(*desk_key(place))
        else:
            tx.save_board(before)

    await table.store.run(unit)


@unit(gm=True)
def take_away(at: Turn) -> BoardRecord | None:
    """Forget the desk that leads the request's channel, and return where it stood."""
    key = desk_key(DeskPlace(at.server, at.campaign.id, at.request.channel))
    before = at.tx.board(*key)
    at.tx.drop_board(*key)
    return before


async def standing_desk(table: Table, place: DeskPlace) -> StandingDesk | None:
    """Return a desk as it should look now; None if there is none (any more)."""

    def query(reader: Reader) -> StandingDesk | None:
        row, campaign = reader.board(*desk_key(place)), reader.campaign(place.server, place.campaign)
        if (
            row is None
            or campaign is None
            or campaign.is_archived
            or game_of(table, reader, campaign) is None
        ):
            return None
        nobody = of_nobody(place.server, place.home)
        access = replace(access_in(table, reader, nobody, campaign), is_gm=True)
        return StandingDesk(desk_from(reader, access), row)

    return await table.store.read(query)
