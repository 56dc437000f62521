"""What a character can do about a fight, besides the actions that its board offers."""

from collections.abc import Iterator, Sequence

from bot.rules.kernel import Choice, TextField
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.kernel.tracker import JOIN, LEAVE, START
from bot.rules.shared.encounters import JoinOptions, LeaveOptions, StartOptions, find_character
from bot.rules.shared.offering import MOST_CHOICES, Offering, choice_of, is_allowed
from bot.rules.swim_class.character.implements import SwimRole
from bot.rules.swim_class.character.sheet import ReserveKind, Scene, SoakPolicy, book
from bot.rules.swim_class.checks.buildups import AbandonOptions, BuildUpOptions
from bot.rules.swim_class.checks.waiting_rolls import SwimContest, awaiting
from bot.rules.swim_class.combat.commands.attacks import (
    GrappleOptions,
    ReleaseOptions,
    SwimAttackOptions,
)
from bot.rules.swim_class.combat.commands.board import attack_choices, nearest, opponents
from bot.rules.swim_class.combat.state.encounter import find_encounter, is_in_combat
from bot.rules.swim_class.damage.damage import PolicyOptions, assert_can_act
from bot.rules.swim_class.game_parts.acts_rolls import (
    Pool,
    adjustable,
    composing,
    cost_words,
    is_halved,
    skill_choices,
)
from bot.rules.swim_class.magic.held_actions import ReserveOptions, TriggerOptions
from bot.rules.swim_class.opposed.defenses import SwimDefendOptions, defence_buttons, is_helpless
from bot.rules.swim_class.recovery.standing import SwimStandOptions
from bot.rules.swim_class.resolution.tables import Defends

FEWEST_DIVIDED, MOST_TARGETS = 2, 5
POLICIES = {
    SoakPolicy.COMPOSURE_FIRST: "Composure soaks first",
    SoakPolicy.ASK: "Ask before Composure soaks",
    SoakPolicy.NEVER: "Composure never soaks",
}


def fight_acts(scene: Scene, offering: Offering, pools: tuple[Pool, ...]) -> Iterator[Act]:
    """Answering attacks, attacking, holding actions, and starting or leaving a fight.

    Source: SWIM-COMB-01 to SWIM-COMB-07, SWIM-COMB-13, SWIM-COMB-14, SWIM-SKILL-03, SWIM-POOL-02.
    """
    yield from _answers(scene, offering)
    yield from attacks(scene, offering, pools)
    yield from _divided(scene, offering, pools)
    yield from _without_ammunition(scene, offering, pools)
    yield from letting_go(scene, offering)
    yield from readied(scene, offering)
    yield from _held_actions(scene, offering, pools)
    yield from _encounter(scene, offering)


def policy_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """When Composure soaks.

    Source: SWIM-COMB-06.
    """
    now = scene.actor.sheet.soak
    policies = [
        (Choice(one.value, words), PolicyOptions(policy=one))
        for one, words in POLICIES.items()
        if one is not now
    ]
    yield from offering.menu(ActGroup.FIGHT, "policy", f"{POLICIES[now]}: change …", "policy", policies)


def _answers(scene: Scene, offering: Offering) -> Iterator[Act]:
    """What waits for the character's defense."""
    for key in awaiting(scene, offering.who):
        contest = scene.document(key)
        share = contest.share(offering.who) if isinstance(contest, SwimContest) else None
        if not isinstance(contest, SwimContest) or share is None:
            continue
        if find_character(scene, contest.attacker) is None:
            continue
        if is_helpless(scene, contest, scene.actor):
            label = "You can't defend: see what gets through"
            yield offering.act(ActGroup.FIGHT, "defend", SwimDefendOptions(contest=key), label)
            continue
        for button in defence_buttons(scene, key, contest, share):
            yield Act(group=ActGroup.FIGHT, do=button)


def attacks(scene: Scene, offering: Offering, pools: tuple[Pool, ...]) -> Iterator[Act]:
    """Attacks at somebody with every skill, and grapples."""
    half, skills, cost = is_halved(scene), book(scene), cost_words(scene)
    attacking, targets = [pool for pool in pools if skills.definition(pool.key).attacks], nearest(scene)
    for pool in attacking:
        found = attack_choices(scene, pool.key, targets, half=half)
        more = composing(scene, pool, SwimRole.ATTACK, focus=False)
        options = [
            (choice, SwimAttackOptions(skill=pool.key, targets=(who,), half=half)) for choice, who in found
        ]
        yield from offering.menu(
            ActGroup.FIGHT,
            "attack",
            f"Attack: {pool}{cost} …",
            "targets",
            options,
            is_tried=False,
            adjusts=more.adjusts,
            values=more.values,
        )
    foes = opponents(scene)
    for pool in pools:
        if pool.key == "grapple":
            grips = [(choice_of(one), GrappleOptions(target=one.id, half=half)) for one in foes]
            adjusts = adjustable(scene, pool.rank, focus=False)
            yield from offering.menu(
                ActGroup.FIGHT, "grapple", f"{pool}{cost} …", "target", grips, is_tried=False, adjusts=adjusts
            )


