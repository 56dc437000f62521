"""Generating attributes: dice, points, or an array; Luck is always rolled."""

from collections.abc import Iterator, Mapping

from bot.rules.kernel import Die, Document, Family, Odds, Roll, RollRule, Verdict
from bot.rules.kernel import odds as exact
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import Chance
from bot.rules.rpj.module.attributes import GENERATED, Category, RpjAttribute, category_of
from bot.rules.rpj.module.costs import raise_cost
from bot.rules.rpj.module.module import AttributeRules, StandardArray
from bot.rules.rpj.resolution.purposes import RpjPurpose

Levels = Mapping[RpjAttribute, int]
PAIRS = 7
SINGLE_DICE = 10
DISCARDED = 2
PIPS = "⚀⚁⚂⚃⚄⚅"


class RpjPoolInputs(Document):
    """How six attribute levels are rolled.

    Attributes:
        is_10d6: Ten dice, dropping the two highest and the two lowest; else seven halved pairs.
    """

    is_10d6: bool = False


def halved(pair: tuple[int, int]) -> int:
    """Half of two dice, rounded down: 1 to 6.

    Source: RPJ-ATTR-09, RPJ-ATTR-16 (R-016).
    """
    return sum(pair) // 2


def roll_pool(inputs: RpjPoolInputs, dice: Dice) -> Roll:
    """Roll the six levels that are then assigned to the attributes other than Luck.

    Source: RPJ-ATTR-09, RPJ-ATTR-10.
    """
    thrown, levels = _ten_dice(dice) if inputs.is_10d6 else _seven_pairs(dice)
    shown = ", ".join(str(level) for level in levels)
    return Roll(
        rule=POOL.key,
        inputs=inputs,
        dice=thrown,
        verdict=Verdict(Family.NEWS, f"levels {shown}"),
        outcome=shown,
        purpose=RpjPurpose.LEVELS,
    )


def _seven_pairs(dice: Dice) -> tuple[tuple[Die, ...], list[int]]:
    pairs = [(dice.roll(6), dice.roll(6)) for _ in range(PAIRS)]
    levels = [halved(pair) for pair in pairs]
    dropped = levels.index(min(levels))
    thrown = tuple(
        die
        for place, pair in enumerate(pairs)
        for die in _pair(pair, f"({halved(pair)})", is_kept=place != dropped)
    )
    return thrown, sorted(levels, reverse=True)[:-1]


def _die(face: int, behind: str = "", *, is_kept: bool = True) -> Die:
    """A die shown by its pips, because the sum of these dice means nothing."""
    return Die(sides=6, face=face, shown=f"{PIPS[face - 1]} {behind}".rstrip(), is_kept=is_kept)


def _pair(pair: tuple[int, int], behind: str, *, is_kept: bool = True) -> tuple[Die, Die]:
    """Two dice that belong together, followed by their value."""
    return _die(pair[0], is_kept=is_kept), _die(pair[1], behind, is_kept=is_kept)


def _ten_dice(dice: Dice) -> tuple[tuple[Die, ...], list[int]]:
    faces = [dice.roll(6) for _ in range(SINGLE_DICE)]
    order = sorted(range(SINGLE_DICE), key=lambda place: faces[place])
    kept = order[DISCARDED:-DISCARDED]
    thrown = tuple(_die(face, is_kept=place in kept) for place, face in enumerate(faces))
    return thrown, sorted((faces[place] for place in kept), reverse=True)


POOL = RollRule(key="attribute_pool", inputs=RpjPoolInputs, resolve=roll_pool)


def pool_of(roll: Roll) -> tuple[int, ...]:
    """The six levels that a roll of `POOL` came to, the highest first."""
    return tuple(int(level) for level in str(roll.outcome).split(", "))


class RpjLuckInputs(Document):
    """The inputs of the Luck roll; it has no options."""


def roll_luck(inputs: RpjLuckInputs, dice: Dice) -> Roll:
    """Roll the Luck level.

    Source: RPJ-ATTR-16 (R-016, R-017).
    """
    pair = (dice.roll(6), dice.roll(6))
    luck = halved(pair)
    return Roll(
        rule=LUCK_LEVEL.key,
        inputs=inputs,
        dice=_pair(pair, f"({sum(pair)} halved)"),
        verdict=Verdict(Family.NEWS, f"Luck {luck}"),
        odds=level_odds(inputs),
        outcome=str(luck),
        purpose=RpjPurpose.LEVEL,
    )


