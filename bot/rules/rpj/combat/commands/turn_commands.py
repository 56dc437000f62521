"""The turn commands: move, attack, come out of hiding, and everything else."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Document, NoOptions, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import listed
from bot.rules.rpj.character.casters import broken
from bot.rules.rpj.character.lucky_breaks import spend
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.skill_checks import read_modifiers
from bot.rules.rpj.combat.combatant import RpjCombatant, counted, fighter_id
from bot.rules.rpj.combat.engine.attack_steps import RpjPendingAttack
from bot.rules.rpj.combat.engine.damage_steps import assert_may_attack
from bot.rules.rpj.combat.engine.moves import (
    Goal,
    PendingMove,
    RpjStep,
    Trigger,
    cautious_paid,
    cautious_walk,
    moved,
    provoked,
    region_of,
    route,
    step_to,
    under_fire,
    where,
)
from bot.rules.rpj.combat.engine.stack import go_on, outcome
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, PlacedCover
from bot.rules.rpj.combat.rules.attacks import RpjAim, assert_several, assert_target, best_defense
from bot.rules.rpj.combat.rules.combatants import chosen_arm, prepared, weapons_of, wielding
from bot.rules.rpj.combat.rules.shooting import Shooting, loaded_left, shots_spent
from bot.rules.rpj.combat.rules.turns import (
    Stage,
    fighter_named,
    full_task,
    new_combatant,
    single_task,
    swap_cost,
    swapped,
    turn_begun,
)
from bot.rules.rpj.module.condition_kinds import Need


def come_out(stage: Stage, hidden: Sequence[RpjCombatant]) -> Stage:
    """The stage with hidden combatants revealed where they are, with their cover. [RPJ-GCS-46, RPJ-GM-04]"""
    for one in hidden:
        stage = stage.with_battle(stage.battle.with_fight(stage.fight.revealed(one.id)))
        character = stage.character(one.id)
        if character is not None:
            stage = stage.in_scene(stage.scene.with_character(replace(character, is_hidden=False)))
            lost = new_combatant(stage.scene, character).saves_lost
            stage = stage.with_battle(stage.battle.changed(one.id, saves_lost=lost))
    return stage


def strike_from_hiding(stage: Stage, hidden: RpjCombatant) -> Stage:
    """The stage with a hidden combatant revealed to attack, sharing the current turn.

    From the next round on they have their turns behind whoever is on, or last of all before the mooks.

    Raises:
        UserError: If that is a mook.

    [RPJ-GCS-19, RPJ-SMAG-16]
    """
    if hidden.mook is not None:
        raise UserError(f"{hidden.name} is a mook.", try_this="Use /rpj-gm-fight mook-attack.")
    stage = come_out(stage, (hidden,))
    if hidden.character is not None:
        stage = stage.in_scene(broken(stage.scene, hidden.character))
    fight = stage.fight
    order = fight.usual or fight.order
    place = order.index(fight.turn) + 1 if fight.turn in order else len(order)
    changes = {
        "together": (*(fight.together or (fight.turn,)), hidden.id),
        "usual": (*order[:place], hidden.id, *order[place:]),
    }
    battle = stage.battle.with_fight(evolve(fight, **changes))
    initiative = fight.fighter(order[place - 1]).initiative if place else 0
    battle = turn_begun(battle.changed(hidden.id, initiative=initiative), hidden.id)
    words = f"{hidden.name} comes out of hiding in {fight.field.name(hidden.region)} and acts now."
    return stage.with_battle(battle).noted(words)


def slip(stage: Stage, movers: Sequence[RpjCombatant], goal: Goal) -> Outcome:
    """Move hidden mooks together; unnoticed, they draw no free attacks. [RPJ-GCS-10, RPJ-GM-04]"""
    step = step_to(stage.battle, movers[0].id, goal)
    group = stage.fight.new_group if step.group is None else step.group
    for mook in movers:
        stride = RpjStep(step.region, group, leaves=False)
        stage = stage.with_battle(moved(stage.battle.spent(mook.id), mook.id, stride))
    words = (where(stage, movers[0].id), "The players don't see this.")
    there = stage.fight.field.name(step.region)
    return outcome(stage.noted(*words), f"moves {counted(movers)[0]} to {there}", *movers)


CHOSEN = Field(default="", max_length=100)
FAR = 99  # regions: more than any ground has


class MoveOptions(Document):
    """The options of a move."""

    region: str = Field(default="", max_length=60)  # the region, by number or name; one's own where left out
    beside: str = Field(default="", max_length=100)  # whose group is joined; nobody's where left out
    cautious: bool = False  # whether the whole turn goes into it, so that nobody strikes
    goal: str = CHOSEN  # the same as one text, "region|who"; goes before the others


class AttackOptions(Document):
    """The options of an attack."""

    target: str = Field(default="", max_length=100)  # whom, by name
    weapon: str = Field(default="", max_length=60)  # with what; the first in hand where left out
    extras: str = Field(default="", max_length=200)  # with which weapons besides, with commas between
    modifiers: str = Field(default="", max_length=200)  # bonuses and penalties with a word
    lethal: bool = False  # whether bare hands are to kill, where a trait lets one choose
    spare: bool = False  # whether a mook is to be taken alive
    lucky: bool = False  # whether a Lucky Break is spent beforehand
    # The target number that the GM sets, where fights are cinematic.
    number: int | None = Field(default=None, ge=2, le=40)
    aim: str = CHOSEN  # target and weapon as one text, "who|weapon"; goes before the others


class CloseInOptions(Document):
    """The options of a move to somebody with an attack on them."""

    aim: str = Field(min_length=1, max_length=100)  # whom, and with what if it comes to that: "who|weapon"


class RpjTaskOptions(Document):
    """The options of another task."""

    what: str = Field(min_length=1, max_length=200)  # what, in one's own words
    full: bool = False  # whether it takes the whole turn


class RpjSwapOptions(Document):
    """The options of switching weapons, separated by commas."""

    weapons: str = Field(max_length=200)


def actor_of(stage: Stage) -> RpjCombatant:
    """The acting character's combatant.

    Raises:
        UserError: If they take no part, or a condition keeps them from everything.
    """
    character = stage.scene.actor
    found = next((one for one in stage.fight.combatants if one.id == fighter_id(character.id)), None)
    if found is None:
        raise UserError(f"{character.name} isn't in the fight.", try_this="Press Join on its board.")
    stage.battle[found.id].assert_can(Need.EVERYTHING)
    return found


def attacker_of(stage: Stage) -> tuple[Stage, str]:
    """The attacker: the acting character, revealed if hidden.

    Raises:
        UserError: If they take no part, or a condition keeps them from everything.
    """
    own = actor_of(stage)
    is_ambush = own.is_hidden and stage.scene.is_gm
    return (strike_from_hiding(stage, own) if is_ambush else stage), own.id


def active_fighter(scene: Scene) -> str | None:
    """The acting character's id in the channel's fight; None if they are in none."""
    encounter = FIGHTS_KEPT.find(scene)
    if encounter is None or not encounter.has_begun:
        return None
    found = (one.id for one in encounter.combatants if one.character == scene.actor_id)
    return next(found, None)


def begun_stage(scene: Scene) -> Stage:
    """The stage of a started fight without pending steps.

    Raises:
        UserError: If there is none, it has not begun, or something else comes first.
    """
    stage = Stage.of(scene)
    if not stage.fight.has_begun:
        raise UserError("The first round hasn't started.", try_this="Start it with /encounter next.")
    stage.assert_quiet()
    return stage


def region_named(stage: Stage, typed: str) -> int | None:
    """A region by number or name; None for an empty text.

    Raises:
        UserError: If there is no such region.
    """
    wanted = typed.strip().casefold()
    if not wanted:
        return None
    field = stage.fight.field
    found = next((one for one in field.numbers if wanted in (str(one), field.name(one).casefold())), None)
    if found is None:
        names = ", ".join(field.name(one) for one in field.numbers)
        raise UserError(f"There is no region called “{typed}”.", f"The regions: {names}.")
    return found


def someone(stage: Stage, typed: str) -> RpjCombatant:
    """A combatant by name or id.

    Raises:
        UserError: If nobody there is called so.
    """
    return _visible_or_named(stage, typed, is_gm=False)


def _visible_or_named(stage: Stage, typed: str, *, is_gm: bool) -> RpjCombatant:
    exact = next((one for one in stage.fight.present if one.id == typed), None)
    return exact or fighter_named(stage.fight, typed, with_hidden=is_gm)


def commanded(stage: Stage, typed: str) -> RpjCombatant:
    """The combatant a command means, by name or id; the GM can also name hidden ones.

    Raises:
        UserError: If nobody there is called so.
    """
    is_gm = stage.scene.is_gm
    hidden = (one for one in stage.fight.hiding if is_gm and one.id == typed)
    return next(hidden, None) or _visible_or_named(stage, typed, is_gm=is_gm)


def goal_of(stage: Stage, options: MoveOptions, find: Callable[[Stage, str], RpjCombatant] = someone) -> Goal:
    """The goal of a move; *find* looks up a name."""
    region, _, beside = options.goal.partition("|") if options.goal else (options.region, "", options.beside)
    cover = cover_named(stage, beside, region) if beside else None
    if cover is not None:
        return Goal(cover.region, cover=cover.id)
    friend = find(stage, beside).id if beside else None
    return Goal(region_named(stage, region), friend)


def cover_named(stage: Stage, typed: str, region: str = "") -> PlacedCover | None:
    """A cover by name or number ("cover 2"), in a region where one is named; None for none. [RPJ-FIRE-12]"""
    where, wanted = region_named(stage, region), typed.strip().casefold()
    found = (one for one in _covers_known(stage) if where in (None, one.region))
    return next((one for one in found if wanted in (f"cover {one.id}", one.cover.name.casefold())), None)


def cover_chosen(stage: Stage, typed: str) -> PlacedCover:
    """A cover by name or number.

    Raises:
        UserError: If there is none.

    [RPJ-FIRE-12]
    """
    if found := cover_named(stage, typed):
        return found
    names = listed(one.cover.name for one in _covers_known(stage))
    raise UserError(f"There is no cover called {typed}.", f"Cover here: {names}.")


def _covers_known(stage: Stage) -> Sequence[PlacedCover]:
    return stage.fight.covers if stage.scene.is_gm else stage.fight.known_covers


def begin_move(stage: Stage, mover: str, goal: Goal, *, cautious: bool) -> Stage:
    """The stage after paying for a move, with provoked free attacks first.

    [RPJ-GCS-10, RPJ-GCS-43 (R-108), RPJ-GCS-45, RPJ-MNV-04]
    """
    battle = stage.battle
    battle.assert_turn(mover)
    if cautious:
        walk = cautious_walk(battle, mover)
        step = step_to(battle, mover, goal, walk.steps)
        battle = cautious_paid(battle, mover, walk)
    else:
        step = step_to(battle, mover, goal)
        battle = battle.spent(mover)
    going = PendingMove(mover=mover, region=step.region, group=step.group, cautious=cautious)
    stage = under_fire(stage.with_battle(battle).pushed(going), mover, cautious=cautious)
    if not step.leaves:
        return stage
    return provoked(stage, mover, Trigger.CAUTIOUS if cautious else Trigger.LEAVING)


@procedure("fight.move")
def move(scene: Scene, options: MoveOptions, dice: Dice) -> Outcome:
    """Move to another region or group; those left behind may make free attacks first.

    [RPJ-GCS-10, RPJ-GCS-43, RPJ-GCS-45]
    """
    stage = begun_stage(scene)
    mover, before = actor_of(stage), stage.battle
    goal = goal_of(stage, options)
    stage = begin_move(stage, mover.id, goal, cautious=options.cautious)
    how = "moves cautiously" if options.cautious else "moves"
    words = f"{how} {route(before, mover.id, region_of(before, mover.id, goal))}"
    return outcome(go_on(stage, dice), words)


def arm_id(stage: Stage, who: str, typed: str) -> str:
    """The id of a weapon in hand, by name or id; empty for the first one.

    Raises:
        UserError: If it is not in hand.
    """
    wanted = typed.strip().casefold()
    fighter = stage.battle[who]
    weapons = weapons_of(fighter.figure) if fighter.sheeted else ()
    named = next((one.id for one in weapons if wanted in (one.id, one.name.casefold())), typed.strip())
    return chosen_arm(fighter, named).id


def blow_of(stage: Stage, attacker: str, options: AttackOptions) -> RpjPendingAttack:
    """The chosen attack.

    Raises:
        UserError: If there is no such target or weapon.
    """
    typed = options.aim.partition("|") if options.aim else (options.target, "", options.weapon)
    if not typed[0]:
        raise UserError("Attack whom?", try_this="Choose a target.")
    extras = [one for one in (part.strip() for part in options.extras.split(",")) if one]
    target = someone(stage, typed[0]).id
    if options.number is not None and not stage.fight.is_cinematic:
        raise UserError(
            "In this fight, defenses set the target number.", "The GM only sets it in cinematic fights."
        )
    return RpjPendingAttack(
        attacker=attacker,
        target=target,
        weapon=arm_id(stage, attacker, typed[2]),
        extras=tuple(arm_id(stage, attacker, one) for one in extras),
        lethal=options.lethal,
        spare=options.spare,
        terms=read_modifiers(options.modifiers),
        lucky=options.lucky,
        number=options.number,
        way=None if options.number is None else best_defense(stage.battle[target]).way,
    )


def begin_attack(stage: Stage, blow: RpjPendingAttack) -> Stage:
    """The stage after paying for an attack, with provoked free attacks first.

    [RPJ-GCS-11, RPJ-GCS-43, RPJ-GCS-61, RPJ-LUCK-02]
    """
    assert_may_attack(stage.battle, blow.attacker)
    who = stage.battle[blow.attacker]
    arm = chosen_arm(who, blow.weapon)
    if arm.is_ranged:
        who.assert_can(Need.SIGHT)
    assert_target(stage.battle, RpjAim(attacker=blow.attacker, target=blow.target, arm=arm))
    if blow.extras:
        assert_several(arm, [chosen_arm(who, extra) for extra in blow.extras])
    cost = 2 if blow.shot is Shooting.AIMED else 1
    battle = shots_spent(stage.battle, blow.attacker, (arm.id, *blow.extras))
    stage = stage.with_battle(battle.spent(blow.attacker, cost, has_attacked=True))
    if blow.lucky:
        stage = lucky_beforehand(stage, blow.attacker)
    stage = stage.pushed(blow)
    return provoked(stage, blow.attacker, Trigger.SHOOTING) if arm.is_ranged else stage


def lucky_beforehand(stage: Stage, who: str) -> Stage:
    """The stage after spending a Lucky Break. [RPJ-LUCK-02]

    Raises:
        UserError: If there is none left.
    """
    character = stage.character(who)
    if character is None:
        raise UserError("Mooks have no Lucky Breaks.")
    spent = stage.scene.with_character(spend(character, 1))
    return stage.in_scene(spent)


@procedure("fight.attack", can_repeat=True)
def attack(scene: Scene, options: AttackOptions, dice: Dice) -> Outcome:
    """Attack someone; the target chooses a defense and saves against a hit.

    [RPJ-GCS-11, RPJ-GCS-26 to RPJ-GCS-31, RPJ-GCS-60 to RPJ-GCS-62]
    """
    stage, who = attacker_of(begun_stage(scene))
    blow = blow_of(stage, who, options)
    stage = begin_attack(stage, blow)
    arm, target = chosen_arm(stage.battle[blow.attacker], blow.weapon), stage.battle[blow.target]
    verb = "shoots at" if arm.is_ranged else "attacks"
    left = loaded_left(stage.battle, blow.attacker, (arm.id, *blow.extras))
    return outcome(go_on(stage, dice).noted(*left), f"{verb} {target.name} ({arm.name})")


def way_to(stage: Stage, mover: RpjCombatant, target: RpjCombatant) -> Goal:
    """The goal of one move towards somebody: their group, or the next region on the way there."""
    field = stage.fight.field
    near = [mover.region, *field.exits(mover.region)]
    if target.region in near:
        return Goal(target.region, target.id)
    left = {region: field.steps(region, target.region) for region in near}
    return Goal(min(near, key=lambda region: FAR if left[region] is None else left[region] or 0))


def closed_in(stage: Stage, mover: str, target: str, dice: Dice) -> Stage:
    """The stage after moves towards somebody, as many as it takes or there are actions for.

    What a move provokes comes first: then the mover stops. [RPJ-GCS-10, RPJ-GCS-43]

    Raises:
        UserError: If no way leads there.
    """
    fight = stage.fight
    while fight.fighter(mover).group != fight.fighter(target).group and fight.fighter(mover).turn.actions:
        goal = way_to(stage, fight.fighter(mover), fight.fighter(target))
        passed = where(stage, mover)  # where they only pass through is not told
        stage = replace(stage, notes=tuple(one for one in stage.notes if one != passed))
        stage = go_on(begin_move(stage, mover, goal, cautious=False), dice)
        if stage.steps:
            break
        fight = stage.fight
    return stage


@procedure("fight.close_in")
def close_in(scene: Scene, options: CloseInOptions, dice: Dice) -> Outcome:
    """Move to somebody and attack them, as far as the actions of the turn go.

    [RPJ-GCS-10, RPJ-GCS-11, RPJ-GCS-43]
    """
    stage = begun_stage(scene)
    who = actor_of(stage).id
    target = someone(stage, options.aim.partition("|")[0])
    stage = closed_in(stage, who, target.id, dice)
    mover = stage.fight.fighter(who)
    if stage.steps or not mover.turn.actions or mover.group != stage.fight.fighter(target.id).group:
        return outcome(stage, f"closes in on {target.name}")
    try:
        blow = blow_of(stage, who, AttackOptions(aim=options.aim))
        attacking = begin_attack(stage, blow)
    except UserError:  # the weapon in hand is none for so near
        return outcome(stage, f"closes in on {target.name}")
    arm = chosen_arm(stage.battle[who], blow.weapon)
    return outcome(go_on(attacking, dice), f"closes in and attacks {target.name} ({arm.name})")


@procedure("fight.task", can_repeat=True)
def task(scene: Scene, options: RpjTaskOptions, _dice: Dice) -> Outcome:
    """Spend an action, or the whole turn, on something else. [RPJ-GCS-12, RPJ-GCS-13]"""
    stage = begun_stage(scene)
    who = actor_of(stage).id
    after = full_task(stage.battle, who) if options.full else single_task(stage.battle, who)
    stage = stage.with_battle(after)
    cost = "the whole turn" if options.full else "1 action"
    return outcome(stage.noted(f"That takes {cost}; done."), f"does something: {options.what}")


@procedure("fight.prepare")
def prepare(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Spend an action on Prepare charges. [RPJ-MNV-02]"""
    stage = begun_stage(scene)
    who = actor_of(stage)
    stage = stage.with_battle(prepared(stage.battle, who.id))
    charges = stage.fight.fighter(who.id).charges
    return outcome(
        stage.noted(f"Prepare charges {who.charges} → {charges}, until their next turn."), "prepares"
    )


@procedure("fight.swap")
def swap(scene: Scene, options: RpjSwapOptions, _dice: Dice) -> Outcome:
    """Switch weapons. [RPJ-GCS-14, RPJ-GCS-58, RPJ-INV-06]"""
    stage = begun_stage(scene)
    who = actor_of(stage)
    figure = stage.battle[who.id].figure
    wanted = [part.strip().casefold() for part in options.weapons.split(",") if part.strip()]
    known = {key: one.id for one in weapons_of(figure) for key in (one.id, one.name.casefold())}
    ids = wielding(figure, [known.get(word, word) for word in wanted])
    actions = swap_cost(stage.battle, who.id)
    stage = stage.with_battle(swapped(stage.battle, who.id, ids))
    names = ", ".join(one.name for one in weapons_of(figure) if one.id in ids) or "nothing"
    cost = {0: "for free", 1: "for an action"}.get(actions, f"for {actions} actions")
    return outcome(stage.noted(f"In hand: {names}."), f"changes weapons {cost}")
