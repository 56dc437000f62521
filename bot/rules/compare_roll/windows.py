"""Until when something that waits can be pressed: an open roll until it counts, an attack until it is met."""

from bot.rules.ruleset import SESSION_ENDED, CharacterId, Happening, Window

SETTLED, MET = "settled", "met"


def settled(who: CharacterId, moment: str) -> str:
    """What has happened once the roll that a character made at a moment counts."""
    return f"{SETTLED}/{who}/{moment}"


def met(who: CharacterId, moment: str) -> str:
    """What has happened once the attack on a character that was made at a moment is met."""
    return f"{MET}/{who}/{moment}"


def until(what: str) -> Window:
    """A window that closes when that has happened, or the session ends."""
    return Window(until=(what,))


def closing(window: Window, happening: Happening) -> str | None:
    """Why something that happened closes a window; None where it leaves it open.

    Source: CMP-HIGH-02 (CMP-R27), CMP-COM-10, CMP-SES-01.
    """
    if SESSION_ENDED in happening.moments:
        return SESSION_ENDED
    if not set(window.until) & set(happening.moments):
        return None
    is_roll = any(one.startswith(SETTLED) for one in window.until)
    return "that roll already counts" if is_roll else "that attack is already over"
