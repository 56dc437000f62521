"""Movement: walking, swimming, climbing, jumping, flying, carrying, lifting and throwing things."""

from collections.abc import Callable
from enum import StrEnum

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import CharacterId, Document, Family, Verdict, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.swim_class.damage import assert_can_act, fall_buttons
from bot.rules.swim_class.encounter import find_ground, without_distances
from bot.rules.swim_class.launching import Launch, SwimAim, launch
from bot.rules.swim_class.plans import PoolPlan, parsed_skills
from bot.rules.swim_class.pools import SwimPurpose
from bot.rules.swim_class.rolling import (
    PoolOptions,
    headline,
    mishap_of,
    option_words,
    outcome_of,
    plan_of,
    warned,
    warned_before,
)
from bot.rules.swim_class.settling import Effect, hover_words
from bot.rules.swim_class.sheet import Character, Outcome, Scene, book, rank_of, with_states
from bot.rules.swim_class.tables import SkillKey
from bot.rules.swim_class.together import take_helpers
from bot.rules.swim_class.unopposed_roll import Performed, perform

LOAD_A_DIE, LIFT_A_DIE = 20, 30
FEET_A_JUMP = 2
SMALL_SQUARES, HEAVY_FEET = 3, 2
FLIGHT_DIFFICULTY = 2
TENTHS = 10


class MoveGround(StrEnum):
    """Ways to move."""

    WALK = "walk"
    SWIM = "swim"
    CLIMB = "climb"
    FLIGHT = "flight"


class SwimMoveOptions(PoolOptions):
    """Options of a move."""

    how: MoveGround = MoveGround.WALK  # walk, swim, climb or fly
    # The difficulty of water or a wall; on the ground it is 1 + terrain.
    difficulty: int = Field(default=1, ge=1, le=12)
    terrain: int = Field(default=0, ge=0, le=12)  # level of rough ground
    open_rough: bool = False  # whether rough ground is open, which is hard for small characters
    tight: bool = False  # whether it is narrow, which is rough for large characters
    wind: CharacterId | None = None  # whose wind blows against a flight
    brawn_push: int = Field(default=2, ge=2, le=12)  # the push factor of Brawn for an overloaded character


class JumpOptions(PoolOptions):
    """The gap in feet, skills combined with the jump, and the push factor of Brawn if overloaded."""

    gap: int = Field(ge=1, le=1000)
    add: str = Field(default="", max_length=200)
    brawn_push: int = Field(default=2, ge=2, le=12)


class LiftOptions(PoolOptions):
    """The weight to lift or shove, in pounds."""

    pounds: int = Field(ge=1, le=100_000)


class ThrowOptions(PoolOptions):
    """Whether the thrown thing is as heavy as its thrower."""

    heavy: bool = False


def load_of(character: Character) -> int:
    """A character's load in tenths of a pound. [SWIM-ITEM-10]"""
    return sum(item.weight_tenths * item.quantity for item in character.sheet.items)


def free_load(scene: Scene, character: Character) -> int:
    """The load a character carries freely, in pounds. [SWIM-SKILL-19 (SWIM-R80)]"""
    dice = 1 if scene.settings.carry_flat else rank_of(scene, character, "brawn")
    return LOAD_A_DIE * dice


def is_encumbered(scene: Scene, character: Character) -> bool:
    """Whether a character carries too much to move freely."""
    return load_of(character) > free_load(scene, character) * TENTHS


def terrain_level(scene: Scene, character: Character, options: SwimMoveOptions) -> int:
    """The level of rough ground for a character.

    [SWIM-AREA-07 (SWIM-R65), SWIM-RACE-08 (SWIM-R90), SWIM-MAGIC-10]
    """
    shaken = next(iter(find_ground(scene).terrain), 0)
    large = max(
        (held.degree for trait, held in character.sheet.known_traits if trait.tight_is_rough), default=0
    )
    return max(options.terrain, shaken, large if options.tight else 0)


def move_plan(scene: Scene, character: Character, options: SwimMoveOptions) -> PoolPlan:
    """The plan of a move's roll.

    [SWIM-SKILL-08 (SWIM-R116), SWIM-SKILL-09, SWIM-SKILL-10, SWIM-RACE-05, SWIM-RACE-09]
    """
    if options.how is MoveGround.FLIGHT:
        return plan_of(options, "flight", FLIGHT_DIFFICULTY)
    level = terrain_level(scene, character, options)
    plan = plan_of(options, options.how.value, options.difficulty + level)
    small = max(
        (held.degree for trait, held in character.sheet.known_traits if trait.rough_is_hard), default=0
    )
    if options.open_rough and level:
        plan = replace(plan, modifier=plan.modifier - small)
    is_easy = options.how is MoveGround.WALK and level == 0 and options.difficulty == 1
    return replace(plan, easy=is_easy)


