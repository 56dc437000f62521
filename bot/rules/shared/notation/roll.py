"""Rolling a tree: dice are thrown from left to right, and each operation acts before the next."""

from collections.abc import Sequence

from bot.rules.kernel.dice import Dice
from bot.rules.shared.notation.arithmetic import reckon
from bot.rules.shared.notation.dice_pools import DicePool, DiceTable, ValuePool
from bot.rules.shared.notation.parser import parse
from bot.rules.shared.notation.rolled import Rolled
from bot.rules.shared.notation.tree import Chain, DiceTerm, Group, Literal, SetTerm, Signed, Term, Value


def roll(expression: str | Term, dice: Dice) -> Rolled:
    """Roll an expression.

    Args:
        expression: A text in the dice notation, or the tree `parse` made of one.
        dice: Where the faces come from; percentile dice are thrown as a d10.

    Raises:
        UserError: If the text can't be read, asks for too much, divides by zero or never ends. Dice may
            have been thrown by then.
    """
    term = parse(expression) if isinstance(expression, str) else expression
    table = DiceTable(dice)
    value = _value(term, table)
    return Rolled(term, value, table.dice, table.sets, table.faces)


def _value(term: Term, table: DiceTable) -> Value:
    """What a tree comes to."""
    match term:
        case Literal():
            return term.value
        case Chain():
            value = _value(term.first, table)
            for operator, operand in term.steps:
                value = reckon(operator, value, _value(operand, table))
            return value
        case DiceTerm() | SetTerm() | Group():
            return _pool(term, table).total
        case Signed():
            value = _value(term.operand, table)
            return -value if term.minus else value


def _pool(term: Term, table: DiceTable) -> DicePool | ValuePool:
    """The dice or values in a term after its operations; parentheses are looked into."""
    match term:
        case DiceTerm():
            pool: DicePool | ValuePool = _dice(term, table)
        case SetTerm():
            pool = _set(term.members, table)
        case Group():
            pool = _pool(term.inner, table)
        case _:
            return _set([term], table)
    for operation in term.operations:
        pool.operate(operation, table)
    return pool


def _dice(term: DiceTerm, table: DiceTable) -> DicePool:
    """The dice of a term as they first fall."""
    pool = DicePool(term, table.throw(term, term.number), range(term.number), {})
    table.dice.append(pool)
    return pool


def _set(members: Sequence[Term], table: DiceTable) -> ValuePool:
    """The values of *members*."""
    pool = ValuePool([_value(member, table) for member in members], range(len(members)))
    table.sets.append(pool)
    return pool
