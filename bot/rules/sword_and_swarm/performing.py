"""Make a test: what is tested, the circumstances, who cannot make it, its report and re-rolls."""

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import (
    SESSION_ENDED,
    CharacterId,
    Deadline,
    Document,
    Family,
    FollowUp,
    Place,
    Roll,
    TargetNumber,
    Verdict,
    evolve,
    procedure,
    settled_as,
)
from bot.rules.kernel.dice import Chance, Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import (
    advice,
    decisive,
    label_with,
    name_key,
    shown_number,
    signed,
    whole_number,
)
from bot.rules.shared.encounters import find_character
from bot.rules.sword_and_swarm.sheet import Character, Outcome, Scene, Unsettled, actual, is_defeated
from bot.rules.sword_and_swarm.tests import (
    DIFFICULTIES,
    HIGHEST,
    HIGHEST_DIFFICULTY,
    LIMIT,
    AttributeInputs,
    Edge,
    Modifier,
    ProficiencyInputs,
    RerollMode,
    SwarmAttribute,
    SwarmKind,
    SwarmPurpose,
    SwarmResult,
    attribute_odds,
    attribute_reason,
    attribute_test,
    cap_note,
    difficulty_words,
    edge_of,
    in_range,
    proficiency_odds,
    proficiency_reason,
    proficiency_test,
    read_modifiers,
)

LONGEST_TEXT = 200


class SwarmCircumstances(Document):
    """The circumstances of any test."""

    bonus: int = Field(default=0, ge=-LIMIT, le=LIMIT)  # a bonus, or a penalty below 0
    more: str = Field(default="", max_length=LONGEST_TEXT)  # more bonuses and penalties, as typed
    advantage: bool = False  # whether the test has advantage
    disadvantage: bool = False  # whether the test has disadvantage
    forced: bool = False  # whether the GM forces a test that the character could not make

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """Bonuses and penalties; those of 0 are left out."""
        return read_modifiers(self.bonus, self.more)

    @property
    def is_cancelled(self) -> bool:
        """Whether advantage and disadvantage cancel out."""
        return self.advantage and self.disadvantage


class Trial(Struct, frozen=True, kw_only=True):
    """A test that is about to be rolled."""

    words: str  # what is tested, as it follows the word "tests"
    # Its inputs; the edge says whether a re-roll is allowed or forced.
    inputs: AttributeInputs | ProficiencyInputs
    is_cancelled: bool = False  # whether advantage and disadvantage cancel out


def assert_may_test(
    scene: Scene, character: Character, attribute: SwarmAttribute | None, *, is_forced: bool
) -> None:
    """Raise `UserError` if a character can't make this test and the GM does not force it.

    Args:
        character: Who tests.
        attribute: The character's attribute that the test needs, or None.
        is_forced: Whether the GM forces it.

    [SWARM-ATTR-04, SWARM-ATTR-10 (SWARM-R30)]
    """
    if is_forced:
        return
    sheet, settings = character.sheet, scene.settings
    if is_defeated(sheet, settings):
        star = shown_number(actual(sheet, SwarmAttribute.STAR, settings))
        raise UserError(
            f"{character.name} is defeated (Star {star}) and can't make tests.",
            "A GM can force a test or give Star back.",
        )
    if attribute is not None and actual(sheet, attribute, settings) == 0:
        raise UserError(
            f"{character.name} has {attribute} 0 and can't do anything that needs {attribute}.",
            "A GM can force this test.",
        )


def assert_may_force(scene: Scene, *, is_forced: bool) -> None:
    """Raise `UserError` if someone who is not a GM forces a test."""
    if is_forced and not scene.is_gm:
        raise UserError("Only a GM can force a test.", try_this="Leave out “forced”.")


def own_trial(
    scene: Scene, character: Character, attribute: SwarmAttribute, how: SwarmCircumstances
) -> Trial:
    """A test of the character's own attribute. [SWARM-TEST-02, SWARM-MOD-01, SWARM-ATTR-03]"""
    assert_may_test(scene, character, attribute, is_forced=how.forced)
    value = in_range(actual(character.sheet, attribute, scene.settings))
    inputs = _attribute_inputs(scene, SwarmKind.OWN, attribute, value, how)
    return Trial(words=attribute, inputs=inputs, is_cancelled=how.is_cancelled)


