"""Stored rolls, with everything needed to compute them again, and measured against their exact chances."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, exp, lgamma, log, sqrt
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace
from pydantic import ValidationError

from bot.rules.kernel import (
    CharacterId,
    Die,
    Document,
    Family,
    Odds,
    OpposingDie,
    Roll,
    Roller,
    RollRule,
    Ruleset,
    TargetNumber,
    Term,
    Verdict,
    Whole,
)
from bot.rules.kernel.dice import Chance
from bot.rules.kernel.errors import UserError
from bot.rules.shared.notation.roll import FREE_ROLL
from bot.store.journalled_tables import from_text, to_text
from bot.store.records import Json, JsonObject

Stored = TypeVar("Stored", bound=Document)
MOST_READ = 128  # documents and sheets of which it is remembered how they were read


class Unsound(UserError):
    """Something stored can't be read any more.

    Args:
        what: What it is, as a sentence begins with it.
    """

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} is stored in a form I can't read.",
            "A GM can try to undo the latest entries with /undo; /log lists them.",
        )


def load(model: type[Stored], body: Mapping[str, Any], what: str) -> Stored:
    """Load something stored.

    Args:
        body: What is stored of it.
        what: What to call it where it cannot be read.

    Raises:
        Unsound: If it is not allowed, and can't be repaired.
    """
    try:
        return model.model_validate(body)
    except ValidationError:
        mended = model.mended(body) if issubclass(model, Whole) else body
    try:
        return model.model_validate(mended)
    except ValidationError as error:
        raise Unsound(what) from error


def load_text(model: type[Stored], text: str, what: str) -> Stored:
    """Load a document from its stored text; one that has just been read is not read again."""
    try:
        read: Stored = _as_stored(model, text)
    except ValidationError:
        return load(model, from_text(text), what)
    return read


@lru_cache(maxsize=MOST_READ)
def _as_stored(model: type[Stored], text: str) -> Stored:
    return model.model_validate(from_text(text))


def load_settings(model: type[Stored], body: JsonObject) -> Stored:
    """Load settings; values no longer allowed fall back to their defaults."""
    read: Stored = _settings(model, to_text(body))
    return read


@lru_cache(maxsize=MOST_READ)
def _settings(model: type[Stored], text: str) -> Stored:
    body = from_text(text)
    try:
        return model.model_validate(body)
    except ValidationError as error:
        wrong = {detail["loc"][0] for detail in error.errors() if detail["loc"]}
    return model.model_validate({key: value for key, value in body.items() if key not in wrong})


FREE = "dice"  # stands for a ruleset's key where free dice were rolled


class KeptInputs(Document, extra="allow"):
    """A roll's inputs read back for display, whatever their model was."""


def find_rule(games: Mapping[str, Ruleset], ruleset: str, rule: str) -> RollRule[Any] | None:
    """Return the rule of a stored roll by its stored keys; None if there is no such rule."""
    if ruleset == FREE:
        return FREE_ROLL if rule == FREE_ROLL.key else None
    game = games.get(ruleset)
    return None if game is None else game.rolls.get(rule)


def roll_to_json(ruleset: str, roll: Roll) -> JsonObject:
    """Return a roll as JSON, with everything needed to compute it again.

    Args:
        ruleset: Key of the ruleset whose rule made it, or `FREE`.
    """
    earlier: JsonObject = {"earlier": [_die_to_json(die) for die in roll.earlier]} if roll.earlier else {}
    stored: JsonObject = {
        "ruleset": ruleset,
        "rule": roll.rule,
        "inputs": roll.inputs.model_dump(mode="json"),
        "dice": [_die_to_json(die) for die in roll.dice],
        **earlier,
        "terms": [[term.label, term.value] for term in roll.terms],
        "total": roll.total,
        "against": roll.against,
        "verdict": [str(roll.verdict.family), str(roll.verdict.title)],
        "odds": _odds_to_json(roll.odds),
        "fell": None if roll.outcome is None else str(roll.outcome),
    }
    if roll.facing:
        stored["facing"] = [_facing_to_json(one) for one in roll.facing]
    if roll.targets:
        stored["targets"] = [_target_to_json(one) for one in roll.targets]
    if roll.beforehand is not None:
        stored["beforehand"] = _odds_to_json(roll.beforehand)
    if roll.purpose:
        stored["purpose"] = str(roll.purpose)
    if roll.roller is not None:
        stored["roller"] = {"id": roll.roller.id, "name": roll.roller.name}
    if roll.word:
        stored["word"] = roll.word
    return stored


