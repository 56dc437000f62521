"""The GM's no: it comes with a reason, or with what would do instead."""

from bot.rules.kernel.errors import UserError


def denial(reason: str, instead: str = "") -> str:
    """What is told to the player whose proposal is turned down.

    Args:
        reason: Why not.
        instead: What would do.

    Raises:
        UserError: If neither is given.

    Source: RPJ-GM-05.
    """
    why, other = reason.strip(), f"Instead: {instead.strip()}" if instead.strip() else ""
    if why and other and why[-1] not in ".!?…":
        why += "."
    told = f"{why} {other}".strip()
    if not told:
        raise UserError("A no comes with a reason, or with what would do instead.")
    return told
