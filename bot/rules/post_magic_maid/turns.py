"""Turns: declaring actions, ending a turn, ending an encounter."""

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Document,
    FollowUp,
    NamedTerm,
    NoOptions,
    Place,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import NEXT
from bot.rules.post_magic_maid.cards import MaidPurpose
from bot.rules.post_magic_maid.encounter import (
    MaidCombatant,
    MaidEncounter,
    find_encounter,
    the_encounter,
    with_encounter,
)
from bot.rules.post_magic_maid.performance import (
    MOST_ACTIONS,
    Assist,
    CheckPlan,
    MaidHelp,
    action_penalty,
    assist_key,
    make_check,
    take_action,
    waiting_assist,
)
from bot.rules.post_magic_maid.sheet import MaidAttribute, Outcome, Scene
from bot.rules.post_magic_maid.tier_check import draw_chance
from bot.rules.post_magic_maid.tiers import MaidTier, assisted
from bot.rules.post_magic_maid.wounds import BLITZ, assert_can_act, can_act
from bot.rules.shared.encounters import NextOptions, on_now

ACE_IN_A_BLITZ = draw_chance(4, 1, 7).fraction


class ActOptions(Document):
    """Options for declaring actions."""

    count: int = Field(ge=1, le=MOST_ACTIONS)


def next_button(encounter: MaidEncounter, combatant: MaidCombatant) -> FollowUp:
    """The button that ends a turn."""
    return FollowUp(
        procedure=NEXT,
        options=NextOptions(turn=encounter.turn_key),
        label="End turn",
        character=combatant.character,
        group="turn",
        place=Place.APART,
    )


def turn_buttons(scene: Scene, character: CharacterId) -> tuple[FollowUp, ...]:
    """The buttons of the character whose turn it is, besides rolling; none for others."""
    encounter = find_encounter(scene)
    if encounter is None or not encounter.is_turn_of(character):
        return ()
    combatant = encounter.combatant(character)
    if combatant is None or encounter.current is None:
        return (deal_button(encounter),) if combatant and combatant.has_acted else ()
    fresh = () if combatant.has_rolled else _opening_buttons(scene, combatant)
    return (*fresh, next_button(encounter, combatant))


def deal_button(encounter: MaidEncounter) -> FollowUp:
    """The button that draws initiative cards; for the starter's player and the GM, else for anybody."""
    return FollowUp(
        procedure=NEXT,
        options=NextOptions(turn=encounter.turn_key),
        label="Draw cards",
        audience=Audience.ANYONE if encounter.starter is None else Audience.OWNER,
        character=encounter.starter,
        group="deal",
        place=Place.APART,
    )


def _opening_buttons(scene: Scene, combatant: MaidCombatant) -> tuple[FollowUp, ...]:
    """The buttons before a turn's first roll: burn a point, declare actions."""
    points = scene.character(combatant.character).left(BLITZ)
    buttons = []
    if points and not combatant.has_blitzed:
        buttons.append(
            FollowUp(
                procedure="blitz",
                options=NoOptions(),
                label=f"Blitz ({points} left) · ace {percent(ACE_IN_A_BLITZ)}",
                character=combatant.character,
                group="blitz",
                place=Place.APART,
            )
        )
    if not combatant.actions_used and not combatant.actions_declared:
        buttons.append(_declaration(combatant))
    return tuple(buttons)


def _declaration(combatant: MaidCombatant) -> FollowUp:
    choices = tuple(
        Choice(
            value=str(count),
            label=f"{count} actions",
            note=", ".join(f"−{action_penalty(number, count)}" for number in range(1, count + 1)),
        )
        for count in (2, 3, 4)
    )
    return FollowUp(
        procedure="act",
        options=ActOptions(count=1),
        label="Several actions …",
        character=combatant.character,
        choices=choices,
        chosen="count",
        group="act",
    )


