"""Resting together: others join by button and the clock moves once; the game says what each gets.

The first who rests opens it, whoever rests with them joins, and the game clock moves once, when it is carried
out. Who was forgotten joins afterwards, for the same hours, as long as no more time has passed.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from bot.rules.kernel import Document, Outcome, Procedure, Scene, SharedPrompt
from bot.rules.kernel.dice import Dice
from bot.rules.shared.resting.rest_model import (
    HOUR_SECONDS,
    LATEST,
    LONGEST_HOURS,
    REST,
    DuringFight,
    Latest,
    OptionsT,
    Rest,
    Rested,
    Resting,
    RestOptions,
    RestRules,
    hours_words,
    without_open_rest,
)
from bot.rules.shared.resting.rest_procedure import (
    CALL,
    CANCEL,
    GO,
    JOIN,
    LATE,
    LEAVE,
    CallOptions,
    LateOptions,
    OneRestOptions,
    asked_during_fight,
    at_once,
    call,
    cancel,
    go,
    join,
    join_late,
    leave,
    rest,
    view_rest,
)

__all__ = [
    "CALL",
    "HOUR_SECONDS",
    "LONGEST_HOURS",
    "REST",
    "REST_DOCUMENTS",
    "REST_PROMPTS",
    "DuringFight",
    "Latest",
    "Rest",
    "RestOptions",
    "RestRules",
    "Rested",
    "Resting",
    "asked_during_fight",
    "at_once",
    "hours_words",
    "rest_procedures",
    "without_open_rest",
]

ChosenT = TypeVar("ChosenT", bound=Document)
REST_PROMPTS: Mapping[str, SharedPrompt] = MappingProxyType(
    {REST: SharedPrompt[Rest](model=Rest, view=view_rest)}
)
REST_DOCUMENTS: Mapping[str, type[Document]] = MappingProxyType({LATEST: Latest})


def rest_procedures(rules: RestRules[OptionsT], *, is_typed: bool = True) -> tuple[Procedure, ...]:
    """The procedures of a game's rests.

    Args:
        rules: What is the game's own.
        is_typed: Whether a player rests by them; else the game has a procedure `REST` of its own.
    """

    def of(
        key: str,
        options: type[ChosenT],
        do: Callable[[RestRules[OptionsT], Scene, ChosenT, Dice], Outcome],
    ) -> Procedure[ChosenT]:
        return Procedure(
            key=key,
            options=options,
            run=lambda scene, chosen, dice: do(rules, scene, chosen, dice),
            gm_only=key in {CALL, CANCEL},
            needs_actor=key in {REST, JOIN, LEAVE},
        )

    return (
        *((of(REST, rules.options, rest),) if is_typed else ()),
        of(CALL, CallOptions, call),
        of(JOIN, OneRestOptions, join),
        of(LEAVE, OneRestOptions, leave),
        of(GO, OneRestOptions, go),
        of(LATE, LateOptions, join_late),
        of(CANCEL, OneRestOptions, cancel),
    )
