"""How skills grow: advancing rolls, and synergies that raise other skills."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.rules.kernel import CharacterId, evolve
from bot.rules.swim_class.character.sheet import Epic, Scene, book
from bot.rules.swim_class.character.skills import Skillbook
from bot.rules.swim_class.resolution.tables import SkillKey, SwimGroup

LOWEST_FACE = 4


@dataclass(frozen=True, slots=True)
class SwimStep:
    """A rank raised by synergy."""

    skill: SkillKey
    before: int
    after: int
    cause: SkillKey


@dataclass(frozen=True, slots=True)
class Raised:
    """Ranks after applying synergies, and each step in order."""

    ranks: Mapping[SkillKey, int]
    steps: tuple[SwimStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One of the skill's own dice: its face, and whether it scored."""

    face: int
    has_scored: bool


def advances(dice: Iterable[Scored], *, is_whole: bool, could_fail: bool) -> bool:
    """Whether a roll advances its skill: every die scored and shows 4 or more.

    Args:
        dice: The skill's own dice, or an artifact's if the skill has no rank.
        is_whole: Whether these are all the dice of the skill's rank.
        could_fail: Whether the roll could have failed.

    Source: SWIM-ADV-01 to SWIM-ADV-05 (SWIM-R21, SWIM-R22), SWIM-IMPL-05, SWIM-IMPL-06.
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

    Source: SWIM-SYN-01 to SWIM-SYN-03 (SWIM-R29, SWIM-R30), SWIM-RACE-02, SWIM-CHAR-06.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Earned:
    """The effect of a roll on a skill.

    Attributes:
        skill: The skill.
        has_advanced: Whether it advances.
        is_strained: Whether it loses a rank to strain now.
        was_strained: Whether it has already lost a rank for this roll.
        faces: The dice that earned the advance.
        against: What they were rolled against, in words.
    """

    skill: SkillKey
    has_advanced: bool
    is_strained: bool = False
    was_strained: bool = False
    faces: tuple[int, ...] = ()
    against: str = ""


def grow(scene: Scene, who: CharacterId, earned: Earned) -> tuple[Scene, tuple[str, ...]]:
    """Advance a skill or lose a rank to strain, and apply synergies.

    Returns:
        The new scene, and a sentence for each changed skill.

    Source: SWIM-ADV-05 to SWIM-ADV-08 (SWIM-R27, SWIM-R28), SWIM-POOL-06 (SWIM-R37), SWIM-SYN-02.
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
