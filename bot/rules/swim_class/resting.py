"""Rest: a brief one restores Composure, an hour may heal."""

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import CharacterId, Document, Outcome, Procedure, Roll, Scene
from bot.rules.swim_class.damage import heal_wounds, is_dying
from bot.rules.swim_class.ground import without_loose_ground
from bot.rules.swim_class.growth import LOWEST_FACE, Earned, Scored, advances, grow
from bot.rules.swim_class.performance import perform
from bot.rules.swim_class.plans import PoolPlan
from bot.rules.swim_class.pools import DiceGroup, PoolInputs, roll_pool
from bot.rules.swim_class.purposes import Purpose
from bot.rules.swim_class.resources import COMPOSURE, SCRATCHES, wounds_key
from bot.rules.swim_class.scenes import end_scene
from bot.rules.swim_class.sheet import rank_of, sheet_of
from bot.rules.swim_class.tables import Pool
from bot.rules.swim_class.wording import counted

RECOVERY = 6
SECONDS_AN_HOUR = 3600
RECOVERIES = {
    Pool.PHYSICAL: Purpose.PHYSICAL,
    Pool.MENTAL: Purpose.MENTAL,
    Pool.SOCIAL: Purpose.SOCIAL,
}


class RestOptions(Document):
    """How long one rests: hours, or none for a brief rest."""

    hours: int = Field(default=0, ge=0, le=24)


def rest(scene: Scene, options: RestOptions, dice: Dice) -> Outcome:
    """Rest briefly, or for hours.

    Source: SWIM-COMB-11, SWIM-COMB-12, SWIM-REST-02, SWIM-REST-03.
    """
    actor = scene.actor
    if sheet_of(actor).is_dead:
        raise Mistake(f"{actor.name} is dead.")
    dying = [pool.value for pool in Pool if is_dying(scene, actor, pool)]
    if options.hours and dying:
        raise Mistake(f"{actor.name} is dying ({', '.join(dying)}).", "Who is dying must be stable first.")
    scene, rolls, notes = brief_rest(without_loose_ground(scene), actor.id, dice)
    for hour in range(1, options.hours + 1):
        scene, more, said = _an_hour(scene, actor.id, hour, dice)
        rolls, notes = (*rolls, *more), (*notes, *said)
    words = f"rests for {counted(options.hours, 'hour', 'hours')}" if options.hours else "rests briefly"
    later = scene.at_clock(scene.clock + options.hours * SECONDS_AN_HOUR)
    return Outcome(scene=later, headline=words, rolls=rolls, notes=notes)


def brief_rest(scene: Scene, who: CharacterId, dice: Dice) -> tuple[Scene, tuple[Roll, ...], tuple[str, ...]]:
    """End the scene for somebody: all Composure comes back, and may grow by what it has taken.

    Source: SWIM-COMB-12 (SWIM-R55), SWIM-REST-02.
    """
    scene = end_scene(scene, [who])
    character = scene.character(who)
    spent = character.resources.get(SCRATCHES, 0)
    if not spent:
        return scene, (), ()
    rank = rank_of(scene, character, COMPOSURE)
    scene = scene.with_character(character.with_resource(SCRATCHES, 0))
    inputs = PoolInputs(
        skill="Composure", groups=(DiceGroup(name="Composure", count=spent),), difficulty=LOWEST_FACE
    )
    roll = roll_pool(inputs, dice).by(character, Purpose.COMPOSURE)
    scored = [Scored(face=die.face, has_scored=die.is_kept) for die in roll.dice]
    has_advanced = advances(scored, is_whole=spent >= rank, could_fail=True)
    faces = tuple(die.face for die in scored)
    earned = Earned(skill=COMPOSURE, has_advanced=has_advanced, faces=faces, against="what it took")
    scene, grown = grow(scene, who, earned)
    return scene, (roll,), ("Composure is whole again.", *grown)


def _an_hour(
    scene: Scene, who: CharacterId, hour: int, dice: Dice
) -> tuple[Scene, tuple[Roll, ...], tuple[str, ...]]:
    """Roll the Defense skill of every wounded pool against 6; each success heals one.

    Source: SWIM-COMB-11 (SWIM-R53).
    """
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()
    for pool in Pool:
        is_lost = pool in sheet_of(scene.character(who)).broken
        if is_lost or not scene.character(who).resources.get(wounds_key(pool), 0):
            continue
        plan = PoolPlan(skill=pool.defence, difficulty=RECOVERY)
        done = perform(scene, who, plan, dice, purpose=RECOVERIES[pool], is_action=False)
        scene, healed = heal_wounds(done.scene, who, pool, done.judged.progress)
        rolls = (*rolls, *done.rolls)
        grown = tuple(note for note in done.notes if "natural 1" not in note)
        notes = (*notes, f"Hour {hour}: {healed} {pool.value} healed.", *grown)
    return scene, rolls, notes


REST_PROCEDURES = (Procedure(key="rest", options=RestOptions, run=rest),)
