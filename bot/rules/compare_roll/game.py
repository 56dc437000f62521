"""The ruleset as a whole."""

from functools import partial
from types import MappingProxyType

from bot.rules.compare_roll import COVER
from bot.rules.compare_roll.acts import acts
from bot.rules.compare_roll.attacks import Incoming
from bot.rules.compare_roll.compare_gm import FOES, LISTS, gm_acts
from bot.rules.compare_roll.creation import BEGINNER, CREATION, module_problems
from bot.rules.compare_roll.fortunes import AWARDS, RESOURCES, health_of
from bot.rules.compare_roll.opening import OpenRoll
from bot.rules.compare_roll.session import ODDS, REST_PROCEDURES, end_session, growth, is_down
from bot.rules.compare_roll.sheet import (
    FIELDS,
    CompareSettings,
    CompareSheet,
    CompareStatus,
    sheet_problems,
    status_of,
)
from bot.rules.compare_roll.sheet_text import ASKS, SUGGESTION_LISTS, describe, glance
from bot.rules.compare_roll.strikes import CompareEncounter, PendingCounter
from bot.rules.compare_roll.turns import TRACKER, TURN_PROCEDURES, unsettled
from bot.rules.compare_roll.two_d12s import AMOUNT, COMPARE, DAMAGE, DOOR, REST
from bot.rules.kernel import Ruleset, procedures_of, rolls_of

PROCEDURES = procedures_of(COVER.package, *TURN_PROCEDURES, *REST_PROCEDURES)
RULESET: Ruleset = Ruleset[CompareSheet, CompareSettings](
    key=COVER.key,
    title=COVER.title,
    command=COVER.command,
    credit=COVER.credit,
    sheet=CompareSheet,
    settings=CompareSettings,
    lists=LISTS,
    fields=FIELDS,
    documents=MappingProxyType(
        {"encounter": CompareEncounter, "open": OpenRoll, "counter": PendingCounter, "incoming": Incoming}
    ),
    asks=ASKS,
    growth=growth,
    resources=RESOURCES,
    awards=AWARDS,
    rolls=rolls_of(COMPARE, DAMAGE, AMOUNT, REST, DOOR),
    procedures=PROCEDURES,
    creation=CREATION,
    beginner=BEGINNER,
    foes=FOES,
    sheet_problems=sheet_problems,
    module_problems=module_problems,
    describe=describe,
    glance=glance,
    health=health_of,
    is_dead=lambda character: status_of(character) is CompareStatus.DEAD,
    is_down=is_down,
    end_session=end_session,
    unsettled=unsettled,
    suggestions=MappingProxyType(SUGGESTION_LISTS),
    tracker=TRACKER,
    acts=acts,
    gm_acts=partial(gm_acts, PROCEDURES),
    odds=ODDS,
    glossary=COVER.glossary,
)
