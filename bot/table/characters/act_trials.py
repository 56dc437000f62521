"""Trying acts: what doing one would show, with its exact chance."""

from dataclasses import dataclass, replace
from fractions import Fraction

from bot.rules.kernel import Choice, Document, FollowUp, Odds
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.rules.kernel.wording import signed
from bot.rules.shared.offering import MOST_CHOICE_LABEL
from bot.table.base.typed_options import read_choice
from bot.table.characters.seats import Seat, is_for_gm
from bot.table.play.play import find_procedure

TRIED_WITH = bytes(32)  # the seed of dice that are thrown to learn a chance; nobody sees them


@dataclass(frozen=True, slots=True)
class Trial:
    """What trying an act on a copy of the scene showed.

    Attributes:
        odds: The exact chances of the first roll; None where nothing is rolled.
        notes: How it would be rolled: against what, with which modifiers. Without a roll, what comes of it.
        problem: Why it can't be done; empty if it can.
        is_roll: Whether any dice are rolled.
        choice: The entry of its menu that was tried, or nothing.
    """

    odds: Odds | None = None
    notes: tuple[str, ...] = ()
    problem: str = ""
    is_roll: bool = False
    choice: str = ""

    @property
    def chance(self) -> Fraction | None:
        """The exact chance that it does what is needed; None where that is not known."""
        return None if self.odds is None else self.odds.enough


UNTRIED = Trial()
NO_CHOICE = "None of its choices is possible now."


def trial_of(seat: Seat, follow_up: FollowUp) -> Trial:
    """Try an act on a copy of the scene: the chance is that of the very code that is played.

    One that asks for a choice is possible if any of its choices is.
    """
    if follow_up.blanks:
        return UNTRIED
    first = _try(seat, follow_up, follow_up.options)
    if not follow_up.choices:
        return first
    if not first.problem:
        preset = str(getattr(follow_up.options, follow_up.chosen, ""))
        chosen = next((one.label for one in follow_up.choices if one.value == preset), "")
        return replace(first, choice=chosen) if first.is_roll else UNTRIED  # else it depends on the choice
    tries = [first]
    for one in follow_up.choices:
        tries.append(replace(_tried(seat, follow_up, one), choice=one.label))
        if not tries[-1].problem:
            return tries[-1]
    return first if len({one.problem for one in tries}) == 1 else Trial(problem=NO_CHOICE)


def with_chances(seat: Seat, follow_up: FollowUp) -> FollowUp:
    """An act whose menu says the chance of each entry."""
    told = []
    for one in follow_up.choices:
        trial = _tried(seat, follow_up, one)
        chance = "" if trial.chance is None else f"{percent(trial.chance)} chance"
        note = " · ".join(filter(None, (one.note, trial.problem or chance)))
        told.append(replace(one, note=note[:MOST_CHOICE_LABEL]))
    return replace(follow_up, choices=tuple(told))


def _tried(seat: Seat, follow_up: FollowUp, choice: Choice) -> Trial:
    return _try(seat, follow_up, _with(follow_up, choice.value))


def _with(follow_up: FollowUp, value: str) -> Document:
    """The options once something is chosen."""
    options = follow_up.options
    read = read_choice(type(options), follow_up.chosen, value)
    return type(options).model_validate({**options.model_dump(), follow_up.chosen: read})


def _try(seat: Seat, follow_up: FollowUp, options: Document) -> Trial:
    try:
        outcome = find_procedure(seat.access, follow_up.procedure).run(
            seat.scene, options, FairDice(TRIED_WITH, "trial")
        )
    except UserError as problem:
        return Trial(problem=problem.what)
    if not outcome.rolls:
        told = outcome.verdict
        who = seat.access.request.person_name if is_for_gm(follow_up) else seat.record.name
        return Trial(notes=(f"{who} {outcome.headline}" if told is None else told.title,))
    roll = outcome.rolls[0]
    odds = roll.told_odds
    chance = None if odds is None else odds.enough
    # Without a chance to reach something, what it is against are dice, and these are not the real ones.
    notes = [f"against {roll.against}"] if roll.against and chance is not None else []
    notes += [f"{term.label} {signed(term.value)}" for term in roll.terms]
    return Trial(odds=odds, notes=tuple(notes), is_roll=True)
