"""Why an expression is refused."""

from bot.rules.kernel.errors import UserError
from bot.rules.shared.notation.limits import MAX_NUMBER, MAX_RESULT, MAX_THROWS

_EXCERPT = 12


def excerpt(text: str) -> str:
    """The beginning of *text*, on one line and without invisible characters."""
    shown = "".join(character if character.isprintable() else "�" for character in text[: _EXCERPT + 1])
    return shown if len(shown) <= _EXCERPT else shown[:_EXCERPT] + "…"


class Unreadable(UserError):
    """The expression is not in the dice notation.

    Attributes:
        expression: The whole text, as typed.
        position: The character where reading stopped, counted from 1; one past the end where the
            expression ends too early.
    """

    def __init__(self, expression: str, position: int, allowed: str, try_this: str = "") -> None:
        rest = expression[position - 1 :]
        if rest.strip():
            what = f"I can't read this from “{excerpt(rest)}” on (character {position})."
        elif expression.strip():
            what = f"The expression ends too early (after character {position - 1})."
        else:
            what = "There is nothing to roll."
        super().__init__(what, allowed, try_this)
        self.expression = expression
        self.position = position


class TooMuch(UserError):
    """The expression asks for more than one roll may have.

    Attributes:
        limit: The bound that was passed.
    """

    def __init__(self, what: str, allowed: str, limit: int, try_this: str = "") -> None:
        super().__init__(what, allowed, try_this)
        self.limit = limit


class NoSides(UserError):
    """A die without sides."""

    def __init__(self) -> None:
        super().__init__("A die with 0 sides can't be rolled.", "A die has 1 to 1000 sides.", "Try 1d6.")


class Endless(UserError):
    """Re-rolling or exploding that no face could ever stop."""

    def __init__(self, operation: str, die: str) -> None:
        super().__init__(
            f"“{operation}” on a {die} would never stop: every face calls for another roll.",
            "At least one face must end it.",
            "Try 2d6rr1 or 2d6e6.",
        )


class DividedByZero(UserError):
    """A division or a remainder by nothing."""

    def __init__(self) -> None:
        super().__init__("This roll divides by zero.", "What follows /, // or % can't be 0.")


def too_many_throws() -> TooMuch:
    """More dice than one roll may throw."""
    return TooMuch(
        f"This roll needs more than {MAX_THROWS} dice, re-rolls and explosions included.",
        f"A roll can throw at most {MAX_THROWS} dice.",
        MAX_THROWS,
        "Roll fewer dice, or re-roll fewer faces.",
    )


def too_large_number() -> TooMuch:
    """A number beyond what may be written."""
    return TooMuch(f"A number is larger than {MAX_NUMBER:,}.", "Write smaller numbers.", MAX_NUMBER)


def too_large_result() -> TooMuch:
    """A number beyond what can be shown."""
    return TooMuch(
        "The result is too large.",
        f"Results must be between −{MAX_RESULT:,} and {MAX_RESULT:,}.",
        MAX_RESULT,
        "Use smaller numbers.",
    )
