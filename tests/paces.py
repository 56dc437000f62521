"""How long bots wait in tests: no longer than it takes to show that they do."""

from msgspec.structs import replace

from bot.app.pace import Pace
from bot.store.postgres.patience import LockTimes, Patience

# A busy machine is slow, not wrong.
PATIENT = Patience(start=60, connection=30, answer=30, statement=30, lock=30, unit=60, retry=20)
IMPATIENT = Patience(start=60)  # as the product is, once it has started
QUICK = Pace(
    note_seconds=0.02,
    move_seconds=0.1,
    fight_settle_seconds=0.05,
    desk_settle_seconds=0.05,
    desk_edit_seconds=0.05,
    sheet_settle_seconds=0.05,
    retry_seconds=0.1,
    sync_retry_seconds=0.2,
    command_retry_seconds=0.02,
    reconnect_seconds=0.1,
    due_tasks_seconds=0.25,
    watch_seconds=0.5,
    shard_look_seconds=0.05,
    locks=LockTimes(look=0.1, retry=0.05, turn=0.05, identify=0.5),
    database=PATIENT,
)

# No answer is promised before it is there, however slow the machine.
UNHURRIED = replace(QUICK, private_promise_seconds=60.0, public_promise_seconds=60.0)
