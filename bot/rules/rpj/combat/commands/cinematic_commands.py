"""Cinematic fights: yards, deferred and shared turns, and legendary foes."""

from collections.abc import Iterator

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Audience, Choice, Document, FollowUp, NoOptions, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.combat.combatant import (
    ADJACENT_YARDS,
    YARDS_AN_ACTION,
    Legend,
    Position,
    RpjCombatant,
    RpjKind,
    move_actions,
    put_off,
    shared_turns,
    shown_distance,
    yards_between,
)
from bot.rules.rpj.combat.commands.turn_commands import CHOSEN, actor_of, begun_stage, commanded, someone
from bot.rules.rpj.combat.engine.stack import outcome
from bot.rules.rpj.combat.rules.attacks import best_defense, is_open
from bot.rules.rpj.combat.rules.shooting import against_shot, plays_fire
from bot.rules.rpj.combat.rules.turns import Stage, slots, turn_begun
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import require
from bot.rules.rpj.resolution.check_inputs import BASE_TARGET

FAR = 100_000
Yards = Field(default=None, ge=-FAR, le=FAR)
WHO = Field(default="", max_length=100)


class ModeOptions(Document):
    """The options of switching a fight to yards."""

    cinematic: bool


class WalkOptions(Document):
    """The options of moving in yards."""

    x: int | None = Yards  # where to, eastwards
    y: int | None = Yards  # where to, northwards
    towards: str = WHO  # towards whom, where no place is named
    yards: int | None = Field(default=None, ge=1, le=FAR)  # how far towards them; up to them where left out
    # Towards whom and how far as one text, "who|yards", below 0 away from them; goes first.
    goal: str = CHOSEN


class SpotOptions(Document):
    """The options of placing a combatant in yards."""

    who: str = Field(min_length=1, max_length=100)
    x: int = Field(ge=-FAR, le=FAR)
    y: int = Field(ge=-FAR, le=FAR)


class RpjPairOptions(Document):
    """The options of measuring a distance."""

    target: str = Field(min_length=1, max_length=100)
    other: str = WHO  # the other one; oneself where left out


class DeferOptions(Document):
    """The options of deferring a turn."""

    after: str = Field(default="", max_length=100)


def _assert_cinematic(stage: Stage) -> None:
    if not stage.fight.is_cinematic:
        raise UserError(
            "This fight is played in regions.",
            try_this="Before its first round, a GM can change that with /rpj-gm-fight cinema mode.",
        )


def _cinematic(scene: Scene) -> Stage:
    """The scene's fight, refusing one that is not cinematic."""
    require(scene, Pack.CINEMATIC_COMBAT)
    stage = Stage.of(scene)
    _assert_cinematic(stage)
    return stage


@procedure("fight.mode", gm_only=True, needs_actor=False)
def set_mode(scene: Scene, options: ModeOptions, _dice: Dice) -> Outcome:
    """Play a fight in yards, or in regions. [RPJ-CINE-01]

    Raises:
        UserError: If turns are taken already.
    """
    require(scene, Pack.CINEMATIC_COMBAT)
    stage = Stage.of(scene)
    if stage.fight.has_begun:
        raise UserError("You can only change that before the first round.")
    fight = evolve(stage.fight, is_cinematic=options.cinematic)
    how = "in yards, as a cinematic fight" if options.cinematic else "in regions"
    return outcome(
        stage.with_battle(stage.battle.with_fight(fight)), f"switches the fight: it is played {how}"
    )


# --- yards -------------------------------------------------------------------------------------


@procedure("fight.walk")
def walk(scene: Scene, options: WalkOptions, _dice: Dice) -> Outcome:
    """Move: each 30 yards take an action. [RPJ-CINE-03, RPJ-CINE-08]

    Raises:
        UserError: If that is too far, or nowhere.
    """
    require(scene, Pack.CINEMATIC_COMBAT)
    stage = begun_stage(scene)
    _assert_cinematic(stage)
    who = actor_of(stage)
    stage.battle.assert_turn(who.id)
    stage.battle.assert_free(who.id)
    stage.battle[who.id].assert_can(Need.MOVE)
    start = stage.fight.position(who)
    goal = _goal(stage, start, options)
    yards = yards_between(start, goal)
    if not yards:
        raise UserError("You are already there.")
    cost = move_actions(yards, who.turn.actions)
    battle = stage.battle
    for _ in range(cost):
        battle = battle.spent(who.id)
    stage = stage.with_battle(battle.with_fight(battle.fight.at(battle.fight.fighter(who.id), goal)))
    stage = stage.noted(f"{start} → {goal}, {yard_words(yards)}: {counted(cost, 'action')}.")
    return outcome(stage, "moves")


