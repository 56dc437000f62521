"""Rolling a tree: dice are thrown from left to right, and each operation acts before the next."""

from bot.rules.kernel.dice import Dice, Fall
from bot.rules.shared.notation.arithmetic import reckon, sum_of
from bot.rules.shared.notation.limits import MAX_THROWS
from bot.rules.shared.notation.notation_errors import Endless, too_many_throws
from bot.rules.shared.notation.parser import parse
from bot.rules.shared.notation.picking import all_picked, first_picked
from bot.rules.shared.notation.rolled import (
    ChainRolled,
    DiceRolled,
    DieRolled,
    Face,
    GroupRolled,
    LiteralRolled,
    Part,
    Rolled,
    RolledMember,
    SetRolled,
    SignedRolled,
    StepRolled,
)
from bot.rules.shared.notation.tree import (
    Act,
    Chain,
    DiceTerm,
    Group,
    Literal,
    Operation,
    SetTerm,
    Signed,
    Term,
    Value,
)


def roll(expression: str | Term, dice: Dice) -> Rolled:
    """Roll an expression.

    Args:
        expression: A text in the dice notation, or the tree `parse` made of one.
        dice: Where the faces come from; percentile dice are thrown as a d10.

    Raises:
        UserError: If the text can't be read, asks for too much, divides by zero or never ends. Dice may
            have been thrown by then.
    """
    term = parse(expression) if isinstance(expression, str) else expression
    table = _Table(dice)
    part = _part(term, table)
    return Rolled(term, part, tuple(table.throws))


class _Table:
    """Where the dice of one expression are thrown, and counted."""

    __slots__ = ("_dice", "throws")

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.throws: list[Fall] = []

    def throw(self, term: DiceTerm) -> int:
        """Throw one die of *term* and read its face."""
        if len(self.throws) == MAX_THROWS:
            raise too_many_throws()
        face = self._dice.roll(term.sides)
        self.throws.append(Fall(term.sides, face))
        return (face - 1) * 10 if term.percent else face


class _DicePool:
    """Dice of one term while operations act on them.

    Place *n* of each list belongs to die *n*: what it counts as, what it showed until now.
    """

    __slots__ = ("_faces", "_kept", "_table", "_term", "_values")

    is_one_dropped = False

    def __init__(self, term: DiceTerm, table: _Table) -> None:
        self._term = term
        self._table = table
        self._values = [table.throw(term) for _ in range(term.count)]
        self._faces = [[Face(face, face)] for face in self._values]
        self._kept = list(range(term.count))

    def _add(self) -> None:
        """Throw one more die."""
        face = self._table.throw(self._term)
        self._values.append(face)
        self._faces.append([Face(face, face)])

    def operate(self, operation: Operation) -> None:
        """Do one operation to the dice still kept."""
        match operation.act:
            case Act.KEEP:
                self._kept = all_picked(operation, self._values, self._kept)
            case Act.DROP:
                dropped = set(all_picked(operation, self._values, self._kept))
                self._kept = [place for place in self._kept if place not in dropped]
            case Act.REROLL:
                self._reroll_until_none(operation)
            case Act.REROLL_ONCE:
                self._reroll(all_picked(operation, self._values, self._kept))
            case Act.REROLL_AND_ADD:
                place = first_picked(operation, self._values, self._kept)
                if place is not None:
                    self._explode(place)
            case Act.EXPLODE:
                self._explode_until_none(operation)
            case Act.MINIMUM:
                bound = operation.selectors[0].number
                self._recount({place: bound for place in self._kept if self._values[place] < bound})
            case Act.MAXIMUM:
                bound = operation.selectors[0].number
                self._recount({place: bound for place in self._kept if self._values[place] > bound})

    def _reroll(self, places: list[int]) -> None:
        """Throw the dice at *places* again."""
        for place in places:
            face = self._table.throw(self._term)
            self._values[place] = face
            self._faces[place].append(Face(face, face))

    def _reroll_until_none(self, operation: Operation) -> None:
        """Throw again what is picked until nothing is."""
        places = all_picked(operation, self._values, self._kept)
        if places and (operation.by_rank or all(map(operation.matches, self._term.faces))):
            raise Endless(str(operation), self._term.die)
        while places:
            self._reroll(places)
            places = all_picked(operation, self._values, places)

    def _explode(self, place: int) -> None:
        """Throw one more die for the one at *place*."""
        last = self._faces[place][-1]
        self._faces[place][-1] = Face(last.shown, last.counts_as, exploded=True)
        self._kept.append(len(self._values))
        self._add()

    def _explode_until_none(self, operation: Operation) -> None:
        """Throw one more die for each one picked, and for each of those in turn."""
        places = all_picked(operation, self._values, self._kept)
        if places and not operation.by_rank and all(map(operation.matches, self._term.faces)):
            raise Endless(str(operation), self._term.die)
        exploded: set[int] = set()
        while places:
            for place in places:
                self._explode(place)
            exploded.update(places)
            places = [
                place for place in all_picked(operation, self._values, self._kept) if place not in exploded
            ]

    def _recount(self, changes: dict[int, int]) -> None:
        """Let dice count as something else than they show."""
        for place, value in changes.items():
            last = self._faces[place][-1]
            self._values[place] = value
            self._faces[place][-1] = Face(last.shown, value, last.exploded)

    @property
    def total(self) -> int:
        """What the dice still kept add up to."""
        return sum(self._values[place] for place in self._kept)

    def part(self) -> DiceRolled:
        """The dice as they lie now."""
        kept = set(self._kept)
        dice = tuple(DieRolled(tuple(faces), place in kept) for place, faces in enumerate(self._faces))
        return DiceRolled(self._term, dice, self.total)