@procedure("act")
def declare_actions(scene: Scene, options: ActOptions, _dice: Dice) -> Outcome:
    """Declare the number of actions this turn, before taking the first. [PMM-ACT-02 (PMM-R30)]"""
    actor = scene.actor
    assert_can_act(actor)
    encounter = the_encounter(scene)
    combatant = encounter.combatant(actor.id)
    if encounter.current is None or combatant is None or encounter.current.character != actor.id:
        raise UserError(f"It is not {actor.name}'s turn.", "Declare actions on your own turn.")
    if combatant.actions_used:
        raise UserError(
            f"{actor.name} has already taken an action this turn.",
            "Declare the number of actions before the first one.",
        )
    combatant = evolve(combatant, actions_declared=options.count)
    scene = with_encounter(scene, evolve(encounter.with_combatant(combatant), chooser=None))
    if options.count == 1:
        return Outcome(scene=scene, headline="takes one action this turn")
    penalties = ", ".join(f"−{action_penalty(n, options.count)}" for n in range(1, options.count + 1))
    return Outcome(
        scene=scene,
        headline=f"declares {options.count} actions this turn",
        notes=(f"Their penalties: {penalties}.",),
        follow_ups=turn_buttons(scene, actor.id),
    )


def end_turn(scene: Scene, _dice: Dice) -> Outcome:
    """End the current turn; the next combatant who can act follows. [PMM-INI-06, PMM-WND-05, PMM-WND-08]"""
    encounter = the_encounter(scene)
    ending = encounter.acting
    encounter = evolve(encounter.with_combatant(_turn_ended(ending)), chooser=None)
    scene, notes = _pass_on(with_encounter(scene, encounter))
    now = the_encounter(scene)
    on_turn = now.acting
    whose = "the" if scene.actor_id == ending.character else f"{ending.name}'s"
    new_round = (f"Round {now.round} starts.",) if now.round > encounter.round else ()
    done = on_now(scene, on_turn.name, f"ends {whose} turn", (*notes, *new_round))
    return replace(done, follow_ups=_first_buttons(scene, on_turn.character))


def _first_buttons(scene: Scene, character: CharacterId) -> tuple[FollowUp, ...]:
    """What begins a turn of a player's character; the board has what a GM's can do, right below."""
    found = scene.known(character)
    return () if found is None or found.owner is None else turn_buttons(scene, character)


def _turn_ended(combatant: MaidCombatant) -> MaidCombatant:
    """Drop declared actions that were not taken when the turn ends."""
    return evolve(combatant, actions_declared=min(combatant.actions_declared, combatant.actions_used))


def is_able(scene: Scene, combatant: MaidCombatant) -> bool:
    """Whether a combatant can act: awake, alive, and still in the campaign."""
    character = scene.known(combatant.character)
    return character is not None and can_act(character)


def skip_to_able(scene: Scene) -> tuple[Scene, tuple[str, ...]]:
    """Skip the current turn if its combatant can't act. [PMM-INI-06, PMM-WND-05]

    Returns:
        The scene afterwards, and what to tell.
    """
    encounter = the_encounter(scene)
    on_turn = encounter.shown[encounter.turn]
    if is_able(scene, on_turn):
        return scene, ()
    scene, notes = _pass_on(scene)
    return scene, (f"{on_turn.name} can't act and is skipped.", *notes)


def _pass_on(scene: Scene) -> tuple[Scene, tuple[str, ...]]:
    """Go to the next combatant who can act, into the next round if needed."""
    notes: list[str] = []
    for _ in the_encounter(scene).shown:
        encounter = the_encounter(scene)
        if encounter.turn + 1 < len(encounter.shown):
            scene = with_encounter(scene, evolve(encounter, turn=encounter.turn + 1))
        else:
            scene, lost = _new_round(scene)
            notes.extend(lost)
        encounter = the_encounter(scene)
        combatant = encounter.shown[encounter.turn]
        if is_able(scene, combatant):
            fresh = evolve(combatant, has_rolled=False)
            return with_encounter(scene, encounter.with_combatant(fresh)), tuple(notes)
        notes.append(f"{combatant.name} can't act and is skipped.")
    raise UserError("Nobody in the order can act any more.", try_this="End the fight with /gm encounter end.")


