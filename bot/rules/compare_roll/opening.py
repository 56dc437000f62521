"""A compare roll from its dice to its consequences; it stays open while High can still change it."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.compare_roll.fortunes import (
    DEATH_ROLLS,
    HIGH,
    MOST_STRESS,
    STRESS,
    BlazeOptions,
    DoorOptions,
    apply_outcome,
    damage_suffix,
    joined_buttons,
    luck_terms,
)
from bot.rules.compare_roll.sheet import (
    Character,
    CompareSheet,
    CompareStatus,
    DoorRoll,
    Outcome,
    Scene,
    is_standing,
    status_of,
)
from bot.rules.compare_roll.strikes import (
    CompareCover,
    ComparePendingAttack,
    CompareStruck,
    armed_for,
    damage_inputs,
    dice_words,
    find_encounter,
    ignite,
    offer_counter,
    strike,
    take_hit,
)
from bot.rules.compare_roll.tables import ComparePurpose, CompareShare
from bot.rules.compare_roll.two_d12s import (
    COMPARE,
    DAMAGE,
    DOOR,
    CompareInputs,
    DamageInputs,
    DoorInputs,
    Lying,
    boosts,
    dealt_by,
    door_word,
    lying_in,
    read,
    reading_of,
    settled,
    shared,
    survival,
    targets_in,
    until_settled,
)
from bot.rules.compare_roll.two_d12s import CompareOutcome as Result
from bot.rules.kernel import (
    CharacterId,
    Deadline,
    Document,
    Family,
    FollowUp,
    NamedTerm,
    NoOptions,
    Place,
    Roll,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import Fact, FactKind, advice, harm, kind_of, to_do

Options = TypeVar("Options", bound=Document)
Run = Callable[[Scene, Options, Dice], Outcome]
Buttons = tuple[FollowUp, ...]
Boosts = tuple[tuple[int, Result], ...]  # points of High, with the outcome they reach


class OpenRoll(Document):
    """An open compare roll, and what follows once it is accepted."""

    purpose: ComparePurpose  # check, attack or defense
    words: str  # the headline of the roll
    inputs: CompareInputs  # its inputs, with the dice
    blow: ComparePendingAttack | None = None  # the attack it makes or defends against
    damage: int = Field(default=0, ge=0)  # the damage that a defense is against
    moment: str = ""  # when it was rolled; empty in old records


class BurnOptions(Document):
    """The points of High to burn."""

    count: int = Field(default=1, ge=1, le=5)


class Worded(Struct, frozen=True):
    """The headline, notes and follow-ups of a procedure beside its roll."""

    headline: str
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()


def open_key(who: CharacterId) -> str:
    """The document key of a character's open roll."""
    return f"open/{who}"


def find_open(scene: Scene, who: CharacterId) -> OpenRoll | None:
    """A character's open roll, or None."""
    return scene.stored(OpenRoll, open_key(who))


def settle_open(scene: Scene, who: CharacterId, dice: Dice) -> CompareStruck:
    """Accept a character's open roll, if there is one."""
    laid = find_open(scene, who)
    if laid is None or laid.inputs.lying is None:
        return CompareStruck(scene)
    inputs = laid.inputs
    outcome = read(laid.inputs.lying, inputs.modifier, inputs.difficulty, inputs.forced).outcome
    note = f"{scene.character(who).name} {laid.words}: {outcome}."
    counted = settle(scene, who, laid, outcome, dice)
    return replace(counted, notes=(note, *counted.notes))


def after_settling(run: Run[Options], *, is_for_standing: bool = True) -> Run[Options]:
    """Wrap a procedure so that the actor's open roll is accepted first. [CMP-HIGH-02 (CMP-R27)]

    Args:
        run: The procedure.
        is_for_standing: Whether it is refused if that roll brings the actor down.
    """

    @wraps(run)
    def do(scene: Scene, options: Options, dice: Dice) -> Outcome:
        before = settle_open(scene, scene.actor.id, dice)
        is_settled = before.scene is not scene
        if is_settled and is_for_standing and not is_standing(before.scene.actor):
            raise UserError(
                f"{scene.actor.name}'s last roll is still open, and it brings them to 0 HP.",
                "Settle it first.",
                "Press its button.",
            )
        outcome = run(before.scene, options, dice)
        if not is_settled:
            return outcome
        return replace(
            outcome,
            rolls=(*before.rolls, *outcome.rolls),
            notes=(_as_earlier(before.notes), *outcome.notes),
            follow_ups=joined_buttons(before.follow_ups, outcome.follow_ups),
            moments=(*before.moments, *outcome.moments),
        )

    return do


