"""What a character gains and spends: skills that grow, wounds of each Defense skill, and the purse."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import (
    CharacterHealth,
    CharacterId,
    Document,
    ResourceRule,
    evolve,
    looks_for,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, shown_number
from bot.rules.kernel.tracker import DOWN
from bot.rules.swim_class.sheet import (
    LONGEST_TAG,
    Character,
    Epic,
    Implement,
    Outcome,
    Scene,
    Skillbook,
    SwimSettings,
    SwimSheet,
    book,
    book_of,
    folded,
)
from bot.rules.swim_class.tables import Pool, SkillKey, SwimGroup

LOWEST_FACE = 4


class SwimStep(Struct, frozen=True):
    """A rank raised by synergy."""

    skill: SkillKey
    before: int
    after: int
    cause: SkillKey


class Raised(Struct, frozen=True):
    """Ranks after applying synergies, and each step in order."""

    ranks: Mapping[SkillKey, int]
    steps: tuple[SwimStep, ...]


class Scored(Struct, frozen=True, kw_only=True):
    """One of the skill's own dice: its face, and whether it scored."""

    face: int
    has_scored: bool


def advances(dice: Iterable[Scored], *, is_whole: bool, could_fail: bool) -> bool:
    """Whether a roll advances its skill: every die scored and shows 4 or more.

    Args:
        dice: The skill's own dice, or an artifact's if the skill has no rank.
        is_whole: Whether these are all the dice of the skill's rank.
        could_fail: Whether the roll could have failed.

    [SWIM-ADV-01 to SWIM-ADV-05 (SWIM-R21, SWIM-R22), SWIM-IMPL-05, SWIM-IMPL-06]
    """
    own = tuple(dice)
    return (
        bool(own)
        and is_whole
        and could_fail
        and all(die.has_scored and die.face >= LOWEST_FACE for die in own)
    )


def with_synergy(
    skills: Skillbook, ranks: Mapping[SkillKey, int], improved: Iterable[SkillKey], *, cap: int | None = None
) -> Raised:
    """Raise every skill that is too far below an improved one, and so on along the chain.

    [SWIM-SYN-01 to SWIM-SYN-03 (SWIM-R29, SWIM-R30), SWIM-RACE-02, SWIM-CHAR-06]
    """
    now = dict(ranks)
    steps: list[SwimStep] = []
    waiting = list(improved)
    while waiting:
        cause = waiting.pop(0)
        for partner, degree in skills.partners(cause, now):
            before = skills.rank(now, partner)
            after = skills.rank(now, cause) - degree
            after = after if cap is None else min(after, cap)
            if after <= before or not _may_follow(skills, now, partner, before):
                continue
            now[partner] = after
            steps.append(SwimStep(partner, before, after, cause))
            waiting.append(partner)
    return Raised(now, tuple(steps))


def _may_follow(skills: Skillbook, ranks: Mapping[SkillKey, int], skill: SkillKey, rank: int) -> bool:
    """Whether synergy can raise a skill: racial skills need a first point, others their requirements."""
    if skills.definition(skill).group is SwimGroup.RACIAL and rank == 0:
        return False
    return not skills.unmet(ranks, skill)


class Earned(Struct, frozen=True, kw_only=True):
    """The effect of a roll on a skill."""

    skill: SkillKey
    has_advanced: bool
    is_strained: bool = False  # whether it loses a rank to strain now
    was_strained: bool = False  # whether it has already lost a rank for this roll
    faces: tuple[int, ...] = ()  # the dice that earned the advance
    against: str = ""  # what they were rolled against, in words


def grow(scene: Scene, who: CharacterId, earned: Earned) -> tuple[Scene, tuple[str, ...]]:
    """Advance a skill or lose a rank to strain, and apply synergies.

    Returns:
        The new scene, and a sentence for each changed skill.

    [SWIM-ADV-05 to SWIM-ADV-08 (SWIM-R27, SWIM-R28), SWIM-POOL-06 (SWIM-R37), SWIM-SYN-02]
    """
    if not earned.has_advanced and not earned.is_strained:
        return scene, ()
    character, skills, settings = scene.character(who), book(scene), scene.settings
    sheet = character.sheet
    before = skills.rank(sheet.ranks, earned.skill)
    learns = character.owner is not None or sheet.tracks_advancement
    at_cap = settings.rank_cap is not None and before >= settings.rank_cap
    may_learn = not skills.unmet(sheet.ranks, earned.skill)
    has_advanced = earned.has_advanced and learns and may_learn and not at_cap
    after = before + has_advanced - earned.is_strained
    notes: list[str] = []
    ranks: Mapping[SkillKey, int] = {**sheet.ranks, earned.skill: after}
    epics = sheet.epics
    title = skills.title(earned.skill)
    if has_advanced:
        epic = Epic(
            skill=earned.skill,
            before=before,
            after=before + 1,
            faces=earned.faces,
            against=earned.against,
            clock=scene.clock,
        )
        epics = (*epics, epic)
        notes.append(f"Epic success: {title} {before} → {before + 1}.")
    if earned.is_strained:
        notes.append(f"Strain: {title} {before + has_advanced} → {after}.")
    if after > before and not earned.was_strained:
        raised = with_synergy(skills, ranks, [earned.skill], cap=settings.rank_cap)
        ranks = raised.ranks
        notes += step_notes(skills, raised.steps)
    if after == before and not has_advanced:
        return scene, tuple(notes)
    changed = evolve(sheet, ranks=ranks, epics=epics)
    return scene.with_sheet(character, changed), tuple(notes)


