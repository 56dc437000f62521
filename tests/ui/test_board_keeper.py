"""Boards follow what is kept, whatever Discord does meanwhile."""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.store.records import CampaignId
from bot.table import boards, countdown_deeds
from bot.table.boards import BoardPlace
from bot.table.table import Table
from bot.ui.board_keeper import MOST_TRIES, BoardKeeper
from tests.table.conftest import HOME, Person
from tests.table.counting import a_plan, begin

PLACE = BoardPlace(HOME, CampaignId(1))


def refusal(status: int) -> discord.HTTPException:
    kinds: dict[int, type[discord.HTTPException]] = {403: discord.Forbidden, 404: discord.NotFound}
    kind = kinds.get(status, discord.HTTPException)
    return kind(cast("Any", SimpleNamespace(status=status, reason="no")), "no")


@dataclass
class Channels:
    """What of a connection to Discord a board needs: channels that take messages, or refuse them.

    Attributes:
        done: What was done, in order: ("post" or "edit" or "delete", channel, message).
        refusals: What the next requests are answered with instead.
        before_post: What happens while a message is on its way.
    """

    done: list[tuple[str, int, int]] = field(default_factory=list)
    refusals: list[Exception] = field(default_factory=list)
    before_post: Callable[[], Any] | None = None

    def get_partial_messageable(self, channel: int, *, guild_id: int) -> "Channel":
        assert guild_id == HOME
        return Channel(self, channel)

    def take(self, what: str, channel: int, message: int) -> None:
        if self.refusals:
            raise self.refusals.pop(0)
        self.done.append((what, channel, message))


@dataclass
class Channel:
    channels: Channels
    id: int

    def get_partial_message(self, message: int) -> "Message":
        return Message(self, message)

    async def send(self, **_given: Any) -> "Message":
        if self.channels.before_post is not None:
            await self.channels.before_post()
        message = 70 + len(self.channels.done)
        self.channels.take("post", self.id, message)
        return Message(self, message)


@dataclass
class Message:
    channel: Channel
    id: int

    async def edit(self, **_given: Any) -> None:
        self.channel.channels.take("edit", self.channel.id, self.id)

    async def delete(self) -> None:
        self.channel.channels.take("delete", self.channel.id, self.id)


@pytest.fixture
def channels() -> Channels:
    return Channels()


@pytest.fixture
async def keeper(game: Table, gm: Person, channels: Channels) -> BoardKeeper:
    """A keeper that has posted the board of one countdown."""
    keeping = BoardKeeper(cast("discord.Client", channels), game, pace_seconds=0, retry_seconds=0)
    await begin(game, gm, a_plan())
    keeping.refresh(PLACE)
    await keeping.settled()
    return keeping


async def changed(keeper: BoardKeeper, game: Table, gm: Person, times: int = 1) -> None:
    for _ in range(times):
        await countdown_deeds.move(game, gm.asks(), "Evidence", 1)
        keeper.refresh(PLACE)
    await keeper.settled()


async def test_it_is_posted_once_and_then_edited(
    keeper: BoardKeeper, channels: Channels, game: Table, gm: Person
) -> None:
    await changed(keeper, game, gm)
    await changed(keeper, game, gm)

    assert channels.done == [("post", 50, 70), ("edit", 50, 70), ("edit", 50, 70)]


async def test_what_shows_the_same_is_not_sent_again(
    keeper: BoardKeeper, channels: Channels, game: Table, gm: Person
) -> None:
    await keeper.refresh_all()
    await keeper.settled()

    assert channels.done == [("post", 50, 70)]


async def test_another_keeper_goes_on_with_the_same_message(
    keeper: BoardKeeper, channels: Channels, game: Table, gm: Person
) -> None:
    await countdown_deeds.move(game, gm.asks(), "Evidence", 1)
    restarted = BoardKeeper(cast("discord.Client", channels), game, pace_seconds=0)

    await restarted.refresh_all()
    await restarted.settled()

    assert channels.done == [("post", 50, 70), ("edit", 50, 70)]


async def test_where_the_message_is_gone_another_is_posted(
    keeper: BoardKeeper, channels: Channels, game: Table, gm: Person
) -> None:
    channels.refusals = [refusal(404)]

    await changed(keeper, game, gm)
    await changed(keeper, game, gm)

    assert channels.done == [("post", 50, 70), ("post", 50, 71), ("edit", 50, 71)]


@pytest.mark.parametrize("error", [refusal(503), OSError("no network"), TimeoutError()])
async def test_what_discord_did_not_take_is_tried_again(
    keeper: BoardKeeper, channels: Channels, game: Table, gm: Person, error: Exception
) -> None:
    channels.refusals = [error] * (MOST_TRIES - 1)

    await changed(keeper, game, gm)

    assert channels.done == [("post", 50, 70), ("edit", 50, 70)]


async def test_it_gives_up_after_some_tries_and_begins_again_with_the_next_change(
    keeper: BoardKeeper, channels: Channels, game: Table, gm: Person
) -> None:
    channels.refusals = [refusal(503)] * MOST_TRIES
    await changed(keeper, game, gm)
    assert channels.done == [("post", 50, 70)]

    await changed(keeper, game, gm)

    assert channels.done == [("post", 50, 70), ("edit", 50, 70)]


@pytest.mark.parametrize("error", [refusal(403), refusal(400), RuntimeError("a bug")])
async def test_what_will_never_work_is_not_tried_again(
    keeper: BoardKeeper, channels: Channels, game: Table, gm: Person, error: Exception
) -> None:
    channels.refusals = [error]

    await changed(keeper, game, gm)

    assert channels.done == [("post", 50, 70)]
    assert channels.refusals == []


async def test_one_that_was_put_elsewhere_meanwhile_leaves_no_message_behind(
    keeper: BoardKeeper, channels: Channels, game: Table, gm: Person
) -> None:
    async def place_elsewhere() -> None:
        channels.before_post = None
        await boards.place_board(game, gm.asks(place=51))
        keeper.refresh(PLACE)

    await boards.place_board(game, gm.asks())
    channels.before_post = place_elsewhere

    keeper.refresh(PLACE)
    await keeper.settled()

    assert channels.done == [("post", 50, 70), ("post", 50, 71), ("delete", 50, 71), ("post", 51, 73)]


async def test_the_old_message_is_taken_away_if_it_is_there(keeper: BoardKeeper, channels: Channels) -> None:
    await keeper.remove(PLACE, 50, 70)
    channels.refusals = [refusal(404)]
    await keeper.remove(PLACE, 50, 70)

    assert channels.done == [("post", 50, 70), ("delete", 50, 70)]


async def test_a_campaign_without_a_board_is_left_alone(channels: Channels, game: Table) -> None:
    keeping = BoardKeeper(cast("discord.Client", channels), game, pace_seconds=0)

    keeping.refresh(PLACE)
    await keeping.settled()

    assert channels.done == []


async def test_closing_ends_what_is_under_way(
    keeper: BoardKeeper, channels: Channels, game: Table, gm: Person
) -> None:
    await countdown_deeds.move(game, gm.asks(), "Evidence", 1)

    keeper.refresh(PLACE)
    keeper.close()
    await keeper.settled()

    assert channels.done == [("post", 50, 70)]
