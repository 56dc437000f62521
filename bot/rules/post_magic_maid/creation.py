"""Making a character: six dice, three attribute bonuses, two ability bonuses."""

from collections.abc import Iterator
from enum import StrEnum

from pydantic import TypeAdapter, ValidationError

from bot.rules.kernel import (
    Beginner,
    Choice,
    Creation,
    Draft,
    Excess,
    Problem,
    Question,
    Step,
    TextField,
    answer_to,
    beyond_new,
)
from bot.rules.kernel.outcome import same_name
from bot.rules.post_magic_maid.sheet import (
    AbilityKind,
    AbilityName,
    AttributeScore,
    MaidAbility,
    MaidAttribute,
    MaidSettings,
    MaidSheet,
)
from bot.rules.post_magic_maid.tiers import DATA

SMALLEST_DIE = 6
ABILITIES = ("one", "two")
_NAME = TypeAdapter(AbilityName)


class BonusKind(StrEnum):
    """The three kinds of ability bonus. [PMM-CRE-05]"""

    SINGLE = "single"
    DOUBLE = "double"
    PASSIVE = "passive"


KIND_NOTES = {
    BonusKind.SINGLE: "one ability at +5",
    BonusKind.DOUBLE: "two abilities at +2 each",
    BonusKind.PASSIVE: "an effect instead of a bonus",
}


def _die_in(draft: Draft, attribute: MaidAttribute) -> int:
    """The die assigned to an attribute so far; a d6 if none was chosen."""
    chosen = (sides for sides in (20, 12, 8) if attribute.value in draft.get(f"d{sides}", ()))
    return next(chosen, SMALLEST_DIE)


def _attribute_choices(*, draft: Draft | None = None, without_d6: bool = False) -> tuple[Choice, ...]:
    kept = [
        a
        for a in MaidAttribute
        if not (draft is not None and without_d6 and _die_in(draft, a) == SMALLEST_DIE)
    ]
    return tuple(
        Choice(value=a.value, label=a.value, note=f"d{_die_in(draft, a)}" if draft is not None else "")
        for a in kept
    )


def creation_steps(draft: Draft, _settings: MaidSettings) -> tuple[Step, ...]:
    """The pages of the wizard for a draft as it stands. [PMM-CRE-01, PMM-CRE-03 to PMM-CRE-05]"""
    every = _attribute_choices()
    dice = Step(
        key="dice",
        title="Dice",
        text="Which die does each attribute get? The two you leave out get a d6. You can't swap dice later.",
        picks=(
            Question(key="d20", prompt="One attribute with a d20", choices=every),
            Question(key="d12", prompt="One attribute with a d12", choices=every),
            Question(key="d8", prompt="Two attributes with a d8", choices=every, least=2, most=2),
        ),
    )
    bonuses = Step(
        key="bonuses",
        title="First bonuses",
        text="Two different attributes get +1, whatever their dice.",
        picks=(
            Question(
                key="bonuses",
                prompt="Two attributes",
                choices=_attribute_choices(draft=draft),
                least=2,
                most=2,
            ),
        ),
    )
    open_to_third = _attribute_choices(draft=draft, without_d6=True)
    third = Step(
        key="third",
        title="Third bonus",
        text="One more +1 for an attribute that doesn't have a d6. It can be one that already has +1.",
        picks=(Question(key="third", prompt="One attribute", choices=open_to_third),),
    )
    return (dice, bonuses, third, *(_ability_step(draft, which) for which in ABILITIES))


def _ability_step(draft: Draft, which: str) -> Step:
    choices = tuple(Choice(kind.value, kind.value.capitalize(), KIND_NOTES[kind]) for kind in BonusKind)
    blanks: tuple[TextField, ...] = ()
    kind = _kind_in(draft, which)
    match kind:
        case BonusKind.SINGLE:
            blanks = (TextField(key=f"name_{which}", prompt="The ability", longest=60),)
        case BonusKind.DOUBLE:
            blanks = (
                TextField(key=f"name_{which}", prompt="One ability", longest=60),
                TextField(key=f"second_{which}", prompt="Another ability", longest=60),
            )
        case BonusKind.PASSIVE:
            blanks = (
                TextField(key=f"name_{which}", prompt="The passive ability", longest=60),
                TextField(key=f"effect_{which}", prompt="What it does", longest=200, is_required=False),
            )
    return Step(
        key=f"ability_{which}",
        title=f"Ability bonus {which}",
        text="A single gives one ability +5, a double gives two abilities +2, a passive has an effect. "
        "Each ability only once.",
        picks=(Question(key=f"kind_{which}", prompt="Kind of bonus", choices=choices),),
        blanks=blanks,
        writes="Name both abilities" if kind is BonusKind.DOUBLE else "Name the ability",
    )


def _kind_in(draft: Draft, which: str) -> BonusKind | None:
    chosen = answer_to(draft, f"kind_{which}")
    return BonusKind(chosen) if chosen in set(BonusKind) else None


def creation_problems(draft: Draft, _settings: MaidSettings) -> tuple[Problem, ...]:
    """Everything still missing or not allowed, in the order of the steps.

    [PMM-CRE-01, PMM-CRE-03 to PMM-CRE-06]
    """
    return (
        *_dice_problems(draft),
        *_bonus_problems(draft),
        *_third_problems(draft),
        *_ability_problems(draft),
    )


