"""Countdowns that advance as game time passes."""

from dataclasses import replace

from bot.rules.shared.countdowns.countdown_model import Countdown, Status, Tick
from bot.rules.shared.countdowns.countdown_moves import closed, duelled, moved

DAY_SECONDS = 86_400


def day_of(clock: int) -> int:
    """The day of a moment of game time, counted from 0."""
    return clock // DAY_SECONDS


def timed(countdown: Countdown, clock: int) -> Countdown:
    """The countdown at game time *clock*.

    Source: RPJ-COUNT-02.
    """
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
    """Both countdowns of a duel at game time *clock*.

    Returns:
        Both, and whether they would be resolved at the same moment: then each is held one step short of
        it, because only the GM can say which comes first.

    Source: RPJ-COUNT-11 with the ruling R-052.
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
