"""Shared prompts: press one, view it in detail, and update its message."""

import hashlib

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Audience, FollowUp
from bot.rules.kernel.errors import UserError
from bot.store.records import EntryId, EntryRecord, FollowUpId
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, access_in, game_of
from bot.table.base.live_rows import LiveRows, MessagePlace, News, RowKey, place_with
from bot.table.base.results import Result, blind_result, fact_of, is_blind, result_of
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, look, unit
from bot.table.journal.entries import TooLate, closed_by, may_see
from bot.table.journal.shared_prompts import (
    FOLLOWED,
    MOVES,
    access_of_nobody,
    board_kind,
    gathering_at,
    is_secret,
    opened_key,
    shown,
    tells_roller,
    view_of,
)
from bot.table.play import play
from bot.table.play.actions import Action, Outdated, do
from bot.table.play.play import NOTHING_GIVEN, Given, NoLongerOpen, move_of, presser


class NoLongerOffered(TooLate):
    """The pressed option of a shared prompt is gone."""

    def __init__(self) -> None:
        super().__init__("That has already been done or is closed.")


class Joined(Struct, frozen=True, kw_only=True):
    """The result of a press at a shared prompt."""

    whole: Result  # what its message shows from now on
    own: Result | None  # the press's own message; None if the prompt's message shows all of it


def mark_of_deal(follow_up: FollowUp) -> str:
    """Return a fingerprint of an offer's deal, short enough for a button's id."""
    return hashlib.sha256(follow_up.deal.encode()).hexdigest()[:8] if follow_up.deal else ""


@unit()
def join(at: Turn, id_: EntryId, name: str, given: Given = NOTHING_GIVEN, mark: str = "") -> Joined:
    """Press an option of a shared prompt.

    Args:
        id_: The entry that opened it.
        name: The name of the option.
        given: The choice or text that came with it.
        mark: The fingerprint of its deal as shown; see `mark_of_deal`.

    Raises:
        FormWanted: If the person must fill in a form first.
        UserError: If the person may not, or it is no longer offered; then nothing has changed.
    """
    opening, access = _open(at, id_)
    again = at.tx.entry_of(at.server, at.request.interaction)
    if again is not None:
        return _joined(at.tx, access, opening, again)
    offered = _offered(at.tx, access, opening, name)
    if mark and mark != mark_of_deal(offered):  # a message of a release that knew no deals has no marks
        raise Outdated(now=offered.deal)
    move = _move(at.tx, access, opening, offered, given)
    result = do(at.table, at.tx, move)
    done = at.tx.entry(at.server, result.entry)
    if done is None:  # it has just been journalled
        raise LookupError(f"entry {result.entry} is gone")
    return _joined(at.tx, access, opening, done)


def _offered(tx: Reader, access: Access, opening: EntryRecord, name: str) -> FollowUp:
    view = view_of(tx, access, opening)
    if view is None:
        raise NoLongerOpen
    found = next((one for one in view.follow_ups if one.group == name), None)
    if found is None:
        raise NoLongerOffered
    return found


def _move(tx: Transaction, access: Access, opening: EntryRecord, follow_up: FollowUp, given: Given) -> Action:
    """Return the action of a press; a secret one is journalled in the name of who opened the prompt."""
    key = opened_key(opening) or ""
    actor = presser(tx, access, follow_up)
    is_gms = gathering_at(access.game, key).is_gms
    move = replace(move_of(tx, access, follow_up, actor, given), part_of=opening, is_gms=is_gms)
    countdown = fact_of(opening, MOVES)
    if isinstance(countdown, int):
        move = replace(move, linked=countdown)
    if not is_secret(tx, access, opening):
        return move
    if tells_roller(tx, access, opening):
        return replace(move, is_secret=True)
    asker = replace(access.request, person=opening.person, person_name=opening.person_name)
    return replace(move, is_secret=True, teller=replace(access, request=asker))


def _open(at: ReadTurn, id_: EntryId) -> tuple[EntryRecord, Access]:
    """Return the opening entry of a shared prompt, and the person's access there."""
    opening = at.reader.entry(at.server, id_)
    campaign = None if opening is None else at.reader.campaign(at.server, opening.campaign)
    if opening is None or campaign is None or opening.undone_by is not None:
        raise NoLongerOpen
    access = access_in(at.table, at.reader, at.request, campaign)
    if not may_see(access, opening):
        raise NoLongerOpen
    if campaign.is_archived:
        raise UserError("That campaign is archived.")
    return opening, access


def _joined(tx: Reader, access: Access, opening: EntryRecord, done: EntryRecord) -> Joined:
    own = _own(tx, access, opening, done)
    return Joined(whole=shown(tx, access, opening), own=own)


def _own(tx: Reader, access: Access, opening: EntryRecord, done: EntryRecord) -> Result | None:
    """Return a press's own message, if it has menus, is no answer, or is for the person alone."""
    if not may_see(access, done) or done.shown_in is not None:
        return None
    if is_secret(tx, access, opening) and not tells_roller(tx, access, opening):
        return None
    result = shown(tx, access, done)
    tells_more = (
        not result.message.is_public
        or result.gathering is not None
        or any(_is_players_menu(one.follow_up) for one in result.follow_ups)
        or not _is_shown(tx, access, opening, done)
    )
    return result if tells_more else None


