"""Make a test and report it; offer, take or refuse a re-roll."""

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
    Verdict,
    declare,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.facts import advice, decisive
from bot.rules.kernel.odds import Chance, percent
from bot.rules.sword_and_swarm.character.sheet import Outcome, Scene
from bot.rules.sword_and_swarm.checks.trials import Trial
from bot.rules.sword_and_swarm.resolution.attribute_tests import (
    AttributeInputs,
    attribute_odds,
    attribute_reason,
    attribute_test,
)
from bot.rules.sword_and_swarm.resolution.edges import Edge, RerollMode
from bot.rules.sword_and_swarm.resolution.modifiers import cap_note
from bot.rules.sword_and_swarm.resolution.proficiency_tests import (
    ProficiencyInputs,
    SwarmResult,
    proficiency_odds,
    proficiency_reason,
    proficiency_test,
)
from bot.rules.sword_and_swarm.resolution.purposes import SwarmPurpose

Inputs = AttributeInputs | ProficiencyInputs
REROLL_GROUP = "reroll"


class PendingReroll(Document):
    """A test that failed with advantage and can still be re-rolled.

    Attributes:
        character: Who made the test.
        words: The name of what was tested.
        inputs: Its inputs without the edge, because the second result stands.
        fell: The result of the first roll.
        faces: Its faces.

    Source: SWARM-TEST-07, SWARM-PROF-08.
    """

    character: CharacterId
    words: str
    inputs: AttributeInputs | ProficiencyInputs
    fell: str
    faces: tuple[int, ...] = ()


class RerollOptions(Document):
    """The key under which the pending re-roll is stored."""

    pending: str = Field(max_length=100)


def roll_of(inputs: Inputs, dice: Dice) -> Roll:
    """Roll an attribute test or a proficiency test."""
    if isinstance(inputs, AttributeInputs):
        return attribute_test(inputs, dice)
    return proficiency_test(inputs, dice)


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

    Source: SWARM-TEST-07 (SWARM-R04), SWARM-PROF-08 (SWARM-R21).
    """
    edge = trial.inputs.edge
    asks = is_asked(scene, character, trial.inputs)
    inputs = evolve(trial.inputs, edge=Edge.NONE) if asks else trial.inputs
    roll = roll_of(inputs, dice).by(scene.character(character))
    buttons: tuple[FollowUp, ...] = ()
    if asks and roll.verdict.family is Family.FAILURE:
        pending = PendingReroll(
            character=character,
            words=trial.words,
            inputs=inputs,
            fell=roll.verdict.title,
            faces=tuple(die.face for die in roll.dice),
        )
        scene, buttons = _with_pending(scene, pending)
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


def _with_pending(scene: Scene, pending: PendingReroll) -> tuple[Scene, tuple[FollowUp, ...]]:
    key = f"reroll/{scene.moment}"
    return scene.with_document(key, pending), reroll_buttons(scene, key, pending)


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

    Source: SWARM-TEST-07 (SWARM-R04), SWARM-PROF-08 (SWARM-R21).
    """
    return isinstance(pending.inputs, AttributeInputs) or pending.fell == SwarmResult.DISASTROUS


def _take_pending(scene: Scene, key: str) -> tuple[Scene, PendingReroll]:
    found = scene.document(key)
    if not isinstance(found, PendingReroll) or found.character != scene.actor.id:
        raise UserError(
            "This re-roll is no longer available.",
            "Each test can be re-rolled once, before its session ends.",
        )
    return scene.with_document(key, None), found


def reroll(scene: Scene, options: RerollOptions, dice: Dice) -> Outcome:
    """Re-roll a failed test; the second result stands.

    Source: SWARM-TEST-07, SWARM-PROF-08, SWARM-CONF-05.
    """
    scene, pending = _take_pending(scene, options.pending)
    inputs = evolve(pending.inputs, first=pending.faces)
    roll = roll_of(inputs, dice).by(scene.character(pending.character), SwarmPurpose.RETRY)
    return Outcome(
        scene=scene,
        headline=f"re-rolls {pending.words} ({kind_words(pending.inputs)})",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=tuple(filter(None, (reason(roll, pending.inputs), decisive("The second result stands.")))),
        moments=(options.pending,),
    )


declare("reroll", RerollOptions, reroll)


def keep(scene: Scene, options: RerollOptions, _dice: Dice) -> Outcome:
    """Keep a failure instead of re-rolling it.

    Source: SWARM-TEST-07.
    """
    scene, pending = _take_pending(scene, options.pending)
    return Outcome(
        scene=scene,
        headline=f"keeps the result of {pending.words}",
        verdict=Verdict(Family.FAILURE, pending.fell),
        moments=(options.pending,),
    )


declare("keep", RerollOptions, keep)
