"""The seven attributes, and attribute and proficiency tests with their exact chances."""

import re
from collections.abc import Callable, Hashable, Iterable
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import DataFiles, Die, Document, Family, Odds, Roll, RollRule, TableRow, Term, Verdict
from bot.rules.kernel import dice as exact
from bot.rules.kernel.dice import Chance, Dice, Distribution
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import shown_number, signed


class SwarmPurpose(StrEnum):
    """The purpose of a roll, shown in front of its dice."""

    TEST = "test"
    RETRY = "second roll"


class AttributeRow(TableRow):
    """An attribute: its name, its meaning, and its starting value (None: chosen by the player)."""

    name: str
    meaning: str
    start: int | None = None


class ModifierRow(TableRow):
    """The modifier that an attribute adds to proficiency tests."""

    attribute: int
    modifier: int


class SwarmDifficultyRow(TableRow):
    """A typical difficulty of proficiency tests, its name and its meaning."""

    value: int
    name: str
    meaning: str


class ProficiencyRow(TableRow):
    """A proficiency and its governing attribute."""

    name: str
    attribute: str
    trained_only: bool = False


DATA = DataFiles("bot.rules.sword_and_swarm")
ATTRIBUTE_ROWS = {row.name: row for row in DATA.rows("attributes", "attribute", AttributeRow)}
MODIFIERS = tuple(row.modifier for row in DATA.rows("modifiers", "modifier", ModifierRow))
DIFFICULTIES = {row.value: row for row in DATA.rows("difficulties", "difficulty", SwarmDifficultyRow)}
PROFICIENCY_ROWS = DATA.rows("proficiencies", "proficiency", ProficiencyRow)


HIGHEST = 10
LEAST_WITH_CONFIRM = 6
CONFIRM_IS_LOWER_BY = 5


class SwarmAttribute(StrEnum):
    """The seven attributes, in the book's order. [SWARM-ATTR-01]"""

    MALLET = "Mallet"
    KEY = "Key"
    RUNES = "Runes"
    CORONET = "Coronet"
    STAR = "Star"
    SHIELD = "Shield"
    BOOTS = "Boots"

    @property
    def meaning(self) -> str:
        """Its meaning in a few words. [SWARM-ATTR-05 to SWARM-ATTR-09, SWARM-ATTR-12, SWARM-ATTR-13]"""
        return ATTRIBUTE_ROWS[self].meaning

    @property
    def start(self) -> int | None:
        """Its value on every new sheet; None if the player chooses it.

        [SWARM-ATTR-01, SWARM-ATTR-12, SWARM-ATTR-13]
        """
        return ATTRIBUTE_ROWS[self].start


def in_range(value: int) -> int:
    """Limit a number to the range of attributes, 0 to 10. [SWARM-ATTR-02, SWARM-MOD-01 (SWARM-R06)]"""
    return max(0, min(value, HIGHEST))


def confirm_value(attribute: int) -> int | None:
    """The Confirm Attribute of an attribute; None below 6. [SWARM-CONF-01]"""
    return attribute - CONFIRM_IS_LOWER_BY if attribute >= LEAST_WITH_CONFIRM else None


def with_confirm(attribute: int) -> str:
    """An attribute with its Confirm Attribute in brackets: "7 (2)". [SWARM-CONF-01]"""
    confirm = confirm_value(attribute)
    return str(attribute) if confirm is None else f"{attribute} ({confirm})"


def proficiency_modifier(attribute: int) -> int:
    """The modifier that an attribute adds to proficiency tests.

    [SWARM-PROF-05 (SWARM-R19: 9 and 10 as 8, below 0 as 0)]
    """
    return MODIFIERS[max(0, min(attribute, len(MODIFIERS) - 1))]


LIMIT = 4
_NEXT = re.compile(r"(?:^|[\s,;]+)(?=[+\-−]\s*\d)")
_WRITTEN = re.compile(r"([+\-−])\s*(\d{1,6})\s*(.*)", re.DOTALL)


