"""The state of a countdown."""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import CharacterId
from bot.rules.kernel.errors import UserError


class Kind(StrEnum):
    """What moves a countdown, and which way."""

    SUCCESS = "success"  # each success of one side advances it
    FAILURE = "failure"  # each failure of the players advances it
    TUG = "tug-of-war"  # the players' successes advance it, the opposition's reverse it


class Side(StrEnum):
    """The sides of a countdown."""

    PLAYERS = "players"
    OPPOSITION = "opposition"


class Visibility(StrEnum):
    """How much everybody may know of a countdown."""

    OPEN = "open"  # everything
    KNOWN = "known"  # that it runs, and when it is resolved; not how far it is
    GM = "gm"  # nothing


class Term(StrEnum):
    """How long a countdown is meant to run."""

    SHORT = "short"  # within one scene; the end of the session closes it
    LONG = "long"  # over sessions


class Status(StrEnum):
    """Whether a countdown still moves."""

    RUNNING = "running"
    RESOLVED = "resolved"
    CLOSED = "closed"


class Limits(Struct, frozen=True, kw_only=True):
    """Which successes count."""

    per_day: bool = False  # one a day of game time
    per_member: bool = False  # one for each character
    per_skill: bool = False  # one for each skill
    distinct_skills: int = 0  # how many different skills it takes in all; 0 where it does not matter

    @property
    def asks_for_skill(self) -> bool:
        """Whether it matters which skill was used."""
        return self.per_skill or self.distinct_skills > 0


class Tick(Struct, frozen=True, kw_only=True):
    """One move of a countdown."""

    steps: int  # how far it went; below 0 where it was reversed
    member: CharacterId | None = None  # whose doing it was; None by the GM's hand or by time
    skill: str = ""  # what it was done with, or nothing
    day: int = 0  # the day of game time, counted from 0


class Attempt(Struct, frozen=True, kw_only=True):
    """A check whose result may move a countdown."""

    succeeded: bool  # what it came to
    side: Side = Side.PLAYERS  # who tried
    member: CharacterId | None = None
    skill: str = ""  # what was used, or nothing
    day: int = 0  # the day of game time, counted from 0


class Countdown(Struct, frozen=True, kw_only=True):
    """The current state of a countdown."""

    name: str  # what it is called
    kind: Kind  # what moves it
    difficulty: int  # the value at which it is resolved
    value: int = 0  # between 0 and the difficulty
    start: int = 0  # where it began
    # Whose successes advance it; of the players but for an opponent's success countdown.
    side: Side = Side.PLAYERS
    limits: Limits = Limits()  # which successes count
    ticks: tuple[Tick, ...] = ()  # every move so far
    status: Status = Status.RUNNING  # whether it runs
    winner: Side | None = None  # whom its resolution favours; None until then
    every_seconds: int | None = None  # game time after which it advances by itself, or None
    since: int = 0  # the moment of game time from which that is counted


class NoLongerMoves(UserError):
    """A finished countdown can't move."""

    def __init__(self, countdown: Countdown) -> None:
        super().__init__(
            f"{countdown.name} is {countdown.status.value} and no longer moves.",
            try_this="Undo its last step, or start another one with /gm countdown create.",
        )


MANY = 5  # more open ones than this at a time only blur each other
FILLED, BLANK, MIDDLE = "◼", "◻", "│"


def boxes(countdown: Countdown) -> str:
    """The countdown as boxes: filled up to its value, the start of a tug-of-war marked.

    [RPJ-COUNT-04, RPJ-COUNT-08]
    """
    drawn = FILLED * countdown.value + BLANK * (countdown.difficulty - countdown.value)
    if countdown.kind is not Kind.TUG:
        return drawn
    return f"{drawn[: countdown.start]}{MIDDLE}{drawn[countdown.start :]}"


def weight_of(kind: Kind, difficulty: int) -> str:
    """A word for a countdown's difficulty or length. [RPJ-COUNT-06, RPJ-COUNT-08, RPJ-COUNT-10]"""
    steps: tuple[tuple[str, int], ...]
    match kind:
        case Kind.SUCCESS:
            steps = (("easy", 2), ("moderate", 5))
            beyond = "hard"
        case Kind.FAILURE:
            steps = (("hard", 2), ("moderate", 5))
            beyond = "easy"
        case Kind.TUG:
            steps = (("sudden death", 2), ("short", 4), ("moderate", 7))
            beyond = "long"
    return next((word for word, most in steps if difficulty <= most), beyond)


def crowding_hint(open_and_running: int) -> str | None:
    """A hint for a GM with many open countdowns, or None. [RPJ-COUNT-13]"""
    if open_and_running <= MANY:
        return None
    return f"{open_and_running} open countdowns are running; with that many, each one matters less."


