"""Damage dealt or confirmed by the GM, with or without a save, and surviving giga damage."""

from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Document, FollowUp, NoOptions, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import label_with
from bot.rules.rpj.character.damage_saves import ARMORED, Ambush, put_out, unrolled
from bot.rules.rpj.character.incapacity import with_health
from bot.rules.rpj.character.lucky_breaks import lose_for_good
from bot.rules.rpj.character.sheet import Character, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.layers_and_saves import (
    DamageOptions,
    SaveOptions,
    Single,
    assert_scale_played,
    met_spot,
    save_button,
    spot_of,
)
from bot.rules.rpj.module.basics import Scale
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.settings import module_in, require

SURVIVE_GROUP = "survive"


class CrushOptions(DamageOptions):
    """The options of damage without a save."""

    target: CharacterId


class ScaleOptions(Document):
    """The options of a character's damage scale."""

    target: CharacterId
    scale: Scale = Scale.NORMAL  # the damage scale their base saves withstand
    unlimited: bool = False  # whether no save of theirs is ever crossed off, under cinematic combat


def crush_button(target: Character, options: DamageOptions) -> FollowUp:
    """The GM's button to confirm damage that allows no save. [RPJ-SCALE-06]"""
    given = options.model_dump(include=set(DamageOptions.model_fields))
    return FollowUp(
        procedure="crush",
        options=CrushOptions(target=target.id, **given),
        label=f"{target.name}: apply damage, no save (GM)",
        audience=Audience.GM,
        group=f"crush {target.id}",
    )


def survive_buttons(scene: Scene, target: Character, health: RpjHealth) -> tuple[FollowUp, ...]:
    """The button for a player character to survive giga damage, if it can be paid for.

    [RPJ-SCALE-08 (SCALE-08b)]
    """
    most = figure_in(scene, target).lucky_breaks
    if target.owner is None or health.out is not Out.INCAPACITATED or most < 1:
        return ()
    return (
        FollowUp(
            procedure="survive",
            options=NoOptions(),
            label=label_with(
                target.name, f": survive, give up a Lucky Break · {most} → {most - 1} per session"
            ),
            character=target.id,
            group=SURVIVE_GROUP,
        ),
    )


@procedure("crush", gm_only=True, needs_actor=False)
def crush(scene: Scene, options: CrushOptions, _dice: Dice) -> Outcome:
    """Confirm damage that allows no save. [RPJ-SCALE-06]"""
    target = scene.character(options.target)
    figure = figure_in(scene, target)
    given = SaveOptions.model_validate(options.model_dump(exclude={"target"}))
    after = unrolled(figure, met_spot(figure, given), options.strike)
    if after is None:
        raise UserError(f"{target.name} can save against that.", try_this="Deal the damage again.")
    done = with_health(scene, target, after)
    return Outcome(
        scene=done,
        headline=f"crushes {target.name}: {options.words}",
        notes=crushed_notes(target.name, after),
        follow_ups=survive_buttons(done, done.character(target.id), after),
    )


def crushed_notes(name: str, health: RpjHealth) -> tuple[str, ...]:
    """The effect of damage without a save, in words. [RPJ-SCALE-06]"""
    if health.out is Out.NO:
        return (f"Every layer of normal scale is broken; {name} is still in action.",)
    return (f"Every layer of normal scale is broken; {name} is {health.out}.",)


