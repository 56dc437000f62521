"""The ruleset as a whole."""

from functools import partial
from types import MappingProxyType

from bot.rules.kernel import Problem, Ruleset, Section
from bot.rules.rpj import COVER
from bot.rules.rpj.character.belongings import MONTH
from bot.rules.rpj.character.lucky_breaks import closing, lucky_breaks_left
from bot.rules.rpj.character.sheet import (
    FIELDS,
    SHEET_VERSION,
    Character,
    RpjSheet,
    Stats,
    figure_of,
    upgrade_sheet,
)
from bot.rules.rpj.checks.odds import ODDS
from bot.rules.rpj.combat.commands.ability_builder import BUILDING, BUILDING_PROMPT
from bot.rules.rpj.combat.commands.board import TRACKER
from bot.rules.rpj.combat.commands.reaction_commands import unsettled_anywhere
from bot.rules.rpj.game_parts.acts import DOCUMENTS, PROCEDURES, ROLLS, acts
from bot.rules.rpj.game_parts.campaign_module import LISTS, MODULE_RULE
from bot.rules.rpj.game_parts.rpj_gm import ASKS, FOES, SUGGESTION_LISTS, gm_acts
from bot.rules.rpj.game_parts.rpj_resources import (
    AWARDS,
    RESOURCES,
    arrive,
    end_session,
    start_session,
    timers_due,
)
from bot.rules.rpj.game_parts.sheet_text import (
    describe,
    glance,
    grown_parts,
    health_of,
    npc_changes,
    pack_sections,
    sheet_changes,
)
from bot.rules.rpj.mass_commands import MASS
from bot.rules.rpj.mass_rounds import MASS_PROMPT
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.module_files import RpjSettings, module_in, packs_on, stated_module
from bot.rules.rpj.teamwork import TEAMWORK_PROMPTS
from bot.rules.rpj.ways_to_join import BEGINNER, CREATION, module_problems


def _described(character: Character, settings: RpjSettings) -> tuple[Section, ...]:
    left = None if character.owner is None else lucky_breaks_left(character)
    sections = describe(figure_of(character, settings), left)
    return (*sections, *pack_sections(character, settings))


def _module_problems(sheet: RpjSheet, settings: RpjSettings) -> tuple[Problem, ...]:
    return module_problems(Stats(sheet, module_in(settings)))


RULESET: Ruleset = Ruleset[RpjSheet, RpjSettings](
    key=COVER.key,
    title=COVER.title,
    command=COVER.command,
    credit=COVER.credit,
    sheet=RpjSheet,
    sheet_version=SHEET_VERSION,
    upgrade_sheet=upgrade_sheet,
    settings=RpjSettings,
    packs=lambda settings: frozenset(packs_on(settings, stated_module(settings))),
    module=MODULE_RULE,
    lists=LISTS,
    fields=FIELDS,
    documents=DOCUMENTS,
    growth=grown_parts,
    resources=RESOURCES,
    awards=AWARDS,
    rolls=ROLLS,
    procedures=PROCEDURES,
    shared_prompts=MappingProxyType({**TEAMWORK_PROMPTS, BUILDING: BUILDING_PROMPT, MASS: MASS_PROMPT}),
    asks=ASKS,
    creation=CREATION,
    beginner=BEGINNER,
    foes=FOES,
    module_problems=_module_problems,
    describe=_described,
    glance=glance,
    health=health_of,
    is_dead=lambda character: character.sheet.health.out is Out.DEAD,
    is_down=lambda character, _settings: character.sheet.health.out is not Out.NO,
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
    acts=acts,
    gm_acts=partial(gm_acts, PROCEDURES),
    odds=ODDS,
    glossary=COVER.glossary,
)
