"""Countdowns: a value that moves towards a difficulty, by checks, by time, or by the GM's hand.

Any game can use them. Nothing is changed in place: what moves a countdown returns the countdown as it is
afterwards.
"""

from bot.rules.shared.countdowns.countdown_model import (
    Attempt,
    Countdown,
    Kind,
    Limits,
    NoLongerMoves,
    Side,
    Status,
    Term,
    Tick,
    Visibility,
    boxes,
    crowding_hint,
    lone_hint,
    weight_of,
)
from bot.rules.shared.countdowns.countdown_moves import (
    LEAST_DIFFICULTY,
    MOST_DIFFICULTY,
    attempted,
    closed,
    day_of,
    duelled,
    moved,
    objection,
    skill_key,
    started,
    steps_of,
    timed,
    timed_duel,
)

__all__ = [
    "LEAST_DIFFICULTY",
    "MOST_DIFFICULTY",
    "Attempt",
    "Countdown",
    "Kind",
    "Limits",
    "NoLongerMoves",
    "Side",
    "Status",
    "Term",
    "Tick",
    "Visibility",
    "attempted",
    "boxes",
    "closed",
    "crowding_hint",
    "day_of",
    "duelled",
    "lone_hint",
    "moved",
    "objection",
    "skill_key",
    "started",
    "steps_of",
    "timed",
    "timed_duel",
    "weight_of",
]
