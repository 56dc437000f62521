"""Free rolls: any dice expression, rolled with the campaign's fair dice."""

from bot.rules.kernel import NOBODY, Odds
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import Chance
from bot.rules.shared.notation import QUICK_WORK, NoDistribution, Term, TotalOdds, Why, distribution, parse
from bot.rules.shared.notation.roll import FreeRollInputs, free_roll_among
from bot.store.records import EntryId
from bot.table.base.names import one_line
from bot.table.base.request import Request
from bot.table.base.results import BLIND, Message, Result
from bot.table.base.table import Table
from bot.table.base.turn import Turn, act, record

LONGEST_LABEL = 80
MOST_TOTALS = 16  # bars whose letters can be read on a phone


async def roll(
    table: Table,
    request: Request,
    expression: str,
    label: str | None = None,
    *,
    is_secret: bool = False,
    is_blind: bool = False,
) -> Result:
    """Roll an expression; it is journalled in a campaign, and not stored elsewhere.

    Args:
        expression: Dice in the d20 notation, up to 200 characters.
        is_secret: Whether only the person is told (and the GM, by the journal).
        is_blind: Whether only the GM is told.

    Raises:
        UserError: If the expression can't be read or is too large.
    """
    inputs = FreeRollInputs(expression=expression[:500])
    if not (is_secret or is_blind):
        table.recent_rolls.count(request.server, request.person, table.now())
    # Counted before the unit of work, which others wait for.
    found = await _chances(table, parse(inputs.expression))
    headline = f"rolls {one_line(label or '')[:LONGEST_LABEL]}".strip()
    return await _roll(table, request, inputs, found, headline, is_secret=is_secret, is_blind=is_blind)


@act()
def _roll(
    at: Turn,
    inputs: FreeRollInputs,
    found: TotalOdds | NoDistribution,
    headline: str,
    *,
    is_secret: bool,
    is_blind: bool,
) -> Result:
    alone = is_secret or is_blind
    message = Message(who=at.request.person_name, headline=headline, is_public=not alone)
    campaign = at.tx.campaign_at(at.server, at.request.places)
    seed = None if campaign is None else at.tx.seed(at.server, campaign.id)
    if campaign is None and is_blind:
        raise UserError("There is no campaign here, so nobody is GM.", "Roll without the option blind.")
    secret = at.table.new_secret() if seed is None else seed.secret
    rolled = free_roll_among(inputs, FairDice(secret, at.request.interaction), found).by(NOBODY)
    if campaign is None or seed is None:
        note = "There is no campaign here, so this roll isn't saved in a journal."
        return Result(entry=EntryId(0), message=_noted(message, note), rolls=(rolled,))
    return record(
        at.table,
        at.tx,
        at.access,
        "roll",
        message,
        is_secret=alone,
        rolls=(rolled,),
        are_free=True,
        seed=seed.number if rolled.dice else None,
        facts={BLIND: True} if is_blind and not at.is_gm else None,
    )


async def _chances(table: Table, term: Term) -> TotalOdds | NoDistribution:
    """Return the chances of a roll, which waits for nobody else's: with others at work it does without."""
    found = distribution(term, QUICK_WORK)
    if found == NoDistribution(Why.TOO_LARGE) and table.computing.is_idle:
        return await table.computing.run(lambda: distribution(term))
    return found


def _noted(message: Message, note: str) -> Message:
    return Message(who=message.who, headline=message.headline, notes=(note,), is_public=message.is_public)


def odds(expression: str) -> tuple[Odds, str]:
    """Return the exact chances of an expression's totals, and a line about them.

    If there are more than 16 totals, neighbours are grouped.

    Raises:
        UserError: If the expression can't be read or is too large.
    """
    found = distribution(parse(expression))
    if isinstance(found, NoDistribution):
        return Odds(()), f"No exact chances: {found.why.value}."
    lowest, highest = found.lowest, found.highest
    width = -(-(highest - lowest + 1) // MOST_TOTALS)
    groups = found.totals.map(lambda total: (total - lowest) // width)
    chances = []
    for group in range(-(-(highest - lowest + 1) // width)):
        low = lowest + group * width
        name = _range(low, min(low + width - 1, highest))
        chances.append((name, Chance(groups.ways.get(group, 0), groups.of)))
    mean = _true_minus(f"{float(found.mean):.2f}")
    middle = _written(found.percentile(50))
    return Odds(tuple(chances)), f"{_range(lowest, highest)}, {mean} on average, median {middle}"


def _range(low: int, high: int) -> str:
    return _written(low) if low == high else f"{_written(low)} to {_written(high)}"


def _written(value: int) -> str:
    return _true_minus(str(value))


def _true_minus(written: str) -> str:
    return written.replace("-", "−")
