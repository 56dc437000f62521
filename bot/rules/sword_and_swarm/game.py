"""The ruleset as a whole."""

from types import MappingProxyType

from bot.rules.kernel import Ruleset, procedures_of, rolls_of
from bot.rules.sword_and_swarm import COVER
from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.character.sheet import FIELDS, SwarmSheet, health_of
from bot.rules.sword_and_swarm.character.sheet_problems import sheet_problems
from bot.rules.sword_and_swarm.checks.performing import PendingReroll
from bot.rules.sword_and_swarm.checks.unsettled import unsettled
from bot.rules.sword_and_swarm.combat.encounter import ENCOUNTER_PROCEDURES, TRACKER, SwarmEncounter
from bot.rules.sword_and_swarm.creation.beginners import BEGINNER, module_problems
from bot.rules.sword_and_swarm.creation.creation import CREATION
from bot.rules.sword_and_swarm.game_parts.acts import acts
from bot.rules.sword_and_swarm.game_parts.asks import ASKS
from bot.rules.sword_and_swarm.game_parts.glance import glance
from bot.rules.sword_and_swarm.game_parts.odds import ODDS
from bot.rules.sword_and_swarm.game_parts.session import AWARDS, end_session, growth, is_down
from bot.rules.sword_and_swarm.game_parts.sheet_text import describe
from bot.rules.sword_and_swarm.game_parts.suggesting import SUGGESTION_LISTS
from bot.rules.sword_and_swarm.game_parts.swarm_foes import FOES
from bot.rules.sword_and_swarm.game_parts.swarm_gm_acts import gm_acts
from bot.rules.sword_and_swarm.game_parts.swarm_lists import LISTS
from bot.rules.sword_and_swarm.resolution.attribute_tests import ATTRIBUTE_TEST
from bot.rules.sword_and_swarm.resolution.proficiency_tests import PROFICIENCY_TEST

RULESET: Ruleset = Ruleset[SwarmSheet, SwarmSettings](
    key=COVER.key,
    title=COVER.title,
    command=COVER.command,
    credit=COVER.credit,
    sheet=SwarmSheet,
    asks=ASKS,
    growth=growth,
    is_down=is_down,
    settings=SwarmSettings,
    lists=LISTS,
    fields=FIELDS,
    documents=MappingProxyType({"reroll": PendingReroll, "encounter": SwarmEncounter}),
    awards=AWARDS,
    rolls=rolls_of(ATTRIBUTE_TEST, PROFICIENCY_TEST),
    procedures=procedures_of(COVER.package, *ENCOUNTER_PROCEDURES),
    creation=CREATION,
    beginner=BEGINNER,
    foes=FOES,
    sheet_problems=sheet_problems,
    module_problems=module_problems,
    describe=describe,
    glance=glance,
    health=health_of,
    end_session=end_session,
    unsettled=unsettled,
    suggestions=MappingProxyType(SUGGESTION_LISTS),
    tracker=TRACKER,
    acts=acts,
    gm_acts=gm_acts,
    odds=ODDS,
    glossary=COVER.glossary,
)
