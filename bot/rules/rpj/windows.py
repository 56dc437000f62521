"""The window of a roll: until when a Lucky Break can still change it."""

from dataclasses import dataclass
from enum import StrEnum

from bot.rules.mistakes import Mistake
from bot.rules.ruleset import CharacterId, Document


class Closing(StrEnum):
    """Why a window is closed.

    Source: RPJ-LUCK-03 (R-023).
    """

    PLAYED_ON = "somebody it concerns has acted or rolled since"
    USED = "its result has been used since"
    RESOLVED = "a countdown that it moved has ended since"
    TURN = "the first turn has begun"
    GM = "the GM has closed it"
    ENDED = "the encounter or the session has ended"


class Window(Document):
    """What keeps a roll open to a Lucky Break.

    Attributes:
        roll: Which roll.
        concerns: Whose state it changed, or would have changed had it gone the other way.
        countdowns: The countdowns it moved.
        is_initiative: Whether it is a roll for initiative.
        closed_by: Why it is closed; None while it is open.
    """

    roll: str
    concerns: tuple[CharacterId, ...] = ()
    countdowns: tuple[str, ...] = ()
    is_initiative: bool = False
    closed_by: Closing | None = None

    def assert_open(self) -> None:
        """Refuse what comes too late.

        Raises:
            Mistake: If the window is closed.
        """
        if self.closed_by is not None:
            raise Mistake(
                f"This roll stands: {self.closed_by}.", "What is older is a matter for a flashback."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A roll or an action that came later.

    Attributes:
        by: Who rolled or acted.
        against: Who it was aimed at, or None.
        used: The roll whose result it rested on, or nothing.
    """

    by: CharacterId
    against: CharacterId | None = None
    used: str = ""


@dataclass(frozen=True, slots=True)
class CountdownEnded:
    """A countdown was closed, or another tick resolved it."""

    countdown: str


class Moment(StrEnum):
    """Something that closes windows without anybody's roll."""

    FIRST_TURN = "first turn"
    ENCOUNTER_ENDED = "encounter ended"
    SESSION_ENDED = "session ended"


Event = Played | CountdownEnded | Moment


def after(window: Window, event: Event) -> Window:
    """A window once something else has happened; a closed one stays as it is.

    Source: RPJ-LUCK-03 (R-023).
    """
    if window.closed_by is not None:
        return window
    closing = _closing(window, event)
    return window.model_copy(update={"closed_by": closing}) if closing else window


def _closing(window: Window, event: Event) -> Closing | None:
    match event:
        case Played(used=used) if used == window.roll:
            return Closing.USED
        case Played(by=by, against=against) if {by, against} & set(window.concerns):
            return Closing.PLAYED_ON
        case CountdownEnded(countdown) if countdown in window.countdowns:
            return Closing.RESOLVED
        case Moment.FIRST_TURN if window.is_initiative:
            return Closing.TURN
        case Moment.ENCOUNTER_ENDED | Moment.SESSION_ENDED:
            return Closing.ENDED
    return None


def closed_by_gm(window: Window) -> Window:
    """A window that the GM closes."""
    return window if window.closed_by else window.model_copy(update={"closed_by": Closing.GM})
