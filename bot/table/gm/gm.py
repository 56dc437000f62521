"""The GM's use cases: award, set values, make NPCs, reset, purge."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.rules.kernel import AwardRule, Character, CharacterId, ResourceRule, Scene, WoundTrack
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import ENCOUNTER, REVEAL
from bot.rules.kernel.wording import amount_of
from bot.rules.shared.countdowns import day_of
from bot.rules.shared.encounters import Encounter
from bot.store.name_keys import name_key
from bot.store.records import NO_LIMIT, CharacterRecord, Json, JsonObject
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, ForGmOnly, access_here, as_played, find_character, gm_access_here
from bot.table.base.request import Request
from bot.table.base.results import Message, Result
from bot.table.base.table import Table
from bot.table.characters.characters import add_character
from bot.table.journal.journal import record, told_before
from bot.table.journal.recap import find_session
from bot.table.journal.scenes import SceneKeeper, load_document, run_hook
from bot.table.journal.tally import AWARDED, AWARDS
from bot.table.play import countdown_follows, play
from bot.table.play.countdown_plans import as_gm
from bot.table.sessions.endings import require_not_awarded, whole_reset

GmAction = Callable[[Transaction, Access], Result]
LONGEST_WAIT_SECONDS = 366 * 24 * 3600


async def _as_gm(table: Table, request: Request, action: GmAction) -> Result:
    """Run a GM's action in the campaign of the place, at most once per interaction."""

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access = gm_access_here(table, tx, request)
        return action(tx, access)

    return await table.store.run(unit)


@dataclass(frozen=True, slots=True)
class _Edit:
    """Characters as an edit leaves them, and what to say about it."""

    kind: str
    headline: Callable[[Access], str]
    change: Callable[[Access, Scene, Character], Scene]
    facts: Callable[[Access, Sequence[CharacterRecord]], JsonObject] = lambda _access, _stored: {}
    check: Callable[[Reader, Access], None] = lambda _reader, _access: None
    session: int | None = None


async def _edit(table: Table, request: Request, names: Sequence[str | int], edit: _Edit) -> Result:
    def action(tx: Transaction, access: Access) -> Result:
        edit.check(tx, access)
        stored = [find_character(tx, access, name) for name in dict.fromkeys(names)]
        if not stored:
            raise UserError("Name at least one character.", try_this="See who is here with /character list.")
        keeper = SceneKeeper(tx, access)
        scene = keeper.scene(None)
        for one in stored:
            scene = edit.change(access, scene, as_played(access.game, one))
        return _keep(table, tx, access, keeper, scene, edit, stored)

    return await _as_gm(table, request, action)


def _keep(
    table: Table,
    tx: Transaction,
    access: Access,
    keeper: SceneKeeper,
    scene: Scene,
    edit: _Edit,
    stored: Sequence[CharacterRecord],
) -> Result:
    is_secret = any(one.is_hidden for one in stored)
    changes = keeper.changes(scene, with_hidden=is_secret)
    message = Message(
        who=access.request.person_name,
        headline=edit.headline(access),
        changes=changes,
        notes=() if changes else (f"For {', '.join(one.name for one in stored)}.",),
        is_public=not is_secret,
    )
    keeper.keep(scene)
    return record(
        table,
        tx,
        access,
        edit.kind,
        message,
        is_secret=is_secret,
        facts=edit.facts(access, stored),
        session=edit.session,
    )


# --- resources, wounds, timers -----------------------------------------------------------------


