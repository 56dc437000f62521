"""Making a check in a scene: bonuses from the sheet, limits of the round, and effects."""

from enum import StrEnum
from typing import cast

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import CharacterId, Document, NamedTerm, Roll, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid.cards import MaidPurpose
from bot.rules.post_magic_maid.encounter import (
    MaidCombatant,
    MaidEncounter,
    find_combatant,
    find_encounter,
    with_combatant,
    with_encounter,
)
from bot.rules.post_magic_maid.sheet import Character, MaidAttribute, Scene
from bot.rules.post_magic_maid.tier_check import (
    AttributeDie,
    Magic,
    MaidCheckInputs,
    check,
    gms_mark,
    is_double_maximum,
    tier_reached,
)
from bot.rules.post_magic_maid.tiers import MaidTier, assisted, tier_of
from bot.rules.post_magic_maid.wounds import assert_can_act, gain_blitz_point, pair_of

PENALTY_STEP = 5
MOST_ACTIONS = 10


def action_penalty(number: int, declared: int) -> int:
    """The penalty of action *number* among the declared actions: 5, 10, 15 ... [PMM-ACT-01, PMM-ACT-02]"""
    return PENALTY_STEP * number if declared > 1 else 0


def spend_action(scene: Scene, character: Character) -> tuple[Scene, tuple[NamedTerm, ...]]:
    """Spend one of a character's actions, if an encounter counts them.

    Outside an encounter, and for whoever takes no part in it, actions are free. A GM may have anybody
    act out of turn; that takes no action either.

    Returns:
        The scene afterwards, and the penalty as a term or nothing.

    Raises:
        UserError: If it is not their turn, or no action is left.

    [PMM-ACT-01, PMM-ACT-02 (PMM-R30: an action that was not declared is refused)]
    """
    encounter = find_encounter(scene)
    combatant = encounter.combatant(character.id) if encounter else None
    if encounter is None or combatant is None:
        return scene, ()
    if not encounter.is_turn_of(character.id):
        if scene.is_gm:
            return scene, ()
        raise _not_on_turn(encounter, character)
    return take_action(scene, evolve(encounter, chooser=None), combatant)


def take_action(
    scene: Scene, encounter: MaidEncounter, combatant: MaidCombatant
) -> tuple[Scene, tuple[NamedTerm, ...]]:
    """Spend one of a combatant's actions, whoever's turn it is.

    Raises:
        UserError: If none is left this round.
    """
    if combatant.has_acted:
        raise UserError(
            f"{combatant.name} has no action left this round.",
            "Declare several actions with /maid act before your first one.",
            "End the turn with /encounter next."
            if encounter.has_begun
            else "Draw cards with /encounter next.",
        )
    number = combatant.actions_used + 1
    declared = max(1, combatant.actions_declared)
    acted = evolve(combatant, actions_used=number, actions_declared=declared)
    penalty = action_penalty(number, declared)
    terms = (NamedTerm(label=f"action ({number} of {declared})", value=-penalty),) if penalty else ()
    return with_encounter(scene, encounter.with_combatant(acted)), terms


def _not_on_turn(encounter: MaidEncounter, character: Character) -> UserError:
    if encounter.current is None:
        return UserError(
            "The cards for this fight are not drawn yet.",
            "Until then only a starter whom nobody interrupts can act, once.",
            "Draw them with /encounter next.",
        )
    return UserError(
        f"It is {encounter.current.name}'s turn, not {character.name}'s.",
        "Out of turn you can assist, defend, roll in a contest, and answer a check the GM called for.",
    )


class Awaited(StrEnum):
    """The kinds of pending answers."""

    CALLS = "calls"
    CONTESTS = "contests"
    ATTACKS = "attacks"


class MaidAwaiting(Document):
    """The keys of the documents waiting for a character, oldest first."""

    calls: tuple[str, ...] = ()  # of requested checks
    contests: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()
    # The levels of wounds not treated in time, about which the GM has to decide.
    overdue: tuple[str, ...] = ()

    def of(self, kind: Awaited) -> tuple[str, ...]:
        """The keys of one kind."""
        return {
            Awaited.CALLS: self.calls,
            Awaited.CONTESTS: self.contests,
            Awaited.ATTACKS: self.attacks,
        }[kind]

    def with_keys(self, kind: Awaited, keys: tuple[str, ...]) -> "MaidAwaiting":
        """The same with the keys of one kind changed."""
        return self.model_copy(update={kind.value: keys})


def _key(character: CharacterId) -> str:
    return f"awaiting/{character}"


def awaiting(scene: Scene, character: CharacterId) -> MaidAwaiting:
    """The pending answers of a character."""
    return scene.stored(MaidAwaiting, _key(character)) or MaidAwaiting()


def _with(scene: Scene, character: CharacterId, waiting: MaidAwaiting) -> Scene:
    return scene.with_document(_key(character), None if waiting == MaidAwaiting() else waiting)


