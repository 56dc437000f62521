"""The state of a countdown."""

from dataclasses import dataclass
from enum import StrEnum

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Which successes count."""

    per_day: bool = False  # one a day of game time
    per_member: bool = False  # one for each character
    per_skill: bool = False  # one for each skill
    distinct_skills: int = 0  # how many different skills it takes in all; 0 where it does not matter

    @property
    def asks_for_skill(self) -> bool:
        """Whether it matters which skill was used."""
        return self.per_skill or self.distinct_skills > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """One move of a countdown."""

    steps: int  # how far it went; below 0 where it was reversed
    member: CharacterId | None = None  # whose doing it was; None by the GM's hand or by time
    skill: str = ""  # what it was done with, or nothing
    day: int = 0  # the day of game time, counted from 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A check whose result may move a countdown."""

    succeeded: bool  # what it came to
    side: Side = Side.PLAYERS  # who tried
    member: CharacterId | None = None
    skill: str = ""  # what was used, or nothing
    day: int = 0  # the day of game time, counted from 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Countdown:
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