def letting_go(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Letting go of somebody, which needs no action.

    Source: SWIM-SKILL-03 (SWIM-R69).
    """
    for one in opponents(scene):
        if one.sheet.states.held_by == offering.who:
            let_go = ReleaseOptions(target=one.id)
            yield offering.act(ActGroup.FIGHT, "release", let_go, f"Let go of {one.name}")


def _divided(scene: Scene, offering: Offering, pools: Sequence[Pool]) -> Iterator[Act]:
    """One attack at several targets, with a share of the dice for each.

    Source: SWIM-COMB-02.
    """
    half, skills, targets = is_halved(scene), book(scene), nearest(scene)
    for pool in (one for one in pools if skills.definition(one.key).attacks and one.rank > 1):
        found = attack_choices(scene, pool.key, targets, half=half)
        if len(found) < FEWEST_DIVIDED:
            continue
        people = tuple(choice for choice, _who in found)[:MOST_CHOICES]
        blanks = (
            TextField(key="targets", prompt="Whom you attack", choices=people, most=MOST_TARGETS),
            TextField(key="shares", prompt="Dice for each (empty: as even as can be)", is_required=False),
        )
        options = SwimAttackOptions(
            skill=pool.key, targets=tuple(who for _choice, who in found[:2]), half=half
        )
        label = f"Attack several: {pool}{cost_words(scene)} …"
        yield offering.act(ActGroup.FIGHT, "attack", options, label, blanks=blanks)


def _without_ammunition(scene: Scene, offering: Offering, pools: tuple[Pool, ...]) -> Iterator[Act]:
    """The ranged attack that lacks ammunition, greyed."""
    skills, foes = book(scene), opponents(scene)
    for pool in pools:
        if foes and skills.definition(pool.key).uses_ammunition:
            options = SwimAttackOptions(skill=pool.key, targets=(foes[0].id,))
            if not any(item.is_ammunition and item.quantity for item in scene.actor.sheet.items):
                why_not = "You have no ammunition left."
                yield offering.act(ActGroup.FIGHT, "attack", options, f"Attack: {pool}", why_not=why_not)
                return


def readied(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Standing up, and doing what was prepared."""
    actor = scene.actor
    if actor.sheet.states.is_prone:
        yield from offering.if_possible(
            ActGroup.FIGHT, "stand", SwimStandOptions(), "Stand up (half an action)"
        )
    held = actor.sheet.states.reserve
    if (
        held is not None
        and held.kind is ReserveKind.ACTION
        and is_allowed(lambda: assert_can_act(scene, actor))
    ):
        label = f"Now: {held.trigger}"
        yield offering.act(ActGroup.FIGHT, "trigger", TriggerOptions(), label)


def _held_actions(scene: Scene, offering: Offering, pools: tuple[Pool, ...]) -> Iterator[Act]:
    skills = book(scene)
    if not is_in_combat(scene, offering.who) or is_halved(scene):
        return
    reserves = (
        (Choice(pool.key, str(pool)), ReserveOptions(skill=pool.key))
        for pool in pools
        if skills.definition(pool.key).defends is not Defends.NEVER and pool.rank > 1
    )
    label = "Hold a skill for a defense (1 action) …"
    yield from offering.menu(ActGroup.FIGHT, "reserve", label, "skill", reserves)
    if pools:
        blanks = (
            TextField(key="skill", prompt="What you will do", choices=skill_choices(pools)),
            TextField(key="trigger", prompt="What triggers it", longest=200),
        )
        waits = ReserveOptions(skill=pools[0].key, kind=ReserveKind.ACTION, trigger="?")
        label = "Prepare an action (1 action) …"
        yield from offering.if_possible(ActGroup.FIGHT, "reserve", waits, label, blanks=blanks)
    banks = (
        (Choice(pool.key, str(pool)), BuildUpOptions(skill=pool.key, attack=True))
        for pool in pools
        if skills.definition(pool.key).attacks
    )
    yield from offering.menu(ActGroup.FIGHT, "buildup", "Build up an attack (1 action) …", "skill", banks)
    yield from offering.if_possible(ActGroup.FIGHT, "abandon", AbandonOptions(), "Give your build-up up")


def _encounter(scene: Scene, offering: Offering) -> Iterator[Act]:
    fight = find_encounter(scene)
    if fight is not None and fight.combatant(offering.who) is not None:
        yield from offering.if_possible(ActGroup.FIGHT, LEAVE, LeaveOptions(), "Leave the encounter")
    elif scene.actor.is_hidden or scene.actor.sheet.is_dead:
        return
    elif fight is not None:
        yield offering.act(ActGroup.FIGHT, JOIN, JoinOptions(), "Join the encounter")
    else:
        found = [(choice_of(one), StartOptions(others=(one.id,))) for one in opponents(scene)]
        label = "Start an encounter with …"
        yield from offering.menu(ActGroup.FIGHT, START, label, "others", found, is_tried=False)
        yield offering.act(ActGroup.FIGHT, START, StartOptions(), "Start an encounter")