@procedure("survive")
def survive(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Give up a Lucky Break permanently to survive giga damage.

    Raises:
        UserError: If the character is not dying, or has no Lucky Break to give up.

    [RPJ-SCALE-08 (SCALE-08a), RPJ-LUCK-05 (R-026)]
    """
    actor = scene.actor
    health = actor.sheet.health
    if not health.is_bleeding:
        raise UserError(f"{actor.name} isn't dying.")
    poorer = lose_for_good(actor, module_in(scene.settings))
    stable = evolve(health, is_stable=True, bleeding=0)
    after = with_health(scene.with_character(poorer), poorer, stable)
    return Outcome(
        scene=after,
        headline="gives up a Lucky Break permanently and survives",
        notes=(f"{actor.name} is incapacitated and stable.",),
    )


@procedure("scale", gm_only=True, needs_actor=False, sets=True)
def set_scale(scene: Scene, options: ScaleOptions, _dice: Dice) -> Outcome:
    """Set a character's damage scale, and whether their saves are unlimited.

    [RPJ-SCALE-01, RPJ-SCALE-10, RPJ-CINE-06]
    """
    if options.scale is not Scale.NORMAL:
        require(scene, Pack.DAMAGE_SCALES)
    if options.unlimited:
        require(scene, Pack.CINEMATIC_COMBAT)
    target = scene.character(options.target)
    update = {"scale": options.scale, "has_unlimited_saves": options.unlimited}
    sheet = evolve(target.sheet, **update)
    more = ", with unlimited damage saves" if options.unlimited else ""
    return Outcome(
        scene=scene.with_sheet(target, sheet),
        headline=f"sets {target.name} to {options.scale} scale{more}",
    )


AMBUSH_GROUP = "ambush"
WAYS = {
    Ambush.BASE: "Base saves only",
    Ambush.ONE_BEST: "One base save, the best",
    Ambush.ONE_WORST: "One base save, the worst",
    Ambush.OUT: "Out of action at once",
    Ambush.DEAD: "Dead at once",
}


class RpjHarmOptions(DamageOptions):
    """The options of damage dealt by the GM."""

    targets: tuple[CharacterId, ...] = Field(min_length=1, max_length=20)


class AmbushOptions(DamageOptions):
    """The options of damage to a helpless or unaware character."""

    target: CharacterId
    how: Ambush | None = None  # how it is resolved; None asks with buttons


@procedure("harm", gm_only=True, needs_actor=False)
def harm(scene: Scene, options: RpjHarmOptions, _dice: Dice) -> Outcome:
    """Deal damage: each target gets a button to save.

    [RPJ-HEALTH-02, RPJ-HEALTH-03, RPJ-HEALTH-11, RPJ-HEALTH-12, RPJ-HEALTH-17]
    """
    assert_scale_played(scene, options.scale)
    given = SaveOptions.model_validate(options.model_dump(exclude={"targets"}))
    buttons: list[FollowUp] = []
    notes: list[str] = []
    people = [scene.character(id_) for id_ in dict.fromkeys(options.targets)]
    for target in people:
        figure = figure_in(scene, target)
        if figure.sheet.health.out is Out.NO:
            button = _button(target, figure, given)
            buttons += [button] if button else []
            notes += [] if button else [f"That can't harm {target.name}."]
        else:
            notes.append(f"{target.name} is already out of action ({figure.sheet.health.out}).")
    if not buttons:
        raise UserError(" ".join(notes), try_this="/rpj-gm health heal restores saves.")
    names = ", ".join(target.name for target in people)
    times = f", {options.times} times" if options.times > 1 else ""
    return Outcome(
        scene=scene,
        headline=f"deals {options.words}{times} to {names}",
        notes=tuple(notes),
        follow_ups=tuple(buttons),
    )


def _button(target: Character, figure: Stats, given: SaveOptions) -> FollowUp | None:
    """The button under damage: to save, or for the GM where no save is allowed; None where it does nothing.

    [RPJ-SCALE-04, RPJ-SCALE-06]
    """
    settled = unrolled(figure, met_spot(figure, given), given.strike)
    if settled is None:
        return save_button(target, figure, given)
    return None if settled == figure.sheet.health else crush_button(target, given)


@procedure("ambush", gm_only=True, needs_actor=False)
def ambush(scene: Scene, options: AmbushOptions, _dice: Dice) -> Outcome:
    """Deal damage to a helpless or unaware character: the GM decides how it is resolved.

    [RPJ-HEALTH-18 (R-133)]
    """
    target = scene.character(options.target)
    if target.sheet.health.out is Out.DEAD:
        raise UserError(f"{target.name} is dead.")
    if options.how is None:
        return Outcome(
            scene=scene,
            headline=f"strikes {target.name} (helpless or unaware): {options.words}",
            follow_ups=tuple(_ways(scene, options)),
        )
    if options.how in (Ambush.OUT, Ambush.DEAD):
        return _put_out_at_once(scene, options)
    button = save_button(target, figure_in(scene, target), _save_options(options, options.how))
    return Outcome(
        scene=scene, headline=f"strikes {target.name}: {options.how}, {options.words}", follow_ups=(button,)
    )


def _save_options(options: AmbushOptions, how: Ambush) -> SaveOptions:
    given = SaveOptions.model_validate(options.model_dump(exclude={"target", "how"}))
    if how is Ambush.BASE:
        return evolve(given, bypass=", ".join(ARMORED))
    single = Single.BEST if how is Ambush.ONE_BEST else Single.WORST
    return evolve(given, single=single, times=1)


def _ways(scene: Scene, options: AmbushOptions) -> list[FollowUp]:
    figure = figure_in(scene, scene.character(options.target))
    ways = list(WAYS.items())
    if figure.sheet.health.out is not Out.NO:
        ways = [(how, label) for how, label in ways if how is Ambush.DEAD]
    return [
        FollowUp(
            procedure="ambush",
            options=evolve(options, how=how),
            label=f"{label}{_target_of(scene, options, how)} (GM)",
            audience=Audience.GM,
            group=AMBUSH_GROUP,
        )
        for how, label in ways
    ]


def _target_of(scene: Scene, options: AmbushOptions, how: Ambush) -> str:
    """The target number of the save, as text."""
    if how in (Ambush.OUT, Ambush.DEAD):
        return ""
    figure, given = figure_in(scene, scene.character(options.target)), _save_options(options, how)
    return f": {spot_of(figure, given).target}+"


def _put_out_at_once(scene: Scene, options: AmbushOptions) -> Outcome:
    target = scene.character(options.target)
    health = target.sheet.health
    is_dead = options.how is Ambush.DEAD
    after = evolve(health, out=Out.DEAD) if is_dead else put_out(health, options.strike)
    done = "kills" if is_dead else "puts out of action"
    return Outcome(scene=with_health(scene, target, after), headline=f"{done} {target.name}")
