"""Having a condition: what it forbids, what it does as time goes by, and how it ends."""

from collections.abc import Iterable

from pydantic import Field

from bot.rules.kernel import Document
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.condition_kinds import Condition, Escape, Need, Recovery, RpjTick, skill_words, span

MINUTE_SECONDS = 60


class Suffered(Document):
    """A condition that somebody has.

    Attributes:
        condition: Which one.
        since: The moment on the game clock (seconds) when it took hold.
        told_until: The moment up to which its ticks have been carried out.
        recovered: Successes towards recovery.
        next_roll: The moment from which the next recovery roll may be made.
        is_fresh: Whether it took hold in a turn of its owner's own, which therefore does not count.

    Source: RPJ-COND-01, RPJ-COND-03, RPJ-COND-06.
    """

    condition: Condition
    since: int
    told_until: int
    recovered: int = Field(default=0, ge=0)
    next_roll: int = 0
    is_fresh: bool = False


def begun(condition: Condition, clock: int) -> Suffered:
    """A condition that takes hold now; the first recovery roll comes after one interval."""
    wait = condition.recovery.minutes * MINUTE_SECONDS if condition.recovery else 0
    return Suffered(condition=condition, since=clock, told_until=clock, next_roll=clock + wait)


def with_condition(suffered: tuple[Suffered, ...], new: Condition, clock: int) -> tuple[Suffered, ...]:
    """What somebody has once a condition is added; one of the same name begins anew with the worse numbers.

    Source: RPJ-COND-01 (COND-01a).
    """
    name = new.name.casefold()
    old = next((one for one in suffered if one.condition.name.casefold() == name), None)
    rest = tuple(one for one in suffered if one is not old)
    return (*rest, begun(new if old is None else _worse(old.condition, new), clock))


def _worse(old: Condition, new: Condition) -> Condition:
    """The new condition with the lower of both numbers everywhere."""
    found = {(effect.on, effect.of, effect.when): effect for effect in old.effects}
    for effect in new.effects:
        key = (effect.on, effect.of, effect.when)
        if key not in found or effect.value < found[key].value:
            found[key] = effect
    changes = {"checks": min(old.checks, new.checks), "effects": tuple(found.values())}
    return new.model_copy(update=changes)


def assert_allowed(suffered: Iterable[Suffered], *needs: Need) -> None:
    """Refuse an action that a condition forbids.

    Args:
        suffered: What somebody has.
        *needs: What the action takes.

    Raises:
        UserError: If one of them is forbidden; it names the condition.

    Source: RPJ-COND-02, RPJ-COND-04 (COND-04a).
    """
    for one in suffered:
        for need in needs:
            forbidden = one.condition.bans
            if Need.EVERYTHING in forbidden or need in forbidden:
                told = "everything" if Need.EVERYTHING in forbidden else need
                raise UserError(f"{one.condition.name} keeps you from {told}.")


def is_unconscious(suffered: Iterable[Suffered]) -> bool:
    """Whether a condition keeps somebody from everything, so that their turns pass by.

    Source: RPJ-COND-04.
    """
    return any(Need.EVERYTHING in one.condition.forbids for one in suffered)


# --- time ------------------------------------------------------------------------------------------


def ticks_due(one: Suffered, until: int) -> tuple[tuple[int, RpjTick], ...]:
    """The ticks of a condition that fall due up to a moment, in their order.

    Args:
        one: The condition.
        until: Seconds of game time, that moment included.

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
    """The moment at which a condition does something next; None where it does nothing more.

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
    """How one recovers from a condition, where a roll may be made now.

    Raises:
        UserError: If one does not recover from it, or it is too early.

    Source: RPJ-COND-06.
    """
    recovery = one.condition.recovery
    if recovery is None:
        raise UserError(f"Nobody recovers from {one.condition.name}.", _ways(one.condition))
    if clock < one.next_roll:
        wait = span(-(-(one.next_roll - clock) // MINUTE_SECONDS))
        raise UserError(f"The next roll against {one.condition.name} comes in {wait}.")
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
    return one.model_copy(update={"recovered": recovered, "next_roll": next_roll})


def escape_of(one: Suffered, skill: str) -> Escape:
    """How a condition is escaped with a skill.

    Args:
        one: The condition.
        skill: The id of the skill.

    Raises:
        UserError: If it cannot be escaped, or not with that skill.

    Source: RPJ-COND-07.
    """
    escape = one.condition.escape
    if escape is None:
        raise UserError(f"Nobody escapes {one.condition.name}.", _ways(one.condition))
    if skill not in escape.skills:
        raise UserError(
            f"That does not end {one.condition.name}.", f"This may: {skill_words(escape.skills)}."
        )
    return escape


def _ways(condition: Condition) -> str:
    return f"The way out: {'; '.join(condition.exits)}."
