"""The ruleset as a whole."""

from functools import partial
from types import MappingProxyType

from bot.rules.kernel import Ruleset, procedures_of, rolls_of
from bot.rules.post_magic_maid import COVER
from bot.rules.post_magic_maid.acts import ASKS, acts
from bot.rules.post_magic_maid.blitz import BLITZ_DRAW
from bot.rules.post_magic_maid.contests import MaidCall, MaidContest
from bot.rules.post_magic_maid.creation import BEGINNER, CREATION
from bot.rules.post_magic_maid.encounter import INITIATIVE_CARD, INITIATIVE_DRAW, MaidEncounter
from bot.rules.post_magic_maid.gm import FOES, LISTS, end_session, gm_acts, growth, is_down, timers_due
from bot.rules.post_magic_maid.healing import HEALING_PROCEDURES, MaidPendingAttack, Treatment
from bot.rules.post_magic_maid.initiative import INITIATIVE_PROCEDURES, TRACKER, unsettled
from bot.rules.post_magic_maid.level_ups import PassiveRequest
from bot.rules.post_magic_maid.performance import Assist, MaidAwaiting
from bot.rules.post_magic_maid.sheet import FIELDS, MaidSettings, MaidSheet, sheet_problems
from bot.rules.post_magic_maid.sheet_text import describe, glance
from bot.rules.post_magic_maid.tier_check import CHECK, ODDS
from bot.rules.post_magic_maid.wounds import (
    RESOURCES,
    SUGGESTION_LISTS,
    WOUND_TRACKS,
    Track,
    health_of,
    is_dead,
    with_boxes,
)

PROCEDURES = procedures_of(COVER.package, *INITIATIVE_PROCEDURES, *HEALING_PROCEDURES)
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
    procedures=PROCEDURES,
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
    gm_acts=partial(gm_acts, PROCEDURES),
    odds=ODDS,
    glossary=COVER.glossary,
)
