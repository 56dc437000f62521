"""The ruleset as a whole."""

from functools import partial
from types import MappingProxyType

from bot.rules.kernel import Ruleset
from bot.rules.swim_class import COVER
from bot.rules.swim_class.acts import TRACKER, acts
from bot.rules.swim_class.board import unsettled
from bot.rules.swim_class.creation import BEGINNER, CREATION, sheet_problems
from bot.rules.swim_class.gm import LISTS, MODULE, module_problems
from bot.rules.swim_class.growth import RESOURCES, health_of
from bot.rules.swim_class.powers import raiser_of
from bot.rules.swim_class.session import DOCUMENTS, ODDS, PROCEDURES, ROLLS, end_session, growth, is_down
from bot.rules.swim_class.sheet import FIELDS, SwimSettings, SwimSheet
from bot.rules.swim_class.sheet_text import ASKS, NAMED, SUGGESTION_LISTS, describe, glance
from bot.rules.swim_class.swim_gm import FOES, gm_acts

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
    gm_acts=partial(gm_acts, PROCEDURES),
    odds=ODDS,
    glossary=COVER.glossary,
)
