"""What a fight waits for, and the answers: free attacks, defenses, saves, Lucky Breaks."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from bot.rules.kernel import Family, NamedTerm, NoOptions, Verdict, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import ENCOUNTER
from bot.rules.rpj.character.sheet import Outcome, Scene, Unsettled
from bot.rules.rpj.combat.combatant import RpjKind
from bot.rules.rpj.combat.commands.turn_order import in_order, order_words, with_initiative
from bot.rules.rpj.combat.engine.attack_steps import RpjAttack, RpjPendingAttack, Swarming
from bot.rules.rpj.combat.engine.damage_steps import Saving, UnsavedDamage
from bot.rules.rpj.combat.engine.magic_steps import Ward, Withstand
from bot.rules.rpj.combat.engine.moves import (
    SHOTS,
    Aside,
    React,
    RpjChance,
    Waiting,
    bonus_for,
    has_fired,
    paid,
    shot_arm,
)
from bot.rules.rpj.combat.engine.stack import (
    GROUP,
    LUCK,
    LUCKY_INITIATIVE,
    MOOKS,
    NEWER,
    AsideOptions,
    DoomOptions,
    LuckyInitiative,
    LuckyStep,
    ReactOptions,
    RpjDefendOptions,
    SaveStepOptions,
    StanceOptions,
    WardOptions,
    after_earlier,
    first,
    go_on,
    outcome,
    with_luck_paid,
)
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, Stance
from bot.rules.rpj.combat.rules.combatants import chosen_arm, pulled_aside
from bot.rules.rpj.combat.rules.shooting import Shooting, shots_spent
from bot.rules.rpj.combat.rules.turns import Stage


def unsettled(scene: Scene) -> tuple[Unsettled, ...]:
    """What the channel's fight waits for, in order. [RPJ-GCS-31, RPJ-GCS-43, RPJ-GCS-66]"""
    if FIGHTS_KEPT.find(scene) is None:
        return ()
    stage = Stage.of(scene)
    return tuple(_unsettled(stage, place) for place in reversed(range(len(stage.steps))))


def unsettled_anywhere(scene: Scene) -> tuple[Unsettled, ...]:
    """What the fights of all channels wait for."""
    channels = [key.partition("/")[2] for key in scene.keys(ENCOUNTER)]
    return tuple(
        _from_afar(one, channel) for channel in channels for one in unsettled(replace(scene, channel=channel))
    )


def _from_afar(one: Unsettled, channel: str) -> Unsettled:
    """A pending step with buttons that work from another channel."""

    def settle(scene: Scene, dice: Dice) -> Outcome:
        done = one.settle(replace(scene, channel=channel), dice)
        return replace(done, scene=replace(done.scene, channel=scene.channel))

    def waive(scene: Scene) -> Scene:
        return replace(one.waive(replace(scene, channel=channel)), channel=scene.channel)

    return replace(one, channel=channel, settle=settle, waive=waive)


def _unsettled(stage: Stage, place: int) -> Unsettled:
    step = stage.steps[place]
    is_first = place == len(stage.steps) - 1
    concerned = (stage.character(id_) for id_ in step.whose)
    return Unsettled(
        what=step.words(stage),
        concerns=tuple(one.id for one in concerned if one is not None),
        answers=step.questions(stage) if is_first else (),
        settle=_settled,
        waive=_without(place),
    )


def _settled(scene: Scene, dice: Dice) -> Outcome:
    """Settle the first step: free attacks are skipped, everything else is rolled.

    Whoever bleeds rolls once, and no turn is passed on.
    """
    stage = Stage.of(scene)
    top = stage.steps[-1]
    words = top.pushed_words(stage)
    done = outcome(go_on(top.settled(stage, dice), dice), words)
    return replace(done, follow_ups=tuple(one for one in done.follow_ups if not _asks(one.group)))


def _asks(group: str) -> bool:
    """Whether a button belongs to a step that is settled here anyway."""
    return group == GROUP or group.startswith(f"{GROUP} ")


