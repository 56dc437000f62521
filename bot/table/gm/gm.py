"""The GM's use cases: award, set values (also by typing them), make NPCs, reset, purge."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import AwardRule, Character, CharacterId, ResourceRule, Scene, WoundTrack
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import MINUS, amount_of, listed
from bot.rules.kernel.tracker import ENCOUNTER, REVEAL
from bot.rules.shared.countdowns import day_of
from bot.rules.shared.encounters import Encounter
from bot.store.records import NO_LIMIT, CharacterRecord, JsonObject
from bot.store.rows import name_key
from bot.store.transaction import Reader
from bot.table.base.access import Access, ForGmOnly, Request, as_played
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, act, look, unit
from bot.table.characters.characters import add_character
from bot.table.journal import recap
from bot.table.journal.scenes import SceneKeeper, load_document, run_hook
from bot.table.play import countdowns, play
from bot.table.sessions import endings

LONGEST_WAIT_SECONDS = 366 * 24 * 3600


def _edit(
    at: Turn,
    names: Sequence[str | int],
    kind: str,
    headline: str,
    change: Callable[[Scene, Character], Scene],
    *,
    facts: JsonObject | None = None,
    session: int | None = None,
) -> Result:
    """Change characters as a GM; where there are facts, the names are stored among them."""
    stored = [at.character(name) for name in dict.fromkeys(names)]
    if not stored:
        raise UserError("Name at least one character.", try_this="See who is here with /character list.")
    keeper = SceneKeeper(at.tx, at.access)
    scene = keeper.scene(None)
    for one in stored:
        scene = change(scene, as_played(at.game, one))
    is_secret = any(one.is_hidden for one in stored)
    changes = keeper.changes(scene, with_hidden=is_secret)
    keeper.keep(scene)
    called = [one.name for one in stored]
    return at.log(
        kind,
        headline,
        changes=changes,
        notes=() if changes else (f"For {', '.join(called)}.",),
        secret=is_secret,
        facts={**facts, "names": [*called]} if facts else None,
        session=session,
    )


# --- resources, wounds, timers -----------------------------------------------------------------


@act(gm=True)
def award(
    at: Turn,
    resource: str,
    amount: int,
    names: Sequence[str | int],
    *,
    session: int | None = None,
    is_first: bool = False,
) -> Result:
    """Give characters an amount of a resource (or anything else the game awards), or take it away.

    Args:
        resource: Its key or title.
        amount: How much; less than 0 takes.
        names: The characters, by name or id.
        session: The session that it rewards, if not the running one.
        is_first: Whether it is refused if that session has been rewarded with it already.

    Raises:
        UserError: If one of them would fall below 0 or rise above the cap; then nobody gets any.
    """
    if amount == 0:
        raise UserError("An award of 0 wouldn't change anything.")
    if session is not None:
        recap.find_session(at.tx, at.access, session)
    rule = _awarded(at.access, resource)
    if session is not None and is_first:
        endings.require_not_awarded(at.tx, at.access, session, rule.key)

    def given(scene: Scene, character: Character) -> Scene:
        if isinstance(rule, AwardRule):
            return scene.with_character(replace(character, sheet=rule.give(character.sheet, amount)))
        now = character.left(rule.key) + amount
        return scene.with_character(_with_resource(at.access, character, rule, now))

    done = "awards" if amount > 0 else "takes"
    headline = f"{done} {amount_of(abs(amount), rule.title)}"
    facts: JsonObject = {recap.AWARDS: [{"title": rule.title, "amount": amount}]}
    if amount > 0:
        facts |= {"awarded": rule.key, "amount": amount}
    return _edit(at, names, recap.AWARDED, headline, given, facts=facts, session=session)


@act(gm=True)
def set_resource(at: Turn, resource: str, value: int, name: str | int) -> Result:
    """Set a character's amount of a resource.

    Raises:
        UserError: If it is not allowed, or is that amount already.
    """
    rule = _resource(at.access, resource)

    def changed(scene: Scene, character: Character) -> Scene:
        after = _with_resource(at.access, character, rule, value)
        if after.resources == character.resources:
            raise UserError(
                f"{character.name} already has {amount_of(value, rule.title)}.", "Nothing was changed."
            )
        return scene.with_character(after)

    return _edit(at, (name,), "gm.set", f"sets {rule.title}", changed)


def _awarded(access: Access, name: str) -> ResourceRule | AwardRule:
    found = (one for one in access.game.awards if name_key(name) in {name_key(one.key), name_key(one.title)})
    return next(found, None) or _resource(access, name, [one.title for one in access.game.awards])


def _resource(access: Access, name: str, others: Sequence[str] = ()) -> ResourceRule:
    counted = access.game.counted(access.settings)
    for rule in counted:
        if name_key(name) in {name_key(rule.key), name_key(rule.title)}:
            return rule
    known = listed((*others, *(rule.title for rule in counted)))
    what = "What can be awarded" if others else "Its resources"
    raise UserError(
        f"{access.game.title} has no resource called “{name}”.",
        f"{what}: {known}.",
    )


def _with_resource(access: Access, character: Character, rule: ResourceRule, value: int) -> Character:
    cap = rule.cap(character.sheet, access.settings)
    has = character.left(rule.key)
    if value < 0:
        raise UserError(f"{character.name} has only {has} {rule.title}, so you can't take that many.")
    if cap is not None and value > max(cap, has):
        raise UserError(f"{character.name} can have at most {cap} {rule.title} (now {has}).")
    return character.with_resource(rule.key, value)


@act(gm=True)
def set_wounds(at: Turn, track: str, level: str, filled: int, name: str | int) -> Result:
    """Set how many boxes of one level of a wound track are filled."""
    found = _track(at.access, track)
    place = _level(found, level)

    def changed(scene: Scene, character: Character) -> Scene:
        capacities = found.capacities(character.sheet)
        if not 0 <= filled <= capacities[place]:
            raise UserError(
                f"You can't fill {filled} boxes of {found.title} {found.levels[place]}.",
                f"{character.name} has {capacities[place]}.",
            )
        boxes = list(character.wounds.get(found.key, (0,) * len(capacities)))
        boxes[place] = filled
        return at.game.with_boxes(scene, character, found.key, tuple(boxes))

    return _edit(at, (name,), "gm.set", f"sets {found.title}", changed)


def _track(access: Access, name: str) -> WoundTrack:
    for track in access.game.wounds:
        if name_key(name) in {name_key(track.key), name_key(track.title)}:
            return track
    known = listed(track.title for track in access.game.wounds)
    raise UserError(f"{access.game.title} has no wound track called “{name}”.", f"Its wound tracks: {known}.")


def _level(track: WoundTrack, name: str) -> int:
    for place, level in enumerate(track.levels):
        if name_key(level) == name_key(name):
            return place
    raise UserError(f"{track.title} has no level called “{name}”.", f"Its levels: {', '.join(track.levels)}.")


@act(gm=True)
def set_timer(at: Turn, timer: str, seconds: int | None, name: str | int) -> Result:
    """Set the game time left on a character's timer, or remove the timer (None)."""
    stored = at.character(name)
    if timer not in stored.timers:  # rulesets know what to do about their own timers only
        raise UserError(f"{stored.name} has no timer called “{timer}”.", _known_timers(stored))
    if seconds is not None and not 1 <= seconds <= LONGEST_WAIT_SECONDS:
        raise UserError("A timer must run for at least 1 second and at most 1 year.")
    due = None if seconds is None else at.campaign.clock + seconds

    def changed(scene: Scene, character: Character) -> Scene:
        return scene.with_character(character.with_timer(timer, due))

    return _edit(at, (stored.id,), "gm.set", "sets a timer", changed)


