"""The actions of a turn as menus with chances, hints about them, and the GM's cover."""

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from itertools import islice

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Choice, Document, FollowUp, NoOptions, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import MOST_CHOICE_LABEL, label_with
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.combat.combatant import (
    USUAL_QUALITIES,
    RpjCombatant,
    RpjCover,
    RpjKind,
    counted,
    written_cover,
)
from bot.rules.rpj.combat.commands.cinematic_commands import (
    DeferOptions,
    WalkOptions,
    defer_choices,
    walk_choices,
)
from bot.rules.rpj.combat.commands.fight_gm import MookAttackOptions, MookMoveOptions
from bot.rules.rpj.combat.commands.fire_commands import (
    FireOptions,
    WatchOptions,
    fire_choices,
    target_lines,
    watch_choices,
)
from bot.rules.rpj.combat.commands.grappling import (
    TargetOptions,
    WrestleOptions,
    assert_graspable,
    assert_may_check,
    grapple_check,
    touch_check,
)
from bot.rules.rpj.combat.commands.magic_commands import magic_menu
from bot.rules.rpj.combat.commands.turn_commands import (
    AttackOptions,
    CloseInOptions,
    MoveOptions,
    actor_of,
    begun_stage,
    closed_in,
    commanded,
    cover_chosen,
    cover_named,
    region_named,
)
from bot.rules.rpj.combat.engine.damage_steps import (
    assert_may_attack,
    coup_begun,
    coup_check,
    hand_lent,
    helping_check,
)
from bot.rules.rpj.combat.engine.moves import Goal, Trigger, cautious_walk, chances, step_to
from bot.rules.rpj.combat.engine.stack import attack_chance, outcome
from bot.rules.rpj.combat.fight import MOOKS, PlacedCover
from bot.rules.rpj.combat.rules.attacks import RpjAim, assert_target
from bot.rules.rpj.combat.rules.combatants import Maneuver, arms_of, each_once, knows, mook_arm
from bot.rules.rpj.combat.rules.shooting import plays_fire, shots_spent
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import require
from bot.rules.rpj.resolution.check import chance_words
from bot.rules.shared.offering import TryingDice, is_allowed

MOST = 25


def offers(stage: Stage) -> Iterator[FollowUp]:
    """The menus and buttons of the current turn, attacks first; the GM commands mooks."""
    if stage.fight.turn == MOOKS:
        yield from _mook_offers(stage)
        return
    fighter = stage.fight.fighter(stage.fight.turn)
    if fighter.character is not None and stage.battle.of(fighter).is_able:
        yield from _offers(stage, fighter, fighter.character)


def _menu(
    procedure: str, options: Document, label: str, found: list[Choice], chosen: str, who: CharacterId | None
) -> Iterator[FollowUp]:
    """A select menu, if there is anything to choose."""
    if found:
        yield FollowUp(
            procedure=procedure,
            options=options,
            label=label,
            audience=Audience.OWNER if who is not None else Audience.GM,
            character=who,
            choices=tuple(found[:MOST]),
            chosen=chosen,
        )


def _offers(stage: Stage, fighter: RpjCombatant, who: CharacterId) -> Iterator[FollowUp]:
    left = fighter.turn.actions
    if stage.fight.grapple(fighter.id) is not None:
        yield from _wrestling(stage, fighter, who)
        return
    words = "1 action" if left == 1 else f"{left} actions"
    if left:
        attacks = list(attack_choices(stage, fighter))
        yield from _menu("fight.attack", AttackOptions(), f"Attack … ({words} left)", attacks, "aim", who)
        if not attacks:
            yield from islice(_approaches(stage, fighter, who), 1)
        yield from _menu(
            "fight.move", MoveOptions(), "Move … (1 action)", list(_goals(stage, fighter)), "goal", who
        )
        walks = list(walk_choices(stage, fighter))
        yield from _menu("fight.walk", WalkOptions(), f"Walk … ({words} left)", walks, "goal", who)
        later = list(defer_choices(stage, fighter))
        yield from _menu("fight.defer", DeferOptions(), "Act later …", later, "after", who)
    yield from _menu("fire.deed", FireOptions(), "Fire …", list(fire_choices(stage, fighter)), "deed", who)
    watched = list(watch_choices(stage, fighter))
    yield from _menu("fire.watch", WatchOptions(region="1"), "Watch … (1 action)", watched, "region", who)
    yield from _cautious(stage, fighter, who)
    yield from magic_menu(stage, fighter, who)
    yield from _others(stage, fighter, who)
    if left and knows(stage.battle.of(fighter), Maneuver.PREPARE):
        yield FollowUp(
            procedure="fight.prepare", options=NoOptions(), label="Prepare (1 action)", character=who
        )


