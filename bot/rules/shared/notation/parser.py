"""Reading an expression into a tree.

From weak to strong: comparisons, sums, products, signs, then dice, sets, parentheses and numbers.
Operators of equal strength are reckoned from left to right.
"""

from fractions import Fraction
from functools import lru_cache

from bot.rules.shared.notation.limits import (
    MAX_DECIMALS,
    MAX_DEPTH,
    MAX_DICE,
    MAX_NUMBER,
    MAX_SIDES,
)
from bot.rules.shared.notation.notation_errors import NoSides, TooMuch, Unreadable
from bot.rules.shared.notation.tokens import Token, tokens
from bot.rules.shared.notation.tree import (
    Act,
    Chain,
    DiceTerm,
    Group,
    Literal,
    Operation,
    Operator,
    Pick,
    Selector,
    SetTerm,
    Signed,
    Stepwise,
    Term,
    Value,
)

_LEVELS = (
    {
        str(operator): operator
        for operator in (
            Operator.EQUAL,
            Operator.NOT_EQUAL,
            Operator.AT_LEAST,
            Operator.AT_MOST,
            Operator.ABOVE,
            Operator.BELOW,
        )
    },
    {str(operator): operator for operator in (Operator.PLUS, Operator.MINUS)},
    {
        str(operator): operator
        for operator in (Operator.TIMES, Operator.WHOLE_OVER, Operator.OVER, Operator.REMAINDER)
    },
)
_ACTS = {str(act): act for act in Act}
_BOUNDS = (Act.MINIMUM, Act.MAXIMUM)
_SET_ACTS = (Act.KEEP, Act.DROP)
_RANKS = {"h": Pick.HIGHEST, "l": Pick.LOWEST}
_COMPARISONS = {">": Pick.ABOVE, "<": Pick.BELOW, "=": Pick.EQUAL}

_A_VALUE = "Dice (2d6), a number, a sign or an opening parenthesis can go there."
_A_CONTINUATION = "An operator, a [label] or the end can go there."
_A_SELECTOR = "h, l, >, < or a number can go there."


@lru_cache(maxsize=256)
def parse(text: str) -> Term:
    """Read an expression in the dice notation.

    Args:
        text: The expression; upper and lower case are the same, and spaces may stand between any two
            words, numbers and signs.

    Raises:
        Unreadable: If it is not in the notation; says at which character.
        TooMuch: If it asks for more than one roll may have.
        NoSides: If a die has 0 sides.
    """
    return _Reader(text).whole()


