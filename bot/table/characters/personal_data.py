"""What is stored about a person on a server: as a file, and its removal."""

import base64
import json
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel.errors import UserError
from bot.store.journalled_tables import from_text
from bot.store.records import (
    NO_LIMIT,
    CampaignRecord,
    CharacterRecord,
    EntryRecord,
    Json,
    JsonObject,
    MeetingRecord,
)
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, Request, access_in
from bot.table.base.results import Message, message_to_json
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, look, unit
from bot.table.journal.entries import earliest_first, may_read

FORMER = "A former player"
FILE_FORMAT, FILE_VERSION = "tablekeeper-personal-data", 1
LEAST_NAME = 3  # letters; a shorter name is replaced only where it stands alone
_BEFORE_A_NAME = "undoes: |Also undone: |makes |removes "


class StoredAbout(Struct, frozen=True, kw_only=True):
    """What is stored about a person on a server."""

    names: tuple[str, ...] = ()  # the display names they were noted under
    characters: tuple[str, ...] = ()  # names of their characters that are in play
    retired: int = 0  # how many more they have retired
    portraits: int = 0  # how many of them have a portrait
    favorites: int = 0  # how many favorites those have
    drafts: int = 0  # how many characters they have begun
    answers: int = 0  # how many planned sessions they answered to
    entries: int = 0  # how many entries of the journal are theirs
    gm_of: tuple[str, ...] = ()  # the campaigns that name them as a GM
    mentions: int = 0  # how many other things name them, such as open prompts and planned sessions

    @property
    def is_nothing(self) -> bool:
        """Whether there is nothing at all."""
        return self == StoredAbout()


@look()
def stored_about(at: ReadTurn) -> StoredAbout:
    """Return what is stored about whoever asks, on this server."""
    return _about(at)


def _about(at: ReadTurn) -> StoredAbout:
    reader, server, person = at.reader, at.server, at.request.person
    campaigns = reader.campaigns(server)
    own = [one for campaign in campaigns for one in _characters(reader, campaign, person)]
    return StoredAbout(
        names=tuple(reader.names_of(server, person)),
        characters=tuple([one.name for one in own if not one.is_retired]),
        retired=sum(one.is_retired for one in own),
        portraits=sum(bool(reader.portrait(server, one.id)) for one in own),
        favorites=sum(len(reader.favorites(server, one.id)) for one in own),
        drafts=sum(reader.draft_of(server, one.id, person) is not None for one in campaigns),
        answers=sum(_answer(one.body, person) is not None for one in reader.meetings(server)),
        entries=reader.entries_by(server, person),
        gm_of=tuple([one.name for one in campaigns if person in reader.gms(server, one.id)]),
        mentions=reader.rows_naming(server, person),
    )


def _answer(meeting: JsonObject | None, person: int) -> Json:
    """Return what a person answered to a planned session, or None."""
    people = None if meeting is None else meeting.get("people")
    return people.get(str(person)) if isinstance(people, dict) else None


def _characters(reader: Reader, campaign: CampaignRecord, person: int) -> list[CharacterRecord]:
    return reader.characters(campaign.server, campaign.id, owner=person, with_retired=True)


# --- as a file ---------------------------------------------------------------------------------


async def personal_file(table: Table, request: Request) -> bytes:
    """Return everything stored about whoever asks, as JSON that people can read."""

    def query(reader: Reader) -> JsonObject:
        names: list[Any] = [*reader.names_of(request.server, request.person)]
        return {
            "format": FILE_FORMAT,
            "version": FILE_VERSION,
            "exported_at": table.now(),
            "server": str(request.server),
            "person": str(request.person),
            "display_names": names,
            "campaigns": [_campaign(table, reader, request, one) for one in reader.campaigns(request.server)],
        }

    return json.dumps(await table.store.read(query), ensure_ascii=False, indent=1).encode()


def _campaign(table: Table, reader: Reader, request: Request, campaign: CampaignRecord) -> JsonObject:
    server, person = request.server, request.person
    draft = reader.draft_of(server, campaign.id, person)
    try:
        access = access_in(table, reader, request, campaign)
    except UserError:  # its game is no longer installed, and nobody can say who may read what
        access = None
    return {
        "campaign": campaign.name,
        "game": campaign.ruleset,
        "is_gm": person in reader.gms(server, campaign.id),
        "current_character": reader.current_character(server, campaign.id, person),
        "unfinished_character": None if draft is None else draft.answers,
        "planned_session": _answer(reader.meeting(server, campaign.id), person),
        "characters": [_character(reader, one) for one in _characters(reader, campaign, person)],
        "journal": [_entry(one) for one in _entries(reader, request, campaign, access)],
    }


def _character(reader: Reader, one: CharacterRecord) -> JsonObject:
    return {
        "id": one.id,
        "name": one.name,
        "is_retired": one.is_retired,
        "sheet": from_text(one.sheet),
        "resources": {key: value for key, (value, _cap) in one.resources.items()},
        "wounds": {track: [filled for filled, _ in levels] for track, levels in one.wounds.items()},
        "favourites": [
            {"name": kept.name, "act": kept.body} for kept in reader.favorites(one.server, one.id)
        ],
        "portrait": base64.b64encode(reader.portrait(one.server, one.id)).decode(),
    }


