"""The rolls a character can make now: skills, moves, opposed rolls, tasks, help and powers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Choice, TextField
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, label_with
from bot.rules.kernel.procedures import Act, ActGroup
from bot.rules.shared.offering import (
    MOST_CHOICES,
    Offering,
    choice_of,
    choices_among,
    friends_first,
    is_allowed,
    others_of,
)
from bot.rules.swim_class.board import opponents
from bot.rules.swim_class.damage import is_dying
from bot.rules.swim_class.encounter import FULL_ACTION, find_encounter, is_in_combat
from bot.rules.swim_class.growth import wounds_key
from bot.rules.swim_class.movement import (
    MoveGround,
    SwimMoveOptions,
    move_plan,
)
from bot.rules.swim_class.plans import PoolPlan
from bot.rules.swim_class.powers import (
    SpellKey,
    SwimCastOptions,
    spell_plan,
)
from bot.rules.swim_class.rolling import Task
from bot.rules.swim_class.sheet import Character, Scene, SwimItem, SwimRole, book, is_special, rank_of
from bot.rules.swim_class.sheet_text import rollable_names
from bot.rules.swim_class.tables import SPELLS, Pool, SkillKey, SwimAttack, SwimSpell
from bot.rules.swim_class.together import REFUSE, pledges_key
from bot.rules.swim_class.unopposed_roll import prepare

ORDINARY = 4  # the difficulty at which a roll can also teach
MOST_WITH_OTHERS = 5
POUNDS_A_DIE = 30
MOST_WEIGHTS = 25
AIMED = frozenset({"death", "stun"})  # at somebody, without filling an area
MOST_CAUGHT = 5
AREA = 2  # squares of an area or a line, before it is set
SIZES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "blaze": {"line": "Length of the line"},
        "blow": {"area": "Side of the square"},
        "quake": {"area": "Side of the square"},
        "spray": {"area": "Side of the square"},
        "shift": {"ground": "2 soft soil to 6 hard rock"},
    }
)


class RollableSkill(Struct, frozen=True):
    """A skill that a character can roll now."""

    key: SkillKey
    title: str
    rank: int

    def __str__(self) -> str:
        return f"{self.title} {self.rank}"


def is_halved(scene: Scene) -> bool:
    """Whether only half an action is left of the character's own turn."""
    encounter = find_encounter(scene)
    own = None if encounter is None else encounter.combatant(scene.actor.id)
    if encounter is None or own is None or not encounter.is_on(own.character):
        return False
    return 0 < FULL_ACTION - own.halves_used < FULL_ACTION


def act_group(scene: Scene) -> ActGroup:
    """Where acts with the body belong: in a fight with those of the fight."""
    return ActGroup.FIGHT if is_in_combat(scene, scene.actor.id) else ActGroup.CHECK


def cost_words(scene: Scene) -> str:
    """What an action costs, on the character's own turn."""
    encounter = find_encounter(scene)
    if encounter is None or not encounter.is_on(scene.actor.id):
        return ""
    return " · half an action" if is_halved(scene) else " · 1 action"


def adjustable(scene: Scene, rank: int, *, focus: bool = True) -> Mapping[str, str]:
    """The options of any roll that can be set before it, for a skill of some rank."""
    found = {"push": "Push factor"}
    found |= {"focus": "Focus: lower the difficulty"} if focus else {}
    is_helped = scene.document(pledges_key(scene.actor.id)) is not None  # then nothing can be strained
    found |= {"strain": "Strain: double dice, costs a rank (GM)"} if rank > 1 and not is_helped else {}
    found |= {"half": "As a half action"} if rank > 1 and is_in_combat(scene, scene.actor.id) else {}
    return found | {"dice": "Use only so many dice", "modifier": "Modifier of each die"}


def implements(scene: Scene, skill: SkillKey, role: SwimRole = SwimRole.TASK) -> tuple[Choice, ...]:
    """The equipment that can be named for a roll; none where there is nothing to choose."""
    helping = [one for one in scene.actor.sheet.items if _helps(one, skill, role)]
    named = [Choice(one.name, one.name) for one in helping][: MOST_CHOICES - 1]
    return (Choice("", "the best in use"), *named) if named else ()


