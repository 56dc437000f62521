"""The ruleset as a whole."""

from types import MappingProxyType

from bot.rules.rpj.asks import ASKS
from bot.rules.rpj.beginners import BEGINNER
from bot.rules.rpj.combat.board import TRACKER
from bot.rules.rpj.combat.unsettled import unsettled_anywhere
from bot.rules.rpj.creation import CREATION
from bot.rules.rpj.describing import describe
from bot.rules.rpj.figure import Figure
from bot.rules.rpj.glossary import GLOSSARY
from bot.rules.rpj.health import Out
from bot.rules.rpj.luck import lucky_breaks_left
from bot.rules.rpj.magic.building import BUILDING, BUILDING_GATHERING
from bot.rules.rpj.mass.board import MASS_GATHERING
from bot.rules.rpj.mass.keeping import MASS
from bot.rules.rpj.module_rule import MODULE_RULE
from bot.rules.rpj.money.pockets import MONTH
from bot.rules.rpj.odds import ODDS
from bot.rules.rpj.pack_pages import pack_sections
from bot.rules.rpj.people import figure_of, sheet_of
from bot.rules.rpj.registry import DOCUMENTS, PROCEDURES, ROLLS
from bot.rules.rpj.resources import AWARDS, RESOURCES
from bot.rules.rpj.session import arrive, end_session, start_session
from bot.rules.rpj.settings import RpjSettings, module_in
from bot.rules.rpj.sheet import RpjSheet
from bot.rules.rpj.sheet_changes import npc_changes, sheet_changes
from bot.rules.rpj.sheet_versions import SHEET_VERSION, upgrade_sheet
from bot.rules.rpj.suggesting import SUGGESTION_LISTS
from bot.rules.rpj.timers import timers_due
from bot.rules.rpj.together import TOGETHER_GATHERINGS
from bot.rules.rpj.validity import misfits
from bot.rules.rpj.windows import closing
from bot.rules.ruleset import Character, Problem, Ruleset, Section


def _described(character: Character, settings: RpjSettings) -> tuple[Section, ...]:
    left = None if character.owner is None else lucky_breaks_left(character)
    sections = describe(figure_of(character, settings), left)
    return (*sections, *pack_sections(character, settings))


def _misfits(sheet: RpjSheet, settings: RpjSettings) -> tuple[Problem, ...]:
    return misfits(Figure(sheet, module_in(settings)))


GAME = Ruleset(
    key="rpj",
    title="RPJ Core",
    command="rpj",
    credit="RPJ Core by Jay Slater, Many Words Press; CC BY-NC-SA and CC BY",
    sheet=RpjSheet,
    sheet_version=SHEET_VERSION,
    upgrade_sheet=upgrade_sheet,
    settings=RpjSettings,
    module=MODULE_RULE,
    documents=DOCUMENTS,
    grown=("/attributes", "/skills", "/traits", "/class_id", "/class_skills"),
    resources=RESOURCES,
    awards=AWARDS,
    rolls=ROLLS,
    procedures=PROCEDURES,
    gatherings=MappingProxyType({**TOGETHER_GATHERINGS, BUILDING: BUILDING_GATHERING, MASS: MASS_GATHERING}),
    asks=ASKS,
    creation=CREATION,
    beginner=BEGINNER,
    misfits=_misfits,
    describe=_described,
    is_dead=lambda character: sheet_of(character).health.out is Out.DEAD,
    start_session=start_session,
    end_session=end_session,
    unsettled=unsettled_anywhere,
    arrive=arrive,
    timers_due=timers_due,
    quiet_timers=frozenset({MONTH}),
    closing=closing,
    sheet_changes=sheet_changes,
    npc_changes=npc_changes,
    suggestions=MappingProxyType(SUGGESTION_LISTS),
    tracker=TRACKER,
    odds=ODDS,
    glossary=GLOSSARY,
)
