"""Conditions on a sheet: the timer of what they do next, and what they prevent."""

from collections.abc import Iterable
from dataclasses import replace

from bot.rules.kernel import CharacterId, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.sheet import Character, Scene
from bot.rules.rpj.module.active_condition import (
    Suffered,
    assert_allowed,
    is_unconscious,
    next_tick,
)
from bot.rules.rpj.module.condition_kinds import Condition, Need
from bot.rules.rpj.module.optional_rules import Pack

CONDITION = "condition"
_NEEDS = {need.value: need for need in Need}


def suffered_by(character: Character) -> tuple[Suffered, ...]:
    """A character's conditions."""
    return character.sheet.conditions


def with_suffered(scene: Scene, who: CharacterId, suffered: tuple[Suffered, ...]) -> Scene:
    """The scene with a character's conditions changed, and the timer of what they do next.

    Source: RPJ-COND-01, RPJ-COND-03, RPJ-GM-07.
    """
    character = scene.character(who)
    sheet = evolve(character.sheet, conditions=suffered)
    due = min((moment for one in suffered if (moment := next_tick(one)) is not None), default=None)
    return scene.with_character(replace(character, sheet=sheet).with_timer(CONDITION, due))


def own_condition(character: Character, name: str) -> Suffered:
    """A character's condition, by its name.

    Raises:
        UserError: If they have none of that name.
    """
    wanted = " ".join(name.split()).casefold()
    found = next((one for one in suffered_by(character) if one.condition.name.casefold() == wanted), None)
    if found is None:
        names = ", ".join(one.condition.name for one in suffered_by(character))
        raise UserError(
            f"{character.name} doesn't have “{name}”.",
            f"Their conditions: {names}." if names else "They have no conditions.",
        )
    return found


def without(suffered: Iterable[Suffered], gone: Condition) -> tuple[Suffered, ...]:
    """The conditions left once one is over."""
    return tuple(one for one in suffered if one.condition.name.casefold() != gone.name.casefold())


def assert_can(figure: Stats, *needs: Need) -> None:
    """Refuse what a character's conditions prevent; any action needs to be awake.

    Raises:
        UserError: If a condition prevents it; the error names the condition.

    Source: RPJ-COND-02, RPJ-COND-04.
    """
    if figure.sheet.conditions and figure.plays(Pack.CONDITIONS):
        assert_allowed(figure.sheet.conditions, *(needs or (Need.EVERYTHING,)))


def is_kept_from(figure: Stats, *needs: Need) -> bool:
    """Whether a condition prevents something with these needs."""
    try:
        assert_can(figure, *needs)
    except UserError:
        return True
    return False


def needs_of(tags: Iterable[str]) -> tuple[Need, ...]:
    """What a skill needs, by its tags ("sight", "hands").

    Source: RPJ-COND-02, RPJ-COND-07 (COND-07b).
    """
    return tuple(_NEEDS[tag] for tag in tags if tag in _NEEDS)


def is_asleep(figure: Stats) -> bool:
    """Whether a condition prevents everything, so that the character's turns are skipped.

    Source: RPJ-COND-04.
    """
    return figure.plays(Pack.CONDITIONS) and is_unconscious(figure.sheet.conditions)
