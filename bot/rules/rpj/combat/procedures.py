"""Everything that is done in a fight, by anybody."""

from typing import Any

from bot.rules.rpj.combat.acting import ACTING_PROCEDURES
from bot.rules.rpj.combat.answering import ANSWERING_PROCEDURES
from bot.rules.rpj.combat.cinema import CINEMA_PROCEDURES
from bot.rules.rpj.combat.commanding import COMMANDING_PROCEDURES
from bot.rules.rpj.combat.conjuring import CONJURING_PROCEDURES
from bot.rules.rpj.combat.fight_rules import TURN_PROCEDURES
from bot.rules.rpj.combat.hiding import HIDING_PROCEDURES
from bot.rules.rpj.combat.legends import LEGEND_PROCEDURES
from bot.rules.rpj.combat.tending import TENDING_PROCEDURES
from bot.rules.rpj.combat.wrestling import WRESTLING_PROCEDURES
from bot.rules.ruleset import Procedure

COMBAT_PROCEDURES: tuple[Procedure[Any], ...] = (
    *TURN_PROCEDURES,
    *ACTING_PROCEDURES,
    *ANSWERING_PROCEDURES,
    *CINEMA_PROCEDURES,
    *LEGEND_PROCEDURES,
    *WRESTLING_PROCEDURES,
    *CONJURING_PROCEDURES,
    *COMMANDING_PROCEDURES,
    *HIDING_PROCEDURES,
    *TENDING_PROCEDURES,
)
