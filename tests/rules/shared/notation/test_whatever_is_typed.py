"""What is so for every text anybody may type."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.rules.kernel.dice import FairDice, ReplayedDice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.notation import Rolled, TotalOdds, distribution, fragments, parse, roll
from tests.rules.notation.spaced import evenly
from tests.rules.shared.notation.expressions import expressions

_fragments_of_expressions = st.lists(
    st.sampled_from(
        [*"0123456789dkpehlrom+-*/%<>=!(),.[] ", "rr", "ro", "ra", "mi", "ma", "99", "2d6", "\n", "−"]
    ),
    max_size=60,
).map("".join)
_repeated = st.builds(
    lambda piece, times, tail: piece * times + tail,
    st.text("0123456789dkpehlroma+-*/%<>=!(),.[] ", min_size=1, max_size=4),
    st.integers(1, 80),
    st.text("0123456789d)]", max_size=3),
)


@settings(max_examples=1000, deadline=None)
@given(st.one_of(st.text(), _fragments_of_expressions, _repeated))
def test_any_input_is_rolled_or_refused_with_a_sentence(text: str) -> None:
    try:
        outcome: Rolled | UserError = roll(text, FairDice(b"any", "1"))
    except UserError as mistake:
        outcome = mistake

    if isinstance(outcome, UserError):
        assert outcome.what
    else:
        assert len(outcome.throws) <= 500
        assert abs(outcome.total) <= 1_000_000_000_000


@settings(deadline=None)
@given(expressions())
def test_parsing_the_text_of_a_tree_gives_the_same_tree(text: str) -> None:
    term = parse(text)

    assert parse(evenly(term)) == term
    assert parse(text.upper().replace("D", " D ")) == parse(text.upper())


@settings(deadline=None)
@given(expressions(), st.binary(min_size=1, max_size=8))
def test_the_same_faces_give_the_same_roll_again(text: str, seed: bytes) -> None:
    try:
        rolled = roll(text, FairDice(seed, "1"))
    except UserError:
        assume(False)
    again = roll(text, ReplayedDice(rolled.throws))

    assert again == rolled
    assert fragments(again) == fragments(rolled)


@settings(deadline=None)
@given(expressions(), st.binary(min_size=1, max_size=8))
def test_every_rolled_total_has_a_chance(text: str, seed: bytes) -> None:
    odds = distribution(parse(text))
    assume(isinstance(odds, TotalOdds))
    assert isinstance(odds, TotalOdds)
    try:
        total = roll(text, FairDice(seed, "1")).total
    except UserError:
        assume(False)

    assert odds.exactly(total).ways > 0
    assert odds.lowest <= total <= odds.highest
