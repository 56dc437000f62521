"""Countdowns started in play: a procedure starts one, or two that run against each other."""

from collections.abc import Sequence
from dataclasses import replace

from bot.rules.shared.countdowns import Countdown, Term, Visibility
from bot.store.records import CountdownRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access
from bot.table.play.boards import keep_a_board
from bot.table.play.countdown_plans import LONGEST_NAME, beginning, readable_name, save_named
from bot.table.play.countdowns import NOTHING_TOLD, Telling, as_kept


def keep_begun(
    tx: Transaction, access: Access, begun: Sequence[Countdown], *, is_private: bool = False
) -> Telling:
    """Save the countdowns that a procedure has started; of two, each is the other's rival.

    They run within the scene; checks advance them, and so does the GM by hand.

    Args:
        tx: The unit of work.
        access: Who did it.
        begun: The countdowns, already moved by what started them.
        is_private: Whether only the GM may know of them.
    """
    if not begun:
        return NOTHING_TOLD
    visibility = Visibility.GM if is_private else Visibility.OPEN
    made = [_kept(tx, access, one, visibility) for one in begun]
    if len(made) == 2:
        for one, other in (made, reversed(made)):
            tx.save_countdown(replace(one, rival=other.id))
    boardless = keep_a_board(tx, access) if not is_private else ()
    return Telling(notes=(*(beginning(one) for one in made), *boardless))


def _kept(tx: Transaction, access: Access, begun: Countdown, visibility: Visibility) -> CountdownRecord:
    limits = begun.limits
    blank = CountdownRecord(
        server=access.campaign.server,
        campaign=access.campaign.id,
        name=_free_name(tx, access, readable_name(begun.name[: LONGEST_NAME - 3])),
        kind=begun.kind.value,
        side=begun.side.value,
        visibility=visibility.value,
        term=Term.SHORT.value,
        difficulty=begun.difficulty,
        start=begun.start,
        per_day=limits.per_day,
        per_member=limits.per_member,
        per_skill=limits.per_skill,
        distinct_skills=limits.distinct_skills,
        every_seconds=begun.every_seconds,
        is_shared=False,
    )
    made = as_kept(blank, begun)
    return replace(made, id=save_named(tx, made))


def _free_name(reader: Reader, access: Access, name: str) -> str:
    """Return the name, numbered if another running countdown has it."""
    running = {one.name.casefold() for one in reader.countdowns(access.campaign.server, access.campaign.id)}
    numbered = (name, *(f"{name} {number}" for number in range(2, len(running) + 3)))
    return next(one for one in numbered if one.casefold() not in running)
