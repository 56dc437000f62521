"""Conditions as text: what one does, what ends it, and a character's conditions by kind."""

from collections.abc import Iterator

from bot.rules.kernel.wording import signed
from bot.rules.rpj.module.active_condition import Suffered
from bot.rules.rpj.module.condition_kinds import Condition, ConditionKind, RpjTick, skill_words, span
from bot.rules.rpj.module.module import Module


def does_words(condition: Condition) -> str:
    """What a condition does, in a line.

    Source: RPJ-COND-02, RPJ-COND-03, RPJ-COND-04.
    """
    return "; ".join(_does(condition)) or "no effect in numbers"


def _does(condition: Condition) -> Iterator[str]:
    if condition.checks:
        yield f"{signed(condition.checks)} to all checks"
    by_value: dict[int, list[str]] = {}
    for effect in condition.effects:
        by_value.setdefault(effect.value, []).append(f"{effect.of or effect.on}")
    for value, names in by_value.items():
        yield f"{signed(value)} to {', '.join(names)}"
    bans = sorted(condition.bans)
    if bans:
        yield f"prevents {', '.join(bans)}"
    yield from (_tick_words(tick) for tick in condition.ticks)


def _tick_words(tick: RpjTick) -> str:
    when = f"every {span(tick.minutes)}" if tick.repeats else f"after {span(tick.minutes)}"
    return f"{tick.damage} damage {when}" if tick.outcome is None else f"{tick.outcome} {when}"


def exit_words(condition: Condition, module: Module) -> str:
    """What ends a condition, with skills by name; "GM only" where nothing does.

    Source: RPJ-COND-08.
    """
    words = "; ".join(condition.exits)
    for id_ in condition.escape.skills if condition.escape else ():
        skill = module.skill(id_)
        words = words.replace(skill_words((id_,)), skill.name if skill else skill_words((id_,)))
    return words


def condition_lines(suffered: tuple[Suffered, ...], module: Module) -> tuple[str, ...]:
    """A character's conditions by kind, each with what it does and what ends it.

    Source: RPJ-COND-01 (COND-01b), RPJ-COND-08.
    """
    lines = []
    for kind in ConditionKind:
        of_kind = [one for one in suffered if one.condition.kind is kind]
        lines += [f"{one.condition.name} ({kind}): {_line(one, module)}" for one in of_kind]
    return tuple(lines)


def _line(one: Suffered, module: Module) -> str:
    recovery = one.condition.recovery
    done = f" · recovered {one.recovered} of {recovery.countdown}" if recovery else ""
    return f"{does_words(one.condition)} · to end it: {exit_words(one.condition, module)}{done}"