class Opposition(Struct, frozen=True):
    """An opponent's attribute: of a character, or just a number."""

    attribute: SwarmAttribute
    target: CharacterId | None
    value: int | None


def versus_trial(scene: Scene, character: Character, against: Opposition, how: SwarmCircumstances) -> Trial:
    """A test of an opponent's attribute. [SWARM-TEST-03, SWARM-MOD-02, SWARM-ATTR-02 (SWARM-R23)]"""
    assert_may_test(scene, character, None, is_forced=how.forced)
    if (against.target is None) == (against.value is None):
        raise UserError(
            "Choose either an opponent or a number.",
            "Give exactly one of “target” and “value”.",
        )
    name, value = str(against.attribute), against.value or 0
    if against.target is not None:
        opponent = scene.character(against.target)
        if opponent.id == character.id:
            raise UserError(
                "You can't oppose yourself.", try_this="Test your own attributes with /swarm test."
            )
        name = f"{opponent.name}'s {against.attribute}"
        value = in_range(actual(opponent.sheet, against.attribute, scene.settings))
    inputs = _attribute_inputs(scene, SwarmKind.OPPONENT, name, value, how)
    return Trial(words=name, inputs=inputs, is_cancelled=how.is_cancelled)


def obstacle_trial(scene: Scene, character: Character, obstacle: str, how: SwarmCircumstances) -> Trial:
    """A test of an obstacle: a difficulty, or a named one of the campaign.

    [SWARM-TEST-04 (SWARM-R02), SWARM-MOD-02 (SWARM-R07)]
    """
    assert_may_test(scene, character, None, is_forced=how.forced)
    known = scene.settings.find_obstacle(obstacle)
    if known is not None:
        name, value = known.name, known.difficulty
    else:
        name, value = "difficulty", _obstacle_number(scene, obstacle)
    inputs = _attribute_inputs(scene, SwarmKind.OBSTACLE, name, value, how)
    words = f"{name}, difficulty {value}" if known else f"difficulty {value}"
    return Trial(words=words, inputs=inputs, is_cancelled=how.is_cancelled)


def _obstacle_number(scene: Scene, typed: str) -> int:
    number = whole_number(typed, 0, HIGHEST)
    if number is not None:
        return number
    names = ", ".join(one.name for one in scene.settings.all_obstacles)
    raise UserError(
        f"There is no obstacle “{typed.strip()}”.",
        f"Give a difficulty from 0 to {HIGHEST}{f', or choose from: {names}' if names else ''}.",
    )


def _attribute_inputs(
    scene: Scene, kind: SwarmKind, name: str, value: int, how: SwarmCircumstances
) -> AttributeInputs:
    return AttributeInputs(
        kind=kind,
        name=name,
        value=value,
        modifiers=how.modifiers,
        edge=edge_of(advantages=int(how.advantage), disadvantages=int(how.disadvantage)),
        confirm_when_impossible=scene.settings.confirm_when_impossible,
    )


def proficiency_trial(
    scene: Scene, character: Character, name: str, difficulty: str, how: SwarmCircumstances
) -> Trial:
    """A test of a proficiency.

    [SWARM-PROF-01, SWARM-PROF-02, SWARM-PROF-05, SWARM-PROF-09 (SWARM-R22, SWARM-R24)]
    """
    settings, sheet = scene.settings, character.sheet
    found = settings.find_proficiency(name)
    if found is None:
        known = ", ".join(one.name for one in settings.all_proficiencies)
        raise UserError(
            f"There is no proficiency “{name}” in this campaign.",
            f"Choose from: {known}.",
            "A GM can add it with /swarm-gm list proficiency.",
        )
    assert_may_test(scene, character, found.attribute, is_forced=how.forced)
    ranks = sheet.ranks_in(found.name)
    if found.trained_only and ranks == 0 and not how.forced:
        raise UserError(f"{found.name} needs training, and {character.name} has no ranks in it.")
    inputs = ProficiencyInputs(
        proficiency=found.name,
        attribute=found.attribute,
        value=actual(sheet, found.attribute, settings),
        ranks=ranks,
        modifiers=how.modifiers,
        difficulty=read_difficulty(difficulty),
        edge=edge_of(advantages=int(how.advantage), disadvantages=int(how.disadvantage)),
    )
    return Trial(words=found.name, inputs=inputs, is_cancelled=how.is_cancelled)


