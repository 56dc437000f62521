"""Damage that allows no save: the GM confirms it, and players may survive it at a price."""

from bot.rules.kernel import Audience, CharacterId, Document, FollowUp, NoOptions, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.damage_saves import unrolled
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.health_changes import with_health
from bot.rules.rpj.character.lucky_breaks import lose_for_good
from bot.rules.rpj.character.sheet import Character, Outcome, Scene
from bot.rules.rpj.damage.damage_save_commands import DamageOptions, SaveOptions, met_spot
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.require_rules import Pack, require
from bot.rules.rpj.module.scales import Scale
from bot.rules.rpj.module.settings import module_in

SURVIVE_GROUP = "survive"


class CrushOptions(DamageOptions):
    """The options of damage without a save."""

    target: CharacterId


class ScaleOptions(Document):
    """The options of a character's damage scale.

    Attributes:
        target: The character.
        scale: The damage scale their base saves withstand.
        unlimited: Whether no save of theirs is ever crossed off, under cinematic combat.
    """

    target: CharacterId
    scale: Scale = Scale.NORMAL
    unlimited: bool = False


def crush_button(target: Character, options: DamageOptions) -> FollowUp:
    """The GM's button to confirm damage that allows no save.

    Source: RPJ-SCALE-06.
    """
    given = options.model_dump(include=set(DamageOptions.model_fields))
    return FollowUp(
        procedure="crush",
        options=CrushOptions(target=target.id, **given),
        label=f"{target.name[:30]}: apply damage, no save (GM)",
        audience=Audience.GM,
        group=f"crush {target.id}",
    )


def survive_buttons(scene: Scene, target: Character, health: RpjHealth) -> tuple[FollowUp, ...]:
    """The button for a player character to survive giga damage, if it can be paid for.

    Source: RPJ-SCALE-08 (SCALE-08b).
    """
    most = figure_in(scene, target).lucky_breaks
    if target.owner is None or health.out is not Out.INCAPACITATED or most < 1:
        return ()
    return (
        FollowUp(
            procedure="survive",
            options=NoOptions(),
            label=f"{target.name[:24]}: survive, give up a Lucky Break · {most} → {most - 1} per session",
            character=target.id,
            group=SURVIVE_GROUP,
        ),
    )


def crush(scene: Scene, options: CrushOptions, _dice: Dice) -> Outcome:
    """Confirm damage that allows no save.

    Source: RPJ-SCALE-06.
    """
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


declare("crush", CrushOptions, crush, gm_only=True, needs_actor=False)


def crushed_notes(name: str, health: RpjHealth) -> tuple[str, ...]:
    """The effect of damage without a save, in words.

    Source: RPJ-SCALE-06.
    """
    if health.out is Out.NO:
        return (f"Every layer of normal scale is broken; {name} is still in action.",)
    return (f"Every layer of normal scale is broken; {name} is {health.out}.",)


def survive(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Give up a Lucky Break permanently to survive giga damage.

    Raises:
        UserError: If the character is not dying, or has no Lucky Break to give up.

    Source: RPJ-SCALE-08 (SCALE-08a), RPJ-LUCK-05 (R-026).
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


declare("survive", NoOptions, survive)


def set_scale(scene: Scene, options: ScaleOptions, _dice: Dice) -> Outcome:
    """Set a character's damage scale, and whether their saves are unlimited.

    Source: RPJ-SCALE-01, RPJ-SCALE-10, RPJ-CINE-06.
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


declare("scale", ScaleOptions, set_scale, gm_only=True, needs_actor=False)
