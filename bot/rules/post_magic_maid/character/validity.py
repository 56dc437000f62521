"""Validation of sheets."""

from collections.abc import Iterator, Sequence

from bot.rules.kernel import Problem
from bot.rules.kernel.wording import same_name
from bot.rules.post_magic_maid.character.sheet import (
    BONUSES_FOR_A_DIE_POINT,
    MOST_STEPS,
    MaidAbility,
    MaidAttribute,
    MaidSheet,
)
from bot.rules.post_magic_maid.resolution.tables import DIE_TRACK, STARTING_DICE

ATTRIBUTE_BONUSES = 3
ABILITY_BONUSES = 2
STARTING_LAYOUT = tuple(sorted(row.sides for row in STARTING_DICE for _ in range(row.attributes)))


def sheet_problems(sheet: MaidSheet) -> tuple[Problem, ...]:
    """Everything on a sheet that creation and level-ups can't produce.

    Source: PMM-CRE-01 to PMM-CRE-06, PMM-ABL-02, PMM-ABL-04, PMM-ABL-06, PMM-ABL-07, PMM-ADV-08, PMM-ADV-12.
    """
    return (*_dice(sheet), *_creation_bonuses(sheet), *_abilities(sheet.abilities))


def _dice(sheet: MaidSheet) -> Iterator[Problem]:
    dice = [sheet.attributes[attribute].die for attribute in MaidAttribute]
    strange = sorted({die for die in dice if die not in DIE_TRACK and die <= max(DIE_TRACK)})
    for die in strange:
        yield Problem("attributes", f"No attribute can have a d{die}.")
    if strange:
        return
    names = ", ".join(f"d{die}" for die in sorted(dice))
    steps = die_steps(dice)
    earned = _die_points_earned(sheet)
    if steps is None:
        yield Problem("attributes", f"The dice {names} are not possible: the smallest dice grow first.")
    elif steps > earned:
        yield Problem(
            "attributes", f"The dice {names} take {steps} die points, but only {earned} were earned."
        )


def _die_points_earned(sheet: MaidSheet) -> int:
    abilities = sum(ability.has_given_die_point for ability in sheet.abilities)
    return abilities + sum(score.steps >= MOST_STEPS for score in sheet.attributes.values())


def die_steps(dice: Sequence[int]) -> int | None:
    """The number of steps from the starting dice to these, sorted ascending; None if impossible.

    Source: PMM-CRE-01, PMM-ADV-11, PMM-ADV-12 (PMM-R11: a GM may add dice beyond the track).
    """
    track = [*DIE_TRACK, *sorted({die for die in dice if die > max(DIE_TRACK)})]
    layout = list(STARTING_LAYOUT)
    steps = 0
    while sorted(layout) != sorted(dice):
        smallest = min(layout)
        if smallest == track[-1]:
            return None
        layout[layout.index(smallest)] = track[track.index(smallest) + 1]
        steps += 1
    return steps


def _creation_bonuses(sheet: MaidSheet) -> Iterator[Problem]:
    bonuses = [score.creation for score in sheet.attributes.values()]
    if sum(bonuses) > ATTRIBUTE_BONUSES:
        yield Problem(
            "attributes", f"A new character has {ATTRIBUTE_BONUSES} attribute bonuses, not {sum(bonuses)}."
        )


def _abilities(abilities: Sequence[MaidAbility]) -> Iterator[Problem]:
    for place, ability in enumerate(abilities):
        if any(same_name(ability.name, other.name) for other in abilities[:place]):
            yield Problem("abilities", f"{ability.name} is listed twice.")
        yield from _ability(ability)
    created = [ability for ability in abilities if ability.from_creation]
    # A half of a double counts half; where a half may have come at creation it is taken for one.
    halves = sum(1 if ability.doubles else 2 for ability in created)
    if halves > 2 * ABILITY_BONUSES:
        yield Problem("abilities", f"A new character has only {ABILITY_BONUSES} ability bonuses.")


def _ability(ability: MaidAbility) -> Iterator[Problem]:
    name = ability.name
    bonuses = ability.singles + ability.doubles + ability.passives
    if ability.is_passive and (ability.singles or ability.doubles):
        yield Problem("abilities", f"{name} is passive, so it can't have a single or double bonus.")
    if not ability.is_passive and (ability.passives or ability.activation):
        yield Problem("abilities", f"{name} is active, so it can't have a passive bonus.")
    if bonuses == 0:
        yield Problem("abilities", f"{name} has no bonus.")
    if bonuses != ability.from_creation + ability.from_level_ups:
        yield Problem(
            "abilities", f"{name} has {bonuses} bonuses, which doesn't match its creation and level-ups."
        )
    if ability.has_given_die_point != (ability.from_level_ups >= BONUSES_FOR_A_DIE_POINT):
        yield Problem(
            "abilities",
            f"{name} earns its die point with level-up bonus number {BONUSES_FOR_A_DIE_POINT}.",
        )