def squares_words(how: MoveGround, progress: int, difficulty: int) -> Verdict:
    """The verdict of a move: how far it goes.

    [SWIM-SKILL-08, SWIM-SKILL-09 (SWIM-R73), SWIM-SKILL-10, SWIM-RACE-05]
    """
    if how is MoveGround.FLIGHT:
        return Verdict(Family.SUCCESS if progress else Family.FAILURE, hover_words(progress))
    if how is MoveGround.SWIM:
        if not progress:
            return Verdict(Family.FAILURE, "sinks")
        squares = progress - 1 if difficulty <= 1 else 0
        moves = f", {counted(squares, 'square', 'squares')}" if squares else ""
        return Verdict(Family.SUCCESS, f"treads water{moves}")
    title = counted(progress, "square", "squares")
    return Verdict(Family.SUCCESS if progress else Family.FAILURE, title)


@procedure("move")
def move(scene: Scene, options: SwimMoveOptions, dice: Dice) -> Outcome:
    """Walk, swim, climb or fly.

    [SWIM-SKILL-08 to SWIM-SKILL-10, SWIM-SKILL-19, SWIM-RACE-05, SWIM-AREA-07]
    """
    plan = move_plan(scene, scene.actor, options)
    is_opposed = options.how is MoveGround.FLIGHT and options.wind is not None
    warning = (
        None if is_opposed else warned(scene, "move", options, plan, f"would move ({options.how.value})")
    )
    if warning is not None:
        return warning

    def free(scene: Scene) -> Outcome:
        if options.how is MoveGround.FLIGHT and options.wind is not None:
            return _against_wind(scene, options.wind, plan, options, dice)
        mishap = mishap_of(options.how.value)
        done = perform(scene, scene.actor.id, plan, dice, purpose=SwimPurpose.MOVEMENT, mishap=mishap)
        return _moved(done, options)

    return under_load(scene, "move", options, dice, free)


def under_load(
    scene: Scene,
    procedure: str,
    options: SwimMoveOptions | JumpOptions,
    dice: Dice,
    free: Callable[[Scene], Outcome],
) -> Outcome:
    """Move if possible: held characters cannot, and overloaded ones roll Brawn first.

    Args:
        procedure: The key of the move's procedure.
        free: The move itself.

    [SWIM-SKILL-03 (SWIM-R69), SWIM-SKILL-19 (SWIM-R80)]
    """
    actor = scene.actor
    assert_can_act(scene, actor)
    if actor.sheet.states.held_by is not None:
        raise UserError(
            f"{actor.name} is held and can't move.",
            "Other actions are possible.",
            "Break free on your sheet or the board.",
        )
    if not is_encumbered(scene, actor):
        return free(scene)
    plan = _carry_plan(actor, options.brawn_push)
    words = f"would move with {pounds_words(load_of(actor))}"
    warning = warned_before(scene, procedure, options, plan, "brawn_push", words)
    if warning is not None:
        return warning
    carried, note, may_move = _carry(scene, actor, plan, dice)
    if not may_move:
        return Outcome(
            scene=carried.scene,
            headline="tries to move under a heavy load",
            verdict=Verdict(Family.FAILURE, "stuck"),
            rolls=carried.rolls,
            notes=(note, *carried.notes),
        )
    outcome = free(carried.scene)
    rolls, notes = (*carried.rolls, *outcome.rolls), (note, *carried.notes, *outcome.notes)
    return replace(outcome, rolls=rolls, notes=notes)


def _moved(done: Performed, options: SwimMoveOptions) -> Outcome:
    verdict = squares_words(options.how, done.judged.progress, options.difficulty)
    scene = without_distances(done.scene, done.scene.actor.id) if done.judged.progress else done.scene
    follow_ups = done.follow_ups
    if options.how is MoveGround.FLIGHT:
        scene = with_states(scene, scene.actor.id, is_hovering=done.judged.progress > 0)
        follow_ups = fall_buttons(scene, scene.actor.id) if not done.judged.progress else follow_ups
    title = f"{book(scene).title(done.planned.skill)} {done.planned.rank}"
    told_ = outcome_of(
        done, headline("moves", ", ".join(part for part in (title, option_words(options)) if part))
    )
    if done.planned.inputs.is_automatic:
        verdict = Verdict(verdict.family, f"{verdict.title}, automatic")
    return replace(told_, scene=scene, verdict=verdict, follow_ups=follow_ups)


