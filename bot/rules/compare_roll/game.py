"""The ruleset as a whole."""

from types import MappingProxyType

from bot.rules.compare_roll import COVER
from bot.rules.compare_roll.character.fortunes import AWARDS, RESOURCES, health_of
from bot.rules.compare_roll.character.settings import CompareSettings
from bot.rules.compare_roll.character.sheet import (
    FIELDS,
    CompareSheet,
    CompareStatus,
    sheet_problems,
    status_of,
)
from bot.rules.compare_roll.checks.opening import OpenRoll
from bot.rules.compare_roll.checks.rests import REST_PROCEDURES
from bot.rules.compare_roll.combat.commands.board import TRACKER
from bot.rules.compare_roll.combat.commands.defenses import Incoming
from bot.rules.compare_roll.combat.commands.turns import TURN_PROCEDURES
from bot.rules.compare_roll.combat.commands.unsettled import unsettled
from bot.rules.compare_roll.combat.state.counters import PendingCounter
from bot.rules.compare_roll.combat.state.encounter import CompareEncounter
from bot.rules.compare_roll.creation.beginners import BEGINNER, module_problems
from bot.rules.compare_roll.creation.creation import CREATION
from bot.rules.compare_roll.game_parts.acts import acts
from bot.rules.compare_roll.game_parts.asks import ASKS
from bot.rules.compare_roll.game_parts.compare_foes import FOES
from bot.rules.compare_roll.game_parts.compare_gm_acts import gm_acts
from bot.rules.compare_roll.game_parts.compare_lists import LISTS
from bot.rules.compare_roll.game_parts.glance import glance
from bot.rules.compare_roll.game_parts.odds import ODDS
from bot.rules.compare_roll.game_parts.session import end_session, growth, is_down
from bot.rules.compare_roll.game_parts.sheet_text import describe
from bot.rules.compare_roll.game_parts.suggesting import SUGGESTION_LISTS
from bot.rules.compare_roll.resolution.amounts import AMOUNT, DAMAGE, DOOR, REST
from bot.rules.compare_roll.resolution.two_d12s import COMPARE
from bot.rules.kernel import Ruleset, procedures_of, rolls_of

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
    procedures=procedures_of(COVER.package, *TURN_PROCEDURES, *REST_PROCEDURES),
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
    gm_acts=gm_acts,
    odds=ODDS,
    glossary=COVER.glossary,
)
