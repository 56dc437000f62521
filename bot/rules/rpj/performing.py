"""Making a check and telling it: what it came to, why, and what can be done next."""

from typing import Literal

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.rpj.check_inputs import CheckInputs, Word
from bot.rules.rpj.checks import CHECK, Reading, Result, check, reading_of
from bot.rules.rpj.criticals import Critical
from bot.rules.rpj.luck import with_word
from bot.rules.ruleset import Audience, CharacterId, Document, FollowUp, Outcome, Procedure, Roll, Scene

ROLL_GROUP = "roll"


class Attempt(Document):
    """A check that is to be rolled, or is rolled in part, with all that is told about it.

    Attributes:
        character: Who rolls.
        words: What is tried, after "checks ": "Concealment".
        inputs: What the check is made of; dice that lie on the table already stand in it.
        skill: What countdowns take it for; the words where left out.
    """

    character: CharacterId
    words: str = Field(max_length=200)
    inputs: CheckInputs
    skill: str = Field(default="", max_length=100)

    def anew(self, inputs: CheckInputs) -> "Attempt":
        """The same attempt made of other inputs."""
        return self.model_copy(update={"inputs": inputs})


def perform(scene: Scene, attempt: Attempt, dice: Dice, headline: str = "") -> Outcome:
    """Roll a check (or what is still to fall of it) and tell what it came to.

    Args:
        scene: Where it happens.
        attempt: The check.
        dice: Where the dice come from.
        headline: What is done, where it is more than checking.

    Source: RPJ-DICE-01, RPJ-DICE-03, RPJ-SKILL-09 to RPJ-SKILL-12.
    """
    roll = check(attempt.inputs, dice)
    reading = reading_of(roll)
    return Outcome(
        scene=scene,
        headline=headline or f"checks {attempt.words}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=notes_on(reading, attempt.inputs),
        follow_ups=next_steps(attempt, roll, reading),
        passed=None if reading.result is Result.UNDECIDED else reading.result.is_success,
        skill=attempt.skill or attempt.words,
    )


def notes_on(reading: Reading, inputs: CheckInputs) -> tuple[str, ...]:
    """Why a check came out as it did, in short sentences."""
    if reading.result is Result.UNDECIDED:
        asked = "Double sixes below" if reading.critical is Critical.SUCCESS else "Double ones that reach"
        return (f"{asked} {inputs.target}+: the GM says whether that counts.",)
    if reading.result is Result.EXACT:
        return ("An exact match: the GM may add a complication.",)
    if reading.result is Result.CRITICAL_FAILURE and reading.margin >= 0:
        return ("Double ones fail whatever they come to.",)
    return ()


def next_steps(attempt: Attempt, roll: Roll, reading: Reading) -> tuple[FollowUp, ...]:
    """Everything that can be done about a check, in the order of the buttons."""
    return critical_buttons(attempt, roll, reading)


# --- the GM's word about a critical ------------------------------------------------------------


class WordOptions(Document):
    """The GM's word about a critical."""

    attempt: Attempt
    word: Literal["accepted", "overruled"]


def critical_buttons(attempt: Attempt, roll: Roll, reading: Reading) -> tuple[FollowUp, ...]:
    """What the GM can say about a critical that contradicts the total.

    Source: RPJ-DICE-03 (R-002), RPJ-GM-04.
    """
    contradicts = reading.critical is not Critical.NONE and (reading.margin >= 0) == (
        reading.critical is Critical.FAILURE
    )
    if not contradicts or attempt.inputs.word is not None:
        return ()
    asked = reading.result is Result.UNDECIDED
    labels = {
        Word.ACCEPTED: f"Accept the critical {reading.critical}" if asked else "",
        Word.OVERRULED: "Overrule it: only the total counts",
    }
    return tuple(
        FollowUp(
            procedure="critical",
            options=WordOptions(attempt=attempt.anew(with_word(roll, word)), word=word.value),
            label=f"{label} (GM)",
            audience=Audience.GM,
            character=attempt.character,
            group=ROLL_GROUP,
        )
        for word, label in labels.items()
        if label
    )


def say_word(scene: Scene, options: WordOptions, dice: Dice) -> Outcome:
    """Let a critical count, or only the total; no die is rolled.

    Source: RPJ-DICE-03 (R-002).
    """
    who = scene.character(options.attempt.character).name
    verb = "accepts" if options.word == Word.ACCEPTED.value else "overrules"
    return perform(
        scene, options.attempt, dice, f"checks {options.attempt.words}; the GM {verb} {who}’s critical"
    )


CHECK_RULES = (CHECK,)
PERFORMING_PROCEDURES = (Procedure(key="critical", options=WordOptions, run=say_word, gm_only=True),)