def _as_earlier(notes: tuple[str, ...]) -> str:
    """What came of an earlier roll, in one line that names the roll."""
    kind = next((kind_of(note) for note in notes if kind_of(note).stays), FactKind.EARLIER)
    return Fact(f"Before that, {' '.join(notes)}", kind)


def lay(scene: Scene, who: CharacterId, laid: OpenRoll, worded: Worded, dice: Dice) -> Outcome:
    """Roll; accept the roll at once if High cannot change it, otherwise leave it open.

    [CMP-ROLL-01, CMP-HIGH-02 (CMP-R27), CMP-HIGH-03]
    """
    roll = _rolled(scene.character(who), laid, laid.inputs, dice)
    inputs, lying = laid.inputs, lying_in(roll)
    outcome = read(lying, inputs.modifier, inputs.difficulty, inputs.forced).outcome
    character = scene.character(who)
    high = character.left(HIGH)
    better = boosts(inputs, lying, high)
    would_overflow = bool(outcome.row.stress) and character.left(STRESS) == MOST_STRESS and high > 0
    if not better and not would_overflow:
        return _counted(scene, who, laid, roll, outcome, worded, dice)
    laid = evolve(laid, inputs=evolve(inputs, lying=lying), moment=scene.moment)
    return Outcome(
        scene=scene.with_document(open_key(who), laid),
        headline=worded.headline,
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(*worded.notes, *_worth(lying, high, better)),
        follow_ups=_buttons(scene, who, laid, outcome, better),
    )


def _rolled(who: Character, laid: OpenRoll, inputs: CompareInputs, dice: Dice) -> Roll:
    """Roll; an attack and a defense say which of the referee's dice they beat."""
    roll = COMPARE.resolve(inputs, dice).by(who, laid.purpose)
    return roll if laid.purpose is ComparePurpose.CHECK else roll.compared_with(*targets_in(roll))


def open_buttons(scene: Scene, who: CharacterId, laid: OpenRoll) -> tuple[FollowUp, ...]:
    """The buttons of an open roll: burn High, burn it against Stress, or accept the roll.

    [CMP-HIGH-02 (CMP-R27), CMP-HIGH-03]
    """
    inputs = laid.inputs
    if inputs.lying is None:
        return ()
    outcome = read(inputs.lying, inputs.modifier, inputs.difficulty, inputs.forced).outcome
    better = boosts(inputs, inputs.lying, scene.character(who).left(HIGH))
    return _buttons(scene, who, laid, outcome, better)


def _buttons(scene: Scene, who: CharacterId, laid: OpenRoll, outcome: Result, better: Boosts) -> Buttons:
    """The buttons of an open roll whose outcome, and whose better ones, are known."""
    character, window = scene.character(who), until_settled(who, laid.moment)
    calm = (calm_button(who),) if character.left(HIGH) and character.left(STRESS) else ()
    return (
        *(burn_button(who, points, to, outcome, window=window) for points, to in better[:3]),
        *calm,
        FollowUp(
            procedure="take",
            options=NoOptions(),
            label=_take_words(scene, laid, outcome),
            place=Place.VERDICT,
            character=who,
            group="roll",
            window=window,
            after_seconds=scene.settings.settle_seconds or None,
        ),
    )


def _worth(lying: Lying, high: int, better: Boosts) -> tuple[str, ...]:
    if lying.d6 == (1, 1):
        return (advice("High can't improve a natural 2."),)
    return () if better else (advice(f"{high} High would not change it."),)


def burn_button(
    who: CharacterId, points: int, to: str, now: str, group: str = "roll", window: Deadline | None = None
) -> FollowUp:
    """The button that burns High on an open roll, or on one at Death's Door. [CMP-HIGH-02]"""
    return FollowUp(
        procedure="burn",
        options=BurnOptions(count=points),
        label=f"Burn {points} High → {to} (was {now})",
        place=Place.VERDICT,
        character=who,
        group=group,
        window=window,
    )


def calm_button(who: CharacterId) -> FollowUp:
    """The button that burns 1 High against Stress."""
    return FollowUp(
        procedure="calm",
        options=BurnOptions(count=1),
        label="Burn 1 High · 1 Stress less",  # it stays, and Stress may rise meanwhile
        character=who,
        group="calm",
    )


