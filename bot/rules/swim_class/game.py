"""The ruleset as a whole."""

from types import MappingProxyType

from bot.rules.kernel import Ruleset
from bot.rules.swim_class import COVER
from bot.rules.swim_class.character.resources import RESOURCES, health_of
from bot.rules.swim_class.character.settings import SwimSettings
from bot.rules.swim_class.character.sheet import FIELDS, SwimSheet
from bot.rules.swim_class.combat.commands.unsettled import unsettled
from bot.rules.swim_class.creation.beginners import BEGINNER, sheet_problems
from bot.rules.swim_class.creation.creation import CREATION
from bot.rules.swim_class.game_parts.acts import TRACKER, acts
from bot.rules.swim_class.game_parts.asks import ASKS
from bot.rules.swim_class.game_parts.glance import glance
from bot.rules.swim_class.game_parts.odds import ODDS
from bot.rules.swim_class.game_parts.registry import DOCUMENTS, PROCEDURES, ROLLS
from bot.rules.swim_class.game_parts.session import end_session, growth, is_down
from bot.rules.swim_class.game_parts.sheet_text import describe
from bot.rules.swim_class.game_parts.suggesting import NAMED, SUGGESTION_LISTS
from bot.rules.swim_class.game_parts.swim_foes import FOES
from bot.rules.swim_class.game_parts.swim_gm_acts import gm_acts
from bot.rules.swim_class.game_parts.swim_lists import LISTS
from bot.rules.swim_class.gm.own_rules import MODULE, module_problems
from bot.rules.swim_class.magic.undead import raiser_of

RULESET: Ruleset = Ruleset[SwimSheet, SwimSettings](
    key=COVER.key,
    title=COVER.title,
    command=COVER.command,
    credit=COVER.credit,
    sheet=SwimSheet,
    settings=SwimSettings,
    module=MODULE,
    lists=LISTS,
    fields=FIELDS,
    asks=ASKS,
    documents=DOCUMENTS,
    growth=growth,
    leader=raiser_of,
    resources=RESOURCES,
    rolls=ROLLS,
    procedures=PROCEDURES,
    creation=CREATION,
    beginner=BEGINNER,
    foes=FOES,
    sheet_problems=sheet_problems,
    module_problems=module_problems,
    describe=describe,
    glance=glance,
    health=health_of,
    is_dead=lambda character: character.sheet.is_dead,
    is_down=is_down,
    end_session=end_session,
    unsettled=unsettled,
    suggestions=MappingProxyType(SUGGESTION_LISTS),
    named=MappingProxyType(NAMED),
    tracker=TRACKER,
    acts=acts,
    gm_acts=gm_acts,
    odds=ODDS,
    glossary=COVER.glossary,
)
