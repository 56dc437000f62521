"""The wizard pages for attributes: by dice, by points or by an array; Luck always by dice."""

from collections.abc import Mapping

from bot.rules.kernel import Choice, CreationRoll, Question, Roll, Step
from bot.rules.kernel.wording import counted, signed
from bot.rules.rpj.character.generation import (
    LUCK_LEVEL,
    POOL,
    RpjLuckInputs,
    RpjPoolInputs,
    points_spent,
    pool_of,
)
from bot.rules.rpj.creation import draft as drafts
from bot.rules.rpj.creation.draft import Making
from bot.rules.rpj.module.attributes import GENERATED, Category, RpjAttribute, attribute_bonus, category_of
from bot.rules.rpj.module.costs import raise_cost
from bot.rules.rpj.module.module import GenerationMethod, StandardArray
from bot.rules.rpj.resolution.wording import character_points, left_words

METHODS_STEP, LEVELS_STEP = "attributes", "levels"
METHODS: Mapping[GenerationMethod, tuple[str, str]] = {
    GenerationMethod.ROLL: (
        "Roll two dice seven times",
        "Each pair is halved; the lowest result is dropped.",
    ),
    GenerationMethod.ROLL_10D6: ("Roll ten dice", "The two highest and two lowest dice are dropped."),
    GenerationMethod.BUY: ("Buy levels with points", "Each level costs its own number."),
    GenerationMethod.ARRAY: ("Take a standard array", "The two highest levels go to the primary category."),
}


def methods_step(making: Making) -> Step:
    """The page for the method, with its dice rolls.

    Source: RPJ-ATTR-08 to RPJ-ATTR-10, RPJ-ATTR-15, RPJ-ATTR-16.
    """
    picks = [_method_pick(making)]
    if making.method is GenerationMethod.ARRAY:
        picks.append(_array_pick(making))
    if making.method in (GenerationMethod.BUY, GenerationMethod.ARRAY):
        picks.append(_primary_pick(tuple(Category)))
    return Step(
        key=METHODS_STEP,
        title="Attributes",
        text="How do you want to set six attributes? Everyone rolls Luck.",
        picks=tuple(picks),
        throws=(*((_pool_throw(making.method),) if making.is_rolled else ()), LUCK_THROW),
    )


def _method_pick(making: Making) -> Question:
    choices = tuple(Choice(method.value, *METHODS[method]) for method in making.module.attributes.methods)
    return Question(key=drafts.METHOD, prompt="Method", choices=choices)


def _array_pick(making: Making) -> Question:
    arrays = making.module.attributes.arrays
    choices = tuple(
        Choice(array.name, f"{array.name}: {_set_words(array)}", _extra(array)) for array in arrays
    )
    return Question(key=drafts.ARRAY, prompt="Which array?", choices=choices)


def _set_words(array: StandardArray) -> str:
    return f"{_listed(array.primary)} and {_listed(array.others)}"


def _extra(array: StandardArray) -> str:
    return f"gives {character_points(array.bonus)}" if array.bonus else ""


def _listed(levels: tuple[int, ...]) -> str:
    return ", ".join(str(level) for level in levels)


def _primary_pick(categories: tuple[Category, ...]) -> Question:
    choices = tuple(
        Choice(category.value, category.value, " and ".join(one.word for one in category.members))
        for category in categories
    )
    return Question(key=drafts.PRIMARY, prompt="Primary category (cheaper to raise later)", choices=choices)


def _pool_throw(method: GenerationMethod | None) -> CreationRoll:
    is_10d6 = method is GenerationMethod.ROLL_10D6
    return CreationRoll(
        key=drafts.POOL,
        prompt="rolls ten dice for attributes" if is_10d6 else "rolls seven pairs for attributes",
        label="Roll ten dice" if is_10d6 else "Roll seven pairs",
        rule=POOL.key,
        inputs=RpjPoolInputs(is_10d6=is_10d6),
        answer=lambda roll: tuple(str(level) for level in pool_of(roll)),
        settles=(drafts.METHOD,),
    )


def _luck_of(roll: Roll) -> tuple[str, ...]:
    return (str(roll.outcome),)


LUCK_THROW = CreationRoll(
    key=drafts.LUCK,
    prompt="rolls for Luck",
    label="Roll for Luck",
    rule=LUCK_LEVEL.key,
    inputs=RpjLuckInputs(),
    answer=_luck_of,
)


# --- giving the levels -------------------------------------------------------------------------