def _known_timers(stored: CharacterRecord) -> str:
    return f"Running timers: {', '.join(stored.timers)}." if stored.timers else "No timers are running."


# --- characters, sessions ----------------------------------------------------------------------


@act(gm=True)
def make_npc(at: Turn, name: str, *, is_hidden: bool = False) -> Result:
    """Make an NPC; only the GM knows of a hidden one."""
    sheet = at.game.creation.npc()
    return add_character(at, name, sheet, is_npc=True, is_hidden=is_hidden)


async def show_or_hide(table: Table, request: Request, name: str | int, *, is_hidden: bool) -> Result:
    """Show an NPC to everybody, in its fight as well, or hide it from all but the GM."""
    fight = None if is_hidden else await _fight_hiding(table, request, name)
    if fight is None:
        return await _set_hidden(table, request, name, is_hidden=is_hidden)
    channel, called = fight
    there = replace(request, places=(channel, *request.places))
    return await play.perform(table, there, REVEAL, {"character": called})


@act(gm=True)
def _set_hidden(at: Turn, name: str | int, *, is_hidden: bool) -> Result:
    stored = at.character(name)
    if stored.owner is not None:
        raise UserError(f"{stored.name} is a player's character.", "Only NPCs can be hidden.")
    if stored.is_hidden is is_hidden:
        raise UserError(f"{stored.name} is already {'hidden' if is_hidden else 'visible'}.")
    if is_hidden and any(_is_seen_in(fight, stored.id) for _, fight in _fights(at.tx, at.access)):
        raise UserError(f"Everyone sees {stored.name} in a fight.", "Take them out of the fight first.")
    at.tx.save_character(replace(stored, is_hidden=is_hidden))
    headline = "is hidden" if is_hidden else "appears"
    return at.log("gm.hide", headline, by=stored, secret=is_hidden)


