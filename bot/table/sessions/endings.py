"""The end of a session: its preview, and the end itself in one transaction."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import AwardRule, CharacterId, Closing, HookResult, ResourceRule, Scene
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.kernel.tracker import END, encounter_key
from bot.rules.shared.encounters import EndOptions
from bot.rules.shared.resting import without_open_rest
from bot.store.records import EntryRecord, Json, JsonObject, SessionRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, access_in, add_seed, playing, seed_in_use
from bot.table.base.results import ChangeLine, Message, Result, result_of
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, look, record, unit
from bot.table.journal.entries import latest_first
from bot.table.journal.journal import WITH_FIRST, as_part
from bot.table.journal.recap import AWARDED, AWARDS, FIGHTS, FightStory, find_session, running_fights
from bot.table.journal.scenes import Hook, SceneKeeper, characters_of, put_back_lines, run_hook
from bot.table.play.actions import Action, OpenThing, close_open, do, open_things
from bot.table.play.countdowns import close_short_ones, short_ones, tell
from bot.table.sessions.sessions import NoSession, running_session, thread_of


class AwardOffer(Struct, frozen=True, kw_only=True):
    """What a GM can award at a session's end."""

    key: str
    title: str  # its name in the book
    unit: str  # what one of it is called
    usual: tuple[int, ...]  # the usual amounts
    given: tuple[str, ...] = ()  # what was given of it in this session, in words


