"""Getting back on one's feet: bleeding out and waking, help and treatment, and ends of conditions."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    CharacterId,
    Document,
    DueTimer,
    Family,
    FollowUp,
    Roll,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import down, label_with, to_do
from bot.rules.rpj.character.incapacity import (
    HOUR,
    MINUTE,
    Wait,
    after_bleeding,
    after_waking,
    assert_can,
    bleeding_check,
    helped,
    needs_of,
    own_condition,
    recovered,
    suffered_by,
    waking_check,
    with_health,
    with_suffered,
    without,
)
from bot.rules.rpj.character.lucky_breaks import Rescue, paid_for, rescue_buttons, window_of
from bot.rules.rpj.character.sheet import Character, HookResult, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.checks.after_a_check import OwnRoll, came_off
from bot.rules.rpj.checks.skill_checks import Situation, attribute_check, skill_check, skill_named
from bot.rules.rpj.combat.combatant import fighter_id
from bot.rules.rpj.combat.commands.grappling import TargetOptions, lend_a_hand
from bot.rules.rpj.combat.commands.turn_commands import actor_of, begun_stage
from bot.rules.rpj.combat.commands.turn_order import Bleed
from bot.rules.rpj.combat.commands.turn_order import bleed as bleed_in_turn
from bot.rules.rpj.combat.engine.damage_steps import (
    after_treatment,
    assert_treatable,
    helping_check,
    treating_check,
)
from bot.rules.rpj.combat.engine.stack import BleedOptions
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, is_fighting
from bot.rules.rpj.combat.rules.turns import Stage, single_task
from bot.rules.rpj.module.condition_kinds import Suffered, after_recovery, escape_of, recovery_of
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import require
from bot.rules.rpj.resolution.check import CHECK, chance_words, reading_of
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs

ROLLED = (Wait.BLEEDING, Wait.WAKING)


class RpjFateOptions(Document):
    """The options of a roll of a character out of action."""

    rolled: RpjCheckInputs | None = None  # the roll whose dice lie on the table already, or None
    due: int | None = None  # the moment of the game clock at which it was due; None in a fight


def _fights(scene: Scene) -> bool:
    """Whether the acting character is in a started fight of the channel."""
    fight = FIGHTS_KEPT.find(scene)
    if fight is None or not fight.has_begun:
        return False
    return any(one.id == fighter_id(scene.actor.id) for one in fight.combatants)


class _Fate(Struct, frozen=True, kw_only=True):
    """A roll of a character out of action, and its result."""

    wait: Wait
    headline: str
    roll: Roll
    health: RpjHealth
    verdict: Verdict


def _when_due(scene: Scene, options: RpjFateOptions, wait: Wait) -> RpjFateOptions:
    """The options with the moment on the game clock when the roll became due.

    [RPJ-GCS-33 (R-088), RPJ-GCS-35]
    """
    if options.rolled is not None:
        return options
    actor = scene.actor
    running, waiting = actor.timers.get(wait.value), actor.sheet.health.due
    if running is not None and running > scene.clock:
        minutes = -(-(running - scene.clock) // MINUTE)
        raise UserError(
            f"{actor.name}'s next roll is due in {minutes} minute{'s' * (minutes != 1)} of game time.",
            "The GM can advance the clock with /gm time.",
        )
    known = waiting if running is None else running
    due = known if known is not None else options.due if options.due is not None else scene.clock
    if options.due not in (None, due):
        raise UserError("This roll has already been made.", "Use the button on the newest message.")
    return evolve(options, due=due)


def _in_own_turn(scene: Scene, dice: Dice) -> Outcome:
    """Roll against bleeding out in a fight: once per own turn, which ends it. [RPJ-GCS-33 (R-088)]"""
    stage, own = Stage.of(scene), fighter_id(scene.actor.id)
    top = stage.steps[-1] if stage.steps else None
    if not isinstance(top, Bleed) or top.who != own:
        raise UserError(
            f"{scene.actor.name} rolls against bleeding out once per turn in a fight.",
            "The board asks for it when their turn comes.",
        )
    return bleed_in_turn(scene, BleedOptions(who=own), dice)


@procedure(Wait.BLEEDING.value)
def bleed(scene: Scene, options: RpjFateOptions, dice: Dice) -> Outcome:
    """Roll against bleeding out. [RPJ-GCS-33, RPJ-GCS-34, RPJ-LUCK-02]

    Raises:
        UserError: If the character does not bleed.
    """
    actor = scene.actor
    figure = figure_in(scene, actor)
    if not figure.sheet.health.is_bleeding:
        raise UserError(f"{actor.name} isn't bleeding out.")
    if options.rolled is None and _fights(scene):
        return _in_own_turn(scene, dice)
    options = _when_due(scene, options, Wait.BLEEDING)
    roll = CHECK.resolve(options.rolled or bleeding_check(figure.module), dice)
    health = after_bleeding(figure.sheet.health, roll, figure.module.combat)
    if reading_of(roll).result.is_success:
        verdict = Verdict(Family.SUCCESS, "stabilized")
    elif health.out is Out.DEAD:
        verdict = Verdict(Family.FAILURE, "dies")
    else:
        count = f"{health.bleeding} of {figure.module.combat.bleeding_failures}"
        verdict = Verdict(Family.FAILURE, f"still bleeding, {count}")
    fate = _Fate(
        wait=Wait.BLEEDING, headline="rolls against bleeding out", roll=roll, health=health, verdict=verdict
    )
    return _fate_outcome(scene, options, fate)


@procedure(Wait.WAKING.value)
def wake(scene: Scene, options: RpjFateOptions, dice: Dice) -> Outcome:
    """Roll to wake up. [RPJ-GCS-35, RPJ-LUCK-02]

    Raises:
        UserError: If the character isn't knocked out.
    """
    actor = scene.actor
    figure = figure_in(scene, actor)
    if figure.sheet.health.out is not Out.KNOCKED_OUT:
        raise UserError(f"{actor.name} isn't knocked out.")
    options = _when_due(scene, options, Wait.WAKING)
    roll = CHECK.resolve(options.rolled or waking_check(figure), dice)
    is_awake = reading_of(roll).result.is_success
    fate = _Fate(
        wait=Wait.WAKING,
        headline="tries to wake up",
        roll=roll,
        health=after_waking(figure, roll),
        verdict=Verdict(Family.SUCCESS, "wakes up")
        if is_awake
        else Verdict(Family.FAILURE, "stays unconscious"),
    )
    return _fate_outcome(scene, options, fate)


@procedure("recover")
def recover(scene: Scene, options: RpjFateOptions, dice: Dice) -> Outcome:
    """Roll what a character who is out has to roll: to wake up, or against bleeding out.

    [RPJ-GCS-33, RPJ-GCS-35]
    """
    is_asleep = figure_in(scene, scene.actor).sheet.health.out is Out.KNOCKED_OUT
    return (wake if is_asleep else bleed)(scene, options, dice)


def _fate_outcome(scene: Scene, options: RpjFateOptions, fate: _Fate) -> Outcome:
    actor = scene.actor
    inputs = RpjCheckInputs.model_validate(fate.roll.inputs.model_dump())
    paid = paid_for(scene, actor.id, inputs)
    roller = paid.character(actor.id)
    rescue = Rescue(
        procedure=fate.wait.value,
        options=lambda again: evolve(options, rolled=again),
        window=window_of(actor.id),
    )
    is_fighting = _fights(scene)
    after, following = _going_on(with_health(paid, roller, fate.health, in_combat=is_fighting), options, fate)
    return Outcome(
        scene=after,
        paid=paid,
        headline=fate.headline,
        verdict=fate.verdict,
        rolls=(fate.roll,),
        follow_ups=(*rescue_buttons(roller, fate.roll, rescue), *following),
        skill=fate.wait.value,
    )


def _going_on(scene: Scene, options: RpjFateOptions, fate: _Fate) -> tuple[Scene, tuple[FollowUp, ...]]:
    """When the next roll is due, or the button for it if it is due now.

    [RPJ-GM-07, RPJ-GCS-33 (R-088), RPJ-GCS-35]
    """
    actor = scene.actor
    if options.due is None or not _is_waiting(fate.health, fate.wait):
        return scene, ()
    every = MINUTE
    if fate.wait is Wait.WAKING:
        every *= figure_in(scene, actor).module.combat.waking_minutes
    due = options.due + every
    if due > scene.clock:
        return scene.with_character(actor.with_timer(fate.wait, due)), ()
    waiting = _waiting(actor.with_timer(fate.wait, None), due)
    return scene.with_character(waiting), (fate_button(actor, figure_in(scene, actor), due),)


def _waiting(character: Character, due: int) -> Character:
    """The character with a roll due at a moment."""
    sheet = character.sheet
    health = evolve(sheet.health, due=due)
    return replace(character, sheet=evolve(sheet, health=health))


def _is_waiting(health: RpjHealth, wait: Wait) -> bool:
    return health.is_bleeding if wait is Wait.BLEEDING else health.out is Out.KNOCKED_OUT


def fate_button(character: Character, figure: Stats, due: int | None = None) -> FollowUp:
    """The button to roll against bleeding out, or to wake up. [RPJ-GCS-33, RPJ-GCS-35]

    Args:
        character: Who is out.
        figure: The same as the rules read it.
        due: The moment of the game clock at which the roll is due; None in a fight.
    """
    is_bleeding = figure.sheet.health.is_bleeding
    inputs = bleeding_check(figure.module) if is_bleeding else waking_check(figure)
    what = "roll against bleeding out" if is_bleeding else "try to wake up"
    chance = chance_words(inputs)
    return FollowUp(
        procedure=Wait.BLEEDING if is_bleeding else Wait.WAKING,
        options=RpjFateOptions(due=due),
        label=label_with(character.name, f": {what} against {inputs.target}+ · {chance}"),
        character=character.id,
        group=f"fate {character.id}",
    )


def timers_due(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """Let timers run out: offer rolls, end penalties and temporary layers.

    [RPJ-GM-07, RPJ-HEALTH-09 (R-058), RPJ-GCS-33 to RPJ-GCS-35 (R-091), RPJ-GCS-40]
    """
    notes: list[str] = []
    buttons: list[FollowUp] = []
    for timer in due:
        character = scene.character(timer.character)
        moment = character.timers[timer.key]
        figure = figure_in(scene, character)
        if timer.key == Wait.BLEEDING and is_fighting(scene, character.id):  # the turn asks for the roll
            scene = scene.with_character(character.with_timer(timer.key, None))
        elif timer.key in ROLLED:
            scene = scene.with_character(_waiting(character.with_timer(timer.key, None), moment))
            how = "bleeds" if timer.key == Wait.BLEEDING else "is unconscious"
            notes.append(to_do(f"{character.name} {how}: a roll is due."))
            buttons.append(fate_button(character, figure, moment))
        elif timer.key in (Wait.SLEEPING, Wait.WEAK):
            scene = with_health(scene, character, recovered(figure))
            notes.append(down(f"{character.name} is back in action."))
        else:
            health = character.sheet.health
            left = with_health(scene, character, health.at_clock(moment)).character(character.id)
            scene = scene.with_character(left.with_timer(timer.key, None))
            notes.append(f"{character.name} loses the protection of {timer.key.removeprefix('own ')}.")
    return HookResult(scene=scene, notes=tuple(notes), follow_ups=tuple(buttons))


TREAT, HELP = "fight.treat_outside", "fight.help_outside"


class TendOptions(Document):
    """The options of helping or treating someone."""

    target: CharacterId
    rolled: RpjCheckInputs | None = None  # the roll whose dice lie on the table already, or None


@procedure(TREAT)
def treat(scene: Scene, options: TendOptions, dice: Dice) -> Outcome:
    """Give medical attention for an hour. [RPJ-GCS-39 (R-102, R-103)]"""
    actor, target = scene.actor, scene.character(options.target)
    figure, health = figure_in(scene, actor), target.sheet.health
    assert_treatable(figure, health, in_combat=is_fighting(scene, actor.id))
    inputs = options.rolled or treating_check(figure)
    seconds = figure.module.combat.treat_hours * HOUR if options.rolled is None else 0
    after = after_treatment(health)
    done = f"gives {target.name} medical attention"
    return _tended(scene, options, dice, TREAT, inputs, after, done, seconds)


@procedure(HELP)
def help_up(scene: Scene, options: TendOptions, dice: Dice) -> Outcome:
    """Give a helping hand: an action in a fight, otherwise once a minute. [RPJ-GCS-37 (R-097, R-098)]"""
    actor, target = scene.actor, scene.character(options.target)
    if options.rolled is None and is_fighting(scene, actor.id):
        return lend_a_hand(scene, TargetOptions(target=fighter_id(target.id)), dice)
    health = target.sheet.health
    if health.out not in (Out.INCAPACITATED, Out.KNOCKED_OUT):
        raise UserError(f"{target.name} isn't incapacitated.", "You can only help someone incapacitated.")
    inputs = options.rolled or helping_check(figure_in(scene, actor))
    seconds = MINUTE if options.rolled is None else 0
    done = f"gives {target.name} a helping hand"
    return _tended(scene, options, dice, HELP, inputs, helped(health), done, seconds)


def _tended(
    scene: Scene,
    options: TendOptions,
    dice: Dice,
    procedure: str,
    inputs: RpjCheckInputs,
    after: RpjHealth,
    headline: str,
    seconds: int,
) -> Outcome:
    """The outcome of helping or treating, which takes its time in any case."""
    actor, target = scene.actor, scene.character(options.target)
    paid = paid_for(scene, actor.id, inputs)
    roll: Roll = CHECK.resolve(inputs, dice)
    works = reading_of(roll).result.is_success
    done = with_health(paid, paid.character(target.id), after) if works else paid
    roller = paid.character(actor.id)
    rescue = Rescue(
        procedure=procedure,
        options=lambda again: evolve(options, rolled=again),
        window=window_of(target.id),
    )
    verdict = Verdict(Family.SUCCESS, "back in action") if works else Verdict(Family.FAILURE, "no change")
    return Outcome(
        scene=done.at_clock(scene.clock + seconds),
        paid=paid.at_clock(scene.clock + seconds),
        headline=headline,
        verdict=verdict,
        rolls=(roll,),
        follow_ups=rescue_buttons(roller, roll, rescue),
        skill="medicine",
    )


class RecoverOptions(Document):
    """The options of a recovery check."""

    name: str = Field(max_length=60)
    rolled: RpjCheckInputs | None = None  # the roll whose dice lie on the table already, or None


class RpjEscapeOptions(RecoverOptions):
    """The options of an escape."""

    skill: str = Field(default="", max_length=100)  # with which skill; the best that does it where left out


def _replaced(suffered: Iterable[Suffered], old: Suffered, new: Suffered) -> tuple[Suffered, ...]:
    return tuple(new if one is old else one for one in suffered)


@procedure("condition.recover")
def recover_from_condition(scene: Scene, options: RecoverOptions, dice: Dice) -> Outcome:
    """Roll to recover from a condition; enough successes end it. [RPJ-COND-06 (COND-06a)]

    Raises:
        UserError: If one does not recover from it, or it is too early.
    """
    require(scene, Pack.CONDITIONS)
    actor = scene.actor
    one = own_condition(actor, options.name)
    recovery = recovery_of(one, scene.clock)
    own = OwnRoll(
        procedure="condition.recover",
        options=lambda rolled: evolve(options, rolled=rolled),
        roller=actor.id,
    )
    situation = Situation(difficulty=recovery.difficulty)
    inputs = options.rolled or attribute_check(figure_in(scene, actor), recovery.attribute, situation)
    paid, roll = own.thrown(scene, inputs, dice)
    succeeded = came_off(roll)
    after = one if succeeded is None else after_recovery(one, scene.clock, succeeded=succeeded)
    suffered = suffered_by(paid.actor)
    left = without(suffered, one.condition) if after is None else _replaced(suffered, one, after)
    return Outcome(
        scene=with_suffered(paid, actor.id, left),
        paid=paid,
        headline=f"rolls to recover from {one.condition.name}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(_recovered(one, after), *own.notes(paid, roll)),
        follow_ups=own.buttons(paid, roll),
        passed=succeeded,
        skill=recovery.attribute.word,
    )


def _recovered(one: Suffered, after: Suffered | None) -> str:
    recovery = one.condition.recovery
    if after is None or recovery is None:
        return f"{one.condition.name} is over."
    return f"Recovered {one.recovered} → {after.recovered} of {recovery.countdown}."


@procedure("condition.escape", can_repeat=True)
def escape(scene: Scene, options: RpjEscapeOptions, dice: Dice) -> Outcome:
    """Try to escape a condition with a skill; 1 action in a fight. [RPJ-COND-07 (COND-07a, COND-07b)]

    Raises:
        UserError: If it does not end so, or the condition itself forbids that.
    """
    require(scene, Pack.CONDITIONS)
    actor = scene.actor
    figure = figure_in(scene, actor)
    one = own_condition(actor, options.name)
    able = [figure.known_skill(id_) for id_ in (one.condition.escape.skills if one.condition.escape else ())]
    best = max(able, key=figure.effective_level, default=None)
    skill = skill_named(figure.module, options.skill) if options.skill or best is None else best
    way = escape_of(one, skill.id)
    assert_can(figure, *needs_of(skill.tags))
    own = OwnRoll(
        procedure="condition.escape",
        options=lambda rolled: evolve(options, rolled=rolled),
        roller=actor.id,
    )
    scene = scene if options.rolled else _with_action(scene, way.actions)
    inputs = options.rolled or skill_check(figure, skill, Situation(difficulty=way.difficulty))
    paid, roll = own.thrown(scene, inputs, dice)
    succeeded = came_off(roll)
    left = without(suffered_by(paid.actor), one.condition) if succeeded else suffered_by(paid.actor)
    return Outcome(
        scene=with_suffered(paid, actor.id, left),
        paid=paid,
        headline=f"tries to escape {one.condition.name} with {skill.name}",
        verdict=_freed(one, roll, succeeded),
        rolls=(roll,),
        notes=own.notes(paid, roll),
        follow_ups=own.buttons(paid, roll),
        passed=succeeded,
        skill=skill.name,
    )


def _freed(one: Suffered, roll: Roll, succeeded: bool | None) -> Verdict:
    if succeeded is None:
        return roll.verdict
    if succeeded:
        return Verdict(Family.SUCCESS, "free")
    return Verdict(Family.FAILURE, f"still has {one.condition.name}")


def _with_action(scene: Scene, actions: int) -> Scene:
    """The scene after paying the action in the channel's fight, if there is one."""
    fight = FIGHTS_KEPT.find(scene)
    if fight is None or not fight.has_begun or fight.combatant(scene.actor.id) is None:
        return scene
    stage = begun_stage(scene)
    who = actor_of(stage).id
    for _ in range(actions):
        stage = stage.with_battle(single_task(stage.battle, who))
    return stage.saved()