def _entries(
    reader: Reader, request: Request, campaign: CampaignRecord, access: Access | None
) -> Iterator[EntryRecord]:
    """Return the person's own entries, without what only a GM may read."""
    if access is None:
        return iter(())
    own = earliest_first(reader, request.server, campaign.id, person=request.person)
    return (one for one in own if may_read(access, one))


def _entry(one: EntryRecord) -> JsonObject:
    told = {key: value for key, value in one.told.items() if key != "facts"}
    return {
        "entry": one.id,
        "at": one.at,
        "session": one.session,
        "kind": one.kind,
        "channel": str(one.channel),
        "interaction": one.interaction,
        "person_name": one.person_name,
        "character": one.character,
        "told": told,
        "rolls": one.rolls,
        "is_undone": one.undone_by is not None,
    }


# --- removal -----------------------------------------------------------------------------------


@unit()
def forget(at: Turn) -> StoredAbout:
    """Remove whoever asks from everything stored about this server.

    Their portraits, favorites, drafts and GM rights go. Their characters retire. Journal entries and
    sheets stay for the others, and a number and a name that are nobody's stand in them for the person.

    Returns:
        What was stored before; nothing if it was removed already.
    """
    about = _about(at)
    if about.is_nothing:
        return about
    server, person = at.server, at.request.person
    campaigns = at.tx.campaigns(server)
    for campaign in campaigns:
        _withdraw(at.tx, campaign, person)
        if at.tx.changes_so_far():
            _note(at.table, at.tx, at.request, campaign)
    taken = {one.name for campaign in campaigns for one in _everybody(at.tx, campaign)}
    names = sorted({*at.tx.names_of(server, person)} - taken, key=len, reverse=True)
    retell = _Retelling(names)
    at.tx.replace_person(server, person, _stand_in(at.tx, at.request), FORMER, retell.retold)
    return about


def _everybody(reader: Reader, campaign: CampaignRecord) -> list[CharacterRecord]:
    return reader.characters(campaign.server, campaign.id, with_retired=True, limit=NO_LIMIT)


def _withdraw(tx: Transaction, campaign: CampaignRecord, person: int) -> None:
    """Take a person out of a campaign; what they leave behind stays."""
    server = campaign.server
    for one in _characters(tx, campaign, person):
        if not one.is_retired:
            tx.save_character(replace(one, is_retired=True))
        tx.save_portrait(server, one.id, b"")
        for favorite in tx.favorites(server, one.id):
            tx.drop_favorite(server, favorite.id)
    meeting = tx.meeting(server, campaign.id)
    people = None if meeting is None else meeting.get("people")
    if meeting is not None and isinstance(people, dict) and people.pop(str(person), None) is not None:
        tx.save_meeting(MeetingRecord(server=server, campaign=campaign.id, body=meeting))
    if tx.current_character(server, campaign.id, person) is not None:
        tx.set_current_character(server, campaign.id, person, None)
    if person in tx.gms(server, campaign.id):
        tx.set_gm(server, campaign.id, person, is_gm=False)


def _note(table: Table, tx: Transaction, request: Request, campaign: CampaignRecord) -> None:
    tx.add_entry(
        EntryRecord(
            server=request.server,
            campaign=campaign.id,
            at=table.now(),
            interaction=f"{request.interaction}:{campaign.id}",
            channel=request.channel,
            person=request.person,
            person_name=FORMER,
            kind="privacy.delete",
            told=message_to_json(Message(who=FORMER, headline="has left, and their characters retire")),
        )
    )


def _stand_in(reader: Reader, request: Request) -> int:
    """Return a number that nobody else has: that of the person's first entry, or 1 if they have none."""
    firsts = [
        found[0].id
        for one in reader.campaigns(request.server)
        if (
            found := reader.entries(
                request.server, one.id, person=request.person, newest_first=False, limit=1
            )
        )
    ]
    return min(firsts, default=1)


class _Retelling:
    """Takes a person's names out of the texts of entries.

    Args:
        names: The names, longest first; those that characters have too are left alone.
    """

    def __init__(self, names: list[str]) -> None:
        self._names = frozenset(names)
        either = "|".join(re.escape(one) for one in names)
        long = "|".join(re.escape(one) for one in names if len(one) >= LEAST_NAME)
        self._introduced = re.compile(rf"({_BEFORE_A_NAME})(?:{either})(?!\w)")
        self._within = re.compile(rf"(?<!\w)(?:{long})(?!\w)") if long else None

    def retold(self, told: Any, rolls: list[Any], is_theirs: bool) -> tuple[Any, list[Any]]:
        """Return an entry's text and rolls without the names."""
        if not self._names:
            return told, rolls
        if not is_theirs:
            return self._elsewhere(told), rolls
        return self._own(told), [
            {**one, "roller": self._own(one["roller"])}
            if (one.get("roller") or {"id": 0})["id"] is None
            else one
            for one in rolls
        ]

    def _own(self, part: Any) -> Any:
        match part:
            case str():
                if part in self._names:
                    return FORMER
                return part if self._within is None else self._within.sub(FORMER, part)
            case list():
                return [self._own(one) for one in part]
            case dict():
                return {key: self._own(one) for key, one in part.items()}
            case _:
                return part

    def _elsewhere(self, part: Any) -> Any:
        match part:
            case str():
                return self._introduced.sub(rf"\1{FORMER}", part)
            case list():
                return [self._elsewhere(one) for one in part]
            case dict():
                return {key: self._elsewhere(one) for key, one in part.items()}
            case _:
                return part