@look(gm=True)
def _fight_hiding(at: ReadTurn, name: str | int) -> tuple[int, str] | None:
    """Return the channel of the fight in which somebody is hidden, and their name."""
    stored = at.character(name)
    fights = _fights(at.reader, at.access)
    channel = next((channel for channel, fight in fights if fight.hides(CharacterId(stored.id))), None)
    return None if channel is None else (channel, stored.name)


def _fights(reader: Reader, access: Access) -> Iterator[tuple[int, Encounter[Any]]]:
    """Yield every fight of a campaign, with its channel."""
    for key in reader.document_keys(access.request.server, access.campaign.id, f"{ENCOUNTER}/"):
        fight = load_document(reader, access, key)
        if isinstance(fight, Encounter):
            yield int(key.partition("/")[2]), fight


def _is_seen_in(fight: Encounter[Any], who: int) -> bool:
    return any(one.character == who for one in fight.shown)


@act(gm=True)
def reset(at: Turn) -> Result:
    """Apply by hand the reset that happens between two sessions; the session goes on."""
    hook_result, lines = run_hook(at.tx, at.access, endings.whole_reset(at.tx, at.access))
    return at.log(
        "gm.reset",
        "resets the table",
        changes=lines,
        notes=hook_result.notes if lines or hook_result.notes else ("Nothing needed a reset.",),
        follow_ups=hook_result.follow_ups,
    )


# --- purging -----------------------------------------------------------------------------------


class PurgePreview(Struct, frozen=True):
    """A preview of what a purge would remove."""

    campaigns: int
    characters: int


@look()
def purge_preview(at: ReadTurn) -> PurgePreview:
    """Return what `purge` would remove; only for a server manager."""
    _require_manager(at.request)
    campaigns = at.reader.campaigns(at.server)
    return PurgePreview(
        campaigns=len(campaigns),
        characters=sum(
            len(at.reader.characters(at.server, one.id, with_retired=True, limit=NO_LIMIT))
            for one in campaigns
        ),
    )


@unit()
def purge(at: Turn) -> None:
    """Remove everything stored about a server, for good; only for a server manager.

    The same interaction delivered again removes nothing made since.
    """
    _require_manager(at.request)
    at.tx.purge_server(at.server, by=at.request.interaction)


def _require_manager(request: Request) -> None:
    if not request.manages_server:
        raise ForGmOnly("Only someone who manages the server can delete everything.")


@look(gm=True)
def require_gm(_at: ReadTurn) -> None:
    """Raise `ForGmOnly` unless the person is a GM of the campaign of the place."""


@act(gm=True)
def pass_time(at: Turn, seconds: int) -> Result:
    """Move the game clock forward and let the timers due on the way run out.

    Args:
        seconds: Game time that passes, at least 1.
    """
    if not 1 <= seconds <= LONGEST_WAIT_SECONDS:
        raise UserError("Enter at least 1 second and at most 1 year.")
    keeper = SceneKeeper(at.tx, at.access)
    before = keeper.scene(None)
    scene, notes, follow_ups = keeper.pass_time(before.at_clock(before.clock + seconds))
    lines = keeper.changes(scene, with_hidden=False)
    keeper.keep(scene)
    counted = countdowns.pass_time(at.tx, at.access, scene.clock, at.request.person_name)
    return at.log(
        "gm.time",
        f"lets {in_words(seconds)} pass: it is {moment_in_words(scene.clock)}",
        changes=(*lines, *counted.lines),
        notes=(*notes, *counted.notes),
        facts=counted.facts,
        follow_ups=follow_ups,
    )


class ClockView(Struct, frozen=True):
    """The game clock as a GM reads it."""

    moment: str  # the day and the time of day
    waiting: tuple[str, ...]  # the timers that run out by themselves, earliest first: "Ug · poison, in 3 min"


