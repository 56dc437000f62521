"""The deadline of a roll: until when a Lucky Break can still change it."""

from collections.abc import Iterable
from enum import StrEnum

from bot.rules.kernel import SESSION_ENDED, CharacterId, Deadline, LaterEntry
from bot.rules.kernel.tracker import END, NEXT

FIRST_TURN = "first turn"
TOUCHES = "touches "  # followed by the id of a combatant, who may be no character
CLOSED = "the GM has closed it"

# Procedures about a sheet or the game that are no character's roll or action.
BOOKKEEPING = frozenset({NEXT, "breaks", "lose_break", "break_loss", "restore_break", "group_turn"})


def touching(moments: Iterable[str]) -> frozenset[str]:
    """The combatants an entry concerns."""
    return frozenset(moment for moment in moments if moment.startswith(TOUCHES))


class RpjClosing(StrEnum):
    """Why the deadline of a roll has passed.

    Source: RPJ-LUCK-03 (R-023).
    """

    PLAYED_ON = "someone it concerns has acted or rolled since"
    USED = "its result has been used since"
    RESOLVED = "a countdown it moved has ended since"
    TURN = "the first turn has started"
    GM = CLOSED
    ENDED = "the encounter or the session has ended"


def window_of(*concerns: CharacterId, is_initiative: bool = False, fighters: Iterable[str] = ()) -> Deadline:
    """The deadline of a roll.

    Args:
        *concerns: Characters whose state it changed, or would have changed with another result.
        is_initiative: Whether it is an initiative roll.
        fighters: The same by their ids in a fight.
    """
    until = (FIRST_TURN,) if is_initiative else ()
    return Deadline(concerns=concerns, until=(*until, *(f"{TOUCHES}{id_}" for id_ in fighters)))


def closing(window: Deadline, happening: LaterEntry) -> RpjClosing | None:
    """Why a later entry closes a deadline; None where it stays open.

    Source: RPJ-LUCK-03 (R-023).
    """
    met = {happening.by, *happening.against} & set(window.concerns)
    if SESSION_ENDED in happening.moments or happening.procedure == END:
        return RpjClosing.ENDED
    if CLOSED in happening.moments:
        return RpjClosing.GM if met or not happening.against else None
    if FIRST_TURN in happening.moments and FIRST_TURN in window.until:
        return RpjClosing.TURN
    if touching(happening.moments) & touching(window.until):
        return RpjClosing.PLAYED_ON
    if happening.is_use:
        return RpjClosing.USED
    if happening.is_end_of_countdown:
        return RpjClosing.RESOLVED
    return RpjClosing.PLAYED_ON if met and happening.procedure not in BOOKKEEPING else None