def read_difficulty(typed: str) -> int:
    """Read a difficulty of a proficiency test: a number, one of the book's names, or both. [SWARM-PROF-06]

    Raises:
        UserError: If it is none of these.
    """
    digits, *rest = typed.split() or [""]
    number = whole_number(digits, 1, HIGHEST_DIFFICULTY)
    if number is not None and len(rest) <= 1:
        return number
    for row in DIFFICULTIES.values():
        if name_key(typed) == row.name:
            return row.value
    names = ", ".join(f"{row.value} {row.name}" for row in DIFFICULTIES.values())
    raise UserError(f"“{typed}” isn't a difficulty.", f"Give a number (1 or more), or choose from: {names}.")


def difficulty_choices() -> tuple[str, ...]:
    """The book's difficulties as suggestions: "8 challenging". [SWARM-PROF-06]"""
    return tuple(f"{row.value} {row.name}" for row in DIFFICULTIES.values())


Inputs = AttributeInputs | ProficiencyInputs
REROLL_GROUP = "reroll"


class PendingReroll(Document):
    """A test that failed with advantage and can still be re-rolled. [SWARM-TEST-07, SWARM-PROF-08]"""

    character: CharacterId  # who made the test
    words: str  # the name of what was tested
    # Its inputs without the edge, because the second result stands.
    inputs: AttributeInputs | ProficiencyInputs
    fell: str  # the result of the first roll
    faces: tuple[int, ...] = ()


class RerollOptions(Document):
    """The key under which the pending re-roll is stored."""

    pending: str = Field(max_length=100)


def roll_of(inputs: Inputs, dice: Dice) -> Roll:
    """Roll an attribute test or a proficiency test."""
    if isinstance(inputs, AttributeInputs):
        return attribute_test(inputs, dice)
    return proficiency_test(inputs, dice)


def opposed(roll: Roll, inputs: Inputs) -> Roll:
    """A roll with the opponent's attribute that it tests, if its sum is compared with one. [SWARM-TEST-03]"""
    if not isinstance(inputs, AttributeInputs) or inputs.kind is not SwarmKind.OPPONENT or roll.total is None:
        return roll
    is_met = roll.verdict.family is Family.SUCCESS
    return roll.compared_with(TargetNumber(inputs.name, inputs.target, is_met))


def chance_of(inputs: Inputs) -> Chance:
    """The exact chance of success if a re-roll with advantage is always taken."""
    odds = attribute_odds(inputs) if isinstance(inputs, AttributeInputs) else proficiency_odds(inputs)
    return odds.chances[-1][1]


def kind_words(inputs: Inputs) -> str:
    """The kind of a test: "own attribute", "opponent's attribute", "obstacle" or "proficiency, Runes"."""
    if isinstance(inputs, AttributeInputs):
        return inputs.kind
    return f"proficiency, {inputs.attribute}"


