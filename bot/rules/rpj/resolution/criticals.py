"""Criticals: double sixes and double ones, how often they count, and who decides."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Document

LOWEST, HIGHEST = 2, 12
NEAR_LOWEST, NEAR_HIGHEST = 3, 11


class CriticalMode(StrEnum):
    """How often criticals come: as rolled, only when confirmed, or more often.

    Source: RPJ-DICE-03, RPJ-DICE-04, RPJ-DICE-05.
    """

    NORMAL = "normal"
    CONFIRM = "confirm"
    WIDE = "wide"


class Policy(StrEnum):
    """Whether a critical that contradicts the total counts: the GM decides, always, or never.

    Source: RPJ-DICE-03 (R-002).
    """

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


class Critical(StrEnum):
    """The critical the dice alone show."""

    NONE = "none"
    SUCCESS = "success"
    FAILURE = "failure"


class CriticalRules(Document):
    """A campaign's dice or coins, and its criticals.

    Attributes:
        with_coins: Whether coins are flipped instead of rolling two dice.
        mode: How often criticals come.
        confirm_fail_max: Highest confirmation die that makes a critical failure.
        confirm_success_min: Lowest confirmation die that makes a critical success.
        check_success: Whether double sixes below the target number of a check count.
        check_failure: Whether double ones that reach the target number of a check count.
        combat: Both, for combat and health rolls.
    """

    with_coins: bool = False
    mode: CriticalMode = CriticalMode.NORMAL
    confirm_fail_max: int = Field(default=3, ge=1, le=6)
    confirm_success_min: int = Field(default=4, ge=1, le=6)
    check_success: Policy = Policy.ASK
    check_failure: Policy = Policy.ALWAYS
    combat: Policy = Policy.ALWAYS

    def asks_for_confirmation(self, pair: tuple[int, int]) -> bool:
        """Whether a pair of dice needs a confirmation die to be critical.

        Source: RPJ-DICE-04, RPJ-DICE-05.
        """
        if self.mode is CriticalMode.CONFIRM:
            return sum(pair) in (LOWEST, HIGHEST)
        return self.mode is CriticalMode.WIDE and sum(pair) in (NEAR_LOWEST, NEAR_HIGHEST)

    def critical(self, pair: tuple[int, int], confirmation: int | None) -> Critical:
        """The critical of a pair of dice.

        Args:
            pair: The two dice that count.
            confirmation: The confirmation die, if the pair needs one.
        """
        is_low = sum(pair) <= NEAR_LOWEST
        if confirmation is not None and self.asks_for_confirmation(pair):
            if is_low:
                return Critical.FAILURE if confirmation <= self.confirm_fail_max else Critical.NONE
            return Critical.SUCCESS if confirmation >= self.confirm_success_min else Critical.NONE
        if sum(pair) == HIGHEST:
            return Critical.SUCCESS
        return Critical.FAILURE if sum(pair) == LOWEST else Critical.NONE
