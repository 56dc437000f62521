"""Advances: what a level-up can buy, and the die points it earns."""

from collections.abc import Sequence

from msgspec import Struct

from bot.rules.kernel import evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import same_name
from bot.rules.post_magic_maid.sheet import (
    BONUSES_FOR_A_DIE_POINT,
    MOST_DOUBLES,
    MOST_SINGLES,
    MOST_STEPS,
    AbilityKind,
    Character,
    MaidAbility,
    MaidAttribute,
    MaidSheet,
    Scene,
)
from bot.rules.post_magic_maid.wounds import DIE_POINTS, LEVEL_UPS


class MaidAdvance(Struct, frozen=True, kw_only=True):
    """A proposed advance; nothing is spent yet."""

    sheet: MaidSheet  # the sheet afterwards
    words: str  # what was advanced, in a few words
    die_points: int = 0  # die points gained, or spent where negative
    notes: tuple[str, ...] = ()  # what to tell besides


def assert_level_up(character: Character) -> None:
    """Raise a `UserError` if a character has no unspent level-up. [PMM-ADV-01, PMM-ADV-02]"""
    if not character.left(LEVEL_UPS):
        raise UserError(
            f"{character.name} has no level-up to spend.", "A GM grants them with /maid-gm grant."
        )


def spend_level_up(scene: Scene, character: Character, advance: MaidAdvance) -> Scene:
    """Spend one of a character's level-ups on an advance. [PMM-ADV-02, PMM-ADV-08, PMM-ADV-09]

    Raises:
        UserError: If none waits.
    """
    assert_level_up(character)
    sheet = evolve(advance.sheet, advances=(*advance.sheet.advances, advance.words))
    points = character.left(DIE_POINTS) + advance.die_points
    spent = character.with_resource(LEVEL_UPS, character.resources[LEVEL_UPS] - 1)
    if advance.die_points:
        spent = spent.with_resource(DIE_POINTS, points)
    return scene.with_sheet(spent, sheet)


def single_problem(ability: MaidAbility | None) -> str:
    """Why an ability (None: a new one) can't take a single bonus, or an empty text.

    [PMM-ABL-01, PMM-ABL-04, PMM-ABL-06]
    """
    if ability is None:
        return ""
    if ability.is_passive:
        return f"{ability.name} is passive, so it can only take passive bonuses."
    return f"{ability.name} already has three single bonuses." if ability.singles >= MOST_SINGLES else ""


def double_problem(ability: MaidAbility | None) -> str:
    """Why an ability (None: a new one) can't take half of a double bonus, or an empty text.

    [PMM-ABL-02, PMM-ABL-04, PMM-ABL-06]
    """
    if ability is None:
        return ""
    if ability.is_passive:
        return f"{ability.name} is passive, so it can only take passive bonuses."
    return f"{ability.name} already has two double bonuses." if ability.doubles >= MOST_DOUBLES else ""


def passive_problem(ability: MaidAbility | None) -> str:
    """Why an ability (None: a new one) can't take a passive bonus, or an empty text.

    [PMM-ABL-06 (PMM-R07)]
    """
    if ability is None or ability.is_passive:
        return ""
    return f"{ability.name} is active, so it can't take a passive bonus."


def _assert(problem: str) -> None:
    if problem:
        raise UserError(problem, try_this="Choose another ability.")


def _grown(ability: MaidAbility, **changes: object) -> tuple[MaidAbility, int]:
    """An ability with one more level-up bonus, and the die points that gives.

    [PMM-ADV-08 (PMM-R08, PMM-R09: one die point an ability, ever)]
    """
    count = ability.from_level_ups + 1
    gives = count >= BONUSES_FOR_A_DIE_POINT and not ability.has_given_die_point
    given = ability.has_given_die_point or gives
    update = {**changes, "from_level_ups": count, "has_given_die_point": given}
    return evolve(ability, **update), int(gives)


def _progress(ability: MaidAbility, points: int) -> str:
    if points:
        return f"{ability.name} earns a die point."
    if ability.has_given_die_point:
        return ""
    return f"{ability.name}: {ability.from_level_ups}/{BONUSES_FOR_A_DIE_POINT} towards a die point."


def advance_single(sheet: MaidSheet, name: str) -> MaidAdvance:
    """Put a single bonus on an existing or new ability. [PMM-ADV-03]"""
    old = sheet.find_ability(name)
    _assert(single_problem(old))
    base = old or MaidAbility(name=name, kind=AbilityKind.ACTIVE)
    ability, points = _grown(base, singles=base.singles + 1)
    return MaidAdvance(
        sheet=sheet.with_ability(ability),
        words=f"{ability.name} +{base.bonus} to +{ability.bonus}",
        die_points=points,
        notes=tuple(note for note in (_progress(ability, points),) if note),
    )