def _take_words(scene: Scene, laid: OpenRoll, outcome: Result) -> str:
    if laid.purpose is ComparePurpose.ATTACK and laid.blow and outcome.row.damage is not CompareShare.NONE:
        armed = armed_for(scene, laid.blow)
        if armed is not None:
            return f"Roll damage {dice_words(damage_inputs(armed, outcome.row.damage))}"
    return f"Accept the {outcome}"


def _counted(
    scene: Scene, who: CharacterId, laid: OpenRoll, roll: Roll, outcome: Result, worded: Worded, dice: Dice
) -> Outcome:
    struck = settle(scene, who, laid, outcome, dice)
    return Outcome(
        scene=struck.scene,
        headline=worded.headline,
        verdict=roll.verdict,
        rolls=(roll, *struck.rolls),
        notes=(*worded.notes, *struck.notes),
        follow_ups=(*struck.follow_ups, *worded.follow_ups, *after_buttons(struck.scene, who)),
        moments=struck.moments,
    )


def settle(scene: Scene, who: CharacterId, laid: OpenRoll, outcome: Result, dice: Dice) -> CompareStruck:
    """Accept a roll: apply Stress and High, then the attack, defense or check.

    [CMP-OUT-01 to CMP-OUT-06, CMP-COM-09, CMP-COM-10]
    """
    scene = scene.without_document(open_key(who))
    struck = CompareStruck(scene, moments=(settled(who, laid.moment),) if laid.moment else ())
    struck = struck.then(apply_outcome(scene, who, outcome))
    if laid.blow is None:
        cost = (to_do("It works, but at a cost: the GM says what."),) if outcome.is_cost else ()
        return replace(struck, notes=(*cost, *struck.notes))
    if laid.purpose is ComparePurpose.ATTACK:
        return _attacked(struck, laid.blow, outcome, dice)
    return _defended(struck, who, laid, laid.blow, outcome, dice)


def _attacked(
    struck: CompareStruck, blow: ComparePendingAttack, outcome: Result, dice: Dice
) -> CompareStruck:
    is_foe = struck.scene.character(blow.attacker).sheet.foe is not None
    suffix = 0 if is_foe else damage_suffix(struck.scene, outcome)
    whole = struck.then(strike(struck.scene, blow, outcome.row.damage, dice, suffix=suffix))
    return whole.then(offer_counter(whole.scene, blow)) if outcome.is_cost else whole


def _defended(
    struck: CompareStruck,
    who: CharacterId,
    laid: OpenRoll,
    blow: ComparePendingAttack,
    outcome: Result,
    dice: Dice,
) -> CompareStruck:
    """Apply the damage a defense lets through; a Cost's sign is reversed, as the roller takes it."""
    share = outcome.row.defence
    if share is CompareShare.NONE:
        return replace(struck, notes=(*struck.notes, harm("Nothing gets through.")))
    dealt = max(0, shared(laid.damage, share) - damage_suffix(struck.scene, outcome))
    cover = blow.covers[0]
    struck = struck.then(take_hit(struck.scene, who, dealt, cover, blow.attacker))
    armed = armed_for(struck.scene, blow)
    if armed is not None and armed.weapon.burn_sides is not None and cover is not CompareCover.FULL:
        struck = ignite(struck, who, armed.weapon.burn_sides, blow.attacker, dice)
    return struck


def after_buttons(scene: Scene, who: CharacterId) -> tuple[FollowUp, ...]:
    """The button to end the turn, if it is the character's turn."""
    encounter = find_encounter(scene)
    if encounter is None or not encounter.is_on(who):
        return ()
    if scene.character(who).sheet.foe is not None:
        return ()
    return (done_button(who),)


def done_button(who: CharacterId) -> FollowUp:
    """The button that ends a character's turn."""
    return FollowUp(
        procedure="done",
        options=NoOptions(),
        label="End turn",
        character=who,
        group="turn",
        place=Place.APART,
    )