class Modifier(Document):
    """One bonus or penalty. [SWARM-MOD-03]"""

    value: int = Field(ge=-LIMIT, le=LIMIT)  # +1 to +4, or −1 to −4
    label: str = Field(default="", max_length=60)  # its source, or nothing

    @property
    def term(self) -> Term:
        """The modifier as a term of the sum."""
        return Term(self.label or ("bonus" if self.value > 0 else "penalty"), self.value)


def net(modifiers: Iterable[Modifier]) -> int:
    """The sum of all bonuses and penalties, limited to −4 to +4.

    [SWARM-MOD-04 (SWARM-R08: net first, then one limit)]
    """
    return max(-LIMIT, min(sum(one.value for one in modifiers), LIMIT))


def terms(modifiers: tuple[Modifier, ...]) -> tuple[Term, ...]:
    """The bonuses and penalties as terms of the sum: each by name, or a single one if the limit applies."""
    if cap_note(modifiers):
        return (Term("modifiers", net(modifiers)),)
    return tuple(one.term for one in modifiers)


def cap_note(modifiers: Iterable[Modifier]) -> str:
    """A sentence saying that the limit applies, or nothing."""
    together = sum(one.value for one in modifiers)
    if abs(together) <= LIMIT:
        return ""
    return f"Bonuses and penalties add up to {signed(together)}; the limit is {signed(net(modifiers))}."


def read_modifiers(bonus: int, more: str) -> tuple[Modifier, ...]:
    """Read the bonuses and penalties of a test; those of 0 are left out. [SWARM-MOD-03]

    Args:
        bonus: One of them, −4 to +4.
        more: Others as typed: "+2 high ground −1 dark".

    Raises:
        UserError: If the text cannot be read, or a modifier is out of range.
    """
    found = [Modifier(value=bonus)] if bonus else []
    problems = []
    for part in (piece for piece in _NEXT.split(more.strip()) if piece):
        written = _WRITTEN.fullmatch(part)
        if written is None:
            raise UserError(
                f"“{part}” isn't a bonus or a penalty.",
                try_this="Write them like this: +2 high ground −1 dark",
            )
        sign, size, label = written.groups()
        value = int(size) if sign == "+" else -int(size)
        if abs(value) > LIMIT:
            problems.append(f"{signed(value)} is out of range: a bonus is +1 to +4, a penalty −1 to −4.")
        elif value:
            found.append(Modifier(value=value, label=label.strip()[:60]))
    if problems:
        raise UserErrors(tuple(problems))
    return tuple(found)


Attempt = TypeVar("Attempt")
Result = TypeVar("Result", bound=Hashable)


class Edge(StrEnum):
    """Whether a test has advantage, disadvantage or neither."""

    NONE = "none"
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"


class RerollMode(StrEnum):
    """Whether a failure with advantage is re-rolled automatically, or the player is asked.

    [SWARM-TEST-07 (SWARM-R04), SWARM-PROF-08 (SWARM-R21)]
    """

    AUTO = "auto"
    ASK = "ask"


def edge_of(*, advantages: int, disadvantages: int) -> Edge:
    """Combine advantages and disadvantages from any number of sources.

    [SWARM-TEST-09 (SWARM-R05: both cancel completely, several of one kind are one)]
    """
    if bool(advantages) == bool(disadvantages):
        return Edge.NONE
    return Edge.ADVANTAGE if advantages else Edge.DISADVANTAGE


def is_rerolled(edge: Edge, *, succeeded: bool) -> bool:
    """Whether a first roll with this result is re-rolled. [SWARM-TEST-07, SWARM-TEST-08]"""
    return edge is (Edge.DISADVANTAGE if succeeded else Edge.ADVANTAGE)


def attempts(
    edge: Edge, attempt: Callable[[], Attempt], succeeded: Callable[[Attempt], bool]
) -> tuple[Attempt, ...]:
    """The one or two rolls of a test; the last one counts."""
    first = attempt()
    return (first, attempt()) if is_rerolled(edge, succeeded=succeeded(first)) else (first,)


