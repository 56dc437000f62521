"""The powers of magic, how they are cast, and the raised dead."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from typing import Any

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import CharacterId, Document, Family, Verdict, evolve, procedure
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, listed
from bot.rules.swim_class.attacks import FARTHEST, SwimAttackOptions, attack, range_bonus
from bot.rules.swim_class.damage import fall_buttons
from bot.rules.swim_class.encounter import (
    find_ground,
    is_in_combat,
    remembered,
    round_button,
    squares_words,
    with_distance,
    with_ground,
)
from bot.rules.swim_class.launching import (
    Launch,
    Launched,
    SwimAim,
    asking_for_distance,
    launch,
    opposed_from,
)
from bot.rules.swim_class.movement import SwimMoveOptions, move
from bot.rules.swim_class.plans import PoolPlan
from bot.rules.swim_class.pools import SwimPurpose, pool_odds
from bot.rules.swim_class.recovery import heal, is_undead, treat
from bot.rules.swim_class.rolling import (
    PoolOptions,
    SwimRollOptions,
    headline,
    option_words,
    outcome_of,
    plan_of,
    roll,
    warned,
)
from bot.rules.swim_class.settling import STAYS_DOWN, Effect, SwimContest, hover_words, is_airborne
from bot.rules.swim_class.sheet import (
    Character,
    Outcome,
    Scene,
    SwimRole,
    SwimSheet,
    book,
    rank_of,
    with_states,
)
from bot.rules.swim_class.tables import SPELLS, Pool, SkillKey, SwimSpell
from bot.rules.swim_class.unopposed_roll import perform, prepare

SpellKey = StrEnum("SpellKey", {key.upper(): key for key in SPELLS})  # type: ignore[misc]  # the names of the data


class SwimCastOptions(PoolOptions):
    """Options of casting a power."""

    spell: SpellKey  # the power
    targets: tuple[CharacterId, ...] = Field(default=(), max_length=5)
    # Their distance in squares; None: as the fight remembers it.
    distance: int | None = Field(default=None, ge=0, le=FARTHEST)
    area: int = Field(default=0, ge=0, le=50)  # side of the square a power fills
    line: int = Field(default=0, ge=0, le=100)  # length of the line a power follows
    # The size of a lifted character; None: by their traits.
    size: int | None = Field(default=None, ge=-10, le=10)
    ground: int = Field(default=2, ge=2, le=6)  # the hardness of earth, from 2 (soft soil) to 6 (hard rock)
    unwilling: bool = False  # whether a lifted character resists
    corpse: CharacterId | None = None  # the dead NPC to raise


def line_bonus(length: int) -> int:
    """The bonus of each defense die from a line of some squares. [SWIM-AREA-05 (SWIM-R63)]"""
    return length * 2 // 3


def area_bonus(spell: SwimSpell, options: SwimCastOptions) -> tuple[int, int]:
    """The bonus of each defense die from an area, and its size. [SWIM-AREA-04 (SWIM-R62), SWIM-AREA-05]

    Raises:
        UserError: If the power has another shape, or none was given.
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
    """The skill a power is rolled with: its form, or a specialization of it where the campaign says so.

    [SWIM-MAGIC-01 (SWIM-R92)]
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
    """Cast a power at one target; if its distance is unknown, ask for it. [SWIM-AREA-01, SWIM-MAGIC-05]"""
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


LIGHT_A_DIE = 2


class NothingOptions(Document):
    """Options of `/swim-magic wheel`: none."""


def _assert_taken(spell: SwimSpell, options: SwimCastOptions) -> None:
    """Raise a `UserError` if an option was given that the power does not use."""
    taken = _TAKES[spell.key]
    for field in _CHOICES:
        if field not in taken and getattr(options, field) != SwimCastOptions.model_fields[field].default:
            known = f"Its options: {', '.join(taken)}." if taken else "It has no options of its own."
            raise UserError(f"{spell.name} has no option “{field}”.", known)
    if "targets" in taken and not spell.area and spell.key != "breathe" and len(options.targets) > 1:
        raise UserError(f"{spell.name} has only one target.")


@procedure("cast", can_repeat=True)
def cast(scene: Scene, options: SwimCastOptions, dice: Dice) -> Outcome:
    """Use a power of magic. [SWIM-MAGIC-01, SWIM-MAGIC-05 to SWIM-MAGIC-19]"""
    spell = SPELLS[options.spell]
    _assert_taken(spell, options)
    return _POWERS[spell.key](scene, spell, options, dice)


_AREA_EFFECTS: Mapping[str, Effect] = {
    "blaze": Effect.HIT,
    "blow": Effect.SHIFT,
    "quake": Effect.KNOCK_DOWN,
    "spray": Effect.SOAK,
}


def _area(scene: Scene, spell: SwimSpell, options: SwimCastOptions, dice: Dice) -> Outcome:
    """A power that fills an area: everyone in it opposes the whole roll.

    [SWIM-MAGIC-06, SWIM-MAGIC-08, SWIM-MAGIC-10, SWIM-MAGIC-12, SWIM-AREA-04 to SWIM-AREA-06]
    """
    bonus, size = area_bonus(spell, options)
    effect = _AREA_EFFECTS[spell.key]
    launched = aimed_spell(scene, spell, options, effect=effect, bonus=bonus, is_area=True)
    done = launch(scene, scene.actor.id, launched, dice)
    if spell.key == "quake":
        return _ground(done, "terrain", quake_levels(done.contest, size), "Rough ground")
    if spell.key == "spray":
        return _ground(
            done, "resistance", spray_levels(done.contest, size), "Defense against fire on wet ground"
        )
    return done.outcome


def quake_levels(contest: SwimContest, size: int) -> tuple[int, ...]:
    """The rough ground of a quake: one round per die, its value − size, highest first.

    [SWIM-MAGIC-10 (SWIM-R98)]
    """
    levels = sorted((die.value - size for die in contest.dice), reverse=True)
    return tuple(level for level in levels if level >= 1)


def spray_levels(contest: SwimContest, size: int) -> tuple[int, ...]:
    """The defense bonus against fire from a spray: one round per die, its value − size, highest first.

    [SWIM-MAGIC-12 (SWIM-R100)]
    """
    return tuple(sorted((max(0, die.value - size) for die in contest.dice), reverse=True))


def _ground(done: Launched, what: str, levels: tuple[int, ...], words: str) -> Outcome:
    """Let a power change the ground for some rounds."""
    scene = done.outcome.scene
    scene = with_ground(scene, find_ground(scene).model_copy(update={what: levels}))
    shown = listed(map(str, levels))
    note = f"{words}, round by round: {shown}."
    notes, buttons = (*done.outcome.notes, note), (*done.outcome.follow_ups, *round_button(scene))
    return replace(done.outcome, scene=scene, notes=notes, follow_ups=buttons)


def _light(scene: Scene, spell: SwimSpell, options: SwimCastOptions, dice: Dice) -> Outcome:
    """Light up the surroundings. [SWIM-MAGIC-07 (SWIM-R95)]"""
    done = perform(scene, scene.actor.id, spell_plan(scene, spell, options), dice, purpose=SwimPurpose.SPELL)
    squares = done.judged.progress * LIGHT_A_DIE
    changed = with_states(done.scene, scene.actor.id, light=squares)
    verdict = Verdict(
        Family.SUCCESS if squares else Family.FAILURE, f"lights {counted(squares, 'square', 'squares')}"
    )
    return replace(outcome_of(done, spell_words(spell, options)), scene=changed, verdict=verdict)


def size_of(sheet: SwimSheet) -> int:
    """A character's size: 0 for people, more if large, less if small. [SWIM-MAGIC-09 (SWIM-R96)]"""
    large = sum(held.degree for trait, held in sheet.known_traits if trait.tight_is_rough)
    return large - sum(held.degree for trait, held in sheet.known_traits if trait.rough_is_hard)


