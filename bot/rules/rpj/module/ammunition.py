"""Ammunition: the rounds of use loaded, and how much more is carried."""

from pydantic import Field

from bot.rules.kernel import Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted
from bot.rules.rpj.module.entry import Id

LOTS = 3
MOST_STEPS = 20
SUPPRESSIVE = 2
USES_THAT_TELL = 2
_STEPS = ("None", "A Little", "Some", "Lots")


class Magazine(Document):
    """A weapon's magazine, as a module defines it.

    Attributes:
        type: The kind of ammunition, for swapping.
        capacity: Rounds of a fight it lasts when full.
        reload_actions: Actions to reload.

    Source: RPJ-FIRE-02, RPJ-FIRE-03.
    """

    type: Id
    capacity: int = Field(ge=1, le=100)
    reload_actions: int = Field(default=1, ge=0, le=6)


class Ammunition(Document):
    """The ammunition of one character's weapon.

    Attributes:
        loaded: Rounds of use left in the magazine.
        step: How much more is carried: 0 None, 1 A Little, 2 Some, 3 Lots, above that Lots and more.
        is_used: Whether it has been used this round.
        has_suppressed: Whether that was Suppressive Fire.
        uses: Attacks with it in this fight; Suppressive Fire counts twice.

    Source: RPJ-FIRE-02, RPJ-FIRE-04.
    """

    loaded: int = Field(ge=0, le=100)
    step: int = Field(default=LOTS, ge=0, le=MOST_STEPS)
    is_used: bool = False
    has_suppressed: bool = False
    uses: int = Field(default=0, ge=0)

    def _changed(self, **changes: object) -> "Ammunition":
        return evolve(self, **changes)

    def shot(self, name: str, *, uses: int = 1) -> "Ammunition":
        """After an ordinary attack; only the first use in a round takes ammunition.

        Args:
            name: The weapon's name.
            uses: How many attacks it counts as.

        Raises:
            UserError: If nothing is loaded, or nothing is carried.

        Source: RPJ-FIRE-02 (FIRE-02a), RPJ-FIRE-08, RPJ-FIRE-31 (FIRE-31a).
        """
        self._assert_some(name)
        if self.is_used:
            return self._changed(uses=self.uses + uses)
        self._assert_loaded(name)
        return self._changed(loaded=self.loaded - 1, is_used=True, uses=self.uses + uses)

    def suppressed(self, name: str) -> "Ammunition":
        """After Suppressive Fire, which takes two or what is left and includes the round's ordinary use.

        Raises:
            UserError: If nothing is loaded, or nothing is carried.

        Source: RPJ-FIRE-22 (FIRE-22a).
        """
        self._assert_some(name)
        self._assert_loaded(name)
        before = self.loaded + (self.is_used and not self.has_suppressed)
        return self._changed(
            loaded=max(before - SUPPRESSIVE, 0),
            is_used=True,
            has_suppressed=True,
            uses=self.uses + SUPPRESSIVE,
        )

    def spent_in_battle(self, name: str) -> "Ammunition":
        """After a contribution to a mass battle: like Suppressive Fire, with free reloading in between.

        Source: RPJ-MASS-11 (MASS-11b), RPJ-FIRE-05 (FIRE-05a).
        """
        return self.new_round().suppressed(name)

    def reloaded(self, capacity: int) -> "Ammunition":
        """With a full magazine; later shots in the round take ammunition again.

        Source: RPJ-FIRE-03, RPJ-FIRE-02 (FIRE-02b).
        """
        return self._changed(loaded=capacity, is_used=False, has_suppressed=False)

    def new_round(self) -> "Ammunition":
        """At the beginning of a round."""
        return self._changed(is_used=False, has_suppressed=False)

    def after_fight(self, capacity: int) -> "Ammunition":
        """After a fight: one step less if it was used twice or more, and reloaded if any is left.

        Source: RPJ-FIRE-05 (FIRE-05b).
        """
        step = max(self.step - (self.uses >= USES_THAT_TELL), 0)
        return Ammunition(loaded=capacity if step else self.loaded, step=step)

    def with_step(self, step: int) -> "Ammunition":
        """With another amount carried.

        Source: RPJ-FIRE-07.
        """
        return self._changed(step=step)

    def _assert_some(self, name: str) -> None:
        if not self.step:
            raise UserError(f"The {name} is out of ammunition.", "Swap with another weapon, or resupply.")

    def _assert_loaded(self, name: str) -> None:
        if not self.loaded:
            raise UserError(f"The {name} is empty.", "Reload it first.")


def step_name(step: int) -> str:
    """The amount carried, in words.

    Source: RPJ-FIRE-04.
    """
    return _STEPS[step] if step <= LOTS else f"Lots +{step - LOTS}"


def reload_actions(magazine: Magazine, actions: int, left: int) -> int:
    """The actions to reload now, a whole turn at most.

    Args:
        magazine: The weapon's magazine.
        actions: Actions per turn.
        left: Actions left this turn.

    Raises:
        UserError: If too few are left.

    Source: RPJ-FIRE-03 (FIRE-03a, FIRE-03b).
    """
    cost = min(magazine.reload_actions, actions)
    if left < cost:
        raise UserError(
            f"Reloading takes {counted(cost, 'action')}; you have {left} left.",
            "You can't split it over turns.",
        )
    return cost


def swapped(
    one: tuple[Magazine, Ammunition], other: tuple[Magazine, Ammunition]
) -> tuple[Ammunition, Ammunition]:
    """Two weapons of one owner with their carried ammunition swapped; magazines stay.

    Raises:
        UserError: If they use different ammunition.

    Source: RPJ-FIRE-06 (FIRE-06a).
    """
    if one[0].type != other[0].type:
        raise UserError("These two weapons use different ammunition.", f"{one[0].type} and {other[0].type}.")
    return one[1].with_step(other[1].step), other[1].with_step(one[1].step)


def given(giver: Ammunition, taker: Ammunition, steps: int) -> tuple[Ammunition, Ammunition]:
    """Ammunition given step by step: the giver's and the taker's.

    Raises:
        UserError: If the giver has less, or the taker can't carry it.

    Source: RPJ-FIRE-07 (FIRE-07a).
    """
    if steps > giver.step:
        raise UserError(f"You only have {step_name(giver.step)} to give.")
    if taker.step + steps > MOST_STEPS:
        raise UserError("Nobody can carry that much.")
    return giver.with_step(giver.step - steps), taker.with_step(taker.step + steps)
