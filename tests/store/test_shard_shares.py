"""How processes divide the shards, as each one reckons."""

import pytest

from bot.store.postgres.shard_locks import Holders, to_take


def seen(count: int, **held: int) -> list[Holders]:
    """What each process sees, where each holds so many shards."""
    pids = range(1, len(held) + 1)
    holders = [pid for pid, number in zip(pids, held.values(), strict=True) for _ in range(number)]
    return [
        Holders(count=count, me=pid, alive=frozenset(pids), by_shard=dict(enumerate(holders))) for pid in pids
    ]


class TestShares:
    @pytest.mark.parametrize(
        ("count", "processes", "shares"),
        [(32, 4, [8, 8, 8, 8]), (1, 2, [1, 0]), (4, 3, [2, 1, 1]), (3, 1, [3]), (2, 3, [1, 1, 0])],
    )
    def test_shards_that_nobody_holds_are_divided_evenly(
        self, count: int, processes: int, shares: list[int]
    ) -> None:
        views = seen(count, **{f"process{number}": 0 for number in range(processes)})

        assert [view.share for view in views] == shares

    def test_whoever_holds_more_already_keeps_one_more(self) -> None:
        assert [view.share for view in seen(5, one=2, two=3)] == [2, 3]

    def test_a_newcomer_gets_an_equal_share(self) -> None:
        assert [view.share for view in seen(32, one=32, newcomer=0)] == [16, 16]

    def test_the_shares_are_all_shards_however_they_are_held(self) -> None:
        for first in range(8):
            for second in range(8 - first):
                assert sum(view.share for view in seen(7, one=first, two=second, three=0)) == 7


class TestTaking:
    def test_free_shards_are_taken_up_to_the_share(self) -> None:
        (view,) = seen(3, one=1)

        assert sorted(to_take(view, ripe={1, 2}, lost=(), room=9)) == [1, 2]

    def test_only_as_many_as_can_be_connected_are_taken(self) -> None:
        (view,) = seen(8, one=0)

        assert len(to_take(view, ripe=range(8), lost=(), room=2)) == 2

    def test_a_shard_that_has_just_become_free_is_left_to_whoever_lost_it(self) -> None:
        (view,) = seen(2, one=0)

        assert to_take(view, ripe=(), lost=(), room=9) == []

    def test_lost_shards_are_taken_back_at_once(self) -> None:
        (view,) = seen(4, one=0)

        assert to_take(view, ripe=(), lost={1, 3}, room=0) == [1, 3]

    def test_what_was_taken_back_need_not_be_given_away_to_a_spare(self) -> None:
        view = Holders(count=2, me=3, alive=frozenset({1, 2, 3}), by_shard={0: 1})
        assert view.share == 0

        back = to_take(view, ripe=(), lost={1}, room=0)

        assert back == [1]
        assert view.after_taking(back).share == 1

    def test_nothing_is_taken_above_the_share(self) -> None:
        view = Holders(count=4, me=1, alive=frozenset({1, 2}), by_shard={0: 1, 1: 1})

        assert to_take(view, ripe={2, 3}, lost=(), room=9) == []

    def test_two_processes_begin_with_different_shards(self) -> None:
        first, second = seen(8, one=0, two=0)

        assert to_take(first, ripe=range(8), lost=(), room=1) != to_take(
            second, ripe=range(8), lost=(), room=1
        )