def with_overdue(scene: Scene, character: CharacterId, levels: tuple[str, ...]) -> Scene:
    """The same scene with these wounds of a character waiting for the GM's verdict."""
    return _with(scene, character, awaiting(scene, character).model_copy(update={"overdue": levels}))


def first_awaited(scene: Scene, character: CharacterId, kind: Awaited) -> str:
    """The key of the oldest pending answer of a kind, or an empty text."""
    return next(iter(awaiting(scene, character).of(kind)), "")


def with_awaited(scene: Scene, character: CharacterId, kind: Awaited, key: str) -> Scene:
    """The same scene with one more document waiting for a character."""
    waiting = awaiting(scene, character)
    return _with(scene, character, waiting.with_keys(kind, (*waiting.of(kind), key)))


def answered(scene: Scene, character: CharacterId, kind: Awaited, key: str) -> Scene:
    """The same scene with one document less waiting for a character."""
    waiting = awaiting(scene, character)
    return _with(scene, character, waiting.with_keys(kind, tuple(k for k in waiting.of(kind) if k != key)))


def drop_awaited(scene: Scene, character: CharacterId, kind: Awaited, key: str) -> Scene:
    """The same scene without a document that waited for a single character."""
    return answered(scene, character, kind, key).with_document(key, None)


class MaidHelp(Document):
    """One assist: the helper and the tier reached."""

    name: str
    tier: MaidTier


class Assist(Document):
    """Assists that wait for a character's next action."""

    helps: tuple[MaidHelp, ...]

    @property
    def best(self) -> MaidHelp:
        """The one that counts (PMM-R32)."""
        return max(self.helps, key=lambda help_: help_.tier.level)


class MaidCheckOptions(Document):
    """The options of a check."""

    first: MaidAttribute
    second: MaidAttribute  # another attribute
    # Both at once instead, as a select menu says it ("Str + Dex").
    pair: str = Field(default="", max_length=20)
    ability: str = Field(default="", max_length=100)  # the ability that is used, or nothing
    bonus_dice: int = Field(default=0, ge=0, le=12)  # bonus d8s from one's pool thrown in
    needed: MaidTier | None = None  # the tier that is needed, where the GM has named one
    tier: MaidTier | None = None  # the tier it is to be; only a GM says so


class CheckPlan(Struct, frozen=True, kw_only=True):
    """A planned check."""

    first: MaidAttribute
    second: MaidAttribute  # another attribute
    ability: str = ""  # the ability that is used, or nothing
    bonus_dice: int = 0  # bonus d8s thrown in
    magic: Magic = Magic.NONE  # whether magic is thrown in, and for what
    needed: MaidTier | None = None
    forced: MaidTier | None = None  # the tier a GM has set, or None
    is_action: bool = True  # whether it takes one of the character's actions
    can_be_helped: bool = True  # whether waiting assists count for it
    penalty: tuple[NamedTerm, ...] = ()  # terms that are settled already

    @property
    def words(self) -> str:
        """The attributes, and the ability in brackets."""
        pair = f"{self.first} + {self.second}"
        return f"{pair} ({self.ability.strip()})" if self.ability.strip() else pair


class Checked(Struct, frozen=True, kw_only=True):
    """The result of a check: the new scene, the roll, its tier and further notes."""

    scene: Scene
    roll: Roll
    tier: MaidTier
    notes: tuple[str, ...]

    @property
    def gms_mark(self) -> str:
        """The mark after a tier that the GM set."""
        return gms_mark(cast(MaidCheckInputs, self.roll.inputs), self.roll.sum)


def plan_of(options: MaidCheckOptions, *, magic: Magic = Magic.NONE) -> CheckPlan:
    """Plan a check from its options."""
    first, second = pair_of(options.pair) or (options.first, options.second)
    return CheckPlan(
        first=first,
        second=second,
        ability=options.ability,
        bonus_dice=options.bonus_dice,
        magic=magic,
        needed=options.needed,
        forced=options.tier,
    )


def assist_key(character: CharacterId) -> str:
    """The document key of the assists waiting for a character."""
    return f"assist/{character}"


def waiting_assist(scene: Scene, character: CharacterId) -> Assist | None:
    """The assists waiting for a character, or None."""
    return scene.stored(Assist, assist_key(character))


