"""Level-ups: granted by the GM, each spent on one advance."""

from collections.abc import Callable, Iterable, Iterator

from pydantic import Field

from bot.rules.kernel import CharacterId, Choice, Document, FollowUp, NoOptions, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import same_name
from bot.rules.post_magic_maid.advancement.advancement import (
    MaidAdvance,
    advance_die,
    advance_double,
    advance_single,
    advance_step,
    assert_level_up,
    double_problem,
    growing_attributes,
    level_ups_for,
    nearest_die_points,
    next_die,
    passive_problem,
    single_problem,
    spend_level_up,
)
from bot.rules.post_magic_maid.advancement.passives import MaidPassiveOptions, advance_outcome
from bot.rules.post_magic_maid.character.ability_names import active_names, passive_names
from bot.rules.post_magic_maid.character.resources import DIE_POINTS, LEVEL_UPS
from bot.rules.post_magic_maid.character.scene import Character, Outcome, Scene
from bot.rules.post_magic_maid.character.settings import MaidSettings
from bot.rules.post_magic_maid.character.sheet import (
    MOST_STEPS,
    AbilityName,
    MaidAbility,
    MaidAttribute,
    MaidSheet,
)

MOST_CHOICES = 25


class GrantOptions(Document):
    """Options for granting level-ups."""

    target: CharacterId
    count: int = Field(default=1, ge=1, le=20)


class SingleOptions(Document):
    """Options for a single bonus: an existing ability, or the name of a new one."""

    ability: AbilityName


class DoubleOptions(Document):
    """Options for a double bonus: two abilities; without the second one, a menu asks for it."""

    ability: AbilityName
    second: AbilityName | None = None


class MaidSpecialiseOptions(Document):
    """Options for a specialisation step."""

    attribute: MaidAttribute


class RaiseDieOptions(Document):
    """Options for a larger attribute die."""

    attribute: MaidAttribute


class PlanOptions(Document):
    """Options for planning die steps."""

    die_steps: int = Field(default=1, ge=1, le=20)


def grant(scene: Scene, options: GrantOptions, _dice: Dice) -> Outcome:
    """Give a character level-ups.

    Source: PMM-ADV-01.
    """
    character = scene.character(options.target)
    waiting = character.resources.get(LEVEL_UPS, 0) + options.count
    count = "a level-up" if options.count == 1 else f"{options.count} level-ups"
    return Outcome(
        scene=scene.with_character(character.with_resource(LEVEL_UPS, waiting)),
        headline=f"gives {character.name} {count}",
        follow_ups=(_menu_button(character, waiting),),
    )


declare("grant", GrantOptions, grant, gm_only=True, needs_actor=False)


def _menu_button(character: Character, waiting: int) -> FollowUp:
    return FollowUp(
        procedure="level_up",
        options=NoOptions(),
        label=f"Level up ({waiting} waiting)",
        character=character.id,
        group="level_up",
    )


def take_single(scene: Scene, options: SingleOptions, _dice: Dice) -> Outcome:
    """Spend a level-up on a single bonus.

    Source: PMM-ADV-03.
    """
    return _spent(scene, advance_single(scene.actor.sheet, options.ability))


declare("single", SingleOptions, take_single)


def take_double(scene: Scene, options: DoubleOptions, _dice: Dice) -> Outcome:
    """Spend a level-up on a double bonus; without its second ability, ask for it.

    Source: PMM-ADV-04.
    """
    actor = scene.actor
    sheet = actor.sheet
    if options.second is not None:
        return _spent(scene, advance_double(sheet, options.ability, options.second))
    assert_level_up(actor)
    problem = double_problem(sheet.find_ability(options.ability))
    if problem:
        raise UserError(problem, try_this="Choose another ability.")
    names = [name for name in active_names(actor, scene.settings) if not same_name(name, options.ability)]
    menu = FollowUp(
        procedure="double",
        options=options,
        label=f"+2 on {options.ability} and …",
        character=actor.id,
        choices=_ability_choices(sheet, names, double_problem, _after_double),
        chosen="second",
        group="level_up",
    )
    return Outcome(
        scene=scene, headline=f"chooses a double bonus: {options.ability} and another", follow_ups=(menu,)
    )


declare("double", DoubleOptions, take_double)


def take_step(scene: Scene, options: MaidSpecialiseOptions, _dice: Dice) -> Outcome:
    """Spend a level-up on a specialisation step.

    Source: PMM-ADV-06.
    """
    return _spent(scene, advance_step(scene.actor.sheet, options.attribute))


declare("specialise", MaidSpecialiseOptions, take_step)


def take_die(scene: Scene, options: RaiseDieOptions, _dice: Dice) -> Outcome:
    """Spend a level-up and a die point on a larger die.

    Source: PMM-ADV-10.
    """
    assert_level_up(scene.actor)
    return _spent(scene, advance_die(scene.actor, options.attribute, scene.settings.die_track))


declare("raise_die", RaiseDieOptions, take_die)


def _spent(scene: Scene, advance: MaidAdvance) -> Outcome:
    scene = spend_level_up(scene, scene.actor, advance)
    done = advance_outcome(scene, advance)
    waiting = scene.actor.resources[LEVEL_UPS]
    again = (_menu_button(scene.actor, waiting),) if waiting else ()
    return Outcome(scene=scene, headline=done.headline, notes=done.notes, follow_ups=again)


