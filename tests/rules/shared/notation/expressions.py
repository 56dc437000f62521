"""Expressions for the property tests, in the part of the notation that the d20 library reads too."""

from hypothesis import strategies as st

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