def lone_hint(countdown: Countdown) -> str | None:
    """A hint when one character alone resolved a countdown, or None. [RPJ-COUNT-13]"""
    members = {tick.member for tick in countdown.ticks if tick.steps > 0}
    alone = len(members) == 1 and None not in members and len(countdown.ticks) > 1
    if countdown.status is not Status.RESOLVED or not alone:
        return None
    return (
        f"One character finished {countdown.name} alone; "
        "a limit of one success per character would share the next one."
    )


LEAST_DIFFICULTY, MOST_DIFFICULTY = 1, 12


def started(
    name: str,
    kind: Kind,
    difficulty: int,
    *,
    start: int | None = None,
    side: Side = Side.PLAYERS,
    limits: Limits | None = None,
    every_seconds: int | None = None,
    since: int = 0,
) -> Countdown:
    """Start a countdown: at 0, or in the middle for a tug-of-war.

    Args:
        name: What it is called; enough to raise hopes or fears, not to give the ending away.
        kind: What moves it.
        difficulty: The value at which it is resolved.
        start: Where a tug-of-war begins; else half its difficulty, rounded down.
        side: Whose successes advance it.
        limits: Which successes count.
        every_seconds: Game time after which it advances by itself, or None.
        since: The present moment of game time.

    Raises:
        UserError: If such a countdown cannot be.

    [RPJ-COUNT-01, RPJ-COUNT-05, RPJ-COUNT-08, RPJ-COUNT-09 with the ruling R-050]
    """
    limits = limits or Limits()
    _refuse_impossible(kind, difficulty, side, limits)
    begins = _beginning(kind, difficulty, start)
    return Countdown(
        name=name,
        kind=kind,
        difficulty=difficulty,
        value=begins,
        start=begins,
        side=side,
        limits=limits,
        every_seconds=every_seconds,
        since=since,
    )


def _refuse_impossible(kind: Kind, difficulty: int, side: Side, limits: Limits) -> None:
    if not LEAST_DIFFICULTY <= difficulty <= MOST_DIFFICULTY:
        raise UserError(
            f"The difficulty must be from {LEAST_DIFFICULTY} to {MOST_DIFFICULTY}, usually 2 to 6."
        )
    if kind is not Kind.SUCCESS and side is Side.OPPOSITION:
        raise UserError("Only a success countdown can belong to the opposition.")
    if kind is Kind.FAILURE and limits != Limits():
        raise UserError("Limits apply only to successes; a failure countdown counts every failure.")
    if limits.distinct_skills > difficulty:
        raise UserError(f"{difficulty} successes can't require {limits.distinct_skills} different skills.")


def _beginning(kind: Kind, difficulty: int, start: int | None) -> int:
    """The start value of a countdown."""
    if kind is not Kind.TUG:
        if start not in (None, 0):
            raise UserError("Only a tug-of-war can start anywhere but at 0.")
        return 0
    begins = difficulty // 2 if start is None else start
    if 0 < begins < difficulty:
        return begins
    allowed = f"With difficulty {difficulty}, start from 1 to {difficulty - 1}."
    raise UserError(
        "A tug-of-war must start between its two ends.",
        allowed if difficulty > 1 else "Its difficulty must be at least 2.",
    )


def moved(countdown: Countdown, tick: Tick) -> Countdown:
    """Move a countdown towards its difficulty, or back (below 0), within its ends.

    Raises:
        NoLongerMoves: If it is over.

    [RPJ-COUNT-02 with the ruling R-048, RPJ-COUNT-03, RPJ-COUNT-08]
    """
    if countdown.status is not Status.RUNNING:
        raise NoLongerMoves(countdown)
    value = min(countdown.difficulty, max(0, countdown.value + tick.steps))
    ticks = (*countdown.ticks, replace(tick, steps=value - countdown.value))
    after = replace(countdown, value=value, ticks=ticks)
    winner = _winner(after)
    return after if winner is None else replace(after, status=Status.RESOLVED, winner=winner)


def _winner(countdown: Countdown) -> Side | None:
    """The side that a countdown is resolved for at its current value, or None."""
    if countdown.value == countdown.difficulty:
        return Side.OPPOSITION if countdown.kind is Kind.FAILURE else countdown.side
    if countdown.kind is Kind.TUG and countdown.value == 0:
        return Side.OPPOSITION
    return None


def steps_of(countdown: Countdown, attempt: Attempt) -> int:
    """How far a check moves a countdown, ignoring limits: 1, −1 or 0.

    A better success counts no more than a plain one.

    [RPJ-COUNT-02 with the ruling R-047, RPJ-COUNT-06, RPJ-COUNT-08, RPJ-COUNT-10 with R-051]
    """
    if countdown.status is not Status.RUNNING:
        return 0
    match countdown.kind:
        case Kind.FAILURE:
            return int(attempt.side is Side.PLAYERS and not attempt.succeeded)
        case Kind.TUG:
            return (1 if attempt.side is Side.PLAYERS else -1) if attempt.succeeded else 0
        case Kind.SUCCESS:
            return int(attempt.side is countdown.side and attempt.succeeded)


