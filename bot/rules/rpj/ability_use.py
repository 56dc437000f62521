"""Using abilities: the check, its stamina, strain, and the effect on a target."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    Family,
    FollowUp,
    Roll,
    TextField,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import shown_number, signed
from bot.rules.rpj.character.casters import broken, defense_against_magic, linked_level
from bot.rules.rpj.character.incapacity import assert_in_action
from bot.rules.rpj.character.lucky_breaks import Rescue, paid_for, rescue_buttons, window_of
from bot.rules.rpj.character.sheet import Character, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.layers_and_saves import SaveOptions, save_button
from bot.rules.rpj.module.abilities import Ability, Reach
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.settings import require
from bot.rules.rpj.module.spells import spell_defense_roll, touch_check
from bot.rules.rpj.resolution.check import chance_words, check, reading_of
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs, RpjPurpose
from bot.rules.rpj.wild_magic import (
    ability_inputs,
    ability_named,
    stamina_of,
    strain_button,
    with_wild,
)

ABILITY = "ability"
LONGEST = 300


class RpjUseOptions(Document):
    """The options of using a saved ability."""

    ability: str = Field(max_length=100)  # its name
    target: CharacterId | None = None
    unwilling: bool = False  # whether the target resists being touched
    # In a fight, the targets by name, separated by commas; mooks too.
    at: str = Field(default="", max_length=200)


class Wielded(Document):
    """The options of an ability being used."""

    ability: Ability
    target: CharacterId | None = None
    rolled: RpjCheckInputs | None = None  # a roll made before, or None


class ResistOptions(Document):
    """The options of resisting an ability."""

    ability: Ability
    user: CharacterId  # who uses it
    rolled: RpjCheckInputs | None = None  # a roll made before, or None


class RpjMishapOptions(Document):
    """The options of a mishap."""

    text: str = Field(default="", max_length=LONGEST)


def use_named(scene: Scene, options: RpjUseOptions, dice: Dice) -> Outcome:
    """Use a saved ability, or one from the module. [RPJ-WMAG-18, RPJ-WMAG-20]"""
    require(scene, Pack.WILD_MAGIC)
    figure = figure_in(scene, scene.actor)
    ability = ability_named(figure, options.ability)
    wielded = Wielded(ability=ability, target=options.target)
    if not options.unwilling:
        return use(scene, wielded, dice)
    if options.target is None or ability.recipe.reach is not Reach.TOUCH:
        raise UserError(
            "Only the target of a touch can be unwilling.", "Choose the target of a touch ability."
        )
    return _touched_first(scene, wielded, options.target, dice)


def _touched_first(scene: Scene, wielded: Wielded, target: CharacterId, dice: Dice) -> Outcome:
    """Touch an unwilling target; a miss costs the stamina and ends the attempt. [RPJ-WMAG-18 (WMAG-18b)]"""
    actor = scene.actor
    figure, other = figure_in(scene, actor), figure_in(scene, scene.character(target))
    levels = figure.level(RpjAttribute.DEX), other.level(RpjAttribute.DEX)
    touch = check(touch_check(*levels, figure.module.criticals), dice).by(actor, RpjPurpose.TOUCH)
    if reading_of(touch).result.is_success:
        done = use(scene, wielded, dice)
        return replace(done, rolls=(touch, *done.rolls))
    paid = attempt_paid(scene, actor, wielded.ability)
    name = scene.character(target).name
    return Outcome(
        scene=paid,
        paid=paid,
        headline=f"tries to touch {name} with {wielded.ability.name}",
        verdict=Verdict(Family.FAILURE, "misses"),
        rolls=(touch,),
        notes=stamina_notes(scene, paid, actor),
        follow_ups=strain_button(paid, actor.id),
    )


def attempt_paid(scene: Scene, actor: Character, ability: Ability) -> Scene:
    """The scene after paying for the attempt, which breaks concentration. [RPJ-WMAG-07, RPJ-SMAG-16]

    Raises:
        UserError: If a strain roll is still due, or the actor is out of action.
    """
    sheet = actor.sheet
    assert_in_action(actor.name, sheet.health, "use abilities")
    if sheet.wild.is_strained:
        raise UserError(
            "You must roll against strain first.", "Press its button, or use /rpj-magic ability strain."
        )
    scene = broken(scene, actor.id)
    spent = scene.character(actor.id).sheet.wild.paid(ability.cost)
    scene = with_wild(scene, actor.id, spent)
    left, _most = stamina_of(figure_in(scene, scene.character(actor.id)))
    return with_wild(scene, actor.id, evolve(spent, is_strained=left <= 0))


def stamina_notes(before: Scene, after: Scene, actor: Character) -> tuple[str, ...]:
    """The stamina an attempt cost, in words; empty where it cost nothing. [RPJ-WMAG-07]"""
    was, _most = stamina_of(figure_in(before, before.character(actor.id)))
    now, most = stamina_of(figure_in(after, after.character(actor.id)))
    change = f"Stamina {shown_number(was)} → {shown_number(now)} of {most}."
    return (change,) if was != now else ()


@procedure("wield")
def use(scene: Scene, options: Wielded, dice: Dice) -> Outcome:
    """Use an ability, which costs stamina whether or not it works. [RPJ-WMAG-02, RPJ-WMAG-04, RPJ-WMAG-07]"""
    require(scene, Pack.WILD_MAGIC)
    actor, ability = scene.actor, options.ability
    figure = figure_in(scene, actor)
    fresh = ability_inputs(figure, figure.known_skill(ability.skill), ability.cost)
    inputs = options.rolled or fresh
    paid = paid_for(scene, actor.id, inputs)
    if options.rolled is None:
        paid = attempt_paid(paid, actor, ability)
    roll = check(inputs, dice).by(actor, RpjPurpose.ABILITY)
    target = None if options.target is None else paid.character(options.target)
    at = f" on {target.name}" if target is not None and target.id != actor.id else ""
    return Outcome(
        scene=paid,
        paid=paid,
        headline=f"uses {ability.name}{at}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(*recipe_notes(ability), *stamina_notes(scene, paid, actor)),
        follow_ups=_after_use(paid, options, roll, target),
        skill=figure.known_skill(ability.skill).name,
    )


def recipe_notes(ability: Ability) -> tuple[str, ...]:
    """The cost of an ability with its parts, and how long it takes in a fight. [RPJ-WMAG-02, RPJ-WMAG-14]"""
    recipe = ability.recipe
    rounds = recipe.concentration.rounds
    parts = [f"{name} {signed(cost)}" for name, cost in recipe.parts]
    parts += ["practiced −1"] if ability.is_practiced else []
    notes = [f"Cost {ability.cost}" + (f": {', '.join(parts)}." if parts else ".")]
    if rounds:
        notes.append(
            "In a fight it takes the whole turn." if rounds == 1 else f"In a fight: {rounds} rounds."
        )
    return tuple(notes)


def mishap_button(who: CharacterId) -> FollowUp:
    """The GM's button to add a mishap. [RPJ-WMAG-04]"""
    return FollowUp(
        procedure="mishap",
        options=RpjMishapOptions(),
        label="Mishap (GM)",
        audience=Audience.GM,
        character=who,
        blanks=(TextField(key="text", prompt="What goes wrong?", longest=LONGEST),),
        group=ABILITY,
    )


