"""A check of a game of one's own as the table stores it: its inputs, its roll, its exact chances.

What a button under a result rolls rests on the dice that lie there: these are in its inputs, and are read
again as they fell. So the same inputs and dice always give the same roll.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from math import comb, floor
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import NOBODY, Die, Document, Family, Odds, Roll, RollRule, Term, Verdict
from bot.rules.kernel.dice import Chance, Dice, Fall, ReplayedDice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import MINUS, shown_number, signed
from bot.rules.own.check_odds import chances
from bot.rules.own.dice_groups import SUITS, GroupSource, Reading, ReadingKind, ShownFace
from bot.rules.own.expressions import (
    Amount,
    Applied,
    Expression,
    Known,
    Name,
    NoAmount,
    amount_of,
    names_in,
    summands,
)
from bot.rules.own.game_parts import (
    CONSTANTS,
    THEIRS,
    VALUE,
    AfterRoll,
    Linked,
    OwnCheck,
    OwnGame,
    OwnMove,
    QuestionKind,
    amount_or_error,
)
from bot.rules.own.own_play import Answers, Attempting, OwnRoll, next_die, play, press, thrown_again, tier_of
from bot.rules.own.reading_odds import TooMuchToCount

MOST_TRIED = 500  # ways in which the dice of a button are gone through for what it is worth
PURPOSE = "check"
_RANKS = {Family.FAILURE: 0, Family.PARTIAL: 1, Family.NEWS: 1, Family.SUCCESS: 2}


class OwnRules(Struct, frozen=True):
    """A published version of a game of one's own."""

    game: OwnGame
    hash: str  # the hash of its text

    @property
    def rule(self) -> str:
        """The key of its checks in the journal, another for each version."""
        return f"check@{self.hash}"

    def named(self, check: str, move: str) -> tuple[OwnCheck, OwnMove | None]:
        """A check of this version, and the move that rolls it.

        Raises:
            UserError: If there is none.
        """
        if check not in self.game.checks:
            raise UserError("This check isn't in the game any more.")
        return self.game.checks[check], self.game.moves.get(move)


class EarlierThrow(Document):
    """Dice that lie on the table: those of the roll, or of a button under it."""

    press: str = ""  # the button; nothing for the roll itself
    dice: tuple[tuple[int, int], ...] = ()  # sides and face of each die, in the order of rolling
    # The numbers that were others than before the roll once it was paid for.
    paid: dict[str, int] = Field(default_factory=dict)


class CheckInputs(Document):
    """All that decides a check, besides the dice."""

    check: str
    move: str = ""
    answers: dict[str, int] = Field(default_factory=dict)  # what the answers to its questions come to
    names: dict[str, str] = Field(default_factory=dict)  # what they name on the sheet
    numbers: dict[str, int] = Field(default_factory=dict)  # the sheet, the clocks, and whomever it aims at
    theirs: int | None = None  # what the other side of an opposed check came to
    earlier: tuple[EarlierThrow, ...] = ()  # what lies on the table where a button is pressed
    press: str = ""  # that button
    paid: dict[str, int] = Field(default_factory=dict)  # the numbers that have changed until then
    # Whether one joker on the table leaves the other in the deck; not in rolls that earlier code stored.
    parts_jokers: bool = False

    @property
    def now(self) -> Mapping[str, int]:
        """The numbers as they are when it is paid for."""
        return {**self.numbers, **self.paid}


class RecordedDice:
    """Dice that remember how they fell.

    Args:
        dice: Where they come from.
    """

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.fallen: list[tuple[int, int]] = []

    def roll(self, sides: int) -> int:
        """Roll one die."""
        face = self._dice.roll(sides)
        self.fallen.append((sides, face))
        return face


class FallenAgain:
    """The dice of a roll once more."""

    def __init__(self, roll: Roll) -> None:
        self._waiting = [die.face for die in reversed(roll.dice)]

    def roll(self, _sides: int) -> int:
        """The next face."""
        return self._waiting.pop()


