"""Wild magic: ability skills, stamina and practice, and using an ability with its strain and effect."""

from collections.abc import Sequence

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    DueTimer,
    Family,
    FollowUp,
    NamedTerm,
    NoOptions,
    Roll,
    TextField,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import same_name, shown_number, signed
from bot.rules.rpj.character.casters import broken, defense_against_magic, linked_level
from bot.rules.rpj.character.damage_saves import Strike, put_out
from bot.rules.rpj.character.incapacity import assert_in_action, with_health
from bot.rules.rpj.character.lucky_breaks import Rescue, paid_for, rescue_buttons, window_of
from bot.rules.rpj.character.sheet import Character, HookResult, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.checks.skill_checks import Situation, skill_check
from bot.rules.rpj.combat.fight import is_fighting
from bot.rules.rpj.layers_and_saves import SaveOptions, save_button
from bot.rules.rpj.module.abilities import (
    Ability,
    Reach,
    Strain,
    Wild,
    ability_check,
    after_practice,
    begin_practice,
    most_stamina,
    regained,
    strain_of,
    strain_roll,
)
from bot.rules.rpj.module.basics import RpjAttribute, named
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import AbilityPower
from bot.rules.rpj.module.module import Pack, RpjSkill
from bot.rules.rpj.module.module_files import module_in, require
from bot.rules.rpj.module.spells import spell_defense_roll, touch_check
from bot.rules.rpj.resolution.check import RpjResult, chance_words, check, reading_of
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs, RpjPurpose


def ability_skills(figure: Stats) -> tuple[RpjSkill, ...]:
    """The ability skills a character has learned, the best first. [RPJ-WMAG-01]"""
    ids = [sphere.skill for sphere in figure.module.spheres]
    learned = [skill for skill in figure.module.skills if skill.id in ids and figure.base_level(skill) > 0]
    return tuple(sorted(learned, key=lambda skill: -figure.effective_level(skill)))


def ability_skill(figure: Stats, typed: str) -> RpjSkill:
    """The ability skill a person typed, or their best one. [RPJ-WMAG-01 (WMAG-01a)]

    Raises:
        UserError: If they have learned none, or not that one.
    """
    learned = ability_skills(figure)
    if not learned:
        raise UserError("You haven't learned any ability skill.", "You need one at base level 1 or higher.")
    if found := named(learned, typed) if typed.strip() else learned[0]:
        return found
    names = ", ".join(skill.name for skill in learned)
    raise UserError(f"You have no ability skill called “{typed}”.", f"Your ability skills: {names}.")


def stamina_of(figure: Stats) -> tuple[int, int]:
    """Ability stamina: what is left (may be negative), and the maximum. [RPJ-WMAG-06, RPJ-WMAG-07]"""
    skills = (
        (figure.base_level(skill), figure.bonus(figure.linked(skill))) for skill in ability_skills(figure)
    )
    most = most_stamina(skills, figure.bonus(RpjAttribute.CON))
    return most - figure.sheet.wild.spent, most


def ability_inputs(figure: Stats, skill: RpjSkill, cost: int) -> RpjCheckInputs:
    """The inputs of an ability check: the skill with its modifiers, and additions to ability power.

    Raises:
        UserError: If the skill was never learned.

    [RPJ-WMAG-02, RPJ-APPX-15]
    """
    sphere = next((found for found in figure.module.spheres if found.skill == skill.id), None)
    more = sum(
        effect.value
        for effect in figure.effects
        if isinstance(effect, AbilityPower) and effect.skill in ("", skill.id)
    )
    terms = (
        *skill_check(figure, skill, Situation()).terms,
        NamedTerm(label="sphere", value=sphere.power if sphere else 0),
        NamedTerm(label="power", value=more),
    )
    nonzero = tuple(term for term in terms if term.value)
    return ability_check(nonzero, cost, figure.module.criticals, figure.base_level(skill))


def abilities_of(figure: Stats) -> tuple[Ability, ...]:
    """Saved abilities, then the module's for learned skills. [RPJ-WMAG-20]"""
    learned = {skill.id for skill in ability_skills(figure)}
    own = tuple(one for one in figure.sheet.wild.abilities if one.skill in learned)
    taken = {one.name.casefold() for one in own}
    return own + tuple(
        Ability(name=one.name, skill=one.skill, recipe=one.recipe, is_premade=True)
        for one in figure.module.abilities
        if one.skill in learned and one.name.casefold() not in taken
    )


def ability_named(figure: Stats, typed: str) -> Ability:
    """The ability a person typed.

    Raises:
        UserError: If they have none of that name.
    """
    found = next((one for one in abilities_of(figure) if same_name(one.name, typed)), None)
    if found is None:
        names = ", ".join(one.name for one in abilities_of(figure))
        hint = f"Your abilities: {names}." if names else "Build one with /rpj-magic ability make."
        raise UserError(f"You have no ability called “{typed}”.", hint)
    return found


def with_wild(scene: Scene, who: CharacterId, wild: Wild) -> Scene:
    """The scene with a character's wild magic changed."""
    character = scene.character(who)
    sheet = evolve(character.sheet, wild=wild)
    return scene.with_sheet(character, sheet)


def rested_hours(figure: Stats, hours: int) -> Wild:
    """A character's wild magic after full hours of rest. [RPJ-WMAG-09]"""
    left, most = stamina_of(figure)
    after = regained(left, most, hours)
    return evolve(figure.sheet.wild, spent=max(most - after, 0))