def perform(scene: Scene, character: CharacterId, trial: Trial, dice: Dice) -> Outcome:
    """Make a test as a character, and offer the re-roll if it is the player's choice.

    [SWARM-TEST-07 (SWARM-R04), SWARM-PROF-08 (SWARM-R21)]
    """
    edge = trial.inputs.edge
    asks = is_asked(scene, character, trial.inputs)
    inputs = evolve(trial.inputs, edge=Edge.NONE) if asks else trial.inputs
    roll = opposed(roll_of(inputs, dice), inputs).by(scene.character(character))
    buttons: tuple[FollowUp, ...] = ()
    if asks and roll.verdict.family is Family.FAILURE:
        pending = PendingReroll(
            character=character,
            words=trial.words,
            inputs=inputs,
            fell=roll.verdict.title,
            faces=tuple(die.face for die in roll.dice),
        )
        key = f"reroll/{scene.moment}"
        buttons = reroll_buttons(scene, key, pending)
        scene = scene.with_document(key, pending)
    with_edge = "" if edge is Edge.NONE else f" with {edge}"
    return Outcome(
        scene=scene,
        headline=f"tests {trial.words}{with_edge} ({kind_words(inputs)})",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=_notes(roll, inputs, trial),
        follow_ups=buttons,
    )


def is_asked(scene: Scene, character: CharacterId, inputs: Inputs) -> bool:
    """Whether a failure with advantage is re-rolled only if the player wants it."""
    return inputs.edge is Edge.ADVANTAGE and _mode(scene, character, inputs) is RerollMode.ASK


def _mode(scene: Scene, character: CharacterId, inputs: Inputs) -> RerollMode:
    sheet, settings = scene.character(character).sheet, scene.settings
    if isinstance(inputs, AttributeInputs):
        return sheet.adv_attribute or settings.adv_attribute
    return sheet.adv_proficiency or settings.adv_proficiency


def _notes(roll: Roll, inputs: Inputs, trial: Trial) -> tuple[str, ...]:
    is_again = any(not die.is_kept for die in roll.dice)
    edge_notes = {
        Edge.ADVANTAGE: "Advantage re-rolled the first failure.",
        Edge.DISADVANTAGE: "Disadvantage re-rolled the first success.",
    }
    asks = inputs.edge is not trial.inputs.edge
    sentences = (
        advice(f"{percent(chance_of(trial.inputs))} with the re-roll that advantage allows.") if asks else "",
        "Advantage and disadvantage cancel out." if trial.is_cancelled else "",
        cap_note(inputs.modifiers),
        edge_notes.get(inputs.edge, "") if is_again else "",
        reason(roll, inputs),
    )
    return tuple(sentence for sentence in sentences if sentence)


def reason(roll: Roll, inputs: Inputs) -> str:
    """What the line of the dice does not say about the result of a test, or nothing."""
    if isinstance(inputs, AttributeInputs):
        return attribute_reason(roll, inputs)
    return proficiency_reason(roll, inputs)


def reroll_buttons(scene: Scene, key: str, pending: PendingReroll) -> tuple[FollowUp, ...]:
    """The buttons of a pending re-roll: take it, or keep the result. After a time the safe one is pressed."""
    labels = {
        "reroll": f"Roll again · {percent(chance_of(pending.inputs))}",
        "keep": f"Keep the {pending.fell}",
    }
    seconds = scene.settings.reroll_seconds or None
    automatic = "reroll" if is_the_worst(pending) else "keep"
    return tuple(
        FollowUp(
            procedure=procedure,
            options=RerollOptions(pending=key),
            label=label,
            character=pending.character,
            group=REROLL_GROUP,
            window=Deadline(until=(key, SESSION_ENDED)),
            after_seconds=seconds if procedure == automatic else None,
            note="Advantage allows one re-roll.",
            place=Place.VERDICT,
        )
        for procedure, label in labels.items()
    )


def is_the_worst(pending: PendingReroll) -> bool:
    """Whether no result could be worse, so that a re-roll can do no harm.

    [SWARM-TEST-07 (SWARM-R04), SWARM-PROF-08 (SWARM-R21)]
    """
    return isinstance(pending.inputs, AttributeInputs) or pending.fell == SwarmResult.DISASTROUS


def _take_pending(scene: Scene, key: str) -> tuple[Scene, PendingReroll]:
    found = scene.stored(PendingReroll, key)
    if found is None or found.character != scene.actor.id:
        raise UserError(
            "This re-roll is no longer available.",
            "Each test can be re-rolled once, before its session ends.",
        )
    return scene.with_document(key, None), found