class EffectInputs(Document):
    """The dice of effects that no check rolls."""

    what: str  # what they are for
    sides: tuple[int, ...]


def effect_rule(rules: OwnRules) -> RollRule[EffectInputs]:
    """The rule by which the dice of effects are rolled."""
    return RollRule(f"effect@{rules.hash}", EffectInputs, partial(_roll_effect, rules))


def _roll_effect(rules: OwnRules, inputs: EffectInputs, dice: Dice) -> Roll:
    thrown = tuple(Die(sides=sides, face=dice.roll(sides)) for sides in inputs.sides)
    return Roll(
        rule=f"effect@{rules.hash}",
        inputs=inputs,
        dice=thrown,
        total=sum(die.face for die in thrown),
        verdict=Verdict(Family.NEWS, inputs.what),
        purpose="effect",
    )


def effect_rolls(rules: OwnRules, what: str, recorded: RecordedDice) -> tuple[Roll, ...]:
    """The roll that tells the dice of effects; none where no die was rolled."""
    if not recorded.fallen:
        return ()
    inputs = EffectInputs(what=what, sides=tuple(sides for sides, _ in recorded.fallen))
    return (_roll_effect(rules, inputs, ReplayedDice(Fall(*one) for one in recorded.fallen)).by(NOBODY),)


def attempt(rules: OwnRules, inputs: CheckInputs) -> Attempting:
    """Who rolls what, for the engine."""
    check, move = rules.named(inputs.check, inputs.move)
    answers = Answers(inputs.answers, inputs.names)
    return Attempting(rules.game, check, move, answers, inputs.numbers, inputs.theirs, inputs.parts_jokers)


def _played(roller: Attempting, inputs: CheckInputs, dice: Dice) -> tuple[OwnRoll, OwnRoll | None]:
    """Roll a check, or press a button under it: what it came to, and what lay there before."""
    lying = None
    for throw in inputs.earlier:
        again = ReplayedDice(Fall(sides, face) for sides, face in throw.dice)
        lying = _next(roller, lying, throw.press, {**inputs.numbers, **throw.paid}, again)
    return _next(roller, lying, inputs.press, inputs.now, dice), lying


def _next(
    roller: Attempting, lying: OwnRoll | None, label: str, now: Mapping[str, int], dice: Dice
) -> OwnRoll:
    if lying is None:
        return play(roller, dice)
    return press(roller, replace(lying, before=now), label, dice)


def roll_check(rules: OwnRules, inputs: CheckInputs, dice: Dice) -> tuple[Roll, OwnRoll]:
    """Roll a check: as the table tells it, and what the engine makes of it."""
    recorded, roller = RecordedDice(dice), attempt(rules, inputs)
    rolled, lying = _played(roller, inputs, recorded)
    thrown, kept = _as_dice(rolled, lying, recorded.fallen)
    terms, total = _arithmetic(rules.game, inputs, rolled)
    if total is None:
        thrown, kept = tuple(map(_by_itself, thrown)), tuple(map(_by_itself, kept))
    graded = _graded(rules.game, rolled.check)
    roll = Roll(
        rule=rules.rule,
        inputs=inputs,
        dice=thrown,
        earlier=kept,
        terms=terms,
        total=total,
        against="" if total is None else _targets(rules.game, inputs, rolled).get(Name(VALUE), ""),
        verdict=Verdict(graded.families[rolled.tier], rolled.name),
        odds=None if inputs.earlier else _odds(roller, rolled.known),
        outcome=graded.words[rolled.tier],
        purpose=PURPOSE,
    )
    return roll, rolled


_PIPS = "⚀⚁⚂⚃⚄⚅"


def _by_itself(die: Die) -> Die:
    """A die that is no part of a sum, as it is shown."""
    number = f"{die.label} {shown_number(die.counted)}".strip()
    face = _PIPS[die.face - 1] if die.sides == len(_PIPS) else number
    return die if die.shown else dataclasses.replace(die, shown=face)


