"""The deadlines of buttons: an open roll until it is accepted, an attack until it is defended."""

from bot.rules.kernel import SESSION_ENDED, CharacterId, Deadline


def settled(who: CharacterId, moment: str) -> str:
    """The event that the roll a character made at a moment is accepted."""
    return f"settled/{who}/{moment}"


def met(who: CharacterId, moment: str) -> str:
    """The event that the attack made on a character at a moment is defended."""
    return f"met/{who}/{moment}"


def until_settled(who: CharacterId, moment: str) -> Deadline:
    """The deadline of an open roll: until it is accepted, or the session ends.

    Source: CMP-HIGH-02 (CMP-R27), CMP-SES-01.
    """
    return Deadline(until=(settled(who, moment), SESSION_ENDED))


def until_met(who: CharacterId, moment: str) -> Deadline:
    """The deadline of an attack: until it is defended, even after the session.

    Source: CMP-COM-10.
    """
    return Deadline(until=(met(who, moment),))