@procedure("reroll")
def reroll(scene: Scene, options: RerollOptions, dice: Dice) -> Outcome:
    """Re-roll a failed test; the second result stands. [SWARM-TEST-07, SWARM-PROF-08, SWARM-CONF-05]"""
    scene, pending = _take_pending(scene, options.pending)
    inputs = evolve(pending.inputs, first=pending.faces)
    roll = opposed(roll_of(inputs, dice), inputs).by(scene.character(pending.character), SwarmPurpose.RETRY)
    return Outcome(
        scene=scene,
        headline=f"re-rolls {pending.words} ({kind_words(pending.inputs)})",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=tuple(filter(None, (reason(roll, pending.inputs), decisive("The second result stands.")))),
        moments=(options.pending,),
    )


@procedure("keep")
def keep(scene: Scene, options: RerollOptions, _dice: Dice) -> Outcome:
    """Keep a failure instead of re-rolling it. [SWARM-TEST-07]"""
    scene, pending = _take_pending(scene, options.pending)
    return Outcome(
        scene=scene,
        headline=f"keeps the result of {pending.words}",
        verdict=Verdict(Family.FAILURE, pending.fell),
        moments=(options.pending,),
    )


def unsettled(scene: Scene) -> tuple[Unsettled, ...]:
    """Every pending re-roll of the campaign. At the session's end it is taken if it can do no harm.

    [SWARM-TEST-07 (SWARM-R04), SWARM-PROF-08]
    """
    return tuple(
        _open(scene, key, pending, roller)
        for key, pending in scene.every(PendingReroll, "reroll")
        if (roller := find_character(scene, pending.character)) is not None
    )


def _open(scene: Scene, key: str, pending: PendingReroll, roller: Character) -> Unsettled:
    def settle(now: Scene, dice: Dice) -> Outcome:
        choose = reroll if is_the_worst(pending) else keep
        return choose(now, RerollOptions(pending=key), dice)

    return Unsettled(
        what=f"{roller.name}'s re-roll of {pending.words}",
        concerns=(roller.id,),
        lapses=True,
        answers=reroll_buttons(scene, key, pending),
        settle=settled_as(roller, settle),
        waive=lambda now: now.with_document(key, None),
    )


class OwnOptions(SwarmCircumstances):
    """The attribute to test."""

    attribute: SwarmAttribute


class VersusOptions(SwarmCircumstances):
    """The opponent's attribute to test."""

    attribute: SwarmAttribute
    target: CharacterId | None = None  # the opponent; None if only the number is known
    value: int | None = Field(default=None, ge=0, le=HIGHEST)  # the number; None if a target is given


class ObstacleOptions(SwarmCircumstances):
    """The obstacle to test: its difficulty from 0 to 10, or its name."""

    obstacle: str = Field(max_length=100)


class ProficiencyOptions(SwarmCircumstances):
    """The proficiency to test, and its difficulty as a number or a name."""

    proficiency: str = Field(max_length=100)
    difficulty: str = Field(max_length=100)


@procedure("test", can_repeat=True)
def own_attribute(scene: Scene, options: OwnOptions, dice: Dice) -> Outcome:
    """Test the actor's own attribute. [SWARM-TEST-02]"""
    assert_may_force(scene, is_forced=options.forced)
    actor = scene.actor
    return perform(scene, actor.id, own_trial(scene, actor, options.attribute, options), dice)


@procedure("versus", can_repeat=True)
def versus(scene: Scene, options: VersusOptions, dice: Dice) -> Outcome:
    """Test an opponent's attribute. [SWARM-TEST-03]"""
    assert_may_force(scene, is_forced=options.forced)
    actor = scene.actor
    against = Opposition(options.attribute, options.target, options.value)
    return perform(scene, actor.id, versus_trial(scene, actor, against, options), dice)


@procedure("obstacle", can_repeat=True)
def obstacle(scene: Scene, options: ObstacleOptions, dice: Dice) -> Outcome:
    """Test an obstacle. [SWARM-TEST-04]"""
    assert_may_force(scene, is_forced=options.forced)
    actor = scene.actor
    return perform(scene, actor.id, obstacle_trial(scene, actor, options.obstacle, options), dice)


