"""The buttons under a rolled check."""

from dataclasses import replace
from typing import Literal

from pydantic import Field

from bot.rules.kernel import Audience, Choice, Document, FollowUp, NamedTerm, Roll, TextField, evolve
from bot.rules.kernel.wording import signed
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.lucky_breaks import with_word
from bot.rules.rpj.checks.assistance import retry
from bot.rules.rpj.checks.duels import duel_button
from bot.rules.rpj.checks.pending_check import ROLL_GROUP, AttemptOptions, RpjAttempt
from bot.rules.rpj.module.effects import RollBonus, toggles
from bot.rules.rpj.resolution.check import RpjReading, RpjResult, as_fallen, dice_of, inputs_of
from bot.rules.rpj.resolution.criticals import Critical
from bot.rules.rpj.resolution.inputs import CheckKind, Word

RETRIED = (CheckKind.SKILL, CheckKind.ATTRIBUTE, CheckKind.ATTRIBUTE_BONUS)
MOST_HARDER = 3
WHAT_GOES_WRONG = TextField(
    key="text",
    prompt="What goes wrong? Empty: draw one.",
    longest=300,
    is_required=False,
    is_long=True,
)


class WordOptions(Document):
    """The options of the GM's decision about a critical."""

    attempt: RpjAttempt
    word: Literal["accepted", "overruled"]


class RetryOptions(Document):
    """The options of a retry.

    Attributes:
        attempt: The failed check with its dice.
        harder: How much harder the retry is.
    """

    attempt: RpjAttempt
    harder: int = Field(default=1, ge=0, le=MOST_HARDER)


class ComplicationOptions(Document):
    """The options of a complication.

    Attributes:
        attempt: The check.
        is_waived: Whether there is none.
        text: What goes wrong; empty draws it from the module's table.
    """

    attempt: RpjAttempt
    is_waived: bool = False
    text: str = Field(default="", max_length=300)


class ToggleOptions(Document):
    """The options of claiming a trait's condition after a roll.

    Attributes:
        attempt: The check with its dice.
        term: What the trait adds.
    """

    attempt: RpjAttempt
    term: NamedTerm


def buttons_after(
    attempt: RpjAttempt, roll: Roll, reading: RpjReading, figure: Stats
) -> tuple[FollowUp, ...]:
    """All buttons under a check, in their order."""
    return (
        *_critical_buttons(attempt, roll, reading),
        *_toggle_buttons(attempt, roll, reading, figure),
        *_failure_buttons(attempt, roll, reading),
        *complication_buttons(attempt, reading),
        *duel_button(attempt, reading),
    )


def _for_gm(
    attempt: RpjAttempt, procedure: str, options: Document, label: str, group: str = ROLL_GROUP
) -> FollowUp:
    return FollowUp(
        procedure=procedure,
        options=options,
        label=f"{label} (GM)",
        audience=Audience.GM,
        character=attempt.character,
        group=group,
        rewinds=group == ROLL_GROUP,
    )


def _critical_buttons(attempt: RpjAttempt, roll: Roll, reading: RpjReading) -> tuple[FollowUp, ...]:
    """The GM's buttons for a critical that contradicts the total.

    Source: RPJ-DICE-03 (R-002), RPJ-GM-04.
    """
    if reading.critical is Critical.NONE:
        return ()
    faces, _confirmation = dice_of(roll)
    if inputs_of(roll).word_on(faces[place] for place in reading.kept) is not None:
        return ()
    if (reading.margin >= 0) != (reading.critical is Critical.FAILURE):
        return ()
    labels = {Word.OVERRULED: "Overrule the critical"}
    if reading.result is RpjResult.UNDECIDED:
        labels = {Word.ACCEPTED: "Accept the critical", **labels}
    return tuple(
        _for_gm(
            attempt,
            "critical",
            WordOptions.model_validate(
                {"attempt": evolve(attempt, inputs=with_word(roll, word)), "word": word.value}
            ),
            label,
        )
        for word, label in labels.items()
    )