def _carry_plan(actor: Character, push: int) -> PoolPlan:
    """The pushed roll of Brawn before a move under too heavy a load. [SWIM-SKILL-19 (SWIM-R80)]"""
    needed = -(-load_of(actor) // (LOAD_A_DIE * TENTHS))
    return PoolPlan(skill="brawn", push=push, needed=needed, at_once=True)


def _carry(scene: Scene, actor: Character, plan: PoolPlan, dice: Dice) -> tuple[Performed, str, bool]:
    """Roll Brawn before a move under too heavy a load. [SWIM-SKILL-19 (SWIM-R80)]"""
    load = load_of(actor)
    done = perform(scene, actor.id, plan, dice, purpose=SwimPurpose.CARRYING, is_action=False)
    carried = done.judged.progress * LOAD_A_DIE
    note = f"Can carry {carried} lb for this move; the load is {pounds_words(load)}."
    return done, note, carried * TENTHS >= load


def pounds_words(tenths: int) -> str:
    """A weight in pounds: "12.5 lb"."""
    whole, rest = divmod(tenths, TENTHS)
    return f"{whole}.{rest} lb" if rest else f"{whole} lb"


def _against_wind(
    scene: Scene, wind: CharacterId, plan: PoolPlan, options: SwimMoveOptions, dice: Dice
) -> Outcome:
    """Fly against another character's wind. [SWIM-RACE-05]"""
    launched = Launch(
        plan=plan,
        aims=(SwimAim(target=wind),),
        words=headline("flies against the wind", option_words(options)),
        effect=Effect.FLY,
        counters=("wind",),
    )
    return launch(scene, scene.actor.id, launched, dice).outcome


def _once(
    scene: Scene, skill: SkillKey, needed: int, options: PoolOptions, adds: tuple[SkillKey, ...] = ()
) -> tuple[Scene, PoolPlan]:
    """The plan of a roll that must reach its progress alone, and the scene without the help it uses."""
    scene, helpers = take_helpers(scene, scene.actor.id, skill)
    bare = plan_of(options, skill, 1)
    return scene, replace(bare, needed=needed, at_once=True, adds=adds, helpers=helpers)


@procedure("jump", can_repeat=True)
def jump(scene: Scene, options: JumpOptions, dice: Dice) -> Outcome:
    """Jump over a gap: two feet per success, all or nothing. [SWIM-SKILL-11]"""
    needed = -(-options.gap // FEET_A_JUMP)
    before = scene
    scene, plan = _once(scene, "jump", needed, options, parsed_skills(scene, options.add))
    warning = warned(before, "jump", options, plan, f"would jump {options.gap} ft")
    if warning is not None:
        return warning

    def free(scene: Scene) -> Outcome:
        done = perform(scene, scene.actor.id, plan, dice, mishap=mishap_of("jump"))
        outcome = outcome_of(done, headline(f"jumps {options.gap} ft", option_words(options)))
        if not done.judged.is_done:
            return outcome
        return replace(outcome, scene=without_distances(outcome.scene, scene.actor.id))

    return under_load(scene, "jump", options, dice, free)


@procedure("lift", can_repeat=True)
def lift(scene: Scene, options: LiftOptions, dice: Dice) -> Outcome:
    """Lift or shove something: thirty pounds per success. [SWIM-SKILL-20]"""
    needed = -(-options.pounds // LIFT_A_DIE)
    before = scene
    scene, plan = _once(scene, "brawn", needed, options)
    warning = warned(before, "lift", options, plan, f"would lift {options.pounds} lb")
    if warning is not None:
        return warning
    done = perform(scene, scene.actor.id, plan, dice, mishap=mishap_of("brawn"))
    able = done.judged.progress * LIFT_A_DIE
    outcome = outcome_of(done, headline(f"lifts {options.pounds} lb", option_words(options)))
    return replace(outcome, notes=(f"Can lift {able} lb.", *outcome.notes))


@procedure("throw", can_repeat=True)
def throw(scene: Scene, options: ThrowOptions, dice: Dice) -> Outcome:
    """Throw something: a small thing by squares, a heavy one by feet. [SWIM-SKILL-12 (SWIM-R74)]"""
    done = perform(scene, scene.actor.id, plan_of(options, "throw", 1), dice)
    progress = done.judged.progress
    far = (
        f"{progress * HEAVY_FEET} ft"
        if options.heavy
        else (counted(progress * SMALL_SQUARES, "square", "squares"))
    )
    family = Family.SUCCESS if progress else Family.FAILURE
    what = "a heavy thing" if options.heavy else "a small thing"
    return replace(
        outcome_of(done, headline(f"throws {what}", option_words(options))), verdict=Verdict(family, far)
    )


def squares_between(east: int, north: int) -> int:
    """The distance between two squares; diagonals count as one. [SWIM-AREA-01 (SWIM-R60)]"""
    return max(abs(east), abs(north))


def squares_of_feet(feet: int) -> int:
    """A distance in squares of five feet. [SWIM-AREA-01]"""
    return feet // 5


def squares_of_metres(metres: int) -> int:
    """A distance in squares of a metre and a half. [SWIM-AREA-01]"""
    return metres * 2 // 3


class DistanceOptions(Document):
    """A distance in feet, in metres, or by squares east and north."""

    feet: int = Field(default=0, ge=0, le=1000)
    metres: int = Field(default=0, ge=0, le=1000)
    east: int = Field(default=0, ge=-200, le=200)
    north: int = Field(default=0, ge=-200, le=200)


@procedure("distance", needs_actor=False)
def distance(scene: Scene, options: DistanceOptions, _dice: Dice) -> Outcome:
    """Convert a distance to squares. [SWIM-AREA-01]"""
    squares = max(
        squares_of_feet(options.feet),
        squares_of_metres(options.metres),
        squares_between(options.east, options.north),
    )
    verdict = Verdict(Family.NEWS, counted(squares, "square", "squares"))
    return Outcome(scene=scene, headline="measures a distance", verdict=verdict, is_public=False)