def level_odds(_inputs: RpjLuckInputs) -> Odds:
    """The exact chance of each level that half of two dice can be.

    Source: RPJ-ATTR-09, RPJ-ATTR-16.
    """
    levels = exact.total((exact.die(6), exact.die(6))).map(lambda sum_: sum_ // 2)
    return Odds(tuple((str(level), Chance(levels.ways[level], levels.of)) for level in range(1, 7)))


LUCK_LEVEL = RollRule(key="luck_level", inputs=RpjLuckInputs, resolve=roll_luck, odds=level_odds)


def highest_categories(levels: Levels) -> tuple[Category, ...]:
    """The categories with the highest sum of levels: the primary one, or those to choose from.

    Source: RPJ-ATTR-11 (R-011).
    """
    sums = {category: sum(levels[attribute] for attribute in category.members) for category in Category}
    return tuple(category for category in Category if sums[category] == max(sums.values()))


def points_spent(levels: Levels, rules: AttributeRules) -> int:
    """The attribute points that levels cost.

    Source: RPJ-ATTR-12, RPJ-ATTR-13.
    """
    return sum(raise_cost(rules.start, levels[attribute]) for attribute in GENERATED)


def leftover_bonus(levels: Levels, rules: AttributeRules) -> int:
    """The character points for leftover attribute points, however many.

    Source: RPJ-ATTR-14.
    """
    return rules.leftover_bonus if points_spent(levels, rules) < rules.points else 0


def range_problems(levels: Levels, rules: AttributeRules) -> Iterator[str]:
    """Problems with levels, however they were generated.

    Source: RPJ-ATTR-01.
    """
    for attribute, level in levels.items():
        if not rules.lowest <= level <= rules.highest:
            yield f"{attribute.word} must be from {rules.lowest} to {rules.highest}, not {level}."


def pool_problems(levels: Levels, pool: tuple[int, ...], primary: Category | None) -> Iterator[str]:
    """Problems with rolled levels as they are assigned to the attributes.

    Source: RPJ-ATTR-09, RPJ-ATTR-11.
    """
    rolled = sorted(pool, reverse=True)
    given = sorted((levels[attribute] for attribute in GENERATED), reverse=True)
    if not pool:
        yield "Roll the levels first."
    elif given != rolled:
        yield f"You rolled {_listed(rolled)}, but assigned {_listed(given)}."
    best = highest_categories(levels)
    if primary not in best:
        yield f"Your primary category must be the one with the highest sum: {' or '.join(best)}."


def bought_problems(levels: Levels, primary: Category | None, rules: AttributeRules) -> Iterator[str]:
    """Problems with bought levels.

    Source: RPJ-ATTR-12.
    """
    if primary is None:
        yield "Choose a primary category: Brawny, Shifty or Brainy."
    for attribute in GENERATED:
        most = rules.primary_most if category_of(attribute) is primary else rules.other_most
        if not rules.start <= levels[attribute] <= most:
            yield f"You can buy {attribute.word} from {rules.start} to {most}, not {levels[attribute]}."
    spent = points_spent(levels, rules)
    if spent > rules.points:
        yield f"These levels cost {spent} attribute points; you have {rules.points}."


def array_problems(levels: Levels, primary: Category | None, array: StandardArray) -> Iterator[str]:
    """Problems with the levels of an array.

    Source: RPJ-ATTR-11, RPJ-ATTR-15.
    """
    if primary is None:
        yield "Choose a primary category: Brawny, Shifty or Brainy."
        return
    starred = sorted((levels[attribute] for attribute in primary.members), reverse=True)
    if starred != sorted(array.primary, reverse=True):
        yield f"With array {array.name}, {primary} gets {_listed(array.primary)}, not {_listed(starred)}."
    others = sorted((levels[a] for a in GENERATED if a not in primary.members), reverse=True)
    if others != sorted(array.others, reverse=True):
        yield f"With array {array.name}, the others get {_listed(array.others)}, not {_listed(others)}."


def _listed(levels: tuple[int, ...] | list[int]) -> str:
    return ", ".join(str(level) for level in levels)
