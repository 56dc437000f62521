"""What a character can do now besides its turn in a fight, for the controls of its sheet."""

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from bot.rules.kernel import Act, ActGroup, ActPart, Choice, FollowUp, NoOptions, RequestableCheck, TextField
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import label_with
from bot.rules.post_magic_maid.blitz import ace_menu
from bot.rules.post_magic_maid.contests import MaidCall, MaidContest, answer_button, roll_button
from bot.rules.post_magic_maid.defenses import defence_buttons
from bot.rules.post_magic_maid.encounter import find_combatant, find_encounter
from bot.rules.post_magic_maid.healing import (
    MaidPendingAttack,
    MaidRest,
    Treatment,
    TreatOptions,
    hours_to_heal,
    treatable,
    wound_menu,
)
from bot.rules.post_magic_maid.initiative import FIGHTS, attack_menu
from bot.rules.post_magic_maid.level_ups import (
    MaidPassiveOptions,
    MaidUseOptions,
    PlanOptions,
    SingleOptions,
    level_up_menus,
)
from bot.rules.post_magic_maid.performance import MaidCheckOptions, awaiting, spend_action, take_action
from bot.rules.post_magic_maid.sheet import Character, MaidAbility, MaidAttribute, Scene
from bot.rules.post_magic_maid.tiers import TIERS, MaidTier
from bot.rules.post_magic_maid.turns import AssistOptions
from bot.rules.post_magic_maid.wounds import (
    BLITZ,
    LEVEL_UPS,
    PAIRS,
    Track,
    assert_can_act,
    by_strength,
    can_act,
    dice_words,
    is_dead,
    pair_choices,
    pair_words,
)
from bot.rules.shared.offering import (
    act_of,
    can_gather,
    choices_among,
    first_id,
    foes_first,
    friends_first,
    gathering_acts,
    is_friend,
    leaving_acts,
    with_first_choice,
)
from bot.rules.shared.resting import hours_words

MOST_ABILITIES = 12
HOURS = (1, 2, 4, 8, 12, 24)
PAIR = {"first": "First attribute", "second": "Second attribute"}


def acts(scene: Scene) -> tuple[ActPart, ...]:
    """What the acting character can do now, the most used first in each group."""
    if is_dead(scene.actor):
        return ()
    return (
        ActPart(partial(_answers, scene), ActGroup.CHECK, ActGroup.FIGHT),
        ActPart(partial(_checks, scene), ActGroup.CHECK, is_certain=True),
        ActPart(partial(_fight, scene), ActGroup.FIGHT, is_certain=can_gather(scene)),
        ActPart(partial(leaving_acts, FIGHTS, scene), ActGroup.FIGHT, is_sure=True),
        ActPart(partial(_uses, scene), ActGroup.USE),
        ActPart(partial(_spends, scene), ActGroup.SPEND),
        ActPart(partial(_rest, scene), ActGroup.REST, is_certain=True),
        ActPart(partial(_growth, scene), ActGroup.GROW, is_certain=True),
    )


def _cant_act(scene: Scene) -> str:
    try:
        assert_can_act(scene.actor)
    except UserError as reason:
        return reason.what
    return ""


def _no_action(scene: Scene) -> str:
    """Why the character can't take an action now, or an empty text."""
    try:
        assert_can_act(scene.actor)
        spend_action(scene, scene.actor)
    except UserError as reason:
        return reason.what
    return ""


def _dice(scene: Scene) -> Mapping[str, str]:
    """The bonus d8s that can be thrown in, as something to set."""
    combatant = find_combatant(scene, scene.actor.id)
    pool = combatant.bonus_dice if combatant else 0
    return {"bonus_dice": f"Bonus d8s (up to {pool})"} if pool else {}


def _actives(character: Character) -> list[MaidAbility]:
    """The active abilities, the strongest first."""
    return sorted(character.sheet.actives(), key=lambda ability: -ability.bonus)[:MOST_ABILITIES]


