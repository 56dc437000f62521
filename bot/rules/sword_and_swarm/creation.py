"""Character creation: five attributes to choose, two fixed ones, and what the GM grants."""

import re
from collections.abc import Iterator
from functools import cache

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
    TableRow,
    TextField,
    answer_to,
    beyond_new,
)
from bot.rules.kernel.outcome import name_key, whole_number
from bot.rules.sword_and_swarm.equipment import worth_words
from bot.rules.sword_and_swarm.sheet import Benefit, BenefitKind, Name, SwarmSettings, SwarmSheet
from bot.rules.sword_and_swarm.tests import DATA, HIGHEST, MOST_RANKS, SwarmAttribute, with_confirm

BODY, CLASS = "body", "class"
HIGHEST_LEVEL = 1000
MOST_TRAITS = 20
_RANKS = re.compile(r"(.+?)\s*[:+]?\s*(\d{1,4})")
_NAME = TypeAdapter(Name)


class CharacterRow(TableRow):
    """A ready-made character."""

    name: str
    sheet: SwarmSheet


def creation_steps(_draft: Draft, _settings: SwarmSettings) -> tuple[Step, ...]:
    """The pages of the wizard. [SWARM-ATTR-01, SWARM-ATTR-02, SWARM-CHAR-01]"""
    body = Step(
        key=BODY,
        title="Four attributes",
        text="From 0 to 10; most creatures have 2 to 5. From 6, the Confirm Attribute follows in brackets.",
        picks=tuple(_pick(attribute) for attribute in _chosen() if attribute is not SwarmAttribute.STAR),
    )
    fixed = " and ".join(f"{a} {with_confirm(a.start)}" for a in SwarmAttribute if a.start is not None)
    class_ = Step(
        key=CLASS,
        title="Star and class",
        text=f"Star depends on class and level: ask your GM. Everyone starts with {fixed}.",
        picks=(_pick(SwarmAttribute.STAR),),
        blanks=(
            TextField(key="class_name", prompt="Class", longest=60, is_required=False),
            TextField(key="level", prompt="Level (empty: 1)", longest=4, is_required=False),
            TextField(
                key="ranks", prompt="Ranks, for example: Architecture 2", longest=300, is_required=False
            ),
            TextField(key="traits", prompt="Traits, separated by commas", longest=300, is_required=False),
        ),
    )
    return (body, class_)


def _chosen() -> list[SwarmAttribute]:
    return [attribute for attribute in SwarmAttribute if attribute.start is None]


def _pick(attribute: SwarmAttribute) -> Question:
    choices = tuple(
        Choice(value=str(value), label=with_confirm(value), note=worth_words(attribute, value))
        for value in range(HIGHEST + 1)
    )
    return Question(key=attribute, prompt=f"{attribute}: {attribute.meaning}", choices=choices)


def creation_problems(draft: Draft, settings: SwarmSettings) -> tuple[Problem, ...]:
    """Everything missing or not allowed in a draft, in the order of the steps.

    [SWARM-ATTR-01, SWARM-ATTR-02, SWARM-PROF-02, SWARM-PROF-09]
    """
    missing = tuple(
        Problem(
            CLASS if attribute is SwarmAttribute.STAR else BODY, f"Choose {attribute} from 0 to {HIGHEST}."
        )
        for attribute in _chosen()
        if _value(draft, attribute) is None
    )
    return (*missing, *_level_problems(draft), *_rank_problems(draft, settings), *_trait_problems(draft))


def _value(draft: Draft, attribute: SwarmAttribute) -> int | None:
    return whole_number(answer_to(draft, attribute), 0, HIGHEST)


def _level_problems(draft: Draft) -> Iterator[Problem]:
    level = answer_to(draft, "level")
    if level and whole_number(level, 0, HIGHEST_LEVEL) is None:
        yield Problem(CLASS, f"“{level}” isn't a level. Use a number from 0 to {HIGHEST_LEVEL:,}.")


def _parts(draft: Draft, key: str) -> list[str]:
    return [part.strip() for part in answer_to(draft, key).split(",") if part.strip()]


def _rank_problems(draft: Draft, settings: SwarmSettings) -> Iterator[Problem]:
    seen: set[str] = set()
    for part in _parts(draft, "ranks"):
        found = _RANKS.fullmatch(part)
        if found is None or int(found[2]) > MOST_RANKS:
            yield Problem(CLASS, f"“{part}” isn't a rank. Write it like this: Architecture 2.")
        elif settings.find_proficiency(found[1]) is None:
            known = ", ".join(one.name for one in settings.all_proficiencies)
            yield Problem(CLASS, f"There is no proficiency “{found[1]}”. Choose from: {known}.")
        elif name_key(found[1]) in seen:
            yield Problem(CLASS, f"List {found[1]} only once.")
        else:
            seen.add(name_key(found[1]))


