"""What the GM does to characters: damage with or without a save, blocked skills, custom traits."""

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Document, FollowUp, NoOptions, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import label_with, listed
from bot.rules.rpj.character.damage_saves import ARMORED, Ambush, put_out, unrolled
from bot.rules.rpj.character.incapacity import with_health
from bot.rules.rpj.character.lucky_breaks import lose_for_good
from bot.rules.rpj.character.sheet import (
    Character,
    Outcome,
    OwnTrait,
    RpjSheet,
    Scene,
    Stats,
    TraitSource,
    figure_in,
)
from bot.rules.rpj.character_points import class_skill_problems, take_trait
from bot.rules.rpj.checks.skill_checks import skill_named
from bot.rules.rpj.layers_and_saves import (
    DamageOptions,
    SaveOptions,
    Single,
    assert_scale_played,
    met_spot,
    save_button,
    spot_of,
)
from bot.rules.rpj.module.basics import RpjAttribute, Scale, character_points, named, own_id
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.effects import (
    AbilityPower,
    AttributeAdjust,
    BaseSaveAdd,
    Effect,
    EffectCondition,
    LoadLimit,
    LuckyBreaksMaximum,
    RangedDefense,
    RollBonus,
    RollTarget,
    SlotCount,
    UnarmedDamage,
)
from bot.rules.rpj.module.module import CharacterClass, ClassSkill, Module, Pack, RpjTrait, TraitKind
from bot.rules.rpj.module.module_files import module_in, require

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


class BlockOptions(Document):
    """The options of blocking a skill."""

    skill: str = Field(max_length=100)  # its name or id
    is_open: bool = False  # whether it is allowed again


class ClassOptions(Document):
    """The options of changing a class."""

    target: CharacterId
    class_name: str = Field(default="", max_length=60)  # the class; unchanged by default
    # The class skills, separated by commas; unchanged by default.
    skills: str = Field(default="", max_length=300)


@procedure("block_skill", gm_only=True, needs_actor=False)
def block_skill(scene: Scene, options: BlockOptions, _dice: Dice) -> Outcome:
    """Block a skill from being learned or raised, until the GM allows it again. [RPJ-CHAR-16]"""
    settings = scene.settings
    skill = skill_named(module_in(settings), options.skill)
    others = tuple(id_ for id_ in settings.blocked_skills if id_ != skill.id)
    if (others == settings.blocked_skills) is options.is_open:
        state = "isn't blocked" if options.is_open else "is already blocked"
        raise UserError(f"{skill.name} {state}.")
    changed = evolve(settings, blocked_skills=others if options.is_open else (*others, skill.id))
    words = f"allows learning {skill.name} again" if options.is_open else f"blocks learning {skill.name}"
    note = "" if options.is_open else "Nobody can learn or raise it until the GM allows it again."
    return Outcome(scene=replace(scene, settings=changed), headline=words, notes=(note,) if note else ())


@procedure("change_class", gm_only=True, needs_actor=False)
def change_class(scene: Scene, options: ClassOptions, _dice: Dice) -> Outcome:
    """Change a character's class or class skills; the quirks change with it, points do not.

    Raises:
        UserError: If the module has no such class, or the class no such skills.

    [RPJ-CHAR-08 (R-065), RPJ-CHAR-11]
    """
    target = scene.character(options.target)
    module, sheet = figure_in(scene, target).module, target.sheet
    class_ = _class_named(module, options.class_name) if options.class_name else None
    class_ = class_ or module.character_class(sheet.class_id)
    if class_ is None:
        raise UserError(f"{target.name} has no class.", "Choose one.")
    wanted = _picks(module, class_, options.skills) if options.skills else sheet.class_skills
    problems = tuple(class_skill_problems(class_, wanted, module))
    if problems:
        offered = ", ".join(_words(module, pick) for pick in class_.skills)
        raise UserErrors((*problems, f"Its class skills: {offered}."))
    changed = _with_class(sheet, class_, wanted)
    named = ", ".join(_words(module, pick) for pick in wanted)
    return Outcome(
        scene=scene.with_sheet(target, changed),
        headline=f"changes {target.name}'s class to {class_.name}",
        notes=(f"Class skills: {named}.",),
    )


