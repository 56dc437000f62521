"""Attacks, grapples and stealth, and any skill against any other."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import CharacterId, Document, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.encounter import remembered, squares_words, with_distance
from bot.rules.swim_class.launching import Launch, SwimAim, asking_for_distance, launch, opposed_from
from bot.rules.swim_class.plans import PoolPlan, parsed_skills
from bot.rules.swim_class.rolling import (
    HARDEST,
    PoolOptions,
    assert_rollable,
    headline,
    option_words,
    plan_of,
)
from bot.rules.swim_class.settling import Effect
from bot.rules.swim_class.sheet import (
    Character,
    Outcome,
    Scene,
    Skillbook,
    SwimItem,
    SwimRole,
    book,
    parent_of,
    with_states,
)
from bot.rules.swim_class.tables import SkillKey, SwimAttack, SwimSkill
from bot.rules.swim_class.together import take_helpers
from bot.rules.swim_class.unopposed_roll import prepare

FARTHEST = 100


class SwimAttackOptions(PoolOptions):
    """Options of an attack."""

    skill: str = Field(min_length=1, max_length=100)
    targets: tuple[CharacterId, ...] = Field(min_length=1, max_length=5)
    # Dice for each target, separated by commas; empty: as even as possible.
    shares: str = Field(default="", max_length=40)
    # Their distance in squares; None: as the fight remembers it.
    distance: int | None = Field(default=None, ge=0, le=FARTHEST)
    add: str = Field(default="", max_length=100)  # the last skill of a build-up that is released
    unaware: bool = False  # whether they are unaware and cannot defend


class GrappleOptions(PoolOptions):
    """The target of a grapple."""

    target: CharacterId


class StealthOptions(PoolOptions):
    """Whom to hide from, with which skill, and whether they are unaware."""

    skill: str = Field(default="stealth", min_length=1, max_length=100)
    observers: tuple[CharacterId, ...] = Field(min_length=1, max_length=5)
    unaware: bool = False


class SwimEscapeOptions(PoolOptions):
    """Options of an escape: those of a roll."""


class ReleaseOptions(Document):
    """The character to let go."""

    target: CharacterId


def range_bonus(distance: int, increment: int) -> int:
    """The bonus of each defense die from distance. [SWIM-AREA-03 (SWIM-R61)]"""
    return distance // increment if increment else 0


@procedure("attack", can_repeat=True)
def attack(scene: Scene, options: SwimAttackOptions, dice: Dice) -> Outcome:
    """Attack one or several targets with a skill.

    [SWIM-COMB-01, SWIM-COMB-02, SWIM-COMB-04, SWIM-AREA-02, SWIM-AREA-03]
    """
    actor = scene.actor
    ready = _readied(scene, options)
    skill, definition, missile, squares = ready.skill, ready.definition, ready.missile, ready.squares

    def launched(known: Mapping[CharacterId, int | None]) -> Launch:
        bonuses = [range_bonus(known[target] or 0, missile.increment) for target in options.targets]
        words = f"attacks {_named(scene, known, is_melee=definition.attack is SwimAttack.MELEE)}"
        plan = replace(
            plan_of(options, skill, 1), role=SwimRole.ATTACK, adds=parsed_skills(scene, options.add)
        )
        return Launch(
            plan=plan,
            aims=_aims(scene, options, plan, bonuses),
            words=headline(words, option_words(options)),
            pool=definition.pool,
            counters=definition.opposed_by,
            is_melee=definition.attack is SwimAttack.MELEE,
            notes=missile.notes,
        )

    unknown = [target for target in options.targets if squares[target] is None]
    if unknown and missile.increment:
        if len(options.targets) > 1:
            names = ", ".join(scene.character(target).name for target in unknown)
            raise UserError(f"How far away are they: {names}?", "Give the option “distance”.")
        what = book(scene).title(skill)
        return asking_for_distance(
            scene,
            "attack",
            options,
            unknown[0],
            what,
            lambda far: opposed_from(scene, launched({unknown[0]: far})),
        )
    outcome = launch(scene, actor.id, launched(squares), dice).outcome
    after = _spent(outcome.scene, actor.id, missile)
    for target, far in squares.items():
        after = after if far is None else with_distance(after, actor.id, target, far)
    return replace(outcome, scene=after)


class _Readied(Struct, frozen=True, kw_only=True):
    """An attack before anything is rolled: its skill, its missile, and how far each target is."""

    skill: SkillKey
    definition: SwimSkill
    missile: "Missile"
    squares: Mapping[CharacterId, int | None]


def _readied(scene: Scene, options: SwimAttackOptions) -> _Readied:
    """What an attack is made with.

    Raises:
        UserError: If the skill, the weapon, the ammunition or the distance don't allow it.
    """
    actor = scene.actor
    skill = book(scene).find(options.skill)
    definition = book(scene).definition(skill)
    if not definition.attacks:
        raise UserError(
            f"You can't attack with {definition.name}.",
            "Cast magic with /swim-magic cast; set any skill against another with Check … on your sheet.",
        )
    _assert_weapon(scene, actor, skill, options.implement)
    missile = _missile(actor, definition, options)
    squares = _squares(scene, options, definition, missile)
    return _Readied(skill=skill, definition=definition, missile=missile, squares=squares)


def assert_reaches(scene: Scene, options: SwimAttackOptions) -> None:
    """Refuse an attack without a weapon or ammunition, or that doesn't reach a target.

    Raises:
        UserError: If it is so.

    [SWIM-COMB-04, SWIM-AREA-01 to SWIM-AREA-03]
    """
    _readied(scene, options)


def assert_has_attack(scene: Scene, options: SwimAttackOptions) -> None:
    """Refuse an attack that can't be made now, whoever it is aimed at. [SWIM-COMB-16]

    Raises:
        UserError: If the character can't act, or has no dice.
    """
    plan = replace(plan_of(options, book(scene).find(options.skill), 1), role=SwimRole.ATTACK)
    prepare(scene, scene.actor, replace(plan, is_opposed=True))


def _squares(
    scene: Scene, options: SwimAttackOptions, definition: SwimSkill, missile: "Missile"
) -> Mapping[CharacterId, int | None]:
    """The distance of each target, as given or as the fight remembers it. [SWIM-AREA-01 to SWIM-AREA-03]

    Raises:
        UserError: If a melee attack does not reach a target.
    """
    is_melee = definition.attack is SwimAttack.MELEE
    found: dict[CharacterId, int | None] = {}
    for target in options.targets:
        known = remembered(scene, scene.actor.id, target) if options.distance is None else options.distance
        if is_melee and known is not None and known > 1:
            name = scene.character(target).name
            raise UserError(
                f"{name} is {squares_words(known)} away.",
                "Melee attacks only reach adjacent squares (distance 0 or 1).",
                "Move first, or give the option “distance”.",
            )
        found[target] = 1 if is_melee and known is None else known
    return found


def _named(scene: Scene, squares: Mapping[CharacterId, int | None], *, is_melee: bool) -> str:
    """The targets' names, with their distances where they matter."""
    return ", ".join(
        scene.character(target).name + ("" if is_melee or far is None else f" at {squares_words(far)}")
        for target, far in squares.items()
    )


