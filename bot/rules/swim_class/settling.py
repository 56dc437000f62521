"""The effects of attack dice that got through, and the end of an opponent's share."""

from dataclasses import dataclass

from bot.rules.kernel import CharacterId, Family, FollowUp, Verdict, evolve
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.damage import fall_buttons, take_damage
from bot.rules.swim_class.encounter import without_distances
from bot.rules.swim_class.hit_odds import IMPLICIT
from bot.rules.swim_class.opposition import (
    DefenceDie,
    DefenceInputs,
    Pairing,
    could_fail_attacking,
    pair_off,
    paired_words,
)
from bot.rules.swim_class.sheet import Scene, with_states
from bot.rules.swim_class.waiting_rolls import (
    ContestShare,
    Effect,
    SwimContest,
    awaiting,
    finish,
    with_awaiting,
)

STAYS_DOWN = "does not rise"


@dataclass(frozen=True, slots=True, kw_only=True)
class SwimStruck:
    """The result of an effect."""

    scene: Scene
    verdict: Verdict
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()


def strike(scene: Scene, contest: SwimContest, share: ContestShare) -> SwimStruck:
    """Apply the dice that got through to one opponent. [SWIM-COMB-01, SWIM-MAGIC-05 (SWIM-R118)]"""
    hits = len(share.through) * contest.factor
    if contest.effect is Effect.HIT:
        hurt = take_damage(scene, share.target, contest.pool, hits)
        verdict = _verdict(hits, counted(hits, "hit", "hits"), "no hit")
        return SwimStruck(scene=hurt.scene, verdict=verdict, notes=hurt.notes, follow_ups=hurt.follow_ups)
    if contest.effect in {Effect.LIFT, Effect.FLY}:
        return _lifted(scene, contest, share, hits)
    if contest.effect is Effect.HOLD:
        return _held(scene, contest, share, hits)
    if contest.effect is Effect.TASK:
        return SwimStruck(scene=scene, verdict=_task_verdict(contest, share, hits))
    return _marked(scene, contest, share, hits)


def _verdict(hits: int, done: str, otherwise: str) -> Verdict:
    return Verdict(Family.SUCCESS, done) if hits else Verdict(Family.FAILURE, otherwise)


def _task_verdict(contest: SwimContest, share: ContestShare, hits: int) -> Verdict:
    """The verdict of an opposed task against one opponent. [SWIM-OPP-01]"""
    of = f" of {contest.needed}" if contest.needed > 1 else ""
    against = f" against {share.name}" if len(contest.shares) > 1 else ""
    words = f"{hits}{of} progress{against}"
    if contest.is_enough(share.through):
        return Verdict(Family.SUCCESS, f"success, {words}")
    return Verdict(Family.FAILURE, f"fails, {words}" if contest.needed > 1 else f"fails{against}")