class _ValuePool:
    """The values of a set, or the one value in parentheses, while operations act on them."""

    __slots__ = ("_kept", "_parts", "_term", "_values")

    def __init__(self, term: SetTerm | None, parts: list[Part]) -> None:
        self._term = term
        self._parts = parts
        self._values: list[Value] = [part.total for part in parts]
        self._kept = list(range(len(parts)))

    def operate(self, operation: Operation) -> None:
        """Keep or drop some of the values still kept."""
        places = all_picked(operation, self._values, self._kept)
        if operation.act is Act.DROP:
            places = [place for place in self._kept if place not in places]
        self._kept = places

    @property
    def total(self) -> Value:
        """What the values still kept add up to."""
        return sum_of(self._values[place] for place in self._kept)

    @property
    def is_one_dropped(self) -> bool:
        """Whether this is one value in parentheses, and no longer kept."""
        return self._term is None and not self._kept

    def part(self) -> Part:
        """The set as it is now, or the one value."""
        if self._term is None:
            return self._parts[0]
        members = tuple(RolledMember(part, place in self._kept) for place, part in enumerate(self._parts))
        return SetRolled(self._term, members, self.total)


def _part(term: Term, table: _Table) -> Part:
    """What comes of a tree."""
    match term:
        case DiceTerm() | SetTerm() | Group():
            return _left_in(term, _pool(term, table))
        case Literal():
            return LiteralRolled(term, term.value)
        case Chain():
            return _chain(term, table)
        case Signed():
            operand = _part(term.operand, table)
            return SignedRolled(term, operand, -operand.total if term.minus else operand.total)


def _chain(term: Chain, table: _Table) -> ChainRolled:
    """What comes of operators of equal strength."""
    first = _part(term.first, table)
    total = first.total
    steps = []
    for step in term.steps:
        operand = _part(step.operand, table)
        total = reckon(step.operator, total, operand.total)
        steps.append(StepRolled(step.operator, operand))
    return ChainRolled(first, tuple(steps), total)


def _pool(term: Term, table: _Table) -> _DicePool | _ValuePool:
    """The dice or values in a term after its operations; parentheses are looked into."""
    pool: _DicePool | _ValuePool
    match term:
        case DiceTerm():
            pool = _DicePool(term, table)
        case SetTerm():
            pool = _ValuePool(term, [_part(member, table) for member in term.members])
        case Group():
            pool = _pool(term.inner, table)
        case _:
            return _ValuePool(None, [_part(term, table)])
    for operation in term.operations:
        pool.operate(operation)
    return pool


def _left_in(term: Term, pool: _DicePool | _ValuePool) -> Part:
    """The dice, set or parentheses whose dice or values are in *pool*, as they lie in the end."""
    if not isinstance(term, Group):
        return pool.part()
    kept = isinstance(term.inner, Group) or not pool.is_one_dropped
    return GroupRolled(term, _left_in(term.inner, pool), kept, pool.total)
