"""Level-ups and passive abilities: granted or approved by the GM, each spent on one advance."""

from collections.abc import Callable, Iterable, Iterator

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Deadline,
    Document,
    Family,
    FollowUp,
    NoOptions,
    Place,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, same_name
from bot.rules.post_magic_maid.advancement import (
    MaidAdvance,
    advance_die,
    advance_double,
    advance_passive,
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
from bot.rules.post_magic_maid.cards import MaidPurpose
from bot.rules.post_magic_maid.performance import CheckPlan, make_check
from bot.rules.post_magic_maid.sheet import (
    MOST_STEPS,
    AbilityName,
    Activation,
    Character,
    EffectText,
    MaidAbility,
    MaidAttribute,
    MaidSettings,
    MaidSheet,
    Outcome,
    Scene,
)
from bot.rules.post_magic_maid.tiers import MaidTier
from bot.rules.post_magic_maid.wounds import (
    DIE_POINTS,
    LEVEL_UPS,
    active_names,
    assert_can_act,
    named_pair,
    passive_names,
)

DECLINED = Verdict(Family.FAILURE, "declined")


class MaidPassiveOptions(Document):
    """Options for spending a level-up on a passive ability."""

    ability: AbilityName  # an old one, or the name of a new one
    effect: EffectText = ""  # what the new step does


class PassiveRequest(Document):
    """A passive step that waits for the GM's approval, and its words."""

    character: CharacterId
    ability: AbilityName
    effect: EffectText = ""
    words: str = ""


class MaidApproveOptions(Document):
    """Options for approving or declining a passive step."""

    request: str
    approved: bool


class MaidUseOptions(Document):
    """Options for using a passive ability."""

    ability: str = Field(max_length=100)  # its name
    # Bonus d8s from one's pool thrown in, where it takes a check.
    bonus_dice: int = Field(default=0, ge=0, le=12)


class ActivationOptions(Document):
    """Options for a passive ability's check; no attributes mean no check."""

    target: CharacterId  # whose ability
    ability: str = Field(max_length=100)  # its name
    first: MaidAttribute | None = None  # one attribute, or None for no check
    second: MaidAttribute | None = None  # another attribute
    tier: MaidTier = MaidTier.TEN  # the tier that is needed


def advance_outcome(scene: Scene, advance: MaidAdvance) -> Outcome:
    """The outcome of an advance."""
    return Outcome(scene=scene, headline=f"levels up: {advance.words}", notes=advance.notes)


@procedure("passive")
def ask_for_passive(scene: Scene, options: MaidPassiveOptions, _dice: Dice) -> Outcome:
    """Spend a level-up on a passive step; it stays pending until a GM approves. [PMM-ADV-05, PMM-ABL-04]"""
    actor = scene.actor
    assert_level_up(actor)
    advance = advance_passive(actor.sheet, options.ability, options.effect)
    if scene.is_gm:
        return advance_outcome(spend_level_up(scene, actor, advance), advance)
    key = f"passive/{scene.moment}"
    request = PassiveRequest(
        character=actor.id, ability=options.ability, effect=options.effect, words=advance.words
    )
    effect = (options.effect,) if options.effect else ()
    return Outcome(
        scene=scene.with_document(key, request),
        headline=f"asks the GM for {advance.words}",
        notes=effect,
        follow_ups=approval_buttons(key, advance.words),
    )


def approval_buttons(key: str, words: str) -> tuple[FollowUp, ...]:
    """The GM's two buttons about a request: approve or decline it."""
    return tuple(
        FollowUp(
            procedure="approve",
            options=MaidApproveOptions(request=key, approved=approved),
            label="Approve" if approved else "Decline",
            audience=Audience.GM,
            group="approve",
            window=Deadline(until=(key,)),
            deal=words if approved else "",
            note="The level-up isn't spent until the GM approves.",
            place=Place.VERDICT,
        )
        for approved in (True, False)
    )


@procedure("approve", gm_only=True, needs_actor=False)
def approve_passive(scene: Scene, options: MaidApproveOptions, _dice: Dice) -> Outcome:
    """Approve a passive step, or decline it; then the level-up stays pending. [PMM-ABL-04, PMM-ADV-05]"""
    request = scene.stored(PassiveRequest, options.request)
    if request is None:
        raise UserError("That request has already been decided.")
    scene = scene.with_document(options.request, None)
    character = scene.character(request.character)
    if not options.approved:
        headline = f"declines {request.ability} for {character.name}"
        return Outcome(scene=scene, headline=headline, verdict=DECLINED, moments=(options.request,))
    advance = _approved(character, request)
    return Outcome(
        scene=spend_level_up(scene, character, advance),
        headline=f"approves {advance.words} for {character.name}",
        verdict=Verdict(Family.SUCCESS, "approved"),
        notes=advance.notes,
        moments=(options.request,),
        deal=advance.words,
    )


def _approved(character: Character, request: PassiveRequest) -> MaidAdvance:
    """The advance that was asked for."""
    try:
        assert_level_up(character)
        return advance_passive(character.sheet, request.ability, request.effect)
    except UserError as problem:
        what = f"{character.name} can't get {request.ability} any more: {problem.what}"
        raise UserError(what, "Decline it; the level-up isn't spent.") from problem


def _passive(character: Character, name: str) -> MaidAbility:
    ability = character.sheet.ability(name)
    if not ability.is_passive:
        raise UserError(f"{ability.name} is an active ability.", try_this="Use it in a check.")
    return ability


@procedure("use", can_repeat=True)
def use_passive(scene: Scene, options: MaidUseOptions, dice: Dice) -> Outcome:
    """Use a passive ability, with the check that the GM has set for it, if any. [PMM-ABL-05]

    The ability adds nothing to the check, and the check takes no action.
    """
    actor = scene.actor
    assert_can_act(actor)
    ability = _passive(actor, options.ability)
    wants = ability.activation
    if wants is None:
        return Outcome(scene=scene, headline=f"uses {ability.name}", notes=ability.effects)
    plan = CheckPlan(
        first=wants.first,
        second=wants.second,
        bonus_dice=options.bonus_dice,
        needed=wants.tier,
        is_action=False,
        can_be_helped=False,
    )
    checked = make_check(scene, actor.id, plan, dice, MaidPurpose.PASSIVE)
    is_active = checked.tier.level >= wants.tier.level
    verdict = Verdict(Family.SUCCESS, "active") if is_active else Verdict(Family.FAILURE, "doesn't work")
    return Outcome(
        scene=checked.scene,
        headline=f"uses {ability.name} with {plan.words}",
        verdict=verdict,
        rolls=(checked.roll,),
        notes=(*checked.notes, *(ability.effects if is_active else ())),
    )


@procedure("activation", gm_only=True, needs_actor=False)
def set_activation(scene: Scene, options: ActivationOptions, _dice: Dice) -> Outcome:
    """Set or remove the check that a passive ability needs. [PMM-ABL-05]"""
    character = scene.character(options.target)
    ability = _passive(character, options.ability)
    wants = None
    ruling = "needs no check"
    pair = named_pair(options.first, options.second)
    if pair is not None:
        wants = Activation(first=pair[0], second=pair[1], tier=options.tier)
        ruling = f"needs {wants.first} + {wants.second}, {wants.tier.words}"
    sheet = character.sheet.with_ability(evolve(ability, activation=wants))
    return Outcome(
        scene=scene.with_sheet(character, sheet),
        headline=f"rules that {character.name}'s {ability.name} {ruling}",
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


class MaidSpecializeOptions(Document):
    """Options for a specialization step."""

    attribute: MaidAttribute


class RaiseDieOptions(Document):
    """Options for a larger attribute die."""

    attribute: MaidAttribute


class PlanOptions(Document):
    """Options for planning die steps."""

    die_steps: int = Field(default=1, ge=1, le=20)


@procedure("grant", gm_only=True, needs_actor=False)
def grant(scene: Scene, options: GrantOptions, _dice: Dice) -> Outcome:
    """Give a character level-ups. [PMM-ADV-01]"""
    character = scene.character(options.target)
    waiting = character.left(LEVEL_UPS) + options.count
    count = "a level-up" if options.count == 1 else f"{options.count} level-ups"
    return Outcome(
        scene=scene.with_character(character.with_resource(LEVEL_UPS, waiting)),
        headline=f"gives {character.name} {count}",
        follow_ups=(_menu_button(character, waiting),),
        awards=(("Level-ups", options.count),),
    )


def _menu_button(character: Character, waiting: int) -> FollowUp:
    return FollowUp(
        procedure="level_up",
        options=NoOptions(),
        label=f"Level up ({waiting} waiting)",
        character=character.id,
        group="level_up",
    )


@procedure("single")
def take_single(scene: Scene, options: SingleOptions, _dice: Dice) -> Outcome:
    """Spend a level-up on a single bonus. [PMM-ADV-03]"""
    return _spent(scene, advance_single(scene.actor.sheet, options.ability))


@procedure("double")
def take_double(scene: Scene, options: DoubleOptions, _dice: Dice) -> Outcome:
    """Spend a level-up on a double bonus; without its second ability, ask for it. [PMM-ADV-04]"""
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


@procedure("specialise")
def take_step(scene: Scene, options: MaidSpecializeOptions, _dice: Dice) -> Outcome:
    """Spend a level-up on a specialization step. [PMM-ADV-06]"""
    return _spent(scene, advance_step(scene.actor.sheet, options.attribute))


@procedure("raise_die")
def take_die(scene: Scene, options: RaiseDieOptions, _dice: Dice) -> Outcome:
    """Spend a level-up and a die point on a larger die. [PMM-ADV-10]"""
    assert_level_up(scene.actor)
    return _spent(scene, advance_die(scene.actor, options.attribute, scene.settings.die_track))


def _spent(scene: Scene, advance: MaidAdvance) -> Outcome:
    scene = spend_level_up(scene, scene.actor, advance)
    done = advance_outcome(scene, advance)
    waiting = scene.actor.resources[LEVEL_UPS]
    again = (_menu_button(scene.actor, waiting),) if waiting else ()
    return Outcome(scene=scene, headline=done.headline, notes=done.notes, follow_ups=again)


@procedure("level_up")
def choose_advance(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show menus of what a level-up can buy, and name what is not allowed. [PMM-ADV-02]"""
    actor = scene.actor
    assert_level_up(actor)
    settings = scene.settings
    return Outcome(
        scene=scene,
        headline=f"chooses a level-up ({actor.resources[LEVEL_UPS]} waiting)",
        notes=(
            *_left_out(actor, settings.die_track),
            "To add a new ability, press Grow … on your sheet.",
        ),
        follow_ups=tuple(menu for menu in level_up_menus(actor, settings) if menu.choices),
    )


def level_up_menus(actor: Character, settings: MaidSettings) -> Iterator[FollowUp]:
    """A menu of the allowed choices for each way to spend a level-up."""
    sheet = actor.sheet
    actives, passives = active_names(actor, settings), passive_names(actor, settings)
    singles = _ability_choices(sheet, actives, single_problem, _after_single)
    doubles = _ability_choices(sheet, actives, double_problem, _after_double)
    steps = _ability_choices(sheet, passives, passive_problem, _after_passive)
    specialize, raised = (
        MaidSpecializeOptions(attribute=MaidAttribute.INT),
        RaiseDieOptions(attribute=MaidAttribute.INT),
    )
    dice = _die_choices(actor, settings.die_track)
    yield _menu(actor, "single", SingleOptions(ability="-"), "Single bonus on …", singles, "ability")
    yield _menu(actor, "double", DoubleOptions(ability="-"), "Double bonus on …", doubles, "ability")
    yield _menu(actor, "passive", MaidPassiveOptions(ability="-"), "Passive bonus on …", steps, "ability")
    yield _menu(actor, "specialise", specialize, "Specialize in …", _step_choices(sheet), "attribute")
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
    if not actor.left(DIE_POINTS):
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
        f"{a} already has three specialization steps."
        for a in MaidAttribute
        if sheet.attributes[a].steps >= MOST_STEPS
    ]
    if not actor.left(DIE_POINTS):
        full.append("A larger die costs a die point.")
    elif not growing_attributes(sheet, track):
        full.append("Every die is already the largest in this campaign.")
    return tuple(sentence for sentence in full if sentence)


@procedure("plan")
def plan_die_steps(scene: Scene, options: PlanOptions, _dice: Dice) -> Outcome:
    """Show what is nearest to a die point, and how many level-ups the die steps cost. [PMM-ADV-13]"""
    actor = scene.actor
    points = actor.left(DIE_POINTS)
    away, names = nearest_die_points(actor.sheet)
    steps = "a die step costs" if options.die_steps == 1 else f"{options.die_steps} die steps cost"
    fewest = level_ups_for(options.die_steps, with_doubles=True)
    plain = level_ups_for(options.die_steps, with_doubles=False)
    bonuses = counted(away, "bonus", "bonuses")
    return Outcome(
        scene=scene,
        headline="plans ahead",
        notes=(
            f"Die points: {points}. The nearest is {bonuses} away: {', '.join(names) or 'a new ability'}.",
            f"From scratch, {steps} {plain} level-ups with singles, passives or specialization.",
            f"With doubles that raise two abilities at once: {fewest}.",
        ),
        is_public=False,
    )