@look(gm=True)
def clock(at: ReadTurn) -> ClockView:
    """Return the game time and the timers to come."""
    now, server = at.campaign.clock, at.server
    due = at.reader.timers_due(server, at.campaign.id, now + LONGEST_WAIT_SECONDS)
    found = [(at.reader.character(server, id_), key) for id_, key in due]
    waiting = [
        f"{one.name} · {key}, {_until(one.timers[key] - now)}" for one, key in found if one is not None
    ]
    moving = [
        f"{one.name}, every {in_words(one.every_seconds)}"
        for one in at.reader.countdowns(server, at.campaign.id)
        if one.every_seconds is not None
    ]
    return ClockView(moment_in_words(now), (*waiting, *moving))


def _until(seconds: int) -> str:
    return "due now" if seconds <= 0 else f"in {in_words(seconds)}"


def moment_in_words(clock: int) -> str:
    """Return a moment of game time as text: "day 3, 14:05"; a campaign begins on day 1 at midnight."""
    minutes = clock // 60
    return f"day {day_of(clock) + 1}, {minutes // 60 % 24:02}:{minutes % 60:02}"


def in_words(seconds: int) -> str:
    """Return a span of time as text: "2 d 3 h", "10 min", "30 s"."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    spans = ((days, "d"), (hours, "h"), (minutes, "min"), (rest, "s"))
    return " ".join(f"{count} {unit}" for count, unit in spans if count) or "0 s"


MOST_VALUES = 25
AWARD, RESOURCE, WOUNDS, TIMER = "award", "resource", "wounds", "timer"
BETWEEN = "|"


class TypedValue(Struct, frozen=True):
    """Something that a GM can correct."""

    key: str
    label: str  # what it is called, with what it is now


class TypedValues(Struct, frozen=True):
    """Everything that a GM can correct on one character."""

    name: str
    values: tuple[TypedValue, ...]


@look(gm=True)
def typed_values(at: ReadTurn, character: int) -> TypedValues:
    """Return what a GM can correct on a character."""
    record = at.character(character)
    return TypedValues(record.name, tuple(_values(at.access, record))[:MOST_VALUES])


def _values(access: Access, record: CharacterRecord) -> Iterator[TypedValue]:
    character, game = as_played(access.game, record), access.game
    for award in game.awards:
        yield TypedValue(BETWEEN.join((AWARD, award.key)), f"{award.title}: add or take")
    for rule in game.counted(access.settings):
        now = character.left(rule.key)
        yield TypedValue(BETWEEN.join((RESOURCE, rule.key)), f"{rule.title}: {now} now")
    for track in game.wounds:
        capacities = track.capacities(character.sheet)
        filled = character.wounds.get(track.key, (0,) * len(capacities))
        for level, most, now in zip(track.levels, capacities, filled, strict=True):
            yield TypedValue(
                BETWEEN.join((WOUNDS, track.key, level)), f"{track.title} {level}: {now} of {most}"
            )
    for timer, due in character.timers.items():
        left = max(0, due - access.campaign.clock)
        yield TypedValue(BETWEEN.join((TIMER, timer)), f"Timer {timer}: {left} s left, 0 removes it")


async def set_value(table: Table, request: Request, character: int, key: str, typed: str) -> Result:
    """Set a value of a character as a GM typed it; of an award, add or take that much.

    Args:
        request: Who asks; must be a GM.
        key: What is set.
        typed: The number.

    Raises:
        UserError: If it is no number, or the value can't be that.
    """
    number = read_number(typed)
    kind, *rest = key.split(BETWEEN)
    match kind, rest:
        case "award", [given]:
            return await award(table, request, given, number, (character,))
        case "resource", [resource]:
            return await set_resource(table, request, resource, number, character)
        case "wounds", [track, level]:
            return await set_wounds(table, request, track, level, number, character)
        case "timer", [timer]:
            return await set_timer(table, request, timer, number or None, character)
    raise UserError("You can't choose that here.", "Choose again from the menu.")


def read_number(typed: str) -> int:
    """Return a number as somebody types it: "3", "+3", "-3".

    Raises:
        UserError: If it is none.
    """
    text = typed.strip().replace(MINUS, "-")
    digits = text.removeprefix("+") if text.startswith("+") else text.removeprefix("-")
    if not digits.isdecimal() or len(digits) > 6:
        raise UserError(f"“{typed.strip()[:40]}” isn't a whole number.", "Type it in digits, such as 3.")
    return -int(digits) if text.startswith("-") else int(digits)