def _goal(stage: Stage, start: Position, options: WalkOptions) -> Position:
    if options.goal:
        who, _, yards = options.goal.partition("|")
        return on_the_way(start, stage.fight.position(someone(stage, who)), int(yards))
    if options.towards:
        end = stage.fight.position(someone(stage, options.towards))
        return on_the_way(start, end, options.yards or FAR)
    if options.x is None and options.y is None:
        raise UserError("Where to?", try_this="Give x and y in yards, or choose a combatant to move towards.")
    return Position(
        x=start.x if options.x is None else options.x, y=start.y if options.y is None else options.y
    )


def on_the_way(start: Position, end: Position, yards: int) -> Position:
    """A position some yards from one place towards another; negative is away, east if both are the same."""
    far = yards_between(start, end)
    if not far:
        return Position(x=start.x + max(-yards, 0), y=start.y)
    share = min(yards, far) / far
    x, y = (int(way * share) for way in (end.x - start.x, end.y - start.y))  # never a yard too far
    return Position(x=start.x + x, y=start.y + y)


def walk_choices(stage: Stage, who: RpjCombatant) -> Iterator[Choice]:
    """The choices of moves in yards: up to others, towards them, away from foes. [RPJ-CINE-08]"""
    fight, left = stage.fight, who.turn.actions
    if not fight.is_cinematic or not left or _is_kept(stage, who):
        return
    step = YARDS_AN_ACTION
    for other in sorted(fight.present, key=lambda one: one.side is who.side):
        if other.id == who.id:
            continue
        far = fight.yards(who, other)
        if far > ADJACENT_YARDS and far <= step * left:
            cost = counted(move_actions(far, left), "action")
            yield Choice(f"{other.id}|{far}", f"Up to {other.name}: {yard_words(far)} ({cost})"[:100])
        if far > step:
            label = f"Towards {other.name}: {step} of {yard_words(far)} (1 action)"
            yield Choice(f"{other.id}|{step}", label[:100])
        if other.side is not who.side:
            label = f"Away from {other.name}: {yard_words(step)} (1 action)"
            yield Choice(f"{other.id}|{-step}", label[:100])


def _is_kept(stage: Stage, who: RpjCombatant) -> bool:
    """Whether a combatant can't move now."""
    try:
        stage.battle.assert_turn(who.id)
        stage.battle.assert_free(who.id)
        stage.battle[who.id].assert_can(Need.MOVE)
    except UserError:
        return True
    return False


def defer_choices(stage: Stage, who: RpjCombatant) -> Iterator[Choice]:
    """The choices of deferring a turn this round. [RPJ-CINE-07]"""
    fight = stage.fight
    if not fight.is_cinematic or fight.together or who.id not in fight.order or not who.turn.is_untouched:
        return
    for id_ in fight.order[fight.order.index(who.id) + 1 :]:
        name = fight.fighter(id_).name
        yield Choice(name[:100], f"Act after {name} in this round"[:100])


def yard_words(yards: int) -> str:
    """A number of yards in words: "1 yard"."""
    return counted(yards, "yard")


@procedure("fight.spot", gm_only=True, needs_actor=False)
def spot(scene: Scene, options: SpotOptions, _dice: Dice) -> Outcome:
    """Place a combatant, in yards. [RPJ-CINE-03]"""
    stage = _cinematic(scene)
    who, there = commanded(stage, options.who), Position(x=options.x, y=options.y)
    stage = stage.with_battle(stage.battle.with_fight(stage.fight.at(who, there)))
    return outcome(stage, f"places {who.name} at {there}", who)


@procedure("fight.measure")
def measure(scene: Scene, options: RpjPairOptions, _dice: Dice) -> Outcome:
    """Show the yards between two combatants, the distance for weapons, and the usual target number.

    [RPJ-CINE-03 (CINE-03a), RPJ-CINE-09]
    """
    stage = _cinematic(scene)
    target = commanded(stage, options.target)
    other = commanded(stage, options.other) if options.other else actor_of(stage)
    return Outcome(
        scene=scene,
        headline=f"measures from {other.name} to {target.name}",
        notes=(
            f"{yard_words(stage.fight.yards(other, target))}: distance {_distance(stage, other, target)}.",
            _usual_number(stage, other, target),
        ),
        is_public=False,
    )