def grapple_squares(hits: int) -> int:
    """How far a grappler can move together with the held character. [SWIM-SKILL-03 (SWIM-R69)]"""
    return max(0, (hits - 1) // 2)


def _held(scene: Scene, contest: SwimContest, share: ContestShare, hits: int) -> SwimStruck:
    if not hits:
        return SwimStruck(scene=scene, verdict=Verdict(Family.FAILURE, "not held"))
    scene = with_states(scene, share.target, held_by=contest.attacker)
    squares = grapple_squares(hits)
    moves = f"; both can move {counted(squares, 'square', 'squares')}" if squares else ""
    return SwimStruck(scene=scene, verdict=Verdict(Family.SUCCESS, f"held{moves}"))


def hover_words(successes: int) -> str:
    """The result of flying: the first success hovers, each further one moves a square.

    [SWIM-RACE-05, SWIM-MAGIC-09]
    """
    if not successes:
        return "falls"
    return f"hovers, {counted(successes - 1, 'square', 'squares')}" if successes > 1 else "hovers"


def is_airborne(scene: Scene, who: CharacterId) -> bool:
    """Whether a character is in the air and can fall."""
    return scene.character(who).sheet.states.is_hovering


def _lifted(scene: Scene, contest: SwimContest, share: ContestShare, hits: int) -> SwimStruck:
    who = contest.attacker if contest.effect is Effect.FLY else share.target
    must_fall = not hits and (contest.effect is Effect.FLY or is_airborne(scene, who))
    scene = with_states(scene, who, is_hovering=hits > 0)
    verdict = _verdict(hits, hover_words(hits), "falls" if must_fall else STAYS_DOWN)
    return SwimStruck(scene=scene, verdict=verdict, follow_ups=fall_buttons(scene, who) if must_fall else ())


def _marked(scene: Scene, contest: SwimContest, share: ContestShare, hits: int) -> SwimStruck:
    """Apply an effect that sets a state."""
    target, name = share.target, share.name
    states = scene.character(target).sheet.states
    match contest.effect:
        case Effect.ESCAPE:
            scene = with_states(scene, contest.attacker, held_by=None) if hits else scene
            return SwimStruck(scene=scene, verdict=_verdict(hits, "breaks free", "still held"))
        case Effect.HIDE:
            own = scene.character(contest.attacker).sheet.states.hidden_from
            rest = tuple(one for one in own if one != target)
            scene = with_states(scene, contest.attacker, hidden_from=(*rest, target) if hits else rest)
            return SwimStruck(
                scene=scene, verdict=_verdict(hits, f"unnoticed by {name}", f"noticed by {name}")
            )
        case Effect.SHIFT:
            scene = without_distances(scene, target) if hits else scene
            squares = counted(hits, "square", "squares")
            return SwimStruck(
                scene=scene, verdict=_verdict(hits, f"{name} is pushed {squares}", "not pushed")
            )
        case Effect.KNOCK_DOWN:
            scene = with_states(scene, target, is_prone=states.is_prone or hits > 0)
            return SwimStruck(
                scene=scene, verdict=_verdict(hits, f"{name} is knocked down", "not knocked down")
            )
        case Effect.SOAK:
            scene = with_states(scene, target, is_soaked=states.is_soaked or hits > 0)
            return SwimStruck(scene=scene, verdict=_verdict(hits, f"{name} is soaked", "not soaked"))
        case _:
            if hits:
                scene = with_states(scene, target, stunned_by=contest.attacker, reserve=None)
            return SwimStruck(scene=scene, verdict=_verdict(hits, f"{name} is stunned", "not stunned"))


def settled(
    contest: SwimContest, share: ContestShare, inputs: DefenceInputs, pairing: Pairing
) -> ContestShare:
    """An opponent's share after a defense."""
    could_fail = could_fail_attacking(
        attack_modifier=contest.modifier,
        defence_modifier=inputs.implicit_modifier,
        has_dice=inputs.size > 0,
        difficulty=contest.inputs.difficulty,
    )
    through = contest.places_of(share, pairing.hits)
    return evolve(share, is_settled=True, through=through, could_fail=could_fail)


def undefended(contest: SwimContest, share: ContestShare) -> ContestShare:
    """An opponent's share without a defense. [SWIM-OPP-05]"""
    through = contest.places_of(share, contest.aimed(share))
    return evolve(share, is_settled=True, through=through)


def settle_helpless(scene: Scene, key: str, contest: SwimContest, share: ContestShare) -> SwimStruck:
    """Settle the share of a target that can't roll: only implicit 1s defend.

    [SWIM-OPP-04, SWIM-COMB-08 (SWIM-R48)]
    """
    inputs = DefenceInputs(
        skill="",
        attack=contest.aimed(share),
        aimed=len(share.places),
        implicit_modifier=share.bonus,
        factor=contest.factor,
    )
    implicit = [DefenceDie(IMPLICIT + share.bonus)] * inputs.padding
    pairing = pair_off(inputs.attack, implicit)
    struck = settle(scene, key, contest, settled(contest, share, inputs, pairing))
    note = f"{share.name} can't defend: {paired_words(pairing, contest.factor)}"
    return SwimStruck(
        scene=struck.scene,
        verdict=struck.verdict,
        notes=(note, *struck.notes),
        follow_ups=struck.follow_ups,
    )


def settle(scene: Scene, key: str, contest: SwimContest, share: ContestShare) -> SwimStruck:
    """Apply one opponent's share, and end the contest if it was the last."""
    contest = contest.with_share(share)
    rest = tuple(one for one in awaiting(scene, share.target) if one != key)
    scene = with_awaiting(scene, share.target, rest)
    struck = strike(scene, contest, share)
    ended = finish(struck.scene, key, contest)
    return SwimStruck(
        scene=ended.scene,
        verdict=struck.verdict,
        notes=(*struck.notes, *ended.notes),
        follow_ups=(*struck.follow_ups, *ended.follow_ups),
    )
