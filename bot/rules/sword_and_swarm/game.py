"""The ruleset as a whole."""

from functools import partial
from types import MappingProxyType

from bot.rules.kernel import Ruleset, procedures_of, rolls_of
from bot.rules.sword_and_swarm import COVER
from bot.rules.sword_and_swarm.acts import ASKS, SUGGESTION_LISTS, acts, describe, glance
from bot.rules.sword_and_swarm.creation import BEGINNER, CREATION, module_problems
from bot.rules.sword_and_swarm.encounter import ENCOUNTER_PROCEDURES, TRACKER, SwarmEncounter
from bot.rules.sword_and_swarm.gm import FOES, LISTS, gm_acts
from bot.rules.sword_and_swarm.performing import PendingReroll, unsettled
from bot.rules.sword_and_swarm.session import AWARDS, ODDS, end_session, growth, is_down
from bot.rules.sword_and_swarm.sheet import FIELDS, SwarmSettings, SwarmSheet, health_of, sheet_problems
from bot.rules.sword_and_swarm.tests import ATTRIBUTE_TEST, PROFICIENCY_TEST

PROCEDURES = procedures_of(COVER.package, *ENCOUNTER_PROCEDURES)
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
    procedures=PROCEDURES,
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
    gm_acts=partial(gm_acts, PROCEDURES),
    odds=ODDS,
    glossary=COVER.glossary,
)
