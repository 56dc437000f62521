"""Casting powers of magic: options, skill, targets and distance."""

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import CharacterId
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.character.implements import SwimRole
from bot.rules.swim_class.character.sheet import (
    Outcome,
    Scene,
)
from bot.rules.swim_class.checks.plans import PoolPlan
from bot.rules.swim_class.checks.rolling import PoolOptions, headline, option_words, plan_of
from bot.rules.swim_class.checks.waiting_rolls import Effect
from bot.rules.swim_class.combat.commands.attacks import FARTHEST
from bot.rules.swim_class.combat.state.distances import remembered, squares_words, with_distance
from bot.rules.swim_class.opposed.aiming import asking_for_distance, opposed_from
from bot.rules.swim_class.opposed.launching import Launch, SwimAim, launch
from bot.rules.swim_class.resolution.tables import SPELLS, Pool, SkillKey, SwimSpell

SpellKey = StrEnum("SpellKey", {key.upper(): key for key in SPELLS})  # type: ignore[misc]  # the names of the data


class SwimCastOptions(PoolOptions):
    """Options of casting a power.

    Attributes:
        spell: The power.
        targets: The targets.
        distance: Their distance in squares; None: as the fight remembers it.
        area: Side of the square a power fills.
        line: Length of the line a power follows.
        size: The size of a lifted character; None: by their traits.
        ground: The hardness of earth, from 2 (soft soil) to 6 (hard rock).
        unwilling: Whether a lifted character resists.
        corpse: The dead NPC to raise.
    """

    spell: SpellKey
    targets: tuple[CharacterId, ...] = Field(default=(), max_length=5)
    distance: int | None = Field(default=None, ge=0, le=FARTHEST)
    area: int = Field(default=0, ge=0, le=50)
    line: int = Field(default=0, ge=0, le=100)
    size: int | None = Field(default=None, ge=-10, le=10)
    ground: int = Field(default=2, ge=2, le=6)
    unwilling: bool = False
    corpse: CharacterId | None = None


def line_bonus(length: int) -> int:
    """The bonus of each defense die from a line of some squares.

    Source: SWIM-AREA-05 (SWIM-R63).
    """
    return length * 2 // 3


def area_bonus(spell: SwimSpell, options: SwimCastOptions) -> tuple[int, int]:
    """The bonus of each defense die from an area, and its size.

    Raises:
        UserError: If the power has another shape, or none was given.

    Source: SWIM-AREA-04 (SWIM-R62), SWIM-AREA-05.
    """
    if options.area and options.line:
        raise UserError("Choose an area or a line, not both.")
    if options.area and "near" in spell.area:
        return options.area, options.area
    if options.line and "line" in spell.area:
        return line_bonus(options.line), options.line
    shapes = {"line": "a line", "near": "an area", "near or line": "an area or a line"}
    raise UserError(f"{spell.name} needs {shapes[spell.area]}.", try_this="Give its size in squares.")


def spell_skill(scene: Scene, spell: SwimSpell) -> SkillKey:
    """The skill a power is rolled with: its form, or a specialisation of it where the campaign says so.

    Source: SWIM-MAGIC-01 (SWIM-R92).
    """
    return f"{spell.form}:{spell.key}" if scene.settings.spells_as_skills else spell.form


def spell_words(spell: SwimSpell, options: SwimCastOptions, at: str = "") -> str:
    """The headline of a cast power, with the options in brackets."""
    return headline(f"casts {spell.name}{at}", option_words(options))


def spell_plan(scene: Scene, spell: SwimSpell, options: SwimCastOptions, difficulty: int = 0) -> PoolPlan:
    """The plan of a power's roll, by default against its own difficulty."""
    return plan_of(options, spell_skill(scene, spell), difficulty or spell.difficulty)


def aimed_spell(
    scene: Scene,
    spell: SwimSpell,
    options: SwimCastOptions,
    *,
    effect: Effect,
    bonus: int,
    is_area: bool = False,
    is_melee: bool = False,
    squares: int | None = None,
) -> Launch:
    """A cast power that its targets can oppose."""
    names = ", ".join(scene.character(target).name for target in options.targets)
    far = "" if squares is None else f" at {squares_words(squares)}"
    counters = spell.opposed_by if spell.opposed_by != (Pool.PHYSICAL.defence,) else ()
    return Launch(
        plan=replace(spell_plan(scene, spell, options, 1), role=SwimRole.ATTACK),
        aims=tuple(SwimAim(target=target, bonus=bonus) for target in options.targets),
        words=spell_words(spell, options, f" at {names}{far}"),
        effect=effect,
        counters=counters,
        is_magic=True,
        is_area=is_area,
        is_melee=is_melee,
    )


def cast_at(
    scene: Scene,
    spell: SwimSpell,
    options: SwimCastOptions,
    dice: Dice,
    launched: Callable[[int], Launch],
) -> Outcome:
    """Cast a power at one target; if its distance is unknown, ask for it.

    Source: SWIM-AREA-01, SWIM-MAGIC-05.
    """
    target = _only_target(spell, options)
    known = remembered(scene, scene.actor.id, target) if options.distance is None else options.distance
    if known is None:
        return asking_for_distance(
            scene, "cast", options, target, spell.name, lambda far: opposed_from(scene, launched(far))
        )
    outcome = launch(scene, scene.actor.id, launched(known), dice).outcome
    return replace(outcome, scene=with_distance(outcome.scene, scene.actor.id, target, known))


def _only_target(spell: SwimSpell, options: SwimCastOptions) -> CharacterId:
    if not options.targets:
        raise UserError("Choose a target.", try_this="Give the option “targets”.")
    return options.targets[0]