def choose_advance(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show menus of what a level-up can buy, and name what is not allowed.

    Source: PMM-ADV-02.
    """
    actor = scene.actor
    assert_level_up(actor)
    settings = scene.settings
    return Outcome(
        scene=scene,
        headline=f"chooses a level-up ({actor.resources[LEVEL_UPS]} waiting)",
        notes=(
            *_left_out(actor, settings.die_track),
            "To add a new ability, use /maid levelup single, double or passive.",
        ),
        follow_ups=tuple(menu for menu in level_up_menus(actor, settings) if menu.choices),
    )


declare("level_up", NoOptions, choose_advance)


def level_up_menus(actor: Character, settings: MaidSettings) -> Iterator[FollowUp]:
    """A menu of the allowed choices for each way to spend a level-up."""
    sheet = actor.sheet
    actives, passives = active_names(actor, settings), passive_names(actor, settings)
    singles = _ability_choices(sheet, actives, single_problem, _after_single)
    doubles = _ability_choices(sheet, actives, double_problem, _after_double)
    steps = _ability_choices(sheet, passives, passive_problem, _after_passive)
    specialise, raised = (
        MaidSpecialiseOptions(attribute=MaidAttribute.INT),
        RaiseDieOptions(attribute=MaidAttribute.INT),
    )
    dice = _die_choices(actor, settings.die_track)
    yield _menu(actor, "single", SingleOptions(ability="-"), "Single bonus on …", singles, "ability")
    yield _menu(actor, "double", DoubleOptions(ability="-"), "Double bonus on …", doubles, "ability")
    yield _menu(actor, "passive", MaidPassiveOptions(ability="-"), "Passive bonus on …", steps, "ability")
    yield _menu(actor, "specialise", specialise, "Specialise in …", _step_choices(sheet), "attribute")
    yield _menu(actor, "raise_die", raised, "Larger die for …", dice, "attribute")


def _menu(
    actor: Character,
    procedure: str,
    options: Document,
    label: str,
    choices: tuple[Choice, ...],
    chosen: str,
) -> FollowUp:
    return FollowUp(
        procedure=procedure,
        options=options,
        label=label,
        character=actor.id,
        choices=choices,
        chosen=chosen,
        group="level_up",
    )


def _ability_choices(
    sheet: MaidSheet,
    names: Iterable[str],
    problem: Callable[[MaidAbility | None], str],
    after: Callable[[MaidAbility | None], str],
) -> tuple[Choice, ...]:
    """The abilities that can take a bonus, existing ones first, with its effect."""
    choices = (
        Choice(value=name, label=name, note=after(ability))
        for name, ability in ((name, sheet.find_ability(name)) for name in names)
        if not problem(ability)
    )
    return tuple(choices)[:MOST_CHOICES]


def _after_single(ability: MaidAbility | None) -> str:
    if ability is None:
        return "new, +5"
    return f"+{ability.bonus} to +{evolve(ability, singles=ability.singles + 1).bonus}"


def _after_double(ability: MaidAbility | None) -> str:
    return "new, +2" if ability is None else f"+{ability.bonus} to +{ability.bonus + 2}"


def _after_passive(ability: MaidAbility | None) -> str:
    return "new" if ability is None else f"strength {ability.passives} to {ability.passives + 1}"


def _step_choices(sheet: MaidSheet) -> tuple[Choice, ...]:
    return tuple(
        Choice(value=a.value, label=a.value, note=f"+{score.bonus} to +{score.bonus + 1}")
        for a, score in ((a, sheet.attributes[a]) for a in MaidAttribute)
        if score.steps < MOST_STEPS
    )


def _die_choices(actor: Character, track: tuple[int, ...]) -> tuple[Choice, ...]:
    if not actor.resources.get(DIE_POINTS, 0):
        return ()
    sheet = actor.sheet
    return tuple(
        Choice(
            value=a.value,
            label=a.value,
            note=f"d{sheet.attributes[a].die} to d{next_die(sheet.attributes[a].die, track)}",
        )
        for a in growing_attributes(sheet, track)
    )


def _left_out(actor: Character, track: tuple[int, ...]) -> tuple[str, ...]:
    """One sentence for each choice that is missing from the menus."""
    sheet = actor.sheet
    full = [single_problem(ability) for ability in sheet.actives()]
    full += [double_problem(ability) for ability in sheet.actives()]
    full += [
        f"{a} already has three specialisation steps."
        for a in MaidAttribute
        if sheet.attributes[a].steps >= MOST_STEPS
    ]
    if not actor.resources.get(DIE_POINTS, 0):
        full.append("A larger die costs a die point.")
    elif not growing_attributes(sheet, track):
        full.append("Every die is already the largest in this campaign.")
    return tuple(sentence for sentence in full if sentence)


def plan_die_steps(scene: Scene, options: PlanOptions, _dice: Dice) -> Outcome:
    """Show what is nearest to a die point, and how many level-ups the die steps cost.

    Source: PMM-ADV-13.
    """
    actor = scene.actor
    points = actor.resources.get(DIE_POINTS, 0)
    away, names = nearest_die_points(actor.sheet)
    steps = "a die step costs" if options.die_steps == 1 else f"{options.die_steps} die steps cost"
    fewest = level_ups_for(options.die_steps, with_doubles=True)
    plain = level_ups_for(options.die_steps, with_doubles=False)
    bonuses = "1 bonus" if away == 1 else f"{away} bonuses"
    return Outcome(
        scene=scene,
        headline="plans ahead",
        notes=(
            f"Die points: {points}. The nearest is {bonuses} away: {', '.join(names) or 'a new ability'}.",
            f"From scratch, {steps} {plain} level-ups with singles, passives or specialisation.",
            f"With doubles that raise two abilities at once: {fewest}.",
        ),
        is_public=False,
    )


declare("plan", PlanOptions, plan_die_steps)
