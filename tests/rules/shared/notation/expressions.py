"""Expressions for the property tests, in the part of the notation that the d20 library reads too."""

from hypothesis import strategies as st

from bot.rules.shared.notation.parser import (
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

SIDES = ("1", "2", "3", "4", "6", "8", "10", "12", "20", "100", "%")

_literals = st.sampled_from(["0", "1", "2", "3", "5", "7", "12", "0.5", "2.25", "007", "1.", ".5"])
_selectors = st.builds("{}{}".format, st.sampled_from(["", "h", "l", "<", ">"]), st.integers(0, 7))
_by_value = st.builds("{}{}".format, st.sampled_from(["", "<", ">"]), st.integers(0, 7))
_dice_operations = st.one_of(
    st.builds("{}{}".format, st.sampled_from(["k", "p", "ro", "ra"]), _selectors),
    st.builds("{}{}".format, st.sampled_from(["e", "rr"]), _by_value),
    st.builds("{}{}".format, st.sampled_from(["mi", "ma"]), st.integers(0, 7)),
)
_set_operations = st.builds("{}{}".format, st.sampled_from(["k", "p"]), _selectors)
_labels = st.sampled_from(["", "", "", " [fire]", "[a b] [c]"])


def _joined(operations: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(operations, max_size=3).map("".join)


def dice_terms(most: int, sides: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Dice of one kind with operations and labels."""
    return st.builds(
        "{}d{}{}{}".format,
        st.one_of(st.just(""), st.integers(0, most)),
        st.sampled_from(sides),
        _joined(_dice_operations),
        _labels,
    )


def _larger(smaller: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({}){}{}".format, smaller, _joined(_set_operations), _labels),
        st.builds(
            "({}){}{}".format,
            st.lists(smaller, max_size=4).map(", ".join),
            _joined(_set_operations),
            _labels,
        ),
        st.builds("({},){}".format, smaller, _joined(_set_operations)),
        st.builds("{}{}".format, st.sampled_from(["-", "+"]), smaller),
        st.builds("{} {} {}".format, smaller, st.sampled_from(["+", "-", "*", "//", "%"]), smaller),
        st.builds("{} {} {}".format, smaller, st.sampled_from(["==", ">=", "<=", ">", "<", "!="]), smaller),
        # Powers of two, so that d20's floating point is exact as well.
        st.builds("{} / {}".format, smaller, st.sampled_from(["1", "2", "4", "8"])),
    )


def expressions(most: int = 8, sides: tuple[str, ...] = SIDES) -> st.SearchStrategy[str]:
    """Whole expressions of moderate size."""
    return st.recursive(st.one_of(dice_terms(most, sides), _literals), _larger, max_leaves=6)


_bounds = st.sampled_from(
    ["0", "1", "2", "5", "50", "99", "100", "199", "200", "499", "500", "998", "999", "1000", "1000000"]
)
_any_selector = st.builds("{}{}".format, st.sampled_from(["", "h", "h", "l", "l", "<", ">"]), _bounds)
_any_operation = st.one_of(
    st.builds("{}{}".format, st.sampled_from(["k", "p", "ro", "ra", "rr", "e"]), _any_selector),
    st.builds("{}{}".format, st.sampled_from(["mi", "ma"]), _bounds),
)
_any_set_operation = st.builds("{}{}".format, st.sampled_from(["k", "p"]), _any_selector)


def _in_room(piece: str, times: int) -> list[str]:
    """A piece so often, or as often as an expression has room for."""
    return [piece] * min(times, max(1, 160 // (len(piece) + 1)))


def _many(piece: st.SearchStrategy[str], between: str = "") -> st.SearchStrategy[str]:
    """A piece not at all, once, or as often as there is room."""
    few = st.lists(piece, max_size=4).map(between.join)
    return st.one_of(
        few, st.builds(lambda one, times: between.join(_in_room(one, times)), piece, st.integers(2, 60))
    )


_large_dice = st.builds(
    "{}d{}{}".format,
    st.sampled_from([1, 2, 5, 10, 20, 30, 50, 60, 100, 150, 200]),
    st.sampled_from(["1", "2", "6", "20", "100", "500", "999", "1000", "%"]),
    _many(_any_operation),
)


def _largest(smaller: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({},){}".format, _many(smaller, ","), _many(_any_set_operation)),
        st.builds("({}){}".format, smaller, _many(_any_set_operation)),
        st.builds(
            lambda one, sign, times: sign.join(_in_room(one, times)), smaller, _signs, st.integers(2, 40)
        ),
        st.builds("{}{}{}".format, smaller, _signs, smaller),
        st.builds("{}{}{}".format, smaller, _signs, _bounds),
    )


_signs = st.sampled_from(["+", "-", "*", "/", "//", "%", ">=", "=="])


def expressions_at_the_bounds() -> st.SearchStrategy[str]:
    """Texts of the whole notation with as much of everything as may be typed; some are too much."""
    return st.recursive(_large_dice, _largest, max_leaves=3)


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