def _fly(scene: Scene, spell: SwimSpell, options: SwimCastOptions, dice: Dice) -> Outcome:
    """Lift a character into the air. [SWIM-MAGIC-09 (SWIM-R96, SWIM-R97)]"""
    if options.unwilling:

        def lifting(squares: int) -> Launch:
            bonus = spell.bonus_per_square * squares
            return aimed_spell(scene, spell, options, effect=Effect.LIFT, bonus=bonus, squares=squares)

        return cast_at(scene, spell, options, dice, lifting)
    target = scene.character(next(iter(options.targets), scene.actor.id))
    size = size_of(target.sheet) if options.size is None else options.size
    plan = spell_plan(scene, spell, options, max(1, spell.difficulty + size))
    warning = warned(scene, "cast", options, plan, f"would cast {spell.name}")
    if warning is not None:
        return warning
    done = perform(scene, scene.actor.id, plan, dice, purpose=SwimPurpose.SPELL)
    progress = done.judged.progress
    must_fall = not progress and is_airborne(scene, target.id)
    changed = with_states(done.scene, target.id, is_hovering=progress > 0)
    at = "" if target.id == scene.actor.id else f" on {target.name}"
    words = hover_words(progress) if progress or must_fall else STAYS_DOWN
    outcome = outcome_of(done, spell_words(spell, options, at))
    falling = fall_buttons(changed, target.id) if must_fall else ()
    return replace(
        outcome,
        scene=changed,
        verdict=Verdict(Family.SUCCESS if progress else Family.FAILURE, words),
        follow_ups=(*outcome.follow_ups, *falling),
    )