def _facing_to_json(one: OpposingDie) -> list[Json]:
    stopper = None if one.stopped_by is None else _die_to_json(one.stopped_by)
    return [_die_to_json(one.die), one.value, stopper, one.stopping]


def _target_to_json(one: TargetNumber) -> list[Json]:
    return [str(one.name), one.number, one.is_met, None if one.die is None else _die_to_json(one.die)]


def _die_to_json(die: Die) -> JsonObject:
    stored: JsonObject = {"sides": die.sides, "face": die.face}
    if die.label:
        stored["label"] = str(die.label)
    if not die.is_kept:
        stored["dropped"] = True
    if die.is_borrowed:
        stored["borrowed"] = True
    if die.shown:
        stored["shown"] = die.shown
    if die.value is not None:
        stored["value"] = die.value
    return stored


def _odds_to_json(odds: Odds | None) -> JsonObject | None:
    if odds is None:
        return None
    chances: list[Json] = [[name, chance.ways, chance.of] for name, chance in odds.chances]
    return {"chances": chances, "needed": odds.needed}


class _KeptDie(Document):
    sides: int
    face: int
    label: str = ""
    dropped: bool = False
    borrowed: bool = False
    shown: str = ""
    value: int | None = None

    def as_rolled(self) -> Die:
        return Die(
            sides=self.sides,
            face=self.face,
            label=self.label,
            is_kept=not self.dropped,
            is_borrowed=self.borrowed,
            shown=self.shown,
            value=self.value,
        )


class _KeptOdds(Document):
    chances: tuple[tuple[str, int, int], ...]
    needed: str | None

    def as_odds(self) -> Odds:
        return Odds(tuple((name, Chance(ways, of)) for name, ways, of in self.chances), self.needed)


class _KeptRoller(Document):
    id: int | None
    name: str

    def as_named(self) -> Roller:
        return Roller(None if self.id is None else CharacterId(self.id), self.name)


class KeptRoll(Document):
    """A roll as the journal stores it; see `Roll`."""

    ruleset: str
    rule: str
    inputs: KeptInputs
    dice: tuple[_KeptDie, ...]
    earlier: tuple[_KeptDie, ...] = ()
    terms: tuple[tuple[str, int], ...]
    total: int | None
    against: str
    verdict: tuple[Family, str]
    odds: _KeptOdds | None
    fell: str | None
    facing: tuple[tuple[_KeptDie, int, _KeptDie | None, int], ...] = ()
    targets: tuple[tuple[str, int, bool, _KeptDie | None], ...] = ()
    beforehand: _KeptOdds | None = None
    purpose: str = ""
    roller: _KeptRoller | None = None
    word: str = ""

    def as_rolled(self) -> Roll:
        """Return the roll, with its inputs as stored."""
        return Roll(
            rule=self.rule,
            inputs=self.inputs,
            dice=tuple(die.as_rolled() for die in self.dice),
            earlier=tuple(die.as_rolled() for die in self.earlier),
            terms=tuple(Term(label, value) for label, value in self.terms),
            total=self.total,
            against=self.against,
            verdict=Verdict(*self.verdict),
            odds=self.odds.as_odds() if self.odds else None,
            outcome=self.fell,
            facing=tuple(
                OpposingDie(
                    die.as_rolled(), value, None if stopper is None else stopper.as_rolled(), stopping
                )
                for die, value, stopper, stopping in self.facing
            ),
            targets=tuple(
                TargetNumber(name, number, is_met, None if die is None else die.as_rolled())
                for name, number, is_met, die in self.targets
            ),
            beforehand=self.beforehand.as_odds() if self.beforehand else None,
            purpose=self.purpose,
            roller=self.roller.as_named() if self.roller else None,
            word=self.word,
        )