def _trait_problems(draft: Draft) -> Iterator[Problem]:
    traits = _parts(draft, "traits")
    if len(traits) > MOST_TRAITS:
        yield Problem(CLASS, f"You have {len(traits)} traits; the limit is {MOST_TRAITS}.")
    for place, name in enumerate(traits):
        if name_key(name) in {name_key(other) for other in traits[:place]}:
            yield Problem(CLASS, f"List the trait {name} only once.")
        try:
            _NAME.validate_python(name)
        except ValidationError:
            yield Problem(CLASS, f"“{name[:20]}…” can't be a trait's name: it is too long or has a colon.")


def build_sheet(draft: Draft, settings: SwarmSettings) -> SwarmSheet:
    """Build the sheet of a draft without problems. [SWARM-ATTR-01, SWARM-CHAR-01]"""
    ranks = {}
    for part in _parts(draft, "ranks"):
        found = _RANKS.fullmatch(part)
        known = settings.find_proficiency(found[1]) if found else None
        if found and known and int(found[2]):
            ranks[known.name] = int(found[2])
    return SwarmSheet(
        class_name=answer_to(draft, "class_name"),
        level=int(answer_to(draft, "level") or 1),
        base={
            attribute: _value(draft, attribute) if attribute.start is None else attribute.start
            for attribute in SwarmAttribute
        },
        proficiencies=ranks,
        benefits=tuple(Benefit(name=name, kind=BenefitKind.TRAIT) for name in _parts(draft, "traits")),
    )


def plain_sheet() -> SwarmSheet:
    """The sheet of a new NPC, with no attributes set. [SWARM-CHAR-02 (SWARM-R29)]"""
    return SwarmSheet(base={attribute: attribute.start for attribute in SwarmAttribute})


def good_at(sheet: SwarmSheet, _settings: SwarmSettings) -> str:
    """The class of a character."""
    return f"{sheet.class_name}, level {sheet.level}"


CREATION = Creation(
    steps=creation_steps,
    problems=creation_problems,
    build=build_sheet,
    npc=plain_sheet,
    ready_made={row.name: row.sheet for row in DATA.rows("characters", "character", CharacterRow)},
    good_at=good_at,
)


JUDGED = {
    *("class_name", "level", "base", "star", "encumbrance", "proficiencies", "benefits"),
    *("adv_attribute", "adv_proficiency"),
}


def module_problems(sheet: SwarmSheet, settings: SwarmSettings) -> tuple[Problem, ...]:
    """Proficiencies on a sheet that are not on the campaign's list. [SWARM-PROF-02]"""
    known = tuple(one.name for one in settings.all_proficiencies)
    return tuple(
        Problem("proficiencies", f"There is no proficiency “{name}”.", name, known)
        for name in sheet.proficiencies
        if settings.find_proficiency(name) is None
    )


def _measures(sheet: SwarmSheet) -> Iterator[tuple[str, int]]:
    yield "Level", sheet.level
    for attribute in SwarmAttribute:
        value = sheet.base[attribute]
        yield f"{attribute}", (attribute.start or 0) if value is None else value
    yield "Ranks", sum(sheet.proficiencies.values())
    yield "Attribute increases", sum(one.amount for benefit in sheet.benefits for one in benefit.raises)


@cache
def _most() -> dict[str, int]:
    """The highest values of the ready-made characters; attributes that players choose share one limit."""
    most: dict[str, int] = {}
    for sheet in CREATION.ready_made.values():
        for what, value in _measures(sheet):
            most[what] = max(most.get(what, 0), value)
    chosen = max(most[attribute] for attribute in SwarmAttribute if attribute.start is None)
    return most | {attribute: chosen for attribute in SwarmAttribute if attribute.start is None}


def excess(sheet: SwarmSheet, _settings: SwarmSettings) -> Iterator[Excess]:
    """Everything on a sheet above a beginner's limits. [SWARM-ATTR-01, SWARM-CHAR-01]"""
    for what, value in _measures(sheet):
        if value > _most()[what]:
            yield Excess(what, value, _most()[what])
    yield from beyond_new(sheet, JUDGED)


BEGINNER = Beginner(excess=excess)