def check_rule(rules: OwnRules) -> RollRule[CheckInputs]:
    """The rule by which every check of this version is rolled, and rolled again."""

    def resolve(inputs: CheckInputs, dice: Dice) -> Roll:
        try:
            return roll_check(rules, inputs, dice)[0]
        except (NoAmount, TooMuchToCount, LookupError) as error:
            raise UserError(f"This can't be rolled: {error}.") from None

    return RollRule(
        key=rules.rule,
        inputs=CheckInputs,
        resolve=resolve,
        odds=lambda inputs: check_odds(rules, inputs) or Odds(()),
    )


# --- tiers -------------------------------------------------------------------------------------

_GOOD = ("success", "hit", "works", "critical", "win", "yes")
_BETWEEN = ("cost", "mixed", "partial", "but", "complication", "weak")
_BAD = ("fail", "miss", "fumble", "trouble", "bad", "lose", "no")


class _Grades(Struct, frozen=True):
    """How good the tiers of a check are."""

    families: tuple[Family, ...]
    order: tuple[int, ...]  # their places, the worst first; of equally good ones the later one is worse
    words: tuple[str, ...]  # their names before anything is rolled: what is filled in later is left open
    needed: str | None  # the first that is no failure; None where there is no failure, or nothing else


_grades: WeakKeyDictionary[OwnCheck, _Grades] = WeakKeyDictionary()  # known already


def _graded(game: OwnGame, check: OwnCheck) -> _Grades:
    """How good each tier is: as the file says; else by a word in its name, or by its place."""
    found = _grades.get(check)
    if found is None:
        families = tuple(_family_of(game, check, at) for at in range(len(check.tiers)))
        order = tuple(sorted(range(len(families)), key=lambda at: (_RANKS[families[at]], -at)))
        words = _tier_words(check)
        enough = [words[at] for at in order if families[at] is not Family.FAILURE]
        needed = enough[0] if enough and len(enough) < len(families) else None
        found = _grades[check] = _Grades(families, order, words, needed)
    return found


def _family_of(game: OwnGame, check: OwnCheck, at: int) -> Family:
    said = game.file.checks[check.key].tiers[at].counts
    if said is not None:
        return Family(said)
    name = check.tiers[at].name.casefold()
    words = name.replace("{", " ").split()
    for family, known in ((Family.PARTIAL, _BETWEEN), (Family.FAILURE, _BAD), (Family.SUCCESS, _GOOD)):
        if any(word.startswith(one) for word in words for one in known if len(one) > 3 or word == one):
            return family
    last = len(check.tiers) - 1
    if not last:
        return Family.NEWS
    return Family.SUCCESS if at == 0 else Family.FAILURE if at == last else Family.PARTIAL


def check_odds(rules: OwnRules, inputs: CheckInputs, against: CheckInputs | None = None) -> Odds | None:
    """The exact chances of a check; None where there is too much to count, or a button was pressed.

    Args:
        inputs: All that decides it.
        against: What the other side of an opposed check rolls with, where it has not rolled.
    """
    if inputs.earlier:
        return None
    roller = attempt(rules, inputs)
    theirs = None if against is None else attempt(rules, against).known(against.numbers)
    return _odds(roller, roller.known(inputs.numbers), theirs)


def _odds(roller: Attempting, known: Known, theirs: Known | None = None) -> Odds | None:
    try:
        found = chances(roller.check, known, roller.theirs if theirs is None else theirs)
    except (NoAmount, TooMuchToCount):
        return None
    return odds_of(roller.game, roller.check, found)


def odds_of(game: OwnGame, check: OwnCheck, found: Mapping[str, Fraction]) -> Odds:
    """Chances of tiers in the table's form, the worst first."""
    graded = _graded(game, check)
    each = [(graded.words[at], found[check.tiers[at].name]) for at in graded.order]
    parts = tuple((name, Chance(chance.numerator, chance.denominator)) for name, chance in each)
    return Odds(parts, needed=graded.needed)