def objection(countdown: Countdown, attempt: Attempt) -> str | None:
    """Why a success doesn't count, as a sentence; None if it does. [RPJ-COUNT-07 with the ruling R-049]"""
    limits = countdown.limits
    counted = [tick for tick in countdown.ticks if tick.steps > 0]
    skill = skill_key(attempt.skill)
    used = {skill_key(tick.skill) for tick in counted if tick.skill}
    if limits.asks_for_skill and not skill:
        return f"{countdown.name} needs to know which skill was used."
    if limits.per_day and any(tick.day == attempt.day for tick in counted):
        return f"{countdown.name} counts one success per day, and today already has one."
    if limits.per_member and any(tick.member == attempt.member for tick in counted):
        return f"{countdown.name} counts only one success per character."
    if limits.per_skill and skill in used:
        return f"{countdown.name} counts each skill once, and {attempt.skill} has already been used."
    left = countdown.difficulty - countdown.value - 1
    missing = limits.distinct_skills - len(used | {skill})
    if left < missing:
        return f"{countdown.name} needs {limits.distinct_skills} different skills; use another one."
    return None


def skill_key(skill: str) -> str:
    """Normalize a skill's name for comparison."""
    return " ".join(skill.casefold().split())


def attempted(countdown: Countdown, attempt: Attempt) -> Countdown:
    """The countdown after a check, unchanged if the check doesn't move it.

    [RPJ-COUNT-06, RPJ-COUNT-07, RPJ-COUNT-08, RPJ-COUNT-10]
    """
    steps = steps_of(countdown, attempt)
    if steps == 0 or (steps > 0 and objection(countdown, attempt) is not None):
        return countdown
    tick = Tick(steps=steps, member=attempt.member, skill=attempt.skill, day=attempt.day)
    return moved(countdown, tick)


def closed(countdown: Countdown) -> Countdown:
    """Close a countdown without resolving it; a finished one stays unchanged. [RPJ-COUNT-11, RPJ-COUNT-12]"""
    return replace(countdown, status=Status.CLOSED) if countdown.status is Status.RUNNING else countdown


def duelled(first: Countdown, second: Countdown) -> tuple[Countdown, Countdown]:
    """Update a duel: once one countdown is resolved, the other is closed. [RPJ-COUNT-11]"""
    if first.status is Status.RESOLVED:
        return first, closed(second)
    if second.status is Status.RESOLVED:
        return closed(first), second
    return first, second


DAY_SECONDS = 86_400


def day_of(clock: int) -> int:
    """The day of a moment of game time, counted from 0."""
    return clock // DAY_SECONDS


def timed(countdown: Countdown, clock: int) -> Countdown:
    """The countdown at game time *clock*. [RPJ-COUNT-02]"""
    steps = _due(countdown, clock)
    if steps <= 0:
        return countdown
    since = countdown.since + steps * (countdown.every_seconds or 0)
    return replace(moved(countdown, Tick(steps=steps, day=day_of(clock))), since=since)


def _due(countdown: Countdown, clock: int) -> int:
    if countdown.every_seconds is None or countdown.status is not Status.RUNNING:
        return 0
    return (clock - countdown.since) // countdown.every_seconds


def timed_duel(first: Countdown, second: Countdown, clock: int) -> tuple[Countdown, Countdown, bool]:
    """Both countdowns of a duel at game time *clock*. [RPJ-COUNT-11 with the ruling R-052]

    Returns:
        Both, and whether they would be resolved at the same moment: then each is held one step short of
        it, because only the GM can say which comes first.
    """
    one, other = timed(first, clock), timed(second, clock)
    if one.status is not Status.RESOLVED or other.status is not Status.RESOLVED:
        return *duelled(one, other), False
    moments = [_moment_of_resolution(before) for before in (first, second)]
    if moments[0] == moments[1]:
        return _held(first, clock), _held(second, clock), True
    if moments[0] < moments[1]:
        return one, closed(timed(second, moments[0])), False
    return closed(timed(first, moments[1])), other, False


def _moment_of_resolution(countdown: Countdown) -> int:
    return countdown.since + (countdown.difficulty - countdown.value) * (countdown.every_seconds or 0)


def _held(countdown: Countdown, clock: int) -> Countdown:
    """The countdown one step before resolution, with its time restarted."""
    steps = countdown.difficulty - countdown.value - 1
    tick = Tick(steps=steps, day=day_of(clock))
    return replace(moved(countdown, tick) if steps else countdown, since=clock)


__all__ = [
    "LEAST_DIFFICULTY",
    "MOST_DIFFICULTY",
    "Attempt",
    "Countdown",
    "Kind",
    "Limits",
    "NoLongerMoves",
    "Side",
    "Status",
    "Term",
    "Tick",
    "Visibility",
    "attempted",
    "boxes",
    "closed",
    "crowding_hint",
    "day_of",
    "duelled",
    "lone_hint",
    "moved",
    "objection",
    "skill_key",
    "started",
    "steps_of",
    "timed",
    "timed_duel",
    "weight_of",
]