def step_notes(skills: Skillbook, steps: Iterable[SwimStep]) -> tuple[str, ...]:
    """A sentence for each step of synergy."""
    return tuple(
        f"Unlocked {skills.title(step.skill)} {step.after} (synergy with {skills.title(step.cause)})."
        if step.before == 0
        else f"Synergy: {skills.title(step.skill)} follows {skills.title(step.cause)}, "
        f"{step.before} → {step.after}."
        for step in steps
    )


MOST_SHOWN = 15
HOW_SKILLS_GROW = "A skill grows when a roll that matters succeeds and every die of it shows 4 or more."


class SwimSkillOptions(Document):
    """The skill to show."""

    skill: str = Field(min_length=1, max_length=100)


class SwimSpecializeOptions(Document):
    """The skill and the name of the specialization."""

    skill: str = Field(min_length=1, max_length=100)
    tag: str = Field(min_length=1, max_length=LONGEST_TAG)


class EpicOptions(Document):
    """Nothing to choose."""


class GrowthOptions(Document):
    """Nothing to choose."""


@procedure("synergy")
def show_synergy(scene: Scene, options: SwimSkillOptions, _dice: Dice) -> Outcome:
    """Show a skill's synergies, and the ranks they guarantee. [SWIM-SYN-04]"""
    skills, sheet = book(scene), scene.actor.sheet
    key = skills.find(options.skill)
    rank = skills.rank(sheet.ranks, key)
    lines = tuple(
        f"{skills.title(partner)} {skills.rank(sheet.ranks, partner)}: synergy degree {degree}, "
        f"at least {max(0, rank - degree)}"
        for partner, degree in skills.partners(key, sheet.ranks)
    )
    note = skills.definition(key).note
    notes = (*([note] if note else []), *(lines or ("It has no synergies.",)))
    return Outcome(scene=scene, headline=f"looks at {skills.title(key)} {rank}", notes=notes, is_public=False)


@procedure("specialise")
def specialize(scene: Scene, options: SwimSpecializeOptions, _dice: Dice) -> Outcome:
    """Start a specialization; synergy with its parent may raise it at once.

    [SWIM-SYN-05 (SWIM-R31), SWIM-CRAFT-03]
    """
    skills, actor = book(scene), scene.actor
    sheet = actor.sheet
    parent = skills.find(options.skill).partition(":")[0]
    definition = skills.definition(parent)
    if definition.special_degree is None:
        raise UserError(f"{definition.name} can't be specialized.")
    key = f"{parent}:{folded(options.tag)}"
    if not folded(options.tag):
        raise UserError("A specialization needs a name.")
    if key in sheet.ranks:
        raise UserError(f"{skills.title(key)} is already on the sheet.")
    raised = with_synergy(skills, {**sheet.ranks, key: 0}, [parent], cap=scene.settings.rank_cap)
    changed = evolve(sheet, ranks=raised.ranks)
    rank = raised.ranks[key]
    return Outcome(
        scene=scene.with_sheet(actor, changed),
        headline=f"specializes in {skills.title(key)} {rank}",
        notes=step_notes(skills, raised.steps),
    )


@procedure("epics")
def show_epics(scene: Scene, _options: EpicOptions, _dice: Dice) -> Outcome:
    """Show the rolls that earned ranks, the latest first. [SWIM-ADV-07]"""
    title, epics = book(scene).title, scene.actor.sheet.epics
    lines = tuple(
        f"{title(epic.skill)} {epic.before} → {epic.after}: {' '.join(map(str, epic.faces))} ({epic.against})"
        for epic in reversed(epics[-MOST_SHOWN:])
    )
    more = (f"… and {len(epics) - MOST_SHOWN} earlier",) if len(epics) > MOST_SHOWN else ()
    return Outcome(
        scene=scene,
        headline="looks at past epic successes",
        notes=(*lines, *more) or ("No epic successes yet.",),
        is_public=False,
    )


@procedure("growth")
def show_growth(scene: Scene, _options: GrowthOptions, _dice: Dice) -> Outcome:
    """Show the best skills: how often each was earned, and what its next rank pulls along.

    [SWIM-SYN-01 to SWIM-SYN-04, SWIM-ADV-07]
    """
    skills, sheet = book(scene), scene.actor.sheet
    keys = sorted(sheet.ranks, key=lambda key: (-skills.rank(sheet.ranks, key), skills.title(key)))
    lines = []
    for key in [key for key in keys if skills.rank(sheet.ranks, key) > 0][:MOST_SHOWN]:
        rank = skills.rank(sheet.ranks, key)
        earned = sum(epic.skill == key for epic in sheet.epics)
        grown = with_synergy(skills, {**sheet.ranks, key: rank + 1}, [key], cap=scene.settings.rank_cap)
        pulled = ", ".join(f"{skills.title(one.skill)} {one.before} → {one.after}" for one in grown.steps)
        parts = (
            f"{skills.title(key)} {rank}",
            f"earned {counted(earned, 'rank')}" if earned else "",
            f"the next rank pulls {pulled}" if pulled else "",
        )
        lines.append(" · ".join(part for part in parts if part))
    return Outcome(
        scene=scene,
        headline="looks at what can grow",
        notes=(*lines, HOW_SKILLS_GROW),
        is_public=False,
    )