def _is_players_menu(follow_up: FollowUp) -> bool:
    return bool(follow_up.choices) and follow_up.audience is not Audience.GM


def _is_shown(tx: Reader, access: Access, opening: EntryRecord, done: EntryRecord) -> bool:
    """Return whether the prompt's message shows the press: as an answer, or because the prompt ended."""
    view = view_of(tx, access, opening)
    if view is None:
        return False
    is_part = any(part.moment == done.interaction for part in view.parts)
    tells = gathering_at(access.game, opened_key(opening) or "").tells
    is_part = is_part or done.kind.removeprefix("play.") in tells
    return is_part or not (done.rolls or done.told.get("changes") or done.told.get("verdict"))


@unit()
def follow_part(at: Turn, id_: EntryId, follow_up: FollowUpId, given: Given = NOTHING_GIVEN) -> Joined:
    """Press a follow-up of somebody's answer.

    Args:
        id_: The entry that opened the shared prompt.
        follow_up: The pressed follow-up.
        given: The choice or text that came with it.

    Raises:
        FormWanted: If the person must fill in a form first.
        UserError: If the person may not, or it is no longer open; then nothing has changed.
    """
    opening, access = _open(at, id_)
    pressed = play.press_in(at.table, at.tx, replace(at.request, message=None), follow_up, given)
    opening, access = _open(at, id_)
    done = at.tx.entry(at.server, pressed.result.entry)
    if done is None:  # it has just been journalled
        raise LookupError(f"entry {pressed.result.entry} is gone")
    return _joined(at.tx, access, opening, done)


@look()
def look_closer(at: ReadTurn, id_: EntryId) -> tuple[Result, ...]:
    """Return a shared prompt as the person may see it, then every answer that they may see in full.

    Raises:
        UserError: If it is gone, or not for them.
    """
    opening, access = _open(at, id_)
    whole = shown(at.reader, access, opening, for_gm=access.is_gm)
    if whole.gathering is not None and not access.is_gm:  # what they may press stands in its message
        whole = replace(whole, gathering=replace(whole.gathering, beside=()))
    parts = () if whole.gathering is None else whole.gathering.view.parts
    found = [at.reader.entry_of(at.server, part.moment) for part in parts if part.moment]
    return (whole, *(result_of(one, ()) for one in found if one is not None and may_see(access, one)))


@look()
def with_controls(at: ReadTurn, id_: EntryId, *, for_gm: bool) -> Result:
    """Return the message of a result with what can be pressed in it.

    Args:
        id_: The entry that it shows.
        for_gm: Whether a GM's buttons are asked for; anybody else is refused then.

    Raises:
        UserError: If it is gone, or not for them.
    """
    opening, access = _open(at, id_)
    if for_gm:
        access.require_gm()
    return shown(at.reader, access, opening)


# --- the message -------------------------------------------------------------------------------


class Standing(Struct, frozen=True, kw_only=True):
    """A message, and what it should show."""

    channel: int
    message: int | None  # the message's id; None if unknown
    shown: str | None  # the fingerprint of what it showed last; None if not stored
    whole: Result  # what it should show


async def standing(table: Table, place: MessagePlace) -> Standing | None:
    """Return a message as it should look now; None if there is no such entry."""

    def query(reader: Reader) -> Standing | None:
        opening = reader.entry(place.server, place.entry)
        access = None if opening is None else access_of_nobody(table, reader, place.server, opening.campaign)
        if opening is None or access is None:
            return None
        row, posted = ROWS.row(reader, place), reader.message(place.server, place.entry)
        now = blind_result(opening) if is_blind(opening) else shown(reader, access, opening)
        mark = None if row is None else row.shown
        if row is not None and row.message is not None:
            return Standing(channel=row.channel, message=row.message, shown=mark, whole=now)
        if posted is not None and now.message.is_public:
            return Standing(channel=posted.channel, message=posted.message, shown=mark, whole=now)
        return Standing(channel=opening.channel, message=None, shown=mark, whole=now)

    return await table.store.read(query)


def _key_of(reader: Reader, place: MessagePlace) -> RowKey | None:
    opening = reader.entry(place.server, place.entry)
    return None if opening is None else (place.server, opening.campaign, board_kind(place.entry))


def _changed_in(table: Table, reader: Reader, news: News) -> list[MessagePlace]:
    """Return the message in which something was undone, and those whose buttons go with what is new."""
    entries = [] if news.turned is None else [news.turned]
    later = None if news.entry is None else reader.entry(news.server, news.entry)
    campaign = None if later is None else reader.campaign(news.server, news.campaign)
    game = None if campaign is None else game_of(table, reader, campaign)
    if later is not None and game is not None:
        entries += closed_by(reader, game, later)
    return [place_with(reader, MessagePlace(news.server, one)) for one in entries]


ROWS = LiveRows(
    kind=FOLLOWED.rstrip("/"),
    tables=frozenset({"documents", "characters", "resources", "wounds", "follow_ups", "sessions"}),
    place_of=lambda row: MessagePlace(row.server, EntryId(int(row.kind.removeprefix(FOLLOWED)))),
    key_of=_key_of,
    more=_changed_in,
    by_entries=frozenset({"documents", "resources", "sessions"}),  # a plain roll redraws no other message
)
