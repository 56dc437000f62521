"""What follows a check: decisions about criticals, retries, success at a cost, complications."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, Family, FollowUp, Verdict, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.assistance import retry
from bot.rules.rpj.checks.check_buttons import (
    ComplicationOptions,
    RetryOptions,
    ToggleOptions,
    WordOptions,
    offered_complication,
    retry_buttons,
)
from bot.rules.rpj.checks.lucky_break_buttons import LUCKY_GROUP
from bot.rules.rpj.checks.pending_check import AttemptOptions, RpjAttempt
from bot.rules.rpj.checks.perform import perform
from bot.rules.rpj.module.decision_tables import TableInputs, roll_on_table
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.resolution.inputs import Word

COMPLICATIONS = "complications"


def roll_attempt(scene: Scene, options: AttemptOptions, dice: Dice) -> Outcome:
    """Roll a check that a button offered."""
    return perform(scene, options.attempt, dice)


declare("roll", AttemptOptions, roll_attempt)


def say_word(scene: Scene, options: WordOptions, dice: Dice) -> Outcome:
    """Decide whether a critical counts or only the total; no die is rolled.

    Source: RPJ-DICE-03 (R-002), RPJ-GM-04.
    """
    verb = "accepts" if options.word == Word.ACCEPTED.value else "overrules"
    headline = f"{options.attempt.action}; the GM {verb} the critical"
    return perform(scene, options.attempt, dice, headline)


declare("critical", WordOptions, say_word, gm_only=True)


def apply_toggle(scene: Scene, options: ToggleOptions, dice: Dice) -> Outcome:
    """Add the bonus of a trait whose condition a player claims; no die is rolled.

    Source: RPJ-TRAIT-02, RPJ-TRAIT-06.
    """
    attempt = options.attempt
    inputs = evolve(attempt.inputs, terms=(*attempt.inputs.terms, options.term))
    headline = f"{attempt.action}, {options.term.label}"
    return perform(scene, evolve(attempt, inputs=inputs), dice, headline)


declare("toggle", ToggleOptions, apply_toggle)


def offer_retry(scene: Scene, options: RetryOptions, dice: Dice) -> Outcome:
    """Offer a retry after a partial failure, as hard as before or harder.

    Until the retry is rolled, a Lucky Break can still turn the failure.

    Source: RPJ-SKILL-12 (R-034), RPJ-LUCK-03 (R-023).
    """
    failed = options.attempt
    target = retry(failed.inputs, options.harder).target
    shown = _shown_again(scene, failed, dice)
    return Outcome(
        scene=scene,
        headline=f"can try again: {failed.words}, against {target}+",
        verdict=Verdict(Family.PARTIAL, "partial failure"),
        rolls=shown.rolls,
        notes=("Nothing is lost or won yet.",),
        follow_ups=(*retry_buttons(options), *_lucky_buttons(shown)),
    )


declare("retry", RetryOptions, offer_retry, gm_only=True)


def succeed_at_a_cost(scene: Scene, options: AttemptOptions, dice: Dice) -> Outcome:
    """Turn a failure into a success with a complication; a Lucky Break can still do better.

    Source: RPJ-SKILL-12, RPJ-LUCK-03 (R-023).
    """
    attempt = options.attempt
    shown = _shown_again(scene, attempt, dice)
    return Outcome(
        scene=scene,
        headline=f"{attempt.action}; it works, at a cost",
        verdict=Verdict(Family.PARTIAL, "success at a cost"),
        rolls=shown.rolls,
        follow_ups=(*offered_complication(attempt)[:1], *_lucky_buttons(shown)),
        passed=True,
        skill=attempt.skill or attempt.words,
    )


declare("cost", AttemptOptions, succeed_at_a_cost, gm_only=True)


def _shown_again(scene: Scene, failed: RpjAttempt, dice: Dice) -> Outcome:
    """A failed check shown again with its dice; empty for an older button without dice."""
    return perform(scene, failed, dice) if failed.inputs.fallen else Outcome(scene=scene, headline="")


def _lucky_buttons(shown: Outcome) -> tuple[FollowUp, ...]:
    return tuple(one for one in shown.follow_ups if one.group == LUCKY_GROUP)


def complicate(scene: Scene, options: ComplicationOptions, dice: Dice) -> Outcome:
    """Add a complication, draw one from the module's table, or waive it; the success stands.

    Raises:
        UserError: If the module has no table of complications.

    Source: RPJ-SKILL-10 (R-030).
    """
    what = options.attempt.words
    if options.is_waived:
        return Outcome(scene=scene, headline=f"{what}: no complication")
    if options.text.strip():
        return Outcome(scene=scene, headline=f"has a complication: {what}", notes=(options.text.strip(),))
    module = module_in(scene.settings)
    table = next((table for table in module.tables if table.id == COMPLICATIONS), None)
    if table is None:
        raise UserError(f"{module.name} has no complications table.", try_this="Write what goes wrong.")
    roll = roll_on_table(TableInputs.of(table), dice)
    return Outcome(
        scene=scene,
        headline=f"has a complication: {what}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(table.row(str(roll.outcome)).text,),
    )


declare("complicate", ComplicationOptions, complicate, gm_only=True)


class NamedComplicationOptions(Document):
    """The options of a complication the GM announces."""

    target: CharacterId
    text: str = Field(min_length=1, max_length=300)


def name_complication(scene: Scene, options: NamedComplicationOptions, _dice: Dice) -> Outcome:
    """Announce what goes wrong despite a success, or what makes a failure worse.

    Source: RPJ-SKILL-10, RPJ-DICE-03, RPJ-GM-04.
    """
    who = scene.character(options.target).name
    return Outcome(scene=scene, headline=f"adds a complication for {who}", notes=(options.text.strip(),))


declare("complication", NamedComplicationOptions, name_complication, gm_only=True, needs_actor=False)
