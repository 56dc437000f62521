"""What a character can do now, for the sheet and for the board of a fight."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial

from msgspec.structs import replace

from bot.rules.kernel import Choice, FollowUp, Procedure, TextField, TrackerRules
from bot.rules.kernel.procedures import Act, ActGroup, ActPart
from bot.rules.kernel.tracker import JOIN, LEAVE, START
from bot.rules.shared.encounters import (
    find_character,
    next_buttons,
    turn_ends,
)
from bot.rules.shared.offering import (
    MOST_CHOICES,
    Offering,
    can_gather,
    choice_of,
    friends_first,
    is_allowed,
)
from bot.rules.shared.resting import REST
from bot.rules.swim_class.acts_rolls import (
    RollableSkill,
    acts_with_others,
    adjustable,
    composing,
    cost_words,
    escapes,
    feats,
    is_halved,
    magic_acts,
    moves,
    roll_acts,
    rollable,
    skill_choices,
)
from bot.rules.swim_class.attacks import GrappleOptions, SwimAttackOptions
from bot.rules.swim_class.board import FIGHTS, attack_choices, can_act, nearest, opponents, turn_buttons, view
from bot.rules.swim_class.damage import (
    assert_can_act,
    composure_left,
    is_dying,
)
from bot.rules.swim_class.defending import defence_buttons, is_helpless
from bot.rules.swim_class.encounter import ENCOUNTERS, find_encounter, is_in_combat
from bot.rules.swim_class.gear import (
    material_sp,
)
from bot.rules.swim_class.growth import PURSE, coins, priced, wounds_key
from bot.rules.swim_class.movement import MoveGround
from bot.rules.swim_class.powers import (
    SwimCastOptions,
)
from bot.rules.swim_class.rolling import Task, assert_rollable
from bot.rules.swim_class.session import PROCEDURES
from bot.rules.swim_class.settling import SwimContest, awaiting
from bot.rules.swim_class.sheet import (
    CATALOGUE,
    ReserveKind,
    Scene,
    SoakPolicy,
    SwimItem,
    SwimRole,
    book,
    rank_of,
)
from bot.rules.swim_class.tables import SPELLS, Defends, Pool, SkillKey

FEWEST_DIVIDED, MOST_TARGETS = 2, 5
POLICIES = {
    SoakPolicy.COMPOSURE_FIRST: "Composure soaks first",
    SoakPolicy.ASK: "Ask before Composure soaks",
    SoakPolicy.NEVER: "Composure never soaks",
}


def fight_acts(scene: Scene, offering: Offering, pools: tuple[RollableSkill, ...]) -> Iterator[Act]:
    """Answering attacks, attacking, holding actions, and starting or leaving a fight.

    [SWIM-COMB-01 to SWIM-COMB-07, SWIM-COMB-13, SWIM-COMB-14, SWIM-SKILL-03, SWIM-POOL-02]
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
    """When Composure soaks. [SWIM-COMB-06]"""
    now = scene.actor.sheet.soak
    policies = [Choice(one.value, words) for one, words in POLICIES.items() if one is not now]
    yield from offering.menu(ActGroup.FIGHT, "policy", f"{POLICIES[now]}: change …", "policy", policies)


def _answers(scene: Scene, offering: Offering) -> Iterator[Act]:
    """What waits for the character's defense."""
    for key in awaiting(scene, offering.who):
        contest = scene.stored(SwimContest, key)
        share = None if contest is None else contest.share(offering.who)
        if contest is None or share is None:
            continue
        if find_character(scene, contest.attacker) is None:
            continue
        if is_helpless(scene, contest, scene.actor):
            label = "You can't defend: see what gets through"
            yield offering.act(ActGroup.FIGHT, "defend", label, contest=key)
            continue
        for button in defence_buttons(scene, key, contest, share):
            yield Act(group=ActGroup.FIGHT, do=button)


