"""Money under any sequence of commands, taken back or not: the journal leaves no Coin behind."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.kernel.errors import UserError
from bot.rules.rpj import RULESET
from bot.store.sqlite import open_store
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.campaigns.campaign_settings import change_setting
from bot.table.characters import characters
from bot.table.gm import gm
from bot.table.gm import gm as game_clock
from bot.table.play import play
from tests.databases import prepared_file
from tests.table.conftest import Clock, Secrets
from tests.table.test_undo import undo
from tests.table.test_undo_whatever_happens import Evening
from tests.table.whole import state

ADAS, BOS = "Ilsa Roan", "Gorm Halvard"
MONTH = 30 * 24 * 3600
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("give"), st.sampled_from(["ada", "bo"]), st.integers(1, 9)),
        st.tuples(st.just("burn"), st.sampled_from(["ada", "bo"]), st.integers(1, 3)),
        st.tuples(st.just("pick_up"), st.sampled_from(["ada", "bo"]), st.integers(1, 4)),
        st.tuples(st.just("month"), st.just("gm"), st.just(1)),
        st.tuples(st.just("press"), st.just("gm"), st.integers(0, 20)),
    ),
    min_size=1,
    max_size=8,
)


async def begin(evening: Evening) -> None:
    """A campaign with money and loads, and two characters with something in their purses."""
    await campaigns.create(evening.table, evening.gm.asks(), "rpj", "The Long Road")
    for setting, value in (("module", "fantasy"), ("money", "yes"), ("inventory", "yes")):
        await change_setting(evening.table, evening.gm.asks(), setting, value)
    for person, name in ((evening.ada, ADAS), (evening.bo, BOS)):
        await characters.take_ready_made(evening.table, person.asks(), name)
    for resource, amount in (("coin", 9), ("wealth", 5)):
        await gm.award(evening.table, evening.gm.asks(), resource, amount, (ADAS, BOS))


async def do(evening: Evening, deed: str, who: str, number: int) -> Any:
    """One of the deeds."""
    person = getattr(evening, who)
    if deed == "month":
        return await game_clock.pass_time(evening.table, evening.gm.asks(), MONTH)
    if deed == "press":
        if not evening.open:
            raise UserError("Nothing can be pressed.")
        one = evening.open[number % len(evening.open)]
        return (await play.press(evening.table, evening.gm.asks(), one.id)).result
    options: dict[str, dict[str, Any]] = {
        "give": {"target": BOS if who == "ada" else ADAS, "coin": number},
        "burn": {"amount": number},
        "pick_up": {"item": "club", "count": number},
    }
    return await play.perform(evening.table, person.asks(), deed, options[deed])


@given(deeds=DEEDS)
@settings(max_examples=12, deadline=None)
def test_undoing_everything_leaves_every_purse_and_bag_as_it_was(
    deeds: list[tuple[str, str, int]],
) -> None:
    async def evening_long() -> None:
        with tempfile.TemporaryDirectory() as folder:
            store = await open_store(prepared_file(Path(folder)))
            evening = Evening(Table(store=store, games={"rpj": RULESET}, now=Clock(), new_secret=Secrets()))
            try:
                await begin(evening)
                before, done = state(evening.table), []
                for deed in deeds:
                    try:
                        result = await do(evening, *deed)
                    except UserError:
                        continue
                    evening.open += result.follow_ups
                    done += [result.entry] if result.can_undo else []
                for entry in reversed(done):
                    await undo(evening.table, evening.gm, entry)
                after = state(evening.table)
                after["follow_ups"] = before["follow_ups"]
                assert after == before
            finally:
                await store.close()

    asyncio.run(evening_long())