def _without(place: int) -> Callable[[Scene], Scene]:
    def waive(scene: Scene) -> Scene:
        stage = Stage.of(scene)
        return stage.with_steps((*stage.steps[:place], *stage.steps[place + 1 :])).saved()

    return waive


OVER = "This has already been decided."


# --- free attacks ------------------------------------------------------------------------------


@procedure("fight.react", needs_actor=False)
def react(scene: Scene, options: ReactOptions, dice: Dice) -> Outcome:
    """Make a possible free attack, or skip it.

    [RPJ-GCS-42 to RPJ-GCS-44 (R-107), RPJ-MNV-03, RPJ-MNV-04, RPJ-MNV-06 to RPJ-MNV-08]
    """
    stage = Stage.of(scene)
    top = first(stage, React)
    answering = [one for one in top.waiting if _answers(stage, one, options.by)]
    if not answering:
        raise UserError(OVER, NEWER)
    left = tuple(one for one in top.waiting if one not in answering)
    stage = stage.popped()
    stage = stage.pushed(evolve(top, waiting=left)) if left else stage
    provoker = stage.battle[top.provoker].name
    if not options.strikes:
        return outcome(go_on(stage, dice), "skips the free attack")
    for one in answering:
        chance = RpjChance(one.by, one.payment)
        stage = stage.with_battle(paid(stage.battle, chance))
    blow = _strike(stage, top, answering, options)
    for one in answering:
        stage = has_fired(stage, one.by, top.trigger)
    if isinstance(blow, RpjPendingAttack):
        stage = stage.with_battle(shots_spent(stage.battle, blow.attacker, (blow.weapon,)))
    stage = stage.pushed(blow)
    if top.trigger in SHOTS:
        return outcome(go_on(stage, dice), _shooting_words(provoker, SHOTS[top.trigger]))
    name = options.maneuver.called if options.maneuver else "a free attack"
    return outcome(go_on(stage, dice), f"makes {name} on {provoker}")


def _shooting_words(provoker: str, shot: Shooting) -> str:
    return (
        f"shoots at {provoker}{' on overwatch' if shot is Shooting.OVERWATCH else ', who moved under fire'}"
    )


def _answers(stage: Stage, one: Waiting, by: str) -> bool:
    is_mook = stage.fight.fighter(one.by).kind is RpjKind.MOOK
    return is_mook if by == MOOKS else one.by == by


def _strike(
    stage: Stage, top: React, answering: list[Waiting], options: ReactOptions
) -> RpjPendingAttack | Swarming:
    shot = SHOTS.get(top.trigger, Shooting.PLAIN)
    bonus = bonus_for(top.trigger, stage.battle.rules.coup_bonus)
    terms = (NamedTerm(label=top.trigger.value, value=bonus),) if bonus else ()
    if options.by == MOOKS:
        return Swarming(
            attackers=tuple(one.by for one in answering),
            target=top.provoker,
            rolls=len(answering),
            terms=terms,
            is_free=True,
            shot=shot,
        )
    maneuver = options.maneuver
    if maneuver is not None and maneuver not in answering[0].maneuvers:
        raise UserError(f"{maneuver.called} isn't possible now.")
    weapon = _near_weapon(stage, options) if top.trigger not in SHOTS else _loaded(stage, top, options)
    return RpjPendingAttack(
        attacker=options.by,
        target=top.provoker,
        weapon=weapon,
        terms=terms,
        maneuver=maneuver,
        is_free=True,
        shot=shot,
    )


def _loaded(stage: Stage, top: React, options: ReactOptions) -> str:
    """The weapon of a shot out of turn: the best loaded one in hand that reaches. [RPJ-FIRE-25 (FIRE-25b)]"""
    arm = shot_arm(stage.battle, options.by, top.provoker)
    if arm is None:
        raise UserError("You have no loaded weapon in hand that reaches.")
    return arm.id


