"""The five tiers, and how tiers are compared."""

from enum import StrEnum

from bot.rules.post_magic_maid.resolution.tables import TIER_ROWS


class MaidTier(StrEnum):
    """The tiers; only the highest one reached counts.

    Source: PMM-CHK-03, PMM-CHK-04.
    """

    BELOW_10 = "below 10"
    TEN = "10"
    FIFTEEN = "15"
    TWENTY = "20"
    TWENTY_FIVE = "25"

    @property
    def level(self) -> int:
        """The tier's number of successes, from 0 to 4."""
        return TIERS.index(self)

    @property
    def words(self) -> str:
        """The tier's name in a sentence."""
        return self.value if self is MaidTier.BELOW_10 else f"tier {self.value}"


TIERS = tuple(MaidTier)
_FLOORS = tuple((MaidTier(row.name), row.at_least) for row in reversed(TIER_ROWS))


def tier_of(total: int) -> MaidTier:
    """The highest tier that a total reaches; a total equal to the threshold reaches it.

    Source: PMM-CHK-03.
    """
    return next(tier for tier, at_least in _FLOORS if at_least is None or total >= at_least)


def assisted(action: MaidTier, assist: MaidTier) -> MaidTier:
    """The tier of an action after an assist.

    The assist counts from two tiers above the action: one tier for the second, and one more for each
    beyond it.

    Source: PMM-AST-01, PMM-AST-02; PMM-R31 (a failed action can be lifted too).
    """
    boost = max(0, assist.level - action.level - 1)
    return TIERS[action.level + boost]


def contested(mine: MaidTier, theirs: MaidTier) -> MaidTier | None:
    """The winning tier of one side against another: the difference, or None without a win.

    Source: PMM-CON-01, PMM-CON-02; PMM-R33 (equal tiers are a stalemate).
    """
    difference = mine.level - theirs.level
    return TIERS[difference] if difference > 0 else None
