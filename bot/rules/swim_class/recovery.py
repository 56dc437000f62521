"""Time, dying, healing, rests and standing up."""

from collections.abc import Sequence

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    Family,
    FollowUp,
    Roll,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.shared.resting import Rested, Resting, RestOptions, RestRules, rest_procedures
from bot.rules.swim_class.damage import (
    StabilizeOptions,
    add_wounds,
    assert_can_act,
    heal_wounds,
    hit_points,
    is_dying,
    stabilize_button,
    with_stable,
)
from bot.rules.swim_class.encounter import (
    HALF_ACTION,
    Healed,
    find_encounter,
    is_in_combat,
    spend,
    with_encounter,
    without_loose_ground,
)
from bot.rules.swim_class.growth import (
    COMPOSURE,
    LOWEST_FACE,
    SCRATCHES,
    Earned,
    Scored,
    advances,
    grow,
    wounds_key,
)
from bot.rules.swim_class.plans import PoolPlan
from bot.rules.swim_class.pools import DiceGroup, SwimPoolInputs, SwimPurpose, capitalized, roll_pool
from bot.rules.swim_class.rolling import outcome_of
from bot.rules.swim_class.settling import end_scene
from bot.rules.swim_class.sheet import (
    Character,
    Outcome,
    Scene,
    SwimSettings,
    SwimSheet,
    rank_of,
    with_states,
)
from bot.rules.swim_class.tables import Pool
from bot.rules.swim_class.unopposed_roll import Performed, perform


class SwimClockOptions(Document):
    """How much game time passes."""

    hours: int = Field(default=0, ge=0, le=1000)
    minutes: int = Field(default=0, ge=0, le=1000)


@procedure("clock", gm_only=True, needs_actor=False)
def pass_time(scene: Scene, options: SwimClockOptions, _dice: Dice) -> Outcome:
    """Let game time pass."""
    seconds = options.hours * 3600 + options.minutes * 60
    if not seconds:
        raise UserError("Give hours or minutes.")
    return Outcome(
        scene=scene.at_clock(scene.clock + seconds), headline=f"advances the clock by {_time(options)}"
    )


def _time(options: SwimClockOptions) -> str:
    parts = [counted(options.hours, "hour", "hours")] if options.hours else []
    parts += [counted(options.minutes, "minute", "minutes")] if options.minutes else []
    return " and ".join(parts)


MINUTE = 60


class LastTry(Document):
    """When a character last rolled to stabilize a pool: game clock, and turn of a fight."""

    clock: int
    turn: str = ""


@procedure("stabilise", can_repeat=True)
def stabilize(scene: Scene, options: StabilizeOptions, dice: Dice) -> Outcome:
    """Roll the Defense skill against the damage below zero; one success stabilizes.

    [SWIM-COMB-09 (SWIM-R49, SWIM-R50), SWIM-COMB-10]
    """
    actor, pool = scene.actor, options.pool
    if not is_dying(scene, actor, pool):
        raise UserError(f"{actor.name} isn't dying ({pool.value}).")
    scene = _counted(scene, actor, pool)
    below = -hit_points(scene, actor, pool)
    plan = PoolPlan(skill=pool.defence, difficulty=below, first_counts=scene.settings.stabilize_counts_first)
    done = perform(scene, actor.id, plan, dice, purpose=SwimPurpose.STABILIZING, is_action=False)
    words = f"tries to stabilize (difficulty {below})"
    if done.judged.has_succeeded:
        return Outcome(
            scene=with_stable(done.scene, actor.id, pool, is_stable=True),
            headline=words,
            verdict=Verdict(Family.SUCCESS, "stable"),
            rolls=done.rolls,
            notes=done.notes,
        )
    worse = _worse(done, actor, pool, words)
    still = is_dying(worse.scene, worse.scene.character(actor.id), pool)
    return replace(worse, follow_ups=_later(worse.scene, actor, pool)) if still else worse


def tries_key(who: CharacterId, pool: Pool) -> str:
    """The document key of a character's last try to stabilize a pool."""
    return f"tries/{who}-{pool.value}"


