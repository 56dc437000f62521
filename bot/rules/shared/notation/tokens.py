"""Cutting an expression into words, numbers, signs and labels."""

import re
from typing import Literal, NamedTuple

from bot.rules.shared.notation.limits import MAX_CHARACTERS
from bot.rules.shared.notation.notation_errors import TooMuch, Unreadable

Kind = Literal["number", "word", "sign", "label", "end"]


class Token(NamedTuple):
    """One piece of an expression.

    Attributes:
        kind: What it is.
        text: Words in lower case, signs in ASCII, labels without their brackets.
        position: Its first character, counted from 1.
    """

    kind: Kind
    text: str
    position: int


# Each alternative begins with a character no other one begins with, and none can match in two ways:
# reading is linear in the length of the text.
_TOKEN = re.compile(
    r"\s*(?:"
    r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
    r"|(r[roa]|m[ia]|[dkpehl])"
    r"|(//|[=!<>]=|[-+*/%<>=(),−–×÷≤≥≠])"
    r"|\[([^\[\]]*)\]"
    r")",
    re.IGNORECASE,
)

_SIGNS = {"−": "-", "–": "-", "×": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!="}

_ALPHABET = "You can use dice (2d6), numbers, + − * / // %, comparisons, parentheses and [labels]."


def tokens(text: str) -> list[Token]:
    """Cut *text* up; the last token is always an END.

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
    end = len(text.rstrip())
    found = []
    at = 0
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise _unknown(text, at)
        found.append(_token(match))
        at = match.end()
    found.append(Token("end", "", end + 1))
    return found


def _token(match: re.Match[str]) -> Token:
    """A token of the group of the pattern that has matched."""
    number, word, sign, label = match.groups()
    if number is not None:
        return Token("number", number, match.start(1) + 1)
    if word is not None:
        return Token("word", word.lower(), match.start(2) + 1)
    if sign is not None:
        return Token("sign", _SIGNS.get(sign, sign), match.start(3) + 1)
    return Token("label", " ".join(label.split()), match.start(4))


def _unknown(text: str, at: int) -> Unreadable:
    """The refusal of the first thing from character *at* on that is no token."""
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