class SessionAwards(Struct, frozen=True, kw_only=True):
    """What can be awarded for a session."""

    number: int
    offers: tuple[AwardOffer, ...] = ()  # what the game awards
    characters: tuple[tuple[int, str], ...] = ()  # the players' characters: id and name
    # The ids of those whose players took part; of all who are played if nobody did anything.
    present: tuple[int, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those present."""
        return tuple(name for id_, name in self.characters if id_ in self.present)


@look(gm=True)
def session_awards(at: ReadTurn, number: int) -> SessionAwards:
    """Return what a GM can award for a session.

    Raises:
        UserError: If there is no such session.
    """
    return awards_of(at.reader, at.access, number)


def awards_of(reader: Reader, access: Access, number: int) -> SessionAwards:
    """Return what can be awarded for a session; for a GM, hidden characters included.

    Raises:
        UserError: If there is no such session.
    """
    entries = tuple(_entries(reader, access, number))
    awarded = [one for one in entries if one.undone_by is None]
    people = {one.person for one in entries}
    owned = [
        one for one in reader.characters(access.campaign.server, access.campaign.id) if one.owner is not None
    ]
    played = [found[0] for found in playing(reader, access, with_hidden=True).values() if len(found) == 1]
    took_part = [one.id for one in played if one.owner in people]
    return SessionAwards(
        number=number,
        offers=tuple(_offer(rule, awarded) for rule in usual_awards(access)),
        characters=tuple((one.id, one.name) for one in owned),
        present=tuple(took_part or [one.id for one in played]),
    )


def usual_awards(access: Access) -> list[AwardRule | ResourceRule]:
    """Return what the game usually awards at the end of a session."""
    rules: list[AwardRule | ResourceRule] = [*access.game.awards, *access.game.counted(access.settings)]
    return [rule for rule in rules if rule.usual]


def _offer(rule: AwardRule | ResourceRule, awarded: Sequence[EntryRecord]) -> AwardOffer:
    given = tuple(words for one in awarded if (words := given_words(one, rule)))
    return AwardOffer(key=rule.key, title=rule.title, unit=rule.unit, usual=rule.usual, given=given)


def given_words(entry: EntryRecord, rule: AwardRule | ResourceRule) -> str:
    """Return what an award gave of something: "3 points to Ada, Bo"; nothing if it gave something else."""
    facts = entry.told.get("facts")
    if not isinstance(facts, dict):
        return ""
    told = facts.get(AWARDS)
    if entry.kind != AWARDED and isinstance(told, list):  # by a command of the game
        given = [one for one in told if isinstance(one, dict) and one.get("title") == rule.title]
        facts = {"awarded": rule.key, **given[0]} if given and int(str(given[0]["amount"])) > 0 else {}
    if facts.get("awarded") != rule.key:
        return ""
    amount, names = facts.get("amount"), facts.get("names")
    if not isinstance(amount, int) or not isinstance(names, list):  # from an older version
        return "some"
    return f"{counted(amount, rule.unit)} to {', '.join(map(str, names))}"


def require_not_awarded(reader: Reader, access: Access, number: int, key: str) -> None:
    """Raise if something has been awarded for a session already.

    Raises:
        UserError: If it has.
    """
    for offer in awards_of(reader, access, number).offers:
        if offer.key == key and offer.given:
            raise UserError(
                f"{offer.title} were already awarded for session {number}: {'; '.join(offer.given)}.",
                "Undo that award first, or press Award … to award more.",
            )


def is_open(reader: Reader, access: Access, number: int) -> bool:
    """Return whether something the game usually awards has not been awarded for a session yet."""
    return any(not offer.given for offer in awards_of(reader, access, number).offers)


def _entries(reader: Reader, access: Access, number: int) -> Iterator[EntryRecord]:
    """Yield the entries of a session, the latest first."""
    session = find_session(reader, access, number)
    return latest_first(reader, session.server, session.campaign, session=session.number)


class Reason(StrEnum):
    """Why a session ended."""

    SAID = "said"
    IDLE = "idle"
    EVENT = "event"
    VOICE = "voice"


class Fights(StrEnum):
    """What the end of a session does about fights that run."""

    ASK = "ask"  # the GM, before it ends
    END = "both"
    KEEP = "keep"
    BY_THE_RULES = "rules"  # each game's own, where nobody can be asked


class FightsRun(UserError):
    """The session can't end before a GM has said what becomes of a fight."""

    def __init__(self) -> None:
        super().__init__("A fight is running.", "End it together with the session, or keep it.")


class EndPreview(Struct, frozen=True, kw_only=True):
    """A preview of the running session's end."""

    number: int  # the session's number
    changes: tuple[ChangeLine, ...]  # what will be reset
    notes: tuple[str, ...]  # what else will happen
    commitment: str  # SHA-256 of the seed that will be revealed
    # The countdowns that will be closed unless the GM extends them: id and name.
    countdowns: tuple[tuple[int, str], ...] = ()
    open: tuple[OpenThing, ...] = ()  # what still waits for somebody
    awards: SessionAwards | None = None  # what the GM can award before it ends
    fights: tuple[FightStory, ...] = ()  # the fights that run


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded:
    """A session that has ended."""

    result: Result  # the answer
    number: int  # the session's number
    channel: int  # the channel its recap goes to
    reason: Reason  # why it ended
    seed: int  # number of the seed that was revealed
    secret: str  # that seed, in hexadecimal
    commitment: str  # the fingerprint published before its use
    next_seed: int  # number of the seed in use from now on
    next_commitment: str  # the SHA-256 of that
    countdowns: tuple[str, ...] = ()  # names of the public countdowns it closed
    settled: tuple[str, ...] = ()  # what it settled because that could not stay open, and the results
    open: tuple[str, ...] = ()  # what still waits for somebody and stays open
    may_award: bool = False  # whether a GM can still award what the game usually awards
    thread: int | None = None  # the session's own thread, or None
    is_news: bool = field(default=False, compare=False)  # whether it ended just now, not earlier


@unit(gm=True)
def end_preview(at: Turn) -> EndPreview:
    """Return what ending the running session would do; only for a GM, hidden characters included.

    Raises:
        UserError: If none is running.
    """
    running = running_session(at.tx, at.access)
    keeper = SceneKeeper(at.tx, at.access)
    ending = session_end(at.tx, at.access, keeps_fights=True)
    hook_result = ending(keeper.scene(None), characters_of(at.tx, at.access))
    return EndPreview(
        number=running.number,
        changes=(*keeper.changes(hook_result.scene), *put_back_lines(hook_result)),
        notes=hook_result.notes,
        commitment=seed_in_use(at.tx, at.access).commitment,
        countdowns=tuple((one.id, one.name) for one in short_ones(at.tx, at.access)),
        open=open_things(at.tx, at.access, with_hidden=True),
        awards=awards_of(at.tx, at.access, running.number),
        fights=running_fights(at.tx, at.access),
    )


def session_end(tx: Reader, access: Access, *, keeps_fights: bool = False) -> Hook:
    """Return what the ruleset resets when a session ends; the table's own documents are left alone.

    Args:
        tx: The store.
        access: The campaign.
        keeps_fights: Whether fights go on that the ruleset would end.
    """
    own = tuple(access.game.documents)
    keys = [
        key
        for key in tx.document_keys(access.campaign.server, access.campaign.id)
        if key.split("/", 1)[0] in own
    ]

    def hook(scene: Scene, everybody: Sequence[CharacterId]) -> HookResult:
        hook_result = access.game.end_session(scene, everybody, keys)
        fights = [key for key in keys if key.startswith(encounter_key(""))] if keeps_fights else ()
        scene = _with_fights(scene, without_open_rest(hook_result.scene), fights)
        return replace(hook_result, scene=scene)

    return hook


def _with_fights(before: Scene, after: Scene, keys: Sequence[str]) -> Scene:
    """Return a scene with those fights of an earlier one that have ended in between."""
    for key in keys:
        if after.document(key) is None:
            after = after.with_document(key, before.document(key))
    return after


def whole_reset(tx: Reader, access: Access) -> Hook:
    """Return what the ruleset resets when a session ends and the next begins."""
    end_it = session_end(tx, access)

    def hook(scene: Scene, everybody: Sequence[CharacterId]) -> HookResult:
        ended = end_it(scene, everybody)
        begun = access.game.start_session(ended.scene, everybody)
        return HookResult(
            scene=begun.scene,
            notes=(*ended.notes, *begun.notes),
            follow_ups=(*ended.follow_ups, *begun.follow_ups),
            put_back=(*ended.put_back, *begun.put_back),
        )

    return hook


@unit(gm=True)
def settle(at: Turn, number: int, how: Closing) -> Result | None:
    """Settle or waive everything that is open in the running session, before it ends.

    Args:
        number: The session's number.
        how: Whether it is settled or waived.

    Returns:
        The result; None if nothing is open any more.

    Raises:
        UserError: If that session isn't running.
    """
    if running_session(at.tx, at.access).number != number:
        raise NoSession
    results = close_open(at.table, at.tx, at.access, how)
    return results[0] if results else None


@unit(gm=True)
def end(at: Turn, number: int | None = None, fights: Fights = Fights.ASK) -> SessionEnded:
    """End a session: reset per-session values, reveal its seed and make the next one.

    If the session has ended already, return how it ended.

    Args:
        number: The session's number; by default the running one.
        fights: What becomes of fights that run.

    Raises:
        FightsRun: If a fight runs, and nobody has said what becomes of it.
        UserError: If there is none to end.
    """
    again = at.tx.entry_of(at.server, at.request.interaction)
    if again is not None:
        return ended_by(at.tx, at.access, again)
    running = at.tx.open_session(at.server, at.campaign.id)
    if running is None or number not in {None, running.number}:
        standing = None if number is None else _end_of(at.tx, at.access, number)
        if standing is None:
            raise NoSession
        return ended_by(at.tx, at.access, standing)
    if fights is Fights.ASK and running_fights(at.tx, at.access):
        raise FightsRun
    return close(at.table, at.tx, at.access, running, Reason.SAID, fights)


def close(
    table: Table,
    tx: Transaction,
    access: Access,
    session: SessionRecord,
    reason: Reason,
    fights: Fights = Fights.BY_THE_RULES,
) -> SessionEnded:
    """End a running session within a unit of work; see `end`.

    What can't outlast a session is settled first; everything else stays open and is listed.
    """
    results = _end_fights(table, tx, access) if fights is Fights.END else ()
    results += close_open(table, tx, access, Closing.SETTLE, only_lapsing=True)
    settled: list[Json] = [note for one in results if one.message.is_public for note in one.message.notes]
    access = _as_it_is(table, tx, access)
    before = running_fights(tx, access)
    ending = session_end(tx, access, keeps_fights=fights is Fights.KEEP)
    hook_result, lines = run_hook(tx, access, ending)
    going_on = {one.channel for one in running_fights(tx, access)}
    told: list[Json] = [replace(one, goes_on=one.channel in going_on).as_json for one in before]
    tx.save_session(replace(session, ended_at=table.now(), empty_since=None))
    used = seed_in_use(tx, access)
    tx.save_seed(replace(used, revealed_at=table.now()))
    fresh = add_seed(table, tx, access.campaign.server, access.campaign.id)
    closing = close_short_ones(tx, access)
    counted = tell(access.request.person_name, closing)
    closed: list[Json] = [one.after.name for one in closing if not one.is_hidden]
    message = Message(
        who=access.request.person_name,
        headline=f"ends session {session.number}",
        changes=lines,
        notes=(*hook_result.notes, *_closed_words([str(name) for name in closed])),
    )
    result = record(
        table,
        tx,
        access,
        "session.end",
        message,
        session=session.number,
        facts={
            "reason": reason.value,
            "revealed": used.number,
            "next": fresh.number,
            "closed": closed,
            "settled": settled,
            "open": [one.what for one in open_things(tx, access)],
            **counted.facts,
            **({FIGHTS: told} if told else {}),
        },
        follow_ups=hook_result.follow_ups,
    )
    entry = tx.entry(access.campaign.server, result.entry)
    assert entry is not None  # noqa: S101  # it has just been kept
    return dataclasses.replace(ended_by(tx, access, entry), is_news=True)


def _end_fights(table: Table, tx: Transaction, access: Access) -> tuple[Result, ...]:
    """End every fight of the campaign where it is, settling what is open in it first."""
    results: list[Result] = []
    for number, fight in enumerate(running_fights(tx, access), start=1):
        # An undo of the session's end takes that of its fights back, too.
        request = replace(as_part(access.request, number, WITH_FIRST), places=(fight.channel,))
        end_it = Action(
            access=replace(_as_it_is(table, tx, access), request=request),
            procedure=access.game.procedures[END],
            options=EndOptions(unsettled=Closing.SETTLE),
            actor=None,
        )
        results.append(do(table, tx, end_it))
    return tuple(results)


def _closed_words(names: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence naming the countdowns the end has closed, if any."""
    if not names:
        return ()
    count = counted(len(names), "short countdown")
    return (f"{count} closed: {', '.join(names)}",)


def _as_it_is(table: Table, tx: Reader, access: Access) -> Access:
    """Reload the access with its campaign's current state: settling may have taken game time."""
    found = tx.campaign(access.campaign.server, access.campaign.id)
    return access if found is None else access_in(table, tx, access.request, found)


def _end_of(tx: Reader, access: Access, number: int) -> EntryRecord | None:
    """Return the standing entry that ended a session."""
    entries = latest_first(tx, access.campaign.server, access.campaign.id, session=number)
    return next((one for one in entries if one.kind == "session.end" and one.undone_by is None), None)


def ended_by(tx: Reader, access: Access, entry: EntryRecord) -> SessionEnded:
    """Return how a session ended, from the journal entry of its end."""
    server, campaign = access.campaign.server, access.campaign.id
    facts = entry.told.get("facts")
    session = next((one for one in tx.sessions(server, campaign) if one.number == entry.session), None)
    if session is None or not isinstance(facts, dict):
        raise LookupError(f"entry {entry.id} ended no session")
    used = seed_in_use(tx, access, int(str(facts["revealed"])))
    fresh = seed_in_use(tx, access, int(str(facts["next"])))
    return SessionEnded(
        result=result_of(entry, tx.follow_ups(server, entry.id)),
        number=session.number,
        channel=session.channel,
        reason=Reason(str(facts["reason"])),
        seed=used.number,
        secret=used.secret.hex(),
        commitment=used.commitment,
        next_seed=fresh.number,
        next_commitment=fresh.commitment,
        countdowns=_names(facts, "closed"),
        settled=_names(facts, "settled"),
        open=_names(facts, "open"),
        may_award=is_open(tx, access, session.number),
        thread=thread_of(tx, server, campaign, session.number),
    )


def _names(facts: JsonObject, key: str) -> tuple[str, ...]:
    found = facts.get(key)
    return tuple(str(one) for one in found) if isinstance(found, list) else ()