def _shift(scene: Scene, spell: SwimSpell, options: SwimCastOptions, dice: Dice) -> Outcome:
    """Shift earth or stone. [SWIM-MAGIC-11]"""
    done = perform(
        scene,
        scene.actor.id,
        spell_plan(scene, spell, options, options.ground),
        dice,
        purpose=SwimPurpose.SPELL,
    )
    progress = done.judged.progress
    verdict = Verdict(
        Family.SUCCESS if progress else Family.FAILURE, counted(progress, "cubic foot", "cubic feet")
    )
    return replace(outcome_of(done, spell_words(spell, options)), verdict=verdict)


def _breathe(scene: Scene, spell: SwimSpell, options: SwimCastOptions, dice: Dice) -> Outcome:
    """Let touched characters breathe water this round, one per success. [SWIM-MAGIC-13]"""
    targets = options.targets or (scene.actor.id,)
    done = perform(scene, scene.actor.id, spell_plan(scene, spell, options), dice, purpose=SwimPurpose.SPELL)
    helped = targets[: done.judged.progress]
    changed = done.scene
    if helped:
        changed = with_ground(changed, evolve(find_ground(changed), breathing=helped))
    names = ", ".join(scene.character(target).name for target in helped)
    title = counted(done.judged.progress, "target", "targets")
    family = Family.SUCCESS if helped else Family.FAILURE
    outcome = outcome_of(done, spell_words(spell, options))
    notes = (f"{names} can breathe water this round.", *outcome.notes) if names else outcome.notes
    buttons = (*outcome.follow_ups, *round_button(changed))
    verdict = Verdict(family, title)
    return replace(outcome, scene=changed, verdict=verdict, notes=notes, follow_ups=buttons)


def _heal(scene: Scene, spell: SwimSpell, options: SwimCastOptions, dice: Dice) -> Outcome:
    """Heal or stabilize a character, or harm the undead. [SWIM-MAGIC-14 to SWIM-MAGIC-16]"""
    target = scene.character(next(iter(options.targets), scene.actor.id))
    if is_undead(target):

        def burning(squares: int) -> Launch:
            plan = spell_plan(scene, spell, options, spell.difficulty + squares)
            return Launch(
                plan=replace(plan, role=SwimRole.ATTACK),
                aims=(SwimAim(target=target.id),),
                words=spell_words(spell, options, f" at {target.name} at {squares_words(squares)}"),
                is_magic=True,
            )

        return cast_at(scene, spell, options, dice, burning)
    squares = 0 if target.id == scene.actor.id else options.distance
    if squares is None:
        squares = remembered(scene, scene.actor.id, target.id)
    if squares is None and is_in_combat(scene, target.id):
        worth = partial(_healed_from, scene, spell, options)
        return asking_for_distance(scene, "cast", options, target.id, spell.name, worth)
    squares = 1 if squares is None else squares
    before = scene
    scene, plan = treat(scene, target.id, spell_plan(scene, spell, options, spell.difficulty + squares))
    far = "" if squares == 0 else f" at {squares_words(squares)}"
    warning = warned(before, "cast", options, plan, f"would cast {spell.name} on {target.name}{far}")
    if warning is not None:
        return warning
    done = heal(scene, target.id, plan, spell_words(spell, options, f" on {target.name}{far}"), dice)
    if squares == 0:
        return done
    return replace(done, scene=with_distance(done.scene, scene.actor.id, target.id, squares))


