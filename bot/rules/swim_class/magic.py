"""Magic: what each form can do, by its rank."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import CharacterId, Document, Family, Outcome, Procedure, Scene, Verdict
from bot.rules.swim_class.attacks import range_bonus
from bot.rules.swim_class.contests import Contest, Effect
from bot.rules.swim_class.criticals import fall_buttons
from bot.rules.swim_class.effects import STAYS_DOWN, hover_words, is_airborne
from bot.rules.swim_class.ground import find_ground, round_button, with_ground
from bot.rules.swim_class.healing import heal, is_undead
from bot.rules.swim_class.implements import Role
from bot.rules.swim_class.launching import Aim, Launch, Launched, launch
from bot.rules.swim_class.performance import perform
from bot.rules.swim_class.plans import PoolPlan
from bot.rules.swim_class.purposes import Purpose
from bot.rules.swim_class.rolling import PoolOptions, headline, option_words, plan_of, told
from bot.rules.swim_class.sheet import (
    SwimSheet,
    book,
    rank_of,
    settings_of,
    sheet_of,
    with_sheet,
    with_states,
)
from bot.rules.swim_class.tables import SPELLS, TRAITS, Pool, SkillKey, Spell
from bot.rules.swim_class.wording import counted

LIGHT_A_DIE = 2
SpellKey = StrEnum("SpellKey", {key.upper(): key for key in SPELLS})  # type: ignore[misc]  # the names of the data


class CastOptions(PoolOptions):
    """What one casts, at whom, how large.

    Attributes:
        spell: Which power.
        targets: At whom.
        distance: How many squares away they are.
        area: Side of the square that a power fills.
        line: Length of the line that a power follows.
        size: How large somebody is who is lifted; their kind says it without it.
        ground: How hard earth is: 2 for soft soil, 6 for hard rock.
        unwilling: Whether somebody who is lifted does not want it.
        corpse: The character of the GM who is raised from the dead.
    """

    spell: SpellKey
    targets: tuple[CharacterId, ...] = Field(default=(), max_length=5)
    distance: int = Field(default=1, ge=0, le=100)
    area: int = Field(default=0, ge=0, le=50)
    line: int = Field(default=0, ge=0, le=100)
    size: int | None = Field(default=None, ge=-10, le=10)
    ground: int = Field(default=2, ge=2, le=6)
    unwilling: bool = False
    corpse: CharacterId | None = None


class NothingOptions(Document):
    """Nothing to choose."""


def line_bonus(length: int) -> int:
    """What a line of so many squares gives each defence die.

    Source: SWIM-AREA-05 (SWIM-R63).
    """
    return length * 2 // 3


def area_bonus(spell: Spell, options: CastOptions) -> tuple[int, int]:
    """What an area gives each defence die, and its size.

    Raises:
        Mistake: If the power has another shape, or none was given.

    Source: SWIM-AREA-04 (SWIM-R62), SWIM-AREA-05.
    """
    if options.area and options.line:
        raise Mistake("A power fills a square or follows a line, not both.")
    if options.area and "near" in spell.area:
        return options.area, options.area
    if options.line and "line" in spell.area:
        return line_bonus(options.line), options.line
    shapes = {"line": "a line", "near": "an area", "near or line": "an area or a line"}
    raise Mistake(f"{spell.name} takes {shapes[spell.area]}.", try_this="Give its squares.")


def spell_skill(scene: Scene, spell: Spell) -> SkillKey:
    """The skill a power is rolled with: its form, or a specialisation of it where the campaign says so.

    Source: SWIM-MAGIC-01 (SWIM-R92).
    """
    return f"{spell.form}:{spell.key}" if settings_of(scene).spells_as_skills else spell.form


def cast(scene: Scene, options: CastOptions, dice: Dice) -> Outcome:
    """Use a power of magic.

    Source: SWIM-MAGIC-01, SWIM-MAGIC-05 to SWIM-MAGIC-19.
    """
    spell = SPELLS[options.spell]
    return _POWERS[spell.key](scene, spell, options, dice)


def _words(spell: Spell, options: CastOptions, at: str = "") -> str:
    return headline(f"casts {spell.name}{at}", option_words(options))


def _plan(scene: Scene, spell: Spell, options: CastOptions, difficulty: int = 0) -> PoolPlan:
    return plan_of(options, spell_skill(scene, spell), difficulty or spell.difficulty)


def _against(
    scene: Scene,
    spell: Spell,
    options: CastOptions,
    dice: Dice,
    *,
    effect: Effect,
    bonus: int,
    is_area: bool = False,
    is_melee: bool = False,
) -> Launched:
    """Cast something that others may stand against."""
    names = ", ".join(scene.character(target).name for target in options.targets)
    if not is_area and len(options.targets) > 1:
        raise Mistake(f"{spell.name} has one target.")
    counters = spell.opposed_by if spell.opposed_by != (Pool.PHYSICAL.defence,) else ()
    launched = Launch(
        plan=replace(_plan(scene, spell, options, 1), role=Role.ATTACK),
        aims=tuple(Aim(target=target, bonus=bonus) for target in options.targets),
        words=_words(spell, options, f" at {names}"),
        effect=effect,
        counters=counters,
        is_magic=True,
        is_area=is_area,
        is_melee=is_melee,
    )
    return launch(scene, scene.actor.id, launched, dice)


_AREA_EFFECTS: Mapping[str, Effect] = {
    "blaze": Effect.HIT,
    "blow": Effect.SHIFT,
    "quake": Effect.KNOCK_DOWN,
    "spray": Effect.SOAK,
}


def _area(scene: Scene, spell: Spell, options: CastOptions, dice: Dice) -> Outcome:
    """A power that fills an area: everybody in it opposes the whole roll.

    Source: SWIM-MAGIC-06, SWIM-MAGIC-08, SWIM-MAGIC-10, SWIM-MAGIC-12, SWIM-AREA-04 to SWIM-AREA-06.
    """
    bonus, size = area_bonus(spell, options)
    effect = _AREA_EFFECTS[spell.key]
    done = _against(scene, spell, options, dice, effect=effect, bonus=bonus, is_area=True)
    if spell.key == "quake":
        return _ground(done, "terrain", quake_levels(done.contest, size), "Rough ground")
    if spell.key == "spray":
        return _ground(done, "resistance", spray_levels(done.contest, size), "Wet ground against fire")
    return done.outcome


def quake_levels(contest: Contest, size: int) -> tuple[int, ...]:
    """The rough ground of a quake: each die less the size, a round each, the roughest first.

    Source: SWIM-MAGIC-10 (SWIM-R98).
    """
    levels = sorted((die.value - size for die in contest.dice), reverse=True)
    return tuple(level for level in levels if level >= 1)


def spray_levels(contest: Contest, size: int) -> tuple[int, ...]:
    """What a spray adds against fire: each die less the size, a round each, the most first.

    Source: SWIM-MAGIC-12 (SWIM-R100).
    """
    return tuple(sorted((max(0, die.value - size) for die in contest.dice), reverse=True))


def _ground(done: Launched, what: str, levels: tuple[int, ...], words: str) -> Outcome:
    """Let a power change the ground for some rounds."""
    scene = done.outcome.scene
    scene = with_ground(scene, find_ground(scene).model_copy(update={what: levels}))
    shown = ", ".join(map(str, levels)) or "none"
    note = f"{words}, round by round: {shown}."
    notes, buttons = (*done.outcome.notes, note), (*done.outcome.follow_ups, *round_button(scene))
    return replace(done.outcome, scene=scene, notes=notes, follow_ups=buttons)


def _light(scene: Scene, spell: Spell, options: CastOptions, dice: Dice) -> Outcome:
    """Light up the surroundings.

    Source: SWIM-MAGIC-07 (SWIM-R95).
    """
    done = perform(scene, scene.actor.id, _plan(scene, spell, options), dice, purpose=Purpose.SPELL)
    squares = done.judged.progress * LIGHT_A_DIE
    changed = with_states(done.scene, scene.actor.id, light=squares)
    verdict = Verdict(
        Family.SUCCESS if squares else Family.FAILURE, f"lights {counted(squares, 'square', 'squares')}"
    )
    return replace(told(done, _words(spell, options)), scene=changed, verdict=verdict)


def size_of(sheet: SwimSheet) -> int:
    """How large somebody is: 0 for people, more for the large, less for the small.

    Source: SWIM-MAGIC-09 (SWIM-R96).
    """
    large = sum(held.degree for held in sheet.traits if TRAITS[held.key].tight_is_rough)
    return large - sum(held.degree for held in sheet.traits if TRAITS[held.key].rough_is_hard)


def _fly(scene: Scene, spell: Spell, options: CastOptions, dice: Dice) -> Outcome:
    """Lift somebody, or oneself, into the air.

    Source: SWIM-MAGIC-09 (SWIM-R96, SWIM-R97).
    """
    if options.unwilling:
        bonus = spell.bonus_per_square * options.distance
        return _against(scene, spell, options, dice, effect=Effect.LIFT, bonus=bonus).outcome
    target = scene.character(next(iter(options.targets), scene.actor.id))
    size = size_of(sheet_of(target)) if options.size is None else options.size
    plan = _plan(scene, spell, options, max(1, spell.difficulty + size))
    done = perform(scene, scene.actor.id, plan, dice, purpose=Purpose.SPELL)
    progress = done.judged.progress
    must_fall = not progress and is_airborne(scene, target.id)
    changed = with_states(done.scene, target.id, is_hovering=progress > 0)
    at = "" if target.id == scene.actor.id else f" on {target.name}"
    words = hover_words(progress) if progress or must_fall else STAYS_DOWN
    outcome = told(done, _words(spell, options, at))
    falling = fall_buttons(changed, target.id) if must_fall else ()
    return replace(
        outcome,
        scene=changed,
        verdict=Verdict(Family.SUCCESS if progress else Family.FAILURE, words),
        follow_ups=(*outcome.follow_ups, *falling),
    )


def _shift(scene: Scene, spell: Spell, options: CastOptions, dice: Dice) -> Outcome:
    """Shift earth or stone.

    Source: SWIM-MAGIC-11.
    """
    done = perform(
        scene, scene.actor.id, _plan(scene, spell, options, options.ground), dice, purpose=Purpose.SPELL
    )
    progress = done.judged.progress
    verdict = Verdict(
        Family.SUCCESS if progress else Family.FAILURE, counted(progress, "cubic foot", "cubic feet")
    )
    return replace(told(done, _words(spell, options)), verdict=verdict)


def _breathe(scene: Scene, spell: Spell, options: CastOptions, dice: Dice) -> Outcome:
    """Let those one touches breathe water this round, one a success.

    Source: SWIM-MAGIC-13.
    """
    targets = options.targets or (scene.actor.id,)
    done = perform(scene, scene.actor.id, _plan(scene, spell, options), dice, purpose=Purpose.SPELL)
    helped = targets[: done.judged.progress]
    changed = done.scene
    if helped:
        changed = with_ground(changed, find_ground(changed).model_copy(update={"breathing": helped}))
    names = ", ".join(scene.character(target).name for target in helped)
    title = counted(done.judged.progress, "target", "targets")
    family = Family.SUCCESS if helped else Family.FAILURE
    outcome = told(done, _words(spell, options))
    notes = (f"{names} can breathe water this round.", *outcome.notes) if names else outcome.notes
    buttons = (*outcome.follow_ups, *round_button(changed))
    verdict = Verdict(family, title)
    return replace(outcome, scene=changed, verdict=verdict, notes=notes, follow_ups=buttons)


def _heal(scene: Scene, spell: Spell, options: CastOptions, dice: Dice) -> Outcome:
    """Heal somebody, stabilise them, or harm the undead.

    Source: SWIM-MAGIC-14 to SWIM-MAGIC-16.
    """
    target = scene.character(next(iter(options.targets), scene.actor.id))
    distance = 0 if target.id == scene.actor.id else options.distance
    if is_undead(target):
        plan = replace(_plan(scene, spell, options, spell.difficulty + distance), role=Role.ATTACK)
        launched = Launch(
            plan=plan,
            aims=(Aim(target=target.id),),
            words=_words(spell, options, f" at {target.name}"),
            is_magic=True,
        )
        return launch(scene, scene.actor.id, launched, dice).outcome
    plan = _plan(scene, spell, options, spell.difficulty + distance)
    return heal(scene, target.id, plan, _words(spell, options, f" on {target.name}"), dice)


def _death(scene: Scene, spell: Spell, options: CastOptions, dice: Dice) -> Outcome:
    """Attack with death itself, from beside the target or from afar.

    Source: SWIM-MAGIC-17 (SWIM-R105).
    """
    is_melee = options.distance <= 1
    bonus = 0 if is_melee else range_bonus(options.distance, 1) * spell.bonus_per_square
    return _against(scene, spell, options, dice, effect=Effect.HIT, bonus=bonus, is_melee=is_melee).outcome


def _stun(scene: Scene, spell: Spell, options: CastOptions, dice: Dice) -> Outcome:
    """Stun somebody until one's next turn.

    Source: SWIM-MAGIC-18 (SWIM-R106).
    """
    bonus = spell.bonus_per_square * options.distance
    return _against(scene, spell, options, dice, effect=Effect.STUN, bonus=bonus).outcome


def _raise(scene: Scene, spell: Spell, options: CastOptions, dice: Dice) -> Outcome:
    """Raise a corpse, a character of the GM that is dead, to act on one's behalf.

    Source: SWIM-MAGIC-19 (SWIM-R107).
    """
    if options.corpse is None:
        raise Mistake("There is no corpse.", "A dead character of the GM is one.", "Give the option corpse.")
    corpse = scene.character(options.corpse)
    if corpse.owner is not None or not sheet_of(corpse).is_dead:
        raise Mistake(f"{corpse.name} is no corpse.", "A dead character of the GM is one.")
    actor = scene.actor
    rank = rank_of(scene, actor, spell.form)
    done = perform(scene, actor.id, _plan(scene, spell, options), dice, purpose=Purpose.SPELL)
    outcome = told(done, _words(spell, options, f" on {corpse.name}"))
    successes = done.judged.progress
    if not successes:
        return replace(outcome, verdict=Verdict(Family.FAILURE, "stays dead"))
    undead = undead_sheet(successes, rank, actor.id)
    fresh = replace(corpse, resources=dict.fromkeys(corpse.resources, 0))
    changed = with_sheet(done.scene.with_character(fresh), fresh, undead)
    note = (
        f"{corpse.name} acts in {actor.name}’s place: Physical Defense {successes}, Death {max(0, rank - 1)}."
    )
    return replace(
        outcome, scene=changed, verdict=Verdict(Family.SUCCESS, "raised"), notes=(note, *outcome.notes)
    )


def undead_sheet(successes: int, caster_rank: int, caster: CharacterId) -> SwimSheet:
    """The sheet of somebody raised from the dead.

    Source: SWIM-MAGIC-19 (SWIM-R107).
    """
    ranks = {"physical_defense": successes, "death": max(0, caster_rank - 1)}
    return SwimSheet(ranks=ranks, tags=("undead",), raised_by=caster)


_POWERS: Mapping[str, Callable[[Scene, Spell, CastOptions, Dice], Outcome]] = {
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


def show_wheel(scene: Scene, _options: NothingOptions, _dice: Dice) -> Outcome:
    """Show the wheel of magic: neighbours pull each other up, opposites stop each other.

    Source: SWIM-MAGIC-02, SWIM-MAGIC-03.
    """
    settings, actor, title = settings_of(scene), scene.actor, book(scene).title
    lines = tuple(
        f"{title(form)} {rank_of(scene, actor, form)} · opposite {title(settings.opposite(form))}"
        for form in settings.wheel_order
    )
    ring = " – ".join(title(form) for form in (*settings.wheel_order, settings.wheel_order[0]))
    return Outcome(scene=scene, headline="looks at the wheel", notes=(ring, *lines), is_public=False)


MAGIC_PROCEDURES = (
    Procedure(key="cast", options=CastOptions, run=cast),
    Procedure(key="wheel", options=NothingOptions, run=show_wheel),
)
