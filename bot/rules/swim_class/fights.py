"""Fights: initiative, turns, what is held in reserve, standing up again."""

from dataclasses import replace

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import (
    Audience,
    CharacterId,
    Document,
    Family,
    FollowUp,
    Outcome,
    Procedure,
    Scene,
    Verdict,
)
from bot.rules.swim_class.damage import assert_can_act, is_dying
from bot.rules.swim_class.dying import StabiliseOptions
from bot.rules.swim_class.encounter import (
    FULL_ACTION,
    HALF_ACTION,
    Contestant,
    Encounter,
    InitiativeInputs,
    Seat,
    encounter_key,
    find_encounter,
    order_of,
    roll_initiative,
    spend,
    the_encounter,
    with_encounter,
)
from bot.rules.swim_class.ground import find_ground, ground_lines, taken_into_fight
from bot.rules.swim_class.modifiers import trait_modifier
from bot.rules.swim_class.parts import without_open_parts
from bot.rules.swim_class.performance import perform
from bot.rules.swim_class.rolling import PoolOptions, plan_of, told
from bot.rules.swim_class.scenes import end_scene
from bot.rules.swim_class.sheet import Reserve, ReserveKind, book, rank_of, sheet_of, with_states
from bot.rules.swim_class.tables import Defends, Pool

AGILITY = "agility"


class FightOptions(Document):
    """Who takes part besides the character acting."""

    others: tuple[CharacterId, ...] = Field(default=(), max_length=20)


class NoOptions(Document):
    """Nothing to choose."""


class ReserveOptions(Document):
    """What one holds in reserve, and for what."""

    skill: str = Field(min_length=1, max_length=100)
    kind: ReserveKind = ReserveKind.DEFENCE
    trigger: str = Field(default="", max_length=200)


class TriggerOptions(PoolOptions):
    """How the prepared action is rolled."""

    difficulty: int = Field(default=1, ge=1, le=24)


def start_fight(scene: Scene, options: FightOptions, dice: Dice) -> Outcome:
    """Begin an encounter: everybody rolls for initiative.

    Source: SWIM-COMB-15, SWIM-SKILL-14.
    """
    if find_encounter(scene) is not None:
        raise Mistake(
            "There is an encounter in this channel already.", try_this="End it with /swim fight end."
        )
    ids = [*([] if scene.actor_id is None else [scene.actor_id]), *options.others]
    ids = list(dict.fromkeys(ids))
    if not ids:
        raise Mistake("Nobody takes part.", try_this="Name the others.")
    begun = _ordered(scene, ids, Encounter(seats=()), "begins a fight", dice)
    return replace(begun, scene=taken_into_fight(begun.scene))


def _contestant(scene: Scene, who: CharacterId) -> Contestant:
    character = scene.character(who)
    skill = book(scene).find(AGILITY)
    return Contestant(
        name=character.name,
        dice=rank_of(scene, character, skill),
        modifier=trait_modifier(sheet_of(character), skill),
    )


class _Again:
    """Dice that fall as a roll has shown them."""

    def __init__(self, faces: list[int]) -> None:
        self._faces = faces

    def roll(self, _sides: int) -> int:
        """The next face."""
        return self._faces.pop(0)


def _ordered(scene: Scene, ids: list[CharacterId], encounter: Encounter, words: str, dice: Dice) -> Outcome:
    inputs = InitiativeInputs(contestants=tuple(_contestant(scene, who) for who in ids))
    roll = roll_initiative(inputs, dice)
    order = order_of(inputs, _Again([die.face for die in roll.dice]))
    fresh = [
        Seat(character=ids[place], name=inputs.contestants[place].name, values=values)
        for place, values in order
    ]
    acting = encounter.seats[encounter.turn].character if encounter.seats else None
    seats = tuple(sorted((*encounter.seats, *fresh), key=lambda seat: seat.values, reverse=True))
    turn = next((place for place, seat in enumerate(seats) if seat.character == acting), 0)
    encounter = encounter.model_copy(update={"seats": seats, "turn": turn})
    return Outcome(
        scene=with_encounter(scene, encounter),
        headline=words,
        verdict=Verdict(Family.NEWS, f"{encounter.current.name} acts"),
        rolls=(roll,),
        notes=order_lines(encounter),
        follow_ups=(next_button(encounter),),
    )