def _helps(item: SwimItem, skill: SkillKey, role: SwimRole) -> bool:
    if role is SwimRole.ATTACK and item.is_weapon:
        return item.is_weapon_for(skill)
    return item.bonus(role, skill) > 0 or item.cancels_for(skill) > 0


class Composing(Struct, frozen=True):
    """What can be set before a roll: the options, and what those that take text can be."""

    adjusts: Mapping[str, str]
    values: Mapping[str, tuple[Choice, ...]]


def composing(
    scene: Scene,
    pool: RollableSkill,
    role: SwimRole = SwimRole.TASK,
    *,
    focus: bool = True,
    adds: Sequence[RollableSkill] = (),
) -> Composing:
    """What can be set before a roll of a skill, its equipment and the skills combined with it included."""
    others = [Choice(one.key, str(one)) for one in adds if one.key != pool.key and one.rank > 1]
    values = {"implement": implements(scene, pool.key, role)}
    if others:
        values["add"] = (Choice("", "none"), *others[: MOST_CHOICES - 1])
    titles = {"implement": "Equipment", "add": "Combine it with"}
    chosen = {field: titles[field] for field, found in values.items() if found}
    return Composing({**adjustable(scene, pool.rank, focus=focus), **chosen}, values)


def rollable(scene: Scene, is_wanted: Callable[[SkillKey], bool] = bool) -> tuple[RollableSkill, ...]:
    """The skills that the character can roll now, the best first; all of them, or those that are wanted."""
    skills, actor = book(scene), scene.actor
    found = []
    for name in rollable_names(actor, scene.settings):
        key = skills.find(name)
        if not is_wanted(key):
            continue
        plan = PoolPlan(skill=key, difficulty=ORDINARY, is_half=is_halved(scene))
        if is_allowed(lambda plan=plan: prepare(scene, actor, plan)):  # type: ignore[misc]
            found.append(RollableSkill(key, skills.title(key), rank_of(scene, actor, key)))
    return tuple(sorted(found, key=lambda one: -one.rank))


def roll_acts(scene: Scene, offering: Offering, pools: tuple[RollableSkill, ...]) -> Iterator[Act]:
    """Skills with their dice, tasks and moves. [SWIM-TASK-01 to SWIM-TASK-12]"""
    for pool in pools:
        yield _roll(scene, offering, pool, pools)
    if not pools:
        yield from _no_roll(scene, offering)
    yield from _tasks(scene, offering, pools)
    yield from moves(scene, offering)


def acts_with_others(scene: Scene, offering: Offering, pools: tuple[RollableSkill, ...]) -> Iterator[Act]:
    """Rolls with or against others. [SWIM-OPP-01, SWIM-POOL-04]"""
    yield from escapes(scene, offering, pools)
    yield from _against(scene, offering, pools)
    yield from _help(scene, offering, pools)


def _roll(scene: Scene, offering: Offering, pool: RollableSkill, pools: tuple[RollableSkill, ...]) -> Act:
    adjusts = {"difficulty": "What each die must reach", "progress": "Progress needed"}
    outside = not is_in_combat(scene, offering.who)
    more = composing(scene, pool, adds=pools if outside else ())
    adjusts |= more.adjusts
    adjusts |= {"once": "All of it in this roll", "call": "Roll even if every die scores"}
    adjusts |= {"exactly": "Even if its parent is better"} if is_special(pool.key) else {}
    if outside:
        adjusts |= {"windup": "Combine it with itself"} if pool.rank > 1 else {}
    return offering.act(
        ActGroup.CHECK,
        "roll",
        str(pool),
        adjusts=adjusts,
        values=more.values,
        brief=pool.title,
        skill=pool.key,
        difficulty=ORDINARY,
        half=is_halved(scene),
    )


