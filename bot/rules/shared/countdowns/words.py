"""Countdowns in words and boxes."""

from bot.rules.shared.countdowns.countdown_model import Countdown, Kind, Status

MANY = 5  # more open ones than this at a time only blur each other
FILLED, BLANK, MIDDLE = "◼", "◻", "│"


def boxes(countdown: Countdown) -> str:
    """The countdown as boxes: filled up to its value, the start of a tug-of-war marked.

    Source: RPJ-COUNT-04, RPJ-COUNT-08.
    """
    drawn = FILLED * countdown.value + BLANK * (countdown.difficulty - countdown.value)
    if countdown.kind is not Kind.TUG:
        return drawn
    return f"{drawn[: countdown.start]}{MIDDLE}{drawn[countdown.start :]}"


def weight_of(kind: Kind, difficulty: int) -> str:
    """A word for a countdown's difficulty or length.

    Source: RPJ-COUNT-06, RPJ-COUNT-08, RPJ-COUNT-10.
    """
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
    """A hint for a GM with many open countdowns, or None.

    Source: RPJ-COUNT-13.
    """
    if open_and_running <= MANY:
        return None
    return f"{open_and_running} open countdowns are running; with that many, each one matters less."


def lone_hint(countdown: Countdown) -> str | None:
    """A hint when one character alone resolved a countdown, or None.

    Source: RPJ-COUNT-13.
    """
    members = {tick.member for tick in countdown.ticks if tick.steps > 0}
    alone = len(members) == 1 and None not in members and len(countdown.ticks) > 1
    if countdown.status is not Status.RESOLVED or not alone:
        return None
    return (
        f"One character finished {countdown.name} alone; "
        "a limit of one success per character would share the next one."
    )
