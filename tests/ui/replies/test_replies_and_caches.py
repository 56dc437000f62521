"""Replies to random checks and presses of every game: what texts are remembered changes nothing."""

import asyncio

import pytest

from bot.ui.replies.gathering_replies import reply_of
from tests.table.play.test_results_in_hand import CHECKS, an_evening, caches


@pytest.mark.parametrize("game", CHECKS)
def test_replies_are_the_same_with_and_without_caches(game: str) -> None:
    results = asyncio.run(an_evening(game, forgets=False))
    remembered = [reply_of(one) for one in results]

    for one, reply in zip(results, remembered, strict=True):
        for cache in caches():
            cache.cache_clear()
        assert reply_of(one) == reply