# --- what waits, and checks --------------------------------------------------------------------


def _answers(scene: Scene) -> Iterator[Act]:
    """What waits for the character: attacks, contests and requested checks."""
    actor, waiting = scene.actor, awaiting(scene, scene.actor.id)
    magic = {"magic": "Magic"} if actor.sheet.is_magical else {}
    for key in waiting.attacks:
        pending = scene.stored(MaidPendingAttack, key)
        if pending is None or pending.placed:
            continue
        best, menu, take = defence_buttons(scene, actor, key, pending.tier)
        for button in (best, _with_another_pair(best, menu)) if can_act(actor) else ():
            now = replace(button, after_seconds=None)
            yield Act(group=ActGroup.FIGHT, do=now, adjusts={**magic, **_dice(scene)})
        yield Act(group=ActGroup.FIGHT, do=take)
    if not can_act(actor):
        return
    for key in waiting.contests:
        contest = scene.stored(MaidContest, key)
        side = None if contest is None else contest.side(actor.id)
        if side is not None and side.tier is None:
            button = roll_button(scene, side, key)
            do = with_first_choice(button) if button.choices else button
            yield Act(group=ActGroup.CHECK, do=do, adjusts=_dice(scene))
    for key in waiting.calls:
        if (call := scene.stored(MaidCall, key)) is not None:
            yield Act(group=ActGroup.CHECK, do=answer_button(scene, call, key), adjusts=_dice(scene))


def _with_another_pair(best: FollowUp, menu: FollowUp) -> FollowUp:
    """The menu of pairs with one chosen that is not the best, which has a button of its own."""
    taken = best.options.model_dump()["pair"]
    others = tuple(one for one in menu.choices if one.value != taken)
    return replace(with_first_choice(replace(menu, choices=others)), choices=menu.choices)


def _checks(scene: Scene) -> Iterator[Act]:
    """A check with each pair of attributes, and one with each active ability. [PMM-CHK-02, PMM-CHK-05]"""
    actor = scene.actor
    adjusts = {"needed": "Tier needed", **_dice(scene)}
    pairs = by_strength(actor)
    problem = _no_action(scene)
    for ability in _actives(actor) if not problem else ():
        first, second = pairs[0]
        yield Act(
            group=ActGroup.CHECK,
            do=act_of(
                scene,
                "check",
                MaidCheckOptions(first=first, second=second, ability=ability.name),
                f"{ability.name} +{ability.bonus} …",
                choices=pair_choices(actor, lambda _pair: "", pairs),
                chosen="pair",
            ),
            adjusts=adjusts,
        )
    for first, second in pairs if not problem else pairs[:1]:
        options = MaidCheckOptions(first=first, second=second)
        do = act_of(scene, "check", options, dice_words(actor, (first, second)))
        brief = pair_words((first, second))
        yield Act(group=ActGroup.CHECK, do=do, brief=brief, adjusts=adjusts, why_not=problem)


# --- fights ------------------------------------------------------------------------------------


def _fight(scene: Scene) -> Iterator[Act]:
    """Attacks that the board does not offer, and how to start and join a fight. [PMM-ATK-01, PMM-INI-01]"""
    in_fight = find_combatant(scene, scene.actor.id) is not None
    if not _no_action(scene):
        yield from _attacks(scene, in_fight=in_fight)
    adjusts = {"at_once": "Someone could interrupt: all draw first"}
    yield from gathering_acts(FIGHTS, scene, why_not=_cant_act(scene), adjusts=adjusts)


