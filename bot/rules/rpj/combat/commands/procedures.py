"""Everything that is done in a fight, by anybody."""

from typing import Any

from bot.rules.kernel import Procedure
from bot.rules.rpj.combat.commands.cinematic_commands import CINEMA_PROCEDURES
from bot.rules.rpj.combat.commands.fight_rules import TURN_PROCEDURES
from bot.rules.rpj.combat.commands.gm_commands import COMMANDING_PROCEDURES
from bot.rules.rpj.combat.commands.grapple_commands import WRESTLING_PROCEDURES
from bot.rules.rpj.combat.commands.hidden_mooks import HIDING_PROCEDURES
from bot.rules.rpj.combat.commands.legend_commands import LEGEND_PROCEDURES
from bot.rules.rpj.combat.commands.magic_commands import CONJURING_PROCEDURES
from bot.rules.rpj.combat.commands.medical_commands import TENDING_PROCEDURES
from bot.rules.rpj.combat.commands.reaction_commands import ANSWERING_PROCEDURES
from bot.rules.rpj.combat.commands.turn_commands import ACTING_PROCEDURES

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