def attack_choices(stage: Stage, fighter: RpjCombatant) -> Iterator[Choice]:
    """Opponents within reach, with each weapon's chance."""
    battle = stage.battle
    try:
        assert_may_attack(battle, fighter.id)
    except UserError:
        return
    arms = each_once(arms_of(battle.of(fighter)))
    for target in stage.fight.opponents(fighter):
        for arm in arms:
            aim = RpjAim(attacker=fighter.id, target=target.id, arm=arm)
            try:
                assert_target(battle, aim)
                shots_spent(battle, fighter.id, (arm.id,))
            except UserError:
                continue
            odds = attack_chance(battle, aim)
            label = label_with(target.name, f" · {arm.name} · {odds}", longest=MOST_CHOICE_LABEL)
            yield Choice(f"{target.id}|{arm.id}", label)


def _approaches(stage: Stage, fighter: RpjCombatant, who: CharacterId) -> Iterator[FollowUp]:
    """Moves to a foe with an attack on them, each as one button, where nobody left behind can strike."""
    if chances(stage.battle, fighter.id, Trigger.LEAVING):
        return
    for target in stage.fight.present:
        if target.side is fighter.side:
            continue
        try:
            there = closed_in(stage, fighter.id, target.id, TryingDice())
        except UserError:
            continue
        if there.fight.fighter(fighter.id) == fighter:
            continue
        aims = attack_choices(there, there.fight.fighter(fighter.id))
        first = next((one for one in aims if one.value.startswith(f"{target.id}|")), None)
        if first is not None:
            options, label = CloseInOptions(aim=first.value), f"Close in and attack {first.label}"
        else:
            options, label = CloseInOptions(aim=f"{target.id}|"), f"Close in on {target.name}"
        yield _button("fight.close_in", options, label, who)


def _goals(
    stage: Stage, fighter: RpjCombatant, steps: int = 1, trigger: Trigger = Trigger.LEAVING
) -> Iterator[Choice]:
    """The goals of a move: regions, and groups in them."""
    field = stage.fight.field
    for region in (fighter.region, *field.exits(fighter.region)):
        for group in stage.fight.groups(region):
            names = ", ".join(counted(group))
            label = f"{field.name(region)}: join {names}"
            yield from _goal(stage, fighter, Goal(region, group[0].id), label, steps, trigger)
        for placed in stage.fight.known_covers:
            if placed.region == region:
                label = f"{field.name(region)}: behind {placed.cover.name} +{placed.cover.quality}"
                goal = Goal(region, cover=placed.id)
                yield from _goal(stage, fighter, goal, label, steps, trigger, f"cover {placed.id}")
        yield from _goal(stage, fighter, Goal(region), f"{field.name(region)}, alone", steps, trigger)


def _goal(
    stage: Stage,
    fighter: RpjCombatant,
    goal: Goal,
    label: str,
    steps: int,
    trigger: Trigger,
    cover: str = "",
) -> Iterator[Choice]:
    try:
        step = step_to(stage.battle, fighter.id, goal, steps)
    except UserError:
        return
    is_risky = step.leaves and chances(stage.battle, fighter.id, trigger)
    note = "a foe left behind can strike" if is_risky else ""
    yield Choice(f"{goal.region}|{goal.beside or cover}", label[:100], note)


def _cautious(stage: Stage, fighter: RpjCombatant, who: CharacterId) -> Iterator[FollowUp]:
    try:
        walk = cautious_walk(stage.battle, fighter.id)
    except UserError:
        return
    if not stage.fight.group(fighter):
        return
    cost = "the whole turn" if walk.actions is None else f"{walk.actions} actions"
    goals = list(_goals(stage, fighter, walk.steps, Trigger.CAUTIOUS))
    yield from _menu(
        "fight.move", MoveOptions(cautious=True), f"Move cautiously … ({cost})", goals, "goal", who
    )


def _others(stage: Stage, fighter: RpjCombatant, who: CharacterId) -> Iterator[FollowUp]:
    """Buttons for other actions on those in the same group, a few at most."""
    battle = stage.battle
    for target in stage.fight.group(fighter)[:4]:
        options = TargetOptions(target=target.id)
        if is_allowed(partial(coup_begun, battle, fighter.id, target.id)) and target.side is not fighter.side:
            odds = chance_words(coup_check(battle, fighter.id, target.id))
            yield _button(
                "fight.coup", options, label_with(target.name, f" · {odds}", before="Coup de grace: "), who
            )
        if is_allowed(partial(hand_lent, battle, fighter.id, target.id)) and target.side is fighter.side:
            odds = chance_words(helping_check(battle[fighter.id].figure))
            yield _button("fight.help", options, label_with(target.name, f" · {odds}", before="Help "), who)
        if target.side is not fighter.side and fighter.turn.actions and _graspable(stage, fighter, target):
            odds = chance_words(touch_check(battle, fighter.id, target.id))
            yield _button(
                "fight.grapple", options, label_with(target.name, f" · {odds}", before="Grapple "), who
            )


