"""The ruleset as a whole."""

from types import MappingProxyType

from bot.rules.kernel import Ruleset, procedures_of, rolls_of
from bot.rules.post_magic_maid import COVER
from bot.rules.post_magic_maid.advancement.passives import PassiveRequest
from bot.rules.post_magic_maid.character.ability_names import SUGGESTION_LISTS
from bot.rules.post_magic_maid.character.resources import RESOURCES
from bot.rules.post_magic_maid.character.settings import MaidSettings
from bot.rules.post_magic_maid.character.sheet import FIELDS, MaidSheet
from bot.rules.post_magic_maid.character.sheet_text import describe
from bot.rules.post_magic_maid.character.validity import sheet_problems
from bot.rules.post_magic_maid.character.wounds import WOUND_TRACKS, Track, health_of, is_dead, with_boxes
from bot.rules.post_magic_maid.checks.awaiting import MaidAwaiting
from bot.rules.post_magic_maid.checks.odds import ODDS
from bot.rules.post_magic_maid.checks.performance import Assist
from bot.rules.post_magic_maid.checks.tier_check import CHECK
from bot.rules.post_magic_maid.combat.commands.blitz import BLITZ_DRAW
from bot.rules.post_magic_maid.combat.commands.board import TRACKER
from bot.rules.post_magic_maid.combat.commands.initiative import INITIATIVE_PROCEDURES
from bot.rules.post_magic_maid.combat.commands.unsettled import unsettled
from bot.rules.post_magic_maid.combat.state.encounter import MaidEncounter
from bot.rules.post_magic_maid.combat.state.order_cards import INITIATIVE_CARD, INITIATIVE_DRAW
from bot.rules.post_magic_maid.contests.check_procedures import MaidCall
from bot.rules.post_magic_maid.contests.contests import MaidContest
from bot.rules.post_magic_maid.creation.beginners import BEGINNER
from bot.rules.post_magic_maid.creation.creation import CREATION
from bot.rules.post_magic_maid.game_parts.acts import acts
from bot.rules.post_magic_maid.game_parts.asks import ASKS
from bot.rules.post_magic_maid.game_parts.glance import glance
from bot.rules.post_magic_maid.game_parts.maid_foes import FOES
from bot.rules.post_magic_maid.game_parts.maid_gm_acts import gm_acts
from bot.rules.post_magic_maid.game_parts.maid_lists import LISTS
from bot.rules.post_magic_maid.game_parts.session import end_session, growth, is_down, timers_due
from bot.rules.post_magic_maid.health.healing import HEALING_PROCEDURES, Treatment
from bot.rules.post_magic_maid.health.hits import MaidPendingAttack

RULESET: Ruleset = Ruleset[MaidSheet, MaidSettings](
    key=COVER.key,
    title=COVER.title,
    command=COVER.command,
    credit=COVER.credit,
    sheet=MaidSheet,
    settings=MaidSettings,
    lists=LISTS,
    fields=FIELDS,
    documents=MappingProxyType(
        {
            "encounter": MaidEncounter,
            "awaiting": MaidAwaiting,
            "assist": Assist,
            "call": MaidCall,
            "contest": MaidContest,
            "attack": MaidPendingAttack,
            "treatment": Treatment,
            "passive": PassiveRequest,
        }
    ),
    growth=growth,
    asks=ASKS,
    resources=RESOURCES,
    wounds=WOUND_TRACKS,
    with_boxes=lambda scene, character, track, boxes: with_boxes(scene, character, Track(track), boxes),
    rolls=rolls_of(CHECK, BLITZ_DRAW, INITIATIVE_CARD, INITIATIVE_DRAW),
    procedures=procedures_of(COVER.package, *INITIATIVE_PROCEDURES, *HEALING_PROCEDURES),
    creation=CREATION,
    beginner=BEGINNER,
    foes=FOES,
    sheet_problems=sheet_problems,
    describe=describe,
    glance=glance,
    health=health_of,
    is_dead=is_dead,
    is_down=is_down,
    end_session=end_session,
    unsettled=unsettled,
    timers_due=timers_due,
    suggestions=MappingProxyType(SUGGESTION_LISTS),
    tracker=TRACKER,
    acts=acts,
    gm_acts=gm_acts,
    odds=ODDS,
    glossary=COVER.glossary,
)
