"""Cutting an expression into words, numbers, signs and labels."""

import re
from enum import StrEnum
from typing import NamedTuple

from bot.rules.shared.notation.limits import MAX_CHARACTERS
from bot.rules.shared.notation.notation_errors import TooMuch, Unreadable


class Kind(StrEnum):
    """What a token is."""

    NUMBER = "number"
    WORD = "word"
    SIGN = "sign"
    LABEL = "label"
    END = "end"


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
    r"(?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
    r"|(?P<word>r[roa]|m[ia]|[dkpehl])"
    r"|(?P<sign>//|[=!<>]=|[-+*/%<>=(),−–×÷≤≥≠])"
    r"|\[(?P<label>[^\[\]]*)\]"
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
        kind = match.lastgroup or ""
        found.append(_token(kind, match[kind], match.start(kind) + 1))
        at = match.end()
    found.append(Token(Kind.END, "", end + 1))
    return found


def _token(kind: str, text: str, position: int) -> Token:
    """A token of the named group of the pattern."""
    if kind == "word":
        return Token(Kind.WORD, text.lower(), position)
    if kind == "sign":
        return Token(Kind.SIGN, _SIGNS.get(text, text), position)
    if kind == "label":
        return Token(Kind.LABEL, " ".join(text.split()), position - 1)
    return Token(Kind.NUMBER, text, position)


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
