"""Buying by dice: haggling over a price, and checks that say whether something can be had at all."""

from bot.rules.mistakes import Mistake
from bot.rules.rpj.check_inputs import CheckInputs, CheckKind, NamedTerm
from bot.rules.rpj.criticals import CriticalRules


def haggling(
    buyer: tuple[NamedTerm, ...], seller: tuple[NamedTerm, ...], criticals: CriticalRules
) -> CheckInputs:
    """The check of somebody who haggles; its degrees of success are Coin that the lot costs less.

    Args:
        buyer: What is added to the dice: the buyer's skill, class skills, traits.
        seller: What is added to the target number: the seller's effective skill.
        criticals: How the campaign treats criticals.

    Source: RPJ-MONEY-05.
    """
    return CheckInputs(kind=CheckKind.SKILL, terms=buyer, opposition=seller, criticals=criticals)


def acquisition(coin: int, cost: int, criticals: CriticalRules) -> CheckInputs:
    """The check that says whether something can be had for its price.

    Args:
        coin: Coin of whoever wants it; added to the dice.
        cost: The final price; added to the target number.
        criticals: How the campaign treats criticals.

    Raises:
        Mistake: If it could not be paid.

    Source: RPJ-MONEY-11 (MONEY-11a).
    """
    if coin < cost:
        raise Mistake(f"That costs {cost} Coin, and there are {coin}.", "Only what can be paid can be tried.")
    return CheckInputs(
        kind=CheckKind.ACQUISITION,
        terms=(NamedTerm(label="Coin", value=coin),) if coin else (),
        opposition=(NamedTerm(label="cost", value=cost),) if cost else (),
        criticals=criticals,
    )
