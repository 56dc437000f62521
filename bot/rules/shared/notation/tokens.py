"""Cutting an expression into words, numbers, signs and labels."""

import re

from bot.rules.shared.notation.limits import MAX_CHARACTERS
from bot.rules.shared.notation.notation_errors import TooMuch, Unreadable

# Each alternative begins with a character no other one begins with, and none can match in two ways:
# reading is linear in the length of the text.
_TOKEN = re.compile(
    r"\s*+("
    r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+"
    r"|[dkpehl]|r[roa]|m[ia]"
    r"|[-+*%(),−–×÷≤≥≠]|//?|[=<>]=?|!="
    r"|\[[^\[\]]*\]"
    r")",
    re.IGNORECASE,
)

_ALPHABET = "You can use dice (2d6), numbers, + − * / // %, comparisons, parentheses and [labels]."


def tokens(text: str) -> list[str]:
    """Cut *text* up: into numbers, words, signs, and labels with their brackets.

    Returns:
        The tokens as a stack: the first one lies on top, as the last of the list, and an empty one for the
        end at the bottom.

    Raises:
        TooMuch: If the text is too long.
        Unreadable: At the first character that belongs to no token.
    """
    if len(text) > MAX_CHARACTERS:
        raise TooMuch(
            f"The expression has {len(text)} characters.",
            f"Use at most {MAX_CHARACTERS}.",
            MAX_CHARACTERS,
            "Roll it in parts.",
        )
    pieces = _TOKEN.split(text)  # what lies before, between and behind the tokens, and these
    if "".join(pieces[::2]).strip():
        raise _unknown(text)
    return ["", *pieces[-2::-2]]


def position(text: str, left: int) -> int:
    """Where the last *left* tokens of a text begin, its end counted as one: the character, from 1 on."""
    starts = [match.start(1) for match in _TOKEN.finditer(text)]
    return [*starts, len(text.rstrip())][-left] + 1


def _unknown(text: str) -> Unreadable:
    """The refusal of the first thing that is no token."""
    at = 0
    while match := _TOKEN.match(text, at):
        at = match.end()
    while text[at].isspace():
        at += 1
    while at and text[at].isalpha() and text[at - 1].isalpha():
        at -= 1
    if text[at] == "[":
        return Unreadable(
            text, at + 1, "A label must end with ] and can't contain brackets.", "Try 2d6 [fire]."
        )
    if text[at].isalpha():
        return Unreadable(text, at + 1, _ALPHABET, "Put words into brackets: 2d6 [fire].")
    return Unreadable(text, at + 1, _ALPHABET)