async def award(
    table: Table,
    request: Request,
    resource: str,
    amount: int,
    names: Sequence[str | int],
    *,
    session: int | None = None,
    is_first: bool = False,
) -> Result:
    """Give characters an amount of a resource (or anything else the game awards), or take it away.

    Args:
        table: The table.
        request: Who asks; must be a GM.
        resource: Its key or title.
        amount: How much; less than 0 takes.
        names: The characters, by name or id.
        session: The session that it rewards, if not the running one.
        is_first: Whether it is refused if that session has been rewarded with it already.

    Raises:
        UserError: If one of them would fall below 0 or rise above the cap; then nobody gets any.
    """

    def change(access: Access, scene: Scene, character: Character) -> Scene:
        rule = _awarded(access, resource)
        if isinstance(rule, AwardRule):
            return scene.with_character(replace(character, sheet=rule.give(character.sheet, amount)))
        now = character.resources.get(rule.key, 0) + amount
        return scene.with_character(_with_resource(access, character, rule, now))

    if amount == 0:
        raise UserError("An award of 0 wouldn't change anything.")

    def facts(access: Access, stored: Sequence[CharacterRecord]) -> JsonObject:
        rule = _awarded(access, resource)
        facts: JsonObject = {AWARDS: [{"title": rule.title, "amount": amount}]}
        names: list[Json] = [one.name for one in stored]
        given: JsonObject = {"awarded": rule.key, "amount": amount, "names": names}
        return {**facts, **given} if amount > 0 else facts

    def check(reader: Reader, access: Access) -> None:
        if session is None:
            return
        find_session(reader, access, session)
        if is_first:
            require_not_awarded(reader, access, session, _awarded(access, resource).key)

    done = "awards" if amount > 0 else "takes"
    edit = _Edit(
        AWARDED,
        lambda access: f"{done} {amount_of(abs(amount), _awarded(access, resource).title)}",
        change,
        facts,
        check,
        session,
    )
    return await _edit(table, request, names, edit)


async def set_resource(table: Table, request: Request, resource: str, value: int, name: str | int) -> Result:
    """Set a character's amount of a resource.

    Raises:
        UserError: If it is not allowed, or is that amount already.
    """

    def change(access: Access, scene: Scene, character: Character) -> Scene:
        rule = _resource(access, resource)
        changed = _with_resource(access, character, rule, value)
        if changed.resources == character.resources:
            raise UserError(
                f"{character.name} already has {amount_of(value, rule.title)}.", "Nothing was changed."
            )
        return scene.with_character(changed)

    return await _edit(
        table,
        request,
        (name,),
        _Edit("gm.set", lambda access: f"sets {_resource(access, resource).title}", change),
    )


def _awarded(access: Access, name: str) -> ResourceRule | AwardRule:
    found = (one for one in access.game.awards if name_key(name) in {name_key(one.key), name_key(one.title)})
    return next(found, None) or _resource(access, name)


def _resource(access: Access, name: str) -> ResourceRule:
    counted = access.game.counted(access.settings)
    for rule in counted:
        if name_key(name) in {name_key(rule.key), name_key(rule.title)}:
            return rule
    known = ", ".join(rule.title for rule in counted)
    raise UserError(
        f"{access.game.title} has no resource called “{name}”.", f"Its resources: {known or 'none'}."
    )


def _with_resource(access: Access, character: Character, rule: ResourceRule, value: int) -> Character:
    cap = rule.cap(character.sheet, access.settings)
    has = character.resources.get(rule.key, 0)
    if value < 0:
        raise UserError(f"{character.name} has only {has} {rule.title}, so you can't take that many.")
    if cap is not None and value > max(cap, has):
        raise UserError(f"{character.name} can have at most {cap} {rule.title} (now {has}).")
    return character.with_resource(rule.key, value)


async def set_wounds(
    table: Table, request: Request, track: str, level: str, filled: int, name: str | int
) -> Result:
    """Set how many boxes of one level of a wound track are filled."""

    def change(access: Access, scene: Scene, character: Character) -> Scene:
        found = _track(access, track)
        place = _level(found, level)
        capacities = found.capacities(character.sheet)
        if not 0 <= filled <= capacities[place]:
            raise UserError(
                f"You can't fill {filled} boxes of {found.title} {found.levels[place]}.",
                f"{character.name} has {capacities[place]}.",
            )
        boxes = list(character.wounds.get(found.key, (0,) * len(capacities)))
        boxes[place] = filled
        return access.game.with_boxes(scene, character, found.key, tuple(boxes))

    return await _edit(
        table, request, (name,), _Edit("gm.set", lambda access: f"sets {_track(access, track).title}", change)
    )