def order_lines(encounter: Encounter) -> tuple[str, ...]:
    """The order of acting with everybody's dice."""
    return tuple(
        f"{'▸' if place == encounter.turn else '·'} {seat.name} {' '.join(map(str, seat.values))}"
        for place, seat in enumerate(encounter.seats)
    )


def next_button(encounter: Encounter) -> FollowUp:
    """A button that ends the turn of whoever acts."""
    who = encounter.current
    return FollowUp(
        procedure="next",
        options=NoOptions(),
        label=f"End {who.name[:40]}’s turn",
        character=who.character,
        group="next",
    )


def join(scene: Scene, _options: NoOptions, dice: Dice) -> Outcome:
    """Join the encounter that is on."""
    encounter = the_encounter(scene)
    if encounter.seat(scene.actor.id) is not None:
        raise Mistake(f"{scene.actor.name} takes part already.")
    return _ordered(scene, [scene.actor.id], encounter, "joins the fight", dice)


def next_turn(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """End a turn: what lasts until somebody's next turn ends with it.

    Source: SWIM-COMB-13, SWIM-COMB-14, SWIM-COMB-16, SWIM-MAGIC-18.
    """
    encounter = the_encounter(scene)
    if not scene.is_gm and encounter.current.character != scene.actor.id:
        raise Mistake(f"It is {encounter.current.name}’s turn.", "They end it, or the GM.")
    scene = without_open_parts(scene, encounter.current.character)
    turn = (encounter.turn + 1) % len(encounter.seats)
    changed: dict[str, object] = {"turn": turn}
    if turn == 0:
        changed |= {
            "round": encounter.round + 1,
            "terrain": encounter.terrain[1:],
            "resistance": encounter.resistance[1:],
            "healed": (),
            "breathing": (),
        }
    encounter = encounter.model_copy(update=changed)
    seat = encounter.current.model_copy(update={"halves_used": 0})
    encounter = encounter.with_seat(seat)
    scene, notes = _turn_begins(with_encounter(scene, encounter), encounter)
    return Outcome(
        scene=scene,
        headline="ends the turn",
        verdict=Verdict(Family.NEWS, f"{seat.name} acts"),
        notes=(f"Round {encounter.round}.", *notes) if turn == 0 else notes,
        follow_ups=(*_stabilise_buttons(scene, seat), next_button(encounter)),
    )


def _turn_begins(scene: Scene, encounter: Encounter) -> tuple[Scene, tuple[str, ...]]:
    """End what lasts until this turn: the reserve, and the stunning of others."""
    who = encounter.current.character
    notes = []
    if sheet_of(scene.character(who)).states.reserve is not None:
        scene = with_states(scene, who, reserve=None)
        notes.append("What was held in reserve is lost.")
    for seat in encounter.seats:
        if sheet_of(scene.character(seat.character)).states.stunned_by == who:
            scene = with_states(scene, seat.character, stunned_by=None)
            notes.append(f"{seat.name} is no longer stunned.")
    return scene, tuple(notes)


def _stabilise_buttons(scene: Scene, seat: Seat) -> tuple[FollowUp, ...]:
    character = scene.character(seat.character)
    return tuple(
        FollowUp(
            procedure="stabilise",
            options=StabiliseOptions(pool=pool),
            label=f"{seat.name[:40]}: stabilise ({pool.value})",
            character=seat.character,
            group=f"stabilise/{pool.value}",
        )
        for pool in Pool
        if is_dying(scene, character, pool)
    )


def show_order(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show whose turn it is, and who comes next."""
    encounter = the_encounter(scene)
    return Outcome(
        scene=scene,
        headline=f"looks at round {encounter.round}",
        verdict=Verdict(Family.NEWS, f"{encounter.current.name} acts"),
        notes=(*order_lines(encounter), *ground_lines(find_ground(scene))),
        follow_ups=(next_button(encounter),),
    )


def end_fight(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """End the encounter, and the scene with it.

    Source: SWIM-REST-02.
    """
    encounter = the_encounter(scene)
    scene = end_scene(scene, [seat.character for seat in encounter.seats])
    return Outcome(scene=scene.with_document(encounter_key(scene), None), headline="ends the fight")


def reserve(scene: Scene, options: ReserveOptions, _dice: Dice) -> Outcome:
    """Hold a skill in reserve instead of acting.

    Source: SWIM-COMB-13 (SWIM-R56), SWIM-COMB-14.
    """
    actor = scene.actor
    assert_can_act(scene, actor)
    skills = book(scene)
    skill = skills.find(options.skill)
    is_defence = options.kind is ReserveKind.DEFENCE
    if is_defence and skills.definition(skill).defends is Defends.NEVER:
        raise Mistake(f"{skills.title(skill)} cannot defend.")
    if not is_defence and not options.trigger.strip():
        raise Mistake("A prepared action waits for something.", try_this="Give the option trigger.")
    scene = spend(scene, actor, FULL_ACTION)
    held = Reserve(skill=skill, kind=options.kind, trigger=options.trigger.strip())
    scene = with_states(scene, actor.id, reserve=held)
    words = f"holds {skills.title(skill)} in reserve"
    if is_defence:
        dice = max(0, rank_of(scene, actor, skill) - 1)
        return Outcome(scene=scene, headline=f"{words} for defence", notes=(f"+{dice} dice on one defence.",))
    trigger = FollowUp(
        procedure="trigger",
        options=TriggerOptions(),
        label=f"It happens: {skills.title(skill)}"[:80],
        audience=Audience.OWNER,
        character=actor.id,
    )
    return Outcome(scene=scene, headline=f"{words}: {held.trigger}", follow_ups=(trigger,))


def trigger(scene: Scene, options: TriggerOptions, dice: Dice) -> Outcome:
    """Do what was prepared, at once and with the full pool.

    Source: SWIM-COMB-14.
    """
    actor = scene.actor
    held = sheet_of(actor).states.reserve
    if held is None or held.kind is not ReserveKind.ACTION:
        raise Mistake(f"{actor.name} has prepared nothing.", try_this="Use /swim reserve on your turn.")
    assert_can_act(scene, actor)
    scene = with_states(scene, actor.id, reserve=None)
    plan = replace(plan_of(options, held.skill, options.difficulty), must_roll=True)
    done = perform(scene, actor.id, plan, dice, is_action=False)
    return told(done, f"does what was prepared: {book(scene).title(done.planned.skill)} {done.planned.rank}")


def stand_up(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Get up again: half an action.

    Source: SWIM-MAGIC-10 (SWIM-R99).
    """
    actor = scene.actor
    if not sheet_of(actor).states.is_prone:
        raise Mistake(f"{actor.name} stands already.")
    assert_can_act(scene, actor)
    scene = spend(scene, actor, HALF_ACTION)
    return Outcome(scene=with_states(scene, actor.id, is_prone=False), headline="stands up")


FIGHT_PROCEDURES = (
    Procedure(key="start_fight", options=FightOptions, run=start_fight, needs_actor=False),
    Procedure(key="join", options=NoOptions, run=join),
    Procedure(key="next", options=NoOptions, run=next_turn, needs_actor=False),
    Procedure(key="order", options=NoOptions, run=show_order, needs_actor=False),
    Procedure(key="end_fight", options=NoOptions, run=end_fight, gm_only=True, needs_actor=False),
    Procedure(key="reserve", options=ReserveOptions, run=reserve),
    Procedure(key="trigger", options=TriggerOptions, run=trigger),
    Procedure(key="stand", options=NoOptions, run=stand_up),
)