def _attacks(scene: Scene, *, in_fight: bool) -> Iterator[Act]:
    """Attacks: plain ones outside a fight (the board offers them inside), and with each ability."""
    actor = scene.actor
    targets = choices_among(one for one in foes_first(scene) if not is_dead(one))
    if not targets:
        return
    magic = {"magic": "Magic: +1 wound on a 1"} if actor.sheet.is_magical else {}
    adjusts = {**PAIR, **magic, **_dice(scene)}
    abilities = [ability.name for ability in _actives(actor)]
    for ability in abilities if in_fight else ["", *abilities]:
        for track in Track:
            do = attack_menu(actor, track, targets, ability=ability)
            yield Act(group=ActGroup.FIGHT, do=do, adjusts=adjusts)


# --- abilities, help and points ----------------------------------------------------------------


def _uses(scene: Scene) -> Iterator[Act]:
    """Passive abilities and an assist. [PMM-ABL-05, PMM-AST-01]"""
    actor = scene.actor
    if not can_act(actor):
        return
    for ability in list(actor.sheet.passives())[:MOST_ABILITIES]:
        wants = ability.activation
        check = f": {wants.first} + {wants.second}, {wants.tier.words}" if wants else ""
        do = act_of(
            scene, "use", MaidUseOptions(ability=ability.name), label_with(ability.name, check, before="Use ")
        )
        yield Act(group=ActGroup.USE, do=do, adjusts=_dice(scene) if wants else {})
    helped = choices_among(one for one in friends_first(scene) if can_act(one))
    if helped and _can_assist(scene):
        first, second = by_strength(actor)[0]
        options = AssistOptions(target=first_id(helped), first=first, second=second)
        label = f"Assist: {pair_words((first, second))} …"
        do = act_of(scene, "assist", options, label, choices=helped, chosen="target")
        yield Act(group=ActGroup.USE, do=do, adjusts={**PAIR, **_dice(scene)})


def _can_assist(scene: Scene) -> bool:
    """Whether the character has an action for an assist, which needs no turn (PMM-R32)."""
    encounter, combatant = find_encounter(scene), find_combatant(scene, scene.actor.id)
    if encounter is None or combatant is None:
        return True
    try:
        take_action(scene, encounter, combatant)
    except UserError:
        return False
    return True


def _spends(scene: Scene) -> Iterator[Act]:
    """A spare ace to give away, and why no Blitz Point can be burned where the board does not offer it.

    [PMM-BLZ-02, PMM-BLZ-04]
    """
    actor, encounter = scene.actor, find_encounter(scene)
    combatant = find_combatant(scene, actor.id)
    if combatant is not None and encounter is not None:
        for menu in ace_menu(scene, actor.id):
            taken = {str(one.character) for one in encounter.shown if one.has_automatic}
            choices = tuple(one for one in menu.choices if one.value not in taken)
            if choices:
                yield Act(group=ActGroup.SPEND, do=with_first_choice(replace(menu, choices=choices)))
    if encounter is not None and encounter.has_begun and encounter.is_turn_of(actor.id):
        return
    points = actor.left(BLITZ)
    why_not = "Burn one on your own turn in a fight, before you roll." if points else "No Blitz Points left."
    label = f"Blitz Point: draw 7 cards · {points} left"
    yield Act(group=ActGroup.SPEND, do=act_of(scene, "blitz", NoOptions(), label), why_not=why_not)


# --- rest and growth ---------------------------------------------------------------------------


def _rest(scene: Scene) -> Iterator[Act]:
    """Treatments, the wound that one removes, and rest. [PMM-HEAL-01 to PMM-HEAL-06]"""
    actor = scene.actor
    for key, treatment in scene.every(Treatment, "treatment"):
        if treatment.healer == actor.id:
            for menu in wound_menu(scene, key, treatment):
                yield Act(group=ActGroup.REST, do=menu)
    if not _no_action(scene):
        yield from _treatments(scene)
    yield _rest_act(scene)


