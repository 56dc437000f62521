"""Turns at servers: in one process, one unit of a server runs at a time."""

from dataclasses import dataclass, field

import pytest

from bot.store.postgres.server_turns import GivenUp, ServerBusy, ServerTurns, UnitTurn, WaitingUnit
from bot.store.store_errors import StoreUnavailable
from tests.store.rows import ELSEWHERE, HERE


@pytest.fixture
def turns() -> ServerTurns:
    return ServerTurns()


@dataclass
class Unit:
    """A unit that waits for its turn, and what became of it."""

    turns: ServerTurns
    is_cancelled: bool = False
    has_begun: bool = False
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.turn = UnitTurn(self.turns)
        self.turn.wait(HERE, WaitingUnit(self.begin, lambda error: self.errors.append(error.reason)))

    def begin(self) -> bool:
        self.has_begun = not self.is_cancelled
        return self.has_begun


def test_the_unit_that_has_waited_longest_is_next(turns: ServerTurns) -> None:
    running = UnitTurn(turns)
    running.take(HERE)
    first, second = Unit(turns), Unit(turns)

    running.end(None)

    assert (first.has_begun, second.has_begun) == (True, False)
    first.turn.end(ZeroDivisionError())
    assert second.has_begun


def test_a_busy_server_is_said_and_is_free_again_at_the_end(turns: ServerTurns) -> None:
    one, other = UnitTurn(turns), UnitTurn(turns)
    one.take(HERE)

    with pytest.raises(ServerBusy) as busy:
        other.take(HERE)
    one.end(None)

    assert busy.value.server == HERE
    other.take(HERE)


def test_a_second_server_needs_no_turn(turns: ServerTurns) -> None:
    one, other = UnitTurn(turns), UnitTurn(turns)
    other.take(ELSEWHERE)
    one.take(HERE)

    one.take(ELSEWHERE)
    one.end(None)

    with pytest.raises(ServerBusy):
        UnitTurn(turns).take(ELSEWHERE)


def test_a_unit_whose_turn_is_free_by_now_begins_at_once(turns: ServerTurns) -> None:
    unit = Unit(turns)

    assert unit.has_begun
    with pytest.raises(ServerBusy):
        UnitTurn(turns).take(HERE)


def test_cancelled_units_are_passed_over(turns: ServerTurns) -> None:
    running = UnitTurn(turns)
    running.take(HERE)
    cancelled = [Unit(turns, is_cancelled=True) for _ in range(2000)]
    last = Unit(turns)

    running.end(None)

    assert last.has_begun
    assert not any(unit.has_begun for unit in cancelled)
    cancelled[0].turn.end(None)  # it has no turn that it could end
    with pytest.raises(ServerBusy):
        UnitTurn(turns).take(HERE)


def test_a_cancelled_unit_leaves_a_free_server_free(turns: ServerTurns) -> None:
    Unit(turns, is_cancelled=True)

    assert turns.take(HERE)


def test_units_that_would_wait_in_vain_fail_together(turns: ServerTurns) -> None:
    failing = UnitTurn(turns)
    failing.take(HERE)
    units = [Unit(turns) for _ in range(3)]

    failing.end(StoreUnavailable("It is down."))

    assert [unit.errors for unit in units] == [["It is down."]] * 3
    assert turns.take(HERE)


def test_a_transaction_that_is_given_up_fails_alone(turns: ServerTurns) -> None:
    failing = UnitTurn(turns)
    failing.take(HERE)
    unit = Unit(turns)

    failing.end(GivenUp("Try again."))

    assert unit.has_begun
    assert unit.errors == []