def count_open(scene: Scene, who: CharacterId, high: int, dice: Dice) -> Outcome:
    """Accept an open roll, with High burned on it. [CMP-HIGH-02 (CMP-R27), CMP-ROLL-06, CMP-ROLL-07]

    Raises:
        UserError: If no roll is open, there is not enough High, or the dice show a natural 2.
    """
    laid = find_open(scene, who)
    if laid is None or laid.inputs.lying is None:
        raise UserError(
            "You have no open roll.",
            "A roll stays open while High can change it.",
            "Roll first with /compare roll.",
        )
    inputs, lying = laid.inputs, laid.inputs.lying
    before = read(lying, inputs.modifier, inputs.difficulty, inputs.forced).outcome
    if high:
        if lying.d6 == (1, 1):
            raise UserError(
                "High can't improve a natural 2.",
                "It stays a Failure.",
                "Accept it with its button.",
            )
        scene = spend_high(scene, who, high)
        inputs = inputs.plus("High", high)
    roll = _rolled(scene.character(who), laid, inputs, dice)
    burned = f"burns {high} High on a {before}: " if high else "lets the roll stand: "
    worded = Worded(f"{burned}{laid.words}")
    return _counted(scene, who, laid, roll, reading_of(roll).outcome, worded, dice)


def spend_high(scene: Scene, who: CharacterId, high: int) -> Scene:
    """Take points of High away.

    Raises:
        UserError: If the character has fewer.
    """
    character = scene.character(who)
    have = character.left(HIGH)
    if have < high:
        raise UserError(
            f"{character.name} has only {have} High.",
            "You gain High from a Crit or a Cost (+1).",
        )
    return scene.with_character(character.with_resource(HIGH, have - high))


ROLLS = 3
ORDINALS = ("first", "second", "third")
BLAZE = DamageInputs(count=6, sides=6, plus=12)


def _assert_dying(character: Character) -> None:
    if status_of(character) is not CompareStatus.DYING:
        raise UserError(
            f"{character.name} is not at Death's Door.",
            "Death's Door and the Blaze of Glory are for characters at 0 HP.",
        )


def tally(sheet: CompareSheet) -> tuple[int, int]:
    """Hits and misses at Death's Door so far. [CMP-DEATH-02]"""
    words = [door_word(roll.total) for roll in sheet.door]
    return words.count("hit"), words.count("miss")


@procedure("deathsdoor")
def knock(scene: Scene, _options: DoorOptions, dice: Dice) -> Outcome:
    """Make the next of three rolls at Death's Door; after the third, give the verdict.

    [CMP-DEATH-01, CMP-DEATH-02, CMP-HIGH-02]
    """
    actor = scene.actor
    _assert_dying(actor)
    sheet = actor.sheet
    if len(sheet.door) == ROLLS:
        return hear_verdict(scene, actor.id)
    roll = DOOR.resolve(DoorInputs(terms=luck_terms(scene, actor, DEATH_ROLLS)), dice)
    faces = (roll.dice[0].face, roll.dice[1].face)
    modifier = roll.sum - sum(faces)
    which = ORDINALS[len(sheet.door)]
    changed = sheet.changed(
        status=CompareStatus.DYING, door=(*sheet.door, DoorRoll(faces=faces, modifier=modifier))
    )
    scene = scene.with_sheet(actor, changed)
    return Outcome(
        scene=scene,
        headline=f"makes the {which} roll at Death's Door",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=_door_notes(scene, actor.id),
        follow_ups=door_buttons(scene, actor.id),
    )


def _door_notes(scene: Scene, who: CharacterId) -> tuple[str, ...]:
    sheet = scene.character(who).sheet
    hits, misses = tally(sheet)
    if len(sheet.door) == ROLLS:
        return (f"Hits {hits}, misses {misses} · that was the last roll.",)
    modifier = sum(term.value for term in luck_terms(scene, scene.character(who), DEATH_ROLLS))
    chance = survival(modifier, ROLLS - len(sheet.door), hits - misses)
    return (f"Hits {hits}, misses {misses} · survives {percent(chance)} from here.",)


def door_buttons(scene: Scene, who: CharacterId) -> tuple[FollowUp, ...]:
    """The buttons after a roll at Death's Door: burn High on it, or go on."""
    character = scene.character(who)
    door = character.sheet.door
    now, high = door_word(door[-1].total), character.left(HIGH)
    if not high_counts(scene):
        high = 0
    buttons, best = [], now
    for points in range(1, high + 1):
        word = door_word(door[-1].total + points)
        if word != best:
            best = word
            buttons.append(burn_button(who, points, word, now, f"death/{who}"))
    is_last = len(door) == ROLLS
    label = "Hear the verdict" if is_last else f"Make the {ORDINALS[len(door)]} roll"
    onward = FollowUp(
        procedure="deathsdoor", options=DoorOptions(), label=label, character=who, group=f"death/{who}"
    )
    return (*buttons, onward)


def high_counts(scene: Scene) -> bool:
    """Whether High can be burned at Death's Door. [CMP-HIGH-02 (CMP-R59)]"""
    return scene.settings.stress_applies_to in DEATH_ROLLS