def levels_step(making: Making) -> Step:
    """The page that assigns levels to attributes; empty until the method is settled.

    Source: RPJ-ATTR-09, RPJ-ATTR-11 to RPJ-ATTR-15.
    """
    if not making.is_ready_for_levels:
        return Step(key=LEVELS_STEP, title="Levels", text="First choose a method for the attributes.")
    if making.is_rolled:
        text, menus = _rolled_text(making), [_rolled_choices(making, one) for one in GENERATED]
    elif making.method is GenerationMethod.BUY:
        text, menus = _bought_text(making), [_bought_choices(making, one) for one in GENERATED]
    else:
        text, menus = _set_text(making), [_set_choices(making, one) for one in GENERATED]
    is_bought = making.method is GenerationMethod.BUY
    picks = [
        Question(
            key=attribute.value,
            prompt=_prompt(making, attribute),
            choices=choices,
            barred=_too_dear(making, attribute) if is_bought else {},
        )
        for attribute, choices in zip(GENERATED, menus, strict=True)
    ]
    if making.is_rolled and len(making.best_categories) > 1:
        picks.append(_primary_pick(making.best_categories))
    return Step(key=LEVELS_STEP, title="Levels", text=text, picks=tuple(picks))


def _prompt(making: Making, attribute: RpjAttribute) -> str:
    star = " ★" if category_of(attribute) is making.primary and making.primary else ""
    return f"{attribute.word}{star}"


def _choice(level: int, note: str = "") -> Choice:
    return Choice(str(level), f"{level} (bonus {signed(attribute_bonus(level))})", note)


def _primary_words(making: Making) -> str:
    best = making.best_categories
    if len(best) > 1:
        return f"{' and '.join(best)} are tied: choose your primary category."
    return f"Primary category: {making.primary}." if making.primary else ""


def _rolled_text(making: Making) -> str:
    given = sorted(making.levels.values(), reverse=True)
    left = list(making.pool)
    for level in given:
        if level in left:
            left.remove(level)
    still = f"Still to assign: {_listed(tuple(left))}." if left else "All levels are assigned."
    return f"Rolled: {_listed(making.pool)}.\n{still} {_primary_words(making)}".strip()


def _rolled_choices(making: Making, attribute: RpjAttribute) -> tuple[Choice, ...]:
    given = [level for one, level in making.levels.items() if one is not attribute]
    notes = {
        level: f"{given.count(level)} of {making.pool.count(level)} assigned elsewhere"
        for level in making.pool
    }
    return tuple(_choice(level, note) for level, note in notes.items())


def _set_text(making: Making) -> str:
    array = making.array
    assert array is not None  # noqa: S101  # the page opens once it is chosen
    return (
        f"Array {array.name}: {_listed(array.primary)} go to {making.primary} (★), "
        f"{_listed(array.others)} to the others."
    )


def _set_choices(making: Making, attribute: RpjAttribute) -> tuple[Choice, ...]:
    array = making.array
    assert array is not None  # noqa: S101  # the page opens once it is chosen
    levels = array.primary if category_of(attribute) is making.primary else array.others
    return tuple(_choice(level) for level in dict.fromkeys(levels))


def _points_left(making: Making) -> int:
    return making.module.attributes.points - points_spent(making.levels, making.module.attributes)


def _most(making: Making, attribute: RpjAttribute) -> int:
    rules = making.module.attributes
    return rules.primary_most if category_of(attribute) is making.primary else rules.other_most


def _bought_text(making: Making) -> str:
    rules = making.module.attributes
    left = _points_left(making)
    brings = (
        f"; leftover points give {character_points(rules.leftover_bonus)}"
        if left > 0 and making.bonus
        else ""
    )
    return (
        f"{left} of {rules.points} attribute points left{brings}.\n"
        f"Maximum: {rules.primary_most} in {making.primary} (★), {rules.other_most} elsewhere."
    )


def _bought_choices(making: Making, attribute: RpjAttribute) -> tuple[Choice, ...]:
    rules = making.module.attributes
    has = _points_left(making) + raise_cost(rules.start, making.levels[attribute])
    offered = range(rules.start, _most(making, attribute) + 1)
    costs = {level: raise_cost(rules.start, level) for level in offered}
    return tuple(
        _choice(level, f"costs {cost}" + (f" · leaves {has - cost}" if cost <= has else " · too expensive"))
        for level, cost in costs.items()
    )


def _too_dear(making: Making, attribute: RpjAttribute) -> dict[str, str]:
    """The levels that can't be bought now, with their cost and what is left.

    Source: RPJ-ATTR-12, RPJ-ATTR-13.
    """
    rules = making.module.attributes
    has = _points_left(making) + raise_cost(rules.start, making.levels[attribute])
    costs = {
        level: raise_cost(rules.start, level)
        for level in range(making.levels[attribute] + 1, _most(making, attribute) + 1)
    }
    return {
        str(level): f"{attribute.word} {level} would cost {counted(cost, 'attribute point')}; "
        f"{left_words(has)} for it."
        for level, cost in costs.items()
        if cost > has
    }