def _near_weapon(stage: Stage, options: ReactOptions) -> str:
    """The weapon of a free attack: one in hand that reaches the same group, or bare hands.

    [RPJ-GCS-42 (R-107)]
    """
    who = stage.battle[options.by]
    arm = chosen_arm(who, options.weapon, near=True)
    return arm.id


@procedure("fight.aside", needs_actor=False)
def aside(scene: Scene, options: AsideOptions, dice: Dice) -> Outcome:
    """Draw the target aside after a Watchful Strike, or stay. [RPJ-MNV-06]"""
    stage = Stage.of(scene)
    top = first(stage, Aside, owner=options.owner)
    target = stage.battle[top.target].name
    stage = stage.popped()
    if not options.draws:
        return outcome(go_on(stage, dice), "stays")
    stage = stage.with_battle(pulled_aside(stage.battle, top.owner, top.target))
    return outcome(go_on(stage, dice), f"draws {target} aside")


# --- defences and saves ------------------------------------------------------------------------


@procedure("fight.defend", needs_actor=False)
def defend(scene: Scene, options: RpjDefendOptions, dice: Dice) -> Outcome:
    """Defend by dodging, absorbing, or the better of the two. [RPJ-GCS-26 (R-081)]"""
    stage = Stage.of(scene)
    top = first(stage, RpjAttack, target=options.target)  # type: ignore[type-abstract]  # of any kind
    name = stage.battle[top.target].name
    stage = top.met(stage, options.way)
    is_own = scene.actor_id == stage.fight.fighter(top.target).character
    doing = options.way or "use the better defense"
    own = f"{options.way}s" if options.way else "uses the better defense"
    return outcome(go_on(stage, dice), own if is_own else f"chooses for {name}: {doing}")


@procedure("fight.save", needs_actor=False)
def save(scene: Scene, options: SaveStepOptions, dice: Dice) -> Outcome:
    """Roll pending damage saves; of several, a Lucky Break only affects the last.

    [RPJ-GCS-31, RPJ-HEALTH-12, RPJ-LUCK-02, RPJ-LUCK-03 (R-023)]
    """
    stage = Stage.of(scene)
    top = first(stage, Saving, target=options.target)
    rolled = top.lucky_inputs(stage) if options.lucky else None
    if rolled is not None:
        stage = with_luck_paid(stage, top.target, rolled)
    stage = top.run(stage.popped(), dice, rolled)
    came = [stage.verdict]
    while options.all and stage.steps and isinstance(following := stage.steps[-1], Saving):
        if following.target != options.target:
            break
        fresh = replace(stage.popped(), buttons=(), paid=None, verdict=None)
        stage = following.run(fresh, dice)
        came.append(stage.verdict)
    verdicts = [verdict for verdict in came if verdict is not None]
    if len(verdicts) < 2:
        return outcome(go_on(stage, dice), "rolls a damage save")
    stage = after_earlier(replace(stage, verdict=saves_verdict(verdicts)), saves_verdict(verdicts[:-1]).title)
    return outcome(go_on(stage, dice), f"rolls {len(verdicts)} damage saves")


def saves_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """The result of several damage saves: "1 saved, 2 lost"."""
    saved = sum(verdict.family is Family.SUCCESS for verdict in verdicts)
    lost = len(verdicts) - saved
    words = [f"{saved} saved"] * bool(saved) + [f"{lost} lost"] * bool(lost)
    family = Family.PARTIAL if saved and lost else Family.SUCCESS if saved else Family.FAILURE
    return Verdict(family, ", ".join(words))


@procedure("fight.doom", gm_only=True, needs_actor=False)
def doom(scene: Scene, options: DoomOptions, dice: Dice) -> Outcome:
    """Confirm damage without a save, or spare the target. [RPJ-SCALE-06, RPJ-GM-04]"""
    stage = Stage.of(scene)
    top = first(stage, UnsavedDamage, target=options.target)
    deal, name, words = top.deal(stage), stage.fight.fighter(top.target).name, top.struck_words(stage)
    stage = stage.popped()
    if not options.strikes:
        return replace(outcome(go_on(stage, dice), f"spares {name}"), deal=deal)
    return replace(outcome(go_on(top.run(stage, dice), dice), words), deal=deal)