def burn_at_door(scene: Scene, who: CharacterId, high: int) -> Outcome:
    """Burn High on the latest roll at Death's Door, before the next one.

    [CMP-DEATH-02, CMP-HIGH-02 (CMP-R59)]
    """
    if not high_counts(scene):
        raise UserError(
            "In this campaign you can't burn High here.", "A GM can change that: setting stress_applies_to."
        )
    scene = spend_high(scene, who, high)
    character = scene.character(who)
    sheet = character.sheet
    last = evolve(sheet.door[-1], high=sheet.door[-1].high + high)
    parts = (("modifiers", last.modifier), ("High", last.high))
    terms = tuple(NamedTerm(label=label, value=value) for label, value in parts if value)
    inputs = DoorInputs(terms=terms, lying=last.faces, are_shown=True)
    roll = DOOR.resolve(inputs, _CompareNoDice()).by(character)
    scene = scene.with_sheet(character, sheet.changed(door=(*sheet.door[:-1], last)))
    return Outcome(
        scene=scene,
        headline=f"burns {high} High at Death's Door",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=_door_notes(scene, who),
        follow_ups=door_buttons(scene, who),
    )


class _CompareNoDice:
    """Dice that must not be rolled, for a roll already made."""

    def roll(self, sides: int) -> int:
        raise AssertionError(f"a d{sides} was rolled")  # pragma: no cover  # its dice are known


def hear_verdict(scene: Scene, who: CharacterId) -> Outcome:
    """Decide who survives: more misses than hits is death.

    [CMP-DEATH-02 (CMP-R50), CMP-DEATH-03 (CMP-R51)]
    """
    character = scene.character(who)
    _assert_dying(character)
    sheet = character.sheet
    hits, misses = tally(sheet)
    is_dead = misses > hits
    status = CompareStatus.DEAD if is_dead else CompareStatus.STABLE
    verdict = Verdict(Family.FAILURE, "dies") if is_dead else Verdict(Family.SUCCESS, "survives")
    after = "Any healing gets them back up." if not is_dead else "/character retire puts the sheet away."
    return Outcome(
        scene=scene.with_sheet(character, sheet.changed(status=status, door=())),
        headline="hears the verdict of Death's Door",
        verdict=verdict,
        notes=(f"Hits {hits}, misses {misses}.", after),
    )


@procedure("blaze")
def blaze(scene: Scene, options: BlazeOptions, dice: Dice) -> Outcome:
    """Go out in a Blaze of Glory: 12+6d6 damage to whoever struck the character down, then death.

    [CMP-DEATH-04 (CMP-R52), CMP-DEATH-01]
    """
    actor = scene.actor
    _assert_dying(actor)
    sheet = actor.sheet
    if sheet.door:
        raise UserError(
            "You have already rolled at Death's Door.", "After the first roll, the choice is final."
        )
    target = _blazed(scene, options, sheet)
    dead = sheet.changed(status=CompareStatus.DEAD)
    scene = scene.with_sheet(actor, dead)
    verdict = Verdict(Family.NEWS, "dies in glory")
    if target is None:
        return Outcome(scene=scene, headline="goes out in a Blaze of Glory", verdict=verdict)
    roll = DAMAGE.resolve(BLAZE, dice).by(actor)
    turned = take_hit(scene, target, dealt_by(roll), CompareCover.NONE, actor.id)
    return Outcome(
        scene=turned.scene,
        headline=f"goes out in a Blaze of Glory against {scene.character(target).name}",
        verdict=verdict,
        rolls=(roll,),
        notes=turned.notes,
        follow_ups=turned.follow_ups,
    )


def _blazed(scene: Scene, options: BlazeOptions, sheet: CompareSheet) -> CharacterId | None:
    """The target of a Blaze of Glory, or None."""
    if options.nobody and options.target is not None:
        raise UserError("A Blaze of Glory hits a target or nobody.", "Choose only one of the two.")
    if options.nobody:
        return None
    target = options.target or sheet.downed_by
    if options.target not in {None, sheet.downed_by} and not scene.is_gm:
        raise UserError(
            "A Blaze of Glory hits whoever struck you down.", "Only a GM can choose another target."
        )
    if target is None:
        raise UserError(
            f"No one struck {scene.actor.name} down.",
            "A GM can choose a target, or the Blaze of Glory hits nobody.",
            "Say “target” or “nobody”.",
        )
    return target
