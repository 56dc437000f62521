"""The controls of a sheet: what a character can do now with its chance, and doing it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Act, ActGroup
from bot.rules.kernel.errors import UserError
from bot.store.records import EntryId, EntryRecord, JsonObject, Kept, ServerId
from bot.store.transaction import Reader
from bot.table.base.access import Access, page_of
from bot.table.base.results import Result, fact_of
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, act, look, unit
from bot.table.characters import favorites
from bot.table.characters.characters import SheetView, view
from bot.table.characters.favorites import (
    Favorite,
    Saved,
    favorites_of,
    find_favorite,
    find_offered,
    kept_act,
    kept_body,
    last_act_in_words,
    last_acts,
)
from bot.table.characters.seats import (
    UNTRIED,
    Composed,
    Control,
    NotOffered,
    Seat,
    composed_of,
    is_for_gm,
    keyed,
    places_of,
    state_of,
    take_seat,
    told_each,
    trial_of,
    with_preset,
    with_settings,
)
from bot.table.journal.entries import may_see
from bot.table.play.actions import do
from bot.table.play.owed_answers import key_of
from bot.table.play.play import NOTHING_GIVEN, Given, difficulty_here, move_of, preset_difficulty

PER_PAGE = 25  # acts in a menu
LATELY = 50  # entries of the campaign that are looked through
MOST_STARTS = 3
JOINING = frozenset({"character.create", "character.admit"})
ABOUT = "about"  # the fact that names the character a GM did something to, from its sheet
UNSEEN = {"follow_ups"}  # the tables of which no sheet shows anything
OWN = "own"  # how the key of a favorite begins that is not among the acts offered now


class Controls(Struct, frozen=True, kw_only=True):
    """A sheet with its controls."""

    sheet: SheetView  # the sheet; without its sections where a group, a composer or a menu is open
    now: int = 0  # the character's latest action: a press of older controls does nothing
    latest: str = ""  # their last result in a line, or nothing
    groups: tuple[ActGroup, ...] = ()  # the groups that offer anything
    group: ActGroup | None = None  # the group that is open, or None
    page: int = 0  # which page of it, from 0
    pages: int = 1  # how many there are
    controls: tuple[Control, ...] = ()  # what that page offers
    composed: Composed | None = None  # the act whose composer is open, or None
    asked: Composed | None = None  # the act whose menu is open, or None
    favorites: tuple[Favorite, ...] = ()  # the acts that are kept under a name
    keeps: str = ""  # what the last act does that can become a favorite; empty if there is none
    due: tuple[Control, ...] = ()  # what is still to be done before the character is finished
    starts: tuple[Control, ...] = ()  # the first checks, until favorites take their places
    is_gms: bool = False  # whether it is a GM who looks


@look()
def open_controls(at: ReadTurn, who: int | str | None = None) -> Controls:
    """Return a character's sheet with the groups of what it can do.

    Args:
        who: The character; by default the one the person plays.

    Raises:
        UserError: If the person may not act with it.
    """
    return _home(at, take_seat(at, who))


@look()
def open_group(at: ReadTurn, who: int, group: ActGroup, page: int = 0) -> Controls:
    """Return what a group of a character's controls offers.

    Args:
        who: The character.
        page: Which page of it, from 0; the last one if there are fewer.
    """
    seat = take_seat(at, who)
    place = (seat.record.server, seat.record.id, seat.access.is_gm, group)
    given = (seat.access.game, difficulty_here(at.reader, seat.access))
    acts: Mapping[str, Act] = at.table.offers.find(
        place, given, seat.scene, lambda scene: keyed(replace(seat, scene=scene).acts(group))
    )
    found = page_of(_likeliest_first(seat, at.reader, acts), page, PER_PAGE)
    controls: tuple[Control, ...] = at.table.offers.find(
        (*place, found.number),
        (*given, at.request.person_name, found.shown),
        seat.scene,
        lambda scene: _with_trials(replace(seat, scene=scene), found.shown),
    )
    return replace(
        _heading(seat, at.reader), group=group, page=found.number, pages=found.pages, controls=controls
    )


@look()
def compose(
    at: ReadTurn,
    who: int,
    key: str,
    state: str = "",
    changes: Mapping[int, int] | None = None,
    *,
    asks: bool = False,
) -> Controls:
    """Return an act's composer (or, if *asks*, its menu) with some settings changed; nothing is stored.

    Args:
        who: The character.
        key: The act.
        state: The settings before.
        changes: The place of each setting changed now, with the place of its new value.
        asks: Whether the menu of its choices is opened instead.

    Raises:
        NotOffered: If the character can't do it now.
    """
    seat = take_seat(at, who)
    act = _act(seat, key, at.reader)
    composed = composed_of(seat, key, act, state, changes or {})
    composed = told_each(seat, composed) if asks else composed
    heading = replace(_heading(seat, at.reader), group=act.group)
    return replace(heading, asked=composed) if asks else replace(heading, composed=composed)


@act()
def take(
    at: Turn,
    who: int,
    key: str,
    now: int,
    state: str = "",
    given: Given = NOTHING_GIVEN,
) -> Result:
    """Do what a sheet offers.

    Args:
        who: The character.
        key: The act.
        now: The character's latest action when the controls were shown.
        state: The settings of its composer; empty if it was not opened.
        given: The choice or text that came with the press.

    Raises:
        FormWanted: If the person must fill in a form first.
        UserError: If it is not possible (any more); then nothing has changed.
    """
    seat = take_seat(at, who)
    act = _act(seat, key, at.tx)
    if _number(_latest(at.tx, seat, _newest(at.tx, seat))) != now:
        happened = f"{seat.record.name} has done something else since."
        if is_for_gm(act.do):
            happened = f"Something else has been done by or to {seat.record.name} since."
        raise UserError(happened, "Look at the sheet and press again.")
    if act.why_not:
        raise UserError(act.why_not)
    follow_up = with_settings(act, places_of(act, state, {}))
    move = move_of(at.tx, seat.access, follow_up, seat.record, given)
    if is_for_gm(follow_up):
        move = replace(move, actor=None, facts={ABOUT: seat.record.id})
    return do(at.table, at.tx, move)


# --- favorites --------------------------------------------------------------------------------


@look()
def open_favorite(at: ReadTurn, who: int | None, which: int | str) -> Controls:
    """Return the controls with a favorite as the act whose menu is open; nothing is done.

    Args:
        who: The character; None for the one the person plays.
        which: The favorite, by id or name.

    Raises:
        NoSuchFavorite: If the character has none like that.
    """
    seat = take_seat(at, who)
    record = find_favorite(at.reader, seat.record, which)
    same = (act for act in seat.acts() if act.do.procedure == record.body["procedure"])
    offered = find_offered(record.body, keyed(same))
    key = f"{OWN}{record.id}" if offered is None else offered.key
    state = "" if offered is None else state_of(offered.places)
    composed = composed_of(seat, key, _act(seat, key, at.reader), state, {})
    if offered is not None:
        composed = replace(composed, chosen=offered.chosen)
    asked = told_each(seat, composed)
    return replace(_heading(seat, at.reader), group=composed.control.act.group, asked=asked)


@unit()
def keep(at: Turn, who: int, key: str, state: str, name: str, *, now: int = 0) -> Saved:
    """Save an act with its settings as a favorite, without doing it.

    Args:
        who: The character.
        key: The act; nothing for the last one that was done.
        state: The settings of its composer.
        name: The favorite's name.
        now: The character's latest action when the controls were shown.

    Raises:
        UserError: If the character can't do it now, or the name is empty.
    """
    seat = take_seat(at, who)
    if key:
        act = _act(seat, key, at.tx)
        body = kept_body(with_settings(act, places_of(act, state, {})), act.do.label)
    else:
        body = next(last_acts(at.tx, seat.access, seat.record, EntryId(now)), {})
    if not body:
        raise NotOffered
    return favorites.save(at.tx, seat.record, name, body)


def _with_trials(seat: Seat, shown: Iterable[tuple[str, Act]]) -> tuple[Control, ...]:
    return tuple(
        Control(key=key, act=act, trial=trial_of(seat, act.do) if not act.why_not else UNTRIED)
        for key, act in shown
    )


def _likeliest_first(seat: Seat, reader: Reader, acts: Mapping[str, Act]) -> list[tuple[str, Act]]:
    """The acts of a group: favorites first, then those done most often lately."""
    kept = [one.body for one in reader.favorites(seat.record.server, seat.record.id)]
    first = _offered_keys(kept, acts)
    used = _offered_keys(last_acts(reader, seat.access, seat.record), acts)
    return sorted(acts.items(), key=lambda one: (one[0] not in first, -used[one[0]]))


def _offered_keys(bodies: Iterable[JsonObject], acts: Mapping[str, Act]) -> Counter[str]:
    """How many of some kept acts each of the acts offered now is."""
    found = (find_offered(one, acts) for one in bodies)
    return Counter(one.key for one in found if one is not None)


def listen(table: Table, tell: Callable[[ServerId, int | None], None]) -> Callable[[], None]:
    """Call a listener after each commit with the server whose sheets may have changed.

    Where an action changed nothing, it is told whose sheet shows that action; None means every sheet.

    Returns:
        A function that stops it.
    """
    return table.store.listen(lambda kept: tell(kept.server, _only_in(kept)))


def _only_in(kept: Kept) -> int | None:
    """The only character whose sheet an entry may change; None if it may be any."""
    is_action = kept.turned is None and kept.tables <= UNSEEN
    return kept.character if is_action else None


# --- what there is -----------------------------------------------------------------------------


def _act(seat: Seat, key: str, reader: Reader) -> Act:
    act = seat.find(key)
    if act is not None:
        return act
    number = key.removeprefix(OWN)
    if number == key or not number.isdecimal():
        raise NotOffered
    kept = kept_act(reader, seat.access, find_favorite(reader, seat.record, int(number)))
    return with_preset(kept, preset_difficulty(reader, seat.access, kept.do.procedure, {}))


def _heading(seat: Seat, reader: Reader) -> Controls:
    """Whose controls they are, without the sheet itself."""
    record = seat.record
    sheet = SheetView(
        id=record.id, name=record.name, game=seat.access.game.title, owner=record.owner, sections=()
    )
    latest = _latest(reader, seat, _newest(reader, seat))
    words = _words(seat.access, latest)
    return Controls(sheet=sheet, now=_number(latest), latest=words, is_gms=seat.access.is_gm)


class _Offers(Struct, frozen=True):
    """What a sheet offers before anything of it is opened."""

    groups: tuple[ActGroup, ...]
    due: tuple[Control, ...]
    starts: tuple[Control, ...]


def _home(at: ReadTurn, seat: Seat) -> Controls:
    newest = _newest(at.reader, seat)
    latest = _latest(at.reader, seat, newest)
    kept = favorites_of(at.reader, seat.record)
    most = 0 if seat.access.is_gm else max(0, MOST_STARTS - len(kept))
    offers: _Offers = at.table.offers.find(
        (seat.record.server, seat.record.id, seat.access.is_gm, most),
        (seat.access.game, difficulty_here(at.reader, seat.access)),
        seat.scene,
        lambda scene: _offers(replace(seat, scene=scene), most),
    )
    return Controls(
        sheet=view(at, seat.record, seat.scene.actor),
        now=_number(latest),
        latest=_words(seat.access, latest),
        groups=offers.groups,
        favorites=kept,
        keeps=last_act_in_words(at.reader, seat.access, seat.record, newest),
        due=offers.due,
        starts=offers.starts,
        is_gms=seat.access.is_gm,
    )


def _offers(seat: Seat, most: int) -> _Offers:
    offered, due_acts = seat.groups_and_due()
    waiting = keyed(act for act in due_acts if not act.why_not)
    return _Offers(
        groups=tuple(group for group in ActGroup if group in offered),
        due=tuple(Control(key=key, act=act) for key, act in waiting.items()),
        starts=_starts(seat, most),
    )


def _starts(seat: Seat, most: int) -> tuple[Control, ...]:
    """The first checks that are possible now, one of them at least to be rolled at once."""
    if not most:
        return ()
    checks = (act for act in seat.acts(ActGroup.CHECK) if not act.why_not)
    tried = ((act, trial_of(seat, act.do)) for act in checks)
    able = (Control(key=key_of(act.do), act=act, trial=one) for act, one in tried if not one.problem)
    first = list(islice(able, most))
    if first and not any(map(_is_direct, first)):
        first[-1] = next(filter(_is_direct, able), first[-1])
    return tuple(first)


def _is_direct(control: Control) -> bool:
    """Whether a press does it, with nothing to be chosen or written first."""
    return len(control.act.do.choices) <= 1 and not control.act.do.blanks


def _newest(reader: Reader, seat: Seat) -> EntryRecord | None:
    """The character's own latest action."""
    server, campaign = seat.access.request.server, seat.access.campaign.id
    found = reader.entries(server, campaign, character=seat.record.id, is_brief=True, limit=1)
    return found[0] if found else None


def _latest(reader: Reader, seat: Seat, newest: EntryRecord | None) -> EntryRecord | None:
    """The character's own latest action; for a GM what was done to it from its sheet, if that is later."""
    if not seat.access.is_gm:
        return newest
    server, campaign, who = seat.access.request.server, seat.access.campaign.id, seat.record.id
    for id_ in reader.entries_with(server, campaign, f'"{ABOUT}":{who}', among=LATELY):
        if newest is not None and id_ <= newest.id:
            break
        entry = reader.entry(server, id_)
        if entry is not None and fact_of(entry, ABOUT) == who:
            return entry
    return newest


def _number(entry: EntryRecord | None) -> int:
    return 0 if entry is None else entry.id


def _words(access: Access, entry: EntryRecord | None) -> str:
    """A result in a line: what was done and what came of it; nothing of having joined."""
    if entry is None or entry.kind in JOINING or entry.undone_by is not None or not may_see(access, entry):
        return ""
    message = entry.told
    verdict = message.get("verdict")
    title = verdict.get("title") if isinstance(verdict, dict) else None
    who = message.get("who") if entry.character is None else ""
    words = [" ".join(str(one) for one in (who, message.get("headline")) if one), title]
    return " · ".join(str(one) for one in words if one)
