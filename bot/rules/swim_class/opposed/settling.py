"""Settle one opponent's share of an opposed roll."""

from bot.rules.kernel import evolve
from bot.rules.swim_class.character.sheet import Scene
from bot.rules.swim_class.checks.waiting_rolls import (
    ContestShare,
    SwimContest,
    awaiting,
    finish,
    with_awaiting,
)
from bot.rules.swim_class.opposed.attack_effects import SwimStruck, strike
from bot.rules.swim_class.resolution.hit_odds import IMPLICIT
from bot.rules.swim_class.resolution.opposition import (
    DefenceDie,
    DefenceInputs,
    Pairing,
    could_fail_attacking,
    pair_off,
    paired_words,
)


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
    """An opponent's share without a defense.

    Source: SWIM-OPP-05.
    """
    through = contest.places_of(share, contest.aimed(share))
    return evolve(share, is_settled=True, through=through)


def settle_helpless(scene: Scene, key: str, contest: SwimContest, share: ContestShare) -> SwimStruck:
    """Settle the share of a target that can't roll: only implicit 1s defend.

    Source: SWIM-OPP-04, SWIM-COMB-08 (SWIM-R48).
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