def _counted(scene: Scene, actor: Character, pool: Pool) -> Scene:
    """Record a roll to stabilize: one per own turn of a fight, otherwise one per minute.

    Raises:
        UserError: If it is too early for another one.

    [SWIM-COMB-09 (SWIM-R50)]
    """
    key = tries_key(actor.id, pool)
    last, encounter = scene.stored(LastTry, key), find_encounter(scene)
    if encounter is None or not encounter.has_begun or encounter.combatant(actor.id) is None:
        if last is not None and scene.clock - last.clock < MINUTE:
            raise UserError(
                f"{actor.name} has already tried to stabilize this minute.",
                "Outside a fight, you roll once per minute.",
                "A GM advances the time with the button or with /gm time.",
            )
        return scene.with_document(key, LastTry(clock=scene.clock))
    if not encounter.is_on(actor.id) and not scene.is_gm:
        raise UserError(f"It is {encounter.acting.name}'s turn.", "You roll to stabilize on your own turn.")
    turn = f"{scene.channel}/{encounter.turn_key}"
    if isinstance(last, LastTry) and last.turn == turn:
        raise UserError(
            f"{actor.name} has already tried to stabilize this turn.", "You roll once on each of your turns."
        )
    return scene.with_document(key, LastTry(clock=scene.clock, turn=turn))


def without_turns(scene: Scene, who: CharacterId) -> Scene:
    """Forget the turns of tries to stabilize after a fight."""
    for pool in Pool:
        last = scene.stored(LastTry, tries_key(who, pool))
        if last is not None and last.turn:
            scene = scene.with_document(tries_key(who, pool), LastTry(clock=last.clock))
    return scene


def _later(scene: Scene, actor: Character, pool: Pool) -> tuple[FollowUp, ...]:
    """The buttons after a failed try outside a fight: pass a minute, and roll again."""
    if is_in_combat(scene, actor.id):
        return ()
    return (
        FollowUp(
            procedure="clock",
            options=SwimClockOptions(minutes=1),
            label="Pass a minute (GM)",
            audience=Audience.GM,
            group="minute",
        ),
        stabilize_button(actor, pool),
    )


def _worse(done: Performed, actor: Character, pool: Pool, words: str) -> Outcome:
    """Apply criticals, which can kill. [SWIM-COMB-10 (SWIM-R51, SWIM-R52), SWIM-COMB-08 (SWIM-R47)]"""
    scene, criticals = done.scene, done.judged.criticals
    if not criticals:
        return Outcome(
            scene=scene,
            headline=words,
            verdict=Verdict(Family.FAILURE, "still dying"),
            rolls=done.rolls,
            notes=done.notes,
        )
    scene = add_wounds(scene, actor.id, pool, criticals)
    character = scene.character(actor.id)
    sheet, rank = character.sheet, rank_of(scene, character, pool.defence)
    tally = sheet.tallies.get(pool, 0) + criticals
    changed: dict[str, object] = {"tallies": {**sheet.tallies, pool: tally}}
    verdict = Verdict(Family.FAILURE, "still dying")
    if tally > rank:
        is_physical = pool is Pool.PHYSICAL
        changed |= {"is_dead": True} if is_physical else {"broken": (*sheet.broken, pool)}
        verdict = Verdict(Family.FAILURE, "dead" if is_physical else "broken")
    scene = scene.with_sheet(character, evolve(sheet, **changed))
    note = f"{counted(criticals, 'critical', 'criticals')}, tally {tally} of {rank}."
    notes = (*(line for line in done.notes if "natural 1" not in line), note)
    return Outcome(scene=scene, headline=words, verdict=verdict, rolls=done.rolls, notes=notes)


SECONDS_AN_HOUR = 3600


class LastHealing(Document):
    """When a caster last rolled Healing on a target, on the game clock."""

    clock: int


def is_undead(character: Character) -> bool:
    """Whether a character is undead, and so harmed by Life."""
    return "undead" in character.sheet.tags