def _after_use(scene: Scene, options: Wielded, roll: Roll, target: Character | None) -> tuple[FollowUp, ...]:
    actor = scene.actor
    worked = reading_of(roll).result.is_success
    rescue = Rescue(
        procedure="wield",
        options=lambda rolled: evolve(options, rolled=rolled),
        window=window_of(actor.id, *([target.id] if target else [])),
        improves=True,
    )
    effect = () if target is None or not worked else _effect(scene, options.ability, actor, target)
    return (
        *strain_button(scene, actor.id),
        *effect,
        *(() if worked else (mishap_button(actor.id),)),
        *rescue_buttons(actor, roll, rescue),
    )


def _effect(scene: Scene, ability: Ability, user: Character, target: Character) -> tuple[FollowUp, ...]:
    """The effect of an ability that worked; a target with a spell defense may resist first.

    [RPJ-WMAG-05, RPJ-SMAG-18]
    """
    figure = figure_in(scene, target)
    if target.id == user.id or (value := defense_against_magic(figure)) is None:
        return _damage(ability, target, figure)
    asked = _resisting(figure_in(scene, user), ability, figure, value)
    chance = chance_words(asked)
    return (
        FollowUp(
            procedure="resist_ability",
            options=ResistOptions(ability=ability, user=user.id),
            label=f"Resist with {value} · {chance}",
            character=target.id,
            group=ABILITY,
            is_owed=True,
        ),
    )


def _resisting(user: Stats, ability: Ability, figure: Stats, value: int) -> RpjCheckInputs:
    return spell_defense_roll(value, linked_level(user, ability.skill), figure.module.criticals)


def _damage(ability: Ability, target: Character, figure: Stats) -> tuple[FollowUp, ...]:
    damage = ability.recipe.damage
    if damage is None or figure.sheet.health.out is not Out.NO:
        return ()
    return (save_button(target, figure, SaveOptions(damage=damage)),)


@procedure("resist_ability")
def resist(scene: Scene, options: ResistOptions, dice: Dice) -> Outcome:
    """Roll to resist an ability; on a failure it takes effect. [RPJ-WMAG-05, RPJ-APPX-16]"""
    target = scene.actor
    figure = figure_in(scene, target)
    value = defense_against_magic(figure)
    if value is None:
        raise UserError(f"{target.name} has no spell defense.")
    user = figure_in(scene, scene.character(options.user))
    inputs = options.rolled or _resisting(user, options.ability, figure, value)
    paid = paid_for(scene, target.id, inputs)
    roll = check(inputs, dice).by(target, RpjPurpose.RESISTANCE)
    resisted = reading_of(roll).result.is_success
    rescue = Rescue(
        procedure="resist_ability",
        options=lambda rolled: evolve(options, rolled=rolled),
        window=window_of(target.id, options.user),
    )
    return Outcome(
        scene=paid,
        paid=paid,
        headline=f"{'resists' if resisted else 'fails to resist'} {options.ability.name}",
        verdict=roll.verdict,
        rolls=(roll,),
        follow_ups=(
            *(() if resisted else _damage(options.ability, target, figure)),
            *rescue_buttons(paid.character(target.id), roll, rescue),
        ),
    )


@procedure("mishap", gm_only=True)
def tell_mishap(scene: Scene, options: RpjMishapOptions, _dice: Dice) -> Outcome:
    """Add a mishap to a failed ability. [RPJ-WMAG-04]"""
    notes = (options.text.strip(),) if options.text.strip() else ()
    return Outcome(scene=scene, headline="suffers a mishap", notes=notes)
