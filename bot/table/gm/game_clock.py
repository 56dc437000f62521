"""The game clock: pass time, and list the timers to come."""

from dataclasses import dataclass

from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import day_of
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, gm_access_here
from bot.table.base.request import Request
from bot.table.base.results import Message, Result
from bot.table.base.table import Table
from bot.table.gm.gm import LONGEST_WAIT_SECONDS
from bot.table.journal.journal import record
from bot.table.journal.scenes import SceneKeeper
from bot.table.play import countdown_follows
from bot.table.play.countdown_plans import as_gm


async def pass_time(table: Table, request: Request, seconds: int) -> Result:
    """Move the game clock forward and let the timers due on the way run out.

    Args:
        table: The table.
        request: Who asks; must be a GM.
        seconds: Game time that passes, at least 1.
    """

    def action(tx: Transaction, access: Access) -> Result:
        if not 1 <= seconds <= LONGEST_WAIT_SECONDS:
            raise UserError("Enter at least 1 second and at most 1 year.")
        keeper = SceneKeeper(tx, access)
        before = keeper.scene(None)
        scene, notes, follow_ups = keeper.pass_time(before.at_clock(before.clock + seconds))
        lines = keeper.changes(scene, with_hidden=False)
        keeper.keep(scene)
        counted = countdown_follows.pass_time(tx, access, scene.clock, request.person_name)
        message = Message(
            who=access.request.person_name,
            headline=f"lets {in_words(seconds)} pass: it is {moment_in_words(scene.clock)}",
            changes=(*lines, *counted.lines),
            notes=(*notes, *counted.notes),
        )
        return record(table, tx, access, "gm.time", message, facts=counted.facts, follow_ups=follow_ups)

    return await as_gm(table, request, action)


@dataclass(frozen=True, slots=True)
class ClockView:
    """The game clock as a GM reads it.

    Attributes:
        moment: The day and the time of day.
        waiting: The timers that run out by themselves, earliest first: "Ug · poison, in 3 min".
    """

    moment: str
    waiting: tuple[str, ...]


async def clock(table: Table, request: Request) -> ClockView:
    """Return the game time and the timers to come."""

    def query(reader: Reader) -> ClockView:
        access = gm_access_here(table, reader, request)
        now, server = access.campaign.clock, access.campaign.server
        due = reader.timers_due(server, access.campaign.id, now + LONGEST_WAIT_SECONDS)
        found = [(reader.character(server, id_), key) for id_, key in due]
        waiting = [
            f"{one.name} · {key}, {_until(one.timers[key] - now)}" for one, key in found if one is not None
        ]
        moving = [
            f"{one.name}, every {in_words(one.every_seconds)}"
            for one in reader.countdowns(server, access.campaign.id)
            if one.every_seconds is not None
        ]
        return ClockView(moment_in_words(now), (*waiting, *moving))

    return await table.store.read(query)


def _until(seconds: int) -> str:
    return "due now" if seconds <= 0 else f"in {in_words(seconds)}"


def moment_in_words(clock: int) -> str:
    """Return a moment of game time as text: "day 3, 14:05"; a campaign begins on day 1 at midnight."""
    minutes = clock // 60
    return f"day {day_of(clock) + 1}, {minutes // 60 % 24:02}:{minutes % 60:02}"


def in_words(seconds: int) -> str:
    """Return a span of time as text: "2 d 3 h", "10 min", "30 s"."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    spans = ((days, "d"), (hours, "h"), (minutes, "min"), (rest, "s"))
    return " ".join(f"{count} {unit}" for count, unit in spans if count) or "0 s"
