"""Everything of the ruleset by key."""

from types import MappingProxyType
from typing import Any

from bot.rules.ruleset import Document, Procedure, RollRule
from bot.rules.swim_class.attacks import ATTACK_PROCEDURES
from bot.rules.swim_class.breakage import BREAKAGE
from bot.rules.swim_class.buildups import BUILDUP_PROCEDURES, BuildUp
from bot.rules.swim_class.consent import asking_first
from bot.rules.swim_class.contests import Awaiting, Contest
from bot.rules.swim_class.crafting import CRAFT_PROCEDURES
from bot.rules.swim_class.criticals import CRITICAL_PROCEDURES
from bot.rules.swim_class.damage import DAMAGE_PROCEDURES
from bot.rules.swim_class.defending import DEFENCE_PROCEDURES
from bot.rules.swim_class.dying import DYING_PROCEDURES, LastTry
from bot.rules.swim_class.encounter import Encounter
from bot.rules.swim_class.gear import GEAR_PROCEDURES
from bot.rules.swim_class.gm import GM_PROCEDURES
from bot.rules.swim_class.ground import GROUND_PROCEDURES, Ground
from bot.rules.swim_class.healing import LastHealing
from bot.rules.swim_class.helping import HELPING_PROCEDURES, Pledges
from bot.rules.swim_class.initiative import ALL_INITIATIVE, INITIATIVE
from bot.rules.swim_class.learning import LEARNING_PROCEDURES
from bot.rules.swim_class.magic import MAGIC_PROCEDURES
from bot.rules.swim_class.movement import MOVEMENT_PROCEDURES
from bot.rules.swim_class.opposing import OPPOSING_PROCEDURES
from bot.rules.swim_class.opposition import DEFENCE
from bot.rules.swim_class.parts import Parts
from bot.rules.swim_class.pools import ATTACK, POOL
from bot.rules.swim_class.preparing import PREPARING_PROCEDURES
from bot.rules.swim_class.resting import REST_PROCEDURES
from bot.rules.swim_class.rolling import ROLLING_PROCEDURES
from bot.rules.swim_class.standing import STANDING_PROCEDURES
from bot.rules.swim_class.tasks import TASK_PROCEDURES, Task
from bot.rules.swim_class.turns import TURN_PROCEDURES
from bot.rules.swim_class.undead import UNDEAD_PROCEDURES

_PROCEDURES: tuple[Procedure[Any], ...] = (
    *ROLLING_PROCEDURES,
    *TASK_PROCEDURES,
    *HELPING_PROCEDURES,
    *BUILDUP_PROCEDURES,
    *DAMAGE_PROCEDURES,
    *CRITICAL_PROCEDURES,
    *ATTACK_PROCEDURES,
    *OPPOSING_PROCEDURES,
    *DEFENCE_PROCEDURES,
    *TURN_PROCEDURES,
    *PREPARING_PROCEDURES,
    *STANDING_PROCEDURES,
    *DYING_PROCEDURES,
    *REST_PROCEDURES,
    *MOVEMENT_PROCEDURES,
    *MAGIC_PROCEDURES,
    *UNDEAD_PROCEDURES,
    *GEAR_PROCEDURES,
    *CRAFT_PROCEDURES,
    *LEARNING_PROCEDURES,
    *GROUND_PROCEDURES,
    *GM_PROCEDURES,
)
_ROLLS: tuple[RollRule[Any], ...] = (POOL, ATTACK, DEFENCE, INITIATIVE, ALL_INITIATIVE, BREAKAGE)

PROCEDURES = MappingProxyType({procedure.key: asking_first(procedure) for procedure in _PROCEDURES})
ROLLS = MappingProxyType({rule.key: rule for rule in _ROLLS})
DOCUMENTS: MappingProxyType[str, type[Document]] = MappingProxyType(
    {
        "encounter": Encounter,
        "parts": Parts,
        "pledges": Pledges,
        "task": Task,
        "buildup": BuildUp,
        "contest": Contest,
        "awaiting": Awaiting,
        "healing": LastHealing,
        "ground": Ground,
        "tries": LastTry,
    }
)