def roll_as_kept(roll: Roll, stored: JsonObject) -> Roll:
    """Return a roll as it is read back from what `roll_to_json` makes of it, without reading it."""
    return replace(roll, inputs=KeptInputs.model_validate(stored["inputs"]))


def roll_from_json(stored: Json) -> Roll:
    """Return a roll read back from the journal, with its inputs as stored."""
    return KeptRoll.model_validate(stored).as_rolled()


@lru_cache(maxsize=512)
def average_chance(sides: int, rolls: int, total: int) -> Fraction:
    """Return the chance that fair dice are on average at least as far off as these.

    Counted, not simulated: the ways to reach a sum, by inclusion and exclusion, of all ways there are.

    Args:
        sides: Of each die.
        rolls: How many dice.
        total: Their sum.
    """
    twice_off = abs(2 * total - rolls * (sides + 1))
    if not rolls or not twice_off:
        return Fraction(1)
    most = (rolls * (sides - 1) - twice_off) // 2  # the sum of what each die shows above 1, at the low end
    ways = sum(
        (-1) ** over * comb(rolls, over) * comb(most - sides * over + rolls, rolls)
        for over in range(min(rolls, most // sides) + 1)
    )
    return Fraction(2 * ways, sides**rolls)


@lru_cache(maxsize=512)
def faces_chance(counts: tuple[int, ...]) -> float:
    """Return the chance that some face of a fair die comes at least as much too often or too seldom.

    Each face's count is weighed as if it came by itself (Poisson); given the number of dice, that is the
    multinomial distribution, to the last digits of a double.

    Args:
        counts: How often each face came, of all faces.
    """
    sides, rolls = len(counts), sum(counts)
    off = max((abs(count * sides - rolls) for count in counts), default=0)
    if not rolls or not off:
        return 1.0
    within = [count for count in range(rolls + 1) if abs(count * sides - rolls) < off]
    mean = rolls / sides
    weights = [_poisson(mean, count) for count in within]
    sums = [1.0, *[0.0] * rolls]
    for _face in counts:
        sums = _added(sums, within, weights)
    return min(1.0, max(0.0, 1 - sums[rolls] / _poisson(rolls, rolls)))


def _added(sums: Sequence[float], within: Sequence[int], weights: Sequence[float]) -> list[float]:
    """Return the weights of all sums with one more face."""
    longer = [0.0] * len(sums)
    for before, weight in enumerate(sums):
        if weight:
            for count, chance in zip(within, weights, strict=True):
                if before + count >= len(sums):
                    break
                longer[before + count] += weight * chance
    return longer


def _poisson(mean: float, count: int) -> float:
    return exp(count * log(mean) - mean - lgamma(count + 1))


HALF = Fraction(1, 2)


class Luck(Struct, frozen=True):
    """One roll's luck."""

    # The share of outcomes worse than this one, plus half of those equal to it: 0 to 1. On average it is one
    # half, whatever the chances.
    rank: Fraction
    variance: Fraction  # its variance around that average
    chance: Fraction  # how likely this outcome was


def luck_of(roll: Roll) -> Luck | None:
    """Return how lucky a roll was, or None without exact chances."""
    if roll.odds is None or roll.outcome is None:
        return None
    if roll.verdict.family is Family.NEWS and roll.odds.needed is None:  # nothing of it is better or worse
        return None
    worse = Fraction(0)
    mine: Fraction | None = None
    cubes = Fraction(0)
    for name, chance in roll.odds.chances:
        share = chance.fraction
        cubes += share**3
        if name == roll.outcome and mine is None:
            mine = share
        elif mine is None:
            worse += share
    if mine is None:
        return None
    return Luck(rank=worse + mine / 2, variance=(1 - cubes) / 12, chance=mine)


def deviation(rolls: list[Luck]) -> float | None:
    """Return how many standard deviations the rolls lie above (or below) expectation.

    Returns:
        None if no roll could have come out differently.
    """
    spread = sum((luck.variance for luck in rolls), Fraction(0))
    if not spread:
        return None
    return float(sum((luck.rank - HALF for luck in rolls), Fraction(0))) / sqrt(spread)