def _with_class(sheet: RpjSheet, class_: CharacterClass, wanted: tuple[ClassSkill, ...]) -> RpjSheet:
    """The sheet with a class and its quirks, without those of the class before."""
    others = [own for own in sheet.traits if own.source is not TraitSource.CLASS]
    quirks = [OwnTrait(trait=quirk, source=TraitSource.CLASS) for quirk in class_.quirks]
    return evolve(sheet, class_id=class_.id, class_skills=wanted, traits=(*quirks, *others))


def _class_named(module: Module, typed: str) -> CharacterClass:
    if class_ := named(module.classes, typed):
        return class_
    raise UserError(
        f"This campaign has no class “{typed}”.",
        f"Its classes: {listed(class_.name for class_ in module.classes)}.",
    )


def _words(module: Module, pick: ClassSkill) -> str:
    skill = module.skill(pick.skill)
    name = skill.name if skill else pick.skill
    return f"{name} ({pick.specialty})" if pick.specialty else name


def _picks(module: Module, class_: CharacterClass, typed: str) -> tuple[ClassSkill, ...]:
    """The class skills a person typed, by their names on the list of the class."""
    offered = {_words(module, pick).casefold(): pick for pick in class_.skills}
    wanted = [" ".join(part.split()) for part in typed.split(",") if part.strip()]
    unknown = [part for part in wanted if part.casefold() not in offered]
    if unknown:
        raise UserError(
            f"{unknown[0]} isn't a class skill of {class_.name}.",
            f"Its class skills: {', '.join(_words(module, pick) for pick in class_.skills)}.",
        )
    return tuple(offered[part.casefold()] for part in wanted)


_ATTRIBUTE_ROLLS = (RollTarget.ATTRIBUTE, RollTarget.ATTRIBUTE_BONUS, RollTarget.SAVING_THROW)


class CustomTraitOptions(Document):
    """The options of a custom trait."""

    target: CharacterId  # who gets it
    name: str = Field(min_length=1, max_length=60)
    kind: TraitKind = TraitKind.QUIRK  # gift, fault or quirk
    value: int = Field(default=0, ge=-10, le=10)  # the modifier to a roll; 0 for none
    on: RollTarget = RollTarget.SKILL  # the kind of roll
    of: str = Field(default="", max_length=60)  # the skill or attribute, if only for one
    # The condition the player must claim; always applies without one.
    when: str = Field(default="", max_length=60)
    about: str = Field(default="", max_length=300)  # its description
    cost: int = Field(default=0, ge=-30, le=30)  # its cost in character points; negative gives points


def _of(module: Module, options: CustomTraitOptions) -> str:
    """The id of the skill, or the attribute, a trait is for; empty for all."""
    typed = options.of.strip()
    if not typed:
        return ""
    if options.on is RollTarget.SKILL:
        return skill_named(module, typed).id
    for attribute in RpjAttribute:
        if typed.casefold() in (attribute.casefold(), attribute.word.casefold()):
            if options.on in _ATTRIBUTE_ROLLS:
                return attribute
            break
    raise UserError(f"A bonus to {options.on} can't be for “{typed}”.", "Leave it empty for all of them.")


def made_up(module: Module, options: CustomTraitOptions) -> RpjTrait:
    """The custom trait of these options. [RPJ-TRAIT-01 to RPJ-TRAIT-06]

    Raises:
        UserError: If its name is empty, or it refers to an unknown skill or attribute.
    """
    when = EffectCondition(toggle=options.when.strip())
    effects: tuple[Effect, ...] = ()
    if options.value:
        of = _of(module, options)
        effects = (RollBonus(type="roll_bonus", on=options.on, of=of, value=options.value, when=when),)
    return RpjTrait(
        id=own_id(options.name),
        name=" ".join(options.name.split()),
        description=options.about.strip(),
        kind=options.kind,
        cost=options.cost,
        effects=effects,
    )


