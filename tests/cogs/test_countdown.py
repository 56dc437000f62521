"""The private list of countdowns."""

import pytest

from bot.rules.shared.countdowns import Kind, Status, Visibility
from bot.table.play.countdown_plans import Listing
from bot.table.play.countdowns import CountdownView
from cogs.countdown import listing_reply


def running(count: int) -> Listing:
    """Return a player's list of this many running countdowns."""
    found = tuple(
        CountdownView(
            id=number,
            name=f"Alarm {number}",
            kind=Kind.FAILURE,
            visibility=Visibility.OPEN,
            status=Status.RUNNING,
            value=0,
            difficulty=4,
        )
        for number in range(1, count + 1)
    )
    return Listing(campaign="The Long Road", is_gm=False, running=found, over=())


@pytest.mark.parametrize(
    ("count", "more"),
    [
        (20, ""),
        (21, "\n-# and 1 more: /countdown show with its name"),
        (23, "\n-# and 3 more: /countdown show with its name"),
    ],
)
def test_a_list_names_twenty_countdowns_and_counts_the_rest(count: int, more: str) -> None:
    text = listing_reply(running(count)).text

    assert "**Alarm 20**" in text
    assert "**Alarm 21**" not in text
    assert text.count("\n-# and ") == (1 if more else 0)
    assert text.endswith(more)
