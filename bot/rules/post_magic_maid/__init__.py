"""Post-magic-maid: two attribute dice, five tiers, a deck of cards and two wound tracks."""

from types import MappingProxyType

from bot.rules.post_magic_maid.awaiting import Awaiting
from bot.rules.post_magic_maid.check_procedures import CHECK_PROCEDURES, Call
from bot.rules.post_magic_maid.checks import CHECK
from bot.rules.post_magic_maid.creation import CREATION
from bot.rules.post_magic_maid.describing import describe
from bot.rules.post_magic_maid.encounter import Encounter
from bot.rules.post_magic_maid.glossary import GLOSSARY
from bot.rules.post_magic_maid.odds import ODDS
from bot.rules.post_magic_maid.performance import Assist
from bot.rules.post_magic_maid.resources import RESOURCES
from bot.rules.post_magic_maid.session import SESSION_PROCEDURES, end_session, timers_due
from bot.rules.post_magic_maid.settings import MaidSettings
from bot.rules.post_magic_maid.sheet import MaidSheet
from bot.rules.post_magic_maid.suggesting import SUGGESTION_LISTS
from bot.rules.post_magic_maid.turns import TURN_PROCEDURES
from bot.rules.post_magic_maid.validity import sheet_problems
from bot.rules.post_magic_maid.wounds import WOUND_TRACKS
from bot.rules.ruleset import Ruleset

__all__ = ["RULESET"]

RULESET = Ruleset(
    key="post_magic_maid",
    title="Post-magic-maid",
    command="maid",
    credit="Post-magic-maid by trapinnosuke, made from “Rivet” by Viral games",
    sheet=MaidSheet,
    settings=MaidSettings,
    documents=MappingProxyType(
        {"encounter": Encounter, "assist": Assist, "call": Call, "awaiting": Awaiting}
    ),
    resources=RESOURCES,
    wounds=WOUND_TRACKS,
    rolls=MappingProxyType({rule.key: rule for rule in (CHECK,)}),
    procedures=MappingProxyType(
        {procedure.key: procedure for procedure in (*CHECK_PROCEDURES, *TURN_PROCEDURES, *SESSION_PROCEDURES)}
    ),
    creation=CREATION,
    sheet_problems=sheet_problems,
    describe=describe,
    end_session=end_session,
    timers_due=timers_due,
    suggestions=MappingProxyType(SUGGESTION_LISTS),
    odds=ODDS,
    glossary=GLOSSARY,
)