def make_check(
    scene: Scene, who: CharacterId, plan: CheckPlan, dice: Dice, purpose: MaidPurpose = MaidPurpose.CHECK
) -> Checked:
    """Make a check as a character. [PMM-CHK-02, PMM-BLZ-03, PMM-BLZ-06, PMM-BLZ-09, PMM-BLZ-11, PMM-AST-01]

    Raises:
        UserError: If the character cannot act, the plan is not allowed, or no action is left.
    """
    character = scene.character(who)
    assert_can_act(character)
    terms, penalty = check_terms(scene, character, plan), plan.penalty
    if plan.is_action:
        scene, penalty = spend_action(scene, character)
    inputs = inputs_of(scene, character, plan, (*terms, *penalty))
    roll = check(inputs, dice).by(character, purpose)
    scene = _after_roll(scene, who, inputs)
    notes = _notes(inputs, roll)
    if plan.can_be_helped and waiting_assist(scene, who):
        scene = scene.with_document(assist_key(who), None)
    if is_double_maximum(roll):
        scene, note = gain_blitz_point(scene, who)
        notes = (*notes, *note)
    return Checked(scene=scene, roll=roll, tier=tier_reached(roll), notes=notes)


def check_terms(scene: Scene, character: Character, plan: CheckPlan) -> tuple[NamedTerm, ...]:
    """The sheet's bonuses to a check, without zeros.

    Raises:
        UserError: If the plan is not allowed to this character.

    [PMM-CHK-05 (PMM-R01: two different attributes; PMM-R02: one ability at most)]
    """
    sheet = character.sheet
    if plan.forced is not None and not scene.is_gm:
        raise UserError("Only a GM can set the tier of a check.", try_this="Leave out the option tier.")
    if plan.first is plan.second and not scene.is_gm:
        raise UserError(
            "A check needs two different attributes.", try_this=f"Choose one other than {plan.first}."
        )
    if plan.magic is not Magic.NONE and not sheet.is_magical:
        raise UserError(f"{character.name} can't do magic.", "A GM decides who can do magic.")
    terms = [
        NamedTerm(label=attribute.value, value=sheet.attributes[attribute].bonus)
        for attribute in (plan.first, plan.second)
    ]
    if plan.ability.strip():
        ability = sheet.ability(plan.ability)
        if ability.is_passive:
            raise UserError(f"{ability.name} is a passive ability, so it doesn't add to rolls.")
        terms.append(NamedTerm(label=ability.name, value=ability.bonus))
    return tuple(term for term in terms if term.value)


def inputs_of(
    scene: Scene, character: Character, plan: CheckPlan, terms: tuple[NamedTerm, ...] | None = None
) -> MaidCheckInputs:
    """The current inputs of a check: sheet, waiting assists and effects of the round.

    Args:
        character: Who checks.
        terms: The sheet's bonuses and what the action it takes adds, where they are known already.

    Raises:
        UserError: If the plan is not allowed to this character.

    [PMM-CHK-05, PMM-BLZ-03, PMM-BLZ-06, PMM-BLZ-11, PMM-AST-01]
    """
    if terms is None:
        terms = (*check_terms(scene, character, plan), *plan.penalty)
    assist = waiting_assist(scene, character.id) if plan.can_be_helped else None
    combatant = find_combatant(scene, character.id)
    is_automatic = combatant is not None and combatant.has_automatic
    pool = combatant.bonus_dice if combatant else 0
    if plan.bonus_dice > pool and not is_automatic:
        raise UserError(
            f"{character.name} has {pool} bonus d8 left this round, not {plan.bonus_dice}.",
            "You get them from face cards when you burn a Blitz Point.",
        )
    scores = character.sheet.attributes
    return MaidCheckInputs(
        first=AttributeDie(attribute=plan.first, sides=scores[plan.first].die),
        second=AttributeDie(attribute=plan.second, sides=scores[plan.second].die),
        terms=() if is_automatic else terms,
        bonus_dice=0 if is_automatic else plan.bonus_dice,
        magic=Magic.NONE if is_automatic else plan.magic,
        is_automatic=is_automatic,
        assist=assist.best.tier if assist else None,
        forced=plan.forced,
        needed=plan.needed,
    )


def _after_roll(scene: Scene, who: CharacterId, inputs: MaidCheckInputs) -> Scene:
    """Remove what the check has used up from the combatant."""
    encounter = find_encounter(scene)
    combatant = None if encounter is None else encounter.combatant(who)
    if encounter is None or combatant is None:
        return scene
    used = {
        "has_automatic": False,
        "bonus_dice": combatant.bonus_dice - inputs.bonus_dice,
        "has_rolled": combatant.has_rolled or encounter.is_turn_of(who),
    }
    return with_combatant(scene, evolve(combatant, **used))


def _notes(inputs: MaidCheckInputs, roll: Roll) -> tuple[str, ...]:
    """Notes that explain the verdict's tier; if the GM set it, only that."""
    notes = []
    if inputs.is_automatic:
        notes.append("Automatic 25: no dice, no modifiers.")
    total = roll.sum
    if inputs.assist is not None and not gms_mark(inputs, total):
        alone = tier_of(total)
        is_lifted = assisted(alone, inputs.assist) is not alone
        lifts = f"An assist of {inputs.assist.words} lifts it from {alone.words}."
        notes.append(lifts if is_lifted else "The assist was too low to help.")
    return tuple(notes)
