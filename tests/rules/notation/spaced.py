"""What was read, written out again: a tree as evenly spaced text."""

from bot.rules.shared.notation.tree import (
    Chain,
    DiceTerm,
    Group,
    Literal,
    Operation,
    SetTerm,
    Signed,
    Term,
    written,
)


def evenly(term: Term) -> str:
    """The text of a tree, evenly spaced; reading it again gives the same tree."""
    match term:
        case Literal():
            return written(term.value) + _behind((), term.labels)
        case DiceTerm():
            return f"{term.number}{term.die}{_behind(term.operations, term.labels)}"
        case SetTerm():
            inside = ", ".join(map(evenly, term.members)) + ("," if len(term.members) == 1 else "")
            return f"({inside}){_behind(term.operations, term.labels)}"
        case Group():
            return f"({evenly(term.inner)}){_behind(term.operations, term.labels)}"
        case Signed():
            return f"{'-' if term.minus else '+'}{evenly(term.operand)}"
        case Chain():
            steps = (f" {operator} {evenly(operand)}" for operator, operand in term.steps)
            return evenly(term.first) + "".join(steps)


def _behind(operations: tuple[Operation, ...], labels: tuple[str, ...]) -> str:
    return "".join(map(str, operations)) + "".join(f" [{label}]" for label in labels)