def _track(access: Access, name: str) -> WoundTrack:
    for track in access.game.wounds:
        if name_key(name) in {name_key(track.key), name_key(track.title)}:
            return track
    known = ", ".join(track.title for track in access.game.wounds)
    raise UserError(
        f"{access.game.title} has no wound track called “{name}”.", f"Its wound tracks: {known or 'none'}."
    )


def _level(track: WoundTrack, name: str) -> int:
    for place, level in enumerate(track.levels):
        if name_key(level) == name_key(name):
            return place
    raise UserError(f"{track.title} has no level called “{name}”.", f"Its levels: {', '.join(track.levels)}.")


async def set_timer(
    table: Table, request: Request, timer: str, seconds: int | None, name: str | int
) -> Result:
    """Set the game time left on a character's timer, or remove the timer (None)."""

    def action(tx: Transaction, access: Access) -> Result:
        stored = find_character(tx, access, name)
        if timer not in stored.timers:  # rulesets know what to do about their own timers only
            raise UserError(f"{stored.name} has no timer called “{timer}”.", _known_timers(stored))
        if seconds is not None and not 1 <= seconds <= LONGEST_WAIT_SECONDS:
            raise UserError("A timer must run for at least 1 second and at most 1 year.")
        due = None if seconds is None else access.campaign.clock + seconds
        keeper = SceneKeeper(tx, access)
        scene = keeper.scene(None).with_character(as_played(access.game, stored).with_timer(timer, due))
        edit = _Edit("gm.set", lambda _access: "sets a timer", lambda _access, scene, _character: scene)
        return _keep(table, tx, access, keeper, scene, edit, (stored,))

    return await _as_gm(table, request, action)


def _known_timers(stored: CharacterRecord) -> str:
    return f"Running timers: {', '.join(stored.timers)}." if stored.timers else "No timers are running."


# --- characters, sessions ----------------------------------------------------------------------


async def make_npc(table: Table, request: Request, name: str, *, is_hidden: bool = False) -> Result:
    """Make an NPC; only the GM knows of a hidden one."""

    def action(tx: Transaction, access: Access) -> Result:
        sheet = access.game.creation.npc()
        return add_character(table, tx, access, name, sheet, is_npc=True, is_hidden=is_hidden)

    return await _as_gm(table, request, action)


async def show_or_hide(table: Table, request: Request, name: str | int, *, is_hidden: bool) -> Result:
    """Show an NPC to everybody, in its fight as well, or hide it from all but the GM."""
    if not is_hidden:
        fight = await table.store.read(lambda reader: _hidden_in_a_fight(table, reader, request, name))
        if fight is not None:
            channel, called = fight
            there = replace(request, places=(channel, *request.places))
            return await play.perform(table, there, REVEAL, {"character": called})

    def action(tx: Transaction, access: Access) -> Result:
        stored = find_character(tx, access, name)
        if stored.owner is not None:
            raise UserError(f"{stored.name} is a player's character.", "Only NPCs can be hidden.")
        if stored.is_hidden is is_hidden:
            raise UserError(f"{stored.name} is already {'hidden' if is_hidden else 'visible'}.")
        tx.save_character(replace(stored, is_hidden=is_hidden))
        message = Message(
            who=stored.name,
            headline="is hidden" if is_hidden else "appears",
            is_public=not is_hidden,
        )
        return record(table, tx, access, "gm.hide", message, character=stored.id, is_secret=is_hidden)

    return await _as_gm(table, request, action)


def _hidden_in_a_fight(
    table: Table, reader: Reader, request: Request, name: str | int
) -> tuple[int, str] | None:
    """Return the channel of the fight in which somebody is hidden, and their name."""
    access = gm_access_here(table, reader, request)
    stored = find_character(reader, access, name)
    for key in reader.document_keys(access.campaign.server, access.campaign.id, f"{ENCOUNTER}/"):
        fight = load_document(reader, access, key)
        if isinstance(fight, Encounter) and fight.hides(CharacterId(stored.id)):
            return int(key.partition("/")[2]), stored.name
    return None


