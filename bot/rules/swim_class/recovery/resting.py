"""Rests: a brief rest restores Composure, each hour can heal."""

from collections.abc import Sequence

from pydantic import Field

from bot.rules.kernel import CharacterId, Roll
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.resting import Rested, Resting, RestOptions, RestRules, rest_procedures
from bot.rules.swim_class.character.resources import COMPOSURE, SCRATCHES, wounds_key
from bot.rules.swim_class.character.settings import SwimSettings
from bot.rules.swim_class.character.sheet import Character, Outcome, Scene, SwimSheet, rank_of
from bot.rules.swim_class.character.skill_growth import LOWEST_FACE, Earned, Scored, advances, grow
from bot.rules.swim_class.checks.plans import PoolPlan
from bot.rules.swim_class.checks.scene_end import end_scene
from bot.rules.swim_class.checks.unopposed_roll import perform
from bot.rules.swim_class.combat.state.encounter import is_in_combat
from bot.rules.swim_class.combat.state.ground import without_loose_ground
from bot.rules.swim_class.damage.damage import heal_wounds, is_dying
from bot.rules.swim_class.resolution.number_words import capitalized
from bot.rules.swim_class.resolution.pools import DiceGroup, SwimPoolInputs, roll_pool
from bot.rules.swim_class.resolution.purposes import SwimPurpose
from bot.rules.swim_class.resolution.tables import Pool

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

    Source: SWIM-COMB-11 (SWIM-R54), SWIM-REST-02.
    """
    if character.sheet.is_dead:
        raise UserError(f"{character.name} is dead.")
    if is_in_combat(scene, character.id):
        raise UserError(f"{character.name} is in a fight.", "Rest when it is over.")
    dying = [pool.value for pool in Pool if is_dying(scene, character, pool)]
    if options.hours and dying:
        raise UserError(f"{character.name} is dying ({', '.join(dying)}).", "Stabilise them first.")


def rest_briefly(scene: Scene, _options: SwimRest, dice: Dice) -> Outcome:
    """Rest briefly: it takes no time.

    Source: SWIM-COMB-12, SWIM-REST-02.
    """
    scene, rolls, notes = brief_rest(without_loose_ground(scene), scene.actor.id, dice)
    return Outcome(scene=scene, headline="takes a brief rest", rolls=rolls, notes=notes)


def rest(scene: Scene, resting: Sequence[Resting[SwimRest]], _began: int, dice: Dice) -> Rested[Scene]:
    """Rest for hours: everyone has a brief rest, then can heal each hour.

    Source: SWIM-COMB-11, SWIM-COMB-12, SWIM-REST-03 (SWIM-R53).
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
    return any(character.resources.get(wounds_key(pool), 0) for pool in Pool)


def brief_rest(scene: Scene, who: CharacterId, dice: Dice) -> tuple[Scene, tuple[Roll, ...], tuple[str, ...]]:
    """End the scene for a character: restore Composure, which can advance by what it absorbed.

    Source: SWIM-COMB-12 (SWIM-R55), SWIM-REST-02.
    """
    scene = end_scene(scene, [who])
    character = scene.character(who)
    spent = character.resources.get(SCRATCHES, 0)
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
    """Roll the Defense skill of every wounded pool against 6; each success heals 1.

    Returns:
        The new scene, the rolls, and notes.

    Source: SWIM-COMB-11 (SWIM-R53).
    """
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()
    for pool in Pool:
        is_lost = pool in scene.character(who).sheet.broken
        if is_lost or not scene.character(who).resources.get(wounds_key(pool), 0):
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
