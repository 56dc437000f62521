"""Private messages that follow what others do: each is drawn again only when it may show something else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.store.records import ALL_SHARDS, CampaignId, EntryId, Kept, ServerId
from bot.ui.live import open_sheets
from bot.ui.live.open_sheets import OpenSheets, PrivatePage
from bot.ui.text.reply import Reply

HERE, CAMPAIGN = ServerId(900), CampaignId(1)
ADA, BO = 5, 6


class Opened:
    """Two sheets and a desk that never show anything else, and which of them were drawn again."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[Kept], None]] = []
        table: Any = SimpleNamespace(store=SimpleNamespace(listen=self.listen))
        self.sheets = OpenSheets(table, pace_seconds=0, settle_seconds=0, retry_seconds=0)
        self.sheets.listen()
        self.drawn: list[str] = []
        for person, (name, character) in enumerate((("Ada", ADA), ("Bo", BO), ("desk", None))):
            self.open(person, name, character)

    def listen(self, listener: Callable[[Kept], None]) -> Callable[[], None]:
        """Hear what is committed, as from the store."""
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def open(self, person: int, name: str, character: int | None) -> None:
        """Have somebody open a sheet, or with no character a desk."""
        page = PrivatePage(Reply(text=name), character)

        async def draw() -> PrivatePage:
            self.drawn.append(name)
            return page

        interaction: Any = SimpleNamespace(guild_id=HERE, user=SimpleNamespace(id=person))
        with self.sheets.coming(interaction, draw) as coming:
            self.sheets.keep(interaction, person, coming, page)

    async def draw(self) -> PrivatePage:
        """Draw another sheet of Ada's."""
        self.drawn.append("now")
        return PrivatePage(Reply(text="now"), ADA)

    async def hear(self, news: Kept) -> list[str]:
        """Commit an entry, and return what is drawn again for it."""
        for listener in self.listeners:
            listener(news)
        await self.sheets.settled()
        return self.drawn


def news(*tables: str, turned: EntryId | None = None, character: int | None = ADA) -> Kept:
    """What the store tells of an entry."""
    return Kept(HERE, CAMPAIGN, frozenset(tables), turned, character)


@pytest.mark.parametrize("tables", [(), ("follow_ups",)])
async def test_an_action_that_changes_nothing_concerns_its_characters_sheet_and_desks(
    tables: tuple[str, ...],
) -> None:
    assert await Opened().hear(news(*tables)) == ["Ada", "desk"]


@pytest.mark.parametrize(
    "told",
    [news("resources"), news(turned=EntryId(3)), news(character=None), news("follow_ups", "documents")],
)
async def test_a_change_an_undo_and_an_action_of_nobody_concern_every_sheet(told: Kept) -> None:
    assert await Opened().hear(told) == ["Ada", "Bo", "desk"]


async def test_nothing_is_drawn_for_another_server() -> None:
    assert await Opened().hear(Kept(ServerId(901), CAMPAIGN, frozenset({"resources"}))) == []


async def test_everything_is_drawn_again_after_news_were_missed() -> None:
    opened = Opened()

    opened.sheets.refresh_all()
    await opened.sheets.settled()

    assert opened.drawn == ["Ada", "Bo", "desk"]


async def test_nothing_is_drawn_in_a_server_that_another_process_looks_after() -> None:
    opened = Opened()
    opened.sheets.forget_servers(ALL_SHARDS)

    assert await opened.hear(news("resources")) == []


async def test_nothing_is_drawn_once_closed() -> None:
    opened = Opened()
    opened.sheets.close()

    assert await opened.hear(news("resources")) == []


class Slow:
    """A sheet whose change is on its way to Discord until it is let through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, fails: bool = False) -> None:
        self.fails = fails
        self.changes = 0
        self.is_on_its_way = asyncio.Event()
        self.may_arrive = asyncio.Event()
        self.is_promised = asyncio.Event()
        table: Any = SimpleNamespace()
        self.sheets = OpenSheets(table, pace_seconds=0, settle_seconds=0, retry_seconds=0)
        response = SimpleNamespace(is_done=self.is_promised.is_set, defer=self.defer)
        message, user = SimpleNamespace(id=ADA), SimpleNamespace(id=1)
        pressed: Any = SimpleNamespace(guild_id=HERE, user=user, message=message, response=response)
        self.pressed = pressed
        monkeypatch.setattr(open_sheets, "change_answer", self.change_answer)
        with self.sheets.coming(pressed, self.draw) as coming:
            self.sheets.keep(pressed, ADA, coming, PrivatePage(Reply(text="before"), ADA))
        self.sheets.refresh_all()

    async def draw(self) -> PrivatePage:
        return PrivatePage(Reply(text="now"), ADA)

    async def defer(self) -> None:
        self.is_promised.set()

    async def leave(self) -> None:
        """Press the sheet, and answer at once."""
        async with self.sheets.leave(self.pressed):
            pass

    async def change_answer(self, *_given: object) -> None:
        self.is_on_its_way.set()
        await self.may_arrive.wait()
        self.changes += 1
        if self.fails:
            response: Any = SimpleNamespace(status=404, reason="gone")
            raise discord.NotFound(response, "gone")


@pytest.mark.parametrize("fails", [False, True])
async def test_a_press_is_answered_behind_a_change_of_the_sheet_that_is_on_its_way(
    monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    slow = Slow(monkeypatch, fails=fails)
    await slow.is_on_its_way.wait()

    leaving = asyncio.create_task(slow.leave())
    await slow.is_promised.wait()  # Discord waits for three seconds only
    assert not leaving.done()
    slow.may_arrive.set()
    await leaving

    assert slow.changes == 1


async def test_a_press_is_answered_behind_the_answer_to_an_earlier_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow = Slow(monkeypatch)
    async with slow.sheets.leave(slow.pressed):
        leaving = asyncio.create_task(slow.leave())
        await slow.is_promised.wait()
        assert not leaving.done()
    await leaving


async def test_a_press_while_nothing_is_on_its_way_is_answered_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow = Slow(monkeypatch)
    await slow.leave()
    await slow.sheets.settled()

    assert (slow.is_promised.is_set(), slow.changes) == (False, 0)


@pytest.mark.parametrize("is_missed", [False, True])
async def test_what_changes_while_a_page_is_sent_is_shown_there_afterwards(is_missed: bool) -> None:
    opened = Opened()
    interaction: Any = SimpleNamespace(guild_id=HERE, user=SimpleNamespace(id=7))
    with opened.sheets.coming(interaction, opened.draw) as coming:
        shown = await coming.drawn()
        if is_missed:
            opened.sheets.refresh_all()
        else:
            await opened.hear(news("resources"))
        opened.sheets.keep(interaction, 7, coming, shown)
    await opened.sheets.settled()

    assert opened.drawn == ["now", "Ada", "Bo", "desk", "now"]


async def test_what_changes_before_a_page_is_drawn_draws_it_once() -> None:
    opened = Opened()
    interaction: Any = SimpleNamespace(guild_id=HERE, user=SimpleNamespace(id=7))
    with opened.sheets.coming(interaction, opened.draw) as coming:
        await opened.hear(news("resources"))
        opened.sheets.keep(interaction, 7, coming, await coming.drawn())
    await opened.sheets.settled()

    assert opened.drawn == ["Ada", "Bo", "desk", "now"]