def _distance(stage: Stage, a: RpjCombatant, b: RpjCombatant) -> str:
    return shown_distance(stage.fight.distance(a, b))


def _usual_number(stage: Stage, attacker: RpjCombatant, target: RpjCombatant) -> str:
    """The usual target number to hit a combatant from there.

    [RPJ-CINE-09, RPJ-FIRE-01, RPJ-INV-04 (INV-04b)]
    """
    whom = stage.battle[target.id]
    if is_open(whom):
        return f"{target.name} is overloaded: every attack hits without a roll."
    value = best_defense(whom).value
    if plays_fire(stage.battle) and not stage.fight.are_adjacent(attacker, target):
        parts = against_shot(stage.battle, attacker.id, target.id)
        value = BASE_TARGET + sum(part.value for part in parts)
    return f"To hit {target.name} usually needs {value}+; the GM can set another number."


# --- turns -------------------------------------------------------------------------------------


@procedure("fight.defer")
def defer(scene: Scene, options: DeferOptions, dice: Dice) -> Outcome:
    """Act later in this round; the next round is as usual. [RPJ-CINE-07 (CINE-07a)]

    Raises:
        UserError: If that would be earlier, or part of one's turn is over.
    """
    require(scene, Pack.CINEMATIC_COMBAT)
    stage = begun_stage(scene)
    _assert_cinematic(stage)
    if not options.after:
        raise UserError("Act after which combatant?", try_this="Choose someone who acts later this round.")
    fight, who, after = stage.fight, actor_of(stage), someone(stage, options.after)
    if who.id not in fight.order or after.id not in fight.order:
        raise UserError("You can't act after the mooks.", "They always act last.")
    now = fight.order.index(fight.turn) if fight.turn in fight.order else len(fight.order)
    is_on = fight.turn == who.id
    if fight.order.index(who.id) < now or (is_on and not who.turn.is_untouched) or fight.together:
        raise UserError(f"{who.name} has already started this round's turn.")
    order = put_off(fight.order, who.id, after.id)
    following = fight.order[now + 1] if is_on else fight.turn
    changed = {"order": order, "usual": fight.usual or fight.order, "turn": following}
    stage = stage.with_battle(stage.battle.with_fight(evolve(fight, **changed)))
    if is_on:
        stage = stage.with_battle(turn_begun(stage.battle, following))
        stage = stage.noted(f"It is {stage.fight.fighter(following).name}'s turn.")
    return outcome(stage.concerning(who.id), f"defers their turn until after {after.name}")


def _sharers(stage: Stage) -> tuple[RpjCombatant, ...]:
    """Player characters with consecutive turns, the current one first; empty for one alone. [RPJ-CINE-10]"""
    fight = stage.fight
    if not fight.is_cinematic or fight.together:
        return ()
    able = [
        one.id
        for one in fight.present
        if one.kind is RpjKind.PLAYER and stage.battle[one.id].is_able and stage.battle[one.id].is_awake
    ]
    for group in shared_turns(slots(stage.battle), able):
        if fight.turn in group[:-1]:
            return tuple(fight.fighter(id_) for id_ in group[group.index(fight.turn) :])
    return ()


def sharing_button(stage: Stage) -> Iterator[FollowUp]:
    """The button to share consecutive turns."""
    sharers = _sharers(stage)
    if sharers and sharers[0].character is not None:
        names = ", ".join(one.name for one in sharers[1:])
        yield FollowUp(
            procedure="fight.together",
            options=NoOptions(),
            label=f"Act together with {names}"[:80],
            character=sharers[0].character,
            group="together",
        )


