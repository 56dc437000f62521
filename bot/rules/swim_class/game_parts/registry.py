"""Everything of the ruleset by key."""

from types import MappingProxyType
from typing import Any

from bot.rules.kernel import Document, Procedure, RollRule
from bot.rules.swim_class.character.breakage import BREAKAGE
from bot.rules.swim_class.character.learning import LEARNING_PROCEDURES
from bot.rules.swim_class.checks.buildups import BUILDUP_PROCEDURES, BuildUp
from bot.rules.swim_class.checks.consent import asking_first
from bot.rules.swim_class.checks.contests import Awaiting, Contest
from bot.rules.swim_class.checks.helping import HELPING_PROCEDURES, Pledges
from bot.rules.swim_class.checks.parts import Parts
from bot.rules.swim_class.checks.rolling import ROLLING_PROCEDURES
from bot.rules.swim_class.checks.tasks import TASK_PROCEDURES, Task
from bot.rules.swim_class.combat.commands.attacks import ATTACK_PROCEDURES
from bot.rules.swim_class.combat.commands.opposing import OPPOSING_PROCEDURES
from bot.rules.swim_class.combat.commands.turns import TURN_PROCEDURES
from bot.rules.swim_class.combat.state.encounter import Encounter
from bot.rules.swim_class.combat.state.ground import GROUND_PROCEDURES, Ground
from bot.rules.swim_class.damage.criticals import CRITICAL_PROCEDURES
from bot.rules.swim_class.damage.damage import DAMAGE_PROCEDURES
from bot.rules.swim_class.gear.crafting import CRAFT_PROCEDURES
from bot.rules.swim_class.gear.gear import GEAR_PROCEDURES
from bot.rules.swim_class.gm.gm import GM_PROCEDURES
from bot.rules.swim_class.magic.magic import MAGIC_PROCEDURES
from bot.rules.swim_class.magic.preparing import PREPARING_PROCEDURES
from bot.rules.swim_class.magic.undead import UNDEAD_PROCEDURES
from bot.rules.swim_class.movement.movement import MOVEMENT_PROCEDURES
from bot.rules.swim_class.opposed.defending import DEFENCE_PROCEDURES
from bot.rules.swim_class.recovery.clock import CLOCK_PROCEDURES
from bot.rules.swim_class.recovery.dying import DYING_PROCEDURES, LastTry
from bot.rules.swim_class.recovery.healing import LastHealing
from bot.rules.swim_class.recovery.resting import REST_PROCEDURES
from bot.rules.swim_class.recovery.standing import STANDING_PROCEDURES
from bot.rules.swim_class.resolution.initiative import ALL_INITIATIVE, INITIATIVE
from bot.rules.swim_class.resolution.opposition import DEFENCE
from bot.rules.swim_class.resolution.pools import ATTACK, POOL

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
    *CLOCK_PROCEDURES,
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
