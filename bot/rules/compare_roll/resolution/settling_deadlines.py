"""Until when something that waits can be pressed: an open roll until it counts, an attack until it is met."""

from bot.rules.kernel import SESSION_ENDED, CharacterId, Deadline


def settled(who: CharacterId, moment: str) -> str:
    """What has happened once the roll that a character made at a moment counts."""
    return f"settled/{who}/{moment}"


def met(who: CharacterId, moment: str) -> str:
    """What has happened once the attack on a character that was made at a moment is met."""
    return f"met/{who}/{moment}"


def until_settled(who: CharacterId, moment: str) -> Deadline:
    """The window of an open roll: until it counts, or the session ends.

    Source: CMP-HIGH-02 (CMP-R27), CMP-SES-01.
    """
    return Deadline(until=(settled(who, moment), SESSION_ENDED))


def until_met(who: CharacterId, moment: str) -> Deadline:
    """The window of an attack: until it is met, also after the session.

    Source: CMP-COM-10.
    """
    return Deadline(until=(met(who, moment),))
