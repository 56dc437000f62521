"""What traits do in a fight: free attacks, cautious movement, initiative, unarmed attacks, maneuvers."""

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
    """A free attack granted by a trait.

    Attributes:
        left: Free attacks left this round once it is made.
    """

    left: int


def offered_strike(figure: Stats, trigger: FreeAttackTrigger | None, left: int) -> OfferedStrike | None:
    """The free attack that an event grants the owner of a trait, or None.

    Args:
        figure: Who owns the trait.
        trigger: What has happened; None for anything that is no trigger.
        left: Free attacks left this round.

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
    """What cautious movement costs and how far it goes.

    Attributes:
        actions: Actions it takes; None for the whole turn.
        steps: Moves it is worth.
    """

    actions: int | None
    steps: int


def caution(figure: Stats) -> Caution:
    """A character's cautious movement, as their traits allow it at best.

    Source: RPJ-TRAIT-07.
    """
    effects = [effect for effect in figure.effects if isinstance(effect, CautiousMovement)]
    costs = [effect.actions for effect in effects if effect.actions is not None]
    return Caution(min(costs, default=None), max((effect.steps for effect in effects), default=1))


def initiative_terms(figure: Stats, now: RpjCircumstances) -> tuple[NamedTerm, ...]:
    """What traits add to an initiative roll.

    Source: RPJ-TRAIT-07.
    """
    bonuses = roll_bonus(figure.effects, RollTarget.INITIATIVE, now)
    return tuple(NamedTerm(label=bonus.word, value=bonus.value) for bonus in bonuses)


def _places(figure: Stats) -> Iterator[InitiativeOrder]:
    return (effect for effect in figure.effects if isinstance(effect, InitiativeOrder))


def goes_first(figure: Stats) -> bool:
    """Whether a character acts first in their first round."""
    return any(effect.first_in_first_round for effect in _places(figure))


@dataclass(frozen=True, slots=True)
class Fists:
    """How traits change unarmed attacks.

    Attributes:
        damage: Added to their damage.
        may_kill: Whether the owner chooses if they are lethal.
    """

    damage: int
    may_kill: bool


def fists(figure: Stats) -> Fists:
    """How a character's traits change their unarmed attacks.

    Source: RPJ-TRAIT-07.
    """
    effects = [effect for effect in figure.effects if isinstance(effect, UnarmedDamage)]
    return Fists(sum(effect.value for effect in effects), any(effect.may_choose_lethal for effect in effects))


def granted_maneuvers(figure: Stats) -> frozenset[str]:
    """The maneuvers that a character's traits grant.

    Source: RPJ-TRAIT-07.
    """
    return frozenset(effect.maneuver for effect in figure.effects if isinstance(effect, GrantsManeuver))