@procedure("proficiency", can_repeat=True)
def proficiency(scene: Scene, options: ProficiencyOptions, dice: Dice) -> Outcome:
    """Test a proficiency. [SWARM-PROF-01]"""
    assert_may_force(scene, is_forced=options.forced)
    actor = scene.actor
    trial = proficiency_trial(scene, actor, options.proficiency, options.difficulty, options)
    return perform(scene, actor.id, trial, dice)


class SwarmAnswerOptions(SwarmCircumstances):
    """The test that the GM asks for: an attribute, an obstacle or a proficiency."""

    attribute: SwarmAttribute | None = None  # the character's own attribute
    obstacle: str = Field(default="", max_length=100)
    proficiency: str = Field(default="", max_length=100)  # a proficiency, with its difficulty
    difficulty: str = Field(default="", max_length=100)  # the difficulty of the proficiency test


class SwarmCallOptions(SwarmAnswerOptions):
    """The test and the character the GM asks."""

    character: CharacterId


def _trial(scene: Scene, character: Character, asked: SwarmAnswerOptions) -> Trial:
    wanted = [bool(asked.attribute), bool(asked.obstacle), bool(asked.proficiency)]
    if wanted.count(True) != 1:
        raise UserError(
            "Choose exactly one test.",
            "Give an attribute, an obstacle, or a proficiency with its difficulty.",
        )
    if asked.difficulty and not asked.proficiency:
        raise UserError("Only a proficiency test has a difficulty.", "Leave it out, or choose a proficiency.")
    if asked.attribute:
        return own_trial(scene, character, asked.attribute, asked)
    if asked.obstacle:
        return obstacle_trial(scene, character, asked.obstacle, asked)
    return proficiency_trial(scene, character, asked.proficiency, asked.difficulty, asked)


@procedure("call", gm_only=True, needs_actor=False)
def call_for(scene: Scene, options: SwarmCallOptions, _dice: Dice) -> Outcome:
    """Ask a character for a test, and give the player a button that rolls it. [SWARM-TEST-01]"""
    character = scene.character(options.character)
    asked = SwarmAnswerOptions(**options.model_dump(exclude={"character"}))
    trial = _trial(scene, character, asked)
    button = FollowUp(
        procedure="answer",
        options=asked,
        label=label_with(trial.words, f" · {_chances(scene, character, trial)}", before="Test "),
        character=character.id,
        group="answer",
        is_owed=True,
    )
    return Outcome(
        scene=scene,
        headline=f"asks {character.name} to test {_asked_words(trial)} ({kind_words(trial.inputs)})",
        follow_ups=(button,),
    )


def _chances(scene: Scene, character: Character, trial: Trial) -> str:
    """The chance of a test, and that with a re-roll where the player will be asked about it."""
    chance = percent(chance_of(trial.inputs))
    if not is_asked(scene, character.id, trial.inputs):
        return chance
    return f"{percent(chance_of(evolve(trial.inputs, edge=Edge.NONE)))}, {chance} with a re-roll"


def _asked_words(trial: Trial) -> str:
    """A test with its difficulty, its modifiers and its edge."""
    inputs = trial.inputs
    against = (
        f" against {difficulty_words(inputs.difficulty)}" if isinstance(inputs, ProficiencyInputs) else ""
    )
    modifiers = [
        f"{signed(one.value)} {one.label}".strip() for one in (modifier.term for modifier in inputs.modifiers)
    ]
    edge = "" if inputs.edge is Edge.NONE else f"with {inputs.edge}"
    return ", ".join(part for part in (f"{trial.words}{against}", *modifiers, edge) if part)


@procedure("answer")
def answer(scene: Scene, options: SwarmAnswerOptions, dice: Dice) -> Outcome:
    """Make the test that the GM asked for; only the GM's button calls this."""
    actor = scene.actor
    return perform(scene, actor.id, _trial(scene, actor, options), dice)