def advance_double(sheet: MaidSheet, one: str, other: str) -> MaidAdvance:
    """Put half of a double bonus on each of two existing or new abilities. [PMM-ADV-04, PMM-ABL-02]"""
    if same_name(one, other):
        raise UserError(
            "A double bonus must go to two different abilities.",
            try_this="Choose a different second ability.",
        )
    parts, notes, total = [], [], 0
    for name in (one, other):
        old = sheet.find_ability(name)
        _assert(double_problem(old))
        base = old or MaidAbility(name=name, kind=AbilityKind.ACTIVE)
        ability, points = _grown(base, doubles=base.doubles + 1)
        sheet = sheet.with_ability(ability)
        parts.append(f"{ability.name} +{base.bonus} to +{ability.bonus}")
        notes.append(_progress(ability, points))
        total += points
    return MaidAdvance(
        sheet=sheet,
        words=", ".join(parts),
        die_points=total,
        notes=tuple(note for note in notes if note),
    )


def advance_passive(sheet: MaidSheet, name: str, effect: str) -> MaidAdvance:
    """Gain a passive ability, or strengthen one by a step.

    [PMM-ADV-05, PMM-ABL-04 (PMM-R06: there is no limit but the GM's approval)]
    """
    old = sheet.find_ability(name)
    _assert(passive_problem(old))
    base = old or MaidAbility(name=name, kind=AbilityKind.PASSIVE)
    effects = (*base.effects, effect) if effect else base.effects
    ability, points = _grown(base, passives=base.passives + 1, effects=effects)
    return MaidAdvance(
        sheet=sheet.with_ability(ability),
        words=f"{ability.name}, strength {ability.passives}",
        die_points=points,
        notes=tuple(note for note in (_progress(ability, points),) if note),
    )


def advance_step(sheet: MaidSheet, attribute: MaidAttribute) -> MaidAdvance:
    """Take a specialization step on an attribute; the third one gives a die point.

    [PMM-ADV-06, PMM-ADV-07, PMM-ADV-09]
    """
    score = sheet.attributes[attribute]
    if score.steps >= MOST_STEPS:
        raise UserError(
            f"{attribute} already has three specialization steps.", try_this="Choose another attribute."
        )
    raised = evolve(score, steps=score.steps + 1)
    points = int(raised.steps == MOST_STEPS)
    return MaidAdvance(
        sheet=sheet.with_attribute(attribute, raised),
        words=f"{attribute} +{score.bonus} to +{raised.bonus}",
        die_points=points,
        notes=(
            f"{attribute} earns a die point."
            if points
            else f"{attribute}: {raised.steps}/{MOST_STEPS} towards a die point.",
        ),
    )


def next_die(sides: int, track: Sequence[int]) -> int | None:
    """The next size on the track, or None at its end. [PMM-ADV-11]"""
    return next((larger for larger in track if larger > sides), None)


def growing_attributes(sheet: MaidSheet, track: Sequence[int]) -> tuple[MaidAttribute, ...]:
    """The attributes whose die may grow: those on the smallest die, unless the track ends there.

    [PMM-ADV-12]
    """
    smallest = min(score.die for score in sheet.attributes.values())
    if next_die(smallest, track) is None:
        return ()
    return tuple(attribute for attribute in MaidAttribute if sheet.attributes[attribute].die == smallest)


def advance_die(character: Character, attribute: MaidAttribute, track: Sequence[int]) -> MaidAdvance:
    """Raise the die of an attribute by a step, for a die point.

    [PMM-ADV-10 (PMM-R10), PMM-ADV-11 (PMM-R11), PMM-ADV-12]
    """
    sheet = character.sheet
    score = sheet.attributes[attribute]
    if not character.left(DIE_POINTS):
        raise UserError(
            f"{character.name} has no die point to spend.",
            "You earn one with three level-up bonuses on one ability or three specialization steps.",
        )
    larger = next_die(score.die, track)
    if larger is None:
        raise UserError(
            f"A d{score.die} is already the largest die in this campaign.",
            "The campaign setting die_track sets this.",
        )
    growing = growing_attributes(sheet, track)
    if attribute not in growing:
        raise UserError(
            f"{attribute} has a d{score.die}, and only your smallest dice can grow.",
            f"Right now: {', '.join(growing)}.",
        )
    raised = evolve(score, die=larger)
    return MaidAdvance(
        sheet=sheet.with_attribute(attribute, raised),
        words=f"{attribute} d{score.die} to d{larger}",
        die_points=-1,
    )


def level_ups_for(die_steps: int, *, with_doubles: bool) -> int:
    """The level-ups needed for a number of die steps, including each step's own level-up. [PMM-ADV-13]

    Three bonuses and the step itself make four. Where doubles feed two abilities, each ability needs two
    halves of doubles and a single: two level-ups and the step itself. A single ability gains nothing by it.
    """
    return 3 * die_steps if with_doubles and die_steps > 1 else 4 * die_steps


def nearest_die_points(sheet: MaidSheet) -> tuple[int, tuple[str, ...]]:
    """How many bonuses away the nearest die point is, and what gives it. [PMM-ADV-08, PMM-ADV-09]"""
    away = {
        ability.name: BONUSES_FOR_A_DIE_POINT - ability.from_level_ups
        for ability in sheet.abilities
        if not ability.has_given_die_point
    }
    away |= {
        attribute.value: MOST_STEPS - score.steps
        for attribute, score in sheet.attributes.items()
        if score.steps < MOST_STEPS
    }
    least = min(away.values(), default=BONUSES_FOR_A_DIE_POINT)
    return least, tuple(name for name, bonuses in away.items() if bonuses == least)