def _tier_words(check: OwnCheck) -> tuple[str, ...]:
    names: list[str] = []
    for tier in check.tiers:
        name = "".join(piece if isinstance(piece, str) else "…" for piece in tier.words)
        names.append(name if name not in names else tier.name)
    return tuple(names)


# --- what a button is worth --------------------------------------------------------------------


def worth(roller: Attempting, lying: OwnRoll, button: AfterRoll, odds: Odds | None) -> Fraction | None:
    """The exact chance that a button makes the result better; None where there is too much to count.

    Args:
        roller: Who rolled.
        lying: What lies on the table.
        odds: The chances of the roll, if no button was pressed yet.
    """
    graded = _graded(roller.game, lying.check)
    better_tiers = graded.order[graded.order.index(lying.tier) + 1 :]
    if not better_tiers:
        return Fraction(0)
    if _is_all_again(lying, button):
        return None if odds is None else odds.at_least(graded.words[better_tiers[0]])
    better = Fraction(0)
    tries = _tries(lying, button)
    if tries is None:
        return None
    taken = dict([button.take]) if button.take is not None else {}
    for dice, chance in tries:
        _, fallen = thrown_again(roller, lying, button, _Looped(dice))
        try:
            found = tier_of(roller, lying.known, fallen, taken)
        except NoAmount:
            return None
        better += chance if found in better_tiers else 0
    return better


def _is_all_again(lying: OwnRoll, button: AfterRoll) -> bool:
    """Whether a button rolls everything again, just as at first."""
    if button.add or button.step is not None or button.take is not None or lying.check.edged is not None:
        return False
    if lying.pressed or set(button.reroll) != set(lying.pools):
        return False
    return all(
        low <= one.face <= high for name, (low, high) in button.reroll.items() for one in lying.dice[name]
    )


class _Looped:
    """Dice for trying a button: those given, then ones."""

    def __init__(self, dice: Sequence[int]) -> None:
        self._waiting = list(reversed(dice))

    def roll(self, _sides: int) -> int:
        """The next face."""
        return self._waiting.pop() if self._waiting else 1


def _tries(lying: OwnRoll, button: AfterRoll) -> list[tuple[tuple[int, ...], Fraction]] | None:
    """Every way in which a button's dice can fall, with its chance; None where there are too many."""
    sides: list[tuple[int, int]] = []  # how many dice of how many sides, in the order of rolling
    for name, (low, high) in button.reroll.items():
        pool = lying.pools[name]
        if pool.source is GroupSource.CARDS or pool.has_aces:
            return None
        faces = [one.face for one in lying.dice[name]]
        sides.append((sum(low <= face <= high for face in faces), pool.sides))
    if button.add:
        pool = lying.pools[button.add]
        if pool.source is GroupSource.CARDS or pool.has_aces:
            return None
        sides.append((1, pool.sides))
    if button.step is not None:  # all dice of the group are rolled as the next die
        pool = lying.pools[button.step[0]]
        if pool.source is not GroupSource.DICE or pool.has_aces:
            return None
        sides.append((pool.count, next_die(pool.sides, button.step[1])))
    found: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    for number, each in sides:
        if len(found) * comb(number + each - 1, number) > MOST_TRIED:
            return None
        found = [
            ((*before, *faces), chance * ways)
            for before, chance in found
            for faces, ways in _falls(number, each)
        ]
    return found