async def reset(table: Table, request: Request) -> Result:
    """Apply by hand the reset that happens between two sessions; the session goes on."""

    def action(tx: Transaction, access: Access) -> Result:
        hook_result, lines = run_hook(tx, access, whole_reset(tx, access))
        message = Message(
            who=access.request.person_name,
            headline="resets the table",
            changes=lines,
            notes=hook_result.notes if lines or hook_result.notes else ("Nothing needed a reset.",),
        )
        return record(table, tx, access, "gm.reset", message, follow_ups=hook_result.follow_ups)

    return await _as_gm(table, request, action)


# --- purging -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PurgePreview:
    """A preview of what a purge would remove."""

    campaigns: int
    characters: int


async def purge_preview(table: Table, request: Request) -> PurgePreview:
    """Return what `purge` would remove; only for a server manager."""

    def query(reader: Reader) -> PurgePreview:
        _require_manager(request)
        campaigns = reader.campaigns(request.server)
        return PurgePreview(
            campaigns=len(campaigns),
            characters=sum(
                len(reader.characters(request.server, one.id, with_retired=True, limit=NO_LIMIT))
                for one in campaigns
            ),
        )

    return await table.store.read(query)


async def purge(table: Table, request: Request) -> None:
    """Remove everything stored about a server, for good; only for a server manager.

    The same interaction delivered again removes nothing made since.
    """

    def unit(tx: Transaction) -> None:
        _require_manager(request)
        tx.purge_server(request.server, by=request.interaction)

    await table.store.run(unit)


def _require_manager(request: Request) -> None:
    if not request.manages_server:
        raise ForGmOnly("Only someone who manages the server can delete everything.")


async def require_gm(table: Table, request: Request) -> None:
    """Raise `ForGmOnly` unless the person is a GM of the campaign of the place."""
    await table.store.read(lambda reader: access_here(table, reader, request).require_gm())


async def pass_time(table: Table, request: Request, seconds: int) -> Result:
    """Move the game clock forward and let the timers due on the way run out.

    Args:
        table: The table.
        request: Who asks; must be a GM.
        seconds: Game time that passes, at least 1.
    """

    def action(tx: Transaction, access: Access) -> Result:
        if not 1 <= seconds <= LONGEST_WAIT_SECONDS:
            raise UserError("Enter at least 1 second and at most 1 year.")
        keeper = SceneKeeper(tx, access)
        before = keeper.scene(None)
        scene, notes, follow_ups = keeper.pass_time(before.at_clock(before.clock + seconds))
        lines = keeper.changes(scene, with_hidden=False)
        keeper.keep(scene)
        counted = countdown_follows.pass_time(tx, access, scene.clock, request.person_name)
        message = Message(
            who=access.request.person_name,
            headline=f"lets {in_words(seconds)} pass: it is {moment_in_words(scene.clock)}",
            changes=(*lines, *counted.lines),
            notes=(*notes, *counted.notes),
        )
        return record(table, tx, access, "gm.time", message, facts=counted.facts, follow_ups=follow_ups)

    return await as_gm(table, request, action)


@dataclass(frozen=True, slots=True)
class ClockView:
    """The game clock as a GM reads it.

    Attributes:
        moment: The day and the time of day.
        waiting: The timers that run out by themselves, earliest first: "Ug · poison, in 3 min".
    """

    moment: str
    waiting: tuple[str, ...]


async def clock(table: Table, request: Request) -> ClockView:
    """Return the game time and the timers to come."""

    def query(reader: Reader) -> ClockView:
        access = gm_access_here(table, reader, request)
        now, server = access.campaign.clock, access.campaign.server
        due = reader.timers_due(server, access.campaign.id, now + LONGEST_WAIT_SECONDS)
        found = [(reader.character(server, id_), key) for id_, key in due]
        waiting = [
            f"{one.name} · {key}, {_until(one.timers[key] - now)}" for one, key in found if one is not None
        ]
        moving = [
            f"{one.name}, every {in_words(one.every_seconds)}"
            for one in reader.countdowns(server, access.campaign.id)
            if one.every_seconds is not None
        ]
        return ClockView(moment_in_words(now), (*waiting, *moving))

    return await table.store.read(query)


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
