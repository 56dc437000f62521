"""Short ways to use countdowns at the toy table."""

from typing import Any

from bot.rules.shared.countdowns import Kind
from bot.store.records import CountdownRecord
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.play import countdown_plans, play
from bot.table.play import countdown_plans as boards
from bot.table.play.countdown_plans import Done, Plan
from bot.table.play.countdowns import CountdownView
from tests.databases import Row, address_of, rows_of
from tests.table.conftest import Person

SUCCEEDS, FAILS = (
    {"bonus": 5},
    {"bonus": -5},
)  # of Ada's checks: no chance is in them


def a_plan(name: str = "Evidence", kind: Kind = Kind.SUCCESS, difficulty: int = 4, **other: Any) -> Plan:
    """Return a plan of a countdown that players may move too."""
    return Plan(name=name, kind=kind, difficulty=difficulty, **{"is_shared": True, **other})


async def begin(table: Table, gm: Person, *plans: Plan) -> Done:
    return await countdown_plans.begin(table, gm.asks(), *plans)


async def check(table: Table, who: Person, bonus: dict[str, int], **other: Any) -> Result:
    return await play.perform(table, who.asks(), "check", bonus, **other)


async def seen(table: Table, who: Person, name: str) -> CountdownView:
    """Return a countdown as somebody sees it."""
    found = await boards.listing(table, who.asks(), name)
    return (*found.running, *found.over)[0]


async def values(table: Table, gm: Person) -> dict[str, str]:
    """Return every countdown's value and status: "2/4", "4/4 resolved"."""

    def word(one: CountdownRecord) -> str:
        return f"{one.value}/{one.difficulty}" + ("" if one.status == "running" else f" {one.status}")

    request = gm.asks()
    campaign = await table.store.read(lambda reader: reader.campaign_at(request.server, request.places))
    assert campaign is not None
    running = await table.store.read(lambda reader: reader.countdowns(request.server, campaign.id))
    over = await table.store.read(
        lambda reader: reader.countdowns(request.server, campaign.id, are_over=True)
    )
    return {one.name: word(one) for one in (*running, *over)}


# What an action and its undo leave behind besides what they changed: the journal itself, and its ids.
LEFT_BEHIND = frozenset({"boards", "messages", "entries", "touches", "servers", "seeds"})
Rows = dict[str, list[Row]]


def everything(table: Table) -> Rows:
    """Return every row of every table."""
    return rows_of(address_of(table.store))


def state(table: Table) -> Rows:
    """Return every row except the journal's."""
    return {name: rows for name, rows in everything(table).items() if name not in LEFT_BEHIND}