def _falls(number: int, sides: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every way in which some dice can fall, whatever their order, with its chance."""
    for faces in combinations_with_replacement(range(1, sides + 1), number):
        ways, left = 1, number
        for face in set(faces):
            ways *= comb(left, faces.count(face))
            left -= faces.count(face)
        yield faces, Fraction(ways, sides**number)


# --- dice and sums as they are told ------------------------------------------------------------


def _as_dice(
    rolled: OwnRoll, lying: OwnRoll | None, fallen: Sequence[tuple[int, int]]
) -> tuple[tuple[Die, ...], tuple[Die, ...]]:
    """The dice that fell, and those that lay there already, each with what it is of."""
    waiting = list(fallen)
    kept: list[Die] = []
    thrown: list[Die] = []
    is_single = len(rolled.dice) == 1
    edged = rolled.check.edged[0] if rolled.check.edged is not None else ""
    second: list[tuple[ShownFace, str, bool, bool]] = []
    for name, faces in rolled.dice.items():
        label = "" if is_single else name.replace("_", " ")
        is_fate = rolled.pools[name].source is GroupSource.FATE
        fresh, old = _parted(rolled, lying, name, faces)
        kept += [
            _die(one, one.sides or 1, one.face if one.sides else 1, label, is_fate=is_fate) for one in old
        ]
        dropped = rolled.dropped if name == edged else ()
        is_later = bool(dropped) and not _fall_first(waiting, fresh, is_fate=is_fate)
        for one in dropped if is_later else fresh:
            taken = _taken(waiting, one, label, is_fate=is_fate)
            thrown += [dataclasses.replace(die, is_kept=False) for die in taken] if is_later else taken
        if dropped:
            second = [(one, label, is_fate, is_later) for one in (fresh if is_later else dropped)]
    for one, label, is_fate, is_kept in second:  # an edge rolls its group again after all others
        again = _taken(waiting, one, label, is_fate=is_fate)
        thrown += again if is_kept else [dataclasses.replace(die, is_kept=False) for die in again]
    if not _is_order(thrown, fallen):  # dice of effects fell, too
        thrown = _in_order(thrown, fallen)
    return tuple(thrown), tuple(kept)


def _fall_first(waiting: Sequence[tuple[int, int]], faces: Sequence[ShownFace], *, is_fate: bool) -> bool:
    """Whether these are the dice that fell next, not those that an edge rolled later."""
    left = list(waiting)
    for one in faces:
        taken = _taken(left, one, "", is_fate=is_fate)
        if sum(die.counted for die in taken) != one.face:
            return False
    return True


def _is_order(thrown: Sequence[Die], fallen: Sequence[tuple[int, int]]) -> bool:
    return [(die.sides, die.face) for die in thrown] == list(fallen)


def _in_order(thrown: Sequence[Die], fallen: Sequence[tuple[int, int]]) -> list[Die]:
    """The dice in the order in which they fell; those of effects are beside the sum."""
    left = list(thrown)
    found = []
    for sides, face in fallen:
        same = next((die for die in left if (die.sides, die.face) == (sides, face)), None)
        if same is not None:
            left.remove(same)
        found.append(same or Die(sides=sides, face=face, label="effect", is_borrowed=True))
    return found


def _parted(
    rolled: OwnRoll, lying: OwnRoll | None, name: str, faces: Sequence[ShownFace]
) -> tuple[Sequence[ShownFace], Sequence[ShownFace]]:
    """The dice of a group that were rolled now, and those that lay there."""
    if lying is None:
        return faces, ()
    button = next(one for one in rolled.check.after if one.label == rolled.pressed[-1])
    if button.step is not None and button.step[0] == name:
        return faces, ()
    before = lying.dice[name]
    low, high = button.reroll.get(name, (1, 0))
    is_new = [low <= one.face <= high for one in before]
    if name in button.reroll and rolled.pools[name].source is GroupSource.CARDS:
        return faces, ()
    is_new += [True] * (len(faces) - len(before))
    fresh = [one for one, new in zip(faces, is_new, strict=True) if new]
    return fresh, [one for one, new in zip(faces, is_new, strict=True) if not new]


def _die(one: ShownFace, sides: int, face: int, label: str, *, is_fate: bool) -> Die:
    sign = signed(one.face) if one.face else "0"
    shown = f"{label} {sign}".strip() if is_fate else "" if one.sides else one.shown
    value = one.face if face != one.face else None
    return Die(sides=sides, face=face, label=label, is_kept=one.is_kept, shown=shown, value=value)


def _taken(waiting: list[tuple[int, int]], one: ShownFace, label: str, *, is_fate: bool) -> list[Die]:
    """The dice that made one face: several where a die with aces was rolled on."""
    total, found = 0, []
    while waiting:
        sides, face = waiting.pop(0)
        if not one.sides or is_fate:
            return [_die(one, sides, face, label, is_fate=is_fate)]
        total += face
        found.append(Die(sides=sides, face=face, label=label, is_kept=one.is_kept))
        if total >= one.face:
            break
    return found


@lru_cache(maxsize=1024)
def _summed(check: OwnCheck) -> tuple[tuple[int, Expression], ...] | None:
    """What is added to the dice, each with its sign; None where it is no sum of all that count."""
    if check.value is None:
        return None
    totals = {
        name
        for stage in check.stages
        if isinstance(stage, Linked)
        for name, reading in stage.readings
        if reading.kind is ReadingKind.TOTAL
    }
    parts = [(1 if sign == "+" else -1, part) for sign, part in summands(check.value)]
    of_dice = [sign for sign, part in parts if isinstance(part, Name) and part.name in totals]
    others = tuple(
        (sign, part) for sign, part in parts if not (isinstance(part, Name) and part.name in totals)
    )
    open_names = check.open_names
    is_open = any(name in open_names for _, part in others for name in names_in(part))
    return None if of_dice != [1] or is_open else others


def _arithmetic(game: OwnGame, inputs: CheckInputs, rolled: OwnRoll) -> tuple[tuple[Term, ...], int | None]:
    """What is added to the dice, and the sum; nothing where `_summed` has nothing."""
    others = _summed(rolled.check)
    if others is None or VALUE not in rolled.amounts:
        return (), None
    terms = [
        Term(_label(game, inputs, part), sign * floor(value))
        for sign, part in others
        if (value := amount_of(part, rolled.known))
    ]
    return tuple(term for term in terms if term.value), floor(rolled.amounts[VALUE])


def _label(game: OwnGame, inputs: CheckInputs, part: Expression) -> str:
    """What a part of a sum is called."""
    if isinstance(part, Name):
        if part.name in inputs.names:
            return game.label(inputs.names[part.name])
        return game.label(part.name.rpartition(".")[2]) if "." in part.name else game.label(part.name)
    names = [name for name in names_in(part) if name in game.kinds]
    return game.label(names[0]) if names else "more"


def readings_words(game: OwnGame, inputs: CheckInputs, rolled: OwnRoll, roll: Roll) -> str:
    """What was read off the dice and what it had to reach, where the sum doesn't say it.

    "best 6, hits 2 against 3", or "9 + Smart 3 = 12 against 12".
    """
    is_sum, targets = roll.total is not None or bool(roll.terms), _targets(game, inputs, rolled)
    if is_sum:
        targets.pop(Name(VALUE), None)
    stages = [stage for stage in rolled.check.stages if isinstance(stage, Linked)]
    words = []
    for name, read in [one for stage in stages for one in stage.readings]:
        side = Name(VALUE) if rolled.check.value == Name(name) else Name(name)
        against = targets.pop(side, "")
        if name in rolled.amounts and (against or not is_sum):
            shown = f"{name.replace('_', ' ')} {_amount(rolled.amounts[name], read.kind)}"
            words.append(shown + _behind(against) + _per_die(rolled, read))
    words += [_sum_words(game, inputs, rolled, side) + _behind(against) for side, against in targets.items()]
    return ", ".join(words)


def _behind(against: str) -> str:
    return f" against {against}" if against else ""


def _per_die(rolled: OwnRoll, read: Reading) -> str:
    """What each die is compared with to count, where the file gives it a name."""
    if read.sign not in _ORDERS or not any(map(_names_number, read.against)):
        return ""
    return f" (against {_plain_number(amount_of(read.against[0], {**rolled.known, **rolled.amounts}))} a die)"


def _sum_words(game: OwnGame, inputs: CheckInputs, rolled: OwnRoll, side: Expression) -> str:
    """A sum that only a comparison makes, with its parts where they have names."""
    known = {**rolled.known, **rolled.amounts}
    total = _plain_number(amount_of(side, known))
    words: list[str] = []
    for sign, part in summands(side):
        if amount := amount_of(part, known):
            is_read = isinstance(part, Name) and part.name in rolled.check.open_names
            label = "" if is_read or not any(names_in(part)) else f"{_label(game, inputs, part)} "
            is_less = (amount < 0) is (sign == "+")
            words += [MINUS if is_less else "+", label + _plain_number(-amount if amount < 0 else amount)]
    return f"{' '.join(words).removeprefix('+ ')} = {total}" if len(words) > 2 else total


# --- what the dice are compared with -----------------------------------------------------------

_ORDERS = frozenset({"<", "<=", ">", ">="})


class _Comparison(Struct, frozen=True):
    """What the dice decide, and a number of the sheet or the table that it is compared with."""

    side: Expression
    number: Expression
    names: frozenset[str]  # what the number rests on


@lru_cache(maxsize=1024)
def _comparisons(check: OwnCheck) -> tuple[_Comparison, ...]:
    """Every comparison that decides a check, in the file's order; those with a written number left out."""
    lets = [stage.amount for stage in check.stages if not isinstance(stage, Linked)]
    tiers = [tier.when for tier in check.tiers if tier.when is not None]
    whole = [*lets, *([check.value] if check.value is not None else []), *tiers]
    of_dice = check.open_names - {THEIRS} | {VALUE}
    fixed = dict(check.fixed)
    found: list[_Comparison] = []
    for one in [one for part in whole for one in _orders(part)]:
        left, right = one.parts
        for side, number in ((left, right), (right, left)):
            is_open = of_dice.isdisjoint(names_in(number)) and not of_dice.isdisjoint(names_in(side))
            if is_open and THEIRS not in names_in(number) and _names_number(number):
                side = Name(VALUE) if side == check.value else side
                found.append(_Comparison(side, number, frozenset(_all_names(number, fixed))))
    return tuple(found)


def _orders(found: Expression) -> Iterator[Applied]:
    if isinstance(found, Applied):
        if found.sign in _ORDERS:
            yield found
        for part in found.parts:
            yield from _orders(part)


def _names_number(found: Expression) -> bool:
    return any(name not in CONSTANTS for name in names_in(found))


def _all_names(found: Expression, fixed: Mapping[str, Expression]) -> Iterator[str]:
    """The names in an expression, and in what the file calls by these names."""
    for name in names_in(found):
        yield name
        if name in fixed:
            yield from _all_names(fixed[name], fixed)


def _targets(game: OwnGame, inputs: CheckInputs, rolled: OwnRoll) -> dict[Expression, str]:
    """What the dice are compared with, "9, 22 and 45"; a clock that only the GM sees isn't told."""
    secret = {name for name, row in game.file.clocks.items() if row.seen == "gm"}
    known = {**rolled.known, **rolled.amounts}
    found: dict[Expression, set[Amount]] = {}
    for one in _comparisons(rolled.check):
        amount, read = amount_or_error(one.number, known), amount_or_error(one.side, known)
        if isinstance(amount, NoAmount) or isinstance(read, NoAmount):
            continue  # it stands in a part that didn't count
        if secret.isdisjoint([inputs.names.get(name, name) for name in one.names]):
            found.setdefault(one.side, set()).add(amount)
    return {side: _in_words([*map(_plain_number, sorted(numbers))]) for side, numbers in found.items()}


def _in_words(numbers: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(numbers[:-1]), numbers[-1])))


def _plain_number(amount: Amount) -> str:
    """A number as it is read: a fraction with one place."""
    return shown_number(int(amount)) if amount == int(amount) else f"{float(amount):.1f}".replace("-", MINUS)


def _amount(amount: Amount, kind: ReadingKind) -> str:
    if kind is ReadingKind.SUIT and amount in range(1, len(SUITS) + 1):
        return SUITS[int(amount) - 1]
    return str(amount).replace("-", "−")


def has_character_question(check: OwnCheck) -> str:
    """The question of a check that a character answers, or nothing."""
    return next((one.key for one in check.questions if one.kind is QuestionKind.CHARACTER), "")