def _aims(
    scene: Scene, options: SwimAttackOptions, plan: PoolPlan, bonuses: Sequence[int]
) -> tuple[SwimAim, ...]:
    """The targets with their shares of the dice; without given shares they are as even as possible.

    [SWIM-COMB-02]
    """
    assert_may_surprise(scene, unaware=options.unaware)
    shares: list[int | None] = [_share(text) for text in options.shares.split(",") if text.strip()]
    if not shares:
        shares = [None] if len(options.targets) == 1 else [*_even_shares(scene, plan, len(options.targets))]
    if len(shares) != len(options.targets):
        raise UserError("Divide your dice among the targets.", try_this="Give “shares”, for example 2,1.")
    return tuple(
        SwimAim(target=target, dice=share, bonus=bonus, is_unaware=options.unaware)
        for target, share, bonus in zip(options.targets, shares, bonuses, strict=True)
    )


def _even_shares(scene: Scene, plan: PoolPlan, targets: int) -> list[int]:
    """The dice of an attack divided among several targets, the first of them getting what is left over."""
    prepared = prepare(scene, scene.actor, replace(plan, is_opposed=True))
    each, over = divmod(prepared.planned.inputs.size, targets)
    return [each + (place < over) for place in range(targets)]


def assert_may_surprise(scene: Scene, *, unaware: bool) -> None:
    """Raise a `UserError` if someone who is not a GM says that targets are unaware."""
    if unaware and not scene.is_gm:
        raise UserError("Only a GM can make targets unaware.")