STARTING_GOLD = 100
LISTED_RATE = 10  # silver in a gold piece, as in the price list


def starting_silver(settings: SwimSettings) -> int:
    """A new character's money in silver. [SWIM-CHAR-02, SWIM-CHAR-03 (SWIM-R04)]"""
    return STARTING_GOLD * settings.sp_per_gp


def coins(silver: int, settings: SwimSettings) -> str:
    """An amount of money as text: "3 GP 5 SP". [SWIM-CHAR-03 (SWIM-R04)]"""
    gold, rest = divmod(silver, settings.sp_per_gp)
    parts = [f"{gold} GP" if gold else "", f"{rest} SP" if rest else ""]
    return " ".join(part for part in parts if part) or "0 SP"


def priced(implement: Implement, settings: SwimSettings) -> int:
    """The price of an implement in silver at the campaign's rate; the part below a gold piece stays silver.

    [SWIM-CHAR-03, SWIM-ITEM-01]
    """
    gold, silver = divmod(implement.price_sp, LISTED_RATE)
    return gold * settings.sp_per_gp + silver


SCRATCHES = "scratches"
PURSE = "purse_sp"
COMPOSURE = "composure"


def wounds_key(pool: Pool) -> str:
    """The resource key of a pool's wounds."""
    return f"{pool.value}_wounds"


def _composure(sheet: SwimSheet, settings: SwimSettings) -> int:
    book = book_of(settings)
    return book.rank(sheet.ranks, COMPOSURE)


def _after_shopping(sheet: SwimSheet, settings: SwimSettings) -> int:
    """The starting money left after buying gear at creation (SWIM-CHAR-02)."""
    rates = settings
    spent = sum(priced(item, rates) * item.quantity for item in sheet.items)
    return max(0, starting_silver(rates) - spent)


def _left(skill: SkillKey) -> Callable[[SwimSheet, SwimSettings, int], str]:
    """Show wounds or scratches as what is left of the skill's rank: "3/4"."""

    def shown(sheet: SwimSheet, settings: SwimSettings, amount: int) -> str:
        rank = book_of(settings).rank(sheet.ranks, skill)
        return f"{shown_number(rank - amount)}/{rank}"

    return shown


def _silver(_sheet: SwimSheet, settings: SwimSettings, silver: int) -> str:
    return coins(silver, settings)


# Wounds have no cap: hit points go below zero (SWIM-COMB-07).
RESOURCES = (
    *(
        ResourceRule(
            key=wounds_key(pool),
            title=f"{pool.value.capitalize()} wounds",
            changed_title=pool.value.capitalize(),
            is_burden=True,
            is_health=True,
            shown=_left(pool.defence),
        )
        for pool in Pool
    ),
    ResourceRule(
        key=SCRATCHES,
        title="Scratches",
        cap=_composure,
        is_burden=True,
        is_health=True,
        changed_title="Composure",
        shown=_left(COMPOSURE),
    ),
    ResourceRule(
        key=PURSE,
        title="Purse (SP)",
        start=starting_silver(SwimSettings()),
        sheet_start=_after_shopping,
        changed_title="Purse",
        shown=_silver,
    ),
)


def state_of(character: Character, settings: SwimSettings) -> str:
    """Whether a character is dead, dying or down; nothing where they can act. [SWIM-COMB-07, SWIM-COMB-08]"""
    sheet, book = character.sheet, book_of(settings)
    left = min(book.rank(sheet.ranks, pool.defence) - character.left(wounds_key(pool)) for pool in Pool)
    is_stable = len(sheet.stable) + len(sheet.broken) > 0
    return "dead" if sheet.is_dead else "dying" if left < 0 and not is_stable else DOWN if left <= 0 else ""


def health_of(character: Character, settings: SwimSettings) -> CharacterHealth:
    """Hit points by pool; what is out of action is down, dying or dead. [SWIM-COMB-05, SWIM-COMB-08]"""
    book, numbers, worst = book_of(settings), [], (1, 1)
    for pool in Pool:
        rank = book.rank(character.sheet.ranks, pool.defence)
        left = rank - character.left(wounds_key(pool))
        if pool is Pool.PHYSICAL or left < rank:
            numbers.append(f"{pool.value.capitalize()} {shown_number(left)}/{rank}")
        if left * worst[1] < worst[0] * rank:
            worst = (left, rank)
    return CharacterHealth(tuple(numbers), state_of(character, settings) or looks_for(*worst))