def with_edge(
    single: Distribution[Result], edge: Edge, succeeded: Callable[[Result], bool]
) -> Distribution[Result]:
    """The distribution of results when the re-roll is always taken.

    Args:
        single: The distribution of one roll.
        edge: Advantage, disadvantage or neither.
        succeeded: Whether a result is a success.
    """
    if edge is Edge.NONE:
        return single
    return single.with_(
        single,
        lambda first, second: second if is_rerolled(edge, succeeded=succeeded(first)) else first,
    )


SIDES = 6
SUCCESS, FAILURE = "success", "failure"
CONFIRM_LABEL = "confirm"
_FACES = "⚀⚁⚂⚃⚄⚅"


class SwarmKind(StrEnum):
    """The kind of number an attribute test is rolled against."""

    OWN = "own attribute"
    OPPONENT = "opponent's attribute"
    OBSTACLE = "obstacle"

    @classmethod
    def _missing_(cls, value: object) -> "SwarmKind | None":
        """Accept the curly apostrophe of tests stored by earlier versions."""
        return cls.OPPONENT if value == "opponent\N{RIGHT SINGLE QUOTATION MARK}s attribute" else None


class AttributeInputs(Document):
    """Everything that decides an attribute test, besides the dice."""

    kind: SwarmKind  # the character's own attribute (roll low), an opponent's or an obstacle (roll high)
    name: str  # the name of what is tested ("Key", "Ogre's Shield", "Rope bridge")
    value: int = Field(ge=0, le=HIGHEST)  # the actual attribute, or the difficulty of the obstacle
    # Bonuses and penalties: on the character's own attribute, otherwise on the die.
    modifiers: tuple[Modifier, ...] = ()
    edge: Edge = Edge.NONE  # advantage, disadvantage or neither; the re-roll is taken automatically
    confirm_when_impossible: bool = False  # whether a natural 6 that fails against 5 or less is confirmed too
    first: tuple[int, ...] = ()  # the faces of the throw that this re-rolls by choice, or none

    @property
    def is_own(self) -> bool:
        """Whether it is the character's own attribute, so that low rolls succeed."""
        return self.kind is SwarmKind.OWN

    @property
    def target(self) -> int:
        """The attribute or difficulty that the die is compared with.

        [SWARM-MOD-01 (SWARM-R06), SWARM-MOD-02 (SWARM-R07)]
        """
        return in_range(self.value + net(self.modifiers)) if self.is_own else self.value

    @property
    def added(self) -> int:
        """The modifier added to each die. [SWARM-MOD-01, SWARM-MOD-02, SWARM-CONF-03 (SWARM-R12)]"""
        return 0 if self.is_own else net(self.modifiers)

    @property
    def confirm(self) -> int:
        """The number that a confirm die is compared with."""
        return self.target - CONFIRM_IS_LOWER_BY


class SwarmAttempt(Struct, frozen=True):
    """One roll of the whole test: the die, the confirm die if any, and the result."""

    face: int
    confirm: int | None
    succeeded: bool


def wants_confirm(inputs: AttributeInputs, face: int) -> bool:
    """Whether a second die decides: on a natural 6 that does not succeed outright against 6 or more.

    [SWARM-CONF-02 (SWARM-R09), SWARM-CONF-03, SWARM-CONF-04 (SWARM-R13, SWARM-R14)]
    """
    if face != SIDES:
        return False
    if inputs.is_own:
        return inputs.target >= LEAST_WITH_CONFIRM
    is_open = inputs.target >= LEAST_WITH_CONFIRM or inputs.confirm_when_impossible
    return is_open and face + inputs.added <= inputs.target


def beats(inputs: AttributeInputs, face: int, against: int) -> bool:
    """Whether a die beats a number: at or below it for an own attribute, otherwise above it.

    [SWARM-TEST-02 to SWARM-TEST-05, SWARM-CONF-03 (SWARM-R11)]
    """
    return face <= against if inputs.is_own else face + inputs.added > against