def _share(text: str) -> int:
    if not text.strip().isdecimal():
        raise UserError(
            f"“{text.strip()}” isn't a number of dice.", try_this="Give “shares”, for example 2,1."
        )
    return int(text)


def _assert_weapon(scene: Scene, actor: Character, skill: SkillKey, named: str) -> None:
    """Raise a `UserError` if a weapon is used with the wrong skill. [SWIM-COMB-04]"""
    item = actor.sheet.find_item(named) if named else None
    if item is None or not item.is_weapon or item.is_weapon_for(skill) or scene.is_gm:
        return
    raise UserError(
        f"You can't use {item.name} with {book(scene).title(skill)}.",
        "Each kind of weapon has its own skill.",
    )


class Missile(Struct, frozen=True, kw_only=True):
    """A missile: its range increment, the item used, and whether it can be picked up afterwards."""

    increment: int
    item: SwimItem | None = None
    count: int = 0
    lies_about: bool = False
    notes: tuple[str, ...] = ()


def _missile(actor: Character, definition: SwimSkill, options: SwimAttackOptions) -> Missile:
    """The ammunition or the thrown weapon of an attack.

    [SWIM-IMPL-10 (SWIM-R67), SWIM-ITEM-02, SWIM-ITEM-03, SWIM-SKILL-13]
    """
    sheet = actor.sheet
    if definition.uses_ammunition:
        shots = len(options.targets)
        found = next((item for item in sheet.items if item.is_ammunition and item.quantity >= shots), None)
        if found is None:
            what = f"{actor.name} needs more ammunition: one piece per target."
            raise UserError(what, try_this="See /swim-gear list.")
        note = f"{found.name}: {found.quantity - shots} left."
        return Missile(increment=found.increment or 1, item=found, count=shots, notes=(note,))
    if definition.attack is not SwimAttack.THROWN:
        return Missile(increment=definition.increment)
    named = sheet.find_item(options.implement) if options.implement else None
    thrown = named or next((item for item in sheet.items if item.is_thrown and item.is_equipped), None)
    if thrown is None:
        return Missile(increment=definition.increment)
    note = f"{thrown.name} can be picked up again."
    return Missile(increment=definition.increment, item=thrown, count=1, lies_about=True, notes=(note,))


def _spent(scene: Scene, who: CharacterId, missile: Missile) -> Scene:
    """Remove the used missile, unless it has fallen apart."""
    character = scene.character(who)
    sheet = character.sheet
    held = sheet.find_item(missile.item.name) if missile.item else None
    if held is None:
        return scene
    left = sheet.with_item(evolve(held, quantity=max(0, held.quantity - missile.count)))
    if missile.lies_about:
        lying = (*sheet.lying, evolve(held, quantity=missile.count))
        left = evolve(left, lying=lying)
    return scene.with_sheet(character, left)


@procedure("grapple", can_repeat=True)
def grapple(scene: Scene, options: GrappleOptions, dice: Dice) -> Outcome:
    """Grapple an adjacent character. [SWIM-SKILL-03 (SWIM-R69, SWIM-R115)]"""
    name = scene.character(options.target).name
    launched = Launch(
        plan=replace(plan_of(options, "grapple", 1), role=SwimRole.ATTACK),
        aims=(SwimAim(target=options.target),),
        words=headline(f"grapples {name}", option_words(options)),
        effect=Effect.HOLD,
        counters=("brawn",),
        is_melee=True,
    )
    return launch(scene, scene.actor.id, launched, dice).outcome


@procedure("escape", can_repeat=True)
def escape(scene: Scene, options: SwimEscapeOptions, dice: Dice) -> Outcome:
    """Break free of a grapple, with Brawn against Grapple. [SWIM-SKILL-03 (SWIM-R69)]"""
    holder = scene.actor.sheet.states.held_by
    if holder is None:
        raise UserError(f"{scene.actor.name} isn't held.")
    launched = Launch(
        plan=plan_of(options, "brawn", 1),
        aims=(SwimAim(target=holder),),
        words=headline(f"struggles against {scene.character(holder).name}", option_words(options)),
        effect=Effect.ESCAPE,
        counters=("grapple",),
    )
    return launch(scene, scene.actor.id, launched, dice).outcome