@procedure("give_trait", gm_only=True, needs_actor=False)
def give_trait(scene: Scene, options: CustomTraitOptions, _dice: Dice) -> Outcome:
    """Make up a trait for the campaign and give it to a character. [RPJ-TRAIT-01, RPJ-CHAR-18, RPJ-GM-04]

    Raises:
        UserError: If it is not allowed, or can't be paid for.
    """
    settings = scene.settings
    trait = made_up(module_in(settings), options)
    changed = settings.with_own(trait)
    target = scene.character(options.target)
    sheet = take_trait(Stats(target.sheet, module_in(changed)), trait.id, has_leave=True)
    scene = replace(scene, settings=changed).with_sheet(target, sheet)
    return Outcome(
        scene=scene,
        headline=f"gives {target.name} a {trait.kind}: {trait.name}",
        notes=(trait.description,) if trait.description else (),
    )


_NUMBERED = (
    RollBonus,
    AttributeAdjust,
    LuckyBreaksMaximum,
    UnarmedDamage,
    AbilityPower,
    SlotCount,
    LoadLimit,
    RangedDefense,
)


def _turned(effect: Effect) -> Effect | None:
    """The reverse of an effect; None where it adds no number."""
    if isinstance(effect, BaseSaveAdd):
        return evolve(effect, count=-effect.count)
    if isinstance(effect, UnarmedDamage):
        effect = evolve(effect, may_choose_lethal=False)
    if isinstance(effect, _NUMBERED) and effect.value > 0:
        return evolve(effect, value=-effect.value)
    return None


def inverted(gift: RpjTrait, name: str, refund: int | None = None) -> RpjTrait:
    """The fault that mirrors a gift. [RPJ-APPX-06 (APPX-06a), RPJ-TRAIT-05]

    Args:
        name: The name of the fault.
        refund: Character points it gives; by default half the gift's cost, rounded down.

    Raises:
        UserError: If the gift adds no number, or the fault gives nothing or as much as the gift costs.
    """
    effects = tuple(turned for turned in map(_turned, gift.effects) if turned is not None)
    if gift.kind is not TraitKind.GIFT or not effects:
        raise UserError(f"{gift.name} has no bonus to turn into a penalty.")
    given_back = gift.cost // 2 if refund is None else refund
    if not 1 <= given_back < gift.cost:
        raise UserError(
            f"A fault that mirrors {gift.name} must give fewer than its {gift.cost} points.",
            f"Choose 1 to {gift.cost - 1}.",
        )
    return RpjTrait(
        id=own_id(name),
        name=" ".join(name.split()),
        description=f"The reverse of {gift.name}.",
        kind=TraitKind.FAULT,
        cost=-given_back,
        mirrors=gift.id,
        excludes=(gift.id,),
        needs=gift.needs,
        effects=effects,
    )


class InvertOptions(Document):
    """The options of turning a gift into a fault."""

    gift: str = Field(max_length=100)  # the gift, by name or id
    name: str = Field(min_length=1, max_length=60)  # the name of the fault
    # Character points it gives; by default half the gift's cost.
    refund: int | None = Field(default=None, ge=1, le=30)


def _gift(module: Module, typed: str) -> RpjTrait:
    if trait := named(module.traits, typed):
        return trait
    names = ", ".join(trait.name for trait in module.traits if trait.kind is TraitKind.GIFT)
    raise UserError(f"This campaign has no gift “{typed}”.", f"Its gifts: {names}.")


@procedure("invert", gm_only=True, needs_actor=False)
def invert(scene: Scene, options: InvertOptions, _dice: Dice) -> Outcome:
    """Add a fault that mirrors a gift to the campaign's traits. [RPJ-APPX-06, RPJ-TRAIT-05]

    Raises:
        UserError: If it cannot be added.
    """
    settings = scene.settings
    module = module_in(settings)
    fault = inverted(_gift(module, options.gift), options.name, options.refund)
    changed = replace(scene, settings=settings.with_own(fault))
    note = f"{fault.description} It gives {character_points(-fault.cost)}."
    return Outcome(scene=changed, headline=f"adds a fault: {fault.name}", notes=(note,))