def attacks(scene: Scene, offering: Offering, pools: tuple[RollableSkill, ...]) -> Iterator[Act]:
    """Attacks at somebody with every skill, and grapples."""
    half, skills, cost = is_halved(scene), book(scene), cost_words(scene)
    attacking, targets = [pool for pool in pools if skills.definition(pool.key).attacks], nearest(scene)
    for pool in attacking:
        found = attack_choices(scene, pool.key, targets, half=half)
        more = composing(scene, pool, SwimRole.ATTACK, focus=False)
        yield from offering.menu(
            ActGroup.FIGHT,
            "attack",
            f"Attack: {pool}{cost} …",
            "targets",
            found,
            is_tried=False,
            adjusts=more.adjusts,
            values=more.values,
            skill=pool.key,
            half=half,
        )
    for pool in pools:
        if pool.key == "grapple":
            foes = map(choice_of, opponents(scene))
            adjusts = adjustable(scene, pool.rank, focus=False)
            yield from offering.menu(
                ActGroup.FIGHT,
                "grapple",
                f"{pool}{cost} …",
                "target",
                foes,
                is_tried=False,
                adjusts=adjusts,
                half=half,
            )


def letting_go(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Letting go of somebody, which needs no action. [SWIM-SKILL-03 (SWIM-R69)]"""
    for one in opponents(scene):
        if one.sheet.states.held_by == offering.who:
            yield offering.act(ActGroup.FIGHT, "release", f"Let go of {one.name}", target=one.id)


def _divided(scene: Scene, offering: Offering, pools: Sequence[RollableSkill]) -> Iterator[Act]:
    """One attack at several targets, with a share of the dice for each. [SWIM-COMB-02]"""
    half, skills, targets = is_halved(scene), book(scene), nearest(scene)
    for pool in (one for one in pools if skills.definition(one.key).attacks and one.rank > 1):
        found = attack_choices(scene, pool.key, targets, half=half)
        if len(found) < FEWEST_DIVIDED:
            continue
        people = found[:MOST_CHOICES]
        blanks = (
            TextField(key="targets", prompt="Whom you attack", choices=people, most=MOST_TARGETS),
            TextField(key="shares", prompt="Dice for each (empty: as even as can be)", is_required=False),
        )
        label = f"Attack several: {pool}{cost_words(scene)} …"
        yield offering.act(
            ActGroup.FIGHT,
            "attack",
            label,
            blanks=blanks,
            skill=pool.key,
            targets=tuple(one.value for one in found[:2]),
            half=half,
        )


def _without_ammunition(scene: Scene, offering: Offering, pools: tuple[RollableSkill, ...]) -> Iterator[Act]:
    """The ranged attack that lacks ammunition, greyed."""
    skills, foes = book(scene), opponents(scene)
    if not foes or any(item.is_ammunition and item.quantity for item in scene.actor.sheet.items):
        return
    for pool in (one for one in pools if skills.definition(one.key).uses_ammunition):
        why_not, at = "You have no ammunition left.", (foes[0].id,)
        yield offering.act(
            ActGroup.FIGHT, "attack", f"Attack: {pool}", why_not=why_not, skill=pool.key, targets=at
        )
        return


def readied(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Standing up, and doing what was prepared."""
    actor = scene.actor
    if actor.sheet.states.is_prone:
        yield from offering.if_possible(ActGroup.FIGHT, "stand", "Stand up (half an action)")
    held = actor.sheet.states.reserve
    if (
        held is not None
        and held.kind is ReserveKind.ACTION
        and is_allowed(lambda: assert_can_act(scene, actor))
    ):
        yield offering.act(ActGroup.FIGHT, "trigger", f"Now: {held.trigger}")


def _held_actions(scene: Scene, offering: Offering, pools: tuple[RollableSkill, ...]) -> Iterator[Act]:
    skills = book(scene)
    if not is_in_combat(scene, offering.who) or is_halved(scene):
        return
    reserves = (
        Choice(pool.key, str(pool))
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
        label = "Prepare an action (1 action) …"
        yield from offering.if_possible(
            ActGroup.FIGHT,
            "reserve",
            label,
            blanks=blanks,
            kind=ReserveKind.ACTION,
            trigger="?",
        )
    banks = (Choice(pool.key, str(pool)) for pool in pools if skills.definition(pool.key).attacks)
    yield from offering.menu(
        ActGroup.FIGHT, "buildup", "Build up an attack (1 action) …", "skill", banks, attack=True
    )
    yield from offering.if_possible(ActGroup.FIGHT, "abandon", "Give your build-up up")


def _encounter(scene: Scene, offering: Offering) -> Iterator[Act]:
    fight = find_encounter(scene)
    if fight is not None and fight.combatant(offering.who) is not None:
        yield from offering.if_possible(ActGroup.FIGHT, LEAVE, "Leave the fight")
    elif scene.actor.is_hidden or scene.actor.sheet.is_dead:
        return
    elif fight is not None:
        yield offering.act(ActGroup.FIGHT, JOIN, "Join the fight")
    else:
        found, label = map(choice_of, opponents(scene)), "Start a fight with …"
        yield from offering.menu(ActGroup.FIGHT, START, label, "others", found, is_tried=False)
        yield offering.act(ActGroup.FIGHT, START, "Start a fight")


AMPHORA = "Bottomless Amphora"


def gear_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Using and putting away gear, picking it up, and crafting.

    [SWIM-IMPL-04, SWIM-ITEM-04, SWIM-ITEM-08, SWIM-SKILL-13, SWIM-CRAFT-01 to SWIM-CRAFT-04]
    """
    sheet, settings = scene.actor.sheet, scene.settings
    lying = (_choice(item) for item in sheet.lying)
    yield from offering.menu(ActGroup.USE, "pick_up", "Pick up what you threw …", "item", lying)
    for label, is_used in (("Use an item …", False), ("Put an item away …", True)):
        found = (_choice(item) for item in sheet.items if item.is_equipped is is_used)
        yield from offering.menu(ActGroup.USE, "equip", label, "item", found, equipped=not is_used)
    anchors = (_choice(item) for item in sheet.items if item.must_be_anchored and not item.is_anchored)
    yield from offering.menu(ActGroup.USE, "equip", "Anchor …", "item", anchors, anchored=True)
    if sheet.find_item(AMPHORA) is not None:
        rounds = {"rounds": "For how many rounds"}
        yield offering.act(ActGroup.USE, "pour", f"Pour from the {AMPHORA}", adjusts=rounds, rounds=1)
    yield from _crafting(scene, offering)
    crafts = [
        Choice(one.name, one.name, f"material {coins(material_sp(one.value, settings), settings)}")
        for one in CATALOGUE.values()
    ]
    yield from offering.menu(ActGroup.USE, "start_craft", "Start crafting …", "item", crafts)


def _crafting(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Going on with what is being made."""
    for _, task in scene.every(Task, "task"):
        if not task.is_open or task.material is None:
            continue
        rank = rank_of(scene, scene.actor, task.skill)
        label = f"Work on {task.name}"
        yield from offering.if_possible(
            ActGroup.USE,
            "craft",
            label,
            adjusts=adjustable(scene, rank),
            item=task.name,
            half=is_halved(scene),
        )


def _choice(item: SwimItem) -> Choice:
    count = f" ×{item.quantity}" if item.quantity > 1 else ""
    return Choice(item.name, f"{item.name}{count}"[:100])


def spending_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Buying and selling at list prices, and Composure for wounds.

    [SWIM-ITEM-01, SWIM-ITEM-07, SWIM-COMB-06]
    """
    actor, settings = scene.actor, scene.settings
    if composure_left(scene, actor) > 0:
        for pool in Pool:
            wounds = actor.left(wounds_key(pool))
            if wounds:
                points = min(wounds, composure_left(scene, actor))
                label = f"Soak {points} {pool.value} with Composure"
                adjusts = {"points": "How many wounds"}
                yield from offering.if_possible(
                    ActGroup.SPEND, "soak", label, adjusts=adjusts, pool=pool, points=points
                )
    purse = actor.left(PURSE)
    goods = sorted(
        (priced(item, settings), item.name)
        for item in CATALOGUE.values()
        if settings.artifacts_for_sale or not item.is_quest_only
    )
    sold = [Choice(name, name, coins(price, settings)) for price, name in goods if price <= purse]
    label = f"Buy … · you have {coins(purse, settings)}"
    many = {"quantity": "How many"}
    yield from offering.menu(ActGroup.SPEND, "buy", label, "item", sold, is_tried=False, adjusts=many)
    own = [
        Choice(item.name, item.name, coins(priced(item, settings), settings)) for item in actor.sheet.items
    ]
    yield from offering.menu(ActGroup.SPEND, "sell", "Sell …", "item", own, is_tried=False, adjusts=many)
    yield from _gifts(scene, offering)


def _gifts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Gear and money for others, who have to take it. [SWIM-CHAR-03, SWIM-ITEM-07]"""
    actor = scene.actor
    people = tuple(choice_of(one) for one in friends_first(scene) if not one.sheet.is_dead)[:MOST_CHOICES]
    if not people:
        return
    target = TextField(key="target", prompt="Whom you give it", choices=people)
    if actor.sheet.items:
        items = tuple(_choice(item) for item in actor.sheet.items)[:MOST_CHOICES]
        blanks = (
            TextField(key="item", prompt="What you give", choices=items),
            target,
            TextField(key="quantity", prompt="How many (empty: 1)", longest=4, is_required=False),
        )
        yield offering.act(ActGroup.SPEND, "hand", "Give gear to someone …", blanks=blanks)
    purse = actor.left(PURSE)
    if purse:
        silver = TextField(key="silver", prompt="Silver pieces", longest=5, is_required=False)
        gold = TextField(key="gold", prompt="Gold pieces", longest=5, is_required=False)
        label = f"Give money to someone … · you have {coins(purse, scene.settings)}"
        yield offering.act(ActGroup.SPEND, "pay", label, blanks=(target, gold, silver), silver=1)


def rest_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Stabilizing, and rests. [SWIM-COMB-09, SWIM-COMB-11, SWIM-COMB-12]"""
    for pool in Pool:
        if is_dying(scene, scene.actor, pool):
            label = f"Roll to stabilize ({pool.value})"
            yield from offering.if_possible(ActGroup.REST, "stabilise", label, pool=pool)
    yield from offering.if_possible(ActGroup.REST, REST, "Brief rest: Composure comes back")
    hours = {"hours": "How many hours", "now": "At once, without waiting for others"}
    label = "Rest for 8 hours: each can heal"
    yield from offering.if_possible(ActGroup.REST, REST, label, adjusts=hours, hours=8)


def growth_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """What pulls what, what has been learned, and new specialisations; ranks grow by rolling.

    [SWIM-SYN-04, SWIM-SYN-05, SWIM-ADV-07]
    """
    yield offering.act(ActGroup.GROW, "growth", "See what can grow, and what it pulls along")
    skills, sheet = book(scene), scene.actor.sheet
    keys = sorted(skills.skills, key=lambda key: -skills.rank(sheet.ranks, key))
    able = [key for key in keys if skills.rank(sheet.ranks, key) > 0]
    pulls = [
        Choice(key, f"{skills.title(key)} {skills.rank(sheet.ranks, key)}")
        for key in able
        if is_allowed(lambda key=key: assert_rollable(key))  # type: ignore[misc]
    ]
    yield from offering.menu(
        ActGroup.GROW, "synergy", "See what a skill pulls along …", "skill", pulls, is_tried=False
    )
    yield offering.act(ActGroup.GROW, "epics", "See the rolls that earned ranks")
    parents = [key for key in able if skills.definition(key).special_degree is not None]
    if parents:
        menu = tuple(Choice(key, skills.title(key)) for key in parents)[:MOST_CHOICES]
        blanks = (
            TextField(key="skill", prompt="Skill", choices=menu),
            TextField(key="tag", prompt="What you specialize in", longest=40),
        )
        yield offering.act(ActGroup.GROW, "specialise", "Start a specialization …", blanks=blanks)


MOST_MENUS = 5
WITH_OTHERS = ("grapple", "brawn")  # skills beside those of attacks that the board offers
USUAL_WAYS = (MoveGround.WALK, MoveGround.FLIGHT)  # most fights never need the others; the sheet has them
ON_BUTTONS = ("trigger", "escape", "release", "stand", "move")  # what the board has as buttons, in this order


def board_offers(scene: Scene, procedures: Mapping[str, Procedure]) -> tuple[FollowUp, ...]:
    """The menus and buttons for the current combatant. [SWIM-COMB-16 (SWIM-R58), SWIM-POOL-07]

    Args:
        procedures: The procedures of the ruleset.
    """
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return ()
    combatant = encounter.current
    character = None if combatant is None else find_character(scene, combatant.character)
    if combatant is None or character is None:
        return next_buttons(FIGHTS, scene)
    acting = replace(scene, actor_id=character.id)
    offering = Offering(acting, procedures)
    acts = _turn_acts(acting, offering) if can_act(scene, combatant) else letting_go(acting, offering)
    return (*(act.do for act in acts), *turn_buttons(scene, combatant))


def _turn_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """What the acting character can do with an action: at others with the best skills, then the rest."""
    skills = book(scene)
    pools = rollable(scene, lambda key: key in WITH_OTHERS or bool(skills.definition(key).attacks))
    found = (
        *attacks(scene, offering, pools),
        *letting_go(scene, offering),
        *readied(scene, offering),
        *magic_acts(scene, offering),
        *moves(scene, offering, USUAL_WAYS),
        *escapes(scene, offering, pools),
    )
    possible = [act for act in found if not act.why_not]
    aimed = [act for act in possible if act.do.choices and _skill_of(act)]
    yield from sorted(aimed, key=lambda act: -rank_of(scene, scene.actor, _skill_of(act)))[:MOST_MENUS]
    for procedure in ON_BUTTONS:
        yield from (act for act in possible if act.do.procedure == procedure)


def _skill_of(act: Act) -> SkillKey:
    """The skill with which an act is done to somebody else; nothing for other acts."""
    match act.do.options:
        case SwimAttackOptions(skill=skill):
            return skill
        case SwimCastOptions(spell=spell, corpse=None):
            return SPELLS[spell].form
        case GrappleOptions():
            return "grapple"
    return ""


def acts(scene: Scene) -> tuple[ActPart, ...]:
    """What the acting character can do now, the most used first in each group."""
    if scene.actor.sheet.is_dead:
        return ()
    offering, pools = Offering(scene, PROCEDURES), cache(lambda: rollable(scene))
    return (
        ActPart(lambda: roll_acts(scene, offering, pools()), ActGroup.CHECK, ActGroup.FIGHT),
        ActPart(partial(feats, scene, offering), ActGroup.CHECK, is_sure=True),
        ActPart(lambda: acts_with_others(scene, offering, pools()), ActGroup.CHECK, ActGroup.FIGHT),
        ActPart(lambda: fight_acts(scene, offering, pools()), ActGroup.FIGHT, is_certain=can_gather(scene)),
        ActPart(partial(policy_acts, scene, offering), ActGroup.FIGHT, is_sure=True),
        ActPart(partial(magic_acts, scene, offering), ActGroup.USE, ActGroup.REST),
        ActPart(partial(gear_acts, scene, offering), ActGroup.USE),
        ActPart(
            partial(spending_acts, scene, offering),
            ActGroup.SPEND,
            is_certain=bool(scene.actor.sheet.items),  # they can be sold
        ),
        ActPart(partial(rest_acts, scene, offering), ActGroup.REST),
        ActPart(partial(growth_acts, scene, offering), ActGroup.GROW, is_certain=True),
    )


def choices(scene: Scene) -> tuple[FollowUp, ...]:
    """What the board of the channel's fight offers."""
    return board_offers(scene, PROCEDURES)


TRACKER = TrackerRules(
    view=view,
    choices=choices,
    turn_ends=partial(turn_ends, FIGHTS),
    attacks=("attack",),
    ground=("terrain", "resistance"),
)
