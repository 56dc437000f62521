"""Results to be shown, as short as tests need them."""

from typing import Any

from bot.rules.kernel import (
    Choice,
    Die,
    Document,
    Family,
    FollowUp,
    Odds,
    Roll,
    Term,
    Verdict,
)
from bot.rules.kernel.odds import Chance
from bot.table.base.results import ChangeLine, EntryId, FollowUpId, Message, OpenFollowUp, Result


class NoInputs(Document):
    """Nothing went into it."""


SUCCESS, FAILURE = Verdict(Family.SUCCESS, "success"), Verdict(Family.FAILURE, "fails by 2")


def a_roll(*dice: Die, **other: Any) -> Roll:
    given: dict[str, Any] = {"rule": "check", "inputs": NoInputs(), "verdict": SUCCESS}
    return Roll(dice=dice, **(given | other))


def a_result(who: str = "Laeniel", headline: str = "sneaks past the guards", **other: Any) -> Result:
    told = {key: other.pop(key) for key in ("verdict", "changes", "notes", "is_public") if key in other}
    return Result(entry=EntryId(7), message=Message(who=who, headline=headline, **told), **other)


def offered(*labels: str, first: int = 1) -> tuple[OpenFollowUp, ...]:
    return tuple(
        OpenFollowUp(FollowUpId(number), FollowUp(procedure="x", options=NoInputs(), label=label))
        for number, label in enumerate(labels, start=first)
    )


def a_menu(id_: int, label: str, *choices: str) -> OpenFollowUp:
    entries = tuple(Choice(choice, choice) for choice in choices)
    return OpenFollowUp(
        FollowUpId(id_),
        FollowUp(procedure="x", options=NoInputs(), label=label, choices=entries, chosen="which"),
    )


__all__ = [
    "FAILURE",
    "SUCCESS",
    "Chance",
    "ChangeLine",
    "Die",
    "Odds",
    "Term",
    "a_menu",
    "a_result",
    "a_roll",
    "offered",
]