def judged(inputs: AttributeInputs, face: int, confirm: int | None) -> SwarmAttempt:
    """Judge a die, with its confirm die if there is one."""
    if confirm is None:
        return SwarmAttempt(face, None, beats(inputs, face, inputs.target))
    return SwarmAttempt(face, confirm, beats(inputs, confirm, inputs.confirm))


def attribute_test(inputs: AttributeInputs, dice: Dice) -> Roll:
    """Roll a d6, confirm a 6 if needed, and re-roll the whole test if advantage or disadvantage asks for it.

    [SWARM-TEST-01 to SWARM-TEST-09, SWARM-CONF-02 to SWARM-CONF-05 (SWARM-R15)]
    """

    def attempt() -> SwarmAttempt:
        face = dice.roll(SIDES)
        return judged(inputs, face, dice.roll(SIDES) if wants_confirm(inputs, face) else None)

    made = attempts(inputs.edge, attempt, lambda one: one.succeeded)
    last = made[-1]
    # A confirm die decides on its own, so there is no sum to show.
    has_sum = not inputs.is_own and last.confirm is None
    outcome = SUCCESS if last.succeeded else FAILURE
    return Roll(
        rule=ATTRIBUTE_TEST.key,
        inputs=inputs,
        dice=tuple(die for one in made for die in _dice(one, is_kept=one is last)),
        earlier=_first_dice(inputs),
        terms=terms(inputs.modifiers) if has_sum else (),
        total=last.face + inputs.added if has_sum else None,
        against=f"{target_words(inputs)}: {_enough_words(inputs, is_confirmed=last.confirm is not None)}",
        verdict=Verdict(Family.SUCCESS if last.succeeded else Family.FAILURE, outcome),
        odds=attribute_odds(inputs),
        outcome=outcome,
        purpose=SwarmPurpose.TEST,
    )


def _dice(attempt: SwarmAttempt, *, is_kept: bool) -> tuple[Die, ...]:
    first = Die(sides=SIDES, face=attempt.face, is_kept=is_kept)
    if attempt.confirm is None:
        return (first,)
    shown = f"{CONFIRM_LABEL} {_FACES[attempt.confirm - 1]} {attempt.confirm}"
    second = Die(sides=SIDES, face=attempt.confirm, label=CONFIRM_LABEL, is_kept=is_kept, shown=shown)
    return first, second


def _first_dice(inputs: AttributeInputs) -> tuple[Die, ...]:
    """The dice of the throw that a test re-rolls by choice."""
    if not inputs.first:
        return ()
    face, *confirm = inputs.first
    return _dice(judged(inputs, face, confirm[0] if confirm else None), is_kept=False)


@lru_cache(maxsize=1024)
def attribute_odds(inputs: AttributeInputs) -> Odds:
    """The exact chance of a failure and of a success if re-rolls with advantage are always taken.

    [SWARM-TEST-06, SWARM-TEST-07, SWARM-TEST-08, SWARM-CONF-05, SWARM-CONF-06]
    """
    faces = range(1, SIDES + 1)
    single = Distribution.counted(
        (judged(inputs, face, confirm if wants_confirm(inputs, face) else None).succeeded, 1)
        for face in faces
        for confirm in faces
    )
    results = with_edge(single, inputs.edge, bool)
    chances = tuple(
        (name, Chance(results.ways.get(succeeded, 0), results.of))
        for name, succeeded in ((FAILURE, False), (SUCCESS, True))
    )
    return Odds(chances, needed=SUCCESS)


ATTRIBUTE_TEST = RollRule(
    key="attribute", inputs=AttributeInputs, resolve=attribute_test, odds=attribute_odds
)

# --- in words ----------------------------------------------------------------------------------


