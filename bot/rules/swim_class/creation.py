"""Character creation: an optional kind, two skills, and gear for 100 GP."""

from collections.abc import Iterator, Mapping
from itertools import combinations

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
    evolve,
)
from bot.rules.swim_class.growth import coins, priced, starting_silver, with_synergy
from bot.rules.swim_class.sheet import (
    CATALOGUE,
    HeldTrait,
    States,
    SwimItem,
    SwimSettings,
    SwimSheet,
    book_of,
    item_of,
    parent_of,
)
from bot.rules.swim_class.tables import DATA, KINDS, TRAITS, SkillKey, SwimGroup, SwimKind

PICKS = 2
PICK_BONUS = 2
NO_KIND = "none"
QUIVER = 20
MOST_CHOICES = 25


def _kind(draft: Draft) -> SwimKind | None:
    return KINDS.get(answer_to(draft, "kind"))


def open_skills(kind: SwimKind | None, settings: SwimSettings) -> Mapping[SkillKey, str]:
    """The skills that a character of a kind can pick, with their names.

    [SWIM-CHAR-01, SWIM-CHAR-05, SWIM-RACE-02]
    """
    racial = () if kind is None or settings.racial_free_rank else kind.skills
    return {
        key: skill.name
        for key, skill in book_of(settings).skills.items()
        if (skill.group is not SwimGroup.RACIAL or key in racial) and not skill.requires
    }


def creation_steps(draft: Draft, settings: SwimSettings) -> tuple[Step, ...]:
    """The pages of the wizard for a draft. [SWIM-CHAR-01, SWIM-CHAR-08, SWIM-RACE-01]"""
    kinds = tuple(Choice(kind.key, kind.name, _kind_note(kind, settings)) for kind in KINDS.values())
    skills = open_skills(_kind(draft), settings)
    defaults = book_of(settings).default
    plain = {key: name for key, name in skills.items() if defaults(key) > 0}
    special = {key: name for key, name in skills.items() if defaults(key) == 0}
    return (
        Step(
            key="kind",
            title="Kind",
            text="What kind of being are you? Choose “None in particular” if your table doesn't use kinds.",
            picks=(
                Question(
                    key="kind",
                    prompt="Kind",
                    choices=(Choice(NO_KIND, "None in particular"), *kinds)[:MOST_CHOICES],
                ),
            ),
            blanks=_degree(_kind(draft)),
            writes="Set the degree",
        ),
        Step(
            key="skills",
            title="Two skills",
            text="Choose two different skills. They start two ranks above their default.",
            picks=tuple(
                Question(key=key, prompt=prompt, choices=_choices(found, settings), least=0, most=PICKS)
                for key, prompt, found in (
                    ("skills", "Skills everyone has", plain),
                    ("special", "Magic and other skills that start at 0", special),
                )
            ),
            blanks=(
                TextField(
                    key="tag", prompt="Or a specialization, for example craft: wood", is_required=False
                ),
            ),
        ),
        _gear_step(settings),
    )


def _degree(kind: SwimKind | None) -> tuple[TextField, ...]:
    """The degree of a kind's traits, if it has any."""
    if kind is None or not kind.traits:
        return ()
    prompt = f"Degree of its traits, 1 to 10 ({kind.degree} if empty)"
    return (TextField(key="degree", prompt=prompt, longest=2, is_required=False),)


def _gear_step(settings: SwimSettings) -> Step:
    sold = [one for one in CATALOGUE.values() if settings.artifacts_for_sale or not one.is_quest_only]
    choices = tuple(
        Choice(
            one.name,
            f"{one.name} × {QUIVER}" if one.is_ammunition else one.name,
            coins(_cost(one.name, settings), settings),
        )
        for one in sold[:MOST_CHOICES]
    )
    return Step(
        key="gear",
        title="Gear",
        text="Spend up to 100 gold pieces: one of each implement, ammunition by the quiver of 20. "
        "You keep the rest for the shop.",
        picks=(Question(key="gear", prompt="Gear", choices=choices, least=0, most=len(choices)),),
    )


def _quantity(name: str) -> int:
    """How many of an item are bought at once."""
    return QUIVER if CATALOGUE[name].is_ammunition else 1


def _cost(name: str, settings: SwimSettings) -> int:
    """Their price in silver."""
    return priced(CATALOGUE[name], settings) * _quantity(name)


def _kind_note(kind: SwimKind, settings: SwimSettings) -> str:
    names = [book_of(settings).title(skill) for skill in kind.skills]
    return ", ".join([*names, *(f"{trait} {kind.degree}" for trait in kind.traits)])[:100]


