"""The controls of a sheet: what a character can do now with its chance, and doing it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

from bot.rules.kernel import Act, ActGroup, CharacterId, Document, FollowUp, Odds, PersonId, Scene, evolve
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.play import Audience
from bot.rules.kernel.wording import signed
from bot.store.boundary import Reader, Transaction
from bot.store.records import CharacterRecord, EntryId, EntryRecord, JsonObject, ServerId
from bot.table.base.access import Access, access_here, find_character, may_play, require_character
from bot.table.base.option_types import value_words, values_of
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.base.typed_options import read_choice
from bot.table.characters import favourites
from bot.table.characters.characters import SheetView, view
from bot.table.characters.favourite_acts import find_offered, kept_act, kept_body
from bot.table.characters.favourites import Favourite, Saved, favourites_of, find_favourite, last_acts
from bot.table.journal.gathered import scene_to_look_at
from bot.table.journal.journal import told_before
from bot.table.play.doing import do
from bot.table.play.offer_keys import key_of
from bot.table.play.play import NOTHING_GIVEN, Given, find_procedure, move_of

PER_PAGE = 25  # acts in a menu
MOST_STARTS = 3
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
OWN = "own"  # how the key of a favourite begins that is not among the acts offered now
TRIED_WITH = bytes(32)  # the seed of dice that are thrown to learn a chance; nobody sees them


class NotOffered(UserError):
    """The sheet does not offer this now."""

    def __init__(self) -> None:
        super().__init__(
            "That is no longer possible.", "Nothing was changed. Your sheet shows what you can do now."
        )


class NotTheirs(UserError):
    """Somebody presses the controls of a character that is not theirs.

    Args:
        name: The character.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} isn't your character.", "Only its player or a GM can act with it.")


@dataclass(frozen=True, slots=True)
class Trial:
    """What trying an act on a copy of the scene showed.

    Attributes:
        odds: The exact chances of the first roll; None where nothing is rolled.
        notes: How it would be rolled: against what, with which modifiers. Without a roll, what comes of it.
        problem: Why it can't be done; empty if it can.
        is_roll: Whether any dice are rolled.
    """

    odds: Odds | None = None
    notes: tuple[str, ...] = ()
    problem: str = ""
    is_roll: bool = False

    @property
    def chance(self) -> Fraction | None:
        """The exact chance that it does what is needed; None where that is not known."""
        return None if self.odds is None else self.odds.enough