def treat(scene: Scene, target: CharacterId, plan: PoolPlan) -> tuple[Scene, PoolPlan]:
    """Prepare to heal a living character: record the roll and set its difficulty.

    Raises:
        UserError: If they are dead, or it is too early for another roll.

    [SWIM-MAGIC-14 (SWIM-R102), SWIM-MAGIC-16 (SWIM-R104)]
    """
    patient = scene.character(target)
    if patient.sheet.is_dead:
        raise UserError(f"{patient.name} is dead.")
    if is_dying(scene, patient, Pool.PHYSICAL):
        below = -hit_points(scene, patient, Pool.PHYSICAL)
        plan = replace(plan, difficulty=max(plan.difficulty, below))
    return _healing_words(scene, target), plan


def heal(scene: Scene, target: CharacterId, plan: PoolPlan, words: str, dice: Dice) -> Outcome:
    """Heal a character, and stabilize them if they are dying.

    [SWIM-MAGIC-14 (SWIM-R102), SWIM-MAGIC-16 (SWIM-R104)]
    """
    was_dying = is_dying(scene, scene.character(target), Pool.PHYSICAL)
    done = perform(scene, scene.actor.id, plan, dice)
    progress = done.judged.progress
    scene = done.scene
    if was_dying and progress:
        scene = with_stable(scene, target, Pool.PHYSICAL, is_stable=True)
    scene, healed = heal_wounds(scene, target, Pool.PHYSICAL, progress)
    title = f"{healed} healed" + (", stable" if was_dying and progress else "")
    family = Family.SUCCESS if progress else Family.FAILURE
    return replace(outcome_of(done, words), scene=scene, verdict=Verdict(family, title))


def _healing_words(scene: Scene, target: CharacterId) -> Scene:
    """Record a Healing roll: one per round in combat, otherwise one per hour. [SWIM-MAGIC-14 (SWIM-R102)]

    Raises:
        UserError: If it is too early for another one.
    """
    caster, name = scene.actor.id, scene.character(target).name
    encounter = find_encounter(scene)
    if encounter is not None and is_in_combat(scene, caster):
        healed = Healed(caster=caster, target=target)
        if healed in encounter.healed:
            raise UserError(
                f"You have already healed {name} this round.", "One Healing roll per target and round."
            )
        return with_encounter(scene, evolve(encounter, healed=(*encounter.healed, healed)))
    key = f"healing/{caster}-{target}"
    last = scene.stored(LastHealing, key)
    if last is not None and scene.clock - last.clock < SECONDS_AN_HOUR:
        raise UserError(
            f"You have already healed {name} within the last hour.",
            "Out of combat, one Healing roll per target and hour.",
            "A GM advances the time with /swim-gm clock.",
        )
    return scene.with_document(key, LastHealing(clock=scene.clock))


RECOVERY = 6
LONGEST = 24
RECOVERIES = {
    Pool.PHYSICAL: SwimPurpose.PHYSICAL,
    Pool.MENTAL: SwimPurpose.MENTAL,
    Pool.SOCIAL: SwimPurpose.SOCIAL,
}


class SwimRest(RestOptions):
    """The hours to rest; 0 for a brief rest."""

    hours: int = Field(default=0, ge=0, le=LONGEST)


def assert_can_rest(scene: Scene, character: Character, options: SwimRest) -> None:
    """Raise a `UserError` for dead or fighting characters and, for hours of rest, dying ones.

    [SWIM-COMB-11 (SWIM-R54), SWIM-REST-02]
    """
    if character.sheet.is_dead:
        raise UserError(f"{character.name} is dead.")
    if is_in_combat(scene, character.id):
        raise UserError(f"{character.name} is in a fight.", "Rest when it is over.")
    dying = [pool.value for pool in Pool if is_dying(scene, character, pool)]
    if options.hours and dying:
        raise UserError(f"{character.name} is dying ({', '.join(dying)}).", "Stabilize them first.")


def rest_briefly(scene: Scene, _options: SwimRest, dice: Dice) -> Outcome:
    """Rest briefly: it takes no time. [SWIM-COMB-12, SWIM-REST-02]"""
    scene, rolls, notes = brief_rest(without_loose_ground(scene), scene.actor.id, dice)
    return Outcome(scene=scene, headline="takes a brief rest", rolls=rolls, notes=notes)


