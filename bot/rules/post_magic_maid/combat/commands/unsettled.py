"""Unsettled things: attacks to defend against, contests to roll in and requested checks."""

from collections.abc import Callable, Iterator
from functools import partial

from bot.rules.kernel import CharacterId, Settle, for_gm, settled_as
from bot.rules.kernel.dice import Dice
from bot.rules.post_magic_maid.advancement.passives import PassiveRequest, approval_buttons
from bot.rules.post_magic_maid.character.pairs import PAIRS, pair_words
from bot.rules.post_magic_maid.character.scene import Character, Outcome, Scene, Unsettled
from bot.rules.post_magic_maid.character.wounds import LEVELS, Track, boxes_of
from bot.rules.post_magic_maid.checks.awaiting import Awaited, MaidAwaiting, answered, drop_awaited
from bot.rules.post_magic_maid.combat.commands.defenses import (
    MaidDefendOptions,
    best_pair,
    defence_buttons,
    defend,
)
from bot.rules.post_magic_maid.combat.state.encounter import ENCOUNTERS
from bot.rules.post_magic_maid.contests.check_procedures import MaidAnswerOptions, MaidCall, answer_call
from bot.rules.post_magic_maid.contests.contests import MaidContest, MaidOpposeOptions, oppose
from bot.rules.post_magic_maid.health.deaths import verdict_buttons
from bot.rules.post_magic_maid.health.hits import MaidPendingAttack
from bot.rules.shared.encounters import find_character


def unsettled(scene: Scene) -> tuple[Unsettled, ...]:
    """Everything unsettled in the campaign.

    Source: PMM-ATK-03, PMM-CON-01, PMM-CHK-02.
    """
    waiting = [(who, scene.document(key)) for key in scene.keys("awaiting") if (who := _whose(scene, key))]
    return (
        *_answers(scene),
        *(one for who, found in waiting for one in _verdict(scene, who, found)),
        *_requests(scene),
    )


def unsettled_here(scene: Scene) -> tuple[Unsettled, ...]:
    """Everything unsettled for the combatants in the channel's fight, besides what waits for the GM."""
    return ENCOUNTERS.concerned(scene, _answers(scene))


def _whose(scene: Scene, key: str) -> Character | None:
    return find_character(scene, CharacterId(int(key.partition("/")[2])))


def _answers(scene: Scene) -> tuple[Unsettled, ...]:
    """What characters have to answer."""
    return tuple(
        one
        for key in scene.keys("awaiting")
        if (who := _whose(scene, key)) is not None
        for one in _waiting_for(scene, who, scene.document(key))
    )


def _verdict(scene: Scene, who: Character, waiting: object) -> Iterator[Unsettled]:
    """The GM's verdict on wounds that were not treated in time, as long as they last.

    Source: PMM-WND-06, PMM-WND-07 (PMM-R40).
    """
    boxes = zip(LEVELS[Track.RENDING], boxes_of(who, Track.RENDING), strict=True)
    wounds = {row.level for row, filled in boxes if filled}
    overdue = waiting.overdue if isinstance(waiting, MaidAwaiting) else ()
    found = [level for level in overdue if level in wounds]
    if found and not who.sheet.is_dead:
        what = f"{who.name}'s {' and '.join(found)} wound, not treated in time"
        yield for_gm(what, (who.id,), verdict_buttons(scene, who.id))


def _requests(scene: Scene) -> Iterator[Unsettled]:
    """Passive abilities that wait for the GM's approval.

    Source: PMM-ABL-04, PMM-ADV-05.
    """
    for key in scene.keys("passive"):
        request = scene.document(key)
        who = find_character(scene, request.character) if isinstance(request, PassiveRequest) else None
        if isinstance(request, PassiveRequest) and who is not None:
            words = request.words or request.ability
            yield for_gm(f"{who.name}'s request: {words}", (who.id,), approval_buttons(key, words))


def _waiting_for(scene: Scene, who: Character, waiting: object) -> Iterator[Unsettled]:
    if not isinstance(waiting, MaidAwaiting):
        return
    for key in waiting.attacks:
        pending = scene.document(key)
        if isinstance(pending, MaidPendingAttack):
            yield _attack(scene, who, key, pending)
    for key in waiting.contests:
        if isinstance(scene.document(key), MaidContest):
            what = f"{who.name}'s roll in a contest"
            yield _roll(who, what, _in_contest(who, key), partial(without_contest, key=key))
    for key in waiting.calls:
        if isinstance(scene.document(key), MaidCall):
            what = f"{who.name}'s check that the GM called for"
            yield _roll(who, what, _as_called(key), partial(_without_call, who=who.id, key=key))


def _as_called(key: str) -> Settle[Scene]:
    return lambda scene, dice: answer_call(scene, MaidAnswerOptions(call=key), dice)


def _without_call(scene: Scene, who: CharacterId, key: str) -> Scene:
    return drop_awaited(scene, who, Awaited.CALLS, key)


def _attack(scene: Scene, who: Character, key: str, pending: MaidPendingAttack) -> Unsettled:
    attacker = find_character(scene, pending.attacker)
    name = "somebody" if attacker is None else attacker.name

    def meet(now: Scene, dice: Dice) -> Outcome:
        """Defend with the best pair; those who can't act take the wound."""
        if attacker is None:
            dropped = drop_awaited(now, who.id, Awaited.ATTACKS, key)
            return Outcome(scene=dropped, headline="is attacked by nobody any more")
        best = best_pair(now, now.actor, pending.tier)
        return defend(now, MaidDefendOptions(attack=key, pair=pair_words(best)), dice)

    return Unsettled(
        what=f"{who.name}'s defense against {name}, {pending.tier.words}",
        concerns=(who.id,),
        answers=defence_buttons(scene, who, key, pending.tier),
        settle=settled_as(who, meet),
        waive=lambda now: drop_awaited(now, who.id, Awaited.ATTACKS, key),
    )


def _in_contest(who: Character, key: str) -> Settle[Scene]:
    def rolled(scene: Scene, dice: Dice) -> Outcome:
        """Roll with the pair that the GM chose, else with the best attributes."""
        scores = scene.character(who.id).sheet.attributes
        best = max(PAIRS, key=lambda pair: scores[pair[0]].die + scores[pair[1]].die)
        contest = scene.document(key)
        side = contest.side(who.id) if isinstance(contest, MaidContest) else None
        pair = (side.pair if side is not None else None) or best
        return oppose(scene, MaidOpposeOptions(contest=key, pair=pair_words(pair)), dice)

    return rolled


def _roll(who: Character, what: str, settle: Settle[Scene], waive: Callable[[Scene], Scene]) -> Unsettled:
    return Unsettled(what=what, concerns=(who.id,), settle=settled_as(who, settle), waive=waive)


def without_contest(scene: Scene, key: str) -> Scene:
    """The same scene without a contest."""
    contest = scene.document(key)
    for side in contest.sides if isinstance(contest, MaidContest) else ():
        scene = answered(scene, side.character, Awaited.CONTESTS, key)
    return scene.with_document(key, None)