def _choices(skills: Mapping[SkillKey, str], settings: SwimSettings) -> tuple[Choice, ...]:
    starts = book_of(settings).default
    return tuple(Choice(key, name, f"starts at {starts(key) + PICK_BONUS}") for key, name in skills.items())[
        :MOST_CHOICES
    ]


def picked(draft: Draft, settings: SwimSettings) -> tuple[SkillKey, ...]:
    """The skills picked in a draft, a written specialization included; unknown ones stay as typed."""
    names = [*draft.get("skills", ()), *draft.get("special", ())]
    tag = answer_to(draft, "tag")
    names += [tag] if tag else []
    book = book_of(settings)
    known = {key: key for key in book.skills}
    found = []
    for name in names:
        head, colon, rest = name.partition(":")
        key = "_".join(head.casefold().split())
        tail = "_".join(rest.casefold().split())
        found.append(f"{known.get(key, key)}:{tail}" if colon else known.get(key, key))
    return tuple(found)


def creation_problems(draft: Draft, settings: SwimSettings) -> tuple[Problem, ...]:
    """Everything missing or not allowed in a draft, in the order of the steps.

    [SWIM-CHAR-01 (SWIM-R01), SWIM-CHAR-02, SWIM-RACE-01, SWIM-RACE-02]
    """
    return (
        *_kind_problems(draft),
        *_skill_problems(draft, settings),
        *_gear_problems(draft, settings),
    )


def _kind_problems(draft: Draft) -> Iterator[Problem]:
    if answer_to(draft, "kind") not in {NO_KIND, "", *KINDS}:
        yield Problem("kind", "Choose a kind from the list.")
    degree = answer_to(draft, "degree") if _degree(_kind(draft)) else ""
    if degree and not (degree.isdecimal() and 1 <= int(degree) <= 10):
        yield Problem("kind", "The degree must be a number from 1 to 10.")


def _skill_problems(draft: Draft, settings: SwimSettings) -> Iterator[Problem]:
    chosen = picked(draft, settings)
    if len(chosen) != PICKS:
        number = {0: "none", 1: "one"}.get(len(chosen), str(len(chosen)))
        yield Problem("skills", f"Choose two skills; you have chosen {number}.")
    if len(set(chosen)) < len(chosen):
        yield Problem("skills", "Choose two different skills.")
    allowed = open_skills(_kind(draft), settings)
    for key in chosen:
        if key.partition(":")[0] not in allowed:
            yield Problem("skills", f"Choose another skill than {key}.")


def _gear_problems(draft: Draft, settings: SwimSettings) -> Iterator[Problem]:
    unknown = [name for name in draft.get("gear", ()) if name not in CATALOGUE]
    for name in unknown:
        yield Problem("gear", f"Choose something else: {name} isn't in the shop.")
    cost = sum(_cost(name, settings) for name in draft.get("gear", ()) if name in CATALOGUE)
    has = starting_silver(settings)
    if cost > has:
        what = f"Choose less gear: it costs {coins(cost, settings)}; you have {coins(has, settings)}."
        yield Problem("gear", what)


def build_sheet(draft: Draft, settings: SwimSettings) -> SwimSheet:
    """Build the sheet of a draft without problems.

    [SWIM-CHAR-01 (SWIM-R02), SWIM-CHAR-08, SWIM-RACE-01, SWIM-RACE-02 (SWIM-R86)]
    """
    book, kind = book_of(settings), _kind(draft)
    chosen = picked(draft, settings)
    ranks = {key: book.default(key) + PICK_BONUS for key in chosen}
    if kind is not None and settings.racial_free_rank:
        ranks |= dict.fromkeys(kind.skills, 1)
    degree = answer_to(draft, "degree")
    traits = (
        ()
        if kind is None
        else tuple(HeldTrait(key=key, degree=int(degree) if degree else kind.degree) for key in kind.traits)
    )
    items = tuple(bought(name) for name in draft.get("gear", ()))
    return SwimSheet(
        kind="" if kind is None else kind.key,
        ranks=with_synergy(book, ranks, list(ranks)).ranks,
        traits=traits,
        items=items,
    )


def bought(name: str) -> SwimItem:
    """An item of the price list; ammunition by the quiver."""
    return item_of(CATALOGUE[name], _quantity(name))


def plain_sheet() -> SwimSheet:
    """The sheet of a new NPC: every skill at its default."""
    return SwimSheet()


MOST_TOLD = 3  # things that a character is good at