def rest(scene: Scene, resting: Sequence[Resting[SwimRest]], _began: int, dice: Dice) -> Rested[Scene]:
    """Rest for hours: everyone has a brief rest, then can heal each hour.

    [SWIM-COMB-11, SWIM-COMB-12, SWIM-REST-03 (SWIM-R53)]
    """
    scene = without_loose_ground(scene)
    rolls: tuple[Roll, ...] = ()
    notes: list[str] = []
    for one in resting:
        before = scene.character(one.who)
        scene, more, lines = brief_rest(scene, one.who, dice)
        rolls = (*rolls, *more)
        for _ in range(one.options.hours):
            scene, more, grown = _an_hour(scene, one.who, dice)
            rolls, lines = (*rolls, *more), (*lines, *grown)
        if scene.character(one.who).resources == before.resources:
            lines = ("nothing healed." if _is_wounded(before) else "nothing to heal.",)
        notes += [f"{before.name}: {note}" if len(resting) > 1 else capitalized(note) for note in lines]
    hours = max(one.options.hours for one in resting)
    return Rested(scene=scene, hours=hours, rolls=rolls, notes=tuple(notes))


def _is_wounded(character: Character) -> bool:
    return any(character.left(wounds_key(pool)) for pool in Pool)


def brief_rest(scene: Scene, who: CharacterId, dice: Dice) -> tuple[Scene, tuple[Roll, ...], tuple[str, ...]]:
    """End the scene for a character: restore Composure, which can advance by what it absorbed.

    [SWIM-COMB-12 (SWIM-R55), SWIM-REST-02]
    """
    scene = end_scene(scene, [who])
    character = scene.character(who)
    spent = character.left(SCRATCHES)
    if not spent:
        return scene, (), ()
    rank = rank_of(scene, character, COMPOSURE)
    scene = scene.with_character(character.with_resource(SCRATCHES, 0))
    inputs = SwimPoolInputs(
        skill="Composure", groups=(DiceGroup(name="Composure", count=spent),), difficulty=LOWEST_FACE
    )
    roll = roll_pool(inputs, dice).by(character, SwimPurpose.COMPOSURE)
    scored = [Scored(face=die.face, has_scored=die.is_kept) for die in roll.dice]
    has_advanced = advances(scored, is_whole=spent >= rank, could_fail=True)
    faces = tuple(die.face for die in scored)
    earned = Earned(skill=COMPOSURE, has_advanced=has_advanced, faces=faces, against="what it took")
    scene, grown = grow(scene, who, earned)
    return scene, (roll,), grown


def _an_hour(scene: Scene, who: CharacterId, dice: Dice) -> tuple[Scene, tuple[Roll, ...], tuple[str, ...]]:
    """Roll the Defense skill of every wounded pool against 6; each success heals 1. [SWIM-COMB-11 (SWIM-R53)]

    Returns:
        The new scene, the rolls, and notes.
    """
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()
    for pool in Pool:
        is_lost = pool in scene.character(who).sheet.broken
        if is_lost or not scene.character(who).left(wounds_key(pool)):
            continue
        plan = PoolPlan(skill=pool.defence, difficulty=RECOVERY)
        done = perform(scene, who, plan, dice, purpose=RECOVERIES[pool], is_action=False)
        scene, _healed = heal_wounds(done.scene, who, pool, done.judged.progress)
        rolls = (*rolls, *done.rolls)
        notes = (*notes, *(note for note in done.notes if "natural 1" not in note))
    return scene, rolls, notes


RESTS = RestRules[SwimRest, SwimSheet, SwimSettings](
    options=SwimRest, assert_can=assert_can_rest, rest=rest, longest=LONGEST, brief=rest_briefly
)
REST_PROCEDURES = rest_procedures(RESTS)


class SwimStandOptions(Document):
    """Options of standing up: none."""


@procedure("stand")
def stand_up(scene: Scene, _options: SwimStandOptions, _dice: Dice) -> Outcome:
    """Stand up with a half action. [SWIM-MAGIC-10 (SWIM-R99)]"""
    actor = scene.actor
    if not actor.sheet.states.is_prone:
        raise UserError(f"{actor.name} is already standing.")
    assert_can_act(scene, actor)
    scene = spend(scene, actor, HALF_ACTION)
    return Outcome(scene=with_states(scene, actor.id, is_prone=False), headline="stands up")
