"""Buttons that press themselves after a while where nobody has pressed, once."""

from bot.rules.kernel.errors import UserError
from bot.store.boundary import Transaction
from bot.store.records import EntryRecord
from bot.table.base import timed
from bot.table.base.request import Request
from bot.table.base.results import follow_up_from_json
from bot.table.base.table import Table
from bot.table.base.timed import Timed
from bot.table.play.play import Pressed, press_in
from bot.table.sessions.autoend import BY_ITSELF


async def due(table: Table) -> tuple[Timed, ...]:
    """What presses itself now, also from before a restart; the longest due comes first."""
    waiting = await table.store.read(timed.noted)
    now = table.now()
    return tuple(sorted((one for one in waiting if one.at <= now), key=lambda one: (one.at, one.id)))


async def press_if_open(table: Table, one: Timed) -> tuple[Pressed, int] | None:
    """Press something whose time has come; it is done once, whoever asks how often.

    Args:
        table: The table.
        one: What; see `due`.

    Returns:
        What it came to and in which channel, or None where somebody was faster, where play has gone on
        since, and where that was taken back.
    """

    def unit(tx: Transaction) -> tuple[Pressed, int] | None:
        entry = tx.entry(one.server, one.entry)
        if entry is None:
            return None
        request = _request(one, entry)
        again = tx.entry_of(one.server, request.interaction)
        is_over = _has_gone_on(tx, entry, one) if again is None else again.undone_by is not None
        return None if is_over else (press_in(table, tx, request, one.id), entry.channel)

    try:
        return await table.store.run(unit)
    except UserError:  # what it offers can no longer be done
        return None


def _request(one: Timed, entry: EntryRecord) -> Request:
    """The request of nobody in particular; the same follow-up gives the same one."""
    return Request(
        server=one.server,
        places=(entry.channel,),
        person=0,
        person_name=BY_ITSELF,
        manages_server=True,
        interaction=f"press:{one.id}",
    )


def _has_gone_on(tx: Transaction, entry: EntryRecord, one: Timed) -> bool:
    """Whether somebody was faster, or play has gone on.

    A window says by itself what closes it, and is asked when the follow-up is pressed. Without one that is
    whatever has changed since what the follow-up's entry had changed.
    """
    record = tx.follow_up(one.server, one.id)
    if record is None or record.closed_by is not None or entry.undone_by is not None:
        return True
    return follow_up_from_json(record.body).window is None and bool(tx.obstacles(entry))


async def note_done(table: Table, one: Timed) -> None:
    """Note that something has pressed itself and has been told, or need not any more."""
    await table.store.run(lambda tx: timed.forget(tx, one))