@procedure("fight.together")
def act_together(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Let consecutive turns spend their actions in any order. [RPJ-CINE-10]

    Raises:
        UserError: If nobody's turn follows.
    """
    require(scene, Pack.CINEMATIC_COMBAT)
    stage = begun_stage(scene)
    _assert_cinematic(stage)
    sharers = _sharers(stage)
    if not sharers or sharers[0].id != actor_of(stage).id:
        raise UserError("You can only share a turn with combatants right after you.")
    battle = stage.battle
    for one in sharers[1:]:
        battle = turn_begun(battle, one.id)
    ids = tuple(one.id for one in sharers)
    stage = stage.with_battle(battle.with_fight(evolve(battle.fight, together=ids)))
    stage = stage.noted(
        *(f"{one.name}: {stage.fight.fighter(one.id).turn.actions} actions." for one in sharers)
    )
    names = ", ".join(one.name for one in sharers[1:])
    return outcome(stage.concerning(*ids), f"acts together with {names}")


class LegendOptions(Document):
    """The options of making a foe legendary."""

    who: str = Field(min_length=1, max_length=100)
    stages: int = Field(default=3, ge=1, le=20)  # how many stages it takes


class RpjFoeOptions(Document):
    """The options of a command about a legendary foe."""

    who: str = Field(min_length=1, max_length=100)


def _legend(stage: Stage, typed: str) -> tuple[RpjCombatant, Legend]:
    who = commanded(stage, typed)
    found = stage.fight.legends.get(who.id)
    if found is None:
        raise UserError(
            f"{who.name} isn't a legendary foe.", try_this="Make one with /rpj-gm-fight cinema legend."
        )
    return who, found


def _stage_words(who: RpjCombatant, legend: Legend) -> str:
    """A legendary foe's stage, which its button refers to."""
    return f"{who.name} at {legend.reached} of {legend.stages} stages"


def _stage_outcome(stage: Stage, who: RpjCombatant, legend: Legend, headline: str) -> Outcome:
    """The outcome with a legendary foe's stage and the GM's next button."""
    legends = {**stage.fight.legends, who.id: legend}
    stage = stage.changed(legends=legends)
    done = legend.can_be_finished
    button = FollowUp(
        procedure="fight.legend_finish" if done else "fight.legend_on",
        options=RpjFoeOptions(who=who.id),
        label=f"{'Finish' if done else 'Weaken'} {who.name} (GM)",
        audience=Audience.GM,
        group="legend",
        deal=_stage_words(who, legend),
    )
    stage = replace(stage, buttons=(*stage.buttons, button))
    words = f"{who.name}: {legend.reached} of {legend.stages} stages."
    return outcome(stage.noted(words), headline, who)


@procedure("fight.legend", gm_only=True, needs_actor=False)
def legend_begin(scene: Scene, options: LegendOptions, _dice: Dice) -> Outcome:
    """Make a foe legendary: it loses no saves and is defeated in stages. [RPJ-CINE-06 (CINE-06a)]

    Raises:
        UserError: If it is a mook.
    """
    require(scene, Pack.CINEMATIC_COMBAT)
    who = commanded(Stage.of(scene), options.who)
    if who.character is None or who.kind is RpjKind.MOOK:
        raise UserError(f"{who.name} is a mook.", "Mooks can't be legendary foes.")
    character = scene.character(who.character)
    sheet = evolve(character.sheet, has_unlimited_saves=True)
    stage = Stage.of(scene.with_sheet(character, sheet))
    return _stage_outcome(stage, who, Legend(stages=options.stages), f"makes {who.name} a legendary foe")


@procedure("fight.legend_on", gm_only=True, needs_actor=False)
def legend_on(scene: Scene, options: RpjFoeOptions, _dice: Dice) -> Outcome:
    """Bring a legendary foe down by a stage. [RPJ-CINE-06 (CINE-06a)]

    Raises:
        UserError: If it is as weak as it gets.
    """
    require(scene, Pack.CINEMATIC_COMBAT)
    stage = Stage.of(scene)
    who, legend = _legend(stage, options.who)
    done = _stage_outcome(stage, who, legend.advanced(), f"weakens {who.name}")
    return replace(done, deal=_stage_words(who, legend))


@procedure("fight.legend_finish", gm_only=True, needs_actor=False)
def legend_finish(scene: Scene, options: RpjFoeOptions, _dice: Dice) -> Outcome:
    """Defeat a legendary foe. [RPJ-CINE-06 (CINE-06a)]

    Raises:
        UserError: If stages are left.
    """
    require(scene, Pack.CINEMATIC_COMBAT)
    stage = Stage.of(scene)
    who, legend = _legend(stage, options.who)
    legend.assert_can_be_finished()
    health = evolve(stage.battle[who.id].health, out=Out.DEAD)
    done = outcome(stage.with_health(who.id, health), f"defeats {who.name}", who)
    return replace(done, deal=_stage_words(who, legend))