def good_at(sheet: SwimSheet, settings: SwimSettings) -> str:
    """The kind and the best skills of a character."""
    book = book_of(settings)
    best = sorted(sheet.ranks, key=lambda key: -sheet.ranks[key])[:MOST_TOLD]
    return ", ".join(filter(None, [sheet.kind, *map(book.title, best)]))


CREATION = Creation(
    steps=creation_steps,
    problems=creation_problems,
    build=build_sheet,
    npc=plain_sheet,
    ready_made={name: build_sheet(draft, SwimSettings()) for name, draft in DATA.ready_made().items()},
    good_at=good_at,
)


JUDGED = {"kind", "ranks", "traits", "items", "soak", "stable", "tallies", "broken", "is_dead"}
MOST_RAISED = 20
AS_CARRIED = {"quantity", "is_equipped", "is_anchored", "is_limited"}


def sheet_problems(sheet: SwimSheet) -> tuple[Problem, ...]:
    """Problems of a sheet that its model does not catch: unknown kinds and traits.

    [SWIM-RACE-01, SWIM-RACE-02]
    """
    problems = [
        Problem("traits", f"There is no trait “{held.key}”.", held.key, tuple(TRAITS))
        for held in sheet.traits
        if held.key not in TRAITS
    ]
    keys = [held.key for held in sheet.traits]
    if len(keys) > len(set(keys)):
        problems.append(Problem("traits", "A trait is listed twice."))
    if sheet.kind and sheet.kind not in KINDS:
        problems.append(Problem("kind", f"There is no kind “{sheet.kind}”.", sheet.kind, tuple(KINDS)))
    return tuple(problems)


def excess(sheet: SwimSheet, settings: SwimSettings) -> Iterator[Excess]:
    """Everything on a sheet above a beginner's two raised skills and 100 GP of gear.

    [SWIM-CHAR-01, SWIM-CHAR-02, SWIM-RACE-01, SWIM-RACE-02]
    """
    yield from _ranks(sheet, settings)
    yield from _traits(sheet)
    yield from _gear(sheet, settings)
    yield from beyond_new(sheet, JUDGED)


def _ranks(sheet: SwimSheet, settings: SwimSettings) -> Iterator[Excess]:
    book = book_of(settings)
    over = {key: rank - book.default(key) for key, rank in sheet.ranks.items() if book.knows(key)}
    raised = {key: steps for key, steps in over.items() if steps > 0}
    allowed = open_skills(KINDS.get(sheet.kind), settings)
    open_ = [key for key in raised if parent_of(key) in allowed][:MOST_RAISED]
    pairs = (pair for count in (PICKS, 1, 0) for pair in combinations(open_, count))
    if not any(_come_of(pair, sheet, settings) for pair in pairs):
        yield Excess("Ranks above the default", sum(raised.values()), PICKS * PICK_BONUS)


def _come_of(pair: tuple[SkillKey, ...], sheet: SwimSheet, settings: SwimSettings) -> bool:
    """Whether all ranks come of picking these skills."""
    book, kind = book_of(settings), KINDS.get(sheet.kind)
    ranks = {key: book.default(key) + PICK_BONUS for key in pair}
    if kind is not None and settings.racial_free_rank:
        ranks |= dict.fromkeys(kind.skills, 1)
    built = with_synergy(book, ranks, list(ranks)).ranks
    return all(rank <= book.rank(built, key) for key, rank in sheet.ranks.items() if book.knows(key))


def _traits(sheet: SwimSheet) -> Iterator[Excess]:
    kind = KINDS.get(sheet.kind)
    for held in sheet.traits:
        if held.penalty is not None or kind is None or held.key not in kind.traits:
            yield Excess(f"Trait {TRAITS[held.key].name}", held.degree)


def _gear(sheet: SwimSheet, settings: SwimSettings) -> Iterator[Excess]:
    for item in sheet.items:
        if not _is_sold(item, settings):
            yield Excess(item.name, "not in the shop", "gear from the shop")
    cost = sum(priced(item, settings) * item.quantity for item in sheet.items)
    if cost > starting_silver(settings):
        yield Excess("Gear for", coins(cost, settings), coins(starting_silver(settings), settings))


def _is_sold(item: SwimItem, settings: SwimSettings) -> bool:
    listed = CATALOGUE.get(item.name)
    if listed is None or (listed.is_quest_only and not settings.artifacts_for_sale):
        return False
    return item.model_dump(exclude=AS_CARRIED) == listed.model_dump()


def brought(sheet: SwimSheet) -> SwimSheet:
    """Return an imported sheet without references to another campaign's characters."""
    return evolve(sheet, states=States(), raised_by=None)


BEGINNER = Beginner(excess=excess, brought=brought)