class _Reader:
    """Reads one expression from its first token to its last."""

    __slots__ = ("_at", "_depth", "_dice", "_text", "_tokens")

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens(text)
        self._at = 0
        self._depth = 0
        self._dice = 0

    def whole(self) -> Term:
        """The tree of the whole text."""
        term = self._chain(0)
        if self._tokens[self._at].kind != "end":
            raise self._stuck(_A_CONTINUATION)
        return term

    def _chain(self, level: int) -> Term:
        """Everything joined by operators of *level* or stronger ones."""
        if level == len(_LEVELS):
            return self._signed()
        operators = _LEVELS[level]
        first = self._chain(level + 1)
        steps = []
        while (token := self._tokens[self._at]).text in operators and token.kind == "sign":
            self._at += 1
            steps.append(Stepwise(operators[token.text], self._chain(level + 1)))
        return Chain(first, tuple(steps)) if steps else first

    def _signed(self) -> Term:
        """A value, perhaps behind signs."""
        token = self._tokens[self._at]
        if token.kind == "sign" and token.text in "+-":
            self._at += 1
            self._deeper()
            signed = Signed(token.text == "-", self._signed())
            self._depth -= 1
            return signed
        return self._value()

    def _value(self) -> Term:
        """Dice, a set, parentheses or a number."""
        token = self._tokens[self._at]
        following = self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        if token.kind == "word" and token.text == "d":
            self._at += 1
            return self._dice_term(1)
        if token.kind == "number":
            self._at += 1
            if following.kind == "word" and following.text == "d":
                self._at += 1
                return self._dice_term(self._whole_number(token))
            return Literal(self._number(token), self._labels())
        if token.kind == "sign" and token.text == "(":
            self._at += 1
            return self._parenthesised()
        raise self._stuck(_A_VALUE, "Try 4d6kh3+2.")

    def _parenthesised(self) -> Term:
        """What follows an opening parenthesis, up to what stands behind the closing one."""
        self._deeper()
        members: list[Term] = []
        is_set = self._sign_is(")")
        while not self._sign_is(")"):
            members.append(self._chain(0))
            if not self._sign_is(","):
                break
            is_set = True
            self._at += 1
        if not self._sign_is(")"):
            raise self._stuck("An operator, a comma or a closing parenthesis can go there.")
        self._at += 1
        self._depth -= 1
        operations = self._operations(on_dice=False)
        labels = self._labels()
        if is_set:
            return SetTerm(tuple(members), operations, labels)
        return Group(members[0], operations, labels)

    def _dice_term(self, count: int) -> DiceTerm:
        """Dice, from behind their ``d`` on."""
        token = self._tokens[self._at]
        if percent := self._sign_is("%"):
            sides = 10
        elif token.kind == "number":
            sides = self._whole_number(token)
        else:
            raise self._stuck("The number of sides, or %, must follow the d.", "Try 2d6.")
        self._at += 1
        self._check_dice(count, sides)
        return DiceTerm(count, sides, percent, self._operations(on_dice=True), self._labels())

    def _operations(self, *, on_dice: bool) -> tuple[Operation, ...]:
        """Everything done to the dice or set before it."""
        found: list[Operation] = []
        while (token := self._tokens[self._at]).kind == "word" and token.text in _ACTS:
            act = _ACTS[token.text]
            if not on_dice and act not in _SET_ACTS:
                raise self._stuck("Only k (keep) and p (drop) work on what is in parentheses.")
            self._at += 1
            selector = self._selector(act)
            if found and found[-1].act is act and act not in _BOUNDS:
                found[-1] = Operation(act, (*found[-1].selectors, selector))
            else:
                found.append(Operation(act, (selector,)))
        return tuple(found)

    def _selector(self, act: Act) -> Selector:
        """Which values an operation acts on."""
        token = self._tokens[self._at]
        if act in _BOUNDS and token.kind != "number":
            raise self._stuck(f"A number must follow {act}.", f"Try 4d6{act}2.")
        pick = Pick.EQUAL
        if token.kind == "word" and token.text in _RANKS:
            pick = _RANKS[token.text]
            self._at += 1
            if self._tokens[self._at].kind != "number":
                return Selector(pick, 1)
        elif token.kind == "sign" and token.text in _COMPARISONS:
            pick = _COMPARISONS[token.text]
            self._at += 1
        number = self._tokens[self._at]
        if number.kind != "number":
            allowed = _A_SELECTOR if pick is Pick.EQUAL else "A number can go there."
            raise self._stuck(allowed, "Try 4d6kh3 or 2d6rr1.")
        self._at += 1
        return Selector(pick, self._whole_number(number))

    def _labels(self) -> tuple[str, ...]:
        """The labels in brackets that follow."""
        found: list[str] = []
        while (token := self._tokens[self._at]).kind == "label":
            self._at += 1
            if token.text:
                found.append(token.text)
        return tuple(found)

    def _number(self, token: Token) -> Value:
        """The value of a written number."""
        whole, _, decimals = token.text.partition(".")
        decimals = decimals.rstrip("0")
        if len(decimals) > MAX_DECIMALS:
            raise TooMuch(
                f"The number at character {token.position} has too many decimals.",
                f"Use at most {MAX_DECIMALS}.",
                MAX_DECIMALS,
            )
        value = self._bounded(int(whole or "0"))
        return value + Fraction(int(decimals), 10 ** len(decimals)) if decimals else value

    def _whole_number(self, token: Token) -> int:
        """The value of a written number that must have no decimal point."""
        if "." in token.text:
            raise Unreadable(self._text, token.position, "It must be a whole number.")
        return self._bounded(int(token.text))

    def _bounded(self, value: int) -> int:
        """*value*, if it is small enough to be written."""
        if value > MAX_NUMBER:
            raise TooMuch(f"A number is larger than {MAX_NUMBER:,}.", "Write smaller numbers.", MAX_NUMBER)
        return value

    def _check_dice(self, count: int, sides: int) -> None:
        """Refuse impossible dice and too many of them."""
        if sides == 0:
            raise NoSides
        if sides > MAX_SIDES:
            raise TooMuch(
                f"A die with {sides} sides can't be rolled.",
                f"A die has 1 to {MAX_SIDES} sides.",
                MAX_SIDES,
                f"Try 1d{MAX_SIDES}.",
            )
        self._dice += count
        if self._dice > MAX_DICE:
            raise TooMuch(
                f"The expression has {self._dice} dice.",
                f"A roll can have at most {MAX_DICE}.",
                MAX_DICE,
                f"Try {MAX_DICE}d{sides}.",
            )

    def _deeper(self) -> None:
        """One more parenthesis or sign inside the others."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise TooMuch(
                f"More than {MAX_DEPTH} parentheses and signs are nested.",
                f"Use at most {MAX_DEPTH}.",
                MAX_DEPTH,
                "Leave out the ones you don't need.",
            )

    def _sign_is(self, sign: str) -> bool:
        """Whether the next token is this sign."""
        token = self._tokens[self._at]
        return token.kind == "sign" and token.text == sign

    def _stuck(self, allowed: str, try_this: str = "") -> Unreadable:
        """The refusal to read on from the next token."""
        return Unreadable(self._text, self._tokens[self._at].position, allowed, try_this)