def _toggle_buttons(
    attempt: RpjAttempt, roll: Roll, reading: RpjReading, figure: Stats
) -> tuple[FollowUp, ...]:
    """The trait conditions that would change a check's result if claimed.

    The player claims what helps a failed check, the GM what would turn a success into a failure.

    Source: RPJ-TRAIT-02, RPJ-TRAIT-03, RPJ-TRAIT-06.
    """
    if reading.critical is not Critical.NONE:
        return ()
    said = {term.label for term in attempt.inputs.terms}
    skill = figure.module.skill(attempt.of)
    offered = toggles(figure.effects, attempt.on, of=attempt.of, tags=skill.tags if skill else ())
    return tuple(
        _toggle_button(evolve(attempt, inputs=as_fallen(roll)), effect)
        for effect in figure.effects
        if isinstance(effect, RollBonus)
        and effect.on is attempt.on
        and effect.of in ("", attempt.of)
        and effect.when.toggle in offered
        and effect.when.toggle not in said
        and (reading.margin <= 0 < effect.value or 0 <= reading.margin < -effect.value)
    )


def _toggle_button(attempt: RpjAttempt, effect: RollBonus) -> FollowUp:
    label = f"{signed(effect.value)} {effect.when.toggle}"
    return FollowUp(
        procedure="toggle",
        options=ToggleOptions(attempt=attempt, term=NamedTerm(label=effect.when.toggle, value=effect.value)),
        label=label if effect.value > 0 else f"{label} (GM)",
        audience=Audience.OWNER if effect.value > 0 else Audience.GM,
        character=attempt.character,
        group=ROLL_GROUP,
        window=attempt.window,
        rewinds=True,
    )


def _failure_buttons(attempt: RpjAttempt, roll: Roll, reading: RpjReading) -> tuple[FollowUp, ...]:
    """The GM's buttons for a failure.

    Source: RPJ-SKILL-12 (R-034).
    """
    if reading.result not in (RpjResult.FAILURE, RpjResult.CRITICAL_FAILURE):
        return ()
    if attempt.is_once or inputs_of(roll).kind not in RETRIED:
        return ()
    failed = evolve(attempt, inputs=as_fallen(roll))
    return (
        _for_gm(attempt, "retry", RetryOptions(attempt=failed), "Retry"),
        _for_gm(attempt, "cost", AttemptOptions(attempt=failed), "At a cost"),
    )


def retry_buttons(options: RetryOptions) -> tuple[FollowUp, ...]:
    """The retry button, and the GM's menu of its difficulty.

    Source: RPJ-SKILL-12 (R-034).
    """
    failed = options.attempt
    following = evolve(failed, inputs=retry(failed.inputs, options.harder))
    again = FollowUp(
        procedure="roll",
        options=AttemptOptions(attempt=following),
        label=f"Try again against {following.inputs.target}+ · {following.chance}",
        character=failed.character,
        group=ROLL_GROUP,
        rewinds=True,
    )
    choices = tuple(
        Choice(str(harder), f"{harder} harder" if harder else "As hard as before", _against(failed, harder))
        for harder in range(MOST_HARDER + 1)
    )
    harder = FollowUp(
        procedure="retry",
        options=options,
        label="Set the difficulty (GM)",
        audience=Audience.GM,
        character=failed.character,
        choices=choices,
        chosen="harder",
        group=ROLL_GROUP,
        rewinds=True,
    )
    return again, harder


def _against(failed: RpjAttempt, harder: int) -> str:
    following = evolve(failed, inputs=retry(failed.inputs, harder))
    return f"{following.inputs.target}+ · {following.chance}"


def complication_buttons(attempt: RpjAttempt, reading: RpjReading) -> tuple[FollowUp, ...]:
    """The GM's buttons for an exact success and for a critical failure.

    Source: RPJ-SKILL-10 (R-030), RPJ-DICE-03.
    """
    if reading.result is RpjResult.CRITICAL_FAILURE and attempt.inputs.kind in RETRIED:
        return offered_complication(attempt)[:1]
    return offered_complication(attempt) if reading.result is RpjResult.EXACT else ()


def offered_complication(attempt: RpjAttempt) -> tuple[FollowUp, ...]:
    """The buttons for a complication, written by the GM or drawn from the module's table, or none."""
    named = _for_gm(
        attempt, "complicate", ComplicationOptions(attempt=attempt), "Add a complication", "complication"
    )
    return (
        replace(named, blanks=(WHAT_GOES_WRONG,)),
        _for_gm(
            attempt,
            "complicate",
            ComplicationOptions(attempt=attempt, is_waived=True),
            "No complication",
            "complication",
        ),
    )
