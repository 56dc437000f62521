"""A new character: generated attributes, class, traits, skills, all problems; a draft read as one."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import Die, Document, Draft, Family, Odds, Problem, Roll, RollRule, Verdict
from bot.rules.kernel import dice as exact
from bot.rules.kernel.dice import Chance, Dice
from bot.rules.rpj.character.sheet import OwnSkill, OwnTrait, RpjSheet, TraitSource
from bot.rules.rpj.character_points import (
    class_skill_problems,
    skill_price,
    skill_problems,
    slow_build_problems,
)
from bot.rules.rpj.module.basics import GENERATED, Category, RpjAttribute, category_of, raise_cost, tier_of
from bot.rules.rpj.module.module import (
    AttributeRules,
    CharacterClass,
    ClassSkill,
    GenerationMethod,
    Module,
    RpjSkill,
    StandardArray,
    TraitKind,
)
from bot.rules.rpj.resolution.check_inputs import RpjPurpose

Levels = Mapping[RpjAttribute, int]
PAIRS = 7
SINGLE_DICE = 10
DISCARDED = 2
PIPS = "⚀⚁⚂⚃⚄⚅"


class RpjPoolInputs(Document):
    """How six attribute levels are rolled."""

    is_10d6: bool = False  # ten dice, dropping the two highest and the two lowest; else seven halved pairs


def halved(pair: tuple[int, int]) -> int:
    """Half of two dice, rounded down: 1 to 6. [RPJ-ATTR-09, RPJ-ATTR-16 (R-016)]"""
    return sum(pair) // 2


def roll_pool(inputs: RpjPoolInputs, dice: Dice) -> Roll:
    """Roll the six levels that are then assigned to the attributes other than Luck.

    [RPJ-ATTR-09, RPJ-ATTR-10]
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
    """Roll the Luck level. [RPJ-ATTR-16 (R-016, R-017)]"""
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
    """The exact chance of each level that half of two dice can be. [RPJ-ATTR-09, RPJ-ATTR-16]"""
    levels = exact.total((exact.die(6), exact.die(6))).map(lambda sum_: sum_ // 2)
    return Odds(tuple((str(level), Chance(levels.ways[level], levels.of)) for level in range(1, 7)))


LUCK_LEVEL = RollRule(key="luck_level", inputs=RpjLuckInputs, resolve=roll_luck, odds=level_odds)


def highest_categories(levels: Levels) -> tuple[Category, ...]:
    """The categories with the highest sum of levels: the primary one, or those to choose from.

    [RPJ-ATTR-11 (R-011)]
    """
    sums = {category: sum(levels[attribute] for attribute in category.members) for category in Category}
    return tuple(category for category in Category if sums[category] == max(sums.values()))


def points_spent(levels: Levels, rules: AttributeRules) -> int:
    """The attribute points that levels cost. [RPJ-ATTR-12, RPJ-ATTR-13]"""
    return sum(raise_cost(rules.start, levels[attribute]) for attribute in GENERATED)


def leftover_bonus(levels: Levels, rules: AttributeRules) -> int:
    """The character points for leftover attribute points, however many. [RPJ-ATTR-14]"""
    return rules.leftover_bonus if points_spent(levels, rules) < rules.points else 0


def range_problems(levels: Levels, rules: AttributeRules) -> Iterator[str]:
    """Problems with levels, however they were generated. [RPJ-ATTR-01]"""
    for attribute, level in levels.items():
        if not rules.lowest <= level <= rules.highest:
            yield f"{attribute.word} must be from {rules.lowest} to {rules.highest}, not {level}."


def pool_problems(levels: Levels, pool: tuple[int, ...], primary: Category | None) -> Iterator[str]:
    """Problems with rolled levels as they are assigned to the attributes. [RPJ-ATTR-09, RPJ-ATTR-11]"""
    rolled = sorted(pool, reverse=True)
    given = sorted((levels[attribute] for attribute in GENERATED), reverse=True)
    if not pool:
        yield "Roll the levels first."
    elif given != rolled:
        yield f"Assign the levels you rolled: {_listed(rolled)}, not {_listed(given)}."
    best = highest_categories(levels)
    if primary not in best:
        yield f"Choose {' or '.join(best)} as primary category: the highest sum."


def bought_problems(levels: Levels, primary: Category | None, rules: AttributeRules) -> Iterator[str]:
    """Problems with bought levels. [RPJ-ATTR-12]"""
    if primary is None:
        yield "Choose a primary category: Brawny, Shifty or Brainy."
    for attribute in GENERATED:
        most = rules.primary_most if category_of(attribute) is primary else rules.other_most
        if not rules.start <= levels[attribute] <= most:
            yield f"You can buy {attribute.word} from {rules.start} to {most}, not {levels[attribute]}."
    spent = points_spent(levels, rules)
    if spent > rules.points:
        yield f"Lower some levels: they cost {spent} attribute points; you have {rules.points}."


def array_problems(levels: Levels, primary: Category | None, array: StandardArray) -> Iterator[str]:
    """Problems with the levels of an array. [RPJ-ATTR-11, RPJ-ATTR-15]"""
    if primary is None:
        yield "Choose a primary category: Brawny, Shifty or Brainy."
        return
    starred = sorted((levels[attribute] for attribute in primary.members), reverse=True)
    if starred != sorted(array.primary, reverse=True):
        yield f"With array {array.name}, give {primary} {_listed(array.primary)}, not {_listed(starred)}."
    others = sorted((levels[a] for a in GENERATED if a not in primary.members), reverse=True)
    if others != sorted(array.others, reverse=True):
        yield f"With array {array.name}, give the others {_listed(array.others)}, not {_listed(others)}."


def _listed(levels: tuple[int, ...] | list[int]) -> str:
    return ", ".join(str(level) for level in levels)


class NewCharacter(Document):
    """A character in the making."""

    method: GenerationMethod = GenerationMethod.ROLL
    pool: tuple[int, ...] = ()  # the levels rolled, for the two methods that roll
    array: str = ""  # the name of the array, for that method
    # The levels assigned to the attributes other than Luck.
    levels: dict[RpjAttribute, int] = Field(default_factory=dict)
    primary: Category | None = None
    luck: int | None = None  # the Luck level, once it is rolled
    class_id: str = ""
    class_skills: tuple[ClassSkill, ...] = ()  # the picks from its list
    traits: tuple[str, ...] = ()  # gifts, faults and quirks that are taken
    skills: tuple[OwnSkill, ...] = ()  # skills and the levels they are bought to


def creation_problems(new: NewCharacter, module: Module, start: int) -> tuple[Problem, ...]:
    """Everything missing or not allowed, in the order of the steps. [RPJ-CHAR-12]

    Args:
        new: The character so far.
        start: The starting character points.
    """
    problems = [
        *(Problem("attributes", sentence) for sentence in _attribute_problems(new, module)),
        *(Problem("class", sentence) for sentence in _class_problems(new, module)),
        *(Problem("traits", sentence) for sentence in _trait_problems(new, module)),
        *(Problem("class skills", sentence) for sentence in _pick_problems(new, module)),
        *(Problem("skills", sentence) for sentence in _skill_problems(new, module, start)),
    ]
    if (left := points_left(new, module, start)) < 0:
        have = start + _refunded(new, module)
        problems.append(
            Problem(
                "skills", f"Spend less: everything costs {have - left} character points; you have {have}."
            )
        )
    return tuple(problems)


def _attribute_problems(new: NewCharacter, module: Module) -> Iterator[str]:
    rules = module.attributes
    if new.luck is None:
        yield "Roll Luck first."
    if new.method not in rules.methods:
        yield f"This campaign allows these methods for attributes: {', '.join(rules.methods)}."
    if missing := [attribute for attribute in GENERATED if attribute not in new.levels]:
        yield f"Choose a level for {', '.join(attribute.word for attribute in missing)}."
        return
    yield from range_problems(new.levels, rules)
    if new.method is GenerationMethod.BUY:
        yield from bought_problems(new.levels, new.primary, rules)
    elif new.method is GenerationMethod.ARRAY:
        array = next((array for array in rules.arrays if array.name == new.array), None)
        if array is None:
            yield f"Choose an array: {', '.join(array.name for array in rules.arrays)}."
        else:
            yield from array_problems(new.levels, new.primary, array)
    else:
        yield from pool_problems(new.levels, new.pool, new.primary)


def _class_problems(new: NewCharacter, module: Module) -> Iterator[str]:
    if module.classes and module.character_class(new.class_id) is None:
        yield f"Choose a class: {', '.join(class_.name for class_ in module.classes)}."


def _pick_problems(new: NewCharacter, module: Module) -> Iterator[str]:
    class_ = module.character_class(new.class_id)
    if class_ is not None:
        yield from class_skill_problems(class_, new.class_skills, module)


def _trait_problems(new: NewCharacter, module: Module) -> Iterator[str]:
    refunds = 0
    for id_ in dict.fromkeys(new.traits):
        trait = module.trait(id_)
        if trait is None or trait.comes_with_class:
            yield f"This campaign has no trait “{id_}” to take."
            continue
        if new.traits.count(id_) > 1:
            yield f"You can take {trait.name} only once."
        if barred := [other for other in trait.excludes if other in new.traits]:
            yield f"You can't take both {trait.name} and {barred[0]}: remove one."
        if trait.kind is TraitKind.FAULT:
            refunds -= trait.cost
    most = module.characters.most_refund
    if most is not None and refunds > most:
        yield f"Remove a fault: they can give {most} points at most, not {refunds}."


def _skill_problems(new: NewCharacter, module: Module, start: int) -> Iterator[str]:
    cap = min(tier_of(_power(new, module, start)), module.characters.highest_skill)
    seen: set[str] = set()
    for own in new.skills:
        if own.skill in seen:
            yield f"You can take {own.skill} only once, with one specialty."
        seen.add(own.skill)
        yield from skill_problems(own, module, cap)
    yield from slow_build_problems(new.skills, module, _power(new, module, start))


def _refunded(new: NewCharacter, module: Module) -> int:
    """Character points from the attributes: for leftover points, or with an array."""
    if new.method is GenerationMethod.BUY and len(new.levels) == len(GENERATED):
        return leftover_bonus(new.levels, module.attributes)
    if new.method is GenerationMethod.ARRAY:
        arrays = module.attributes.arrays
        return next((array.bonus for array in arrays if array.name == new.array), 0)
    return 0


def _power(new: NewCharacter, module: Module, start: int) -> int:
    counts = module.attributes.leftover_counts_as_power and not list(_attribute_problems(new, module))
    return start + (_refunded(new, module) if counts else 0)


def points_left(new: NewCharacter, module: Module, start: int) -> int:
    """The character points left; negative if too many are spent.

    Args:
        new: A character so far.
        start: The starting character points.

    [RPJ-CHAR-03, RPJ-CHAR-07, RPJ-CHAR-13, RPJ-CHAR-14, RPJ-ATTR-14]
    """
    class_ = module.character_class(new.class_id)
    traits = (module.trait(id_) for id_ in new.traits)
    spent = class_.cost if class_ else 0
    spent += sum(trait.cost for trait in traits if trait is not None)
    spent += sum(skill_price(own, 0, module, new.class_id) for own in new.skills)
    return start + _refunded(new, module) - spent


def build_sheet(new: NewCharacter, module: Module, start: int) -> RpjSheet:
    """The sheet of a character without problems. [RPJ-CHAR-02, RPJ-CHAR-11, RPJ-CHAR-12, RPJ-CHAR-17]"""
    class_ = module.character_class(new.class_id)
    quirks = class_.quirks if class_ else ()
    return RpjSheet(
        attributes={**new.levels, RpjAttribute.LUCK: new.luck or 0},
        primary=new.primary,
        total_points=_power(new, module, start),
        available_points=points_left(new, module, start),
        class_id=new.class_id,
        class_skills=new.class_skills,
        skills=new.skills,
        traits=(
            *(OwnTrait(trait=quirk, source=TraitSource.CLASS) for quirk in quirks),
            *(OwnTrait(trait=trait) for trait in new.traits),
        ),
        belongings=class_.gear if class_ else (),
    )


METHOD, ARRAY, PRIMARY, POOLED, LUCK = "method", "array", "primary", "pool", "luck"
CLASS, CLASS_SKILLS, TRAITS, BUYING = "class", "class_skills", "traits", "buying"
ROLLED = (GenerationMethod.ROLL, GenerationMethod.ROLL_10D6)
LONGEST_VALUE = 100


def level_key(skill: RpjSkill) -> str:
    """The key of a skill's bought level in a draft."""
    return f"level.{skill.id}"


def specialty_key(skill: RpjSkill) -> str:
    """The key of a skill's specialty in a draft."""
    return f"specialty.{skill.id}"


def linked_key(skill: RpjSkill) -> str:
    """The key of a skill's chosen attribute in a draft."""
    return f"linked.{skill.id}"


def pick_value(pick: ClassSkill) -> str:
    """A class skill as an answer."""
    return f"{pick.skill}/{pick.specialty}"[:LONGEST_VALUE]


class Making(Struct, frozen=True, dict=True):
    """A character in the making."""

    draft: Draft  # the answers
    module: Module

    def one(self, key: str) -> str:
        """The answer to a question with one answer, or empty."""
        return next(iter(self.draft.get(key, ())), "")

    @property
    def start(self) -> int:
        """The starting character points. [RPJ-CHAR-04]"""
        return self.module.characters.start

    @cached_property
    def method(self) -> GenerationMethod | None:
        """The generation method, once chosen."""
        chosen = self.one(METHOD)
        return GenerationMethod(chosen) if chosen in tuple(GenerationMethod) else None

    @property
    def is_rolled(self) -> bool:
        """Whether its attributes are rolled."""
        return self.method in ROLLED

    @cached_property
    def pool(self) -> tuple[int, ...]:
        """The levels that were rolled."""
        return tuple(int(level) for level in self.draft.get(POOLED, ()))

    @cached_property
    def array(self) -> StandardArray | None:
        """The chosen array."""
        arrays = self.module.attributes.arrays
        return next((array for array in arrays if array.name == self.one(ARRAY)), None)

    @cached_property
    def levels(self) -> dict[RpjAttribute, int]:
        """The levels assigned to the attributes other than Luck. [RPJ-ATTR-12]"""
        given = {attribute: self.one(attribute.value) for attribute in GENERATED}
        bought = self.method is GenerationMethod.BUY
        start = {attribute: self.module.attributes.start for attribute in GENERATED if bought}
        return {**start, **{attribute: int(level) for attribute, level in given.items() if level}}

    @cached_property
    def best_categories(self) -> tuple[Category, ...]:
        """The categories with the highest sum, once every level is assigned. [RPJ-ATTR-11 (R-011)]"""
        return highest_categories(self.levels) if len(self.levels) == len(GENERATED) else ()

    @cached_property
    def primary(self) -> Category | None:
        """The primary category: the best one for rolled levels; chosen on a tie or with other methods.

        [RPJ-ATTR-11 (R-011), RPJ-ATTR-12, RPJ-ATTR-15]
        """
        chosen = self.one(PRIMARY)
        said = Category(chosen) if chosen in tuple(Category) else None
        if not self.is_rolled:
            return said
        best = self.best_categories
        return best[0] if len(best) == 1 else said if said in best else None

    @cached_property
    def is_ready_for_levels(self) -> bool:
        """Whether the levels to assign are known."""
        if self.is_rolled:
            return bool(self.pool)
        is_chosen = self.method is GenerationMethod.BUY or self.array is not None
        return self.method is not None and is_chosen and self.primary is not None

    @cached_property
    def character_class(self) -> CharacterClass | None:
        """The class that was chosen."""
        return self.module.character_class(self.one(CLASS))

    @cached_property
    def class_skills(self) -> tuple[ClassSkill, ...]:
        """The class skills that were picked."""
        offered = self.character_class.skills if self.character_class else ()
        return tuple(pick for pick in offered if pick_value(pick) in self.draft.get(CLASS_SKILLS, ()))

    def linked(self, skill: RpjSkill) -> RpjAttribute:
        """The attribute a skill is linked to: the one chosen, else the best of those it allows.

        [RPJ-SKILL-01]
        """
        chosen = self.one(linked_key(skill))
        if chosen in skill.linked:
            return RpjAttribute(chosen)
        known: Mapping[RpjAttribute, int] = {**self.levels, RpjAttribute.LUCK: int(self.one(LUCK) or 0)}
        return max(skill.linked, key=lambda attribute: known.get(attribute, 0))

    def own(self, skill: RpjSkill, level: int | None = None) -> OwnSkill:
        """A skill as on the sheet, at the level bought or at another one."""
        return OwnSkill(
            skill=skill.id,
            base=int(self.one(level_key(skill)) or 0) if level is None else level,
            specialty=self.one(specialty_key(skill)) if skill.has_specialty else "",
            linked=self.linked(skill),
        )

    def price(self, skill: RpjSkill, level: int | None = None) -> int:
        """What a skill costs at the level bought, or at another one. [RPJ-SKILL-02, RPJ-CHAR-14]"""
        return skill_price(self.own(skill, level), 0, self.module, self.one(CLASS))

    @cached_property
    def skills(self) -> tuple[OwnSkill, ...]:
        """The skills that are bought."""
        bought = (skill for skill in self.module.skills if self.one(level_key(skill)))
        return tuple(own for own in map(self.own, bought) if own.base)

    @cached_property
    def skills_price(self) -> int:
        """What all of them cost together. [RPJ-CHAR-14]"""
        return sum(skill_price(own, 0, self.module, self.one(CLASS)) for own in self.skills)

    @cached_property
    def new(self) -> NewCharacter:
        """The character so far."""
        return NewCharacter(
            method=self.method or GenerationMethod.ROLL,
            pool=self.pool,
            array=self.array.name if self.array else "",
            levels=self.levels,
            primary=self.primary,
            luck=int(self.one(LUCK)) if self.one(LUCK) else None,
            class_id=self.one(CLASS) if self.character_class else "",
            class_skills=self.class_skills,
            traits=self.draft.get(TRAITS, ()),
            skills=self.skills,
        )

    @cached_property
    def left(self) -> int:
        """The character points that are left; below zero where too many are spent. [RPJ-CHAR-03]"""
        return points_left(self.new, self.module, self.start) - self._bonus_to_come

    @cached_property
    def bonus(self) -> int:
        """The character points that the attributes bring. [RPJ-ATTR-14, RPJ-ATTR-15]"""
        if self.method is GenerationMethod.ARRAY:
            return self.array.bonus if self.array else 0
        return self._leftover - self._bonus_to_come

    @property
    def _leftover(self) -> int:
        """The character points for leftover attribute points."""
        is_bought = self.method is GenerationMethod.BUY
        return leftover_bonus(self.levels, self.module.attributes) if is_bought else 0

    @property
    def _bonus_to_come(self) -> int:
        """The leftover bonus before any level is bought, which is not counted yet."""
        has_bought = any(self.one(attribute.value) for attribute in GENERATED)
        return 0 if has_bought else self._leftover

    @property
    def skill_cap(self) -> int:
        """The highest level that a skill can be bought to. [RPJ-CHAR-06, RPJ-ATTR-14 (R-015)]"""
        counts = self.module.attributes.leftover_counts_as_power
        power = self.start + (self.bonus if counts else 0)
        return min(tier_of(power), self.module.characters.highest_skill)