def target_words(inputs: AttributeInputs) -> str:
    """The number to compare the die with: "Key 3 + 2 = 5", "Ogre's Shield 7 (2)"."""
    if inputs.is_own and inputs.modifiers:
        change = signed(net(inputs.modifiers)).replace("+", "+ ").replace("−", "− ")
        return f"{inputs.name} {inputs.value} {change} = {with_confirm(inputs.target)}"
    return f"{inputs.name} {with_confirm(inputs.target)}"


def _enough_words(inputs: AttributeInputs, *, is_confirmed: bool) -> str:
    """The results that succeed: totals of a sum, or faces of a confirm die.

    [SWARM-TEST-02 to SWARM-TEST-05, SWARM-CONF-02, SWARM-CONF-03 (SWARM-R12)]
    """
    confirming = _confirming_faces(inputs)
    if is_confirmed:
        return f"a 6 is confirmed by {confirming}" if confirming else "no roll confirms a 6"
    if not inputs.is_own and SIDES + inputs.added <= inputs.target:
        return "only a confirmed 6 succeeds" if confirming else "no roll is high enough"
    if inputs.is_own and inputs.target == 0:
        return "no roll is low enough"
    outright = f"{min(inputs.target, SIDES - 1)} or less" if inputs.is_own else f"{inputs.target + 1} or more"
    return f"{outright}, or a confirmed 6" if confirming else outright


def _confirming_faces(inputs: AttributeInputs) -> str:
    """The faces that confirm a 6, modifiers included, or nothing if none does."""
    if not wants_confirm(inputs, SIDES):
        return ""
    faces = [face for face in range(1, SIDES + 1) if beats(inputs, face, inputs.confirm)]
    if not faces:
        return ""
    return f"{faces[-1]} or less" if inputs.is_own else f"{faces[0]} or more"


def attribute_reason(roll: Roll, inputs: AttributeInputs) -> str:
    """Explain a confirmed roll in one sentence; the line of the dice says all about any other."""
    confirms = [die for die in roll.dice if die.is_kept][1:]
    if not confirms:
        return ""
    succeeded = roll.outcome == SUCCESS
    done = "confirmed" if succeeded else "not confirmed"
    sum_ = _sum_words(inputs, confirms[0].face)
    return f"A natural 6, {done}: {sum_} {_compared(inputs, succeeded)} {shown_number(inputs.confirm)}."


def _sum_words(inputs: AttributeInputs, face: int) -> str:
    if not inputs.added:
        return str(face)
    sign = "+" if inputs.added > 0 else "−"
    return f"{face} {sign} {abs(inputs.added)} = {shown_number(face + inputs.added)}"


def _compared(inputs: AttributeInputs, succeeded: bool) -> str:
    if inputs.is_own:
        return "is at or below" if succeeded else "is above"
    return "is higher than" if succeeded else "is not higher than"


# The book sets no limit on either.
MOST_RANKS = 1000
HIGHEST_DIFFICULTY = 1000


class SwarmResult(StrEnum):
    """The results of a proficiency test, worst first.

    [SWARM-PROF-01, SWARM-PROF-03, SWARM-PROF-04 (SWARM-R18: names only, the GM decides the rest)]
    """

    DISASTROUS = "disastrous failure"
    SERIOUS = "serious failure"
    FAILURE = "failure"
    SUCCESS = "success"

    @property
    def succeeded(self) -> bool:
        """Whether it is a success."""
        return self is SwarmResult.SUCCESS


class ProficiencyInputs(Document):
    """Everything that decides a proficiency test, besides the dice."""

    proficiency: str  # its name
    attribute: SwarmAttribute  # its governing attribute
    value: int = Field(le=HIGHEST)  # the actual attribute; Star may be below 0
    ranks: int = Field(ge=0, le=MOST_RANKS)
    modifiers: tuple[Modifier, ...] = ()  # bonuses and penalties, on the total (SWARM-R20)
    difficulty: int = Field(ge=1, le=HIGHEST_DIFFICULTY)  # what the total must reach
    edge: Edge = Edge.NONE  # advantage, disadvantage or neither; the re-roll is taken automatically
    first: tuple[int, ...] = ()  # the faces of the throw that this re-rolls by choice, or none

    @property
    def added(self) -> int:
        """The sum added to the dice."""
        return proficiency_modifier(self.value) + self.ranks + net(self.modifiers)


