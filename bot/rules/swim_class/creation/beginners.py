"""The limits of a beginner's sheet, and what an imported sheet keeps; anything above needs GM approval."""

from collections.abc import Iterator
from itertools import combinations

from bot.rules.kernel import Beginner, Excess, Problem, beyond_new, evolve
from bot.rules.swim_class.character.implements import CATALOGUE, SwimItem
from bot.rules.swim_class.character.money import coins, priced, starting_silver
from bot.rules.swim_class.character.settings import SwimSettings
from bot.rules.swim_class.character.sheet import States, SwimSheet
from bot.rules.swim_class.character.skill_growth import with_synergy
from bot.rules.swim_class.character.skills import book_of, parent_of
from bot.rules.swim_class.creation.creation import PICK_BONUS, PICKS, open_skills
from bot.rules.swim_class.resolution.tables import KINDS, TRAITS, SkillKey

JUDGED = {"kind", "ranks", "traits", "items", "soak", "stable", "tallies", "broken", "is_dead"}
MOST_RAISED = 20
AS_CARRIED = {"quantity", "is_equipped", "is_anchored", "is_limited"}


def sheet_problems(sheet: SwimSheet) -> tuple[Problem, ...]:
    """Problems of a sheet that its model does not catch: unknown kinds and traits.

    Source: SWIM-RACE-01, SWIM-RACE-02.
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

    Source: SWIM-CHAR-01, SWIM-CHAR-02, SWIM-RACE-01, SWIM-RACE-02.
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
