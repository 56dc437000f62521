"""Fights: combatants, their order and turns; each ruleset extends them.

A ruleset extends `Encounter` (or `InTurn`, where one acts after the other) and `Combatant`, keeps its
fights in a `FightPlace`, says the rest in `FightRules`, and adds `fight_procedures` to its procedures and a
`TrackerRules` to itself. Nothing is changed in place.
"""

from bot.rules.kernel import NoOptions
from bot.rules.shared.encounters.fights import (
    fight_of,
    fight_procedures,
    find_character,
    hidden_in,
    join_button,
    next_button,
    next_buttons,
    npcs_on,
    on_now,
    pass_turn,
    start,
    turn_ends,
    view_of,
)
from bot.rules.shared.encounters.model import (
    SHAPE,
    AddOptions,
    AnyCombatant,
    Called,
    Combatant,
    Encounter,
    EndOptions,
    FightPlace,
    FightRules,
    InTurn,
    InTurnPlace,
    JoinOptions,
    LeaveOptions,
    NextOptions,
    StartOptions,
)

__all__ = [
    "SHAPE",
    "AddOptions",
    "AnyCombatant",
    "Called",
    "Combatant",
    "Encounter",
    "EndOptions",
    "FightPlace",
    "FightRules",
    "InTurn",
    "InTurnPlace",
    "JoinOptions",
    "LeaveOptions",
    "NextOptions",
    "NoOptions",
    "StartOptions",
    "fight_of",
    "fight_procedures",
    "find_character",
    "hidden_in",
    "join_button",
    "next_button",
    "next_buttons",
    "npcs_on",
    "on_now",
    "pass_turn",
    "start",
    "turn_ends",
    "view_of",
]