def _graspable(stage: Stage, fighter: RpjCombatant, target: RpjCombatant) -> bool:
    def both() -> None:
        assert_may_attack(stage.battle, fighter.id)
        assert_graspable(stage.battle, fighter.id, target.id)

    return is_allowed(both)


def _button(procedure: str, options: Document, label: str, who: CharacterId) -> FollowUp:
    return FollowUp(procedure=procedure, options=options, label=label[:80], character=who)


def _wrestling(stage: Stage, fighter: RpjCombatant, who: CharacterId) -> Iterator[FollowUp]:
    if not is_allowed(partial(assert_may_check, stage.battle, fighter.id)):
        return
    hold = stage.fight.grapple(fighter.id)
    if hold is not None:
        odds = chance_words(grapple_check(stage.battle, fighter.id, hold.other(fighter.id)))
        yield _button("fight.wrestle", WrestleOptions(), f"Grapple check · {odds}", who)


# --- mooks -------------------------------------------------------------------------------------


def _mook_offers(stage: Stage) -> Iterator[FollowUp]:
    attacks = list(_mook_attacks(stage))
    yield from _menu("fight.mook_attack", MookAttackOptions(), "Mooks attack …", attacks, "aim", None)
    yield from _mook_grapples(stage)
    moves = list(_mook_moves(stage))
    yield from _menu("fight.mook_move", MookMoveOptions(), "Mooks move …", moves, "path", None)


def _ready(stage: Stage) -> Iterator[tuple[RpjCombatant, ...]]:
    """Stacks of mooks with an action left."""
    ready = (one for one in stage.fight.present if one.kind is RpjKind.MOOK and one.turn.actions > 0)
    mooks = [one for one in ready if stage.fight.grapple(one.id) is None]
    for key in dict.fromkeys((one.mook, one.side, one.group) for one in mooks):
        yield tuple(one for one in mooks if (one.mook, one.side, one.group) == key)


def _mook_grapples(stage: Stage) -> Iterator[FollowUp]:
    """The buttons for mooks' grapple checks. [RPJ-GCS-46 (R-110), RPJ-GCS-52]"""
    for hold in stage.fight.grapples:
        for mook in (stage.fight.fighter(hold.a), stage.fight.fighter(hold.b)):
            if mook.kind is not RpjKind.MOOK or not is_allowed(
                partial(assert_may_check, stage.battle, mook.id)
            ):
                continue
            odds = chance_words(grapple_check(stage.battle, mook.id, hold.other(mook.id)))
            yield FollowUp(
                procedure="fight.wrestle",
                options=WrestleOptions(mook=mook.id),
                label=label_with(mook.name, f": grapple check · {odds}"),
                audience=Audience.GM,
            )


def _mook_attacks(stage: Stage) -> Iterator[Choice]:
    for stack in _ready(stage):
        first = stack[0]
        arm = mook_arm(stage.battle[first.id])
        for target in stage.fight.present:
            aim = RpjAim(attacker=first.id, target=target.id, arm=arm)
            if target.side is first.side or not is_allowed(partial(assert_target, stage.battle, aim)):
                continue
            odds = attack_chance(stage.battle, aim)
            before, words = f"{counted(stack)[0]} attack ", f" · {odds} each"
            label = label_with(target.name, words, before=before, longest=MOST_CHOICE_LABEL)
            yield Choice(f"{first.id}|{target.id}", label)


def _mook_moves(stage: Stage) -> Iterator[Choice]:
    for stack in _ready(stage):
        for goal in _goals(stage, stack[0]):
            label = f"{counted(stack)[0]} → {goal.label}"
            yield Choice(f"{stack[0].id}|{goal.value}", label[:100], goal.note)


MOST_LINES = 20
HIDDEN_ADVICE = "In cover: don't move or attack to cower. Your cover counts double until your next turn."
OPEN_ADVICE = "Against cover: Suppressive Fire ignores cover, halves defenses and covers a whole group."


class RpjPreset(StrEnum):
    """Common kinds of cover, by name. [RPJ-FIRE-13]"""

    CONCEALMENT = "concealment"
    BUSH = "bush"
    CAR = "car"
    TREE = "tree"
    WALL = "wall"


PRESETS = {
    RpjPreset.CONCEALMENT: "+1/0f",
    RpjPreset.BUSH: "+2/0f",
    RpjPreset.CAR: "+3/1f",
    RpjPreset.TREE: "+4/0f",
    RpjPreset.WALL: "+6/0f",
}


