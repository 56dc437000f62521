"""Criticals: double sixes and double ones, how often they count, and who decides about them."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Document

LOWEST, HIGHEST = 2, 12
NEAR_LOWEST, NEAR_HIGHEST = 3, 11


class CriticalMode(StrEnum):
    """How often criticals come: as the dice fall, rarer, or more often.

    Source: RPJ-DICE-03, RPJ-DICE-04, RPJ-DICE-05.
    """

    NORMAL = "normal"
    CONFIRM = "confirm"
    WIDE = "wide"


class Policy(StrEnum):
    """Whether a critical that contradicts the total counts: the GM is asked, always, or never.

    Source: RPJ-DICE-03 (R-002).
    """

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


class Critical(StrEnum):
    """What the faces alone say."""

    NONE = "none"
    SUCCESS = "success"
    FAILURE = "failure"


class CriticalRules(Document):
    """What is thrown in a campaign, and how criticals are treated.

    Attributes:
        with_coins: Whether coins are flipped instead of rolling two dice.
        mode: How often they come.
        confirm_fail_max: Highest confirmation die that makes a critical failure.
        confirm_success_min: Lowest confirmation die that makes a critical success.
        check_success: Double sixes below the target number of a check.
        check_failure: Double ones that reach the target number of a check.
        combat: Both, on rolls of combat and health.
    """

    with_coins: bool = False
    mode: CriticalMode = CriticalMode.NORMAL
    confirm_fail_max: int = Field(default=3, ge=1, le=6)
    confirm_success_min: int = Field(default=4, ge=1, le=6)
    check_success: Policy = Policy.ASK
    check_failure: Policy = Policy.ALWAYS
    combat: Policy = Policy.ALWAYS

    def asks_for_confirmation(self, pair: tuple[int, int]) -> bool:
        """Whether a pair of dice is critical only if one more d6 says so.

        Source: RPJ-DICE-04, RPJ-DICE-05.
        """
        if self.mode is CriticalMode.CONFIRM:
            return sum(pair) in (LOWEST, HIGHEST)
        return self.mode is CriticalMode.WIDE and sum(pair) in (NEAR_LOWEST, NEAR_HIGHEST)

    def critical(self, pair: tuple[int, int], confirmation: int | None) -> Critical:
        """What a pair of dice says.

        Args:
            pair: The two dice that count.
            confirmation: The confirmation die, where the pair asks for one.
        """
        is_low = sum(pair) <= NEAR_LOWEST
        if confirmation is not None and self.asks_for_confirmation(pair):
            if is_low:
                return Critical.FAILURE if confirmation <= self.confirm_fail_max else Critical.NONE
            return Critical.SUCCESS if confirmation >= self.confirm_success_min else Critical.NONE
        if sum(pair) == HIGHEST:
            return Critical.SUCCESS
        return Critical.FAILURE if sum(pair) == LOWEST else Critical.NONE
