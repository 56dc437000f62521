"""Mooks that stand together, and what they are called."""

from collections.abc import Iterable, Iterator, Sequence

from bot.rules.rpj.combat.state.combatant import RpjCombatant


def counted(fighters: Iterable[RpjCombatant]) -> tuple[str, ...]:
    """Names, with identical mooks counted ("Goblin ×3").

    Source: RPJ-GCS-67.
    """
    names: dict[str, int] = {}
    for fighter in fighters:
        name = fighter.mook.name if fighter.mook else fighter.name
        names[name] = names.get(name, 0) + 1
    return tuple(f"{name} ×{count}" if count > 1 else name for name, count in names.items())


def stacks(fighters: Iterable[RpjCombatant]) -> Iterator[tuple[RpjCombatant, ...]]:
    """Stacks of mooks of one kind that stand together.

    Source: RPJ-GCS-67.
    """
    mooks = [one for one in fighters if one.mook is not None]
    keys = dict.fromkeys((one.mook, one.side, one.group) for one in mooks)
    for mook, side, group in keys:
        yield tuple(one for one in mooks if (one.mook, one.side, one.group) == (mook, side, group))


def hidden_stacks(fighters: Iterable[RpjCombatant]) -> Iterator[tuple[RpjCombatant, ...]]:
    """Stacks of hidden mooks, by kind and place."""
    mooks = [one for one in fighters if one.character is None]
    for kind in dict.fromkeys((one.mook, one.region, one.group) for one in mooks):
        yield tuple(one for one in mooks if (one.mook, one.region, one.group) == kind)


def stack_name(stack: Sequence[RpjCombatant], fighters: Iterable[RpjCombatant]) -> str:
    """A stack of mooks as its line names it: a single one by its number where there are others like it."""
    alike = [one for one in fighters if one.mook == stack[0].mook]
    return stack[0].name if len(stack) == 1 < len(alike) else counted(stack)[0]
