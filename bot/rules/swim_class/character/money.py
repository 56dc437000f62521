"""Gold and silver: prices and purses at the campaign's rate."""

from bot.rules.swim_class.character.implements import Implement
from bot.rules.swim_class.character.settings import SwimSettings

STARTING_GOLD = 100
LISTED_RATE = 10  # silver in a gold piece, as in the price list


def starting_silver(settings: SwimSettings) -> int:
    """A new character's money in silver.

    Source: SWIM-CHAR-02, SWIM-CHAR-03 (SWIM-R04).
    """
    return STARTING_GOLD * settings.sp_per_gp


def coins(silver: int, settings: SwimSettings) -> str:
    """An amount of money as text: "3 GP 5 SP".

    Source: SWIM-CHAR-03 (SWIM-R04).
    """
    gold, rest = divmod(silver, settings.sp_per_gp)
    parts = [f"{gold} GP" if gold else "", f"{rest} SP" if rest else ""]
    return " ".join(part for part in parts if part) or "0 SP"


def priced(implement: Implement, settings: SwimSettings) -> int:
    """The price of an implement in silver at the campaign's rate; the part below a gold piece stays silver.

    Source: SWIM-CHAR-03, SWIM-ITEM-01.
    """
    gold, silver = divmod(implement.price_sp, LISTED_RATE)
    return gold * settings.sp_per_gp + silver