def _no_roll(scene: Scene, offering: Offering) -> Iterator[Act]:
    """The best skill, with the reason why none can be rolled now, such as somebody else's turn."""
    skills, actor = book(scene), scene.actor
    keys = (skills.find(name) for name in rollable_names(actor, scene.settings))
    key = max(keys, key=lambda one: rank_of(scene, actor, one))
    pool = RollableSkill(key, skills.title(key), rank_of(scene, actor, key))
    try:
        prepare(scene, actor, PoolPlan(skill=key, difficulty=ORDINARY, is_half=is_halved(scene)))
    except UserError as problem:
        yield offering.act(
            ActGroup.CHECK, "roll", str(pool), why_not=problem.what, skill=key, difficulty=ORDINARY
        )


def _tasks(scene: Scene, offering: Offering, pools: tuple[RollableSkill, ...]) -> Iterator[Act]:
    """Work on the tasks of the campaign; new ones. [SWIM-TASK-04, SWIM-TASK-05, SWIM-CRAFT-01]"""
    tasks = [task for _, task in scene.every(Task, "task")]
    ranks = {pool.key: pool.rank for pool in pools}
    for task in (task for task in tasks if task.is_open and task.material is None and task.skill in ranks):
        label = label_with(task.name, f" ({book(scene).title(task.skill)})", before="Work on ")
        yield offering.act(
            ActGroup.CHECK,
            "work",
            label,
            adjusts=adjustable(scene, ranks[task.skill]),
            name=task.name,
            half=is_halved(scene),
        )
    stops = (Choice(task.name, task.name) for task in tasks if task.owner == offering.who)
    yield from offering.menu(ActGroup.CHECK, "stop", "Give a task up …", "name", stops, is_tried=False)
    if pools:
        blanks = (
            TextField(key="name", prompt="Its name", longest=60),
            TextField(key="skill", prompt="The skill to roll", choices=skill_choices(pools)),
            TextField(key="progress", prompt="Progress needed", longest=4),
            TextField(key="difficulty", prompt="What each die must reach, such as 4", longest=2),
        )
        label = "Start a task of several rolls …"
        yield offering.act(ActGroup.CHECK, "open_task", label, blanks=blanks, progress=1)


def skill_choices(pools: Sequence[RollableSkill]) -> tuple[Choice, ...]:
    """Skills as the entries of a menu, the best first."""
    return tuple(Choice(pool.key, str(pool)) for pool in pools)[:MOST_CHOICES]


def moves(scene: Scene, offering: Offering, ways: Iterable[MoveGround] = MoveGround) -> Iterator[Act]:
    """Walking, swimming, climbing and flying, or some of these.

    [SWIM-SKILL-08, SWIM-SKILL-10, SWIM-SKILL-12, SWIM-SKILL-20]
    """
    actor, half, skills = scene.actor, is_halved(scene), book(scene)
    is_held = actor.sheet.states.held_by is not None
    for how in ways if not is_held else ():
        plan = move_plan(scene, actor, SwimMoveOptions(how=how, half=half))
        if not is_allowed(lambda plan=plan: prepare(scene, actor, plan)):  # type: ignore[misc]
            continue
        rank = rank_of(scene, actor, plan.skill)
        rough = {"difficulty": "How hard it is", "terrain": "Rough ground"} if how is not how.FLIGHT else {}
        label = f"Move: {skills.title(plan.skill)} {rank}{cost_words(scene)}"
        adjusts = {**rough, **adjustable(scene, rank)}
        yield offering.act(act_group(scene), "move", label, adjusts=adjusts, how=how, half=half)


