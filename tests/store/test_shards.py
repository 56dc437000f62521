"""Which servers a process looks after."""

from bot.store.records import ALL_SHARDS, Shards

THIRD_OF_FOUR = 6 << 22 | 12345  # 6 % 4 = 2


class TestShards:
    def test_a_server_is_in_the_shard_of_discords_formula(self) -> None:
        having = [number for number in range(4) if Shards(4, frozenset({number})).has(THIRD_OF_FOUR)]

        assert having == [2]

    def test_one_who_holds_none_has_no_server(self) -> None:
        nobody = Shards(4, frozenset())

        assert not nobody.has(THIRD_OF_FOUR)
        assert not nobody.are_all

    def test_one_who_holds_every_shard_has_every_server(self) -> None:
        assert all(ALL_SHARDS.has(server) for server in (1, THIRD_OF_FOUR))
        assert ALL_SHARDS.are_all
        assert Shards(2, frozenset({0, 1})).are_all
        assert not Shards(2, frozenset({1})).are_all
