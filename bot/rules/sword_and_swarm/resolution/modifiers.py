"""Bonuses and penalties: one is worth 1 to 4, all of them together at most 4."""

import re
from collections.abc import Iterable

from pydantic import Field

from bot.rules.kernel import Document, Term
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.sword_and_swarm.resolution.attribute_values import signed

LIMIT = 4
_NEXT = re.compile(r"(?:^|[\s,;]+)(?=[+\-−]\s*\d)")
_WRITTEN = re.compile(r"([+\-−])\s*(\d{1,6})\s*(.*)", re.DOTALL)


class Modifier(Document):
    """One bonus or penalty.

    Attributes:
        value: +1 to +4, or −1 to −4.
        label: Where it comes from, or nothing.

    Source: SWARM-MOD-03.
    """

    value: int = Field(ge=-LIMIT, le=LIMIT)
    label: str = Field(default="", max_length=60)

    @property
    def term(self) -> Term:
        """It as a part of the arithmetic."""
        return Term(self.label or ("bonus" if self.value > 0 else "penalty"), self.value)


def net(modifiers: Iterable[Modifier]) -> int:
    """What all bonuses and penalties come to: their sum, but no more than 4 either way.

    Source: SWARM-MOD-04 (SWARM-R08: net first, then one limit).
    """
    return max(-LIMIT, min(sum(one.value for one in modifiers), LIMIT))


def terms(modifiers: tuple[Modifier, ...]) -> tuple[Term, ...]:
    """The bonuses and penalties as parts of the arithmetic: each by name, or all as one where capped."""
    if cap_note(modifiers):
        return (Term("modifiers", net(modifiers)),)
    return tuple(one.term for one in modifiers)


def cap_note(modifiers: Iterable[Modifier]) -> str:
    """A sentence where the bonuses and penalties are more than may count, or nothing."""
    together = sum(one.value for one in modifiers)
    if abs(together) <= LIMIT:
        return ""
    return f"Bonuses and penalties come to {signed(together)}; {signed(net(modifiers))} counts."


def read_modifiers(bonus: int, more: str) -> tuple[Modifier, ...]:
    """The bonuses and penalties of a test; those of 0 are left out.

    Args:
        bonus: One of them, −4 to +4.
        more: Others as typed: "+2 high ground −1 dark".

    Raises:
        UserError: If the text cannot be read, or one of them is larger than it may be.

    Source: SWARM-MOD-03.
    """
    found = [Modifier(value=bonus)] if bonus else []
    problems = []
    for part in (piece for piece in _NEXT.split(more.strip()) if piece):
        written = _WRITTEN.fullmatch(part)
        if written is None:
            raise UserError(
                f"{part!r} is no bonus and no penalty.", try_this="Type them as: +2 high ground −1 dark"
            )
        sign, size, label = written.groups()
        value = int(size) if sign == "+" else -int(size)
        if abs(value) > LIMIT:
            problems.append(f"{signed(value)} is too much: one bonus is +1 to +4, one penalty −1 to −4.")
        elif value:
            found.append(Modifier(value=value, label=label.strip()[:60]))
    if problems:
        raise UserErrors(tuple(problems))
    return tuple(found)