@procedure("release")
def release(scene: Scene, options: ReleaseOptions, _dice: Dice) -> Outcome:
    """Let go of a held character. [SWIM-SKILL-03 (SWIM-R69)]"""
    target = scene.character(options.target)
    if target.sheet.states.held_by != scene.actor.id:
        raise UserError(f"{scene.actor.name} isn't holding {target.name}.")
    return Outcome(scene=with_states(scene, target.id, held_by=None), headline=f"lets go of {target.name}")


@procedure("stealth", can_repeat=True)
def stealth(scene: Scene, options: StealthOptions, dice: Dice) -> Outcome:
    """Hide: one roll against everyone who might notice.

    [SWIM-SKILL-17 (SWIM-R70, SWIM-R78), SWIM-SKILL-05, SWIM-CHAR-07]
    """
    skill = book(scene).find(options.skill)
    definition = book(scene).definition(skill)
    if definition.attack is not SwimAttack.STEALTH:
        raise UserError(
            f"You can't hide with {definition.name}.", "Check … on your sheet sets any skill against another."
        )
    names = ", ".join(scene.character(one).name for one in options.observers)
    assert_may_surprise(scene, unaware=options.unaware)
    launched = Launch(
        plan=plan_of(options, skill, 1),
        aims=tuple(SwimAim(target=one, is_unaware=options.unaware) for one in options.observers),
        words=headline(f"hides from {names}", option_words(options)),
        effect=Effect.HIDE,
        counters=definition.opposed_by or (definition.pool.defence,),
        is_area=True,
    )
    return launch(scene, scene.actor.id, launched, dice).outcome


class SwimOpposeOptions(PoolOptions):
    """Options of an opposed roll."""

    skill: str = Field(min_length=1, max_length=100)  # the skill to roll
    # The opponents, all against one roll.
    targets: tuple[CharacterId, ...] = Field(min_length=1, max_length=5)
    # The skills they can oppose with, separated by commas; empty: the skill's own counters.
    against: str = Field(default="", max_length=200)
    progress: int = Field(default=1, ge=1, le=1000)  # the dice that must get through
    difficulty: int = Field(default=1, ge=1, le=HARDEST)  # the number each die must also reach
    unaware: bool = False  # whether they are unaware and cannot defend


def counters_of(skills: Skillbook, skill: SkillKey) -> tuple[SkillKey, ...]:
    """The default counters of a skill: its named counters, a Defense skill, or the same skill.

    [SWIM-OPP-01, SWIM-COMB-03, SWIM-CHAR-07]
    """
    definition = skills.definition(skill)
    if definition.opposed_by:
        return definition.opposed_by
    return (parent_of(skill),) if definition.attack is SwimAttack.NONE else (definition.pool.defence,)


@procedure("oppose")
def oppose(scene: Scene, options: SwimOpposeOptions, dice: Dice) -> Outcome:
    """Set a skill against other characters' skills: each die that is not stopped is a success.

    [SWIM-OPP-01, SWIM-OPP-06, SWIM-SKILL-18, SWIM-CHAR-07]
    """
    skills, actor = book(scene), scene.actor
    skill = skills.find(options.skill)
    assert_rollable(skill)
    assert_may_surprise(scene, unaware=options.unaware)
    counters = parsed_skills(scene, options.against) or counters_of(skills, skill)
    for counter in counters:
        skills.definition(counter)
    names = ", ".join(scene.character(target).name for target in options.targets)
    scene, helpers = take_helpers(scene, actor.id, skill)
    plan = replace(plan_of(options, skill, options.difficulty), needed=options.progress, helpers=helpers)
    words = f"sets {skills.title(skill)} against {names}'s {' or '.join(map(skills.title, counters))}"
    launched = Launch(
        plan=plan,
        aims=tuple(SwimAim(target=target, is_unaware=options.unaware) for target in options.targets),
        words=headline(words, option_words(options)),
        effect=Effect.TASK,
        counters=counters,
        is_area=True,
    )
    return launch(scene, actor.id, launched, dice).outcome