Pair = tuple[int, int]


def judged_proficiency(inputs: ProficiencyInputs, faces: Pair) -> SwarmResult:
    """The result of two dice.

    [SWARM-PROF-01, SWARM-PROF-03, SWARM-PROF-04 (SWARM-R17: two ones are always disastrous)]
    """
    if faces == (1, 1):
        return SwarmResult.DISASTROUS
    if sum(faces) + inputs.added >= inputs.difficulty:
        return SwarmResult.SUCCESS
    return SwarmResult.SERIOUS if 1 in faces else SwarmResult.FAILURE


def proficiency_test(inputs: ProficiencyInputs, dice: Dice) -> Roll:
    """Roll 2d6 against the difficulty; re-roll both dice if advantage or disadvantage asks for it.

    [SWARM-PROF-01 to SWARM-PROF-08 (SWARM-R21)]
    """

    def attempt() -> Pair:
        return dice.roll(SIDES), dice.roll(SIDES)

    made = attempts(inputs.edge, attempt, lambda faces: judged_proficiency(inputs, faces).succeeded)
    result = judged_proficiency(inputs, made[-1])
    own = (Term(inputs.attribute, proficiency_modifier(inputs.value)), Term("ranks", inputs.ranks))
    return Roll(
        rule=PROFICIENCY_TEST.key,
        inputs=inputs,
        dice=tuple(
            Die(sides=SIDES, face=face, is_kept=place == len(made) - 1)
            for place, faces in enumerate(made)
            for face in faces
        ),
        earlier=tuple(Die(sides=SIDES, face=face, is_kept=False) for face in inputs.first),
        terms=tuple(term for term in (*own, *terms(inputs.modifiers)) if term.value),
        total=sum(made[-1]) + inputs.added,
        against=difficulty_words(inputs.difficulty),
        verdict=Verdict(Family.SUCCESS if result.succeeded else Family.FAILURE, result),
        odds=proficiency_odds(inputs),
        outcome=result,
        purpose=SwarmPurpose.TEST,
    )


@lru_cache(maxsize=1024)
def proficiency_odds(inputs: ProficiencyInputs) -> Odds:
    """The exact chance of each result, worst first, if re-rolls with advantage are always taken.

    [SWARM-PROF-06, SWARM-PROF-08]
    """
    die = exact.die(SIDES)
    single = die.with_(die, lambda first, second: judged_proficiency(inputs, (first, second)))
    results = with_edge(single, inputs.edge, lambda result: result.succeeded)
    chances = tuple((result.value, Chance(results.ways.get(result, 0), results.of)) for result in SwarmResult)
    return Odds(chances, needed=SwarmResult.SUCCESS)


PROFICIENCY_TEST = RollRule(
    key="proficiency", inputs=ProficiencyInputs, resolve=proficiency_test, odds=proficiency_odds
)

# --- in words ----------------------------------------------------------------------------------


def difficulty_words(difficulty: int) -> str:
    """A difficulty with its name, if it has one: "10 (difficult)". [SWARM-PROF-06]"""
    row = DIFFICULTIES.get(min(difficulty, max(DIFFICULTIES)))
    return str(difficulty) if row is None else f"{difficulty} ({row.name})"


def proficiency_reason(roll: Roll, inputs: ProficiencyInputs) -> str:
    """Explain a worse failure in one sentence; the line of the dice says all about any other result."""
    total = shown_number(sum(die.face for die in roll.dice if die.is_kept) + inputs.added)
    match roll.outcome:
        case SwarmResult.DISASTROUS:
            return "Both dice show a 1: disastrous, whatever the total."
        case SwarmResult.SERIOUS:
            return f"{total} is below {inputs.difficulty}, and one die shows a 1: serious."
        case _:
            return ""
