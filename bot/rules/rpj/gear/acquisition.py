"""The acquisition check: whether an item can be found at all."""

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.resolution.criticals import CriticalRules
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs


def acquisition(coin: int, cost: int, criticals: CriticalRules) -> RpjCheckInputs:
    """The inputs of an acquisition check.

    Args:
        coin: The buyer's Coin, added to the dice.
        cost: The final price, added to the target number.
        criticals: How the campaign treats criticals.

    Raises:
        UserError: If it could not be paid for.

    Source: RPJ-MONEY-11 (MONEY-11a).
    """
    if coin < cost:
        raise UserError(f"That costs {cost} Coin; you have {coin}.", "You can only try for what you can pay.")
    return RpjCheckInputs(
        kind=CheckKind.ACQUISITION,
        terms=(NamedTerm(label="Coin", value=coin),) if coin else (),
        opposition=(NamedTerm(label="cost", value=cost),) if cost else (),
        criticals=criticals,
    )
