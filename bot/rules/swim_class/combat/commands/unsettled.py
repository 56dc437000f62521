"""Pending decisions: opposed rolls that still wait for a defense."""

from bot.rules.kernel import CharacterId, evolve, settled_as
from bot.rules.kernel.dice import Dice
from bot.rules.shared.encounters import find_character
from bot.rules.swim_class.character.sheet import Character, Outcome, Scene, Unsettled, book
from bot.rules.swim_class.checks.waiting_rolls import SwimContest, awaiting, with_awaiting
from bot.rules.swim_class.combat.state.encounter import ENCOUNTERS
from bot.rules.swim_class.opposed.defending import defend
from bot.rules.swim_class.opposed.defenses import SwimDefendOptions, defence_buttons, is_helpless


def unsettled(scene: Scene) -> tuple[Unsettled, ...]:
    """Every opposed roll of the campaign that waits for a defense, oldest first.

    Source: SWIM-OPP-01, SWIM-OPP-05.
    """
    found = ((key, scene.document(key)) for key in scene.keys("contest"))
    return tuple(
        _waiting(scene, key, contest, target)
        for key, contest in found
        if isinstance(contest, SwimContest)
        for share in contest.shares
        if not share.is_settled and (target := find_character(scene, share.target)) is not None
    )


def unsettled_here(scene: Scene) -> tuple[Unsettled, ...]:
    """The pending decisions of combatants in the channel's fight."""
    return ENCOUNTERS.concerned(scene, unsettled(scene))


def _waiting(scene: Scene, key: str, contest: SwimContest, target: Character) -> Unsettled:
    who, share, attacker = target.id, contest.share(target.id), find_character(scene, contest.attacker)
    whose = "someone" if attacker is None else attacker.name
    can_answer = share is not None and attacker is not None and not is_helpless(scene, contest, target)

    def settle(now: Scene, dice: Dice) -> Outcome:
        if find_character(now, contest.attacker) is None:
            return Outcome(scene=waive(now), headline="is no longer under attack")
        return defend(now, SwimDefendOptions(contest=key), dice)

    def waive(now: Scene) -> Scene:
        return without_part(now, key, who)

    return Unsettled(
        what=f"{target.name}'s defense against {whose}'s {book(scene).title(contest.skill)}",
        concerns=(who,),
        answers=defence_buttons(scene, key, contest, share) if can_answer and share is not None else (),
        settle=settled_as(target, settle),
        waive=waive,
    )


def without_part(scene: Scene, key: str, who: CharacterId) -> Scene:
    """Return the scene with an opponent's share of an opposed roll dropped, without effect."""
    contest = scene.document(key)
    scene = with_awaiting(scene, who, tuple(one for one in awaiting(scene, who) if one != key))
    if not isinstance(contest, SwimContest) or (share := contest.share(who)) is None:
        return scene
    contest = contest.with_share(evolve(share, is_settled=True))
    is_over = all(one.is_settled for one in contest.shares)
    return scene.with_document(key, None if is_over else contest)