class RpjCoverOptions(Document):
    """The options of placing cover."""

    # A usual kind by name, or quality and flanking distance: "+3/1f".
    what: str = Field(min_length=1, max_length=40)
    name: str = Field(default="", max_length=40)  # what it is called
    region: str = Field(default="", max_length=60)  # where; where the one named stands where left out
    # Somebody whose group is in it; nobody is yet where left out.
    behind: str = Field(default="", max_length=100)
    conceals: bool = False  # whether it hides the helpless completely
    lasting: bool = False  # whether nothing destroys it


class UncoverOptions(Document):
    """The options of removing cover."""

    cover: str = Field(min_length=1, max_length=60)


def _stage(scene: Scene) -> Stage:
    require(scene, Pack.FIRE_AND_MOVEMENT)
    return Stage.of(scene)


def _cover_of(options: RpjCoverOptions) -> RpjCover:
    """Read typed cover. [RPJ-FIRE-12, RPJ-FIRE-13]"""
    typed = options.what.strip().casefold()
    text = PRESETS[RpjPreset(typed)] if typed in list(RpjPreset) else typed
    cover = written_cover(text, options.name.strip() or (typed if typed in list(RpjPreset) else "cover"))
    return evolve(cover, conceals=options.conceals, destructible=not options.lasting)


@procedure("fire.cover", gm_only=True, needs_actor=False)
def put_cover(scene: Scene, options: RpjCoverOptions, _dice: Dice) -> Outcome:
    """Place cover around a group or empty; repeat for more groups. [RPJ-FIRE-12, RPJ-FIRE-13]"""
    stage = _stage(scene)
    cover, fight = _cover_of(options), stage.fight
    friend = commanded(stage, options.behind) if options.behind else None
    region = region_named(stage, options.region) or (friend.region if friend else None)
    if region is None:
        raise UserError("Where?", try_this="Choose a region, or someone behind the cover.")
    if friend is not None and friend.region != region:
        raise UserError(f"{friend.name} is in {fight.field.name(friend.region)}.")
    known = cover_named(stage, cover.name, str(region))
    group = friend.group if friend else fight.new_group
    groups = (*known.groups, group) if known else (group,)
    id_ = known.id if known else max((one.id for one in fight.covers), default=0) + 1
    is_hidden = friend is not None and friend.is_hidden and (known is None or known.is_hidden)
    placed = PlacedCover(
        id=id_, cover=cover, region=region, groups=tuple(dict.fromkeys(groups)), is_hidden=is_hidden
    )
    stage = stage.with_battle(stage.battle.with_fight(fight.with_cover(placed)))
    who = f", around the group of {friend.name}" if friend else ""
    notes = [f"{cover.name} {cover} in {fight.field.name(region)}{who}."]
    if cover.quality not in USUAL_QUALITIES:
        notes.append("Cover is usually +1 to +6.")
    about = () if friend is None else (friend,)
    return outcome(stage.noted(*notes), f"places cover: {cover.name}", *about)


@procedure("fire.uncover", gm_only=True, needs_actor=False)
def take_cover_away(scene: Scene, options: UncoverOptions, _dice: Dice) -> Outcome:
    """Remove cover; combatants in it are in the open. [RPJ-FIRE-12, RPJ-GM-04]"""
    stage = _stage(scene)
    placed = cover_chosen(stage, options.cover)
    is_known = placed in stage.fight.known_covers
    stage = stage.with_battle(stage.battle.with_fight(stage.fight.without_cover(placed.id)))
    return replace(outcome(stage, f"takes the {placed.cover.name} away"), is_public=is_known)


@procedure("fire.hint")
def hint(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the current options with costs and chances. [RPJ-FIRE-33]"""
    require(scene, Pack.FIRE_AND_MOVEMENT)
    stage = begun_stage(scene)
    own = actor_of(stage)
    stage.battle.assert_turn(own.id)
    open_ = [f"{choice.label} (1 action)" for choice in attack_choices(stage, own)]
    open_ += [choice.label for choice in fire_choices(stage, own)]
    advice = HIDDEN_ADVICE if stage.fight.covers_of(own) else OPEN_ADVICE
    return Outcome(
        scene=scene,
        headline="looks at their options",
        notes=(advice, *open_[:MOST_LINES]),
        is_public=False,
    )


@procedure("fire.targets")
def targets(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show what shots need to hit, from and at the character, part by part. [RPJ-FIRE-16, RPJ-FIRE-34]"""
    stage = _stage(scene)
    lines = tuple(target_lines(stage, actor_of(stage))) if plays_fire(stage.battle) else ()
    none = ("There are no targets to shoot at.",)
    return Outcome(
        scene=scene,
        headline="checks what shots need to hit",
        notes=lines[:MOST_LINES] or none,
        is_public=False,
    )