def _new_round(scene: Scene) -> tuple[Scene, tuple[str, ...]]:
    """Begin the next round: effects of the round end, and the clock advances if so set."""
    encounter = the_encounter(scene)
    notes = tuple(_lost(combatant) for combatant in encounter.shown if _lost(combatant))
    for combatant in encounter.shown:
        scene = scene.without_document(assist_key(combatant.character))
    fresh = evolve(encounter.cleared(), round=encounter.round + 1, turn=0)
    seconds = scene.settings.round_seconds or 0
    return with_encounter(scene.at_clock(scene.clock + seconds), fresh), notes


def _lost(combatant: MaidCombatant) -> str:
    """A sentence on what a combatant did not use this round, or an empty text."""
    spares = "spare ace" if combatant.aces_to_give == 1 else "spare aces"
    dice = "bonus d8" if combatant.bonus_dice == 1 else "bonus d8s"
    unused = [
        "an automatic 25" if combatant.has_automatic else "",
        f"{combatant.bonus_dice} {dice}" if combatant.bonus_dice else "",
        f"{combatant.aces_to_give} {spares}" if combatant.aces_to_give else "",
    ]
    things = " and ".join(thing for thing in unused if thing)
    return f"{combatant.name} loses {things} at the end of the round." if things else ""


def finish(scene: Scene, _dice: Dice) -> Outcome:
    """Remove everything that lasts as long as the encounter. [PMM-INI-06]"""
    for combatant in the_encounter(scene).shown:
        scene = scene.without_document(assist_key(combatant.character))
    return Outcome(scene=scene, headline="ends the fight")


def order_line(encounter: MaidEncounter) -> str:
    """The turn order in one line."""
    return f"Order: {', '.join(combatant.name for combatant in encounter.shown)}."


class AssistOptions(Document):
    """Options for an assist."""

    target: CharacterId  # whose next action
    first: MaidAttribute
    second: MaidAttribute  # another attribute
    ability: str = Field(default="", max_length=100)  # the ability that is used, or nothing
    bonus_dice: int = Field(default=0, ge=0, le=12)  # bonus d8s from one's pool thrown in
    tier: MaidTier | None = None  # the tier it is to be; only a GM says so


@procedure("assist")
def give_assist(scene: Scene, options: AssistOptions, dice: Dice) -> Outcome:
    """Assist another's next action before it is rolled; in an encounter this takes an action.

    [PMM-AST-01 (PMM-R32: the turn order does not matter; the best assist counts; PMM-R46)]
    """
    actor, target = scene.actor, scene.character(options.target)
    if actor.id == target.id:
        raise UserError("You can't assist yourself.", try_this="Choose someone else.")
    assert_can_act(actor)
    assert_can_act(target)
    encounter = find_encounter(scene)
    combatant = encounter.combatant(actor.id) if encounter else None
    before = scene
    penalty: tuple[NamedTerm, ...] = ()
    if encounter is not None and combatant is not None:
        before, penalty = take_action(scene, encounter, combatant)
    plan = CheckPlan(
        first=options.first,
        second=options.second,
        ability=options.ability,
        bonus_dice=options.bonus_dice,
        forced=options.tier,
        is_action=False,
        can_be_helped=False,
        penalty=penalty,
    )
    checked = make_check(before, actor.id, plan, dice, MaidPurpose.HELPER)
    waiting = waiting_assist(checked.scene, target.id)
    helps = (*(waiting.helps if waiting else ()), MaidHelp(name=actor.name, tier=checked.tier))
    scene = checked.scene.with_document(assist_key(target.id), Assist(helps=helps))
    best = Assist(helps=helps).best
    can_lift = assisted(MaidTier.BELOW_10, best.tier) is not MaidTier.BELOW_10
    note = (
        f"{target.name}'s next action gets an assist of {best.tier.words} from {best.name}."
        if can_lift
        else f"That is too little to help {target.name}'s next action."
    )
    return Outcome(
        scene=scene,
        headline=f"assists {target.name}",
        verdict=checked.roll.verdict,
        rolls=(checked.roll,),
        notes=(*checked.notes, note),
        follow_ups=turn_buttons(scene, actor.id),
    )