def _known(draft: Draft, key: str) -> list[str]:
    return [name for name in draft.get(key, ()) if name in set(MaidAttribute)]


def _dice_problems(draft: Draft) -> Iterator[Problem]:
    for key, count in (("d20", 1), ("d12", 1), ("d8", 2)):
        if len(_known(draft, key)) != count:
            yield Problem(
                "dice", f"Choose {'one attribute' if count == 1 else 'two attributes'} for the {key}."
            )
    chosen = [name for key in ("d20", "d12", "d8") for name in _known(draft, key)]
    for name in MaidAttribute:
        if chosen.count(name) > 1:
            yield Problem("dice", f"{name} has two dice; choose one.")


def _bonus_problems(draft: Draft) -> Iterator[Problem]:
    if len(set(_known(draft, "bonuses"))) != 2 or len(_known(draft, "bonuses")) != 2:
        yield Problem("bonuses", "Choose two different attributes for the first two bonuses.")


def _third_problems(draft: Draft) -> Iterator[Problem]:
    chosen = _known(draft, "third")
    if len(chosen) != 1:
        yield Problem("third", "Choose one attribute for the third bonus.")
    elif _die_in(draft, MaidAttribute(chosen[0])) == SMALLEST_DIE:
        yield Problem("third", f"Choose another attribute for the third bonus: {chosen[0]} has a d6.")


def _ability_problems(draft: Draft) -> Iterator[Problem]:
    named: list[str] = []
    for which in ABILITIES:
        step = f"ability_{which}"
        kind = _kind_in(draft, which)
        if kind is None:
            yield Problem(step, f"Choose the kind of ability bonus {which}.")
            continue
        wanted = {f"name_{which}": "Name the ability."}
        if kind is BonusKind.DOUBLE:
            wanted = {f"name_{which}": "Name one ability.", f"second_{which}": "Name another ability."}
        for key, missing in wanted.items():
            name = answer_to(draft, key)
            problems = _name_problems(name, named) if name else (missing,)
            yield from (Problem(step, sentence) for sentence in problems)
            named.append(name)
        if len(answer_to(draft, f"effect_{which}")) > 200:
            yield Problem(step, "The effect of a passive ability can have up to 200 characters.")


def _name_problems(name: str, named: list[str]) -> Iterator[str]:
    try:
        _NAME.validate_python(name)
    except ValidationError:
        yield "An ability's name can have up to 60 characters."
    if any(same_name(name, other) for other in named):
        yield f"Name another ability: {name} already has a bonus."


def build_sheet(draft: Draft, _settings: MaidSettings) -> MaidSheet:
    """Build the sheet of a draft without problems. [PMM-CRE-07]"""
    raised = [*_known(draft, "bonuses"), *_known(draft, "third")]
    attributes = {a: AttributeScore(die=_die_in(draft, a), creation=raised.count(a)) for a in MaidAttribute}
    abilities = tuple(ability for which in ABILITIES for ability in _built_abilities(draft, which))
    return MaidSheet(attributes=attributes, abilities=abilities)


def _built_abilities(draft: Draft, which: str) -> Iterator[MaidAbility]:
    kind = _kind_in(draft, which)
    name = answer_to(draft, f"name_{which}")
    if kind is BonusKind.PASSIVE:
        effect = answer_to(draft, f"effect_{which}")
        effects = (effect,) if effect else ()
        yield MaidAbility(name=name, kind=AbilityKind.PASSIVE, passives=1, from_creation=1, effects=effects)
    elif kind is BonusKind.SINGLE:
        yield MaidAbility(name=name, kind=AbilityKind.ACTIVE, singles=1, from_creation=1)
    else:
        for half in (name, answer_to(draft, f"second_{which}")):
            yield MaidAbility(name=half, kind=AbilityKind.ACTIVE, doubles=1, from_creation=1)


def plain_sheet() -> MaidSheet:
    """A sheet for an NPC: the usual dice, no bonus."""
    dice = dict(zip(MaidAttribute, (8, 8, 12, 6, 20, 6), strict=True))
    return MaidSheet(attributes={attribute: AttributeScore(die=die) for attribute, die in dice.items()})


MOST_TOLD = 3  # things that a character is good at


def good_at(sheet: MaidSheet, _settings: MaidSettings) -> str:
    """The abilities of a character."""
    return ", ".join(ability.name for ability in sheet.abilities[:MOST_TOLD])


CREATION = Creation(
    steps=creation_steps,
    problems=creation_problems,
    build=build_sheet,
    npc=plain_sheet,
    ready_made={name: build_sheet(draft, MaidSettings()) for name, draft in DATA.ready_made().items()},
    good_at=good_at,
)


JUDGED = {"attributes", "abilities", "advances", "is_dead"}


def excess(sheet: MaidSheet, _settings: MaidSettings) -> Iterator[Excess]:
    """Everything on a sheet above a beginner's, who has no level-up spent. [PMM-CRE-07, PMM-ADV-08]

    What creation gives is judged with every sheet, and dice grow by level-ups only.
    """
    spent = sum(score.steps for score in sheet.attributes.values())
    spent += sum(ability.from_level_ups for ability in sheet.abilities)
    if most := max(spent, len(sheet.advances)):
        yield Excess("Level-ups spent", most)
    yield from beyond_new(sheet, JUDGED)


BEGINNER = Beginner(excess=excess)
