"""The GM's refusal, which needs a reason or an alternative."""

from bot.rules.kernel.errors import UserError


def denial(reason: str, instead: str = "") -> str:
    """The answer to a player whose proposal is rejected.

    Args:
        reason: Why not.
        instead: An alternative.

    Raises:
        UserError: If neither is given.

    Source: RPJ-GM-05.
    """
    why, other = reason.strip(), f"Instead: {instead.strip()}" if instead.strip() else ""
    if why and other and why[-1] not in ".!?…":
        why += "."
    text = f"{why} {other}".strip()
    if not text:
        raise UserError("Give a reason or an alternative.")
    return text
