"""Suppression, shots at movers, and overwatch."""

from pydantic import Field

from bot.rules.kernel import Document, evolve
from bot.rules.kernel.errors import UserError


class UnderFire(Document):
    """A combatant's Fire and Movement state.

    Attributes:
        suppressors: Who suppresses them, by their ids in the fight.
        until_round: The round with whose turn of theirs it ends; None while they are not suppressed.
        has_moved: Whether they have moved this turn, so that no more shots are drawn by it.
        overwatch: The region they watch, or None.
        is_reoriented: Whether they face the other way in their cover.
        reoriented_round: The round in which they last turned about, 0 for none.
        is_cowering: Whether they cower.
        is_cautious: Whether cautious movement stands in for cover.
        acted: Whether they have moved or attacked this turn.

    Source: RPJ-FIRE-17, RPJ-FIRE-18, RPJ-FIRE-24 to RPJ-FIRE-28.
    """

    suppressors: tuple[str, ...] = ()
    until_round: int | None = Field(default=None, ge=1)
    has_moved: bool = False
    overwatch: int | None = None
    is_reoriented: bool = False
    reoriented_round: int = Field(default=0, ge=0)
    is_cowering: bool = False
    is_cautious: bool = False
    acted: bool = False

    @property
    def is_suppressed(self) -> bool:
        """Whether they are suppressed."""
        return self.until_round is not None

    def _changed(self, **changes: object) -> "UnderFire":
        return evolve(self, **changes)

    def suppressed(self, by: str, round_: int, *, has_had_turn: bool) -> "UnderFire":
        """Suppressed until the end of their next turn.

        Args:
            by: Who suppresses them.
            round_: The round it is.
            has_had_turn: Whether their turn of this round has begun.

        Source: RPJ-FIRE-23, RPJ-FIRE-24 (FIRE-24c).
        """
        suppressors = (*(one for one in self.suppressors if one != by), by)
        return self._changed(suppressors=suppressors, until_round=round_ + has_had_turn)

    def turn_began(self) -> "UnderFire":
        """At the start of their turn: effects until then end.

        Source: RPJ-FIRE-18, RPJ-FIRE-26 (FIRE-26a), RPJ-FIRE-28.
        """
        return self._changed(
            is_cowering=False, is_cautious=False, overwatch=None, has_moved=False, acted=False
        )

    def turn_ended(self, round_: int, *, in_cover: bool) -> "UnderFire":
        """At the end of their turn: due suppression ends; idle combatants in cover cower.

        Args:
            round_: The round it is.
            in_cover: Whether they are in cover.

        Source: RPJ-FIRE-18 (FIRE-18b, FIRE-18c), RPJ-FIRE-24.
        """
        is_due = self.until_round is not None and self.until_round <= round_
        ended = self._changed(suppressors=(), until_round=None) if is_due else self
        return ended._changed(is_cowering=in_cover and not self.acted)

    def displaced(self, *, in_cover: bool) -> "UnderFire":
        """After changing place by any means.

        Source: RPJ-FIRE-12, RPJ-FIRE-18, RPJ-FIRE-26 (FIRE-26a).
        """
        return self._changed(
            overwatch=None,
            is_cowering=self.is_cowering and in_cover,
            is_reoriented=self.is_reoriented and in_cover,
        )

    def moved(self, *, leaves_cover: bool) -> "UnderFire":
        """After a move.

        Source: RPJ-FIRE-12, RPJ-FIRE-25, RPJ-FIRE-26.
        """
        return self._changed(
            has_moved=True,
            acted=True,
            overwatch=None,
            is_cowering=False,
            is_reoriented=self.is_reoriented and not leaves_cover,
        )

    def attacked(self) -> "UnderFire":
        """After an attack on their own turn.

        Source: RPJ-FIRE-18.
        """
        return self._changed(acted=True)

    def reoriented(self, round_: int, *, in_cover: bool) -> "UnderFire":
        """After turning around in cover, once per turn.

        Raises:
            UserError: If they are in no cover, or did so this turn.

        Source: RPJ-FIRE-17 (FIRE-17a).
        """
        if not in_cover:
            raise UserError("There is no cover to turn around in.")
        if self.reoriented_round == round_:
            raise UserError("You can turn around once per turn.")
        return self._changed(
            is_reoriented=not self.is_reoriented, reoriented_round=round_, acted=True, is_cowering=False
        )

    def watching(self, region: int) -> "UnderFire":
        """On overwatch over a region.

        Source: RPJ-FIRE-26 (FIRE-26c).
        """
        return self._changed(overwatch=region, acted=True)

    def fired(self) -> "UnderFire":
        """After the shot of an overwatch, which ends it.

        Source: RPJ-FIRE-26, RPJ-FIRE-27.
        """
        return self._changed(overwatch=None)

    def cautious(self, *, in_cover: bool) -> "UnderFire":
        """After a cautious move, which counts as a little cover in the open.

        Source: RPJ-FIRE-28.
        """
        return self.moved(leaves_cover=not in_cover)._changed(is_cautious=not in_cover)

    def assert_may_move(self) -> None:
        """Refuse a move after overwatch was set.

        Raises:
            UserError: If they watch a region.

        Source: RPJ-FIRE-26.
        """
        if self.overwatch is not None:
            raise UserError(
                "You can't move while on overwatch.", "Overwatch ends at the start of your next turn."
            )

    def assert_may_aim(self) -> None:
        """Refuse Aimed Fire while suppressed.

        Raises:
            UserError: If they are suppressed.

        Source: RPJ-FIRE-21, RPJ-FIRE-24.
        """
        if self.is_suppressed:
            raise UserError("You can't aim while suppressed.")


def shots_at_mover(mover: UnderFire) -> tuple[str, ...]:
    """Who can spend a free attack on a suppressed mover's first move this turn.

    Source: RPJ-FIRE-25, RPJ-FIRE-29.
    """
    return mover.suppressors if mover.is_suppressed and not mover.has_moved else ()


def is_triggered(watcher: UnderFire, from_region: int, to_region: int, *, is_cautious: bool) -> bool:
    """Whether a combatant on overwatch can shoot at a mover.

    Source: RPJ-FIRE-26, RPJ-FIRE-30.
    """
    return watcher.overwatch == to_region != from_region and not is_cautious