def _healed_from(scene: Scene, spell: SwimSpell, options: SwimCastOptions, squares: int) -> str:
    """The difficulty and chance of Healing at a distance, in words."""
    plan = spell_plan(scene, spell, options, spell.difficulty + squares)
    chance = pool_odds(prepare(scene, scene.actor, plan).planned.inputs).enough
    return f"difficulty {plan.difficulty}{'' if chance is None else f' · {percent(chance)}'}"


def _death(scene: Scene, spell: SwimSpell, options: SwimCastOptions, dice: Dice) -> Outcome:
    """Attack with death itself, from beside the target or from afar. [SWIM-MAGIC-17 (SWIM-R105)]"""

    def striking(squares: int) -> Launch:
        is_melee = squares <= 1
        bonus = 0 if is_melee else range_bonus(squares, 1) * spell.bonus_per_square
        return aimed_spell(
            scene, spell, options, effect=Effect.HIT, bonus=bonus, is_melee=is_melee, squares=squares
        )

    return cast_at(scene, spell, options, dice, striking)


def _stun(scene: Scene, spell: SwimSpell, options: SwimCastOptions, dice: Dice) -> Outcome:
    """Stun a character until the caster's next turn. [SWIM-MAGIC-18 (SWIM-R106)]"""

    def stunning(squares: int) -> Launch:
        bonus = spell.bonus_per_square * squares
        return aimed_spell(scene, spell, options, effect=Effect.STUN, bonus=bonus, squares=squares)

    return cast_at(scene, spell, options, dice, stunning)


def _raise(scene: Scene, spell: SwimSpell, options: SwimCastOptions, dice: Dice) -> Outcome:
    """Raise a dead NPC to act on the caster's behalf. [SWIM-MAGIC-19 (SWIM-R107)]"""
    if options.corpse is None:
        raise UserError("Choose a corpse.", "Any dead NPC is one.", "Give the option “corpse”.")
    corpse = scene.character(options.corpse)
    if corpse.owner is not None or not corpse.sheet.is_dead:
        raise UserError(f"{corpse.name} isn't a corpse.", "Only dead NPCs are.")
    actor = scene.actor
    rank = rank_of(scene, actor, spell.form)
    done = perform(scene, actor.id, spell_plan(scene, spell, options), dice, purpose=SwimPurpose.SPELL)
    outcome = outcome_of(done, spell_words(spell, options, f" on {corpse.name}"))
    successes = done.judged.progress
    if not successes:
        return replace(outcome, verdict=Verdict(Family.FAILURE, "stays dead"))
    undead = undead_sheet(successes, rank, actor.id)
    fresh = replace(corpse, resources=dict.fromkeys(corpse.resources, 0))
    changed = done.scene.with_character(fresh).with_sheet(fresh, undead)
    note = (
        f"{corpse.name} acts in {actor.name}'s place: Physical Defense {successes}, Death {max(0, rank - 1)}."
    )
    return replace(
        outcome, scene=changed, verdict=Verdict(Family.SUCCESS, "raised"), notes=(note, *outcome.notes)
    )


def undead_sheet(successes: int, caster_rank: int, caster: CharacterId) -> SwimSheet:
    """The sheet of a raised corpse. [SWIM-MAGIC-19 (SWIM-R107)]"""
    ranks = {"physical_defense": successes, "death": max(0, caster_rank - 1)}
    return SwimSheet(ranks=ranks, tags=("undead",), raised_by=caster)


_CHOICES = ("targets", "distance", "area", "line", "size", "ground", "unwilling", "corpse")
_TAKES: Mapping[str, tuple[str, ...]] = {
    "blaze": ("targets", "line"),
    "light": (),
    "blow": ("targets", "area", "line"),
    "fly": ("targets", "distance", "size", "unwilling"),
    "quake": ("targets", "area"),
    "shift": ("ground",),
    "spray": ("targets", "area", "line"),
    "breathe": ("targets",),
    "heal": ("targets", "distance"),
    "death": ("targets", "distance"),
    "stun": ("targets", "distance"),
    "raise": ("corpse",),
}
_POWERS: Mapping[str, Callable[[Scene, SwimSpell, SwimCastOptions, Dice], Outcome]] = {
    "blaze": _area,
    "light": _light,
    "blow": _area,
    "fly": _fly,
    "quake": _area,
    "shift": _shift,
    "spray": _area,
    "breathe": _breathe,
    "heal": _heal,
    "death": _death,
    "stun": _stun,
    "raise": _raise,
}