@procedure("fight.ward", needs_actor=False)
def ward(scene: Scene, options: WardOptions, dice: Dice) -> Outcome:
    """Roll to resist magic, or don't. [RPJ-SMAG-18 (SMAG-18b), RPJ-WMAG-05]"""
    stage = Stage.of(scene)
    top = first(stage, Ward, target=options.target)
    stage = stage.popped()
    if not options.resists:
        return outcome(go_on(stage, dice), f"doesn't resist {top.name}")
    return outcome(go_on(top.run(stage, dice), dice), f"resists {top.name}")


@procedure("fight.withstand", needs_actor=False)
def withstand(scene: Scene, options: WardOptions, dice: Dice) -> Outcome:
    """Roll a saving throw against a spell. [RPJ-SMAG-07]"""
    stage = Stage.of(scene)
    top = first(stage, Withstand, target=options.target)
    return outcome(go_on(top.run(stage.popped(), dice), dice), f"rolls a saving throw against {top.name}")


@procedure("fight.defense")
def stand(scene: Scene, options: StanceOptions, _dice: Dice) -> Outcome:
    """Set who chooses the character's defenses from now on. [RPJ-GCS-26]"""
    stage = Stage.of(scene)
    from_now = {
        Stance.ASK: "chooses each defense",
        Stance.BEST: "uses the better defense",
        Stance.DODGE: "dodges",
        Stance.ABSORB: "absorbs",
    }
    own = actor_id(stage)
    stances = {**stage.fight.stances, own: options.defense}
    stage = stage.changed(stances=stances)
    return outcome(stage, f"{from_now[options.defense]} from now on")


def actor_id(stage: Stage) -> str:
    """The acting character's id in the fight.

    Raises:
        UserError: If they take no part.
    """
    from_character = stage.scene.actor.id
    found = next((one.id for one in stage.fight.combatants if one.character == from_character), None)
    if found is None:
        raise UserError(f"{stage.scene.actor.name} isn't in the fight.", try_this="Press Join on its board.")
    return found


# --- Lucky Breaks, and the GM's hand -----------------------------------------------------------


@procedure(LUCK)
def turn(scene: Scene, options: LuckyStep, dice: Dice) -> Outcome:
    """Spend a Lucky Break on a roll in a fight, after its effects are undone. [RPJ-LUCK-02, RPJ-LUCK-03]"""
    stage = Stage.of(scene)
    stage = with_luck_paid(stage, options.by, options.rolled)
    stage = options.step.run(stage, dice, options.rolled)
    if options.earlier:
        stage = after_earlier(stage.noted(f"First: {options.earlier}."), options.earlier)
    return outcome(go_on(stage, dice), "spends a Lucky Break")


@procedure(LUCKY_INITIATIVE)
def turn_initiative(scene: Scene, options: LuckyInitiative, dice: Dice) -> Outcome:
    """Spend a Lucky Break on an initiative roll, before the first turn. [RPJ-LUCK-02, RPJ-GCS-15]"""
    stage = with_luck_paid(Stage.of(scene), options.by, options.inputs)
    stage = in_order(with_initiative(stage, options.by, options.inputs, dice))
    return outcome(stage.noted(order_words(stage)), "spends a Lucky Break on initiative")


@procedure("fight.go_on", gm_only=True, needs_actor=False)
def push_on(scene: Scene, _options: NoOptions, dice: Dice) -> Outcome:
    """Continue the fight: skip free attacks, use better defenses, roll saves. [RPJ-GCS-26, RPJ-GM-04]"""
    stage = Stage.of(scene)
    if not stage.steps:
        raise UserError("Nothing is waiting for an answer.", try_this="End the turn with /encounter next.")
    top = stage.steps[-1]
    deal = top.waiting_words(stage)
    words = top.pushed_words(stage)
    return replace(outcome(go_on(top.pushed_on(stage, dice), dice), words), deal=deal)