PRACTICE = "practice"


class NamedOptions(Document):
    """The options of a command about a saved ability."""

    ability: str = Field(max_length=100)


@procedure("forget_ability")
def forget(scene: Scene, options: NamedOptions, _dice: Dice) -> Outcome:
    """Delete a saved ability."""
    require(scene, Pack.WILD_MAGIC)
    actor = scene.actor
    wild = actor.sheet.wild
    ability = wild.ability(options.ability)
    if ability is None:
        raise UserError(
            f"You have no saved ability called “{options.ability}”.",
            try_this="See yours with /rpj-magic ability list.",
        )
    rest = tuple(one for one in wild.abilities if one != ability)
    after = evolve(wild, abilities=rest)
    return Outcome(scene=with_wild(scene, actor.id, after), headline=f"deletes the ability {ability.name}")


@procedure("practice")
def practice(scene: Scene, options: NamedOptions, _dice: Dice) -> Outcome:
    """Start a month of practice, after which an ability costs one less permanently. [RPJ-WMAG-21]

    Raises:
        UserError: If practice would do nothing.
    """
    require(scene, Pack.PRACTICED_IMPROVISATION)
    actor = scene.actor
    figure = figure_in(scene, actor)
    ability = ability_named(figure, options.ability)
    wild = actor.sheet.wild
    dropped = wild.practice
    days = module_in(scene.settings).money.month_days
    begun = begin_practice(wild, ability, scene.clock, days)
    scene = with_wild(scene, actor.id, begun)
    until = begun.practice.until if begun.practice else scene.clock
    scene = scene.with_character(scene.character(actor.id).with_timer(PRACTICE, until))
    notes = (f"Practicing {dropped.ability} stops.",) if dropped else ()
    return Outcome(scene=scene, headline=f"starts practicing {ability.name} for a month", notes=notes)


def ability_lines(figure: Stats) -> tuple[str, ...]:
    """Stamina, and every ability with its cost. [RPJ-WMAG-06, RPJ-WMAG-20]"""
    left, most = stamina_of(figure)
    lines = [f"Stamina {shown_number(left)} of {most}"]
    for one in abilities_of(figure):
        marks = " · practiced" if one.is_practiced else " · from the module" if one.is_premade else ""
        lines.append(f"{one.name} · cost {one.cost}{marks}")
    if figure.sheet.wild.practice:
        lines.append(f"Practicing: {figure.sheet.wild.practice.ability}")
    return tuple(lines)


@procedure("abilities")
def look(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the character's abilities."""
    require(scene, Pack.WILD_MAGIC)
    lines = ability_lines(figure_in(scene, scene.actor))
    return Outcome(scene=scene, headline="looks at their abilities", notes=lines, is_public=False)


def practice_ends(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """End a month of practice: the ability costs one less from now on. [RPJ-WMAG-21]"""
    notes: list[str] = []
    for timer in due:
        character = scene.character(timer.character)
        before = character.sheet.wild
        scene = with_wild(scene, character.id, after_practice(before, scene.clock))
        scene = scene.with_character(scene.character(character.id).with_timer(PRACTICE, None))
        if before.practice is not None:
            notes.append(f"{character.name} has practiced {before.practice.ability}: it costs 1 less.")
    return HookResult(scene=scene, notes=tuple(notes))


STRAIN = "strain"


def _strain_inputs(scene: Scene, who: CharacterId) -> RpjCheckInputs | None:
    figure = figure_in(scene, scene.character(who))
    if not figure.sheet.wild.is_strained:
        return None
    left, _most = stamina_of(figure)
    return strain_roll(figure.level(RpjAttribute.WIL), left, figure.module.criticals)


def strain_button(scene: Scene, who: CharacterId) -> tuple[FollowUp, ...]:
    """The button of a due strain roll. [RPJ-WMAG-08]"""
    inputs = _strain_inputs(scene, who)
    if inputs is None:
        return ()
    chance = chance_words(inputs)
    return (
        FollowUp(
            procedure=STRAIN,
            options=NoOptions(),
            label=f"Strain: roll {inputs.target}+ · {chance}",
            character=who,
            group=STRAIN,
        ),
    )


@procedure(STRAIN)
def roll_strain(scene: Scene, _options: NoOptions, dice: Dice) -> Outcome:
    """Roll against strain when out of stamina; it never costs a damage save. [RPJ-WMAG-08]

    Raises:
        UserError: If no strain roll is due.
    """
    actor = scene.actor
    inputs = _strain_inputs(scene, actor.id)
    if inputs is None:
        raise UserError(f"{actor.name} doesn't need to roll against strain.")
    roll = check(inputs, dice)
    came = strain_of(reading_of(roll).result)
    relieved = evolve(actor.sheet.wild, is_strained=False)
    scene = with_wild(scene, actor.id, relieved)
    if came is not Strain.HELD:
        strike = Strike(is_nonlethal=came is Strain.KNOCKED_OUT)
        character = scene.character(actor.id)
        health = put_out(character.sheet.health, strike)
        scene = with_health(scene, character, health, in_combat=is_fighting(scene, actor.id))
    is_held = came is Strain.HELD
    return Outcome(
        scene=scene,
        headline="rolls against strain",
        verdict=Verdict(Family.SUCCESS if is_held else Family.FAILURE, came),
        rolls=(roll,),
        passed=reading_of(roll).result is not RpjResult.UNDECIDED and is_held,
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