@dataclass(frozen=True, slots=True)
class Setting:
    """One option of an act in its composer.

    Attributes:
        field: The option.
        title: What it is called.
        values: What it can be set to, in words.
        chosen: Which of them is set, counted from 0.
        is_switch: Whether it is a yes or a no.
    """

    field: str
    title: str
    values: tuple[str, ...]
    chosen: int
    is_switch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """An act as a sheet offers it.

    Attributes:
        key: Names it in a button.
        act: The act.
        trial: Its chance and whether it is possible, where it was tried.
    """

    key: str
    act: Act
    trial: Trial = Trial()


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """An act in its composer.

    Attributes:
        control: The act with the settings in force.
        settings: Everything that can be set.
        state: The settings as a button's id has them.
        chosen: The entry of its menu that is chosen already, or nothing.
    """

    control: Control
    settings: tuple[Setting, ...]
    state: str
    chosen: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """A sheet with its controls.

    Attributes:
        sheet: The sheet.
        now: The character's latest action: a press of older controls does nothing.
        latest: Their last result in a line, or nothing.
        groups: The groups that offer anything.
        group: The group that is open, or None.
        page: Which page of it, from 0.
        pages: How many there are.
        controls: What that page offers.
        composed: The act whose composer is open, or None.
        asked: The act whose menu is open, or None.
        favourites: The acts that are kept under a name.
        keeps: What the last act does that can become a favourite; empty if there is none.
        due: What is still to be done before the character is finished.
        starts: Checks to begin with; none once the character has acted.
    """

    sheet: SheetView
    now: int = 0
    latest: str = ""
    groups: tuple[ActGroup, ...] = ()
    group: ActGroup | None = None
    page: int = 0
    pages: int = 1
    controls: tuple[Control, ...] = ()
    composed: Composed | None = None
    asked: Composed | None = None
    favourites: tuple[Favourite, ...] = ()
    keeps: str = ""
    due: tuple[Control, ...] = ()
    starts: tuple[Control, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seat:
    """A character with everything needed to look at what it can do."""

    access: Access
    record: CharacterRecord
    scene: Scene
    acts: Mapping[str, Act]


async def open_controls(table: Table, request: Request, who: int | str | None = None) -> Controls:
    """Return a character's sheet with the groups of what it can do.

    Args:
        table: The table.
        request: Who asks, and where.
        who: The character; by default the one the person plays.

    Raises:
        UserError: If the person may not act with it.
    """
    return await table.store.read(lambda reader: _home(_seat(table, reader, request, who), reader))


async def open_group(table: Table, request: Request, who: int, group: ActGroup, page: int = 0) -> Controls:
    """Return what a group of a character's controls offers.

    Args:
        table: The table.
        request: Who asks, and where.
        who: The character.
        group: The group.
        page: Which page of it, from 0; the last one if there are fewer.
    """

    def query(reader: Reader) -> Controls:
        seat = _seat(table, reader, request, who)
        found = _likeliest_first(seat, reader, group)
        pages = max(1, -(-len(found) // PER_PAGE))
        shown = min(page, pages - 1)
        controls = tuple(
            Control(key=key, act=act, trial=_trial(seat, act.do) if not act.why_not else Trial())
            for key, act in found[shown * PER_PAGE : (shown + 1) * PER_PAGE]
        )
        home = _home(seat, reader)
        return replace(home, group=group, page=shown, pages=pages, controls=controls)

    return await table.store.read(query)


async def compose(
    table: Table,
    request: Request,
    who: int,
    key: str,
    state: str = "",
    changes: Mapping[int, int] | None = None,
    *,
    asks: bool = False,
) -> Controls:
    """Return an act's composer (or, if *asks*, its menu) with some settings changed; nothing is stored.

    Args:
        table: The table.
        request: Who asks, and where.
        who: The character.
        key: The act.
        state: The settings before.
        changes: The place of each setting changed now, with the place of its new value.
        asks: Whether the menu of its choices is opened instead.

    Raises:
        NotOffered: If the character can't do it now.
    """

    def query(reader: Reader) -> Controls:
        seat = _seat(table, reader, request, who)
        act = _act(seat, key, reader)
        composed = _composed(seat, key, act, state, changes or {})
        home = replace(_home(seat, reader), group=act.group)
        return replace(home, asked=composed) if asks else replace(home, composed=composed)

    return await table.store.read(query)


async def take(
    table: Table,
    request: Request,
    who: int,
    key: str,
    now: int,
    state: str = "",
    given: Given = NOTHING_GIVEN,
) -> Result:
    """Do what a sheet offers.

    Args:
        table: The table.
        request: Who pressed, and where.
        who: The character.
        key: The act.
        now: The character's latest action when the controls were shown.
        state: The settings of its composer; empty if it was not opened.
        given: The choice or text that came with the press.

    Raises:
        FormWanted: If the person must fill in a form first.
        UserError: If it is not possible (any more); then nothing has changed.
    """

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        seat = _seat(table, tx, request, who)
        act = _act(seat, key, tx)
        if _number(_latest(tx, seat)) != now:
            raise UserError(
                f"{seat.record.name} has done something else since.", "Look at your sheet and press again."
            )
        if act.why_not:
            raise UserError(act.why_not)
        follow_up = _set(seat, act, _places(seat, act, state, {}))
        move = move_of(tx, seat.access, follow_up, seat.record, given)
        return do(table, tx, move)

    return await table.store.run(unit)


# --- favourites --------------------------------------------------------------------------------


async def open_favourite(table: Table, request: Request, who: int | None, which: int | str) -> Controls:
    """Return the controls with a favourite as the act whose menu is open; nothing is done.

    Args:
        table: The table.
        request: Who asks, and where.
        who: The character; None for the one the person plays.
        which: The favourite, by id or name.

    Raises:
        NoSuchFavourite: If the character has none like that.
    """

    def query(reader: Reader) -> Controls:
        seat = _seat(table, reader, request, who)
        record = find_favourite(reader, seat.record, which)
        offered = find_offered(record.body, seat.acts)
        key = f"{OWN}{record.id}" if offered is None else offered.key
        state = "" if offered is None else "".join(DIGITS[one] for one in offered.places)
        composed = _composed(seat, key, _act(seat, key, reader), state, {})
        if offered is not None:
            composed = replace(composed, chosen=offered.chosen)
        return replace(_home(seat, reader), group=composed.control.act.group, asked=composed)

    return await table.store.read(query)


async def keep(
    table: Table, request: Request, who: int, key: str, state: str, name: str, *, now: int = 0
) -> Saved:
    """Save an act with its settings as a favourite, without doing it.

    Args:
        table: The table.
        request: Who asks, and where.
        who: The character.
        key: The act; nothing for the last one that was done.
        state: The settings of its composer.
        name: The favourite's name.
        now: The character's latest action when the controls were shown.

    Raises:
        UserError: If the character can't do it now, or the name is empty.
    """

    def unit(tx: Transaction) -> Saved:
        seat = _seat(table, tx, request, who)
        if key:
            act = _act(seat, key, tx)
            body = kept_body(_set(seat, act, _places(seat, act, state, {})), act.do.label)
        else:
            body = next(last_acts(tx, seat.access, seat.record, EntryId(now)), {})
        if not body:
            raise NotOffered
        return favourites.save(tx, seat.record, name, body)

    return await table.store.run(unit)


def _likeliest_first(seat: _Seat, reader: Reader, group: ActGroup) -> list[tuple[str, Act]]:
    """The acts of a group: favourites first, then those done most often lately."""
    acts = {key: act for key, act in seat.acts.items() if act.group is group}
    kept = [one.body for one in reader.favourites(seat.record.server, seat.record.id)]
    first = _offered_keys(kept, acts)
    used = _offered_keys(last_acts(reader, seat.access, seat.record), acts)
    return sorted(acts.items(), key=lambda one: (one[0] not in first, -used[one[0]]))


def _offered_keys(bodies: Iterable[JsonObject], acts: Mapping[str, Act]) -> Counter[str]:
    """How many of some kept acts each of the acts offered now is."""
    found = (find_offered(one, acts) for one in bodies)
    return Counter(one.key for one in found if one is not None)


def listen(table: Table, tell: Callable[[ServerId], None]) -> Callable[[], None]:
    """Call a listener after each commit with the server whose sheets may have changed.

    Returns:
        A function that stops it.
    """
    return table.store.listen(lambda kept: tell(kept.server))


# --- what there is -----------------------------------------------------------------------------


def _seat(table: Table, reader: Reader, request: Request, who: int | str | None) -> _Seat:
    access = access_here(table, reader, request)
    if who is None:
        record = require_character(reader, access)
    else:
        record = find_character(reader, access, who)
        if not may_play(reader, access, record):
            raise NotTheirs(record.name)
    scene = scene_to_look_at(reader, access, for_gm=access.is_gm)
    scene = replace(
        scene,
        channel=str(request.channel),
        actor_id=CharacterId(record.id),
        person=PersonId(request.person),
        find_character=cache(scene.find_character),
        find_document=cache(scene.find_document),
    )
    return _Seat(access, record, scene, {key_of(act.do): act for act in _acts(access, scene)})


def _acts(access: Access, scene: Scene) -> Iterator[Act]:
    """Everything the character can do: on its turn in a fight, and besides."""
    tracker = access.game.tracker
    for follow_up in () if tracker is None else tracker.choices(scene):
        if follow_up.character == scene.actor_id and follow_up.audience is not Audience.GM:
            yield Act(group=ActGroup.FIGHT, do=follow_up)
    yield from access.game.acts(scene)


def _act(seat: _Seat, key: str, reader: Reader) -> Act:
    act = seat.acts.get(key)
    if act is not None:
        return act
    number = key.removeprefix(OWN)
    if number == key or not number.isdecimal():
        raise NotOffered
    return kept_act(reader, seat.access, find_favourite(reader, seat.record, int(number)))


def _home(seat: _Seat, reader: Reader) -> Controls:
    offered = {act.group for act in seat.acts.values()}
    latest = _latest(reader, seat)
    is_new = latest is None or latest.kind.startswith("character.")
    due = tuple(Control(key=key, act=act) for key, act in seat.acts.items() if act.is_due and not act.why_not)
    return Controls(
        sheet=view(reader, seat.access, seat.record),
        now=_number(latest),
        latest=_words(latest),
        groups=tuple(group for group in ActGroup if group in offered),
        favourites=favourites_of(reader, seat.record),
        keeps=_kept_label(next(last_acts(reader, seat.access, seat.record), None)),
        due=due,
        starts=_starts(seat) if is_new and not due else (),
    )


def _starts(seat: _Seat) -> tuple[Control, ...]:
    """The first checks that are possible now."""
    checks = ((key, act) for key, act in seat.acts.items() if act.group is ActGroup.CHECK and not act.why_not)
    able = (Control(key=key, act=act) for key, act in checks if not _trial(seat, act.do).problem)
    return tuple(islice(able, MOST_STARTS))


def _kept_label(body: JsonObject | None) -> str:
    return "" if body is None else str(body["label"])


def _latest(reader: Reader, seat: _Seat) -> EntryRecord | None:
    """The character's latest action."""
    server, campaign = seat.access.request.server, seat.access.campaign.id
    found = reader.entries(server, campaign, character=seat.record.id, limit=1)
    return found[0] if found else None


def _number(entry: EntryRecord | None) -> int:
    return 0 if entry is None else entry.id


def _words(entry: EntryRecord | None) -> str:
    """A result in a line: what was done and what came of it."""
    if entry is None or entry.undone_by is not None:
        return ""
    message = entry.told
    verdict = message.get("verdict")
    title = verdict.get("title") if isinstance(verdict, dict) else None
    words = [message.get("headline"), title]
    return " · ".join(str(one) for one in words if one)


# --- trying and setting ------------------------------------------------------------------------


def _trial(seat: _Seat, follow_up: FollowUp) -> Trial:
    """Try an act on a copy of the scene: the chance is that of the very code that is played.

    One that asks for a choice is possible if any of its choices is.
    """
    if follow_up.blanks:
        return Trial()
    first = _try(seat, follow_up.procedure, follow_up.options)
    if not follow_up.choices:
        return first
    if not first.problem:
        return first if first.is_roll else Trial()  # what comes of it depends on the choice
    tries = (_try(seat, follow_up.procedure, _with(follow_up, one.value)) for one in follow_up.choices)
    return next((one for one in tries if not one.problem), first)


def _with(follow_up: FollowUp, value: str) -> Document:
    """The options once something is chosen."""
    options = follow_up.options
    read = read_choice(type(options), follow_up.chosen, value)
    return type(options).model_validate({**options.model_dump(), follow_up.chosen: read})


def _try(seat: _Seat, procedure: str, options: Document) -> Trial:
    try:
        outcome = find_procedure(seat.access, procedure).run(
            seat.scene, options, FairDice(TRIED_WITH, "trial")
        )
    except UserError as problem:
        return Trial(problem=problem.what)
    if not outcome.rolls:
        told = outcome.verdict
        return Trial(notes=(f"{seat.record.name} {outcome.headline}" if told is None else told.title,))
    roll = outcome.rolls[0]
    odds = roll.told_odds
    chance = None if odds is None else odds.enough
    # Without a chance to reach something, what it is against are dice, and these are not the real ones.
    notes = [f"against {roll.against}"] if roll.against and chance is not None else []
    notes += [f"{term.label} {signed(term.value)}" for term in roll.terms]
    return Trial(odds=odds, notes=tuple(notes), is_roll=True)


def _composed(seat: _Seat, key: str, act: Act, state: str, changes: Mapping[int, int]) -> Composed:
    places = _places(seat, act, state, changes)
    follow_up = _set(seat, act, places)
    settings = tuple(
        Setting(field, title, _value_words(act, field, values), place, values[0] is False)
        for (field, title, values), place in zip(_fields(seat, act), places, strict=True)
    )
    trial = Trial() if act.why_not else _trial(seat, follow_up)
    control = Control(key=key, act=replace(act, do=follow_up), trial=trial)
    return Composed(control=control, settings=settings, state="".join(DIGITS[one] for one in places))


def _fields(seat: _Seat, act: Act) -> list[tuple[str, str, Sequence[Any]]]:
    """Each option that can be set: its field, its title and its values."""
    model = type(act.do.options)
    options = act.do.options
    return [
        (field, title, _named(act, field) or values_of(model.model_fields[field], getattr(options, field)))
        for field, title in act.adjusts.items()
    ]


def _named(act: Act, field: str) -> tuple[str, ...]:
    """The values that the act names for an option."""
    return tuple(one.value for one in act.values.get(field, ()))


def _value_words(act: Act, field: str, values: Sequence[Any]) -> tuple[str, ...]:
    named = act.values.get(field, ())
    return tuple(one.label for one in named) or tuple(value_words(one) for one in values)


def _places(seat: _Seat, act: Act, state: str, changes: Mapping[int, int]) -> list[int]:
    """The place of each setting's value; a state of other settings is not taken."""
    fields = _fields(seat, act)
    if len(state) != len(fields):
        state = ""
    places = []
    for number, (field, _title, values) in enumerate(fields):
        place = list(values).index(getattr(act.do.options, field))
        if state:
            place = DIGITS.find(state[number])
        place = changes.get(number, place)
        if not 0 <= place < len(values):
            raise NotOffered
        places.append(place)
    return places


def _set(seat: _Seat, act: Act, places: Sequence[int]) -> FollowUp:
    """The act's follow-up with its options set."""
    fields = _fields(seat, act)
    chosen = {field: values[place] for (field, _title, values), place in zip(fields, places, strict=True)}
    preset = {field: getattr(act.do.options, field) for field in chosen}
    changed = {field: value for field, value in chosen.items() if value != preset[field]}
    return replace(act.do, options=evolve(act.do.options, **changed)) if changed else act.do