@procedure("wheel")
def show_wheel(scene: Scene, _options: NothingOptions, _dice: Dice) -> Outcome:
    """Show the wheel of magic: neighbours have synergy, opposites stop each other.

    [SWIM-MAGIC-02, SWIM-MAGIC-03]
    """
    settings, actor, title = scene.settings, scene.actor, book(scene).title
    lines = tuple(
        f"{title(form)} {rank_of(scene, actor, form)} · opposite {title(settings.opposite(form))}"
        for form in settings.wheel_order
    )
    ring = " – ".join(title(form) for form in (*settings.wheel_order, settings.wheel_order[0]))
    return Outcome(scene=scene, headline="looks at the wheel of magic", notes=(ring, *lines), is_public=False)


class UndeadAttackOptions(SwimAttackOptions):
    """The undead that attacks, with the options of the attack."""

    undead: CharacterId


class UndeadMoveOptions(SwimMoveOptions):
    """The undead that moves, with the options of the move."""

    undead: CharacterId


class UndeadRollOptions(SwimRollOptions):
    """The undead that rolls, with the options of the roll."""

    undead: CharacterId


class DismissOptions(Document):
    """The undead to dismiss; None: put out the caster's light."""

    undead: CharacterId | None = None


def raiser_of(sheet: SwimSheet) -> CharacterId | None:
    """Who raised a character and plays it from then on, or None. [SWIM-MAGIC-19 (SWIM-R107)]"""
    return sheet.raised_by


UndeadOptions = UndeadAttackOptions | UndeadMoveOptions | UndeadRollOptions


def raised(scene: Scene, who: CharacterId) -> Character:
    """Find one of the actor's undead. [SWIM-MAGIC-19 (SWIM-R107)]

    Raises:
        UserError: If the actor has not raised it.
    """
    found, caster = scene.character(who), scene.actor
    if found.sheet.raised_by != caster.id:
        raise UserError(f"{caster.name} hasn't raised {found.name}.", "Use Raise Undead on a corpse first.")
    return found


def through(run: Callable[[Scene, Any, Dice], Outcome]) -> Callable[[Scene, UndeadOptions, Dice], Outcome]:
    """Wrap a procedure so that an undead does it with its caster's action.

    [SWIM-MAGIC-19 (SWIM-R107), SWIM-COMB-16]
    """

    def act(scene: Scene, options: UndeadOptions, dice: Dice) -> Outcome:
        caster, undead = scene.actor, raised(scene, options.undead)
        ordered = evolve(options, anyway=True)  # whatever comes of it
        outcome = run(replace(scene, actor_id=undead.id), ordered, dice)
        return replace(
            outcome,
            scene=replace(outcome.scene, actor_id=caster.id),
            headline=f"commands {undead.name}, who {outcome.headline}",
        )

    return act


@procedure("dismiss")
def dismiss(scene: Scene, options: DismissOptions, _dice: Dice) -> Outcome:
    """Dismiss an undead, which becomes a corpse again, or put out the caster's light.

    [SWIM-MAGIC-07 (SWIM-R95), SWIM-MAGIC-19 (SWIM-R107)]
    """
    if options.undead is not None:
        undead = raised(scene, options.undead)
        freed = evolve(undead.sheet, is_dead=True, raised_by=None)
        return Outcome(scene=scene.with_sheet(undead, freed), headline=f"dismisses {undead.name}")
    actor = scene.actor
    if not actor.sheet.states.light:
        raise UserError(
            f"{actor.name} has no light to put out.", "To dismiss one of your undead, give its name."
        )
    return Outcome(scene=with_states(scene, actor.id, light=0), headline="puts out the light")


procedure("undead_attack", options=UndeadAttackOptions, can_repeat=True)(through(attack))
procedure("undead_move", options=UndeadMoveOptions)(through(move))
procedure("undead_roll", options=UndeadRollOptions, can_repeat=True)(through(roll))