def _treatments(scene: Scene) -> Iterator[Act]:
    actor = scene.actor
    friends = (actor, *(one for one in friends_first(scene) if is_friend(scene, one)))
    wounded = [one for one in friends if not is_dead(one) and treatable(one, MaidTier.TWENTY_FIVE)]
    wounded.sort(key=can_act)
    who = choices_among(wounded, lambda one: treatable(one, MaidTier.TWENTY_FIVE)[0])
    if not who:
        do = act_of(scene, "treat", TreatOptions(target=actor.id), "Treat wounds: Int + Dex")
        yield Act(group=ActGroup.REST, do=do, why_not="Nobody has a wound you can treat.")
        return
    for ability in ("", *(one.name for one in _actives(actor))):
        label = f"Treat: Int + Dex, {ability} …" if ability else "Treat: Int + Dex …"
        options = TreatOptions(target=first_id(who), ability=ability)
        do = act_of(scene, "treat", options, label, choices=who, chosen="target")
        yield Act(group=ActGroup.REST, do=do, adjusts=_dice(scene))


def _rest_act(scene: Scene) -> Act:
    needed = hours_to_heal(scene.actor)
    likely = [needed] if needed else []
    choices = tuple(
        Choice(str(hours), hours_words(hours), "heals all that rest can heal" if hours == needed else "")
        for hours in dict.fromkeys((*likely, *HOURS))
    )
    options = MaidRest(hours=needed or HOURS[0])
    return Act(
        group=ActGroup.REST,
        do=act_of(scene, "rest", options, "Rest: 1 wound an hour …", choices=choices, chosen="hours"),
        adjusts={"prefer": "Heal first", "now": "At once, without waiting for others"},
        why_not="You can rest after the fight." if find_combatant(scene, scene.actor.id) else "",
    )


def _growth(scene: Scene) -> Iterator[Act]:
    """What a level-up buys, and what is nearest to a larger die. [PMM-ADV-02 to PMM-ADV-13]"""
    actor = scene.actor
    left = actor.left(LEVEL_UPS)
    if not left:
        do = act_of(scene, "level_up", NoOptions(), "Level up")
        yield Act(group=ActGroup.GROW, do=do, why_not="No level-up to spend.")
    else:
        cost = f"1 of {left} level-ups" if left > 1 else "1 level-up"
        for menu in level_up_menus(actor, scene.settings):
            if menu.choices:
                yield Act(
                    group=ActGroup.GROW, do=replace(with_first_choice(menu), label=f"{menu.label} · {cost}")
                )
        name = TextField(key="ability", prompt="Name of the new ability", longest=60)
        single = act_of(
            scene, "single", SingleOptions(ability="-"), f"New active ability +5 · {cost}", blanks=(name,)
        )
        yield Act(group=ActGroup.GROW, do=single)
        effect = TextField(key="effect", prompt="What it does", longest=200, is_long=True)
        passive = MaidPassiveOptions(ability="-")
        label = f"New passive ability · {cost}"
        yield Act(group=ActGroup.GROW, do=act_of(scene, "passive", passive, label, blanks=(name, effect)))
    yield Act(group=ActGroup.GROW, do=act_of(scene, "plan", PlanOptions(), "Plan the next larger die"))


def read_pair(text: str) -> Mapping[str, object]:
    """Two attributes as they are typed: "Str + Dex".

    Raises:
        UserError: If it is not two attributes.
    """
    by_name = {attribute.value.casefold(): attribute for attribute in MaidAttribute}
    said = [by_name.get(word.strip().casefold()) for word in text.replace(",", "+").split("+")]
    if len(said) != 2 or None in said:
        raise UserError(f"“{text}” doesn't name two attributes.", "Write them like this: Str + Dex.")
    return {"first": said[0], "second": said[1]}


ASKS = (
    RequestableCheck(
        procedure="called",
        own="check",
        title="check",
        difficulty="needed",
        read=read_pair,
        names=lambda _who, _settings: tuple(pair_words(pair) for pair in PAIRS),
        difficulties=lambda _who, _settings: tuple(
            tier.value for tier in TIERS if tier is not MaidTier.BELOW_10
        ),
    ),
)