def feats(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Jumping, lifting and throwing. [SWIM-SKILL-09, SWIM-SKILL-11, SWIM-SKILL-13]"""
    actor, half, skills = scene.actor, is_halved(scene), book(scene)
    is_held = actor.sheet.states.held_by is not None
    jump, brawn, throw = (rank_of(scene, actor, key) for key in ("jump", "brawn", "throw"))
    if not is_held and _has_dice(scene, "jump", half=half):
        adjusts = {"gap": "How wide, in feet", **adjustable(scene, jump, focus=False)}
        label = f"Jump {2 * jump} ft: {skills.title('jump')} {jump}"
        yield offering.act(ActGroup.CHECK, "jump", label, adjusts=adjusts, gap=2 * jump, half=half)
    if _has_dice(scene, "brawn", half=half):
        weights = [POUNDS_A_DIE * dice for dice in range(1, min(2 * brawn, MOST_WEIGHTS) + 1)]
        found = [Choice(str(one), f"{one} lb") for one in weights]
        label = f"Lift something: {skills.title('brawn')} {brawn} …"
        yield from offering.menu(ActGroup.CHECK, "lift", label, "pounds", found, is_tried=False, half=half)
    if _has_dice(scene, "throw", half=half):
        adjusts = {"heavy": "It is as heavy as you", **adjustable(scene, throw, focus=False)}
        label = f"Throw something: {skills.title('throw')} {throw}"
        yield offering.act(ActGroup.CHECK, "throw", label, adjusts=adjusts, half=half)


def _has_dice(scene: Scene, skill: SkillKey, *, half: bool) -> bool:
    plan = PoolPlan(skill=skill, difficulty=1, is_half=half)
    return is_allowed(lambda: prepare(scene, scene.actor, plan))


def escapes(scene: Scene, offering: Offering, pools: tuple[RollableSkill, ...]) -> Iterator[Act]:
    """Struggling free. [SWIM-SKILL-03]"""
    ranks = {pool.key: pool.rank for pool in pools}
    if scene.actor.sheet.states.held_by is not None and "brawn" in ranks:
        adjusts = adjustable(scene, ranks["brawn"], focus=False)
        label = f"Break free: {book(scene).title('brawn')} {ranks['brawn']}"
        yield offering.act(act_group(scene), "escape", label, adjusts=adjusts, half=is_halved(scene))


def _against(scene: Scene, offering: Offering, pools: tuple[RollableSkill, ...]) -> Iterator[Act]:
    """Hiding, and any of the best skills against somebody. [SWIM-OPP-01, SWIM-SKILL-17]"""
    others = choices_among(opponents(scene))
    against = partial(offering.menu, ActGroup.CHECK, found=others, is_tried=False, half=is_halved(scene))
    for pool in pools:
        if book(scene).definition(pool.key).attack is SwimAttack.STEALTH:
            label, adjusts = f"Hide from: {pool} …", adjustable(scene, pool.rank, focus=False)
            yield from against("stealth", label, "observers", adjusts=adjusts, skill=pool.key)
    for pool in pools[:MOST_WITH_OTHERS]:
        adjusts = {"progress": "Progress needed", **adjustable(scene, pool.rank, focus=False)}
        label = f"Against someone: {pool} …"
        yield from against("oppose", label, "targets", adjusts=adjusts, skill=pool.key)


def _help(scene: Scene, offering: Offering, pools: tuple[RollableSkill, ...]) -> Iterator[Act]:
    """Help with others' next rolls, and refusing theirs. [SWIM-POOL-04]"""
    people = [choice_of(one) for one in friends_first(scene) if not one.sheet.is_dead]
    for pool in [pool for pool in pools if pool.rank > 1][:MOST_WITH_OTHERS]:
        label = f"Help with {pool.title}: +{pool.rank - 1} dice …"
        yield from offering.menu(ActGroup.CHECK, "aid", label, "target", people, skill=pool.key)
    yield from offering.if_possible(ActGroup.CHECK, REFUSE, "Refuse the help you were promised")


def magic_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Powers of every form of magic, and commands to the raised dead.

    [SWIM-MAGIC-01, SWIM-MAGIC-05 to SWIM-MAGIC-19]
    """
    for key in SpellKey:
        spell = SPELLS[key]
        # The smallest area it can have.
        sizes = {name: AREA for name in SIZES.get(key, {}) if name != "ground"}
        options = SwimCastOptions(spell=key, half=is_halved(scene), **sizes)
        plan = spell_plan(scene, spell, options, 0)
        if is_allowed(lambda plan=plan: prepare(scene, scene.actor, plan)):  # type: ignore[misc]
            rank = rank_of(scene, scene.actor, spell.form)
            label = f"{spell.name}: {book(scene).title(spell.form)} {rank}"
            yield from _power(scene, offering, spell, options, label)
    yield from _undead(scene, offering)
    if scene.actor.sheet.states.light:
        yield offering.act(ActGroup.USE, "dismiss", "Put out your light")


def _power(
    scene: Scene, offering: Offering, spell: SwimSpell, options: SwimCastOptions, label: str
) -> Iterator[Act]:
    adjusts = {
        **SIZES.get(spell.key, {}),
        **adjustable(scene, rank_of(scene, scene.actor, spell.form), focus=not spell.opposed_by),
    }
    more: dict[str, Any] = {"adjusts": adjusts, **options.model_dump(exclude_defaults=True)}
    cast = partial(offering.menu, ActGroup.USE, "cast", is_tried=False)
    if spell.key == "raise":
        dead = [one for one in others_of(scene) if one.owner is None and one.sheet.is_dead]
        yield from cast(f"{label} …", "corpse", map(choice_of, dead), **more)
    elif spell.key == "heal":
        yield from offering.menu(ActGroup.REST, "cast", f"{label} …", "targets", _hurt(scene), **more)
    elif spell.key in {"fly", "breathe"}:
        people = (scene.actor, *(one for one in friends_first(scene) if not one.sheet.is_dead))
        yield from cast(f"{label} …", "targets", map(choice_of, people), **more)
    elif spell.area or spell.key in AIMED:
        at = tuple(map(choice_of, opponents(scene)))
        label += f"{cost_words(scene)} …"
        yield from cast(label, "targets", at, **more)
        if spell.area and len(at) > 1:
            several, listed = label.replace(":", " at several:", 1), at[:MOST_CHOICES]
            caught = TextField(key="targets", prompt="Who is in it", choices=listed, most=MOST_CAUGHT)
            yield offering.act(ActGroup.USE, "cast", several, blanks=(caught,), **more)
    else:
        yield offering.act(ActGroup.USE, "cast", label, **more)


def _hurt(scene: Scene) -> tuple[Choice, ...]:
    """The wounded on one's own side, the worst first. [SWIM-MAGIC-14, SWIM-MAGIC-16]"""
    people = [one for one in (scene.actor, *friends_first(scene)) if _is_friend(scene, one) and _wounds(one)]
    people.sort(key=lambda one: (not is_dying(scene, one, Pool.PHYSICAL), -_wounds(one)))
    return tuple(choice_of(one, counted(_wounds(one), "wound")) for one in people)


def _is_friend(scene: Scene, one: Character) -> bool:
    return (one.owner is None) is (scene.actor.owner is None)


def _wounds(one: Character) -> int:
    return 0 if one.sheet.is_dead else one.left(wounds_key(Pool.PHYSICAL))


def _undead(scene: Scene, offering: Offering) -> Iterator[Act]:
    """What one's undead can be told to do, with their own dice and their caster's action. [SWIM-MAGIC-19]"""
    encounter = find_encounter(scene)
    is_fighting = encounter is not None and encounter.combatant(offering.who) is not None
    if is_fighting and encounter is not None and not encounter.is_on(offering.who):
        return
    half = is_halved(scene)
    for undead in (one for one in others_of(scene) if one.sheet.raised_by == offering.who):
        foes = [one for one in opponents(scene) if one.id != undead.id]
        name, told = undead.name, dict[str, Any](undead=undead.id, half=half)
        label, struck = f"{name} attacks …", map(choice_of, foes)
        yield from offering.menu(
            ActGroup.USE, "undead_attack", label, "targets", struck, skill="basic_melee", **told
        )
        yield from offering.if_possible(ActGroup.USE, "undead_move", f"{name} moves", **told)
        skills = [Choice(pool.key, str(pool)) for pool in rollable(replace(scene, actor_id=undead.id))]
        label = f"{name} rolls …"
        yield from offering.menu(ActGroup.USE, "undead_roll", label, "skill", skills, is_tried=False, **told)
        yield offering.act(ActGroup.USE, "dismiss", f"Dismiss {name}", undead=undead.id)
