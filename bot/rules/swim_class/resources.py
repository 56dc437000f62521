"""Resources and money: wounds of each Defense skill, scratches, the purse, prices."""

from collections.abc import Callable

from bot.rules.kernel import CharacterHealth, ResourceRule, looks_for
from bot.rules.kernel.outcome import shown_number
from bot.rules.kernel.tracker import DOWN
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.sheet import Character, Implement, SwimSheet, book_of
from bot.rules.swim_class.tables import Pool, SkillKey

STARTING_GOLD = 100
LISTED_RATE = 10  # silver in a gold piece, as in the price list


def starting_silver(settings: SwimSettings) -> int:
    """A new character's money in silver. [SWIM-CHAR-02, SWIM-CHAR-03 (SWIM-R04)]"""
    return STARTING_GOLD * settings.sp_per_gp


def coins(silver: int, settings: SwimSettings) -> str:
    """An amount of money as text: "3 GP 5 SP". [SWIM-CHAR-03 (SWIM-R04)]"""
    gold, rest = divmod(silver, settings.sp_per_gp)
    parts = [f"{gold} GP" if gold else "", f"{rest} SP" if rest else ""]
    return " ".join(part for part in parts if part) or "0 SP"


def priced(implement: Implement, settings: SwimSettings) -> int:
    """The price of an implement in silver at the campaign's rate; the part below a gold piece stays silver.

    [SWIM-CHAR-03, SWIM-ITEM-01]
    """
    gold, silver = divmod(implement.price_sp, LISTED_RATE)
    return gold * settings.sp_per_gp + silver


SCRATCHES = "scratches"
PURSE = "purse_sp"
COMPOSURE = "composure"


def wounds_key(pool: Pool) -> str:
    """The resource key of a pool's wounds."""
    return f"{pool.value}_wounds"


def _composure(sheet: SwimSheet, settings: SwimSettings) -> int:
    book = book_of(settings)
    return book.rank(sheet.ranks, COMPOSURE)


def _after_shopping(sheet: SwimSheet, settings: SwimSettings) -> int:
    """The starting money left after buying gear at creation (SWIM-CHAR-02)."""
    rates = settings
    spent = sum(priced(item, rates) * item.quantity for item in sheet.items)
    return max(0, starting_silver(rates) - spent)


def _left(skill: SkillKey) -> Callable[[SwimSheet, SwimSettings, int], str]:
    """Show wounds or scratches as what is left of the skill's rank: "3/4"."""

    def shown(sheet: SwimSheet, settings: SwimSettings, amount: int) -> str:
        rank = book_of(settings).rank(sheet.ranks, skill)
        return f"{shown_number(rank - amount)}/{rank}"

    return shown


def _silver(_sheet: SwimSheet, settings: SwimSettings, silver: int) -> str:
    return coins(silver, settings)


# Wounds have no cap: hit points go below zero (SWIM-COMB-07).
RESOURCES = (
    *(
        ResourceRule(
            key=wounds_key(pool),
            title=f"{pool.value.capitalize()} wounds",
            changed_title=pool.value.capitalize(),
            is_burden=True,
            is_health=True,
            shown=_left(pool.defence),
        )
        for pool in Pool
    ),
    ResourceRule(
        key=SCRATCHES,
        title="Scratches",
        cap=_composure,
        is_burden=True,
        is_health=True,
        changed_title="Composure",
        shown=_left(COMPOSURE),
    ),
    ResourceRule(
        key=PURSE,
        title="Purse (SP)",
        start=starting_silver(SwimSettings()),
        sheet_start=_after_shopping,
        changed_title="Purse",
        shown=_silver,
    ),
)


def state_of(character: Character, settings: SwimSettings) -> str:
    """Whether a character is dead, dying or down; nothing where they can act. [SWIM-COMB-07, SWIM-COMB-08]"""
    sheet, book = character.sheet, book_of(settings)
    left = min(book.rank(sheet.ranks, pool.defence) - character.left(wounds_key(pool)) for pool in Pool)
    is_stable = len(sheet.stable) + len(sheet.broken) > 0
    return "dead" if sheet.is_dead else "dying" if left < 0 and not is_stable else DOWN if left <= 0 else ""


def health_of(character: Character, settings: SwimSettings) -> CharacterHealth:
    """Hit points by pool; what is out of action is down, dying or dead. [SWIM-COMB-05, SWIM-COMB-08]"""
    book, numbers, worst = book_of(settings), [], (1, 1)
    for pool in Pool:
        rank = book.rank(character.sheet.ranks, pool.defence)
        left = rank - character.left(wounds_key(pool))
        if pool is Pool.PHYSICAL or left < rank:
            numbers.append(f"{pool.value.capitalize()} {shown_number(left)}/{rank}")
        if left * worst[1] < worst[0] * rank:
            worst = (left, rank)
    return CharacterHealth(tuple(numbers), state_of(character, settings) or looks_for(*worst))
