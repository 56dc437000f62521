"""What traits do in a fight: strikes out of turn, careful steps, initiative, fists, maneuvers."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.rules.kernel import NamedTerm
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.module.effects import (
    CautiousMovement,
    FreeAttackOn,
    FreeAttackTrigger,
    GrantsManeuver,
    InitiativeOrder,
    RollTarget,
    RpjCircumstances,
    UnarmedDamage,
    roll_bonus,
)


@dataclass(frozen=True, slots=True)
class OfferedStrike:
    """A free attack that a trait lets its owner make.

    Attributes:
        left: Free attacks of the round that are left once it is made.
    """

    left: int


def offered_strike(figure: Stats, trigger: FreeAttackTrigger | None, left: int) -> OfferedStrike | None:
    """The free attack that something lets the owner of a trait make, or None.

    Args:
        figure: Whom it happens to.
        trigger: What has happened; None for anything that is no trigger.
        left: Free attacks of the round that are left.

    Source: RPJ-TRAIT-07 (R-054).
    """
    for effect in figure.effects:
        if isinstance(effect, FreeAttackOn) and effect.trigger is trigger:
            after = left - 1 if effect.costs_the_free_attack else left
            if after >= 0:
                return OfferedStrike(after)
    return None


@dataclass(frozen=True, slots=True)
class Caution:
    """What cautious movement costs, and how far it leads.

    Attributes:
        actions: Actions it takes; None for the whole turn.
        steps: Moves it is worth.
    """

    actions: int | None
    steps: int


def caution(figure: Stats) -> Caution:
    """Somebody's cautious movement, with the best that traits make of it.

    Source: RPJ-TRAIT-07.
    """
    effects = [effect for effect in figure.effects if isinstance(effect, CautiousMovement)]
    costs = [effect.actions for effect in effects if effect.actions is not None]
    return Caution(min(costs, default=None), max((effect.steps for effect in effects), default=1))


def initiative_terms(figure: Stats, now: RpjCircumstances) -> tuple[NamedTerm, ...]:
    """What traits add to somebody's roll for initiative.

    Source: RPJ-TRAIT-07.
    """
    bonuses = roll_bonus(figure.effects, RollTarget.INITIATIVE, now)
    return tuple(NamedTerm(label=bonus.word, value=bonus.value) for bonus in bonuses)


def _places(figure: Stats) -> Iterator[InitiativeOrder]:
    return (effect for effect in figure.effects if isinstance(effect, InitiativeOrder))


def goes_first(figure: Stats) -> bool:
    """Whether somebody goes first in the first round with a turn of theirs."""
    return any(effect.first_in_first_round for effect in _places(figure))


@dataclass(frozen=True, slots=True)
class Fists:
    """What traits make of unarmed attacks.

    Attributes:
        damage: Added to their damage.
        may_kill: Whether the owner says if they kill.
    """

    damage: int
    may_kill: bool


def fists(figure: Stats) -> Fists:
    """What somebody's traits make of their unarmed attacks.

    Source: RPJ-TRAIT-07.
    """
    effects = [effect for effect in figure.effects if isinstance(effect, UnarmedDamage)]
    return Fists(sum(effect.value for effect in effects), any(effect.may_choose_lethal for effect in effects))


def granted_maneuvers(figure: Stats) -> frozenset[str]:
    """The maneuvers that somebody's traits grant.

    Source: RPJ-TRAIT-07.
    """
    return frozenset(effect.maneuver for effect in figure.effects if isinstance(effect, GrantsManeuver))
