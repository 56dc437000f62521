"""A condition in effect: what it prevents, what it does over time, and how it ends."""

from collections.abc import Iterable

from pydantic import Field

from bot.rules.kernel import Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.condition_kinds import Condition, Escape, Need, Recovery, RpjTick, skill_words, span

MINUTE_SECONDS = 60


class Suffered(Document):
    """A condition a character has.

    Attributes:
        condition: The condition.
        since: The moment on the game clock (seconds) when it started.
        told_until: The moment up to which its ticks have been applied.
        recovered: Successes towards recovery.
        next_roll: The moment from which the next recovery roll is allowed.
        is_fresh: Whether it started in its owner's own turn, which therefore does not count.

    Source: RPJ-COND-01, RPJ-COND-03, RPJ-COND-06.
    """

    condition: Condition
    since: int
    told_until: int
    recovered: int = Field(default=0, ge=0)
    next_roll: int = 0
    is_fresh: bool = False


def begun(condition: Condition, clock: int) -> Suffered:
    """A condition that starts now; the first recovery roll comes after one interval."""
    wait = condition.recovery.minutes * MINUTE_SECONDS if condition.recovery else 0
    return Suffered(condition=condition, since=clock, told_until=clock, next_roll=clock + wait)


def with_condition(suffered: tuple[Suffered, ...], new: Condition, clock: int) -> tuple[Suffered, ...]:
    """The conditions with one added; one of the same name restarts with the worse numbers.

    Source: RPJ-COND-01 (COND-01a).
    """
    name = new.name.casefold()
    old = next((one for one in suffered if one.condition.name.casefold() == name), None)
    rest = tuple(one for one in suffered if one is not old)
    return (*rest, begun(new if old is None else _worse(old.condition, new), clock))


def _worse(old: Condition, new: Condition) -> Condition:
    """The new condition with the lower of both values everywhere."""
    found = {(effect.on, effect.of, effect.when): effect for effect in old.effects}
    for effect in new.effects:
        key = (effect.on, effect.of, effect.when)
        if key not in found or effect.value < found[key].value:
            found[key] = effect
    changes = {"checks": min(old.checks, new.checks), "effects": tuple(found.values())}
    return evolve(new, **changes)


def assert_allowed(suffered: Iterable[Suffered], *needs: Need) -> None:
    """Refuse an action that a condition prevents.

    Args:
        suffered: A character's conditions.
        *needs: What the action needs.

    Raises:
        UserError: If one of them is prevented; the error names the condition.

    Source: RPJ-COND-02, RPJ-COND-04 (COND-04a).
    """
    for one in suffered:
        for need in needs:
            forbidden = one.condition.bans
            if Need.EVERYTHING in forbidden or need in forbidden:
                if Need.EVERYTHING in forbidden:
                    raise UserError(f"{one.condition.name}: you can't do anything.")
                raise UserError(f"{one.condition.name} prevents {need}.")


def is_unconscious(suffered: Iterable[Suffered]) -> bool:
    """Whether a condition prevents everything, so that the character's turns are skipped.

    Source: RPJ-COND-04.
    """
    return any(Need.EVERYTHING in one.condition.forbids for one in suffered)


# --- time ------------------------------------------------------------------------------------------


def ticks_due(one: Suffered, until: int) -> tuple[tuple[int, RpjTick], ...]:
    """The ticks of a condition due up to a moment, in order.

    Args:
        one: The condition.
        until: Seconds of game time, inclusive.

    Returns:
        Each with its moment.

    Source: RPJ-COND-03 (COND-03b).
    """
    found: list[tuple[int, RpjTick]] = []
    for tick in one.condition.ticks:
        step = tick.minutes * MINUTE_SECONDS
        first = (max(one.told_until - one.since, 0) // step + 1) * step + one.since
        if not tick.repeats:
            moment = one.since + step
            found += [(moment, tick)] if one.told_until < moment <= until else []
        else:
            found += [(moment, tick) for moment in range(first, until + 1, step)]
    return tuple(sorted(found, key=lambda due: due[0]))


def next_tick(one: Suffered) -> int | None:
    """The moment when a condition next does something; None where it does nothing more.

    Source: RPJ-COND-03.
    """
    moments = []
    for tick in one.condition.ticks:
        step = tick.minutes * MINUTE_SECONDS
        passed = max(one.told_until - one.since, 0) // step
        if tick.repeats or not passed:
            moments.append(one.since + (passed + 1) * step)
    return min(moments, default=None)


# --- the ways out ----------------------------------------------------------------------------------


def recovery_of(one: Suffered, clock: int) -> Recovery:
    """The recovery from a condition, if a roll is allowed now.

    Raises:
        UserError: If recovery is impossible, or it is too early.

    Source: RPJ-COND-06.
    """
    recovery = one.condition.recovery
    if recovery is None:
        raise UserError(f"You can't recover from {one.condition.name}.", _ways(one.condition))
    if clock < one.next_roll:
        wait = span(-(-(one.next_roll - clock) // MINUTE_SECONDS))
        raise UserError(f"Your next roll against {one.condition.name} is due in {wait}.")
    return recovery


def after_recovery(one: Suffered, clock: int, *, succeeded: bool) -> Suffered | None:
    """A condition after a recovery roll; None where it has ended.

    Source: RPJ-COND-06 (COND-06a).
    """
    recovery = one.condition.recovery
    if recovery is None:
        return one
    recovered = one.recovered + succeeded
    if recovered >= recovery.countdown:
        return None
    next_roll = clock + recovery.minutes * MINUTE_SECONDS
    return evolve(one, recovered=recovered, next_roll=next_roll)


def escape_of(one: Suffered, skill: str) -> Escape:
    """The escape from a condition with a skill.

    Args:
        one: The condition.
        skill: The id of the skill.

    Raises:
        UserError: If it cannot be escaped, or not with that skill.

    Source: RPJ-COND-07.
    """
    escape = one.condition.escape
    if escape is None:
        raise UserError(f"You can't escape {one.condition.name}.", _ways(one.condition))
    if skill not in escape.skills:
        raise UserError(f"That skill doesn't end {one.condition.name}.", f"Try {skill_words(escape.skills)}.")
    return escape


def _ways(condition: Condition) -> str:
    return f"How to end it: {'; '.join(condition.exits)}."
