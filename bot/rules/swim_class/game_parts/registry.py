"""The ruleset's procedures, rolls and documents by key."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

from bot.rules.kernel import Document, procedures_of, rolls_of
from bot.rules.swim_class.character.breakage import BREAKAGE
from bot.rules.swim_class.checks.buildups import BuildUp
from bot.rules.swim_class.checks.consent import Own, asking_first
from bot.rules.swim_class.checks.helping import Pledges
from bot.rules.swim_class.checks.parts import Parts
from bot.rules.swim_class.checks.tasks import Task
from bot.rules.swim_class.checks.waiting_rolls import SwimAwaiting, SwimContest
from bot.rules.swim_class.combat.commands.board import TURN_PROCEDURES
from bot.rules.swim_class.combat.state.encounter import SwimEncounter
from bot.rules.swim_class.combat.state.ground import Ground
from bot.rules.swim_class.recovery.dying import LastTry
from bot.rules.swim_class.recovery.life_magic_healing import LastHealing
from bot.rules.swim_class.recovery.resting import REST_PROCEDURES
from bot.rules.swim_class.resolution.initiative import ALL_INITIATIVE, INITIATIVE
from bot.rules.swim_class.resolution.opposition import DEFENCE
from bot.rules.swim_class.resolution.pools import ATTACK, POOL

ROLLS = rolls_of(POOL, ATTACK, DEFENCE, INITIATIVE, ALL_INITIATIVE, BREAKAGE)
_DECLARED = cast(
    "Mapping[str, Own]", procedures_of("bot.rules.swim_class", *TURN_PROCEDURES, *REST_PROCEDURES)
)  # the ruleset's own
PROCEDURES = MappingProxyType({key: asking_first(one) for key, one in _DECLARED.items()})
DOCUMENTS: MappingProxyType[str, type[Document]] = MappingProxyType(
    {
        "encounter": SwimEncounter,
        "parts": Parts,
        "pledges": Pledges,
        "task": Task,
        "buildup": BuildUp,
        "contest": SwimContest,
        "awaiting": SwimAwaiting,
        "healing": LastHealing,
        "ground": Ground,
        "tries": LastTry,
    }
)
